//! The queue diagram, as [TX2] Fig. 4: CPU tasks, stream queues, EE and CE queues, SMs, copy engines.
//!
//! Invariants: what is drawn is the view model, box by box; a box that the last step changed is marked; a box that did not change is
//! left alone.

mod chips;
mod parts;
mod path;
mod scheduler;

use leptos::prelude::*;

use super::text::safe;
use super::window::{LongList, Shape, Window};
use blockstep_sim::language::s;
use blockstep_sim::scenario::{Choice, StreamPriority};
use blockstep_sim::units::{OpId, RowId, SpaceId, StreamId};
use blockstep_view::palette;
use blockstep_view::quantity::format_count;
use blockstep_view::queues::{BlockGroup, EngineView, Presence, QueueBox, QueueView, QueuedOp, SmView, SpaceView, StreamView, TaskBox};
pub(crate) use chips::on_chip_key;
use parts::{Bar, COMPLETED, keyed_entry, marked, more};
pub(crate) use path::PathDiagram;

const GPU: &str = "GPU";

/// More SMs than that are drawn small.
const MANY_SMS: usize = 8;

/// Of more tasks, streams or SMs than that, those in sight exist.
const WHOLE: usize = 16;

/// Tasks, streams or SMs in their box.
const BOXES: Shape = Shape { whole: WHOLE, items: ":scope > * > *" };

/// What stands in the place of a stream's number where a new stream can be had.
pub(crate) const NEW_STREAM: &str = "new";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DiagramOptions {
    pub(crate) is_dark: bool,
    pub(crate) selected: Option<RowId>,
}

/// What every part of a diagram knows.
#[derive(Clone, Copy)]
struct Diagram {
    look: Signal<DiagramOptions>,
    on_select: Callback<OpId>,
}

/// The whole diagram, for an element of the class `diagram-grid`.
#[component]
pub(crate) fn QueueDiagram(
    #[prop(into)] view: Signal<QueueView>,
    #[prop(into)] look: Signal<DiagramOptions>,
    /// Told of the operation that the reader clicked on.
    #[prop(into)]
    on_select: Callback<OpId>,
) -> impl IntoView {
    let diagram = Diagram { look, on_select };
    let scheduler = Memo::new(move |_| view.with(|view| view.scheduler.clone()));
    let has_scheduler = Memo::new(move |_| scheduler.with(Option::is_some));
    view! {
        <Show when=move || has_scheduler.get()>
            <scheduler::Scheduler view=scheduler />
        </Show>
        <Tasks view=view />
        <Spaces diagram=diagram view=view />
    }
}

#[component]
fn Tasks(view: Signal<QueueView>) -> impl IntoView {
    let tasks = Memo::new(move |_| view.with(|view| view.tasks.clone()));
    let hidden = Memo::new(move |_| view.with(|view| view.hidden_tasks));
    let several = Memo::new(move |_| tasks.with(|tasks| tasks.windows(2).any(|pair| pair[0].process_id != pair[1].process_id)));
    let task = move |first: TaskBox| {
        let id = first.task;
        let task = keyed_entry(tasks, first, move |task: &TaskBox| task.task == id);
        let process = move || {
            let other = task.with(|t| (t.process != t.name).then(|| safe(&t.process))).filter(|_| several.get());
            other.map(|process| view! { <span class="quiet">{format!("process {process}")}</span> })
        };
        view! {
            <div role="listitem" class=move || marked("task-box", task.with(|t| t.changed))>
                <b>{move || task.with(|t| safe(&t.name))}</b>
                {process}
                <span class="quiet">{move || task.with(TaskBox::jobs)}</span>
            </div>
        }
    };
    let window = Window::new(Memo::new(move |_| tasks.with(Vec::len)), BOXES);
    window.follow(tasks, |task| task.changed);
    view! {
        <div class="stage-column column-tasks">
            <h3>"CPU tasks"</h3>
            <LongList window=window class="queue-list" role="list">
                <For each=move || window.in_sight(tasks) key=|task| task.task children=task />
            </LongList>
            {move || more(hidden.get(), |count| format!("and {} more tasks", format_count(count)))}
        </div>
    }
}

