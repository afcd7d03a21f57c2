//! What decides which process is next: the runlist as a ring, or the deadline scheduler's queues.
//!
//! Depends on `queues`. Invariants: what is drawn is the view model; the ring is a list in the
//! order of its entries, so that it reads the same without being seen. Source: [EDF] Fig. 1.

use super::diagram::{bar, ghost, more};
use super::marked;
use crate::scenario::Choice;
use crate::view::markup::Markup;
use crate::view::quantity::{format_count, format_time};
use crate::view::queues::{DeadlinesView, EntryView, Gauge, JobList, JobView, OrderView, RunlistView, SchedulerView};

/// A ring of more marks than that stands for a longer list.
const MAX_MARKS: u64 = 72;

/// The scheduler's part of the diagram.
pub(super) fn scheduler(html: &mut Markup, view: &SchedulerView) {
    let (name, title) = match &view.order {
        OrderView::Runlist(_) => ("runlist", "Runlist"),
        OrderView::Deadlines(_) => ("edf", "Deadline scheduler"),
    };
    html.open("div", &[("class", &marked("scheduler", view.changed)), ("data-scheduler", name)]);
    html.open("div", &[("class", "scheduler-head")]).leaf("h3", &[], title).leaf("p", &[], &view.status);
    if let Some(left) = view.timeslice {
        time_left(html, "timeslice", left, "");
    }
    if let OrderView::Runlist(list) = &view.order {
        pointer(html, list);
    }
    html.close();
    match &view.order {
        OrderView::Runlist(list) => runlist(html, list),
        OrderView::Deadlines(queues) => deadlines(html, queues),
    }
    html.close();
}

/// What is left of a timeslice or a budget.
fn time_left(html: &mut Markup, name: &str, left: Gauge, more: &str) {
    let text = format!("of {} {name}{more}", format_time(left.total));
    bar(html, name, "", left, (&format_time(left.free), &text));
}

/// Where the pointer stands, in words.
fn pointer(html: &mut Markup, list: &RunlistView) {
    let process = list.entries.iter().find(|e| e.is_next).map_or("", |e| &e.process);
    let text = format!("Pointer: entry {} of {}, process {process}.", format_count(list.pointer), format_count(list.len));
    html.leaf("p", &[("class", "quiet")], &text);
}

fn runlist(html: &mut Markup, list: &RunlistView) {
    let is_whole = list.entries.len() as u64 == list.len;
    let marks = list.len.min(MAX_MARKS);
    let turn = |entry: u64| format!("--i:{}", u128::from(entry) * u128::from(marks) / u128::from(list.len));
    let (tag, class) = if is_whole { ("ol", "ring") } else { ("div", "ring marks") };
    html.open(tag, &[("class", class), ("style", &format!("--n:{marks}")), ("aria-label", if is_whole { "Runlist" } else { "" })]);
    if is_whole {
        list.entries.iter().for_each(|e| entry(html, e, &turn(e.entry)));
    } else {
        (0..marks).for_each(|i| mark(html, "", &format!("--i:{i}")));
        list.serving.iter().for_each(|&served| mark(html, "served", &turn(served)));
    }
    let tag = if is_whole { "li" } else { "i" };
    html.leaf(tag, &[("class", "pointer"), ("style", &turn(list.pointer)), ("aria-hidden", "true")], "").close();
    if !is_whole {
        html.open("ol", &[("class", "queue-items"), ("aria-label", "Runlist, around the pointer")]);
        list.entries.iter().for_each(|e| entry(html, e, ""));
        html.close();
    }
}

fn mark(html: &mut Markup, class: &str, style: &str) {
    html.leaf("i", &[("class", class), ("style", style)], "");
}

