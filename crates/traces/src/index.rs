//! What is looked up again and again while waits are explained.
//!
//! Invariants: nothing here changes once it is made; `ready` never lies after the start of an operation by more than two clocks.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use super::causes::{KnownSettings, WaitPart};
use super::engines::Engines;
use super::graphs::{Graphs, graphs};
use super::room::{Need, Running};
use super::thresholds::{Thresholds, quantile};
use super::told::{Told, pending};
use super::{Call, CallKind, Operation, OperationKind, RecordedStream, Recording, StreamKind};
use blockstep_sim::units::{Span, Time};

/// A call that takes longer than this, ns, is long whatever the others took (our choice).
const MOST_ORDINARY: u64 = 100_000;

/// At most so many operations of other streams are looked at to find those that one of the NULL stream waited for.
const MOST_ENDED: usize = 1_024;

/// At most so many operations of a stream that began together are put in order.
const MOST_TOGETHER: usize = 64;

/// What is looked up again and again.
pub(super) struct Index<'r> {
    pub(super) recording: &'r Recording,
    pub(super) thresholds: &'r Thresholds,
    pub(super) known: KnownSettings,
    pub(super) running: Vec<Running>,
    /// By stream: its operations by the time of their calls, with the latest end up to each.
    called: Vec<Vec<(Time, u32, Time)>>,
    /// By operation: its predecessor in its stream.
    pub(super) before: Vec<Option<u32>>,
    /// By stream: how it behaves toward the NULL stream of its context, as far as the recording shows.
    pub(super) towards_null: Vec<TowardsNull>,
    /// By stream: the NULL stream of its context.
    pub(super) null: Vec<Option<u32>>,
    /// By NULL stream: the operations of the other streams of its context by their ends.
    others: BTreeMap<u32, Vec<(Time, u32)>>,
    /// By device: how many streams it has.
    pub(super) stream_counts: Vec<u32>,
    /// Calls that are the first to launch a kernel of some name.
    pub(super) first_uses: BTreeSet<u32>,
    /// Calls that allocate or free memory.
    pub(super) allocations: Vec<u32>,
    /// Calls that make a stream wait.
    pub(super) stream_waits: Vec<u32>,
    /// By device: whether copies of the two directions have engines of their own: the file says so, or they ever ran together.
    pub(super) has_two_engines: Vec<bool>,
    /// What ran on the copy engines.
    pub(super) engines: Engines,
    /// By device: whether more than one context runs on it.
    pub(super) has_contexts: Vec<bool>,
    /// Operations called and not yet started, by the operation that is called.
    pub(super) pending: Vec<u32>,
    /// Launches of graphs with their nodes.
    pub(super) graphs: Graphs,
    /// Beyond this a call is long.
    pub(super) long_call: Span,
    /// By operation: when nothing of what its stream has to wait for was in its way any more.
    pub(super) ready: Vec<Time>,
    /// How many more kernels are put on SMs to see what had room.
    pub(super) room_left: Cell<u64>,
    /// By operation: how long a block of a kernel runs, ns, as far as that can be estimated.
    pub(super) block_ns: Vec<u64>,
    /// By operation: when the last block of a kernel was assigned, as far as that can be estimated; its start if it is no kernel.
    pub(super) assigned: Vec<Time>,
}

/// What a recording shows of a stream and its NULL stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TowardsNull {
    /// They ran together, so that they do not wait for each other.
    pub(super) ignores: bool,
    /// One began as soon as the other had ended.
    pub(super) follows: bool,
}

