//! Queue diagrams as boxes and words on a sheet, one or several.
//!
//! Depends on `queues` and `lettering`. Invariants: what is drawn is the view model; everything lies
//! within the sheet; words have room by estimate, and what has none is cut with an ellipsis or counted
//! as `+3`; boxes come before what stands in them. Source: [TX2] Fig. 4.

mod device;
mod legend;
mod scheduler;
mod sheet;
mod space;

use super::lettering::{width_px, wrapped};
use super::position::Stop;
use super::queues::{QueueView, queues};
use super::sentence::{sentence, when};
use blockstep_sim::language::capitalized;
use blockstep_sim::snapshot::Replay;
use blockstep_sim::units::RowId;
use sheet::QueueLayout;

/// Height of the letters that a sheet is laid out for.
pub const TEXT_PX: f64 = 12.0;
/// Of second labels.
pub const SMALL_PX: f64 = 9.5;
/// Operations of a queue that are looked at; those without room are counted.
const MAX_ITEMS: usize = 40;
/// Narrowest diagram of a strip, unless the whole strip is narrower.
const INSET_PX: f64 = 300.0;
const GAP_PX: f64 = 20.0;
const MARGIN_PX: f64 = 16.0;
const LEGEND_GAP_PX: f64 = 8.0;
const BOTTOM_PX: f64 = 8.0;
const CAPTION_LINE_PX: f64 = 15.0;
const MAX_CAPTION_LINES: usize = 5;

/// A diagram with what is written below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inset {
    /// What is drawn.
    pub view: QueueView,
    /// When that is.
    pub caption: String,
}

/// Boxes and words, y grows downwards.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueFigure {
    /// Width of the sheet.
    pub width_px: f64,
    /// Height of the sheet.
    pub height_px: f64,
    /// In the order they are painted.
    pub marks: Vec<SheetMark>,
}

/// Something on the sheet.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetMark {
    /// A rectangle.
    Box(BoxMark),
    /// Words on one line.
    Text(TextMark),
    /// A thin line through points.
    Line(Vec<(f64, f64)>),
    /// A line from what is waited for to what waits, through points, with a head at its end.
    Link {
        /// Two at least.
        points: Vec<(f64, f64)>,
        /// Whether it is waited for without need: then it is thick.
        is_held_up: bool,
    },
    /// A thick line through points: the path taken.
    Path(Vec<(f64, f64)>),
    /// A small triangle that points at this point, from above or from the left.
    Pointer {
        /// Where its tip is.
        at: (f64, f64),
        /// Whether it points down; else it points to the right.
        down: bool,
    },
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxMark {
    /// Left edge.
    pub x0: f64,
    /// Top edge, px.
    pub y0: f64,
    /// Right edge.
    pub x1: f64,
    /// Bottom edge, px.
    pub y1: f64,
    /// What it is.
    pub kind: BoxKind,
    /// Whether the last step changed it.
    pub changed: bool,
}

/// What a rectangle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxKind {
    /// An address space with all that is in it.
    Space,
    /// A CPU task.
    Task,
    /// A queue or a copy engine.
    Queue,
    /// The threads of an SM.
    Threads,
    /// An operation that waits, or has been dispatched and is shaded.
    Item {
        /// Its row of the kernel table.
        row: RowId,
        /// Whether it is shaded.
        dispatched: bool,
    },
    /// Blocks on an SM.
    Block {
        /// Their kernel's row.
        row: RowId,
        /// Whether they are suspended.
        suspended: bool,
    },
    /// Blocks on an SM that spin.
    Spinning {
        /// Their kernel's row.
        row: RowId,
    },
    /// A kernel whose blocks are done, but whose finish signal is held back.
    Unsignalled,
    /// What the last step took away from here.
    Ghost,
    /// The whole of something that can be used up.
    Gauge,
    /// What of it is free, or left of a timeslice or budget.
    Level,
    /// An entry of the runlist, or a job.
    Choice {
        /// Whether it is served or chosen.
        chosen: bool,
    },
}

/// Words on one line.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMark {
    /// The words.
    pub text: String,
    /// Where they begin, have their middle or end.
    pub x: f64,
    /// The middle of their height.
    pub y: f64,
    /// Height of the letters.
    pub size_px: f64,
    /// Where they stand beside `x`.
    pub align: Align,
    /// What they stand on.
    pub tone: Tone,
}

/// Where words stand beside their point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// They begin there.
    Left,
    /// Their middle is there.
    Centre,
    /// They end there.
    Right,
}

/// The color of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As other words.
    Ink,
    /// The same in bold letters.
    Bold,
    /// Of second labels.
    Faint,
    /// On a box in the color of this row.
    On(RowId),
}

impl SheetMark {
    /// Left, top, right and bottom; of words by estimate.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64, f64, f64) {
        match self {
            Self::Box(b) => (b.x0, b.y0, b.x1, b.y1),
            Self::Text(text) => {
                let width = width_px(&text.text, text.size_px);
                let left = match text.align {
                    Align::Left => text.x,
                    Align::Centre => text.x - width / 2.0,
                    Align::Right => text.x - width,
                };
                (left, text.y - text.size_px / 2.0, left + width, text.y + text.size_px / 2.0)
            }
            Self::Line(points) | Self::Path(points) | Self::Link { points, .. } => points
                .iter()
                .fold((f64::MAX, f64::MAX, f64::MIN, f64::MIN), |b, p| (b.0.min(p.0), b.1.min(p.1), b.2.max(p.0), b.3.max(p.1))),
            Self::Pointer { at: (x, y), down: true } => (x - 4.0, y - 6.0, x + 4.0, *y),
            Self::Pointer { at: (x, y), down: false } => (x - 6.0, y - 4.0, *x, y + 4.0),
        }
    }
}

