//! The importer of cuda_scheduling_examiner configs; its logs are read by `log`.
//!
//! Depends on `json`, `read` and `scenario`. Invariants: every field is used or named in the notes; every
//! row knows where in the config it comes from. Source: docs/file-format.md, "Files of others", the
//! examiner's README, `parse_config.c` and `task_host.c`.

mod actions;
mod end;
mod fields;
mod log;
mod programs;
mod together;
mod values;

pub use log::{LogsError, MAX_LOG_BLOCKS, MAX_LOG_LAUNCHES, read_log, read_logs};
mod log_out;
mod measured_out;
pub(super) use log_out::{LogHead, log_heads, title};
pub use log_out::{log_losses, write_logs};
pub use measured_out::{MeasuredLaunch, write_measured_logs};

use std::fmt::Display;

use fields::{BENCHMARK, Fields, KERNEL, Known, SETTINGS};
use programs::Program;
use together::Member;

use super::decimal::scaled;
use super::error::{FormatError, Path, shown};
use super::json::{JsonKind, Node};
use super::read::Reader;
use super::{ImportOptions, Opened, Source};
use blockstep_sim::order::Names;
use blockstep_sim::scenario::{
    BlockTimes, Draft, KernelDraft, NULL_STREAM, PolicyKind, ProcessDraft, Release, StreamDraft, StreamPriority, TIMESLICE_NS, TaskDraft,
};
use blockstep_sim::units::written::{format_time, said_of};

/// The draft that a config describes.
pub(super) fn import(root: Node<'_>, options: &ImportOptions) -> Result<Opened, FormatError> {
    let mut import = Import::new(options);
    import.config(root, &Path::Root, &BenchmarkContext::default());
    import.end_of_run(root);
    import.is_something(root);
    import.name_unused();
    let takes_duration = import.without_duration > 0 && options.default_duration_ns.is_some();
    let needs_duration = import.without_duration > 0 && !takes_duration && import.reader.problem_count() == import.without_duration;
    let Import { draft, notes, log_names, origins, .. } = import;
    let opened = |notes| Opened { draft, source: Source::Examiner, notes, log_names, takes_duration, origins };
    match import.reader.finish(()) {
        Ok(()) => Ok(opened(notes)),
        Err(e) => Err(FormatError { needs_duration, notes, ..e }),
    }
}

/// What a benchmark has from the config around it.
#[derive(Clone, Default)]
struct BenchmarkContext {
    process: Option<String>,
    /// Whether the process is the benchmark's alone, as `use_processes` has it.
    is_alone: bool,
    release_ns: u64,
    in_host: bool,
    /// Whether iterations of all benchmarks begin together.
    is_together: bool,
}

/// Iterations and time, in the order in which they are inherited.
#[derive(Clone, Copy, Default)]
struct Bounds {
    iterations: Option<u64>,
    time_ns: Option<u64>,
}

/// What a benchmark runs as.
struct Benchmark<'d> {
    fields: Fields<'d>,
    /// The program's file, without its folder.
    name: String,
    program: Program,
    label: String,
    task: String,
    stream: String,
    /// Whether iterations of all benchmarks begin together.
    is_together: bool,
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
    /// Fields that nothing depends on, each once.
    unused: Vec<String>,
    /// The first program that runs on the CPU alone.
    on_cpu: Option<String>,
}

impl<'o> Import<'o> {
    fn new(options: &'o ImportOptions) -> Self {
        let device = match options.device {
            Some(device) => format!("The config names no GPU model; the device is the {}, as asked for.", device.name),
            None => "The config names no GPU model; the device is the TX2.".to_owned(),
        };
        Self {
            options,
            reader: Reader::default(),
            draft: Draft::default(),
            notes: vec![device],
            log_names: Vec::new(),
            origins: Vec::new(),
            times: Vec::new(),
            task_names: Names::default(),
            kernel_names: Names::default(),
            streams: 0,
            without_duration: 0,
            unused: Vec::new(),
            on_cpu: None,
        }
    }

    fn note(&mut self, path: &dyn Display, message: &str) {
        const MOST: usize = 100;
        match self.notes.len() {
            n if n < MOST => self.notes.push(said_of(&path.to_string(), message)),
            MOST => self.notes.push("There is more of this kind.".to_owned()),
            _ => {}
        }
    }

    /// The fields of an object; what is not known gives a note.
    fn fields<'d>(&mut self, node: Node<'d>, path: &Path<'_>, known: &Known) -> Fields<'d> {
        let (fields, strange) = Fields::read(&mut self.reader, node, path, known);
        for name in strange {
            self.note(&path.field(&name), "is unknown here and was ignored");
        }
        fields
    }

