//! A scenario made of a part of a recording: streams, launches, times and sizes, to be edited and run.
//!
//! Invariants: what comes out is of one device and has at most [`MOST`] operations and about [`MOST_BLOCKS`] blocks; every operation is a
//! row of its own, and so is the launch of a graph; what of the recording is not in it is said. What a trace does not record is assumed:
//! blocks of a kernel take equal times, and as many waves as the device needs for them.

mod graphs;

use std::collections::{BTreeMap, BTreeSet};

use self::graphs::GraphLaunch;
use super::causes::{Analysis, Cause, Certainty};
use super::words::short_name;
use super::{Operation, OperationKind, ProfilerSource, RecordedStream, Recording, StreamKind};
use blockstep_sim::occupancy::Limits;
use blockstep_sim::scenario::{
    BlockTimes, BuiltIn, Call, Device, DeviceDraft, Draft, KernelDraft, MAX_WAITS, NULL_STREAM, PolicyKind, ProcessDraft, StreamDraft,
    StreamPriority, TaskDraft, plain,
};
use blockstep_sim::units::{Span, Time};

/// At most so many operations become a scenario.
pub const MOST: usize = 300;

/// Beyond so many blocks in all, a kernel's blocks are those that fit on the device at once.
pub const MOST_BLOCKS: u64 = 20_000;

/// Bytes a second below which what was copied says nothing of the bus. With less, a byte would take longer than 1 ns.
const LEAST_BANDWIDTH: u64 = 1_000_000_000;

/// Bytes a second of a bus of which nothing is known: PCIe 3.0 with 16 lanes in practice.
const USUAL_BANDWIDTH: u64 = 12_000_000_000;

/// Something that the scenario leaves out of the recording, or assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// So many operations more than [`MOST`].
    Beyond(u64),
    /// So many operations of other devices.
    OtherDevices(u64),
    /// So many copies and memsets have as many bytes as take the recorded time.
    CopyBytes(u64),
    /// So many page migrations: no row of a scenario is one.
    Migrations(u64),
    /// What an SM holds, and how many SMs there are, is not known: a Titan V is taken.
    Device,
    /// So many kernels whose grid and block are not recorded: they have a block of 32 threads.
    Sizes(u64),
    /// So many operations whose calls are not recorded: they are launched when they started.
    Calls(u64),
    /// So many kernels have fewer blocks than they had.
    Waves(u64),
    /// So many waits for events whose record, or what waits, is not among the rows.
    Events(u64),
    /// The file does not say of some streams whether they are non-blocking, and shows that they wait for the NULL stream.
    NonBlocking,
    /// Streams are taken as non-blocking, although the file does not say so.
    AssumedNonBlocking,
    /// Of so many nodes of graphs the file has no edge to a node before.
    Edges(u64),
    /// So many nodes of graphs are launches of their own, as the contract has no such graph.
    Nodes(u64),
    /// Several processes or contexts: their address spaces take turns.
    Contexts,
}

/// What became of a part of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The scenario.
    pub draft: Draft,
    /// The operation of each row of its kernel table, an index; none of a row that launches a graph.
    pub rows: Vec<Option<u32>>,
    /// The instant of the recording at which the scenario begins.
    pub base: Time,
    /// What is not in it.
    pub left_out: Vec<LeftOut>,
}

/// The operations of a device that began or were running between two instants, by start.
#[must_use]
pub fn between(recording: &Recording, from: Time, to: Time) -> Vec<u32> {
    let runs = |operation: &Operation| operation.start < to && operation.end > from;
    (0..recording.operations.len() as u32).filter(|&place| runs(&recording.operations[place as usize])).collect()
}

