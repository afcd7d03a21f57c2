//! Which operations wait for no producer, neither by themselves nor behind others, kept while the state changes under `edf`.
//!
//! Depends on the rest of `snapshot`. Invariants: what is free stays so, so every operation is counted once in a run, and
//! beside that a change costs the same however many tasks and streams there are; in each stream queue the free ones stand in
//! front. Source: docs/semantics.md, sections 7 and 8.

use super::{Snapshot, StreamState};
use crate::trace::{Trace, Variant};
use crate::units::{OpId, SpaceId, StreamId, TaskId};

impl Snapshot {
    /// An operation has been issued in a process with consumers.
    pub(super) fn free_issued(&mut self, trace: &Trace, op: OpId) {
        let stream = trace.op(op).stream;
        let space = trace.layout().stream(stream).space;
        if barring(trace, space).is_some() && self.missing_producer(trace, op).is_some() {
            self.spaces[space.index()].beside.waiting.push_back(op);
        }
        // Of tasks that wait no longer there are none but its own.
        let freed = &mut Vec::new();
        self.pass_barrier(trace, space, freed);
        self.free_more(trace, stream, freed);
    }

    /// A job has completed, and these streams hold operations of a consumer of it; the tasks of what waits no longer are
    /// added to `freed`.
    pub(super) fn free_consumers(&mut self, trace: &Trace, streams: impl Iterator<Item = StreamId>, freed: &mut Vec<TaskId>) {
        let mut space = None;
        for stream in streams {
            space = Some(trace.layout().stream(stream).space);
            self.free_more(trace, stream, freed);
        }
        if let Some(space) = space {
            self.pass_barrier(trace, space, freed);
        }
    }

    /// Counts what waits for no producer any more at the front of a stream queue, up to what the NULL stream bars.
    fn free_more(&mut self, trace: &Trace, stream: StreamId, freed: &mut Vec<TaskId>) {
        while let Some(op) = self.stream(stream).at(self.stream(stream).clear)
            && self.missing_producer(trace, op).is_none()
        {
            self.streams[stream.index()].clear += 1;
        }
        let barrier = self.space(trace.layout().stream(stream).space).beside.barrier;
        while self.stream(stream).free < self.stream(stream).clear
            && let Some(op) = self.stream(stream).at(self.stream(stream).free)
            && barrier.is_none_or(|barrier| op < barrier)
        {
            self.streams[stream.index()].free += 1;
            let task = trace.row_of(op).task;
            self.count_free(task, trace.op(op).job);
            freed.push(task);
        }
    }

    /// Looks for the first operation of the NULL stream that waits, for its own producers or because something launched
    /// before it in any stream does, and counts what stood behind the one before it.
    fn pass_barrier(&mut self, trace: &Trace, id: SpaceId, freed: &mut Vec<TaskId>) {
        let Some(null) = barring(trace, id) else { return };
        while let Some(&op) = self.space(id).beside.waiting.front()
            && self.missing_producer(trace, op).is_none()
        {
            self.spaces[id.index()].beside.waiting.pop_front();
        }
        let queue = &self.stream(null).queue;
        let first = |waiting: OpId| queue.get(queue.partition_point(|&op| op < waiting)).copied();
        let barrier = self.space(id).beside.waiting.front().copied().and_then(first);
        let before = std::mem::replace(&mut self.spaces[id.index()].beside.barrier, barrier);
        // A new one has nothing behind it that was counted.
        let Some(before) = before.filter(|_| before != barrier) else { return };
        let issued = &self.space(id).beside.issued;
        let behind = issued.range(issued.partition_point(|&op| op < before)..);
        let behind = behind.take_while(|&&op| barrier.is_none_or(|barrier| op < barrier));
        let streams: Vec<StreamId> = behind.map(|&op| trace.op(op).stream).chain([null]).collect();
        self.work.add(streams.len() as u64);
        for stream in streams {
            self.free_more(trace, stream, freed);
        }
    }

    /// The first operation of a stream queue, which was free, has left it.
    pub(super) fn free_completed(&mut self, stream: StreamId) {
        let stream = &mut self.streams[stream.index()];
        stream.free = stream.free.saturating_sub(1);
        stream.clear = stream.clear.saturating_sub(1);
    }
}

/// The NULL stream of an address space, if it bars others.
fn barring(trace: &Trace, space: SpaceId) -> Option<StreamId> {
    trace.layout().space(space).null.filter(|_| !trace.variants().has(Variant::NoNullBarrier))
}

impl StreamState {
    fn at(&self, place: u32) -> Option<OpId> {
        self.queue.get(place as usize).copied()
    }
}
