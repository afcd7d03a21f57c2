//! Which jobs `edf` may choose, and by which deadline it does.
//!
//! Depends on the trait. Invariants: of one task only the first pending job counts; its deadline
//! is never later than that of a later one, inherited deadlines included, because a job is waited
//! for only after its predecessors. Source: [EDF] section IV-A; contract, sections 7 and 8.

use super::View;
use crate::scenario::Class;
use crate::trace::Rule;
use crate::units::{JobNo, OpId, SpaceId, StreamId, TaskId, Time};

/// A job that may be chosen.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) task: TaskId,
    pub(super) job: JobNo,
    /// By which rule it is the one.
    pub(super) rule: Rule,
}

/// The pending job to serve: the earliest deadline, else the first in priority; then the lowest task.
pub(super) fn choice(view: View<'_>) -> Option<Candidate> {
    let mut best: Option<((bool, u64, i64), Candidate)> = None;
    for task in (0..view.trace.scenario().tasks().len()).map(TaskId::at) {
        let Some(job) = first_pending(view, task) else { continue };
        let (own, inherited) = (own_deadline(view, task, job), inherited_deadline(view, task, job));
        let (key, rule) = match (own, inherited) {
            (own, Some(inherited)) if own.is_none_or(|own| inherited < own) => ((false, inherited.ns(), 0), Rule::E3),
            (Some(own), _) => ((false, own.ns(), 0), Rule::E1),
            (None, _) => ((true, 0, view.trace.scenario().task(task).priority), Rule::E2),
        };
        if best.as_ref().is_none_or(|(least, _)| key < *least) {
            best = Some((key, Candidate { task, job, rule }));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The first job of a task with an issued, incomplete operation that does not wait for a producer.
pub(super) fn first_pending(view: View<'_>, task: TaskId) -> Option<JobNo> {
    let scenario = view.trace.scenario();
    let live = view.state.task(task).open.iter().filter(|j| j.live > 0).map(|j| j.job);
    let process = scenario.task(task).process;
    if !scenario.has_consumers(process) {
        return live.min();
    }
    let space = SpaceId(process.0);
    live.into_iter().find(|&job| has_free_operation(view, space, task, job))
}

/// Whether one of the job's operations stands before everything that waits in its stream queue.
fn has_free_operation(view: View<'_>, space: SpaceId, task: TaskId, job: JobNo) -> bool {
    let space = view.trace.layout().space(space);
    let held_up_by_null = space.null.and_then(|null| first_waiting_in_null(view, null, &space.streams));
    space.streams.iter().any(|&stream| {
        let barrier = if Some(stream) == space.null {
            held_up_by_null
        } else {
            [first_without_producer(view, stream), held_up_by_null].into_iter().flatten().min()
        };
        let mut free = view.state.stream(stream).queue.iter().take_while(|&&op| barrier.is_none_or(|barrier| op < barrier));
        free.any(|&op| view.trace.op(op).job == job && view.trace.row_of(op).task == task)
    })
}

/// The first operation of the NULL stream that waits: for its own producers, or because something
/// launched before it in any stream does.
fn first_waiting_in_null(view: View<'_>, null: StreamId, streams: &[StreamId]) -> Option<OpId> {
    let earliest = streams.iter().filter_map(|&stream| first_without_producer(view, stream)).min()?;
    view.state.stream(null).queue.iter().copied().find(|&op| op >= earliest)
}

/// The first operation of a stream queue whose job waits for a producer.
fn first_without_producer(view: View<'_>, stream: StreamId) -> Option<OpId> {
    view.state.stream(stream).queue.iter().copied().find(|&op| view.state.missing_producer(view.trace, op).is_some())
}

/// The deadline of a real-time job: its server's, or without servers its own.
fn own_deadline(view: View<'_>, task: TaskId, job: JobNo) -> Option<Time> {
    let scenario = view.trace.scenario();
    let info = scenario.task(task);
    if info.class != Class::RealTime {
        return None;
    }
    if scenario.policy().cbs {
        return Some(view.state.server(task, view.now).deadline);
    }
    let open = &view.state.task(task).open;
    let release = open.binary_search_by_key(&job, |j| j.job).ok().map(|i| open[i].release)?;
    release.after(info.deadline?)
}

/// The earliest deadline of the consumers' jobs that wait for this one, directly or through others.
fn inherited_deadline(view: View<'_>, task: TaskId, job: JobNo) -> Option<Time> {
    let scenario = view.trace.scenario();
    let mut earliest: Option<Time> = None;
    let mut reached = scenario.task(task).consumers.clone();
    let mut next = 0;
    while let Some(&consumer) = reached.get(next) {
        next += 1;
        if view.state.job_complete(consumer, job) {
            continue;
        }
        let open = &view.state.task(consumer).open;
        if open.binary_search_by_key(&job, |j| j.job).is_ok_and(|i| open[i].live > 0) {
            earliest = [earliest, own_deadline(view, consumer, job)].into_iter().flatten().min();
        }
        for &further in &scenario.task(consumer).consumers {
            if !reached.contains(&further) {
                reached.push(further);
            }
        }
    }
    earliest
}
