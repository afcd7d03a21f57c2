//! Level of detail: which boxes a lane shows at a given zoom.
//!
//! Depends on `frame`, `lane` and `time_scale`. Invariants: what is narrower than the grain is
//! merged into columns one grain wide; what is flatter than a pixel shares its row of pixels; so
//! the number of boxes depends on the picture's size, not on the number of blocks. Columns are
//! anchored at time zero, so panning does not make them flicker. What lies over or under something
//! else (suspended blocks, drains) is left out where it is that small.

use super::frame::{BoxFrame, Emphasis, Stretch};
use super::lane::{Lane, LaneItem, LaneKind};
use super::palette::{Pattern, pattern_of};
use super::time_scale::TimeScale;
use super::timeline::{FINEST_GRAIN_PX, MAX_BOX_CALLS};
use crate::Within;
use blockstep_sim::units::{RowId, SpaceId};

/// Smallest box with an edge.
const EDGE_WIDTH_PX: f64 = 6.0;
const EDGE_HEIGHT_PX: f64 = 5.0;
/// Narrowest box that keeps a pixel's distance from the next.
const GAP_WIDTH_PX: f64 = 3.0;
/// Smallest box with a pattern.
const PATTERN_WIDTH_PX: f64 = 12.0;
const PATTERN_HEIGHT_PX: f64 = 9.0;
/// Steps in which the shade of merged boxes is told apart.
const SHADES: f64 = 5.0;

/// Collects the boxes of one picture.
pub(super) struct Boxes<'a> {
    scale: &'a TimeScale,
    selected: Option<RowId>,
    /// What is narrower than this is merged.
    grain_px: f64,
    grain_ns: u64,
    /// Drawing calls that may be spent.
    budget: usize,
    spent: usize,
    /// What lies behind all others.
    under: Vec<BoxFrame>,
    merged: Vec<BoxFrame>,
    single: Vec<BoxFrame>,
    zero_x: f64,
    px_per_ns: f64,
}

/// More drawing calls than the budget: to be tried again with a coarser grain.
pub(super) struct TooMany;

/// What falls into one column.
#[derive(Clone, Copy, Default)]
struct LevelColumn {
    index: i64,
    /// First instant after it.
    until: u64,
    /// Nanoseconds times share of the lane, over all items.
    area: f64,
    low: f32,
    high: f32,
    rows: Heaviest,
}

