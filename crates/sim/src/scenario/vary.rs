//! Execution times that vary from job to job (our extension of the format, `docs/varying-times.md`).
//!
//! Depends on `units` and `dice`. Invariant: a draw is a pure function of the seed, the row and
//! the job, in whole numbers, so that it is the same on every machine and under every policy.

use crate::dice::{scaled, scrambled};
use crate::units::{JobNo, Span};

/// How much longer than stated the blocks of a row may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variation {
    /// Of the scenario and the row together.
    seed: u64,
    /// The greatest draw.
    most: Span,
}

impl Variation {
    /// Always as stated.
    pub(super) const NONE: Self = Self { seed: 0, most: Span::ZERO };

    /// Up to `most` longer, drawn for row number `row` of a scenario with this seed.
    pub(super) fn new(seed: u64, row: usize, most: Span) -> Self {
        Self { seed: scrambled(scrambled(seed) ^ row as u64), most }
    }

    /// How much longer than stated the blocks of the row may run at most.
    #[must_use]
    pub fn most(&self) -> Span {
        self.most
    }

    /// How much longer every block of the row runs in one job: between 0 and [`Self::most`], both
    /// included, a quarter of it on average. It is the cube of a number spread evenly between 0
    /// and 1: small draws are frequent, great ones rare, as of programs whose worst case lies far
    /// above their average.
    #[must_use]
    pub fn draw(&self, job: JobNo) -> Span {
        if self.most == Span::ZERO {
            return Span::ZERO;
        }
        let even = scrambled(self.seed ^ u64::from(job.0));
        let cube = scaled(scaled(even, even), even);
        // Of `most + 1` whole numbers; with the greatest `most` that is the number itself.
        Span(self.most.ns().checked_add(1).map_or(cube, |count| scaled(count, cube)))
    }
}
