//! Puts a recording together from what a reader finds in a file.
//!
//! Invariants: whatever is added, `finish` returns a recording whose indices are valid and whose times count from its first event; what
//! cannot be placed is left out and counted.

mod clip;
mod collectives;
mod edges;
mod streams;

use std::collections::{BTreeMap, BTreeSet};

use clip::clip;
pub use collectives::CollectivePlace;
use collectives::{said_collectives, smallest_group};
pub use edges::FoundEdge;
use edges::{Nodes, device_of, edges};
use streams::Streams;

use super::communication::{CollectiveFacts, communications};
use super::idle::idle_waits;
use super::{
    Call, CallKind, EventWait, Flaw, HostSort, HostSpan, Job, Operation, OperationKind, Overhead, OverheadKind, ProfilerMessage,
    ProfilerSource, RecordedDevice, RecordedLaunch, RecordedStream, Recording, StreamKind, launching,
};
use blockstep_sim::occupancy::Limits;
use blockstep_sim::order;
use blockstep_sim::units::Time;

/// Events that begin further than this from the middle one are left out: a day in nanoseconds.
const FAR: u64 = 86_400_000_000_000;

/// The time of an event whose file has none for it, in ns: no time before zero is one.
pub const NO_TIME: i64 = i64::MIN;

/// Where a stream is: process, device, context and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StreamKey {
    /// The process; zero if the file has one.
    pub process: u64,
    /// The device.
    pub device: u64,
    /// The context.
    pub context: u64,
    /// The stream.
    pub stream: u64,
}

/// An operation as a file has it; times in nanoseconds of the file's clock, from 0 on, or [`NO_TIME`].
#[derive(Clone, Debug)]
pub struct FoundOperation {
    /// What it is.
    pub kind: OperationKind,
    /// Its name.
    pub name: u32,
    /// Its stream.
    pub stream: StreamKey,
    /// When it began.
    pub start: i64,
    /// When it ended.
    pub end: i64,
    /// What joins it with its call.
    pub correlation: Option<u64>,
    /// How it was launched.
    pub launch: Option<RecordedLaunch>,
    /// Bytes.
    pub bytes: Option<u64>,
    /// Its hardware queue.
    pub channel: Option<u32>,
    /// The file says that it is a node of a graph.
    pub is_node: bool,
}

/// A call as a file has it.
#[derive(Clone, Debug)]
pub struct FoundCall {
    /// Its name.
    pub name: u32,
    /// The process; zero if the file has one.
    pub process: u64,
    /// The thread.
    pub thread: u64,
    /// When it began.
    pub start: i64,
    /// When it returned.
    pub end: i64,
    /// What joins it with its operations.
    pub correlation: Option<u64>,
}

/// What a thread of the host ran for a while, as a file has it.
#[derive(Clone, Copy, Debug)]
pub struct FoundSpan {
    /// What it is.
    pub sort: HostSort,
    /// Its name.
    pub name: u32,
    /// The process; zero if the file has one.
    pub process: u64,
    /// The thread.
    pub thread: u64,
    /// When it began.
    pub start: i64,
    /// When it ended.
    pub end: i64,
}

/// A record that a stream waits for an event.
#[derive(Clone, Debug)]
pub struct FoundWait {
    /// The stream that waits.
    pub stream: StreamKey,
    /// When it was recorded.
    pub start: i64,
    /// What joins it with the call that said so.
    pub correlation: Option<u64>,
    /// The stream in which the event was recorded, of the same context or else of another one of the process.
    pub source: Option<u64>,
    /// What joins the record of the event with its call.
    pub record: Option<u64>,
}

/// Time that the driver or the profiler took for itself, as a file has it.
#[derive(Clone, Debug)]
pub struct FoundOverhead {
    /// What it was.
    pub kind: OverheadKind,
    /// The process; zero if the file has one.
    pub process: u64,
    /// What joins it with the call that it was part of.
    pub correlation: Option<u64>,
    /// When it began.
    pub start: i64,
    /// When it ended.
    pub end: i64,
}

