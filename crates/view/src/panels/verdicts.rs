//! What the schedulability tests say of a scenario.
//!
//! Depends on `analysis`; the chart is painted elsewhere and handed in. Invariant: a verdict comes with what it assumes and does
//! not hold for.

use blockstep_sim::language::counted;
use serde::{Deserialize, Serialize};

use super::sheet::{Chart, Figured, Sheet, SheetCell, Tone};
use crate::quantity::{format_time, format_time_read};
use blockstep_analysis::edf::Overhead;
use blockstep_analysis::generate::MILLION;
use blockstep_analysis::own::{self, Own};
use blockstep_analysis::report::{Report, ReportLine, Switch, mode, together};
use blockstep_analysis::runlist_bound::{Inapplicable, RunlistBound};
use blockstep_analysis::space_bound::{self, NoBound};
use blockstep_analysis::uncovered::not_covered;
use blockstep_analysis::{Verdict, curves};
use blockstep_sim::scenario::{Choice, Scenario, Task};
use blockstep_sim::units::Span;

/// Tasks listed.
const MAX_TASKS: usize = 100;

/// All that the panel shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictsPanel {
    /// On the scenario as it stands, in a sentence.
    pub own: String,
    /// How that is meant.
    pub own_tone: Tone,
    /// The tests of its real-time tasks under EDF; `None` if it has none.
    pub edf: Option<EdfTests>,
    /// What no test covers, a sentence each.
    pub doubts: Vec<String>,
    /// The bounds of its tasks under the runlist; why there are none, if there are none.
    pub runlist: Result<RunlistBounds, String>,
    /// The bounds of its tasks inside one address space, under `fifo` or `priority`.
    pub one_space: Result<SpaceBounds, String>,
    /// Whether these are of the scenario's own policy, and so come first.
    pub is_one_space: bool,
}

/// Demand tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EdfTests {
    /// How many tasks, and their utilization.
    pub summary: String,
    /// A line for each test and cost of a switch.
    pub lines: Vec<TestLine>,
    /// The demand of one line.
    pub figure: Option<Figured>,
    /// Which line that is.
    pub drawn: u32,
    /// The tasks as the tests see them.
    pub tasks: Sheet,
    /// How many tasks are not listed.
    pub more: Option<String>,
    /// What each test assumes, a paragraph each.
    pub assumptions: Vec<String>,
}

/// What one test says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestLine {
    /// What EDF with its preemption is called.
    pub mode: String,
    /// What a switch costs, and where the cost comes from.
    pub switch: String,
    /// Whether every deadline is met.
    pub verdict: String,
    /// How that is meant.
    pub tone: Tone,
    /// Where the test fails first.
    pub instant: String,
}

/// Bounds of [EDF] Theorem 1 against the deadlines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunlistBounds {
    /// What the theorem says of each task; those of which it says the same are one row.
    pub tasks: Vec<(String, Promise)>,
    /// How many tasks are not listed.
    pub more: Option<String>,
}

/// Bounds of docs/bounds.md against the deadlines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpaceBounds {
    /// The policy that they are for.
    pub policy: String,
    /// The bound of each task, or why it has none; those with the same are one row.
    pub tasks: Vec<(String, SpacePromise)>,
    /// How many tasks are not listed.
    pub more: Option<String>,
}

/// What is said of a task inside one address space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpacePromise {
    /// A bound.
    Bound {
        /// On the response time.
        limit: String,
        /// The task's deadline.
        deadline: String,
        /// Whether it is kept.
        verdict: String,
        /// How that is meant.
        tone: Tone,
    },
    /// None; why, in a sentence.
    None(String),
}

/// What the theorem says of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Promise {
    /// A bound.
    Bound {
        /// Without switches, with one at each expiry, with every one.
        limits: [String; 3],
        /// The task's deadline.
        deadline: String,
        /// Whether it is kept.
        verdict: String,
        /// How that is meant.
        tone: Tone,
    },
    /// Nothing; why, in a sentence.
    Inapplicable(String),
}

