//! The reader of the logs that cuda_scheduling_examiner writes, one file for each benchmark.
//!
//! Depends on `json`, `decimal`, `read` and `measured`. Invariants: every time comes out to the
//! nanosecond that is written; what is not used is passed over, as each version of the examiner
//! logs something else, but what is used is right in form or refused with its place. Whether the
//! times can be is not judged here. Source: the examiner's `task_host.c` and, for the oldest logs,
//! `runner.c` with its README's "Output File Format".

use blockstep_sim::language::counted;
use blockstep_sim::units::written::said_of;
use std::fmt;

use super::fields::{Fields, LOG, MEASURED_ON, TIMES};
use crate::decimal::{scaled, scaled_signed};
use crate::error::{FormatError, Path, shown};
use crate::json::{JsonKind, Node};
use crate::parse;
use crate::read::Reader;
use blockstep_sim::measured::{HostTimes, Launch, Log, Measured, MeasuredBlock};
use blockstep_sim::scenario::device::MAX_SMS;

/// Most blocks of one run that are read, over all its logs.
pub const MAX_LOG_BLOCKS: usize = 1_000_000;

/// Most launches of one run that are read, and most iterations, over all its logs.
pub const MAX_LOG_LAUNCHES: usize = 200_000;

/// Why the logs of a run could not be read. Displayed with one problem a line, each with its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogsError {
    /// What is wrong with each file that could not be read, by name; never empty.
    pub files: Vec<(String, FormatError)>,
}

impl fmt::Display for LogsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems = self.files.iter().flat_map(|(file, error)| error.problems.iter().map(move |p| (file, p)));
        for (i, (file, problem)) in problems.enumerate() {
            write!(f, "{}{}", if i > 0 { "\n" } else { "" }, said_of(file, &problem.to_string()))?;
        }
        Ok(())
    }
}

impl std::error::Error for LogsError {}

/// Reads the logs of one run: names of files and their texts, in the order in which the run has them. One
/// that says the same as another is left out.
///
/// # Errors
/// Everything wrong with the form of every file, each with line and field; no logs at all; more
/// than [`MAX_LOG_BLOCKS`] blocks or [`MAX_LOG_LAUNCHES`] launches together.
pub fn read_logs(files: &[(&str, &str)]) -> Result<Measured, LogsError> {
    let mut run = Measured::default();
    let mut errors: Vec<(String, FormatError)> = Vec::new();
    let mut size = Size::default();
    for &(name, text) in files {
        match read_within(text, name, &mut size) {
            Ok(log) => run.logs.push(log),
            Err(error) => errors.push((name.to_owned(), error)),
        }
        if size.is_exceeded() {
            break;
        }
    }
    if files.is_empty() {
        errors.push(("run".to_owned(), FormatError::whole("has no logs; at least one is needed")));
    }
    if !errors.is_empty() {
        return Err(LogsError { files: errors });
    }
    run.copies = run.take_copies();
    Ok(run)
}

/// Reads one log. `file` is what messages and pictures call it.
///
/// # Errors
/// Everything wrong with its form, each with line and field.
pub fn read_log(text: &str, file: &str) -> Result<Log, FormatError> {
    read_within(text, file, &mut Size::default())
}

fn read_within(text: &str, file: &str, size: &mut Size) -> Result<Log, FormatError> {
    let doc = parse(text)?;
    let root = doc.root();
    if root.kind() != JsonKind::Object {
        return Err(FormatError::whole(format!("the file holds {}; a log is an object with times", shown(root))));
    }
    if root.get("times").is_none() {
        let other = if root.get("benchmarks").is_some() { "; this is a config, which says what to run" } else { "" };
        return Err(FormatError::whole(format!("has no times, which every log of cuda_scheduling_examiner has{other}")));
    }
    let mut reader = LogReader { reader: Reader::default(), size, threads: None, blocks: None };
    let log = reader.log(root, file);
    reader.reader.finish(log)
}

/// How much has been read of a run.
#[derive(Default)]
struct Size {
    blocks: usize,
    launches: usize,
    iterations: usize,
}

impl Size {
    fn is_exceeded(&self) -> bool {
        self.blocks > MAX_LOG_BLOCKS || self.launches.max(self.iterations) > MAX_LOG_LAUNCHES
    }
}

