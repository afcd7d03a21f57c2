//! The table of tasks: jobs, response times, misses, preemptions.
//!
//! Depends on the rest of the panel. Invariant: every greatest response time and every miss that is
//! listed says which job it is of and leads to it.

use super::{MAX_MISSES, MAX_TASKS, Subject, close_table, count_cell, jump, more, note, open_details, open_section, open_table, time_cell};
use crate::scenario::Task;
use crate::units::TaskId;
use crate::view::markup::Markup;
use crate::view::quantity::{format_count, format_time};
use crate::view::results::unit::TimeUnit;
use crate::view::results::{TaskResult, response};

pub(super) fn section(html: &mut Markup, subject: &Subject<'_>) {
    let (tasks, scenario) = (&subject.results.tasks, subject.trace.scenario());
    let greatest = tasks.iter().filter_map(|task| task.responses.last()).max().map_or(0, |r| r.ns());
    let unit = TimeUnit::for_greatest(greatest.into());
    open_section(html, "tasks", "Tasks");
    let times = ["greatest response", "mean", "least"].map(|what| format!("#{what} ({})", unit.name));
    let head =
        ["Task", "Process", &times[0], "in", &times[1], &times[2], "Deadline misses", "#Preemptions", "#Jobs released", "#completed"];
    open_table(html, "Tasks and their response times", &head);
    for (i, task) in tasks.iter().enumerate().take(MAX_TASKS) {
        let owner = scenario.task(TaskId::at(i));
        html.open("tr", &[("data-task", &i.to_string())]).leaf("th", &[("scope", "row")], &owner.name);
        html.leaf("td", &[], &scenario.processes()[owner.process.index()].name);
        time_cell(html, unit, task.responses.last().map(|r| r.ns().into()));
        html.open("td", &[]);
        if let Some(job) = task.slowest.map(|slowest| &subject.records.jobs[slowest as usize]) {
            let title = format!("Go to its release at {}", format_time(job.release.ns()));
            jump(html, job.release.ns(), (job.job.0, &owner.name), &title);
        }
        html.close();
        time_cell(html, unit, task.mean().map(|r| r.ns().into()));
        time_cell(html, unit, task.responses.first().map(|r| r.ns().into()));
        misses(html, subject, task, owner);
        count_cell(html, task.preemptions);
        count_cell(html, task.released);
        count_cell(html, task.completed);
        html.close();
    }
    close_table(html);
    more(html, tasks.len(), MAX_TASKS);
    note(
        html,
        "A response time is from a job's release to its completion. A task is preempted when its process stops being resident \
         while a kernel or copy of the task has begun and is not complete.",
    );
    html.close();
}

/// How many of the jobs judged missed their deadline, and which.
fn misses(html: &mut Markup, subject: &Subject<'_>, task: &TaskResult, owner: &Task) {
    let missed = task.missed.len();
    let sort = missed.to_string();
    if missed == 0 {
        let text = match (owner.deadline.is_some(), task.judged) {
            (false, _) => "no deadline".to_owned(),
            (true, 0) => "none due yet".to_owned(),
            (true, judged) => format!("none of {}", format_count(judged)),
        };
        html.leaf("td", &[("class", "quiet"), ("data-value", &sort)], &text);
        return;
    }
    html.open("td", &[("class", "res-missed"), ("data-value", &sort)]);
    open_details(html, &format!("{} of {} missed", format_count(missed as u64), format_count(task.judged)));
    html.open("ul", &[]);
    for &index in task.missed.iter().take(MAX_MISSES) {
        let job = &subject.records.jobs[index as usize];
        let deadline = job.deadline.unwrap_or(job.release);
        html.open("li", &[]);
        jump(html, deadline.ns(), (job.job.0, &owner.name), &format!("Go to its deadline at {}", format_time(deadline.ns())));
        let late = match (job.end, response(job)) {
            (Some(end), Some(time)) => {
                format!(" {} late, after {}", format_time(end.since(deadline).ns()), format_time(time.ns()))
            }
            _ => " not complete at the end of the run".to_owned(),
        };
        html.text(&late).close();
    }
    html.close();
    more(html, missed, MAX_MISSES);
    html.close().close();
}
