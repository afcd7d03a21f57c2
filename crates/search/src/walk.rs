//! Requests as a reader writes them, decided one after another.
//!
//! Depends on `facts`, `graph`, `property` and `words`. Letters are tasks in the order of the scenario. Invariants: a word is decided only
//! if it may come there, as in a search; what is read up to a mistake stays.

use blockstep_policy::{Decision, Failure, Program, State, TaskNumber, TaskSet};
use blockstep_sim::language::capitalized;

use super::facts::{Ranks, RequestFacts, bit, number, set};
use super::graph::{Request, Step, broken, decide_step, requests};
use super::property::Property;
use super::words::Names;
use super::{MAX_SEARCHED, assign};

/// Requests that are read at most.
pub const MAX_REQUESTS: usize = 500;

/// Why a sequence cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("request {place}, {word}: {message}")]
pub struct RequestError {
    /// Which request, from 1.
    pub place: usize,
    /// As it was typed.
    pub word: String,
    /// A sentence about it, without its place.
    pub message: String,
}

/// A request, and what came of it.
#[derive(Clone, Debug)]
struct Walked {
    word: String,
    request: Request,
    outcome: Result<Decision, Failure>,
    before: RequestFacts,
    after: RequestFacts,
}

/// What a policy does on a sequence of requests.
#[derive(Clone, Debug)]
pub struct Walk<'p> {
    program: &'p Program,
    ranks: Vec<u8>,
    first: State,
    walked: Vec<Walked>,
    mistake: Option<RequestError>,
}

/// How a job is due that begins.
#[derive(Clone, Copy)]
struct Due {
    sign: char,
    task: usize,
}

/// A word, read by itself.
enum Word {
    Tick,
    Begin(usize, u8, Option<Due>),
    End(usize, Option<u8>),
}

impl<'p> Walk<'p> {
    /// Reads words as [`crate::Fault::requests`] writes them, for so many tasks or as many as they name, and decides them.
    #[must_use]
    pub fn new(program: &'p Program, text: &str, tasks: usize) -> Self {
        let mut read = Vec::new();
        let mut ranks: Vec<Option<u8>> = vec![None; tasks.clamp(1, MAX_SEARCHED)];
        let mut mistake = None;
        for (i, word) in text.split_whitespace().map(|word| word.trim_matches(['(', ')'])).filter(|word| !word.is_empty()).enumerate() {
            let checked = if i < MAX_REQUESTS {
                parsed(word).and_then(|parsed| keep_rank(&parsed.0, &mut ranks).map(|()| parsed))
            } else {
                Err(format!("there are more than {MAX_REQUESTS} requests"))
            };
            match checked {
                Ok((parsed, outcome)) => read.push((word, parsed, outcome)),
                Err(message) => {
                    mistake = Some(RequestError { place: i + 1, word: shortened(word), message });
                    break;
                }
            }
        }
        let ranks: Vec<u8> = ranks.into_iter().map(Option::unwrap_or_default).collect();
        let first = program.start(ranks.len());
        let mut walk = Self { program, ranks, first, walked: Vec::new(), mistake: None };
        for (word, parsed, outcome) in read {
            if let Err(message) = walk.go_on(word, &parsed, outcome) {
                mistake = Some(RequestError { place: walk.walked.len() + 1, word: word.to_owned(), message });
                break;
            }
        }
        walk.mistake = mistake;
        walk
    }

    fn go_on(&mut self, word: &str, parsed: &Word, outcome: u16) -> Result<(), String> {
        if self.walked.last().is_some_and(|last| last.outcome.is_err()) {
            return Err("the policy has failed before".to_owned());
        }
        let before = self.asked(self.walked.len()).clone();
        let request = self.request(parsed, &before)?;
        let order = Ranks::new(self.program, &self.ranks);
        let (outcome, after) = decide_step(self.program, &order, self.state(self.walked.len()), &before, Step { request, outcome })
            .map_err(|count| format!("there is no outcome {}, as draws have {count} here", outcome + 1))?;
        self.walked.push(Walked { word: word.to_owned(), request, outcome, before, after });
        Ok(())
    }

