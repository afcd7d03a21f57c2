//! Traces of XLA's profiler, as JAX and TensorFlow write them: `trace.json.gz`, Chrome trace events without categories.
//!
//! What an event is stands in the names of its process and its thread, which metadata gives before: streams of a GPU, threads of the host,
//! and lines that are derived from others and that are no operations. Invariants: an event with a category is none of these; what is kept
//! of processes and threads counts as entries of the file. Source: the code of openxla/xla that writes them
//! (`xplane_to_trace_events`, `trace_events_to_json`, `cupti_collector`, `cupti_tracer`), and recordings of JAX on GPUs of AMD; of NVIDIA's
//! GPUs no file was at hand.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use super::json::Scalar;
use super::kineto::{Event, copy};
use crate::build::{Builder, FoundCall, FoundOperation, FoundSpan, NO_TIME, StreamKey};
use crate::{Flaw, HostSort, OperationKind, RecordedLaunch};

/// The most events that versions of the profiler write: the first ones by time.
const MOST_WRITTEN: [u64; 2] = [1_000_000, 5_000_000];
/// No thread has more registers; a file with more has numbers that mean nothing (measured with JAX on a GPU of AMD).
const MOST_REGISTERS: u32 = 1_024;

/// Which side of a program a process of the file stands for.
#[derive(Clone, Copy)]
enum Side {
    Host,
    /// A GPU, by its number.
    Gpu(u64),
    /// Another device, whose operations are not read.
    Other,
}

/// What was found of the profiler so far.
#[derive(Default)]
pub(super) struct XlaProcesses {
    sides: BTreeMap<u64, Side>,
    /// By process and thread: whether it is a stream.
    streams: BTreeMap<(u64, u64), bool>,
    /// Events of its processes.
    events: u64,
    /// Launches of graphs that are recorded as a whole.
    graphs: u64,
}

/// The arguments of an event, as far as they are read.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Args<'e> {
    name: Scalar<'e>,
    correlation_id: Scalar<'e>,
    context_id: Scalar<'e>,
    kernel_details: Scalar<'e>,
    memcpy_details: Scalar<'e>,
    #[serde(rename = "Memset_details", alias = "memset_details")]
    memset_details: Scalar<'e>,
    #[serde(alias = "MemFree_details", alias = "MemoryResidency_details")]
    memalloc_details: Scalar<'e>,
    cuda_graph_node_id: Scalar<'e>,
    cuda_graph_exec_id: Scalar<'e>,
    step_num: Scalar<'e>,
}

impl XlaProcesses {
    /// How many processes and threads are known.
    pub(super) fn entries(&self) -> usize {
        self.sides.len() + self.streams.len()
    }

    /// Whether the file is of this profiler.
    pub(super) fn is_found(&self) -> bool {
        self.events > 0
    }

    /// Whether it has a device that is no GPU.
    pub(super) fn has_other_device(&self) -> bool {
        self.sides.values().any(|side| matches!(side, Side::Other))
    }

    /// Adds what is known once all events are read.
    pub(super) fn finish(&self, builder: &mut Builder) {
        if MOST_WRITTEN.contains(&self.events) {
            builder.add_flaw(Flaw::MaybeCut(self.events));
        }
        if self.graphs > 0 {
            builder.add_flaw(Flaw::GraphsWhole(self.graphs));
        }
    }

    /// Notes what metadata says of a process or a thread.
    pub(super) fn note(&mut self, event: &Event<'_>) {
        let Some(pid) = event.pid.number() else { return };
        let args: Args<'_> = event.args();
        let name = args.name.text();
        match event.name.text() {
            "process_name" if name == "/host:CPU" => drop(self.sides.insert(pid, Side::Host)),
            "process_name" if name.starts_with("/device:") => {
                let number = name.strip_prefix("/device:GPU:").map(str::trim).and_then(|number| number.parse().ok());
                self.sides.insert(pid, number.map_or(Side::Other, Side::Gpu));
            }
            "thread_name" => drop(event.tid.number().map(|tid| self.streams.insert((pid, tid), name.starts_with("Stream #")))),
            _ => {}
        }
    }

    /// Adds an event without a category, if its process is one of the profiler's; whether it is.
    pub(super) fn add(&mut self, event: &Event<'_>, builder: &mut Builder) -> bool {
        let Some((pid, side)) = event.pid.number().and_then(|pid| Some((pid, *self.sides.get(&pid)?))) else { return false };
        self.events += 1;
        let start = event.ts.nanoseconds().unwrap_or(NO_TIME);
        let end = start.saturating_add(event.dur.nanoseconds().unwrap_or(0));
        match side {
            Side::Host => add_of_host(event, (start, end), builder),
            Side::Gpu(device) => {
                let is_stream = event.tid.number().and_then(|tid| self.streams.get(&(pid, tid)).copied());
                self.graphs += u64::from(add_operation(event, (device, is_stream), (start, end), builder));
            }
            Side::Other => {}
        }
        true
    }
}

/// Adds what a thread of the host ran: a call of CUDA or HIP, which has a number, or anything else.
fn add_of_host(event: &Event<'_>, (start, end): (i64, i64), builder: &mut Builder) {
    let args: Args<'_> = event.args();
    let thread = event.tid.last_number().unwrap_or(0);
    let correlation = args.correlation_id.number();
    let name = event.name.text();
    if correlation.is_some() || is_api(name) {
        let name = builder.add_name(&call(name));
        builder.add_call(FoundCall { name, process: 0, thread, start, end, correlation });
        return;
    }
    let (sort, name) = match name.strip_prefix('$') {
        Some(frame) => (HostSort::Frame, of_frame(frame)),
        None if !args.step_num.text().is_empty() => (HostSort::Step, name.into()),
        None => (HostSort::Range, name.into()),
    };
    let name = builder.add_name(&name);
    builder.add_span(FoundSpan { sort, name, process: 0, thread, start, end });
}

