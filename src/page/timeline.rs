//! The timeline panel: the canvas, the line of the current step, zoom, pan, hover and selection.
//!
//! Depends on `state` and the timeline's view model. Invariant: painting and hit-testing
//! use the same time scale and the same height.

use leptos::ev;
use leptos::prelude::*;

use super::dragging::TimelineDrag;
use super::intro::Bookmarks;
use crate::panels::host::Tools;
use crate::panels::open_tool::OpenTool;
use crate::state::AppState;
use crate::state::cursor::CursorState;
use crate::state::document::{DocumentState, Entry};
use crate::state::run::RunState;
use crate::state::selection::Selection;
use crate::state::settings::Settings;
use crate::state::storage::is_embedded;
use crate::state::tip::{TipText, tip};
use blockstep_sim::units::Time;
use blockstep_tools::ToolId;
use blockstep_ui::{COMPACT_PX, CanvasPlace, CursorLine, Splitter, TermLink, Viewport, ZoomButtons, paint, safe, set_root_px};
use blockstep_view::gesture::Move;
use blockstep_view::labels::LabelTerm;
use blockstep_view::quantity::format_time;
use blockstep_view::timeline::{Hit, LAUNCHES_PX, RIGHT_PX};

/// What is to be in sight besides the timeline, px: the header, the queues, the bar of steps.
const BESIDES_PX: f64 = 430.0;

/// What a run beside it takes besides its picture, px.
const COMPARED_PX: f64 = 36.0;

/// The timeline stays in sight while tables are edited if it takes no more of the window than this.
const MAX_PINNED: f64 = 0.5;

/// Height of the timeline's heading, px.
const HEAD_PX: f64 = 60.0;

/// The least height that a reader can give it, px, and the most, as a part of the window.
const LEAST_PX: f64 = 140.0;
const MOST: f64 = 0.85;

/// The timeline's part of the window in the presenter view.
const PRESENTED: f64 = 0.32;

/// The panel.
#[component]
pub(super) fn TimelinePanel(
    /// The part of the window that it takes, where it is the picture of a page and stands alone; else it is as high as its lanes need.
    #[prop(optional)]
    share: Option<f64>,
) -> impl IntoView {
    let is_pinned = RwSignal::new(false);
    if share.is_some() {
        return view! {
            <section class="timeline" id="timeline-panel" aria-labelledby="timeline-title">
                <h2 id="timeline-title" class="visually-hidden">"Block timeline"</h2>
                <Picture is_pinned=is_pinned share=share />
            </section>
        }
        .into_any();
    }
    view! {
        <section class="panel timeline" class:pinned=move || is_pinned.get() id="timeline-panel" aria-labelledby="timeline-title">
            <div class="panel-head">
                <h2 id="timeline-title">
                    <TermLink term=LabelTerm::ThreadBlock text="Block" />
                    " timeline"
                </h2>
                <EditNote />
                <Bookmarks />
                <Zoom />
                <OpenTool tool=ToolId::RunTables class="link as-text">
                    "As text"
                </OpenTool>
            </div>
            <Picture is_pinned=is_pinned share=share />
        </section>
    }
    .into_any()
}

/// What the last edit did, until the next one or until the reader has read it.
#[component]
pub(super) fn EditNote() -> impl IntoView {
    let run = expect_context::<RunState>();
    let settings = expect_context::<Settings>();
    let told = Memo::new(move |_| {
        let is_hidden = settings.is_future_hidden.get();
        run.edit.with(|edit| edit.as_ref().filter(|_| !is_hidden).map(|edit| (edit.effect.text.clone(), edit.is_behind)))
    });
    let rescaled = follow_axis();
    let text = move || {
        let axis = rescaled.get().map(|end| format!(" The axis now ends at {}.", format_time(end.ns())));
        told.with(|told| told.as_ref().map(|(text, _)| format!("{}{}", safe(text), axis.unwrap_or_default())))
    };
    let rest = move || {
        let (_, has_picture) = told.get()?;
        let key = has_picture.then(|| view! { <span class="before-key">"before"</span> });
        Some(view! {
            {key}
            <button class="icon small" id="forget-edit" aria-label="Hide the run before the edit" on:click=move |_| run.forget_edit()>"×"</button>
        })
    };
    view! {
        <div class="edit-note" id="edit-note">
            <span class="edit-note-text" role="status">{text}</span>
            {rest}
        </div>
    }
}

/// Where the axis ends since the last edit, if it ended elsewhere before.
fn follow_axis() -> Memo<Option<Time>> {
    let document = expect_context::<DocumentState>();
    let viewport = expect_context::<Viewport>();
    // The entry of the history, where the axis ended before it, and where it ends.
    let ends = Memo::new(move |last: Option<&(Entry, Time, Time)>| {
        let (entry, end) = (document.entry.get(), viewport.whole_end());
        match last {
            Some((last, before, _)) if *last == entry => (entry, *before, end),
            Some((_, _, last)) => (entry, *last, end),
            None => (entry, end, end),
        }
    });
    Memo::new(move |_| ends.with(|(entry, before, end)| (entry.is_edit && before != end).then_some(*end)))
}

