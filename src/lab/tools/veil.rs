//! Tools that would tell what is asked: while a question is open they tell nothing.
//!
//! Depends on what a request and an answer are. Invariant: a tool in the list is not asked while what
//! comes after the step is hidden, but to close it; what it was opened with then, it is asked after.

use super::query::Query;
use super::{Answer, Asked, Event};
use crate::view::markup::Markup;

/// Tools that look ahead of the step, or at another run of the same table.
const HIDDEN: [&str; 1] = ["compare"];

/// Where the word that a tool was opened with is kept.
const WORD: &str = "veiled-word";

/// Whether a tool has nothing to tell now. If it had, and has again, it is opened with its word.
pub(super) fn hides(tool: &str, asked: &mut Asked<'_>) -> bool {
    let is_closed = asked.event == Event::Did("close".to_owned());
    if asked.here.is_veiled && !is_closed && HIDDEN.contains(&tool) {
        return true;
    }
    let kept = asked.state.get(WORD).to_owned();
    asked.state.set(WORD, "");
    if let (Some(word), Event::Moved) = (Query::read(&kept).all("word").next(), &asked.event) {
        asked.event = Event::Opened(word.to_owned());
    }
    false
}

/// What is shown instead.
pub(super) fn html() -> String {
    let mut html = Markup::new();
    html.leaf("p", &[("class", "tool-note")], "Hidden until you have answered.");
    html.finish()
}

/// The answer of a tool that is not asked.
pub(super) fn answer(asked: &Asked<'_>) -> Answer {
    let mut state = asked.state.clone();
    if let Event::Opened(word) = &asked.event {
        let mut kept = Query::new();
        kept.add("word", word.as_str());
        state.set(WORD, kept.write());
    }
    Answer { state, html: html(), acts: Vec::new() }
}
