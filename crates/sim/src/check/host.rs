//! CPU threads that make their calls one after another: in which order, when, and how long they wait (T1 to T3).
//!
//! Depends on `trace`. Invariant: it keeps its own books of what is issued and complete, and predicts nothing that does
//! not follow from the steps before. Source: docs/semantics.md, section 2.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Invariant, Violation};
use crate::scenario::Call;
use crate::trace::{Change, Rule, Trace, kinds_of};
use crate::units::{JobNo, OpId, RowId, StreamId, TaskId, Time};

pub(super) fn check(trace: &Trace) -> Vec<Violation> {
    if !trace.scenario().tasks().iter().any(|task| task.calls_in_turn) {
        return Vec::new();
    }
    let mut book = Book {
        trace,
        now: Time::ZERO,
        threads: BTreeMap::new(),
        open: BTreeSet::new(),
        recorded: vec![BTreeSet::new(); trace.scenario().event_count()],
        found: Vec::new(),
    };
    for step in trace.steps() {
        if step.at != book.now {
            book.end_of_instant();
        }
        book.now = step.at;
        book.step(step.rule, step.change);
    }
    if trace.cut().is_none() {
        book.end_of_instant();
    }
    book.found
}

/// A CPU thread.
#[derive(Default)]
struct Thread {
    /// Released jobs whose calls have not all returned, with their releases.
    jobs: VecDeque<(JobNo, Time)>,
    /// How many calls of the first one have returned.
    returned: usize,
    /// When the last one did.
    free_since: Time,
    /// What the call that was made waits for.
    waits: Option<BTreeSet<OpId>>,
    /// When rows were complete.
    ends: BTreeMap<(RowId, JobNo), Time>,
    /// How many nodes of graphs are complete, by the launch.
    nodes_done: BTreeMap<(RowId, JobNo), u32>,
}

struct Book<'a> {
    trace: &'a Trace,
    now: Time,
    threads: BTreeMap<TaskId, Thread>,
    /// Issued, incomplete operations.
    open: BTreeSet<OpId>,
    /// By event: what was incomplete in its stream when it was recorded last.
    recorded: Vec<BTreeSet<OpId>>,
    found: Vec<Violation>,
}

