//! A question as it is asked: one with choices, an inset to fill in, or one of the teacher's own.
//!
//! Invariant: what is right comes from the run; of a question of the teacher's own it is what the exercise says.

use super::state::Given;
use blockstep_format::{ExerciseQuestion, OWN_KIND};
use blockstep_learn::quiz::{self, Inset, Misplaced, Question, QuestionKind, Spot};
use blockstep_sim::snapshot::Replay;
use blockstep_sim::trace::Rule;

/// What is misplaced is told of so often at most.
const MAX_TOLD: usize = 6;

/// A question.
pub(crate) enum Asked {
    Choices(Question),
    Inset(Box<Inset>),
    Own(ExerciseQuestion),
}

impl Asked {
    /// The question at a spot; `None` if nothing of the kind can be asked there.
    pub(crate) fn at(replay: &mut Replay, spot: Spot, seed: u64) -> Option<Self> {
        if spot.kind.has_choices() {
            return quiz::question_at(replay, spot, seed).map(Self::Choices);
        }
        Inset::next(replay, spot.position).map(|inset| Self::Inset(Box::new(inset)))
    }

    /// Steps applied when it is asked.
    pub(super) fn position(&self) -> u32 {
        match self {
            Self::Choices(question) => question.spot.position,
            Self::Inset(inset) => inset.from,
            Self::Own(asked) => asked.step,
        }
    }

    /// Steps applied when its answer is to be seen.
    pub(super) fn shown_at(&self) -> u32 {
        match self {
            Self::Choices(question) => question.shown_at,
            Self::Inset(inset) => inset.to,
            Self::Own(asked) => asked.step,
        }
    }

    /// The kind, as links and files name it.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Choices(question) => question.spot.kind.id(),
            Self::Inset(_) => QuestionKind::Inset.id(),
            Self::Own(_) => OWN_KIND,
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Self::Choices(question) => question.text.clone(),
            Self::Inset(inset) => inset.text(),
            Self::Own(asked) => asked.text.clone(),
        }
    }

    pub(super) fn hint(&self) -> String {
        match self {
            Self::Choices(question) => question.hint.clone(),
            Self::Inset(inset) => inset.hint(),
            Self::Own(_) => String::new(),
        }
    }

    /// The right answer in words.
    pub(super) fn right(&self) -> String {
        match self {
            Self::Choices(question) => question.answer().text.clone(),
            Self::Inset(inset) => inset.in_words(inset.right()),
            Self::Own(asked) => asked.right.checked_sub(1).and_then(|right| asked.choices.get(right)).cloned().unwrap_or_default(),
        }
    }

    pub(super) fn is_right(&self, given: &Given) -> bool {
        match (self, given) {
            (Self::Choices(question), Given::Choice(choice)) => *choice == question.right,
            (Self::Own(asked), Given::Choice(choice)) => choice + 1 == asked.right,
            (Self::Inset(inset), Given::Filled(filled)) => filled.sorted(inset) == inset.right().sorted(inset),
            _ => false,
        }
    }

    /// What was answered, in words.
    pub(super) fn words(&self, given: &Given) -> String {
        let words = match (self, given) {
            (Self::Choices(question), Given::Choice(choice)) => question.choices.get(*choice).map(|choice| choice.text.clone()),
            (Self::Inset(inset), Given::Filled(filled)) => Some(inset.in_words(filled)),
            (Self::Own(asked), Given::Choice(choice)) => asked.choices.get(*choice).cloned(),
            _ => None,
        };
        words.unwrap_or_else(|| "no answer".to_owned())
    }

    /// What is misplaced in an inset, and how much of it is not told.
    pub(super) fn misplaced(&self, replay: &mut Replay, given: &Given) -> (Vec<Misplaced>, usize) {
        let (Self::Inset(inset), Given::Filled(filled)) = (self, given) else { return (Vec::new(), 0) };
        let mut all = inset.misplaced(replay, filled);
        let further = all.len().saturating_sub(MAX_TOLD);
        all.truncate(MAX_TOLD);
        (all, further)
    }

    /// The rules that an answer goes against, or those that decide; none of an inset that was given up, and of a teacher's question.
    pub(super) fn rules(&self, replay: &mut Replay, given: &Given) -> Vec<Rule> {
        match (self, given) {
            (Self::Choices(question), Given::Choice(choice)) => vec![question.choices.get(*choice).unwrap_or(question.answer()).rule],
            (Self::Choices(question), _) => vec![question.answer().rule],
            (Self::Own(_), _) => Vec::new(),
            (Self::Inset(_), _) => self.misplaced(replay, given).0.into_iter().map(|misplaced| misplaced.rule).collect(),
        }
    }

    /// The answers, and whether each is right: those offered, or the right one alone.
    pub(crate) fn key(&self) -> Vec<(String, bool)> {
        match self {
            Self::Choices(question) => question.choices.iter().enumerate().map(|(i, of)| (of.text.clone(), i == question.right)).collect(),
            Self::Inset(_) => vec![(self.right(), true)],
            Self::Own(asked) => asked.choices.iter().enumerate().map(|(i, of)| (of.clone(), i + 1 == asked.right)).collect(),
        }
    }

    /// How the right answer is introduced.
    pub(super) fn lead(&self) -> &'static str {
        if matches!(self, Self::Own(_)) { "The right answer" } else { "What happened" }
    }

    /// How many choices it offers.
    pub(super) fn choice_count(&self) -> usize {
        match self {
            Self::Choices(question) => question.choices.len(),
            Self::Own(asked) => asked.choices.len(),
            Self::Inset(_) => 0,
        }
    }

    /// Why the right answer is right; of an inset and of a teacher's question nothing is said.
    pub(crate) fn why(&self) -> String {
        if let Self::Choices(question) = self { question.answer().why.clone() } else { String::new() }
    }

    /// In one sentence, whether an answer is right.
    pub(super) fn verdict(&self, given: &Given) -> String {
        let (lead, right) = (self.lead(), self.right());
        match given {
            Given::Pass => format!("{lead}: {right}."),
            _ if self.is_right(given) => format!("Right: {right}."),
            _ => format!("Not quite. {lead}: {right}."),
        }
    }
}
