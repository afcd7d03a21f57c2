//! The tool "Predict": a quiz about the run on screen.
//!
//! Depends on `learn::quiz`. Invariants: what is right comes from there, and so from the run; while a
//! question is open the page hides what comes after it; the state holds settings, spots and the
//! answers given, and which scenario they are about, so that nothing is graded after that was edited.

mod panel;

use super::query::Query;
use super::{Act, Answer, Asked, Event, Here, share};
use crate::format::csv_cell;
use crate::learn::quiz::{self, Kind, MAX_QUESTIONS, Question, Settings, Spot};
use crate::snapshot::Replay;
use crate::units::OpId;
use crate::view::position;

/// Numbers of questions to choose from.
const COUNTS: [usize; 3] = [5, 10, 20];

/// Where the reader is in the quiz.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Before it.
    Start,
    /// At a question.
    Asks,
    /// At a question, with the panel closed or another scenario on screen in between.
    Rests,
    /// At an answer.
    Told,
    /// After it.
    Over,
}

/// An answer given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// This choice, by its place.
    Choice(usize),
    /// "I do not know".
    Pass,
}

/// Answers what the reader did. A word that it is opened with is a quiz, which begins at once.
///
/// # Errors
/// None; what is wrong with the settings stands in the panel.
#[expect(clippy::unnecessary_wraps, reason = "as every tool")]
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let state = std::mem::take(&mut asked.state);
    let mut desk = Desk::new(state, asked);
    desk.respond(&asked.event);
    let html = panel::panel(&mut desk);
    Ok(Answer { state: desk.state, html, acts: desk.acts })
}

struct Desk<'a> {
    state: Query,
    fields: &'a Query,
    here: &'a Here,
    replay: Replay,
    acts: Vec<Act>,
    /// What is wrong with what was asked for.
    problem: Option<String>,
}

impl<'a> Desk<'a> {
    fn new(state: Query, asked: &'a Asked<'_>) -> Self {
        let here = &asked.here;
        Self { state, fields: &asked.fields, here, replay: here.made.run.replay(), acts: Vec::new(), problem: None }
    }

    fn respond(&mut self, event: &Event) {
        if self.phase() == Phase::Asks && !self.is_same_run() {
            self.rest();
        }
        match (event, self.phase()) {
            (Event::Opened(word), _) if !word.is_empty() => self.open(&Query::read(word)),
            (Event::Opened(_), Phase::Rests | Phase::Asks) if self.is_same_run() => self.pose(),
            (Event::Did(word), phase) => match (word.as_str(), phase) {
                ("close", Phase::Asks) => self.rest(),
                ("submit", Phase::Start) => match settings(self.fields) {
                    Ok(settings) => self.start(&settings),
                    Err(problem) => {
                        self.keep_fields();
                        self.problem = Some(problem);
                    }
                },
                ("submit", Phase::Asks) => self.take_answer(),
                ("pass", Phase::Asks) => self.grade(Given::Pass),
                ("resume", Phase::Rests) if self.is_same_run() => self.pose(),
                ("submit" | "next", Phase::Told) => self.next(),
                ("why", Phase::Told) => self.ask_why(),
                ("end", Phase::Asks | Phase::Rests | Phase::Told) => self.end(),
                ("again", _) => self.again(0),
                ("another", _) => self.again(1),
                ("new", _) => {
                    self.lift();
                    self.set_phase(Phase::Start);
                }
                ("save", Phase::Over) => self.save(),
                ("link", _) => self.acts.push(share::copy_with_tool(self.here, "quiz", self.word())),
                _ => {}
            },
            (Event::Changed(_), Phase::Start) => self.keep_fields(),
            _ => {}
        }
    }

    // ---- What the state says ----

    fn phase(&self) -> Phase {
        match self.state.get("phase") {
            "asks" => Phase::Asks,
            "rests" => Phase::Rests,
            "told" => Phase::Told,
            "over" => Phase::Over,
            _ => Phase::Start,
        }
    }

    fn set_phase(&mut self, phase: Phase) {
        let word = match phase {
            Phase::Start => "",
            Phase::Asks => "asks",
            Phase::Rests => "rests",
            Phase::Told => "told",
            Phase::Over => "over",
        };
        self.state.set("phase", word);
    }

    /// Whether the quiz is about the run on screen.
    fn is_same_run(&self) -> bool {
        self.state.get("run") == print_of(&self.here.scenario)
    }

    fn settings(&self) -> Settings {
        settings(&self.state).unwrap_or(Settings { seed: 1, count: COUNTS[0], kinds: Kind::ALL.to_vec() })
    }

    fn spots(&self) -> Vec<Spot> {
        let spot = |word: &str| {
            let (kind, position) = word.split_once('.')?;
            Some(Spot { kind: Kind::from_id(kind)?, position: position.parse().ok()? })
        };
        self.state.get("spots").split(' ').filter_map(spot).collect()
    }

