//! Measured traces: logs of a real GPU beside the rules, and laid over the run on screen.
//!
//! Invariants: the logs are in [`Logs`], the tool remembers only their mark; what is made up says so wherever it is shown or saved;
//! what cannot be judged is said.
//!
//! It takes no words; logs come with [`Event::OpenedWith`].
//!
//! [`Logs`]: crate::runs::logs::Logs

mod conform;
mod examples;
mod export;
mod folded;
mod loaded;
mod read;
mod state;
mod view;
mod wide;
mod words;

pub use examples::{MEASURED_EXAMPLES, MeasuredExample, UnpackError, unpack_example};
pub use folded::Folded;
pub use state::{Fold, State};
pub use view::{Against, Checked, JudgedLine, LogsView, MeasuredContent, RemarkGroup, View, Violated};
pub use wide::{BlockMark, BlockTable, LegendLine, LegendSign, MarkKind, MeasuredWide, PointedBlock};
pub use words::Remark;

use std::sync::Arc;

use loaded::{Loaded, built, loaded, mark, origin};
use serde::{Deserialize, Serialize};

use crate::runs::{self, Runs};
use crate::tool::{Context, Effects, Event, ReaderPlace, Tool, ToolError};
use blockstep_format as format;
use blockstep_learn::generated_logs::{Clocks, generated_logs};
use blockstep_protocol::Effect;
use blockstep_sim::units::Time;
use blockstep_view::quantity::{format_count, format_time};

/// Most blocks of a run that logs are made up of.
const MAX_GENERATED_BLOCKS: usize = 20_000;
/// The clocks of logs that are made up.
const CLOCKS: Clocks = Clocks { offset_ns: 1_234_567_890, noise_ns: 900, seed: 20_360 };

pub struct Measured;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    Try,
    Forget,
    /// Show a violation, counted from 1.
    See(usize),
    Build,
    /// Save the blocks as CSV.
    SaveCsv,
}

impl Tool for Measured {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let (place, runs) = (&context.place, &mut *context.runs);
        if event != Event::Moved {
            state.problem.clear();
        }
        let mut effects = Vec::new();
        // Whatever the page showed before it was opened.
        let anew = u64::MAX;
        match event {
            Event::Opened(_) => state.reach = anew,
            Event::OpenedWith(files) => {
                state.reach = anew;
                effects = open(state, &files, runs);
            }
            Event::Closed => {
                state.reach = 0;
                return Ok(vec![Effect::ExtendTimeline(Time::ZERO)]);
            }
            Event::Message(message) => effects = act(state, message, place, runs),
            Event::Edit(changes) => state.take_edit(&changes),
            Event::Moved | Event::Continued => {}
        }
        let end = loaded(state, place, runs).map_or(Time::ZERO, |loaded| loaded.end());
        effects.extend(reach(state, end, place, runs));
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let (place, runs) = (&context.place, &mut *context.runs);
        let Some(loaded) = loaded(state, place, runs) else { return Ok(view::empty(state)) };
        let found = conform::judge(&loaded, place, origin(state, place), runs);
        let notes = if state.built.is_empty() { Vec::new() } else { built(&loaded, state).map(|made| made.notes).unwrap_or_default() };
        let wide = wide::wide(state, &loaded, &found, place, runs);
        Ok(view::view(state, &loaded, &found, &notes, wide))
    }
}

/// Does what the reader did.
fn act(state: &mut State, message: Msg, place: &ReaderPlace, runs: &mut Runs) -> Effects {
    match message {
        Msg::Try => try_it(state, place, runs),
        Msg::Forget => *state = State { reach: state.reach, ..State::default() },
        Msg::See(_) | Msg::Build | Msg::SaveCsv => {
            let Some(loaded) = loaded(state, place, runs) else { return Vec::new() };
            return match message {
                Msg::See(number) => see(state, number, &loaded, place, runs),
                Msg::Build => build(state, &loaded),
                _ => vec![export::csv(&loaded)],
            };
        }
    }
    Vec::new()
}

