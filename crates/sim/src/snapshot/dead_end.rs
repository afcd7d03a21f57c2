//! Work that can never complete, because what it waits for never does: a circle of waits, a job that is never released, or a process
//! that was reset.
//!
//! Depends on the rest of `snapshot`. Invariant: whatever else is on the device or in an EE or CE queue goes on some time, as does a CPU
//! thread that does not wait; so what is said to be stuck is. Source: docs/semantics.md, section 9.

use std::collections::BTreeMap;

use super::Snapshot;
use crate::scenario::Release;
use crate::trace::{Trace, Variant};
use crate::units::{JobNo, OpId, RowId, SpaceId, TaskId};

/// Something that waits, or that something waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stuck {
    /// An operation.
    Op(OpId),
    /// The operations of a job, or what it has instead (docs/semantics.md, section 8).
    Work(TaskId, JobNo),
    /// A job with all its calls.
    Job(TaskId, JobNo),
    /// A call in which a CPU thread waits.
    Call(TaskId, RowId, JobNo),
    /// A job that is never released.
    Never(TaskId, JobNo),
    /// An address space that the watchdog has reset.
    Reset(SpaceId),
}

impl Stuck {
    /// Whether it waits for nothing: it never comes.
    const fn is_final(self) -> bool {
        matches!(self, Self::Never(..) | Self::Reset(_))
    }
}

/// How far a chain of waits is followed.
const MOST_LINKS: usize = 32;

/// What was found out of something.
#[derive(Clone, Copy)]
enum Fate {
    /// It is being looked at.
    Open,
    GoesOn,
    /// It waits for this, which never completes.
    IsStuck(Stuck),
}

impl Snapshot {
    /// If some work can never complete: the first of it, what that waits for, and so on, until something comes again or never comes,
    /// at most 32 of them. Looks at everything that is incomplete.
    #[must_use]
    pub fn dead_end(&self, trace: &Trace) -> Option<Vec<Stuck>> {
        let mut search = Search { trace, state: self, open: BTreeMap::new(), fates: BTreeMap::new() };
        let ops: Vec<OpId> = self.streams.iter().flat_map(|stream| stream.queue.iter().copied()).collect();
        for &op in &ops {
            search.open.entry((trace.row_of(op).task, trace.op(op).job)).or_default().push(op);
        }
        let calls = (0..trace.scenario().tasks().len()).map(TaskId::at).filter_map(|task| self.call_of(task));
        ops.into_iter().map(Stuck::Op).chain(calls).find_map(|what| search.chain_from(what))
    }

    /// The call in which the CPU thread of a task waits.
    fn call_of(&self, task: TaskId) -> Option<Stuck> {
        self.task(task).host.as_ref().map(|wait| Stuck::Call(task, wait.row, wait.job))
    }
}

struct Search<'a> {
    trace: &'a Trace,
    state: &'a Snapshot,
    /// Issued, incomplete operations by job.
    open: BTreeMap<(TaskId, JobNo), Vec<OpId>>,
    fates: BTreeMap<Stuck, Fate>,
}

