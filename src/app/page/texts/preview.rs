//! The texts of the preview of a spreadsheet's cells. Depends on nothing.

pub(crate) const TITLE: &str = "Cells from a spreadsheet";

// The table.

pub(crate) const TABLE: &str = "Preview of the cells";

pub(crate) fn more_rows(count: usize) -> String {
    format!("and {count} more rows")
}

// What is wrong with the cells.

pub(crate) const ALL_READ: &str = "Every cell can be read.";
pub(crate) const SOME_WRONG: &str = "Some cells need correction. You can paste them as they are and correct them in the table.";

pub(crate) fn more_problems(count: usize) -> String {
    format!("and {count} more")
}

// Buttons.

pub(crate) const OPEN: &str = "Open as a new scenario";
pub(crate) const PASTE: &str = "Paste";
pub(crate) const ADD: &str = "Add to the table";

// What was done; `told`: how many cells, and where they went.

pub(crate) fn opened(file: &str, told: &str) -> String {
    format!("Opened {file}: {told}")
}

pub(crate) fn pasted(told: &str) -> String {
    format!("Pasted {told}")
}

pub(crate) fn added(told: &str) -> String {
    format!("Added {told}")
}
