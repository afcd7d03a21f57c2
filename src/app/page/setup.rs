//! What is set outside the tables: the policy's settings, how tasks are spread over processes, the
//! device's limits, the horizon, the seed.
//!
//! Depends on `state` and `editing`. Invariant: a limit that is changed makes the device one of
//! one's own; the built-in ones never change. A policy's settings outlive the choice of another.

use leptos::ev;
use leptos::prelude::*;

use super::dynamic::{Of, bind, effect, flag, said};
use super::editing::{self, Field};
use super::state::AppState;
use crate::scenario::PolicyKind;
use crate::scenario::device::LIMITS;
use crate::view::document::{Arrangement, limit_title};
use crate::view::markup::Markup;

/// Settings of the policies that switch between processes; the switch costs are those of [LP] Table II.
pub(super) const POLICY: &str = "<section class='panel policy-settings' id=policy-settings aria-labelledby=policy-settings-title><h2 id=policy-settings-title>Policy settings</h2><div class=top-field><label for=policy-switch_cost_ns>Cost of a switch</label><input id=policy-switch_cost_ns type=text autocomplete=off placeholder=0 data-top=policy.switch_cost_ns aria-describedby=policy-switch_cost_ns-error><span class=field-error id=policy-switch_cost_ns-error role=alert></span></div>\
<div class=presets role=group aria-label='Measured costs'><span>[LP] Table II:</span><button class=small data-cost=27us title='lpEDF and npEDF, average'>27 µs</button><button class=small data-cost=44us title='lpEDF and npEDF, greatest'>44 µs</button><button class=small data-cost=263us title='EDF with registers and local memory, average'>263 µs</button><button class=small data-cost=434us title='EDF with registers and local memory, greatest'>434 µs</button></div>\
<div class=policy-part id=edf-settings><label class=top-field><span>Preemption</span><select id=policy-preemption data-top=policy.preemption><option value=thread>thread: at once<option value=block>block: SM draining<option value=kernel>kernel: after the kernels that have begun<option value=none>none</select></label><label class=top-field><span>Budgets (CBS)</span><select id=policy-cbs data-top=policy.cbs><option value=on>on<option value=off>off</select></label></div><div class=policy-part id=runlist-settings><label class=top-field><span>Switches that cost</span><select id=policy-switch_charge title='expiries: only switches from a process whose timeslice has expired, as [EDF] VI-C charges' data-top=policy.switch_charge><option value=every>every: all to another process<option value=expiries>expiries: as [EDF] VI-C</select></label><p class=quiet>Interleaving, timeslice and preemption are set for each process, below.</p></div></section>";

/// The head of the table of processes, with the ways to spread tasks over them.
pub(super) const PROCESSES: &str = "<div class=tables-row><section class='panel tables' aria-labelledby=processes-title><div class=table-head><h2 id=processes-title>Processes</h2><div class=arrange role=group aria-label='Processes of the tasks'><button id=one-process class=small data-arrange=one title='All tasks move into one process; their streams stay distinct'>One process</button><button id=process-each class=small data-arrange=each title='Every task moves into a process of its own, with its streams and their priorities'>A process each</button></div></div>";

/// Keeps what [`POLICY`] and [`PROCESSES`] show in step with the document.
fn follow_policy(state: AppState) {
    let is = move |kind| state.document.with(|d| d.rest.policy.kind == kind);
    bind("policy-settings", Of::Flag("hidden"), move || flag(!is(PolicyKind::Runlist) && !is(PolicyKind::Edf)));
    bind("edf-settings", Of::Flag("hidden"), move || flag(!is(PolicyKind::Edf)));
    bind("runlist-settings", Of::Flag("hidden"), move || flag(!is(PolicyKind::Runlist)));
    let pressed = move |arrangement| (state.document.with(|d| d.arrangement()) == arrangement).to_string();
    bind("one-process", Of::Attribute("aria-pressed"), move || pressed(Arrangement::One));
    bind("process-each", Of::Attribute("aria-pressed"), move || pressed(Arrangement::Each));
    for path in ["policy.switch_cost_ns", "policy.switch_charge", "policy.preemption", "policy.cbs"] {
        follow_field(state, path.to_owned());
    }
}

/// A click on a preset or on a way to spread tasks.
pub(super) fn on_click(state: AppState, event: &ev::MouseEvent) {
    if let Some(cost) = said(event, "data-cost") {
        state.edit(None, |d| d.set_top("policy.switch_cost_ns", &cost));
    } else if let Some(arrangement) = said(event, "data-arrange") {
        let arrangement = if arrangement == "one" { Arrangement::One } else { Arrangement::Each };
        state.edit(None, |d| d.arrange(arrangement));
    }
}

/// The id of a field's control.
fn id_of(path: &str) -> String {
    path.replace('.', "-")
}

/// Keeps a field outside the tables in step with the document, and what is wrong with it beside it.
fn follow_field(state: AppState, path: String) {
    effect(move || {
        let field = Field::Top(path.clone());
        let (text, problem) = (field.text(state), state.problem_at(&path));
        let id = id_of(&path);
        let Some(control) = document().get_element_by_id(&id) else { return };
        editing::show(state, &control, &field, &text);
        // Cannot fail on an element of this document.
        let _ = control.set_attribute("aria-invalid", if problem.is_some() && state.is_wrong() { "true" } else { "false" });
        if let Some(place) = document().get_element_by_id(&format!("{id}-error")) {
            place.set_text_content(problem.as_deref());
        }
    });
}

/// Fields outside the tables: path, title, what an empty one stands for.
fn fields() -> impl Iterator<Item = (String, &'static str, &'static str)> {
    let limits = LIMITS.iter().map(|l| (format!("device.{}", l.field), limit_title(l.field), ""));
    let horizon = ("horizon_ns".to_owned(), "Horizon (end of the run)", "when all is done");
    limits.chain([horizon, ("seed".to_owned(), "Seed of varying times", "0")])
}

/// Device limits, horizon and seed.
pub(super) fn limits() -> String {
    let mut html = Markup::new();
    html.raw("<details class='panel limits' id=limits><summary><h2>Device limits and horizon</h2><span class=quiet id=device-name></span></summary><div class=limits-grid>");
    for (path, title, placeholder) in fields() {
        let (id, error) = (id_of(&path), format!("{}-error", id_of(&path)));
        html.open("div", &[("class", "top-field")]).leaf("label", &[("for", &id)], title);
        let describes = [("aria-describedby", &*error), ("placeholder", placeholder), ("data-top", &path)];
        html.single("input", &[&[("id", &*id), ("type", "text"), ("autocomplete", "off")], &describes[..]].concat());
        html.leaf("span", &[("class", "field-error"), ("id", &error), ("role", "alert")], "").close();
    }
    html.raw("</div></details>");
    html.finish()
}

/// Keeps all of this in step with the document; the limits unfold when something is wrong in there.
pub(super) fn start(state: AppState) {
    follow_policy(state);
    fields().for_each(|(path, ..)| follow_field(state, path));
    bind("device-name", Of::Text, move || state.document.with(|d| d.device().name));
    effect(move || {
        let is_wrong = state.problems.with(|problems| problems.iter().any(|p| p.path == "horizon_ns" || p.path.starts_with("device.")));
        if let (true, Some(limits)) = (is_wrong, document().get_element_by_id("limits")) {
            // Cannot fail on an element of this document.
            let _ = limits.set_attribute("open", "");
        }
    });
    editing::listen_to("limits", state);
}
