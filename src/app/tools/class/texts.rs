//! The texts of a class's results: every word that a reader meets there, but for the marks and notes of `learn::class`.
//! Depends on nothing.

#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

// Above the table.

pub(super) const WHAT: &str = "Drop the files that students saved from Predict anywhere on this page, many at once. Nothing leaves \
                               the browser, and nothing is stored: the table is gone when you leave the page.";

pub(super) const OPEN: &str = "Open results…";
pub(super) const FILES: &str = "Results of students";
pub(super) const SAVE: &str = "Save as CSV";
pub(super) const CLEAR: &str = "Clear";

/// How many files there are; `left` of them are not counted.
pub(super) fn count(files: usize, left: usize) -> String {
    match (files, left) {
        (0, _) => String::new(),
        (1, 0) => "1 result.".to_owned(),
        (files, 0) => format!("{files} results."),
        (1, left) => format!("1 file, {left} of them marked and not counted below."),
        (files, left) => format!("{files} files, {left} of them marked and not counted below."),
    }
}

pub(super) fn too_many(count: usize, most: usize) -> String {
    format!("Files: {count} are too many; the maximum is {most}. The first {most} are here.")
}

// The table of files.

pub(super) const RESULTS: &str = "Results";
pub(super) const STUDENT: &str = "Student";
pub(super) const EXERCISE: &str = "Exercise";
pub(super) const SEED: &str = "Seed";
pub(super) const DATE: &str = "Date";
pub(super) const MINUTES: &str = "Minutes";
pub(super) const SCORE: &str = "Score";
pub(super) const FILE: &str = "File";

/// A question, from 1 on.
pub(super) fn question(number: usize) -> String {
    format!("Q{number}")
}

pub(super) const NO_NAME: &str = "no name";

/// How many of how many are right.
pub(super) fn right_of(right: usize, of: usize) -> String {
    format!("{right} of {of}")
}

// The table of questions.

pub(super) const BY_QUESTION: &str = "By question";
pub(super) const QUESTION: &str = "Question";
pub(super) const ASKED: &str = "What was asked";
pub(super) const RIGHT_ANSWER: &str = "Right answer";
pub(super) const RIGHT: &str = "Right";
pub(super) const WRONG: &str = "Wrong";
pub(super) const GIVEN_UP: &str = "Given up";
pub(super) const FREQUENT: &str = "Most frequent wrong answer";

/// A wrong answer, and how many gave it.
pub(super) fn given_by(answer: &str, count: usize) -> String {
    format!("{answer} ({count})")
}

// Below the tables.

pub(super) const CHECKSUM: &str = "Each file has a checksum of its content. The checksum shows that a file was changed by mistake. It does not stop anyone who wants to change a result, because anyone who can read this page's source can compute a new checksum.";

// The file that it saves.

pub(super) const FILE_NAME: &str = "class-results.csv";