    /// The request of a word, if it may come now.
    fn request(&self, parsed: &Word, before: &RequestFacts) -> Result<Request, String> {
        let name = |task: usize| self.name(number(task));
        match *parsed {
            Word::Tick if self.program.tick_every().is_none() => Err("the policy has no tick".to_owned()),
            Word::Tick if before.active == 0 => Err("no task is ready, so no tick comes".to_owned()),
            Word::Tick => Ok(Request::Tick),
            Word::Begin(task, ..) if before.active & bit(task) != 0 => Err(format!("{} has begun and not ended", name(task))),
            Word::Begin(task, rank, due) => {
                let counts = self.program.reads().deadline && rank > 0;
                match due {
                    Some(_) if !self.program.reads().deadline => Err("the policy does not look at deadlines".to_owned()),
                    Some(_) if rank == 0 => Err(format!("{} is best effort, which has no deadline", name(task))),
                    Some(due) => {
                        let place = before.due[due.task];
                        match (place, due.sign) {
                            (0, _) => Err(format!("{} has no job with a deadline here", name(due.task))),
                            (place, '<') => Ok(2 * (place - 1)),
                            (place, '=') => Ok(2 * place - 1),
                            (place, _) => Ok(2 * place),
                        }
                        .map(|at| Request::Begin(number(task), Some(at)))
                    }
                    // The last of all.
                    None => Ok(Request::Begin(number(task), counts.then(|| 2 * before.deadlines()))),
                }
            }
            Word::End(task, _) if before.active & bit(task) == 0 => Err(format!("{} has not begun", name(task))),
            Word::End(task, _) if before.started & bit(task) == 0 => {
                Err(format!("{} has not run yet, so its job cannot be over", name(task)))
            }
            Word::End(task, _) => Ok(Request::End(number(task))),
        }
    }

    /// The policy.
    pub(super) const fn program(&self) -> &'p Program {
        self.program
    }

    /// The requests that were decided.
    pub(super) fn requests(&self) -> impl Iterator<Item = Request> {
        self.walked.iter().map(|walked| walked.request)
    }

    /// The first word that cannot be followed.
    #[must_use]
    pub fn mistake(&self) -> Option<&RequestError> {
        self.mistake.as_ref()
    }

    /// Requests that were decided.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a sequence without requests has a state, too")]
    pub fn len(&self) -> usize {
        self.walked.len()
    }

    /// They as they were typed.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.walked.iter().map(|walked| walked.word.as_str())
    }

    /// Tasks that there are.
    #[must_use]
    pub fn tasks(&self) -> usize {
        self.ranks.len()
    }

    /// The priority of a task; 0 is best effort.
    #[must_use]
    pub fn rank(&self, task: TaskNumber) -> u8 {
        self.ranks.get(usize::from(task.0)).copied().unwrap_or(0)
    }

    /// Its letter.
    #[must_use]
    pub fn name(&self, task: TaskNumber) -> String {
        self.names().name(task)
    }

    fn names(&self) -> Names<'_> {
        Names { letters: (0..MAX_SEARCHED).map(number).collect(), ranks: &self.ranks }
    }

    /// By task the place of its job's deadline after so many requests, from 1; 0 if it has none.
    pub(super) fn due(&self, steps: usize) -> &[u8] {
        &self.asked(steps).due[..self.ranks.len().min(MAX_SEARCHED)]
    }

    fn asked(&self, steps: usize) -> &RequestFacts {
        match steps.checked_sub(1).and_then(|last| self.walked.get(last)) {
            Some(last) => &last.after,
            None => &RequestFacts::NOTHING,
        }
    }

    /// The policy's state after so many requests; where it fails, that before.
    #[must_use]
    pub fn state(&self, steps: usize) -> &State {
        self.decided(steps).map_or(&self.first, |decision| &decision.state)
    }

    /// The last decision of so many requests that could be made.
    fn decided(&self, steps: usize) -> Option<&Decision> {
        self.walked[..steps.min(self.walked.len())].iter().rev().find_map(|walked| walked.outcome.as_ref().ok())
    }

    /// Whose kernels may be launched after so many requests, where the policy says so. Requests have no kernels, so none is launched.
    #[must_use]
    pub fn launching(&self, steps: usize) -> Option<TaskSet> {
        let launching = || self.decided(steps)?.launching.map(|(tasks, _)| tasks);
        self.program.gates_launches().then(|| launching().unwrap_or_default())
    }

    /// Who has asked and not ended after so many requests.
    #[must_use]
    pub fn ready(&self, steps: usize) -> TaskSet {
        set(self.asked(steps).active)
    }

    /// Who is admitted then.
    #[must_use]
    pub fn admitted(&self, steps: usize) -> TaskSet {
        set(self.asked(steps).admitted)
    }

    /// What was decided by the last of so many requests; nothing before the first.
    #[must_use]
    pub fn decision(&self, steps: usize) -> Option<Result<&Decision, Failure>> {
        let last = steps.checked_sub(1).and_then(|last| self.walked.get(last))?;
        Some(last.outcome.as_ref().map_err(|failure| *failure))
    }

    /// What the last of so many requests did, in a sentence; nothing before the first.
    #[must_use]
    pub fn sentence(&self, steps: usize) -> String {
        let Some(last) = steps.checked_sub(1).and_then(|last| self.walked.get(last)) else { return String::new() };
        let names = self.names();
        let decided = match &last.outcome {
            Ok(decision) => names.decided(self.program, decision),
            Err(failure) => failure.to_string(),
        };
        capitalized(&format!("{}: {decided}.", names.told(last.request, &last.before)))
    }

    /// Which of these properties the state after so many requests breaks, each in a sentence. Loss and starvation are about what may
    /// follow, so they are not looked for.
    #[must_use]
    pub fn broken(&self, steps: usize, properties: &[Property]) -> Vec<(Property, String)> {
        let (order, asked) = (Ranks::new(self.program, &self.ranks), self.asked(steps));
        let failed = matches!(self.decision(steps), Some(Err(_)));
        let about = |property: Property| match property {
            Property::Fails => failed.then_some(TaskNumber(0)),
            _ if failed || steps == 0 => None,
            property => broken(property, &order, asked),
        };
        let told = |property: &Property| Some((*property, self.names().title(*property, about(*property)?, steps)));
        properties.iter().filter_map(told).collect()
    }

    /// Whether a job of a task may begin after the last request, or may end.
    #[must_use]
    pub fn may(&self, task: TaskNumber, begin: bool) -> bool {
        self.possible().into_iter().any(|request| match request {
            Request::Begin(other, _) => begin && other == task,
            Request::End(other) => !begin && other == task,
            Request::Tick => false,
        })
    }

    /// Whether time may pass after the last request.
    #[must_use]
    pub fn may_tick(&self) -> bool {
        self.possible().contains(&Request::Tick)
    }

    fn possible(&self) -> Vec<Request> {
        if self.mistake.is_some() || matches!(self.decision(self.len()), Some(Err(_))) {
            return Vec::new();
        }
        let order = Ranks::new(self.program, &self.ranks);
        requests(&order, self.asked(self.len()), self.program.tick_every().is_some())
    }

    /// Whether jobs are as urgent as their deadlines say, so that all real-time tasks have one priority.
    #[must_use]
    pub fn is_by_deadline(&self) -> bool {
        assign::by_deadline(self.program)
    }
}

