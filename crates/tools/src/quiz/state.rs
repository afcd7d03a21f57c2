//! What "Predict" remembers: settings, spots and the answers given, and which scenario they are about.
//!
//! Invariant: it is written in the words that links of version 1 have; a word that is none of ours is left out.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::tables::{VaryError, with_numbers};
use crate::tool::ReaderPlace;
use blockstep_format::{Exercise, ExerciseQuestion, GivenNumber, OWN_KIND, TeachError};
use blockstep_learn::quiz::{Filled, MAX_QUESTIONS, QuestionKind, QuizSettings, Spot};
use blockstep_sim::snapshot::Replay;
use blockstep_sim::units::OpId;

/// Numbers of questions to choose from.
pub(super) const COUNTS: [usize; 3] = [5, 10, 20];

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Where the reader is in the quiz.
    pub(super) phase: Phase,
    /// Which kinds are on, those that this scenario has nothing of among them.
    #[serde(with = "words")]
    pub(super) kinds: Kinds,
    /// Questions wanted.
    pub(super) n: Option<usize>,
    /// The seed, as it was typed.
    pub(super) seed: String,
    /// Where the questions are.
    #[serde(with = "words")]
    pub(super) spots: Words<SpotWord>,
    /// The answers given, one for each of the first questions.
    #[serde(with = "words")]
    pub(super) given: Words<Given>,
    /// What was put into the inset that is open.
    #[serde(with = "words")]
    pub(super) filled: Filled,
    /// A short word for the scenario that the questions are about.
    pub(super) run: String,
    /// Who answers, as it was typed.
    pub(super) student: String,
    /// When the first question was asked, in ms since 1970.
    pub(super) began: Option<u64>,
    /// When the last one was answered or given up.
    pub(super) ended: Option<u64>,
    /// The exercise that the questions come from, as links hold it; empty if they were drawn.
    pub(super) exercise: String,
    /// What the student was given of an exercise whose numbers differ.
    pub(super) dealt: Option<Dealt>,
    /// What is wrong with what was just asked for; it is said once.
    #[serde(skip)]
    pub(super) problem: Option<String>,
    /// Whether the page has just been told to go to the question.
    #[serde(skip)]
    pub(super) is_on_the_way: bool,
}

/// A student's table of an exercise whose numbers differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Dealt {
    /// A short word for the exercise's own table, and its id in results.
    pub(super) own: String,
    pub(super) own_id: String,
    /// A short word for the student's table.
    pub(super) table: String,
    pub(super) numbers: Vec<GivenNumber>,
    /// What these numbers are in the exercise's own table.
    pub(super) was: Vec<Option<u64>>,
}

impl Dealt {
    /// The scenario file of the exercise's own table, from that of any student's or from itself.
    pub(super) fn own_table(&self, scenario: &str) -> Option<String> {
        let was = self.numbers.iter().zip(&self.was).map(|(number, was)| (number.field.as_str(), *was));
        with_numbers(scenario, was).filter(|own| print_of(own) == self.own)
    }

    /// The scenario file of the student's table, from that of the exercise's own.
    pub(super) fn table(&self, own: &str) -> Option<String> {
        let numbers = self.numbers.iter().map(|number| (number.field.as_str(), number.value));
        with_numbers(own, numbers).filter(|table| print_of(table) == self.table)
    }
}

/// A value as its words.
mod words {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(deserializer: D) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// Where the reader is in the quiz.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Phase {
    #[default]
    Start,
    Ready,
    /// The student's own table is on its way.
    Deals,
    /// At a question; earlier versions rested while the panel was closed.
    #[serde(alias = "rests")]
    Asks,
    Told,
    Over,
}

impl Phase {
    /// Whether the quiz is going on.
    pub(super) fn is_on(self) -> bool {
        matches!(self, Self::Ready | Self::Deals | Self::Asks | Self::Told)
    }
}

/// The kinds that are on; `None` as long as the reader has not chosen: then all with choices are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Kinds(Option<Vec<QuestionKind>>);

impl Kinds {
    pub(super) fn is_on(&self, kind: QuestionKind) -> bool {
        self.0.as_ref().map_or(kind.has_choices(), |on| on.contains(&kind))
    }

