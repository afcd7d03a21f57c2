//! The timeline of a run: a band of resident processes, a lane per SM with its blocks, a lane per
//! copy engine with its copies, a lane per task with its jobs, launches under the axis. As [TX2]
//! Fig. 3 and [EDF] Fig. 1.
//!
//! Depends on `trace`, `record` and the rest of `view`. Invariants: the index is made once per
//! run; painting and hit-testing use the same scale, the same lanes and the same heights; a frame
//! takes a bounded number of drawing calls however many blocks there are.

mod labels;
mod launches;
mod opening;
mod places;
mod tasks;

use std::ops::Range;
use std::sync::Arc;

pub use labels::BESIDE_TEXT_PX;
pub(super) use places::TOP_PX;
use places::{COPY_LANE_PX, Counts, IDLE_PX, Places};
use tasks::TaskLane;

use super::frame::{BoxFrame, CursorFrame, Frame, LabelFrame, LaneFrame};
use super::lane::{Lane, LaneItem, LaneKind, Lanes, Laying};
use super::level::{kept_bar, within_budget};
use super::quantity::{format_count, format_time_short};
use super::ticks::ticks;
use super::time_scale::TimeScale;
use super::tooltip;
use crate::Within;
use blockstep_sim::record::Records;
use blockstep_sim::trace::{Op, OpKind, Trace};
use blockstep_sim::units::{OpId, RowId, SmId, Time, TimeRange};
use blockstep_sim::work::{Budget, Progress};

/// Something on the timeline that can be pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hit {
    /// A block, by its place in [`Records::blocks`].
    Block(usize),
    /// A copy, by its place in [`Records::copies`].
    Copy(usize),
    /// The launch of a kernel.
    Launch(OpId),
    /// A stay of a process, by its place in [`Records::residency`].
    Stay(usize),
    /// A switch, by its place in [`Records::switches`].
    Switch(usize),
    /// A job, by its place in [`Records::jobs`].
    Job(usize),
    /// A job's release, likewise.
    Release(usize),
    /// A job's deadline, likewise.
    Deadline(usize),
    /// What a server got, by its place in [`Records::refills`].
    Refill(usize),
}

/// Room for the lane labels, left of the plot.
pub const LEFT_PX: f64 = 84.0;
/// More SMs than this share lanes on a page.
const MANY_SMS: usize = 24;
/// Height of the lanes that many SMs share, px.
const GROUPED_PX: (f64, f64) = (120.0, 280.0);
/// Room right of the plot.
pub const RIGHT_PX: f64 = 16.0;
/// Most drawing calls that boxes may take in one frame.
pub const MAX_BOX_CALLS: usize = 6_000;
/// Most labels in boxes: text is what a canvas is slowest at.
pub const MAX_LABELS: usize = 400;
/// Estimated width of a character of a label.
pub const LABEL_CHAR_PX: f64 = 7.0;

/// Between the axis and the launches: its ticks and their labels.
pub(super) const AXIS_PX: f64 = 24.0;
const ARROW_PX: f64 = 13.0;
const LINE_PX: f64 = 14.0;
/// Lines of labels under the arrows.
const LINES: usize = 2;
/// Below the labels of the axis: the arrows of launches and their names.
pub const LAUNCHES_PX: f64 = ARROW_PX + LINE_PX * LINES as f64 + 5.0;
/// Lowest box with a label.
pub(super) const MIN_LABEL_HEIGHT_PX: f64 = 9.0;
/// What a label needs beside its characters.
pub(super) const LABEL_PAD_PX: f64 = 5.0;
/// What is narrower than this is merged; doubled as often as the budget asks.
pub(super) const FINEST_GRAIN_PX: f64 = 1.0;
/// How far off the pointer may be.
const REACH_PX: f64 = 3.0;

/// The index of a run.
#[derive(Debug)]
pub struct Timeline {
    trace: Arc<Trace>,
    records: Arc<Records>,
    lanes: Lanes,
    tasks: Vec<TaskLane>,
    sms: usize,
    /// Those that have a lane of their own, and those that share one as nothing runs there.
    sm_lanes: Vec<Range<usize>>,
    /// Kernels in issue order, which is the order of time.
    launches: Vec<(Time, OpId)>,
    end: Time,
}

/// A timeline that is being made, in portions.
#[derive(Debug)]
pub struct Building {
    trace: Arc<Trace>,
    records: Arc<Records>,
    lanes: Laying,
}

