//! The built-in scenario that the document began as, with its texts: of the first ones at once, of
//! the others when the lab has sent them.
//!
//! Depends on `state`, `lab` and `examples`. Invariant: what is shown is that of the document's own
//! example, or nothing yet.

use std::sync::Arc;

use leptos::prelude::*;

use super::dynamic::effect;
use super::lab::{self, Desk};
use super::state::AppState;
use crate::examples;
use crate::format;
use crate::scenario::Draft;
use crate::units::Time;
use crate::view::document::Document;

/// A built-in scenario.
pub(super) struct Guide {
    id: &'static str,
    pub(super) draft: Draft,
    pub(super) source: String,
    pub(super) text: String,
    pub(super) bookmarks: Vec<Bookmark>,
}

/// A moment of it.
pub(super) struct Bookmark {
    pub(super) at: Time,
    pub(super) label: String,
    pub(super) text: String,
}

impl Guide {
    /// The one that comes with the page.
    pub(super) fn first() -> Self {
        let example = examples::first();
        let bookmark = |b: &examples::Bookmark| Bookmark { at: Time(b.at_ns), label: b.label.to_owned(), text: b.text.to_owned() };
        Self {
            id: example.id,
            // A test reads every built-in scenario.
            draft: format::read_scenario(example.json).unwrap_or_default(),
            source: example.source.to_owned(),
            text: example.text.to_owned(),
            bookmarks: example.bookmarks.iter().map(bookmark).collect(),
        }
    }

    /// One that the lab sent.
    fn sent(id: &'static str, parts: &js_sys::Array) -> Option<Self> {
        let text = |i| lab::text(parts, i);
        let mut bookmarks = Vec::new();
        for i in (4..parts.length()).step_by(3) {
            bookmarks.push(Bookmark { at: Time(text(i).parse().ok()?), label: text(i + 1), text: text(i + 2) });
        }
        Some(Self { id, draft: format::read_scenario(&text(0)).ok()?, source: text(2), text: text(3), bookmarks })
    }

    /// A document that begins as it.
    pub(super) fn document(&self) -> Document {
        let mut document = Document::new(self.draft.clone());
        document.example = Some(self.id);
        document
    }

    /// Its first moment.
    pub(super) fn start(&self) -> Time {
        self.bookmarks.first().map_or(Time::ZERO, |b| b.at)
    }
}

/// Keeps the guide that of the document.
pub(super) fn start(state: AppState) {
    effect(move || {
        let id = state.document.with(|d| d.example);
        if id == state.guide.with_untracked(|guide| guide.as_ref().map(|g| g.id)) {
            return;
        }
        state.guide.set(None);
        if let Some(id) = id {
            load(state, id, |_| ());
        }
    });
}

/// Opens a built-in scenario at its first moment. It can be undone.
pub(super) fn open(state: AppState, id: &str) {
    open_then(state, id, || ());
}

/// The same, and then something else.
pub(super) fn open_then(state: AppState, id: &str, then: impl Fn() + 'static) {
    if let Some(id) = examples::known(id) {
        load(state, id, move |guide| {
            state.open(guide.document(), guide.start());
            then();
        });
    }
}

/// Sets the guide, now or when it has come.
fn load(state: AppState, id: &'static str, then: impl Fn(&Guide) + 'static) {
    let take = move |guide: Guide| {
        let guide = Arc::new(guide);
        then(&guide);
        state.guide.set(Some(guide));
    };
    if id == examples::first().id {
        return take(Guide::first());
    }
    let listener = move |kind: &str, parts: &js_sys::Array| match Guide::sent(id, parts).filter(|_| kind == "done") {
        Some(guide) => take(guide),
        None => state.complain(lab::text(parts, 0)),
    };
    if !lab::ask(Desk::Rest, &["example", id], listener) {
        state.complain("This browser does not let the page work in the background, where this example is kept.");
    }
}