fn entry(html: &mut Markup, entry: &EntryView, style: &str) {
    let flag = |is_so: bool, word: &'static str| if is_so { word } else { "" };
    let class = format!(
        "entry{}{}{}{}",
        flag(entry.has_work, " work"),
        flag(entry.is_served, " served"),
        flag(entry.is_next, " next"),
        flag(entry.changed, " changed")
    );
    let number = entry.entry.to_string();
    let said = format!(
        "entry {}: {}, {} level, {}, {}{}{}",
        format_count(entry.entry),
        entry.process,
        entry.level.word(),
        if entry.has_work { "has work" } else { "no work" },
        entry.residency.words(),
        flag(entry.is_served, ", served"),
        flag(entry.is_next, ", looked at next"),
    );
    let attributes = [
        ("class", class.as_str()),
        ("style", style),
        ("title", &said),
        ("aria-label", &said),
        ("data-runlist-entry", &number),
        ("data-process", &entry.process),
        ("data-served", flag(entry.is_served, "1")),
        ("data-pointer", flag(entry.is_next, "1")),
    ];
    html.open("li", &attributes).leaf("b", &[], &entry.process);
    let what = if entry.is_served { entry.residency.words() } else { entry.level.word() };
    html.leaf("small", &[], &format!("{} · {what}", format_count(entry.entry))).close();
}

fn deadlines(html: &mut Markup, queues: &DeadlinesView) {
    html.open("div", &[("class", "ready-queues")]);
    jobs(html, "Ready queue, by deadline", "ready", &queues.ready);
    jobs(html, "Best-effort queue, by priority", "best-effort", &queues.best_effort);
    if !queues.waiting.jobs.is_empty() {
        jobs(html, "Open, not pending", "waiting", &queues.waiting);
    }
    html.close();
}

fn jobs(html: &mut Markup, title: &str, name: &str, list: &JobList) {
    html.open("div", &[("class", "queue"), ("data-jobs", name)]).leaf("div", &[("class", "queue-name")], title).open("ol", &[]);
    ghost(html, "li", list.left.as_deref(), "Completed by this step");
    list.jobs.iter().for_each(|j| job(html, j));
    if list.jobs.is_empty() && list.left.is_none() {
        html.leaf("li", &[("class", "queue-empty")], "empty");
    }
    html.close();
    more(html, list.hidden, "jobs");
    html.close();
}

fn job(html: &mut Markup, job: &JobView) {
    let deadline = job.deadline.map(|at| at.ns().to_string()).unwrap_or_default();
    let inherited = job.inherited_from.as_deref().unwrap_or_default();
    let class = if job.chosen { "job chosen" } else { "job" };
    let attributes = [
        ("class", &*marked(class, job.changed)),
        ("data-job", &job.label),
        ("data-deadline", &deadline),
        ("data-inherited", inherited),
        ("data-chosen", if job.chosen { "1" } else { "" }),
    ];
    html.open("li", &attributes).open("div", &[]).leaf("b", &[], &job.label);
    let mut aside = if job.process == job.label { String::new() } else { format!(" process {}", job.process) };
    if job.later > 0 {
        aside += &format!(", {} more open", format_count(job.later as u64));
    }
    html.leaf("span", &[("class", "quiet")], &aside).close().open("div", &[]);
    match job.deadline {
        Some(at) => {
            html.leaf("b", &[], &format_time(at.ns())).leaf("span", &[("class", "quiet")], &format!(" {}", job.distance));
        }
        None if job.why.is_empty() => {
            html.text(&format!("priority {}", job.priority));
        }
        None => {
            html.text(&job.why);
        }
    }
    if !inherited.is_empty() {
        html.text(" ").leaf("span", &[("class", "priority")], &format!("inherited from {inherited}"));
    }
    if job.missed {
        html.text(" ").leaf("span", &[("class", "priority priority-high"), ("data-missed", "1")], "missed");
    }
    html.close();
    if let Some((budget, deadline)) = job.server {
        time_left(html, "budget", budget, &format!(", d {}", format_time(deadline.ns())));
    }
    html.close();
}
