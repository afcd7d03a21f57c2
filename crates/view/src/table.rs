//! The columns of the scenario's tables: how each field is titled, read and written as a cell.
//!
//! Depends on `scenario` and `quantity`. Invariant: for every value, writing it to a cell and
//! reading the cell again gives the value back.

use super::quantity::{self, QuantityError, Unit};
use blockstep_sim::scenario::{
    BlockTimes, Call, Choice, Class, DefaultStream, Interleave, KernelDraft, Preemption, ProcessDraft, Release, TIMESLICE_NS, TaskDraft,
    too_long,
};

/// Longest list of block times that a cell spells out; longer ones are summed up.
const MAX_TIMES_SHOWN: usize = 64;
/// The same of names.
const MAX_NAMES_SHOWN: usize = 50;

/// A table of the scenario whose rows can be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// The kernel table.
    Kernels,
    /// CPU tasks.
    Tasks,
    /// The processes of the scenario.
    Processes,
}

/// What kind of text a column holds, so that an editor can offer the right control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// The row's own name.
    Name,
    /// A stream's name, or `NULL`.
    Stream,
    /// The name of a task; empty for the first.
    Task,
    /// The name of a process; empty for the first.
    Process,
    /// The name of an earlier row of the same task, or empty.
    After,
    /// The name of the row that launches the graph, or empty.
    Graph,
    /// A number with a unit.
    Quantity(Unit),
    /// One time, or one for each block.
    Times,
    /// A whole number, perhaps negative.
    Integer,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Names of tasks, separated by commas.
    Names,
    /// Names of events, separated by commas, or one of them.
    Events,
    /// The name of a guest of the hypervisor; empty for one of the process's own.
    Guest,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The field's name in a scenario file.
    pub field: &'static str,
    /// Its title on screen.
    pub title: &'static str,
    /// What it means, for a tooltip.
    pub help: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
    /// What an empty cell stands for; `None` if it may not be empty.
    pub empty: Option<&'static str>,
}

/// A column, from its field, title, kind, what an empty cell stands for, and what it means.
#[must_use]
pub const fn column(field: &'static str, title: &'static str, kind: ColumnKind, empty: Option<&'static str>, help: &'static str) -> Column {
    Column { field, title, help, kind, empty }
}

const TIME: ColumnKind = ColumnKind::Quantity(Unit::Time);
const BYTES: ColumnKind = ColumnKind::Quantity(Unit::Bytes);
const COUNT: ColumnKind = ColumnKind::Quantity(Unit::Count);

