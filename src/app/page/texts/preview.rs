//! The texts of the preview of a spreadsheet's cells. Depends on nothing.

// Buttons.

pub(crate) const OPEN: &str = "Open as a new scenario";
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
