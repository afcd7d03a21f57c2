//! Task sets of a study that fail a test, and such a set as a scenario to be stepped through.
//!
//! Depends on `analysis` and `engine`. Invariants: which sets fail follows from the study alone; a scenario that is opened ends
//! where what is to be seen has been seen.

use super::StudyError;
use blockstep_analysis::curves::decimal;
use blockstep_analysis::sweep::{Sweep, Test};
use blockstep_analysis::{Task, scenario};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::units::Time;
use blockstep_view::panels::study::{self as panel, CurvePoint, FailingPanel};
use blockstep_view::quantity::format_time;

/// Sets of a point that are looked at for failing ones.
const MAX_SEARCHED: u64 = 20_000;
/// Failing sets shown.
const MAX_FAILING: usize = 5;
/// A set's run lasts for no more of its longest periods.
const MAX_PERIODS: u64 = 25;
/// And for no more steps.
const RUN: Limits = Limits { max_steps: 120_000 };

/// The utilization at this place of a study.
///
/// # Errors
/// If there is none.
pub fn utilisation(sweep: &Sweep, place: u32) -> Result<u32, StudyError> {
    sweep.utilisation.iter().nth(place as usize).ok_or(StudyError::NoPoint(place))
}

/// The test and the utilization of a point.
fn place(sweep: &Sweep, at: CurvePoint) -> Result<(&Test, u32), StudyError> {
    let test = sweep.tests.get(at.test as usize).ok_or(StudyError::NoTest(at.test))?;
    Ok((test, utilisation(sweep, at.point)?))
}

/// The first sets that fail at a point.
///
/// # Errors
/// If the study has no such point.
pub fn failing(sweep: &Sweep, at: CurvePoint) -> Result<FailingPanel, StudyError> {
    let (test, utilisation) = place(sweep, at)?;
    let searched = sweep.sets.min(MAX_SEARCHED);
    let found = sweep.failing(utilisation, at.test as usize, 0..searched, MAX_FAILING);
    let set = |index: u64| {
        let mut set = Vec::new();
        // It was drawn a moment ago.
        let _ = sweep.set(utilisation, index, &mut set);
        if let Test::Edf(edf) = test {
            let sections: Vec<u64> = edf.inflated(&set).map(|t| t.section).collect();
            set.iter_mut().zip(sections).for_each(|(task, section)| task.section = section);
        }
        (index, set)
    };
    let sets: Vec<(u64, Vec<Task>)> = found.into_iter().map(set).collect();
    Ok(panel::failing(&test.label(), utilisation, at, searched, &sets))
}

/// A task set as a scenario.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The scenario of the task set.
    pub draft: Draft,
    /// Where to open it.
    pub at: Time,
    /// What is to be seen there, and why the test may say more.
    pub why: String,
}

/// A set of a study, by its index, as a scenario.
///
/// # Errors
/// If the study has no such point or set, or the set cannot be simulated.
pub fn open(sweep: &Sweep, at: CurvePoint, index: u64) -> Result<Opened, StudyError> {
    let (test, utilisation) = place(sweep, at)?;
    let mut set = Vec::new();
    if !sweep.set(utilisation, index, &mut set) {
        return Err(StudyError::NoSet);
    }
    made(&set, test, &format!("{} U {} set {index}", sweep.name, decimal(utilisation)))
}

fn made(set: &[Task], test: &Test, name: &str) -> Result<Opened, StudyError> {
    let mut draft = scenario::draft(set, test, name);
    let longest = set.iter().map(|t| t.period).max().unwrap_or(1).saturating_mul(1000);
    let bound = longest.saturating_mul(MAX_PERIODS);
    let horizon = hyperperiod(set).map_or(bound, |h| h.saturating_mul(1000).min(bound));
    draft.horizon_ns = Some(horizon);
    let scenario = Scenario::new(&draft).map_err(StudyError::NoScenario)?;
    let run = engine::simulate(&scenario, RUN);
    let records = Records::new(&run.trace);
    // What is not simulated here is not promised there.
    let seen = if run.trace.cut().is_some() { run.trace.end().ns().clamp(1, horizon) } else { horizon };
    let missed = records.jobs.iter().filter(|j| j.met == Some(false)).filter_map(|j| Some((j.deadline?, j)));
    let first = missed.min_by_key(|(deadline, _)| *deadline).filter(|(deadline, _)| deadline.ns() <= seen);
    let end = match first {
        // As far as the job's end, if that comes.
        Some((deadline, job)) => {
            let end = job.end.unwrap_or(deadline).max(deadline).ns().saturating_add(longest / 4);
            end.max(longest.saturating_mul(2)).min(seen)
        }
        None => seen,
    };
    draft.horizon_ns = Some(end);
    let (at, seen) = match first {
        Some((deadline, job)) => {
            let task = &scenario.task(job.task).name;
            (deadline, format!("First miss: job {} of {task}, due at {}.", job.job.0, format_time(deadline.ns())))
        }
        None => (Time::ZERO, format!("No deadline is missed in this run of {}.", format_time(end))),
    };
    Ok(Opened { draft, at, why: format!("{seen} {}", why(test)) })
}

/// Why a set may fail the test and yet meet its deadlines.
fn why(test: &Test) -> &'static str {
    match test {
        Test::Edf(_) => {
            "A set that fails the test may still meet its deadlines in a run. The test charges every job for its switches, whether they \
             happen or not. It also assumes the worst releases and the longest wait; a run has only one order of releases."
        }
        Test::EdfDelay { .. } => {
            "A set that fails the test may still meet its deadlines. The test shortens every deadline by the overhead at every instant, \
             and the deadlines here are shortened by the same amount."
        }
        Test::EdfRun(_) => {
            "The test charges a job for each job that it preempts. Here every change of the resident process has that cost, even after \
             the end of a job. So either of the two may be more optimistic."
        }
        Test::SwitchRun(_) | Test::SignalRun(_) => "The test is this run, for as long as the study says.",
        Test::RunlistBound(_) => {
            "A set that fails the theorem's bound may still meet its deadlines in a run. The bound assumes that every other process has a \
             full stay of work each time, whatever its period."
        }
        Test::RunlistRun(_) => {
            "The test releases each task in turn right after its entry was checked. This run does so for the first task that fails."
        }
    }
}

/// The least common multiple of the periods, if it has 64 bits.
fn hyperperiod(set: &[Task]) -> Option<u64> {
    let divisor = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    set.iter().try_fold(1_u64, |all, task| (all / divisor(all, task.period).max(1)).checked_mul(task.period))
}
