//! Events and graphs: what a wait for an event has captured, and what the order of a graph makes an operation wait for.
//!
//! Depends on the rest of `trace`. Invariants: it follows from the order in which operations are issued; what is waited for was
//! launched before. Source: docs/semantics.md, section 3.

use std::collections::BTreeMap;

use super::{Op, kinds_of};
use crate::scenario::{Call, KernelRow, Layout, Node, Scenario};
use crate::units::{JobNo, OpId, RowId, StreamId};

/// What events have captured so far, and what waits for that or by a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    /// By event: what was last in its stream when it was recorded last, in its branches, too.
    last: Vec<Vec<OpId>>,
    /// In issue order: an operation, and those that it waits for.
    waits: Vec<(OpId, Vec<OpId>)>,
    /// The same from the other side: what waits for an operation, in issue order.
    waiters: BTreeMap<OpId, Vec<OpId>>,
    /// What the calls of CPU threads that wait for events have captured.
    calls: BTreeMap<(RowId, JobNo), Vec<OpId>>,
    /// Where graphs are launched, by stream queue: what is last there.
    tails: Vec<Tail>,
    /// The graph whose nodes are issued, or were issued last.
    graph: Launched,
}

/// What is last in a stream.
#[derive(Clone, Debug, Default)]
struct Tail {
    /// In its own queue.
    own: Option<OpId>,
    /// In its branches, as far as nothing behind it waits for it yet.
    branches: Vec<OpId>,
}

/// A graph that is launched.
#[derive(Clone, Debug, Default)]
struct Launched {
    /// What its first nodes wait for: what was last in its stream before it, and what events had captured.
    before: Vec<OpId>,
    /// The last operations of its nodes so far.
    nodes: BTreeMap<RowId, OpId>,
    /// Those of nodes in branches for which no other node waits.
    leaves: Vec<OpId>,
}

impl Events {
    pub(super) fn new(scenario: &Scenario, layout: &Layout) -> Self {
        let tails = if scenario.has_graphs() { layout.streams().len() } else { 0 };
        Self { last: vec![Vec::new(); scenario.event_count()], tails: vec![Tail::default(); tails], ..Self::default() }
    }

    /// An operation is issued: its row waits before its first, and records behind its last one.
    pub(super) fn issue(&mut self, scenario: &Scenario, layout: &Layout, id: OpId, op: Op) {
        if self.last.is_empty() && self.tails.is_empty() {
            return;
        }
        let row = scenario.row(op.row);
        let stream = layout.launched_into(op.stream);
        let is_first = kinds_of(row).next() == Some(op.kind);
        let is_last = kinds_of(row).last() == Some(op.kind);
        if is_first {
            let mut awaited = match &row.node {
                Some(node) => self.before_node(scenario, stream, op.row, node),
                None => self.captured(row),
            };
            if row.node.is_none() {
                awaited.append(&mut self.tails.get_mut(stream.index()).map(|tail| std::mem::take(&mut tail.branches)).unwrap_or_default());
            }
            awaited.sort_unstable();
            awaited.dedup();
            awaited.iter().for_each(|awaited| self.waiters.entry(*awaited).or_default().push(id));
            if !awaited.is_empty() {
                self.waits.push((id, awaited));
            }
        }
        if let Some(tail) = self.tails.get_mut(op.stream.index()).filter(|_| op.stream == stream) {
            tail.own = Some(id);
        }
        match &row.node {
            Some(node) if is_last => self.after_node(scenario, stream, id, op, node),
            None if is_last => {
                if let Some(event) = row.records {
                    self.last[event.index()] = vec![id];
                }
            }
            _ => {}
        }
    }

    /// What a node waits for: nodes, or what was before its graph.
    fn before_node(&mut self, scenario: &Scenario, stream: StreamId, row: RowId, node: &Node) -> Vec<OpId> {
        if node.graph.index() + 1 == row.index() {
            let tail = &self.tails[stream.index()];
            let mut before = self.captured(scenario.row(node.graph));
            before.extend(tail.own.iter().chain(&tail.branches));
            self.graph = Launched { before, ..Launched::default() };
        }
        match node.waits_for.is_empty() {
            true => self.graph.before.clone(),
            false => node.waits_for.iter().filter_map(|before| self.graph.nodes.get(before).copied()).collect(),
        }
    }

    /// A node is issued; with the last one its graph is, behind which an event may be recorded.
    fn after_node(&mut self, scenario: &Scenario, stream: StreamId, id: OpId, op: Op, node: &Node) {
        self.graph.nodes.insert(op.row, id);
        if node.is_leaf && op.stream != stream {
            self.graph.leaves.push(id);
        }
        if node.is_last {
            let tail = &mut self.tails[stream.index()];
            tail.branches = std::mem::take(&mut self.graph.leaves);
            if let Some(event) = scenario.row(node.graph).records {
                self.last[event.index()] = tail.own.iter().chain(&tail.branches).copied().collect();
            }
        }
    }

    /// What the events that a row names have captured last.
    fn captured(&self, row: &KernelRow) -> Vec<OpId> {
        let mut captured: Vec<OpId> = row.waits_for.iter().flat_map(|event| &self.last[event.index()]).copied().collect();
        captured.sort_unstable();
        captured.dedup();
        captured
    }

    /// A call of a CPU thread is made that waits.
    pub(super) fn call(&mut self, scenario: &Scenario, id: RowId, job: JobNo) {
        let row = scenario.row(id);
        if row.call == Call::SynchronizeEvent {
            let captured = self.captured(row);
            self.calls.insert((id, job), captured);
        }
    }

    /// What it waits for.
    pub(super) fn of_call(&self, row: RowId, job: JobNo) -> &[OpId] {
        self.calls.get(&(row, job)).map_or(&[], Vec::as_slice)
    }

    /// What waits for an operation.
    pub(super) fn waiters(&self, captured: OpId) -> &[OpId] {
        self.waiters.get(&captured).map_or(&[], Vec::as_slice)
    }

    /// What an operation waits for, by an event or by a graph.
    pub(super) fn awaited_by(&self, op: OpId) -> &[OpId] {
        self.waits.binary_search_by_key(&op, |(op, _)| *op).map_or(&[], |place| &self.waits[place].1)
    }
}
