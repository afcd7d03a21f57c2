//! The page of a tour: what every stop says, and the step at which it stands.
//!
//! Depends on tours. Invariant: the right answer to a question is folded away until it is asked for.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};

use blockstep_learn::tour::{PAPERS, Paragraph, ParagraphPiece, Tour, TourPlace, TourQuestion, TourStop};
use blockstep_view::position::Stop;

use crate::SiteError;
use crate::part::{Part, PartKind, chip, cut, stepper};
use crate::pictures::ShownRun;

/// Tours in the order of the index: what they are about, then their numbers.
pub(crate) fn sorted(mut tours: Vec<Tour>) -> Vec<Tour> {
    let of_papers = |tour: &Tour| PAPERS.iter().position(|(paper, _)| *paper == tour.paper).map_or(0, |place| place + 1);
    tours.sort_by_key(|tour| (of_papers(tour), tour.number(), tour.id.clone()));
    tours
}

/// Its page.
pub(crate) fn part(tour: &Tour) -> Result<Part, SiteError> {
    let mut runs: BTreeMap<String, ShownRun> = BTreeMap::new();
    let mut places: Vec<Option<String>> = Vec::new();
    let mut insets: BTreeMap<usize, String> = BTreeMap::new();
    let mut picture = None;
    for (i, stop) in tour.stops.iter().enumerate() {
        // Beside a tool of its own page, or a study, the run is not what is told of.
        if stop.study.is_some() || stop.tool.as_ref().is_some_and(|(tool, _)| *tool == "batch") {
            places.push(None);
            continue;
        }
        let scenario = tour.scenario(&stop.setting)?;
        if !runs.contains_key(&scenario) {
            runs.insert(scenario.clone(), ShownRun::simulate(&scenario)?);
        }
        let Some(shown) = runs.get(&scenario) else { continue };
        let place = match stop.place {
            TourPlace::Step(step) => Stop::at_step(&shown.run.trace, step),
            TourPlace::At(at) => Stop::at_time(&shown.run.trace, at),
        };
        places.push(Some(shown.words(place)));
        insets.extend(Tour::inset(stop, &shown.run).map(|inset| (i, inset.in_words(inset.right()))));
        // What a question asks for must not show; after the first steps there is something to be seen.
        if picture.is_none() && place.position > 0 && !stop.is_future_hidden {
            picture = shown.picture(place, shown.words(place), PartKind::Tour.file(&tour.id).replace(".html", ".svg"), true);
        }
    }
    let stops = tour.stops.iter().zip(&places).enumerate();
    let body = html! {
        ol.moments { @for (i, (stop, place)) in stops { (stop_of(tour, i, stop, place.as_deref(), insets.get(&i))) } }
    };
    Ok(Part {
        kind: PartKind::Tour,
        id: tour.id.clone(),
        title: tour.full_title(),
        description: cut(&tour.about),
        picture,
        like: None,
        group: paper(&tour.paper),
        open: ("Take this tour", format!("tour={}", tour.id)),
        lead: html! { p { (tour.about) " The tour has " (tour.stops.len()) " stops." } },
        body,
    })
}

/// What a tour is about, in words.
pub(crate) fn paper(of: &str) -> String {
    PAPERS.iter().find(|(paper, _)| *paper == of).map_or_else(|| "To begin with".to_owned(), |(paper, about)| format!("[{paper}] {about}"))
}

fn stop_of(tour: &Tour, i: usize, stop: &TourStop, place: Option<&str>, inset: Option<&String>) -> Markup {
    html! {
        li {
            h2 { a href=(stepper(&format!("tour={}/{}", tour.id, i + 1))) { (i + 1) ". " (stop.title) } }
            @for text in &stop.text { p { (paragraph(text)) } }
            @if let Some(code) = &stop.code { pre tabindex="0" { code { (code) } } }
            // Markup of ours, in which nothing is another's.
            @if let Some(picture) = tour.picture(stop) { div.drawn role="img" aria-label=(picture.label) { (PreEscaped(picture.svg)) } }
            @if let Some(ask) = &stop.ask { (question(ask, inset)) }
            @if let Some(place) = place { p.step { (place) } }
        }
    }
}

fn question(ask: &TourQuestion, inset: Option<&String>) -> Markup {
    html! {
        p { strong { (paragraph(&ask.question)) } }
        @if inset.is_none() { ul { @for choice in &ask.choices { li { (paragraph(&choice.text)) } } } }
        details {
            summary { "The answer" }
            @if let Some(inset) = inset { p { (inset) "." } }
            @else { ul {
                @for choice in &ask.choices {
                    li { b { @if choice.is_right { "Right: " } @else { "Wrong: " } } (paragraph(&choice.text)) " " (paragraph(&choice.why)) }
                }
            } }
        }
    }
}

fn paragraph(text: &Paragraph) -> Markup {
    html! {
        @for piece in &text.0 {
            @match piece {
                ParagraphPiece::Text(text) => (text),
                ParagraphPiece::Bold(text) => b { (text) },
                ParagraphPiece::Rule(rule) => (chip(*rule)),
            }
        }
    }
}
