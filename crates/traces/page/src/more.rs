//! Long lists: the first of their rows, and the others once they are asked for.

use leptos::prelude::*;

/// A button that shows all rows, while fewer are shown.
pub(crate) fn more(shown: RwSignal<usize>, all: usize) -> impl IntoView {
    move || (shown.get() < all).then(|| view! { <button type="button" class="small" on:click=move |_| shown.set(all)>"Show more"</button> })
}
