//! Compare: runs of one table beside the one on screen, under one cursor.
//!
//! Invariants: a run with changed rules is marked as such in every heading, table and file; what cannot be run is said in words in the
//! place of its picture.
//!
//! Words: none (choose what is most telling), `policy=fifo`, `device=tx1`, `variant=a,b`, `pin` (the run on screen) or `pin=`
//! a scenario file, more than one joined by `&`; or `before=` the scenario file before the last edit.

mod beside;
mod export;
mod mapped;
mod remembered;
mod show;
mod subject;
mod tables;
mod wide;

pub use beside::{NoRunKey, RunKey};
pub use remembered::State;
pub use show::{CompareStanding, CurrentDifference, Differing, NamedRun, PinChoice, RunChoices, RunToggle, View};
pub use tables::{ComparedCell, ComparisonTable, GroupHead, RowGroup, RunRow, ValueChange};
pub use wide::{CompareWide, ComparedOutcome, ComparedQueues, LastStep, Pictured, RunView};

use serde::{Deserialize, Serialize};

use crate::runs::Simulation;
use crate::tool::pairs::words;
use crate::tool::{Context, Effects, Event, Pair, ReaderPlace, Tool, ToolError};
use beside::RunBeside;
use blockstep_protocol::Effect;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::scenario::{Choice, PolicyKind};
use blockstep_sim::trace::Variant;
use blockstep_sim::units::Time;
use subject::{ComparedRun, MAX_SENTENCES, subject};

pub(super) const SAME: &str = "The two runs are the same at every instant.";

pub struct Compare;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    Pin,
    Go(DifferenceStep),
    SaveTables,
    SaveFigure,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DifferenceStep {
    First,
    Previous,
    Next,
}

impl Tool for Compare {
    type State = State;
    type Msg = Msg;
    type View = View;
    const PAIRS: &'static [Pair] = &[
        Pair::one_of("policy", || words(PolicyKind::ALL, |kind| kind.word())).repeated(),
        Pair::one_of("device", || words(BUILT_IN, |device| device.id)).repeated(),
        Pair::several("variant", ',', || words(Variant::ALL, Variant::id)).repeated(),
        Pair::text("pin"),
        Pair::text("before"),
    ];

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let mut effects = Vec::new();
        let (mut way, mut save) = (None, None);
        match event {
            Event::Opened(word) => {
                effects.extend(state.open(&word, context));
                // Whatever the page showed before.
                state.reach = u64::MAX;
            }
            Event::Closed => {
                state.reach = 0;
                return Ok(vec![Effect::ExtendTimeline(Time::ZERO)]);
            }
            Event::Message(Msg::Pin) => {
                state.pin(&context.place.scenario);
                effects.push(Effect::Announce("The run on screen is pinned. Edit the table to compare with it.".to_owned()));
            }
            Event::Message(Msg::Go(to)) => way = Some(to),
            Event::Message(message @ (Msg::SaveTables | Msg::SaveFigure)) => save = Some(message),
            Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Edit(_) => {}
        }
        let beside = state.beside(context);
        let subject = subject(state, &beside, context);
        if subject.as_ref().is_some_and(|subject| subject.differences.stops().is_empty()) {
            state.look_for_another(context);
        }
        if let (Some(way), Some(subject)) = (way, &subject) {
            effects.extend(go(way, subject, &mut context.place));
        }
        effects.extend(reach(state, &beside, context));
        effects.extend(save.map(|message| match message {
            Msg::SaveTables => export::csv(&beside, context),
            _ => export::figure(&beside, context),
        }));
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let beside = state.beside(context);
        let wide = wide::wide(state, &beside, context);
        let subject = subject(state, &beside, context);
        Ok(show::view(state, &beside, subject.as_ref(), wide, &context.place))
    }
}

/// Goes to the first, next or previous difference. What is shown is of the place gone to.
fn go(way: DifferenceStep, subject: &ComparedRun<'_>, place: &mut ReaderPlace) -> Effects {
    let found = &*subject.differences;
    let (target, otherwise) = match way {
        DifferenceStep::First => ((!found.stops().is_empty()).then_some(0), SAME),
        DifferenceStep::Next => (found.next(place.at, place.position), "There is no later difference."),
        DifferenceStep::Previous => (found.previous(place.at, place.position), "There is no earlier difference."),
    };
    let Some(target) = target else { return vec![Effect::Announce(otherwise.to_owned())] };
    let stop = &found.stops()[target];
    (place.at, place.position) = (stop.at, stop.position_a);
    // Where only the other run does something, the one on screen may have no step then.
    let goes = if found.is_of_b(target) { Effect::GoToTime(stop.at) } else { Effect::GoToStep(stop.position_a) };
    let told = subject.beside.with_pair(place, |pair| pair.stop(found, target, MAX_SENTENCES).join(" "));
    let total = found.stops().len();
    vec![goes, Effect::Announce(format!("Difference {} of {total}. {}", target + 1, told.unwrap_or_default()))]
}

/// Has the page's timeline reach as far as the longest run.
fn reach(state: &mut State, beside: &[RunBeside], context: &mut Context<'_>) -> Option<Effect> {
    let mut end = |made: &Simulation| context.runs.timeline(made).end();
    let own = end(&context.place.simulation);
    let longest = beside.iter().filter_map(|b| b.simulation.as_ref().ok()).map(end).max().unwrap_or(Time::ZERO);
    let reach = if longest > own { longest } else { Time::ZERO };
    if state.reach == reach.ns() {
        return None;
    }
    state.reach = reach.ns();
    Some(Effect::ExtendTimeline(reach))
}

pub(super) fn run(policy: &str, device: &str) -> String {
    format!("{policy}, {device}")
}
