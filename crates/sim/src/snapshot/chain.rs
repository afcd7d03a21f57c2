//! Chains that stay resident: whose processes are on one runlist, and which of them is next.
//!
//! Depends on the rest of `snapshot`. Invariants: a chain has a consumer at its head, and all of it is scheduled with that one's deadline;
//! what is not in a chain is one by itself. Sources: [EDF] section IV-A; docs/semantics.md, section 8, and section 4, line 33.

use std::collections::BTreeSet;

use super::{Claim, Residency, Snapshot};
use crate::scenario::Chain;
use crate::trace::{Trace, Variants};
use crate::units::{ClaimantId, JobNo, SpaceId, TaskId, Time};

impl Snapshot {
    /// Whether a job takes no turns: its chain does not stay resident, or all of that but the job, which waits for no producer, is complete.
    fn is_alone(trace: &Trace, claim: &Claim) -> bool {
        trace.scenario().policy().chain == Chain::One || claim.head == claim.claimant
    }

    /// Pending jobs of a chain that stays resident which have work, in table order. Cost: the tasks that may be chosen.
    fn takers(&self, trace: &Trace, variants: Variants, of: &Claim, now: Time) -> Vec<Claim> {
        let claims = self.claimants().filter_map(|claimant| self.claim_with(trace, variants, claimant, now));
        let is_of_it = |claim: &Claim| (claim.head, claim.job, claim.rank(variants)) == (of.head, of.job, of.rank(variants));
        let has_work = |claim: &Claim| self.claimant(claim.claimant).job(claim.job).is_some_and(|open| open.live > 0);
        claims.filter(is_of_it).filter(has_work).collect()
    }

    /// Line 33: the job of a chain whose turn it is, if this one goes before all others: one of the process that has the turn, or else of the
    /// next process in table order, cyclically.
    pub(super) fn in_turn(&self, trace: &Trace, variants: Variants, first: Claim, now: Time) -> Claim {
        if Self::is_alone(trace, &first) {
            return first;
        }
        let takers = self.takers(trace, variants, &first, now);
        let count = trace.scenario().processes().len();
        let from = match self.residency() {
            Residency::Resident { space, .. } | Residency::Submitting { to: space, .. } | Residency::Switching { to: space, .. } => {
                space.index()
            }
            Residency::Idle { last, .. } => last.map_or(0, |last| last.index() + 1),
            Residency::Shared => 0,
        };
        let distance = |claim: &Claim| (space_of(trace, claim.task).index() + count - from % count) % count;
        takers.into_iter().min_by_key(|claim| (distance(claim), self.order_of(claim, variants))).unwrap_or(first)
    }

    /// Whether the chain of the chosen job, whose process this is, has work in another one.
    pub(super) fn shares_its_turn(&self, trace: &Trace, space: SpaceId, now: Time) -> bool {
        if trace.scenario().policy().chain == Chain::One {
            return false;
        }
        let is_elsewhere = |claim: &Claim| space_of(trace, claim.task) != space;
        self.chosen_claim(trace, now).is_some_and(|chosen| {
            if Self::is_alone(trace, &chosen) {
                return is_elsewhere(&chosen);
            }
            self.takers(trace, trace.variants(), &chosen, now).iter().any(is_elsewhere)
        })
    }

    /// Whether the runlist that was submitted last has the chosen job's chain on it, so that none is submitted for its process.
    #[must_use]
    pub fn is_listed(&self, trace: &Trace, now: Time) -> bool {
        self.edf().listed.is_some() && self.chosen_chain(trace, now) == self.edf().listed
    }

    /// The head of the chosen job's chain, where it stays resident.
    pub(super) fn chosen_chain(&self, trace: &Trace, now: Time) -> Option<(ClaimantId, JobNo)> {
        if trace.scenario().policy().chain == Chain::One {
            return None;
        }
        self.chosen_claim(trace, now).map(|claim| (claim.head, claim.job))
    }

    fn chosen_claim(&self, trace: &Trace, now: Time) -> Option<Claim> {
        let (claimant, job) = self.edf().chosen?;
        self.claim(trace, claimant, now).filter(|claim| claim.job == job)
    }

    /// Processes on the runlist of the chosen job, in table order: that of its chain's head, and those of all producers for which this one
    /// waits; only its own where the chain does not stay resident. If no job is chosen, what is left of the chain that was served last, unless
    /// its process has drained for another one.
    /// Cost: the chain, once for each way through it at most.
    #[must_use]
    pub fn listed_processes(&self, trace: &Trace, now: Time) -> Vec<SpaceId> {
        let is_open = |&(head, job): &(ClaimantId, JobNo)| {
            !self.has_supplied(trace.scenario().claimant(head).task, job) && self.edf().drains_for.is_none()
        };
        let chain = match self.edf().chosen {
            Some(_) => self.chosen_chain(trace, now),
            None => self.edf().listed.filter(is_open),
        };
        let Some((head, job)) = chain else {
            return self.edf().chosen.map(|(claimant, _)| claimed(trace, claimant)).into_iter().collect();
        };
        let (mut found, mut left) = (BTreeSet::new(), vec![trace.scenario().claimant(head).task]);
        while let Some(task) = left.pop() {
            if found.insert(task) {
                let producers = trace.scenario().task(task).consumes.iter();
                left.extend(producers.filter(|&&producer| !self.has_supplied(producer, job)));
            }
        }
        let processes: BTreeSet<SpaceId> = found.into_iter().map(|task| space_of(trace, task)).collect();
        processes.into_iter().collect()
    }
}

/// The address space of what a claimant claims.
fn claimed(trace: &Trace, claimant: ClaimantId) -> SpaceId {
    SpaceId(trace.scenario().claims_for(claimant).process.0)
}

/// Every process has an address space of its own.
fn space_of(trace: &Trace, task: TaskId) -> SpaceId {
    SpaceId(trace.scenario().task(task).process.0)
}
