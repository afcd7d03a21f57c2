//! Who is real time, and how urgent: all assignments that a policy can tell apart.
//!
//! Depends on `program`.

use blockstep_policy::Program;

/// The rank of each task: 0 is best effort, and of real-time tasks a higher one is more urgent. Ranks are dense.
///
/// Tasks are renamed so that the most urgent come first; where the policy can tell tasks by their numbers, all orders are there.
/// A policy that reads deadlines alone knows only the two classes: its jobs get their order when they begin.
pub(super) fn assignments(tasks: usize, program: &Program) -> Vec<Vec<u8>> {
    let reads = program.reads();
    let most = if by_deadline(program) { 1 } else { tasks };
    // Two orders of tasks meet in a choice by deadline that priorities are also looked at for.
    let is_sorted = !reads.order && (!reads.deadline || by_deadline(program));
    if is_sorted { sorted(tasks, most) } else { all(tasks, most) }
}

/// The most urgent first. Between two real-time tasks the rank falls or not.
fn sorted(tasks: usize, most: usize) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for realtime in 0..=tasks {
        let gaps = if most > 1 { realtime.saturating_sub(1) } else { 0 };
        for falls in 0..1_u32 << gaps {
            let rank = |task: usize| if task < realtime { 1 + (falls >> task.min(gaps)).count_ones() as u8 } else { 0 };
            found.push((0..tasks).map(rank).collect());
        }
    }
    found.sort_unstable();
    found
}

fn all(tasks: usize, most: usize) -> Vec<Vec<u8>> {
    let (mut found, mut ranks) = (Vec::new(), vec![0_u8; tasks]);
    loop {
        let highest = ranks.iter().copied().max().unwrap_or(0);
        if (1..=highest).all(|rank| ranks.contains(&rank)) {
            found.push(ranks.clone());
        }
        // The next number in base `most + 1`, its last digit first.
        let Some(digit) = ranks.iter().rposition(|rank| usize::from(*rank) < most) else { return found };
        ranks[digit] += 1;
        ranks[digit + 1..].fill(0);
    }
}

/// Whether jobs are as urgent as their deadlines say.
pub(super) fn by_deadline(program: &Program) -> bool {
    let reads = program.reads();
    reads.deadline && !reads.priority && !reads.period
}
