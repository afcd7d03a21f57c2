//! The one exception of this package: what is wrong, with the field, its value and its limit.
//!
//! Depends on `format` and `policy`. Invariant: every one has all attributes, `None` where something does not apply.

use blockstep_format::{FormatError, Located};
use blockstep_policy::hint;
use blockstep_sim::trace::Cut;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

pyo3::create_exception!(
    blockstep,
    Error,
    PyValueError,
    "A scenario, argument or file that Blockstep does not take, and why.\n\nIt has the first problem's `field`, `value`, `limit` (a number in the unit of the field), `line` (from 1) and `message`, and all `problems` as\ndicts with the same names. What does not apply is None."
);

/// What an exception says of one problem, and those of its first problem.
pub(crate) const ATTRIBUTES: [&str; 5] = ["field", "value", "limit", "line", "message"];

/// An exception of one problem with an argument.
pub(crate) fn of_argument<'py>(
    py: Python<'py>,
    field: &str,
    value: impl IntoPyObject<'py>,
    limit: Option<u64>,
    message: impl std::fmt::Display,
) -> PyErr {
    let build = || {
        let problem = PyDict::new(py);
        problem.set_item("field", field)?;
        problem.set_item("value", value)?;
        problem.set_item("limit", limit)?;
        problem.set_item("line", py.None())?;
        problem.set_item("message", message.to_string())?;
        with_problems(&format!("{field}: {message}"), vec![problem])
    };
    build().unwrap_or_else(|e: PyErr| e)
}

/// That there is none of this name, which names there are, and the one that was probably meant.
pub(crate) fn none_such(what: &str, name: &str, known: &[&str]) -> String {
    format!("there is no {what} \"{name}\"; there are {}{}", known.join(", "), hint(name, known.iter().copied()))
}

/// An exception of an unknown name.
pub(crate) fn no_such(py: Python<'_>, field: &str, what: &str, name: &str, known: &[&str]) -> PyErr {
    of_argument(py, field, name, None, none_such(what, name, known))
}

/// An exception that has a message alone.
pub(crate) fn plain(message: impl std::fmt::Display) -> PyErr {
    Python::attach(|py| {
        let build = || {
            let problem = PyDict::new(py);
            for name in ATTRIBUTES {
                problem.set_item(name, py.None())?;
            }
            problem.set_item("message", message.to_string())?;
            with_problems(&message.to_string(), vec![problem])
        };
        build().unwrap_or_else(|e: PyErr| e)
    })
}

/// What is wrong with a file, or with a scenario that was read from `text`.
pub(crate) fn of_file(py: Python<'_>, file: &str, text: &str, error: &FormatError) -> PyErr {
    let build = || {
        // Whatever is no JSON has no values that could be looked up.
        let json = py.import("json")?.call_method1("loads", (text,)).ok();
        let problems = error.problems.iter().map(|problem| of_problem(py, json.as_ref(), problem)).collect::<PyResult<Vec<_>>>()?;
        let prefix = if file.is_empty() { String::new() } else { format!("{file}: ") };
        with_problems(&format!("{prefix}{}", error.with_notes()), problems)
    };
    build().unwrap_or_else(|e: PyErr| e)
}

/// Why a run was cut.
pub(crate) fn of_cut(py: Python<'_>, cut: &Cut) -> PyErr {
    match cut {
        Cut::StepLimit { limit, .. } => of_argument(py, "max_steps", *limit, Some((*limit).into()), cut),
        Cut::TimeOverflow { .. } => of_argument(py, "end_ns", py.None(), Some(u64::MAX), cut),
        Cut::Internal { .. } | Cut::WorkLimit { .. } | Cut::PolicyFailed { .. } => plain(cut),
    }
}

fn of_problem<'py>(py: Python<'py>, json: Option<&Bound<'py, PyAny>>, problem: &Located) -> PyResult<Bound<'py, PyDict>> {
    let said = PyDict::new(py);
    let field = Some(problem.path.as_str()).filter(|path| !path.is_empty());
    said.set_item("field", field)?;
    said.set_item("value", field.and_then(|path| value_at(json?, path)))?;
    said.set_item("limit", problem.limit)?;
    said.set_item("line", problem.line)?;
    said.set_item("message", &problem.message)?;
    Ok(said)
}

/// The value of a field such as `kernels[2].blocks`, if it is there.
fn value_at<'py>(json: &Bound<'py, PyAny>, path: &str) -> Option<Bound<'py, PyAny>> {
    let mut value = json.clone();
    for part in path.split(['.', '[']) {
        value = match part.strip_suffix(']') {
            Some(place) => value.get_item(place.parse::<usize>().ok()?).ok()?,
            None => value.get_item(part).ok()?,
        };
    }
    Some(value)
}

fn with_problems(message: &str, problems: Vec<Bound<'_, PyDict>>) -> PyResult<PyErr> {
    Python::attach(|py| {
        let error = Error::new_err(message.to_owned());
        let instance = error.value(py);
        if let Some(first) = problems.first() {
            for name in ATTRIBUTES {
                instance.setattr(name, first.get_item(name)?)?;
            }
        }
        instance.setattr("problems", PyList::new(py, problems)?)?;
        Ok(error)
    })
}

/// Adds the class to the module, with its attributes for those who look at the class.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = module.py().get_type::<Error>();
    for name in ATTRIBUTES {
        class.setattr(name, module.py().None())?;
    }
    class.setattr("problems", PyList::empty(module.py()))?;
    module.add("Error", class)
}
