//! Sets of periodic tasks on a grid of whole milliseconds, as tables that the engine runs.
//!
//! Depends on `blockstep_analysis` for what the test of EDF promises. Invariant: every set that is listed is promised: one GPU, preemption
//! at any time, no costs. The grid is a choice: small enough for a second in a browser.

use blockstep_analysis::edf::EdfTest;
use blockstep_analysis::{Task, common_divisor};
use blockstep_policy::TaskNumber;
use blockstep_sim::scenario::{Class, Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, TaskDraft};

/// Tasks of a set, at most.
pub const MAX_TIMED: usize = 3;
/// The longest period by the number of tasks, from 1, in units of the grid.
pub(super) const LONGEST: [u64; MAX_TIMED] = [6, 6, 4];
/// A unit of the grid, ns.
pub(super) const UNIT: u64 = 1_000_000;

/// A periodic task; times in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimedTask {
    /// From release to release, at least 1.
    pub period: u64,
    /// What each job takes of the GPU: from 1 to the deadline.
    pub cost: u64,
    /// From the release on, at most the period.
    pub deadline: u64,
    /// The first release, before a period is over.
    pub offset: u64,
}

impl TimedTask {
    /// Whether it is a task of the grid, of any number of tasks.
    pub(super) fn is_of_the_grid(&self) -> bool {
        let longest = LONGEST.iter().max().copied().unwrap_or(0);
        (1..=longest).contains(&self.period)
            && (1..=self.deadline).contains(&self.cost)
            && self.deadline <= self.period
            && self.offset < self.period
    }

    fn sum(&self) -> u64 {
        self.period + self.cost + self.deadline + self.offset
    }

    fn for_the_test(&self) -> Task {
        Task { deadline: self.deadline, ..Task::implicit(self.cost, self.period) }
    }

    /// Jobs that are released before an instant, in ns.
    pub(super) fn jobs_before(&self, at: u64) -> u64 {
        at.saturating_sub(self.offset * UNIT).div_ceil(self.period * UNIT)
    }
}

/// The letter of a task.
pub(super) fn letter(task: TaskNumber) -> char {
    char::from(b'A' + task.0)
}

/// All sets of so many tasks that the test promises, in every order of their tasks. Those whose deadlines are the periods come first, and
/// smaller numbers before larger ones. One task begins at 0.
pub(super) fn promised(tasks: usize) -> Vec<Vec<TimedTask>> {
    let longest = tasks.checked_sub(1).and_then(|place| LONGEST.get(place)).copied().unwrap_or(0);
    let mut all = Vec::new();
    for period in 1..=longest {
        for cost in 1..=period {
            all.extend((cost..=period).map(|deadline| TimedTask { period, cost, deadline, offset: 0 }));
        }
    }
    let mut sets = vec![Vec::new()];
    for _ in 0..tasks {
        let longer = sets.iter().flat_map(|set: &Vec<TimedTask>| all.iter().map(|task| [set.as_slice(), &[*task]].concat()));
        // What is promised stays so with a task less.
        sets = longer.filter(|set| is_promised(set)).collect();
    }
    let mut found: Vec<Vec<TimedTask>> = sets.iter().flat_map(|set| with_offsets(set)).collect();
    found.sort_by_cached_key(|set| (has_early_deadlines(set), set.iter().map(TimedTask::sum).sum::<u64>(), set.clone()));
    found
}

/// Whether a job is due before the next comes.
pub(super) fn has_early_deadlines(set: &[TimedTask]) -> bool {
    set.iter().any(|task| task.deadline < task.period)
}

/// Whether preemptive EDF meets every deadline, whenever the tasks begin.
pub(super) fn is_promised(set: &[TimedTask]) -> bool {
    let tasks: Vec<Task> = set.iter().map(TimedTask::for_the_test).collect();
    EdfTest::for_preemption(Preemption::Thread, 0, (1, 1)).verdict(&tasks).passes()
}

