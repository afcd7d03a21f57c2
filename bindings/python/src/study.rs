//! Studies of random task sets, on all cores.
//!
//! Depends on `analysis` and `format`. Invariant: what comes out does not depend on the number of cores.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use blockstep_analysis::presets;
use blockstep_analysis::results::Results;
use blockstep_analysis::sweep::{Counter, Counts, Sweep};
use blockstep_format as format;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::argument;
use crate::error::{no_such, of_argument, of_file, plain};
use crate::input::{Source, in_part, name_of, text_of};
use crate::pickle::{Pickled, by};
use crate::table::{Columns, Table, TableError};
use crate::work::{Halt, ProgressLine, apart_with, on_all_cores};

/// Sets that are counted between two looks at the halt.
const CHUNK: u64 = 64;

/// What was counted of a study.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct Study {
    results: Results,
    points: Py<Table>,
    curves: Py<Table>,
}

/// The ids of the studies that are built in.
#[pyfunction]
pub(crate) fn studies() -> Vec<&'static str> {
    presets::ALL.iter().map(|preset| preset.id).collect()
}

/// Draws random task sets and counts those that pass the tests, on all cores.
///
/// `source` is the id of a built-in study (`studies()`), or parameters as a path, a text or a dict (docs/studies.md). `sets`, the number of sets
/// at each utilization, and `seed` replace its own. `part=(i, n)` counts part i of n alone, with i from 1 to n. `progress` says whether a line
/// shows how far it is; by default it does in terminals and notebooks.
///
/// Raises `Error` if any of these is wrong or there is no such study, and `OSError` if the file cannot be read.
#[pyfunction]
#[pyo3(signature = (source, *, sets=None, seed=None, part=None, progress=None))]
pub(crate) fn study(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = argument::sets)] sets: Option<u64>,
    #[pyo3(from_py_with = argument::seed)] seed: Option<u64>,
    #[pyo3(from_py_with = argument::part)] part: Option<(u64, u64)>,
    #[pyo3(from_py_with = argument::progress)] progress: Option<bool>,
) -> PyResult<Study> {
    let id = source.cast::<PyString>().ok().and_then(|id| id.to_str().ok());
    let mut sweep = match id.and_then(presets::find) {
        Some(preset) => (preset.sweep)(),
        None => {
            if let Some(id) = name_of(source) {
                return Err(no_such(py, "source", "file or study", id, &studies()));
            }
            let Source { text, file, .. } = text_of(py, source)?;
            format::read_sweep(&text).map_err(|e| of_file(py, &file, &text, &e))?
        }
    };
    sweep.sets = sets.unwrap_or(sweep.sets);
    sweep.recipe.seed = seed.unwrap_or(sweep.recipe.seed);
    if let Some(problem) = sweep.problems().first() {
        let value = if problem.path == "sets" { Some(sweep.sets) } else { None };
        return Err(of_argument(py, &problem.path, value, None, &problem.message));
    }
    let sets = in_part(py, sweep.sets, part)?;
    let all = (sets.end - sets.start).saturating_mul(sweep.utilisation.count() as u64);
    let line = ProgressLine::new(py, progress, all, "sets")?;
    let results = apart_with(py, line, move |halt| count(sweep, sets, halt))?.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
    study_of(py, results)
}

/// A study that was pickled.
#[pyfunction]
pub(crate) fn _study(py: Python<'_>, csv: &str) -> PyResult<Study> {
    study_of(py, format::read_results(csv).map_err(plain)?)
}

fn study_of(py: Python<'_>, results: Results) -> PyResult<Study> {
    let (points, curves) = (Py::new(py, points(&results)?)?, Py::new(py, curves(&results)?)?);
    Ok(Study { results, points, curves })
}

