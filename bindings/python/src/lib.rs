//! Blockstep for Python: scenarios are run, and what happened comes as columns that pandas, polars and pyarrow read.
//!
//! Depends on the crates that the command line uses, and on PyO3. Invariants: nothing is computed or worded here that the command line
//! computes or words too; Python goes on with other threads while work is done; Ctrl-C ends the wait for it.

mod analyse;
mod argument;
mod error;
mod input;
mod json;
mod merge;
mod numbers;
mod pickle;
mod policy;
mod resident;
mod run;
mod state;
mod study;
mod sweep;
mod table;
mod trace;
mod work;

use pyo3::prelude::*;

/// Breaks, so that tests see what becomes of it: on the thread of the call, or on one of its own.
#[pyfunction]
#[pyo3(signature = (*, is_apart))]
#[expect(clippy::panic, reason = "that is what it is for")]
fn _break(py: Python<'_>, is_apart: bool) -> PyResult<()> {
    if is_apart { work::apart(py, |_| panic!("broken on purpose")) } else { panic!("broken on purpose") }
}

/// What `blockstep` takes from here.
#[pymodule]
fn _blockstep(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::add(module)?;
    module.add_class::<analyse::Analysis>()?;
    module.add_class::<policy::Policy>()?;
    module.add_class::<policy::PolicyReport>()?;
    module.add_class::<resident::ResidentReport>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<state::State>()?;
    module.add_class::<state::Why>()?;
    module.add_class::<study::Study>()?;
    module.add_class::<sweep::Sweep>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<trace::Trace>()?;
    module.add_function(wrap_pyfunction!(analyse::analyse, module)?)?;
    module.add_function(wrap_pyfunction!(analyse::edf_schedulable, module)?)?;
    module.add_function(wrap_pyfunction!(merge::merge, module)?)?;
    module.add_function(wrap_pyfunction!(resident::check_resident, module)?)?;
    module.add_function(wrap_pyfunction!(policy::policies, module)?)?;
    module.add_function(wrap_pyfunction!(policy::policy, module)?)?;
    module.add_function(wrap_pyfunction!(study::studies, module)?)?;
    module.add_function(wrap_pyfunction!(study::study, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::sweep, module)?)?;
    module.add_function(wrap_pyfunction!(trace::trace, module)?)?;
    module.add_function(wrap_pyfunction!(_break, module)?)?;
    module.add_function(wrap_pyfunction!(policy::_policy, module)?)?;
    module.add_function(wrap_pyfunction!(run::_run, module)?)?;
    module.add_function(wrap_pyfunction!(study::_study, module)?)?;
    module.add_function(wrap_pyfunction!(sweep::_sweep, module)?)?;
    module.add_function(wrap_pyfunction!(table::_table, module)?)?;
    module.add_function(wrap_pyfunction!(input::example, module)?)?;
    module.add_function(wrap_pyfunction!(input::examples, module)?)?;
    module.add_function(wrap_pyfunction!(run::simulate, module)?)
}