fn with_offsets(set: &[TimedTask]) -> Vec<Vec<TimedTask>> {
    let mut found = vec![Vec::new()];
    for task in set {
        let with = |before: &Vec<TimedTask>| {
            let before = before.clone();
            (0..task.period).map(move |offset| [before.as_slice(), &[TimedTask { offset, ..*task }]].concat())
        };
        found = found.iter().flat_map(with).collect();
    }
    found.retain(|set| set.iter().any(|task| task.offset == 0));
    found
}

/// The last deadline that is judged in ms: a hyperperiod after the last offset, as in section 9 of the contract.
fn last(set: &[TimedTask]) -> u64 {
    let hyperperiod = set.iter().fold(1, |all, task| all / common_divisor(all, task.period) * task.period);
    hyperperiod + set.iter().map(|task| task.offset).max().unwrap_or(0)
}

/// The horizon of a run that judges deadlines up to an instant in ms.
const fn horizon(last: u64) -> Option<u64> {
    Some(last * UNIT)
}

/// The horizon of a run whose faults are to take fewer than so many jobs: the run ends where it has so many.
pub(super) fn horizon_before(set: &[TimedTask], jobs: u64) -> Option<u64> {
    let has_all = |at: &u64| set.iter().map(|task| task.jobs_before(at * UNIT + 1)).sum::<u64>() >= jobs;
    let end = last(set);
    horizon((0..end).find(has_all).unwrap_or(end))
}

/// The sum of cost / period, as a fraction in its lowest terms.
pub(super) fn utilization(set: &[TimedTask]) -> (u64, u64) {
    set.iter().fold((0, 1), |(above, below), task| {
        let (above, below) = (above * task.period + task.cost * below, below * task.period);
        let divisor = common_divisor(above, below);
        (above / divisor, below / divisor)
    })
}

/// `A 1 of 2 ms due in 1, B 2 of 4 ms from 1`: costs and periods, deadlines other than these, and first releases other than 0.
pub(super) fn written(set: &[TimedTask]) -> String {
    let word = |(place, task): (usize, &TimedTask)| {
        let name = letter(TaskNumber(place as u8));
        let due = if task.deadline == task.period { String::new() } else { format!(" due in {}", task.deadline) };
        let from = if task.offset == 0 { String::new() } else { format!(" from {}", task.offset) };
        format!("{name} {} of {} ms{due}{from}", task.cost, task.period)
    };
    set.iter().enumerate().map(word).collect::<Vec<_>>().join(", ")
}

/// The set under a policy: each task a process and a kernel that fills the GPU. All are real time; an earlier deadline is a higher priority,
/// which is the best order of fixed ones where all tasks begin together (Leung and Whitehead 1982).
pub(super) fn draft(set: &[TimedTask], text: &str) -> Draft {
    let mut draft = Draft {
        name: format!("Task set {}", written(set)),
        horizon_ns: horizon(last(set)),
        policy: PolicyDraft { kind: PolicyKind::Own, preemption: Preemption::Thread, text: text.to_owned(), ..PolicyDraft::default() },
        ..Draft::default()
    };
    for (place, task) in set.iter().enumerate() {
        let name = letter(TaskNumber(place as u8)).to_string();
        draft.processes.push(ProcessDraft { preemption: Some(Preemption::Thread), ..ProcessDraft::named(name.clone()) });
        draft.tasks.push(TaskDraft {
            process: Some(name.clone()),
            release: Release::Periodic,
            period_ns: Some(task.period * UNIT),
            deadline_ns: Some(task.deadline * UNIT).filter(|_| task.deadline != task.period),
            offset_ns: task.offset * UNIT,
            class: Some(Class::RealTime),
            priority: task.deadline as i64,
            ..TaskDraft::named(name.clone())
        });
        draft.kernels.push(KernelDraft { task: Some(name.clone()), ..KernelDraft::named(format!("K{name}"), 4, 1024, task.cost * UNIT) });
    }
    draft
}
