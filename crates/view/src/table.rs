//! The columns of the scenario's tables: how each field is titled, read and written as a cell.
//!
//! Depends on `scenario` and `quantity`. Invariant: for every value, writing it to a cell and
//! reading the cell again gives the value back.

mod cells;

use super::quantity::{QuantityError, Unit};
use blockstep_sim::scenario::{Call, Choice, Class, DefaultStream, Interleave, Preemption, Release};

/// A table of the scenario whose rows can be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// The kernel table.
    Kernels,
    /// CPU tasks.
    Tasks,
    /// The processes of the scenario.
    Processes,
    /// Batches of commands.
    Batches,
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
    /// The name of a batch of commands, or empty.
    Batch,
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
    /// Names of other rows of the kernel table, separated by commas.
    Kernels,
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
        "Launch time, from the job's release or from the end of the row it waits for; 0.2 means 0.2 s",
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
        "Events that the stream waits for before this row (cudaStreamWaitEvent); one that is not recorded yet does not count. For a node of \
         a graph: the nodes above that it waits for",
    ),
    column(
        "records",
        "Records event",
        ColumnKind::Events,
        Some("none"),
        "Event that is recorded in the stream right after this row (cudaEventRecord)",
    ),
    column(
        "graph",
        "Graph",
        ColumnKind::Graph,
        Some("none"),
        "The row above that launches the graph of which this row is a node (cudaGraphLaunch); Waits for then names nodes of it",
    ),
    column(
        "batch",
        "Batch",
        ColumnKind::Batch,
        Some("none"),
        "The batch of its task's commands to which this row belongs; under EDF a batch has times of its own (cudaStreamDeadlineBegin)",
    ),
    column(
        "barrier",
        "Barrier",
        ColumnKind::Word(words::TRUTH),
        None,
        "Whether its blocks meet at a grid barrier when they begin: each spins until all of them have begun",
    ),
    column(
        "until_begun",
        "Spins until begun",
        ColumnKind::Kernels,
        Some("none"),
        "Other kernels: each of its blocks spins until a block of every one has begun",
    ),
    column(
        "until_all_begun",
        "Spins until all begun",
        ColumnKind::Kernels,
        Some("none"),
        "Other kernels: each of its blocks spins until all blocks of every one have begun",
    ),
    column(
        "until_completed",
        "Spins until complete",
        ColumnKind::Kernels,
        Some("none"),
        "Other kernels: each of its blocks spins until every one is complete",
    ),
    column(
        "cooperative",
        "Cooperative",
        ColumnKind::Word(words::TRUTH),
        None,
        "Whether it is a cooperative launch (cudaLaunchCooperativeKernel): its blocks are assigned together, once all of them have room",
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
        "Under EDF with budgets, the time a job may take before its deadline is postponed; empty: the time that the job takes alone",
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
         [EDF] VI-C has 750 µs",
    ),
    column(
        "wake_ns",
        "Wake-up",
        TIME,
        Some("0"),
        "Under a policy of your own, the time from the completion of a job until the policy learns of its end",
    ),
];

const BATCHES: &[Column] = &[
    column("name", "Batch", ColumnKind::Name, None, "Name of the batch of commands; unique. Rows of the kernel table name it"),
    column("task", "Task", ColumnKind::Task, Some("first"), "The task that issues it in each of its jobs"),
    column("deadline_ns", "Deadline", TIME, None, "Time from the issue of its first command to its deadline"),
    column("budget_ns", "Budget", TIME, None, "Under EDF with budgets, the time that it may take before its deadline is postponed"),
    column("period_ns", "Period", TIME, Some("deadline"), "By how much its deadline is postponed"),
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
        "Under the runlist, the number of channels its streams are dealt out to. Each has entries, timeslices and queues of its own",
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
    pub const ALL: [Self; 4] = [Self::Kernels, Self::Tasks, Self::Processes, Self::Batches];

    /// The columns, in the order of the screen.
    #[must_use]
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::Kernels => KERNELS,
            Self::Tasks => TASKS,
            Self::Processes => PROCESSES,
            Self::Batches => BATCHES,
        }
    }

    /// The table's name in a scenario file.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Kernels => "kernels",
            Self::Tasks => "tasks",
            Self::Processes => "processes",
            Self::Batches => "batches",
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
    #[error("\"{text}\" is not one of {}", .words.join(", "))]
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
