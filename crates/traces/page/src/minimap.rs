//! The whole recording as a strip: how busy GPUs were, and which part of it the timeline shows.
//!
//! Invariant: an instant stands where the timeline has it when that shows everything.

use std::sync::Arc;

use leptos::ev;
use leptos::html::{Canvas, Div};
use leptos::prelude::*;

use super::host::TraceHost;
use super::paint::{Brush, TONES, css, theme};
use super::timeline::TimelineView;
use blockstep_traces_messages::{Overview, Tone};
use blockstep_ui::{CanvasPlace, capture};
use blockstep_view::time_scale::TimeScale;

const HEIGHT_PX: f64 = 26.0;
/// An end of what is in sight is taken hold of from so near.
const END_PX: f64 = 7.0;
/// What is in sight is at least so wide.
const LEAST_PX: f64 = 4.0;
/// A key moves by so much of what is in sight.
const KEY_SHARE: f64 = 0.25;
const KEY_ZOOM: f64 = 1.6;

/// What the pointer has taken hold of; instants in ns.
#[derive(Clone, Copy)]
enum Held {
    /// What is in sight, so far from its first instant.
    Part(i64),
    /// One of its ends; the other stays here.
    End(i64),
}

/// The whole recording on the pixels of the timeline.
#[derive(Clone, Copy)]
struct Whole(TimeScale);

impl Whole {
    fn x(self, ns: i64) -> f64 {
        let x = self.0.left_px() + (ns - self.0.shown().0) as f64 / self.0.ns_per_px();
        x.max(self.0.left_px()).min(self.0.right_px())
    }

    fn ns(self, x: f64) -> i64 {
        self.0.shown().0 + ((x - self.0.left_px()) * self.0.ns_per_px()) as i64
    }

    /// Left edge and width, px.
    fn place(self, (from, to): (i64, i64)) -> (f64, f64) {
        let (x, end) = (self.x(from), self.x(to));
        (x, end - x)
    }
}

