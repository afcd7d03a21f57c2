//! What of a scenario the demand tests do not cover, and what would change that.
//!
//! Invariant: tasks with the same reason are told in one sentence.

use std::fmt::{self, Display};

use blockstep_sim::language::all_of;
use blockstep_sim::scenario::{Choice, Preemption};

use super::report::mode;
use super::scenario::Model;

/// A task that the tests do not cover, by its name, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    /// The task's name; empty if it is whatever the task.
    pub task: String,
    /// Why.
    pub reason: UncoveredReason,
}

/// Why a task is not covered; rows and other tasks by their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UncoveredReason {
    /// It waits for producers.
    Producers,
    /// It is real-time without a deadline, and left out.
    NoDeadline,
    /// It is continuous, and left out.
    Continuous,
    /// A row is launched some time after the release or after another kernel.
    Delay(String),
    /// The host makes its calls one after another.
    CallsInTurn,
    /// Another task is in its process.
    SharedProcess {
        /// The other task.
        other: String,
        /// The process.
        process: String,
    },
    /// Its server has a budget below its execution time.
    Budget,
    /// Kernels run beside one of varying block times.
    VaryingBlocks(String),
    /// Its deadline is later than its next release, and its rows are in several streams or come after others.
    Overlapping,
    /// Its deadline is later than its next release, and its server may have something left of the job before.
    Leftover,
    /// Its blocks do not end together, so limited preemption leaves SMs idle.
    Ragged,
    /// It is best-effort and periodic, with rows in several streams or after others, so jobs of it may mix.
    BestEffortJobs,
    /// Whatever the task: signals to the RunList Manager, or the runlists that it submits, take time.
    Signals,
    /// Whatever the task: graphics tasks run on to the end of a pixel, or the watchdog may reset a process.
    Pixels,
    /// Tasks have batches with deadlines of their own.
    Batches,
    /// Blocks of this row spin or are assigned only all together.
    Together(String),
}

impl Uncovered {
    pub(crate) fn new(task: &str, reason: UncoveredReason) -> Self {
        Self { task: task.to_owned(), reason }
    }
}

impl Display for Uncovered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = &self.task;
        match &self.reason {
            UncoveredReason::Producers => write!(f, "task \"{task}\" waits for producers"),
            UncoveredReason::NoDeadline => write!(f, "task \"{task}\" has neither a deadline nor a period, and is left out"),
            UncoveredReason::Continuous => {
                write!(f, "task \"{task}\" is continuous, so it has no minimum time between releases, and is left out")
            }
            UncoveredReason::Delay(row) => {
                write!(f, "task \"{task}\" launches {row} with a delay after its release or another kernel, so a job may pause")
            }
            UncoveredReason::CallsInTurn => write!(f, "task \"{task}\" makes its calls one after another, so a job may pause"),
            UncoveredReason::SharedProcess { other, .. } => {
                write!(f, "task \"{task}\" shares its process with task \"{other}\", so they may run together")
            }
            UncoveredReason::Budget => {
                write!(f, "task \"{task}\" has a budget below its execution time, so with servers its deadlines are postponed")
            }
            UncoveredReason::VaryingBlocks(row) => {
                write!(f, "task \"{task}\" has concurrent kernels, and the block times of {row} vary, so no single job is the longest")
            }
            UncoveredReason::Overlapping => {
                write!(
                    f,
                    "task \"{task}\" has a deadline after its next release, and rows in several streams or with After, so two of its jobs may mix"
                )
            }
            UncoveredReason::Leftover => {
                write!(
                    f,
                    "task \"{task}\" has a deadline after its next release, and its server may give a job the deadline of the one before"
                )
            }
            UncoveredReason::Ragged => write!(f, "the blocks of task \"{task}\" do not end together, so draining leaves SMs idle"),
            UncoveredReason::Signals => {
                write!(f, "signals to the RunList Manager, or the runlists that it submits, take time, which no test counts")
            }
            UncoveredReason::Batches => f.write_str("batches of a job have deadlines of their own, which no test counts"),
            UncoveredReason::Together(row) => write!(f, "blocks of {row} spin or start only together, which no test counts"),
            UncoveredReason::Pixels => {
                write!(f, "graphics tasks run on to the end of a pixel, or the watchdog may reset a process, which no test counts")
            }
            UncoveredReason::BestEffortJobs => {
                write!(
                    f,
                    "jobs of task \"{task}\", with rows in several streams or with After, may mix, so one may hold the GPU for longer than its own work"
                )
            }
        }
    }
}

