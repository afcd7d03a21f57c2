//! What sentences call logs, launches and times, and what has to be said of a run as a whole.
//!
//! Depends on `rebuild` and `scenario`. Invariant: a time is written as the log has it, so that it can be searched for there.

use std::collections::BTreeSet;

use super::rebuild::short_names;
use super::{Measured, MeasuredBlock};
use crate::language::and_more;
use crate::scenario;

/// A time in seconds with nine decimals, as the logs write it: `0.118530857 s`.
#[must_use]
pub fn seconds(ns: i64) -> String {
    let (sign, ns) = (if ns < 0 { "-" } else { "" }, ns.unsigned_abs());
    format!("{sign}{}.{:09} s", ns / 1_000_000_000, ns % 1_000_000_000)
}

/// A name on one line, such that no part of it is taken for a command.
pub(crate) fn plain(name: &str) -> String {
    scenario::plain(name.trim())
}

/// What sentences call the logs and launches of a run; launches as pictures do.
pub struct Named<'r> {
    /// The run.
    pub run: &'r Measured,
    launches: Vec<Vec<String>>,
}

impl<'r> Named<'r> {
    /// The names of a run. Cost: `n log n` in the number of launches.
    #[must_use]
    pub fn new(run: &'r Measured) -> Self {
        Self { run, launches: short_names(run) }
    }

    /// What a log is called.
    #[must_use]
    pub fn log_name(&self, log: usize) -> String {
        self.run.log_name(log)
    }

    /// What a launch is called: as its blocks in pictures.
    #[must_use]
    pub fn launch_name(&self, log: usize, launch: usize) -> String {
        self.launches.get(log).and_then(|names| names.get(launch)).map_or_else(|| self.log_name(log), |name| plain(name))
    }
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
        let empty: Vec<&str> = self.logs.iter().filter(|log| log.kernels.is_empty()).map(|log| log.file.as_str()).collect();
        if !empty.is_empty() {
            let named: Vec<_> = empty.iter().take(5).map(|file| plain(file)).collect();
            let named = and_more(&named, empty.len() - named.len());
            notes.push(format!("These logs have no kernels, so nothing in them was checked: {named}."));
        }
        for (copy, of) in self.copies.iter().take(5) {
            notes.push(format!("{} is the same log as {} and was left out.", plain(copy), plain(of)));
        }
        if self.copies.len() > 5 {
            notes.push(format!("And {} more were given twice.", self.copies.len() - 5));
        }
        let with_pid = self.logs.iter().filter(|log| log.pid.is_some()).count();
        if with_pid > 0 && with_pid < self.logs.len() {
            notes.push("Logs without a PID are taken as one process.".to_owned());
        }
        let files: BTreeSet<&str> = self.logs.iter().map(|log| log.file.as_str()).collect();
        if files.len() < self.logs.len() {
            notes.push("Some logs have the same name of file, but differ.".to_owned());
        }
        notes
    }
}
