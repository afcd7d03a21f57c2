//! Controls with a label.
//!
//! Invariants: a control always has a name that a screen reader says; what it shows follows its value, and what the reader does is told
//! by a callback.

use leptos::prelude::*;

use super::quantity::QuantityInput;
use super::text::safe;

/// What a list offers: each value with its name, in order.
pub type Choices = Vec<(String, String)>;

#[component]
pub fn SelectField(
    #[prop(into)] label: String,
    #[prop(into)] choices: Signal<Choices>,
    #[prop(into)] value: Signal<String>,
    #[prop(into)] on_change: Callback<String>,
    #[prop(default = "")] name: &'static str,
    #[prop(into, default = false.into())] is_disabled: Signal<bool>,
) -> impl IntoView {
    view! {
        <label>
            <span>{label}</span>
            " "
            <Select choices=choices value=value on_change=on_change name=name is_disabled=is_disabled />
        </label>
    }
}

/// A list of the values of a type, each with its title.
#[component]
pub fn ChoiceField<T: Copy + PartialEq + Send + Sync + 'static>(
    label: &'static str,
    name: &'static str,
    /// What forms and links call a value.
    word: fn(T) -> &'static str,
    options: &'static [(T, &'static str)],
    #[prop(into)] value: Signal<T>,
    #[prop(into)] on_change: Callback<T>,
) -> impl IntoView {
    let choices: Choices = options.iter().map(|&(of, title)| (word(of).to_owned(), title.to_owned())).collect();
    let chosen = move |typed: String| {
        if let Some(&(of, _)) = options.iter().find(|(of, _)| word(*of) == typed) {
            on_change.run(of);
        }
    };
    let value = Signal::derive(move || word(value.get()).to_owned());
    view! { <SelectField label=label name=name choices=choices value=value on_change=chosen /> }
}

/// A list to choose from, inside a label.
#[component]
pub fn Select(
    #[prop(into)] choices: Signal<Choices>,
    #[prop(into)] value: Signal<String>,
    #[prop(into)] on_change: Callback<String>,
    #[prop(default = "")] name: &'static str,
    #[prop(into, default = false.into())] is_disabled: Signal<bool>,
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

#[component]
pub fn TickField(
    #[prop(into)] label: Signal<String>,
    #[prop(into)] value: Signal<bool>,
    /// Told whether the reader ticked it, or no longer does.
    #[prop(into)]
    on_change: Callback<bool>,
    #[prop(default = "")] name: &'static str,
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

/// A text that is told of when the reader has typed it, with its label.
#[component]
pub fn TextField(
    #[prop(into)] label: String,
    #[prop(into)] text: Signal<String>,
    /// Told of what the reader typed, when that is done.
    #[prop(into)]
    on_change: Callback<String>,
    #[prop(default = "")] name: &'static str,
    size: u8,
    #[prop(default = false)] is_number: bool,
    /// What an empty one stands for, or what is wanted.
    #[prop(into, default = String::new().into())]
    placeholder: Signal<String>,
    #[prop(into, default = String::new())] unit: String,
    #[prop(default = "")] title: &'static str,
    #[prop(into, default = false.into())] is_wrong: Signal<bool>,
    /// The id of the element that says what is wrong.
    #[prop(default = "")]
    described_by: &'static str,
    /// The control, for those who need to read it before the reader is done.
    #[prop(optional)]
    node_ref: NodeRef<leptos::html::Input>,
) -> impl IntoView {
    view! {
        <label title=(!title.is_empty()).then_some(title)>
            <span>{label}</span>
            " "
            <input
                type="text"
                inputmode=is_number.then_some("numeric")
                name=name
                size=size.to_string()
                autocomplete="off"
                spellcheck="false"
                placeholder=move || placeholder.get()
                aria-invalid=move || is_wrong.get().then_some("true")
                aria-describedby=move || is_wrong.get().then_some(described_by)
                node_ref=node_ref
                prop:value=move || text.get()
                on:change:target=move |event| on_change.run(event.target().value())
            />
            {unit}
        </label>
    }
}

/// A value of the document with its title; what is wrong with it stands beside it.
#[component]
pub fn Field(
    id: String,
    title: &'static str,
    #[prop(into)] text: Signal<String>,
    #[prop(into)] problem: Signal<Option<String>>,
    #[prop(into)] is_wrong: Signal<bool>,
    /// What an empty one stands for.
    placeholder: &'static str,
    #[prop(into)] on_input: Callback<String>,
    #[prop(into)] on_leave: Callback<()>,
    /// Undo (or redo, if false) was asked for while nothing was being typed.
    #[prop(into)]
    on_undo: Callback<bool>,
) -> impl IntoView {
    let error = format!("{id}-error");
    view! {
        <div class="top-field">
            <label for=id.clone()>{title}</label>
            <QuantityInput
                id=id
                text=text
                draft=RwSignal::new(None)
                is_wrong=is_wrong
                error_id=error.clone()
                placeholder=placeholder
                on_input=on_input
                on_leave=move |_| on_leave.run(())
                on_undo=on_undo
            />
            <span class="field-error" id=error role="alert">{move || problem.get().map(|text| safe(&text))}</span>
        </div>
    }
}
