//! The browser's local storage: the document and what tools remember, for the next visit.
//!
//! Depends on `stored` and the browser. Invariant: a browser without storage is no error; what is embedded in another page
//! leaves what the reader works on alone.

use leptos::prelude::*;

use crate::app::stored::{HISTORY, PANES, Panes, Stored};

/// Texts over this many bytes are not kept: browsers give a site about 5 MB.
const MAX_BYTES: usize = 2_000_000;

const HINT: &str = "blockstep.hint";

/// The browser's storage; readers may have denied it to all pages.
fn storage() -> Option<web_sys::Storage> {
    if is_embedded() { None } else { window().local_storage().ok().flatten() }
}

/// Whether only a view is shown, in a frame of another page.
pub(crate) fn is_embedded() -> bool {
    document().document_element().is_some_and(|root| root.has_attribute("data-embed"))
}

/// What was kept, if it can be read.
pub(super) fn load() -> Option<Stored> {
    let store = storage()?;
    Stored::read(|key| store.get_item(key).ok().flatten())
}

/// Writes every part; false if the browser has no room for it.
pub(super) fn store(stored: &Stored) -> bool {
    let Some(store) = storage() else { return false };
    stored.parts().iter().all(|(key, text)| text.len() <= MAX_BYTES && store.set_item(key, text).is_ok())
}

/// What can be undone since earlier visits, as it was written.
pub(super) fn history() -> Option<String> {
    storage()?.get_item(HISTORY).ok().flatten()
}

/// Keeps that; a browser without room keeps none.
pub(super) fn keep_history(text: &str) {
    if let Some(store) = storage()
        && store.set_item(HISTORY, text).is_err()
    {
        // What was kept before is of another document.
        let _ = store.remove_item(HISTORY);
    }
}

/// How large the parts of the page are to be.
pub(super) fn panes() -> Panes {
    let text = storage().and_then(|store| store.get_item(PANES).ok().flatten());
    text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

/// Keeps that.
pub(super) fn keep_panes(panes: Panes) {
    if let (Some(store), Ok(text)) = (storage(), serde_json::to_string(&panes)) {
        // A browser without room forgets it with the page.
        let _ = store.set_item(PANES, &text);
    }
}

/// What a tool remembers of the reader's work.
pub(crate) fn memory(tool: &str) -> Option<String> {
    storage()?.get_item(&memory_key(tool)).ok().flatten()
}

/// Keeps that.
pub(crate) fn keep_memory(tool: &str, memory: &str) {
    if let Some(store) = storage() {
        // A browser without room forgets it with the page.
        let _ = store.set_item(&memory_key(tool), memory);
    }
}

fn memory_key(tool: &str) -> String {
    format!("blockstep.tool.{tool}")
}

/// Whether the hint for a first visit is due: until it is dismissed, as far as the browser remembers.
pub(crate) fn is_hint_due() -> bool {
    storage().is_some_and(|store| store.get_item(HINT).ok().flatten().is_none())
}

/// Never shows the hint again.
pub(crate) fn dismiss_hint() {
    if let Some(store) = storage() {
        // A browser without room shows it once more.
        let _ = store.set_item(HINT, "1");
    }
}
