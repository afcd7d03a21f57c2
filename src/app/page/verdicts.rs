//! The verdicts of the scenario on screen, and how the panel of schedulability asks the lab.
//!
//! Depends on `state` and `lab`. Invariant: verdicts on screen are those of the request made last.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use web_sys::Element;

use super::dynamic::{by_id, effect, listen, said, set_html};
use super::state::AppState;
use crate::app::client::{self, WorkerFor, text};
use crate::protocol::LegacyPart;

/// How long nothing changes before the lab is asked for verdicts.
const REST: Duration = Duration::from_millis(150);

/// Keeps the verdicts those of the run on screen, while the panel is open.
pub(super) fn start(state: AppState, is_open: RwSignal<bool>) {
    typed(state);
    let pending = StoredValue::new(None::<TimeoutHandle>);
    // The number of the request last made.
    let number = Rc::new(Cell::new(0_u32));
    let ask = move |picked: &str| {
        let mine = number.get() + 1;
        number.set(mine);
        let run = state.run.with_untracked(|run| run.id);
        let last = Rc::clone(&number);
        client::ask_legacy(WorkerFor::Requests, Some(run), &["analyse", theme(state), &width("verdicts"), picked], move |answer| {
            if last.get() == mine {
                show_answer("verdicts", answer);
            }
        });
    };
    let again = ask.clone();
    effect(move || {
        state.run.track();
        state.is_dark();
        if let Some(earlier) = pending.get_value() {
            earlier.clear();
        }
        if is_open.get() {
            let ask = ask.clone();
            pending.set_value(set_timeout_with_handle(move || ask(""), REST).ok());
        }
    });
    listen("verdicts", "click", move |event: &ev::MouseEvent| {
        if let Some(line) = said(event, "data-line") {
            again(&line);
        }
    });
}

/// Shows what the tests say of the task set that is typed in, while it is typed.
fn typed(state: AppState) {
    let typed =
        || by_id::<Element>("typed-set").and_then(|e| js_sys::Reflect::get(&e, &"value".into()).ok()?.as_string()).unwrap_or_default();
    let number = Rc::new(Cell::new(0_u32));
    let ask = move |picked: &str| {
        let mine = number.get() + 1;
        number.set(mine);
        let last = Rc::clone(&number);
        let request = ["study-typed", &typed(), theme(state), &width("typed-verdicts"), picked];
        client::ask_legacy(WorkerFor::Requests, None, &request, move |answer| {
            if last.get() == mine {
                show_answer("typed-verdicts", answer);
            }
        });
    };
    let again = ask.clone();
    listen("typed-set", "input", move |_: &web_sys::Event| ask(""));
    listen("typed-verdicts", "click", move |event: &ev::MouseEvent| {
        if let Some(line) = said(event, "data-line") {
            again(&line);
        }
    });
    listen("study", "click", move |event: &ev::MouseEvent| {
        if said(event, "data-act").as_deref() == Some("typed-open") {
            client::ask_legacy(WorkerFor::Requests, None, &["study-typed-open", &typed()], move |answer| match answer {
                Ok(parts) => super::files::open_text(state, "task set", text(&parts, 0), None),
                Err(why) => state.complain(why),
            });
        }
    });
}

/// Puts HTML that came into an element, or why none did.
pub(super) fn show_answer(id: &str, answer: Result<Vec<LegacyPart>, String>) {
    if let Some(element) = by_id::<Element>(id) {
        match answer {
            Ok(parts) => set_html(&element, &text(&parts, 0), "data-line"),
            Err(why) => element.set_text_content(Some(&why)),
        }
    }
}

/// As the lab calls it.
pub(super) fn theme(state: AppState) -> &'static str {
    if untrack(|| state.is_dark()) { "dark" } else { "light" }
}

/// The room for a chart in this element, in px.
pub(super) fn width(id: &str) -> String {
    let width = by_id::<Element>(id).map_or(0, |e| e.client_width());
    if width > 60 { (width - 26).to_string() } else { String::new() }
}
