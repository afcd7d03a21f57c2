//! Figures for papers, slides and lectures: a timeline, a queue diagram, several of them, a chart, at a
//! width, with a size of text and in one of three palettes.
//!
//! Depends on `view`, the rest of `draw` and plotters. Invariants: one layout for every backend, so that
//! SVG, PNG and TikZ show the same; the widths of text are never asked for; everything lies inside
//! [`Picture::size`]; the page itself does not use it.

mod chart;
mod hatch;
mod print;
pub(super) mod queues;

use std::iter::{Once, once};

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Drawable, PointCollection};
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};
use serde::{Deserialize, Serialize};

pub use chart::{Chart, Line};

use super::brush::{Area, Brush, Painted};
use super::svg::described;
use super::{Theme, timeline};
use blockstep_sim::units::{RowId, Time};
use blockstep_view::frame::Frame;
use blockstep_view::queue_figure::{self, Inset, QueueFigure};
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::{LEFT_PX, RIGHT_PX, Timeline};

/// Widths of a figure, px.
pub const WIDTHS: std::ops::RangeInclusive<u32> = 240..=4000;
/// Sizes of text, px.
pub const FONTS: std::ops::RangeInclusive<u32> = 6..=40;
/// A figure is at least as wide as that many letters are high: less has no room for labels.
pub const LEAST_EMS: u32 = 20;

/// Text height that layouts are made for; other sizes scale them.
const LAYOUT_TEXT_PX: f64 = 12.0;
const TITLE_PX: f64 = 30.0;
/// The families of exported text, the first known one of which is taken.
const FAMILIES: &str = "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif";
/// What the brush asks for.
const BRUSH_FAMILIES: &str = "font-family=\"system-ui, sans-serif\"";

blockstep_sim::listed! {
    /// Colors of a figure.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Palette(word, from_word) {
        /// The page's colors on white.
        #[default]
        Light = "light",
        /// The page's colors on a dark ground, for slides.
        Dark = "dark",
        /// Grays and hatches on white, for paper.
        Print = "print",
    }
}

impl Palette {
    /// Its colors.
    #[must_use]
    pub const fn theme(self) -> Theme {
        match self {
            Self::Light => Theme::light(),
            Self::Dark => Theme::dark(),
            Self::Print => Theme::print(),
        }
    }
}

/// How a figure is to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Width of the whole figure.
    pub width_px: u32,
    /// Height of its letters; titles are somewhat larger, second labels somewhat smaller.
    pub font_px: f64,
    /// Its colors.
    pub palette: Palette,
    /// Whether it says what its boxes or lines mean, where that is not written beside them.
    pub has_legend: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { width_px: 1200, font_px: LAYOUT_TEXT_PX, palette: Palette::Light, has_legend: true }
    }
}

/// Why there is no figure of this style: a number, and its limit.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StyleError {
    #[error("width {0} px: a figure is from {narrow} to {wide} px wide", narrow = WIDTHS.start(), wide = WIDTHS.end())]
    Width(u32),
    #[error("font size {0} px: text is from {small} to {large} px high", small = FONTS.start(), large = FONTS.end())]
    Font(f64),
    #[error("width {width} px: with a font size of {font} px a figure is at least {least} px wide")]
    NarrowForFont { width: u32, font: f64, least: f64 },
}

impl Style {
    /// A style within the limits, with a legend.
    ///
    /// # Errors
    /// Which of width and font size is wrong, its value and the limit.
    pub fn new(width_px: u32, font_px: f64, palette: Palette) -> Result<Self, StyleError> {
        if !WIDTHS.contains(&width_px) {
            return Err(StyleError::Width(width_px));
        }
        if !(f64::from(*FONTS.start())..=f64::from(*FONTS.end())).contains(&font_px) {
            return Err(StyleError::Font(font_px));
        }
        let least = (font_px * f64::from(LEAST_EMS)).ceil();
        if f64::from(width_px) < least {
            return Err(StyleError::NarrowForFont { width: width_px, font: font_px, least });
        }
        Ok(Self { width_px, font_px, palette, has_legend: true })
    }

    /// Width of the layout: where letters are 12 px high.
    #[must_use]
    pub fn layout_px(&self) -> f64 {
        f64::from(self.width_px) / self.scale()
    }

    /// Pixels of the figure for each of the layout.
    fn scale(&self) -> f64 {
        self.font_px / LAYOUT_TEXT_PX
    }
}

