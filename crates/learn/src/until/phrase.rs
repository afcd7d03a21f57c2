//! Conditions as a reader types them: "K4 starts", "SM 0 full", "misses".
//!
//! Depends on the rest of `until`. Invariant: every phrase that is offered is read.

use super::text::{copies, part_name};
use super::{Condition, Part};
use blockstep_sim::language::{counted, one_of};
use blockstep_sim::scenario::{Call, Scenario, plain};
use blockstep_sim::trace::{Rule, Trace};
use blockstep_sim::units::{RowId, SmId, SpaceId, TaskId};
use blockstep_view::quantity::format_count;

/// Why a text is no condition of a run.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PhraseError {
    #[error("“{text}” is not a time, a step, or an event. Type 1.1 s, #12, {example}, SM 0 full, misses, or a rule such as X1.")]
    Unknown { text: String, example: String },
    #[error("“{0}” does not begin with the name of a kernel, copy, task or process of this table.")]
    NoName(String),
    #[error("Say what {name} does: {verbs}.", verbs = one_of(.verbs))]
    NoVerb { name: String, verbs: Vec<String> },
    #[error("{kernel} has {}, counted from 0.", counted(*.blocks, "block"))]
    NoBlock { kernel: String, blocks: u64 },
    #[error("There is no SM {}: the device has {}, counted from 0.", format_count(*.sm), format_count(*.sms))]
    NoSm { sm: u64, sms: u64 },
}

/// Ways to say one thing that somebody does, and the condition that it is.
type Verbs<S> = (&'static [&'static str], fn(S) -> Condition);

/// What a kernel does, as it may be typed; the first word of each is offered.
const OF_KERNELS: [Verbs<RowId>; 5] = [
    (&["starts", "start", "begins", "begin", "first block", ""], Condition::FirstBlock),
    (&["ends", "end", "completes", "complete", "is done", "done"], Condition::Completes),
    (&["is launched", "launched", "launches", "is issued", "issued"], Condition::Issued),
    (&["heads its queue", "heads", "head", "is head"], Condition::HeadsQueue),
    (&["is fully dispatched", "fully dispatched", "last block"], Condition::LastBlock),
];

/// What a job of a task does; of any task where none is named.
const OF_TASKS: [Verbs<Option<TaskId>>; 3] = [
    (&["misses", "miss", "is late", "late", "deadline missed", "misses its deadline"], Condition::DeadlineMissed),
    (&["is released", "released", "release"], Condition::JobReleased),
    (&["completes", "complete", "ends", "end", "is done", "done"], Condition::JobCompleted),
];

/// What a copy of a kernel or one of its blocks does.
const OF_PARTS: [Verbs<(RowId, Part)>; 2] = [
    (&["starts", "start", "begins", "begin", ""], |(row, part)| Condition::PartStarts(row, part)),
    (&["ends", "end", "completes", "complete", "is done", "done"], |(row, part)| Condition::PartEnds(row, part)),
];

/// What a process does where processes take turns.
const RESIDENT: &[&str] = &["is resident", "resident", "gets the gpu"];

/// Reads a condition of this run. A name may be that of a kernel, a task or a process; capitals do not count.
///
/// # Errors
/// What is wrong, and what can be typed.
pub fn parse_phrase(trace: &Trace, text: &str) -> Result<Condition, PhraseError> {
    let words = text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>();
    let phrase = words.join(" ");
    let scenario = &**trace.scenario();
    if let Some(rule) = Rule::ALL.into_iter().find(|rule| rule.id().eq_ignore_ascii_case(&phrase)) {
        return Ok(Condition::RuleUsed(rule));
    }
    if matches!(phrase.as_str(), "inversion" | "priority inversion") {
        return Ok(Condition::PriorityInversion);
    }
    if let Some(condition) = condition_of(&OF_TASKS, &phrase, None) {
        return Ok(condition);
    }
    if let Some(sm) = sm_full(scenario, &phrase)? {
        return Ok(sm);
    }
    // The longest name that fits, as one may begin another.
    let named = names(trace).chain(block(scenario, &phrase)?).filter_map(|(name, subject)| {
        let rest = phrase.strip_prefix(&name.to_lowercase())?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| (name, subject, rest.trim_start().to_owned()))
    });
    let Some(longest) = named.clone().map(|(name, ..)| name.len()).max() else {
        let has_verb = OF_KERNELS.iter().flat_map(|(verbs, _)| verbs.iter()).any(|verb| phrase.ends_with(&format!(" {verb}")));
        let text = text.trim().to_owned();
        return Err(if has_verb { PhraseError::NoName(text) } else { PhraseError::Unknown { text, example: example(scenario) } });
    };
    // A kernel comes before a task of its name, that before a process.
    let named: Vec<_> = named.filter(|(name, ..)| name.len() == longest).collect();
    if let Some(condition) = named.iter().find_map(|(_, subject, verb)| subject.condition(verb)) {
        return Ok(condition);
    }
    let (name, subject, _) = &named[0];
    Err(PhraseError::NoVerb { name: name.clone(), verbs: subject.verbs() })
}

