//! What is simulated or analysed: a path, a text or a dict, and what is taken instead of its own.
//!
//! Depends on `format`. Invariant: a text is told from a path by how it begins: every file that is read begins with `{` or `<`.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use blockstep_analysis::parts;
use blockstep_format::{self as format, FormatError, ImportOptions};
use blockstep_sim::examples as built_in;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::scenario::{BuiltIn, Draft, PolicyKind, Scenario};
use blockstep_view::quantity::{self, Unit};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::argument;
use crate::error::{no_such, of_argument, of_file};
use crate::json::text_of_dict;
use crate::policy::{PolicyGiven, Under};
use crate::work::apart;

/// Length of a text from which on it is read on a thread of its own, bytes: tens of milliseconds.
const LONG: usize = 1_000_000;

/// A scenario without mistakes.
pub(crate) struct Loaded {
    pub(crate) draft: Draft,
    pub(crate) scenario: Arc<Scenario>,
    /// What an importer assumed, and what is doubtful, a sentence each.
    pub(crate) notes: Vec<String>,
}

/// What is taken instead of what a file says.
#[derive(Default)]
pub(crate) struct Instead {
    policy: Option<Under>,
    options: ImportOptions,
}

impl Instead {
    pub(crate) fn new(
        py: Python<'_>,
        policy: Option<PolicyGiven>,
        device: Option<&str>,
        duration: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let policy = policy.map(|given| Under::new(py, given));
        let device = device.map(|id| BuiltIn::find(id).ok_or_else(|| no_device(py, "device", id)));
        let duration = duration.map(|duration| time_ns(py, "duration", duration)).transpose()?;
        if duration == Some(0) {
            return Err(of_argument(py, "duration", 0, Some(1), "is 0; a block runs for at least 1 ns"));
        }
        Ok(Self { policy: policy.transpose()?, options: ImportOptions { default_duration_ns: duration, device: device.transpose()? } })
    }
}

/// Why there is no such device.
pub(crate) fn no_device(py: Python<'_>, field: &str, id: &str) -> PyErr {
    let known: Vec<&str> = BUILT_IN.iter().map(|device| device.id).collect();
    no_such(py, field, "built-in device", id, &known)
}

/// A time: whole nanoseconds, or a text such as `10ms`.
pub(crate) fn time_ns(py: Python<'_>, field: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    if value.is_instance_of::<PyString>() {
        return quantity::parse(Unit::Time, &argument::text(field, value)?).map_err(|e| of_argument(py, field, value, None, e));
    }
    if !value.hasattr("__index__")? {
        return Err(argument::of_type(field, value, "a time: whole nanoseconds, or a text such as \"10ms\""));
    }
    argument::whole(field, value, 0..=u64::MAX)
}

/// A text, and where it is from.
pub(crate) struct Source {
    pub(crate) text: String,
    /// What messages call its file; empty if there is none.
    pub(crate) file: String,
    /// Whether its lines are those of whoever wrote it.
    pub(crate) has_lines: bool,
}

/// What is given as a name, of which there is no file.
pub(crate) fn name_of<'a>(source: &'a Bound<'_, PyAny>) -> Option<&'a str> {
    let name = source.cast::<PyString>().ok()?.to_str().ok()?;
    (argument::is_word(name) && !Path::new(name).exists()).then_some(name)
}

