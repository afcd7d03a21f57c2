//! Why an operation waited, in the order of what holds it back: its stream, events, the NULL stream, the host's call, then the others on
//! the device.
//!
//! Invariant: the parts told follow one another from the call to the start.

use super::causes::{Cause, Certainty, WaitPart};
use super::held::MOST_RUNNING;
use super::index::Index;
use super::told::Told;
use super::{CallKind, Operation, OperationKind, Overhead, OverheadKind, StreamKind};
use blockstep_sim::units::{Span, Time};

/// A part that is shorter than this, ns, says nothing: clocks of devices are not that exact (our choice).
const SHORT: Span = Span(100);

/// A copy that begins later than this after its call was staged, or held back (our choice).
const COPY_LAUNCH: Span = Span(20_000);

/// So many operations of a device pending: its queue of launches may be full.
const FULL: u32 = 1_000;

impl Index<'_> {
    /// Adds the parts of an operation's wait.
    pub(super) fn explain(&self, place: u32, parts: &mut Vec<WaitPart>) {
        let from = parts.len();
        self.explain_whole(place, parts);
        join_short(parts, from);
    }

    fn explain_whole(&self, place: u32, parts: &mut Vec<WaitPart>) {
        let operation = self.operation(place);
        let Some(call) = self.recording.call(operation) else { return };
        let (called, start) = (self.recording.called(operation).unwrap_or(call.start), operation.start);
        if start <= called {
            return;
        }
        let clock = self.thresholds.clock_at(self.recording.stream(operation).device, start);
        let mut told = Told { parts, upto: called, start };
        if let Some(before) = self.before[place as usize].filter(|_| !self.recording.is_node(operation)) {
            let previous = self.operation(before);
            let may_overlap = self.may_overlap(operation, call);
            if previous.end.ns() > start.ns() + if may_overlap { clock.ns() } else { 2 * clock.ns() } {
                // Its predecessor still ran.
                let certainty = self.called_later(operation, before, called, &mut told);
                told.explain_until(previous.start, Cause::StreamOrder, certainty, Some(before));
                if start.since(called) <= self.thresholds.launch {
                    told.explain_until(start, Cause::Launch, Certainty::Certain, None);
                } else if may_overlap {
                    told.explain_until(start, Cause::Overlap, Certainty::Consistent, Some(before));
                } else {
                    // Nothing lets it begin early, so the times are not exact.
                    told.explain_until(start, Cause::StreamOrder, Certainty::Consistent, Some(before));
                }
                return;
            }
        }
        self.before_queues(place, called, &mut told);
        if self.recording.is_later_node(operation) {
            if start.since(told.upto).ns() <= self.thresholds.gap.ns() + clock.ns() {
                told.explain_until(start, Cause::Launch, Certainty::Consistent, None);
            }
            self.other_streams(place, called, (Cause::CannotTell, Certainty::Unknown), &mut told);
            return;
        }
        if self.is_over(place, &mut told, called, clock) {
            return;
        }
        self.overheads(operation, call, &mut told);
        // A copy that keeps its thread: the call waits for the copy, so its length is no cause, but what is left was within it.
        let is_synchronous = operation.kind != OperationKind::Kernel && call.end.ns() + clock.ns() >= operation.end.ns();
        if is_synchronous {
            self.other_streams(place, called, (Cause::Call, Certainty::Consistent), &mut told);
            return;
        }
        self.long_call(operation, call, &mut told);
        if self.is_over(place, &mut told, called.max(call.end), clock) {
            return;
        }
        self.other_streams(place, called, (Cause::CannotTell, Certainty::Unknown), &mut told);
    }

    /// Whether an operation may be a programmatic dependent launch: of a kernel, by a launch with attributes, on a GPU of NVIDIA of compute
    /// capability 9.0 or one that the file does not name.
    fn may_overlap(&self, operation: &Operation, call: &super::Call) -> bool {
        let capability = self.recording.device(operation).capability;
        operation.kind == OperationKind::Kernel
            && call.kind == CallKind::LaunchWithAttributes
            && capability.is_none_or(|capability| capability >= (9, 0))
            && !self.recording.is_hip()
    }

    /// What holds an operation back before it comes to the queues of the device.
    pub(super) fn before_queues(&self, place: u32, called: Time, told: &mut Told<'_>) {
        let operation = self.operation(place);
        if self.recording.is_later_node(operation) {
            self.graph_order(place, told);
            return;
        }
        let before = self.before[place as usize];
        let slack = self.slack(self.recording.stream(operation).device, operation.start);
        let until = Time(operation.start.ns().saturating_add(slack.ns()));
        if let Some(before) = before.filter(|&before| !self.recording.is_node(operation) || self.operation(before).end <= until) {
            let certainty = self.called_later(operation, before, called, told);
            told.explain_until(self.operation(before).end, Cause::StreamOrder, certainty, Some(before));
            // A graph is one operation of its stream, whatever streams its nodes ran in.
            if let Some(last) = self.last_of_graph(before, place, until) {
                told.explain_until(self.operation(last).end, Cause::StreamOrder, Certainty::Consistent, Some(last));
            }
        }
        self.events(operation, before, called, slack, told);
        self.null_stream(place, called, slack, told);
    }

    /// How sure the order of an operation and the one before it in its stream is. Of two threads whose calls overlap the one before
    /// may have been called later: until then it held nothing back, and the host was within the call of the operation.
    fn called_later(&self, operation: &Operation, before: u32, called: Time, told: &mut Told<'_>) -> Certainty {
        let Some(since) = self.called(before).filter(|&since| since > called) else { return Certainty::Certain };
        let is_in_call = self.recording.call(operation).is_some_and(|call| call.end >= since);
        let (cause, certainty) = if is_in_call { (Cause::Call, Certainty::Consistent) } else { (Cause::CannotTell, Certainty::Unknown) };
        told.explain_until(since, cause, certainty, None);
        Certainty::Consistent
    }

    /// Whether what is left is no more than a launch takes; then it is told, and the wait is explained. It is certain if nothing else
    /// ran on the device meanwhile.
    fn is_over(&self, place: u32, told: &mut Told<'_>, called: Time, clock: Span) -> bool {
        let is_copy = self.operation(place).kind.is_transfer();
        let launch = if is_copy { self.thresholds.launch.min(COPY_LAUNCH) } else { self.thresholds.launch };
        let most = (called.ns() + launch.ns()).max(told.upto.ns() + self.thresholds.gap.ns()) + clock.ns();
        let is_over = told.start.ns() <= most;
        if is_over {
            let certainty = if self.is_alone(place, told.upto) { Certainty::Certain } else { Certainty::Consistent };
            told.explain_until(told.start, Cause::Launch, certainty, None);
        }
        is_over
    }

    /// Whether nothing of another stream ran on its device from an instant to its start. Where processes share a device, one may have
    /// had it all the same, and so may what is not in the file.
    fn is_alone(&self, place: u32, from: Time) -> bool {
        let operation = self.operation(place);
        if !self.recording.is_whole() || self.has_contexts[self.recording.stream(operation).device as usize] {
            return false;
        }
        let running = &self.running[self.recording.stream(operation).device as usize];
        let others = running.within(self.recording, from, operation.start, MOST_RUNNING);
        others.into_iter().all(|other| self.operation(other).stream == operation.stream)
    }

    /// Events that its stream was told to wait for since the operation before it was called.
    fn events(&self, operation: &Operation, before: Option<u32>, called: Time, slack: Span, told: &mut Told<'_>) {
        let waits = &self.recording.event_waits;
        let since = before.and_then(|before| self.called(before)).unwrap_or(Time::ZERO);
        let end = waits.partition_point(|wait| wait.called <= called);
        let latest = waits[..end]
            .iter()
            .rev()
            .take_while(|wait| wait.called >= since)
            .take(MOST_RUNNING)
            .filter(|wait| wait.stream == operation.stream)
            .filter_map(|wait| wait.source.map(|source| (self.operation(source).end, source, wait.is_certain)))
            .max();
        if let Some((end, source, is_certain)) = latest.filter(|&(end, _, _)| end.ns() <= told.start.ns() + slack.ns()) {
            told.explain_until(end, Cause::Event, if is_certain { Certainty::Certain } else { Certainty::Consistent }, Some(source));
        }
    }

    /// The NULL stream waits for all blocking streams of its context, and they for it.
    fn null_stream(&self, asked: u32, called: Time, slack: Span, told: &mut Told<'_>) {
        let operation = self.operation(asked);
        let (place, streams) = (operation.stream, &self.recording.streams);
        let Some(null) = self.null[place as usize] else { return };
        let may_wait =
            |stream: u32| streams[stream as usize].kind != StreamKind::NonBlocking && !self.towards_null[stream as usize].ignores;
        let is_recorded = |stream: u32| streams[stream as usize].kind == StreamKind::Blocking && streams[null as usize].is_kind_recorded;
        let is_over = |end: Time| end.ns() <= told.start.ns() + slack.ns();
        let released = |end: Time| told.start.since(end) <= self.most_after(operation);
        let has_evidence =
            |end: Time, blocking: u32| is_recorded(blocking) || self.towards_null[blocking as usize].follows || released(end);
        let of = |stream: u32, blocking: u32| {
            let (by, end) = self.last_called(stream, called)?;
            // The same evidence speaks for an event, if the thread had the stream wait for one as the last thing before.
            let is_event =
                || !is_recorded(blocking) && self.waited_just_before(operation) && self.was_told_to_wait(operation, asked, by, called);
            (may_wait(blocking) && is_over(end) && has_evidence(end, blocking) && !is_event()).then_some((end, by, blocking))
        };
        let latest = if null == place {
            // What ended before this is explained changes nothing.
            let upto = told.upto;
            let until = Time(told.start.ns().saturating_add(slack.ns()));
            let ended = self.others_ended(null, until).take_while(move |&(end, _)| end > upto);
            let mut found = ended.filter_map(|(end, other)| {
                let other = self.operation(other).stream;
                of(other, other).filter(|latest| latest.0 == end)
            });
            let first = found.next();
            first.map(|first| found.take_while(|next| next.0 == first.0).fold(first, Ord::max))
        } else {
            of(null, place)
        };
        if let Some((end, by, blocking)) = latest {
            told.explain_until(
                end,
                Cause::NullBarrier,
                if is_recorded(blocking) { Certainty::Certain } else { Certainty::Consistent },
                Some(by),
            );
        }
    }

    /// What the file says that the driver did during the call of an operation.
    fn overheads(&self, operation: &Operation, call: &super::Call, told: &mut Told<'_>) {
        let overheads = &self.recording.overheads;
        let end = overheads.partition_point(|overhead| overhead.start < call.end);
        // Where the file does not say which call it belongs to, all that lies within the call does.
        let is_of_call = |overhead: &&Overhead| overhead.call.is_none() || overhead.call == operation.call;
        let within = overheads[..end].iter().rev().take(64).filter(is_of_call);
        let within = within.filter(|overhead| overhead.start >= call.start && overhead.end <= told.start);
        let mut found: Vec<_> = within.filter(|overhead| overhead.end > told.upto).collect();
        found.reverse();
        for overhead in found {
            let cause = match overhead.kind {
                OverheadKind::Loading => Cause::FirstUse,
                OverheadKind::QueueFull => Cause::QueueFull,
                OverheadKind::Profiler | OverheadKind::Other => continue,
            };
            told.explain_until(overhead.start, Cause::Call, Certainty::Consistent, None);
            told.explain_until(overhead.end, cause, Certainty::Certain, None);
        }
    }

    /// A call that took long.
    fn long_call(&self, operation: &Operation, call: &super::Call, told: &mut Told<'_>) {
        let length = call.end.since(call.start);
        // A call that is not very long explains the wait if the operation began when it was over.
        let clock = self.thresholds.clock_at(self.recording.stream(operation).device, operation.start).ns();
        let (end, start) = (call.end.ns(), told.start.ns());
        let follows = end <= start + clock && start <= end + self.thresholds.launch.ns() + clock;
        if length < self.long_call && !(length > self.thresholds.launch && follows) {
            return;
        }
        if let Some(allocated) = self.allocated_beside(call) {
            told.explain_until(allocated.min(call.end), Cause::ImplicitSync, Certainty::Consistent, None);
            if told.upto.ns() + self.thresholds.launch.ns() >= call.end.ns() {
                told.explain_until(call.end, Cause::Call, Certainty::Consistent, None);
                return;
            }
        }
        let is_first = operation.kind == OperationKind::Kernel && operation.call.is_some_and(|call| self.first_uses.contains(&call));
        let is_full = operation.call.is_some_and(|call| self.pending[call as usize] >= FULL);
        let (cause, certainty) = match () {
            () if is_full => (Cause::QueueFull, Certainty::Consistent),
            () if is_first => (Cause::FirstUse, Certainty::Consistent),
            () => (Cause::Call, Certainty::Consistent),
        };
        told.explain_until(call.end, cause, certainty, None);
    }
}

/// Joins parts that say nothing with the one before them, or the first with the one after it; from a place on.
fn join_short(parts: &mut Vec<WaitPart>, from: usize) {
    let mut place = from;
    while parts.len() - from > 1 && place < parts.len() {
        if parts[place].span() >= SHORT {
            place += 1;
            continue;
        }
        let short = parts.remove(place);
        if place > from {
            parts[place - 1].to = short.to;
        } else {
            parts[place].from = short.from;
        }
    }
}
