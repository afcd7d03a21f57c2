//! Reasons in runs whose rules are changed on purpose.
//!
//! Depends on the rest of `reason`. Invariant: as in runs of the rules, one reason, true of the state.

use super::{Reason, level_of, space_of};
use crate::sentence;
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::{OpKind, Trace, Variant};
use blockstep_sim::units::OpId;

/// Of a kernel in its EE queue, with blocks left, whose process may execute.
pub(super) fn kernel_reason(trace: &Trace, state: &Snapshot, op: OpId) -> Reason {
    let space = state.space(space_of(trace, op));
    if trace.variants().has(Variant::NoOverlap)
        && let Some(copy) = space.engines.iter().flatten().next()
    {
        return Reason::CopyEngine { op: copy.op };
    }
    let order = state.order_of_kernels(trace, trace.variants(), space_of(trace, op));
    if order.iter().any(|&(_, next)| next == op) {
        return state.shortage_of(trace, op).map_or(Reason::ToBeAssigned, Reason::from);
    }
    let level = level_of(space, op);
    match order.iter().find(|&&(other, _)| other != level).or(order.first()) {
        Some(&(other, first)) if other == level => Reason::X1 { op: first },
        Some(&(_, first)) => Reason::A2 { op: first },
        None => Reason::ToBeAssigned,
    }
}

/// The kernel that a copy waits for.
pub(super) fn kernel_before_copy(trace: &Trace, state: &Snapshot, op: OpId) -> Option<OpId> {
    let space = state.space(space_of(trace, op));
    if trace.variants().has(Variant::NoOverlap) { space.any_kernel() } else { None }
}

/// The words for a reason that the rules do not give.
pub(super) fn describe(trace: &Trace, state: &Snapshot, op: OpId, reason: Reason) -> Option<String> {
    let variants = trace.variants();
    let is_kernel = |op: OpId| trace.op(op).kind == OpKind::Kernel;
    let name = |op: OpId| trace.op_label(op);
    match reason {
        Reason::X1 { op: first } if variants.has(Variant::FairShare) => {
            Some(format!("{} goes first, as fewer of its blocks have been assigned", name(first)))
        }
        Reason::X1 { op: first } if variants.has(Variant::OneKernel) && !state.has_blocks_left(trace, first) => {
            let queue = sentence::ee_queue(trace.scenario(), level_of(state.space(space_of(trace, op)), op));
            Some(format!("{} stays at the head of {queue} until its last block has completed", name(first)))
        }
        Reason::A2 { op: first }
            if variants.has(Variant::PriorityByKernel)
                && level_of(state.space(space_of(trace, first)), first) > level_of(state.space(space_of(trace, op)), op) =>
        {
            Some(format!("{} has begun and keeps its turn until its last block is assigned", name(first)))
        }
        Reason::CopyEngine { op: other } if is_kernel(op) => Some(format!("a block waits while {} is on its copy engine", name(other))),
        Reason::CopyEngine { op: other } if is_kernel(other) => Some(format!("a copy waits while {} has blocks on an SM", name(other))),
        _ => None,
    }
}
