//! Predict: a quiz about the run on screen, with questions that are drawn or those of a teacher's exercise.
//!
//! Invariants: what is right comes from the run; until the quiz is over the page hides what comes after the question and keeps the
//! scenario as it is; a question that is left unanswered is recorded as given up; nothing is graded of another scenario than the quiz
//! was begun with.

mod asked;
mod outcome;
mod state;
mod tables;
mod view;

use serde::{Deserialize, Serialize};

pub use state::State;
pub use view::{
    Answered, Asks, Belief, Explanation, GradedAnswer, KindBox, Marked, Offered, Over, QuestionView, QuizForm, QuizOutcome, Ready, Stage,
    View,
};

use crate::runs::Runs;
use crate::tool::link::example_of;
use crate::tool::pairs::words;
use crate::tool::{Context, Effects, Event, Pair, ReaderPlace, Tool, ToolError, link, memory};
pub(crate) use asked::Asked;
use blockstep_format::{self as format, Exercise, MAX_STUDENT, student_seed};
use blockstep_learn::quiz::{self, Filled, Inset, QuestionKind, QuizSettings, Spot};
use blockstep_protocol::{Effect, Hold};
use blockstep_sim::snapshot::Replay;
use blockstep_sim::trace::Variants;
use blockstep_sim::units::Time;
use state::{Dealt, Given, Phase, QuizError, SpotWord, Word, Words, applies, print_of, waiting};
pub(crate) use tables::{Tables, Tally, VaryError};

pub struct Quiz;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    SetKind {
        kind: QuestionKind,
        is_on: bool,
    },
    SetCount(usize),
    SetSeed(String),
    SetStudent(String),
    /// Begin a quiz with the settings, or the exercise that was opened.
    Start {
        seed: String,
        /// The name as it stands in its field.
        student: String,
    },
    /// Ask one question: about the reader's moment, else about the next at which something is decided.
    AskHere,
    /// Give an answer, by its place among those offered; `None` if none was chosen.
    Answer(Option<usize>),
    /// Put an operation into a box of the inset, both by their numbers.
    Put {
        piece: usize,
        place: usize,
    },
    /// Take it out again.
    Take {
        piece: usize,
        place: usize,
    },
    Pass,
    Next,
    /// Ask why a kernel waits, once the quiz is over; of which question, from 0.
    AskWhy(usize),
    /// End the quiz, and give up every question that is not answered.
    End,
    /// Begin the same quiz about the run on screen.
    Again,
    Another,
    ChangeSettings,
    Save {
        /// The name as it stands in its field.
        student: String,
    },
    CopyLink,
}

impl Tool for Quiz {
    type State = State;
    type Msg = Msg;
    type View = View;
    const PAIRS: &'static [Pair] = &[
        Pair::text("seed"),
        Pair::text("n"),
        Pair::several("kinds", ',', || words(QuestionKind::ALL.map(QuestionKind::id).into_iter().chain(["all"]), str::to_owned)),
        Pair::text("exercise"),
    ];

    /// A word that it is opened with is a quiz, which begins at once, or an exercise, which waits for its start.
    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let Context { place, runs } = context;
        let mut handler = EventHandler { state, place, runs, replay: place.simulation.run.replay(), effects: Vec::new() };
        handler.respond(event)?;
        Ok(handler.effects)
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(View::new(state, &context.place))
    }
}

#[must_use]
pub fn is_on(remembered: &str) -> bool {
    memory::read::<State>(remembered).phase.is_on()
}

/// What it remembers once a quiz that is going on is given up.
#[must_use]
pub fn given_up(remembered: &str) -> String {
    let mut state: State = memory::read(remembered);
    if state.phase.is_on() {
        state.give_up(0);
    }
    memory::write(&state).unwrap_or_default()
}

/// The word that opens the tool with an exercise.
#[must_use]
pub fn exercise_word(exercise: &Exercise) -> String {
    Word { exercise: exercise.write(), ..Word::default() }.write()
}

