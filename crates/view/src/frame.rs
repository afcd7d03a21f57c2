//! One picture of the timeline: boxes, marks, arrows, ticks and labels, in pixels of the page.
//!
//! Depends on `units`, `palette`, `ticks`. Invariants: everything lies inside `0..width_px` by
//! `0..height_px`; y grows downwards; painting needs nothing else and decides nothing.

mod before;
mod past;

use super::palette::Pattern;
use super::ticks::Ticks;
use super::timeline::Hit;
use blockstep_sim::units::{OpId, RowId, SpaceId};

/// A picture.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Width of the whole picture.
    pub width_px: f64,
    /// Height of the whole picture.
    pub height_px: f64,
    /// Left edge of the plot; lane labels stand left of it.
    pub left_px: f64,
    /// Right edge of the plot.
    pub right_px: f64,
    /// Of SMs and copy engines, from top to bottom.
    pub lanes: Vec<LaneFrame>,
    /// The lane of the resident process, above those; where processes take turns.
    pub band: Option<LaneFrame>,
    /// Of tasks, below those, from top to bottom.
    pub tasks: Vec<TaskFrame>,
    /// In the order they are painted.
    pub boxes: Vec<BoxFrame>,
    /// Names that do not stand in one box.
    pub labels: Vec<LabelFrame>,
    /// Launches in view, from left to right.
    pub arrows: Vec<ArrowFrame>,
    /// Top of the strip of launches; the picture's height if it has none.
    pub launches_y: f64,
    /// The line of the time axis: the bottom of the lanes.
    pub axis_y: f64,
    /// Ticks of the axis.
    pub ticks: Ticks,
    /// The current instant, if it is in view.
    pub cursor: Option<CursorFrame>,
    /// Where the run ends, if that is in view.
    pub end_x: Option<f64>,
}

/// The line of the current instant.
#[derive(Clone, Debug, PartialEq)]
pub struct CursorFrame {
    /// Position on the time axis, px.
    pub x: f64,
    /// The instant in words.
    pub label: String,
    /// Left edge of the label's plate.
    pub label_x: f64,
    /// Width of the label's plate.
    pub label_width: f64,
}

/// The ground of a lane.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneFrame {
    /// `SM 0`, `SM 16–31` for those that share it, `Copy`; empty where there is no room.
    pub label: String,
    /// The lane's capacity in words, below the label; of idle SMs how many, inside the lane. Empty where there is no room.
    pub sub_label: String,
    /// Top edge, px.
    pub y: f64,
    /// Height, px.
    pub height: f64,
    /// How many SMs or engines it shows together.
    pub count: usize,
}

/// How a box stands beside a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// Nothing is selected.
    Normal,
    /// It belongs to the selected row.
    Selected,
    /// Another row is selected.
    Dimmed,
}

/// What a box shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stretch {
    /// A block or copy of this row that executes.
    Running(RowId),
    /// The part of a block in which it spins: paler and hatched, over [`Self::Running`].
    Spinning(RowId),
    /// What is suspended of this row: hollow, behind what executes meanwhile.
    Suspended(RowId),
    /// A bar at the edge of a suspended one, before what executes in its place.
    SuspendedEdge(RowId),
    /// What could run but is held up: an outline.
    HeldUp(RowId),
    /// A block or copy of this row as it ran before an edit: faint, behind what runs now.
    Before(RowId),
    /// The address space that is resident.
    Resident(SpaceId),
    /// The end of its stay, when nothing more is assigned; over [`Self::Resident`].
    Draining(SpaceId),
    /// A switch to an address space: nobody is resident.
    Switching(SpaceId),
}

/// A block, a copy, a stay, or what many of them too narrow to show come to.
#[derive(Clone, Debug)]
pub struct BoxFrame {
    /// Left edge.
    pub x0: f64,
    /// Top edge, px.
    pub y0: f64,
    /// Right edge.
    pub x1: f64,
    /// Bottom edge, px.
    pub y1: f64,
    /// What it shows; of many merged, the one that fills most of it.
    pub stretch: Stretch,
    /// Drawn over the color; plain if the box is too small for any.
    pub pattern: Pattern,
    /// Its name, where it fits.
    pub label: Option<String>,
    /// Beside the selection.
    pub emphasis: Emphasis,
    /// Whether it is large enough for an edge.
    pub edged: bool,
    /// Whether it began before the left edge.
    pub cut_left: bool,
    /// Whether it ends after the right edge.
    pub cut_right: bool,
    /// Whether it was still running when the run ended, and that is in view.
    pub open_ended: bool,
    /// Share of its area that was in use, 0 to 1; 1 unless merged.
    pub fill: f32,
    /// What can be pointed at in it; `None` if merged.
    pub hit: Option<Hit>,
}

