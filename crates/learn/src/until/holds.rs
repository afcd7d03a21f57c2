//! Whether a standing holds in a state, looking only where it can.
//!
//! Depends on the rest of `until`. Invariant: what is found is what a look at every operation of the
//! state would find; [`touches`] leaves out only changes that cannot make a difference.

use super::Condition;
use crate::why::waits_for;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::{Needs, StreamPriority, Turns};
use blockstep_sim::snapshot::{Progress, Residency, RunningBlock, SmState, Snapshot, SpaceState};
use blockstep_sim::trace::{Change, EngineNo, Level, Trace};
use blockstep_sim::units::{OpId, RowId, SmId, SpaceId, StreamId, TaskId};
use blockstep_view::reason::{Reason, ReasonKind, reason};

/// Something urgent waits for something less urgent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inversion {
    /// A kernel of a high-priority stream heads the EE queues of the address space whose turn it is,
    /// a block of it fits on no SM, and a block of a stream that is not of high priority executes
    /// and holds some of what its SM has too little of. Not under `fifo`, which knows no priorities.
    Room {
        /// The kernel that waits.
        high: OpId,
        /// A kernel that has the room, the first one.
        low: OpId,
    },
    /// An operation of a high-priority stream waits for the NULL stream, which is of low priority
    /// (N2). Not under `fifo`.
    Barrier {
        /// What waits.
        high: OpId,
        /// What is in the NULL stream.
        low: OpId,
    },
    /// Under `edf`, the pending job that is first by what the scheduler compares is not the one
    /// whose process is resident without draining, or being switched to: another one is not
    /// preempted, drains, or is being switched to.
    Turn {
        /// The task of that job.
        first: TaskId,
        /// Who has the GPU, or gets it.
        space: SpaceId,
    },
}

/// Free threads of an SM in the view of the address space that has the GPU.
pub(super) fn free_threads(trace: &Trace, state: &Snapshot, sm: SmId) -> u64 {
    let space = match state.residency() {
        Residency::Shared => SpaceId(0),
        Residency::Resident { space, .. } => space,
        Residency::Idle { .. } | Residency::Submitting { .. } | Residency::Switching { .. } => {
            return trace.scenario().device().threads_per_sm;
        }
    };
    state.space(space).sms[sm.index()].threads.into()
}

/// The address space whose blocks and copies are assigned.
fn assigning(state: &Snapshot) -> Option<SpaceId> {
    match state.residency() {
        Residency::Shared => Some(SpaceId(0)),
        Residency::Resident { space, draining: false, .. } => Some(space),
        _ => None,
    }
}

/// Kernels that go on although their process drains, as it does in the preemption mode `kernel`: those that have begun, first
/// the one whose blocks come next.
fn finishing<'a>(trace: &'a Trace, state: &'a Snapshot) -> impl Iterator<Item = (&'a SpaceState, OpId)> {
    let drains = match state.residency() {
        Residency::Resident { space, draining: true, .. } => Some(space),
        _ => None,
    };
    let begun = move |id: SpaceId| {
        let kernels = state.begun_kernels(trace, id).filter(|&(_, op)| state.finishes(trace, op));
        kernels.map(move |(_, op)| (state.space(id), op))
    };
    drains.into_iter().flat_map(begun)
}

