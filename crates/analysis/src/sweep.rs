//! Studies: how many of many random task sets pass which tests, by utilization.
//!
//! Depends on the tests and the generators. Invariants: results are counts, and those of parts add up
//! to those of the whole, in any order; which sets are counted follows from the study alone, so
//! every machine and every division of the work gives the same.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Task;
use super::demand::{self, Demand, DemandTask};
use super::edf::{EdfTest, Sections};
use super::edf_run::EdfRun;
use super::generate::{Drawer, MILLION, Recipe};
use super::implicit::Prepared;
use super::runlist::RunlistTest;
use super::signal_run::SignalRun;
use super::switch_run::SwitchRun;
use blockstep_sim::scenario::SwitchTimes;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::said_of;

/// Most tasks of a set.
pub const MAX_TASKS: u32 = 200;
/// Longest period and longest overhead, in microseconds.
pub const MAX_TIME_US: u64 = 1_000_000_000;
/// Most utilizations of a study.
pub const MAX_POINTS: u64 = 1001;
/// Most tests of a study.
pub const MAX_TESTS: usize = 500;
/// Most sets per utilization.
pub const MAX_SETS: u64 = 1_000_000_000;
/// Most events of a test that runs a set: releases that every task is looked at for, or turns.
pub const MAX_EVENTS: u128 = 100_000_000;
/// Most events of all tests of a study together, for one set.
pub const MAX_EVENTS_OF_ALL: u128 = 1_000_000_000;

/// A test with its parameters; times in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// EDF with overheads charged to every job, as [LP].
    Edf(EdfTest),
    /// Preemptive EDF with every deadline sooner by an overhead, charged once.
    EdfDelay {
        /// The overhead.
        overhead: u64,
    },
    /// Preemptive EDF run from a release of all tasks together.
    EdfRun(EdfRun),
    /// Non-preemptive EDF run from a release of all tasks together, with switches that take their time.
    SwitchRun(SwitchRun),
    /// Preemptive EDF run from a release of all tasks together, by a manager that learns of everything by signals.
    SignalRun(SignalRun),
    /// The bound of [EDF] Theorem 1, or equation 3, which is none; the charge tells.
    RunlistBound(RunlistTest),
    /// The schedule from the case of [EDF] Theorem 1.
    RunlistRun(RunlistTest),
}

/// How a study is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Share that passes over utilization, a curve for each test.
    ByUtilisation,
    /// Share that passes over the parameter in which the tests differ, a curve for each utilization.
    ByParameter,
    /// The greatest utilization up to which more than these thousandths of the sets pass, over the
    /// parameter.
    Above(u32),
}

/// Utilizations in millionths: `from`, then every `step` up to and with `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utilisations {
    /// The first.
    pub from: u32,
    /// Not beyond it.
    pub to: u32,
    /// Between neighbors.
    pub step: u32,
}

/// A study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// What it is called.
    pub name: String,
    /// How sets are drawn; periods in microseconds.
    pub recipe: Recipe,
    /// The points.
    pub utilisation: Utilisations,
    /// Sets per point.
    pub sets: u64,
    /// The tests every set goes through.
    pub tests: Vec<Test>,
    /// How it is drawn.
    pub figure: Figure,
}

/// Something that makes a study impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepProblem {
    /// The field of a study's file.
    pub path: String,
    /// What, without the path.
    pub message: String,
}

impl fmt::Display for SweepProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&said_of(&self.path, &self.message))
    }
}

/// What was counted at one utilization.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Sets tested.
    pub sets: u64,
    /// Sets that could not be drawn: the utilization is too small for so many tasks.
    pub undrawn: u64,
    /// For each test the sets that passed.
    pub passed: Vec<u64>,
}

impl Counts {
    /// Nothing counted yet, with this many tests.
    #[must_use]
    pub fn none(tests: usize) -> Self {
        Self { sets: 0, undrawn: 0, passed: vec![0; tests] }
    }

    /// Adds what was counted of other sets of the same study and point.
    pub fn add(&mut self, other: &Self) {
        self.sets += other.sets;
        self.undrawn += other.undrawn;
        self.passed.resize(self.passed.len().max(other.passed.len()), 0);
        for (sum, more) in self.passed.iter_mut().zip(&other.passed) {
            *sum += more;
        }
    }
}

