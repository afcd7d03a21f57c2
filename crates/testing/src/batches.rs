//! Random batches of commands.

use blockstep_sim::scenario::{BatchDraft, Call, Class, Draft, KernelDraft, NULL_STREAM, PolicyKind, TaskDraft};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::arbitrary::turns;

/// A batch before its names are known: its task, and its first row and how many of these.
type AnyBatch = ((usize, usize, usize), BatchDraft);

fn batch() -> impl Strategy<Value = AnyBatch> {
    let times = (1..14_u64, 1..6_u64, proptest::option::weighted(0.4, 1..14_u64));
    ((0..5_usize, 0..8_usize, 1..4_usize), times).prop_map(|(place, (deadline_ns, budget, period_ns))| {
        (place, BatchDraft { deadline_ns, budget_ns: Some(budget), period_ns, ..BatchDraft::default() })
    })
}

/// Any valid scenario under `edf` whose tasks may have batches.
pub fn batched() -> impl Strategy<Value = Draft> {
    (turns(PolicyKind::Edf), vec(batch(), 1..4), any::<bool>()).prop_map(|(mut draft, batches, has_chains)| {
        if !has_chains {
            draft.tasks.iter_mut().for_each(|task| task.consumes.clear());
        }
        for (place, batch) in batches {
            add(&mut draft, place, batch);
        }
        draft
    })
}

fn add(draft: &mut Draft, (task, first, count): (usize, usize, usize), batch: BatchDraft) {
    let task = task % draft.tasks.len();
    let owner = draft.tasks[task].name.clone();
    let is_of_task = |k: &KernelDraft| k.task.as_deref().unwrap_or(&draft.tasks[0].name) == owner;
    let is_launch = |k: &KernelDraft| (k.call.has_operation() || k.call == Call::LaunchGraph) && k.graph.is_none();
    let rows: Vec<usize> = (0..draft.kernels.len()).filter(|&i| is_of_task(&draft.kernels[i]) && is_launch(&draft.kernels[i])).collect();
    let is_chained = draft.tasks.iter().any(|t| t.consumes.contains(&owner)) || !draft.tasks[task].consumes.is_empty();
    if rows.is_empty() || is_chained {
        return;
    }
    // What is synchronous goes to the NULL stream.
    let stream = |row: usize| {
        let k = &draft.kernels[row];
        if k.synchronous { NULL_STREAM.to_owned() } else { k.stream.clone() }
    };
    let first = rows[first % rows.len()];
    let same: Vec<usize> = rows.into_iter().filter(|&row| row >= first && stream(row) == stream(first)).collect();
    let name = format!("B{}", draft.batches.len());
    for row in same.into_iter().take(count).take_while(|&row| draft.kernels[row].batch.is_none()).collect::<Vec<_>>() {
        draft.kernels[row].batch = Some(name.clone());
    }
    let TaskDraft { class, deadline_ns, .. } = &mut draft.tasks[task];
    *class = Some(Class::RealTime);
    deadline_ns.get_or_insert(5);
    draft.batches.push(BatchDraft { name, task: (task > 0).then_some(owner), ..batch });
}
