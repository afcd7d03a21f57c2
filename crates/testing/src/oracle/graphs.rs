//! The oracle's graphs (docs/semantics.md, sections 2 and 3): which rows are nodes of which, in which queue each stands, and what it
//! waits for.

use blockstep_sim::scenario::{Draft, KernelDraft, TaskDraft};

use super::Run;
use super::host::stream_of;

/// The row that launches the graph of a row; of any other row itself.
pub(super) fn call_of<'d>(draft: &'d Draft, k: &'d KernelDraft) -> &'d KernelDraft {
    k.graph.as_ref().map_or(k, |graph| draft.kernels.iter().find(|launch| launch.name == *graph).unwrap())
}

/// The number of a node's queue: 0 is that of the stream itself.
fn queue(draft: &Draft, k: &KernelDraft) -> usize {
    // Of each queue: its last node so far.
    let mut last: Vec<&str> = vec![];
    for node in draft.kernels.iter().filter(|node| node.graph.is_some() && node.graph == k.graph) {
        let number = last.iter().position(|last| node.waits_for.iter().any(|name| name == last)).unwrap_or(last.len());
        if number == last.len() {
            last.push("");
        }
        last[number] = &node.name;
        if node.name == k.name {
            return number;
        }
    }
    0
}

/// The name of the queue in which the operations of a row stand, where they are launched into a stream of this name.
pub(super) fn queue_name(draft: &Draft, k: &KernelDraft, stream: &str) -> String {
    match queue(draft, k) {
        0 => stream.to_owned(),
        number => format!("{stream} branch {}", number + 1),
    }
}

/// The branches, by process, with the streams that they belong to, in the order of the nodes that use them first. Some come again.
pub(super) fn branches(draft: &Draft) -> Vec<(usize, String, String)> {
    let default_task = TaskDraft::named("T0");
    let of_node = |k: &KernelDraft| {
        let task = k.task.as_ref().map_or(draft.tasks.first(), |name| draft.tasks.iter().find(|t| t.name == *name));
        let task = task.unwrap_or(&default_task);
        let process = task.process.as_ref().map_or(0, |name| draft.processes.iter().position(|p| p.name == *name).unwrap());
        let stream = stream_of(draft, task, process, call_of(draft, k));
        let branch = queue_name(draft, k, &stream);
        (branch != stream).then_some((process, stream, branch))
    };
    draft.kernels.iter().filter_map(of_node).collect()
}

impl Run<'_> {
    /// The launch of which an operation is a part: the row, and the job.
    fn launch(&self, op: usize) -> Option<(&str, usize)> {
        let row = &self.m.rows[self.ops[op].row];
        Some((row.draft.graph.as_deref()?, self.ops[op].job))
    }

    /// W2: whether a graph makes an operation wait for this earlier one, which was launched into the same stream.
    pub(super) fn is_behind_by_graph(&self, op: usize, earlier: usize) -> bool {
        let row = |op: usize| &self.m.rows[self.ops[op].row].draft;
        match (self.launch(op), self.launch(earlier)) {
            (None, None) => false,
            (mine, other) if mine == other => row(op).waits_for.contains(&row(earlier).name),
            _ => true,
        }
    }

    /// Whether a row is the last of its call: that of a node, if no more nodes follow.
    pub(super) fn ends_call(&self, row: usize) -> bool {
        let graph = &self.m.rows[row].draft.graph;
        graph.is_none() || self.m.rows.get(row + 1).is_none_or(|next| next.draft.graph != *graph)
    }

    /// The row whose call issues a row.
    pub(super) fn call_row(&self, row: usize) -> usize {
        let graph = self.m.rows[row].draft.graph.as_ref();
        graph.map_or(row, |graph| self.m.rows.iter().position(|launch| launch.draft.name == *graph).unwrap())
    }

    /// The nodes that a row launches.
    pub(super) fn nodes(&self, row: usize) -> Vec<usize> {
        let name = Some(&self.m.rows[row].draft.name);
        (0..self.m.rows.len()).filter(|&node| self.m.rows[node].draft.graph.as_ref() == name).collect()
    }
}