impl Building {
    /// Nothing is laid out yet.
    #[must_use]
    pub fn new(trace: &Arc<Trace>, records: &Arc<Records>) -> Self {
        Self { trace: Arc::clone(trace), records: Arc::clone(records), lanes: Laying::new(trace, records) }
    }

    /// Lays out as much as the budget lasts for; a unit is about a block or a copy.
    pub fn run_for(&mut self, budget: &mut Budget) -> Progress {
        self.lanes.run_for(&self.trace, &self.records, budget)
    }

    /// The timeline of what was laid out.
    #[must_use]
    pub fn finish(self) -> Timeline {
        let Self { trace, records, lanes } = self;
        let launches = trace.ops().iter().zip(&records.ops).enumerate();
        // A copy that is a row of its own is launched like a kernel; those of a kernel are with it.
        let is_call = |op: &Op| op.kind == OpKind::Kernel || trace.scenario().row(op.row).call.is_copy();
        // A graph is launched with its first node.
        let is_first = |op: &Op| trace.scenario().row(op.row).node.as_ref().is_none_or(|node| node.graph.index() + 1 == op.row.index());
        let launches =
            launches.filter(|(_, (op, _))| is_call(op) && is_first(op)).map(|(i, (_, life))| (life.issued, OpId::at(i))).collect();
        let (lanes, sms) = (lanes.finish(), trace.scenario().device().sms as usize);
        Timeline {
            sm_lanes: sm_lanes(&lanes.running[..sms]),
            lanes,
            tasks: tasks::lanes(&trace, &records),
            sms,
            launches,
            end: end(&records),
            trace,
            records,
        }
    }
}

impl Timeline {
    /// The index of a finished run. Takes time in proportion to its steps.
    #[must_use]
    pub fn new(trace: &Arc<Trace>, records: &Arc<Records>) -> Self {
        let mut building = Building::new(trace, records);
        let mut unlimited = Budget::UNLIMITED;
        while building.run_for(&mut unlimited) == Progress::Paused {}
        building.finish()
    }

    /// What a fitted view shows: the last event or deadline, unless that is far off; at least 1 ns.
    #[must_use]
    pub fn end(&self) -> Time {
        self.end
    }

    /// The scale that fits the whole run into a picture `width_px` wide.
    #[must_use]
    pub fn fit(&self, width_px: f64) -> TimeScale {
        TimeScale::fit(self.end(), LEFT_PX, width_px - LEFT_PX - RIGHT_PX)
    }

    /// A good height for the number of lanes; `compact` for small screens.
    #[must_use]
    pub fn natural_height_px(&self, compact: bool) -> f64 {
        self.height_px(compact, None, true)
    }

    /// Whether there are so many SMs that lanes of each need more room than a window has.
    #[must_use]
    pub fn has_many_sms(&self) -> bool {
        self.sm_lanes.len() > MANY_SMS
    }

    /// The same, but lower where there is little room, px: a lane of an SM stays high enough for labels, or as it is. Many SMs
    /// share lanes if they are `grouped`; else each has its own, however high that is.
    #[must_use]
    pub fn height_px(&self, compact: bool, room: Option<f64>, grouped: bool) -> f64 {
        const READABLE_PX: f64 = 44.0;
        const LOW_PX: f64 = 10.0;
        // Where processes take turns, queues and scheduler need more of the window; lanes of many tasks need it, too.
        const CROWDED_PX: (f64, f64) = (34.0, 24.0);
        const FEW_TASKS: usize = 3;
        let (total, most, least) = if compact { (260.0, 64.0, 6.0) } else { (440.0, 104.0, 9.0) };
        let idle = self.sm_lanes.iter().filter(|sms| sms.len() > 1).count();
        let lanes = self.sm_lanes.len() - idle;
        let natural = (total / lanes.max(1) as f64).within(least, most);
        let counts = self.counts();
        let others = counts.engines as f64 * COPY_LANE_PX + idle as f64 * IDLE_PX + counts.others_px() + TOP_PX + AXIS_PX + LAUNCHES_PX;
        if self.has_many_sms() && !grouped {
            return (least * lanes as f64 + others).ceil();
        }
        let fitting = room.map_or(natural, |room| (room - others) / lanes.max(1) as f64);
        if let Some(room) = room.filter(|_| self.has_many_sms()) {
            return ((room - others).within(GROUPED_PX.0, GROUPED_PX.1) + others).ceil();
        }
        // Two lanes can be read; more of them share that room, as long as each can be told apart.
        let readable = (2.0 * READABLE_PX / lanes.max(1) as f64).within(LOW_PX, READABLE_PX);
        let sm = fitting.within(readable.min(natural), natural);
        let sms = (sm * lanes as f64).min(if compact { 600.0 } else { 900.0 });
        // Where even that is too high, the lanes of tasks are lower, then those of SMs.
        let spare = room.map_or(0.0, |room| (sms + others - room).max(0.0));
        let crowded = if counts.tasks > FEW_TASKS { CROWDED_PX.1 } else { CROWDED_PX.0 };
        let of_sms = if counts.has_band { (sm - crowded).max(0.0) * lanes as f64 } else { 0.0 };
        (sms + others - spare.min(counts.spare_px() + of_sms)).ceil()
    }

