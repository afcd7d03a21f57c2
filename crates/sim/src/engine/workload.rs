//! Phases 1 and 3: completions (G4, C4), job releases and issues (G1).
//!
//! Depends on the rest of `engine`. Invariant: after each single completion and each single
//! issue, every stream head that has become eligible is promoted. Source: docs/semantics.md, sections 2, 4, 9.

use super::Engine;
use super::agenda::{Assigned, Completion, Issue, Release as Due};
use super::promote::Cause;
use super::vary::Variation;
use crate::policy::{Action, Decision};
use crate::scenario::{BlockEnds, Release};
use crate::snapshot::{Progress, Residency, is_last_of_row};
use crate::trace::{Change, Cut, Level, Op, Rule, Variant, kinds_of};
use crate::units::{JobNo, OpId, RowId, TaskId, Time};

impl<V: Variation> Engine<'_, V> {
    /// Phase 1: what completes now, in order of assignment. False if there may be more, as the work for now is done; so are
    /// those of the others.
    pub(super) fn complete_assigned(&mut self) -> Result<bool, Cut> {
        while !self.is_due_to_pause() {
            if let Some(op) = self.ended {
                if !self.assign_all()? {
                    return Ok(false);
                }
                self.ended = None;
                self.complete_kernel(op)?;
                continue;
            }
            let Some(completion) = self.agenda.completion_at(self.now) else { break };
            self.work.add(1);
            if self.is_stale(&completion) {
                continue;
            }
            match completion.what {
                Assigned::Block { op, block, sm } => {
                    self.emit(Rule::B1, Change::BlockEnded { op, block, sm })?;
                    match self.scenario.block_ends() {
                        BlockEnds::Together => self.complete_kernel(op)?,
                        BlockEnds::OneByOne => self.ended = Some(op),
                    }
                }
                Assigned::Copy { op, engine } => {
                    self.emit(Rule::C4, Change::CopyCompleted { op, engine })?;
                    self.finish_op(op)?;
                }
            }
        }
        Ok(!self.is_due_to_pause())
    }

    /// Completions of what is suspended make no instant of their own.
    pub(super) fn forget_stale_completions(&mut self) {
        while let Some(next) = self.agenda.next_completion().filter(|next| self.is_stale(next)) {
            self.work.add(1);
            self.agenda.completion_at(next.at);
        }
    }

    /// A kernel of which a block has ended completes if that was the last one.
    fn complete_kernel(&mut self, op: OpId) -> Result<(), Cut> {
        if u64::from(self.state.stream(self.trace.op(op).stream).completed) < self.trace.row_of(op).blocks {
            return Ok(());
        }
        self.leave_late(op)?;
        self.emit(Rule::G4, Change::KernelCompleted { op })?;
        self.end_spins(op)?;
        self.finish_op(op)
    }

    /// Under a variant of G3, a kernel whose last block has completed leaves its EE queue only now.
    fn leave_late(&mut self, op: OpId) -> Result<(), Cut> {
        if !self.variation.has(Variant::OneKernel) {
            return Ok(());
        }
        let space = self.state.space(self.trace.layout().stream(self.trace.op(op).stream).space);
        let level = if space.ee(Level::High).contains(&op) { Level::High } else { Level::Low };
        self.emit(Rule::G3, Change::EeLeft { op, level })
    }

    /// Whether the block or copy was suspended since this completion was foreseen.
    fn is_stale(&self, completion: &Completion) -> bool {
        if self.state.residency() == Residency::Shared {
            // Nothing is ever suspended.
            return false;
        }
        let space = |op| self.state.space(self.trace.layout().stream(self.trace.op(op).stream).space);
        let progress = match completion.what {
            Assigned::Block { op, block, sm } => {
                space(op).sms[sm.index()].blocks.iter().find(|b| b.op == op && b.block == block).map(|b| b.progress)
            }
            Assigned::Copy { op, engine } => space(op).engines[engine as usize].filter(|c| c.op == op).map(|c| c.progress),
        };
        progress != Some(Progress::Runs(completion.at))
    }

    /// Finishes a kernel or copy that has left its stream queue: its row, its job and other streams may follow.
    fn finish_op(&mut self, op: OpId) -> Result<(), Cut> {
        let info = *self.trace.op(op);
        let task = self.trace.row_of(op).task;
        let mut supplied = self.state.supplied().to_vec();
        self.work.add(supplied.len() as u64);
        let returned = self.take_returns(op)?;
        if is_last_of_row(&self.trace, op) {
            self.finish_row(info.row, info.job)?;
            self.complete_job_if_due(task, info.job)?;
        }
        // The others have no operations.
        for &other in supplied.iter().skip(1) {
            self.complete_job_if_due(other, info.job)?;
        }
        for (row, job) in returned {
            self.end_call(row, job)?;
            self.complete_job_if_due(self.scenario.row(row).task, job)?;
        }
        supplied.sort_unstable();
        self.promote_after_completion(op, &supplied)
    }

    /// Completes a job if all its rows are complete; one without operations may still wait for producers.
    pub(super) fn complete_job_if_due(&mut self, task: TaskId, job: JobNo) -> Result<(), Cut> {
        let is_complete = self.state.task(task).job(job).is_some_and(|j| j.rows_left == 0);
        if is_complete && (self.scenario.task(task).has_operations() || self.is_due(task, job)) {
            self.finish_job(task, job)?;
        }
        Ok(())
    }

    /// Whether a job without operations is released, not complete, and waits neither for a call nor for a producer any more.
    fn is_due(&self, task: TaskId, job: JobNo) -> bool {
        self.state.task(task).job(job).is_some_and(|open| open.rows_left == 0)
            && self.state.unfinished_producer(&self.trace, task, job).is_none()
    }

    /// Finishes a job whose last operation has completed; a continuous task releases the next one now.
    fn finish_job(&mut self, task: TaskId, job: JobNo) -> Result<(), Cut> {
        let rule = self.completion_rule(task, job);
        self.emit(rule, Change::JobCompleted { task, job })?;
        if self.scenario.task(task).release == Release::Continuous {
            self.foresee_release(task, job, Some(self.now));
        }
        Ok(())
    }

    /// D1 if the job meets its deadline. A miss was a step of its own, at the deadline.
    fn completion_rule(&self, task: TaskId, job: JobNo) -> Rule {
        let release = self.state.task(task).job(job).map(|j| j.release);
        let deadline = self.scenario.task(task).deadline.zip(release).and_then(|(relative, release)| release.after(relative));
        match deadline {
            Some(deadline) if self.now <= deadline => Rule::D1,
            Some(_) | None => Rule::J2,
        }
    }

    /// Between this instant and the next: deadlines that have come with their jobs incomplete. They
    /// change nothing, nobody decides anything then, and they keep no run from ending. The run's end
    /// is the last deadline that is judged: what completes at that instant is complete by now.
    pub(super) fn miss_deadlines(&mut self, next: Option<Time>) -> Result<bool, Cut> {
        let end = self.scenario.horizon().or(self.trace.steps().last().map(|step| step.at)).unwrap_or(Time::ZERO);
        loop {
            if self.is_due_to_pause() {
                return Ok(false);
            }
            let state = &self.state;
            match self.agenda.next_deadline(|task, job| state.job_complete(task, job)) {
                Some(at) if next.map_or(at <= end, |next| at < next) => self.now = at,
                _ => return Ok(true),
            }
            if let Some(Due { task, job, .. }) = self.agenda.deadline_at(self.now) {
                self.emit(Rule::D2, Change::DeadlineMissed { task, job })?;
            }
        }
    }

    /// Puts the job after `job` on the agenda, if the task has one more.
    fn foresee_release(&mut self, task: TaskId, job: JobNo, at: Option<Time>) {
        let more = self.scenario.task(task).jobs.is_none_or(|jobs| u64::from(job.0) + 1 < jobs);
        // Without an instant, or without a number, it lies past every horizon and step limit.
        if let (true, Some(at), Some(next)) = (more, at, job.0.checked_add(1)) {
            self.agenda.release(Due { at, task, job: JobNo(next) });
        }
    }

    /// Phase 3, first part: jobs released now, in task order.
    pub(super) fn release_jobs(&mut self) -> Result<bool, Cut> {
        while !self.is_due_to_pause()
            && let Some(Due { task, job, .. }) = self.agenda.release_at(self.now)
        {
            let info = self.scenario.task(task);
            self.work.add(info.rows.len() as u64);
            if let Some(deadline) = info.deadline {
                let at = self.later(deadline, |_| format!("the deadline of job {} of task \"{}\"", job.0, info.name))?;
                self.agenda.judge(Due { at, task, job });
            }
            let (calls_in_turn, rows) = (info.calls_in_turn, info.rows.len());
            let period = info.period.filter(|_| info.release == Release::Periodic);
            self.emit(Rule::J1, Change::JobReleased { task, job })?;
            // Jobs without operations.
            let supplied = self.state.supplied().to_vec();
            self.work.add(supplied.len() as u64);
            if let Some(period) = period {
                self.foresee_release(task, job, self.now.after(period));
            }
            if calls_in_turn {
                self.start_calls(task, job)?;
            } else {
                for place in 0..rows {
                    let row = self.scenario.task(task).rows[place];
                    if self.scenario.row(row).after.is_none() {
                        self.foresee_issue(row, job)?;
                    }
                }
            }
            for &other in &supplied {
                self.complete_job_if_due(other, job)?;
            }
            self.promote_consumers(&supplied)?;
        }
        Ok(!self.is_due_to_pause())
    }

    /// Finishes a row: those that wait for it start their clocks now.
    pub(super) fn finish_row(&mut self, row: RowId, job: JobNo) -> Result<(), Cut> {
        if self.scenario.task(self.scenario.row(row).task).calls_in_turn {
            return self.finish_row_of_thread(row, job);
        }
        for place in 0..self.scenario.row(row).followers.len() {
            self.foresee_issue(self.scenario.row(row).followers[place], job)?;
        }
        Ok(())
    }

    /// Puts the operations of a row on the agenda, all for the same instant.
    fn foresee_issue(&mut self, row: RowId, job: JobNo) -> Result<(), Cut> {
        let info = self.scenario.row(row);
        let at = self.later(info.start, |_| format!("the launch of \"{}\", job {}", info.name, job.0))?;
        for kind in kinds_of(info) {
            self.agenda.issue(Issue { at, row, kind: Some(kind), job });
        }
        Ok(())
    }

    /// What an arrival at a claimant's server changes, if this issue is one.
    fn arrival(&self, row: RowId, job: JobNo) -> Result<Option<(Rule, Change)>, Cut> {
        if !self.state.is_arrival(&self.trace, row, job, self.now) {
            return Ok(None);
        }
        match self.policy.arrival(self.view(), self.scenario.row(row).claimant) {
            None => Ok(None),
            Some(Decision { rule, action: Action::Note(change) }) => Ok(Some((rule, change))),
            Some(Decision { action: Action::TooLate(claimant), .. }) => Err(self.too_late("new", claimant)),
            Some(_) => Err(Cut::Internal { what: "the policy asked at an arrival for what only a context decision does".to_owned() }),
        }
    }

    /// Phase 3, second part: operations issued now, in issue order (G1). A call that returns at once may complete a job, so that
    /// the next one is released before anything else is issued.
    pub(super) fn issue_operations(&mut self) -> Result<bool, Cut> {
        while self.release_jobs()?
            && let Some(Issue { row, kind, job, .. }) = self.agenda.issue_at(self.now)
        {
            self.work.add(1);
            let Some(kind) = kind else {
                self.make_call(row, job)?;
                continue;
            };
            let stream = self.trace.layout().stream_of(row);
            // So that a run that is cut here has no operation without the step that issues it.
            self.room()?;
            let arrival = self.arrival(row, job)?;
            let op = self.trace.add_op(Op { row, job, stream, kind });
            self.work.add(self.trace.waits_of(op).len() as u64);
            self.emit(Rule::G1, Change::Issued { op })?;
            if let Some((rule, change)) = arrival {
                self.emit(rule, change)?;
            }
            if self.state.head(stream) == Some(op) {
                self.promote(stream, Cause::Ready)?;
            }
            let info = self.scenario.row(row);
            let is_last_of_call = is_last_of_row(&self.trace, op) && info.node.as_ref().is_none_or(|node| node.is_last);
            if is_last_of_call && self.scenario.task(info.task).calls_in_turn {
                self.make_call(row, job)?;
            }
        }
        Ok(!self.is_due_to_pause())
    }
}