/// Everything that was found so far.
#[derive(Debug)]
pub struct Builder {
    source: ProfilerSource,
    names: Vec<String>,
    known: BTreeMap<String, u32>,
    name_bytes: u64,
    operations: Vec<FoundOperation>,
    calls: Vec<FoundCall>,
    spans: Vec<FoundSpan>,
    waits: Vec<FoundWait>,
    overheads: Vec<FoundOverhead>,
    edges: Vec<FoundEdge>,
    collectives: Vec<(CollectivePlace, CollectiveFacts)>,
    devices: Vec<RecordedDevice>,
    streams: BTreeMap<StreamKey, (StreamKind, Option<i32>)>,
    has_event_waits: bool,
    without_time: u64,
    /// What the reader of the file noticed itself.
    noticed: Vec<Flaw>,
    /// What the profiler said of its recording.
    messages: Vec<ProfilerMessage>,
    job: Job,
    is_fine: bool,
}

impl Builder {
    /// Nothing yet.
    #[must_use]
    pub fn new(source: ProfilerSource) -> Self {
        Self {
            source,
            names: Vec::new(),
            known: BTreeMap::new(),
            name_bytes: 0,
            operations: Vec::new(),
            calls: Vec::new(),
            spans: Vec::new(),
            waits: Vec::new(),
            overheads: Vec::new(),
            edges: Vec::new(),
            collectives: Vec::new(),
            devices: Vec::new(),
            streams: BTreeMap::new(),
            has_event_waits: false,
            without_time: 0,
            noticed: Vec::new(),
            messages: Vec::new(),
            job: Job::default(),
            is_fine: false,
        }
    }

