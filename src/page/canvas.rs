//! The canvas of the timeline: the only place that knows device pixels.
//!
//! Depends on `draw` and plotters-canvas. Invariants: the canvas has as many pixels as the screen shows, and everything
//! is painted in the page's own pixels.

use plotters::prelude::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use web_sys::HtmlCanvasElement;

use blockstep_draw::{self as draw, Theme};
use blockstep_view::Within;
use blockstep_view::frame::Frame;

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
    if let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) {
        // A canvas that has lost its context stays as it is; the next frame tries again.
        let _ = draw::paint(&backend.into_drawing_area(), frame, &theme);
    }
}
