//! What a narrow window shows: the timeline, the queues or the steps, by tabs; the bar of steps is always there.
//!
//! Invariant: the style sheet hides what is not chosen in narrow windows alone.

use leptos::prelude::*;

use crate::state::settings::Settings;

/// The views, each with its word for the style sheet and its label.
const VIEWS: [(&str, &str); 3] = [("timeline", "Timeline"), ("queues", "Queues"), ("steps", "Steps")];

/// The tabs; the style sheet shows them in narrow windows.
#[component]
pub(super) fn SmallTabs() -> impl IntoView {
    let chosen = RwSignal::new(VIEWS[0].0);
    Effect::new(move |_| {
        if let Some(root) = document().document_element() {
            // Cannot fail on an element of this document.
            let _ = root.set_attribute("data-small", chosen.get());
        }
    });
    // A question is about the queues; the timeline has nothing to show of what comes.
    let settings = expect_context::<Settings>();
    Effect::new(move |was_hidden: Option<bool>| {
        let is_hidden = settings.is_future_hidden.get();
        match (was_hidden.unwrap_or_default(), is_hidden) {
            (false, true) if chosen.get_untracked() == VIEWS[0].0 => chosen.set(VIEWS[1].0),
            (true, false) if chosen.get_untracked() == VIEWS[1].0 => chosen.set(VIEWS[0].0),
            _ => {}
        }
        is_hidden
    });
    let tab = move |(view, label): (&'static str, &'static str)| {
        view! {
            <button aria-pressed=move || (chosen.get() == view).to_string() data-view=view on:click=move |_| chosen.set(view)>
                {label}
            </button>
        }
    };
    view! {
        <div class="small-tabs" role="group" aria-label="What to show">
            {VIEWS.map(tab).collect_view()}
        </div>
    }
}
