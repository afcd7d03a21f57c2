//! The panel of measured traces.
//!
//! Invariant: what is typed and chosen follows its own part of what is shown, so that it stays while the rest changes.

use leptos::prelude::*;

use super::examples::examples;
use super::fold_button::fold_button;
use crate::components::TimeLink;
use crate::panels::panel::{Host, Panel, StateForm};
use blockstep_tools::measured::{
    Against, Checked, Fold, Folded, JudgedLine, LogsView, Measured, MeasuredContent, Msg, Remark, State, View, Violated,
};
use blockstep_ui::{Chip, SelectField, safe};
use blockstep_view::quantity::format_time;

impl Panel for Measured {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
        // Whether there are logs, and if not whether there were.
        let kind = Memo::new(move |_| {
            view.with(|view| match view.content {
                MeasuredContent::Empty(is_gone) => (false, is_gone),
                MeasuredContent::Logs(_) => (true, false),
            })
        });
        view! {
            {move || problem_lines(&problem.get())}
            {move || match kind.get() {
                (false, is_gone) => empty(host, is_gone).into_any(),
                (true, _) => logs(host, view).into_any(),
            }}
        }
        .into_any()
    }

    fn wide(host: Host<Self>, view: Memo<View>) -> AnyView {
        super::wide_panel::wide(host, view)
    }
}

fn problem_lines(lines: &[String]) -> impl IntoView + use<> {
    (!lines.is_empty()).then(|| {
        let lines = lines.iter().map(|line| view! { <p>{safe(line)}</p> }).collect_view();
        view! { <div class="verdict-bad" role="alert">{lines}</div> }
    })
}

/// What there is without logs.
fn empty(host: Host<Measured>, is_gone: bool) -> impl IntoView {
    view! {
        {is_gone.then(|| view! { <p class="verdict-bad">"These logs are no longer loaded. Open them again."</p> })}
        <p>
            "This tool reads the logs that cuda_scheduling_examiner wrote on a real GPU, one for each benchmark of a run. It \
                checks them against the rules, builds a scenario from them, and overlays the measured blocks on a simulated run."
        </p>
        <p>
            "To open logs, press " <b>"Open…"</b>
            " at the top of the page and choose all logs of one run together, or drop them on the page. You can include the config \
                or scenario that was run."
        </p>
        <p class="tool-note">
            "To get logs, run blockstep measure with a scenario, or the examiner with a config, on a computer with an NVIDIA GPU. \
                Each stream or benchmark has a JSON file."
        </p>
        {examples()}
        <div class="tool-row">{button(host, Msg::Try, "Try it with the run on screen")}</div>
        <p class="tool-note">
            "This generates logs of the run on screen as a GPU might write them, with slightly inexact clocks. Nothing is measured."
        </p>
    }
}

/// A part of what there is with logs; the default value while there are none.
fn part<T>(view: Memo<View>, of: fn(&LogsView) -> T) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| {
        view.with(|view| match &view.content {
            MeasuredContent::Logs(logs) => of(logs),
            MeasuredContent::Empty(_) => T::default(),
        })
    })
}

fn logs(host: Host<Measured>, view: Memo<View>) -> impl IntoView {
    let form = StateForm::new(host);
    let is_generated = part(view, |logs| logs.is_generated);
    let against = part(view, |logs| logs.against.clone());
    let built = part(view, |logs| logs.built.clone());
    let generated_note = move || {
        is_generated.get().then(|| {
            view! { <p class="verdict-bad">"Generated logs: they come from a simulated run, with clocks \
            that are off by up to 900 ns. Nothing here was measured."</p> }
        })
    };
    let other_run = || {
        view! { <p>"The scenario on screen has none of the kernels in these logs. Open the scenario that was run, \
        or build one from the logs."</p> }
    };
    view! {
        {generated_note}
        {read(view)}
        {settings(form, view)}
        {rules(host, form, view)}
        <h3>"Comparison with the run on screen"</h3>
        {move || match against.get() {
            Some(against) => differences(against).into_any(),
            None => other_run().into_any(),
        }}
        <div class="tool-row">
            {button(host, Msg::Build, "Build the scenario from the logs")}
            {button(host, Msg::SaveCsv, "Save blocks as CSV")}
            {button(host, Msg::Forget, "Close the logs")}
        </div>
        {move || built.get().map(|built| folded(form, Fold::Notes, "Assumptions of the scenario built from the logs", built, sentence))}
    }
}

fn read(view: Memo<View>) -> impl IntoView {
    let name = part(view, |logs| logs.name.clone());
    let count = part(view, |logs| logs.count.clone());
    let notes = part(view, |logs| logs.notes.clone());
    let listed = move || {
        let notes = notes.get();
        (!notes.is_empty()).then(|| {
            let notes = notes.into_iter().map(sentence).collect_view();
            view! { <div class="tool-note"><ul class="tool-list">{notes}</ul></div> }
        })
    };
    view! {
        <p>{move || name.get().map(|name| view! { <b>{safe(&name)}</b> ": " })} {move || count.get()}</p>
        {listed}
    }
}

