//! The texts of what works behind the page's panels: workers, files that are read, what is kept, what a quiz refuses, the
//! speeds of playing. Depends on how sizes are written.

use crate::view::quantity::{format_bytes, format_count};

// Workers.

pub(super) const NO_WORKERS: &str = "This browser does not allow background workers, which this function needs.";
pub(super) const OTHER_VERSION: &str = "Parts of this page have different versions. Reload the page.";
pub(super) const ANSWER_STOPPED: &str = "Stopped. To have it computed after all, open it again or change something.";
pub(super) const RUN_STOPPED: &str = "Stopped.";

/// `why`: what the browser says of it, if it says something.
pub(super) fn worker_failed(why: Option<&str>) -> String {
    let why = why.map_or_else(|| "check the connection".to_owned(), crate::scenario::plain);
    format!("The background worker did not load or has stopped: {why}. It starts again with what is asked next; your work is as it was.")
}

// Files.

pub(super) fn file_too_large(name: &str, bytes: u64, max_bytes: u64) -> String {
    format!(
        "{name}: the file has {}; the maximum is {}. If kernels repeat, use one task with a period and a number of jobs instead.",
        format_bytes(bytes),
        format_bytes(max_bytes)
    )
}

/// A scenario with more rows and names in `consumes` than the page opens.
pub(super) fn scenario_too_large(entries: usize, most: usize) -> String {
    format!(
        "The scenario has {} rows and names in consumes and waits_for; the page opens at most {}. The command line simulates it: blockstep simulate.",
        format_count(entries as u64),
        format_count(most as u64)
    )
}

/// A scenario whose file has more bytes than the page opens.
pub(super) fn scenario_too_long(bytes: u64, most: u64) -> String {
    format!(
        "The scenario has {}; the page opens at most {}. The command line simulates it: blockstep simulate.",
        format_bytes(bytes),
        format_bytes(most)
    )
}

/// What an edit would make of the scenario.
pub(super) fn edit_too_large(entries: usize, most: usize) -> String {
    format!(
        "Not taken: the scenario would have {} rows and names in consumes; the page takes at most {}.",
        format_count(entries as u64),
        format_count(most as u64)
    )
}

/// Cells of a spreadsheet with more lines than a scenario may have rows.
pub(super) fn too_many_lines(lines: usize, most: usize) -> String {
    format!("Not read: the cells have {} lines; the page takes at most {} rows.", format_count(lines as u64), format_count(most as u64))
}

pub(super) fn cells_too_long(bytes: u64, most: u64) -> String {
    format!("Not read: the cells have {}; the page takes at most {}.", format_bytes(bytes), format_bytes(most))
}

pub(super) fn file_unreadable(name: &str, why: &str) -> String {
    format!("{name}: the browser cannot read this file as text ({why})")
}

// What a quiz refuses.

pub(super) const STEPS_HIDDEN: &str = "What comes after this step is hidden until the quiz no longer asks about it.";
pub(super) const NO_EDIT: &str = "The scenario cannot be changed during a quiz about it.";
pub(super) const NO_OTHER_SCENARIO: &str = "Another scenario cannot be opened during a quiz.";

// Speeds.

pub(super) fn steps_per_second(steps: u32) -> String {
    match steps {
        1 => "1 step/s".to_owned(),
        _ => format!("{steps} steps/s"),
    }
}

pub(super) fn run_in(seconds: u32) -> String {
    format!("run in {seconds} s")
}
