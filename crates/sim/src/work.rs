//! Work, counted: what a computation has cost so far, and how much more it may.
//!
//! Depends on nothing. A unit is about what it costs to look at an entry of a list: a queue, an SM, a job, a producer, a step.
//! Invariant: no clock is read, so the same computation costs the same everywhere. Whoever has a clock turns time into
//! units by measuring between two portions.

/// How much work may be done before a computation pauses, and how much has been done since it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    units: u64,
    spent: u64,
}

impl Budget {
    /// More than anything costs.
    pub const UNLIMITED: Self = Self::new(u64::MAX);

    /// So many units.
    #[must_use]
    pub const fn new(units: u64) -> Self {
        Self { units, spent: 0 }
    }

    /// Takes units; more than there are may be taken, as what has begun is finished.
    pub const fn spend(&mut self, units: u64) {
        self.spent = self.spent.saturating_add(units);
    }

    /// Units that were spent.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Units that are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.units.saturating_sub(self.spent)
    }

    /// Whether nothing is left.
    #[must_use]
    pub const fn is_spent(&self) -> bool {
        self.left() == 0
    }
}

/// How far a computation came with its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The budget is spent: it goes on with another one.
    Paused,
    /// There is nothing left to do.
    Done,
}

/// Goes on in portions of so many units until it is over, or until it may not: that is asked between two portions. So whoever has a
/// clock looks at it now and then, and what computes has none.
pub fn in_portions(units: u64, mut go_on: impl FnMut(&mut Budget) -> Progress, may_go_on: impl Fn() -> bool) -> Progress {
    while go_on(&mut Budget::new(units)) == Progress::Paused {
        if !may_go_on() {
            return Progress::Paused;
        }
    }
    Progress::Done
}

/// Counts work inside of a value whose equality does not depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally(u64);

impl Tally {
    /// Adds units.
    #[inline]
    pub(crate) const fn add(&mut self, units: u64) {
        self.0 = self.0.wrapping_add(units);
    }

    /// Units so far.
    #[inline]
    pub(crate) const fn units(self) -> u64 {
        self.0
    }
}

impl PartialEq for Tally {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Tally {}
