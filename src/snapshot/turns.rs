//! What policies remember about the turns that processes take.
//!
//! Depends on the rest of `snapshot`. Invariant: it follows from the steps, like all of the state.

use super::{Residency, Snapshot};
use crate::scenario::{Preemption, Runlist};
use crate::trace::{Trace, Variant, Variants};
use crate::units::{JobNo, SpaceId, Span, TaskId, Time};

/// Where the Host is on the runlist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunlistState {
    /// The entry it looks at next.
    pub pointer: u64,
    /// The entry it serves, whose process is resident or being switched to.
    pub serving: Option<u64>,
}

impl RunlistState {
    pub(super) fn visit(&mut self, entry: u64, list: &Runlist, restarts: bool) {
        self.serving = Some(entry);
        self.pointer = if restarts || entry + 1 >= list.len() { 0 } else { entry + 1 };
    }

    pub(super) fn leave(&mut self) {
        self.serving = None;
    }
}

impl Snapshot {
    /// Where the Host is on the runlist, under `runlist`.
    #[must_use]
    pub fn runlist(&self) -> RunlistState {
        self.runlist
    }

    /// Whether a process other than `space`'s has work.
    #[must_use]
    pub fn others_have_work(&self, space: SpaceId) -> bool {
        (0..self.spaces().len()).map(SpaceId::at).any(|other| other != space && self.has_work(other))
    }

    /// What is left, at an instant that is not earlier than the last step, of the timeslice of the
    /// resident process: nothing if it expires now and another process has work, else it is followed
    /// by a whole one. `None` if nobody is resident, or drains, or heeds none.
    #[must_use]
    pub fn timeslice_left(&self, trace: &Trace, now: Time) -> Option<Span> {
        self.timeslice_left_with(trace, trace.variants(), now)
    }

    /// The same with these variants of the rules.
    #[must_use]
    #[inline]
    pub fn timeslice_left_with(&self, trace: &Trace, variants: Variants, now: Time) -> Option<Span> {
        let Residency::Resident { space, since, draining: false } = self.residency() else { return None };
        let process = &trace.scenario().processes()[space.index()];
        if process.preemption == Preemption::None || variants.has(Variant::NoTimeslices) {
            return None;
        }
        let (slice, stayed) = (process.timeslice_ns, now.since(since).ns());
        let used = stayed % slice;
        Some(Span(if used == 0 && stayed > 0 && self.others_have_work(space) { 0 } else { slice - used }))
    }
}

/// What the deadline scheduler does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdfState {
    /// The job it has chosen last, unless its process has drained or left since.
    pub chosen: Option<(TaskId, JobNo)>,
    /// Since when the chosen task's budget decreases, or was last made up; `None` while its
    /// process is not resident.
    since: Option<Time>,
}

/// A task's server: c and d of the contract's section 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// What is left of the budget.
    pub budget: Span,
    /// The deadline that scheduling uses.
    pub deadline: Time,
}

impl Snapshot {
    /// What the deadline scheduler does, under `edf`.
    #[must_use]
    pub fn edf(&self) -> EdfState {
        self.edf
    }

    /// A task's server at an instant that is not earlier than the last step.
    #[must_use]
    pub fn server(&self, task: TaskId, now: Time) -> Server {
        let server = self.task(task).server;
        let since = self.edf.since.filter(|_| self.edf.chosen.is_some_and(|(chosen, _)| chosen == task));
        let used = since.map_or(Span::ZERO, |since| now.since(since));
        Server { budget: Span(server.budget.ns().saturating_sub(used.ns())), ..server }
    }

    /// When the chosen task's budget will be used up; `None` if it is, or does not decrease.
    #[must_use]
    pub fn exhaustion(&self, now: Time) -> Option<Time> {
        let (task, _) = self.edf.chosen.filter(|_| self.edf.since.is_some())?;
        let left = self.server(task, now).budget;
        (left > Span::ZERO).then(|| now.after(left))?
    }

    /// Another job is the chosen one; until now the last one's task has paid.
    pub(super) fn choose(&mut self, chosen: Option<(TaskId, JobNo)>, at: Time) {
        if let Some((task, _)) = self.edf.chosen {
            self.tasks[task.index()].server = self.server(task, at);
        }
        self.edf = EdfState { chosen, since: None };
        if let Residency::Resident { draining: false, .. } = self.residency {
            self.charge_from(at);
        }
    }

    pub(super) fn charge_from(&mut self, at: Time) {
        self.edf.since = self.edf.chosen.map(|_| at);
    }

    pub(super) fn refill(&mut self, task: TaskId, budget: Span, deadline: Time, at: Time) {
        self.tasks[task.index()].server = Server { budget, deadline };
        if let (Some((chosen, _)), Some(since)) = (self.edf.chosen, &mut self.edf.since)
            && chosen == task
        {
            *since = at;
        }
    }
}
