//! What one recording promised, beside another of the program after a change.
//!
//! Nobody tells us which change was made. What the first recording proposed and the second no longer gives reason for is gone; what that had
//! promised stands beside what the second shows. Invariant: each proposal counts what it saves beyond those before it, so that what was
//! promised adds up.

use std::collections::BTreeMap;

use super::{Gains, words};
use crate::Recording;

/// What is kept of the changes that were tried with a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The proposals, what one would do, the best first; what each saves beyond those before it, in thousandths of the wall clock.
    proposals: Vec<(String, u64)>,
    /// All that was tried, by what one would do; what it saves, in thousandths of the wall clock: of a proposal beyond those before it, else
    /// alone.
    saves: BTreeMap<String, u64>,
}

/// A proposal of a recording, and what another leaves of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// What one would do.
    pub what: String,
    /// What it saves beyond the proposals before it, in thousandths of the wall clock.
    pub promised_permille: u64,
    /// What it would still save, in thousandths of the wall clock of the other.
    pub left_permille: u64,
}

impl Promise {
    /// Whether less than a tenth of it is left: our choice.
    #[must_use]
    pub const fn is_gone(&self) -> bool {
        self.left_permille * 10 < self.promised_permille
    }
}

impl Advice {
    /// Takes it from a recording.
    #[must_use]
    pub fn new(recording: &Recording, gains: &Gains) -> Self {
        let permille = |ns: u64| (u128::from(ns) * 1_000 / u128::from(gains.recorded_ns.max(1))) as u64;
        let what = |place: usize| words::together(recording, &gains.tried[place].changes);
        let worth = gains.ladder.iter().filter(|rung| gains.is_a_hundredth(rung.more_ns));
        let saves = gains.tried.iter().enumerate().map(|(place, tried)| {
            let more_ns = gains.more_ns(tried).filter(|&ns| gains.is_a_hundredth(ns));
            (what(place), permille(more_ns.unwrap_or_else(|| gains.gain_ns(tried))))
        });
        Self { proposals: worth.map(|rung| (what(rung.tried), permille(rung.more_ns))).collect(), saves: saves.collect() }
    }

    /// What it proposed, beside what is left of that after a change.
    #[must_use]
    pub fn promises(&self, after: &Self) -> Vec<Promise> {
        let promise = |(what, promised): &(String, u64)| Promise {
            what: what.clone(),
            promised_permille: *promised,
            left_permille: after.saves.get(what).copied().unwrap_or(0),
        };
        self.proposals.iter().map(promise).collect()
    }
}
