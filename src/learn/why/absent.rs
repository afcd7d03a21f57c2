//! Why a process does not have the GPU: who has it, by what right, and until when.
//!
//! Depends on the rest of `why`. Invariant: it tells who goes first by the ranks that the policy
//! itself compares.

use super::{Moment, clears, space_of};
use crate::scenario::PolicyKind;
use crate::snapshot::{Claim, Residency};
use crate::trace::Change;
use crate::units::{OpId, SpaceId, StepId, Time};

/// A process that does not have the GPU, or gets nothing new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Whose operation waits.
    pub space: SpaceId,
    /// Who has the GPU now.
    pub residency: Residency,
    /// Under `runlist`, when the timeslice of the resident process expires, if it heeds one.
    pub slice_ends: Option<Time>,
    /// Under `edf`, the job that is served.
    pub serves: Option<Claim>,
    /// Under `edf`, what the waiting operation's task claims.
    pub own: Option<Claim>,
    /// The step at which the resident process leaves.
    pub leaves: Option<StepId>,
    /// The step at which the waiting operation's process becomes resident again.
    pub enters: Option<StepId>,
}

pub(super) fn absent(moment: Moment<'_>, op: OpId) -> Absent {
    let Moment { trace, state, .. } = moment;
    let (space, now, residency) = (space_of(trace, op), state.now(), state.residency());
    let policy = trace.scenario().policy().kind;
    let resident = match residency {
        Residency::Resident { space, .. } => Some(space),
        _ => None,
    };
    let claim = |task| if policy == PolicyKind::Edf { state.claim(trace, task, now) } else { None };
    Absent {
        space,
        residency,
        slice_ends: match policy {
            PolicyKind::Runlist => state.timeslice_left(trace, now).and_then(|left| now.after(left)),
            _ => None,
        },
        serves: state.edf().chosen.and_then(|(task, job)| claim(task).filter(|claim| claim.job == job)),
        own: claim(trace.row_of(op).task),
        leaves: resident.and_then(|space| clears::first(moment, |c| c == Change::Left { space })),
        enters: clears::first(moment, |c| c == Change::Entered { space }),
    }
}
