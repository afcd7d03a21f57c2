//! A backend of plotters that writes TikZ: figures for LaTeX, in the fonts of the document.
//!
//! Depends on plotters. Invariants: what comes out is ASCII that plain pdflatex compiles with the
//! package `tikz` alone, whatever the names are; a color is defined once, by name; nothing is asked
//! of TeX but to fill, to draw and to set text. Source: "The TikZ and PGF packages" (Tantau, Feuersänger
//! and others), part III.

pub mod beamer;
mod shape;
pub mod text;
mod write;

use std::convert::Infallible;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontStyle, FontTransform,
};

use super::figure::{LEAST_EMS, Palette, Picture, Style};
use shape::{Colour, Rect, Shape, Side, Words};
pub use write::{document, fragment};

/// Units of the backend in a point (1/72.27 inch): what is painted must be scaled by this.
pub const UNITS_PER_PT: u32 = 10;
/// Widths of a figure in points: TeX knows no length of 16,384 pt.
pub const WIDTHS_PT: std::ops::RangeInclusive<u32> = 100..=2000;
/// Heights of text in points: the sizes at which LaTeX's own fonts are drawn, so that none is replaced by another.
pub const SIZES_PT: [f64; 12] = [5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 10.95, 12.0, 14.4, 17.28, 20.74, 24.88];

/// What was painted, in units of the backend; y grows downwards.
#[derive(Clone, Debug, PartialEq)]
pub struct TikzSheet {
    width: u32,
    height: u32,
    shapes: Vec<Shape>,
}

impl TikzSheet {
    /// What `paint` paints on an area of that size.
    ///
    /// # Errors
    /// What `paint` reports; the backend itself reports nothing.
    pub fn record(
        size: (u32, u32),
        paint: impl FnOnce(&DrawingArea<Tikz<'_>, Shift>) -> Result<(), DrawingAreaErrorKind<Infallible>>,
    ) -> Result<Self, DrawingAreaErrorKind<Infallible>> {
        let mut shapes = Vec::new();
        {
            let area = Tikz { size, shapes: &mut shapes }.into_drawing_area();
            paint(&area)?;
        }
        Ok(Self { width: size.0, height: size.1, shapes: shape::framed(shapes) })
    }

    /// A figure whose px are the units of the backend, as those of [`style`] are.
    #[must_use]
    pub fn from_picture(picture: &Picture) -> Self {
        // The backend reports no errors, so that there is always a sheet.
        Self::record(picture.size(), |area| picture.paint(area)).unwrap_or(Self { width: 0, height: 0, shapes: Vec::new() })
    }

    /// Width and height in points.
    #[must_use]
    pub fn size_pt(&self) -> (f64, f64) {
        (pt(self.width.into()), pt(self.height.into()))
    }

    /// Runs of letters that LaTeX's own fonts lack and that are written as numbers.
    #[must_use]
    pub fn foreign(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for words in self.shapes.iter().filter_map(Shape::words) {
            for run in text::latex(&words.text).foreign {
                if !found.contains(&run) {
                    found.push(run);
                }
            }
        }
        found
    }
}

/// Why there is no figure of this style for LaTeX: a number, and its limit.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TikzStyleError {
    #[error("width {0} pt: a figure for LaTeX is from {narrow} to {wide} pt wide", narrow = WIDTHS_PT.start(), wide = WIDTHS_PT.end())]
    Width(f64),
    #[error("font size {0} pt: text is from {small} to {large} pt high", small = SIZES_PT[0], large = SIZES_PT[SIZES_PT.len() - 1])]
    Font(f64),
    #[error("width {width} pt: with a font size of {font} pt a figure is at least {least} pt wide")]
    NarrowForFont { width: f64, font: f64, least: f64 },
}

