//! Predict: a quiz about the run on screen.
//!
//! Depends on `learn::quiz`. Invariants: what is right comes from there, and so from the run; while a question is open the page
//! hides what comes after it; nothing is graded of another scenario than the quiz was begun with.

mod state;
mod view;

#[cfg(target_arch = "wasm32")]
mod panel;

use serde::{Deserialize, Serialize};

pub use state::State;
pub use view::{Answered, Asks, Belief, Explanation, Form, KindBox, Offered, Outcome, Over, QuestionView, Stage, Told, View};

use crate::app::tool::{Context, Effects, Event, Place, Tool, link, memory};
use crate::format::csv_cell;
use crate::learn::quiz::{self, Kind, Question, Settings};
use crate::protocol::Effect;
use crate::snapshot::Replay;
use crate::view::position;
use state::{Given, Phase, SpotWord, Word, Words, applies, print_of, waiting};

/// The tool.
pub struct Quiz;

/// What the reader can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Switch a kind of questions on or off.
    SetKind {
        /// The kind.
        kind: Kind,
        /// Whether it is to be on.
        is_on: bool,
    },
    /// Want as many questions.
    SetCount(usize),
    /// Type a seed.
    SetSeed(String),
    /// Begin a quiz with the settings.
    Start {
        /// The seed as it stands in its field.
        seed: String,
    },
    /// Give an answer, by its place among those offered; `None` if none was chosen.
    Answer(Option<usize>),
    /// Say "I do not know".
    Pass,
    /// Go back to the question.
    Resume,
    /// Go on after an answer.
    Next,
    /// Ask why a kernel waits.
    AskWhy,
    /// End the quiz.
    End,
    /// Begin the same quiz about the run on screen.
    Again,
    /// Begin another quiz with the same settings.
    Another,
    /// Go back to the settings.
    ChangeSettings,
    /// Save the answers.
    Save,
    /// Copy a link that starts this quiz.
    CopyLink,
}

impl Tool for Quiz {
    type State = State;
    type Msg = Msg;
    type View = View;

    /// A word that it is opened with is a quiz, which begins at once.
    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, String> {
        let place = &context.place;
        let mut handler = EventHandler { state, place, replay: place.simulation.run.replay(), effects: Vec::new() };
        handler.respond(event)?;
        Ok(handler.effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, String> {
        Ok(View::new(state, &context.place))
    }
}

struct EventHandler<'a> {
    state: &'a mut State,
    place: &'a Place,
    replay: Replay,
    effects: Effects,
}

impl EventHandler<'_> {
    fn respond(&mut self, event: Event<Msg>) -> Result<(), String> {
        if self.state.phase == Phase::Asks && !self.is_same_run() {
            self.rest();
        }
        match (event, self.state.phase) {
            (Event::Opened(word), _) if !word.is_empty() => self.open(&memory::read(&word)),
            (Event::Opened(_), Phase::Rests | Phase::Asks) if self.is_same_run() => self.pose(),
            (Event::Closed, Phase::Asks) => self.rest(),
            (Event::Message(message), phase) => self.obey(message, phase)?,
            _ => {}
        }
        Ok(())
    }

    fn obey(&mut self, message: Msg, phase: Phase) -> Result<(), String> {
        match (message, phase) {
            (Msg::SetKind { kind, is_on }, Phase::Start) => {
                let before = self.state.kinds.clone();
                self.state.kinds.set(|other| if other == kind { is_on } else { before.is_on(other) });
            }
            (Msg::SetCount(count), Phase::Start) => self.state.n = Some(count),
            (Msg::SetSeed(seed), Phase::Start) => self.state.seed = seed,
            (Msg::Start { seed }, Phase::Start) => {
                self.state.seed = seed;
                match self.state.chosen(|kind| applies(kind, self.place)) {
                    Ok(settings) => self.start(&settings),
                    Err(problem) => self.state.problem = Some(problem),
                }
            }
            (Msg::Answer(choice), Phase::Asks) => self.take_answer(choice),
            (Msg::Pass, Phase::Asks) => self.grade(Given::Pass),
            (Msg::Resume, Phase::Rests) if self.is_same_run() => self.pose(),
            (Msg::Next, Phase::Told) => self.next(),
            (Msg::AskWhy, Phase::Told) => self.ask_why(),
            (Msg::End, Phase::Asks | Phase::Rests | Phase::Told) => self.end(),
            (Msg::Again, _) => self.again(0),
            (Msg::Another, _) => self.again(1),
            (Msg::ChangeSettings, _) => {
                self.lift();
                self.state.phase = Phase::Start;
            }
            (Msg::Save, Phase::Over) => self.save(),
            (Msg::CopyLink, _) => {
                let word = memory::write(&self.word())?;
                self.effects.push(link::copy(self.place, "quiz", word));
            }
            _ => {}
        }
        Ok(())
    }

    fn is_same_run(&self) -> bool {
        self.state.is_about(&self.place.scenario)
    }

    fn question(&mut self, number: usize) -> Option<Question> {
        self.state.question(&mut self.replay, number)
    }

    /// What starts this quiz.
    fn word(&self) -> Word {
        let Settings { seed, count, kinds } = self.state.settings();
        let offered = || Kind::ALL.into_iter().filter(|&kind| applies(kind, self.place));
        let on: Vec<&str> = offered().filter(|kind| kinds.contains(kind)).map(Kind::id).collect();
        let kinds = if on.len() == offered().count() { "all".to_owned() } else { on.join(",") };
        Word { seed: seed.to_string(), n: count.to_string(), kinds }
    }

