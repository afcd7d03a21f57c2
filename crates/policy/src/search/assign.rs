//! Who is real time, and how urgent: all assignments that a policy can tell apart.
//!
//! Depends on `program`.

use crate::program::Program;

/// The rank of each task: 0 is best effort, and of real-time tasks a higher one is more urgent. Ranks are dense.
///
/// Tasks are renamed so that the most urgent come first; where the policy can tell tasks by their numbers, all orders are there.
/// A policy that reads deadlines alone knows only the two classes: its jobs get their order when they begin.
pub(super) fn assignments(tasks: usize, program: &Program) -> Vec<Vec<u8>> {
    let reads = program.reads();
    let most = if by_deadline(program) { 1 } else { tasks };
    // Two orders of tasks meet in a choice by deadline that priorities are also looked at for.
    let is_sorted = !reads.order && (!reads.deadline || by_deadline(program));
    let mut found = Vec::new();
    let mut ranks = vec![0_u8; tasks];
    loop {
        let highest = ranks.iter().copied().max().unwrap_or(0);
        let is_dense = (1..=highest).all(|rank| ranks.contains(&rank));
        if is_dense && (!is_sorted || ranks.is_sorted_by(|a, b| a >= b)) {
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
