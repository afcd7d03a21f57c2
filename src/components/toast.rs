//! A message of the page.
//!
//! Depends on Leptos. Invariants: an error is an alert, everything else is said politely; a text that may hold a user's names
//! is made safe.

use leptos::prelude::*;

use super::text::safe;

/// A message, with buttons behind it.
#[component]
pub(crate) fn Toast(
    /// Its id.
    id: &'static str,
    /// Whether it says that something is wrong.
    is_error: bool,
    /// What it says.
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
