//! The texts of "Rules": every word that a reader meets there, but for the rules themselves. Depends on `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

#[cfg(target_arch = "wasm32")]
use leptos::prelude::*;

use crate::view::quantity::{format_count, format_time};

// How many rules the run uses.

#[cfg(target_arch = "wasm32")]
pub(super) fn used(used: usize, all: usize) -> impl IntoView {
    view! {
        <strong>{format!("{used} of {all} rules used")}</strong>
        " by this run"
    }
}

pub(super) fn progress(used: usize, all: usize) -> String {
    format!("{used} of {all}")
}

// Rules that are changed.

#[cfg(target_arch = "wasm32")]
pub(super) fn changed() -> impl IntoView {
    view! {
        <strong>"Not what a GPU does."</strong>
        " Rules changed:"
    }
}

pub(super) fn changed_now(ids: &str) -> String {
    format!("Rules changed: {ids}. This is not what a GPU does.")
}

pub(super) const COMPARE: &str = "Compare both runs";
pub(super) const RESET: &str = "Restore all rules";
pub(super) const ON_SCREEN: &str = "The run on screen still follows the original rules.";

// What the change does to the run.

pub(super) const NO_EFFECT: &str = "The change has no effect on this run: both runs have the same steps.";
pub(super) const BY_THE_RULES: &str = "Original rules";
pub(super) const CHANGED: &str = "Changed";
pub(super) const NOTHING_MORE: &str = "Nothing more happens.";
pub(super) const GO_TO_DIFFERENCE: &str = "Go to the first difference";

pub(super) fn open_showcase(change: &str) -> String {
    format!("Open a small table for {change}")
}

pub(super) fn diverge_after(steps: usize) -> String {
    match steps {
        0 => "The runs differ from the first step on:".to_owned(),
        1 => "After 1 identical step, the runs diverge:".to_owned(),
        steps => format!("After {} identical steps, the runs diverge:", format_count(steps as u64)),
    }
}

#[cfg(target_arch = "wasm32")]
pub(super) fn differs(effects: String) -> impl IntoView {
    view! {
        <strong>"With the changed rules, the run "</strong>
        "differs: "
        {effects}
    }
}

pub(super) fn cut(cut: &str) -> String {
    format!("The changed run was cut short: {cut}.")
}

// The rules by what they are about.

pub(super) const STREAMS: &str = "Streams, EE queues, blocks";
pub(super) const COPIES: &str = "Copies";
pub(super) const NULL_STREAM: &str = "NULL stream";
pub(super) const PRIORITIES: &str = "Priorities";
pub(super) const JOBS: &str = "Jobs and deadlines";
pub(super) const TURNS: &str = "Processes take turns";
pub(super) const RUNLIST: &str = "Runlist";
pub(super) const EDF: &str = "Earliest deadline first";
pub(super) const SERVERS: &str = "Servers";
pub(super) const CUDA: &str = "CUDA: events, connections, calls that wait";

pub(super) fn used_of(used: usize, all: usize) -> String {
    format!("{used} of {all} used")
}

// A rule.

/// `5 steps, held back 3 times (2.5 s in total), from 0 s to 3 s`: each part as far as there is one.
pub(super) fn count(steps: u64, waits: u64, waited_ns: Option<u64>, from_to: Option<(String, String)>) -> String {
    let steps = match steps {
        0 => None,
        1 => Some("1 step".to_owned()),
        n => Some(format!("{} steps", format_count(n))),
    };
    let times = if waits == 1 { "once".to_owned() } else { format!("{} times", format_count(waits)) };
    let waited = waited_ns.map_or_else(|| "longer than can be said".to_owned(), format_time);
    let held = (waits > 0).then(|| format!("held back {times} ({waited} in total)"));
    let when = from_to.map(|(from, to)| if from == to { format!("at {from}") } else { format!("from {from} to {to}") });
    [steps, held, when].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

pub(super) fn unused(why: &str) -> String {
    format!("Not used. {why}")
}

pub(super) fn next_use(rule: &str) -> String {
    format!("Next use of {rule}")
}

pub(super) fn previous_use(rule: &str) -> String {
    format!("Previous use of {rule}")
}

pub(super) fn no_later(rule: &str) -> String {
    format!("There is no later use of {rule}.")
}

pub(super) fn no_earlier(rule: &str) -> String {
    format!("There is no earlier use of {rule}.")
}

// A rule at the step.

pub(super) const UNTIL_END: &str = "to the end of the run";

pub(super) fn cited(number: u64, count: u64) -> String {
    format!("Here: step {} of {}.", format_count(number), format_count(count))
}

pub(super) fn until(time: &str) -> String {
    format!("until {time}")
}

/// What begins to wait, or only the rest of it, and until when.
#[cfg(target_arch = "wasm32")]
pub(super) fn waits<T: IntoView>(is_rest: bool, op: T, until: &str) -> impl IntoView + use<T> {
    let until = format!(" begins to wait here, {until}. ");
    view! {
        {if is_rest { "The rest of " } else { "" }}
        {op}
        {until}
    }
}

pub(super) fn more(count: usize) -> String {
    format!("And {count} more.")
}

// What it can be changed to.

/// What is before the change, with the ids of other rules that it changes too.
pub(super) fn instead(others: &[&str]) -> String {
    if others.is_empty() { "Instead:".to_owned() } else { format!("Instead (with {}):", others.join(", ")) }
}
