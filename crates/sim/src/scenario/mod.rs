//! The input: device, processes, tasks, streams, the kernel table and the policy.
//!
//! Depends on `units`. Invariant: a [`Scenario`] can only be made by [`Scenario::new`], which
//! checks everything; after it an invalid scenario cannot be represented. Source: docs/semantics.md, sections 2,
//! 5, 8 and 9.

mod alone;
mod batches;
mod calls;
mod channels;
mod connections;
mod dependencies;
pub mod device;
mod doubts;
pub mod draft;
mod earliest;
mod error;
mod events;
mod graphs;
mod horizon;
mod layout;
mod names;
mod own;
mod plain;
mod reduced;
mod runlist;
pub mod spins;
mod switches;
mod tasks;
mod validate;
mod vary;
mod workload;

use std::sync::Arc;

pub use channels::{Channel, MAX_CHANNELS};
pub use connections::MAX_CONNECTIONS;
pub use device::{BuiltIn, Device, Evidence};
pub use draft::{BatchDraft, BlockTimes, DeviceDraft, Draft, KernelDraft, PolicyDraft, ProcessDraft, StreamDraft, TIMESLICE_NS, TaskDraft};
pub use error::{Problem, ScenarioError};
pub use events::MAX_WAITS;
pub use graphs::{MAX_BRANCHES, queues_of_graph};
pub use layout::{Connection, Layout, Space, StreamQueue};
pub use names::{MAX_NAME, doubts, too_long};
pub use own::Own;
pub use plain::{is_directive, plain};
use reduced::Reduced;
pub use runlist::{LevelPart, Runlist};
pub use spins::{MAX_FLAGS, Reached, Spins};
pub use switches::{MAX_SAMPLES, SwitchTimes, TAIL_PER_MILLION};
pub use vary::Variation;
pub use workload::{
    BlockEnds, Call, Chain, Choice, Class, DefaultStream, Interleave, Placement, PolicyKind, Preemption, Release, StreamPriority,
    SwitchCharge, Turns,
};

use crate::units::{ClaimantId, EventId, JobNo, ProcessId, RowId, SpaceId, Span, TaskId, Time};

/// The name of a process's NULL stream.
pub const NULL_STREAM: &str = "NULL";

/// A scenario that can be simulated under its policy.
#[derive(Clone, Debug)]
pub struct Scenario {
    name: String,
    device: Device,
    placement: Placement,
    block_ends: BlockEnds,
    connections: Option<u64>,
    policy: PolicyDraft,
    own: Option<Own>,
    switches: SwitchTimes,
    horizon: Option<Time>,
    processes: Vec<Process>,
    channels: Vec<Channel>,
    runlist: Runlist,
    tasks: Vec<Task>,
    claimants: Vec<Claimant>,
    streams: Vec<Stream>,
    rows: Vec<KernelRow>,
    /// Names of the events, those of a process apart from another's.
    events: Arc<[String]>,
    has_further_order: bool,
    has_spins: bool,
    has_cooperative: bool,
    /// By process.
    has_consumers: Vec<bool>,
    /// Where some dependencies say nothing new.
    reduced: Option<Reduced>,
    warnings: Vec<Problem>,
}

/// A process with its own address space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Name, unique among the processes.
    pub name: String,
    /// Share of the runlist.
    pub interleave: Interleave,
    /// How many channels its streams share under `runlist`; at least 1.
    pub channels: u32,
    /// Longest stay under `runlist`, ns; at least 1.
    pub timeslice_ns: u64,
    /// What happens when the timeslice expires: the mode given, else that of the device.
    pub preemption: Preemption,
    /// The guest of the hypervisor that it runs in: the one given, else one of its own name. It changes nothing in a run ([EDF] III-C).
    pub guest: String,
}

/// A CPU task.
#[derive(Clone, Debug)]
pub struct Task {
    /// Name, unique among the tasks.
    pub name: String,
    /// Its address space's process.
    pub process: ProcessId,
    /// How jobs are released.
    pub release: Release,
    /// Between releases; present if periodic.
    pub period: Option<Span>,
    /// Relative deadline: the one given, else the period.
    pub deadline: Option<Span>,
    /// Release of the first job.
    pub offset: Time,
    /// Number of jobs, if limited. 1 for `once`.
    pub jobs: Option<u64>,
    /// Class under `edf`.
    pub class: Class,
    /// Server budget given.
    pub budget: Option<Span>,
    /// Rank, smaller first: among best-effort tasks, and under a policy of one's own also among real-time ones.
    pub priority: i64,
    /// Of a graphics task, how long its blocks run on when it has to give way.
    pub pixel_latency: Option<Span>,
    /// Producers, by job of the same number.
    pub consumes: Vec<TaskId>,
    /// Tasks that consume this one.
    pub consumers: Vec<TaskId>,
    /// Its rows of the kernel table, in table order.
    pub rows: Vec<RowId>,
    /// Whether it makes its calls one after another, each when the one before has returned.
    pub calls_in_turn: bool,
    /// How many of its rows put operations on a stream.
    pub rows_with_operations: u32,
    /// How many of its rows launch graphs. They have neither an operation nor a wait.
    pub launches: u32,
    /// From the completion of a job until a policy of one's own is told of it.
    pub wake: Span,
    /// Its batches, where they have deadlines that count.
    pub batches: Vec<ClaimantId>,
}

