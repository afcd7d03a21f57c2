//! What the reader opened: logs, and perhaps the scenario or config that was run.
//!
//! Invariant: nothing is opened unless every file can be.

use std::sync::Arc;

use crate::runs;
use blockstep_format::{self as format, ImportOptions, Source};
use blockstep_sim::measured::Measured;
use blockstep_sim::scenario::{Draft, Scenario};

pub(super) struct Read {
    pub(super) measured: Option<Arc<Measured>>,
    pub(super) mark: String,
    pub(super) scenario: Option<Draft>,
    pub(super) is_config: bool,
}

/// Reads them.
///
/// # Errors
/// What is wrong with which file, a line each.
pub(super) fn read(files: &[(String, String)]) -> Result<Read, String> {
    let (logs, others): (Vec<_>, Vec<_>) = files.iter().partition(|(_, text)| format::is_log(text));
    if others.len() > 1 {
        let names: Vec<&str> = others.iter().map(|(name, _)| name.as_str()).collect();
        return Err(format!(
            "{}: not logs, because they have no times. You can open one scenario or config together with its logs.",
            names.join(", ")
        ));
    }
    let mut made = Read { measured: None, mark: mark(&logs), scenario: None, is_config: false };
    if let Some((name, text)) = others.first() {
        let opened = format::open(text, &ImportOptions::default()).map_err(|error| {
            let said = if error.needs_duration { needs_duration } else { wrong_file };
            said(name, &error.to_string())
        })?;
        Scenario::new(&opened.draft).map_err(|error| wrong_file(name, &opened.explain(&error, text).to_string()))?;
        made.is_config = opened.source == Source::Examiner;
        made.scenario = Some(opened.draft);
    }
    if !logs.is_empty() {
        let contents: Vec<(&str, &str)> = logs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let measured = format::read_logs(&contents).map_err(|error| error.to_string())?;
        if let Some(why) = measured.apart() {
            return Err(format!("These are logs of different runs. {why} Open the logs of each run separately."));
        }
        made.measured = Some(Arc::new(measured));
    }
    Ok(made)
}

fn mark(logs: &[&(String, String)]) -> String {
    runs::mark(logs.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]))
}

fn wrong_file(file: &str, problem: &str) -> String {
    format!("{file}: {problem}")
}

fn needs_duration(file: &str, problem: &str) -> String {
    format!("{file}: {problem}\nOpen it by itself first, then the logs.")
}
