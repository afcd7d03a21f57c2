//! Invariants over intervals: how long things ran, and what came before what.
//!
//! Depends on `record`. Invariant: looks at finished records only, not at single steps.

use std::collections::BTreeMap;

use super::{Invariant, Violation};
use crate::record::{JobRecord, Records};
use crate::scenario::Release;
use crate::trace::{Change, OpKind, Trace};
use crate::units::{JobNo, OpId, RowId, SpaceId, Span, TaskId, Time, TimeRange};

pub(super) fn check(trace: &Trace, records: &Records) -> Vec<Violation> {
    let mut times = Times { trace, records, found: Vec::new() };
    times.run_times();
    times.copy_engines();
    times.streams();
    times.jobs();
    times.misses();
    times.issues();
    times.found
}

struct Times<'a> {
    trace: &'a Trace,
    records: &'a Records,
    found: Vec<Violation>,
}

impl Times<'_> {
    fn add(&mut self, invariant: Invariant, at: Time, what: String) {
        self.found.push(Violation { invariant, at, what });
    }

    fn run_times(&mut self) {
        for (i, b) in self.records.blocks.iter().enumerate() {
            let runs = self.records.block_runs(i);
            // What it spins is not of its time.
            let runs: Vec<TimeRange> = match self.records.spun(i) {
                Some(spun) => {
                    runs.into_iter().filter(|run| run.end > spun.end).map(|run| TimeRange::new(run.start.max(spun.end), run.end)).collect()
                }
                None => runs,
            };
            self.run_time(b.op, b.block, b.end, &runs);
        }
        for (i, c) in self.records.copies.iter().enumerate() {
            let runs = self.records.copy_runs(i);
            self.run_time(c.op, 0, c.end, &runs);
        }
    }

    /// What has ended ran for exactly its time, what has not for less.
    fn run_time(&mut self, op: OpId, block: u32, end: Option<Time>, runs: &[TimeRange]) {
        let ran: u128 = runs.iter().map(|r| u128::from(r.span().ns())).sum();
        let due = u128::from(self.trace.run_time(op, block).ns());
        let is_right = match end {
            Some(_) => ran == due,
            // A run that was cut may end within the instant at which this would have completed.
            None => ran < due || (ran == due && self.trace.cut().is_some()),
        };
        if !is_right {
            let name = self.trace.op_label(op);
            let at = end.unwrap_or(self.records.end());
            self.add(Invariant::RunTime, at, format!("{name}:{block} ran for {ran} ns by then; its time is {due} ns"));
        }
    }

    /// Whatever is said to miss its deadline had one then, and was not complete.
    fn misses(&mut self) {
        let missed = |j: &JobRecord, at: Time| j.deadline == Some(at) && j.end.is_none_or(|end| end > at);
        let jobs: BTreeMap<(TaskId, JobNo), &JobRecord> = self.records.jobs.iter().map(|j| ((j.task, j.job), j)).collect();
        for step in self.trace.steps() {
            let Change::DeadlineMissed { task, job } = step.change else { continue };
            if !jobs.get(&(task, job)).is_some_and(|j| missed(j, step.at)) {
                self.add(Invariant::Jobs, step.at, format!("job {} of task {} did not miss a deadline", job.0, task.0));
            }
        }
    }

    fn copy_engines(&mut self) {
        let mut by_engine: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for c in &self.records.copies {
            by_engine.entry((self.space(c.op), c.engine)).or_default().push(c);
        }
        for copies in by_engine.values() {
            for pair in copies.windows(2) {
                if pair[0].end.is_none_or(|end| end > pair[1].start) {
                    let (held, next) = (self.trace.op_label(pair[0].op), self.trace.op_label(pair[1].op));
                    self.add(Invariant::CopyEngine, pair[1].start, format!("{next} was assigned while {held} held the copy engine"));
                }
            }
        }
    }

    fn space(&self, op: OpId) -> SpaceId {
        self.trace.layout().stream(self.trace.op(op).stream).space
    }

    /// Within a stream each operation is queued after its predecessor's end, and lives in order.
    fn streams(&mut self) {
        let mut previous: Vec<Option<OpId>> = vec![None; self.trace.layout().streams().len()];
        for (i, op) in self.records.ops.iter().enumerate() {
            let id = OpId::at(i);
            let stream = self.trace.op(id).stream.index();
            if let (Some(before), Some(queued)) = (previous[stream].replace(id), op.queued)
                && self.records.ops[before.index()].end.is_none_or(|end| end > queued)
            {
                let (name, ahead) = (self.trace.op_label(id), self.trace.op_label(before));
                self.add(Invariant::StreamOrder, queued, format!("{name} was queued before {ahead}, ahead in its stream, was complete"));
            }
            let life = [Some(op.issued), op.queued, op.start, op.end];
            if life.windows(2).any(|w| w[1].is_some_and(|later| w[0].is_none_or(|earlier| earlier > later))) {
                self.add(Invariant::StreamOrder, op.issued, format!("{} did not live in order: {life:?}", self.trace.op_label(id)));
            }
        }
    }

    fn jobs(&mut self) {
        let mut last: BTreeMap<TaskId, (JobNo, Time, Option<Time>)> = BTreeMap::new();
        for job in &self.records.jobs {
            let task = self.trace.scenario().task(job.task);
            let expected = match (last.insert(job.task, (job.job, job.release, job.end)), task.release) {
                (None, _) => Some((JobNo(0), task.offset)),
                (Some(_), Release::Once) => None,
                (Some((no, release, _)), Release::Periodic) => {
                    task.period.and_then(|p| release.after(p)).map(|at| (JobNo(no.0.saturating_add(1)), at))
                }
                (Some((no, _, end)), Release::Continuous) => end.map(|end| (JobNo(no.0.saturating_add(1)), end)),
            };
            if expected != Some((job.job, job.release)) || task.jobs.is_some_and(|jobs| u64::from(job.job.0) >= jobs) {
                let what = format!("job {} of {} was released; expected was {expected:?}", job.job.0, task.name);
                self.add(Invariant::Jobs, job.release, what);
            }
        }
    }

    /// Issue times follow from releases and from the rows waited for; issue order from both.
    fn issues(&mut self) {
        let jobs: BTreeMap<(TaskId, JobNo), Time> = self.records.jobs.iter().map(|j| ((j.task, j.job), j.release)).collect();
        let mut row_end: BTreeMap<(RowId, JobNo), Option<Time>> = BTreeMap::new();
        for (i, op) in self.records.ops.iter().enumerate() {
            let info = self.trace.op(OpId::at(i));
            row_end.insert((info.row, info.job), op.end);
        }
        // Calls that are made one after another are judged in `host`.
        let in_turn = |task: TaskId| self.trace.scenario().task(task).calls_in_turn;
        let mut last: Option<(Time, RowId, OpKind, JobNo)> = None;
        for (i, op) in self.records.ops.iter().enumerate() {
            let info = self.trace.op(OpId::at(i));
            let row = self.trace.scenario().row(info.row);
            let from = match row.after {
                None => jobs.get(&(row.task, info.job)).copied(),
                Some(after) => row_end.get(&(after, info.job)).copied().flatten(),
            };
            let due = from.and_then(|from| from.after(Span(row.start.ns())));
            let key = (op.issued, info.row, info.kind, info.job);
            if due != Some(op.issued) && !in_turn(row.task) {
                let name = self.trace.op_label(OpId::at(i));
                self.add(Invariant::Issue, op.issued, format!("{name} was issued then; due was {due:?}"));
            }
            // A call may be due only because the one before it, of a later row, has returned at this instant.
            let follows = |last: (Time, RowId, OpKind, JobNo)| in_turn(row.task) && last.0 == op.issued;
            if last.replace(key).is_some_and(|last| last >= key && !follows(last)) {
                let name = self.trace.op_label(OpId::at(i));
                self.add(Invariant::Issue, op.issued, format!("{name} was issued out of order"));
            }
        }
    }
}
