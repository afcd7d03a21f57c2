//! The breakdown of waiting: where the response time of every operation went.
//!
//! Depends on `reason`, `record` and a finished run. Invariant: of every operation, execution and
//! waits add up to its response time exactly; time after the run's end is not counted. Source: docs/semantics.md,
//! section 10.

use super::reason::{self, Reason, ReasonKind};
use blockstep_sim::order;
use blockstep_sim::record::Records;
use blockstep_sim::snapshot::{Replay, Snapshot, is_last_of_row};
use blockstep_sim::trace::{Change, Level, OpKind, Trace, Variant};
use blockstep_sim::units::{JobNo, OpId, SpaceId, Span, StreamId, TaskId, Time, TimeRange};

/// Where the response time of one operation went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpBreakdown {
    /// The operation that the time is of.
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
pub fn breakdown(replay: Replay, records: &Records) -> Vec<OpBreakdown> {
    compute_breakdown(replay, records, None)
}

/// A wait, from its begin to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// What waits.
    pub op: OpId,
    /// The kind of reason that it waits for.
    pub kind: ReasonKind,
    /// How long, not 0; to the end of the run if it does not end before.
    pub range: TimeRange,
    /// Whether the kernel executes and the rest of its blocks waits; such waits are no part of its
    /// breakdown.
    pub is_rest: bool,
}

/// The same, showing every single wait; those of one operation in order of time.
pub fn breakdown_watched(replay: Replay, records: &Records, watch: &mut dyn FnMut(Wait)) -> Vec<OpBreakdown> {
    compute_breakdown(replay, records, Some(watch))
}

fn compute_breakdown(mut replay: Replay, records: &Records, watch: Option<&mut dyn FnMut(Wait)>) -> Vec<OpBreakdown> {
    let start = replay.seek(0).clone();
    let trace = &**replay.trace();
    let mut sweep = Sweep {
        trace,
        state: start,
        accounts: Vec::with_capacity(trace.ops().len()),
        doing: vec![None; trace.ops().len()],
        rest: vec![None; if watch.is_some() { trace.ops().len() } else { 0 }],
        watch,
        held_up: vec![HeldUp::default(); trace.layout().spaces().len()],
        touched: Vec::new(),
        spaces: Vec::new(),
    };
    before_queues(trace, records, &mut sweep);
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
        sweep.now_holds_up(op, None, trace.end());
    }
    for account in &mut sweep.accounts {
        order::by_number(&mut account.waits, |&(kind, _)| kind as u64);
    }
    sweep.accounts
}

/// From the issue to the EE or CE queue. What holds there follows from a few instants: the completion of the
/// producers' work, of the operation before in the stream, of what N1, N2, W2 or W1 name, the promotion of the kernel before in the
/// connection, and its own.
fn before_queues(trace: &Trace, records: &Records, sweep: &mut Sweep<'_, '_>) {
    let work = work_ends(trace, records);
    // An incomplete operation holds up its stream to the end.
    let mut stream_free = vec![Time::ZERO; trace.layout().streams().len()];
    // By address space, in the place of its first channel.
    let mut barriers = vec![Barrier::default(); trace.layout().spaces().len()];
    let gates_launches = trace.scenario().own().is_some_and(|own| own.program().gates_launches());
    let has_further_order = trace.scenario().has_further_order() || gates_launches;
    // By hardware connection: when the last kernel of it so far moved on.
    let mut connection_free = vec![Time::ZERO; trace.layout().connections().len()];
    for (i, record) in records.ops.iter().enumerate() {
        let op = OpId::at(i);
        let info = trace.op(op);
        let producers = &trace.scenario().task(trace.row_of(op).task).consumes;
        let produced = producers.iter().map(|&task| work_end(&work, task, info.job)).max().unwrap_or(Time::ZERO);
        let free = std::mem::replace(&mut stream_free[info.stream.index()], record.end.unwrap_or(Time::MAX));
        let until = record.queued.unwrap_or(trace.end()).max(record.issued);
        let with_producers = produced.clamp(record.issued, until);
        let at_head = free.clamp(with_producers, until);
        let space = trace.layout().address_space(trace.layout().stream(info.stream).space);
        let barrier = &mut barriers[space.index()];
        let barred = barrier.pass(trace, info.stream, record.end.unwrap_or(Time::MAX));
        let past_barrier = if has_further_order { barred.clamp(at_head, until) } else { until };
        let (mut past_graph, mut past_events) = (Time::ZERO, Time::ZERO);
        for &awaited in trace.waits_of(op) {
            let past = if trace.is_by_graph(op, awaited) { &mut past_graph } else { &mut past_events };
            *past = records.ops[awaited.index()].end.unwrap_or(Time::MAX).max(*past);
        }
        let past_graph = if has_further_order { past_graph.clamp(past_barrier, until) } else { until };
        let past_events = if has_further_order { past_events.clamp(past_graph, until) } else { until };
        let by_null = if trace.layout().stream(info.stream).is_null { ReasonKind::N1 } else { ReasonKind::N2 };
        let response = record.end.unwrap_or(trace.end()).since(record.issued);
        sweep.accounts.push(OpBreakdown { op, response, executing: Span::ZERO, waits: Vec::new() });
        sweep.add_wait(op, ReasonKind::Producer, record.issued, with_producers);
        sweep.add_wait(op, ReasonKind::BehindInStream, with_producers, at_head);
        sweep.add_wait(op, by_null, at_head, past_barrier);
        sweep.add_wait(op, ReasonKind::Graph, past_barrier, past_graph);
        sweep.add_wait(op, ReasonKind::Event, past_graph, past_events);
        let past_connection = match trace.layout().stream(info.stream).connection {
            _ if !gates_launches || info.kind != OpKind::Kernel => until,
            None => past_events,
            Some(connection) => {
                let free = &mut connection_free[connection.index()];
                std::mem::replace(free, record.queued.unwrap_or(Time::MAX)).clamp(past_events, until)
            }
        };
        sweep.add_wait(op, ReasonKind::BehindInConnection, past_events, past_connection);
        sweep.add_wait(op, ReasonKind::NotLaunched, past_connection, until);
    }
}

