//! How far kernels are that blocks of others spin for, and whose blocks spin.
//!
//! Depends on the rest of `trace`. Invariant: what holds once holds for good. Source: docs/semantics.md, section 2.

use super::{Change, Trace};
use crate::scenario::{Reached, Scenario};
use crate::units::{JobNo, OpId, RowId};

/// By row of the kernel table, of how many jobs the kernel has begun, has begun with all its blocks, and is complete: those of one row are
/// in one stream, so they get so far in the order of their jobs. Nothing is kept where no blocks spin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags(Vec<[u32; 3]>);

impl Flags {
    /// Before the first step.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        Self(if scenario.has_spins() { vec![[0; 3]; scenario.rows().len()] } else { Vec::new() })
    }

    /// Whether the kernel of a row and a job has got so far; never where no blocks spin.
    #[must_use]
    pub fn has_reached(&self, row: RowId, job: JobNo, reached: Reached) -> bool {
        self.0.get(row.index()).is_some_and(|counts| counts[reached as usize] > job.0)
    }

    /// Whether blocks of a kernel spin that are on the device now, or would if they were.
    #[must_use]
    pub fn spins(&self, trace: &Trace, op: OpId) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let (row, job) = (trace.op(op).row, trace.op(op).job);
        let spins = &trace.row_of(op).spins;
        spins.barrier && !self.has_reached(row, job, Reached::AllBegun)
            || spins.flags.iter().any(|&(other, reached)| !self.has_reached(other, job, reached))
    }

    /// What a step says of how far a kernel is.
    pub fn note(&mut self, trace: &Trace, change: Change) {
        match change {
            _ if self.0.is_empty() => {}
            Change::BlockAssigned { op, block, .. } => {
                if block == 0 {
                    self.reach(trace, op, Reached::Begun);
                }
                if u64::from(block) + 1 == trace.row_of(op).blocks {
                    self.reach(trace, op, Reached::AllBegun);
                }
            }
            Change::KernelCompleted { op } => self.reach(trace, op, Reached::Completed),
            _ => {}
        }
    }

    fn reach(&mut self, trace: &Trace, op: OpId, reached: Reached) {
        if let Some(counts) = self.0.get_mut(trace.op(op).row.index()) {
            counts[reached as usize] += 1;
        }
    }

    /// By row: how far the kernel of a job is, as a word of bits.
    pub(crate) fn of_job(&self, job: JobNo) -> impl Iterator<Item = u32> {
        self.0.iter().map(move |counts| counts.iter().enumerate().map(|(bit, &count)| u32::from(count > job.0) << bit).sum())
    }

    /// Bytes that they take beside themselves.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }
}
