//! Edits by dragging on the timeline: a launch moves a kernel's start, the right edge of a block its time per block.
//!
//! Depends on the timeline and the document. Invariants: a drag writes what the reader could have typed into one cell; values
//! snap to round numbers that fit the scale; a drag that ends where it began changes nothing.

use super::document::Document;
use super::quantity::{format_time, format_time_short};
use super::time_scale::TimeScale;
use super::timeline::{Hit, Timeline};
use blockstep_sim::scenario::BlockTimes;
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::{OpId, RowId};

/// How far off an edge the pointer may be, px.
const EDGE_PX: f64 = 4.0;

/// Snapping steps are at least this wide, px.
const SNAP_PX: f64 = 6.0;

/// What the pointer can take hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// The launch of a kernel.
    Launch(OpId),
    /// The right edge of a block, by its place in [`blockstep_sim::record::Records::blocks`].
    BlockEnd(usize),
}

/// What is edited: the cell that a drag writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// The kernel's start.
    Start,
    /// The time of every block of the kernel.
    Time,
    /// The time of one block; others have times of their own.
    TimeOf(u32),
}

/// A drag from the moment it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drag {
    /// The row of the kernel table.
    pub row: usize,
    /// Which of its cells.
    pub edited: Edited,
    /// The value that the cell had, ns.
    pub was: u64,
}

impl Timeline {
    /// What can be taken hold of at a point of the picture that [`Timeline::frame`] draws with the same scale and height. Of
    /// several launches under one arrow it is that of the row selected, if one is.
    #[must_use]
    pub fn grip(&self, scale: &TimeScale, height_px: f64, (x, y): (f64, f64), selected: Option<RowId>) -> Option<Grip> {
        if let Some(Hit::Launch(op)) = self.hit(scale, height_px, x, y) {
            let at = self.records().ops[op.index()].issued;
            let is_same = |other: &OpId| {
                let of = self.trace().op(*other);
                of.kind == OpKind::Kernel && Some(of.row) == selected && self.records().ops[other.index()].issued == at
            };
            let of_selected = selected.and_then(|_| (0..self.trace().ops().len()).map(OpId::at).find(is_same));
            return Some(Grip::Launch(of_selected.unwrap_or(op)));
        }
        // The block whose end is nearest; where one block follows another, the earlier one.
        let ends_here = |dx: f64| {
            let Some(Hit::Block(i)) = self.hit(scale, height_px, x + dx, y) else { return None };
            let block = self.records().blocks[i];
            let (start, end) = (scale.x_from_time(block.start), scale.x_from_time(block.end?));
            // A narrow block can still be pointed at as a whole.
            let reach = EDGE_PX.min((end - start) / 3.0);
            (end - reach..=end + EDGE_PX).contains(&x).then_some(Grip::BlockEnd(i))
        };
        [-EDGE_PX, -1.0, 0.0].into_iter().find_map(ends_here)
    }

    /// The kernel row of what is held.
    #[must_use]
    pub fn row_of_grip(&self, grip: Grip) -> RowId {
        match grip {
            // Of a graph: the row that launches it.
            Grip::Launch(op) => self.trace().scenario().call_of(self.trace().op(op).row),
            Grip::BlockEnd(i) => self.trace().op(self.records().blocks[i].op).row,
        }
    }
}

impl Drag {
    /// A drag of what is held, of a row of the kernel table. `None` if the document has no such row.
    #[must_use]
    pub fn new(document: &Document, row: usize, timeline: &Timeline, grip: Grip) -> Option<Self> {
        let (start, time) = document.times_of(row)?;
        let (edited, was) = match (grip, time) {
            (Grip::Launch(_), _) => (Edited::Start, start),
            (Grip::BlockEnd(_), BlockTimes::Each(ns)) => (Edited::Time, *ns),
            (Grip::BlockEnd(i), BlockTimes::List(list)) => {
                let block = timeline.records().blocks[i].block;
                (Edited::TimeOf(block), *list.get(block as usize)?)
            }
        };
        Some(Self { row, edited, was })
    }

    /// The same edit begun from the keyboard: of the start, or of the time of every block; `None` if blocks have times of
    /// their own, or there is no such row.
    #[must_use]
    pub fn by_key(document: &Document, row: usize, is_start: bool) -> Option<Self> {
        let (start, time) = document.times_of(row)?;
        match (is_start, time) {
            (true, _) => Some(Self { row, edited: Edited::Start, was: start }),
            (false, BlockTimes::Each(ns)) => Some(Self { row, edited: Edited::Time, was: *ns }),
            (false, BlockTimes::List(_)) => None,
        }
    }

    /// The value after the pointer has moved by `dx_px`, ns: a round one, unless `is_fine`; the start at least 0, a time at
    /// least 1.
    #[must_use]
    pub fn value(&self, scale: &TimeScale, dx_px: f64, is_fine: bool) -> u64 {
        let step = if is_fine { (scale.ns_per_px() as u64).max(1) } else { snap_ns(scale) };
        let moved = dx_px * scale.ns_per_px();
        if moved.abs() < step as f64 / 2.0 {
            return self.was;
        }
        let wanted = (self.was as f64 + moved).max(0.0);
        let value = ((wanted / step as f64).round() as u64).saturating_mul(step);
        if self.edited == Edited::Start { value } else { value.max(step) }
    }

    /// The value one snapping step up or down, ns.
    #[must_use]
    pub fn stepped(&self, scale: &TimeScale, up: bool) -> u64 {
        let step = snap_ns(scale);
        let least = if self.edited == Edited::Start { 0 } else { 1 };
        let (below, above) = (self.was.saturating_sub(1) / step * step, (self.was / step).saturating_add(1).saturating_mul(step));
        if up { above } else { below.max(least) }
    }

    /// Writes a value into the document.
    pub fn apply(&self, document: &mut Document, value: u64) {
        document.set_time(self.row, self.edited, value);
    }

    /// What is being edited and its new value: `Start 0.35 s`.
    #[must_use]
    pub fn words(&self, value: u64) -> String {
        let what = match self.edited {
            Edited::Start => "Start".to_owned(),
            Edited::Time => "Time per block".to_owned(),
            Edited::TimeOf(block) => format!("Time of block {block}"),
        };
        let time = if value == 0 { "0".to_owned() } else { format_time(value) };
        let was = if self.was == value { String::new() } else { format!(" (was {})", format_time_short(self.was)) };
        format!("{what} {time}{was}")
    }
}

/// The step that values snap to: the least of 1, 2, 5, 10, 20... ns that is some pixels wide.
fn snap_ns(scale: &TimeScale) -> u64 {
    let least = (scale.ns_per_px() * SNAP_PX).max(1.0);
    let mut step = 1_u64;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
        if step as f64 >= least || step > u64::MAX / 4 {
            break;
        }
        step = (step as f64 * factor) as u64;
    }
    step
}
