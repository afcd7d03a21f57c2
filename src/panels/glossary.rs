//! The panel of the glossary.
//!
//! Invariant: a name that is referred to leads to its term.

use leptos::prelude::*;

use crate::panels::panel::{Host, Panel, StateForm};
use blockstep_tools::glossary::{Glossary, GlossaryEntry, View};
use blockstep_ui::{Chip, TextField};

impl Panel for Glossary {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let form = StateForm::new(host);
        let find = form.part(|state| state.find.clone());
        let all = move || {
            let is_some_left_out = !find.get().is_empty();
            is_some_left_out.then(
                || view! { <button type="button" class="small" on:click=move |_| form.edit(|state| state.find.clear())>"All terms"</button> },
            )
        };
        view! {
            <div class="tool-row">
                <TextField
                    label="Find"
                    name="find"
                    size=20
                    placeholder="a term, or a rule".to_owned()
                    text=find
                    on_change=form.set(|state, text: String| text.trim().clone_into(&mut state.find))
                />
                {all}
            </div>
            <p class="tool-note">{move || view.with(|view| view.count.clone())}</p>
            <dl class="glossary">
                <For
                    each=move || view.with(|view| view.terms.clone())
                    key=|term| term.slug.clone()
                    children=move |term| entry(form, term)
                />
            </dl>
        }
        .into_any()
    }
}

fn entry(form: StateForm<Glossary>, term: GlossaryEntry) -> impl IntoView {
    let also = (!term.also.is_empty()).then(|| view! { <p class="tool-note">{format!("also: {}", term.also.join(", "))}</p> });
    let rules = term.rules.iter().map(|&rule| view! { <Chip rule=rule /> " " }).collect_view();
    let see = term.see.iter().enumerate().map(|(i, name)| {
        let target = name.clone();
        let comma = if i > 0 { ", " } else { "" };
        view! { {comma} <button type="button" class="link" on:click=move |_| form.edit(|state| state.find.clone_from(&target))>{name.clone()}</button> }
    });
    view! {
        <dt id=format!("term-{}", term.slug)>{term.name.clone()}</dt>
        <dd>
            {also}
            <p>{term.meaning.clone()}</p>
            <p class="tool-note">{rules} "See " {see.collect_view()} ". " {term.source.clone()}</p>
        </dd>
    }
}
