//! Budgets of servers: those given, and else how long a job takes by itself.
//!
//! Depends on the rest of `engine`. Invariant: a real-time task's budget is at least 1 ns, so a
//! server that is used up is not used up at once again. Contract: section 7.

use super::{Limits, simulate};
use crate::scenario::{Class, Scenario};
use crate::trace::Change;
use crate::units::{Span, TaskId, Time};

/// The budget of every task; zero for those of best effort, which have no server.
pub(super) fn budgets(scenario: &Scenario) -> Vec<Span> {
    let of = |(i, task): (usize, &crate::scenario::Task)| match task.class {
        Class::BestEffort => Span::ZERO,
        Class::RealTime => task.budget.unwrap_or_else(|| alone(scenario, TaskId::at(i))),
    };
    scenario.tasks().iter().enumerate().map(of).collect()
}

/// How long one job, alone on the idle device and without producers, has an issued, incomplete
/// operation. Of a job that cannot be simulated to its end, as far as that goes.
fn alone(scenario: &Scenario, task: TaskId) -> Span {
    let Ok(run) = simulate(&scenario.alone(task), Limits::default()) else { return Span(1) };
    let (mut busy, mut live, mut since) = (0, 0_u32, Time::ZERO);
    for step in run.trace.steps() {
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
