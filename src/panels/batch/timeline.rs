//! Copies and kernels of a batch over time, on a canvas like that of the run.
//!
//! Invariant: painting and the pointer use the same frame.

use leptos::ev;
use leptos::prelude::*;

use crate::state::settings::Settings;
use crate::state::tip::{TipText, tip};
use blockstep_ui::{CanvasPlace, CursorLine, Stepping, ZoomButtons, paint};
use blockstep_view::batch::timeline::BatchTimeline;
use blockstep_view::frame::Frame;
use blockstep_view::gesture::Move;
use blockstep_view::position::Goal;
use blockstep_view::quantity::format_time;

/// Under the axis, for the flag of the current time.
const FLAG_PX: f64 = 16.0;

#[component]
pub(super) fn Timeline(timeline: Memo<BatchTimeline>, stepping: Stepping) -> impl IntoView {
    let settings = expect_context::<Settings>();
    let magnification = Signal::derive(move || settings.magnification());
    let viewport = stepping.viewport;
    let place = CanvasPlace::new(magnification);
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let tips = tip();
    let frame = Memo::new_owning(move |_| (timeline.with(|timeline| framed(timeline, viewport.scale.get())), true));
    let height = move || frame.with(|frame| frame.height_px);
    Effect::new(move |_| viewport.fill(place.room.get() / magnification.get()));
    Effect::new(move |_| {
        let (is_dark, larger) = (settings.is_dark(), magnification.get());
        let Some(canvas) = canvas.get() else { return };
        frame.with(|frame| paint(&canvas, frame, is_dark, larger));
    });

    let on_wheel = move |event: ev::WheelEvent| {
        if let Some(scale) = place.turned(&event, viewport.scale.get_untracked(), untrack(|| viewport.whole_end())) {
            tips.set(None);
            viewport.rescale(|_, _| scale);
        }
    };
    let on_down = move |event: ev::PointerEvent| {
        place.down(&event);
        tips.set(None);
    };
    let on_move = move |event: ev::PointerEvent| {
        let (moved, at) = place.moved(&event);
        if moved != Move::Hover {
            return viewport.rescale(|scale, end| moved.apply(scale, end));
        }
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()) + 8.0);
        tips.set(timeline.with_untracked(|timeline| {
            let bar = frame.with_untracked(|frame| timeline.hit(frame, at)).filter(|_| event.pointer_type() != "touch")?;
            let times = [("Start", bar.time.start.ns()), ("End", bar.time.end.ns()), ("Duration", bar.time.end.since(bar.time.start).ns())];
            let lines = times.map(|(name, ns)| (name.to_owned(), format_time(ns))).into();
            Some(TipText { title: bar.label.clone(), lines, x, y })
        }));
    };
    let on_up = move |event: ev::PointerEvent| {
        let Some(at) = place.up(&event) else { return };
        let start = timeline.with_untracked(|timeline| frame.with_untracked(|frame| timeline.hit(frame, at)).map(|bar| bar.time.start));
        match start {
            Some(start) => stepping.visit(Goal::Time(start)),
            None => stepping.point_at(at.0),
        }
    };
    view! {
        <section class="batch-timeline" aria-labelledby="batch-timeline-title">
            <div class="batch-row">
                <h3 id="batch-timeline-title">"Copies and kernels over time"</h3>
                <ZoomButtons viewport=viewport fit_id="batch-fit" />
            </div>
            <div
                class="timeline-place"
                id="batch-timeline-place"
                node_ref=place.node
                style:height=move || format!("{}px", (height() * magnification.get()).round())
                on:wheel=on_wheel
                on:pointerdown=on_down
                on:pointermove=on_move
                on:pointerup=on_up
                on:pointercancel=on_up
                on:pointerleave=move |_| tips.set(None)
                on:dblclick=move |_| viewport.fit()
            >
                <canvas id="batch-timeline" role="img" node_ref=canvas aria-label="Copies and kernels over time; a table below has the same data"></canvas>
                <CursorLine stepping=stepping place=place magnification=magnification prefix="batch-" />
            </div>
        </section>
    }
}

fn framed(timeline: &BatchTimeline, scale: blockstep_view::time_scale::TimeScale) -> Frame {
    let frame = timeline.frame(&scale, None);
    let height_px = frame.height_px + FLAG_PX;
    // No strip of launches.
    Frame { height_px, launches_y: height_px, ..frame }
}
