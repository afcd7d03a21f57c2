//! The kernel that is selected, on the timeline, in the queues and in the table alike.
//!
//! Depends on `run`. Invariant: a kernel is named by the id of its row in the document, so that an edit keeps it selected.

use leptos::prelude::*;

use super::run::RunState;
use crate::units::{OpId, RowId};

/// What is selected; a context of the page.
#[derive(Clone, Copy)]
pub(crate) struct Selection {
    run: RunState,
    /// The kernel row selected, by id.
    pub(crate) kernel: RwSignal<Option<u32>>,
    /// The operation asked about, of the kernel selected.
    pub(crate) op: RwSignal<Option<OpId>>,
}

impl Selection {
    pub(super) fn new(run: RunState) -> Self {
        Self { run, kernel: RwSignal::new(None), op: RwSignal::new(None) }
    }

    /// Selects the kernel row of an operation, or nothing if it is selected already.
    pub(crate) fn select_op(self, op: OpId) {
        self.op.set(None);
        let id = self.run.with_untracked(|run| run.row_id(run.trace().op(op).row));
        self.kernel.update(|kernel| *kernel = if *kernel == id { None } else { id });
    }

    /// The selected row of the run.
    pub(crate) fn selected_row(self) -> Option<RowId> {
        let id = self.kernel.get()?;
        self.run.with(|run| run.row(id))
    }
}
