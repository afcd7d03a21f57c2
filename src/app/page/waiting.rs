//! The panel of what waits at this step.
//!
//! Depends on `state` and `view::panels`. Invariant: reasons come from the view model; nothing is
//! judged here.

use leptos::prelude::*;

use super::dynamic::{Of, bind, listen};
use super::state::AppState;
use crate::view::{panels, reason};

/// Most entries shown.
const MAX_ENTRIES: usize = 100;

/// Its fixed parts.
pub(super) const PARTS: &str = "<section class='panel waiting-now' aria-labelledby=waiting-title><h2 id=waiting-title>Waiting now</h2><div id=waiting class=waiting-scroll></div></section>";

/// Keeps the panel in step with the run.
pub(super) fn start(state: AppState) {
    bind("waiting", Of::Html, move || {
        let list = state.with_state(|run, snapshot| reason::waiting(run.trace(), &run.records, snapshot, MAX_ENTRIES));
        state.run.with(|run| panels::waiting(run.trace(), &list, state.look()))
    });
    listen("waiting", "click", move |event| state.follow(event));
}
