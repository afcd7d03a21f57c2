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
use crate::units::{JobNo, OpId, Span, TaskId, Time};

/// What is kept under `edf`; nothing under other policies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Claims {
    /// Of the first pending job of each task.
    pub(super) ranks: Ranks,
    /// Tasks with a pending job whose server had nothing left when it was looked at last.
    used_up: Numbers,
    /// What producers inherit.
    pub(super) heirs: Heirs,
}

impl Claims {
    pub(super) fn new(scenario: &Scenario, residency: Residency) -> Self {
        if scenario.policy().kind.turns() != Turns::Deadlines || residency == Residency::Shared {
            return Self::default();
        }
        let tasks = scenario.tasks().len();
        Self { ranks: Ranks::empty(tasks), used_up: Numbers::below(tasks), heirs: Heirs::new(scenario) }
    }

    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        self.ranks.bytes() + self.used_up.bytes() + self.heirs.bytes()
    }

    /// The first task of the lowest rank.
    pub(super) fn first(&self) -> Option<TaskId> {
        self.ranks.first()
    }

    /// Whether two tasks have pending jobs of equal rank.
    pub(super) fn are_equal(&self, one: TaskId, other: TaskId) -> bool {
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

    /// The first task, in table order, with a pending job and a server that has nothing left.
    #[must_use]
    pub fn first_used_up(&self, trace: &Trace, now: Time) -> Option<TaskId> {
        let has_nothing_left = |task: TaskId| trace.scenario().has_server(task) && self.server(task, now).budget == Span::ZERO;
        let is_used_up = |&task: &TaskId| has_nothing_left(task) && self.first_pending(trace, task).is_some();
        let chosen = self.edf.chosen.map(|(task, _)| task).filter(is_used_up);
        [self.claims.used_up.from(0).map(TaskId::at), chosen].into_iter().flatten().min()
    }

    /// Whether producers inherit another deadline as soon as an operation, which is not issued yet, is. If
    /// its task's server is about to get a new deadline, they inherit that, in the next step.
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
        self.update_rank(trace, row.task);
        let is_first = self.task(row.task).job(info.job).is_some_and(|job| job.live == 1);
        if is_first && passes_on {
            self.pass_on(trace, row.task, info.job);
        }
    }

    /// An operation has completed and left its stream queue.
    pub(super) fn claim_completed(&mut self, trace: &Trace, op: OpId) {
        if self.keeps_claims() {
            self.update_rank(trace, trace.row_of(op).task);
        }
    }

    /// A job has supplied its consumers: theirs may no longer wait.
    pub(super) fn claim_supplied(&mut self, trace: &Trace, task: TaskId, job: JobNo) {
        if !self.keeps_claims() {
            return;
        }
        self.claims.heirs.forget(task, job);
        let scenario = trace.scenario();
        let mut freed = vec![task];
        self.work.add(scenario.task(task).consumers.len() as u64);
        for &consumer in &scenario.task(task).consumers {
            if self.task(consumer).job(job).is_some_and(|job| job.live > 0) {
                self.free_supplied(trace, consumer, job, &mut freed);
            }
        }
        self.work.add(freed.len() as u64);
        for task in freed {
            self.update_rank(trace, task);
        }
    }

    /// A task's server has another budget and another deadline.
    pub(super) fn claim_postponed(&mut self, trace: &Trace, task: TaskId) {
        if !self.keeps_claims() {
            return;
        }
        self.update_rank(trace, task);
        if trace.scenario().task(task).consumes.is_empty() {
            return;
        }
        let live: Vec<JobNo> = self.task(task).live_jobs().collect();
        self.work.add(live.len() as u64);
        for job in live {
            if !self.knows(task, job) {
                continue;
            }
            self.pass_on(trace, task, job);
        }
    }

    /// Looks again whether a task's server is used up.
    pub(super) fn claim_paid(&mut self, trace: &Trace, task: TaskId) {
        if self.keeps_claims() {
            self.note_budget(trace, task);
        }
    }

    /// Works out anew by what the first pending job of a task is ranked.
    pub(super) fn update_rank(&mut self, trace: &Trace, task: TaskId) {
        let rank = self.claim(trace, task, self.now).map(|claim| claim.rank(trace.variants()));
        self.claims.ranks.set(task, rank);
        self.note_budget(trace, task);
    }

    fn note_budget(&mut self, trace: &Trace, task: TaskId) {
        let is_empty = trace.scenario().has_server(task) && self.task(task).server.budget == Span::ZERO;
        if is_empty && self.claims.ranks.rank(task).is_some() {
            self.claims.used_up.insert(task.index());
        } else {
            self.claims.used_up.remove(task.index());
        }
    }

    /// The producers of a job inherit its own deadline, if it has one.
    pub(super) fn pass_on(&mut self, trace: &Trace, task: TaskId, job: JobNo) {
        if let Some(own) = self.own_deadline(trace, task, job, self.now) {
            self.bequeath(trace, task, job, own);
        }
    }
}
