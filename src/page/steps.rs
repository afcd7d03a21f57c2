//! The step list: every decision in one sentence, with its rule.
//!
//! Invariants: only the rows in sight are made, so that a run of millions of steps scrolls like one of fifty; every sentence is shown
//! whole.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use crate::state::AppState;
use crate::state::runs::RunData;
use blockstep_sim::units::StepId;
use blockstep_ui::{Chip, follow_size, safe};
use blockstep_view::{Within, quantity, sentence};

/// Least height of a row, px; the style sheet has the same. A long sentence makes its row higher.
const ROW: f64 = 46.0;

/// Browsers do not lay out much more than this, px; longer lists scroll faster than they are.
const MAX_HEIGHT: f64 = 8_000_000.0;

/// Where the list is scrolled to. How high the rows are that do not exist is not known, so the list is scrolled by
/// shares: the part of the run above a point of the box is as great as the part of the box above that point.
#[derive(Clone, Copy, PartialEq)]
struct Sight {
    count: u32,
    /// Height of the box, px.
    viewport: f64,
    /// Offset of the box, px.
    scroll: f64,
    /// How much of the way the list is scrolled, 0 to 1.
    share: f64,
}

impl Sight {
    /// Height that the list is said to have, px; more if its rows are higher.
    fn height(self) -> f64 {
        (f64::from(self.count) * ROW).min(MAX_HEIGHT)
    }

    /// The row that stands where the scroll bar points to, and the part of it above that point, 0 to 1.
    fn anchor(self) -> (u32, f64) {
        let place = self.share * f64::from(self.count);
        let row = (place.floor() as u32).min(self.count.saturating_sub(1));
        (row, place - f64::from(row))
    }

    /// The rows that exist: as many as fit around the anchor.
    fn rows(self) -> std::ops::Range<u32> {
        let (anchor, _) = self.anchor();
        let above = (self.share * self.viewport / ROW).ceil() as u32 + 1;
        let below = ((1.0 - self.share) * self.viewport / ROW).ceil() as u32 + 2;
        anchor.saturating_sub(above)..anchor.saturating_add(below).min(self.count)
    }

    fn is_whole(self) -> bool {
        self.rows() == (0..self.count)
    }
}

fn share_of(row: u32, count: u32) -> f64 {
    f64::from(row) / f64::from(count.saturating_sub(1).max(1))
}

#[component]
pub(super) fn Steps() -> impl IntoView {
    let state = expect_context::<AppState>();
    let list = NodeRef::<leptos::html::Div>::new();
    let rows_box = NodeRef::<leptos::html::Ol>::new();
    // Offset, height of the box, share.
    let scrolled = RwSignal::new((0.0, 400.0, 0.0));
    let top = RwSignal::new(0.0);
    let sight = Memo::new(move |_| {
        let (scroll, viewport, share) = scrolled.get();
        Sight { count: state.run.step_count(), viewport, scroll, share }
    });
    let measure = move |list: &HtmlElement, share: Option<f64>| {
        let (scroll, viewport) = (f64::from(list.scroll_top()), f64::from(list.client_height()).max(ROW));
        let way = (f64::from(list.scroll_height()) - viewport).max(1.0);
        // The page may be gone in tests.
        let _ = scrolled.try_update(|now| {
            // An offset is a whole number of px: of a long run it says less than the share that led to it.
            let share = share.unwrap_or(if now.0 == scroll { now.2 } else { (scroll / way).within(0.0, 1.0) });
            *now = (scroll, viewport, share);
        });
    };
    // Puts the rows where they are scrolled to, once they stand.
    let place = move || {
        let Some(rows_box) = rows_box.try_get_untracked().flatten() else { return };
        let sight = sight.get_untracked();
        let (row, part) = sight.anchor();
        let nth = row - sight.rows().start.min(row) + 1;
        let element = rows_box.query_selector(&format!(".step:nth-child({nth})")).ok().flatten();
        let Some(anchor) = element.and_then(|row| row.dyn_into::<HtmlElement>().ok()) else { return };
        let anchor = f64::from(anchor.offset_top()) + part * f64::from(anchor.offset_height());
        let offset = if sight.is_whole() { 0.0 } else { sight.scroll + sight.share * sight.viewport - anchor };
        let _ = top.try_set(offset.round());
    };
    // Once the list is as long as the run.
    let show = move || {
        let Some(list) = list.try_get_untracked().flatten() else { return };
        let current = list.query_selector(".step.current").ok().flatten();
        let seen = list.get_bounding_client_rect();
        let is_seen = current.is_some_and(|row| {
            let row = row.get_bounding_client_rect();
            row.top() >= seen.top() && row.bottom() <= seen.bottom()
        });
        if !is_seen {
            let sight = sight.get_untracked();
            let share = share_of(state.cursor.position.get_untracked().saturating_sub(1), sight.count);
            list.set_scroll_top((share * f64::from(list.scroll_height() - list.client_height())).round() as i32);
            measure(&list, Some(share));
        }
    };
    Effect::new(move |_| {
        state.cursor.position.track();
        state.run.track();
        request_animation_frame(show);
    });
    follow_size(list, move |list| {
        measure(list, None);
        // Once the rows stand where the new size puts them.
        request_animation_frame(show);
    });
    let rows = Memo::new(move |_| (state.run.with(|run| run.id), sight.with(|sight| sight.rows())));
    Effect::new(move |_| {
        rows.track();
        sight.track();
        place();
        // The rows may not stand yet.
        request_animation_frame(place);
    });
    let each = move || {
        let (run, rows) = rows.get();
        rows.map(move |i| (run, i)).collect::<Vec<_>>()
    };
    let on_scroll = move |_| {
        if let Some(list) = list.get_untracked() {
            measure(&list, None);
        }
    };
    view! {
        <section class="panel steps" aria-labelledby="steps-title">
            <h2 id="steps-title">"Steps"</h2>
            <div class="step-scroll" id="step-scroll" tabindex="-1" node_ref=list on:scroll=on_scroll>
                <div class="step-space" id="step-space" style:min-height=move || format!("{}px", sight.get().height().round() as i64)>
                    <ol
                        class="step-rows"
                        id="step-rows"
                        node_ref=rows_box
                        style:transform=move || format!("translateY({}px)", top.get() as i64)
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
