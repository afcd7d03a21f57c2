//! A search over times: task sets of a small grid, run by the engine, for a deadline that is missed though the test of EDF promises it.
//!
//! Depends on `task_set` and on the engine. Invariants: a fault is what a run of its table shows, and among the sets of the fewest
//! tasks that have one it takes the fewest jobs; that none was found says nothing of other sets. Only a trace is looked at, never the policy.

use blockstep_policy::TaskNumber;
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::language::{capitalized, counted};
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::trace::{Change, Cut, Step};
use blockstep_sim::units::written::{format_count, format_time};
use blockstep_sim::units::{JobNo, TaskId, Time};
use blockstep_sim::work::{Budget, Progress};

use super::property::Property;
use super::table::PolicyTable;
use super::task_set::{self, LONGEST, MAX_TIMED, TimedTask, UNIT, letter, promised};

/// Steps of a run after which it is given up: a policy whose ticks come so often that none of these runs ends.
pub(super) const MAX_STEPS: u32 = 50_000;
/// Steps that take as long as a decision of the search over requests.
const STEPS_PER_UNIT: u64 = 4;

/// A task set whose run shows a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedFault {
    /// The tasks, in the order of the table.
    pub tasks: Vec<TimedTask>,
    /// When it shows.
    pub at: Time,
    /// What shows then.
    pub what: Shown,
}

/// What a run shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A job, from 0, has missed its deadline.
    Missed(TaskNumber, JobNo),
    /// The policy could not decide: its line, and why.
    Failed(String),
}

impl TimedFault {
    /// What the run of these tasks shows under this policy: a missed deadline, or else that the policy fails. `None` if it shows neither, or
    /// if there can be no such tasks.
    #[must_use]
    pub fn find(tasks: &[TimedTask], text: &str, is_miss: bool) -> Option<Self> {
        if !(1..=MAX_TIMED).contains(&tasks.len()) || !tasks.iter().all(TimedTask::is_of_the_grid) {
            return None;
        }
        let run = run(&task_set::draft(tasks, text))?;
        if is_miss { missed_in(&run, tasks) } else { failed_in(&run, tasks) }
    }

    /// Jobs that are released before it shows.
    #[must_use]
    pub fn jobs(&self) -> u64 {
        self.tasks.iter().map(|task| task.jobs_before(self.at.ns())).sum()
    }

    /// The scenario whose run shows it under this policy, and when.
    #[must_use]
    pub fn table(&self, text: &str) -> PolicyTable {
        PolicyTable { draft: task_set::draft(&self.tasks, text), at: self.at }
    }

    /// Its tasks in words.
    #[must_use]
    pub fn set(&self) -> String {
        task_set::written(&self.tasks)
    }

    /// What is wrong, with a period.
    #[must_use]
    pub fn title(&self) -> String {
        let at = format_time(self.at.ns());
        match self.what {
            Shown::Failed(_) => format!("The policy fails at {at}."),
            Shown::Missed(task, _) => {
                let (above, below) = task_set::utilization(&self.tasks);
                let share = if below == 1 { above.to_string() } else { format!("{above}/{below}") };
                let demand = if task_set::has_early_deadlines(&self.tasks) { "its demand always fits, at " } else { "" };
                format!("{} misses its deadline at {at}, though the test promises it: {demand}utilization {share}.", letter(task))
            }
        }
    }

    /// How it comes about, in the run of this policy.
    #[must_use]
    pub fn story(&self, text: &str) -> String {
        match &self.what {
            Shown::Failed(why) => format!("{}.", capitalized(why)),
            Shown::Missed(task, job) => {
                let released = self.tasks.get(usize::from(task.0)).map_or(0, |task| self.at.ns() - task.deadline * UNIT);
                let (name, released) = (letter(*task), format_time(released));
                let held = self.line(text).map_or_else(|| "It was admitted".to_owned(), |line| format!("Line {line} held it back"));
                format!("Job {} of {name}, released at {released}, is not complete then. {held} just before.", job.0)
            }
        }
    }

    /// The line of the policy that holds the job back until it misses its deadline; nothing if it was admitted just before.
    #[must_use]
    pub fn line(&self, text: &str) -> Option<u32> {
        let Shown::Missed(task, _) = self.what else { return None };
        let run = run(&self.table(text).draft)?;
        // At the deadline itself it may be admitted again.
        let step = run.trace.steps().iter().position(|step| step.at == self.at)?;
        let mut replay = run.replay();
        let place = replay.seek(u32::try_from(step).ok()?).held_back_by(&run.trace, TaskId::at(usize::from(task.0)))?;
        Some(run.trace.made(place).decision.line)
    }
}

/// What is known of a search over times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimesReport {
    /// Tasks of a set at most.
    pub tasks: usize,
    /// Sets that were run.
    pub sets: usize,
    /// Sets that are to be run, if none shows a fault.
    pub of: usize,
    /// Whether all of them came to the end of their runs. One ends early where the policy fails; after a miss, others are run only for a
    /// shorter one.
    pub is_over: bool,
}

impl TimesReport {
    /// The sets that were tried, in words: `all 24,525 task sets of ... that the test promises`.
    fn tried(&self) -> String {
        // Numbers of tasks with the same longest period are said together.
        let mut grid: Vec<(usize, u64)> = Vec::new();
        for (place, longest) in LONGEST.iter().take(self.tasks).enumerate() {
            match grid.last_mut() {
                Some((tasks, same)) if same == longest => *tasks = place + 1,
                _ => grid.push((place + 1, *longest)),
            }
        }
        let part = |(place, (tasks, longest)): (usize, &(usize, u64))| {
            let tasks = if place == 0 { format!("up to {}", counted(*tasks, "task")) } else { format!("of {tasks}") };
            format!("{tasks} with periods up to {}", format_time(longest * UNIT))
        };
        let grid: Vec<String> = grid.iter().enumerate().map(part).collect();
        format!("all {} task sets of {} that the test promises", format_count(self.sets as u64), grid.join(", and "))
    }

