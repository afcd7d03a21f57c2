//! The result of a quiz, for its file.
//!
//! Invariant: every question is in it, those that were given up too.

use super::state::{Given, State};
use crate::tool::ReaderPlace;
use blockstep_format::{self as format, GivenAnswer, QuizResult};
use blockstep_sim::snapshot::Replay;
use blockstep_view::position;

pub(super) fn result(state: &State, place: &ReaderPlace, replay: &mut Replay) -> QuizResult {
    let trace = &place.simulation.run.trace;
    let mut questions = Vec::new();
    for number in 0..state.spots.len() {
        let Some(question) = state.question(replay, number) else { continue };
        let given = state.given.0.get(number).cloned().unwrap_or(Given::Pass);
        let is_given_up = given == Given::Pass;
        // Of a question with choices the rule that decides, whatever was answered.
        let rules = question.rules(replay, if question.choice_count() > 0 { &Given::Pass } else { &given });
        questions.push(GivenAnswer {
            step: question.position(),
            time_ns: position::time_at(trace, question.position()).ns(),
            kind: question.kind().to_owned(),
            question: question.text(),
            given: if is_given_up { String::new() } else { question.words(&given) },
            given_up: is_given_up,
            right: question.right(),
            rule: rules.first().map(|rule| rule.id().to_owned()).unwrap_or_default(),
        });
    }
    let (exercise, dealt) = (state.exercise(), state.dealt.clone());
    QuizResult {
        student: state.student.trim().to_owned(),
        scenario: trace.scenario().name().to_owned(),
        scenario_id: dealt.as_ref().map_or_else(|| format::short_id(&place.scenario), |dealt| dealt.own_id.clone()),
        exercise: exercise.as_ref().map(|exercise| exercise.title.clone()).unwrap_or_default(),
        exercise_id: exercise.map(|exercise| exercise.id()).unwrap_or_default(),
        seed: state.settings().seed,
        numbers: dealt.map(|dealt| dealt.numbers).unwrap_or_default(),
        began: format::utc(state.began.unwrap_or(0)),
        ended: format::utc(state.ended.unwrap_or(0)),
        questions,
        ..QuizResult::default()
    }
    .sealed()
}

/// `quiz-Ada-Table-1.json`: as far as files can have it.
pub(super) fn file_name(result: &QuizResult) -> String {
    let about = if result.exercise.is_empty() { &result.scenario } else { &result.exercise };
    let words = format!("quiz {} {about}", result.student);
    let plain: String = words.chars().take(80).map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    format!("{}.json", words.join("-"))
}
