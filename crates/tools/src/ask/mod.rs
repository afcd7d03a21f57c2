//! Why not now? The chain of causes of what is selected, at the current step.
//!
//! Invariants: every name leads to its kernel and every time to its step; what is shown follows the reader from step to step.

mod card;
mod room;
mod view;

pub use view::{
    AskCard, AskLine, Beginning, Clears, Free, Gap, OpName, OpNote, Resource, RoomOnSm, RoomTable, SmLine, StepName, View, WaitCause,
};

use serde::{Deserialize, Serialize};

use crate::tool::{Context, Effects, Event, ReaderPlace, Tool, ToolError};
use blockstep_learn::why::{self, Moment};
use blockstep_protocol::Effect;
use blockstep_sim::units::{OpId, RowId, SmId};

pub const SM: &str = "SM";

/// The tool.
pub struct Ask;

/// What is asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The kernel row selected when it was last told something.
    pub row: Option<u32>,
    /// The operation of that row that is asked about; without one, the row's own choice.
    pub op: Option<u32>,
    /// The operation clicked last, outside the panel.
    pub clicked: Option<u32>,
    /// The SM on which nothing is, where that was asked about.
    pub gap: Option<u32>,
    /// Whether occupancy counts whole warps and units of allocation.
    pub units: bool,
}

/// What the reader can do, but for following links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Ask about another operation of the kernel selected.
    Ask(OpId),
}

impl Tool for Ask {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let place = &context.place;
        let trace = &place.simulation.run.trace;
        let wanted = match &event {
            Event::Message(Msg::Ask(op)) => Some(*op),
            Event::Opened(word) => word.strip_prefix("op:").and_then(|op| op.parse().ok()).map(OpId),
            Event::Edit(_) | Event::Closed => return Ok(Vec::new()),
            Event::OpenedWith(_) | Event::Moved | Event::Continued => None,
        };
        if let Some(op) = wanted.filter(|op| op.index() < trace.ops().len()) {
            (state.row, state.op) = (Some(trace.op(op).row.0), Some(op.0));
        }
        if let Event::Opened(word) = &event {
            let trace_sms = trace.scenario().device().sms as usize;
            state.gap = word.strip_prefix("gap:").and_then(|sm| sm.parse().ok()).filter(|&sm| (sm as usize) < trace_sms);
        }
        let Some(row) = place.selected else {
            *state = State { gap: state.gap, units: state.units, ..State::default() };
            return Ok(Vec::new());
        };
        state.gap = None;
        let before = state.clone();
        if state.row != Some(row.0) {
            (state.row, state.op) = (Some(row.0), None);
        }
        // A click on an operation asks about that one; a later choice in the card goes before it.
        let clicked = place.op.map(|op| op.0);
        if state.clicked != clicked {
            (state.clicked, state.op) = (clicked, clicked);
        }
        if *state == before && !matches!(event, Event::Message(_)) {
            return Ok(Vec::new());
        }
        let headline = |moment: Moment<'_>| Some(why::headline(moment.trace, &why::why(moment, subject(state, moment, row)?)));
        Ok(at_moment(place, headline).map(Effect::Announce).into_iter().collect())
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let place = &context.place;
        let view = at_moment(place, |moment| match place.selected {
            None => View::Invitation(state.gap.and_then(|sm| card::gap(moment, place.at, SmId::at(sm as usize))), card::waiting(moment)),
            Some(row) => match subject(state, moment, row) {
                None => card::never(moment, row),
                Some(op) => View::Card(Box::new(card::card(moment, op, state.units))),
            },
        });
        // How it began is known of the operation clicked, else of what has begun by now.
        let View::Card(mut card) = view else { return Ok(view) };
        let run = &place.simulation;
        let block = place.block.filter(|_| place.op == Some(card.op));
        let began = why::began(&run.run.trace, &run.records, &mut run.run.replay(), card.op, block);
        card.began = began.filter(|began| block.is_some() || began.step.0 < place.position).map(|began| card::began(&run.run.trace, began));
        Ok(View::Card(card))
    }
}

/// The run at the step where the reader stands.
fn at_moment<R>(place: &ReaderPlace, tell: impl FnOnce(Moment<'_>) -> R) -> R {
    let mut replay = place.simulation.run.replay();
    tell(Moment { trace: &place.simulation.run.trace, records: &place.simulation.records, state: replay.seek(place.position) })
}

/// The operation of a row that is told about: the one asked about as long as it is incomplete or nothing of the row is.
fn subject(state: &State, moment: Moment<'_>, row: RowId) -> Option<OpId> {
    let asked = state.op.map(OpId).filter(|&op| op.index() < moment.trace.ops().len() && moment.trace.op(op).row == row);
    let open = why::open_ops(moment, row);
    asked.filter(|op| open.is_empty() || open.contains(op)).or_else(|| why::subject(moment, row))
}

pub(super) fn hold(blocks: u32, held: &[String], until: &str, suspended: u32) -> String {
    let blocks = if blocks == 1 { "1 block".to_owned() } else { format!("{blocks} blocks") };
    let held = held.join(", ");
    match suspended {
        0 => format!("{blocks}, {held}, until {until}"),
        suspended => format!("{blocks}, {held}, until {until}, {suspended} suspended"),
    }
}
