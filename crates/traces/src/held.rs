//! What on the device held an operation back that its stream did not: copy engines, shared queues, room, other processes.
//!
//! Invariant: what ended a wait ended shortly before it; so waits are explained from their ends backwards, as far as something does.

use super::causes::{Cause, Certainty, DEFAULT_CONNECTIONS, WaitPart};
use super::index::Index;
use super::room::{Need, Sms};
use super::told::Told;
use super::{Call, CallKind, Operation, OperationKind};
use blockstep_sim::units::{Span, Time};

/// At most so many running operations are looked at for one wait.
pub(super) const MOST_RUNNING: usize = 4_096;
/// At most so many parts of one wait are explained one by one.
const MOST_PARTS: usize = 16;
/// The same of a copy: between those that ran one after another on its engine there may be gaps.
const MOST_PARTS_OF_COPY: usize = 128;
/// A device runs no more kernels than this at once (128), so that more are not looked at.
const MOST_KERNELS: usize = 128;
/// At most so many devices are looked at for an event of another one.
const MOST_DEVICES: usize = 64;
/// At most so many changes on the device during one wait are looked at.
const MOST_CHANGES: usize = 128;

/// A switch from one context to another takes no longer than this (our choice).
const SWITCH: Span = Span(50_000);

/// What may have held an operation back until an instant.
struct HoldSearch {
    /// The operation.
    place: u32,
    /// When it was called.
    called: Time,
    /// What went before is explained.
    from: Time,
    /// Until when it was held back.
    to: Time,
    /// What ended between this and `to` may have let it go.
    near: Time,
    /// Two times that are the same in truth may be so far apart.
    slack: Span,
}

impl HoldSearch {
    fn part(&self, cause: Cause, certainty: Certainty, since: Time, by: u32) -> WaitPart {
        WaitPart { cause, certainty, from: since.max(self.from).min(self.to), to: self.to, by: Some(by), lack: None }
    }

    fn ended(&self, end: Time) -> bool {
        end.ns() <= self.to.ns() + self.slack.ns()
    }
}

