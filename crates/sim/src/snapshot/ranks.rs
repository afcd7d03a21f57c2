//! Who goes first of all claimants, while what each is ranked by changes.
//!
//! Depends on `units`. Invariants: it follows from the ranks alone, so equal ranks make equal trees; a
//! copy is two allocations; a change of rank looks at as many claimants as the logarithm of their number.

use crate::units::ClaimantId;

/// What goes first has the lower rank; `None` does not take part.
pub(super) type Rank = Option<(bool, u64)>;

/// A tournament of all claimants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranks {
    /// By claimant.
    ranks: Vec<Rank>,
    /// Who wins each match: entry 1 is the final, and that of entry i is between the winners of entries
    /// 2i and 2i + 1. Entries past the end are the claimants themselves.
    winners: Vec<u32>,
}

impl Ranks {
    /// Ranks of this many claimants, none of which takes part yet.
    pub(super) fn empty(claimants: usize) -> Self {
        let mut tree = Self { ranks: vec![None; claimants], winners: vec![0; claimants.next_power_of_two()] };
        for entry in (1..tree.winners.len()).rev() {
            tree.winners[entry] = tree.winner(2 * entry);
        }
        tree
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// How many matches one plays at most.
    pub(super) fn depth(&self) -> u64 {
        u64::from(self.winners.len().trailing_zeros()) + 1
    }

    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.ranks[..]) + size_of_val(&self.winners[..])
    }

    pub(super) fn rank(&self, claimant: ClaimantId) -> Rank {
        self.ranks[claimant.index()]
    }

    /// What has the lowest rank, if any takes part; of equal ones the first.
    pub(super) fn first(&self) -> Option<ClaimantId> {
        let first = ClaimantId(self.winner(1));
        self.ranks.get(first.index())?.map(|_| first)
    }

    pub(super) fn set(&mut self, claimant: ClaimantId, rank: Rank) {
        if std::mem::replace(&mut self.ranks[claimant.index()], rank) == rank {
            return;
        }
        let mut entry = (self.winners.len() + claimant.index()) / 2;
        while entry > 0 {
            let (left, right) = (self.winner(2 * entry), self.winner(2 * entry + 1));
            let winner = if self.goes_before(right, left) { right } else { left };
            // Whoever else has won before has done so whatever this one's rank.
            if std::mem::replace(&mut self.winners[entry], winner) == winner && winner != claimant.0 {
                return;
            }
            entry /= 2;
        }
    }

    fn winner(&self, entry: usize) -> u32 {
        match entry.checked_sub(self.winners.len()) {
            Some(place) => place as u32,
            None => self.winners[entry],
        }
    }

    /// Whether `right` wins against `left`, which is a lower one.
    fn goes_before(&self, right: u32, left: u32) -> bool {
        match (self.ranks.get(right as usize).copied().flatten(), self.ranks[left as usize]) {
            (Some(right), Some(left)) => right < left,
            (right, left) => right.is_some() && left.is_none(),
        }
    }
}
