//! The texts of "Why not now?": every word that a reader meets there, but for the chain of causes, which `learn::why` words.
//! Depends on `language` and on how numbers are written.

#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

#[cfg(target_arch = "wasm32")]
use leptos::prelude::*;

use crate::language::{all_of, s};
use crate::learn::occupancy::Occupancy;
use crate::view::quantity::format_count;

// While nothing is selected.

pub(super) const WHAT_TO_CLICK: &str =
    "Click anything that waits: a box in the queues, a name under “Waiting now”, a kernel on the timeline or in the table.";

pub(super) const WAITING: &str = "Waiting now";

pub(super) const NOTHING_WAITS: &str = "Nothing waits at this step.";

/// Under why nothing is on an SM, with the kernel whose turn it is.
#[cfg(target_arch = "wasm32")]
pub(super) fn ask_about(head: impl IntoView) -> impl IntoView {
    view! { "Ask about " {head} "." }
}

// A row that the run issues nothing of.

pub(super) fn never(row: &str) -> String {
    format!("{row} is never issued in this run.")
}

pub(super) fn only_waits(row: &str, function: &str) -> String {
    format!("{row} puts nothing on the GPU. The CPU waits in this call, {function}.")
}

pub(super) fn call_never_made(task: &str) -> String {
    format!("Task {task} does not come to this call before the run ends.")
}

pub(super) fn call_never_returns(task: &str, made: &str) -> String {
    format!("Task {task} waits from {made} until the run ends.")
}

pub(super) fn call_made(task: &str, made: &str, returned: &str) -> String {
    format!("In its first job, task {task} waits from {made} to {returned}.")
}

pub(super) fn never_after(task: &str, after: &str) -> String {
    format!("Task {task} issues it after row {after} is complete, which does not happen before the run ends.")
}

pub(super) fn never_released(task: &str, start: &str) -> String {
    format!("Task {task} would issue it {start} after it releases a job, but the run ends before.")
}

// When an operation goes on. The step follows, as a button, and a full stop.

pub(super) const COMPLETES_AT: &str = "Completes at ";
pub(super) const ISSUED_AT: &str = "Issued at ";
pub(super) const WAITS_UNTIL: &str = "Waits until ";
pub(super) const NEXT_BLOCK_AT: &str = "Its next block is assigned at ";
pub(super) const NOT_BEFORE_END: &str = "It does not continue before the run ends.";

/// A step as a button.
pub(super) fn step(number: &str, time: &str) -> String {
    format!("step {number} ({time})")
}

// Where it is: a line for each SM or copy engine.

pub(super) fn one_block(block: &str, sm: u16) -> String {
    format!("Block {block} on SM {sm}")
}

pub(super) fn few_blocks(blocks: &[String], sm: u16) -> String {
    format!("Blocks {} on SM {sm}", blocks.join(", "))
}

pub(super) fn many_blocks(count: usize, sm: u16) -> String {
    format!("{count} blocks on SM {sm}")
}

pub(super) fn on_engine(engine: &str) -> String {
    format!("On {engine}")
}

pub(super) fn until(place: &str, since: &str, until: &str) -> String {
    format!("{place} since {since}, until {until}")
}

pub(super) fn suspended(place: &str, since: &str, left: &str) -> String {
    format!("{place} since {since}, suspended, with {left} left")
}

pub(super) fn and_on_sms(more: usize) -> String {
    format!("and on {more} more SM{}", s(more as u64))
}

// How many blocks an SM holds.

pub(super) const ANY_NUMBER: &str = "any number";
pub(super) const OCCUPANCY: [&str; 4] = ["", "A block takes", "An SM has", "Enough for"];

pub(super) fn occupancy(blocks: u64, lacking: &[&str]) -> String {
    let lacking = all_of(lacking);
    match blocks {
        0 => format!("Occupancy: no block fits on an SM, for lack of {lacking}"),
        blocks => format!("Occupancy: at most {} block{} on an SM, limited by {lacking}", format_count(blocks), s(blocks)),
    }
}

