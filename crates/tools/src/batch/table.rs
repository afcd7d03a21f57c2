//! The table of tasks: its columns, and what was typed in its rows.
//!
//! Invariant: nothing that was typed is changed.

use serde::{Deserialize, Serialize};

use blockstep_batch::arch::Costs;
use blockstep_batch::task::TaskDraft;
use blockstep_view::quantity::{Unit, format_bytes, format_count, format_time, parse};
use blockstep_view::table::{self, ColumnKind, column};

const AFTER: (&str, &str) = ("After", "tasks whose job of the same number must complete first, separated by ;");

const WITHIN: (&str, &str) = ("Deadline / separation", "latency: the deadline; throughput: from one output to the next");

const INTERVAL: (&str, &str) = ("Interval", "from one input to the next");

const FIRST: (&str, &str) = ("First input", "when it arrives");

const COPY_OUT: (&str, &str) = ("Output copy", "a time or a size");

const THREADS: (&str, &str) = ("Threads", "of each block");

const BLOCKS: (&str, &str) = ("Blocks", "of the kernel");

const KERNEL: (&str, &str) = ("Kernel time", "alone on the GPU");

const COPY_IN: (&str, &str) = ("Input copy", "a time, such as 1 ms, or a size, such as 6 MB");

const KIND: (&str, &str) = ("Kind", "latency: each output soon after its input; throughput: outputs at a steady pace");

const NAME: (&str, &str) = ("Name", "a unique name");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskColumn {
    Name,
    Kind,
    CopyIn,
    Kernel,
    Blocks,
    Threads,
    CopyOut,
    First,
    Interval,
    Within,
    After,
}

/// What the page says of each column, in the order of [`TaskColumn::ALL`].
pub const COLUMNS: &[table::Column] = &[
    column("name", NAME.0, ColumnKind::Name, None, NAME.1),
    column("kind", KIND.0, ColumnKind::Word(&[LATENCY, THROUGHPUT]), None, KIND.1),
    column("in", COPY_IN.0, TIME, None, COPY_IN.1),
    column("kernel", KERNEL.0, TIME, None, KERNEL.1),
    column("blocks", BLOCKS.0, COUNT, None, BLOCKS.1),
    column("threads", THREADS.0, COUNT, None, THREADS.1),
    column("out", COPY_OUT.0, TIME, None, COPY_OUT.1),
    column("first", FIRST.0, TIME, None, FIRST.1),
    column("every", INTERVAL.0, TIME, None, INTERVAL.1),
    column("within", WITHIN.0, TIME, None, WITHIN.1),
    column("after", AFTER.0, ColumnKind::Names, Some("none"), AFTER.1),
];

const TIME: ColumnKind = ColumnKind::Quantity(Unit::Time);
const COUNT: ColumnKind = ColumnKind::Quantity(Unit::Count);

impl TaskColumn {
    /// Every column, from left to right.
    pub const ALL: [Self; 11] = [
        Self::Name,
        Self::Kind,
        Self::CopyIn,
        Self::Kernel,
        Self::Blocks,
        Self::Threads,
        Self::CopyOut,
        Self::First,
        Self::Interval,
        Self::Within,
        Self::After,
    ];

    #[must_use]
    pub const fn title(self) -> &'static str {
        COLUMNS[self as usize].title
    }

    const fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Name => &["name"],
            Self::Kind => &[],
            Self::CopyIn => &["copy_in_ns", "copy_in_bytes"],
            Self::Kernel => &["kernel_ns"],
            Self::Blocks => &["blocks"],
            Self::Threads => &["threads_per_block"],
            Self::CopyOut => &["copy_out_ns", "copy_out_bytes"],
            Self::First => &["first_ns"],
            Self::Interval => &["interval_ns"],
            Self::Within => &["deadline_ns", "separation_ns"],
            Self::After => &["after"],
        }
    }

    /// The column that holds a field of files; that of names if none does.
    pub(super) fn of_field(field: &str) -> Self {
        Self::ALL.into_iter().find(|column| column.fields().contains(&field)).unwrap_or(Self::Name)
    }
}

/// What the column of kinds holds, other than latency.
pub const THROUGHPUT: &str = "throughput";
/// The kind of all other tasks.
pub const LATENCY: &str = "latency";

/// A row as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TypedRow {
    /// Name of the task.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Latency or throughput.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Input copy.
    #[serde(rename = "in", skip_serializing_if = "String::is_empty")]
    pub copy_in: String,
    /// Kernel time.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kernel: String,
    /// Number of thread blocks of its kernel.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub blocks: String,
    /// Threads of each block.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub threads: String,
    /// Output copy.
    #[serde(rename = "out", skip_serializing_if = "String::is_empty")]
    pub copy_out: String,
    /// First input.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub first: String,
    /// Time from one job to the next.
    #[serde(rename = "every", skip_serializing_if = "String::is_empty")]
    pub interval: String,
    /// Deadline or separation time.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub within: String,
    /// Tasks whose jobs come before.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub after: String,
}

impl TypedRow {
    /// A task as it would be typed.
    #[must_use]
    pub fn from_task(task: &TaskDraft) -> Self {
        let copy = |ns, bytes| if bytes > 0 { format_bytes(bytes) } else { format_time(ns) };
        Self {
            name: task.name.clone(),
            kind: if task.separation_ns.is_some() { THROUGHPUT } else { LATENCY }.to_owned(),
            copy_in: copy(task.copy_in_ns, task.copy_in_bytes),
            kernel: format_time(task.kernel_ns),
            blocks: format_count(task.blocks),
            threads: format_count(task.threads_per_block),
            copy_out: copy(task.copy_out_ns, task.copy_out_bytes),
            first: format_time(task.first_ns),
            interval: format_time(task.interval_ns),
            within: format_time(task.deadline_ns.or(task.separation_ns).unwrap_or(0)),
            after: task.after.join("; "),
        }
    }

    #[must_use]
    pub const fn cell(&self, column: TaskColumn) -> &String {
        match column {
            TaskColumn::Name => &self.name,
            TaskColumn::Kind => &self.kind,
            TaskColumn::CopyIn => &self.copy_in,
            TaskColumn::Kernel => &self.kernel,
            TaskColumn::Blocks => &self.blocks,
            TaskColumn::Threads => &self.threads,
            TaskColumn::CopyOut => &self.copy_out,
            TaskColumn::First => &self.first,
            TaskColumn::Interval => &self.interval,
            TaskColumn::Within => &self.within,
            TaskColumn::After => &self.after,
        }
    }

    pub(super) const fn cell_mut(&mut self, column: TaskColumn) -> &mut String {
        match column {
            TaskColumn::Name => &mut self.name,
            TaskColumn::Kind => &mut self.kind,
            TaskColumn::CopyIn => &mut self.copy_in,
            TaskColumn::Kernel => &mut self.kernel,
            TaskColumn::Blocks => &mut self.blocks,
            TaskColumn::Threads => &mut self.threads,
            TaskColumn::CopyOut => &mut self.copy_out,
            TaskColumn::First => &mut self.first,
            TaskColumn::Interval => &mut self.interval,
            TaskColumn::Within => &mut self.within,
            TaskColumn::After => &mut self.after,
        }
    }
}

/// Whether a cost as typed is the default.
pub(super) fn is_default_cost(place: usize, text: &str) -> bool {
    parse(Unit::Count, text).ok() == Costs::default().values().get(place).copied()
}
