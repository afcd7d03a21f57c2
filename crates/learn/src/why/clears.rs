//! When a reason is over: the first step after which the operation no longer waits for it.
//!
//! Depends on the rest of `why`. Invariant: the step is the one that a walk over every later state
//! finds; records, and a look at the changes alone, only find it faster.

use super::{Moment, ends_turn, space_of, waits_for};
use blockstep_sim::scenario::Preemption;
use blockstep_sim::snapshot::{Residency, SmState};
use blockstep_sim::trace::{Change, Level, Step, Trace};
use blockstep_sim::units::{OpId, SpaceId, StepId, Time};
use blockstep_sim::work::Budget;
use blockstep_view::reason::Reason;

/// When a reason is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After this step.
    Step(StepId),
    /// Not before the run ends.
    EndOfRun,
    /// It was not found out: too many steps were looked at for the causes before.
    Unsought,
}

impl Until {
    /// The step, if there is one and it was found.
    #[must_use]
    pub const fn step(self) -> Option<StepId> {
        match self {
            Self::Step(step) => Some(step),
            Self::EndOfRun | Self::Unsought => None,
        }
    }

    fn known(step: Option<StepId>) -> Self {
        step.map_or(Self::EndOfRun, Self::Step)
    }
}

/// Units of work for a step that is looked at, and for one that is applied to a state.
const LOOK: u64 = 1;
const APPLY: u64 = 8;

/// The first step after which an operation no longer waits for the reason that holds now.
pub(super) fn clears(moment: Moment<'_>, op: OpId, reason: Reason, work: &mut Budget) -> Until {
    let Moment { trace, state, records } = moment;
    let space = space_of(trace, op);
    let is_low = || state.space(space).ee(Level::Low).contains(&op);
    // A process that pauses between kernels finishes some while it drains and passes over others.
    let pauses = state.residency() != Residency::Shared && trace.scenario().preemption(space) == Preemption::Kernel;
    if pauses || !trace.variants().is_none() {
        return walk(moment, op, reason, work);
    }
    let mut first = |is_over: &dyn Fn(Change) -> bool| search(moment, work, LOOK, |step| is_over(step.change));
    match reason {
        // Calls of it may go on, and without operations it waits for others itself.
        Reason::Producer { task, .. } if trace.scenario().task(task).calls_in_turn || !trace.scenario().task(task).has_operations() => {
            walk(moment, op, reason, work)
        }
        Reason::Producer { task, job } => {
            let end = records.jobs.iter().find(|j| j.task == task && j.job == job).and_then(|j| j.end);
            let is_of_job = |op: OpId| trace.op(op).job == job && trace.row_of(op).task == task;
            Until::known(end.and_then(|end| {
                last_at_instant(
                    trace,
                    end,
                    |change| matches!(change, Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } if is_of_job(op)),
                )
            }))
        }
        Reason::BehindInStream { op } | Reason::N1 { op } | Reason::N2 { op } | Reason::Graph { op } | Reason::Event { op } => {
            Until::known(completion(moment, op))
        }
        Reason::BehindInConnection { op: head } => {
            first(&|c| matches!(c, Change::EeJoined { op, .. } | Change::CeJoined { op, .. } if op == head))
        }
        Reason::CopyEngine { op } => first(&|c| matches!(c, Change::CopyCompleted { op: ended, .. } if ended == op) || ends_turn(c, space)),
        Reason::NotLaunched => first(&|c| matches!(c, Change::EeJoined { op: joined, .. } if joined == op)),
        Reason::NotResident => first(&|c| c == Change::Entered { space }),
        Reason::A2 { op: head } => first(&|c| leaves(c, head) || ends_turn(c, space)),
        Reason::X1 { op: head } => {
            let is_low = is_low();
            first(&|c| leaves(c, head) || ends_turn(c, space) || (is_low && joins_high(trace, c, space)))
        }
        Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots => room_changes(moment, op, reason, is_low(), work),
        // How much room there is for all is not kept from step to step.
        Reason::AllAtOnce => walk(moment, op, reason, work),
        // Within the instant.
        Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing => walk(moment, op, reason, work),
    }
}

/// The step that completes an operation.
pub(super) fn completion(moment: Moment<'_>, op: OpId) -> Option<StepId> {
    let is_end = |c| matches!(c, Change::KernelCompleted { op: ended } | Change::CopyCompleted { op: ended, .. } if ended == op);
    at_instant(moment.trace, moment.records.ops[op.index()].end?, is_end)
}

/// The step at which a block completes.
pub(super) fn end_of_block(moment: Moment<'_>, op: OpId, block: u32) -> Option<StepId> {
    let end = super::room::record_of(moment.records, op, block)?.end?;
    at_instant(moment.trace, end, |c| matches!(c, Change::BlockEnded { op: ended, block: which, .. } if ended == op && which == block))
}

