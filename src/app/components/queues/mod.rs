//! The queue diagram, as [TX2] Fig. 4: CPU tasks, stream queues, EE and CE queues, SMs, copy engines.
//!
//! Depends on `view::queues`. Invariant: what is drawn is the view model, box by box; a box that the last step changed is
//! marked.

mod device;
mod scheduler;

use leptos::prelude::*;

use super::safe;
use crate::scenario::{Choice, StreamPriority};
use crate::units::{OpId, RowId};
use crate::view::palette;
use crate::view::quantity::format_count;
use crate::view::queues::{Item, Presence, QueueView, SpaceView, StreamView, TaskBox};

/// What decides how an operation looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether the ground is dark.
    pub(crate) is_dark: bool,
    /// The row selected.
    pub(crate) selected: Option<RowId>,
}

/// How operations look, and what a click on one does.
#[derive(Clone, Copy)]
struct Style {
    look: Look,
    on_select: Callback<OpId>,
}

impl Style {
    /// A row's colours, as custom properties of the style sheet.
    fn colours(self, row: RowId) -> String {
        let colour = palette::colour_of(row, self.look.is_dark);
        format!("--k:{};--kt:{}", colour.css(), palette::text_on(colour).css())
    }

    /// The class name that tells how a row stands beside the selection.
    fn class(self, row: RowId) -> &'static str {
        match self.look.selected {
            Some(selected) if selected == row => " is-selected",
            Some(_) => " is-dimmed",
            None => "",
        }
    }
}

/// The whole diagram.
#[component]
pub(crate) fn QueueDiagram(
    /// Who stands where.
    #[prop(into)]
    view: Signal<QueueView>,
    /// How operations look.
    #[prop(into)]
    look: Signal<Look>,
    /// Told of the operation that the reader clicked on.
    #[prop(into)]
    on_select: Callback<OpId>,
) -> impl IntoView {
    move || view.with(|view| diagram(view, Style { look: look.get(), on_select }))
}

fn diagram(view: &QueueView, style: Style) -> AnyView {
    let with_process = view.tasks.windows(2).any(|pair| pair[0].process_id != pair[1].process_id);
    let is_one_of_many = view.spaces.len() > 1;
    let open = view.spaces.iter().filter(|space| !space.is_folded);
    let folded: Vec<String> = view.spaces.iter().filter(|space| space.is_folded).map(|space| safe(&space.name)).collect();
    let folded =
        (!folded.is_empty()).then(|| view! { <p class="more quiet">{format!("Not resident, nothing queued: {}", folded.join(", "))}</p> });
    view! {
        {view.scheduler.as_ref().map(scheduler::scheduler)}
        <div class="stage-column column-tasks">
            <h3>"CPU tasks"</h3>
            <ul class="queue-list">{view.tasks.iter().map(|of| task(of, with_process)).collect_view()}</ul>
            {more(view.hidden_tasks, "tasks")}
        </div>
        <div class="spaces">
            {open.map(|of| space(style, of, is_one_of_many)).collect_view()}
            {folded}
            {more(view.hidden_spaces, "processes")}
        </div>
    }
    .into_any()
}

/// A class name, marked if the last step changed what it is the class of.
fn marked(class: &str, changed: bool) -> String {
    if changed { format!("{class} changed") } else { class.to_owned() }
}

/// How many are not shown.
fn more(hidden: usize, what: &str) -> AnyView {
    (hidden > 0).then(|| view! { <p class="more quiet">{format!("and {} more {what}", format_count(hidden as u64))}</p> }).into_any()
}

/// A CPU task, with its process where there are several.
fn task(task: &TaskBox, with_process: bool) -> AnyView {
    let jobs = match (task.released, task.open) {
        (0, _) => "not released yet".to_owned(),
        (1, 0) => "job complete".to_owned(),
        (1, _) => "job released".to_owned(),
        (released, open) => format!("{} jobs released, {} open", format_count(released.into()), format_count(open as u64)),
    };
    let process = with_process.then(|| view! { <span class="quiet">"process " {safe(&task.process)}</span> });
    view! {
        <li class=marked("task-box", task.changed)>
            <b>{safe(&task.name)}</b>
            {process}
            <span class="quiet">{jobs}</span>
        </li>
    }
    .into_any()
}