    /// How high it has to be so that its lanes of SMs are as high as those of another one that is `height_px` high, px; as high as that
    /// one where so many lanes would take more than some windows.
    #[must_use]
    pub fn height_as(&self, other: &Self, height_px: f64) -> f64 {
        const MOST_PX: u32 = 1_200;
        let is_busy = |timeline: &Self, lanes: &Range<usize>| timeline.sm_lanes.contains(lanes) && lanes.len() == 1;
        // Where no lane is of a single busy SM, the first stands for all.
        let lane = |timeline: &Self, height_px: f64| {
            let rows = timeline.places(height_px).rows;
            rows.iter().find(|(lanes, ..)| is_busy(timeline, lanes)).or(rows.first()).map_or(0.0, |(.., height)| *height)
        };
        let wanted = lane(other, height_px);
        let is_enough = |height_px: &f64| lane(self, *height_px) >= wanted;
        let heights = || (60..MOST_PX).map(f64::from);
        // The same where both have as many lanes.
        if is_enough(&height_px) && lane(self, height_px) <= wanted { height_px } else { heights().find(is_enough).unwrap_or(height_px) }
    }

    /// The picture at a scale, `height_px` high, with a line at `cursor`; rows other than
    /// `selected`, if there is one, step back.
    #[must_use]
    pub fn frame(&self, scale: &TimeScale, height_px: f64, cursor: Option<Time>, selected: Option<RowId>) -> Frame {
        let places = self.places(height_px);
        let in_plot = |x: f64| (scale.left_px()..=scale.right_px()).contains(&x);
        let cursor = cursor.map(|t| cursor_frame(scale, t)).filter(|c| in_plot(c.x));
        let end_x = scale.x_from_time(self.end());
        let (boxes, labels) = self.boxes(scale, &places, selected);
        Frame {
            width_px: scale.right_px() + RIGHT_PX,
            height_px: height_px.max(places.launches_y + LAUNCHES_PX),
            left_px: scale.left_px(),
            right_px: scale.right_px(),
            lanes: places.rows.iter().map(|(lanes, y, height)| self.lane_frame(lanes, *y, *height, scale.left_px())).collect(),
            band: places.band.map(|(y, height)| {
                let label = match height {
                    h if h < MIN_LABEL_HEIGHT_PX => "",
                    _ if tasks::letters(scale) < 8 => "Process",
                    _ => "Resident",
                };
                LaneFrame { label: label.to_owned(), sub_label: String::new(), y, height, count: 1 }
            }),
            tasks: tasks::frames(&self.tasks, &places.tasks, &self.records, scale),
            boxes,
            labels,
            arrows: self.arrows(scale, places.launches_y, selected),
            launches_y: places.launches_y,
            axis_y: places.axis_y,
            ticks: ticks(scale).without_labels_in(cursor.as_ref().map(|c| (c.label_x, c.label_x + c.label_width))),
            cursor,
            end_x: Some(end_x).filter(|&x| in_plot(x)),
        }
    }

