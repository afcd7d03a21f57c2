//! Which blocks spin.
//!
//! Depends on the rest of `snapshot`. Source: docs/semantics.md, section 2.

use super::{Progress, Snapshot, end_of_run};
use crate::scenario::Reached;
use crate::trace::Trace;
use crate::units::{JobNo, OpId, RowId, Time};

impl Snapshot {
    /// Whether the kernel of a row and a job has got so far; never where no blocks spin.
    #[must_use]
    pub fn has_reached(&self, row: RowId, job: JobNo, reached: Reached) -> bool {
        self.flags.has_reached(row, job, reached)
    }

    /// Whether blocks of a kernel spin that are on the device now, or would if they were.
    #[must_use]
    pub fn spins(&self, trace: &Trace, op: OpId) -> bool {
        self.flags.spins(trace, op)
    }

    /// The kernel of a row and a job, if it is at the head of its stream queue and a block of it has begun.
    #[must_use]
    pub fn begun_of_row(&self, trace: &Trace, row: RowId, job: JobNo) -> Option<OpId> {
        let stream = self.stream(trace.layout().stream_of(row));
        let &head = stream.queue.front().filter(|_| stream.assigned > 0)?;
        (trace.op(head).row == row && trace.op(head).job == job).then_some(head)
    }

    /// By row: how far the kernel of a job is, as a word of bits.
    pub(crate) fn flags_of_job(&self, job: JobNo) -> impl Iterator<Item = u32> {
        self.flags.of_job(job)
    }

    /// The blocks of a kernel that spin run from now on.
    pub(super) fn end_spin(&mut self, trace: &Trace, op: OpId, at: Time) {
        for block in self.space_of(trace, op).sms.blocks_mut().filter(|block| block.op == op) {
            if block.progress == Progress::Spins {
                block.progress = Progress::Runs(end_of_run(trace, at, op, block.block));
            }
        }
    }
}
