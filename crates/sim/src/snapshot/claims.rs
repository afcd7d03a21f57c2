//! What the choice under `edf` is made from, kept while the state changes: the rank of every pending job
//! that competes, the servers that are used up, the deadlines that producers inherit.
//!
//! Depends on the rest of `snapshot`. Invariants: each of these is what [`Snapshot::claim`] would find by
//! looking at every task, with the variants of the run; a change costs the same
//! however many tasks there are, apart from those whose claims it changes. Source: docs/semantics.md,
//! sections 7 and 8.

use super::heirs::{Heir, Heirs};
use super::ranks::Ranks;
use super::{Numbers, Residency, Snapshot};
use crate::scenario::{Scenario, Turns};
use crate::trace::Trace;
use crate::units::{ClaimantId, JobNo, OpId, Span, TaskId, Time};

/// What is kept under `edf`; nothing under other policies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Claims {
    /// Of the first pending job of each claimant.
    pub(super) ranks: Ranks,
    /// Claimants with a pending job whose server had nothing left when it was looked at last.
    used_up: Numbers,
    /// What producers inherit.
    pub(super) heirs: Heirs,
}

impl Claims {
    pub(super) fn new(scenario: &Scenario, residency: Residency) -> Self {
        if scenario.policy().kind.turns() != Turns::Deadlines || residency == Residency::Shared {
            return Self::default();
        }
        let count = scenario.claimants().len();
        Self { ranks: Ranks::empty(count), used_up: Numbers::below(count), heirs: Heirs::new(scenario) }
    }

    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        self.ranks.bytes() + self.used_up.bytes() + self.heirs.bytes()
    }

    /// The first claimant of the lowest rank.
    pub(super) fn first(&self) -> Option<ClaimantId> {
        self.ranks.first()
    }

    /// Whether two claimants have pending jobs of equal rank.
    pub(super) fn are_equal(&self, one: ClaimantId, other: ClaimantId) -> bool {
        self.ranks.rank(one) == self.ranks.rank(other)
    }

    /// What a pending job inherits.
    pub(super) fn heir(&self, task: TaskId, job: JobNo) -> Option<Heir> {
        self.heirs.get(task, job)
    }
}

impl Snapshot {
    /// Whether the claims are kept, so that nobody need be asked for them.
    pub(super) fn keeps_claims(&self) -> bool {
        !self.claims.ranks.is_empty()
    }

    /// The first claimant, in their order, with a pending job and a server that has nothing left.
    #[must_use]
    pub fn first_used_up(&self, trace: &Trace, now: Time) -> Option<ClaimantId> {
        let has_nothing_left = |of: ClaimantId| trace.scenario().has_server(of) && self.server(of, now).budget == Span::ZERO;
        let is_used_up = |&of: &ClaimantId| has_nothing_left(of) && self.first_pending(trace, of).is_some();
        let chosen = self.edf.chosen.map(|(claimant, _)| claimant).filter(is_used_up);
        [self.claims.used_up.from(0).map(ClaimantId::at), chosen].into_iter().flatten().min()
    }

    /// Whether producers inherit another deadline as soon as an operation, which is not issued yet, is. If
    /// its claimant's server is about to get a new deadline, they inherit that, in the next step.
    pub(super) fn passes_deadlines_on(&self, trace: &Trace, op: OpId) -> bool {
        // Where signals take time, they inherit it when the manager knows of the job.
        let is_known_at_once = self.keeps_claims() && !self.signals.take_time();
        let consumes = is_known_at_once && !trace.scenario().task(trace.row_of(op).task).consumes.is_empty();
        consumes && !self.is_renewed_with(trace, op)
    }

    /// An operation has been issued.
    pub(super) fn claim_issued(&mut self, trace: &Trace, op: OpId, passes_on: bool) {
        if !self.keeps_claims() {
            return;
        }
        let (info, row) = (trace.op(op), trace.row_of(op));
        if trace.scenario().has_consumers(trace.scenario().task(row.task).process) {
            self.hold_issued(trace, op);
        }
        self.update_rank(trace, row.claimant);
        let is_first = self.claimant(row.claimant).job(info.job).is_some_and(|job| job.live == 1);
        if is_first && passes_on {
            self.pass_on(trace, row.claimant, info.job);
        }
    }

    /// An operation has completed and left its stream queue.
    pub(super) fn claim_completed(&mut self, trace: &Trace, op: OpId) {
        if self.keeps_claims() {
            self.update_rank(trace, trace.row_of(op).claimant);
        }
    }

    /// A job has supplied its consumers: theirs may no longer wait.
    pub(super) fn claim_supplied(&mut self, trace: &Trace, task: TaskId, job: JobNo) {
        if !self.keeps_claims() {
            return;
        }
        // Nobody waits for it, so what it inherits counts no longer.
        if !self.claims.heirs.is_empty() {
            self.claims.heirs.forget(task, job);
            self.update_rank(trace, task.into());
        }
        let scenario = trace.scenario();
        let mut freed = Vec::new();
        self.work.add(1 + scenario.task(task).consumers.len() as u64);
        for &consumer in &scenario.task(task).consumers {
            if self.task(consumer).job(job).is_some_and(|job| job.live > 0) {
                self.free_supplied(trace, consumer, job, &mut freed);
            }
        }
        self.work.add(freed.len() as u64);
        for claimant in freed {
            self.update_rank(trace, claimant);
        }
    }

    /// A server has another budget and another deadline.
    pub(super) fn claim_postponed(&mut self, trace: &Trace, claimant: ClaimantId) {
        if !self.keeps_claims() {
            return;
        }
        self.update_rank(trace, claimant);
        if trace.scenario().claims_for(claimant).consumes.is_empty() {
            return;
        }
        let live: Vec<JobNo> = self.claimant(claimant).live_jobs().collect();
        self.work.add(live.len() as u64);
        for job in live {
            if !self.knows(claimant, job) {
                continue;
            }
            self.pass_on(trace, claimant, job);
        }
    }

    /// Looks again whether a server is used up.
    pub(super) fn claim_paid(&mut self, trace: &Trace, claimant: ClaimantId) {
        if self.keeps_claims() {
            self.note_budget(trace, claimant);
        }
    }

    /// Works out anew by what the first pending job of a claimant is ranked.
    pub(super) fn update_rank(&mut self, trace: &Trace, claimant: ClaimantId) {
        let rank = self.claim(trace, claimant, self.now).map(|claim| claim.rank(trace.variants()));
        self.claims.ranks.set(claimant, rank);
        self.note_budget(trace, claimant);
    }

    fn note_budget(&mut self, trace: &Trace, claimant: ClaimantId) {
        let is_empty = trace.scenario().has_server(claimant) && self.claimant(claimant).server.budget == Span::ZERO;
        if is_empty && self.claims.ranks.rank(claimant).is_some() {
            self.claims.used_up.insert(claimant.index());
        } else {
            self.claims.used_up.remove(claimant.index());
        }
    }

    /// The producers of a job inherit its own deadline, if it has one.
    pub(super) fn pass_on(&mut self, trace: &Trace, claimant: ClaimantId, job: JobNo) {
        if let Some(own) = self.own_deadline(trace, claimant, job, self.now) {
            self.bequeath(trace, trace.scenario().claimant(claimant).task, job, own);
        }
    }
}
