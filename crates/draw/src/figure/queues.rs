//! Queue diagrams in each palette.
//!
//! Depends on `brush`, `boxes`, `hatch` and `view::queue_figure`. Invariants: what waits is hollow and
//! what has been dispatched is filled, as in [TX2] Fig. 4; what a step changed has a thick edge, and what
//! it took away a dashed one, so that no color is needed to see either.

use plotters_backend::DrawingBackend;

use super::hatch;
use super::print::{BLACK, WHITE};
use crate::boxes;
use crate::brush::{Anchor, Area, Brush, Painted};
use crate::timeline::contour;
use blockstep_view::palette::{Pattern, Rgb, colour_of, pattern_of, text_on};
use blockstep_view::print::{Hatch, ink_of};
use blockstep_view::queue_figure::{Align, BoxKind, BoxMark, QueueFigure, SheetMark, TextMark, Tone};

/// Edges of what the last step changed.
const CHANGED_PX: f64 = 2.0;
/// Width of a path taken.
const PATH_PX: f64 = 2.5;

/// A sheet, painted.
pub(crate) fn paint<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, figure: &QueueFigure, is_print: bool) -> Painted<DB> {
    let ground = brush.theme.ground;
    brush.fill(Area { x0: 0.0, y0: 0.0, x1: figure.width_px, y1: figure.height_px }, ground)?;
    figure.marks.iter().try_for_each(|mark| match mark {
        SheetMark::Box(shown) if shown.kind == BoxKind::Ghost => dashed(brush, shown),
        SheetMark::Box(shown) => filled(brush, shown, is_print),
        SheetMark::Text(text) => words(brush, text, is_print),
        SheetMark::Line(points) => {
            let colour = brush.theme.axis;
            brush.path(points, colour)
        }
        SheetMark::Path(points) => {
            let colour = brush.theme.held_up;
            brush.wide_path(points, PATH_PX, colour)
        }
        SheetMark::Link { points, is_held_up } => link(brush, points, *is_held_up),
        SheetMark::Pointer { at: (x, y), down } => {
            let colour = brush.theme.axis;
            let corners = if *down { [(-4.0, -6.0), (4.0, -6.0)] } else { [(-6.0, -4.0), (-6.0, 4.0)] };
            brush.polygon(&[(*x, *y), (x + corners[0].0, y + corners[0].1), (x + corners[1].0, y + corners[1].1)], colour)
        }
    })
}

/// Ground, edge, and what is drawn over the ground.
struct BoxStyle {
    ground: Rgb,
    edge: Option<Rgb>,
    over: Over,
}

enum Over {
    Nothing,
    Pattern(Pattern, Rgb),
    Hatch(Hatch, Rgb),
}

fn plain(ground: Rgb, edge: Option<Rgb>) -> BoxStyle {
    BoxStyle { ground, edge, over: Over::Nothing }
}

fn look<DB: DrawingBackend>(brush: &Brush<'_, DB>, kind: BoxKind, is_print: bool) -> BoxStyle {
    let theme = brush.theme;
    let soft = theme.axis.mixed(theme.ground, 0.35);
    match kind {
        BoxKind::Space => plain(theme.ground, Some(soft)),
        BoxKind::Unsignalled => plain(theme.lane, Some(theme.held_up)),
        BoxKind::Task => plain(theme.ground, Some(theme.axis)),
        BoxKind::Queue | BoxKind::Threads if is_print => plain(WHITE, Some(soft)),
        BoxKind::Queue | BoxKind::Threads => plain(theme.lane, Some(theme.grid)),
        BoxKind::Choice { chosen: false } | BoxKind::Ghost => plain(theme.ground, Some(soft)),
        BoxKind::Choice { chosen: true } => plain(theme.ink.mixed(theme.ground, 0.8), Some(theme.ink)),
        BoxKind::Gauge if is_print => plain(WHITE, Some(soft)),
        BoxKind::Gauge => plain(theme.grid, None),
        BoxKind::Level => plain(theme.axis.mixed(theme.ground, 0.15), None),
        BoxKind::Item { row, dispatched: false } => {
            let own = if is_print { BLACK } else { contour(colour_of(row, theme.dark), theme.dark, 0.2) };
            plain(theme.ground, Some(own))
        }
        BoxKind::Item { row, .. } | BoxKind::Block { row, suspended: false } if is_print => {
            let ink = ink_of(row);
            BoxStyle { ground: ink.ground, edge: Some(BLACK), over: Over::Hatch(ink.hatch, ink.line()) }
        }
        BoxKind::Item { row, .. } | BoxKind::Block { row, suspended: false } => {
            let own = colour_of(row, theme.dark);
            let over = Over::Pattern(pattern_of(row), contour(own, theme.dark, 0.16));
            BoxStyle { ground: own, edge: Some(contour(own, theme.dark, 0.38)), over }
        }
        BoxKind::Spinning { .. } if is_print => BoxStyle { ground: WHITE, edge: Some(BLACK), over: Over::Pattern(Pattern::Hatch, soft) },
        BoxKind::Spinning { row } => {
            let own = colour_of(row, theme.dark);
            let over = Over::Pattern(Pattern::Hatch, own.mixed(theme.ground, 0.5));
            BoxStyle { ground: own.mixed(theme.ground, 0.8), edge: Some(contour(own, theme.dark, 0.38)), over }
        }
        BoxKind::Block { row, .. } => {
            let line = if is_print { soft } else { colour_of(row, theme.dark).mixed(theme.lane, 0.4) };
            BoxStyle { ground: theme.ground, edge: Some(line), over: Over::Pattern(Pattern::Hatch, line.mixed(theme.ground, 0.5)) }
        }
    }
}

