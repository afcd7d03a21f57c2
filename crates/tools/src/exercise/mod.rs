//! Make an exercise: a teacher chooses steps of the run on screen, and Predict asks about them.
//!
//! Invariants: the key of every question is computed from the run on screen; what was typed stays, even if it is too long to be saved.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::quiz::exercise_word;
use crate::tool::{Context, Effects, Event, ReaderPlace, Tool, ToolError, link};
use blockstep_format::{self as format, ExerciseFile, ExerciseQuestion, MAX_ASKED};
use blockstep_learn::quiz::{self, Question, QuestionKind, QuizSettings, Spot};
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

/// The exercise as it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The exercise, as links hold it; empty if there is none yet.
    exercise: String,
    /// The number of right answers to pass, as it was typed, if it is no number.
    pass: String,
    /// What is wrong with what was just done; it is said once.
    #[serde(skip)]
    problem: Option<String>,
}

/// What the reader can do. Questions are named by their place, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    AskHere,
    /// Go on to the next step at which something can be asked.
    GoOn,
    Suggest,
    SetKind(usize, QuestionKind),
    SetText(usize, String),
    SetTitle(String),
    SetIntroduction(String),
    /// Say how many right answers it takes to pass.
    SetPass(String),
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
    pub title: String,
    pub introduction: String,
    /// How many right answers it takes to pass, as it was typed.
    pub pass: String,
    /// What can be asked at this step, in a sentence.
    pub here: String,
    pub can_ask: bool,
    pub questions: Vec<ExerciseItem>,
    pub lacks: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExerciseItem {
    /// Steps applied when it is asked.
    pub position: u32,
    pub place: String,
    /// The kind, as links name it.
    pub kind: String,
    /// Kinds to choose from: as links name them, and in words.
    pub kinds: Vec<(String, String)>,
    pub text: String,
    pub question: String,
    pub choices: Vec<(String, bool)>,
    pub why: String,
    pub warning: Option<String>,
}

impl Tool for Exercise {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let mut maker = Maker::new(state, &context.place);
        let mut effects = Effects::new();
        if let Event::Message(message) = event {
            match maker.obey(message) {
                Ok(done) => effects = done,
                Err(problem) => maker.problem = Some(problem.to_string()),
            }
        }
        let Maker { exercise, pass, problem, .. } = maker;
        state.exercise = if exercise == format::Exercise::default() { String::new() } else { exercise.write() };
        (state.pass, state.problem) = (pass, problem);
        Ok(effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(Maker::new(state, &context.place).view())
    }
}

struct Maker<'a> {
    exercise: format::Exercise,
    pass: String,
    problem: Option<String>,
    place: &'a ReaderPlace,
    replay: Replay,
}

impl<'a> Maker<'a> {
    fn new(state: &State, place: &'a ReaderPlace) -> Self {
        let exercise = format::Exercise::read_draft(&state.exercise).unwrap_or_default();
        let replay = place.simulation.run.replay();
        Self { exercise, pass: state.pass.clone(), problem: state.problem.clone(), place, replay }
    }

