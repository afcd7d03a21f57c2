//! The walk back from the end of a device's last operation to the first event.
//!
//! Invariants: every step goes back in time, or at the same instant to an operation that began earlier, so that a walk ends; a piece begins
//! where the one before it ends.

use std::collections::BTreeMap;

use super::host::{HostCalls, ThreadKey, may_wait};
use super::{PathPiece, PathStep, wall_clock};
use crate::causes::{Analysis, Cause, Certainty, WaitPart};
use crate::idle::idle_waits;
use crate::{Call, CallKind, Operation, Recording};
use blockstep_sim::units::{Span, Time};

/// A launch that kept the host for longer waited for the device: our choice, as a full queue of launches keeps it for as long as an
/// operation runs.
const LONG_LAUNCH: Span = Span(200_000);
/// At most so many operations are looked at to find the one that a call waited for.
const MOST_ENDED: usize = 256;

/// What is looked up on the way.
pub(crate) struct Walk<'r> {
    recording: &'r Recording,
    analysis: &'r Analysis,
    host: HostCalls<'r>,
    /// Operations by their ends.
    ended: Vec<u32>,
    /// By operation: the one before it in its stream.
    before: Vec<Option<u32>>,
    /// Calls with the operations that they launched, by call.
    launched: Vec<(u32, u32)>,
    /// Calls in which the host waited while nothing in the file ran, from this instant on.
    idle: BTreeMap<u32, Time>,
    first: Time,
    end: Time,
}

/// Where the walk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WalkPlace {
    /// At an operation: while it ran, or before it.
    Operation(u32),
    /// At a thread of the host.
    Thread(ThreadKey),
}

/// A walk that ended. How it goes on depends on its place and the instant alone, so another walk that meets it goes the same way.
pub(super) struct Walked {
    /// Where it was, when, and how many pieces there were, from the last instant to the first.
    steps: Vec<(WalkPlace, Time, usize)>,
    /// From the last to the first.
    pub(super) pieces: Vec<PathPiece>,
}

impl Walked {
    /// The pieces before an instant, if it was at this place then.
    fn before(&self, place: WalkPlace, at: Time) -> Option<&[PathPiece]> {
        let first = self.steps.partition_point(|step| step.1 > at);
        let mut met = self.steps[first..].iter().take_while(|step| step.1 == at);
        met.find(|step| step.0 == place).map(|step| &self.pieces[step.2..])
    }
}

/// A walk under way: pieces from the last to the first.
struct Trail {
    pieces: Vec<PathPiece>,
    at: Time,
}

impl Trail {
    /// Adds a piece from an earlier instant to where the walk is; nothing if the instant is not earlier.
    fn go_back(&mut self, to: Time, step: PathStep, certainty: Certainty) {
        if to < self.at {
            self.pieces.push(PathPiece { step, certainty, from: to, to: self.at });
            self.at = to;
        }
    }
}

impl<'r> Walk<'r> {
    pub(crate) fn new(recording: &'r Recording, analysis: &'r Analysis) -> Self {
        let mut ended: Vec<u32> = (0..recording.operations.len() as u32).collect();
        ended.sort_by_key(|&place| (recording.operations[place as usize].end, place));
        let mut before = vec![None; recording.operations.len()];
        for stream in &recording.streams {
            for pair in stream.operations.windows(2) {
                before[pair[1] as usize] = Some(pair[0]);
            }
        }
        let launch = |(place, operation): (usize, &Operation)| operation.call.map(|call| (call, place as u32));
        let mut launched: Vec<(u32, u32)> = recording.operations.iter().enumerate().filter_map(launch).collect();
        launched.sort_unstable();
        let (first, end) = wall_clock(recording);
        Self { recording, analysis, host: HostCalls::new(recording), ended, before, launched, idle: idle_waits(recording), first, end }
    }

