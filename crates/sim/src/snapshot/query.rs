//! Questions about a state that engine and views both ask; each names the rule it is about.
//!
//! Depends on the rest of `snapshot`. Invariant: answers follow from the state alone.

use super::{OpenJob, Residency, SmState, Snapshot, SpaceState};
use crate::scenario::{Needs, Preemption};
use crate::trace::{Level, Rule, Trace, Variant};
use crate::units::{JobNo, OpId, SmId, SpaceId, StreamId, TaskId};

/// The need of a block that no SM can meet, by the first rule that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// R2: no SM has the threads.
    Threads,
    /// R3: no SM with the threads has the shared memory.
    SharedMemory,
    /// R1: no SM with both has the registers.
    Registers,
    /// R1: no SM with all of these has a block slot.
    Slots,
    /// R4: there is no room for all blocks of a cooperative kernel at once.
    AllAtOnce,
}

impl Shortage {
    /// The rule.
    #[must_use]
    pub const fn rule(self) -> Rule {
        match self {
            Self::Threads => Rule::R2,
            Self::SharedMemory => Rule::R3,
            Self::Registers | Self::Slots => Rule::R1,
            Self::AllAtOnce => Rule::R4,
        }
    }
}

impl SpaceState {
    /// The kernel whose blocks may be assigned (X1, A2), with its EE queue.
    #[must_use]
    pub fn ee_head(&self) -> Option<(Level, OpId)> {
        [Level::High, Level::Low].into_iter().find_map(|level| Some((level, *self.ee(level).front()?)))
    }

    /// Why a block fits on no SM; `None` if it fits on one.
    #[must_use]
    pub fn shortage(&self, needs: &Needs) -> Option<Shortage> {
        let threads = |sm: &SmState| sm.threads >= needs.threads;
        let memory = |sm: &SmState| threads(sm) && sm.shared_memory >= needs.shared_memory;
        let registers = |sm: &SmState| memory(sm) && sm.registers >= needs.registers;
        if self.sms.any(|sm| sm.fits(needs)) {
            None
        } else if !self.sms.any(threads) {
            Some(Shortage::Threads)
        } else if !self.sms.any(memory) {
            Some(Shortage::SharedMemory)
        } else if !self.sms.any(registers) {
            Some(Shortage::Registers)
        } else {
            Some(Shortage::Slots)
        }
    }

    /// Whether there is room for so many blocks at once.
    #[must_use]
    pub fn has_room_for(&self, needs: &Needs, blocks: u64) -> bool {
        self.sms.have_room_for(needs, blocks)
    }

    /// SMs by number.
    pub fn sm_ids(&self) -> impl Iterator<Item = SmId> + use<> {
        (0..self.sms.len()).map(SmId::at)
    }
}

impl Snapshot {
    /// The operation at the head of a stream queue.
    #[must_use]
    pub fn head(&self, stream: StreamId) -> Option<OpId> {
        self.stream(stream).queue.front().copied()
    }

    /// Whether a job has been released and is complete: its operations are, and its calls have returned.
    #[must_use]
    pub fn job_complete(&self, task: TaskId, job: JobNo) -> bool {
        let state = self.task(task);
        job.0 < state.released && state.job(job).is_none()
    }

    /// Whether consumers wait for this job no longer: its operations are complete, while calls of it may go on (docs/semantics.md,
    /// section 8).
    #[must_use]
    pub fn has_supplied(&self, task: TaskId, job: JobNo) -> bool {
        let state = self.task(task);
        state.job(job).map_or(job.0 < state.released, OpenJob::has_supplied)
    }

    /// The first producer whose job the operation's own job waits for (docs/semantics.md, section 8).
    #[must_use]
    pub fn missing_producer(&self, trace: &Trace, op: OpId) -> Option<TaskId> {
        self.unfinished_producer(trace, trace.row_of(op).task, trace.op(op).job)
    }

    /// The first producer whose job this one waits for.
    #[must_use]
    pub fn unfinished_producer(&self, trace: &Trace, task: TaskId, job: JobNo) -> Option<TaskId> {
        self.producers_left(trace, task, job).iter().copied().find(|&producer| !self.has_supplied(producer, job))
    }

