//! The timeline of a run: a lane per SM with its blocks, a lane per copy engine with its copies,
//! launches under the axis. As [TX2] Fig. 3.
//!
//! Depends on `trace`, `record` and the rest of `view`. Invariants: the index is made once per
//! run; painting and hit-testing use the same scale, the same lanes and the same heights; a frame
//! takes a bounded number of drawing calls however many blocks there are.

use std::ops::Range;
use std::sync::Arc;

use super::frame::{ArrowFrame, ArrowLabel, BoxFrame, CursorFrame, Emphasis, Frame, LaneFrame};
use super::lane::{Item, Lane, Place, lanes};
use super::level::Boxes;
use super::quantity::{format_count, format_time_short};
use super::ticks::ticks;
use super::time_scale::TimeScale;
use super::tooltip;
use crate::order;
use crate::record::Records;
use crate::trace::{OpKind, Trace};
use crate::units::{OpId, RowId, Time, TimeRange};

/// Something on the timeline that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hit {
    /// A block, by its place in [`Records::blocks`].
    Block(usize),
    /// A copy, by its place in [`Records::copies`].
    Copy(usize),
    /// The launch of a kernel.
    Launch(OpId),
}

/// Room for the lane labels, left of the plot.
pub const LEFT_PX: f64 = 84.0;
/// Room right of the plot.
pub const RIGHT_PX: f64 = 16.0;
/// Most drawing calls that boxes may take in one frame.
pub const MAX_BOX_CALLS: usize = 6_000;
/// Most labels in boxes: text is what a canvas is slowest at.
pub const MAX_LABELS: usize = 400;
/// Estimated width of a character of a label.
pub const LABEL_CHAR_PX: f64 = 7.0;

const TOP_PX: f64 = 8.0;
const AXIS_PX: f64 = 24.0;
const ARROW_PX: f64 = 13.0;
const LINE_PX: f64 = 14.0;
/// Lines of labels under the arrows.
const LINES: usize = 2;
const LAUNCHES_PX: f64 = ARROW_PX + LINE_PX * LINES as f64 + 5.0;
const COPY_LANE_PX: f64 = 26.0;
/// SMs whose lanes would be lower than this share one.
const MIN_LANE_PX: f64 = 4.0;
const MIN_LABEL_HEIGHT_PX: f64 = 11.0;
const LABEL_PAD_PX: f64 = 5.0;
/// What is narrower than this is merged; doubled as often as the budget asks.
const FINEST_GRAIN_PX: f64 = 1.0;
/// Arrows nearer than this become one.
const ARROW_GAP_PX: f64 = 5.0;
/// How far off the pointer may be.
const REACH_PX: f64 = 3.0;

/// The index of a run.
#[derive(Debug)]
pub struct Timeline {
    trace: Arc<Trace>,
    records: Arc<Records>,
    lanes: Vec<Lane>,
    sms: usize,
    /// Kernels in issue order, which is the order of time.
    launches: Vec<(Time, OpId)>,
}

/// Where the parts of a frame of some height stand.
struct Places {
    /// Lanes shown as one, their top and their height; SMs first.
    rows: Vec<(Range<usize>, f64, f64)>,
    axis_y: f64,
    launches_y: f64,
}

impl Timeline {
    /// The index of a finished run. Takes time in proportion to its steps.
    #[must_use]
    pub fn new(trace: &Arc<Trace>, records: &Arc<Records>) -> Self {
        let launches = trace.ops().iter().zip(&records.ops).enumerate();
        let launches = launches.filter(|(_, (op, _))| op.kind == OpKind::Kernel).map(|(i, (_, life))| (life.issued, OpId::at(i))).collect();
        Self {
            trace: Arc::clone(trace),
            records: Arc::clone(records),
            lanes: lanes(trace, records),
            sms: trace.scenario().device().sms as usize,
            launches,
        }
    }

    /// What a fitted view shows: the last event; at least 1 ns.
    #[must_use]
    pub fn end(&self) -> Time {
        self.records.last_event.max(Time(1))
    }

