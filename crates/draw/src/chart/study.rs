//! Charts of schedulability: shares with their bands, and demand against time.
//!
//! Depends on the rest of the charts. Invariant: curves are cut into dashes along their length.

use std::ops::Range;

use plotters::drawing::DrawingArea;
use plotters::element::{PathElement, Polygon};
use plotters::style::{Color, ShapeStyle};
use plotters_backend::{BackendCoord, DrawingBackend};

use super::{DEADLINE_DASHES, Painted, Shift, Style, axes_of, line, padded, rgb, stairs, svg, upright};
use crate::Theme;
use blockstep_view::palette::Rgb;
use blockstep_view::results::unit::TimeUnit;

/// A curve of [`bands`].
#[derive(Clone, Debug)]
pub struct Band {
    /// Its color.
    pub colour: Rgb,
    /// Its dashes: pixels on and off in turn; none is a solid line.
    pub dashes: &'static [i32],
    /// Its points, x ascending.
    pub points: Vec<BandPoint>,
}

/// A point with its band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BandPoint {
    /// Where it is.
    pub x: u64,
    /// How high.
    pub y: u64,
    /// From the lower end of the band to the upper one.
    pub band: (u64, u64),
}

/// An axis.
#[derive(Clone, Copy)]
pub struct Axis<'a> {
    /// From where to where.
    pub range: (u64, u64),
    /// What it is called.
    pub name: &'a str,
    /// How its numbers are written.
    pub label: &'a dyn Fn(u64) -> String,
}

/// Curves with bands; and where the points of each curve are, px.
#[must_use]
pub fn bands(curves: &[Band], x: Axis<'_>, y: Axis<'_>, style: Style<'_>, label: &str) -> (String, Vec<Vec<(i32, i32)>>) {
    let mut places = Vec::new();
    let text = svg(style, label, |area| paint_bands(area, curves, x, y, style.theme, &mut places));
    (text, places)
}

/// A picture of curves that stands alone.
#[derive(Clone, Debug)]
pub struct BandsAlone {
    /// The picture.
    pub svg: String,
    /// Its width and height, px.
    pub size: (u32, u32),
    /// Where the points of each curve are, px.
    pub places: Vec<Vec<(i32, i32)>>,
}

/// The same as a picture that stands alone: the names of the curves are below, and each curve has marks of its own at its points, unless
/// they are too many.
#[must_use]
pub fn bands_alone(curves: &[Band], x: Axis<'_>, y: Axis<'_>, style: Style<'_>, label: &str, legend: &[String]) -> BandsAlone {
    let has_marks = curves.iter().all(|curve| curve.points.len() <= MOST_MARKS);
    let mark = |curve: usize, (x, y): (i32, i32)| {
        let (shape, colour) = (MARKS[curve % MARKS.len()], curves[curve].colour.css());
        if has_marks { format!("<path d=\"M{x} {y}{shape}\" fill=\"{colour}\"/>") } else { String::new() }
    };
    let stroke = |place: usize, curve: &Band| {
        let dashes = curve.dashes.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        let dashes = if dashes.is_empty() { "none" } else { &dashes };
        let line = format!("<path d=\"M0 0H40\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>", curve.colour.css());
        line + &mark(place, (20, 0))
    };
    let named = curves.iter().zip(legend).enumerate();
    let lines: Vec<(String, &str)> = named.map(|(place, (curve, name))| (stroke(place, curve), name.as_str())).collect();
    let (chart, places) = bands(curves, x, y, style, label);
    let marks: String = places
        .iter()
        .enumerate()
        .flat_map(|(curve, points)| points.iter().map(move |at| (curve, *at)))
        .map(|(curve, at)| mark(curve, at))
        .collect();
    let chart = format!("{}{marks}</svg>\n", chart.trim_end().trim_end_matches("</svg>"));
    BandsAlone { svg: with_legend(&chart, style, &lines), size: (style.size.0, tall(style, lines.len())), places }
}

/// Most points of a curve that has marks.
const MOST_MARKS: usize = 40;

