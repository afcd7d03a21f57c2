//! What tables and forms are edited in: a text or a choice with a label, seen or only heard.
//!
//! Depends on Leptos. Invariants: what was typed stays as it was typed; only what has another value is written anew, so that
//! the focus and what is being typed elsewhere stay; a wrong text says so, and where that is explained.

use leptos::prelude::*;

use super::fields::Choices;
use super::text::safe;

/// A text to be edited. Its label stands before it, or is only heard, as in the cell of a table.
#[component]
pub(crate) fn TextCell(
    /// What it is.
    #[prop(into)]
    label: String,
    /// Whether the label is only heard.
    #[prop(default = false)]
    is_label_hidden: bool,
    /// What it holds.
    #[prop(into)]
    text: Signal<String>,
    /// Told of what the reader typed, when that is done.
    #[prop(into)]
    on_change: Callback<String>,
    /// Its name in forms, for those who look for it.
    #[prop(into)]
    name: String,
    /// Its width, as style sheets write it.
    width: &'static str,
    /// Whether what it holds is wrong.
    #[prop(into, default = false.into())]
    is_wrong: Signal<bool>,
    /// The id of the element that says what is wrong.
    #[prop(default = "")]
    described_by: &'static str,
) -> impl IntoView {
    view! {
        <label>
            <span class=is_label_hidden.then_some("visually-hidden")>{label}</span>
            <input
                name=name
                style:width=width
                autocomplete="off"
                spellcheck="false"
                aria-invalid=move || is_wrong.get().then_some("true")
                aria-describedby=move || is_wrong.get().then_some(described_by)
                prop:value=move || text.get()
                on:change:target=move |event| on_change.run(event.target().value())
            />
        </label>
    }
}

/// A list to choose from. Its label stands above it, or is only heard, as in the cell of a table.
#[component]
pub(crate) fn ChoiceCell(
    /// What it is.
    #[prop(into)]
    label: String,
    /// Whether the label is only heard.
    #[prop(default = false)]
    is_label_hidden: bool,
    /// What it offers.
    #[prop(into)]
    choices: Signal<Choices>,
    /// The value chosen.
    #[prop(into)]
    value: Signal<String>,
    /// Told of the value that the reader chose.
    #[prop(into)]
    on_change: Callback<String>,
    /// Its name in forms, for those who look for it.
    #[prop(into)]
    name: String,
) -> impl IntoView {
    let option = move |(of, title): (String, String)| {
        let chosen = of.clone();
        view! { <option value=of prop:selected=move || value.with(|value| *value == chosen)>{safe(&title)}</option> }
    };
    view! {
        <label>
            <span class=is_label_hidden.then_some("visually-hidden")>{label}</span>
            <select
                name=name
                prop:value=move || {
                    choices.track();
                    value.get()
                }
                on:change:target=move |event| on_change.run(event.target().value())
            >
                <For each=move || choices.get() key=|choice| choice.clone() children=option />
            </select>
        </label>
    }
}
