//! The queue diagram, as [TX2] Fig. 4: CPU tasks, stream queues, EE and CE queues, SMs, copy
//! engines.
//!
//! Depends on `state` and `view::queues`. Invariant: what is drawn is the view model, box by box;
//! a box that the last step changed is marked, and what it moved slides from where it was.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use super::dynamic::live_part;
use super::state::{AppState, app};
use crate::units::RowId;
use crate::view::palette;
use crate::view::quantity;
use crate::view::queues::{BlockGroup, EngineView, Gauge, Item, QueueBox, SmView, SpaceView, StreamView, TaskBox};

/// How long a move takes, ms.
const MOVE_MS: f64 = 260.0;

/// The panel.
#[component]
pub(super) fn Diagram() -> impl IntoView {
    let state = app();
    let place = NodeRef::<html::Div>::new();
    animate_moves(state, place);
    let boxes = move || {
        let is_dark = state.is_dark();
        let selected = state.selected_row();
        let look = Look { state, is_dark, selected };
        state.queues.with(|q| {
            let many = q.spaces.len() > 1;
            let tasks = view! {
                <div class="stage-column column-tasks">
                    <h3>"CPU tasks"</h3>
                    <ul class="queue-list">{q.tasks.iter().map(task).collect_view()}</ul>
                    {more(q.hidden_tasks, "tasks")}
                </div>
            };
            let spaces = q.spaces.iter().map(|space| self::space(look, space, many)).collect_view();
            view! { {tasks}<div class="spaces">{spaces}</div> }
        })
    };
    view! {
        <section class="panel diagram" aria-labelledby="diagram-title">
            <div class="panel-head">
                <h2 id="diagram-title">"Queues"</h2>
                <p class="legend quiet">
                    <span class="item sample">"K1"</span>" waits "
                    <span class="item sample dispatched">"K1"</span>" dispatched, not complete "
                    <span class="item sample changed">"K1"</span>" changed by this step"
                </p>
            </div>
            <div id="queues" class="diagram-grid" node_ref=place>{live_part(boxes)}</div>
        </section>
    }
}

/// What decides how an item looks.
#[derive(Clone, Copy)]
struct Look {
    state: AppState,
    is_dark: bool,
    selected: Option<RowId>,
}

impl Look {
    /// Colours of a row.
    fn style(self, row: RowId) -> String {
        let colour = palette::colour_of(row, self.is_dark);
        format!("--k:{};--kt:{}", colour.css(), palette::text_on(colour).css())
    }

    /// The class name that tells how a row stands beside the selection.
    fn class(self, row: RowId) -> &'static str {
        match self.selected {
            Some(selected) if selected == row => " is-selected",
            Some(_) => " is-dimmed",
            None => "",
        }
    }
}

fn more(hidden: usize, what: &str) -> Option<impl IntoView> {
    (hidden > 0).then(|| view! { <p class="more quiet">{format!("and {} more {what}", quantity::format_count(hidden as u64))}</p> })
}

fn marked(class: &str, changed: bool) -> String {
    if changed { format!("{class} changed") } else { class.to_owned() }
}

fn task(task: &TaskBox) -> impl IntoView + use<> {
    let jobs = match (task.released, task.open) {
        (0, _) => "not released yet".to_owned(),
        (1, 0) => "job complete".to_owned(),
        (1, _) => "job released".to_owned(),
        (released, open) => format!("{released} jobs released, {open} open"),
    };
    view! {
        <li class=marked("task-box", task.changed)>
            <b>{task.name.clone()}</b>
            <span class="quiet">{jobs}</span>
        </li>
    }
}

fn space(look: Look, space: &SpaceView, many: bool) -> impl IntoView + use<> {
    let head = many.then(|| view! { <h3 class="space-name">{space.name.clone()}" "<span class="quiet">{space.residency}</span></h3> });
    view! {
        <div class=marked(if many { "space boxed" } else { "space" }, many && space.changed)>
            {head}
            <div class="stage-column column-streams">
                <h3>"Stream queues"</h3>
                {space.streams.iter().map(|s| stream(look, s)).collect_view()}
                {more(space.hidden_streams, "streams")}
            </div>
            <div class="stage-column column-queues">
                <h3>"EE and CE queues"</h3>
                {space.ee.iter().map(|q| queue(look, q, "ee")).collect_view()}
                {space.ce.iter().map(|q| queue(look, q, "ce")).collect_view()}
            </div>
            <div class="stage-column column-device">
                <h3>"GPU"</h3>
                <div class="sms">{space.sms.iter().map(|s| sm(look, s)).collect_view()}</div>
                {more(space.hidden_sms, "SMs")}
                <div class="engines">{space.engines.iter().map(|e| engine(look, e)).collect_view()}</div>
            </div>
        </div>
    }
}

