//! Copies and kernels of a batch over time, as a picture of the timeline.
//!
//! Depends on `lane`, `level`, `frame` and `timeline`. Invariants: everything lies inside the picture; copies of one engine
//! never overlap, kernels that run at the same time lie in rows of their own, and so does what is held up meanwhile; a
//! picture takes a bounded number of drawing calls.

use serde::{Deserialize, Serialize};

use super::{PictureSpot, SpotShape};
use crate::frame::{BoxFrame, Frame, LaneFrame};
use crate::lane::{Lane, LaneItem, LaneKind};
use crate::lettering::{fitted, width_px};
use crate::level::within_budget;
use crate::quantity::format_time;
use crate::ticks::ticks;
use crate::time_scale::TimeScale;
use crate::timeline::{AXIS_PX, Hit, LEFT_PX, MAX_LABELS, MIN_LABEL_HEIGHT_PX, RIGHT_PX, TOP_PX, cursor_frame};
use blockstep_sim::order;
use blockstep_sim::units::{RowId, Time, TimeRange};

/// Something that took time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bar {
    /// Which lane, from 0.
    pub lane: usize,
    /// Whose color.
    pub row: RowId,
    /// From start to end.
    pub time: TimeRange,
    /// Words for it, where they fit.
    pub label: String,
    /// Fewer words, where those do not.
    pub short: String,
    /// Whether it was held up then, instead of running.
    pub is_held_up: bool,
}

impl Bar {
    /// What it is, and when.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}: {} to {}", self.label, format_time(self.time.start.ns()), format_time(self.time.end.ns()))
    }
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchTimeline {
    /// Names of lanes, from top to bottom.
    pub lanes: Vec<String>,
    /// In any order.
    pub bars: Vec<Bar>,
    /// Where the run ends.
    pub end: Time,
    /// Height of one of the rows of a lane.
    pub row_px: f64,
}

const TEXT_PX: f64 = 12.0;
const GAP_PX: f64 = 5.0;
/// What a label needs beside its letters.
const PAD_PX: f64 = 8.0;

/// The bars of a lane, those that ran and those that were held up, and how many rows they take.
struct Rows {
    running: Lane,
    held_up: Lane,
    count: usize,
}

/// The scale that fits what happens until an instant into a picture `picture_px` wide.
#[must_use]
pub fn fit(to: Time, picture_px: f64) -> TimeScale {
    TimeScale::fit(to, LEFT_PX, picture_px - LEFT_PX - RIGHT_PX)
}

impl BatchTimeline {
    /// The picture at a scale, with a line at `cursor`.
    #[must_use]
    pub fn frame(&self, scale: &TimeScale, cursor: Option<Time>) -> Frame {
        let mut y = TOP_PX;
        let (mut lanes, mut rows) = (Vec::new(), Vec::new());
        for (place, name) in self.lanes.iter().enumerate() {
            let of_lane = self.rows(place);
            let height = of_lane.count as f64 * self.row_px;
            lanes.push(LaneFrame { label: name.clone(), sub_label: String::new(), y, height, count: 1 });
            rows.push((of_lane, y, height));
            y += height + GAP_PX;
        }
        let mut boxes = within_budget(scale, None, rows.len(), |boxes| {
            rows.iter().try_for_each(|(of_lane, y, height)| {
                boxes.add_lane(&of_lane.running, *y, *height, |_| false)?;
                boxes.add_lane(&of_lane.held_up, *y, *height, |_| false)
            })
        });
        self.add_labels(&mut boxes);
        let in_plot = |x: &f64| (scale.left_px()..=scale.right_px()).contains(x);
        let cursor = cursor.map(|at| cursor_frame(scale, at)).filter(|cursor| in_plot(&cursor.x));
        let axis_y = y.round();
        Frame {
            width_px: scale.right_px() + RIGHT_PX,
            height_px: axis_y + AXIS_PX,
            left_px: scale.left_px(),
            right_px: scale.right_px(),
            lanes,
            band: None,
            tasks: Vec::new(),
            boxes,
            labels: Vec::new(),
            arrows: Vec::new(),
            launches_y: axis_y + AXIS_PX,
            axis_y,
            ticks: ticks(scale).without_labels_in(cursor.as_ref().map(|c| (c.label_x, c.label_x + c.label_width))),
            cursor,
            end_x: Some(scale.x_from_time(self.end)).filter(in_plot),
        }
    }