impl Book<'_> {
    fn expect(&mut self, holds: bool, what: impl FnOnce(&Trace) -> String) {
        if !holds {
            let what = what(self.trace);
            self.found.push(Violation { invariant: Invariant::Host, at: self.now, what });
        }
    }

    fn thread(&mut self, task: TaskId) -> Option<&mut Thread> {
        self.trace.scenario().task(task).calls_in_turn.then(|| self.threads.entry(task).or_default())
    }

    fn step(&mut self, rule: Rule, change: Change) {
        let (trace, now) = (self.trace, self.now);
        match change {
            Change::JobReleased { task, job } if !trace.scenario().task(task).rows.is_empty() => {
                if let Some(thread) = self.thread(task) {
                    thread.jobs.push_back((job, now));
                }
            }
            Change::Issued { op } => {
                self.open.insert(op);
                let (row, job, kind) = (trace.op(op).row, trace.op(op).job, trace.op(op).kind);
                let info = trace.scenario().row(row);
                // A graph is one call.
                let is_last = kinds_of(info).last() == Some(kind) && info.node.as_ref().is_none_or(|node| node.is_last);
                let call = info.node.as_ref().map_or(row, |node| node.graph);
                if let (true, Some(event)) = (is_last, trace.scenario().row(call).records) {
                    let mine = self.stream(op);
                    self.recorded[event.index()] = self.open.iter().copied().filter(|&other| self.stream(other) == mine).collect();
                }
                if trace.scenario().task(info.task).calls_in_turn {
                    self.is_made_in_turn(call, job);
                    if is_last && !info.has_wait() {
                        self.goes_on(info.task);
                    }
                }
            }
            Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } => {
                self.open.remove(&op);
                let (row, job, kind) = (trace.op(op).row, trace.op(op).job, trace.op(op).kind);
                let is_last = kinds_of(trace.scenario().row(row)).last() == Some(kind);
                for thread in self.threads.values_mut() {
                    if let Some(awaited) = &mut thread.waits {
                        awaited.remove(&op);
                    }
                }
                let info = trace.scenario().row(row);
                if let (true, Some(thread)) = (is_last, self.thread(info.task)) {
                    thread.ends.insert((row, job), now);
                    if let Some(node) = &info.node {
                        let done = thread.nodes_done.entry((node.graph, job)).or_insert(0);
                        *done += 1;
                        if *done == trace.scenario().row(node.graph).nodes {
                            thread.ends.insert((node.graph, job), now);
                        }
                    }
                }
            }
            Change::HostWaits { row, job } => self.waits(row, job, rule),
            Change::HostReturned { row, job } => self.returns(row, job),
            _ => {}
        }
    }

    /// The call is the next one of its thread, and it is made when that says.
    fn is_made_in_turn(&mut self, row: RowId, job: JobNo) {
        let (trace, now) = (self.trace, self.now);
        let info = trace.scenario().row(row);
        let rows = &trace.scenario().task(info.task).rows;
        let Some(thread) = self.thread(info.task) else { return };
        let next = thread.jobs.front().map(|&(job, _)| (rows[thread.returned], job));
        let from = match info.after {
            None => thread.jobs.front().map(|&(_, release)| release),
            Some(after) => thread.ends.get(&(after, job)).copied(),
        };
        let begin = from.and_then(|from| from.after(info.start)).map(|own| own.max(thread.free_since));
        let made = begin.and_then(|begin| begin.after(info.call_time));
        self.expect(next == Some((row, job)), |t| format!("{} was called out of turn", t.call_label(row, job)));
        self.expect(made == Some(now), |t| format!("{} was called then; due was {made:?}", t.call_label(row, job)));
    }

    /// The stream into which an operation was launched.
    fn stream(&self, op: OpId) -> StreamId {
        self.trace.layout().launched_into(self.trace.op(op).stream)
    }

    /// The call of a thread has returned.
    fn goes_on(&mut self, task: TaskId) {
        let (now, scenario) = (self.now, self.trace.scenario());
        let rows = &scenario.task(task).rows;
        let Some(thread) = self.thread(task) else { return };
        thread.free_since = now;
        let nodes = rows.get(thread.returned).map_or(0, |&row| scenario.row(row).nodes);
        thread.returned += 1 + nodes as usize;
        if thread.returned >= rows.len() {
            thread.returned = 0;
            thread.jobs.pop_front();
        }
    }

    /// T1, T3: what a call waits for was issued before it.
    fn waits(&mut self, row: RowId, job: JobNo, rule: Rule) {
        let trace = self.trace;
        let info = trace.scenario().row(row);
        let layout = trace.layout();
        let space = |stream| layout.address_space(layout.stream(stream).space);
        let mine = layout.launched_into(layout.stream_of(row));
        let is_own = |op: OpId| trace.op(op).row == row && trace.op(op).job == job;
        let is_awaited = |op: &OpId| match info.call {
            Call::SynchronizeStream => self.stream(*op) == mine,
            Call::SynchronizeEvent => info.waits_for.iter().any(|event| self.recorded[event.index()].contains(op)),
            Call::SynchronizeDevice | Call::Allocate | Call::Free => space(self.stream(*op)) == space(mine),
            Call::Kernel | Call::CopyToDevice | Call::CopyToHost | Call::CopyOnDevice | Call::Memset | Call::LaunchGraph => is_own(*op),
        };
        let awaited = self.open.iter().copied().filter(is_awaited).collect();
        if kinds_of(info).next().is_none() {
            self.is_made_in_turn(row, job);
        }
        let due = if matches!(info.call, Call::Allocate | Call::Free) { Rule::T3 } else { Rule::T1 };
        self.expect(info.has_wait() && rule == due, |t| format!("{} waits by {}", t.call_label(row, job), rule.id()));
        let Some(thread) = self.thread(info.task) else { return };
        let before = thread.waits.replace(awaited);
        self.expect(before.is_none(), |t| format!("{} waits while another call does", t.call_label(row, job)));
    }

    /// T2: the call returns when all of that is complete.
    fn returns(&mut self, row: RowId, job: JobNo) {
        let now = self.now;
        let info = self.trace.scenario().row(row);
        let Some(thread) = self.thread(info.task) else { return };
        let awaited = thread.waits.take();
        if !info.call.has_operation() {
            thread.ends.insert((row, job), now);
        }
        self.expect(awaited.is_some_and(|awaited| awaited.is_empty()), |t| {
            format!("{} returned before what it waited for was complete", t.call_label(row, job))
        });
        self.goes_on(info.task);
    }

    /// Nobody waits for what is complete.
    fn end_of_instant(&mut self) {
        let idle: Vec<TaskId> = self
            .threads
            .iter()
            .filter(|(_, thread)| thread.waits.as_ref().is_some_and(BTreeSet::is_empty))
            .map(|(&task, _)| task)
            .collect();
        for task in idle {
            self.expect(false, |t| format!("task {} waits for nothing", t.scenario().task(task).name));
        }
    }
}
