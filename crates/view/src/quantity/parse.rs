//! Reading quantities out of cells.
//!
//! Depends on `scenario` for the block times of a draft. Invariants: decimal arithmetic in 128
//! bits, nothing is rounded; a message names the text, what is expected with an example, and the
//! limit where one is exceeded.

use super::{QuantityError, format_count, format_time};
use blockstep_sim::scenario::BlockTimes;

/// What a cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A time; a bare number is in seconds, as in the papers' tables. Value in ns.
    Time,
    /// A size; a bare number is in bytes, `KB`, `MB` and `GB` are binary, as in the papers.
    Bytes,
    /// A whole number.
    Count,
}

/// Characters of a cell that are looked at; no sensible quantity is longer.
pub(super) const MAX_CHARS: usize = 80;

impl Unit {
    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Time => "a time such as 0.2 (seconds), 200 ms or 50 µs",
            Self::Bytes => "a size such as 32 KB, 256 MB or 1,024 (bytes)",
            Self::Count => "a whole number such as 6 or 1,024",
        }
    }

    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Time => "a time",
            Self::Bytes => "a size",
            Self::Count => "a whole number",
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Time => "s, ms, µs, ns or min",
            Self::Bytes => "B, KB, MB or GB",
            Self::Count => "no unit",
        }
    }

    pub(super) fn limit(self) -> String {
        match self {
            Self::Time => format_time(u64::MAX),
            Self::Bytes => format!("{} B", format_count(u64::MAX)),
            Self::Count => format_count(u64::MAX),
        }
    }

    /// The value of one `word`; an empty word is the unit of a bare number.
    fn scale(self, word: &str) -> Option<u64> {
        let word = word.to_ascii_lowercase();
        match self {
            Self::Time => Some(match word.as_str() {
                "" | "s" | "sec" | "second" | "seconds" => 1_000_000_000,
                "ms" => 1_000_000,
                // Both the micro sign and the Greek letter, small and capital.
                "us" | "\u{b5}s" | "\u{3bc}s" | "\u{39c}s" => 1_000,
                "ns" => 1,
                "min" => 60_000_000_000,
                _ => return None,
            }),
            Self::Bytes => Some(match word.as_str() {
                "" | "b" | "byte" | "bytes" => 1,
                "k" | "kb" | "kib" => 1 << 10,
                "m" | "mb" | "mib" => 1 << 20,
                "g" | "gb" | "gib" => 1 << 30,
                _ => return None,
            }),
            Self::Count => word.is_empty().then_some(1),
        }
    }
}

/// Reads a quantity: digits with an optional decimal point, optional separators between groups
/// of three (`,`, `_`, `'` or a blank), an optional power of ten (`1e-3`) and an optional unit. A dash
/// alone, as in the papers' tables, is no bytes. A count may be a product of up to three, `16x16`, or
/// `(16, 16, 1)` as CUDA's `dim3` is written.
///
/// # Errors
/// The text, what is wrong with it, what is expected and the limit.
pub fn parse(unit: Unit, text: &str) -> Result<u64, QuantityError> {
    let text = text.trim();
    let owned = || text.to_owned();
    if text.is_empty() {
        return Err(QuantityError::Empty(unit));
    }
    if text.chars().nth(MAX_CHARS).is_some() {
        return Err(QuantityError::TooLong { unit, start: text.chars().take(20).collect() });
    }
    if unit == Unit::Bytes && matches!(text, "-" | "–" | "—") {
        return Ok(0);
    }
    if unit == Unit::Count && text.contains(TIMES) && text.starts_with(|c: char| c.is_ascii_digit()) {
        return product(text, text.split(TIMES));
    }
    if let Some(sizes) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).filter(|_| unit == Unit::Count) {
        return product(text, sizes.split(','));
    }
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    if let Some(rest) = unsigned.strip_prefix(['-', '−', '–']) {
        return Err(match rest.trim_start().chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => QuantityError::Negative { unit, text: owned() },
            _ => QuantityError::NotANumber { unit, text: owned() },
        });
    }
    let (number, exponent, word) = split(unsigned);
    let decimal = read_decimal(number, exponent).map_err(|flaw| match flaw {
        Flaw::Decimals(better) => QuantityError::DecimalComma { text: owned(), better },
        Flaw::Groups => QuantityError::Groups { unit, text: owned() },
        Flaw::NotANumber => QuantityError::NotANumber { unit, text: owned() },
    })?;
    let Some(scale) = unit.scale(word) else { return Err(wrong_unit(unit, text, word)) };
    decimal.times(scale).map_err(|inexact| match (inexact, unit) {
        (Inexact::TooLarge, _) => QuantityError::TooLarge { unit, text: owned() },
        (Inexact::TooFine, Unit::Time) => QuantityError::FinerThanNs(owned()),
        (Inexact::TooFine, Unit::Bytes) => QuantityError::PartOfByte(owned()),
        (Inexact::TooFine, Unit::Count) => QuantityError::NotWhole(owned()),
    })
}

