//! What follows the state, boxed: all texts, flags and parts of the page are of one type each, so
//! that Leptos's code for them is compiled once. It saves a quarter of the page's size.
//!
//! Depends on Leptos alone. Invariant: boxing changes nothing but the type.

use leptos::prelude::{AnyView, IntoAny};

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
