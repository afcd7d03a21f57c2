//! The path of a submission, as [EDF] Fig. 2b: guests with their push buffers, the RunList Manager, the Host and the engines.
//!
//! Invariants: what is drawn is the view model, box by box; it reads the same without being seen, from left to right; an arrow is lit
//! only by the step that is its event.

use leptos::prelude::*;

use super::super::text::safe;
use super::parts::{keyed_entry, marked, more};
use super::place::{Contents, Diagram, DiagramOptions, Queue, QueueItem, Sm};
use super::scheduler::{deadlines, runlist, time_left};

use blockstep_sim::language::s;
use blockstep_sim::units::OpId;
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::queues::{
    BatchView, EngineView, GuestView, OrderView, PathView, PushBuffer, QueuedOp, SignalKind, SmView, SubmittedView, TimerView,
};

/// The whole diagram, for an element of the class `diagram-grid`.
#[component]
pub fn PathDiagram(
    #[prop(into)] view: Signal<Option<PathView>>,
    #[prop(into)] look: Signal<DiagramOptions>,
    /// Told of the operation that the reader clicked on.
    #[prop(into)]
    on_select: Callback<OpId>,
) -> impl IntoView {
    let diagram = Diagram { look, on_select };
    let has_manager = Memo::new(move |_| view.with(|view| view.as_ref().is_some_and(|view| view.timer.is_some())));
    view! {
        <div class="path" data-manager=move || has_manager.get().then_some("1")>
            <Guests diagram=diagram view=view />
            <div class="path-arrows">
                <Signalled view=view kind=SignalKind::A is_back=false />
            </div>
            <Manager view=view />
            <div class="path-arrows">
                <List view=view />
                <Signalled view=view kind=SignalKind::B is_back=true />
            </div>
            <Engines diagram=diagram view=view />
            <Commands view=view />
        </div>
    }
}

/// A part of the view, empty where there is none.
fn part<T>(view: Signal<Option<PathView>>, of: impl Fn(&PathView) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| view.with(|view| view.as_ref().map(&of).unwrap_or_default()))
}

#[component]
fn Guests(diagram: Diagram, view: Signal<Option<PathView>>) -> impl IntoView {
    let guests = part(view, |view| view.guests.clone());
    let hidden = part(view, |view| view.hidden_guests);
    let guest = move |first: GuestView| {
        let name = first.name.clone();
        view! { <Guest diagram=diagram guest=keyed_entry(guests, first, move |guest: &GuestView| guest.name == name) /> }
    };
    view! {
        <section class="stage-column path-guests" aria-label="Guests">
            <h3>"Guests and push buffers"</h3>
            <For each=move || guests.get() key=|guest| guest.name.clone() children=guest />
            {move || more(hidden.get(), |count| format!("and {} more guest{}", format_count(count), s(count)))}
        </section>
    }
}

#[component]
fn Guest(diagram: Diagram, guest: Memo<GuestView>) -> impl IntoView {
    let buffers = Memo::new(move |_| guest.with(|guest| guest.buffers.clone()));
    let hidden = Memo::new(move |_| guest.with(|guest| guest.hidden_buffers));
    let buffer = move |first: PushBuffer| {
        let stream = first.stream;
        view! { <Buffer diagram=diagram buffer=keyed_entry(buffers, first, move |buffer: &PushBuffer| buffer.stream == stream) /> }
    };
    let processes = move || guest.with(|guest| (!guest.processes.is_empty()).then(|| safe(&guest.processes)));
    let pushed = move || guest.with(|guest| guest.pushed.as_deref().map(safe));
    view! {
        <div class=move || marked("path-box", guest.with(|guest| guest.pushed.is_some())) data-guest=guest.with_untracked(|guest| safe(&guest.name))>
            <p class="path-name">
                <b>{move || guest.with(|guest| safe(&guest.name))}</b>
                {move || processes().map(|names| view! { " " <span class="quiet">{names}</span> })}
                {move || pushed().map(|op| view! { " " <span class="path-event">{format!("pushes {op}")}</span> })}
            </p>
            <For each=move || buffers.get() key=|buffer| buffer.stream children=buffer />
            {move || more(hidden.get(), |count| format!("and {} more push buffer{}", format_count(count), s(count)))}
        </div>
    }
}

