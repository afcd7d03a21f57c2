//! The whole state of a run after any step.
//!
//! Depends on `units`, `work`, `scenario` and `trace`. Invariants: the only mutator is
//! [`Snapshot::apply`], so the engine's live state and a replayed one agree by construction;
//! a snapshot decides nothing.

mod chain;
mod claims;
mod connections;
mod dead_end;
mod heirs;
mod held;
mod host;
mod job_numbers;
mod jobs;
mod null;
mod numbers;
mod own;
mod pending;
mod query;
mod ranks;
mod replay;
mod signals;
mod sms;
mod spins;
mod turns;
mod varied;

use std::collections::VecDeque;

use claims::Claims;
pub use dead_end::Stuck;
use held::Held;
pub use host::HostWait;
pub use jobs::{OpenJob, TaskState};
use null::Beside;
use numbers::Numbers;
pub use own::OwnState;
pub use pending::Claim;
pub use query::Shortage;
pub use replay::{Keyframes, Replay};
pub use signals::Message;
use signals::Signals;
pub use sms::Sms;
pub use turns::{EdfState, RunlistState, Server};

use crate::scenario::{Device, Layout, Needs, Scenario};
use crate::trace::{Change, EngineNo, Flags, Level, Step, Told, Trace, Variant, kinds_of};
use crate::units::{OpId, SmId, SpaceId, Span, StepId, StreamId, TaskId, Time};
use crate::work::Tally;

/// Copy engines that are used at most (docs/semantics.md, section 2).
pub const MAX_ENGINES: usize = 2;

/// The state after some number of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    now: Time,
    applied: u32,
    assignments: u64,
    spaces: Vec<SpaceState>,
    streams: Vec<StreamState>,
    /// What stands in each hardware connection, where streams share them.
    connections: Vec<connections::Lines>,
    /// By claimant: tasks come first.
    tasks: Vec<TaskState>,
    /// Tasks whose jobs have supplied their consumers with the last step.
    supplied: Vec<TaskId>,
    /// Claimants with an issued, incomplete operation.
    live: Numbers,
    /// Address spaces with work, by their places in the order of the runlist's levels.
    working: Numbers,
    residency: Residency,
    /// When the resident process began to drain, if it drains.
    drains_since: Time,
    runlist: RunlistState,
    edf: EdfState,
    claims: Claims,
    signals: Signals,
    own: OwnState,
    flags: Flags,
    /// What applying the steps has cost.
    work: Tally,
}

/// One address space: its queues and its own view of the GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceState {
    /// EE queues, high and low.
    ee: [VecDeque<OpId>; 2],
    /// CE queues, input (or shared) and output.
    ce: [VecDeque<OpId>; MAX_ENGINES],
    /// SMs as this address space sees them.
    pub sms: Sms,
    /// Copies on the copy engines.
    pub engines: [Option<RunningCopy>; MAX_ENGINES],
    /// The SM that was assigned a block last.
    pub last_sm: Option<SmId>,
    /// Incomplete operations that have joined an EE or CE queue: the heads of their streams.
    pub moved_on: u32,
    /// What stands beside its NULL stream, if it has one.
    beside: Beside,
    /// What waits for a producer, where that is kept.
    held: Held,
    /// Whether its channel was reset: it is never resident again.
    is_reset: bool,
}

/// What is free on an SM, and the blocks that hold the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmState {
    /// Free threads.
    pub threads: u32,
    /// Free block slots.
    pub slots: u32,
    /// Free bytes of shared memory.
    pub shared_memory: u64,
    /// Free registers.
    pub registers: u64,
    /// Resident blocks, in order of assignment.
    pub blocks: Vec<RunningBlock>,
}

/// A block on an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningBlock {
    /// Its kernel.
    pub op: OpId,
    /// Its index in the kernel.
    pub block: u32,
    /// Its place in the order of assignment of all blocks and copies.
    pub order: u64,
    /// How far it is.
    pub progress: Progress,
}

/// A copy on a copy engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningCopy {
    /// The operation.
    pub op: OpId,
    /// Its place in the order of assignment of all blocks and copies.
    pub order: u64,
    /// How far it is.
    pub progress: Progress,
}

