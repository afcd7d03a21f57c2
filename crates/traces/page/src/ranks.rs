//! The ranks of a job beside each other.
//!
//! Invariant: each row opens its file, but for one that cannot be read.

use std::sync::Arc;

use leptos::prelude::*;

use crate::state::TraceState;
use blockstep_traces_messages::{ShownRank, ShownRanks};
use blockstep_ui::safe;

const TITLE: &str = "Ranks of the job";

/// Which rank is slow, and the time of each.
#[component]
pub(crate) fn Ranks(ranks: Arc<ShownRanks>, trace: TraceState) -> impl IntoView {
    let names = trace.names();
    let mut said = ranks.said.iter();
    let headline = said.next().map(|said| view! { <p class="trace-headline">{safe(said)}</p> });
    let notes = said.map(|said| view! { <p>{safe(said)}</p> }).collect_view();
    let columns = ranks.headings.len() + 1;
    let line = |row: &ShownRank| {
        let place = row.place;
        let file = names.get(place as usize).cloned().unwrap_or_default();
        let cells = match &row.times {
            Ok(times) => {
                let times = times.iter().map(|time| view! { <td class="num">{time.clone()}</td> }).collect_view();
                view! { {times} <td>{safe(&file)}</td> }.into_any()
            }
            Err(why) => {
                view! { <td colspan=columns.to_string()><span class="field-error">{format!("{}: {}", safe(&file), safe(why))}</span></td> }
                    .into_any()
            }
        };
        let label = safe(&row.label);
        let label = if row.times.is_ok() {
            view! { <button type="button" class="link" on:click=move |_| trace.open_rank(place)>{label}</button> }.into_any()
        } else {
            label.into_any()
        };
        let is_open = move || (trace.rank.get() == Some(place)).then_some("true");
        view! {
            <tr class:trace-slowest=row.is_slowest aria-current=is_open>
                <th scope="row">{label}</th>
                {cells}
            </tr>
        }
    };
    let rows = ranks.rows.iter().map(line).collect_view();
    let headings = ranks.headings.iter().map(|heading| view! { <th scope="col" class="num">{heading.clone()}</th> }).collect_view();
    let compare = (names.len() == 2).then(|| {
        view! {
            <div class="tool-row">
                <button type="button" class="small" id="trace-compare" on:click=move |_| trace.compare()>
                    "Compare them as before and after"
                </button>
            </div>
        }
    });
    view! {
        <section class="trace-answer" id="trace-ranks-said" role="status">
            {headline}
            {notes}
            {compare}
        </section>
        <section aria-labelledby="trace-ranks-title">
            <h3 id="trace-ranks-title">{TITLE}</h3>
            <p class="tool-note">"Click a rank to see all of its trace. Two files make a table if they say that they are different ranks of a job, else \
                                  they are compared. Three or more always make a table."</p>
            <div class="tool-scroll trace-ranks" role="group" aria-label=TITLE tabindex="0">
                <table class="tool-table" id="trace-ranks">
                    <thead>
                        <tr>
                            <th scope="col">"Rank"</th>
                            {headings}
                            <th scope="col">"File"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}
