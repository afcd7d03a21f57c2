//! Numbers that look random and follow from a seed.
//!
//! Depends on nothing. Invariant: the same on every machine. Source: SplitMix64 (Steele, Lea and Flood, OOPSLA
//! 2014), of which every starting point is as good as any other.

/// A stream of numbers.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The stream of a seed and of what is drawn for with it.
    #[must_use]
    pub fn new(seed: u64, purpose: &[u64]) -> Self {
        let mut dice = Self(seed);
        for part in purpose {
            dice.0 = dice.number() ^ part;
        }
        dice.0 = dice.number();
        dice
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        let number = scrambled(self.0);
        self.0 = self.0.wrapping_add(STEP);
        number
    }

    /// A number below `count`; 0 if that is 0.
    pub fn below(&mut self, count: u64) -> u64 {
        scaled(self.number(), count)
    }

    /// From `least` to `most`, both possible, up to a bias of `most - least` in 2^64.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        pick(self.number(), least, most)
    }

    /// A fraction, in 2^-64ths, as the k-th root of a uniform one is distributed: the largest of k
    /// uniform ones lies below x with probability x^k. So no power has to be computed.
    pub fn root(&mut self, k: u32) -> u64 {
        let mut largest = 0;
        for _ in 0..k {
            largest = largest.max(self.number());
        }
        largest
    }

    /// Puts things in any order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

/// What the state of a stream grows by.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of the stream at this state: every bit of it depends on every bit of `n`, and different ones
/// give different ones.
pub(crate) fn scrambled(n: u64) -> u64 {
    let n = n.wrapping_add(STEP);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

/// The whole number at `place` 2^-64ths of the way from `least` to `most` inclusive.
pub fn pick(place: u64, least: u64, most: u64) -> u64 {
    match most.saturating_sub(least).checked_add(1) {
        Some(count) => least + scaled(place, count),
        None => place,
    }
}

/// The higher 64 bits of a product: `a` times the fraction `b / 2^64`, rounded down.
pub const fn scaled(a: u64, b: u64) -> u64 {
    product(a, b).0
}

/// The higher and the lower 64 bits of a product. By halves, as WebAssembly multiplies 64 bits, and
/// 128 only by calling for it: studies in the page are a third faster for it.
#[inline]
pub const fn product(a: u64, b: u64) -> (u64, u64) {
    const LOW: u64 = u32::MAX as u64;
    let (a1, a0, b1, b0) = (a >> 32, a & LOW, b >> 32, b & LOW);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 32);
    let other = a0 * b1 + (middle & LOW);
    (a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | low & LOW)
}
