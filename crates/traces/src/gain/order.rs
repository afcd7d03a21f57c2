//! What each operation waits for, by the rules of streams, events, the NULL stream and graphs.
//!
//! Invariant: an operation waits for none that was issued after it.

use std::collections::{BTreeMap, BTreeSet};

use super::collectives::Joined;
use super::model::Model;
use super::{ProgramChange, run};
use crate::causes::Cause;
use crate::thresholds::MICROSECOND;
use crate::{CallKind, Operation, OperationKind, Recording, StreamKind};
use blockstep_sim::units::Time;

/// At most so many events of other streams does an operation of a stream of its own wait for.
const MOST_TOLD: usize = 16;
/// Fewer operations that begin about when the one before them ends do not show how exact times are: our choice.
const ENOUGH: usize = 10;

/// What an operation waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waits {
    /// What waits, an index.
    pub(super) place: u32,
    /// What for, an index.
    pub(super) on: u32,
    /// It waits only until that one has begun, and so long, ns: the two overlap by a programmatic dependent launch.
    pub(super) since_begin: Option<u64>,
}

/// What is known of a stream while its operations are gone through.
#[derive(Clone, Default)]
struct StreamState {
    last: Option<u32>,
    /// Events that its next operation waits for.
    waiting: Vec<u32>,
    /// The last event of each stream that it was told to wait for: the stream, and the operation.
    told: Vec<(u32, u32)>,
}

impl Model<'_> {
    /// The stream of an operation with these changes: its own, or one more for each change that moves it.
    pub(super) fn stream_with(&self, of: u32, changes: &[ProgramChange]) -> usize {
        let (streams, operation) = (self.recording.streams.len(), &self.recording.operations[of as usize]);
        let moved = |(place, change): (usize, &ProgramChange)| match *change {
            ProgramChange::OwnStream { name, stream } if (operation.name, operation.stream) == (name, stream) => Some(2 * streams + place),
            ProgramChange::CommunicationBeside if self.mixed_streams.contains(&operation.stream) && self.communicates(of) => {
                Some(streams + operation.stream as usize)
            }
            _ => None,
        };
        changes.iter().enumerate().find_map(moved).unwrap_or(operation.stream as usize)
    }

    /// Whether a stream and its NULL stream wait for each other.
    fn heeds_null(&self, stream: usize, changes: &[ProgramChange]) -> bool {
        if changes.contains(&ProgramChange::NonBlocking) || stream >= self.recording.streams.len() {
            return false;
        }
        match (self.analysis.heeds_null(stream as u32), self.recording.streams[stream].kind) {
            (Some(heeds), _) => heeds,
            (None, StreamKind::Blocking) => true,
            // Streams that are made in one way mostly behave in one way.
            (None, StreamKind::Unknown) => self.null[stream].is_some_and(|null| self.is_heeded[null as usize]),
            (None, _) => false,
        }
    }

    /// How many streams there are with these changes: each stream, one for the communication of each, and one for each change.
    pub(super) fn streams_with(&self, changes: &[ProgramChange]) -> usize {
        2 * self.recording.streams.len() + changes.len()
    }

    /// Whether an operation, by its place, is a kernel that communicates with other devices.
    pub(super) fn communicates(&self, place: u32) -> bool {
        self.recording.communication(place).is_some()
    }

    /// What each operation waits for, with these changes.
    pub(super) fn waits(&self, changes: &[ProgramChange]) -> Vec<Waits> {
        let recording = self.recording;
        let mut all: Vec<Waits> = Vec::with_capacity(2 * recording.operations.len());
        let mut streams = vec![StreamState::default(); self.streams_with(changes)];
        // By stream that is a NULL stream: streams with operations since its last one.
        let mut since_null: Vec<Vec<u32>> = vec![Vec::new(); recording.streams.len()];
        let mut next_wait = 0;
        for &place in &self.issued {
            let operation = &recording.operations[place as usize];
            let at = self.issue(place);
            while let Some(wait) = recording.event_waits.get(next_wait).filter(|wait| wait.called <= at) {
                if let Some(source) = wait.source {
                    let of = &mut streams[wait.stream as usize];
                    of.waiting.push(source);
                    tell(&mut of.told, recording.operations[source as usize].stream, source);
                }
                next_wait += 1;
            }
            let stream = self.stream_with(place, changes);
            let is_moved = stream >= recording.streams.len();
            let mut on: Vec<u32> = streams[stream].last.into_iter().collect();
            // A graph is one operation of its stream, whatever streams its nodes ran in.
            on.extend(streams[stream].last.and_then(|last| self.last_of_graph(last, operation.call)));
            if is_moved {
                on.extend(streams[operation.stream as usize].told.iter().map(|&(_, source)| source));
                // What is sent was computed just before.
                on.extend(streams[operation.stream as usize].last.filter(|_| self.communicates(place)));
            } else {
                on.append(&mut streams[stream].waiting);
            }
            self.null_order(place, stream, changes, (&streams, &mut since_null), &mut on);
            for part in self.analysis.parts(place) {
                let is_in_order = match part.cause {
                    Cause::Event | Cause::GraphOrder => true,
                    Cause::ImplicitSync => !changes.contains(&ProgramChange::NoAllocations),
                    Cause::Connection => !changes.contains(&ProgramChange::MoreConnections) && !is_moved,
                    _ => false,
                };
                if is_in_order && let Some(by) = part.by {
                    if part.cause == Cause::Event {
                        let source = recording.operations[by as usize].stream;
                        tell(&mut streams[operation.stream as usize].told, source, by);
                    }
                    on.push(by);
                }
            }
            let of_calls = operation.call.and_then(|call| self.events.get(&call));
            for &source in of_calls.into_iter().flatten() {
                tell(&mut streams[operation.stream as usize].told, recording.operations[source as usize].stream, source);
                on.push(source);
            }
            on.sort_unstable();
            on.dedup();
            all.extend(
                on.into_iter().filter_map(|on| self.wait_for(place, on, stream == recording.operations[on as usize].stream as usize)),
            );
            streams[stream].last = Some(place);
            if let Some(null) = self.null[operation.stream as usize].filter(|&null| null as usize != stream)
                && self.heeds_null(stream, changes)
                && since_null[null as usize].last() != Some(&(stream as u32))
            {
                since_null[null as usize].push(stream as u32);
            }
        }
        all
    }

    /// Adds what an operation waits for by the rules of the NULL stream.
    fn null_order(
        &self,
        place: u32,
        stream: usize,
        changes: &[ProgramChange],
        (streams, since_null): (&[StreamState], &mut [Vec<u32>]),
        on: &mut Vec<u32>,
    ) {
        let Some(null) = self.null[self.recording.operations[place as usize].stream as usize] else { return };
        if null as usize == stream {
            let mut others = std::mem::take(&mut since_null[stream]);
            others.sort_unstable();
            others.dedup();
            on.extend(others.into_iter().filter_map(|other| streams[other as usize].last));
        } else if self.heeds_null(stream, changes) {
            on.extend(streams[null as usize].last);
        }
    }

    /// That an operation waits for another; not if it did not, as recorded.
    fn wait_for(&self, place: u32, on: u32, is_stream: bool) -> Option<Waits> {
        let (operation, other) = (&self.recording.operations[place as usize], &self.recording.operations[on as usize]);
        let device = |of: &Operation| self.recording.stream(of).device;
        let slack = if device(operation) == device(other) { self.inexact_ns } else { 2 * self.analysis.thresholds.clock.ns() };
        if place == on || (self.issue(on), on) >= (self.issue(place), place) && other.start >= operation.start {
            return None;
        }
        if other.end.ns() <= operation.start.ns() + slack {
            return Some(Waits { place, on, since_begin: None });
        }
        (is_stream && other.start <= operation.start).then(|| Waits {
            place,
            on,
            since_begin: Some(operation.start.since(other.start).ns()),
        })
    }

    /// The node of a graph that ended last, if an operation is a node of another launch.
    fn last_of_graph(&self, node: u32, call: Option<u32>) -> Option<u32> {
        let of = self.recording.operations[node as usize].call.filter(|&of| Some(of) != call)?;
        self.last_nodes.get(&of).copied()
    }

    /// When an operation was issued, as far as that is known.
    pub(super) fn issue(&self, place: u32) -> Time {
        let operation = &self.recording.operations[place as usize];
        self.recording.call(operation).map_or(operation.start, |call| call.start)
    }

    /// What operations run on, with these changes; and their devices.
    pub(super) fn work(&self, changes: &[ProgramChange], joined: &Joined) -> Vec<(u32, run::Work)> {
        let of = |(place, operation): (usize, &Operation)| {
            let device = self.recording.stream(operation).device;
            (device, joined.work(self.recording, place as u32, self.work_of(place as u32, operation, changes)))
        };
        self.recording.operations.iter().enumerate().map(of).collect()
    }

    /// Whether a stream's kernels go first, with these changes.
    pub(super) fn goes_first(&self, stream: u32, changes: &[ProgramChange]) -> bool {
        self.recording.streams[stream as usize].is_high() || changes.contains(&ProgramChange::HighPriority(stream))
    }
}

