//! Keys that work everywhere on the page.
//!
//! Depends on `state`. Invariant: a key does nothing here while a control that needs it has the
//! focus.

use leptos::ev::keydown;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::header;
use super::state::AppState;
use crate::app::tools::{ToolId, batch};

/// How far W and S zoom, and which share of the width A and D pan.
const ZOOM: f64 = 1.35;
const PAN: f64 = 0.12;

/// Listens until the page is gone.
pub(super) fn listen(state: AppState) {
    let handle = window_event_listener(keydown, move |event| on_key(state, &event));
    on_cleanup(move || handle.remove());
}

fn on_key(state: AppState, event: &KeyboardEvent) {
    if event.default_prevented() || event.alt_key() {
        return;
    }
    let key = event.key();
    let is_command = event.ctrl_key() || event.meta_key();
    // What cannot be seen is not moved: the tool that has the whole page takes the keys of the run.
    if untrack(|| state.tools.page()).is_some() && !matches!(key.as_str(), "?" | "p" | "P" | "Escape") {
        let is_its = if is_command { key == "z" } else { matches!(key.as_str(), "ArrowRight" | "ArrowLeft" | "Home" | "End") };
        if is_its && !focus_takes(event, &key) {
            if let Some(message) = batch::Msg::of_key(&key) {
                state.send_to_tool::<batch::Batch>(ToolId::Batch, message);
            }
            event.prevent_default();
        }
        return;
    }
    if is_command {
        if focus_is_text(event) {
            return;
        }
        match key.as_str() {
            "z" | "Z" if event.shift_key() => state.redo(),
            "z" => state.undo(),
            "y" => state.redo(),
            _ => return,
        }
        event.prevent_default();
        return;
    }
    if focus_takes(event, &key) {
        return;
    }
    match key.as_str() {
        "ArrowRight" => state.step(true),
        "ArrowLeft" => state.step(false),
        "." => state.instant(true),
        "," => state.instant(false),
        "Home" => state.go_to(0),
        "End" => state.go_to(u32::MAX),
        " " => state.is_playing.update(|playing| *playing = !*playing),
        "?" => state.help_open.update(|open| *open = !*open),
        "Escape" => {
            if state.is_presenting.get_untracked() {
                state.is_presenting.set(false);
            } else {
                state.selected.set(None);
            }
            return;
        }
        // The keys of a clicker.
        "PageDown" | "PageUp" if state.is_presenting.get_untracked() => header::next_moment(state, key == "PageDown"),
        "p" | "P" => header::present(state),
        "w" | "W" => zoom(state, ZOOM),
        "s" | "S" => zoom(state, 1.0 / ZOOM),
        "a" | "A" => pan(state, -PAN),
        "d" | "D" => pan(state, PAN),
        "f" | "F" => state.fit(),
        key => match tool_of(key) {
            Some(tool) => state.toggle_tool(tool),
            None => return,
        },
    }
    event.prevent_default();
    if matches!(key.as_str(), "ArrowRight" | "ArrowLeft" | "." | "," | "Home" | "End") {
        state.is_playing.set(false);
        state.show_cursor();
    }
}

/// The tool that a letter opens and closes.
fn tool_of(key: &str) -> Option<ToolId> {
    let mut letters = key.chars().map(|c| c.to_ascii_lowercase());
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    ToolId::ALL.iter().copied().find(|tool| tool.info().key == Some(letter))
}

/// Zooms around the cursor if it is on the timeline, else around the middle.
fn zoom(state: AppState, factor: f64) {
    state.rescale(|scale, end| {
        let (left, right) = (scale.left_px(), scale.left_px() + scale.width_px());
        let x = scale.x_from_time(state.now_untracked());
        let around = if (left..=right).contains(&x) { x } else { f64::midpoint(left, right) };
        scale.zoomed(factor, around, end)
    });
}

fn pan(state: AppState, share: f64) {
    state.rescale(|scale, end| scale.panned(scale.width_px() * share, end));
}

fn focused(event: &KeyboardEvent) -> Option<web_sys::Element> {
    event.target()?.dyn_into().ok()
}

/// Whether the focus is where text is typed.
fn focus_is_text(event: &KeyboardEvent) -> bool {
    let Some(element) = focused(event) else { return false };
    match element.tag_name().as_str() {
        "TEXTAREA" => true,
        "INPUT" => !matches!(element.get_attribute("type").as_deref(), Some("range" | "checkbox" | "radio" | "file")),
        _ => false,
    }
}

/// Whether the focused control uses this key itself.
fn focus_takes(event: &KeyboardEvent, key: &str) -> bool {
    if focus_is_text(event) {
        return true;
    }
    let Some(element) = focused(event) else { return false };
    if element.closest("dialog").ok().flatten().is_some() {
        return true;
    }
    match element.tag_name().as_str() {
        "SELECT" => key != "?",
        // Buttons are pressed by the space bar.
        "BUTTON" | "SUMMARY" | "A" => key == " ",
        "INPUT" if element.get_attribute("type").as_deref() == Some("radio") => key.starts_with("Arrow") || key == " ",
        "INPUT" if element.get_attribute("type").as_deref() == Some("range") => key == "Home" || key == "End" || key.starts_with("Arrow"),
        _ => false,
    }
}
