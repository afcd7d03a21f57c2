//! Charts of results: distributions, histograms and levels over time.
//!
//! Depends on `view` and plotters. Invariants: what is drawn has few points whatever the run (see
//! `view::results::spread`); curves differ in their dashes as well as in color; words are words,
//! not outlines.

pub mod frequencies;
pub mod heat;
pub mod panels;
pub mod study;
mod tail;

use std::ops::Range;

use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordu128;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{PathElement, Polygon, Rectangle};
use plotters::prelude::Cartesian2d;
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};
use plotters_backend::{BackendCoord, DrawingBackend};

use frequencies::FrequencyRow;
pub use panels::Panel;

use super::Theme;
use blockstep_sim::units::Time;
use blockstep_view::palette::Rgb;
use blockstep_view::results::spread::{Histogram, Levels};
use blockstep_view::results::unit::TimeUnit;

type Painted<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;
/// Color of a line, and pixels of the backend for each of the chart.
type Stroke = (Rgb, f64);
type Axes<'a, DB> = ChartContext<'a, DB, Cartesian2d<RangedCoordu128, RangedCoordu128>>;

/// Families that the page and most viewers of SVG know.
const FAMILY: &str = "system-ui, sans-serif";
const TEXT_PX: f64 = 12.0;
const LABEL_PX: i32 = 12;
const TICK_PX: i32 = 5;
/// The whole of a distribution on its axis.
const WHOLE: u128 = 10_000;
/// The dashes of deadlines: pixels on and off.
pub const DEADLINE_DASHES: &[i32] = &[3, 3];

/// One curve of [`distributions`].
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its color.
    pub colour: Rgb,
    /// Its dashes: pixels on and off in turn; none is a solid line.
    pub dashes: &'static [i32],
    /// (ns, how many are at most that), ascending.
    pub points: Vec<(u64, u64)>,
    /// The deadline, where there is one to be drawn.
    pub deadline: Option<u64>,
}

/// What a chart shows.
#[derive(Clone, Debug)]
pub enum Plot {
    /// As [`distributions`].
    Distributions(Vec<Curve>),
    /// As [`histogram`].
    Histogram {
        /// The values.
        bins: Histogram,
        /// The deadline, where there is one.
        deadline: Option<u64>,
        /// Of the bars.
        colour: Rgb,
    },
    /// Times of which a few lie far above the others, with counts on a scale by powers of ten; bins from there on are marked.
    Tail {
        /// The values.
        bins: Histogram,
        /// Where the marked ones begin, if any are.
        from: Option<u64>,
        /// Of the others.
        colour: Rgb,
    },
    /// The top half percent of distributions.
    Top(Vec<Curve>),
    /// As [`levels`].
    Levels {
        /// The number over time.
        levels: Levels,
        /// The run's end.
        end: Time,
        /// What the device has.
        limit: u64,
        /// Of the area.
        colour: Rgb,
    },
    /// Histograms of several tasks, of a run each.
    Frequencies(Vec<FrequencyRow>),
    /// As [`panels::panels`].
    Panels {
        /// From top to bottom.
        panels: Vec<Panel>,
        /// The end of the longest run.
        end: Time,
    },
}

/// Paints a plot on the whole of an area.
pub(super) fn paint<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, plot: &Plot, theme: &Theme) -> Painted<DB> {
    match plot {
        Plot::Distributions(curves) => paint_distributions(area, curves, theme),
        Plot::Histogram { bins, deadline, colour } => paint_histogram(area, bins, *deadline, *colour, theme),
        Plot::Tail { bins, from, colour } => tail::paint_tail(area, bins, *from, *colour, theme),
        Plot::Top(curves) => tail::paint_top(area, curves, theme),
        Plot::Levels { levels, end, limit, colour } => paint_levels(area, levels, *end, *limit, *colour, theme),
        Plot::Frequencies(rows) => frequencies::paint(area, rows, theme),
        Plot::Panels { panels, end } => panels::paint(area, panels, *end, theme),
    }
}

