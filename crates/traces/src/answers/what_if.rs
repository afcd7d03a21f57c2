//! What if: the neighborhood of an operation is run again, as it was and with one change.
//!
//! Invariants: the run without a change comes first, and its error stands beside the measured start; each change changes one thing; no
//! gain is given where that run waits for something else than the trace shows, or is off by more than half the wait.

use super::simulated;
use crate::causes::{Analysis, Cause, DEFAULT_CONNECTIONS};
use crate::made::{self, LeftOut, Made};
use crate::summary::largest;
use crate::{OperationKind, Recording, StreamKind};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::OpRecord;
use blockstep_sim::scenario::{
    BlockTimes, Draft, KernelDraft, MAX_CONNECTIONS, MAX_WAITS, NULL_STREAM, Scenario, StreamDraft, StreamPriority,
};
use blockstep_sim::units::{OpId, Time};

/// A run of the neighborhood ends after so many steps.
const MOST_STEPS: u32 = 400_000;
/// The stream of its own that a kernel gets.
const OWN_STREAM: &str = "own stream";

/// One thing that is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhatIfChange {
    /// The stream has high priority; of a kernel only, as copies heed no priority.
    HighPriority,
    /// The operation has a non-blocking stream of its own, and still comes after the events that its stream waited for.
    OwnStream,
    /// Its stream has nothing to do with the NULL stream.
    NonBlocking,
    /// The operation waits for no event.
    NoEvent,
    /// There are as many hardware queues as a program can have, 32.
    Connections,
    /// What it waited for is launched as two kernels of half as many blocks, the second behind the operation asked about.
    Split(u32),
    /// What it waited for has half as many blocks, each of which takes twice as long.
    HalfGrid(u32),
    /// The operation is launched just before what it waited for.
    Earlier(u32),
}

/// Why the run without a change is no ground for gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGain {
    /// Its start is off by more than half the wait.
    FarOff,
    /// It waits for something else than the trace shows.
    OtherCause {
        /// The largest part of the wait in the trace.
        explained: Option<Cause>,
        /// The largest part in the run.
        simulated: Option<Cause>,
    },
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatIf {
    /// When the operation started, as recorded.
    pub measured: Time,
    /// When it starts in the run without a change.
    pub unchanged: Time,
    /// Why no changes were tried.
    pub no_gain: Option<NoGain>,
    /// With each change that there is for it, when it starts then.
    pub changed: Vec<(WhatIfChange, Time)>,
    /// Operations in the run.
    pub operations: usize,
    /// What of the recording is not in the run.
    pub left_out: Vec<LeftOut>,
}

