//! The page of a term of the glossary.
//!
//! Depends on the glossary. Invariant: a term is linked by its slug, which is its own.

use maud::html;

use blockstep_learn::glossary::Term;

use crate::Source;
use crate::part::{Part, PartKind, chip, cut, link};

/// Its page.
pub(crate) fn part(term: &Term, source: &Source) -> Part {
    let known = |name: &str| source.terms.iter().find(|other| other.name == name);
    let used_by: Vec<_> = source.terms.iter().filter(|other| other.see.contains(&term.name) && !term.see.contains(&other.name)).collect();
    let body = html! {
        @if !term.rules.is_empty() {
            h2 { "Rules about it" }
            ul.rules { @for rule in &term.rules { li { (chip(*rule)) " " (rule.sentence()) } } }
        }
        @if !term.see.is_empty() {
            h2 { "See also" }
            ul { @for other in term.see.iter().filter_map(|name| known(name)) { li { (link(PartKind::Term, &other.slug(), other.name)) } } }
        }
        @if !used_by.is_empty() {
            h2 { "Terms that refer to it" }
            ul { @for other in &used_by { li { (link(PartKind::Term, &other.slug(), other.name)) } } }
        }
    };
    Part {
        kind: PartKind::Term,
        id: term.slug(),
        title: term.name.to_owned(),
        description: cut(term.meaning),
        picture: None,
        like: term.rules.first().map(|rule| PartKind::Rule.file(rule.id())),
        group: "GPU scheduling".to_owned(),
        open: ("Look it up beside a run", format!("glossary={}", term.name.replace(' ', "%20"))),
        lead: html! {
            @if !term.also.is_empty() { p.quiet { "Also: " (term.also.join(", ")) } }
            p.says { (term.meaning) }
            @if !term.source.is_empty() { p.source { "Source: " (term.source) } }
        },
        body,
    }
}
