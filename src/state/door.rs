//! What the browser stores, as keys with texts: who may write, and what stands where.
//!
//! Depends on the browser. Invariants: a browser without storage is no error; what is embedded in another page leaves what the reader
//! works on alone. Only `storage` and `aside` use it.

use std::cell::Cell;

use leptos::ev;
use leptos::prelude::*;
use web_sys::Storage;

thread_local! {
    /// Whether the reader has done something on this page.
    static HAS_ACTED: Cell<bool> = const { Cell::new(false) };
}

/// The browser's storage; readers may have denied it to all pages.
fn storage() -> Option<Storage> {
    if is_embedded() { None } else { window().local_storage().ok().flatten() }
}

/// Whether there is any.
pub(super) fn is_there() -> bool {
    storage().is_some()
}

/// The same, to write into.
fn writable() -> Option<Storage> {
    if may_store() { storage() } else { None }
}

/// What the browser keeps for this tab alone.
fn of_tab() -> Option<Storage> {
    if is_embedded() { None } else { window().session_storage().ok().flatten() }
}

/// Whether only a view is shown, in a frame of another page.
pub(crate) fn is_embedded() -> bool {
    document().document_element().is_some_and(|root| root.has_attribute("data-embed"))
}

/// Whether this page may store anything: in a frame only where the page around is of the same origin, and only once the reader
/// has done something in it.
pub(crate) fn may_store() -> bool {
    let is_framed = window().parent().ok().flatten().is_some_and(|parent| parent != window());
    !is_embedded() && (!is_framed || has_acted() && window().frame_element().ok().flatten().is_some())
}

/// Whether the reader has done something on this page: pages around a frame cannot pretend that.
pub(crate) fn has_acted() -> bool {
    HAS_ACTED.get()
}

/// Notices when the reader does something.
pub(super) fn watch_reader() {
    let pointer = window_event_listener(ev::pointerdown, |event| HAS_ACTED.set(HAS_ACTED.get() || event.is_trusted()));
    let key = window_event_listener(ev::keydown, |event| HAS_ACTED.set(HAS_ACTED.get() || event.is_trusted()));
    on_cleanup(move || {
        pointer.remove();
        key.remove();
    });
}

/// What stands under a key.
pub(super) fn get(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Writes it, whatever stands there.
pub(super) fn write(key: &str, text: &str) -> bool {
    writable().is_some_and(|store| store.set_item(key, text).is_ok())
}

/// Takes it away.
pub(super) fn remove(key: &str) {
    if let Some(store) = writable() {
        // What is not there need not go.
        let _ = store.remove_item(key);
    }
}

/// What stands under a key for this tab alone.
pub(super) fn get_of_tab(key: &str) -> Option<String> {
    of_tab()?.get_item(key).ok().flatten()
}

/// Writes that; a browser without room forgets it.
pub(super) fn set_of_tab(key: &str, text: Option<&str>) {
    if let Some(store) = of_tab().filter(|_| may_store()) {
        let _ = match text {
            Some(text) => store.set_item(key, text),
            None => store.remove_item(key),
        };
    }
}

/// All keys that begin so.
pub(super) fn keys(beginning: &str) -> Vec<String> {
    let Some(store) = storage() else { return Vec::new() };
    let keys = (0..store.length().unwrap_or(0)).filter_map(|i| store.key(i).ok().flatten());
    keys.filter(|key| key.starts_with(beginning)).collect()
}