impl Utilisations {
    /// How many there are; none if the step is zero or the range empty.
    #[must_use]
    pub fn count(&self) -> u64 {
        if self.step == 0 || self.to < self.from { 0 } else { u64::from((self.to - self.from) / self.step) + 1 }
    }

    /// In millionths, ascending.
    pub fn iter(self) -> impl Iterator<Item = u32> + Clone {
        (0..self.count()).map(move |i| self.from + self.step * i as u32)
    }
}

impl Sweep {
    /// Everything that makes it impossible; nothing if it can be run.
    #[must_use]
    pub fn problems(&self) -> Vec<SweepProblem> {
        let mut found = Vec::new();
        let mut check = |fine: bool, path: &str, message: &str| {
            if !fine {
                found.push(SweepProblem { path: path.to_owned(), message: message.to_owned() });
            }
        };
        let (least, most) = self.recipe.periods;
        check((1..=MAX_TASKS).contains(&self.recipe.tasks), "tasks", &format!("is {}; 1 to {MAX_TASKS} are possible", self.recipe.tasks));
        check(least > 0, "period_us", "begins at 0; the minimum period is 1");
        check(least <= most, "period_us", &format!("is empty: {least} is more than {most}"));
        check(most <= MAX_TIME_US, "period_us", &format!("ends at {most}; at most {MAX_TIME_US} is possible"));
        let range = self.utilisation;
        check(range.step > 0, "utilisation.step", "is 0; it must be positive");
        check(range.from > 0, "utilisation.from", "is 0; it must be positive");
        check(range.to <= MILLION, "utilisation.to", "is more than 1, and no task set above 1 can be scheduled");
        check(range.from <= range.to, "utilisation", "is empty: it ends before it begins");
        let points = range.count();
        check(points <= MAX_POINTS, "utilisation", &format!("has {points} points; at most {MAX_POINTS} are possible"));
        check((1..=MAX_SETS).contains(&self.sets), "sets", &format!("is {}; 1 to {MAX_SETS} are possible", self.sets));
        let tests = self.tests.len();
        check((1..=MAX_TESTS).contains(&tests), "tests", &format!("has {tests} entries; 1 to {MAX_TESTS} are possible"));
        for (i, test) in self.tests.iter().enumerate() {
            let problem =
                test.problem().or_else(|| if most <= MAX_TIME_US { test.too_long(self.recipe.tasks, self.recipe.periods) } else { None });
            found.extend(problem.map(|(field, message)| SweepProblem { path: format!("tests[{i}].{field}"), message }));
        }
        let events: u128 = self.tests.iter().map(|test| test.events(self.recipe.tasks, self.recipe.periods)).sum();
        if found.is_empty() && events > MAX_EVENTS_OF_ALL {
            let message = format!(
                "has {tests} entries: with {} tasks, one set has up to {events} events in all of them; at most {MAX_EVENTS_OF_ALL} are possible",
                self.recipe.tasks
            );
            found.push(SweepProblem { path: "tests".to_owned(), message });
        }
        found
    }

    /// The task set of a point, in microseconds. False if there is none.
    #[must_use]
    pub fn set(&self, utilisation: u32, index: u64, set: &mut Vec<Task>) -> bool {
        self.recipe.draw(utilisation, index, set)
    }

    /// Up to `most` sets with an index in `within` that fail the test, by index.
    #[must_use]
    pub fn failing(&self, utilisation: u32, test: usize, within: Range<u64>, most: usize) -> Vec<u64> {
        let mut bench = Bench::new(&self.tests[test..=test]);
        let (mut drawer, mut set) = (Drawer::new(self.recipe, utilisation), Vec::new());
        let mut passed = [0];
        let fails = |index: &u64| {
            passed[0] = 0;
            drawer.draw(*index, &mut set) && {
                bench.test(&set, &mut passed);
                passed[0] == 0
            }
        };
        within.filter(fails).take(most).collect()
    }
}

/// Counts for one study; keeps its memory from set to set.
#[derive(Debug)]
pub struct Counter<'s> {
    sweep: &'s Sweep,
    bench: Bench<'s>,
    set: Vec<Task>,
}

impl<'s> Counter<'s> {
    /// For a study without problems.
    #[must_use]
    pub fn new(sweep: &'s Sweep) -> Self {
        Self { sweep, bench: Bench::new(&sweep.tests), set: Vec::new() }
    }

