//! The importer of cuda_scheduling_examiner configs; its logs are read by `log`.
//!
//! Depends on `json`, `read` and `scenario`. Invariants: a field that changes what runs is used or
//! named in the notes; every row knows where in the config it comes from. Source: the file
//! format, "Files of others", and the examiner's README.

mod end;
mod fields;
mod log;
mod values;

pub use log::{LogsError, MAX_LOG_BLOCKS, MAX_LOG_LAUNCHES, read_log, read_logs};
mod log_out;
pub use log_out::{log_losses, write_logs};

use fields::{BENCHMARK, Fields, KERNEL, Known, SETTINGS};

use super::decimal::scaled;
use super::error::{FormatError, Path, shown};
use super::json::{Kind, Node};
use super::read::Reader;
use super::{ImportOptions, Opened, Source};
use crate::order::Names;
use crate::scenario::{BlockTimes, Draft, KernelDraft, NULL_STREAM, ProcessDraft, Release, StreamDraft, StreamPriority, TaskDraft};

/// The draft that a config describes.
pub(super) fn import(root: Node<'_>, options: &ImportOptions) -> Result<Opened, FormatError> {
    let mut import = Import::new(options);
    import.config(root, &Path::Root, &Place::default());
    import.end_of_run(root);
    let needs_duration = import.without_duration > 0 && import.reader.problem_count() == import.without_duration;
    let Import { draft, notes, log_names, origins, .. } = import;
    let opened = Opened { draft, source: Source::Examiner, notes, log_names, origins };
    import.reader.finish(opened).map_err(|e| FormatError { needs_duration, ..e })
}

/// What a benchmark has from the config around it.
#[derive(Clone, Default)]
struct Place {
    process: Option<String>,
    release_ns: u64,
    in_host: bool,
}

/// Iterations and time, in the order in which they are inherited.
#[derive(Clone, Copy, Default)]
struct Bounds {
    iterations: Option<u64>,
    time_ns: Option<u64>,
}

/// What a benchmark runs as.
struct Program<'d> {
    fields: Fields<'d>,
    name: String,
    task: String,
    stream: String,
}

struct Import<'o> {
    options: &'o ImportOptions,
    reader: Reader,
    draft: Draft,
    notes: Vec<String>,
    /// `log_name` of each task that has one.
    log_names: Vec<(String, String)>,
    /// Where in the config each kernel row comes from.
    origins: Vec<String>,
    /// `max_time` of each task; 0 for none.
    times: Vec<u64>,
    task_names: Names<'static>,
    kernel_names: Names<'static>,
    streams: usize,
    without_duration: usize,
}

impl<'o> Import<'o> {
    fn new(options: &'o ImportOptions) -> Self {
        Self {
            options,
            reader: Reader::default(),
            draft: Draft::default(),
            notes: vec!["The config names no GPU model; the device is the TX2.".to_owned()],
            log_names: Vec::new(),
            origins: Vec::new(),
            times: Vec::new(),
            task_names: Names::default(),
            kernel_names: Names::default(),
            streams: 0,
            without_duration: 0,
        }
    }

    fn note(&mut self, path: &Path<'_>, message: &str) {
        const MOST: usize = 100;
        match self.notes.len() {
            n if n < MOST => self.notes.push(format!("{path}: {message}")),
            MOST => self.notes.push("There is more of this kind.".to_owned()),
            _ => {}
        }
    }

    /// The fields that are used; others give a note unless they are known not to matter.
    fn fields<'d>(&mut self, node: Node<'d>, path: &Path<'_>, known: &Known) -> Fields<'d> {
        let (fields, strange) = Fields::read(&mut self.reader, node, path, known);
        for name in strange {
            self.note(&path.field(&name), "is not known here and was ignored");
        }
        fields
    }

    /// A whole config, or one that a task host holds.
    fn config(&mut self, node: Node<'_>, path: &Path<'_>, place: &Place) {
        let fields = self.fields(node, path, &SETTINGS);
        let defaults = self.bounds(&fields, path, Bounds::default());
        let separate = fields.get("use_processes").is_some_and(|value| self.reader.truth(value, &path.field("use_processes")));
        if place.in_host {
            if separate {
                self.note(&path.field("use_processes"), "is ignored: what a task host runs shares the host's process");
            }
        } else {
            self.draft.name = fields.get("name").map_or_else(String::new, |value| self.reader.text(value, &path.field("name")));
            if separate {
                self.note(&path.field("use_processes"), "each benchmark got a process; policies fifo and priority treat them as one");
            }
        }
        let at = path.field("benchmarks");
        let Some(benchmarks) = fields.get("benchmarks") else {
            self.reader.problem(node, &at, || "is missing; it is required".to_owned());
            return;
        };
        if benchmarks.kind() != Kind::List {
            self.reader.expected(benchmarks, &at, "a list");
        }
        for (i, benchmark) in benchmarks.items().enumerate() {
            let mut place = place.clone();
            if separate && !place.in_host {
                let name = format!("P{}", self.draft.processes.len());
                self.draft.processes.push(ProcessDraft::named(&name));
                place.process = Some(name);
            }
            self.benchmark(benchmark, &at.item(i), defaults, &place);
        }
    }

