//! Which table of the run is shown, and which part of it.
//!
//! Depends on serde. Invariant: names and values are those of links of version 1.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunTable {
    #[default]
    Now,
    Blocks,
    Ops,
    Jobs,
}

impl RunTable {
    /// Every table, in the order of a list.
    pub const ALL: [Self; 4] = [Self::Now, Self::Blocks, Self::Ops, Self::Jobs];

    /// Its name in links.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Now => "now",
            Self::Blocks => "blocks",
            Self::Ops => "ops",
            Self::Jobs => "jobs",
        }
    }

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Now => "Executing now",
            Self::Blocks => "Blocks, SM by SM",
            Self::Ops => "Kernels and copies",
            Self::Jobs => "Jobs",
        }
    }
}

impl FromStr for RunTable {
    type Err = ();

    fn from_str(id: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|table| table.id() == id).ok_or(())
    }
}

/// Which part of which table is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The table, if one was chosen.
    pub table: Option<RunTable>,
    /// Which `PAGE` rows of it, counted from 0.
    pub page: Option<usize>,
}

impl State {
    /// The table that is shown.
    #[must_use]
    pub fn table(&self) -> RunTable {
        self.table.unwrap_or_default()
    }

    /// Shows a table from its beginning.
    pub fn choose(&mut self, table: RunTable) {
        *self = Self { table: Some(table), page: None };
    }
}

/// Rows of a table shown at once.
pub(super) const PAGE: usize = 50;
