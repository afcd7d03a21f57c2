//! The texts of "Predict": every word that a reader meets there, but for the questions. Depends on `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

#[cfg(target_arch = "wasm32")]
use leptos::prelude::*;

use crate::view::quantity::{format_count, format_time};

// What is wrong with a link or a file.

pub(super) fn bad_link(problem: &str) -> String {
    format!("This link's quiz cannot be made: {problem}")
}

pub(super) fn bad_exercise(problem: &str) -> String {
    format!("This exercise cannot be opened: {problem}")
}

pub(super) fn bad_file(name: &str, problem: &str) -> String {
    format!("{name} cannot be opened. {problem}")
}

pub(super) fn quiz_is_on(name: &str) -> String {
    format!("{name} is an exercise. End this quiz first, then open the file again.")
}

pub(super) fn no_kind(question: usize, kind: &str) -> String {
    format!("question {question}: \"{kind}\" is not a kind of question.")
}

pub(super) fn nothing_decided(question: usize, kind: &str, step: u32) -> String {
    format!("question {question}: nothing of the kind \"{kind}\" is decided after step {step}.")
}

// Settings.

pub(super) const LEAD: &str =
    "The run pauses before some decisions and asks what happens next. Everything later is hidden until you answer.";
pub(super) const KINDS: &str = "Ask";
pub(super) const NAME: &str = "Your name";
pub(super) const NAME_HELP: &str = "Optional; only the result that you save has it";
pub(super) const NAME_EXAMPLE: &str = "optional";
pub(super) const COUNT: &str = "Questions";
pub(super) const SEED: &str = "Seed";
pub(super) const SEED_HELP: &str = "The same seed gives the same questions";
pub(super) const START: &str = "Start";
pub(super) const NO_KIND: &str = "Tick at least one kind of question.";
pub(super) const NO_DECISION: &str = "This run has no suitable decision of these kinds. Choose other kinds or another scenario.";

pub(super) fn long_name(count: usize, limit: usize) -> String {
    format!("Name: this one has {count} characters; the maximum is {limit}.")
}

pub(super) fn wrong_seed(text: &str) -> String {
    format!("Seed: \"{text}\" is not a whole number from 0 to {}.", u64::MAX)
}

pub(super) fn wrong_count(text: &str, limit: usize) -> String {
    format!("Questions: \"{text}\" is not a number from 1 to {limit}.")
}

// Before the first question of an exercise.

/// Without a number of right answers to pass with, it is 0.
pub(super) fn introduction(questions: usize, pass: usize) -> String {
    let count = if questions == 1 { "1 question.".to_owned() } else { format!("{questions} questions.") };
    let pass = if pass == 0 { String::new() } else { format!(" You pass with {pass} right answers.") };
    format!("{count}{pass} What comes after each question stays hidden until you answer it or give it up.")
}

// While the quiz is on.

pub(super) const GIVE_UP: &str = "Give up the quiz";
pub(super) const IS_ON: &str = "Until the quiz is over, the scenario cannot be changed, and tools that would show the answer are closed.";

/// Which question it is, and of how many.
pub(super) fn head(number: usize, count: usize, step: u32, at_ns: u64) -> String {
    format!("Question {number} of {count}, after step {} at {}", format_count(step.into()), format_time(at_ns))
}

// A question.

pub(super) const AWAY: &str = "The question is about another step. ";
pub(super) const RETURN: &str = "Back to it";
pub(super) const ANSWER: &str = "Answer";
pub(super) const PASS: &str = "Give up this question";
pub(super) const NO_CHOICE: &str = "Choose an answer first.";

// What is said of the answer.

#[cfg(target_arch = "wasm32")]
pub(super) fn right(answer: String) -> impl IntoView {
    view! { "Right: " <strong>{answer}</strong> "." }
}

#[cfg(target_arch = "wasm32")]
pub(super) fn wrong(given: &str) -> impl IntoView + use<> {
    let given = format!(" You answered {given}.");
    view! { <strong>"Not quite."</strong> {given} }
}

