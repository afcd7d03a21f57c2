//! Decimal numbers as other tools write them, taken as whole numbers without floating point.
//!
//! Depends on nothing. Invariant: the result is the exact value, or the nearest whole number.

/// `text * 10^power` for a JSON number: the nearest whole number (halves upwards) and whether it is
/// exact. `None` if it is negative or beyond 64 bits.
pub(super) fn scaled(text: &str, power: i32) -> Option<(u64, bool)> {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits: String = [whole.trim_start_matches('-'), fraction].concat();
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some((0, true));
    }
    if text.starts_with('-') {
        return None;
    }
    // An exponent that is itself beyond 64 bits is as good as the largest one.
    let exponent = exponent.parse::<i64>().unwrap_or(if exponent.starts_with('-') { i64::MIN } else { i64::MAX });
    let shift = exponent.saturating_add(i64::from(power)).saturating_sub(fraction.len() as i64);
    let kept = usize::try_from((digits.len() as i64).saturating_add(shift.min(0))).ok();
    let (kept, dropped) = kept.map_or(("", digits), |kept| digits.split_at(kept));
    let round_up = match dropped.as_bytes().first() {
        // Digits that lie wholly behind the first place after the point round down.
        Some(first) => (digits.len() as i64).saturating_add(shift) >= 0 && *first >= b'5',
        None => false,
    };
    let exact = dropped.bytes().all(|d| d == b'0');
    let mut value: u64 = if kept.is_empty() { 0 } else { kept.parse().ok()? };
    for _ in 0..shift.max(0) {
        value = value.checked_mul(10)?;
    }
    Some((value.checked_add(u64::from(round_up))?, exact))
}

/// The same with a sign: halves away from zero. `None` beyond 64 bits.
pub(super) fn scaled_signed(text: &str, power: i32) -> Option<(i64, bool)> {
    let Some(positive) = text.strip_prefix('-') else {
        let (value, exact) = scaled(text, power)?;
        return Some((i64::try_from(value).ok()?, exact));
    };
    let (value, exact) = scaled(positive, power)?;
    Some((0_i64.checked_sub_unsigned(value)?, exact))
}

#[cfg(test)]
mod tests {
    use super::{scaled, scaled_signed};

    #[test]
    fn signs_are_kept_up_to_the_last_nanosecond() {
        for (text, ns) in [
            ("-0.0", (0, true)),
            ("-0.118530857", (-118_530_857, true)),
            ("-0.0000000005", (-1, false)),
            ("9223372036.854775807", (i64::MAX, true)),
            ("-9223372036.854775808", (i64::MIN, true)),
        ] {
            assert_eq!(scaled_signed(text, 9), Some(ns), "{text}");
        }
        for text in ["9223372036.854775808", "-9223372036.854775809", "1e308", "-1e308", "18446744073.709551615"] {
            assert_eq!(scaled_signed(text, 9), None, "{text}");
        }
    }

    #[test]
    fn seconds_become_nanoseconds_exactly() {
        for (text, ns) in [
            ("0", (0, true)),
            ("-0.0", (0, true)),
            ("0.2", (200_000_000, true)),
            ("1", (1_000_000_000, true)),
            ("2.5e-1", (250_000_000, true)),
            ("1E+3", (1_000_000_000_000, true)),
            ("0.000000001", (1, true)),
            ("0.0000000014", (1, false)),
            ("0.0000000005", (1, false)),
            ("0.00000000049", (0, false)),
            ("0.00000000005", (0, false)),
            ("9e-400", (0, false)),
            ("1e-99999999999999999999", (0, false)),
            ("0e99999999999999999999", (0, true)),
            ("0.30000000000000004", (300_000_000, false)),
            ("18446744073.709551615", (u64::MAX, true)),
        ] {
            assert_eq!(scaled(text, 9), Some(ns), "{text}");
        }
        for text in ["-1", "-0.1", "18446744073.709551616", "18446744073.7095516155", "1e11", "1e99999999999999999999"] {
            assert_eq!(scaled(text, 9), None, "{text}");
        }
    }
}
