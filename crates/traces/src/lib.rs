//! What a profiler recorded of a program on a GPU: calls of the host, operations of the device, and why each waited.
//!
//! `files` reads and writes, `answers` are for the page, `tables` is for the packages of other languages. Invariants: times are nanoseconds from the first event
//! of the recording; operations are sorted by start, calls too; of each stream the operations are in the order of their starts; a wait
//! is split into parts that add up to it exactly. Source of what orders operations: `docs/traces.md`.

pub mod answers;
pub mod both;
pub mod build;
pub mod causes;
pub mod chain;
pub mod communication;
mod engines;
mod explain;
pub mod files;
pub mod flaws;
pub mod gain;
mod graphs;
mod held;
mod idle;
mod index;
pub mod lanes;
pub mod levels;
pub mod made;
pub mod path;
pub mod ranges;
pub mod ranks;
mod room;
pub mod ruled_out;
pub mod summary;
#[cfg(feature = "tables")]
pub mod tables;
pub mod thresholds;
mod told;
pub mod words;

use serde::{Deserialize, Serialize};

use blockstep_sim::scenario::{BuiltIn, Evidence};
use blockstep_sim::units::{Span, Time};
pub use blockstep_traces_messages::OperationKind;

/// Which profiler wrote the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProfilerSource {
    /// The PyTorch profiler (Kineto): Chrome trace events as JSON.
    Kineto,
    /// Nsight Systems: `nsys export --type sqlite`.
    Nsight,
    /// The profiler of XLA, as JAX and TensorFlow write it: Chrome trace events as JSON.
    Xla,
    /// rocprofv3 of AMD: JSON, or rocpd, an SQLite database.
    Rocprof,
}

/// What a call of the host does, as far as it can make an operation wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallKind {
    /// Launches a kernel.
    Launch,
    /// Launches a kernel with attributes (`cudaLaunchKernelExC`, `cuLaunchKernelEx`): it may be a programmatic dependent launch.
    LaunchWithAttributes,
    /// Launches a graph.
    Graph,
    /// Copies or sets memory.
    Memory,
    /// Allocates or frees memory in a way that may synchronize (`cudaMalloc`, `cudaFree`, `cudaHostAlloc`).
    Allocation,
    /// Records an event.
    EventRecord,
    /// Has a stream wait for an event.
    StreamWait,
    /// Has the host wait for a stream, an event or the device.
    HostWait,
    /// Anything else.
    Other,
}

impl CallKind {
    /// What a call of the runtime, the driver or HIP does, by its name; a version after `_v` is ignored.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        let name = name.split("_v").next().unwrap_or(name);
        let name = ["_ptsz", "_ptds", "_spt"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        let rest = ["cuda", "hip", "cu"].iter().find_map(|api| name.strip_prefix(api)).unwrap_or(name);
        match rest {
            "LaunchKernelExC" | "LaunchKernelEx" | "DrvLaunchKernelEx" => Self::LaunchWithAttributes,
            "GraphLaunch" => Self::Graph,
            "Malloc" | "Free" | "MallocHost" | "FreeHost" | "HostAlloc" | "HostMalloc" | "HostFree" | "MallocManaged" | "MallocPitch"
            | "Malloc3D" | "MemAlloc" | "MemFree" | "MemAllocHost" | "MemFreeHost" | "MemHostAlloc" | "MemAllocPitch"
            | "MemAllocManaged" => Self::Allocation,
            "EventRecord" | "EventRecordWithFlags" => Self::EventRecord,
            "StreamWaitEvent" => Self::StreamWait,
            "StreamSynchronize" | "EventSynchronize" | "DeviceSynchronize" | "CtxSynchronize" | "ThreadSynchronize" => Self::HostWait,
            _ if rest.contains("Launch") && !rest.contains("HostFunc") => Self::Launch,
            _ if rest.starts_with("Memcpy") || rest.starts_with("Memset") => Self::Memory,
            _ => Self::Other,
        }
    }
}

/// A call of the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// What it does.
    pub kind: CallKind,
    /// Index of its name in [`Recording::names`].
    pub name: u32,
    /// The process, as numbered by the file; zero if the file has one.
    pub process: u64,
    /// The thread of the host; numbers are those of the file.
    pub thread: u64,
    /// When it began.
    pub start: Time,
    /// When it returned.
    pub end: Time,
    /// When the first node of the graph that it launches began.
    pub graph_began: Option<Time>,
}

