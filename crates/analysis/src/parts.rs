//! How what is counted from 0, the sets of a study or the runs of a sweep, is divided into parts, which are counted from 1.
//!
//! Depends on nothing. Invariant: parts are as equal as possible, and each thing is in exactly one of them.

use std::ops::Range;

/// What is in part `part` of `parts` of `count` things.
#[must_use]
pub fn part(count: u64, part: u64, parts: u64) -> Range<u64> {
    let border = |i: u64| (u128::from(count) * u128::from(i) / u128::from(parts.max(1))) as u64;
    border(part.saturating_sub(1))..border(part)
}

/// The number of the part that holds thing `number` of `count`, of `parts` parts.
#[must_use]
pub fn part_of(count: u64, number: u64, parts: u64) -> u64 {
    ((u128::from(number) + 1) * u128::from(parts)).div_ceil(u128::from(count.max(1))) as u64
}

/// Into how many parts `count` things were divided if each of `some`, of which none is empty, is one of them: the least number that fits.
#[must_use]
pub fn parts(count: u64, some: &[Range<u64>]) -> Option<u64> {
    // A search of more numbers takes longer than it is worth.
    const MOST_TRIED: u64 = 100_000;
    let longest = some.iter().map(|range| range.end.saturating_sub(range.start)).max()?;
    let least = (count / (longest + 1)).max(1);
    let most = (count / longest.saturating_sub(1).max(1)).min(least.saturating_add(MOST_TRIED));
    (least..=most).find(|&parts| some.iter().all(|range| part(count, part_of(count, range.start, parts), parts) == *range))
}