/// The boxes that `add` adds, at the finest grain that [`MAX_BOX_CALLS`] drawing calls are enough for; of so many lanes.
pub(super) fn within_budget(
    scale: &TimeScale,
    selected: Option<RowId>,
    lanes: usize,
    mut add: impl FnMut(&mut Boxes<'_>) -> Result<(), TooMany>,
) -> Vec<BoxFrame> {
    // What would surely be too many columns is not tried.
    let columns = lanes as f64 * scale.width_px();
    let mut grain = FINEST_GRAIN_PX;
    while grain * (4 * MAX_BOX_CALLS) as f64 <= columns {
        grain *= 2.0;
    }
    loop {
        // At a grain of the whole width a lane comes to a few boxes: then all are shown.
        let budget = if grain < scale.width_px() { MAX_BOX_CALLS } else { usize::MAX };
        let mut boxes = Boxes::new(scale, selected, grain, budget);
        if add(&mut boxes).is_ok() {
            return boxes.finish();
        }
        grain *= 2.0;
    }
}

impl<'a> Boxes<'a> {
    fn new(scale: &'a TimeScale, selected: Option<RowId>, grain_px: f64, budget: usize) -> Self {
        let px_per_ns = 1.0 / scale.ns_per_px();
        let zero_x = scale.x_from_ns(0);
        let grain_ns = (grain_px * scale.ns_per_px()).ceil() as u64;
        let [under, merged, single] = [const { Vec::new() }; 3];
        Self { scale, selected, grain_px, grain_ns, budget, spent: 0, under, merged, single, zero_x, px_per_ns }
    }

    /// All boxes; merged ones before single ones, so that they never hide one.
    fn finish(mut self) -> Vec<BoxFrame> {
        self.under.append(&mut self.merged);
        self.under.append(&mut self.single);
        self.under
    }

    /// Adds the boxes of one lane at `y`, `height` pixels high. `open_end` says whether the record
    /// of an item was still running at the end.
    pub(super) fn add_lane(&mut self, lane: &Lane, y: f64, height: f64, open_end: impl Fn(&LaneItem) -> bool) -> Result<(), TooMany> {
        let visible = self.scale.visible();
        let (from, to) = (visible.start.ns(), visible.end.ns());
        // By row of pixels: the last flat box, if it may go on.
        let mut flat: Vec<Option<usize>> = vec![None; (height as usize).max(1)];
        let mut column = LevelColumn::default();
        let is_overlay = lane.place.is_overlay();
        // Whole nanoseconds and no x, as this is the loop that all blocks go through.
        for part in lane.near(visible) {
            for item in part {
                if item.end <= from || item.start >= to {
                    continue;
                }
                if item.end - item.start < self.grain_ns {
                    if is_overlay {
                        continue;
                    }
                    if item.start >= column.until {
                        self.add_column(lane, &column, y, height)?;
                        column = self.column_at(item);
                    }
                    column.add(item);
                    continue;
                }
                let x = (self.x(item.start), self.x(item.end));
                let (top, bottom) = (y + height * (1.0 - f64::from(item.high)), y + height * (1.0 - f64::from(item.low)));
                if x.1 <= self.scale.left_px() || x.0 >= self.scale.right_px() {
                    continue;
                } else if bottom - top >= 1.0 {
                    self.add_single(lane, item, x, (top, bottom), open_end(item))?;
                } else if !is_overlay {
                    self.add_flat(&mut flat, lane.place.stretch(item.row), x, (y, top))?;
                }
            }
        }
        self.add_column(lane, &column, y, height)
    }

    fn column_at(&self, item: &LaneItem) -> LevelColumn {
        let index = ((self.x(item.start) - self.zero_x) / self.grain_px).floor() as i64;
        let until = ((index + 1) as f64 * self.grain_px * self.scale.ns_per_px()).ceil() as u64;
        LevelColumn { index, until: until.max(item.start + 1), low: item.low, high: item.high, ..LevelColumn::default() }
    }

    /// Adds several lanes as one, as a curve of how much of them was in use.
    pub(super) fn add_group(&mut self, lanes: &[Lane], y: f64, height: f64) -> Result<(), TooMany> {
        // The first column begins at or before the left edge, a whole number of them from time zero.
        let left = self.zero_x + ((self.scale.left_px() - self.zero_x) / self.grain_px).floor() * self.grain_px;
        let count = (self.scale.width_px() / self.grain_px).ceil() as usize + 2;
        let at = |x: f64| (x - left) / self.grain_px;
        // Change of what is in use from one column to the next.
        let mut slope = vec![0.0_f64; count + 1];
        let mut rows = vec![Heaviest::default(); count];
        for part in lanes.iter().flat_map(|lane| lane.near(self.scale.visible())) {
            for item in part {
                let from = at(self.x(item.start)).within(0.0, count as f64 - 1.0);
                let to = at(self.x(item.end)).within(0.0, count as f64 - 1.0);
                let share = f64::from(item.high - item.low);
                add_ramp(&mut slope, from, share);
                add_ramp(&mut slope, to, -share);
                rows[from as usize].add(item.row, (to - from) * share);
            }
        }
        let (mut in_use, mut row) = (0.0, None);
        for i in 0..count {
            in_use += slope[i];
            row = rows[i].most().or(row);
            let share = (in_use / lanes.len() as f64).min(1.0);
            let Some(row) = row.filter(|_| share > 1e-6) else { continue };
            let x0 = left + i as f64 * self.grain_px;
            let top = y + height * (1.0 - share);
            self.add_merged(Stretch::Running(RowId(row)), (x0, x0 + self.grain_px), (top.min(y + height - 1.0), y + height), 1.0)?;
        }
        Ok(())
    }

    fn x(&self, ns: u64) -> f64 {
        self.zero_x + ns as f64 * self.px_per_ns
    }

    fn spend(&mut self, cost: usize) -> Result<(), TooMany> {
        self.spent += cost;
        if self.spent > self.budget { Err(TooMany) } else { Ok(()) }
    }

    fn frame(&self, stretch: Stretch, (x0, x1): (f64, f64), (y0, y1): (f64, f64)) -> BoxFrame {
        let (left, right) = (self.scale.left_px(), self.scale.right_px());
        let mut frame = BoxFrame {
            x0: x0.max(left),
            y0,
            x1: x1.min(right),
            y1,
            stretch,
            pattern: Pattern::Plain,
            label: None,
            emphasis: Emphasis::Normal,
            edged: false,
            cut_left: x0 < left,
            cut_right: x1 > right,
            open_ended: false,
            fill: 1.0,
            hit: None,
        };
        frame.emphasis = frame.row().map_or(Emphasis::Normal, |row| Emphasis::for_row(row, self.selected));
        frame
    }

    fn add_single(&mut self, lane: &Lane, item: &LaneItem, x: (f64, f64), y: (f64, f64), open: bool) -> Result<(), TooMany> {
        let mut frame = self.frame(lane.place.stretch(item.row), x, y);
        let (width, height) = (frame.x1 - frame.x0, frame.y1 - frame.y0);
        let is_overlay = lane.place.is_overlay();
        frame.edged = width >= EDGE_WIDTH_PX && height >= EDGE_HEIGHT_PX;
        let has_gap = !is_overlay || lane.place == LaneKind::Spins;
        if !frame.edged && !frame.cut_right && width >= GAP_WIDTH_PX && has_gap {
            frame.x1 -= 1.0;
        }
        if width >= PATTERN_WIDTH_PX && height >= PATTERN_HEIGHT_PX {
            frame.pattern = match frame.stretch {
                Stretch::Running(row) => pattern_of(row),
                // Another one than that of the rest of the block.
                Stretch::Spinning(row) if pattern_of(row) == Pattern::Hatch => Pattern::BackHatch,
                Stretch::Resident(_) | Stretch::HeldUp(_) => Pattern::Plain,
                Stretch::Draining(_) => Pattern::BackHatch,
                _ => Pattern::Hatch,
            };
            frame.open_ended = open && !frame.cut_right;
        }
        frame.hit = Some(lane.place.hit(item));
        self.spend(frame.cost())?;
        if let Stretch::Suspended(row) = frame.stretch {
            if let Some((y0, y1)) = lane.place.space().and_then(|space| kept_bar(space, y)) {
                self.spend(1)?;
                let bar = BoxFrame { y0, y1, stretch: Stretch::SuspendedEdge(row), pattern: Pattern::Plain, edged: false, ..frame.clone() };
                self.single.push(BoxFrame { open_ended: false, ..bar });
            }
            self.under.push(frame);
        } else {
            self.single.push(frame);
        }
        Ok(())
    }

    /// A box flatter than a pixel: what lies in one row of pixels is joined, and not painted twice.
    fn add_flat(&mut self, flat: &mut [Option<usize>], stretch: Stretch, x: (f64, f64), (y, top): (f64, f64)) -> Result<(), TooMany> {
        let line = ((top - y).max(0.0) as usize).min(flat.len() - 1);
        let mut frame = self.frame(stretch, x, (y + line as f64, y + line as f64 + 1.0));
        if let Some(last) = flat[line].map(|i| &mut self.merged[i]) {
            if frame.x1 <= last.x1 {
                return Ok(());
            }
            if frame.x0 <= last.x1 + 0.5 {
                if last.stretch == frame.stretch {
                    last.x1 = frame.x1;
                    return Ok(());
                }
                frame.x0 = last.x1;
            }
        }
        flat[line] = Some(self.merged.len());
        self.spend(1)?;
        self.merged.push(frame);
        Ok(())
    }

    fn add_column(&mut self, lane: &Lane, column: &LevelColumn, y: f64, height: f64) -> Result<(), TooMany> {
        let Some(row) = column.rows.most() else { return Ok(()) };
        let x0 = self.zero_x + column.index as f64 * self.grain_px;
        let (top, bottom) = (y + height * (1.0 - f64::from(column.high)), y + height * (1.0 - f64::from(column.low)));
        let whole = self.grain_px * self.scale.ns_per_px() * f64::from(column.high - column.low);
        let (top, bottom) = (top.floor(), bottom.ceil().max(top.floor() + 1.0));
        let (x, y) = ((x0, x0 + self.grain_px), (top.max(y), bottom.min(y + height)));
        self.add_merged(lane.place.stretch(row), x, y, column.area / whole.max(1e-12))
    }

    /// Adds a column, or makes the last one wider if it looks the same.
    fn add_merged(&mut self, stretch: Stretch, x: (f64, f64), y: (f64, f64), fill: f64) -> Result<(), TooMany> {
        let mut frame = self.frame(stretch, x, y);
        if frame.x1 <= frame.x0 {
            return Ok(());
        }
        frame.fill = ((fill * SHADES).ceil().within(1.0, SHADES) / SHADES) as f32;
        if let Some(last) = self.merged.last_mut() {
            let same = last.stretch == frame.stretch && last.y0 == frame.y0 && last.y1 == frame.y1 && last.fill == frame.fill;
            if same && (last.x1 - frame.x0).abs() < 1e-6 {
                last.x1 = frame.x1;
                return Ok(());
            }
        }
        self.spend(1)?;
        self.merged.push(frame);
        Ok(())
    }
}

/// Where the bar of a suspended block or copy stands, whose box would reach from `y0` to `y1`:
/// at its lower edge or at its upper one, in turns from one address space to the next, so that
/// the bars of two do not hide each other. `None` if the box is too low for one.
pub(super) fn kept_bar(space: SpaceId, (y0, y1): (f64, f64)) -> Option<(f64, f64)> {
    let height = y1 - y0;
    if height < EDGE_HEIGHT_PX {
        return None;
    }
    let bar = (height / 8.0).within(2.0, 4.0).round();
    // Further address spaces further inside, as far as there is room.
    let inside = bar * (space.0 / 2) as f64;
    let inside = if inside + bar <= height / 2.0 { inside } else { 0.0 };
    Some(if space.0.is_multiple_of(2) { (y1 - inside - bar, y1 - inside) } else { (y0 + inside, y0 + inside + bar) })
}

impl LevelColumn {
    fn add(&mut self, item: &LaneItem) {
        let area = (item.end - item.start) as f64 * f64::from(item.high - item.low);
        self.area += area;
        self.low = self.low.min(item.low);
        self.high = self.high.max(item.high);
        self.rows.add(item.row, area);
    }
}

/// From `at` on, `share` more is in use; the column that holds `at` gets its part of it.
fn add_ramp(slope: &mut [f64], at: f64, share: f64) {
    let i = at as usize;
    let part = 1.0 - at.fract();
    slope[i] += share * part;
    slope[i + 1] += share * (1.0 - part);
}

/// Which row has most of something: exact up to four rows, beyond that the lightest gives way.
#[derive(Clone, Copy, Default)]
struct Heaviest {
    entries: [(u32, f64); 4],
    count: usize,
}

impl Heaviest {
    fn add(&mut self, row: u32, weight: f64) {
        if let Some(entry) = self.entries[..self.count].iter_mut().find(|e| e.0 == row) {
            entry.1 += weight;
        } else if self.count < self.entries.len() {
            self.entries[self.count] = (row, weight);
            self.count += 1;
        } else if let Some(entry) = self.entries.iter_mut().min_by(|a, b| a.1.total_cmp(&b.1)) {
            *entry = (row, entry.1 + weight);
        }
    }

    /// The heaviest; of several the first added.
    fn most(&self) -> Option<u32> {
        let mut best: Option<(u32, f64)> = None;
        for &(row, weight) in &self.entries[..self.count] {
            if best.is_none_or(|(_, w)| weight > w) {
                best = Some((row, weight));
            }
        }
        best.map(|(row, _)| row)
    }
}