/// How far times of a device may be off to each other, by how long before the end of the operation before it in its stream one begins, at
/// most; ns. Where few operations show that, it is `most`.
pub(super) fn inexact_ns(recording: &Recording, most: u64) -> u64 {
    let of = |place: &u32| &recording.operations[*place as usize];
    let overlaps = |operation: &Operation| {
        let kind = recording.call(operation).map(|call| call.kind);
        recording.is_node(operation) || kind.is_none_or(|kind| kind == CallKind::LaunchWithAttributes)
    };
    let pairs = recording.streams.iter().flat_map(|stream| stream.operations.windows(2));
    let pairs = pairs.map(|pair| (of(&pair[0]), of(&pair[1]))).filter(|(before, then)| !overlaps(before) && !overlaps(then));
    let close: Vec<u64> = pairs
        .filter(|(before, then)| then.start.ns().abs_diff(before.end.ns()) <= most)
        .map(|(before, then)| before.end.since(then.start.min(before.end)).ns())
        .collect();
    if close.len() < ENOUGH { most } else { close.into_iter().max().unwrap_or(0).max(MICROSECOND).min(most) }
}

/// Streams in which some kernels communicate with other devices and others compute.
pub(super) fn mixed_streams(recording: &Recording) -> BTreeSet<u32> {
    let mut streams: BTreeMap<u32, [bool; 2]> = BTreeMap::new();
    let communicating = recording.communicating();
    let kernels = recording.operations.iter().zip(communicating).filter(|(operation, _)| operation.kind == OperationKind::Kernel);
    for (operation, communicates) in kernels {
        streams.entry(operation.stream).or_default()[usize::from(communicates)] = true;
    }
    streams.into_iter().filter(|&(_, has)| has == [true; 2]).map(|(stream, _)| stream).collect()
}

/// Remembers the last event of a stream.
fn tell(told: &mut Vec<(u32, u32)>, stream: u32, source: u32) {
    if let Some(of) = told.iter_mut().find(|(of, _)| *of == stream) {
        of.1 = source;
    } else if told.len() < MOST_TOLD {
        told.push((stream, source));
    }
}
