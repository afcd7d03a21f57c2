//! The texts of the bar that moves through the run. Depends on how times are written, and on Leptos for the sentences
//! with elements in them. Commands bring their own titles.

use leptos::prelude::*;

use crate::view::quantity::format_time;

pub(crate) const TITLE: &str = "Move through the run";

// What the last step did.

pub(crate) fn nothing_yet() -> impl IntoView {
    view! { "Nothing has happened yet. Press " <kbd>"→"</kbd> " for the first step." }
}

// Buttons and slider.

pub(crate) const BUTTONS: &str = "Move through the steps";
pub(crate) const PLAY: &str = "Play (Space)";
pub(crate) const PAUSE: &str = "Pause (Space)";
pub(crate) const SLIDER: &str = "Step";

// Where the run is: "After step 3 of 12 at 1.1 s".

pub(crate) const WHERE_HELP: &str = "Steps applied and steps in the run";

/// `step` and `count` are elements with numbers, `word` and `then` with [`STEP`] or [`AFTER_STEP`] and [`at`].
pub(crate) fn step_of(word: impl IntoView, step: impl IntoView, count: impl IntoView, then: impl IntoView) -> impl IntoView {
    view! { {word} " " {step} " of " {count} {then} }
}

pub(crate) const STEP: &str = "Step";
pub(crate) const AFTER_STEP: &str = "After step";

pub(crate) fn at(at_ns: u64) -> String {
    format!(" at {}", format_time(at_ns))
}

pub(crate) const TIME_HELP: &str = "Current time";

// The field that jumps.

pub(crate) const JUMP: &str = "Go to a time or a step";
pub(crate) const JUMP_EXAMPLE: &str = "1.1 s or #12";
pub(crate) const JUMP_HELP: &str = "A time such as 1.1 s or 200 ms, or a step such as #12";
pub(crate) const GO: &str = "Go";

// The list of speeds.

pub(crate) const SPEEDS: &str = "Play";
pub(crate) const SPEED: &str = "Speed";
