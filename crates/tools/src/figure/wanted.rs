//! What the form asks for, read and checked.
//!
//! Invariant: a message names the field, its value and the limit.

use serde::{Deserialize, Serialize};

use super::state::{FigureKind, State, TimelinePart};
use crate::runs::{Runs, beside};
use crate::tool::ReaderPlace;
use blockstep_draw::figure::{FONTS, Style, WIDTHS};
use blockstep_report::figure::{Beside, ChartKind, FigureSubject, MAX_INSETS};
use blockstep_sim::language::capitalized;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::Time;
use blockstep_view::position::Stop;
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::sentence::when;

pub(super) struct Wanted {
    pub(super) subject: FigureSubject,
    /// Width, size of text, colors.
    pub(super) style: Style,
    /// Whether the scenario's name stands above it.
    pub(super) has_title: bool,
    pub(super) scale: u32,
}

/// A field that something may be wrong with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FigureField {
    Width,
    Font,
    Beside,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigureProblem {
    pub field: Option<FigureField>,
    pub text: String,
}

/// Stops of the strip, as far as the run has them.
pub(super) fn stops(state: &State, trace: &Trace) -> Vec<Stop> {
    let read = |word: &str| {
        let (position, at) = word.split_once('@').map_or((word, None), |(position, at)| (position, at.parse().ok()));
        Some(Stop { position: position.parse().ok()?, at: Time(at.unwrap_or(0)) }.within(trace))
    };
    state.step.iter().filter_map(|word| read(word)).take(MAX_INSETS).collect()
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
    pub(super) fn read(state: &State, place: &ReaderPlace, runs: &mut Runs) -> Result<Self, FigureProblem> {
        let width = number(Some(FigureField::Width), "Width", state.width(), (*WIDTHS.start(), *WIDTHS.end()))?;
        let font = number(Some(FigureField::Font), "Text size", state.font(), (*FONTS.start(), *FONTS.end()))?;
        let scale = number(None, "Scale of PNG, GIF and video", state.scale(), (1, 4))?;
        let style = Style::new(width, f64::from(font), state.palette)
            .map_err(|why| FigureProblem { field: Some(FigureField::Width), text: format!("{}.", capitalized(&why.to_string())) })?;
        let style = Style { has_legend: state.has_legend(), ..style };
        let about_none = |text: &str| FigureProblem { field: None, text: text.to_owned() };
        let is_all = state.part == TimelinePart::All;
        let subject = match state.figure {
            FigureKind::Timeline => FigureSubject::Timeline {
                shown: Some(place.scale.shown()).filter(|_| place.is_zoomed && !is_all),
                cursor: state.has_line().then_some(place.at),
                selected: place.selected.filter(|_| !is_all),
            },
            FigureKind::Queues => FigureSubject::Queues(place.stop()),
            FigureKind::Strip => {
                let stops = stops(state, &place.simulation.run.trace);
                if stops.is_empty() {
                    return Err(about_none("The strip is empty: go to a step and add it."));
                }
                FigureSubject::Strip { stops, columns: state.columns.map(|n| n.clamp(1, 10) as usize) }
            }
            FigureKind::Chart => {
                let results = runs.results(&place.simulation);
                let kinds = ChartKind::with_data(&place.simulation.run.trace, &results);
                let kind = kinds.iter().find(|kind| kind.key() == state.chart).or(kinds.first());
                let kind =
                    *kind.ok_or_else(|| about_none("No block and no job completes in this run, so there is no data for a chart."))?;
                let beside = if kind.has_several() { beside(&state.beside, place, runs)? } else { Vec::new() };
                FigureSubject::Chart { results, kind, beside }
            }
        };
        Ok(Self { subject, style, has_title: state.has_title(), scale })
    }
}

/// The run that is drawn with the one on screen.
fn beside(key: &str, place: &ReaderPlace, runs: &mut Runs) -> Result<Vec<Beside>, FigureProblem> {
    beside::with_results(key, &place.scenario, runs)
        .map_err(|why| FigureProblem { field: Some(FigureField::Beside), text: why.to_string() })
}

/// A whole number within limits, both included.
fn number(field: Option<FigureField>, name: &str, text: &str, (least, most): (u32, u32)) -> Result<u32, FigureProblem> {
    let text = text.trim();
    match text.parse::<u32>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => {
            let shown: String = text.chars().take(20).collect();
            Err(FigureProblem { field, text: format!("{name} \"{shown}\": it is a whole number from {least} to {most}.") })
        }
    }
}
