//! A value in a sentence that can be taken hold of: dragged, turned by the wheel, stepped by keys, tapped.
//!
//! Invariants: the value is one of a list, and the control knows its place in it alone; it can be told and changed by keyboard.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;

use super::canvas::capture;
use super::text::safe;

/// How far a drag is a step, px.
const STEP_PX: f64 = 22.0;
/// A pointer that moves less has tapped.
const TAP_PX: f64 = 4.0;

/// What a pointer that is down began with.
#[derive(Clone, Copy)]
struct Held {
    x: f64,
    index: usize,
    has_moved: bool,
}

/// The value, between two signs that step it.
#[component]
pub fn Dial(
    /// What it is the value of, for screen readers.
    #[prop(into)]
    name: Signal<String>,
    /// The value in words.
    #[prop(into)]
    text: Signal<String>,
    /// Its place among the values on offer; `None` of another value, from which every step leads to the first of them.
    #[prop(into)]
    index: Signal<Option<usize>>,
    /// How many values are on offer.
    count: usize,
    /// Takes the place of another value.
    #[prop(into)]
    on_change: Callback<usize>,
    /// Told when a change is over.
    #[prop(into)]
    on_rest: Callback<()>,
) -> impl IntoView {
    let held = StoredValue::new(None::<Held>);
    let go = move |to: isize| {
        let to = to.clamp(0, count.saturating_sub(1) as isize) as usize;
        if index.get_untracked() != Some(to) {
            on_change.run(to);
        }
    };
    let by = move |steps: isize| go(index.get_untracked().map_or(0, |index| index as isize + steps));
    // What has the focus is left when it is taken away, too, with all that it would tell.
    let rest = move || {
        let _ = on_rest.try_run(());
    };
    let on_key = move |event: ev::KeyboardEvent| {
        match event.key().as_str() {
            "ArrowUp" | "ArrowRight" => by(1),
            "ArrowDown" | "ArrowLeft" => by(-1),
            "PageUp" => by(4),
            "PageDown" => by(-4),
            "Home" => go(0),
            "End" => go(isize::MAX),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let on_wheel = move |event: ev::WheelEvent| {
        if event.ctrl_key() || event.delta_y() == 0.0 {
            return;
        }
        event.prevent_default();
        by(if event.delta_y() < 0.0 { 1 } else { -1 });
    };
    let on_down = move |event: ev::PointerEvent| {
        if event.button() == 0 {
            capture(&event);
            held.set_value(Some(Held { x: event.client_x().into(), index: index.get_untracked().unwrap_or_default(), has_moved: false }));
        }
    };
    let on_move = move |event: ev::PointerEvent| {
        let Some(mut hold) = held.get_value() else { return };
        let dx = f64::from(event.client_x()) - hold.x;
        hold.has_moved |= dx.abs() >= TAP_PX;
        held.set_value(Some(hold));
        if hold.has_moved {
            go(hold.index as isize + (dx / STEP_PX).round() as isize);
        }
    };
    // The left half of it steps back, the right half on; from either end there is only one way.
    let tap = move |event: &ev::PointerEvent| {
        let Some(element) = event.current_target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
        let rect = element.get_bounding_client_rect();
        let is_left = f64::from(event.client_x()) < rect.left() + rect.width() / 2.0;
        by(if is_left { -1 } else { 1 });
    };
    let on_up = move |event: ev::PointerEvent| {
        let Some(hold) = held.try_update_value(Option::take).flatten() else { return };
        if !hold.has_moved && event.type_() == "pointerup" {
            tap(&event);
        }
        rest();
    };
    view! {
        <span
            class="dial"
            role="spinbutton"
            tabindex="0"
            title="Drag it, turn the wheel, or press an arrow key"
            aria-label=move || safe(&name.get())
            aria-valuemin="1"
            aria-valuemax=count.max(1).to_string()
            aria-valuenow=move || (index.get().unwrap_or_default() + 1).to_string()
            aria-valuetext=move || safe(&text.get())
            on:keydown=on_key
            on:wheel=on_wheel
            on:pointerdown=on_down
            on:pointermove=on_move
            on:pointerup=on_up
            on:pointercancel=on_up
            on:focusout=move |_| rest()
        >
            <i class=move || end_class(index.get() == Some(0))>"‹"</i>
            <b>{move || safe(&text.get())}</b>
            <i class=move || end_class(index.get().is_some_and(|index| index + 1 == count))>"›"</i>
        </span>
    }
}

/// The class of a sign that steps: off at the end to which it leads.
fn end_class(is_end: bool) -> &'static str {
    if is_end { "off" } else { "" }
}
