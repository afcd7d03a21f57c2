//! What one recording promised, beside another of the program after a change.
//!
//! Nobody tells us which change was made. What the first recording proposed and the second no longer gives reason for is gone; what that had
//! promised stands beside what the second shows. Invariant: each proposal counts what it saves beyond those before it, so that what was
//! promised adds up.

use std::collections::BTreeMap;

use super::{Gains, words};
use crate::Recording;
use crate::path::words::without_lines;

/// What is kept of the changes that were tried with a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The proposals that save a hundredth or more beyond those before them, what one would do, the best first; with what each saves so, in
    /// thousandths of the wall clock.
    proposals: Vec<(String, u64)>,
    /// All that was tried, by what one would do, without lines of source.
    saves: BTreeMap<String, Saves>,
}

/// What a change saves, in thousandths of the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Saves {
    /// Alone.
    alone: u64,
    /// Of a proposal, beyond those before it, if that is a hundredth or more.
    more: Option<u64>,
}

/// A proposal of a recording, and what another leaves of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// What one would do.
    pub what: String,
    /// What it saves beyond the proposals before it, in thousandths of the wall clock.
    pub promised_permille: u64,
    /// What it would still save, in thousandths of the wall clock of the other: of a proposal beyond those before it, else alone. `None` if the
    /// other gives no reason to try it.
    pub left_permille: Option<u64>,
    /// Whether less than a tenth of it is left, alone or beyond others: our choice.
    pub is_gone: bool,
}

impl Advice {
    /// Takes it from a recording.
    #[must_use]
    pub fn new(recording: &Recording, gains: &Gains) -> Self {
        let permille = |ns: u64| (u128::from(ns) * 1_000 / u128::from(gains.recorded_ns.max(1))) as u64;
        let what = |place: usize| words::together(recording, &gains.tried[place].changes);
        let worth = gains.ladder.iter().filter(|rung| gains.is_worth_making(&gains.tried[rung.tried], rung.more_ns));
        let saves = gains.tried.iter().enumerate().map(|(place, tried)| {
            let more = gains.more_ns(tried).filter(|&ns| gains.is_worth_making(tried, ns));
            (without_lines(&what(place)), Saves { alone: permille(gains.gain_ns(tried)), more: more.map(permille) })
        });
        Self { proposals: worth.map(|rung| (what(rung.tried), permille(rung.more_ns))).collect(), saves: saves.collect() }
    }

    /// What it proposed, beside what is left of that after a change.
    #[must_use]
    pub fn promises(&self, after: &Self) -> Vec<Promise> {
        let promise = |(what, promised): &(String, u64)| {
            let saves = after.saves.get(&without_lines(what));
            let most = saves.map_or(0, |saves| saves.alone.max(saves.more.unwrap_or(0)));
            Promise {
                what: what.clone(),
                promised_permille: *promised,
                left_permille: saves.map(|saves| saves.more.unwrap_or(saves.alone)),
                is_gone: most * 10 < *promised,
            }
        };
        self.proposals.iter().map(promise).collect()
    }
}
