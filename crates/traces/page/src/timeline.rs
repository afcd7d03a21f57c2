//! The timeline of a trace: zoom, pan, search, selection.
//!
//! Invariants: what was drawn last is painted at once under a new scale, until the worker has answered for that; the pointer and the
//! painting use the same layout.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::paint::{self, Layout, Scene};
use super::waiting::waits;
use crate::host::TraceHost;
use crate::state::{TraceState, Where};
use blockstep_sim::units::written::{format_count, format_time_short};
use blockstep_sim::units::{Span, Time};
use blockstep_traces_messages::{DrawnPiece, Overview, Tone, TraceAsk};
use blockstep_traces_messages::{Of, Sight};
use blockstep_ui::{CanvasPlace, safe};
use blockstep_view::gesture::Move;
use blockstep_view::time_scale::TimeScale;

const KINDS: [&str; 11] = [
    "Kernel",
    "Copy over the bus",
    "Copy within the GPU, memset",
    "Call that launches",
    "Call that waits",
    "Other call",
    "Threads on the SMs, estimated",
    "Path: the host",
    "Path: a launch",
    "Path: another wait",
    "Path: not known",
];

/// How near to something a click may be, px.
const NEAR_PX: f64 = 4.0;
/// A key moves and zooms so far.
const KEY_PX: f64 = 90.0;
const KEY_ZOOM: f64 = 1.6;
/// A key makes a range longer or shorter by so much.
const RANGE_KEY_PX: f64 = 16.0;
/// An end of a range is taken hold of from so near.
const END_PX: f64 = 6.0;
/// Room for the titles of lanes, px, and in a narrow picture.
const LEFT_PX: f64 = 118.0;
const NARROW_LEFT_PX: f64 = 84.0;
const NARROW_PX: f64 = 640.0;
const RIGHT_PX: f64 = 10.0;

#[derive(Clone, Copy)]
pub(crate) struct TimelineView {
    trace: TraceState,
    end: Time,
    pub(crate) scale: RwSignal<TimeScale>,
    /// Whether the next card is to be brought into sight, as it was chosen elsewhere.
    is_from_afar: StoredValue<bool>,
    /// Whether the next drag takes a range, wherever it is.
    is_taking: RwSignal<bool>,
}

impl TimelineView {
    pub(crate) fn new(trace: TraceState, end: Time) -> Self {
        let scale = RwSignal::new(TimeScale::fit(end, LEFT_PX, 600.0));
        Self { trace, end, scale, is_from_afar: StoredValue::new(false), is_taking: RwSignal::new(false) }
    }

    pub(crate) const fn end(self) -> Time {
        self.end
    }

    pub(crate) fn select(self, operation: u32) {
        self.trace.ask(&TraceAsk::Look(operation));
    }

    /// The same from a list: the timeline comes into sight.
    pub(crate) fn select_from_afar(self, operation: u32) {
        self.is_from_afar.set_value(true);
        self.select(operation);
    }

    /// Shows a part of the timeline, with some room around it.
    pub(crate) fn show(self, from: Time, to: Time) {
        let room = (to.since(from).ns() / 4).max(200) as i64;
        self.rescale(|scale, end| scale.showing((from.ns() as i64 - room, to.ns() as i64 + room), end));
    }

    /// The same from a list: the timeline comes into sight.
    pub(crate) fn show_from_afar(self, from: Time, to: Time) {
        self.show(from, to);
        if let Some(timeline) = document().get_element_by_id("trace-timeline") {
            timeline.scroll_into_view();
        }
    }

    pub(crate) fn rescale(self, by: impl FnOnce(TimeScale, Time) -> TimeScale) {
        let now = by(self.scale.get_untracked(), self.end);
        if now != self.scale.get_untracked() {
            self.scale.set(now);
        }
    }

    pub(crate) fn around_middle(self, factor: f64) {
        self.rescale(|scale, end| scale.zoomed(factor, scale.left_px() + scale.width_px() / 2.0, end));
    }

    pub(crate) fn all(self) {
        self.rescale(|scale, end| TimeScale::fit(end, scale.left_px(), scale.width_px()));
    }

    /// A card has come: the operation is on the timeline, and in sight if it was chosen elsewhere.
    fn follow(self, called: Option<Time>, start: Time, end: Time) {
        let is_from_afar = self.is_from_afar.get_value();
        self.is_from_afar.set_value(false);
        if is_from_afar {
            self.show(called.unwrap_or(start).min(start), end);
        } else {
            self.rescale(|scale, whole| scale.centred_on(start, whole));
        }
        into_sight("trace-card", is_from_afar);
    }

