//! What the cells of a spreadsheet would come to, before they are taken.
//!
//! Depends on the rest of `document`. Invariant: what is shown is read off the document, or another table, as it
//! would be afterwards.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::sheet::{Pasted, PastedCells};
use super::{Document, Table};
use crate::table::Column;
use crate::{panels, problems};
use blockstep_sim::order::Names;
use blockstep_sim::scenario::Scenario;

/// Rows and messages that are shown.
const MAX_ROWS: usize = 12;
const MAX_PROBLEMS: usize = 5;

/// Cells as they would be read: a table, and what is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewTable {
    /// What would become of them, as [`Pasted::told`] says it.
    pub told: String,
    /// The columns that they go to: title, and what it was headed, with the unit in which its bare numbers are read.
    pub heads: Vec<(String, String)>,
    /// The first rows: the cells of those columns, each with what is wrong with it.
    pub rows: Vec<Vec<(String, Option<String>)>>,
    /// Rows that are not shown.
    pub more_rows: usize,
    /// What comes with them, such as new tasks, in words.
    pub made: Vec<String>,
    /// What is wrong in all, as sentences: the first ones.
    pub problems: Vec<String>,
    /// Problems that are not shown.
    pub more_problems: usize,
}

impl PreviewTable {
    /// The cells of a sheet that would fill some rows of a table, from a column on if it has no headings; `cell` says what
    /// would stand at a row and a column, and what is wrong with that.
    #[must_use]
    pub fn new(
        columns: &[Column],
        sheet: &PastedCells<'_>,
        (rows, column): (Range<usize>, usize),
        cell: impl Fn(usize, usize) -> (String, Option<String>),
    ) -> Self {
        let used = sheet.columns(columns.len(), column);
        let shown = rows.start..rows.end.min(rows.start + MAX_ROWS);
        let row = |row: usize| used.iter().map(|(column, _)| cell(row, *column)).collect();
        Self {
            rows: shown.clone().map(row).collect(),
            more_rows: rows.end.saturating_sub(shown.end),
            heads: used.iter().map(|(column, from)| (columns[*column].title.to_owned(), from.clone())).collect(),
            ..Self::default()
        }
    }

    /// With what is wrong, of which it keeps the first.
    #[must_use]
    pub fn with_problems(self, problems: impl ExactSizeIterator<Item = String>) -> Self {
        let more_problems = problems.len().saturating_sub(MAX_PROBLEMS);
        Self { problems: problems.take(MAX_PROBLEMS).collect(), more_problems, ..self }
    }
}

/// What cells come to in a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// The document with them.
    pub document: Document,
    /// How many rows they are, and which headings name no column.
    pub pasted: Pasted,
    /// They themselves.
    pub table: PreviewTable,
}

impl Document {
    /// What [`Document::paste`] of these cells would come to.
    #[must_use]
    pub fn preview(&self, table: Table, row: usize, column: usize, text: &str) -> Preview {
        let mut document = self.clone();
        let pasted = document.paste(table, row, column, text);
        let columns = table.columns();
        let mut wrong = document.unreadable();
        if wrong.is_empty()
            && let Err(error) = Scenario::new(&document.draft())
        {
            wrong = problems::on_page(&document, error.problems);
        }
        let cell = |row: usize, column: usize| {
            let path = format!("{}[{row}].{}", table.field(), columns[column].field);
            (document.text(table, row, column), panels::problem_at(&wrong, &path).map(str::to_owned))
        };
        let last = (row + pasted.rows).min(document.len(table));
        let cells = PreviewTable::new(columns, &PastedCells::new(columns, text), (row..last, column), cell);
        let mut made: Vec<String> = Vec::new();
        for (table, what) in [(Table::Tasks, "task"), (Table::Processes, "process")] {
            made.extend(new_names(what, &not_in(&self.names(table), document.names(table))));
        }
        let streams = |d: &Document| d.streams().into_iter().map(|stream| stream.name).collect::<Vec<_>>();
        let mut new = not_in(&streams(self), streams(&document));
        new.dedup();
        made.extend(new_names("stream", &new));
        let cells = cells.with_problems(wrong.iter().map(|problem| problems::sentence(&document, problem)));
        Preview { table: PreviewTable { told: pasted.told(), made, ..cells }, pasted, document }
    }
}

/// The names that are not among those known.
fn not_in(known: &[String], names: Vec<String>) -> Vec<String> {
    let known = Names::from_names(known.iter().map(String::as_str));
    names.into_iter().filter(|name| known.get(0, name).is_none()).collect()
}

/// `2 new tasks: A, B`; nothing of none.
#[must_use]
pub fn new_names(what: &str, names: &[String]) -> Option<String> {
    const SHOWN: usize = 6;
    let (first, rest) = names.split_at(names.len().min(SHOWN));
    let plural = match (what, names.len()) {
        (_, 0) => return None,
        (_, 1) => "",
        ("process", _) => "es",
        _ => "s",
    };
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    Some(format!("{} new {what}{plural}: {}{more}", names.len(), first.join(", ")))
}
