//! The EDF tests of [LP]: preemptive, limited-preemptive and non-preemptive, with overheads.
//!
//! Depends on `demand`. Invariant: overheads only ever add to cost and blocking, so a set that passes
//! with more of them passes with less. Source: [LP] II-D and IV.
//!
//! What the tests assume: one processor (the GPU as a whole, one task at a time); sporadic or
//! periodic tasks of which each has a process of its own; jobs that need the device from their
//! release on and never pause by themselves; costs that hold however often a job is preempted. A
//! task set that fails may still meet its deadlines: its tasks need not be released together, and
//! overheads are charged for every preemption that could happen.
//!
//! A utilization of exactly 1 is no obstacle to the tests with deadlines equal to the periods: the
//! demand never exceeds time times utilization, so only instants before the longest period have to
//! be looked at, for blocking. With an earlier deadline the bound on the instants is the rise
//! divided by the slack, which exactly 1 does not have; then the first idle instant bounds them.

use super::demand::{Demand, DemandTask};
use super::{Task, Verdict};
use blockstep_sim::dice::pick;
use blockstep_sim::scenario::{Choice, Preemption};

/// For how long a job may keep one with an earlier deadline waiting (q of [LP] II-D).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sections {
    /// Not at all.
    None,
    /// For its whole cost without overheads: how the published numbers of [LP] were made. A job that
    /// has just begun its switch keeps others waiting for longer than that.
    Cost,
    /// For its cost with overheads, which is what holds in a simulation.
    InflatedCost,
    /// For the cost divided by a number of work-groups per SM, rounded down; the number lies between
    /// these two, each task's where its [`Task::spread`] says.
    Groups(u32, u32),
    /// For [`Task::section`].
    Given,
}

/// Parameters of an EDF test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdfTest {
    /// The mode that the test speaks of; it is not used in testing.
    pub preemption: Preemption,
    /// What a context switch costs.
    pub switch: u64,
    /// Switches charged to a job: 2 if it may be preempted, else 1 ([LP] IV-A, after Burns et al. 1995).
    pub per_job: u32,
    /// For how long a job may block one with an earlier deadline.
    pub sections: Sections,
}

/// How large the switches of [LP] Table II are taken to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overhead {
    /// None at all.
    Free,
    /// The average measured, or projected from it.
    Average,
    /// The maximum.
    Maximum,
}

impl Choice for Overhead {
    const ALL: &'static [Self] = &[Self::Free, Self::Average, Self::Maximum];

    fn word(self) -> &'static str {
        match self {
            Self::Free => "none",
            Self::Average => "average",
            Self::Maximum => "maximum",
        }
    }
}

/// [LP] Table II: microseconds a context switch takes. Only what is preempted within a work-group
/// has its registers and local memory saved.
#[must_use]
pub const fn table_ii_us(preemption: Preemption, overhead: Overhead) -> u64 {
    match (overhead, preemption) {
        (Overhead::Free, _) => 0,
        (Overhead::Average, Preemption::Thread) => 263,
        (Overhead::Maximum, Preemption::Thread) => 434,
        (Overhead::Average, _) => 27,
        (Overhead::Maximum, _) => 44,
    }
}

/// Switches charged to a job: it may be switched to, and the job it preempted back to.
#[must_use]
pub const fn switches_per_job(preemption: Preemption) -> u32 {
    match preemption {
        Preemption::Thread | Preemption::Block | Preemption::Kernel => 2,
        Preemption::None => 1,
    }
}

impl EdfTest {
    /// The modes that [LP] compares.
    pub const MODES: [Preemption; 3] = [Preemption::Thread, Preemption::Block, Preemption::None];

    /// The test that matches a mode of preemption, with the usual number of switches. `groups` are
    /// the work-groups per SM, where blocks bound the sections.
    #[must_use]
    pub const fn for_preemption(preemption: Preemption, switch: u64, groups: (u32, u32)) -> Self {
        let sections = match preemption {
            Preemption::Thread => Sections::None,
            Preemption::Block => Sections::Groups(groups.0, groups.1),
            // Of a kernel not more is known than that it is a part of its job.
            Preemption::Kernel | Preemption::None => Sections::InflatedCost,
        };
        Self { preemption, switch, per_job: switches_per_job(preemption), sections }
    }

    /// What is added to the cost of every job.
    #[must_use]
    pub const fn inflation(&self) -> u64 {
        self.switch.saturating_mul(self.per_job as u64)
    }

    /// The tasks with overheads and blocking.
    pub fn inflated(self, set: &[Task]) -> impl Iterator<Item = DemandTask> {
        set.iter().map(move |task| {
            let cost = task.cost.saturating_add(self.inflation());
            DemandTask { cost, period: task.period, deadline: task.deadline, section: section(self.sections, task, cost) }
        })
    }

    /// What the test says of a set with any deadlines.
    #[must_use]
    pub fn verdict(&self, set: &[Task]) -> Verdict {
        Demand::new(self.inflated(set)).verdict()
    }
}

/// For how long a task may keep others waiting; `inflated` is its cost with overheads.
pub(super) fn section(sections: Sections, task: &Task, inflated: u64) -> u64 {
    match sections {
        Sections::None => 0,
        Sections::Cost => task.cost,
        Sections::InflatedCost => inflated,
        Sections::Groups(least, most) => task.cost / pick(task.spread, u64::from(least), u64::from(most)).max(1),
        Sections::Given => task.section,
    }
}
