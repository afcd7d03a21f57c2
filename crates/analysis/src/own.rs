//! What the theorems say of a scenario as it stands: under its own policy, and nothing else.
//!
//! Depends on `report` and the bounds. Invariant: what is called schedulable misses no deadline
//! in its own run, whatever the policy. Sources: [LP] II-D for `edf`, [EDF] Theorem 1 for `runlist`,
//! docs/bounds.md for `fifo` and `priority`.

use super::Verdict;
use super::report::{Report, ReportLine, Switch, together};
use super::runlist_bound::{Inapplicable, RunlistBound};
use super::space_bound::NoBound;
use blockstep_sim::scenario::{Choice, Class, PolicyKind, Preemption, Scenario, Task};
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_time;

/// The verdict on a scenario under its own policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Own {
    /// No task has a deadline or a period.
    NothingDue,
    /// Every deadline is met, by the test that is named.
    Schedulable(&'static str),
    /// The named test covers the scenario and does not pass.
    NotPromised(&'static str),
    /// No test covers it; why, a sentence each without its full stop.
    NoVerdict(Vec<String>),
}

/// The bounds of all tasks, in their order, or why there are none.
pub type Bounds<'b> = Result<&'b [Result<RunlistBound, Inapplicable>], &'b str>;

impl Own {
    /// `bounds` are those of the scenario's own run, which count under `runlist` only; `in_one_space`, by task, count under `fifo` and
    /// `priority` only.
    #[must_use]
    pub fn new(scenario: &Scenario, report: &Report, bounds: Bounds<'_>, in_one_space: &[Result<Span, NoBound>]) -> Self {
        if scenario.tasks().iter().all(|task| task.deadline.is_none()) {
            return Self::NothingDue;
        }
        match scenario.policy().kind {
            PolicyKind::Edf => edf(scenario, report),
            PolicyKind::Runlist => runlist(scenario, bounds),
            kind if !kind.takes_turns() => one_space(scenario, in_one_space),
            kind => Self::NoVerdict(vec![format!("no test covers the policy {}", kind.word())]),
        }
    }

    /// Whether every deadline of the scenario's run is met for certain.
    #[must_use]
    pub const fn is_schedulable(&self) -> bool {
        matches!(self, Self::Schedulable(_))
    }

    /// The verdict in a sentence that names the policy; where a test counted the longest of switches that vary, another one says so.
    #[must_use]
    pub fn sentence(&self, scenario: &Scenario) -> String {
        let policy = policy(scenario);
        let switches = scenario.switches();
        let verdict = match self {
            Self::NothingDue => format!("Under {policy}: no task has a deadline or a period, so no job can be late."),
            Self::Schedulable(test) => format!("Under {policy}: schedulable, by {test}."),
            Self::NotPromised(test) => {
                format!("Under {policy}: not guaranteed, because {test} fails. A run may still meet every deadline.")
            }
            Self::NoVerdict(why) => format!("Under {policy}: no verdict, because {}.", why.join("; ")),
        };
        match self {
            Self::Schedulable(_) | Self::NotPromised(_) if switches.vary() && scenario.policy().kind.takes_turns() => {
                let [average, longest] = [switches.average(), switches.longest()].map(|time| format_time(time.ns()));
                format!("{verdict} A switch takes {average} on average; the test counts {longest} for each, the longest.")
            }
            _ => verdict,
        }
    }
}

/// The scenario's policy, with the preemption where that is a part of it.
fn policy(scenario: &Scenario) -> String {
    let policy = scenario.policy();
    match policy.kind {
        PolicyKind::Edf => format!("EDF with preemption mode {}", policy.preemption.word()),
        PolicyKind::Runlist => "the runlist".to_owned(),
        PolicyKind::Fifo => "FIFO".to_owned(),
        kind => kind.word().to_owned(),
    }
}

fn edf(scenario: &Scenario, report: &Report) -> Own {
    let preemption = scenario.policy().preemption;
    let mut why: Vec<String> = report.model.not_covered(preemption).iter().map(ToString::to_string).collect();
    let unranked = |task: &&Task| task.class == Class::BestEffort && task.deadline.is_some();
    why.extend(
        scenario
            .tasks()
            .iter()
            .filter(unranked)
            .map(|task| format!("task \"{}\" is best effort but has a deadline or a period, which EDF ignores", task.name)),
    );
    if !why.is_empty() {
        return Own::NoVerdict(why);
    }
    let own = |line: &&ReportLine| line.preemption == preemption && line.source == Switch::Own;
    let test = match preemption {
        Preemption::Thread => "the demand test for preemptive EDF",
        Preemption::Block => "the demand test for limited-preemptive EDF",
        Preemption::None => "the demand test for non-preemptive EDF",
        Preemption::Kernel => return Own::NoVerdict(vec!["no test covers preemption between kernels".to_owned()]),
    };
    match report.lines.iter().find(own).map(|line| line.verdict) {
        Some(Verdict::Passes) => Own::Schedulable(test),
        Some(Verdict::Fails { .. } | Verdict::Undecided) => Own::NotPromised(test),
        None => Own::NoVerdict(vec!["no test covers this preemption mode".to_owned()]),
    }
}

fn runlist(scenario: &Scenario, bounds: Bounds<'_>) -> Own {
    const TEST: &str = "Theorem 1 of [EDF] with every switch charged";
    let bounds = match bounds {
        Ok(bounds) => bounds,
        Err(why) => return Own::NoVerdict(vec![why.trim_end_matches('.').to_owned()]),
    };
    let (mut is_within, mut why) = (true, Vec::new());
    for (i, task) in scenario.tasks().iter().enumerate() {
        let Some(deadline) = task.deadline else { continue };
        match bounds.get(i) {
            // A job without work and producers is complete at its release.
            Some(Err(Inapplicable::NoWork)) if task.consumes.is_empty() => {}
            Some(Ok(bound)) => is_within &= within(bound, deadline),
            Some(Err(reason)) => why.push((format!("\"{}\"", task.name), format!(": {}", clause(&reason.sentence(scenario))))),
            None => why.push((format!("\"{}\"", task.name), String::new())),
        }
    }
    match (why.is_empty(), is_within) {
        (false, _) => Own::NoVerdict(unbounded(why)),
        (true, true) => Own::Schedulable(TEST),
        (true, false) => Own::NotPromised(TEST),
    }
}

fn one_space(scenario: &Scenario, bounds: &[Result<Span, NoBound>]) -> Own {
    const TEST: &str = "the bound in one address space";
    let (mut is_within, mut why) = (true, Vec::new());
    for (task, bound) in scenario.tasks().iter().zip(bounds) {
        let Some(deadline) = task.deadline else { continue };
        match bound {
            Err(NoBound::NoWork) => {}
            Ok(bound) => is_within &= *bound <= deadline,
            Err(reason) => why.push((format!("\"{}\"", task.name), format!(": {}", clause(&reason.sentence(scenario))))),
        }
    }
    match (why.is_empty(), is_within) {
        (false, _) => Own::NoVerdict(unbounded(why)),
        (true, true) => Own::Schedulable(TEST),
        (true, false) => Own::NotPromised(TEST),
    }
}

/// A clause for each reason: of which tasks there is no bound, in quotes, and why.
fn unbounded(why: Vec<(String, String)>) -> Vec<String> {
    let clause = |(tasks, why): (String, String)| {
        let word = if tasks.contains("\", \"") { "tasks" } else { "task" };
        format!("there is no bound for {word} {tasks}{why}")
    };
    together(why).into_iter().map(clause).collect()
}

/// Whether the bound that pays for every switch promises this deadline.
#[must_use]
pub fn within(bound: &RunlistBound, deadline: Span) -> bool {
    bound.every_switch.is_some_and(|limit| limit <= deadline)
}

/// A sentence as a part of another one.
fn clause(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