impl<'r> Index<'r> {
    pub(super) fn new(recording: &'r Recording, thresholds: &'r Thresholds, known: KnownSettings) -> Self {
        let operations = &recording.operations;
        let null = null_streams(recording);
        let (before, called) = in_streams(recording, thresholds.clock);
        let of_kind = |kind| {
            let places = recording.calls.iter().enumerate().filter(move |(_, call)| call.kind == kind);
            places.map(|(place, _)| place as u32).collect::<Vec<u32>>()
        };
        let mut lengths: Vec<u64> = recording
            .calls
            .iter()
            .filter(|call| matches!(call.kind, CallKind::Launch | CallKind::LaunchWithAttributes))
            .map(|call| call.end.since(call.start).ns())
            .collect();
        let long_call = Span(quantile(&mut lengths, 50).saturating_mul(10).clamp(50_000, MOST_ORDINARY));
        let mut index = Self {
            recording,
            thresholds,
            known,
            running: Running::on_devices(recording),
            called,
            before,
            towards_null: vec![TowardsNull::default(); recording.streams.len()],
            others: others(recording, &null),
            null,
            stream_counts: stream_counts(recording),
            first_uses: first_uses(recording),
            allocations: of_kind(CallKind::Allocation),
            stream_waits: of_kind(CallKind::StreamWait),
            has_two_engines: recording.devices.iter().map(|device| device.copy_engines.is_some_and(|engines| engines > 1)).collect(),
            engines: Engines::default(),
            has_contexts: has_contexts(recording),
            pending: pending(recording),
            graphs: graphs(recording),
            long_call,
            room_left: Cell::new(most_puts(operations.len())),
            block_ns: block_times(recording),
            ready: Vec::new(),
            assigned: Vec::new(),
        };
        index.find_overlaps();
        index.engines = Engines::new(&index);
        index.find_followers();
        let mut parts: Vec<WaitPart> = Vec::new();
        for (place, operation) in operations.iter().enumerate() {
            parts.clear();
            let called = recording.called(operation).map_or(operation.start, |called| called.min(operation.start));
            let mut told = Told { parts: &mut parts, upto: called, start: operation.start };
            index.before_queues(place as u32, called, &mut told);
            let ready = told.upto;
            index.ready.push(ready);
        }
        index.assigned = (0..operations.len()).map(|place| index.last_assigned(place as u32)).collect();
        index.room_left.set(most_puts(operations.len()));
        index
    }

    /// Finds streams that run together with their NULL stream, and devices that copy both ways at once.
    fn find_overlaps(&mut self) {
        let recording = self.recording;
        // The latest end of what began before, by stream and by device and direction.
        let mut of_stream: Vec<Time> = vec![Time::ZERO; recording.streams.len()];
        // By NULL stream: such ends of the streams of its context that are not known to run together with it.
        let mut apart: BTreeMap<u32, BTreeSet<(Time, u32)>> = BTreeMap::new();
        let mut of_direction = vec![[Time::ZERO; 2]; recording.devices.len()];
        for operation in &recording.operations {
            let (place, device) = (operation.stream as usize, recording.stream(operation).device);
            let slack = self.slack(device, operation.start);
            let is_over = |end: Time| end.ns() > operation.start.ns().saturating_add(slack.ns());
            if operation.duration() > slack {
                match self.null[place] {
                    Some(null) if null as usize == place => {
                        let apart = apart.entry(null).or_default();
                        while let Some((_, other)) = apart.last().copied().filter(|&(end, _)| is_over(end)) {
                            apart.pop_last();
                            self.towards_null[other as usize].ignores = true;
                        }
                    }
                    Some(null) if is_over(of_stream[null as usize]) => self.towards_null[place].ignores = true,
                    _ => {}
                }
            }
            let before = of_stream[place];
            of_stream[place] = before.max(operation.end);
            if let Some(null) = self.null[place].filter(|&null| null != operation.stream && !self.towards_null[place].ignores) {
                let apart = apart.entry(null).or_default();
                apart.remove(&(before, operation.stream));
                apart.insert((of_stream[place], operation.stream));
            }
            let direction = match operation.kind {
                OperationKind::HostToDevice => 0,
                OperationKind::DeviceToHost => 1,
                _ => continue,
            };
            if is_over(of_direction[device as usize][1 - direction]) {
                self.has_two_engines[device as usize] = true;
            }
            let end = &mut of_direction[device as usize][direction];
            *end = (*end).max(operation.end);
        }
    }

    /// Finds streams of which an operation began when one of the NULL stream ended, called long before, or the other way round.
    fn find_followers(&mut self) {
        for (place, operation) in self.recording.operations.iter().enumerate() {
            let Some(null) = self.null[operation.stream as usize] else { continue };
            let Some(call) = self.recording.call(operation) else { continue };
            let since = self.before[place].map_or(call.start, |before| self.operation(before).end.max(call.start));
            let most = self.most_after(operation);
            let follows = |end: Time| {
                end.ns() > since.ns() + self.thresholds.launch.ns()
                    && end.ns() + most.ns() >= operation.start.ns()
                    && end <= operation.start
            };
            if null == operation.stream {
                let ended = self.others_ended(null, operation.start).take_while(|&(end, _)| follows(end));
                let streams: Vec<u32> = ended.map(|(_, other)| self.operation(other).stream).collect();
                for other in streams {
                    if self.last_called(other, call.start).is_some_and(|(_, end)| follows(end)) {
                        self.towards_null[other as usize].follows = true;
                    }
                }
            } else if self.last_called(null, call.start).is_some_and(|(_, end)| follows(end)) {
                self.towards_null[operation.stream as usize].follows = true;
            }
        }
        // Streams that are made in one way mostly behave in one way.
        let followers = self.null.iter().zip(&self.towards_null).filter(|(_, towards)| towards.follows);
        let usual: BTreeSet<u32> = followers.filter_map(|(null, _)| *null).collect();
        for (null, towards) in self.null.iter().zip(&mut self.towards_null) {
            towards.follows |= null.is_some_and(|null| usual.contains(&null)) && !towards.ignores;
        }
    }

