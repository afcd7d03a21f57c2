//! Pictures of copies and kernels over time.
//!
//! Depends on `view::ticks` and `look`. Invariants: everything lies inside the picture; copies of
//! one engine never overlap, kernels that do lie in rows of their own; names come out as text.

use super::look::{Look, px};
use crate::units::{Time, TimeRange};
use crate::view::lettering::{fitted, width_px};
use crate::view::markup::Markup;
use crate::view::ticks::ticks;
use crate::view::time_scale::TimeScale;

/// Something that took time.
#[derive(Clone, Debug)]
pub(super) struct Bar {
    /// Which lane, from 0.
    pub(super) lane: usize,
    /// Whose colour.
    pub(super) task: usize,
    /// From start to end.
    pub(super) time: TimeRange,
    /// Words for it, where they fit.
    pub(super) label: String,
    /// Fewer words, where those do not.
    pub(super) short: String,
    /// Whether it was held up then, instead of running.
    pub(super) is_held: bool,
}

/// What is drawn.
pub(super) struct Timeline<'a> {
    /// Its name, for screen readers.
    pub(super) title: &'a str,
    /// What its patterns are called; different for each picture of the page.
    pub(super) id: &'a str,
    /// Names of lanes, from top to bottom.
    pub(super) lanes: &'a [&'a str],
    pub(super) bars: &'a [Bar],
    /// How many tasks there are.
    pub(super) tasks: usize,
    /// Where it ends.
    pub(super) end: Time,
    /// The instant of the step, if there is one.
    pub(super) cursor: Option<Time>,
    /// Height of a row.
    pub(super) row_px: f64,
    /// Whether instants are written below.
    pub(super) axis: bool,
}

const LETTERS_PX: f64 = 11.5;
const GAP_PX: f64 = 5.0;

/// A bar with the row of its lane.
struct Placed<'a> {
    bar: &'a Bar,
    row: usize,
}

/// Rows for the bars of a lane: the first that is free. Gives the number of rows too.
fn rows(bars: &[Bar], lane: usize) -> (Vec<Placed<'_>>, usize) {
    let mut sorted: Vec<&Bar> = bars.iter().filter(|bar| bar.lane == lane).collect();
    sorted.sort_by_key(|bar| (bar.time.start, bar.time.end));
    let mut ends: Vec<Time> = Vec::new();
    let mut placed = Vec::new();
    for bar in sorted {
        let row = ends.iter().position(|end| *end <= bar.time.start).unwrap_or(ends.len());
        if row == ends.len() {
            ends.push(bar.time.end);
        } else {
            ends[row] = bar.time.end;
        }
        placed.push(Placed { bar, row });
    }
    (placed, ends.len().max(1))
}

/// The picture, as SVG.
pub(super) fn draw(of: &Timeline<'_>, look: Look) -> String {
    let width = look.width_px;
    let left = of.lanes.iter().map(|lane| width_px(lane, LETTERS_PX)).fold(40.0_f64, f64::max) + 12.0;
    let scale = TimeScale::fit(of.end, left, width - left - 4.0);
    let top = if of.cursor.is_some() { 18.0 } else { 3.0 };
    let lanes: Vec<_> = (0..of.lanes.len()).map(|lane| rows(of.bars, lane)).collect();
    let rows: usize = lanes.iter().map(|(_, rows)| rows).sum();
    let bottom = top + rows as f64 * of.row_px + of.lanes.len() as f64 * GAP_PX;
    let height = bottom + if of.axis { 20.0 } else { 1.0 };
    let view = format!("0 0 {} {}", px(width), px(height));
    let mut svg = Markup::new();
    svg.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("viewBox", &view),
            ("width", &px(width)),
            ("height", &px(height)),
            ("role", "img"),
            ("aria-label", of.title),
            ("font-family", "system-ui, sans-serif"),
            ("font-size", &px(LETTERS_PX)),
        ],
    );
    svg.markup(&look.patterns(of.id, of.tasks));
    let mut y = top;
    let mut bars = Markup::new();
    for ((placed, rows), name) in lanes.iter().zip(of.lanes) {
        let lane_height = *rows as f64 * of.row_px;
        rect(&mut svg, (left, y), (width - left - 4.0, lane_height), look.soft);
        let middle = px(y + lane_height / 2.0 + 4.0);
        svg.leaf("text", &[("x", &px(left - 8.0)), ("y", &middle), ("text-anchor", "end"), ("fill", look.quiet)], name);
        let mut drawn_to = vec![f64::MIN; *rows];
        for Placed { bar, row } in placed {
            let x0 = scale.x_from_time(bar.time.start).max(left);
            let x1 = scale.x_from_time(bar.time.end).min(width - 4.0);
            if x1 <= x0 || x1 - drawn_to[*row] < 0.4 {
                continue;
            }
            drawn_to[*row] = x1;
            one(&mut bars, of, bar, (x0, y + *row as f64 * of.row_px), x1 - x0, look);
        }
        y += lane_height + GAP_PX;
    }
    if of.axis {
        axis(&mut svg, &scale, (top, bottom), look);
    }
    svg.markup(&bars.finish());
    if let Some(at) = of.cursor {
        let x = scale.x_from_time(at);
        svg.single(
            "path",
            &[("d", &format!("M{},{top} V{}", px(x), px(bottom))), ("stroke", look.ink), ("stroke-width", "2"), ("fill", "none")],
        )
        .raw("</path>");
        let label = crate::view::quantity::format_time_short(at.ns());
        let half = width_px(&label, LETTERS_PX) / 2.0;
        let x = x.max(left + half - 8.0).min(width - half - 2.0);
        svg.leaf("text", &[("x", &px(x)), ("y", "12"), ("text-anchor", "middle"), ("fill", look.ink), ("font-weight", "650")], &label);
    }
    svg.finish()
}

