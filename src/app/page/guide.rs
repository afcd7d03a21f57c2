//! The built-in scenario that the document began as, with its texts: of the first ones at once, of
//! the others when the lab has sent them.
//!
//! Depends on `state`, `lab` and `examples`. Invariant: what is shown is that of the document's own
//! example, or nothing yet.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::AppState;
use crate::app::client;
use crate::examples;
use crate::format;
use crate::protocol::{ExampleText, LoadExample};
use crate::scenario::Draft;
use crate::units::Time;
use crate::view::document::Document;
use crate::view::origin::Origin;
use crate::view::panels::{About, Moment};

/// A built-in scenario.
pub(crate) struct Guide {
    id: &'static str,
    pub(super) draft: Draft,
    /// The scenario that documents depart from.
    pub(super) origin: Origin,
    pub(super) about: About,
}

impl Guide {
    /// The one that comes with the page.
    pub(super) fn first() -> Self {
        let example = examples::first();
        let moment = |b: &examples::Bookmark| Moment { at: Time(b.at_ns), label: b.label.to_owned(), text: b.text.to_owned() };
        // A test reads every built-in scenario.
        let draft = format::read_scenario(example.json).unwrap_or_default();
        Self {
            id: example.id,
            origin: Origin::new(&draft),
            draft,
            about: About {
                title: example.title.to_owned(),
                source: example.source.to_owned(),
                text: example.text.to_owned(),
                moments: example.bookmarks.iter().map(moment).collect(),
            },
        }
    }

    /// One that the worker sent.
    fn sent(id: &'static str, example: ExampleText) -> Result<Self, String> {
        let draft = format::read_scenario(&example.scenario).map_err(|error| error.to_string())?;
        let moments = example.bookmarks.into_iter().map(|(at, label, text)| Moment { at, label, text }).collect();
        let about = About { title: example.title, source: example.source, text: example.text, moments };
        Ok(Self { id, origin: Origin::new(&draft), draft, about })
    }

    /// A document that begins as it.
    pub(super) fn document(&self) -> Document {
        let mut document = Document::new(self.draft.clone());
        document.example = Some(self.id);
        document
    }

    /// Whether it is the one that a document began as.
    pub(super) fn is_of(&self, document: &Document) -> bool {
        document.example == Some(self.id)
    }

    /// Its first moment.
    pub(super) fn start(&self) -> Time {
        self.about.moments.first().map_or(Time::ZERO, |moment| moment.at)
    }
}

/// Keeps the guide that of the document, and its name off a document that is no longer it.
pub(super) fn start(state: AppState) {
    Effect::new(move |_| {
        let id = state.document.with(|d| d.example);
        if id == state.guide.with_untracked(|guide| guide.as_ref().map(|g| g.id)) {
            return;
        }
        state.guide.set(None);
        state.original_shown.set(false);
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
        let claims = |d: &Document| guide.is_of(d) && d.rest.name == guide.origin.name() && guide.origin.is_left_by(d);
        if state.document.with_untracked(|d| claims(d)) {
            state.history.update(|h| h.amend(|d| guide.origin.disown(d)));
        }
        state.guide.set(Some(guide));
    };
    if id == examples::first().id {
        return take(Guide::first());
    }
    client::ask(LoadExample(id.to_owned()), move |answer| match answer.and_then(|example| Guide::sent(id, example)) {
        Ok(guide) => take(guide),
        Err(why) => state.complain(why),
    });
}
