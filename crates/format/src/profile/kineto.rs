//! Traces of the PyTorch profiler (Kineto): Chrome trace events with what CUPTI or ROCTracer recorded.
//!
//! Depends on serde_json, which reads one event after another. Invariants: events that say nothing of the GPU are dropped as they come; a
//! field of an unexpected type counts as missing. Source: measured files of 2021 to 2025; `docs/traces.md` lists what is read of them.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Read};

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};

use super::mended::{Mended, Refused};
use super::{MOST_DEVICES, MOST_NAMES, ProfileError, spans};
use blockstep_profile::build::{Builder, FoundCall, FoundEdge, FoundOperation, FoundOverhead, FoundSpan, FoundWait, StreamKey, limits};
use blockstep_profile::ranks::is_collective;
use blockstep_profile::{Flaw, OperationKind, OverheadKind, ProfilerSource, RecordedDevice, RecordedLaunch, Recording};

/// From this number on, arrows of the category `ac2g` are edges of graphs: PyTorch keeps them clear of the numbers of calls.
const FIRST_EDGE: u64 = 1 << 40;

/// Reads a trace.
pub(super) fn read(most: usize, file: impl Read) -> Result<Recording, ProfileError> {
    let mut builder = Builder::new(ProfilerSource::Kineto);
    let (mut events, mut has_events) = (0_u64, false);
    // Reads byte by byte, so the source has a buffer of its own.
    let mended = Cell::new(0);
    let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(super::PIECE, Mended::new(file, &mended)));
    let outcome =
        File { builder: &mut builder, events: &mut events, has_events: &mut has_events, most }.read(&mut json).and_then(|()| json.end());
    if let Err(why) = outcome {
        let why = match limit(why) {
            Ok(refused) => return Err(ProfileError::Refused { events, refused }),
            Err(_) if builder.name_bytes() > MOST_NAMES => return Err(ProfileError::Names),
            Err(_) if builder.entries() > most => return Err(ProfileError::Entries { most }),
            Err(_) if builder.devices() == MOST_DEVICES => return Err(ProfileError::Devices),
            Err(why) => why,
        };
        // One that was cut off may have been a trace.
        let is_foreign = !has_events && events == 0 && (why.is_data() || why.is_syntax());
        return Err(match why.to_string().contains(super::STOPPED) {
            true => ProfileError::Stopped,
            false if is_foreign => ProfileError::NoTrace(why),
            false => ProfileError::DamagedTrace { events, why },
        });
    }
    if let Some((first, second)) = builder.merged() {
        return Err(ProfileError::Merged { first, second });
    }
    builder.join_processes();
    if mended.get() > 0 {
        builder.add_flaw(Flaw::Mended(mended.get()));
    }
    builder.finish().ok_or(ProfileError::NothingInTrace { events })
}

/// What a file is refused for, if that is why it could not be read.
fn limit(why: serde_json::Error) -> Result<Refused, serde_json::Error> {
    match why.is_io() {
        true => io::Error::from(why).downcast().map_err(serde_json::Error::io),
        false => Err(why),
    }
}

/// The whole file: an object with `traceEvents`, or the list alone.
struct File<'b> {
    builder: &'b mut Builder,
    events: &'b mut u64,
    /// Whether `traceEvents` was found.
    has_events: &'b mut bool,
    /// At most so many entries.
    most: usize,
}

impl File<'_> {
    fn read<'de, D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for File<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with \"traceEvents\", or a list of events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(event) = list.next_element::<Event>()? {
            *self.events += 1;
            event.add(self.builder);
            if self.builder.name_bytes() > MOST_NAMES {
                return Err(A::Error::custom("too many names"));
            }
            if self.builder.entries() > self.most {
                return Err(A::Error::custom("too many entries"));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "traceEvents" => {
                    *self.has_events = true;
                    map.next_value_seed(Events(File {
                        builder: self.builder,
                        events: self.events,
                        has_events: self.has_events,
                        most: self.most,
                    }))?;
                }
                "deviceProperties" => map.next_value_seed(About::Devices(self.builder))?,
                "distributedInfo" => map.next_value_seed(About::Job(self.builder))?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if *self.has_events { Ok(()) } else { Err(A::Error::custom("there is no \"traceEvents\"")) }
    }
}

/// The list of events within the object.
struct Events<'b>(File<'b>);

impl<'de> de::DeserializeSeed<'de> for Events<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self.0)
    }
}