/// Between the sizes of a grid or block: `16x16`.
const TIMES: [char; 4] = ['x', 'X', '×', '*'];

/// How many blocks or threads a grid or block of one to three dimensions has.
fn product<'t>(text: &'t str, sizes: impl Iterator<Item = &'t str>) -> Result<u64, QuantityError> {
    let sizes: Vec<&str> = sizes.collect();
    if sizes.len() > 3 {
        return Err(QuantityError::Dimensions { text: text.to_owned(), count: sizes.len() });
    }
    let mut all = 1_u64;
    for size in &sizes {
        let size = parse(Unit::Count, size).map_err(|_| QuantityError::NotASize(text.to_owned()))?;
        all = all.checked_mul(size).ok_or_else(|| QuantityError::TooLarge { unit: Unit::Count, text: text.to_owned() })?;
    }
    Ok(all)
}

/// One time for every block, or a list of times, in order of the blocks, separated by `;`, by
/// line breaks, by a comma with a blank, or by blanks.
///
/// # Errors
/// As [`parse`]; of a list, the message names the entry, counted from block 0.
pub fn parse_block_times(text: &str) -> Result<BlockTimes, QuantityError> {
    let text = text.trim();
    let entries: Vec<String> = if text.contains([';', '\n']) {
        text.split([';', '\n']).map(|e| e.trim().to_owned()).collect()
    } else if text.contains(", ") {
        text.split(", ").map(|e| e.trim().to_owned()).collect()
    } else {
        by_blanks(text)?
    };
    // A separator at the end ends the last entry and begins none.
    let entries = match entries.split_last() {
        Some((last, rest)) if last.is_empty() && !rest.is_empty() => rest,
        _ => &entries[..],
    };
    match entries {
        [] => parse(Unit::Time, "").map(BlockTimes::Each),
        [one] => parse(Unit::Time, one).map(BlockTimes::Each),
        many => {
            let in_block =
                |block: usize, e: &String| parse(Unit::Time, e).map_err(|why| QuantityError::OfBlock { block, why: Box::new(why) });
            let list: Result<Vec<u64>, _> = many.iter().enumerate().map(|(i, e)| in_block(i, e)).collect();
            list.map(|list| BlockTimes::List(list.into()))
        }
    }
}

/// `1 s 2 s` or `0.5 1 1.5`: a new entry begins at every number. `1 024` could be one or two.
fn by_blanks(text: &str) -> Result<Vec<String>, QuantityError> {
    let mut entries: Vec<String> = Vec::new();
    for word in text.split([' ', '\t']).filter(|w| !w.is_empty()) {
        let begins_number = word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | '−'));
        match entries.last_mut() {
            Some(last) if !begins_number => {
                last.push(' ');
                last.push_str(word);
            }
            Some(last) if is_group_of_three(word) && last.chars().all(|c| c.is_ascii_digit()) && last.len() <= 3 => {
                return Err(QuantityError::OneOrTwo { first: last.clone(), second: word.to_owned() });
            }
            _ => entries.push(word.to_owned()),
        }
    }
    Ok(entries)
}

fn is_group_of_three(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3 && !word[digits..].starts_with('.')
}

fn wrong_unit(unit: Unit, text: &str, word: &str) -> QuantityError {
    let text = text.to_owned();
    let other = [Unit::Time, Unit::Bytes].into_iter().find(|&other| other != unit && other.scale(word).is_some());
    match (other, unit) {
        (Some(other), _) => QuantityError::OtherUnit { unit, text, other },
        (None, Unit::Count) => QuantityError::CountWithUnit(text),
        (None, _) => QuantityError::UnknownUnit { unit, text, word: word.to_owned() },
    }
}

