//! What the schedulability tests say of a scenario, for the libraries of other languages.
//!
//! Depends on `analysis` and `columns`. Invariants: what is called schedulable is, as far as the test covers it; a column is named here
//! once, whatever holds it.

use std::sync::Arc;

use blockstep_analysis::Verdict;
use blockstep_analysis::edf::Overhead;
use blockstep_analysis::own::{self, Own};
use blockstep_analysis::report::{Report, ReportLine, Switch, mode};
use blockstep_analysis::runlist_bound::{Inapplicable, RunlistBound, bounds as runlist_bounds, endless};
use blockstep_analysis::scenario::AloneError;
use blockstep_analysis::space_bound::{self, NoBound};
use blockstep_analysis::uncovered::not_covered;
use blockstep_sim::engine::{Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Choice, Draft, PolicyKind, Scenario, ScenarioError};
use blockstep_sim::units::Span;

use crate::columns::Columns;

/// The words for what is known of a scenario under its own policy.
pub const VERDICTS: [&str; 4] = ["schedulable", "not guaranteed", "no verdict", "nothing due"];

/// The tables of an analysis, by the names that other languages have for them.
pub const TABLES: [&str; 3] = ["tasks", "edf", "bounds"];

/// What the columns of each name hold.
pub const MEANINGS: &[(&str, &str)] = &[
    ("blocking_ns", "How long a job that began earlier may hold up that demand, ns; missing if there is no such instant."),
    ("bound_ns", "No response time is longer, ns; missing if there is no bound."),
    ("cost_ns", "The longest run of a job alone on the device, ns."),
    ("deadline_ns", "Time from release to deadline, ns; missing if the task has none."),
    ("demand_ns", "The work that may be due by then, ns; missing if there is no such instant."),
    ("fails_at_ns", "The first instant by which more may be due than fits, ns; missing if none was found."),
    ("is_covered", "Whether the test covers all that the scenario does."),
    ("is_within", "Whether the bound is within the deadline; missing if there is no bound or no deadline."),
    ("mode", "The name of EDF with this preemption."),
    ("period_ns", "Least time between releases, ns; missing if the task is released once."),
    ("policy", "The policy that the bound is for."),
    ("schedulable", "Whether every deadline is met for certain; missing if the test does not say."),
    ("section_ns", "The longest stretch of a job that is not preempted where preemption is limited, ns."),
    ("switch_ns", "The cost of a switch, ns."),
    ("switch_of", "Where that cost is from: `scenario`, or a word of [LP] Table II."),
    ("task", "Name of the task."),
    ("why_none", "Why there is no bound; missing if there is one."),
];