/// How a kernel was launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedLaunch {
    /// Thread blocks in each dimension.
    pub grid: [u32; 3],
    /// Threads of a block in each dimension.
    pub block: [u32; 3],
    /// Registers of a thread; zero if unknown.
    pub registers: u32,
    /// Bytes of shared memory of a block, static and dynamic.
    pub shared: u32,
}

impl RecordedLaunch {
    /// Thread blocks of the grid.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n.max(1))).fold(1, u64::saturating_mul)
    }

    /// Threads of a block.
    #[must_use]
    pub fn threads(&self) -> u64 {
        self.block.iter().map(|&n| u64::from(n.max(1))).fold(1, u64::saturating_mul)
    }
}

/// An operation of the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What it is.
    pub kind: OperationKind,
    /// Index of its name in [`Recording::names`].
    pub name: u32,
    /// Index of its stream in [`Recording::streams`].
    pub stream: u32,
    /// When it began on the device.
    pub start: Time,
    /// When it ended.
    pub end: Time,
    /// Index of the call that launched it, if the file has it.
    pub call: Option<u32>,
    /// The number by which the file joins it with its call, of its process.
    pub correlation: Option<u64>,
    /// How the kernel was launched, if recorded.
    pub launch: Option<RecordedLaunch>,
    /// Bytes copied or set, if recorded.
    pub bytes: Option<u64>,
    /// The hardware queue (channel), if recorded.
    pub channel: Option<u32>,
}

impl Operation {
    /// Whether it was called for, and the file lacks the call. Page migrations have none.
    #[must_use]
    pub fn lacks_call(&self) -> bool {
        self.call.is_none() && self.kind != OperationKind::Migration
    }

    /// How long it ran.
    #[must_use]
    pub const fn duration(&self) -> Span {
        self.end.since(self.start)
    }
}

/// How a stream behaves toward the NULL stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StreamKind {
    /// The NULL stream itself (legacy default stream).
    Null,
    /// It waits for the NULL stream, and the NULL stream for it.
    Blocking,
    /// Created with `cudaStreamNonBlocking`.
    NonBlocking,
    /// It is no stream of the program: page migrations of a context stand here.
    Migrations,
    /// The file does not say.
    Unknown,
}

/// A stream of a context of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedStream {
    /// Its number in the file.
    pub id: u64,
    /// The process, as numbered by the file; zero if the file has one.
    pub process: u64,
    /// Index of its device in [`Recording::devices`].
    pub device: u32,
    /// The context in its process.
    pub context: u64,
    /// How it behaves toward the NULL stream.
    pub kind: StreamKind,
    /// Whether the kind was read from the file rather than assumed from its number.
    pub is_kind_recorded: bool,
    /// Its priority as CUDA counts it, lower first, if recorded.
    pub priority: Option<i32>,
    /// Its operations, in the order of their starts.
    pub operations: Vec<u32>,
}

impl RecordedStream {
    /// Whether its kernels go before those of other streams, by its priority. The NULL stream has none.
    #[must_use]
    pub fn is_high(&self) -> bool {
        self.priority.is_some_and(|priority| priority < 0) && self.kind != StreamKind::Null
    }
}

/// A device, with what the file says of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedDevice {
    /// Its number in the file.
    pub id: u64,
    /// Its name, if recorded.
    pub name: Option<String>,
    /// Its compute capability, if recorded and by NVIDIA.
    pub capability: Option<(u32, u32)>,
    /// What its SMs hold, if known.
    pub limits: Option<blockstep_sim::occupancy::Limits>,
    /// How many SMs it has, if known.
    pub sms: Option<u32>,
    /// How many copies over the bus it can run at once with kernels, if recorded: with one engine both directions share it.
    pub copy_engines: Option<u32>,
}

impl RecordedDevice {
    /// How far it is known to follow the rules, as far as its name tells.
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        self.name.as_deref().map_or(Evidence::Own, Evidence::of_gpu)
    }
}

/// A stream was told to wait for an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventWait {
    /// The stream that waits, an index.
    pub stream: u32,
    /// When the host said so: operations launched later wait.
    pub called: Time,
    /// The operation after which the event was recorded, if that can be found.
    pub source: Option<u32>,
    /// Whether the record of the event names its call; otherwise its stream alone.
    pub is_certain: bool,
}

/// What a profiler's record of overhead is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverheadKind {
    /// Code was loaded or compiled for its first use.
    Loading,
    /// The queue of launches was full.
    QueueFull,
    /// The profiler's own work.
    Profiler,
    /// Something else.
    Other,
}

/// Time that the driver or the profiler took for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overhead {
    /// What it was.
    pub kind: OverheadKind,
    /// Index of the call during which it was, if the file names that.
    pub call: Option<u32>,
    /// When it began.
    pub start: Time,
    /// When it ended.
    pub end: Time,
}

