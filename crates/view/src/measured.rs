//! A measured run as a picture that looks like the timeline: a lane per SM with its blocks.
//!
//! Depends on `measured` and the rest of `view`. Invariants: what cannot be is shown all the same, as far
//! as it has a place: SMs that the device lacks have lanes of their own, and so have blocks whose SM is
//! not known; a block that ends before it starts is drawn from the earlier to the later instant; a
//! frame takes a bounded number of drawing calls.

use std::ops::Range;

use super::frame::{ArrowFrame, Emphasis, Frame, LaneFrame};
use super::lane::{Lane, LaneItem, LaneKind, stacked};
use super::level::within_budget;
use super::ticks::ticks;
use super::time_scale::TimeScale;
use super::timeline::{Hit, LABEL_CHAR_PX, MAX_LABELS, RIGHT_PX, cursor_frame};
use blockstep_sim::measured::Measured;
use blockstep_sim::order;
use blockstep_sim::units::{OpId, RowId, SmId, Time};

const TOP_PX: f64 = 8.0;
const AXIS_PX: f64 = 24.0;
const LAUNCHES_PX: f64 = 18.0;
/// Launches nearer than this are one arrow.
const ARROW_GAP_PX: f64 = 5.0;
const MIN_LABEL_HEIGHT_PX: f64 = 11.0;
const LABEL_PAD_PX: f64 = 5.0;
/// SMs whose lanes would be lower than this share one.
const MIN_LANE_PX: f64 = 4.0;
/// Most blocks for which a second way of filling the lanes is tried.
const MAX_TWICE: usize = 10_000;

/// A block of a measured run: log, kernel in it, block of that.
pub type BlockAt = (usize, usize, usize);

/// Left, top, right and bottom in a frame.
pub type Area = [f64; 4];

/// What decides where things are drawn.
#[derive(Clone, Copy)]
pub struct Layout<'a> {
    /// SMs of the device.
    pub sms: u64,
    /// Threads that an SM has room for: the height of its lane.
    pub threads_per_sm: u64,
    /// The measured instant that is drawn at 0, ns; what is before is cut.
    pub zero_ns: i64,
    /// By log and kernel: the row whose color it has.
    pub rows: &'a [Vec<RowId>],
    /// Their names, likewise.
    pub names: &'a [Vec<String>],
}

/// The index of a measured run.
#[derive(Debug)]
pub struct Picture {
    lanes: Vec<Lane>,
    labels: Vec<String>,
    /// Kernels in the order of the logs: log, place, first of its blocks among all, row, name.
    kernels: Vec<Kernel>,
    /// By block: lane, bottom and top as shares of it; `None` where nothing can be drawn.
    places: Vec<Option<(u32, f32, f32)>>,
    /// By block, ns from [`Layout::zero_ns`].
    times: Vec<(u64, u64)>,
    /// Instants and kernels, in order.
    launches: Vec<(u64, u32)>,
    end: Time,
}

#[derive(Debug)]
struct Kernel {
    log: usize,
    kernel: usize,
    first: usize,
    row: RowId,
    name: String,
}

impl Picture {
    /// The index of a run.
    #[must_use]
    pub fn new(measured: &Measured, layout: &Layout<'_>) -> Self {
        let from_zero = |ns: i64| if ns > layout.zero_ns { ns.abs_diff(layout.zero_ns) } else { 0 };
        let mut made = Self {
            lanes: Vec::new(),
            labels: (0..layout.sms).map(|sm| format!("SM {sm}")).collect(),
            kernels: Vec::new(),
            places: Vec::new(),
            times: Vec::new(),
            launches: Vec::new(),
            end: Time(1),
        };
        // SMs that there are not, and where the log does not say.
        let all = || measured.logs.iter().flat_map(|log| &log.kernels).flat_map(|kernel| &kernel.blocks);
        let mut more: Vec<Option<u32>> = all().map(|b| b.sm).filter(|sm| sm.is_none_or(|sm| u64::from(sm) >= layout.sms)).collect();
        more.sort_unstable_by_key(|sm| sm.map_or(u64::MAX, u64::from));
        more.dedup();
        made.labels.extend(more.iter().map(|sm| sm.map_or("SM ?".to_owned(), |sm| format!("SM {sm}"))));
        let lane_of = |sm: Option<u32>| match sm {
            Some(known) if u64::from(known) < layout.sms => known as usize,
            _ => layout.sms as usize + more.iter().position(|&m| m == sm).unwrap_or(0),
        };
        let mut of_lane: Vec<Vec<LaneItem>> = vec![Vec::new(); made.labels.len()];
        let mut threads = Vec::new();
        for (log, of) in measured.logs.iter().enumerate() {
            for (kernel, launch) in of.kernels.iter().enumerate() {
                let number = made.kernels.len() as u32;
                let (row, name) = (layout.rows[log][kernel], layout.names[log][kernel].clone());
                made.kernels.push(Kernel { log, kernel, first: made.times.len(), row, name });
                threads.push(u32::try_from(launch.thread_count).unwrap_or(u32::MAX).max(1));
                if let Some(&before) = launch.launch_ns.first().filter(|&&before| before >= layout.zero_ns) {
                    made.launches.push((from_zero(before), number));
                }
                for block in &launch.blocks {
                    let (start, end) = (from_zero(block.start_ns.min(block.end_ns)), from_zero(block.start_ns.max(block.end_ns)));
                    made.end = made.end.max(Time(end));
                    if end > 0 {
                        let item =
                            LaneItem { start, end: end.max(start + 1), low: 0.0, high: 0.0, record: made.times.len() as u32, row: number };
                        of_lane[lane_of(block.sm)].push(item);
                    }
                    made.times.push((start, end));
                }
            }
        }
        made.places = vec![None; made.times.len()];
        let twice = made.times.len() <= MAX_TWICE;
        for (lane, mut items) in of_lane.into_iter().enumerate() {
            order::by_number(&mut items, |item| item.start);
            let mut items = stacked(&items, layout.threads_per_sm, &threads, twice);
            for item in &mut items {
                made.places[item.record as usize].get_or_insert((lane as u32, item.low, item.high));
                item.row = made.kernels[item.row as usize].row.0;
            }
            made.lanes.push(Lane::new(LaneKind::Sm(SmId::at(lane.min(usize::from(u16::MAX)))), items));
        }
        order::by_number(&mut made.launches, |&(at, _)| at);
        made
    }

