//! The texts of "Image" and "LaTeX", the tabs for figures: every word that a reader meets there. Depends on `view::quantity`.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

use crate::view::quantity::{format_count, format_time};

// Which figure.

pub(super) const FIGURE: &str = "Figure";
pub(super) const TIMELINE: &str = "Timeline";
pub(super) const QUEUES: &str = "Queue diagram at this step";
pub(super) const STRIP: &str = "Strip of queue diagrams";
pub(super) const CHART: &str = "Chart of the results";

// The timeline.

pub(super) const PART: &str = "Part";
pub(super) const PART_ZOOMED: &str = "as on screen";
pub(super) const PART_SHOWN: &str = "as on screen (the whole run)";
pub(super) const PART_ALL: &str = "the whole run, nothing selected";

pub(super) fn line(time_ns: u64) -> String {
    format!("Line at {}", format_time(time_ns))
}

// The strip.

pub(super) const ADD: &str = "Add this step";
pub(super) const CLEAR: &str = "Remove all";
pub(super) const COLUMNS: &str = "Columns";
pub(super) const COLUMNS_FIT: &str = "as many as fit";
pub(super) const MOVE_UP: &str = "Move up";
pub(super) const MOVE_DOWN: &str = "Move down";
pub(super) const REMOVE: &str = "Remove";
pub(super) const IS_EMPTY: &str = "The strip is empty.";
pub(super) const NO_STEP: &str = "The strip is empty: go to a step and add it.";

pub(super) fn step(position: u32, at_ns: u64) -> String {
    format!("Step {}, {}", format_count(position.into()), format_time(at_ns))
}

/// What a button does to a step of the strip.
pub(super) fn button_of(button: &str, step: &str) -> String {
    format!("{button}: {step}")
}

pub(super) fn is_full(most: usize) -> String {
    format!("A strip holds at most {most} steps: remove one first.")
}

pub(super) fn added(step: &str, count: usize) -> String {
    format!("{step}: added, the strip holds {count}.")
}

pub(super) fn moved(step: &str, number: usize, count: usize) -> String {
    format!("{step}: now {number} of {count}.")
}

pub(super) fn stays(step: &str) -> String {
    format!("{step}: stays where it is.")
}

pub(super) fn removed(step: &str, count: usize) -> String {
    format!("{step}: removed, the strip holds {count}.")
}

// The chart.

pub(super) const WHICH_CHART: &str = "Chart";
pub(super) const COMPARE: &str = "Compare with";
pub(super) const COMPARE_NONE: &str = "nothing";
pub(super) const NO_DATA: &str = "No block and no job completes in this run, so there is no data for a chart.";

pub(super) fn example(title: &str, source: &str) -> String {
    format!("{title} ({source})")
}

// How it looks.

pub(super) const WIDTH: &str = "Width, px ";
pub(super) const TEXT_SIZE: &str = "Text size, px ";
pub(super) const COLOURS: &str = "Colors";
pub(super) const LIGHT: &str = "light";
pub(super) const DARK: &str = "dark";
pub(super) const PRINT: &str = "print: grays and patterns";
pub(super) const TITLE: &str = "Title";
pub(super) const LEGEND: &str = "Legend";

pub(super) fn size(width: u32, height: u32) -> String {
    format!("{} × {} px", format_count(width.into()), format_count(height.into()))
}

// What is wrong with a number: the field's name first.

pub(super) const WIDTH_FIELD: &str = "Width";
pub(super) const TEXT_SIZE_FIELD: &str = "Text size";
pub(super) const SCALE_FIELD: &str = "PNG scale";

pub(super) fn wrong_number(field: &str, text: &str, (least, most): (u32, u32)) -> String {
    format!("{field} \"{text}\": it is a whole number from {least} to {most}.")
}

// Files of the figure.

pub(super) const SAVE_SVG: &str = "Save SVG";
pub(super) const SAVE_PNG: &str = "Save PNG";
pub(super) const SCALE: &str = "PNG scale";

pub(super) fn times(scale: u32) -> String {
    format!("{scale} ×")
}

pub(super) fn too_large((width, height): (u64, u64), max_side: u64, max_pixels: u64) -> String {
    format!(
        "A PNG of {} × {} pixels is too large: a browser draws at most {} by side and {} in total. Use a smaller scale or width, or save \
         an SVG.",
        format_count(width),
        format_count(height),
        format_count(max_side),
        format_count(max_pixels),
    )
}

// The figure for LaTeX.

pub(super) const TEX_WIDTH: &str = "Width";
/// Widths in pt, each with what is as wide.
pub(super) const TEX_WIDTHS: [(&str, &str); 6] = [
    ("345", "text width of an article, 345 pt"),
    ("240", "one of two columns, 240 pt"),
    ("252", "a column of IEEE, 252 pt"),
    ("516", "both columns of IEEE, 516 pt"),
    ("427", "a slide, 427 pt"),
    ("483", "A4 with small margins, 17 cm"),
];
pub(super) const TEX_SIZE: &str = "Text size";
pub(super) const SAVE_TIKZ: &str = "Save TikZ";

pub(super) fn points(size: &str) -> String {
    format!("{size} pt")
}

// Slides for LaTeX.

pub(super) const SLIDES: &str = "Slides of steps (Beamer)";
pub(super) const SHOW: &str = "Show";
pub(super) const SHOW_TIMELINE: &str = "the timeline";
pub(super) const SHOW_QUEUES: &str = "the queue diagram";
pub(super) const SHOW_BOTH: &str = "both";
pub(super) const STEPS: &str = "Steps";
pub(super) const STEPS_EXAMPLE: &str = "all, or 12, 20-30, 1.1 s";
pub(super) const FUTURE: &str = "Include future events in the timeline";
pub(super) const SAVE_BEAMER: &str = "Save Beamer slides";
pub(super) const FRAGMENT: &str = "For \\input in your own document";
pub(super) const SLIDES_FILE: &str = "slides";

pub(super) fn wrong_range(range: &str) -> String {
    format!("steps {range}: the first is after the last")
}
