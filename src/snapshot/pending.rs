//! Which jobs are pending under `edf`, and by which deadline or priority each is scheduled.
//!
//! Depends on the rest of `snapshot`. Invariants: of one task only the first pending job counts;
//! its deadline is never later than that of a later one, inherited deadlines included, because a
//! job is waited for only after its predecessors. Source: [EDF] section IV-A; docs/semantics.md, sections 7
//! and 8.

use std::collections::BTreeMap;

use super::Snapshot;
use crate::scenario::Class;
use crate::trace::{Trace, Variant, Variants};
use crate::units::{JobNo, OpId, SpaceId, StreamId, TaskId, Time};

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
    /// lower task (docs/semantics.md, section 7).
    #[must_use]
    pub fn choice(&self, trace: &Trace, variants: Variants, now: Time) -> Option<Claim> {
        let is_other = |variant| variants.has(variant) != trace.variants().has(variant);
        if !self.keeps_claims() || is_other(Variant::FixedPriority) || is_other(Variant::NoInheritance) {
            let claims = self.pending_jobs(trace).into_iter().map(|(task, job)| self.claim_of(trace, variants, (task, job), now));
            return claims.min_by_key(|claim| self.order_of(claim, variants));
        }
        let first = self.claims.first()?;
        let chosen = [self.edf.chosen.map(|(task, _)| task), self.edf.drains_for].into_iter().flatten();
        let as_good = chosen.filter(|&task| task != first && self.claims.are_equal(task, first));
        let claims = [first].into_iter().chain(as_good).filter_map(|task| self.claim_with(trace, variants, task, now));
        claims.min_by_key(|claim| self.order_of(claim, variants))
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
        self.edf.chosen == Some((task, job)) || self.edf.drains_for == Some(task)
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
        Some(self.claim_of(trace, variants, (task, self.first_pending(trace, task)?), now))
    }

    fn claim_of(&self, trace: &Trace, variants: Variants, (task, job): (TaskId, JobNo), now: Time) -> Claim {
        let own = self.own_deadline(trace, task, job, now);
        let inherits = !variants.has(Variant::NoInheritance);
        let inherited = if inherits { self.inherited_deadline(trace, task, job, now) } else { None };
        let inherited = inherited.filter(|&(inherited, _)| own.is_none_or(|own| inherited < own));
        Claim {
            task,
            job,
            deadline: inherited.map_or(own, |(deadline, _)| Some(deadline)),
            inherited_from: inherited.map(|(_, consumer)| consumer),
            priority: trace.scenario().task(task).priority,
        }
    }

    /// Each task that has a pending job with the first of them, in table order.
    pub(super) fn pending_jobs(&self, trace: &Trace) -> Vec<(TaskId, JobNo)> {
        let scenario = trace.scenario();
        // Where all operations of an address space have to be looked at, that is done once.
        let mut in_order = BTreeMap::new();
        let mut first = |task: TaskId| {
            let process = scenario.task(task).process;
            if self.keeps_claims() || !scenario.has_further_order() || !scenario.has_consumers(process) {
                return self.first_pending(trace, task);
            }
            let free = in_order.entry(process).or_insert_with(|| self.free_jobs_in_order(trace, SpaceId(process.0)));
            free.get(&task).copied()
        };
        self.live_tasks().filter_map(|task| Some((task, first(task)?))).collect()
    }

    /// The first job of a task with an issued, incomplete operation that does not wait for a producer.
    #[must_use]
    pub fn first_pending(&self, trace: &Trace, task: TaskId) -> Option<JobNo> {
        let scenario = trace.scenario();
        let mut live = self.task(task).live_jobs();
        let process = scenario.task(task).process;
        if !scenario.has_consumers(process) {
            return live.next();
        }
        if self.keeps_claims() {
            return self.first_free(task);
        }
        live.find(|&job| self.has_free_operation(trace, SpaceId(process.0), task, job))
    }

    /// Whether a job has an issued, incomplete operation that does not wait for a producer.
    #[must_use]
    pub fn is_pending(&self, trace: &Trace, task: TaskId, job: JobNo) -> bool {
        let process = trace.scenario().task(task).process;
        let Some(open) = self.task(task).job(job).filter(|open| open.live > 0) else { return false };
        if !trace.scenario().has_consumers(process) {
            return true;
        }
        if self.keeps_claims() { open.is_free() } else { self.has_free_operation(trace, SpaceId(process.0), task, job) }
    }

    /// Whether one of the job's operations stands before everything that waits in its stream queue.
    fn has_free_operation(&self, trace: &Trace, space: SpaceId, task: TaskId, job: JobNo) -> bool {
        if trace.scenario().has_further_order() {
            return self.has_free_operation_in_order(trace, space, task, job);
        }
        let space = trace.layout().space(space);
        let null = space.null.filter(|_| !trace.variants().has(Variant::NoNullBarrier));
        let held_up_by_null = null.and_then(|null| self.first_waiting_in_null(trace, null, &space.streams));
        space.streams.iter().any(|&stream| {
            let barrier = if null == Some(stream) {
                held_up_by_null
            } else {
                [self.first_without_producer(trace, stream), held_up_by_null].into_iter().flatten().min()
            };
            let mut free = self.stream(stream).queue.iter().take_while(|&&op| barrier.is_none_or(|barrier| op < barrier));
            free.any(|&op| trace.op(op).job == job && trace.row_of(op).task == task)
        })
    }

    /// The first operation of the NULL stream that waits: for its own producers, or because
    /// something launched before it in any stream does.
    fn first_waiting_in_null(&self, trace: &Trace, null: StreamId, streams: &[StreamId]) -> Option<OpId> {
        let earliest = streams.iter().filter_map(|&stream| self.first_without_producer(trace, stream)).min()?;
        self.stream(null).queue.iter().copied().find(|&op| op >= earliest)
    }

    /// The first operation of a stream queue whose job waits for a producer.
    fn first_without_producer(&self, trace: &Trace, stream: StreamId) -> Option<OpId> {
        self.stream(stream).queue.iter().copied().find(|&op| self.missing_producer(trace, op).is_some())
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
        self.task(task).job(job)?.release.after(info.deadline?)
    }

    /// The earliest deadline of the consumers' jobs that wait for this one, directly or through
    /// others, and whose it is.
    fn inherited_deadline(&self, trace: &Trace, task: TaskId, job: JobNo, now: Time) -> Option<(Time, TaskId)> {
        if self.keeps_claims() {
            return self.claims.heir(task, job);
        }
        let scenario = trace.scenario();
        let mut earliest: Option<(Time, TaskId)> = None;
        let mut reached = scenario.next_consumers(task).to_vec();
        let mut is_reached = vec![false; scenario.tasks().len()];
        reached.iter().for_each(|consumer| is_reached[consumer.index()] = true);
        let mut next = 0;
        while let Some(&consumer) = reached.get(next) {
            next += 1;
            if self.job_complete(consumer, job) {
                continue;
            }
            if self.task(consumer).job(job).is_some_and(|j| j.live > 0) {
                let deadline = self.own_deadline(trace, consumer, job, now).map(|deadline| (deadline, consumer));
                earliest = [earliest, deadline].into_iter().flatten().min();
            }
            for &further in scenario.next_consumers(consumer) {
                if !std::mem::replace(&mut is_reached[further.index()], true) {
                    reached.push(further);
                }
            }
        }
        earliest
    }
}
