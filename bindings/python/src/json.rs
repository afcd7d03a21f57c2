//! A dict as the text of a file.
//!
//! Depends on `argument` and on Python's own `json`. Invariant: what cannot be written is named by its place, such as
//! `kernels[2].blocks`; no number becomes another one.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::argument::{kind, shown};
use crate::error::of_argument;

/// How deep a dict may be nested: as a file.
const MOST_LEVELS: usize = blockstep_format::MAX_DEPTH;

/// The text of a dict. `field` is the argument's name.
pub(crate) fn text_of_dict(py: Python<'_>, field: &str, dict: &Bound<'_, PyDict>) -> PyResult<String> {
    // Numbers of numpy say what they are by `item`.
    let options = PyDict::new(py);
    options.set_item("default", py.import("operator")?.call_method1("methodcaller", ("item",))?)?;
    options.set_item("allow_nan", false)?;
    let written = py.import("json")?.call_method("dumps", (dict,), Some(&options)).and_then(|text| text.extract());
    written.map_err(|why| mistake(dict.as_any(), "", &mut Vec::new()).unwrap_or_else(|| of_argument(py, field, dict, None, why)))
}

/// What of a value cannot be written, if anything. `above`: the addresses of what the value is in.
fn mistake(value: &Bound<'_, PyAny>, path: &str, above: &mut Vec<usize>) -> Option<PyErr> {
    let py = value.py();
    let wrong = |what: &dyn std::fmt::Display| Some(of_argument(py, path, value, None, what));
    let is_leaf = value.is_none() || value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>();
    if is_leaf {
        return None;
    }
    if value.is_instance_of::<PyFloat>() {
        let is_finite = value.extract::<f64>().is_ok_and(f64::is_finite);
        return if is_finite { None } else { wrong(&format_args!("is {}; a number is expected", shown(value))) };
    }
    if value.is_instance_of::<PyInt>() {
        return if value.str().is_ok() { None } else { wrong(&"is a number of too many digits") };
    }
    let address = value.as_ptr().addr();
    if above.contains(&address) {
        return wrong(&"holds itself");
    }
    if above.len() >= MOST_LEVELS {
        return wrong(&format_args!("is nested deeper than {MOST_LEVELS} levels"));
    }
    above.push(address);
    let found = if let Ok(dict) = value.cast::<PyDict>() {
        dict.iter().find_map(|(key, value)| match key.cast::<PyString>() {
            Ok(name) => {
                let name = name.to_string_lossy();
                mistake(&value, &if path.is_empty() { name.into_owned() } else { format!("{path}.{name}") }, above)
            }
            Err(_) => wrong(&format_args!("has a key of type {}; keys are texts", kind(&key))),
        })
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items = value.try_iter().into_iter().flatten().flatten().enumerate();
        items.into_iter().find_map(|(place, item)| mistake(&item, &format!("{path}[{place}]"), above))
    } else if let Ok(number) = value.call_method0("item") {
        mistake(&number, path, above)
    } else {
        wrong(&format_args!("is of type {}, which a file does not hold", kind(value)))
    };
    above.pop();
    found
}
