//! What a scenario or config knows of the streams that logs are from, and the logs do not say.
//!
//! Depends on `scenario`. Invariant: what does not follow for sure stays open.

use super::names::plain;
use super::{Log, Measured};
use crate::scenario::{Draft, KernelDraft, NULL_STREAM, PolicyKind, StreamPriority};

/// Of more streams than this one is not told from another.
const MOST_STREAMS: usize = 64;

/// What is known of the stream of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Its priority.
    pub priority: Option<StreamPriority>,
    /// Whether it is its process's NULL stream.
    pub is_null: Option<bool>,
    /// Whether N1 and N2 hold for it: the examiner creates streams that it gives a priority such
    /// that they do not wait for the NULL stream.
    pub waits_for_null: Option<bool>,
    /// Whether something may hold its kernels that logs do not show: copies, events, a connection that it shares.
    pub has_unseen: Option<bool>,
}

impl Known {
    /// What the log itself gives away: the program that spins in the default stream says so in its name.
    #[must_use]
    pub fn from_log(log: &Log) -> Self {
        let names = [&log.benchmark, &log.file, &log.label].map(|name| name.to_lowercase().replace(['_', '-'], " "));
        let is_null = names.iter().any(|name| name.contains("default stream") || name.contains("null stream"));
        // These two launch kernels and nothing else.
        let spins = log.benchmark.starts_with("Timer Spin") || log.benchmark == "Counter Spin";
        Self { is_null: is_null.then_some(true), has_unseen: spins.then_some(false), ..Self::default() }
    }

    /// This, and where it is open, the other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            priority: self.priority.or(other.priority),
            is_null: self.is_null.or(other.is_null),
            waits_for_null: self.waits_for_null.or(other.waits_for_null),
            has_unseen: self.has_unseen.or(other.has_unseen),
        }
    }
}

/// What is known of each log's stream from the logs and, if there is one, from what was run. `from_config` says
/// that it is a config of the examiner; `log_names` are its file names of logs, each with its task.
/// With it come sentences on what was not found.
#[must_use]
pub fn known(run: &Measured, draft: Option<&Draft>, from_config: bool, log_names: &[(String, String)]) -> (Vec<Known>, Vec<String>) {
    let mut notes = Vec::new();
    let rows = draft.map_or_else(Vec::new, rows_by_stream);
    let of = |log: &Log| {
        let own = Known::from_log(log);
        let Some(draft) = draft else { return own };
        let found = streams(draft, &rows, log, log_names);
        let facts: Vec<Known> = found.iter().map(|(stream, rows)| facts(draft, stream, rows, from_config)).collect();
        match &facts[..] {
            [] => {
                notes.push(format!(
                    "The scenario that was run has nothing with the name of {}, “{}”.",
                    plain(&log.file),
                    plain(&log.label)
                ));
                own
            }
            [first, others @ ..] if found.len() <= MOST_STREAMS && others.iter().all(|other| other == first) => first.or(own),
            _ => {
                notes.push(format!(
                    "The scenario that was run has several streams that could be the source of {}, “{}”.",
                    plain(&log.file),
                    plain(&log.label)
                ));
                own
            }
        }
    };
    (run.logs.iter().map(of).collect(), notes)
}

/// The streams, with their rows, that a log may be from: found by the file's name, else by its
/// label, which is the name of a task or, in logs of ours, of a stream. A file's name may stand for a
/// stream too, where benchmarks became one task.
fn streams<'d>(
    draft: &Draft,
    all: &[(&'d KernelDraft, &'d str)],
    log: &Log,
    log_names: &[(String, String)],
) -> Vec<(&'d str, Vec<&'d KernelDraft>)> {
    let first = draft.tasks.first().map_or("", |t| t.name.as_str());
    let file = base(&log.file);
    let task = log_names.iter().find(|(name, _)| !file.is_empty() && base(name) == file).map(|(_, task)| task.as_str());
    let label = log.label.trim();
    let is_task = |name: &str| match task {
        Some(task) => name == task,
        // Of equal labels all but the first have a number.
        None => name == label || name.strip_prefix(label).is_some_and(|rest| rest.starts_with(" (") && rest.ends_with(')')),
    };
    let mut found: Vec<(&str, Vec<&KernelDraft>)> = Vec::new();
    let by_task: Vec<_> = all.iter().filter(|(row, _)| is_task(row.task.as_deref().unwrap_or(first))).collect();
    let of_stream = |stream: &str| task.map_or_else(|| is_label_of(label, stream), |name| stream == name);
    let rows = if by_task.is_empty() { all.iter().filter(|(_, stream)| of_stream(stream)).collect() } else { by_task };
    for &&(row, stream) in &rows {
        if found.len() > MOST_STREAMS {
            break;
        }
        // Streams of the same name in other processes are others, unless there is but one way to take them.
        match found.iter_mut().find(|(other, rows)| *other == stream && rows[0].task == row.task) {
            Some((_, rows)) => rows.push(row),
            None => found.push((stream, vec![row])),
        }
    }
    found
}

/// All rows with their streams; a node of a graph has that of the launch, which stands above.
fn rows_by_stream(draft: &Draft) -> Vec<(&KernelDraft, &str)> {
    let mut stream = "";
    let mut rows = Vec::with_capacity(draft.kernels.len());
    for row in &draft.kernels {
        stream = if row.graph.is_none() { &row.stream } else { stream };
        rows.push((row, stream));
    }
    rows
}

/// Whether a label names a stream, or a branch of it, which has a log of its own.
fn is_label_of(label: &str, stream: &str) -> bool {
    label
        .strip_prefix(stream)
        .is_some_and(|rest| rest.is_empty() || rest.strip_prefix(" branch ").is_some_and(|number| number.parse::<u32>().is_ok()))
}

fn facts(draft: &Draft, stream: &str, rows: &[&KernelDraft], from_config: bool) -> Known {
    let task = rows.first().and_then(|row| row.task.as_deref());
    let task = task.and_then(|name| draft.tasks.iter().find(|t| t.name == name)).or(draft.tasks.first());
    let process = |name: Option<&str>| name.map(str::to_owned).or_else(|| Some(draft.processes.first()?.name.clone()));
    let home = process(task.and_then(|t| t.process.as_deref()));
    let entry = draft.streams.iter().find(|s| s.name == stream && process(s.process.as_deref()) == home);
    let is_null = stream == NULL_STREAM;
    Known {
        // Under `fifo` no stream is made with a priority.
        priority: Some(entry.filter(|_| from_config || draft.policy.kind != PolicyKind::Fifo).map_or(StreamPriority::None, |s| s.priority)),
        is_null: Some(is_null),
        waits_for_null: Some(is_null || entry.is_none_or(|s| !from_config && !s.non_blocking)),
        has_unseen: Some(draft.connections.is_some() || rows.iter().any(|row| is_held_unseen(row))),
    }
}

fn is_held_unseen(row: &KernelDraft) -> bool {
    row.copy_in_bytes > 0 || row.copy_out_bytes > 0 || row.call.is_copy() || row.graph.is_some() || !row.waits_for.is_empty()
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
