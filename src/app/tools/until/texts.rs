//! The texts of "Run until": every word that a reader meets there, but for the conditions. Depends on `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

use crate::units::Time;
use crate::view::quantity::{format_count, format_time};

// The condition.

pub(super) const UNTIL: &str = "Until";
pub(super) const KERNEL: &str = "Kernel";
pub(super) const OF: &str = "of";
pub(super) const ANY_KERNEL: &str = "any kernel";
pub(super) const TASK: &str = "Task";
pub(super) const ANY_TASK: &str = "any task";
pub(super) const PROCESS: &str = "Process";
pub(super) const SM: &str = "SM";
pub(super) const REASON: &str = "Reason";
pub(super) const RULE: &str = "Rule";
pub(super) const BELOW: &str = "below";
pub(super) const FREE_THREADS: &str = " free threads";

pub(super) fn rule(id: &str, sentence: &str) -> String {
    format!("{id}: {sentence}")
}

// Its buttons.

pub(super) const PREVIOUS: &str = "◀ Previous";
pub(super) const NEXT: &str = "Next ▶";

// What a search came to.

/// How often something happens.
pub(super) fn times(count: u32) -> String {
    match count {
        0 => "Never in this run.".to_owned(),
        1 => "Once in this run.".to_owned(),
        count => format!("{} times in this run.", format_count(count.into())),
    }
}

pub(super) fn not_before(count: u32) -> String {
    format!("Not before this step. {}", times(count))
}

pub(super) fn not_again(count: u32) -> String {
    format!("Not again before the end of the run. {}", times(count))
}

/// Step and time, and what happens there; where it happens several times, which time of how many this is.
pub(super) fn found(step: u32, at: Time, what: &str, which: Option<(u32, u32)>) -> String {
    let place = format!("Step {} ({})", format_count(step.into()), format_time(at.ns()));
    match which {
        Some((number, count)) => format!("{place}: {what} ({} of {}).", format_count(number.into()), format_count(count.into())),
        None => format!("{place}: {what}."),
    }
}

/// The parts of what [`found`] says: step and time, and what happens there.
pub(super) fn place_and_what(found: &str) -> Option<(&str, &str)> {
    found.split_once(": ")
}
