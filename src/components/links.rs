//! Words that lead somewhere: to a step, to a time, to an operation.
//!
//! Invariant: a link does what a click on the thing itself would do.

use leptos::prelude::*;

use crate::state::AppState;
use crate::state::selection::Selection;
use blockstep_sim::units::{OpId, Time};
use blockstep_ui::safe;

/// A button that goes to a number of steps applied, and shows where that is on the timeline.
#[component]
pub(crate) fn StepLink(position: u32, #[prop(into)] label: String, #[prop(default = "link")] class: &'static str) -> impl IntoView {
    let state = expect_context::<AppState>();
    view! {
        <button type="button" class=class data-step=position on:click=move |_| state.visit(|| state.cursor.go_to(position))>
            {safe(&label)}
        </button>
    }
}

/// A button that goes to a time, after every step that is not later.
#[component]
pub(crate) fn TimeLink(
    at: Time,
    #[prop(into)] label: String,
    #[prop(default = "link")] class: &'static str,
    #[prop(optional, into)] title: Option<String>,
    /// What screen readers say instead, where what it says is too short for them.
    #[prop(optional, into)]
    spoken: Option<String>,
) -> impl IntoView {
    let state = expect_context::<AppState>();
    view! {
        <button
            type="button"
            class=class
            data-time=at.ns()
            title=title.map(|title| safe(&title))
            aria-label=spoken.map(|spoken| safe(&spoken))
            on:click=move |_| state.visit(|| state.cursor.go_to_time(at))
        >
            {safe(&label)}
        </button>
    }
}

/// A button that selects an operation's kernel, and asks about the operation.
#[component]
pub(crate) fn OpLink(
    op: OpId,
    #[prop(into)] label: String,
    #[prop(default = "link")] class: &'static str,
    #[prop(default = "")] title: &'static str,
) -> impl IntoView {
    let selection = expect_context::<Selection>();
    let on_click = move |_| selection.ask(op, None);
    let title = (!title.is_empty()).then_some(title);
    view! { <button type="button" class=class data-operation=op.0 title=title on:click=on_click>{safe(&label)}</button> }
}