/// When all that has been launched so far in the NULL stream of an address space is complete, and in its other streams.
#[derive(Clone, Copy, Default)]
struct Barrier {
    null: Time,
    others: Time,
}

impl Barrier {
    /// Until when an operation that is launched now, and completes at `end`, waits for the NULL stream or in it (N1, N2).
    fn pass(&mut self, trace: &Trace, stream: StreamId, end: Time) -> Time {
        if trace.layout().stream(stream).non_blocking {
            return Time::ZERO;
        }
        let (own, other) =
            if trace.layout().stream(stream).is_null { (&mut self.null, self.others) } else { (&mut self.others, self.null) };
        *own = end.max(*own);
        if trace.variants().has(Variant::NoNullBarrier) { Time::ZERO } else { other }
    }
}

/// By task and job number, when the work of each released job was complete (docs/semantics.md, section 8): with the job, unless it makes
/// calls one after another.
fn work_ends(trace: &Trace, records: &Records) -> Vec<Vec<Option<Time>>> {
    let scenario = trace.scenario();
    let mut ends = vec![Vec::new(); scenario.tasks().len()];
    let mut rows_left: Vec<Vec<u32>> = vec![Vec::new(); scenario.tasks().len()];
    for job in &records.jobs {
        let task = scenario.task(job.task);
        ends[job.task.index()].push(if task.calls_in_turn { Some(job.release) } else { job.end });
        rows_left[job.task.index()].push(if task.calls_in_turn { task.rows_with_operations } else { 0 });
    }
    for (i, record) in records.ops.iter().enumerate() {
        let (info, task) = (trace.op(OpId::at(i)), trace.row_of(OpId::at(i)).task);
        if let (Some(end), true) = (record.end, scenario.task(task).calls_in_turn && is_last_of_row(trace, OpId::at(i))) {
            rows_left[task.index()][info.job.index()] -= 1;
            let latest = &mut ends[task.index()][info.job.index()];
            *latest = latest.map(|before| before.max(end));
        }
    }
    for (ends, left) in ends.iter_mut().zip(&rows_left) {
        ends.iter_mut().zip(left).filter(|(_, left)| **left > 0).for_each(|(end, _)| *end = None);
    }
    // Of a task that only makes calls, with that of its producers.
    let is_found = |task: TaskId| !scenario.task(task).calls_in_turn || scenario.task(task).has_operations();
    let mut found: Vec<bool> = (0..ends.len()).map(|i| is_found(TaskId::at(i))).collect();
    for first in 0..ends.len() {
        let mut path = vec![(TaskId::at(first), 0)];
        while let Some((task, next)) = path.last_mut() {
            let (task, producers) = (*task, &scenario.task(*task).consumes);
            if let Some(&producer) = producers.get(*next).filter(|_| !found[task.index()]) {
                *next += 1;
                path.push((producer, 0));
                continue;
            }
            if !std::mem::replace(&mut found[task.index()], true) {
                for job in (0..ends[task.index()].len()).map(|job| JobNo(job as u32)) {
                    let last = producers.iter().map(|&producer| work_end(&ends, producer, job)).max().unwrap_or(Time::ZERO);
                    let end = &mut ends[task.index()][job.index()];
                    *end = end.map(|release| release.max(last)).filter(|&end| end < Time::MAX);
                }
            }
            path.pop();
        }
    }
    ends
}

