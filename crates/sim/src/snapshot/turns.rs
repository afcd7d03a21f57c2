//! What policies remember about the turns that processes take.
//!
//! Depends on the rest of `snapshot`. Invariant: it follows from the steps, like all of the state.

use super::{Progress, Residency, Snapshot};
use crate::scenario::{LevelPart, Preemption, Runlist, Turns};
use crate::trace::{Trace, Variant, Variants};
use crate::units::{ClaimantId, JobNo, OpId, RowId, SpaceId, Span, TaskId, Time};

/// Where the Host is on the runlist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunlistState {
    /// The entry it looks at next.
    pub pointer: u64,
    /// The entry it serves, whose channel is resident or being switched to.
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

/// The place of an address space in the order of the runlist's levels.
pub(super) fn place(trace: &Trace, space: SpaceId) -> usize {
    match trace.layout().spaces() {
        // It may be that of all processes.
        [_] => 0,
        _ => trace.scenario().runlist().order(space),
    }
}

impl Snapshot {
    /// Where the Host is on the runlist, under `runlist`.
    #[must_use]
    pub fn runlist(&self) -> RunlistState {
        self.runlist
    }

    /// Whether a channel other than `space` has work; under a policy of one's own, whether its process is admitted, too; under `edf` only
    /// work of the chosen job's chain counts.
    #[must_use]
    pub fn others_have_work(&self, trace: &Trace, space: SpaceId) -> bool {
        match trace.scenario().policy().kind.turns() {
            Turns::Text => self.others_may_go(trace, space),
            Turns::Deadlines => self.shares_its_turn(trace, space, self.now),
            Turns::Runlist | Turns::None => self.working.len() > usize::from(self.has_work(space)),
        }
    }

    /// The channel with work that stands next on the runlist, if any has, and how many entries from
    /// the pointer on are skipped (docs/semantics.md, section 6).
    #[must_use]
    pub fn next_with_work(&self, trace: &Trace) -> Option<(u64, SpaceId)> {
        let (list, pointer) = (trace.scenario().runlist(), self.runlist.pointer);
        // The first one of a level, cyclically, is the next of all that are of this level.
        let first = |level: LevelPart| {
            let from = |order: usize| self.working.from(order).filter(|&found| found < level.orders.end);
            let channel = list.in_order(from(level.next).or_else(|| from(level.orders.start))?);
            Some((list.distance(pointer, channel), channel))
        };
        list.levels_from(pointer).into_iter().filter_map(first).min()
    }

    /// What is left, at an instant that is not earlier than the last step, of the timeslice of the
    /// resident channel: nothing if it expires now and another one has work, else it is followed
    /// by a whole one. `None` if nobody is resident, or drains, or heeds none; under `edf` unless others of a chain wait for its end.
    #[must_use]
    pub fn timeslice_left(&self, trace: &Trace, now: Time) -> Option<Span> {
        self.timeslice_left_with(trace, trace.variants(), now)
    }

    /// The same with these variants of the rules.
    #[must_use]
    #[inline]
    pub fn timeslice_left_with(&self, trace: &Trace, variants: Variants, now: Time) -> Option<Span> {
        let Residency::Resident { space, since, draining: false } = self.residency() else { return None };
        let is_left_out = match trace.scenario().policy().kind.turns() {
            Turns::Deadlines => !self.others_have_work(trace, space),
            Turns::None | Turns::Runlist | Turns::Text => variants.has(Variant::NoTimeslices),
        };
        if is_left_out || trace.scenario().preemption(space) == Preemption::None {
            return None;
        }
        let (slice, stayed) = (trace.scenario().process_of(space).timeslice_ns, now.since(since).ns());
        let used = stayed % slice;
        Some(Span(if used == 0 && stayed > 0 && self.others_have_work(trace, space) { 0 } else { slice - used }))
    }
}

impl Snapshot {
    /// Since when the resident process drains, if it does.
    #[must_use]
    pub fn drains_since(&self) -> Option<Time> {
        matches!(self.residency, Residency::Resident { draining: true, .. }).then_some(self.drains_since)
    }

    /// Until when blocks of graphics tasks that execute may run on if their address space has to give way at an instant: to the
    /// end of a pixel, at most ([EDF] section VI-C). `None` if none executes.
    #[must_use]
    pub fn pixel_end(&self, trace: &Trace, space: SpaceId, from: Time) -> Option<Time> {
        let blocks = self.space(space).sms.holding().flat_map(|(_, sm)| &sm.blocks);
        let running = blocks.filter(|block| !matches!(block.progress, Progress::Suspended(_)));
        let latency = running.filter_map(|block| trace.scenario().task(trace.row_of(block.op).task).pixel_latency).max()?;
        Some(from.after(latency).unwrap_or(Time::MAX))
    }

    /// Whether the watchdog has reset the process of a task.
    #[must_use]
    pub fn is_reset(&self, trace: &Trace, task: TaskId) -> bool {
        let process = trace.scenario().task(task).process;
        trace.scenario().policy().watchdog().is_some() && self.spaces.get(process.index()).is_some_and(|space| space.is_reset)
    }

    /// Whether the watchdog has reset an address space.
    #[must_use]
    pub fn is_space_reset(&self, space: SpaceId) -> bool {
        self.space(space).is_reset
    }