    fn given(&self) -> Vec<Given> {
        self.state.get("given").split_whitespace().map(|word| word.parse().map_or(Given::Pass, Given::Choice)).collect()
    }

    /// The question that is open or was answered last.
    fn number(&self) -> usize {
        let given = self.given().len();
        if self.phase() == Phase::Told { given.saturating_sub(1) } else { given }
    }

    fn question(&mut self, number: usize) -> Option<Question> {
        let (spot, seed) = (*self.spots().get(number)?, self.settings().seed);
        quiz::question_at(&mut self.replay, spot, seed)
    }

    /// How many of the answers given are right.
    fn score(&mut self) -> usize {
        let given = self.given();
        (0..given.len()).filter(|&i| self.question(i).is_some_and(|q| given[i] == Given::Choice(q.right))).count()
    }

    /// What starts this quiz.
    fn word(&self) -> String {
        let Settings { seed, count, kinds } = self.settings();
        let mut word = Query::new();
        let offered = || Kind::ALL.into_iter().filter(|&kind| self.applies(kind));
        let on: Vec<&str> = offered().filter(|kind| kinds.contains(kind)).map(Kind::id).collect();
        let kinds = if on.len() == offered().count() { "all".to_owned() } else { on.join(",") };
        word.set("seed", seed.to_string()).set("n", count.to_string()).set("kinds", kinds);
        word.write()
    }

    // ---- What happens ----

    fn keep_fields(&mut self) {
        let ticked: Vec<Kind> = self.fields.all("kind").filter_map(Kind::from_id).collect();
        self.keep_kinds(&ticked);
        self.state.set("n", self.fields.get("n")).set("seed", self.fields.get("seed"));
    }

    /// Remembers the kinds that are on. One that this scenario has nothing of was not offered, so it
    /// stays as it was.
    fn keep_kinds(&mut self, on: &[Kind]) {
        let kept = self.state.get("kinds");
        let was_on = |kind: Kind| kept.is_empty() || kept.split(',').any(|id| id == kind.id());
        let is_on = |kind: &Kind| if self.applies(*kind) { on.contains(kind) } else { was_on(*kind) };
        let kinds: Vec<&str> = Kind::ALL.into_iter().filter(is_on).map(Kind::id).collect();
        let kinds = if kinds.is_empty() { "none".to_owned() } else { kinds.join(",") };
        self.state.set("kinds", kinds);
    }

    fn applies(&self, kind: Kind) -> bool {
        kind.applies(self.here.made.run.trace.scenario())
    }

    fn open(&mut self, word: &Query) {
        match settings(word) {
            Ok(settings) => self.start(&settings),
            Err(problem) => {
                self.lift();
                self.set_phase(Phase::Start);
                self.problem = Some(format!("This link's quiz cannot be made: {problem}"));
            }
        }
    }

    fn start(&mut self, settings: &Settings) {
        self.lift();
        let kinds = settings.kinds.iter().copied().filter(|&kind| self.applies(kind)).collect();
        let quiz = quiz::quiz(&self.here.made.run, &Settings { kinds, ..settings.clone() });
        let spots: Vec<String> = quiz.spots.iter().map(|s| format!("{}.{}", s.kind.id(), s.position)).collect();
        self.keep_kinds(&settings.kinds);
        self.state.set("seed", settings.seed.to_string()).set("n", settings.count.to_string());
        self.state.set("spots", spots.join(" ")).set("given", "").set("run", print_of(&self.here.scenario));
        if spots.is_empty() {
            self.set_phase(Phase::Start);
            self.problem =
                Some("This run has no decision of these kinds that could be mistaken. Choose other kinds, or another scenario.".to_owned());
        } else {
            self.pose();
        }
    }

    /// Shows the state before the decision, and nothing that comes after.
    fn pose(&mut self) {
        let number = self.given().len();
        match self.question(number) {
            Some(question) => {
                self.set_phase(Phase::Asks);
                if self.here.selected.is_some() {
                    // What is told of a selected kernel may be the answer.
                    self.acts.push(Act::Select(String::new()));
                }
                self.acts.extend([Act::Veil(true), Act::Go(question.spot.position)]);
            }
            None => self.end(),
        }
    }

    fn lift(&mut self) {
        if self.phase() == Phase::Asks {
            self.acts.push(Act::Veil(false));
        }
    }

    fn rest(&mut self) {
        self.lift();
        self.set_phase(Phase::Rests);
    }

    fn take_answer(&mut self) {
        let choice = self.fields.number("choice").and_then(|n| usize::try_from(n).ok());
        let number = self.number();
        match (choice, self.question(number)) {
            (Some(choice), Some(question)) if choice < question.choices.len() => self.grade(Given::Choice(choice)),
            _ => self.problem = Some("Choose an answer first.".to_owned()),
        }
    }

