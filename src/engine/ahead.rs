//! What the engine would assign next from a given state, by the rules or with variants of them.
//!
//! Depends on the rest of `engine`. Invariant: with no variant in force it is what a run does next
//! in phase 5 of an instant. Contract: sections 3 and 4.

use super::assign::place;
use crate::snapshot::{Residency, Snapshot, SpaceState};
use crate::trace::{Level, Trace, Variant, Variants};
use crate::units::{OpId, SmId, SpaceId};

/// The kernel whose block is assigned next from this state, and the SM that takes it; `None` if
/// nothing fits, or nothing is to be assigned. Promotion is as it stands: what has not joined an
/// EE queue is not considered.
#[must_use]
pub fn next_block(trace: &Trace, state: &Snapshot, variants: Variants) -> Option<(OpId, SmId)> {
    let space = state.space(match state.residency() {
        Residency::Shared => SpaceId(0),
        Residency::Resident { space, draining: false, .. } => space,
        _ => return None,
    });
    let begun = |op: &&OpId| state.stream(trace.op(**op).stream).assigned > 0;
    let keeps_turn = if variants.has(Variant::PriorityByKernel) { space.ee(Level::Low).iter().find(begun).copied() } else { None };
    let passes_over = variants.has(Variant::WorkConserving);
    let highest = if space.ee(Level::High).is_empty() { Level::Low } else { Level::High };
    let queue = space.ee(highest).iter().copied().filter(|&op| Some(op) != keeps_turn);
    let mut order = keeps_turn.into_iter().chain(queue).take(if passes_over { usize::MAX } else { 1 });
    order.find_map(|op| Some((op, taker(trace, space, op, variants)?)))
}

fn taker(trace: &Trace, space: &SpaceState, op: OpId, variants: Variants) -> Option<SmId> {
    let needs = &trace.row_of(op).needs;
    if variants.has(Variant::LastFit) {
        return space.sms.iter().rposition(|sm| sm.fits(needs)).map(SmId::at);
    }
    place(trace.scenario().placement(), space, needs)
}
