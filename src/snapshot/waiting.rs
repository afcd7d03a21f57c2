//! Which operations wait for a producer where more than streams and the NULL stream puts them in order.
//!
//! Depends on the rest of `snapshot`. Invariant: it is found by a look at every operation of an address space, as it is asked only in
//! scenarios with events, hardware connections or non-blocking streams, and with consumers under `edf`. Source: docs/semantics.md, section 8.

use std::collections::{BTreeMap, BTreeSet};

use super::Snapshot;
use super::connections::line;
use crate::order;
use crate::scenario::Turns;
use crate::trace::{Trace, Variant};
use crate::units::{ConnectionId, JobNo, OpId, ProcessId, SpaceId, StreamId, TaskId};

/// Operations that wait, of which an operation must be launched later than all.
#[derive(Default)]
struct Waiting {
    streams: BTreeSet<StreamId>,
    lines: BTreeSet<(ConnectionId, usize)>,
    /// In issue order.
    ops: Vec<OpId>,
    is_in_null: bool,
    is_beside_null: bool,
}

impl Snapshot {
    /// The operations of an address space that wait for no producer, neither themselves nor behind others, in issue order.
    fn free_operations_in_order<'a>(&'a self, trace: &'a Trace, space: SpaceId) -> impl Iterator<Item = OpId> + 'a {
        let streams = &trace.layout().space(space).streams;
        let mut ops: Vec<OpId> = streams.iter().flat_map(|&stream| &self.stream(stream).queue).copied().collect();
        order::by_number(&mut ops, |op| op.0.into());
        let mut waiting = Waiting::default();
        ops.into_iter().filter(move |&op| {
            let waits = self.missing_producer(trace, op).is_some() || waiting.holds_up(trace, op);
            if waits {
                waiting.add(trace, op);
            }
            !waits
        })
    }

    /// Whether a job has an operation that waits for no producer: itself, or behind others.
    pub(super) fn has_free_operation_in_order(&self, trace: &Trace, space: SpaceId, task: TaskId, job: JobNo) -> bool {
        self.free_operations_in_order(trace, space).any(|op| trace.op(op).job == job && trace.row_of(op).task == task)
    }

    /// By task, the first job with such an operation: what a look at each job by itself would find.
    pub(super) fn free_jobs_in_order(&self, trace: &Trace, space: SpaceId) -> BTreeMap<TaskId, JobNo> {
        let mut jobs = BTreeMap::new();
        for op in self.free_operations_in_order(trace, space) {
            let (task, job) = (trace.row_of(op).task, trace.op(op).job);
            jobs.entry(task).and_modify(|first: &mut JobNo| *first = job.min(*first)).or_insert(job);
        }
        jobs
    }

    /// How much work a decision of `edf` is, in units of `work`, where all operations are looked at for it.
    #[must_use]
    pub fn work_of_choice(&self, trace: &Trace) -> u64 {
        let scenario = trace.scenario();
        if scenario.policy().kind.turns() != Turns::Deadlines || self.keeps_claims() || !scenario.has_further_order() {
            return 0;
        }
        let queued = |space: SpaceId| trace.layout().space(space).streams.iter().map(|&stream| self.stream(stream).queue.len() as u64);
        let processes = (0..scenario.processes().len()).map(SpaceId::at).filter(|space| scenario.has_consumers(ProcessId(space.0)));
        // Each task asks those that wait for it whether they pass a deadline on.
        2 * processes.flat_map(queued).sum::<u64>() + self.live_tasks().count() as u64 * scenario.tasks().len() as u64 / 8
    }
}

impl Waiting {
    fn add(&mut self, trace: &Trace, op: OpId) {
        let stream = trace.op(op).stream;
        self.streams.insert(stream);
        self.ops.push(op);
        self.lines.extend(line(trace, op));
        if trace.layout().stream(stream).non_blocking {
            return;
        }
        let is_null = trace.layout().stream(stream).is_null;
        *(if is_null { &mut self.is_in_null } else { &mut self.is_beside_null }) = true;
    }

    /// Whether one of them is before this one in its stream or connection, or bars it by N1 or N2.
    fn holds_up(&self, trace: &Trace, op: OpId) -> bool {
        let stream = trace.op(op).stream;
        let has_barrier = !trace.layout().stream(stream).non_blocking && !trace.variants().has(Variant::NoNullBarrier);
        let is_barred = if trace.layout().stream(stream).is_null { self.is_beside_null } else { self.is_in_null };
        let is_ordered = self.streams.contains(&stream) || has_barrier && is_barred;
        is_ordered
            || trace.waits_of(op).iter().any(|captured| self.ops.binary_search(captured).is_ok())
            || line(trace, op).is_some_and(|line| self.lines.contains(&line))
    }
}
