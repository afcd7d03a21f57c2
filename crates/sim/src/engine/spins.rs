//! Blocks that spin (B2): when they go on.
//!
//! Depends on the rest of `engine`. Invariant: what is among the kernels that spin has a block that does, on the device or suspended.
//! Source: docs/semantics.md, section 2.

use super::Engine;
use super::agenda::Assigned;
use super::context::OnDevice;
use super::vary::Variation;
use crate::snapshot::Progress;
use crate::trace::{Change, Cut, Rule};
use crate::units::{OpId, Time};

impl<V: Variation> Engine<'_, V> {
    /// Lets blocks go on that have spun for a kernel, after a block of it was assigned or it has completed: in issue order.
    pub(super) fn end_spins(&mut self, op: OpId) -> Result<(), Cut> {
        if self.spinning.is_empty() {
            return Ok(());
        }
        let (row, job) = (self.trace.op(op).row, self.trace.op(op).job);
        let spinners = &self.trace.row_of(op).spinners;
        self.work.add(1 + spinners.len() as u64);
        let of_rows = spinners.iter().chain([&row]).filter_map(|&row| self.state.begun_of_row(&self.trace, row, job));
        let mut free: Vec<OpId> = of_rows.filter(|op| self.spinning.contains(op) && !self.state.spins(&self.trace, *op)).collect();
        free.sort_unstable();
        for op in free {
            self.spinning.remove(&op);
            self.emit(Rule::B2, Change::SpinEnded { op })?;
            let space = self.trace.layout().stream(self.trace.op(op).stream).space;
            self.work.add(self.state.space(space).sms.work());
            for OnDevice { what, order, progress } in self.on_device(space) {
                if let (Assigned::Block { op: of, block, .. }, Progress::Runs(_)) = (what, progress)
                    && of == op
                {
                    let at = self.end_of_block(op, block)?;
                    self.agenda.complete(at, order, what);
                }
            }
        }
        Ok(())
    }

    /// When a block of a kernel completes whose time begins to count now.
    pub(super) fn end_of_block(&self, op: OpId, block: u32) -> Result<Option<Time>, Cut> {
        self.completion(self.trace.run_time(op, block), |trace| format!("the end of block {}:{block}", trace.op_label(op)))
    }
}
