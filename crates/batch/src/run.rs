//! A whole workload under a scheduler, and all schedulers on one workload.
//!
//! Depends on the other files of `batch`. Invariants: batches follow each other with the GPU idle in
//! between, as the host waits for the device after each ([MT] section 7), so two batches of the same
//! tasks are the same run, which is simulated once; every input that arrives before the workload's
//! end is processed.

use std::fmt;

use super::arch::Arch;
use super::command::{CommandNo, Op, Program};
use super::methods::Methods;
use super::priority::{self, Backlog};
use super::schedulers::{Batch, SchedulerId};
use super::simulate::{BatchRun, Deadlock, simulate};
use super::task::{Task, Workload};
use blockstep_sim::units::{Span, Time, TimeRange};

/// A job of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its task, by place in the workload.
    pub task: usize,
    /// Which of the task's, from 0.
    pub job: u64,
    /// The batch that it was in.
    pub batch: usize,
    /// When its input arrived.
    pub arrival: Time,
    /// When its output was due.
    pub due: Time,
    /// When it was there.
    pub output: Time,
    /// How long after it was due.
    pub lateness: Span,
    /// The slack that it has used up.
    pub shifted: Span,
}

/// A batch of an outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchPlace {
    /// When its first command was issued.
    pub start: Time,
    /// When the device was idle again.
    pub end: Time,
    /// Its tasks, that of highest priority first.
    pub tasks: Vec<usize>,
    /// Its run, by place in [`Outcome::runs`]; times there count from `start`.
    pub run: usize,
}

/// A workload under a scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Which scheduler.
    pub scheduler: SchedulerId,
    /// Batches in order of time.
    pub batches: Vec<BatchPlace>,
    /// The different runs of a batch.
    pub runs: Vec<BatchRun>,
    /// Jobs in order of batches, in each that of highest priority first.
    pub jobs: Vec<Job>,
    /// Accumulated shifted lateness, in ns: what performance is made of.
    pub shifted: u128,
    /// When everything is done.
    pub end: Time,
}

impl Outcome {
    /// Its run of a batch.
    #[must_use]
    pub fn run_of(&self, batch: &BatchPlace) -> &BatchRun {
        &self.runs[batch.run]
    }

    /// Copies and kernels of the whole run, in order of batches: what a timeline shows.
    pub fn operations(&self) -> impl Iterator<Item = Operation> {
        self.batches.iter().enumerate().flat_map(move |(place, batch)| {
            let run = &self.runs[batch.run];
            run.timings().into_iter().map(move |timing| {
                let later = |time: Time| Time(batch.start.0.saturating_add(time.0));
                let time = TimeRange::new(later(timing.actual.start), later(timing.actual.end));
                Operation { batch: place, command: timing.command, task: batch.tasks[timing.task], op: timing.op, time }
            })
        })
    }

    /// How many outputs of all tasks came after they were due.
    #[must_use]
    pub fn late(&self) -> usize {
        self.jobs.iter().filter(|job| job.output > job.due).count()
    }

    /// What became of a task.
    #[must_use]
    pub fn summary(&self, task: usize) -> Summary {
        let mut sum = Summary::default();
        for job in self.jobs.iter().filter(|job| job.task == task) {
            sum.jobs += 1;
            sum.late += u64::from(job.lateness > Span::ZERO);
            sum.lateness += u128::from(job.lateness.ns());
            sum.worst_lateness = sum.worst_lateness.max(job.lateness);
            sum.shifted += u128::from(job.shifted.ns());
            sum.worst_response = sum.worst_response.max(job.output.since(job.arrival));
        }
        sum
    }
}

/// A copy or a kernel of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its batch, by place in [`Outcome::batches`].
    pub batch: usize,
    /// Its command in the program of the batch.
    pub command: CommandNo,
    /// Its task, by place in the workload.
    pub task: usize,
    /// Which of the task's.
    pub op: Op,
    /// From start to end, on the clock of the run.
    pub time: TimeRange,
}

/// What became of a task; times in ns where they are sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of jobs.
    pub jobs: u64,
    /// Jobs whose output came after it was due.
    pub late: u64,
    /// Accumulated lateness.
    pub lateness: u128,
    /// The greatest lateness.
    pub worst_lateness: Span,
    /// Accumulated shifted lateness.
    pub shifted: u128,
    /// Longest time from input to output.
    pub worst_response: Span,
}

/// Why there is no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The scheduler cannot run on this GPU.
    #[error("{0}")]
    Refused(&'static str),
    /// A kernel's block has no room on this GPU, beside the scheduler if that is on the GPU.
    #[error("a block of \"{task}\" has {threads} threads; there is room for at most {room}")]
    NoRoom {
        /// The task's name.
        task: String,
        /// Threads of a block.
        threads: u32,
        /// What there is room for.
        room: u32,
    },
    /// Commands of a batch wait for each other.
    #[error("commands wait for each other: {}", .0.heads.join(", "))]
    Deadlock(Deadlock),
}