    /// Keeps the names of the fields that nobody asked for; `of` says where, if that matters.
    fn leave(&mut self, fields: &Fields<'_>, of: &str) {
        for name in fields.unused() {
            let name = if of.is_empty() { name.to_owned() } else { format!("{name} of {of}") };
            if !self.unused.contains(&name) {
                self.unused.push(name);
            }
        }
    }

    fn name_unused(&mut self) {
        if !self.unused.is_empty() {
            self.notes.push(format!("These fields change nothing in a simulation: {}.", self.unused.join(", ")));
        }
    }

    /// Whether a field is there and true.
    fn flag(&mut self, fields: &Fields<'_>, path: &Path<'_>, name: &'static str) -> bool {
        fields.get(name).is_some_and(|value| self.reader.truth(value, &path.field(name)))
    }

    /// A whole config, or one that a task host holds.
    fn config(&mut self, node: Node<'_>, path: &Path<'_>, place: &BenchmarkContext) {
        let fields = self.fields(node, path, &SETTINGS);
        let defaults = self.bounds(&fields, path, Bounds::default());
        let separate = self.flag(&fields, path, "use_processes");
        if place.in_host && separate {
            self.note(&path.field("use_processes"), "is ignored: what a task host runs shares the host's process");
        }
        if !place.in_host {
            self.draft.name = fields.get("name").map_or_else(String::new, |value| self.reader.text(value, &path.field("name")));
        }
        let separate = separate && !place.in_host;
        let together = ["sync_every_iteration", "resync_iterations"].map(|name| self.flag(&fields, path, name).then_some(name));
        if self.flag(&fields, path, "do_warmup") {
            self.note(&path.field("do_warmup"), "is left out: warm-up iterations are over when the measured ones begin");
        }
        let at = path.field("benchmarks");
        let Some(benchmarks) = fields.get("benchmarks") else {
            self.reader.problem(node, &at, || "is missing; it is required".to_owned());
            return;
        };
        if benchmarks.kind() != JsonKind::List {
            self.reader.expected(benchmarks, &at, "a list");
        }
        let mut members = Vec::new();
        for (i, benchmark) in benchmarks.items().enumerate() {
            let mut place = BenchmarkContext { is_together: together.iter().any(Option::is_some), ..place.clone() };
            if separate {
                let name = format!("P{}", self.draft.processes.len());
                self.draft.processes.push(ProcessDraft::named(&name));
                (place.process, place.is_alone) = (Some(name), true);
            }
            members.extend(self.benchmark(benchmark, &at.item(i), defaults, &place));
        }
        if let Some(name) = together.into_iter().flatten().next() {
            self.together(node, &path.field(name), &members, separate);
        }
        if separate && self.draft.processes.len() > 1 {
            self.draft.policy.kind = PolicyKind::Runlist;
            let slice = TIMESLICE_NS / 1_000_000;
            let message = format!(
                "each benchmark got a process, and processes take turns on the GPU: policy runlist, timeslices of {slice} ms, free switches"
            );
            self.note(&path.field("use_processes"), &message);
        }
        self.leave(&fields, if place.in_host { "a task host's config" } else { "" });
    }

    fn bounds(&mut self, fields: &Fields<'_>, path: &Path<'_>, outer: Bounds) -> Bounds {
        let iterations = fields.get("max_iterations").map(|value| self.whole(value, &path.field("max_iterations")));
        let time_ns = fields.get("max_time").map(|value| self.seconds(value, &path.field("max_time")));
        Bounds { iterations: iterations.or(outer.iterations), time_ns: time_ns.or(outer.time_ns) }
    }

