//! The panel of results, which the lab writes.
//!
//! Depends on `state` and `lab`. Invariant: nothing is reckoned here; what is shown belongs to the
//! run on screen, or is marked as that of an earlier one.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::{Of, bind, effect, flag, listen, said, target};
use super::files;
use super::state::AppState;
use crate::app::client::{self, WorkerFor, text};
use crate::examples;
use crate::scenario::{Choice, PolicyKind};
use crate::units::Time;
use crate::view::markup::Markup;

/// How long nothing changes before the lab is asked.
const REST: Duration = Duration::from_millis(120);

/// Its fixed parts.
pub(super) const PARTS: &str = r#"<details class="panel results" id="results"><summary><h2>Results</h2><span class="quiet">response times, misses, what each kernel waited for, utilisation, bounds</span></summary><label class="res-beside">Draw its distributions with <select id="results-beside"></select></label><div id="results-body" aria-live="off"></div></details>"#;

/// Fills the panel; nothing is asked for while it is closed.
pub(super) fn start(state: AppState) {
    let is_open = RwSignal::new(false);
    let shown = RwSignal::new(String::new());
    // The request last made, and whether its answer is on screen.
    let asked = RwSignal::new((0_u32, true));
    let beside = RwSignal::new(String::new());
    bind("results-body", Of::Html, move || shown.get());
    bind("results-beside", Of::Html, move || {
        let own = state.document.with(|d| d.rest.policy.kind);
        if beside.with_untracked(|key| *key == policy_key(own)) {
            beside.set(String::new());
        }
        choices(own, &beside.get_untracked())
    });
    bind("results-body", Of::Flag("data-stale"), move || flag(!asked.get().1));
    let pending = StoredValue::new(None::<TimeoutHandle>);
    effect(move || {
        state.run.track();
        state.is_dark();
        beside.track();
        if let Some(earlier) = pending.get_value() {
            earlier.clear();
        }
        if is_open.get() {
            asked.update_untracked(|a| a.1 = false);
            pending.set_value(set_timeout_with_handle(move || ask(state, shown, asked, beside), REST).ok());
        }
    });
    let on_toggle = move |event: &ev::Event| is_open.set(target(event).is_some_and(|details| details.has_attribute("open")));
    let on_click = move |event: &ev::MouseEvent| {
        if let Some(at) = said(event, "data-go-time").and_then(|at| at.parse().ok()) {
            state.visit(|| state.go_to_time(Time(at)));
        } else if said(event, "data-act").as_deref() == Some("results-csv") {
            let run = state.run.with_untracked(|run| run.id);
            client::ask_legacy(WorkerFor::Requests, Some(run), &["results-csv", &beside.get_untracked()], move |answer| match answer {
                Ok(parts) => files::download(state, "results.csv", "text/csv", &text(&parts, 0)),
                Err(why) => state.complain(why),
            });
        }
    };
    listen("results", "toggle", on_toggle);
    listen("results", "click", on_click);
    listen("results-beside", "change", move |event: &ev::Event| {
        if let Some(select) = target(event).and_then(|e| e.dyn_into::<web_sys::HtmlSelectElement>().ok()) {
            beside.set(select.value());
        }
    });
}

fn policy_key(kind: PolicyKind) -> String {
    format!("policy={}", kind.word())
}

/// The runs that the distributions can be drawn with, as options: none, the same under the other policies, the
/// examples.
fn choices(own: PolicyKind, chosen: &str) -> String {
    let mut html = Markup::new();
    html.option("", "nothing else", chosen.is_empty());
    for kind in PolicyKind::ALL.iter().copied().filter(|&kind| kind != own) {
        let key = policy_key(kind);
        html.option(&key, &format!("the same under {}", kind.word()), key == chosen);
    }
    let first = examples::first();
    for (id, title) in std::iter::once((first.id, first.title)).chain(examples::FURTHER.iter().map(|&(_, id, title)| (id, title))) {
        let key = format!("example={id}");
        html.option(&key, title, key == chosen);
    }
    html.finish()
}

fn ask(state: AppState, shown: RwSignal<String>, asked: RwSignal<(u32, bool)>, beside: RwSignal<String>) {
    let number = asked.with_untracked(|a| a.0 + 1);
    asked.set((number, false));
    let theme = if untrack(|| state.is_dark()) { "dark" } else { "light" };
    let width = document().get_element_by_id("results-body").map_or(760, |body| body.client_width()).to_string();
    let run = state.run.with_untracked(|run| run.id);
    client::ask_legacy(WorkerFor::Requests, Some(run), &["results", theme, &width, &beside.get_untracked()], move |answer| {
        // An answer that was overtaken is of an earlier run.
        if asked.try_get_untracked().is_some_and(|a| a.0 == number) {
            shown.set(answer.map_or_else(|why| why, |parts| text(&parts, 0)));
            asked.set((number, true));
        }
    });
}