/// Runs the neighborhood of an operation: what ran between its call and its start, 300 operations at most, the last ones first. `None`
/// for what has no call, or cannot be run.
#[must_use]
pub fn what_if(recording: &Recording, analysis: &Analysis, place: u32) -> Option<WhatIf> {
    let operation = recording.operations.get(place as usize)?;
    let called = recording.called(operation).filter(|_| !recording.is_node(operation))?;
    let mut chosen = made::between(recording, called.min(operation.start), Time(operation.start.ns() + 1));
    chosen.drain(..chosen.len().saturating_sub(made::MOST));
    let mut made = made::scenario(recording, analysis, &chosen, "")?;
    made.draft.connections = shared(recording, analysis, &made.rows);
    let own = row_of(&made, place)?;
    let measured = operation.start;
    let start = |draft: &Draft, row: usize| Some(Time(made.base.ns() + start_of(draft, row)?));
    let (run, op, record) = run_of(&made.draft, own)?;
    let unchanged = Time(made.base.ns() + record.start?.ns());
    let explained = largest(analysis.parts(place)).map(|part| part.cause);
    let no_gain = no_gain(&run, op, &record, explained).or_else(|| {
        let off = measured.ns().abs_diff(unchanged.ns());
        (off.saturating_mul(2) > measured.since(called).ns()).then_some(NoGain::FarOff)
    });
    if no_gain.is_some() {
        let (operations, left_out) = (chosen.len(), made.left_out);
        return Some(WhatIf { measured, unchanged, no_gain, changed: Vec::new(), operations, left_out });
    }
    let by = largest(analysis.parts(place)).and_then(|part| part.by).filter(|&by| by != place);
    let blocker = by.and_then(|by| row_of(&made, by));
    let has_null = made.draft.kernels.iter().any(|row| row.stream == NULL_STREAM);
    // The NULL stream has no priority and cannot be made non-blocking.
    let is_null = recording.stream(operation).kind == StreamKind::Null;
    let mut changes = Vec::from_iter((operation.kind == OperationKind::Kernel && !is_null).then_some(WhatIfChange::HighPriority));
    changes.push(WhatIfChange::OwnStream);
    let name = &made.draft.kernels[own].stream;
    let is_blocking = !made.draft.streams.iter().any(|stream| stream.name == *name && stream.non_blocking);
    if has_null && !is_null && is_blocking {
        changes.push(WhatIfChange::NonBlocking);
    }
    if !made.draft.kernels[own].waits_for.is_empty() {
        changes.push(WhatIfChange::NoEvent);
    }
    if made.draft.connections.is_some() {
        changes.push(WhatIfChange::Connections);
    }
    if let Some((by, row)) = by.zip(blocker) {
        let launch = launch_of(&made.draft, row);
        if made.draft.kernels[row].blocks > 1 {
            changes.extend((launch == row).then_some(WhatIfChange::Split(by)));
            changes.push(WhatIfChange::HalfGrid(by));
        }
        // What it was told to wait for cannot come after it.
        if row < own && !depends_on(&made.draft, own, launch) {
            changes.push(WhatIfChange::Earlier(by));
        }
    }
    let changed = changes.into_iter().filter_map(|change| {
        let mut draft = made.draft.clone();
        let row = apply(&mut draft, change, own, blocker);
        Some((change, start(&draft, row)?))
    });
    let changed = changed.collect();
    Some(WhatIf { measured, unchanged, no_gain: None, changed, operations: chosen.len(), left_out: made.left_out })
}

/// How many hardware queues the scenario has, 1 to 32: as many as the reader says, else as usual. `None`, one for each stream, if its
/// streams do not have to share.
fn shared(recording: &Recording, analysis: &Analysis, rows: &[Option<u32>]) -> Option<u64> {
    let mut streams: Vec<u32> = rows.iter().flatten().map(|&row| recording.operations[row as usize].stream).collect();
    streams.sort_unstable();
    streams.dedup();
    let connections = analysis.known.connections.unwrap_or(DEFAULT_CONNECTIONS);
    (streams.len() > connections as usize).then_some(connections.into())
}

fn row_of(made: &Made, place: u32) -> Option<usize> {
    made.rows.iter().position(|&row| row == Some(place))
}

/// When a row's operation starts, ns from the beginning; `None` if the draft cannot be run or the operation does not start.
fn start_of(draft: &Draft, row: usize) -> Option<u64> {
    run_of(draft, row)?.2.start.map(Time::ns)
}

/// The run of a draft, and of it a row's operation; `None` if the draft cannot be run.
fn run_of(draft: &Draft, row: usize) -> Option<(Run, OpId, OpRecord)> {
    let scenario = Scenario::new(draft).ok()?;
    let run = engine::simulate(&scenario, Limits { max_steps: MOST_STEPS });
    let mut records = blockstep_sim::record::Records::new(&run.trace);
    let op = run.trace.ops().iter().position(|op| op.row.index() == row).filter(|&op| op < records.ops.len())?;
    Some((run, OpId::at(op), records.ops.swap_remove(op)))
}

/// Whether an operation waits in a run for something else than the trace shows for most of its wait.
fn no_gain(run: &Run, op: OpId, record: &OpRecord, explained: Option<Cause>) -> Option<NoGain> {
    let start = record.start?;
    let causes = simulated::causes(run, op, record.issued, start);
    let wait = start.since(record.issued).ns();
    let is_alike = causes.iter().any(|&(cause, ns)| Some(cause) == explained && ns.saturating_mul(2) >= wait);
    let simulated = causes.first().map(|&(cause, _)| cause);
    (!is_alike).then_some(NoGain::OtherCause { explained, simulated })
}

