//! How much is taken at each instant by what occupies something for a while.
//!
//! Depends on nothing. Invariant: what ended up to the tolerance after another began is not taken
//! to overlap it, so that noise of the clock alone overloads nothing. Cost: `n log n`.

use std::collections::BTreeSet;

/// Something that is held from `start_ns` to `end_ns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupant {
    /// First instant at which it is held.
    pub start_ns: i64,
    /// First instant at which it is not.
    pub end_ns: i64,
    /// How much.
    pub amount: u64,
}

/// Calls `at` for every instant at which something begins, in order, with how much is held then and by
/// which of the occupants. What is not longer than the tolerance is left out.
pub fn walk(occupants: &[Occupant], tolerance_ns: u64, mut at: impl FnMut(i64, u128, &BTreeSet<usize>)) {
    let tolerance = i64::try_from(tolerance_ns).unwrap_or(i64::MAX);
    // Ends come before begins of the same instant.
    let mut events: Vec<(i64, bool, usize)> = Vec::with_capacity(2 * occupants.len());
    for (i, occupant) in occupants.iter().enumerate() {
        let end = occupant.end_ns.saturating_sub(tolerance);
        if end > occupant.start_ns {
            events.extend([(occupant.start_ns, true, i), (end, false, i)]);
        }
    }
    events.sort_unstable();
    let mut held: BTreeSet<usize> = BTreeSet::new();
    let mut amount: u128 = 0;
    let mut events = events.into_iter().peekable();
    while let Some((time, begins, i)) = events.next() {
        if !begins {
            held.remove(&i);
            amount -= u128::from(occupants[i].amount);
            continue;
        }
        held.insert(i);
        amount += u128::from(occupants[i].amount);
        if events.peek().is_none_or(|&(next, begins, _)| next > time || !begins) {
            at(time, amount, &held);
        }
    }
}
