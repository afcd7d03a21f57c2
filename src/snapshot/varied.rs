//! Questions that only arise where rules are changed on purpose.
//!
//! Depends on the rest of `snapshot`. Invariant: without variants the answers are those of the rules.

use super::Snapshot;
use crate::trace::{Level, Trace, Variant};
use crate::units::{OpId, SpaceId};

impl Snapshot {
    /// The kernels whose blocks may be assigned, each with its EE queue, in the order in which the
    /// variants of the run try them: the first with a block that fits has it assigned.
    #[must_use]
    pub fn order_of_kernels(&self, trace: &Trace, space: SpaceId) -> Vec<(Level, OpId)> {
        let variants = trace.variants();
        let state = self.space(space);
        let mut order = Vec::new();
        if variants.has(Variant::PriorityByKernel) {
            // Whoever has begun keeps its turn.
            let begun = |&&op: &&OpId| self.stream(trace.op(op).stream).assigned > 0;
            order.extend(state.ee(Level::Low).iter().find(begun).map(|&op| (Level::Low, op)));
        }
        if order.is_empty() || variants.has(Variant::WorkConserving) {
            let level = if state.ee(Level::High).is_empty() { Level::Low } else { Level::High };
            let behind = if variants.has(Variant::WorkConserving) { usize::MAX } else { 1 };
            let first = order.first().copied();
            order.extend(state.ee(level).iter().take(behind).map(|&op| (level, op)).filter(|next| Some(*next) != first));
        }
        order
    }
}
