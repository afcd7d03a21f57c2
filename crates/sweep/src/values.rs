//! The values of a field: a list, a range, or what is drawn in each run.
//!
//! Depends on `view` for units. Invariant: there is at least one.

use serde_json::Value;

use super::error::SweepError;
use super::field::Field;
use blockstep_sim::dice::Dice;
use blockstep_view::quantity::{self, Unit};

/// Begins values that are drawn.
pub(crate) const DRAWN: char = '~';

/// The values of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// One after another.
    List(Vec<Value>),
    /// `count` numbers from `first`, each `step` more than the one before.
    Range { first: u64, step: u64, count: u64 },
    /// In each run one of the same, all equally likely.
    Drawn { first: u64, step: u64, count: u64 },
}

impl Values {
    /// Reads `1,2,4`, `fifo,priority`, `1..65`, `1..=64`, `1ms..10ms:500us`, and with `~` before it a range that is drawn from.
    pub(crate) fn read(text: &str, field: &Field) -> Result<Self, SweepError> {
        let empty = || SweepError::Empty { field: field.name.clone(), values: text.to_owned() };
        let drawn = text.strip_prefix(DRAWN);
        if drawn.is_none() && !text.contains("..") {
            let list: Vec<Value> = text.split(',').map(|word| value(word.trim(), field)).collect();
            return if text.is_empty() { Err(empty()) } else { Ok(Self::List(list)) };
        }
        let (first, step, count) = range(drawn.unwrap_or(text), field)
            .ok_or_else(|| SweepError::NotARange { field: field.name.clone(), values: text.to_owned() })?;
        match (count, drawn) {
            (0, _) => Err(empty()),
            (_, None) => Ok(Self::Range { first, step, count }),
            (_, Some(_)) => Ok(Self::Drawn { first, step, count }),
        }
    }

    /// Whether each run draws its own.
    pub(crate) fn is_drawn(&self) -> bool {
        matches!(self, Self::Drawn { .. })
    }

    /// How many runs it takes.
    pub(crate) fn count(&self) -> u64 {
        match self {
            Self::List(list) => list.len() as u64,
            Self::Range { count, .. } => *count,
            Self::Drawn { .. } => 1,
        }
    }

    /// The value of a place, or what is drawn by a seed for the field of this name.
    pub(crate) fn value(&self, place: u64, seed: u64, name: &str) -> Value {
        match self {
            Self::List(list) => list.get(place as usize).cloned().unwrap_or(Value::Null),
            Self::Range { first, step, .. } => (first + place * step).into(),
            Self::Drawn { first, step, count } => {
                let purpose: Vec<u64> = name.bytes().map(u64::from).collect();
                (first + Dice::new(seed, &purpose).below(*count) * step).into()
            }
        }
    }
}

/// A value as a file has it.
fn value(word: &str, field: &Field) -> Value {
    match word {
        "true" => true.into(),
        "false" => false.into(),
        "null" => Value::Null,
        _ => number(word, field).map_or_else(|| word.into(), Value::from),
    }
}

fn number(word: &str, field: &Field) -> Option<u64> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten();
    plain.or_else(|| field.is_time().then(|| quantity::parse(Unit::Time, word).ok()).flatten())
}

/// The first value of a range, its step, and how many there are.
fn range(text: &str, field: &Field) -> Option<(u64, u64, u64)> {
    let (bounds, step) = text.split_once(':').map_or((text, Some(1)), |(bounds, step)| (bounds, number(step, field)));
    let (first, end) = bounds.split_once("..")?;
    let (end, more) = end.strip_prefix('=').map_or((end, 0), |last| (last, 1));
    let (first, step, end) = (number(first, field)?, step.filter(|step| *step > 0)?, number(end, field)?.checked_add(more)?);
    Some((first, step, end.saturating_sub(first).div_ceil(step)))
}
