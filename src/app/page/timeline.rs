//! The timeline panel: the canvas, the line of the current step, zoom, pan, hover and selection.
//!
//! Depends on `state`, `canvas` and the timeline's view model. Invariant: painting and hit-testing
//! use the same time scale and the same height.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::canvas;
use super::dynamic::{Of, bind, by_id, effect, flag, listen, said};
use super::size::follow_size;
use super::state::AppState;
use super::tip::{TipText, tip};
use crate::view::quantity;
use crate::view::timeline::{LEFT_PX, RIGHT_PX};

/// Zoom for one pixel of a wheel.
const WHEEL_ZOOM: f64 = 0.0016;

/// Pointers may move this far and still click, px.
const CLICK_PX: f64 = 4.0;

/// Pictures narrower than this are compact.
const COMPACT_PX: f64 = 640.0;

/// Left margin of a compact picture.
const COMPACT_LEFT_PX: f64 = 62.0;

/// What the pointers do.
#[derive(Clone, Default)]
struct Gesture {
    /// Pointers down: id and place.
    pointers: Vec<(i32, f64, f64)>,
    /// How far they have moved since the first one went down.
    moved: f64,
    /// Whether the line of the current step is being dragged.
    on_line: bool,
}

/// Its fixed parts.
pub(super) const PARTS: &str = r#"<section class="panel timeline" id="timeline-panel" aria-labelledby="timeline-title"><div class="panel-head"><h2 id="timeline-title">Block timeline</h2><div class="bookmarks" id="bookmarks" role="group" aria-label="Moments to look at"></div><div class="zoom" role="group" aria-label="Zoom"><button class="icon small" data-zoom="out" aria-label="Zoom out (S)" title="Zoom out (S)">−</button><button class="icon small" data-zoom="in" aria-label="Zoom in (W)" title="Zoom in (W)">+</button><button id="fit" class="small" data-zoom="fit" title="Show the whole run (F or double click)">Fit</button></div></div><div class="timeline-place" id="timeline-place"><canvas id="timeline" role="img"></canvas><div id="veil" class="veil"><span>What comes now is hidden</span></div><div id="cursor-line" class="cursor-line" role="slider" tabindex="0" aria-label="Current time; drag, or step with the arrow keys" aria-valuemin="0"><span class="cursor-flag" id="cursor-flag"></span></div></div></section>"#;