/// Whether something assigned executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It executes and will complete then.
    Runs(Time),
    /// It is suspended with that much left.
    Suspended(Span),
    /// It is a block that spins: it executes, and its time has not begun to count.
    Spins,
}

/// A stream queue and the state of the operation at its head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamState {
    /// Issued, incomplete operations, head first.
    pub queue: VecDeque<OpId>,
    /// Whether the head has joined its EE or CE queue.
    pub promoted: bool,
    /// Blocks of the head kernel assigned so far.
    pub assigned: u32,
    /// Blocks of the head kernel completed so far.
    pub completed: u32,
}

/// Who may execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Residency {
    /// There is one address space and nothing to switch.
    Shared,
    /// Nobody; `last` was resident last.
    Idle {
        /// The address space that was resident last, if any.
        last: Option<SpaceId>,
        /// Whether it had to leave, and did not because it had no work.
        gave_way: bool,
    },
    /// The RunList Manager submits a runlist with only the channels of an address space; the switch to it comes next.
    Submitting {
        /// The address space.
        to: SpaceId,
        /// The address space that was resident last, if any.
        last: Option<SpaceId>,
        /// The runlist is submitted then.
        until: Time,
    },
    /// A context switch is under way.
    Switching {
        /// To this address space.
        to: SpaceId,
        /// It will be resident then.
        until: Time,
    },
    /// This address space.
    Resident {
        /// The address space that is resident.
        space: SpaceId,
        /// Since the end of its switch-in.
        since: Time,
        /// Whether it begins nothing new until it leaves; which of what has begun is still assigned says
        /// its preemption mode.
        draining: bool,
    },
}

impl SmState {
    fn new(device: &Device) -> Self {
        Self {
            threads: saturating_u32(device.threads_per_sm),
            slots: saturating_u32(device.blocks_per_sm),
            shared_memory: device.shared_memory_per_sm,
            registers: device.registers_per_sm,
            blocks: Vec::new(),
        }
    }

    fn take(&mut self, needs: &Needs) {
        self.threads -= needs.threads;
        self.slots -= 1;
        self.shared_memory -= needs.shared_memory;
        self.registers -= needs.registers;
    }

    fn free(&mut self, needs: &Needs) {
        self.threads += needs.threads;
        self.slots += 1;
        self.shared_memory += needs.shared_memory;
        self.registers += needs.registers;
    }

    /// Whether a block with these needs can be assigned here now (R1, R2, R3).
    #[must_use]
    pub fn fits(&self, needs: &Needs) -> bool {
        self.threads >= needs.threads && self.slots >= 1 && self.shared_memory >= needs.shared_memory && self.registers >= needs.registers
    }

    /// For how many blocks with these needs there is room here now (R1, R2, R3).
    #[must_use]
    pub fn room(&self, needs: &Needs) -> u32 {
        let of_threads = self.threads.checked_div(needs.threads).unwrap_or(u32::MAX);
        let of_memory = [(self.shared_memory, needs.shared_memory), (self.registers, needs.registers)];
        let of_memory = of_memory.map(|(free, need)| free.checked_div(need).map_or(u32::MAX, saturating_u32));
        of_memory.into_iter().fold(of_threads.min(self.slots), u32::min)
    }
}

/// Device limits are checked to fit; saturating keeps this total.
fn saturating_u32(v: u64) -> u32 {
    u32::try_from(v).unwrap_or(u32::MAX)
}

impl SpaceState {
    /// An EE queue, head first.
    #[must_use]
    pub fn ee(&self, level: Level) -> &VecDeque<OpId> {
        &self.ee[level as usize]
    }

    /// A CE queue, head first.
    #[must_use]
    pub fn ce(&self, engine: EngineNo) -> &VecDeque<OpId> {
        &self.ce[engine as usize]
    }

    /// EE queues, high and low.
    pub(crate) fn ee_queues(&self) -> impl Iterator<Item = &VecDeque<OpId>> {
        self.ee.iter()
    }

    /// CE queues, input (or shared) and output.
    pub(crate) fn ce_queues(&self) -> impl Iterator<Item = &VecDeque<OpId>> {
        self.ce.iter()
    }

