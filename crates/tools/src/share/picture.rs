//! The code of the element that shows a picture until a reader touches it (`public/blockstep-run.js`).
//!
//! Invariants: whatever a scenario is called, the code is two elements of HTML; none of its lines is empty, so that Markdown takes it
//! as it is.

use html_escape::{encode_double_quoted_attribute, encode_text};

use super::parts::LinkPart;
use super::state::State;
use crate::runs::Runs;
use crate::tool::{Context, ReaderPlace};
use blockstep_format::Embed;
use blockstep_protocol::Effect;
use blockstep_report::poster;
use blockstep_view::sentence;

pub(super) fn code(address: &str, state: &State, place: &ReaderPlace, runs: &mut Runs) -> String {
    let trace = &place.simulation.run.trace;
    let attribute = |name: &str, value: &str| format!(" {name}=\"{}\"", encode_double_quoted_attribute(value));
    let mut element = format!("<blockstep-run{}{}", attribute("src", address), attribute("title", &super::title(trace.scenario().name())));
    if state.is_separate {
        element += &attribute("poster", &file_name(place));
    }
    if state.sandbox {
        element += " sandbox";
    }
    element += ">\n";
    let poster = if state.is_separate { None } else { draw(state, place, runs) };
    if let Some(svg) = poster {
        element += &svg.replacen("<svg ", "<svg slot=\"poster\" ", 1);
        element.push('\n');
    }
    let home = place.base.rfind('/').map_or("", |slash| &place.base[..=slash]);
    let script = format!("<script{} defer></script>", attribute("src", &format!("{home}blockstep-run.js")));
    let sentence = sentence::spoken(trace, place.stop());
    format!("{script}\n{element}<p slot=\"step\">{}</p>\n</blockstep-run>", encode_text(&sentence))
}

/// The picture as a file, or why there is none.
pub(super) fn save(state: &State, context: &mut Context<'_>) -> Effect {
    let Context { place, runs } = context;
    match draw(state, place, runs) {
        Some(text) => Effect::SaveFile { name: file_name(place), kind: "image/svg+xml".to_owned(), text },
        None => Effect::Announce("The queue diagram is too large for a picture: show the timeline.".to_owned()),
    }
}

/// What is on screen, as far as the link takes it along. What is hidden from readers is not in the picture either.
fn draw(state: &State, place: &ReaderPlace, runs: &mut Runs) -> Option<String> {
    let is_in = |part| !state.without.contains(&part);
    let shown = place.is_zoomed.then(|| place.scale.shown()).filter(|_| is_in(LinkPart::Zoom));
    let view = if place.is_future_hidden && is_in(LinkPart::Tools) { Embed::Queues } else { state.view.unwrap_or(Embed::Both) };
    let timeline = runs.timeline(&place.simulation);
    poster::poster(&place.simulation.run, &timeline, place.stop(), shown, view).map(|poster| poster.svg)
}

fn file_name(place: &ReaderPlace) -> String {
    place.simulation.run.trace.variants().file_name("poster", "svg")
}
