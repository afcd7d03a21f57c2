//! Figures for LaTeX: the part of the panel for them, and their files.
//!
//! Depends on `report` and `draw::tikz`. Invariants: the figure is the one that the rest of the panel
//! says; what cannot be saved is said in words; every control has a name that keeps its focus.

use super::form::list;
use super::wanted::{Wanted, held};
use super::{Act, Query};
use crate::draw::figure::{Palette, Style};
use crate::draw::tikz::beamer::MAX_SLIDES;
use crate::draw::tikz::{self, Sheet};
use crate::engine::Run;
use crate::report::figure;
use crate::report::slides::{self, Deck, Shows};
use crate::trace::Trace;
use crate::view::markup::Markup;
use crate::view::position::{self, Stop};
use crate::view::timeline::Timeline;

/// Controls that hold text or one of a list.
const FIELDS: [&str; 4] = ["tex-width", "tex-size", "tex-shows", "tex-steps"];
/// Controls that are ticked or not, at first not.
const TICKED: [&str; 2] = ["tex-fragment", "tex-future"];

/// Widths to choose from, pt.
const WIDTHS: [(&str, &str); 6] = [
    ("345", "text of an article, 345 pt"),
    ("240", "a column of two, 240 pt"),
    ("252", "a column of IEEE, 252 pt"),
    ("516", "both columns of IEEE, 516 pt"),
    ("427", "a slide, 427 pt"),
    ("483", "A4 with small margins, 17 cm"),
];
/// Heights of letters to choose from, pt.
const SIZES: [&str; 5] = ["8", "6", "7", "9", "10"];

/// What is to be saved.
pub(super) struct Whole<'a> {
    pub(super) run: &'a Run,
    pub(super) timeline: &'a Timeline,
    /// The figure; there is none where the rest of the form says what is wrong.
    pub(super) wanted: Option<&'a Wanted>,
}

/// What the controls hold.
pub(super) fn take(memory: &mut Query, given: &Query) {
    super::take_of(memory, given, &FIELDS, &TICKED);
}

/// The controls; the picture cannot be saved while something is wrong with it.
pub(super) fn controls(html: &mut Markup, memory: &Query, is_off: bool) {
    html.leaf("h3", &[], "LaTeX").open("div", &[("class", "tool-row")]);
    let widths = WIDTHS.map(|(value, text)| (value, text.to_owned()));
    list(html, ("tex-width", "Width "), held(memory, "tex-width", WIDTHS[0].0), &widths);
    list(html, ("tex-size", "Letters "), held(memory, "tex-size", SIZES[0]), &SIZES.map(|size| (size, format!("{size} pt"))));
    html.close().open("div", &[("class", "tool-row")]);
    button(html, "tikz", "Save TikZ", is_off);
    html.close();
    html.leaf("h3", &[], "Slides of steps (Beamer)").open("div", &[("class", "tool-row")]);
    let shows = Shows::ALL.map(|shows| (shows.word(), title_of(shows).to_owned()));
    list(html, ("tex-shows", "Show "), held(memory, "tex-shows", Shows::default().word()), &shows);
    html.open("label", &[]).text("Steps ");
    html.single(
        "input",
        &[
            ("type", "text"),
            ("name", "tex-steps"),
            ("size", "18"),
            ("value", memory.get("tex-steps")),
            ("placeholder", "all, or 12, 20-30, 1.1 s"),
            ("autocomplete", "off"),
            ("data-keep", "tex-steps"),
        ],
    );
    html.close();
    tick(html, memory, "tex-future", "Timeline with what comes later");
    html.close().open("div", &[("class", "tool-row")]);
    button(html, "beamer", "Save Beamer slides", false);
    tick(html, memory, "tex-fragment", "For \\input in a document of yours");
    html.close();
}

const fn title_of(shows: Shows) -> &'static str {
    match shows {
        Shows::Timeline => "the timeline",
        Shows::Queues => "the queue diagram",
        Shows::Both => "both",
    }
}

