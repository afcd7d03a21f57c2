//! What the host of a replay does: when each call begins, what keeps the host within it, and what would be one graph.
//!
//! Invariant: a call comes after one that began before it.

use std::collections::{BTreeMap, BTreeSet};

use super::collectives::Joined;
use super::model::Model;
use super::run::{Events, Node};
use super::{ProgramChange, is_staged, is_value};
use crate::causes::Cause;
use crate::path::host::may_wait;
use crate::path::walk::Walk;
use crate::{Call, CallKind, OperationKind};
use blockstep_sim::units::Time;

/// A thread that does something else for longer between two launches ends a graph, ns.
const GRAPH_GAP: u64 = 1_000_000;
/// What a call takes that does not wait, ns.
pub(super) const SHORT_CALL: u64 = 5_000;

/// When a call begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begins {
    /// At this instant, as nothing was before it.
    At(Time),
    /// So long after another, an index, returned, ns.
    AfterEnd(u32, u64),
    /// So long after another, an index, began, ns: it is called within that.
    AfterBegin(u32, u64),
}

/// What keeps the host within a call.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Keeps {
    /// Nothing.
    Nothing,
    /// An operation that had not ended, and so long after it, ns.
    End(u32, u64),
    /// An operation that had not begun, as the queue of launches was full, and so long after it, ns.
    Begin(u32, u64),
    /// The last operations of these streams that were issued before.
    Streams(Vec<u32>, u64),
    /// A call of another thread, an index, until it returned, and so long after that, ns.
    Call(u32, u64),
}

/// A call of the host.
#[derive(Clone, Debug)]
pub(super) struct HostCall {
    begins: Begins,
    /// How long it takes if nothing keeps it, ns.
    own_ns: u64,
    keeps: Keeps,
}

/// What the host did before calls that followed others, by call: spans, with how long it was in each, ns.
#[derive(Debug, Default)]
pub(super) struct BetweenCalls {
    steps: Vec<(Option<u32>, u64)>,
    /// Where the steps of each call end.
    ends: Vec<u32>,
}

impl BetweenCalls {
    /// By call, in their order: the steps before it.
    pub(super) fn each(&self) -> impl Iterator<Item = &[(Option<u32>, u64)]> {
        let mut from = 0;
        self.ends.iter().map(move |&end| &self.steps[std::mem::replace(&mut from, end as usize)..end as usize])
    }
}

/// Launches of a thread that would be one graph, as far as they are known.
struct OpenGraph {
    /// The first call.
    first: u32,
    /// When the last call returned.
    upto: Time,
    /// Calls since the last launch.
    between: Vec<u32>,
}

/// What was issued before a call.
#[derive(Default)]
struct IssuedSoFar {
    /// By stream: its last operation.
    last: Vec<Option<u32>>,
    /// Streams with operations since the last call that waited for all.
    since_all: BTreeSet<u32>,
}