#[cfg(target_arch = "wasm32")]
pub(super) fn the_run(answer: String) -> impl IntoView {
    view! { "The run: " <strong>{answer}</strong> "." }
}

pub(super) fn said_right(answer: &str) -> String {
    format!("Right: {answer}.")
}

pub(super) fn said_wrong(answer: &str) -> String {
    format!("Not quite. The run's answer: {answer}.")
}

pub(super) fn said_answer(answer: &str) -> String {
    format!("The run's answer: {answer}.")
}

pub(super) const OTHER_RULE: &str = "Your answer would be right if this were the rule:";
pub(super) const BELIEF: &str = "The idea behind it may be:";

pub(super) fn rule(sentence: &str) -> String {
    format!("The rule is: {sentence}")
}

pub(super) const OTHERS: &str = "Why not the other answers";
pub(super) const BEFORE: &str = "Before";
pub(super) const AFTER: &str = "After";
pub(super) const NEXT: &str = "Next question";
pub(super) const SEE_RESULT: &str = "See the result";

// The scenario is another one.

pub(super) const START_HERE: &str = "Start again with this question";
pub(super) const OTHER_QUESTIONS: &str = "Other questions";

pub(super) fn changed(answered: usize, count: usize) -> String {
    format!(
        "The scenario on screen is not the one that this quiz began with. {answered} of {count} questions were answered; the others \
         are given up. Open that scenario again to see the result."
    )
}

// The result.

#[cfg(target_arch = "wasm32")]
pub(super) fn score(score: String) -> impl IntoView {
    view! { <strong>{score}</strong> " right." }
}

pub(super) fn right_of(right: usize, count: usize) -> String {
    format!("{right} of {count}")
}

pub(super) fn passed(needed: usize) -> String {
    format!("Passed: {needed} right answers are needed.")
}

pub(super) fn not_passed(needed: usize) -> String {
    format!("Not passed: {needed} right answers are needed.")
}

/// Exercise or scenario, and when it began and ended, if that is known.
pub(super) fn about(title: &str, seed: u64, times: Option<(String, String)>) -> String {
    match times {
        Some((began, ended)) => format!("{title}, seed {seed}, {began} to {ended}"),
        None => format!("{title}, seed {seed}"),
    }
}

pub(super) fn given_up(count: usize) -> String {
    format!("{count} given up.")
}

pub(super) fn fewer(wanted: usize) -> String {
    format!("You asked for {}, but the run has no more different decisions of these kinds.", format_count(wanted as u64))
}

pub(super) const LOOK_AGAIN: &str = "Rules to review: ";

// Its answers.

pub(super) const RIGHT: &str = "Right";
pub(super) const WRONG: &str = "Wrong";
pub(super) const GIVEN_UP: &str = "Given up";
pub(super) const NO_ANSWER: &str = "no answer";
pub(super) const ASK_WHY: &str = "Ask why";

pub(super) fn answered_right(question: &str, right: &str) -> String {
    format!("{question} {right}.")
}

pub(super) fn answered_wrong(question: &str, given: &str, right: &str) -> String {
    format!("{question} You answered {given}. The run: {right}.")
}

pub(super) fn not_answered(question: &str, right: &str) -> String {
    format!("{question} The run: {right}.")
}

pub(super) fn step(step: u32, at_ns: u64) -> String {
    format!("step {}, {}", format_count(step.into()), format_time(at_ns))
}

pub(super) fn ask_why_of(question: usize) -> String {
    format!("Ask why, question {question}")
}

// Its buttons.

pub(super) const SAVE: &str = "Save result";
pub(super) const OTHER_SETTINGS: &str = "Other settings";
pub(super) const ANOTHER: &str = "Another quiz";
pub(super) const COPY_LINK: &str = "Copy link";
pub(super) const IS_OVER: &str =
    "The result is a file for your teacher. The link starts this quiz: the same questions about this scenario.";

/// The name of its file, in words.
pub(super) fn file_name(student: &str, about: &str) -> String {
    format!("quiz {student} {about}")
}
