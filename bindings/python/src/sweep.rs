//! Sweeps: a scenario run with many values of its fields, on all cores.
//!
//! Depends on `sweep`. Invariant: what comes out does not depend on the number of cores, and is what the command line writes.

use std::sync::{Mutex, PoisonError};

use blockstep_format as format;
use blockstep_sim::engine::Limits;
use blockstep_sim::language::counted;
use blockstep_sweep::{CellKind, ChartLook, Measure, Part, Plan, SweepError, chart};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::argument;
use crate::error::{of_argument, plain};
use crate::input::{Instead, in_part, load};
use crate::pickle::{Pickled, by};
use crate::policy::PolicyGiven;
use crate::table::{Columns, Table, TableError};
use crate::work::{Halt, ProgressLine, apart_with, on_all_cores};

/// What was measured of the runs of a sweep.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct Sweep {
    plan: Plan,
    rows: Py<Table>,
    part: Part,
}

/// Runs a scenario with each value of some of its fields, or with each combination of them, on all cores.
///
/// `source`, `policy`, `device` and `duration` are those of `simulate`. `vary` has the values of each field: a list, or a text as
/// `blockstep sweep --vary` takes it; at most 1,000,000 combinations. `measure` is one of these or a list of them: `end`, `steps`,
/// `real-time-misses`, `best-effort-late`, `misses`, `utilization`, `first-difference`, `response:NAME` of a task or kernel. Times are in ns, the
/// utilization is in percent. `part=(i, n)` makes part i of n alone, with i from 1 to n. `progress` says whether a line shows how far it is; by
/// default it does in terminals and notebooks.
///
/// Raises `Error` if any of these is wrong, and `OSError` if the file cannot be read. A run that cannot be made is a row with its `problem`.
#[pyfunction]
#[pyo3(signature = (source, vary, *, measure=None, policy=None, device=None, duration=None, part=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn sweep(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    vary: &Bound<'_, PyAny>,
    measure: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = argument::policy)] policy: Option<PolicyGiven>,
    #[pyo3(from_py_with = argument::device)] device: Option<String>,
    duration: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = argument::part)] part: Option<(u64, u64)>,
    #[pyo3(from_py_with = argument::progress)] progress: Option<bool>,
) -> PyResult<Sweep> {
    let loaded = load(py, source, Instead::new(py, policy, device.as_deref(), duration)?)?;
    let of_dict = vary.cast::<PyDict>().map_err(|_| argument::of_type("vary", vary, "a dict of fields with their values"))?;
    let named = |field: &Bound<'_, PyAny>| match field.is_instance_of::<PyString>() {
        true => argument::text("vary", field),
        false => Err(argument::of_type("vary", field, "the name of a field as each key")),
    };
    let vary = of_dict.iter().map(|(field, values)| Ok(format!("{}={}", named(&field)?, values_of(py, &values)?)));
    let vary: Vec<String> = vary.collect::<PyResult<_>>()?;
    let measures = measure.map(|words| argument::texts("measure", words)).transpose()?;
    let measures = measures.map(|words| words.iter().map(|word| word.parse()).collect::<Result<Vec<Measure>, SweepError>>());
    let plan = measures.transpose().and_then(|measures| {
        let measures = measures.unwrap_or_else(|| Measure::USUAL.to_vec());
        Plan::new(&loaded.draft, &vary, &measures, None, Limits::default())
    });
    let plan = plan.map_err(|e| match (e.argument(), measure) {
        (field @ "measure", Some(measure)) => of_argument(py, field, measure, None, e),
        (field, _) => of_argument(py, field, of_dict, None, e),
    })?;
    let runs = in_part(py, plan.count(), part)?;
    let line = ProgressLine::new(py, progress, runs.end - runs.start, "runs")?;
    let (plan, made) = apart_with(py, line, move |halt| {
        let made = rows(&plan, runs, halt);
        (plan, made)
    })?;
    let made = made.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
    let part = Part::new(plan.mark(), plan.count(), plan.header(), made);
    let rows = Py::new(py, table(&part)?)?;
    Ok(Sweep { plan, rows, part })
}

/// A sweep that was pickled.
#[pyfunction]
pub(crate) fn _sweep(py: Python<'_>, mark: &str, count: u64, header: Vec<String>, made: Vec<(u64, Vec<String>)>) -> PyResult<Sweep> {
    let part = Part::new(mark, count, header, made);
    let rows = Py::new(py, table(&part)?)?;
    Ok(Sweep { plan: part.plan().map_err(plain)?, rows, part })
}

/// The mark of a sweep, the number of its runs, the names of the columns, and the rows that were made.
type Made = (String, u64, Vec<String>, Vec<(u64, Vec<String>)>);

