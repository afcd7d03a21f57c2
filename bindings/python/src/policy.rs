//! Scheduling policies as texts, and a search over requests that breaks them.
//!
//! Depends on `policy` and `format`. Invariant: what a search found is what the command line prints as JSON.

use std::str::FromStr;
use std::sync::Arc;

use blockstep_format::write_policy_report;
use blockstep_policy::Program;
use blockstep_policy::examples::{EXAMPLES, find};
use blockstep_search::{Property, Report, Search};
use blockstep_sim::scenario::{Choice, PolicyKind};
use blockstep_sim::work::{Budget, Progress};
use pyo3::prelude::*;

use crate::argument;
use crate::error::{no_such, of_argument, plain};
use crate::pickle::{Pickled, by};
use crate::work::apart;

/// Decisions between two looks at the halt.
const PORTION: u64 = 10_000;

/// A scheduling policy that was read.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct Policy {
    name: String,
    pub(crate) text: String,
    program: Arc<Program>,
}

/// What is given as a policy.
pub(crate) enum PolicyGiven {
    /// The text of one that was read.
    Read(String),
    /// A kind, the name of a published one, or a text.
    Said(String),
}

/// What schedules.
pub(crate) enum Under {
    Kind(PolicyKind),
    Text(String),
}

impl Under {
    /// What is scheduled by, instead of by what a file says.
    ///
    /// # Errors
    /// If there is no policy of the name, or the text has a mistake.
    pub(crate) fn new(py: Python<'_>, given: PolicyGiven) -> PyResult<Self> {
        let said = match given {
            PolicyGiven::Read(text) => return Ok(Self::Text(text)),
            PolicyGiven::Said(said) => said,
        };
        let kinds = PolicyKind::ALL.iter().map(|kind| kind.word());
        match PolicyKind::from_word(&said) {
            Some(kind) => Ok(Self::Kind(kind)),
            None => Policy::read(py, "policy", &said, "policy", kinds).map(|policy| Self::Text(policy.text)),
        }
    }
}

/// What a search of a policy found.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct PolicyReport {
    name: String,
    program: Arc<Program>,
    report: Report,
}

/// Reads a policy.
///
/// `text` is the name of a published policy (`policies()`), or a text in the language of docs/policy-language.md, which reports call by `name`.
///
/// Raises `Error` if there is no policy of that name, and if the text has a mistake: its `line` counts from 1, and its `value` is the word.
#[pyfunction]
#[pyo3(signature = (text, *, name="policy".to_owned()), text_signature = "(text, *, name='policy')")]
pub(crate) fn policy(
    py: Python<'_>,
    #[pyo3(from_py_with = argument::policy_text)] text: String,
    #[pyo3(from_py_with = argument::name)] name: String,
) -> PyResult<Policy> {
    Policy::read(py, "text", &text, &name, [])
}

/// A policy that was pickled.
#[pyfunction]
pub(crate) fn _policy(py: Python<'_>, name: &str, text: &str) -> PyResult<Policy> {
    Policy::of_text(py, "text", name, text)
}

impl Policy {
    /// A published one by its name, or a text. `more`: names of what else may be given there.
    fn read<'w>(py: Python<'_>, field: &str, given: &str, name: &str, more: impl IntoIterator<Item = &'w str>) -> PyResult<Self> {
        match find(given) {
            Some(example) => Self::of_text(py, field, example.id, example.text),
            // No text is one word.
            None if argument::is_word(given) => {
                let mut known: Vec<&str> = more.into_iter().collect();
                // A kind goes before a published one of its name.
                let published: Vec<&str> = policies().into_iter().filter(|name| !known.contains(name)).collect();
                known.extend(published);
                Err(no_such(py, field, "policy", given, &known))
            }
            None => Self::of_text(py, field, name, given),
        }
    }

    fn of_text(py: Python<'_>, field: &str, name: &str, text: &str) -> PyResult<Self> {
        let program = Program::new(text).map_err(|e| {
            let error = of_argument(py, field, &e.word, None, format_args!("{e}"));
            // Setting an attribute of ours does not fail.
            let _ = error.value(py).setattr("line", e.line);
            error
        })?;
        Ok(Self { name: name.to_owned(), text: text.to_owned(), program: Arc::new(program) })
    }
}

/// The names of the published policies, which `policy` reads and `policy=` takes.
#[pyfunction]
pub(crate) fn policies() -> Vec<&'static str> {
    EXAMPLES.iter().map(|example| example.id).collect()
}

#[pymethods]
impl Policy {
    /// What it is called.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Its text.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<blockstep.Policy: {}>", self.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, (String, String)>> {
        by(py, "_policy", (self.name.clone(), self.text.clone()))
    }

    /// Searches all orders of requests of up to so many `tasks`, 1 to 8, for one that breaks it; where deadlines are looked for, task sets too.
    ///
    /// `properties` names what to look for, as `--property` of `blockstep policy check` does; without it, the search looks for what the text
    /// expects. Raises `Error` if there is no such property, or if this policy cannot be searched.
    #[pyo3(signature = (*, tasks=4, properties=None))]
    fn check(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::tasks)] tasks: usize,
        #[pyo3(from_py_with = argument::properties)] properties: Option<Vec<String>>,
    ) -> PyResult<PolicyReport> {
        let properties = match properties {
            None => Property::for_program(&self.program),
            Some(words) => words
                .iter()
                .map(|word| Property::from_str(word).map_err(|e| of_argument(py, "properties", word, None, e)))
                .collect::<PyResult<_>>()?,
        };
        let mut search = Search::new(&self.program, tasks, &properties).map_err(plain)?;
        // What is not divided of it may take long.
        let report = apart(py, move |halt| {
            while !halt.is_asked() && search.advance(&mut Budget::new(PORTION)) == Progress::Paused {}
            search.report()
        })?;
        Ok(PolicyReport { name: self.name.clone(), program: Arc::clone(&self.program), report })
    }
}

#[pymethods]
impl PolicyReport {
    /// Whether something of it is broken; a warning is no fault.
    #[getter]
    fn has_fault(&self) -> bool {
        self.report.has_fault()
    }

    /// Whether every state was visited, so that what is not broken holds; false if only task sets were run.
    #[getter]
    fn is_closed(&self) -> bool {
        self.report.is_over
    }

    /// Why the search ended early, if it did.
    #[getter]
    fn stopped(&self) -> Option<String> {
        self.report.stopped.map(|stopped| stopped.to_string())
    }

    /// States that were visited.
    #[getter]
    fn states(&self) -> usize {
        self.report.states()
    }

    /// A dict for each property: its verdict, and of a fault the requests and what happens.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.to_dict(py)?.get_item("properties")
    }

    /// All of it, as the command line prints it as JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (write_policy_report(&self.name, &self.program, &self.report),))
    }

    fn __repr__(&self) -> String {
        let what = match (self.report.has_fault(), self.report.is_over) {
            (true, _) => "a fault",
            (false, true) => "no fault",
            (false, false) => "no fault so far",
        };
        let states = if self.report.has_requests { format!(" in {} states", self.report.states()) } else { String::new() };
        let sets = self.report.times.map_or_else(String::new, |times| format!(" in {} task sets", times.sets));
        let and = if states.is_empty() || sets.is_empty() { "" } else { " and" };
        format!("<blockstep.PolicyReport: {}, {what}{states}{and}{sets}>", self.name)
    }
}
