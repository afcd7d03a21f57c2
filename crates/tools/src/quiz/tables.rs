//! The tables of an exercise whose numbers differ from student to student.
//!
//! Depends on `sweep` for fields and their values. Invariants: a student's table follows from the exercise, its own table and a seed, on
//! every machine; it is valid, its run ends, and it asks every question. Where no such table is found, it is the exercise's own.

use std::collections::BTreeSet;

use super::asked::Asked;
use super::state::SpotWord;
use crate::sweep::form::{Number, Numbers};
use blockstep_format::{self as format, Exercise, ExerciseQuestion, GivenNumber};
use blockstep_learn::quiz::{QuestionKind, Spot};
use blockstep_sim::dice::Dice;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::language::one_or;
use blockstep_sim::scenario::Scenario;
use blockstep_sim::snapshot::Replay;
use blockstep_sim::units::written::format_count;
use blockstep_sweep::{Plan, SweepError};
use blockstep_view::document::Document;
use blockstep_view::quantity;

/// Steps of the run of a table at most.
const MAX_STEPS: u32 = 20_000;
/// Steps after its own at which a question is looked for.
const REACH: u32 = 2_000;
/// Tables that are tried for a student, and looked at for the teacher.
const TRIES: usize = 200;
/// Steps that those for the teacher have together, and places at which questions are looked for; then no more are looked at.
const MAX_WORK: u64 = 400_000;
/// Values of a number at most.
const MAX_VALUES: u64 = 1_000;

/// Why numbers cannot differ.
#[derive(Debug, thiserror::Error)]
pub(crate) enum VaryError {
    #[error("Numbers that differ: {0}.")]
    Scenario(String),
    #[error("Numbers that differ: the table has no number \"{0}\".")]
    NoNumber(String),
    #[error("{0}: it stands there twice among the numbers that differ.")]
    Twice(String),
    #[error("Numbers that differ: {0}.")]
    Values(#[from] SweepError),
    #[error("{label}: there are {count} values; the maximum is {MAX_VALUES}.")]
    ManyValues { label: String, count: u64 },
    #[error("{label}: \"{value}\" is not a number.")]
    NotANumber { label: String, value: String },
    #[error("{label}: {value} stands there twice.")]
    SameValue { label: String, value: String },
    #[error("{label}: its values are drawn; an exercise takes a list or a range.")]
    Drawn { label: String },
}

/// The tables of an exercise.
pub(crate) struct Tables<'a> {
    exercise: &'a Exercise,
    numbers: Vec<Named>,
    plan: Plan,
    own: Table,
    /// Where each question is in the exercise's own table, and steps applied when its answer is to be seen there.
    at: Vec<(u32, u32)>,
    /// Steps of the run of the exercise's own table.
    own_steps: u32,
}

/// A number that differs.
struct Named {
    field: String,
    label: String,
    unit: quantity::Unit,
    now: Option<u64>,
}

/// A table that asks every question.
pub(crate) struct Table {
    /// Its scenario file, as the page has it.
    pub(crate) scenario: String,
    pub(crate) spots: Vec<SpotWord>,
    pub(crate) numbers: Vec<GivenNumber>,
    /// What is right, question by question.
    key: Vec<String>,
}

/// What was found of the tables of an exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many tables there are.
    possible: u64,
    /// How many of them were looked at.
    tried: u64,
    /// How many of those ask every question.
    pub(crate) fit: u64,
    /// How many different keys those have.
    keys: u64,
}

impl<'a> Tables<'a> {
    /// Those of an exercise whose questions its own table asks: a scenario file, and the run of it.
    pub(crate) fn new(scenario: &str, run: &Run, exercise: &'a Exercise) -> Result<Self, VaryError> {
        let numbers = Numbers::new(scenario, run.trace.end()).map_err(VaryError::Scenario)?;
        let draft = format::read_scenario(scenario).map_err(|why| VaryError::Scenario(why.to_string()))?;
        let plan = |vary: &[String]| Plan::new(&draft, vary, &[], None, Limits::default());
        let (mut named, mut vary): (Vec<Named>, Vec<String>) = (Vec::new(), Vec::new());
        for of in &exercise.vary {
            let number = numbers.find(&of.field).ok_or_else(|| VaryError::NoNumber(of.field.clone()))?;
            let label = number.label.clone();
            if named.iter().any(|other| other.field == number.field) {
                return Err(VaryError::Twice(label));
            }
            if of.values.trim().starts_with('~') {
                return Err(VaryError::Drawn { label });
            }
            let given = format!("{}={}", number.field, of.values);
            check_values(&plan(std::slice::from_ref(&given))?, number)?;
            vary.push(given);
            named.push(Named { field: number.field.clone(), label, unit: number.unit, now: number.now });
        }
        let plan = plan(&vary)?;
        let own_steps = run.trace.steps().len() as u32;
        let (mut replay, mut spots, mut at) = (run.replay(), Vec::new(), Vec::new());
        for question in &exercise.questions {
            let asked = asked(question, question.step, &mut replay, exercise.seed);
            at.push((question.step, asked.as_ref().map_or(question.step, Asked::shown_at)));
            spots.extend(spot(question, question.step));
        }
        let given = named.iter().map(|number| number.given(number.now)).collect();
        let own = Table { scenario: scenario.to_owned(), spots, numbers: given, key: Vec::new() };
        Ok(Self { exercise, numbers: named, plan, own, at, own_steps })
    }

