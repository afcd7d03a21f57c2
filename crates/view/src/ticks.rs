//! The time axis: round instants, their labels and the unit.
//!
//! Depends on `units`, `quantity` and `time_scale`. Invariants: major ticks are 1, 2 or 5 times a power of
//! ten apart; labels have room beside each other.

use super::quantity::format_count;
use super::time_scale::TimeScale;
use blockstep_sim::units::Time;

/// A tick of the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Position on the axis, px.
    pub x_px: f64,
    /// The instant in the axis's unit, from its base; empty for minor ticks and where there is no room.
    pub label: String,
    /// Whether it is one of those with a label and a grid line.
    pub major: bool,
}

/// All ticks in view.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// Unit of the labels: `s`, `ms`, `µs` or `ns`.
    pub unit: &'static str,
    /// What has to be added to every label, written out; for close views late in a run.
    pub base: Option<String>,
    /// From left to right.
    pub ticks: Vec<Tick>,
}

/// Estimated width of a character of an axis label.
pub const CHAR_PX: f64 = 7.0;
const GAP_PX: f64 = 18.0;
const MIN_STEP_PX: f64 = 56.0;
const MIN_MINOR_PX: f64 = 9.0;
/// Labels with more units than this are written from a base.
const MAX_UNITS: u64 = 10_000;

const UNITS: [(&str, u64); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000), ("ns", 1)];

/// How far a label may stand out on either side of the plot.
const OVERHANG_PX: f64 = 7.0;

impl Tick {
    /// Left and right edge of its label, by estimate.
    #[must_use]
    pub fn label_px(&self) -> (f64, f64) {
        let half = self.label.chars().count() as f64 * CHAR_PX / 2.0;
        (self.x_px - half, self.x_px + half)
    }
}

impl Ticks {
    /// The same without the labels that reach into the interval `hidden` of x.
    #[must_use]
    pub fn without_labels_in(mut self, hidden: Option<(f64, f64)>) -> Self {
        if let Some((from, to)) = hidden {
            for tick in &mut self.ticks {
                let (left, right) = tick.label_px();
                if left < to + 4.0 && right > from - 4.0 {
                    tick.label.clear();
                }
            }
        }
        self
    }
}

/// The ticks of a scale.
#[must_use]
pub fn ticks(scale: &TimeScale) -> Ticks {
    let visible = scale.visible();
    let span = visible.span().ns();
    let (unit, unit_ns) = UNITS.into_iter().find(|&(_, ns)| span >= ns).unwrap_or(("ns", 1));
    let base = if unit_ns < UNITS[0].1 && visible.end.ns() / unit_ns >= MAX_UNITS {
        visible.start.ns() / (1000 * unit_ns) * (1000 * unit_ns)
    } else {
        0
    };
    let label = |at: u64, step: u64| label(at.saturating_sub(base), unit_ns, step, base > 0);
    let mut step = Step::at_least(MIN_STEP_PX * scale.ns_per_px());
    loop {
        let widest = label(visible.end.ns(), step.ns()).chars().count().max(label(visible.start.ns(), step.ns()).chars().count());
        if step.ns() as f64 / scale.ns_per_px() >= widest as f64 * CHAR_PX + GAP_PX {
            break;
        }
        match step.wider() {
            Some(wider) => step = wider,
            None => break,
        }
    }
    let minor = step.minor().filter(|&ns| ns as f64 / scale.ns_per_px() >= MIN_MINOR_PX);
    let every = minor.unwrap_or(step.ns());
    let mut ticks = Vec::new();
    let mut next = visible.start.ns().div_ceil(every).checked_mul(every);
    while let Some(at) = next.filter(|&at| at <= visible.end.ns()) {
        let x_px = scale.x_from_time(Time(at));
        if x_px > scale.right_px() {
            break;
        }
        if x_px >= scale.left_px() {
            let major = at % step.ns() == 0;
            let mut tick = Tick { x_px, label: if major { label(at, step.ns()) } else { String::new() }, major };
            let (left, right) = tick.label_px();
            if left < scale.left_px() - OVERHANG_PX || right > scale.right_px() + OVERHANG_PX {
                tick.label.clear();
            }
            ticks.push(tick);
        }
        next = at.checked_add(every);
    }
    Ticks { unit, base: (base > 0).then(|| base_text(base)), ticks }
}

/// 1, 2 or 5 times a power of ten nanoseconds.
#[derive(Clone, Copy)]
struct Step {
    digit: u64,
    power: u64,
}

impl Step {
    fn at_least(ns: f64) -> Self {
        let mut step = Self { digit: 1, power: 1 };
        while (step.ns() as f64) < ns {
            match step.wider() {
                Some(wider) => step = wider,
                None => break,
            }
        }
        step
    }

    const fn ns(self) -> u64 {
        self.digit * self.power
    }

    /// The next one; `None` beyond 64 bits.
    fn wider(self) -> Option<Self> {
        match self.digit {
            1 => self.power.checked_mul(2).map(|_| Self { digit: 2, ..self }),
            2 => self.power.checked_mul(5).map(|_| Self { digit: 5, ..self }),
            _ => self.power.checked_mul(10).map(|power| Self { digit: 1, power }),
        }
    }

    /// Distance of the ticks between, whole nanoseconds.
    fn minor(self) -> Option<u64> {
        let parts = if self.digit == 2 { 4 } else { 5 };
        self.ns().is_multiple_of(parts).then_some(self.ns() / parts)
    }
}

/// `ns` in units of `unit_ns`, with as many decimals as a multiple of `step` has.
fn label(ns: u64, unit_ns: u64, step: u64, from_base: bool) -> String {
    let sign = if from_base { "+" } else { "" };
    if ns == 0 {
        return format!("{sign}0");
    }
    let whole = grouped(ns / unit_ns);
    let mut decimals = 0;
    let mut grain = unit_ns;
    while grain > 1 && !step.is_multiple_of(grain) {
        grain /= 10;
        decimals += 1;
    }
    if decimals == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{:0decimals$}", ns % unit_ns / grain)
}

/// A base in seconds, without trailing zeros.
fn base_text(ns: u64) -> String {
    let text = format!("{}.{:09}", grouped(ns / UNITS[0].1), ns % UNITS[0].1);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Thousands apart from ten thousand on.
fn grouped(n: u64) -> String {
    if n < 10_000 { n.to_string() } else { format_count(n) }
}
