//! Traces of the PyTorch profiler (Kineto): Chrome trace events with what CUPTI or ROCTracer recorded. Those of XLA's profiler come the
//! same way (`xla.rs`).
//!
//! Invariants: events that say nothing of the GPU are dropped as they come; a field of an unexpected type counts as missing; what is read
//! of an event points into its text, and needs no memory of its own. Source: measured files of 2021 to 2025; `docs/traces.md` lists what is
//! read of them.

use std::borrow::Cow;
use std::io::Read;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::collectives::CollectiveArgs;
use super::json::{Lenient, Scalar, TraceFault, next};
use super::mended::{Mended, of_lists};
use super::xla::XlaProcesses;
use super::{JsonFault, MOST_DEVICES, MOST_NAMES, ProfileError, spans};
use crate::build::{
    Builder, CollectivePlace, FoundCall, FoundEdge, FoundOperation, FoundOverhead, FoundSpan, FoundWait, NO_TIME, StreamKey, limits,
};
use crate::{Flaw, OperationKind, OverheadKind, ProfilerSource, RecordedDevice, RecordedLaunch, Recording};

/// What a file is whose device is no GPU.
const OF_TPU: &str = "one of XLA's profiler without an operation of a GPU: those of TPUs and other devices are not read";

/// From this number on, arrows of the category `ac2g` are edges of graphs: PyTorch keeps them clear of the numbers of calls.
const FIRST_EDGE: u64 = 1 << 40;

/// Reads a trace.
pub(super) fn read(most: usize, file: impl Read) -> Result<Recording, ProfileError> {
    let mut trace = Trace {
        parts: Mended::new(file, of_lists),
        builder: Builder::new(ProfilerSource::Kineto),
        events: 0,
        no_objects: 0,
        first_no_object: None,
        has_events: false,
        is_cut: false,
        xla: XlaProcesses::default(),
        most,
    };
    trace.read()?;
    let Trace { parts, mut builder, events, no_objects, is_cut, xla, .. } = trace;
    if let Some((first, second)) = builder.merged() {
        return Err(ProfileError::Merged { first, second });
    }
    builder.join_processes();
    if xla.is_found() {
        builder.set_source(ProfilerSource::Xla);
        xla.finish(&mut builder);
    }
    if is_cut || parts.is_cut {
        builder.add_flaw(Flaw::CutOff(events));
    }
    for (flaw, count) in [(Flaw::NoObjects as fn(u64) -> Flaw, no_objects), (Flaw::Mended, parts.mended)] {
        if count > 0 {
            builder.add_flaw(flaw(count));
        }
    }
    let nothing = if xla.has_other_device() { ProfileError::Foreign(OF_TPU) } else { ProfileError::NothingInTrace { events } };
    let is_of_tpu = xla.has_other_device() && builder.operations() == 0;
    if is_of_tpu { None } else { builder.finish_or_alone() }.ok_or(nothing)
}

/// A field of the outermost object, as far as it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Events,
    Devices,
    Job,
    Other,
}

impl Field {
    fn from_key(key: &str) -> Self {
        match key {
            "traceEvents" => Self::Events,
            "deviceProperties" => Self::Devices,
            "distributedInfo" => Self::Job,
            _ => Self::Other,
        }
    }
}

/// A trace that is read part by part: an object with `traceEvents`, or the list alone.
struct Trace<R> {
    parts: Mended<R>,
    builder: Builder,
    /// How many events were read.
    events: u64,
    /// How many entries of the list of events are no objects, and where the first of them begins.
    no_objects: u64,
    first_no_object: Option<u64>,
    /// Whether the list of events was found within an object.
    has_events: bool,
    /// Whether the text ends before its JSON does.
    is_cut: bool,
    /// Processes of XLA's profiler, if the file has them.
    xla: XlaProcesses,
    /// At most so many entries.
    most: usize,
}

impl<R: Read> Trace<R> {
    fn read(&mut self) -> Result<(), ProfileError> {
        let why = match self.outermost() {
            Ok(()) => match self.first_no_object.filter(|_| self.events == 0) {
                Some(at) => JsonFault::Expected { expected: "an event, which is an object,", at },
                None if self.parts.is_cut && self.builder.operations() == 0 => JsonFault::Ended,
                None => return Ok(()),
            },
            // What the program had recorded when it was stopped is in the file up to here.
            Err(TraceFault::Json(JsonFault::Ended)) if self.builder.operations() > 0 => {
                self.is_cut = true;
                return Ok(());
            }
            Err(TraceFault::Json(why)) => why,
            Err(TraceFault::Limit(why)) => return Err(why),
        };
        Err(self.fault(why))
    }

