//! Traces of profilers: what the end waited for, why operations waited, and what would shorten it.
//!
//! Depends on `profile` and `format`. Invariants: rows and columns are those of the command line's tables; every time is exact.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use blockstep_format as format;
use blockstep_profile::causes::{self, Cause, KnownSettings, WaitPart};
use blockstep_profile::gain::{self, Gains, NoGains, TriedChange};
use blockstep_profile::path::{self, DevicePath, PathPiece, PathStep};
use blockstep_profile::summary::Summary;
use blockstep_profile::{Operation, Recording, words};
use blockstep_sim::occupancy::NAMES;
use blockstep_sim::scenario::BuiltIn;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_time_short;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::argument;
use crate::error::{of_argument, plain};
use crate::input::{no_device, of_system};
use crate::table::{Columns, Table, TableError};
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

/// Reads a trace of the PyTorch profiler (Kineto) or an export of Nsight Systems, and explains it (docs/traces.md).
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
        let mut recording = format::read_profile_file(&path, &mut |_| !halt.is_asked()).map_err(|why| why.to_string())?;
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

/// Columns of every piece of every path, by time.
fn path_table(of: &Explained) -> Result<Table, TableError> {
    let recording = &of.recording;
    let pieces: Vec<(&DevicePath, &PathPiece)> =
        of.paths.iter().flat_map(|path| path.pieces.iter().map(move |piece| (path, piece))).collect();
    let subject = |(path, piece): &(&DevicePath, &PathPiece)| piece.subject(recording, path.device);
    let operation = |piece: &PathPiece| match piece.step {
        PathStep::Running(place) | PathStep::Waiting(place, _) => Some(u64::from(place)),
        PathStep::Call(_) | PathStep::Host(_) | PathStep::After | PathStep::Unknown => None,
    };
    Columns::default()
        .numbers("device", pieces.iter().map(|(path, _)| recording.devices[path.device as usize].id))?
        .numbers("from_ns", pieces.iter().map(|(_, piece)| piece.from.ns()))?
        .numbers("to_ns", pieces.iter().map(|(_, piece)| piece.to.ns()))?
        .found_words("share", pieces.iter().map(|piece| Some(subject(piece).share.word())))?
        .texts("what", pieces.iter().map(|piece| Some(path::words::subject(recording, subject(piece)))))
        .found_words("cause", pieces.iter().map(|piece| subject(piece).cause.map(Cause::word)))?
        .found_words("certainty", pieces.iter().map(|(_, piece)| Some(words::certainty(piece.certainty))))?
        .optional("operation", pieces.iter().map(|(_, piece)| operation(piece)))?
        .table()
}

/// Columns of every part of every wait.
fn cause_table(of: &Explained) -> Result<Table, TableError> {
    let recording = &of.recording;
    let parts: Vec<(usize, &Operation, &WaitPart)> = recording
        .operations
        .iter()
        .enumerate()
        .flat_map(|(place, operation)| of.analysis.parts(place as u32).iter().map(move |part| (place, operation, part)))
        .collect();
    let by = |part: &WaitPart| part.by.map(|by| recording.name(&recording.operations[by as usize]).to_owned());
    let lack = |part: &WaitPart| part.lack.and_then(|lack| NAMES.get(usize::from(lack.resource)).map(|name| (*name, lack)));
    Columns::default()
        .numbers("operation", parts.iter().map(|part| part.0 as u64))?
        .texts("name", parts.iter().map(|part| Some(recording.name(part.1).to_owned())))
        .numbers("device", parts.iter().map(|part| recording.device(part.1).id))?
        .numbers("stream", parts.iter().map(|part| recording.stream(part.1).id))?
        .times("called_ns", parts.iter().map(|part| recording.call(part.1).map(|call| call.start)))?
        .numbers("start_ns", parts.iter().map(|part| part.1.start.ns()))?
        .numbers("end_ns", parts.iter().map(|part| part.1.end.ns()))?
        .found_words("cause", parts.iter().map(|part| Some(part.2.cause.word())))?
        .found_words("certainty", parts.iter().map(|part| Some(words::certainty(part.2.certainty))))?
        .numbers("part_ns", parts.iter().map(|part| part.2.span().ns()))?
        .optional("by", parts.iter().map(|part| part.2.by.map(u64::from)))?
        .texts("by_name", parts.iter().map(|part| by(part.2)))
        .found_words("lack", parts.iter().map(|part| lack(part.2).map(|lack| lack.0)))?
        .optional("needed", parts.iter().map(|part| lack(part.2).map(|lack| lack.1.needed)))?
        .optional("free", parts.iter().map(|part| lack(part.2).map(|lack| lack.1.free)))?
        .optional("correlation", parts.iter().map(|part| part.1.correlation))?
        .table()
}

/// Columns of every change that was tried, the one that gains most first.
fn gain_table(of: &Explained, gains: &Gains) -> Result<Table, TableError> {
    let tried: &[TriedChange] = &gains.tried;
    Columns::default()
        .found_words("change", tried.iter().map(|tried| Some(tried.change.word())))?
        .texts("what", tried.iter().map(|tried| Some(gain::words::change(&of.recording, tried.change))))
        .texts("only_if", tried.iter().map(|tried| gain::words::condition(&of.recording, tried.change)))
        .numbers("wall_ns", tried.iter().map(|tried| tried.wall_ns))?
        .numbers("gain_ns", tried.iter().map(|tried| gains.gain_ns(tried)))?
        .truths("is_proposed", tried.iter().map(|tried| Some(gains.is_proposed(tried))))
        .table()
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
        self.table(py, &self.path, |of| Ok(path_table(of)?))
    }

    /// Why operations waited, a row for each part of each wait.
    #[getter]
    fn causes(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.causes, |of| Ok(cause_table(of)?))
    }

    /// What changes of the program would gain, a row for each change. Raises `Error`, which says why, if this trace does not show that.
    #[getter]
    fn gains(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        self.table(py, &self.gains, |of| match gain::gains(&of.recording, &of.analysis) {
            Ok(gains) => Ok(gain_table(of, &gains)?),
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
            let gains = gain::gains(recording, analysis);
            format::write_waits_json((recording, analysis), &Summary::new(recording, analysis), paths, gains.as_ref(), top)
        })?;
        py.import("json")?.call_method1("loads", (text,))
    }
}
