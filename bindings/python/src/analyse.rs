//! What the schedulability tests say of a scenario, and of task sets in arrays.
//!
//! Depends on `analysis`. Invariant: what is called schedulable is, as far as the test covers it.

use std::sync::Arc;

use blockstep_analysis::demand::Demand;
use blockstep_analysis::edf::{EdfTest, Overhead};
use blockstep_analysis::own::{self, Own};
use blockstep_analysis::report::{Report, ReportLine, Switch, mode};
use blockstep_analysis::runlist_bound::{Inapplicable, RunlistBound, bounds};
use blockstep_analysis::space_bound::{self, NoBound};
use blockstep_analysis::uncovered::not_covered;
use blockstep_analysis::{Task, Verdict};
use blockstep_format as format;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Choice, Draft, PolicyKind, Preemption, Scenario, ScenarioError};
use blockstep_sim::units::Span;
use pyo3::prelude::*;

use crate::argument;
use crate::error::{of_argument, plain};
use crate::input::{Instead, load};
use crate::numbers::numbers;
use crate::pickle::{Pickled, by};
use crate::policy::PolicyGiven;
use crate::table::{Columns, Table, TableError};
use crate::work::apart;

/// What the schedulability tests say of a scenario.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct Analysis {
    /// What was analysed, as a file.
    scenario: String,
    /// `schedulable`, `not guaranteed`, `no verdict` or `nothing due`: of the scenario under its own policy.
    #[pyo3(get)]
    verdict: &'static str,
    /// The same as a sentence, with the test or with why there is none.
    #[pyo3(get)]
    sentence: String,
    /// Jobs that miss their deadline in the scenario's own run.
    #[pyo3(get)]
    missed: usize,
    /// Jobs of that run that have a deadline and are judged.
    #[pyo3(get)]
    judged: usize,
    /// The load of the real-time tasks, each job alone on the device; 1 is all there is. Rounded down to a millionth.
    #[pyo3(get)]
    utilization: f64,
    /// What the EDF tests do not cover, a sentence each.
    #[pyo3(get)]
    not_covered: Vec<String>,
    /// The real-time tasks as the tests see them.
    #[pyo3(get)]
    tasks: Py<Table>,
    /// What every EDF test says.
    #[pyo3(get)]
    edf: Py<Table>,
    /// Bounds on response times.
    #[pyo3(get)]
    bounds: Py<Table>,
}

#[pymethods]
impl Analysis {
    fn __str__(&self) -> &str {
        &self.sentence
    }

    fn __repr__(&self) -> String {
        format!("<blockstep.Analysis: {}>", self.sentence)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, (String,)>> {
        by(py, "analyse", (self.scenario.clone(),))
    }
}

/// What is found on another thread, before Python has it.
struct Found {
    verdict: &'static str,
    sentence: String,
    missed: usize,
    judged: usize,
    utilization: f64,
    not_covered: Vec<String>,
    tasks: Table,
    edf: Table,
    bounds: Table,
}

/// Why there is no analysis.
enum NoAnalysis {
    Scenario(ScenarioError),
    Alone(String),
    Table(TableError),
}

impl From<TableError> for NoAnalysis {
    fn from(error: TableError) -> Self {
        Self::Table(error)
    }
}

/// Puts a scenario to the schedulability tests.
///
/// `source`, `policy`, `device` and `duration` are those of `simulate`. Raises `Error` if any of these is wrong, and `OSError` if the file cannot
/// be read.
#[pyfunction]
#[pyo3(signature = (source, *, policy=None, device=None, duration=None))]
pub(crate) fn analyse(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = argument::policy)] policy: Option<PolicyGiven>,
    #[pyo3(from_py_with = argument::device)] device: Option<String>,
    duration: Option<&Bound<'_, PyAny>>,
) -> PyResult<Analysis> {
    let loaded = load(py, source, Instead::new(py, policy, device.as_deref(), duration)?)?;
    let scenario = format::write_scenario(&loaded.draft);
    let found = apart(py, move |_| find(&loaded.draft, &loaded.scenario))?.map_err(|why| match why {
        NoAnalysis::Scenario(why) => plain(why),
        NoAnalysis::Alone(why) => plain(why),
        NoAnalysis::Table(why) => why.into(),
    })?;
    let Found { verdict, sentence, missed, judged, utilization, not_covered, tasks, edf, bounds } = found;
    let (tasks, edf, bounds) = (Py::new(py, tasks)?, Py::new(py, edf)?, Py::new(py, bounds)?);
    Ok(Analysis { scenario, verdict, sentence, missed, judged, utilization, not_covered, tasks, edf, bounds })
}

