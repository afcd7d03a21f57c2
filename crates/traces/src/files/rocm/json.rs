//! The JSON of rocprofv3: an object for each process, with lists of what ran.
//!
//! Records name kernels, calls and GPUs by numbers that other lists of the process explain, before or after them; so what is read of a
//! record is kept until its process ends. Invariant: a field of an unexpected type counts as missing. Source: `generateJSON.cpp` of
//! rocprofiler-sdk, and a measured file of an MI350X.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;

use serde::Deserialize;

use super::super::json::{Lenient, Part, Scalar, TraceFault, next};
use super::super::mended::Mended;
use super::super::{JsonFault, ProfileError, spans};
use super::{Agent, Copied, Kernel, Numbers, Process, check_names, kernel_name, way};
use crate::build::{Builder, FoundCall, FoundSpan, NO_TIME};
use crate::{Flaw, ProfilerSource, Recording};

/// More libraries no file names.
const MOST_LIBRARIES: usize = 256;
/// More operations no library has.
const MOST_OPERATIONS: usize = 4_096;

/// A value that is read, by where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Processes,
    Process,
    Metadata,
    Pid,
    Agents,
    Strings,
    /// Names of what libraries do, by library.
    Libraries,
    Messages,
    Symbols,
    Records,
    Kernels,
    Copies,
    /// Calls of HIP.
    Calls,
    /// Calls of libraries below and above HIP.
    OtherCalls,
    Ranges,
    Other,
}

impl Place {
    /// What stands in an object under a key.
    fn under(self, key: &str) -> Self {
        match (self, key) {
            (Self::Root, "rocprofiler-sdk-tool") => Self::Processes,
            (Self::Process, "metadata") => Self::Metadata,
            (Self::Process, "agents") => Self::Agents,
            (Self::Process, "strings") => Self::Strings,
            (Self::Process, "kernel_symbols") => Self::Symbols,
            (Self::Process, "buffer_records") => Self::Records,
            (Self::Metadata, "pid") => Self::Pid,
            (Self::Strings, "buffer_records") => Self::Libraries,
            (Self::Strings, "marker_api") => Self::Messages,
            (Self::Records, "kernel_dispatch") => Self::Kernels,
            (Self::Records, "memory_copy") => Self::Copies,
            (Self::Records, "hip_api") => Self::Calls,
            (Self::Records, "hsa_api" | "rccl_api" | "rocdecode_api" | "rocjpeg_api") => Self::OtherCalls,
            (Self::Records, "marker_api") => Self::Ranges,
            _ => Self::Other,
        }
    }

    const fn is_record(self) -> bool {
        matches!(self, Self::Kernels | Self::Copies | Self::Calls | Self::OtherCalls | Self::Ranges)
    }
}

/// The file, its processes, what these have, and the lists within that.
fn outline(open: &[bool], byte: u8) -> bool {
    match open {
        [] | [true, false, true] => true,
        [true] | [true, false, true, true] => byte == b'[',
        [true, false] => byte == b'{',
        _ => false,
    }
}

/// Reads a file.
pub(in super::super) fn read(most: usize, file: impl Read) -> Result<Recording, ProfileError> {
    let mut trace = Trace { parts: Mended::new(file, outline), found: Found::new(most) };
    let outcome = trace.whole();
    let Trace { parts, mut found } = trace;
    let is_cut = match outcome {
        Ok(()) => parts.is_cut,
        Err(TraceFault::Json(JsonFault::Ended)) => true,
        Err(TraceFault::Json(why)) => return Err(damaged(found.records, why)),
        Err(TraceFault::Limit(why)) => return Err(why),
    };
    found.end_process()?;
    let Found { mut builder, records, no_objects, .. } = found;
    if is_cut && builder.operations() == 0 {
        return Err(damaged(records, JsonFault::Ended));
    }
    let flaws = [(Flaw::NoObjects as fn(u64) -> Flaw, no_objects), (Flaw::Mended, parts.mended)];
    flaws.into_iter().filter(|&(_, count)| count > 0).for_each(|(flaw, count)| builder.add_flaw(flaw(count)));
    if is_cut {
        // What the profiler had written when it was stopped is in the file up to here.
        builder.add_flaw(Flaw::CutOff(records));
    }
    builder.finish().ok_or(ProfileError::NothingInRocprof { records })
}