/// The values of a field as the command line has them.
fn values_of(py: Python<'_>, values: &Bound<'_, PyAny>) -> PyResult<String> {
    let one = |value: Bound<'_, PyAny>| -> PyResult<String> {
        let text = if let Ok(truth) = value.extract::<bool>() {
            truth.to_string()
        } else if value.is_instance_of::<PyString>() || value.hasattr("__float__")? || value.hasattr("__index__")? {
            argument::text("vary", value.str().map_err(|_| of_argument(py, "vary", &value, None, "has too many digits"))?.as_any())?
        } else {
            return Err(argument::of_type("vary", &value, "a number, a text, True or False as each value"));
        };
        if text.contains([',']) || text.contains("..") || text.starts_with('~') {
            return Err(of_argument(
                py,
                "vary",
                value,
                None,
                format_args!("\"{text}\" is no single value: give a range as a text, not in a list"),
            ));
        }
        Ok(text)
    };
    if values.is_instance_of::<PyString>() {
        return argument::text("vary", values);
    }
    if values.hasattr("__iter__")? {
        return Ok(values.try_iter()?.map(|value| one(value?)).collect::<PyResult<Vec<_>>>()?.join(","));
    }
    one(values.clone())
}

/// The rows of runs, by their numbers, on all cores; `None` if it was stopped.
fn rows(plan: &Plan, runs: std::ops::Range<u64>, halt: &Halt) -> Option<Vec<(u64, Vec<String>)>> {
    let made = Mutex::new(Vec::new());
    on_all_cores(runs, halt, || {
        |run| {
            let row = plan.row(run);
            halt.add(1);
            made.lock().unwrap_or_else(PoisonError::into_inner).push((run, row));
        }
    });
    let mut made = made.into_inner().unwrap_or_else(PoisonError::into_inner);
    made.sort_unstable_by_key(|(run, _)| *run);
    (!halt.is_asked()).then_some(made)
}

/// The rows; a cell that is empty is missing.
fn table(part: &Part) -> Result<Table, TableError> {
    part.header()
        .iter()
        .enumerate()
        .try_fold(Columns::default(), |columns, (place, name)| {
            let cells = part.rows().iter().map(|(_, cells)| cells.get(place).filter(|cell| !cell.is_empty()));
            match part.kind(place) {
                CellKind::Whole => columns.optional(name, cells.map(|cell| cell?.parse().ok())),
                CellKind::Real => Ok(columns.optional_real(name, cells.map(|cell| cell?.parse().ok()))),
                CellKind::Word => columns.found_words(name, cells),
            }
        })?
        .table()
}

impl Sweep {
    fn runs(&self) -> String {
        counted(usize::try_from(self.plan.count()).unwrap_or(usize::MAX), "run")
    }
}

#[pymethods]
impl Sweep {
    /// A row a run: its number, the value of each field, and each measure; `problem` says why a run could not be made.
    #[getter]
    fn rows(&self, py: Python<'_>) -> Py<Table> {
        self.rows.clone_ref(py)
    }

    /// The scenario of a run, counted from 0, as a text. Raises `Error` if there is no such run, or if it could not be made.
    fn scenario(&self, py: Python<'_>, #[pyo3(from_py_with = argument::run)] run: u64) -> PyResult<String> {
        if run >= self.plan.count() {
            return Err(of_argument(py, "run", run, Some(self.plan.count() - 1), format_args!("the sweep has {}", self.runs())));
        }
        self.plan.draft(run).map(|draft| format::write_scenario(&draft)).map_err(|why| of_argument(py, "run", run, None, why))
    }

    /// The rows as a table that `merge` and `blockstep sweep-merge` read.
    fn csv(&self) -> String {
        self.part.write()
    }

    /// A measure against the fields, as the text of an SVG. Raises `Error` if it was not measured.
    #[pyo3(signature = (measure="end".to_owned()), text_signature = "($self, measure='end')")]
    fn svg(&self, py: Python<'_>, #[pyo3(from_py_with = argument::one_measure)] measure: String) -> PyResult<String> {
        let measure = measure.as_str();
        let parsed: Measure = measure.parse().map_err(|e| of_argument(py, "measure", measure, None, e))?;
        chart(&self.part, &parsed, ChartLook::FILE).map(|chart| chart.svg).map_err(|e| of_argument(py, "measure", measure, None, e))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, Made>> {
        by(py, "_sweep", (self.plan.mark().to_owned(), self.plan.count(), self.part.header().to_vec(), self.part.rows().to_vec()))
    }

    fn __repr__(&self) -> String {
        format!("<blockstep.Sweep: {}>", self.runs())
    }
}
