//! The runs measured on a GPU that the page offers, in files of its own: what they are called, and what is in one.
//!
//! Invariant: a file of these is opened as its scenario and logs would be.

use serde::Deserialize;
use serde_json::value::RawValue;

/// A run that was measured on an NVIDIA H200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredExample {
    /// Its file is `measured/NAME.json`.
    pub name: &'static str,
    pub title: &'static str,
}

/// The same list as in `scripts/page-measured.py`, which writes the files.
pub const MEASURED_EXAMPLES: [MeasuredExample; 5] = [
    MeasuredExample { name: "scaled-tx2-table-1", title: "Table 1 of [TX2], scaled to 132 SMs" },
    MeasuredExample { name: "long-queue", title: "The head of a queue holds up what would fit (X1)" },
    MeasuredExample { name: "priority-two-levels", title: "A high-priority kernel goes before waiting blocks" },
    MeasuredExample { name: "null-and-non-blocking", title: "The NULL stream, and a stream that does not wait for it" },
    MeasuredExample { name: "connections-33-streams-8", title: "33 streams on 8 hardware connections" },
];

#[derive(Deserialize)]
struct Packed<'a> {
    #[serde(borrow)]
    scenario: &'a RawValue,
    #[serde(borrow)]
    logs: Vec<&'a RawValue>,
}

/// Why a file is not that of an example.
#[derive(Debug, thiserror::Error)]
#[error("{name}.json is not a measured run ({error}).")]
pub struct UnpackError {
    name: String,
    error: serde_json::Error,
}

/// The files in the file of an example, the scenario first: name and text of each.
///
/// # Errors
/// If it is not the file of an example.
pub fn unpack_example(name: &str, text: &str) -> Result<Vec<(String, String)>, UnpackError> {
    let packed: Packed<'_> = serde_json::from_str(text).map_err(|error| UnpackError { name: name.to_owned(), error })?;
    let scenario = (format!("{name}.json"), packed.scenario.get().to_owned());
    let logs = packed.logs.iter().enumerate().map(|(i, log)| (format!("{name}-log{i}.json"), log.get().to_owned()));
    Ok(std::iter::once(scenario).chain(logs).collect())
}