    /// Whether it has as many SMs as another.
    #[must_use]
    pub fn has_sms_of(&self, other: &Self) -> bool {
        self.sms == other.sms
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
        let is_at = |y: f64, height: f64| (y..y + height).contains(&y_px);
        if let Some((y, height)) = places.band.filter(|&(y, height)| is_at(y, height)) {
            let share = (1.0 - (y_px - y) / height) as f32;
            let near = self.lanes.band.iter().filter(|lane| lane.place != LaneKind::Drains);
            let near = near.filter_map(|lane| Some((nearest(lane, scale, x_px, Some(share), (1.0 / height) as f32)?, lane)));
            return near.min_by(|a, b| a.0.0.total_cmp(&b.0.0)).map(|((_, item), lane)| lane.place.hit(item));
        }
        if places.tasks.iter().any(|(_, y, height)| is_at(*y, *height)) {
            let frames = tasks::frames(&self.tasks, &places.tasks, &self.records, scale);
            let frame = frames.iter().find(|frame| is_at(frame.lane.y, frame.lane.height))?;
            return tasks::hit(frame, x_px, y_px);
        }
        let (lanes, y, height) = places.rows.iter().find(|(_, y, height)| is_at(*y, *height))?;
        let share = (1.0 - (y_px - y) / height) as f32;
        let pixel = (1.0 / height) as f32;
        if lanes.len() > 1 {
            let i = ((1.0 - share) * lanes.len() as f32) as usize;
            let lane = &self.lanes.running[(lanes.start + i).min(lanes.end - 1)];
            return nearest(lane, scale, x_px, None, pixel).map(|(_, item)| lane.place.hit(item));
        }
        // From what is painted last to what is painted first, else what is nearest.
        let beside = self.lanes.beside.get(lanes.start).map_or(&[][..], |of_spaces| of_spaces);
        let bar = |lane: &Lane, item: &LaneItem| {
            let top = |share: f32| y + height * (1.0 - f64::from(share));
            lane.place
                .space()
                .and_then(|space| kept_bar(space, (top(item.high), top(item.low))))
                .is_some_and(|(a, b)| (a..b).contains(&y_px))
        };
        let bars = beside.iter().rev().filter_map(|lane| Some((on_bar(lane, scale, x_px, |item| bar(lane, item))?, lane)));
        if let Some((item, lane)) = { bars }.next() {
            return Some(lane.place.hit(item));
        }
        let running = &self.lanes.running[lanes.start];
        let all = [running].into_iter().chain(beside.iter().rev());
        let near = all.filter_map(|lane| Some((nearest(lane, scale, x_px, Some(share), pixel)?, lane)));
        let near = near.min_by(|a, b| a.0.0.total_cmp(&b.0.0)).map(|((_, item), lane)| lane.place.hit(item));
        near.or_else(|| self.hit_label(&self.boxes(scale, &places, None).1, (x_px, y_px)))
    }

    /// The SM whose lane is at a point where nothing is; `None` elsewhere, and where a lane shows several SMs, unless all are idle: then it is the
    /// first.
    #[must_use]
    pub fn free_sm(&self, scale: &TimeScale, height_px: f64, x_px: f64, y_px: f64) -> Option<SmId> {
        if !(scale.left_px()..=scale.x_from_time(self.end())).contains(&x_px) || self.hit(scale, height_px, x_px, y_px).is_some() {
            return None;
        }
        let places = self.places(height_px);
        let (lanes, ..) = places.rows.iter().find(|(_, y, height)| (*y..*y + *height).contains(&y_px))?;
        match self.lanes.running[lanes.start].place {
            LaneKind::Sm(sm) if lanes.len() == 1 || self.are_idle(lanes) => Some(sm),
            _ => None,
        }
    }

    /// What a tooltip says, as names and values.
    #[must_use]
    pub fn describe(&self, hit: &Hit) -> Vec<(&'static str, String)> {
        tooltip::describe(&self.trace, &self.records, *hit)
    }

    /// The same without what happens only after an instant.
    #[must_use]
    pub fn describe_until(&self, hit: &Hit, now: Time) -> Vec<(&'static str, String)> {
        tooltip::describe_until(&self.trace, &self.records, *hit, now)
    }

    /// What the picture shows, for those who do not see it.
    #[must_use]
    pub fn summary(&self) -> String {
        tooltip::summary(&self.trace, &self.records)
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

    fn counts(&self) -> Counts<'_> {
        let engines = self.lanes.running.len() - self.sms;
        Counts { sms: &self.sm_lanes, engines, has_band: !self.lanes.band.is_empty(), tasks: self.tasks.len() }
    }

    fn places(&self, height_px: f64) -> Places {
        self.counts().places(height_px)
    }

