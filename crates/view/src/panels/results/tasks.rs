//! The table of tasks: jobs, response times, misses, preemptions.
//!
//! Depends on the rest of the panel. Invariant: every greatest response time and every miss that is listed says which job it
//! is of and leads to it.

use serde::{Deserialize, Serialize};

use super::{MAX_MISSES, MAX_TASKS, ResultsSubject, more};
use crate::panels::sheet::{Jump, SheetCell, SheetHead, heads};
use crate::quantity::{format_count, format_time};
use crate::results::unit::TimeUnit;
use crate::results::{TaskResult, response};
use blockstep_sim::scenario::Task;
use blockstep_sim::units::TaskId;

/// The table of tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tasks {
    /// Its columns.
    pub head: Vec<SheetHead>,
    /// Its rows.
    pub rows: Vec<TaskRow>,
    /// How many tasks are not listed.
    pub more: Option<String>,
}

/// What came of a task's jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRow {
    /// The task.
    pub name: String,
    /// Its process.
    pub process: String,
    /// The greatest response time.
    pub greatest: SheetCell,
    /// The job that has it.
    pub slowest: Option<Jump>,
    /// The mean.
    pub mean: SheetCell,
    /// The least.
    pub least: SheetCell,
    /// The deadlines missed.
    pub misses: Misses,
    /// How often it was preempted.
    pub preemptions: SheetCell,
    /// Jobs released.
    pub released: SheetCell,
    /// Jobs completed.
    pub completed: SheetCell,
}

/// How many of the jobs judged missed their deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Misses {
    /// None did, or none could; in words.
    None(String),
    /// Some did.
    Some {
        /// How many.
        summary: String,
        /// The first of those jobs.
        jobs: Vec<Miss>,
        /// How many more there are.
        more: Option<String>,
    },
}

/// A job that missed its deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Miss {
    /// Leads to its deadline.
    pub job: Jump,
    /// How late it was.
    pub late: String,
}

pub(super) fn section(subject: &ResultsSubject<'_>) -> Tasks {
    let (tasks, scenario) = (&subject.results.tasks, subject.trace.scenario());
    let greatest = tasks.iter().filter_map(|task| task.responses.last()).max().map_or(0, |r| r.ns());
    let unit = TimeUnit::for_greatest(greatest.into());
    let times = ["max response", "mean", "min"].map(|what| format!("#{what} ({})", unit.name));
    let head = [
        "Task",
        "Process",
        &times[0],
        "slowest job",
        &times[1],
        &times[2],
        "Deadline misses",
        "#Preemptions",
        "#Jobs released",
        "#completed",
    ];
    let row = |(i, task): (usize, &TaskResult)| {
        let owner = scenario.task(TaskId::at(i));
        let slowest = task.slowest.map(|slowest| &subject.records.jobs[slowest as usize]);
        TaskRow {
            name: owner.name.clone(),
            process: scenario.processes()[owner.process.index()].name.clone(),
            greatest: SheetCell::time(unit, task.responses.last().map(|r| r.ns().into())),
            slowest: slowest.map(|job| {
                let title = format!("Go to its release at {}", format_time(job.release.ns()));
                Jump::new(job.release, (job.job.0, &owner.name), title)
            }),
            mean: SheetCell::time(unit, task.mean().map(|r| r.ns().into())),
            least: SheetCell::time(unit, task.responses.first().map(|r| r.ns().into())),
            misses: misses(subject, task, owner),
            preemptions: SheetCell::count(task.preemptions),
            released: SheetCell::count(task.released),
            completed: SheetCell::count(task.completed),
        }
    };
    Tasks { head: heads(&head), rows: tasks.iter().enumerate().take(MAX_TASKS).map(row).collect(), more: more(tasks.len(), MAX_TASKS) }
}

/// How many of the jobs judged missed their deadline, and which.
fn misses(subject: &ResultsSubject<'_>, task: &TaskResult, owner: &Task) -> Misses {
    let missed = task.missed.len();
    if missed == 0 {
        return Misses::None(match (owner.deadline.is_some(), task.judged) {
            (false, _) => "no deadline".to_owned(),
            (true, 0) => "none due yet".to_owned(),
            (true, judged) => format!("none of {}", format_count(judged)),
        });
    }
    let miss = |&index: &u32| {
        let job = &subject.records.jobs[index as usize];
        let deadline = job.deadline.unwrap_or(job.release);
        let late = match (job.end, response(job)) {
            (Some(end), Some(time)) => {
                format!("{} late, after {}", format_time(end.since(deadline).ns()), format_time(time.ns()))
            }
            _ => "not complete at the end of the run".to_owned(),
        };
        Miss { job: Jump::new(deadline, (job.job.0, &owner.name), format!("Go to its deadline at {}", format_time(deadline.ns()))), late }
    };
    Misses::Some {
        summary: format!("{} of {} missed", format_count(missed as u64), format_count(task.judged)),
        jobs: task.missed.iter().take(MAX_MISSES).map(miss).collect(),
        more: more(missed, MAX_MISSES),
    }
}