    fn obey(&mut self, message: Msg) -> Result<Effects, ToolError> {
        self.problem = None;
        let questions = &mut self.exercise.questions;
        match message {
            Msg::AskHere => self.ask_here()?,
            Msg::GoOn => return Ok(vec![Effect::GoToStep(self.next_decision()?)]),
            Msg::Suggest => self.suggest()?,
            Msg::SetKind(i, kind) => questions.get_mut(i).into_iter().for_each(|asked| kind.id().clone_into(&mut asked.kind)),
            Msg::SetText(i, text) => questions.get_mut(i).into_iter().for_each(|asked| asked.text.clone_from(&text)),
            Msg::SetTitle(text) => self.exercise.title = text,
            Msg::SetIntroduction(text) => self.exercise.text = text,
            Msg::SetPass(text) => self.set_pass(&text),
            Msg::Up(i) if i > 0 && i < questions.len() => questions.swap(i - 1, i),
            Msg::Down(i) if i < questions.len().saturating_sub(1) => questions.swap(i, i + 1),
            Msg::Up(_) | Msg::Down(_) => {}
            Msg::Remove(i) if i < questions.len() => drop(questions.remove(i)),
            Msg::Remove(_) => {}
            Msg::Clear => (self.exercise, self.pass) = (format::Exercise::default(), String::new()),
            Msg::CopyLink => {
                self.check()?;
                return Ok(vec![link::copy_whole(self.place, "quiz", &exercise_word(&self.exercise))?]);
            }
            Msg::Save => {
                self.check()?;
                let text = ExerciseFile::write(&self.exercise, &self.place.scenario).map_err(|e| e.to_string())?;
                let name = format!("{}.json", self.file_stem());
                return Ok(vec![Effect::SaveFile { name, kind: "application/json".to_owned(), text }]);
            }
            Msg::Try => {
                self.check()?;
                return Ok(vec![Effect::OpenTool { name: "quiz".to_owned(), word: exercise_word(&self.exercise) }]);
            }
        }
        Ok(Effects::new())
    }

    fn set_pass(&mut self, text: &str) {
        let text = text.trim();
        match (text.is_empty(), text.parse()) {
            (true, _) => (self.exercise.pass, self.pass) = (0, String::new()),
            (false, Ok(pass)) => (self.exercise.pass, self.pass) = (pass, String::new()),
            (false, Err(_)) => (self.exercise.pass, self.pass) = (0, text.to_owned()),
        }
    }

    /// The exercise's file, without its extension.
    fn file_stem(&self) -> String {
        let name = if self.exercise.title.is_empty() { self.place.simulation.run.trace.scenario().name() } else { &self.exercise.title };
        let mut stem = "exercise".to_owned();
        for word in name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(8) {
            // A String takes everything.
            let _ = write!(stem, "-{word}");
        }
        stem
    }

    fn question(&mut self, position: u32, kind: QuestionKind) -> Option<Question> {
        quiz::question_at(&mut self.replay, Spot { position, kind }, self.exercise.seed)
    }

    /// The kinds of questions that the run decides at a position.
    fn kinds(&mut self, position: u32) -> Vec<QuestionKind> {
        QuestionKind::ALL.into_iter().filter(|&kind| self.question(position, kind).is_some()).collect()
    }

    fn is_asked(&self, position: u32, kind: QuestionKind) -> bool {
        self.exercise.questions.iter().any(|asked| asked.step == position && asked.kind == kind.id())
    }

    fn room(&self) -> Result<usize, String> {
        let count = self.exercise.questions.len();
        if count >= MAX_ASKED {
            Err(format!("Questions: there are {count} already; the maximum is {MAX_ASKED}."))
        } else {
            Ok(MAX_ASKED - count)
        }
    }

    fn ask_here(&mut self) -> Result<(), String> {
        self.room()?;
        let position = self.place.position;
        let kinds = self.kinds(position);
        if kinds.is_empty() {
            return Err(format!("Nothing is decided right after step {position}. Go to the next decision."));
        }
        let free = kinds.into_iter().find(|&kind| !self.is_asked(position, kind));
        let kind = free.ok_or_else(|| format!("You already ask about every decision right after step {position}."))?;
        self.exercise.questions.push(ExerciseQuestion { step: position, kind: kind.id().to_owned(), text: String::new() });
        Ok(())
    }

    fn next_decision(&mut self) -> Result<u32, String> {
        let (from, steps) = (self.place.position + 1, self.place.simulation.run.trace.steps().len() as u32);
        let to = steps.min(from.saturating_add(REACH));
        let found = (from..=to).find(|&position| !self.kinds(position).is_empty());
        found.ok_or_else(|| format!("Nothing that can be asked about is decided from step {from} to step {to}."))
    }

