//! The questions, and which of them the page's document is of.
//!
//! Depends on `learn::explore`. Invariant: a question is opened as any scenario is, so that it can be undone.

use std::sync::OnceLock;

use leptos::prelude::*;

use crate::state::AppState;
use blockstep_learn::explore::{self, Card, CardScenario, CardTable};
use blockstep_sim::examples;
use blockstep_sim::units::Time;
use blockstep_view::document::Document;

/// What Explore begins with: the first question, at its moment.
pub(crate) fn first() -> (Document, Option<Time>) {
    let card = &explore::cards()[0];
    (card.document(), Some(Time(card.at_ns)))
}

/// The question that the document is of, by the name of its scenario, which stays through edits and reloads, or by the example that it
/// began as.
fn card_of(document: &Document) -> Option<&'static Card> {
    let is_of_example = |card: &&Card| card.scenario == CardScenario::FirstExample;
    if document.example == Some(examples::first().id) {
        return explore::cards().iter().find(is_of_example);
    }
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let names = NAMES.get_or_init(|| explore::cards().iter().map(|card| card.draft().name).collect());
    names.iter().position(|name| *name == document.rest.name).map(|place| &explore::cards()[place])
}

/// Whether the document is the table of a question, under whichever policy.
pub(crate) fn is_as_given(document: &Document) -> bool {
    card_of(document).is_some_and(|card| card.compared(document) != CardTable::Changed)
}

/// Opens a question at its moment; it can be undone.
pub(super) fn open(state: AppState, card: &Card) {
    state.open(card.document(), Some(Time(card.at_ns)));
}

/// Opens the question that an address names, unless it is there; false if there is none of that name.
pub(crate) fn open_named(state: AppState, id: &str, is_arriving: bool) -> bool {
    let Some(card) = explore::card(id) else { return false };
    if state.document.with_untracked(|d| card_of(d).is_none_or(|here| here.id != card.id)) {
        if is_arriving {
            state.enter_link(false);
        }
        open(state, card);
    }
    true
}

/// The question on screen; it changes less often than the document.
pub(super) fn current(state: AppState) -> Memo<Option<&'static str>> {
    Memo::new(move |_| state.document.with(|d| card_of(d).map(|card| card.id)))
}