    /// The scale that fits the whole run into a picture `width_px` wide.
    #[must_use]
    pub fn fit(&self, width_px: f64) -> TimeScale {
        TimeScale::fit(self.end(), LEFT_PX, width_px - LEFT_PX - RIGHT_PX)
    }

    /// A good height for the number of lanes; `compact` for small screens.
    #[must_use]
    pub fn natural_height_px(&self, compact: bool) -> f64 {
        let (total, most, least) = if compact { (260.0, 64.0, 6.0) } else { (440.0, 104.0, 9.0) };
        let sm = (total / self.sms.max(1) as f64).clamp(least, most);
        let sms = (sm * self.sms as f64).min(if compact { 600.0 } else { 900.0 });
        let copies = (self.lanes.len() - self.sms) as f64 * COPY_LANE_PX;
        (TOP_PX + sms + copies + AXIS_PX + LAUNCHES_PX).ceil()
    }

    /// The picture at a scale, `height_px` high, with a line at `cursor`; rows other than
    /// `selected`, if there is one, step back.
    #[must_use]
    pub fn frame(&self, scale: &TimeScale, height_px: f64, cursor: Option<Time>, selected: Option<RowId>) -> Frame {
        let places = self.places(height_px);
        let in_plot = |x: f64| (scale.left_px()..=scale.right_px()).contains(&x);
        let cursor = cursor.map(|t| cursor_frame(scale, t)).filter(|c| in_plot(c.x));
        let end_x = scale.x_from_time(self.end());
        Frame {
            width_px: scale.right_px() + RIGHT_PX,
            height_px: height_px.max(places.launches_y + LAUNCHES_PX),
            left_px: scale.left_px(),
            right_px: scale.right_px(),
            lanes: places.rows.iter().map(|(lanes, y, height)| self.lane_frame(lanes, *y, *height, scale.left_px())).collect(),
            boxes: self.boxes(scale, &places, selected),
            arrows: self.arrows(scale, places.launches_y, selected),
            launches_y: places.launches_y,
            axis_y: places.axis_y,
            ticks: ticks(scale).without_labels_in(cursor.as_ref().map(|c| (c.label_x, c.label_x + c.label_width))),
            cursor,
            end_x: Some(end_x).filter(|&x| in_plot(x)),
        }
    }

    /// The line of the time axis in a picture of that height: the bottom of the lanes.
    #[must_use]
    pub fn axis_px(&self, height_px: f64) -> f64 {
        self.places(height_px).axis_y
    }

    /// What is at a point of the picture that [`Self::frame`] draws with the same scale and height.
    #[must_use]
    pub fn hit(&self, scale: &TimeScale, height_px: f64, x_px: f64, y_px: f64) -> Option<Hit> {
        if !(scale.left_px()..=scale.right_px()).contains(&x_px) {
            return None;
        }
        let places = self.places(height_px);
        if y_px >= places.launches_y {
            return self.hit_launch(scale, places.launches_y, x_px, y_px);
        }
        let (lanes, y, height) = places.rows.iter().find(|(_, y, height)| (*y..y + height).contains(&y_px))?;
        let share = (1.0 - (y_px - y) / height) as f32;
        let (lane, share) = if lanes.len() == 1 {
            (&self.lanes[lanes.start], Some(share))
        } else {
            let i = ((1.0 - share) * lanes.len() as f32) as usize;
            (&self.lanes[(lanes.start + i).min(lanes.end - 1)], None)
        };
        let item = nearest(lane, scale, x_px, share, (1.0 / height) as f32)?;
        Some(match lane.place {
            Place::Sm(_) => Hit::Block(item.record as usize),
            Place::Engine(_) => Hit::Copy(item.record as usize),
        })
    }

    /// What a tooltip says, as names and values.
    #[must_use]
    pub fn describe(&self, hit: &Hit) -> Vec<(&'static str, String)> {
        tooltip::describe(&self.trace, &self.records, *hit)
    }

    /// The run.
    #[must_use]
    pub fn trace(&self) -> &Arc<Trace> {
        &self.trace
    }

