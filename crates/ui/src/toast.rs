//! A message of the page.
//!
//! Invariants: an error is an alert, everything else is said politely; a text that may hold a user's names is made safe.

use leptos::prelude::*;

use super::text::safe;

#[component]
pub fn Toast(
    id: &'static str,
    is_error: bool,
    text: String,
    /// Buttons for what can be done about it.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let (class, role) = if is_error { ("notice error", "alert") } else { ("notice", "status") };
    view! {
        <div class=class id=id role=role>
            <pre>{safe(&text)}</pre>
            {children.map(|children| children())}
        </div>
    }
}