fn damaged(records: u64, why: JsonFault) -> ProfileError {
    ProfileError::of_fault(records, why, |records, why| ProfileError::DamagedRocprof { records, why })
}

struct Trace<R> {
    parts: Mended<R>,
    found: Found,
}

impl<R: Read> Trace<R> {
    fn whole(&mut self) -> Result<(), TraceFault> {
        let part = next(&mut self.parts)?;
        if part.sign != Some(b'{') || !part.is_blank() {
            return Err(part.expected("an object").into());
        }
        self.members(Place::Root)?;
        let rest = next(&mut self.parts)?;
        if rest.sign.is_some() || !rest.is_blank() {
            return Err(JsonFault::Expected { expected: "the end of the file", at: rest.at }.into());
        }
        Ok(())
    }

    /// Reads an object, whose bracket was read, to its end.
    fn members(&mut self, of: Place) -> Result<(), TraceFault> {
        let mut is_first = true;
        loop {
            self.parts.keeps = true;
            let part = next(&mut self.parts)?;
            let place = match part.sign {
                Some(b':') => of.under(&part.read::<Cow<str>>()?),
                Some(b'}') if is_first && part.is_blank() => return Ok(()),
                _ => return Err(part.expected("a key and a colon").into()),
            };
            is_first = false;
            if self.value(place)? {
                return Ok(());
            }
        }
    }

    /// Reads a value and the sign after it; whether that ends what the value is in.
    fn value(&mut self, place: Place) -> Result<bool, TraceFault> {
        self.parts.keeps = place != Place::Other;
        let part = next(&mut self.parts)?;
        let is_read = place != Place::Other;
        let sign = match part.sign {
            Some(sign @ (b'{' | b'[')) if part.is_blank() || !is_read => {
                self.within(place, sign == b'{')?;
                let after = next(&mut self.parts)?;
                if is_read && !after.is_blank() {
                    return Err(after.expected("a comma").into());
                }
                after.sign
            }
            sign => {
                if place == Place::Pid {
                    self.found.process.pid = part.read::<Scalar>()?.number().unwrap_or(0);
                }
                sign
            }
        };
        match sign {
            Some(sign @ (b',' | b'}' | b']')) => Ok(sign != b','),
            None => Err(JsonFault::Ended.into()),
            Some(_) => Err(JsonFault::Expected { expected: "a comma or the end of a list or object", at: self.parts.next_part_at }.into()),
        }
    }

    /// Reads an object or a list, whose bracket was read, to its end. One where the other is expected is passed over.
    fn within(&mut self, place: Place, is_object: bool) -> Result<(), TraceFault> {
        match (place, is_object) {
            (Place::Process | Place::Metadata | Place::Strings | Place::Records, true) => self.members(place),
            (Place::Processes, false) => self.processes(),
            (Place::Agents | Place::Libraries | Place::Messages | Place::Symbols, false) => self.list(place),
            (place, false) if place.is_record() => self.list(place),
            _ => self.pass_over(),
        }
    }

    /// Reads past the bracket that closes what was opened last.
    fn pass_over(&mut self) -> Result<(), TraceFault> {
        self.parts.keeps = false;
        let mut open = 1;
        while open > 0 {
            match next(&mut self.parts)?.sign {
                Some(b'{' | b'[') => open += 1,
                Some(b'}' | b']') => open -= 1,
                Some(_) => {}
                None => return Err(JsonFault::Ended.into()),
            }
        }
        Ok(())
    }

