//! Opening built-in scenarios: of the first the texts are here, of the others the worker sends them.
//!
//! Invariant: what is shown is that of the document's own example, or nothing yet.

use std::sync::Arc;

use leptos::prelude::*;

use crate::state::AppState;
use crate::state::guide::Guide;
use blockstep_protocol::LoadExample;
use blockstep_sim::examples;
use blockstep_sim::scenario::PolicyKind;
use blockstep_ui::client;

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
            load(id, move |answer| match answer {
                Ok(guide) => show(state, guide),
                Err(why) => state.messages.complain(why),
            });
        }
    });
}

/// Opens a built-in scenario before its first step. It can be undone.
pub(super) fn open(state: AppState, id: &str) {
    open_then(state, id, None, || ());
}

/// The same under a policy, its own if none is named, and then something else. An answer that comes after something else was opened or asked
/// for is dropped.
pub(super) fn open_then(state: AppState, id: &str, under: Option<PolicyKind>, then: impl Fn() + 'static) {
    let Some(id) = examples::known(id) else { return };
    let opening = state.document.begin_opening();
    load(id, move |answer| {
        if !state.document.is_awaited(opening) {
            return state.address.is_arriving.set(false);
        }
        match answer {
            Ok(guide) => {
                let is_open = state.open(guide.document_under(under.unwrap_or(guide.origin.policy())), None);
                show(state, guide);
                if is_open {
                    then();
                } else {
                    state.address.is_arriving.set(false);
                }
            }
            Err(why) => {
                state.address.is_arriving.set(false);
                state.messages.complain(why);
            }
        }
    });
}

/// Shows the texts of a built-in scenario, if the document is still that one.
fn show(state: AppState, guide: Guide) {
    if !state.document.with_untracked(|d| guide.is_of(d)) {
        return;
    }
    if state.document.with_untracked(|d| guide.origin.is_misnamed(d)) {
        state.document.amend(|d| guide.origin.disown(d));
    }
    state.document.guide.set(Some(Arc::new(guide)));
}

/// Reads a built-in scenario: the first at once, another one when the worker has sent it.
fn load(id: &'static str, then: impl FnOnce(Result<Guide, String>) + 'static) {
    if id == examples::first().id {
        return then(Ok(Guide::first()));
    }
    client::ask(LoadExample(id.to_owned()), move |answer| then(answer.and_then(|example| Guide::sent(id, example))));
}
