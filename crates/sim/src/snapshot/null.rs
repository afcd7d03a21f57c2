//! What stands beside the NULL stream of an address space: who bars it (N1), and whom it bars (N2). Non-blocking streams do not. It is
//! kept where the NULL stream is, for all channels of the address space.
//!
//! Depends on the rest of `snapshot`. Invariants: operations are kept in issue order, and the first
//! one kept is incomplete; those that complete out of order are forgotten when they are half of all.
//! So whatever happens to an operation costs the same however many streams there are.

use std::collections::VecDeque;

use super::{Snapshot, StreamState};
use crate::scenario::StreamQueue;
use crate::trace::Trace;
use crate::units::{OpId, StreamId};

/// Few enough that complete ones among them need not be counted.
const FEW: usize = 32;

/// Operations of the streams beside a NULL stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Beside {
    /// Issued ones, in issue order, from the earliest incomplete one on.
    issued: VecDeque<OpId>,
    /// How many of them are incomplete.
    incomplete: u32,
}

impl Beside {
    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        self.issued.len() * size_of::<OpId>()
    }
}

impl Snapshot {
    /// An operation has been issued.
    pub(super) fn note_beside_null(&mut self, trace: &Trace, op: OpId) {
        let stream = trace.layout().stream(trace.op(op).stream);
        let Some(null) = barring(trace, stream) else { return };
        let home = trace.layout().stream(null).space;
        let beside = &mut self.spaces[home.index()].beside;
        beside.issued.push_back(op);
        beside.incomplete += 1;
    }

    /// An operation has completed and left its stream queue.
    pub(super) fn forget_beside_null(&mut self, trace: &Trace, op: OpId) {
        let stream = trace.layout().stream(trace.op(op).stream);
        let Some(null) = barring(trace, stream) else { return };
        let streams = &self.streams;
        let home = trace.layout().stream(null).space;
        let beside = &mut self.spaces[home.index()].beside;
        beside.incomplete -= 1;
        while beside.issued.front().is_some_and(|&op| is_complete(streams, trace, op)) {
            beside.issued.pop_front();
        }
        if beside.issued.len() > FEW + 2 * beside.incomplete as usize {
            self.work.add(beside.issued.len() as u64);
            beside.issued.retain(|&op| !is_complete(streams, trace, op));
        }
    }

    /// The operation that keeps the head of `stream` from moving on by N1 or N2: the earliest one.
    #[must_use]
    pub fn null_barrier(&self, trace: &Trace, stream: StreamId) -> Option<OpId> {
        let layout = trace.layout();
        let id = layout.stream(stream).space;
        let null = layout.space(id).null.filter(|_| !layout.stream(stream).non_blocking)?;
        let head = self.head(stream)?;
        // The earliest operation of all other blocking streams is the head of one.
        let earliest = if null == stream { self.space(id).beside.issued.front().copied() } else { self.head(null) };
        earliest.filter(|&earliest| earliest < head)
    }

    /// What has to be complete before an operation moves on by N1 or N2, be it at the head of its stream or not, apart from what stands
    /// directly before it there; the earliest last.
    pub(super) fn null_barriers(&self, trace: &Trace, op: OpId) -> Vec<OpId> {
        let (layout, stream) = (trace.layout(), trace.op(op).stream);
        let id = layout.stream(stream).space;
        let Some(null) = layout.space(id).null.filter(|_| !layout.stream(stream).non_blocking) else { return Vec::new() };
        let queue = &self.stream(null).queue;
        let before = queue.partition_point(|&other| other < op).checked_sub(1).map(|place| queue[place]);
        if null != stream {
            return before.into_iter().collect();
        }
        // What was launched before the one before it in the NULL stream, that one waits for.
        let beside = self.space(id).beside.issued.iter().rev().copied();
        let since = beside.skip_while(|&other| other >= op).take_while(|&other| before.is_none_or(|before| other > before));
        since.filter(|&other| !is_complete(&self.streams, trace, other)).collect()
    }

    /// The first incomplete operation that an event captured for which the row of `op` waits (W1).
    #[must_use]
    pub fn event_barrier(&self, trace: &Trace, op: OpId) -> Option<OpId> {
        self.awaited(trace, op).find(|&captured| !trace.is_by_graph(op, captured))
    }

    /// The first incomplete operation that keeps `op` by a graph (W2).
    #[must_use]
    pub fn graph_barrier(&self, trace: &Trace, op: OpId) -> Option<OpId> {
        self.awaited(trace, op).find(|&captured| trace.is_by_graph(op, captured))
    }

    /// What keeps an operation by a graph or by an event, in issue order.
    pub(super) fn awaited<'a>(&'a self, trace: &'a Trace, op: OpId) -> impl Iterator<Item = OpId> + 'a {
        trace.waits_of(op).iter().copied().filter(|&captured| !is_complete(&self.streams, trace, captured))
    }

    /// After the head of a NULL stream has completed: the heads of other streams for which N2 may no
    /// longer hold, in issue order. Of each operation that is asked once in a run.
    pub fn no_longer_barred<'a>(&'a self, trace: &'a Trace, null: StreamId) -> impl Iterator<Item = StreamId> + 'a {
        let next = self.head(null);
        let beside = &self.space(trace.layout().stream(null).space).beside;
        let before = beside.issued.iter().copied().take_while(move |&op| next.is_none_or(|next| op < next));
        before.map(|op| (op, trace.op(op).stream)).filter(|&(op, stream)| self.head(stream) == Some(op)).map(|(_, stream)| stream)
    }
}

/// The NULL stream that bars a stream and is barred by it, if any does. Where its process has several channels, it may be of another one.
fn barring(trace: &Trace, stream: &StreamQueue) -> Option<StreamId> {
    trace.layout().space(stream.space).null.filter(|_| !stream.is_null && !stream.non_blocking)
}

/// Stream queues are in issue order.
pub(super) fn is_complete(streams: &[StreamState], trace: &Trace, op: OpId) -> bool {
    streams[trace.op(op).stream.index()].queue.front().is_none_or(|&head| head > op)
}