    /// Reads the list of processes, whose bracket was read.
    fn processes(&mut self) -> Result<(), TraceFault> {
        loop {
            self.parts.keeps = true;
            let part = next(&mut self.parts)?;
            let sign = match part.sign {
                Some(b'{') if part.is_blank() => {
                    self.members(Place::Process)?;
                    self.found.end_process().map_err(TraceFault::Limit)?;
                    next(&mut self.parts)?.sign
                }
                sign => sign,
            };
            match sign {
                Some(b',') => {}
                Some(b']') => return Ok(()),
                None => return Err(JsonFault::Ended.into()),
                Some(_) => return Err(JsonFault::Expected { expected: "a process", at: self.parts.next_part_at }.into()),
            }
        }
    }

    /// Reads a list, whose bracket was read.
    fn list(&mut self, place: Place) -> Result<(), TraceFault> {
        loop {
            self.parts.keeps = true;
            let part = next(&mut self.parts)?;
            let is_last = match part.sign {
                Some(sign @ (b',' | b']')) => sign == b']',
                None => {
                    // The record before the end may be whole, and lack its comma alone.
                    let _ = self.found.item(place, &part);
                    return Err(JsonFault::Ended.into());
                }
                Some(_) => return Err(part.expected("a comma or the end of the list").into()),
            };
            if !(is_last && part.is_blank()) {
                self.found.item(place, &part)?;
            }
            if is_last {
                return Ok(());
            }
        }
    }
}

/// What was found, of the file and of the process that is read.
struct Found {
    builder: Builder,
    numbers: Numbers,
    records: u64,
    no_objects: u64,
    most: usize,
    /// Names of kernels are the ids of their symbols, those of copies and calls the numbers of their operations.
    process: Process,
    symbols: BTreeMap<u32, (String, u32)>,
    /// By library: what it does. Those that are not asked for have none.
    libraries: Vec<Vec<String>>,
    /// What the program said, by what joins it with its range.
    messages: BTreeMap<u64, String>,
    ranges: Vec<(u64, FoundSpan)>,
    /// How many bytes these names have.
    name_bytes: u64,
}

impl Found {
    fn new(most: usize) -> Self {
        Self {
            builder: Builder::new(ProfilerSource::Rocprof),
            numbers: Numbers::default(),
            records: 0,
            no_objects: 0,
            most,
            process: Process::default(),
            symbols: BTreeMap::new(),
            libraries: Vec::new(),
            messages: BTreeMap::new(),
            ranges: Vec::new(),
            name_bytes: 0,
        }
    }

    /// Reads an item of a list.
    fn item(&mut self, place: Place, part: &Part<'_>) -> Result<(), TraceFault> {
        if part.is_no_object() {
            self.no_objects += u64::from(place.is_record());
            return Ok(());
        }
        match place {
            Place::Agents => self.agent(part.read()?)?,
            Place::Symbols => self.symbol(part.read()?),
            Place::Libraries => self.library(part.read()?),
            Place::Messages => self.message(part.read()?),
            _ => {
                self.record(place, part.read()?);
                self.records += 1;
            }
        }
        check_names(&self.builder, self.name_bytes).map_err(TraceFault::Limit)?;
        let of_process = self.process.entries() + self.symbols.len() + self.messages.len() + self.ranges.len() + self.libraries.len();
        if self.builder.entries() + of_process > self.most {
            return Err(TraceFault::Limit(ProfileError::Entries { most: self.most }));
        }
        Ok(())
    }

    fn agent(&mut self, agent: AgentItem<'_>) -> Result<(), TraceFault> {
        let Some(id) = agent.id.handle() else { return Ok(()) };
        let name = [&agent.product_name, &agent.name].into_iter().find(|name| !name.0.trim().is_empty());
        let agent = Agent {
            // As of the kinds of `rocprofiler_agent_type_t`.
            is_gpu: agent.kind.number() == Some(2),
            node: agent.node_id.number().unwrap_or(id),
            place: agent.logical_node_type_id.number(),
            name: name.map(|name| name.0.clone().into_owned()),
            compute_units: agent.cu_count.small(),
        };
        self.process.add_agent(id, agent).map_err(TraceFault::Limit)
    }

