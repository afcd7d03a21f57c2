//! What operations wait for by events (W1) and by graphs (W2).
//!
//! Depends on the rest of `steps`. Invariant: it follows from what stood in the queues when something was issued. Source:
//! docs/semantics.md, section 3.

use super::Book;
use crate::trace::kinds_of;
use crate::units::{JobNo, OpId, RowId, StreamId};

impl Book<'_> {
    /// What a row waits for is captured with its first operation; its event is recorded behind the last one.
    pub(super) fn record(&mut self, op: OpId) {
        let (info, row) = (self.trace.op(op), self.trace.row_of(op));
        let launch = row.node.as_ref().map_or(row, |node| self.trace.scenario().row(node.graph));
        if kinds_of(row).next() == Some(info.kind) {
            let is_first = row.node.as_ref().is_none_or(|node| node.waits_for.is_empty());
            let captured = launch.waits_for.iter().filter(|_| is_first).flat_map(|event| &self.recorded[event.index()]);
            self.ops[op.index()].awaits = captured.copied().collect();
            self.ops[op.index()].after = match &row.node {
                Some(node) if !is_first => {
                    node.waits_for.iter().filter_map(|before| self.nodes.get(&(*before, info.job)).copied()).collect()
                }
                node => self.last_in_stream(op, |other| node.is_none() || self.graph_of(other) != self.graph_of(op)),
            };
        }
        if kinds_of(row).last() == Some(info.kind) {
            if row.node.is_some() {
                self.nodes.insert((info.row, info.job), op);
            }
            if let Some(event) = launch.records.filter(|_| row.node.as_ref().is_none_or(|node| node.is_last)) {
                let mut last = self.last_in_stream(op, |_| true);
                last.push(op);
                self.recorded[event.index()] = last;
            }
        }
    }

    /// The launch of the graph that an operation is a node of.
    fn graph_of(&self, op: OpId) -> Option<(RowId, JobNo)> {
        Some((self.trace.row_of(op).node.as_ref()?.graph, self.trace.op(op).job))
    }

    /// What is last, and incomplete, of such operations in the stream of one, and in the branches of that; but for itself.
    fn last_in_stream(&self, op: OpId, is_such: impl Fn(OpId) -> bool) -> Vec<OpId> {
        let layout = self.trace.layout();
        let stream = layout.launched_into(self.stream(op));
        if layout.stream(stream).branches.is_empty() {
            // Its queue is in order.
            return Vec::new();
        }
        let queues = [stream].into_iter().chain(layout.stream(stream).branches.iter().copied());
        let last = |queue: StreamId| self.streams[queue.index()].iter().rev().copied().find(|&other| other != op && is_such(other));
        queues.filter_map(last).collect()
    }

    /// What has to complete before an operation by a graph, and has not.
    pub(super) fn before_by_graph(&self, op: OpId) -> Option<OpId> {
        self.ops[op.index()].after.iter().copied().find(|before| !self.ops[before.index()].is_complete)
    }

    /// What a wait for an event has captured that is not complete.
    pub(super) fn awaited(&self, op: OpId) -> Option<OpId> {
        self.ops[op.index()].awaits.iter().copied().find(|captured| !self.ops[captured.index()].is_complete)
    }
}
