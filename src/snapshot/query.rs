//! Questions about a state that engine and views both ask; each names the rule it is about.
//!
//! Depends on the rest of `snapshot`. Invariant: answers follow from the state alone.

use super::{Residency, Snapshot, SpaceState};
use crate::scenario::Needs;
use crate::trace::{Level, Rule, Trace};
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
}

impl Shortage {
    /// The rule.
    #[must_use]
    pub const fn rule(self) -> Rule {
        match self {
            Self::Threads => Rule::R2,
            Self::SharedMemory => Rule::R3,
            Self::Registers | Self::Slots => Rule::R1,
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
        let enough_threads = || self.sms.iter().filter(|sm| sm.threads >= needs.threads);
        let enough_memory = || enough_threads().filter(|sm| sm.shared_memory >= needs.shared_memory);
        let enough_registers = || enough_memory().filter(|sm| sm.registers >= needs.registers);
        if enough_threads().next().is_none() {
            Some(Shortage::Threads)
        } else if enough_memory().next().is_none() {
            Some(Shortage::SharedMemory)
        } else if enough_registers().next().is_none() {
            Some(Shortage::Registers)
        } else if enough_registers().all(|sm| sm.slots == 0) {
            Some(Shortage::Slots)
        } else {
            None
        }
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

    /// Whether a job has been released and all its operations have completed.
    #[must_use]
    pub fn job_complete(&self, task: TaskId, job: JobNo) -> bool {
        let state = self.task(task);
        job.0 < state.released && state.job(job).is_none()
    }

    /// The first producer whose job the operation's own job waits for (contract, section 8).
    #[must_use]
    pub fn missing_producer(&self, trace: &Trace, op: OpId) -> Option<TaskId> {
        self.unfinished_producer(trace, trace.row_of(op).task, trace.op(op).job)
    }

    /// The first producer whose job this one waits for.
    #[must_use]
    pub fn unfinished_producer(&self, trace: &Trace, task: TaskId, job: JobNo) -> Option<TaskId> {
        trace.scenario().task(task).consumes.iter().copied().find(|&producer| !self.job_complete(producer, job))
    }

    /// The operation that keeps the head of `stream` from moving on by N1 or N2: the earliest one.
    #[must_use]
    pub fn null_barrier(&self, trace: &Trace, stream: StreamId) -> Option<OpId> {
        self.null_barriers(trace, stream).min()
    }

    /// Every operation that does: for N1 the heads of other streams, for N2 that of the NULL stream.
    fn null_barriers<'a>(&'a self, trace: &'a Trace, stream: StreamId) -> impl Iterator<Item = OpId> + 'a {
        let layout = trace.layout();
        let space = layout.space(layout.stream(stream).space);
        let head = self.head(stream);
        let others = match space.null {
            None => &[],
            Some(null) if null == stream => &space.streams[..],
            Some(_) => space.null.as_slice(),
        };
        others.iter().filter_map(|&other| self.head(other)).filter(move |&other| head.is_some_and(|head| other < head))
    }

    /// Whether the head of `stream` may move on to its EE or CE queue and has not yet (G2, C1,
    /// N1, N2, producers).
    #[must_use]
    pub fn promotable(&self, trace: &Trace, stream: StreamId) -> Option<OpId> {
        let head = self.head(stream).filter(|_| !self.stream(stream).promoted)?;
        (self.missing_producer(trace, head).is_none() && self.null_barriers(trace, stream).next().is_none()).then_some(head)
    }

    /// The same where the NULL stream is a stream like any other.
    #[must_use]
    pub fn promotable_without_barrier(&self, trace: &Trace, stream: StreamId) -> Option<OpId> {
        let head = self.head(stream).filter(|_| !self.stream(stream).promoted)?;
        self.missing_producer(trace, head).is_none().then_some(head)
    }

    /// Whether an address space has an issued, incomplete operation that does not wait for a
    /// producer (contract, section 6), once all that may move on has. The earliest such operation
    /// has nothing left to wait for, so it has moved on; and what has moved on waits for none.
    #[must_use]
    pub fn has_work(&self, space: SpaceId) -> bool {
        self.space(space).moved_on > 0
    }

    /// Whether blocks and copies of this address space are assigned now.
    #[must_use]
    pub fn assigns(&self, space: SpaceId) -> bool {
        match self.residency() {
            Residency::Shared => true,
            Residency::Resident { space: resident, draining, .. } => resident == space && !draining,
            Residency::Idle { .. } | Residency::Switching { .. } => false,
        }
    }
}
