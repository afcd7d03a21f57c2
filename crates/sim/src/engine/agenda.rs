//! What falls due when: completions, job releases, issues and deadlines, each in its own order.
//!
//! Depends on `units`, `scenario` and `trace`. Invariants: entries come out by time, then in the
//! order that docs/semantics.md, section 4, gives for one instant; nothing past the horizon is kept.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::scenario::Scenario;
use crate::trace::{EngineNo, OpKind};
use crate::units::{JobNo, OpId, RowId, SmId, TaskId, Time};

/// A block or a copy that will complete, unless it is suspended before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Completion {
    pub(super) at: Time,
    /// Order of assignment, the contract's tie.
    pub(super) order: u64,
    pub(super) what: Assigned,
}

/// What was assigned where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Assigned {
    Block { op: OpId, block: u32, sm: SmId },
    Copy { op: OpId, engine: EngineNo },
}

/// A job that will be released, or whose deadline will come; in task order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Release {
    pub(super) at: Time,
    pub(super) task: TaskId,
    pub(super) job: JobNo,
}

/// An operation that will be issued, or a call that will be made and only waits; in issue order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Issue {
    pub(super) at: Time,
    pub(super) row: RowId,
    /// `None` of a call that only waits.
    pub(super) kind: Option<OpKind>,
    pub(super) job: JobNo,
}

/// The future.
#[derive(Clone)]
pub(super) struct Agenda {
    /// Where somebody else says what comes next: what may be issued. Nothing completes by itself then.
    held: Option<Vec<Issue>>,
    horizon: Time,
    completions: BinaryHeap<Reverse<Completion>>,
    releases: BinaryHeap<Reverse<Release>>,
    issues: BinaryHeap<Reverse<Issue>>,
    deadlines: BinaryHeap<Reverse<Release>>,
}

impl Agenda {
    /// The first release of every task.
    pub(super) fn new(scenario: &Scenario) -> Self {
        let mut agenda = Self {
            held: None,
            horizon: scenario.horizon().unwrap_or(Time::MAX),
            completions: BinaryHeap::new(),
            releases: BinaryHeap::new(),
            issues: BinaryHeap::new(),
            deadlines: BinaryHeap::new(),
        };
        for (i, task) in scenario.tasks().iter().enumerate() {
            agenda.release(Release { at: task.offset, task: TaskId::at(i), job: JobNo(0) });
        }
        agenda
    }

    /// From here on somebody else says what comes next.
    pub(super) fn hold(&mut self) {
        self.held = Some(self.issues.drain().map(|Reverse(issue)| issue).collect());
    }

    /// What may be issued, where somebody else says what is.
    pub(super) fn held(&self) -> &[Issue] {
        self.held.as_deref().unwrap_or_default()
    }

    /// Has something that is held issued at an instant.
    pub(super) fn let_issue(&mut self, at: Time, is_meant: impl Fn(&Issue) -> bool) {
        let held = self.held.as_mut().into_iter().flat_map(|held| held.extract_if(.., |issue| is_meant(issue)));
        self.issues.extend(held.map(|issue| Reverse(Issue { at, ..issue })));
    }

    /// Has something complete that runs.
    pub(super) fn let_complete(&mut self, completion: Completion) {
        self.completions.push(Reverse(completion));
    }

    /// Keeps the completion of what runs; `at` is `None` if that is past the last instant there is.
    pub(super) fn complete(&mut self, at: Option<Time>, order: u64, what: Assigned) {
        if let Some(at) = at.filter(|&at| at <= self.horizon && self.held.is_none()) {
            self.completions.push(Reverse(Completion { at, order, what }));
        }
    }

    pub(super) fn release(&mut self, entry: Release) {
        if entry.at <= self.horizon {
            self.releases.push(Reverse(entry));
        }
    }

    pub(super) fn issue(&mut self, entry: Issue) {
        match &mut self.held {
            Some(held) => held.push(entry),
            None if entry.at <= self.horizon => self.issues.push(Reverse(entry)),
            None => {}
        }
    }

    /// Keeps the deadline of a job.
    pub(super) fn judge(&mut self, entry: Release) {
        if entry.at <= self.horizon {
            self.deadlines.push(Reverse(entry));
        }
    }

    /// The earliest deadline; those of jobs that are complete are forgotten.
    pub(super) fn next_deadline(&mut self, is_complete: impl Fn(TaskId, JobNo) -> bool) -> Option<Time> {
        while pop_if(&mut self.deadlines, |e| is_complete(e.task, e.job)).is_some() {}
        self.deadlines.peek().map(|Reverse(e)| e.at)
    }

    pub(super) fn deadline_at(&mut self, now: Time) -> Option<Release> {
        pop_if(&mut self.deadlines, |e| e.at == now)
    }

    /// The earliest instant at which something completes, is released or is issued.
    pub(super) fn next(&self) -> Option<Time> {
        let completion = self.completions.peek().map(|Reverse(e)| e.at);
        let release = self.releases.peek().map(|Reverse(e)| e.at);
        let issue = self.issues.peek().map(|Reverse(e)| e.at);
        earliest([completion, release, issue])
    }

    /// The earliest completion, stale or not.
    pub(super) fn next_completion(&self) -> Option<Completion> {
        self.completions.peek().map(|Reverse(e)| *e)
    }

    pub(super) fn completion_at(&mut self, now: Time) -> Option<Completion> {
        pop_if(&mut self.completions, |e| e.at == now)
    }

    pub(super) fn release_at(&mut self, now: Time) -> Option<Release> {
        pop_if(&mut self.releases, |e| e.at == now)
    }

    pub(super) fn issue_at(&mut self, now: Time) -> Option<Issue> {
        pop_if(&mut self.issues, |e| e.at == now)
    }
}

/// The earliest of those that are to come.
pub(super) fn earliest<const N: usize>(instants: [Option<Time>; N]) -> Option<Time> {
    instants.into_iter().fold(None, |earliest, at| match (earliest, at) {
        (Some(earliest), Some(at)) if earliest <= at => Some(earliest),
        (earliest, at) => at.or(earliest),
    })
}

fn pop_if<E: Copy + Ord>(heap: &mut BinaryHeap<Reverse<E>>, due: impl Fn(&E) -> bool) -> Option<E> {
    heap.peek().copied().filter(|Reverse(e)| due(e))?;
    heap.pop().map(|Reverse(e)| e)
}