/// The list of devices, one after another, or an object about the job; anything else counts as missing.
enum About<'b> {
    Devices(&'b mut Builder),
    Job(&'b mut Builder),
}

impl<'de> de::DeserializeSeed<'de> for About<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for About<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if matches!(self, Self::Devices(_)) { "a list of devices" } else { "an object" })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Self::Devices(builder) = self else { return IgnoredAny.visit_seq(list).map(drop) };
        while let Some(device) = list.next_element::<Lenient<Properties>>()? {
            if builder.devices() == MOST_DEVICES {
                return Err(A::Error::custom("too many devices"));
            }
            if let Some(device) = device.0 {
                builder.add_device(device.into_device());
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self::Job(builder) = self else { return IgnoredAny.visit_map(map).map(drop) };
        let (mut rank, mut world_size) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "rank" => rank = map.next_value::<Scalar>()?.number(),
                "world_size" => world_size = map.next_value::<Scalar>()?.number(),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        builder.set_rank(rank, world_size);
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

/// A number or a text; anything else counts as missing.
#[derive(Debug, Default)]
struct Scalar(String);

impl Scalar {
    /// A whole number; 4,294,967,295 and texts that are none are missing.
    fn number(&self) -> Option<u64> {
        self.0.parse().ok().filter(|&n| n != u64::from(u32::MAX))
    }

    /// Digits at the end: `stream 7`.
    fn last_number(&self) -> Option<u64> {
        self.0.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }

    /// Microseconds with decimals as nanoseconds, exactly; digits beyond are cut off.
    fn nanoseconds(&self) -> Option<i64> {
        if self.0.contains(['e', 'E']) {
            let ns = self.0.parse::<f64>().ok()? * 1_000.0;
            return (ns.abs() < 9e18).then_some(ns as i64);
        }
        let (whole, rest) = self.0.split_once('.').unwrap_or((&self.0, ""));
        let digits = rest.bytes().chain(std::iter::repeat(b'0')).take(3);
        let mut fraction = 0;
        for digit in digits {
            fraction = fraction * 10 + i64::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
        }
        let whole: i64 = whole.parse().ok()?;
        let sign = if self.0.starts_with('-') { -1 } else { 1 };
        whole.checked_mul(1_000)?.checked_add(sign * fraction)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let raw = Box::<serde_json::value::RawValue>::deserialize(json)?;
        let text = raw.get();
        Ok(Self(match text.as_bytes().first() {
            Some(b'"') => serde_json::from_str(text).unwrap_or_default(),
            Some(b'{' | b'[' | b'n' | b't' | b'f') | None => String::new(),
            Some(_) => text.to_owned(),
        }))
    }
}

/// What cannot be read as `T` is missing.
#[derive(Debug)]
struct Lenient<T>(Option<T>);

impl<T> Default for Lenient<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: de::DeserializeOwned> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let raw = Box::<serde_json::value::RawValue>::deserialize(json)?;
        Ok(Self(serde_json::from_str(raw.get()).ok()))
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
        RecordedDevice { id: self.id, name: self.name, capability, limits, sms: self.sms }
    }
}

/// An event, with what is read of it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Event {
    ph: Scalar,
    id: Scalar,
    cat: Scalar,
    name: Scalar,
    pid: Scalar,
    tid: Scalar,
    ts: Scalar,
    dur: Scalar,
    args: Lenient<Args>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Args {
    correlation: Scalar,
    device: Scalar,
    context: Scalar,
    stream: Scalar,
    grid: Lenient<[u32; 3]>,
    block: Lenient<[u32; 3]>,
    #[serde(rename = "registers per thread")]
    registers: Scalar,
    #[serde(rename = "shared memory")]
    shared: Scalar,
    bytes: Scalar,
    channel: Scalar,
    #[serde(rename = "graph node id")]
    graph_node: Scalar,
    priority: Scalar,
    #[serde(rename = "Group size")]
    group_size: Scalar,
    wait_on_stream: Scalar,
    wait_on_cuda_event_record_corr_id: Scalar,
}

impl Event {
    fn add(self, builder: &mut Builder) {
        if matches!(self.ph.0.as_str(), "s" | "f") {
            if let Some(id) = self.id.number().filter(|&id| id >= FIRST_EDGE && self.cat.0 == "ac2g") {
                let (device, at) = (self.pid.number().unwrap_or(0), self.ts.nanoseconds().unwrap_or(0));
                builder.add_edge(FoundEdge { id, is_later: self.ph.0 == "f", device, at });
            }
            return;
        }
        if self.ph.0 != "X" {
            return;
        }
        let category = self.cat.0.as_str();
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
        let start = self.ts.nanoseconds().unwrap_or(0);
        let end = start.saturating_add(self.dur.nanoseconds().unwrap_or(0));
        if let Some((sort, name)) = span {
            let (name, thread) = (builder.add_name(&name), self.tid.last_number().unwrap_or(0));
            builder.add_span(FoundSpan { sort, name, process: 0, thread, start, end });
            return;
        }
        let args = self.args.0.unwrap_or_default();
        let stream = StreamKey {
            process: 0,
            device: args.device.number().or_else(|| self.pid.number()).unwrap_or(0),
            context: args.context.number().unwrap_or(0),
            stream: args.stream.number().or_else(|| self.tid.last_number()).unwrap_or(0),
        };
        let correlation = args.correlation.number();
        if let Some(kind) = kind {
            let name = builder.add_name(&self.name.0);
            let small = |scalar: &Scalar| scalar.number().and_then(|n| u32::try_from(n).ok());
            let launch = args.grid.0.zip(args.block.0).map(|(grid, block)| RecordedLaunch {
                grid,
                block,
                registers: small(&args.registers).unwrap_or(0),
                shared: small(&args.shared).unwrap_or(0),
            });
            let (bytes, channel) = (args.bytes.number(), small(&args.channel));
            // Since CUDA 13.1 each kernel carries the priority that it ran with; that is its stream's unless the launch says otherwise.
            if let Some(priority) = args.priority.0.parse().ok().filter(|_| kind == OperationKind::Kernel) {
                builder.set_priority(stream, priority);
            }
            if let Some(size) = args.group_size.number().filter(|_| is_collective(&self.name.0)) {
                builder.add_group(size);
            }
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
fn copy(name: &str) -> OperationKind {
    let is = |way: &str| name.contains(way);
    match () {
        () if is("HtoD") || is("HostToDevice") => OperationKind::HostToDevice,
        () if is("DtoH") || is("DeviceToHost") => OperationKind::DeviceToHost,
        () if is("PtoP") || is("PeerToPeer") => OperationKind::PeerToPeer,
        () => OperationKind::DeviceToDevice,
    }
}

fn overhead(name: &str) -> OverheadKind {
    match name {
        "Lazy Function Loading" | "Runtime Triggered Module Loading" | "Driver Compiler" => OverheadKind::Loading,
        "Command Buffer Full" => OverheadKind::QueueFull,
        _ => OverheadKind::Profiler,
    }
}
