//! Calls that could do nothing until a call of another thread returned: that one allocated or freed memory, or loaded code, and the driver
//! lets no other launch then.
//!
//! Invariants: such a call began after the one that it waited for, and that one returned while it was open; a call that took no longer than
//! calls do waited for nothing. These rules are our choice.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::SHORT_CALL;
use crate::{Call, CallKind, Recording};

/// A call that took less did not wait, ns: our choice.
const LONG: u64 = 4 * SHORT_CALL;
/// A call that waited returns so soon after it could go on, ns, if it loads nothing itself: our choice.
const SOON: u64 = 3 * SHORT_CALL;

/// The calls that waited, each with the one that held it until its end; `loading` are those that load code.
pub(super) fn locked(recording: &Recording, loading: &BTreeSet<u32>) -> BTreeMap<u32, u32> {
    let ns = |call: &Call| call.end.since(call.start).ns();
    let holds = |place: u32, call: &Call| (call.kind == CallKind::Allocation || loading.contains(&place)) && ns(call) > LONG;
    // By process: the calls that hold others, as far as they may still be open.
    let mut holding: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for (place, call) in (0_u32..).zip(&recording.calls) {
        let before = holding.entry(call.process).or_default();
        before.retain(|&by| recording.calls[by as usize].end > call.start);
        let launches = matches!(call.kind, CallKind::Launch | CallKind::LaunchWithAttributes | CallKind::Graph | CallKind::Memory);
        if launches && ns(call) > LONG {
            let by = before.iter().copied().filter(|&by| {
                let by = &recording.calls[by as usize];
                let is_soon = call.end.since(by.end).ns() <= SOON || loading.contains(&place);
                by.thread != call.thread && by.start < call.start && by.end < call.end && is_soon
            });
            found.extend(by.max_by_key(|&by| (recording.calls[by as usize].end, by)).map(|by| (place, by)));
        }
        if holds(place, call) {
            before.push(place);
        }
    }
    found
}
