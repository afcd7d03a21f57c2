//! What follows the state, boxed: all texts, flags and parts of the page are of one type each, so
//! that Leptos's code for them is compiled once. It saves a quarter of the page's size.
//!
//! Depends on Leptos alone. Invariant: boxing changes nothing but the type.

use leptos::prelude::*;

/// A text that follows the state.
pub(super) fn live_text(value: impl FnMut() -> String + Send + 'static) -> Box<dyn FnMut() -> String + Send> {
    Box::new(value)
}

/// A yes or no that follows the state.
pub(super) fn live_flag(value: impl FnMut() -> bool + Send + 'static) -> Box<dyn FnMut() -> bool + Send> {
    Box::new(value)
}

/// A part of the page that follows the state.
pub(super) fn live_part<V: IntoAny>(mut view: impl FnMut() -> V + Send + 'static) -> Box<dyn FnMut() -> AnyView + Send> {
    Box::new(move || view().into_any())
}

/// The options of a list to pick from, as values and names, with the current one selected.
pub(super) fn options(list: Vec<(String, String)>, current: &str) -> AnyView {
    let option = |(value, name): (String, String)| {
        let is_current = value == current;
        view! { <option value=value prop:selected=is_current>{name}</option> }.into_any()
    };
    list.into_iter().map(option).collect::<Vec<AnyView>>().into_any()
}
