//! The few shapes a timeline is made of, in pixels of the frame.
//!
//! Depends on plotters' backend trait. Invariant: edges fall on whole pixels of the backend, so
//! that they are crisp at any scale.

use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontDesc, FontFamily, FontStyle, TextStyle};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, DrawingBackend, DrawingErrorKind};

use super::theme::Theme;
use blockstep_sim::scenario::plain;
use blockstep_view::palette::Rgb;

pub(super) type Painted<DB> = Result<(), DrawingErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// More letters of a text than any picture has room for.
const MOST_LETTERS: usize = 1000;

/// Families that the page and most viewers of SVG know.
const FAMILY: &str = "system-ui, sans-serif";

/// Where a text stands beside its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Left,
    Centre,
    Right,
}

/// A rectangle in pixels of the frame.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) x0: f64,
    pub(super) y0: f64,
    pub(super) x1: f64,
    pub(super) y1: f64,
}

pub(super) struct Brush<'b, DB> {
    backend: &'b mut DB,
    pub(super) theme: &'b Theme,
    origin: BackendCoord,
}

struct Ink {
    colour: BackendColor,
    width: u32,
}

impl BackendStyle for Ink {
    fn color(&self) -> BackendColor {
        self.colour
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

const fn ink(colour: Rgb, width: u32) -> Ink {
    Ink { colour: BackendColor { alpha: 1.0, rgb: (colour.0, colour.1, colour.2) }, width }
}

impl<'b, DB: DrawingBackend> Brush<'b, DB> {
    pub(super) const fn new(backend: &'b mut DB, theme: &'b Theme, origin: BackendCoord) -> Self {
        Self { backend, theme, origin }
    }

    /// A filled rectangle, at least one pixel wide and high.
    pub(super) fn fill(&mut self, area: Area, colour: Rgb) -> Painted<DB> {
        let (x0, y0) = self.point(area.x0, area.y0);
        let (x1, y1) = self.point(area.x1, area.y1);
        self.backend.draw_rect((x0, y0), (x1.max(x0 + 1), y1.max(y0 + 1)), &ink(colour, 1), true)
    }

    /// An upright line, `width` pixels wide, beginning at `x`.
    pub(super) fn upright(&mut self, x: f64, y0: f64, y1: f64, width: f64, colour: Rgb) -> Painted<DB> {
        self.bar((x, y0), (0.0, y1 - y0), width, colour)
    }

    /// A level line.
    pub(super) fn level(&mut self, y: f64, x0: f64, x1: f64, width: f64, colour: Rgb) -> Painted<DB> {
        self.bar((x0, y), (x1 - x0, 0.0), width, colour)
    }

    fn bar(&mut self, at: (f64, f64), size: (f64, f64), width: f64, colour: Rgb) -> Painted<DB> {
        let (x0, y0) = self.point(at.0, at.1);
        let width = self.length(width).max(1);
        let (dx, dy) = (self.length(size.0).max(width), self.length(size.1).max(width));
        self.backend.draw_rect((x0, y0), (x0 + dx, y0 + dy), &ink(colour, 1), true)
    }

    /// The edge of a rectangle in dashes, inside it.
    pub(super) fn dashed(&mut self, area: Area, width: f64, colour: Rgb) -> Painted<DB> {
        for (x0, x1) in dashes(area.x0, area.x1) {
            self.level(area.y0, x0, x1, width, colour)?;
            self.level(area.y1 - width, x0, x1, width, colour)?;
        }
        for (y0, y1) in dashes(area.y0, area.y1) {
            self.upright(area.x0, y0, y1, width, colour)?;
            self.upright(area.x1 - width, y0, y1, width, colour)?;
        }
        Ok(())
    }

    /// A line through points, one pixel wide.
    pub(super) fn path(&mut self, points: &[(f64, f64)], colour: Rgb) -> Painted<DB> {
        self.wide_path(points, 1.0, colour)
    }

    /// A line through points.
    pub(super) fn wide_path(&mut self, points: &[(f64, f64)], width: f64, colour: Rgb) -> Painted<DB> {
        let width = self.length(width).max(1) as u32;
        let points: Vec<BackendCoord> = points.iter().map(|&(x, y)| self.point(x, y)).collect();
        self.backend.draw_path(points, &ink(colour, width))
    }

    /// A filled polygon.
    pub(super) fn polygon(&mut self, points: &[(f64, f64)], colour: Rgb) -> Painted<DB> {
        let points: Vec<BackendCoord> = points.iter().map(|&(x, y)| self.point(x, y)).collect();
        self.backend.fill_polygon(points, &ink(colour, 1))
    }

    /// Words, `size` pixels high, with the middle of their height at `y`.
    pub(super) fn text(&mut self, text: &str, at: (f64, f64), size: f64, anchor: Anchor, colour: Rgb) -> Painted<DB> {
        self.words(text, at, (size, FontStyle::Normal), anchor, colour)
    }

    /// The same in bold letters.
    pub(super) fn bold_text(&mut self, text: &str, at: (f64, f64), size: f64, anchor: Anchor, colour: Rgb) -> Painted<DB> {
        self.words(text, at, (size, FontStyle::Bold), anchor, colour)
    }

    fn words(&mut self, text: &str, (x, y): (f64, f64), (size, weight): (f64, FontStyle), anchor: Anchor, colour: Rgb) -> Painted<DB> {
        let h = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Centre => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let size = size * self.theme.scale * self.theme.text_scale;
        let style = TextStyle {
            font: FontDesc::new(FontFamily::Name(FAMILY), size, weight),
            color: ink(colour, 1).colour,
            pos: Pos::new(h, VPos::Center),
        };
        let at = self.point(x, y);
        // Names are the user's: none of them turns the text around it, or is laid out beyond what can be seen.
        let end = text.char_indices().nth(MOST_LETTERS).map_or(text.len(), |(end, _)| end);
        self.backend.draw_text(&plain(&text[..end]), &style, at)
    }

    fn point(&self, x: f64, y: f64) -> BackendCoord {
        (self.origin.0 + self.length(x), self.origin.1 + self.length(y))
    }

    fn length(&self, px: f64) -> i32 {
        (px * self.theme.scale).round() as i32
    }
}

/// Dashes and what is between them.
const DASH_PX: (f64, f64) = (4.0, 3.0);

/// Begin and end of each dash of a line.
fn dashes(from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> {
    let count = ((to - from) / (DASH_PX.0 + DASH_PX.1)).ceil().max(1.0) as usize;
    (0..count).map(move |i| from + i as f64 * (DASH_PX.0 + DASH_PX.1)).map(move |a| (a, (a + DASH_PX.0).min(to)))
}
