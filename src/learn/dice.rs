//! Numbers that look random and follow from a seed.
//!
//! Depends on nothing. Invariant: the same on every machine. Source: SplitMix64 (G. L. Steele et
//! al., OOPSLA 2014).

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The stream of a seed and of what is drawn for with it.
    #[must_use]
    pub fn new(seed: u64, purpose: u64) -> Self {
        let mut dice = Self(seed);
        dice.0 = dice.number() ^ purpose;
        dice.0 = dice.number();
        dice
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `count`; 0 if that is 0.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.number()) * u128::from(count)) >> 64) as u64
    }

    /// Puts things in any order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}
