//! Budgets of servers: those given, and else how long a job takes by itself.
//!
//! Depends on the rest of `engine`. Invariant: a real-time task's budget is at least 1 ns, so a
//! server that is used up is not used up at once again. Source: docs/semantics.md, section 7.

use super::{Limits, simulate_with};
use crate::policy;
use crate::scenario::{Class, PolicyKind, Scenario};
use crate::trace::{Change, Cut, Trace};
use crate::units::{Span, TaskId, Time};

/// The budget of every task; zero for those of best effort, which have no server.
///
/// # Errors
/// If the jobs whose budgets are not given cannot be simulated, within the usual step limit for
/// all of them together.
pub(super) fn budgets(scenario: &Scenario) -> Result<Vec<Span>, Cut> {
    let Limits { max_steps: limit } = Limits::default();
    let mut left = limit;
    let mut budgets = Vec::with_capacity(scenario.tasks().len());
    for (i, task) in scenario.tasks().iter().enumerate() {
        budgets.push(match (task.class, task.budget) {
            (Class::BestEffort, _) => Span::ZERO,
            (Class::RealTime, Some(budget)) => budget,
            (Class::RealTime, None) => {
                let (busy, steps) = time_alone(scenario, TaskId::at(i), Limits { max_steps: left }).map_err(|cut| match cut {
                    Cut::StepLimit { .. } => Cut::StepLimit { limit },
                    cut => cut,
                })?;
                left -= steps;
                busy
            }
        });
    }
    Ok(budgets)
}

/// For how long a job of a task, alone on the idle device and ignoring producers, has an issued,
/// incomplete operation (at least 1 ns), and the steps that it took to find out.
///
/// # Errors
/// If the job cannot be simulated to its end within the limits.
pub fn time_alone(scenario: &Scenario, task: TaskId, limits: Limits) -> Result<(Span, u32), Cut> {
    let policy = policy::find(PolicyKind::Priority).ok_or_else(|| Cut::Internal { what: "priority is not there".to_owned() })?;
    let run = simulate_with(&scenario.alone(task), policy, limits);
    match run.trace.cut() {
        Some(cut) => Err(cut.clone()),
        None => Ok((busy(&run.trace), run.trace.steps().len() as u32)),
    }
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
    Span(busy.max(1))
}
