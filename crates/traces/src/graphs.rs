//! Waits of the nodes of a graph, which share one launch.
//!
//! Invariants: the order of nodes is certain where the file has an edge; else it is inferred from their times, and never certain; a node
//! waits for nodes of its own launch alone. Source: CUDA Programming Guide, CUDA Graphs.

use std::collections::BTreeMap;

use super::causes::{Cause, Certainty};
use super::index::Index;
use super::thresholds::MICROSECOND;
use super::told::Told;
use super::{CallKind, Recording};
use blockstep_sim::units::Time;

/// By the launch of a graph, an index of a call: its nodes by their ends.
pub(super) type Graphs = BTreeMap<u32, Vec<(Time, u32)>>;

/// The nodes of each launch of a graph.
pub(super) fn graphs(recording: &Recording) -> Graphs {
    let mut graphs = Graphs::new();
    for (place, operation) in recording.operations.iter().enumerate() {
        if let Some(call) = operation.call.filter(|&call| recording.calls[call as usize].kind == CallKind::Graph) {
            graphs.entry(call).or_default().push((operation.end, place as u32));
        }
    }
    for nodes in graphs.values_mut() {
        nodes.sort_unstable();
    }
    graphs
}

impl Index<'_> {
    /// Of the nodes that were launched with `node`, or of `node` alone if it is none, the one that ended last by `until`, and began
    /// before the operation `before`.
    pub(super) fn last_of_graph(&self, node: u32, before: u32, until: Time) -> Option<u32> {
        let nodes = self.operation(node).call.and_then(|call| self.graphs.get(&call))?;
        let end = nodes.partition_point(|&(end, _)| end <= until);
        nodes[..end].iter().rev().map(|&(_, place)| place).find(|&place| place < before)
    }

    /// Explains the wait of a node, from when its graph began, by the last node that it has an edge from, or the one that ended last before
    /// it.
    pub(super) fn graph_order(&self, place: u32, told: &mut Told<'_>) {
        let operation = self.operation(place);
        let slack = self.slack(self.recording.stream(operation).device, operation.start);
        let until = Time(operation.start.ns().saturating_add(slack.ns()));
        let ended = |&before: &u32| self.operation(before).end <= until;
        if let Some(by) = self.recording.edges_of(place).filter(ended).max_by_key(|&before| self.operation(before).end) {
            let end = self.operation(by).end;
            told.explain_until(end, Cause::GraphOrder, Certainty::Certain, Some(by));
            if operation.start.since(end) <= self.most_after(operation) {
                return;
            }
            // It waited for something else besides, of which the file has no edge.
        }
        // Of nodes that end about when it begins, one that ended before is more likely than one that still ran, as both times are of one
        // clock.
        let over = Time(operation.start.ns().saturating_add(MICROSECOND));
        let by = self.last_of_graph(place, place, over).or_else(|| self.last_of_graph(place, place, until));
        // One that still runs in its stream started it, as a programmatic dependent launch.
        let beside = self.before[place as usize].filter(|&before| self.operation(before).call == operation.call);
        let beside = beside.filter(|&before| self.operation(before).end > until);
        if let Some(by) = beside.or(by) {
            let to = if beside.is_some() { self.operation(by).start } else { self.operation(by).end };
            told.explain_until(to, Cause::GraphOrder, Certainty::Consistent, Some(by));
        }
        if beside.is_some() {
            told.explain_until(told.start, Cause::Overlap, Certainty::Consistent, beside);
        }
    }
}
