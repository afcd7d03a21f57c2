//! The timeline's parts, from the ground up.
//!
//! Depends on `brush` and `view::frame`. Invariant: what is painted later never hides what names
//! something: words come last, but for the line of the current instant.

use plotters_backend::DrawingBackend;

use super::boxes::{DIMMED, block, box_label, label};
use super::brush::{Anchor, Area, Brush, Painted};
use super::tasks;
use blockstep_view::frame::{ArrowFrame, CursorFrame, Emphasis, Frame, LaneFrame};
use blockstep_view::palette::{Rgb, colour_of};

pub(super) const TEXT_PX: f64 = 12.0;
const TITLE_PX: f64 = 15.0;
const MARGIN_PX: f64 = 16.0;
pub(super) const SMALL_PX: f64 = 10.5;

pub(super) fn paint<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame) -> Painted<DB> {
    let theme = *brush.theme;
    brush.fill(Area { x0: 0.0, y0: 0.0, x1: frame.width_px, y1: frame.height_px }, theme.ground)?;
    let lanes = || frame.band.iter().chain(&frame.lanes).chain(frame.tasks.iter().map(|task| &task.lane));
    for lane in lanes() {
        brush.fill(Area { x0: frame.left_px, y0: lane.y, x1: frame.right_px, y1: lane.y + lane.height }, theme.lane)?;
    }
    grid(brush, frame)?;
    for shown in &frame.boxes {
        block(brush, shown)?;
    }
    for shown in &frame.boxes {
        if let Some(label) = &shown.label {
            box_label(brush, shown, label)?;
        }
    }
    frame.labels.iter().try_for_each(|shown| label(brush, shown))?;
    for task in &frame.tasks {
        tasks::paint(brush, task)?;
    }
    axis(brush, frame)?;
    for arrow in &frame.arrows {
        launch(brush, frame, arrow)?;
    }
    for lane in lanes() {
        lane_label(brush, frame, lane)?;
    }
    frame.cursor.as_ref().map_or(Ok(()), |at| cursor(brush, frame, at))
}

/// The name of a scenario over its picture.
pub(super) fn title<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, name: &str, width: f64, height: f64) -> Painted<DB> {
    let theme = *brush.theme;
    brush.fill(Area { x0: 0.0, y0: 0.0, x1: width, y1: height }, theme.ground)?;
    // As much of a long name as fits, in characters of about half their height.
    let room = ((width - 2.0 * MARGIN_PX) / (TITLE_PX * 0.55)) as usize;
    let mut shown: String = name.chars().take(room).collect();
    if shown.len() < name.len() {
        shown.push('…');
    }
    brush.text(&shown, (MARGIN_PX, height / 2.0 + 3.0), TITLE_PX, Anchor::Left, theme.ink)
}

pub(super) fn grid<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame) -> Painted<DB> {
    let (top, bottom) = (frame.band.iter().chain(&frame.lanes).next().map_or(0.0, |l| l.y), frame.axis_y);
    let colour = brush.theme.grid;
    for tick in frame.ticks.ticks.iter().filter(|t| t.major) {
        brush.upright(tick.x_px, top, bottom, 1.0, colour)?;
    }
    match frame.end_x {
        Some(x) => brush.upright(x, top, bottom, 1.0, brush.theme.axis),
        None => Ok(()),
    }
}

/// A color's edge and pattern: darker on light, lighter on dark.
pub(super) fn contour(colour: Rgb, dark: bool, share: f64) -> Rgb {
    colour.mixed(if dark { Rgb(255, 255, 255) } else { Rgb(0, 0, 0) }, share)
}

