//! The timeline's parts, from the ground up.
//!
//! Depends on `brush` and `view::frame`. Invariant: what is painted later never hides what names
//! something: words come last, but for the line of the current instant.

use plotters_backend::DrawingBackend;

use super::brush::{Anchor, Area, Brush, Painted};
use crate::view::frame::{ArrowFrame, BoxFrame, CursorFrame, Emphasis, Frame, LaneFrame};
use crate::view::palette::{Pattern, Rgb, colour_of, text_on};

const TEXT_PX: f64 = 12.0;
const TITLE_PX: f64 = 15.0;
const MARGIN_PX: f64 = 16.0;
const SMALL_PX: f64 = 10.5;
/// Share of a dimmed box's colour that gives way to the ground.
const DIMMED: f64 = 0.72;
/// Distance of the lines of a pattern.
const HATCH_PX: f64 = 7.0;

pub(super) fn paint<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame) -> Painted<DB> {
    let theme = *brush.theme;
    brush.fill(Area { x0: 0.0, y0: 0.0, x1: frame.width_px, y1: frame.height_px }, theme.ground)?;
    for lane in &frame.lanes {
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
    axis(brush, frame)?;
    for arrow in &frame.arrows {
        launch(brush, frame, arrow)?;
    }
    for lane in &frame.lanes {
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

fn grid<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame) -> Painted<DB> {
    let (top, bottom) = (frame.lanes.first().map_or(0.0, |l| l.y), frame.axis_y);
    let colour = brush.theme.grid;
    for tick in frame.ticks.ticks.iter().filter(|t| t.major) {
        brush.upright(tick.x_px, top, bottom, 1.0, colour)?;
    }
    match frame.end_x {
        Some(x) => brush.upright(x, top, bottom, 1.0, brush.theme.axis),
        None => Ok(()),
    }
}

/// A row's colour beside a selection.
fn shade<DB: DrawingBackend>(brush: &Brush<'_, DB>, colour: Rgb, emphasis: Emphasis) -> Rgb {
    match emphasis {
        Emphasis::Dimmed => colour.mixed(brush.theme.lane, DIMMED),
        Emphasis::Normal | Emphasis::Selected => colour,
    }
}

/// A colour's edge and pattern: darker on light, lighter on dark.
fn contour(colour: Rgb, dark: bool, share: f64) -> Rgb {
    colour.mixed(if dark { Rgb(255, 255, 255) } else { Rgb(0, 0, 0) }, share)
}

fn block<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxFrame) -> Painted<DB> {
    let theme = *brush.theme;
    let colour = shade(brush, colour_of(shown.row, theme.dark), shown.emphasis);
    let area = Area { x0: shown.x0, y0: shown.y0, x1: shown.x1, y1: shown.y1 };
    if !shown.edged {
        return brush.fill(area, colour.mixed(theme.lane, 0.75 * (1.0 - f64::from(shown.fill))));
    }
    let (edge, width) = match shown.emphasis {
        Emphasis::Selected => (theme.selected, 2.0),
        Emphasis::Normal | Emphasis::Dimmed => (contour(colour, theme.dark, 0.38), 1.0),
    };
    brush.fill(area, edge)?;
    let side = |cut: bool| if cut { 0.0 } else { width };
    let inner = Area {
        x0: shown.x0 + side(shown.cut_left),
        y0: shown.y0 + width,
        x1: shown.x1 - side(shown.cut_right || shown.open_ended),
        y1: shown.y1 - width,
    };
    brush.fill(inner, colour)?;
    if shown.pattern != Pattern::Plain {
        // A pixel inside, as a path covers half a pixel on either side of its points.
        let inset = Area { x0: inner.x0 + 1.0, y0: inner.y0 + 1.0, x1: inner.x1 - 1.0, y1: inner.y1 - 1.0 };
        pattern(brush, shown.pattern, inset, contour(colour, theme.dark, 0.16))?;
    }
    if shown.open_ended { open_end(brush, shown) } else { Ok(()) }
}

/// A saw-toothed right edge: the box goes on, the run does not.
fn open_end<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxFrame) -> Painted<DB> {
    let count = ((shown.y1 - shown.y0) / 8.0).round().max(1.0) as usize;
    let tooth = (shown.y1 - shown.y0) / count as f64;
    let mut points = vec![(shown.x1, shown.y0)];
    for i in 0..count {
        let y = shown.y0 + i as f64 * tooth;
        points.extend([(shown.x1 - 5.0, y + tooth / 2.0), (shown.x1, y + tooth)]);
    }
    let lane = brush.theme.lane;
    brush.polygon(&points, lane)
}