/// Counts these of its sets on all cores; `None` if it was stopped.
fn count(sweep: Sweep, sets: Range<u64>, halt: &Halt) -> Option<Results> {
    let utilisations: Vec<u32> = sweep.utilisation.iter().collect();
    let items = (sets.end - sets.start).div_ceil(CHUNK) * utilisations.len() as u64;
    let sum = Mutex::new(vec![Counts::none(sweep.tests.len()); utilisations.len()]);
    on_all_cores(0..items, halt, || {
        let mut counter = Counter::new(&sweep);
        let (sum, sets, utilisations) = (&sum, &sets, &utilisations);
        move |item| {
            let (chunk, point) = (item / utilisations.len() as u64, (item % utilisations.len() as u64) as usize);
            let start = sets.start + chunk * CHUNK;
            let end = (start + CHUNK).min(sets.end);
            let counted = counter.count(utilisations[point], start..end);
            halt.add(end - start);
            // Sums of whole numbers are the same in every order.
            sum.lock().unwrap_or_else(PoisonError::into_inner)[point].add(&counted);
        }
    });
    let counts = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
    (!halt.is_asked()).then(|| Results::new(sweep, sets, counts))
}

/// A row for each utilization and test.
fn points(results: &Results) -> Result<Table, TableError> {
    let (sweep, tests) = (&results.sweep, results.sweep.tests.len());
    let rows: Vec<(u32, &Counts, usize)> = sweep
        .utilisation
        .iter()
        .zip(&results.counts)
        .flat_map(|(utilisation, counts)| (0..tests).map(move |test| (utilisation, counts, test)))
        .collect();
    Columns::default()
        .millionths("utilization", rows.iter().map(|row| row.0))
        .words("test", sweep.tests.iter().map(|test| test.label()), rows.iter().map(|row| Some(row.2)))?
        .numbers("sets", rows.iter().map(|row| row.1.sets))?
        .numbers("undrawn", rows.iter().map(|row| row.1.undrawn))?
        .numbers("passed", rows.iter().map(|row| row.1.passed.get(row.2).copied().unwrap_or(0)))?
        .table()
}

/// A row for each point of each curve of the figure.
fn curves(results: &Results) -> Result<Table, TableError> {
    let curves = results.sweep.curves(&results.counts);
    let rows: Vec<_> = curves.iter().enumerate().flat_map(|(place, curve)| curve.points.iter().map(move |point| (place, point))).collect();
    let is_by_utilisation = results.sweep.figure == blockstep_analysis::sweep::Figure::ByUtilisation;
    let x = |point: u64| if is_by_utilisation { point as f64 / 1e6 } else { point as f64 };
    Columns::default()
        .words("curve", curves.iter().map(|curve| &curve.label), rows.iter().map(|row| Some(row.0)))?
        .real("x", rows.iter().map(|row| x(row.1.0)))
        .millionths("y", rows.iter().map(|row| row.1.1.share))
        .millionths("least", rows.iter().map(|row| row.1.1.least))
        .millionths("most", rows.iter().map(|row| row.1.1.most))
        .table()
}

#[pymethods]
impl Study {
    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.results.sweep.name
    }

    /// A row for each utilization and test: sets that were tested, could not be drawn, and passed.
    #[getter]
    fn points(&self, py: Python<'_>) -> Py<Table> {
        self.points.clone_ref(py)
    }

    /// A row for each point of each curve of its figure, with the band at 95 %.
    #[getter]
    fn curves(&self, py: Python<'_>) -> Py<Table> {
        self.curves.clone_ref(py)
    }

    /// The counts as a table that `merge` and `blockstep sweep-merge` read.
    fn csv(&self) -> String {
        format::write_results(&self.results)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, (String,)>> {
        by(py, "_study", (self.csv(),))
    }

    fn __repr__(&self) -> String {
        let sweep = &self.results.sweep;
        format!("<blockstep.Study: {}, {} sets at each of {} utilizations>", sweep.name, sweep.sets, sweep.utilisation.count())
    }
}