const KERNELS: &[Column] = &[
    column("name", "Kernel", ColumnKind::Name, None, "Name of the kernel; unique"),
    column("task", "Task", ColumnKind::Task, Some("first"), "The CPU task that launches it"),
    column("stream", "Stream", ColumnKind::Stream, None, "The stream it is launched in; NULL is the NULL stream"),
    column(
        "start_ns",
        "Start",
        TIME,
        Some("0"),
        "Launch, after the release of the job or the end of the row it waits for; 0.2 means 0.2 s",
    ),
    column("blocks", "Blocks", COUNT, None, "Number of thread blocks, or the grid: 16x16"),
    column("threads_per_block", "Threads", COUNT, None, "Threads of one block, or its shape: 16x16"),
    column(
        "block_time_ns",
        "Time per block",
        ColumnKind::Times,
        None,
        "How long a block runs; a list such as 1 s; 2 s gives each block its own",
    ),
    column(
        "block_time_max_ns",
        "Worst time",
        TIME,
        Some("same"),
        "Longest possible time of the longest block; a seeded random draw lengthens all blocks of a job alike",
    ),
    column("shared_memory_bytes", "Shared memory", BYTES, Some("0"), "Shared memory of one block, as 32KB"),
    column("registers_per_thread", "Registers", COUNT, Some("0"), "Registers of one thread"),
    column("copy_in_bytes", "Copy in", BYTES, Some("0"), "Bytes copied to the GPU before the kernel, as 256 MB"),
    column("copy_out_bytes", "Copy out", BYTES, Some("0"), "Bytes copied back after the kernel"),
    column(
        "call",
        "Call",
        ColumnKind::Word(words::CALL),
        None,
        "What the CPU calls: it launches a kernel or a graph, copies, sets memory, waits, or allocates and frees memory. Only a kernel has blocks",
    ),
    column("bytes", "Bytes", BYTES, Some("0"), "What a copy or memset that is a row of its own moves, as 4 MB"),
    column(
        "synchronous",
        "Synchronous",
        ColumnKind::Word(words::TRUTH),
        None,
        "Whether the CPU waits until its copy or memset is complete",
    ),
    column(
        "call_ns",
        "Call time",
        TIME,
        Some("task's"),
        "How long the CPU is in this call. With a time here or in the task, calls are made one after another",
    ),
    column("after", "After", ColumnKind::After, Some("none"), "An earlier row of the same task that must be complete first"),
    column(
        "waits_for",
        "Waits for",
        ColumnKind::Events,
        Some("none"),
        "Events that the stream waits for before this row (cudaStreamWaitEvent); one that is not recorded yet is no wait. Of a node of a \
         graph: the nodes above that it waits for",
    ),
    column(
        "records",
        "Records event",
        ColumnKind::Events,
        Some("none"),
        "Event that is recorded in the stream behind this row (cudaEventRecord)",
    ),
    column(
        "graph",
        "Graph",
        ColumnKind::Graph,
        Some("none"),
        "The row above that launches the graph of which this row is a node (cudaGraphLaunch); Waits for then names nodes of it",
    ),
];

const TASKS: &[Column] = &[
    column("name", "Task", ColumnKind::Name, None, "Name of the CPU task; unique"),
    column("process", "Process", ColumnKind::Process, Some("first"), "The process that it is a thread of"),
    column("release", "Release", ColumnKind::Word(words::RELEASE), None, "One job, one every period, or the next when the last completes"),
    column("offset_ns", "Offset", TIME, Some("0"), "Release of the first job"),
    column("period_ns", "Period", TIME, Some("none"), "Time between releases"),
    column("deadline_ns", "Deadline", TIME, Some("period"), "Time from the release to the deadline"),
    column("jobs", "Jobs", COUNT, Some("no limit"), "Number of jobs that are released"),
    column(
        "class",
        "Class",
        ColumnKind::Word(words::CLASS),
        Some("auto"),
        "Under EDF, real-time jobs are ordered by deadline and go before best-effort jobs; auto: real time if a deadline or a period is \
         given",
    ),
    column(
        "budget_ns",
        "Budget",
        TIME,
        Some("whole job"),
        "Under EDF with budgets, the time a job may take before its deadline is postponed; empty: the time of a job alone",
    ),
    column(
        "priority",
        "Priority",
        ColumnKind::Integer,
        Some("0"),
        "Under EDF, the order of best-effort tasks; the smallest number goes first",
    ),
    column("consumes", "Consumes", ColumnKind::Names, Some("none"), "Tasks whose job of the same number must be complete first"),
    column(
        "call_ns",
        "Call time",
        TIME,
        Some("none"),
        "How long each call of this CPU thread takes. With a time, even 0, it makes its calls one after another, in table order",
    ),
    column(
        "pixel_latency_ns",
        "Pixel latency",
        TIME,
        Some("none"),
        "Under EDF, makes it a graphics task: when it has to give way, its blocks run on for at most this long, to the end of a pixel; \
         [EDF] VI-C has 750 us",
    ),
    column(
        "wake_ns",
        "Wake-up",
        TIME,
        Some("0"),
        "Under a policy of your own, the time from the completion of a job until the policy is told of its end",
    ),
];

