//! Why an operation did not start when it was called: its wait, split into causes.
//!
//! Depends on the recording and its thresholds. Invariants: the parts of a wait follow one another from the call to the start without a
//! gap; a cause is called certain only if the file records what proves it; what nothing explains is called that. Source of each rule:
//! `docs/traces.md`.

use serde::{Deserialize, Serialize};

use super::room::{Running, has_waves, room};
use super::thresholds::Thresholds;
use super::told::{Told, pending};
use super::{CallKind, Kind, Operation, OverheadKind, Recording, StreamKind};
use crate::units::{Span, Time};

/// Why an operation waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Cause {
    /// Nothing but the time that a launch takes: if it started late, the host called late.
    Launch,
    /// The host was still within the call.
    Call,
    /// The operation before it in its stream had not completed.
    StreamOrder,
    /// Its stream waited for an event.
    Event,
    /// The NULL stream and the other blocking streams wait for each other.
    NullBarrier,
    /// A call that allocates or frees memory came between it and older work.
    ImplicitSync,
    /// It shares a hardware queue with another stream.
    Connection,
    /// No SM had room for one of its blocks.
    NoRoom,
    /// A kernel launched earlier waited for room, and those behind it waited with it.
    BehindHead,
    /// A copy in the same direction used the copy engine.
    CopyEngine,
    /// Its code was loaded for its first use.
    FirstUse,
    /// The queue of launches was full.
    QueueFull,
    /// Another process had the device.
    OtherProcess,
    /// It ran together with the operation before it in its stream, which stream order does not allow.
    Overlap,
    /// Nothing in the file explains it.
    CannotTell,
}

impl Cause {
    /// All, in the order in which they are listed.
    pub const ALL: [Self; 15] = [
        Self::Launch,
        Self::Call,
        Self::StreamOrder,
        Self::Event,
        Self::NullBarrier,
        Self::ImplicitSync,
        Self::Connection,
        Self::NoRoom,
        Self::BehindHead,
        Self::CopyEngine,
        Self::FirstUse,
        Self::QueueFull,
        Self::OtherProcess,
        Self::Overlap,
        Self::CannotTell,
    ];
}

/// How sure a cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Certainty {
    /// The file records what proves it.
    Certain,
    /// Everything in the file agrees with it, and nothing proves it.
    Consistent,
    /// Nothing is known.
    Unknown,
}

/// A part of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Why it waited then.
    pub cause: Cause,
    /// How sure that is.
    pub certainty: Certainty,
    /// From when on.
    pub from: Time,
    /// Until when.
    pub to: Time,
    /// The operation that it waited for, an index.
    pub by: Option<u32>,
}

impl Part {
    /// How long.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.to.since(self.from)
    }
}

/// What the reader knows and the file does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Known {
    /// `CUDA_DEVICE_MAX_CONNECTIONS`.
    pub connections: Option<u32>,
}

/// Connections if nothing else is said (CUDA Programming Guide 5.2.3).
pub const DEFAULT_CONNECTIONS: u32 = 8;

/// At most so many running operations are looked at for one wait.
const MOST_RUNNING: usize = 4_096;
/// At most so many parts of one wait are explained one by one.
const MOST_PARTS: usize = 16;
/// So many operations of a device pending: its queue of launches may be full.
const FULL: u32 = 1_000;

/// The waits of a recording, explained.
#[derive(Debug)]
pub struct Analysis {
    /// What counts as no wait.
    pub thresholds: Thresholds,
    parts: Vec<Part>,
    /// Where the parts of each operation begin, and the end of all.
    firsts: Vec<u32>,
}

impl Analysis {
    /// Explains every wait. `watch` is told how many operations are done and stops it by returning `false`: then the result is `None`.
    #[must_use]
    pub fn new(recording: &Recording, known: Known, watch: &mut dyn FnMut(usize) -> bool) -> Option<Self> {
        let thresholds = Thresholds::of(recording);
        let index = Index::new(recording, &thresholds, known);
        let mut parts = Vec::with_capacity(recording.operations.len() * 2);
        let mut firsts = Vec::with_capacity(recording.operations.len() + 1);
        for place in 0..recording.operations.len() {
            if place % 4_096 == 0 && !watch(place) {
                return None;
            }
            firsts.push(parts.len() as u32);
            index.explain(place as u32, &mut parts);
        }
        firsts.push(parts.len() as u32);
        Some(Self { thresholds, parts, firsts })
    }

