//! The bound of [EDF] Theorem 1 with its terms, beside what was simulated.
//!
//! Depends on the rest of the panel and `analysis`. Invariant: a task without a bound is listed with the reason.

use serde::{Deserialize, Serialize};

use super::{MAX_TASKS, ResultsSubject, more};
use crate::panels::sheet::{Jump, Tone};
use crate::quantity::{format_count, format_time};
use blockstep_analysis::report::together;
use blockstep_analysis::runlist_bound::{RunlistBound, Stay};
use blockstep_sim::language::counted;
use blockstep_sim::units::{Span, TaskId};

/// Stays of a gap that are named.
const MAX_STAYS: usize = 20;

/// The bounds of the tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Those that have one.
    pub tasks: Vec<TaskBound>,
    /// Those that have none, if there are any.
    pub without: Option<Without>,
    /// How many tasks are not listed.
    pub more: Option<String>,
}

/// The bound of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskBound {
    /// The task.
    pub task: String,
    /// What the bound is made of: each term with its value.
    pub terms: Vec<(String, String)>,
    /// The greatest response time simulated, in words that end before the job, and the job.
    pub simulated: Option<(String, Jump)>,
    /// The bound with fewer and with more of the switches.
    pub limits: Vec<Limit>,
}

/// A bound, and what the simulation makes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// How it is computed.
    pub name: String,
    /// The greatest value that it allows, in words.
    pub at_most: String,
    /// What the simulation makes of it.
    pub verdict: String,
    /// How that is meant.
    pub tone: Tone,
}

/// Tasks without a bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Without {
    /// How many.
    pub summary: String,
    /// Each with the reason; those with the same are told together.
    pub tasks: Vec<(String, String)>,
}

pub(super) fn section(subject: &ResultsSubject<'_>) -> Option<Bounds> {
    if subject.bounds.is_empty() {
        return None;
    }
    let tasks = || subject.bounds.iter().enumerate().take(MAX_TASKS).map(|(i, bound)| (TaskId::at(i), bound));
    let scenario = subject.trace.scenario();
    let without: Vec<(String, String)> =
        tasks().filter_map(|(task, bound)| Some((subject.label(task), bound.as_ref().err()?.sentence(scenario)))).collect();
    Some(Bounds {
        tasks: tasks().filter_map(|(task, bound)| Some(of_task(subject, task, bound.as_ref().ok()?))).collect(),
        without: (!without.is_empty())
            .then(|| Without { summary: format!("{} without a bound: reasons", counted(without.len(), "task")), tasks: together(without) }),
        more: more(subject.bounds.len(), MAX_TASKS),
    })
}

fn of_task(subject: &ResultsSubject<'_>, task: TaskId, bound: &RunlistBound) -> TaskBound {
    let scenario = subject.trace.scenario();
    let terms = [
        ("C, the job alone", format_time(bound.execution.ns())),
        ("TS, the timeslice", format_time(bound.timeslice.ns())),
        ("n = ⌈C / TS⌉, waits", format_count(bound.gaps)),
        (if scenario.switches().vary() { "ξ, the longest switch" } else { "ξ, one switch" }, format_time(bound.switch_cost.ns())),
        ("s, switches of one wait", format_count(bound.switches)),
        ("l, one wait", gap(subject, bound)),
    ];
    let slowest = subject.results.tasks[task.index()].slowest.map(|slowest| &subject.records.jobs[slowest as usize]);
    let greatest = subject.results.tasks[task.index()].responses.last().copied();
    let simulated = slowest.zip(greatest).map(|(job, greatest)| {
        let said = format!("The maximum simulated response time is {}: ", format_time(greatest.ns()));
        (said, Jump::new(job.release, (job.job.0, &subject.label(task)), "Go to its release"))
    });
    let limit = |(name, limit): (&str, Option<Span>)| {
        let (tone, verdict) = match (greatest, limit) {
            (None, _) => (Tone::Quiet, "no job completes"),
            (Some(greatest), Some(limit)) if greatest > limit => (Tone::Exceeded, "✗ exceeds the bound"),
            (Some(_), _) => (Tone::Plain, "✓ within the bound"),
        };
        Limit { name: name.to_owned(), at_most: time(limit), verdict: verdict.to_owned(), tone }
    };
    let limits = [
        ("eq. (2), no cost: n·l + C", bound.without_cost),
        ("eq. (3): n·(l + ξ) + C", bound.at_own_expiries),
        ("every switch: n·(l + s·ξ) + C", bound.every_switch),
    ];
    TaskBound {
        task: subject.label(task),
        terms: terms.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        simulated,
        limits: limits.into_iter().map(limit).collect(),
    }
}

/// `9 ms = H2 5 ms + M1 4 ms`.
fn gap(subject: &ResultsSubject<'_>, bound: &RunlistBound) -> String {
    let stay = |stay: &Stay| {
        let of = if stay.is_work { "its job" } else { "its timeslice" };
        format!("{} {} ({of})", subject.trace.space_name(stay.channel), format_time(stay.time.ns()))
    };
    let all = bound.high.iter().chain(&bound.other);
    let hidden = all.clone().count().saturating_sub(MAX_STAYS);
    let mut stays: Vec<String> = all.take(MAX_STAYS).map(stay).collect();
    if hidden > 0 {
        stays.push(format!("{} more", format_count(hidden as u64)));
    }
    if stays.is_empty() { "0 s, as no other process has work".to_owned() } else { format!("{} = {}", time(bound.gap), stays.join(" + ")) }
}

fn time(span: Option<Span>) -> String {
    span.map_or_else(|| "beyond 64 bits of ns".to_owned(), |span| format_time(span.ns()))
}
