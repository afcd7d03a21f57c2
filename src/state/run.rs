//! The run of the document: its last valid one, and what keeps the document from having another.
//!
//! Depends on `runs`. Invariant: everything here follows from the document.

use std::sync::Arc;

use leptos::prelude::*;

use super::begun;
use super::document::DocumentState;
use super::runs::{self, Far, RunData, RunOutcome, RunSource, Simulating};
use crate::client;
use blockstep_sim::scenario::Problem;
use blockstep_view::panels;

/// The run on screen; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct RunState {
    /// What the document amounts to.
    pub(crate) outcome: Memo<RunOutcome>,
    /// What is wrong with the document; changes less often than it.
    pub(crate) problems: Memo<Arc<Vec<Problem>>>,
    current: Memo<RunData>,
    /// What the worker does for a long run.
    pub(crate) simulating: RwSignal<Simulating>,
    /// Set to have the worker simulate again.
    again: RwSignal<()>,
}

impl RunState {
    pub(super) fn new(document: DocumentState) -> Self {
        let outcome = Memo::new(move |last: Option<&RunOutcome>| {
            let was_long = last.is_some_and(|o| matches!(o.simulated, RunSource::Worker(..)));
            runs::outcome(&document.get(), was_long)
        });
        let problems = Memo::new(move |_| outcome.with(|o| Arc::clone(&o.problems)));
        let far = RwSignal::new(None::<RunData>);
        let current = Memo::new(move |last: Option<&RunData>| {
            let own = outcome.with(|o| match &o.simulated {
                RunSource::None => None,
                RunSource::Page(run) => Some(run.clone()),
                RunSource::Worker(_, scenario) => far.get().filter(|run| Arc::ptr_eq(run.trace().scenario(), scenario)),
            });
            own.or_else(|| last.cloned()).unwrap_or_else(runs::nothing)
        });
        let (simulating, again) = (RwSignal::new(Simulating::Idle), RwSignal::new(()));
        runs::simulate_long_runs(outcome, Far { run: far, current }, simulating, again);
        // What a large run leaves behind in a worker goes with it.
        let mut last = None;
        Effect::new(move |_| {
            let now = current.with(|run| (run.id, run.is_large()));
            if let Some((left, true)) = last.replace(now).filter(|last| *last != now) {
                client::leave(left);
            }
        });
        Self { outcome, problems, current, simulating, again }
    }

    /// Something about the run; tracks it.
    pub(crate) fn with<R>(self, f: impl FnOnce(&RunData) -> R) -> R {
        self.current.with(f)
    }

    pub(crate) fn with_untracked<R>(self, f: impl FnOnce(&RunData) -> R) -> R {
        self.current.with_untracked(f)
    }

    pub(crate) fn track(self) {
        self.current.track();
    }

    /// How many steps the run has.
    pub(crate) fn step_count(self) -> u32 {
        self.with(|run| run.trace().steps().len() as u32)
    }

    /// What is wrong at a field, if something is.
    pub(crate) fn problem_at(self, path: &str) -> Option<String> {
        self.problems.with(|problems| panels::problem_at(problems, path).map(str::to_owned))
    }

    /// Whether what is said about fields keeps the document from being simulated; else it is a warning.
    pub(crate) fn is_wrong(self) -> bool {
        self.outcome.with(RunOutcome::is_stale)
    }

    /// Stops the worker's simulation; what is on screen stays.
    pub(crate) fn cancel(self) {
        runs::stop_arrival();
        self.simulating.set(Simulating::Stopped("Stopped.".to_owned()));
    }

    /// Has the worker simulate again what it did not finish.
    pub(crate) fn simulate_again(self) {
        begun::let_run();
        self.again.set(());
    }
}
