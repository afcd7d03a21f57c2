//! The texts of the shared components: all else that they show is given to them. Depends on nothing.

// Dialog.

pub(super) const CLOSE: &str = "Close";

// Chip of a rule.

pub(super) fn rule(id: &str, sentence: &str, source: &str) -> String {
    format!("Rule {id}: {sentence} {source}")
}

// Splitter; `what` it changes: "Height of the timeline".

pub(super) fn splitter_help(what: &str) -> String {
    format!("{what}: drag, or use the arrow keys; double click for the default size")
}

// Table.

pub(crate) const SELECT_HELP: &str = "Select this kernel in all panels";
pub(super) const ACTIONS: &str = "Actions";
pub(super) const MOVE_UP: &str = "Move up";
pub(super) const MOVE_DOWN: &str = "Move down";
pub(super) const DUPLICATE: &str = "Duplicate";
pub(super) const DELETE: &str = "Delete";

/// `action` is one of the four above.
pub(super) fn action_on(action: &str, row: &str) -> String {
    format!("{action} {row}")
}

// Preview of a spreadsheet's cells, in the dialogs of the page and of the batch workload.

pub(crate) const CELLS_TITLE: &str = "Cells from a spreadsheet";
pub(crate) const PASTE: &str = "Paste";
pub(crate) const CANCEL: &str = "Cancel";

/// Of a field with something in it that cannot be seen: the text with that named.
pub(crate) fn reads(shown: &str) -> String {
    format!("reads {shown}")
}

// What takes long.

pub(crate) const WORKING: &str = "Working on it";
pub(super) const TABLE: &str = "Preview of the cells";
pub(super) const ALL_READ: &str = "Every cell can be read.";
pub(super) const SOME_WRONG: &str = "Some cells need correction. You can paste them as they are and correct them in the table.";

pub(super) fn more_rows(count: usize) -> String {
    format!("and {count} more {}", if count == 1 { "row" } else { "rows" })
}

pub(super) fn more_problems(count: usize) -> String {
    format!("and {count} more")
}
