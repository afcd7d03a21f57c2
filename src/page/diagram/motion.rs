//! Moves of the queue diagram that slide.
//!
//! Invariants: what a step moved slides from where it was, and only where neither the reader nor the system wants it otherwise; nothing is
//! decided here.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::state::AppState;

/// Slides what a single step forward moved from the place it came from.
pub(super) fn animate_moves(state: AppState, diagram: NodeRef<leptos::html::Div>) {
    Effect::new(move |last: Option<u32>| {
        let position = state.cursor.position.get();
        state.cursor.queues.track();
        let is_step = last.is_some_and(|last| last + 1 == position);
        let is_fast = state.cursor.is_playing.get_untracked() && state.cursor.pace.get_untracked().is_fast();
        if is_step && !is_fast {
            request_animation_frame(move || {
                let Some(place) = diagram.try_get_untracked().flatten() else { return };
                // Asked in the frame: by then the reader may have gone elsewhere, or no longer want it.
                if state.cursor.position.get_untracked() == position && untrack(|| state.settings.shows_motion()) {
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
        let Some(element) = entered.item(i).and_then(|n| n.dyn_into::<web_sys::HtmlElement>().ok()) else { continue };
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
        slide(&element, dx as i64, dy as i64);
    }
}

/// Has an element slide from a place beside its own, px. The style sheet has the animation under two names, as one that is
/// named anew begins anew.
fn slide(element: &web_sys::HtmlElement, dx: i64, dy: i64) {
    let style = element.style();
    let name = if style.get_property_value("animation-name").is_ok_and(|name| name == "slide-in") { "slide-in-again" } else { "slide-in" };
    for (property, value) in [("--dx", &*format!("{dx}px")), ("--dy", &*format!("{dy}px")), ("animation-name", name)] {
        // Cannot fail on properties that exist.
        let _ = style.set_property(property, value);
    }
}
