//! What survives a reload: document, cursor and theme, in the browser's local storage.
//!
//! Depends on `state` and `format`. Invariant: what cannot be read back is ignored, never fatal.

use gloo::storage::{LocalStorage, Storage};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::state::{AppState, Theme};
use crate::examples;
use crate::format;
use crate::units::Time;
use crate::view::document::Document;

const KEY: &str = "blockstep";

/// Documents over this many characters are not kept: browsers give a site about 5 MB.
const MAX_CHARS: usize = 2_000_000;

/// What is kept.
pub(super) struct Saved {
    pub(super) document: Document,
    pub(super) at: Time,
    pub(super) position: Option<u32>,
    pub(super) theme: Theme,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    scenario: String,
    /// Texts that could not be read, by path.
    raw: Vec<(String, String)>,
    example: Option<String>,
    notes: Vec<String>,
    /// In ns; a string, as it may exceed what JavaScript's numbers hold.
    at: String,
    position: Option<u32>,
    theme: u8,
}

/// What was kept, if it can be read.
pub(super) fn load() -> Option<Saved> {
    let stored: Stored = LocalStorage::get(KEY).ok()?;
    let mut document = Document::new(format::read_scenario(&stored.scenario).ok()?);
    document.example = stored.example.and_then(|id| examples::find(&id)).map(|e| e.id);
    document.notes = stored.notes;
    for (path, text) in &stored.raw {
        document.set_path(path, text);
    }
    let theme = match stored.theme {
        1 => Theme::Light,
        2 => Theme::Dark,
        _ => Theme::System,
    };
    Some(Saved { document, at: Time(stored.at.parse().ok()?), position: stored.position, theme })
}

/// Keeps everything whenever it changes, soon after, and when the page is left.
pub(super) fn keep(state: AppState) {
    let too_large = StoredValue::new(false);
    let save = move || {
        let Saved { document, at, position, theme } = state.to_save();
        let stored = Stored {
            scenario: format::write_scenario(&document.draft()),
            raw: document.raw_texts(),
            example: document.example.map(str::to_owned),
            notes: document.notes.clone(),
            at: at.ns().to_string(),
            position,
            theme: theme as u8,
        };
        if stored.scenario.len() > MAX_CHARS || LocalStorage::set(KEY, &stored).is_err() {
            if !too_large.get_value() {
                state.say("This scenario is too large for the browser to keep; save it as a file before you leave.");
            }
            too_large.set_value(true);
        } else {
            too_large.set_value(false);
        }
    };
    let pending = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |first: Option<()>| {
        state.document.track();
        state.position.track();
        state.theme.track();
        if first.is_none() {
            return;
        }
        if let Some(earlier) = pending.get_value() {
            earlier.clear();
        }
        pending.set_value(set_timeout_with_handle(save, std::time::Duration::from_millis(150)).ok());
    });
    let leaving = window_event_listener(leptos::ev::pagehide, move |_| save());
    on_cleanup(move || leaving.remove());
}
