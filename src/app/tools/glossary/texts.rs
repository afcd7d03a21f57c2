//! The texts of "Glossary": every word that a reader meets there, but for the terms. Depends on nothing.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

#[cfg(target_arch = "wasm32")]
use leptos::prelude::*;

// What is looked for.

pub(super) const FIND: &str = "Find";
pub(super) const FIND_EXAMPLE: &str = "a term, or a rule";
pub(super) const ALL: &str = "All terms";

// How many terms there are.

pub(super) const NONE: &str = "No term has that in its name or meaning.";

pub(super) fn one(term: &str) -> String {
    format!("One term: {term}.")
}

pub(super) fn several(count: usize) -> String {
    format!("{count} terms.")
}

// A term.

pub(super) fn also(names: &[String]) -> String {
    format!("also: {}", names.join(", "))
}

/// The terms to look at next, as buttons, and where the term is from.
#[cfg(target_arch = "wasm32")]
pub(super) fn see(terms: impl IntoView, source: String) -> impl IntoView {
    view! { "See " {terms} ". " {source} }
}
