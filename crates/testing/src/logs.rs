//! Logs as readers take them and as runs give them.

use blockstep_format::write_logs;
use blockstep_sim::record::Records;
use blockstep_sim::trace::Trace;

/// Texts by name as the reader takes them.
pub fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect()
}

/// The logs of a run: names and texts.
pub fn logs_of(trace: &Trace, records: &Records) -> Vec<(String, String)> {
    write_logs(trace, records).into_iter().map(|(name, text)| (name, text.to_string())).collect()
}
