//! Which tasks are next, and how late they are.
//!
//! Depends on `batch::task`. Source: [MT] sections 3, 4 and 6 name priority, slack and "shifted
//! accumulated slack time", but their formulas are in a paper of 2016 that we do not have ("Multitasking
//! Real-time Embedded GPU Computing Tasks"). **These are ours**, the natural ones:
//!
//! - A job is *due*: of a latency task, its deadline after its input arrived; of a throughput task,
//!   its separation time after its turn began. Turns follow each other at the separation time, or
//!   at the interval of its inputs if that is longer, from the first input on.
//! - *Slack* at an instant is the time until the job is due, negative afterwards. The job with the
//!   least slack has the highest priority; among equals that of the earlier task in the table.
//! - *Lateness* is how long after its due time an output is there, 0 if before.
//! - *Shifted lateness* is the slack that a job has used up: from its input, or the begin of its
//!   turn, to its output; 0 if the output is there before its turn. It is the negative slack at the
//!   output, shifted by the whole allowance (deadline or separation time), so it does not cancel out
//!   between early and late jobs and is 0 only where nothing better is possible.
//! - A scheduler's *performance* is the accumulated shifted lateness of `CPUTraditional` divided by
//!   its own, as [MT] section 6 divides its "shifted accumulated slack times": 1 for `CPUTraditional`,
//!   more is better.
//!
//! A batch takes at most one job of each task, the oldest, so jobs of a task stay in order; a job is
//! available when its input has arrived and the jobs of the same number that it comes after are done.

use super::task::{Requirement, Task, Workload};
use blockstep_sim::units::{Span, Time};

/// Most tasks of a batch ([MT] section 4, (3c)).
pub const BATCH: usize = 2;

/// When a job's turn begins: when its allowance starts to run.
#[must_use]
pub fn begin(task: &Task, job: u64) -> Time {
    match task.requirement {
        Requirement::Latency { .. } => task.arrival(job),
        Requirement::Throughput { separation } => {
            let turn = separation.max(task.interval);
            Time(task.first.0.saturating_add(turn.0.saturating_mul(job)))
        }
    }
}

/// When a job is due.
#[must_use]
pub fn due(task: &Task, job: u64) -> Time {
    Time(begin(task, job).0.saturating_add(task.requirement.allowance().0))
}

/// Time until a job is due, in ns; negative afterwards.
#[must_use]
pub fn slack(task: &Task, job: u64, now: Time) -> i64 {
    let ahead = due(task, job).since(now).ns();
    let behind = now.since(due(task, job)).ns();
    i64::try_from(ahead).unwrap_or(i64::MAX) - i64::try_from(behind).unwrap_or(i64::MAX)
}

/// How long after its due time an output is there.
#[must_use]
pub fn lateness(task: &Task, job: u64, output: Time) -> Span {
    output.since(due(task, job))
}

/// The slack that a job has used up.
#[must_use]
pub fn shifted_lateness(task: &Task, job: u64, output: Time) -> Span {
    output.since(begin(task, job))
}

/// The tasks that can have a job in the next batch, with how many jobs of each are done and how many
/// there are.
#[derive(Clone, Debug)]
pub(super) struct Backlog<'a> {
    workload: &'a Workload,
    pub(super) done: Vec<u64>,
    count: Vec<u64>,
}

impl<'a> Backlog<'a> {
    pub(super) fn new(workload: &'a Workload) -> Self {
        let count = workload.tasks().iter().map(|task| task.jobs(workload.until())).collect();
        Self { workload, done: vec![0; workload.tasks().len()], count }
    }

    /// When the oldest job of a task is available, if the tasks that it comes after are far enough.
    fn available(&self, task: usize) -> Option<Time> {
        let (job, of) = (self.done[task], &self.workload.tasks()[task]);
        let is_open = job < self.count[task] && of.after.iter().all(|&other| self.done[other] > job);
        is_open.then(|| of.arrival(job))
    }

    /// The tasks of the next batch at `now`, that of highest priority first; empty if none is
    /// available yet.
    pub(super) fn next(&self, now: Time) -> Vec<usize> {
        let tasks = self.workload.tasks();
        let mut open: Vec<(i64, usize)> = (0..tasks.len())
            .filter(|&t| self.available(t).is_some_and(|at| at <= now))
            .map(|t| (slack(&tasks[t], self.done[t], now), t))
            .collect();
        open.sort_unstable();
        open.into_iter().take(BATCH).map(|(_, task)| task).collect()
    }

    /// When the next job becomes available, if there is one left.
    pub(super) fn wakes(&self) -> Option<Time> {
        (0..self.done.len()).filter_map(|task| self.available(task)).min()
    }
}