/// What all charts of a page have in common.
#[derive(Clone, Copy, Debug)]
pub struct Style<'t> {
    /// The colors of the theme.
    pub theme: &'t Theme,
    /// Width and height, px.
    pub size: (u32, u32),
}

/// Distribution functions over a common axis of time from 0, with deadlines as upright lines.
#[must_use]
pub fn distributions(curves: &[Curve], style: Style<'_>, label: &str) -> String {
    svg(style, label, |area| paint_distributions(area, curves, style.theme))
}

/// A histogram of times; bins above the deadline are in the color of a mark.
#[must_use]
pub fn histogram(bins: &Histogram, deadline: Option<u64>, colour: Rgb, style: Style<'_>, label: &str) -> String {
    svg(style, label, |area| paint_histogram(area, bins, deadline, colour, style.theme))
}

/// A number of threads from the start to the end of the run, with the number that the device has as
/// a level line.
#[must_use]
pub fn levels(levels: &Levels, end: Time, limit: u64, colour: Rgb, style: Style<'_>, label: &str) -> String {
    svg(style, label, |area| paint_levels(area, levels, end, limit, colour, style.theme))
}

fn svg<'s>(style: Style<'_>, label: &str, paint: impl FnOnce(&DrawingArea<SVGBackend<'_>, Shift>) -> Painted<SVGBackend<'s>>) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, style.size).into_drawing_area();
        // Writing to memory does not fail.
        let _ = paint(&area);
        let _ = area.present();
    }
    let label = label.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    text.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{label}\" "), 1)
}

fn paint_distributions<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, curves: &[Curve], theme: &Theme) -> Painted<DB> {
    let greatest = |c: &Curve| c.points.last().map_or(0, |p| p.0).max(c.deadline.unwrap_or(0));
    let end = padded(curves.iter().map(greatest).max().unwrap_or(0));
    let share = |y: &u128| format!("{} %", y * 100 / WHOLE);
    let mut plot = axes(area, 0..end, 0..WHOLE, theme, &share)?;
    for curve in curves {
        if let Some(deadline) = curve.deadline {
            upright(area, &plot, deadline, WHOLE, (curve.colour, theme.scale))?;
        }
        let total = u128::from(curve.points.last().map_or(1, |p| p.1));
        let steps = curve.points.iter().map(|&(x, count)| (u128::from(x), u128::from(count) * WHOLE / total));
        // From the first value to the last: curves along the floor and the ceiling would hide each other.
        let corners = stairs(steps, end);
        line(area, &mut plot, &corners[1..corners.len() - 1], curve.dashes, 2, (curve.colour, theme.scale))?;
    }
    Ok(())
}

fn paint_histogram<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    bins: &Histogram,
    deadline: Option<u64>,
    colour: Rgb,
    theme: &Theme,
) -> Painted<DB> {
    let (first, width) = (u128::from(bins.first), u128::from(bins.width));
    let end = u128::from(bins.end());
    // A deadline not far beyond the bins is worth the room.
    let deadline = deadline.filter(|&d| u128::from(d) >= first && u128::from(d) <= end + (end - first) / 2);
    // Room on both sides even of a single bin.
    let right = end.max(deadline.map_or(0, u128::from)) + width;
    let tallest = u128::from(bins.counts.iter().copied().max().unwrap_or(0)).max(1);
    let count = |y: &u128| y.to_string();
    let mut plot = axes(area, first.saturating_sub(width)..right, 0..tallest + tallest.div_ceil(10), theme, &count)?;
    for (i, &n) in bins.counts.iter().enumerate().filter(|(_, n)| **n > 0) {
        let left = first + width * i as u128;
        let is_late = deadline.is_some_and(|d| left > u128::from(d));
        let fill = rgb(if is_late { theme.cursor } else { colour });
        plot.draw_series([Rectangle::new([(left, u128::from(n)), (left + width, 0)], fill.filled())])?;
        plot.draw_series([Rectangle::new([(left, u128::from(n)), (left + width, 0)], rgb(theme.ground).stroke_width(1))])?;
    }
    match deadline {
        Some(deadline) => upright(area, &plot, deadline, tallest + tallest.div_ceil(10), (theme.cursor, theme.scale)),
        None => Ok(()),
    }
}

