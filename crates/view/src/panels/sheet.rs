//! What panels of numbers have in common: tables to read, charts with their captions, and links to instants.
//!
//! Depends on `units` and `palette`. Invariants: these are values, worded and rounded; a chart is an SVG that `draw` painted,
//! with a text that says what it shows.

use serde::{Deserialize, Serialize};

use crate::palette::Rgb;
use crate::quantity::format_count;
use crate::results::unit::TimeUnit;
use blockstep_sim::units::Time;

/// A table to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// What it holds.
    pub caption: String,
    /// Its columns.
    pub head: Vec<SheetHead>,
    /// Its rows.
    pub rows: Vec<SheetRow>,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetHead {
    /// What the column is called.
    pub name: String,
    /// Whether it holds numbers.
    pub is_number: bool,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetRow {
    /// What it is called, if it has a name.
    pub name: Option<String>,
    /// The cells after that.
    pub cells: Vec<SheetCell>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SheetCell {
    /// A number.
    Number {
        /// Rounded, as it is shown.
        shown: String,
        /// Exactly, for where the pointer rests; `None` if it is shown exactly.
        exact: Option<String>,
    },
    /// No number: there is none.
    Nothing,
}

/// How a sentence or a cell is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tone {
    /// As any other.
    Plain,
    /// Of less weight.
    Quiet,
    /// Bad: something is exceeded.
    Exceeded,
}

/// A chart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chart {
    /// What `draw` painted.
    pub svg: String,
    /// What it shows, in words.
    pub label: String,
}

/// A chart with what stands above it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figured {
    /// What is to be seen.
    pub caption: String,
    /// The chart below that.
    pub chart: Chart,
}

/// A curve in a legend.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stroke {
    /// What the curve shows.
    pub name: String,
    /// Its color.
    pub colour: Rgb,
    /// Its dashes: pixels on and off in turn; none is a solid line.
    pub dashes: Vec<i32>,
}

/// A link to an instant of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jump {
    /// What it says.
    pub text: String,
    /// What it does, for where the pointer rests.
    pub title: String,
    /// Both with the task, for screen readers: most tasks have a job 0.
    pub name: String,
    /// The instant.
    pub at: Time,
}

impl Sheet {
    /// A table without rows yet; columns whose name begins with a `#`, which is not shown, hold numbers.
    pub(super) fn new(caption: impl Into<String>, head: &[&str]) -> Self {
        Self { caption: caption.into(), head: heads(head), rows: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, name: Option<String>, cells: Vec<SheetCell>) {
        self.rows.push(SheetRow { name, cells });
    }
}

/// The columns of these names, with a `#` before those of numbers.
#[must_use]
pub fn heads(names: &[&str]) -> Vec<SheetHead> {
    names.iter().map(|name| SheetHead { name: name.trim_start_matches('#').to_owned(), is_number: name.starts_with('#') }).collect()
}

impl SheetCell {
    /// A number as it is.
    pub(super) fn text(shown: String) -> Self {
        Self::Number { shown, exact: None }
    }

    /// A count.
    pub(super) fn count(n: u64) -> Self {
        Self::text(format_count(n))
    }

    /// A time in its column's unit.
    pub(super) fn time(unit: TimeUnit, ns: Option<u128>) -> Self {
        ns.map_or(Self::Nothing, |ns| Self::Number { shown: unit.short(ns), exact: Some(format!("{} {}", unit.exact(ns), unit.name)) })
    }

    /// What is shown.
    #[must_use]
    pub fn shown(&self) -> &str {
        match self {
            Self::Number { shown, .. } => shown,
            Self::Nothing => "\u{2013}",
        }
    }
}

impl Jump {
    /// To an instant of a job of a task.
    pub(super) fn new(at: Time, (job, task): (u32, &str), title: impl Into<String>) -> Self {
        let (text, title) = (format!("job {job}"), title.into());
        Self { name: format!("{text} of {task}: {title}"), text, title, at }
    }
}
