//! Questions that only arise where rules are changed on purpose.
//!
//! Depends on the rest of `snapshot`. Invariant: what a variant does not change is as in the rules.

use std::collections::VecDeque;

use super::{Snapshot, SpaceState};
use crate::order;
use crate::trace::{Level, Trace, Variant, Variants};
use crate::units::{OpId, SpaceId};

/// Only a variant lets another kernel than the first leave an EE queue. Apart, so that the state of a
/// run of the rules changes as fast as without.
#[cold]
#[inline(never)]
pub(super) fn leave_from_within(queue: &mut VecDeque<OpId>, op: OpId) {
    queue.retain(|&other| other != op);
}

impl Snapshot {
    /// The kernels whose blocks may be assigned, each with its EE queue, in the order in which these
    /// variants of the rules try them: the first with a block left that fits has it assigned. Without
    /// any of those that change this order, the head of the highest non-empty EE queue alone.
    #[must_use]
    pub fn order_of_kernels(&self, trace: &Trace, variants: Variants, space: SpaceId) -> Vec<(Level, OpId)> {
        let state = self.space(space);
        if variants.has(Variant::NoOverlap) && state.engines.iter().any(Option::is_some) {
            return Vec::new();
        }
        let assigned = |op: OpId| self.stream(trace.op(op).stream).assigned;
        let mut order = Vec::new();
        if variants.has(Variant::PriorityByKernel) {
            let has_begun = |&&op: &&OpId| assigned(op) > 0 && self.has_blocks_left(trace, op);
            order.extend(state.ee(Level::Low).iter().find(has_begun).map(|&op| (Level::Low, op)));
        }
        let passes_over = variants.has(Variant::WorkConserving);
        if order.is_empty() || passes_over {
            let level = if state.ee(Level::High).is_empty() { Level::Low } else { Level::High };
            let mut queue: Vec<OpId> = state.ee(level).iter().copied().collect();
            if variants.has(Variant::FairShare) {
                order::by_number(&mut queue, |&op| assigned(op).into());
            }
            let keeps_turn = order.first().copied();
            let limit = if passes_over { usize::MAX } else { 1 };
            order.extend(queue.into_iter().take(limit).map(|op| (level, op)).filter(|next| Some(*next) != keeps_turn));
        }
        order
    }

    /// A cooperative kernel of which some blocks have been assigned and some have not: all of them are before anything else (R4).
    #[must_use]
    pub fn begun_cooperative(&self, trace: &Trace, space: SpaceId) -> Option<(Level, OpId)> {
        let left = |&(_, op): &(Level, OpId)| trace.row_of(op).cooperative && self.has_blocks_left(trace, op);
        self.begun_kernels(trace, space).find(left)
    }

    /// Whether a kernel at the head of its stream queue has blocks that are not assigned.
    #[must_use]
    pub fn has_blocks_left(&self, trace: &Trace, op: OpId) -> bool {
        u64::from(self.stream(trace.op(op).stream).assigned) < trace.row_of(op).blocks
    }
}

impl SpaceState {
    /// A kernel with a block on an SM.
    #[must_use]
    pub fn any_kernel(&self) -> Option<OpId> {
        self.sms.holding().find_map(|(_, sm)| sm.blocks.first()).map(|block| block.op)
    }
}