/// What can be typed of this run, the kernels of its first rows first; at most so many.
#[must_use]
pub fn phrases(trace: &Trace, most: usize) -> Vec<String> {
    let scenario = trace.scenario();
    let has_deadline = scenario.tasks().iter().any(|task| task.deadline.is_some());
    let general = has_deadline.then(|| "misses".to_owned()).into_iter().chain(["SM 0 full".to_owned()]);
    let mut seen = std::collections::HashSet::new();
    general.chain(of_kernels(scenario)).filter(|phrase| seen.insert(phrase.clone())).take(most).collect()
}

/// Starts and ends of each row with an operation.
fn of_kernels(scenario: &Scenario) -> impl Iterator<Item = String> + '_ {
    let rows = scenario.rows().iter().filter(|row| row.call.has_operation());
    rows.flat_map(|row| ["starts", "ends"].map(|verb| format!("{} {verb}", row.name)))
}

/// An event of this scenario, as one may type it.
#[must_use]
pub fn example(scenario: &Scenario) -> String {
    of_kernels(scenario).next().map_or_else(|| "SM 0 full".to_owned(), |phrase| plain(&phrase))
}

/// Who a name stands for.
#[derive(Clone, Copy)]
enum Subject {
    Kernel(RowId),
    Task(TaskId),
    Process(SpaceId),
    Part(RowId, Part),
}

impl Subject {
    fn condition(self, verb: &str) -> Option<Condition> {
        match self {
            Self::Kernel(row) => condition_of(&OF_KERNELS, verb, row),
            Self::Task(task) => condition_of(&OF_TASKS, verb, Some(task)),
            Self::Part(row, part) => condition_of(&OF_PARTS, verb, (row, part)),
            Self::Process(space) => RESIDENT.contains(&verb).then_some(Condition::Resident(space)),
        }
    }

    /// What is offered that it does.
    fn verbs(self) -> Vec<String> {
        let first = |verbs: &[&str]| verbs.first().map(|verb| (*verb).to_owned());
        match self {
            Self::Kernel(_) => OF_KERNELS.iter().filter_map(|(verbs, _)| first(verbs)).collect(),
            Self::Task(_) => OF_TASKS.iter().filter_map(|(verbs, _)| first(verbs)).collect(),
            Self::Part(..) => OF_PARTS.iter().filter_map(|(verbs, _)| first(verbs)).collect(),
            Self::Process(_) => first(RESIDENT).into_iter().collect(),
        }
    }
}

fn condition_of<S: Copy>(table: &[Verbs<S>], verb: &str, subject: S) -> Option<Condition> {
    table.iter().find(|(verbs, _)| verbs.contains(&verb)).map(|(_, condition)| condition(subject))
}

/// The block that a phrase begins with, named as the pictures do: `k4:0`.
fn block(scenario: &Scenario, phrase: &str) -> Result<Option<(String, Subject)>, PhraseError> {
    let kernels = scenario.rows().iter().enumerate().filter(|(_, row)| row.call == Call::Kernel && !row.name.is_empty());
    let found = kernels.filter_map(|(i, row)| {
        let rest = phrase.strip_prefix(&row.name.to_lowercase())?.strip_prefix(':')?;
        let digits = rest.split(' ').next()?;
        Some((RowId::at(i), row, digits.parse::<u64>().ok()?, digits.to_owned()))
    });
    let Some((id, row, number, digits)) = found.max_by_key(|(_, row, ..)| row.name.len()) else { return Ok(None) };
    match u32::try_from(number).ok().filter(|_| number < row.blocks) {
        Some(number) => Ok(Some((format!("{}:{digits}", row.name), Subject::Part(id, Part::Block(number))))),
        None => Err(PhraseError::NoBlock { kernel: row.name.clone(), blocks: row.blocks }),
    }
}

/// Every name with who it stands for: kernels, then tasks, then processes that take turns.
fn names(trace: &Trace) -> impl Iterator<Item = (String, Subject)> + Clone + '_ {
    let scenario = trace.scenario();
    let rows = scenario.rows().iter().enumerate().filter(|(_, row)| row.call.has_operation());
    let kernels = rows.map(|(i, row)| (row.name.clone(), Subject::Kernel(RowId::at(i))));
    let tasks = scenario.tasks().iter().enumerate().map(|(i, task)| (task.name.clone(), Subject::Task(TaskId::at(i))));
    let count = if scenario.policy().kind.takes_turns() { trace.layout().spaces().len() } else { 0 };
    let processes = (0..count).map(SpaceId::at).map(|space| (trace.space_name(space), Subject::Process(space)));
    let copies = copies(scenario).map(|(row, part)| (part_name(scenario, row, part), Subject::Part(row, part)));
    kernels.chain(copies).chain(tasks).chain(processes).filter(|(name, _)| !name.is_empty())
}

/// `sm 0 full`: no thread is free there.
fn sm_full(scenario: &Scenario, phrase: &str) -> Result<Option<Condition>, PhraseError> {
    let number = phrase.strip_prefix("sm").and_then(|rest| rest.strip_suffix("full")).map(str::trim);
    let Some(sm) = number.and_then(|number| number.strip_suffix(" is").unwrap_or(number).parse::<u64>().ok()) else { return Ok(None) };
    let sms = scenario.device().sms;
    if sm >= sms {
        return Err(PhraseError::NoSm { sm, sms });
    }
    Ok(Some(Condition::FreeThreads { sm: SmId::at(sm as usize), below: 1 }))
}
