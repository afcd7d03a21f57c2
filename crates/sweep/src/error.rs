//! Why a sweep cannot be made, and why parts of one cannot be joined.

use super::measure::Measure;
use super::plan::MAX_RUNS;
use blockstep_format::beginning;
use blockstep_sim::scenario::plain;

/// Why a sweep cannot be made; displayed as what is wrong with which argument.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SweepError {
    /// There is no `=`.
    #[error("\"{0}\" has no value: write FIELD=VALUES, as kernels[K3].blocks=1..65")]
    NoValues(String),
    /// The name of a field cannot be read.
    #[error(
        "\"{0}\" is not a field: write names with dots, and rows by number from 0 or by name, as kernels[0].blocks or kernels[K3].blocks"
    )]
    NotAField(String),
    /// The scenario has no such row.
    #[error("{field}: {list} has no row \"{row}\"; it has {}", rows(.known))]
    NoRow {
        /// The field.
        field: String,
        /// The list in it.
        list: String,
        /// What was asked for.
        row: String,
        /// The names of its rows.
        known: Vec<String>,
    },
    /// What the name goes through is no list or object.
    #[error("{field}: {part} has no fields")]
    NoFields {
        /// The field.
        field: String,
        /// The part of its name.
        part: String,
    },
    /// A field is given twice.
    #[error("{0} is given twice")]
    Twice(String),
    /// A range is none.
    #[error(
        "{field}: \"{values}\" is not a range: write FIRST..END, where END is left out, FIRST..=LAST, or either with :STEP; in time fields with units, as 1ms..10ms:500us"
    )]
    NotARange {
        /// The field.
        field: String,
        /// What was given.
        values: String,
    },
    /// There are no values.
    #[error("{field}: \"{values}\" has no value")]
    Empty {
        /// The field.
        field: String,
        /// What was given.
        values: String,
    },
    /// Too many.
    #[error("{0} runs are too many; the limit is {MAX_RUNS}")]
    TooMany(u128),
    /// A measure is none.
    #[error("\"{0}\" is not a measure; there are {words}{hint}", words = Measure::words(), hint = hint(.0))]
    NotAMeasure(String),
    /// The file as it is has no run to compare with.
    #[error("first-difference: the file as it is cannot be run: {0}")]
    NoBase(String),
    /// Of a name that the scenario does not have.
    #[error("response:{name}: the scenario has no task and no kernel row of this name; it has {}", .known.join(", "))]
    NoName {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
}

impl SweepError {
    /// The argument that is wrong: `vary` or `measure`.
    #[must_use]
    pub const fn argument(&self) -> &'static str {
        match self {
            Self::NotAMeasure(_) | Self::NoBase(_) | Self::NoName { .. } => "measure",
            _ => "vary",
        }
    }
}

fn hint(measure: &str) -> String {
    let plain = Measure::PLAIN.map(|measure| measure.to_string());
    blockstep_policy::hint(measure, plain.iter().map(String::as_str))
}

fn rows(known: &[String]) -> String {
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}

/// Why parts of a sweep cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// It is no part.
    #[error("this is not a result of blockstep sweep --vary: {0}")]
    NotAPart(&'static str),
    /// It contradicts itself, or says what cannot be.
    #[error("{field} is \"{value}\"; {expected}")]
    Differs {
        /// What is wrong, with the run.
        field: String,
        /// What stands there.
        value: String,
        /// What should.
        expected: String,
    },
    /// Of another one.
    #[error("this is of another sweep: its scenario, fields or measures differ from the first file's")]
    Another,
    /// A run is there twice.
    #[error("run {0} is there twice")]
    Twice(u64),
}

/// That a field should have another value.
pub(crate) fn differs(field: &str, value: &str, expected: String) -> PartError {
    PartError::Differs { field: shown(field), value: shown(value), expected }
}

/// The beginning of a text of a file, with nothing in it that deceives.
pub(crate) fn shown(text: &str) -> String {
    plain(&beginning(text, 60))
}
