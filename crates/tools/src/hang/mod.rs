//! Can it hang?: every order in which the kernels on screen may arrive, one that hangs, and what would keep it from that.
//!
//! Depends on `resident`, which searches. Invariants: an event makes a small portion of the search, so that other tools are not kept
//! waiting; an answer stands with what it takes for granted, and says so if another table is on screen by now.

mod search;
mod show;
mod state;

pub use blockstep_resident::RESIDENTS;
pub use search::Asked;
pub use show::{Answer, Numbers, RepairLine, SearchLine, Verdict, View};
pub use state::State;

use serde::{Deserialize, Serialize};

use crate::tool::{Context, Effects, Event, Tool, ToolError};
use blockstep_format as format;
use blockstep_protocol::Effect;
use blockstep_sim::scenario::{Draft, too_long};
use blockstep_sim::units::Time;

/// The tool.
pub struct Hang;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Search all orders of the table on screen, or go on where it was stopped.
    Search,
    Cancel,
    /// Show the run that hangs, at its end.
    OpenHang,
    /// The same of the smallest table that hangs.
    OpenSmallest,
    /// Show the table with a change that keeps it from hanging, by its place in the list.
    OpenRepair(u32),
    /// Show the table that was asked about.
    OpenAsked,
}

impl Tool for Hang {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let Context { place, runs } = context;
        let mut effects = Effects::new();
        match event {
            Event::Opened(_) | Event::Message(Msg::Search) => state.ask(&place.scenario),
            Event::Message(Msg::Cancel) | Event::Closed => state.is_stopped = true,
            Event::Message(message) => {
                if let Some((draft, is_at_end)) = runs.hanging.opened(message) {
                    let scenario = format::write_scenario(&draft);
                    let end = if is_at_end { runs.get(&scenario, Default::default())?.run.trace.end() } else { Time::ZERO };
                    effects.push(Effect::OpenScenario { at: end, scenario, began_as: None });
                }
            }
            Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Edit(_) => {}
        }
        if state.is_asked(&place.scenario) && !state.is_stopped {
            effects.extend(runs.hanging.advance(&place.scenario));
        }
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(show::view(state, &context.place.scenario, &mut context.runs.hanging))
    }
}

/// A table under a name that says what it is, if there is room for that.
fn named(mut draft: Draft, what: &str) -> Draft {
    let name = format!("{} ({what})", if draft.name.is_empty() { "Table" } else { &draft.name });
    if too_long(&name).is_none() {
        draft.name = name;
    }
    draft
}