/// An operation that waits for a reason, of a row or any.
pub(super) fn waiting(trace: &Trace, state: &Snapshot, kind: ReasonKind, row: Option<RowId>) -> Option<OpId> {
    let is_kind = |&op: &OpId| waits_for(trace, state, op).is_some_and(|r| r.kind() == kind);
    if let Some(row) = row {
        let stream = state.stream(trace.layout().stream_of(row));
        let mut of_row = stream.queue.iter().copied().filter(|&op| trace.op(op).row == row);
        return match kind {
            ReasonKind::Producer | ReasonKind::BehindInStream => of_row.find(is_kind),
            // All others are those of the head of a stream.
            _ => stream.queue.front().copied().filter(|&op| trace.op(op).row == row).filter(is_kind),
        };
    }
    if !trace.variants().is_none() {
        return streams(trace).flat_map(|s| &state.stream(s).queue).copied().find(is_kind);
    }
    match kind {
        ReasonKind::Threads | ReasonKind::SharedMemory | ReasonKind::Registers | ReasonKind::Slots | ReasonKind::AllAtOnce => {
            let (_, head) = next_to_assign(trace, state)?;
            let shortage = state.shortage_of(trace, head)?;
            (Reason::from(shortage).kind() == kind).then_some(head)
        }
        ReasonKind::X1 => {
            let space = state.space(assigning(state)?);
            let (level, _) = space.ee_head()?;
            space.ee(level).get(1).copied()
        }
        ReasonKind::A2 if finishing(trace, state).next().is_some() => finishing(trace, state).nth(1).map(|(_, op)| op),
        ReasonKind::A2 => {
            let space = state.space(assigning(state)?);
            space.ee_head().filter(|(level, _)| *level == Level::High)?;
            space.ee(Level::Low).front().copied()
        }
        ReasonKind::CopyEngine => {
            let space = state.space(assigning(state)?);
            (0..space.engines.len() as EngineNo).find_map(|engine| waits_for_engine(space, engine))
        }
        ReasonKind::Producer if !has_consumers(trace) => None,
        ReasonKind::Producer => {
            let waits = |op: &&OpId| state.missing_producer(trace, **op).is_some();
            streams(trace).find_map(|s| state.stream(s).queue.iter().find(waits).copied())
        }
        ReasonKind::BehindInStream => {
            let no_consumers = !has_consumers(trace);
            let waits = |op: &&OpId| no_consumers || state.missing_producer(trace, **op).is_none();
            streams(trace).find_map(|s| state.stream(s).queue.iter().skip(1).find(waits).copied())
        }
        ReasonKind::NotResident if matches!(state.residency(), Residency::Shared) => None,
        ReasonKind::N1
        | ReasonKind::N2
        | ReasonKind::Graph
        | ReasonKind::Event
        | ReasonKind::BehindInConnection
        | ReasonKind::NotLaunched
        | ReasonKind::NotResident => streams(trace).filter_map(|s| state.head(s)).find(is_kind),
        ReasonKind::ToBeQueued | ReasonKind::ToBeAssigned | ReasonKind::Completing => {
            streams(trace).filter_map(|s| state.head(s)).find(is_kind)
        }
    }
}

/// The kernel whose blocks come next, with its address space, if it has blocks left: a process that drains in the mode `kernel` goes on
/// with those that have begun.
fn next_to_assign<'a>(trace: &'a Trace, state: &'a Snapshot) -> Option<(&'a SpaceState, OpId)> {
    let next = finishing(trace, state).next();
    let (space, head) = next.or_else(|| assigning(state).and_then(|id| Some((state.space(id), state.space(id).ee_head()?.1))))?;
    state.has_blocks_left(trace, head).then_some((space, head))
}

fn waits_for_engine(space: &SpaceState, engine: EngineNo) -> Option<OpId> {
    let first = space.engines[engine as usize].map(|copy| copy.op).or(space.ce(engine).front().copied())?;
    space.ce(engine).iter().copied().find(|&op| op != first)
}

fn streams(trace: &Trace) -> impl Iterator<Item = StreamId> + use<> {
    (0..trace.layout().streams().len()).map(StreamId::at)
}

fn has_consumers(trace: &Trace) -> bool {
    trace.scenario().tasks().iter().any(|task| !task.consumes.is_empty())
}

/// What urgent thing waits for what less urgent one.
pub(super) fn inversion(trace: &Trace, state: &Snapshot) -> Option<Inversion> {
    if !policy::uses(trace.scenario(), Setting::StreamPriority) {
        return None;
    }
    room(trace, state).or_else(|| barrier(trace, state)).or_else(|| turn(trace, state))
}

fn is_high(trace: &Trace, op: OpId) -> bool {
    trace.layout().stream(trace.op(op).stream).priority == StreamPriority::High
}