    /// Operations of other streams of the context of a NULL stream that ended by an instant, each with its end, the last first.
    pub(super) fn others_ended(&self, null: u32, by: Time) -> impl Iterator<Item = (Time, u32)> + '_ {
        let others = self.others.get(&null).map_or(&[][..], Vec::as_slice);
        let end = others.partition_point(|&(end, _)| end <= by);
        others[..end].iter().rev().take(MOST_ENDED).copied()
    }

    /// How far two times of a device may be apart that are the same in truth.
    pub(super) fn slack(&self, device: u32, at: Time) -> Span {
        Span(self.thresholds.clock_at(device, at).ns().saturating_mul(2))
    }

    /// How long after the end of what held it back an operation begins at most.
    pub(super) fn most_after(&self, operation: &Operation) -> Span {
        let device = self.recording.stream(operation).device;
        Span(self.thresholds.gap.ns() + self.thresholds.clock_at(device, operation.start).ns())
    }

    /// The last operation of a stream that was called before `call`, and the latest end of those up to it.
    pub(super) fn last_called(&self, stream: u32, call: Time) -> Option<(u32, Time)> {
        let list = &self.called[stream as usize];
        let place = list.partition_point(|&(called, _, _)| called < call);
        place.checked_sub(1).map(|place| (list[place].1, list[place].2))
    }

    pub(super) fn operation(&self, place: u32) -> &'r Operation {
        &self.recording.operations[place as usize]
    }

    /// When an operation was called, if that is known.
    pub(super) fn called(&self, place: u32) -> Option<Time> {
        self.recording.call(self.operation(place)).map(|call| call.start)
    }

    pub(super) fn called_before(&self, other: u32, called: Time) -> bool {
        self.called(other).is_some_and(|call| call < called)
    }

    /// Process and context of an operation: kernels of two never run together (without MPS).
    pub(super) fn context(&self, place: u32) -> (u64, u64) {
        let stream = self.recording.stream(self.operation(place));
        (stream.process, stream.context)
    }
}

/// By operation its predecessor in its stream; by stream its operations by their calls, with the latest end up to each.
#[expect(clippy::type_complexity, reason = "two lists for one caller")]
fn in_streams(recording: &Recording, clock: Span) -> (Vec<Option<u32>>, Vec<Vec<(Time, u32, Time)>>) {
    let operations = &recording.operations;
    let mut before = vec![None; operations.len()];
    let mut called: Vec<Vec<(Time, u32, Time)>> = Vec::with_capacity(recording.streams.len());
    for stream in &recording.streams {
        let mut previous: Option<u32> = None;
        let mut list: Vec<(Time, u32, Time)> = Vec::with_capacity(stream.operations.len());
        for place in in_order(recording, stream, clock) {
            let operation = &operations[place as usize];
            before[place as usize] = previous;
            if previous.is_none_or(|previous| operations[previous as usize].end <= operation.end) {
                previous = Some(place);
            }
            list.push((recording.call(operation).map_or(operation.start, |call| call.start), place, operation.end));
        }
        list.sort_unstable();
        let mut latest = Time::ZERO;
        for entry in &mut list {
            latest = latest.max(entry.2);
            entry.2 = latest;
        }
        called.push(list);
    }
    (before, called)
}

/// Kernels that are put on SMs to see what had room, of so many operations: where thousands run at once, room is looked at for as long as
/// this lasts (our choice).
const fn most_puts(operations: usize) -> u64 {
    1_000_000 + 16 * operations as u64
}

