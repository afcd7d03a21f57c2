//! A scenario as somebody wrote it: every field of the file format, nothing resolved or checked.
//!
//! Depends on `device`. What a file holds and what the page's tables edit; it may be wrong in any
//! way, [`super::validate`] turns it into a [`super::Scenario`] or says what is wrong where.

use super::device::{BuiltIn, Device};
use super::workload::{Class, Interleave, Placement, PolicyKind, Preemption, Release, StreamPriority, SwitchCharge, Turns};

/// Timeslice of a process that names none, ns.
pub const TIMESLICE_NS: u64 = 2_000_000;

/// The whole scenario; defaults are filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Shown as the title.
    pub name: String,
    /// Built-in id or own limits.
    pub device: DeviceDraft,
    /// Which SM takes a block.
    pub placement: Placement,
    /// Policy and its settings.
    pub policy: PolicyDraft,
    /// End of the run in ns, if given.
    pub horizon_ns: Option<u64>,
    /// What execution times that vary are drawn with.
    pub seed: u64,
    /// Address spaces; empty means one, `P0`.
    pub processes: Vec<ProcessDraft>,
    /// CPU tasks; empty means one, `T0`.
    pub tasks: Vec<TaskDraft>,
    /// Streams whose priority matters.
    pub streams: Vec<StreamDraft>,
    /// The kernel table.
    pub kernels: Vec<KernelDraft>,
}

/// The device of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceDraft {
    /// One of [`super::device::BUILT_IN`], by id.
    BuiltIn(String),
    /// Limits of one's own.
    Custom(Device),
}

impl DeviceDraft {
    /// How processes give way on this device where nothing else is said: a built-in one's own
    /// mode, and `thread` on a device with limits of one's own (docs/semantics.md, section 6).
    #[must_use]
    pub fn preemption(&self) -> Preemption {
        match self {
            Self::BuiltIn(id) => BuiltIn::find(id).map_or(Preemption::Thread, |device| device.preemption),
            Self::Custom(_) => Preemption::Thread,
        }
    }
}

/// Policy and its settings; settings that a policy does not use are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyDraft {
    /// Which policy.
    pub kind: PolicyKind,
    /// ns to make another process resident (`runlist`, `edf`).
    pub switch_cost_ns: u64,
    /// Which switches cost that (`runlist`; under `edf` every one does).
    pub switch_charge: SwitchCharge,
    /// Constant bandwidth servers (`edf`).
    pub cbs: bool,
    /// Preemption of the whole device (`edf`).
    pub preemption: Preemption,
}

/// One process of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessDraft {
    /// Unique.
    pub name: String,
    /// Share of the runlist.
    pub interleave: Interleave,
    /// Longest stay, ns.
    pub timeslice_ns: u64,
    /// What happens when the timeslice expires; `None`: what the device does.
    pub preemption: Option<Preemption>,
}

/// One CPU task of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskDraft {
    /// Unique.
    pub name: String,
    /// Process by name; `None` is the first.
    pub process: Option<String>,
    /// How jobs are released.
    pub release: Release,
    /// ns between releases.
    pub period_ns: Option<u64>,
    /// Relative deadline, ns; `None` is the period.
    pub deadline_ns: Option<u64>,
    /// Release of the first job, ns.
    pub offset_ns: u64,
    /// Number of jobs; `None` is no limit.
    pub jobs: Option<u64>,
    /// Real time or best effort; `None` follows from deadline and period.
    pub class: Option<Class>,
    /// Server budget, ns (`edf`).
    pub budget_ns: Option<u64>,
    /// Rank among best-effort tasks, smaller first.
    pub priority: i64,
    /// Names of producer tasks.
    pub consumes: Vec<String>,
}

/// One stream of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamDraft {
    /// Process by name; `None` is the first.
    pub process: Option<String>,
    /// `NULL` or any other name, unique in its process.
    pub name: String,
    /// Stream priority.
    pub priority: StreamPriority,
}

