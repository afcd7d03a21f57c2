//! The queue diagram, as [TX2] Fig. 4: CPU tasks, stream queues, EE and CE queues, SMs, copy
//! engines.
//!
//! Depends on `queues`. Invariant: what is drawn is the view model, box by box; a box that the
//! last step changed is marked.

use super::{Look, marked, scheduler};
use crate::scenario::{Choice, StreamPriority};
use crate::view::markup::Markup;
use crate::view::quantity::{format_bytes, format_count};
use crate::view::queues::{BlockGroup, EngineView, Gauge, Item, Presence, QueueBox, QueueView, SmView, SpaceView, StreamView, TaskBox};

/// More SMs than that are drawn small.
const MANY_SMS: usize = 8;

/// The whole diagram.
#[must_use]
pub fn diagram(view: &QueueView, look: Look) -> String {
    let mut html = Markup::new();
    let html = &mut html;
    view.scheduler.iter().for_each(|s| scheduler::scheduler(html, s));
    column(html, "column-tasks", "CPU tasks");
    html.open("ul", &[("class", "queue-list")]);
    let several = view.tasks.windows(2).any(|pair| pair[0].process_id != pair[1].process_id);
    view.tasks.iter().for_each(|t| task(html, t, several));
    html.close();
    more(html, view.hidden_tasks, "tasks");
    html.close();
    html.open("div", &[("class", "spaces")]);
    view.spaces.iter().filter(|s| !s.is_folded).for_each(|s| space(html, look, s, view.spaces.len() > 1));
    let folded: Vec<&str> = view.spaces.iter().filter(|s| s.is_folded).map(|s| s.name.as_str()).collect();
    if !folded.is_empty() {
        html.leaf("p", &[("class", "more quiet")], &format!("Not resident, nothing queued: {}", folded.join(", ")));
    }
    more(html, view.hidden_spaces, "processes");
    std::mem::take(html).finish()
}

fn column(html: &mut Markup, class: &str, title: &str) {
    html.open("div", &[("class", &format!("stage-column {class}"))]).leaf("h3", &[], title);
}

/// How many are not shown.
pub(super) fn more(html: &mut Markup, hidden: usize, what: &str) {
    if hidden > 0 {
        html.leaf("p", &[("class", "more quiet")], &format!("and {} more {what}", format_count(hidden as u64)));
    }
}

/// A CPU task, with its process where there are several.
fn task(html: &mut Markup, task: &TaskBox, with_process: bool) {
    let jobs = match (task.released, task.open) {
        (0, _) => "not released yet".to_owned(),
        (1, 0) => "job complete".to_owned(),
        (1, _) => "job released".to_owned(),
        (released, open) => format!("{} jobs released, {} open", format_count(released.into()), format_count(open as u64)),
    };
    html.open("li", &[("class", &marked("task-box", task.changed))]);
    html.leaf("b", &[], &task.name);
    if with_process {
        html.leaf("span", &[("class", "quiet")], &format!("process {}", task.process));
    }
    html.leaf("span", &[("class", "quiet")], &jobs).close();
}

fn space(html: &mut Markup, look: Look, space: &SpaceView, is_one_of_many: bool) {
    html.open("div", &[("class", &marked(if is_one_of_many { "space boxed" } else { "space" }, is_one_of_many && space.changed))]);
    if is_one_of_many {
        html.open("h3", &[("class", "space-name")]).text(&space.name).text(" ");
        html.leaf("span", &[("class", "quiet")], space.residency.map_or("", Presence::words)).close();
    }
    column(html, "column-streams", "Stream queues");
    space.streams.iter().for_each(|s| stream(html, look, s));
    more(html, space.hidden_streams, "streams");
    html.close();
    column(html, "column-queues", "EE and CE queues");
    space.ee.iter().for_each(|q| waiting_queue(html, look, q, "ee"));
    space.ce.iter().for_each(|q| waiting_queue(html, look, q, "ce"));
    html.close();
    column(html, "column-device", "GPU");
    html.open("div", &[("class", if space.sms.len() > MANY_SMS { "sms many" } else { "sms" })]);
    space.sms.iter().for_each(|s| sm(html, look, s));
    html.close();
    more(html, space.hidden_sms, "SMs");
    html.open("div", &[("class", "engines")]);
    space.engines.iter().for_each(|e| engine(html, look, e));
    html.close().close().close();
}

fn stream(html: &mut Markup, look: Look, stream: &StreamView) {
    let name = format!("Stream {}", stream.label);
    let priority = if stream.priority == StreamPriority::None { "" } else { stream.priority.word() };
    let contents = Contents { items: &stream.items, hidden: stream.hidden, left: stream.left.as_deref(), empty: "empty" };
    queue(html, look, "stream", &name, priority, stream.changed, &contents);
}

fn waiting_queue(html: &mut Markup, look: Look, q: &QueueBox, class: &str) {
    let contents = Contents { items: &q.items, hidden: q.hidden, left: q.left.as_deref(), empty: "empty" };
    queue(html, look, class, &q.label, "", q.changed, &contents);
}

fn engine(html: &mut Markup, look: Look, engine: &EngineView) {
    let contents = Contents { items: engine.item.as_slice(), hidden: 0, left: engine.left.as_deref(), empty: "idle" };
    queue(html, look, "engine", &engine.label, "", engine.changed, &contents);
}

