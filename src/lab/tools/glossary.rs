//! The tool "Glossary": the field's terms, to be looked up by name, by rule and by reference.
//!
//! Depends on `learn::glossary`. Invariant: what is listed follows from what was typed or referred to.

use super::{Act, Answer, Asked, Event};
use crate::learn::glossary::{Term, matching, terms};
use crate::view::markup::Markup;
use crate::view::panels::chip;

/// Answers what the reader did. A word that it is opened with is a term, or a rule's id.
///
/// # Errors
/// None.
#[expect(clippy::unnecessary_wraps, reason = "as every tool")]
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut state = std::mem::take(&mut asked.state);
    let before = state.get("find").to_owned();
    match &asked.event {
        Event::Opened(word) => drop(state.set("find", word.as_str())),
        Event::Changed(_) => drop(state.set("find", asked.fields.get("find").trim())),
        Event::Did(word) => match word.split_once(':').unwrap_or((word, "")) {
            ("submit", _) => drop(state.set("find", asked.fields.get("find").trim())),
            ("all", _) => drop(state.set("find", "")),
            ("term", slug) => drop(state.set("find", terms().iter().find(|t| t.slug() == slug).map_or("", |t| t.name))),
            _ => {}
        },
        Event::Moved => {}
    }
    let found = matching(state.get("find"));
    let count = count(&found);
    let acts = if before == state.get("find") { Vec::new() } else { vec![Act::Say(count.clone())] };
    let html = page(state.get("find"), &found, &count);
    Ok(Answer { state, html, acts })
}

fn count(found: &[Term]) -> String {
    match found {
        [] => "No term has that in its name or meaning.".to_owned(),
        [term] => format!("One term: {}.", term.name),
        _ => format!("{} terms.", found.len()),
    }
}

fn page(find: &str, found: &[Term], count: &str) -> String {
    let mut html = Markup::new();
    html.open("div", &[("class", "tool-row")]).open("label", &[]).text("Find ");
    html.single(
        "input",
        &[
            ("type", "text"),
            ("name", "find"),
            ("value", find),
            ("data-keep", "find"),
            ("placeholder", "a term, or a rule"),
            ("autocomplete", "off"),
        ],
    );
    html.close();
    if !find.is_empty() {
        html.leaf("button", &[("type", "button"), ("class", "small"), ("data-do", "all"), ("data-keep", "all")], "All terms");
    }
    html.close().leaf("p", &[("class", "tool-note")], count);
    html.open("dl", &[("class", "glossary")]);
    for term in found {
        entry(&mut html, term);
    }
    html.close();
    html.finish()
}

fn entry(html: &mut Markup, term: &Term) {
    let slug = term.slug();
    html.leaf("dt", &[("id", &format!("term-{slug}"))], term.name).open("dd", &[]);
    if !term.also.is_empty() {
        html.leaf("p", &[("class", "tool-note")], &format!("also: {}", term.also.join(", ")));
    }
    html.leaf("p", &[], term.meaning).open("p", &[("class", "tool-note")]);
    for &rule in &term.rules {
        chip(html, rule, true);
        html.text(" ");
    }
    html.text("See ");
    for (i, name) in term.see.iter().enumerate() {
        if i > 0 {
            html.text(", ");
        }
        let target = terms().iter().find(|t| t.name == *name).map(Term::slug).unwrap_or_default();
        let (word, keep) = (format!("term:{target}"), format!("{slug}-{target}"));
        html.leaf("button", &[("type", "button"), ("class", "link"), ("data-do", &word), ("data-keep", &keep)], name);
    }
    html.text(".");
    if !term.source.is_empty() {
        html.text(" ").text(term.source);
    }
    html.close().close();
}