/// Whether a name is that of a function of CUDA or HIP.
fn is_api(name: &str) -> bool {
    let rest = ["cuda", "cu", "hip"].iter().find_map(|api| name.strip_prefix(api));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()) && !rest.contains(['(', ':', '<', ' ']))
}

/// The name of a call: a launch of a graph has the graph's number behind it, and one of a kernel that of the kernel in the place of its own.
fn call(name: &str) -> Cow<'_, str> {
    let name = name.split(" (CudaGraph:").next().unwrap_or(name);
    if is_api(name) { name.into() } else { format!("Launch of {name}").into() }
}

/// A function of Python, `file.py:12 step`, as PyTorch writes it: `file.py(12): step`.
fn of_frame(name: &str) -> Cow<'_, str> {
    let parts = name.split_once(".py:").and_then(|(file, rest)| Some((file, rest.split_once(' ')?)));
    match parts.filter(|(_, (line, _))| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())) {
        Some((file, (line, function))) => format!("{file}.py({line}): {function}").into(),
        None => name.into(),
    }
}

/// Adds an operation of a GPU, if the event is one; whether it is the launch of a graph, recorded as a whole.
fn add_operation(event: &Event<'_>, (device, is_stream): (u64, Option<bool>), (start, end): (i64, i64), builder: &mut Builder) -> bool {
    if is_stream == Some(false) {
        return false;
    }
    let args: Args<'_> = event.args();
    let (name, details) = (event.name.text(), args.memcpy_details.text());
    let is_kernel = !args.kernel_details.text().is_empty();
    let is_graph = !args.cuda_graph_exec_id.text().is_empty() && !is_kernel && details.is_empty();
    // On a stream there are also records of memory, and what no metadata calls a stream has to say itself that it is an operation.
    if is_graph || !args.memalloc_details.text().is_empty() || ["MemoryAlloc", "MemoryFree"].contains(&name) {
        return is_graph && is_stream.is_some();
    }
    let (kind, name) = match () {
        () if is_kernel => (OperationKind::Kernel, of_kernel(name).into()),
        () if !details.is_empty() => of_copy(name, details),
        () if !args.memset_details.text().is_empty() || name.starts_with("Memset") => (OperationKind::Memset, name.into()),
        () if is_stream.is_none() => return false,
        () if name.starts_with("Memcpy") => of_copy(name, ""),
        () => (OperationKind::Kernel, of_kernel(name).into()),
    };
    let bytes = part(details, "size").or_else(|| part(args.memset_details.text(), "num_bytes")).and_then(|bytes| bytes.parse().ok());
    let stream = StreamKey {
        process: 0,
        device,
        context: args.context_id.text().trim_start_matches('$').parse().unwrap_or(0),
        stream: event.tid.last_number().unwrap_or(0),
    };
    let launch = is_kernel.then(|| launch(args.kernel_details.text())).flatten();
    let is_node = args.cuda_graph_node_id.number().is_some_and(|id| id > 0);
    let (name, correlation) = (builder.add_name(&name), args.correlation_id.number());
    builder.add_operation(FoundOperation { kind, name, stream, start, end, correlation, launch, bytes, channel: None, is_node });
    false
}

/// A part of details, `key:value` between blanks.
fn part<'d>(details: &'d str, key: &str) -> Option<&'d str> {
    details.split_ascii_whitespace().find_map(|part| part.strip_prefix(key)?.strip_prefix(':'))
}

/// Grid and block, registers of a thread and bytes of shared memory of a block.
fn launch(details: &str) -> Option<RecordedLaunch> {
    let three = |key: &str| {
        let mut numbers = part(details, key)?.split(',').map(|number| number.parse().ok());
        Some([numbers.next()??, numbers.next()??, numbers.next()??])
    };
    let number = |key: &str| part(details, key).and_then(|number| number.parse::<u32>().ok());
    let (grid, block) = three("grid").zip(three("block"))?;
    let registers = number("regs").unwrap_or(0);
    let sum = ["static_shared", "dynamic_shared", "group_mem"].iter().filter_map(|key| number(key)).fold(0, u32::saturating_add);
    let (registers, shared) = if registers > MOST_REGISTERS { (0, 0) } else { (registers, sum) };
    Some(RecordedLaunch { grid, block, registers, shared })
}

/// A kernel without what the symbol of its descriptor ends with on GPUs of AMD.
fn of_kernel(name: &str) -> &str {
    name.strip_suffix(" [clone .kd]").or_else(|| name.strip_suffix(".kd")).unwrap_or(name)
}

/// Which way a copy goes, by its name or by the memories that it names, which then stand behind the name.
fn of_copy<'n>(name: &'n str, details: &str) -> (OperationKind, Cow<'n, str>) {
    let memories = part(details, "kind_src").zip(part(details, "kind_dst"));
    let is_of_host = |memory: &str| matches!(memory, "pageable" | "pinned");
    let kind = match (copy(name), memories) {
        (OperationKind::OtherCopy, Some((from, "device"))) if is_of_host(from) => OperationKind::HostToDevice,
        (OperationKind::OtherCopy, Some(("device", to))) if is_of_host(to) => OperationKind::DeviceToHost,
        (OperationKind::OtherCopy, Some(("device", "device"))) => OperationKind::DeviceToDevice,
        (kind, _) => kind,
    };
    let capital = |text: &str| text.get(..1).map_or_else(|| text.to_owned(), |first| first.to_ascii_uppercase() + &text[1..]);
    let name = memories.map_or(name.into(), |(from, to)| format!("{name} ({} -> {})", capital(from), capital(to)).into());
    (kind, name)
}