    fn lane_frame(&self, lanes: &Range<usize>, y: f64, height: f64, margin_px: f64) -> LaneFrame {
        let device = self.trace.scenario().device();
        let (label, sub_label) = match self.lanes.running[lanes.start].place {
            LaneKind::Sm(sm) if lanes.len() > 1 => {
                let words = if self.are_idle(lanes) { format!("{} SMs idle", format_count(lanes.len() as u64)) } else { String::new() };
                (format!("SM {}\u{2013}{}", sm.0, sm.index() + lanes.len() - 1), words)
            }
            LaneKind::Sm(sm) => (format!("SM {}", sm.0), format!("{} threads", format_count(device.threads_per_sm))),
            LaneKind::Engine(_) if device.copy_engines == 1 => ("Copy".to_owned(), String::new()),
            LaneKind::Engine(0) => ("Copy in".to_owned(), String::new()),
            _ => ("Copy out".to_owned(), String::new()),
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
        let has_room = match lanes.len() {
            1 => height >= 38.0 && sub_label.len() <= 13 && margin_px >= LEFT_PX,
            _ => height >= MIN_LABEL_HEIGHT_PX,
        };
        let sub_label = if has_room { sub_label } else { String::new() };
        LaneFrame { label, sub_label, y, height, count: lanes.len() }
    }

    /// The boxes, and the names that stand in none of them.
    fn boxes(&self, scale: &TimeScale, places: &Places, selected: Option<RowId>) -> (Vec<BoxFrame>, Vec<LabelFrame>) {
        let mut boxes = within_budget(scale, selected, places.rows.len(), |boxes| {
            let mut band = places.band.iter().flat_map(|at| self.lanes.band.iter().map(move |lane| (lane, at)));
            band.try_for_each(|(lane, &(y, height))| boxes.add_lane(lane, y, height, |_| false))?;
            places.rows.iter().try_for_each(|(lanes, y, height)| match &self.lanes.running[lanes.clone()] {
                [lane] => {
                    boxes.add_lane(lane, *y, *height, |item| self.is_open(lane.place, item))?;
                    let beside = self.lanes.beside.get(lanes.start).into_iter().flatten();
                    { beside }.try_for_each(|lane| boxes.add_lane(lane, *y, *height, |item| self.is_open(lane.place, item)))
                }
                group => boxes.add_group(group, *y, *height),
            })
        });
        let labels = self.add_labels(&mut boxes, &places.rows, (scale.left_px(), scale.right_px()));
        (boxes, labels)
    }

    /// Whether nothing runs on any of these SMs.
    fn are_idle(&self, lanes: &Range<usize>) -> bool {
        self.lanes.running[lanes.clone()].iter().all(|lane| lane.is_empty())
    }

    fn is_open(&self, place: LaneKind, item: &LaneItem) -> bool {
        let end = match place.hit(item) {
            Hit::Block(i) => self.records.blocks[i].end,
            Hit::Copy(i) => self.records.copies[i].end,
            _ => return false,
        };
        end.is_none() && item.end == self.records.end().ns()
    }
}

impl Hit {
    /// Its operation, if it has one.
    #[must_use]
    pub fn op(&self, timeline: &Timeline) -> Option<OpId> {
        match *self {
            Self::Block(i) => Some(timeline.records.blocks[i].op),
            Self::Copy(i) => Some(timeline.records.copies[i].op),
            Self::Launch(op) => Some(op),
            _ => None,
        }
    }

    /// Its index among the blocks of its kernel, of a block.
    #[must_use]
    pub fn block(&self, timeline: &Timeline) -> Option<u32> {
        if let Self::Block(i) = *self { Some(timeline.records.blocks[i].block) } else { None }
    }

    /// The instant it marks; `None` for operations.
    #[must_use]
    pub fn at(&self, timeline: &Timeline) -> Option<Time> {
        let records = &timeline.records;
        match *self {
            Self::Block(_) | Self::Copy(_) | Self::Launch(_) => None,
            Self::Stay(i) => Some(records.residency[i].1.start),
            Self::Switch(i) => Some(records.switches[i].1.start),
            Self::Job(i) => records.jobs[i].end,
            Self::Release(i) => Some(records.jobs[i].release),
            Self::Deadline(i) => records.jobs[i].deadline,
            Self::Refill(i) => Some(records.refills[i].at),
        }
    }

