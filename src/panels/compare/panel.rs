//! The panel of the comparison: which runs, how they are tied together, and the way from difference to difference.
//!
//! Invariant: a control stays the same element while the reader steps, so that it keeps the focus.

use leptos::prelude::*;

use super::under;
use crate::panels::panel::{Host, Panel, StateForm};
use blockstep_learn::compare::Lockstep;
use blockstep_tools::compare::{
    Compare, CompareStanding, CurrentDifference, DifferenceStep, Differing, Msg, NamedRun, PinChoice, RunChoices, RunKey, RunToggle, View,
};
use blockstep_ui::{Select, safe};

const RULES: &str = "Changed rules";
const BEFORE_EDIT: &str = "Before an edit";

impl Panel for Compare {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let on_screen = Memo::new(move |_| view.with(|view| view.on_screen.clone()));
        let beside = Memo::new(move |_| view.with(|view| view.beside.clone()));
        let has_others = Memo::new(move |_| !beside.with(Vec::is_empty));
        let choices = Memo::new(move |_| view.with(|view| view.choices.clone()));
        let form = StateForm::new(host);
        view! {
            <p class="compare-who">"On screen: " <b>{move || safe(&on_screen.get())}</b> ". " {move || who(&beside.get())}</p>
            {move || has_others.get().then(|| with_others(host, form, view))}
            <h3>"Add a run"</h3>
            {policies_and_devices(form, choices)}
            {rules(form, choices)}
            {before_an_edit(host, form, choices)}
        }
        .into_any()
    }

    fn wide(host: Host<Self>, view: Memo<View>) -> AnyView {
        under::section(host, view)
    }
}

/// The runs beside the one on screen, in a sentence.
fn who(beside: &[NamedRun]) -> AnyView {
    if beside.is_empty() {
        return "Choose a run to compare it with.".into_any();
    }
    let runs = beside.iter().enumerate().map(|(i, of)| {
        let comma = if i > 0 { "; " } else { "" };
        view! { {comma} <b class:compare-changed=of.is_changed>{safe(&of.heading)}</b> }
    });
    view! { "Compared under the timeline with: " {runs.collect_view()} "." }.into_any()
}

/// What there is as soon as a run stands beside the one on screen.
fn with_others(host: Host<Compare>, form: StateForm<Compare>, view: Memo<View>) -> impl IntoView {
    let has_several = Memo::new(move |_| view.with(|view| view.with.is_some()));
    let standing = Memo::new(move |_| view.with(|view| view.standing.clone()));
    let differs = Memo::new(move |_| standing.with(|standing| matches!(standing, Some(CompareStanding::Differs(_)))));
    let verdict = move || match standing.get() {
        Some(CompareStanding::Impossible) => {
            view! { <p class="verdict-bad">"This run is not possible; the reason is below the timeline."</p> }.into_any()
        }
        Some(CompareStanding::Same { verdict, instead }) => same(form, verdict, instead).into_any(),
        Some(CompareStanding::Differs(_)) | None => ().into_any(),
    };
    let differing = Memo::new(move |_| match standing.get() {
        Some(CompareStanding::Differs(differing)) => Some(differing),
        _ => None,
    });
    view! {
        {move || has_several.get().then(|| which(form, view))}
        {verdict}
        {move || differs.get().then(|| differences(host, differing))}
        {lockstep(form)}
        <div class="tool-row compare-save">
            <button type="button" class="small" on:click=move |_| host.send(Msg::SaveTables)>"Save as CSV"</button>
            <button type="button" class="small" on:click=move |_| host.send(Msg::SaveFigure)>"Save figure"</button>
        </div>
    }
}

/// Which of several runs the differences are from.
fn which(form: StateForm<Compare>, view: Memo<View>) -> impl IntoView {
    let choices = Memo::new(move |_| {
        let choice = |of: &NamedRun| (of.other.key(), of.short.clone());
        view.with(|view| view.beside.iter().map(choice).collect::<Vec<_>>())
    });
    let value = Memo::new(move |_| view.with(|view| view.with.map(RunKey::key).unwrap_or_default()));
    let on_change = form.set(|state, key: String| state.with = key.parse().ok().or(state.with));
    view! {
        <label class="tool-row compare-with">
            <span>"Differences from"</span>
            <Select name="with" choices=choices value=value on_change=on_change />
        </label>
    }
}

/// That there is no difference, why, and what to set beside it instead.
fn same(form: StateForm<Compare>, verdict: String, instead: Option<NamedRun>) -> impl IntoView {
    let instead = instead.map(|of| {
        let other = of.other;
        view! {
            <div class="tool-row">
                <button type="button" class="small primary" on:click=move |_| form.edit(|state| state.replace(other))>
                    {format!("Show a run that differs: {}", safe(&of.heading))}
                </button>
            </div>
        }
    });
    view! {
        <p class="verdict-good">{verdict}</p>
        {instead}
    }
}

/// Where the reader stands among the differences, and the buttons from one to the next.
fn differences(host: Host<Compare>, differing: Memo<Option<Differing>>) -> impl IntoView {
    let goes = move |way: DifferenceStep, label: &'static str, is_possible: fn(&Differing) -> bool| {
        let is_possible = Memo::new(move |_| differing.with(|of| of.as_ref().is_some_and(is_possible)));
        // It keeps the focus that it has when there is nothing more to do.
        let disabled = move || (!is_possible.get()).then_some("true");
        view! { <button type="button" class="small" aria-disabled=disabled on:click=move |_| host.send(Msg::Go(way))>{label}</button> }
    };
    view! {
        <div class="tool-row">
            {goes(DifferenceStep::First, "Go to first difference", |_| true)}
            {goes(DifferenceStep::Previous, "‹ Previous", |of| of.has_previous)}
            {goes(DifferenceStep::Next, "Next ›", |of| of.has_next)}
        </div>
        <div class="compare-now">{move || differing.get().map(now)}</div>
    }
}