    fn operation(&self, place: u32) -> &'r Operation {
        &self.recording.operations[place as usize]
    }

    /// The walk from the end of the recording to the first event, for the device that ended with this operation. Where it meets an earlier
    /// one, it goes on as that did. Whether another one may meet this is `is_kept`.
    pub(super) fn back_from(&self, last: u32, earlier: Option<&Walked>, is_kept: bool) -> Walked {
        let mut trail = Trail { pieces: Vec::new(), at: self.end };
        trail.go_back(self.operation(last).end, PathStep::After, Certainty::Certain);
        let (mut place, mut steps) = (Some(WalkPlace::Operation(last)), Vec::new());
        while let Some(here) = place.filter(|_| trail.at > self.first) {
            if let Some(rest) = earlier.and_then(|earlier| earlier.before(here, trail.at)) {
                trail.pieces.extend_from_slice(rest);
                trail.at = self.first;
                break;
            }
            if is_kept {
                steps.push((here, trail.at, trail.pieces.len()));
            }
            place = match here {
                WalkPlace::Operation(operation) => self.before_operation(operation, &mut trail),
                WalkPlace::Thread(thread) => self.before_host(thread, &mut trail),
            };
        }
        trail.go_back(self.first, PathStep::Unknown, Certainty::Unknown);
        Walked { steps, pieces: trail.pieces }
    }

    /// From an operation to what it came from.
    fn before_operation(&self, place: u32, trail: &mut Trail) -> Option<WalkPlace> {
        let operation = self.operation(place);
        trail.go_back(operation.start, PathStep::Running(place), Certainty::Certain);
        let Some(call) = self.recording.call(operation) else { return self.without_call(place, trail) };
        let parts = self.analysis.parts(place);
        let at = trail.at;
        for part in parts.iter().rev().skip_while(|part| part.from >= at) {
            if let Some(by) = self.waited_for(place, part, trail.at) {
                let end = self.operation(by).end;
                trail.go_back(end, PathStep::Waiting(place, part.cause), part.certainty);
                return Some(WalkPlace::Operation(by));
            }
            let step = match part.cause {
                Cause::Call => operation.call.map_or(PathStep::Unknown, PathStep::Call),
                cause => PathStep::Waiting(place, cause),
            };
            trail.go_back(part.from, step, part.certainty);
        }
        if self.recording.is_later_node(operation)
            && let Some(&(_, first)) = self.of_call(operation.call?).first().filter(|&&(_, first)| first < place)
        {
            // It waited from when its graph began, so it goes on with the node that began it.
            trail.go_back(self.operation(first).start, PathStep::Waiting(place, Cause::GraphOrder), Certainty::Consistent);
            return Some(WalkPlace::Operation(first));
        }
        // A start before its call is one of the clocks; the host was there.
        trail.go_back(call.start, PathStep::Waiting(place, Cause::Launch), Certainty::Consistent);
        Some(WalkPlace::Thread((call.process, call.thread)))
    }

    /// The operation that a part of a wait leads to at an instant; only one that began earlier and had not ended before the part.
    fn waited_for(&self, place: u32, part: &WaitPart, at: Time) -> Option<u32> {
        let by = match part.cause {
            Cause::QueueFull => self.running_at(at, self.recording.stream(self.operation(place)).device),
            _ => part.by,
        };
        let began = |place: u32| (self.operation(place).start, place);
        by.filter(|&by| began(by) < began(place) && self.operation(by).end > part.from)
    }

    /// From an operation whose call is not recorded: stream order is known, and nothing else.
    fn without_call(&self, place: u32, trail: &mut Trail) -> Option<WalkPlace> {
        let device = self.recording.stream(self.operation(place)).device;
        if let Some(before) = self.before[place as usize] {
            let (end, gap) = (self.operation(before).end, self.analysis.thresholds.gap);
            if trail.at.since(end) <= gap {
                trail.go_back(end, PathStep::Waiting(place, Cause::Launch), Certainty::Consistent);
                return Some(WalkPlace::Operation(before));
            }
        }
        let began = |place: u32| (self.operation(place).start, place);
        let is_there = |other: u32| self.recording.stream(self.operation(other)).device == device && began(other) < began(place);
        let ended = self.ended_by(trail.at).find(|&other| is_there(other))?;
        trail.go_back(self.operation(ended).end, PathStep::Unknown, Certainty::Unknown);
        Some(WalkPlace::Operation(ended))
    }

    /// From a thread of the host to what it came from.
    fn before_host(&self, thread: ThreadKey, trail: &mut Trail) -> Option<WalkPlace> {
        let Some((place, is_of_other)) = self.host.came_from(thread, trail.at) else {
            self.between_calls(thread, self.first, Certainty::Consistent, trail);
            return None;
        };
        let call = &self.recording.calls[place as usize];
        let certainty = if is_of_other { Certainty::Consistent } else { Certainty::Certain };
        self.between_calls(thread, call.end, certainty, trail);
        if let Some(&from) = self.idle.get(&place) {
            trail.go_back(from, PathStep::Unknown, Certainty::Unknown);
        }
        if let Some(operation) = self.held_by(place, call, trail.at) {
            trail.go_back(self.operation(operation).end, PathStep::Call(place), Certainty::Consistent);
            return Some(WalkPlace::Operation(operation));
        }
        trail.go_back(call.start, PathStep::Call(place), Certainty::Certain);
        Some(WalkPlace::Thread((call.process, call.thread)))
    }

    /// The call that a thread came from at an instant: its own last one, or that of another thread that it seems to have waited for.
    pub(crate) fn came_from(&self, thread: ThreadKey, at: Time) -> Option<u32> {
        self.host.came_from(thread, at).map(|(place, _)| place)
    }

    /// All threads of the host.
    pub(super) fn threads(&self) -> Vec<ThreadKey> {
        self.host.threads()
    }

    /// What a thread ran from the first event to the end of the recording, whatever others did, by time.
    pub(super) fn of_thread(&self, thread: ThreadKey) -> Vec<PathPiece> {
        let mut trail = Trail { pieces: Vec::new(), at: self.end };
        while trail.at > self.first {
            let call = self.host.own_before(thread, trail.at).map(|place| (place, &self.recording.calls[place as usize]));
            let end = call.map_or(self.first, |(_, call)| call.end);
            self.between_calls(thread, end, Certainty::Consistent, &mut trail);
            let Some((place, call)) = call else { break };
            trail.go_back(call.start, PathStep::Call(place), Certainty::Certain);
        }
        trail.pieces.reverse();
        trail.pieces
    }

    /// Goes back to an instant through what a thread ran between its calls.
    fn between_calls(&self, thread: ThreadKey, to: Time, certainty: Certainty, trail: &mut Trail) {
        while trail.at > to {
            let (since, span) = self.host.span_before(thread, trail.at);
            trail.go_back(since.max(to), PathStep::Host(span), certainty);
        }
    }

    /// What a thread ran from one instant to another, without a call, from the last to the first: each a span or none, and how long, ns.
    pub(crate) fn between(&self, thread: ThreadKey, from: Time, mut to: Time) -> impl Iterator<Item = (Option<u32>, u64)> {
        std::iter::from_fn(move || {
            let (since, span) = (to > from).then(|| self.host.span_before(thread, to))?;
            let since = since.max(from);
            Some((span, std::mem::replace(&mut to, since).since(since).ns()))
        })
    }

    /// The operation that kept the host within a call until an instant.
    pub(crate) fn held_by(&self, place: u32, call: &Call, at: Time) -> Option<u32> {
        let clock = self.analysis.thresholds.clock;
        let length = at.since(call.start);
        let own = self.of_call(place);
        if let Some(&(_, last)) = own.iter().max_by_key(|&&(_, operation)| self.operation(operation).end) {
            let end = self.operation(last).end;
            // A copy that ended within its call kept the host.
            if call.kind == CallKind::Memory && end <= later(at, clock) && end > call.start {
                return Some(last);
            }
            let is_launch = matches!(call.kind, CallKind::Launch | CallKind::LaunchWithAttributes | CallKind::Memory);
            if is_launch && length > LONG_LAUNCH {
                let device = self.recording.stream(self.operation(last)).device;
                return self.running_at(at, device).filter(|&by| self.operation(by).start < at && self.operation(by).call != Some(place));
            }
            return None;
        }
        if !may_wait(call.kind) || (call.kind != CallKind::HostWait && length <= LONG_LAUNCH) {
            return None;
        }
        // A wait of the host ends with the last operation that it waited for.
        let could_wait = |&other: &u32| {
            let operation = self.operation(other);
            let is_of_process = self.recording.stream(operation).process == call.process;
            is_of_process && operation.end > call.start && self.recording.call(operation).is_none_or(|other| other.start < call.start)
        };
        self.ended_by(later(at, clock)).take_while(|&other| self.operation(other).end > call.start).find(could_wait)
    }

    /// A call, an index, with each operation that it launched, by start.
    fn of_call(&self, call: u32) -> &[(u32, u32)] {
        let (from, to) = (|&(other, _): &(u32, u32)| other < call, |&(other, _): &(u32, u32)| other <= call);
        &self.launched[self.launched.partition_point(from)..self.launched.partition_point(to)]
    }

    /// Operations that ended by an instant, the last first.
    fn ended_by(&self, at: Time) -> impl Iterator<Item = u32> + '_ {
        let end = self.ended.partition_point(|&place| self.operation(place).end <= at);
        self.ended[..end].iter().rev().take(MOST_ENDED).copied()
    }

    /// An operation that ran on a device just before an instant: of several the one that began first.
    fn running_at(&self, at: Time, device: u32) -> Option<u32> {
        let end = self.recording.operations.partition_point(|operation| operation.start < at);
        let is_running = |&place: &usize| {
            let operation = &self.recording.operations[place];
            operation.end >= at && self.recording.stream(operation).device == device
        };
        (end.saturating_sub(MOST_ENDED)..end).find(is_running).map(|place| place as u32)
    }
}

fn later(at: Time, span: Span) -> Time {
    Time(at.ns().saturating_add(span.ns()))
}
