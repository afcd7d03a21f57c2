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
use crate::part::{Part, PartKind, chip, link, stepper};
use crate::pictures::Picture;
use crate::questions::ShownQuestion;
use crate::tours;

/// The place of the questions.
pub(crate) const QUESTIONS: &str = "questions";

const ABOUT: &str = "Questions to try, experiments of four papers, tours through their figures, the rules by which a GPU schedules, and the terms: each on a \
                     page to read, and to step through. The guides say how to use Blockstep, and what it promises.";

/// The index.
pub(crate) fn part(source: &Source, parts: &[Part]) -> Document {
    let main = html! {
        h1 { "How a GPU schedules: questions, examples, tours, rules, terms, guides" }
        p { (ABOUT) }
        p { a.open href=(stepper("")) { "Open Blockstep" } }
        section { h2 id=(QUESTIONS) { "Questions" } (questions(&source.questions)) }
        (section(PartKind::Example, &examples(&source.examples, parts)))
        (section(PartKind::Tour, &tours_of(&source.tours, parts)))
        (section(PartKind::Rule, &rules()))
        (section(PartKind::Term, &terms(source)))
        (section(PartKind::Guide, &guides::list()))
    };
    Document { file: String::new(), title: "How a GPU schedules".to_owned(), description: ABOUT.to_owned(), main, chat: None }
}

fn section(kind: PartKind, content: &Markup) -> Markup {
    html! { section { h2 id=(kind.anchor()) { (kind.heading()) } (content) } }
}

/// A picture over a title that leads on, and a line about it.
fn tile(target: &str, title: &str, about: &str, picture: Option<&Picture>) -> Markup {
    html! {
        li {
            a href=(target) {
                @if let Some(Picture { file, width, height, .. }) = picture {
                    // The title says what it is of.
                    img src=(file) width=(width) height=(height) alt="" loading="lazy";
                }
                span { (title) }
            }
            @if !about.is_empty() { p { (about) } }
        }
    }
}

fn questions(all: &[ShownQuestion]) -> Markup {
    html! {
        ul.tiles {
            @for ShownQuestion { card, picture } in all {
                (tile(&stepper(&format!("/explore/{}", card.id)), card.question, card.teaches, picture.as_ref()))
            }
        }
    }
}

/// A page as a tile.
fn tile_of(parts: &[Part], kind: PartKind, id: &str, title: &str, about: &str) -> Markup {
    let file = kind.file(id);
    let picture = parts.iter().find(|part| part.file() == file).and_then(|part| part.picture.as_ref());
    tile(&file, title, about, picture)
}

fn examples(all: &[ShownExample], parts: &[Part]) -> Markup {
    html! {
        @for group in all.chunk_by(|a, b| a.example.group == b.example.group) {
            h3 { (group.first().map_or("", |first| first.example.group)) }
            ul.tiles {
                @for shown in group { (tile_of(parts, PartKind::Example, shown.example.id, shown.example.title, "")) }
            }
        }
    }
}

fn tours_of(all: &[Tour], parts: &[Part]) -> Markup {
    html! {
        @for group in all.chunk_by(|a, b| a.paper == b.paper) {
            h3 { (group.first().map_or_else(String::new, |first| tours::paper(&first.paper))) }
            ul.tiles { @for tour in group { (tile_of(parts, PartKind::Tour, &tour.id, &tour.full_title(), &tour.about)) } }
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
