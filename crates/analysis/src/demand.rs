//! The demand-bound function and QPA on it, for any deadlines and lengths of non-preemptive
//! sections.
//!
//! Depends on `fraction`. Invariant: exact; sums that leave 64 bits count as more than fits. Sources:
//! Baruah, Mok and Rosier 1990 (demand), Baruah 2005 (limited preemption, as in [LP] II-D), Zhang and
//! Burns 2009 (QPA), Short 2011 (QPA with blocking).

use std::cmp::Ordering;

use super::{Verdict, fraction};

/// Iterations after which something is not decided.
pub(super) const MAX_STEPS: u32 = 200_000;

/// A task as the demand sees it: overheads are in its cost already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DemandTask {
    /// Execution time with overheads.
    pub cost: u64,
    /// At least 1.
    pub period: u64,
    /// From release to deadline.
    pub deadline: u64,
    /// For how long it may keep others waiting that have an earlier deadline.
    pub section: u64,
}

/// A point at which the demand changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// Instant, from the release of all tasks together.
    pub at: u64,
    /// Execution with a deadline at or before it.
    pub demand: u64,
    /// Longest wait for a job with a later deadline.
    pub blocking: u64,
}

/// Task set and what is due of it by when.
#[derive(Clone, Debug)]
pub struct Demand {
    /// By deadline, ascending.
    tasks: Vec<DemandTask>,
    /// Entry k: the longest section among tasks from k on, and of what has no deadline.
    blocking: Vec<u64>,
    /// The longest section of work without a deadline.
    background: u64,
}

/// A search ran into the step limit.
struct StepLimit;

impl Demand {
    /// The demand of these tasks.
    #[must_use]
    pub fn new(tasks: impl IntoIterator<Item = DemandTask>) -> Self {
        let mut demand = Self { tasks: Vec::new(), blocking: Vec::new(), background: 0 };
        demand.set(tasks, 0);
        demand
    }

    /// The same for other tasks, in the same memory, beside work without a deadline that may keep
    /// them waiting for as long as `background`.
    pub fn set(&mut self, tasks: impl IntoIterator<Item = DemandTask>, background: u64) {
        self.background = background;
        self.tasks.clear();
        // A period of 0 would be no period; what is typed in may hold anything.
        self.tasks.extend(tasks.into_iter().map(|t| DemandTask { period: t.period.max(1), ..t }));
        blockstep_sim::order::by_number(&mut self.tasks, |t| t.deadline);
        self.blocking.clear();
        self.blocking.resize(self.tasks.len() + 1, background);
        for k in (0..self.tasks.len()).rev() {
            self.blocking[k] = self.blocking[k + 1].max(self.tasks[k].section);
        }
    }

    /// Execution with a deadline at or before `t` if all tasks start together; `u64::MAX` if more.
    #[must_use]
    pub fn at(&self, t: u64) -> u64 {
        self.of_first(self.due(t), t)
    }

    /// Longest wait at `t` for a job whose deadline lies after `t`: none before the first deadline.
    #[must_use]
    pub fn blocking(&self, t: u64) -> u64 {
        match self.due(t) {
            0 => 0,
            due => self.blocking[due],
        }
    }

    /// Tasks with a deadline at or before `t`.
    fn due(&self, t: u64) -> usize {
        self.tasks.partition_point(|task| task.deadline <= t)
    }

    /// Demand at `t` of the first `count` tasks, whose deadlines are not later.
    fn of_first(&self, count: usize, t: u64) -> u64 {
        let mut sum = 0_u64;
        for task in &self.tasks[..count] {
            let jobs = (t - task.deadline) / task.period;
            sum = sum.saturating_add(task.cost).saturating_add(jobs.saturating_mul(task.cost));
        }
        sum
    }