/// The operations of a stream in the order in which they ran: that of their starts, but of those that began together, as far as clocks tell,
/// that in which a thread called them, or one thread after the other.
fn in_order(recording: &Recording, stream: &RecordedStream, clock: Span) -> Vec<u32> {
    let mut order = stream.operations.clone();
    let of = |place: u32| &recording.operations[place as usize];
    let is_swapped = |first: u32, then: u32| {
        let together = of(then).start.since(of(first).start).ns() <= clock.ns().saturating_mul(2);
        let calls = recording.call(of(first)).zip(recording.call(of(then)));
        let is_before = |call: &Call, other: &Call| {
            call.process == other.process && call.start < other.start && (call.thread == other.thread || call.end <= other.start)
        };
        together && calls.is_some_and(|(first, then)| is_before(then, first))
    };
    for place in 1..order.len() {
        let mut at = place;
        while at > place.saturating_sub(MOST_TOGETHER) && is_swapped(order[at - 1], order[at]) {
            order.swap(at - 1, at);
            at -= 1;
        }
    }
    order
}

/// By stream: the NULL stream of its context; page migrations heed none.
pub(super) fn null_streams(recording: &Recording) -> Vec<Option<u32>> {
    let context = |stream: &RecordedStream| (stream.process, stream.device, stream.context);
    let mut nulls = BTreeMap::new();
    for (stream, place) in recording.streams.iter().zip(0_u32..).filter(|(stream, _)| stream.kind == StreamKind::Null) {
        nulls.entry(context(stream)).or_insert(place);
    }
    let of = |stream: &RecordedStream| nulls.get(&context(stream)).copied().filter(|_| stream.kind != StreamKind::Migrations);
    recording.streams.iter().map(of).collect()
}

/// By NULL stream: the operations of the other streams of its context by their ends.
fn others(recording: &Recording, null: &[Option<u32>]) -> BTreeMap<u32, Vec<(Time, u32)>> {
    let mut others: BTreeMap<u32, Vec<(Time, u32)>> = BTreeMap::new();
    for (operation, place) in recording.operations.iter().zip(0..) {
        if let Some(null) = null[operation.stream as usize].filter(|&null| null != operation.stream) {
            others.entry(null).or_default().push((operation.end, place));
        }
    }
    others.values_mut().for_each(|others| others.sort_unstable());
    others
}

/// By device: how many streams it has.
fn stream_counts(recording: &Recording) -> Vec<u32> {
    let mut counts = vec![0; recording.devices.len()];
    for stream in recording.streams.iter().filter(|stream| stream.kind != StreamKind::Migrations) {
        counts[stream.device as usize] += 1;
    }
    counts
}

/// By operation: how long a block runs. A kernel that fills the device three times takes three times as long or longer; so the shortest
/// of those that were launched alike says it best.
fn block_times(recording: &Recording) -> Vec<u64> {
    let of = |operation: &Operation| {
        let (need, launch) = (Need::for_kernel(recording, operation)?, operation.launch?);
        let key = (operation.name, recording.stream(operation).device, launch.grid, launch.block, launch.shared);
        Some((key, operation.duration().ns() / need.waves()))
    };
    let mut shortest: BTreeMap<_, u64> = BTreeMap::new();
    let each: Vec<_> = recording.operations.iter().map(of).collect();
    for &(key, ns) in each.iter().flatten() {
        shortest.entry(key).and_modify(|least| *least = ns.min(*least)).or_insert(ns);
    }
    let operations = recording.operations.iter().zip(&each);
    operations.map(|(operation, of)| of.map_or(operation.duration().ns(), |(key, _)| shortest[&key])).collect()
}

/// By device: whether streams of more than one context have operations on it.
fn has_contexts(recording: &Recording) -> Vec<bool> {
    let mut first: Vec<Option<(u64, u64)>> = vec![None; recording.devices.len()];
    let mut has = vec![false; recording.devices.len()];
    for stream in recording.streams.iter().filter(|stream| stream.kind != StreamKind::Migrations) {
        let (device, context) = (stream.device as usize, (stream.process, stream.context));
        has[device] |= *first[device].get_or_insert(context) != context;
    }
    has
}

/// The first call of each name of a kernel; several in a graph have one call.
fn first_uses(recording: &Recording) -> BTreeSet<u32> {
    let mut first: BTreeMap<u32, u32> = BTreeMap::new();
    for operation in recording.operations.iter().filter(|operation| operation.kind == OperationKind::Kernel) {
        let Some(call) = operation.call else { continue };
        let of = first.entry(operation.name).or_insert(call);
        *of = call.min(*of);
    }
    first.into_values().collect()
}
