//! Waiting now: every operation that waits at this step, why, and until when.
//!
//! Depends on `state` and `reason`. Invariant: reasons come from the view model; nothing is
//! judged here.

use leptos::prelude::*;

use super::chip::Chip;
use super::dynamic::live_part;
use super::state::app;
use crate::view::{quantity, reason};

/// Most entries shown.
const MAX_ENTRIES: usize = 100;

/// The panel.
#[component]
pub(super) fn WaitingNow() -> impl IntoView {
    let state = app();
    let list = move || state.with_state(|run, snapshot| reason::waiting(run.trace(), &run.records, snapshot, MAX_ENTRIES));
    let entries = move || {
        let found = list();
        let listed = found.items.iter().filter(|w| !w.executing).count();
        let hidden = found.total.saturating_sub(listed);
        if found.items.is_empty() {
            return view! { <p class="empty">"Nothing waits at this step."</p> }.into_any();
        }
        let selected = state.selected_row();
        let items = state.run.with(|run| {
            found
                .items
                .into_iter()
                .map(|w| {
                    let op = w.op;
                    let is_selected = selected == Some(run.trace().op(op).row);
                    let until = w.until.map(|step| (step.0 + 1, run.trace().step(step).at));
                    view! {
                        <li class=if is_selected { "waiting selected" } else { "waiting" } data-op=run.trace().op_name(op)>
                            <button class="waiting-name" on:click=move |_| state.select_op(op) title="Select this kernel everywhere">
                                {run.trace().op_label(op)}
                            </button>
                            <div class="waiting-why">
                                {w.rule.map(|rule| view! { <Chip rule focusable=true/> })}
                                <span>" "{w.text}</span>
                                {match until {
                                    Some((position, at)) => view! {
                                        <button
                                            class="link"
                                            on:click=move |_| {
                                                state.is_playing.set(false);
                                                state.go_to(position);
                                                state.show_cursor();
                                            }
                                        >
                                            {format!("until step {} ({})", quantity::format_count(position.into()), quantity::format_time(at.ns()))}
                                        </button>
                                    }.into_any(),
                                    None => view! { <span class="quiet">"until after the end of the run"</span> }.into_any(),
                                }}
                            </div>
                        </li>
                    }
                })
                .collect_view()
        });
        view! {
            <ul class="waiting-list">{items}</ul>
            {(hidden > 0).then(|| view! { <p class="empty">{format!("and {} more", quantity::format_count(hidden as u64))}</p> })}
        }
        .into_any()
    };
    view! {
        <section class="panel waiting-now" aria-labelledby="waiting-title">
            <h2 id="waiting-title">"Waiting now"</h2>
            <div id="waiting" class="waiting-scroll">{live_part(entries)}</div>
        </section>
    }
}
