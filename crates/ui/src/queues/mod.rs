//! The queue diagram, as [TX2] Fig. 4: CPU tasks, stream queues, EE and CE queues, SMs, copy engines.
//!
//! Invariants: what is drawn is the view model, box by box; a box that the last step changed is marked; a box that did not change is
//! left alone.

mod chips;
mod parts;
mod path;
mod place;
mod scheduler;

use leptos::prelude::*;

use super::term::TermLink;
use super::text::safe;
use super::window::{LongList, Shape, Window};
use blockstep_sim::language::s;
use blockstep_sim::units::{OpId, SpaceId};
use blockstep_view::labels::LabelTerm;
use blockstep_view::quantity::format_count;
use blockstep_view::queues::{EngineView, Presence, QueueBox, QueueView, SmView, SpaceView, StreamView, TaskBox};
pub use chips::on_chip_key;
use parts::{keyed_entry, marked, more};
pub use path::PathDiagram;
pub use place::DiagramOptions;
use place::{Contents, Diagram, Queue, Sm};

/// More SMs than that are drawn small.
const MANY_SMS: usize = 8;

/// Of more tasks, streams or SMs than that, those in sight exist.
const WHOLE: usize = 16;

/// Tasks, streams or SMs in their box.
const BOXES: Shape = Shape { whole: WHOLE, items: ":scope > * > *" };

/// What stands in the place of a stream's number where a new stream can be had.
pub const NEW_STREAM: &str = "new";

/// The whole diagram, for an element of the class `diagram-grid`.
#[component]
pub fn QueueDiagram(
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
            <div
                role="listitem"
                class=move || marked("task-box", task.with(|t| t.changed))
                title=move || task.with(|t| format!("{}, process {}: {}", safe(&t.name), safe(&t.process), t.jobs()))
            >
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
            <h3>
                <TermLink term=LabelTerm::Task text="CPU tasks" />
            </h3>
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
        let is_repeated = Signal::derive(move || shown.with(|shown| shown.first() != Some(&id)));
        view! { <Space diagram=diagram space=space is_one_of_many=is_one_of_many is_repeated=is_repeated /> }
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
fn Space(
    diagram: Diagram,
    space: Memo<SpaceView>,
    is_one_of_many: Memo<bool>,
    /// Whether another space has the same headings before it.
    is_repeated: Signal<bool>,
) -> impl IntoView {
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
                <h3>
                    <TermLink term=LabelTerm::Stream text="Stream queues" is_repeated=is_repeated />
                </h3>
                <LongList window=stream_window class="queue-list">
                    <For each=move || stream_window.in_sight(streams) key=|stream| stream.stream children=stream />
                </LongList>
                {move || more(hidden_streams.get(), |count| format!("and {} more stream{}", format_count(count), s(count)))}
                <div class="queue queue-stream new-stream" data-stream=NEW_STREAM aria-hidden="true">"New stream"</div>
            </div>
            <div class="stage-column column-queues">
                <h3>
                    <TermLink term=LabelTerm::EeQueue text="EE" is_repeated=is_repeated />
                    " and "
                    <TermLink term=LabelTerm::CeQueue text="CE queues" is_repeated=is_repeated />
                </h3>
                {queues("ee", |s| &s.ee)}
                {queues("ce", |s| &s.ce)}
            </div>
            <div class="stage-column column-device">
                <h3>
                    "GPU: " <TermLink term=LabelTerm::Sm text="SMs" is_repeated=is_repeated /> " and "
                    <TermLink term=LabelTerm::CopyEngine text="copy engines" is_repeated=is_repeated />
                </h3>
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