    /// The parts of an operation's wait, by time; none if the file does not say when it was called.
    #[must_use]
    pub fn parts(&self, operation: u32) -> &[Part] {
        let place = operation as usize;
        match (self.firsts.get(place), self.firsts.get(place + 1)) {
            (Some(&from), Some(&to)) => &self.parts[from as usize..to as usize],
            _ => &[],
        }
    }
}

/// What is looked up again and again.
struct Index<'r> {
    recording: &'r Recording,
    thresholds: &'r Thresholds,
    known: Known,
    running: Vec<Running>,
    /// By stream: its operations by the time of their calls, with the latest end up to each.
    called: Vec<Vec<(Time, u32, Time)>>,
    /// By operation: its predecessor in its stream.
    before: Vec<Option<u32>>,
    /// By stream: whether it ran together with the NULL stream of its context, so that it does not wait for it.
    ignores_null: Vec<bool>,
    /// By stream: the NULL stream of its context.
    null: Vec<Option<u32>>,
    /// The call after which each name was used before.
    first_use: Vec<Option<u32>>,
    /// Calls that allocate or free memory.
    allocations: Vec<u32>,
    /// Calls that make a stream wait.
    stream_waits: Vec<u32>,
    /// By device: whether copies of both directions ever ran together.
    has_two_engines: Vec<bool>,
    /// Operations called and not yet started, by the operation that is called.
    pending: Vec<u32>,
    /// Beyond this a call is long.
    long_call: Span,
}