/// One row of the kernel table of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelDraft {
    /// Unique.
    pub name: String,
    /// Task by name; `None` is the first.
    pub task: Option<String>,
    /// Stream by name.
    pub stream: String,
    /// Earlier row of the same task that this one waits for.
    pub after: Option<String>,
    /// ns from the release (or the completion of `after`) to the launch.
    pub start_ns: u64,
    /// Thread blocks.
    pub blocks: u64,
    /// Threads of one block.
    pub threads_per_block: u64,
    /// Bytes of shared memory of one block.
    pub shared_memory_bytes: u64,
    /// Registers of one thread.
    pub registers_per_thread: u64,
    /// How long a block runs.
    pub block_time_ns: BlockTimes,
    /// How long the longest block runs in the worst job, ns; `None`: the same in every job.
    pub block_time_max_ns: Option<u64>,
    /// Bytes copied to the device before the kernel.
    pub copy_in_bytes: u64,
    /// Bytes copied back after it.
    pub copy_out_bytes: u64,
}

/// Execution times of the blocks of a kernel, in ns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockTimes {
    /// The same for every block.
    Each(u64),
    /// Entry i for block i.
    List(std::sync::Arc<[u64]>),
}

impl BlockTimes {
    /// The longest; zero of an empty list.
    #[must_use]
    pub fn greatest(&self) -> u64 {
        match self {
            Self::Each(ns) => *ns,
            Self::List(list) => list.iter().copied().max().unwrap_or(0),
        }
    }

    /// Every one longer by the same time.
    #[must_use]
    pub fn longer_by(&self, ns: u64) -> Self {
        match self {
            Self::Each(time) => Self::Each(time.saturating_add(ns)),
            Self::List(list) => Self::List(list.iter().map(|time| time.saturating_add(ns)).collect()),
        }
    }
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            name: String::new(),
            device: DeviceDraft::BuiltIn("tx2".to_owned()),
            placement: Placement::MostFree,
            policy: PolicyDraft::default(),
            horizon_ns: None,
            seed: 0,
            processes: Vec::new(),
            tasks: Vec::new(),
            streams: Vec::new(),
            kernels: Vec::new(),
        }
    }
}

impl PolicyDraft {
    /// Whether switches cost something whatever made the process before leave (docs/semantics.md, section 6).
    #[must_use]
    pub const fn charges_every_switch(&self) -> bool {
        matches!((self.kind.turns(), self.switch_charge), (_, SwitchCharge::Every) | (Turns::Deadlines, _))
    }
}

impl Default for PolicyDraft {
    fn default() -> Self {
        Self {
            kind: PolicyKind::Priority,
            switch_cost_ns: 0,
            switch_charge: SwitchCharge::Every,
            cbs: true,
            preemption: Preemption::Thread,
        }
    }
}

impl ProcessDraft {
    /// A process with the format's defaults.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), interleave: Interleave::Medium, timeslice_ns: TIMESLICE_NS, preemption: None }
    }
}

impl TaskDraft {
    /// A task with the format's defaults.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            process: None,
            release: Release::Once,
            period_ns: None,
            deadline_ns: None,
            offset_ns: 0,
            jobs: None,
            class: None,
            budget_ns: None,
            priority: 0,
            consumes: Vec::new(),
        }
    }

    /// Its class: the one given, else the one implied.
    #[must_use]
    pub fn class(&self) -> Class {
        self.class.unwrap_or(self.implied_class())
    }

    /// The class of a task that names none: real time if it has a deadline or a period.
    #[must_use]
    pub fn implied_class(&self) -> Class {
        if self.deadline_ns.is_some() || self.period_ns.is_some() { Class::RealTime } else { Class::BestEffort }
    }
}

impl KernelDraft {
    /// A row with the format's defaults: on stream `S1`, launched at the release.
    #[must_use]
    pub fn named(name: impl Into<String>, blocks: u64, threads_per_block: u64, block_time_ns: u64) -> Self {
        Self {
            name: name.into(),
            task: None,
            stream: "S1".to_owned(),
            after: None,
            start_ns: 0,
            blocks,
            threads_per_block,
            shared_memory_bytes: 0,
            registers_per_thread: 0,
            block_time_ns: BlockTimes::Each(block_time_ns),
            block_time_max_ns: None,
            copy_in_bytes: 0,
            copy_out_bytes: 0,
        }
    }
}