    /// Whether every deadline is met for certain, and else the first instant that tells.
    ///
    /// Which instants have to be looked at is bounded, unless there is an overload, by the slack or by
    /// the first idle instant. A utilization of exactly 1 leaves no slack: then the first idle instant
    /// or the hyperperiod bound them, which may be far away, and the search may end undecided. With
    /// deadlines no earlier than the periods and no background there is nothing to look at beyond
    /// the longest deadline, whatever the utilization.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let terms = self.tasks.iter().map(|t| (t.cost, t.period));
        let found = match fraction::compare_with_one(terms) {
            Ordering::Greater => self.first_failure_of_an_overload(),
            load => match self.end(load) {
                Some(end) => self.first_failure(end),
                None => Err(StepLimit),
            },
        };
        match found {
            Ok(None) => Verdict::Passes,
            Ok(Some(at)) => Verdict::Fails { at },
            Err(StepLimit) => Verdict::Undecided,
        }
    }

    /// An instant after which nothing can fail; the load is at most 1.
    ///
    /// Beyond the last of the first deadlines, demand and background stay below load times time plus
    /// a rise: the background and the sum of (T - D) * C / T.
    fn end(&self, load: Ordering) -> Option<u64> {
        let last = self.tasks.last().map_or(0, |t| t.deadline);
        let (mut up, mut down) = (u128::from(self.background), 0_u128);
        for t in &self.tasks {
            let share = |time: u64| u128::from(t.cost) * u128::from(time);
            up = up.checked_add(share(t.period.saturating_sub(t.deadline)).div_ceil(u128::from(t.period)))?;
            down = down.saturating_add(share(t.deadline.saturating_sub(t.period)) / u128::from(t.period));
        }
        let Some(rise) = up.checked_sub(down).filter(|rise| *rise > 0) else { return Some(last) };
        // Where the rising line meets time; with a load of 1, where everything has come once.
        let line = if load.is_lt() { self.end_by_slack(rise) } else { self.hyperperiod().and_then(|h| h.checked_add(last)) };
        // The first idle instant is often far earlier, but only looked for so long.
        let idle = if load.is_lt() || self.background == 0 { self.first_idle(if line.is_some() { 100 } else { MAX_STEPS }) } else { None };
        let end = match (line, idle) {
            (Some(a), Some(b)) => a.min(b),
            (a, b) => a.or(b)?,
        };
        Some(end.max(last))
    }

    /// The rise divided by what the load leaves.
    fn end_by_slack(&self, rise: u128) -> Option<u64> {
        let load: u128 = self.tasks.iter().map(|t| (u128::from(t.cost) << 60).div_ceil(u128::from(t.period))).sum();
        let slack = (1_u128 << 60).checked_sub(load).filter(|s| *s > 0)?;
        let end = rise.checked_mul(1 << 60)?.div_ceil(slack);
        u64::try_from(end).ok().filter(|end| *end < u64::MAX)
    }

    /// The least common multiple of the periods, if it has 64 bits.
    fn hyperperiod(&self) -> Option<u64> {
        self.tasks.iter().try_fold(1_u64, |all, t| (all / fraction::common_divisor(all, t.period)).checked_mul(t.period))
    }

    /// The first instant at which all that was released is done, if all start together.
    fn first_idle(&self, steps: u32) -> Option<u64> {
        let mut busy = self.tasks.iter().try_fold(self.background, |sum, t| sum.checked_add(t.cost))?;
        for _ in 0..steps {
            let more = |sum: u64, t: &DemandTask| sum.checked_add(busy.div_ceil(t.period).checked_mul(t.cost)?);
            let next = self.tasks.iter().try_fold(self.background, more)?;
            if next == busy {
                return Some(busy);
            }
            busy = next;
        }
        None
    }

    /// The first failing instant at or before `end`.
    #[allow(clippy::option_option)]
    fn first_failure(&self, end: u64) -> Result<Option<Option<u64>>, StepLimit> {
        if !self.fails_by(end)? {
            return Ok(None);
        }
        if self.fails_by(0)? {
            return Ok(Some(Some(0)));
        }
        let (mut fails, mut holds) = (end, 0);
        while fails - holds > 1 {
            let middle = holds + (fails - holds) / 2;
            if self.fails_by(middle)? {
                fails = middle;
            } else {
                holds = middle;
            }
        }
        Ok(Some(Some(fails)))
    }

    /// With a load above 1 the demand overtakes time at last.
    #[allow(clippy::option_option)]
    fn first_failure_of_an_overload(&self) -> Result<Option<Option<u64>>, StepLimit> {
        let mut end = self.tasks.last().map_or(1, |t| t.deadline.max(1));
        while !self.fails_by(end)? {
            match end.checked_mul(2) {
                Some(later) => end = later,
                None if end < u64::MAX => end = u64::MAX,
                None => return Ok(Some(None)),
            }
        }
        self.first_failure(end)
    }

    /// Whether demand and blocking exceed some instant up to `end`: QPA, from `end` downwards.
    fn fails_by(&self, end: u64) -> Result<bool, StepLimit> {
        let mut t = end;
        for _ in 0..MAX_STEPS {
            let count = self.due(t);
            if count == 0 {
                return Ok(false);
            }
            // Between two first deadlines the blocking is constant and the demand grows.
            let from = self.tasks[count - 1].deadline;
            let load = self.of_first(count, t).saturating_add(self.blocking[count]);
            if load > t {
                return Ok(true);
            }
            // No instant from `load` to `t` fails; below `from` the blocking may be longer.
            match load.max(from).checked_sub(1) {
                Some(next) => t = next,
                None => return Ok(false),
            }
        }
        Err(StepLimit)
    }

    /// The steps of demand and blocking up to and with `until`, for drawing; `None` if there are
    /// more than `most`.
    #[must_use]
    pub fn points(&self, until: u64, most: usize) -> Option<Vec<Point>> {
        let mut points = Vec::new();
        let mut t = 0;
        while let Some(next) = self.next_deadline(t, until) {
            if points.len() == most {
                return None;
            }
            points.push(Point { at: next, demand: self.at(next), blocking: self.blocking(next) });
            t = next.checked_add(1)?;
        }
        Some(points)
    }

    /// The first deadline from `from` to `until`.
    fn next_deadline(&self, from: u64, until: u64) -> Option<u64> {
        let next = |task: &DemandTask| {
            let jobs = from.saturating_sub(task.deadline).div_ceil(task.period);
            jobs.checked_mul(task.period)?.checked_add(task.deadline)
        };
        self.tasks.iter().filter_map(next).filter(|t| *t <= until).min()
    }
}
