//! The run of the document: its last valid one, and what keeps the document from having another.
//!
//! Depends on `runs`. Invariant: everything here follows from the document.

use std::sync::Arc;

use leptos::prelude::*;

use super::begun;
use super::document::{DocumentState, Entry};
use super::runs::{self, Far, RunData, RunOutcome, RunSource, Simulating};
use blockstep_sim::scenario::Problem;
use blockstep_ui::client;
use blockstep_view::edit_effect::{EditEffect, edit_effect};
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
    /// What the last edit did to the run, with the run before it, until the reader lets it go.
    pub(crate) edit: RwSignal<Option<EditedRun>>,
}

/// What an edit did.
#[derive(Clone)]
pub(crate) struct EditedRun {
    /// The run before it.
    pub(crate) before: RunData,
    /// Whether that lies behind the run now: not on another number of SMs, nor where it is the same.
    pub(crate) is_behind: bool,
    pub(crate) effect: EditEffect,
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
        let edit = RwSignal::new(None);
        follow_edits(document, current, edit);
        Self { outcome, problems, current, simulating, again, edit }
    }

    /// Lets go of the run before the last edit.
    pub(crate) fn forget_edit(self) {
        if self.edit.with_untracked(Option::is_some) {
            self.edit.set(None);
        }
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

/// Compares each run with the one that was on screen when the last edit began: keystrokes that belong together are one edit.
fn follow_edits(document: DocumentState, current: Memo<RunData>, edit: RwSignal<Option<EditedRun>>) {
    let mut shown = None::<RunData>;
    let mut begun = None::<(Entry, Option<RunData>)>;
    Effect::new(move |_| {
        let (entry, now) = (document.entry.get(), current.get());
        if begun.as_ref().is_none_or(|(last, _)| *last != entry) {
            begun = Some((entry, shown.take().filter(|_| entry.is_edit)));
        }
        let before = begun.as_ref().and_then(|(_, before)| before.as_ref());
        let found = before.filter(|before| before.id != now.id).and_then(|before| {
            let can_tell = [before, &now].iter().all(|run| !run.is_coming && !run.is_large());
            if !can_tell || before.is_of_the_same(&now) {
                return None;
            }
            let effect = edit_effect(before.with_rows(), now.with_rows())?;
            let is_behind = !effect.is_same && now.timeline.has_sms_of(&before.timeline);
            Some(EditedRun { before: before.clone(), is_behind, effect })
        });
        if found.is_some() || edit.with_untracked(Option::is_some) {
            edit.set(found);
        }
        // A large run is not kept for it.
        shown = Some(now).filter(|run| !run.is_large());
    });
}