    fn bounds(&mut self, fields: &Fields<'_>, path: &Path<'_>, outer: Bounds) -> Bounds {
        let iterations = fields.get("max_iterations").map(|value| self.whole(value, &path.field("max_iterations")));
        let time_ns = fields.get("max_time").map(|value| self.seconds(value, &path.field("max_time")));
        Bounds { iterations: iterations.or(outer.iterations), time_ns: time_ns.or(outer.time_ns) }
    }

    /// One task and one stream, or what a task host holds.
    fn benchmark(&mut self, node: Node<'_>, path: &Path<'_>, defaults: Bounds, place: &Place) {
        let fields = self.fields(node, path, &BENCHMARK);
        let Some(filename) = fields.get("filename") else {
            if node.kind() == Kind::Object {
                self.reader.problem(node, &path.field("filename"), || "is missing; it is required".to_owned());
            }
            return;
        };
        let filename = self.reader.text(filename, &path.field("filename"));
        let name = filename.rsplit('/').next().unwrap_or_default().to_owned();
        let bounds = self.bounds(&fields, path, defaults);
        let release = fields.get("release_time").map_or(0, |value| self.seconds(value, &path.field("release_time")));
        let Some(release_ns) = place.release_ns.checked_add(release) else {
            self.reader.problem(node, &path.field("release_time"), || format!("with the host's is beyond {} ns, the limit", u64::MAX));
            return;
        };
        if name == "task_host.so" {
            let at = path.field("additional_info");
            match fields.get("additional_info") {
                Some(inner) => self.config(inner, &at, &Place { release_ns, in_host: true, ..place.clone() }),
                None => self.reader.problem(node, &at, || "is missing; a task host needs a config of its own".to_owned()),
            }
            return;
        }
        let label = fields.get("label").map(|value| self.reader.text(value, &path.field("label"))).filter(|l| !l.trim().is_empty());
        let label = label.unwrap_or_else(|| name.strip_suffix(".so").unwrap_or(&name).to_owned());
        let task = self.task(node, path, &label, bounds, place, release_ns);
        if let Some(value) = fields.get("log_name").filter(|value| value.kind() == Kind::String) {
            self.log_names.push((value.text().into_owned(), task.clone()));
        }
        let stream = self.stream(&fields, path, &name, place);
        self.rows(node, path, &label, &Program { fields, name, task, stream });
    }

    fn task(&mut self, node: Node<'_>, path: &Path<'_>, label: &str, bounds: Bounds, place: &Place, release_ns: u64) -> String {
        let name = self.task_names.unique(label);
        let time = bounds.time_ns.unwrap_or(0);
        let mut task = TaskDraft { process: place.process.clone(), offset_ns: release_ns, ..TaskDraft::named(&name) };
        match bounds.iterations {
            None => self.note(&path.field("max_iterations"), "is missing; one iteration is assumed"),
            Some(1) => {}
            Some(0) if time == 0 => {
                let message = || "max_iterations and max_time are both 0: this never ends; give one of them".to_owned();
                self.reader.problem(node, path, message);
            }
            Some(n) => {
                task.release = Release::Continuous;
                task.jobs = (n > 0).then_some(n);
            }
        }
        self.times.push(if task.release == Release::Continuous { time } else { 0 });
        self.draft.tasks.push(task);
        name
    }

    fn stream(&mut self, fields: &Fields<'_>, path: &Path<'_>, program: &str, place: &Place) -> String {
        if program == "timer_spin_default_stream.so" {
            return NULL_STREAM.to_owned();
        }
        self.streams += 1;
        let name = format!("S{}", self.streams);
        if let Some(value) = fields.get("stream_priority") {
            let at = path.field("stream_priority");
            if value.kind() != Kind::Number {
                self.reader.expected(value, &at, "a number, -1 for high or 0 for low,");
            }
            let raw = value.raw();
            if !matches!(raw, "0" | "-1") {
                self.note(&at, &format!("is {}; like CUDA, the nearest of -1 (high) and 0 (low) was taken", shown(value)));
            }
            let high = raw.starts_with('-') && scaled(raw, 0).is_none();
            let priority = if high { StreamPriority::High } else { StreamPriority::Low };
            self.draft.streams.push(StreamDraft { process: place.process.clone(), name: name.clone(), priority });
        }
        name
    }

