//! The texts of what works behind the page's panels: workers, files that are read, what is kept, what a quiz refuses, the
//! speeds of playing. Depends on how sizes are written.

use crate::view::quantity::format_bytes;

// Workers.

pub(super) const NO_WORKERS: &str = "This browser does not allow background workers, which this function needs.";
pub(super) const OTHER_VERSION: &str = "Parts of this page have different versions. Reload the page.";
pub(super) const ANSWER_STOPPED: &str = "This was stopped.";
pub(super) const RUN_STOPPED: &str = "Stopped.";

/// `why`: what the browser says of it, if it says something.
pub(super) fn worker_failed(why: Option<&str>) -> String {
    format!("This part of the page did not load or has stopped: {}", why.unwrap_or("check the connection"))
}

// Files.

pub(super) fn file_too_large(name: &str, bytes: u64, max_bytes: u64) -> String {
    format!(
        "{name}: the file has {}; the maximum is {}. If kernels repeat, use one task with a period and a number of jobs instead.",
        format_bytes(bytes),
        format_bytes(max_bytes)
    )
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