    /// What it did.
    #[must_use]
    pub fn records(&self) -> &Arc<Records> {
        &self.records
    }

    fn places(&self, height_px: f64) -> Places {
        let copies = self.lanes.len() - self.sms;
        let room = (height_px - TOP_PX - AXIS_PX - LAUNCHES_PX).max(40.0);
        let copy_pitch = if copies == 0 { 0.0 } else { COPY_LANE_PX.min(room / 2.0 / copies as f64) };
        let for_sms = room - copy_pitch * copies as f64;
        let group = (MIN_LANE_PX * self.sms as f64 / for_sms).ceil().max(1.0) as usize;
        let count = self.sms.div_ceil(group);
        let pitch = for_sms / count.max(1) as f64;
        let gap = (pitch * 0.12).clamp(0.5, 7.0);
        let mut rows: Vec<(Range<usize>, f64, f64)> = (0..count)
            .map(|i| {
                let y = TOP_PX + i as f64 * pitch;
                let (top, bottom) = if pitch >= 8.0 { (y.round(), (y + pitch - gap).round()) } else { (y, y + pitch - gap) };
                (i * group..((i + 1) * group).min(self.sms), top, bottom - top)
            })
            .collect();
        for i in 0..copies {
            let y = (TOP_PX + for_sms + i as f64 * copy_pitch).round();
            rows.push((self.sms + i..self.sms + i + 1, y, (copy_pitch - 4.0).max(1.0).round()));
        }
        let axis_y = (TOP_PX + room).round();
        Places { rows, axis_y, launches_y: axis_y + AXIS_PX }
    }

    fn lane_frame(&self, lanes: &Range<usize>, y: f64, height: f64, margin_px: f64) -> LaneFrame {
        let device = self.trace.scenario().device();
        let (label, sub_label) = match self.lanes[lanes.start].place {
            Place::Sm(sm) if lanes.len() > 1 => (format!("SM {}+", sm.0), String::new()),
            Place::Sm(sm) => (format!("SM {}", sm.0), format!("{} threads", format_count(device.threads_per_sm))),
            Place::Engine(_) if device.copy_engines == 1 => ("Copy".to_owned(), String::new()),
            Place::Engine(0) => ("Copy in".to_owned(), String::new()),
            Place::Engine(_) => ("Copy out".to_owned(), String::new()),
        };
        // Every so many lanes, where there is no room beside each.
        let every = match height {
            h if h >= 11.0 => 1,
            h if h >= 5.5 => 2,
            _ => 5,
        };
        let group = lanes.len().max(1);
        let shown = (lanes.start / group).is_multiple_of(every) || lanes.start >= self.sms;
        let label = if shown { label } else { String::new() };
        let sub_label = if height >= 38.0 && sub_label.len() <= 13 && margin_px >= LEFT_PX { sub_label } else { String::new() };
        LaneFrame { label, sub_label, y, height, count: lanes.len() }
    }

    fn boxes(&self, scale: &TimeScale, places: &Places, selected: Option<RowId>) -> Vec<BoxFrame> {
        // What would surely be too many columns is not tried.
        let columns = places.rows.len() as f64 * scale.width_px();
        let mut grain = FINEST_GRAIN_PX;
        while grain * (4 * MAX_BOX_CALLS) as f64 <= columns {
            grain *= 2.0;
        }
        loop {
            // At a grain of the whole width a lane comes to a few boxes: then all are shown.
            let budget = if grain < scale.width_px() { MAX_BOX_CALLS } else { usize::MAX };
            let mut boxes = Boxes::new(scale, selected, grain, budget);
            let done = places.rows.iter().try_for_each(|(lanes, y, height)| match &self.lanes[lanes.clone()] {
                [lane] => boxes.lane(lane, *y, *height, |item| self.is_open(lane.place, item)),
                group => boxes.group(group, *y, *height),
            });
            if done.is_ok() {
                let mut boxes = boxes.finish();
                self.add_labels(&mut boxes);
                return boxes;
            }
            grain *= 2.0;
        }
    }