impl Task {
    /// Whether a row of it puts an operation on a stream.
    #[must_use]
    pub const fn has_operations(&self) -> bool {
        self.rows_with_operations > 0
    }

    /// The period of its server (docs/semantics.md, section 7): its own, but without one, and for `once`,
    /// the relative deadline.
    #[must_use]
    pub fn server_period(&self) -> Option<Span> {
        self.period.filter(|_| self.release != Release::Once).or(self.deadline)
    }
}

/// What claims the GPU under `edf`, with times of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimant {
    /// The task that issues its work.
    pub task: TaskId,
    /// The batch, if it is one: else all that the task issues outside of batches.
    pub batch: Option<Batch>,
    /// Relative deadline: from the release, or of a batch from the issue of its first command on.
    pub deadline: Option<Span>,
    /// Period of its server.
    pub period: Option<Span>,
}

/// A batch of commands ([EDF] section IV-A).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Name, unique among the batches.
    pub name: String,
    /// What its server gets at a time, where there are servers.
    pub budget: Span,
    /// How many rows belong to it, the nodes of graphs each for itself.
    pub rows: u32,
}

impl Claimant {
    /// That of each task.
    fn of_tasks(tasks: &[Task]) -> Vec<Self> {
        let claimant =
            |(i, task): (usize, &Task)| Self { task: TaskId::at(i), batch: None, deadline: task.deadline, period: task.server_period() };
        tasks.iter().enumerate().map(claimant).collect()
    }
}

/// A stream of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The process that it belongs to.
    pub process: ProcessId,
    /// Unique in its process; [`NULL_STREAM`] for the NULL stream.
    pub name: String,
    /// Its priority; never high for the NULL stream.
    pub priority: StreamPriority,
    /// Whether N1 and N2 leave it out; never of the NULL stream.
    pub non_blocking: bool,
    /// Its channel, by number in its process; 0 where processes do not take turns on a runlist.
    pub channel: u32,
    /// Its hardware connection, by number in its channel, where streams share them.
    pub connection: Option<u32>,
    /// Of a branch: the stream into which its graphs are launched, by place in [`Scenario::streams`].
    pub branch_of: Option<usize>,
}

impl Stream {
    /// Whether this is its process's NULL stream.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.name == NULL_STREAM
    }
}

/// A row of the kernel table.
#[derive(Clone, Debug)]
pub struct KernelRow {
    /// Name, unique among the rows.
    pub name: String,
    /// The task that issues it.
    pub task: TaskId,
    /// Whose server pays for it under `edf`.
    pub claimant: ClaimantId,
    /// Its stream, by place in [`Scenario::streams`].
    pub stream: usize,
    /// What the CPU calls with it.
    pub call: Call,
    /// How long the call takes.
    pub call_time: Span,
    /// Whether it is `cudaMemcpy` or `cudaMemset`, a copy or memset without a stream of its own.
    pub synchronous: bool,
    /// The row whose completion starts the clock of `start`.
    pub after: Option<RowId>,
    /// Rows that wait for this one.
    pub followers: Vec<RowId>,
    /// From the release, or from the completion of `after`, to the launch.
    pub start: Span,
    /// Thread blocks; at least 1 of a kernel, and none of another call.
    pub blocks: u64,
    /// Needs of one block.
    pub needs: Needs,
    /// Execution times of the blocks as stated; all positive.
    pub times: BlockTimes,
    /// How much longer they may be in a job.
    pub variation: Variation,
    /// Input copy, if any. Also a copy to or within the device, or a memset, that is a row of its own.
    pub copy_in: Option<Copy>,
    /// Output copy, if any; also one that is a row of its own.
    pub copy_out: Option<Copy>,
    /// Events that its stream waits for before it.
    pub waits_for: Vec<EventId>,
    /// The event that is recorded behind it.
    pub records: Option<EventId>,
    /// Of a launch of a graph: its nodes, the rows that follow.
    pub nodes: u32,
    /// Of a node: its place in its graph.
    pub node: Option<Node>,
    /// What its blocks spin for.
    pub spins: Spins,
    /// Rows whose blocks spin for it.
    pub spinners: Vec<RowId>,
    /// Whether its blocks are assigned only all together.
    pub cooperative: bool,
}

