//! What the reader can do.
//!
//! Invariant: a message says by itself what is to be done, whatever the page shows.

use serde::{Deserialize, Serialize};

use super::files::Saved;
use super::state::{Section, Setup, Source, Tab};
use super::table::TaskColumn;
use blockstep_batch::arch::ArchId;
use blockstep_batch::methods::Method;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_view::document::PasteChoice;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    Show(Tab),
    Choose(Source),
    Compare(Source),
    SetGpu(ArchId),
    SetScheduler(SchedulerId),
    StepThrough(SchedulerId),
    SetMethod(Method, bool),
    Apply(WorkloadChange),
    SetBatch(usize),
    /// Go to a number of steps applied, or to the last one.
    GoTo(usize),
    ShowWholeRun(bool),
    SetCell {
        row: usize,
        column: TaskColumn,
        text: String,
    },
    /// Paste cells of a spreadsheet, from a cell on. They wait until they are taken.
    Paste {
        row: usize,
        column: TaskColumn,
        text: String,
    },
    /// Have the cells that wait read otherwise.
    ReadCells(PasteChoice),
    TakeCells,
    DropCells,
    SetName(String),
    SetUntil(String),
    /// Type one of the costs, by its place in [`super::COSTS`].
    SetCost(usize, String),
    AddTask,
    /// Add a task like this one below it, by its place.
    DuplicateTask(usize),
    MoveTask {
        row: usize,
        is_down: bool,
    },
    RemoveTask(usize),
    Undo,
    Redo,
    Toggle(Section),
    /// Put a link to what is shown on the clipboard.
    CopyLink,
    Save(Saved),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadChange {
    pub scheduler: Option<SchedulerId>,
    pub on: Vec<Method>,
    pub off: Vec<Method>,
}

impl WorkloadChange {
    pub(super) fn apply(&self, setup: &mut Setup) {
        setup.by = self.scheduler.unwrap_or(setup.by);
        setup.methods = self.on.iter().fold(setup.methods, |all, method| all.with(*method, true));
        setup.methods = self.off.iter().fold(setup.methods, |all, method| all.with(*method, false));
    }
}