fn space(style: Style, space: &SpaceView, is_one_of_many: bool) -> AnyView {
    let class = marked(if is_one_of_many { "space boxed" } else { "space" }, is_one_of_many && space.changed);
    let name = is_one_of_many.then(|| {
        let residency = space.residency.map(Presence::words);
        view! { <h3 class="space-name">{safe(&space.name)} " " <span class="quiet">{residency}</span></h3> }
    });
    let waiting = |(class, queue): (&'static str, &crate::view::queues::QueueBox)| {
        let contents = Contents { items: &queue.items, hidden: queue.hidden, left: queue.left.as_deref(), empty: "empty" };
        self::queue(style, class, &queue.label, StreamPriority::None, queue.changed, &contents)
    };
    let queues = space.ee.iter().map(|q| ("ee", q)).chain(space.ce.iter().map(|q| ("ce", q)));
    view! {
        <div class=class>
            {name}
            <div class="stage-column column-streams">
                <h3>"Stream queues"</h3>
                {space.streams.iter().map(|of| stream(style, of)).collect_view()}
                {more(space.hidden_streams, "streams")}
            </div>
            <div class="stage-column column-queues">
                <h3>"EE and CE queues"</h3>
                {queues.map(waiting).collect_view()}
            </div>
            {device::device(style, space)}
        </div>
    }
    .into_any()
}

fn stream(style: Style, stream: &StreamView) -> AnyView {
    let name = format!("Stream {}", stream.label);
    let contents = Contents { items: &stream.items, hidden: stream.hidden, left: stream.left.as_deref(), empty: "empty" };
    queue(style, "stream", &name, stream.priority, stream.changed, &contents)
}

/// What stands in a queue or on an engine.
struct Contents<'a> {
    items: &'a [Item],
    hidden: usize,
    /// What the last step took out of it.
    left: Option<&'a str>,
    /// What to say of nothing.
    empty: &'static str,
}

fn queue(style: Style, class: &'static str, name: &str, priority: StreamPriority, changed: bool, contents: &Contents<'_>) -> AnyView {
    let name = safe(name);
    let priority = (priority != StreamPriority::None).then(|| {
        let word = priority.word();
        view! { <span class=format!("priority priority-{word}")>{word}</span> }
    });
    let is_empty = contents.items.is_empty() && contents.left.is_none();
    let empty = is_empty.then(|| view! { <li class="queue-empty">{contents.empty}</li> });
    let hidden = contents.hidden as u64;
    let hidden = (hidden > 0).then(|| view! { <li class="quiet">{format!("+{}", format_count(hidden))}</li> });
    let ghost = contents.left.map(|left| view! { <li class="item ghost" title="Left by this step">{safe(left)}</li> });
    view! {
        <div class=marked(&format!("queue queue-{class}"), changed) data-queue=name.clone()>
            <div class="queue-name"><span>{name.clone()}</span>{priority}</div>
            <ol class="queue-items">
                {ghost}
                {contents.items.iter().map(|of| item(style, of, class)).collect_view()}
                {empty}
                {hidden}
            </ol>
        </div>
    }
    .into_any()
}

fn item(style: Style, item: &Item, place: &'static str) -> AnyView {
    let flag = |is_so: bool, class: &'static str| if is_so { class } else { "" };
    let class = format!(
        "item{}{}{}{}",
        flag(item.dispatched, " dispatched"),
        flag(item.fully_dispatched, " fully"),
        flag(item.changed, " changed"),
        style.class(item.row)
    );
    let (assigned, blocks) = (format_count(item.assigned), format_count(item.blocks));
    let label = safe(&item.label);
    let title = match (item.blocks > 1, item.dispatched) {
        (true, _) => format!("{label}: {assigned} of {blocks} blocks assigned, {} complete", format_count(item.completed)),
        (false, true) => format!("{label}: dispatched, not complete"),
        (false, false) => format!("{label}: waiting"),
    };
    let progress = (item.blocks > 1).then(|| view! { <span class="item-progress">{format!("{assigned}/{blocks}")}</span> });
    let (op, on_select) = (item.op, style.on_select);
    view! {
        <li
            class=class
            style=style.colours(item.row)
            title=title
            data-item=label.clone()
            data-operation=op.0
            data-place=place
            data-entered=item.entered.then_some("1")
            on:click=move |_| on_select.run(op)
        >
            <b>{label.clone()}</b>
            {progress}
        </li>
    }
    .into_any()
}
