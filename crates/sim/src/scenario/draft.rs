//! A scenario as somebody wrote it: every field of the file format, nothing resolved or checked.
//!
//! Depends on `device` and serde. What a file holds and what the page's tables edit; it may be wrong in any
//! way, [`super::Scenario::new`] turns it into a scenario or says what is wrong where. Invariants: the
//! fields stand in the order of the format, docs/file-format.md, "Scenario"; what is left out of a
//! file is as in `Default`, and what is as there is left out where the format has a default. The comments of
//! the fields are the descriptions of the JSON Schema.

mod row;

pub use row::{BlockTimes, KernelDraft};
use serde::{Deserialize, Serialize};

use super::device::{BuiltIn, Device};
use super::switches::TAIL_PER_MILLION;
use super::workload::{
    BlockEnds, Call, Chain, Class, DefaultStream, Interleave, Placement, PolicyKind, Preemption, Release, StreamPriority, SwitchCharge,
    Turns,
};
use crate::units::Span;

/// Timeslice of a process that names none, ns.
pub const TIMESLICE_NS: u64 = 2_000_000;

/// The whole scenario; defaults are filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Draft {
    /// Shown as the title.
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    /// The GPU: the id of a built-in device, or limits of one's own. Left out: the TX2.
    #[serde(skip_serializing_if = "is_default")]
    pub device: DeviceDraft,
    /// Which SM takes a block.
    #[serde(skip_serializing_if = "is_default")]
    pub placement: Placement,
    /// Whether blocks that end at one instant give back their room together or one by one. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub block_ends: BlockEnds,
    /// Hardware connections of an address space, which its streams share; 1 to 32. Left out: one for each stream. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub connections: Option<u64>,
    /// Policy and its settings.
    #[serde(skip_serializing_if = "is_default")]
    pub policy: PolicyDraft,
    /// End of the run, ns. Left out: when all is done, or where the periods say (docs/semantics.md, section 9).
    #[serde(skip_serializing_if = "is_default")]
    pub horizon_ns: Option<u64>,
    /// What execution times that vary are drawn with.
    #[serde(skip_serializing_if = "is_default")]
    pub seed: u64,
    /// Address spaces. None: one, `P0`.
    #[serde(skip_serializing_if = "is_default")]
    pub processes: Vec<ProcessDraft>,
    /// CPU tasks. None: one, `T0`.
    #[serde(skip_serializing_if = "is_default")]
    pub tasks: Vec<TaskDraft>,
    /// Batches of commands with times of their own (`edf`). Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub batches: Vec<BatchDraft>,
    /// Streams whose priority matters.
    #[serde(skip_serializing_if = "is_default")]
    pub streams: Vec<StreamDraft>,
    /// The kernel table; may be empty.
    pub kernels: Vec<KernelDraft>,
}

impl Draft {
    /// The first version of the format that has all fields it uses.
    #[must_use]
    pub fn version(&self) -> u8 {
        match (self.needs_version_3(), self.needs_version_2()) {
            (true, _) => 3,
            (_, true) => 2,
            _ => 1,
        }
    }

    /// Whether it uses a field that the first two versions of the format have not.
    fn needs_version_3(&self) -> bool {
        self.kernels.iter().any(|row| row.cooperative || row.spins())
    }

    /// Whether it uses a field that the first version of the format has not.
    fn needs_version_2(&self) -> bool {
        let has_events = |row: &KernelDraft| !row.waits_for.is_empty() || row.records.is_some();
        let is_call = |row: &KernelDraft| {
            row.call != Call::Kernel
                || row.bytes > 0
                || row.synchronous
                || row.call_ns.is_some()
                || row.graph.is_some()
                || row.batch.is_some()
        };
        self.connections.is_some()
            || !self.batches.is_empty()
            || self.placement == Placement::MostRoom
            || self.block_ends != BlockEnds::Together
            || self.policy.switch_cost_max_ns.is_some()
            || self.policy.switch_tail_per_million != TAIL_PER_MILLION
            || !self.policy.switch_samples_ns.is_empty()
            || self.policy.signal_ns != 0
            || self.policy.runlist_ns != 0
            || self.policy.watchdog_ns.is_some()
            || self.policy.chain != Chain::One
            || self.policy.kind == PolicyKind::Own
            || !self.policy.text.is_empty()
            || self.processes.iter().any(|process| process.default_stream != DefaultStream::Legacy || process.channels != 1)
            || self.processes.iter().any(|process| process.guest.is_some())
            || self.tasks.iter().any(|task| task.call_ns.is_some() || task.pixel_latency_ns.is_some() || task.wake_ns != 0)
            || self.streams.iter().any(|stream| stream.non_blocking)
            || self.kernels.iter().any(|row| has_events(row) || is_call(row))
    }
}

/// The device of a draft: the id of a built-in one, or an object with limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum DeviceDraft {
    /// A built-in device, by id.
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

