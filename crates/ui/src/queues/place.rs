//! What both diagrams are put together of: queues with their operations, SMs with their blocks.
//!
//! Invariant: a click on an operation, wherever it stands, is told to whoever shows the diagram.

use leptos::prelude::*;

use super::super::text::safe;
use super::parts::{Bar, COMPLETED, keyed_entry, marked};
use blockstep_sim::scenario::{Choice, StreamPriority};
use blockstep_sim::units::{OpId, RowId, StreamId};
use blockstep_view::palette;
use blockstep_view::quantity::format_count;
use blockstep_view::queues::{BlockGroup, EngineView, QueueBox, QueuedOp, SmView, StreamView};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiagramOptions {
    pub is_dark: bool,
    pub selected: Option<RowId>,
}

/// What every part of a diagram knows.
#[derive(Clone, Copy)]
pub(super) struct Diagram {
    pub(super) look: Signal<DiagramOptions>,
    pub(super) on_select: Callback<OpId>,
}

#[derive(Clone, PartialEq)]
pub(super) struct Contents {
    name: String,
    stream: Option<StreamId>,
    priority: &'static str,
    /// What else there is to know of a stream.
    traits: Vec<String>,
    changed: bool,
    items: Vec<QueuedOp>,
    hidden: usize,
    /// What the last step took out of it.
    left: Option<String>,
    /// What to say of nothing.
    empty: &'static str,
}

impl Contents {
    pub(super) fn of_stream(stream: &StreamView) -> Self {
        Self {
            name: format!("Stream {}", stream.label),
            stream: Some(stream.stream),
            priority: if stream.priority == StreamPriority::None { "" } else { stream.priority.word() },
            traits: stream.traits.clone(),
            changed: stream.changed,
            items: stream.items.clone(),
            hidden: stream.hidden,
            left: stream.left.clone(),
            empty: "empty",
        }
    }

    pub(super) fn of_queue(queue: &QueueBox) -> Self {
        Self {
            name: queue.label.clone(),
            stream: None,
            priority: "",
            traits: Vec::new(),
            changed: queue.changed,
            items: queue.items.clone(),
            hidden: queue.hidden,
            left: queue.left.clone(),
            empty: "empty",
        }
    }

    pub(super) fn of_engine(engine: &EngineView) -> Self {
        Self {
            name: engine.label.clone(),
            stream: None,
            priority: "",
            traits: Vec::new(),
            changed: engine.changed,
            items: engine.item.iter().cloned().collect(),
            hidden: 0,
            left: engine.left.clone(),
            empty: "idle",
        }
    }
}

#[component]
pub(super) fn Queue(
    diagram: Diagram,
    /// What kind of place it is: `stream`, `ee`, `ce`, `engine`.
    place: &'static str,
    contents: Memo<Contents>,
) -> impl IntoView {
    let name = Memo::new(move |_| contents.with(|c| safe(&c.name)));
    let items = Memo::new(move |_| contents.with(|c| c.items.clone()));
    let left = Memo::new(move |_| contents.with(|c| c.left.clone()));
    let rest = Memo::new(move |_| contents.with(|c| (c.hidden, (c.items.is_empty() && c.left.is_none()).then_some(c.empty))));
    let priority = Memo::new(move |_| contents.with(|c| c.priority));
    let item = move |first: QueuedOp| {
        let op = first.op;
        view! { <QueueItem diagram=diagram item=keyed_entry(items, first, move |i: &QueuedOp| i.op == op) place=place queue=name /> }
    };
    let ghost = move || left.get().map(|name| view! { <li class="item ghost" title="Removed by this step">{safe(&name)}</li> });
    let end = move || {
        let (hidden, empty) = rest.get();
        view! {
            {empty.map(|empty| view! { <li class="queue-empty">{empty}</li> })}
            {(hidden > 0).then(|| view! { <li class="quiet">{format!("+{}", format_count(hidden as u64))}</li> })}
        }
    };
    let traits = Memo::new(move |_| contents.with(|c| c.traits.clone()));
    let traits = move || traits.get().into_iter().map(|text| view! { <span class="quiet">{text}</span> }).collect_view();
    let priority = move || {
        let priority = priority.get();
        (!priority.is_empty()).then(|| view! { <span class=format!("priority priority-{priority}")>{priority}</span> })
    };
    view! {
        <div
            class=move || marked(&format!("queue queue-{place}"), contents.with(|c| c.changed))
            data-queue=move || name.get()
            data-stream=contents.with_untracked(|c| c.stream.map(|stream| stream.0))
        >
            <div class="queue-name">
                <span>{move || name.get()}</span>
                {priority}
                {traits}
            </div>
            <ol class="queue-items" aria-label=move || name.get()>
                {ghost} <For each=move || items.get() key=|item| item.op children=item /> {end}
            </ol>
        </div>
    }
}