/// Why nothing can be said.
#[derive(Debug, thiserror::Error)]
pub enum NoVerdicts {
    /// A job of a task cannot be simulated alone.
    #[error(transparent)]
    Alone(#[from] AloneError),
    /// Under another policy it is no scenario.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A run was not made to its end.
    #[error("it was stopped")]
    Stopped,
}

/// What the tests say of a scenario.
pub struct Verdicts {
    /// One of [`VERDICTS`], of the scenario under its own policy.
    pub verdict: &'static str,
    /// The same as a sentence, with the test or with why there is none.
    pub sentence: String,
    /// Jobs that miss their deadline in the scenario's own run.
    pub missed: usize,
    /// Jobs of that run that have a deadline and are judged.
    pub judged: usize,
    /// The load of the real-time tasks, each job alone on the device; 1 is all there is. Rounded down to a millionth.
    pub utilization: f64,
    /// What the EDF tests do not cover, a sentence each.
    pub not_covered: Vec<String>,
    scenario: Arc<Scenario>,
    report: Report,
    bounds: Vec<BoundRow>,
}

/// The bound of a task under a policy.
struct BoundRow {
    policy: &'static str,
    task: usize,
    bound: Option<Span>,
    is_within: Option<bool>,
    why_none: Option<String>,
}

impl Verdicts {
    /// Of a scenario and the draft that it is made of. `run` makes a run within `limits`, or stops: it is asked once or twice.
    ///
    /// # Errors
    /// [`NoVerdicts`].
    pub fn new(
        draft: &Draft,
        scenario: &Arc<Scenario>,
        limits: Limits,
        run: &mut dyn FnMut(&Arc<Scenario>) -> Option<Run>,
    ) -> Result<Self, NoVerdicts> {
        let mut run = |scenario: &Arc<Scenario>| run(scenario).ok_or(NoVerdicts::Stopped);
        let report = Report::new(scenario, limits)?;
        let under = |kind: PolicyKind| {
            let mut draft = draft.clone();
            draft.policy.kind = kind;
            Scenario::new(&draft)
        };
        let kind = scenario.policy().kind;
        let shared = under(if kind.takes_turns() { PolicyKind::Priority } else { kind })?;
        let in_one_space = space_bound::bounds(&shared);
        let of_own = run(scenario)?;
        let records = Records::new(&of_own.trace);
        let of_run = runlist_bounds(&of_own.trace, &records, limits);
        let cut = of_own.trace.cut().map(|cut| format!("its run was stopped: {cut}"));
        let own = Own::new(scenario, &report, cut.as_deref().map_or(Ok(&of_run[..]), Err), &in_one_space);
        let by_runlist = match endless(scenario) {
            Some(none) => none,
            None => {
                let in_turns = run(&under(PolicyKind::Runlist)?)?;
                runlist_bounds(&in_turns.trace, &Records::new(&in_turns.trace), limits)
            }
        };
        let [schedulable, not_guaranteed, no_verdict, nothing_due] = VERDICTS;
        Ok(Self {
            verdict: match own {
                Own::NothingDue => nothing_due,
                Own::Schedulable(_) => schedulable,
                Own::NotPromised(_) => not_guaranteed,
                Own::NoVerdict(_) => no_verdict,
            },
            sentence: own.sentence(scenario),
            missed: records.jobs.iter().filter(|job| job.met == Some(false)).count(),
            judged: records.jobs.iter().filter(|job| job.met.is_some()).count(),
            utilization: report.utilisation as f64 / 1e6,
            not_covered: not_covered(&report.model),
            bounds: bound_rows(scenario, &by_runlist, shared.policy().kind, &in_one_space),
            report,
            scenario: Arc::clone(scenario),
        })
    }
}

/// Under `runlist` by [EDF] Theorem 1, then under the policy in one address space.
fn bound_rows(
    scenario: &Scenario,
    by_runlist: &[Result<RunlistBound, Inapplicable>],
    kind: PolicyKind,
    in_one_space: &[Result<Span, NoBound>],
) -> Vec<BoundRow> {
    let tasks = || scenario.tasks().iter().enumerate();
    let row = |kind: PolicyKind, task, bound, is_within, why_none| BoundRow { policy: kind.word(), task, bound, is_within, why_none };
    let in_turns = tasks().zip(by_runlist).map(|((place, task), bound)| match bound {
        Ok(bound) => {
            let within = task.deadline.map(|deadline| own::within(bound, deadline));
            let beyond = bound.every_switch.is_none().then(|| "beyond 64 bits".to_owned());
            row(PolicyKind::Runlist, place, bound.every_switch, within, beyond)
        }
        Err(why) => row(PolicyKind::Runlist, place, None, None, Some(why.sentence(scenario))),
    });
    let shared = tasks().zip(in_one_space).map(|((place, task), bound)| match bound {
        Ok(bound) => row(kind, place, Some(*bound), task.deadline.map(|deadline| *bound <= deadline), None),
        Err(why) => row(kind, place, None, None, Some(why.sentence(scenario))),
    });
    in_turns.chain(shared).collect()
}

/// The real-time tasks as the tests see them.
///
/// # Errors
/// What a column cannot hold.
pub fn tasks<C: Columns>(table: C, verdicts: &Verdicts) -> Result<C, C::Error> {
    let tasks = &verdicts.report.model.tasks;
    table
        .texts("task", tasks.iter().map(|(id, _)| verdicts.scenario.task(*id).name.clone()))?
        .numbers("cost_ns", tasks.iter().map(|(_, task)| task.cost))?
        // A task that is released once has none.
        .some_numbers("period_ns", tasks.iter().map(|(_, task)| Some(task.period).filter(|&period| period < u64::MAX)))?
        .numbers("deadline_ns", tasks.iter().map(|(_, task)| task.deadline))?
        .numbers("section_ns", tasks.iter().map(|(_, task)| task.section))
}

/// What every EDF test says.
///
/// # Errors
/// What a column cannot hold.
pub fn edf<C: Columns>(table: C, verdicts: &Verdicts) -> Result<C, C::Error> {
    let lines = &verdicts.report.lines;
    let source = |line: &ReportLine| match line.source {
        Switch::Own => "scenario",
        Switch::TableIi(overhead) => Overhead::word(overhead),
    };
    let passes = |line: &ReportLine| match line.verdict {
        Verdict::Passes if line.is_covered => Some(true),
        Verdict::Passes | Verdict::Undecided => None,
        Verdict::Fails { .. } => Some(false),
    };
    table
        .found_words("mode", lines.iter().map(|line| mode(line.preemption)))?
        .numbers("switch_ns", lines.iter().map(|line| line.switch))?
        .found_words("switch_of", lines.iter().map(source))?
        .some_truths("schedulable", lines.iter().map(passes))?
        .truths("is_covered", lines.iter().map(|line| line.is_covered))?
        .some_numbers("fails_at_ns", lines.iter().map(|line| line.failure.map(|point| point.at)))?
        .some_numbers("demand_ns", lines.iter().map(|line| line.failure.map(|point| point.demand)))?
        .some_numbers("blocking_ns", lines.iter().map(|line| line.failure.map(|point| point.blocking)))
}

/// Bounds on response times: under `runlist`, then under the policy in one address space.
///
/// # Errors
/// What a column cannot hold.
pub fn bounds<C: Columns>(table: C, verdicts: &Verdicts) -> Result<C, C::Error> {
    let (tasks, rows) = (verdicts.scenario.tasks(), &verdicts.bounds);
    table
        .found_words("policy", rows.iter().map(|row| row.policy))?
        .words("task", tasks.iter().map(|task| &task.name), rows.iter().map(|row| row.task))?
        .some_numbers("bound_ns", rows.iter().map(|row| row.bound.map(Span::ns)))?
        .some_numbers("deadline_ns", rows.iter().map(|row| tasks[row.task].deadline.map(Span::ns)))?
        .some_truths("is_within", rows.iter().map(|row| row.is_within))?
        .some_texts("why_none", rows.iter().map(|row| row.why_none.clone()))
}
