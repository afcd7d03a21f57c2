//! Changes that gain together what they do not gain one by one: pairs, and sets grown from the best pair, one change at a time.
//!
//! Source: where a wait of the host no longer keeps it, the copy behind it may. Invariant: of a set that is tried, no part is worth more
//! without the rest than with it, by more than the replay shows.

use super::levers::{Lever, usual_percent};
use super::{Gains, ProgramChange, TriedChange, is_long};
use crate::Recording;

/// At most so many changes are combined: the changes of the host first, then the largest rows of the path. Our choice.
const MOST_COMBINED: usize = 10;
/// Of these, changes that are no levers.
const MOST_CHANGES: usize = 6;
/// A set has at most so many: nobody makes more at once.
const MOST_IN_SET: usize = 4;
/// Operations that all pairs together run again, at most; six changes of the longest recording with pairs are within it.
const MOST_RUN_AGAIN: usize = 3_000_000;

/// Changes without which a call keeps the host.
const KEEPING: [ProgramChange; 4] =
    [ProgramChange::FewerWaits, ProgramChange::Pinned, ProgramChange::NoAllocations, ProgramChange::FewerReads];

/// The changes that are combined, in the order in which a set names them: those that let the host go on, and rows of the path.
fn combined(gains: &Gains, recording: &Recording) -> Vec<ProgramChange> {
    let of_host = gains.tried.iter().filter_map(|tried| match tried.changes.as_slice() {
        [ProgramChange::Faster { .. }] => None,
        [change] if change.is_of_host() || *change == ProgramChange::Pinned => Some(*change),
        _ => None,
    });
    let mut all: Vec<ProgramChange> = of_host.take(MOST_CHANGES).collect();
    all.sort_unstable();
    let row = |lever: &Lever| usual_percent(recording, lever.what).map(|percent| ProgramChange::Faster { what: lever.what, percent });
    all.extend(gains.levers.iter().filter_map(row));
    let can_run = |count: usize| count * (count - 1) / 2 * recording.operations.len() <= MOST_RUN_AGAIN;
    let count = (MOST_CHANGES..=MOST_COMBINED).rev().find(|&count| can_run(count)).unwrap_or(MOST_CHANGES);
    all.truncate(count);
    all
}

/// The pairs to try, the next one last; none of a long recording.
pub(super) fn pairs(gains: &Gains, recording: &Recording) -> Vec<Vec<ProgramChange>> {
    if is_long(recording) {
        return Vec::new();
    }
    let all = combined(gains, recording);
    let with_others = all.iter().enumerate().flat_map(|(place, &one)| all[place + 1..].iter().map(move |&other| vec![one, other]));
    with_others.filter(|pair| pair.iter().any(|&change| gains.may_gain_more(change))).collect()
}

/// The sets of one change more than this size to try: the best set of this size that gains together with each other change; and, beyond
/// pairs, what lets the host go on, three at a time, as one wait that is left keeps it as long. The next one last.
pub(super) fn larger_sets(gains: &Gains, recording: &Recording, size: usize) -> Vec<Vec<ProgramChange>> {
    if is_long(recording) || size >= MOST_IN_SET {
        return Vec::new();
    }
    let all = combined(gains, recording);
    let of_size = gains.tried.iter().filter(|tried| tried.changes.len() == size && gains.gains_together(tried));
    let mut sets: Vec<Vec<ProgramChange>> = Vec::new();
    if let Some(best) = of_size.max_by_key(|tried| gains.gain_ns(tried)) {
        let others = all.iter().filter(|change| !best.changes.contains(change));
        sets.extend(others.map(|&change| best.changes.iter().copied().chain([change]).collect()));
    }
    if size == 2 {
        let keeping: Vec<ProgramChange> = all.into_iter().filter(|change| KEEPING.contains(change)).collect();
        let without = |left_out: ProgramChange| keeping.iter().copied().filter(|&change| change != left_out).collect();
        let triples: Vec<Vec<ProgramChange>> = match keeping.len() {
            3 => vec![keeping],
            4 => keeping.iter().map(|&change| without(change)).collect(),
            _ => Vec::new(),
        };
        for triple in triples {
            let is_there = sets.iter().any(|set| triple.iter().all(|change| set.contains(change)));
            sets.extend((!is_there).then_some(triple));
        }
    }
    sets
}

impl Gains {
    /// What was tried with exactly these changes, in any order.
    fn tried_with(&self, changes: &[ProgramChange]) -> Option<&TriedChange> {
        let is_same =
            |tried: &&TriedChange| tried.changes.len() == changes.len() && changes.iter().all(|change| tried.changes.contains(change));
        self.tried.iter().find(is_same)
    }

    /// The most that was found for some of these changes without the rest, ns.
    pub(super) fn gain_of_a_part(&self, changes: &[ProgramChange]) -> u64 {
        let is_part =
            |tried: &&TriedChange| tried.changes.len() < changes.len() && tried.changes.iter().all(|change| changes.contains(change));
        self.tried.iter().filter(is_part).map(|tried| self.gain_ns(tried)).max().unwrap_or(0)
    }

    /// Whether a change may gain more beside others than alone: not a lever that gains all that its row takes on the path.
    fn may_gain_more(&self, change: ProgramChange) -> bool {
        let ProgramChange::Faster { what, percent } = change else { return true };
        let Some(lever) = self.levers.iter().find(|lever| lever.what == what) else { return false };
        let gain_ns = self.tried_with(&[change]).map_or(0, |tried| self.gain_ns(tried));
        let on_path_ns = lever.path_ns - super::levers::less(lever.path_ns, percent);
        self.is_a_hundredth(on_path_ns.saturating_sub(gain_ns))
    }

    /// The most that changes gain if one of them, or one set of them that was tried, stands apart from the rest, ns.
    fn gain_apart(&self, changes: &[ProgramChange]) -> u64 {
        let single = |change: &ProgramChange| self.tried_with(&[*change]).map_or(0, |tried| self.gain_ns(tried));
        let is_part =
            |tried: &&TriedChange| tried.changes.len() < changes.len() && tried.changes.iter().all(|change| changes.contains(change));
        let with_rest = |tried: &TriedChange| {
            let rest = changes.iter().filter(|change| !tried.changes.contains(change)).map(single);
            rest.fold(self.gain_ns(tried), u64::saturating_add)
        };
        self.tried.iter().filter(is_part).map(with_rest).max().unwrap_or(0)
    }

    /// Whether several changes gain a hundredth of the wall clock more together than apart; with a row of the path also half of all that they
    /// gain. Else its parts stand one by one among the proposals, each with what it saves beyond those before it.
    pub(super) fn gains_together(&self, tried: &TriedChange) -> bool {
        let has_row = tried.changes.iter().any(|change| matches!(change, ProgramChange::Faster { .. }));
        let (gain_ns, apart_ns) = (self.gain_ns(tried), self.gain_apart(&tried.changes));
        self.is_a_hundredth(gain_ns.saturating_sub(apart_ns)) && (!has_row || apart_ns <= gain_ns / 2)
    }

    /// Whether a set is part of a larger one that gains together.
    pub(super) fn is_part_of_set(&self, of: &TriedChange) -> bool {
        let is_larger =
            |tried: &TriedChange| tried.changes.len() > of.changes.len() && of.changes.iter().all(|change| tried.changes.contains(change));
        self.tried.iter().any(|tried| is_larger(tried) && self.gains_together(tried))
    }
}
