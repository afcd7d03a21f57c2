//! Times, sizes and counts in words, as all messages and panels have them.
//!
//! Depends on nothing. Invariant: what [`format_time`], [`format_bytes`] and [`format_count`] write is
//! exact; no floating point is involved.

/// Units of time: name, length in ns, decimal digits of it.
const TIMES: [(&str, u64, usize); 4] = [("s", 1_000_000_000, 9), ("ms", 1_000_000, 6), ("µs", 1_000, 3), ("ns", 1, 0)];

/// Units of size above the byte: name, bytes.
const SIZES: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];

/// Significant digits of [`format_time_short`].
const SHORT_DIGITS: usize = 5;

/// What a number is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A time, ns.
    Time,
    /// A size, bytes.
    Bytes,
    /// Bytes in a second.
    BytesPerSecond,
    /// Things, which the field's name says.
    Count,
}

impl Measure {
    /// A number of it with its unit, exactly.
    #[must_use]
    pub fn format(self, value: u64) -> String {
        match self {
            Self::Time => format_time(value),
            Self::Bytes => format_bytes(value),
            Self::BytesPerSecond => format!("{}/s", format_bytes(value)),
            Self::Count => format_count(value),
        }
    }
}

/// A time in the largest of s, ms, µs and ns in which it is at least 1, exactly: `200 ms`,
/// `1.5 s`, `3.05 µs`, `17 ns`, `0 s`.
#[must_use]
pub fn format_time(ns: u64) -> String {
    let (name, length, digits) = time_unit(ns);
    let (whole, rest) = (ns / length, ns % length);
    format!("{}{} {name}", format_count(whole), fraction(rest, digits))
}

/// The same rounded to five significant digits, for axes and labels: `1.2346 s`. Whole seconds
/// are never rounded away: `18,446,744,074 s`.
#[must_use]
pub fn format_time_short(ns: u64) -> String {
    let (_, length, digits) = time_unit(ns);
    let whole_digits = (ns / length).to_string().len();
    let dropped = digits.saturating_sub(SHORT_DIGITS.saturating_sub(whole_digits));
    let grain = 10_u128.pow(dropped as u32);
    let rounded = (u128::from(ns) + grain / 2) / grain * grain;
    // Rounding up past the largest instant is only a matter of its last digits.
    format_time(u64::try_from(rounded).unwrap_or(u64::MAX / length * length))
}

/// The same for sentences, still exact: a time that ends 1 ns before a much shorter one is told by that: `just under 3.5 ms`
/// instead of `3.499999 ms`.
#[must_use]
pub fn format_time_read(ns: u64) -> String {
    let (exact, next) = (format_time(ns), format_time(ns.saturating_add(1)));
    if next.len() + 3 <= exact.len() { format!("just under {next}") } else { exact }
}

/// A size in the largest binary unit of which it is a whole number of quarters, else in bytes:
/// `32 KiB`, `1.5 MiB`, `1,500 B`. Exact.
#[must_use]
pub fn format_bytes(bytes: u64) -> String {
    match SIZES.iter().find(|(_, unit)| bytes >= *unit && bytes.is_multiple_of(unit / 4)) {
        Some((name, unit)) => format!("{}{} {name}", format_count(bytes / unit), fraction(bytes % unit / (unit / 4) * 25, 2)),
        None => format!("{} B", format_count(bytes)),
    }
}

/// A whole number with commas between groups of three digits: `1,024`.
#[must_use]
pub fn format_count(n: u64) -> String {
    grouped(&n.to_string())
}

/// Digits with commas between groups of three.
#[must_use]
pub fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn time_unit(ns: u64) -> (&'static str, u64, usize) {
    if ns == 0 { TIMES[0] } else { TIMES.into_iter().find(|(_, length, _)| ns >= *length).unwrap_or(TIMES[3]) }
}

/// `rest` of 10^`digits` as decimals without trailing zeros: `.05`, or nothing.
fn fraction(rest: u64, digits: usize) -> String {
    if rest == 0 { String::new() } else { format!(".{rest:0digits$}").trim_end_matches('0').to_owned() }
}

/// A message about a place, as `kernels[2].blocks is 0; …`: most messages are the rest of a sentence, the others follow
/// a colon. Without a place it is the message alone.
#[must_use]
pub fn said_of(place: &str, message: &str) -> String {
    const VERBS: [&str; 5] = ["is ", "are ", "has ", "lists ", "names "];
    let gap = match VERBS.iter().any(|verb| message.starts_with(verb)) {
        _ if place.is_empty() => "",
        true => " ",
        false => ": ",
    };
    format!("{place}{gap}{message}")
}