    /// Whether a block or a copy is on the device, suspended or not.
    #[must_use]
    pub fn holds_any(&self) -> bool {
        self.sms.hold_any() || self.engines.iter().any(Option::is_some)
    }

    /// Blocks and copies that execute now.
    pub fn running(&self) -> impl Iterator<Item = Progress> + '_ {
        self.sms.holding().flat_map(|(_, sm)| sm.blocks.iter().map(|b| b.progress)).chain(self.engines.iter().flatten().map(|c| c.progress))
    }
}

impl Snapshot {
    /// The state before the first step.
    #[must_use]
    pub fn new(scenario: &Scenario, layout: &Layout, residency: Residency) -> Self {
        let space = SpaceState {
            ee: Default::default(),
            ce: Default::default(),
            sms: Sms::new(scenario.device()),
            engines: [None; MAX_ENGINES],
            last_sm: None,
            moved_on: 0,
            beside: Beside::default(),
            held: Held::default(),
            is_reset: false,
        };
        Self {
            now: Time::ZERO,
            applied: 0,
            assignments: 0,
            spaces: vec![space; layout.spaces().len()],
            streams: vec![StreamState::default(); layout.streams().len()],
            connections: vec![connections::Lines::default(); layout.connections().len()],
            tasks: vec![TaskState::default(); scenario.claimants().len()],
            supplied: Vec::new(),
            live: Numbers::below(scenario.claimants().len()),
            working: Numbers::below(layout.spaces().len()),
            residency,
            drains_since: Time::ZERO,
            runlist: RunlistState::default(),
            edf: EdfState::default(),
            claims: Claims::new(scenario, residency),
            signals: Signals::new(scenario, residency),
            own: OwnState::new(scenario, residency),
            flags: Flags::new(scenario),
            work: Tally::default(),
        }
    }

    /// Time of the last step applied.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// How many steps have been applied.
    #[must_use]
    pub fn applied(&self) -> u32 {
        self.applied
    }

    /// The step applied last; `None` before the first.
    #[must_use]
    pub fn last_step(&self) -> Option<StepId> {
        self.applied.checked_sub(1).map(StepId)
    }

    /// Assignments of blocks and copies so far; the next one gets this number.
    #[must_use]
    pub fn assignments(&self) -> u64 {
        self.assignments
    }

    /// The address spaces.
    #[must_use]
    pub fn spaces(&self) -> &[SpaceState] {
        &self.spaces
    }

    /// An address space.
    #[must_use]
    pub fn space(&self, id: SpaceId) -> &SpaceState {
        &self.spaces[id.index()]
    }

    /// A stream queue.
    #[must_use]
    pub fn stream(&self, id: StreamId) -> &StreamState {
        &self.streams[id.index()]
    }

