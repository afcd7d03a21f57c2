//! Which operations wait for a producer, by themselves or behind others, kept while the state changes under `edf`.
//!
//! Depends on the rest of `snapshot`. Invariants: what waits for none never waits again; an operation that waits knows those launched
//! after it that it holds up directly (in its stream or connection, by the NULL stream or an event), and through these it holds up all
//! others. So each of these links is made and undone once in a run, however much waits. Source: docs/semantics.md, sections 3, 7 and 8.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use super::Snapshot;
use super::connections::line;
use crate::trace::{Trace, Variant};
use crate::units::{ClaimantId, JobNo, OpId, TaskId};

/// What waits in an address space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    ops: BTreeMap<OpId, Hold>,
    /// Operations of the jobs whose own producers are not done.
    unsupplied: BTreeMap<(TaskId, JobNo), Vec<OpId>>,
    /// Those of all that wait which the NULL stream bars, or which bar it.
    beside_null: BTreeSet<OpId>,
}

/// An operation that waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Hold {
    /// How many things hold it up directly: the producers of its job, which count as one, and operations.
    by: u32,
    /// What it holds up directly itself.
    holds: Vec<OpId>,
}

impl Held {
    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        // Who holds up whom is listed once for each, and so is who waits for its own producers.
        let links = self.ops.values().map(|hold| hold.by as usize).sum::<usize>();
        let lists = self.ops.len() * size_of::<(OpId, Hold)>() + self.unsupplied.len() * size_of::<((TaskId, JobNo), Vec<OpId>)>();
        2 * (lists + (links + self.beside_null.len()) * size_of::<OpId>())
    }
}

impl Snapshot {
    /// An operation has been issued in a process with consumers.
    pub(super) fn hold_issued(&mut self, trace: &Trace, op: OpId) {
        let (info, row) = (trace.op(op), trace.row_of(op));
        let task = row.task;
        let stream = trace.layout().stream(info.stream);
        let is_unsupplied = self.missing_producer(trace, op).is_some();
        let before = self.held_before(trace, op);
        self.work.add(1 + (before.len() + trace.waits_of(op).len()) as u64);
        if !is_unsupplied && before.is_empty() {
            self.count_free(row.claimant, info.job);
            return;
        }
        let held = &mut self.spaces[stream.space.index()].held;
        for before in &before {
            held.ops.entry(*before).or_default().holds.push(op);
        }
        held.ops.insert(op, Hold { by: before.len() as u32 + u32::from(is_unsupplied), holds: Vec::new() });
        if is_unsupplied {
            held.unsupplied.entry((task, info.job)).or_default().push(op);
        }
        if !stream.is_null && !stream.non_blocking {
            held.beside_null.insert(op);
        }
    }

    /// The operations that wait and that hold up one that has just been issued directly.
    fn held_before(&self, trace: &Trace, op: OpId) -> Vec<OpId> {
        let (layout, id) = (trace.layout(), trace.op(op).stream);
        let (stream, held) = (layout.stream(id), &self.space(layout.stream(id).space).held);
        let is_held = |op: &OpId| held.ops.contains_key(op);
        // What waits has neither left its stream queue nor its connection.
        let in_stream = self.stream(id).queue.iter().rev().nth(1).copied().filter(is_held);
        let in_connection = line(trace, op).and_then(|(connection, line)| self.connections[connection.index()][line].iter().rev().nth(1));
        let mut before: Vec<OpId> = in_stream.into_iter().chain(in_connection.copied().filter(is_held)).collect();
        before.extend(trace.waits_of(op).iter().copied().filter(is_held));
        let null = layout.space(stream.space).null.filter(|_| !stream.non_blocking && !trace.variants().has(Variant::NoNullBarrier));
        match null {
            // What waits longer than the NULL stream's last holds that up.
            Some(null) if null == id => {
                before.extend(held.beside_null.range((in_stream.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded)));
            }
            Some(null) => before.extend(self.stream(null).queue.back().copied().filter(is_held)),
            None => {}
        }
        before
    }

    /// The producers of a job may be done; if they are, the claimants of what waits no longer are added to `freed`.
    pub(super) fn free_supplied(&mut self, trace: &Trace, task: TaskId, job: JobNo, freed: &mut Vec<ClaimantId>) {
        let space = trace.scenario().task(task).process.index();
        if self.unfinished_producer(trace, task, job).is_some() {
            return;
        }
        let mut released = self.spaces[space].held.unsupplied.remove(&(task, job)).unwrap_or_default();
        while let Some(op) = released.pop() {
            self.work.add(1);
            let held = &mut self.spaces[space].held;
            let Some(hold) = held.ops.get_mut(&op) else { continue };
            hold.by -= 1;
            if hold.by > 0 {
                continue;
            }
            released.append(&mut hold.holds);
            held.ops.remove(&op);
            held.beside_null.remove(&op);
            let claimant = trace.row_of(op).claimant;
            self.count_free(claimant, trace.op(op).job);
            freed.push(claimant);
        }
    }
}
