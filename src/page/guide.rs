//! Opening built-in scenarios: of the first the texts are here, of the others the worker sends them.
//!
//! Invariant: what is shown is that of the document's own example, or nothing yet.

use std::sync::Arc;

use leptos::prelude::*;

use crate::client;
use crate::state::AppState;
use crate::state::guide::Guide;
use blockstep_protocol::LoadExample;
use blockstep_sim::examples;
use blockstep_view::document::Document;

/// Keeps the guide that of the document, and its name off a document that is no longer it.
pub(super) fn start(state: AppState) {
    Effect::new(move |_| {
        let id = state.document.with(|d| d.example);
        if id == state.document.guide.with_untracked(|guide| guide.as_ref().map(|g| g.id)) {
            return;
        }
        state.document.guide.set(None);
        state.document.original_shown.set(false);
        if let Some(id) = id {
            load(state, id, |_| ());
        }
    });
}

/// Opens a built-in scenario before its first step. It can be undone.
pub(super) fn open(state: AppState, id: &str) {
    open_then(state, id, || ());
}

/// The same, and then something else.
pub(super) fn open_then(state: AppState, id: &str, then: impl Fn() + 'static) {
    if let Some(id) = examples::known(id) {
        load(state, id, move |guide| {
            if state.open(guide.document(), None) {
                then();
            }
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
            state.document.amend(|d| guide.origin.disown(d));
        }
        state.document.guide.set(Some(guide));
    };
    if id == examples::first().id {
        return take(Guide::first());
    }
    client::ask(LoadExample(id.to_owned()), move |answer| match answer.and_then(|example| Guide::sent(id, example)) {
        Ok(guide) => take(guide),
        Err(why) => state.messages.complain(why),
    });
}
