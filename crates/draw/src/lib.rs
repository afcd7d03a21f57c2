//! Painting: one piece of code for the page's canvas and the exported picture.
//!
//! Depends on `view` and plotters. Invariants: what is painted is decided in `view` alone; every
//! call to the backend lies inside the frame; the widths of text are never asked for, as they
//! differ between backends.

mod boxes;
mod brush;
pub mod chart;
pub mod figure;
mod svg;
mod tasks;
pub mod theme;
pub mod tikz;
mod timeline;

use std::iter::{Once, once};

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Drawable, PointCollection};
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};

pub use svg::{SheetPart, sheet, stacked, svg};
pub use theme::Theme;

use blockstep_view::frame::Frame;
use blockstep_view::queue_figure::QueueFigure;

/// Paints a frame with its top left corner at that of `area`.
///
/// # Errors
/// What the backend reports; the picture is then incomplete.
pub fn paint<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    frame: &Frame,
    theme: &Theme,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    area.draw(&Picture { frame, theme })
}

/// Paints the name of a scenario over its picture.
fn paint_title<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    name: &str,
    width: u32,
    theme: &Theme,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    if name.is_empty() { Ok(()) } else { area.draw(&Title { name, width, theme }) }
}

/// Paints a diagram with its top left corner at that of `area`.
fn paint_diagram<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    figure: &QueueFigure,
    theme: &Theme,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    area.draw(&Diagram { figure, theme })
}

/// A frame as an element of plotters: one call paints it all, straight on the backend.
struct Picture<'f> {
    frame: &'f Frame,
    theme: &'f Theme,
}

struct Title<'f> {
    name: &'f str,
    width: u32,
    theme: &'f Theme,
}

struct Diagram<'f> {
    figure: &'f QueueFigure,
    theme: &'f Theme,
}

/// All stand at the corner of their area.
macro_rules! at_the_corner {
    ($($element:ident),*) => {$(
        impl<'a> PointCollection<'a, BackendCoord> for &'a $element<'_> {
            type Point = BackendCoord;
            type IntoIter = Once<BackendCoord>;

            fn point_iter(self) -> Self::IntoIter {
                once((0, 0))
            }
        }
    )*};
}

at_the_corner!(Picture, Title, Diagram);

impl<DB: DrawingBackend> Drawable<DB> for Picture<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut pos: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let origin = pos.next().unwrap_or((0, 0));
        timeline::paint(&mut brush::Brush::new(backend, self.theme, origin), self.frame)
    }
}

impl<DB: DrawingBackend> Drawable<DB> for Title<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut pos: I,
        backend: &mut DB,
        (_, height): (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let origin = pos.next().unwrap_or((0, 0));
        let brush = &mut brush::Brush::new(backend, self.theme, origin);
        timeline::title(brush, self.name, f64::from(self.width), f64::from(height))
    }
}

impl<DB: DrawingBackend> Drawable<DB> for Diagram<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut pos: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let origin = pos.next().unwrap_or((0, 0));
        figure::queues::paint(&mut brush::Brush::new(backend, self.theme, origin), self.figure, false)
    }
}