/// The style of a figure for LaTeX, with a legend.
///
/// # Errors
/// Which of width and height of the letters is wrong, its value and the limit.
pub fn style(width_pt: f64, text_pt: f64, palette: Palette) -> Result<Style, TikzStyleError> {
    let (narrow, wide) = (f64::from(*WIDTHS_PT.start()), f64::from(*WIDTHS_PT.end()));
    if !(narrow..=wide).contains(&width_pt) {
        return Err(TikzStyleError::Width(width_pt));
    }
    let (small, large) = (SIZES_PT[0], SIZES_PT[SIZES_PT.len() - 1]);
    if !(small..=large).contains(&text_pt) {
        return Err(TikzStyleError::Font(text_pt));
    }
    let least = text_pt * f64::from(LEAST_EMS);
    if width_pt < least {
        return Err(TikzStyleError::NarrowForFont { width: width_pt, font: text_pt, least });
    }
    let units = f64::from(UNITS_PER_PT);
    Ok(Style { width_px: (width_pt * units).round() as u32, font_px: text_pt * units, palette, has_legend: true })
}

fn pt(units: f64) -> f64 {
    units / f64::from(UNITS_PER_PT)
}

/// The backend.
pub struct Tikz<'s> {
    size: (u32, u32),
    shapes: &'s mut Vec<Shape>,
}

/// Drawing into a list does not fail.
type TikzResult = Result<(), DrawingErrorKind<Infallible>>;

impl Tikz<'_> {
    /// Keeps what can be seen.
    fn add(&mut self, colour: BackendColor, shape: impl FnOnce(Colour) -> Shape) -> TikzResult {
        let colour = Colour::from_backend(colour);
        if colour.is_seen() {
            self.shapes.push(shape(colour));
        }
        Ok(())
    }
}

impl DrawingBackend for Tikz<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> TikzResult {
        Ok(())
    }

    fn present(&mut self) -> TikzResult {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> TikzResult {
        self.add(colour, |colour| Shape::Fill(colour, Rect { x0: x, y0: y, x1: x + 1, y1: y + 1 }))
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> TikzResult {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S, fill: bool) -> TikzResult {
        let rect = Rect { x0: from.0.min(to.0), y0: from.1.min(to.1), x1: from.0.max(to.0), y1: from.1.max(to.1) };
        let width = style.stroke_width();
        self.add(style.color(), |colour| if fill { Shape::Fill(colour, rect) } else { Shape::Outline(colour, width, rect) })
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> TikzResult {
        let (points, width) = (path.into_iter().collect::<Vec<_>>(), style.stroke_width());
        if points.len() < 2 { Ok(()) } else { self.add(style.color(), |colour| Shape::Line(colour, width, points)) }
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> TikzResult {
        let points: Vec<_> = path.into_iter().collect();
        if points.len() < 3 { Ok(()) } else { self.add(style.color(), |colour| Shape::Polygon(colour, points)) }
    }

    fn draw_circle<S: BackendStyle>(&mut self, centre: BackendCoord, radius: u32, style: &S, fill: bool) -> TikzResult {
        let width = if fill { None } else { Some(style.stroke_width()) };
        self.add(style.color(), |colour| Shape::Circle(colour, width, centre, radius))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> TikzResult {
        let side = match style.anchor().h_pos {
            HPos::Left => Side::Left,
            HPos::Center => Side::Middle,
            HPos::Right => Side::Right,
        };
        let turned = match style.transform() {
            FontTransform::None => 0,
            FontTransform::Rotate90 => 90,
            FontTransform::Rotate180 => 180,
            FontTransform::Rotate270 => 270,
        };
        // Capital letters are about two thirds as high as their font.
        let down = match style.anchor().v_pos {
            VPos::Top => 0.68,
            VPos::Center => 0.34,
            VPos::Bottom => 0.0,
        };
        let (size, down) = (style.size().round() as i32, (style.size() * down).round() as i32);
        let at = match turned {
            90 => (at.0 - down, at.1),
            180 => (at.0, at.1 - down),
            270 => (at.0 + down, at.1),
            _ => (at.0, at.1 + down),
        };
        if text.trim().is_empty() {
            return Ok(());
        }
        let is_bold = matches!(style.style(), FontStyle::Bold);
        self.add(style.color(), |colour| Shape::Words(Words { colour, at, size, side, turned, is_bold, text: text.to_owned() }))
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        // About half as wide as high, as in most fonts.
        let size = style.size();
        Ok(((text.chars().count() as f64 * size * 0.52).ceil() as u32, size.ceil() as u32))
    }
}
