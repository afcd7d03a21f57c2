//! What the tests see of a scenario, and a scenario for a task set.
//!
//! Depends on `engine` to find how long a job takes alone. Invariant: what of a scenario the tests
//! do not cover is said, task by task. Source: docs/semantics.md, sections 2, 6 and 7.

use std::sync::Arc;

use super::Task;
use super::demand::{Demand, DemandTask};
use super::edf::{EdfTest, Sections, section};
use super::runlist_bound::runs_in_turn;
use super::sweep::Test;
use super::uncovered::{Uncovered, UncoveredReason};
use blockstep_sim::engine::{Limits, busy, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    BlockTimes, Class, Draft, Interleave, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, Scenario, TaskDraft,
};
use blockstep_sim::trace::Cut;
use blockstep_sim::units::{RowId, Span, TaskId, TimeRange};

/// Most blocks on each SM that a kernel of a made scenario has.
const MAX_WAVES: u64 = 4096;
/// Shared memory of a block that leaves no room for a second one on an SM of the TX2.
const HALF_AN_SM: u64 = 48 * 1024;

/// A scenario as the tests see it; times in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Real-time tasks, by place in the scenario.
    pub tasks: Vec<(TaskId, Task)>,
    /// The best-effort job that takes longest, if there is any.
    pub background: Option<Task>,
    /// What no test covers.
    pub doubts: Vec<Uncovered>,
    /// What the test for this preemption alone does not cover.
    pub doubts_of: Vec<(Preemption, Uncovered)>,
}

/// How a job runs alone.
struct Alone {
    /// For how long it has an issued, incomplete operation: what it asks of the GPU.
    time: u64,
    /// Longest time in which nothing ends.
    section: u64,
    /// Whether all that runs at one time ends at one time.
    in_step: bool,
}

/// A job of a task that cannot be simulated alone to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("task \"{task}\" by itself: {cut}")]
pub struct AloneError {
    /// Its name.
    pub task: String,
    /// Why its run was cut.
    pub cut: Cut,
}

impl Model {
    /// A model of tasks that stand for themselves, in nanoseconds, with nothing beside them.
    #[must_use]
    pub fn from_tasks(tasks: &[Task]) -> Self {
        let tasks = tasks.iter().enumerate().map(|(i, task)| (TaskId::at(i), *task)).collect();
        Self { tasks, background: None, doubts: Vec::new(), doubts_of: Vec::new() }
    }

    /// Simulates a job of every task alone.
    ///
    /// # Errors
    /// If one takes more than `limits` allow.
    pub fn new(scenario: &Arc<Scenario>, limits: Limits) -> Result<Self, AloneError> {
        let mut model = Self::from_tasks(&[]);
        for (i, owner) in scenario.tasks().iter().enumerate() {
            if owner.rows.is_empty() {
                if !owner.consumes.is_empty() {
                    model.doubts.push(Uncovered::new(&owner.name, UncoveredReason::Producers));
                }
                continue;
            }
            let id = TaskId::at(i);
            let alone = alone(scenario, id, limits).map_err(|cut| AloneError { task: owner.name.clone(), cut })?;
            model.doubt(scenario, id, &alone);
            let mut task = Task { cost: alone.time, period: u64::MAX, deadline: u64::MAX, section: alone.section, spread: 0 };
            if owner.class == Class::BestEffort {
                let longest = model.background.get_or_insert(task);
                (longest.cost, longest.section) = (longest.cost.max(task.cost), longest.section.max(task.section));
                continue;
            }
            let Some(deadline) = owner.deadline else {
                model.doubts.push(Uncovered::new(&owner.name, UncoveredReason::NoDeadline));
                continue;
            };
            task.deadline = deadline.ns();
            match (owner.release, owner.period) {
                (Release::Periodic, Some(period)) => task.period = period.ns(),
                (Release::Once, _) => {}
                _ => {
                    model.doubts.push(Uncovered::new(&owner.name, UncoveredReason::Continuous));
                    continue;
                }
            }
            model.tasks.push((id, task));
        }
        let policy = scenario.policy();
        if policy.signal_time().max(policy.runlist_time()) > Span::ZERO {
            model.doubts.push(Uncovered::new("", UncoveredReason::Signals));
        }
        if scenario.has_batches() {
            model.doubts.push(Uncovered::new("", UncoveredReason::Batches));
        }
        if let Some(row) = scenario.first_together() {
            model.doubts.push(Uncovered::new("", UncoveredReason::Together(scenario.row(row).name.clone())));
        }
        if policy.watchdog().is_some() || scenario.tasks().iter().any(|task| task.pixel_latency.is_some()) {
            model.doubts.push(Uncovered::new("", UncoveredReason::Pixels));
        }
        Ok(model)
    }

