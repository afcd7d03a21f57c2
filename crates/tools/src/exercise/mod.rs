//! Make an exercise: a teacher chooses steps of the run on screen, and Predict asks about them.
//!
//! Invariants: the key of every question is computed from the run on screen; what was typed stays, even if it is too long to be saved.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::quiz::{Asked, Tables, Tally, VaryError, exercise_word};
use crate::runs::{Runs, mark};
use crate::sweep::form::Numbers;
use crate::tool::{Context, Effects, Event, ReaderPlace, Tool, ToolError, link, memory};
use blockstep_format::{
    self as format, ExerciseFile, ExerciseQuestion, LinkError, MAX_ASKED, MAX_VARIED, OWN_KIND, TeachError, VariedNumber,
};
use blockstep_learn::quiz::{self, QuestionKind, QuizSettings, Spot};
use blockstep_protocol::Effect;
use blockstep_sim::snapshot::Replay;
use blockstep_view::position;
use blockstep_view::quantity::{format_count, format_time};

pub const PASS: &str = "Right answers to pass";

pub struct Exercise;

/// Questions that are suggested at once.
const SUGGESTED: usize = 5;

/// Steps that are looked through for the next decision.
const REACH: u32 = 2_000;

/// Decides which wrong answers are offered, and in which order they stand.
const SEED: u64 = 0;

/// The exercise as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// What it is called.
    pub title: String,
    /// What is said before the first question.
    pub introduction: String,
    /// The number of right answers to pass, as it was typed; empty: nothing is said of passing.
    pub pass: String,
    /// The questions, in the order in which they are asked.
    pub questions: Vec<ExerciseQuestion>,
    /// The numbers that differ from student to student, with their values as they were typed.
    pub vary: Vec<VariedNumber>,
    /// What is wrong with what was just done; it is said once.
    #[serde(skip)]
    problem: Option<String>,
}

impl State {
    /// Takes how many right answers it takes to pass, as it was typed.
    pub fn set_pass(&mut self, typed: &str) {
        let typed = typed.trim();
        self.pass = match typed.parse::<usize>() {
            Ok(0) => String::new(),
            Ok(pass) => pass.to_string(),
            Err(_) => typed.to_owned(),
        };
    }

    /// The exercise with these numbers that differ, to pass which takes nothing if what was typed is no number.
    fn exercise(&self, vary: Vec<VariedNumber>) -> format::Exercise {
        format::Exercise {
            title: self.title.clone(),
            text: self.introduction.clone(),
            pass: self.pass.parse().unwrap_or(0),
            seed: SEED,
            vary,
            questions: self.questions.clone(),
        }
    }
}

/// What the reader can do besides typing. Questions are named by their place, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    AskHere,
    /// Go on to the next step at which something can be asked.
    GoOn,
    /// Ask a question of the teacher's own at this step.
    AskOwn,
    Suggest,
    /// Have one more number differ from student to student.
    AddNumber,
    /// Have another number differ in the place of this one, by its field.
    ChooseNumber(usize, String),
    RemoveNumber(usize),
    Up(usize),
    Down(usize),
    Remove(usize),
    Clear,
    CopyLink,
    /// Save the exercise as a file.
    Save,
    Try,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub problem: Option<String>,
    /// What can be asked at this step, in a sentence.
    pub here: String,
    pub can_ask: bool,
    pub questions: Vec<ExerciseItem>,
    /// The numbers that may differ: field and name of each; empty as long as none does.
    pub numbers: Vec<(String, String)>,
    /// Those that do.
    pub vary: Vec<VariedItem>,
    /// How many tables and keys there are, if any number differs.
    pub tables: String,
    pub lacks: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VariedItem {
    /// What may be written, and what the number is now.
    pub hint: String,
    pub problem: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExerciseItem {
    /// Steps applied when it is asked.
    pub position: u32,
    pub place: String,
    /// Kinds to choose from: as links name them, and in words.
    pub kinds: Vec<(String, String)>,
    pub question: String,
    /// Whether it is the teacher's own, with what that takes.
    pub is_own: bool,
    pub choices: Vec<(String, bool)>,
    pub why: String,
    pub warning: Option<String>,
}

impl Tool for Exercise {
    type State = State;
    type Msg = Msg;
    type View = View;

    /// Browsers may hold the exercise as links do, in one text, beside a number to pass that is none.
    fn remembered(memory: &str) -> State {
        let (rest, text) = memory::without(memory, "exercise");
        let state: State = memory::read(&rest);
        let Some(format::Exercise { title, text, pass, questions, vary, .. }) = text.and_then(|text| format::Exercise::read_draft(&text))
        else {
            return state;
        };
        let pass = if pass == 0 { state.pass } else { pass.to_string() };
        State { title, introduction: text, pass, questions, vary, problem: None }
    }

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let Event::Message(message) = event else { return Ok(Effects::new()) };
        let mut maker = Maker::new(state, context);
        let done = maker.obey(message);
        *state = maker.state;
        Ok(done.unwrap_or_else(|problem| {
            state.problem = Some(problem.to_string());
            Effects::new()
        }))
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(Maker::new(state, context).view())
    }
}

