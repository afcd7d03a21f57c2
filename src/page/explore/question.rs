//! The question as headline, and what a reader can do about it: ask why, or guess first.
//!
//! Invariant: the answer is of the run and the moment on screen, whatever has become of the table.

use leptos::prelude::*;

use super::cards;
use crate::components::StepLink;
use crate::panels::host::Tools;
use crate::state::runs::RunData;
use blockstep_learn::explore::{self, CardTable, CardWhy};
use blockstep_learn::why::Moment;
use blockstep_sim::policy;
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::units::RowId;
use blockstep_tools::ToolId;
use blockstep_tools::quiz::{Msg, Quiz};
use blockstep_ui::{Chip, safe};
use blockstep_view::reason;

#[component]
pub(super) fn Question(card: Memo<Option<&'static str>>) -> impl IntoView {
    let tools = expect_context::<Tools>();
    let state = tools.state;
    let is_told = RwSignal::new(false);
    Effect::new(move |_| {
        card.track();
        is_told.set(false);
    });
    let this = move || card.get().and_then(explore::card);
    let headline = move || match this() {
        Some(card) => card.question.to_owned(),
        None => state.document.with(|d| if d.rest.name.is_empty() { "Your own table".to_owned() } else { safe(&d.rest.name) }),
    };
    let table = Memo::new(move |_| this().map(|card| state.document.with(|d| card.compared(d))));
    let setting = move || {
        let Some((card, table)) = this().zip(table.get()) else {
            return view! { "Step to a moment at which something waits, and ask why." }.into_any();
        };
        let title = |kind| policy::about(kind).title;
        let (said, back) = match table {
            CardTable::AsGiven => return view! { {card.setting} }.into_any(),
            CardTable::Under { policy, given } => {
                (format!("This is the run under {}. The question is about {}. ", title(policy), title(given)), "Back to it")
            }
            CardTable::Changed => ("You have changed the table of this question. ".to_owned(), "Restore it"),
        };
        let restore = move |_| cards::open(state, card);
        view! { {said} <button type="button" class="link" id="restore" on:click=restore>{back}</button> }.into_any()
    };
    let why = Memo::new(move |_| {
        let asks = this().map(|card| card.asks);
        // It may tell what a quiz asks.
        let is_told = is_told.get() && !state.settings.is_future_hidden.get();
        is_told.then(|| state.cursor.with_state(|run, snapshot| answer(run, snapshot, asks)))
    });
    let answer = move || {
        let CardWhy { text, rules, goes_on } = why.get()?;
        let rules = rules.into_iter().map(|rule| view! { " " <Chip rule=rule /> }).collect_view();
        let until = goes_on.map(|step| view! { " " <StepLink position=step.0 + 1 label="Go to that moment" /> });
        Some(view! { <p>{safe(&text)} {rules} {until}</p> })
    };
    let guess = move |_| {
        tools.open_tool(ToolId::Quiz, "");
        tools.send::<Quiz>(ToolId::Quiz, Msg::AskHere);
    };
    let ask = move |_| is_told.update(|is_told| *is_told = !*is_told);
    view! {
        <section class="explore-question" aria-labelledby="question">
            <h1 id="question">{headline}</h1>
            <div class="explore-ask">
                <button type="button" class="primary" id="why" aria-expanded=move || is_told.get().to_string() on:click=ask>
                    "Why?"
                </button>
                <button type="button" id="guess" on:click=guess>"Let me guess"</button>
            </div>
            <p class="explore-setting">{setting}</p>
            <div class="explore-answer" id="answer" role="status">{answer}</div>
        </section>
    }
}

/// Why what is asked about does not go on; without a question what waits first.
fn answer(run: &RunData, state: &Snapshot, asks: Option<&str>) -> CardWhy {
    let trace = run.trace();
    let moment = Moment { trace, records: &run.records, state };
    let named = asks.and_then(|name| trace.scenario().rows().iter().position(|row| row.name == name)).map(RowId::at);
    let waiting = || reason::waiting(trace, &run.records, state, 1).items.first().map(|first| trace.op(first.op).row);
    named.or_else(waiting).and_then(|row| explore::why(moment, row)).unwrap_or_else(|| CardWhy {
        text: "Nothing waits at this moment.".to_owned(),
        rules: Vec::new(),
        goes_on: None,
    })
}
