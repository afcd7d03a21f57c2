//! What changed in a step from a trace to another.
//!
//! Invariant: the names of both stand beside the numbers.

use leptos::prelude::*;

use super::causes::share_colour;
use super::tables::number_table;
use crate::state::TraceState;
use blockstep_sim::units::written::format_count;
use blockstep_traces_messages::{ChangedRow, ComparedTraces};
use blockstep_ui::safe;

/// Rows that are there at first.
const FIRST: usize = 10;

/// The verdict, the files and a button that swaps them.
#[component]
pub(crate) fn Verdict(compared: ComparedTraces, name: String, trace: TraceState) -> impl IntoView {
    let ComparedTraces { verdict, about, flaws, .. } = compared;
    let before = trace.name_before().unwrap_or_default();
    let gaps = [&before, &name].into_iter().zip(flaws).filter(|(_, flaws)| !flaws.is_empty());
    let gaps =
        gaps.map(|(name, flaws)| view! { <p class="tool-note">{format!("{}: {}.", safe(name), flaws.join("; "))}</p> }).collect_view();
    view! {
        <section class="trace-answer" id="trace-verdict" role="status">
            <p class="trace-headline">{verdict}</p>
            <p>{format!("Before: {}. After: {}. {about}", safe(&before), safe(&name))}</p>
            {gaps}
            <div class="tool-row">
                <button type="button" class="small" id="trace-swap" on:click=move |_| trace.swap()>"Swap before and after"</button>
            </div>
        </section>
    }
}

/// What changed beyond noise, the most first.
#[component]
pub(crate) fn Changes(compared: ComparedTraces) -> impl IntoView {
    let ComparedTraces { rows, left, is_of_runs, .. } = compared;
    let title = if is_of_runs { "What changed in the run" } else { "What changed in a step" };
    let line = |row: &ChangedRow| {
        let times = row.times.iter().map(|time| view! { <td class="num">{time.clone()}</td> }).collect_view();
        view! {
            <tr>
                <th scope="row"><i class="trace-key" style=format!("background:{}", share_colour(row.share))></i> " " {safe(&row.what)}</th>
                {times}
            </tr>
        }
    };
    let note = (left > 0).then(|| format!("{} more are not listed.", format_count(left)));
    let heads = ["Before", "After", "Difference"];
    (!rows.is_empty()).then(|| number_table(title.to_owned(), "trace-changes", heads, rows, FIRST, line, note))
}