    /// What is counted of these sets of a point.
    #[must_use]
    pub fn count(&mut self, utilisation: u32, sets: Range<u64>) -> Counts {
        let mut counts = Counts::none(self.sweep.tests.len());
        let mut drawer = Drawer::new(self.sweep.recipe, utilisation);
        for index in sets {
            if drawer.draw(index, &mut self.set) {
                counts.sets += 1;
                self.bench.test(&self.set, &mut counts.passed);
            } else {
                counts.undrawn += 1;
            }
        }
        counts
    }
}

/// Puts sets to all tests of a list.
///
/// EDF tests that differ in the overhead alone are tried from the largest one on: what passes with
/// it passes with less, and what fails with the least fails with more, exactly.
#[derive(Debug)]
pub struct Bench<'t> {
    tests: &'t [Test],
    /// EDF tests with the same sections, by inflation, ascending.
    families: Vec<Vec<(EdfTest, usize)>>,
    /// The other tests.
    others: Vec<usize>,
    prepared: Prepared,
    demand: Demand,
}

impl<'t> Bench<'t> {
    /// For these tests.
    #[must_use]
    pub fn new(tests: &'t [Test]) -> Self {
        let (mut families, mut others): (Vec<Vec<(EdfTest, usize)>>, _) = (Vec::new(), Vec::new());
        for (i, test) in tests.iter().enumerate() {
            match test {
                Test::Edf(edf) => match families.iter_mut().find(|f| f[0].0.sections == edf.sections) {
                    Some(family) => family.push((*edf, i)),
                    None => families.push(vec![(*edf, i)]),
                },
                _ => others.push(i),
            }
        }
        for family in &mut families {
            blockstep_sim::order::by_number(family, |(edf, _)| edf.inflation());
        }
        Self { tests, families, others, prepared: Prepared::default(), demand: Demand::new([]) }
    }

    /// Adds 1 in `passed` for each test that the set passes. Its deadlines are its periods.
    pub fn test(&mut self, set: &[Task], passed: &mut [u64]) {
        if !self.families.is_empty() {
            self.prepared.load(set);
        }
        for family in &self.families {
            let (mut holds, mut fails) = (0, family.len());
            // The largest overhead first, then the least, then halfway.
            let mut next = fails - 1;
            while holds < fails {
                if self.prepared.passes(&family[next].0) {
                    holds = next + 1;
                } else {
                    fails = next;
                }
                next = if holds == 0 && fails == family.len() - 1 { 0 } else { holds + (fails - holds) / 2 };
            }
            for (_, i) in &family[..holds] {
                passed[*i] += 1;
            }
        }
        for &i in &self.others {
            let passes = match &self.tests[i] {
                Test::Edf(_) => continue,
                Test::EdfDelay { overhead } => {
                    self.demand.set(set.iter().map(|t| delayed(t, *overhead)), 0);
                    self.demand.verdict().passes()
                }
                Test::EdfRun(run) => run.holds(set),
                Test::SwitchRun(run) => run.holds(set),
                Test::SignalRun(run) => run.holds(set),
                Test::RunlistBound(runlist) => runlist.passes(set),
                Test::RunlistRun(runlist) => runlist.holds(set),
            };
            passed[i] += u64::from(passes);
        }
    }
}

/// A task that must be done sooner by an overhead. If it would have to be done before it begins, its
/// deadline is 0, which it misses.
fn delayed(task: &Task, overhead: u64) -> DemandTask {
    DemandTask { cost: task.cost, period: task.period, deadline: task.deadline.saturating_sub(overhead), section: 0 }
}

impl Test {
    /// The parameter along which figures of tests of this kind are drawn: work-groups per SM,
    /// timeslice or overhead.
    #[must_use]
    pub fn parameter(&self) -> u64 {
        match self {
            Self::Edf(EdfTest { sections: Sections::Groups(least, _), .. }) => u64::from(*least),
            Self::Edf(edf) => edf.switch,
            Self::SwitchRun(run) => run.average,
            Self::SignalRun(run) => run.signal,
            Self::EdfDelay { overhead } | Self::EdfRun(EdfRun { overhead, .. }) => *overhead,
            Self::RunlistBound(runlist) | Self::RunlistRun(runlist) => runlist.timeslice,
        }
    }