    /// Whether the head of `stream` may move on to its EE or CE queue and has not yet (G2, C1,
    /// N1, N2, W1, W2, H1, producers). Whether the policy lets a kernel be launched (P5) is another question.
    #[must_use]
    pub fn promotable(&self, trace: &Trace, stream: StreamId) -> Option<OpId> {
        self.promotable_without_barrier(trace, stream).filter(|_| self.null_barrier(trace, stream).is_none())
    }

    /// The same by the rules that the run is made with.
    pub(super) fn promotable_under(&self, trace: &Trace, stream: StreamId) -> Option<OpId> {
        if trace.variants().has(Variant::NoNullBarrier) {
            self.promotable_without_barrier(trace, stream)
        } else {
            self.promotable(trace, stream)
        }
    }

    /// The same where the NULL stream is a stream like any other.
    #[must_use]
    pub fn promotable_without_barrier(&self, trace: &Trace, stream: StreamId) -> Option<OpId> {
        let head = self.head(stream).filter(|_| !self.stream(stream).promoted)?;
        let is_ready = self.missing_producer(trace, head).is_none() && self.awaited(trace, head).next().is_none();
        (is_ready && self.ahead_in_connection(trace, head).is_none()).then_some(head)
    }

    /// Whether an address space has an issued, incomplete operation that does not wait for a
    /// producer (docs/semantics.md, section 6), once all that may move on has. The earliest such operation
    /// has nothing left to wait for, so it has moved on; and what has moved on waits for none. What was reset has no work.
    #[must_use]
    pub fn has_work(&self, space: SpaceId) -> bool {
        let space = self.space(space);
        space.moved_on > 0 && !space.is_reset
    }

    /// Whether an address space has a block or copy that executes.
    #[must_use]
    pub fn executes(&self, space: SpaceId) -> bool {
        self.space(space).running().next().is_some()
    }

    /// Kernels of an address space of which some blocks have been assigned and some have not, with their
    /// EE queues, the high one first. Each is the head of its queue (X1), unless the rules are changed.
    pub fn begun_kernels<'a>(&'a self, trace: &'a Trace, space: SpaceId) -> impl Iterator<Item = (Level, OpId)> + 'a {
        let looked_at = if trace.variants().is_none() { 1 } else { usize::MAX };
        let of_queue = move |level| self.space(space).ee(level).iter().take(looked_at).map(move |&op| (level, op));
        [Level::High, Level::Low].into_iter().flat_map(of_queue).filter(|&(_, op)| self.has_begun(trace, op))
    }

    /// Why no block of a kernel in an EE queue can be assigned, were it its turn; `None` if one can.
    #[must_use]
    pub fn shortage_of(&self, trace: &Trace, op: OpId) -> Option<Shortage> {
        let row = trace.row_of(op);
        let space = self.space(trace.layout().stream(trace.op(op).stream).space);
        let is_held = || row.cooperative && !self.has_begun(trace, op) && !space.has_room_for(&row.needs, row.blocks);
        space.shortage(&row.needs).or_else(|| is_held().then_some(Shortage::AllAtOnce))
    }

    /// Whether a block of a kernel in an EE queue has been assigned.
    #[must_use]
    pub fn has_begun(&self, trace: &Trace, op: OpId) -> bool {
        self.stream(trace.op(op).stream).assigned > 0
    }

    /// Whether a kernel has begun and its process drains in the preemption mode `kernel`, so that it goes
    /// on to its last block (docs/semantics.md, section 6).
    #[must_use]
    pub fn finishes(&self, trace: &Trace, op: OpId) -> bool {
        let space = trace.layout().stream(trace.op(op).stream).space;
        let drains = matches!(self.residency(), Residency::Resident { space: resident, draining: true, .. } if resident == space);
        drains && trace.scenario().preemption(space) == Preemption::Kernel && self.has_begun(trace, op)
    }

    /// Whether new blocks and copies of this address space are assigned now; while it drains, at most the
    /// kernels that [`finish`](Self::finishes).
    #[must_use]
    pub fn assigns(&self, space: SpaceId) -> bool {
        match self.residency() {
            Residency::Shared => true,
            Residency::Resident { space: resident, draining, .. } => resident == space && !draining,
            Residency::Idle { .. } | Residency::Submitting { .. } | Residency::Switching { .. } => false,
        }
    }
}
