//! The panel of the rules.
//!
//! Invariant: a run with rules changed is called what it is wherever it is told of.

use leptos::prelude::*;

use crate::components::{OpLink, StepLink};
use crate::panels::panel::{Host, Panel};
use blockstep_sim::trace::Rule;
use blockstep_tools::rules::{
    Changed, Divergence, Family, Msg, RuleAtStep, RuleChange, RuleEntry, Rules, Side, Switch, Usage, View, WaitView,
};
use blockstep_ui::{Chip, safe};

impl Panel for Rules {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let used = Memo::new(move |_| view.with(|view| (view.used, view.all)));
        let changed = Memo::new(move |_| view.with(|view| view.changed.clone()));
        let families = Memo::new(move |_| view.with(|view| view.families.clone()));
        view! {
            {move || bar(used.get())}
            {move || changed.with(|changed| changed.as_ref().map(|changed| banner(host, changed)))}
            {move || families.with(|all| all.iter().enumerate().map(|(place, of)| family(host, place, of)).collect_view())}
        }
        .into_any()
    }
}

fn bar((used, all): (usize, usize)) -> impl IntoView {
    view! {
        <div class="rules-bar">
            <p id="rules-used"><strong>{format!("{used} of {all} rules used")}</strong> " by this run"</p>
            <progress value=used.to_string() max=all.to_string() aria-labelledby="rules-used">
                {format!("{used} of {all}")}
            </progress>
        </div>
    }
}

fn banner(host: Host<Rules>, changed: &Changed) -> impl IntoView + use<> {
    let item = |change: &RuleChange| {
        view! {
            <li>
                <strong>{change.title.clone()}</strong>
                ". "
                {change.sentence.clone()}
                <div class="tool-note">{change.misconception.clone()}</div>
            </li>
        }
    };
    view! {
        <div class="rules-changed verdict-bad">
            <p><strong>"Not what a GPU does."</strong> " Rules changed:"</p>
            <ul class="tool-list">{changed.changes.iter().map(item).collect_view()}</ul>
            {comparison(host, changed)}
            <p class="tool-row">
                <button type="button" class="primary small" on:click=move |_| host.send(Msg::Compare)>
                    "Compare both runs"
                </button>
                <button type="button" class="small" on:click=move |_| host.send(Msg::Reset)>
                    "Restore all rules"
                </button>
            </p>
            <p class="tool-note">"The run on screen still follows the original rules."</p>
        </div>
    }
}

fn comparison(host: Host<Rules>, changed: &Changed) -> AnyView {
    match &changed.divergence {
        None => {
            let table = |change: &RuleChange| {
                let variant = change.variant;
                let label = format!("Open a small table for {}", change.title);
                view! { <button type="button" class="small" on:click=move |_| host.send(Msg::Showcase(variant))>{label}</button> }
            };
            view! {
                <p>"The change has no effect on this run: both runs have the same steps."</p>
                <p class="tool-row">{changed.changes.iter().map(table).collect_view()}</p>
            }
            .into_any()
        }
        Some(Divergence { effect, before, sides, cut, position }) => view! {
            <p id="rules-effect"><strong>{safe(effect)}</strong></p>
            <p>{before.clone()}</p>
            <table class="tool-table">
                <tbody>{sides.iter().map(side).collect_view()}</tbody>
            </table>
            {cut.as_ref().map(|cut| view! { <p>{safe(cut)}</p> })}
            <p class="tool-row">
                <StepLink position=*position label="Go to the first difference" class="small" />
            </p>
        }
        .into_any(),
    }
}

fn side(side: &Side) -> impl IntoView + use<> {
    let step = match &side.step {
        Some(step) => view! {
            {step.time.clone()}
            " "
            <Chip rule=step.rule is_focusable=false />
            " "
            {safe(&step.sentence)}
        }
        .into_any(),
        None => "Nothing more happens.".into_any(),
    };
    view! {
        <tr>
            <th scope="row">{side.name.clone()}</th>
            <td>{step}</td>
        </tr>
    }
}

