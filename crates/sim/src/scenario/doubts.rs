//! What is allowed but likely not meant.
//!
//! Depends on the rest of `scenario`. Invariant: a warning names the field at which one would
//! mend it, its value and the limit; nothing is refused. Source: docs/semantics.md, sections 7 and 8.

use super::{Class, Problem, Process, Release, Scenario, Task};
use crate::units::written::{format_count, format_time};
use crate::units::{TaskId, Time};

/// Every warning, process by process and task by task.
pub(super) fn doubts(scenario: &Scenario) -> Vec<Problem> {
    let mut warnings = idle_channels(scenario);
    let mut scratch = Vec::new();
    for (i, task) in scenario.tasks.iter().enumerate() {
        let mut warn = |field: &str, message: String| warnings.push(Problem::new(format!("tasks[{i}].{field}"), message));
        if let (Class::RealTime, Some(budget), Some(period)) = (task.class, task.budget, task.server_period())
            && budget > period
        {
            let limit = if task.period == Some(period) { "period" } else { "deadline" };
            warn("budget_ns", format!("is {}, above the {limit} of {}", format_time(budget.ns()), format_time(period.ns())));
        }
        if let Some(deadline) = task.deadline {
            let earliest = scenario.earliest_response_in(TaskId::at(i), &mut scratch);
            if deadline < earliest {
                let field = if task.period == Some(deadline) { "period_ns" } else { "deadline_ns" };
                warn(field, format!("is {}; a job takes at least {}", format_time(deadline.ns()), format_time(earliest.ns())));
            }
        }
        for producer in task.consumes.iter().map(|&producer| scenario.task(producer)) {
            if let Some(made) = jobs(producer, scenario.horizon)
                && jobs(task, scenario.horizon).is_none_or(|used| used > made)
            {
                let used = jobs(task, scenario.horizon).map_or("no limit of".to_owned(), format_count);
                warn(
                    "consumes",
                    format!(
                        "task \"{}\" has {used} jobs, its producer \"{}\" only {}; the remaining jobs never start",
                        task.name,
                        producer.name,
                        format_count(made)
                    ),
                );
            }
        }
    }
    for (i, claimant) in scenario.claimants[scenario.tasks.len()..].iter().enumerate() {
        if let (Some(batch), Some(period)) = (&claimant.batch, claimant.period)
            && batch.budget > period
        {
            let limit = if claimant.deadline == Some(period) { "deadline" } else { "period" };
            let message = format!("is {}, above the {limit} of {}", format_time(batch.budget.ns()), format_time(period.ns()));
            warnings.push(Problem::new(format!("batches[{i}].budget_ns"), message));
        }
    }
    warnings
}

/// Channels that no stream uses.
fn idle_channels(scenario: &Scenario) -> Vec<Problem> {
    let mut streams = vec![0_u64; scenario.processes.len()];
    if scenario.has_channels() {
        scenario.streams.iter().filter(|stream| stream.branch_of.is_none()).for_each(|stream| streams[stream.process.index()] += 1);
    }
    let warn = |(i, (process, &streams)): (usize, (&Process, &u64))| {
        let is_idle = scenario.has_channels() && u64::from(process.channels) > streams.max(1);
        is_idle.then(|| {
            let message = format!(
                "is {}, but the process has {} {}; the other channels never have work",
                format_count(process.channels.into()),
                format_count(streams),
                if streams == 1 { "stream" } else { "streams" }
            );
            Problem::new(format!("processes[{i}].channels"), message)
        })
    };
    scenario.processes.iter().zip(&streams).enumerate().filter_map(warn).collect()
}

/// How many jobs a task releases; `None` if the table shows no limit. A consumer's job whose
/// producer's job is never released waits forever.
fn jobs(task: &Task, horizon: Option<Time>) -> Option<u64> {
    let by_time = match (task.release, task.period, horizon) {
        (Release::Periodic, Some(period), Some(end)) => {
            Some(end.ns().checked_sub(task.offset.ns()).map_or(0, |left| (left / period.ns()).saturating_add(1)))
        }
        _ => None,
    };
    [by_time, task.jobs].into_iter().flatten().min()
}
