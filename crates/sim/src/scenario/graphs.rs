//! Graphs: which rows are nodes of which, what each of them waits for, and in which stream queue it stands.
//!
//! Depends on the rest of `scenario`. Invariants: the nodes of a graph are the rows directly below the one that launches it; a node
//! waits for nodes above it; of two nodes in one stream queue the lower one waits for the upper one, so that the queue adds no order.
//! Source: docs/semantics.md, sections 2 and 3.

use std::collections::BTreeMap;

use super::validate::{At, FoundProblems};
use super::{Call, Choice, Draft, KernelDraft, KernelRow, MAX_WAITS, NULL_STREAM, Node, Stream};
use crate::order::Names;
use crate::units::RowId;

/// Most nodes of a graph that may run at once: what comes behind the graph waits for the end of each branch.
pub const MAX_BRANCHES: usize = 64;

fn at(row: usize, field: &'static str) -> At {
    At { table: "kernels", row, field }
}

/// Looks up the graphs that rows name, and the nodes that they wait for.
pub(super) fn nodes(draft: &Draft, rows: &mut [KernelRow], row_ids: &Names<'_>, found: &mut FoundProblems) {
    for (i, k) in draft.kernels.iter().enumerate() {
        let Some(graph) = k.graph.as_deref().and_then(|name| launch(draft, i, name, row_ids, found)) else { continue };
        node_fields(k, i, found);
        if rows[i].task != rows[graph].task {
            let message = format_args!("is another one than that of its graph \"{}\"; one thread launches all nodes", rows[graph].name);
            found.add(&at(i, "task"), &message);
        }
        let waits_for = awaited(k, i, graph, row_ids, found);
        for before in &waits_for {
            if let Some(before) = &mut rows[before.index()].node {
                before.is_leaf = false;
            }
        }
        let is_last = draft.kernels.get(i + 1).is_none_or(|next| next.graph != k.graph);
        rows[graph].nodes += 1;
        rows[i].stream = rows[graph].stream;
        rows[i].node = Some(Node { graph: RowId::at(graph), waits_for, is_leaf: true, is_last });
    }
    for (i, row) in rows.iter().enumerate().filter(|(_, row)| row.call == Call::LaunchGraph && row.nodes == 0) {
        found.add(&at(i, "call"), &format_args!("is \"launch_graph\", but no row below names \"{}\" as its graph", row.name));
    }
}

/// The row that launches the graph of a row.
fn launch(draft: &Draft, row: usize, name: &str, row_ids: &Names<'_>, found: &mut FoundProblems) -> Option<usize> {
    let path = at(row, "graph");
    let graph = found.resolve(&path, "kernel row", name, row_ids)?;
    let above = row.checked_sub(1).map(|above| &draft.kernels[above]);
    let is_below = above.is_some_and(|above| above.name == name || above.graph.as_deref() == Some(name));
    if draft.kernels[graph].call != Call::LaunchGraph {
        let call = draft.kernels[graph].call.word();
        found.add(&path, &format_args!("\"{name}\" calls {call}; the graph of a row is a row that calls launch_graph"));
    } else if !is_below {
        found.add(&path, &format_args!("\"{name}\" is neither the row above nor its graph; nodes stand directly below their launch_graph"));
    } else {
        return Some(graph);
    }
    None
}

/// What a node cannot be or do.
fn node_fields(k: &KernelDraft, row: usize, found: &mut FoundProblems) {
    if !k.call.has_operation() {
        let call = k.call.word();
        found.add(&at(row, "call"), &format_args!("is \"{call}\"; a node of a graph is a kernel, a copy or a memset"));
    }
    if k.synchronous && k.call.is_copy() {
        found.add(&at(row, "synchronous"), &"is true; no thread waits for a node of a graph");
    }
    if k.after.is_some() {
        found.add(&at(row, "after"), &"is for calls of the thread; name the nodes before it in waits_for");
    }
    if k.records.is_some() {
        found.add(&at(row, "records"), &"is for rows outside of graphs; the row that launches the graph can record an event");
    }
}

/// The nodes that a node waits for.
fn awaited(k: &KernelDraft, row: usize, graph: usize, row_ids: &Names<'_>, found: &mut FoundProblems) -> Vec<RowId> {
    let mut awaited = Vec::new();
    for (j, name) in k.waits_for.iter().take(MAX_WAITS).enumerate() {
        let path = format_args!("kernels[{row}].waits_for[{j}]");
        match row_ids.get(0, name).filter(|before| (graph + 1..row).contains(before)).map(RowId::at) {
            None => found.add(&path, &format_args!("\"{name}\" is not a node above it in its graph")),
            Some(before) if awaited.contains(&before) => found.add(&path, &format_args!("\"{name}\" is named twice")),
            Some(before) => awaited.push(before),
        }
    }
    awaited
}

/// The stream queue for a node: the first one whose last node it waits for, else a further one. `last`: of each queue the last node.
fn stand<N>(last: &mut Vec<N>, node: N, waits_for: impl Fn(&N) -> bool) -> usize {
    let queue = last.iter().position(waits_for).unwrap_or(last.len());
    match last.get_mut(queue) {
        Some(last) => *last = node,
        None => last.push(node),
    }
    queue
}

/// How many stream queues a graph takes, of which each but the first is a branch. By node, from the first: the nodes that it waits for. More
/// than [`MAX_BRANCHES`] are refused, and in the NULL stream more than one.
#[must_use]
pub fn queues_of_graph(waits_for: &[Vec<usize>]) -> usize {
    let mut last: Vec<usize> = Vec::new();
    for (node, waits_for) in waits_for.iter().enumerate() {
        stand(&mut last, node, |before| waits_for.contains(before));
    }
    last.len()
}

/// Gives every node its stream queue: that of the stream, or that of a branch of it, which all graphs of the stream use by turns.
pub(super) fn branches(rows: &mut [KernelRow], streams: &mut Vec<Stream>, found: &mut FoundProblems) {
    let mut known = BTreeMap::new();
    // Of the graph that is looked at: the last node of each queue.
    let mut last: Vec<RowId> = Vec::new();
    for (i, row) in rows.iter_mut().enumerate() {
        let Some(node) = &row.node else { continue };
        if node.graph.index() + 1 == i {
            last.clear();
        }
        let queues = last.len();
        let queue = stand(&mut last, RowId::at(i), |before| node.waits_for.contains(before));
        let (graph, stream) = (node.graph.index(), row.stream);
        if queue == queues {
            if queue == MAX_BRANCHES {
                let message = format_args!("make it the first of more than {MAX_BRANCHES} nodes that may run at once, the limit");
                found.add(&at(i, "waits_for"), &message);
            }
            if queue == 1 && streams[stream].is_null() {
                let message =
                    format_args!("is \"{NULL_STREAM}\"; a graph whose nodes may run at once has to be launched into another stream");
                found.add(&at(graph, "stream"), &message);
            }
        }
        if queue > 0 && queue < MAX_BRANCHES {
            let place = *known.entry((stream, queue)).or_insert(streams.len());
            if place == streams.len() {
                let name = format!("{} branch {}", streams[stream].name, queue + 1);
                streams.push(Stream { name, branch_of: Some(stream), ..streams[stream].clone() });
            }
            row.stream = place;
        }
    }
}