/// The program of a batch under a scheduler.
#[must_use]
pub fn program(tasks: &[&Task], arch: &Arch, methods: Methods, scheduler: SchedulerId) -> Program {
    scheduler.scheduler().program(&Batch { arch, methods, tasks })
}

/// Runs a workload under a scheduler until all input is processed.
///
/// # Errors
/// [`RunError`] says why it cannot run; a [`Workload`] that was accepted ends otherwise.
pub fn run(workload: &Workload, arch: &Arch, methods: Methods, scheduler: SchedulerId) -> Result<Outcome, RunError> {
    if let Some(why) = scheduler.scheduler().refuses(arch) {
        return Err(RunError::Refused(why));
    }
    let all = workload.tasks();
    if let Some(task) = all.iter().find(|task| task.threads_per_block > arch.threads_per_sm) {
        return Err(RunError::NoRoom { task: task.name.clone(), threads: task.threads_per_block, room: arch.threads_per_sm });
    }
    let mut outcome = Outcome { scheduler, batches: Vec::new(), runs: Vec::new(), jobs: Vec::new(), shifted: 0, end: Time::ZERO };
    let mut backlog = Backlog::new(workload);
    // Which tasks each run is of.
    let mut known: Vec<Vec<usize>> = Vec::new();
    let mut now = Time::ZERO;
    while let Some(wakes) = backlog.wakes() {
        now = now.max(wakes);
        let tasks = backlog.next(now);
        let run = match known.iter().position(|k| *k == tasks) {
            Some(run) => run,
            None => {
                let of: Vec<&Task> = tasks.iter().map(|&t| &all[t]).collect();
                let program = program(&of, arch, methods, scheduler);
                outcome.runs.push(simulate(&program, arch).map_err(RunError::Deadlock)?);
                known.push(tasks.clone());
                known.len() - 1
            }
        };
        let batch = outcome.batches.len();
        let later = |time: Time| Time(now.0.saturating_add(time.0));
        for (place, &task) in tasks.iter().enumerate() {
            let (job, of) = (backlog.done[task], &all[task]);
            let output = later(outcome.runs[run].outputs[place]);
            let (lateness, shifted) = (priority::lateness(of, job, output), priority::shifted_lateness(of, job, output));
            outcome.shifted += u128::from(shifted.ns());
            outcome.jobs.push(Job { task, job, batch, arrival: of.arrival(job), due: priority::due(of, job), output, lateness, shifted });
            backlog.done[task] += 1;
        }
        let end = later(outcome.runs[run].end);
        outcome.batches.push(BatchPlace { start: now, end, tasks, run });
        now = end;
    }
    outcome.end = now;
    Ok(outcome)
}

/// All schedulers on one workload, in the order of [`SchedulerId::ALL`].
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Each with what became of it.
    pub outcomes: Vec<(SchedulerId, Result<Outcome, RunError>)>,
}

/// A ratio, exact; of two lengths of time here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// What is divided.
    pub dividend: u128,
    /// By what; never 0.
    pub divisor: u128,
}

impl Ratio {
    /// In thousandths, rounded to the nearest; at most `u64::MAX`.
    #[must_use]
    pub fn thousandths(self) -> u64 {
        let doubled = self.dividend.saturating_mul(2000).saturating_add(self.divisor);
        u64::try_from(doubled / self.divisor.saturating_mul(2)).unwrap_or(u64::MAX)
    }
}

/// With two decimals.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = self.thousandths().saturating_add(5) / 10;
        f.pad(&format!("{}.{:02}", hundredths / 100, hundredths % 100))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.dividend.checked_mul(other.divisor)?.partial_cmp(&other.dividend.checked_mul(self.divisor)?)
    }
}

impl Comparison {
    /// Runs all schedulers.
    #[must_use]
    pub fn new(workload: &Workload, arch: &Arch, methods: Methods) -> Self {
        Self { outcomes: SchedulerId::ALL.map(|id| (id, run(workload, arch, methods, id))).into() }
    }

    /// A scheduler's outcome, if it ran.
    #[must_use]
    pub fn outcome(&self, scheduler: SchedulerId) -> Option<&Outcome> {
        self.outcomes.iter().find(|(id, _)| *id == scheduler)?.1.as_ref().ok()
    }

    /// A scheduler's performance: the shifted lateness of `CPUTraditional` by its own, more is
    /// better. None if it did not run or used up no slack at all.
    #[must_use]
    pub fn performance(&self, scheduler: SchedulerId) -> Option<Ratio> {
        let of = self.outcome(SchedulerId::CpuTraditional)?.shifted;
        let by = self.outcome(scheduler)?.shifted;
        (by > 0).then_some(Ratio { dividend: of, divisor: by })
    }

    /// Schedulers that ran, the best first; equals in the order of [MT].
    #[must_use]
    pub fn ranking(&self) -> Vec<SchedulerId> {
        let mut ran: Vec<(u128, SchedulerId)> =
            SchedulerId::ALL.into_iter().filter_map(|id| Some((self.outcome(id)?.shifted, id))).collect();
        ran.sort_unstable();
        ran.into_iter().map(|(_, id)| id).collect()
    }
}
