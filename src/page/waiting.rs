//! The panel of what waits at this step: CPU threads in their calls, then operations.
//!
//! Invariants: reasons come from the view model, nothing is judged here; the words of each rule stand where it is first cited.

use leptos::prelude::*;

use crate::components::{OpLink, StepLink};
use crate::state::AppState;
use blockstep_sim::units::StepId;
use blockstep_ui::{Chip, SELECT_HELP, safe};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::reason::{self, Waiting};
use blockstep_view::threads::{self, ThreadWait};

/// Most entries shown.
const MAX_ENTRIES: usize = 24;
/// Most CPU threads shown.
const MAX_THREADS: usize = 8;

#[component]
pub(super) fn WaitingNow() -> impl IntoView {
    let state = expect_context::<AppState>();
    let list =
        Memo::new(move |_| state.cursor.with_state(|run, snapshot| reason::waiting(run.trace(), &run.records, snapshot, MAX_ENTRIES)));
    let is_empty = Memo::new(move |_| list.with(|list| list.items.is_empty()));
    let more = Memo::new(move |_| list.with(|list| list.total.saturating_sub(list.items.iter().filter(|w| !w.executing).count())));
    let entries = move || {
        // An entry that says something else is another one.
        let run = state.run.with_untracked(|run| run.id);
        let key = move |(waiting, says): &(Waiting, bool)| (run, waiting.op, waiting.rule, waiting.text.clone(), waiting.until, *says);
        view! {
            <ul class="waiting-list">
                <For
                    each=move || list.with(|list| with_rules(&list.items))
                    key=key
                    children=move |(waiting, says)| entry(state, &waiting, says)
                />
            </ul>
        }
    };
    let threads =
        Memo::new(move |_| state.cursor.with_state(|run, snapshot| threads::waiting(run.trace(), &run.records, snapshot, MAX_THREADS)));
    let of_threads = move || {
        let key = |wait: &ThreadWait| (wait.task.clone(), wait.text.clone(), wait.until);
        view! {
            <ul class="waiting-list">
                <For each=move || threads.get() key=key children=move |wait| thread(state, wait) />
            </ul>
        }
    };
    let has_threads = Memo::new(move |_| threads.with(|threads| !threads.is_empty()));
    let rest = move || match (is_empty.get(), more.get()) {
        (true, _) if has_threads.get() => None,
        (true, _) => Some("Nothing waits at this step.".to_owned()),
        (false, 0) => None,
        (false, more) => Some(format!("and {} more", format_count(more as u64))),
    };
    view! {
        <section class="panel waiting-now" aria-labelledby="waiting-title">
            <h2 id="waiting-title">"Waiting now"</h2>
            <div id="waiting" class="waiting-scroll">
                <Show when=move || has_threads.get()>{of_threads}</Show>
                <Show when=move || !is_empty.get()>{entries}</Show>
                {move || rest().map(|rest| view! { <p class="empty">{rest}</p> })}
            </div>
        </section>
    }
}

/// Entries, each with whether it is the first to cite its rule, whose words stand there.
fn with_rules(entries: &[Waiting]) -> Vec<(Waiting, bool)> {
    let is_first = |i: usize| entries[i].rule.is_some() && entries[..i].iter().all(|earlier| earlier.rule != entries[i].rule);
    entries.iter().enumerate().map(|(i, entry)| (entry.clone(), is_first(i))).collect()
}

fn entry(state: AppState, waiting: &Waiting, says_rule: bool) -> impl IntoView + use<> {
    let row = state.run.with_untracked(|run| run.trace().op(waiting.op).row);
    let class = move || if state.selection.selected_row() == Some(row) { "waiting selected" } else { "waiting" };
    let until = until(state, waiting.until);
    view! {
        <li class=class data-waits=safe(&waiting.label)>
            <OpLink op=waiting.op label=waiting.label.clone() class="waiting-name" title=SELECT_HELP />
            <div class="waiting-why">
                {waiting.rule.map(|rule| view! { <Chip rule=rule /> })}
                <span>" " {safe(&waiting.text)}</span>
                {waiting.rule.filter(|_| says_rule).map(|rule| view! { <span class="rule-words">{rule.sentence()}</span> })}
                {until}
            </div>
        </li>
    }
}

fn thread(state: AppState, wait: ThreadWait) -> impl IntoView + use<> {
    let until = until(state, wait.until);
    view! {
        <li class="waiting" data-thread=safe(&wait.task)>
            <span class="waiting-name">{safe(&wait.task)}</span>
            <div class="waiting-why">
                <Chip rule=wait.rule />
                <span>" " {safe(&wait.text)}</span>
                {until}
            </div>
        </li>
    }
}

/// The step that ends a wait, as a button.
fn until(state: AppState, step: Option<StepId>) -> AnyView {
    let Some(step) = step else { return view! { <span class="quiet">"beyond the end of the run"</span> }.into_any() };
    let position = step.0 + 1;
    let at = state.run.with_untracked(|run| run.trace().step(step).at);
    let text = format!("until step {} ({})", format_count(position.into()), format_time(at.ns()));
    view! { <StepLink position=position label=text /> }.into_any()
}
