//! The panel of results.
//!
//! Invariant: nothing is reckoned here; what is shown belongs to the run on screen, or is marked as that of an earlier one.

mod sections;

use std::time::Duration;

use leptos::html::Div;
use leptos::prelude::*;

use super::answers::{self, Answers};
use super::files;
use crate::state::AppState;
use blockstep_protocol::{ResultsCsv, ResultsOf, RunId};
use blockstep_sim::examples;
use blockstep_tools::runs::beside;
use blockstep_ui::Busy;
use blockstep_ui::client;
use blockstep_ui::safe;
use blockstep_view::panels::results::ResultsPanel;
use sections::{BlocksOf, BoundsOf, BreakdownOf, DeviceOf, ResponsesOf, TasksOf};

/// How long nothing changes before the worker is asked.
const REST: Duration = Duration::from_millis(120);

/// The width that charts are given before the panel has one, px.
const WIDTH_PX: u32 = 760;

#[derive(Clone, PartialEq)]
struct Question {
    run: RunId,
    is_dark: bool,
    beside: String,
}

/// The panel; nothing is asked for while it is closed.
#[component]
pub(super) fn Results() -> impl IntoView {
    let state = expect_context::<AppState>();
    let is_open = RwSignal::new(false);
    let body = NodeRef::<Div>::new();
    let own = Memo::new(move |_| state.document.with(|d| d.rest.policy.kind));
    let picked = RwSignal::new(String::new());
    // The run on screen is not drawn with itself.
    let beside = Memo::new(move |_| {
        let key = picked.get();
        if key == beside::policy_key(own.get()) { String::new() } else { key }
    });
    let choices = Memo::new(move |_| {
        let first = examples::first();
        let further = examples::FURTHER.iter().map(|&(_, id, title)| (id, title));
        let examples = std::iter::once((first.id, first.title)).chain(further);
        beside::choices(own.get(), "no other run", examples.map(|(id, title)| (id, title.to_owned())))
    });
    let option = move |(key, name): (String, String)| {
        let value = key.clone();
        view! { <option value=value prop:selected=move || beside.with(|beside| *beside == key)>{name}</option> }
    };
    let question = Memo::new(move |_| {
        is_open.get().then(|| Question { run: state.run.with(|run| run.id), is_dark: state.settings.is_dark(), beside: beside.get() })
    });
    let Answers { answer, on_its_way } = answers::at_rest(question, REST, move |question: &Question| ResultsOf {
        run: question.run,
        width_px: body.get_untracked().map_or(WIDTH_PX, |body| body.client_width().max(0) as u32),
        is_dark: question.is_dark,
        beside: question.beside.clone(),
    });
    let is_stale = move || {
        let shown = answer.with(|answer| answer.as_ref().and_then(|answer| answer.as_ref().map(|(question, _)| question.clone())));
        question.with(|question| question.is_some() && *question != shown)
    };
    let save = move || {
        let request = ResultsCsv { run: state.run.with_untracked(|run| run.id), beside: beside.get_untracked() };
        client::ask(request, move |answer| match answer {
            Ok(csv) => files::download(state, "results.csv", "text/csv", &csv),
            Err(why) => state.messages.complain(why),
        });
    };
    let shown = move || {
        answer.get().flatten().map(|(_, answer)| match answer {
            Ok(panel) => whole(panel, save).into_any(),
            Err(why) => why.into_any(),
        })
    };
    view! {
        <details class="panel results" id="results" on:toggle:target=move |event| is_open.set(event.target().open())>
            <summary>
                <h2>"Results"</h2>
                <span class="quiet">"response times, deadline misses, waiting times, utilization, bounds"</span>
            </summary>
            <label class="res-beside">
                "Compare the distributions with "
                <select
                    id="results-beside"
                    prop:value=move || {
                        choices.track();
                        beside.get()
                    }
                    on:change:target=move |event| picked.set(event.target().value())
                >
                    <For each=move || choices.get() key=|choice| choice.clone() children=option />
                </select>
            </label>
            <Busy of=on_its_way />
            <div id="results-body" aria-live="off" data-stale=move || is_stale().then_some("") node_ref=body>
                <Transition>{shown}</Transition>
            </div>
        </details>
    }
}

fn whole(panel: ResultsPanel, save: impl Fn() + 'static) -> impl IntoView {
    let problem = panel.problem.map(|why| view! { <p class="res-note res-cut">{safe(&why)}</p> });
    let cut =
        panel.is_cut.then(|| view! { <p class="res-note res-cut">"The run was cut short. These results cover only its beginning."</p> });
    view! {
        {problem}
        <div class="res">
            {cut}
            <p>
                <button class="small" on:click=move |_| save()>"Save results as CSV"</button>
            </p>
            <TasksOf tasks=panel.tasks />
            {panel.responses.map(|responses| view! { <ResponsesOf responses=responses /> })}
            {panel.breakdown.map(|breakdown| view! { <BreakdownOf breakdown=breakdown /> })}
            {panel.bounds.map(|bounds| view! { <BoundsOf bounds=bounds /> })}
            {panel.device.map(|device| view! { <DeviceOf device=device /> })}
            {panel.blocks.map(|blocks| view! { <BlocksOf blocks=blocks /> })}
        </div>
    }
}