    /// What the numbers are in the exercise's own table.
    pub(super) fn now(&self) -> impl Iterator<Item = Option<u64>> {
        self.numbers.iter().map(|number| number.now)
    }

    /// The table of a student's seed.
    pub(crate) fn of_student(self, seed: u64) -> Table {
        let found = walk(seed, self.plan.count()).take(TRIES).find_map(|number| self.table(number, seed, &mut 0));
        found.unwrap_or(self.own)
    }

    /// How many tables ask every question, and how many keys they have.
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally { possible: self.plan.count(), tried: 0, fit: 0, keys: 0 };
        let (mut keys, mut work) = (BTreeSet::new(), 0);
        for number in walk(self.exercise.seed, tally.possible).take(TRIES) {
            if work >= MAX_WORK {
                break;
            }
            tally.tried += 1;
            if let Some(table) = self.table(number, self.exercise.seed, &mut work) {
                tally.fit += 1;
                keys.insert(table.key);
            }
        }
        Tally { keys: keys.len() as u64, ..tally }
    }

    /// The table of a number below the count of the plan, if it is valid and asks every question. Adds what it took to `work`.
    fn table(&self, number: u64, seed: u64, work: &mut u64) -> Option<Table> {
        // As the page has it.
        let draft = Document::new(self.plan.draft(number).ok()?).draft();
        let run = engine::simulate(&Scenario::new(&draft).ok()?, Limits { max_steps: MAX_STEPS });
        *work += run.trace.steps().len() as u64;
        if run.trace.cut().is_some() {
            return None;
        }
        let (spots, key) = self.placed(&mut run.replay(), seed, work)?;
        let values = self.plan.values(number);
        let numbers = self.numbers.iter().zip(&values).map(|(number, value)| number.given(value.as_u64())).collect();
        Some(Table { scenario: format::write_scenario(&draft), spots, numbers, key })
    }

    /// Where each question is asked in a run, and what is right: at its own step or the first after it at which it can be asked; not before
    /// a question that it comes after in the exercise's own table, nor before that one's answer is seen, if it is not there.
    fn placed(&self, replay: &mut Replay, seed: u64, work: &mut u64) -> Option<(Vec<SpotWord>, Vec<String>)> {
        let last = replay.trace().steps().len() as u32;
        let (mut placed, mut spots, mut key): (Vec<(u32, u32)>, Vec<SpotWord>, Vec<String>) = Default::default();
        for (question, &(step, _)) in self.exercise.questions.iter().zip(&self.at) {
            let after = |(&(at, shown_at), &(is_at, is_shown_at)): (&(u32, u32), &(u32, u32))| match step {
                _ if step >= shown_at => is_shown_at,
                _ if step >= at => is_at,
                _ => 0,
            };
            let from = self.at.iter().zip(&placed).map(after).fold(step, u32::max);
            // What is asked at the end is asked at the end.
            let from = if question.is_own() && step == self.own_steps { last } else { from };
            let to = if question.is_own() { from } else { from.saturating_add(REACH) };
            let found = (from..=to.min(last)).find_map(|position| {
                *work += 1;
                let spot = spot(question, position).filter(|spot| question.is_own() || !spots.contains(spot))?;
                Some((spot, asked(question, position, replay, seed)?))
            });
            let (spot, asked) = found?;
            placed.push((asked.position(), asked.shown_at()));
            spots.push(spot);
            key.push(asked.right());
        }
        Some((spots, key))
    }
}

