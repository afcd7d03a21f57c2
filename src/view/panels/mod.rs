//! Panels as values: what was written for a scenario, the cells of the tables; and the panels that are still HTML: the results of
//! a run, and what schedulability tests say.
//!
//! Depends on the other view models and `markup`. Invariant: nothing is decided here.

mod about;
mod diagram;
mod grid;
pub mod results;
mod scheduler;
pub mod sheet;
pub mod study;
pub mod verdicts;

pub use about::{About, Moment};
pub use diagram::diagram;
pub use grid::{GridCell, GridRow, Standing, grid, is_name, is_picked, problem_at};

use super::markup::Markup;
use super::palette;
use crate::trace::Rule;
use crate::units::RowId;

/// What decides how an operation looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// The row selected.
    pub selected: Option<RowId>,
}

impl Look {
    /// A row's colours, as custom properties of the style sheet.
    fn style(self, row: RowId) -> String {
        let colour = palette::colour_of(row, self.is_dark);
        format!("--k:{};--kt:{}", colour.css(), palette::text_on(colour).css())
    }

    /// The class name that tells how a row stands beside the selection.
    fn class(self, row: RowId) -> &'static str {
        match self.selected {
            Some(selected) if selected == row => " is-selected",
            Some(_) => " is-dimmed",
            None => "",
        }
    }
}

/// A rule's id; on hover and focus the page says what the rule says.
pub fn chip(html: &mut Markup, rule: Rule, is_focusable: bool) {
    let family = format!("chip chip-{}", rule.id().chars().next().unwrap_or('G').to_ascii_lowercase());
    let label = format!("Rule {}: {} {}", rule.id(), rule.sentence(), rule.source());
    let tab = if is_focusable { "0" } else { "" };
    html.leaf(
        "span",
        &[("class", &family), ("data-rule", rule.id()), ("tabindex", tab), ("role", "note"), ("aria-label", &label)],
        rule.id(),
    );
}

/// A class name, marked if the last step changed what it is the class of.
fn marked(class: &str, changed: bool) -> String {
    if changed { format!("{class} changed") } else { class.to_owned() }
}
