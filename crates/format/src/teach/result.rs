//! What came of a quiz: who answered what, and when.
//!
//! Depends on sha2 for the checksum and on humantime for times. Invariant: the checksum covers everything else in the file. It
//! shows that a file was changed by mistake; whoever wants to deceive can compute it anew.

use std::time::{Duration, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{MAX_ASKED, MAX_VARIED, TeachError, check_length, digest, read};
use crate::layout;

/// What such a file says it is.
pub(super) const RESULT_KIND: &str = "blockstep-result";

/// Longest name of a student, in characters.
pub const MAX_STUDENT: usize = 200;

/// The last millisecond of the year 9999, after which times have no four digits for the year.
const LAST_MS: u64 = 253_402_300_799_999;

/// An answer to a question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenAnswer {
    /// Steps applied when it was asked.
    pub step: u32,
    /// The time of that step, ns.
    pub time_ns: u64,
    /// The kind of question, as links name it.
    pub kind: String,
    /// The question.
    pub question: String,
    /// The answer given; empty if it was given up.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub given: String,
    /// Whether the question was given up.
    pub given_up: bool,
    /// The right answer.
    pub right: String,
    /// The rule that decides.
    pub rule: String,
}

impl GivenAnswer {
    /// Whether the right answer was given.
    #[must_use]
    pub fn is_right(&self) -> bool {
        !self.given_up && self.given == self.right
    }
}

/// A number of the table that the student had.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenNumber {
    /// Its field, as a sweep names it: `kernels[K1].blocks`.
    pub field: String,
    /// Its value, in the unit of the field; `None` if its cell was empty.
    pub value: Option<u64>,
    /// Both in words: `Blocks of K1: 5`.
    pub text: String,
}

/// The result of a quiz.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuizResult {
    /// `blockstep-result`.
    pub kind: String,
    /// 1.
    pub version: u64,
    /// Who answered; may be empty.
    pub student: String,
    /// The name of the scenario; may be empty.
    pub scenario: String,
    /// A short id of the scenario file; of an exercise whose numbers differ, of the file before the student's numbers were set.
    pub scenario_id: String,
    /// The title of the exercise; empty if it has none, or if the questions were drawn.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub exercise: String,
    /// A short id of the exercise; empty if the questions were drawn.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub exercise_id: String,
    /// The seed; of an exercise whose numbers differ, [`super::student_seed`].
    pub seed: u64,
    /// The student's numbers, of an exercise whose numbers differ; else none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<GivenNumber>,
    /// When the first question was asked, in UTC as RFC 3339 has it; empty if that is not known.
    pub began: String,
    /// When the last one was answered or given up.
    pub ended: String,
    /// Every question, with what was answered.
    pub questions: Vec<GivenAnswer>,
    /// How many answers are right.
    pub score: usize,
    /// Of how many.
    pub of: usize,
    /// `sha256:` and the SHA-256 of all the rest as JSON without white space, with an empty text here.
    pub checksum: String,
}

impl QuizResult {
    /// With kind, version, score and checksum as they follow from the rest.
    #[must_use]
    pub fn sealed(self) -> Self {
        let (score, of) = (self.questions.iter().filter(|given| given.is_right()).count(), self.questions.len());
        let mut result = Self { kind: RESULT_KIND.to_owned(), version: 1, score, of, ..self };
        result.checksum = result.computed_checksum();
        result
    }

    fn computed_checksum(&self) -> String {
        format!("sha256:{}", digest(&layout::compact(&Self { checksum: String::new(), ..self.clone() }).to_string()))
    }

    /// Whether the checksum is that of the rest.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.checksum == self.computed_checksum()
    }

    /// The file.
    #[must_use]
    pub fn write(&self) -> String {
        // Strings and numbers: they can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// How long it took, in seconds; `None` if a time is missing or unreadable.
    #[must_use]
    pub fn seconds(&self) -> Option<u64> {
        let at = |text: &str| humantime::parse_rfc3339(text).ok();
        Some(at(&self.ended)?.duration_since(at(&self.began)?).ok()?.as_secs())
    }
}

/// Milliseconds since 1970 as a time in UTC, to the second; empty for 0, which stands for "not known".
#[must_use]
pub fn utc(ms: u64) -> String {
    if ms == 0 { String::new() } else { humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_millis(ms.min(LAST_MS))).to_string() }
}

/// Reads a result, strictly. Whether it was changed is for [`QuizResult::is_unchanged`] to say.
///
/// # Errors
/// Why it is none.
pub fn read_result(text: &str) -> Result<QuizResult, TeachError> {
    let result: QuizResult = read(text, RESULT_KIND, "a result of Predict")?;
    check_length("Student", &result.student, MAX_STUDENT)?;
    if result.numbers.len() > MAX_VARIED {
        return Err(TeachError::ManyGiven(result.numbers.len()));
    }
    match result.questions.len() {
        0 => Err(TeachError::NoAnswers),
        count if count > MAX_ASKED => Err(TeachError::ManyAnswers(count)),
        _ => Ok(result),
    }
}
