//! What decides which process is next: the runlist as a ring, or the deadline scheduler's queues.
//!
//! Invariants: what is drawn is the view model; the ring is a list in the order of its entries, so that it reads the same without being
//! seen. Source: [EDF] Fig. 1.

use leptos::prelude::*;

use super::super::term::TermLink;
use super::super::text::safe;
use super::parts::{Bar, COMPLETED, marked, more};
use blockstep_sim::units::Time;
use blockstep_view::labels::LabelTerm;
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::queues::{DeadlinesView, EntryView, Gauge, JobList, JobView, OrderView, RunlistView, SchedulerView};

/// A ring of more marks than that stands for a longer list.
const MAX_MARKS: u64 = 72;

#[component]
pub(super) fn Scheduler(
    /// Who may execute, and who is next.
    view: Memo<Option<SchedulerView>>,
) -> impl IntoView {
    move || {
        let view = view.get()?;
        let (name, (term, title)) = match &view.order {
            OrderView::Runlist(_) => ("runlist", (LabelTerm::Runlist, "Runlist")),
            OrderView::Deadlines(_) => ("edf", (LabelTerm::Edf, "Deadline scheduler")),
        };
        let pointer = match &view.order {
            OrderView::Runlist(list) => Some(view! { <p class="quiet">{safe(&list.pointer_text())}</p> }),
            OrderView::Deadlines(_) => None,
        };
        let order = match &view.order {
            OrderView::Runlist(list) => runlist(list),
            OrderView::Deadlines(queues) => deadlines(queues),
        };
        Some(view! {
            <div class=marked("scheduler", view.changed) data-scheduler=name>
                <div class="scheduler-head">
                    <h3>
                        <TermLink term=term text=title />
                    </h3>
                    <p>{safe(&view.status)}</p>
                    {view.timeslice.map(|left| time_left("timeslice", left, None))}
                    {pointer}
                </div>
                {order}
            </div>
        })
    }
}

pub(super) fn time_left(name: &'static str, left: Gauge, deadline: Option<Time>) -> impl IntoView {
    let (strong, plain) = left.time_left(name);
    let plain = match deadline {
        Some(at) => format!("{plain}, d {}", format_time(at.ns())),
        None => plain,
    };
    view! { <Bar name=name title=String::new() filled=left strong=strong plain=plain /> }
}

pub(super) fn runlist(list: &RunlistView) -> AnyView {
    let is_whole = list.entries.len() as u64 == list.len;
    let marks = list.len.min(MAX_MARKS);
    let turn = |entry: u64| format!("--i:{}", u128::from(entry) * u128::from(marks) / u128::from(list.len));
    let size = format!("--n:{marks}");
    if is_whole {
        let entries = list.entries.iter().map(|e| entry(e, turn(e.entry))).collect_view();
        return view! {
            <ol class="ring" style=size aria-label="Runlist">
                {entries}
                <li class="pointer" style=turn(list.pointer) aria-hidden="true"></li>
            </ol>
        }
        .into_any();
    }
    let mark = |class: &'static str, style: String| view! { <i class=(!class.is_empty()).then_some(class) style=style></i> };
    let all = (0..marks).map(|i| mark("", format!("--i:{i}"))).collect_view();
    let entries = list.entries.iter().map(|e| entry(e, String::new())).collect_view();
    view! {
        <div class="ring marks" style=size>
            {all}
            {list.serving.map(|served| mark("served", turn(served)))}
            <i class="pointer" style=turn(list.pointer) aria-hidden="true"></i>
        </div>
        <ol class="queue-items" aria-label="Runlist, near the pointer">{entries}</ol>
    }
    .into_any()
}

fn entry(entry: &EntryView, style: String) -> impl IntoView + use<> {
    let flag = |is_so: bool, word: &'static str| if is_so { word } else { "" };
    let class = format!(
        "entry{}{}{}{}",
        flag(entry.has_work, " work"),
        flag(entry.is_served, " served"),
        flag(entry.is_next, " next"),
        flag(entry.changed, " changed")
    );
    let said = safe(&entry.title());
    view! {
        <li
            class=class
            style=style
            title=said.clone()
            aria-label=said
            data-runlist-entry=entry.entry
            data-process=safe(&entry.process)
            data-served=entry.is_served.then_some("1")
            data-pointer=entry.is_next.then_some("1")
        >
            <b>{safe(&entry.process)}</b>
            <small>{entry.detail()}</small>
        </li>
    }
}

pub(super) fn deadlines(queues: &DeadlinesView) -> AnyView {
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

fn jobs(title: &'static str, name: &'static str, list: &JobList) -> impl IntoView + use<> {
    let left = list.left.as_deref().map(|name| view! { <li class="item ghost" title=COMPLETED>{safe(name)}</li> });
    let empty = (list.jobs.is_empty() && list.left.is_none()).then(|| view! { <li class="queue-empty">"empty"</li> });
    view! {
        <div class="queue" data-jobs=name>
            <div class="queue-name">{title}</div>
            <ol>{left} {list.jobs.iter().map(job).collect_view()} {empty}</ol>
            {more(list.hidden, |count| format!("and {} more jobs", format_count(count)))}
        </div>
    }
}

fn job(job: &JobView) -> impl IntoView + use<> {
    let deadline = job.deadline.map(|at| at.ns().to_string());
    let class = if job.chosen { "job chosen" } else { "job" };
    let when = match job.deadline {
        Some(at) => view! { <b>{format_time(at.ns())}</b> <span class="quiet">{format!(" {}", job.distance)}</span> }.into_any(),
        None if job.why.is_empty() => format!("priority {}", job.priority).into_any(),
        None => safe(&job.why).into_any(),
    };
    let inherited = job.inherited_from.as_deref().filter(|from| !from.is_empty()).map(|from| {
        view! { " " <span class="priority">{format!("inherited from {}", safe(from))}</span> }
    });
    let missed = job.missed.then(|| view! { " " <span class="priority priority-high" data-missed="1">"missed"</span> });
    let budget = job.server.map(|(budget, deadline)| time_left("budget", budget, Some(deadline)));
    view! {
        <li
            class=marked(class, job.changed)
            data-job=safe(&job.label)
            data-deadline=deadline
            data-inherited=job.inherited_from.as_deref().map(safe)
            data-chosen=job.chosen.then_some("1")
        >
            <div>
                <b>{safe(&job.label)}</b> " "
                <span class="quiet">{safe(&job.aside())}</span>
            </div>
            <div>{when} {inherited} {missed}</div>
            {budget}
        </li>
    }
}
