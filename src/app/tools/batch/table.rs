//! The table of tasks: what was typed, and what it says.
//!
//! Depends on `batch` and `view::quantity`. Invariant: nothing that was typed is changed.

use serde::{Deserialize, Serialize};

use super::problem::Problem;
use super::state::Setup;
use crate::batch::arch::Costs;
use crate::batch::task::{TaskDraft, WorkloadDraft};
use crate::view::quantity::{Unit, format_bytes, format_count, format_time, parse};

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Column {
    /// The task's name.
    Name,
    /// Latency or throughput.
    Kind,
    /// Its input copy.
    CopyIn,
    /// Its kernel, alone on the GPU.
    Kernel,
    /// Blocks of the kernel.
    Blocks,
    /// Threads of a block.
    Threads,
    /// Its output copy.
    CopyOut,
    /// When the first input arrives.
    First,
    /// From one input to the next.
    Interval,
    /// Deadline or separation time.
    Within,
    /// Tasks whose jobs come before.
    After,
}

/// What the page says of a column.
struct About {
    /// Its name in links and forms.
    word: &'static str,
    /// Its heading.
    title: &'static str,
    /// What stands there, for those who point at it.
    about: &'static str,
    /// Fields of files that it holds.
    fields: &'static [&'static str],
}

impl Column {
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

    const fn facts(self) -> About {
        let (word, title, about, fields): (_, _, _, &'static [&'static str]) = match self {
            Self::Name => ("name", "Name", "any name, each once", &["name"]),
            Self::Kind => ("kind", "Kind", "latency: each output soon after its input; throughput: outputs at a steady pace", &[]),
            Self::CopyIn => ("in", "Input copy", "a time, such as 1 ms, or a size, such as 6 MB", &["copy_in_ns", "copy_in_bytes"]),
            Self::Kernel => ("kernel", "Kernel time", "alone on the GPU", &["kernel_ns"]),
            Self::Blocks => ("blocks", "Blocks", "of the kernel", &["blocks"]),
            Self::Threads => ("threads", "Threads", "of each block", &["threads_per_block"]),
            Self::CopyOut => ("out", "Output copy", "a time or a size", &["copy_out_ns", "copy_out_bytes"]),
            Self::First => ("first", "First input", "when it arrives", &["first_ns"]),
            Self::Interval => ("every", "Interval", "from one input to the next", &["interval_ns"]),
            Self::Within => (
                "within",
                "Deadline / separation",
                "latency: the deadline; throughput: from one output to the next",
                &["deadline_ns", "separation_ns"],
            ),
            Self::After => ("after", "After", "names of tasks whose job of the same number comes before, with ; between", &["after"]),
        };
        About { word, title, about, fields }
    }

    /// Its name in links and forms.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.facts().word
    }

    /// Its heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        self.facts().title
    }

    /// What stands there, for those who point at it.
    #[must_use]
    pub const fn about(self) -> &'static str {
        self.facts().about
    }

    /// The column that holds a field of files; that of names if none does.
    pub(super) fn of_field(field: &str) -> Self {
        Self::ALL.into_iter().find(|column| column.facts().fields.contains(&field)).unwrap_or(Self::Name)
    }
}

/// Titles of costs, in the order of [`Costs::FIELDS`].
pub const COSTS: [&str; 6] = [
    "Issuing a command (ns)",
    "Seeing a counter (ns)",
    "A message (ns)",
    "A decision on the GPU (ns)",
    "A launch on the GPU (ns)",
    "Threads of a scheduler on the GPU",
];

/// What the column of kinds holds, other than latency.
pub const THROUGHPUT: &str = "throughput";
/// The kind of all other tasks.
pub const LATENCY: &str = "latency";

/// A row as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Row {
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