    /// The address space is never resident again.
    pub(super) fn reset(&mut self, trace: &Trace, space: SpaceId) {
        self.spaces[space.index()].is_reset = true;
        self.working.remove(place(trace, space));
        if self.keeps_claims() {
            let of_space = |&claimant: &ClaimantId| trace.scenario().claims_for(claimant).process.index() == space.index();
            let claimants: Vec<ClaimantId> = (0..trace.scenario().claimants().len()).map(ClaimantId::at).filter(of_space).collect();
            self.work.add(claimants.len() as u64);
            for claimant in claimants {
                self.update_rank(trace, claimant);
            }
        }
    }
}

/// What the deadline scheduler does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdfState {
    /// The job it has chosen last, unless its process has drained or left since.
    pub chosen: Option<(ClaimantId, JobNo)>,
    /// The job for which the resident process drains, or has drained at this instant: it counts
    /// as chosen when the choice is made anew.
    pub drains_for: Option<(ClaimantId, JobNo)>,
    /// The head of the chain that is on the runlist submitted last, where chains stay resident.
    pub listed: Option<(ClaimantId, JobNo)>,
    /// Since when the chosen claimant's budget decreases, or was last made up; `None` while its
    /// process is not resident.
    since: Option<Time>,
}

/// A server: c and d of docs/semantics.md, section 7.
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

    /// A claimant's server at an instant that is not earlier than the last step.
    #[must_use]
    pub fn server(&self, claimant: impl Into<ClaimantId>, now: Time) -> Server {
        let claimant = claimant.into();
        let server = self.claimant(claimant).server;
        let since = self.edf.since.filter(|_| self.edf.chosen.is_some_and(|(chosen, _)| chosen == claimant));
        let used = since.map_or(Span::ZERO, |since| now.since(since));
        Server { budget: Span(server.budget.ns().saturating_sub(used.ns())), ..server }
    }

    /// Whether what a row issues now is an arrival at its claimant's server: nothing else of that is issued
    /// and incomplete, and it is the first work of its job or nothing was when the instant began
    /// (docs/semantics.md, section 7). The operation is not issued yet.
    #[must_use]
    pub fn is_arrival(&self, trace: &Trace, row: RowId, job: JobNo, now: Time) -> bool {
        let claimant = self.claimant(trace.scenario().row(row).claimant);
        let Some(open) = claimant.job(job).filter(|_| !claimant.is_live()) else { return false };
        !open.has_issued || claimant.idle_since().is_none_or(|since| since < now)
    }

    /// CBS: whether a server gets a new deadline at an arrival: if the budget left would be more than the
    /// share of the time until the one it has. D, not T, so that the test is sound for deadlines before the
    /// period's end.
    #[must_use]
    pub fn is_renewed(&self, trace: &Trace, claimant: ClaimantId, now: Time) -> bool {
        if !trace.scenario().has_server(claimant) {
            return false;
        }
        let Some(relative) = trace.scenario().claimant(claimant).deadline else { return false };
        let (server, budget) = (self.server(claimant, now), trace.budget(claimant));
        let left = u128::from(server.deadline.since(now).ns());
        now >= server.deadline || u128::from(server.budget.ns()) * u128::from(relative.ns()) >= left * u128::from(budget.ns())
    }

    /// Whether the server of an operation's claimant is going to get another deadline because the operation,
    /// which is not issued yet, arrives.
    pub(super) fn is_renewed_with(&self, trace: &Trace, op: OpId) -> bool {
        let (row, job) = (trace.op(op).row, trace.op(op).job);
        self.is_renewed(trace, trace.scenario().row(row).claimant, self.now) && self.is_arrival(trace, row, job, self.now)
    }

    /// When the chosen claimant's budget will be used up; `None` if it is, or does not decrease.
    #[must_use]
    pub fn exhaustion(&self, now: Time) -> Option<Time> {
        let (claimant, _) = self.edf.chosen.filter(|_| self.edf.since.is_some())?;
        let left = self.server(claimant, now).budget;
        (left > Span::ZERO).then(|| now.after(left))?
    }

    /// Another job is the chosen one; until now the last one's claimant has paid.
    pub(super) fn choose(&mut self, trace: &Trace, chosen: Option<(ClaimantId, JobNo)>, at: Time) {
        if let Some((claimant, _)) = self.edf.chosen {
            self.tasks[claimant.index()].server = self.server(claimant, at);
            self.claim_paid(trace, claimant);
        }
        let drains_for = self.edf.drains_for.filter(|_| chosen.is_none());
        self.edf = EdfState { chosen, drains_for, since: None, ..self.edf };
        if let Residency::Resident { draining: false, .. } = self.residency {
            self.charge_from(at);
        }
    }

    pub(super) fn charge_from(&mut self, at: Time) {
        self.edf.since = self.edf.chosen.map(|_| at);
    }

    pub(super) fn refill(&mut self, trace: &Trace, claimant: ClaimantId, deadline: Time, at: Time) {
        let server = Server { budget: trace.budget(claimant), deadline };
        self.tasks[claimant.index()].server = server;
        self.claim_postponed(trace, claimant);
        if let (Some((chosen, _)), Some(since)) = (self.edf.chosen, &mut self.edf.since)
            && chosen == claimant
        {
            *since = at;
        }
    }
}
