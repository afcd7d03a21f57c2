//! Whether blocks that need each other can hang.
//!
//! Depends on `resident`. Invariant: what a search found is what the command line prints as JSON.

use blockstep_resident::{Found, MAX_STATES, Question, Refused, Report};
use blockstep_sim::work::{Budget, Progress};
use pyo3::prelude::*;

use crate::argument;
use crate::error::plain;
use crate::input::{Instead, load};
use crate::policy::PolicyGiven;
use crate::work::apart;

/// Work between two looks at whether somebody waits: some milliseconds.
const PORTION: u64 = 100_000;

/// What a search of all orders of arrival found.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct ResidentReport {
    report: Report,
}

/// Searches all orders in which kernels may arrive for one that hangs; for scenarios whose blocks spin (`barrier`, `until_begun`,
/// `until_all_begun`, `until_completed`).
///
/// `source`, `policy`, `device` and `duration` are those of `simulate`. Raises `Error` if any of these is wrong, if nothing spins, or if
/// processes take turns, and `OSError` if the file cannot be read.
#[pyfunction]
#[pyo3(signature = (source, *, policy=None, device=None, duration=None))]
pub(crate) fn check_resident(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = argument::policy)] policy: Option<PolicyGiven>,
    #[pyo3(from_py_with = argument::device)] device: Option<String>,
    duration: Option<&Bound<'_, PyAny>>,
) -> PyResult<ResidentReport> {
    let loaded = load(py, source, Instead::new(py, policy, device.as_deref(), duration)?)?;
    let mut question = Question::new(&loaded.draft, MAX_STATES).map_err(plain)?;
    let report = apart(py, move |halt| {
        while !halt.is_asked() && question.advance(&mut Budget::new(PORTION))? == Progress::Paused {}
        question.report().cloned().ok_or_else(|| Refused::Limit("the search was stopped".to_owned()))
    })?;
    Ok(ResidentReport { report: report.map_err(plain)? })
}

#[pymethods]
impl ResidentReport {
    /// True if an order hangs, False if none does, and None if the search reached its bound first.
    #[getter]
    fn hangs(&self) -> Option<bool> {
        match self.report.answer.found {
            Found::Hang(_) => Some(true),
            Found::None => Some(false),
            Found::Open => None,
        }
    }

    /// The answer in a sentence.
    #[getter]
    fn sentence(&self) -> String {
        self.report.verdict().trim_end_matches(':').to_owned()
    }

    /// Orders of launches that the table allows, at most; None if they are too many to be counted.
    #[getter]
    fn orders(&self) -> Option<u128> {
        self.report.answer.orders
    }

    /// States that were searched.
    #[getter]
    fn states(&self) -> u64 {
        self.report.answer.states
    }

    /// A dict for each kernel: how many of its blocks the device holds, and how many are resident beside each other kernel.
    #[getter]
    fn residents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.get_item("residents")
    }

    /// The hang: what arrives in which order, who waits for whom in the end, and a scenario that hangs when it is run; None without one.
    #[getter]
    fn hang<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.call_method1("get", ("hang",))
    }

    /// The same of the smallest table that hangs, if one is smaller.
    #[getter]
    fn smallest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.call_method1("get", ("smallest",))
    }

    /// A dict for each change with which no order hangs.
    #[getter]
    fn repairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.get_item("repairs")
    }

    /// All of it, as the command line prints it as JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.report.json(),))
    }

    fn __str__(&self) -> String {
        self.report.text()
    }

    fn __repr__(&self) -> String {
        format!("<blockstep.ResidentReport: {}>", self.sentence())
    }
}