const PROCESSES: &[Column] = &[
    column("name", "Process", ColumnKind::Name, None, "Name of the process; unique"),
    column(
        "interleave",
        "Interleaving",
        ColumnKind::Word(words::INTERLEAVE),
        None,
        "How often it appears in the runlist: high before every other entry, low once a round",
    ),
    column(
        "timeslice_ns",
        "Timeslice",
        TIME,
        Some("2 ms"),
        "Under the runlist, the longest time that it stays resident while others wait; 0.002 means 2 ms",
    ),
    column(
        "preemption",
        "Preemption",
        ColumnKind::Word(words::PREEMPTION),
        Some("device"),
        "Under the runlist, when it leaves: thread at once, block when the running blocks end, kernel when the started kernels end, none \
         when its work is done; empty: the device's default",
    ),
    column(
        "default_stream",
        "NULL means",
        ColumnKind::Word(words::DEFAULT_STREAM),
        None,
        "What NULL is for its tasks: legacy, the NULL stream of the process; per_thread, a blocking stream of each task's own",
    ),
    column(
        "channels",
        "Channels",
        COUNT,
        Some("1"),
        "Under the runlist, how many channels its streams share by turns. Each has entries, timeslices and queues of its own",
    ),
    column(
        "guest",
        "Guest",
        ColumnKind::Guest,
        Some("its own"),
        "The guest of the hypervisor in which it runs; Path draws processes of one guest together. It changes nothing in the run",
    ),
];

/// The words of a choice, for columns that hold one.
mod words {
    use super::{Call, Choice, Class, DefaultStream, Interleave, Preemption, Release};

    pub(super) const RELEASE: &[&str] = &["once", "periodic", "continuous"];
    pub(super) const CLASS: &[&str] = &["real_time", "best_effort"];
    pub(super) const INTERLEAVE: &[&str] = &["high", "medium", "low"];
    pub(super) const PREEMPTION: &[&str] = &["thread", "block", "kernel", "none"];
    pub(super) const CALL: &[&str] = &[
        "kernel",
        "copy_to_device",
        "copy_to_host",
        "copy_on_device",
        "memset",
        "synchronize_stream",
        "synchronize_event",
        "synchronize_device",
        "allocate",
        "free",
        "launch_graph",
    ];
    pub(super) const DEFAULT_STREAM: &[&str] = &["legacy", "per_thread"];
    pub(super) const TRUTH: &[&str] = &["no", "yes"];

    const _: () = assert!(
        RELEASE.len() == Release::ALL.len()
            && CLASS.len() == Class::ALL.len()
            && INTERLEAVE.len() == Interleave::ALL.len()
            && PREEMPTION.len() == Preemption::ALL.len()
            && CALL.len() == Call::ALL.len()
            && DEFAULT_STREAM.len() == DefaultStream::ALL.len()
    );
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 3] = [Self::Kernels, Self::Tasks, Self::Processes];

    /// The columns, in the order of the screen.
    #[must_use]
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Kernels => KERNELS,
            Self::Tasks => TASKS,
            Self::Processes => PROCESSES,
        }
    }

    /// The table's name in a scenario file.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Kernels => "kernels",
            Self::Tasks => "tasks",
            Self::Processes => "processes",
        }
    }

    /// The column with this field.
    #[must_use]
    pub fn column_of(self, field: &str) -> Option<usize> {
        self.columns().iter().position(|c| c.field == field)
    }
}