/// What comes of it for the whole device.
pub(super) fn waves(found: &Occupancy) -> String {
    let at_once = found.blocks.saturating_mul(found.sms);
    let device = match found.sms {
        1 => "the SM holds".to_owned(),
        sms => format!("{} SMs hold", format_count(sms)),
    };
    let kernel = match found.waves() {
        0 | 1 => "all of the kernel".to_owned(),
        waves => {
            format!("{} of the kernel's {}: at least {} waves", format_count(at_once), format_count(found.kernel), format_count(waves))
        }
    };
    format!("When idle, {device} {kernel}. The blocks on an SM have {} % of its threads.", found.percent())
}

pub(super) fn count_units((major, minor): (u32, u32)) -> String {
    format!("Count whole warps and units of allocation, as compute capability {major}.{minor} hands them out")
}

// The chain of causes.

pub(super) const CAUSE: &str = "The cause";
pub(super) const CAUSES: &str = "The chain of causes";

/// Of a kernel that waits, and of which blocks execute.
pub(super) fn partly_executing(cause: &str) -> String {
    format!("partly executing; {cause}")
}

/// When a cause ends: the step, and what happens there.
#[cfg(target_arch = "wasm32")]
pub(super) fn wait_ends(step: impl IntoView, sentence: String) -> impl IntoView {
    view! { "Wait ends at " {step} {format!(": {sentence}")} }
}

pub(super) const STILL_WAITING: &str = "Still waiting when the run ends.";
pub(super) const UNSOUGHT: &str =
    "When this wait ends was not looked for: the run is too long for so many causes. Ask about this operation to find out.";

/// The middle of a long chain.
pub(super) fn more_causes(count: &str) -> String {
    format!("… {count} more causes, each that of the one before …")
}

// The table of SMs of a cause.

pub(super) fn scrolled(cause: usize) -> String {
    format!("SMs, cause {cause}")
}

pub(super) const FREE_CAPTION: &str = "Free resources of each SM, and what holds the rest";

pub(super) fn free_caption(sm: u16, block: u32, op: &str, time: &str) -> String {
    format!("{FREE_CAPTION}; room on SM {sm} once block {block} of {op} ends at {time}")
}

pub(super) const SM: &str = "SM";

/// The head of a column: a resource, and what a block needs of it.
pub(super) fn free(resource: &str, need: &str) -> String {
    format!("Free {resource} (needs {need})")
}

pub(super) const HELD_BY: &str = "Held by";

pub(super) fn too_little(amount: &str) -> String {
    format!("{amount}, too little")
}

pub(super) const NOBODY: &str = "nobody";

/// After the holders, where a line is of several SMs, or there are more holders than it names.
pub(super) fn rest(is_of_several: bool, more: usize) -> String {
    match (is_of_several, more) {
        (false, 0) => String::new(),
        (true, 0) => ", on each".to_owned(),
        (false, more) => format!("; and {more} more"),
        (true, more) => format!(", on each; and {more} more"),
    }
}

/// What blocks of a kernel hold of what is missing.
pub(super) fn hold(blocks: u32, held: &[String], until: &str, suspended: u32) -> String {
    let blocks = if blocks == 1 { "1 block".to_owned() } else { format!("{blocks} blocks") };
    let held = held.join(", ");
    match suspended {
        0 => format!("{blocks}, {held}, until {until}"),
        suspended => format!("{blocks}, {held}, until {until}, {suspended} suspended"),
    }
}

pub(super) fn slots(amount: u64, written: &str) -> String {
    if amount == 1 { "1 slot".to_owned() } else { format!("{written} slots") }
}

pub(super) fn and_sms(more: u64) -> String {
    format!("and {} more SM{}", format_count(more), s(more))
}

// How it began.

pub(super) fn why_started(what: &str) -> String {
    format!("Why {what} started here, and at this time")
}

#[cfg(target_arch = "wasm32")]
pub(super) fn assigned(step: impl IntoView, rule: impl IntoView) -> impl IntoView {
    view! { "It was assigned at " {step} " by " {rule} "." }
}

// The rest of the kernel.

pub(super) const OTHER_PARTS: &str = "Other parts of this kernel";
pub(super) const EXECUTES: &str = "executes";

pub(super) fn and_more(more: &str) -> String {
    format!("and {more} more")
}