fn find(draft: &Draft, scenario: &Arc<Scenario>) -> Result<Found, NoAnalysis> {
    let report = Report::new(scenario, Limits::default()).map_err(|why| NoAnalysis::Alone(why.to_string()))?;
    let under = |kind: PolicyKind| {
        let mut draft = draft.clone();
        draft.policy.kind = kind;
        Scenario::new(&draft).map_err(NoAnalysis::Scenario)
    };
    let kind = scenario.policy().kind;
    let shared = under(if kind.takes_turns() { PolicyKind::Priority } else { kind })?;
    let in_one_space = space_bound::bounds(&shared);
    let run = engine::simulate(scenario, Limits::default());
    let records = Records::new(&run.trace);
    let of_run = bounds(&run.trace, &records, Limits::default());
    let cut = run.trace.cut().map(|cut| format!("its run was stopped: {cut}"));
    let own = Own::new(scenario, &report, cut.as_deref().map_or(Ok(&of_run[..]), Err), &in_one_space);
    let by_runlist = {
        let run = engine::simulate(&under(PolicyKind::Runlist)?, Limits::default());
        bounds(&run.trace, &Records::new(&run.trace), Limits::default())
    };
    Ok(Found {
        verdict: match own {
            Own::NothingDue => "nothing due",
            Own::Schedulable(_) => "schedulable",
            Own::NotPromised(_) => "not guaranteed",
            Own::NoVerdict(_) => "no verdict",
        },
        sentence: own.sentence(scenario),
        missed: records.jobs.iter().filter(|job| job.met == Some(false)).count(),
        judged: records.jobs.iter().filter(|job| job.met.is_some()).count(),
        utilization: report.utilisation as f64 / 1e6,
        not_covered: not_covered(&report.model),
        tasks: tasks(scenario, &report)?,
        edf: edf(&report)?,
        bounds: all_bounds(scenario, &by_runlist, shared.policy().kind, &in_one_space)?,
    })
}

fn tasks(scenario: &Scenario, report: &Report) -> Result<Table, TableError> {
    let tasks = &report.model.tasks;
    Columns::default()
        .texts("task", tasks.iter().map(|(id, _)| Some(scenario.task(*id).name.clone())))
        .numbers("cost_ns", tasks.iter().map(|(_, task)| task.cost))?
        // A task that is released once has none.
        .optional("period_ns", tasks.iter().map(|(_, task)| Some(task.period).filter(|&period| period < u64::MAX)))?
        .numbers("deadline_ns", tasks.iter().map(|(_, task)| task.deadline))?
        .numbers("section_ns", tasks.iter().map(|(_, task)| task.section))?
        .table()
}

fn edf(report: &Report) -> Result<Table, TableError> {
    let lines = &report.lines;
    let source = |line: &ReportLine| match line.source {
        Switch::Own => "scenario",
        Switch::TableIi(overhead) => Overhead::word(overhead),
    };
    let passes = |line: &ReportLine| match line.verdict {
        Verdict::Passes if line.is_covered => Some(true),
        Verdict::Passes | Verdict::Undecided => None,
        Verdict::Fails { .. } => Some(false),
    };
    Columns::default()
        .found_words("mode", lines.iter().map(|line| Some(mode(line.preemption))))?
        .numbers("switch_ns", lines.iter().map(|line| line.switch))?
        .found_words("switch_of", lines.iter().map(|line| Some(source(line))))?
        .truths("schedulable", lines.iter().map(passes))
        .truths("is_covered", lines.iter().map(|line| Some(line.is_covered)))
        .optional("fails_at_ns", lines.iter().map(|line| line.failure.map(|point| point.at)))?
        .optional("demand_ns", lines.iter().map(|line| line.failure.map(|point| point.demand)))?
        .optional("blocking_ns", lines.iter().map(|line| line.failure.map(|point| point.blocking)))?
        .table()
}

