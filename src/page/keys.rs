//! Keys that work everywhere on the page.
//!
//! Invariant: a key does nothing here while a control that needs it has the focus.

use leptos::ev::keydown;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::actions;
use crate::panels::host::Tools;
use blockstep_tools::commands::Command;

/// Listens until the page is gone.
pub(super) fn listen(tools: Tools) {
    let handle = window_event_listener(keydown, move |event| on_key(tools, &event));
    on_cleanup(move || handle.remove());
}

fn on_key(tools: Tools, event: &KeyboardEvent) {
    if event.default_prevented() || event.alt_key() {
        return;
    }
    let key = event.key();
    let is_ctrl = event.ctrl_key() || event.meta_key();
    let command = Command::of_key(&key, is_ctrl, event.shift_key());
    // What is being typed in a field is saved, too.
    let is_taken = if is_ctrl { command != Some(Command::SaveScenario) && focus_is_text(event) } else { focus_takes(event, &key) };
    let Some(command) = command.filter(|_| !is_taken) else { return };
    // What cannot be seen is not moved: the page that is shown takes the keys of the run.
    if !tools.page.get_untracked().has_run() && !matches!(command, Command::Keys | Command::Present | Command::Leave) {
        if tools.state.page_keys.carry_out(command) {
            event.prevent_default();
        }
        return;
    }
    match command {
        // The keys of a clicker.
        Command::NextMoment | Command::PreviousMoment if !tools.state.settings.is_presenting.get_untracked() => return,
        // Other listeners of this key go on.
        Command::Leave => return actions::run(tools, command),
        _ => actions::run(tools, command),
    }
    event.prevent_default();
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