/// A node of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The row that launches the graph.
    pub graph: RowId,
    /// The nodes that it waits for, all above it.
    pub waits_for: Vec<RowId>,
    /// Whether no node waits for it.
    pub is_leaf: bool,
    /// Whether it is the last row of its graph.
    pub is_last: bool,
}

/// What one block takes from its SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs {
    /// Number of threads.
    pub threads: u32,
    /// Bytes of shared memory.
    pub shared_memory: u64,
    /// Registers of all its threads together.
    pub registers: u64,
}

/// A copy between host and device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Bytes moved; positive.
    pub bytes: u64,
    /// How long it holds the copy engine; positive.
    pub time: Span,
}

impl KernelRow {
    /// Whether the call returns only when something is complete.
    #[must_use]
    pub const fn has_wait(&self) -> bool {
        self.waits_for_itself() || !self.call.is_in_stream()
    }

    /// Whether the call returns only when its own copy is complete: within the device the CPU does not wait for it.
    #[must_use]
    pub const fn waits_for_itself(&self) -> bool {
        self.synchronous && matches!(self.call, Call::CopyToDevice | Call::CopyToHost)
    }

    /// Execution time of block `block` in job `job`.
    #[must_use]
    pub fn block_time(&self, block: u32, job: JobNo) -> Span {
        let stated = match &self.times {
            BlockTimes::Each(ns) => *ns,
            BlockTimes::List(list) => list[block as usize],
        };
        // At most `block_time_max_ns`, so it cannot overflow.
        Span(stated + self.variation.draw(job).ns())
    }
}

impl Scenario {
    /// Checks a draft and resolves its names and defaults.
    ///
    /// # Errors
    /// Every problem found, each with the path of its field, the value and the limit.
    pub fn new(draft: &Draft) -> Result<Arc<Self>, ScenarioError> {
        validate::validate(draft).map(Arc::new)
    }

    /// Title; may be empty.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The GPU.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Which SM takes a block.
    #[must_use]
    pub fn placement(&self) -> Placement {
        self.placement
    }

    /// What happens when several blocks end at one instant.
    #[must_use]
    pub fn block_ends(&self) -> BlockEnds {
        self.block_ends
    }

    /// How many hardware connections the streams of an address space share; `None`: each stream has one of its own.
    #[must_use]
    pub fn connections(&self) -> Option<u64> {
        self.connections
    }

    /// Whether more than streams and the NULL stream puts operations in order.
    #[must_use]
    pub fn has_further_order(&self) -> bool {
        self.has_further_order
    }

    /// The first row whose blocks need one another, or those of others, on the device at once: they spin, or are launched cooperatively.
    #[must_use]
    pub fn first_together(&self) -> Option<RowId> {
        self.rows.iter().position(|row| row.cooperative || row.spins.any()).map(RowId::at)
    }

    /// Whether any kernel is launched cooperatively.
    #[must_use]
    pub fn has_cooperative(&self) -> bool {
        self.has_cooperative
    }

    /// Whether blocks of any kernel spin.
    #[must_use]
    pub fn has_spins(&self) -> bool {
        self.has_spins
    }