#[component]
pub(crate) fn Minimap(overview: Arc<Overview>, look: TimelineView) -> impl IntoView {
    let is_dark = expect_context::<TraceHost>().is_dark;
    let place = CanvasPlace::new(Signal::stored(1.0));
    let (canvas, part) = (NodeRef::<Canvas>::new(), NodeRef::<Div>::new());
    let end = look.end();
    let whole = move || Whole(look.scale.with(|scale| TimeScale::fit(end, scale.left_px(), scale.width_px())));
    let shown = move || look.scale.with(TimeScale::shown);
    let pixels = Memo::new(move |_| look.scale.with(|scale| (scale.left_px(), scale.width_px())));
    let count = overview.busy.len();
    let title = match overview.paths.first() {
        Some(path) if count == 1 => format!("How busy {} was over the whole recording", path.title),
        _ => format!("How busy {count} GPUs were over the whole recording, in the order of the timeline"),
    };

    Effect::new(move |_| {
        let (is_dark, room) = (is_dark.get(), place.room.get());
        let (left_px, width_px) = pixels.get();
        let Some(canvas) = canvas.get().filter(|_| room > 0.0) else { return };
        let Some(mut brush) = Brush::new(&canvas, (room, HEIGHT_PX)) else { return };
        let theme = theme(is_dark);
        brush.fill(&css(theme.ground));
        brush.rect(0.0, 0.0, room, HEIGHT_PX);
        brush.fill(&css(theme.lane));
        brush.rect(left_px, 0.0, width_px, HEIGHT_PX);
        let (light, dark) = TONES[Tone::Kernel as usize];
        brush.fill(if is_dark { dark } else { light });
        let whole = Whole(TimeScale::fit(end, left_px, width_px));
        let (from, to) = (whole.x(0), whole.x(end.ns() as i64));
        let lane = HEIGHT_PX / overview.busy.len().max(1) as f64;
        for (columns, bottom) in overview.busy.iter().zip(1..) {
            let width = (to - from) / columns.len().max(1) as f64;
            for (percent, at) in columns.iter().zip(0..).filter(|(percent, _)| **percent > 0) {
                let height = (lane - 2.0) * f64::from(*percent) / 100.0;
                brush.rect(from + width * f64::from(at), lane * f64::from(bottom) - 1.0 - height, width.max(1.0), height);
            }
        }
    });

    let held = StoredValue::new(None::<Held>);
    let follow = move |x: f64| {
        let (at, (from, to)) = (untrack(whole).ns(x), untrack(shown));
        match held.get_value() {
            Some(Held::Part(before)) => look.rescale(|scale, end| scale.showing((at - before, at - before + to - from), end)),
            Some(Held::End(other)) => look.rescale(|scale, end| scale.showing((at.min(other), at.max(other)), end)),
            None => {}
        }
    };
    let on_down = move |event: ev::PointerEvent| {
        if event.button() != 0 {
            return;
        }
        event.prevent_default();
        capture(&event);
        if let Some(part) = part.get_untracked() {
            // It can take the focus.
            let _ = part.focus();
        }
        let (x, whole, (from, to)) = (place.at(&event).0, untrack(whole), untrack(shown));
        let (start_x, width) = whole.place((from, to));
        let at = whole.ns(x);
        let is_near = |edge: f64| (edge - x).abs() <= END_PX;
        let is_within = (start_x..=start_x + width).contains(&x);
        held.set_value(Some(match () {
            // All is in sight: a drag takes a part of it.
            () if width >= whole.0.width_px() - LEAST_PX => Held::End(at),
            // The middle of what is narrow moves it.
            () if is_near(start_x) && !(is_within && width < 3.0 * END_PX) => Held::End(to),
            () if is_near(start_x + width) && !(is_within && width < 3.0 * END_PX) => Held::End(from),
            () if is_within => Held::Part(at - from),
            () => Held::Part((to - from) / 2),
        }));
        // Beside what is in sight a click leads there.
        if !is_within && matches!(held.get_value(), Some(Held::Part(_))) {
            follow(x);
        }
    };
    let on_move = move |event: ev::PointerEvent| {
        if held.with_value(Option::is_some) {
            follow(place.at(&event).0);
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let by = |share: f64| look.rescale(|scale, end| scale.panned(share * scale.width_px(), end));
        let span = |from: i64| {
            let (start, to) = untrack(shown);
            look.rescale(|scale, end| scale.showing((from, from + to - start), end));
        };
        match event.key().as_str() {
            "ArrowLeft" | "ArrowDown" => by(-KEY_SHARE),
            "ArrowRight" | "ArrowUp" => by(KEY_SHARE),
            "PageUp" => by(-1.0),
            "PageDown" => by(1.0),
            "Home" => span(0),
            "End" => span(end.ns() as i64),
            "+" | "=" => look.around_middle(KEY_ZOOM),
            "-" => look.around_middle(1.0 / KEY_ZOOM),
            "0" => look.all(),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let at = move |(x, width): (f64, f64)| format!("left:{x:.1}px;width:{width:.1}px");
    let range = move || {
        let (anchor, head) = look.range()?;
        let place = whole().place((anchor.min(head).ns() as i64, anchor.max(head).ns() as i64));
        Some(view! { <i class="trace-map-range" style=at(place)></i> })
    };
    view! {
        <div
            class="trace-map"
            id="trace-map"
            node_ref=place.node
            role="group"
            aria-label=title.clone()
            title=title
            on:pointerdown=on_down
            on:pointermove=on_move
            on:pointerup=move |_| held.set_value(None)
            on:pointercancel=move |_| held.set_value(None)
            on:dblclick=move |_| look.all()
        >
            <canvas node_ref=canvas aria-hidden="true"></canvas>
            <span aria-hidden="true">{if count == 1 { "Busy" } else { "GPUs busy" }}</span>
            {range}
            <div
                class="trace-part"
                id="trace-part"
                node_ref=part
                role="slider"
                tabindex="0"
                aria-label="Part in sight: left and right move it, plus and minus zoom, 0 shows everything"
                aria-valuemin="0"
                aria-valuemax=end.ns().to_string()
                aria-valuenow=move || shown().0.max(0).to_string()
                aria-valuetext=move || look.scale.with(|scale| scale.part_of(end)).unwrap_or_else(|| "all of it".to_owned())
                style=move || {
                    let (x, width) = whole().place(shown());
                    at((x, width.max(LEAST_PX)))
                }
                on:keydown=on_key
            ></div>
        </div>
    }
}
