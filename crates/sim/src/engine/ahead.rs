//! Which block is next and which SM takes it (X1, A2, R1 to R3), by the rules or with variants of
//! them: a pure function of the state, for the engine and for whoever asks what would come next.
//!
//! Depends on the rest of `engine`. Invariant: it decides and changes nothing. Source: docs/semantics.md, sections 3
//! and 4.

use super::vary::Variation;
use crate::scenario::{Needs, Placement, Preemption};
use crate::snapshot::{Residency, SmState, Snapshot, SpaceState};
use crate::trace::{Level, Trace, Variant, Variants};
use crate::units::{OpId, SmId, SpaceId};

/// Variants under which it is not simply the head of the highest EE queue whose block is next.
const ORDER_CHANGING: [Variant; 5] =
    [Variant::WorkConserving, Variant::PriorityByKernel, Variant::FairShare, Variant::OneKernel, Variant::NoOverlap];

/// The kernel whose block is assigned next from this state, and the SM that takes the block; `None` if
/// it fits nowhere, or if nothing is to be assigned. What has joined no EE queue yet, or has left it,
/// is not considered, so of variants of other rules than X1, A2 and placement there is nothing to see.
#[must_use]
pub fn next_block(trace: &Trace, state: &Snapshot, variants: Variants) -> Option<(OpId, SmId)> {
    let space = match state.residency() {
        Residency::Shared => SpaceId(0),
        Residency::Resident { space, .. } => space,
        _ => return None,
    };
    next_in(trace, state, variants, space).map(|(_, op, sm)| (op, sm))
}

/// X1, A2, R1 to R3: the kernel whose next block is assigned now in an address space, its EE queue, and
/// the SM that takes the block.
pub(super) fn next_in(trace: &Trace, state: &Snapshot, variation: impl Variation, space: SpaceId) -> Option<(Level, OpId, SmId)> {
    let sms = state.space(space);
    if matches!(state.residency(), Residency::Resident { draining: true, .. }) {
        return next_to_finish(trace, state, variation, space);
    }
    let is_kept_apart = variation.has(Variant::NoOverlap) && sms.engines.iter().any(Option::is_some);
    if trace.scenario().has_cooperative()
        && !is_kept_apart
        && let Some((level, op)) = state.begun_cooperative(trace, space)
    {
        return Some((level, op, taker(trace, state, op, variation)?));
    }
    if changes_order(variation) {
        let order = state.order_of_kernels(trace, variation.all(), space);
        let mut left = order.into_iter().filter(|&(_, op)| state.has_blocks_left(trace, op));
        return left.find_map(|(level, op)| Some((level, op, taker(trace, state, op, variation)?)));
    }
    let (level, op) = state.space(space).ee_head()?;
    Some((level, op, taker(trace, state, op, variation)?))
}

/// Whether not simply the head of the highest EE queue is next.
pub(super) fn changes_order(variation: impl Variation) -> bool {
    ORDER_CHANGING.into_iter().any(|variant| variation.has(variant))
}

/// While the process drains: the next block of a kernel that has begun, in the preemption mode `kernel`. What
/// has not begun is passed over, A2 included (docs/semantics.md, section 6).
fn next_to_finish(trace: &Trace, state: &Snapshot, variation: impl Variation, space: SpaceId) -> Option<(Level, OpId, SmId)> {
    if trace.scenario().preemption(space) != Preemption::Kernel {
        return None;
    }
    let mut left = state.begun_kernels(trace, space).filter(|&(_, op)| state.has_blocks_left(trace, op));
    let fits = |(level, op)| Some((level, op, taker(trace, state, op, variation)?));
    if variation.has(Variant::WorkConserving) { left.find_map(fits) } else { left.next().and_then(fits) }
}

/// The SM that takes a block of a kernel; `None` if it fits nowhere (R1 to R3), or if not all blocks of a cooperative kernel do (R4).
fn taker(trace: &Trace, state: &Snapshot, op: OpId, variation: impl Variation) -> Option<SmId> {
    let row = trace.row_of(op);
    let (needs, space) = (&row.needs, state.space(trace.layout().stream(trace.op(op).stream).space));
    if row.cooperative && !state.has_begun(trace, op) && !space.has_room_for(needs, row.blocks) {
        return None;
    }
    if variation.has(Variant::LastFit) {
        return (0..space.sms.len()).rev().find(|&sm| space.sms[sm].fits(needs)).map(SmId::at);
    }
    place(trace.scenario().placement(), space, needs)
}

/// The SM that takes a block with these needs; `None` if it fits nowhere (R1 to R3).
fn place(placement: Placement, state: &SpaceState, needs: &Needs) -> Option<SmId> {
    let fits = |sm: &SmState| sm.fits(needs);
    let found = match placement {
        Placement::FirstFit => state.sms.first_from(0, fits),
        // The one with the most free threads among those where the block fits; ties to the lowest number.
        Placement::MostFree => state.sms.most_free(needs),
        Placement::MostRoom => state.sms.most_room(needs),
        Placement::RoundRobin => {
            let first = state.last_sm.map_or(0, |last| last.index() + 1);
            state.sms.first_from(first, fits).or_else(|| state.sms.first_from(0, fits))
        }
    };
    found.map(SmId::at)
}
