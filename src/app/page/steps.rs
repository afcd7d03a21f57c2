//! The step list: every decision in one sentence, with its rule.
//!
//! Depends on `state` and `view::panels`. Invariant: only the rows in sight are made, so that a run of
//! millions of steps scrolls like one of fifty.

use leptos::prelude::*;
use web_sys::HtmlElement;

use super::dynamic::{Of, bind, by_id, effect, listen};
use super::size::follow_size;
use super::state::AppState;
use crate::view::Within;
use crate::view::panels;

/// Height of a row, px; the style sheet has the same.
const ROW: f64 = 46.0;

/// Browsers do not lay out much more than this, px; longer lists scroll faster than they are.
const MAX_HEIGHT: f64 = 8_000_000.0;

/// Which rows are in sight.
#[derive(Clone, Copy, PartialEq)]
struct Sight {
    count: u32,
    viewport: f64,
    scroll: f64,
}

impl Sight {
    fn height(self) -> f64 {
        (f64::from(self.count) * ROW).min(MAX_HEIGHT)
    }

    /// Rows, fractional, above the top edge.
    fn first(self) -> f64 {
        let scrollable = (self.height() - self.viewport).max(1.0);
        let hidden = (f64::from(self.count) * ROW - self.viewport).max(0.0);
        (self.scroll / scrollable).within(0.0, 1.0) * hidden / ROW
    }

    /// The scroll offset at which a row is in the middle.
    fn centre(self, row: u32) -> f64 {
        let hidden = (f64::from(self.count) * ROW - self.viewport).max(1.0);
        let top = (f64::from(row) * ROW - (self.viewport - ROW) / 2.0).within(0.0, hidden);
        top / hidden * (self.height() - self.viewport).max(0.0)
    }

    fn rows(self) -> std::ops::Range<u32> {
        let first = self.first().floor() as u32;
        let last = (self.first() + self.viewport / ROW).ceil() as u32 + 1;
        first.saturating_sub(1)..last.min(self.count)
    }
}

/// Its fixed parts.
pub(super) const PARTS: &str = "<section class='panel steps' aria-labelledby=steps-title><h2 id=steps-title>Steps</h2><div class=step-scroll id=step-scroll tabindex=-1><div class=step-space id=step-space><ol class=step-rows id=step-rows></ol></div></div></section>";

/// Keeps the list in step with the run and the current step in sight.
pub(super) fn start(state: AppState) {
    let scroll = RwSignal::new((0.0, 400.0));
    let sight = move || {
        let (scroll, viewport) = scroll.get();
        Sight { count: state.step_count(), viewport, scroll }
    };
    let measure = move |list: &HtmlElement| {
        // The page may be gone in tests.
        let _ = scroll.try_set((f64::from(list.scroll_top()), f64::from(list.client_height()).max(ROW)));
    };
    // Once the list is as long as the run.
    let show = move || {
        let Some(list) = by_id::<HtmlElement>("step-scroll").filter(|_| !scroll.is_disposed()) else { return };
        measure(&list);
        let (sight, row) = untrack(|| (sight(), state.position.get().saturating_sub(1)));
        let (first, shown) = (sight.first(), sight.viewport / ROW);
        if f64::from(row) < first + 0.5 || f64::from(row) > first + shown - 1.5 {
            list.set_scroll_top(sight.centre(row).round() as i32);
            measure(&list);
        }
    };
    effect(move || {
        state.position.track();
        state.run.track();
        request_animation_frame(show);
    });
    follow_size("step-scroll", move |_| show());
    bind("step-rows", Of::Html, move || {
        let position = state.position.get();
        state.run.with(|run| panels::steps(run.trace(), sight().rows(), position, state.look()))
    });
    // Rows stand where they are scrolled to, however much the list is compressed.
    bind("step-rows", Of::Attribute("style"), move || {
        let sight = sight();
        let top = sight.scroll - (sight.first() - f64::from(sight.rows().start)) * ROW;
        format!("transform:translateY({}px)", top.round() as i64)
    });
    bind("step-space", Of::Attribute("style"), move || format!("height:{}px", sight().height().round() as i64));
    listen("step-scroll", "scroll", move |_: &web_sys::Event| {
        if let Some(list) = by_id("step-scroll") {
            measure(&list);
        }
    });
    listen("step-rows", "click", move |event| state.follow(event));
}