/// The row that launches a row: that of its graph, else itself.
fn launch_of(draft: &Draft, row: usize) -> usize {
    let of_graph = draft.kernels[row].graph.as_ref().and_then(|graph| draft.kernels.iter().position(|launch| launch.name == *graph));
    of_graph.unwrap_or(row)
}

/// Whether a row waits for an event that another records.
fn depends_on(draft: &Draft, row: usize, other: usize) -> bool {
    draft.kernels[other].records.as_ref().is_some_and(|event| draft.kernels[row].waits_for.contains(event))
}

/// Changes the draft; the operation's row after that.
fn apply(draft: &mut Draft, change: WhatIfChange, own: usize, blocker: Option<usize>) -> usize {
    match change {
        WhatIfChange::HighPriority => {
            let stream = told_stream(draft, own);
            stream.priority = StreamPriority::High;
        }
        WhatIfChange::OwnStream => move_to_own(draft, own),
        WhatIfChange::NonBlocking => {
            let stream = told_stream(draft, own);
            stream.non_blocking = true;
        }
        WhatIfChange::NoEvent => draft.kernels[own].waits_for.clear(),
        WhatIfChange::Connections => draft.connections = Some(MAX_CONNECTIONS),
        WhatIfChange::Split(_) => {
            let Some(row) = blocker else { return own };
            let whole = &mut draft.kernels[row];
            let second = KernelDraft { blocks: whole.blocks / 2, name: format!("{} (second half)", whole.name), ..whole.clone() };
            whole.blocks -= second.blocks;
            whole.records = None;
            // Rows that start at the same time are launched in the order of the table.
            let at = own.max(row) + 1;
            let start_ns = draft.kernels[own].start_ns.max(second.start_ns);
            draft.kernels.insert(at, KernelDraft { start_ns, ..second });
        }
        WhatIfChange::HalfGrid(_) => {
            let Some(kernel) = blocker.map(|row| &mut draft.kernels[row]) else { return own };
            let BlockTimes::Each(ns) = kernel.block_time_ns else { return own };
            // As much work as before, also if the number of blocks was odd.
            let blocks = kernel.blocks.div_ceil(2);
            let work = u128::from(ns) * u128::from(kernel.blocks) / u128::from(blocks.max(1));
            kernel.block_time_ns = BlockTimes::Each(u64::try_from(work).unwrap_or(u64::MAX));
            kernel.blocks = blocks;
        }
        WhatIfChange::Earlier(_) => {
            let Some(row) = blocker.filter(|&row| row < own) else { return own };
            let asked = draft.kernels.remove(own);
            let row = launch_of(draft, row);
            let start_ns = draft.kernels[row].start_ns.min(asked.start_ns);
            draft.kernels.insert(row, KernelDraft { start_ns, ..asked });
            return row;
        }
    }
    own
}

/// Moves a row to a non-blocking stream of its own. It still waits for the events that its old stream had waited for.
fn move_to_own(draft: &mut Draft, row: usize) {
    let old = draft.kernels[row].stream.clone();
    let mut events: Vec<String> = Vec::new();
    // Those of the last rows come first, as more than the most are left out.
    for of_stream in draft.kernels[..=row].iter().rev().filter(|of| of.stream == old && of.graph.is_none()) {
        for event in &of_stream.waits_for {
            if events.len() < MAX_WAITS && !events.contains(event) {
                events.push(event.clone());
            }
        }
    }
    draft.kernels[row].waits_for = events;
    draft.kernels[row].stream = OWN_STREAM.to_owned();
    told_stream(draft, row).non_blocking = true;
}

/// The stream of a row in the table of streams.
fn told_stream(draft: &mut Draft, row: usize) -> &mut StreamDraft {
    let name = draft.kernels[row].stream.clone();
    let task = draft.kernels[row].task.clone();
    let process = draft.tasks.iter().find(|of| Some(&of.name) == task.as_ref()).and_then(|of| of.process.clone());
    let place = draft.streams.iter().position(|stream| stream.name == name && stream.process == process).unwrap_or_else(|| {
        draft.streams.push(StreamDraft { process, name, ..StreamDraft::default() });
        draft.streams.len() - 1
    });
    &mut draft.streams[place]
}