struct EventHandler<'a> {
    state: &'a mut State,
    place: &'a ReaderPlace,
    runs: &'a mut Runs,
    replay: Replay,
    effects: Effects,
}

impl EventHandler<'_> {
    fn respond(&mut self, event: Event<Msg>) -> Result<(), ToolError> {
        if self.state.phase == Phase::Deals && self.has_table() {
            self.begin_on_table();
        }
        if self.state.phase.is_on() && !self.is_same_run() {
            self.end();
        }
        match event {
            Event::OpenedWith(files) => self.open_file(&files),
            Event::Opened(word) if !word.is_empty() => self.open(&memory::read(&word)),
            Event::Opened(_) if self.state.phase == Phase::Asks => self.pose(),
            Event::Opened(_) if self.state.phase == Phase::Deals => self.open_table(),
            Event::Opened(_) | Event::Moved => self.hold(),
            Event::Message(message) => self.obey(message)?,
            Event::Continued | Event::Edit(_) | Event::Closed => {}
        }
        Ok(())
    }

    fn obey(&mut self, message: Msg) -> Result<(), ToolError> {
        match (message, self.state.phase) {
            (Msg::SetKind { kind, is_on }, Phase::Start) => {
                let before = self.state.kinds.clone();
                self.state.kinds.set(|other| if other == kind { is_on } else { before.is_on(other) });
            }
            (Msg::SetCount(count), Phase::Start) => self.state.n = Some(count),
            (Msg::SetSeed(seed), Phase::Start) => self.state.seed = seed,
            (Msg::SetStudent(student), _) => self.set_student(student),
            (Msg::Start { seed, student }, Phase::Start) => {
                self.state.seed = seed;
                self.set_student(student);
                match self.state.chosen(|kind| applies(kind, self.place)) {
                    Ok(_) if self.state.problem.is_some() => {}
                    Ok(settings) => self.start(&settings),
                    Err(problem) => self.state.problem = Some(problem.to_string()),
                }
            }
            (Msg::Start { student, .. }, Phase::Ready | Phase::Deals) => {
                self.set_student(student);
                match self.state.exercise().filter(|exercise| !exercise.vary.is_empty()) {
                    _ if self.state.problem.is_some() => {}
                    Some(exercise) => self.deal(&exercise),
                    None => {
                        self.state.began = self.now();
                        self.pose();
                    }
                }
            }
            (Msg::AskHere, Phase::Start | Phase::Over) => self.ask_here(),
            (Msg::Answer(choice), Phase::Asks) => self.take_answer(choice),
            (Msg::Put { piece, place }, Phase::Asks) => self.fill(place, |inset, filled| inset.put(filled, piece, place)),
            (Msg::Take { piece, place }, Phase::Asks) => self.fill(place, |inset, filled| inset.take(filled, piece, place)),
            (Msg::Pass, Phase::Asks) => self.grade(Given::Pass),
            (Msg::Next, Phase::Told) => self.next(),
            (Msg::AskWhy(number), Phase::Over) => self.ask_why(number),
            (Msg::End, Phase::Ready | Phase::Deals | Phase::Asks | Phase::Told) => self.end(),
            (Msg::Again, Phase::Start | Phase::Over) => self.start_again(0),
            (Msg::Another, Phase::Start | Phase::Over) => self.start_again(1),
            (Msg::ChangeSettings, Phase::Start | Phase::Over) => {
                (self.state.phase, self.state.student) = (Phase::Start, String::new());
                self.state.exercise.clear();
                self.state.dealt = None;
            }
            (Msg::Save { student }, Phase::Over) => {
                self.set_student(student);
                if self.state.problem.is_none() && self.is_same_run() {
                    self.save();
                }
            }
            (Msg::CopyLink, _) => self.copy_link()?,
            _ => {}
        }
        Ok(())
    }

    fn is_same_run(&self) -> bool {
        self.state.is_about(&self.place.scenario)
    }

    fn now(&self) -> Option<u64> {
        Some(self.place.now_ms).filter(|&ms| ms > 0)
    }

    fn set_student(&mut self, student: String) {
        // The numbers came from it.
        if self.state.dealt.is_some() && !matches!(self.state.phase, Phase::Ready | Phase::Deals) {
            return;
        }
        let count = student.trim().chars().count();
        if count > MAX_STUDENT {
            self.state.problem = Some(format!("Name: this one has {count} characters; the maximum is {MAX_STUDENT}."));
        }
        self.state.student = student;
    }

    fn question(&mut self, number: usize) -> Option<Asked> {
        self.state.question(&mut self.replay, number)
    }

    fn word(&self) -> Word {
        let QuizSettings { seed, count, kinds } = self.state.settings();
        let offered = || QuestionKind::ALL.into_iter().filter(|&kind| applies(kind, self.place));
        let on: Vec<QuestionKind> = offered().filter(|kind| kinds.contains(kind)).collect();
        let is_all = on.iter().copied().eq(offered().filter(|kind| kind.has_choices()));
        let kinds = if is_all { "all".to_owned() } else { on.iter().map(|kind| kind.id()).collect::<Vec<_>>().join(",") };
        Word { seed: seed.to_string(), n: count.to_string(), kinds, exercise: String::new() }
    }

    fn copy_link(&mut self) -> Result<(), ToolError> {
        let effect = match self.state.exercise() {
            Some(exercise) => {
                let own = self.own_table().unwrap_or_else(|| self.place.scenario.clone());
                link::copy_whole(self.place, &own, "quiz", &exercise_word(&exercise))?
            }
            None => link::copy(self.place, "quiz", self.word().write()),
        };
        self.effects.push(effect);
        Ok(())
    }

    fn open(&mut self, word: &Word) {
        if !word.exercise.is_empty() {
            return self.open_exercise(&word.exercise);
        }
        match word.settings() {
            Ok(settings) => self.start(&settings),
            Err(problem) => self.refuse(format!("This link's quiz cannot be made: {problem}")),
        }
    }

    /// Opens the first of some files as an exercise, which has its own scenario.
    fn open_file(&mut self, files: &[(String, String)]) {
        let Some((name, text)) = files.first() else { return };
        match format::read_exercise(text) {
            Ok(file) if self.place.held.is_none() => {
                let began_as = example_of(&file.scenario).map(|example| example.id.to_owned());
                let scenario = format::write_scenario(&file.scenario);
                self.effects.push(Effect::OpenScenario { at: Time::ZERO, scenario, began_as });
                self.effects.push(Effect::OpenTool { name: "quiz".to_owned(), word: exercise_word(&file.exercise) });
            }
            Ok(_) => self.state.problem = Some(format!("{name} is an exercise. End this quiz first, then open the file again.")),
            Err(problem) => self.state.problem = Some(format!("{name} cannot be opened. {problem}")),
        }
    }

    fn refuse(&mut self, problem: String) {
        // A link to a quiz or an exercise hides the future until that does.
        self.effects.extend([Effect::Hold(None), Effect::HideFuture(false)]);
        self.state.phase = Phase::Start;
        self.state.problem = Some(problem);
    }

    /// Makes the questions of an exercise, and waits for its start.
    fn open_exercise(&mut self, text: &str) {
        let made = Exercise::read(text).map_err(QuizError::from).and_then(|exercise| {
            let spots = self.spots(&exercise)?;
            if !exercise.vary.is_empty() {
                Tables::new(&self.place.scenario, &self.place.simulation.run, &exercise)?;
            }
            Ok((exercise, spots))
        });
        match made {
            Ok((exercise, spots)) => {
                self.begin(exercise.seed, spots.len());
                self.state.kinds.set(|_| true);
                self.state.spots = Words(spots);
                self.state.exercise = exercise.write();
                (self.state.began, self.state.phase) = (None, Phase::Ready);
                self.hold();
                self.effects.push(Effect::GoToStep(0));
            }
            Err(problem) => self.refuse(format!("This exercise cannot be opened: {problem}")),
        }
    }

    /// The scenario file of the exercise's own table, if that or the student's is on screen.
    fn own_table(&self) -> Option<String> {
        let scenario = &self.place.scenario;
        self.state.dealt.as_ref().map_or_else(|| Some(scenario.clone()), |dealt| dealt.own_table(scenario))
    }

    /// Chooses the student's table by what they typed, and begins there.
    fn deal(&mut self, exercise: &Exercise) {
        let student = self.state.student.trim();
        if student.is_empty() {
            self.state.problem = Some("Type your name or number first: the numbers of your table come from it.".to_owned());
            return;
        }
        let seed = student_seed(&exercise.id(), student);
        let made = self.own_table().and_then(|own| {
            let simulation = self.runs.get(&own, Variants::NONE).ok()?;
            let tables = Tables::new(&own, &simulation.run, exercise).ok()?;
            let was: Vec<Option<u64>> = tables.now().collect();
            Some((own, was, tables.of_student(seed)))
        });
        let Some((own, was, table)) = made else {
            return self.refuse("The scenario on screen is not that of the exercise. Open its link or file again.".to_owned());
        };
        let (own_id, print) = (format::short_id(&own), print_of(&table.scenario));
        self.state.seed = seed.to_string();
        self.state.spots = Words(table.spots);
        self.state.dealt = Some(Dealt { own: print_of(&own), own_id, table: print, numbers: table.numbers, was });
        if self.has_table() {
            return self.begin_on_table();
        }
        self.state.run = print_of(&self.place.scenario);
        self.state.phase = Phase::Deals;
        self.open_table();
    }

    /// Whether the student's table is on screen.
    fn has_table(&self) -> bool {
        self.state.dealt.as_ref().is_some_and(|dealt| dealt.table == print_of(&self.place.scenario))
    }

    /// Has the page show the student's table, and nothing of its run.
    fn open_table(&mut self) {
        let table = self.own_table().and_then(|own| self.state.dealt.as_ref()?.table(&own));
        let Some(scenario) = table else { return self.end() };
        self.effects.extend([
            // The page opens nothing else before the last of these.
            Effect::Hold(None),
            Effect::HideFuture(true),
            Effect::OpenScenario { at: Time::ZERO, scenario, began_as: None },
            Effect::GoToStep(0),
            Effect::Hold(Some(Hold { limit: 0, is_asking: false })),
        ]);
    }

    fn begin_on_table(&mut self) {
        self.state.run = print_of(&self.place.scenario);
        self.state.began = self.now();
        self.pose();
    }

    fn spots(&mut self, exercise: &Exercise) -> Result<Vec<SpotWord>, QuizError> {
        let mut spots = Vec::new();
        let last = self.place.simulation.run.trace.steps().len();
        for (i, asked) in exercise.questions.iter().enumerate() {
            if asked.is_own() {
                if asked.step as usize > last {
                    return Err(QuizError::AfterEnd { question: i + 1, step: asked.step, last });
                }
                spots.push(SpotWord::Own(asked.step));
                continue;
            }
            let kind = QuestionKind::from_id(&asked.kind).ok_or_else(|| {
                let of: String = asked.kind.chars().take(40).collect();
                QuizError::OtherKind { question: i + 1, of }
            })?;
            let spot = Spot { position: asked.step, kind };
            if Asked::at(&mut self.replay, spot, exercise.seed).is_none() {
                return Err(QuizError::NothingDecided { question: i + 1, kind, step: asked.step });
            }
            spots.push(SpotWord::Run(spot));
        }
        Ok(spots)
    }

    /// Forgets the quiz before.
    fn begin(&mut self, seed: u64, count: usize) {
        self.lift();
        (self.state.seed, self.state.n) = (seed.to_string(), Some(count));
        (self.state.given, self.state.run) = (Words::default(), print_of(&self.place.scenario));
        (self.state.began, self.state.ended) = (self.now(), None);
        self.state.exercise.clear();
        self.state.dealt = None;
    }

    fn start(&mut self, settings: &QuizSettings) {
        let (place, before) = (self.place, self.state.kinds.clone());
        let kinds = settings.kinds.iter().copied().filter(|&kind| applies(kind, place)).collect();
        let quiz = quiz::quiz(&place.simulation.run, &QuizSettings { kinds, ..settings.clone() });
        self.begin(settings.seed, settings.count);
        // A kind that this scenario has nothing of was not offered, so it stays as it was.
        self.state.kinds.set(|kind| if applies(kind, place) { settings.kinds.contains(&kind) } else { before.is_on(kind) });
        self.state.spots = Words(quiz.spots.into_iter().map(SpotWord::Run).collect());
        if self.state.spots.is_empty() {
            self.refuse("This run has no suitable decision of these kinds. Choose other kinds or another scenario.".to_owned());
        } else {
            self.pose();
        }
    }

    fn ask_here(&mut self) {
        /// Steps at which a question is looked for.
        const MOST: u32 = 2_000;
        let place = self.place;
        let steps = place.simulation.run.trace.steps().len() as u32;
        let positions = place.position..=steps.min(place.position.saturating_add(MOST));
        let kinds = {
            use QuestionKind::{Fit, Hang, Kernel, Resident, Sm, Thread};
            [Hang, Kernel, Fit, Sm, Resident, Thread]
        };
        let kinds = kinds.into_iter().filter(|&kind| applies(kind, place));
        let mut spots = positions.flat_map(|position| kinds.clone().map(move |kind| Spot { position, kind }));
        match spots.find(|&spot| quiz::question_at(&mut self.replay, spot, 0).is_some()) {
            Some(spot) => {
                self.begin(0, 1);
                self.state.spots = Words(vec![SpotWord::Run(spot)]);
                self.pose();
            }
            None => self.refuse("No question was found from this moment on. Go back in the run, and guess there.".to_owned()),
        }
    }

    /// Shows the state before the decision, and nothing that comes after.
    fn pose(&mut self) {
        match self.question(self.state.given.len()) {
            Some(question) => {
                if self.state.phase != Phase::Asks {
                    self.state.filled = Filled::default();
                }
                self.state.phase = Phase::Asks;
                self.state.is_on_the_way = true;
                if self.place.selected.is_some() {
                    // What is told of a selected kernel may be the answer.
                    self.effects.push(Effect::SelectRow(String::new()));
                }
                self.hold_anew();
                self.effects.push(Effect::GoToStep(question.position()));
            }
            None => self.end(),
        }
    }

    /// As far as the reader may go now.
    fn limit(&mut self) -> Option<Hold> {
        let asked = self.state.given.len();
        let next = self.state.spots.0.get(asked).map(|spot| spot.position());
        match self.state.phase {
            Phase::Deals => Some(Hold { limit: 0, is_asking: false }),
            Phase::Ready | Phase::Asks => Some(Hold { limit: next?, is_asking: self.state.phase == Phase::Asks }),
            Phase::Told => {
                let shown_at = self.question(asked.checked_sub(1)?)?.shown_at();
                // Up to the first of the questions that are still to come.
                let later = self.state.spots.0.iter().skip(asked).map(|spot| spot.position());
                let limit = later.filter(|&position| position >= shown_at).min().unwrap_or(shown_at);
                Some(Hold { limit, is_asking: false })
            }
            Phase::Start | Phase::Over => None,
        }
    }

    /// Has the page hide what comes later, unless it does so already.
    fn hold(&mut self) {
        if self.limit().is_some_and(|hold| self.place.held != Some(hold.limit)) {
            self.hold_anew();
        }
    }

    /// The same as the quiz goes on: whether a question is open may be all that changes.
    fn hold_anew(&mut self) {
        if let Some(hold) = self.limit() {
            self.effects.extend([Effect::Hold(Some(hold)), Effect::HideFuture(true)]);
        }
    }

    fn lift(&mut self) {
        if self.state.phase.is_on() {
            self.effects.extend([Effect::Hold(None), Effect::HideFuture(false)]);
        }
    }

    fn take_answer(&mut self, choice: Option<usize>) {
        match (choice, self.question(self.state.number())) {
            (Some(choice), Some(asked)) if choice < asked.choice_count() => self.grade(Given::Choice(choice)),
            (_, Some(Asked::Inset(_))) if !self.state.filled.0.is_empty() => self.grade(Given::Filled(self.state.filled.clone())),
            (_, Some(Asked::Inset(_))) => self.state.problem = Some("Put an operation into a place first.".to_owned()),
            _ => self.state.problem = Some("Choose an answer first.".to_owned()),
        }
    }

    /// Changes what a box of the inset holds, and says what it holds then.
    fn fill(&mut self, place: usize, change: impl Fn(&Inset, &mut Filled)) {
        if let Some(Asked::Inset(inset)) = self.question(self.state.number()) {
            change(&inset, &mut self.state.filled);
            self.effects.push(Effect::Announce(inset.box_in_words(&self.state.filled, place)));
        }
    }

    fn grade(&mut self, given: Given) {
        let Some(question) = self.question(self.state.number()) else { return };
        let verdict = question.verdict(&given);
        self.state.given.0.push(given);
        self.state.filled = Filled::default();
        self.state.phase = Phase::Told;
        if self.state.given.len() == self.state.spots.len() {
            self.state.ended = self.now();
        }
        self.hold_anew();
        self.effects.extend([Effect::GoToStep(question.shown_at()), Effect::Announce(verdict)]);
    }

    fn next(&mut self) {
        if self.state.given.len() < self.state.spots.len() { self.pose() } else { self.end() }
    }

    /// Gives up what is not answered, and shows the future again.
    fn end(&mut self) {
        self.lift();
        self.state.give_up(self.place.now_ms);
    }

    /// The same quiz about the run on screen, or the next one.
    fn start_again(&mut self, further: u64) {
        if let Some(exercise) = self.state.exercise() {
            if self.has_table() {
                // Another name may come to another table.
                self.lift();
                self.state.given = Words::default();
                (self.state.began, self.state.ended, self.state.phase) = (None, None, Phase::Ready);
                self.hold_anew();
                return self.effects.push(Effect::GoToStep(0));
            }
            return self.open_exercise(&exercise.write());
        }
        let settings = self.state.settings();
        self.start(&QuizSettings { seed: settings.seed.wrapping_add(further), ..settings });
    }

    /// Why the kernel that was wrongly taken for the next waits, or the one that is not assigned.
    fn ask_why(&mut self, number: usize) {
        let given = self.state.given.0.get(number).cloned();
        let (true, Some(question), Some(given)) = (self.is_same_run(), self.question(number), given) else { return };
        if let Some(op) = waiting(&question, &given) {
            let row = self.place.simulation.run.trace.row_of(op).name.clone();
            self.effects.extend([Effect::GoToStep(question.position()), Effect::SelectRow(row)]);
            self.effects.push(Effect::OpenTool { name: "ask".to_owned(), word: format!("op:{}", op.0) });
        }
    }

    fn save(&mut self) {
        let result = outcome::result(self.state, self.place, &mut self.replay);
        let name = outcome::file_name(&result);
        self.effects.push(Effect::SaveFile { name, kind: "application/json".to_owned(), text: result.write() });
    }
}
