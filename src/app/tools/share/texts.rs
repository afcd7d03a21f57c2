//! The texts of "Link and embed": every word that a reader meets there. Depends on `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

use crate::view::quantity::format_count;

// A link that is being followed.

pub(super) const NOT_OPENED: &str = "The link was not opened.";
pub(super) const ARRIVING: &str = "The link's run is long. The page follows the link when the run is ready.";

/// Its scenario has this problem.
pub(super) fn cannot_run(problem: &str) -> String {
    format!("The scenario in this link cannot be run: {problem}.")
}

pub(super) fn unknown_tools(names: &[String]) -> String {
    let names = names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    format!("The link opens tools that this version does not have: {names}. They are left out.")
}

// The link.

pub(super) const LINK: &str = "Link to what you see";
pub(super) const COPY_LINK: &str = "Copy link";
pub(super) const LONG: &str =
    "Longer than 2,000 characters: some mail and chat programs break such links. Leave something out, or send the scenario as a file.";
pub(super) const VERY_LONG: &str =
    "Longer than 8,000 characters: many mail and chat programs, and some browsers, do not take such links. Send the scenario as a file.";

pub(super) fn length(characters: usize) -> String {
    format!("{} characters", format_count(characters as u64))
}

// What it takes along.

pub(super) const NOTHING_MORE: &str = "It contains the scenario with its policy and device, and the step.";
pub(super) const INCLUDE: &str = "Also include";
pub(super) const ZOOM: &str = "the visible part of the timeline";
pub(super) const TOOLS: &str = "the tools that are open";
pub(super) const NOTES: &str = "notes of this run";
pub(super) const PRIVACY: &str = "Nothing is stored anywhere. The link itself holds everything after the #, and browsers do not send that part to the server. Anyone with the link has the scenario. Measured traces and files that you opened stay on your computer.";

pub(super) fn selection(kernel: &str) -> String {
    format!("the selected kernel, {kernel}")
}

// The code for another page: what it is, what it shows, and its size.

pub(super) const CODE_FOR: &str = "Code for";
pub(super) const ELEMENT: &str = "a picture, then the page";
pub(super) const FRAME: &str = "the page at once";
pub(super) const SHOW: &str = "Show";
pub(super) const SHOW_BOTH: &str = "timeline and queues";
pub(super) const SHOW_TIMELINE: &str = "the timeline";
pub(super) const SHOW_QUEUES: &str = "the queues";
pub(super) const WIDTH: &str = "Width (px or 100%)";
pub(super) const HEIGHT: &str = "Height (px)";
pub(super) const RESTRICT: &str = "restrict the frame (sandbox)";
pub(super) const SEPARATE: &str = "keep the picture in a file of its own";

pub(super) fn wrong_width(text: &str, least: u32) -> String {
    format!("Width: \"{text}\" is not a whole number of pixels from {least} to 4,000, nor 100%.")
}

pub(super) fn wrong_height(text: &str, least: u32) -> String {
    format!("Height: \"{text}\" is not a whole number of pixels from {least} to 4,000.")
}

// The code.

pub(super) const CODE: &str = "Embed code";
pub(super) const COPY_CODE: &str = "Copy code";
pub(super) const SAVE_PICTURE: &str = "Save picture";
pub(super) const NO_PICTURE: &str = "The queue diagram is too large for a picture: show the timeline.";
pub(super) const ELEMENT_HELP: &str =
    "Readers see the picture and the step's sentence. A click loads the page in its place, as high as it needs to be. ";
pub(super) const CODE_HELP: &str = "Readers step with keys or buttons. Notes are shown as captions, and a link opens the full page.";

/// What screen readers call what the code shows, with a scenario of this name.
pub(super) fn title(name: &str) -> String {
    if name.is_empty() { "Blockstep".to_owned() } else { format!("Blockstep: {name}") }
}