    /// Its name: `K1:0` for a block, else its operation's, its process's or its job's.
    #[must_use]
    pub fn label(&self, timeline: &Timeline) -> String {
        let (trace, records) = (&timeline.trace, &timeline.records);
        match *self {
            Self::Block(i) => format!("{}:{}", trace.op_label(records.blocks[i].op), records.blocks[i].block),
            Self::Copy(i) => trace.op_label(records.copies[i].op),
            Self::Launch(op) => trace.op_label(op),
            Self::Stay(i) => trace.space_name(records.residency[i].0),
            Self::Switch(i) => format!("Switch to {}", trace.space_name(records.switches[i].0)),
            Self::Job(i) | Self::Release(i) | Self::Deadline(i) => {
                let job = &records.jobs[i];
                format!("{}, job {}", trace.scenario().task(job.task).name, job.job.0)
            }
            Self::Refill(i) => {
                let of = trace.scenario().claimant(records.refills[i].claimant);
                let task = &trace.scenario().task(of.task).name;
                of.batch.as_ref().map_or_else(|| format!("Server of {task}"), |batch| format!("Server of {task}: {}", batch.name))
            }
        }
    }
}

/// The SMs that have lanes of their own, and of many SMs those beside each other on which nothing runs, which share one.
fn sm_lanes(lanes: &[Lane]) -> Vec<Range<usize>> {
    let is_idle = |i: usize| lanes.len() > MANY_SMS && lanes[i].is_empty();
    let places: Vec<usize> = (0..lanes.len()).collect();
    places.chunk_by(|&one, &next| is_idle(one) && is_idle(next)).map(|sms| sms[0]..sms[0] + sms.len()).collect()
}

/// The last event, or a deadline after it, met or missed, that comes at most half as much later as
/// the run lasts.
fn end(records: &Records) -> Time {
    let run = records.end().ns();
    let far = Time(run.saturating_add(run / 2));
    let known = records.jobs.iter().filter(|job| job.met.is_some());
    let deadlines = known.filter_map(|job| job.deadline).filter(|&deadline| deadline <= far);
    deadlines.max().unwrap_or_default().max(records.last_event).max(Time(1))
}

/// The item under the pointer, or the nearest one within reach. `share` is the pointer's height in
/// the lane, `None` if it does not matter; `pixel` is one pixel as a share. With how far it is off.
fn nearest<'l>(lane: &'l Lane, scale: &TimeScale, x: f64, share: Option<f32>, pixel: f32) -> Option<(f64, &'l LaneItem)> {
    // An instant more on either side, as times are rounded to whole nanoseconds.
    let from = scale.time_from_x(x - REACH_PX).ns().saturating_sub(1);
    let to = scale.time_from_x(x + REACH_PX).ns().saturating_add(2);
    let range = TimeRange::new(Time(from), Time(to));
    let off = |item: &LaneItem| {
        let (x0, x1) = (scale.x_from_ns(item.start), scale.x_from_ns(item.end));
        let dx = (x0 - x).max(x - x1).max(0.0);
        let dy = share.map_or(0.0, |s| f64::from((item.low - s).max(s - item.high).max(0.0) / pixel));
        dx.max(dy)
    };
    let is_overlay = lane.place.is_overlay();
    let candidates = lane.near(range).flatten().filter(|item| !is_overlay || shows(item, scale)).map(|item| (off(item), item));
    candidates.filter(|(off, _)| *off <= REACH_PX).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Whether something that is left out when it is narrow is wide enough.
fn shows(item: &LaneItem, scale: &TimeScale) -> bool {
    (item.end - item.start) as f64 >= FINEST_GRAIN_PX * scale.ns_per_px()
}

/// What was suspended at `x`, and has its bar where `is_there` says.
fn on_bar<'l>(lane: &'l Lane, scale: &TimeScale, x: f64, is_there: impl Fn(&LaneItem) -> bool) -> Option<&'l LaneItem> {
    let at = scale.time_from_x(x);
    let range = TimeRange::new(Time(at.ns().saturating_sub(1)), Time(at.ns().saturating_add(2)));
    let is_under = |item: &&LaneItem| shows(item, scale) && (scale.x_from_ns(item.start)..scale.x_from_ns(item.end)).contains(&x);
    lane.near(range).flatten().filter(is_under).find(|item| is_there(item))
}

/// The line of an instant, with its label.
pub(super) fn cursor_frame(scale: &TimeScale, t: Time) -> CursorFrame {
    let x = scale.x_from_time(t);
    let label = format_time_short(t.ns());
    let label_width = label.chars().count() as f64 * LABEL_CHAR_PX + 10.0;
    let least = 0.0_f64;
    let label_x = (x - label_width / 2.0).within(least, (scale.right_px() + RIGHT_PX - label_width).max(least));
    CursorFrame { x, label, label_x, label_width }
}
