//! Parts that several tabs have: choices, switches, what is wrong, sections that open, buttons that save.
//!
//! Invariant: they know the tool's messages and nothing of the tab that they stand in.

use leptos::prelude::*;

use crate::panels::panel::Host;
use blockstep_batch::arch::ArchId;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_tools::batch::{Batch, Choices, Drawing, MethodView, MethodsView, Msg, Problems, Saved, Section, Source};
use blockstep_ui::{PointedPicture, SelectField, safe};

pub(super) fn part<V, T>(whole: Memo<V>, of: fn(&V) -> &T) -> Memo<T>
where
    V: Send + Sync + 'static,
    T: Clone + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| whole.with(|whole| of(whole).clone()))
}

/// A part that is not always there: once it is gone, as it was last, until its component goes too.
pub(super) fn narrowed<V, T>(whole: Memo<V>, of: fn(&V) -> Option<&T>) -> Option<Memo<T>>
where
    V: Send + Sync + 'static,
    T: Clone + PartialEq + Send + Sync + 'static,
{
    let first = whole.with_untracked(|whole| of(whole).cloned())?;
    Some(Memo::new(move |last: Option<&T>| whole.with(|whole| of(whole).cloned()).unwrap_or_else(|| last.unwrap_or(&first).clone())))
}

/// The choice of a built-in workload, or of one's own.
pub(super) fn source_choice(host: Host<Batch>, choices: Memo<Choices>) -> impl IntoView {
    let offered = Memo::new(move |_| {
        choices.with(|choices| choices.sources.iter().map(|(source, title)| (source.word().to_owned(), title.clone())).collect::<Vec<_>>())
    });
    let value = Memo::new(move |_| choices.with(|choices| choices.source.word().to_owned()));
    view! {
        <SelectField
            label="Workload"
            name="from"
            choices=offered
            value=value
            on_change=move |word: String| host.send(Msg::Choose(Source::from_word(&word)))
        />
    }
}

pub(super) fn choices(host: Host<Batch>, choices: Memo<Choices>) -> impl IntoView {
    let gpu = Memo::new(move |_| choices.with(|choices| choices.gpu.word().to_owned()));
    let scheduler = Memo::new(move |_| choices.with(|choices| choices.scheduler.map(SchedulerId::name).unwrap_or_default().to_owned()));
    let has_scheduler = Memo::new(move |_| choices.with(|choices| choices.scheduler.is_some()));
    let set_gpu = move |word: String| {
        if let Some(gpu) = ArchId::from_word(&word) {
            host.send(Msg::SetGpu(gpu));
        }
    };
    let set_scheduler = move |name: String| {
        if let Some(by) = SchedulerId::from_name(&name) {
            host.send(Msg::SetScheduler(by));
        }
    };
    let gpus: Vec<_> = ArchId::ALL.map(|id| (id.word().to_owned(), id.arch().name.to_owned())).into();
    let schedulers = || SchedulerId::ALL.map(|id| (id.name().to_owned(), id.name().to_owned())).to_vec();
    let by = move || {
        has_scheduler.get().then(|| {
            view! { <SelectField label="Scheduler" name="by" choices=schedulers() value=scheduler on_change=set_scheduler /> }
        })
    };
    view! {
        <div class="batch-row">
            {source_choice(host, choices)}
            <SelectField label=blockstep_tools::batch::GPU name="gpu" choices=gpus value=gpu on_change=set_gpu />
            {by}
        </div>
    }
}

pub(super) fn problems(problems: Memo<Problems>) -> impl IntoView {
    view! {
        <div class="batch-wrong" role="alert" id="batch-wrong">
            <p>"This workload cannot run. Your input is kept until you change it."</p>
            <ul>{move || problems.get().0.iter().map(|problem| view! { <li>{safe(problem)}</li> }).collect_view()}</ul>
        </div>
    }
}

pub(super) fn methods(host: Host<Batch>, methods: Memo<MethodsView>) -> impl IntoView {
    let here = Memo::new(move |_| methods.with(|methods| methods.here.clone()));
    let shown = move || methods.with(|methods| methods.methods.iter().map(|of| of.method).collect::<Vec<_>>());
    let one = move |of| {
        let now = Memo::new(move |_| methods.with(|methods| methods.methods.iter().find(|now| now.method == of).copied()));
        let is = move |is: fn(MethodView) -> bool| now.get().is_some_and(is);
        let idle = move || is(|now| now.is_idle).then(|| view! { <span class="batch-idle">{move || here.get()}</span> " " });
        view! {
            <label>
                <input
                    type="checkbox"
                    name="method"
                    value=of.word()
                    prop:checked=move || is(|now| now.is_on)
                    on:change:target=move |event| host.send(Msg::SetMethod(of, event.target().checked()))
                />
                <span>
                    <b>{of.word()}</b>
                    " "
                    {idle}
                    <span class="tool-note">{of.says()} " " {of.source()}</span>
                </span>
            </label>
        }
    };
    view! {
        <fieldset class="batch-methods">
            <legend>"Methods: options that change the issued commands"</legend>
            <For each=shown key=|of| of.word() children=one />
        </fieldset>
    }
}

#[component]
pub(super) fn Details(
    host: Host<Batch>,
    section: Section,
    title: &'static str,
    #[prop(into)] is_open: Signal<bool>,
    children: Children,
) -> impl IntoView {
    let toggle = move |event: leptos::ev::MouseEvent| {
        // It opens when the tool says so, as links remember it.
        event.prevent_default();
        host.send(Msg::Toggle(section));
    };
    view! {
        <details open=move || is_open.get()>
            <summary on:click=toggle>{title}</summary>
            {children()}
        </details>
    }
}

#[component]
pub(super) fn SaveButton(host: Host<Batch>, what: Saved, label: &'static str) -> impl IntoView {
    view! { <button type="button" on:click=move |_| host.send(Msg::Save(what))>{label}</button> }
}

#[component]
pub(super) fn Pictured(drawing: Memo<Drawing>) -> impl IntoView {
    let svg = part(drawing, |drawing| &drawing.svg);
    let label = part(drawing, |drawing| &drawing.label);
    let size = part(drawing, |drawing| &drawing.size_px);
    let spots = part(drawing, |drawing| &drawing.spots);
    view! { <PointedPicture svg=svg label=label size_px=size spots=spots /> }
}