impl Default for DeviceDraft {
    fn default() -> Self {
        Self::BuiltIn("tx2".to_owned())
    }
}

/// Policy and its settings; settings that a policy does not use are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default)]
pub struct PolicyDraft {
    /// Which policy.
    pub kind: PolicyKind,
    /// What it takes to make another process resident, ns (`runlist`, `edf`, `own`).
    #[serde(skip_serializing_if = "is_default")]
    pub switch_cost_ns: u64,
    /// The longest switch, ns; at least `switch_cost_ns`, which is the average then. Left out: all take the same time. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub switch_cost_max_ns: Option<u64>,
    /// Switches of a million that are in the tail up to `switch_cost_max_ns`. Left out: 3000. Version 2.
    #[serde(skip_serializing_if = "is_usual_tail")]
    pub switch_tail_per_million: u64,
    /// Measured switches, ns; each takes the time of one of them, in place of the three fields above. At most 100000. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub switch_samples_ns: Vec<u64>,
    /// Which switches cost that (`runlist`; under `edf` and `own` every one does).
    #[serde(skip_serializing_if = "is_default")]
    pub switch_charge: SwitchCharge,
    /// How long a message from a guest to the RunList Manager takes, ns (`edf`). Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub signal_ns: u64,
    /// How long the RunList Manager takes to submit a runlist, ns, before the switch (`edf`). Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub runlist_ns: u64,
    /// How long a process may drain before its channel is reset, ns; at least 1 (`edf`). Left out: forever. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub watchdog_ns: Option<u64>,
    /// Who is on a runlist with a consumer: its producers one at a time, or all of them (`edf`). Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub chain: Chain,
    /// Constant bandwidth servers (`edf`). Left out: true.
    #[serde(skip_serializing_if = "is_true")]
    pub cbs: bool,
    /// Preemption of the whole device (`edf`).
    #[serde(skip_serializing_if = "is_default")]
    pub preemption: Preemption,
    /// A policy of one's own, as docs/policy-language.md has it (`own`). Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub text: String,
}

/// One process of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ProcessDraft {
    /// Unique.
    pub name: String,
    /// Share of the runlist (`runlist`).
    #[serde(skip_serializing_if = "is_default")]
    pub interleave: Interleave,
    /// How many channels its streams share, at least 1: each has entries of its own on the runlist (`runlist`). Version 2.
    #[serde(skip_serializing_if = "is_one")]
    pub channels: u64,
    /// Longest stay, ns; at least 1 (`runlist`, `own`; `edf` in a chain). Left out: 2000000.
    #[serde(skip_serializing_if = "is_usual_timeslice")]
    pub timeslice_ns: u64,
    /// What happens when the timeslice expires (`runlist`, `own`). Left out: what the device does.
    #[serde(skip_serializing_if = "is_default")]
    pub preemption: Option<Preemption>,
    /// What `NULL` means for its tasks: its NULL stream, or a stream of each task's own. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub default_stream: DefaultStream,
    /// Guest of the hypervisor that the process runs in. Left out: one of its own, named as it is. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub guest: Option<String>,
}

/// One CPU task of a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default)]
pub struct TaskDraft {
    /// Unique.
    pub name: String,
    /// Process by name. Left out: the first.
    #[serde(skip_serializing_if = "is_default")]
    pub process: Option<String>,
    /// How jobs are released.
    #[serde(skip_serializing_if = "is_default")]
    pub release: Release,
    /// From one release to the next, ns; at least 1. Required of a periodic task.
    #[serde(skip_serializing_if = "is_default")]
    pub period_ns: Option<u64>,
    /// Deadline from the release on, ns; may be 0. Left out: the period.
    #[serde(skip_serializing_if = "is_default")]
    pub deadline_ns: Option<u64>,
    /// Release of the first job, ns.
    #[serde(skip_serializing_if = "is_default")]
    pub offset_ns: u64,
    /// Number of jobs; at least 1. Left out: no limit.
    #[serde(skip_serializing_if = "is_default")]
    pub jobs: Option<u64>,
    /// Real time or best effort. Left out: real time if there is a deadline or a period.
    #[serde(skip_serializing_if = "is_default")]
    pub class: Option<Class>,
    /// Budget of the server, ns; at least 1 (`edf`).
    #[serde(skip_serializing_if = "is_default")]
    pub budget_ns: Option<u64>,
    /// Rank, smaller first; may be negative. `edf`: among best-effort tasks; `own`: among tasks of its class; others ignore it.
    #[serde(skip_serializing_if = "is_default")]
    pub priority: i64,
    /// Names of producer tasks, each once.
    #[serde(skip_serializing_if = "is_default")]
    pub consumes: Vec<String>,
    /// How long each of its calls takes, ns; they are made one after another then. Left out: no time. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub call_ns: Option<u64>,
    /// Of a graphics task: how long its blocks run on when it has to give way, to the end of a pixel, ns (`edf`). Left out: a compute
    /// task, which gives way at once. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub pixel_latency_ns: Option<u64>,
    /// From the completion of a job until the policy is told of it, ns (`own`). Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub wake_ns: u64,
}