    fn is_open(&self, place: Place, item: &Item) -> bool {
        let end = match place {
            Place::Sm(_) => self.records.blocks[item.record as usize].end,
            Place::Engine(_) => self.records.copies[item.record as usize].end,
        };
        end.is_none() && item.end == self.records.end().ns()
    }

    /// Names the boxes that have room for it; the largest, if there are too many.
    fn add_labels(&self, boxes: &mut [BoxFrame]) {
        let fits = |b: &BoxFrame| b.y1 - b.y0 >= MIN_LABEL_HEIGHT_PX && b.x1 - b.x0 >= 2.0 * LABEL_CHAR_PX + LABEL_PAD_PX;
        let mut roomy: Vec<usize> = (0..boxes.len()).filter(|&i| boxes[i].hit.is_some() && fits(&boxes[i])).collect();
        if roomy.len() > MAX_LABELS {
            let area = |i: usize| (boxes[i].x1 - boxes[i].x0) * (boxes[i].y1 - boxes[i].y0);
            // The bits of numbers that are not negative are in the order of the numbers.
            order::by_number(&mut roomy, |&i| u64::MAX - area(i).to_bits());
            roomy.truncate(MAX_LABELS);
        }
        for i in roomy {
            let Some(hit) = boxes[i].hit else { continue };
            let label = hit.label(self);
            if label.chars().count() as f64 * LABEL_CHAR_PX + LABEL_PAD_PX <= boxes[i].x1 - boxes[i].x0 {
                boxes[i].label = Some(label);
            }
        }
    }

    /// The launches in view; those too near each other are one arrow.
    fn arrows(&self, scale: &TimeScale, y: f64, selected: Option<RowId>) -> Vec<ArrowFrame> {
        let visible = scale.visible();
        let end = self.launches.partition_point(|&(at, _)| at <= visible.end);
        let mut i = self.launches.partition_point(|&(at, _)| at < visible.start);
        let mut arrows = Vec::new();
        let mut free_from = [f64::NEG_INFINITY; LINES];
        while i < end {
            let (at, op) = self.launches[i];
            let x = scale.x_from_time(at);
            let near = scale.time_from_x(x + ARROW_GAP_PX).max(at);
            let next = (i + 1) + self.launches[i + 1..end].partition_point(|&(t, _)| t == at || t < near);
            if x >= scale.left_px() && x <= scale.right_px() {
                let row = self.trace.op(op).row;
                let emphasis = self.emphasis(i..next, selected);
                let label = self.arrow_label(i..next, x, scale, y, &mut free_from);
                arrows.push(ArrowFrame { x, row, op, count: next - i, emphasis, label });
            }
            i = next;
        }
        arrows
    }

    /// Of an arrow: selected if any of its first launches is.
    fn emphasis(&self, launches: Range<usize>, selected: Option<RowId>) -> Emphasis {
        let some = launches.start..launches.end.min(launches.start + 64);
        let of = |i: usize| Emphasis::of(self.trace.op(self.launches[i].1).row, selected);
        some.map(of).find(|e| *e == Emphasis::Selected).unwrap_or_else(|| of(launches.start))
    }

