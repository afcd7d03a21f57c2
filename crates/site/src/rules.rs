//! The page of a rule: what it says, where it is from, and the runs that use it.
//!
//! Depends on rules, the ledger and the glossary. Invariant: a run is named where its ledger counts the rule.

use maud::html;

use blockstep_learn::ledger::{FAMILIES, RuleFamily};
use blockstep_learn::tour::{ParagraphPiece, Tour};
use blockstep_sim::trace::{Rule, Variant};

use crate::Source;
use crate::examples::ShownExample;
use crate::part::{Part, PartKind, cut, example_at, link, stepper};

/// Every rule with what it is about, in the order of the index.
pub(crate) fn listed() -> impl Iterator<Item = (&'static RuleFamily, Rule)> {
    FAMILIES.iter().flat_map(|family| Rule::ALL.into_iter().filter(|rule| family.has(*rule)).map(move |rule| (family, rule)))
}

/// Its page.
pub(crate) fn part(rule: Rule, source: &Source) -> Part {
    let id = rule.id();
    let shows: Vec<_> =
        source.examples.iter().filter_map(|shown| shown.first_use(rule).map(|(stop, words)| (shown, stop, words))).collect();
    let terms: Vec<_> = source.terms.iter().filter(|term| term.rules.contains(&rule)).collect();
    let tours: Vec<_> = source.tours.iter().filter(|tour| names(tour, rule)).collect();
    let variants: Vec<_> = Variant::ALL.into_iter().filter(|variant| variant.rules().contains(&rule)).collect();
    let file = PartKind::Rule.file(id).replace(".html", ".svg");
    let picture = shows.iter().find_map(|(shown, stop, words)| shown.shown.picture(*stop, words.clone(), file.clone(), true));
    let on = |shown: &ShownExample| format!("rules=rule={id}&on={}", shown.example.id);
    let open = shows.first().map_or_else(|| format!("glossary={id}"), |(shown, ..)| on(shown));
    let body = html! {
        @if !shows.is_empty() {
            h2 { "Examples that use it" }
            ul.uses {
                @for (shown, stop, words) in &shows {
                    li {
                        (link(PartKind::Example, shown.example.id, shown.example.title)) ": "
                        a.step href=(stepper(&example_at(shown.example.id, stop.position))) { (words) }
                    }
                }
            }
        }
        @if !variants.is_empty() {
            h2 { "How it could be misread" }
            ul { @for variant in &variants { li { (variant.sentence()) " " span.quiet { "(" (variant.id()) ")" } } } }
        }
        @if !terms.is_empty() {
            h2 { "Terms" }
            ul { @for term in &terms { li { (link(PartKind::Term, &term.slug(), term.name)) } } }
        }
        @if !tours.is_empty() {
            h2 { "Tours that explain it" }
            ul { @for tour in &tours { li { (link(PartKind::Tour, &tour.id, tour.full_title())) } } }
        }
    };
    let family = FAMILIES.iter().find(|family| family.has(rule)).map_or("", |family| family.name);
    Part {
        kind: PartKind::Rule,
        id: id.to_owned(),
        title: format!("Rule {id}"),
        description: cut(rule.sentence()),
        picture,
        like: None,
        group: family.to_owned(),
        open: ("See where a run uses it", open),
        lead: html! { p.says { (rule.sentence()) } p.source { "Source: " (rule.cited()) } },
        body,
    }
}

/// Whether a stop of the tour names the rule.
fn names(tour: &Tour, rule: Rule) -> bool {
    tour.stops.iter().flat_map(|stop| &stop.text).flat_map(|text| &text.0).any(|piece| *piece == ParagraphPiece::Rule(rule))
}
