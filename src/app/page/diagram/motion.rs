//! Moves of the queue diagram that slide.
//!
//! Depends on the page's state and on where things stand in the browser. Invariants: what a step moved slides from where it was,
//! and only where the reader does not prefer less motion; nothing is decided here.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use crate::app::state::AppState;

/// How long a move takes, ms.
const MOVE_MS: f64 = 260.0;

/// Slides what a single step forward moved from the place it came from, unless the reader
/// prefers no motion.
pub(super) fn animate_moves(state: AppState, diagram: NodeRef<leptos::html::Div>) {
    Effect::new(move |last: Option<u32>| {
        let position = state.cursor.position.get();
        state.cursor.queues.track();
        let is_step = last.is_some_and(|last| last + 1 == position);
        let is_fast = state.cursor.is_playing.get_untracked() && state.cursor.pace.get_untracked().is_fast();
        let calm = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten().is_some_and(|q| q.matches());
        if is_step && !is_fast && !calm {
            request_animation_frame(move || {
                if let Some(place) = diagram.try_get_untracked().flatten() {
                    slide_entered(&place);
                }
            });
        }
        position
    });
}

/// The place an item moves from, by the place it moves to.
const CAME_FROM: [(&str, &str); 5] = [
    ("ee", ".column-streams"),
    ("ce", ".column-streams"),
    ("sm", ".column-queues"),
    ("engine", ".column-queues"),
    ("stream", ".column-tasks"),
];

fn slide_entered(root: &web_sys::Element) {
    let Ok(entered) = root.query_selector_all("[data-entered]") else { return };
    for i in 0..entered.length() {
        let Some(element) = entered.item(i).and_then(|n| n.dyn_into::<web_sys::Element>().ok()) else { continue };
        let (Some(op), Some(to)) = (element.get_attribute("data-op"), element.get_attribute("data-place")) else { continue };
        let Some((_, column)) = CAME_FROM.iter().find(|(place, _)| *place == to) else { continue };
        let source = if to == "stream" {
            root.query_selector(".column-tasks .task-box.changed")
        } else {
            root.query_selector(&format!("{column} [data-op='{op}']"))
        };
        let Some(source) = source.ok().flatten().or_else(|| root.query_selector(&format!("{column} .ghost")).ok().flatten()) else {
            continue;
        };
        let (from, to) = (source.get_bounding_client_rect(), element.get_bounding_client_rect());
        let (dx, dy) = (from.left() - to.left(), from.top() - to.top());
        animate(&element, &format!("translate({}px,{}px)", dx as i64, dy as i64));
    }
}

/// `element.animate`, where the browser has it; web-sys has it only as an unstable API.
fn animate(element: &web_sys::Element, transform: &str) {
    let keyframe = |transform: &str, opacity: f64| {
        let frame = js_sys::Object::new();
        // Setting a property of a plain object cannot fail.
        let _ = js_sys::Reflect::set(&frame, &"transform".into(), &transform.into());
        let _ = js_sys::Reflect::set(&frame, &"opacity".into(), &opacity.into());
        frame
    };
    let options = js_sys::Object::new();
    let _ = js_sys::Reflect::set(&options, &"duration".into(), &MOVE_MS.into());
    let _ = js_sys::Reflect::set(&options, &"easing".into(), &"cubic-bezier(.2,.7,.2,1)".into());
    let frames = js_sys::Array::of2(&keyframe(transform, 0.55), &keyframe("none", 1.0));
    let function = js_sys::Reflect::get(element, &"animate".into()).ok().and_then(|f| f.dyn_into::<js_sys::Function>().ok());
    if let Some(function) = function {
        // Without it the move is simply not animated.
        let _: Result<JsValue, JsValue> = function.call2(element, &frames, &options);
    }
}
