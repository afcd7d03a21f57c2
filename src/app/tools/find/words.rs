//! A table in words: what its settings, tasks and rows say.
//!
//! Depends on `scenario` and `quantity`. Invariant: what goes without saying is not said.

use crate::scenario::{BlockTimes, Choice, Draft, KernelDraft, NULL_STREAM, PolicyKind, Release, StreamPriority, TaskDraft};
use crate::view::quantity::{format_block_times, format_bytes, format_count, format_time};

/// Policy, end, processes, tasks and streams, as far as they are not what goes without saying.
pub(super) fn settings(draft: &Draft) -> Vec<String> {
    let policy = &draft.policy;
    let mut lines = vec![match policy.kind {
        PolicyKind::Edf => {
            format!("Policy edf, preemption {}, {} servers", policy.preemption.word(), if policy.cbs { "with" } else { "without" })
        }
        kind => format!("Policy {}", kind.word()),
    }];
    lines.extend(draft.horizon_ns.map(|ns| format!("The run ends at {}", format_time(ns))));
    for stream in draft.streams.iter().filter(|s| s.priority != StreamPriority::None) {
        lines.push(format!("Stream {} has {} priority", stream.name, stream.priority.word()));
    }
    lines.extend(draft.tasks.iter().map(task));
    lines
}

fn task(task: &TaskDraft) -> String {
    let mut line = format!("Task {}", task.name);
    if let Some(process) = &task.process {
        line.push_str(&format!(" of process {process}"));
    }
    match (task.release, task.period_ns) {
        (Release::Continuous, _) => line.push_str(": a job whenever the last one is done"),
        (Release::Periodic, Some(period)) => line.push_str(&format!(": a job every {}", format_time(period))),
        _ => line.push_str(": one job"),
    }
    if task.offset_ns > 0 {
        line.push_str(&format!(", the first at {}", format_time(task.offset_ns)));
    }
    if let Some(deadline) = task.deadline_ns {
        line.push_str(&format!(", due {} after its release", format_time(deadline)));
    }
    line
}

/// Where and how long a kernel runs.
pub(super) fn row(kernel: &KernelDraft) -> String {
    let blocks = if kernel.blocks == 1 { "1 block".to_owned() } else { format!("{} blocks", format_count(kernel.blocks)) };
    let stream = if kernel.stream == NULL_STREAM { "the NULL stream".to_owned() } else { format!("stream {}", kernel.stream) };
    let task = kernel.task.as_ref().map_or(String::new(), |task| format!("of {task} "));
    let long = match &kernel.block_time_ns {
        BlockTimes::Each(ns) => format_time(*ns),
        times => format_block_times(times),
    };
    let each = if kernel.blocks == 1 { "" } else { " each" };
    let mut line = format!("{task}on {stream}: {blocks} of {} threads, {long}{each}", format_count(kernel.threads_per_block));
    if kernel.start_ns > 0 {
        line.push_str(&format!(", launched at {}", format_time(kernel.start_ns)));
    }
    for (bytes, way) in [(kernel.copy_in_bytes, "in"), (kernel.copy_out_bytes, "out")] {
        if bytes > 0 {
            line.push_str(&format!(", copies {} {way}", format_bytes(bytes)));
        }
    }
    line
}
