//! An exercise: a scenario, and the steps at which a teacher asks, in order.
//!
//! Depends on the reader of scenarios. Invariant: an exercise holds no answers but those to questions of the
//! teacher's own; who opens it computes the others.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{MAX_ASKED, TeachError, check_length, digest, read, short_id};
use crate::{layout, read_scenario};
use blockstep_sim::scenario::Draft;

/// What such a file says it is.
pub(super) const EXERCISE_KIND: &str = "blockstep-exercise";

/// Longest text of a teacher, in characters.
pub const MAX_TEACHER_TEXT: usize = 2_000;

/// The kind of a question that the teacher asks, and answers.
pub const OWN_KIND: &str = "own";

/// How many choices such a question has.
pub(super) const OWN_CHOICES: RangeInclusive<usize> = 2..=6;

/// Longest choice of such a question, in characters.
const MAX_CHOICE: usize = 300;

/// Most numbers that differ from student to student.
pub const MAX_VARIED: usize = 6;

/// Longest name of such a number, and longest list of its values, in characters.
const MAX_FIELD: usize = 200;
const MAX_VALUES: usize = 500;

/// A question of an exercise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExerciseQuestion {
    /// Steps applied when it is asked.
    pub step: u32,
    /// The kind of question, as links name it.
    pub kind: String,
    /// The teacher's own words before it, which may be empty; of a question of the teacher's own the question.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The choices of a question of the teacher's own; else none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Which of them is right, counted from 1; else 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub right: usize,
}

impl ExerciseQuestion {
    /// Whether the teacher asks it, and says what is right.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.kind == OWN_KIND
    }

    /// Whether everything is within its limits; of the question of this number, counted from 1.
    fn check(&self, number: usize) -> Result<(), TeachError> {
        check_length(&format!("Text of question {number}"), &self.text, MAX_TEACHER_TEXT)?;
        let count = self.choices.len();
        if !self.is_own() {
            return if count == 0 && self.right == 0 { Ok(()) } else { Err(TeachError::Choices { number, kind: self.kind.clone() }) };
        }
        if self.text.trim().is_empty() {
            return Err(TeachError::NoText { number });
        }
        if !OWN_CHOICES.contains(&count) {
            return Err(TeachError::ChoiceCount { number, count });
        }
        for (i, choice) in self.choices.iter().enumerate() {
            check_length(&format!("Choice {} of question {number}", i + 1), choice, MAX_CHOICE)?;
            if choice.trim().is_empty() {
                return Err(TeachError::EmptyChoice { number, choice: i + 1 });
            }
            if self.choices[..i].contains(choice) {
                return Err(TeachError::SameChoice { number, choice: i + 1, text: choice.clone() });
            }
        }
        if (1..=count).contains(&self.right) { Ok(()) } else { Err(TeachError::RightChoice { number, right: self.right, count }) }
    }
}

/// A number of the exercise's scenario that differs from student to student.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariedNumber {
    /// Its field, as a sweep names it: `kernels[K1].blocks`.
    pub field: String,
    /// The values that it may have, as a sweep takes them: `2..=8`, `2,4,6`.
    pub values: String,
}

/// An exercise without its scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// What it is called; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What is said before the first question; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// How many right answers it takes to pass; 0: nothing is said of passing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pass: usize,
    /// Decides which wrong answers are offered, and in which order they stand.
    #[serde(default)]
    pub seed: u64,
    /// The numbers that differ from student to student; the steps of the questions are those of the scenario as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vary: Vec<VariedNumber>,
    /// The questions, in the order in which they are asked.
    pub questions: Vec<ExerciseQuestion>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl Exercise {
    /// Reads it as links hold it.
    ///
    /// # Errors
    /// What is wrong.
    pub fn read(text: &str) -> Result<Self, TeachError> {
        let exercise: Self = serde_json::from_str(text).map_err(TeachError::UnreadableLink)?;
        exercise.check()?;
        Ok(exercise)
    }

    /// Reads one that is still being made: whatever its lengths and numbers.
    #[must_use]
    pub fn read_draft(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The same as text, for links.
    #[must_use]
    pub fn write(&self) -> String {
        layout::compact(self).to_string()
    }

    /// A short id: another exercise very likely has another one.
    #[must_use]
    pub fn id(&self) -> String {
        short_id(&self.write())
    }

    /// Whether everything is within its limits.
    ///
    /// # Errors
    /// The first thing that is not.
    pub fn check(&self) -> Result<(), TeachError> {
        let count = self.questions.len();
        if count == 0 {
            return Err(TeachError::NoQuestions);
        }
        if count > MAX_ASKED {
            return Err(TeachError::ManyQuestions(count));
        }
        if self.pass > count {
            return Err(TeachError::Pass { pass: self.pass, count });
        }
        check_length("Title", &self.title, 200)?;
        check_length("Introduction", &self.text, MAX_TEACHER_TEXT)?;
        if self.vary.len() > MAX_VARIED {
            return Err(TeachError::ManyNumbers(self.vary.len()));
        }
        for (i, number) in self.vary.iter().enumerate() {
            check_length(&format!("Name of number {} that differs", i + 1), &number.field, MAX_FIELD)?;
            check_length(&format!("Values of number {} that differs", i + 1), &number.values, MAX_VALUES)?;
        }
        self.questions.iter().enumerate().try_for_each(|(i, asked)| asked.check(i + 1))
    }
}

/// The seed of a student's own numbers, below 2^32: from the id of the exercise and the text that the student types, by SHA-256. White
/// space around the text and capitals do not count.
#[must_use]
pub fn student_seed(exercise_id: &str, student: &str) -> u64 {
    let digest = digest(&format!("{exercise_id}\n{}", student.trim().to_lowercase()));
    digest.chars().take(8).filter_map(|digit| digit.to_digit(16)).fold(0, |seed, digit| seed << 4 | u64::from(digit))
}

/// An exercise with its scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct ExerciseFile {
    /// What is asked.
    pub exercise: Exercise,
    /// The scenario; not checked yet.
    pub scenario: Draft,
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    kind: String,
    version: u64,
    exercise: Exercise,
    scenario: Box<RawValue>,
}

impl ExerciseFile {
    /// The file of an exercise about a scenario file.
    ///
    /// # Errors
    /// What is beyond its limits.
    pub fn write(exercise: &Exercise, scenario: &str) -> Result<String, TeachError> {
        exercise.check()?;
        let scenario = RawValue::from_string(scenario.trim().to_owned()).map_err(TeachError::Unwritten)?;
        let written = Written { kind: EXERCISE_KIND.to_owned(), version: 1, exercise: exercise.clone(), scenario };
        serde_json::to_string_pretty(&written).map(|text| text + "\n").map_err(TeachError::Unwritten)
    }
}

/// Reads the file of an exercise, strictly.
///
/// # Errors
/// What is wrong with it.
pub fn read_exercise(text: &str) -> Result<ExerciseFile, TeachError> {
    let written: Written = read(text, EXERCISE_KIND, "an exercise of Blockstep")?;
    written.exercise.check()?;
    Ok(ExerciseFile { exercise: written.exercise, scenario: read_scenario(written.scenario.get())? })
}
