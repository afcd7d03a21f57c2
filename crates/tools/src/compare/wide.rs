//! The part under the page's timeline: a picture of each run on the same scale, its current step, its queues, and the
//! tables of differences.
//!
//! Invariants: pictures line up with the page's timeline, and their lanes are as high as its; a kernel has the color that it has in the run on screen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::beside::{RunBeside, RunKey};
use super::mapped;
use super::remembered::State;
use super::tables::{self, ComparisonTable};
use crate::runs::Simulation;
use crate::tool::{Context, ReaderPlace};
use blockstep_draw as draw;
use blockstep_learn::compare::{Lockstep, Matching};
use blockstep_sim::trace::{Rule, Trace, Variant};
use blockstep_sim::units::{OpId, RowId, StepId};
use blockstep_view::position::{self, Stop};
use blockstep_view::queues::{self, QueueView};
use blockstep_view::sentence;

/// Most operations shown in a queue.
const MAX_ITEMS: usize = 12;
/// Pictures narrower than this are compact.
const COMPACT_PX: f64 = 640.0;

/// The part under the timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompareWide {
    pub runs: Vec<RunView>,
    pub tables: Vec<ComparisonTable>,
    pub is_dark: bool,
    pub selected: Option<RowId>,
}

/// Where a run stands: the rule and the sentence of its last step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastStep {
    /// `None` before the first step.
    pub rule: Option<Rule>,
    pub sentence: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunView {
    /// What makes it another run than the one on screen.
    pub other: RunKey,
    pub heading: String,
    pub changed: Option<String>,
    pub outcome: ComparedOutcome,
}

/// What came of making a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ComparedOutcome {
    Impossible(String),
    Pictured(Box<Pictured>),
}

/// A run as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pictured {
    pub cut: Option<String>,
    pub svg: String,
    pub label: String,
    pub at: LastStep,
    pub queues: Option<ComparedQueues>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedQueues {
    /// The diagram, with rows as they are on screen.
    pub view: QueueView,
    /// Of its operations, those on screen that are called the same.
    pub on_screen: BTreeMap<OpId, OpId>,
}

pub(super) fn wide(state: &State, beside: &[RunBeside], context: &mut Context<'_>) -> Option<CompareWide> {
    if beside.is_empty() {
        return None;
    }
    let runs = beside.iter().map(|b| run(state, b, context)).collect();
    let tables = tables::tables(beside, context);
    let place = &context.place;
    Some(CompareWide { runs, tables, is_dark: place.options.is_dark, selected: place.selected })
}

fn at(trace: &Trace, stop: Stop) -> LastStep {
    let rule = stop.position.checked_sub(1).map(|last| trace.step(StepId(last)).rule);
    LastStep { rule, sentence: sentence::spoken(trace, stop) }
}

fn run(state: &State, beside: &RunBeside, context: &mut Context<'_>) -> RunView {
    let changed = match beside.other {
        RunKey::Rules(rules) => Some(format!("Not what a GPU does. {}", rules.iter().map(Variant::sentence).collect::<Vec<_>>().join(" "))),
        _ => None,
    };
    let outcome = match &beside.simulation {
        Err(why) => ComparedOutcome::Impossible(format!("This run cannot be simulated: {why}")),
        Ok(made) => ComparedOutcome::Pictured(Box::new(pictured(state, beside, made, context))),
    };
    RunView { other: beside.other, heading: beside.other.heading(), changed, outcome }
}

fn pictured(state: &State, beside: &RunBeside, made: &Simulation, context: &mut Context<'_>) -> Pictured {
    let Context { place, runs } = context;
    let trace = &made.run.trace;
    let differences = runs.differences(&place.simulation, made);
    let timeline = runs.timeline(made);
    let stands = differences.position_in_b(place.simulation.side(), made.side(), state.by, place.position, place.at);
    let cursor = match state.by {
        Lockstep::Time => place.at,
        Lockstep::Decision => position::time_at(trace, stands),
    };
    let matching = differences.matching();
    let row = place.selected.and_then(|row| matching.row(false, row));
    let own = runs.timeline(&place.simulation);
    let height = match place.timeline_px {
        Some(own_px) => timeline.height_as(&own, own_px),
        None => timeline.natural_height_px(state.others.len() > 1 || place.scale.width_px() < COMPACT_PX),
    };
    let mut frame = timeline.frame(&place.scale, height, Some(cursor), row);
    mapped::frame(&mut frame, matching, rows(place));
    let name = format!("{}: timeline", beside.other.heading());
    let summary = timeline.summary();
    let stop = Stop { position: stands, at: cursor };
    Pictured {
        cut: trace.cut().map(|cut| format!("This is only the beginning of the run: {cut}.")),
        svg: draw::stacked(&[("", &frame)], &name, &summary, place.options.is_dark),
        label: format!("{name}. {summary}"),
        at: at(trace, stop),
        queues: state.queues.contains(&beside.other).then(|| queues(made, matching, stop, place)),
    }
}

fn queues(made: &Simulation, matching: &Matching, stop: Stop, place: &ReaderPlace) -> ComparedQueues {
    let trace = &made.run.trace;
    let mut replay = made.run.replay();
    let snapshot = replay.seek(stop.position).clone();
    let last = stop.position.checked_sub(1).map(|i| trace.step(StepId(i))).filter(|step| step.at == stop.at);
    let mut view = queues::queues(trace, &snapshot, last, stop.at, MAX_ITEMS);
    mapped::view(&mut view, matching, rows(place));
    ComparedQueues { on_screen: mapped::operations(&view, matching), view }
}

fn rows(place: &ReaderPlace) -> usize {
    place.simulation.run.trace.scenario().rows().len()
}