/// Why a text cannot stand in a cell. The sentence goes on after the name of its field.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CellError {
    #[error(transparent)]
    Quantity(#[from] QuantityError),
    #[error("there is no field \"{0}\"")]
    NoField(String),
    /// The sentence is that of `scenario::too_long`.
    #[error("{0}")]
    LongName(String),
    #[error("\"{0}\" sums up a list; type the names, with commas")]
    NamesSummedUp(String),
    #[error("\"{0}\" is not a whole number; write one such as 5 or -1, between {least} and {most}", least = i64::MIN, most = i64::MAX)]
    NotAnInteger(String),
    #[error("\"{text}\" is none of {}", .words.join(", "))]
    OtherWord { text: String, words: Vec<&'static str> },
}

/// A row whose fields are cells of text.
pub trait Cells {
    /// A field as its cell shows it; empty if it holds what an empty cell stands for.
    fn cell(&self, field: &str) -> String;

    /// Sets a field from its cell; `text` is trimmed. On an error nothing changes.
    ///
    /// # Errors
    /// What is wrong, naming the value and what is expected.
    fn set_cell(&mut self, field: &str, text: &str) -> Result<(), CellError>;
}

impl Cells for KernelDraft {
    fn cell(&self, field: &str) -> String {
        match field {
            "name" => self.name.clone(),
            "task" => self.task.clone().unwrap_or_default(),
            "stream" => self.stream.clone(),
            "start_ns" => or_empty(self.start_ns, quantity::format_time),
            "after" => self.after.clone().unwrap_or_default(),
            "call" => self.call.word().to_owned(),
            "bytes" => or_empty(self.bytes, quantity::format_bytes),
            "synchronous" => words::TRUTH[usize::from(self.synchronous)].to_owned(),
            "call_ns" => self.call_ns.map(quantity::format_time).unwrap_or_default(),
            // Of another call they may be left out.
            "blocks" | "threads_per_block" | "block_time_ns" if self.call != Call::Kernel && is_without_blocks(self) => String::new(),
            "blocks" => quantity::format_count(self.blocks),
            "threads_per_block" => quantity::format_count(self.threads_per_block),
            "shared_memory_bytes" => or_empty(self.shared_memory_bytes, quantity::format_bytes),
            "registers_per_thread" => or_empty(self.registers_per_thread, quantity::format_count),
            "block_time_ns" => times_cell(&self.block_time_ns),
            "block_time_max_ns" => self.block_time_max_ns.map(quantity::format_time).unwrap_or_default(),
            "copy_in_bytes" => or_empty(self.copy_in_bytes, quantity::format_bytes),
            "copy_out_bytes" => or_empty(self.copy_out_bytes, quantity::format_bytes),
            "waits_for" => names_cell(&self.waits_for),
            "records" => self.records.clone().unwrap_or_default(),
            "graph" => self.graph.clone().unwrap_or_default(),
            _ => String::new(),
        }
    }

    fn set_cell(&mut self, field: &str, text: &str) -> Result<(), CellError> {
        match field {
            "name" => self.name = name(text)?,
            "task" => self.task = some_name(text)?,
            "stream" => self.stream = name(text)?,
            "start_ns" => self.start_ns = or_zero(Unit::Time, text)?,
            "after" => self.after = some_name(text)?,
            "call" => self.call = word::<Call>(text)?,
            "bytes" => self.bytes = or_zero(Unit::Bytes, text)?,
            "synchronous" => self.synchronous = truth(text)?,
            "call_ns" => self.call_ns = time(text)?,
            "blocks" => self.blocks = if is_left_out(self, text) { 0 } else { quantity::parse(Unit::Count, text)? },
            "threads_per_block" => self.threads_per_block = if is_left_out(self, text) { 0 } else { quantity::parse(Unit::Count, text)? },
            "shared_memory_bytes" => self.shared_memory_bytes = or_zero(Unit::Bytes, text)?,
            "registers_per_thread" => self.registers_per_thread = or_zero(Unit::Count, text)?,
            "block_time_ns" if is_left_out(self, text) => self.block_time_ns = BlockTimes::Each(0),
            "block_time_ns" => self.block_time_ns = quantity::parse_block_times(text)?,
            "block_time_max_ns" => self.block_time_max_ns = time(text)?,
            "copy_in_bytes" => self.copy_in_bytes = or_zero(Unit::Bytes, text)?,
            "copy_out_bytes" => self.copy_out_bytes = or_zero(Unit::Bytes, text)?,
            "waits_for" => self.waits_for = names(text)?,
            "records" => self.records = some_name(text)?,
            "graph" => self.graph = some_name(text)?,
            _ => return Err(CellError::NoField(field.to_owned())),
        }
        Ok(())
    }
}

fn is_without_blocks(row: &KernelDraft) -> bool {
    row.blocks == 0 && row.threads_per_block == 0 && row.block_time_ns == BlockTimes::Each(0)
}

/// Whether an empty cell says that a row that is no kernel has no blocks.
fn is_left_out(row: &KernelDraft, text: &str) -> bool {
    text.is_empty() && row.call != Call::Kernel
}

impl Cells for TaskDraft {
    fn cell(&self, field: &str) -> String {
        let time = |ns: Option<u64>| ns.map(quantity::format_time).unwrap_or_default();
        match field {
            "name" => self.name.clone(),
            "process" => self.process.clone().unwrap_or_default(),
            "release" => self.release.word().to_owned(),
            "offset_ns" => or_empty(self.offset_ns, quantity::format_time),
            "period_ns" => time(self.period_ns),
            "deadline_ns" => time(self.deadline_ns),
            "jobs" => self.jobs.map(quantity::format_count).unwrap_or_default(),
            "class" => self.class.map(|c| c.word().to_owned()).unwrap_or_default(),
            "budget_ns" => time(self.budget_ns),
            "priority" => {
                if self.priority == 0 {
                    String::new()
                } else {
                    self.priority.to_string()
                }
            }
            "consumes" => names_cell(&self.consumes),
            "call_ns" => time(self.call_ns),
            "pixel_latency_ns" => time(self.pixel_latency_ns),
            "wake_ns" => or_empty(self.wake_ns, quantity::format_time),
            _ => String::new(),
        }
    }

    fn set_cell(&mut self, field: &str, text: &str) -> Result<(), CellError> {
        match field {
            "name" => self.name = name(text)?,
            "process" => self.process = some_name(text)?,
            "release" => self.release = word::<Release>(text)?,
            "offset_ns" => self.offset_ns = or_zero(Unit::Time, text)?,
            "period_ns" => self.period_ns = time(text)?,
            "deadline_ns" => self.deadline_ns = time(text)?,
            "jobs" => self.jobs = if text.is_empty() { None } else { Some(quantity::parse(Unit::Count, text)?) },
            "class" => self.class = if text.is_empty() { None } else { Some(word::<Class>(text)?) },
            "budget_ns" => self.budget_ns = time(text)?,
            "priority" => self.priority = integer(text)?,
            "consumes" => self.consumes = names(text)?,
            "call_ns" => self.call_ns = time(text)?,
            "pixel_latency_ns" => self.pixel_latency_ns = time(text)?,
            "wake_ns" => self.wake_ns = or_zero(Unit::Time, text)?,
            _ => return Err(CellError::NoField(field.to_owned())),
        }
        Ok(())
    }
}

impl Cells for ProcessDraft {
    fn cell(&self, field: &str) -> String {
        match field {
            "name" => self.name.clone(),
            "interleave" => self.interleave.word().to_owned(),
            "guest" => self.guest.clone().unwrap_or_default(),
            "channels" if self.channels == 1 => String::new(),
            "channels" => quantity::format_count(self.channels),
            "timeslice_ns" if self.timeslice_ns == TIMESLICE_NS => String::new(),
            "timeslice_ns" => quantity::format_time(self.timeslice_ns),
            "preemption" => self.preemption.map(|mode| mode.word().to_owned()).unwrap_or_default(),
            "default_stream" => self.default_stream.word().to_owned(),
            _ => String::new(),
        }
    }

    fn set_cell(&mut self, field: &str, text: &str) -> Result<(), CellError> {
        match field {
            "name" => self.name = name(text)?,
            "interleave" => self.interleave = word::<Interleave>(text)?,
            "guest" => self.guest = some_name(text)?,
            "channels" => self.channels = if text.is_empty() { 1 } else { quantity::parse(Unit::Count, text)? },
            "timeslice_ns" => self.timeslice_ns = if text.is_empty() { TIMESLICE_NS } else { quantity::parse(Unit::Time, text)? },
            "preemption" => self.preemption = if text.is_empty() { None } else { Some(word::<Preemption>(text)?) },
            "default_stream" => self.default_stream = word::<DefaultStream>(text)?,
            _ => return Err(CellError::NoField(field.to_owned())),
        }
        Ok(())
    }
}

/// A number as its cell shows it; zero is what an empty cell stands for.
fn or_empty(value: u64, format: impl FnOnce(u64) -> String) -> String {
    if value == 0 { String::new() } else { format(value) }
}

fn or_zero(unit: Unit, text: &str) -> Result<u64, CellError> {
    if text.is_empty() { Ok(0) } else { Ok(quantity::parse(unit, text)?) }
}

fn time(text: &str) -> Result<Option<u64>, CellError> {
    if text.is_empty() { Ok(None) } else { Ok(Some(quantity::parse(Unit::Time, text)?)) }
}

/// Yes or no; an empty cell says no.
fn truth(text: &str) -> Result<bool, CellError> {
    match text {
        "yes" => Ok(true),
        "" | "no" => Ok(false),
        _ => Err(CellError::OtherWord { text: text.to_owned(), words: vec!["yes", "no"] }),
    }
}

/// A name, unless it is too long.
fn name(text: &str) -> Result<String, CellError> {
    too_long(text).map_or_else(|| Ok(text.to_owned()), |why| Err(CellError::LongName(why)))
}

/// Names between commas.
fn names(text: &str) -> Result<Vec<String>, CellError> {
    if text
        .strip_suffix(NAMES)
        .and_then(|count| quantity::parse(Unit::Count, count).ok())
        .is_some_and(|count| count > MAX_NAMES_SHOWN as u64)
    {
        return Err(CellError::NamesSummedUp(text.to_owned()));
    }
    text.split(',').map(str::trim).filter(|text| !text.is_empty()).map(name).collect()
}

fn some_name(text: &str) -> Result<Option<String>, CellError> {
    if text.is_empty() { Ok(None) } else { name(text).map(Some) }
}

/// A whole number, perhaps negative; an empty cell is 0.
fn integer(text: &str) -> Result<i64, CellError> {
    if text.is_empty() {
        return Ok(0);
    }
    // Separators between groups of three digits, and the minus sign that is not on keyboards.
    let plain = text.replace([',', ' '], "").replace('\u{2212}', "-");
    plain.parse().map_err(|_| CellError::NotAnInteger(text.to_owned()))
}

/// A word as files spell it, or as the page shows it.
fn word<C: Choice>(text: &str) -> Result<C, CellError> {
    C::from_word(&text.to_ascii_lowercase().replace(' ', "_")).ok_or_else(|| {
        let words = C::ALL.iter().map(|c| c.word()).collect();
        CellError::OtherWord { text: text.to_owned(), words }
    })
}

/// Long lists are summed up: such a cell can be replaced, not edited.
fn times_cell(times: &BlockTimes) -> String {
    match times {
        BlockTimes::List(list) if list.len() > MAX_TIMES_SHOWN => {
            let (least, most) = (list.iter().min().copied().unwrap_or(0), list.iter().max().copied().unwrap_or(0));
            format!(
                "{} times, {} to {}",
                quantity::format_count(list.len() as u64),
                quantity::format_time(least),
                quantity::format_time(most)
            )
        }
        _ => quantity::format_block_times(times),
    }
}

/// What follows the count of names that are summed up.
const NAMES: &str = " names";

/// Long lists of names, too.
fn names_cell(names: &[String]) -> String {
    match names.len() {
        count if count > MAX_NAMES_SHOWN => format!("{}{NAMES}", quantity::format_count(count as u64)),
        _ => names.join(", "),
    }
}