    /// The instant at a place, as exact as a pixel.
    fn time_at(self, x: f64) -> Time {
        self.scale.with_untracked(|scale| scale.round_time_from_x(x)).min(self.end)
    }

    /// The range that is taken; tracks it.
    pub(crate) fn range(self) -> Option<(Time, Time)> {
        self.trace.range.get()
    }

    /// Takes a range and sums it up.
    fn take(self, anchor: Time, head: Time) {
        self.trace.range.set(Some((anchor, head)));
        self.trace.sum_range();
    }

    /// The same of all the time from the call of the selected operation to its end.
    pub(crate) fn take_operation(self) {
        if let Some((from, to)) = self.of_operation() {
            self.take(from, to);
        }
    }

    fn of_operation(self) -> Option<(Time, Time)> {
        self.trace.card.with_untracked(|card| card.as_ref().map(|card| (card.called.unwrap_or(card.start).min(card.start), card.end)))
    }

    /// Moves the end of the range that was moved last; without one, takes a range from the selected operation on, or from the middle of what
    /// is in sight.
    fn extend(self, to: impl FnOnce(f64) -> f64) {
        let scale = self.scale.get_untracked();
        let middle = || self.time_at(scale.left_px() + scale.width_px() / 2.0);
        let begin = || self.trace.card.with_untracked(|card| card.as_ref().map_or_else(middle, |card| card.start));
        let (anchor, head) = self.trace.range.get_untracked().unwrap_or_else(|| {
            let at = begin();
            (at, at)
        });
        let x = to(scale.x_from_time(head));
        self.take(anchor, self.time_at(x));
        let beyond = (x - scale.right_px()).max(0.0) - (scale.left_px() - x).max(0.0);
        if beyond != 0.0 {
            self.rescale(|scale, end| scale.panned(beyond, end));
        }
    }

    pub(crate) fn end_range(self) {
        self.is_taking.set(false);
        self.trace.end_range();
    }
}

/// Brings the timeline into sight with the card below it, an id, if that covers it, or in any case.
fn into_sight(card: &'static str, is_from_afar: bool) {
    request_animation_frame(move || {
        let of = |id: &str| document().get_element_by_id(id).and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
        let (Some(card), Some(timeline)) = (of(card), of("trace-timeline")) else { return };
        if is_from_afar && let Some(title) = of("trace-card-title") {
            // It can take the focus.
            let _ = title.focus();
        }
        let is_covered =
            of("trace-place").is_some_and(|place| card.get_bounding_client_rect().top() < place.get_bounding_client_rect().bottom());
        if is_from_afar || is_covered {
            timeline.scroll_into_view();
        }
    });
}

#[component]
pub(crate) fn Timeline(
    overview: Arc<Overview>,
    look: TimelineView,
    /// What stands above it.
    above: AnyView,
) -> impl IntoView {
    view! {
        <section id="trace-timeline" aria-labelledby="trace-timeline-title">
            <div class="tool-row">
                <h3 id="trace-timeline-title">"Timeline"</h3>
                <div class="zoom" role="group" aria-label="Zoom of the timeline">
                    <button class="icon small" aria-label="Zoom out" title="Zoom out" on:click=move |_| look.around_middle(1.0 / KEY_ZOOM)>
                        "−"
                    </button>
                    <button class="icon small" aria-label="Zoom in" title="Zoom in" on:click=move |_| look.around_middle(KEY_ZOOM)>
                        "+"
                    </button>
                    <button class="small" id="trace-all" on:click=move |_| look.all()>"Show all"</button>
                </div>
                <button
                    class="small"
                    id="trace-take"
                    aria-pressed=move || look.is_taking.get().to_string()
                    title="The next drag over the lanes takes a range, and what happened in it is summed up. So does a drag on the ruler, \
                            or with Shift; with keys, Shift and the arrows."
                    on:click=move |_| look.is_taking.update(|is_taking| *is_taking = !*is_taking)
                >
                    "Sum a range"
                </button>
                <Search look=look />
            </div>
            {above}
            <Picture overview=overview look=look />
            {waits(look.trace, Where::Timeline)}
            <Legend />
        </section>
    }
}