/// Number, power of ten and unit word of a quantity.
fn split(text: &str) -> (&str, i32, &str) {
    let Some(letter) = text.find(char::is_alphabetic) else { return (text.trim_end(), 0, "") };
    let (number, rest) = text.split_at(letter);
    let exponent = rest.strip_prefix(['e', 'E']).and_then(|after| {
        let (digits, sign) = match after.strip_prefix(['-', '−']) {
            Some(digits) => (digits, -1),
            None => (after.strip_prefix('+').unwrap_or(after), 1),
        };
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        // More digits than that are as far out of range.
        (end > 0 && number.ends_with(|c: char| c.is_ascii_digit() || c == '.'))
            .then(|| (sign * digits[..end].parse::<i32>().unwrap_or(9999).min(9999), &digits[end..]))
    });
    match exponent {
        Some((power, word)) => (number, power, word.trim()),
        None => (number.trim_end(), 0, rest.trim()),
    }
}

enum Flaw {
    NotANumber,
    Groups,
    /// A comma where a decimal point belongs, and the number with one.
    Decimals(String),
}

/// `mantissa * 10^power`; the mantissa does not end in 0 unless it is 0.
struct Decimal {
    /// Significant digits.
    digits: String,
    power: i64,
}

enum Inexact {
    TooLarge,
    TooFine,
}

fn read_decimal(number: &str, exponent: i32) -> Result<Decimal, Flaw> {
    let is_separator = |c: char| matches!(c, ',' | '_' | '\'') || c.is_whitespace();
    if !number.contains(|c: char| c.is_ascii_digit()) || number.contains(|c: char| !c.is_ascii_digit() && c != '.' && !is_separator(c)) {
        return Err(Flaw::NotANumber);
    }
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    if decimals.contains('.') {
        return Err(Flaw::NotANumber);
    }
    let groups: Vec<&str> = whole.split(is_separator).collect();
    let first_fits = groups[0].len() <= 3 && !groups[0].is_empty() && !groups[0].starts_with('0');
    let grouped = groups.len() == 1 || (first_fits && groups[1..].iter().all(|g| g.len() == 3));
    if !grouped || decimals.contains(is_separator) {
        return Err(match number.split_once(',') {
            Some((a, b)) if !b.is_empty() && [a, b].iter().all(|p| p.chars().all(|c| c.is_ascii_digit())) => {
                Flaw::Decimals(format!("{}.{b}", if a.is_empty() { "0" } else { a }))
            }
            _ => Flaw::Groups,
        });
    }
    let all = format!("{}{decimals}", groups.concat());
    let digits = all.trim_end_matches('0');
    let power = i64::from(exponent) - decimals.len() as i64 + (all.len() - digits.len()) as i64;
    Ok(Decimal { digits: digits.trim_start_matches('0').to_owned(), power })
}

impl Decimal {
    /// The value times `scale`, if that is whole and within 64 bits.
    fn times(&self, scale: u64) -> Result<u64, Inexact> {
        if self.digits.is_empty() {
            return Ok(0);
        }
        let integer_digits = self.digits.len() as i64 + self.power;
        if integer_digits > 20 {
            return Err(Inexact::TooLarge);
        }
        // From here on the value is below 10^20; products that do not fit have too many decimals.
        let mantissa: u128 = self.digits.parse().map_err(|_| Inexact::TooFine)?;
        let ten_to = |power: i64| u32::try_from(power).ok().and_then(|p| 10_u128.checked_pow(p));
        let product = mantissa.checked_mul(u128::from(scale)).ok_or(Inexact::TooFine)?;
        let value = if self.power >= 0 {
            ten_to(self.power).and_then(|p| product.checked_mul(p)).ok_or(Inexact::TooLarge)?
        } else {
            let divisor = ten_to(-self.power).ok_or(Inexact::TooFine)?;
            if !product.is_multiple_of(divisor) {
                return Err(Inexact::TooFine);
            }
            product / divisor
        };
        u64::try_from(value).map_err(|_| Inexact::TooLarge)
    }
}
