//! Links that open one tool with a word on the scenario on screen.
//!
//! Depends on `format`. Invariant: of a built-in scenario the page's own link is taken, which is shorter and can be read.

use super::Place;
use crate::examples;
use crate::format::{self, Link};
use crate::protocol::Effect;
use crate::scenario::Draft;
use crate::view::document::Document;

/// In place of what a tool remembers: the word to open it with.
const WORD: &str = "open";

/// Puts a link to the scenario on screen, with one tool opened with a word, on the clipboard.
pub(super) fn copy_with_tool(place: &Place, tool: &str, word: String) -> Effect {
    // The page wrote it.
    let scenario = format::read_scenario(&place.scenario).unwrap_or_default();
    if place.base.is_empty() || is_built_in(&scenario) {
        return Effect::CopyLink(word);
    }
    let link = Link {
        scenario,
        position: place.position,
        at_ns: place.at.ns(),
        example: place.example.map(|example| example.id.to_owned()).unwrap_or_default(),
        tools: vec![(tool.to_owned(), vec![(WORD.to_owned(), word.clone())])],
        ..Link::default()
    };
    match format::write_link(&link, None) {
        Ok(fragment) => Effect::CopyText(format!("{}#{fragment}", place.base)),
        Err(_) => Effect::CopyLink(word),
    }
}

/// Whether it is a built-in scenario, as the page shows it.
fn is_built_in(draft: &Draft) -> bool {
    let shown = |draft: Draft| Document::new(draft).draft();
    let this = shown(draft.clone());
    examples::all().any(|example| format::read_scenario(example.json).is_ok_and(|draft| shown(draft) == this))
}
