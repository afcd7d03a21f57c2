//! The run that differences are from, and where it differs from the one on screen.
//!
//! Invariant: it is one of the runs beside the one on screen, and can be run.

use std::sync::Arc;

use super::beside::Beside;
use super::remembered::State;
use crate::tool::Context;
use blockstep_learn::compare::Differences;

/// Sentences about one stop.
pub(super) const MAX_SENTENCES: usize = 6;

/// The run that differences are from, and where it differs.
pub(super) struct Subject<'b> {
    pub(super) beside: &'b Beside,
    pub(super) differences: Arc<Differences>,
}

pub(super) fn subject<'b>(state: &State, beside: &'b [Beside], context: &mut Context<'_>) -> Option<Subject<'b>> {
    let beside = beside.iter().find(|b| Some(b.other) == state.with).or(beside.first())?;
    let differences = context.runs.differences(&context.place.simulation, beside.simulation.as_ref().ok()?);
    Some(Subject { beside, differences })
}
