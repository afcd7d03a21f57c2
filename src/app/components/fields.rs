//! Controls with a label.
//!
//! Depends on Leptos. Invariants: a control always has a name that a screen reader says; what it shows follows its
//! `value`, and what the reader does is told by a callback.

use leptos::prelude::*;

use super::text::safe;

/// What a list offers: each value with its name, in order.
pub(crate) type Choices = Vec<(String, String)>;

/// A list to choose from, with its label.
#[component]
pub(crate) fn SelectField(
    /// What stands before it.
    #[prop(into)]
    label: String,
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
    #[prop(default = "")]
    name: &'static str,
    /// Whether it cannot be used.
    #[prop(into, default = false.into())]
    is_disabled: Signal<bool>,
) -> impl IntoView {
    view! {
        <label>
            {label}
            " "
            <Select choices=choices value=value on_change=on_change name=name is_disabled=is_disabled />
        </label>
    }
}

/// A list to choose from, inside a label.
#[component]
pub(crate) fn Select(
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
    #[prop(default = "")]
    name: &'static str,
    /// Whether it cannot be used.
    #[prop(into, default = false.into())]
    is_disabled: Signal<bool>,
) -> impl IntoView {
    let option = move |(of, title): (String, String)| {
        let chosen = of.clone();
        view! { <option value=of prop:selected=move || value.with(|value| *value == chosen)>{safe(&title)}</option> }
    };
    view! {
        <select
            name=name
            disabled=move || is_disabled.get()
            prop:value=move || {
                choices.track();
                value.get()
            }
            on:change:target=move |event| on_change.run(event.target().value())
        >
            <For each=move || choices.get() key=|choice| choice.clone() children=option />
        </select>
    }
}

/// A box to tick.
#[component]
pub(crate) fn TickField(
    /// What stands behind it.
    #[prop(into)]
    label: Signal<String>,
    /// Whether it is ticked.
    #[prop(into)]
    value: Signal<bool>,
    /// Told whether the reader ticked it, or no longer does.
    #[prop(into)]
    on_change: Callback<bool>,
    /// Its name in forms, for those who look for it.
    #[prop(default = "")]
    name: &'static str,
) -> impl IntoView {
    view! {
        <label>
            <input
                type="checkbox"
                name=name
                prop:checked=move || value.get()
                on:change:target=move |event| on_change.run(event.target().checked())
            />
            {move || label.with(|label| safe(label))}
        </label>
    }
}
