//! The files of teachers and students: exercises, and what came of a quiz.
//!
//! Depends on serde, and on sha2 and humantime for checksums and times. Invariants: what is written is read back as it was;
//! a file of another kind, of a later version or with unknown fields is refused with a sentence; every text has a limit.

mod exercise;
mod result;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::FormatError;
use blockstep_sim::language::one_or;
use exercise::EXERCISE_KIND;
use exercise::OWN_CHOICES;
pub use exercise::{
    Exercise, ExerciseFile, ExerciseQuestion, MAX_TEACHER_TEXT, MAX_VARIED, OWN_KIND, VariedNumber, read_exercise, student_seed,
};
use result::RESULT_KIND;
pub use result::{GivenAnswer, GivenNumber, MAX_STUDENT, QuizResult, read_result, utc};

/// Longest file of either kind that is read, in bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Most questions of an exercise or a result.
pub const MAX_ASKED: usize = 50;

/// Why the file of a teacher or a student is refused.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Debug, thiserror::Error)]
pub enum TeachError {
    #[error("The file has {bytes} bytes; {what} has at most {MAX_BYTES}.")]
    TooLarge { what: &'static str, bytes: usize },
    #[error("This is not a JSON file: {0}.")]
    NotJson(serde_json::Error),
    #[error("This is not {what}: {why}.")]
    NoHead { what: &'static str, why: serde_json::Error },
    #[error("This is not {what}: the field \"kind\" is missing.")]
    NoKind { what: &'static str },
    #[error("This is not {what}: its kind is \"{found}\", not \"{kind}\".")]
    OtherKind { what: &'static str, found: String, kind: &'static str },
    #[error("This is {what} of version {version}. This page reads version 1: load the page again, it may be older.")]
    OtherVersion { what: &'static str, version: u64 },
    #[error("This is {what}, but it cannot be read: {why}.")]
    Unreadable { what: &'static str, why: serde_json::Error },
    #[error("the exercise cannot be read: {0}.")]
    UnreadableLink(serde_json::Error),
    #[error("The exercise's scenario cannot be read. {0}")]
    Scenario(#[from] FormatError),
    #[error("{0}")]
    Unwritten(serde_json::Error),
    #[error("{field}: this text has {count} characters; the maximum is {limit}.")]
    LongText { field: String, count: usize, limit: usize },
    #[error("Questions: there are none; an exercise has at least 1.")]
    NoQuestions,
    #[error("Questions: this result has none.")]
    NoAnswers,
    #[error("Questions: there are {0}; the maximum is {MAX_ASKED}.")]
    ManyQuestions(usize),
    #[error("Questions: this result has {0}; the maximum is {MAX_ASKED}.")]
    ManyAnswers(usize),
    #[error("Text of question {number}: there is none; a question of your own needs one.")]
    NoText { number: usize },
    #[error(
        "Choices of question {number}: there {} {count}; a question of your own has {} to {}.",
        one_or(*count, "is", "are"),
        OWN_CHOICES.start(),
        OWN_CHOICES.end()
    )]
    ChoiceCount { number: usize, count: usize },
    #[error("Choices of question {number}: its kind is \"{kind}\"; only a question of the kind \"own\" has choices and a right one.")]
    Choices { number: usize, kind: String },
    #[error("Choice {choice} of question {number}: it is empty.")]
    EmptyChoice { number: usize, choice: usize },
    #[error("Choice {choice} of question {number}: \"{text}\" stands there twice.")]
    SameChoice { number: usize, choice: usize, text: String },
    #[error("Right choice of question {number}: {right} is not a number from 1 to {count}.")]
    RightChoice { number: usize, right: usize, count: usize },
    #[error("Numbers that differ: there are {0}; the maximum is {MAX_VARIED}.")]
    ManyNumbers(usize),
    #[error("Numbers: this result has {0}; the maximum is {MAX_VARIED}.")]
    ManyGiven(usize),
    #[error("Right answers to pass: {pass} is more than the {count} questions.")]
    Pass { pass: usize, count: usize },
}

/// What a file says of itself.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Head {
    kind: String,
    version: u64,
}

fn head(text: &str) -> Option<Head> {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()
}

/// Whether a text is an exercise, by what it says of itself.
#[must_use]
pub fn is_exercise(text: &str) -> bool {
    head(text).is_some_and(|head| head.kind == EXERCISE_KIND)
}

/// Whether a text is the result of a quiz, by what it says of itself.
#[must_use]
pub fn is_result(text: &str) -> bool {
    head(text).is_some_and(|head| head.kind == RESULT_KIND)
}

/// Reads a file of a kind, strictly. `what` names it with its article.
fn read<T: DeserializeOwned>(text: &str, kind: &'static str, what: &'static str) -> Result<T, TeachError> {
    if text.len() > MAX_BYTES {
        return Err(TeachError::TooLarge { what, bytes: text.len() });
    }
    let text = text.trim_start_matches('\u{feff}');
    let head: Head = match serde_json::from_str(text) {
        Ok(head) => head,
        Err(why) if why.is_data() => return Err(TeachError::NoHead { what, why }),
        Err(why) => return Err(TeachError::NotJson(why)),
    };
    match head {
        Head { kind: of, .. } if of.is_empty() => Err(TeachError::NoKind { what }),
        Head { kind: of, .. } if of != kind => Err(TeachError::OtherKind { what, found: of.chars().take(40).collect(), kind }),
        Head { version: 1, .. } => serde_json::from_str(text).map_err(|why| TeachError::Unreadable { what, why }),
        Head { version, .. } => Err(TeachError::OtherVersion { what, version }),
    }
}

/// SHA-256 of a text, in hexadecimal digits.
fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A short id of a text: another text very likely has another one.
#[must_use]
pub fn short_id(text: &str) -> String {
    digest(text).chars().take(16).collect()
}

/// Whether a text is within its limit.
fn check_length(field: &str, text: &str, limit: usize) -> Result<(), TeachError> {
    let count = text.chars().count();
    if count > limit { Err(TeachError::LongText { field: field.to_owned(), count, limit }) } else { Ok(()) }
}