impl Index<'_> {
    /// What is left of the wait: looked for from its end backwards, as what ended it ended then. What nothing explains has the cause
    /// `rest_is`.
    pub(super) fn other_streams(&self, place: u32, called: Time, rest_is: (Cause, Certainty), told: &mut Told<'_>) {
        let (operation, from) = (self.operation(place), told.upto);
        let device = self.recording.stream(operation).device;
        let slack = self.slack(device, operation.start);
        let most_after = self.most_after(operation).ns();
        let mut found: Vec<WaitPart> = Vec::new();
        let mut to = told.start;
        let most = if operation.kind.is_transfer() { MOST_PARTS_OF_COPY } else { MOST_PARTS };
        while to > from && found.len() < most {
            let near = Time(to.ns().saturating_sub(most_after));
            let asked = HoldSearch { place, called, from, to, near, slack };
            let Some(part) = self.held_until(&asked).or_else(|| self.idle_engine(&asked, found.last()?, rest_is)) else { break };
            if part.from >= to {
                break;
            }
            to = part.from;
            found.push(part);
        }
        // The start of what was explained may be the end of a short launch.
        let rest = to.since(from);
        if !found.is_empty() && rest.ns() <= self.thresholds.launch.ns() + slack.ns() / 2 {
            told.explain_until(to, Cause::Launch, Certainty::Consistent, None);
        } else if rest > Span::ZERO {
            told.explain_until(to, rest_is.0, rest_is.1, None);
        }
        for part in found.into_iter().rev() {
            told.take(part);
        }
        debug_assert_eq!(told.upto, operation.start, "the parts of a wait leave no gap");
    }

    /// What held an operation back until `to`, and since when, but not before `from`.
    fn held_until(&self, asked: &HoldSearch) -> Option<WaitPart> {
        let (place, to) = (asked.place, asked.to);
        let operation = self.operation(place);
        let device = self.recording.stream(operation).device;
        let of = |place: u32| self.operation(place);
        // Those that ran shortly before, and whose end may have let this one start.
        let running = &self.running[device as usize];
        let upto = Time(to.ns().saturating_add(asked.slack.ns()));
        let ran: Vec<u32> = running
            .within(self.recording, asked.near, upto, MOST_RUNNING)
            .filter(|&other| other != place && of(other).stream != operation.stream && of(other).kind != OperationKind::Migration)
            .collect();
        let released: Vec<u32> = ran.iter().copied().filter(|&other| of(other).start < to && asked.ended(of(other).end)).collect();
        let released = || released.iter().copied();
        let latest = |all: &mut dyn Iterator<Item = u32>| all.max_by_key(|&other| of(other).end);

        if let Some(part) = self.other_process(asked, &ran) {
            return Some(part);
        }
        if operation.kind.is_transfer() {
            let is_alike = |other: &u32| {
                let other = of(*other);
                let is_alike = other.kind == operation.kind || (other.kind.is_transfer() && !self.has_two_engines[device as usize]);
                is_alike && other.start < to
            };
            if let Some(by) = latest(&mut released().filter(is_alike)) {
                return Some(asked.part(Cause::CopyEngine, Certainty::Consistent, of(self.engines.first_before(by)).start, by));
            }
        }
        let elsewhere = || self.released_elsewhere(asked);
        if let Some(by) =
            latest(&mut released().chain(elsewhere()).filter(|&other| self.was_told_to_wait(operation, place, other, asked.called)))
        {
            return Some(asked.part(Cause::Event, Certainty::Consistent, Time::ZERO, by));
        }
        if let Some(by) = latest(&mut released().filter(|&other| self.allocates_between(other, asked.called))) {
            return Some(asked.part(Cause::ImplicitSync, Certainty::Consistent, Time::ZERO, by));
        }
        if let Some(channel) = operation.channel {
            let ahead =
                |other: &u32| of(*other).channel == Some(channel) && self.called_before(*other, asked.called) && of(*other).start < to;
            if let Some(by) = latest(&mut ran.iter().copied().filter(ahead)) {
                // In a queue of HSA a kernel waits for those ahead only if its packet says so, and no file has that.
                let certainty = if self.recording.is_hip() { Certainty::Consistent } else { Certainty::Certain };
                return Some(asked.part(Cause::Connection, certainty, Time::ZERO, by));
            }
        }
        if operation.kind != OperationKind::Kernel {
            return None;
        }
        if let Some(part) = self.queue(asked) {
            return Some(part);
        }
        if self.shares_queues(operation)
            && let Some(by) = latest(&mut released().filter(|&other| self.called_before(other, asked.called)))
        {
            return Some(asked.part(Cause::Connection, Certainty::Consistent, of(by).start, by));
        }
        None
    }

    /// The time before a copy that held this one back, in which their engine ran nothing, back to the copy before it. What was called
    /// before stands before it, so that this one may have been ready all the while. Why it did not start then is not told by that.
    fn idle_engine(&self, asked: &HoldSearch, after: &WaitPart, rest_is: (Cause, Certainty)) -> Option<WaitPart> {
        let first = self.engines.first_before(after.by.filter(|_| after.cause == Cause::CopyEngine)?);
        let ended = self.operation(self.engines.ended_by(self, self.operation(asked.place), asked.to)?).end;
        let is_ahead = self.called_before(first, asked.called) && ended > asked.from && ended < asked.to;
        is_ahead.then_some(WaitPart { cause: rest_is.0, certainty: rest_is.1, from: ended, to: asked.to, by: None, lack: None })
    }

    /// Operations of its process on other devices whose end may have let it go: an event may be of another device.
    fn released_elsewhere(&self, asked: &HoldSearch) -> impl Iterator<Item = u32> {
        let own = self.recording.stream(self.operation(asked.place));
        let upto = Time(asked.to.ns().saturating_add(asked.slack.ns()));
        let devices = (0..self.running.len().min(MOST_DEVICES)).filter(move |&device| device != own.device as usize);
        let all = devices.flat_map(move |device| self.running[device].within(self.recording, asked.near, upto, MOST_RUNNING));
        all.filter(move |&other| {
            let of = self.operation(other);
            self.recording.stream(of).process == own.process && of.start < asked.to && asked.ended(of.end)
        })
    }

    /// Whether only work of another process or context ran until `to`, or until a switch before it.
    fn other_process(&self, asked: &HoldSearch, ran: &[u32]) -> Option<WaitPart> {
        let of = |place: u32| self.operation(place);
        let own = self.context(asked.place);
        if !self.has_contexts[self.recording.stream(of(asked.place)).device as usize] {
            return None;
        }
        // If something of its own has just ended, that may have let it go.
        if ran.iter().any(|&other| self.context(other) == own && asked.ended(of(other).end)) {
            return None;
        }
        let since = Time(asked.near.ns().saturating_sub(SWITCH.ns()));
        let others = self.running[self.recording.stream(of(asked.place)).device as usize]
            .within(self.recording, since, asked.to, MOST_RUNNING)
            .filter(|&other| self.context(other) != own && of(other).kind != OperationKind::Migration);
        let others: Vec<u32> = others.collect();
        let by = others.iter().copied().max_by_key(|&other| of(other).end.min(asked.to))?;
        let since = others.iter().map(|&other| of(other).start).min()?;
        Some(asked.part(Cause::OtherProcess, Certainty::Consistent, since, by))
    }

    /// The queue in which kernels wait for room: until `to` the head of it was another kernel, or there was no room for this one.
    fn queue(&self, asked: &HoldSearch) -> Option<WaitPart> {
        let operation = self.operation(asked.place);
        let need = Need::for_kernel(self.recording, operation)?;
        let upto = Time(asked.to.ns().saturating_add(asked.slack.ns()));
        let own = self.context(asked.place);
        let all: Vec<u32> = self.running[self.recording.stream(operation).device as usize]
            .within(self.recording, asked.from, upto, MOST_RUNNING)
            .filter(|&other| other != asked.place && self.operation(other).kind == OperationKind::Kernel && self.context(other) == own)
            .take(MOST_KERNELS)
            .collect();
        let mut heads: Vec<u32> = all.iter().copied().filter(|&other| self.is_ahead(other, asked)).collect();
        heads.sort_by_key(|&head| (self.ready[head as usize], self.called(head)));
        // Between the instants at which something changes nothing does; they are gone through backwards.
        let mut instants: Vec<Time> = all.iter().flat_map(|&other| [self.operation(other).start, self.operation(other).end]).collect();
        instants.extend(heads.iter().flat_map(|&head| [self.ready[head as usize], self.assigned[head as usize]]));
        instants.retain(|&at| at > asked.from && at < asked.to);
        instants.push(asked.from);
        instants.sort_unstable();
        instants.dedup();
        let shares_queues = self.shares_queues(operation);
        let mut found: Option<WaitPart> = None;
        let mut upto = asked.to;
        for &at in instants.iter().rev().take(MOST_CHANGES) {
            let running: Vec<u32> =
                all.iter().copied().filter(|&other| self.operation(other).start <= at && self.operation(other).end > at).collect();
            // On an empty device there is room.
            let sms = if running.is_empty() { None } else { self.filled(asked.place, &running, at) };
            let lack = |need: &Need| sms.as_ref().and_then(|sms| sms.lack(need));
            let has_room = |head: u32| Need::for_kernel(self.recording, self.operation(head)).is_some_and(|need| lack(&need).is_none());
            let waits = |&head: &u32| self.ready[head as usize] <= at && at < self.assigned[head as usize];
            let head = heads.iter().copied().filter(waits).find(|&head| !shares_queues || !has_room(head));
            let no_room = || running.first().copied().zip(lack(&need)).map(|(by, lack)| (Cause::NoRoom, by, Some(lack)));
            let now = match head {
                Some(head) if self.began_before(head, asked) => Some((Cause::BehindHead, head, None)),
                // Both began together: which of them came first is less sure than that there was no room.
                Some(head) => no_room().or(Some((Cause::BehindHead, head, None))),
                None => no_room(),
            };
            match (&mut found, now) {
                (None, Some((cause, by, lack))) if upto > asked.near => {
                    found = Some(WaitPart { lack, ..asked.part(cause, Certainty::Consistent, at, by) });
                }
                (Some(part), Some((cause, ..))) if part.cause == cause => part.from = at,
                // A moment between two such times is the jitter of the clock.
                (Some(part), _) if part.from.since(at) <= asked.slack => {}
                (None, None) if at > asked.near => {}
                _ => break,
            }
            upto = at;
        }
        let part = found?;
        let by = if part.cause == Cause::NoRoom { self.made_room(asked, &all).or(part.by) } else { part.by };
        Some(WaitPart { by, ..part })
    }

    /// Whether a kernel stands before another in the queue: it came first, or started first in spite of that, by its priority.
    fn is_ahead(&self, head: u32, asked: &HoldSearch) -> bool {
        let (place, slack) = (asked.place as usize, asked.slack.ns());
        let (ready, assigned) = (self.ready[head as usize], self.assigned[head as usize]);
        if assigned.since(ready).ns() <= slack || self.goes_first(asked.place, head) {
            return false;
        }
        if self.began_before(head, asked) {
            return true;
        }
        let own = self.ready[place];
        if ready.ns().abs_diff(own.ns()) > slack { ready < own } else { self.called(head) < self.called(asked.place) }
    }

    /// Whether the file says that a kernel's stream has a higher priority than another's; lower numbers go first.
    fn goes_first(&self, place: u32, other: u32) -> bool {
        let priority = |place: u32| self.recording.stream(self.operation(place)).priority;
        priority(place).zip(priority(other)).is_some_and(|(own, other)| own < other)
    }

    /// Whether its stream may share a hardware queue with others: there are more streams than queues, and the file does not say which.
    fn shares_queues(&self, operation: &Operation) -> bool {
        let streams = self.stream_counts[self.recording.stream(operation).device as usize];
        operation.channel.is_none() && streams > self.known.connections.unwrap_or(DEFAULT_CONNECTIONS)
    }

    fn began_before(&self, head: u32, asked: &HoldSearch) -> bool {
        self.operation(head).start.ns().saturating_add(asked.slack.ns()) <= self.operation(asked.place).start.ns()
    }

    /// The SMs while these run: each has as many blocks on them as it still needs. `None` if the file does not say enough, or asking has
    /// become too dear.
    fn filled(&self, place: u32, running: &[u32], at: Time) -> Option<Sms> {
        self.room_left.set(self.room_left.get().checked_sub(running.len() as u64)?);
        let mut sms = Sms::empty_for(self.recording, self.operation(place))?;
        // The last started comes first.
        for &other in running.iter().rev() {
            let Some(need) = Need::for_kernel(self.recording, self.operation(other)) else { continue };
            let is_over = self.assigned.get(other as usize).is_some_and(|&assigned| assigned <= at);
            // If it took longer than it would alone, its last blocks began at different times.
            let is_alone =
                self.operation(other).duration().ns() <= (need.waves().saturating_mul(self.block_ns[other as usize])).saturating_mul(9) / 8;
            sms.put(&need, if is_over && is_alone { need.last_wave() } else { need.blocks.min(need.at_once) });
        }
        Some(sms)
    }

    /// What made room: what ended last before `to`, else a kernel of many blocks, which ends some all the time.
    fn made_room(&self, asked: &HoldSearch, all: &[u32]) -> Option<u32> {
        let of = |place: u32| self.operation(place);
        let ended = all.iter().copied().filter(|&other| of(other).end > asked.near && asked.ended(of(other).end));
        let has_waves = |other: &u32| Need::for_kernel(self.recording, of(*other)).is_some_and(|need| need.waves() > 1);
        ended.max_by_key(|&other| of(other).end).or_else(|| all.iter().copied().find(has_waves))
    }

    /// When the last block of a kernel was assigned: with what ran beside it, and with equal times of its blocks.
    pub(super) fn last_assigned(&self, place: u32) -> Time {
        let operation = self.operation(place);
        let Some(need) = Need::for_kernel(self.recording, operation) else { return operation.start };
        if need.waves() > 1 {
            return Time(operation.end.ns().saturating_sub(self.block_ns[place as usize])).max(operation.start);
        }
        let device = self.recording.stream(operation).device;
        let slack = self.slack(device, operation.start);
        let own = self.context(place);
        let from = Time(operation.start.ns().saturating_add(slack.ns()));
        let is_beside = |&other: &u32| {
            let other_one = self.operation(other);
            other < place && other_one.kind == OperationKind::Kernel && other_one.end > from && self.context(other) == own
        };
        let beside: Vec<u32> = self.running[device as usize]
            .within(self.recording, operation.start, from, MOST_RUNNING)
            .filter(is_beside)
            .take(MOST_KERNELS)
            .collect();
        if beside.is_empty() {
            return operation.start;
        }
        let mut ends: Vec<Time> = beside.iter().map(|&other| self.operation(other).end).filter(|&end| end < operation.end).collect();
        ends.push(from);
        ends.sort_unstable();
        for end in ends {
            let running: Vec<u32> = beside.iter().copied().filter(|&other| self.operation(other).end > end).collect();
            let Some(sms) = self.filled(place, &running, end) else { return operation.start };
            if sms.fit(&need, need.blocks) >= need.blocks {
                return if end == from { operation.start } else { end };
            }
        }
        operation.start
    }

    /// Whether the stream may have been told to wait for `other`: by a record without a source, or by a call of its process between
    /// the two launches, on any thread.
    pub(super) fn was_told_to_wait(&self, operation: &Operation, place: u32, other: u32, called: Time) -> bool {
        if !self.called_before(other, called) {
            return false;
        }
        let since = self.before[place as usize].and_then(|before| self.called(before)).unwrap_or(Time::ZERO);
        let waits = &self.recording.event_waits;
        if self.recording.has_event_waits {
            let end = waits.partition_point(|wait| wait.called <= called);
            let recent = waits[..end].iter().rev().take(256).take_while(|wait| wait.called >= since);
            return recent.into_iter().any(|wait| wait.stream == operation.stream && wait.source.is_none());
        }
        let calls = &self.recording.calls;
        let end = self.stream_waits.partition_point(|&wait| calls[wait as usize].start < called);
        let process = self.recording.stream(operation).process;
        let recent = self.stream_waits[..end].iter().rev().take(256).map(|&wait| &calls[wait as usize]);
        recent.take_while(|wait| wait.start >= since).any(|wait| wait.process == process)
    }

    /// Whether the call before an operation's own, on the same thread, has a stream wait for an event.
    pub(super) fn waited_just_before(&self, operation: &Operation) -> bool {
        /// Calls of other threads between the two.
        const MOST_BETWEEN: usize = 256;
        let (Some(place), Some(call)) = (operation.call, self.recording.call(operation)) else { return false };
        let earlier = self.recording.calls[..place as usize].iter().rev().take(MOST_BETWEEN);
        let before = earlier.into_iter().find(|other| (other.process, other.thread) == (call.process, call.thread));
        before.is_some_and(|before| before.kind == CallKind::StreamWait)
    }

    /// When another thread of its process was done allocating or freeing memory that it did during a call.
    pub(super) fn allocated_beside(&self, call: &Call) -> Option<Time> {
        /// Allocations before the end of a call that are looked at.
        const MOST_BEFORE: usize = 64;
        let calls = &self.recording.calls;
        let end = self.allocations.partition_point(|&place| calls[place as usize].start < call.end);
        let recent = self.allocations[..end].iter().rev().take(MOST_BEFORE).map(|&place| &calls[place as usize]);
        let beside = recent.filter(|other| other.process == call.process && other.thread != call.thread && other.end > call.start);
        beside.map(|other| other.end).filter(|&end| end <= call.end).max()
    }

    /// Whether memory was allocated or freed after `other` was called and before `called`.
    fn allocates_between(&self, other: u32, called: Time) -> bool {
        let Some(older) = self.recording.call(self.operation(other)) else { return false };
        let calls = &self.recording.calls;
        let end = self.allocations.partition_point(|&place| calls[place as usize].start < called);
        self.allocations[..end].last().is_some_and(|&place| calls[place as usize].start > older.end)
    }
}