/// A word of the reader's, as much of it as is shown.
fn shortened(word: &str) -> String {
    word.chars().take(20).collect()
}

const FORM: &str = "a request is +A or +A1 as a job begins, -A as it ends, or tick";

/// A word with the outcome of its draws, from 0.
fn parsed(word: &str) -> Result<(Word, u16), String> {
    let (rest, outcome) = match word.split_once('#') {
        None => (word, 0),
        Some((rest, outcome)) => match outcome.parse() {
            Ok(outcome @ 1..=256) => (rest, outcome - 1),
            _ => return Err("after # stands which outcome draws have, from 1 to 256".to_owned()),
        },
    };
    if rest == "tick" {
        return Ok((Word::Tick, outcome));
    }
    let mut letters = rest.chars();
    let sign = letters.next().filter(|sign| "+-−".contains(*sign)).ok_or(FORM)?;
    let task =
        letters.next().and_then(task_of).ok_or(format!("a task has a letter from A to {}", (b'A' + MAX_SEARCHED as u8 - 1) as char))?;
    let rest = letters.as_str();
    let digits = rest.trim_end_matches(|c: char| !c.is_ascii_digit());
    let rank: Option<u8> = match digits {
        "" => None,
        digits => Some(digits.parse().ok().filter(|rank| (1..=9).contains(rank)).ok_or("a priority is a digit from 1 to 9")?),
    };
    let due = match rest[digits.len()..].chars().collect::<Vec<_>>()[..] {
        [] => None,
        [sign @ ('<' | '=' | '>'), other] => Some(Due { sign, task: task_of(other).ok_or("after <, = or > stands the letter of a task")? }),
        _ => return Err(FORM.to_owned()),
    };
    match (sign, due) {
        ('+', due) => Ok((Word::Begin(task, rank.unwrap_or(0), due), outcome)),
        (_, Some(_)) => Err("only a job that begins gets a deadline".to_owned()),
        _ => Ok((Word::End(task, rank), outcome)),
    }
}

fn task_of(letter: char) -> Option<usize> {
    let place = (letter.to_ascii_uppercase() as usize).checked_sub('A' as usize)?;
    (place < MAX_SEARCHED).then_some(place)
}

/// Keeps the priority of the task of a word, which is always the same.
fn keep_rank(word: &Word, ranks: &mut Vec<Option<u8>>) -> Result<(), String> {
    let (task, rank) = match *word {
        Word::Tick => return Ok(()),
        Word::Begin(task, rank, _) => (task, Some(rank)),
        Word::End(task, rank) => (task, rank),
    };
    if ranks.len() <= task {
        ranks.resize(task + 1, None);
    }
    let name = char::from(b'A' + task as u8);
    match (ranks[task], rank) {
        (Some(0), Some(rank @ 1..)) => Err(format!("{name} is best effort before, and has priority {rank} here")),
        (Some(before @ 1..), Some(0)) => Err(format!("{name} has priority {before} before: write +{name}{before}")),
        (Some(before), Some(rank)) if before != rank => Err(format!("{name} has priority {before} before, and {rank} here")),
        (None, rank) => {
            ranks[task] = rank;
            Ok(())
        }
        _ => Ok(()),
    }
}
