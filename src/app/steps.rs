//! The step list: every decision in one sentence, with its rule.
//!
//! Depends on `state` and `view::panels`. Invariant: only the rows in sight are made, so that a run of
//! millions of steps scrolls like one of fifty.

use leptos::html;
use leptos::prelude::*;

use super::dynamic::{effect, live_text};
use super::size::follow_size;
use super::state::app;
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
        (self.scroll / scrollable).clamp(0.0, 1.0) * hidden / ROW
    }

    /// The scroll offset at which a row is in the middle.
    fn centre(self, row: u32) -> f64 {
        let hidden = (f64::from(self.count) * ROW - self.viewport).max(1.0);
        let top = (f64::from(row) * ROW - (self.viewport - ROW) / 2.0).clamp(0.0, hidden);
        top / hidden * (self.height() - self.viewport).max(0.0)
    }

    fn rows(self) -> std::ops::Range<u32> {
        let first = self.first().floor() as u32;
        let last = (self.first() + self.viewport / ROW).ceil() as u32 + 1;
        first.saturating_sub(1)..last.min(self.count)
    }
}

/// The panel.
#[component]
pub(super) fn StepList() -> impl IntoView {
    let state = app();
    let list = NodeRef::<html::Div>::new();
    let scroll = RwSignal::new((0.0, 400.0));
    let sight = move || {
        let (scroll, viewport) = scroll.get();
        Sight { count: state.step_count(), viewport, scroll }
    };
    let measure = move || {
        if let Some(list) = list.get_untracked() {
            scroll.set((f64::from(list.scroll_top()), f64::from(list.client_height()).max(ROW)));
        }
    };
    // Keeps the current step in sight, once the list is as long as the run.
    let show = move || {
        let Some(list) = list.try_get_untracked().flatten() else { return };
        measure();
        let (sight, row) = untrack(|| (sight(), state.position.get().saturating_sub(1)));
        let (first, shown) = (sight.first(), sight.viewport / ROW);
        if f64::from(row) < first + 0.5 || f64::from(row) > first + shown - 1.5 {
            list.set_scroll_top(sight.centre(row).round() as i32);
            measure();
        }
    };
    effect(move || {
        state.position.track();
        state.run.track();
        request_animation_frame(show);
    });
    follow_size(list, move |_| show());
    let rows = move || {
        let position = state.position.get();
        state.run.with(|run| panels::steps(run.trace(), sight().rows(), position, state.look()))
    };
    // Rows stand where they are scrolled to, however much the list is compressed.
    let top = move || {
        let sight = sight();
        format!("transform:translateY({:.0}px)", sight.scroll - (sight.first() - f64::from(sight.rows().start)) * ROW)
    };
    view! {
        <section class="panel steps" aria-labelledby="steps-title">
            <h2 id="steps-title">"Steps"</h2>
            <div class="step-scroll" node_ref=list on:scroll=move |_| measure() tabindex="-1">
                <div class="step-space" style=live_text(move || format!("height:{:.0}px", sight().height()))>
                    <ol class="step-rows" style=live_text(top) inner_html=live_text(rows) on:click=move |ev| state.follow(&ev)></ol>
                </div>
            </div>
        </section>
    }
}
