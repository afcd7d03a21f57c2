//! What the parts of a search have found, put together.
//!
//! Depends on the rest of the crate. Invariant: parts together say what the whole search would, byte for byte, if none of them was stopped.

use blockstep_policy::{Program, TaskNumber};

use super::assign::assignments;
use super::facts::{Ranks, RequestFacts};
use super::graph::{Step, broken, decide_step, requests};
use super::property::Property;
use super::report::{Fault, Finding, Report, Verdict};
use super::{Level, MAX_SEARCHED};

/// Why parts cannot be put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// There is none.
    #[error("there is no part")]
    Nothing,
    /// They are not of one search.
    #[error("the parts are of different searches: of other policies, tasks, properties, or numbers of parts")]
    Differ,
    /// Some are not there, from 1.
    #[error("of {of} parts these are missing: {}{}", first.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "), more_of(*more))]
    Missing {
        /// The first of them.
        first: Vec<usize>,
        /// How many more.
        more: usize,
        /// Parts that there are.
        of: usize,
    },
    /// One is there more than once.
    #[error("part {0} is there more than once")]
    Twice(usize),
}

/// Missing parts that are named.
const MOST_NAMED: usize = 5;

fn more_of(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" and {more} more") }
}

impl Fault {
    /// The fault that these steps show. `None` if they cannot follow one another, or do not break the property; whether what comes after
    /// them can never be otherwise is not looked at.
    #[must_use]
    pub fn from_steps(
        program: &Program,
        property: Property,
        ranks: Vec<u8>,
        about: TaskNumber,
        steps: Vec<Step>,
        cycle: Vec<Step>,
    ) -> Option<Self> {
        if !(1..=MAX_SEARCHED).contains(&ranks.len()) || usize::from(about.0) >= ranks.len() || steps.is_empty() {
            return None;
        }
        let order = Ranks::new(program, &ranks);
        let (mut state, mut asked, mut failure) = (program.start(ranks.len()), RequestFacts::NOTHING, None);
        for step in steps.iter().chain(&cycle) {
            if failure.is_some() || !requests(&order, &asked, program.tick_every().is_some()).contains(&step.request) {
                return None;
            }
            let (decided, next) = decide_step(program, &order, &state, &asked, *step).ok()?;
            match decided {
                Ok(decision) => state = decision.state,
                Err(why) => failure = Some(why),
            }
            asked = next;
        }
        let is_shown = match property {
            Property::Fails => failure.is_some(),
            Property::Lost | Property::Starved | Property::Hogged => failure.is_none(),
            Property::Missed => false,
            _ => cycle.is_empty() && broken(property, &order, &asked).is_some(),
        };
        is_shown.then_some(Self { ranks, about, steps, cycle, failure })
    }
}

impl Report {
    /// What all parts of a search have found, each with its place among them, from 1, and how many there are.
    ///
    /// # Errors
    /// They are not all parts of one search.
    pub fn join(program: &Program, parts: &[(usize, usize, Self)]) -> Result<Self, JoinError> {
        let Some((_, of, first)) = parts.first() else { return Err(JoinError::Nothing) };
        let properties = |report: &Self| report.findings.iter().map(|finding| finding.property).collect::<Vec<_>>();
        let of_first = (*of, first.tasks, first.has_requests, properties(first));
        let is_alike = |(_, of, report): &(usize, usize, Self)| of_first == (*of, report.tasks, report.has_requests, properties(report));
        if !parts.iter().all(is_alike) {
            return Err(JoinError::Differ);
        }
        let count = |part: usize| parts.iter().filter(|(other, ..)| *other == part).count();
        if let Some(&(part, ..)) = parts.iter().find(|&&(part, ..)| count(part) > 1) {
            return Err(JoinError::Twice(part));
        }
        // Each is one of them, and none is there twice. There may be more than can be counted one by one.
        if let Some(missing) = of.checked_sub(parts.len()).filter(|missing| *missing > 0) {
            let first: Vec<usize> = (1..=*of).filter(|&part| count(part) == 0).take(missing.min(MOST_NAMED)).collect();
            return Err(JoinError::Missing { more: missing - first.len(), first, of: *of });
        }
        let reports: Vec<&Self> = parts.iter().map(|(.., report)| report).collect();
        let findings = first.findings.iter().enumerate();
        Ok(Self {
            tasks: first.tasks,
            reads: program.reads(),
            has_ticks: first.has_ticks,
            has_requests: first.has_requests,
            is_over: reports.iter().all(|report| report.is_over),
            levels: levels(&reports),
            times: reports.iter().find_map(|report| report.times),
            findings: findings
                .map(|(place, finding)| Finding {
                    property: finding.property,
                    verdict: verdict(program, finding.property, place, &reports),
                })
                .collect(),
            stopped: reports.iter().find_map(|report| report.stopped),
        })
    }
}

fn levels(reports: &[&Report]) -> Vec<Level> {
    let most = reports.iter().map(|report| report.levels.len()).max().unwrap_or(0);
    let sum = |at: usize| {
        let of_level = || reports.iter().filter_map(move |report| report.levels.get(at));
        // A file may say anything.
        let all = |number: fn(&Level) -> usize| of_level().map(number).fold(0, usize::saturating_add);
        Level {
            tasks: at + 1,
            assignments: all(|level| level.assignments),
            closed: all(|level| level.closed),
            states: all(|level| level.states),
            deepest: of_level().map(|level| level.deepest).max().unwrap_or(0),
        }
    };
    (0..most).map(sum).collect()
}

/// Of a property, which has this place in every report.
fn verdict(program: &Program, property: Property, place: usize, reports: &[&Report]) -> Verdict {
    let verdicts = || reports.iter().filter_map(|report| report.findings.get(place)).map(|finding| &finding.verdict);
    // The whole search keeps the first of the shortest.
    let order = |fault: &Fault| {
        let of_tasks = assignments(fault.ranks.len(), program);
        (fault.len(), fault.ranks.len(), of_tasks.iter().position(|ranks| *ranks == fault.ranks))
    };
    let faults = verdicts().filter_map(|verdict| if let Verdict::Fault(fault) = verdict { Some(fault) } else { None });
    if let Some(fault) = faults.min_by_key(|fault| order(fault)) {
        return Verdict::Fault(fault.clone());
    }
    if let Some(shown) = verdicts().find(|verdict| matches!(verdict, Verdict::TaskSet(_))) {
        return shown.clone();
    }
    // Task sets are run in one part alone, and nothing else shows a missed deadline.
    let is_of_times = property == Property::Missed || !reports.iter().any(|report| report.has_requests);
    if is_of_times {
        return verdicts().find(|verdict| **verdict != Verdict::Open).cloned().unwrap_or(Verdict::Open);
    }
    if verdicts().all(|verdict| *verdict == Verdict::Clean) { Verdict::Clean } else { Verdict::Open }
}
