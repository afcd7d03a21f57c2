//! Why a text is no quantity.

use super::parse::MAX_CHARS;
use super::{Unit, format_bytes};
use blockstep_sim::units::written::said_of;

/// Why a text is no quantity. The sentence goes on after the name of its field.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    #[error("is empty; write {}", .0.expected())]
    Empty(Unit),
    #[error("\"{start}…\" is too long; write {}, at most {MAX_CHARS} characters", .unit.expected())]
    TooLong { unit: Unit, start: String },
    #[error("\"{text}\" is negative; write {}", .unit.expected())]
    Negative { unit: Unit, text: String },
    #[error("\"{text}\" is not a number; write {}", .unit.expected())]
    NotANumber { unit: Unit, text: String },
    #[error("\"{text}\": decimals follow a point, write {better}; a comma only stands between groups of three digits")]
    DecimalComma { text: String, better: String },
    #[error("\"{text}\": separators stand between groups of three digits, as in 1,024; write {}", .unit.expected())]
    Groups { unit: Unit, text: String },
    #[error("\"{text}\" is too large; at most {}", .unit.limit())]
    TooLarge { unit: Unit, text: String },
    #[error("\"{0}\" is finer than 1 ns, the smallest step of time; write {expected}", expected = Unit::Time.expected())]
    FinerThanNs(String),
    #[error("\"{0}\" is not a whole number of bytes; write {expected}, such as {such}", expected = Unit::Bytes.expected(), such = format_bytes(1536))]
    PartOfByte(String),
    #[error("\"{0}\" is not whole; write {expected}", expected = Unit::Count.expected())]
    NotWhole(String),
    #[error("\"{text}\" is {}; {} is expected here: write {}", .other.noun(), .unit.noun(), .unit.expected())]
    OtherUnit { unit: Unit, text: String, other: Unit },
    #[error("\"{0}\": write the number alone, {expected}", expected = Unit::Count.expected())]
    CountWithUnit(String),
    #[error("\"{text}\": there is no unit \"{word}\"; write {}, for example {}", .unit.words(), .unit.expected())]
    UnknownUnit { unit: Unit, text: String, word: String },
    #[error("\"{text}\" has {count} dimensions; a grid or block has at most 3: write 16x16x4")]
    Dimensions { text: String, count: usize },
    #[error("\"{0}\" is not a size of a grid or block: write 16x16 or 16x16x4")]
    NotASize(String),
    #[error("\"{first} {second}\" could be one time or two; write {first},{second} or {first}; {second}")]
    OneOrTwo { first: String, second: String },
    #[error("{}", said_of(&format!("block {block}"), &.why.to_string()))]
    OfBlock { block: usize, why: Box<QuantityError> },
    #[error("{}", said_of(&format!("sample {sample}"), &.why.to_string()))]
    OfSample { sample: usize, why: Box<QuantityError> },
}
