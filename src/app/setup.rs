//! The device's limits, editable.
//!
//! Depends on `state`. Invariant: a limit that is changed makes the device one of one's own; the
//! built-in ones never change.

use leptos::prelude::*;

use super::dynamic::{live_part, live_text};
use super::state::app;
use crate::scenario::device::LIMITS;

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

/// Device limits and horizon.
#[component]
pub(super) fn Limits() -> impl IntoView {
    let state = app();
    let name = move || state.document.with(|d| d.device().name);
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
