//! The panel of what waits at this step.
//!
//! Depends on `state` and `view::panels`. Invariant: reasons come from the view model; nothing is
//! judged here.

use leptos::prelude::*;

use super::dynamic::live_text;
use super::state::app;
use crate::view::{panels, reason};

/// Most entries shown.
const MAX_ENTRIES: usize = 100;

/// The panel.
#[component]
pub(super) fn WaitingNow() -> impl IntoView {
    let state = app();
    let entries = move || {
        let list = state.with_state(|run, snapshot| reason::waiting(run.trace(), &run.records, snapshot, MAX_ENTRIES));
        state.run.with(|run| panels::waiting(run.trace(), &list, state.look()))
    };
    view! {
        <section class="panel waiting-now" aria-labelledby="waiting-title">
            <h2 id="waiting-title">"Waiting now"</h2>
            <div id="waiting" class="waiting-scroll" inner_html=live_text(entries) on:click=move |ev| state.follow(&ev)></div>
        </section>
    }
}