fn room(trace: &Trace, state: &Snapshot) -> Option<Inversion> {
    let (space, high) = next_to_assign(trace, state).filter(|(space, head)| space.ee(Level::High).contains(head))?;
    let needs = &trace.row_of(high).needs;
    space.shortage(needs)?;
    let low =
        space.sms.iter().find_map(|sm| sm.blocks.iter().find(|b| matters(sm, needs, &trace.row_of(b.op).needs) && is_low(trace, b)))?;
    Some(Inversion::Room { high, low: low.op })
}

fn is_low(trace: &Trace, block: &RunningBlock) -> bool {
    !matches!(block.progress, Progress::Suspended(_)) && !is_high(trace, block.op)
}

/// Whether a block holds some of what an SM has too little of.
fn matters(sm: &SmState, needs: &Needs, held: &Needs) -> bool {
    (sm.threads < needs.threads && held.threads > 0)
        || (sm.shared_memory < needs.shared_memory && held.shared_memory > 0)
        || (sm.registers < needs.registers && held.registers > 0)
        || sm.slots == 0
}

fn barrier(trace: &Trace, state: &Snapshot) -> Option<Inversion> {
    streams(trace).filter(|&s| trace.layout().stream(s).priority == StreamPriority::High).find_map(|s| {
        let high = state.head(s).filter(|_| !state.stream(s).promoted)?;
        match reason(trace, state, high)? {
            Reason::N2 { op: low } => Some(Inversion::Barrier { high, low }),
            _ => None,
        }
    })
}

fn turn(trace: &Trace, state: &Snapshot) -> Option<Inversion> {
    if trace.scenario().policy().kind.turns() != Turns::Deadlines {
        return None;
    }
    let (space, is_served) = match state.residency() {
        Residency::Resident { space, draining, .. } => (space, !draining),
        Residency::Submitting { to, .. } | Residency::Switching { to, .. } => (to, true),
        Residency::Idle { .. } | Residency::Shared => return None,
    };
    let first = state.choice(trace, trace.variants(), state.now())?.task;
    let is_its_turn = is_served && SpaceId(trace.scenario().task(first).process.0) == space;
    (!is_its_turn).then_some(Inversion::Turn { first, space })
}

/// Whether a change can make a difference to a standing. `is_varied`: in a run with rules changed.
pub(super) fn touches(condition: Condition, change: Change, is_varied: bool) -> bool {
    let of_turns =
        matches!(change, Change::Entered { .. } | Change::Left { .. } | Change::DrainStarted { .. } | Change::ChannelReset { .. });
    let of_blocks = matches!(change, Change::BlockAssigned { .. } | Change::BlockEnded { .. });
    let of_ee = matches!(change, Change::EeJoined { .. } | Change::EeLeft { .. });
    let of_ce =
        matches!(change, Change::CeJoined { .. } | Change::CeLeft { .. } | Change::CopyAssigned { .. } | Change::CopyCompleted { .. });
    let of_streams = matches!(
        change,
        Change::Issued { .. }
            | Change::KernelCompleted { .. }
            | Change::CopyCompleted { .. }
            | Change::JobCompleted { .. }
            | Change::EeJoined { .. }
            | Change::CeJoined { .. }
    );
    match condition {
        Condition::FreeThreads { .. } => of_blocks || of_turns,
        Condition::Waits { .. } if is_varied => true,
        Condition::Waits { kind, .. } => match kind {
            ReasonKind::Threads | ReasonKind::SharedMemory | ReasonKind::Registers | ReasonKind::Slots | ReasonKind::AllAtOnce => {
                of_blocks || of_ee || of_turns
            }
            ReasonKind::X1 | ReasonKind::A2 => of_ee || of_turns,
            ReasonKind::CopyEngine => of_ce || of_turns,
            ReasonKind::Producer | ReasonKind::BehindInStream | ReasonKind::N1 | ReasonKind::N2 => of_streams,
            ReasonKind::Graph | ReasonKind::Event | ReasonKind::BehindInConnection => of_streams,
            ReasonKind::NotLaunched
            | ReasonKind::NotResident
            | ReasonKind::ToBeQueued
            | ReasonKind::ToBeAssigned
            | ReasonKind::Completing => true,
        },
        _ => true,
    }
}
