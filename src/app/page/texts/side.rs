//! The texts beside the timeline: the scenario and its notes, what waits, the steps. Depends on how numbers are
//! written, and on Leptos for the sentence with buttons in it.

use leptos::prelude::*;

use crate::view::quantity::{format_count, format_time};

// The scenario.

pub(crate) const SCENARIO: &str = "Scenario";
pub(crate) const NAME: &str = "Name of the scenario";
pub(crate) const NAME_HERE: &str = "Name this scenario";
pub(crate) const RESTORE_ORIGINAL: &str = "Restore the original";

// A scenario that was edited, and the notes of what it was.

/// `notes` and `restore` are buttons.
pub(crate) fn based_on(title: String, notes: impl IntoView, restore: impl IntoView) -> impl IntoView {
    view! { "Based on " {title} " · " {notes} " · " {restore} }
}

pub(crate) const SHOW_NOTES: &str = "Show its notes";
pub(crate) const HIDE_NOTES: &str = "Hide its notes";
pub(crate) const RESTORE: &str = "Restore it";

pub(crate) fn notes_of(title: &str) -> String {
    format!("These notes describe the original {title}. They may not apply to this run.")
}

pub(crate) fn moment(label: &str, at_ns: u64) -> String {
    format!("{label}, {}", format_time(at_ns))
}

// What waits.

pub(crate) const WAITING: &str = "Waiting now";
pub(crate) const NOTHING_WAITS: &str = "Nothing waits at this step.";
pub(crate) const BEYOND_END: &str = "beyond the end of the run";

pub(crate) fn until(step: u64, at_ns: u64) -> String {
    format!("until step {} ({})", format_count(step), format_time(at_ns))
}

pub(crate) fn more(count: u64) -> String {
    format!("and {} more", format_count(count))
}

// The steps.

pub(crate) const STEPS: &str = "Steps";
