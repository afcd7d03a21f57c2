//! What the rules say of the logs: judged by the device chosen and by what the run on screen knows of streams.
//!
//! Invariant: what the run on screen knows is used only if it has the kernels of the logs and was not built from them, as it then knows
//! no more than they say.

use std::sync::Arc;

use super::loaded::{Loaded, Origin};
use crate::runs::Runs;
use crate::tool::ReaderPlace;
use blockstep_format as format;
use blockstep_sim::check::measured::{CheckSettings, Conformance, Violation, check};
use blockstep_sim::measured::known;

/// Judges the logs by the rules, unless they have just been judged so.
pub(super) fn judge(loaded: &Loaded<'_>, place: &ReaderPlace, origin: Origin, runs: &mut Runs) -> Arc<Conformance> {
    let key = format!("{:?} {} {origin:?} {}", loaded.device, loaded.tolerance_ns, loaded.is_inferred);
    let over = loaded.laid.as_ref().filter(|_| origin != Origin::Logs).map(|laid| &laid.simulation.run.trace);
    runs.logs.conformance(&key, over, |measured| {
        let draft = over.and_then(|_| format::read_scenario(&place.scenario).ok());
        let (known, notes) = known(measured, draft.as_ref(), origin == Origin::Config, &[]);
        let settings = CheckSettings {
            device: loaded.device.clone(),
            has_limits: !loaded.is_inferred || loaded.inferred.built_in.is_some(),
            tolerance_ns: loaded.tolerance_ns,
            known,
        };
        let mut found = check(measured, &settings);
        found.assumptions.extend(notes);
        found
    })
}

/// Violations in all, those included that are not named.
pub(super) fn count(found: &Conformance) -> u64 {
    found.judged.iter().map(|judged| judged.violations).sum()
}

/// From when to when a violation is, ns of the logs.
pub(super) fn extent(loaded: &Loaded<'_>, violation: &Violation) -> (i64, i64) {
    let logs = &loaded.measured.logs;
    let blocks = violation.blocks.iter().map(|at| logs[at.log].kernels[at.launch].blocks[at.block]);
    let instants = blocks.flat_map(|block| [block.start_ns, block.end_ns]).chain([violation.at_ns]);
    instants.fold((violation.at_ns, violation.at_ns), |(from, to), at| (from.min(at), to.max(at)))
}
