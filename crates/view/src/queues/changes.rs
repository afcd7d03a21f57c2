//! Which boxes of the queue diagram a step touches.
//!
//! Depends on `trace` and `snapshot`. Invariant: of a move, both the place left and the place entered are named.

use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::{Change, EngineNo, Level, Step, Trace};
use blockstep_sim::units::{ClaimantId, OpId, SmId, SpaceId, StreamId};

/// What the last step touched.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) op: Option<OpId>,
    /// The block, where the step is about one.
    pub(super) block: Option<u32>,
    pub(super) claimant: Option<ClaimantId>,
    /// The address space whose residency changed.
    pub(super) space: Option<SpaceId>,
    pub(super) stream: Option<StreamId>,
    pub(super) into_stream: bool,
    pub(super) out_of_stream: bool,
    pub(super) ee: Option<(SpaceId, Level)>,
    pub(super) ce: Option<(SpaceId, EngineNo)>,
    /// Whether the operation joined that EE or CE queue.
    pub(super) into_queue: bool,
    pub(super) out_of_queue: bool,
    pub(super) sm: Option<(SpaceId, SmId)>,
    pub(super) out_of_sm: bool,
    /// Whether all blocks of the operation go on, wherever they are.
    pub(super) goes_on: bool,
    pub(super) engine: Option<(SpaceId, EngineNo)>,
    pub(super) into_engine: bool,
    pub(super) out_of_engine: bool,
}

impl Changes {
    pub(super) fn from_step(trace: &Trace, state: &Snapshot, last: Option<&Step>) -> Self {
        let Some(step) = last else { return Self::default() };
        let stream = |op: OpId| trace.op(op).stream;
        let space = |op: OpId| trace.layout().stream(stream(op)).space;
        let about = |op: OpId| Self { op: Some(op), ..Self::default() };
        match step.change {
            Change::JobReleased { task, .. } | Change::JobCompleted { task, .. } | Change::DeadlineMissed { task, .. } => {
                Self { claimant: Some(task.into()), ..Self::default() }
            }
            Change::Chosen { claimant, .. }
            | Change::SignalSent { claimant, .. }
            | Change::SignalArrived { claimant, .. }
            | Change::ServerRenewed { claimant, .. }
            | Change::DeadlinePostponed { claimant, .. } => Self { claimant: Some(claimant), ..Self::default() },
            Change::PolicyTold { decision } => {
                Self { claimant: trace.made(decision).told.job().map(|(task, _)| task.into()), ..Self::default() }
            }
            Change::HostWaits { row, .. } | Change::HostReturned { row, .. } => {
                Self { claimant: Some(trace.scenario().row(row).claimant), ..Self::default() }
            }
            Change::Issued { op } => {
                Self { claimant: Some(trace.row_of(op).claimant), stream: Some(stream(op)), into_stream: true, ..about(op) }
            }
            Change::EeJoined { op, level } => {
                Self { stream: Some(stream(op)), ee: Some((space(op), level)), into_queue: true, ..about(op) }
            }
            Change::CeJoined { op, engine } => {
                Self { stream: Some(stream(op)), ce: Some((space(op), engine)), into_queue: true, ..about(op) }
            }
            // A block comes from the kernel in the EE queue, which stays there until G3.
            Change::BlockAssigned { op, block, sm } => {
                let level = if state.space(space(op)).ee(Level::High).contains(&op) { Level::High } else { Level::Low };
                Self { block: Some(block), ee: Some((space(op), level)), sm: Some((space(op), sm)), ..about(op) }
            }
            Change::EeLeft { op, level } => Self { ee: Some((space(op), level)), out_of_queue: true, ..about(op) },
            Change::BlockEnded { op, block, sm } => Self { block: Some(block), sm: Some((space(op), sm)), out_of_sm: true, ..about(op) },
            Change::SpinEnded { op } => Self { goes_on: true, ..about(op) },
            Change::KernelCompleted { op } => Self { stream: Some(stream(op)), out_of_stream: true, ..about(op) },
            Change::CopyAssigned { op, engine } => {
                Self { ce: Some((space(op), engine)), engine: Some((space(op), engine)), into_engine: true, ..about(op) }
            }
            Change::CeLeft { op, engine } => Self { ce: Some((space(op), engine)), out_of_queue: true, ..about(op) },
            Change::CopyCompleted { op, engine } => {
                Self { stream: Some(stream(op)), out_of_stream: true, engine: Some((space(op), engine)), out_of_engine: true, ..about(op) }
            }
            Change::RunlistSubmitted { to: space, .. }
            | Change::SwitchStarted { to: space, .. }
            | Change::Entered { space }
            | Change::DrainStarted { space, .. }
            | Change::ChannelReset { space }
            | Change::Left { space }
            | Change::EntryVisited { space, .. } => Self { space: Some(space), ..Self::default() },
            Change::BlockSuspended { op, block, sm } | Change::BlockResumed { op, block, sm } => {
                Self { block: Some(block), sm: Some((space(op), sm)), ..about(op) }
            }
            Change::CopySuspended { op, engine } | Change::CopyResumed { op, engine } => {
                Self { engine: Some((space(op), engine)), ..about(op) }
            }
        }
    }

    /// Whether the step was about an address space, or something in it.
    pub(super) fn in_space(&self, trace: &Trace, id: SpaceId) -> bool {
        self.space == Some(id) || self.op.is_some_and(|op| trace.layout().stream(trace.op(op).stream).space == id)
    }
}
