//! The list of keys and gestures, which the lab hands out.
//!
//! Depends on `state` and `lab`. Invariant: it lists every key that `keys` knows.

use leptos::prelude::*;

use super::dynamic::{by_id, effect, listen};
use super::state::AppState;
use crate::app::client::{self, WorkerFor};

/// Its place.
pub(super) const KEYS: &str = "<dialog id=keys class=help aria-label='Keys and gestures'></dialog>";

/// Opens and closes the dialog as the state says.
pub(super) fn start(state: AppState) {
    effect(move || {
        let open = state.help_open.get();
        let Some(dialog) = by_id::<web_sys::HtmlDialogElement>("keys") else { return };
        match (open, dialog.open()) {
            (true, false) if dialog.child_element_count() == 0 => {
                client::ask_legacy(WorkerFor::Requests, None, &["keys"], move |answer| match answer {
                    Ok(parts) => {
                        dialog.set_inner_html(&client::text(&parts, 0));
                        state.help_open.notify();
                    }
                    Err(why) => state.complain(why),
                })
            }
            // Fails only where it is shown already.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    listen("keys", "close", move |_: &web_sys::Event| state.help_open.set(false));
}
