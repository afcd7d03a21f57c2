//! A bar between two panes that is dragged, or moved by keys, to make one of them larger.
//!
//! Invariants: the size stays in its range; a double click gives back the usual size.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// What a key changes, px.
const KEY_PX: f64 = 24.0;

#[component]
pub fn Splitter(
    /// What it changes: "Height of the timeline".
    label: &'static str,
    /// Whether it is a level bar, which changes a height; else it changes a width.
    #[prop(default = false)]
    is_level: bool,
    /// Whether the pane is after it, so that moving it on makes the pane smaller.
    #[prop(default = false)]
    is_before: bool,
    /// The pane's size now, px.
    #[prop(into)]
    size: Signal<f64>,
    /// The least and the most, px.
    #[prop(into)]
    range: Signal<(f64, f64)>,
    /// Told of another size; `None` for the usual one.
    #[prop(into)]
    on_change: Callback<Option<f64>>,
) -> impl IntoView {
    // Where the pointer and the size were when it went down.
    let held = StoredValue::new(None::<(f64, f64)>);
    let place = move |event: &PointerEvent| f64::from(if is_level { event.client_y() } else { event.client_x() });
    let change = move |to: f64| {
        let (least, most) = range.get_untracked();
        on_change.run(Some(to.clamp(least, most.max(least)).round()));
    };
    let by = move |from: f64, moved: f64| change(if is_before { from - moved } else { from + moved });
    let on_down = move |event: PointerEvent| {
        event.prevent_default();
        if let Some(bar) = event.current_target().and_then(|bar| bar.dyn_into::<web_sys::HtmlElement>().ok()) {
            // Fails for pointers that are gone; then there is nothing to follow.
            let _ = bar.set_pointer_capture(event.pointer_id());
            // An element that takes the focus.
            let _ = bar.focus();
        }
        held.set_value(Some((place(&event), size.get_untracked())));
    };
    let on_move = move |event: PointerEvent| {
        if let Some((from, was)) = held.get_value() {
            by(was, place(&event) - from);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        let moved = match (event.key().as_str(), is_level) {
            ("ArrowUp", true) | ("ArrowLeft", false) => -KEY_PX,
            ("ArrowDown", true) | ("ArrowRight", false) => KEY_PX,
            _ => return,
        };
        event.prevent_default();
        by(size.get_untracked(), moved);
    };
    view! {
        <div
            class=if is_level { "splitter level" } else { "splitter" }
            role="separator"
            tabindex="0"
            aria-label=label
            title=format!("{label}: drag, or use the arrow keys; double click for the default size")
            aria-orientation=if is_level { "horizontal" } else { "vertical" }
            aria-valuenow=move || size.get().round().to_string()
            aria-valuemin=move || range.get().0.round().to_string()
            aria-valuemax=move || range.get().1.round().to_string()
            on:pointerdown=on_down
            on:pointermove=on_move
            on:pointerup=move |_| held.set_value(None)
            on:pointercancel=move |_| held.set_value(None)
            on:keydown=on_key
            on:dblclick=move |_| on_change.run(None)
        ></div>
    }
}