/// The verdicts; `bounds` are those under the runlist, whatever the scenario's policy, by task, or why there are none at all. `shared` is
/// the scenario under a policy with one address space, or why it cannot be. The `chart` is of the report's line `drawn`.
#[must_use]
pub fn verdicts(
    scenario: &Scenario,
    report: &Report,
    bounds: own::Bounds<'_>,
    shared: Result<&Scenario, &str>,
    drawn: usize,
    chart: Option<Chart>,
) -> VerdictsPanel {
    let shared = shared.map(|shared| (shared, space_bound::bounds(shared)));
    let own = Own::new(scenario, report, bounds, shared.as_ref().map_or(&[], |(_, bounds)| bounds));
    let (own_tone, mark) = match own {
        Own::Schedulable(_) => (Tone::Plain, "✓ "),
        Own::NotPromised(_) => (Tone::Exceeded, "✗ "),
        Own::NothingDue | Own::NoVerdict(_) => (Tone::Plain, ""),
    };
    VerdictsPanel {
        own: format!("{mark}{}", own.sentence(scenario)),
        own_tone,
        edf: (!report.model.tasks.is_empty()).then(|| edf(scenario, report, drawn, chart)),
        // Of tasks that none of the tests is about there is nothing to say.
        doubts: if report.model.tasks.is_empty() { Vec::new() } else { not_covered(&report.model).into_iter().take(MAX_TASKS).collect() },
        runlist: bounds.map(|bounds| runlist(scenario, bounds)).map_err(str::to_owned),
        one_space: shared.map(|(shared, bounds)| one_space(shared, &bounds)).map_err(str::to_owned),
        is_one_space: !scenario.policy().kind.takes_turns(),
    }
}

fn edf(scenario: &Scenario, report: &Report, drawn: usize, chart: Option<Chart>) -> EdfTests {
    let utilisation = u32::try_from(report.utilisation).map_or_else(|_| "far more than 1".to_owned(), curves::decimal);
    let line = |line: &ReportLine| {
        let (tone, verdict) = verdict(line);
        TestLine {
            mode: mode(line.preemption).to_owned(),
            switch: format!("{} ({})", format_time(line.switch), source(scenario, line)),
            verdict,
            tone,
            instant: instant(line),
        }
    };
    let figure = report.lines.get(drawn).zip(chart).map(|(line, chart)| {
        let caption = format!(
            "Demand due by each instant if all tasks are released together at 0: {}, switch cost {}. The test fails where the demand is \
             above the sloped line, which is time. Dots show the demand plus the blocking.",
            mode(line.preemption),
            format_time(line.switch)
        );
        Figured { caption, chart }
    });
    let mut tasks = Sheet::new("Task parameters in the tests", &["Task", "#C, alone", "#period", "#deadline", "#longest step"]);
    for (id, task) in report.model.tasks.iter().take(MAX_TASKS) {
        let period = if task.period == u64::MAX { "once".to_owned() } else { format_time(task.period) };
        let cells = [format_time(task.cost), period, format_time(task.deadline), format_time(task.section)];
        tasks.push(Some(scenario.task(*id).name.clone()), cells.into_iter().map(SheetCell::text).collect());
    }
    EdfTests {
        summary: format!(
            "{}, utilization {utilisation}. Each job takes as long as it does alone.",
            counted(report.model.tasks.len() as u64, "task")
        ),
        lines: report.lines.iter().map(line).collect(),
        figure,
        drawn: drawn as u32,
        tasks,
        more: more(report.model.tasks.len()),
        assumptions: assumptions(report),
    }
}

fn more(tasks: usize) -> Option<String> {
    (tasks > MAX_TASKS).then(|| format!("and {} more", tasks - MAX_TASKS))
}

fn assumptions(report: &Report) -> Vec<String> {
    let mut points = vec![
        "All tests: the scheduler is EDF, whatever the scenario's policy, and the verdict covers only the real-time tasks. The GPU runs \
         one task at a time, each in its own process. Tasks may be released together at any time, and a job takes no longer than it does \
         alone on the GPU. A set that fails may still meet its deadlines in a run, because the releases may not coincide and the tests \
         charge switches that may not happen.",
        "Preemptive (QPA): a job may be preempted at any instant, and is charged two switches.",
        "Limited-preemptive (QPA with blocking): a job may be preempted where its blocks end; it delays a job with an earlier deadline by \
         at most its longest step, and is charged two switches.",
        "Non-preemptive (QPA with blocking): a job runs to completion, delays others by its cost and its switch, and is charged one \
         switch.",
        "The tests add blocking at all instants from the first deadline until just before the last. Best-effort work causes blocking like \
         a job without a deadline.",
    ];
    if report.utilisation >= u64::from(MILLION) {
        points.push(
            "At a utilization of exactly 1, no slack bounds the instants to check. If deadlines equal periods, only the instants up to \
             the longest period matter, so the tests decide. With earlier deadlines, the first idle instant bounds them, and a test may \
             end undecided.",
        );
    }
    points.into_iter().map(str::to_owned).collect()
}