/// Closer, further away, all of it.
#[component]
fn Zoom() -> impl IntoView {
    let viewport = expect_context::<Viewport>();
    let settings = expect_context::<Settings>();
    let run = expect_context::<RunState>();
    let has_many = Memo::new(move |_| run.with(|run| run.timeline.has_many_sms()));
    let group = move || {
        has_many.get().then(|| {
            let label = move || if settings.are_sms_grouped.get() { "Show each SM" } else { "Group SMs" };
            view! { <button id="group-sms" class="small" on:click=move |_| settings.are_sms_grouped.update(|on| *on = !*on)>{label}</button> }
        })
    };
    view! {
        {move || viewport.part().map(|part| view! { <span class="quiet" id="part-shown">{part}</span> })}
        {group}
        <ZoomButtons viewport=viewport fit_id="fit" />
    }
}

/// Paints the run and follows the pointer.
#[component]
fn Picture(
    /// Told whether it leaves room for what is scrolled under it.
    is_pinned: RwSignal<bool>,
    /// The part of the window that it takes, if that is given.
    share: Option<f64>,
) -> impl IntoView {
    let viewport = expect_context::<Viewport>();
    let run = expect_context::<RunState>();
    let settings = expect_context::<Settings>();
    let selection = expect_context::<Selection>();
    let cursor = expect_context::<CursorState>();
    let place = CanvasPlace::new(Signal::derive(move || settings.magnification()));
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let tips = tip();
    let tools = expect_context::<Tools>();
    let state = expect_context::<AppState>();
    let (drag, stepping) = (TimelineDrag::new(state), state.stepping);
    let width = move || {
        let (left, width) = viewport.plot.get();
        left + width + RIGHT_PX
    };
    let window_height = settings.window_height;
    let height = move || {
        if let Some(share) = share {
            return (window_height.get() * share).max(LEAST_PX).round();
        }
        let own = settings.panes.get().timeline_px.filter(|_| !is_embedded() && !settings.is_presenting.get());
        let room = (!is_embedded()).then(|| match settings.is_presenting.get() {
            true => window_height.get() * PRESENTED / settings.magnification(),
            // Two runs are to be in sight together.
            false if tools.is_open(ToolId::Compare) => window_height.get() - BESIDES_PX - COMPARED_PX,
            false => window_height.get() - BESIDES_PX,
        });
        let grouped = settings.are_sms_grouped.get();
        run.with(|run| own.unwrap_or_else(|| run.timeline.height_px(width() < COMPACT_PX, room, grouped)))
    };
    Effect::new(move |_| {
        let height = height();
        viewport.height_px.maybe_update(|px| std::mem::replace(px, height).to_bits() != height.to_bits());
        let is_low = share.is_none() && height <= window_height.get() * MAX_PINNED;
        if is_pinned.get_untracked() != is_low {
            is_pinned.set(is_low);
        }
        // What takes the focus is scrolled to where the timeline does not cover it.
        let covered = if is_low { height + HEAD_PX } else { 0.0 };
        set_root_px("--pinned", Some(covered.round()));
    });
    Effect::new(move |_| viewport.fill(place.room.get() / settings.magnification()));
    Effect::new(move |_| {
        let edit = run.edit;
        // First: an effect that meets the run behind the scale, which an edit may leave as it is, is not run (reactive_graph 0.2).
        run.track();
        let (scale, height, is_dark, selected) = (viewport.scale.get(), height(), settings.is_dark(), selection.selected_row());
        let Some(canvas) = canvas.get() else { return };
        // What is hidden is not there, whatever becomes of the veil over it.
        let now = settings.is_future_hidden.get().then(|| scale.x_from_time(cursor.now()));
        run.with(|run| {
            let frame = run.timeline.frame(&scale, height, None, selected);
            let frame = edit.with(|edit| {
                match edit.as_ref().filter(|edit| now.is_none() && edit.is_behind && !settings.is_on_paper()).map(|edit| &edit.before) {
                    Some(before) => {
                        let row_now = |row| before.row_id(row).and_then(|id| run.row(id)).unwrap_or(row);
                        frame.over(before.timeline.frame(&scale, height, None, None), row_now)
                    }
                    None => frame,
                }
            });
            let frame = if let Some(x) = now { frame.until(x) } else { frame };
            paint(&canvas, &frame, is_dark, settings.magnification());
        });
    });

    let hit = move |x: f64, y: f64| {
        let (scale, height) = (viewport.scale.get_untracked(), untrack(height));
        if settings.is_future_hidden.get_untracked() && x >= scale.x_from_time(cursor.now_untracked()) {
            return None;
        }
        run.with_untracked(|run| run.timeline.hit(&scale, height, x, y))
    };
    let axis = move || run.with_untracked(|run| run.timeline.axis_px(untrack(height)));
    let on_wheel = move |ev: ev::WheelEvent| {
        if let Some(scale) = place.turned(&ev, viewport.scale.get_untracked(), untrack(|| viewport.whole_end())) {
            tips.set(None);
            viewport.rescale(|_, _| scale);
        }
    };
    let on_down = move |ev: ev::PointerEvent| {
        let Some((at, is_first)) = place.down(&ev) else { return };
        tips.set(None);
        if is_first {
            drag.begin(untrack(height), at, ev.pointer_type() == "touch");
        } else {
            // A second finger pinches.
            drag.cancel();
        }
    };
    let on_move = move |ev: ev::PointerEvent| {
        let (moved, (x, y)) = place.moved(&ev);
        if moved == Move::Hover {
            drag.hover(untrack(height), (x, y));
            let found = hit(x, y).filter(|_| ev.pointer_type() != "touch");
            let described = |hit: &Hit| {
                run.with_untracked(|run| match settings.is_future_hidden.get_untracked() {
                    true => run.timeline.describe_until(hit, cursor.now_untracked()),
                    false => run.timeline.describe(hit),
                })
            };
            tips.set(found.map(|found| {
                let (title, lines) = (run.with_untracked(|run| found.label(&run.timeline)), described(&found));
                let lines = lines.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                TipText { title, lines, x: f64::from(ev.client_x()), y: f64::from(ev.client_y()) + 8.0 }
            }));
            return;
        }
        if drag.is_held() {
            return drag.follow((x, y), (ev.client_x().into(), ev.client_y().into()), ev.alt_key());
        }
        if moved != Move::Rest {
            viewport.rescale(|scale, end| moved.apply(scale, end));
        }
    };
    let on_up = move |ev: ev::PointerEvent| {
        let click = place.up(&ev);
        if drag.end() {
            return;
        }
        let Some((x, y)) = click else { return };
        match hit(x, y) {
            Some(found) => {
                let (op, at) = run.with_untracked(|run| (found.op(&run.timeline), found.at(&run.timeline)));
                if let Some(op) = op {
                    selection.ask(op, run.with_untracked(|run| found.block(&run.timeline)));
                }
                if let Some(at) = at {
                    cursor.is_playing.set(false);
                    cursor.go_to_time(at);
                }
            }
            None if y >= axis() => stepping.point_at(x),
            None => {
                if selection.kernel.with_untracked(Option::is_some) {
                    selection.kernel.set(None);
                }
                let (scale, height) = (viewport.scale.get_untracked(), untrack(height));
                let sm = run.with_untracked(|run| run.timeline.free_sm(&scale, height, x, y));
                if let Some(sm) = sm.filter(|_| !settings.is_future_hidden.get_untracked()) {
                    stepping.point_at(x);
                    // Once what asked about a kernel is closed, as none is selected any more.
                    request_animation_frame(move || tools.open_tool(ToolId::Ask, &format!("gap:{}", sm.0)));
                }
            }
        }
    };

    let line_x = move || viewport.scale.with(|scale| scale.x_from_time(cursor.now())) * settings.magnification();
    // What is hidden is not said either.
    let described =
        move || if settings.is_future_hidden.get() { "Hidden until you answer".to_owned() } else { run.with(|run| run.timeline.summary()) };
    view! {
        <div
            class="timeline-place"
            class:on-grip=move || drag.is_over.get()
            id="timeline-place"
            node_ref=place.node
            style:height=move || format!("{}px", (height() * settings.magnification()).round() as i64)
            on:wheel=on_wheel
            on:pointerdown=on_down
            on:pointermove=on_move
            on:pointerup=on_up
            on:pointercancel=on_up
            on:pointerleave=move |_| tips.set(None)
            on:dblclick=move |_| viewport.fit()
        >
            <canvas id="timeline" role="img" node_ref=canvas aria-label=described></canvas>
            <div
                id="veil"
                class="veil"
                hidden=move || !settings.is_future_hidden.get()
                style:left=move || format!("{}px", line_x().round() as i64)
            >
                <span>"The future is hidden"</span>
            </div>
            // Its time stands over the axis, and not over the names of launches.
            <CursorLine
                stepping=stepping
                place=place
                magnification=Signal::derive(move || settings.magnification())
                below_flag_px=LAUNCHES_PX
                prefix=""
            />
        </div>
        {share.is_none().then(|| {
            view! {
                <Splitter
                    label="Height of the timeline"
                    is_level=true
                    size=Signal::derive(height)
                    range=Signal::derive(move || (LEAST_PX, (window_height.get() * MOST).max(LEAST_PX)))
                    on_change=move |px| settings.panes.update(|panes| panes.timeline_px = px)
                />
            }
        })}
    }
}