    fn symbol(&mut self, symbol: Symbol<'_>) {
        let Some(id) = symbol.kernel_id.small() else { return };
        let name = kernel_name([&*symbol.formatted_kernel_name.0, &*symbol.kernel_name.0]).to_owned();
        let count = |count: &Scalar<'_>| count.small().unwrap_or(0);
        self.name_bytes += name.len() as u64;
        self.symbols.insert(id, (name, count(&symbol.arch_vgpr_count).saturating_add(count(&symbol.accum_vgpr_count))));
    }

    fn library(&mut self, library: Library<'_>) {
        if self.libraries.len() == MOST_LIBRARIES {
            return;
        }
        let is_asked = ["HIP_", "MEMORY_COPY"].iter().any(|start| library.kind.0.starts_with(start));
        let operations = library.operations.0.filter(|_| is_asked).unwrap_or_default();
        let names: Vec<String> = operations.into_iter().take(MOST_OPERATIONS).map(|name| name.0.into_owned()).collect();
        self.name_bytes += names.iter().map(|name| name.len() as u64).sum::<u64>();
        self.libraries.push(names);
    }

    fn message(&mut self, message: Message<'_>) {
        let Some(id) = message.key.number() else { return };
        self.name_bytes += message.value.0.len() as u64;
        self.messages.insert(id, message.value.0.into_owned());
    }

    fn record(&mut self, place: Place, record: Record<'_>) {
        let time = |time: &Scalar<'_>| time.number().and_then(|ns| i64::try_from(ns).ok()).unwrap_or(NO_TIME);
        let (start, end) = (time(&record.start_timestamp), time(&record.end_timestamp));
        let id = record.correlation_id.0.as_ref().and_then(|id| id.internal.number()).filter(|&id| id != 0);
        let thread = record.thread_id.number().unwrap_or(0);
        let process = &mut self.process;
        match place {
            Place::Kernels => {
                let ran = record.dispatch_info.0.unwrap_or_default();
                process.kernels.push(Kernel {
                    name: ran.kernel_id.small().unwrap_or(u32::MAX),
                    agent: ran.agent_id.handle(),
                    queue: ran.queue_id.handle(),
                    stream: record.stream_id.handle(),
                    start,
                    end,
                    correlation: id,
                    grid: ran.grid_size.sizes(),
                    workgroup: ran.workgroup_size.sizes(),
                    registers: 0,
                    shared: ran.group_segment_size.small().unwrap_or(0),
                });
            }
            Place::Copies => process.copies.push(Copied {
                name: operation(&record),
                kind: None,
                from: record.src_agent_id.handle(),
                to: record.dst_agent_id.handle(),
                stream: record.stream_id.handle(),
                start,
                end,
                correlation: id,
                bytes: record.bytes.number(),
            }),
            Place::Calls => process.calls.push(FoundCall { name: operation(&record), process: 0, thread, start, end, correlation: id }),
            Place::Ranges => {
                let span = FoundSpan { sort: crate::HostSort::Range, name: 0, process: 0, thread, start, end };
                self.ranges.extend(id.map(|id| (id, span)));
            }
            _ => {
                let outer = record.correlation_id.0.as_ref().and_then(|id| id.ancestor.number());
                process.ancestors.extend(id.zip(outer));
            }
        }
    }