    /// One task and one stream, or what a task host holds.
    fn benchmark(&mut self, node: Node<'_>, path: &Path<'_>, defaults: Bounds, place: &BenchmarkContext) -> Option<Member> {
        let fields = self.fields(node, path, &BENCHMARK);
        let Some(filename) = fields.get("filename") else {
            if node.kind() == JsonKind::Object {
                self.reader.problem(node, &path.field("filename"), || "is missing; it is required".to_owned());
            }
            return None;
        };
        let filename = self.reader.text(filename, &path.field("filename"));
        let name = filename.rsplit('/').next().unwrap_or_default().to_owned();
        let program = Program::from_file_name(&name);
        if program == Program::Cpu {
            self.note(path, &format!("{name} runs on the CPU alone: it launches nothing on the GPU and is left out"));
            self.on_cpu.get_or_insert(name);
            return None;
        }
        let bounds = self.bounds(&fields, path, defaults);
        let release = fields.get("release_time").map_or(0, |value| self.seconds(value, &path.field("release_time")));
        let Some(release_ns) = place.release_ns.checked_add(release) else {
            self.reader.problem(node, &path.field("release_time"), || format!("with the host's is beyond {} ns, the limit", u64::MAX));
            return None;
        };
        self.sharing(&fields, path, place);
        if self.flag(&fields, path, "terminator") {
            let message =
                "is true: the examiner ends all other benchmarks when this one ends; here they go on, so give max_time to end the run";
            self.note(&path.field("terminator"), message);
        }
        let first = self.draft.tasks.len();
        if program == Program::Host {
            let at = path.field("additional_info");
            if bounds.iterations.is_some_and(|n| n != 1) {
                self.note(path, "a task host repeats its whole config max_iterations times; here it is run once");
            }
            match fields.get("additional_info") {
                Some(inner) => self.config(inner, &at, &BenchmarkContext { release_ns, in_host: true, is_alone: false, ..place.clone() }),
                None => self.reader.problem(node, &at, || "is missing; a task host needs a config of its own".to_owned()),
            }
            self.leave(&fields, program.file());
            return Some(Member { tasks: first..self.draft.tasks.len(), release_ns: release, is_host: true });
        }
        let label = fields.get("label").map(|value| self.reader.text(value, &path.field("label"))).filter(|l| !l.trim().is_empty());
        let label = label.unwrap_or_else(|| name.strip_suffix(".so").unwrap_or(&name).to_owned());
        let task = self.task(node, path, &label, bounds, place, release_ns);
        let log_name = fields.get("log_name").filter(|value| value.kind() == JsonKind::String);
        let stream = self.stream(&fields, path, program, place);
        let rows = self.draft.kernels.len();
        let benchmark = Benchmark { fields, name, program, label, task, stream, is_together: place.is_together };
        self.rows(node, path, &benchmark);
        self.leave(&benchmark.fields, program.file());
        if program == Program::Actions && !self.draft.kernels[rows..].iter().any(|row| row.call.has_operation()) {
            // A task without an operation would be over at once, again and again.
            self.draft.kernels.truncate(rows);
            self.origins.truncate(rows);
            self.draft.tasks.pop();
            self.times.pop();
            self.note(path, "launches no kernel and is left out");
            return None;
        }
        if let Some(value) = log_name {
            self.log_names.push((value.text().into_owned(), benchmark.task));
        }
        Some(Member { tasks: first..first + 1, release_ns: release, is_host: false })
    }

    /// Warns of limits on the part of the GPU that a benchmark may use: they are not simulated.
    fn sharing(&mut self, fields: &Fields<'_>, path: &Path<'_>, place: &BenchmarkContext) {
        if let Some(value) = fields.get("mps_thread_percentage") {
            let at = path.field("mps_thread_percentage");
            let whole = if value.kind() == JsonKind::Number { scaled(value.raw(), 4) } else { None };
            if whole.is_none() {
                self.reader.expected(value, &at, "a percentage, not below 0,");
            }
            if !place.is_alone {
                self.note(&at, "is ignored without use_processes, as in the examiner");
            } else if whole.is_some_and(|(percent, _)| percent < 1_000_000) {
                self.note(&at, &format!("is {} and ignored: MPS is not simulated, so no process has a share of the threads, and processes take turns instead of sharing the GPU", shown(value)));
            }
        }
        if fields.get("sm_mask").is_some() {
            self.note(&path.field("sm_mask"), "is ignored: blocks may go to every SM");
        }
    }

