//! Why not now? The chain of causes of what is selected, at the current step.
//!
//! Depends on `learn::why`. Invariants: every name leads to its kernel and every time to its step; what is shown follows the
//! reader from step to step.

mod card;
#[cfg(target_arch = "wasm32")]
mod panel;
mod room;

use serde::{Deserialize, Serialize};

use crate::app::tool::{Context, Effects, Event, Place, Tool, memory};
use crate::learn::why::{self, Moment};
use crate::protocol::Effect;
use crate::trace::Rule;
use crate::units::{OpId, RowId};

/// The tool.
pub struct Ask;

/// What is asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The kernel row selected when it was last told something.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub row: Option<u32>,
    /// The operation of that row that is asked about; without one, the row's own choice.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub op: Option<u32>,
    /// The operation clicked last, outside the panel.
    #[serde(with = "memory::number", skip_serializing_if = "Option::is_none")]
    pub clicked: Option<u32>,
}

/// What the reader can do, but for following links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Ask about another operation of the kernel selected.
    Ask(OpId),
}

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum View {
    /// Nothing is selected: what waits and can be asked about.
    Invitation(Vec<OpNote>),
    /// The run issues nothing of the row selected.
    Never {
        /// That it does not.
        headline: String,
        /// Why not.
        text: String,
    },
    /// Why an operation does not go on.
    Card(Box<Card>),
}

/// An operation as a button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpName {
    /// The operation.
    pub op: OpId,
    /// What it is called.
    pub label: String,
    /// Whether it is of the kernel selected: then the button asks about it. Else it selects its kernel.
    pub is_of_kernel: bool,
}

/// An operation, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpNote {
    /// The operation, as a button.
    pub name: OpName,
    /// What is said of the operation.
    pub text: String,
}

/// A step as a button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepName {
    /// Steps applied after it.
    pub position: u32,
    /// Its number and time.
    pub label: String,
}

/// A sentence that leads to a step, perhaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The words before the step.
    pub text: String,
    /// The step.
    pub step: Option<StepName>,
}

/// All that is told of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The row whose colour it has.
    pub row: RowId,
    /// How it stands, and what it waits for.
    pub headline: String,
    /// When it goes on; nothing if all of it executes.
    pub goes_on: Option<Line>,
    /// What of it is on the device, a line for each SM or copy engine.
    pub places: Vec<String>,
    /// The chain of causes.
    pub causes: Vec<Cause>,
    /// Where the chain ends.
    pub root: Option<Line>,
    /// What else of the kernel is issued and incomplete, and what each does.
    pub others: Vec<OpNote>,
    /// How many more such operations there are, in words.
    pub more_others: Option<String>,
}

/// One cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// What waits.
    pub name: OpName,
    /// By which rule.
    pub rule: Option<Rule>,
    /// The cause in words.
    pub text: String,
    /// What the SMs have free, if too little of it is the reason.
    pub room: Option<RoomTable>,
    /// What ends it; nothing if the run ends before.
    pub clears: Option<Clears>,
}

/// The step that ends a cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clears {
    /// The step, as a button.
    pub step: StepName,
    /// What happens there.
    pub sentence: String,
}

/// What each SM has free of what is scarce, and who holds the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomTable {
    /// What it shows, and which block's end makes room.
    pub caption: String,
    /// The heads of the columns of what is scarce, each with what a block needs of it.
    pub heads: Vec<String>,
    /// Its lines.
    pub lines: Vec<SmLine>,
    /// How many more SMs there are, in words.
    pub more: Option<String>,
}

/// An SM, or several that follow each other and are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmLine {
    /// Its number, or their first and last.
    pub sms: String,
    /// What is free, by column.
    pub free: Vec<Free>,
    /// Who holds what a block lacks.
    pub holders: Vec<OpNote>,
    /// What is said after them: that they hold it on each SM, how many more there are, or that there is none.
    pub rest: String,
}

/// An amount that an SM has free.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Free {
    /// How much.
    pub amount: String,
    /// Whether a block needs more.
    pub is_too_little: bool,
}

impl Tool for Ask {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, String> {
        let place = &context.place;
        let trace = &place.simulation.run.trace;
        let wanted = match &event {
            Event::Message(Msg::Ask(op)) => Some(*op),
            Event::Opened(word) => word.strip_prefix("op:").and_then(|op| op.parse().ok()).map(OpId),
            Event::Closed => return Ok(Vec::new()),
            Event::OpenedWith(_) | Event::Moved | Event::Continued => None,
        };
        if let Some(op) = wanted.filter(|op| op.index() < trace.ops().len()) {
            (state.row, state.op) = (Some(trace.op(op).row.0), Some(op.0));
        }
        let Some(row) = place.selected else {
            *state = State::default();
            return Ok(Vec::new());
        };
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

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, String> {
        let place = &context.place;
        Ok(at_moment(place, |moment| match place.selected {
            None => View::Invitation(card::waiting(moment)),
            Some(row) => match subject(state, moment, row) {
                None => card::never(moment.trace, row),
                Some(op) => View::Card(Box::new(card::card(moment, op))),
            },
        }))
    }
}

/// The run at the step where the reader stands.
fn at_moment<R>(place: &Place, tell: impl FnOnce(Moment<'_>) -> R) -> R {
    let mut replay = place.simulation.run.replay();
    tell(Moment { trace: &place.simulation.run.trace, records: &place.simulation.records, state: replay.seek(place.position) })
}

/// The operation of a row that is told about: the one asked about as long as it is incomplete or nothing of the row is.
fn subject(state: &State, moment: Moment<'_>, row: RowId) -> Option<OpId> {
    let asked = state.op.map(OpId).filter(|&op| op.index() < moment.trace.ops().len() && moment.trace.op(op).row == row);
    let open = why::open_ops(moment, row);
    asked.filter(|op| open.is_empty() || open.contains(op)).or_else(|| why::subject(moment, row))
}