    /// Adds what the run offers, spread over it.
    fn suggest(&mut self) -> Result<(), String> {
        let room = self.room()?.min(SUGGESTED);
        // Other questions each time, as those that are here already are left out.
        let count = (self.exercise.questions.len() + room).min(MAX_ASKED);
        let settings = QuizSettings { seed: self.exercise.seed, count, kinds: QuestionKind::ALL.to_vec() };
        let spots = quiz::quiz(&self.place.simulation.run, &settings).spots;
        let new: Vec<Spot> = spots.into_iter().filter(|spot| !self.is_asked(spot.position, spot.kind)).take(room).collect();
        if new.is_empty() {
            return Err("The run has no further decisions that are worth asking about.".to_owned());
        }
        for spot in new {
            let asked = ExerciseQuestion { step: spot.position, kind: spot.kind.id().to_owned(), text: String::new() };
            let questions = &mut self.exercise.questions;
            let at = questions.iter().position(|other| other.step > spot.position).unwrap_or(questions.len());
            questions.insert(at, asked);
        }
        Ok(())
    }

    /// Whether the exercise can be given to students.
    fn check(&mut self) -> Result<(), String> {
        if !self.pass.is_empty() {
            return Err(format!("{PASS}: \"{}\" is not a whole number.", self.pass));
        }
        self.exercise.check().map_err(|e| e.to_string())?;
        let asked: Vec<(u32, Option<QuestionKind>)> =
            self.exercise.questions.iter().map(|asked| (asked.step, QuestionKind::from_id(&asked.kind))).collect();
        for (i, (position, kind)) in asked.into_iter().enumerate() {
            if kind.is_none_or(|kind| self.question(position, kind).is_none()) {
                return Err(format!(
                    "Question {}: this run no longer has this decision. Choose another kind, or remove the question.",
                    i + 1
                ));
            }
        }
        Ok(())
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
        let questions = (0..self.exercise.questions.len()).map(|i| self.item(i)).collect();
        let lacks = if self.exercise.questions.is_empty() { None } else { self.check().err() };
        let pass = match self.exercise.pass {
            0 => self.pass,
            pass => pass.to_string(),
        };
        View {
            problem: self.problem,
            title: self.exercise.title,
            introduction: self.exercise.text,
            pass,
            here,
            can_ask: !kinds.is_empty(),
            questions,
            lacks,
        }
    }

    fn item(&mut self, i: usize) -> ExerciseItem {
        let asked = self.exercise.questions[i].clone();
        let kinds = self.kinds(asked.step);
        let question = QuestionKind::from_id(&asked.kind).and_then(|kind| self.question(asked.step, kind));
        let at = position::time_at(&self.place.simulation.run.trace, asked.step);
        // What an earlier question leads to is seen by then.
        let further = self.exercise.questions[..i].iter().position(|other| other.step > asked.step);
        let warning = match (&question, further) {
            (None, _) => Some("This run no longer has a decision of this kind here.".to_owned()),
            (Some(_), Some(other)) => Some(format!(
                "Question {} is about a later step, so students see this answer before the question is asked. Move this question up.",
                other + 1
            )),
            (Some(_), None) => None,
        };
        let choices = question
            .iter()
            .flat_map(|question| question.choices.iter().enumerate().map(|(choice, of)| (of.text.clone(), choice == question.right)));
        let mut offered: Vec<(String, String)> = kinds.iter().map(|kind| (kind.id().to_owned(), kind.title().to_owned())).collect();
        if offered.iter().all(|(id, _)| *id != asked.kind) {
            let title = QuestionKind::from_id(&asked.kind).map_or_else(|| asked.kind.clone(), |kind| kind.title().to_owned());
            offered.push((asked.kind.clone(), title));
        }
        ExerciseItem {
            position: asked.step,
            place: format!("step {}, {}", format_count(asked.step.into()), format_time(at.ns())),
            kind: asked.kind,
            kinds: offered,
            text: asked.text,
            choices: choices.collect(),
            why: question.as_ref().map(|question| question.answer().why.clone()).unwrap_or_default(),
            question: question.map(|question| question.text).unwrap_or_default(),
            warning,
        }
    }
}