    fn task(&mut self, node: Node<'_>, path: &Path<'_>, label: &str, bounds: Bounds, place: &BenchmarkContext, release_ns: u64) -> String {
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

    fn stream(&mut self, fields: &Fields<'_>, path: &Path<'_>, program: Program, place: &BenchmarkContext) -> String {
        if program == Program::SpinOnNull || program == Program::Actions && actions::is_on_null(fields) {
            return NULL_STREAM.to_owned();
        }
        self.streams += 1;
        let name = format!("S{}", self.streams);
        if let Some(value) = fields.get("stream_priority") {
            let at = path.field("stream_priority");
            if value.kind() != JsonKind::Number {
                self.reader.expected(value, &at, "a number, -1 for high or 0 for low,");
            }
            let raw = value.raw();
            if !matches!(raw, "0" | "-1") {
                self.note(&at, &format!("is {}; like CUDA, the nearest of -1 (high) and 0 (low) was taken", shown(value)));
            }
            let high = raw.starts_with('-') && scaled(raw, 0).is_none();
            let priority = if high { StreamPriority::High } else { StreamPriority::Low };
            self.draft.streams.push(StreamDraft { process: place.process.clone(), name: name.clone(), priority, non_blocking: false });
        }
        name
    }

    /// The kernels of a benchmark.
    fn rows(&mut self, node: Node<'_>, path: &Path<'_>, benchmark: &Benchmark<'_>) {
        let at = path.field("additional_info");
        // Where it says nothing of time, it is named with what was assumed.
        let info = benchmark.fields.get("additional_info");
        match (benchmark.program, info) {
            (Program::Multikernel, Some(list)) if list.kind() == JsonKind::List => return self.multikernel(list, &at, benchmark),
            (Program::Multikernel, Some(other)) => return self.reader.expected(other, &at, "a list of kernels"),
            (Program::Multikernel, None) => {
                return self.reader.problem(node, &at, || "is missing; a list of kernels is required".to_owned());
            }
            (Program::Actions, Some(info)) => return self.actions(info, &at, benchmark),
            (Program::Actions, None) => {
                return self.reader.problem(node, &at, || "is missing; a list of actions is required".to_owned());
            }
            _ => {}
        }
        let mut row = self.row(&benchmark.label, benchmark);
        row.blocks = self.count(node, &benchmark.fields, path, "block_count");
        row.threads_per_block = self.count(node, &benchmark.fields, path, "thread_count");
        let spins = benchmark.program.spins();
        let time = match info {
            Some(info) if info.kind() == JsonKind::Object && (spins || info.get("duration").is_some()) => {
                let kernel = self.fields(info, &at, &KERNEL);
                row.shared_memory_bytes = self.integers(&kernel, &at, "shared_memory_size");
                let time = self.duration(info, &kernel, &at);
                self.leave(&kernel, "additional_info");
                time
            }
            Some(number) if spins => self.whole(number, &at),
            None if spins => {
                self.reader.problem(node, &at, || "is missing; the duration in ns is required".to_owned());
                0
            }
            _ => {
                let _ = benchmark.fields.get("data_size");
                self.assumed_duration(node, path, benchmark.program, &benchmark.name)
            }
        };
        row.block_time_ns = BlockTimes::Each(time);
        self.push(row, path);
    }

    /// The duration that was asked for, of a program whose config has none.
    fn assumed_duration(&mut self, node: Node<'_>, path: &Path<'_>, program: Program, name: &str) -> u64 {
        let why = program.without_duration(name);
        self.without_duration += 1;
        match self.options.default_duration_ns {
            Some(ns) => {
                let rest = if program == Program::Actions { "" } else { ", nothing is copied, whatever data_size and additional_info say" };
                self.note(path, &format!("{why}: every block runs {}{rest}", format_time(ns)));
                ns
            }
            None => {
                self.reader.problem(node, path, || format!("{why}; give the time of its blocks"));
                0
            }
        }
    }

    /// Kernels launched one after the other, without waiting unless they have a delay.
    fn multikernel(&mut self, list: Node<'_>, path: &Path<'_>, benchmark: &Benchmark<'_>) {
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
            let name = name.filter(|n| !n.trim().is_empty()).unwrap_or_else(|| benchmark.label.clone());
            let mut row = self.row(&name, benchmark);
            row.after.clone_from(&after);
            row.start_ns = start_ns;
            row.blocks = self.count(node, &fields, &at, "block_count");
            row.threads_per_block = self.count(node, &fields, &at, "thread_count");
            row.shared_memory_bytes = self.integers(&fields, &at, "shared_memory_size");
            row.copy_in_bytes = self.integers(&fields, &at, "copy_in_count");
            row.copy_out_bytes = self.integers(&fields, &at, "copy_out_count");
            row.block_time_ns = BlockTimes::Each(self.duration(node, &fields, &at));
            if fields.get("sm_mask").is_some() {
                self.note(&at.field("sm_mask"), "is ignored: blocks may go to every SM");
            }
            previous = Some(row.name.clone());
            self.push(row, &at);
        }
    }

    fn row(&mut self, name: &str, benchmark: &Benchmark<'_>) -> KernelDraft {
        let mut row = KernelDraft::named(self.kernel_names.unique(name), 0, 0, 0);
        row.task = Some(benchmark.task.clone());
        row.stream.clone_from(&benchmark.stream);
        row
    }

    fn push(&mut self, row: KernelDraft, path: &dyn Display) {
        self.draft.kernels.push(row);
        self.origins.push(path.to_string());
    }
}