fn stream(look: Look, stream: &StreamView) -> impl IntoView + use<> {
    let priority = (stream.priority != "none")
        .then(|| view! { <span class=format!("priority priority-{}", stream.priority)>{stream.priority}</span> });
    let name = format!("Stream {}", stream.label);
    queue_box(look, "stream", &name, priority, &stream.items, stream.hidden, stream.changed, stream.left.as_deref())
}

fn queue(look: Look, queue: &QueueBox, class: &'static str) -> impl IntoView + use<> {
    queue_box(look, class, &queue.label, None::<()>, &queue.items, queue.hidden, queue.changed, queue.left.as_deref())
}

#[expect(clippy::too_many_arguments, reason = "the two kinds of queue share their looks, not their types")]
fn queue_box(
    look: Look,
    class: &'static str,
    name: &str,
    extra: Option<impl IntoView + 'static>,
    items: &[Item],
    hidden: usize,
    changed: bool,
    left: Option<&str>,
) -> AnyView {
    let empty = (items.is_empty() && left.is_none()).then(|| view! { <li class="queue-empty">"empty"</li> });
    let left = left.map(|name| view! { <li class="item ghost" title="Left by this step">{name.to_owned()}</li> });
    view! {
        <div class=marked(&format!("queue queue-{class}"), changed) data-queue=name.to_owned()>
            <div class="queue-name"><span>{name.to_owned()}</span>{extra}</div>
            <ol class="queue-items">
                {left}
                {items.iter().map(|i| item(look, i, class)).collect_view()}
                {empty}
                {(hidden > 0).then(|| view! { <li class="quiet">{format!("+{}", quantity::format_count(hidden as u64))}</li> })}
            </ol>
        </div>
    }
    .into_any()
}

fn item(look: Look, item: &Item, place: &'static str) -> impl IntoView + use<> {
    let op = item.op;
    let class = format!(
        "item{}{}{}{}{}",
        if item.dispatched { " dispatched" } else { "" },
        if item.fully_dispatched { " fully" } else { "" },
        if item.executing { " executing" } else { "" },
        if item.changed { " changed" } else { "" },
        look.class(item.row)
    );
    let progress = (item.blocks > 1).then(|| view! {
        <span class="item-progress">{format!("{}/{}", quantity::format_count(item.assigned), quantity::format_count(item.blocks))}</span>
    });
    let title = match (item.blocks > 1, item.dispatched) {
        (true, _) => format!(
            "{}: {} of {} blocks assigned, {} complete",
            item.label,
            quantity::format_count(item.assigned),
            quantity::format_count(item.blocks),
            quantity::format_count(item.completed)
        ),
        (false, true) => format!("{}: dispatched, not complete", item.label),
        (false, false) => format!("{}: waiting", item.label),
    };
    view! {
        <li
            class=class
            style=look.style(item.row)
            title=title
            data-item=item.label.clone()
            data-op=op.0.to_string()
            data-place=place
            data-entered=item.entered.then_some("1")
            on:click=move |_| look.state.select_op(op)
        >
            {item.label.clone()}
            {progress}
        </li>
    }
}

fn sm(look: Look, sm: &SmView) -> impl IntoView + use<> {
    let free = sm.threads.free;
    let blocks = sm.blocks.iter().map(|b| block(look, b)).collect_view();
    let rest = (free > 0).then(|| view! { <span class="free" style=format!("flex-grow:{free}") title=format!("{} threads free", quantity::format_count(free))></span> });
    view! {
        <div class=marked("sm", sm.changed) data-sm=sm.sm.0.to_string()>
            <div class="sm-name">
                <span>{format!("SM {}", sm.sm.0)}</span>
                {sm.left.clone().map(|name| view! { <span class="item ghost" title="Completed by this step">{name}</span> })}
            </div>
            <div class="sm-blocks">{blocks}{rest}</div>
            <div class="gauges" aria-label="Free">
                {gauge("threads", sm.threads, quantity::format_count)}
                {gauge("shared", sm.shared_memory, quantity::format_bytes)}
                {gauge("regs", sm.registers, quantity::format_count)}
                {gauge("slots", sm.slots, quantity::format_count)}
            </div>
        </div>
    }
}

fn gauge(name: &'static str, gauge: Gauge, format: fn(u64) -> String) -> impl IntoView {
    let share = if gauge.total == 0 { 0.0 } else { (gauge.total - gauge.free) as f64 / gauge.total as f64 * 100.0 };
    view! {
        <span class="gauge" data-gauge=name title=format!("{name}: {} free of {}", format(gauge.free), format(gauge.total))>
            <span class="gauge-bar"><span style=format!("width:{share:.1}%")></span></span>
            <span class="gauge-text"><b>{format(gauge.free)}</b>" "{name}</span>
        </span>
    }
}