/// Shows a violation: where it is in the run, or in the logs alone.
fn see(state: &mut State, number: usize, loaded: &Loaded<'_>, place: &ReaderPlace, runs: &mut Runs) -> Effects {
    let found = conform::judge(loaded, place, origin(state, place), runs);
    let violation = number.checked_sub(1).and_then(|i| found.violations.get(i));
    state.see = violation.map(|_| number);
    let Some(violation) = violation else { return Vec::new() };
    let said = Effect::Announce(violation.sentence.clone());
    if let Some(laid) = &loaded.laid {
        return vec![Effect::GoToTime(laid.fit.simulated(violation.at_ns)), said];
    }
    let zero = loaded.measured.extent().map_or(0, |(from, _)| from);
    let from_zero = |ns: i64| if ns > zero { ns.abs_diff(zero) } else { 0 };
    let (from, to) = conform::extent(loaded, violation);
    let (from, to) = (from_zero(from), from_zero(to));
    let around = (to - from).max(1_000);
    (state.from, state.to) = (Some(from.saturating_sub(around)), Some(to.saturating_add(around)));
    vec![said]
}

/// Opens the scenario that the logs tell of.
fn build(state: &mut State, loaded: &Loaded<'_>) -> Effects {
    let draft = match built(loaded, state) {
        Ok(rebuilt) => rebuilt.draft,
        Err(problem) => {
            state.complain(&problem.to_string());
            return Vec::new();
        }
    };
    let scenario = format::write_scenario(&draft);
    state.built = mark(&scenario);
    state.fold.retain(|fold| *fold != Fold::Notes);
    let said = scenario_built(draft.kernels.len());
    vec![Effect::Announce(said), Effect::OpenScenario { at: Time::ZERO, scenario, began_as: None }]
}

fn open(state: &mut State, files: &[(String, String)], runs: &mut Runs) -> Effects {
    let mut effects = Vec::new();
    match read::read(files) {
        Err(problem) => state.complain(&problem.to_string()),
        Ok(read) => {
            if let Some(measured) = read.measured {
                let said = logs_read(measured.logs.len());
                runs.logs.keep(read.mark.clone(), measured);
                state.take(read.mark, false);
                effects.push(Effect::Announce(said));
            }
            if let Some(draft) = read.scenario {
                let scenario = format::write_scenario(&draft);
                state.config = if read.is_config { mark(&scenario) } else { String::new() };
                effects.push(Effect::OpenScenario { at: Time::ZERO, scenario, began_as: None });
            }
        }
    }
    effects
}

/// Makes up logs of the run on screen.
fn try_it(state: &mut State, place: &ReaderPlace, runs: &mut Runs) {
    let simulation = &place.simulation;
    if simulation.records.blocks.len() > MAX_GENERATED_BLOCKS {
        state.problem = format!(
            "The run on screen has more than {} blocks. Open a smaller scenario to try this.",
            format_count(MAX_GENERATED_BLOCKS as u64)
        );
        return;
    }
    let measured = generated_logs(&simulation.run.trace, &simulation.records, CLOCKS);
    if measured.blocks().next().is_none() {
        "No block of the run on screen completes. Open another scenario to try this.".clone_into(&mut state.problem);
        return;
    }
    let mark = runs::mark(["made up", &place.scenario].into_iter());
    runs.logs.keep(mark.clone(), Arc::new(measured));
    state.take(mark, true);
}

/// Has the page's timeline reach as far as what was measured.
fn reach(state: &mut State, end: Time, place: &ReaderPlace, runs: &mut Runs) -> Option<Effect> {
    let own = runs.timeline(&place.simulation).end();
    let reach = if end > own { end } else { Time::ZERO };
    if state.reach == reach.ns() {
        return None;
    }
    state.reach = reach.ns();
    Some(Effect::ExtendTimeline(reach))
}

fn logs_read(count: usize) -> String {
    match count {
        1 => "1 log was read.".to_owned(),
        count => format!("{} logs were read.", format_count(count as u64)),
    }
}

fn scenario_built(kernels: usize) -> String {
    match kernels {
        1 => "The scenario is built: 1 kernel.".to_owned(),
        count => format!("The scenario is built: {} kernels.", format_count(count as u64)),
    }
}

/// `3 µs later`, `17 ns earlier`, `at the same time`.
pub(super) fn later(ns: i64) -> String {
    match ns {
        0 => "at the same time".to_owned(),
        1.. => format!("{} later", format_time(ns.unsigned_abs())),
        _ => format!("{} earlier", format_time(ns.unsigned_abs())),
    }
}
