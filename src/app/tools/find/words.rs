//! A table in words: what its settings, tasks and rows say.
//!
//! Depends on `scenario`, `quantity` and the texts. Invariant: what goes without saying is not said.

use super::texts::{self, Releases};
use crate::policy;
use crate::scenario::{BlockTimes, Choice, Draft, KernelDraft, NULL_STREAM, PolicyKind, Release, StreamPriority, TaskDraft};
use crate::view::quantity::{format_block_times, format_time};

/// Policy, end, processes, tasks and streams, as far as they are not what goes without saying.
pub(super) fn settings(draft: &Draft) -> Vec<String> {
    let settings = &draft.policy;
    let mut lines = vec![match settings.kind {
        PolicyKind::Edf => texts::policy_edf(settings.preemption.word(), settings.cbs),
        kind => texts::policy(policy::about(kind).name),
    }];
    lines.extend(draft.horizon_ns.map(|ns| texts::ends_at(&format_time(ns))));
    for stream in draft.streams.iter().filter(|s| s.priority != StreamPriority::None) {
        lines.push(texts::stream_priority(&stream.name, stream.priority.word()));
    }
    lines.extend(draft.tasks.iter().map(task));
    lines
}

fn task(task: &TaskDraft) -> String {
    texts::task(&texts::Task {
        name: &task.name,
        process: task.process.as_deref(),
        releases: match (task.release, task.period_ns) {
            (Release::Continuous, _) => Releases::WhenDone,
            (Release::Periodic, Some(period)) => Releases::Every(format_time(period)),
            _ => Releases::Once,
        },
        offset: (task.offset_ns > 0).then(|| format_time(task.offset_ns)),
        deadline: task.deadline_ns.map(format_time),
    })
}

/// Where and how long a kernel runs.
pub(super) fn row(kernel: &KernelDraft) -> String {
    texts::row(&texts::Row {
        task: kernel.task.as_deref(),
        stream: Some(&*kernel.stream).filter(|stream| *stream != NULL_STREAM),
        blocks: kernel.blocks,
        threads: kernel.threads_per_block,
        time: match &kernel.block_time_ns {
            BlockTimes::Each(ns) => format_time(*ns),
            times => format_block_times(times),
        },
        launch: (kernel.start_ns > 0).then(|| format_time(kernel.start_ns)),
        bytes_in: kernel.copy_in_bytes,
        bytes_out: kernel.copy_out_bytes,
    })
}
