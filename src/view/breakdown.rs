//! The blocking breakdown: where the response time of every operation went.
//!
//! Depends on `reason`, `record` and a finished run. Invariant: of every operation, execution and
//! waits add up to its response time exactly; time after the run's end is not counted. Contract:
//! section 10.

use super::reason::{self, ReasonKind};
use crate::order;
use crate::record::Records;
use crate::snapshot::{Replay, Snapshot};
use crate::trace::{Change, Level, Trace};
use crate::units::{JobNo, OpId, SpaceId, Span, TaskId, Time};

/// Where the response time of one operation went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpBreakdown {
    /// Which.
    pub op: OpId,
    /// From its issue to its completion, or to the end of the run.
    pub response: Span,
    /// While a block of it, or the copy, ran.
    pub executing: Span,
    /// The rest by reason, in the contract's order; all positive.
    pub waits: Vec<(ReasonKind, Span)>,
}

/// The breakdown of every operation, in issue order. Cost: the steps once, and at each instant
/// the heads of the EE queues; queues are gone through only where what holds up the whole queue changes.
#[must_use]
pub fn breakdown(mut replay: Replay, records: &Records) -> Vec<OpBreakdown> {
    let start = replay.seek(0).clone();
    let trace = &**replay.trace();
    let mut sweep = Sweep {
        trace,
        state: start,
        accounts: Vec::with_capacity(trace.ops().len()),
        doing: vec![None; trace.ops().len()],
        held_up: vec![HeldUp::default(); trace.layout().spaces().len()],
        touched: Vec::new(),
        spaces: Vec::new(),
    };
    before_queues(trace, records, &mut sweep.accounts);
    let mut steps = trace.steps();
    while let Some(first) = steps.first() {
        let (instant, later) = steps.split_at(steps.partition_point(|s| s.at == first.at));
        for step in instant {
            sweep.state.apply(trace, step);
            sweep.note(step.at, step.change);
        }
        sweep.settle(first.at);
        steps = later;
    }
    for op in (0..trace.ops().len()).map(OpId::at) {
        sweep.now_does(op, None, trace.end());
    }
    for account in &mut sweep.accounts {
        order::by_number(&mut account.waits, |&(kind, _)| kind as u64);
    }
    sweep.accounts
}

/// From the issue to the EE or CE queue. What holds there follows from three instants: the
/// completion of the producers' jobs, of the operation before in the stream, and the promotion.
fn before_queues(trace: &Trace, records: &Records, accounts: &mut Vec<OpBreakdown>) {
    let jobs = job_ends(trace, records);
    // An incomplete operation holds up its stream to the end.
    let mut stream_free = vec![Time::ZERO; trace.layout().streams().len()];
    for (i, record) in records.ops.iter().enumerate() {
        let op = OpId::at(i);
        let info = trace.op(op);
        let producers = &trace.scenario().task(trace.row_of(op).task).consumes;
        let produced = producers.iter().map(|&task| job_end(&jobs, task, info.job)).max().unwrap_or(Time::ZERO);
        let free = std::mem::replace(&mut stream_free[info.stream.index()], record.end.unwrap_or(Time::MAX));
        let until = record.queued.unwrap_or(trace.end()).max(record.issued);
        let with_producers = produced.clamp(record.issued, until);
        let at_head = free.clamp(with_producers, until);
        let by_null = if trace.layout().stream(info.stream).is_null { ReasonKind::N1 } else { ReasonKind::N2 };
        let response = record.end.unwrap_or(trace.end()).since(record.issued);
        let mut account = OpBreakdown { op, response, executing: Span::ZERO, waits: Vec::new() };
        account.add_wait(ReasonKind::Producer, with_producers.since(record.issued));
        account.add_wait(ReasonKind::BehindInStream, at_head.since(with_producers));
        account.add_wait(by_null, until.since(at_head));
        accounts.push(account);
    }
}

/// By task and job number, when each released job completed.
fn job_ends(trace: &Trace, records: &Records) -> Vec<Vec<Option<Time>>> {
    let mut ends = vec![Vec::new(); trace.scenario().tasks().len()];
    for job in &records.jobs {
        ends[job.task.index()].push(job.end);
    }
    ends
}

/// A job that never completes does so after everything.
fn job_end(jobs: &[Vec<Option<Time>>], task: TaskId, job: JobNo) -> Time {
    jobs[task.index()].get(job.index()).copied().flatten().unwrap_or(Time::MAX)
}

/// What an operation in an EE or CE queue, or beyond, is at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Executes,
    Waits(ReasonKind),
}