fn paint_levels<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    levels: &Levels,
    end: Time,
    limit: u64,
    colour: Rgb,
    theme: &Theme,
) -> Painted<DB> {
    let end = u128::from(end.ns().max(1));
    let top = u128::from(levels.greatest.max(limit).max(1));
    let count = |y: &u128| y.to_string();
    let mut plot = axes(area, 0..end, 0..top + top.div_ceil(10), theme, &count)?;
    let steps = levels.points.iter().map(|&(at, level)| (u128::from(at.ns()), u128::from(level)));
    let corners = stairs(steps, end);
    let mut outline: Vec<BackendCoord> = corners.iter().chain(&[(end, 0)]).map(|corner| plot.backend_coord(corner)).collect();
    outline.dedup();
    let (x, y) = area.get_pixel_range();
    area.draw(&Polygon::new(outline.iter().map(|p| (p.0 - x.start, p.1 - y.start)).collect::<Vec<_>>(), rgb(colour).mix(0.35)))?;
    line(area, &mut plot, &corners, &[], 1, (colour, theme.scale))?;
    line(area, &mut plot, &[(0, u128::from(limit)), (end, u128::from(limit))], DEADLINE_DASHES, 1, (theme.ink, theme.scale))
}

/// A chart's axes: time along the bottom in one unit, something else at the left.
fn axes<'a, DB: DrawingBackend + 'a>(
    area: &DrawingArea<DB, Shift>,
    x: Range<u128>,
    y: Range<u128>,
    theme: &Theme,
    y_label: &dyn Fn(&u128) -> String,
) -> Result<Axes<'a, DB>, DrawingAreaErrorKind<DB::ErrorType>> {
    let unit = TimeUnit::for_greatest(x.end);
    axes_of(area, (x, unit.name, &|x| unit.short(*x)), (y, "", y_label), theme)
}

/// The range of an axis, its name, and how its numbers are written.
type Scale<'f> = (Range<u128>, &'f str, &'f dyn Fn(&u128) -> String);

fn axes_of<'a, DB: DrawingBackend + 'a>(
    area: &DrawingArea<DB, Shift>,
    (x, x_name, x_label): Scale<'_>,
    (y, y_name, y_label): Scale<'_>,
    theme: &Theme,
) -> Result<Axes<'a, DB>, DrawingAreaErrorKind<DB::ErrorType>> {
    let (width, _) = area.dim_in_pixel();
    let text = text_style(theme);
    let (label_px, line_px) = (scaled(LABEL_PX, theme), scaled(1, theme) as u32);
    let mut plot = ChartBuilder::on(area)
        .margin_top(label_px / 2)
        .margin_right(label_px * 3 / 2)
        .x_label_area_size(label_px * 3)
        .y_label_area_size(if y_name.is_empty() { label_px * 9 / 2 } else { label_px * 6 })
        .build_cartesian_2d(x, y)?;
    plot.configure_mesh()
        .x_labels((f64::from(width) / theme.scale / 55.0).clamp(4.0, 12.0) as usize)
        .y_labels(6)
        .x_label_formatter(&x_label)
        .y_label_formatter(&y_label)
        .x_desc(x_name)
        .y_desc(y_name)
        .label_style(text.clone())
        .axis_desc_style(text)
        .set_all_tick_mark_size(scaled(TICK_PX, theme))
        .axis_style(rgb(theme.axis).stroke_width(line_px))
        .bold_line_style(rgb(theme.grid).stroke_width(line_px))
        .light_line_style(rgb(theme.grid).mix(0.0))
        .draw()?;
    Ok(plot)
}

