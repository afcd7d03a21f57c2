//! What the page around a frame is told, and what it may ask for: docs/embedding.md says it from the other side.
//!
//! Invariants: nothing is told before the run that the address names is on screen; the page around is told where the reader stands, and
//! can go to a step, and nothing else.

use std::time::Duration;

use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Window};

use crate::panels::host::Tools;
use crate::state::storage::is_embedded;
use blockstep_protocol::RunId;
use blockstep_sim::units::StepId;
use blockstep_tools::{ToolId, share};
use blockstep_view::sentence;

/// The version of the messages.
const VERSION: u32 = 1;

/// About as long as a screen shows a picture.
const FRAME: Duration = Duration::from_millis(16);

/// What is told. A field that does not belong to a message of this type is left out.
#[derive(Default, Serialize)]
struct Told {
    blockstep: u32,
    #[serde(rename = "type")]
    kind: &'static str,
    /// Steps applied, and steps of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u32>,
    /// The time shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ns: Option<u64>,
    /// What the last step did.
    #[serde(skip_serializing_if = "Option::is_none")]
    sentence: Option<String>,
    /// What the scenario is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// How high the page is at the width that the frame has, px.
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    /// What is wrong with the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// What may be asked for: to go to a step.
#[derive(Deserialize)]
struct StepRequest {
    blockstep: u32,
    #[serde(rename = "type")]
    kind: String,
    step: f64,
}

/// Begins to tell the page around, if there is one.
pub(super) fn start(tools: Tools) {
    let state = tools.state;
    let Some(parent) = window().parent().ok().flatten().filter(|parent| *parent != window() && is_embedded()) else { return };
    let parent = StoredValue::new_local(parent);
    let tell = move |told: Told| parent.with_value(|parent| post(parent, told));
    let told_run = StoredValue::new(None::<RunId>);
    let tell_height = move || {
        // The page may be gone in tests.
        if let (Some(Some(_)), Some(told)) = (told_run.try_get_value(), height()) {
            tell(told);
        }
    };
    follow_height(tell_height);
    Effect::new(move |_| {
        let last = state.run.with(|run| run.id);
        let (step, at) = (state.cursor.position.get(), state.cursor.now());
        if state.address.is_arriving.get() {
            return;
        }
        let (run, steps, sentence) = state.run.with_untracked(|run| {
            let trace = run.trace();
            let last = step.checked_sub(1).map(|i| sentence::sentence(trace, trace.step(StepId(i))));
            (Some(trace.scenario().name().to_owned()), Some(trace.steps().len() as u32), last.unwrap_or_default())
        });
        let was = told_run.get_value();
        if was != Some(last) {
            if was.is_none() {
                let problem = share::problem(&tools.memory(ToolId::Share));
                if problem.is_empty() {
                    tell(Told { kind: "ready", ..Told::default() });
                } else {
                    tell(Told { kind: "error", message: Some(problem), ..Told::default() });
                }
            }
            told_run.set_value(Some(last));
            if was.is_none() {
                tell_height();
            }
            tell(Told { kind: "run", run: run.clone(), steps, ..Told::default() });
        }
        tell(Told { kind: "step", step: Some(step), steps, time_ns: Some(at.ns()), sentence: Some(sentence), run, ..Told::default() });
    });
    // Of many requests within a frame the last one is answered. A timer runs, too, where the frame is out of sight.
    let wanted = StoredValue::new(None::<u32>);
    let go_soon = move |step: u32| {
        if wanted.try_update_value(|wanted| wanted.replace(step)).flatten().is_some() {
            return;
        }
        let go = move || {
            // The page may be gone in tests.
            if let Some(Some(step)) = wanted.try_update_value(Option::take) {
                state.visit(|| state.cursor.go_to(step));
            }
        };
        set_timeout(go, FRAME);
    };
    let asked = window_event_listener_untyped("message", move |event| {
        let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
        let is_parent = parent.with_value(|parent| event.source().map(JsValue::from).as_ref() == Some(parent));
        if !is_parent {
            return;
        }
        let text = js_sys::JSON::stringify(&event.data()).ok().and_then(|text| JsValue::from(text).as_string());
        // Other messages of the page around are none of ours.
        let Some(Ok(asked)) = text.map(|text| serde_json::from_str::<StepRequest>(&text)) else { return };
        if asked.blockstep == VERSION && asked.kind == "go" {
            // Beyond either end it is that end.
            go_soon(asked.step as u32);
        }
    });
    on_cleanup(move || asked.remove());
}

/// How high the page is at the width that the frame has, if it is shown.
fn height() -> Option<Told> {
    let width = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(0.0) as u32;
    let height = document().body().map_or(0, |body| body.offset_height().max(0) as u32);
    (width > 0).then(|| Told { kind: "height", height: Some(height), width: Some(width), ..Told::default() })
}

/// Calls back whenever the page's height may be another one, and once at first.
fn follow_height(on_size: impl Fn() + 'static) {
    let Some(body) = document().body() else { return };
    let callback = Closure::<dyn FnMut()>::new(on_size);
    if let Ok(observer) = web_sys::ResizeObserver::new(callback.as_ref().unchecked_ref()) {
        observer.observe(&body);
        let kept = StoredValue::new_local((observer, callback));
        on_cleanup(move || {
            kept.try_with_value(|(observer, _)| observer.disconnect());
        });
    }
}

/// Sends a message to whatever page is around: nothing in it is the reader's, only what the address of the frame made.
fn post(parent: &Window, told: Told) {
    let text = serde_json::to_string(&Told { blockstep: VERSION, ..told });
    if let Some(message) = text.ok().and_then(|text| js_sys::JSON::parse(&text).ok()) {
        // A page around that is gone hears nothing.
        let _ = parent.post_message(&message, "*");
    }
}
