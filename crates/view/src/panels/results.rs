//! The results panel: tasks, response times, where they went, use of the device, blocks, bounds.
//!
//! Depends on `view::results` and the bounds of `analysis`; the charts are painted elsewhere and handed in. Invariants: numbers
//! are computed in `view::results`; whatever the run, the panel is bounded, and says what it leaves out.

mod bound;
mod breakdown;
mod device;
mod spread;
mod tasks;

use serde::{Deserialize, Serialize};

pub use bound::{Bounds, Limit, TaskBound, Without};
pub use breakdown::{Bar, BarPart, Breakdown, PartLook, Swatch};
pub use device::{Device, Meter, MeterGroup};
pub use spread::{Blocks, Distribution, ProcessThreads, Responses};
pub use tasks::{Miss, Misses, TaskRow, Tasks};

use crate::palette::{self, Rgb};
use crate::panels::sheet::Chart;
use crate::quantity::format_count;
use crate::results::Results;
use crate::results::overlay::NamedRun;
use blockstep_analysis::runlist_bound::{Inapplicable, RunlistBound};
use blockstep_sim::record::Records;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{RowId, TaskId};

/// Tasks listed.
const MAX_TASKS: usize = 200;
/// Kernels whose breakdown is shown.
const MAX_KERNELS: usize = 200;
/// Tasks whose distributions are drawn.
pub const MAX_CHARTS: usize = 12;
/// SMs, engines and processes shown.
const MAX_METERS: usize = 32;
/// Misses listed of one task.
const MAX_MISSES: usize = 20;

/// Everything that the panel tells of.
#[derive(Clone, Copy, Debug)]
pub struct ResultsSubject<'a> {
    /// The run.
    pub trace: &'a Trace,
    /// What it did.
    pub records: &'a Records,
    /// What it came to.
    pub results: &'a Results,
    /// This run, and those that its distributions are drawn with.
    pub runs: &'a [NamedRun<'a>],
    /// By task; empty where the theorem is not about the policy.
    pub bounds: &'a [Result<RunlistBound, Inapplicable>],
    /// Whether the ground is dark.
    pub is_dark: bool,
}

/// The pictures. Those by task are of the tasks of [`ResultsSubject::charted`].
#[derive(Clone, Debug, Default)]
pub struct Charts {
    /// The distributions of all tasks' response times; `None` if no job completed.
    pub responses: Option<Chart>,
    /// A histogram of the response times for each task; `None` for those without.
    pub histograms: Vec<Option<Chart>>,
    /// The distributions of the block times; `None` if no block completed.
    pub blocks: Option<Chart>,
    /// The threads over time for each task; `None` for those without.
    pub threads: Vec<Option<Chart>>,
    /// The threads over time of each process, below each other; `None` with one process in every run.
    pub processes: Option<Chart>,
}

/// All that the panel shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultsPanel {
    /// Why the run beside it is not drawn, if one was asked for and cannot be made.
    pub problem: Option<String>,
    /// Whether the run was cut short, so that all this is of its beginning.
    pub is_cut: bool,
    /// Jobs, response times, misses, preemptions.
    pub tasks: Tasks,
    /// Distributions of the response times; `None` if no job completed.
    pub responses: Option<Responses>,
    /// Where the response times went; `None` if nothing was issued.
    pub breakdown: Option<Breakdown>,
    /// The bounds of [EDF] Theorem 1; `None` where it is not about the policy.
    pub bounds: Option<Bounds>,
    /// How the device was used; `None` if the run takes no time.
    pub device: Option<Device>,
    /// Blocks; `None` if none ran.
    pub blocks: Option<Blocks>,
}

impl ResultsSubject<'_> {
    /// The tasks that charts are drawn of: the first of those that completed a job or a block.
    #[must_use]
    pub fn charted(&self) -> Vec<TaskId> {
        self.with_spread().take(MAX_CHARTS).collect()
    }

    fn with_spread(&self) -> impl Iterator<Item = TaskId> {
        let has_spread = |(_, task): &(usize, &crate::results::TaskResult)| !task.responses.is_empty() || !task.threads.points.is_empty();
        self.results.tasks.iter().enumerate().filter(has_spread).map(|(i, _)| TaskId::at(i))
    }

    fn label(&self, task: TaskId) -> String {
        crate::results::task_label(self.trace, task)
    }
}

/// A task's color in charts.
#[must_use]
pub fn task_colour(task: TaskId, is_dark: bool) -> Rgb {
    palette::colour_of(RowId(task.0), is_dark)
}

/// A task's dashes in charts: pixels on and off in turn; none is a solid line.
#[must_use]
pub fn task_dashes(task: TaskId) -> &'static [i32] {
    const DASHES: [&[i32]; 5] = [&[], &[9, 4], &[3, 3], &[12, 3, 3, 3], &[6, 2]];
    DASHES[task.index() % DASHES.len()]
}

/// The whole panel.
#[must_use]
pub fn results(subject: &ResultsSubject<'_>, charts: &Charts) -> ResultsPanel {
    ResultsPanel {
        problem: None,
        is_cut: subject.results.is_cut,
        tasks: tasks::section(subject),
        responses: spread::responses(subject, charts),
        breakdown: breakdown::section(subject),
        bounds: bound::section(subject),
        device: device::section(subject),
        blocks: spread::blocks(subject, charts),
    }
}

/// What a list leaves out, if it does.
fn more(total: usize, shown: usize) -> Option<String> {
    (total > shown).then(|| format!("and {} more; the CSV has all", format_count((total - shown) as u64)))
}
