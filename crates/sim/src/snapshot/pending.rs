//! Which jobs are pending under `edf`, and by which deadline or priority each is scheduled.
//!
//! Depends on the rest of `snapshot`. Invariants: of one task only the first pending job counts;
//! its deadline is never later than that of a later one, inherited deadlines included, because a
//! job is waited for only after its predecessors. Source: [EDF] section IV-A; docs/semantics.md, sections 7
//! and 8.

use super::Snapshot;
use crate::scenario::Class;
use crate::trace::{Trace, Variant, Variants};
use crate::units::{JobNo, TaskId, Time};

/// A pending job, and what it is ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its task.
    pub task: TaskId,
    /// Its number.
    pub job: JobNo,
    /// The absolute deadline that scheduling uses; `None` of best effort.
    pub deadline: Option<Time>,
    /// The consumer whose deadline that is, if it is inherited and earlier than the job's own.
    pub inherited_from: Option<TaskId>,
    /// The task at the head of its chain: the consumer whose deadline is inherited, if that is not later than the job's own; else its own.
    pub head: TaskId,
    priority: i64,
}

impl Claim {
    /// What goes first, with these variants of the rules, has the lower rank. Of equal ones the job that
    /// is chosen already goes first, then the lower task: see [`Snapshot::choice`].
    #[must_use]
    #[inline]
    pub fn rank(&self, variants: Variants) -> (bool, u64) {
        match self.deadline {
            Some(_) if variants.has(Variant::FixedPriority) => (false, self.task.0.into()),
            Some(deadline) => (false, deadline.ns()),
            // In the order of the numbers, the negative ones first.
            None => (true, self.priority as u64 ^ (1 << 63)),
        }
    }
}

impl Snapshot {
    /// The pending job to serve at an instant that is not earlier than the last step: the earliest
    /// deadline, else the first in priority; of equal ones the job that is chosen already, then the
    /// lower task (docs/semantics.md, section 7). Of a chain that stays resident, the job whose turn it is (section 8).
    #[must_use]
    pub fn choice(&self, trace: &Trace, variants: Variants, now: Time) -> Option<Claim> {
        let is_other = |variant| variants.has(variant) != trace.variants().has(variant);
        if is_other(Variant::FixedPriority) || is_other(Variant::NoInheritance) {
            let claims = self.claimants().filter_map(|task| self.claim_with(trace, variants, task, now));
            let first = claims.min_by_key(|claim| self.order_of(claim, variants))?;
            return Some(self.in_turn(trace, variants, first, now));
        }
        let first = self.claims.first()?;
        let chosen = [self.edf.chosen, self.edf.drains_for].into_iter().flatten().map(|(task, _)| task);
        let as_good = chosen.filter(|&task| task != first && self.claims.are_equal(task, first));
        let claims = [first].into_iter().chain(as_good).filter_map(|task| self.claim_with(trace, variants, task, now));
        let first = claims.min_by_key(|claim| self.order_of(claim, variants))?;
        Some(self.in_turn(trace, variants, first, now))
    }

    /// What pending jobs are served in the order of.
    #[must_use]
    #[inline]
    pub fn order_of(&self, claim: &Claim, variants: Variants) -> ((bool, u64), bool, TaskId) {
        (claim.rank(variants), !self.is_chosen(claim.task, claim.job), claim.task)
    }

    /// Whether a job is the one chosen last, or the one for which the resident process drains.
    #[must_use]
    #[inline]
    pub fn is_chosen(&self, task: TaskId, job: JobNo) -> bool {
        self.edf.chosen == Some((task, job)) || self.edf.drains_for == Some((task, job))
    }

    /// The first pending job of a task at an instant that is not earlier than the last step.
    #[must_use]
    pub fn claim(&self, trace: &Trace, task: TaskId, now: Time) -> Option<Claim> {
        self.claim_with(trace, trace.variants(), task, now)
    }

    /// The same, ranked with these variants of the rules.
    #[must_use]
    #[inline]
    pub fn claim_with(&self, trace: &Trace, variants: Variants, task: TaskId, now: Time) -> Option<Claim> {
        let job = self.first_pending(trace, task)?;
        let own = self.own_deadline(trace, task, job, now);
        // Nobody waits any more for a job that is complete, which the manager may not know yet.
        let is_waited_for = !self.signals.take_time() || !self.has_supplied(task, job);
        let inherits = is_waited_for && !variants.has(Variant::NoInheritance);
        let inherited = if inherits { self.claims.heir(task, job) } else { None };
        let head = inherited.filter(|&(inherited, _)| own.is_none_or(|own| inherited <= own)).map_or(task, |(_, consumer)| consumer);
        let inherited = inherited.filter(|&(inherited, _)| own.is_none_or(|own| inherited < own));
        Some(Claim {
            task,
            job,
            deadline: inherited.map_or(own, |(deadline, _)| Some(deadline)),
            inherited_from: inherited.map(|(_, consumer)| consumer),
            head,
            priority: trace.scenario().task(task).priority,
        })
    }

    /// The first job of a task with an issued, incomplete operation that does not wait for a producer, as far as the manager knows
    /// (docs/semantics.md, section 7); none of a process that was reset.
    #[must_use]
    pub fn first_pending(&self, trace: &Trace, task: TaskId) -> Option<JobNo> {
        if self.is_reset(trace, task) {
            return None;
        }
        if self.signals.take_time() {
            return self.signals.known(task).find(|&job| self.is_pending(trace, task, job));
        }
        if trace.scenario().has_consumers(trace.scenario().task(task).process) {
            return self.first_free(task);
        }
        self.task(task).live_jobs().next()
    }

    /// Whether a job has an issued, incomplete operation that does not wait for a producer. Where signals take time, it has to be known,
    /// and counts until signal B has arrived.
    #[must_use]
    pub fn is_pending(&self, trace: &Trace, task: TaskId, job: JobNo) -> bool {
        if self.is_reset(trace, task) {
            return false;
        }
        if self.signals.take_time() && (!self.knows(task, job) || self.task(task).job(job).is_none_or(|open| open.live == 0)) {
            return self.knows(task, job);
        }
        let has_consumers = trace.scenario().has_consumers(trace.scenario().task(task).process);
        self.task(task).job(job).is_some_and(|open| open.live > 0 && (!has_consumers || open.is_free()))
    }

    /// The deadline of a real-time job: its server's, or without servers its own.
    pub(super) fn own_deadline(&self, trace: &Trace, task: TaskId, job: JobNo, now: Time) -> Option<Time> {
        let scenario = trace.scenario();
        let info = scenario.task(task);
        if info.class != Class::RealTime {
            return None;
        }
        if scenario.has_server(task) {
            return Some(self.server(task, now).deadline);
        }
        let release = self.task(task).job(job).map(|open| open.release).or_else(|| self.signals.release(task, job))?;
        release.after(info.deadline?)
    }
}
