//! Random blocks that spin, and cooperative launches.
//!
//! Invariant: what was valid stays so. Some of it hangs.

use blockstep_sim::scenario::spins::resident_at_most;
use blockstep_sim::scenario::{BuiltIn, Call, DeviceDraft, Draft};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// What a row has of this, before its names are known.
#[derive(Clone, Debug)]
pub(crate) struct AnySpins {
    barrier: bool,
    cooperative: bool,
    /// Rows that its blocks spin for, each by its distance in the table, and which of the fields names it.
    flags: Vec<(usize, usize)>,
}

/// Of every row by turns; of two drafts in three nothing.
pub(crate) fn any_spins() -> impl Strategy<Value = Vec<AnySpins>> {
    let flags = option::weighted(0.2, vec((1..8_usize, 0..3_usize), 1..3)).prop_map(Option::unwrap_or_default);
    let spins = (prop::bool::weighted(0.25), prop::bool::weighted(0.3), flags);
    let spins = spins.prop_map(|(barrier, cooperative, flags)| AnySpins { barrier, cooperative, flags });
    option::weighted(0.35, vec(spins, 6)).prop_map(Option::unwrap_or_default)
}

/// Kernels of a draft get what they may have of it.
pub(crate) fn add_spins(draft: &mut Draft, spins: &[AnySpins]) {
    let device = match &draft.device {
        DeviceDraft::Custom(device) => device.clone(),
        DeviceDraft::BuiltIn(id) => BuiltIn::find(id).unwrap().device(),
    };
    let names: Vec<Option<String>> = draft.kernels.iter().map(|k| (k.call == Call::Kernel).then(|| k.name.clone())).collect();
    for (i, (k, any)) in draft.kernels.iter_mut().zip(spins.iter().cycle()).enumerate().filter(|(_, (k, _))| k.call == Call::Kernel) {
        k.barrier = any.barrier;
        k.cooperative = any.cooperative && k.blocks <= resident_at_most(&draft.device, &device, k);
        for &(distance, field) in &any.flags {
            let other = (i + distance) % names.len();
            let field = match field {
                0 => &mut k.until_begun,
                1 => &mut k.until_all_begun,
                _ => &mut k.until_completed,
            };
            if let Some(name) = names[other].as_ref().filter(|name| other != i && !field.contains(name)) {
                field.push(name.clone());
            }
        }
    }
}

/// The same without any of it, so that blocks go on once they are assigned.
pub fn without_spins(mut draft: Draft) -> Draft {
    for k in &mut draft.kernels {
        (k.barrier, k.cooperative) = (false, false);
        (k.until_begun, k.until_all_begun, k.until_completed) = (vec![], vec![], vec![]);
    }
    draft
}
