//! What a search looks for.
//!
//! Depends on `program`.

use std::fmt;
use std::str::FromStr;

use blockstep_policy::{Expectation, Program};

/// Something that should not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// The policy fails: for a task that is none, or for operations.
    Fails,
    /// No task runs while one waits.
    Idle,
    /// A waiting task can never run again, whatever is asked, though its job is not over.
    Lost,
    /// A task waits forever while only such run as are no more urgent. Every job that runs ends, and time passes.
    Starved,
    /// The same, where jobs need not end: one runs on, and time passes.
    Hogged,
    /// A waiting task is more urgent than one that runs.
    Outranked,
    /// A best-effort task runs beside a real-time one.
    Mixed,
    /// More than so many tasks run at once; of real-time ones alone, if so.
    TooMany(u32, bool),
    /// A deadline is missed that the test of EDF promises.
    Missed,
    /// A task is admitted that has nothing to do. A warning.
    NoWork,
}

/// There is no such property.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no property \"{0}\"; there are {words}", words = Property::words().join(", "))]
pub struct PropertyError(pub String);

impl Property {
    /// Those without a number.
    pub const PLAIN: [Self; 9] =
        [Self::Fails, Self::Idle, Self::Lost, Self::Starved, Self::Hogged, Self::Outranked, Self::Mixed, Self::Missed, Self::NoWork];

    /// The words of all, as help and messages name them; `N` stands for a number.
    #[must_use]
    pub fn words() -> Vec<String> {
        let mut words: Vec<String> = Self::PLAIN.iter().map(ToString::to_string).collect();
        let before_missed = words.len() - 2;
        words.splice(before_missed..before_missed, ["at-most=N".to_owned(), "at-most-realtime=N".to_owned()]);
        words
    }

    /// Those that every policy is held against, and those that its author expects of it.
    #[must_use]
    pub fn for_program(program: &Program) -> Vec<Self> {
        let always = [Self::Fails, Self::Idle, Self::Lost, Self::Starved, Self::NoWork];
        let expected = program.expects().iter().map(|expectation| match *expectation {
            Expectation::Preemption => Self::Outranked,
            Expectation::Separation => Self::Mixed,
            Expectation::Turns => Self::Hogged,
            Expectation::AtMost(count, realtime) => Self::TooMany(count, realtime),
            Expectation::Deadlines => Self::Missed,
        });
        let mut all: Vec<Self> = always.into_iter().chain(expected).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether it is no fault, but worth a look.
    #[must_use]
    pub fn is_warning(self) -> bool {
        self == Self::NoWork
    }
}

/// The word for it, as the command line takes it.
impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fails => f.write_str("fails"),
            Self::Idle => f.write_str("idle"),
            Self::Lost => f.write_str("lost"),
            Self::Starved => f.write_str("starved"),
            Self::Hogged => f.write_str("hogged"),
            Self::Outranked => f.write_str("outranked"),
            Self::Mixed => f.write_str("mixed"),
            Self::TooMany(count, false) => write!(f, "at-most={count}"),
            Self::TooMany(count, true) => write!(f, "at-most-realtime={count}"),
            Self::Missed => f.write_str("missed"),
            Self::NoWork => f.write_str("no-work"),
        }
    }
}

impl FromStr for Property {
    type Err = PropertyError;

    fn from_str(text: &str) -> Result<Self, PropertyError> {
        let known = Self::PLAIN.into_iter().find(|property| property.to_string() == text);
        let many = || {
            let (word, count) = text.split_once('=')?;
            let count = count.parse().ok()?;
            match word {
                "at-most" => Some(Self::TooMany(count, false)),
                "at-most-realtime" => Some(Self::TooMany(count, true)),
                _ => None,
            }
        };
        known.or_else(many).ok_or_else(|| PropertyError(text.to_owned()))
    }
}