/// The policy, the place of the task, the bound, whether it is within the deadline, and why there is none.
type BoundRow = (&'static str, usize, Option<u64>, Option<bool>, Option<String>);

/// Under `runlist` by [EDF] Theorem 1, then under the policy in one address space.
fn all_bounds(
    scenario: &Scenario,
    by_runlist: &[Result<RunlistBound, Inapplicable>],
    kind: PolicyKind,
    in_one_space: &[Result<Span, NoBound>],
) -> Result<Table, TableError> {
    let mut rows: Vec<BoundRow> = Vec::new();
    for (place, (task, bound)) in scenario.tasks().iter().zip(by_runlist).enumerate() {
        rows.push(match bound {
            Ok(bound) => {
                let within = task.deadline.map(|deadline| own::within(bound, deadline));
                let beyond = bound.every_switch.is_none().then(|| "beyond 64 bits".to_owned());
                (PolicyKind::Runlist.word(), place, bound.every_switch.map(Span::ns), within, beyond)
            }
            Err(why) => (PolicyKind::Runlist.word(), place, None, None, Some(why.sentence(scenario))),
        });
    }
    for (place, (task, bound)) in scenario.tasks().iter().zip(in_one_space).enumerate() {
        rows.push(match bound {
            Ok(bound) => (kind.word(), place, Some(bound.ns()), task.deadline.map(|deadline| *bound <= deadline), None),
            Err(why) => (kind.word(), place, None, None, Some(why.sentence(scenario))),
        });
    }
    let tasks = scenario.tasks();
    Columns::default()
        .found_words("policy", rows.iter().map(|row| Some(row.0)))?
        .words("task", tasks.iter().map(|task| &task.name), rows.iter().map(|row| Some(row.1)))?
        .optional("bound_ns", rows.iter().map(|row| row.2))?
        .optional("deadline_ns", rows.iter().map(|row| tasks[row.1].deadline.map(Span::ns)))?
        .truths("is_within", rows.iter().map(|row| row.3))
        .texts("why_none", rows.iter().map(|row| row.4.clone()))
        .table()
}

/// Tests task sets under EDF: a row of each array is a set.
///
/// `costs`, `periods` and `deadlines` have the same shape: (sets, tasks), or (tasks,) for a single set. They are arrays, other buffers or lists
/// of whole numbers from 0 in one unit of time; zeros in all of them fill up short sets. Without `deadlines` the periods are taken. `preemptive`
/// says whether a job gives way at once or runs to its end. `switch` is what a switch costs, in the same unit: a job pays for two, or for one
/// if it is not preempted ([LP] IV-A).
///
/// The table has a row for each set. `schedulable` is True if every deadline is met for certain, however far apart the releases are. It is False
/// if the demand by the instant `fails_at` may be more than fits, and None if the search reached its limit.
///
/// Raises `Error` if shapes differ, if a number is negative, not whole or beyond 64 bits, and if a task has no cost or no period.
#[pyfunction]
#[pyo3(signature = (costs, periods, deadlines=None, *, preemptive=true, switch=0))]
pub(crate) fn edf_schedulable(
    py: Python<'_>,
    costs: &Bound<'_, PyAny>,
    periods: &Bound<'_, PyAny>,
    deadlines: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = argument::preemptive)] preemptive: bool,
    #[pyo3(from_py_with = argument::switch)] switch: u64,
) -> PyResult<Table> {
    let costs = numbers(py, "costs", costs)?;
    let periods = numbers(py, "periods", periods)?;
    let deadlines = deadlines.map(|deadlines| numbers(py, "deadlines", deadlines)).transpose()?;
    for (field, other) in [("periods", Some(&periods)), ("deadlines", deadlines.as_ref())] {
        if let Some(other) = other.filter(|other| other.shape() != costs.shape()) {
            let ((sets, tasks), (rows, columns)) = (costs.shape(), other.shape());
            let message = format!("has {rows} rows of {columns}, and costs have {sets} of {tasks}");
            return Err(of_argument(py, field, other.shape(), None, message));
        }
    }
    let deadlines = deadlines.as_ref().unwrap_or(&periods);
    let (sets, tasks) = costs.shape();
    let mut all: Vec<Task> = Vec::with_capacity(sets * tasks);
    let filled = costs.values.iter().zip(&periods.values).zip(&deadlines.values);
    for (place, ((&cost, &period), &deadline)) in filled.enumerate() {
        let task = Task { cost, period, deadline, section: cost, spread: 0 };
        let is_filler = (cost, period, deadline) == (0, 0, 0);
        if let Some(problem) = task.problem().filter(|_| !is_filler) {
            let field = if period == 0 { "periods" } else { "costs" };
            let place = format!("{field}[{}][{}]", place / tasks, place % tasks);
            return Err(of_argument(py, &place, 0, Some(1), format_args!("this task {problem}")));
        }
        all.push(task);
    }
    let preemption = if preemptive { Preemption::Thread } else { Preemption::None };
    let test = EdfTest::for_preemption(preemption, switch, (1, 1));
    let verdicts = apart(py, move |halt| {
        let mut demand = Demand::new([]);
        let mut set: Vec<Task> = Vec::new();
        let verdict = |row: &[Task]| {
            set.clear();
            set.extend(row.iter().filter(|task| task.period > 0));
            demand.set(test.inflated(&set), 0);
            (!halt.is_asked()).then(|| demand.verdict())
        };
        all.chunks(tasks.max(1)).map_while(verdict).collect::<Vec<Verdict>>()
    })?;
    let passes = |verdict: &Verdict| match verdict {
        Verdict::Passes => Some(true),
        Verdict::Fails { .. } => Some(false),
        Verdict::Undecided => None,
    };
    let at = |verdict: &Verdict| match *verdict {
        Verdict::Fails { at } => at,
        Verdict::Passes | Verdict::Undecided => None,
    };
    Ok(Columns::default().truths("schedulable", verdicts.iter().map(passes)).optional("fails_at", verdicts.iter().map(at))?.table()?)
}
