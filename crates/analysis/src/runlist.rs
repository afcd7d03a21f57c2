//! Bounds on response times under the runlist, as [EDF] Theorem 1 gives them.
//!
//! Depends on tasks, and on which switches are charged. Invariant: exact; what leaves 64 bits is no bound. Source: [EDF]
//! appendix, equations 2 and 3.
//!
//! What the theorem assumes: the task has the highest interleaving level, a process of its own and
//! thread preemption; a task that interferes leaves no more than one job's work for a stay, which
//! holds as long as it is done before its next release.
//!
//! Equation 3 pays for one switch in each gap. With n others in the gap there may be n + 1, so the
//! equation bounds nothing as soon as a switch costs something: a test by it passes sets that miss in
//! the schedule of [`super::runlist_run`]. Only [`SwitchCharge::Every`] makes a bound.

use super::Task;
use blockstep_sim::scenario::SwitchCharge;

/// The runlist around a set of tasks that all have the highest level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunlistTest {
    /// Timeslice of every task of the set; at least 1.
    pub timeslice: u64,
    /// Timeslice of the tasks of lower levels, of which one runs between two slots of the set's
    /// tasks; 0 if there are none.
    pub lower: u64,
    /// What a context switch costs.
    pub switch: u64,
    /// Which switches are paid for. In the theorem `Expiries` is equation 3: one at each expiry of the
    /// task's own timeslice, which leaves out what the others' expiries cost, and so is no bound.
    pub charge: SwitchCharge,
}

/// A task as the runlist sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Longest execution time of a job.
    pub cost: u64,
    /// Longest stay; at least 1.
    pub timeslice: u64,
}

/// An upper bound on the response time of task `i` among tasks of the highest level, each with its
/// own timeslice; `None` past 64 bits. `lower` and `switch` as in [`RunlistTest`].
#[must_use]
pub fn bound(slots: &[Slot], i: usize, lower: u64, switch: u64, charge: SwitchCharge) -> Option<u64> {
    let others = slots.iter().enumerate().filter(|(j, _)| *j != i);
    let gap = others.map(|(_, s)| s.cost.min(s.timeslice)).try_fold(lower, u64::checked_add)?;
    let switches = match charge {
        SwitchCharge::Expiries => 1,
        SwitchCharge::Every => slots.len() as u64 + u64::from(lower > 0),
    };
    let between = gap.checked_add(switch.checked_mul(switches)?)?;
    let own = slots[i];
    own.cost.div_ceil(own.timeslice).checked_mul(between)?.checked_add(own.cost)
}

impl RunlistTest {
    /// An upper bound on the response time of task `i`; `None` past 64 bits.
    #[must_use]
    pub fn bound(&self, set: &[Task], i: usize) -> Option<u64> {
        let slots: Vec<Slot> = set.iter().map(|t| Slot { cost: t.cost, timeslice: self.timeslice }).collect();
        bound(&slots, i, self.lower, self.switch, self.charge)
    }

    /// Whether every bound is within its deadline and the period, as the theorem needs one job of a task at a time, and leaves room before the next release where a stay
    /// of the task is counted as the work of one job: released as it completes, the next one would
    /// make the stay longer.
    #[must_use]
    pub fn passes(&self, set: &[Task]) -> bool {
        let slots: Vec<Slot> = set.iter().map(|t| Slot { cost: t.cost, timeslice: self.timeslice }).collect();
        let within = |i: usize| {
            let is_work = slots[i].cost < slots[i].timeslice;
            let by = set[i].deadline.min(set[i].period);
            let fits = |bound: u64| bound <= by && (bound < set[i].period || !is_work);
            bound(&slots, i, self.lower, self.switch, self.charge).is_some_and(fits)
        };
        (0..set.len()).all(within)
    }
}
