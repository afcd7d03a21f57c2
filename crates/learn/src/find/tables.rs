//! Small random tables with round numbers, of the kind in which an effect may show.
//!
//! Depends on `scenario` and `dice`. Invariants: a table is valid and follows from effect,
//! seed and number; of one address space times are tenths of seconds, of several whole milliseconds.

use super::Effect;
use blockstep_sim::dice::Dice;
use blockstep_sim::scenario::{
    BlockTimes, Draft, KernelDraft, NULL_STREAM, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, StreamDraft, StreamPriority,
    TaskDraft,
};

/// 0.1 s in ns.
const TENTH: u64 = 100_000_000;
/// 1 ms in ns.
const MS: u64 = 1_000_000;
/// What the TX2's copy engine moves in 0.2 s.
const PIECE: u64 = 256 << 20;

/// Table number `attempt` of a seed.
#[must_use]
pub fn table(effect: Effect, seed: u64, attempt: u32) -> Draft {
    let mut dice = Dice::new(seed, &[u64::from(attempt) << 8 | effect as u64]);
    match effect {
        Effect::Neighbour => processes(&mut dice, PolicyKind::Runlist, Preemption::Thread),
        Effect::RunlistMiss => with_deadlines(&mut dice, PolicyKind::Runlist, Preemption::Thread),
        Effect::NoPreemptionMiss => with_deadlines(&mut dice, PolicyKind::Edf, Preemption::None),
        Effect::DrainMiss => with_deadlines(&mut dice, PolicyKind::Edf, Preemption::Block),
        Effect::Starvation => with_a_stream_of_work(&mut dice),
        _ => one_space(&mut dice, effect),
    }
}

/// One of a few; the first if there are none.
fn any<T: Copy>(dice: &mut Dice, of: &[T]) -> T {
    of[dice.below(of.len() as u64) as usize]
}

/// Kernels of one address space.
fn one_space(dice: &mut Dice, effect: Effect) -> Draft {
    let has_priorities = matches!(effect, Effect::Inversion | Effect::Reserved | Effect::FifoEarlier);
    let has_null = matches!(effect, Effect::NullStall | Effect::NullChain);
    let has_copies = effect == Effect::Copies || effect == Effect::LaunchOrder && dice.below(2) == 0;
    // More SMs do harm where two streams, filled from the start, overtake each other.
    let is_full = effect == Effect::MoreSms;
    let streams = if is_full { 2 } else { 2 + dice.below(3) };
    let rows = if is_full { 4 + dice.below(3) } else { 2 + dice.below(5) };
    let mut draft = Draft::default();
    for i in 0..rows {
        let mut row = kernel(dice, i);
        row.stream = format!("S{}", 1 + dice.below(streams));
        if has_null && dice.below(3) == 0 {
            row.stream = NULL_STREAM.to_owned();
        }
        row.start_ns = if is_full { 0 } else { any(dice, &[0, 0, 0, 1, 2, 5, 10]) * TENTH };
        if has_copies {
            row.copy_in_bytes = any(dice, &[0, 1, 1, 5]) * PIECE;
            row.copy_out_bytes = any(dice, &[0, 0, 1, 5]) * PIECE;
        }
        draft.kernels.push(row);
    }
    if has_priorities {
        for i in 1..=streams {
            let stream = format!("S{i}");
            if dice.below(2) == 0 && draft.kernels.iter().any(|k| k.stream == stream) {
                draft.streams.push(StreamDraft { process: None, name: stream, priority: StreamPriority::High, non_blocking: false });
            }
        }
    }
    draft
}

/// A kernel of one address space.
fn kernel(dice: &mut Dice, number: u64) -> KernelDraft {
    let blocks = any(dice, &[1, 2, 3, 4, 6, 8]);
    let threads = any(dice, &[256, 512, 1024]);
    KernelDraft::named(format!("K{}", number + 1), blocks, threads, any(dice, &[2, 5, 10, 10, 15, 20, 30]) * TENTH)
}

/// A task that always has work on a high-priority stream, and others.
fn with_a_stream_of_work(dice: &mut Dice) -> Draft {
    let mut draft = Draft { horizon_ns: Some(any(dice, &[50, 80, 100]) * TENTH), ..Draft::default() };
    draft.streams.push(StreamDraft { process: None, name: "S1".to_owned(), priority: StreamPriority::High, non_blocking: false });
    draft.tasks.push(TaskDraft { release: Release::Continuous, ..TaskDraft::named("T0") });
    draft.tasks.push(TaskDraft::named("T1"));
    for i in 0..2 + dice.below(4) {
        let is_steady = i == 0 || i > 1 && dice.below(2) == 0;
        let mut row = kernel(dice, i);
        row.task = Some(if is_steady { "T0" } else { "T1" }.to_owned());
        row.stream = if is_steady { "S1".to_owned() } else { format!("S{}", 2 + dice.below(2)) };
        row.start_ns = if is_steady { 0 } else { any(dice, &[0, 1, 2, 5]) * TENTH };
        draft.kernels.push(row);
    }
    draft
}

/// Processes with a task each.
fn processes(dice: &mut Dice, kind: PolicyKind, preemption: Preemption) -> Draft {
    // Without servers: whose turn it is follows from the deadlines alone.
    let policy = PolicyDraft { kind, preemption, cbs: kind != PolicyKind::Edf, ..PolicyDraft::default() };
    let mut draft = Draft { policy, ..Draft::default() };
    let mut rows = 0;
    for i in 0..2 + dice.below(2) {
        let process = format!("P{i}");
        let task = TaskDraft { process: Some(process.clone()), ..TaskDraft::named(format!("T{i}")) };
        draft.processes.push(ProcessDraft::named(process));
        for _ in 0..1 + dice.below(2) {
            let blocks = any(dice, &[1, 2, 4, 8]);
            let threads = any(dice, &[256, 512, 1024]);
            let mut row = KernelDraft::named(format!("K{}", rows + 1), blocks, threads, any(dice, &[1, 2, 3, 4, 5, 6, 8, 10]) * MS);
            (row.task, row.stream) = (Some(task.name.clone()), format!("S{}", i + 1));
            draft.kernels.push(row);
            rows += 1;
        }
        draft.tasks.push(task);
    }
    draft
}

/// The same with deadlines.
fn with_deadlines(dice: &mut Dice, kind: PolicyKind, preemption: Preemption) -> Draft {
    let mut draft = processes(dice, kind, preemption);
    for task in &mut draft.tasks {
        let length = any(dice, &[4, 5, 6, 8, 10, 12, 15, 20, 30]) * MS;
        if dice.below(2) == 0 {
            (task.release, task.period_ns) = (Release::Periodic, Some(length));
        } else {
            task.deadline_ns = Some(length);
        }
        task.offset_ns = any(dice, &[0, 0, 1, 2, 3]) * MS;
    }
    // Periods that have a short common multiple.
    if let Some(first) = draft.tasks.iter().find_map(|t| t.period_ns) {
        for task in &mut draft.tasks {
            task.period_ns = task.period_ns.map(|_| first * any(dice, &[1, 1, 2]));
        }
    }
    draft
}

/// One time for all blocks.
pub(super) fn each(ns: u64) -> BlockTimes {
    BlockTimes::Each(ns)
}