    /// The index of a name.
    pub fn add_name(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.known.get(name) {
            return index;
        }
        let index = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), index);
        self.name_bytes += name.len() as u64;
        index
    }

    /// How long all names are together.
    #[must_use]
    pub const fn name_bytes(&self) -> u64 {
        self.name_bytes
    }

    /// A name by its index; empty if there is none.
    #[must_use]
    pub fn name(&self, index: u32) -> &str {
        self.names.get(index as usize).map_or("", String::as_str)
    }

    /// Adds an operation; one without a usable time is counted and left out.
    pub fn add_operation(&mut self, operation: FoundOperation) {
        if operation.start < 0 || operation.end < operation.start {
            self.without_time += 1;
            return;
        }
        self.is_fine |= operation.start % 1_000 != 0;
        self.operations.push(operation);
    }

    /// Adds a call; one without a usable time is counted and left out.
    pub fn add_call(&mut self, call: FoundCall) {
        if call.start < 0 || call.end < call.start {
            self.without_time += 1;
        } else {
            self.calls.push(call);
        }
    }

    /// Adds what a thread of the host ran; one without a usable time is left out.
    pub fn add_span(&mut self, span: FoundSpan) {
        if span.start >= 0 && span.end > span.start {
            self.spans.push(span);
        }
    }

    /// Adds a record that a stream waits.
    pub fn add_wait(&mut self, wait: FoundWait) {
        self.has_event_waits = true;
        self.waits.push(wait);
    }

    /// The file records synchronizations, whether or not streams wait.
    pub fn records_waits(&mut self) {
        self.has_event_waits = true;
    }

    /// Adds overhead.
    pub fn add_overhead(&mut self, overhead: FoundOverhead) {
        if overhead.start < 0 {
            self.without_time += 1;
        } else {
            self.overheads.push(overhead);
        }
    }

    /// Adds one end of an edge of a graph.
    pub fn add_edge(&mut self, edge: FoundEdge) {
        self.edges.push(edge);
    }

    /// Adds what the file says of a collective.
    pub fn add_collective(&mut self, place: CollectivePlace, facts: CollectiveFacts) {
        if !facts.is_empty() {
            self.collectives.push((place, facts));
        }
    }

    /// How many operations, calls, spans and other things there are so far.
    #[must_use]
    pub fn entries(&self) -> usize {
        let of_host = self.calls.len() + self.spans.len() + self.waits.len() + self.overheads.len() + self.collectives.len();
        of_host + self.operations.len() + self.edges.len() + self.devices.len() + self.streams.len()
    }

    /// Adds something that a reader of the results should know.
    pub fn add_flaw(&mut self, flaw: Flaw) {
        self.noticed.push(flaw);
    }

    /// Sets which profiler wrote the file, which its events may tell.
    pub fn set_source(&mut self, source: ProfilerSource) {
        self.source = source;
    }

    /// Sets what the profiler said of its recording, in its own words.
    pub fn set_messages(&mut self, messages: Vec<ProfilerMessage>) {
        self.messages = messages;
    }

    /// What the profiler said of its recording.
    #[must_use]
    pub fn messages(&self) -> &[ProfilerMessage] {
        &self.messages
    }

    /// Whether there are calls of the host so far.
    #[must_use]
    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Adds the rank of the process, of so many; a rank that the job cannot have is none.
    pub fn set_rank(&mut self, rank: Option<u64>, world_size: Option<u64>) {
        self.job.rank = rank.filter(|&rank| world_size.is_none_or(|size| rank < size));
        self.job.world_size = world_size.filter(|_| self.job.rank.is_some());
    }

    /// Two processes whose calls have the same numbers, if there are; calls have the processes that they came from.
    #[must_use]
    pub fn merged(&self) -> Option<(u64, u64)> {
        let first = self.calls.first()?.process;
        self.calls.iter().find(|call| call.process != first)?;
        let mut ids: Vec<(u64, u64)> =
            self.calls.iter().filter_map(|call| Some((call.correlation.filter(|&id| id > 0)?, call.process))).collect();
        ids.sort_unstable();
        let is_same = |pair: &&[(u64, u64)]| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1;
        ids.windows(2).find(is_same).map(|pair| (pair[0].1, pair[1].1))
    }

    /// The file is of one process, or of several whose calls have numbers of their own: they are joined with operations as if of one.
    pub fn join_processes(&mut self) {
        for call in &mut self.calls {
            call.process = 0;
        }
    }

    /// Adds what the file says of a device; a name of blanks is none.
    pub fn add_device(&mut self, mut device: RecordedDevice) {
        device.name = device.name.filter(|name| !name.trim().is_empty());
        self.devices.push(device);
    }

    /// How many devices the file describes so far.
    #[must_use]
    pub fn devices(&self) -> usize {
        self.devices.len()
    }

    /// Adds what the file says of a stream.
    pub fn add_stream(&mut self, key: StreamKey, kind: StreamKind, priority: Option<i32>) {
        self.streams.insert(key, (kind, priority));
    }

    /// Adds the priority of a stream, if the file has not told it before; lower numbers go first.
    pub fn set_priority(&mut self, key: StreamKey, priority: i32) {
        self.streams.entry(key).or_insert((StreamKind::Unknown, None)).1.get_or_insert(priority);
    }

    /// How many operations there are so far.
    #[must_use]
    pub fn operations(&self) -> usize {
        self.operations.len()
    }

    /// The recording; `None` if there is no operation of a device in it.
    #[must_use]
    pub fn finish(self) -> Option<Recording> {
        self.finish_or_alone().filter(|recording| !recording.is_host_alone())
    }

    /// The same of a file that may be of the host alone: then its only device is one that nothing is known of.
    #[must_use]
    pub fn finish_or_alone(mut self) -> Option<Recording> {
        let zero = self.leave_out_far()?;
        let at = |ns: i64| Time(ns.abs_diff(zero.min(ns)));
        order::by_number(&mut self.operations, |operation| operation.start.unsigned_abs());
        order::by_number(&mut self.calls, |call| call.start.unsigned_abs());
        let joined = Joined::new(&self.calls);
        let clipped = clip(&mut self.operations);
        let mut streams = Streams::new(self.source, self.devices, self.streams);
        let mut operations: Vec<Operation> = Vec::with_capacity(self.operations.len());
        let (mut without_call, mut before_call) = (0, 0);
        let mut nodes: BTreeSet<u32> = BTreeSet::new();
        for found in self.operations {
            let is_migration = found.kind == OperationKind::Migration;
            let stream = if is_migration { streams.migrations(found.stream) } else { streams.place(found.stream) };
            let call = found.correlation.filter(|_| !is_migration).and_then(|id| joined.call(found.stream.process, id));
            without_call += u64::from(call.is_none() && !is_migration);
            nodes.extend(call.filter(|_| found.is_node));
            before_call += u64::from(call.is_some_and(|call| found.start < self.calls[call as usize].start));
            streams.streams[stream as usize].operations.push(u32::try_from(operations.len()).ok()?);
            operations.push(Operation {
                kind: found.kind,
                name: found.name,
                stream,
                start: at(found.start),
                end: at(found.end),
                call,
                correlation: found.correlation,
                launch: found.launch,
                bytes: found.bytes,
                channel: found.channel,
            });
        }
        // Few names have many calls.
        let mut kinds: Vec<Option<CallKind>> = vec![None; self.names.len()];
        let mut calls: Vec<Call> = self
            .calls
            .iter()
            .map(|call| Call {
                kind: *kinds[call.name as usize].get_or_insert_with(|| CallKind::from_name(&self.names[call.name as usize])),
                name: call.name,
                process: call.process,
                thread: call.thread,
                start: at(call.start),
                end: at(call.end),
                graph_began: None,
            })
            .collect();
        for node in nodes {
            calls[node as usize].kind = CallKind::Graph;
        }
        for operation in &operations {
            let Some(call) = operation.call.map(|call| &mut calls[call as usize]) else { continue };
            if call.kind == CallKind::Graph {
                // They are in the order of their starts.
                call.graph_began.get_or_insert(operation.start);
            }
        }
        // By process and number the only stream that has it; only waits for events ask for it.
        let mut by_number: BTreeMap<(u64, u64), Option<u32>> = BTreeMap::new();
        if !self.waits.is_empty() {
            for (key, &place) in &streams.places {
                by_number.entry((key.process, key.stream)).and_modify(|only| *only = None).or_insert(Some(place));
            }
        }
        let edges = if self.edges.is_empty() {
            Vec::new()
        } else {
            let nodes = Nodes::new(&operations, &calls, |operation| device_of(&streams.streams, &streams.devices, operation));
            edges(self.edges, &nodes, at)
        };
        let mut event_waits = Vec::with_capacity(self.waits.len());
        for wait in self.waits {
            let Some(&stream) = streams.places.get(&wait.stream) else { continue };
            let call = wait.correlation.and_then(|id| joined.call(wait.stream.process, id));
            let called = call.map_or_else(|| at(wait.start), |call| calls[call as usize].start);
            let record = wait.record.and_then(|id| joined.call(wait.stream.process, id));
            // What the event stands for: all that its stream was told before the record, or at the latest before the wait.
            let until = record.map_or(called, |call| calls[call as usize].start);
            let own = |id| streams.places.get(&StreamKey { stream: id, ..wait.stream }).copied();
            let other = |id| by_number.get(&(wait.stream.process, id)).copied().flatten();
            let source = wait.source.and_then(|id| own(id).or_else(|| other(id))).and_then(|source| {
                let launched = |&operation: &u32| {
                    let operation: &Operation = &operations[operation as usize];
                    operation.call.is_some_and(|call| calls[call as usize].start < until)
                };
                streams.streams[source as usize].operations.iter().copied().rev().find(launched)
            });
            event_waits.push(EventWait { stream, called, source, is_certain: record.is_some() });
        }
        order::by_number(&mut event_waits, |wait| wait.called.ns());
        let overhead = |of: &FoundOverhead| {
            let call = of.correlation.and_then(|id| joined.call(of.process, id));
            Overhead { kind: of.kind, call, start: at(of.start), end: at(of.end.max(of.start)) }
        };
        let mut overheads: Vec<Overhead> = self.overheads.iter().map(overhead).collect();
        order::by_number(&mut overheads, |overhead| overhead.start.ns());
        let said = said_collectives(self.collectives, &operations, &streams, at);
        let spans = spans(self.spans, zero, at);
        if operations.is_empty() {
            if calls.is_empty() && spans.is_empty() {
                return None;
            }
            streams.devices = vec![RecordedDevice::default()];
        }
        let counts = [
            (Flaw::WithoutCall as fn(u64) -> Flaw, without_call),
            (Flaw::BeforeCall, before_call),
            (Flaw::WithoutTime, self.without_time),
            (Flaw::WithoutOperation, without_operation(&operations, &calls)),
            (Flaw::Clipped, clipped),
        ];
        let mut flaws: Vec<Flaw> = counts.into_iter().filter(|&(_, count)| count > 0).map(|(flaw, count)| flaw(count)).collect();
        flaws.append(&mut self.noticed);
        // It comes first, as it may be why others are there.
        flaws.sort_by_key(|flaw| !matches!(flaw, Flaw::CutOff(_) | Flaw::MaybeCut(_) | Flaw::Lost(_)));
        let mut recording = Recording {
            source: self.source,
            names: self.names,
            operations,
            calls,
            spans,
            streams: streams.streams,
            devices: streams.devices,
            event_waits,
            edges,
            has_event_waits: self.has_event_waits,
            communications: Vec::new(),
            groups: Vec::new(),
            overheads,
            flaws,
            messages: self.messages,
            job: self.job,
        };
        (recording.communications, recording.groups) = communications(&recording, &said);
        recording.job.smallest_group = smallest_group(&recording);
        let idle = idle_waits(&recording).len() as u64;
        recording.flaws.extend((idle > 0).then_some(Flaw::IdleWaits(idle)));
        recording.flaws.extend((!self.is_fine && !recording.is_host_alone()).then_some(Flaw::Microseconds));
        Some(recording)
    }

    /// Leaves out events that are far from the others; the time of the first one that stays.
    fn leave_out_far(&mut self) -> Option<i64> {
        let mut starts: Vec<i64> = self.operations.iter().map(|operation| operation.start).collect();
        if starts.is_empty() {
            starts.extend(self.calls.iter().map(|call| call.start).chain(self.spans.iter().map(|span| span.start)));
        }
        let place = starts.len() / 2;
        if starts.is_empty() {
            return None;
        }
        let (_, &mut middle, _) = starts.select_nth_unstable(place);
        let is_near = |ns: i64| ns.abs_diff(middle) < FAR;
        let before = self.operations.len() + self.calls.len() + self.overheads.len();
        self.operations.retain(|operation| is_near(operation.start) && is_near(operation.end));
        self.calls.retain(|call| is_near(call.start) && is_near(call.end));
        self.overheads.retain(|overhead| is_near(overhead.start) && is_near(overhead.end));
        self.without_time += (before - self.operations.len() - self.calls.len() - self.overheads.len()) as u64;
        let starts = self.operations.iter().map(|operation| operation.start);
        let is_alone = self.operations.is_empty();
        let spans = self.spans.iter().filter(|span| is_alone && is_near(span.start)).map(|span| span.start);
        starts.chain(self.calls.iter().map(|call| call.start)).chain(spans).min()
    }
}

