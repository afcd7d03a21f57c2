//! Pointers and wheels of the browser, for timelines.
//!
//! Depends on the browser and on `view::gesture`. Invariant: a wheel counts in px, whatever its unit.

use leptos::ev;
use wasm_bindgen::JsCast;

use blockstep_view::gesture::Wheel;

/// Px of a line, the unit in which some browsers count a wheel.
const LINE_PX: f64 = 33.0;

/// The element that heard it hears the pointer until it goes up, wherever it moves.
pub(crate) fn capture(event: &ev::PointerEvent) {
    if let Some(target) = event.current_target().and_then(|target| target.dyn_into::<web_sys::Element>().ok()) {
        // Fails for pointers that are gone; then there is nothing to follow.
        let _ = target.set_pointer_capture(event.pointer_id());
    }
}

/// What a wheel did.
pub(crate) fn wheel(event: &ev::WheelEvent) -> Wheel {
    let unit = if event.delta_mode() == 0 { 1.0 } else { LINE_PX };
    Wheel {
        dx: event.delta_x() * unit,
        dy: event.delta_y() * unit,
        is_shift: event.shift_key(),
        is_zoom: event.ctrl_key() || event.meta_key(),
    }
}
