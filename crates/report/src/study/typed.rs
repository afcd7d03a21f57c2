//! A task set as text: a task a line, execution time, period, and deadline if it is not the period.
//!
//! Depends on `scenario` and `view::quantity`. Invariant: what cannot be read is named with its line,
//! its field and its value.

use blockstep_sim::scenario::{Draft, Interleave, KernelDraft, PolicyDraft, PolicyKind, ProcessDraft, Release, TaskDraft};
use blockstep_view::quantity::{self, Unit};

/// Most tasks of a set.
const MAX_TASKS: usize = 100;
/// The fields of a line.
const FIELDS: [&str; 3] = ["execution time", "period", "deadline"];

/// The scenario of a task set: every task in a process of its own, at the high level of the runlist,
/// with one kernel that fills a TX2 for its execution time; released together, under EDF without servers.
///
/// # Errors
/// What is wrong with the text; a sentence.
pub fn draft(text: &str) -> Result<Draft, String> {
    let mut draft = Draft { name: "Task set".to_owned(), ..Draft::default() };
    draft.policy = PolicyDraft { kind: PolicyKind::Edf, cbs: false, ..PolicyDraft::default() };
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = draft.tasks.len() + 1;
        if number > MAX_TASKS {
            return Err(format!("Line {}: a task set has at most {MAX_TASKS} tasks.", i + 1));
        }
        let (cost, period, deadline) = task(line).map_err(|why| format!("Line {}: {why}", i + 1))?;
        let (name, process) = (format!("t{number}"), format!("P{number}"));
        draft.kernels.push(KernelDraft { task: Some(name.clone()), ..KernelDraft::named(format!("K{number}"), 4, 1024, cost) });
        draft.tasks.push(TaskDraft {
            process: Some(process.clone()),
            release: Release::Periodic,
            period_ns: Some(period),
            deadline_ns: deadline,
            ..TaskDraft::named(name)
        });
        draft.processes.push(ProcessDraft { interleave: Interleave::High, ..ProcessDraft::named(process) });
    }
    if draft.tasks.is_empty() { Err("There is no task: write one a line, as 3 ms, 10 ms.".to_owned()) } else { Ok(draft) }
}

/// Execution time, period, and the deadline if there is one, in ns.
fn task(line: &str) -> Result<(u64, u64, Option<u64>), String> {
    let parts: Vec<&str> = line.split([',', ';', '\t']).map(str::trim).collect();
    if parts.len() < 2 || parts.len() > FIELDS.len() {
        let count = parts.len();
        return Err(format!(
            "\"{}\" has {count} of the fields execution time, period and deadline; write them as 3 ms, 10 ms, 8 ms",
            line.trim()
        ));
    }
    let read = |i: usize| {
        let ns = quantity::parse(Unit::Time, parts[i]).map_err(|why| format!("{}: {why}", FIELDS[i]))?;
        if ns == 0 { Err(format!("{}: \"{}\" is 0, and at least 1 ns is needed", FIELDS[i], parts[i])) } else { Ok(ns) }
    };
    let deadline = if parts.len() > 2 { Some(read(2)?) } else { None };
    Ok((read(0)?, read(1)?, deadline))
}
