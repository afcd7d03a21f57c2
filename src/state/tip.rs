//! What the tooltip shows.
//!
//! Invariant: there is one tooltip.

use leptos::prelude::*;

/// What the tooltip shows, and below which point of the window, px.
#[derive(Clone, PartialEq)]
pub(crate) struct TipText {
    pub(crate) title: String,
    pub(crate) lines: Vec<(String, String)>,
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// The tooltip's content; a context of its own.
#[derive(Clone, Copy)]
pub(crate) struct TipSlot(pub(crate) RwSignal<Option<TipText>>);

/// The tooltip slot; made at first use.
pub(crate) fn tip() -> RwSignal<Option<TipText>> {
    use_context::<TipSlot>().map_or_else(|| RwSignal::new(None), |slot| slot.0)
}