/// What stands in a queue or on an engine.
struct Contents<'a> {
    items: &'a [Item],
    hidden: usize,
    /// What the last step took out of it.
    left: Option<&'a str>,
    /// What to say of nothing.
    empty: &'a str,
}

fn queue(html: &mut Markup, look: Look, class: &str, name: &str, priority: &str, changed: bool, contents: &Contents<'_>) {
    html.open("div", &[("class", &marked(&format!("queue queue-{class}"), changed)), ("data-queue", name)]);
    html.open("div", &[("class", "queue-name")]).leaf("span", &[], name);
    if !priority.is_empty() {
        html.leaf("span", &[("class", &format!("priority priority-{priority}"))], priority);
    }
    html.close().open("ol", &[("class", "queue-items")]);
    ghost(html, "li", contents.left, "Left by this step");
    contents.items.iter().for_each(|i| item(html, look, i, class));
    if contents.items.is_empty() && contents.left.is_none() {
        html.leaf("li", &[("class", "queue-empty")], contents.empty);
    }
    if contents.hidden > 0 {
        html.leaf("li", &[("class", "quiet")], &format!("+{}", format_count(contents.hidden as u64)));
    }
    html.close().close();
}

/// What the last step took away from here.
pub(super) fn ghost(html: &mut Markup, tag: &'static str, name: Option<&str>, title: &str) {
    if let Some(name) = name {
        html.leaf(tag, &[("class", "item ghost"), ("title", title)], name);
    }
}

fn item(html: &mut Markup, look: Look, item: &Item, place: &str) {
    let class = format!(
        "item{}{}{}{}",
        if item.dispatched { " dispatched" } else { "" },
        if item.fully_dispatched { " fully" } else { "" },
        if item.changed { " changed" } else { "" },
        look.class(item.row)
    );
    let (assigned, blocks) = (format_count(item.assigned), format_count(item.blocks));
    let title = match (item.blocks > 1, item.dispatched) {
        (true, _) => format!("{}: {assigned} of {blocks} blocks assigned, {} complete", item.label, format_count(item.completed)),
        (false, true) => format!("{}: dispatched, not complete", item.label),
        (false, false) => format!("{}: waiting", item.label),
    };
    let attributes = [
        ("class", class.as_str()),
        ("style", &look.style(item.row)),
        ("title", &title),
        ("data-item", &item.label),
        ("data-op", &item.op.0.to_string()),
        ("data-place", place),
        ("data-entered", if item.entered { "1" } else { "" }),
    ];
    html.open("li", &attributes).leaf("b", &[], &item.label);
    if item.blocks > 1 {
        html.leaf("span", &[("class", "item-progress")], &format!("{assigned}/{blocks}"));
    }
    html.close();
}

fn sm(html: &mut Markup, look: Look, sm: &SmView) {
    html.open("div", &[("class", &marked("sm", sm.changed)), ("data-sm", &sm.sm.0.to_string())]);
    html.open("div", &[("class", "sm-name")]).leaf("span", &[], &format!("SM {}", sm.sm.0));
    ghost(html, "span", sm.left.as_deref(), "Completed by this step");
    html.close().open("div", &[("class", "sm-blocks")]);
    sm.blocks.iter().for_each(|b| block(html, look, b));
    if sm.threads.free > 0 {
        let title = format!("{} threads free", format_count(sm.threads.free));
        html.leaf("span", &[("class", "free"), ("style", &format!("flex-grow:{}", sm.threads.free)), ("title", &title)], "");
    }
    html.close().open("div", &[("class", "gauges")]);
    gauge(html, "threads", sm.threads, format_count);
    gauge(html, "shared", sm.shared_memory, format_bytes);
    gauge(html, "regs", sm.registers, format_count);
    gauge(html, "slots", sm.slots, format_count);
    html.close().close();
}

fn gauge(html: &mut Markup, name: &str, gauge: Gauge, format: fn(u64) -> String) {
    let free = format(gauge.free);
    let title = format!("{name}: {free} free of {}", format(gauge.total));
    bar(html, name, &title, gauge, (&free, name));
}

/// A bar of which `filled.free` is filled, with words in strong and plain type below it.
pub(super) fn bar(html: &mut Markup, name: &str, title: &str, filled: Gauge, (strong, plain): (&str, &str)) {
    let percent = u128::from(filled.free) * 100 / u128::from(filled.total.max(1));
    html.open("span", &[("class", "gauge"), ("data-gauge", name), ("title", title)]);
    html.open("span", &[("class", "gauge-bar")]).leaf("span", &[("style", &format!("width:{percent}%"))], "").close();
    html.open("span", &[("class", "gauge-text")]).leaf("b", &[], strong).text(" ").text(plain).close().close();
}

fn block(html: &mut Markup, look: Look, group: &BlockGroup) {
    let class = format!(
        "item block{}{}{}",
        if group.changed { " changed" } else { "" },
        if group.suspended { " suspended" } else { "" },
        look.class(group.row)
    );
    let attributes = [
        ("class", class.as_str()),
        ("style", &format!("{};flex-grow:{}", look.style(group.row), group.threads)),
        ("title", &format!("{}: {} threads", group.label, format_count(group.threads))),
        ("data-block", &group.label),
        ("data-op", &group.op.0.to_string()),
        ("data-place", "sm"),
        ("data-entered", if group.changed { "1" } else { "" }),
    ];
    html.leaf("span", &attributes, &group.label);
}