/// The text of a file that may also be given as a text or a dict.
pub(crate) fn text_of(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Source> {
    if let Ok(dict) = source.cast::<PyDict>() {
        return Ok(Source { text: text_of_dict(py, "source", dict)?, file: String::new(), has_lines: false });
    }
    // A path may have what no text has: bytes that are no characters.
    if let Some(text) = source.cast::<PyString>().ok().and_then(|text| text.to_str().ok()) {
        let begin = text.trim_start_matches('\u{feff}').trim_start();
        if begin.starts_with(['{', '<']) || begin.is_empty() {
            return Ok(Source { text: text.to_owned(), file: String::new(), has_lines: true });
        }
    }
    let path: PathBuf = source.extract().map_err(|_| argument::of_type("source", source, "a path, a text or a dict"))?;
    read(py, path)
}

/// The text of a file.
fn read(py: Python<'_>, path: PathBuf) -> PyResult<Source> {
    let name = path.display().to_string();
    let bytes = apart(py, move |_| -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(format::MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    })?;
    let bytes = bytes.map_err(|e| of_system(py, &name, e))?;
    if let Some(why) = format::too_large(bytes.len() as u64) {
        return Err(of_file(py, &name, "", &why));
    }
    if let Some(what) = format::foreign(&bytes) {
        return Err(of_argument(py, "source", &name, None, what));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let good = e.utf8_error().valid_up_to();
        let line = 1 + e.as_bytes()[..good].iter().filter(|&&b| b == b'\n').count();
        of_argument(py, "source", &name, None, format_args!("{name}: line {line}: not UTF-8 text (byte {good})"))
    })?;
    Ok(Source { text, file: name, has_lines: true })
}

/// Python's own exception of a file that cannot be read, with its number, its words and the name.
pub(crate) fn of_system(py: Python<'_>, name: &str, error: std::io::Error) -> PyErr {
    let Some(number) = error.raw_os_error() else { return error.into() };
    let words = py.import("os").and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>());
    words.map_or_else(|why| why, |words| PyOSError::new_err((number, words, name.to_owned())))
}

/// Reads and checks a scenario.
pub(crate) fn load(py: Python<'_>, source: &Bound<'_, PyAny>, instead: Instead) -> PyResult<Loaded> {
    if let Some(id) = name_of(source).filter(|id| built_in::find(id).is_some()) {
        let message = format!("there is no file \"{id}\"; bs.example(\"{id}\") is the example of this name");
        return Err(of_argument(py, "source", id, None, message));
    }
    let Source { text, file, has_lines } = text_of(py, source)?;
    let shared = Arc::new(text);
    let loaded = if shared.len() < LONG {
        load_text(&shared, &instead)
    } else {
        let text = Arc::clone(&shared);
        apart(py, move |_| load_text(&text, &instead))?
    };
    loaded.map_err(|mut e| {
        if !has_lines {
            e.problems.iter_mut().for_each(|problem| problem.line = None);
        }
        of_file(py, &file, &shared, &e)
    })
}

/// The same of a text of ours.
pub(crate) fn load_text(text: &str, instead: &Instead) -> Result<Loaded, FormatError> {
    let mut opened = format::open(text, &instead.options)?;
    let policy = &mut opened.draft.policy;
    match &instead.policy {
        None => {}
        Some(Under::Kind(kind)) => policy.kind = *kind,
        Some(Under::Text(text)) => (policy.kind, policy.text) = (PolicyKind::Own, text.clone()),
    }
    let scenario = Scenario::new(&opened.draft).map_err(|e| opened.explain(&e, text))?;
    let notes = opened.notes_on(&scenario, text);
    Ok(Loaded { draft: opened.draft, scenario, notes })
}

/// The ids of the scenarios that are built in.
#[pyfunction]
pub(crate) fn examples() -> Vec<&'static str> {
    built_in::all().map(|example| example.id).collect()
}

/// The built-in scenario with this `id`, one of `examples()`, as a text: JSON of docs/file-format.md.
///
/// Raises `Error` if there is no such example; the message lists all of them.
#[pyfunction]
pub(crate) fn example(py: Python<'_>, #[pyo3(from_py_with = argument::id)] id: String) -> PyResult<&'static str> {
    built_in::find(&id).map(|example| example.json).ok_or_else(|| no_such(py, "id", "example", &id, &examples()))
}

/// What is in part `(i, n)` of `count` things: all of them if no part is asked for.
pub(crate) fn in_part(py: Python<'_>, count: u64, part: Option<(u64, u64)>) -> PyResult<Range<u64>> {
    let (number, of) = part.unwrap_or((1, 1));
    if (1..=of).contains(&number) {
        return Ok(parts::part(count, number, of));
    }
    Err(of_argument(py, "part", (number, of), None, "is not one of the parts (1, N) to (N, N)"))
}
