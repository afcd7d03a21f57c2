//! Parts of a study or of a sweep, joined to the whole.
//!
//! Depends on `sweep`. Invariant: the whole is what `blockstep sweep-merge` prints of these parts.

use blockstep_sweep::MergeError;
use pyo3::prelude::*;

use crate::argument;
use crate::error::{of_argument, of_file};
use crate::work::apart;

/// Joins parts, the texts of `csv()` or of `blockstep sweep`, in any order, to the text that one process would have given.
///
/// Raises `Error`, which names them, if sets, runs or parts are missing, and if a part is of another study or sweep or is there twice.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, #[pyo3(from_py_with = argument::parts)] parts: Vec<String>) -> PyResult<String> {
    let wrong = |field: &str, why: &dyn std::fmt::Display| Err(of_argument(py, field, None::<u64>, None, why));
    let place = |number: usize| format!("parts[{number}]");
    let (merged, parts) = apart(py, move |_| (blockstep_sweep::merge(&parts), parts))?;
    let merged = match merged {
        Ok(merged) => merged,
        Err(MergeError::Format(number, why)) => return Err(of_file(py, &place(number), &parts[number], &why)),
        Err(why @ (MergeError::Study(number, _) | MergeError::Runs(number, _))) => return wrong(&place(number), &why),
        Err(why @ MergeError::Nothing) => return wrong("parts", &why),
    };
    merged.missing.map_or_else(|| Ok(merged.whole.write()), |missing| wrong("parts", &missing))
}