#[component]
fn Buffer(diagram: Diagram, buffer: Memo<PushBuffer>) -> impl IntoView {
    let name = Memo::new(move |_| buffer.with(|buffer| format!("Push buffer of stream {}", safe(&buffer.label))));
    let batches = Memo::new(move |_| buffer.with(|buffer| buffer.batches.clone()));
    let batch = move |first: BatchView| {
        let key = (first.claimant, first.job);
        let batch = keyed_entry(batches, first, move |batch: &BatchView| (batch.claimant, batch.job) == key);
        view! { <Batch diagram=diagram batch=batch buffer=name /> }
    };
    let rest = move || {
        let (hidden, left, is_empty) = buffer.with(|b| (b.hidden, b.left.clone(), b.batches.is_empty() && b.left.is_none()));
        view! {
            {left.map(|name| view! { <li class="item ghost" title="Removed by this step">{safe(&name)}</li> })}
            {is_empty.then(|| view! { <li class="queue-empty">"empty"</li> })}
            {(hidden > 0).then(|| view! { <li class="quiet">{format!("+{}", format_count(hidden as u64))}</li> })}
        }
    };
    view! {
        <div class=move || marked("queue path-buffer", buffer.with(|buffer| buffer.changed)) data-buffer=move || buffer.with(|b| safe(&b.label))>
            <div class="queue-name" title=move || name.get()>
                <span>{move || buffer.with(|buffer| safe(&buffer.label))}</span>
            </div>
            <ol class="queue-items" aria-label=move || name.get()>
                <For each=move || batches.get() key=|batch| (batch.claimant, batch.job) children=batch />
                {rest}
            </ol>
        </div>
    }
}

#[component]
fn Batch(diagram: Diagram, batch: Memo<BatchView>, buffer: Memo<String>) -> impl IntoView {
    let items = Memo::new(move |_| batch.with(|batch| batch.items.clone()));
    let place = Memo::new(move |_| format!("{}, batch of {}", buffer.get(), batch.with(|batch| safe(&batch.label))));
    let item = move |first: QueuedOp| {
        let op = first.op;
        view! { <QueueItem diagram=diagram item=keyed_entry(items, first, move |i: &QueuedOp| i.op == op) place="push" queue=place /> }
    };
    let hidden = move || {
        let hidden = batch.with(|batch| batch.hidden as u64);
        (hidden > 0).then(|| view! { <li class="quiet">{format!("+{}", format_count(hidden))}</li> })
    };
    let label = move || batch.with(|batch| safe(&batch.label));
    view! {
        <li class="path-batch" title=move || format!("Batch of {}: what this job has issued and not completed", label()) data-batch=label>
            <small>{label}</small>
            <ol class="queue-items">
                <For each=move || items.get() key=|item| item.op children=item />
                {hidden}
            </ol>
        </li>
    }
}

/// The RunList Manager; under `runlist` nobody stands between guests and GPU but the runlist itself.
#[component]
fn Manager(view: Signal<Option<PathView>>) -> impl IntoView {
    let scheduler = Memo::new(move |_| view.with(|view| view.as_ref().map(|view| view.scheduler.clone())));
    let timer = Memo::new(move |_| view.with(|view| view.as_ref().and_then(|view| view.timer.clone())));
    let has_timer = Memo::new(move |_| timer.with(Option::is_some));
    move || {
        let scheduler = scheduler.get()?;
        let (title, order) = match &scheduler.order {
            OrderView::Runlist(list) => ("Runlist, of all channels", runlist(list)),
            OrderView::Deadlines(queues) => ("RunList Manager (RLM)", deadlines(queues)),
        };
        Some(view! {
            <section class="stage-column path-manager" aria-label=title>
                <h3>{title}</h3>
                {order}
                <Show when=move || has_timer.get()>
                    <div class="path-timer">
                        {move || timer.get().map(|timer| timer_of(&timer))} <Signalled view=view kind=SignalKind::C is_back=false />
                    </div>
                </Show>
            </section>
        })
    }
}

fn timer_of(timer: &TimerView) -> impl IntoView + use<> {
    let said = match &timer.running {
        Some((task, _, until)) => format!("Timer: budget of {} until {}", safe(task), format_time(until.ns())),
        None => "Timer: off".to_owned(),
    };
    let left = timer.running.as_ref().map(|&(_, left, _)| time_left("budget", left, None));
    view! {
        <div class="path-clock" title="It measures the time that the chosen task has in the engines, as long as its server pays">
            <span>{said}</span>
            {left}
        </div>
    }
}