    /// Why a fault of the text ends the reading.
    fn fault(&self, why: JsonFault) -> ProfileError {
        let events = self.events;
        match why {
            // One that was cut off may have been a trace.
            why if !self.has_events && events == 0 && !matches!(why, JsonFault::Ended | JsonFault::Unreadable(_)) => {
                ProfileError::NoTrace(why)
            }
            why => ProfileError::of_fault(events, why, |events, why| ProfileError::DamagedTrace { events, why }),
        }
    }

    fn outermost(&mut self) -> Result<(), TraceFault> {
        let part = next(&mut self.parts)?;
        match part.sign {
            Some(b'[') if part.is_blank() => self.list(Field::Events)?,
            Some(b'{') if part.is_blank() => self.object()?,
            _ => return Err(part.expected("an object with \"traceEvents\", or a list of events").into()),
        }
        let rest = next(&mut self.parts)?;
        if rest.sign.is_some() || !rest.is_blank() {
            return Err(JsonFault::Expected { expected: "the end of the file", at: rest.at }.into());
        }
        Ok(())
    }

    /// Reads the outermost object, whose bracket was read.
    fn object(&mut self) -> Result<(), TraceFault> {
        let mut is_first = true;
        loop {
            self.parts.keeps = true;
            let part = next(&mut self.parts)?;
            let field = match part.sign {
                Some(b':') => Field::from_key(&part.read::<Cow<str>>()?),
                Some(b'}') if is_first && part.is_blank() => break,
                _ => return Err(part.expected("a key and a colon").into()),
            };
            is_first = false;
            self.has_events |= field == Field::Events;
            self.parts.keeps = field != Field::Other;
            if !self.value(field)? {
                break;
            }
        }
        if self.has_events { Ok(()) } else { Err(JsonFault::NoEvents.into()) }
    }

    /// Reads the value of a field; whether another field follows.
    fn value(&mut self, field: Field) -> Result<bool, TraceFault> {
        let part = next(&mut self.parts)?;
        let part = match part.sign {
            Some(b'[') if part.is_blank() || field == Field::Other => {
                self.list(field)?;
                let after = next(&mut self.parts)?;
                if after.is_blank() || field == Field::Other { after } else { return Err(after.expected("a comma").into()) }
            }
            _ if field == Field::Events => return Err(part.expected("a list of events").into()),
            _ => {
                if field == Field::Job
                    && let Ok(job) = part.read::<Job>()
                {
                    self.builder.set_rank(job.rank.number(), job.world_size.number());
                }
                part
            }
        };
        match part.sign {
            Some(sign @ (b',' | b'}')) => Ok(sign == b','),
            _ => Err(part.expected("a comma or the end of the object").into()),
        }
    }

    /// Reads a list, whose bracket was read, to its end.
    fn list(&mut self, field: Field) -> Result<(), TraceFault> {
        let mut is_first = true;
        loop {
            let part = next(&mut self.parts)?;
            let is_last = match part.sign {
                Some(b']') if is_first && part.is_blank() => return Ok(()),
                Some(sign @ (b',' | b']')) => sign == b']',
                None if field == Field::Events => {
                    // The event before the end may be whole, and lack its comma alone.
                    if let Ok(event) = part.read::<Event>() {
                        event.add(&mut self.builder, &mut self.xla);
                        self.events += 1;
                    }
                    return Err(JsonFault::Ended.into());
                }
                _ => return Err(part.expected("a comma or the end of the list").into()),
            };
            match field {
                Field::Events => {
                    if part.is_no_object() {
                        self.no_objects += 1;
                        self.first_no_object.get_or_insert(part.at);
                    } else {
                        part.read::<Event>()?.add(&mut self.builder, &mut self.xla);
                        self.events += 1;
                    }
                    if self.builder.name_bytes() > MOST_NAMES {
                        return Err(TraceFault::Limit(ProfileError::Names));
                    }
                    if self.builder.entries() + self.xla.entries() > self.most {
                        return Err(TraceFault::Limit(ProfileError::Entries { most: self.most }));
                    }
                }
                Field::Devices => {
                    if self.builder.devices() == MOST_DEVICES {
                        return Err(TraceFault::Limit(ProfileError::Devices));
                    }
                    // One that cannot be read counts as missing.
                    if let Ok(device) = part.read::<Properties>() {
                        self.builder.add_device(device.into_device());
                    }
                }
                Field::Job | Field::Other => {}
            }
            if is_last {
                return Ok(());
            }
            is_first = false;
        }
    }
}

