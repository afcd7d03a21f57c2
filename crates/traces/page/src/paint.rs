//! Painting the timeline of a trace: lanes, what is in them, the selected operation with the arrow from its call.
//!
//! A million operations are merged to some thousand boxes by the worker; they are painted straight to the canvas, as plotters' backend
//! would take a call with a color for each. Invariants: everything is painted in the page's own pixels; places come from one
//! [`Layout`], which the pointer uses too.

use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::causes::{HOST, LAUNCHING, UNKNOWN, WAITING, colour};
use blockstep_draw::Theme;
use blockstep_sim::units::Time;
use blockstep_sim::units::written::format_time_short;
use blockstep_traces_messages::{DrawnPiece, OperationCard, Overview, Tone};
use blockstep_ui::fit;
use blockstep_view::Within;
use blockstep_view::palette::Rgb;
use blockstep_view::ticks::ticks;
use blockstep_view::time_scale::TimeScale;

/// Heights of the axis, of a group's heading, and of a lane, px.
pub(crate) const AXIS_PX: f64 = 22.0;
const GROUP_PX: f64 = 20.0;
const LANE_PX: f64 = 22.0;
/// Of a lane above and below its boxes.
const GAP_PX: f64 = 3.0;
/// Of a character of a label, by estimate.
const CHAR_PX: f64 = 6.1;
const FONT: &str = "11px system-ui, sans-serif";
const BOLD: &str = "600 11px system-ui, sans-serif";

/// Colors of what is in lanes, in the order of [`Tone`]: on a light ground, on a dark one.
pub(crate) const TONES: [(&str, &str); 11] = [
    ("#0072b2", "#56b4e9"),
    // Not orange, as the host on a path is that.
    ("#7a5195", "#b58fd0"),
    ("#cc79a7", "#d38fb4"),
    ("#2aa37c", "#1fb384"),
    ("#a9afb8", "#7d8591"),
    ("#d3d7dd", "#4a525e"),
    ("#5b8f3a", "#7fb85a"),
    (HOST, HOST),
    // On a dark ground kernels have the other's color.
    (LAUNCHING, "#f0e442"),
    (WAITING, WAITING),
    (UNKNOWN, UNKNOWN),
];

/// Where lanes stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    /// Top of each lane, px.
    pub(crate) lanes: Vec<f64>,
    /// Headings: top, place of the lane below.
    groups: Vec<(f64, usize)>,
    /// Height of all, px.
    pub(crate) height: f64,
}

impl Layout {
    pub(crate) fn new(overview: &Overview) -> Self {
        let mut layout = Self { height: AXIS_PX, ..Self::default() };
        for (place, lane) in overview.lanes.iter().enumerate() {
            if !lane.group.is_empty() {
                layout.groups.push((layout.height, place));
                layout.height += GROUP_PX;
            }
            layout.lanes.push(layout.height);
            layout.height += LANE_PX;
        }
        layout
    }

    pub(crate) fn lane_at(&self, y: f64) -> Option<usize> {
        self.lanes.iter().position(|top| (*top..*top + LANE_PX).contains(&y))
    }
}

pub(crate) struct Scene<'s> {
    pub(crate) overview: &'s Overview,
    pub(crate) layout: &'s Layout,
    pub(crate) scale: TimeScale,
    pub(crate) lanes: &'s [Vec<DrawnPiece>],
    pub(crate) card: Option<&'s OperationCard>,
    /// The range that is taken, its ends in any order.
    pub(crate) range: Option<(Time, Time)>,
    pub(crate) is_dark: bool,
}

pub(crate) const fn theme(is_dark: bool) -> Theme {
    if is_dark { Theme::dark() } else { Theme::light() }
}