    /// As many names as there is room for, on the first line that has any; right of the arrow's
    /// foot, so that the arrow points at the first name.
    fn arrow_label(&self, launches: Range<usize>, x: f64, scale: &TimeScale, y: f64, free_from: &mut [f64; LINES]) -> Option<ArrowLabel> {
        let room_to = self.launches.get(launches.end).map_or(scale.right_px(), |&(at, _)| scale.x_from_time(at));
        let count = launches.len();
        let names = launches.clone().take(3).map(|i| self.trace.op_label(self.launches[i].1)).collect::<Vec<_>>();
        let more = if count > names.len() { format!(" +{}", count - names.len()) } else { String::new() };
        let all = format!("{}{more}", names.join(", "));
        let short = if count > 1 { format!("{} +{}", names[0], count - 1) } else { names[0].clone() };
        let left = (x - LABEL_CHAR_PX).max(scale.left_px());
        let width = |text: &str| text.chars().count() as f64 * LABEL_CHAR_PX;
        let fits = |text: &str, to: f64| left + width(text) <= to;
        let line = free_from.iter().position(|&from| from <= left)?;
        let text = [all, short].into_iter().enumerate().find(|(i, text)| {
            // The full list may run on below the next arrow, as there is another line for that one.
            fits(text, scale.right_px() + RIGHT_PX) && (*i == 1 || count == 1 || fits(text, room_to.max(left + 110.0)))
        });
        let (_, text) = text?;
        let width = width(&text);
        free_from[line] = left + width + LABEL_CHAR_PX;
        Some(ArrowLabel { text, x: left, width, y: y + ARROW_PX + line as f64 * LINE_PX })
    }

    fn hit_launch(&self, scale: &TimeScale, launches_y: f64, x: f64, y: f64) -> Option<Hit> {
        if y > launches_y + LAUNCHES_PX {
            return None;
        }
        let arrows = self.arrows(scale, launches_y, None);
        let on_label =
            |a: &ArrowFrame| a.label.as_ref().is_some_and(|l| (l.x..=l.x + l.width).contains(&x) && (l.y..=l.y + LINE_PX).contains(&y));
        let named = arrows.iter().find(|a| on_label(a));
        let near = || {
            let nearest = arrows.iter().min_by(|a, b| (a.x - x).abs().total_cmp(&(b.x - x).abs()));
            nearest.filter(|a| (a.x - x).abs() <= 2.0 * REACH_PX)
        };
        named.or_else(near).map(|a| Hit::Launch(a.op))
    }
}

impl Hit {
    /// Its operation.
    #[must_use]
    pub fn op(&self, timeline: &Timeline) -> OpId {
        match *self {
            Self::Block(i) => timeline.records.blocks[i].op,
            Self::Copy(i) => timeline.records.copies[i].op,
            Self::Launch(op) => op,
        }
    }

    /// Its name: `K1:0` for a block, else its operation's.
    #[must_use]
    pub fn label(&self, timeline: &Timeline) -> String {
        let name = timeline.trace.op_label(self.op(timeline));
        match *self {
            Self::Block(i) => format!("{name}:{}", timeline.records.blocks[i].block),
            Self::Copy(_) | Self::Launch(_) => name,
        }
    }
}

/// The item under the pointer, or the nearest one within reach. `share` is the pointer's height in
/// the lane, `None` if it does not matter; `pixel` is one pixel as a share.
fn nearest<'l>(lane: &'l Lane, scale: &TimeScale, x: f64, share: Option<f32>, pixel: f32) -> Option<&'l Item> {
    // An instant more on either side, as times are rounded to whole nanoseconds.
    let from = scale.time_from_x(x - REACH_PX).ns().saturating_sub(1);
    let to = scale.time_from_x(x + REACH_PX).ns().saturating_add(2);
    let range = TimeRange::new(Time(from), Time(to));
    let off = |item: &Item| {
        let (x0, x1) = (scale.x_from_ns(item.start), scale.x_from_ns(item.end));
        let dx = (x0 - x).max(x - x1).max(0.0);
        let dy = share.map_or(0.0, |s| f64::from((item.low - s).max(s - item.high).max(0.0) / pixel));
        dx.max(dy)
    };
    let candidates = lane.near(range).iter().map(|item| (off(item), item));
    candidates.filter(|(off, _)| *off <= REACH_PX).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, item)| item)
}

fn cursor_frame(scale: &TimeScale, t: Time) -> CursorFrame {
    let x = scale.x_from_time(t);
    let label = format_time_short(t.ns());
    let label_width = label.chars().count() as f64 * LABEL_CHAR_PX + 10.0;
    let least = 0.0_f64;
    let label_x = (x - label_width / 2.0).clamp(least, (scale.right_px() + RIGHT_PX - label_width).max(least));
    CursorFrame { x, label, label_x, label_width }
}