fn now(differing: Differing) -> impl IntoView {
    let lines = |lines: &[String]| lines.iter().map(|line| view! { <li>{safe(line)}</li> }).collect_view();
    let now = match differing.now {
        CurrentDifference::At { head, sentences } => {
            view! { <p class="compare-head">{head}</p><ul class="tool-list">{lines(&sentences)}</ul> }.into_any()
        }
        CurrentDifference::Between(sentence) => view! { <p>{sentence}</p> }.into_any(),
    };
    let first = (!differing.first.is_empty()).then(|| {
        view! {
            <p class="tool-note">"First different step:"</p>
            <ul class="tool-list tool-note">{lines(&differing.first)}</ul>
        }
    });
    view! { {now} {first} }
}

fn lockstep(form: StateForm<Compare>) -> impl IntoView {
    let by = form.part(|state| state.by);
    let choice = move |value: Lockstep, word: &'static str, text: &'static str, title: &'static str| {
        view! {
            <label title=title>
                <input
                    type="radio"
                    name="by"
                    value=word
                    prop:checked=move || by.get() == value
                    on:change=move |_| form.edit(|state| state.by = value)
                />
                <span>{text}</span>
            </label>
        }
    };
    view! {
        <fieldset class="switch">
            <legend>"Align the runs"</legend>
            {choice(Lockstep::Time, "time", "By time", "Shows each run at the same instant")}
            {choice(Lockstep::Decision, "decision", "By decision", "Shows each run right after the last event on screen has \
                happened in it")}
        </fieldset>
    }
}

fn policies_and_devices(form: StateForm<Compare>, choices: Memo<RunChoices>) -> impl IntoView {
    view! {
        {toggles(form, "Another policy", Memo::new(move |_| choices.with(|choices| choices.policies.clone())))}
        {toggles(form, "Another device", Memo::new(move |_| choices.with(|choices| choices.devices.clone())))}
    }
}

/// A button for each run that there may be, pressed if it is there.
fn toggles(form: StateForm<Compare>, title: &'static str, of: Memo<Vec<RunToggle>>) -> impl IntoView {
    view! {
        <div class="compare-choice" role="group" aria-label=title>
            <span class="quiet">{title}</span>
            <div class="tool-row">{buttons(form, of)}</div>
        </div>
    }
}

fn buttons(form: StateForm<Compare>, of: Memo<Vec<RunToggle>>) -> impl IntoView {
    let button = move |first: RunToggle| {
        let other = first.other;
        let now =
            Memo::new(move |_| of.with(|all| all.iter().find(|toggle| toggle.other == other).cloned()).unwrap_or_else(|| first.clone()));
        toggle(form, now)
    };
    view! { <For each=move || of.get() key=|toggle| toggle.other.key() children=button /> }
}

fn toggle(form: StateForm<Compare>, of: Memo<RunToggle>) -> impl IntoView {
    let title = move || of.with(|of| Some(of.title.clone()).filter(|title| !title.is_empty()));
    view! {
        <button
            type="button"
            class="small"
            aria-pressed=move || if of.with(|of| of.is_on) { "true" } else { "false" }
            title=title
            disabled=move || of.with(|of| of.is_disabled)
            on:click=move |_| form.edit(|state| state.toggle(of.with_untracked(|of| of.other)))
        >
            {move || of.with(|of| safe(&of.label))}
        </button>
    }
}

/// A list of what may be changed, and a button for each run with changed rules that is there.
fn rules(form: StateForm<Compare>, choices: Memo<RunChoices>) -> impl IntoView {
    let offered = Memo::new(move |_| {
        let rules = choices.with(|choices| choices.rules.iter().map(|(other, title)| (other.key(), title.clone())).collect::<Vec<_>>());
        std::iter::once((String::new(), "Change a rule…".to_owned())).chain(rules).collect::<Vec<_>>()
    });
    let is_full = Memo::new(move |_| choices.with(|choices| choices.is_full));
    let on_change = form.set(|state, key: String| {
        if let Ok(other) = key.parse() {
            state.toggle(other);
        }
    });
    view! {
        <div class="compare-choice" role="group" aria-label=RULES>
            <label>
                <span class="quiet">{RULES}</span>
                <Select name="rule" choices=offered value=String::new() is_disabled=is_full on_change=on_change />
            </label>
            <div class="tool-row">{buttons(form, Memo::new(move |_| choices.with(|choices| choices.changed.clone())))}</div>
        </div>
    }
}

fn before_an_edit(host: Host<Compare>, form: StateForm<Compare>, choices: Memo<RunChoices>) -> impl IntoView {
    let pin = Memo::new(move |_| choices.with(|choices| choices.pin.clone()));
    let disabled = move || (!pin.with(|pin: &PinChoice| pin.is_possible)).then_some("true");
    let pinned = Memo::new(move |_| pin.with(|pin| pin.pinned.clone().into_iter().collect::<Vec<_>>()));
    view! {
        <div class="compare-choice" role="group" aria-label=BEFORE_EDIT>
            <span class="quiet">{BEFORE_EDIT}</span>
            <div class="tool-row">
                <button type="button" class="small" aria-disabled=disabled on:click=move |_| host.send(Msg::Pin)>
                    {move || pin.with(|pin| pin.label.clone())}
                </button>
                {buttons(form, pinned)}
            </div>
        </div>
        {move || pin.with(|pin| pin.note.clone()).map(|note| view! { <p class="tool-note">{note}</p> })}
    }
}