impl Model<'_> {
    /// Adds a call: what it comes after, and what keeps it. Between it and the one before, the host does so much less, ns.
    pub(super) fn add_call(&self, place: u32, changes: &[ProgramChange], (joined, less_ns): (&Joined, u64), events: &mut Events) {
        let call = &self.recording.calls[place as usize];
        let HostCall { begins, own_ns, keeps } = &self.calls[place as usize];
        let has = |change| changes.contains(&change);
        let in_graph = has(ProgramChange::Graphs) && self.in_graph.contains_key(&place);
        let without = joined.without_call(place);
        let is_gone = in_graph
            || without.is_some()
            || has(ProgramChange::NoAllocations) && call.kind == CallKind::Allocation && call.start > self.first_issue
            || has(ProgramChange::FewerWaits) && call.kind == CallKind::HostWait
            || has(ProgramChange::FewerReads) && self.reads_value(place);
        match *begins {
            Begins::At(at) => events.not_before(Node::CallBegin(place), at),
            Begins::AfterEnd(before, ns) => {
                let ns = ns.saturating_sub(less_ns).saturating_sub(without.unwrap_or(0));
                events.after(Node::CallEnd(before), Node::CallBegin(place), if in_graph { 0 } else { ns as i64 });
            }
            Begins::AfterBegin(before, ns) => {
                let ns = self.own_with(before, ns, changes);
                events.after(Node::CallBegin(before), Node::CallBegin(place), if in_graph { 0 } else { ns as i64 });
            }
        }
        let is_pinned = has(ProgramChange::Pinned) && call.kind == CallKind::Memory && self.copies_pageable(place);
        let (loads, is_loaded) = (self.loading.contains(&place), has(ProgramChange::WarmUp));
        let own_ns = match () {
            // The code of what a graph launches has to be loaded, too.
            () if in_graph && loads && !is_loaded => own_ns.saturating_sub(SHORT_CALL),
            () if is_gone => 0,
            () if is_pinned || loads && is_loaded => SHORT_CALL.min(*own_ns),
            () => self.own_with(place, *own_ns, changes).saturating_add(self.of_nodes(place, changes)),
        };
        events.after(Node::CallBegin(place), Node::CallEnd(place), own_ns as i64);
        if is_gone || is_pinned {
            return;
        }
        // What the call takes after that is its own.
        let then = |ns: u64| self.own_with(place, if loads && is_loaded { SHORT_CALL.min(ns) } else { ns }, changes) as i64;
        match keeps {
            Keeps::Nothing => {}
            Keeps::End(operation, ns) => events.after(Node::End(joined.stands_for(*operation)), Node::CallEnd(place), then(*ns)),
            Keeps::Begin(operation, ns) => events.after(Node::Begin(*operation), Node::CallEnd(place), then(*ns)),
            Keeps::Call(by, ns) => events.after(Node::CallEnd(*by), Node::CallEnd(place), then(*ns)),
            Keeps::Streams(lasts, ns) => {
                for &last in lasts {
                    events.after(Node::End(joined.stands_for(last)), Node::CallEnd(place), then(*ns));
                }
            }
        }
    }

    /// Since when the host did nothing else before a call than what it ran itself; `None` if it was within another call, or nothing was before.
    pub(super) fn free_since(&self, call: u32) -> Option<Time> {
        match self.calls[call as usize].begins {
            Begins::AfterEnd(before, _) => Some(self.recording.calls[before as usize].end),
            Begins::At(_) | Begins::AfterBegin(..) => None,
        }
    }

    /// The operations until whose end the host waits in a call.
    pub(super) fn kept_by(&self, call: u32) -> &[u32] {
        match &self.calls[call as usize].keeps {
            Keeps::End(operation, _) => std::slice::from_ref(operation),
            Keeps::Streams(lasts, _) => lasts,
            Keeps::Nothing | Keeps::Begin(..) | Keeps::Call(..) => &[],
        }
    }

    /// Whether a call copies pageable memory that is not read at once.
    fn copies_pageable(&self, call: u32) -> bool {
        self.of_call(call).iter().any(|&place| is_staged(self.recording, &self.recording.operations[place as usize]))
    }

    /// Whether a call reads a value that the host waits for.
    pub(super) fn reads_value(&self, call: u32) -> bool {
        self.of_call(call).iter().any(|&place| is_value(self.recording, &self.recording.operations[place as usize]))
    }

    /// What the host does in and between its calls.
    pub(super) fn host_calls(&self, walk: &Walk<'_>) -> Vec<HostCall> {
        let recording = self.recording;
        // By thread the stream of its last launch.
        let mut streams = IssuedSoFar { last: vec![None; recording.streams.len()], ..IssuedSoFar::default() };
        let mut launched: BTreeMap<(u64, u64), u32> = BTreeMap::new();
        let mut next = 0;
        let mut calls: Vec<HostCall> = Vec::with_capacity(recording.calls.len());
        for (place, call) in recording.calls.iter().enumerate() {
            while let Some(&operation) = self.issued.get(next).filter(|&&operation| self.issue(operation) < call.start) {
                let of = &recording.operations[operation as usize];
                streams.last[of.stream as usize] = Some(operation);
                streams.since_all.insert(of.stream);
                if let Some(by) = recording.call(of) {
                    launched.insert((by.process, by.thread), of.stream);
                }
                next += 1;
            }
            let stream = launched.get(&(call.process, call.thread)).copied();
            let (keeps, own_ns) = self.keeps(place as u32, call, walk, (&mut streams, stream));
            calls.push(HostCall { begins: self.begins(call, walk), own_ns, keeps });
        }
        calls
    }

    /// What the host does between its calls.
    pub(super) fn between_calls(&self, walk: &Walk<'_>) -> BetweenCalls {
        let mut between = BetweenCalls::default();
        for (place, call) in (0_u32..).zip(&self.recording.calls) {
            if let Some(from) = self.free_since(place) {
                between.steps.extend(walk.between((call.process, call.thread), from, call.start));
            }
            between.ends.push(between.steps.len() as u32);
        }
        between
    }

    /// What the calls show of events: a thread waits for the events that were recorded last, one for each wait.
    pub(super) fn events_of_calls(&self) -> BTreeMap<u32, Vec<u32>> {
        /// So many events are remembered.
        const MOST: usize = 64;
        let recording = self.recording;
        let launches = recording.launching();
        // Whether the file has the wait of a call, and not what for.
        let is_without_source = |call: &Call| {
            let first = recording.event_waits.partition_point(|wait| wait.called < call.start);
            recording.event_waits[first..].iter().take_while(|wait| wait.called <= call.end).any(|wait| wait.source.is_none())
        };
        let (mut next, mut all) = (0, BTreeMap::new());
        // By process: the operations after which events were recorded. By thread: its last operation, and how many waits since.
        let mut recorded: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        let mut last: BTreeMap<(u64, u64), u32> = BTreeMap::new();
        let mut waits: BTreeMap<(u64, u64), Vec<u32>> = BTreeMap::new();
        for (place, call) in recording.calls.iter().enumerate() {
            while let Some(&operation) = self.issued.get(next).filter(|&&operation| self.issue(operation) < call.start) {
                if let Some(by) = recording.call(&recording.operations[operation as usize]) {
                    last.insert((by.process, by.thread), operation);
                }
                next += 1;
            }
            let key = (call.process, call.thread);
            let recorded = recorded.entry(call.process).or_default();
            let is_event = || recording.names.get(call.name as usize).is_some_and(|name| name.contains("Event"));
            match call.kind {
                CallKind::EventRecord => {
                    if let Some(&operation) = last.get(&key).filter(|operation| recorded.last() != Some(operation)) {
                        recorded.drain(..recorded.len().saturating_sub(MOST));
                        recorded.push(operation);
                    }
                }
                CallKind::HostWait if is_event() => {
                    all.insert(place as u32, recorded.last().copied().into_iter().collect());
                }
                CallKind::StreamWait if !recording.has_event_waits || is_without_source(call) => {
                    let waits = waits.entry(key).or_default();
                    waits.extend(recorded.iter().rev().nth(waits.len()));
                }
                _ if launches[place] => {
                    if let Some(waits) = waits.remove(&key) {
                        all.insert(place as u32, waits);
                    }
                }
                _ => {}
            }
        }
        all
    }

    /// Names of calls that allocate or free, and once returned while an operation of their process, issued before, still ran.
    pub(super) fn returning_early(&self) -> BTreeSet<u32> {
        let recording = self.recording;
        let (mut early, mut next) = (BTreeSet::new(), 0);
        // By process: the latest end of what was issued so far.
        let mut latest: BTreeMap<u64, Time> = BTreeMap::new();
        for call in &recording.calls {
            while let Some(&operation) = self.issued.get(next).filter(|&&operation| self.issue(operation) < call.start) {
                let of = &recording.operations[operation as usize];
                let latest = latest.entry(recording.stream(of).process).or_default();
                *latest = (*latest).max(of.end);
                next += 1;
            }
            let slack = self.analysis.thresholds.clock.ns() * 2;
            let runs_on = latest.get(&call.process).is_some_and(|end| end.ns() > call.end.ns() + slack);
            if call.kind == CallKind::Allocation && runs_on {
                early.insert(call.name);
            }
        }
        early
    }

    /// What a call comes after: the last one of its thread, or of another that it seems to have waited for.
    fn begins(&self, call: &Call, walk: &Walk<'_>) -> Begins {
        match walk.came_from((call.process, call.thread), call.start) {
            None => Begins::At(call.start),
            Some(before) => {
                let of = &self.recording.calls[before as usize];
                if of.end <= call.start {
                    Begins::AfterEnd(before, call.start.since(of.end).ns())
                } else {
                    Begins::AfterBegin(before, call.start.since(of.start).ns())
                }
            }
        }
    }

    /// What keeps the host within a call, and how long the call takes if that does not, ns.
    fn keeps(&self, place: u32, call: &Call, walk: &Walk<'_>, (streams, stream): (&mut IssuedSoFar, Option<u32>)) -> (Keeps, u64) {
        let of = |place: u32| &self.recording.operations[place as usize];
        let duration = call.end.since(call.start).ns();
        let short = |ns: u64| ns.min(SHORT_CALL);
        if let Some(&by) = self.locked.get(&place) {
            let after = call.end.since(self.recording.calls[by as usize].end).ns();
            return (Keeps::Call(by, after), duration.min(after.max(short(duration))));
        }
        // A migration is no operation that a call waits for: what needs the page does.
        let held = walk.held_by(place, call, call.end).filter(|&by| of(by).kind != OperationKind::Migration);
        if let Some(by) = held.filter(|&by| of(by).end.ns() > call.end.ns() + self.analysis.thresholds.clock.ns()) {
            // It ran on after the call, so that it began is what made room in the queue of launches, if that was full.
            let is_full = |place: &u32| self.analysis.parts(*place).iter().any(|part| part.cause == Cause::QueueFull);
            let is_room = of(by).start > call.start && self.of_call(place).iter().any(is_full);
            return if is_room {
                (Keeps::Begin(by, call.end.since(of(by).start).ns()), short(duration))
            } else {
                (Keeps::Nothing, duration)
            };
        }
        // What it takes after that ended, it takes in any case.
        let after = held.map(|by| call.end.since(of(by).end).ns());
        let own_ns = after.map_or(duration, |after| duration.min(after.max(short(duration))));
        let after = after.unwrap_or(short(duration));
        let may_keep = match call.kind {
            CallKind::HostWait => true,
            // Memory that is freed may be in use, so as long as the recording shows nothing else it waits for all.
            CallKind::Allocation => !self.returns_early.contains(&call.name),
            _ => false,
        };
        if !may_keep {
            return (held.filter(|_| may_wait(call.kind)).map_or(Keeps::Nothing, |by| Keeps::End(by, after)), own_ns);
        }
        let name = self.recording.names.get(call.name as usize).map_or("", String::as_str);
        if name.contains("Event") {
            let last = || self.events.get(&place).and_then(|events| events.last().copied());
            return (held.or_else(last).map_or(Keeps::Nothing, |by| Keeps::End(by, after)), own_ns);
        }
        if name.contains("Stream") {
            let stream = held.map(|by| of(by).stream).or(stream);
            return (Keeps::Streams(stream.and_then(|stream| streams.last[stream as usize]).into_iter().collect(), after), own_ns);
        }
        let is_own = |stream: &u32| self.recording.streams[*stream as usize].process == call.process;
        let all = std::mem::take(&mut streams.since_all);
        let lasts = all.into_iter().filter(is_own).filter_map(|stream| streams.last[stream as usize]).collect();
        (Keeps::Streams(lasts, after), own_ns)
    }

    /// The launches that would be one graph: those of a thread one after another, without a call between that waits, or may.
    pub(super) fn graphs(&self) -> (BTreeMap<u32, u32>, BTreeMap<u32, u64>) {
        let recording = self.recording;
        let launches = recording.launching();
        let mut open: BTreeMap<(u64, u64), OpenGraph> = BTreeMap::new();
        let (mut all, mut further) = (BTreeMap::new(), BTreeMap::new());
        for (place, call) in recording.calls.iter().enumerate() {
            let key = (call.process, call.thread);
            let keeps = &self.calls[place].keeps;
            let ends = match call.kind {
                CallKind::HostWait | CallKind::Allocation | CallKind::Graph => true,
                CallKind::Memory => *keeps != Keeps::Nothing,
                _ => false,
            };
            if ends || open.get(&key).is_some_and(|graph| call.start.since(graph.upto).ns() > GRAPH_GAP) {
                open.remove(&key);
            }
            if ends {
                continue;
            }
            match open.get_mut(&key) {
                None if launches[place] => {
                    open.insert(key, OpenGraph { first: place as u32, upto: call.end, between: Vec::new() });
                }
                None => {}
                Some(graph) => {
                    graph.upto = graph.upto.max(call.end);
                    graph.between.push(place as u32);
                    if launches[place] {
                        all.extend(graph.between.drain(..).map(|call| (call, graph.first)));
                        *further.entry(graph.first).or_insert(0) += 1;
                    }
                }
            }
        }
        (all, further)
    }
}