/// The diagram where `stop` is.
#[must_use]
pub fn inset(replay: &mut Replay, stop: Stop) -> Inset {
    let (view, when) = shown(replay, stop);
    Inset { view, caption: capitalized(&when) }
}

/// The diagrams of a strip, lettered.
#[must_use]
pub fn insets(replay: &mut Replay, stops: &[Stop]) -> Vec<Inset> {
    let of = |(i, &stop): (usize, &Stop)| {
        let (view, when) = shown(replay, stop);
        Inset { view, caption: format!("({}) {when}", letters(i)) }
    };
    stops.iter().enumerate().map(of).collect()
}

fn shown(replay: &mut Replay, stop: Stop) -> (QueueView, String) {
    let trace = std::sync::Arc::clone(replay.trace());
    let stop = stop.within(&trace);
    let state = replay.seek(stop.position);
    let last = state.last_step().map(|step| trace.step(step));
    let view = queues(&trace, state, last, stop.at, MAX_ITEMS);
    let when = when(&trace, stop);
    (view, last.map_or_else(|| when.clone(), |step| format!("{when}: {}", sentence(&trace, step))))
}

/// `a` to `z`, then `aa`.
fn letters(i: usize) -> String {
    let letter = char::from(b'a' + (i % 26) as u8);
    if i < 26 { letter.to_string() } else { format!("{}{letter}", letters(i / 26 - 1)) }
}

/// How many diagrams of a strip stand beside each other, where that is not said.
#[must_use]
pub fn columns_for(width_px: f64, count: usize) -> usize {
    let most = (((width_px - 2.0 * MARGIN_PX + GAP_PX) / (INSET_PX + GAP_PX)) as usize).clamp(1, count.max(1));
    // As few rows, and then as even.
    count.max(1).div_ceil(count.max(1).div_ceil(most))
}

/// Diagrams with their captions, in rows of `columns`, from left to right, over what their boxes mean if
/// that is to be said. Those of a row have the same height.
#[must_use]
pub fn strip(insets: &[Inset], columns: usize, width_px: f64, has_legend: bool) -> QueueFigure {
    let columns = columns.clamp(1, insets.len().max(1));
    let cell = (width_px - 2.0 * MARGIN_PX - (columns - 1) as f64 * GAP_PX) / columns as f64;
    let is_small = insets.len() > 1;
    let (mut marks, mut y) = (Vec::new(), BOTTOM_PX);
    for row in insets.chunks(columns) {
        let sheets: Vec<QueueLayout> = row.iter().map(|inset| sheet::diagram(&inset.view, cell, is_small)).collect();
        let captions = row.iter().map(|inset| wrapped(&inset.caption, cell, TEXT_PX, MAX_CAPTION_LINES));
        let captions: Vec<Vec<String>> = captions.collect();
        let height = sheets.iter().map(|sheet| sheet.bottom).fold(0.0, f64::max);
        let lines = captions.iter().map(Vec::len).max().unwrap_or(0);
        for (i, (sheet, caption)) in sheets.into_iter().zip(captions).enumerate() {
            let x = MARGIN_PX + i as f64 * (cell + GAP_PX);
            marks.extend(sheet.marks.into_iter().map(|mark| mark.moved(x, y)));
            for (n, text) in caption.into_iter().enumerate() {
                let y = y + height + 6.0 + (n as f64 + 0.5) * CAPTION_LINE_PX;
                marks.push(SheetMark::Text(TextMark { text, x, y, size_px: TEXT_PX, align: Align::Left, tone: Tone::Ink }));
            }
        }
        y += height + 6.0 + lines as f64 * CAPTION_LINE_PX + GAP_PX;
    }
    let mut bottom = y - GAP_PX;
    if has_legend {
        let (legend, end) = legend::legend(width_px, bottom + LEGEND_GAP_PX, !is_small, &marks);
        marks.extend(legend);
        bottom = end;
    }
    QueueFigure { width_px, height_px: bottom + BOTTOM_PX, marks }
}

/// Words in the place of diagrams.
#[must_use]
pub fn note(words: &str, width_px: f64) -> QueueFigure {
    let room = width_px - 2.0 * MARGIN_PX;
    let line = |(i, text): (usize, String)| {
        let y = BOTTOM_PX + (i as f64 + 0.5) * CAPTION_LINE_PX;
        SheetMark::Text(TextMark { text, x: MARGIN_PX, y, size_px: TEXT_PX, align: Align::Left, tone: Tone::Ink })
    };
    let marks: Vec<SheetMark> = wrapped(words, room, TEXT_PX, MAX_CAPTION_LINES).into_iter().enumerate().map(line).collect();
    QueueFigure { width_px, height_px: 2.0 * BOTTOM_PX + marks.len() as f64 * CAPTION_LINE_PX, marks }
}

impl SheetMark {
    fn moved(mut self, dx: f64, dy: f64) -> Self {
        match &mut self {
            Self::Box(b) => (b.x0, b.y0, b.x1, b.y1) = (b.x0 + dx, b.y0 + dy, b.x1 + dx, b.y1 + dy),
            Self::Text(text) => (text.x, text.y) = (text.x + dx, text.y + dy),
            Self::Line(points) | Self::Path(points) | Self::Link { points, .. } => {
                points.iter_mut().for_each(|p| *p = (p.0 + dx, p.1 + dy))
            }
            Self::Pointer { at, .. } => *at = (at.0 + dx, at.1 + dy),
        }
        self
    }
}
