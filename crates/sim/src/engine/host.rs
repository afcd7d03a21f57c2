//! CPU threads that make their calls one after another (T1 to T3), in the phases 1 and 3.
//!
//! Depends on the rest of `engine`. Invariants: a thread has at most one call on the agenda or waiting; a call begins when the one
//! before it has returned, in table order, job after job; what it waits for is looked up only when it is made. Source:
//! docs/semantics.md, section 2.

use std::collections::{BTreeMap, VecDeque};

use super::Engine;
use super::agenda::Issue;
use super::vary::Variation;
use crate::trace::{Change, Cut, Rule, kinds_of};
use crate::units::{JobNo, OpId, RowId, TaskId, Time};

/// The CPU threads of a run.
#[derive(Clone, Default)]
pub(super) struct Hosts {
    /// By task.
    threads: BTreeMap<TaskId, Thread>,
    /// By operation: threads that wait for it.
    waiting: BTreeMap<OpId, Vec<TaskId>>,
}

/// One CPU thread.
#[derive(Clone, Default)]
struct Thread {
    /// Released jobs whose calls have not all returned, with their releases. It makes the calls of the first one.
    jobs: VecDeque<(JobNo, Time)>,
    /// Which of the task's rows is called next, or now.
    place: usize,
    /// Whether the call of that row is on the agenda, or waits.
    is_called: bool,
    /// When the last call returned.
    free_since: Time,
    /// How many operations the call waits for.
    awaited: usize,
    /// When the rows of the first job were complete, by their places.
    ends: Vec<Option<Time>>,
    /// How many nodes of the first job's graphs have yet to complete, by the places of their launches.
    nodes_left: BTreeMap<usize, u32>,
}

