//! A pane that gets other content starts at its top.
//!
//! Depends on Leptos and the browser. Invariant: what changes in place stays where the reader has scrolled to.

use leptos::prelude::*;
use web_sys::Element;

/// What of a pane must be in sight, px.
const LEAST_PX: f64 = 60.0;

/// Brings the top of a pane into sight whenever it has other content, which `what` names. `pane` gives its selector; nothing where another
/// pane comes first.
pub fn starts_at_top(what: impl Fn() -> String + Send + Sync + 'static, pane: impl Fn() -> Option<String> + Copy + 'static) {
    let what = Memo::new(move |_| what());
    Effect::new(move |is_first: Option<bool>| {
        // Read, as a memo that is not has no sources yet.
        drop(what.get());
        if is_first.is_some() {
            // Once the content is there.
            request_animation_frame(move || {
                if let Some(pane) = pane().and_then(|selector| document().query_selector(&selector).ok().flatten()) {
                    show_top(&pane);
                }
            });
        }
        false
    });
}

fn show_top(pane: &Element) {
    // What a tour opens stands below it, and the tour stays in sight.
    if stands_below_a_tool(pane) && !pane.contains(document().active_element().as_deref()) {
        return;
    }
    let top = pane.get_bounding_client_rect().top();
    // In a wide window the panes beside the run have a scroller of their own.
    match pane.closest(".stage-side").ok().flatten().filter(|side| side.scroll_height() > side.client_height()) {
        Some(side) => {
            let sight = side.get_bounding_client_rect();
            if !(sight.top()..sight.bottom() - LEAST_PX).contains(&top.ceil()) {
                side.set_scroll_top(side.scroll_top() + (top - sight.top()).floor() as i32);
            }
        }
        // Elsewhere the page scrolls as a whole: it stays where the reader acts.
        None if top < 0.0 && pane.contains(document().active_element().as_deref()) => pane.scroll_into_view(),
        None => {}
    }
}

fn stands_below_a_tool(pane: &Element) -> bool {
    let mut above = std::iter::successors(pane.previous_element_sibling(), Element::previous_element_sibling);
    above.any(|other| other.matches(".tool:not([hidden])").unwrap_or(false))
}