    /// Why EDF with this preemption is not covered by its test; nothing if it is.
    #[must_use]
    pub fn not_covered(&self, preemption: Preemption) -> Vec<&Uncovered> {
        let own = self.doubts_of.iter().filter(|(of, _)| *of == preemption).map(|(_, doubt)| doubt);
        self.doubts.iter().chain(own).collect()
    }

    fn doubt(&mut self, scenario: &Scenario, id: TaskId, alone: &Alone) {
        let task = scenario.task(id);
        let mut say = |reason: UncoveredReason| self.doubts.push(Uncovered::new(&task.name, reason));
        if let Some(row) = task.rows.iter().map(|&row| scenario.row(row)).find(|row| row.start.ns() > 0) {
            say(UncoveredReason::Delay(row.name.clone()));
        }
        if task.calls_in_turn {
            say(UncoveredReason::CallsInTurn);
        }
        let mut others =
            scenario.tasks().iter().enumerate().filter(|(i, t)| *i != id.index() && t.process == task.process && !t.rows.is_empty());
        if let Some((_, other)) = others.next() {
            let process = scenario.processes()[task.process.index()].name.clone();
            say(UncoveredReason::SharedProcess { other: other.name.clone(), process });
        }
        if !task.consumes.is_empty() {
            say(UncoveredReason::Producers);
        }
        if scenario.policy().cbs && task.class == Class::RealTime && task.budget.is_some_and(|budget| budget.ns() < alone.time) {
            say(UncoveredReason::Budget);
        }
        let varies = task.rows.iter().map(|&row| scenario.row(row)).find(|row| row.variation.most() > Span::ZERO);
        if let Some(row) = varies.filter(|_| !runs_in_turn(scenario, &task.rows)) {
            say(UncoveredReason::VaryingBlocks(row.name.clone()));
        }
        // Jobs that stand in one stream run one after the other, whenever they are released, and the demand tests hold for any deadlines.
        let are_apart = stand_in_turn(scenario, &task.rows);
        let is_late = task.class == Class::RealTime && task.release == Release::Periodic && task.deadline > task.period;
        if is_late && !are_apart {
            say(UncoveredReason::Overlapping);
        } else if is_late && scenario.policy().cbs {
            // A server that has exactly what a job takes gives each job its own deadline. Others may give a job what is left of the one
            // before, with that one's deadline, and nobody pays while a process drains.
            let is_exact = varies.is_none() && task.budget.is_none_or(|budget| budget.ns() <= alone.time);
            if is_exact {
                let drains = [Preemption::Block, Preemption::Kernel];
                self.doubts_of.extend(drains.map(|of| (of, Uncovered::new(&task.name, UncoveredReason::Leftover))));
            } else {
                say(UncoveredReason::Leftover);
            }
        }
        if !alone.in_step || varies.is_some() {
            self.doubts_of.push((Preemption::Block, Uncovered::new(&task.name, UncoveredReason::Ragged)));
        }
        if task.class == Class::BestEffort && task.release == Release::Periodic && !are_apart {
            // A job that nobody interrupts shares the GPU with the next one of its own task.
            self.doubts_of.push((Preemption::None, Uncovered::new(&task.name, UncoveredReason::BestEffortJobs)));
        }
    }

