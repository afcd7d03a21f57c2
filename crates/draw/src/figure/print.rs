//! The timeline for paper: grays and hatches with thin black edges.
//!
//! Depends on `brush`, the timeline's other parts and `view::print`. Invariants: kernels are told apart
//! without any color; words are black, and lines that may run behind them gray; nothing is painted outside the
//! frame.

use plotters_backend::DrawingBackend;

use super::hatch;
use crate::brush::{Anchor, Area, Brush, Painted};
use crate::timeline::{TEXT_PX, axis, cursor, grid, lane_label};
use crate::{boxes, tasks};
use blockstep_view::frame::{ArrowFrame, BoxFrame, Emphasis, FOOT_PX, Frame, LabelFrame, Stretch, TaskFrame};
use blockstep_view::palette::Rgb;
use blockstep_view::print::{Hatch, INKS, Ink, ink_of};

pub(super) const BLACK: Rgb = Rgb(0, 0, 0);
pub(super) const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);
/// Lines of what steps back.
const GREY: Rgb = Rgb(0x8c, 0x8c, 0x8c);
/// The color of a job, and of what is past its deadline.
const JOB: Rgb = Rgb(0xc4, 0xc4, 0xc4);
const LATE: Rgb = Rgb(0x50, 0x50, 0x50);

/// A frame, painted for paper.
pub(super) fn timeline<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame) -> Painted<DB> {
    brush.fill(Area { x0: 0.0, y0: 0.0, x1: frame.width_px, y1: frame.height_px }, WHITE)?;
    grid(brush, frame)?;
    let lanes = || frame.band.iter().chain(&frame.lanes).chain(frame.tasks.iter().map(|task| &task.lane));
    // The ground is white as the lanes are: a line is the floor of each.
    for lane in lanes().filter(|lane| lane.height >= 6.0) {
        brush.level(lane.y + lane.height, frame.left_px, frame.right_px, 1.0, GREY)?;
    }
    frame.boxes.iter().try_for_each(|shown| block(brush, shown))?;
    for shown in &frame.boxes {
        if let Some(label) = &shown.label {
            box_label(brush, shown, label)?;
        }
    }
    frame.labels.iter().try_for_each(|shown| label(brush, shown))?;
    frame.tasks.iter().try_for_each(|task| jobs(brush, task))?;
    axis(brush, frame)?;
    frame.arrows.iter().try_for_each(|arrow| launch(brush, frame, arrow))?;
    for lane in lanes() {
        lane_label(brush, frame, lane)?;
    }
    frame.cursor.as_ref().map_or(Ok(()), |at| cursor(brush, frame, at))
}

/// How a box is filled, and the color of its lines.
fn look(shown: &BoxFrame) -> (Ink, Rgb) {
    let plain = |ground: Rgb| Ink { ground, hatch: Hatch::PLAIN, flat: ground.mixed(BLACK, 0.25) };
    let over = |hatch| Ink { hatch, ..plain(WHITE) };
    let (ink, line) = match shown.stretch {
        Stretch::Running(row) | Stretch::SuspendedEdge(row) => (ink_of(row), BLACK),
        Stretch::Spinning(row) => (over(INKS[if ink_of(row).hatch == INKS[3].hatch { 11 } else { 3 }].hatch), BLACK),
        Stretch::Suspended(_) | Stretch::Before(_) => (plain(WHITE), GREY),
        Stretch::HeldUp(_) => (plain(WHITE), BLACK),
        Stretch::Resident(space) => (plain(if space.0.is_multiple_of(2) { Rgb(0xe6, 0xe6, 0xe6) } else { Rgb(0xbe, 0xbe, 0xbe) }), BLACK),
        Stretch::Draining(_) => (over(INKS[11].hatch), BLACK),
        Stretch::Switching(_) => (over(INKS[3].hatch), GREY),
    };
    match shown.emphasis {
        Emphasis::Dimmed => (Ink { ground: ink.ground.mixed(WHITE, 0.6), flat: ink.flat.mixed(WHITE, 0.6), ..ink }, GREY),
        Emphasis::Normal | Emphasis::Selected => (ink, line),
    }
}

fn block<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxFrame) -> Painted<DB> {
    let (ink, line) = look(shown);
    let area = Area { x0: shown.x0, y0: shown.y0, x1: shown.x1, y1: shown.y1 };
    if let Stretch::HeldUp(_) = shown.stretch {
        return brush.dashed(area, 1.0, line);
    }
    if !shown.edged {
        // The paler the less of it was in use.
        return brush.fill(area, ink.flat.mixed(WHITE, 0.75 * (1.0 - f64::from(shown.fill))));
    }
    let width = boxes::edge_px(shown);
    brush.fill(area, line)?;
    let side = |cut: bool| if cut { 0.0 } else { width };
    let inner = Area {
        x0: shown.x0 + side(shown.cut_left),
        y0: shown.y0 + width,
        x1: shown.x1 - side(shown.cut_right || shown.open_ended),
        y1: shown.y1 - width,
    };
    brush.fill(inner, ink.ground)?;
    if (shown.y1 - shown.y0).min(shown.x1 - shown.x0) >= 6.0 {
        let inset = Area { x0: inner.x0 + 1.0, y0: inner.y0 + 1.0, x1: inner.x1 - 1.0, y1: inner.y1 - 1.0 };
        hatch::paint(brush, ink.hatch, inset, ink.line())?;
    }
    if shown.open_ended { boxes::open_end(brush, shown) } else { Ok(()) }
}

fn box_label<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxFrame, label: &str) -> Painted<DB> {
    let size = boxes::text_px(shown);
    let (x, y) = ((shown.x0 + shown.x1) / 2.0, (shown.y0 + shown.y1) / 2.0);
    brush.text(label, (x, y), size, Anchor::Centre, BLACK)
}

fn label<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &LabelFrame) -> Painted<DB> {
    if shown.is_on_bars {
        brush.fill(boxes::plate(shown), ink_of(shown.row).ground)?;
    }
    boxes::words(brush, shown, BLACK)
}

fn launch<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame, arrow: &ArrowFrame) -> Painted<DB> {
    let (x, top) = (arrow.x, frame.launches_y);
    let colour = if arrow.emphasis == Emphasis::Dimmed { GREY } else { BLACK };
    brush.polygon(&[(x, top), (x + 4.0, top + 6.0), (x - 4.0, top + 6.0)], colour)?;
    brush.upright(x - 0.5, top + 5.0, top + 12.0, 1.0, colour)?;
    match &arrow.label {
        Some(label) => brush.text(&label.text, (label.x, label.y + 7.0), TEXT_PX, Anchor::Left, BLACK),
        None => Ok(()),
    }
}

fn jobs<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, task: &TaskFrame) -> Painted<DB> {
    for bar in &task.bars {
        brush.fill(Area { x0: bar.x0, y0: bar.y0, x1: bar.x1, y1: bar.y1 }, if bar.late { LATE } else { JOB })?;
    }
    let bottom = task.lane.y + task.lane.height;
    for &(x0, x1) in &task.charges {
        brush.fill(Area { x0, y0: bottom - FOOT_PX, x1, y1: bottom }, BLACK)?;
    }
    task.marks.iter().try_for_each(|shown| tasks::mark(brush, &task.lane, shown))
}
