//! What the panel of figures shows: the controls with what they hold, the preview, and what is wrong.
//!
//! Invariant: what was typed is shown as it was typed.

use serde::{Deserialize, Serialize};

use super::latex::{self, Tex};
use super::list::List;
use super::state::{FONT, Kind, Part, SCALE, State, WIDTH, held};
use super::wanted::{Field, Problem, Wanted, name, stops};
use crate::runs::beside;
use crate::tool::Place;
use blockstep_draw::figure::Palette;
use blockstep_report::figure::{ChartKind, Drawn, Subject};
use blockstep_sim::examples;
use blockstep_sim::units::Time;
use blockstep_view::position::Stop;
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::sentence::{sentence, spoken};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub kind: Kind,
    pub controls: Controls,
    /// Its width, px.
    pub width: Number,
    /// Height of its letters, px.
    pub font: Number,
    pub palette: Palette,
    pub has_title: bool,
    pub has_legend: Option<bool>,
    pub picture: Result<Preview, String>,
    pub scale: String,
    pub tex: Tex,
    /// Why what was to be saved could not be, if it could not.
    pub unsaved: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Controls {
    Timeline {
        shown: String,
        part: Part,
        line: String,
        has_line: bool,
    },
    /// Of the queues at this step: where that is.
    Queues(String),
    Strip {
        stops: Vec<StripStop>,
        columns: List,
    },
    Chart {
        chart: Option<List>,
        beside: Option<List>,
    },
}

/// A number, as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Number {
    pub text: String,
    pub is_wrong: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
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

pub(super) fn view(state: &State, place: &Place, drawn: &Result<(Wanted, Drawn), Problem>) -> View {
    let kind = state.figure;
    let wrong = drawn.as_ref().err().and_then(|problem| problem.field);
    let number = |text: &str, first: &str, field| Number { text: held(text, first).to_owned(), is_wrong: wrong == Some(field) };
    View {
        kind,
        controls: match kind {
            Kind::Timeline => timeline(state, place),
            Kind::Queues => Controls::Queues(spoken(&place.simulation.run.trace, place.stop())),
            Kind::Strip => strip(state, place),
            Kind::Chart => charts(state, place, drawn),
        },
        width: number(&state.width, WIDTH, Field::Width),
        font: number(&state.font, FONT, Field::Font),
        palette: state.palette,
        has_title: state.has_title(),
        has_legend: (kind != Kind::Timeline).then(|| state.has_legend()),
        picture: match drawn {
            Ok((_, drawn)) => Ok(preview(drawn)),
            Err(problem) => Err(problem.text.clone()),
        },
        scale: held(&state.scale, SCALE).to_owned(),
        tex: latex::controls(state),
        unsaved: Some(state.unsaved.clone()).filter(|why| !why.is_empty()),
    }
}

fn preview(drawn: &Drawn) -> Preview {
    let (width, height) = drawn.picture.size();
    let size = format!("{} × {} px", format_count(width.into()), format_count(height.into()));
    Preview { svg: drawn.svg(), description: drawn.description.clone(), size }
}

fn timeline(state: &State, place: &Place) -> Controls {
    Controls::Timeline {
        shown: if place.is_zoomed { "as on screen" } else { "as on screen (the whole run)" }.to_owned(),
        part: state.part,
        line: format!("Line at {}", format_time(place.at.ns())),
        has_line: state.has_line(),
    }
}

fn strip(state: &State, place: &Place) -> Controls {
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
    let counts = (1..=6).map(|n: u32| (n.to_string(), n.to_string()));
    let columns = std::iter::once((String::new(), "as many as fit".to_owned())).chain(counts).collect();
    let chosen = state.columns.map(|columns| columns.to_string()).unwrap_or_default();
    Controls::Strip { stops: stops(state, trace).iter().map(stop).collect(), columns: List::new(columns, &chosen) }
}

fn charts(state: &State, place: &Place, drawn: &Result<(Wanted, Drawn), Problem>) -> Controls {
    match drawn {
        Ok((Wanted { subject: Subject::Chart { results, kind, .. }, .. }, _)) => {
            let kinds = ChartKind::of(results);
            let options = kinds.iter().map(|kind| (kind.key(), kind.title(&place.simulation.run.trace))).collect();
            Controls::Chart { chart: Some(List::new(options, &kind.key())), beside: kind.has_several().then(|| others(state, place)) }
        }
        Err(Problem { field: Some(Field::Beside), .. }) => Controls::Chart { chart: None, beside: Some(others(state, place)) },
        _ => Controls::Chart { chart: None, beside: None },
    }
}

fn others(state: &State, place: &Place) -> List {
    let own = place.simulation.run.trace.scenario().policy().kind;
    let examples = examples::all().map(|example| (example.id, format!("{} ({})", example.title, example.source)));
    List::new(beside::choices(own, "nothing", examples), &state.beside)
}
