//! A run without times: somebody else says what comes next, a launch or an end, and the engine does what follows at that instant.
//!
//! Depends on the rest of `engine`. Invariants: each thing that comes has an instant of its own; blocks of a kernel that began together, and
//! have equal times, end together, and those that began first end first. Source: docs/semantics.md, sections 2 to 4.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::agenda::{Assigned, Completion};
use super::vary::Plain;
use super::{Engine, Limits, Phase, policy_of};
use crate::scenario::{Placement, Scenario};
use crate::snapshot::{Keyframes, MAX_ENGINES, Progress, Snapshot};
use crate::trace::{Cut, EngineNo, Trace};
use crate::units::{JobNo, OpId, RowId, SmId, SpaceId, Span, Time};
use crate::work::{Budget, Progress as Portion};

/// From one thing to the next: times of blocks are smaller, so that the end of a block tells when it began.
const STEP: u64 = 1 << 32;

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Next {
    /// The call of this row is made: its operations are issued, or the thread waits.
    Call(RowId, JobNo),
    /// Blocks of a kernel that began together end, those whose ends fall on this instant by their times.
    Blocks(OpId, Time),
    /// The copy on this engine ends.
    Copy(OpId, EngineNo),
}

/// A state of a run without times, from which it can go on in every way.
#[derive(Clone)]
pub struct Untimed {
    engine: Engine<'static, Plain>,
}

impl Untimed {
    /// After the release of all jobs that are released at time 0, before any call. The scenario is under `fifo` or `priority`, without a
    /// horizon, and its block times are less than 2^32 ns.
    ///
    /// # Errors
    /// If the run comes to a limit.
    pub fn new(scenario: &Arc<Scenario>, limits: Limits) -> Result<Self, Cut> {
        let mut engine = Engine::new(scenario, policy_of(scenario), Plain, limits);
        engine.keyframes = Keyframes::none();
        engine.agenda.hold();
        let mut untimed = Self { engine };
        untimed.settle()?;
        Ok(untimed)
    }

    /// The run so far, without its steps.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.engine.trace
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &Snapshot {
        &self.engine.state
    }

    /// The time of the last thing that came.
    #[must_use]
    pub fn now(&self) -> Time {
        self.engine.now
    }

    /// Whether blocks of a kernel spin.
    #[must_use]
    pub fn spins(&self) -> bool {
        !self.engine.spinning.is_empty()
    }

    /// Everything that may come next, calls first: of those of one task and stream the caller may only make the first one.
    #[must_use]
    pub fn choices(&self) -> Vec<Next> {
        let scenario = self.engine.trace.scenario();
        let calls: BTreeSet<Next> =
            self.engine.agenda.held().iter().map(|issue| Next::Call(scenario.call_of(issue.row), issue.job)).collect();
        let mut found: Vec<Next> = calls.into_iter().collect();
        let space = self.engine.state.space(SpaceId(0));
        // By kernel and time of its blocks: the first that began.
        let mut first: BTreeMap<(OpId, u64), u64> = BTreeMap::new();
        for (_, sm) in space.sms.holding() {
            for block in &sm.blocks {
                if let Progress::Runs(end) = block.progress {
                    let began = first.entry((block.op, end.ns() % STEP)).or_insert(u64::MAX);
                    *began = (*began).min(end.ns() / STEP);
                }
            }
        }
        found.extend(first.into_iter().map(|((op, time), began)| Next::Blocks(op, Time(began * STEP + time))));
        for engine in 0..MAX_ENGINES as EngineNo {
            found.extend(space.engines[usize::from(engine)].map(|copy| Next::Copy(copy.op, engine)));
        }
        found
    }

    /// Lets this come next, and all that follows from it at once.
    ///
    /// # Errors
    /// If the run comes to a limit.
    pub fn take(&mut self, next: Next) -> Result<(), Cut> {
        let at = Time((self.engine.now.ns() / STEP + 1) * STEP);
        let engine = &mut self.engine;
        match next {
            Next::Call(row, job) => {
                let scenario = Arc::clone(&engine.scenario);
                engine.agenda.let_issue(at, |issue| scenario.call_of(issue.row) == row && issue.job == job);
            }
            Next::Blocks(op, end) => {
                for (sm, on_sm) in engine.state.space(SpaceId(0)).sms.holding() {
                    for block in on_sm.blocks.iter().filter(|block| block.op == op && block.progress == Progress::Runs(end)) {
                        let what = Assigned::Block { op, block: block.block, sm: SmId::at(sm) };
                        engine.agenda.let_complete(Completion { at, order: block.order, what });
                    }
                }
            }
            Next::Copy(op, place) => {
                let order = engine.state.space(SpaceId(0)).engines[usize::from(place)].map_or(0, |copy| copy.order);
                engine.agenda.let_complete(Completion { at, order, what: Assigned::Copy { op, engine: place } });
            }
        }
        self.settle()
    }

