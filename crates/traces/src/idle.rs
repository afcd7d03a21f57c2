//! Waits of the host that go on though nothing of its process in the file runs any more.
//!
//! The host does nothing in such a call, and the device has nothing to do as far as the file says: operations may be missing, a function of the
//! host in a stream or the profiler may take the time, or the clocks differ. Invariant: nothing is said of the time before the first
//! operation, as the first call of a process sets the device up.

use std::collections::BTreeMap;

use crate::{CallKind, Recording};
use blockstep_sim::units::{Span, Time};

/// What is shorter may be the way back from the device: our choice.
const SHORTEST: Span = Span(1_000_000);

/// By call that waits, an index: from when on nothing of its process ran, if it goes on for over a millisecond from there.
pub(crate) fn idle_waits(recording: &Recording) -> BTreeMap<u32, Time> {
    let mut waits: Vec<u32> = (0..recording.calls.len() as u32).collect();
    waits.retain(|&place| recording.calls[place as usize].kind == CallKind::HostWait);
    waits.sort_by_key(|&place| recording.calls[place as usize].end);
    let mut operations = recording.operations.iter().peekable();
    let mut over: BTreeMap<u64, Time> = BTreeMap::new();
    let mut idle = BTreeMap::new();
    for place in waits {
        let call = &recording.calls[place as usize];
        while let Some(operation) = operations.next_if(|operation| operation.start < call.end) {
            let last = over.entry(recording.stream(operation).process).or_default();
            *last = operation.end.max(*last);
        }
        let Some(&last) = over.get(&call.process) else { continue };
        let from = last.max(call.start);
        if from < call.end && call.end.since(from) > SHORTEST {
            idle.insert(place, from);
        }
    }
    idle
}

/// How long the host waited so in all, ns; waits at the same time count once.
pub(crate) fn idle_ns(recording: &Recording) -> u64 {
    let waits = idle_waits(recording);
    let mut spans: Vec<(Time, Time)> = waits.iter().map(|(&call, &from)| (from, recording.calls[call as usize].end)).collect();
    spans.sort_unstable();
    let mut until = Time::ZERO;
    let mut sum = 0_u64;
    for (from, to) in spans {
        let from = from.max(until);
        if from < to {
            sum = sum.saturating_add(to.since(from).ns());
            until = to;
        }
    }
    sum
}
