//! Why a process does not have the GPU: who has it, by what right, and until when.
//!
//! Depends on the rest of `why`. Invariant: it tells who goes first by the ranks that the policy
//! itself compares.

use super::{Moment, clears, space_of};
use blockstep_sim::scenario::Turns;
use blockstep_sim::snapshot::{Claim, Residency};
use blockstep_sim::trace::Change;
use blockstep_sim::units::{OpId, SpaceId, StepId, Time};

/// A turn of another process, before that of the one that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The address space whose turn it is.
    pub space: SpaceId,
    /// The step that chose it, if that is still to come.
    pub chosen: Option<StepId>,
    /// The step at which it becomes resident.
    pub enters: StepId,
}

/// A process that does not have the GPU, or gets nothing new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Whose operation waits.
    pub space: SpaceId,
    /// Whether the watchdog has reset it.
    pub is_reset: bool,
    /// Who has the GPU now.
    pub residency: Residency,
    /// Where processes take turns by timeslices, when the one of the resident process expires, if it heeds one; under `edf` only within a
    /// chain that stays resident.
    pub slice_ends: Option<Time>,
    /// Under `edf`, the job that is served.
    pub serves: Option<Claim>,
    /// Under `edf`, what the waiting operation's task claims.
    pub own: Option<Claim>,
    /// The decision of a policy of one's own that holds the operation's task back, by its place.
    pub held_back: Option<u32>,
    /// The step after which it does so no longer.
    pub admitted: Option<StepId>,
    /// When signal A of the operation's job arrives, if the RunList Manager does not know of that yet.
    pub unknown_until: Option<Time>,
    /// When signal B of the job that is served arrives, if the GPU idles until then.
    pub idle_until: Option<Time>,
    /// The step at which the resident process leaves.
    pub leaves: Option<StepId>,
    /// The first turn of another process to come before that, or of all, if it does not come.
    pub next: Option<Turn>,
    /// How many more turns come before that; 0 if it does not come.
    pub more: usize,
    /// The step at which the waiting operation's process becomes resident again.
    pub enters: Option<StepId>,
}

pub(super) fn absent(moment: Moment<'_>, op: OpId) -> Absent {
    let Moment { trace, state, .. } = moment;
    let (space, now, residency) = (space_of(trace, op), state.now(), state.residency());
    let order = trace.scenario().policy().kind.turns();
    let resident = match residency {
        Residency::Resident { space, .. } => Some(space),
        _ => None,
    };
    let claim = |task| if order == Turns::Deadlines { state.claim(trace, task, now) } else { None };
    let serves = state.edf().chosen.and_then(|(claimant, job)| claim(claimant).filter(|claim| claim.job == job));
    let own = claim(trace.row_of(op).claimant);
    let chain = |claim: Claim| (claim.head, claim.job);
    let is_its_turn = order != Turns::Deadlines || serves.map(chain) == own.map(chain);
    let enters = clears::first(moment, |c| c == Change::Entered { space });
    let turns = turns(moment, space, enters);
    Absent {
        space,
        is_reset: state.is_space_reset(space),
        residency,
        next: turns.first().copied(),
        more: if enters.is_some() { turns.len().saturating_sub(1) } else { 0 },
        slice_ends: state.timeslice_left(trace, now).filter(|_| is_its_turn).and_then(|left| now.after(left)),
        serves,
        own,
        held_back: state.held_back_by(trace, trace.row_of(op).task),
        admitted: admitted(moment, op),
        unknown_until: unknown_until(moment, op),
        idle_until: state.idles_for().map(|message| message.arrives),
        leaves: resident.and_then(|space| clears::first(moment, |c| c == Change::Left { space })),
        enters,
    }
}

fn admitted(moment: Moment<'_>, op: OpId) -> Option<StepId> {
    let task = moment.trace.row_of(op).task;
    clears::first(moment, |c| matches!(c, Change::PolicyTold { decision } if moment.trace.made(decision).admits(task)))
}

fn unknown_until(moment: Moment<'_>, op: OpId) -> Option<Time> {
    let Moment { trace, state, .. } = moment;
    let (claimant, job) = (trace.row_of(op).claimant, trace.op(op).job);
    state.signal_of(claimant, job).filter(|_| !state.knows(claimant, job)).map(|message| message.arrives)
}

/// The turns of others until a process enters; the first one, if it does not. A switch that is under
/// way is told by itself.
fn turns(moment: Moment<'_>, space: SpaceId, enters: Option<StepId>) -> Vec<Turn> {
    let Moment { trace, state, .. } = moment;
    let from = state.applied() as usize;
    let mut under_way = match state.residency() {
        Residency::Submitting { to, .. } | Residency::Switching { to, .. } => Some(to),
        _ => None,
    };
    let (mut turns, mut chosen) = (Vec::new(), None);
    let until = enters.map_or(trace.steps().len(), StepId::index);
    for (i, step) in trace.steps().iter().enumerate().take(until).skip(from) {
        match step.change {
            Change::EntryVisited { .. } | Change::Chosen { .. } => chosen = Some(StepId::at(i)),
            Change::Entered { space: other } if under_way.take() == Some(other) => chosen = None,
            Change::Entered { space: other } if other != space => {
                turns.push(Turn { space: other, chosen: chosen.take(), enters: StepId::at(i) });
                if enters.is_none() {
                    break;
                }
            }
            _ => {}
        }
    }
    turns
}
