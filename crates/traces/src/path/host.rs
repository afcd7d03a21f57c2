//! The host's side of a path: calls by thread, and what threads ran between them.
//!
//! Invariant: nothing here changes once it is made.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::{Call, CallKind, HostSort, Recording};
use blockstep_sim::units::{Span, Time};

/// A thread of a process.
pub(crate) type ThreadKey = (u64, u64);

/// A thread that did nothing for longer may have waited for another of its process: our choice.
const OTHER_THREAD: Span = Span(50_000);

/// The calls of a thread.
#[derive(Debug, Default)]
struct ThreadCalls {
    /// By start.
    calls: Vec<u32>,
    /// Whether one of them launched an operation.
    launches: bool,
    /// From each instant on, the span that says best what the thread ran, an index; by time.
    spans: Vec<(Time, Option<u32>)>,
}

/// Calls by thread.
pub(super) struct HostCalls<'r> {
    recording: &'r Recording,
    threads: BTreeMap<ThreadKey, ThreadCalls>,
}

impl<'r> HostCalls<'r> {
    pub(super) fn new(recording: &'r Recording) -> Self {
        let mut threads: BTreeMap<ThreadKey, ThreadCalls> = BTreeMap::new();
        let launched = recording.launching();
        for (place, call) in recording.calls.iter().enumerate() {
            let thread = threads.entry((call.process, call.thread)).or_default();
            thread.calls.push(place as u32);
            thread.launches |= launched[place];
        }
        let mut of_thread: BTreeMap<ThreadKey, Vec<u32>> = BTreeMap::new();
        for (place, span) in recording.spans.iter().enumerate() {
            of_thread.entry((span.process, span.thread)).or_default().push(place as u32);
        }
        for (key, spans) in of_thread {
            threads.entry(key).or_default().spans = innermost(recording, spans);
        }
        Self { recording, threads }
    }

    /// What a thread ran just before an instant, and since when.
    pub(super) fn span_before(&self, key: ThreadKey, at: Time) -> (Time, Option<u32>) {
        let changes = self.threads.get(&key).map_or(&[][..], |thread| &thread.spans);
        let end = changes.partition_point(|&(since, _)| since < at);
        end.checked_sub(1).map_or((Time::ZERO, None), |last| changes[last])
    }

    fn call(&self, place: u32) -> &'r Call {
        &self.recording.calls[place as usize]
    }

    /// The last call of a thread that began before an instant.
    fn last_before(&self, thread: &ThreadCalls, at: Time) -> Option<u32> {
        let end = thread.calls.partition_point(|&place| self.call(place).start < at);
        end.checked_sub(1).map(|last| thread.calls[last])
    }

    /// All threads.
    pub(super) fn threads(&self) -> Vec<ThreadKey> {
        self.threads.keys().copied().collect()
    }

    /// The last call of a thread of its own that began before an instant.
    pub(super) fn own_before(&self, key: ThreadKey, at: Time) -> Option<u32> {
        self.threads.get(&key).and_then(|thread| self.last_before(thread, at))
    }

    /// The call that a thread came from at an instant: its own last one, or that of another thread of its process that launches, if this
    /// one did nothing for long and the other's call ended since. `true` beside it if it is the other's.
    pub(super) fn came_from(&self, key: ThreadKey, at: Time) -> Option<(u32, bool)> {
        let own = self.own_before(key, at);
        let idle_from = own.map(|own| self.call(own).end);
        if idle_from.is_some_and(|from| at.since(from) <= OTHER_THREAD) {
            return own.map(|own| (own, false));
        }
        let others = self.threads.range((key.0, 0)..=(key.0, u64::MAX)).filter(|(other, thread)| **other != key && thread.launches);
        let ended_since = |place: &u32| self.call(*place).end <= at && idle_from.is_none_or(|from| self.call(*place).end > from);
        let other = others.filter_map(|(_, thread)| self.last_before(thread, at)).filter(ended_since);
        let latest = other.max_by_key(|&place| (self.call(place).end, place));
        latest.map(|place| (place, true)).or_else(|| own.map(|own| (own, false)))
    }
}

/// Whether the host waits for the device in such a call, or may.
pub(crate) const fn may_wait(kind: CallKind) -> bool {
    matches!(kind, CallKind::HostWait | CallKind::Memory | CallKind::Allocation)
}

/// From each instant on, the innermost of a thread's spans of the first sort of which one is open.
fn innermost(recording: &Recording, mut spans: Vec<u32>) -> Vec<(Time, Option<u32>)> {
    let span = |place: u32| &recording.spans[place as usize];
    spans.sort_by_key(|&place| (span(place).start, Reverse(span(place).end), place));
    let mut changes: Vec<(Time, Option<u32>)> = Vec::new();
    // By sort: the spans that are open, the innermost last.
    let mut open: [Vec<u32>; HostSort::ALL.len()] = Default::default();
    let mut change = |at: Time, open: &[Vec<u32>]| {
        let to = open.iter().find_map(|spans| spans.last().copied());
        match changes.last_mut() {
            Some(last) if last.1 == to => {}
            Some(last) if last.0 >= at => last.1 = to,
            None if to.is_none() => {}
            _ => changes.push((at, to)),
        }
    };
    for next in spans.into_iter().map(Some).chain([None]) {
        let upto = next.map_or(Time::MAX, |next| span(next).start);
        let first_end = |open: &[Vec<u32>]| {
            let ends = open.iter().enumerate().filter_map(|(sort, spans)| Some((span(*spans.last()?).end, sort)));
            ends.min().filter(|&(end, _)| end <= upto)
        };
        while let Some((end, sort)) = first_end(&open) {
            open[sort].pop();
            change(end, &open);
        }
        if let Some(next) = next {
            open[span(next).sort as usize].push(next);
            change(span(next).start, &open);
        }
    }
    changes
}
