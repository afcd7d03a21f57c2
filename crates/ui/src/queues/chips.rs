//! The chips of a diagram by keyboard: one stop for all of them, from which arrows lead.
//!
//! Invariant: each chip is a button with a name, and has its operation in `data-op`.

use leptos::ev::KeyboardEvent;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

const CHIPS: &str = "[data-op] [role=button], [data-op][role=button]";

/// What the keys do on the element around a diagram: down goes to its first chip; on a chip, arrows go to the next one or the one
/// before, Escape goes back, and Enter is a click.
pub fn on_chip_key(event: KeyboardEvent) {
    let Some(around) = event.current_target().and_then(|around| around.dyn_into::<HtmlElement>().ok()) else { return };
    let Some(focused) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
    let Ok(chips) = around.query_selector_all(CHIPS) else { return };
    let chip = |i: u32| chips.item(i).and_then(|chip| chip.dyn_into::<HtmlElement>().ok());
    let at = (0..chips.length()).find(|&i| chip(i).is_some_and(|chip| focused.is_same_node(Some(&chip))));
    let next = match (event.key().as_str(), at) {
        ("ArrowDown", None) => chip(0),
        ("ArrowDown" | "ArrowRight", Some(at)) => chip(at + 1),
        ("ArrowUp" | "ArrowLeft", Some(at)) => at.checked_sub(1).and_then(chip),
        ("Escape", Some(_)) => Some(around),
        ("Enter" | " ", Some(at)) => {
            if let Some(chip) = chip(at) {
                chip.click();
            }
            None
        }
        _ => return,
    };
    event.prevent_default();
    event.stop_propagation();
    if let Some(next) = next {
        // Cannot fail on an element of this document.
        let _ = next.focus();
    }
}