impl<'r> Index<'r> {
    fn new(recording: &'r Recording, thresholds: &'r Thresholds, known: Known) -> Self {
        let operations = &recording.operations;
        let running = (0..recording.devices.len()).map(|device| Running::of(recording, device as u32)).collect();
        let mut before = vec![None; operations.len()];
        let mut called: Vec<Vec<(Time, u32, Time)>> = Vec::with_capacity(recording.streams.len());
        for stream in &recording.streams {
            let mut previous: Option<u32> = None;
            let mut list: Vec<(Time, u32, Time)> = Vec::with_capacity(stream.operations.len());
            for &place in &stream.operations {
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
        let null: Vec<Option<u32>> = recording
            .streams
            .iter()
            .map(|stream| {
                let is_it = |other: &super::Stream| {
                    other.kind == StreamKind::Null
                        && (other.process, other.device, other.context) == (stream.process, stream.device, stream.context)
                };
                recording.streams.iter().position(is_it).map(|place| place as u32)
            })
            .collect();
        let mut first_use = vec![None; recording.names.len()];
        let launches = operations.iter().filter_map(|operation| Some((operation.call?, operation.name)));
        for (call, name) in launches {
            let first: &mut Option<u32> = &mut first_use[name as usize];
            *first = Some(first.map_or(call, |first| first.min(call)));
        }
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
        let long_call = Span(super::thresholds::quantile(&mut lengths, 99).saturating_mul(4).max(50_000));
        let mut index = Self {
            recording,
            thresholds,
            known,
            running,
            called,
            before,
            ignores_null: vec![false; recording.streams.len()],
            null,
            first_use,
            allocations: of_kind(CallKind::Allocation),
            stream_waits: of_kind(CallKind::StreamWait),
            has_two_engines: vec![false; recording.devices.len()],
            pending: pending(recording),
            long_call,
        };
        index.find_overlaps();
        index
    }

    /// Finds streams that run together with their NULL stream, and devices that copy both ways at once.
    fn find_overlaps(&mut self) {
        let recording = self.recording;
        // The latest end of what began before, by stream and by device and direction.
        let mut of_stream: Vec<Time> = vec![Time::ZERO; recording.streams.len()];
        let mut of_direction = vec![[Time::ZERO; 2]; recording.devices.len()];
        for operation in &recording.operations {
            let (place, device) = (operation.stream as usize, recording.stream(operation).device);
            let clock = self.thresholds.clock_at(device, operation.start);
            let is_over = |end: Time| end.ns() > operation.start.ns().saturating_add(2 * clock.ns());
            if operation.duration() > clock {
                match self.null[place] {
                    Some(null) if null as usize == place => {
                        for (other, end) in of_stream.iter().enumerate() {
                            if other != place && self.null[other] == Some(null) && is_over(*end) {
                                self.ignores_null[other] = true;
                            }
                        }
                    }
                    Some(null) if is_over(of_stream[null as usize]) => self.ignores_null[place] = true,
                    _ => {}
                }
            }
            of_stream[place] = of_stream[place].max(operation.end);
            let direction = match operation.kind {
                Kind::HostToDevice => 0,
                Kind::DeviceToHost => 1,
                _ => continue,
            };
            if is_over(of_direction[device as usize][1 - direction]) {
                self.has_two_engines[device as usize] = true;
            }
            let end = &mut of_direction[device as usize][direction];
            *end = (*end).max(operation.end);
        }
    }

    /// The last operation of a stream that was called before `call`, and the latest end of those up to it.
    fn last_called(&self, stream: u32, call: Time) -> Option<(u32, Time)> {
        let list = &self.called[stream as usize];
        let place = list.partition_point(|&(called, _, _)| called < call);
        place.checked_sub(1).map(|place| (list[place].1, list[place].2))
    }

    fn operation(&self, place: u32) -> &'r Operation {
        &self.recording.operations[place as usize]
    }

    /// Adds the parts of an operation's wait.
    fn explain(&self, place: u32, parts: &mut Vec<Part>) {
        let operation = self.operation(place);
        let Some(call) = self.recording.call(operation) else { return };
        let (called, start) = (call.start, operation.start);
        if start <= called {
            return;
        }
        let device = self.recording.stream(operation).device;
        let clock = self.thresholds.clock_at(device, start);
        let mut told = Told { parts, upto: called, start };
        let before = self.before[place as usize];
        if let Some(before) = before {
            let previous = self.operation(before);
            if previous.end.ns() > start.ns() + clock.ns() {
                // Its predecessor still ran.
                told.until(previous.start, Cause::StreamOrder, Certainty::Certain, Some(before));
                if start.since(called) <= self.thresholds.launch {
                    told.until(start, Cause::Launch, Certainty::Certain, None);
                } else {
                    told.until(start, Cause::Overlap, Certainty::Consistent, Some(before));
                }
                return;
            }
            told.until(previous.end, Cause::StreamOrder, Certainty::Certain, Some(before));
        }
        self.events(operation, before, called, clock, &mut told);
        self.null_stream(operation, called, clock, &mut told);
        if self.is_over(&mut told, called, clock) {
            return;
        }
        self.within_call(operation, call, &mut told);
        if self.is_over(&mut told, called.max(call.end), clock) {
            return;
        }
        self.other_streams(place, before, called, clock, &mut told);
    }

    /// Whether what is left is no more than a launch takes; then it is told, and the wait is explained.
    fn is_over(&self, told: &mut Told<'_>, called: Time, clock: Span) -> bool {
        let most = (called.ns() + self.thresholds.launch.ns()).max(told.upto.ns() + self.thresholds.gap.ns()) + clock.ns();
        let is_over = told.start.ns() <= most;
        if is_over {
            told.until(told.start, Cause::Launch, Certainty::Certain, None);
        }
        is_over
    }

    /// Events that its stream was told to wait for since the operation before it was called.
    fn events(&self, operation: &Operation, before: Option<u32>, called: Time, clock: Span, told: &mut Told<'_>) {
        let waits = &self.recording.event_waits;
        let since = before.and_then(|before| self.recording.call(self.operation(before))).map_or(Time::ZERO, |call| call.start);
        let end = waits.partition_point(|wait| wait.called <= called);
        let latest = waits[..end]
            .iter()
            .rev()
            .take_while(|wait| wait.called >= since)
            .take(MOST_RUNNING)
            .filter(|wait| wait.stream == operation.stream)
            .filter_map(|wait| wait.source.map(|source| (self.operation(source).end, source, wait.is_certain)))
            .max();
        if let Some((end, source, is_certain)) = latest.filter(|&(end, _, _)| end.ns() <= told.start.ns() + clock.ns()) {
            told.until(end, Cause::Event, if is_certain { Certainty::Certain } else { Certainty::Consistent }, Some(source));
        }
    }

    /// The NULL stream waits for all blocking streams of its context, and they for it.
    fn null_stream(&self, operation: &Operation, called: Time, clock: Span, told: &mut Told<'_>) {
        let (place, streams) = (operation.stream, &self.recording.streams);
        let Some(null) = self.null[place as usize] else { return };
        let may_wait = |stream: u32| streams[stream as usize].kind != StreamKind::NonBlocking && !self.ignores_null[stream as usize];
        let of = |stream: u32| self.last_called(stream, called).map(|(by, end)| (end, by, stream));
        let latest = if null == place {
            let others = (0..streams.len() as u32).filter(|&other| other != null && self.null[other as usize] == Some(null));
            others.filter(|&other| may_wait(other)).filter_map(of).filter(|&(end, _, _)| end.ns() <= told.start.ns() + clock.ns()).max()
        } else {
            Some(null).filter(|_| may_wait(place)).and_then(of)
        };
        let Some((end, by, other)) = latest.filter(|&(end, _, _)| end.ns() <= told.start.ns() + clock.ns()) else { return };
        let blocking = if null == place { other } else { place };
        let is_recorded = streams[blocking as usize].kind == StreamKind::Blocking && streams[null as usize].is_kind_recorded;
        let released = told.start.since(end).ns() <= self.thresholds.gap.ns() + clock.ns();
        if is_recorded || released {
            told.until(end, Cause::NullBarrier, if is_recorded { Certainty::Certain } else { Certainty::Consistent }, Some(by));
        }
    }

    /// A call that took long: what the file says it did meanwhile.
    fn within_call(&self, operation: &Operation, call: &super::Call, told: &mut Told<'_>) {
        let overheads = &self.recording.overheads;
        let end = overheads.partition_point(|overhead| overhead.start < call.end);
        let within = overheads[..end].iter().rev().take(64).filter(|overhead| overhead.start >= call.start && overhead.end <= told.start);
        let mut found: Vec<_> = within.filter(|overhead| overhead.end > told.upto).collect();
        found.reverse();
        for overhead in found {
            let cause = match overhead.kind {
                OverheadKind::Loading => Cause::FirstUse,
                OverheadKind::QueueFull => Cause::QueueFull,
                OverheadKind::Profiler => continue,
            };
            told.until(overhead.start, Cause::Call, Certainty::Consistent, None);
            told.until(overhead.end, cause, Certainty::Certain, None);
        }
        let is_long = call.end.since(call.start) >= self.long_call;
        if !is_long {
            return;
        }
        let is_first = self.first_use[operation.name as usize] == operation.call && operation.kind == Kind::Kernel;
        let is_full = operation.call.is_some_and(|call| self.pending[call as usize] >= FULL);
        let (cause, certainty) = match () {
            () if is_full => (Cause::QueueFull, Certainty::Consistent),
            () if is_first => (Cause::FirstUse, Certainty::Consistent),
            () => (Cause::Call, Certainty::Consistent),
        };
        told.until(call.end, cause, certainty, None);
    }

    /// What is left of the wait: looked for from its end backwards, as what ended it ended then.
    fn other_streams(&self, place: u32, before: Option<u32>, called: Time, clock: Span, told: &mut Told<'_>) {
        let (operation, from) = (self.operation(place), told.upto);
        let mut found: Vec<Part> = Vec::new();
        let mut to = told.start;
        while to > from && found.len() < MOST_PARTS {
            let Some(part) = self.held_until(place, before, called, from, to, clock) else { break };
            to = part.from;
            found.push(part);
        }
        // The start of what was explained may be the end of a short launch.
        let rest = to.since(from);
        if !found.is_empty() && rest <= Span(self.thresholds.launch.ns() + clock.ns()) {
            told.until(to, Cause::Launch, Certainty::Certain, None);
        } else if rest > Span::ZERO {
            told.until(to, Cause::CannotTell, Certainty::Unknown, None);
        }
        for part in found.into_iter().rev() {
            told.until(part.to, part.cause, part.certainty, part.by);
        }
        debug_assert_eq!(told.upto, operation.start, "the parts of a wait leave no gap");
    }

    /// What held an operation back until `to`, and since when, but not before `from`.
    fn held_until(&self, place: u32, before: Option<u32>, called: Time, from: Time, to: Time, clock: Span) -> Option<Part> {
        let operation = self.operation(place);
        let device = self.recording.stream(operation).device;
        let near = Time(to.ns().saturating_sub(self.thresholds.gap.ns() + clock.ns()));
        let part = |cause, certainty, since: Time, by| Part { cause, certainty, from: since.max(from).min(to), to, by: Some(by) };
        // Those that ran shortly before, and whose end may have let this one start.
        let running = &self.running[device as usize];
        let of = |place: u32| self.operation(place);
        let ran: Vec<u32> = running.within(self.recording, near, to, MOST_RUNNING).filter(|&other| other != place).collect();
        let ended = |other: u32| of(other).end.ns() <= to.ns() + clock.ns();
        let is_other = |other: &u32| of(*other).stream != operation.stream;
        let released = || ran.iter().copied().filter(is_other).filter(|&other| ended(other));
        let latest = |all: &mut dyn Iterator<Item = u32>| all.max_by_key(|&other| of(other).end);

        if operation.kind.is_transfer() {
            let is_alike = |other: &u32| {
                let other = of(*other).kind;
                other == operation.kind || (other.is_transfer() && !self.has_two_engines[device as usize])
            };
            if let Some(by) = latest(&mut released().filter(is_alike)) {
                return Some(part(Cause::CopyEngine, Certainty::Consistent, of(by).start, by));
            }
        }
        if let Some(by) = latest(&mut released().filter(|&other| self.was_told_to_wait(operation, other, before, called))) {
            return Some(part(Cause::Event, Certainty::Consistent, Time::ZERO, by));
        }
        if let Some(by) = latest(&mut released().filter(|&other| self.allocates_between(other, called))) {
            return Some(part(Cause::ImplicitSync, Certainty::Consistent, Time::ZERO, by));
        }
        if let Some(channel) = operation.channel {
            let mut alike = ran.iter().copied().filter(is_other).filter(|&other| of(other).channel == Some(channel));
            let ahead = |other: &u32| self.called_before(*other, called);
            if let Some(by) = latest(&mut alike.by_ref().filter(ahead)) {
                return Some(part(Cause::Connection, Certainty::Certain, Time::ZERO, by));
            }
        }
        if operation.kind != Kind::Kernel {
            return None;
        }
        if let Some(found) = self.no_room(place, from, to, near) {
            return Some(found);
        }
        let waits_too = |other: &u32| {
            let head = of(*other);
            head.kind == Kind::Kernel && head.start >= near && head.start <= to && self.called_before(*other, called)
        };
        let heads = ran.iter().copied().filter(is_other).filter(waits_too);
        if let Some(by) = heads.min_by_key(|&other| self.recording.call(of(other)).map(|call| call.start)) {
            // It waited for room itself, so that those behind it waited as long.
            let head = self.no_room(by, from, of(by).start, Time(of(by).start.ns().saturating_sub(self.thresholds.gap.ns() + clock.ns())));
            if let Some(head) = head {
                return Some(part(Cause::BehindHead, Certainty::Consistent, head.from, by));
            }
        }
        let streams = self.recording.streams.iter().filter(|stream| stream.device == device).count();
        let connections = self.known.connections.unwrap_or(DEFAULT_CONNECTIONS) as usize;
        if operation.channel.is_none() && streams > connections {
            if let Some(by) = latest(&mut released().filter(|&other| self.called_before(other, called))) {
                return Some(part(Cause::Connection, Certainty::Consistent, of(by).start, by));
            }
        }
        let process = |other: u32| (self.recording.stream(of(other)).process, self.recording.stream(of(other)).context);
        if !ran.is_empty() && ran.iter().all(|&other| process(other) != process(place)) {
            if let Some(by) = latest(&mut released()) {
                return Some(part(Cause::OtherProcess, Certainty::Consistent, of(by).start, by));
            }
        }
        None
    }

    /// Since when a kernel's block had no room, if it had none shortly before `to`.
    fn no_room(&self, place: u32, from: Time, to: Time, near: Time) -> Option<Part> {
        let operation = self.operation(place);
        let device = self.recording.device(operation);
        let (limits, sms) = (device.limits.as_ref()?, u64::from(device.sms?));
        let all: Vec<u32> = self.running[self.recording.stream(operation).device as usize]
            .within(self.recording, from, to, MOST_RUNNING)
            .filter(|&other| other != place)
            .collect();
        // Between the instants at which something begins or ends nothing changes; they are gone through backwards.
        let mut instants: Vec<Time> = all.iter().flat_map(|&other| [self.operation(other).start, self.operation(other).end]).collect();
        instants.retain(|&at| at > from && at < to);
        instants.push(from);
        instants.sort_unstable();
        instants.dedup();
        let (mut since, mut by) = (None, None);
        let mut upto = to;
        for &at in instants.iter().rev().take(256) {
            let running: Vec<u32> =
                all.iter().copied().filter(|&other| self.operation(other).start <= at && self.operation(other).end > at).collect();
            let is_short = room(self.recording, operation, &running).is_some_and(|room| room.short().is_some());
            if is_short {
                since = Some(at);
                // Who made room: what ended last before `to`, else what frees room by ending blocks.
                by = by.or_else(|| {
                    let ended = running.iter().copied().filter(|&other| self.operation(other).end <= to);
                    let waves = || running.iter().copied().filter(|&other| has_waves(limits, sms, self.operation(other)));
                    ended.max_by_key(|&other| self.operation(other).end).or_else(|| waves().next()).or_else(|| running.first().copied())
                });
            } else if since.is_some() || upto <= near {
                break;
            }
            upto = at;
        }
        Some(Part { cause: Cause::NoRoom, certainty: Certainty::Consistent, from: since?.max(from), to, by })
    }

    fn called_before(&self, other: u32, called: Time) -> bool {
        self.recording.call(self.operation(other)).is_some_and(|call| call.start < called)
    }

    /// Whether the stream may have been told to wait for `other`: by a record without a source, or by a call between the two launches
    /// on the same thread.
    fn was_told_to_wait(&self, operation: &Operation, other: u32, before: Option<u32>, called: Time) -> bool {
        if !self.called_before(other, called) {
            return false;
        }
        let since = before.and_then(|before| self.recording.call(self.operation(before))).map_or(Time::ZERO, |call| call.start);
        let waits = &self.recording.event_waits;
        if self.recording.has_event_waits {
            let end = waits.partition_point(|wait| wait.called <= called);
            let recent = waits[..end].iter().rev().take(256).take_while(|wait| wait.called >= since);
            return recent.into_iter().any(|wait| wait.stream == operation.stream && wait.source.is_none());
        }
        let Some(call) = self.recording.call(operation) else { return false };
        let calls = &self.recording.calls;
        let end = self.stream_waits.partition_point(|&wait| calls[wait as usize].start < called);
        let recent = self.stream_waits[..end].iter().rev().take(256).map(|&wait| &calls[wait as usize]);
        recent.take_while(|wait| wait.start >= since).any(|wait| wait.thread == call.thread)
    }

    /// Whether memory was allocated or freed after `other` was called and before `called`.
    fn allocates_between(&self, other: u32, called: Time) -> bool {
        let Some(older) = self.recording.call(self.operation(other)) else { return false };
        let calls = &self.recording.calls;
        let end = self.allocations.partition_point(|&place| calls[place as usize].start < called);
        self.allocations[..end].last().is_some_and(|&place| calls[place as usize].start > older.end)
    }
}