    /// What the bars of a frame of [`Self::frame`] are.
    #[must_use]
    pub fn spots(&self, frame: &Frame) -> Vec<PictureSpot> {
        let spot = |shown: &BoxFrame| {
            let bar = self.bar(shown)?;
            Some(PictureSpot { shape: SpotShape::Area([shown.x0, shown.y0, shown.x1, shown.y1]), text: bar.words() })
        };
        frame.boxes.iter().filter_map(spot).collect()
    }

    /// The bar at a point of a frame of [`Self::frame`].
    #[must_use]
    pub fn hit(&self, frame: &Frame, (x_px, y_px): (f64, f64)) -> Option<&Bar> {
        let is_in = |shown: &&BoxFrame| (shown.x0..=shown.x1).contains(&x_px) && (shown.y0..=shown.y1).contains(&y_px);
        frame.boxes.iter().rev().find(is_in).and_then(|shown| self.bar(shown))
    }

    fn bar(&self, shown: &BoxFrame) -> Option<&Bar> {
        match shown.hit {
            Some(Hit::Copy(place)) => self.bars.get(place),
            _ => None,
        }
    }

    /// Each bar of a lane in the first row that is free.
    fn rows(&self, lane: usize) -> Rows {
        let mut of_lane: Vec<usize> = (0..self.bars.len()).filter(|&bar| self.bars[bar].lane == lane).collect();
        order::by_number(&mut of_lane, |&bar| self.bars[bar].time.end.ns());
        order::by_number(&mut of_lane, |&bar| self.bars[bar].time.start.ns());
        let mut ends: Vec<Time> = Vec::new();
        let mut placed = Vec::new();
        for bar in of_lane {
            let time = self.bars[bar].time;
            let row = ends.iter().position(|end| *end <= time.start).unwrap_or(ends.len());
            if row == ends.len() {
                ends.push(time.end);
            } else {
                ends[row] = time.end;
            }
            placed.push((bar, row));
        }
        let count = ends.len().max(1);
        let share = |rows: usize| 1.0 - rows as f32 / count as f32;
        let item = |&(bar, row): &(usize, usize)| {
            let Bar { time, row: of, .. } = self.bars[bar];
            let (start, end) = (time.start.ns(), time.end.ns().max(time.start.ns().saturating_add(1)));
            LaneItem { start, end, low: share(row + 1), high: share(row), record: bar as u32, row: of.0 }
        };
        let of_kind = |is_held_up: bool| placed.iter().filter(move |(bar, _)| self.bars[*bar].is_held_up == is_held_up).map(item);
        Rows { running: Lane::new(LaneKind::Engine(0), of_kind(false)), held_up: Lane::new(LaneKind::HeldUp(0), of_kind(true)), count }
    }

    /// As many words as fit.
    fn add_labels(&self, boxes: &mut [BoxFrame]) {
        let mut left = MAX_LABELS;
        for shown in boxes {
            let room = shown.x1 - shown.x0 - PAD_PX;
            let Some(bar) = self.bar(shown).filter(|_| left > 0 && shown.y1 - shown.y0 >= MIN_LABEL_HEIGHT_PX) else { continue };
            let words = if width_px(&bar.label, TEXT_PX) <= room { &bar.label } else { &bar.short };
            let label = fitted(words, room, TEXT_PX);
            if label.chars().count() > 1 {
                shown.label = Some(label);
                left -= 1;
            }
        }
    }
}
