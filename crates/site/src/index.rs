//! The index of the pages, by kind.
//!
//! Depends on everything that has a page. Invariant: every page is linked once.

use maud::{Markup, html};

use blockstep_learn::ledger::FAMILIES;
use blockstep_learn::tour::Tour;
use blockstep_sim::trace::Rule;

use crate::Source;
use crate::examples::ShownExample;
use crate::frame::Document;
use crate::guides;
use crate::part::{PartKind, chip, link, stepper};
use crate::tours;

const ABOUT: &str = "Experiments of four papers, tours through their figures, the rules by which a GPU schedules, and the terms: each on a \
                     page to read, and to step through. The guides say how to use Blockstep, and what it promises.";

/// The index.
pub(crate) fn part(source: &Source) -> Document {
    let main = html! {
        h1 { "How a GPU schedules: examples, tours, rules, terms, guides" }
        p { (ABOUT) }
        p { a.open href=(stepper("")) { "Open Blockstep" } }
        (section(PartKind::Example, &examples(&source.examples)))
        (section(PartKind::Tour, &tours_of(&source.tours)))
        (section(PartKind::Rule, &rules()))
        (section(PartKind::Term, &terms(source)))
        (section(PartKind::Guide, &guides::list()))
    };
    Document { file: String::new(), title: "How a GPU schedules".to_owned(), description: ABOUT.to_owned(), main, chat: None }
}

fn section(kind: PartKind, content: &Markup) -> Markup {
    html! { section { h2 id=(kind.anchor()) { (kind.heading()) } (content) } }
}

fn examples(all: &[ShownExample]) -> Markup {
    html! {
        @for group in all.chunk_by(|a, b| a.example.group == b.example.group) {
            h3 { (group.first().map_or("", |first| first.example.group)) }
            ul { @for shown in group { li { (link(PartKind::Example, shown.example.id, shown.example.title)) } } }
        }
    }
}

fn tours_of(all: &[Tour]) -> Markup {
    html! {
        @for group in all.chunk_by(|a, b| a.paper == b.paper) {
            h3 { (group.first().map_or_else(String::new, |first| tours::paper(&first.paper))) }
            ul { @for tour in group { li { (link(PartKind::Tour, &tour.id, tour.full_title())) ": " (tour.about) } } }
        }
    }
}

fn rules() -> Markup {
    html! {
        @for family in &FAMILIES {
            h3 { (family.name) }
            ul.rules { @for rule in Rule::ALL.into_iter().filter(|rule| family.has(*rule)) { li { (chip(rule)) " " (rule.sentence()) } } }
        }
    }
}

fn terms(source: &Source) -> Markup {
    html! { ul.terms { @for term in &source.terms { li { (link(PartKind::Term, &term.slug(), term.name)) } } } }
}
