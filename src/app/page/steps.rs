//! The step list: every decision in one sentence, with its rule.
//!
//! Depends on the page's state and on `sentence`. Invariant: only the rows in sight are made, so that a run of
//! millions of steps scrolls like one of fifty.

use leptos::prelude::*;
use web_sys::HtmlElement;

use super::texts::side as texts;
use crate::app::components::follow_size;
use crate::app::components::{Chip, safe};
use crate::app::state::AppState;
use crate::app::state::runs::RunData;
use crate::units::StepId;
use crate::view::{Within, quantity, sentence};

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

/// The panel.
#[component]
pub(super) fn Steps() -> impl IntoView {
    let state = expect_context::<AppState>();
    let list = NodeRef::<leptos::html::Div>::new();
    let scroll = RwSignal::new((0.0, 400.0));
    let sight = Memo::new(move |_| {
        let (scroll, viewport) = scroll.get();
        Sight { count: state.run.step_count(), viewport, scroll }
    });
    let measure = move |list: &HtmlElement| {
        // The page may be gone in tests.
        let _ = scroll.try_set((f64::from(list.scroll_top()), f64::from(list.client_height()).max(ROW)));
    };
    // Once the list is as long as the run.
    let show = move || {
        // What is in sight is known from the last scroll, so that no layout is asked for within the frame.
        let Some(list) = list.try_get_untracked().flatten() else { return };
        let (sight, row) = (sight.get_untracked(), state.cursor.position.get_untracked().saturating_sub(1));
        let (first, shown) = (sight.first(), sight.viewport / ROW);
        if f64::from(row) < first + 0.5 || f64::from(row) > first + shown - 1.5 {
            list.set_scroll_top(sight.centre(row).round() as i32);
            measure(&list);
        }
    };
    Effect::new(move |_| {
        state.cursor.position.track();
        state.run.track();
        request_animation_frame(show);
    });
    follow_size(list, move |list| {
        measure(list);
        show();
    });
    let rows = Memo::new(move |_| (state.run.with(|run| run.id), sight.with(|sight| sight.rows())));
    let each = move || {
        let (run, rows) = rows.get();
        rows.map(move |i| (run, i)).collect::<Vec<_>>()
    };
    // Rows stand where they are scrolled to, however much the list is compressed.
    let top = move || {
        let sight = sight.get();
        sight.scroll - (sight.first() - f64::from(sight.rows().start)) * ROW
    };
    let on_scroll = move |_| {
        if let Some(list) = list.get_untracked() {
            measure(&list);
        }
    };
    view! {
        <section class="panel steps" aria-labelledby="steps-title">
            <h2 id="steps-title">{texts::STEPS}</h2>
            <div class="step-scroll" id="step-scroll" tabindex="-1" node_ref=list on:scroll=on_scroll>
                <div class="step-space" id="step-space" style:height=move || format!("{}px", sight.get().height().round() as i64)>
                    <ol
                        class="step-rows"
                        id="step-rows"
                        style:transform=move || format!("translateY({}px)", top().round() as i64)
                    >
                        <For each=each key=|row| *row children=move |(_, i)| state.run.with_untracked(|run| row(state, run, i)) />
                    </ol>
                </div>
            </div>
        </section>
    }
}

/// A decision in one sentence, with its rule.
fn row(state: AppState, run: &RunData, i: u32) -> AnyView {
    let trace = run.trace();
    if i as usize >= trace.steps().len() {
        return ().into_any();
    }
    let step = trace.step(StepId(i));
    let opens_instant = i == 0 || trace.step(StepId(i - 1)).at != step.at;
    let kernel = step.change.op().map(|op| trace.op(op).row);
    let is_current = Memo::new(move |_| i + 1 == state.cursor.position.get());
    let is_future = Memo::new(move |_| i >= state.cursor.position.get());
    let is_selected = Memo::new(move |_| state.selection.selected_row().is_some_and(|row| Some(row) == kernel));
    let class = move || {
        let flag = |is_so: bool, word: &'static str| if is_so { word } else { "" };
        format!("step{}{}{}", flag(is_current.get(), " current"), flag(is_future.get(), " future"), flag(is_selected.get(), " selected"))
    };
    let exact = opens_instant.then(|| quantity::format_time(step.at.ns()));
    let short = opens_instant.then(|| quantity::format_time_short(step.at.ns()));
    let rule = step.rule;
    view! {
        <li class=class aria-current=move || is_current.get().then_some("step")>
            <span class="step-time" title=exact>{short}</span>
            {move || view! { <Chip rule=rule is_focusable=is_current.get() /> }}
            <button
                class="step-text"
                tabindex=move || if is_current.get() { "0" } else { "-1" }
                data-step=i + 1
                on:click=move |_| state.visit(|| state.cursor.go_to(i + 1))
            >
                {safe(&sentence::sentence(trace, step))}
            </button>
        </li>
    }
    .into_any()
}
