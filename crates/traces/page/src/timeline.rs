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
}

impl TimelineView {
    pub(crate) fn new(trace: TraceState, end: Time) -> Self {
        let scale = RwSignal::new(TimeScale::fit(end, LEFT_PX, 600.0));
        Self { trace, end, scale, is_from_afar: StoredValue::new(false) }
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

    fn rescale(self, by: impl FnOnce(TimeScale, Time) -> TimeScale) {
        let now = by(self.scale.get_untracked(), self.end);
        if now != self.scale.get_untracked() {
            self.scale.set(now);
        }
    }

    fn around_middle(self, factor: f64) {
        self.rescale(|scale, end| scale.zoomed(factor, scale.left_px() + scale.width_px() / 2.0, end));
    }

    fn all(self) {
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
        request_animation_frame(move || {
            let of = |id: &str| document().get_element_by_id(id).and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
            let (Some(title), Some(card), Some(timeline)) = (of("trace-card-title"), of("trace-card"), of("trace-timeline")) else {
                return;
            };
            if is_from_afar {
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
}

#[component]
pub(crate) fn Timeline(overview: Arc<Overview>, look: TimelineView) -> impl IntoView {
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
                <Search look=look />
            </div>
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
            <li class="quiet">"Drag to move (keys A, D), Ctrl and wheel to zoom (W, S), click an operation for its causes."</li>
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
                    let scene = Scene { overview: &overview, layout, scale, lanes, card: card.as_ref(), is_dark };
                    paint::paint(&canvas, (width, height), &scene);
                });
            });
        });
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
    let on_move = move |event: ev::PointerEvent| {
        let (moved, (x, y)) = place.moved(&event);
        if moved == Move::Hover {
            let words = hit(x, y).map(|(_, drawn)| described(&drawn)).unwrap_or_default();
            if hover.with_untracked(|hover| *hover != words) {
                hover.set(words);
            }
            return;
        }
        look.rescale(|scale, end| moved.apply(scale, end));
    };
    let on_up = move |event: ev::PointerEvent| {
        let Some((x, y)) = place.up(&event) else { return };
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
        match key.as_str() {
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
                id="trace-place"
                node_ref=place.node
                role="group"
                tabindex="0"
                aria-label="Timeline. Left and right, or A and D, move; plus and minus, or W and S, zoom; 0 shows everything; brackets \
                                        select the operation before or after."
                style=format!("height:{height}px")
                on:wheel=on_wheel
                on:pointerdown=move |event| {
                    place.down(&event);
                }
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
