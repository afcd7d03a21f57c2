//! The panel of schedulability: verdicts, and studies of random task sets on a pool of workers.
//!
//! Invariants: nothing is reckoned here but sums of counts; which sets are counted does not depend on the number of workers or on their
//! speed; what was counted before a study is canceled stays.

mod figure;
mod form;
mod run;
mod state;

use leptos::ev::SubmitEvent;
use leptos::html::Details;
use leptos::prelude::*;

use super::verdicts::{TypedVerdicts, Verdicts};
use crate::state::AppState;
use figure::Done;
use form::{Fields, FormState};
use run::Controls;
use state::StudyRun;

/// Begins the fragment of an address that holds a study.
const LINK: &str = "#study=";

/// The panel; nothing is asked for while it is closed.
#[component]
pub(super) fn Schedulability() -> impl IntoView {
    let state = expect_context::<AppState>();
    let (form, run) = (FormState::new(state), StudyRun::new(state));
    let is_open = RwSignal::new(false);
    let details = NodeRef::<Details>::new();
    let on_toggle = move |is_now_open: bool| {
        is_open.set(is_now_open);
        if is_now_open {
            form.show_first();
        }
    };
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        if !run.is_under_way() {
            form.check(move |link, plan| run.begin(&format!("{LINK}{link}"), &plan));
        }
    };
    Effect::new(move |_| {
        if let Some(link) = state.address.study.get() {
            form.show(&link);
            if let Some(details) = details.get_untracked() {
                details.set_open(true);
                details.scroll_into_view();
            }
        }
    });
    follow_link(state);
    let follow = window_event_listener_untyped("hashchange", move |_| follow_link(state));
    on_cleanup(move || follow.remove());
    view! {
        <details
            class="panel results study"
            id="study"
            node_ref=details
            on:toggle:target=move |event| on_toggle(event.target().open())
        >
            <summary>
                <h2>"Schedulability"</h2>
                <span class="quiet">"tests of this scenario; studies of random task sets, as in [LP] and [EDF]"</span>
            </summary>
            <Verdicts is_open=is_open />
            <TypedVerdicts />
            <section class="study-runs">
                <h3>"Studies of random task sets"</h3>
                <form id="study-form" novalidate on:submit=on_submit>
                    <Fields form=form />
                </form>
                <Controls run=run />
                <Done run=run />
            </section>
        </details>
    }
}

/// Opens the study that the page's address asks for.
pub(super) fn follow_link(state: AppState) {
    let hash = window().location().hash().unwrap_or_default();
    if let Some(link) = hash.strip_prefix(LINK) {
        state.address.study.set(Some(link.to_owned()));
    }
}
