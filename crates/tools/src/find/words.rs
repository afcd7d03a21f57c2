//! A table in words: what its settings, tasks and rows say.
//!
//! Invariant: what goes without saying is not said.

use blockstep_sim::policy;
use blockstep_sim::scenario::{BlockTimes, Choice, Draft, KernelDraft, NULL_STREAM, PolicyKind, Release, StreamPriority, TaskDraft};
use blockstep_view::quantity::{format_block_times, format_bytes, format_count, format_time};

/// Policy, end, processes, tasks and streams, as far as they are not what goes without saying.
pub(super) fn settings(draft: &Draft) -> Vec<String> {
    let settings = &draft.policy;
    let mut lines = vec![match settings.kind {
        PolicyKind::Edf => {
            format!("Policy EDF, preemption mode {}, {} servers", settings.preemption.word(), if settings.cbs { "with" } else { "without" })
        }
        kind => format!("Policy {}", policy::about(kind).name),
    }];
    lines.extend(draft.horizon_ns.map(|ns| format!("The run ends at {}", format_time(ns))));
    for stream in draft.streams.iter().filter(|s| s.priority != StreamPriority::None) {
        lines.push(format!("Stream {} has {} priority", stream.name, stream.priority.word()));
    }
    lines.extend(draft.tasks.iter().map(task));
    lines
}

fn task(task: &TaskDraft) -> String {
    let process = task.process.as_ref().map_or(String::new(), |process| format!(" of process {process}"));
    let jobs = match (task.release, task.period_ns) {
        (Release::Continuous, _) => "a job whenever the last one is done".to_owned(),
        (Release::Periodic, Some(period)) => format!("a job every {}", format_time(period)),
        _ => "one job".to_owned(),
    };
    let first = if task.offset_ns > 0 { format!(", the first at {}", format_time(task.offset_ns)) } else { String::new() };
    let due = task.deadline_ns.map_or(String::new(), |deadline| format!(", due {} after its release", format_time(deadline)));
    format!("Task {}{process}: {jobs}{first}{due}", task.name)
}

/// Where and how long a kernel runs.
pub(super) fn row(kernel: &KernelDraft) -> String {
    let task = kernel.task.as_ref().map_or(String::new(), |task| format!("of {task} "));
    let stream = if kernel.stream == NULL_STREAM { "the NULL stream".to_owned() } else { format!("stream {}", kernel.stream) };
    let threads = format_count(kernel.threads_per_block);
    let time = match &kernel.block_time_ns {
        BlockTimes::Each(ns) => format_time(*ns),
        times => format_block_times(times),
    };
    let blocks = match kernel.blocks {
        1 => format!("1 block of {threads} threads, {time}"),
        blocks => format!("{} blocks of {threads} threads, {time} each", format_count(blocks)),
    };
    let launch = if kernel.start_ns > 0 { format!(", launched at {}", format_time(kernel.start_ns)) } else { String::new() };
    let copies = |bytes: u64, way: &str| if bytes > 0 { format!(", copies {} {way}", format_bytes(bytes)) } else { String::new() };
    let (copies_in, copies_out) = (copies(kernel.copy_in_bytes, "in"), copies(kernel.copy_out_bytes, "out"));
    format!("{task}on {stream}: {blocks}{launch}{copies_in}{copies_out}")
}