blockstep_sim::listed! {
    /// What a span of the host is; the first of several says best what the host did.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum HostSort(word, from_word) {
        /// An operator of PyTorch.
        Operator = "operator",
        /// A range that the program marked.
        Range = "range",
        /// A function of Python.
        Frame = "frame",
        /// A step, as PyTorch's profiler marks it.
        Step = "step",
    }
}

/// What a thread of the host ran for a while, beside its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSpan {
    /// What it is.
    pub sort: HostSort,
    /// Index of its name in [`Recording::names`].
    pub name: u32,
    /// The process, as of its calls.
    pub process: u64,
    /// The thread, as of its calls.
    pub thread: u64,
    /// When it began.
    pub start: Time,
    /// When it ended.
    pub end: Time,
}

/// Something about the file that a reader of its results should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flaw {
    /// The file ends before its JSON does, and so many events were read before that.
    CutOff(u64),
    /// The file has as many events as its profiler writes at most, so many, and may lack later ones.
    MaybeCut(u64),
    /// So many messages of the profiler say that it lost events.
    Lost(u64),
    /// So many warnings and errors of the profiler are about what is read here, and say of no loss.
    Warned(u64),
    /// So many entries of the list of events are no events, and are left out.
    NoObjects(u64),
    /// So many operations carry no call.
    WithoutCall(u64),
    /// So many operations begin before their call.
    BeforeCall(u64),
    /// So many events have no time, or one that is more than a day from the others, and are left out.
    WithoutTime(u64),
    /// So many launches of kernels and graphs have no operation in the file.
    WithoutOperation(u64),
    /// So many durations go on while the operation after the next one of the stream runs, and are cut.
    Clipped(u64),
    /// At so many places the file is no JSON and was mended.
    Mended(u64),
    /// So many launches of graphs are recorded as a whole, without their nodes.
    GraphsWhole(u64),
    /// So many rows of tables about the device are not read.
    UnreadRows(u64),
    /// So many waits of the host go on for over a millisecond while nothing in the file runs.
    IdleWaits(u64),
    /// Times are whole microseconds.
    Microseconds,
}

/// A message of the profiler about its own recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfilerMessage {
    /// Whether it says that events were lost.
    pub is_of_loss: bool,
    /// What it says, cut.
    pub text: String,
}

/// What a file says of the job that its process is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The number of the process, its rank.
    pub rank: Option<u64>,
    /// How many ranks the job has.
    pub world_size: Option<u64>,
    /// How many ranks the smallest group has whose collectives ran.
    pub smallest_group: Option<u64>,
}

/// A whole recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Which profiler wrote it.
    pub source: ProfilerSource,
    /// Names of kernels, copies and calls.
    pub names: Vec<String>,
    /// Operations of the devices, by start.
    pub operations: Vec<Operation>,
    /// Calls of the host, by start.
    pub calls: Vec<Call>,
    /// What the host ran between and around its calls, by start, if recorded.
    pub spans: Vec<HostSpan>,
    /// Streams, in the order of their first operations.
    pub streams: Vec<RecordedStream>,
    /// Devices.
    pub devices: Vec<RecordedDevice>,
    /// Streams that were told to wait for events, by the time of the call.
    pub event_waits: Vec<EventWait>,
    /// Edges of graphs, as far as the file has them: a node, and one that it waits for; by the node that waits.
    pub edges: Vec<(u32, u32)>,
    /// Whether the file records synchronizations at all: without them a missing wait proves nothing.
    pub has_event_waits: bool,
    /// Kernels that communicate with other devices, by operation.
    pub communications: Vec<communication::Communication>,
    /// Groups of ranks that communicate, as far as the file says which ranks they have: each sorted, and once.
    pub groups: Vec<Vec<u64>>,
    /// Overhead, by start.
    pub overheads: Vec<Overhead>,
    /// What is wrong with it.
    pub flaws: Vec<Flaw>,
    /// What the profiler said of its recording, those of losses first; a few.
    pub messages: Vec<ProfilerMessage>,
    /// The job that its process is part of.
    pub job: Job,
}

impl Recording {
    /// Takes what SMs hold from a built-in device, of those devices of which the file does not say it; how many these are.
    pub fn assume_gpu(&mut self, gpu: &BuiltIn) -> usize {
        let sms = u32::try_from(gpu.device().sms).ok();
        let unknown = self.devices.iter_mut().filter(|device| device.limits.is_none() || device.sms.is_none());
        let assumed = unknown.map(|device| {
            device.name.get_or_insert_with(|| gpu.name.to_owned());
            device.capability.get_or_insert(gpu.limits.capability);
            device.limits = Some(gpu.limits);
            device.sms = sms;
        });
        assumed.count()
    }

