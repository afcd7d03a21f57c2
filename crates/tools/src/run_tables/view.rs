//! What is shown of a table of the run.
//!
//! Depends on which tables there are. Invariant: it holds the rows that are shown, and no others.

use serde::{Deserialize, Serialize};

use super::state::Table;

/// A part of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// The table.
    pub table: Table,
    /// That something is left out, if it is.
    pub notice: Option<String>,
    /// What the table holds, and how much.
    pub caption: String,
    /// The titles of its columns.
    pub head: Vec<String>,
    /// Its rows that are shown.
    pub rows: Vec<Row>,
    /// Where these are among all, if there are more.
    pub pages: Option<Pages>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Steps applied once it has begun.
    pub position: u32,
    /// Its cells; the first one leads there.
    pub cells: Vec<String>,
}

/// The pages of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    /// Which one it is, in words.
    pub place: String,
    /// The page before.
    pub earlier: Option<usize>,
    /// The page after.
    pub later: Option<usize>,
}