impl Row {
    /// A task as it would be typed.
    #[must_use]
    pub fn of(task: &TaskDraft) -> Self {
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

    /// What stands in a column.
    #[must_use]
    pub const fn cell(&self, column: Column) -> &String {
        match column {
            Column::Name => &self.name,
            Column::Kind => &self.kind,
            Column::CopyIn => &self.copy_in,
            Column::Kernel => &self.kernel,
            Column::Blocks => &self.blocks,
            Column::Threads => &self.threads,
            Column::CopyOut => &self.copy_out,
            Column::First => &self.first,
            Column::Interval => &self.interval,
            Column::Within => &self.within,
            Column::After => &self.after,
        }
    }

    /// The same, to be changed.
    pub(super) const fn cell_mut(&mut self, column: Column) -> &mut String {
        match column {
            Column::Name => &mut self.name,
            Column::Kind => &mut self.kind,
            Column::CopyIn => &mut self.copy_in,
            Column::Kernel => &mut self.kernel,
            Column::Blocks => &mut self.blocks,
            Column::Threads => &mut self.threads,
            Column::CopyOut => &mut self.copy_out,
            Column::First => &mut self.first,
            Column::Interval => &mut self.interval,
            Column::Within => &mut self.within,
            Column::After => &mut self.after,
        }
    }

    /// The task, with what cannot be read as 1.
    fn draft(&self, row: usize, problems: &mut Vec<Problem>) -> TaskDraft {
        let mut read = |column, unit| {
            parse(unit, self.cell(column)).unwrap_or_else(|message| {
                problems.push(Problem::in_cell(row, column, message));
                1
            })
        };
        let mut copy = |column| {
            let is_size = self.cell(column).trim_end().ends_with(['B', 'b']);
            if is_size { (0, read(column, Unit::Bytes)) } else { (read(column, Unit::Time), 0) }
        };
        let (copy_in_ns, copy_in_bytes) = copy(Column::CopyIn);
        let (copy_out_ns, copy_out_bytes) = copy(Column::CopyOut);
        let within = Some(read(Column::Within, Unit::Time));
        let is_throughput = self.kind == THROUGHPUT;
        TaskDraft {
            name: self.name.clone(),
            copy_in_ns,
            copy_in_bytes,
            copy_out_ns,
            copy_out_bytes,
            kernel_ns: read(Column::Kernel, Unit::Time),
            blocks: read(Column::Blocks, Unit::Count),
            threads_per_block: read(Column::Threads, Unit::Count),
            first_ns: read(Column::First, Unit::Time),
            interval_ns: read(Column::Interval, Unit::Time),
            deadline_ns: within.filter(|_| !is_throughput),
            separation_ns: within.filter(|_| is_throughput),
            after: self.after.split(';').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        }
    }
}

/// The workload as typed.
///
/// # Errors
/// What cannot be read.
pub(super) fn draft_of(setup: &Setup) -> Result<WorkloadDraft, Vec<Problem>> {
    let mut problems = Vec::new();
    let tasks = setup.rows.iter().enumerate().map(|(i, row)| row.draft(i, &mut problems)).collect();
    let until_ns = parse(Unit::Time, &setup.until).unwrap_or_else(|message| {
        problems.push(Problem::of_until(message));
        1
    });
    if problems.is_empty() { Ok(WorkloadDraft { name: setup.name.clone(), until_ns, tasks }) } else { Err(problems) }
}

/// The costs as typed, in the units of their names.
///
/// # Errors
/// The first that cannot be.
pub(super) fn costs(texts: &[String; 6]) -> Result<Costs, Problem> {
    let mut values = Costs::default().values();
    for (place, (value, text)) in values.iter_mut().zip(texts).enumerate() {
        if !text.trim().is_empty() {
            *value = parse(Unit::Count, text).map_err(|message| Problem::of_cost(place, message))?;
        }
    }
    let place = |field: &str| Costs::FIELDS.iter().position(|(name, ..)| *name == field).unwrap_or(0);
    Costs::of(values).map_err(|(field, message)| Problem::of_cost(place(field), message))
}

/// Whether a cost as typed is the default.
pub(super) fn is_default_cost(place: usize, text: &str) -> bool {
    parse(Unit::Count, text).ok() == Costs::default().values().get(place).copied()
}
