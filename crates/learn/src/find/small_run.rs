//! A run of a small table, asked about row by row.
//!
//! Depends on `engine` and `record`. Invariant: a run was simulated to its end, with no step left out.

use super::ShownInstant;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::{OpRecord, Records};
use blockstep_sim::scenario::{Draft, Scenario, StreamPriority};
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::{OpId, Time};
use blockstep_view::quantity::format_time;

/// Steps of a run that is small enough to be an example.
const MAX_STEPS: u32 = 4_000;

/// A run, and what it did.
pub(super) struct SmallRun {
    pub(super) run: Run,
    pub(super) records: Records,
}

impl SmallRun {
    /// The run of a valid draft, if it is small.
    pub(super) fn from_draft(draft: &Draft) -> Option<Self> {
        let scenario = Scenario::new(draft).ok()?;
        let run = engine::simulate(&scenario, Limits { max_steps: MAX_STEPS });
        let records = Records::new(&run.trace);
        run.trace.cut().is_none().then_some(Self { run, records })
    }

    /// The first operation of this kind that a row issued.
    pub(super) fn op(&self, row: usize, kind: OpKind) -> Option<OpId> {
        self.run.trace.ops().iter().position(|op| op.row.index() == row && op.kind == kind).map(OpId::at)
    }

    /// What became of the first kernel of a row.
    pub(super) fn kernel(&self, row: usize) -> Option<&OpRecord> {
        self.record(row, OpKind::Kernel)
    }

    /// What became of the first such operation of a row.
    pub(super) fn record(&self, row: usize, kind: OpKind) -> Option<&OpRecord> {
        Some(&self.records.ops[self.op(row, kind)?.index()])
    }

    /// When the first kernel of a row begins.
    pub(super) fn start(&self, row: usize) -> Option<Time> {
        self.kernel(row)?.start
    }

    /// When it ends.
    pub(super) fn end(&self, row: usize) -> Option<Time> {
        self.kernel(row)?.end
    }

    /// When everything issued has completed, and the row completed last; `None` if something has not.
    pub(super) fn done(&self) -> Option<(Time, usize)> {
        let mut last = None;
        for (i, record) in self.records.ops.iter().enumerate() {
            let end = (record.end?, self.run.trace.op(OpId::at(i)).row.index());
            last = last.max(Some(end));
        }
        last
    }

    /// The name of a row.
    pub(super) fn name(&self, row: usize) -> &str {
        &self.run.trace.scenario().rows()[row].name
    }

    /// The name of the stream of an operation.
    pub(super) fn stream(&self, op: OpId) -> &str {
        let scenario = self.run.trace.scenario();
        &scenario.streams()[self.run.trace.row_of(op).stream].name
    }

    /// Whether an operation is on a high-priority stream.
    pub(super) fn is_high(&self, op: OpId) -> bool {
        self.run.trace.scenario().streams()[self.run.trace.row_of(op).stream].priority == StreamPriority::High
    }

    /// The first answer that a state gives which lasts: the last of its instant, and of more before
    /// the run's end.
    pub(super) fn settled<T>(&self, mut ask: impl FnMut(&Snapshot) -> Option<T>) -> Option<T> {
        let steps = self.run.trace.steps();
        let mut replay = self.run.replay();
        let lasting = (1..steps.len()).filter(|&i| steps[i - 1].at < steps[i].at);
        lasting.into_iter().find_map(|i| ask(replay.seek(i as u32)))
    }
}

/// Instants in order of time, without repetitions.
pub(super) fn places(list: Vec<(Option<Time>, String)>) -> Vec<ShownInstant> {
    let mut places: Vec<ShownInstant> = list.into_iter().filter_map(|(at, what)| Some(ShownInstant { at: at?, what })).collect();
    blockstep_sim::order::by_number(&mut places, |p| p.at.ns());
    places.dedup();
    places
}

/// A time, as it stands in a sentence.
pub(super) fn time(at: Time) -> String {
    format_time(at.ns())
}