    fn open(&mut self, word: &Word) {
        match word.settings() {
            Ok(settings) => self.start(&settings),
            Err(problem) => {
                self.lift();
                self.state.phase = Phase::Start;
                self.state.problem = Some(format!("This link's quiz cannot be made: {problem}"));
            }
        }
    }

    fn start(&mut self, settings: &Settings) {
        self.lift();
        let (place, before) = (self.place, self.state.kinds.clone());
        let kinds = settings.kinds.iter().copied().filter(|&kind| applies(kind, place)).collect();
        let quiz = quiz::quiz(&place.simulation.run, &Settings { kinds, ..settings.clone() });
        // A kind that this scenario has nothing of was not offered, so it stays as it was.
        self.state.kinds.set(|kind| if applies(kind, place) { settings.kinds.contains(&kind) } else { before.is_on(kind) });
        (self.state.seed, self.state.n) = (settings.seed.to_string(), Some(settings.count));
        (self.state.given, self.state.run) = (Words::default(), print_of(&place.scenario));
        self.state.spots = Words(quiz.spots.into_iter().map(SpotWord).collect());
        if self.state.spots.is_empty() {
            self.state.phase = Phase::Start;
            self.state.problem =
                Some("This run has no suitable decision of these kinds. Choose other kinds or another scenario.".to_owned());
        } else {
            self.pose();
        }
    }

    /// Shows the state before the decision, and nothing that comes after.
    fn pose(&mut self) {
        match self.question(self.state.given.len()) {
            Some(question) => {
                self.state.phase = Phase::Asks;
                self.state.is_on_the_way = true;
                if self.place.selected.is_some() {
                    // What is told of a selected kernel may be the answer.
                    self.effects.push(Effect::SelectRow(String::new()));
                }
                self.effects.extend([Effect::HideFuture(true), Effect::GoToStep(question.spot.position)]);
            }
            None => self.end(),
        }
    }

    fn lift(&mut self) {
        if self.state.phase == Phase::Asks {
            self.effects.push(Effect::HideFuture(false));
        }
    }

    fn rest(&mut self) {
        self.lift();
        self.state.phase = Phase::Rests;
    }

    fn take_answer(&mut self, choice: Option<usize>) {
        match (choice, self.question(self.state.number())) {
            (Some(choice), Some(question)) if choice < question.choices.len() => self.grade(Given::Choice(choice)),
            _ => self.state.problem = Some("Choose an answer first.".to_owned()),
        }
    }

    fn grade(&mut self, given: Given) {
        let Some(question) = self.question(self.state.number()) else { return };
        self.state.given.0.push(given);
        self.lift();
        self.state.phase = Phase::Told;
        self.effects.extend([Effect::GoToStep(question.shown_at), Effect::Announce(view::verdict(&question, given))]);
    }

    fn next(&mut self) {
        if self.state.given.len() < self.state.spots.len() && self.is_same_run() { self.pose() } else { self.end() }
    }

    fn end(&mut self) {
        self.lift();
        self.state.phase = if self.state.given.is_empty() { Phase::Start } else { Phase::Over };
    }

    /// The same quiz about the run on screen, or the next one.
    fn again(&mut self, further: u64) {
        let settings = self.state.settings();
        self.start(&Settings { seed: settings.seed.wrapping_add(further), ..settings });
    }

    /// Why the kernel that was wrongly taken for the next waits, or the one that is not assigned.
    fn ask_why(&mut self) {
        let number = self.state.number();
        let given = self.state.given.0.get(number).copied();
        let (Some(question), Some(given)) = (self.question(number), given) else { return };
        if let Some(op) = waiting(&question, given) {
            let row = self.place.simulation.run.trace.row_of(op).name.clone();
            self.effects.extend([Effect::GoToStep(question.spot.position), Effect::SelectRow(row)]);
            self.effects.push(Effect::OpenTool { name: "ask".to_owned(), word: format!("op:{}", op.0) });
        }
    }

    fn save(&mut self) {
        let text = self.csv();
        let name = match self.place.simulation.run.trace.scenario().name() {
            "" => "quiz.csv".to_owned(),
            name => format!("{name} quiz.csv"),
        };
        self.effects.push(Effect::SaveFile { name, kind: "text/csv".to_owned(), text });
    }

    fn csv(&mut self) -> String {
        let trace = &self.place.simulation.run.trace;
        let (name, seed) = (trace.scenario().name(), self.state.settings().seed.to_string());
        let mut text = "scenario,seed,number,kind,step,time_ns,question,given,right,rule,points,of\n".to_owned();
        let mut line = |cells: &[&str]| {
            for (i, cell) in cells.iter().enumerate() {
                text.push_str(if i == 0 { "" } else { "," });
                csv_cell(&mut text, cell);
            }
            text.push('\n');
        };
        let mut points = 0_usize;
        for (i, &given) in self.state.given.0.iter().enumerate() {
            let Some(question) = self.state.question(&mut self.replay, i) else { continue };
            let (is_right, answer) = (given == Given::Choice(question.right), view::words(&question, given));
            points += usize::from(is_right);
            let (number, step) = ((i + 1).to_string(), question.spot.position.to_string());
            let at = position::time_at(trace, question.spot.position).to_string();
            let right = question.answer();
            let point = usize::from(is_right).to_string();
            let kind = question.spot.kind.id();
            line(&[name, &seed, &number, kind, &step, &at, &question.text, &answer, &right.text, right.rule.id(), &point, "1"]);
        }
        let (points, of) = (points.to_string(), self.state.spots.len().to_string());
        line(&[name, &seed, "total", "", "", "", "", "", "", "", &points, &of]);
        text
    }
}
