//! What links to the page have in common, whichever tool makes them.
//!
//! Depends on `format` and on the built-in scenarios. Invariant: links of version 1 hold these words.

use crate::examples::{self, Example};
use crate::format;
use crate::scenario::Draft;
use crate::view::document::Document;

/// In place of what a tool remembers: the word to open it with.
pub(super) const WORD: &str = "open";

/// The built-in scenario that this is, once it is on screen.
pub(super) fn example_of(draft: &Draft) -> Option<&'static Example> {
    let shown = |draft: Draft| Document::new(draft).draft();
    let this = shown(draft.clone());
    examples::all().find(|example| format::read_scenario(example.json).is_ok_and(|draft| shown(draft) == this))
}
