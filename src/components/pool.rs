//! How far the work of a pool is.

use leptos::prelude::*;

use crate::state::pool::Standing;

/// A bar and the counts in words.
#[component]
pub(crate) fn PoolProgress(
    standing: RwSignal<Standing>,
    /// Begins the ids of both.
    id: &'static str,
    label: &'static str,
) -> impl IntoView {
    view! {
        <progress
            id=format!("{id}-bar")
            max="1000"
            value=move || standing.with(|standing| standing.thousandths.to_string())
            aria-label=label
        ></progress>
        <span id=format!("{id}-text") class="quiet">{move || standing.with(|standing| standing.text.clone())}</span>
    }
}
