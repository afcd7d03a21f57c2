//! Budgets of servers: those given, and else how long a job takes by itself.
//!
//! Depends on the rest of `engine`. Invariant: a real-time task's budget is at least 1 ns, so a
//! server that is used up is not used up at once again. Source: docs/semantics.md, section 7.

use super::vary::Plain;
use super::{Engine, Limits, simulate_with};
use crate::policy;
use crate::scenario::{Class, PolicyKind, Scenario};
use crate::trace::{Change, Cut, Trace};
use crate::units::{Span, TaskId, Time};
use crate::work::{self, Progress};

/// So many steps the jobs alone may have together, however few the run may: a cut run begins as the whole one does.
const LEAST_STEPS: u32 = 100_000;

/// The search for the budgets of all tasks, one job after the other.
#[derive(Clone, Default)]
pub(super) struct Servers {
    found: Vec<Span>,
    /// Steps so far.
    steps: u32,
    /// The job that is simulated now.
    alone: Option<Box<Engine<'static, Plain>>>,
}

impl Servers {
    /// Goes on until the work for now is done or the budget of every claimant is known; best-effort ones, which have no server,
    /// have zero.
    ///
    /// # Errors
    /// If the jobs whose budgets are not given cannot be simulated within the limits of the run, which are for all of them together.
    pub(super) fn go_on(&mut self, scenario: &Scenario, limits: Limits, work: &mut work::Budget) -> Result<Option<Vec<Span>>, Cut> {
        let limit = limits.max_steps.max(LEAST_STEPS);
        // There are no servers then, and the policy may look at how long any job takes.
        let is_own = scenario.own().is_some();
        while let Some(task) = scenario.tasks().get(self.found.len()) {
            if work.is_spent() {
                return Ok(None);
            }
            let budget = match (task.class, task.budget) {
                (Class::BestEffort, _) if !is_own => Span::ZERO,
                (Class::RealTime, Some(budget)) if !is_own => budget,
                _ => {
                    let mut alone = match self.alone.take() {
                        Some(alone) => alone,
                        None => {
                            work.spend(task.rows.len() as u64);
                            let alone = scenario.alone(TaskId::at(self.found.len()));
                            Box::new(Engine::new(&alone, alone_policy(), Plain, Limits { max_steps: limit - self.steps }))
                        }
                    };
                    if alone.run_for(work) == Progress::Paused {
                        self.alone = Some(alone);
                        return Ok(None);
                    }
                    let run = alone.finish();
                    match run.trace.cut() {
                        Some(Cut::StepLimit { .. }) => {
                            let given = if is_own { "" } else { ", whose budget_ns is not given," };
                            return Err(Cut::StepLimit { limit, alone: Some(format!("a job of \"{}\"{given}", task.name)) });
                        }
                        Some(cut) => return Err(cut.clone()),
                        None => {}
                    }
                    self.steps += run.trace.steps().len() as u32;
                    // Until signal B arrives the task pays.
                    let told = scenario.policy().signal_time().ns().saturating_mul(batches(&run.trace));
                    Span(busy(&run.trace).ns().saturating_add(told))
                }
            };
            work.spend(1);
            self.found.push(budget);
        }
        // Those of batches are given.
        self.found.extend(scenario.claimants().iter().filter_map(|claimant| Some(claimant.batch.as_ref()?.budget)));
        Ok(Some(std::mem::take(&mut self.found)))
    }
}

/// By which a job runs alone.
fn alone_policy() -> &'static dyn policy::Policy {
    policy::find(PolicyKind::Priority)
}

/// For how long a job of a task, alone on the idle device and ignoring producers, has an issued,
/// incomplete operation (at least 1 ns), and the steps that it took to find out.
///
/// # Errors
/// If the job cannot be simulated to its end within the limits.
pub fn time_alone(scenario: &Scenario, task: TaskId, limits: Limits) -> Result<(Span, u32), Cut> {
    let run = simulate_with(&scenario.alone(task), alone_policy(), limits);
    match run.trace.cut() {
        Some(cut) => Err(cut.clone()),
        None => Ok((busy(&run.trace), run.trace.steps().len() as u32)),
    }
}

/// How many times a run of one job ceases to have anything issued and incomplete: the batches that signal B is sent for.
fn batches(trace: &Trace) -> u64 {
    let (mut count, mut live) = (0, 0_u32);
    for instant in trace.steps().chunk_by(|step, next| step.at == next.at) {
        let before = live;
        for step in instant {
            match step.change {
                Change::Issued { .. } => live += 1,
                Change::KernelCompleted { .. } | Change::CopyCompleted { .. } => live -= 1,
                _ => {}
            }
        }
        count += u64::from(before > 0 && live == 0);
    }
    count
}

/// For how long a run of one job has an issued, incomplete operation, at least 1 ns: pauses of the CPU
/// are no load of the GPU.
#[must_use]
pub fn busy(trace: &Trace) -> Span {
    let (mut busy, mut live, mut since) = (0, 0_u32, Time::ZERO);
    for step in trace.steps() {
        match step.change {
            Change::Issued { .. } => {
                if live == 0 {
                    since = step.at;
                }
                live += 1;
            }
            Change::KernelCompleted { .. } | Change::CopyCompleted { .. } => {
                live -= 1;
                if live == 0 {
                    busy += step.at.since(since).ns();
                }
            }
            _ => {}
        }
    }
    // What hangs was at it until then.
    if live > 0 {
        busy += trace.end().since(since).ns();
    }
    Span(busy.max(1))
}
