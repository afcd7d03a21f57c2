//! What the causes of waits are put together with: the parts of a wait in their order, and how much was pending at each call.
//!
//! Invariant: the parts of a wait follow one another without a gap.

use super::causes::{Cause, Certainty, WaitPart};
use super::{Call, Recording};
use blockstep_sim::units::Time;

/// Takes the parts of a wait in order.
pub(super) struct Told<'p> {
    pub(super) parts: &'p mut Vec<WaitPart>,
    /// Up to where the wait is explained.
    pub(super) upto: Time,
    pub(super) start: Time,
}

impl Told<'_> {
    /// Takes a part up to its end, but not beyond the start; what is explained already is left out.
    pub(super) fn take(&mut self, part: WaitPart) {
        let to = part.to.min(self.start);
        if to > self.upto {
            self.parts.push(WaitPart { from: self.upto, to, ..part });
            self.upto = to;
        }
    }

    /// Explains the wait up to an instant, but not beyond the start; nothing if that is explained already.
    pub(super) fn explain_until(&mut self, to: Time, cause: Cause, certainty: Certainty, by: Option<u32>) {
        self.take(WaitPart { cause, certainty, from: self.upto, to, by, lack: None });
    }
}

/// By call: how many operations were called before it and had not begun.
pub(super) fn pending(recording: &Recording) -> Vec<u32> {
    // Of a graph the first node alone was on its way from the host.
    let all = || recording.operations.iter().filter(|operation| !recording.is_later_node(operation));
    let mut starts: Vec<Time> = all().filter(|operation| operation.call.is_some()).map(|operation| operation.start).collect();
    starts.sort_unstable();
    let mut launched: Vec<u32> = all().filter_map(|operation| operation.call).collect();
    launched.sort_unstable();
    let count = |(place, call): (usize, &Call)| {
        let called = launched.partition_point(|&launch| (launch as usize) < place);
        let begun = starts.partition_point(|&start| start < call.start);
        u32::try_from(called.saturating_sub(begun)).unwrap_or(u32::MAX)
    };
    recording.calls.iter().enumerate().map(count).collect()
}
