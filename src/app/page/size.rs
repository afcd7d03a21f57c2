//! Following the size of an element.
//!
//! Depends on Leptos and the browser. Invariant: the observer ends with the page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::HtmlElement;

use super::dynamic::{by_id, effect};

/// Calls back with the element of this id once it is there, and whenever its size changes.
pub(super) fn follow_size(id: &'static str, on_size: impl Fn(&HtmlElement) + Copy + 'static) {
    effect(move || {
        let Some(place) = by_id::<HtmlElement>(id) else { return };
        untrack(|| on_size(&place));
        let element = place.clone();
        let callback = Closure::<dyn FnMut()>::new(move || on_size(&element));
        if let Ok(observer) = web_sys::ResizeObserver::new(callback.as_ref().unchecked_ref()) {
            observer.observe(&place);
            let kept = StoredValue::new_local((observer, callback));
            on_cleanup(move || {
                kept.try_with_value(|(observer, _)| observer.disconnect());
            });
        }
    });
}