impl Search<'_> {
    /// The chain of waits from something that is stuck.
    fn chain_from(&mut self, first: Stuck) -> Option<Vec<Stuck>> {
        if !self.is_stuck(first) {
            return None;
        }
        let mut chain = vec![first];
        while chain.len() < MOST_LINKS
            && let Some(&last) = chain.last()
            && let Some(Fate::IsStuck(next)) = self.fates.get(&last).copied()
        {
            let is_known = chain.contains(&next);
            chain.push(next);
            if is_known || next.is_final() {
                break;
            }
        }
        Some(chain)
    }

    /// Follows every wait, depth first. Whatever leads to something stuck is stuck, and so is whatever leads back to itself.
    fn is_stuck(&mut self, first: Stuck) -> bool {
        let mut path: Vec<(Stuck, Vec<Stuck>)> = Vec::new();
        let mut next = first;
        loop {
            match self.fates.get(&next) {
                None if !next.is_final() => {
                    self.fates.insert(next, Fate::Open);
                    path.push((next, self.waits_for(next)));
                }
                Some(Fate::GoesOn) => {}
                // Stuck, never released, reset, or a circle.
                _ => {
                    for (what, _) in path.into_iter().rev() {
                        self.fates.insert(what, Fate::IsStuck(next));
                        next = what;
                    }
                    return true;
                }
            }
            loop {
                let Some((what, left)) = path.last_mut() else { return false };
                if let Some(other) = left.pop() {
                    next = other;
                    break;
                }
                self.fates.insert(*what, Fate::GoesOn);
                path.pop();
            }
        }
    }

    /// What has to complete before something can, as far as it waits.
    fn waits_for(&self, what: Stuck) -> Vec<Stuck> {
        match what {
            Stuck::Op(op) => self.before_op(op),
            Stuck::Work(task, job) | Stuck::Job(task, job) if self.state.task(task).job(job).is_none() => self.before_release(task, job),
            Stuck::Work(task, job) => self.before_work(task, job),
            Stuck::Job(task, job) => {
                let mut found = self.before_work(task, job);
                found.extend(self.state.call_of(task));
                found
            }
            Stuck::Call(task, ..) => self.state.host_awaits(self.trace, task).into_iter().map(Stuck::Op).collect(),
            Stuck::Never(..) | Stuck::Reset(_) => Vec::new(),
        }
    }

    fn before_op(&self, op: OpId) -> Vec<Stuck> {
        let (trace, state) = (self.trace, self.state);
        let (info, task) = (trace.op(op), trace.row_of(op).task);
        let stream = state.stream(info.stream);
        let space = trace.layout().stream(info.stream).space;
        if state.is_space_reset(space) {
            return vec![Stuck::Reset(space)];
        }
        let place = stream.queue.binary_search(&op).unwrap_or(0);
        if place == 0 && stream.promoted {
            return Vec::new();
        }
        let mut ops: Vec<OpId> = state.awaited(trace, op).collect();
        if let Some(before) = place.checked_sub(1) {
            ops.push(stream.queue[before]);
        } else if !trace.variants().has(Variant::NoNullBarrier) {
            ops.extend(state.null_barrier(trace, info.stream));
        }
        ops.extend(state.ahead_in_connection(trace, op));
        let producers = state.producers_left(trace, task, info.job).iter().filter(|&&producer| !state.has_supplied(producer, info.job));
        producers.map(|&producer| Stuck::Work(producer, info.job)).chain(ops.into_iter().map(Stuck::Op)).collect()
    }

    /// Of a job that is not open; if it is complete, nobody waits for it.
    fn before_release(&self, task: TaskId, job: JobNo) -> Vec<Stuck> {
        let info = self.trace.scenario().task(task);
        let released = self.state.task(task).released;
        if job.0 < released {
            return Vec::new();
        }
        if info.jobs.is_some_and(|jobs| u64::from(job.0) >= jobs) {
            return vec![Stuck::Never(task, job)];
        }
        match (info.release, released.checked_sub(1)) {
            (Release::Continuous, Some(before)) => vec![Stuck::Job(task, JobNo(before))],
            _ => Vec::new(),
        }
    }

    /// Of a job that is open: its operations, and what keeps it from issuing the rest of them.
    fn before_work(&self, task: TaskId, job: JobNo) -> Vec<Stuck> {
        let (trace, state) = (self.trace, self.state);
        let producers = state.producers_left(trace, task, job).iter().filter(|&&producer| !state.has_supplied(producer, job));
        let mut found: Vec<Stuck> = if trace.scenario().task(task).has_operations() {
            Vec::new()
        } else {
            producers.map(|&producer| Stuck::Work(producer, job)).collect()
        };
        let ops = self.open.get(&(task, job)).map_or(&[][..], Vec::as_slice);
        found.extend(ops.iter().copied().map(Stuck::Op));
        let mut rows: Vec<RowId> = ops.iter().map(|&op| trace.op(op).row).collect();
        rows.sort_unstable();
        rows.dedup();
        let has_more = state.task(task).job(job).is_some_and(|open| open.work_left() > rows.len() as u32);
        found.extend(state.call_of(task).filter(|_| has_more));
        found
    }
}