/// Work that never completes does so after everything.
fn work_end(ends: &[Vec<Option<Time>>], task: TaskId, job: JobNo) -> Time {
    ends[task.index()].get(job.index()).copied().flatten().unwrap_or(Time::MAX)
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

struct Sweep<'a, 'w> {
    trace: &'a Trace,
    state: Snapshot,
    accounts: Vec<OpBreakdown>,
    /// What each operation is at since when; `None` before its EE or CE queue and after its end.
    doing: Vec<Option<(Doing, Time)>>,
    /// What holds up the rest of each kernel that executes, since when; empty where nobody asks.
    rest: Vec<Option<(ReasonKind, Time)>>,
    watch: Option<&'w mut dyn FnMut(Wait)>,
    held_up: Vec<HeldUp>,
    /// Operations that the instant's steps were about, and heads.
    touched: Vec<OpId>,
    /// Address spaces in which something changed at this instant.
    spaces: Vec<SpaceId>,
}

impl Sweep<'_, '_> {
    /// Remembers what a step may have changed for whom.
    fn note(&mut self, at: Time, change: Change) {
        match change {
            Change::EeJoined { op, .. }
            | Change::CeJoined { op, .. }
            | Change::EeLeft { op, .. }
            | Change::BlockAssigned { op, .. }
            | Change::BlockEnded { op, .. }
            | Change::SpinEnded { op }
            | Change::BlockSuspended { op, .. }
            | Change::BlockResumed { op, .. }
            | Change::CopyAssigned { op, .. }
            | Change::CopySuspended { op, .. }
            | Change::CopyResumed { op, .. } => self.touch(op),
            Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } => {
                self.touch(op);
                self.now_does(op, None, at);
            }
            // Nobody else begins or ceases to be assigned to.
            Change::Entered { space } | Change::DrainStarted { space, .. } | Change::Left { space } => self.spaces.push(space),
            Change::SwitchStarted { .. }
            | Change::SignalSent { .. }
            | Change::SignalArrived { .. }
            | Change::RunlistSubmitted { .. }
            | Change::ChannelReset { .. }
            | Change::JobReleased { .. }
            | Change::JobCompleted { .. }
            | Change::DeadlineMissed { .. }
            | Change::Issued { .. }
            | Change::CeLeft { .. }
            | Change::EntryVisited { .. }
            | Change::PolicyTold { .. }
            | Change::Chosen { .. }
            | Change::ServerRenewed { .. }
            | Change::DeadlinePostponed { .. }
            | Change::HostWaits { .. }
            | Change::HostReturned { .. } => {}
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
            if self.watch.is_some() {
                let rest = reason::undispatched(self.trace, &self.state, op).map(Reason::kind);
                self.now_holds_up(op, rest, at);
            }
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
            match before {
                Doing::Executes => self.accounts[op.index()].executing.0 += at.since(since).ns(),
                Doing::Waits(kind) => self.add_wait(op, kind, since, at),
            }
        }
    }

    /// The same for the rest of a kernel that executes.
    fn now_holds_up(&mut self, op: OpId, kind: Option<ReasonKind>, at: Time) {
        let Some(slot) = self.rest.get_mut(op.index()).filter(|slot| slot.map(|(kind, _)| kind) != kind) else { return };
        if let Some((kind, since)) = std::mem::replace(slot, kind.map(|kind| (kind, at))) {
            self.tell(op, kind, since, at, true);
        }
    }

    fn add_wait(&mut self, op: OpId, kind: ReasonKind, from: Time, to: Time) {
        let span = to.since(from);
        if span == Span::ZERO {
            return;
        }
        let waits = &mut self.accounts[op.index()].waits;
        match waits.iter_mut().find(|(of, _)| *of == kind) {
            Some((_, sum)) => sum.0 += span.ns(),
            None => waits.push((kind, span)),
        }
        self.tell(op, kind, from, to, false);
    }

    fn tell(&mut self, op: OpId, kind: ReasonKind, from: Time, to: Time, is_rest: bool) {
        if let Some(watch) = &mut self.watch
            && from < to
        {
            watch(Wait { op, kind, range: TimeRange::new(from, to), is_rest });
        }
    }
}