#[component]
pub(super) fn QueueItem(diagram: Diagram, item: Memo<QueuedOp>, place: &'static str, queue: Memo<String>) -> impl IntoView {
    let (op, row) = item.with_untracked(|item| (item.op, item.row));
    let class = move || {
        item.with(|item| {
            let flag = |is_so: bool, word: &'static str| if is_so { word } else { "" };
            format!(
                "item{}{}{}{}",
                flag(item.dispatched, " dispatched"),
                flag(item.fully_dispatched, " fully"),
                flag(item.changed, " changed"),
                diagram.beside_selection(row)
            )
        })
    };
    let progress = move || item.with(QueuedOp::progress).map(|text| view! { <span class="item-progress">{text}</span> });
    view! {
        <li
            class=class
            style=move || diagram.colours(row)
            title=move || item.with(|item| safe(&item.title()))
            data-item=move || item.with(|item| safe(&item.label))
            data-op=op.0
            data-place=place
            data-entered=move || item.with(|item| item.entered).then_some("1")
            on:click=move |_| diagram.on_select.run(op)
        >
            <b role="button" tabindex="-1" aria-label=move || queue.with(|queue| item.with(|item| safe(&item.title_in(queue))))>
                {move || item.with(|item| safe(&item.label))}
            </b>
            {progress}
        </li>
    }
}

/// An SM: its blocks as wide as their threads, and what is free.
#[component]
pub(super) fn Sm(
    diagram: Diagram,
    sm: Memo<SmView>,
    /// How many of its gauges there is room for, threads first.
    gauges: usize,
) -> impl IntoView {
    let number = sm.with_untracked(|sm| sm.sm.0);
    let blocks = Memo::new(move |_| sm.with(|sm| sm.blocks.clone()));
    let left = Memo::new(move |_| sm.with(|sm| sm.left.clone()));
    let free = Memo::new(move |_| sm.with(|sm| sm.threads.free));
    let all_gauges = Memo::new(move |_| sm.with(SmView::gauges));
    let ghost = move || left.get().map(|name| view! { <span class="item ghost" title=COMPLETED>{safe(&name)}</span> });
    let rest = move || {
        let free = free.get();
        (free > 0).then(|| {
            view! { <span class="free" style=format!("flex-grow:{free}") title=format!("{} threads free", format_count(free))></span> }
        })
    };
    let gauge = move |i: usize| {
        let gauge = Memo::new(move |_| all_gauges.with(|all| all[i].clone()));
        view! {
            <Bar
                name=Signal::derive(move || gauge.get().0)
                title=Signal::derive(move || gauge.get().3)
                filled=Signal::derive(move || gauge.get().1)
                strong=Signal::derive(move || gauge.get().2)
                plain=Signal::derive(move || gauge.get().0.to_owned())
            />
        }
    };
    view! {
        <div class=move || marked("sm", sm.with(|sm| sm.changed)) data-sm=number>
            <div class="sm-name">
                <span>{format!("SM {number}")}</span>
                {ghost}
            </div>
            <div class="sm-blocks">
                <For
                    each=move || blocks.get()
                    key=|group| (group.op, group.label.clone())
                    children=move |first: BlockGroup| {
                        let key = (first.op, first.label.clone());
                        block(diagram, keyed_entry(blocks, first, move |group: &BlockGroup| group.op == key.0 && group.label == key.1), number)
                    }
                />
                {rest}
            </div>
            <div class="gauges">{(0..gauges).map(gauge).collect_view()}</div>
        </div>
    }
}

fn block(diagram: Diagram, group: Memo<BlockGroup>, sm: u16) -> impl IntoView {
    let (op, row) = group.with_untracked(|group| (group.op, group.row));
    let class = move || {
        group.with(|group| {
            let flag = |is_so: bool, word: &'static str| if is_so { word } else { "" };
            let how = if group.suspended { " suspended" } else { flag(group.spins, " spins") };
            format!("item block{}{how}{}", flag(group.changed, " changed"), diagram.beside_selection(row))
        })
    };
    let label = move || group.with(|group| safe(&group.label));
    view! {
        <span
            class=class
            style=move || format!("{};flex-grow:{}", diagram.colours(row), group.with(|group| group.threads))
            title=move || group.with(|group| safe(&group.title()))
            data-block=label
            data-op=op.0
            data-place="sm"
            role="button"
            tabindex="-1"
            aria-label=move || group.with(|group| safe(&group.title_in(sm)))
            data-entered=move || group.with(|group| group.changed).then_some("1")
            on:click=move |_| diagram.on_select.run(op)
        >
            <span class="block-label">{label}</span>
        </span>
    }
}

impl Diagram {
    /// A row's colors, as custom properties of the style sheet.
    fn colours(self, row: RowId) -> String {
        let colour = palette::colour_of(row, self.look.get().is_dark);
        format!("--k:{};--kt:{}", colour.css(), palette::text_on(colour).css())
    }

    /// The class name that tells how a row stands beside the selection.
    fn beside_selection(self, row: RowId) -> &'static str {
        match self.look.get().selected {
            Some(selected) if selected == row => " is-selected",
            Some(_) => " is-dimmed",
            None => "",
        }
    }
}