fn family(host: Host<Rules>, place: usize, family: &Family) -> impl IntoView + use<> {
    let id = format!("rules-family-{place}");
    let heading = id.clone();
    let entries = family.is_open.then(|| {
        let entries = family.entries.iter().map(|of| entry(host, of)).collect_view();
        view! { <ul class="tool-list">{entries}</ul> }
    });
    view! {
        <section aria-labelledby=heading>
            <h3 id=id>
                <button
                    type="button"
                    class="rules-family"
                    aria-expanded=if family.is_open { "true" } else { "false" }
                    on:click=move |_| host.send(Msg::Fold(place))
                >
                    {family.name.clone()}
                    <span class="quiet">{format!(" {}", family.used)}</span>
                </button>
            </h3>
            {entries}
        </section>
    }
}

fn entry(host: Host<Rules>, entry: &RuleEntry) -> impl IntoView + use<> {
    let rule = entry.rule;
    let (is_unused, usage) = match &entry.usage {
        Usage::Used { count, has_previous, has_next } => {
            let usage = view! {
                <span class="rule-count">{count.clone()}</span>
                {walk(host, rule, false, *has_previous)}
                {walk(host, rule, true, *has_next)}
            };
            (false, usage.into_any())
        }
        Usage::Unused(why) => (true, view! { <span class="tool-note">{safe(why)}</span> }.into_any()),
    };
    let class = format!("rule-entry{}{}", if entry.is_current { " is-current" } else { "" }, if is_unused { " is-unused" } else { "" },);
    view! {
        <li class=class aria-current=entry.is_current.then_some("step")>
            <p>
                <Chip rule=rule is_focusable=false />
                " "
                {rule.sentence()}
                " "
                <span class="tool-note">{rule.cited()}</span>
            </p>
            <div class="tool-row">{usage}</div>
            {entry.at_step.as_ref().map(rule_at_step)}
            {entry.switches.iter().map(|of| switch(host, of)).collect_view()}
        </li>
    }
}

/// A button to the next or the previous use of a rule; one that leads nowhere says so.
fn walk(host: Host<Rules>, rule: Rule, forward: bool, is_there: bool) -> impl IntoView {
    let (message, sign, label) = if forward {
        (Msg::Next(rule), "›", format!("Next use of {}", rule.id()))
    } else {
        (Msg::Previous(rule), "‹", format!("Previous use of {}", rule.id()))
    };
    view! {
        <button
            type="button"
            class="small"
            aria-label=label.clone()
            title=label
            aria-disabled=(!is_there).then_some("true")
            on:click=move |_| host.send(message)
        >
            {sign}
        </button>
    }
}

fn rule_at_step(at_step: &RuleAtStep) -> impl IntoView + use<> {
    let wait = |wait: &WaitView| {
        let op = view! { <OpLink op=wait.op label=wait.label.clone() /> };
        waits(wait.is_rest, op, &wait.until)
    };
    view! {
        <p class="rule-here">
            {at_step.cited.as_ref().map(|cited| format!("{cited} "))}
            {at_step.waits.iter().map(wait).collect_view()}
            {at_step.more.clone()}
        </p>
    }
}

fn switch(host: Host<Rules>, switch: &Switch) -> impl IntoView + use<> {
    let variant = switch.variant;
    view! {
        <p class=if switch.is_on { "rule-switch is-on" } else { "rule-switch" }>
            <label>
                <input
                    type="checkbox"
                    name="variant"
                    value=variant.id()
                    prop:checked=switch.is_on
                    on:change:target=move |event| host.send(Msg::Change(variant, event.target().checked()))
                />
                <span>
                    <strong>{switch.lead.clone()}</strong>
                    " "
                    {switch.sentence.clone()}
                </span>
            </label>
        </p>
    }
}

/// What begins to wait, or only the rest of it, and until when.
fn waits<T: IntoView>(is_rest: bool, op: T, until: &str) -> impl IntoView + use<T> {
    let until = format!(" begins to wait here, {until}. ");
    view! {
        {if is_rest { "The rest of " } else { "" }}
        {op}
        {until}
    }
}