/// The name of blocks whose bars are too low for it.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelFrame {
    /// `K4:0–1`, or the kernel's name alone.
    pub text: String,
    /// Left edge of the text, as wide as is estimated.
    pub x0: f64,
    /// Top edge, px.
    pub y0: f64,
    /// Right edge.
    pub x1: f64,
    /// Bottom edge, px.
    pub y1: f64,
    /// Whether it stands on the bars, over the edges between them; else it stands beside them.
    pub is_on_bars: bool,
    /// The row of its kernel.
    pub row: RowId,
    /// Beside the selection.
    pub emphasis: Emphasis,
    /// The first block that it names.
    pub hit: Hit,
}

/// Height of the line at the foot of a task's lane.
pub const FOOT_PX: f64 = 3.0;

/// The lane of a task: its jobs as thin bars, its releases and deadlines as arrows.
#[derive(Clone, Debug)]
pub struct TaskFrame {
    /// Its ground; the label is the task's name, or `+3 tasks` for those without a lane of their own.
    pub lane: LaneFrame,
    /// The task's address space.
    pub space: SpaceId,
    /// From left to right, by row; those in one row do not overlap.
    pub bars: Vec<BarFrame>,
    /// Left and right edges of the line at the lane's foot: when the task's server pays.
    pub charges: Vec<(f64, f64)>,
    /// Left and right edges of the line at the lane's top: when the task's CPU thread waits in a call.
    pub waits: Vec<(f64, f64)>,
    /// In the order they are painted: misses last.
    pub marks: Vec<MarkFrame>,
}

/// A job from its release to its completion, or its part past the deadline, or several merged.
#[derive(Clone, Debug, PartialEq)]
pub struct BarFrame {
    /// Left edge.
    pub x0: f64,
    /// Top edge, px.
    pub y0: f64,
    /// Right edge.
    pub x1: f64,
    /// Bottom edge, px.
    pub y1: f64,
    /// Whether it is past the deadline.
    pub late: bool,
    /// The job; `None` if merged.
    pub hit: Option<Hit>,
}

/// What happened to a task's job or server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobMark {
    /// A job was released: an arrow up.
    Release,
    /// Its deadline, which is met: an arrow down.
    Met,
    /// Its deadline, and what becomes of it is not known: a hollow arrow down.
    Open,
    /// Its deadline is missed: an arrow down with a cross.
    Missed,
    /// The server got its whole budget as a job arrived: a small diamond.
    Renewed,
    /// The server used up its budget and its deadline was postponed: a hollow diamond.
    Postponed,
}

/// A mark, or several too near to tell apart.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkFrame {
    /// Position on the time axis, px.
    pub x: f64,
    /// Of several, missed if any is.
    pub mark: JobMark,
    /// How many it stands for.
    pub count: usize,
    /// The first one, or the first missed.
    pub hit: Hit,
}

/// One launch, or several too near to tell apart.
#[derive(Clone, Debug)]
pub struct ArrowFrame {
    /// Position on the time axis, px.
    pub x: f64,
    /// The first one's kernel.
    pub row: RowId,
    /// The first one.
    pub op: OpId,
    /// How many launches it stands for.
    pub count: usize,
    /// Beside the selection.
    pub emphasis: Emphasis,
    /// Names of the kernels, where there is room.
    pub label: Option<ArrowLabel>,
}

/// The words of an arrow.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrowLabel {
    /// Names of the kernels.
    pub text: String,
    /// Left edge of the text.
    pub x: f64,
    /// Estimated width.
    pub width: f64,
    /// Top of the text.
    pub y: f64,
}

impl Emphasis {
    /// How a row is shown while one is selected, or none.
    #[must_use]
    pub fn for_row(row: RowId, selected: Option<RowId>) -> Self {
        match selected {
            None => Self::Normal,
            Some(s) if s == row => Self::Selected,
            Some(_) => Self::Dimmed,
        }
    }
}

impl BoxFrame {
    /// The kernel row, of a block or copy.
    #[must_use]
    pub fn row(&self) -> Option<RowId> {
        match self.stretch {
            Stretch::Running(row)
            | Stretch::Spinning(row)
            | Stretch::Suspended(row)
            | Stretch::SuspendedEdge(row)
            | Stretch::HeldUp(row)
            | Stretch::Before(row) => Some(row),
            Stretch::Resident(_) | Stretch::Draining(_) | Stretch::Switching(_) => None,
        }
    }

    /// How many drawing calls it takes at most.
    #[must_use]
    pub fn cost(&self) -> usize {
        1 + usize::from(self.edged) + usize::from(self.pattern != Pattern::Plain) + usize::from(self.open_ended)
    }
}
