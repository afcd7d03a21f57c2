//! What of a question's table can be changed in a sentence.
//!
//! Invariant: a control edits the document as a cell of the table does, so that it can be undone, and the table shows it.

use leptos::prelude::*;

use crate::state::AppState;
use blockstep_learn::explore::{self, Control};
use blockstep_ui::Dial;

#[component]
pub(super) fn Controls(card: Memo<Option<&'static str>>) -> impl IntoView {
    let state = expect_context::<AppState>();
    let controls = move || card.get().and_then(explore::card).map_or(&[][..], |card| card.controls);
    // Of another question they are others, be they in the same places.
    let each = move || controls().iter().enumerate().map(|(i, control)| (card.get_untracked(), i, control)).collect::<Vec<_>>();
    view! {
        <Show when=move || card.with(Option::is_some)>
            <p class="explore-controls" id="explore-controls">
                <span class="quiet">"What if"</span>
                " "
                <For each=each key=|(card, i, _)| (*card, *i) children=move |(_, i, control)| part(state, i, control) />
            </p>
        </Show>
    }
}

/// A value with the words around it, as long as the table has it.
fn part(state: AppState, i: usize, control: &'static Control) -> impl IntoView {
    let shown = Memo::new(move |_| state.document.with(|d| control.shown(d)));
    // From another value than those on offer one comes to the first.
    let index = Memo::new(move |_| state.document.with(|d| control.place(d)));
    let is_there = Memo::new(move |_| shown.with(Option::is_some));
    let on_change = move |place: usize| {
        state.document.edit(Some(format!("explore {i}")), |d| control.set(d, place));
    };
    view! {
        <Show when=move || is_there.get()>
            {(i > 0).then(|| view! { <span class="quiet">" · "</span> })}
            <span class="explore-control">
                {control.before} " "
                <Dial
                    name=format!("{} … {}", control.before, control.after)
                    text=Signal::derive(move || shown.get().unwrap_or_default())
                    index=index
                    count=control.choices.count()
                    on_change=on_change
                    on_rest=move |()| state.document.pause_history()
                />
                " " {control.after}
            </span>
        </Show>
    }
}