/// What is to be drawn.
#[derive(Clone, Copy, Debug)]
pub enum Figure<'a> {
    /// A timeline.
    Timeline {
        /// Its index.
        timeline: &'a Timeline,
        /// The part of it, ns, as [`TimeScale::showing`] takes it; `None` for all.
        shown: Option<(i64, i64)>,
        /// Where a line marks an instant.
        cursor: Option<Time>,
        /// The kernel row before which others step back.
        selected: Option<RowId>,
    },
    /// A queue diagram.
    Queues(&'a Inset),
    /// Queue diagrams in a grid.
    Strip {
        /// From left to right, then down.
        insets: &'a [Inset],
        /// How many stand beside each other; as many as have room if that is not said.
        columns: Option<usize>,
    },
    /// A chart.
    Chart(&'a Chart),
    /// Words in the place of a figure that there is nothing to draw of.
    Note(&'a str),
}

/// A figure laid out: its size is known, and it can be painted on any backend.
pub struct Picture {
    style: Style,
    title: String,
    body: Body,
    size: (u32, u32),
}

/// A part of a picture that is made of several.
pub enum Part {
    /// A timeline.
    Timeline(Box<Frame>),
    /// A diagram, or words.
    Diagram(QueueFigure),
}

impl Part {
    /// How high it is, px of the layout.
    #[must_use]
    pub fn height_px(&self) -> f64 {
        match self {
            Self::Timeline(frame) => frame.height_px,
            Self::Diagram(figure) => figure.height_px,
        }
    }
}

enum Body {
    /// Parts below each other, each with where it begins, px of the layout.
    Stack(Vec<(Part, f64)>),
    Timeline(Box<Frame>),
    Queues(QueueFigure),
    Chart(chart::Laid),
}

impl Body {
    fn of_queues(figure: QueueFigure) -> (Self, f64) {
        let height = figure.height_px;
        (Self::Queues(figure), height)
    }
}

impl Picture {
    /// Lays a figure out; `title` stands above it, and may be empty.
    #[must_use]
    pub fn new(figure: &Figure<'_>, title: &str, style: Style) -> Self {
        let width = f64::from(style.width_px) / style.scale();
        let (body, height) = match *figure {
            Figure::Timeline { timeline, shown, cursor, selected } => {
                let frame = timeline_frame(timeline, width, shown, cursor, selected);
                let height = frame.height_px;
                (Body::Timeline(Box::new(frame)), height)
            }
            Figure::Queues(inset) => Body::of_queues(queue_figure::strip(std::slice::from_ref(inset), 1, width, style.has_legend)),
            Figure::Strip { insets, columns } => {
                let columns = columns.unwrap_or_else(|| queue_figure::columns_for(width, insets.len()));
                Body::of_queues(queue_figure::strip(insets, columns, width, style.has_legend))
            }
            Figure::Chart(chart) => {
                let laid = chart::lay_out(chart, width, style.has_legend);
                let height = laid.height_px;
                (Body::Chart(laid), height)
            }
            Figure::Note(words) => Body::of_queues(queue_figure::note(words, width)),
        };
        Self::laid_out(body, height, title, style)
    }

    /// A timeline that has been laid out already, in px of the layout: see [`Style::layout_px`].
    #[must_use]
    pub fn of_frame(frame: Frame, style: Style) -> Self {
        let size = (style.width_px, (frame.height_px * style.scale()).ceil() as u32);
        Self { style, title: String::new(), body: Body::Timeline(Box::new(frame)), size }
    }

    /// Parts below each other, each in a room so high, px of the layout; `title` stands above them, and may be empty.
    #[must_use]
    pub fn stacked(parts: Vec<(Part, f64)>, title: &str, style: Style) -> Self {
        let mut bottom = 0.0;
        let placed = parts.into_iter().map(|(part, room)| {
            let top = bottom;
            bottom += room;
            (part, top)
        });
        let body = Body::Stack(placed.collect());
        Self::laid_out(body, bottom, title, style)
    }

    fn laid_out(body: Body, height: f64, title: &str, style: Style) -> Self {
        let title_px = if title.is_empty() { 0.0 } else { TITLE_PX };
        // Title and body are rounded each by itself, as they are painted.
        let rounded = |px: f64| (px * style.scale()).round() as u32;
        let size = (style.width_px, rounded(title_px) + rounded(height).max(1));
        Self { style, title: title.to_owned(), body, size }
    }

    /// Width and height, px.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// How it looks.
    #[must_use]
    pub fn style(&self) -> Style {
        self.style
    }

    /// Paints it with its top left corner at that of `area`, which must be as large as [`Self::size`].
    /// The sizes of text are in px of the figure, the height of an em.
    ///
    /// # Errors
    /// What the backend reports; the picture is then incomplete.
    pub fn paint<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        self.paint_with(area, &self.theme())
    }

    fn theme(&self) -> Theme {
        self.style.palette.theme().scaled(self.style.scale())
    }

    fn title_px(&self, theme: &Theme) -> i32 {
        if self.title.is_empty() { 0 } else { (TITLE_PX * theme.scale).round() as i32 }
    }

    fn paint_with<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        theme: &Theme,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        area.draw(&Painting { picture: self, theme })?;
        match &self.body {
            Body::Chart(laid) => laid.paint_plot(&area.split_vertically(self.title_px(theme)).1, theme),
            Body::Stack(_) | Body::Timeline(_) | Body::Queues(_) => Ok(()),
        }
    }

    fn paint_on<DB: DrawingBackend>(&self, backend: &mut DB, theme: &Theme, (x, y): BackendCoord) -> Painted<DB> {
        let (ground, scale) = (theme.ground, theme.scale);
        let whole = Area { x0: 0.0, y0: 0.0, x1: f64::from(self.size.0) / scale, y1: f64::from(self.size.1) / scale };
        Brush::new(backend, theme, (x, y)).fill(whole, ground)?;
        let mut body_y = y;
        if !self.title.is_empty() {
            let width = f64::from(self.style.width_px) / self.style.scale();
            timeline::title(&mut Brush::new(backend, theme, (x, y)), &self.title, width, TITLE_PX)?;
            body_y += self.title_px(theme);
        }
        let is_print = self.style.palette == Palette::Print;
        let brush = &mut Brush::new(backend, theme, (x, body_y));
        match &self.body {
            Body::Stack(parts) => parts.iter().try_for_each(|(part, top)| {
                let brush = &mut Brush::new(backend, theme, (x, body_y + (top * scale).round() as i32));
                match part {
                    Part::Timeline(frame) => paint_timeline(brush, frame, is_print),
                    Part::Diagram(figure) => queues::paint(brush, figure, is_print),
                }
            }),
            Body::Timeline(frame) => paint_timeline(brush, frame, is_print),
            Body::Queues(figure) => queues::paint(brush, figure, is_print),
            // Its plot is painted by plotters' own charts.
            Body::Chart(laid) => laid.paint_legend(brush),
        }
    }

    /// The picture as an SVG document with a description for those who do not see it.
    #[must_use]
    pub fn svg(&self, description: &str) -> String {
        let mut text = String::new();
        {
            let root = SVGBackend::with_string(&mut text, self.size).into_drawing_area();
            // Writing to memory does not fail.
            let _ = self.paint_with(&root, &self.theme().for_svg());
            let _ = root.present();
        }
        let name = if self.title.is_empty() { "Figure" } else { &self.title };
        // Quotes in names are written as entities, so this is the attribute alone.
        described(&text, name, description).replace(BRUSH_FAMILIES, &format!("font-family=\"{FAMILIES}\""))
    }
}

