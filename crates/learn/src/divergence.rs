//! Where two runs of one scenario part: how a changed rule shows.
//!
//! Depends on `trace`. Invariant: both runs are of the same scenario; of what the runs do, nothing but their steps counts.

use blockstep_sim::trace::{Change, Trace};

/// The number of the first step, from 0, that is not the same in both runs; `None` if they are the
/// same. A step by another rule that does the same at the same time is the same.
#[must_use]
pub fn first_difference(one: &Trace, other: &Trace) -> Option<usize> {
    let is_same = |i: usize| match (one.steps().get(i), other.steps().get(i)) {
        (Some(a), Some(b)) if a.at == b.at => match (a.change, b.change) {
            (Change::Issued { op: a }, Change::Issued { op: b }) => one.op(a) == other.op(b),
            (a, b) => a == b,
        },
        _ => false,
    };
    (0..one.steps().len().max(other.steps().len())).find(|&i| !is_same(i))
}
