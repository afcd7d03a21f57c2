//! The bar of steps of the run.
//!
//! Invariant: what it says of a step is what the step did in the run on screen.

use leptos::prelude::*;

use crate::panels::host::Tools;
use crate::state::AppState;
use crate::state::fence::Refusal;
use blockstep_learn::until::{example, parse_phrase, phrases};
use blockstep_sim::units::StepId;
use blockstep_tools::ToolId;
use blockstep_tools::until::{self, Until};
use blockstep_ui::{Chip, EventGoals, TransportBar, safe};
use blockstep_view::position::Stop;
use blockstep_view::sentence;

#[component]
pub(super) fn Transport() -> impl IntoView {
    let state = expect_context::<AppState>();
    let last = Memo::new(move |_| {
        state.run.with(|run| {
            let step = run.trace().step(StepId(state.cursor.position.get().checked_sub(1)?));
            Some((step.rule, sentence::sentence(run.trace(), step)))
        })
    });
    let said = move || {
        last.get().map(|(rule, sentence)| {
            view! {
                <Chip rule=rule is_focusable=false />
                <span class="now-sentence">{safe(&sentence)}</span>
                <span class="now-rule">{rule.sentence()}</span>
            }
        })
    };
    let announced = move || {
        let (at, said) = state.cursor.spoken.get();
        if said.is_empty() || at != state.cursor.position.get() { spoken(state) } else { said }
    };
    view! {
        <TransportBar
            stepping=state.stepping
            prefix=""
            spoken=Signal::derive(move || spoken(state))
            announced=Signal::derive(announced)
            said=said
            events=event_goals()
        />
    }
}

/// Goes to events by the tool *Run until*, open or not.
fn event_goals() -> EventGoals {
    /// More would not be read.
    const MOST_OFFERED: usize = 60;
    let tools = expect_context::<Tools>();
    let state = tools.state;
    let visit = move |phrase: String| {
        // It would tell what an open question asks.
        if state.settings.is_future_hidden.get_untracked() {
            return if state.fence.refuses(Refusal::Steps) { Ok(()) } else { Err("Everything after this step is hidden.".to_owned()) };
        }
        state.run.with_untracked(|run| parse_phrase(run.trace(), &phrase)).map_err(|why| why.to_string())?;
        tools.send::<Until>(ToolId::Until, until::Msg::NextOf(phrase));
        Ok(())
    };
    let offered = Memo::new(move |_| state.run.with(|run| phrases(run.trace(), MOST_OFFERED)));
    let example = Memo::new(move |_| state.run.with(|run| example(run.trace().scenario())));
    EventGoals { visit: Callback::new(visit), offered: offered.into(), example: example.into() }
}

fn spoken(state: AppState) -> String {
    state.run.with(|run| sentence::spoken(run.trace(), Stop { position: state.cursor.position.get(), at: state.cursor.now() }))
}
