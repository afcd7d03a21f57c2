//! Where in its SM's lane each block is drawn.
//!
//! Depends on nothing. Two ways of filling a lane are known; the caller takes the one that cuts
//! fewer blocks. Invariant: pieces of blocks that run at the same time never overlap, as
//! long as they fit in the lane together; a block is in one piece wherever a gap is wide enough.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The threads of one SM, as a lane of that height.
#[derive(Debug)]
pub(super) struct Packer {
    capacity: u32,
    /// Free intervals `(from, length)`, from the bottom up, none empty and no two touching.
    free: Vec<(u32, u32)>,
    /// What is taken, by end: `(end, from, length)`.
    taken: BinaryHeap<Reverse<(u64, u32, u32)>>,
    filling: Filling,
    /// Start and row of the block placed last.
    last: Option<(u64, u32)>,
    from_top: bool,
}

/// From which side a lane fills up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filling {
    /// Always from the bottom.
    FromBottom,
    /// A kernel that joins others that have been running takes the other side from theirs, so
    /// that the gap they leave stays in one piece.
    FromBothSides,
}

impl Packer {
    /// An empty lane.
    pub(super) fn new(capacity: u32, filling: Filling) -> Self {
        Self { capacity, free: vec![(0, capacity)], taken: BinaryHeap::new(), filling, last: None, from_top: false }
    }

    /// Places `threads` of a block of `row` for the time from `start` to `end`; calls must come in
    /// order of `start`. Calls `piece` with the bottom and the height of each piece, from the
    /// bottom up.
    pub(super) fn place(&mut self, (start, end): (u64, u64), row: u32, threads: u32, mut piece: impl FnMut(u32, u32)) {
        while let Some(&Reverse((until, from, length))) = self.taken.peek() {
            if until > start {
                break;
            }
            self.taken.pop();
            self.give_back(from, length);
        }
        self.choose_side(start, row);
        let wide = |&(_, length): &(u32, u32)| length >= threads;
        let gap = if self.from_top { self.free.iter().rposition(wide) } else { self.free.iter().position(wide) };
        if let Some(i) = gap {
            let from = if self.from_top { self.take_top(i, threads) } else { self.take(i, threads) };
            self.taken.push(Reverse((end, from, threads)));
            piece(from, threads);
            return;
        }
        let mut left = threads;
        while left > 0 && !self.free.is_empty() {
            let length = self.free[0].1.min(left);
            let from = self.take(0, length);
            self.taken.push(Reverse((end, from, length)));
            piece(from, length);
            left -= length;
        }
        // More than the SM has: only a measured run could claim that. It stays in sight.
        if left == threads {
            piece(0, threads.min(self.capacity));
        }
    }

    /// Takes the lower `length` of gap `i`.
    fn take(&mut self, i: usize, length: u32) -> u32 {
        let (from, gap) = self.free[i];
        if gap == length {
            self.free.remove(i);
        } else {
            self.free[i] = (from + length, gap - length);
        }
        from
    }

    /// Takes the upper `length` of gap `i`.
    fn take_top(&mut self, i: usize, length: u32) -> u32 {
        let (from, gap) = self.free[i];
        if gap == length {
            return self.take(i, length);
        }
        self.free[i] = (from, gap - length);
        from + gap - length
    }

    fn choose_side(&mut self, start: u64, row: u32) {
        let last = self.last.replace((start, row));
        if self.taken.is_empty() || self.filling == Filling::FromBottom {
            self.from_top = false;
        } else if last.is_some_and(|(at, of)| at < start && of != row) {
            self.from_top = !self.from_top;
        }
    }

    fn give_back(&mut self, from: u32, length: u32) {
        let i = self.free.partition_point(|&(f, _)| f < from);
        let joins_next = self.free.get(i).is_some_and(|&(f, _)| f == from + length);
        let joins_last = i > 0 && self.free[i - 1].0 + self.free[i - 1].1 == from;
        match (joins_last, joins_next) {
            (true, true) => {
                self.free[i - 1].1 += length + self.free[i].1;
                self.free.remove(i);
            }
            (true, false) => self.free[i - 1].1 += length,
            (false, true) => self.free[i] = (from, length + self.free[i].1),
            (false, false) => self.free.insert(i, (from, length)),
        }
    }
}
