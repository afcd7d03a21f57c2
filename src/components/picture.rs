//! A picture that was drawn by `draw`, as SVG.
//!
//! Depends on Leptos. This is the one place of the page that takes markup as text: what `draw` wrote, where every name is
//! escaped. Invariant: a picture has a text that says what it shows.

use leptos::prelude::*;

/// An SVG of ours.
#[component]
pub(crate) fn Picture(
    /// What `draw` made.
    #[prop(into)]
    svg: Signal<String>,
    /// What it shows, for screen readers.
    #[prop(into)]
    label: Signal<String>,
    /// Its class.
    #[prop(default = "picture")]
    class: &'static str,
) -> impl IntoView {
    view! { <div class=class role="img" aria-label=move || label.get() inner_html=move || svg.get()></div> }
}
