//! What the reader opened: logs, and perhaps the scenario or config that was run.
//!
//! Invariant: nothing is opened unless every file can be.

use std::sync::Arc;

use crate::runs;
use blockstep_format::{self as format, FormatError, ImportOptions, LogsError, Source};
use blockstep_sim::measured::Measured;
use blockstep_sim::scenario::{Draft, Scenario};

pub(super) struct Read {
    pub(super) measured: Option<Arc<Measured>>,
    pub(super) mark: String,
    pub(super) scenario: Option<Draft>,
    pub(super) is_config: bool,
}

/// Why files are not opened: what is wrong with which, a line each.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error("{}: not logs, because they have no times. You can open one scenario or config together with its logs.", .0.join(", "))]
    NoLogs(Vec<String>),
    #[error("{file}: {error}")]
    Scenario { file: String, error: FormatError },
    #[error("{file}: {error}\nOpen it by itself first, then the logs.")]
    NeedsDuration { file: String, error: FormatError },
    #[error(transparent)]
    Logs(#[from] LogsError),
    /// What tells that they are.
    #[error("These are logs of different runs. {0} Open the logs of each run separately.")]
    OfDifferentRuns(String),
}

/// Reads them.
///
/// # Errors
/// If a file is neither a log nor a scenario or config, if there are several of these, or if the logs are not of one run.
pub(super) fn read(files: &[(String, String)]) -> Result<Read, ReadError> {
    let (logs, others): (Vec<_>, Vec<_>) = files.iter().partition(|(_, text)| format::is_log(text));
    if others.len() > 1 {
        return Err(ReadError::NoLogs(others.iter().map(|(name, _)| name.clone()).collect()));
    }
    let mut made = Read { measured: None, mark: mark(&logs), scenario: None, is_config: false };
    if let Some((name, text)) = others.first() {
        let file = || name.clone();
        let opened = format::open(text, &ImportOptions::default()).map_err(|error| {
            let file = file();
            if error.needs_duration { ReadError::NeedsDuration { file, error } } else { ReadError::Scenario { file, error } }
        })?;
        Scenario::new(&opened.draft).map_err(|error| ReadError::Scenario { file: file(), error: opened.explain(&error, text) })?;
        made.is_config = opened.source == Source::Examiner;
        made.scenario = Some(opened.draft);
    }
    if !logs.is_empty() {
        let contents: Vec<(&str, &str)> = logs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let measured = format::read_logs(&contents)?;
        if let Some(why) = measured.apart() {
            return Err(ReadError::OfDifferentRuns(why));
        }
        made.measured = Some(Arc::new(measured));
    }
    Ok(made)
}

fn mark(logs: &[&(String, String)]) -> String {
    runs::mark(logs.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]))
}