fn paint_timeline<DB: DrawingBackend>(brush: &mut Brush<'_, DB>, frame: &Frame, is_print: bool) -> Painted<DB> {
    if is_print { print::timeline(brush, frame) } else { timeline::paint(brush, frame) }
}

/// Room right of a timeline for words whose letters are wider than estimated.
const SPARE_PX: f64 = 10.0;

/// A timeline so high that its lanes have room.
fn timeline_frame(timeline: &Timeline, width: f64, shown: Option<(i64, i64)>, cursor: Option<Time>, selected: Option<RowId>) -> Frame {
    let scale = timeline_scale(timeline, width, shown);
    timeline.frame(&scale, timeline.natural_height_px(false), cursor, selected)
}

/// Where instants stand in [`Figure::Timeline`], in px of the layout: see [`Style::layout_px`].
#[must_use]
pub fn timeline_scale(timeline: &Timeline, layout_px: f64, shown: Option<(i64, i64)>) -> TimeScale {
    let scale = TimeScale::fit(timeline.end(), LEFT_PX, layout_px - LEFT_PX - RIGHT_PX - SPARE_PX);
    shown.map_or(scale, |shown| scale.showing(shown, timeline.end()))
}

/// A picture as an element of plotters: one call paints it all, straight on the backend.
struct Painting<'p> {
    picture: &'p Picture,
    theme: &'p Theme,
}

impl<'a> PointCollection<'a, BackendCoord> for &'a Painting<'_> {
    type Point = BackendCoord;
    type IntoIter = Once<BackendCoord>;

    fn point_iter(self) -> Self::IntoIter {
        once((0, 0))
    }
}

impl<DB: DrawingBackend> Drawable<DB> for Painting<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut pos: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        self.picture.paint_on(backend, self.theme, pos.next().unwrap_or((0, 0)))
    }
}
