//! The bound of [EDF] Theorem 1 with its terms, beside what was simulated.
//!
//! Depends on the rest of the panel and `analysis`. Invariant: a task without a bound is listed with
//! the reason.

use super::{MAX_TASKS, Subject, close_table, jump, more, note, open_details, open_section, open_table};
use crate::analysis::runlist_bound::{RunlistBound, Stay};
use crate::language::counted;
use crate::units::{Span, TaskId};
use crate::view::markup::Markup;
use crate::view::quantity::{format_count, format_time};

pub(super) fn section(html: &mut Markup, subject: &Subject<'_>) {
    if subject.bounds.is_empty() {
        return;
    }
    open_section(html, "bound", "Bound on the response time ([EDF] Theorem 1)");
    note(
        html,
        "A job of a task alone in a high process waits, before each of its stays, for one stay of every other high process and of \
         one medium or low one. Equation (3) charges one switch for each expiry of its own; the last line charges every switch.",
    );
    let tasks = || subject.bounds.iter().enumerate().take(MAX_TASKS).map(|(i, bound)| (TaskId::at(i), bound));
    for (task, bound) in tasks().filter_map(|(task, bound)| Some((task, bound.as_ref().ok()?))) {
        of_task(html, subject, task, bound);
    }
    let without = || tasks().filter_map(|(task, bound)| Some((task, bound.as_ref().err()?)));
    let count = without().count();
    if count > 0 {
        open_details(html, &format!("{} without a bound, and why", counted(count, "task")));
        html.open("ul", &[("class", "res-list")]);
        for (task, why) in without() {
            html.open("li", &[]).leaf("strong", &[], &subject.label(task)).text(" ").text(&why.sentence(subject.trace.scenario())).close();
        }
        html.close().close();
    }
    more(html, subject.bounds.len(), MAX_TASKS);
    html.close();
}

fn of_task(html: &mut Markup, subject: &Subject<'_>, task: TaskId, bound: &RunlistBound) {
    html.leaf("h4", &[], &subject.label(task));
    html.open("dl", &[("class", "res-terms")]);
    let mut term = |name: &str, value: &str| {
        html.open("div", &[]).leaf("dt", &[], name).leaf("dd", &[], value).close();
    };
    term("C, the job alone", &format_time(bound.execution.ns()));
    term("TS, the timeslice", &format_time(bound.timeslice.ns()));
    term("n = ⌈C / TS⌉, waits", &format_count(bound.gaps));
    term("ξ, one switch", &format_time(bound.switch_cost.ns()));
    term("s, switches of one wait", &format_count(bound.switches));
    term("l, one wait", &gap(subject, bound));
    html.close();
    let simulated = subject.results.tasks[task.index()].slowest.map(|slowest| &subject.records.jobs[slowest as usize]);
    let greatest = subject.results.tasks[task.index()].responses.last().copied();
    if let (Some(job), Some(greatest)) = (simulated, greatest) {
        html.open("p", &[("class", "res-note")])
            .text(&format!("The greatest response time simulated, {}, is that of ", format_time(greatest.ns())));
        jump(html, job.release.ns(), (job.job.0, &subject.label(task)), "Go to its release");
        html.close();
    }
    open_table(html, &format!("Bounds of {}", subject.label(task)), &["Bound", "#at most", "the simulation"]);
    let rows = [
        ("eq. (2), no cost: n·l + C", bound.without_cost),
        ("eq. (3): n·(l + ξ) + C", bound.at_own_expiries),
        ("every switch: n·(l + s·ξ) + C", bound.every_switch),
    ];
    for (name, limit) in rows {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], name).leaf("td", &[("class", "num")], &time(limit));
        let (class, verdict) = match (greatest, limit) {
            (None, _) => ("quiet", "completes no job"),
            (Some(greatest), Some(limit)) if greatest > limit => ("res-exceeded", "✗ exceeds it"),
            (Some(_), _) => ("", "✓ keeps to it"),
        };
        html.leaf("td", &[("class", class)], verdict).close();
    }
    close_table(html);
}

/// `9 ms = H2 5 ms + M1 4 ms`.
fn gap(subject: &Subject<'_>, bound: &RunlistBound) -> String {
    let processes = subject.trace.scenario().processes();
    let stay = |stay: &Stay| {
        let of = if stay.is_work { "its job" } else { "its timeslice" };
        format!("{} {} ({of})", processes[stay.process.index()].name, format_time(stay.time.ns()))
    };
    let stays: Vec<String> = bound.high.iter().chain(&bound.other).map(stay).collect();
    if stays.is_empty() { "0 s, as no other process has work".to_owned() } else { format!("{} = {}", time(bound.gap), stays.join(" + ")) }
}

fn time(span: Option<Span>) -> String {
    span.map_or_else(|| "beyond 64 bits of ns".to_owned(), |span| format_time(span.ns()))
}
