//! What the choice under `edf` is made from, kept while the state changes: the rank of every pending job
//! that competes, the servers that are used up, the deadlines that producers inherit.
//!
//! Depends on the rest of `snapshot`. Invariants: each of these is what [`Snapshot::claim`] would find by
//! looking at every task, with the variants of the run; a change costs the same
//! however many tasks there are, apart from those whose claims it changes. Source: docs/semantics.md,
//! sections 7 and 8.

use std::collections::VecDeque;

use super::ranks::Ranks;
use super::{Numbers, Residency, Snapshot};
use crate::scenario::{Scenario, Turns};
use crate::trace::Trace;
use crate::units::{JobNo, OpId, Span, TaskId, Time};

/// A deadline that is inherited, and the consumer whose it is.
pub(super) type Heir = (Time, TaskId);

/// What is kept under `edf`; nothing under other policies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Claims {
    /// Of the first pending job of each task.
    ranks: Ranks,
    /// Tasks with a pending job whose server had nothing left when it was looked at last.
    used_up: Numbers,
    /// By task; empty where nobody consumes anything.
    heirs: Vec<Heirs>,
}

/// What the jobs of a producer inherit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Heirs {
    /// The job that the first entry is of.
    first: u32,
    by_job: VecDeque<Option<Heir>>,
}

impl Heirs {
    fn get(&self, job: JobNo) -> Option<Heir> {
        *self.by_job.get(job.0.checked_sub(self.first)? as usize)?
    }

    fn set(&mut self, job: JobNo, heir: Option<Heir>) {
        if self.by_job.is_empty() {
            self.first = job.0;
        }
        while job.0 < self.first {
            self.by_job.push_front(None);
            self.first -= 1;
        }
        let place = (job.0 - self.first) as usize;
        if place >= self.by_job.len() {
            self.by_job.resize(place + 1, None);
        }
        self.by_job[place] = heir;
    }
}

impl Claims {
    pub(super) fn new(scenario: &Scenario, residency: Residency) -> Self {
        if scenario.policy().kind.turns() != Turns::Deadlines || residency == Residency::Shared {
            return Self::default();
        }
        let tasks = scenario.tasks().len();
        let consumes = scenario.tasks().iter().any(|task| !task.consumes.is_empty());
        Self { ranks: Ranks::of(tasks), used_up: Numbers::below(tasks), heirs: vec![Heirs::default(); if consumes { tasks } else { 0 }] }
    }

    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        let heirs = self.heirs.iter().map(|h| size_of_val(h) + h.by_job.len() * size_of::<Option<Heir>>());
        self.ranks.bytes() + self.used_up.bytes() + heirs.sum::<usize>()
    }

    /// The first task of the lowest rank.
    pub(super) fn first(&self) -> Option<TaskId> {
        self.ranks.first()
    }

    /// Whether two tasks have pending jobs of equal rank.
    pub(super) fn are_equal(&self, one: TaskId, other: TaskId) -> bool {
        self.ranks.rank(one) == self.ranks.rank(other)
    }

    /// What a job inherits.
    pub(super) fn heir(&self, task: TaskId, job: JobNo) -> Option<Heir> {
        self.heirs.get(task.index())?.get(job)
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
        let consumes = self.keeps_claims() && !trace.scenario().task(trace.row_of(op).task).consumes.is_empty();
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
            let passed_on = self.claims.heir(row.task, info.job);
            self.bequeath(trace, row.task, info.job, passed_on, self.contribution(trace, row.task, info.job));
        }
    }

    /// An operation has completed and left its stream queue.
    pub(super) fn claim_completed(&mut self, trace: &Trace, op: OpId) {
        if self.keeps_claims() {
            self.update_rank(trace, trace.row_of(op).task);
        }
    }

    /// A job has completed: those of its consumers may no longer wait.
    pub(super) fn claim_job_completed(&mut self, trace: &Trace, task: TaskId, job: JobNo) {
        if !self.keeps_claims() {
            return;
        }
        self.forget_heirs(task, job);
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

    /// A task's server has another budget and another deadline than `before`.
    pub(super) fn claim_postponed(&mut self, trace: &Trace, task: TaskId, before: Time) {
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
            let (passed_on, new) = (self.claims.heir(task, job), self.contribution(trace, task, job));
            let old = [Some((before, task)), passed_on].into_iter().flatten().min();
            // The same deadline once more may be one that nobody inherits yet: that of an arrival.
            self.bequeath(trace, task, job, if old == new { passed_on } else { old }, new);
        }
    }

    /// Looks again whether a task's server is used up.
    pub(super) fn claim_paid(&mut self, trace: &Trace, task: TaskId) {
        if self.keeps_claims() {
            self.note_budget(trace, task);
        }
    }

    /// Works out anew by what the first pending job of a task is ranked.
    fn update_rank(&mut self, trace: &Trace, task: TaskId) {
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

    /// What the producers of a job inherit from it: its own deadline, if anything of it is issued and
    /// incomplete, or what it inherits itself.
    fn contribution(&self, trace: &Trace, task: TaskId, job: JobNo) -> Option<Heir> {
        let is_live = self.task(task).job(job).is_some_and(|job| job.live > 0);
        let own = if is_live { self.own_deadline(trace, task, job, self.now) } else { None };
        [own.map(|own| (own, task)), self.claims.heir(task, job)].into_iter().flatten().min()
    }

    /// What the producers of a job inherit from it is no longer `old` but `new`: they pass it on.
    fn bequeath(&mut self, trace: &Trace, task: TaskId, job: JobNo, old: Option<Heir>, new: Option<Heir>) {
        let scenario = trace.scenario();
        let mut changes = vec![(task, old, new)];
        while let Some((task, old, new)) = changes.pop() {
            if old == new {
                continue;
            }
            // Through these all others hear of it.
            let producers = scenario.next_producers(task);
            self.work.add(1 + producers.len() as u64);
            for &producer in producers {
                let heir = self.claims.heir(producer, job);
                let is_earlier = new.is_some_and(|new| heir.is_none_or(|heir| new < heir));
                // Most have inherited it from another one already. What was this consumer's may now be another one's.
                if !is_earlier && (heir.is_none() || heir != old) || self.job_complete(producer, job) {
                    continue;
                }
                let next = if is_earlier {
                    new
                } else {
                    let consumers = scenario.next_consumers(producer);
                    self.work.add(consumers.len() as u64);
                    consumers.iter().filter_map(|&consumer| self.contribution(trace, consumer, job)).min()
                };
                if next == heir {
                    continue;
                }
                let passed_on = self.contribution(trace, producer, job);
                self.claims.heirs[producer.index()].set(job, next);
                changes.push((producer, passed_on, self.contribution(trace, producer, job)));
                if self.claims.ranks.rank(producer).is_some() {
                    self.update_rank(trace, producer);
                }
            }
        }
    }

    /// What a complete job has inherited is of no use to anybody.
    fn forget_heirs(&mut self, task: TaskId, job: JobNo) {
        let Some(heirs) = self.claims.heirs.get_mut(task.index()) else { return };
        if heirs.get(job).is_some() {
            heirs.set(job, None);
        }
        let tasks = &self.tasks[task.index()];
        while !heirs.by_job.is_empty() && heirs.first < tasks.released && tasks.job(JobNo(heirs.first)).is_none() {
            heirs.by_job.pop_front();
            heirs.first += 1;
        }
    }
}
