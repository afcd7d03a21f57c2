//! The texts of "Notes": every word that a reader meets there. Depends on `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

use crate::view::quantity::format_count;

// The note of the step.

pub(super) const NONE_HERE: &str = "No note at this step.";
pub(super) const PREVIOUS: &str = "◀ Previous note";
pub(super) const NEXT: &str = "Next note ▶";

// The text area.

pub(super) const FIELD_AT_START: &str = "Note before the first step";
pub(super) const BEFORE_FIRST: &str = "Before the first step.";
pub(super) const KEEP: &str = "Keep";
pub(super) const KEEP_HELP: &str = "Saved automatically; included in links.";

pub(super) fn field(position: u32, time: &str) -> String {
    format!("Note at step {}, {time}", format_count(position.into()))
}

pub(super) fn too_long(count: usize, limit: usize) -> String {
    let (count, limit) = (format_count(count as u64), format_count(limit as u64));
    format!("Not saved: this note has {count} characters; the maximum is {limit}. Shorten it.")
}

pub(super) fn too_many(limit: usize) -> String {
    format!("Not saved: there are already {limit} notes, the maximum. Remove one first.")
}

pub(super) fn left_out(count: usize, max_notes: usize, max_text: usize) -> String {
    let limit = format_count(max_text as u64);
    format!("{count} of the link's notes are left out: at most {max_notes} notes of {limit} characters each are possible.")
}

// What was removed.

pub(super) const REMOVED: &str = "The note is removed.";
pub(super) const RESTORE: &str = "Restore";
pub(super) const RESTORED: &str = "The note is back.";

pub(super) fn removed_of(position: u32) -> String {
    format!("The note of step {} was removed.", format_count(position.into()))
}

// The lists.

pub(super) const OF_RUN: &str = "Notes of this run";
pub(super) const WITHOUT_STEP: &str = "Notes without a step";
pub(super) const WITHOUT_STEP_LEAD: &str = "The run no longer has these steps. The notes return when it has them again.";
pub(super) const REMOVE: &str = "Remove";

pub(super) fn with_count(title: &str, count: usize) -> String {
    format!("{title} ({count})")
}

fn step(position: u32) -> String {
    if position == 0 { "Start".to_owned() } else { format!("Step {}", format_count(position.into())) }
}

pub(super) fn place(position: u32, time: &str) -> String {
    format!("{}, {time}", step(position))
}

pub(super) fn was(position: u32) -> String {
    format!("was {}", step(position).to_lowercase())
}

pub(super) fn behind_end(time: &str, end: &str) -> String {
    format!("{time}, after the end of the run at {end}")
}

pub(super) fn remove_of(position: u32) -> String {
    format!("Remove the note of {}", step(position).to_lowercase())
}

// Notes about other scenarios.

pub(super) const FORGET: &str = "Remove permanently";

pub(super) fn others(count: usize, limit: usize) -> String {
    format!("{count} of {limit} notes belong to other scenarios. They appear when their scenario is open.")
}

/// Of one scenario, which may have no name.
pub(super) fn others_of(count: usize, limit: usize, scenario: &str) -> String {
    let name = if scenario.is_empty() { "without a name".to_owned() } else { format!("“{scenario}”") };
    format!("{count} of {limit} notes belong to scenario {name}. They appear when their scenario is open.")
}
