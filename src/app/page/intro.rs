//! What is on screen: title, what to look for, and the moments worth seeing.
//!
//! Depends on `state` and `guide`. Invariant: what was written for a built-in scenario is shown only while the
//! document is that scenario, or marked as written for it.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::{Of, bind, by_id, effect, held, listen, said, target};
use super::state::AppState;
use crate::units::Time;
use crate::view::markup::Markup;

/// The fixed parts.
pub(super) const PARTS: &str = r#"<section class="panel intro" id="intro" aria-label="Scenario"><div class="intro-title"><input id="scenario-name" aria-label="Name of the scenario" placeholder="Name this scenario"><span id="reset-place"></span></div><div id="intro-text"></div></section>"#;

/// Title and text of the scenario.
pub(super) fn start(state: AppState) {
    bookmarks(state);
    bind("scenario-name", Of::Value, move || state.document.with(|d| d.rest.name.clone()));
    bind("reset-place", Of::Html, move || {
        // What has departed says so in the text below.
        if state.is_edited() && !state.has_departed.get() {
            r#"<button class="link" id="reset">Edited – back to the original</button>"#.to_owned()
        } else {
            String::new()
        }
    });
    bind("intro-text", Of::Html, move || {
        let mut html = Markup::new();
        let (has_departed, now) = (state.has_departed.get(), state.now());
        state.guide.with(|guide| {
            let about = guide.as_ref().map(|guide| match has_departed {
                true => guide.about.departed(state.original_shown.get()),
                false => guide.about.text(now),
            });
            html.markup(&about.unwrap_or_default());
        });
        state.document.with(|d| {
            if !d.notes.is_empty() {
                html.open("ul", &[("class", "notes")]);
                for note in &d.notes {
                    html.leaf("li", &[], note);
                }
            }
        });
        html.finish()
    });
    let on_input = move |event: &ev::Event| {
        let text = held(event);
        state.edit(Some("name".to_owned()), |d| d.set_top("name", &text));
    };
    let on_click = move |event: &ev::MouseEvent| match (target(event).map(|t| t.id()).as_deref(), state.guide.get_untracked()) {
        (Some("reset"), Some(guide)) => state.open(guide.document(), guide.start()),
        (Some("original"), _) => {
            state.original_shown.update(|is_shown| *is_shown = !*is_shown);
            // The button was written anew.
            request_animation_frame(|| {
                if let Some(button) = by_id::<web_sys::HtmlElement>("original") {
                    // It can take the focus.
                    let _ = button.focus();
                }
            });
        }
        _ => {}
    };
    listen("intro", "input", on_input);
    listen("intro", "click", on_click);
    listen("intro", "focusout", move |_: &web_sys::Event| state.pause_history());
}

/// The moments worth seeing, as buttons that go there.
fn bookmarks(state: AppState) {
    bind("bookmarks", Of::Html, move || {
        let has_departed = state.has_departed.get();
        state.guide.with(|guide| guide.as_ref().filter(|_| !has_departed).map_or_else(String::new, |guide| guide.about.buttons()))
    });
    effect(move || {
        state.guide.track();
        state.has_departed.track();
        let now = state.now().ns().to_string();
        let Ok(buttons) = document().query_selector_all("#bookmarks button") else { return };
        for button in (0..buttons.length()).filter_map(|i| buttons.item(i)?.dyn_into::<web_sys::Element>().ok()) {
            let is_here = button.get_attribute("data-at").is_some_and(|at| at == now);
            // Cannot fail on an element of this document.
            let _ = button.set_attribute("aria-pressed", if is_here { "true" } else { "false" });
        }
    });
    let on_click = move |event: &ev::MouseEvent| {
        if let Some(at) = said(event, "data-at").and_then(|at| at.parse().ok()) {
            state.visit(|| state.go_to_time(Time(at)));
        }
    };
    listen("bookmarks", "click", on_click);
}
