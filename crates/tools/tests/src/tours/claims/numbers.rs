//! The numbers of a text, and whether claims stand behind them.

use blockstep_learn::tour::TourStop;
use serde_json::Value;

use super::{ClaimResult, Fields};

/// What stands behind a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Plain,
    Percent,
    /// With its nanoseconds.
    Time(u64),
    /// With its bytes.
    Bytes(u64),
}

const UNITS: [(&str, Unit); 9] = [
    ("ns", Unit::Time(1)),
    ("µs", Unit::Time(1_000)),
    ("ms", Unit::Time(1_000_000)),
    ("s", Unit::Time(1_000_000_000)),
    ("%", Unit::Percent),
    ("KiB", Unit::Bytes(1 << 10)),
    ("MiB", Unit::Bytes(1 << 20)),
    ("GiB", Unit::Bytes(1 << 30)),
    ("GB", Unit::Plain),
];

/// Words after which a number is a name: `Fig. 4`, `Tables 1 to 5`.
const NAMING: [&str; 15] = [
    "fig.",
    "figs.",
    "table",
    "tables",
    "theorem",
    "section",
    "sections",
    "equation",
    "stop",
    "conclusion",
    "case",
    "cases",
    "footnote",
    "appendix",
    "connection",
];

/// A number of a text, with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number {
    pub(crate) value: f64,
    decimals: i32,
    pub(crate) unit: Unit,
}

impl Number {
    /// The numbers of a text. Those that belong to a name (K1, Fig. 4, GT 710) are none.
    pub(crate) fn all(text: &str) -> Vec<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut found = Vec::new();
        let mut is_named = false;
        for (i, word) in words.iter().enumerate() {
            let bare = word.trim_matches(|c: char| "()[]\"*,;:".contains(c)).to_lowercase();
            // A list goes on: Tables 1, 2 and 3.
            let goes_on = is_named && (bare.starts_with(|c: char| c.is_ascii_digit()) || ["and", "to"].contains(&bare.as_str()));
            is_named = NAMING.contains(&bare.as_str()) || goes_on;
            if goes_on {
                continue;
            }
            Self::of_word(word, words.get(i + 1).copied(), &mut found);
        }
        found
    }

    /// The numbers of a word: `44`, `0.20-0.25`, `(12.08`, `50%`.
    fn of_word(word: &str, next: Option<&str>, found: &mut Vec<Self>) {
        let mut rest = word;
        let mut before = ' ';
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let (head, tail) = rest.split_at(at);
            before = head.chars().next_back().unwrap_or(before);
            let end = number_end(tail);
            let (digits, after) = tail.split_at(end);
            let is_name = before.is_alphabetic() || "_:#".contains(before) || after.starts_with(|c: char| c.is_alphabetic() && c != 'µ');
            let hyphen = head.strip_suffix('-').and_then(|h| h.chars().next_back()).is_some_and(char::is_alphabetic);
            if !is_name && !hyphen {
                let unit = if after.starts_with('%') {
                    Unit::Percent
                } else if after.is_empty() {
                    next.map_or(Unit::Plain, unit_of)
                } else {
                    Unit::Plain
                };
                let text = digits.replace(',', "");
                let decimals = text.split_once('.').map_or(0, |(_, d)| d.len() as i32);
                found.push(Self { value: text.parse().unwrap_or(f64::NAN), decimals, unit });
            }
            before = digits.chars().next_back().unwrap_or(' ');
            rest = after;
            // Of a name no later part is a number: K5000-2.
            if is_name && before.is_alphabetic() {
                return;
            }
        }
    }

    /// In ns, bytes, percent or as it stands.
    fn base(self) -> f64 {
        match self.unit {
            Unit::Time(scale) | Unit::Bytes(scale) => self.value * scale as f64,
            Unit::Plain | Unit::Percent => self.value,
        }
    }

    /// Half of its last digit, in its own unit.
    fn half_digit(self) -> f64 {
        0.5 * 10_f64.powi(-self.decimals) + 1e-9
    }
}

fn unit_of(word: &str) -> Unit {
    let bare = word.trim_end_matches(|c: char| ".,;:)?!*\"".contains(c));
    UNITS.iter().find(|(name, _)| *name == bare).map_or(Unit::Plain, |(_, unit)| *unit)
}

/// Where the number that a text begins with ends: thousands have commas, decimals a point.
fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut i = 0;
    while digit(i) {
        i += 1;
        if bytes.get(i) == Some(&b',') && (1..=3).all(|k| digit(i + k)) && !digit(i + 4) || bytes.get(i) == Some(&b'.') && digit(i + 1) {
            i += 1;
        }
    }
    i
}

/// What the claims of a stop state in numbers.
#[derive(Default)]
pub(crate) struct Backing {
    whole: Vec<f64>,
    texts: Vec<Number>,
    ranges: Vec<(f64, f64)>,
}

impl Backing {
    /// The numbers behind a stop's claims and its place. What is computed counts, too, or only what stands before an expression.
    pub(crate) fn from_stop(stop: &TourStop, before: Option<&str>) -> Self {
        let mut is_open = true;
        let mut backing = Self::default();
        for claim in &stop.claims {
            let Ok(value) = serde_json::from_str::<Value>(claim) else { continue };
            if let (Some(expression), Some(result)) = (value.get("reckon"), value.get("is")) {
                is_open &= before.is_none_or(|before| expression.as_str() != Some(before));
                if is_open {
                    backing.texts.extend(result.as_str().into_iter().flat_map(Number::all));
                }
            } else {
                backing.take("", &value);
            }
        }
        if let blockstep_learn::tour::TourPlace::At(at) = stop.place {
            backing.whole.push(at.ns() as f64);
        }
        backing
    }

