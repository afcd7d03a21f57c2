//! What the form asks for, read and checked.
//!
//! Depends on `report::figure` and `draw::figure`. Invariant: a message names the field, its value and
//! the limit.

use super::Query;
use crate::draw::figure::{FONTS, Palette, Style, WIDTHS};
use crate::lab::tools::Here;
use crate::report::figure::{Beside, ChartKind, MAX_INSETS, Subject};
use crate::runs::Runs;
use crate::runs::beside;
use crate::trace::Trace;
use crate::units::Time;
use crate::view::position::Stop;
use crate::view::quantity::{format_count, format_time};
use crate::view::sentence::when;

/// A figure as asked for.
pub(super) struct Wanted {
    /// Which.
    pub(super) subject: Subject,
    /// Width, size of text, colours.
    pub(super) style: Style,
    /// Whether the scenario's name stands above it.
    pub(super) has_title: bool,
    /// Pixels of a PNG for each of the figure.
    pub(super) scale: u32,
}

/// What is wrong, and with which field.
pub(super) struct Problem {
    /// The field's name; empty if it is not about one.
    pub(super) field: &'static str,
    /// A sentence.
    pub(super) text: String,
}

/// Which figure; the first one if none is chosen.
pub(super) const KINDS: [(&str, &str); 4] = [
    ("timeline", "Timeline"),
    ("queues", "Queue diagram at this step"),
    ("strip", "Strip of queue diagrams"),
    ("chart", "Chart of the results"),
];
/// Width and height of letters, before anything is typed.
pub(super) const WIDTH: &str = "800";
pub(super) const FONT: &str = "12";
/// PNG scale, before anything is chosen.
pub(super) const SCALE: &str = "2";

/// What a field holds, or what it holds at first.
pub(super) fn held<'q>(memory: &'q Query, field: &str, first: &'q str) -> &'q str {
    match memory.get(field) {
        "" => first,
        text => text,
    }
}

/// Whether a box is ticked; the line through the timeline is not at first, the others are.
pub(super) fn is_ticked(memory: &Query, field: &str) -> bool {
    held(memory, field, if field == "line" { "off" } else { "on" }) == "on"
}

/// Stops of the strip, as far as the run has them.
pub(super) fn stops(memory: &Query, here: &Here) -> Vec<Stop> {
    let trace = &here.made.run.trace;
    let read = |word: &str| {
        let (position, at) = word.split_once('@').map_or((word, None), |(position, at)| (position, at.parse().ok()));
        Some(Stop { position: position.parse().ok()?, at: Time(at.unwrap_or(0)) }.within(trace))
    };
    memory.all("step").filter_map(read).take(MAX_INSETS).collect()
}

/// A stop as the tool remembers it: the number of steps, and the time where that is later than the last of them: `18@800000000`.
pub(super) fn word(trace: &Trace, stop: Stop) -> String {
    if stop == Stop::at_step(trace, stop.position) { stop.position.to_string() } else { format!("{}@{}", stop.position, stop.at.ns()) }
}

/// What a stop of the strip is called: `Step 12, 1 s`; later than that step, `1.2 s, after step 12 at 1 s`.
pub(super) fn name(trace: &Trace, stop: Stop) -> String {
    if stop == Stop::at_step(trace, stop.position) {
        format!("Step {}, {}", format_count(stop.position.into()), format_time(stop.at.ns()))
    } else {
        when(trace, stop)
    }
}

impl Wanted {
    /// Reads the form.
    pub(super) fn read(memory: &Query, here: &Here, runs: &mut Runs) -> Result<Self, Problem> {
        let width = number("width", "Width", held(memory, "width", WIDTH), (*WIDTHS.start(), *WIDTHS.end()))?;
        let font = number("font", "Letters", held(memory, "font", FONT), (*FONTS.start(), *FONTS.end()))?;
        let scale = number("scale", "PNG scale", held(memory, "scale", SCALE), (1, 4))?;
        let palette = Palette::from_word(memory.get("palette")).unwrap_or_default();
        let style = Style::new(width, f64::from(font), palette).map_err(|text| Problem { field: "width", text: sentence(&text) })?;
        let style = Style { has_legend: is_ticked(memory, "legend"), ..style };
        let subject = match memory.get("figure") {
            "queues" => Subject::Queues(here.stop()),
            "strip" => {
                let stops = stops(memory, here);
                if stops.is_empty() {
                    let text = "The strip is empty: go to a step and add it.".to_owned();
                    return Err(Problem { field: "", text });
                }
                Subject::Strip { stops, columns: memory.number("columns").map(|n| n.clamp(1, 10) as usize) }
            }
            "chart" => {
                let results = runs.results(&here.made);
                let kinds = ChartKind::of(&results);
                let kind = kinds.iter().find(|kind| kind.key() == memory.get("chart")).or(kinds.first());
                let none = || "No block and no job completes in this run: there is nothing to draw a chart of.".to_owned();
                let kind = *kind.ok_or_else(|| Problem { field: "", text: none() })?;
                let beside = if kind.has_several() { beside(memory.get("beside"), here, runs)? } else { Vec::new() };
                Subject::Chart { results, kind, beside }
            }
            _ => Subject::Timeline {
                shown: Some(here.scale.shown()).filter(|_| here.is_zoomed && memory.get("part") != "all"),
                cursor: is_ticked(memory, "line").then_some(here.at),
                selected: here.selected.filter(|_| memory.get("part") != "all"),
            },
        };
        Ok(Self { subject, style, has_title: is_ticked(memory, "title"), scale })
    }
}

/// The run that is drawn with the one on screen.
fn beside(key: &str, here: &Here, runs: &mut Runs) -> Result<Vec<Beside>, Problem> {
    beside::of(key, &here.scenario, runs).map_err(|text| Problem { field: "beside", text })
}

/// A whole number within limits, both included.
fn number(field: &'static str, name: &str, text: &str, (least, most): (u32, u32)) -> Result<u32, Problem> {
    let limits = format!("it is a whole number from {least} to {most}");
    let text = text.trim();
    match text.parse::<u32>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => {
            let shown: String = text.chars().take(20).collect();
            Err(Problem { field, text: format!("{name} \"{shown}\": {limits}.") })
        }
    }
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
