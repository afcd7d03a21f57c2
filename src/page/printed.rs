//! The line on paper that leads back to what was printed.
//!
//! Invariant: the address opens the scenario that is on screen, or the line says that it does not.

use std::sync::Arc;

use leptos::prelude::*;

use crate::state::AppState;
use crate::state::address::{self, UNDER};
use blockstep_sim::scenario::Choice;

/// Addresses of more characters are not typed, nor do they fit.
const MAX_CHARS: usize = 2_000;

/// Seen on paper alone.
#[component]
pub(super) fn Printed() -> impl IntoView {
    let state = expect_context::<AppState>();
    let link = move || {
        let page = address::page_address().unwrap_or_default();
        let document = state.document.get();
        if let Some(id) = document.example.filter(|_| !state.document.is_edited()) {
            let path = if state.settings.is_path_shown.get() { "&path=1" } else { "" };
            let under = state.document.other_policy().map_or_else(String::new, |kind| format!("&{UNDER}={}", kind.word()));
            return (format!("{page}#example={id}{under}&step={}{path}", state.cursor.position.get()), "");
        }
        let is_named = state.address.document.with_value(|named| named.as_ref().is_some_and(|named| Arc::ptr_eq(named, &document)));
        let whole = window().location().href().ok().filter(|whole| is_named && whole.len() <= MAX_CHARS);
        whole.map_or((page, " (without this scenario: Share makes a link that holds it)"), |whole| (whole, ""))
    };
    view! {
        <p class="printed">
            "Blockstep, " {move || {
                let (link, but) = link();
                let href = link.clone();
                view! {
                    <a href=href>{link}</a>
                    {but}
                }
            }}
        </p>
    }
}