/// The marks of the curves, from their middle: a disk, a square, triangles, a diamond, a cross, an X and a bar.
const MARKS: [&str; 8] = [
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0",
    "m-3 -3h6v6h-6z",
    "m0 -4.5l4.5 8h-9z",
    "m0 -5l5 5l-5 5l-5 -5z",
    "m0 4.5l4.5 -8h-9z",
    "m-1.2 -4.5h2.4v3.3h3.3v2.4h-3.3v3.3h-2.4v-3.3h-3.3v-2.4h3.3z",
    "m-4 -2.5l1.5 -1.5l2.5 2.5l2.5 -2.5l1.5 1.5l-2.5 2.5l2.5 2.5l-1.5 1.5l-2.5 -2.5l-2.5 2.5l-1.5 -1.5l2.5 -2.5z",
    "m-1.5 -5h3v10h-3z",
];

/// Height of a line of a legend, px.
const LINE: u32 = 18;

/// Height of a chart with so many lines below, px.
fn tall(style: Style<'_>, lines: usize) -> u32 {
    style.size.1 + LINE * lines as u32 + LINE / 2
}

/// Below the chart a line for each mark, which is 40 px wide around a middle at 0, and its name.
pub(super) fn with_legend(chart: &str, style: Style<'_>, lines: &[(String, &str)]) -> String {
    let (width, height) = style.size;
    let tall = tall(style, lines.len());
    let mut rows = String::new();
    for (i, (mark, name)) in lines.iter().enumerate() {
        let y = height + LINE * i as u32 + LINE / 2;
        rows.push_str(&format!(
            "<g transform=\"translate(24 {y})\">{mark}</g>\
             <text x=\"74\" y=\"{}\" font-family=\"{}\" font-size=\"12\" fill=\"{}\">{}</text>\n",
            y + 4,
            super::FAMILY,
            style.theme.ink.css(),
            escaped(name)
        ));
    }
    let ground = format!("<rect width=\"{width}\" height=\"{tall}\" fill=\"{}\"/>\n", style.theme.ground.css());
    // The size stands twice: as height and in the view box.
    let taller = chart.replacen(&format!("height=\"{height}\""), &format!("height=\"{tall}\""), 1);
    let taller = taller.replacen(&format!("0 0 {width} {height}"), &format!("0 0 {width} {tall}"), 1);
    let inside = taller.find('>').map_or(0, |i| i + 1);
    format!("{}\n{ground}{}{rows}</svg>\n", &taller[..inside], taller[inside..].trim_end().trim_end_matches("</svg>"))
}

