//! What is on screen: title, what to look for, and the moments worth seeing.
//!
//! Depends on `state` and `guide`. Invariant: nothing is shown here that the document does not
//! name.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::dynamic::{Of, bind, effect, held, listen, said, target};
use super::state::AppState;
use crate::units::Time;
use crate::view::markup::Markup;
use crate::view::quantity;

/// The fixed parts.
pub(super) const PARTS: &str = r#"<section class="panel intro" id="intro" aria-label="Scenario"><div class="intro-title"><input id="scenario-name" aria-label="Name of the scenario" placeholder="Name this scenario"><span id="reset-place"></span></div><div id="intro-text"></div></section>"#;

/// Title and text of the scenario.
pub(super) fn start(state: AppState) {
    bookmarks(state);
    bind("scenario-name", Of::Value, move || state.document.with(|d| d.rest.name.clone()));
    bind("reset-place", Of::Html, move || {
        if state.is_edited() {
            r#"<button class="link" id="reset">Edited – back to the original</button>"#.to_owned()
        } else {
            String::new()
        }
    });
    bind("intro-text", Of::Html, move || {
        let mut html = Markup::new();
        state.guide.with(|guide| {
            let Some(guide) = guide else { return };
            if let Some(here) = guide.bookmarks.iter().find(|b| b.at == state.now()) {
                html.open("p", &[("class", "bookmark-text")]).leaf("b", &[], &here.label).text(" ").text(&here.text).close();
            }
            html.open("p", &[]).text(&guide.text).text(" ").leaf("span", &[("class", "quiet")], &guide.source).close();
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
    let on_click = move |event: &ev::MouseEvent| {
        if let (Some("reset"), Some(guide)) = (target(event).map(|t| t.id()).as_deref(), state.guide.get_untracked()) {
            state.open(guide.document(), guide.start());
        }
    };
    listen("intro", "input", on_input);
    listen("intro", "click", on_click);
    listen("intro", "focusout", move |_: &web_sys::Event| state.pause_history());
}

/// The moments worth seeing, as buttons that go there.
fn bookmarks(state: AppState) {
    bind("bookmarks", Of::Html, move || {
        let mut html = Markup::new();
        state.guide.with(|guide| {
            for b in guide.iter().flat_map(|g| &g.bookmarks) {
                let at = b.at.ns().to_string();
                html.open("button", &[("class", "bookmark"), ("data-bookmark", &b.label), ("data-at", &at), ("title", &b.text)]);
                html.text(&b.label).text(" ").leaf("span", &[("class", "bookmark-time")], &quantity::format_time(b.at.ns())).close();
            }
        });
        html.finish()
    });
    effect(move || {
        state.guide.track();
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
