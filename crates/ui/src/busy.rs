//! That a request takes long, where its answer will appear, with a way to cancel it.
//!
//! Invariant: nothing is there of what is answered within a second.

use leptos::prelude::*;

use crate::client::{self, SentRequest};

const WORKING: &str = "Working on it";

/// A line for what is on its way to a place, if it takes long.
#[component]
pub fn Busy(#[prop(into)] of: Signal<Option<SentRequest>>) -> impl IntoView {
    let slow = Memo::new(move |_| of.get().filter(|asked| client::is_slow(*asked)));
    move || slow.get().map(line)
}

pub fn busy_line(cancel: impl Fn() + 'static) -> impl IntoView {
    view! {
        <div class="busy" role="status">
            <span>{WORKING}</span>
            <progress aria-label=WORKING></progress>
            <button type="button" class="small" on:click=move |_| cancel()>"Cancel"</button>
        </div>
    }
}

/// The same of what has no place of its own, or keeps others waiting.
#[component]
pub fn BusyElsewhere() -> impl IntoView {
    let slow = Memo::new(move |_| client::slow_elsewhere());
    move || slow.get().map(line)
}

fn line(asked: SentRequest) -> impl IntoView {
    busy_line(move || client::cancel(asked))
}
