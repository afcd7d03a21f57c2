//! What a search has found.
//!
//! Depends on `graph` and `property`.

use blockstep_policy::{Failure, Reads, TaskNumber};

use blockstep_sim::units::written::format_time;

use super::graph::Step;
use super::property::Property;
use super::times::{TimedFault, TimesReport};

/// A sequence of requests that breaks a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Of each task: 0 is best effort, and of the others a higher rank is more urgent.
    pub ranks: Vec<u8>,
    /// The task that shows it.
    pub about: TaskNumber,
    /// From the start.
    pub steps: Vec<Step>,
    /// What may follow again and again, without an end; nothing if the last step shows it.
    pub cycle: Vec<Step>,
    /// Why the policy failed, if that is the fault.
    pub failure: Option<Failure>,
}

impl Fault {
    /// How many requests, one time around included.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "no fault is empty")]
    pub fn len(&self) -> usize {
        self.steps.len() + self.cycle.len()
    }
}

/// What is known of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is broken. The shortest of what has been searched so far.
    Fault(Box<Fault>),
    /// It is broken in the run of a task set. The shortest of those that have been run so far.
    TaskSet(Box<TimedFault>),
    /// It holds in every state that can be reached.
    Clean,
    /// It holds in the runs of all task sets that were to be tried. Of others nothing is known.
    NoneFound,
    /// Nothing was found so far.
    Open,
}

/// A property and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked for.
    pub property: Property,
    /// What was found.
    pub verdict: Verdict,
}

impl Finding {
    /// Whether the property is broken, and is no warning.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        !self.property.is_warning() && matches!(self.verdict, Verdict::Fault(_) | Verdict::TaskSet(_))
    }
}

/// How much was searched with so many tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// So many.
    pub tasks: usize,
    /// Assignments of priorities, up to the names of tasks where these do not matter.
    pub assignments: usize,
    /// Those of which every state was visited.
    pub closed: usize,
    /// States of all of them.
    pub states: usize,
    /// Requests to the state that is furthest from the start.
    pub deepest: u32,
}

/// Why a search ended before it was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// There are too many states.
    #[error("{states} states of one assignment of priorities take more than the limit of {} MB; search with fewer tasks, or give numbers a smaller range", bytes / 1_000_000)]
    Memory {
        /// Those visited.
        states: usize,
        /// The limit.
        bytes: usize,
    },
    /// The run of a task set is too long.
    #[error("the run of a task set takes more than {limit} steps; let ticks come less often")]
    Steps {
        /// The limit.
        limit: u32,
    },
    /// There are too many draws.
    #[error("a decision draws so often that there are more than 256 outcomes")]
    Draws,
    /// There is no time for more.
    #[error("the search is not over: the limit of {} of processor time is reached", format_time(*ns))]
    Time {
        /// The limit, ns.
        ns: u64,
    },
    /// It was asked to stop.
    #[error("the search is not over: it was interrupted")]
    Asked,
}

/// All that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Tasks at most.
    pub tasks: usize,
    /// What the policy looks at.
    pub reads: Reads,
    /// Whether time passes for it.
    pub has_ticks: bool,
    /// Whether requests were searched.
    pub has_requests: bool,
    /// Whether every state was visited.
    pub is_over: bool,
    /// By number of tasks, from 1.
    pub levels: Vec<Level>,
    /// What is known of task sets, if they are run.
    pub times: Option<TimesReport>,
    /// By property.
    pub findings: Vec<Finding>,
    /// Why it ended early, if so.
    pub stopped: Option<Stopped>,
}

impl Report {
    /// Whether a property is broken that is no warning.
    #[must_use]
    pub fn has_fault(&self) -> bool {
        self.findings.iter().any(Finding::is_fault)
    }

    /// States that were visited, with any number of tasks.
    #[must_use]
    pub fn states(&self) -> usize {
        self.levels.iter().map(|level| level.states).fold(0, usize::saturating_add)
    }
}
