//! Tasks and workloads, and what makes one impossible.
//!
//! Depends on `units` and serde. Invariant: a [`Workload`] can only be made by [`Workload::new`], which checks
//! everything; after it nothing overflows and every batch comes to an end. Source: [MT] section 3.

mod validate;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::arch::Arch;
use blockstep_sim::units::written::said_of;
use blockstep_sim::units::{Span, Time};

/// Most tasks of a workload.
pub const MAX_TASKS: usize = 16;
/// Most blocks of a kernel, and of all kernels together.
pub const MAX_BLOCKS: u64 = 500_000;
/// Most blocks of all kernels together, times the number of tasks: each pair of tasks may become a
/// batch, which is simulated block by block.
pub const MAX_BLOCKS_BY_TASKS: u64 = 2_500_000;
/// Most threads of a block.
pub const MAX_THREADS: u64 = 1024;
/// Longest time that can be given, in ns: 1000 s.
pub const MAX_NS: u64 = 1_000_000_000_000;
/// Most bytes of a copy.
pub const MAX_BYTES: u64 = 1_000_000_000_000;
/// Most jobs of all tasks together until the input ends.
pub const MAX_JOBS: u64 = 20_000;

/// What a task asks for in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// Each output at most this long after its input.
    Latency {
        /// The deadline, from the input on.
        deadline: Span,
    },
    /// An output each time that this has passed.
    Throughput {
        /// From one output to the next.
        separation: Span,
    },
}

impl Requirement {
    /// How long a job may take from its input, or from when its turn begins.
    #[must_use]
    pub const fn allowance(self) -> Span {
        match self {
            Self::Latency { deadline } => deadline,
            Self::Throughput { separation } => separation,
        }
    }
}

/// A task as it is written, in the order of files; checked by [`Workload::new`]. All times in ns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskDraft {
    /// Unique in its workload.
    pub name: String,
    /// Time of the input copy; 0 if its size is given instead.
    #[serde(skip_serializing_if = "is_default")]
    pub copy_in_ns: u64,
    /// Size of the input copy in bytes; 0 if its time is given instead.
    #[serde(skip_serializing_if = "is_default")]
    pub copy_in_bytes: u64,
    /// Time of the kernel, alone on the GPU.
    #[serde(skip_serializing_if = "is_default")]
    pub kernel_ns: u64,
    /// Time of the output copy; 0 if its size is given instead.
    #[serde(skip_serializing_if = "is_default")]
    pub copy_out_ns: u64,
    /// Size of the output copy in bytes; 0 if its time is given instead.
    #[serde(skip_serializing_if = "is_default")]
    pub copy_out_bytes: u64,
    /// Blocks of the kernel.
    #[serde(skip_serializing_if = "is_default")]
    pub blocks: u64,
    /// Threads of each block.
    #[serde(skip_serializing_if = "is_default")]
    pub threads_per_block: u64,
    /// When the first input arrives.
    #[serde(skip_serializing_if = "is_default")]
    pub first_ns: u64,
    /// From one input to the next.
    pub interval_ns: u64,
    /// Latency tasks: by when, from the input on. Exactly one of this and `separation_ns` is given.
    #[serde(skip_serializing_if = "is_default")]
    pub deadline_ns: Option<u64>,
    /// Throughput tasks: from one output to the next.
    #[serde(skip_serializing_if = "is_default")]
    pub separation_ns: Option<u64>,
    /// Tasks whose job of the same number has to be done before.
    #[serde(skip_serializing_if = "is_default")]
    pub after: Vec<String>,
}

/// Whether a field is left out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl TaskDraft {
    /// A task with a name and nothing else that would pass as given.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), blocks: 1, threads_per_block: 1, ..Self::default() }
    }
}

/// A workload as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkloadDraft {
    /// For readers.
    pub name: String,
    /// Inputs arrive before this; all that arrived is processed.
    pub until_ns: u64,
    /// The tasks.
    pub tasks: Vec<TaskDraft>,
}

/// What a copy takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// This long on any GPU; more than 0.
    Time(Span),
    /// As long as its bytes take on the GPU; more than 0.
    Bytes(u64),
}

