//! The texts of "Make an exercise": every word that a teacher meets there, but for the questions of `learn::quiz`.
//! Depends on nothing.

#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

// What can be asked at this step.

pub(super) const WHAT: &str =
    "Go to the step before a decision and press Ask here. The right answers come from the run. Students answer in Predict.";

pub(super) fn nothing_here(step: &str) -> String {
    format!("Nothing is decided right after step {step}, so nothing can be asked here.")
}

pub(super) fn kinds_here(step: &str, kinds: &[String]) -> String {
    format!("After step {step} you can ask: {}.", kinds.join("; "))
}

pub(super) const ASK_HERE: &str = "Ask here";
pub(super) const NEXT: &str = "Next decision";
pub(super) const SUGGEST: &str = "Suggest questions";

// Why nothing came of a button.

pub(super) fn too_many(count: usize, most: usize) -> String {
    format!("Questions: there are {count} already; the maximum is {most}.")
}

pub(super) fn undecided(step: u32) -> String {
    format!("Nothing is decided right after step {step}. Go to the next decision.")
}

pub(super) fn all_asked(step: u32) -> String {
    format!("You already ask about every decision right after step {step}.")
}

pub(super) fn none_found(from: u32, to: u32) -> String {
    format!("Nothing that can be asked about is decided from step {from} to step {to}.")
}

pub(super) const NONE_LEFT: &str = "The run has no further decisions that are worth asking about.";

// A question.

pub(super) fn place(step: &str, time: &str) -> String {
    format!("step {step}, {time}")
}

pub(super) fn up(number: usize) -> String {
    format!("Move question {number} up")
}

pub(super) fn down(number: usize) -> String {
    format!("Move question {number} down")
}

pub(super) fn remove(number: usize) -> String {
    format!("Remove question {number}")
}

pub(super) fn kind(number: usize) -> String {
    format!("Kind of question {number}")
}

/// After the right answer.
pub(super) const KEY: &str = "key";

pub(super) const NOT_DECIDED: &str = "This run no longer has a decision of this kind here.";

pub(super) fn told_before(other: usize) -> String {
    format!("Question {other} is about a later step, so students see this answer before the question is asked. Move this question up.")
}

pub(super) fn own_text(number: usize) -> String {
    format!("Your text before question {number}")
}

pub(super) const OWN_TEXT: &str = "Your text before this question (optional)";

// The exercise as a whole.

pub(super) const TITLE: &str = "Title";
pub(super) const OPTIONAL: &str = "optional";
pub(super) const INTRODUCTION: &str = "Introduction";
pub(super) const INTRODUCTION_HINT: &str = "What students read before the first question (optional)";
pub(super) const PASS: &str = "Right answers to pass";
pub(super) const NO_PASS: &str = "none";

pub(super) fn pass_unread(typed: &str) -> String {
    format!("{PASS}: \"{typed}\" is not a whole number.")
}

pub(super) fn undecided_question(number: usize) -> String {
    format!("Question {number}: this run no longer has this decision. Choose another kind, or remove the question.")
}

// What becomes of it.

pub(super) const COPY_LINK: &str = "Copy link";
pub(super) const SAVE: &str = "Save file";
pub(super) const TRY: &str = "Try it";
pub(super) const CLEAR: &str = "Clear";
pub(super) const WHAT_IT_HOLDS: &str = "The link and the file hold the scenario and the questions. They do not hold the answers.";

/// The beginning of its file's name.
pub(super) const FILE_NAME: &str = "exercise";
