//! The files of teachers and students: exercises, and what came of a quiz.
//!
//! Depends on serde, and on sha2 and humantime for checksums and times. Invariants: what is written is read back as it was;
//! a file of another kind, of a later version or with unknown fields is refused with a sentence; every text has a limit.

mod exercise;
mod result;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use exercise::EXERCISE_KIND;
pub use exercise::{Asked, Exercise, ExerciseFile, MAX_TEACHER_TEXT, read_exercise};
use result::RESULT_KIND;
pub use result::{GivenAnswer, MAX_STUDENT, QuizResult, read_result, utc};

/// Longest file of either kind that is read, in bytes.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Most questions of an exercise or a result.
pub const MAX_ASKED: usize = 50;

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
fn read<T: DeserializeOwned>(text: &str, kind: &str, what: &str) -> Result<T, String> {
    if text.len() > MAX_BYTES {
        return Err(format!("The file has {} bytes; {what} has at most {MAX_BYTES}.", text.len()));
    }
    let text = text.trim_start_matches('\u{feff}');
    let head: Head = match serde_json::from_str(text) {
        Ok(head) => head,
        Err(error) if error.is_data() => return Err(format!("This is not {what}: {error}.")),
        Err(error) => return Err(format!("This is not a JSON file: {error}.")),
    };
    match head {
        Head { kind: of, .. } if of.is_empty() => Err(format!("This is not {what}: the field \"kind\" is missing.")),
        Head { kind: of, .. } if of != kind => {
            let of: String = of.chars().take(40).collect();
            Err(format!("This is not {what}: its kind is \"{of}\", not \"{kind}\"."))
        }
        Head { version: 1, .. } => serde_json::from_str(text).map_err(|error| format!("This is {what}, but it cannot be read: {error}.")),
        Head { version, .. } => {
            Err(format!("This is {what} of version {version}. This page reads version 1: load the page again, it may be older."))
        }
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

/// What is wrong with the length of a text.
fn too_long(field: &str, text: &str, limit: usize) -> Option<String> {
    let count = text.chars().count();
    (count > limit).then(|| format!("{field}: this text has {count} characters; the maximum is {limit}."))
}
