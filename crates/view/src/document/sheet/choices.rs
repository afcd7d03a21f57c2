//! How a reader has cells read that wait for a word.
//!
//! Depends on the rest of `sheet`. Invariant: what was not chosen is as the cells themselves say.

use serde::{Deserialize, Serialize};

use super::PastedCells;
use crate::table::Column;

/// A choice of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PasteChoice {
    /// Whether the cells take the place of all rows.
    Replaces(bool),
    /// Whether the first line names the columns, which then go where that says.
    HasHeadings(bool),
    /// The column of the table that a column of the cells goes to; one that went there is left out.
    Target(usize, Option<usize>),
}

/// What the reader chose of some cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PasteChoices {
    /// Whether their first line names the columns.
    has_headings: Option<bool>,
    /// For each of their columns, the column of the table.
    targets: Option<Vec<Option<usize>>>,
    /// Whether they take the place of all rows.
    replaces: Option<bool>,
}

/// Cells that wait for the reader's word, and how they are to be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WaitingCells {
    /// The cells, with tabs between them.
    pub text: String,
    /// Whether semicolons stood between them.
    #[serde(rename = "semicolons")]
    pub is_of_semicolons: bool,
    /// The row of the table that the first of them goes to.
    pub row: usize,
    /// Its column.
    pub column: usize,
    /// What the reader chose.
    pub choices: PasteChoices,
}

impl WaitingCells {
    /// The cells as they are to be read for a table of these columns.
    #[must_use]
    pub fn read(&self, columns: &[Column]) -> PastedCells<'_> {
        self.choices.read(columns, self.column, &self.text, self.is_of_semicolons)
    }

    /// Makes a choice of how they are to be read.
    pub fn choose(&mut self, columns: &[Column], choice: PasteChoice) {
        let mut choices = self.choices.clone();
        choices.make(choice, &self.read(columns));
        self.choices = choices;
    }
}

impl PasteChoices {
    /// Reads cells that were pasted at column `first`; `is_of_semicolons` says what stood between them.
    #[must_use]
    pub fn read<'t>(&self, columns: &[Column], first: usize, text: &'t str, is_of_semicolons: bool) -> PastedCells<'t> {
        let mut sheet = PastedCells::with_headings(columns, first, text, self.has_headings);
        if is_of_semicolons {
            sheet = sheet.of_semicolons(columns);
        }
        match &self.targets {
            Some(targets) => sheet.with_targets(columns, targets),
            None => sheet,
        }
    }

    /// Whether the cells take the place of all rows.
    #[must_use]
    pub fn replaces(&self, sheet: &PastedCells<'_>) -> bool {
        self.replaces.unwrap_or_else(|| sheet.are_rows())
    }

    /// Makes a choice, of cells that are read as the choices so far say.
    pub fn make(&mut self, choice: PasteChoice, sheet: &PastedCells<'_>) {
        match choice {
            PasteChoice::Replaces(replaces) => self.replaces = Some(replaces),
            PasteChoice::HasHeadings(has_headings) => (self.has_headings, self.targets) = (Some(has_headings), None),
            PasteChoice::Target(source, target) => {
                let mut targets = sheet.targets();
                targets.iter_mut().filter(|other| **other == target).for_each(|other| *other = None);
                if let Some(chosen) = targets.get_mut(source) {
                    *chosen = target;
                }
                self.targets = Some(targets);
            }
        }
    }
}
