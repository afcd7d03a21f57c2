//! Names of what the lanes show: in a bar that has room for its name, else on the bars of a kernel that lie on each other, else in free
//! room of the lane beside them.
//!
//! Depends on `frame` and `lettering`. Invariants: a name covers neither another name nor a bar that it does not name; there are at most
//! [`MAX_LABELS`].

use std::collections::BTreeMap;

use super::places::LaneRow;
use super::{Hit, LABEL_CHAR_PX, LABEL_PAD_PX, MAX_LABELS, MIN_LABEL_HEIGHT_PX, Timeline};
use crate::Within;
use crate::frame::{BoxFrame, LabelFrame, Stretch};
use crate::lettering::width_px;
use crate::queues::label_of_blocks;
use blockstep_sim::order;
use blockstep_sim::units::OpId;

/// Height of the letters of a name that stands in no bar, and of what they cover: few go below the line.
pub const BESIDE_TEXT_PX: f64 = 10.5;
const LINE_PX: f64 = 9.0;
/// Left and right of such a name.
const ROOM_PX: f64 = 3.0;
/// Bars of which one ends where the next begins are no further from each other, px.
const TOUCHING_PX: f64 = 0.1;
/// The same of bars in lanes one below the other, which are as near only where they are too low for names.
const NEAR_LANES_PX: f64 = 2.0;
/// How far the line of a name reaches over the edge of a bar above or below it, which letters do not reach, px.
const EDGE_PX: f64 = 1.0;

/// Left, top, right and bottom.
type Rect = (f64, f64, f64, f64);

/// Bars of one kernel, too low for names, that lie on each other and last as long.
struct Stack {
    /// Into the boxes, from top to bottom.
    boxes: Vec<usize>,
    op: OpId,
    rect: Rect,
    /// Into the rows of lanes: the first and the last.
    lanes: (usize, usize),
}

impl Timeline {
    /// Names the boxes that have room for it; the largest, if there are too many. What it gives back names others.
    pub(super) fn add_labels(&self, boxes: &mut [BoxFrame], lanes: &[LaneRow], plot: (f64, f64)) -> Vec<LabelFrame> {
        let is_named = |b: &BoxFrame| {
            !matches!(b.stretch, Stretch::Spinning(_) | Stretch::Suspended(_) | Stretch::SuspendedEdge(_) | Stretch::Draining(_))
        };
        let is_wide = |b: &BoxFrame| b.hit.is_some() && is_named(b) && b.x1 - b.x0 >= 2.0 * LABEL_CHAR_PX + LABEL_PAD_PX;
        let (mut roomy, mut low): (Vec<usize>, Vec<usize>) =
            (0..boxes.len()).filter(|&i| is_wide(&boxes[i])).partition(|&i| boxes[i].y1 - boxes[i].y0 >= MIN_LABEL_HEIGHT_PX);
        keep_largest(&mut roomy, MAX_LABELS, |&i| area(rect(&boxes[i])));
        for &i in &roomy {
            let Some(hit) = boxes[i].hit else { continue };
            let label = if let Stretch::Switching(_) = boxes[i].stretch { "switch".to_owned() } else { hit.label(self) };
            let fits = |label: &String| label.chars().count() as f64 * LABEL_CHAR_PX + LABEL_PAD_PX <= boxes[i].x1 - boxes[i].x0;
            let of_kernel = || if let Hit::Block(_) = hit { hit.op(self).map(|op| self.trace.op_label(op)) } else { None };
            let label = Some(label).filter(fits).or_else(|| of_kernel().filter(fits));
            boxes[i].label = label;
        }
        move_to_spins(boxes);
        low.retain(|&i| matches!((boxes[i].stretch, boxes[i].hit), (Stretch::Running(_), Some(Hit::Block(_)))));
        let mut stacks = self.stacks(boxes, low, lanes);
        keep_largest(&mut stacks, MAX_LABELS - roomy.len(), |stack| area(stack.rect));
        self.labels_of(&stacks, boxes, lanes, plot)
    }