    /// What these runs assume, after a blank.
    pub(super) const fn assumed() -> &'static str {
        " Of task sets: the test is that of preemptive EDF by processor demand. Each job is a kernel that fills the GPU, threads are preempted \
         at no cost, all tasks are real time, an earlier deadline is a higher priority, draws have one seed, and a run ends a hyperperiod \
         after the last offset."
    }

    /// What it means that a property was not broken: `no deadline missed in all ... task sets ...; other sets were not tried`.
    #[must_use]
    pub fn none_found(&self, property: Property) -> String {
        let what = if property == Property::Missed { "no deadline missed".to_owned() } else { property.clean() };
        format!("{what} in {}; other sets were not tried", self.tried())
    }
}

/// A search over times, as far as it has come.
#[derive(Clone, Debug)]
pub(super) struct Times {
    text: String,
    tasks: usize,
    /// By number of tasks, from 1; the next set last. Nothing before the first portion.
    levels: Option<Vec<Vec<Vec<TimedTask>>>>,
    level: usize,
    of: usize,
    sets: usize,
    missed: Option<TimedFault>,
    failed: Option<TimedFault>,
    is_given_up: bool,
}

impl Times {
    pub(super) fn new(text: &str, tasks: usize) -> Self {
        let tasks = tasks.min(MAX_TIMED);
        Self { text: text.to_owned(), tasks, levels: None, level: 0, of: 0, sets: 0, missed: None, failed: None, is_given_up: false }
    }

    /// Goes on until the budget is spent.
    pub(super) fn advance(&mut self, budget: &mut Budget) -> Progress {
        let tasks = self.tasks;
        let levels = self.levels.get_or_insert_with(|| {
            let reversed = |tasks| {
                let mut sets = promised(tasks);
                sets.reverse();
                sets
            };
            (1..=tasks).map(reversed).collect()
        });
        if self.of == 0 {
            self.of = levels.iter().map(Vec::len).sum();
        }
        while !budget.is_spent() {
            let Some(level) = levels.get_mut(self.level) else { return Progress::Done };
            let Some(set) = level.pop() else {
                // More tasks would be no shorter.
                self.level = if self.missed.is_some() { levels.len() } else { self.level + 1 };
                continue;
            };
            let mut draft = task_set::draft(&set, &self.text);
            // What is shown later would not be kept.
            if let Some(missed) = &self.missed {
                draft.horizon_ns = task_set::horizon_before(&set, missed.jobs());
            }
            let Some(run) = run(&draft) else { continue };
            budget.spend(1 + run.trace.steps().len() as u64 / STEPS_PER_UNIT);
            if let Some(missed) = missed_in(&run, &set) {
                keep(&mut self.missed, missed);
            }
            self.sets += 1;
            match (run.trace.cut(), failed_in(&run, &set)) {
                (None, _) => {}
                (Some(_), Some(failed)) => keep(&mut self.failed, failed),
                (Some(_), None) => {
                    self.is_given_up = true;
                    return Progress::Done;
                }
            }
        }
        if self.is_over() { Progress::Done } else { Progress::Paused }
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_given_up || self.levels.as_ref().is_some_and(|levels| self.level >= levels.len())
    }

    /// Whether the run of a set took too long for the others to be tried.
    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up
    }

    pub(super) fn missed(&self) -> Option<&TimedFault> {
        self.missed.as_ref()
    }

    pub(super) fn failed(&self) -> Option<&TimedFault> {
        self.failed.as_ref()
    }

    pub(super) fn report(&self) -> TimesReport {
        let is_over = self.is_over() && !self.is_given_up && self.missed.is_none() && self.failed.is_none();
        TimesReport { tasks: self.tasks, sets: self.sets, of: self.of, is_over }
    }
}

/// Keeps the fault of fewer tasks, or else of fewer jobs. Sets come with the simpler ones first.
fn keep(known: &mut Option<TimedFault>, fault: TimedFault) {
    let order = |fault: &TimedFault| (fault.tasks.len(), fault.jobs());
    if known.as_ref().is_none_or(|known| order(&fault) < order(known)) {
        *known = Some(fault);
    }
}

/// The first deadline that is missed.
fn missed_in(run: &Run, tasks: &[TimedTask]) -> Option<TimedFault> {
    let missed = |step: &Step| match step.change {
        Change::DeadlineMissed { task, job } => Some((step.at, Shown::Missed(TaskNumber(task.index() as u8), job))),
        _ => None,
    };
    run.trace.steps().iter().find_map(missed).map(|(at, what)| TimedFault { tasks: tasks.to_vec(), at, what })
}

/// Where the policy could not decide.
fn failed_in(run: &Run, tasks: &[TimedTask]) -> Option<TimedFault> {
    match run.trace.cut() {
        Some(Cut::PolicyFailed { at, why }) => Some(TimedFault { tasks: tasks.to_vec(), at: Time(*at), what: Shown::Failed(why.clone()) }),
        _ => None,
    }
}

fn run(draft: &Draft) -> Option<Run> {
    Some(simulate(&Scenario::new(draft).ok()?, Limits { max_steps: MAX_STEPS }))
}
