//! How many steps a run is going to have, about.
//!
//! Depends on `scenario` and `trace`. Invariant: it is for making room at once and changes nothing of the run: a list that grows step by
//! step takes three times its room on the way, and copies itself again and again.

use crate::scenario::{Release, Scenario, Task, Turns};
use crate::trace::{OpKind, kinds_of};
use crate::units::Time;

/// No room for more is made before they are there: a run may be cut, or have less time than its jobs would take.
const MOST: u64 = 1 << 20;

/// Steps of a run in which every job that is foreseen completes.
pub(super) fn foreseen_steps(scenario: &Scenario) -> usize {
    let steps = scenario
        .tasks()
        .iter()
        .fold(0_u64, |steps, task| steps.saturating_add(foreseen_jobs(scenario, task).saturating_mul(steps_of_job(scenario, task))));
    steps.min(MOST) as usize
}

/// Jobs of a task that are known to be released.
fn foreseen_jobs(scenario: &Scenario, task: &Task) -> u64 {
    let until = scenario.horizon().unwrap_or(Time::MAX);
    let in_time = match (task.release, task.period) {
        (Release::Periodic, Some(period)) => until.since(task.offset).ns().checked_div(period.ns()),
        _ => Some(0),
    };
    // Without an end of the run or of the jobs that is as good as none.
    in_time.map_or(1, |periods| periods.saturating_add(1)).min(task.jobs.unwrap_or(u64::MAX))
}

/// Steps of a job: its release and its end, those of its operations, and its turn.
fn steps_of_job(scenario: &Scenario, task: &Task) -> u64 {
    let of_operation = |row: usize, kind: OpKind| match kind {
        // Issued, promoted, dequeued and completed; and each block begins and ends.
        OpKind::Kernel => scenario.row(task.rows[row]).blocks.saturating_mul(2).saturating_add(4),
        OpKind::CopyIn | OpKind::CopyOut => 5,
    };
    let operations = (0..task.rows.len()).flat_map(|row| kinds_of(scenario.row(task.rows[row])).map(move |kind| (row, kind)));
    let steps = operations.fold(2_u64, |steps, (row, kind)| steps.saturating_add(of_operation(row, kind)));
    match scenario.policy().kind.turns() {
        Turns::None => steps,
        // Chosen, entered, left; and a quarter more for those that are interrupted.
        Turns::Runlist | Turns::Deadlines | Turns::Text => steps.saturating_add(3).saturating_mul(5) / 4,
    }
}
