//! A link that opens one tool with a word on what is on screen.
//!
//! Depends on `format`. Invariant: whoever follows the link is where the reader is; of a built-in scenario the page's own link
//! is shorter, and can be read.

use super::{ReaderPlace, memory};
use blockstep_format::{self as format, Link, LinkError};
use blockstep_protocol::Effect;
use blockstep_sim::examples::{self, Example};
use blockstep_sim::scenario::Draft;
use blockstep_view::document::Document;

/// In place of what a tool remembers, in links: the word to open it with.
pub(crate) const WORD: &str = "open";

/// Puts a link to the scenario on screen, with one tool opened with a word, on the clipboard.
pub(crate) fn copy(place: &ReaderPlace, tool: &str, word: String) -> Effect {
    // The page wrote it.
    let scenario = format::read_scenario(&place.scenario).unwrap_or_default();
    let built_in = example_of(&scenario);
    let example = place.example.filter(|_| built_in.is_none()).map(|example| example.id.to_owned()).unwrap_or_default();
    let tools = vec![(tool.to_owned(), memory::with("", WORD, word.as_str()))];
    let link = Link { scenario, position: place.position, at_ns: place.at.ns(), example, tools, ..Link::default() };
    let is_short = place.base.is_empty() || built_in.is_some();
    match format::write_link(&link, None) {
        Ok(fragment) if !is_short => Effect::CopyText(format!("{}#{fragment}", place.base)),
        _ => Effect::CopyLink(word),
    }
}

/// The same for an exercise about a scenario: with that in any case, before the first step, and with what comes hidden.
///
/// # Errors
/// Why there is no such link.
pub(crate) fn copy_whole(place: &ReaderPlace, scenario: &str, tool: &str, word: &str) -> Result<Effect, LinkError> {
    let scenario = format::read_scenario(scenario).unwrap_or_default();
    let built_in = example_of(&scenario);
    let example = place.example.filter(|_| built_in.is_none()).map(|example| example.id.to_owned()).unwrap_or_default();
    let tools = vec![(tool.to_owned(), memory::with("", WORD, word))];
    let link = Link { scenario, example, tools, is_future_hidden: true, ..Link::default() };
    let fragment = format::write_link(&link, None)?;
    Ok(Effect::CopyText(format!("{}#{fragment}", place.base)))
}

/// The built-in scenario that this is, once it is on screen.
pub(crate) fn example_of(draft: &Draft) -> Option<&'static Example> {
    let shown = |draft: Draft| Document::new(draft).draft();
    let this = shown(draft.clone());
    examples::all().find(|example| format::read_scenario(example.json).is_ok_and(|draft| shown(draft) == this))
}