    /// The stacks of some boxes, each of a block.
    fn stacks(&self, boxes: &[BoxFrame], mut low: Vec<usize>, lanes: &[LaneRow]) -> Vec<Stack> {
        let op = |i: usize| boxes[i].hit.and_then(|hit| hit.op(self)).unwrap_or_default();
        order::by_number(&mut low, |&i| boxes[i].y0.to_bits());
        order::by_number(&mut low, |&i| boxes[i].x1.to_bits());
        order::by_number(&mut low, |&i| boxes[i].x0.to_bits());
        order::by_number(&mut low, |&i| op(i).0.into());
        let goes_on = |&one: &usize, &next: &usize| {
            let (above, below) = (&boxes[one], &boxes[next]);
            let touches = (below.y0 - above.y1).abs() <= NEAR_LANES_PX;
            touches && op(one) == op(next) && (above.x0, above.x1) == (below.x0, below.x1)
        };
        let stack = |own: &[usize]| {
            let (first, last) = (rect(&boxes[own[0]]), rect(&boxes[own[own.len() - 1]]));
            let lane = |rect: Rect| lane_of(lanes, f64::midpoint(rect.1, rect.3));
            let lanes = (lane(first)?, lane(last)?);
            Some(Stack { boxes: own.to_vec(), op: op(own[0]), rect: (first.0, first.1, first.2, last.3), lanes })
        };
        low.chunk_by(goes_on).filter_map(stack).collect()
    }

    fn labels_of(&self, stacks: &[Stack], boxes: &[BoxFrame], lanes: &[LaneRow], plot: (f64, f64)) -> Vec<LabelFrame> {
        let mut labels = Vec::new();
        if stacks.is_empty() {
            return labels;
        }
        // By lane: what stands there, with its place among the boxes.
        let mut taken: Vec<Vec<(Rect, usize)>> = vec![Vec::new(); lanes.len()];
        // What spins lies over a bar that stands there itself.
        let is_own = |(_, shown): &(usize, &BoxFrame)| !matches!(shown.stretch, Stretch::Spinning(_));
        for (i, shown) in boxes.iter().enumerate().filter(is_own) {
            if let Some(lane) = lane_of(lanes, f64::midpoint(shown.y0, shown.y1)) {
                taken[lane].push((rect(shown), i));
            }
        }
        for stack in stacks {
            let (first, last) = stack.lanes;
            let room = Room { lanes: (lanes[first].1, lanes[last].1 + lanes[last].2), plot, taken: &taken[first..=last] };
            let shown = &boxes[stack.boxes[0]];
            let (Some(row), Some(hit)) = (shown.row(), shown.hit) else { continue };
            let Some((text, rect, is_on_bars)) = self.texts(stack, boxes).iter().find_map(|text| room.place(stack, text)) else { continue };
            taken[first..=last].iter_mut().for_each(|taken| taken.push((rect, usize::MAX)));
            let (x0, y0, x1, y1) = rect;
            labels.push(LabelFrame { text, x0, y0, x1, y1, is_on_bars, row, hit, emphasis: shown.emphasis });
        }
        labels
    }

    /// What a stack may be called, the best first.
    fn texts(&self, stack: &Stack, boxes: &[BoxFrame]) -> Vec<String> {
        let kernel = self.trace.op_label(stack.op);
        let mut numbers: Vec<u32> = stack.boxes.iter().filter_map(|&i| boxes[i].hit?.block(self)).collect();
        order::by_number(&mut numbers, |&n| n.into());
        // A block may be cut in pieces.
        numbers.dedup();
        vec![label_of_blocks(&kernel, &numbers), kernel]
    }

    /// Whose name stands at a point, of those that stand in no bar.
    pub(super) fn hit_label(&self, labels: &[LabelFrame], (x, y): (f64, f64)) -> Option<Hit> {
        labels.iter().find(|label| (label.x0..label.x1).contains(&x) && (label.y0..label.y1).contains(&y)).map(|label| label.hit)
    }
}

/// A name in the middle of a block would stand across the end of its spin: it goes to the part that spins, if that has room.
fn move_to_spins(boxes: &mut [BoxFrame]) {
    let place = |shown: &BoxFrame| (shown.x0.to_bits(), shown.y0.to_bits());
    let spins = |shown: &BoxFrame| matches!(shown.stretch, Stretch::Spinning(_));
    let spinning: BTreeMap<_, usize> = boxes.iter().enumerate().filter(|(_, b)| spins(b)).map(|(i, b)| (place(b), i)).collect();
    for i in 0..boxes.len() {
        let Some(&over) = spinning.get(&place(&boxes[i])).filter(|&&over| over != i) else { continue };
        let Some(label) = &boxes[i].label else { continue };
        let width = label.chars().count() as f64 * LABEL_CHAR_PX + LABEL_PAD_PX;
        let is_across = boxes[over].x1 > f64::midpoint(boxes[i].x0, boxes[i].x1) - width / 2.0;
        if is_across && boxes[over].x1 - boxes[over].x0 >= width {
            boxes[over].label = boxes[i].label.take();
        }
    }
}

