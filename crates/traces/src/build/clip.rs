//! Durations that the order of a stream does not allow.
//!
//! Invariant: a node of a graph keeps its duration, as those of a graph run together in one stream.

use std::collections::BTreeMap;

use super::{FoundOperation, StreamKey};
use crate::OperationKind;

/// Cuts durations that go on while the operation after the next one of their stream runs: the next one may begin early, by a programmatic
/// dependent launch, but not the one after it. How many; the operations are by start.
pub(super) fn clip(operations: &mut [FoundOperation]) -> u64 {
    /// Times of a device are this exact, ns.
    const EXACT: i64 = 10_000;
    let mut clipped = 0;
    // By stream: the last two.
    let mut last: BTreeMap<StreamKey, (Option<usize>, usize)> = BTreeMap::new();
    for place in 0..operations.len() {
        if operations[place].kind == OperationKind::Migration {
            continue;
        }
        let start = operations[place].start;
        let entry = last.entry(operations[place].stream);
        let mut before = None;
        entry
            .and_modify(|of| {
                before = of.0.map(|first| (first, of.1));
                *of = (Some(of.1), place);
            })
            .or_insert((None, place));
        let Some((first, then)) = before else { continue };
        if !operations[first].is_node && operations[first].end > start.saturating_add(EXACT) {
            operations[first].end = operations[then].start;
            clipped += 1;
        }
    }
    clipped
}
