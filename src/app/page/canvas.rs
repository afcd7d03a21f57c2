//! The canvas of the timeline: the only place that knows device pixels.
//!
//! Depends on `draw` and plotters' backend trait, of which it has the few calls that `draw` makes:
//! plotters' own canvas writes numbers with fractions, and what that needs is 2 % of the page.
//! Invariants: the canvas has as many pixels as the screen shows, and everything is painted in the
//! page's own pixels.

use std::convert::Infallible;

use plotters::prelude::IntoDrawingArea;
use plotters_backend::text_anchor::HPos;
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::draw::{self, Theme};
use crate::view::Within;
use crate::view::frame::Frame;
use crate::view::palette::Rgb;

/// Paints a frame, larger by a factor, at the resolution of the screen.
pub(super) fn paint(canvas: &HtmlCanvasElement, frame: &Frame, is_dark: bool, larger: f64) {
    let ratio = leptos::prelude::window().device_pixel_ratio().within(1.0, 4.0) * larger;
    let size = ((frame.width_px * ratio).round() as u32, (frame.height_px * ratio).round() as u32);
    if canvas.width() != size.0 {
        canvas.set_width(size.0);
    }
    if canvas.height() != size.1 {
        canvas.set_height(size.1);
    }
    let theme = if is_dark { Theme::dark() } else { Theme::light() }.scaled(ratio);
    let context = canvas.get_context("2d").ok().flatten().and_then(|context| context.dyn_into().ok());
    if let Some(context) = context {
        let screen = Screen { context, size, fill: None, font: 0 };
        // A canvas that has lost its context stays as it is; the next frame tries again.
        let _ = draw::paint(&screen.into_drawing_area(), frame, &theme);
    }
}

/// A canvas as a backend; what is set in the context is set once for all that follows alike.
struct Screen {
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    fill: Option<(u8, u8, u8)>,
    /// In tenths of a pixel.
    font: u32,
}

type Painted = Result<(), DrawingErrorKind<Infallible>>;

impl Screen {
    fn fill_with(&mut self, colour: BackendColor) {
        if self.fill != Some(colour.rgb) {
            self.fill = Some(colour.rgb);
            self.context.set_fill_style_str(&css(colour));
        }
    }

    fn trace(&self, path: impl IntoIterator<Item = BackendCoord>) {
        self.context.begin_path();
        // The first goes there without a line.
        path.into_iter().for_each(|(x, y)| self.context.line_to(x.into(), y.into()));
    }
}

fn css(colour: BackendColor) -> String {
    Rgb(colour.rgb.0, colour.rgb.1, colour.rgb.2).css()
}

impl DrawingBackend for Screen {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Painted {
        Ok(())
    }

    fn present(&mut self) -> Painted {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Painted {
        self.fill_with(colour);
        self.context.fill_rect(x.into(), y.into(), 1.0, 1.0);
        Ok(())
    }

    /// Always filled: edges are rectangles too.
    fn draw_rect<S: BackendStyle>(&mut self, (x0, y0): BackendCoord, (x1, y1): BackendCoord, style: &S, _: bool) -> Painted {
        self.fill_with(style.color());
        self.context.fill_rect(x0.into(), y0.into(), (x1 - x0).into(), (y1 - y0).into());
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Painted {
        self.context.set_stroke_style_str(&css(style.color()));
        self.context.set_line_width(style.stroke_width().into());
        self.trace(path);
        self.context.stroke();
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Painted {
        self.fill_with(style.color());
        self.trace(path);
        self.context.fill();
        Ok(())
    }

    /// The middle of its height at the point.
    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Painted {
        self.fill_with(style.color());
        let font = (style.size() * 10.0).round() as u32;
        if self.font != font {
            self.font = font;
            self.context.set_font(&format!("{}.{}px {}", font / 10, font % 10, style.family().as_str()));
            self.context.set_text_baseline("middle");
        }
        self.context.set_text_align(match style.anchor().h_pos {
            HPos::Left => "left",
            HPos::Center => "center",
            HPos::Right => "right",
        });
        // A place for text can always be told.
        let _ = self.context.fill_text(&crate::scenario::plain(text), x.into(), y.into());
        Ok(())
    }
}