fn block(look: Look, group: &BlockGroup) -> impl IntoView + use<> {
    let op = group.op;
    let class = format!(
        "item block{}{}{}",
        if group.changed { " changed" } else { "" },
        if group.suspended { " suspended" } else { "" },
        look.class(group.row)
    );
    view! {
        <span
            class=class
            style=format!("{};flex-grow:{}", look.style(group.row), group.threads)
            title=format!("{}: {} threads", group.label, quantity::format_count(group.threads))
            data-block=group.label.clone()
            data-op=op.0.to_string()
            data-place="sm"
            data-entered=group.changed.then_some("1")
            on:click=move |_| look.state.select_op(op)
        >
            {group.label.clone()}
        </span>
    }
}

fn engine(look: Look, engine: &EngineView) -> impl IntoView + use<> {
    let busy = engine.item.as_ref().map(|i| item(look, i, "engine"));
    let idle = (engine.item.is_none() && engine.left.is_none()).then(|| view! { <li class="queue-empty">"idle"</li> });
    let left = engine.left.clone().map(|name| view! { <li class="item ghost" title="Completed by this step">{name}</li> });
    view! {
        <div class=marked("queue engine", engine.changed) data-queue=engine.label.clone()>
            <div class="queue-name"><span>{engine.label.clone()}</span></div>
            <ol class="queue-items">{left}{busy}{idle}</ol>
        </div>
    }
}

/// Slides what a single step forward moved from the place it came from, unless the reader
/// prefers no motion.
fn animate_moves(state: AppState, place: NodeRef<html::Div>) {
    Effect::new(move |last: Option<u32>| {
        let position = state.position.get();
        state.queues.track();
        let is_step = last.is_some_and(|last| last + 1 == position);
        let is_fast = state.is_playing.get_untracked() && state.steps_per_second.get_untracked() > 5;
        let calm = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten().is_some_and(|q| q.matches());
        if is_step && !is_fast && !calm {
            request_animation_frame(move || {
                if let Some(place) = place.get_untracked() {
                    slide_entered(&place);
                }
            });
        }
        position
    });
}

/// The place an item moves from, by the place it moves to.
const CAME_FROM: [(&str, &str); 5] = [
    ("ee", ".column-streams"),
    ("ce", ".column-streams"),
    ("sm", ".column-queues"),
    ("engine", ".column-queues"),
    ("stream", ".column-tasks"),
];

fn slide_entered(root: &web_sys::Element) {
    let Ok(entered) = root.query_selector_all("[data-entered]") else { return };
    for i in 0..entered.length() {
        let Some(element) = entered.item(i).and_then(|n| n.dyn_into::<web_sys::Element>().ok()) else { continue };
        let (Some(op), Some(to)) = (element.get_attribute("data-op"), element.get_attribute("data-place")) else { continue };
        let Some((_, column)) = CAME_FROM.iter().find(|(place, _)| *place == to) else { continue };
        let source = if to == "stream" {
            root.query_selector(".column-tasks .task-box.changed")
        } else {
            root.query_selector(&format!("{column} [data-op='{op}']"))
        };
        let Some(source) = source.ok().flatten().or_else(|| root.query_selector(&format!("{column} .ghost")).ok().flatten()) else {
            continue;
        };
        let (from, to) = (source.get_bounding_client_rect(), element.get_bounding_client_rect());
        let (dx, dy) = (from.left() - to.left(), from.top() - to.top());
        animate(&element, &format!("translate({dx}px,{dy}px)"));
    }
}

/// `element.animate`, where the browser has it.
fn animate(element: &web_sys::Element, transform: &str) {
    let keyframe = |transform: &str, opacity: f64| {
        let frame = js_sys::Object::new();
        // Setting a property of a plain object cannot fail.
        let _ = js_sys::Reflect::set(&frame, &"transform".into(), &transform.into());
        let _ = js_sys::Reflect::set(&frame, &"opacity".into(), &opacity.into());
        frame
    };
    let options = js_sys::Object::new();
    let _ = js_sys::Reflect::set(&options, &"duration".into(), &MOVE_MS.into());
    let _ = js_sys::Reflect::set(&options, &"easing".into(), &"cubic-bezier(.2,.7,.2,1)".into());
    let frames = js_sys::Array::of2(&keyframe(transform, 0.55), &keyframe("none", 1.0));
    let function = js_sys::Reflect::get(element, &"animate".into()).ok().and_then(|f| f.dyn_into::<js_sys::Function>().ok());
    if let Some(function) = function {
        // Without it the move is simply not animated.
        let _: Result<JsValue, JsValue> = function.call2(element, &frames, &options);
    }
}