/// Where the name of a stack may stand.
struct Room<'a> {
    /// Top and bottom.
    lanes: (f64, f64),
    /// Left and right.
    plot: (f64, f64),
    /// By lane.
    taken: &'a [Vec<(Rect, usize)>],
}

impl Room<'_> {
    /// The text with its place, and whether that is on the bars.
    fn place(&self, stack: &Stack, text: &str) -> Option<(String, Rect, bool)> {
        let (x0, y0, x1, y1) = stack.rect;
        let width = width_px(text, BESIDE_TEXT_PX);
        let found = |rect: Rect, is_on_bars: bool| Some((text.to_owned(), rect, is_on_bars));
        let is_over = |rect: Rect| self.taken.iter().flatten().any(|&(other, i)| overlap(other, rect) && !stack.boxes.contains(&i));
        let middle = f64::midpoint(x0, x1);
        if y1 - y0 >= MIN_LABEL_HEIGHT_PX && width + 2.0 * ROOM_PX <= x1 - x0 {
            // Inside the edges of the outer ones.
            let half = ((y1 - y0) / 2.0 - 1.0).min(LINE_PX / 2.0);
            let y = f64::midpoint(y0, y1);
            let rect = (middle - width / 2.0, y - half, middle + width / 2.0, y + half);
            if !is_over(rect) {
                return found(rect, true);
            }
        }
        let (top, bottom) = self.lanes;
        if bottom - top < LINE_PX {
            return None;
        }
        let levels = [y0 - LINE_PX, y1].into_iter().filter(|&y| y >= top - TOUCHING_PX && y + LINE_PX <= bottom + TOUCHING_PX);
        for y in levels {
            let (from, to) = self.widest_gap((x0, x1), (y, y + LINE_PX));
            if width + 2.0 * ROOM_PX <= to - from {
                let middle = f64::midpoint(from, to);
                return found((middle - width / 2.0, y, middle + width / 2.0, y + LINE_PX), false);
            }
        }
        // Behind it, then before it, at its own height as far as the lane allows.
        let y = (f64::midpoint(y0, y1) - LINE_PX / 2.0).within(top, bottom - LINE_PX);
        let behind = (x1, x1 + width + 2.0 * ROOM_PX);
        let before = (x0 - width - 2.0 * ROOM_PX, x0);
        // A flat bar keeps a pixel's distance from the next.
        let half = ROOM_PX / 2.0;
        let is_free =
            |&(from, to): &(f64, f64)| from >= self.plot.0 && to <= self.plot.1 && !is_over((from + half, y, to - half, y + LINE_PX));
        let (from, to) = [behind, before].into_iter().find(is_free)?;
        found((from + ROOM_PX, y, to - ROOM_PX, y + LINE_PX), false)
    }

    /// The widest part of a line at some height where nothing stands.
    fn widest_gap(&self, (x0, x1): (f64, f64), (y0, y1): (f64, f64)) -> (f64, f64) {
        let mut across: Vec<(f64, f64)> =
            self.taken.iter().flatten().filter(|(r, _)| overlap(*r, (x0, y0, x1, y1))).map(|(r, _)| (r.0, r.2)).collect();
        order::by_number(&mut across, |(from, _)| from.max(0.0).to_bits());
        let (mut widest, mut free_from) = ((x0, x0), x0);
        for (from, to) in across.into_iter().chain([(x1, x1)]) {
            if from - free_from > widest.1 - widest.0 {
                widest = (free_from, from);
            }
            free_from = free_from.max(to);
        }
        widest
    }
}

fn keep_largest<T>(list: &mut Vec<T>, most: usize, area: impl Fn(&T) -> f64) {
    if list.len() > most {
        // The bits of numbers that are not negative are in the order of the numbers.
        order::by_number(list, |item| u64::MAX - area(item).to_bits());
        list.truncate(most);
    }
}

fn rect(shown: &BoxFrame) -> Rect {
    (shown.x0, shown.y0, shown.x1, shown.y1)
}

fn area((x0, y0, x1, y1): Rect) -> f64 {
    (x1 - x0) * (y1 - y0)
}

fn overlap(a: Rect, b: Rect) -> bool {
    a.2.min(b.2) - a.0.max(b.0) > TOUCHING_PX && a.3.min(b.3) - a.1.max(b.1) > EDGE_PX
}

/// The lane at a height.
fn lane_of(lanes: &[LaneRow], y: f64) -> Option<usize> {
    lanes.iter().position(|(_, top, height)| (*top..*top + *height).contains(&y))
}