/// The step that next assigns or resumes something of an operation, parts of which may be suspended.
pub(super) fn goes_on(moment: Moment<'_>, op: OpId, has_suspended: bool) -> Option<StepId> {
    let assigned = moment.records.next_assignment(op, moment.state.last_step()?);
    let resumes = |c| matches!(c, Change::BlockResumed { op: of, .. } | Change::CopyResumed { op: of, .. } if of == op);
    let resumed = if has_suspended { first_before(moment, assigned, resumes) } else { None };
    resumed.or(assigned)
}

/// The first step from here on whose change is looked for.
pub(super) fn first(moment: Moment<'_>, is_wanted: impl Fn(Change) -> bool) -> Option<StepId> {
    first_before(moment, None, is_wanted)
}

fn first_before(moment: Moment<'_>, end: Option<StepId>, is_wanted: impl Fn(Change) -> bool) -> Option<StepId> {
    let (steps, from) = (moment.trace.steps(), moment.state.applied() as usize);
    let end = end.map_or(steps.len(), |end| end.index());
    steps.get(from..end)?.iter().position(|s| is_wanted(s.change)).map(|i| StepId::at(from + i))
}

/// A step of an instant.
fn at_instant(trace: &Trace, at: Time, is_wanted: impl Fn(Change) -> bool) -> Option<StepId> {
    let begin = trace.steps().partition_point(|s| s.at < at);
    let of_instant = trace.steps()[begin..].iter().take_while(|s| s.at == at);
    of_instant.map(|s| s.change).position(is_wanted).map(|i| StepId::at(begin + i))
}

fn last_at_instant(trace: &Trace, at: Time, is_wanted: impl Fn(Change) -> bool) -> Option<StepId> {
    let begin = trace.steps().partition_point(|s| s.at < at);
    let end = trace.steps().partition_point(|s| s.at <= at);
    trace.steps()[begin..end].iter().rposition(|s| is_wanted(s.change)).map(|i| StepId::at(begin + i))
}

fn leaves(change: Change, head: OpId) -> bool {
    matches!(change, Change::EeLeft { op, .. } if op == head)
}

fn joins_high(trace: &Trace, change: Change, space: SpaceId) -> bool {
    matches!(change, Change::EeJoined { op, level: Level::High } if space_of(trace, op) == space)
}

/// Follows what is free on the SMs until a block fits or lacks something else, or until it is no
/// longer the turn of its kernel.
fn room_changes(moment: Moment<'_>, op: OpId, reason: Reason, is_low: bool, work: &mut Budget) -> Until {
    let Moment { trace, state, .. } = moment;
    let id = space_of(trace, op);
    let needs = trace.row_of(op).needs;
    let mut space = state.space(id).clone();
    let mut change_room = |of: OpId, sm: usize, take: bool| {
        let n = trace.row_of(of).needs;
        let SmState { threads, slots, shared_memory, registers, .. } = &mut space.sms[sm];
        if take {
            (*threads, *slots) = (*threads - n.threads, *slots - 1);
            (*shared_memory, *registers) = (*shared_memory - n.shared_memory, *registers - n.registers);
        } else {
            (*threads, *slots) = (*threads + n.threads, *slots + 1);
            (*shared_memory, *registers) = (*shared_memory + n.shared_memory, *registers + n.registers);
        }
        space.shortage(&needs).map(Reason::from) != Some(reason)
    };
    search(moment, work, LOOK, |step| match step.change {
        Change::BlockEnded { op: of, sm, .. } if space_of(trace, of) == id => change_room(of, sm.index(), false),
        Change::BlockAssigned { op: of, sm, .. } if space_of(trace, of) == id => change_room(of, sm.index(), true),
        change => ends_turn(change, id) || (is_low && joins_high(trace, change, id)),
    })
}

/// Looks at every later state.
fn walk(moment: Moment<'_>, op: OpId, reason: Reason, work: &mut Budget) -> Until {
    let Moment { trace, state, .. } = moment;
    let mut later = state.clone();
    search(moment, work, APPLY, |step| {
        later.apply(trace, step);
        waits_for(trace, &later, op) != Some(reason)
    })
}

/// The first step from here on that is looked for, as far as the work for it reaches.
fn search(moment: Moment<'_>, work: &mut Budget, cost: u64, mut is_over: impl FnMut(&Step) -> bool) -> Until {
    let from = moment.state.applied() as usize;
    let rest = &moment.trace.steps()[from..];
    let within = usize::try_from(work.left() / cost).unwrap_or(usize::MAX).min(rest.len());
    let found = rest[..within].iter().position(&mut is_over);
    work.spend(cost * found.map_or(within, |i| i + 1) as u64);
    match found {
        Some(i) => Until::Step(StepId::at(from + i)),
        None if within < rest.len() => Until::Unsought,
        None => Until::EndOfRun,
    }
}