#[component]
fn Search(look: TimelineView) -> impl IntoView {
    let trace = look.trace;
    let text = RwSignal::new(String::new());
    let ask = move || {
        trace.ask(&TraceAsk::Find(text.get_untracked()));
        ask_again(look);
    };
    let on_submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        ask();
    };
    let clear = move |_| {
        text.set(String::new());
        ask();
    };
    let line = move |(operation, name, at): &(u32, String, String)| {
        let operation = *operation;
        view! {
            <li>
                <button type="button" class="link" on:click=move |_| look.select_from_afar(operation)>{safe(name)}</button>
                " "
                <span class="quiet">{at.clone()}</span>
            </li>
        }
    };
    let result = move || {
        trace.found.with(|found| {
            (!found.text.is_empty()).then(|| {
                view! {
                    <div class="trace-found" id="trace-found">
                        <p role="status">{how_many_found(found.count, found.first.len())}</p>
                        {(!found.first.is_empty()).then(|| view! {
                            <ul tabindex="0" role="group" aria-label="Operations found">{found.first.iter().map(line).collect_view()}</ul>
                        })}
                    </div>
                }
            })
        })
    };
    view! {
        <form class="trace-search" on:submit=on_submit>
            <label>
                <span>"Name"</span>
                <input
                    type="search"
                    id="trace-search"
                    prop:value=move || text.get()
                    on:input:target=move |event| text.set(event.target().value())
                />
            </label>
            <button class="small">"Find"</button>
            {move || {
                let has_text = trace.found.with(|found| !found.text.is_empty());
                has_text.then(|| view! { <button type="button" class="small" on:click=clear>"Clear"</button> })
            }}
        </form>
        {waits(trace, Where::Found)}
        {result}
    }
}

#[component]
fn Legend() -> impl IntoView {
    let is_dark = expect_context::<TraceHost>().is_dark;
    let entry = |(tone, name): (usize, &'static str)| {
        let colour = move || {
            let (light, dark) = paint::TONES[tone];
            format!("background:{}", if is_dark.get() { dark } else { light })
        };
        view! { <li><i class="trace-key" style=colour></i> {name}</li> }
    };
    view! {
        <ul class="trace-legend">
            {KINDS.into_iter().enumerate().map(entry).collect_view()}
            <li class="quiet">
                "Drag to move (keys A, D), Ctrl and wheel to zoom (W, S), click an operation for its causes. Drag on the ruler, or with Shift \
                 (Shift and arrows), to sum a range; F zooms to it, Escape ends it."
            </li>
        </ul>
    }
}

/// Asks for what is in sight, and as much on either side, so that it is there when the reader moves.
fn ask_again(look: TimelineView) {
    let scale = look.scale.get_untracked();
    let (from, to) = scale.shown();
    let around = (to - from) / 2;
    let at = |ns: i64| Time(ns.max(0) as u64);
    // Time before zero has no pixels.
    let (from, to) = (at(from - around), at(to + around).min(Time(look.end.ns().saturating_add(1))));
    let px = to.since(from).ns() as f64 / scale.ns_per_px();
    look.trace.draw(Sight { from, to, px: px.ceil().max(1.0) as u32 });
}

