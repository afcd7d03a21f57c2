//! What the schedulability tests say of the scenario on screen, as HTML.
//!
//! Depends on `markup` and `analysis`; the chart is painted elsewhere and handed in. Invariants: a
//! verdict comes with what it assumes and does not hold for; a line of the table is picked by
//! `data-line`.

use crate::analysis::edf::Overhead;
use crate::analysis::generate::MILLION;
use crate::analysis::own::{self, Own};
use crate::analysis::report::{Line, Report, Switch, mode};
use crate::analysis::{Verdict, curves};
use crate::scenario::{Choice, Scenario};
use crate::units::Span;
use crate::view::markup::Markup;
use crate::view::panels::results::{close_table, note, open_details, open_table};
use crate::view::quantity::format_time;

/// Tasks listed.
const MAX_TASKS: usize = 100;

/// The chart of one line of the report.
#[derive(Clone, Debug, Default)]
pub struct DemandChart {
    /// Which line.
    pub line: usize,
    /// SVG; empty where there is nothing to draw.
    pub svg: String,
}

/// The verdicts; `bounds` are those under the runlist, whatever the scenario's policy, by task, or why
/// there are none at all.
#[must_use]
pub fn verdicts(scenario: &Scenario, report: &Report, bounds: own::Bounds<'_>, chart: &DemandChart) -> String {
    let mut html = Markup::new();
    html.raw("<div class=res>");
    own_policy(&mut html, scenario, report, bounds);
    edf(&mut html, scenario, report, chart);
    runlist(&mut html, scenario, bounds);
    html.raw("</div>");
    html.finish()
}

fn own_policy(html: &mut Markup, scenario: &Scenario, report: &Report, bounds: own::Bounds<'_>) {
    html.raw("<section class=res-section data-section=own-verdict><h3>This scenario as it stands</h3>");
    let own = Own::new(scenario, report, bounds);
    let (class, mark) = match own {
        Own::Schedulable(_) => ("res-note", "✓ "),
        Own::NotPromised(_) => ("res-note res-exceeded", "✗ "),
        Own::NothingDue | Own::NoVerdict(_) => ("res-note", ""),
    };
    html.leaf("p", &[("class", class)], &format!("{mark}{}", own.sentence(scenario)));
    html.raw("</section>");
}

fn edf(html: &mut Markup, scenario: &Scenario, report: &Report, chart: &DemandChart) {
    html.raw("<section class=res-section data-section=edf-tests><h3>Its real-time tasks under EDF: demand tests</h3>");
    if report.model.tasks.is_empty() {
        note(html, "There are no real-time tasks with a deadline and a period, so there is nothing that EDF tests could say.");
        doubts(html, report);
        html.raw("</section>");
        return;
    }
    let utilisation = u32::try_from(report.utilisation).map_or_else(|_| "far more than 1".to_owned(), curves::decimal);
    let tasks = report.model.tasks.iter().take(MAX_TASKS);
    note(html, &format!("{} tasks, utilisation {utilisation}, each job as long as it takes alone.", report.model.tasks.len()));
    open_table(html, "Verdicts of the EDF tests", &["EDF", "#a switch", "Every deadline met", "First failing instant", "Demand"]);
    for (i, line) in report.lines.iter().enumerate() {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], mode(line.preemption));
        html.leaf("td", &[("class", "num")], &format!("{} ({})", format_time(line.switch), source(line)));
        let (class, text) = verdict(line);
        html.leaf("td", &[("class", class)], &text).leaf("td", &[], &instant(line)).open("td", &[]);
        let (pressed, number) = (if i == chart.line { "true" } else { "false" }, i.to_string());
        html.leaf("button", &[("class", "small"), ("data-line", &number), ("aria-pressed", pressed)], "Draw").close().close();
    }
    close_table(html);
    if let (Some(line), false) = (report.lines.get(chart.line), chart.svg.is_empty()) {
        let caption = format!(
            "Demand with a deadline by each instant, all tasks released together at 0: {}, a switch of {}. \
             Where it rises above the sloped line, which is time, the test fails; dots add the blocking.",
            mode(line.preemption),
            format_time(line.switch)
        );
        html.open("figure", &[("class", "res-figure")]).leaf("figcaption", &[], &caption).markup(&chart.svg).close();
    }
    open_details(html, "The tasks as the tests see them");
    open_table(html, "Tasks as the tests see them", &["Task", "#C, alone", "#period", "#deadline", "#longest step"]);
    for (id, task) in tasks {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &scenario.task(*id).name);
        let period = if task.period == u64::MAX { "once".to_owned() } else { format_time(task.period) };
        for text in [format_time(task.cost), period, format_time(task.deadline), format_time(task.section)] {
            html.leaf("td", &[("class", "num")], &text);
        }
        html.close();
    }
    close_table(html);
    if report.model.tasks.len() > MAX_TASKS {
        note(html, &format!("and {} more", report.model.tasks.len() - MAX_TASKS));
    }
    html.close();
    assumptions(html, report);
    doubts(html, report);
    html.raw("</section>");
}

