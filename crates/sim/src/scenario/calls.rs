//! Calls that are no launches: what has to be given for them, which tasks make their calls one after another, and what `NULL` means
//! where each thread has a default stream of its own.
//!
//! Depends on the rest of `scenario`. Invariant: what is said to be wrong names its field. Source: docs/semantics.md, sections 2 and 3.

use std::fmt::Display;

use super::validate::{At, FoundProblems};
use super::{BlockTimes, Call, Choice, Copy, DefaultStream, Device, Draft, KernelDraft, KernelRow, NULL_STREAM, Problem, Task};
use crate::units::written::{Measure, format_bytes, format_time, grouped};
use crate::units::{ProcessId, Span};

/// How many rows of a task have operations. A task that waits, or whose calls take time, makes its calls one after another (docs/semantics.md, section 2).
pub(super) fn in_turn(draft: &Draft, tasks: &mut [Task], rows: &[KernelRow]) {
    for (t, task) in draft.tasks.iter().zip(tasks.iter_mut()) {
        task.calls_in_turn = t.call_ns.is_some();
    }
    for (k, row) in draft.kernels.iter().zip(rows) {
        let task = &mut tasks[row.task.index()];
        task.calls_in_turn |= k.call_ns.is_some() || row.has_wait() || row.nodes > 0;
        task.launches += u32::from(row.nodes > 0);
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

/// Most fields without an effect that are named.
const MAX_NAMED: usize = 20;

impl Draft {
    /// What rows say that their calls have no use for, such as `blocks` of a copy: a sentence for each field, with the value and the row;
    /// of very many the first ones.
    #[must_use]
    pub fn without_effect(&self) -> Vec<String> {
        let of_row = |(i, row): (usize, &KernelDraft)| {
            let said = format!("which the call {} of row \"{}\" does not use", row.call.word(), row.name);
            let fields = take_unused(&mut row.clone());
            fields
                .into_iter()
                .map(move |(field, value)| Problem::new(format!("kernels[{i}].{field}"), format!("is {value}, {said}")).to_string())
        };
        let mut all: Vec<String> = self.kernels.iter().enumerate().flat_map(of_row).take(MAX_NAMED + 1).collect();
        if all.len() > MAX_NAMED {
            all[MAX_NAMED] = "There is more of this kind.".to_owned();
        }
        all
    }

    /// The same scenario without these fields.
    #[must_use]
    pub fn with_effect(&self) -> Self {
        let mut draft = self.clone();
        for row in &mut draft.kernels {
            take_unused(row);
        }
        draft
    }
}

/// Sets what the call of a row has no use for to its default, and gives fields and values that this changed.
fn take_unused(row: &mut KernelDraft) -> Vec<(&'static str, String)> {
    let plain = KernelDraft::default();
    let mut taken = Vec::new();
    let mut number = |field: &'static str, value: &mut u64| {
        if *value > 0 {
            taken.push((field, std::mem::take(value).to_string()));
        }
    };
    if row.graph.is_some() {
        number("start_ns", &mut row.start_ns);
    }
    if row.call == Call::Kernel {
        number("bytes", &mut row.bytes);
    } else {
        if !row.call.is_copy() {
            number("bytes", &mut row.bytes);
        }
        number("blocks", &mut row.blocks);
        number("threads_per_block", &mut row.threads_per_block);
        number("shared_memory_bytes", &mut row.shared_memory_bytes);
        number("registers_per_thread", &mut row.registers_per_thread);
        number("copy_in_bytes", &mut row.copy_in_bytes);
        number("copy_out_bytes", &mut row.copy_out_bytes);
        if let Some(time) = row.block_time_max_ns.take() {
            taken.push(("block_time_max_ns", time.to_string()));
        }
        if row.block_time_ns != plain.block_time_ns {
            let value = match &row.block_time_ns {
                BlockTimes::Each(time) => time.to_string(),
                BlockTimes::List(times) => format!("a list of {}", times.len()),
            };
            taken.push(("block_time_ns", value));
            row.block_time_ns = plain.block_time_ns;
        }
    }
    if row.call != Call::Kernel {
        for (field, value) in [("barrier", &mut row.barrier), ("cooperative", &mut row.cooperative)] {
            if std::mem::take(value) {
                taken.push((field, "true".to_owned()));
            }
        }
        let lists = [&mut row.until_begun, &mut row.until_all_begun, &mut row.until_completed];
        for (field, names) in ["until_begun", "until_all_begun", "until_completed"].into_iter().zip(lists) {
            let count = std::mem::take(names).len();
            if count > 0 {
                taken.push((field, format!("a list of {count}")));
            }
        }
    }
    let has_stream = match row.call {
        _ if row.graph.is_some() => false,
        Call::SynchronizeStream | Call::LaunchGraph => true,
        call => call.has_operation() && (!has_no_stream(row) || row.stream == NULL_STREAM),
    };
    if let Some(time) = row.call_ns.take_if(|_| row.graph.is_some()) {
        taken.push(("call_ns", time.to_string()));
    }
    if !has_stream && row.stream != plain.stream {
        taken.push(("stream", format!("\"{}\"", std::mem::replace(&mut row.stream, plain.stream))));
    }
    taken
}

/// A copy and its time: `ceil(bytes * 1e9 / bandwidth)` ns (docs/semantics.md, section 2).
pub(super) fn copy(bytes: u64, device: &Device, path: &dyn Display, found: &mut FoundProblems) -> Option<Copy> {
    if bytes == 0 {
        return None;
    }
    let ns = (u128::from(bytes) * 1_000_000_000).div_ceil(u128::from(device.copy_bandwidth_bytes_per_s.max(1)));
    match u64::try_from(ns) {
        Ok(ns) => Some(Copy { bytes, time: Span(ns) }),
        Err(_) => {
            found.add(
                path,
                &format_args!(
                    "is {}: copying that takes {} s, beyond the limit of {}",
                    format_bytes(bytes),
                    grouped(&(ns / 1_000_000_000).to_string()),
                    format_time(u64::MAX)
                ),
            );
            None
        }
    }
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
    if k.graph.is_some() {
        // What a node can be is said with its graph.
        return;
    }
    if !k.call.is_in_stream() && k.call != Call::SynchronizeEvent && !k.waits_for.is_empty() {
        found.add(&at("waits_for"), &format_args!("is for rows with an operation; \"{}\" has none", k.call.word()));
    }
    if !k.call.is_in_stream() && k.records.is_some() {
        found.add(&at("records"), &format_args!("is for rows with an operation; \"{}\" has none", k.call.word()));
    }
}