fn paint_bands<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    curves: &[Band],
    x: Axis<'_>,
    y: Axis<'_>,
    theme: &Theme,
    places: &mut Vec<Vec<BackendCoord>>,
) -> Painted<DB> {
    let range = |axis: Axis<'_>| -> Range<u128> { axis.range.0.into()..u128::from(axis.range.1.max(axis.range.0 + 1)) };
    let number = |n: &u128| u64::try_from(*n).unwrap_or(u64::MAX);
    let (x_label, y_label) = (|n: &u128| (x.label)(number(n)), |n: &u128| (y.label)(number(n)));
    let plot = axes_of(area, (range(x), x.name, &x_label), (range(y), y.name, &y_label), theme)?;
    let (left, top) = (area.get_pixel_range().0.start, area.get_pixel_range().1.start);
    let place = |x: u64, y: u64| {
        let at = plot.backend_coord(&(x.into(), y.into()));
        (at.0 - left, at.1 - top)
    };
    for curve in curves {
        let upper = curve.points.iter().map(|p| place(p.x, p.band.1));
        let lower = curve.points.iter().rev().map(|p| place(p.x, p.band.0));
        let outline: Vec<BackendCoord> = upper.chain(lower).collect();
        if curve.points.len() > 1 {
            area.draw(&Polygon::new(outline, rgb(curve.colour).mix(0.18)))?;
        } else if let [only] = &curve.points[..] {
            // A single point has a bar for a band.
            let ends = vec![place(only.x, only.band.0), place(only.x, only.band.1)];
            area.draw(&PathElement::new(ends, ShapeStyle { color: rgb(curve.colour).mix(0.4), filled: false, stroke_width: 5 }))?;
        }
    }
    for curve in curves {
        let points: Vec<BackendCoord> = curve.points.iter().map(|p| place(p.x, p.y)).collect();
        for piece in dashed_along(&points, curve.dashes) {
            area.draw(&PathElement::new(piece, ShapeStyle { color: rgb(curve.colour).to_rgba(), filled: false, stroke_width: 2 }))?;
        }
        places.push(points);
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The pieces of a line with any slope that its dashes leave.
#[must_use]
pub fn dashed_along(points: &[BackendCoord], dashes: &[i32]) -> Vec<Vec<BackendCoord>> {
    if dashes.is_empty() || points.len() < 2 {
        return vec![points.to_vec()];
    }
    let round = |p: (f64, f64)| (p.0.round() as i32, p.1.round() as i32);
    let (mut pieces, mut piece) = (Vec::new(), vec![points[0]]);
    let (mut dash, mut left) = (0, f64::from(dashes[0]));
    for pair in points.windows(2) {
        let (from, to) = ((f64::from(pair[0].0), f64::from(pair[0].1)), (f64::from(pair[1].0), f64::from(pair[1].1)));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut done = 0.0;
        while done < length {
            let step = left.min(length - done);
            done += step;
            left -= step;
            let at = round((from.0 + (to.0 - from.0) * done / length, from.1 + (to.1 - from.1) * done / length));
            if dash % 2 == 0 {
                piece.push(at);
            }
            if left <= 1e-9 {
                dash = (dash + 1) % dashes.len();
                left = f64::from(dashes[dash].max(1));
                if dash % 2 == 0 { piece.push(at) } else { pieces.push(std::mem::take(&mut piece)) }
            }
        }
    }
    pieces.push(piece);
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// Demand against time.
#[derive(Clone, Debug, Default)]
pub struct DemandCurve {
    /// (instant, demand, blocking), ns, ascending.
    pub points: Vec<(u64, u64, u64)>,
    /// To where it is drawn.
    pub until: u64,
    /// The first failing instant.
    pub failure: Option<u64>,
}

/// The demand-bound function, with blocking as a second line where there is any, and time as the
/// sloped line that it must stay below.
#[must_use]
pub fn demand(curve: &DemandCurve, colours: [Rgb; 2], style: Style<'_>, label: &str) -> String {
    svg(style, label, |area| paint_demand(area, curve, colours, style.theme))
}

fn paint_demand<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, curve: &DemandCurve, colours: [Rgb; 2], theme: &Theme) -> Painted<DB> {
    let end = padded(curve.until);
    let sum = |p: &(u64, u64, u64)| u128::from(p.1) + u128::from(p.2);
    let top = curve.points.iter().map(sum).max().unwrap_or(0).max(end);
    let (unit, upper) = (TimeUnit::for_greatest(end), TimeUnit::for_greatest(top));
    let (x_label, y_label) = (|x: &u128| unit.short(*x), |y: &u128| upper.short(*y));
    let y_name = format!("due, {}", upper.name);
    let mut plot = axes_of(area, (0..end, unit.name, &x_label), (0..top + top / 20, &y_name, &y_label), theme)?;
    let (left, up) = (area.get_pixel_range().0.start, area.get_pixel_range().1.start);
    let slope = [(0, 0), (end, end)].map(|at| plot.backend_coord(&at)).map(|p| (p.0 - left, p.1 - up));
    area.draw(&PathElement::new(slope.to_vec(), ShapeStyle { color: rgb(theme.axis).to_rgba(), filled: false, stroke_width: 1 }))?;
    if let Some(at) = curve.failure {
        upright(area, &plot, at, top, (theme.missed, theme.scale))?;
    }
    if curve.points.iter().any(|p| p.2 > 0) {
        let corners = stairs(curve.points.iter().map(|p| (u128::from(p.0), sum(p))), end);
        line(area, &mut plot, &corners, DEADLINE_DASHES, 2, (colours[1], theme.scale))?;
    }
    let corners = stairs(curve.points.iter().map(|p| (u128::from(p.0), u128::from(p.1))), end);
    line(area, &mut plot, &corners, &[], 2, (colours[0], theme.scale))
}