fn rect(svg: &mut Markup, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
    svg.open("rect", &[("x", &px(x)), ("y", &px(y)), ("width", &px(width)), ("height", &px(height)), ("fill", fill)]).close();
}

fn one(svg: &mut Markup, of: &Timeline<'_>, bar: &Bar, (x, y): (f64, f64), width: f64, look: Look) {
    let fill = if bar.is_held { "none".to_owned() } else { format!("url(#{}{})", of.id, bar.task) };
    let (stroke, dash) = if bar.is_held { (look.mark, "4 3") } else { (look.ground, "") };
    let inset = if bar.is_held { 1.5 } else { 0.5 };
    let (w, h) = ((width - 2.0 * inset).max(0.6), of.row_px - 2.0 * inset);
    svg.open("g", &[]);
    svg.leaf("title", &[], &format!("{}: {} to {}", bar.label, time(bar.time.start), time(bar.time.end)));
    svg.open(
        "rect",
        &[
            ("x", &px(x + inset)),
            ("y", &px(y + inset)),
            ("width", &px(w)),
            ("height", &px(h)),
            ("rx", "2"),
            ("fill", &fill),
            ("stroke", if width > 3.0 { stroke } else { "" }),
            ("stroke-width", if bar.is_held { "2" } else { "1" }),
            ("stroke-dasharray", dash),
        ],
    )
    .close();
    let words = if width_px(&bar.label, LETTERS_PX) <= width - 8.0 { &bar.label } else { &bar.short };
    let label = fitted(words, width - 8.0, LETTERS_PX);
    if label.chars().count() > 1 && of.row_px >= 14.0 {
        let ink = if bar.is_held { look.mark.to_owned() } else { look.on_task(bar.task) };
        let weight = if bar.is_held { "650" } else { "" };
        svg.leaf("text", &[("x", &px(x + 5.0)), ("y", &px(y + of.row_px / 2.0 + 4.0)), ("fill", &ink), ("font-weight", weight)], &label);
    }
    svg.close();
}

fn axis(svg: &mut Markup, scale: &TimeScale, (top, bottom): (f64, f64), look: Look) {
    let ticks = ticks(scale);
    let last = ticks.ticks.iter().rev().find(|tick| !tick.label.is_empty()).map(|tick| tick.x_px);
    for tick in ticks.ticks.iter().filter(|tick| tick.major) {
        let d = format!("M{},{} V{}", px(tick.x_px), px(top), px(bottom + 3.0));
        svg.single("path", &[("d", &d), ("stroke", look.line), ("stroke-opacity", ".6"), ("fill", "none")]).raw("</path>");
        let label = if Some(tick.x_px) == last { format!("{} {}", tick.label, ticks.unit) } else { tick.label.clone() };
        let anchor = if Some(tick.x_px) == last && tick.x_px > scale.right_px() - 40.0 { "end" } else { "middle" };
        svg.leaf("text", &[("x", &px(tick.x_px)), ("y", &px(bottom + 15.0)), ("text-anchor", anchor), ("fill", look.quiet)], &label);
    }
}

/// An instant in words.
pub(super) fn time(at: Time) -> String {
    crate::view::quantity::format_time(at.ns())
}