/// A signal as an arrow with its letter; lit by the step that is its event.
#[component]
fn Signalled(
    view: Signal<Option<PathView>>,
    kind: SignalKind,
    /// Whether it goes from right to left.
    is_back: bool,
) -> impl IntoView {
    let signal = Memo::new(move |_| {
        let of = |view: &PathView| view.signals.iter().find(|signal| signal.kind == kind).cloned();
        view.with(|view| view.as_ref().and_then(of))
    });
    move || {
        let signal = signal.get()?;
        let event = signal.event.as_deref().map(safe);
        let lasts = signal.lasts.as_ref().map(|time| format!(" Here it takes {time}."));
        let title = format!("{}{}", kind.title(), lasts.unwrap_or_default());
        let under_way = signal.under_way.iter().map(|told| view! { <small class="path-message">{safe(told)}</small> }).collect_view();
        Some(view! { <div>{arrow(kind.letter(), kind.words(), title, event, is_back)} {under_way}</div> })
    }
}

fn arrow(
    name: &'static str,
    words: &'static str,
    title: impl Into<Oco<'static, str>>,
    event: Option<String>,
    is_back: bool,
) -> impl IntoView {
    let (is_lit, title) = (event.is_some(), title.into());
    view! {
        <div class="path-arrow" class:is-lit=is_lit class:is-back=is_back title=title data-arrow=name data-lit=is_lit.then_some("1")>
            <span>
                <b class="path-letter">{name}</b>
                " "
                {words}
                {event.map(|event| view! { ": " <b class="path-event">{event}</b> })}
            </span>
            <i aria-hidden="true"></i>
        </div>
    }
}

/// The runlist on its way to the Host.
#[component]
fn List(view: Signal<Option<PathView>>) -> impl IntoView {
    let list = Memo::new(move |_| view.with(|view| view.as_ref().map(|view| (view.timer.is_some(), view.submitted.clone()))));
    move || {
        let (has_manager, SubmittedView { channels, hidden, event }) = list.get()?;
        if !has_manager {
            return Some(arrow("Host", "polls it, entry by entry", "The Host goes around the runlist by itself", None, true).into_any());
        }
        let said =
            if channels.is_empty() { "empty".to_owned() } else { channels.iter().map(|name| safe(name)).collect::<Vec<_>>().join(", ") };
        let rest = (hidden > 0).then(|| format!(" and {} more", format_count(hidden as u64)));
        Some(
            view! {
                <p class="path-list" title="Channels in the runlist that the Host polls: those of the chosen application, and no others">
                    "Runlist: " <b data-runlist=said.clone()>{said.clone()}</b> {rest}
                </p>
                {arrow("", "submits", "A runlist with the channels of the chosen application alone", event.map(|event| safe(&event)), false)}
            }
            .into_any(),
        )
    }
}

/// The Host, and what executes.
#[component]
fn Engines(diagram: Diagram, view: Signal<Option<PathView>>) -> impl IntoView {
    let host = part(view, |view| view.host.clone());
    let changed = part(view, |view| view.host_changed);
    let executing = part(view, |view| view.executing.clone());
    let sms = part(view, |view| view.sms.clone());
    let hidden = part(view, |view| view.hidden_sms);
    let engines = part(view, |view| view.engines.clone());
    let sm = move |first: SmView| {
        let id = first.sm;
        view! { <Sm diagram=diagram sm=keyed_entry(sms, first, move |sm: &SmView| sm.sm == id) gauges=1 /> }
    };
    let engine = move |first: EngineView| {
        let id = first.engine;
        let engine = keyed_entry(engines, first, move |e: &EngineView| e.engine == id);
        view! { <Queue diagram=diagram place="engine" contents=Memo::new(move |_| engine.with(Contents::of_engine)) /> }
    };
    view! {
        <section class="stage-column path-gpu" aria-label="Host and engines">
            <h3>
                "GPU " <span class="quiet">{move || executing.with(|name| format!("as {} sees it", safe(name)))}</span>
            </h3>
            <p class=move || marked("path-box path-host", changed.get()) title="The Host fetches commands and hands them to the engines" data-host="1">
                <b>"Host"</b>
                " "
                {move || host.with(|host| safe(host))}
            </p>
            <div class="sms">
                <For each=move || sms.get() key=|sm| sm.sm children=sm />
            </div>
            {move || more(hidden.get(), |count| format!("and {} more SM{}", format_count(count), s(count)))}
            <div class="engines">
                <For each=move || engines.get() key=|engine| engine.engine children=engine />
            </div>
        </section>
    }
}

/// The way of the commands themselves, past the scheduler.
#[component]
fn Commands(view: Signal<Option<PathView>>) -> impl IntoView {
    let fetched = part(view, |view| view.fetched.clone());
    move || {
        let title = "The Host fetches commands straight from the push buffers of the channels in the runlist";
        view! {
            <div class="path-commands">
                {arrow("Commands", "fetched by the Host from the push buffers", title, fetched.get().map(|op| safe(&op)), false)}
            </div>
        }
    }
}
