//! The rows of the tables.
//!
//! Invariant: while a question is open a row tells what is so at the step.

use super::state::RunTable;
use super::view::PageRow;
use crate::tool::ReaderPlace;
use blockstep_sim::record::{BlockRecord, CopyRecord, JobRecord, OpRecord};
use blockstep_sim::snapshot::{Progress, Snapshot, SpaceState};
use blockstep_sim::trace::{Change, OpKind, Trace};
use blockstep_sim::units::{OpId, SpaceId, StepId, Time};
use blockstep_view::quantity::{format_count, format_time};

const AFTER_END: &str = "after the end";

/// What of the run may be told: all of it, or while a question is open what is so at the step.
struct Sight<'a> {
    trace: &'a Trace,
    state: &'a Snapshot,
    is_future_hidden: bool,
}

impl Sight<'_> {
    fn knows(&self, step: StepId) -> bool {
        !self.is_future_hidden || step.0 < self.state.applied()
    }

    /// A time, if it is known that it is over by now.
    fn time(&self, time: Option<Time>, is_over: impl FnOnce() -> bool, otherwise: &str) -> String {
        match time {
            Some(time) if !self.is_future_hidden || is_over() => format_time(time.ns()),
            _ if self.is_future_hidden => "not yet".to_owned(),
            _ => otherwise.to_owned(),
        }
    }

    fn space(&self, op: OpId) -> &SpaceState {
        self.state.space(self.trace.layout().stream(self.trace.op(op).stream).space)
    }

    fn is_complete(&self, op: OpId) -> bool {
        self.state.stream(self.trace.op(op).stream).queue.binary_search(&op).is_err()
    }

    fn has_joined(&self, op: OpId) -> bool {
        let stream = self.state.stream(self.trace.op(op).stream);
        self.is_complete(op) || (stream.promoted && stream.queue.front() == Some(&op))
    }

    fn block(&self, b: &BlockRecord) -> PageRow {
        let on_sm = || self.space(b.op).sms[b.sm.index()].blocks.iter().any(|on| (on.op, on.block) == (b.op, b.block));
        PageRow {
            position: b.start_step.0 + 1,
            cells: vec![
                format!("{}:{}", self.trace.op_label(b.op), b.block),
                format!("SM {}", b.sm.0),
                format_count(self.trace.row_of(b.op).needs.threads.into()),
                format_time(b.start.ns()),
                self.time(b.end, || !on_sm(), AFTER_END),
            ],
        }
    }

    fn copy(&self, c: &CopyRecord) -> PageRow {
        PageRow {
            position: c.start_step.0 + 1,
            cells: vec![
                self.trace.op_label(c.op),
                format!("Copy engine {}", c.engine),
                "–".to_owned(),
                format_time(c.start.ns()),
                self.time(c.end, || self.is_complete(c.op), AFTER_END),
            ],
        }
    }

    fn op(&self, op: OpId, record: &OpRecord) -> PageRow {
        let trace = self.trace;
        let kind = match trace.op(op).kind {
            OpKind::Kernel => "kernel",
            OpKind::CopyIn => "input copy",
            OpKind::CopyOut => "output copy",
        };
        let start = record.start_step.filter(|&step| self.knows(step));
        PageRow {
            position: start.unwrap_or(record.issued_step).0 + 1,
            cells: vec![
                trace.op_label(op),
                kind.to_owned(),
                trace.layout().stream(trace.op(op).stream).name.clone(),
                format_time(record.issued.ns()),
                self.time(record.queued, || self.has_joined(op), "not yet"),
                self.time(record.start, || start.is_some(), "not yet"),
                self.time(record.end, || self.is_complete(op), "not yet"),
            ],
        }
    }

    /// Whether an incomplete job is known to be late. At its deadline that is a step.
    fn has_missed(&self, j: &JobRecord) -> bool {
        let applied = &self.trace.steps()[..self.state.applied() as usize];
        let miss = Change::DeadlineMissed { task: j.task, job: j.job };
        let is_step = |at: Time| applied.iter().rev().take_while(|step| step.at == at).any(|step| step.change == miss);
        j.deadline.is_some_and(|at| at < self.state.now() || is_step(at))
    }

    fn job(&self, j: &JobRecord) -> PageRow {
        let is_complete = || self.state.job_complete(j.task, j.job);
        let met = match j.met {
            Some(_) if self.is_future_hidden && !is_complete() => self.has_missed(j).then_some(false),
            met => met,
        };
        PageRow {
            position: j.release_step.0 + 1,
            cells: vec![
                format!("{}#{}", self.trace.scenario().task(j.task).name, j.job.0),
                format_time(j.release.ns()),
                j.deadline.map_or_else(|| "none".to_owned(), |t| format_time(t.ns())),
                self.time(j.end, is_complete, "not yet"),
                met.map_or("–", |met| if met { "met" } else { "missed" }).to_owned(),
            ],
        }
    }
}

/// The titles of a table's columns, and all of its rows.
pub(super) fn rows(place: &ReaderPlace, table: RunTable) -> (&'static [&'static str], Vec<PageRow>) {
    let (trace, records) = (&*place.simulation.run.trace, &place.simulation.records);
    let mut replay = place.simulation.run.replay();
    let state = replay.seek(place.position);
    let sight = Sight { trace, state, is_future_hidden: place.is_future_hidden };
    match table {
        RunTable::Blocks => {
            let mut rows: Vec<&BlockRecord> = records.blocks.iter().filter(|b| sight.knows(b.start_step)).collect();
            rows.sort_by_key(|b| (b.sm, b.start_step));
            (&["Block", "On", "Threads", "From", "To"], rows.into_iter().map(|b| sight.block(b)).collect())
        }
        RunTable::Ops => {
            let issued = records.ops.iter().enumerate().filter(|(_, record)| sight.knows(record.issued_step));
            let ops = issued.map(|(i, record)| sight.op(OpId::at(i), record));
            (&["Operation", "Kind", "Stream", "Issued", "Queued", "Start", "End"], ops.collect())
        }
        RunTable::Jobs => {
            let jobs = records.jobs.iter().filter(|j| sight.knows(j.release_step)).map(|j| sight.job(j));
            (&["Job", "Release", "Deadline", "End", "Deadline met"], jobs.collect())
        }
        RunTable::Now => {
            // Suspended ones hold their place, but do not execute.
            let spaces = || (0..trace.layout().spaces().len()).map(|i| state.space(SpaceId::at(i)));
            let on_sms: Vec<(OpId, u32)> = spaces()
                .flat_map(|s| &s.sms)
                .flat_map(|sm| &sm.blocks)
                .filter(|b| is_running(b.progress))
                .map(|b| (b.op, b.block))
                .collect();
            let blocks = on_sms.iter().flat_map(|&(op, number)| {
                records.blocks_of(op).iter().map(|&i| &records.blocks[i as usize]).filter(move |b| b.block == number)
            });
            let on_engines: Vec<OpId> =
                spaces().flat_map(|s| s.engines.iter().flatten()).filter(|c| is_running(c.progress)).map(|c| c.op).collect();
            let copies = records.copies.iter().filter(|c| on_engines.contains(&c.op));
            let rows = blocks.map(|b| sight.block(b)).chain(copies.map(|c| sight.copy(c)));
            (&["Block or copy", "On", "Threads", "From", "To"], rows.collect())
        }
    }
}

fn is_running(progress: Progress) -> bool {
    !matches!(progress, Progress::Suspended(_))
}
