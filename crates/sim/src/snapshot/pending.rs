//! Which jobs are pending under `edf`, and by which deadline or priority each is scheduled.
//!
//! Depends on the rest of `snapshot`. Invariants: of one claimant only the first pending job counts;
//! its deadline is never later than that of a later one, inherited deadlines included, because a
//! job is waited for only after its predecessors. Source: [EDF] section IV-A; docs/semantics.md, sections 7
//! and 8.

use super::Snapshot;
use crate::scenario::Class;
use crate::trace::{Trace, Variant, Variants};
use crate::units::{ClaimantId, JobNo, TaskId, Time};

/// A pending job, and what it is ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose it is.
    pub claimant: ClaimantId,
    /// The task that issues it.
    pub task: TaskId,
    /// Its number.
    pub job: JobNo,
    /// The absolute deadline that scheduling uses; `None` of best-effort work.
    pub deadline: Option<Time>,
    /// The consumer whose deadline that is, if it is inherited and earlier than the job's own.
    pub inherited_from: Option<TaskId>,
    /// Who is at the head of its chain: the consumer whose deadline is inherited, if that is not later than the job's own; else its own.
    pub head: ClaimantId,
    priority: i64,
}

impl Claim {
    /// What goes first, with these variants of the rules, has the lower rank. Of equal ones the job that
    /// is chosen already goes first, then the lower claimant: see [`Snapshot::choice`].
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
    /// The choice (docs/semantics.md, section 4, lines 30 to 33) at an instant that is not earlier than the last step: the earliest
    /// deadline, else the first in priority; of equal ones the job that is chosen already, then the
    /// lower claimant. Of a chain that stays resident, the job whose turn it is.
    #[must_use]
    pub fn choice(&self, trace: &Trace, variants: Variants, now: Time) -> Option<Claim> {
        let is_other = |variant| variants.has(variant) != trace.variants().has(variant);
        if is_other(Variant::FixedPriority) || is_other(Variant::NoInheritance) {
            let claims = self.claimants().filter_map(|claimant| self.claim_with(trace, variants, claimant, now));
            let first = claims.min_by_key(|claim| self.order_of(claim, variants))?;
            return Some(self.in_turn(trace, variants, first, now));
        }
        let lowest = self.claims.first()?;
        let mut first = self.claim_with(trace, variants, lowest, now)?;
        // Line 32: of equal ranks the job that is chosen already goes on.
        for (chosen, _) in [self.edf.chosen, self.edf.drains_for].into_iter().flatten() {
            if chosen != lowest
                && self.claims.are_equal(chosen, lowest)
                && let Some(claim) = self.claim_with(trace, variants, chosen, now)
                && self.order_of(&claim, variants) < self.order_of(&first, variants)
            {
                first = claim;
            }
        }
        Some(self.in_turn(trace, variants, first, now))
    }

    /// What pending jobs are served in the order of (lines 31 and 32).
    #[must_use]
    #[inline]
    pub fn order_of(&self, claim: &Claim, variants: Variants) -> ((bool, u64), bool, ClaimantId) {
        (claim.rank(variants), !self.is_chosen(claim.claimant, claim.job), claim.claimant)
    }

    /// Whether a job is the one chosen last, or the one for which the resident process drains.
    #[must_use]
    #[inline]
    pub fn is_chosen(&self, claimant: ClaimantId, job: JobNo) -> bool {
        [self.edf.chosen, self.edf.drains_for].contains(&Some((claimant, job)))
    }

    /// The first pending job of a claimant at an instant that is not earlier than the last step.
    #[must_use]
    pub fn claim(&self, trace: &Trace, claimant: impl Into<ClaimantId>, now: Time) -> Option<Claim> {
        self.claim_with(trace, trace.variants(), claimant.into(), now)
    }

    /// The same, ranked with these variants of the rules.
    #[must_use]
    #[inline]
    pub fn claim_with(&self, trace: &Trace, variants: Variants, claimant: ClaimantId, now: Time) -> Option<Claim> {
        let job = self.first_pending(trace, claimant)?;
        let own = self.own_deadline(trace, claimant, job, now);
        let task = trace.scenario().claimant(claimant).task;
        // Nobody waits any more for a job that is complete, which the manager may not know yet.
        let is_waited_for = !self.signals.take_time() || !self.has_supplied(task, job);
        let inherits = is_waited_for && !variants.has(Variant::NoInheritance);
        let inherited = if inherits { self.claims.heir(task, job) } else { None };
        let head =
            inherited.filter(|&(inherited, _)| own.is_none_or(|own| inherited <= own)).map_or(claimant, |(_, consumer)| consumer.into());
        let inherited = inherited.filter(|&(inherited, _)| own.is_none_or(|own| inherited < own));
        Some(Claim {
            claimant,
            task,
            job,
            deadline: inherited.map_or(own, |(deadline, _)| Some(deadline)),
            inherited_from: inherited.map(|(_, consumer)| consumer),
            head,
            priority: trace.scenario().task(task).priority,
        })
    }

    /// Line 30: the first job of a claimant with an issued, incomplete operation that does not wait for a producer, as far as the manager knows
    /// (docs/semantics.md, section 7); none of a process that was reset.
    #[must_use]
    pub fn first_pending(&self, trace: &Trace, claimant: impl Into<ClaimantId>) -> Option<JobNo> {
        let claimant = claimant.into();
        let task = trace.scenario().claimant(claimant).task;
        if self.is_reset(trace, task) {
            return None;
        }
        if self.signals.take_time() {
            return self.signals.known(claimant).find(|&job| self.is_pending(trace, claimant, job));
        }
        if trace.scenario().has_consumers(trace.scenario().task(task).process) {
            return self.first_free(claimant);
        }
        self.claimant(claimant).first_live_job()
    }

    /// Whether a job has an issued, incomplete operation that does not wait for a producer. Where signals take time, it has to be known,
    /// and counts until signal B has arrived.
    #[must_use]
    pub fn is_pending(&self, trace: &Trace, claimant: ClaimantId, job: JobNo) -> bool {
        let task = trace.scenario().claimant(claimant).task;
        let open = self.claimant(claimant).job(job);
        if self.is_reset(trace, task) {
            return false;
        }
        if self.signals.take_time() && (!self.knows(claimant, job) || open.is_none_or(|open| open.live == 0)) {
            return self.knows(claimant, job);
        }
        let has_consumers = trace.scenario().has_consumers(trace.scenario().task(task).process);
        open.is_some_and(|open| open.live > 0 && (!has_consumers || open.is_free()))
    }

    /// The deadline of a real-time job: its server's, or without servers its own.
    pub(super) fn own_deadline(&self, trace: &Trace, claimant: ClaimantId, job: JobNo, now: Time) -> Option<Time> {
        let scenario = trace.scenario();
        if scenario.claims_for(claimant).class != Class::RealTime {
            return None;
        }
        if scenario.has_server(claimant) {
            return Some(self.server(claimant, now).deadline);
        }
        let release = self.claimant(claimant).job(job).map(|open| open.release).or_else(|| self.signals.release(claimant, job))?;
        release.after(scenario.claimant(claimant).deadline?)
    }
}
