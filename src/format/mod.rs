//! Files: scenarios in and out, traces out, and the files of other tools.
//!
//! Depends on `scenario`, `trace` and `record`. Invariants: no input panics, hangs or exhausts the
//! stack; a reader says what it does not understand instead of skipping it. Source: the file
//! format and, for the examiner, the programs of cuda_scheduling_examiner.

mod csv;
mod error;
mod json;
mod json_out;
mod json_text;
mod read;
mod trace_json;
mod write;

pub use csv::write_csv;
pub use error::{FormatError, Located, locate};
pub use trace_json::write_trace;
pub use write::write_scenario;

use crate::scenario::Draft;
use crate::trace::Trace;

/// Longest text that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 32 * 1024 * 1024;

/// Reads a scenario file, strictly.
///
/// # Errors
/// Everything wrong with its form, each with line and field. What its values mean is checked by
/// [`crate::scenario::Scenario::new`].
pub fn read_scenario(text: &str) -> Result<Draft, FormatError> {
    within_limit(text)?;
    let doc = json::Document::parse(text).map_err(|e| FormatError::syntax(text, &e))?;
    read::scenario(&doc)
}

/// The run as text, one line a step: the form that is easiest to read and to compare.
#[must_use]
pub fn write_steps(trace: &Trace) -> String {
    trace.text()
}

/// Why a text or file of this length is not read.
#[must_use]
pub fn too_large(bytes: u64) -> Option<FormatError> {
    (bytes > MAX_FILE_BYTES as u64)
        .then(|| FormatError::whole(format!("the file has {bytes} bytes; at most {MAX_FILE_BYTES} (32 MiB) are read")))
}

fn within_limit(text: &str) -> Result<(), FormatError> {
    too_large(text.len() as u64).map_or(Ok(()), Err)
}
