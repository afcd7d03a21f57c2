//! Tasks and their open jobs, and which of them have anything issued and incomplete.
//!
//! Depends on the rest of `snapshot`. Invariant: a task is live while one of its open jobs is, and
//! a job is while one of its issued operations is incomplete; so nobody need look at the others.

use std::collections::{BTreeSet, VecDeque};

use super::job_numbers::JobNumbers;
use super::{HostWait, Server, Snapshot, is_last_of_row};
use crate::trace::Trace;
use crate::units::{ClaimantId, JobNo, OpId, TaskId, Time};

/// A CPU task, or a batch of one. What a job issues in a batch is open with the batch; the rest, and the job as a whole, with the task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskState {
    /// Jobs released so far.
    pub released: u32,
    /// Released, incomplete jobs, in order of release.
    pub open: VecDeque<OpenJob>,
    /// Open jobs with an issued, incomplete operation.
    live: JobNumbers,
    /// Those of them with one that waits for no producer, where that is kept.
    free: BTreeSet<JobNo>,
    /// When the last of its issued operations completed; `None` while one is incomplete, and before the first.
    idle_since: Option<Time>,
    /// The call in which its CPU thread waits.
    pub host: Option<HostWait>,
    /// Its server, under `edf`.
    pub(super) server: Server,
}

/// A released, incomplete job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenJob {
    /// Its number.
    pub job: JobNo,
    /// When it was released; with a batch, when its first operation was issued.
    pub release: Time,
    /// Rows of its task, or of the batch, whose operations have not all completed, or whose calls have not returned that only wait.
    pub rows_left: u32,
    /// Rows of its task whose operations have not all completed.
    work_left: u32,
    /// Issued, incomplete operations; those in a batch count there alone.
    pub live: u32,
    /// Whether it has issued any.
    pub has_issued: bool,
    /// Those that wait for no producer, where that is kept.
    free: u32,
    /// Producers of its task, from the first on, whose jobs have supplied; the next one's has not.
    supplied: u32,
    /// Whether the jobs that consume it wait for it no longer.
    has_supplied: bool,
}

impl OpenJob {
    /// Whether an operation of it waits for no producer, where that is kept.
    pub(super) fn is_free(&self) -> bool {
        self.free > 0
    }

    /// Rows of its task whose operations have not all completed.
    pub(super) fn work_left(&self) -> u32 {
        self.work_left
    }

    /// Whether the jobs that consume it wait for it no longer.
    pub(super) fn has_supplied(&self) -> bool {
        self.has_supplied
    }
}

impl TaskState {
    /// An open job; `None` if it is not released or complete.
    #[must_use]
    pub fn job(&self, job: JobNo) -> Option<&OpenJob> {
        self.place(job).map(|i| &self.open[i])
    }

    /// Where an open job stands; most jobs that are asked for are the first.
    fn place(&self, job: JobNo) -> Option<usize> {
        match self.open.front() {
            Some(first) if first.job < job => self.open.binary_search_by_key(&job, |j| j.job).ok(),
            first => first.filter(|first| first.job == job).map(|_| 0),
        }
    }

    /// Whether it has an issued, incomplete operation.
    #[must_use]
    pub fn is_live(&self) -> bool {
        !self.live.is_empty()
    }

    /// Its jobs with an issued, incomplete operation, in order of release.
    pub fn live_jobs(&self) -> impl Iterator<Item = JobNo> + '_ {
        self.live.iter()
    }

    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        let awaited = self.host.as_ref().map_or(0, |wait| wait.awaited.len() * size_of::<OpId>());
        awaited + self.open.len() * size_of::<OpenJob>() + self.live.bytes() + self.free.len() * 2 * size_of::<JobNo>()
    }

    /// The first of these.
    pub(super) fn first_live_job(&self) -> Option<JobNo> {
        self.live.first()
    }

    /// When the last of its issued operations completed; `None` while one is incomplete, and before the
    /// first.
    #[must_use]
    pub fn idle_since(&self) -> Option<Time> {
        self.idle_since
    }

    fn job_mut(&mut self, job: JobNo) -> Option<&mut OpenJob> {
        self.place(job).map(|i| &mut self.open[i])
    }
}

impl Snapshot {
    /// A task.
    #[must_use]
    pub fn task(&self, id: TaskId) -> &TaskState {
        &self.tasks[id.index()]
    }

