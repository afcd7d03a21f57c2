//! What decides which process is next: the runlist as a ring, or the deadline scheduler's queues.
//!
//! Depends on the rest of the diagram. Invariants: what is drawn is the view model; the ring is a list in the order of its
//! entries, so that it reads the same without being seen. Source: [EDF] Fig. 1.

use leptos::prelude::*;

use super::device::bar;
use super::{marked, more, safe};
use crate::scenario::Choice;
use crate::view::quantity::{format_count, format_time};
use crate::view::queues::{DeadlinesView, EntryView, Gauge, JobList, JobView, OrderView, RunlistView, SchedulerView};

/// A ring of more marks than that stands for a longer list.
const MAX_MARKS: u64 = 72;

/// The scheduler's part of the diagram.
pub(super) fn scheduler(view: &SchedulerView) -> AnyView {
    let (name, title) = match &view.order {
        OrderView::Runlist(_) => ("runlist", "Runlist"),
        OrderView::Deadlines(_) => ("edf", "Deadline scheduler"),
    };
    let timeslice = view.timeslice.map(|left| time_left("timeslice", left, ""));
    let (pointer, order) = match &view.order {
        OrderView::Runlist(list) => (Some(pointer(list)), runlist(list)),
        OrderView::Deadlines(queues) => (None, deadlines(queues)),
    };
    view! {
        <div class=marked("scheduler", view.changed) data-scheduler=name>
            <div class="scheduler-head"><h3>{title}</h3><p>{safe(&view.status)}</p>{timeslice}{pointer}</div>
            {order}
        </div>
    }
    .into_any()
}

/// What is left of a timeslice or a budget.
fn time_left(name: &'static str, left: Gauge, more: &str) -> AnyView {
    bar(name, None, left, format_time(left.free), format!("of {} {name}{more}", format_time(left.total)))
}

/// Where the pointer stands, in words.
fn pointer(list: &RunlistView) -> impl IntoView + use<> {
    let process = list.entries.iter().find(|e| e.is_next).map_or("", |e| &e.process);
    let text = format!("Pointer: entry {} of {}, process {process}.", format_count(list.pointer), format_count(list.len));
    view! { <p class="quiet">{safe(&text)}</p> }
}

fn runlist(list: &RunlistView) -> AnyView {
    let is_whole = list.entries.len() as u64 == list.len;
    let marks = list.len.min(MAX_MARKS);
    let turn = |entry: u64| format!("--i:{}", u128::from(entry) * u128::from(marks) / u128::from(list.len));
    let size = format!("--n:{marks}");
    if is_whole {
        let entries = list.entries.iter().map(|e| entry(e, Some(turn(e.entry)))).collect_view();
        return view! {
            <ol class="ring" style=size aria-label="Runlist">
                {entries}
                <li class="pointer" style=turn(list.pointer) aria-hidden="true"></li>
            </ol>
        }
        .into_any();
    }
    let all = (0..marks).map(|i| view! { <i style=format!("--i:{i}")></i> }).collect_view();
    let served = list.serving.map(|served| view! { <i class="served" style=turn(served)></i> });
    view! {
        <div class="ring marks" style=size>
            {all}
            {served}
            <i class="pointer" style=turn(list.pointer) aria-hidden="true"></i>
        </div>
        <ol class="queue-items" aria-label="Runlist, around the pointer">
            {list.entries.iter().map(|e| entry(e, None)).collect_view()}
        </ol>
    }
    .into_any()
}

fn entry(entry: &EntryView, style: Option<String>) -> AnyView {
    let flag = |is_so: bool, word: &'static str| if is_so { word } else { "" };
    let class = format!(
        "entry{}{}{}{}",
        flag(entry.has_work, " work"),
        flag(entry.is_served, " served"),
        flag(entry.is_next, " next"),
        flag(entry.changed, " changed")
    );
    let process = safe(&entry.process);
    let words = format!(
        "entry {}: {process}, {} level, {}, {}{}{}",
        format_count(entry.entry),
        entry.level.word(),
        if entry.has_work { "has work" } else { "no work" },
        entry.residency.words(),
        flag(entry.is_served, ", served"),
        flag(entry.is_next, ", looked at next"),
    );
    let what = if entry.is_served { entry.residency.words() } else { entry.level.word() };
    view! {
        <li
            class=class
            style=style
            title=words.clone()
            aria-label=words
            data-runlist-entry=entry.entry.to_string()
            data-process=process.clone()
            data-served=entry.is_served.then_some("1")
            data-pointer=entry.is_next.then_some("1")
        >
            <b>{process.clone()}</b>
            <small>{format!("{} · {what}", format_count(entry.entry))}</small>
        </li>
    }
    .into_any()
}

fn deadlines(queues: &DeadlinesView) -> AnyView {
    let waiting = (!queues.waiting.jobs.is_empty()).then(|| jobs("Open, not pending", "waiting", &queues.waiting));
    view! {
        <div class="ready-queues">
            {jobs("Ready queue, by deadline", "ready", &queues.ready)}
            {jobs("Best-effort queue, by priority", "best-effort", &queues.best_effort)}
            {waiting}
        </div>
    }
    .into_any()
}

fn jobs(title: &'static str, name: &'static str, list: &JobList) -> AnyView {
    let ghost = list.left.as_deref().map(|left| view! { <li class="item ghost" title="Completed by this step">{safe(left)}</li> });
    let is_empty = list.jobs.is_empty() && list.left.is_none();
    let empty = is_empty.then(|| view! { <li class="queue-empty">"empty"</li> });
    view! {
        <div class="queue" data-jobs=name>
            <div class="queue-name">{title}</div>
            <ol>{ghost}{list.jobs.iter().map(job).collect_view()}{empty}</ol>
            {more(list.hidden, "jobs")}
        </div>
    }
    .into_any()
}

fn job(job: &JobView) -> AnyView {
    let mut aside = if job.process == job.label { String::new() } else { format!(" process {}", job.process) };
    if job.later > 0 {
        aside += &format!(", {} more open", format_count(job.later as u64));
    }
    let order = match job.deadline {
        Some(at) => view! { <b>{format_time(at.ns())}</b><span class="quiet">{format!(" {}", job.distance)}</span> }.into_any(),
        None if job.why.is_empty() => format!("priority {}", job.priority).into_any(),
        None => safe(&job.why).into_any(),
    };
    let inherited = job.inherited_from.as_deref().map(safe);
    let inherits = inherited.clone().map(|from| view! { " " <span class="priority">"inherited from " {from}</span> });
    let missed = job.missed.then(|| view! { " " <span class="priority priority-high" data-missed="1">"missed"</span> });
    let server = job.server.map(|(budget, deadline)| time_left("budget", budget, &format!(", d {}", format_time(deadline.ns()))));
    view! {
        <li
            class=marked(if job.chosen { "job chosen" } else { "job" }, job.changed)
            data-job=safe(&job.label)
            data-deadline=job.deadline.map(|at| at.ns().to_string())
            data-inherited=inherited
            data-chosen=job.chosen.then_some("1")
        >
            <div><b>{safe(&job.label)}</b><span class="quiet">{safe(&aside)}</span></div>
            <div>{order}{inherits}{missed}</div>
            {server}
        </li>
    }
    .into_any()
}