    /// Has those be on for which this says so.
    pub(super) fn set(&mut self, is_on: impl Fn(QuestionKind) -> bool) {
        self.0 = Some(QuestionKind::ALL.into_iter().filter(|&kind| is_on(kind)).collect());
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_deref() {
            None => Ok(()),
            Some([]) => f.write_str("none"),
            Some(on) => f.write_str(&on.iter().map(|kind| kind.id()).collect::<Vec<_>>().join(",")),
        }
    }
}

impl FromStr for Kinds {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self((!text.is_empty()).then(|| kinds_of(text))))
    }
}

/// The kinds that a list names, or `all`: those of the first version, so that a link asks the same as ever.
fn kinds_of(text: &str) -> Vec<QuestionKind> {
    let is_named = |kind: &QuestionKind| (text == "all" && kind.has_choices()) || text.split(',').any(|id| id == kind.id());
    QuestionKind::ALL.into_iter().filter(is_named).collect()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words<T>(pub(super) Vec<T>);

impl<T> Default for Words<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Words<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T: fmt::Display> fmt::Display for Words<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            write!(f, "{}{item}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl<T: FromStr> FromStr for Words<T> {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.split_whitespace().filter_map(|word| word.parse().ok()).collect()))
    }
}

/// Where a question is: `sm.12`; `own.12` of one of the teacher's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpotWord {
    Run(Spot),
    Own(u32),
}

impl SpotWord {
    /// Steps applied when it is asked.
    pub(super) fn position(self) -> u32 {
        match self {
            Self::Run(spot) => spot.position,
            Self::Own(position) => position,
        }
    }
}

impl fmt::Display for SpotWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if let Self::Run(spot) = self { spot.kind.id() } else { OWN_KIND };
        write!(f, "{kind}.{}", self.position())
    }
}

impl FromStr for SpotWord {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        let (kind, position) = word.split_once('.').ok_or(())?;
        let position = position.parse().map_err(|_| ())?;
        if kind == OWN_KIND {
            return Ok(Self::Own(position));
        }
        let kind = QuestionKind::from_id(kind).ok_or(())?;
        Ok(Self::Run(Spot { kind, position }))
    }
}

/// `2` of a choice, `i0.1,3.2x2` of an inset, `-` where it was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Given {
    Choice(usize),
    Filled(Filled),
    Pass,
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice(choice) => write!(f, "{choice}"),
            Self::Filled(filled) => write!(f, "i{filled}"),
            Self::Pass => f.write_str("-"),
        }
    }
}

impl FromStr for Given {
    type Err = Infallible;

    fn from_str(word: &str) -> Result<Self, Infallible> {
        Ok(match word.strip_prefix('i') {
            Some(filled) => Self::Filled(filled.parse()?),
            None => word.parse().map_or(Self::Pass, Self::Choice),
        })
    }
}

/// What a link says of a quiz.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Word {
    pub(super) seed: String,
    pub(super) n: String,
    /// Names, with commas between them, or `all`.
    pub(super) kinds: String,
    /// An exercise, as links hold it; then nothing else counts.
    pub(super) exercise: String,
}

impl Word {
    /// As links have it.
    pub(super) fn write(&self) -> String {
        let named = [("seed", &self.seed), ("n", &self.n), ("kinds", &self.kinds)];
        let exercise = Some(("exercise", &self.exercise)).filter(|(_, text)| !text.is_empty());
        form_urlencoded::Serializer::new(String::new()).extend_pairs(named.into_iter().chain(exercise)).finish()
    }

    pub(super) fn settings(&self) -> Result<QuizSettings, QuizError> {
        settings(&self.seed, &self.n, kinds_of(&self.kinds))
    }
}