/// What holds up whole queues of an address space.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct HeldUp {
    /// The high-priority EE queue is not empty (A2).
    by_priority: bool,
    /// Nothing is assigned.
    by_residency: bool,
}

struct Sweep<'a> {
    trace: &'a Trace,
    state: Snapshot,
    accounts: Vec<OpBreakdown>,
    /// What each operation is at since when; `None` before its EE or CE queue and after its end.
    doing: Vec<Option<(Doing, Time)>>,
    held_up: Vec<HeldUp>,
    /// Operations that the instant's steps were about, and heads.
    touched: Vec<OpId>,
    /// Address spaces in which something changed at this instant.
    spaces: Vec<SpaceId>,
}

impl Sweep<'_> {
    /// Remembers what a step may have changed for whom.
    fn note(&mut self, at: Time, change: Change) {
        match change {
            Change::EeJoined { op, .. }
            | Change::CeJoined { op, .. }
            | Change::EeLeft { op, .. }
            | Change::BlockAssigned { op, .. }
            | Change::BlockEnded { op, .. }
            | Change::BlockSuspended { op, .. }
            | Change::BlockResumed { op, .. }
            | Change::CopyAssigned { op, .. }
            | Change::CopySuspended { op, .. }
            | Change::CopyResumed { op, .. } => self.touch(op),
            Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } => {
                self.touch(op);
                self.now_does(op, None, at);
            }
            Change::SwitchStarted { .. } | Change::Entered { .. } | Change::DrainStarted { .. } | Change::Left { .. } => {
                self.spaces.extend((0..self.held_up.len()).map(SpaceId::at));
            }
            Change::JobReleased { .. }
            | Change::JobCompleted { .. }
            | Change::DeadlineMissed { .. }
            | Change::Issued { .. }
            | Change::CeLeft { .. }
            | Change::EntryVisited { .. }
            | Change::Chosen { .. }
            | Change::ServerRenewed { .. }
            | Change::DeadlinePostponed { .. } => {}
        }
    }

    fn touch(&mut self, op: OpId) {
        if self.touched.last() != Some(&op) {
            self.touched.push(op);
            self.spaces.push(self.trace.layout().stream(self.trace.op(op).stream).space);
        }
    }

    /// After the last step of an instant: what everybody is at until the next one.
    fn settle(&mut self, at: Time) {
        order::by_number(&mut self.spaces, |space| space.0.into());
        self.spaces.dedup();
        for &id in &self.spaces {
            let space = self.state.space(id);
            let held_up = HeldUp { by_priority: !space.ee(Level::High).is_empty(), by_residency: !self.state.assigns(id) };
            // Where rules are changed, anybody in the queue may be next.
            let is_varied = !self.trace.variants().is_none();
            let all = std::mem::replace(&mut self.held_up[id.index()], held_up) != held_up || is_varied;
            for level in [Level::High, Level::Low] {
                self.touched.extend(space.ee(level).iter().take(if all { usize::MAX } else { 1 }));
            }
            if all {
                self.touched.extend((0..space.engines.len()).flat_map(|engine| space.ce(engine as u8)));
            }
        }
        self.spaces.clear();
        let mut touched = std::mem::take(&mut self.touched);
        for op in touched.drain(..) {
            let doing = if reason::executes(self.trace, &self.state, op) {
                Some(Doing::Executes)
            } else {
                reason::reason(self.trace, &self.state, op).map(|reason| Doing::Waits(reason.kind()))
            };
            self.now_does(op, doing, at);
        }
        self.touched = touched;
    }

    /// From `at` on; what went on until then is accounted for.
    fn now_does(&mut self, op: OpId, doing: Option<Doing>, at: Time) {
        let slot = &mut self.doing[op.index()];
        if slot.map(|(doing, _)| doing) == doing {
            return;
        }
        if let Some((before, since)) = std::mem::replace(slot, doing.map(|doing| (doing, at))) {
            let account = &mut self.accounts[op.index()];
            match before {
                Doing::Executes => account.executing.0 += at.since(since).ns(),
                Doing::Waits(kind) => account.add_wait(kind, at.since(since)),
            }
        }
    }
}

impl OpBreakdown {
    fn add_wait(&mut self, kind: ReasonKind, span: Span) {
        if span == Span::ZERO {
            return;
        }
        match self.waits.iter_mut().find(|(of, _)| *of == kind) {
            Some((_, sum)) => sum.0 += span.ns(),
            None => self.waits.push((kind, span)),
        }
    }
}