fn assumptions(html: &mut Markup, report: &Report) {
    open_details(html, "What each test assumes");
    html.raw("<ul class=res-list>");
    let mut points = vec![
        "All: the scheduler is EDF, whatever policy the scenario has, and the verdict is on the real-time tasks alone. The GPU runs one task at a time, each in a process of its own; tasks may be released together at any time; a job takes \
         no longer than alone. What fails may still meet its deadlines in a run: releases need not come together, and switches are \
         charged whether they happen or not.",
        "Preemptive (QPA): a job may be preempted at any instant, and is charged two switches.",
        "Limited-preemptive (QPA with blocking): a job may be preempted where its blocks end; it keeps one with an earlier deadline \
         waiting for its longest step at most, and is charged two switches.",
        "Non-preemptive (QPA with blocking): a job runs to its end, keeps others waiting for its cost with its switch, and is charged one.",
        "Blocking counts from the first deadline on and before the last; best-effort work blocks like a job without a deadline.",
    ];
    if report.utilisation >= u64::from(MILLION) {
        points.push(
            "A utilisation of exactly 1 leaves no slack to bound the instants with. With deadlines equal to the periods only those up to \
             the longest period matter, so the tests decide; with earlier deadlines the first idle instant bounds them, and a test may \
             end undecided.",
        );
    }
    for point in points {
        html.leaf("li", &[], point);
    }
    html.raw("</ul>").close();
}

fn doubts(html: &mut Markup, report: &Report) {
    let all = report.model.doubts.iter().map(|doubt| ("Not covered by any test".to_owned(), doubt));
    let of_one = report.model.doubts_of.iter().map(|(of, doubt)| (format!("Not covered by the {} test", mode(*of)), doubt));
    let mut all = all.chain(of_one).peekable();
    if all.peek().is_none() {
        return;
    }
    html.raw("<ul class='res-list study-doubts'>");
    for (what, doubt) in all.take(MAX_TASKS) {
        html.leaf("li", &[], &format!("{what}: {doubt}."));
    }
    html.raw("</ul>");
}

fn runlist(html: &mut Markup, scenario: &Scenario, bounds: own::Bounds<'_>) {
    html.raw("<section class=res-section data-section=runlist-test><h3>Its tasks under the runlist: [EDF] Theorem 1</h3>");
    let bounds = match bounds {
        Ok(bounds) => bounds,
        Err(why) => {
            note(html, why);
            html.raw("</section>");
            return;
        }
    };
    let head = ["Task", "#without switches", "#one at each expiry (eq. 3)", "#every switch", "#deadline", "Verdict"];
    open_table(html, "Bounds of Theorem 1 against the deadlines", &head);
    for (task, bound) in scenario.tasks().iter().zip(bounds).take(MAX_TASKS) {
        html.open("tr", &[]).leaf("th", &[("scope", "row")], &task.name);
        match bound {
            Ok(bound) => {
                for limit in [bound.without_cost, bound.at_own_expiries, bound.every_switch] {
                    html.leaf("td", &[("class", "num")], &time(limit));
                }
                html.leaf("td", &[("class", "num")], &task.deadline.map_or_else(|| "none".to_owned(), |d| format_time(d.ns())));
                let (class, text) = match task.deadline {
                    None => ("quiet", "no deadline to keep"),
                    Some(deadline) if own::within(bound, deadline) => ("", "✓ within its deadline"),
                    Some(_) => ("res-exceeded", "✗ not promised"),
                };
                html.leaf("td", &[("class", class)], text);
            }
            Err(why) => {
                html.leaf("td", &[("class", "study-why"), ("colspan", "5")], &format!("Does not apply. {}", why.sentence(scenario)));
            }
        }
        html.close();
    }
    close_table(html);
    if bounds.len() > MAX_TASKS {
        note(html, &format!("and {} more", bounds.len() - MAX_TASKS));
    }
    note(
        html,
        "The theorem bounds the response time of a task alone in a process of the high level that is preempted by thread: before each of \
         its stays it waits for one stay of every other high process and of one lower one. A process's own interleaving, timeslice \
         and preemption are those of the table of processes.",
    );
    html.raw("</section>");
}

fn source(line: &Line) -> String {
    match line.source {
        Switch::Own => "this scenario".to_owned(),
        Switch::TableIi(Overhead::Free) => "free".to_owned(),
        Switch::TableIi(overhead) => format!("[LP] {}", overhead.word()),
    }
}

fn verdict(line: &Line) -> (&'static str, String) {
    match line.verdict {
        Verdict::Passes if line.is_covered => ("", "✓ yes".to_owned()),
        Verdict::Passes => ("quiet", "no verdict: the demand fits, but the test does not cover this scenario".to_owned()),
        Verdict::Fails { .. } => ("res-exceeded", "✗ not promised".to_owned()),
        Verdict::Undecided => ("", "? undecided: utilisation exactly 1, no idle instant within reach".to_owned()),
    }
}

fn instant(line: &Line) -> String {
    match (line.verdict, line.failure) {
        (Verdict::Fails { .. }, Some(point)) => {
            let blocked = if point.blocking > 0 { format!(" and {} of blocking", format_time(point.blocking)) } else { String::new() };
            format!("{}: {} due{blocked}", format_time(point.at), format_time(point.demand))
        }
        (Verdict::Fails { .. }, None) => "beyond 64 bits".to_owned(),
        _ => "\u{2013}".to_owned(),
    }
}

fn time(span: Option<Span>) -> String {
    span.map_or_else(|| "beyond 64 bits".to_owned(), |span| format_time(span.ns()))
}