    /// Gives what was found of a process the names that its numbers stand for, and adds it.
    fn end_process(&mut self) -> Result<(), ProfileError> {
        let mut process = std::mem::take(&mut self.process);
        let (symbols, libraries) = (std::mem::take(&mut self.symbols), std::mem::take(&mut self.libraries));
        let (messages, ranges) = (std::mem::take(&mut self.messages), std::mem::take(&mut self.ranges));
        let builder = &mut self.builder;
        for kernel in &mut process.kernels {
            let (name, registers) = symbols.get(&kernel.name).map_or(("unnamed", 0), |(name, registers)| (name, *registers));
            (kernel.name, kernel.registers) = (builder.add_name(name), registers);
        }
        let named = |number: u32| libraries.get(number as usize >> 16).and_then(|library| library.get(number as usize & 0xffff));
        for copy in &mut process.copies {
            let (kind, name) = way(named(copy.name).map_or("", String::as_str));
            (copy.kind, copy.name) = (kind, builder.add_name(name));
        }
        for call in &mut process.calls {
            call.name = builder.add_name(named(call.name).map_or("unnamed", String::as_str));
        }
        let number = process.add_to(builder, &mut self.numbers);
        for (id, span) in ranges {
            let Some((sort, name)) = messages.get(&id).filter(|message| !message.is_empty()).map(|message| spans::of_range(message)) else {
                continue;
            };
            let name = builder.add_name(&name);
            builder.add_span(FoundSpan { sort, name, process: number, ..span });
        }
        self.name_bytes = 0;
        check_names(builder, 0)
    }
}

/// What a record is of, as one number: its library and what that did; one that none has if it does not say.
fn operation(record: &Record<'_>) -> u32 {
    let small = |number: &Scalar<'_>| number.small().filter(|&number| (number as usize) < MOST_OPERATIONS);
    small(&record.kind).zip(small(&record.operation)).map_or(u32::MAX, |(kind, operation)| kind << 16 | operation)
}

/// A number that stands in an object of its own.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Handle<'e> {
    handle: Scalar<'e>,
}

impl Lenient<Handle<'_>> {
    fn handle(&self) -> Option<u64> {
        self.0.as_ref().and_then(|of| of.handle.number())
    }
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Sizes<'e> {
    x: Scalar<'e>,
    y: Scalar<'e>,
    z: Scalar<'e>,
}

impl Lenient<Sizes<'_>> {
    fn sizes(&self) -> Option<[u32; 3]> {
        let sizes = self.0.as_ref()?;
        Some([sizes.x.small()?, sizes.y.small()?, sizes.z.small()?])
    }
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct AgentItem<'e> {
    id: Lenient<Handle<'e>>,
    #[serde(rename = "type")]
    kind: Scalar<'e>,
    node_id: Scalar<'e>,
    logical_node_type_id: Scalar<'e>,
    name: Scalar<'e>,
    product_name: Scalar<'e>,
    cu_count: Scalar<'e>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Symbol<'e> {
    kernel_id: Scalar<'e>,
    formatted_kernel_name: Scalar<'e>,
    kernel_name: Scalar<'e>,
    arch_vgpr_count: Scalar<'e>,
    accum_vgpr_count: Scalar<'e>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Library<'e> {
    kind: Scalar<'e>,
    operations: Lenient<Vec<Scalar<'e>>>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Message<'e> {
    key: Scalar<'e>,
    value: Scalar<'e>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Correlation<'e> {
    internal: Scalar<'e>,
    ancestor: Scalar<'e>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Dispatch<'e> {
    agent_id: Lenient<Handle<'e>>,
    queue_id: Lenient<Handle<'e>>,
    kernel_id: Scalar<'e>,
    group_segment_size: Scalar<'e>,
    workgroup_size: Lenient<Sizes<'e>>,
    grid_size: Lenient<Sizes<'e>>,
}

/// What ran, of any list.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'e"))]
struct Record<'e> {
    kind: Scalar<'e>,
    operation: Scalar<'e>,
    thread_id: Scalar<'e>,
    correlation_id: Lenient<Correlation<'e>>,
    start_timestamp: Scalar<'e>,
    end_timestamp: Scalar<'e>,
    dispatch_info: Lenient<Dispatch<'e>>,
    stream_id: Lenient<Handle<'e>>,
    src_agent_id: Lenient<Handle<'e>>,
    dst_agent_id: Lenient<Handle<'e>>,
    bytes: Scalar<'e>,
}
