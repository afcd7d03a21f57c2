//! What changed in a step from a trace to another.
//!
//! Invariant: the names of both stand beside the numbers.

use leptos::prelude::*;

use super::causes::share_colour;
use super::tables::more;
use crate::components::safe;
use crate::state::trace::TraceState;
use blockstep_sim::units::written::format_count;
use blockstep_tracer::{ChangedRow, ComparedTraces};

const TITLE: &str = "What changed in a step";

/// Rows that are there at first.
const FIRST: usize = 10;

/// The verdict, the files and a button that swaps them.
#[component]
pub(super) fn Verdict(compared: ComparedTraces, name: String, trace: TraceState) -> impl IntoView {
    let ComparedTraces { verdict, about, .. } = compared;
    let before = trace.name_before().unwrap_or_default();
    view! {
        <section class="trace-answer" id="trace-verdict" role="status">
            <p class="trace-headline">{verdict}</p>
            <p>{format!("Before: {}. After: {}. {about}", safe(&before), safe(&name))}</p>
            <div class="tool-row">
                <button type="button" class="small" id="trace-swap" on:click=move |_| trace.swap()>"Swap before and after"</button>
            </div>
        </section>
    }
}

/// What changed beyond noise, the most first.
#[component]
pub(super) fn Changes(compared: ComparedTraces) -> impl IntoView {
    let ComparedTraces { rows, left, .. } = compared;
    let (shown, all) = (RwSignal::new(FIRST), rows.len());
    let line = |row: &ChangedRow| {
        let times = row.times.iter().map(|time| view! { <td class="num">{time.clone()}</td> }).collect_view();
        view! {
            <tr>
                <th scope="row"><i class="trace-key" style=format!("background:{}", share_colour(row.share))></i> " " {safe(&row.what)}</th>
                {times}
            </tr>
        }
    };
    let body = move || rows.iter().take(shown.get()).map(line).collect_view();
    let note = (left > 0).then(|| view! { <p class="tool-note">{format!("{} more are not listed.", format_count(left))}</p> });
    (all > 0).then(|| {
        view! {
            <section aria-labelledby="trace-changes-title">
                <h3 id="trace-changes-title">{TITLE}</h3>
                <div class="tool-scroll" role="group" aria-label=TITLE tabindex="0">
                    <table class="tool-table" id="trace-changes">
                        <thead>
                            <tr>
                                <th scope="col">"What"</th>
                                <th scope="col" class="num">"Before"</th>
                                <th scope="col" class="num">"After"</th>
                                <th scope="col" class="num">"Difference"</th>
                            </tr>
                        </thead>
                        <tbody>{body}</tbody>
                    </table>
                </div>
                {more(shown, all)} {note}
            </section>
        }
    })
}
