//! The texts of the messages: what is wrong, how far a long run is, what an import asks. Depends on how numbers are written, and
//! on Leptos for the sentence with a key in it.

use leptos::prelude::*;

use crate::view::quantity::{format_count, format_time, format_time_short};

pub(crate) const MESSAGES: &str = "Messages";
pub(crate) const DISMISS: &str = "Dismiss";
pub(crate) const CANCEL: &str = "Cancel";

// The first visit.

pub(crate) fn welcome() -> impl IntoView {
    view! {
        "Blockstep simulates how a GPU schedules kernels. Step with " <kbd>"→"</kbd>
        ", click anything to ask why, and edit any cell."
    }
}

pub(crate) const START: &str = "Start here (3 min)";

// What is wrong with the scenario.

/// Of several problems, the first.
pub(crate) fn not_simulated(first: &str, count: usize) -> String {
    match count {
        0 | 1 => format!("Not simulated: {first}. The last valid run stays on screen."),
        _ => format!("Not simulated: {first} (and {} more). The last valid run stays on screen.", count - 1),
    }
}

pub(crate) const UNDO: &str = "Undo";

/// Of several doubts, the first.
pub(crate) fn doubtful(first: &str, count: usize) -> String {
    match count {
        0 | 1 => format!("Note: {first}"),
        _ => format!("Note: {first} (and {} more)", count - 1),
    }
}

// Runs that did not end.

pub(crate) fn incomplete(why: &str) -> String {
    format!("The simulation is incomplete: {why} The last complete run stays on screen.")
}

pub(crate) const SIMULATE_AGAIN: &str = "Simulate again";

pub(crate) const HELD: &str = "Opened without running, as the last run did not finish. A background worker can run it.";
pub(crate) const RUN_IT: &str = "Run it";

pub(crate) fn cut_short(why: &str) -> String {
    format!("Cut short: {why}. The page shows the run up to that point.")
}

// Runs that are being made.

pub(crate) const SIMULATING: &str = "Simulating";

pub(crate) fn simulating(steps: u64, at_ns: u64, end_ns: Option<u64>) -> String {
    let (steps, at) = (format_count(steps), format_time_short(at_ns));
    match end_ns {
        Some(end) => format!("Simulating: {steps} steps, {at} of {}", format_time(end)),
        None => format!("Simulating: {steps} steps, {at}"),
    }
}

pub(crate) const SIMULATION_PROGRESS: &str = "Simulation progress";

// What a quiz keeps the reader from.

/// `refused`: what the reader wanted and may not do now.
pub(crate) fn kept(refused: Option<&str>, is_asking: bool) -> String {
    let what = refused.unwrap_or("A quiz is in progress.");
    match is_asking {
        true => format!("{what} Answer the question, or give it up."),
        false => format!("{what} Continue the quiz, or give it up."),
    }
}

pub(crate) const BACK_TO_QUIZ: &str = "Back to the quiz";
pub(crate) const GIVE_UP_QUESTION: &str = "Give up this question";
pub(crate) const GIVE_UP_QUIZ: &str = "Give up the quiz";

// The time that an import asks for.

pub(crate) const TIME_PER_BLOCK: &str = "Time per block ";
pub(crate) const USUAL_TIME: &str = "10 ms";
pub(crate) const TIME_IS_ZERO: &str = "0; the minimum is 1 ns";
pub(crate) const OPEN: &str = "Open";