pub(crate) fn css(Rgb(r, g, b): Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Paints it on a canvas of this size, px.
pub(crate) fn paint(canvas: &HtmlCanvasElement, (width, height): (f64, f64), scene: &Scene<'_>) {
    let Some(mut brush) = Brush::new(canvas, (width, height)) else { return };
    let context = brush.context.clone();
    let theme = theme(scene.is_dark);
    brush.fill(&css(theme.ground));
    brush.rect(0.0, 0.0, width, height);
    let (left, right) = (scene.scale.left_px(), scene.scale.right_px());
    brush.fill(&css(theme.lane));
    for top in &scene.layout.lanes {
        brush.rect(left, top + 1.0, right - left, LANE_PX - 2.0);
    }
    axis(&mut brush, scene, &theme, height);
    context.save();
    context.begin_path();
    context.rect(left, 0.0, right - left, height);
    context.clip();
    for (top, lane) in scene.layout.lanes.iter().zip(scene.lanes) {
        boxes(&mut brush, scene, *top, lane);
    }
    for (top, lane) in scene.layout.lanes.iter().zip(scene.lanes) {
        names(&mut brush, scene, *top, lane);
    }
    if let Some(card) = scene.card {
        selected(&mut brush, scene, card, &theme);
    }
    if let Some((anchor, head)) = scene.range {
        range(&mut brush, scene, (anchor.min(head), anchor.max(head)), &theme, height);
    }
    context.restore();
    titles(&mut brush, scene, &theme, left);
}

/// What paints on a canvas.
pub(crate) struct Brush {
    context: CanvasRenderingContext2d,
    /// The color that is set; setting one costs more than comparing.
    last: String,
}

impl Brush {
    /// A brush of a canvas, which gets a size, px; `None` if the canvas has lost its context: it stays as it is, and the next frame tries
    /// again.
    pub(crate) fn new(canvas: &HtmlCanvasElement, size: (f64, f64)) -> Option<Self> {
        let ratio = fit(canvas, size, 1.0);
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        // Numbers of ours are finite.
        let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
        Some(Self { context, last: String::new() })
    }

    pub(crate) fn fill(&mut self, colour: &str) {
        if self.last != colour {
            colour.clone_into(&mut self.last);
            self.context.set_fill_style_str(colour);
        }
    }

    pub(crate) fn rect(&self, x: f64, y: f64, width: f64, height: f64) {
        self.context.fill_rect(x, y, width, height);
    }

    fn text(&self, text: &str, x: f64, y: f64) {
        // A text at a finite place can be painted.
        let _ = self.context.fill_text(text, x, y);
    }
}

/// As much of a text as has room.
fn cut(text: &str, px: f64) -> String {
    let room = (px / CHAR_PX).max(0.0) as usize;
    if text.chars().count() <= room { text.to_owned() } else { text.chars().take(room.saturating_sub(1)).chain(['…']).collect() }
}

fn axis(brush: &mut Brush, scene: &Scene<'_>, theme: &Theme, height: f64) {
    let ticks = ticks(&scene.scale);
    brush.context.set_font(FONT);
    brush.context.set_text_align("center");
    for tick in ticks.ticks.iter().filter(|tick| tick.major) {
        brush.fill(&css(theme.grid));
        brush.rect(tick.x_px.round(), AXIS_PX, 1.0, height - AXIS_PX);
        brush.fill(&css(theme.ink));
        brush.text(&tick.label, tick.x_px, 14.0);
    }
    brush.context.set_text_align("left");
    brush.fill(&css(theme.faint_ink));
    let unit = ticks.base.map_or_else(|| ticks.unit.to_owned(), |base| format!("{base} + {}", ticks.unit));
    brush.text(&cut(&unit, scene.scale.left_px() - 4.0), 4.0, 14.0);
}

fn titles(brush: &mut Brush, scene: &Scene<'_>, theme: &Theme, left: f64) {
    brush.fill(&css(theme.ink));
    brush.context.set_font(BOLD);
    for (top, place) in &scene.layout.groups {
        brush.text(&cut(&scene.overview.lanes[*place].group, scene.scale.right_px()), 4.0, top + 14.0);
    }
    brush.context.set_font(FONT);
    for (top, lane) in scene.layout.lanes.iter().zip(&scene.overview.lanes) {
        brush.text(&cut(&lane.title, left - 8.0), 4.0, top + 15.0);
    }
}

/// Left edge and width of what is drawn as one, px.
pub(crate) fn place_of(scale: &TimeScale, drawn: &DrawnPiece) -> (f64, f64) {
    let (x, end) = (scale.x_from_time(drawn.piece.from), scale.x_from_time(drawn.piece.to));
    (x, (end - x).max(1.0))
}

fn boxes(brush: &mut Brush, scene: &Scene<'_>, top: f64, lane: &[DrawnPiece]) {
    for drawn in lane {
        let (x, width) = place_of(&scene.scale, drawn);
        if x > scene.scale.right_px() || x + width < scene.scale.left_px() {
            continue;
        }
        let (light, dark) = TONES[drawn.tone as usize];
        brush.fill(if scene.is_dark { dark } else { light });
        // Of several in a pixel, the more of the time they fill the darker; one fills all of its time.
        let span = drawn.piece.to.since(drawn.piece.from).ns();
        let share = (drawn.piece.busy_ns as f64 / span.max(1) as f64).min(1.0);
        if drawn.tone == Tone::Level {
            // As high as it is full.
            let height = ((LANE_PX - 2.0 * GAP_PX) * share).max(1.0);
            brush.rect(x, top + LANE_PX - GAP_PX - height, width, height);
            continue;
        }
        brush.context.set_global_alpha(0.3 + 0.7 * share);
        // Neighbors stay apart where there is room for that.
        let gap = if width > 4.0 { 0.5 } else { 0.0 };
        brush.rect(x, top + GAP_PX, width - gap, LANE_PX - 2.0 * GAP_PX);
        brush.context.set_global_alpha(1.0);
        if drawn.is_found {
            brush.fill(if scene.is_dark { "#ffab70" } else { "#b93d0b" });
            brush.rect(x, top + LANE_PX - GAP_PX, width.max(2.0), GAP_PX);
        }
    }
}

fn names(brush: &mut Brush, scene: &Scene<'_>, top: f64, lane: &[DrawnPiece]) {
    brush.context.set_font(FONT);
    for drawn in lane.iter().filter(|drawn| !drawn.name.is_empty()) {
        let (x, width) = place_of(&scene.scale, drawn);
        let (from, to) = (x.max(scene.scale.left_px()), (x + width).min(scene.scale.right_px()));
        let is_white = if scene.is_dark { drawn.tone == Tone::Other } else { matches!(drawn.tone, Tone::Kernel | Tone::Copy) };
        if to - from > 24.0 {
            brush.fill(if is_white { "#ffffff" } else { "#000000" });
            brush.text(&cut(&drawn.name, to - from - 6.0), from + 3.0, top + 15.0);
        }
    }
}

/// The operation selected: its edge, the parts of its wait before it, and an arrow from its call.
fn selected(brush: &mut Brush, scene: &Scene<'_>, card: &OperationCard, theme: &Theme) {
    let context = brush.context.clone();
    let x_of = |time: Time| scene.scale.x_from_time(time);
    let Some(&top) = card.lanes.0.and_then(|lane| scene.layout.lanes.get(lane as usize)) else { return };
    let middle = top + LANE_PX / 2.0;
    let mut at = card.called.unwrap_or(card.start);
    for part in &card.parts {
        let to = at.after(blockstep_sim::units::Span(part.ns)).unwrap_or(at);
        brush.fill(colour(Some(part.cause)));
        brush.rect(x_of(at), top + LANE_PX - 2.0, (x_of(to) - x_of(at)).max(0.5), 4.0);
        at = to;
    }
    let ink = css(theme.selected);
    context.set_stroke_style_str(&ink);
    context.set_line_width(2.0);
    let (x, end) = (x_of(card.start), x_of(card.end));
    context.stroke_rect(x - 1.0, top + GAP_PX - 1.0, (end - x).max(1.0) + 2.0, LANE_PX - 2.0 * GAP_PX + 2.0);
    let from = card.lanes.1.and_then(|lane| scene.layout.lanes.get(lane as usize)).zip(card.called);
    let Some((call_top, called)) = from else { return };
    let (from_x, from_y, to_y) = (x_of(called), call_top + LANE_PX - GAP_PX, middle - LANE_PX / 2.0 + GAP_PX);
    context.set_line_width(1.5);
    context.begin_path();
    context.move_to(from_x, from_y);
    context.line_to(x, to_y);
    context.stroke();
    let angle = (to_y - from_y).atan2(x - from_x);
    context.begin_path();
    for turn in [-0.4_f64, 0.4] {
        context.move_to(x, to_y);
        context.line_to(x - 9.0 * (angle + turn).cos(), to_y - 9.0 * (angle + turn).sin());
    }
    context.stroke();
}

/// The range that is taken: its ground, its ends, and on the axis how long it is.
fn range(brush: &mut Brush, scene: &Scene<'_>, (from, to): (Time, Time), theme: &Theme, height: f64) {
    let (left, right) = (scene.scale.left_px(), scene.scale.right_px());
    let (x, end) = (scene.scale.x_from_time(from), scene.scale.x_from_time(to));
    if x > right || end < left {
        return;
    }
    brush.fill(&css(theme.selected));
    brush.context.set_global_alpha(0.1);
    brush.rect(x, AXIS_PX, end - x, height - AXIS_PX);
    brush.context.set_global_alpha(1.0);
    for end in [x, end] {
        brush.rect(end - 0.75, 2.0, 1.5, height);
    }
    brush.rect(x, AXIS_PX - 4.0, end - x, 2.0);
    let length = format_time_short(to.since(from).ns());
    let width = CHAR_PX * length.chars().count() as f64 + 14.0;
    let middle = f64::midpoint(x.max(left), end.min(right)).within(left + width / 2.0, right - width / 2.0);
    brush.rect(middle - width / 2.0, 2.0, width, AXIS_PX - 4.0);
    brush.fill(&css(theme.ground));
    brush.context.set_font(BOLD);
    brush.context.set_text_align("center");
    brush.text(&length, middle, 15.0);
    brush.context.set_text_align("left");
}