fn settings(form: StateForm<Measured>, view: Memo<View>) -> impl IntoView {
    let devices = part(view, |logs| logs.devices.clone());
    let tolerance = form.part(State::tolerance_text);
    let problem = part(view, |logs| logs.tolerance_problem.clone());
    let found_device = part(view, |logs| logs.found_device.clone());
    let note = move || match problem.get() {
        None => view! {
            <p class="tool-note" id="measured-tolerance-note">"Differences up to the tolerance count as clock noise."</p>
        }
        .into_any(),
        Some(text) => view! { <p class="verdict-bad" role="alert" id="measured-tolerance-note">{safe(&text)}</p> }.into_any(),
    };
    view! {
        <div class="tool-row">
            <SelectField
                label="Device"
                name="device"
                choices=devices
                value=form.part(|state| state.device().to_owned())
                on_change=form.set(State::set_device)
            />
            <label>
                <span>"Tolerance"</span>
                <input
                    type="text"
                    name="tolerance"
                    size="7"
                    aria-describedby="measured-tolerance-note"
                    prop:value=move || tolerance.get()
                    on:change:target=move |event| form.edit(|state| state.set_tolerance(event.target().value()))
                />
            </label>
        </div>
        {note}
        {move || found_device.get().map(|found| folded(form, Fold::Device, "Evidence for the device", found, sentence))}
    }
}

fn rules(host: Host<Measured>, form: StateForm<Measured>, view: Memo<View>) -> impl IntoView {
    let verdict = part(view, |logs| (logs.conforms, logs.verdict.clone()));
    let violations = part(view, |logs| (logs.violations.clone(), logs.more_violations.clone()));
    let unjudged = part(view, |logs| logs.unjudged.clone());
    let judged = part(view, |logs| logs.judged.clone());
    let assumed = part(view, |logs| logs.assumed.clone());
    let listed = move || {
        let (violations, more) = violations.get();
        (!violations.is_empty()).then(|| {
            view! {
                <ol class="tool-list measured-violations">
                    {violations.into_iter().map(|violated| violation(host, violated)).collect_view()}
                </ol>
                {more.map(|more| view! { <p class="tool-note">{more}</p> })}
            }
        })
    };
    let of_rules = |(rules, why): (String, String)| view! { <li><b>{rules}</b> ": " {safe(&why)}</li> }.into_any();
    let of_check = |JudgedLine { check, text }| view! { <li>{name(check)} " " {text}</li> }.into_any();
    view! {
        <h3>"Rule check"</h3>
        <p class=move || if verdict.with(|(conforms, _)| *conforms) { "verdict-good" } else { "verdict-bad" }>
            {move || verdict.with(|(_, text)| text.clone())}
        </p>
        {listed}
        {move || unjudged.get().map(|of| folded(form, Fold::Unjudged, "Not checked", of, of_rules))}
        {move || judged.get().map(|of| folded(form, Fold::Judged, "Checks", of, of_check))}
        {move || assumed.get().map(|of| folded(form, Fold::Assumed, "Assumptions", of, sentence))}
    }
}

/// The rule that a check reads backwards, or its own name.
fn name(check: Checked) -> AnyView {
    match check {
        Checked::Rule(rule) => view! { <Chip rule=rule is_focusable=false /> }.into_any(),
        Checked::Other(id, sentence) => view! { <span class="chip" title=sentence>{id}</span> }.into_any(),
    }
}

fn violation(host: Host<Measured>, of: Violated) -> impl IntoView {
    let Violated { number, check, sentence, is_shown } = of;
    view! {
        <li class=is_shown.then_some("is-current")>
            {name(check)} " " {safe(&sentence)} " "
            <button
                type="button"
                class="small"
                aria-label=format!("Show violation {number}")
                aria-pressed=is_shown.to_string()
                on:click=move |_| host.send(Msg::See(number))
            >
                "Show"
            </button>
        </li>
    }
}

fn differences(against: Against) -> impl IntoView {
    let row = |(name, value): (String, String)| view! { <tr><th scope="row">{name}</th><td>{safe(&value)}</td></tr> };
    let groups = against.groups.into_iter().map(|group| {
        view! {
            <h4>{group.title}</h4>
            <ul class="tool-list">{group.remarks.into_iter().map(remark).collect_view()}</ul>
        }
    });
    view! {
        <table class="tool-table measured-summary">
            <tbody>{against.summary.into_iter().map(row).collect_view()}</tbody>
        </table>
        {against.agrees.map(|agrees| view! { <p class="verdict-good">{agrees}</p> })}
        {groups.collect_view()}
    }
}

fn remark(remark: Remark) -> impl IntoView {
    let link = remark.at.map(|at| {
        view! { " " <TimeLink at=at label="Go to the instant" spoken=format!("Go to {}", format_time(at.ns())) class="small" /> }
    });
    view! { <li>{safe(&remark.text)} {link}</li> }
}

fn sentence(text: String) -> AnyView {
    view! { <li>{safe(&text)}</li> }.into_any()
}

/// A list that can be closed.
fn folded<T>(form: StateForm<Measured>, fold: Fold, title: &'static str, of: Folded<T>, item: impl Fn(T) -> AnyView) -> impl IntoView
where
    T: 'static,
{
    let list = of.is_open.then(|| view! { <ul class="tool-list">{of.items.into_iter().map(item).collect_view()}</ul> });
    view! {
        {fold_button(form, fold, title, of.is_open)}
        {list}
    }
    .into_any()
}

fn button(host: Host<Measured>, message: Msg, text: &'static str) -> impl IntoView {
    view! { <button type="button" class="small" on:click=move |_| host.send(message.clone())>{text}</button> }
}
