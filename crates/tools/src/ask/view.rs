//! What the panel of "Why not now?" shows.
//!
//! Depends on the trace, for names. Invariant: every name leads to its kernel and every time to its step.

use serde::{Deserialize, Serialize};

use blockstep_sim::trace::{Rule, Trace};
use blockstep_sim::units::{OpId, RowId};

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum View {
    /// Nothing is selected: why nothing is where the reader pointed, and what waits and can be asked about.
    Invitation(Option<Gap>, Vec<OpNote>),
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

/// Why nothing more is on an SM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The SM, the time and what is free.
    pub headline: String,
    /// Why nothing takes it.
    pub text: String,
    /// The kernel whose turn it is, to be asked about.
    pub head: Option<OpName>,
}

/// Why a block or copy began where and when it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beginning {
    /// What began, and where.
    pub heading: String,
    /// The step that assigned it.
    pub step: StepName,
    /// By which rule.
    pub rule: Rule,
    /// Why not earlier; with the step that ended its last wait.
    pub then: Line,
    /// Why there.
    pub here: String,
}

/// All that is told of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The operation.
    pub op: OpId,
    /// The row whose colour it has.
    pub row: RowId,
    /// Whether a block of it would fit now, if it waits.
    pub fit: Option<String>,
    /// How many blocks of the kernel an SM holds.
    pub occupancy: RoomOnSm,
    /// How it began, or how the block that was pointed at did.
    pub began: Option<Beginning>,
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

/// How many blocks of a kernel an SM holds at once, and why not more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomOnSm {
    /// The answer.
    pub summary: String,
    /// What each resource suffices for.
    pub resources: Vec<Resource>,
    /// What comes of it for the whole device.
    pub waves: String,
    /// The choice to count whole warps and units of allocation, where they are known, and whether they are counted.
    pub units: Option<(String, bool)>,
}

/// What a block takes of one resource, and what an SM has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// Its name.
    pub name: String,
    /// What a block takes.
    pub need: String,
    /// What an SM has.
    pub whole: String,
    /// For how many blocks that is enough.
    pub blocks: String,
    /// Whether more blocks fail for lack of it.
    pub is_limit: bool,
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
    /// What ends it.
    pub clears: Clears,
    /// How many causes between the one before and this one are left out.
    pub skipped: usize,
}

/// What ends a cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clears {
    /// A step, and what happens there.
    At(StepName, String),
    /// Nothing before the run ends.
    EndOfRun,
    /// It was not found out.
    Unsought,
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

/// The name of an operation, beside what is told of another.
pub(super) fn op_name(trace: &Trace, subject: OpId, op: OpId) -> OpName {
    OpName { op, label: trace.op_label(op), is_of_kernel: trace.op(op).row == trace.op(subject).row }
}