/// Address spaces: one for all processes, or one each.
#[component]
fn Spaces(diagram: Diagram, view: Signal<QueueView>) -> impl IntoView {
    let spaces = Memo::new(move |_| view.with(|view| view.spaces.clone()));
    let shown = Memo::new(move |_| spaces.with(|spaces| spaces.iter().filter(|s| !s.is_folded).map(|s| s.space).collect::<Vec<_>>()));
    let is_one_of_many = Memo::new(move |_| spaces.with(|spaces| spaces.len() > 1));
    let folded = Memo::new(move |_| {
        spaces.with(|spaces| spaces.iter().filter(|s| s.is_folded).map(|s| safe(&s.name)).collect::<Vec<_>>().join(", "))
    });
    let hidden = Memo::new(move |_| view.with(|view| view.hidden_spaces));
    let space = move |id: SpaceId| {
        let first = spaces.with_untracked(|spaces| spaces.iter().find(|s| s.space == id).cloned().unwrap_or_default());
        let space = keyed_entry(spaces, first, move |s: &SpaceView| s.space == id);
        view! { <Space diagram=diagram space=space is_one_of_many=is_one_of_many /> }
    };
    view! {
        <div class="spaces">
            <For each=move || shown.get() key=|space| *space children=space />
            {move || {
                let names = folded.get();
                (!names.is_empty()).then(|| view! { <p class="more quiet">{format!("Not resident, nothing queued: {names}")}</p> })
            }}
            {move || more(hidden.get(), |count| format!("and {} more processes", format_count(count)))}
        </div>
    }
}