/// Why the exercise is not changed, or cannot be given to students.
#[derive(Debug, thiserror::Error)]
enum ExerciseError {
    #[error("Questions: there are {0} already; the maximum is {MAX_ASKED}.")]
    Full(usize),
    #[error("Nothing is decided right after step {0}. Go to the next decision.")]
    NothingDecided(u32),
    #[error("You already ask about every decision right after step {0}.")]
    AllAsked(u32),
    #[error("Nothing that can be asked about is decided from step {from} to step {to}.")]
    NoDecision { from: u32, to: u32 },
    #[error("The run has no further decisions that are worth asking about.")]
    NoSuggestion,
    #[error("{PASS}: \"{0}\" is not a whole number.")]
    Pass(String),
    /// By its place, from 0.
    #[error("Question {}: this run no longer has this decision. Choose another kind, or remove the question.", .0 + 1)]
    NoLongerDecided(usize),
    /// By its place, from 0.
    #[error("Question {}: step {step} is after the end of the run, step {last}. Remove the question.", .question + 1)]
    AfterEnd { question: usize, step: u32, last: usize },
    #[error("Numbers that differ: there are {0} already; the maximum is {MAX_VARIED}.")]
    ManyNumbers(usize),
    #[error("The table has no further number that could differ.")]
    NoFurtherNumber,
    #[error("Numbers that differ: {0}.")]
    NoNumbers(String),
    /// By its field.
    #[error("The table no longer has \"{0}\". Choose another number, or remove it.")]
    NoNumber(String),
    #[error("{label}: {why}.")]
    Values { label: String, why: String },
    #[error(transparent)]
    Vary(#[from] VaryError),
    #[error("{0}")]
    NoTables(String),
    #[error(transparent)]
    Teach(#[from] TeachError),
    #[error(transparent)]
    Link(#[from] LinkError),
}

struct Maker<'a> {
    state: State,
    place: &'a ReaderPlace,
    runs: &'a mut Runs,
    replay: Replay,
}

impl<'a> Maker<'a> {
    fn new(state: &State, context: &'a mut Context<'_>) -> Self {
        let Context { place, runs } = context;
        Self { state: state.clone(), place, runs, replay: place.simulation.run.replay() }
    }

    fn obey(&mut self, message: Msg) -> Result<Effects, ExerciseError> {
        let questions = &mut self.state.questions;
        match message {
            Msg::AskHere => self.ask_here()?,
            Msg::AskOwn => {
                self.room()?;
                let kind = OWN_KIND.to_owned();
                self.state.questions.push(ExerciseQuestion { step: self.place.position, kind, right: 1, ..ExerciseQuestion::default() });
            }
            Msg::GoOn => return Ok(vec![Effect::GoToStep(self.next_decision()?)]),
            Msg::Suggest => self.suggest()?,
            Msg::AddNumber => self.add_number()?,
            Msg::ChooseNumber(i, field) => self.choose_number(i, &field)?,
            Msg::RemoveNumber(i) if i < self.state.vary.len() => drop(self.state.vary.remove(i)),
            Msg::RemoveNumber(_) => {}
            Msg::Up(i) if i > 0 && i < questions.len() => questions.swap(i - 1, i),
            Msg::Down(i) if i < questions.len().saturating_sub(1) => questions.swap(i, i + 1),
            Msg::Up(_) | Msg::Down(_) => {}
            Msg::Remove(i) if i < questions.len() => drop(questions.remove(i)),
            Msg::Remove(_) => {}
            Msg::Clear => self.state = State::default(),
            Msg::CopyLink => {
                let word = exercise_word(&self.checked()?.0);
                return Ok(vec![link::copy_whole(self.place, &self.place.scenario, "quiz", &word)?]);
            }
            Msg::Save => {
                let text = ExerciseFile::write(&self.checked()?.0, &self.place.scenario)?;
                let name = format!("{}.json", self.file_stem());
                return Ok(vec![Effect::SaveFile { name, kind: "application/json".to_owned(), text }]);
            }
            Msg::Try => return Ok(vec![Effect::OpenTool { name: "quiz".to_owned(), word: exercise_word(&self.checked()?.0) }]),
        }
        Ok(Effects::new())
    }

    /// The exercise's file, without its extension.
    fn file_stem(&self) -> String {
        let name = if self.state.title.is_empty() { self.place.simulation.run.trace.scenario().name() } else { &self.state.title };
        let mut stem = "exercise".to_owned();
        for word in name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(8) {
            // A String takes everything.
            let _ = write!(stem, "-{word}");
        }
        stem
    }

    fn question(&mut self, position: u32, kind: QuestionKind) -> Option<Asked> {
        Asked::at(&mut self.replay, Spot { position, kind }, SEED)
    }

    /// The kinds of questions that the run decides at a position.
    fn kinds(&mut self, position: u32) -> Vec<QuestionKind> {
        QuestionKind::ALL.into_iter().filter(|&kind| self.question(position, kind).is_some()).collect()
    }

    fn is_asked(&self, position: u32, kind: QuestionKind) -> bool {
        self.state.questions.iter().any(|asked| asked.step == position && asked.kind == kind.id())
    }

    fn room(&self) -> Result<usize, ExerciseError> {
        let count = self.state.questions.len();
        if count >= MAX_ASKED { Err(ExerciseError::Full(count)) } else { Ok(MAX_ASKED - count) }
    }

    fn ask_here(&mut self) -> Result<(), ExerciseError> {
        self.room()?;
        let position = self.place.position;
        let kinds = self.kinds(position);
        if kinds.is_empty() {
            return Err(ExerciseError::NothingDecided(position));
        }
        let free = kinds.into_iter().find(|&kind| !self.is_asked(position, kind));
        let kind = free.ok_or(ExerciseError::AllAsked(position))?;
        self.state.questions.push(ExerciseQuestion { step: position, kind: kind.id().to_owned(), ..ExerciseQuestion::default() });
        Ok(())
    }

    fn next_decision(&mut self) -> Result<u32, ExerciseError> {
        let (from, steps) = (self.place.position + 1, self.place.simulation.run.trace.steps().len() as u32);
        let to = steps.min(from.saturating_add(REACH));
        // An inset can be asked almost everywhere.
        let found = (from..=to).find(|&position| self.kinds(position).iter().any(|kind| kind.has_choices()));
        found.ok_or(ExerciseError::NoDecision { from, to })
    }

    /// Adds what the run offers, spread over it.
    fn suggest(&mut self) -> Result<(), ExerciseError> {
        let room = self.room()?.min(SUGGESTED);
        // Other questions each time, as those that are here already are left out.
        let count = (self.state.questions.len() + room).min(MAX_ASKED);
        // An inset takes a student minutes, so it is the teacher's to ask for.
        let kinds = QuestionKind::ALL.into_iter().filter(|kind| kind.has_choices()).collect();
        let settings = QuizSettings { seed: SEED, count, kinds };
        let spots = quiz::quiz(&self.place.simulation.run, &settings).spots;
        let new: Vec<Spot> = spots.into_iter().filter(|spot| !self.is_asked(spot.position, spot.kind)).take(room).collect();
        if new.is_empty() {
            return Err(ExerciseError::NoSuggestion);
        }
        for spot in new {
            let asked = ExerciseQuestion { step: spot.position, kind: spot.kind.id().to_owned(), ..ExerciseQuestion::default() };
            let questions = &mut self.state.questions;
            let at = questions.iter().position(|other| other.step > spot.position).unwrap_or(questions.len());
            questions.insert(at, asked);
        }
        Ok(())
    }

    /// What may vary in the run on screen.
    fn numbers(&self) -> Result<Numbers, ExerciseError> {
        Numbers::new(&self.place.scenario, self.place.simulation.run.trace.end()).map_err(ExerciseError::NoNumbers)
    }

    /// Has a number differ that does not yet: that of blocks if there is one, with values around what it is.
    fn add_number(&mut self) -> Result<(), ExerciseError> {
        let count = self.state.vary.len();
        if count >= MAX_VARIED {
            return Err(ExerciseError::ManyNumbers(count));
        }
        let numbers = self.numbers()?;
        let is_free = |field: &str| self.state.vary.iter().all(|of| of.field != field);
        let first = numbers.chosen("").map(|number| number.field.clone()).filter(|field| is_free(field));
        let further = || numbers.offered().into_iter().map(|(field, _)| field).find(|field| is_free(field));
        let field = first.or_else(further).ok_or(ExerciseError::NoFurtherNumber)?;
        let values = numbers.find(&field).map(|number| numbers.usual(number)).unwrap_or_default();
        self.state.vary.push(VariedNumber { field, values });
        Ok(())
    }

    fn choose_number(&mut self, i: usize, field: &str) -> Result<(), ExerciseError> {
        let numbers = self.numbers()?;
        if let (Some(of), Some(number)) = (self.state.vary.get_mut(i), numbers.find(field)) {
            *of = VariedNumber { field: field.to_owned(), values: numbers.usual(number) };
        }
        Ok(())
    }

    /// The numbers that differ, as files have them, or why there are none such.
    fn varied(&self) -> Result<Vec<VariedNumber>, ExerciseError> {
        if self.state.vary.is_empty() {
            return Ok(Vec::new());
        }
        let numbers = self.numbers()?;
        self.state.vary.iter().map(|of| varied(&numbers, of)).collect()
    }

    /// What the tables of an exercise come to, kept as long as it is about the same.
    fn tally(&mut self, exercise: &format::Exercise) -> Result<Tally, ExerciseError> {
        let mut same = format::Exercise { title: String::new(), text: String::new(), pass: 0, ..exercise.clone() };
        same.questions.iter_mut().for_each(|asked| asked.text.clear());
        let of = mark([self.place.scenario.as_str(), &same.write()].into_iter());
        if let Some(tally) = self.runs.tally(&of) {
            return Ok(tally);
        }
        let tally = Tables::new(&self.place.scenario, &self.place.simulation.run, exercise)?.tally();
        self.runs.keep_tally(of, tally.clone());
        Ok(tally)
    }

    /// The exercise, if it can be given to students, and what its tables come to if numbers differ.
    fn checked(&mut self) -> Result<(format::Exercise, Option<Tally>), ExerciseError> {
        if !self.state.pass.is_empty() && self.state.pass.parse::<usize>().is_err() {
            return Err(ExerciseError::Pass(self.state.pass.clone()));
        }
        let exercise = self.state.exercise(self.varied()?);
        exercise.check()?;
        let last = self.place.simulation.run.trace.steps().len();
        for (i, asked) in exercise.questions.iter().enumerate() {
            if asked.is_own() {
                if asked.step as usize > last {
                    return Err(ExerciseError::AfterEnd { question: i, step: asked.step, last });
                }
                continue;
            }
            if QuestionKind::from_id(&asked.kind).is_none_or(|kind| self.question(asked.step, kind).is_none()) {
                return Err(ExerciseError::NoLongerDecided(i));
            }
        }
        if exercise.vary.is_empty() {
            return Ok((exercise, None));
        }
        let tally = self.tally(&exercise)?;
        match tally.problem() {
            Some(problem) => Err(ExerciseError::NoTables(problem)),
            None => Ok((exercise, Some(tally))),
        }
    }

    /// The numbers that may differ, with those that do, and what is to be said of each of these.
    fn varied_items(&self) -> (Vec<(String, String)>, Vec<VariedItem>) {
        if self.state.vary.is_empty() {
            return Default::default();
        }
        let Ok(numbers) = self.numbers() else { return (Vec::new(), vec![VariedItem::default(); self.state.vary.len()]) };
        let mut offered = numbers.offered();
        let items = self.state.vary.iter().map(|of| {
            let number = numbers.find(&of.field);
            if offered.iter().all(|(field, _)| *field != of.field) {
                offered.push((of.field.clone(), number.map_or_else(|| of.field.clone(), |number| number.label.clone())));
            }
            let hint = number.map(crate::sweep::form::Number::hint).unwrap_or_default();
            VariedItem { hint, problem: varied(&numbers, of).err().map(|why| why.to_string()) }
        });
        let items = items.collect();
        (offered, items)
    }

    fn view(mut self) -> View {
        let position = self.place.position;
        let kinds = self.kinds(position);
        let titles: Vec<String> = kinds.iter().map(|kind| kind.title().to_lowercase().replace("sm ", "SM ")).collect();
        let step = format_count(position.into());
        let here = match titles.as_slice() {
            [] => format!("Nothing is decided right after step {step}, so nothing can be asked here."),
            titles => format!("After step {step} you can ask: {}.", titles.join("; ")),
        };
        let questions = (0..self.state.questions.len()).map(|i| self.item(i)).collect();
        let (numbers, vary) = self.varied_items();
        let (mut tables, mut lacks) = (String::new(), None);
        match self.checked() {
            _ if self.state.questions.is_empty() => {}
            Ok((exercise, tally)) => {
                tables = tally.map(|tally| tally.said()).unwrap_or_default();
                if !tables.is_empty() {
                    tables.push_str(" The key above is that of the table on screen.");
                    if exercise.questions.iter().any(ExerciseQuestion::is_own) {
                        tables.push_str(" The answer to a question of your own stays the same whatever the numbers are.");
                    }
                }
            }
            Err(why) => lacks = Some(why.to_string()),
        }
        View { problem: self.state.problem, here, can_ask: !kinds.is_empty(), questions, numbers, vary, tables, lacks }
    }

    fn item(&mut self, i: usize) -> ExerciseItem {
        let asked = self.state.questions[i].clone();
        let (kinds, question) = if asked.is_own() {
            (Vec::new(), Some(Asked::Own(asked.clone())))
        } else {
            (self.kinds(asked.step), QuestionKind::from_id(&asked.kind).and_then(|kind| self.question(asked.step, kind)))
        };
        let at = position::time_at(&self.place.simulation.run.trace, asked.step);
        // What an earlier question leads to is seen by then.
        let further = self.state.questions[..i].iter().position(|other| other.step > asked.step);
        let warning = match (&question, further) {
            (None, _) => Some("This run no longer has a decision of this kind here.".to_owned()),
            (Some(_), Some(other)) => Some(format!(
                "Question {} is about a later step, so students see this answer before the question is asked. Move this question up.",
                other + 1
            )),
            (Some(_), None) => None,
        };
        let choices = question.as_ref().map(Asked::key).unwrap_or_default();
        let mut offered: Vec<(String, String)> = kinds.iter().map(|kind| (kind.id().to_owned(), kind.title().to_owned())).collect();
        if asked.is_own() {
            offered.push((asked.kind.clone(), "A question of your own".to_owned()));
        } else if offered.iter().all(|(id, _)| *id != asked.kind) {
            let title = QuestionKind::from_id(&asked.kind).map_or_else(|| asked.kind.clone(), |kind| kind.title().to_owned());
            offered.push((asked.kind.clone(), title));
        }
        ExerciseItem {
            position: asked.step,
            place: format!("step {}, {}", format_count(asked.step.into()), format_time(at.ns())),
            kinds: offered,
            is_own: asked.is_own(),
            choices,
            why: question.as_ref().map(Asked::why).unwrap_or_default(),
            question: question.map(|question| question.text()).unwrap_or_default(),
            warning,
        }
    }
}

/// A number that differs, as files have it.
fn varied(numbers: &Numbers, of: &VariedNumber) -> Result<VariedNumber, ExerciseError> {
    let number = numbers.find(&of.field).ok_or_else(|| ExerciseError::NoNumber(of.field.clone()))?;
    let (values, _) = number.read(&of.values).map_err(|why| ExerciseError::Values { label: number.label.clone(), why })?;
    // A step of 1 goes without saying.
    let values = values.strip_suffix(":1").map_or(values.as_str(), |values| values).to_owned();
    Ok(VariedNumber { field: number.field.clone(), values })
}