    fn take(&mut self, name: &str, value: &Value) {
        match value {
            Value::Number(n) => self.whole.extend(n.as_f64()),
            Value::String(text) => self.texts.extend(Number::all(&text.replace(['=', '&', ','], " "))),
            Value::Array(all) if name == "ratio_permille" && all.len() == 2 => {
                self.ranges.extend(all[0].as_f64().zip(all[1].as_f64()));
            }
            Value::Array(all) => all.iter().for_each(|v| self.take(name, v)),
            Value::Object(fields) => fields.iter().for_each(|(name, v)| self.take(name, v)),
            Value::Null | Value::Bool(_) => {}
        }
        // Thousands in texts have commas, too.
        if let Value::String(text) = value {
            self.texts.extend(Number::all(text));
        }
    }

    /// Whether a claim states this number.
    pub(crate) fn has(&self, number: Number) -> bool {
        let near = |found: f64, scale: f64| (found / scale - number.value).abs() <= number.half_digit();
        let as_unit = |unit: Unit| {
            let scaled = |scale: f64| self.whole.iter().any(|&found| near(found, scale));
            match unit {
                Unit::Time(scale) | Unit::Bytes(scale) => scaled(scale as f64),
                Unit::Percent => {
                    let permille = number.value * 10.0;
                    scaled(10.0) || self.ranges.iter().any(|&(from, to)| to - from <= 70.0 && (from..=to).contains(&permille))
                }
                // Shares and utilizations are in thousandths or millionths, performances in hundredths.
                Unit::Plain => scaled(1.0) || number.decimals > 0 && (scaled(1000.0) || scaled(100.0) || scaled(1e6)),
            }
        };
        let in_text = |of: &Number| {
            let same_unit = of.unit == number.unit || number.unit == Unit::Plain || of.unit == Unit::Plain;
            if same_unit { near(of.value, 1.0) } else { (of.base() - number.base()).abs() < 1e-6 }
        };
        // In "10.2 to 12.08 ms" the unit of the first stands behind the second.
        let units = UNITS.map(|(_, unit)| unit);
        as_unit(number.unit) || number.unit == Unit::Plain && units.into_iter().any(as_unit) || self.texts.iter().any(in_text)
    }
}

/// An expression of numbers that claims state, and what comes of it, rounded as it is written.
pub(super) fn check_calculation(fields: &mut Fields, stop: &TourStop) -> ClaimResult<()> {
    let (expression, result) = (fields.text("reckon")?, fields.text("is")?);
    let [result] = Number::all(&result)[..] else { return Err(format!("{result} is not one number")) };
    let backing = Backing::from_stop(stop, Some(&expression));
    let mut sum = 0.0;
    for (sign, term) in terms(&expression) {
        let mut product = sign;
        for (is_divisor, factor) in factors(term) {
            let [number] = Number::all(factor)[..] else { return Err(format!("{factor} is not one number")) };
            // Small counts stand for themselves, and what makes thousandths of a number.
            let is_count = number.unit == Unit::Plain && number.decimals == 0 && (number.value <= 20.0 || number.value == 1000.0);
            if !is_count && !backing.has(number) {
                return Err(format!("no claim of the stop states {factor}"));
            }
            product = if is_divisor { product / number.base() } else { product * number.base() };
        }
        sum += product;
    }
    let found = match result.unit {
        Unit::Time(scale) | Unit::Bytes(scale) => sum / scale as f64,
        Unit::Percent if !expression.contains('%') => sum * 100.0,
        _ => sum,
    };
    if (found - result.value).abs() <= result.half_digit() { Ok(()) } else { Err(format!("it is {found}")) }
}

/// The terms of a sum, with their signs.
fn terms(expression: &str) -> Vec<(f64, &str)> {
    let (mut all, mut sign, mut rest) = (Vec::new(), 1.0, expression);
    while let Some(at) = rest.find(" + ").into_iter().chain(rest.find(" - ")).min() {
        all.push((sign, &rest[..at]));
        sign = if rest[at..].starts_with(" + ") { 1.0 } else { -1.0 };
        rest = &rest[at + 3..];
    }
    all.push((sign, rest));
    all
}

/// The factors of a product, with whether they divide.
fn factors(term: &str) -> Vec<(bool, &str)> {
    let (mut all, mut divides, mut rest) = (Vec::new(), false, term);
    while let Some(at) = rest.find(" * ").into_iter().chain(rest.find(" / ")).min() {
        all.push((divides, &rest[..at]));
        divides = rest[at..].starts_with(" / ");
        rest = &rest[at + 3..];
    }
    all.push((divides, rest));
    all
}

#[test]
fn tours_numbers_of_a_text_are_found() {
    let text = "At 0.3 s K1 has 4,096 threads (10.2 to 12.08 ms), Fig. 4 and Table 2 say; 85.2 % at 0.20-0.25, C5o#2, Case-1, two and 50%.";
    let found: Vec<(f64, Unit)> = Number::all(text).into_iter().map(|n| (n.value, n.unit)).collect();
    let [s, ms] = [Unit::Time(1_000_000_000), Unit::Time(1_000_000)];
    let expected = [
        (0.3, s),
        (4096.0, Unit::Plain),
        (10.2, Unit::Plain),
        (12.08, ms),
        (85.2, Unit::Percent),
        (0.2, Unit::Plain),
        (0.25, Unit::Plain),
        (50.0, Unit::Percent),
    ];
    assert_eq!(found, expected);
}
