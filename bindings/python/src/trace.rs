//! Traces of profilers: what the end waited for, why operations waited, and what would shorten it.
//!
//! Invariant: every time is exact.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use blockstep_sim::scenario::BuiltIn;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_time_short;
use blockstep_traces::causes::{self, KnownSettings};
use blockstep_traces::files::write_comparison_json;
use blockstep_traces::gain::promises::Advice;
use blockstep_traces::gain::{self, Gains, NoGains};
use blockstep_traces::path::compare::{Compared, Times, compare};
use blockstep_traces::path::{self, DevicePath};
use blockstep_traces::summary::Summary;
use blockstep_traces::{Recording, tables as traces};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::argument;
use crate::error::{of_argument, plain};
use crate::input::{no_device, of_system};
use crate::table::{Columns, Table};
use crate::work::apart;

/// What is read and explained of a trace.
struct Explained {
    recording: Recording,
    analysis: causes::Analysis,
    paths: Vec<DevicePath>,
}

/// A trace of a profiler, explained.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct Trace {
    of: Arc<Explained>,
    path: PyOnceLock<Py<Table>>,
    causes: PyOnceLock<Py<Table>>,
    gains: PyOnceLock<Py<Table>>,
}

/// Reads a trace of the PyTorch profiler (Kineto) or of JAX, an export of Nsight Systems or the output of rocprofv3, and explains it
/// (docs/traces.md).
///
/// `path` is the file. `gpu` is the id of a built-in device, for a trace that does not name one. `connections` is the number of connections
/// that the program had to the GPU, 1 to 32 (`CUDA_DEVICE_MAX_CONNECTIONS`), if you know it.
///
/// Raises `Error` if the file is not such a trace, and `OSError` if it cannot be read.
#[pyfunction]
#[pyo3(signature = (path, *, gpu=None, connections=None))]
pub(crate) fn trace(
    py: Python<'_>,
    #[pyo3(from_py_with = argument::path)] path: PathBuf,
    #[pyo3(from_py_with = argument::gpu)] gpu: Option<String>,
    #[pyo3(from_py_with = argument::connections)] connections: Option<u32>,
) -> PyResult<Trace> {
    let gpu = gpu.map(|id| BuiltIn::find(&id).ok_or_else(|| no_device(py, "gpu", &id))).transpose()?;
    File::open(&path).map_err(|e| of_system(py, &path.to_string_lossy(), e))?;
    let file = path.clone();
    let explained = apart(py, move |halt| {
        let mut recording = blockstep_traces::files::read_profile_file(&path, &mut |_| !halt.is_asked()).map_err(|why| why.to_string())?;
        if let Some(gpu) = gpu {
            recording.assume_gpu(gpu);
        }
        let analysis = causes::Analysis::new(&recording, KnownSettings { connections }, &mut |_| !halt.is_asked());
        Ok(analysis.map(|analysis| {
            let paths = path::paths(&recording, &analysis);
            Explained { recording, analysis, paths }
        }))
    })?;
    match explained {
        Ok(Some(of)) => Ok(Trace { of: Arc::new(of), path: PyOnceLock::new(), causes: PyOnceLock::new(), gains: PyOnceLock::new() }),
        Ok(None) => Err(PyKeyboardInterrupt::new_err(())),
        Err::<_, String>(why) => Err(of_argument(py, "path", file, None, why)),
    }
}

fn short(span: Span) -> String {
    format_time_short(span.ns())
}

impl Trace {
    fn table(
        &self,
        py: Python<'_>,
        kept: &PyOnceLock<Py<Table>>,
        make: impl FnOnce(&Explained) -> PyResult<Table> + Send + 'static,
    ) -> PyResult<Py<Table>> {
        let made = kept.get_or_try_init(py, || {
            let of = Arc::clone(&self.of);
            Py::new(py, apart(py, move |_| make(&of))??)
        })?;
        Ok(made.clone_ref(py))
    }
}

#[pymethods]
impl Trace {
    /// Where the time went, a sentence for each device.
    #[getter]
    fn answer(&self) -> Vec<String> {
        self.of.paths.iter().map(|path| path::words::sentence(&self.of.recording, path)).collect()
    }

    /// Operations that were recorded.
    fn __len__(&self) -> usize {
        self.of.recording.operations.len()
    }

    fn __str__(&self) -> String {
        self.answer().join("\n")
    }

    fn __repr__(&self) -> String {
        format!("<blockstep.Trace: {} operations. {}>", self.__len__(), self.answer().join(" "))
    }

    /// What the end of each device's work waited for, a row a piece.
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.path, |of| Ok(traces::path(Columns::default(), &of.recording, &of.paths)?.table()?))
    }

    /// Why operations waited, a row for each part of each wait.
    #[getter]
    fn causes(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.causes, |of| Ok(traces::causes(Columns::default(), &of.recording, &of.analysis)?.table()?))
    }

    /// What changes of the program would gain, a row for each change. Raises `Error`, which says why, if this trace does not show that.
    #[getter]
    fn gains(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.gains, |of| match gain::gains(&of.recording, &of.analysis, &of.paths) {
            Ok(gains) => Ok(traces::gains(Columns::default(), &of.recording, &gains)?.table()?),
            Err(why) => {
                let (_, note) = gain::words::said(&of.recording, Err::<&Gains, &NoGains>(&why), &short);
                Err(plain(note))
            }
        })
    }

    /// What the command line prints of it as JSON, with at most so many rows of each list.
    #[pyo3(signature = (*, top=10))]
    fn to_dict<'py>(&self, py: Python<'py>, #[pyo3(from_py_with = argument::top)] top: usize) -> PyResult<Bound<'py, PyAny>> {
        let of = Arc::clone(&self.of);
        let text = apart(py, move |_| {
            let Explained { recording, analysis, paths } = &*of;
            let gains = gain::gains(recording, analysis, paths);
            blockstep_traces::files::write_waits_json((recording, analysis), &Summary::new(recording, analysis), paths, gains.as_ref(), top)
        })?;
        py.import("json")?.call_method1("loads", (text,))
    }
    /// Compares it with the trace of the program after a change: what the command line prints of the two as JSON. `verdict` says by how much a
    /// step, or the run, is faster or slower; `changes` has what changed; `promises` what this trace promised, beside what the other leaves of it.
    fn compare<'py>(&self, py: Python<'py>, after: &Self) -> PyResult<Bound<'py, PyAny>> {
        let (before, after) = (Arc::clone(&self.of), Arc::clone(&after.of));
        let text = apart(py, move |_| {
            let kept = |of: &Explained| {
                let Explained { recording, analysis, paths } = of;
                // Every recording has an operation or something of the host, so each has a path.
                let times = paths.first().map(|path| Times::new(Compared { recording, path }));
                let gains = gain::gains(recording, analysis, paths).ok();
                (times, gains.map(|gains| Advice::new(recording, &gains)))
            };
            let ((before, promised), (after, left)) = (kept(&before), kept(&after));
            let promises = promised.zip(left).map(|(promised, left)| promised.promises(&left));
            before.zip(after).map(|(before, after)| write_comparison_json(&compare(&before, &after), promises.as_deref()))
        })?;
        let text = text.ok_or_else(|| plain("there is nothing to compare".to_owned()))?;
        py.import("json")?.call_method1("loads", (text,))
    }
}