    /// By call: whether it launched an operation.
    #[must_use]
    pub fn launching(&self) -> Vec<bool> {
        launching(&self.operations, self.calls.len())
    }

    /// Whether nothing of a GPU is in it: all of it is the host.
    #[must_use]
    pub fn is_host_alone(&self) -> bool {
        self.operations.is_empty()
    }

    /// The name of an operation.
    #[must_use]
    pub fn name(&self, operation: &Operation) -> &str {
        self.names.get(operation.name as usize).map_or("", String::as_str)
    }

    /// The call that launched an operation.
    #[must_use]
    pub fn call(&self, operation: &Operation) -> Option<&Call> {
        operation.call.and_then(|call| self.calls.get(call as usize))
    }

    /// The stream of an operation.
    #[must_use]
    pub fn stream(&self, operation: &Operation) -> &RecordedStream {
        &self.streams[operation.stream as usize]
    }

    /// The device of an operation.
    #[must_use]
    pub fn device(&self, operation: &Operation) -> &RecordedDevice {
        &self.devices[self.stream(operation).device as usize]
    }

    /// How many streams of the program ran something.
    #[must_use]
    pub fn stream_count(&self) -> usize {
        self.streams.iter().filter(|stream| stream.kind != StreamKind::Migrations).count()
    }

    /// By device: whether something ran on it. Some files describe devices that nothing ran on.
    #[must_use]
    pub fn used_devices(&self) -> Vec<bool> {
        let mut used = vec![false; self.devices.len()];
        for stream in &self.streams {
            used[stream.device as usize] = true;
        }
        used
    }

    /// Whether the file ends where the program did, as far as it tells, and the profiler says of no loss. If not, operations may have run that are not in it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.flaws.iter().any(|flaw| matches!(flaw, Flaw::CutOff(_) | Flaw::NoObjects(_) | Flaw::MaybeCut(_) | Flaw::Lost(_)))
    }

    /// Whether the program called HIP, so that what holds of CUDA's tools and settings does not.
    #[must_use]
    pub fn is_hip(&self) -> bool {
        self.source == ProfilerSource::Rocprof
            || self.calls.first().is_some_and(|call| self.names.get(call.name as usize).is_some_and(|name| name.starts_with("hip")))
    }

    /// Since when it could have run: its call. A node of a graph other than the first waits from the beginning of the graph on.
    #[must_use]
    pub fn called(&self, operation: &Operation) -> Option<Time> {
        let call = self.call(operation)?;
        let began = call.graph_began.filter(|&began| began < operation.start);
        Some(began.map_or(call.start, |began| began.max(call.start)))
    }

    /// Whether it is a node of a graph.
    #[must_use]
    pub fn is_node(&self, operation: &Operation) -> bool {
        self.call(operation).is_some_and(|call| call.kind == CallKind::Graph)
    }

    /// The nodes that a node, by its place, waits for, as far as the file has edges.
    pub fn edges_of(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.edges.partition_point(|&(later, _)| later < node);
        self.edges[first..].iter().take_while(move |&&(later, _)| later == node).map(|&(_, before)| before)
    }

    /// Whether it is a node of a graph that had begun with others.
    #[must_use]
    pub fn is_later_node(&self, operation: &Operation) -> bool {
        self.call(operation).and_then(|call| call.graph_began).is_some_and(|began| began < operation.start)
    }

    /// From its call to its start, or from the beginning of its graph; `None` without a call, zero if the start is recorded before it.
    #[must_use]
    pub fn wait(&self, operation: &Operation) -> Option<Span> {
        self.called(operation).map(|called| operation.start.since(called))
    }

    /// The end of the last operation or call; of the host alone, of what it ran.
    #[must_use]
    pub fn end(&self) -> Time {
        let operations = self.operations.iter().map(|operation| operation.end);
        let spans = self.spans.iter().filter(|_| self.is_host_alone()).map(|span| span.end);
        operations.chain(self.calls.iter().map(|call| call.end)).chain(spans).max().unwrap_or(Time::ZERO)
    }
}

/// By call, of so many: whether one of these operations was launched by it.
fn launching(operations: &[Operation], calls: usize) -> Vec<bool> {
    let mut launching = vec![false; calls];
    for call in operations.iter().filter_map(|operation| operation.call) {
        launching[call as usize] = true;
    }
    launching
}
