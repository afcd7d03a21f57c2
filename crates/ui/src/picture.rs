//! A picture that was drawn by `draw`, or for a tour by `learn`, as SVG.
//!
//! This is the one place of the page that takes markup as text: what these two wrote, where every name is escaped or ours. Invariant: a
//! picture has a text that says what it shows.

use leptos::prelude::*;

#[component]
pub fn Picture(
    /// What `draw` made.
    #[prop(into)]
    svg: Signal<String>,
    #[prop(into)] label: Signal<String>,
    #[prop(default = "picture")] class: &'static str,
) -> impl IntoView {
    view! { <div class=class role="img" aria-label=move || label.get() inner_html=move || svg.get()></div> }
}