fn runlist(scenario: &Scenario, bounds: &[Result<RunlistBound, Inapplicable>]) -> RunlistBounds {
    let promise = |(task, bound): (&Task, &Result<RunlistBound, Inapplicable>)| {
        let promise = match bound {
            Ok(bound) => of_bound(task, bound),
            Err(why) => Promise::Inapplicable(format!("Not applicable. {}", why.sentence(scenario))),
        };
        (task.name.clone(), promise)
    };
    let tasks = together(scenario.tasks().iter().zip(bounds).take(MAX_TASKS).map(promise));
    RunlistBounds { tasks, more: more(bounds.len()) }
}

fn of_bound(task: &Task, bound: &RunlistBound) -> Promise {
    let (tone, verdict) = kept(task, |deadline| own::within(bound, deadline));
    let limits = [bound.without_cost, bound.at_own_expiries, bound.every_switch].map(time);
    Promise::Bound { limits, deadline: deadline(task), verdict, tone }
}

fn one_space(scenario: &Scenario, bounds: &[Result<Span, NoBound>]) -> SpaceBounds {
    let promise = |(task, bound): (&Task, &Result<Span, NoBound>)| {
        let promise = match bound {
            Ok(bound) => {
                let (tone, verdict) = kept(task, |deadline| *bound <= deadline);
                SpacePromise::Bound { limit: format_time(bound.ns()), deadline: deadline(task), verdict, tone }
            }
            Err(why) => SpacePromise::None(format!("No bound. {}", why.sentence(scenario))),
        };
        (task.name.clone(), promise)
    };
    SpaceBounds {
        policy: scenario.policy().kind.word().to_owned(),
        tasks: together(scenario.tasks().iter().zip(bounds).take(MAX_TASKS).map(promise)),
        more: more(bounds.len()),
    }
}

/// Whether a bound keeps a task's deadline, and how that is meant.
fn kept(task: &Task, is_within: impl FnOnce(Span) -> bool) -> (Tone, String) {
    let (tone, verdict) = match task.deadline {
        None => (Tone::Quiet, "no deadline"),
        Some(deadline) if is_within(deadline) => (Tone::Plain, "✓ within the deadline"),
        Some(_) => (Tone::Exceeded, "✗ not guaranteed"),
    };
    (tone, verdict.to_owned())
}

fn deadline(task: &Task) -> String {
    task.deadline.map_or_else(|| "none".to_owned(), |d| format_time(d.ns()))
}

fn source(scenario: &Scenario, line: &ReportLine) -> String {
    match line.source {
        Switch::Own if scenario.switches().vary() => "this scenario's longest".to_owned(),
        Switch::Own => "this scenario".to_owned(),
        Switch::TableIi(Overhead::Free) => "free".to_owned(),
        Switch::TableIi(overhead) => format!("[LP] {}", overhead.word()),
    }
}

fn verdict(line: &ReportLine) -> (Tone, String) {
    match line.verdict {
        Verdict::Passes if line.is_covered => (Tone::Plain, "✓ yes".to_owned()),
        Verdict::Passes => (Tone::Quiet, "no verdict: the demand fits, but the test does not cover this scenario".to_owned()),
        Verdict::Fails { .. } => (Tone::Exceeded, "✗ not guaranteed".to_owned()),
        Verdict::Undecided => (Tone::Plain, "? undecided: utilization of exactly 1, no idle instant found".to_owned()),
    }
}

fn instant(line: &ReportLine) -> String {
    match (line.verdict, line.failure) {
        (Verdict::Fails { .. }, Some(point)) => {
            let blocked = if point.blocking > 0 { format!(" and {} of blocking", format_time_read(point.blocking)) } else { String::new() };
            format!("{}: {} due{blocked}", format_time(point.at), format_time(point.demand))
        }
        (Verdict::Fails { .. }, None) => "beyond 64 bits".to_owned(),
        _ => "\u{2013}".to_owned(),
    }
}

fn time(span: Option<Span>) -> String {
    span.map_or_else(|| "beyond 64 bits".to_owned(), |span| format_time(span.ns()))
}
