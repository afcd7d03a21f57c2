//! Tables without times, and with rows left out.
//!
//! Depends on the simulator's drafts. Invariant: what the program says of order stays: streams, events, calls, and what follows what.

use blockstep_sim::scenario::{BlockTimes, Call, Draft, KernelDraft, PolicyDraft, Release, Scenario, TaskDraft};

/// The same table without times: every task has one job at time 0, and blocks of a kernel differ in their times only where the table has
/// different ones.
pub(crate) fn without_times(draft: &Draft) -> Draft {
    let task = |task: &TaskDraft| TaskDraft {
        process: task.process.clone(),
        consumes: task.consumes.clone(),
        call_ns: task.call_ns.map(|_| 0),
        release: Release::Once,
        ..TaskDraft::named(&task.name)
    };
    let row = |row: &KernelDraft| KernelDraft {
        start_ns: 0,
        call_ns: row.call_ns.map(|_| 0),
        block_time_ns: ranks(&row.block_time_ns),
        block_time_max_ns: None,
        batch: None,
        ..row.clone()
    };
    Draft {
        policy: PolicyDraft { kind: draft.policy.kind, ..PolicyDraft::default() },
        horizon_ns: None,
        seed: 0,
        tasks: draft.tasks.iter().map(task).collect(),
        batches: Vec::new(),
        kernels: draft.kernels.iter().map(row).collect(),
        ..draft.clone()
    }
}

/// Times by their order alone.
fn ranks(times: &BlockTimes) -> BlockTimes {
    match times {
        BlockTimes::Each(_) => BlockTimes::Each(1),
        BlockTimes::List(list) => {
            let mut known: Vec<u64> = list.to_vec();
            known.sort_unstable();
            known.dedup();
            BlockTimes::List(list.iter().map(|time| known.partition_point(|other| other <= time) as u64).collect())
        }
    }
}

/// The table without a row, and without what names it.
pub(crate) fn without_row(draft: &Draft, place: usize) -> Draft {
    let mut draft = draft.clone();
    let gone = draft.kernels.remove(place).name;
    for row in &mut draft.kernels {
        row.after.take_if(|after| *after == gone);
        for names in [&mut row.until_begun, &mut row.until_all_begun, &mut row.until_completed] {
            names.retain(|name| *name != gone);
        }
        if row.graph.is_some() {
            row.waits_for.retain(|name| *name != gone);
        }
    }
    draft
}

/// Rows that may be there or not, and of which it matters: nothing in them spins or is spun for, and no other row needs them; but one that
/// may come before everything else, and end, is as good as left out in some order of the whole table.
pub(crate) fn others(draft: &Draft, scenario: &Scenario) -> Vec<usize> {
    let comes_first = |place: usize| {
        let row = &scenario.rows()[place];
        let task = scenario.task(row.task);
        let is_behind = scenario.rows().iter().enumerate().any(|(other, info)| other != place && info.stream == row.stream);
        row.call.has_operation()
            && row.after.is_none()
            && row.waits_for.is_empty()
            && !task.calls_in_turn
            && task.consumes.is_empty()
            && !is_behind
    };
    let is_needed = |name: &String| {
        let named = |row: &KernelDraft| {
            row.after.as_ref() == Some(name) || row.graph.as_ref() == Some(name) || row.flags().any(|(_, names)| names.contains(name))
        };
        draft.kernels.iter().any(named)
    };
    let is_other = |row: &KernelDraft| {
        let is_event = row.call == Call::SynchronizeEvent || row.records.is_some();
        !row.spins() && row.graph.is_none() && !is_event && !is_needed(&row.name)
    };
    (0..draft.kernels.len()).filter(|&place| is_other(&draft.kernels[place]) && !comes_first(place)).collect()
}

/// The table with another number of blocks in a row.
pub(crate) fn with_blocks(draft: &Draft, place: usize, blocks: u64) -> Draft {
    let mut draft = draft.clone();
    let row = &mut draft.kernels[place];
    row.blocks = blocks;
    if let BlockTimes::List(list) = &row.block_time_ns {
        row.block_time_ns = BlockTimes::List(list.iter().take(blocks as usize).copied().collect());
    }
    draft
}
