//! The tasks of a scenario: each with its process and its defaults.
//!
//! Depends on the rest of `scenario`. Invariant: a task that is periodic has a period, and one that is scheduled by its deadline has one.
//! Source: docs/semantics.md, sections 2 and 7; docs/file-format.md.

use super::validate::{At, FoundProblems};
use super::{Choice, Class, Draft, Release, Task, TaskDraft, Turns};
use crate::order::Names;
use crate::units::written::Measure;
use crate::units::{ProcessId, Span, Time};

pub(super) fn tasks(draft: &Draft, processes: &Names<'_>, found: &mut FoundProblems) -> Vec<Task> {
    found.table_size("tasks", draft.tasks.len());
    found.names("tasks", draft.tasks.iter().map(|t| t.name.as_str()));
    if draft.tasks.is_empty() {
        return vec![resolve_task(&TaskDraft::named("T0"), ProcessId(0))];
    }
    let mut tasks = Vec::with_capacity(draft.tasks.len());
    for (i, t) in draft.tasks.iter().enumerate() {
        let at = |field| At { table: "tasks", row: i, field };
        let process = t.process.as_deref().map_or(Some(0), |name| found.resolve(&at("process"), "process", name, processes));
        for (field, value, of) in
            [("jobs", t.jobs, Measure::Count), ("budget_ns", t.budget_ns, Measure::Time), ("period_ns", t.period_ns, Measure::Time)]
        {
            found.positive(&at(field), value.unwrap_or(1), of);
        }
        if t.release == Release::Periodic && t.period_ns.is_none() {
            found.add(&at("period_ns"), &format_args!("is required: task \"{}\" is periodic", t.name));
        }
        let task = resolve_task(t, ProcessId::at(process.unwrap_or(0)));
        if draft.policy.kind.turns() == Turns::Deadlines && task.class == Class::RealTime && task.deadline.is_none() {
            found.add(
                &at("deadline_ns"),
                &format_args!(
                    "is required under {}: real-time task \"{}\" has neither deadline nor period",
                    draft.policy.kind.word(),
                    t.name
                ),
            );
        }
        tasks.push(task);
    }
    tasks
}

fn resolve_task(t: &TaskDraft, process: ProcessId) -> Task {
    let deadline = t.deadline_ns.or(t.period_ns).map(Span);
    Task {
        name: t.name.clone(),
        process,
        release: t.release,
        period: t.period_ns.map(Span),
        deadline,
        offset: Time(t.offset_ns),
        jobs: if t.release == Release::Once { Some(1) } else { t.jobs },
        class: t.class(),
        budget: t.budget_ns.map(Span),
        priority: t.priority,
        pixel_latency: t.pixel_latency_ns.map(Span),
        consumes: Vec::new(),
        consumers: Vec::new(),
        rows: Vec::new(),
        calls_in_turn: false,
        rows_with_operations: 0,
        launches: 0,
        wake: Span(t.wake_ns),
        batches: Vec::new(),
    }
}