/// Makes a scenario of operations, indices by start. `None` if there is none. The device is that of the first kernel, or of the first
/// operation where none is a kernel. Its streams and events are those that the explained waits show.
#[must_use]
pub fn scenario(recording: &Recording, analysis: &Analysis, chosen: &[u32], name: &str) -> Option<Made> {
    let mut left_out = Vec::new();
    let mut say = |count: usize, what: fn(u64) -> LeftOut| {
        if count > 0 {
            left_out.push(what(count as u64));
        }
    };
    let of = |place: &u32| &recording.operations[*place as usize];
    let device_of = |place: &u32| recording.stream(of(place)).device;
    let device = chosen.iter().find(|place| of(place).kind == OperationKind::Kernel).or(chosen.first()).map(device_of)?;
    let mut own: Vec<u32> = chosen.iter().copied().filter(|place| device_of(place) == device).collect();
    say(chosen.len() - own.len(), LeftOut::OtherDevices);
    let all = own.len();
    own.retain(|place| of(place).kind != OperationKind::Migration);
    say(all - own.len(), LeftOut::Migrations);
    say(own.len().saturating_sub(MOST), LeftOut::Beyond);
    own.truncate(MOST);
    // In the order of their calls, which is the order of launches.
    let base = own.iter().map(|place| of(place).start).min()?;
    let called = |place: &u32| recording.call(of(place)).map_or(of(place).start, |call| call.start);
    own.sort_by_key(|place| (called(place), of(place).call, *place));
    say(own.iter().filter(|place| of(place).call.is_none()).count(), LeftOut::Calls);

    let (gpu, limits, is_known) = device_draft(recording, device, &own);
    let mut spaces: Vec<(u64, u64)> = Vec::new();
    let row = |place: &u32| {
        let operation = of(place);
        let stream = recording.stream(operation);
        let key = (stream.process, stream.context);
        let space = spaces.iter().position(|space| *space == key).unwrap_or_else(|| {
            spaces.push(key);
            spaces.len() - 1
        });
        OperationRow { place: *place, operation, space, start_ns: called(place).max(base).since(base).ns() }
    };
    let rows: Vec<OperationRow> = own.iter().map(row).collect();
    let is_kernel = |row: &&OperationRow<'_>| row.operation.kind == OperationKind::Kernel;
    say(rows.iter().filter(|row| !is_kernel(row)).count(), LeftOut::CopyBytes);
    say(rows.iter().filter(is_kernel).filter(|row| row.operation.launch.is_none()).count(), LeftOut::Sizes);

    let mut names = RowNames::default();
    let (kernels, waves) = kernels(recording, &rows, &gpu, &limits, spaces.len() > 1, &mut names);
    say(waves, LeftOut::Waves);
    let (launches, alone) = graphs::launches(recording, analysis, &rows, &kernels, &mut names);
    say(launches.iter().map(|graph| graph.inferred).sum(), LeftOut::Edges);
    say(alone, LeftOut::Nodes);
    let mut table = Table { kernels, launches };
    let streams: Vec<(&RecordedStream, bool)> = {
        let launched = rows.iter().enumerate().filter(|&(place, _)| table.is_launched(place));
        let mut used: Vec<u32> = launched.map(|(_, row)| row.operation.stream).collect();
        used.sort_unstable();
        used.dedup();
        if used.iter().any(|&stream| recording.streams[stream as usize].kind == StreamKind::Null)
            && used.iter().any(|&stream| is_assumed(recording, analysis, stream))
        {
            left_out.push(LeftOut::AssumedNonBlocking);
        }
        used.into_iter().map(|stream| (&recording.streams[stream as usize], is_non_blocking(recording, analysis, stream))).collect()
    };
    let is_null = |stream: &RecordedStream| stream.kind == StreamKind::Null;
    let may_block = |&(stream, is_non_blocking): &(&RecordedStream, bool)| stream.kind == StreamKind::Unknown && !is_non_blocking;
    if streams.iter().any(|(stream, _)| is_null(stream)) && streams.iter().any(may_block) {
        left_out.push(LeftOut::NonBlocking);
    }
    let first_call = own.first().map_or(base, called);
    let lost = events(recording, &rows, first_call, &mut table) + inferred_events(recording, analysis, &rows, &mut table);
    if lost > 0 {
        left_out.push(LeftOut::Events(lost));
    }
    if !is_known {
        left_out.push(LeftOut::Device);
    }
    if spaces.len() > 1 {
        left_out.push(LeftOut::Contexts);
    }
    let space_of = |stream: &RecordedStream| spaces.iter().position(|space| *space == (stream.process, stream.context)).unwrap_or(0);
    let is_told = |&&(stream, is_non_blocking): &&(&RecordedStream, bool)| stream.is_high() || is_non_blocking;
    let told = streams.iter().filter(is_told).map(|&(stream, non_blocking)| StreamDraft {
        process: (spaces.len() > 1).then(|| process_name(space_of(stream))),
        name: stream_name(stream),
        priority: if stream.is_high() { StreamPriority::High } else { StreamPriority::None },
        non_blocking,
    });
    let (kernels, places) = table.finish();
    let mut draft = Draft { name: plain(name), device: DeviceDraft::Custom(gpu), streams: told.collect(), kernels, ..Draft::default() };
    if spaces.len() > 1 {
        draft.processes = (0..spaces.len()).map(|space| ProcessDraft::named(process_name(space))).collect();
        let task = |space| TaskDraft { name: task_name(space), process: Some(process_name(space)), ..TaskDraft::default() };
        draft.tasks = (0..spaces.len()).map(task).collect();
        draft.policy.kind = PolicyKind::Runlist;
    }
    let operation = |place: Option<usize>| place.map(|place| rows[place].place);
    Some(Made { draft, rows: places.into_iter().map(operation).collect(), base, left_out })
}

