//! What is held up, what waits, and buttons for what would help.
//!
//! Invariant: a button does what its words say, which the tool has chosen.

use leptos::prelude::*;

use crate::panels::panel::Host;
use blockstep_batch::methods::Method;
use blockstep_tools::batch::{Batch, Help, HoldView, Msg, SceneView, WorkloadChange};
use blockstep_ui::{Stepping, safe};
use blockstep_view::position::Goal;

/// What is held up: now, and in the rest of the batch.
pub(super) fn holds(host: Host<Batch>, stepping: Stepping, scene: Memo<SceneView>) -> impl IntoView {
    let list = Memo::new(move |_| scene.with(|scene| scene.holds.clone()));
    let can_drop = Memo::new(move |_| scene.with(|scene| scene.can_drop));
    move || {
        let list = list.get();
        if list.is_empty() {
            return nothing(host, can_drop.get()).into_any();
        }
        view! { <ul class="batch-holds">{list.into_iter().map(|hold| item(host, stepping, hold)).collect_view()}</ul> }.into_any()
    }
}

fn nothing(host: Host<Batch>, can_drop: bool) -> impl IntoView {
    let off = WorkloadChange { off: vec![Method::SetEventQueue], ..WorkloadChange::default() };
    let drop = can_drop.then(|| {
        view! {
            " Each event is in the queue of the command that it measures. "
            <button type="button" class="small" on:click=move |_| host.send(Msg::Apply(off.clone()))>
                "Turn set-event-queue off"
            </button>
        }
    });
    view! { <p class="verdict-good">"No command in this batch is held back by a false dependency or a delayed signal." {drop}</p> }
}

fn item(host: Host<Batch>, stepping: Stepping, hold: HoldView) -> impl IntoView {
    let help = hold.help.map(|Help { title, change }| {
        view! {
            <button type="button" class="small" on:click=move |_| host.send(Msg::Apply(change.clone()))>{title}</button>
            " "
        }
    });
    let show = hold.seen_at.map(|at| {
        view! {
            <button type="button" class="link" on:click=move |_| stepping.visit(Goal::Step(at as u32))>"Show it"</button>
        }
    });
    view! {
        <li class=if hold.is_now { "is-now" } else { "" }>
            <p><b>{hold.title}</b> ". " {safe(&hold.why)}</p>
            <p>{hold.advice} {help} {show}</p>
        </li>
    }
}

pub(super) fn waits(waits: Memo<Vec<String>>) -> impl IntoView {
    let list = move || {
        let waits = waits.get();
        let none = waits.is_empty().then(|| view! { <li class="quiet">"No queue head waits."</li> });
        view! { {waits.iter().map(|wait| view! { <li>{safe(wait)}</li> }).collect_view()} {none} }
    };
    view! {
        <h3>"Why queue heads wait"</h3>
        <ul class="tool-list batch-waits">{list}</ul>
    }
}
