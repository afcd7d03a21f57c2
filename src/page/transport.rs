//! The bar of steps of the run.
//!
//! Invariant: what it says of a step is what the step did in the run on screen.

use leptos::prelude::*;

use crate::components::{Chip, TransportBar, safe};
use crate::state::AppState;
use blockstep_sim::units::StepId;
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
        />
    }
}

fn spoken(state: AppState) -> String {
    state.run.with(|run| sentence::spoken(run.trace(), Stop { position: state.cursor.position.get(), at: state.cursor.now() }))
}
