//! The walk through the example trace.
//!
//! Invariant: a stop shows its operation, and the walk goes when it is ended.

use leptos::prelude::*;

use super::timeline::TimelineView;
use crate::state::TraceState;
use blockstep_traces_messages::example::STOPS;

/// The walk, while the example is open.
#[component]
pub(crate) fn Walk(look: TimelineView) -> impl IntoView {
    let trace = expect_context::<TraceState>();
    let stop = RwSignal::new(0_usize);
    let go = move |to: usize| {
        stop.set(to);
        if let Some((operation, _)) = STOPS.get(to).and_then(|stop| stop.about) {
            look.select(operation);
        }
    };
    let is_last = move || stop.get() + 1 == STOPS.len();
    let words = move || STOPS.get(stop.get()).map_or("", |stop| stop.text);
    let place = move || format!("{} of {}", stop.get() + 1, STOPS.len());
    let walk = move || {
        view! {
            <section class="trace-walk" id="trace-walk" aria-labelledby="trace-walk-title">
                <h3 id="trace-walk-title">"Your first trace" " " <span class="quiet">{place}</span></h3>
                <p role="status">{words}</p>
                <div class="tool-row">
                    <button type="button" disabled=move || stop.get() == 0 on:click=move |_| go(stop.get_untracked().saturating_sub(1))>
                        "Back"
                    </button>
                    <button type="button" class="primary" disabled=is_last on:click=move |_| go(stop.get_untracked() + 1)>"Next"</button>
                    <button type="button" on:click=move |_| trace.is_example.set(false)>"End the walk"</button>
                </div>
            </section>
        }
    };
    view! { <Show when=move || trace.is_example.get()>{walk}</Show> }
}