/// How many launches of kernels and graphs have no operation.
fn without_operation(operations: &[Operation], calls: &[Call]) -> u64 {
    let has = launching(operations, calls.len());
    let launches = |kind| matches!(kind, CallKind::Launch | CallKind::LaunchWithAttributes | CallKind::Graph);
    calls.iter().zip(has).filter(|(call, has)| !has && launches(call.kind)).count() as u64
}

/// What threads of the host ran since the first event, by start. What began before it and still ran is cut there.
fn spans(found: Vec<FoundSpan>, zero: i64, at: impl Fn(i64) -> Time) -> Vec<HostSpan> {
    let is_near = |ns: i64| ns.abs_diff(zero) < FAR;
    let of = |found: FoundSpan| HostSpan {
        sort: found.sort,
        name: found.name,
        process: found.process,
        thread: found.thread,
        start: at(found.start),
        end: at(found.end),
    };
    let mut spans: Vec<HostSpan> =
        found.into_iter().filter(|found| found.end > zero && is_near(found.start) && is_near(found.end)).map(of).collect();
    order::by_number(&mut spans, |span| span.start.ns());
    spans
}

/// Calls by what joins them with operations.
struct Joined(Vec<(u64, u64, u32)>);

impl Joined {
    fn new(calls: &[FoundCall]) -> Self {
        let key = |(place, call): (usize, &FoundCall)| Some((call.process, call.correlation?, u32::try_from(place).ok()?));
        let mut all: Vec<_> = calls.iter().enumerate().filter_map(key).collect();
        all.sort_unstable();
        Self(all)
    }

    /// The first call of a process with this id.
    fn call(&self, process: u64, id: u64) -> Option<u32> {
        let place = self.0.partition_point(|&(p, i, _)| (p, i) < (process, id));
        self.0.get(place).filter(|&&(p, i, _)| (p, i) == (process, id)).map(|&(_, _, call)| call)
    }
}

/// A device by its compute capability and what a file says of its SMs; a limit that the file lacks is taken from the guides' tables.
#[must_use]
pub fn limits(capability: Option<(u32, u32)>, threads: Option<u32>, registers: Option<u32>, shared: Option<u32>) -> Option<Limits> {
    let known = Limits::at_capability(capability?)?;
    Some(Limits {
        threads: threads.unwrap_or(known.threads),
        registers: registers.unwrap_or(known.registers),
        shared: shared.unwrap_or(known.shared),
        ..known
    })
}
