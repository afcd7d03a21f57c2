//! What survives a reload: document, cursor and theme, in the browser's local storage.
//!
//! Depends on `settings` and `format`. Invariant: what cannot be read back is ignored, never fatal.

use leptos::prelude::*;

use super::settings::Theme;
use crate::examples;
use crate::format;
use crate::units::Time;
use crate::view::document::Document;

/// Documents over this many characters are not kept: browsers give a site about 5 MB.
const MAX_CHARS: usize = 2_000_000;

/// What is kept.
pub(super) struct Saved {
    pub(super) document: Document,
    pub(super) at: Time,
    pub(super) position: Option<u32>,
    pub(super) theme: Theme,
}

/// The keys under which the parts are kept.
const SCENARIO: &str = "blockstep.scenario";
const UNREAD: &str = "blockstep.unread";
const VIEW: &str = "blockstep.view";
const NOTES: &str = "blockstep.notes";
const HINT: &str = "blockstep.hint";

/// The browser's storage; readers may have denied it to all pages, and what is embedded in another
/// page leaves what they work on alone.
fn storage() -> Option<web_sys::Storage> {
    if is_embedded() { None } else { window().local_storage().ok().flatten() }
}

/// Whether only a view is shown, in a frame of another page.
pub(crate) fn is_embedded() -> bool {
    document().document_element().is_some_and(|root| root.has_attribute("data-embed"))
}

/// What was kept, if it can be read.
pub(super) fn load() -> Option<Saved> {
    let store = storage()?;
    let part = |key| store.get_item(key).ok().flatten();
    let mut document = Document::new(format::read_scenario(&part(SCENARIO)?).ok()?);
    document.notes = part(NOTES).unwrap_or_default().lines().map(str::to_owned).collect();
    for line in part(UNREAD).unwrap_or_default().lines() {
        if let Some((path, text)) = line.split_once('\t') {
            document.set_path(path, text);
        }
    }
    let view = part(VIEW)?;
    let mut view = view.split('\t');
    let at = Time(view.next()?.parse().ok()?);
    let position = view.next().and_then(|p| p.parse().ok());
    let theme = match view.next() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    };
    document.example = view.next().and_then(examples::known);
    Some(Saved { document, at, position, theme })
}

/// Writes every part; false if the browser has no room for it.
pub(super) fn store(saved: &Saved) -> bool {
    let document = &saved.document;
    let scenario = format::write_scenario(&document.draft());
    // A cell is one line of text, and a path has no tabs.
    let unread: Vec<String> = document.raw_texts().into_iter().map(|(path, text)| format!("{path}\t{}", text.replace('\n', " "))).collect();
    let theme = match saved.theme {
        Theme::System => "system",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let position = saved.position.map(|p| p.to_string()).unwrap_or_default();
    let view = format!("{}\t{position}\t{theme}\t{}", saved.at.ns(), document.example.unwrap_or_default());
    let Some(store) = storage() else { return false };
    let parts = [(SCENARIO, scenario), (UNREAD, unread.join("\n")), (VIEW, view), (NOTES, document.notes.join("\n"))];
    parts.iter().all(|(key, text)| text.len() <= MAX_CHARS && store.set_item(key, text).is_ok())
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