/// Lines over a box, as one path that goes on along the box's edge from each line to the next.
fn pattern<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, pattern: Pattern, area: Area, colour: Rgb) -> Painted<DB> {
    let (width, height) = (area.x1 - area.x0, area.y1 - area.y0);
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut line = |a: (f64, f64), b: (f64, f64)| {
        // There and back in turns.
        let turned = (points.len() / 2) % 2 == 1;
        points.extend(if turned { [b, a] } else { [a, b] });
    };
    match pattern {
        Pattern::Plain => return Ok(()),
        Pattern::Level => {
            let count = (height / HATCH_PX).ceil() as usize;
            (1..count).for_each(|i| line((0.0, i as f64 * HATCH_PX), (width, i as f64 * HATCH_PX)));
        }
        Pattern::Upright => {
            let count = (width / HATCH_PX).ceil() as usize;
            (1..count).for_each(|i| line((i as f64 * HATCH_PX, 0.0), (i as f64 * HATCH_PX, height)));
        }
        Pattern::Hatch | Pattern::BackHatch => {
            let step = HATCH_PX * std::f64::consts::SQRT_2;
            let count = ((width + height) / step).ceil() as usize;
            for d in (1..count).map(|i| i as f64 * step) {
                // From the left or bottom side to the top or right side.
                line(((d - height).max(0.0), d.min(height)), (d.min(width), (d - width).max(0.0)));
            }
        }
    }
    let mirrored = pattern == Pattern::BackHatch;
    for (x, y) in &mut points {
        *x = if mirrored { area.x1 - *x } else { area.x0 + *x };
        *y += area.y0;
    }
    if points.is_empty() { Ok(()) } else { brush.path(&points, colour) }
}

fn box_label<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxFrame, label: &str) -> Painted<DB> {
    let colour = shade(brush, colour_of(shown.row, brush.theme.dark), shown.emphasis);
    let height = shown.y1 - shown.y0;
    let size = if height < 15.0 { SMALL_PX } else { TEXT_PX };
    let at = ((shown.x0 + shown.x1) / 2.0, (shown.y0 + shown.y1) / 2.0);
    brush.text(label, at, size, Anchor::Centre, text_on(colour))
}

fn axis<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame) -> Painted<DB> {
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

fn lane_label<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame, lane: &LaneFrame) -> Painted<DB> {
    let theme = *brush.theme;
    let (x, middle) = (frame.left_px - 12.0, lane.y + lane.height / 2.0);
    if lane.label.is_empty() {
        return Ok(());
    }
    if lane.sub_label.is_empty() {
        let size = if lane.height < 14.0 { SMALL_PX } else { TEXT_PX };
        return brush.text(&lane.label, (x, middle), size, Anchor::Right, theme.ink);
    }
    brush.text(&lane.label, (x, middle - 8.0), TEXT_PX + 1.0, Anchor::Right, theme.ink)?;
    brush.text(&lane.sub_label, (x, middle + 8.0), SMALL_PX - 1.0, Anchor::Right, theme.faint_ink)
}

fn cursor<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame, at: &CursorFrame) -> Painted<DB> {
    let theme = *brush.theme;
    brush.upright(at.x - 1.0, 2.0, frame.axis_y + 5.0, 2.0, theme.cursor)?;
    let (y0, y1) = (frame.axis_y + 5.0, frame.axis_y + 22.0);
    brush.fill(Area { x0: at.label_x, y0, x1: at.label_x + at.label_width, y1 }, theme.cursor)?;
    brush.text(&at.label, (at.label_x + at.label_width / 2.0, (y0 + y1) / 2.0), TEXT_PX, Anchor::Centre, theme.on_cursor)
}
