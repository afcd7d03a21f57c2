//! The texts of "The run in tables": every word that a reader meets there. Depends on `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

use crate::view::quantity::format_count;

// Which table.

pub(super) const TABLE: &str = "Table";
pub(super) const NOW: &str = "Executing now";
pub(super) const BLOCKS: &str = "Blocks, SM by SM";
pub(super) const OPS: &str = "Kernels and copies";
pub(super) const JOBS: &str = "Jobs";

pub(super) const HIDDEN: &str = "Everything after this step is hidden until you answer.";

// What the table holds.

pub(super) fn nothing_at(title: &str, time: &str) -> String {
    format!("{title} at {time}: nothing")
}

pub(super) fn count_at(title: &str, time: &str, count: usize) -> String {
    format!("{title} at {time}: {count}")
}

pub(super) fn count(title: &str, count: usize) -> String {
    format!("{title}: {}", format_count(count as u64))
}

// Columns.

pub(super) const NOW_HEAD: &[&str] = &["Block or copy", "On", "Threads", "From", "To"];
pub(super) const BLOCKS_HEAD: &[&str] = &["Block", "On", "Threads", "From", "To"];
pub(super) const OPS_HEAD: &[&str] = &["Operation", "Kind", "Stream", "Issued", "Queued", "Start", "End"];
pub(super) const JOBS_HEAD: &[&str] = &["Job", "Release", "Deadline", "End", "Deadline met"];

// Cells.

pub(super) const NOT_YET: &str = "not yet";
pub(super) const AFTER_END: &str = "after the end";
pub(super) const NO_VALUE: &str = "–";
pub(super) const KERNEL: &str = "kernel";
pub(super) const COPY_IN: &str = "input copy";
pub(super) const COPY_OUT: &str = "output copy";
pub(super) const NO_DEADLINE: &str = "none";
pub(super) const MET: &str = "met";
pub(super) const MISSED: &str = "missed";

pub(super) fn sm(number: u16) -> String {
    format!("SM {number}")
}

pub(super) fn copy_engine(number: u8) -> String {
    format!("Copy engine {number}")
}

// From page to page.

pub(super) const EARLIER: &str = "Earlier rows";
pub(super) const LATER: &str = "Later rows";

pub(super) fn page(number: usize, count: usize) -> String {
    format!("page {number} of {}", format_count(count as u64))
}
