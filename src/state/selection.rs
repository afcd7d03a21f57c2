//! The kernel that is selected, on the timeline, in the queues and in the table alike.
//!
//! Depends on `run`. Invariant: a kernel is named by the id of its row in the document, so that an edit keeps it selected.

use leptos::prelude::*;

use super::run::RunState;
use blockstep_sim::units::{OpId, RowId};

/// What is selected; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct Selection {
    run: RunState,
    /// The kernel row selected, by id.
    pub(crate) kernel: RwSignal<Option<u32>>,
    /// The operation asked about, of the kernel selected.
    pub(crate) op: RwSignal<Option<OpId>>,
    /// The block of it that was pointed at.
    pub(crate) block: RwSignal<Option<u32>>,
}

impl Selection {
    pub(super) fn new(run: RunState) -> Self {
        Self { run, kernel: RwSignal::new(None), op: RwSignal::new(None), block: RwSignal::new(None) }
    }

    /// Selects the kernel row of an operation, or nothing if it is selected already.
    pub(crate) fn select_op(self, op: OpId) {
        self.op.set(None);
        let id = self.run.with_untracked(|run| run.row_id(run.trace().op(op).row));
        self.kernel.update(|kernel| *kernel = if *kernel == id { None } else { id });
    }

    /// Selects the kernel of an operation and asks about the operation, or about one of its blocks; once more for the same
    /// selects nothing.
    pub(crate) fn ask(self, op: OpId, block: Option<u32>) {
        let is_other_block = block.is_some() && (self.op.get_untracked(), self.block.get_untracked()) != (Some(op), block);
        if is_other_block {
            self.kernel.set(None);
        }
        self.select_op(op);
        self.op.set(Some(op));
        self.block.set(block);
    }

    /// The selected row of the run.
    pub(crate) fn selected_row(self) -> Option<RowId> {
        let id = self.kernel.get()?;
        self.run.with(|run| run.row(id))
    }
}