/// One batch of commands of a draft: what each job of a task issues between `cudaStreamDeadlineBegin` and `cudaStreamDeadlineEnd`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default)]
pub struct BatchDraft {
    /// Unique.
    pub name: String,
    /// Task by name. Left out: the first.
    #[serde(skip_serializing_if = "is_default")]
    pub task: Option<String>,
    /// Deadline from the issue of its first command on, ns; at least 1 (`edf`).
    pub deadline_ns: u64,
    /// Budget of its server, ns; at least 1. Required with servers (`edf`).
    #[serde(skip_serializing_if = "is_default")]
    pub budget_ns: Option<u64>,
    /// Period of its server, ns; at least 1 (`edf`). Left out: the deadline.
    #[serde(skip_serializing_if = "is_default")]
    pub period_ns: Option<u64>,
}

impl Draft {
    /// How much there is of it: rows of all tables, names in `consumes` and `waits_for`, and listed times of blocks and switches.
    #[must_use]
    pub fn size(&self) -> u64 {
        let tables = self.processes.len() + self.tasks.len() + self.batches.len() + self.streams.len() + self.kernels.len();
        let samples = self.policy.switch_samples_ns.len();
        let consumed = self.tasks.iter().map(|task| task.consumes.len()).sum::<usize>();
        let listed = |kernel: &KernelDraft| {
            kernel.waits_for.len() + if let BlockTimes::List(times) = &kernel.block_time_ns { times.len() } else { 0 }
        };
        (tables + samples + consumed + self.kernels.iter().map(listed).sum::<usize>()) as u64
    }
}

/// One stream of a draft.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default)]
pub struct StreamDraft {
    /// Process by name. Left out: the first.
    #[serde(skip_serializing_if = "is_default")]
    pub process: Option<String>,
    /// `NULL` or any other name, unique in its process.
    pub name: String,
    /// Stream priority; not `high` for `NULL`.
    pub priority: StreamPriority,
    /// Whether neither it waits for the NULL stream nor the NULL stream for it; not for `NULL`. Version 2.
    #[serde(skip_serializing_if = "is_default")]
    pub non_blocking: bool,
}

impl PolicyDraft {
    /// Whether switches cost something whatever made the process before leave (docs/semantics.md, section 6).
    #[must_use]
    pub const fn charges_every_switch(&self) -> bool {
        matches!((self.kind.turns(), self.switch_charge), (_, SwitchCharge::Every) | (Turns::Deadlines | Turns::Text, _))
    }

    /// How long a message to the RunList Manager takes; nothing under a policy that has none (docs/semantics.md, section 7).
    #[must_use]
    pub const fn signal_time(&self) -> Span {
        if matches!(self.kind.turns(), Turns::Deadlines) { Span(self.signal_ns) } else { Span::ZERO }
    }

    /// How long a process may drain before its channel is reset, if that has a limit (docs/semantics.md, section 7).
    #[must_use]
    pub fn watchdog(&self) -> Option<Span> {
        self.watchdog_ns.filter(|_| self.kind.turns() == Turns::Deadlines).map(Span)
    }

    /// How long the RunList Manager takes to submit a runlist; nothing under a policy that has none.
    #[must_use]
    pub const fn runlist_time(&self) -> Span {
        if matches!(self.kind.turns(), Turns::Deadlines) { Span(self.runlist_ns) } else { Span::ZERO }
    }
}

impl Default for PolicyDraft {
    fn default() -> Self {
        Self {
            kind: PolicyKind::Priority,
            switch_cost_ns: 0,
            switch_cost_max_ns: None,
            switch_tail_per_million: TAIL_PER_MILLION,
            switch_samples_ns: Vec::new(),
            switch_charge: SwitchCharge::Every,
            signal_ns: 0,
            runlist_ns: 0,
            watchdog_ns: None,
            chain: Chain::One,
            cbs: true,
            preemption: Preemption::Thread,
            text: String::new(),
        }
    }
}

/// Whether a field is left out, as it has its type's default.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The same of fields whose default is another one.
fn is_true(value: &bool) -> bool {
    *value
}

fn is_one(count: &u64) -> bool {
    *count == 1
}

fn is_usual_tail(share: &u64) -> bool {
    *share == TAIL_PER_MILLION
}

fn is_usual_timeslice(ns: &u64) -> bool {
    *ns == TIMESLICE_NS
}

impl Default for ProcessDraft {
    fn default() -> Self {
        Self {
            name: String::new(),
            interleave: Interleave::Medium,
            channels: 1,
            timeslice_ns: TIMESLICE_NS,
            preemption: None,
            default_stream: DefaultStream::Legacy,
            guest: None,
        }
    }
}

impl ProcessDraft {
    /// A process with the format's defaults.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

impl TaskDraft {
    /// A task with the format's defaults.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
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