struct LogReader<'s> {
    reader: Reader,
    size: &'s mut Size,
    /// `thread_count` and `block_count` of the oldest logs, which have them once for all kernels.
    threads: Option<u64>,
    blocks: Option<u64>,
}

impl LogReader<'_> {
    fn log(&mut self, root: Node<'_>, file: &str) -> Log {
        let (fields, _) = Fields::read(&mut self.reader, root, &Path::Root, &LOG);
        self.threads = self.optional_count(&fields, &Path::Root, "thread_count");
        self.blocks = self.optional_count(&fields, &Path::Root, "block_count");
        let mut log = Log {
            file: file.to_owned(),
            scenario: self.optional_text(&fields, &Path::Root, "scenario_name"),
            benchmark: self.optional_text(&fields, &Path::Root, "benchmark_name"),
            label: self.optional_text(&fields, &Path::Root, "label"),
            pid: self.optional_count(&fields, &Path::Root, "PID"),
            tid: self.optional_count(&fields, &Path::Root, "TID"),
            max_resident_threads: self.optional_count(&fields, &Path::Root, "max_resident_threads"),
            gpu: self.gpu(&fields),
            // A negative one says "at once".
            release_ns: present(&fields, "release_time").map(|v| self.seconds(v, &Path::Root.field("release_time")).max(0).unsigned_abs()),
            data_bytes: self.optional_count(&fields, &Path::Root, "data_size"),
            ..Log::default()
        };
        let at = Path::Root.field("times");
        let Some(times) = fields.get("times") else { return log };
        if times.kind() != JsonKind::List {
            self.reader.expected(times, &at, "a list");
        }
        for (entry, node) in times.items().enumerate() {
            self.entry(node, &at.item(entry), entry, &mut log);
            if self.size.is_exceeded() {
                let message =
                    || format!("is one too many: of one run at most {MAX_LOG_BLOCKS} blocks and {MAX_LOG_LAUNCHES} launches are read");
                self.reader.problem(node, &at.item(entry), message);
                break;
            }
        }
        log
    }

    fn gpu(&mut self, fields: &Fields<'_>) -> Option<String> {
        let at = Path::Root.field("blockstep");
        let (of_measure, _) = Fields::read(&mut self.reader, present(fields, "blockstep")?, &at, &MEASURED_ON);
        Some(self.optional_text(&of_measure, &at, "gpu")).filter(|gpu| !gpu.trim().is_empty())
    }

    /// Times of a kernel, or of an iteration as the CPU saw it; the first entry is empty.
    fn entry(&mut self, node: Node<'_>, path: &Path<'_>, entry: usize, log: &mut Log) {
        let (fields, _) = Fields::read(&mut self.reader, node, path, &TIMES);
        let has = |names: &[&str]| names.iter().any(|name| present(&fields, name).is_some());
        if has(&["copy_in_times", "execute_times", "copy_out_times", "cpu_times"]) {
            self.size.iterations += 1;
            log.host.push(HostTimes {
                entry,
                copy_in: self.interval(&fields, path, "copy_in_times"),
                execute: self.interval(&fields, path, "execute_times"),
                copy_out: self.interval(&fields, path, "copy_out_times"),
                cpu: self.interval(&fields, path, "cpu_times"),
            });
        }
        if has(&["kernel_name", "block_count", "thread_count", "cuda_launch_times", "block_times"]) {
            self.size.launches += 1;
            let launch = self.launch(node, &fields, path, entry);
            log.kernels.push(launch);
        }
    }

    fn launch(&mut self, node: Node<'_>, fields: &Fields<'_>, path: &Path<'_>, entry: usize) -> Launch {
        let blocks = self.run_of_blocks(fields, path);
        let block_count = self.optional_count(fields, path, "block_count").or(self.blocks);
        let thread_count = self.optional_count(fields, path, "thread_count").or(self.threads).unwrap_or_else(|| {
            self.reader.problem(node, &path.field("thread_count"), || "is missing; it is required".to_owned());
            0
        });
        Launch {
            name: self.optional_text(fields, path, "kernel_name"),
            entry,
            block_count: block_count.unwrap_or(blocks.len() as u64),
            thread_count,
            shared_memory: self.optional_count(fields, path, "shared_memory"),
            launch_ns: self.launch_times(fields, path),
            blocks,
        }
    }

    fn launch_times(&mut self, fields: &Fields<'_>, path: &Path<'_>) -> Vec<i64> {
        let Some(value) = present(fields, "cuda_launch_times") else { return Vec::new() };
        let at = path.field("cuda_launch_times");
        let mut times = self.times(value, &at);
        if times.len() > 3 {
            self.reader.problem(value, &at, || format!("has {} times; at most 3 are expected", times.len()));
        }
        if times.get(2) == Some(&0) {
            times.truncate(2);
        }
        times
    }

    fn run_of_blocks(&mut self, fields: &Fields<'_>, path: &Path<'_>) -> Vec<MeasuredBlock> {
        let at = path.field("block_times");
        let Some(value) = present(fields, "block_times") else { return Vec::new() };
        let times = self.times(value, &at);
        if times.len() % 2 == 1 {
            self.reader.problem(value, &at, || format!("has {}; every block has two, begin and end", counted(times.len() as u64, "time")));
        }
        let mut blocks: Vec<_> = times.chunks_exact(2).map(|pair| MeasuredBlock { start_ns: pair[0], end_ns: pair[1], sm: None }).collect();
        self.size.blocks += blocks.len();
        if let Some(value) = present(fields, "block_smids") {
            let at = path.field("block_smids");
            if value.kind() != JsonKind::List {
                self.reader.expected(value, &at, "a list");
            }
            let count = value.items().count();
            // An empty list is what an examiner without SM ids writes.
            if count != blocks.len() && count > 0 {
                self.reader.problem(value, &at, || format!("has {count} SM ids for {} blocks", blocks.len()));
            }
            for (i, (item, block)) in value.items().zip(&mut blocks).enumerate() {
                block.sm = self.sm(item, &at.item(i));
            }
        }
        blocks
    }

    fn sm(&mut self, node: Node<'_>, path: &Path<'_>) -> Option<u32> {
        let sm = self.count(node, path);
        if sm >= MAX_SMS {
            self.reader.problem(node, path, || format!("is {sm}; SM ids up to {} are read", MAX_SMS - 1));
            return None;
        }
        u32::try_from(sm).ok()
    }

    fn times(&mut self, node: Node<'_>, path: &Path<'_>) -> Vec<i64> {
        if node.kind() != JsonKind::List {
            self.reader.expected(node, path, "a list of seconds");
        }
        let mut times = Vec::new();
        for (i, item) in node.items().enumerate() {
            if times.len() / 2 > MAX_LOG_BLOCKS {
                break;
            }
            times.push(self.seconds(item, &path.item(i)));
        }
        times
    }

    fn interval(&mut self, fields: &Fields<'_>, path: &Path<'_>, name: &'static str) -> Option<(i64, i64)> {
        let value = present(fields, name)?;
        let at = path.field(name);
        match *self.times(value, &at) {
            [] => None,
            [begin, end] => Some((begin, end)),
            ref other => {
                self.reader.problem(value, &at, || format!("has {}; two are expected, begin and end", counted(other.len() as u64, "time")));
                None
            }
        }
    }

    fn optional_text(&mut self, fields: &Fields<'_>, path: &Path<'_>, name: &'static str) -> String {
        present(fields, name).map_or_else(String::new, |value| self.reader.text(value, &path.field(name)))
    }

    fn optional_count(&mut self, fields: &Fields<'_>, path: &Path<'_>, name: &'static str) -> Option<u64> {
        present(fields, name).map(|value| self.count(value, &path.field(name)))
    }

    fn count(&mut self, node: Node<'_>, path: &Path<'_>) -> u64 {
        match if node.kind() == JsonKind::Number { scaled(node.raw(), 0) } else { None } {
            Some((value, true)) => value,
            _ => {
                self.reader.problem(node, path, || format!("is {}; a whole number from 0 to {} is expected", shown(node), u64::MAX));
                0
            }
        }
    }

    /// Seconds, in ns; to the nearest.
    fn seconds(&mut self, node: Node<'_>, path: &Path<'_>) -> i64 {
        match if node.kind() == JsonKind::Number { scaled_signed(node.raw(), 9) } else { None } {
            Some((ns, _)) => ns,
            None => {
                let message = || format!("is {}; a number of seconds between -9223372036 and 9223372036 is expected", shown(node));
                self.reader.problem(node, path, message);
                0
            }
        }
    }
}

/// A field that is there and not null.
fn present<'d>(fields: &Fields<'d>, name: &str) -> Option<Node<'d>> {
    fields.get(name).filter(|value| value.kind() != JsonKind::Null)
}