/// A row of the table to be.
struct OperationRow<'r> {
    place: u32,
    operation: &'r Operation,
    space: usize,
    start_ns: u64,
}

/// Names of the rows, of which no two are equal.
#[derive(Default)]
struct RowNames {
    taken: BTreeSet<String>,
    /// How often each was asked for.
    counts: BTreeMap<String, u64>,
}

impl RowNames {
    /// A name, with a number behind it where it is taken.
    fn take(&mut self, name: String) -> String {
        let count = self.counts.entry(name.clone()).or_insert(0);
        let mut free = name.clone();
        loop {
            *count += 1;
            if *count > 1 {
                free = format!("{name} #{count}");
            }
            if self.taken.insert(free.clone()) {
                return free;
            }
        }
    }
}

/// The table to be.
struct Table {
    /// A row for each operation.
    kernels: Vec<KernelDraft>,
    /// What launches those that are nodes.
    launches: Vec<GraphLaunch>,
}

impl Table {
    /// The graph of a row.
    fn graph_of(&self, row: usize) -> Option<usize> {
        self.launches.iter().position(|graph| graph.nodes.contains(&row))
    }

    /// Whether a row is launched into its stream: it is no node of a graph, or the first, whose stream is the graph's.
    fn is_launched(&self, row: usize) -> bool {
        self.graph_of(row).is_none_or(|graph| self.launches[graph].nodes.start == row)
    }

    /// What is launched with a row, and records events and waits for them: its graph, or itself.
    fn launched(&mut self, row: usize) -> &mut KernelDraft {
        match self.graph_of(row) {
            Some(graph) => &mut self.launches[graph].launch,
            None => &mut self.kernels[row],
        }
    }

    /// The rows, launches before their nodes, and by row the place of its operation's.
    fn finish(self) -> (Vec<KernelDraft>, Vec<Option<usize>>) {
        let Self { mut kernels, launches } = self;
        for graph in &launches {
            for (node, before) in graph.nodes.clone().zip(&graph.waits_for) {
                let names = before.iter().map(|&before| kernels[graph.nodes.start + before].name.clone()).collect();
                let row = &mut kernels[node];
                row.stream.clone_from(&graph.launch.stream);
                (row.graph, row.waits_for, row.start_ns) = (Some(graph.launch.name.clone()), names, 0);
            }
        }
        let (mut rows, mut places) = (Vec::with_capacity(kernels.len() + launches.len()), Vec::new());
        let mut launches = launches.into_iter().peekable();
        for (place, kernel) in kernels.into_iter().enumerate() {
            if let Some(graph) = launches.next_if(|graph| graph.nodes.start == place) {
                rows.push(graph.launch);
                places.push(None);
            }
            rows.push(kernel);
            places.push(Some(place));
        }
        (rows, places)
    }
}

/// Whether a stream, an index, and the NULL stream do not wait for each other: the file says so, or shows them together. PyTorch makes every
/// stream of its pools like that, so with its profiler the others are, too, unless one waited for the other.
fn is_non_blocking(recording: &Recording, analysis: &Analysis, stream: u32) -> bool {
    match recording.streams[stream as usize].kind {
        StreamKind::NonBlocking | StreamKind::Migrations => true,
        StreamKind::Null | StreamKind::Blocking => false,
        StreamKind::Unknown => match analysis.heeds_null(stream) {
            Some(heeds) => !heeds,
            None => is_assumed(recording, analysis, stream),
        },
    }
}