    /// How many events there are.
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.events.len()
    }

    /// The name of an event.
    #[must_use]
    pub fn event_name(&self, id: EventId) -> &str {
        &self.events[id.index()]
    }

    /// Whether a stream waits for an event.
    #[must_use]
    pub fn waits_for_events(&self) -> bool {
        self.rows.iter().any(|row| !row.waits_for.is_empty())
    }

    /// Whether a graph is launched.
    #[must_use]
    pub fn has_graphs(&self) -> bool {
        self.tasks.iter().any(|task| task.launches > 0)
    }

    /// The policy and its settings.
    #[must_use]
    pub fn policy(&self) -> &PolicyDraft {
        &self.policy
    }

    /// The policy of one's own, under `own`.
    #[must_use]
    pub fn own(&self) -> Option<&Own> {
        self.own.as_ref()
    }

    /// How long its switches take, where the policy charges them.
    #[must_use]
    pub fn switches(&self) -> &SwitchTimes {
        &self.switches
    }

    /// Last instant simulated, given or by default (docs/semantics.md, section 9); `None`: until all is done.
    #[must_use]
    pub fn horizon(&self) -> Option<Time> {
        self.horizon
    }

    /// Processes; at least one.
    #[must_use]
    pub fn processes(&self) -> &[Process] {
        &self.processes
    }

    /// The channels that take turns, those of a process side by side: one each, but for a runlist where a process has several.
    #[must_use]
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Whether a process has several channels on the runlist.
    #[must_use]
    pub fn has_channels(&self) -> bool {
        self.channels.len() > self.processes.len()
    }

    /// The process of a channel that takes turns.
    #[must_use]
    pub fn process_of(&self, channel: SpaceId) -> &Process {
        &self.processes[self.channels[channel.index()].process.index()]
    }

    /// How a channel gives way while they take turns: by the policy's mode where deadlines rule, else
    /// by that of its process (docs/semantics.md, sections 6 and 7).
    #[must_use]
    pub fn preemption(&self, channel: SpaceId) -> Preemption {
        match self.policy.kind.turns() {
            Turns::Deadlines => self.policy.preemption,
            Turns::None | Turns::Runlist | Turns::Text => self.process_of(channel).preemption,
        }
    }

    /// What may claim the GPU under `edf`: the tasks, in table order, and then the batches.
    #[must_use]
    pub fn claimants(&self) -> &[Claimant] {
        &self.claimants
    }

    /// What claims the GPU under `edf`.
    #[must_use]
    pub fn claimant(&self, id: ClaimantId) -> &Claimant {
        &self.claimants[id.index()]
    }

    /// Whether tasks have batches with times of their own, and these count.
    #[must_use]
    pub fn has_batches(&self) -> bool {
        self.claimants.len() > self.tasks.len()
    }

    /// A claimant in a sentence: `task A`, `batch B of task A`.
    #[must_use]
    pub fn claimant_name(&self, id: ClaimantId) -> String {
        let task = &self.claims_for(id).name;
        match &self.claimant(id).batch {
            Some(batch) => format!("batch {} of task {task}", batch.name),
            None => format!("task {task}"),
        }
    }

    /// The task that issues what a claimant claims the GPU for.
    #[must_use]
    pub fn claims_for(&self, id: ClaimantId) -> &Task {
        self.task(self.claimant(id).task)
    }

    /// Whether a claimant has a constant bandwidth server (docs/semantics.md, section 7): one of a real-time task whose
    /// server has a period above zero, where the policy uses servers.
    #[must_use]
    pub fn has_server(&self, claimant: impl Into<ClaimantId>) -> bool {
        let claimant = self.claimant(claimant.into());
        let is_real_time = self.task(claimant.task).class == Class::RealTime;
        self.policy.cbs && is_real_time && claimant.period.is_some_and(|period| period > Span::ZERO)
    }

    /// The order in which the Host looks at the channels, under `runlist`.
    #[must_use]
    pub fn runlist(&self) -> &Runlist {
        &self.runlist
    }

    /// When everything that is periodic has begun and recurred: the longest offset and the least common multiple of the periods. `None` if
    /// nothing is periodic, or if that is more than 20 of the longest period.
    #[must_use]
    pub fn first_hyperperiod(&self) -> Option<Time> {
        horizon::first_hyperperiod(&self.tasks).and_then(|ns| u64::try_from(ns).ok()).map(Time)
    }

    /// CPU tasks; at least one.
    #[must_use]
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Whether a task of this process consumes what another produces, so that its operations may
    /// wait for a producer.
    #[must_use]
    pub fn has_consumers(&self, process: ProcessId) -> bool {
        self.has_consumers[process.index()]
    }

    /// Producers of a task, but for those that it waits for anyway through others of them.
    #[must_use]
    pub fn next_producers(&self, task: TaskId) -> &[TaskId] {
        self.reduced.as_ref().map_or(&self.task(task).consumes, |reduced| &reduced.producers[task.index()])
    }

    /// Consumers of a task, but for those that wait for it anyway through others of them.
    #[must_use]
    pub fn next_consumers(&self, task: TaskId) -> &[TaskId] {
        self.reduced.as_ref().map_or(&self.task(task).consumers, |reduced| &reduced.consumers[task.index()])
    }

    /// A task.
    #[must_use]
    pub fn task(&self, id: TaskId) -> &Task {
        &self.tasks[id.index()]
    }

    /// Streams: the listed ones, then the others by first use.
    #[must_use]
    pub fn streams(&self) -> &[Stream] {
        &self.streams
    }

    /// The kernel table.
    #[must_use]
    pub fn rows(&self) -> &[KernelRow] {
        &self.rows
    }

    /// A row.
    #[must_use]
    pub fn row(&self, id: RowId) -> &KernelRow {
        &self.rows[id.index()]
    }

    /// The row whose call issues a row: of a node the launch of its graph, else the row itself.
    #[must_use]
    pub fn call_of(&self, row: RowId) -> RowId {
        self.row(row).node.as_ref().map_or(row, |node| node.graph)
    }

    /// What is allowed but likely not meant.
    #[must_use]
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }
}