/// Paints the run and follows the pointer.
pub(super) fn start(state: AppState) {
    let gesture = StoredValue::new(Gesture::default());
    let tips = tip();
    let width = move || {
        let (left, width) = state.plot.get();
        left + width + RIGHT_PX
    };
    let height = move || state.run.with(|run| run.timeline.natural_height_px(width() < COMPACT_PX));
    let room = RwSignal::new(0.0);
    follow_size("timeline-place", move |place| {
        // The page may be gone in tests.
        let _ = room.try_set(f64::from(place.client_width()));
    });
    effect(move || {
        let width = room.get() / state.magnification();
        let left = if width < COMPACT_PX { COMPACT_LEFT_PX } else { LEFT_PX };
        let plot = (left, (width - left - RIGHT_PX).max(40.0));
        if state.plot.get_untracked() != plot {
            state.plot.set(plot);
        }
    });
    effect(move || {
        let (scale, height, is_dark, selected) = (state.scale.get(), height(), state.is_dark(), state.selected_row());
        let Some(canvas) = by_id("timeline") else { return };
        state.run.with(|run| canvas::paint(&canvas, &run.timeline.frame(&scale, height, None, selected), is_dark, state.magnification()));
    });

    let at = move |x: f64, y: f64| {
        let rect = document().get_element_by_id("timeline-place").map(|p| p.get_bounding_client_rect());
        let larger = untrack(|| state.magnification());
        rect.map_or((x, y), |r| ((x - r.left()) / larger, (y - r.top()) / larger))
    };
    let hit = move |x: f64, y: f64| {
        let (scale, height) = (state.scale.get_untracked(), untrack(height));
        if state.is_veiled.get_untracked() && x >= scale.x_from_time(state.now_untracked()) {
            return None;
        }
        state.run.with_untracked(|run| run.timeline.hit(&scale, height, x, y))
    };
    let axis = move || state.run.with_untracked(|run| run.timeline.axis_px(untrack(height)));
    let go_to_x = move |x: f64| {
        let time = state.scale.with_untracked(|scale| scale.time_from_x(x));
        state.is_playing.set(false);
        state.go_to_time(time);
    };

    let on_wheel = move |ev: &ev::WheelEvent| {
        ev.prevent_default();
        let (x, _) = at(ev.client_x().into(), ev.client_y().into());
        let unit = if ev.delta_mode() == 0 { 1.0 } else { 33.0 };
        let (dx, dy) = (ev.delta_x() * unit, ev.delta_y() * unit);
        tips.set(None);
        if ev.shift_key() || dx.abs() > dy.abs() {
            let by = if dx.abs() > dy.abs() { dx } else { dy };
            state.rescale(|scale, end| scale.panned(by, end));
        } else {
            state.rescale(|scale, end| scale.zoomed((-dy * WHEEL_ZOOM * if ev.ctrl_key() { 4.0 } else { 1.0 }).exp(), x, end));
        }
    };
    let capture = move |ev: &ev::PointerEvent| {
        if let Some(target) = ev.current_target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()) {
            // Fails for pointers that are gone; then there is nothing to follow.
            let _ = target.set_pointer_capture(ev.pointer_id());
        }
    };
    let on_down = move |ev: &ev::PointerEvent| {
        if ev.button() != 0 {
            return;
        }
        capture(ev);
        tips.set(None);
        let (x, y) = at(ev.client_x().into(), ev.client_y().into());
        gesture.update_value(|g| {
            if g.pointers.is_empty() {
                (g.moved, g.on_line) = (0.0, false);
            }
            g.pointers.push((ev.pointer_id(), x, y));
        });
    };
    let on_move = move |ev: &ev::PointerEvent| {
        let (x, y) = at(ev.client_x().into(), ev.client_y().into());
        let before = gesture.get_value();
        let Some(&(id, old_x, old_y)) = before.pointers.iter().find(|p| p.0 == ev.pointer_id()) else {
            let found = hit(x, y).filter(|_| ev.pointer_type() != "touch");
            tips.set(found.map(|found| {
                let (title, lines) = state.run.with_untracked(|run| (found.label(&run.timeline), run.timeline.describe(&found)));
                let lines = lines.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                TipText { title, lines, x: f64::from(ev.client_x()), y: f64::from(ev.client_y()) + 8.0 }
            }));
            return;
        };
        gesture.update_value(|g| {
            g.moved += (x - old_x).hypot(y - old_y);
            g.pointers.iter_mut().filter(|p| p.0 == id).for_each(|p| (p.1, p.2) = (x, y));
        });
        match before.pointers[..] {
            [_] if gesture.with_value(|g| g.moved) > CLICK_PX => state.rescale(|scale, end| scale.panned(old_x - x, end)),
            [a, b] => {
                let other = if a.0 == id { b } else { a };
                let (then, now) = ((old_x - other.1).abs().max(8.0), (x - other.1).abs().max(8.0));
                state.rescale(|scale, end| scale.zoomed(now / then, f64::midpoint(x, other.1), end).panned((old_x - x) / 2.0, end));
            }
            _ => {}
        }
    };
    let on_up = move |ev: &ev::PointerEvent| {
        let g = gesture.get_value();
        gesture.update_value(|g| g.pointers.retain(|p| p.0 != ev.pointer_id()));
        if g.pointers.len() != 1 || g.moved > CLICK_PX || ev.type_() == "pointercancel" {
            return;
        }
        let (x, y) = at(ev.client_x().into(), ev.client_y().into());
        match hit(x, y) {
            Some(found) => {
                let (op, at) = state.run.with_untracked(|run| (found.op(&run.timeline), found.at(&run.timeline)));
                if let Some(op) = op {
                    state.select_op(op);
                    state.asked_op.set(Some(op));
                }
                if let Some(at) = at {
                    state.is_playing.set(false);
                    state.go_to_time(at);
                }
            }
            None if y >= axis() => go_to_x(x),
            None => state.selected.set(None),
        }
    };

    let line_x = move || state.scale.with(|scale| scale.x_from_time(state.now())) * state.magnification();
    let is_line_shown =
        move || state.scale.with(|scale| (scale.left_px() - 0.5..=scale.right_px() + 0.5).contains(&scale.x_from_time(state.now())));
    let line_down = move |ev: &ev::PointerEvent| {
        ev.stop_propagation();
        capture(ev);
        gesture.update_value(|g| g.on_line = true);
    };
    let line_move = move |ev: &ev::PointerEvent| {
        if gesture.with_value(|g| g.on_line) {
            ev.stop_propagation();
            go_to_x(at(ev.client_x().into(), 0.0).0);
        }
    };
    let line_up = move |ev: &ev::PointerEvent| {
        ev.stop_propagation();
        gesture.update_value(|g| g.on_line = false);
    };
    // What is hidden is not said either.
    let described =
        move || if state.is_veiled.get() { "Hidden until you answer".to_owned() } else { state.run.with(|run| run.timeline.summary()) };
    let on_zoom = move |event: &ev::MouseEvent| {
        let around_middle = |factor| state.rescale(|scale, end| scale.zoomed(factor, scale.left_px() + scale.width_px() / 2.0, end));
        match said(event, "data-zoom").as_deref() {
            Some("in") => around_middle(1.6),
            Some("out") => around_middle(1.0 / 1.6),
            Some(_) => state.fit(),
            None => {}
        }
    };
    listen("timeline-panel", "click", on_zoom);
    bind("timeline-place", Of::Attribute("style"), move || format!("height:{}px", (height() * state.magnification()).round() as i64));
    listen("timeline-place", "wheel", on_wheel);
    listen("timeline-place", "pointerdown", on_down);
    listen("timeline-place", "pointermove", on_move);
    listen("timeline-place", "pointerup", on_up);
    listen("timeline-place", "pointercancel", on_up);
    listen("timeline-place", "pointerleave", move |_: &web_sys::Event| tips.set(None));
    listen("timeline-place", "dblclick", move |_: &web_sys::Event| state.fit());
    bind("timeline", Of::Attribute("aria-label"), described);
    bind("cursor-line", Of::Attribute("class"), move || if is_line_shown() { "cursor-line" } else { "cursor-line hidden" }.to_owned());
    bind("cursor-line", Of::Attribute("style"), move || format!("transform:translateX({}px)", line_x()));
    bind("veil", Of::Flag("hidden"), move || flag(!state.is_veiled.get()));
    bind("veil", Of::Attribute("style"), move || format!("left:{}px", line_x().round() as i64));
    bind("cursor-line", Of::Attribute("aria-valuemax"), move || state.run.with(|run| run.timeline.end().ns().to_string()));
    bind("cursor-line", Of::Attribute("aria-valuenow"), move || state.now().ns().to_string());
    bind("cursor-line", Of::Attribute("aria-valuetext"), move || quantity::format_time(state.now().ns()));
    bind("cursor-flag", Of::Text, move || quantity::format_time_short(state.now().ns()));
    listen("cursor-line", "pointerdown", line_down);
    listen("cursor-line", "pointermove", line_move);
    listen("cursor-line", "pointerup", line_up);
    listen("cursor-line", "pointercancel", line_up);
}