    /// When the last block ends, from [`Layout::zero_ns`]; at least 1 ns.
    #[must_use]
    pub fn end(&self) -> Time {
        self.end
    }

    /// A good height for the number of lanes.
    #[must_use]
    pub fn natural_height_px(&self, compact: bool) -> f64 {
        let (total, most, least) = if compact { (260.0, 64.0, 6.0) } else { (360.0, 88.0, 9.0) };
        let lanes = self.labels.len().max(1) as f64;
        (TOP_PX + ((total / lanes).clamp(least, most) * lanes).min(700.0) + AXIS_PX + LAUNCHES_PX).ceil()
    }

    /// The picture at a scale, `height_px` high, with a line at `cursor`; rows other than `selected`, if there is
    /// one, step back.
    #[must_use]
    pub fn frame(&self, scale: &TimeScale, height_px: f64, cursor: Option<Time>, selected: Option<RowId>) -> Frame {
        let rows = self.rows(height_px);
        let axis_y = axis_y(height_px);
        let cursor =
            cursor.filter(|&t| (scale.left_px()..=scale.right_px()).contains(&scale.x_from_time(t))).map(|t| cursor_frame(scale, t));
        Frame {
            width_px: scale.right_px() + RIGHT_PX,
            height_px,
            left_px: scale.left_px(),
            right_px: scale.right_px(),
            lanes: rows.iter().enumerate().map(|(i, (lanes, y, height))| self.lane(i, lanes, *y, *height)).collect(),
            band: None,
            tasks: Vec::new(),
            boxes: self.boxes(scale, &rows, selected),
            labels: Vec::new(),
            arrows: self.arrows(scale, selected),
            launches_y: axis_y + AXIS_PX,
            axis_y,
            ticks: ticks(scale).without_labels_in(cursor.as_ref().map(|c| (c.label_x, c.label_x + c.label_width))),
            cursor,
            end_x: None,
        }
    }

    /// Where a block is in the frame of that scale and height, as far as it is in sight.
    #[must_use]
    pub fn area(&self, scale: &TimeScale, height_px: f64, block: BlockAt) -> Option<Area> {
        let number = self.number(block)?;
        self.area_of(scale, height_px, number, self.times[number])
    }

    /// Where it would be if it ran from one instant to another, ns.
    #[must_use]
    pub fn area_if(&self, scale: &TimeScale, height_px: f64, block: BlockAt, times: (u64, u64)) -> Option<Area> {
        self.area_of(scale, height_px, self.number(block)?, times)
    }

    /// The lane of an SM from one instant to another, ns, as far as it is in sight.
    #[must_use]
    pub fn lane_area(&self, scale: &TimeScale, height_px: f64, sm: u32, times: (u64, u64)) -> Option<Area> {
        self.in_lane(scale, height_px, (sm, 0.0, 1.0), times)
    }

    /// The block that a box of [`Self::frame`] shows.
    #[must_use]
    pub fn block(&self, hit: Hit) -> Option<BlockAt> {
        let Hit::Block(number) = hit else { return None };
        let kernel = self.kernels.partition_point(|kernel| kernel.first <= number).checked_sub(1)?;
        let kernel = &self.kernels[kernel];
        Some((kernel.log, kernel.kernel, number - kernel.first))
    }

    fn number(&self, (log, kernel, block): BlockAt) -> Option<usize> {
        let found = self.kernels.binary_search_by_key(&(log, kernel), |k| (k.log, k.kernel)).ok()?;
        let end = self.kernels.get(found + 1).map_or(self.times.len(), |next| next.first);
        Some(self.kernels[found].first + block).filter(|&number| number < end)
    }

