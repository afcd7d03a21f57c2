//! Names of a scenario as names and texts of C++.
//!
//! Depends on `plan`. Invariants: a name is an identifier that nothing else of the program has, as it begins with a word of ours; a comment
//! or a literal ends where it is to end, whatever it holds.

use std::collections::HashSet;

use super::ProcessPlan;
use blockstep_sim::scenario::plain;
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{EventId, StreamId, TaskId};

/// Longest part taken over from a name, in characters.
const MOST: usize = 40;

/// The identifiers of a process.
pub(super) struct Names {
    /// By place: `task_T0`.
    pub(super) tasks: Vec<String>,
    /// By place: `K1`. Whatever is named after a row begins with another word.
    pub(super) rows: Vec<String>,
    /// By place: `stream_S1`.
    pub(super) streams: Vec<String>,
    /// By number: `event_E`.
    pub(super) events: Vec<String>,
}

impl Names {
    pub(super) fn new(trace: &Trace, process: &ProcessPlan) -> Self {
        let scenario = trace.scenario();
        let task = |number: usize| scenario.task(TaskId::at(number)).name.as_str();
        let stream = |number: usize| trace.layout().stream(StreamId::at(number)).name.as_str();
        Self {
            tasks: unique("task_", process.tasks.iter().map(|plan| task(plan.number))),
            rows: unique("", process.rows.iter().map(|row| row.name.as_str())),
            streams: unique("stream_", process.streams.iter().map(|plan| stream(plan.number))),
            events: unique("event_", (0..process.events).map(|event| scenario.event_name(EventId::at(event)))),
        }
    }
}

fn unique<'n>(prefix: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut all = Vec::new();
    for name in names {
        let base: String = name.chars().take(MOST).map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut own = format!("{prefix}{base}");
        let mut number = 1;
        while !taken.insert(own.clone()) {
            number += 1;
            own = format!("{prefix}{base}_{number}");
        }
        all.push(own);
    }
    all
}

/// A name in a comment: one line, which a backslash at its end would continue.
pub(super) fn comment(name: &str) -> String {
    plain(name).replace('\\', "/")
}

/// A text as a literal.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // No digit after it can belong to it.
            c if c.is_control() => out.extend(c.to_string().bytes().map(|byte| format!("\\{byte:03o}"))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