    /// What a claimant has open: of a task its jobs, of a batch its part of these.
    #[must_use]
    pub fn claimant(&self, id: ClaimantId) -> &TaskState {
        &self.tasks[id.index()]
    }

    /// Claimants with an issued, incomplete operation, in their order.
    pub fn live_claimants(&self) -> impl Iterator<Item = ClaimantId> + '_ {
        self.live.iter().map(ClaimantId::at)
    }

    /// Whose jobs may be chosen under `edf`, in their order: of those that are live, or that the manager takes to be.
    pub fn claimants(&self) -> impl Iterator<Item = ClaimantId> + '_ {
        let (live, known) =
            if self.signals.take_time() { (None, Some(self.signals.claimants())) } else { (Some(self.live_claimants()), None) };
        live.into_iter().flatten().chain(known.into_iter().flatten())
    }

    /// The producers of a task that have to be looked at for this job, in order: those before them are done.
    pub(super) fn producers_left<'t>(&self, trace: &'t Trace, task: TaskId, job: JobNo) -> &'t [TaskId] {
        let supplied = self.task(task).job(job).map_or(0, |job| job.supplied as usize);
        &trace.scenario().task(task).consumes[supplied..]
    }

    /// Counts the producers of a job that are done. Of each producer of a job that is asked once, and once more where it
    /// is not done.
    fn count_supplied(&mut self, trace: &Trace, task: TaskId, job: JobNo) {
        if trace.scenario().task(task).consumes.is_empty() || self.task(task).job(job).is_none() {
            return;
        }
        let left = self.producers_left(trace, task, job);
        let done = left.iter().take_while(|&&producer| self.has_supplied(producer, job)).count() as u32;
        self.work.add(u64::from(done) + 1);
        if let Some(open) = self.tasks[task.index()].job_mut(job) {
            open.supplied += done;
        }
    }

    pub(super) fn release_job(&mut self, trace: &Trace, task: TaskId, job: JobNo, at: Time) {
        let info = trace.scenario().task(task);
        let (rows_left, work_left) = (info.rows.len() as u32 - info.launches, info.rows_with_operations);
        let state = &mut self.tasks[task.index()];
        state.released += 1;
        let open =
            OpenJob { job, release: at, rows_left, work_left, live: 0, has_issued: false, free: 0, supplied: 0, has_supplied: false };
        state.open.push_back(open);
        for &batch in &info.batches {
            let rows = trace.scenario().claimant(batch).batch.as_ref().map_or(0, |batch| batch.rows);
            self.tasks[batch.index()].open.push_back(OpenJob { rows_left: rows, work_left: rows, ..open });
        }
        self.count_supplied(trace, task, job);
        if self.is_due_to_supply(trace, task, job) {
            self.supply(trace, task, job);
        }
    }

    pub(super) fn complete_job(&mut self, trace: &Trace, task: TaskId, job: JobNo) {
        for claimant in [task.into()].iter().chain(&trace.scenario().task(task).batches) {
            let open = &mut self.tasks[ClaimantId::index(*claimant)].open;
            if let Ok(i) = open.binary_search_by_key(&job, |j| j.job) {
                open.remove(i);
            }
        }
    }

    /// Whether rows of a job are incomplete that a claimant has: of a batch its own, of a task those outside of its batches.
    #[must_use]
    pub fn has_rows_left(&self, trace: &Trace, claimant: ClaimantId, job: JobNo) -> bool {
        let left = |of: ClaimantId| self.claimant(of).job(job).map_or(0, |open| open.rows_left);
        let info = trace.scenario().claimant(claimant);
        let batches = &trace.scenario().task(info.task).batches;
        match (&info.batch, self.claimant(claimant).job(job)) {
            (_, None) => false,
            (Some(_), Some(open)) => open.rows_left > 0,
            // A job without rows is open until its producers have supplied.
            (None, Some(open)) => batches.is_empty() || open.rows_left > batches.iter().map(|&of| left(of)).sum(),
        }
    }

    /// Whether the operations of a job are complete and, if it has none, its producers have supplied (docs/semantics.md, section 8).
    fn is_due_to_supply(&self, trace: &Trace, task: TaskId, job: JobNo) -> bool {
        let producers = trace.scenario().task(task).consumes.len();
        let is_due = |open: &OpenJob| !open.has_supplied && open.work_left == 0 && open.supplied as usize == producers;
        self.task(task).job(job).is_some_and(is_due)
    }

    /// The consumers of a job wait for it no longer, nor those of jobs without operations that waited for it alone.
    fn supply(&mut self, trace: &Trace, task: TaskId, job: JobNo) {
        self.supplied.push(task);
        let mut next = self.supplied.len() - 1;
        while let Some(&task) = self.supplied.get(next) {
            next += 1;
            if let Some(open) = self.tasks[task.index()].job_mut(job) {
                open.has_supplied = true;
            }
            for &consumer in &trace.scenario().task(task).consumers {
                self.count_supplied(trace, consumer, job);
                if !trace.scenario().task(consumer).has_operations() && self.is_due_to_supply(trace, consumer, job) {
                    self.supplied.push(consumer);
                }
            }
            self.claim_supplied(trace, task, job);
        }
    }

    /// Tasks whose jobs, all of one number, have supplied with the last step: each after those that it waited for.
    #[must_use]
    pub fn supplied(&self) -> &[TaskId] {
        &self.supplied
    }

    /// An operation of a job has been issued.
    pub(super) fn count_issued(&mut self, trace: &Trace, op: OpId) {
        let (id, number) = (trace.row_of(op).claimant, trace.op(op).job);
        let claimant = &mut self.tasks[id.index()];
        let Some(job) = claimant.job_mut(number) else { return };
        if trace.scenario().claimant(id).batch.is_some() && !job.has_issued {
            job.release = self.now;
        }
        job.live += 1;
        job.has_issued = true;
        if job.live == 1 {
            claimant.live.insert(number);
            claimant.idle_since = None;
            if claimant.live.len() == 1 {
                self.live.insert(id.index());
            }
            self.signals.note(id, number, true);
        }
    }

    /// An issued operation of a job waits for no producer, or for none any more.
    pub(super) fn count_free(&mut self, claimant: ClaimantId, job: JobNo) {
        let claimant = &mut self.tasks[claimant.index()];
        if let Some(open) = claimant.job_mut(job) {
            open.free += 1;
            if open.free == 1 {
                claimant.free.insert(job);
            }
        }
    }

    /// The first open job of a claimant with an operation that waits for no producer, where that is kept.
    pub(super) fn first_free(&self, claimant: ClaimantId) -> Option<JobNo> {
        self.claimant(claimant).free.first().copied()
    }

    /// A call that only waits has returned, and with it its row is complete.
    pub(super) fn row_returned(&mut self, task: TaskId, job: JobNo) {
        if let Some(job) = self.tasks[task.index()].job_mut(job) {
            job.rows_left -= 1;
        }
    }

    /// An operation of a job has completed; the last operation of a row completes the row.
    pub(super) fn count_completed(&mut self, trace: &Trace, op: OpId) {
        let row_is_complete = is_last_of_row(trace, op);
        let (id, number) = (trace.row_of(op).claimant, trace.op(op).job);
        let claimant = &mut self.tasks[id.index()];
        let Some(job) = claimant.job_mut(number) else { return };
        job.live -= 1;
        // What completes has waited for nothing.
        job.free = job.free.saturating_sub(1);
        job.rows_left -= u32::from(row_is_complete);
        job.work_left -= u32::from(row_is_complete);
        let (is_over, is_free) = (job.live == 0, job.is_free());
        let task = trace.row_of(op).task;
        if !is_free {
            claimant.free.remove(&number);
        }
        if is_over {
            claimant.live.remove(number);
            claimant.idle_since = claimant.live.is_empty().then_some(self.now);
            if claimant.live.is_empty() {
                self.live.remove(id.index());
            }
            self.signals.note(id, number, false);
        }
        // The row is one of the job as a whole, too.
        if let Some(job) = self.tasks[task.index()].job_mut(number).filter(|_| ClaimantId::from(task) != id) {
            job.rows_left -= u32::from(row_is_complete);
            job.work_left -= u32::from(row_is_complete);
        }
    }

    /// After an operation has completed: it may have been the last of its job.
    pub(super) fn supply_if_due(&mut self, trace: &Trace, op: OpId) {
        let (task, job) = (trace.row_of(op).task, trace.op(op).job);
        if self.is_due_to_supply(trace, task, job) {
            self.supply(trace, task, job);
        }
    }
}
