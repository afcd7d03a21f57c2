//! Parts of JSON as readers of traces take them: fields of an unexpected type count as missing, and nothing is copied that can be pointed to.

use std::borrow::Cow;
use std::io::Read;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::mended::Mended;
use super::{JsonFault, ProfileError};

/// What a part is, which ends at a sign of the outline, or at the end of the file.
pub(super) struct Part<'t> {
    pub(super) text: &'t [u8],
    pub(super) sign: Option<u8>,
    /// Where it begins in the file.
    pub(super) at: u64,
}

/// Takes the next part.
pub(super) fn next<R: Read>(parts: &mut Mended<R>) -> Result<Part<'_>, JsonFault> {
    let at = parts.next_part_at;
    let (text, sign) = parts.next_part()?;
    Ok(Part { text, sign, at })
}

impl Part<'_> {
    pub(super) fn is_blank(&self) -> bool {
        self.text.iter().all(u8::is_ascii_whitespace)
    }

    pub(super) fn read<'e, T: Deserialize<'e>>(&'e self) -> Result<T, JsonFault> {
        let text = std::str::from_utf8(self.text).map_err(|_| self.expected("UTF-8"))?;
        serde_json::from_str(text).map_err(|why| JsonFault::Part { at: self.at, why })
    }

    /// Whether it is JSON, but no object.
    pub(super) fn is_no_object(&self) -> bool {
        let first = self.text.iter().find(|byte| !byte.is_ascii_whitespace());
        first.is_some_and(|&byte| byte != b'{') && self.read::<&RawValue>().is_ok()
    }

    pub(super) fn expected(&self, expected: &'static str) -> JsonFault {
        if self.sign.is_none() { JsonFault::Ended } else { JsonFault::Expected { expected, at: self.at } }
    }
}

/// Why a trace is not read to its end.
pub(super) enum TraceFault {
    Json(JsonFault),
    Limit(ProfileError),
}

impl<F: Into<JsonFault>> From<F> for TraceFault {
    fn from(why: F) -> Self {
        Self::Json(why.into())
    }
}

/// A number or a text; anything else counts as missing.
#[derive(Debug, Default)]
pub(super) struct Scalar<'e>(pub(super) Cow<'e, str>);

impl Scalar<'_> {
    /// As the file has it; empty if it is missing.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// A whole number; 4,294,967,295 and texts that are none are missing.
    pub(super) fn number(&self) -> Option<u64> {
        self.0.parse().ok().filter(|&n| n != u64::from(u32::MAX))
    }

    pub(super) fn small(&self) -> Option<u32> {
        self.number().and_then(|n| u32::try_from(n).ok())
    }

    /// Digits at the end: `stream 7`.
    pub(super) fn last_number(&self) -> Option<u64> {
        self.0.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }

    /// Microseconds with decimals as nanoseconds, exactly; digits beyond are cut off.
    pub(super) fn nanoseconds(&self) -> Option<i64> {
        if self.0.contains(['e', 'E']) {
            let ns = self.0.parse::<f64>().ok()? * 1_000.0;
            return (ns.abs() < 9e18).then_some(ns as i64);
        }
        let (whole, rest) = self.0.split_once('.').unwrap_or((&self.0, ""));
        let digits = rest.bytes().chain(std::iter::repeat(b'0')).take(3);
        let mut fraction = 0;
        for digit in digits {
            fraction = fraction * 10 + i64::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
        }
        let whole: i64 = whole.parse().ok()?;
        let sign = if self.0.starts_with('-') { -1 } else { 1 };
        whole.checked_mul(1_000)?.checked_add(sign * fraction)
    }
}

impl<'e> Scalar<'e> {
    fn from_json(text: &'e RawValue) -> Self {
        let text = text.get();
        Self(match text.as_bytes() {
            [b'"', inner @ .., b'"'] if !inner.contains(&b'\\') => Cow::Borrowed(&text[1..text.len() - 1]),
            [b'"', ..] => serde_json::from_str(text).unwrap_or_default(),
            [b'{' | b'[' | b'n' | b't' | b'f', ..] | [] => Cow::default(),
            _ => Cow::Borrowed(text),
        })
    }
}

impl<'de: 'e, 'e> Deserialize<'de> for Scalar<'e> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(json).map(Self::from_json)
    }
}

/// What cannot be read as `T` is missing.
#[derive(Debug)]
pub(super) struct Lenient<T>(pub(super) Option<T>);

impl<T> Default for Lenient<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(json)?;
        Ok(Self(serde_json::from_str(text.get()).ok()))
    }
}
