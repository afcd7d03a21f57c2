//! What the panel of "Why not now?" shows.
//!
//! Invariant: every name leads to its kernel and every time to its step.

use serde::{Deserialize, Serialize};

use blockstep_sim::trace::{Rule, Trace};
use blockstep_sim::units::{OpId, RowId};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum View {
    /// Nothing is selected: why nothing is where the reader pointed, and what waits and can be asked about.
    Invitation(Option<Gap>, Vec<OpNote>),
    Never {
        headline: String,
        text: String,
    },
    Card(Box<AskCard>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpName {
    pub op: OpId,
    pub label: String,
    /// Whether it is of the kernel selected: then the button asks about it. Else it selects its kernel.
    pub is_of_kernel: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpNote {
    pub name: OpName,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepName {
    /// Steps applied after it.
    pub position: u32,
    pub label: String,
}

/// A sentence that leads to a step, perhaps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskLine {
    pub text: String,
    pub step: Option<StepName>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    pub headline: String,
    pub text: String,
    /// The kernel whose turn it is, to be asked about.
    pub head: Option<OpName>,
}

/// Why a block or copy began where and when it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beginning {
    pub heading: String,
    pub step: StepName,
    pub rule: Rule,
    /// Why not earlier; with the step that ended its last wait.
    pub then: AskLine,
    pub here: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskCard {
    pub op: OpId,
    pub row: RowId,
    /// Whether a block of it would fit now, if it waits.
    pub fit: Option<String>,
    pub occupancy: RoomOnSm,
    pub began: Option<Beginning>,
    /// What is asked of it: of what runs or ran, not why it waits.
    pub title: String,
    pub headline: String,
    /// When it goes on; nothing if all of it executes.
    pub goes_on: Option<AskLine>,
    /// What of it is on the device, a line for each SM or copy engine.
    pub places: Vec<String>,
    pub causes: Vec<WaitCause>,
    pub root: Option<AskLine>,
    /// What else of the kernel is issued and incomplete, and what each does.
    pub others: Vec<OpNote>,
    pub more_others: Option<String>,
    /// How far the rules are known on this device, unless they are.
    pub evidence: Option<String>,
}

/// How many blocks of a kernel an SM holds at once, and why not more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomOnSm {
    pub summary: String,
    pub resources: Vec<Resource>,
    pub waves: String,
    /// The choice to count whole warps and units of allocation, where they are known.
    pub units: Option<String>,
}

/// What a block takes of one resource, and what an SM has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    pub name: String,
    pub need: String,
    pub whole: String,
    pub blocks: String,
    pub is_limit: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitCause {
    pub name: OpName,
    pub rule: Option<Rule>,
    pub text: String,
    /// What the SMs have free, if too little of it is the reason.
    pub room: Option<RoomTable>,
    pub clears: Clears,
    /// How many causes between the one before and this one are left out.
    pub skipped: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clears {
    At(StepName, String),
    EndOfRun,
    Unsought,
}

/// What each SM has free of what is scarce, and who holds the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoomTable {
    /// What it shows, and which block's end makes room.
    pub caption: String,
    /// The heads of the columns of what is scarce, each with what a block needs of it.
    pub heads: Vec<String>,
    pub lines: Vec<SmLine>,
    pub more: Option<String>,
}

/// An SM, or several that follow each other and are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmLine {
    /// Its number, or their first and last.
    pub sms: String,
    pub free: Vec<Free>,
    pub holders: Vec<OpNote>,
    /// What is said after them: that they hold it on each SM, how many more there are, or that there is none.
    pub rest: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Free {
    pub amount: String,
    pub is_too_little: bool,
}

/// The name of an operation, beside what is told of another.
pub(super) fn op_name(trace: &Trace, subject: OpId, op: OpId) -> OpName {
    OpName { op, label: trace.op_label(op), is_of_kernel: trace.op(op).row == trace.op(subject).row }
}
