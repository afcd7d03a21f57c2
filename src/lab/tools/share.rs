//! Links that open one tool with a word, for the tools that are still written as HTML.
//!
//! Depends on `format`. Invariant: of a built-in scenario the page's own link is taken, which is shorter and can be read.

use super::{Act, Here};
use crate::examples;
use crate::format::{self, Link};
use crate::scenario::Draft;
use crate::view::document::Document;

/// In place of what a tool remembers: the word to open it with.
const WORD: &str = "open";

/// Puts a link to the scenario on screen, with one tool opened with a word, on the clipboard.
pub(super) fn copy_with_tool(here: &Here, tool: &str, word: String) -> Act {
    // The page wrote it.
    let scenario = format::read_scenario(&here.scenario).unwrap_or_default();
    let is_short = here.base.is_empty() || is_built_in(&scenario);
    let link = Link {
        scenario,
        position: here.position,
        at_ns: here.at.ns(),
        example: here.example.map(|example| example.id.to_owned()).unwrap_or_default(),
        tools: vec![(tool.to_owned(), vec![(WORD.to_owned(), word.clone())])],
        ..Link::default()
    };
    match format::write_link(&link, None) {
        Ok(fragment) if !is_short => Act::Clip(format!("{}#{fragment}", here.base)),
        _ => Act::Copy(word),
    }
}

fn is_built_in(draft: &Draft) -> bool {
    let shown = |draft: Draft| Document::new(draft).draft();
    let this = shown(draft.clone());
    examples::all().any(|example| format::read_scenario(example.json).is_ok_and(|draft| shown(draft) == this))
}
