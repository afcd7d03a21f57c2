//! What the reader can do.
//!
//! Depends on what the tool remembers and on `batch`. Invariant: a message says by itself what is to be done, whatever the
//! page shows.

use serde::{Deserialize, Serialize};

use super::files::Saved;
use super::state::{Section, Setup, Source, Tab};
use super::table::Column;
use blockstep_batch::arch::ArchId;
use blockstep_batch::methods::Method;
use blockstep_batch::schedulers::SchedulerId;

/// What the reader can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Look at it in another way.
    Show(Tab),
    /// Choose a workload.
    Choose(Source),
    /// Choose a workload and compare all schedulers on it.
    Compare(Source),
    /// Choose a GPU.
    SetGpu(ArchId),
    /// Choose a scheduler.
    SetScheduler(SchedulerId),
    /// Step through a batch of a scheduler.
    StepThrough(SchedulerId),
    /// Switch a method on or off.
    SetMethod(Method, bool),
    /// Change scheduler and methods together.
    Apply(Change),
    /// Choose one of the different batches.
    SetBatch(usize),
    /// Go to a step of the batch.
    GoTo(StepTarget),
    /// Have timelines show the whole run, or its beginning.
    ShowWholeRun(bool),
    /// Type in a cell of the table.
    SetCell {
        /// The task, by its place.
        row: usize,
        /// What of it.
        column: Column,
        /// As typed.
        text: String,
    },
    /// Paste cells of a spreadsheet, from a cell on; those with headings wait until they are taken.
    Paste {
        /// The task of the first, by its place.
        row: usize,
        /// What of it.
        column: Column,
        /// Lines of cells with tabs between them.
        text: String,
    },
    /// Take the cells that wait.
    TakeCells,
    /// Forget the cells that wait.
    DropCells,
    /// Type the workload's name.
    SetName(String),
    /// Type until when inputs arrive.
    SetUntil(String),
    /// Type one of the costs, by its place in [`super::COSTS`].
    SetCost(usize, String),
    /// Add a task.
    AddTask,
    /// Add a task like this one below it, by its place.
    DuplicateTask(usize),
    /// Change places with the task above or below.
    MoveTask {
        /// The task, by its place.
        row: usize,
        /// Whether with the one below.
        is_down: bool,
    },
    /// Remove a task, by its place.
    RemoveTask(usize),
    /// Take the last change of the workload back.
    TakeBack,
    /// Open a section, or close it.
    Toggle(Section),
    /// Put a link to what is shown on the clipboard.
    CopyLink,
    /// Save something.
    Save(Saved),
}

/// A change of scheduler and methods.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Another scheduler.
    pub scheduler: Option<SchedulerId>,
    /// Methods to be switched on.
    pub on: Vec<Method>,
    /// Methods to be switched off.
    pub off: Vec<Method>,
}

/// Where to go among the steps of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepTarget {
    /// Before the first.
    First,
    /// One back.
    Back,
    /// One on.
    Next,
    /// After the last.
    Last,
    /// This number of steps applied.
    At(usize),
}

impl Msg {
    /// What a key does while the tool has the whole page; `z` stands for taking back.
    #[must_use]
    pub fn of_key(key: &str) -> Option<Self> {
        Some(match key {
            "ArrowRight" => Self::GoTo(StepTarget::Next),
            "ArrowLeft" => Self::GoTo(StepTarget::Back),
            "Home" => Self::GoTo(StepTarget::First),
            "End" => Self::GoTo(StepTarget::Last),
            "z" => Self::TakeBack,
            _ => return None,
        })
    }
}

impl Change {
    /// Makes it.
    pub(super) fn apply(&self, setup: &mut Setup) {
        setup.by = self.scheduler.unwrap_or(setup.by);
        setup.methods = self.on.iter().fold(setup.methods, |all, method| all.with(*method, true));
        setup.methods = self.off.iter().fold(setup.methods, |all, method| all.with(*method, false));
    }
}