/// A box to tick; `shown` tells the tool of those that are not.
fn tick(html: &mut Markup, memory: &Query, name: &'static str, label: &str) {
    let checked = if is_on(memory, name) { "1" } else { "" };
    html.single("input", &[("type", "hidden"), ("name", "shown"), ("value", name)]);
    html.open("label", &[]);
    html.single("input", &[("type", "checkbox"), ("name", name), ("value", "on"), ("checked", checked), ("data-keep", name)]);
    html.text(label).close();
}

fn is_on(memory: &Query, name: &str) -> bool {
    memory.get(name) == "on"
}

fn button(html: &mut Markup, word: &str, title: &str, is_off: bool) {
    let off = if is_off { "1" } else { "" };
    html.leaf("button", &[("type", "button"), ("data-do", word), ("data-keep", word), ("disabled", off)], title);
}

/// The file of a word, `tikz` or `beamer`; none for other words.
pub(super) fn save(word: &str, whole: &Whole<'_>, memory: &Query) -> Option<Result<Act, String>> {
    match (word, whole.wanted) {
        ("tikz", Some(wanted)) => Some(tikz(whole, wanted, memory)),
        ("beamer", _) => Some(beamer(whole, memory)),
        _ => None,
    }
}

fn tikz(whole: &Whole<'_>, wanted: &Wanted, memory: &Query) -> Result<Act, String> {
    let number = |name: &str, usual: &str| held(memory, name, usual).parse::<f64>().unwrap_or(f64::NAN);
    let style = tikz::style(number("tex-width", WIDTHS[0].0), number("tex-size", SIZES[0]), wanted.style.palette)?;
    let style = Style { has_legend: wanted.style.has_legend, ..style };
    let drawn = figure::draw(whole.run, whole.timeline, &wanted.subject, wanted.has_title, style);
    let sheet = Sheet::of(&drawn.picture);
    let text = if is_on(memory, "tex-fragment") { tikz::fragment(&sheet) } else { tikz::document(&sheet) };
    Ok(file(whole.run, drawn.stem, text))
}

fn beamer(whole: &Whole<'_>, memory: &Query) -> Result<Act, String> {
    let deck = Deck {
        stops: stops(&whole.run.trace, memory.get("tex-steps"))?,
        shows: Shows::from_word(memory.get("tex-shows")).unwrap_or_default(),
        palette: Palette::from_word(memory.get("palette")).unwrap_or_default(),
        hides_future: !is_on(memory, "tex-future"),
        is_document: !is_on(memory, "tex-fragment"),
    };
    Ok(file(whole.run, "slides", slides::tex(whole.run, whole.timeline, &deck)?))
}

/// Steps as typed: numbers of steps, ranges of them, times; all if nothing is.
fn stops(trace: &Trace, text: &str) -> Result<Vec<Stop>, String> {
    let count = trace.steps().len() as u32;
    if text.trim().is_empty() {
        return Ok((1..=count).map(|position| Stop::at_step(trace, position)).collect());
    }
    let step = |text: &str| match text.trim().parse::<u32>() {
        Ok(step) => position::parse_stop(trace, &format!("#{step}")),
        Err(_) => position::parse_stop(trace, text),
    };
    let mut found = Vec::new();
    for piece in text.split(',').map(str::trim).filter(|piece| !piece.is_empty()) {
        // A dash before anything else would be a sign.
        match piece.split_once(['-', '\u{2013}']).filter(|(from, _)| !from.trim().is_empty()) {
            Some((from, to)) => {
                let (from, to) = (step(from)?.position, step(to)?.position);
                if from > to {
                    return Err(format!("steps {piece}: the first is after the last"));
                }
                let count = found.len() + (to - from) as usize + 1;
                if count > MAX_SLIDES {
                    return Err(slides::too_many(count));
                }
                found.extend((from..=to).map(|position| Stop::at_step(trace, position)));
            }
            None => found.push(step(piece)?),
        }
    }
    Ok(found)
}

fn file(run: &Run, stem: &str, text: String) -> Act {
    Act::Save { name: run.trace.variants().file_name(stem, "tex"), kind: "application/x-tex", text }
}
