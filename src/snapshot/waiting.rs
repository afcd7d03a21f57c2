//! Which operations wait for a producer where more than streams and the NULL stream puts them in order.
//!
//! Depends on the rest of `snapshot`. Invariant: it is found by a look at every operation of an address space, as it is asked only in
//! scenarios with events, hardware connections or non-blocking streams, and with consumers under `edf`. Source: docs/semantics.md, section 8.

use std::collections::BTreeSet;

use super::Snapshot;
use super::connections::line;
use crate::order;
use crate::trace::{Trace, Variant};
use crate::units::{ConnectionId, JobNo, OpId, SpaceId, StreamId, TaskId};

/// Operations that wait, of which an operation must be launched later than all.
#[derive(Default)]
struct Waiting {
    streams: BTreeSet<StreamId>,
    lines: BTreeSet<(ConnectionId, usize)>,
    ops: BTreeSet<OpId>,
    is_in_null: bool,
    is_beside_null: bool,
}

impl Snapshot {
    /// Whether a job has an operation that waits for no producer: itself, or behind others.
    pub(super) fn has_free_operation_in_order(&self, trace: &Trace, space: SpaceId, task: TaskId, job: JobNo) -> bool {
        let streams = &trace.layout().space(space).streams;
        let mut ops: Vec<OpId> = streams.iter().flat_map(|&stream| &self.stream(stream).queue).copied().collect();
        order::by_number(&mut ops, |op| op.0.into());
        let mut waiting = Waiting::default();
        ops.into_iter().any(|op| {
            let waits = self.missing_producer(trace, op).is_some() || waiting.holds_up(trace, op);
            if waits {
                waiting.add(trace, op);
            }
            !waits && trace.op(op).job == job && trace.row_of(op).task == task
        })
    }
}

impl Waiting {
    fn add(&mut self, trace: &Trace, op: OpId) {
        let stream = trace.op(op).stream;
        self.streams.insert(stream);
        self.ops.insert(op);
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
            || trace.waits_of(op).iter().any(|captured| self.ops.contains(captured))
            || line(trace, op).is_some_and(|line| self.lines.contains(&line))
    }
}
