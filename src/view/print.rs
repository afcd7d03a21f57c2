//! Greys and hatches that tell kernels apart on paper, in colour or not.
//!
//! Depends on `palette` and `units`. Invariants: two rows of the kernel table that follow each other
//! differ in their hatch, whatever a copier makes of the greys; black words on any ground have a contrast
//! of at least 7 to 1; the inks repeat after twelve rows.

use super::palette::Rgb;
use crate::units::RowId;

/// Thin black lines over a ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hatch {
    /// None.
    Plain,
    /// Rising to the right.
    Rising,
    /// Falling to the right.
    Falling,
    /// Level lines.
    Level,
    /// Upright lines.
    Upright,
    /// Rising and falling ones.
    Diamonds,
    /// Level and upright ones.
    Squares,
    /// Level lines that go up and down.
    Zigzag,
}

/// How a kernel looks on paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ink {
    /// Behind its hatch.
    pub ground: Rgb,
    /// Over it.
    pub hatch: Hatch,
}

const fn ink(grey: u8, hatch: Hatch) -> Ink {
    Ink { ground: Rgb(grey, grey, grey), hatch }
}

/// Every ink, in the order that rows take them: strong hatches on white and plain greys in turns.
pub const INKS: [Ink; 12] = [
    ink(0xd8, Hatch::Plain),
    ink(0xff, Hatch::Rising),
    ink(0xa6, Hatch::Plain),
    ink(0xff, Hatch::Level),
    ink(0xf0, Hatch::Plain),
    ink(0xff, Hatch::Diamonds),
    ink(0xd0, Hatch::Falling),
    ink(0xff, Hatch::Upright),
    ink(0xb8, Hatch::Level),
    ink(0xff, Hatch::Squares),
    ink(0xd0, Hatch::Zigzag),
    ink(0xff, Hatch::Falling),
];

/// The ink of a row of the kernel table and of everything it issues.
#[must_use]
pub fn ink_of(row: RowId) -> Ink {
    INKS[row.index() % INKS.len()]
}
