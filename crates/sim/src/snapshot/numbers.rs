//! A set of small numbers: those of tasks, or of processes in some order.
//!
//! Depends on nothing. Invariants: it is what it holds, however it came to hold it, so equal sets
//! are equal; a copy is one allocation; whatever is asked takes at most four words of 64 bits up
//! and four down, as many as a million numbers need.

/// Bits by which a number gets shorter from one level to the next.
const WORD: usize = 6;

/// Numbers below a limit that is given once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    /// A bit for each number; then, level by level, a bit for each word that is not zero.
    words: Vec<u64>,
    /// Where each level begins, and the last one ends.
    levels: Vec<u32>,
    count: u32,
}

impl Numbers {
    /// None of the numbers below `limit`.
    pub(super) fn below(limit: usize) -> Self {
        let (mut levels, mut end, mut bits) = (vec![0], 0, limit);
        loop {
            let words = bits.div_ceil(1 << WORD).max(1);
            end += words;
            levels.push(end as u32);
            if words == 1 {
                return Self { words: vec![0; end], levels, count: 0 };
            }
            bits = words;
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// Bytes that it takes beside itself.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.words[..]) + size_of_val(&self.levels[..])
    }

    pub(super) fn insert(&mut self, number: usize) {
        let mut at = number;
        for level in 0..self.levels.len() - 1 {
            let word = &mut self.words[self.levels[level] as usize + (at >> WORD)];
            let (bit, was) = (1 << (at & 63), *word);
            *word |= bit;
            if level == 0 {
                self.count += u32::from(was & bit == 0);
            }
            if was != 0 {
                return;
            }
            at >>= WORD;
        }
    }

    pub(super) fn remove(&mut self, number: usize) {
        if self.count == 0 {
            return;
        }
        let mut at = number;
        for level in 0..self.levels.len() - 1 {
            let word = &mut self.words[self.levels[level] as usize + (at >> WORD)];
            let bit = 1 << (at & 63);
            if level == 0 {
                self.count -= u32::from(*word & bit != 0);
            }
            *word &= !bit;
            if *word != 0 {
                return;
            }
            at >>= WORD;
        }
    }

    /// The smallest that is `number` or more.
    pub(super) fn from(&self, number: usize) -> Option<usize> {
        if self.count == 0 {
            return None;
        }
        let mut at = number;
        for level in 0..self.levels.len() - 1 {
            let (word, bit) = (at >> WORD, at & 63);
            if word >= (self.levels[level + 1] - self.levels[level]) as usize {
                return None;
            }
            let rest = self.words[self.levels[level] as usize + word] & (u64::MAX << bit);
            if rest != 0 {
                let first = (word << WORD) + rest.trailing_zeros() as usize;
                return Some((0..level).rev().fold(first, |at, lower| {
                    let word = self.words[self.levels[lower] as usize + at];
                    (at << WORD) + word.trailing_zeros() as usize
                }));
            }
            at = word + 1;
        }
        None
    }

    /// All of them, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.from(0), |&last| self.from(last + 1))
    }
}