pub(super) fn axis<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame) -> Painted<DB> {
    let theme = *brush.theme;
    brush.level(frame.axis_y, frame.left_px, frame.right_px, 1.0, theme.axis)?;
    for tick in &frame.ticks.ticks {
        brush.upright(tick.x_px, frame.axis_y, frame.axis_y + if tick.major { 6.0 } else { 3.0 }, 1.0, theme.axis)?;
    }
    let y = frame.axis_y + 14.0;
    for tick in frame.ticks.ticks.iter().filter(|t| !t.label.is_empty()) {
        brush.text(&tick.label, (tick.x_px, y), TEXT_PX, Anchor::Centre, theme.ink)?;
    }
    let unit = match &frame.ticks.base {
        Some(base) => format!("{base} + {}", frame.ticks.unit),
        None => format!("time, {}", frame.ticks.unit),
    };
    brush.text(&unit, (frame.left_px - 12.0, y), SMALL_PX, Anchor::Right, theme.faint_ink)?;
    if frame.launches_y >= frame.height_px {
        return Ok(());
    }
    brush.text("launches", (frame.left_px - 12.0, frame.launches_y + 7.0), SMALL_PX, Anchor::Right, theme.faint_ink)
}

fn launch<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame, arrow: &ArrowFrame) -> Painted<DB> {
    let theme = *brush.theme;
    let colour = contour(colour_of(arrow.row, theme.dark), theme.dark, 0.25);
    let colour = if arrow.emphasis == Emphasis::Dimmed { colour.mixed(theme.ground, DIMMED) } else { colour };
    let (x, top) = (arrow.x, frame.launches_y);
    brush.polygon(&[(x, top), (x + 4.0, top + 6.0), (x - 4.0, top + 6.0)], colour)?;
    brush.upright(x - 0.75, top + 5.0, top + 12.0, 1.5, colour)?;
    match &arrow.label {
        Some(label) => {
            let ink = if arrow.emphasis == Emphasis::Dimmed { theme.faint_ink } else { theme.ink };
            brush.text(&label.text, (label.x, label.y + 7.0), TEXT_PX, Anchor::Left, ink)
        }
        None => Ok(()),
    }
}

pub(super) fn lane_label<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame, lane: &LaneFrame) -> Painted<DB> {
    let theme = *brush.theme;
    let (x, middle) = (frame.left_px - 12.0, lane.y + lane.height / 2.0);
    if lane.label.is_empty() {
        return Ok(());
    }
    if lane.sub_label.is_empty() || lane.count > 1 {
        if !lane.sub_label.is_empty() {
            let centre = f64::midpoint(frame.left_px, frame.right_px);
            brush.text(&lane.sub_label, (centre, middle), SMALL_PX, Anchor::Centre, theme.faint_ink)?;
        }
        // Lanes of a height have letters of a size, though their edges are on whole pixels.
        let is_low = |lane: &LaneFrame| lane.height < 14.0;
        let is_as_low = |other: &LaneFrame| is_low(other) && (other.height - lane.height).abs() <= 1.0;
        let size = if is_low(lane) || frame.lanes.iter().any(is_as_low) { SMALL_PX } else { TEXT_PX };
        return brush.text(&lane.label, (x, middle), size, Anchor::Right, theme.ink);
    }
    brush.text(&lane.label, (x, middle - 8.0), TEXT_PX + 1.0, Anchor::Right, theme.ink)?;
    brush.text(&lane.sub_label, (x, middle + 8.0), SMALL_PX - 1.0, Anchor::Right, theme.faint_ink)
}

pub(super) fn cursor<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame, at: &CursorFrame) -> Painted<DB> {
    let theme = *brush.theme;
    brush.upright(at.x - 1.0, 2.0, frame.axis_y + 5.0, 2.0, theme.cursor)?;
    let (y0, y1) = (frame.axis_y + 5.0, frame.axis_y + 22.0);
    brush.fill(Area { x0: at.label_x, y0, x1: at.label_x + at.label_width, y1 }, theme.cursor)?;
    brush.text(&at.label, (at.label_x + at.label_width / 2.0, (y0 + y1) / 2.0), TEXT_PX, Anchor::Centre, theme.on_cursor)
}