    /// What an EDF test says with switches of this length, charged as [`EdfTest::for_preemption`] does; blocks
    /// bound the sections of limited preemption.
    #[must_use]
    pub fn demand(&self, preemption: Preemption, switch: u64) -> Demand {
        let mut test = EdfTest::for_preemption(preemption, switch, (1, 1));
        if preemption == Preemption::Block {
            test.sections = Sections::Given;
        }
        let tasks: Vec<Task> = self.tasks.iter().map(|(_, task)| *task).collect();
        let background = self.background.map_or(0, |t| section(test.sections, &t, t.cost.saturating_add(test.inflation())));
        // A stretch that keeps others waiting began a nanosecond before they came.
        let later = |section: u64| section.saturating_sub(1);
        let mut demand = Demand::new([]);
        let inflated = test.inflated(&tasks).map(|t| DemandTask { section: later(t.section), ..t });
        demand.set(inflated, later(background));
        demand
    }
}

/// Whether the operations of a job of these rows stand side by side in one stream queue: all are issued at its release.
fn stand_in_turn(scenario: &Scenario, rows: &[RowId]) -> bool {
    let mut streams = rows.iter().map(|&row| scenario.row(row)).filter(|row| row.call.has_operation()).map(|row| row.stream);
    let first = streams.next();
    streams.all(|stream| Some(stream) == first) && rows.iter().all(|&row| scenario.row(row).after.is_none())
}

fn alone(scenario: &Scenario, id: TaskId, limits: Limits) -> Result<Alone, Cut> {
    let run = simulate(&scenario.alone(id), limits);
    if let Some(cut) = run.trace.cut() {
        return Err(cut.clone());
    }
    let records = Records::new(&run.trace);
    let blocks = records.blocks.iter().map(|b| (b.start, b.end));
    let copies = records.copies.iter().map(|c| (c.start, c.end));
    let mut runs: Vec<TimeRange> = blocks.chain(copies).map(|(start, end)| TimeRange::new(start, end.unwrap_or(start))).collect();
    blockstep_sim::order::by_number(&mut runs, |r| r.start.ns());
    let section = runs.iter().map(|r| r.span().ns()).max().unwrap_or(0);
    let in_step = runs.windows(2).all(|pair| pair[0] == pair[1] || pair[0].end <= pair[1].start);
    Ok(Alone { time: busy(&run.trace).ns(), section, in_step })
}

