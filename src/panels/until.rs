//! The panel of "Run until".
//!
//! Invariant: Enter in a text is Next.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::StepLink;
use crate::panels::panel::{Host, Panel, StateForm};
use blockstep_learn::until::{ConditionKind, Parameter};
use blockstep_tools::until::{Control, Msg, ParameterEntry, SearchOutcome, Until, View};
use blockstep_ui::{Choices, SelectField, TextField, safe};

impl Panel for Until {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let kind = Memo::new(move |_| view.with(|view| view.kind));
        let kinds = Memo::new(move |_| view.with(|view| -> Choices { view.kinds.iter().map(titled).collect() }));
        let outcome = Memo::new(move |_| view.with(|view| view.outcome.clone()));
        let parameters = Memo::new(move |_| view.with(|view| view.controls.iter().map(|control| control.parameter).collect::<Vec<_>>()));
        let form = StateForm::new(host);
        let controls = move || {
            let is_any = parameters.with(|parameters| !parameters.is_empty());
            is_any.then(|| {
                view! {
                    <div class="tool-row">
                        <For
                            each=move || parameters.get()
                            key=|parameter| *parameter
                            children=move |parameter| control(form, view, parameter)
                        />
                    </div>
                }
            })
        };
        let is_problem = move || outcome.with(|outcome| matches!(outcome, SearchOutcome::Problem(_)));
        let submit = move |event: leptos::ev::SubmitEvent| {
            event.prevent_default();
            host.send(Msg::Next);
        };
        view! {
            <form class="tool-form" novalidate on:submit=submit>
                <div class="tool-row">
                    <SelectField
                        label="Until"
                        name="until"
                        choices=kinds
                        value=Signal::derive(move || kind.get().id().to_owned())
                        on_change=form.set(|state, id| state.until = id)
                    />
                </div>
                {controls}
                <div class="tool-row">
                    <button type="button" disabled=is_problem on:click=move |_| host.send(Msg::Previous)>
                        "◀ Previous"
                    </button>
                    <button type="button" class="primary" disabled=is_problem on:click=move |_| host.send(Msg::Next)>
                        "Next ▶"
                    </button>
                    <button type="submit" hidden></button>
                </div>
                {move || outcome.with(result)}
            </form>
        }
        .into_any()
    }
}

fn titled(kind: &ConditionKind) -> (String, String) {
    (kind.id().to_owned(), kind.title().to_owned())
}

fn result(outcome: &SearchOutcome) -> AnyView {
    match outcome {
        SearchOutcome::Problem(problem) => view! { <p class="verdict-bad" role="alert">{safe(problem)}</p> }.into_any(),
        SearchOutcome::Found { position, place, what } => view! {
            <p class="verdict-good">
                <StepLink position=*position label=place.clone() />
                ": "
                {safe(what)}
            </p>
        }
        .into_any(),
        SearchOutcome::Elsewhere { position, said } => {
            view! { <p class="tool-note">{safe(said)} " " <StepLink position=*position label="Go there" /></p> }.into_any()
        }
        SearchOutcome::Says(said) => view! { <p class="tool-note">{safe(said)}</p> }.into_any(),
    }
}

/// The control of a parameter; it stays as long as the condition has that.
fn control(form: StateForm<Until>, view: Memo<View>, parameter: Parameter) -> impl IntoView {
    // Once the condition is another one, it goes.
    let now = Memo::new(move |last: Option<&Option<Control>>| {
        let now = view.with(|view| view.controls.iter().find(|control| control.parameter == parameter).cloned());
        now.or_else(|| last.cloned().flatten())
    });
    let of = move |read: fn(&Control) -> String| now.with(|now| now.as_ref().map(read).unwrap_or_default());
    let value = Signal::derive(move || of(|control| control.value.clone()));
    let label = untrack(|| of(|control| control.label.clone()));
    let choices = Memo::new(move |_| {
        now.with(|now| match now.as_ref().map(|control| &control.entry) {
            Some(ParameterEntry::Chosen(choices)) => Some(choices.clone()),
            _ => None,
        })
    });
    let is_chosen = Memo::new(move |_| choices.with(Option::is_some));
    let set = move |value: String| form.edit(|state| *state.parameter_mut(parameter) = value);
    move || {
        if is_chosen.get() {
            let choices = Signal::derive(move || choices.get().unwrap_or_default());
            Either::Left(view! { <SelectField label=label.clone() name=parameter.name() choices=choices value=value on_change=set /> })
        } else {
            let (is_number, unit) = untrack(|| {
                now.with(|now| match now.as_ref().map(|control| &control.entry) {
                    Some(ParameterEntry::Typed { is_number, unit }) => (*is_number, unit.clone()),
                    _ => (false, String::new()),
                })
            });
            Either::Right(view! {
                <TextField label=label.clone() name=parameter.name() size=8 is_number=is_number unit=unit text=value on_change=set />
            })
        }
    }
}
