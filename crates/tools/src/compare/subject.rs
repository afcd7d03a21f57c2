//! The run that differences are from, and where it differs from the one on screen.
//!
//! Invariant: it is one of the runs beside the one on screen, and can be run.

use std::sync::Arc;

use super::beside::RunBeside;
use super::remembered::State;
use crate::tool::Context;
use blockstep_learn::compare::Differences;

/// Sentences about one stop.
pub(super) const MAX_SENTENCES: usize = 6;

/// The run that differences are from, and where it differs.
pub(super) struct ComparedRun<'b> {
    pub(super) beside: &'b RunBeside,
    pub(super) differences: Arc<Differences>,
}

pub(super) fn subject<'b>(state: &State, beside: &'b [RunBeside], context: &mut Context<'_>) -> Option<ComparedRun<'b>> {
    let beside = beside.iter().find(|b| Some(b.other) == state.with).or(beside.first())?;
    let differences = context.runs.differences(&context.place.simulation, beside.simulation.as_ref().ok()?);
    Some(ComparedRun { beside, differences })
}
