//! Sizes: following that of an element, and telling one to the style sheet.
//!
//! Invariant: the observer ends with the component.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::HtmlElement;

/// Calls back with the element once it is there, and whenever its size changes.
pub fn follow_size(element: NodeRef<leptos::html::Div>, on_size: impl Fn(&HtmlElement) + Copy + 'static) {
    Effect::new(move |_| {
        let Some(place) = element.get() else { return };
        let place: HtmlElement = place.into();
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

/// Gives the style sheet a length, by a property of the root element; `None`: the style sheet's own.
pub fn set_root_px(property: &str, px: Option<f64>) {
    let Some(root) = document().document_element().and_then(|root| root.dyn_into::<HtmlElement>().ok()) else { return };
    // Cannot fail on a property of ours.
    let _ = match px {
        Some(px) => root.style().set_property(property, &format!("{px}px")),
        None => root.style().remove_property(property).map(drop),
    };
}
