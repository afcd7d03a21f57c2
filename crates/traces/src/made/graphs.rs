//! Launches of graphs among the rows of a scenario to be made.
//!
//! Invariants: the nodes of a launch are rows one after another; a node waits for nodes above it; what the engine would refuse stays as it
//! was, each node a launch of its own. Edges are those of the file; a node that has none there comes after the nodes that its wait was
//! explained by, and after the one before it in its stream.

use std::ops::Range;

use super::{OperationRow, RowNames};
use crate::causes::{Analysis, Cause};
use crate::{Recording, StreamKind};
use blockstep_sim::scenario::{Call, KernelDraft, MAX_BRANCHES, MAX_WAITS, queues_of_graph};

/// A graph that is launched.
pub(super) struct GraphLaunch {
    /// Its nodes, places of rows.
    pub(super) nodes: Range<usize>,
    /// By node: those that it waits for, counted from the graph's first.
    pub(super) waits_for: Vec<Vec<usize>>,
    /// Of how many nodes the edges are not in the file.
    pub(super) inferred: usize,
    /// The row that launches it.
    pub(super) launch: KernelDraft,
}

/// The launches of graphs among rows in the order of their calls, and how many nodes are in none of them.
pub(super) fn launches(
    recording: &Recording,
    analysis: &Analysis,
    rows: &[OperationRow<'_>],
    kernels: &[KernelDraft],
    names: &mut RowNames,
) -> (Vec<GraphLaunch>, usize) {
    let (mut launches, mut alone) = (Vec::new(), 0);
    let mut from = 0;
    for of_call in
        rows.chunk_by(|row, next| row.operation.call.is_some() && row.operation.call == next.operation.call && row.space == next.space)
    {
        let nodes = from..from + of_call.len();
        from = nodes.end;
        if !recording.is_node(of_call[0].operation) {
            continue;
        }
        match launch(recording, analysis, of_call, &kernels[nodes.start]) {
            Some((waits_for, inferred, launch)) => launches.push(GraphLaunch { nodes, waits_for, inferred, launch }),
            None => alone += of_call.len(),
        }
    }
    let is_alone = launches.len() == 1;
    for (i, graph) in launches.iter_mut().enumerate() {
        graph.launch.name = names.take(if is_alone { "Graph".to_owned() } else { format!("Graph {}", i + 1) });
    }
    (launches, alone)
}

/// What the nodes of one launch wait for, how many have edges that are inferred, and the row that launches them; `None` if it would be
/// refused.
fn launch(
    recording: &Recording,
    analysis: &Analysis,
    nodes: &[OperationRow<'_>],
    first: &KernelDraft,
) -> Option<(Vec<Vec<usize>>, usize, KernelDraft)> {
    let mut inferred = 0;
    let waits_for: Vec<Vec<usize>> = (0..nodes.len())
        .map(|node| {
            let place_of = |before: u32| nodes[..node].iter().position(|row| row.place == before);
            let edges: Vec<usize> = recording.edges_of(nodes[node].place).filter_map(place_of).collect();
            if !edges.is_empty() {
                return edges;
            }
            inferred += 1;
            seem_before(analysis, nodes, node)
        })
        .collect();
    let queues = queues_of_graph(&waits_for);
    let is_null = recording.stream(nodes[0].operation).kind == StreamKind::Null;
    let is_allowed = queues <= if is_null { 1 } else { MAX_BRANCHES } && waits_for.iter().all(|before| before.len() <= MAX_WAITS);
    let launch = || KernelDraft {
        task: first.task.clone(),
        stream: first.stream.clone(),
        start_ns: first.start_ns,
        ..KernelDraft::calling("", Call::LaunchGraph, 0)
    };
    is_allowed.then(|| (waits_for, inferred, launch()))
}

/// The nodes that a node seems to wait for: those that its wait was explained by, and the one before it in its stream. One that still ran
/// beside it is none of them.
fn seem_before(analysis: &Analysis, nodes: &[OperationRow<'_>], node: usize) -> Vec<usize> {
    let parts = analysis.parts(nodes[node].place);
    let ran_beside = |before: u32| parts.iter().any(|part| part.cause == Cause::Overlap && part.by == Some(before));
    let told = parts.iter().filter(|part| part.cause == Cause::GraphOrder).filter_map(|part| part.by);
    let stream = nodes[node].operation.stream;
    let in_stream = nodes[..node].iter().rev().find(|row| row.operation.stream == stream).map(|row| row.place);
    let mut before: Vec<usize> = told
        .chain(in_stream)
        .filter(|&before| !ran_beside(before))
        .filter_map(|before| nodes[..node].iter().position(|row| row.place == before))
        .collect();
    before.sort_unstable();
    before.dedup();
    before
}