    /// The kernels of a benchmark.
    fn rows(&mut self, node: Node<'_>, path: &Path<'_>, label: &str, program: &Program<'_>) {
        let at = path.field("additional_info");
        let info = program.fields.get("additional_info");
        let known = match program.name.as_str() {
            "timer_spin.so" | "timer_spin_default_stream.so" | "sharedmem_timer_spin.so" => true,
            "multikernel.so" => {
                match info {
                    Some(list) if list.kind() == Kind::List => self.multikernel(list, &at, label, program),
                    Some(other) => self.reader.expected(other, &at, "a list of kernels"),
                    None => self.reader.problem(node, &at, || "is missing; a list of kernels is required".to_owned()),
                }
                return;
            }
            _ => false,
        };
        let mut row = self.row(label, program);
        row.blocks = self.count(node, &program.fields, path, "block_count");
        row.threads_per_block = self.count(node, &program.fields, path, "thread_count");
        let time = match (known, info) {
            (true, Some(info)) if info.kind() == Kind::Object => {
                let kernel = self.fields(info, &at, &KERNEL);
                row.shared_memory_bytes = self.integers(&kernel, &at, "shared_memory_size");
                self.duration(info, &kernel, &at)
            }
            (true, Some(number)) => self.whole(number, &at),
            (true, None) => {
                self.reader.problem(node, &at, || "is missing; the duration in ns is required".to_owned());
                0
            }
            (false, _) => self.assumed_duration(node, path, &program.name),
        };
        row.block_time_ns = BlockTimes::Each(time);
        self.push(row, path);
    }

    /// The duration that was asked for, of a program whose config has none.
    fn assumed_duration(&mut self, node: Node<'_>, path: &Path<'_>, program: &str) -> u64 {
        match self.options.default_duration_ns {
            Some(ns) => {
                self.note(path, &format!("{program} has no duration in its config: every block runs {ns} ns, nothing is copied"));
                ns
            }
            None => {
                self.without_duration += 1;
                let message = || format!("{program} has no duration in its config; say how long its blocks run");
                self.reader.problem(node, path, message);
                0
            }
        }
    }

    /// Kernels launched one after the other, without waiting unless they have a delay.
    fn multikernel(&mut self, list: Node<'_>, path: &Path<'_>, label: &str, program: &Program<'_>) {
        let mut after = None;
        let mut start_ns = 0;
        let mut previous: Option<String> = None;
        for (i, node) in list.items().enumerate() {
            let at = path.item(i);
            let fields = self.fields(node, &at, &KERNEL);
            let delay = fields.get("delay").map_or(0, |value| self.seconds(value, &at.field("delay")));
            if delay > 0 {
                after = previous.clone();
                start_ns = delay;
            }
            let name = fields.get("kernel_label").map(|value| self.reader.text(value, &at.field("kernel_label")));
            let name = name.filter(|n| !n.trim().is_empty()).unwrap_or_else(|| label.to_owned());
            let mut row = self.row(&name, program);
            row.after.clone_from(&after);
            row.start_ns = start_ns;
            row.blocks = self.count(node, &fields, &at, "block_count");
            row.threads_per_block = self.count(node, &fields, &at, "thread_count");
            row.shared_memory_bytes = self.integers(&fields, &at, "shared_memory_size");
            row.copy_in_bytes = self.integers(&fields, &at, "copy_in_count");
            row.copy_out_bytes = self.integers(&fields, &at, "copy_out_count");
            row.block_time_ns = BlockTimes::Each(self.duration(node, &fields, &at));
            previous = Some(row.name.clone());
            self.push(row, &at);
        }
    }

    fn row(&mut self, name: &str, program: &Program<'_>) -> KernelDraft {
        let mut row = KernelDraft::named(self.kernel_names.unique(name), 0, 0, 0);
        row.task = Some(program.task.clone());
        row.stream.clone_from(&program.stream);
        row
    }

    fn push(&mut self, row: KernelDraft, path: &Path<'_>) {
        self.draft.kernels.push(row);
        self.origins.push(path.to_string());
    }
}