#[component]
fn Picture(overview: Arc<Overview>, look: TimelineView) -> impl IntoView {
    let is_dark = expect_context::<TraceHost>().is_dark;
    let trace = expect_context::<TraceState>();
    let place = CanvasPlace::new(Signal::stored(1.0));
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let hover = RwSignal::new(String::new());
    let layout = StoredValue::new(Layout::new(&overview));
    let height = layout.with_value(|layout| layout.height);
    let lanes = StoredValue::new(overview.lanes.iter().map(|lane| lane.of).collect::<Vec<_>>());

    Effect::new(move |_| {
        let width = place.room.get();
        if width > 0.0 {
            let left = if width < NARROW_PX { NARROW_LEFT_PX } else { LEFT_PX };
            look.rescale(|scale, end| scale.resized(left, (width - left - RIGHT_PX).max(40.0), end));
        }
    });
    Effect::new(move |_| {
        look.scale.track();
        ask_again(look);
    });
    Effect::new(move |_| {
        if let Some((called, start, end)) = trace.card.with(|card| card.as_ref().map(|card| (card.called, card.start, card.end))) {
            look.follow(called, start, end);
        }
    });
    Effect::new(move |_| {
        let (scale, is_dark, width) = (look.scale.get(), is_dark.get(), place.room.get());
        let Some(canvas) = canvas.get().filter(|_| width > 0.0) else { return };
        trace.picture.with(|picture| {
            trace.card.with(|card| {
                layout.with_value(|layout| {
                    let lanes = picture.as_ref().map_or(&[][..], |(_, lanes)| lanes);
                    let range = trace.range.get();
                    let scene = Scene { overview: &overview, layout, scale, lanes, card: card.as_ref(), range, is_dark };
                    paint::paint(&canvas, (width, height), &scene);
                });
            });
        });
    });

    Effect::new(move |was: Option<bool>| {
        let is_there = trace.summed.with(Option::is_some);
        if is_there && was != Some(true) {
            into_sight("trace-range", false);
        }
        is_there
    });

    // The nearest box of the lane under the pointer, with what the lane shows.
    let hit = move |x: f64, y: f64| -> Option<(Of, DrawnPiece)> {
        let lane = layout.with_value(|layout| layout.lane_at(y))?;
        let scale = look.scale.get_untracked();
        let distance = |drawn: &DrawnPiece| {
            let (from, width) = paint::place_of(&scale, drawn);
            (from - x).max(x - from - width).max(0.0)
        };
        let nearest = trace.picture.with_untracked(|picture| {
            let (_, lanes) = picture.as_ref()?;
            let near = lanes.get(lane)?.iter().map(|drawn| (distance(drawn), drawn)).filter(|(px, _)| *px <= NEAR_PX);
            near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, drawn)| drawn.clone())
        })?;
        Some((lanes.with_value(|lanes| lanes.get(lane).copied())?, nearest))
    };
    let on_wheel = move |event: ev::WheelEvent| {
        if let Some(scale) = place.turned(&event, look.scale.get_untracked(), look.end) {
            look.rescale(|_, _| scale);
        }
    };
    // Where the range begins that is being dragged; whether the pointer would take one.
    let (held, takes) = (StoredValue::new(None::<Time>), RwSignal::new(false));
    let would_take = move |event: &ev::PointerEvent, y: f64| event.shift_key() || y < paint::AXIS_PX || look.is_taking.get_untracked();
    let on_down = move |event: ev::PointerEvent| {
        let Some(((x, y), is_first)) = place.down(&event) else { return };
        // Two fingers zoom.
        held.set_value(None);
        if is_first && would_take(&event, y) {
            let x_of = |time: Time| look.scale.with_untracked(|scale| scale.x_from_time(time));
            let is_near = |time: Time| (x_of(time) - x).abs() <= END_PX;
            // An end of the range that is there is moved.
            let anchor = match trace.range.get_untracked() {
                Some((anchor, head)) if is_near(anchor) => head,
                Some((anchor, head)) if is_near(head) => anchor,
                _ => look.time_at(x),
            };
            held.set_value(Some(anchor));
        }
    };
    let on_move = move |event: ev::PointerEvent| {
        let (moved, (x, y)) = place.moved(&event);
        match (moved, held.get_value()) {
            (Move::Hover, _) => {
                takes.set(would_take(&event, y));
                let words = if y < paint::AXIS_PX {
                    "Drag along the ruler to sum a range.".to_owned()
                } else {
                    hit(x, y).map(|(_, drawn)| described(&drawn)).unwrap_or_default()
                };
                if hover.with_untracked(|hover| *hover != words) {
                    hover.set(words);
                }
            }
            (Move::Pan(_), Some(anchor)) => {
                trace.range.set(Some((anchor, look.time_at(x))));
                // A card that comes now could cover what is dragged over; one that is there follows.
                if trace.summed.with_untracked(Option::is_some) {
                    trace.sum_range();
                }
            }
            (moved, _) => look.rescale(|scale, end| moved.apply(scale, end)),
        }
    };
    let on_up = move |event: ev::PointerEvent| {
        let clicked = place.up(&event);
        if held.try_update_value(Option::take).flatten().is_some() {
            match (clicked, trace.range.get_untracked()) {
                (None, _) => {
                    look.is_taking.set(false);
                    return trace.sum_range();
                }
                // With Shift a click moves the end that was moved last.
                (Some((x, _)), Some((anchor, _))) if event.shift_key() => return look.take(anchor, look.time_at(x)),
                _ => {}
            }
        }
        let Some((x, y)) = clicked else { return };
        match hit(x, y) {
            Some((Of::Occupancy { .. }, _)) | None => {}
            Some((_, drawn)) if drawn.piece.count > 1 => look.show(drawn.piece.from, drawn.piece.to),
            Some((Of::Path { device }, drawn)) => trace.ask(&TraceAsk::LookOfPath { device, piece: drawn.piece.first }),
            Some((Of::Calls { .. }, drawn)) => trace.ask(&TraceAsk::LookOfCall(drawn.piece.first)),
            Some((_, drawn)) => look.select(drawn.piece.first),
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let beside = |is_next: bool| {
            trace.ask(&TraceAsk::Beside(trace.card.with_untracked(|card| card.as_ref().map(|card| card.operation)), is_next))
        };
        // Caps Lock makes letters large.
        let key = event.key();
        let key = if key.len() == 1 { key.to_ascii_lowercase() } else { key };
        let (left, right) = look.scale.with_untracked(|scale| (scale.x_from_time(Time::ZERO), scale.x_from_time(look.end)));
        match key.as_str() {
            "ArrowLeft" | "a" if event.shift_key() => look.extend(|x| x - RANGE_KEY_PX),
            "ArrowRight" | "d" if event.shift_key() => look.extend(|x| x + RANGE_KEY_PX),
            "Home" if event.shift_key() => look.extend(|_| left),
            "End" if event.shift_key() => look.extend(|_| right),
            "m" => look.take_operation(),
            "f" => {
                let range = trace.range.get_untracked().map(|(anchor, head)| (anchor.min(head), anchor.max(head)));
                if let Some((from, to)) = range.or_else(|| look.of_operation()) {
                    look.show(from, to);
                }
            }
            "Escape" if look.is_taking.get_untracked() || trace.range.with_untracked(Option::is_some) => look.end_range(),
            "ArrowLeft" | "a" => look.rescale(|scale, end| scale.panned(-KEY_PX, end)),
            "ArrowRight" | "d" => look.rescale(|scale, end| scale.panned(KEY_PX, end)),
            "+" | "=" | "w" => look.around_middle(KEY_ZOOM),
            "-" | "s" => look.around_middle(1.0 / KEY_ZOOM),
            "0" => look.all(),
            "[" => beside(false),
            "]" => beside(true),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    view! {
        <div class="trace-scroll">
            <div
                class="trace-place"
                class:takes=move || takes.get() || look.is_taking.get()
                id="trace-place"
                node_ref=place.node
                role="group"
                tabindex="0"
                aria-label="Timeline. Left and right, or A and D, move; plus and minus, or W and S, zoom; 0 shows everything; brackets \
                                        select the operation before or after; Shift with left and right takes a range, M the time of \
                                        the operation, F zooms to it, Escape ends it."
                style=format!("height:{height}px")
                on:wheel=on_wheel
                on:pointerdown=on_down
                on:pointermove=on_move
                on:pointerup=on_up
                on:pointercancel=on_up
                on:pointerleave=move |_| hover.set(String::new())
                on:dblclick=move |_| look.all()
                on:keydown=on_key
            >
                <canvas id="trace-canvas" node_ref=canvas aria-hidden="true"></canvas>
            </div>
        </div>
        <p class="trace-hover" id="trace-hover">{move || hover.get()}</p>
    }
}

/// What is under the pointer, in words.
fn described(drawn: &DrawnPiece) -> String {
    let piece = &drawn.piece;
    let Span(ns) = piece.to.since(piece.from);
    let (length, start) = (format_time_short(ns), format_time_short(piece.from.ns()));
    if drawn.tone == Tone::Level {
        return format!(
            "SMs in use: about {:.0} % of their threads for {length}, from {start} on. An estimate from grids and blocks.",
            100.0 * piece.busy_ns as f64 / ns.max(1) as f64
        );
    }
    if piece.count > 1 {
        return format!("{} in one pixel: click to zoom in", format_count(piece.count.into()));
    }
    let name = if drawn.name.is_empty() { KINDS[drawn.tone as usize].to_owned() } else { safe(&drawn.name) };
    format!("{name}: {length}, from {start} on")
}

fn how_many_found(count: u64, shown: usize) -> String {
    match count {
        0 => "No operation has this in its name.".to_owned(),
        1 => "1 operation.".to_owned(),
        n if n as usize > shown => format!("{} operations; the first {shown} are listed.", format_count(n)),
        n => format!("{} operations.", format_count(n)),
    }
}