impl UncoveredReason {
    /// What the reader can do so that this no longer stands in the way, as a sentence; `None` if there is no single thing.
    #[must_use]
    pub fn remedy(&self) -> Option<String> {
        Some(match self {
            Self::Producers => "Empty its Consumes.".to_owned(),
            Self::NoDeadline => "Set its Deadline or its Period.".to_owned(),
            Self::Continuous => "Set its Release to periodic.".to_owned(),
            Self::Delay(row) => format!("Set Start of {row} to 0."),
            Self::CallsInTurn => "Remove the calls that wait or take time.".to_owned(),
            Self::SharedProcess { .. } => "Give each task a process of its own.".to_owned(),
            Self::Budget => "Empty its Budget.".to_owned(),
            Self::VaryingBlocks(row) => format!("Give the blocks of {row} one time."),
            Self::Overlapping => "Put its rows into one stream without After, or set its Deadline to the period or less.".to_owned(),
            Self::Leftover => "Turn the servers off, or set its Deadline to the period or less.".to_owned(),
            Self::Ragged => return None,
            Self::Signals => "Empty the policy's Signal and Runlist submission.".to_owned(),
            Self::Batches => "Empty the Batch of every row.".to_owned(),
            Self::Together(_) => "Empty Barrier, Cooperative and the three Until of every row.".to_owned(),
            Self::Pixels => "Empty every Pixel latency, and the policy's Watchdog.".to_owned(),
            Self::BestEffortJobs => "Set its Release to once.".to_owned(),
        })
    }
}

/// What the tests of a model do not cover, a line each, first what none of them does.
#[must_use]
pub fn not_covered(model: &Model) -> Vec<String> {
    let told = |of: &str, doubts: &[&Uncovered]| {
        let sentences = in_sentences(doubts).into_iter();
        sentences.map(|sentence| format!("Not covered by {of}: {sentence}")).collect::<Vec<_>>()
    };
    let of_one = |&preemption: &Preemption| {
        let doubts = model.doubts_of.iter().filter(|(of, _)| *of == preemption).map(|(_, doubt)| doubt);
        told(&format!("the {} test", mode(preemption)), &doubts.collect::<Vec<_>>())
    };
    let all = told("any test", &model.doubts.iter().collect::<Vec<_>>()).into_iter();
    all.chain(Preemption::ALL.iter().flat_map(of_one)).collect()
}

/// A sentence for each reason: who is not covered and why, then what the reader can do. Tasks of one process are told together.
#[must_use]
pub fn in_sentences(all: &[&Uncovered]) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    for uncovered in all {
        let what = match &uncovered.reason {
            UncoveredReason::SharedProcess { process, .. } if told.contains(&process.as_str()) => continue,
            UncoveredReason::SharedProcess { process, .. } => {
                told.push(process);
                let is_in =
                    |other: &&&Uncovered| matches!(&other.reason, UncoveredReason::SharedProcess { process: of, .. } if of == process);
                let names: Vec<String> = all.iter().filter(is_in).map(|other| format!("\"{}\"", other.task)).collect();
                format!("tasks {} share a process, so they may run together", all_of(&names))
            }
            _ => uncovered.to_string(),
        };
        let remedy = uncovered.reason.remedy().map(|remedy| format!(" {remedy}")).unwrap_or_default();
        sentences.push(format!("{what}.{remedy}"));
    }
    sentences
}