    /// The most events that it looks at for one set: releases and turns, or instants and what is due there.
    fn events(&self, tasks: u32, (least, most): (u64, u64)) -> u128 {
        let (tasks, least, most) = (u128::from(tasks), u128::from(least.max(1)), u128::from(most));
        match self {
            Self::EdfRun(EdfRun { until, .. }) | Self::SwitchRun(SwitchRun { until, .. }) => {
                tasks * tasks * (u128::from(*until) / least + 1)
            }
            // A release, a completion and two signals; several jobs of a task may be in its memory.
            Self::SignalRun(SignalRun { signal, until }) => {
                4 * tasks * tasks * (u128::from(*signal) / least + 2) * (u128::from(*until) / least + 1)
            }
            Self::RunlistRun(runlist) => {
                let turns = tasks * (most / u128::from(runlist.timeslice.max(1)) + 1);
                tasks * (turns + most / least)
            }
            Self::EdfDelay { .. } => tasks * u128::from(demand::MAX_STEPS),
            Self::Edf(_) | Self::RunlistBound(_) => tasks,
        }
    }

    /// If its run of a set takes too many events: the field that makes it so.
    fn too_long(&self, tasks: u32, (least, most): (u64, u64)) -> Option<(&'static str, String)> {
        let events = self.events(tasks, (least, most));
        let (field, value) = match self {
            Self::EdfRun(EdfRun { until, .. }) | Self::SwitchRun(SwitchRun { until, .. }) | Self::SignalRun(SignalRun { until, .. }) => {
                ("run_us", *until)
            }
            Self::RunlistRun(runlist) => ("timeslice_us", runlist.timeslice),
            Self::Edf(_) | Self::EdfDelay { .. } | Self::RunlistBound(_) => return None,
        };
        let message = || {
            let periods = format!("{tasks} tasks with periods of {least} to {most} us");
            format!("is {value}: with {periods} a run of a set has up to {events} events; at most {MAX_EVENTS} are possible")
        };
        (events > MAX_EVENTS).then(|| (field, message()))
    }

    /// What is wrong with it, by field.
    fn problem(&self) -> Option<(&'static str, String)> {
        let too_long = |field, us: u64| (us > MAX_TIME_US).then(|| (field, format!("is {us}; at most {MAX_TIME_US} is possible")));
        match self {
            Self::Edf(edf) => too_long("switch_us", edf.switch).or_else(|| match edf.sections {
                Sections::Groups(0, _) => Some(("groups", "begins at 0; the minimum is 1 work-group".to_owned())),
                Sections::Groups(least, most) if least > most => Some(("groups", format!("is empty: {least} is more than {most}"))),
                _ => (edf.per_job > 1000).then(|| ("per_job", format!("is {}; at most 1000 is possible", edf.per_job))),
            }),
            Self::EdfDelay { overhead } => too_long("overhead_us", *overhead),
            Self::EdfRun(run) => too_long("overhead_us", run.overhead).or_else(|| too_long("run_us", run.until)),
            Self::SignalRun(run) => too_long("signal_us", run.signal).or_else(|| too_long("run_us", run.until)),
            Self::SwitchRun(run) => {
                let short = run.longest < run.average;
                let short =
                    short.then(|| ("switch_max_us", format!("is {}; at least {} is needed, the average", run.longest, run.average)));
                let drawn = SwitchTimes::around(Span(1000 * run.average.min(MAX_TIME_US)), Span(1000 * run.longest.min(MAX_TIME_US)), 0);
                let far = run.longest > run.average && drawn.is_none();
                let far = far.then(|| ("switch_max_us", format!("is {}: too far above an average of {}", run.longest, run.average)));
                let long = too_long("switch_us", run.average).or_else(|| too_long("switch_max_us", run.longest));
                long.or(short).or(far).or_else(|| too_long("run_us", run.until))
            }
            Self::RunlistBound(runlist) | Self::RunlistRun(runlist) => {
                let zero = runlist.timeslice == 0;
                let zero = zero.then(|| ("timeslice_us", "is 0; the minimum timeslice is 1".to_owned()));
                zero.or_else(|| too_long("timeslice_us", runlist.timeslice)).or_else(|| too_long("switch_us", runlist.switch))
            }
        }
    }
}
