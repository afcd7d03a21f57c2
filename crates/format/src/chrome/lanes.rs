//! Intervals side by side: so many lanes that no two in one of them overlap.
//!
//! Depends on `units`. Invariant: as few lanes as intervals at one time, and the lowest that is free.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use blockstep_sim::units::{Time, TimeRange};

/// The lane of each interval; they come in order of their starts.
pub(super) fn lanes(ranges: impl Iterator<Item = TimeRange>) -> Vec<usize> {
    let mut taken: BinaryHeap<Reverse<(Time, usize)>> = BinaryHeap::new();
    let mut free: BTreeSet<usize> = BTreeSet::new();
    let mut count = 0;
    ranges
        .map(|range| {
            while let Some(&Reverse((_, lane))) = taken.peek().filter(|next| next.0.0 <= range.start) {
                taken.pop();
                free.insert(lane);
            }
            let lane = free.pop_first().unwrap_or_else(|| {
                count += 1;
                count - 1
            });
            taken.push(Reverse((range.end, lane)));
            lane
        })
        .collect()
}