/// A deadline.
fn upright<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, plot: &Axes<'_, DB>, at: u64, top: u128, stroke: Stroke) -> Painted<DB> {
    dashed(area, &[plot.backend_coord(&(at.into(), 0)), plot.backend_coord(&(at.into(), top))], DEADLINE_DASHES, 1, stroke)
}

fn line<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    plot: &mut Axes<'_, DB>,
    corners: &[(u128, u128)],
    dashes: &[i32],
    width: u32,
    stroke: Stroke,
) -> Painted<DB> {
    let mut points: Vec<BackendCoord> = corners.iter().map(|corner| plot.backend_coord(corner)).collect();
    points.dedup();
    dashed(area, &points, dashes, width, stroke)
}

/// A line of level and upright pieces, in pixels of the backend, cut into dashes.
fn dashed<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    points: &[BackendCoord],
    dashes: &[i32],
    width: u32,
    stroke: Stroke,
) -> Painted<DB> {
    let (x, y) = area.get_pixel_range();
    let points = points.iter().map(|p| (p.0 - x.start, p.1 - y.start));
    let (colour, scale) = stroke;
    let scaled = |px: i32| ((f64::from(px) * scale).round() as i32).max(1);
    let dashes: Vec<i32> = dashes.iter().map(|&px| scaled(px)).collect();
    let stroke_width = scaled(width as i32) as u32;
    for piece in cut(points, &dashes) {
        area.draw(&PathElement::new(piece, ShapeStyle { color: rgb(colour).to_rgba(), filled: false, stroke_width }))?;
    }
    Ok(())
}

/// The pieces of a line that its dashes leave.
#[must_use]
pub fn cut(points: impl Iterator<Item = BackendCoord>, dashes: &[i32]) -> Vec<Vec<BackendCoord>> {
    if dashes.is_empty() {
        return vec![points.collect()];
    }
    let (mut pieces, mut piece): (Vec<Vec<BackendCoord>>, Vec<BackendCoord>) = (Vec::new(), Vec::new());
    let (mut dash, mut left) = (0, dashes[0]);
    let mut last: Option<BackendCoord> = None;
    for to in points {
        let Some(mut from) = last.replace(to) else {
            piece.push(to);
            continue;
        };
        while from != to {
            // Level or upright: one of the two is 0.
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let step = left.min(dx.abs().max(dy.abs()));
            from = (from.0 + dx.clamp(-step, step), from.1 + dy.clamp(-step, step));
            left -= step;
            if dash % 2 == 0 {
                piece.push(from);
            }
            if left == 0 {
                dash = (dash + 1) % dashes.len();
                left = dashes[dash];
                if dash % 2 == 0 { piece.push(from) } else { pieces.push(std::mem::take(&mut piece)) }
            }
        }
    }
    pieces.push(piece);
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// Both ends of every level stretch, the first one from 0 on, the last one to `end`.
#[must_use]
pub fn stairs(steps: impl Iterator<Item = (u128, u128)>, end: u128) -> Vec<(u128, u128)> {
    let mut corners = vec![(0, 0)];
    let mut level = 0;
    for (x, y) in steps {
        corners.extend([(x.min(end), level), (x.min(end), y)]);
        level = y;
    }
    corners.push((end, level));
    corners
}

/// A twentieth more, so that nothing ends at the edge.
fn padded(greatest: u64) -> u128 {
    let greatest = u128::from(greatest).max(1);
    greatest + greatest.div_ceil(20)
}

/// A length in pixels of the backend, at least one.
fn scaled(px: i32, theme: &Theme) -> i32 {
    ((f64::from(px) * theme.scale).round() as i32).max(1)
}

fn text_style(theme: &Theme) -> TextStyle<'static> {
    (FAMILY, TEXT_PX * theme.text_scale * theme.scale).into_font().color(&rgb(theme.faint_ink))
}

const fn rgb(colour: Rgb) -> RGBColor {
    RGBColor(colour.0, colour.1, colour.2)
}
