//! The texts about files: what was opened and saved, and why one was not. Depends on nothing.

// Opening.

pub(crate) fn opened(name: &str) -> String {
    format!("Opened {name}.")
}

pub(crate) fn not_opened(name: &str, why: &str) -> String {
    format!("{name} cannot be opened. {why}")
}

pub(crate) fn no_headings(name: &str) -> String {
    format!(
        "{name} cannot be opened. Its first line names no columns of the kernel table. Expected headings such as Kernel, \
         Stream, Start (ms), Blocks, Threads, Time per block (ms)."
    )
}

// Saving.

/// A file of a scenario without a name is called that.
pub(crate) const SCENARIO: &str = "scenario";

/// `cells`: how many hold a text that is not a value.
pub(crate) fn saved_without(cells: usize) -> String {
    match cells {
        1 => "Saved. 1 cell holds text that is not a value. In the file, the last valid value takes its place.".to_owned(),
        _ => format!("Saved. {cells} cells hold text that is not a value. In the file, the last valid value takes its place."),
    }
}

pub(crate) const NO_PNG: &str = "The browser could not turn this figure into a PNG.";
pub(crate) const NO_FILE: &str = "The browser does not allow this page to save files.";
