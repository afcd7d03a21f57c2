//! Calls that are no launches: what has to be given for them, which tasks make their calls one after another, and what `NULL` means
//! where each thread has a default stream of its own.
//!
//! Depends on the rest of `scenario`. Invariant: what is said to be wrong names its field. Source: docs/semantics.md, sections 2 and 3.

use super::validate::{At, FoundProblems};
use super::{Call, Choice, DefaultStream, Draft, KernelDraft, KernelRow, Task};
use crate::units::ProcessId;
use crate::units::written::Measure;

/// How many rows of a task have operations. A task that waits, or whose calls take time, makes its calls one after another (docs/semantics.md, section 2).
pub(super) fn in_turn(draft: &Draft, tasks: &mut [Task], rows: &[KernelRow]) {
    for (t, task) in draft.tasks.iter().zip(tasks.iter_mut()) {
        task.calls_in_turn = t.call_ns.is_some();
    }
    for (k, row) in draft.kernels.iter().zip(rows) {
        let task = &mut tasks[row.task.index()];
        task.calls_in_turn |= k.call_ns.is_some() || row.has_wait();
        task.rows_with_operations += u32::from(row.call.has_operation());
    }
}

/// Whether `NULL` means a stream of each task's own in a process.
pub(super) fn has_own_default(draft: &Draft, process: ProcessId) -> bool {
    draft.processes.get(process.index()).is_some_and(|process| process.default_stream == DefaultStream::PerThread)
}

/// Whether a row is a call without a stream, `cudaMemcpy` or `cudaMemset`, which belongs to the NULL stream.
pub(super) fn has_no_stream(k: &KernelDraft) -> bool {
    k.synchronous && k.call.is_copy()
}

/// What the default stream of a task is called where each has its own.
pub(super) fn own_default(task: &str) -> String {
    format!("default of {task}")
}

/// What has to be given, or cannot be, for a call.
pub(super) fn call_fields(k: &KernelDraft, at: impl Fn(&'static str) -> At, found: &mut FoundProblems) {
    if k.call.is_copy() {
        found.positive(&at("bytes"), k.bytes, Measure::Bytes);
    }
    if k.synchronous && !k.call.is_copy() {
        found.add(&at("synchronous"), &format_args!("is true; only copies and memsets can be, \"{}\" is neither", k.call.word()));
    }
    if k.call == Call::SynchronizeEvent && k.waits_for.is_empty() {
        found.add(&at("waits_for"), &"is empty; name the event that the call waits for");
    }
    if !k.call.has_operation() && k.call != Call::SynchronizeEvent && !k.waits_for.is_empty() {
        found.add(&at("waits_for"), &format_args!("is for rows with an operation; \"{}\" has none", k.call.word()));
    }
    if !k.call.has_operation() && k.records.is_some() {
        found.add(&at("records"), &format_args!("is for rows with an operation; \"{}\" has none", k.call.word()));
    }
}
