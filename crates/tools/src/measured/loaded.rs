//! The logs that are here, and how they are looked at: by which device, with which tolerance, over which run.
//!
//! Invariant: they are laid over the run on screen where it has a kernel of theirs.

use std::sync::Arc;

use super::state::State;
use crate::runs::logs::Names;
use crate::runs::{self, Runs, Simulation};
use crate::tool::ReaderPlace;
use blockstep_sim::check::measured::TOLERANCE_NS;
use blockstep_sim::measured::fit::Fit;
use blockstep_sim::measured::rebuild::{NoBlocks, Rebuilt, rebuild};
use blockstep_sim::measured::{InferredDevice, Measured};
use blockstep_sim::scenario::{BuiltIn, Device, DeviceDraft, Scenario, ScenarioError};
use blockstep_sim::units::Time;
use blockstep_view::measured::BlockAt;

/// Where the scenario on screen is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was built from these logs, and knows nothing that they do not say.
    Logs,
    Config,
    Own,
}

pub(super) struct Loaded<'a> {
    pub(super) measured: Arc<Measured>,
    pub(super) names: Names,
    pub(super) inferred: Arc<InferredDevice>,
    pub(super) device: Device,
    /// It is not one that the reader chose.
    pub(super) is_inferred: bool,
    pub(super) is_generated: bool,
    pub(super) tolerance_ns: u64,
    pub(super) laid: Option<Laid<'a>>,
}

/// Logs laid over the run on screen.
pub(super) struct Laid<'a> {
    pub(super) fit: Arc<Fit>,
    pub(super) simulation: &'a Simulation,
    /// By log and kernel, the kernel in the fit.
    pub(super) of_kernel: Vec<Vec<Option<usize>>>,
}

impl Loaded<'_> {
    /// When the last measured block ends in the run that they are laid over; 0 without one.
    pub(super) fn end(&self) -> Time {
        let last = || self.measured.blocks().map(|block| block.end_ns).max();
        self.laid.as_ref().and_then(|laid| Some(laid.fit.simulated(last()?))).unwrap_or(Time::ZERO)
    }
}

impl<'a> Laid<'a> {
    fn new(fit: Arc<Fit>, simulation: &'a Simulation, measured: &Measured) -> Self {
        let mut of_kernel: Vec<Vec<Option<usize>>> = measured.logs.iter().map(|log| vec![None; log.kernels.len()]).collect();
        for (i, kernel) in fit.kernels.iter().enumerate() {
            of_kernel[kernel.log][kernel.kernel] = Some(i);
        }
        Self { fit, simulation, of_kernel }
    }

    pub(super) fn of_block(&self, (log, kernel, number): BlockAt) -> Option<usize> {
        let range = self.fit.kernels[self.of_kernel[log][kernel]?].blocks.clone();
        let found = self.fit.blocks[range.clone()].binary_search_by_key(&number, |block| block.measured);
        found.ok().map(|at| range.start + at)
    }
}

/// The logs as they are looked at, if they are still here.
pub(super) fn loaded<'a>(state: &State, place: &'a ReaderPlace, runs: &mut Runs) -> Option<Loaded<'a>> {
    let (measured, names, inferred) = runs.logs.get(&state.logs)?;
    let laid = runs.logs.fit(&place.simulation).map(|fit| Laid::new(fit, &place.simulation, &measured));
    let chosen = BuiltIn::find(&state.device);
    let (device, is_inferred) = (chosen.map_or_else(|| inferred.device.clone(), BuiltIn::device), chosen.is_none());
    let tolerance_ns = state.tolerance_ns().unwrap_or(TOLERANCE_NS);
    Some(Loaded { measured, names, inferred, device, is_inferred, is_generated: state.is_generated, tolerance_ns, laid })
}

/// Why no scenario is built from the logs.
#[derive(Debug, thiserror::Error)]
pub(super) enum BuildError {
    #[error(transparent)]
    Rebuild(#[from] NoBlocks),
    #[error("The scenario from these logs cannot be simulated on {device}:\n{error}")]
    Scenario { device: String, error: ScenarioError },
}

/// The scenario that the logs tell of.
pub(super) fn built(loaded: &Loaded<'_>, state: &State) -> Result<Rebuilt, BuildError> {
    let id = BuiltIn::find(&state.device).map(|device| device.id).or(loaded.inferred.built_in);
    let device = id.map_or_else(|| DeviceDraft::Custom(loaded.inferred.device.clone()), |id| DeviceDraft::BuiltIn(id.to_owned()));
    let mut rebuilt = rebuild(&loaded.measured, device)?;
    if state.device.is_empty() {
        rebuilt.notes.splice(0..0, loaded.inferred.notes.iter().cloned());
    }
    Scenario::new(&rebuilt.draft).map_err(|error| BuildError::Scenario { device: loaded.device.name.clone(), error })?;
    Ok(rebuilt)
}

/// Where the scenario on screen is from.
pub(super) fn origin(state: &State, place: &ReaderPlace) -> Origin {
    let on_screen = mark(&place.scenario);
    match () {
        () if state.built == on_screen => Origin::Logs,
        () if state.config == on_screen => Origin::Config,
        () => Origin::Own,
    }
}

pub(super) fn mark(scenario: &str) -> String {
    runs::mark(std::iter::once(scenario))
}