/// A device as Kineto has it.
#[derive(Debug, Deserialize)]
struct Properties {
    #[serde(default)]
    id: u64,
    name: Option<String>,
    #[serde(rename = "computeMajor")]
    major: Option<u32>,
    #[serde(rename = "computeMinor")]
    minor: Option<u32>,
    #[serde(rename = "maxThreadsPerMultiprocessor")]
    threads: Option<u32>,
    #[serde(rename = "regsPerMultiprocessor")]
    registers: Option<u32>,
    #[serde(rename = "sharedMemPerMultiprocessor")]
    shared: Option<u32>,
    #[serde(rename = "numSms")]
    sms: Option<u32>,
}

impl Properties {
    fn into_device(self) -> RecordedDevice {
        // Devices of AMD have numbers of their own there.
        let capability = self.registers.and(self.major.zip(self.minor));
        let limits = limits(capability, self.threads, self.registers, self.shared);
        RecordedDevice { id: self.id, name: self.name, capability, limits, sms: self.sms, copy_engines: None }
    }
}

/// The place of the process in a distributed job.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Job<'e> {
    rank: Scalar<'e>,
    world_size: Scalar<'e>,
}

/// An event, with what is read of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
pub(super) struct Event<'e> {
    ph: Scalar<'e>,
    id: Scalar<'e>,
    cat: Scalar<'e>,
    pub(super) name: Scalar<'e>,
    pub(super) pid: Scalar<'e>,
    pub(super) tid: Scalar<'e>,
    pub(super) ts: Scalar<'e>,
    pub(super) dur: Scalar<'e>,
    #[serde(borrow)]
    args: Option<&'e RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Args<'e> {
    correlation: Scalar<'e>,
    device: Scalar<'e>,
    context: Scalar<'e>,
    stream: Scalar<'e>,
    grid: Lenient<[u32; 3]>,
    block: Lenient<[u32; 3]>,
    #[serde(rename = "registers per thread")]
    registers: Scalar<'e>,
    #[serde(rename = "shared memory")]
    shared: Scalar<'e>,
    bytes: Scalar<'e>,
    channel: Scalar<'e>,
    #[serde(rename = "graph node id")]
    graph_node: Scalar<'e>,
    priority: Scalar<'e>,
    #[serde(rename = "Group size")]
    group_size: Scalar<'e>,
    #[serde(rename = "Collective name")]
    collective_name: Scalar<'e>,
    #[serde(rename = "In msg nelems")]
    elements: Scalar<'e>,
    dtype: Scalar<'e>,
    #[serde(rename = "Process Group Ranks")]
    ranks: Scalar<'e>,
    #[serde(rename = "In split size")]
    in_split: Scalar<'e>,
    #[serde(rename = "Out split size")]
    out_split: Scalar<'e>,
    #[serde(borrow, rename = "Input Dims")]
    dims: Option<&'e RawValue>,
    #[serde(borrow, rename = "Input type")]
    types: Option<&'e RawValue>,
    wait_on_stream: Scalar<'e>,
    wait_on_cuda_event_record_corr_id: Scalar<'e>,
}

impl Args<'_> {
    /// What they say of a collective.
    fn collective(&self) -> CollectiveArgs<'_> {
        CollectiveArgs {
            name: self.collective_name.text(),
            elements: self.elements.number(),
            dtype: self.dtype.text(),
            group_size: self.group_size.number(),
            ranks: self.ranks.text(),
            splits: [self.in_split.text(), self.out_split.text()],
            dims: self.dims.map(RawValue::get),
            types: self.types.map(RawValue::get),
        }
    }
}

/// Whether what the host ran is communication, as PyTorch names it.
fn is_of_communication(name: &str) -> bool {
    name == "record_param_comms" || name.starts_with("nccl:")
}

