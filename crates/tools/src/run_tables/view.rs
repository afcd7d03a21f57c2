//! What is shown of a table of the run.
//!
//! Invariant: it holds the rows that are shown, and no others.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub notice: Option<String>,
    pub caption: String,
    pub head: Vec<String>,
    pub rows: Vec<PageRow>,
    /// Where these are among all, if there are more.
    pub pages: Option<Pages>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRow {
    /// Steps applied once it has begun.
    pub position: u32,
    /// Its cells; the first one leads there.
    pub cells: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pages {
    pub place: String,
    pub earlier: Option<usize>,
    pub later: Option<usize>,
}
