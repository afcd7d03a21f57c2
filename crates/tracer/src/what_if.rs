//! What if: the neighborhood of an operation is run again, as it was and with one change.
//!
//! Invariants: the run without a change comes first, and its error stands beside the measured start; each change changes one thing.

use blockstep_profile::causes::{Analysis, DEFAULT_CONNECTIONS};
use blockstep_profile::made::{self, LeftOut, Made};
use blockstep_profile::summary::largest;
use blockstep_profile::{OperationKind, Recording, StreamKind};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::scenario::{BlockTimes, Draft, KernelDraft, MAX_CONNECTIONS, NULL_STREAM, Scenario, StreamDraft, StreamPriority};
use blockstep_sim::units::Time;

/// A run of the neighborhood ends after so many steps.
const MOST_STEPS: u32 = 400_000;
/// The stream of its own that a kernel gets.
const OWN_STREAM: &str = "own stream";

/// One thing that is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhatIfChange {
    /// The stream has high priority; of a kernel only, as copies heed no priority.
    HighPriority,
    /// The operation has a stream of its own, which blocks as others do.
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

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatIf {
    /// When the operation started, as recorded.
    pub measured: Time,
    /// When it starts in the run without a change.
    pub unchanged: Time,
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
    let mut made = made::scenario(recording, &chosen, "")?;
    made.draft.connections = shared(recording, analysis, &made.rows);
    let own = row_of(&made, place)?;
    let measured = operation.start;
    let start = |draft: &Draft, row: usize| Some(Time(made.base.ns() + start_of(draft, row)?));
    let unchanged = start(&made.draft, own)?;
    let by = largest(analysis.parts(place)).and_then(|part| part.by).filter(|&by| by != place);
    let blocker = by.and_then(|by| row_of(&made, by));
    let has_null = made.draft.kernels.iter().any(|row| row.stream == NULL_STREAM);
    let mut changes = Vec::from_iter((operation.kind == OperationKind::Kernel).then_some(WhatIfChange::HighPriority));
    changes.push(WhatIfChange::OwnStream);
    if has_null && recording.stream(operation).kind != StreamKind::NonBlocking {
        changes.push(WhatIfChange::NonBlocking);
    }
    if !made.draft.kernels[own].waits_for.is_empty() {
        changes.push(WhatIfChange::NoEvent);
    }
    if made.draft.connections.is_some() {
        changes.push(WhatIfChange::Connections);
    }
    if let Some((by, row)) = by.zip(blocker) {
        if made.draft.kernels[row].blocks > 1 {
            changes.extend([WhatIfChange::Split(by), WhatIfChange::HalfGrid(by)]);
        }
        if row < own {
            changes.push(WhatIfChange::Earlier(by));
        }
    }
    let changed = changes.into_iter().filter_map(|change| {
        let mut draft = made.draft.clone();
        let row = apply(&mut draft, change, own, blocker);
        Some((change, start(&draft, row)?))
    });
    let changed = changed.collect();
    Some(WhatIf { measured, unchanged, changed, operations: chosen.len(), left_out: made.left_out })
}

/// How many hardware queues the scenario has, 1 to 32: as many as the reader says, else as usual. `None`, one for each stream, if its
/// streams do not have to share.
fn shared(recording: &Recording, analysis: &Analysis, rows: &[u32]) -> Option<u64> {
    let mut streams: Vec<u32> = rows.iter().map(|&row| recording.operations[row as usize].stream).collect();
    streams.sort_unstable();
    streams.dedup();
    let connections = analysis.known.connections.unwrap_or(DEFAULT_CONNECTIONS);
    (streams.len() > connections as usize).then_some(connections.into())
}

fn row_of(made: &Made, place: u32) -> Option<usize> {
    made.rows.iter().position(|&row| row == place)
}

/// When a row's operation starts, ns from the beginning; `None` if the draft cannot be run or the operation does not start.
fn start_of(draft: &Draft, row: usize) -> Option<u64> {
    let scenario = Scenario::new(draft).ok()?;
    let run = engine::simulate(&scenario, Limits { max_steps: MOST_STEPS });
    let records = blockstep_sim::record::Records::new(&run.trace);
    let op = run.trace.ops().iter().position(|op| op.row.index() == row)?;
    records.ops.get(op)?.start.map(Time::ns)
}

/// Changes the draft; the operation's row after that.
fn apply(draft: &mut Draft, change: WhatIfChange, own: usize, blocker: Option<usize>) -> usize {
    match change {
        WhatIfChange::HighPriority => {
            let stream = own_or_new(draft, own);
            stream.priority = StreamPriority::High;
        }
        WhatIfChange::OwnStream => draft.kernels[own].stream = OWN_STREAM.to_owned(),
        WhatIfChange::NonBlocking => {
            let stream = own_or_new(draft, own);
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
            let start_ns = draft.kernels[row].start_ns.min(asked.start_ns);
            draft.kernels.insert(row, KernelDraft { start_ns, ..asked });
            return row;
        }
    }
    own
}

/// The stream of a row in the table of streams; a row of the NULL stream gets one of its own.
fn own_or_new(draft: &mut Draft, row: usize) -> &mut StreamDraft {
    if draft.kernels[row].stream == NULL_STREAM {
        draft.kernels[row].stream = OWN_STREAM.to_owned();
    }
    let name = draft.kernels[row].stream.clone();
    let task = draft.kernels[row].task.clone();
    let process = draft.tasks.iter().find(|of| Some(&of.name) == task.as_ref()).and_then(|of| of.process.clone());
    let place = draft.streams.iter().position(|stream| stream.name == name && stream.process == process).unwrap_or_else(|| {
        draft.streams.push(StreamDraft { process, name, ..StreamDraft::default() });
        draft.streams.len() - 1
    });
    &mut draft.streams[place]
}
