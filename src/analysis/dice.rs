//! A stream of numbers that look random and follow from where they start.
//!
//! Depends on nothing. Invariant: the same on every machine. Source: SplitMix64 (Steele, Lea and
//! Flood 2014), whose every starting point is as good as any other.

use super::scaled;

/// The stream.
#[derive(Clone, Debug)]
pub(super) struct Dice(u64);

impl Dice {
    /// The stream of one task set.
    pub(super) fn new(seed: u64, point: u64, index: u64) -> Self {
        let mut dice = Self(seed);
        for part in [point, index] {
            dice.0 = dice.number() ^ part;
        }
        dice.0 = dice.number();
        dice
    }

    /// Uniform over all 64-bit numbers.
    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform from `least` to `most`, both possible, up to a bias of `most - least` in 2^64.
    pub(super) fn between(&mut self, least: u64, most: u64) -> u64 {
        pick(self.number(), least, most)
    }

    /// A fraction, in 2^-64ths, as the k-th root of a uniform one is distributed: the largest of k
    /// uniform ones lies below x with probability x^k. So no power has to be computed.
    pub(super) fn root(&mut self, k: u32) -> u64 {
        let mut largest = 0;
        for _ in 0..k {
            largest = largest.max(self.number());
        }
        largest
    }
}

/// The whole number at `place` 2^-64ths of the way from `least` to `most` inclusive.
pub(super) fn pick(place: u64, least: u64, most: u64) -> u64 {
    match most.saturating_sub(least).checked_add(1) {
        Some(count) => least + scaled(place, count),
        None => place,
    }
}