fn filled<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxMark, is_print: bool) -> Painted<DB> {
    let look = look(brush, shown.kind, is_print);
    let area = Area { x0: shown.x0, y0: shown.y0, x1: shown.x1, y1: shown.y1 };
    let (edge, width) = if shown.changed { (Some(brush.theme.cursor), CHANGED_PX) } else { (look.edge, 1.0) };
    let Some(edge) = edge else { return brush.fill(area, look.ground) };
    brush.fill(area, edge)?;
    if shown.x1 - shown.x0 <= 2.0 * width || shown.y1 - shown.y0 <= 2.0 * width {
        return Ok(());
    }
    let inner = Area { x0: area.x0 + width, y0: area.y0 + width, x1: area.x1 - width, y1: area.y1 - width };
    brush.fill(inner, look.ground)?;
    let inset = Area { x0: inner.x0 + 1.0, y0: inner.y0 + 1.0, x1: inner.x1 - 1.0, y1: inner.y1 - 1.0 };
    if inset.x1 - inset.x0 < 4.0 || inset.y1 - inset.y0 < 4.0 {
        return Ok(());
    }
    match look.over {
        Over::Nothing => Ok(()),
        Over::Pattern(pattern, colour) => boxes::pattern(brush, pattern, inset, colour),
        Over::Hatch(hatch, colour) => hatch::paint(brush, hatch, inset, colour),
    }
}

fn dashed<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, shown: &BoxMark) -> Painted<DB> {
    let theme = *brush.theme;
    let (colour, width) = if shown.changed { (theme.cursor, CHANGED_PX) } else { (theme.faint_ink, 1.0) };
    let area = Area { x0: shown.x0, y0: shown.y0, x1: shown.x1, y1: shown.y1 };
    brush.fill(area, theme.ground)?;
    brush.dashed(area, width, colour)
}

/// A line with a head that points to the right or to the left.
fn link<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, points: &[(f64, f64)], is_held_up: bool) -> Painted<DB> {
    let theme = *brush.theme;
    let (colour, width, head) = if is_held_up { (theme.held_up, 5.0, 9.0) } else { (theme.faint_ink, 1.3, 5.0) };
    brush.wide_path(points, width, colour)?;
    let [.., (before, _), (x, y)] = *points else { return Ok(()) };
    let back = if before < x { -head } else { head };
    brush.polygon(&[(x, y), (x + back, y - head / 1.6), (x + back, y + head / 1.6)], colour)
}

fn words<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, text: &TextMark, is_print: bool) -> Painted<DB> {
    let theme = *brush.theme;
    let anchor = match text.align {
        Align::Left => Anchor::Left,
        Align::Centre => Anchor::Centre,
        Align::Right => Anchor::Right,
    };
    let colour = match text.tone {
        Tone::Ink | Tone::Bold => theme.ink,
        Tone::Faint => theme.faint_ink,
        Tone::On(_) if is_print => BLACK,
        Tone::On(row) => text_on(colour_of(row, theme.dark)),
    };
    let at = (text.x, text.y);
    if text.tone == Tone::Bold {
        return brush.bold_text(&text.text, at, text.size_px, anchor, colour);
    }
    brush.text(&text.text, at, text.size_px, anchor, colour)
}
