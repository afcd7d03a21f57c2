//! What the schedulability tests say of a scenario, and of task sets in arrays.
//!
//! Depends on `analysis` and `report`. Invariant: what is called schedulable is, as far as the test covers it.

use blockstep_analysis::demand::Demand;
use blockstep_analysis::edf::EdfTest;
use blockstep_analysis::{Task, Verdict};
use blockstep_format as format;
use blockstep_report::verdicts::{self, Verdicts};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::scenario::Preemption;
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
    let limits = Limits::default();
    let run = move |scenario: &_| Some(engine::simulate(scenario, limits));
    let found = apart(py, move |_| Verdicts::new(&loaded.draft, &loaded.scenario, limits, &mut { run }))?.map_err(plain)?;
    let table = |made: Result<Columns, TableError>| Py::new(py, made?.table()?);
    let tasks = table(verdicts::tasks(Columns::default(), &found))?;
    let edf = table(verdicts::edf(Columns::default(), &found))?;
    let bounds = table(verdicts::bounds(Columns::default(), &found))?;
    let Verdicts { verdict, sentence, missed, judged, utilization, not_covered, .. } = found;
    Ok(Analysis { scenario, verdict, sentence, missed, judged, utilization, not_covered, tasks, edf, bounds })
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
