//! A table in words: what its settings, tasks and rows say.
//!
//! Depends on `scenario`, `quantity` and the texts. Invariant: what goes without saying is not said.

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
    task_text(&Task {
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
    row_text(&Row {
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

pub(super) fn task_text(task: &Task<'_>) -> String {
    let name = task.name;
    let process = task.process.map_or(String::new(), |process| format!(" of process {process}"));
    let jobs = match &task.releases {
        Releases::WhenDone => "a job whenever the last one is done".to_owned(),
        Releases::Every(period) => format!("a job every {period}"),
        Releases::Once => "one job".to_owned(),
    };
    let first = task.offset.as_ref().map_or(String::new(), |offset| format!(", the first at {offset}"));
    let due = task.deadline.as_ref().map_or(String::new(), |deadline| format!(", due {deadline} after its release"));
    format!("Task {name}{process}: {jobs}{first}{due}")
}

pub(super) fn row_text(row: &Row<'_>) -> String {
    let task = row.task.map_or(String::new(), |task| format!("of {task} "));
    let stream = row.stream.map_or("the NULL stream".to_owned(), |stream| format!("stream {stream}"));
    let (threads, time) = (format_count(row.threads), &row.time);
    let blocks = match row.blocks {
        1 => format!("1 block of {threads} threads, {time}"),
        blocks => format!("{} blocks of {threads} threads, {time} each", format_count(blocks)),
    };
    let launch = row.launch.as_ref().map_or(String::new(), |launch| format!(", launched at {launch}"));
    let copies = |bytes: u64, way: &str| if bytes > 0 { format!(", copies {} {way}", format_bytes(bytes)) } else { String::new() };
    let (copies_in, copies_out) = (copies(row.bytes_in, "in"), copies(row.bytes_out, "out"));
    format!("{task}on {stream}: {blocks}{launch}{copies_in}{copies_out}")
}

/// What is said of a task; what goes without saying is `None`.
pub(super) struct Task<'a> {
    pub(super) name: &'a str,
    pub(super) process: Option<&'a str>,
    pub releases: Releases,
    pub(super) offset: Option<String>,
    pub(super) deadline: Option<String>,
}

/// When jobs of a task are released.
pub(super) enum Releases {
    WhenDone,
    Every(String),
    Once,
}

/// What is said of a kernel; what goes without saying is `None`.
pub(super) struct Row<'a> {
    pub(super) task: Option<&'a str>,
    /// `None` is the NULL stream.
    pub(super) stream: Option<&'a str>,
    pub(super) blocks: u64,
    pub(super) threads: u64,
    pub(super) time: String,
    pub(super) launch: Option<String>,
    pub(super) bytes_in: u64,
    pub(super) bytes_out: u64,
}
