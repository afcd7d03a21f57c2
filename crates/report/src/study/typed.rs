//! A task set as text: a task a line, execution time, period, and deadline if it is not the period.
//!
//! Depends on `scenario` and `view::quantity`. Invariant: what cannot be read is named with its line,
//! its field and its value.

use blockstep_sim::scenario::{Draft, Interleave, KernelDraft, PolicyDraft, PolicyKind, ProcessDraft, Release, TaskDraft};
use blockstep_view::quantity::{self, QuantityError, Unit};

/// Most tasks of a set.
const MAX_TASKS: usize = 100;
/// The fields of a line.
const FIELDS: [&str; 3] = ["execution time", "period", "deadline"];

/// Why a text is no task set. Lines are counted from 1.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TaskSetError {
    #[error("There is no task: write one a line, as 3 ms, 10 ms.")]
    NoTask,
    #[error("Line {line}: a task set has at most {MAX_TASKS} tasks.")]
    TooMany { line: usize },
    #[error("Line {line}: \"{text}\" has {count} of the fields execution time, period and deadline; write them as 3 ms, 10 ms, 8 ms")]
    Fields { line: usize, text: String, count: usize },
    #[error("Line {line}: {field}: {why}")]
    Time { line: usize, field: &'static str, why: QuantityError },
    #[error("Line {line}: {field}: \"{text}\" is 0, and at least 1 ns is needed")]
    Zero { line: usize, field: &'static str, text: String },
}

/// The scenario of a task set: every task in a process of its own, at the high level of the runlist,
/// with one kernel that fills a TX2 for its execution time; released together, under EDF without servers.
///
/// # Errors
/// What is wrong with the text.
pub fn draft(text: &str) -> Result<Draft, TaskSetError> {
    let mut draft = Draft { name: "Task set".to_owned(), ..Draft::default() };
    draft.policy = PolicyDraft { kind: PolicyKind::Edf, cbs: false, ..PolicyDraft::default() };
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = draft.tasks.len() + 1;
        if number > MAX_TASKS {
            return Err(TaskSetError::TooMany { line: i + 1 });
        }
        let (cost, period, deadline) = task(i + 1, line)?;
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
    if draft.tasks.is_empty() { Err(TaskSetError::NoTask) } else { Ok(draft) }
}

/// Execution time, period, and the deadline if there is one, in ns.
fn task(line: usize, text: &str) -> Result<(u64, u64, Option<u64>), TaskSetError> {
    let parts: Vec<&str> = text.split([',', ';', '\t']).map(str::trim).collect();
    if parts.len() < 2 || parts.len() > FIELDS.len() {
        return Err(TaskSetError::Fields { line, text: text.trim().to_owned(), count: parts.len() });
    }
    let read = |i: usize| {
        let (field, text) = (FIELDS[i], parts[i]);
        match quantity::parse(Unit::Time, text).map_err(|why| TaskSetError::Time { line, field, why })? {
            0 => Err(TaskSetError::Zero { line, field, text: text.to_owned() }),
            ns => Ok(ns),
        }
    };
    let deadline = if parts.len() > 2 { Some(read(2)?) } else { None };
    Ok((read(0)?, read(1)?, deadline))
}