/// A scenario in which this set, in microseconds, runs as the test supposes: every task in a
/// process of its own, under the policy, preemption, timeslices and switch costs that the test is about.
///
/// Under the runlist the first task whose deadline the test does not promise comes right after its entry
/// was checked, as in [EDF] Theorem 1; otherwise all tasks are released together.
#[must_use]
pub fn draft(set: &[Task], test: &Test, name: &str) -> Draft {
    let ns = |us: u64| us.saturating_mul(1000);
    let mut draft = Draft { name: name.to_owned(), ..Draft::default() };
    draft.policy = PolicyDraft { kind: PolicyKind::Edf, cbs: false, ..PolicyDraft::default() };
    let (mut timeslice, mut first) = (None, None);
    match test {
        Test::Edf(edf) => (draft.policy.preemption, draft.policy.switch_cost_ns) = (edf.preemption, ns(edf.switch)),
        // The overhead is what deadlines or preemptions lose, and no switch of its own.
        Test::EdfDelay { .. } => {}
        Test::SwitchRun(run) => {
            (draft.policy.preemption, draft.policy.switch_cost_ns) = (Preemption::None, ns(run.average));
            draft.policy.switch_cost_max_ns = (run.longest > run.average).then(|| ns(run.longest));
        }
        Test::EdfRun(run) => draft.policy.switch_cost_ns = ns(run.overhead),
        Test::SignalRun(run) => draft.policy.signal_ns = ns(run.signal),
        Test::RunlistBound(runlist) | Test::RunlistRun(runlist) => {
            (draft.policy.kind, draft.policy.switch_cost_ns) = (PolicyKind::Runlist, ns(runlist.switch));
            if matches!(test, Test::RunlistRun(_)) {
                draft.policy.switch_charge = runlist.charge;
            }
            let fails = |&i: &usize| match test {
                Test::RunlistBound(_) => runlist.bound(set, i).is_none_or(|bound| bound > set[i].deadline),
                _ => runlist.response(set, i).is_none(),
            };
            timeslice = Some(runlist);
            first = (0..set.len()).find(fails);
        }
    }
    let order = first.into_iter().chain((0..set.len()).filter(|i| Some(*i) != first));
    for i in order {
        let task = &set[i];
        let (process, owner) = (format!("P{i}"), format!("t{i}"));
        let mut row = kernel(format!("K{i}"), task, test);
        row.task = Some(owner.clone());
        draft.kernels.push(row);
        draft.processes.push(ProcessDraft {
            interleave: if timeslice.is_some() { Interleave::High } else { Interleave::Medium },
            timeslice_ns: timeslice.map_or(2_000_000, |t| ns(t.timeslice)),
            ..ProcessDraft::named(process.clone())
        });
        let deadline = match test {
            Test::EdfDelay { overhead } => Some(ns(task.deadline.saturating_sub(*overhead))),
            _ => Some(ns(task.deadline)).filter(|_| task.deadline != task.period),
        };
        draft.tasks.push(TaskDraft {
            process: Some(process),
            release: Release::Periodic,
            period_ns: Some(ns(task.period)),
            deadline_ns: deadline,
            offset_ns: u64::from(first == Some(i)),
            ..TaskDraft::named(owner)
        });
    }
    if let Some(runlist) = timeslice.filter(|t| t.lower > 0) {
        add_lower(&mut draft, ns(runlist.lower));
    }
    draft
}

/// A kernel that takes the whole device for the task's cost, in as many equal steps as the test
/// supposes.
fn kernel(name: String, task: &Task, test: &Test) -> KernelDraft {
    let cost = task.cost.saturating_mul(1000);
    let step = match test {
        Test::Edf(EdfTest { sections: sections @ Sections::Groups(..), .. }) => match section(*sections, task, task.cost) {
            // Less than a microsecond is nothing to the test.
            0 => cost.min(999),
            section => section.saturating_mul(1000),
        },
        _ => cost,
    };
    let step = step.max(cost.div_ceil(MAX_WAVES)).max(1);
    let waves = cost.div_ceil(step).max(1);
    let mut row = KernelDraft { shared_memory_bytes: HALF_AN_SM, ..KernelDraft::named(name, 2 * waves, 1024, cost.max(1)) };
    if waves > 1 {
        let last = cost - step * (waves - 1);
        row.block_time_ns = if last == step {
            BlockTimes::Each(step)
        } else {
            let times = (0..2 * waves).map(|block| if block / 2 + 1 == waves { last } else { step });
            BlockTimes::List(times.collect::<Vec<_>>().into())
        };
    }
    row
}

/// A best-effort task of the lowest level that always has work.
fn add_lower(draft: &mut Draft, timeslice_ns: u64) {
    let named = |name: &str| name.to_owned();
    draft.processes.push(ProcessDraft { interleave: Interleave::Low, timeslice_ns, ..ProcessDraft::named(named("lower")) });
    draft.tasks.push(TaskDraft { process: Some(named("lower")), release: Release::Continuous, ..TaskDraft::named(named("rest")) });
    let row = KernelDraft::named(named("K"), 2, 1024, timeslice_ns.saturating_mul(10));
    draft.kernels.push(KernelDraft { task: Some(named("rest")), shared_memory_bytes: HALF_AN_SM, ..row });
}
