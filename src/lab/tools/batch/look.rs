//! Colours, patterns and measures of the pictures.
//!
//! Depends on `view::palette`. Invariant: colours are written out, so that a saved picture looks as
//! the one on the page; a task's colour comes with a pattern.

use std::fmt::Write;

use crate::report::Options;
use crate::units::RowId;
use crate::view::palette::{Pattern, colour_of, pattern_of, text_on};

/// How pictures are to look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// On a dark ground.
    pub(super) is_dark: bool,
    /// Room for a picture.
    pub(super) width_px: f64,
    /// Words.
    pub(super) ink: &'static str,
    /// Quiet words.
    pub(super) quiet: &'static str,
    /// Lines.
    pub(super) line: &'static str,
    /// The ground.
    pub(super) ground: &'static str,
    /// The ground of lanes.
    pub(super) soft: &'static str,
    /// What is held up.
    pub(super) mark: &'static str,
}

/// Width of the column of commands beside the queues.
pub(super) const COLUMN_PX: f64 = 290.0;

/// Of the panel, on both sides together; half as much on a phone.
const EDGES_PX: u32 = 40;

impl Look {
    pub(super) fn new(options: &Options) -> Self {
        let edges = if options.width_px > 500 { EDGES_PX } else { EDGES_PX / 2 };
        let width_px = f64::from(options.width_px.saturating_sub(edges).clamp(280, 2400));
        let light = Self {
            is_dark: false,
            width_px,
            ink: "#1b1e23",
            quiet: "#5b616b",
            line: "#c4c4bc",
            ground: "#ffffff",
            soft: "#efefea",
            mark: "#b93d0b",
        };
        if !options.is_dark {
            return light;
        }
        Self {
            is_dark: true,
            ink: "#e8e9eb",
            quiet: "#a3aab4",
            line: "#4a515c",
            ground: "#1d2025",
            soft: "#262a31",
            mark: "#ffab70",
            ..light
        }
    }

    /// Whether commands and queues have room beside each other.
    pub(super) fn is_wide(self) -> bool {
        self.width_px >= 860.0
    }

    /// The colour of a task, as style sheets write it.
    pub(super) fn task(self, task: usize) -> String {
        colour_of(row(task), self.is_dark).css()
    }

    /// The colour of words on it.
    pub(super) fn on_task(self, task: usize) -> String {
        text_on(colour_of(row(task), self.is_dark)).css()
    }

    /// Fills for tasks with their patterns, named by `id`; tasks fill with `url(#{id}{task})`.
    pub(super) fn patterns(self, id: &str, tasks: usize) -> String {
        let mut out = String::from("<defs>");
        for task in 0..tasks {
            let stroke = if self.is_dark { "#000000" } else { "#ffffff" };
            let line = match pattern_of(row(task)) {
                Pattern::Plain => "",
                Pattern::Hatch => "M-2,2 l4,-4 M0,8 l8,-8 M6,10 l4,-4",
                Pattern::BackHatch => "M-2,6 l4,4 M0,0 l8,8 M6,-2 l4,4",
                Pattern::Level => "M0,4 h8",
                Pattern::Upright => "M4,0 v8",
            };
            // Writing to a string cannot fail.
            let _ = write!(
                out,
                "<pattern id='{id}{task}' width='8' height='8' patternUnits='userSpaceOnUse'><rect width='8' height='8' fill='{}'/><path d='{line}' stroke='{stroke}' stroke-opacity='.3' stroke-width='1.5'/></pattern>",
                self.task(task)
            );
        }
        out.push_str("</defs>");
        out
    }
}

fn row(task: usize) -> RowId {
    RowId(u32::try_from(task).unwrap_or(0))
}

/// A length in px.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