    /// What applying the steps has cost so far, in units of [`crate::work`]: a step, and whatever else was looked at for it.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.work.units()
    }

    /// Who may execute.
    #[must_use]
    pub fn residency(&self) -> Residency {
        self.residency
    }

    /// Applies the next step of `trace`. Constant time but for the blocks of one SM.
    pub fn apply(&mut self, trace: &Trace, step: &Step) {
        self.now = step.at;
        self.applied += 1;
        self.work.add(1);
        self.supplied.clear();
        let is_idle_tick =
            matches!(step.change, Change::PolicyTold { decision } if trace.made(decision).told == Told::Tick) && self.is_idle();
        self.own.count(is_idle_tick);
        match step.change {
            Change::JobReleased { task, job } => {
                self.release_job(trace, task, job, step.at);
                self.own.release(trace, task, job, step.at);
            }
            Change::JobCompleted { task, job } => {
                self.complete_job(trace, task, job);
                self.own.complete(trace, task, job, step.at);
            }
            Change::DeadlineMissed { .. } => {}
            Change::Issued { op } => {
                self.streams[trace.op(op).stream.index()].queue.push_back(op);
                self.note_beside_null(trace, op);
                self.line_up(trace, op);
                let passes_on = self.passes_deadlines_on(trace, op);
                self.count_issued(trace, op);
                self.claim_issued(trace, op, passes_on);
            }
            Change::EeJoined { op, level } => {
                self.move_on(trace, op).ee[level as usize].push_back(op);
                self.own.launch(trace, op);
            }
            Change::CeJoined { op, engine } => {
                self.move_on(trace, op).ce[engine as usize].push_back(op);
            }
            Change::EeLeft { op, level } => {
                let queue = &mut self.space_of(trace, op).ee[level as usize];
                if queue.front() == Some(&op) {
                    queue.pop_front();
                } else {
                    varied::leave_from_within(queue, op);
                }
            }
            Change::CeLeft { op, engine } => {
                self.space_of(trace, op).ce[engine as usize].pop_front();
            }
            Change::BlockAssigned { op, block, sm } => self.assign_block(trace, step.at, op, block, sm),
            Change::SpinEnded { op } => self.end_spin(trace, op, step.at),
            Change::BlockEnded { op, block, sm } => {
                let needs = trace.row_of(op).needs;
                self.streams[trace.op(op).stream.index()].completed += 1;
                self.space_of(trace, op).sms.free(sm.index(), &needs, op, block);
            }
            Change::KernelCompleted { op } => {
                self.flags.note(trace, step.change);
                self.complete(trace, op);
                self.own.finish(trace, op);
            }
            Change::CopyAssigned { op, engine } => {
                let order = self.next_assignment();
                let progress = Progress::Runs(end_of_run(trace, step.at, op, 0));
                self.space_of(trace, op).engines[engine as usize] = Some(RunningCopy { op, order, progress });
            }
            Change::CopyCompleted { op, engine } => {
                self.space_of(trace, op).engines[engine as usize] = None;
                self.complete(trace, op);
            }
            Change::SignalSent { signal, claimant, job } => self.send_signal(signal, claimant, job, step.at),
            Change::SignalArrived { signal, claimant, job } => self.take_signal(trace, signal, claimant, job),
            Change::RunlistSubmitted { to, until } => {
                let last = if let Residency::Idle { last, .. } = self.residency { last } else { None };
                self.edf.listed = self.chosen_chain(trace, step.at);
                self.residency = Residency::Submitting { to, last, until };
            }
            Change::SwitchStarted { to, until } => self.residency = Residency::Switching { to, until },
            Change::Entered { space } => {
                self.residency = Residency::Resident { space, since: step.at, draining: false };
                self.charge_from(step.at);
                if trace.scenario().policy().runlist_time() == Span::ZERO {
                    self.edf.listed = self.chosen_chain(trace, step.at);
                }
            }
            Change::DrainStarted { next, .. } => {
                if let Residency::Resident { draining, .. } = &mut self.residency {
                    *draining = true;
                }
                self.drains_since = step.at;
                self.choose(trace, None, step.at);
                self.edf.drains_for = next.and_then(|claimant| Some((claimant, self.first_pending(trace, claimant)?)));
            }
            Change::ChannelReset { space } => self.reset(trace, space),
            Change::Left { space } => {
                let drained = matches!(self.residency, Residency::Resident { draining: true, .. });
                self.residency = Residency::Idle { last: Some(space), gave_way: drained || self.has_work(space) };
                self.runlist.leave();
                self.choose(trace, None, step.at);
            }
            Change::Chosen { claimant, job } => self.choose(trace, Some((claimant, job)), step.at),
            Change::ServerRenewed { claimant, deadline } | Change::DeadlinePostponed { claimant, deadline } => {
                self.refill(trace, claimant, deadline, step.at);
            }
            Change::HostWaits { row, job } => self.host_waits(trace, row, job, step.at),
            Change::HostReturned { row, job } => self.host_returned(trace, row, job),
            Change::PolicyTold { decision } => self.own.tell(trace.made(decision), step.at),
            Change::EntryVisited { entry, .. } => {
                self.runlist.visit(entry, trace.scenario().runlist(), trace.variants().has(Variant::ListRestarts));
            }
            Change::BlockSuspended { op, block, sm } | Change::BlockResumed { op, block, sm } => {
                let spins = self.spins(trace, op);
                if let Some(b) = self.space_of(trace, op).sms.block_mut(sm.index(), op, block) {
                    b.progress = match b.progress {
                        Progress::Spins => Progress::Suspended(trace.run_time(op, block)),
                        Progress::Suspended(_) if spins => Progress::Spins,
                        progress => progress.toggled(step.at),
                    };
                }
            }
            Change::CopySuspended { op, engine } | Change::CopyResumed { op, engine } => {
                if let Some(copy) = &mut self.space_of(trace, op).engines[engine as usize] {
                    copy.progress = copy.progress.toggled(step.at);
                }
            }
        }
    }

    /// Whether nothing executes, nor will by itself.
    fn is_idle(&self) -> bool {
        match self.residency {
            Residency::Resident { space, .. } => !self.executes(space),
            Residency::Idle { .. } => true,
            Residency::Shared | Residency::Submitting { .. } | Residency::Switching { .. } => false,
        }
    }

    fn space_of(&mut self, trace: &Trace, op: OpId) -> &mut SpaceState {
        let space = trace.layout().stream(trace.op(op).stream).space;
        &mut self.spaces[space.index()]
    }

    fn next_assignment(&mut self) -> u64 {
        let order = self.assignments;
        self.assignments += 1;
        order
    }

    fn assign_block(&mut self, trace: &Trace, at: Time, op: OpId, block: u32, sm_id: SmId) {
        let order = self.next_assignment();
        let progress = if self.spins(trace, op) { Progress::Spins } else { Progress::Runs(end_of_run(trace, at, op, block)) };
        self.flags.note(trace, Change::BlockAssigned { op, block, sm: sm_id });
        self.streams[trace.op(op).stream.index()].assigned += 1;
        let needs = trace.row_of(op).needs;
        let space = self.space_of(trace, op);
        space.last_sm = Some(sm_id);
        space.sms.take(sm_id.index(), &needs, RunningBlock { op, block, order, progress });
    }

    /// The head of a stream queue leaves it.
    fn complete(&mut self, trace: &Trace, op: OpId) {
        let info = trace.op(op);
        let stream = &mut self.streams[info.stream.index()];
        stream.queue.pop_front();
        let had_moved_on = stream.promoted;
        (stream.promoted, stream.assigned, stream.completed) = (false, 0, 0);
        let id = trace.layout().stream(info.stream).space;
        let space = &mut self.spaces[id.index()];
        space.moved_on -= u32::from(had_moved_on);
        if space.moved_on == 0 {
            self.working.remove(turns::place(trace, id));
        }
        self.forget_beside_null(trace, op);
        self.count_completed(trace, op);
        self.claim_completed(trace, op);
        self.supply_if_due(trace, op);
    }

    /// The head of a stream joins an EE or CE queue of its address space.
    fn move_on(&mut self, trace: &Trace, op: OpId) -> &mut SpaceState {
        let stream = trace.op(op).stream;
        self.streams[stream.index()].promoted = true;
        self.leave_line(trace, op);
        let id = trace.layout().stream(stream).space;
        let space = &mut self.spaces[id.index()];
        space.moved_on += 1;
        if space.moved_on == 1 {
            self.working.insert(turns::place(trace, id));
        }
        space
    }
}

impl Progress {
    /// Running becomes suspended with the rest of its time, and the other way round.
    fn toggled(self, at: Time) -> Self {
        match self {
            Self::Runs(until) => Self::Suspended(until.since(at)),
            // Past the last instant only where a horizon ends the run before.
            Self::Suspended(left) => Self::Runs(at.after(left).unwrap_or(Time::MAX)),
            // How long it will run its kernel knows.
            Self::Spins => self,
        }
    }
}

/// When a block or copy that begins at `at` completes if nothing suspends it.
fn end_of_run(trace: &Trace, at: Time, op: OpId, block: u32) -> Time {
    // Past the last instant only where a horizon ends the run before.
    at.after(trace.run_time(op, block)).unwrap_or(Time::MAX)
}

/// Whether an operation is the last that its row issues: one stream is in order, so the row is
/// complete with it.
#[must_use]
pub fn is_last_of_row(trace: &Trace, op: OpId) -> bool {
    kinds_of(trace.row_of(op)).last() == Some(trace.op(op).kind)
}
