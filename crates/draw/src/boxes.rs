//! Boxes of the timeline: blocks, copies, stays of processes.
//!
//! Depends on `brush` and `view::frame`. Invariant: nothing is painted outside a box's rectangle.

use plotters_backend::DrawingBackend;

use super::brush::{Anchor, Area, Brush, Painted};
use super::theme::Theme;
use super::timeline::{SMALL_PX, TEXT_PX, contour};
use blockstep_view::Within;
use blockstep_view::frame::{BoxFrame, Emphasis, LabelFrame, Stretch};
use blockstep_view::lettering::width_px;
use blockstep_view::palette::{Pattern, Rgb, colour_of, colour_of_space, text_on};
use blockstep_view::timeline::BESIDE_TEXT_PX;

/// Share of a dimmed box's color that gives way to the ground.
pub(super) const DIMMED: f64 = 0.72;
/// Edge of what is held up.
const HELD_UP_PX: f64 = 2.0;
/// Distance of the lines of a pattern.
const HATCH_PX: f64 = 7.0;

/// The color of a box beside a selection.
fn colour(theme: &Theme, shown: &BoxFrame) -> Rgb {
    let own = match shown.stretch {
        Stretch::Running(row) | Stretch::SuspendedEdge(row) => colour_of(row, theme.dark),
        Stretch::Spinning(row) => colour_of(row, theme.dark).mixed(theme.lane, 0.55),
        Stretch::Suspended(row) | Stretch::Before(row) => colour_of(row, theme.dark).mixed(theme.lane, 0.84),
        Stretch::Resident(space) => colour_of_space(space, theme.dark),
        Stretch::Draining(space) => colour_of_space(space, theme.dark).mixed(theme.lane, 0.3),
        Stretch::Switching(_) | Stretch::HeldUp(_) => theme.lane,
    };
    match shown.emphasis {
        Emphasis::Dimmed => own.mixed(theme.lane, DIMMED),
        Emphasis::Normal | Emphasis::Selected => own,
    }
}

/// Boxes lower or narrower than that have a thin edge when they are selected: a wide one would be most of them, px.
const THIN_PX: f64 = 14.0;

/// How wide the edge of a box is.
pub(super) fn edge_px(shown: &BoxFrame) -> f64 {
    let is_thin = (shown.y1 - shown.y0).min(shown.x1 - shown.x0) < THIN_PX;
    if shown.emphasis == Emphasis::Selected && !is_thin { 2.0 } else { 1.0 }
}

/// The colors of a box's edge and of its pattern.
fn lines(theme: &Theme, shown: &BoxFrame, ground: Rgb) -> (Rgb, Rgb) {
    match shown.stretch {
        Stretch::Suspended(row) => {
            let line = colour_of(row, theme.dark).mixed(theme.lane, if shown.emphasis == Emphasis::Dimmed { 0.8 } else { 0.4 });
            (line, line)
        }
        Stretch::Spinning(row) => {
            let own = colour_of(row, theme.dark);
            let own = if shown.emphasis == Emphasis::Dimmed { own.mixed(theme.lane, DIMMED) } else { own };
            (contour(own, theme.dark, 0.38), own)
        }
        Stretch::Draining(space) => {
            let own = colour_of_space(space, theme.dark);
            (own, own)
        }
        Stretch::Switching(_) => (theme.axis.mixed(theme.lane, 0.4), theme.axis.mixed(theme.lane, 0.6)),
        Stretch::HeldUp(_) => (theme.held_up, theme.held_up),
        _ => (contour(ground, theme.dark, 0.38), contour(ground, theme.dark, 0.16)),
    }
}

pub(super) fn block<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxFrame) -> Painted<DB> {
    let theme = *brush.theme;
    let colour = colour(&theme, shown);
    let area = Area { x0: shown.x0, y0: shown.y0, x1: shown.x1, y1: shown.y1 };
    if let Stretch::HeldUp(_) = shown.stretch {
        return brush.dashed(area, HELD_UP_PX, theme.held_up);
    }
    if let Stretch::Before(row) = shown.stretch {
        brush.fill(area, colour)?;
        return brush.dashed(area, 1.0, colour_of(row, theme.dark).mixed(theme.lane, 0.35));
    }
    if !shown.edged {
        return brush.fill(area, colour.mixed(theme.lane, 0.75 * (1.0 - f64::from(shown.fill))));
    }
    let (edge, line) = lines(&theme, shown, colour);
    let (edge, width) = (if shown.emphasis == Emphasis::Selected { theme.selected } else { edge }, edge_px(shown));
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
        pattern(brush, shown.pattern, inset, line)?;
    }
    if shown.open_ended { open_end(brush, shown) } else { Ok(()) }
}

/// A saw-toothed right edge: the box goes on, the run does not.
pub(super) fn open_end<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxFrame) -> Painted<DB> {
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
pub(super) fn pattern<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, pattern: Pattern, area: Area, colour: Rgb) -> Painted<DB> {
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

/// The smallest letters.
const TINY_PX: f64 = 8.5;

/// Height of the letters in a box, inside its edges.
pub(super) fn text_px(shown: &BoxFrame) -> f64 {
    let height = shown.y1 - shown.y0;
    if height < 15.0 { (height - 1.5).within(TINY_PX, SMALL_PX) } else { TEXT_PX }
}

pub(super) fn box_label<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxFrame, label: &str) -> Painted<DB> {
    let colour = colour(brush.theme, shown);
    let size = text_px(shown);
    let at = ((shown.x0 + shown.x1) / 2.0, (shown.y0 + shown.y1) / 2.0);
    let ink = if let Stretch::HeldUp(_) = shown.stretch { brush.theme.held_up } else { text_on(colour) };
    if size < TEXT_PX && shown.pattern != Pattern::Plain {
        // Small letters are hard to read on lines.
        let (half, edge) = (width_px(label, size) / 2.0, edge_px(shown));
        brush.fill(Area { x0: at.0 - half, y0: shown.y0 + edge, x1: at.0 + half, y1: shown.y1 - edge }, colour)?;
    }
    brush.text(label, at, size, Anchor::Centre, ink)
}

/// A name that stands in no single box; on those that it names, a plate covers the edges between them.
pub(super) fn label<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &LabelFrame) -> Painted<DB> {
    let theme = *brush.theme;
    let own = colour_of(shown.row, theme.dark);
    let own = if shown.emphasis == Emphasis::Dimmed { own.mixed(theme.lane, DIMMED) } else { own };
    let ink = if shown.is_on_bars {
        brush.fill(plate(shown), own)?;
        text_on(own)
    } else if shown.emphasis == Emphasis::Dimmed {
        theme.faint_ink
    } else {
        contour(own, theme.dark, 0.5)
    };
    words(brush, shown, ink)
}

pub(super) fn plate(shown: &LabelFrame) -> Area {
    Area { x0: shown.x0, y0: shown.y0, x1: shown.x1, y1: shown.y1 }
}

pub(super) fn words<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &LabelFrame, ink: Rgb) -> Painted<DB> {
    let at = (f64::midpoint(shown.x0, shown.x1), f64::midpoint(shown.y0, shown.y1));
    brush.text(&shown.text, at, BESIDE_TEXT_PX, Anchor::Centre, ink)
}
