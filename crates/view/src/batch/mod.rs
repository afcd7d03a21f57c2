//! Batches of application-level schedulers as pictures and sentences: what runs over time, which command stands in which
//! queue, the paper's two trees.
//!
//! Depends on `batch` and the rest of `view`. Invariants: a timeline is made of the same lanes, boxes and axis as that of a
//! run, a diagram of the same marks as the queue diagram; a task has the color of the row of the kernel table that has its
//! place. Source: [MT].

pub mod queues;
pub mod timeline;
pub mod trees;
pub mod words;

use serde::{Deserialize, Serialize};

use super::lettering::{fitted, width_px};
use super::queue_figure::{Align, BoxKind, BoxMark, QueueFigure, SheetMark, TextMark, Tone};
use blockstep_sim::units::RowId;

/// Something in a picture that words come up for where the pointer is on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PictureSpot {
    /// The area that the pointer must be on.
    pub shape: SpotShape,
    /// The words.
    pub text: String,
}

/// Where something is in a picture, px.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SpotShape {
    /// Left, top, right and bottom.
    Area([f64; 4]),
    /// A line through points.
    Line(Vec<(f64, f64)>),
}

/// The row whose color and pattern a task has, by its place.
#[must_use]
pub fn row_of(task: usize) -> RowId {
    RowId(u32::try_from(task).unwrap_or(0))
}

const MARGIN_PX: f64 = 16.0;
const TEXT_PX: f64 = 12.0;
const LINE_PX: f64 = 20.0;
/// Most of the width that a name of the legend takes.
const NAME_PX: f64 = 200.0;

/// The colors of tasks with their names.
#[must_use]
pub fn legend(names: &[&str], sheet_px: f64) -> QueueFigure {
    let (mut marks, mut x, mut y) = (Vec::new(), MARGIN_PX, LINE_PX / 2.0);
    for (task, name) in names.iter().enumerate() {
        let name = fitted(name, NAME_PX, TEXT_PX);
        let needed = 34.0 + width_px(&name, TEXT_PX);
        if x > MARGIN_PX && x + needed > sheet_px {
            (x, y) = (MARGIN_PX, y + LINE_PX);
        }
        let kind = BoxKind::Item { row: row_of(task), dispatched: true };
        marks.push(SheetMark::Box(BoxMark { x0: x, y0: y - 6.0, x1: x + 12.0, y1: y + 6.0, kind, changed: false }));
        marks.push(SheetMark::Text(TextMark { text: name, x: x + 18.0, y, size_px: TEXT_PX, align: Align::Left, tone: Tone::Ink }));
        x += needed;
    }
    QueueFigure { width_px: sheet_px, height_px: y + LINE_PX / 2.0, marks }
}
