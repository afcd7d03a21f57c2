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