/// Where a question is, if it is asked at a step.
fn spot(question: &ExerciseQuestion, position: u32) -> Option<SpotWord> {
    if question.is_own() {
        return Some(SpotWord::Own(position));
    }
    QuestionKind::from_id(&question.kind).map(|kind| SpotWord::Run(Spot { position, kind }))
}

/// A question of an exercise at a step; `None` if it cannot be asked there.
fn asked(question: &ExerciseQuestion, position: u32, replay: &mut Replay, seed: u64) -> Option<Asked> {
    match spot(question, position)? {
        SpotWord::Run(spot) => Asked::at(replay, spot, seed),
        SpotWord::Own(step) => Some(Asked::Own(ExerciseQuestion { step, ..question.clone() })),
    }
}

/// Whether all values of a number are numbers, no two the same.
fn check_values(plan: &Plan, number: &Number) -> Result<(), VaryError> {
    let label = || number.label.clone();
    let count = plan.count();
    if count > MAX_VALUES {
        return Err(VaryError::ManyValues { label: label(), count });
    }
    let mut seen = BTreeSet::new();
    for value in (0..count).flat_map(|run| plan.values(run)) {
        let value = value.as_u64().ok_or_else(|| VaryError::NotANumber { label: label(), value: value.to_string().replace('"', "") })?;
        if !seen.insert(value) {
            return Err(VaryError::SameValue { label: label(), value: quantity::format(number.unit, value) });
        }
    }
    Ok(())
}

/// All tables, each once, in an order of the seed's own.
fn walk(seed: u64, count: u64) -> impl Iterator<Item = u64> {
    let mut dice = Dice::new(seed, &[]);
    let first = dice.below(count);
    let mut stride = 1 + dice.below(count.saturating_sub(1));
    while common_divisor(stride, count) > 1 {
        stride = stride % count + 1;
    }
    (0..count).map(move |i| (first + i * stride) % count)
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

impl Named {
    fn given(&self, value: Option<u64>) -> GivenNumber {
        let written = value.map_or_else(|| "empty".to_owned(), |value| quantity::format(self.unit, value));
        GivenNumber { field: self.field.clone(), value, text: format!("{}: {written}", self.label) }
    }
}

/// A scenario file with other numbers: the field and the value of each.
pub(super) fn with_numbers<'n>(scenario: &str, numbers: impl Iterator<Item = (&'n str, Option<u64>)>) -> Option<String> {
    let draft = format::read_scenario(scenario).ok()?;
    let vary = numbers.map(|(field, value)| format!("{field}={}", value.map_or_else(|| "null".to_owned(), |value| value.to_string())));
    let plan = Plan::new(&draft, &vary.collect::<Vec<_>>(), &[], None, Limits::default()).ok()?;
    Some(format::write_scenario(&Document::new(plan.draft(0).ok()?).draft()))
}

impl Tally {
    /// What the teacher is told.
    pub(crate) fn said(&self) -> String {
        let Self { possible, tried, fit, keys } = self;
        let n = |count: &u64| format_count(*count);
        let tables = match (tried < possible, fit == tried) {
            (false, true) => format!("All {} possible tables ask every question.", n(possible)),
            (false, false) => format!("{} of the {} possible tables ask every question; students get only these.", n(fit), n(possible)),
            (true, true) => {
                format!("There are {} possible tables; a sample of {} was tried, and all ask every question.", n(possible), n(tried))
            }
            (true, false) => format!(
                "There are {} possible tables; of a sample of {}, {} ask every question. Students get only such tables.",
                n(possible),
                n(tried),
                n(fit)
            ),
        };
        let keys = match (keys, tried < possible) {
            (1, _) => "All of them have the same key, so one student's answers are right for another.".to_owned(),
            (keys, _) => format!("They have {} different {}.", n(keys), one_or(*keys, "key", "keys")),
        };
        format!("{tables} {keys}")
    }

    /// Why there is no such exercise, if there is none.
    pub(crate) fn problem(&self) -> Option<String> {
        let Self { possible, tried, fit, .. } = self;
        let tables = if tried < possible {
            format!("{} tables that were tried, of {} possible ones,", format_count(*tried), format_count(*possible))
        } else {
            format!("{} possible tables", format_count(*possible))
        };
        match fit {
            _ if *possible == 1 => Some("Numbers that differ: these values make only one table. Add values.".to_owned()),
            0 => Some(format!("Numbers that differ: none of the {tables} asks every question. Choose other values or other questions.")),
            1 => Some(format!(
                "Numbers that differ: only one of the {tables} asks every question, so all students would get the same. Choose more values or \
                 other questions."
            )),
            _ => None,
        }
    }
}