    fn grade(&mut self, given: Given) {
        let number = self.number();
        let Some(question) = self.question(number) else { return };
        let word = match given {
            Given::Choice(choice) => choice.to_string(),
            Given::Pass => "-".to_owned(),
        };
        let all = format!("{} {word}", self.state.get("given"));
        self.state.set("given", all.trim());
        self.lift();
        self.set_phase(Phase::Told);
        self.acts.push(Act::Go(question.shown_at));
        self.acts.push(Act::Say(panel::verdict(&question, given)));
    }

    fn next(&mut self) {
        if self.given().len() < self.spots().len() && self.is_same_run() { self.pose() } else { self.end() }
    }

    fn end(&mut self) {
        self.lift();
        self.set_phase(if self.given().is_empty() { Phase::Start } else { Phase::Over });
    }

    /// The same quiz about the run on screen, or the next one.
    fn again(&mut self, further: u64) {
        let mut settings = self.settings();
        settings.seed = settings.seed.wrapping_add(further);
        self.start(&settings);
    }

    /// Why the kernel that was wrongly taken for the next waits, or the one that is not assigned.
    fn ask_why(&mut self) {
        let number = self.number();
        let given = self.given().get(number).copied();
        let (Some(question), Some(given)) = (self.question(number), given) else { return };
        if let Some(op) = waiting(&question, given) {
            let row = self.here.made.run.trace.row_of(op).name.clone();
            self.acts.extend([Act::Go(question.spot.position), Act::Select(row)]);
            self.acts.push(Act::Tool { name: "ask", word: format!("op:{}", op.0) });
        }
    }

    fn save(&mut self) {
        let text = self.csv();
        let name = match self.here.made.run.trace.scenario().name() {
            "" => "quiz.csv".to_owned(),
            name => format!("{name} quiz.csv"),
        };
        self.acts.push(Act::Save { name, kind: "text/csv", text });
    }

    fn csv(&mut self) -> String {
        let trace = std::sync::Arc::clone(&self.here.made.run.trace);
        let (name, seed) = (trace.scenario().name().to_owned(), self.settings().seed.to_string());
        let mut text = "scenario,seed,number,kind,step,time_ns,question,given,right,rule,points,of\n".to_owned();
        let mut line = |cells: &[&str]| {
            for (i, cell) in cells.iter().enumerate() {
                text.push_str(if i == 0 { "" } else { "," });
                csv_cell(&mut text, cell);
            }
            text.push('\n');
        };
        let mut points = 0_usize;
        for (i, given) in self.given().into_iter().enumerate() {
            let Some(question) = self.question(i) else { continue };
            let (is_right, answer) = (given == Given::Choice(question.right), panel::words(&question, given));
            points += usize::from(is_right);
            let (number, step) = ((i + 1).to_string(), question.spot.position.to_string());
            let at = position::time_at(&trace, question.spot.position).to_string();
            let right = question.answer();
            let point = usize::from(is_right).to_string();
            let kind = question.spot.kind.id();
            line(&[&name, &seed, &number, kind, &step, &at, &question.text, &answer, &right.text, right.rule.id(), &point, "1"]);
        }
        let (points, of) = (points.to_string(), self.spots().len().to_string());
        line(&[&name, &seed, "total", "", "", "", "", "", "", "", &points, &of]);
        text
    }
}

/// The kernel that one may ask about after this answer: it does not go on at the question's state.
fn waiting(question: &Question, given: Given) -> Option<OpId> {
    let Given::Choice(choice) = given else { return question.answer().waits };
    question.choices.get(choice)?.waits.or(question.answer().waits)
}

/// Reads a quiz's settings.
fn settings(query: &Query) -> Result<Settings, String> {
    let seed = query.get("seed").trim();
    let seed = seed.parse().map_err(|_| format!("Seed: \"{seed}\" is no whole number from 0 to {}.", u64::MAX))?;
    let count = query.get("n").trim();
    let range = 1..=MAX_QUESTIONS;
    let count = count
        .parse()
        .ok()
        .filter(|n| range.contains(n))
        .ok_or_else(|| format!("Questions: \"{count}\" is no number from 1 to {MAX_QUESTIONS}."))?;
    let ticked: Vec<&str> = query.all("kind").collect();
    let words: Vec<&str> = if ticked.is_empty() { query.get("kinds").split(',').collect() } else { ticked };
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|k| words.contains(&k.id()) || words == ["all"]).collect();
    if kinds.is_empty() { Err("Tick at least one kind of question.".to_owned()) } else { Ok(Settings { seed, count, kinds }) }
}

/// A short word for a scenario file: another file very likely has another one (FNV-1a).
fn print_of(scenario: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:x}", scenario.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
}
