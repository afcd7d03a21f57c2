//! Along a timeline: buttons that zoom, and the line of the current time.
//!
//! Invariant: both know no run, but what is in sight of it and where the reader stands.

use leptos::ev;
use leptos::prelude::*;

use super::canvas::{CanvasPlace, capture};
use super::stepping::Stepping;
use super::viewport::Viewport;
use blockstep_tools::commands::Command;
use blockstep_view::quantity::{format_time, format_time_short};
use blockstep_view::time_scale::TimeScale;

/// How far a button zooms.
const ZOOM: f64 = 1.6;

/// Closer, further away, all of it.
#[component]
pub fn ZoomButtons(viewport: Viewport, fit_id: &'static str) -> impl IntoView {
    let around_middle = move |factor| viewport.rescale(|scale, end| scale.zoomed(factor, scale.left_px() + scale.width_px() / 2.0, end));
    let button = move |command: Command, sign: &'static str, factor: f64| {
        view! {
            <button class="icon small" aria-label=command.tooltip() title=command.tooltip() on:click=move |_| around_middle(factor)>
                {sign}
            </button>
        }
    };
    view! {
        <div class="zoom" role="group" aria-label="Zoom">
            {button(Command::ZoomOut, "−", 1.0 / ZOOM)} {button(Command::ZoomIn, "+", ZOOM)}
            <button id=fit_id class="small" title="Show the whole run (F or double click)" on:click=move |_| viewport.fit()>
                {Command::Fit.about().title}
            </button>
        </div>
    }
}

/// How far the time at the line may stand out of the picture, px.
const FLAG_PX: f64 = 8.0;

/// The line of the current time over a canvas, which can be dragged.
#[component]
pub fn CursorLine(
    stepping: Stepping,
    /// Around the canvas.
    place: CanvasPlace,
    /// By what factor the page is larger on the screen.
    magnification: Signal<f64>,
    /// What stays free below the time that it shows, px.
    #[prop(default = 0.0)]
    below_flag_px: f64,
    /// Begins the ids of its parts.
    prefix: &'static str,
) -> impl IntoView {
    let (now, scale) = (stepping.now, stepping.viewport.scale);
    let is_held = StoredValue::new(false);
    let x = move || scale.with(|scale| scale.x_from_time(now.get()));
    // The time stays within the picture, and off what stands left of it.
    let room = move |edge: f64| format!("{}px", ((edge + FLAG_PX) * magnification.get()).round());
    let room_left = move || room(x() - scale.with(TimeScale::left_px));
    let room_right = move || room(scale.with(TimeScale::right_px) - x());
    let is_shown = move || scale.with(|scale| (scale.left_px() - 0.5..=scale.right_px() + 0.5).contains(&scale.x_from_time(now.get())));
    let on_down = move |event: ev::PointerEvent| {
        event.stop_propagation();
        capture(&event);
        is_held.set_value(true);
    };
    let on_move = move |event: ev::PointerEvent| {
        if is_held.get_value() {
            event.stop_propagation();
            stepping.point_at(place.at(&event).0);
        }
    };
    let on_up = move |event: ev::PointerEvent| {
        event.stop_propagation();
        is_held.set_value(false);
    };
    view! {
        <div
            id=format!("{prefix}cursor-line")
            class=move || if is_shown() { "cursor-line" } else { "cursor-line hidden" }
            style:transform=move || format!("translateX({}px)", x() * magnification.get())
            role="slider"
            tabindex="0"
            aria-label="Current time; drag, or step with the arrow keys"
            aria-valuemin="0"
            aria-valuemax=move || stepping.end.get().ns().to_string()
            aria-valuenow=move || now.get().ns().to_string()
            aria-valuetext=move || format_time(now.get().ns())
            on:pointerdown=on_down
            on:pointermove=on_move
            on:pointerup=on_up
            on:pointercancel=on_up
        >
            <span
                class="cursor-flag"
                id=format!("{prefix}cursor-flag")
                style:bottom=move || format!("{}px", below_flag_px * magnification.get())
                style=("--room-left", room_left)
                style=("--room-right", room_right)
            >
                {move || format_time_short(now.get().ns())}
            </span>
        </div>
    }
}
