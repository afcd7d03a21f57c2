//! Times of a table or an axis in one unit, and shares in percent.
//!
//! Depends on `quantity`. Invariant: no floating point; what is rounded is rounded to five digits or
//! to a tenth of a percent.

use crate::quantity::grouped;

/// A unit of time for a column or an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeUnit {
    /// `s`, `ms`, `µs` or `ns`.
    pub name: &'static str,
    /// Its length in ns, a power of ten.
    pub ns: u64,
    /// The exponent of that.
    digits: usize,
}

const UNITS: [TimeUnit; 4] = [
    TimeUnit { name: "s", ns: 1_000_000_000, digits: 9 },
    TimeUnit { name: "ms", ns: 1_000_000, digits: 6 },
    TimeUnit { name: "µs", ns: 1_000, digits: 3 },
    TimeUnit { name: "ns", ns: 1, digits: 0 },
];

/// Digits that [`TimeUnit::short`] keeps.
const SHORT_DIGITS: usize = 5;

impl TimeUnit {
    /// The largest unit in which the greatest value of a column is at least 1.
    #[must_use]
    pub fn for_greatest(ns: u128) -> Self {
        UNITS.into_iter().find(|unit| ns >= u128::from(unit.ns)).unwrap_or(UNITS[3])
    }

    /// A time in this unit, exactly, without its name: `1,234.5`.
    #[must_use]
    pub fn exact(self, ns: u128) -> String {
        let (whole, rest) = (ns / u128::from(self.ns), ns % u128::from(self.ns));
        let digits = self.digits;
        let text = if rest == 0 { String::new() } else { format!(".{rest:0digits$}") };
        format!("{}{}", grouped(&whole.to_string()), text.trim_end_matches('0'))
    }

    /// The same rounded to five digits, or to whole units where those are more.
    #[must_use]
    pub fn short(self, ns: u128) -> String {
        let length = ns.to_string().len();
        let dropped = length.saturating_sub(SHORT_DIGITS).min(self.digits);
        let grain = 10_u128.pow(dropped as u32);
        self.exact(ns.saturating_add(grain / 2) / grain * grain)
    }
}

/// `part` of `whole` in percent with one decimal, halves up: `12.5 %`. Of nothing, 0.
#[must_use]
pub fn percent(part: u128, whole: u128) -> String {
    let tenths = permille(part, whole);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// `part` of `whole` in thousandths, halves up. Of nothing, 0.
#[must_use]
pub fn permille(part: u128, whole: u128) -> u128 {
    // Beyond 117 bits the last digits do not matter.
    let (part, whole) = if whole >> 117 > 0 { (part >> 10, whole >> 10) } else { (part, whole) };
    (part * 1000 + whole / 2).checked_div(whole).unwrap_or(0)
}
