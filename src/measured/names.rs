//! What sentences call logs, launches and times, and what has to be said of a run as a whole.
//!
//! Depends on nothing. Invariant: a time is written as the log has it, so that it can be searched for there.

use std::collections::BTreeSet;

use super::{Measured, MeasuredBlock};

/// A time in seconds with nine decimals, as the logs write it: `0.118530857 s`.
#[must_use]
pub fn seconds(ns: i64) -> String {
    let (sign, ns) = (if ns < 0 { "-" } else { "" }, ns.unsigned_abs());
    format!("{sign}{}.{:09} s", ns / 1_000_000_000, ns % 1_000_000_000)
}

/// A name on one line, such that a terminal takes no part of it for a command.
pub(crate) fn plain(name: &str) -> String {
    name.trim().chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

impl Measured {
    /// What a log is called: its label, or what else tells it from the others.
    #[must_use]
    pub fn log_name(&self, log: usize) -> String {
        let Some(this) = self.logs.get(log) else { return String::new() };
        let is_unique = |name: &str, of: fn(&super::Log) -> &str| {
            !name.trim().is_empty() && self.logs.iter().filter(|other| of(other) == name).count() == 1
        };
        if is_unique(&this.label, |l| &l.label) {
            plain(&this.label)
        } else if is_unique(&this.file, |l| &l.file) {
            plain(&this.file)
        } else {
            format!("log {}", log + 1)
        }
    }

    /// What a launch is called: its kernel, which one of that name where its log has several, and its log.
    #[must_use]
    pub fn launch_name(&self, log: usize, launch: usize) -> String {
        let name = self.log_name(log);
        let Some((this, all)) = self.logs.get(log).and_then(|l| Some((l.kernels.get(launch)?, &l.kernels))) else { return name };
        let twins = all.iter().filter(|other| other.name == this.name).count();
        let number = all.iter().take(launch).filter(|other| other.name == this.name).count() + 1;
        match (this.name.trim().is_empty(), twins > 1) {
            (true, false) => name,
            (true, true) => format!("{name} #{number}"),
            (false, false) => format!("{} ({name})", plain(&this.name)),
            (false, true) => format!("{} #{number} ({name})", plain(&this.name)),
        }
    }

    /// When the first block began and the last ended, if there are blocks.
    #[must_use]
    pub fn extent(&self) -> Option<(i64, i64)> {
        let blocks = || self.blocks();
        let begin = blocks().map(|b| b.start_ns).min()?;
        let end = blocks().map(|b| b.end_ns.max(b.start_ns)).max()?;
        Some((begin, end))
    }

    /// All blocks, log by log.
    pub fn blocks(&self) -> impl Iterator<Item = &MeasuredBlock> {
        self.logs.iter().flat_map(|log| &log.kernels).flat_map(|kernel| &kernel.blocks)
    }

    /// What a reader should know of these logs as a run, a sentence each.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let scenarios: BTreeSet<&str> = self.logs.iter().map(|log| log.scenario.as_str()).collect();
        if scenarios.len() > 1 {
            let named: Vec<_> = scenarios.iter().take(5).map(|name| format!("“{}”", plain(name))).collect();
            let more = if scenarios.len() > 5 { " and more" } else { "" };
            notes.push(format!("The logs name different scenarios, {}{more}; they are taken as one run.", named.join(", ")));
        }
        let empty = self.logs.iter().filter(|log| log.kernels.is_empty()).count();
        if empty > 0 {
            notes.push(format!("{empty} of {} logs have no kernels.", self.logs.len()));
        }
        let with_pid = self.logs.iter().filter(|log| log.pid.is_some()).count();
        if with_pid > 0 && with_pid < self.logs.len() {
            notes.push("Logs without a PID are taken as one process.".to_owned());
        }
        let files: BTreeSet<&str> = self.logs.iter().map(|log| log.file.as_str()).collect();
        if files.len() < self.logs.len() {
            notes.push("Some logs have the same name of file; if a file was opened twice, its blocks count twice.".to_owned());
        }
        notes
    }
}