    fn area_of(&self, scale: &TimeScale, height_px: f64, number: usize, times: (u64, u64)) -> Option<Area> {
        self.in_lane(scale, height_px, self.places[number]?, times)
    }

    fn in_lane(&self, scale: &TimeScale, height_px: f64, (lane, low, high): (u32, f32, f32), times: (u64, u64)) -> Option<Area> {
        let rows = self.rows(height_px);
        let (lanes, y, height) = rows.iter().find(|(lanes, ..)| lanes.contains(&(lane as usize)))?;
        let (x0, x1) = (scale.x_from_ns(times.0), scale.x_from_ns(times.1));
        if x1 < scale.left_px() || x0 > scale.right_px() {
            return None;
        }
        let (low, high) = if lanes.len() > 1 { (0.0, 1.0) } else { (f64::from(low), f64::from(high)) };
        let (top, bottom) = (y + height * (1.0 - high), y + height * (1.0 - low));
        Some([x0.max(scale.left_px()), top, x1.min(scale.right_px()).max(x0.max(scale.left_px()) + 1.0), bottom.max(top + 1.0)])
    }

    /// Lanes shown as one, their top and their height.
    fn rows(&self, height_px: f64) -> Vec<(Range<usize>, f64, f64)> {
        let room = axis_y(height_px) - TOP_PX;
        let lanes = self.labels.len().max(1);
        let group = (MIN_LANE_PX * lanes as f64 / room).ceil().max(1.0) as usize;
        let count = lanes.div_ceil(group);
        let pitch = room / count as f64;
        let gap = (pitch * 0.12).clamp(0.5, 7.0);
        let row = |i: usize| {
            let y = TOP_PX + i as f64 * pitch;
            let (top, bottom) = if pitch >= 8.0 { (y.round(), (y + pitch - gap).round()) } else { (y, y + pitch - gap) };
            (i * group..((i + 1) * group).min(self.labels.len()), top, bottom - top)
        };
        (0..count).map(row).filter(|(lanes, ..)| !lanes.is_empty()).collect()
    }

    fn lane(&self, i: usize, lanes: &Range<usize>, y: f64, height: f64) -> LaneFrame {
        let every = match height {
            h if h >= 11.0 => 1,
            h if h >= 5.5 => 2,
            _ => 5,
        };
        let more = if lanes.len() > 1 { "+" } else { "" };
        let label = if i.is_multiple_of(every) { format!("{}{more}", self.labels[lanes.start]) } else { String::new() };
        LaneFrame { label, sub_label: String::new(), y, height, count: lanes.len() }
    }

    fn boxes(&self, scale: &TimeScale, rows: &[(Range<usize>, f64, f64)], selected: Option<RowId>) -> Vec<super::frame::BoxFrame> {
        let mut boxes = within_budget(scale, selected, rows.len(), |boxes| {
            rows.iter().try_for_each(|(lanes, y, height)| match &self.lanes[lanes.clone()] {
                [lane] => boxes.add_lane(lane, *y, *height, |_| false),
                group => boxes.add_group(group, *y, *height),
            })
        });
        let mut labels = 0;
        for shown in &mut boxes {
            let is_roomy = shown.y1 - shown.y0 >= MIN_LABEL_HEIGHT_PX && labels < MAX_LABELS;
            let Some((log, kernel, block)) = shown.hit.filter(|_| is_roomy).and_then(|hit| self.block(hit)) else { continue };
            let Ok(found) = self.kernels.binary_search_by_key(&(log, kernel), |k| (k.log, k.kernel)) else { continue };
            let label = format!("{}:{block}", self.kernels[found].name);
            if label.chars().count() as f64 * LABEL_CHAR_PX + LABEL_PAD_PX <= shown.x1 - shown.x0 {
                shown.label = Some(label);
                labels += 1;
            }
        }
        boxes
    }

    fn arrows(&self, scale: &TimeScale, selected: Option<RowId>) -> Vec<ArrowFrame> {
        let mut arrows: Vec<ArrowFrame> = Vec::new();
        let visible = scale.visible();
        let first = self.launches.partition_point(|&(at, _)| at < visible.start.ns());
        for &(at, kernel) in &self.launches[first..] {
            let x = scale.x_from_ns(at);
            if x > scale.right_px() {
                break;
            }
            let row = self.kernels[kernel as usize].row;
            match arrows.last_mut().filter(|last| x - last.x < ARROW_GAP_PX) {
                Some(last) => last.count += 1,
                None if x >= scale.left_px() => {
                    arrows.push(ArrowFrame { x, row, op: OpId(kernel), count: 1, emphasis: Emphasis::for_row(row, selected), label: None });
                }
                None => {}
            }
        }
        arrows
    }
}

fn axis_y(height_px: f64) -> f64 {
    (height_px - AXIS_PX - LAUNCHES_PX).max(TOP_PX + MIN_LANE_PX).round()
}
