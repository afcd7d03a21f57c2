//! A button that runs a command.
//!
//! Invariant: its tooltip names the command and its key.

use leptos::prelude::*;

use super::icon::Icon;
use blockstep_tools::commands::Command;

#[component]
pub fn CommandButton(
    #[prop(into)] id: String,
    command: Command,
    icon: Icon,
    /// Whether there is nothing to do.
    is_off: Signal<bool>,
    /// What it would be done to, if that is said.
    #[prop(optional, into)]
    what: Signal<String>,
    /// Whether it keeps the focus when there is nothing to do, as for a key that is pressed again and again.
    #[prop(optional)]
    keeps_focus: bool,
    /// Carries the command out.
    #[prop(into)]
    on_run: Callback<Command>,
) -> impl IntoView {
    let name = move || what.with(|what| command.tooltip_of(what));
    view! {
        <button
            id=id
            class="icon"
            aria-label=name
            title=name
            disabled=move || !keeps_focus && is_off.get()
            aria-disabled=move || keeps_focus.then(|| is_off.get().to_string())
            on:click=move |_| on_run.run(command)
        >
            {icon.view()}
        </button>
    }
}
