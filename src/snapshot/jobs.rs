//! Tasks and their open jobs, and which of them have anything issued and incomplete.
//!
//! Depends on the rest of `snapshot`. Invariant: a task is live while one of its open jobs is, and
//! a job is while one of its issued operations is incomplete; so nobody need look at the others.

use std::collections::VecDeque;

use super::{Server, Snapshot, is_last_of_row};
use crate::trace::Trace;
use crate::units::{JobNo, OpId, TaskId, Time};

/// A CPU task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskState {
    /// Jobs released so far.
    pub released: u32,
    /// Released, incomplete jobs, in order of release.
    pub open: VecDeque<OpenJob>,
    /// Open jobs with an issued, incomplete operation.
    live_jobs: u32,
    /// Its server, under `edf`.
    pub(super) server: Server,
}

/// A released, incomplete job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenJob {
    /// Its number.
    pub job: JobNo,
    /// When it was released.
    pub release: Time,
    /// Rows of its task whose operations have not all completed.
    pub rows_left: u32,
    /// Issued, incomplete operations.
    pub live: u32,
}

impl TaskState {
    /// An open job; `None` if it is not released or complete.
    #[must_use]
    pub fn job(&self, job: JobNo) -> Option<&OpenJob> {
        self.open.binary_search_by_key(&job, |j| j.job).ok().map(|i| &self.open[i])
    }

    fn job_mut(&mut self, job: JobNo) -> Option<&mut OpenJob> {
        self.open.binary_search_by_key(&job, |j| j.job).ok().map(|i| &mut self.open[i])
    }
}

impl Snapshot {
    /// A task.
    #[must_use]
    pub fn task(&self, id: TaskId) -> &TaskState {
        &self.tasks[id.index()]
    }

    /// Tasks with an issued, incomplete operation, in table order.
    #[must_use]
    pub fn live_tasks(&self) -> &[TaskId] {
        &self.live_tasks
    }

    pub(super) fn release_job(&mut self, trace: &Trace, task: TaskId, job: JobNo, at: Time) {
        let rows_left = trace.scenario().task(task).rows.len() as u32;
        let state = &mut self.tasks[task.index()];
        state.released += 1;
        state.open.push_back(OpenJob { job, release: at, rows_left, live: 0 });
    }

    pub(super) fn complete_job(&mut self, task: TaskId, job: JobNo) {
        let open = &mut self.tasks[task.index()].open;
        if let Ok(i) = open.binary_search_by_key(&job, |j| j.job) {
            open.remove(i);
        }
    }

    /// An operation of a job has been issued.
    pub(super) fn count_issued(&mut self, trace: &Trace, op: OpId) {
        let id = trace.row_of(op).task;
        let task = &mut self.tasks[id.index()];
        let Some(job) = task.job_mut(trace.op(op).job) else { return };
        job.live += 1;
        if job.live == 1 {
            task.live_jobs += 1;
            if task.live_jobs == 1
                && let Err(place) = self.live_tasks.binary_search(&id)
            {
                self.live_tasks.insert(place, id);
            }
        }
    }

    /// An operation of a job has completed; the last operation of a row completes the row.
    pub(super) fn count_completed(&mut self, trace: &Trace, op: OpId) {
        let row_is_complete = is_last_of_row(trace, op);
        let id = trace.row_of(op).task;
        let task = &mut self.tasks[id.index()];
        let Some(job) = task.job_mut(trace.op(op).job) else { return };
        job.live -= 1;
        job.rows_left -= u32::from(row_is_complete);
        if job.live == 0 {
            task.live_jobs -= 1;
            if task.live_jobs == 0
                && let Ok(place) = self.live_tasks.binary_search(&id)
            {
                self.live_tasks.remove(place);
            }
        }
    }
}
