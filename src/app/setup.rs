//! What is set outside the tables: the policy's settings, how tasks are spread over processes, the
//! device's limits, the horizon.
//!
//! Depends on `state`. Invariant: a limit that is changed makes the device one of one's own; the
//! built-in ones never change. A policy's settings outlive the choice of another policy.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::{live_flag, live_part, live_text, options};
use super::state::app;
use crate::scenario::PolicyKind;
use crate::scenario::device::LIMITS;
use crate::view::document::Arrangement;

/// Switch costs that were measured, [LP] Table II.
const COSTS: &str = "<span>[LP] Table II:</span>\
<button class=small data-cost=27us title='lpEDF and npEDF, average'>27 µs</button>\
<button class=small data-cost=44us title='lpEDF and npEDF, greatest'>44 µs</button>\
<button class=small data-cost=263us title='EDF with registers and local memory, average'>263 µs</button>\
<button class=small data-cost=434us title='EDF with registers and local memory, greatest'>434 µs</button>";

/// A limit's name on screen.
fn title(field: &str) -> &'static str {
    match field {
        "sms" => "SMs",
        "threads_per_sm" => "Threads per SM",
        "blocks_per_sm" => "Blocks per SM",
        "shared_memory_per_sm" => "Shared memory per SM",
        "registers_per_sm" => "Registers per SM",
        "max_threads_per_block" => "Threads per block, at most",
        "max_shared_memory_per_block" => "Shared memory per block, at most",
        "max_registers_per_block" => "Registers per block, at most",
        "max_registers_per_thread" => "Registers per thread, at most",
        "copy_engines" => "Copy engines",
        "copy_bandwidth_bytes_per_s" => "Copy bandwidth, per second",
        _ => "Limit",
    }
}

/// A text field outside the tables, by path.
#[component]
pub(super) fn TopField(path: String, label: &'static str, #[prop(optional)] placeholder: &'static str) -> impl IntoView {
    let state = app();
    let editing = RwSignal::new(None::<String>);
    let id = path.replace('.', "-");
    let error_id = format!("{id}-error");
    let shown = {
        let path = path.clone();
        move || editing.get().unwrap_or_else(|| state.document.with(|d| d.top_text(&path)))
    };
    let problem = {
        let path = path.clone();
        Signal::derive(move || state.problem_at(&path))
    };
    let edit = {
        let path = path.clone();
        move |ev| {
            let text = event_target_value(&ev);
            editing.set(Some(text.clone()));
            state.edit(Some(path.clone()), |d| d.set_top(&path, &text));
        }
    };
    view! {
        <div class="top-field">
            <label for=id.clone()>{label}</label>
            <input
                id=id
                type="text"
                autocomplete="off"
                placeholder=placeholder
                prop:value=live_text(shown)
                aria-invalid=live_text(move || problem.get().is_some().to_string())
                aria-describedby=error_id.clone()
                on:input=edit
                on:blur=move |_| {
                    editing.set(None);
                    state.pause_history();
                }
            />
            <span class="field-error" id=error_id.clone() role="alert">{live_part(move || problem.get())}</span>
        </div>
    }
}

/// A choice outside the tables, by path: values and names.
fn top_pick(path: &'static str, label: &'static str, words: &'static [(&'static str, &'static str)]) -> AnyView {
    let state = app();
    let listed = move || {
        let list = words.iter().map(|(value, name)| ((*value).to_owned(), (*name).to_owned())).collect();
        options(list, &state.document.with(|d| d.top_text(path)))
    };
    view! {
        <label class="top-field">
            <span>{label}</span>
            <select id=path.replace('.', "-") on:change=move |ev| state.edit(None, |d| d.set_top(path, &event_target_value(&ev)))>
                {live_part(listed)}
            </select>
        </label>
    }
    .into_any()
}

/// Settings of the policies that switch between processes.
#[component]
pub(super) fn PolicySettings() -> impl IntoView {
    const COST: &str = "policy.switch_cost_ns";
    let state = app();
    let is = move |kind| state.document.with(|d| d.rest.policy.kind == kind);
    let take_cost = move |ev: MouseEvent| {
        let cost = ev.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok()).and_then(|e| e.get_attribute("data-cost"));
        if let Some(cost) = cost {
            state.edit(None, |d| d.set_top(COST, &cost));
        }
    };
    view! {
        <section
            class="panel policy-settings"
            id="policy-settings"
            aria-labelledby="policy-settings-title"
            hidden=live_flag(move || !is(PolicyKind::Runlist) && !is(PolicyKind::Edf))
        >
            <h2 id="policy-settings-title">"Policy settings"</h2>
            <TopField path=COST.to_owned() label="Cost of a switch" placeholder="0"/>
            <div class="presets" role="group" aria-label="Measured costs" inner_html=COSTS on:click=take_cost></div>
            <div class="policy-part" hidden=live_flag(move || !is(PolicyKind::Edf))>
                {top_pick("policy.preemption", "Preemption", &[("thread", "thread: at once"), ("block", "block: SM draining"), ("none", "none")])}
                {top_pick("policy.cbs", "Budgets (CBS)", &[("on", "on"), ("off", "off")])}
            </div>
            <p class="quiet" hidden=live_flag(move || !is(PolicyKind::Runlist))>"Interleaving, timeslice and preemption are set for each process, below."</p>
        </section>
    }
}

/// Moves all tasks into one process, or each into its own.
#[component]
pub(super) fn Arrange() -> impl IntoView {
    let state = app();
    let button = move |id, arrangement, name, help| {
        view! {
            <button
                id=id
                class="small"
                title=help
                aria-pressed=live_text(move || (state.document.with(|d| d.arrangement()) == arrangement).to_string())
                on:click=move |_| state.edit(None, |d| d.arrange(arrangement))
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="arrange" role="group" aria-label="Processes of the tasks">
            {button("one-process", Arrangement::One, "One process", "All tasks move into one process; their streams stay distinct")}
            {button("process-each", Arrangement::Each, "A process each", "Every task moves into a process of its own, with its streams and their priorities")}
        </div>
    }
}

/// Device limits and horizon; unfolded when something is wrong in there.
#[component]
pub(super) fn Limits() -> impl IntoView {
    let state = app();
    let name = move || state.document.with(|d| d.device().name);
    Effect::new(move |_| {
        let is_wrong = state.problems.with(|problems| problems.iter().any(|p| p.path == "horizon_ns" || p.path.starts_with("device.")));
        if let (true, Some(limits)) = (is_wrong, document().get_element_by_id("limits")) {
            // Cannot fail on an element of this document.
            let _ = limits.set_attribute("open", "");
        }
    });
    view! {
        <details class="panel limits" id="limits">
            <summary><h2>"Device limits and horizon"</h2><span class="quiet">{live_part(name)}</span></summary>
            <div class="limits-grid">
                {LIMITS.iter().map(|l| view! { <TopField path=format!("device.{}", l.field) label=title(l.field)/> }).collect_view()}
                <TopField path="horizon_ns".to_owned() label="Horizon (end of the run)" placeholder="when all is done"/>
            </div>
        </details>
    }
}
