//! The jobs that a run released.
//!
//! Depends on `order` and `trace`. Invariant: jobs are in order of release, then of the task table.

use super::JobRecord;
use crate::order;
use crate::trace::{Change, Trace};
use crate::units::{StepId, Time};

/// The jobs of a trace alone: what [`Records`](super::Records) has of them, for those who ask for no more. Linear in its steps.
#[must_use]
pub fn jobs(trace: &Trace) -> Vec<JobRecord> {
    let mut jobs = Jobs::new(trace);
    for (i, step) in trace.steps().iter().enumerate() {
        jobs.step(trace, StepId::at(i), step.at, step.change);
    }
    jobs.finish(trace)
}

/// Jobs so far.
pub(super) struct Jobs {
    jobs: Vec<JobRecord>,
    /// Open ones by task, in order of release, so that their numbers rise.
    open: Vec<Vec<u32>>,
}

impl Jobs {
    pub(super) fn new(trace: &Trace) -> Self {
        Self { jobs: Vec::new(), open: vec![Vec::new(); trace.scenario().tasks().len()] }
    }

    pub(super) fn step(&mut self, trace: &Trace, id: StepId, at: Time, change: Change) {
        match change {
            Change::JobReleased { task, job } => {
                let deadline = trace.scenario().task(task).deadline.and_then(|d| at.after(d));
                self.open[task.index()].push(self.jobs.len() as u32);
                self.jobs.push(JobRecord { task, job, release: at, deadline, end: None, met: None, release_step: id });
            }
            Change::JobCompleted { task, job } => {
                let open = &mut self.open[task.index()];
                if let Ok(i) = open.binary_search_by_key(&job, |&j| self.jobs[j as usize].job) {
                    self.jobs[open.remove(i) as usize].end = Some(at);
                }
            }
            // Late, whenever it completes: a run may be cut before its next step.
            Change::DeadlineMissed { task, job } => {
                let open = &self.open[task.index()];
                // A search, as very many may wait.
                if let Ok(i) = open.binary_search_by_key(&job, |&j| self.jobs[j as usize].job) {
                    self.jobs[open[i] as usize].met = Some(false);
                }
            }
            _ => {}
        }
    }

    pub(super) fn finish(mut self, trace: &Trace) -> Vec<JobRecord> {
        // A call that returns may release a job of an earlier task at an instant at which a later one has released.
        if !self.jobs.is_sorted_by_key(|job| (job.release, job.task)) {
            order::by_number(&mut self.jobs, |job| job.task.0.into());
            order::by_number(&mut self.jobs, |job| job.release.ns());
        }
        // A run that was cut may end before what completes at its last instant.
        let is_past = |deadline: Time| deadline < trace.end() || (deadline == trace.end() && trace.cut().is_none());
        for job in &mut self.jobs {
            let missed = job.met;
            job.met = job.deadline.and_then(|deadline| match job.end {
                Some(finished) => Some(finished <= deadline),
                None => missed.or_else(|| is_past(deadline).then_some(false)),
            });
        }
        self.jobs
    }
}
