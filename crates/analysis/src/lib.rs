//! What can be said without watching a run: bounds and schedulability tests from the papers.
//!
//! Depends on everything up to `engine` (which finds out how long a scenario's jobs take). Invariants:
//! whole numbers and exact fractions decide every test, no floating point; no hash order, no clock;
//! a generated task set follows from seed, point and index alone, on every machine. Sources: [LP]
//! II-D and IV; [EDF] VI-B and appendix; Zhang and Burns 2009 for QPA.
//!
//! Times are whole numbers of one unit per task set: microseconds in sweeps, as in the papers,
//! nanoseconds in what comes from a scenario. What a theorem does not cover has no number, but a reason.

pub mod curves;
pub mod demand;
pub mod edf;
pub mod edf_run;
mod fraction;
pub mod generate;
pub mod implicit;
pub mod own;
pub mod parts;
pub mod presets;
pub mod report;
pub mod results;
pub mod runlist;
pub mod runlist_bound;
pub mod runlist_run;
pub mod scenario;
pub mod signal_run;
pub mod space_bound;
pub mod sweep;
pub mod switch_run;
pub mod uncovered;
mod words;

pub use fraction::common_divisor;

/// A recurring task. It releases a job every `period` at the earliest, which needs the device for
/// `cost` and must be done `deadline` after its release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Longest execution time of a job, alone and without overheads.
    pub cost: u64,
    /// Least time between releases; at least 1.
    pub period: u64,
    /// From the release to the deadline.
    pub deadline: u64,
    /// Longest stretch that is not preempted under limited preemption (q of [LP] II-D), where it is
    /// known. Generated tasks have none: theirs follows from `spread`.
    pub section: u64,
    /// Where this task lies in whatever range of work-groups per SM a test asks for, in 2^-64ths.
    pub spread: u64,
}

impl Task {
    /// A task whose deadline is its period.
    #[must_use]
    pub const fn implicit(cost: u64, period: u64) -> Self {
        Self { cost, period, deadline: period, section: 0, spread: 0 }
    }

    /// What makes it no task at all, if anything, to follow the task's name.
    #[must_use]
    pub const fn problem(&self) -> Option<&'static str> {
        if self.period == 0 {
            Some("has a period of 0; it must be positive")
        } else if self.cost == 0 {
            Some("has an execution time of 0; it must be positive")
        } else if self.section > self.cost {
            Some("is not preempted for longer than it executes")
        } else {
            None
        }
    }
}

/// What a test says of a task set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every deadline is met.
    Passes,
    /// The test does not promise that.
    Fails {
        /// The first instant, counted from a release of all tasks together, by which more execution
        /// may be due than fits; `None` if it lies beyond 64 bits or the test knows no instant.
        at: Option<u64>,
    },
    /// Not decided within the step limit, which happens for deadlines before the period at a
    /// utilization of exactly 1.
    Undecided,
}

impl Verdict {
    /// Whether every deadline is met for certain.
    #[must_use]
    pub fn passes(self) -> bool {
        self == Self::Passes
    }
}