impl Amount {
    /// How long the copy takes.
    #[must_use]
    pub const fn on(self, arch: &Arch) -> Span {
        match self {
            Self::Time(span) => span,
            Self::Bytes(bytes) => Span(bytes.saturating_mul(1000).div_ceil(arch.bytes_per_us)),
        }
    }
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Unique in its workload.
    pub name: String,
    /// The input copy.
    pub copy_in: Amount,
    /// The output copy.
    pub copy_out: Amount,
    /// Time of the kernel, alone on the GPU; more than 0.
    pub kernel: Span,
    /// Blocks of the kernel.
    pub blocks: u32,
    /// Threads of each block.
    pub threads_per_block: u32,
    /// When the first input arrives.
    pub first: Time,
    /// From one input to the next; more than 0.
    pub interval: Span,
    /// What it asks for.
    pub requirement: Requirement,
    /// Tasks whose job of the same number has to be done before, by place.
    pub after: Vec<usize>,
}

impl Task {
    /// Threads of the kernel.
    #[must_use]
    pub const fn threads(&self) -> u64 {
        self.blocks as u64 * self.threads_per_block as u64
    }

    /// When input `job`, counted from 0, arrives.
    #[must_use]
    pub const fn arrival(&self, job: u64) -> Time {
        Time(self.first.0.saturating_add(self.interval.0.saturating_mul(job)))
    }

    /// Inputs that arrive before `until`.
    #[must_use]
    pub const fn jobs(&self, until: Time) -> u64 {
        until.since(self.first).ns().div_ceil(self.interval.0)
    }

    /// Time of both copies.
    #[must_use]
    pub const fn copies(&self, arch: &Arch) -> Span {
        Span(self.copy_in.on(arch).0.saturating_add(self.copy_out.on(arch).0))
    }

    /// Whether all blocks of the kernel run at once on an idle GPU.
    #[must_use]
    pub fn fits_in(&self, arch: &Arch) -> bool {
        u64::from(self.blocks) <= arch.wave(self.threads_per_block)
    }

    /// Whether both kernels fit into the GPU together, block by block: they are small, then.
    #[must_use]
    pub fn fits_with(&self, other: &Self, arch: &Arch) -> bool {
        let mut room = super::room::Room::idle(arch, false);
        room.place(self.threads_per_block, self.blocks) == self.blocks && room.place(other.threads_per_block, other.blocks) == other.blocks
    }
}

/// A workload that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    draft: WorkloadDraft,
    until: Time,
    tasks: Vec<Task>,
}

/// Something that is wrong with a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which field, such as `tasks[1].blocks`.
    pub path: String,
    /// What is wrong, with value and limit, in the words of files.
    pub message: String,
    /// The same for those who have other words and units.
    pub wrong: Wrong,
}

/// What is wrong, where files say it in fields and in ns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A number out of its limits, in the unit of its field.
    Limits {
        /// The number.
        value: u64,
        /// The least that it may be.
        least: u64,
        /// The most.
        most: u64,
    },
    /// A copy has neither time nor size.
    NoCopy,
    /// Its name is that of an earlier task, by its place.
    NameOf(usize),
    /// Inputs end at this time, before the first arrives.
    NoInput(u64),
    /// A task that comes before has another interval.
    Interval {
        /// Its name.
        name: String,
        /// Its interval, in ns.
        theirs: u64,
        /// This task's.
        own: u64,
    },
    /// A task that comes before has fewer inputs: its name.
    FewerInputs(String),
    /// Something that has no unit.
    Other,
}

/// Everything that is wrong with a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkloadError {
    /// At least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for WorkloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            let gap = if i == 0 { "" } else { "\n" };
            write!(f, "{gap}{}", said_of(&problem.path, &problem.message))?;
        }
        Ok(())
    }
}

impl std::error::Error for WorkloadError {}

impl Workload {
    /// The workload of a draft.
    ///
    /// # Errors
    /// Everything wrong with it, each with its field.
    pub fn new(draft: WorkloadDraft) -> Result<Self, WorkloadError> {
        let mut check = validate::Check::new(&draft);
        let tasks = check.workload();
        let problems = check.problems;
        if problems.is_empty() {
            return Ok(Self { until: Time(draft.until_ns), tasks, draft });
        }
        Err(WorkloadError { problems })
    }

    /// As it was written.
    #[must_use]
    pub const fn draft(&self) -> &WorkloadDraft {
        &self.draft
    }

    /// For readers.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// Inputs arrive before this.
    #[must_use]
    pub const fn until(&self) -> Time {
        self.until
    }

    /// The tasks, at least one.
    #[must_use]
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }
}