#[component]
fn Space(diagram: Diagram, space: Memo<SpaceView>, is_one_of_many: Memo<bool>) -> impl IntoView {
    let class = move || {
        if !is_one_of_many.get() {
            return "space".to_owned();
        }
        // Low windows show the others in a line each.
        space.with(|s| marked(&format!("space boxed {}", if s.is_front { "front" } else { "away" }), s.changed))
    };
    let head = move || {
        is_one_of_many.get().then(|| {
            view! {
                <h3 class="space-name">
                    {move || space.with(|s| safe(&s.name))} " "
                    <span class="quiet">{move || space.with(|s| s.residency.map_or("", Presence::words))}</span>
                </h3>
            }
        })
    };
    let streams = Memo::new(move |_| space.with(|s| s.streams.clone()));
    let stream = move |first: StreamView| {
        let id = first.stream;
        let stream = keyed_entry(streams, first, move |s: &StreamView| s.stream == id);
        let contents = Memo::new(move |_| stream.with(Contents::of_stream));
        view! { <Queue diagram=diagram place="stream" contents=contents /> }
    };
    let queues = move |place: &'static str, list: fn(&SpaceView) -> &Vec<QueueBox>| {
        let queues = Memo::new(move |_| space.with(|s| list(s).clone()));
        let queue = move |first: QueueBox| {
            let label = first.label.clone();
            let queue = keyed_entry(queues, first, move |q: &QueueBox| q.label == label);
            let contents = Memo::new(move |_| queue.with(Contents::of_queue));
            view! { <Queue diagram=diagram place=place contents=contents /> }
        };
        view! { <For each=move || queues.get() key=|queue| queue.label.clone() children=queue /> }
    };
    let sms = Memo::new(move |_| space.with(|s| s.sms.clone()));
    let has_many_sms = Memo::new(move |_| sms.with(|sms| sms.len() > MANY_SMS));
    let sm = move |first: SmView| {
        let id = first.sm;
        let gauges = if has_many_sms.get_untracked() { 1 } else { 4 };
        view! { <Sm diagram=diagram sm=keyed_entry(sms, first, move |sm: &SmView| sm.sm == id) gauges=gauges /> }
    };
    let engines = Memo::new(move |_| space.with(|s| s.engines.clone()));
    let engine = move |first: EngineView| {
        let id = first.engine;
        let engine = keyed_entry(engines, first, move |e: &EngineView| e.engine == id);
        let contents = Memo::new(move |_| engine.with(Contents::of_engine));
        view! { <Queue diagram=diagram place="engine" contents=contents /> }
    };
    let (hidden_streams, hidden_sms) =
        (Memo::new(move |_| space.with(|s| s.hidden_streams)), Memo::new(move |_| space.with(|s| s.hidden_sms)));
    let stream_window = Window::new(Memo::new(move |_| streams.with(Vec::len)), BOXES);
    stream_window.follow(streams, |stream| stream.changed);
    let sm_window = Window::new(Memo::new(move |_| sms.with(Vec::len)), BOXES);
    sm_window.follow(sms, |sm| sm.changed);
    view! {
        <div class=class>
            {head}
            <div class="stage-column column-streams">
                <h3>"Stream queues"</h3>
                <LongList window=stream_window class="queue-list">
                    <For each=move || stream_window.in_sight(streams) key=|stream| stream.stream children=stream />
                </LongList>
                {move || more(hidden_streams.get(), |count| format!("and {} more stream{}", format_count(count), s(count)))}
                <div class="queue queue-stream new-stream" data-stream=NEW_STREAM aria-hidden="true">"New stream"</div>
            </div>
            <div class="stage-column column-queues">
                <h3>"EE and CE queues"</h3>
                {queues("ee", |s| &s.ee)}
                {queues("ce", |s| &s.ce)}
            </div>
            <div class="stage-column column-device">
                <h3>{GPU}</h3>
                <Show when=move || has_many_sms.get()>
                    <Heat sms=sms words=Memo::new(move |_| space.with(|s| s.sms_in_words.clone())) />
                </Show>
                <LongList window=sm_window class=Signal::derive(move || if has_many_sms.get() { "sms many" } else { "sms" })>
                    <For each=move || sm_window.in_sight(sms) key=move |sm| (sm.sm, has_many_sms.get_untracked()) children=sm />
                </LongList>
                {move || more(hidden_sms.get(), |count| format!("and {} more SM{}", format_count(count), s(count)))}
                <div class="engines">
                    <For each=move || engines.get() key=|engine| engine.engine children=engine />
                </div>
            </div>
        </div>
    }
}

/// Many SMs at a glance: one cell each, the stronger the more threads are in use.
#[component]
fn Heat(sms: Memo<Vec<SmView>>, words: Memo<String>) -> impl IntoView {
    let style = move || {
        let stop = |(i, share): (usize, u64)| {
            format!(
                "color-mix(in srgb,var(--accent) {share}%,var(--panel)) 0 {}%",
                100.0 * (i + 1) as f64 / sms.with(Vec::len).max(1) as f64
            )
        };
        let stops = sms.with(|sms| sms.iter().map(SmView::percent_in_use).enumerate().map(stop).collect::<Vec<_>>());
        format!("background:linear-gradient(90deg,{})", stops.join(","))
    };
    view! {
        <div class="heat" role="img" aria-label=move || words.get() style=style></div>
        <p class="quiet heat-words">{move || words.get()}</p>
    }
}

#[derive(Clone, PartialEq)]
struct Contents {
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
    fn of_stream(stream: &StreamView) -> Self {
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

    fn of_queue(queue: &QueueBox) -> Self {
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

    fn of_engine(engine: &EngineView) -> Self {
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
fn Queue(
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
fn QueueItem(diagram: Diagram, item: Memo<QueuedOp>, place: &'static str, queue: Memo<String>) -> impl IntoView {
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
fn Sm(
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
            format!("item block{}{}{}", flag(group.changed, " changed"), flag(group.suspended, " suspended"), diagram.beside_selection(row))
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
    /// A row's colours, as custom properties of the style sheet.
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
