//! Grays and hatches that tell kernels apart on paper, in color or not.
//!
//! Depends on `palette` and `units`. Invariants: two rows of the kernel table that follow each other
//! differ in their hatch, whatever a copier makes of the grays; black words on any ground have a contrast
//! of at least 7 to 1; no line is level, as it would strike words out; the inks repeat after twelve rows.

use super::palette::Rgb;
use blockstep_sim::units::RowId;

/// Which way the lines of a hatch run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Rising to the right.
    Rising,
    /// Falling to the right.
    Falling,
    /// Vertical lines.
    Upright,
}

/// Thin lines over a ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hatch {
    /// None of a plain ground, two where they cross.
    pub directions: &'static [Direction],
    /// From each line to the next.
    pub distance_px: f64,
}

/// How a kernel looks on paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ink {
    /// Behind its hatch.
    pub ground: Rgb,
    /// Over it.
    pub hatch: Hatch,
    /// Of boxes too small for a hatch.
    pub flat: Rgb,
}

impl Hatch {
    /// No lines.
    pub const PLAIN: Self = Self { directions: &[], distance_px: 7.0 };

    const fn new(directions: &'static [Direction], distance_px: f64) -> Self {
        Self { directions, distance_px }
    }
}

const RISING: &[Direction] = &[Direction::Rising];
const FALLING: &[Direction] = &[Direction::Falling];
const UPRIGHT: &[Direction] = &[Direction::Upright];
const CROSSED: &[Direction] = &[Direction::Rising, Direction::Falling];

const fn ink(ground: u8, hatch: Hatch, flat: u8) -> Ink {
    Ink { ground: Rgb(ground, ground, ground), hatch, flat: Rgb(flat, flat, flat) }
}

/// Every ink, in the order that rows take them: plain grays and hatches on white in turns, then finer ones.
pub const INKS: [Ink; 12] = [
    ink(0xd8, Hatch::PLAIN, 0x98),
    ink(0xff, Hatch::new(RISING, 7.0), 0xc4),
    ink(0xa8, Hatch::PLAIN, 0x6c),
    ink(0xff, Hatch::new(FALLING, 4.0), 0xb0),
    ink(0xc8, Hatch::new(RISING, 5.0), 0x80),
    ink(0xff, Hatch::new(CROSSED, 7.0), 0xd0),
    ink(0xd8, Hatch::new(FALLING, 6.0), 0x58),
    ink(0xff, Hatch::new(UPRIGHT, 5.0), 0xa4),
    ink(0xb0, Hatch::new(FALLING, 8.0), 0x74),
    ink(0xff, Hatch::new(RISING, 4.0), 0xbc),
    ink(0xd8, Hatch::new(CROSSED, 9.0), 0x8c),
    ink(0xff, Hatch::new(FALLING, 7.0), 0xdc),
];

impl Ink {
    /// The color of its lines, light enough for black words over them.
    #[must_use]
    pub fn line(&self) -> Rgb {
        self.ground.mixed(Rgb(0, 0, 0), 0.33)
    }
}

/// The ink of a row of the kernel table and of everything it issues.
#[must_use]
pub fn ink_of(row: RowId) -> Ink {
    INKS[row.index() % INKS.len()]
}
