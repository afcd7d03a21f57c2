//! Colors and patterns that tell kernels apart, and processes; safe for color-blind readers.
//!
//! Depends on `units`. Invariants: a row of the kernel table has the same color and pattern
//! wherever it is shown; the hues repeat after eight rows, each then paler and then darker, so that colors repeat after
//! twenty-four; the patterns repeat after five, so the pair after a hundred and twenty; text on any color has a contrast of at least 4.5 to 1. The hues are those of
//! Okabe and Ito's set ("Color Universal Design", 2008), with gray in the place of black. Processes
//! have colors darker than all of those on a light ground, and paler on a dark one.

use serde::{Deserialize, Serialize};

use blockstep_sim::units::{RowId, SpaceId};

/// A color, opaque: red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// What is drawn over a kernel's color, so that color is never the only sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Nothing is drawn over it.
    Plain,
    /// Lines rising to the right.
    Hatch,
    /// Lines falling to the right.
    BackHatch,
    /// Level lines.
    Level,
    /// Upright lines.
    Upright,
}

/// Every pattern, in the order that rows take them.
pub const PATTERNS: [Pattern; 5] = [Pattern::Plain, Pattern::Hatch, Pattern::BackHatch, Pattern::Level, Pattern::Upright];

const LIGHT: [Rgb; 8] = [
    Rgb(0x00, 0x72, 0xb2),
    Rgb(0xe6, 0x9f, 0x00),
    Rgb(0x00, 0x9e, 0x73),
    Rgb(0xcc, 0x79, 0xa7),
    Rgb(0x56, 0xb4, 0xe9),
    Rgb(0xd5, 0x5e, 0x00),
    Rgb(0xf0, 0xe4, 0x42),
    Rgb(0x99, 0x99, 0x99),
];

/// The same hues; blue and green lifted so that they stand out from a dark ground.
const DARK: [Rgb; 8] = [
    Rgb(0x3d, 0x8f, 0xcc),
    Rgb(0xe0, 0x9b, 0x0c),
    Rgb(0x1f, 0xaa, 0x82),
    Rgb(0xcc, 0x79, 0xa7),
    Rgb(0x7c, 0xc5, 0xf0),
    Rgb(0xd9, 0x65, 0x14),
    Rgb(0xe8, 0xdc, 0x50),
    Rgb(0x9a, 0xa0, 0xa6),
];

/// How much white and black the second and the third eight rows have in their hues: such that the nearest two of all colors are
/// as far apart as they can be.
const PALER: f64 = 0.5;
const DARKER: f64 = 0.3;

/// Of address spaces.
const SPACES_LIGHT: [Rgb; 6] = [
    Rgb(0x36, 0x2a, 0x87),
    Rgb(0x8a, 0x1c, 0x4e),
    Rgb(0x27, 0x55, 0x2b),
    Rgb(0x6b, 0x41, 0x1d),
    Rgb(0x24, 0x4c, 0x63),
    Rgb(0x58, 0x58, 0x14),
];

const SPACES_DARK: [Rgb; 6] = [
    Rgb(0xc3, 0xbd, 0xf7),
    Rgb(0xf7, 0xbf, 0xd6),
    Rgb(0xb8, 0xe3, 0xb6),
    Rgb(0xef, 0xd2, 0xb2),
    Rgb(0xb5, 0xdc, 0xea),
    Rgb(0xde, 0xdf, 0xa6),
];

/// The color of an address space, which is that of its process.
#[must_use]
pub fn colour_of_space(space: SpaceId, dark: bool) -> Rgb {
    let set = if dark { &SPACES_DARK } else { &SPACES_LIGHT };
    set[space.index() % set.len()]
}

/// The color of a row of the kernel table and of everything it issues.
#[must_use]
pub fn colour_of(row: RowId, dark: bool) -> Rgb {
    let set = if dark { &DARK } else { &LIGHT };
    let hue = set[row.index() % set.len()];
    match row.index() / set.len() % 3 {
        0 => hue,
        1 => hue.mixed(Rgb(255, 255, 255), PALER),
        _ => hue.mixed(Rgb(0, 0, 0), DARKER),
    }
}

/// The pattern of a row.
#[must_use]
pub fn pattern_of(row: RowId) -> Pattern {
    PATTERNS[row.index() % PATTERNS.len()]
}

/// Black or white, whichever stands out more from `ground`; its brightness is taken by squares,
/// which on the palette chooses as [`contrast`] does.
#[must_use]
pub fn text_on(ground: Rgb) -> Rgb {
    let [red, green, blue] = [ground.0, ground.1, ground.2].map(|c| u32::from(c) * u32::from(c) / 255);
    let is_bright = 2126 * red + 7152 * green + 722 * blue >= 2100 * 255;
    if is_bright { Rgb(0, 0, 0) } else { Rgb(255, 255, 255) }
}

/// Contrast between two colors, 1 to 21, as the web's accessibility guidelines define it.
#[must_use]
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (a.luminance(), b.luminance());
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

impl Rgb {
    /// As style sheets write it: `#rrggbb`.
    #[must_use]
    pub fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// `share` of `other` in it, 0 to 1.
    #[must_use]
    pub fn mixed(self, other: Self, share: f64) -> Self {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share.clamp(0.0, 1.0)).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    fn luminance(self) -> f64 {
        let part = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(self.0) + 0.7152 * part(self.1) + 0.0722 * part(self.2)
    }
}
