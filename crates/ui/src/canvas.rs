//! The canvas of a timeline: its size, and pointers and wheels on it.
//!
//! Depends on the browser, on `draw` with plotters-canvas, and on `view::gesture`. Invariants: nothing else knows device pixels: a
//! canvas has as many as the screen shows, and all is painted and pointed at in the page's own; a wheel counts in px, whatever its unit.

use leptos::ev::{PointerEvent, WheelEvent};
use leptos::prelude::*;
use plotters::prelude::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlCanvasElement, MouseEvent};

use super::size::follow_size;
use blockstep_draw::{self as draw, Theme};
use blockstep_sim::units::Time;
use blockstep_view::Within;
use blockstep_view::frame::Frame;
use blockstep_view::gesture::{Gesture, Move, Wheel};
use blockstep_view::time_scale::TimeScale;

/// Px of a line, the unit in which some browsers count a wheel.
const LINE_PX: f64 = 33.0;

/// The element that heard it hears the pointer until it goes up, wherever it moves.
pub fn capture(event: &PointerEvent) {
    if let Some(target) = event.current_target().and_then(|target| target.dyn_into::<Element>().ok()) {
        // Fails for pointers that are gone; then there is nothing to follow.
        let _ = target.set_pointer_capture(event.pointer_id());
    }
}

/// Gives a canvas a size, px, larger by a factor; how many pixels of the screen each has.
pub fn fit(canvas: &HtmlCanvasElement, (width, height): (f64, f64), larger: f64) -> f64 {
    let ratio = window().device_pixel_ratio().within(1.0, 4.0) * larger;
    let size = ((width * ratio).round() as u32, (height * ratio).round() as u32);
    // A canvas that is given a size is emptied, though it be the same.
    if (canvas.width(), canvas.height()) != size {
        canvas.set_width(size.0);
        canvas.set_height(size.1);
    }
    ratio
}

/// Paints a frame, larger by a factor.
pub fn paint(canvas: &HtmlCanvasElement, frame: &Frame, is_dark: bool, larger: f64) {
    let ratio = fit(canvas, (frame.width_px, frame.height_px), larger);
    let theme = if is_dark { Theme::dark() } else { Theme::light() }.scaled(ratio);
    if let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) {
        // A canvas that has lost its context stays as it is; the next frame tries again.
        let _ = draw::paint(&backend.into_drawing_area(), frame, &theme);
    }
}

/// The element around a canvas, which hears the pointers.
#[derive(Clone, Copy)]
pub struct CanvasPlace {
    pub node: NodeRef<leptos::html::Div>,
    /// Its width on the screen, px.
    pub room: RwSignal<f64>,
    /// By what factor the page is larger on the screen.
    larger: Signal<f64>,
    gesture: StoredValue<Gesture>,
}

impl CanvasPlace {
    pub fn new(larger: Signal<f64>) -> Self {
        let place = Self { node: NodeRef::new(), room: RwSignal::new(0.0), larger, gesture: StoredValue::new(Gesture::default()) };
        follow_size(place.node, move |node| {
            // The page may be gone in tests.
            let _ = place.room.try_set(f64::from(node.client_width()));
        });
        place
    }

    /// Where a pointer is, px.
    pub fn at(self, event: &MouseEvent) -> (f64, f64) {
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        let larger = self.larger.get_untracked();
        let rect = self.node.get_untracked().map(|node| node.get_bounding_client_rect());
        rect.map_or((x, y), |rect| ((x - rect.left()) / larger, (y - rect.top()) / larger))
    }

    /// The scale after a turn of the wheel; `None` if that scrolls the page.
    pub fn turned(self, event: &WheelEvent, scale: TimeScale, end: Time) -> Option<TimeScale> {
        let unit = if event.delta_mode() == 0 { 1.0 } else { LINE_PX };
        let is_zoom = event.ctrl_key() || event.meta_key();
        let wheel = Wheel { dx: event.delta_x() * unit, dy: event.delta_y() * unit, is_shift: event.shift_key(), is_zoom };
        let turned = wheel.apply(scale, self.at(event).0, end)?;
        event.prevent_default();
        Some(turned)
    }

    /// A pointer goes down: where, and whether it is the only one. `None` for other buttons.
    pub fn down(self, event: &PointerEvent) -> Option<((f64, f64), bool)> {
        if event.button() != 0 {
            return None;
        }
        capture(event);
        let (x, y) = self.at(event);
        let is_first = self.gesture.with_value(Gesture::is_idle);
        self.gesture.update_value(|gesture| gesture.down(event.pointer_id(), x, y));
        Some(((x, y), is_first))
    }

    /// What the move of a pointer does, and where it is.
    pub fn moved(self, event: &PointerEvent) -> (Move, (f64, f64)) {
        let (x, y) = self.at(event);
        let moved = self.gesture.try_update_value(|gesture| gesture.follow(event.pointer_id(), x, y));
        (moved.unwrap_or(Move::Hover), (x, y))
    }

    /// A pointer goes up, or is lost; where it clicked, if it did.
    pub fn up(self, event: &PointerEvent) -> Option<(f64, f64)> {
        let is_click = self.gesture.try_update_value(|gesture| gesture.up(event.pointer_id())) == Some(true);
        (is_click && event.type_() != "pointercancel").then(|| self.at(event))
    }
}
