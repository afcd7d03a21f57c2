//! Batches of commands: which rows of a task are one, with times of its own.
//!
//! Depends on the rest of `scenario`. Invariants: the rows of a batch are of one task and one stream, and no other row of these stands between
//! them, as between `cudaStreamDeadlineBegin` and `cudaStreamDeadlineEnd`. Where no deadlines rule, no batch is a claimant. Sources: [EDF]
//! sections IV-A and V; docs/semantics.md, section 7.

use std::collections::BTreeMap;

use super::validate::{At, FoundProblems};
use super::{Batch, Call, Choice, Claimant, Class, Draft, KernelRow, Task, Turns};
use crate::order::Names;
use crate::units::written::Measure;
use crate::units::{ClaimantId, Span, TaskId};

/// The claimants of a scenario: its tasks, and the batches of these. Rows and tasks get theirs.
pub(super) fn claimants(
    draft: &Draft,
    tasks: &mut [Task],
    task_ids: &Names<'_>,
    rows: &mut [KernelRow],
    found: &mut FoundProblems,
) -> Vec<Claimant> {
    found.table_size("batches", draft.batches.len());
    found.names("batches", draft.batches.iter().map(|batch| batch.name.as_str()));
    let has_deadlines = draft.policy.kind.turns() == Turns::Deadlines;
    let mut claimants = Claimant::of_tasks(tasks);
    let mut owners = Vec::with_capacity(draft.batches.len());
    for (i, b) in draft.batches.iter().enumerate() {
        let at = |field| At { table: "batches", row: i, field };
        let task = b.task.as_deref().map_or(Some(0), |name| found.resolve(&at("task"), "task", name, task_ids)).unwrap_or(0);
        for (field, value) in [("deadline_ns", Some(b.deadline_ns)), ("budget_ns", b.budget_ns), ("period_ns", b.period_ns)] {
            found.positive(&at(field), value.unwrap_or(1), Measure::Time);
        }
        if has_deadlines {
            judge(&tasks[task], b.budget_ns.is_none() && draft.policy.cbs, at, found);
            tasks[task].batches.push(ClaimantId::at(claimants.len()));
            claimants.push(Claimant {
                task: TaskId::at(task),
                batch: Some(Batch { name: b.name.clone(), budget: Span(b.budget_ns.unwrap_or(1)), rows: 0 }),
                deadline: Some(Span(b.deadline_ns)),
                period: Some(Span(b.period_ns.unwrap_or(b.deadline_ns))),
            });
        }
        owners.push(TaskId::at(task));
    }
    let of_rows = batches_of_rows(draft, &owners, rows, found);
    for (row, batch) in of_rows.into_iter().enumerate() {
        let place = tasks.len() + batch.unwrap_or(0);
        if let Some(Claimant { batch: Some(of), .. }) = claimants.get_mut(place).filter(|_| batch.is_some()) {
            of.rows += u32::from(rows[row].call.has_operation());
            rows[row].claimant = ClaimantId::at(place);
        }
    }
    claimants
}

/// Where deadlines rule: whether a task can have batches, and whether a budget is missing.
fn judge(task: &Task, is_without_budget: bool, at: impl Fn(&'static str) -> At, found: &mut FoundProblems) {
    if task.class != Class::RealTime {
        found.add(&at("task"), &format_args!("\"{}\" is a best-effort task; only real-time tasks have batches", task.name));
    }
    if !task.consumes.is_empty() || !task.consumers.is_empty() {
        found.add(&at("task"), &format_args!("\"{}\" consumes or is consumed; a task with batches does neither", task.name));
    }
    if is_without_budget {
        found.add_limited(&at("budget_ns"), 1, &"is missing; with servers every batch needs one of at least 1 ns");
    }
}

/// By row: the place of its batch, if it has one.
fn batches_of_rows(draft: &Draft, owners: &[TaskId], rows: &[KernelRow], found: &mut FoundProblems) -> Vec<Option<usize>> {
    let ids = Names::from_names(draft.batches.iter().map(|batch| batch.name.as_str()));
    let mut of_rows: Vec<Option<usize>> = Vec::with_capacity(rows.len());
    // By batch its last row; by task and stream the last row, whatever its batch.
    let mut last: Vec<Option<usize>> = vec![None; owners.len()];
    let mut last_in: BTreeMap<(TaskId, usize), usize> = BTreeMap::new();
    for (i, (k, row)) in draft.kernels.iter().zip(rows).enumerate() {
        if let Some(node) = &row.node {
            if k.batch.is_some() {
                found.add(&field(i), &"is of a node; the row that launches the graph names the batch");
            }
            of_rows.push(of_rows.get(node.graph.index()).copied().flatten());
            continue;
        }
        let is_launch = row.call.has_operation() || row.call == Call::LaunchGraph;
        let batch = k.batch.as_deref().and_then(|name| found.resolve(&field(i), "batch", name, &ids));
        if let (Some(batch), Some(name)) = (batch, &k.batch) {
            let before = last[batch].replace(i);
            let between = last_in.get(&(row.task, row.stream)).filter(|&&between| Some(between) != before);
            if !is_launch {
                let call = row.call.word();
                found.add(&field(i), &format_args!("\"{name}\" is of launches, copies and memsets; the row calls {call}"));
            } else if owners[batch] != row.task {
                found.add(&field(i), &format_args!("\"{name}\" belongs to another task; a row can only be in a batch of its own task"));
            } else if let Some(before) = before.map(|before| &rows[before]) {
                if before.stream != row.stream {
                    let message = format_args!("\"{name}\" has row \"{}\" in another stream; a batch is of one stream", before.name);
                    found.add(&field(i), &message);
                } else if let Some(&between) = between {
                    let (before, between) = (&before.name, &rows[between].name);
                    let message = format_args!("\"{name}\" has ended with row \"{before}\", as \"{between}\" of its stream comes between");
                    found.add(&field(i), &message);
                }
            }
        }
        if is_launch {
            last_in.insert((row.task, row.stream), i);
        }
        of_rows.push(batch);
    }
    of_rows
}

fn field(row: usize) -> At {
    At { table: "kernels", row, field: "batch" }
}