/// Why a quiz cannot be made. Questions are counted from 1.
#[derive(Debug, thiserror::Error)]
pub(super) enum QuizError {
    #[error("Seed: \"{0}\" is not a whole number from 0 to {most}.", most = u64::MAX)]
    Seed(String),
    #[error("Questions: \"{0}\" is not a number from 1 to {MAX_QUESTIONS}.")]
    Count(String),
    #[error("Tick at least one kind of question.")]
    NoKind,
    #[error(transparent)]
    Exercise(#[from] TeachError),
    #[error(transparent)]
    Vary(#[from] VaryError),
    #[error("question {question}: \"{of}\" is not a kind of question.")]
    OtherKind { question: usize, of: String },
    #[error("question {question}: nothing of the kind \"{}\" is decided after step {step}.", .kind.title())]
    NothingDecided { question: usize, kind: QuestionKind, step: u32 },
    #[error("question {question}: step {step} is after the end of the run, step {last}.")]
    AfterEnd { question: usize, step: u32, last: usize },
}

fn settings(seed: &str, count: &str, kinds: Vec<QuestionKind>) -> Result<QuizSettings, QuizError> {
    let (seed, count) = (seed.trim(), count.trim());
    let seed = seed.parse().map_err(|_| QuizError::Seed(seed.to_owned()))?;
    let range = 1..=MAX_QUESTIONS;
    let count = count.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| QuizError::Count(count.to_owned()))?;
    if kinds.is_empty() { Err(QuizError::NoKind) } else { Ok(QuizSettings { seed, count, kinds }) }
}

impl State {
    /// The settings as the reader has chosen them, of the kinds that are offered; or what is wrong with them.
    pub(super) fn chosen(&self, is_offered: impl Fn(QuestionKind) -> bool) -> Result<QuizSettings, QuizError> {
        let count = self.n.unwrap_or(COUNTS[0]).to_string();
        settings(&self.seed, &count, QuestionKind::ALL.into_iter().filter(|&kind| is_offered(kind) && self.kinds.is_on(kind)).collect())
    }

    pub(super) fn settings(&self) -> QuizSettings {
        let count = self.n.map(|n| n.to_string()).unwrap_or_default();
        let kept = settings(&self.seed, &count, self.kinds.0.clone().unwrap_or_default());
        kept.unwrap_or_else(|_| QuizSettings { seed: 1, count: COUNTS[0], kinds: kinds_of("all") })
    }

    /// The exercise, if the questions come from one.
    pub(super) fn exercise(&self) -> Option<Exercise> {
        Exercise::read(&self.exercise).ok()
    }

    pub(super) fn is_about(&self, scenario: &str) -> bool {
        self.run == print_of(scenario)
    }

    /// Gives up every question that is not answered, and so ends the quiz at this time.
    pub(super) fn give_up(&mut self, now_ms: u64) {
        if self.given.len() < self.spots.len() || self.ended.is_none() {
            self.ended = Some(now_ms).filter(|&ms| ms > 0);
        }
        let asked = self.spots.len();
        self.given.0.resize(asked.max(self.given.len()), Given::Pass);
        self.phase = if asked == 0 { Phase::Start } else { Phase::Over };
    }

    /// The question that is open or was answered last.
    pub(super) fn number(&self) -> usize {
        let given = self.given.len();
        if self.phase == Phase::Told { given.saturating_sub(1) } else { given }
    }

    /// A question, by its number from 0 on.
    pub(super) fn question(&self, replay: &mut Replay, number: usize) -> Option<Asked> {
        match *self.spots.0.get(number)? {
            SpotWord::Run(spot) => Asked::at(replay, spot, self.settings().seed),
            SpotWord::Own(step) => {
                let question = self.exercise()?.questions.into_iter().nth(number).filter(ExerciseQuestion::is_own)?;
                Some(Asked::Own(ExerciseQuestion { step, ..question }))
            }
        }
    }
}

/// A short word for a scenario file: another file very likely has another one (FNV-1a).
pub(super) fn print_of(scenario: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:x}", scenario.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}

/// Whether the scenario on screen may decide anything of a kind.
pub(super) fn applies(kind: QuestionKind, place: &ReaderPlace) -> bool {
    kind.applies(place.simulation.run.trace.scenario())
}

/// The kernel that one may ask about after this answer: it does not go on at the question's state.
pub(super) fn waiting(question: &Asked, given: &Given) -> Option<OpId> {
    let Asked::Choices(question) = question else { return None };
    let Given::Choice(choice) = given else { return question.answer().waits };
    question.choices.get(*choice)?.waits.or(question.answer().waits)
}
