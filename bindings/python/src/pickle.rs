//! How objects are pickled: a function of ours that makes them again, and what it takes.
//!
//! Depends on Python's import of this module. Invariant: what is made again answers everything as the first one did.

use pyo3::prelude::*;

/// What `__reduce__` gives.
pub(crate) type Pickled<'py, T> = (Bound<'py, PyAny>, T);

/// The function of this name, and what it takes.
pub(crate) fn by<'py, T>(py: Python<'py>, function: &str, takes: T) -> PyResult<Pickled<'py, T>> {
    Ok((py.import("blockstep._blockstep")?.getattr(function)?, takes))
}