impl<V: Variation> Engine<'_, V> {
    /// Starts the calls of a released job that makes them one after another.
    pub(super) fn start_calls(&mut self, task: TaskId, job: JobNo) -> Result<(), Cut> {
        if self.scenario.task(task).rows.is_empty() {
            return Ok(());
        }
        self.hosts.threads.entry(task).or_default().jobs.push_back((job, self.now));
        self.foresee_call(task)
    }

    /// Puts the next call of a thread on the agenda if it is known when it begins.
    fn foresee_call(&mut self, task: TaskId) -> Result<(), Cut> {
        let scenario = std::sync::Arc::clone(&self.scenario);
        let rows = &scenario.task(task).rows;
        let Some(thread) = self.hosts.threads.get_mut(&task) else { return Ok(()) };
        let Some(&(job, released)) = thread.jobs.front().filter(|_| !thread.is_called) else { return Ok(()) };
        thread.ends.resize(rows.len(), None);
        let row = rows[thread.place];
        let info = scenario.row(row);
        let from = match info.after.and_then(|after| rows.binary_search(&after).ok()) {
            Some(after) => thread.ends[after],
            None => Some(released),
        };
        let Some(from) = from else { return Ok(()) };
        let what = || Cut::TimeOverflow { what: format!("the call of \"{}\", job {}", info.name, job.0) };
        let begin = from.after(info.start).ok_or_else(what)?.max(thread.free_since);
        let at = begin.after(info.call_time).ok_or_else(what)?;
        thread.is_called = true;
        self.work.add(1);
        if info.nodes > 0 {
            thread.nodes_left.insert(thread.place, info.nodes);
        }
        if info.has_wait() && !info.call.has_operation() {
            self.agenda.issue(Issue { at, row, kind: None, job });
        }
        // What it launches is the row itself or, with a graph, the rows below it.
        self.work.add(info.nodes.into());
        for &row in &rows[thread.place..=thread.place + info.nodes as usize] {
            for kind in kinds_of(scenario.row(row)) {
                self.agenda.issue(Issue { at, row, kind: Some(kind), job });
            }
        }
        Ok(())
    }

    /// Finishes a row of the job whose calls a thread makes, or of an earlier one: a later row may wait for it.
    pub(super) fn finish_row_of_thread(&mut self, row: RowId, job: JobNo) -> Result<(), Cut> {
        let task = self.scenario.row(row).task;
        let place = self.scenario.task(task).rows.binary_search(&row);
        if let (Some(thread), Ok(place)) = (self.hosts.threads.get_mut(&task), place)
            && thread.jobs.front().is_some_and(|&(first, _)| first == job)
            && let Some(end) = thread.ends.get_mut(place)
        {
            *end = Some(self.now);
            // With its last node a graph is complete.
            let launch =
                self.scenario.row(row).node.as_ref().and_then(|node| self.scenario.task(task).rows.binary_search(&node.graph).ok());
            if let Some((launch, left)) = launch.and_then(|launch| Some((launch, thread.nodes_left.get_mut(&launch)?))) {
                *left -= 1;
                if *left == 0 {
                    thread.ends[launch] = Some(self.now);
                }
            }
        }
        self.foresee_call(task)
    }

    /// Makes a call: it returns, or waits (T1, T3).
    pub(super) fn make_call(&mut self, row: RowId, job: JobNo) -> Result<(), Cut> {
        let info = self.scenario.row(row);
        let task = info.task;
        if !info.has_wait() {
            return self.resume_thread(task);
        }
        let rule = if info.call.waits_beside() { Rule::T3 } else { Rule::T1 };
        self.room()?;
        self.trace.call_waits(row, job);
        self.emit(rule, Change::HostWaits { row, job })?;
        let awaited = self.state.task(task).host.as_ref().map_or(&[][..], |wait| &wait.awaited);
        for &op in awaited {
            self.hosts.waiting.entry(op).or_default().push(task);
        }
        let count = awaited.len();
        if let Some(thread) = self.hosts.threads.get_mut(&task) {
            thread.awaited = count;
        }
        if count > 0 {
            return Ok(());
        }
        self.emit(Rule::T2, Change::HostReturned { row, job })?;
        self.end_call(row, job)?;
        self.complete_job_if_due(task, job)
    }

    /// Takes the calls that return because an operation has completed, in task order.
    pub(super) fn take_returns(&mut self, op: OpId) -> Result<Vec<(RowId, JobNo)>, Cut> {
        let Some(mut tasks) = self.hosts.waiting.remove(&op) else { return Ok(Vec::new()) };
        tasks.sort_unstable();
        self.work.add(tasks.len() as u64);
        let mut returned = Vec::new();
        for task in tasks {
            let Some(thread) = self.hosts.threads.get_mut(&task) else { continue };
            thread.awaited -= 1;
            if let (0, Some(wait)) = (thread.awaited, &self.state.task(task).host) {
                let (row, job) = (wait.row, wait.job);
                self.emit(Rule::T2, Change::HostReturned { row, job })?;
                returned.push((row, job));
            }
        }
        Ok(returned)
    }

    /// Ends a call that waited. If its row did nothing but wait, it finishes the row too.
    pub(super) fn end_call(&mut self, row: RowId, job: JobNo) -> Result<(), Cut> {
        let info = self.scenario.row(row);
        let (task, has_operation) = (info.task, info.call.has_operation());
        if !has_operation {
            self.finish_row_of_thread(row, job)?;
        }
        self.resume_thread(task)
    }

    /// Resumes a thread whose call has returned: its next one may begin.
    fn resume_thread(&mut self, task: TaskId) -> Result<(), Cut> {
        let rows = &self.scenario.task(task).rows;
        if let Some(thread) = self.hosts.threads.get_mut(&task) {
            thread.is_called = false;
            thread.free_since = self.now;
            thread.place += 1 + self.scenario.row(rows[thread.place]).nodes as usize;
            if thread.place == rows.len() {
                thread.place = 0;
                thread.jobs.pop_front();
                thread.ends.clear();
                thread.nodes_left.clear();
            }
        }
        self.foresee_call(task)
    }
}
