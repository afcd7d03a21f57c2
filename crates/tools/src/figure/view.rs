//! What the panel of figures shows beside the controls: what the run says of them, the preview, and what is wrong.
//!
//! Invariant: what is said is of the figure that is previewed.

use serde::{Deserialize, Serialize};

use super::list::ChoiceList;
use super::state::{FigureKind, State};
use super::wanted::{FigureField, FigureProblem, Wanted, name, stops};
use crate::runs::beside;
use crate::tool::ReaderPlace;
use blockstep_report::figure::{ChartKind, DrawnFigure, FigureSubject};
use blockstep_sim::examples;
use blockstep_sim::units::Time;
use blockstep_view::position::Stop;
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::sentence::{sentence, spoken};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub controls: Controls,
    /// The figure, or what is wrong.
    pub picture: Result<FigurePreview, FigureProblem>,
}

/// What the run says of the controls for a kind of figure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Controls {
    Timeline {
        /// What is called what is on screen.
        shown: String,
        /// What the box for the line says.
        line: String,
    },
    /// Where the queues are.
    Queues(String),
    Strip(Vec<StripStop>),
    /// As far as there is a choice.
    Chart {
        chart: Option<ChoiceList>,
        beside: Option<ChoiceList>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FigurePreview {
    pub svg: String,
    pub description: String,
    pub size: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StripStop {
    pub name: String,
    pub to: To,
    pub sentence: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum To {
    /// After so many steps.
    Step(u32),
    Time(Time),
}

pub(super) fn view(state: &State, place: &ReaderPlace, drawn: &Result<(Wanted, DrawnFigure), FigureProblem>) -> View {
    View {
        controls: match state.figure {
            FigureKind::Timeline => timeline(place),
            FigureKind::Queues => Controls::Queues(spoken(&place.simulation.run.trace, place.stop())),
            FigureKind::Strip => strip(state, place),
            FigureKind::Chart => charts(state, place, drawn),
        },
        picture: drawn.as_ref().map(|(_, drawn)| preview(drawn)).map_err(Clone::clone),
    }
}

fn preview(drawn: &DrawnFigure) -> FigurePreview {
    let (width, height) = drawn.picture.size();
    let size = format!("{} × {} px", format_count(width.into()), format_count(height.into()));
    FigurePreview { svg: drawn.svg(), description: drawn.description.clone(), size }
}

fn timeline(place: &ReaderPlace) -> Controls {
    Controls::Timeline {
        shown: if place.is_zoomed { "as on screen" } else { "as on screen (the whole run)" }.to_owned(),
        line: format!("Line at {}", format_time(place.at.ns())),
    }
}

fn strip(state: &State, place: &ReaderPlace) -> Controls {
    let trace = &place.simulation.run.trace;
    let stop = |stop: &Stop| {
        let is_at_step = *stop == Stop::at_step(trace, stop.position);
        let last = (stop.position as usize).checked_sub(1).and_then(|i| trace.steps().get(i));
        StripStop {
            name: name(trace, *stop),
            to: if is_at_step { To::Step(stop.position) } else { To::Time(stop.at) },
            sentence: last.map(|last| sentence(trace, last)),
        }
    };
    Controls::Strip(stops(state, trace).iter().map(stop).collect())
}

fn charts(state: &State, place: &ReaderPlace, drawn: &Result<(Wanted, DrawnFigure), FigureProblem>) -> Controls {
    match drawn {
        Ok((Wanted { subject: FigureSubject::Chart { results, kind, .. }, .. }, _)) => {
            let kinds = ChartKind::with_data(&place.simulation.run.trace, results);
            let options = kinds.iter().map(|kind| (kind.key(), kind.title(&place.simulation.run.trace))).collect();
            Controls::Chart { chart: Some(ChoiceList::new(options, &kind.key())), beside: kind.has_several().then(|| others(state, place)) }
        }
        Err(FigureProblem { field: Some(FigureField::Beside), .. }) => Controls::Chart { chart: None, beside: Some(others(state, place)) },
        _ => Controls::Chart { chart: None, beside: None },
    }
}

fn others(state: &State, place: &ReaderPlace) -> ChoiceList {
    let own = place.simulation.run.trace.scenario().policy().kind;
    let examples = examples::all().map(|example| (example.id, format!("{} ({})", example.title, example.source)));
    ChoiceList::new(beside::choices(own, "nothing", examples), &state.beside)
}