/// Whether a stream, an index, is taken as non-blocking although the file does not show it.
fn is_assumed(recording: &Recording, analysis: &Analysis, stream: u32) -> bool {
    let is_open = recording.streams[stream as usize].kind == StreamKind::Unknown && analysis.heeds_null(stream).is_none();
    is_open && recording.source != ProfilerSource::Nsight
}

/// Lets rows wait for events that the file does not record and that their waits were explained by, and nodes that are launches of their own
/// for nodes of their graph; how many are left out.
fn inferred_events(recording: &Recording, analysis: &Analysis, rows: &[OperationRow<'_>], table: &mut Table) -> u64 {
    let mut lost = 0;
    for (waits, row) in rows.iter().enumerate() {
        let is_inferred = |cause: Cause, certainty| match cause {
            Cause::Event => certainty == Certainty::Consistent,
            Cause::GraphOrder => true,
            _ => false,
        };
        for part in analysis.parts(row.place).iter().filter(|part| is_inferred(part.cause, part.certainty)) {
            let source = part.by.filter(|&by| recording.operations[by as usize].stream != row.operation.stream);
            let Some(source) = source.and_then(|by| rows[..waits].iter().position(|row| row.place == by)) else { continue };
            lost += u64::from(!wait_for(rows, table, source, waits));
        }
    }
    lost
}

/// Lets a row wait for an event that is recorded after another; whether it can.
fn wait_for(rows: &[OperationRow<'_>], table: &mut Table, source: usize, waits: usize) -> bool {
    if rows[source].space != rows[waits].space {
        return false;
    }
    // Within a graph edges are the order.
    if table.graph_of(waits).is_some_and(|graph| table.graph_of(source) == Some(graph)) {
        return true;
    }
    let event = table.launched(source).records.get_or_insert_with(|| format!("E{source}")).clone();
    let waits_for = &mut table.launched(waits).waits_for;
    let is_there = waits_for.contains(&event);
    let has_room = waits_for.len() < MAX_WAITS;
    if !is_there && has_room {
        waits_for.push(event);
    }
    is_there || has_room
}

/// Lets rows record events and wait for them as the file says, from the first row's call on; how many waits are left out.
fn events(recording: &Recording, rows: &[OperationRow<'_>], first_call: Time, table: &mut Table) -> u64 {
    let mut lost = 0;
    for wait in recording.event_waits.iter().filter(|wait| wait.called >= first_call) {
        let called = |row: &OperationRow<'_>| recording.call(row.operation).map(|call| call.start);
        // The stream inside a graph in which a node ran is not the one that the graph was launched into.
        let is_next = |place: usize, row: &OperationRow<'_>| {
            row.operation.stream == wait.stream && called(row).is_some_and(|at| at >= wait.called) && table.is_launched(place)
        };
        let Some(waits) = (0..rows.len()).find(|&place| is_next(place, &rows[place])) else { continue };
        let source = wait.source.and_then(|source| rows.iter().position(|row| row.place == source)).filter(|&source| source < waits);
        lost += u64::from(!source.is_some_and(|source| wait_for(rows, table, source, waits)));
    }
    lost
}

fn process_name(space: usize) -> String {
    format!("P{space}")
}

fn task_name(space: usize) -> String {
    format!("T{space}")
}

fn stream_name(stream: &RecordedStream) -> String {
    if stream.kind == StreamKind::Null { NULL_STREAM.to_owned() } else { format!("S{}", stream.id) }
}

/// The device as a scenario has it, what its SMs hold, and whether the file says so.
fn device_draft(recording: &Recording, device: u32, chosen: &[u32]) -> (Device, Limits, bool) {
    let of = &recording.devices[device as usize];
    let known = of.limits.zip(of.sms.filter(|sms| *sms > 0));
    let (limits, sms) = known.unwrap_or((BuiltIn::TITAN_V.limits, 80));
    let name = of.name.as_deref().map_or_else(|| "GPU of the trace".to_owned(), plain);
    // Bytes of a second while copies ran, unless they are so small that they take as long as any.
    let copies = chosen.iter().map(|&place| &recording.operations[place as usize]).filter(|operation| operation.kind.is_transfer());
    let (bytes, ns) = copies
        .fold((0_u64, 0_u64), |(bytes, ns), copy| (bytes.saturating_add(copy.bytes.unwrap_or(0)), ns.saturating_add(copy.duration().ns())));
    let bandwidth = u128::from(bytes) * 1_000_000_000 / u128::from(ns.max(1));
    let bandwidth = u64::try_from(bandwidth).unwrap_or(u64::MAX);
    let gpu = Device {
        sms: u64::from(sms),
        copy_engines: of.copy_engines.map_or(2, |engines| u64::from(engines.min(2))),
        copy_bandwidth_bytes_per_s: if bandwidth < LEAST_BANDWIDTH { USUAL_BANDWIDTH } else { bandwidth },
        ..Device::with_one_sm(name, &limits)
    };
    (gpu, limits, known.is_some())
}

/// The table's rows, and how many kernels have fewer blocks than they had.
fn kernels(
    recording: &Recording,
    rows: &[OperationRow<'_>],
    gpu: &Device,
    limits: &Limits,
    has_tasks: bool,
    names: &mut RowNames,
) -> (Vec<KernelDraft>, usize) {
    let all: u64 = rows.iter().filter_map(|row| row.operation.launch.as_ref()).fold(0, |sum, launch| sum.saturating_add(launch.blocks()));
    let mut fewer = 0;
    let mut row = |row: &OperationRow<'_>| {
        let operation = row.operation;
        let draft = KernelDraft {
            name: names.take(plain(&short_name(recording.name(operation)))),
            task: has_tasks.then(|| task_name(row.space)),
            stream: stream_name(recording.stream(operation)),
            start_ns: row.start_ns,
            ..KernelDraft::default()
        };
        if let Some(call) = copy_call(operation.kind) {
            return KernelDraft { call, bytes: bytes_for(operation.duration(), gpu.copy_bandwidth_bytes_per_s), ..draft };
        }
        let (mut blocks, mut threads, mut registers, mut shared) = (1, 32, 0, 0);
        let mut waves = 1;
        if let Some(launch) = &operation.launch {
            (blocks, threads) = (launch.blocks(), launch.threads().min(gpu.max_threads_per_block).min(gpu.threads_per_sm));
            registers = u64::from(launch.registers).min(gpu.max_registers_per_thread).min(gpu.max_registers_per_block / threads.max(1));
            shared = u64::from(launch.shared).min(gpu.max_shared_memory_per_block);
            let fit = limits.resident(threads, launch.registers, launch.shared).0.max(1).saturating_mul(gpu.sms);
            waves = blocks.div_ceil(fit).max(1);
            if waves > 1 && all > MOST_BLOCKS {
                (blocks, waves) = (fit, 1);
                fewer += 1;
            }
        }
        let time = (operation.duration().ns() / waves).max(1);
        KernelDraft {
            blocks,
            threads_per_block: threads,
            shared_memory_bytes: shared,
            registers_per_thread: registers,
            block_time_ns: BlockTimes::Each(time),
            ..draft
        }
    };
    let made = rows.iter().map(&mut row).collect();
    (made, fewer)
}

/// The call of a copy or memset; `None` for a kernel.
const fn copy_call(kind: OperationKind) -> Option<Call> {
    match kind {
        OperationKind::Kernel | OperationKind::Migration => None,
        OperationKind::HostToDevice => Some(Call::CopyToDevice),
        OperationKind::DeviceToHost => Some(Call::CopyToHost),
        OperationKind::DeviceToDevice | OperationKind::PeerToPeer | OperationKind::OtherCopy => Some(Call::CopyOnDevice),
        OperationKind::Memset => Some(Call::Memset),
    }
}

/// As many bytes as take a time at a bandwidth, bytes a second; at least one.
fn bytes_for(time: Span, bandwidth: u64) -> u64 {
    let bytes = u128::from(time.ns()) * u128::from(bandwidth) / 1_000_000_000;
    u64::try_from(bytes).unwrap_or(u64::MAX).max(1)
}