    /// Applies what is due until nothing more is.
    fn settle(&mut self) -> Result<(), Cut> {
        let engine = &mut self.engine;
        engine.phase = Phase::Next;
        engine.over = None;
        let mut endless = Budget::UNLIMITED;
        while engine.run_for(&mut endless) == Portion::Paused {}
        engine.trace.forget_steps();
        engine.idle = (0, 0);
        match engine.over.take().flatten() {
            Some(cut) => Err(cut),
            None => Ok(()),
        }
    }

    /// Words that are equal for two states if and only if they go on alike: of the same scenario, each task with one job.
    pub fn write_key(&self, words: &mut Vec<u32>) {
        let Engine { trace, state, agenda, scenario, .. } = &self.engine;
        let name = |op: OpId| trace.op(op).row.0 * 4 + trace.op(op).kind as u32;
        let mut held: Vec<u32> = agenda.held().iter().map(|issue| issue.row.0 * 4 + issue.kind.map_or(3, |kind| kind as u32)).collect();
        held.sort_unstable();
        words.extend(held);
        words.push(u32::MAX);
        for (task, _) in scenario.tasks().iter().enumerate() {
            let wait = &state.task(crate::units::TaskId::at(task)).host;
            words.push(wait.as_ref().map_or(u32::MAX, |wait| wait.row.0));
            words.extend(wait.iter().flat_map(|wait| &wait.awaited).map(|&op| name(op)));
        }
        // Which of two was issued first matters where more than streams puts them in order.
        if scenario.has_further_order() || trace.layout().space(SpaceId(0)).null.is_some() {
            words.push(u32::MAX);
            words.extend((0..trace.ops().len()).map(|op| name(OpId::at(op))));
        }
        for stream in 0..trace.layout().streams().len() {
            let stream = state.stream(crate::units::StreamId::at(stream));
            words.push(u32::MAX);
            words.extend(stream.queue.iter().map(|&op| name(op)));
            if !stream.queue.is_empty() {
                words.extend([u32::from(stream.promoted), stream.assigned, stream.completed]);
            }
        }
        let space = state.space(SpaceId(0));
        for queue in space.ee_queues().chain(space.ce_queues()) {
            words.push(u32::MAX);
            words.extend(queue.iter().map(|&op| name(op)));
        }
        words.push(space.last_sm.filter(|_| scenario.placement() == Placement::RoundRobin).map_or(u32::MAX, |sm| sm.0.into()));
        words.extend(space.engines.iter().map(|copy| copy.map_or(u32::MAX, |copy| name(copy.op))));
        // By kernel: the instants at which blocks began that run, in order.
        let mut began: BTreeMap<OpId, BTreeSet<u64>> = BTreeMap::new();
        let running = |progress| if let Progress::Runs(end) = progress { Some(Time::ns(end)) } else { None };
        for (_, sm) in space.sms.holding() {
            for block in &sm.blocks {
                if let Some(end) = running(block.progress) {
                    began.entry(block.op).or_default().insert(end / STEP);
                }
            }
        }
        for (sm, on_sm) in space.sms.holding() {
            words.extend([u32::MAX, sm as u32]);
            let from = words.len();
            for block in &on_sm.blocks {
                let wave = running(block.progress)
                    .map_or(u32::MAX - 1, |end| began[&block.op].iter().position(|&at| at == end / STEP).unwrap_or(0) as u32);
                let time = running(block.progress).map_or(0, |end| (end % STEP) as u32);
                words.extend([name(block.op), wave, time]);
            }
            // In which order they came does not matter any more.
            let mut here: Vec<[u32; 3]> = words[from..].chunks_exact(3).map(|block| [block[0], block[1], block[2]]).collect();
            here.sort_unstable();
            words.splice(from.., here.into_flattened());
        }
        // What has begun and is complete of those that are not open.
        words.push(u32::MAX);
        words.extend(state.flags_of_job(JobNo(0)));
    }

    /// The time that a block of a kernel has by the scenario.
    #[must_use]
    pub fn time_of(&self, op: OpId, block: u32) -> Span {
        self.engine.trace.run_time(op, block)
    }
}