impl<'e> Event<'e> {
    /// Its arguments; none if they cannot be read.
    pub(super) fn args<T: Deserialize<'e> + Default>(&self) -> T {
        self.args.and_then(|args| serde_json::from_str(args.get()).ok()).unwrap_or_default()
    }

    fn add(self, builder: &mut Builder, xla: &mut XlaProcesses) {
        if matches!(&*self.ph.0, "s" | "f") {
            if let Some(id) = self.id.number().filter(|&id| id >= FIRST_EDGE && self.cat.0 == "ac2g") {
                let (device, at) = (self.pid.number().unwrap_or(0), self.ts.nanoseconds().unwrap_or(0));
                builder.add_edge(FoundEdge { id, is_later: self.ph.0 == "f", device, at });
            }
            return;
        }
        if self.ph.0 == "M" {
            xla.note(&self);
        }
        if self.ph.0 != "X" || (self.cat.0.is_empty() && xla.add(&self, builder)) {
            return;
        }
        let category = &*self.cat.0;
        let kind = match category {
            "kernel" | "Kernel" => Some(OperationKind::Kernel),
            "gpu_memcpy" | "Memcpy" => Some(copy(&self.name.0)),
            "gpu_memset" | "Memset" => Some(OperationKind::Memset),
            _ => None,
        };
        let is_call = matches!(category, "cuda_runtime" | "cuda_driver" | "Runtime" | "Driver");
        let is_sync = category == "cuda_sync";
        let is_overhead = matches!(category, "overhead" | "Overhead");
        let span = spans::of_kineto(category, &self.name.0);
        if kind.is_none() && !is_call && !is_sync && !is_overhead && span.is_none() {
            return;
        }
        let start = self.ts.nanoseconds().unwrap_or(NO_TIME);
        let end = start.saturating_add(self.dur.nanoseconds().unwrap_or(0));
        if let Some((sort, name)) = span {
            let (name, thread) = (builder.add_name(&name), self.tid.last_number().unwrap_or(0));
            builder.add_span(FoundSpan { sort, name, process: 0, thread, start, end });
            if is_of_communication(self.name.text()) {
                let args: Args<'_> = self.args();
                builder.add_collective(CollectivePlace::Span(0, thread, start), args.collective().facts());
            }
            return;
        }
        let args: Args<'_> = self.args();
        let stream = StreamKey {
            process: 0,
            device: args.device.number().or_else(|| self.pid.number()).unwrap_or(0),
            context: args.context.number().unwrap_or(0),
            stream: args.stream.number().or_else(|| self.tid.last_number()).unwrap_or(0),
        };
        let correlation = args.correlation.number();
        if let Some(kind) = kind {
            let name = builder.add_name(&self.name.0);
            let launch = args.grid.0.zip(args.block.0).map(|(grid, block)| RecordedLaunch {
                grid,
                block,
                registers: args.registers.small().unwrap_or(0),
                shared: args.shared.small().unwrap_or(0),
            });
            let (bytes, channel) = (args.bytes.number(), args.channel.small());
            // Since CUDA 13.1 each kernel carries the priority that it ran with; that is its stream's unless the launch says otherwise.
            if let Some(priority) = args.priority.0.parse().ok().filter(|_| kind == OperationKind::Kernel) {
                builder.set_priority(stream, priority);
            }
            builder.add_collective(CollectivePlace::Kernel(stream, start, correlation), args.collective().facts());
            let is_node = args.graph_node.number().is_some_and(|id| id > 0);
            builder.add_operation(FoundOperation { kind, name, stream, start, end, correlation, launch, bytes, channel, is_node });
        } else if is_call {
            let name = builder.add_name(&self.name.0);
            let thread = self.tid.last_number().unwrap_or(0);
            let process = self.pid.number().unwrap_or(0);
            builder.add_call(FoundCall { name, process, thread, start, end, correlation });
        } else if is_sync {
            builder.records_waits();
            if self.name.0 == "Stream Wait Event" {
                let record = args.wait_on_cuda_event_record_corr_id.number();
                builder.add_wait(FoundWait { stream, start, correlation, source: args.wait_on_stream.number(), record });
            }
        } else {
            builder.add_overhead(FoundOverhead { kind: overhead(&self.name.0), process: 0, correlation, start, end });
        }
    }
}

/// Which way a copy goes: `Memcpy HtoD (Pageable -> RecordedDevice)`.
pub(super) fn copy(name: &str) -> OperationKind {
    let is = |way: &str| name.contains(way);
    match () {
        () if is("HtoD") || is("HtoA") || is("HostToDevice") || is("H2D") => OperationKind::HostToDevice,
        () if is("DtoH") || is("AtoH") || is("DeviceToHost") || is("D2H") => OperationKind::DeviceToHost,
        () if is("PtoP") || is("PeerToPeer") || is("P2P") => OperationKind::PeerToPeer,
        () if ["DtoD", "AtoA", "AtoD", "DtoA", "DeviceToDevice", "D2D"].into_iter().any(is) => OperationKind::DeviceToDevice,
        () => OperationKind::OtherCopy,
    }
}

fn overhead(name: &str) -> OverheadKind {
    match name {
        "Lazy Function Loading" | "Runtime Triggered Module Loading" | "Driver Compiler" => OverheadKind::Loading,
        "Command Buffer Full" => OverheadKind::QueueFull,
        "Buffer Flush" | "Instrumentation" | "Resource" => OverheadKind::Profiler,
        _ => OverheadKind::Other,
    }
}
