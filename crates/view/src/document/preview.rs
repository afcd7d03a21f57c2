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

/// Rows, columns that are left out, and messages that are shown.
const MAX_COLUMNS: usize = 40;
const MAX_ROWS: usize = 12;
const MAX_PROBLEMS: usize = 5;

/// Cells as they would be read: the columns of the sheet, and what is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewTable {
    /// What would become of them, as [`Pasted::told`] says it.
    pub told: String,
    /// What the cells are known as, and what was taken for granted.
    pub notes: Vec<String>,
    /// Whether they take the place of all rows.
    pub replaces: bool,
    /// Whether their first line names the columns.
    pub has_headings: bool,
    /// The columns of the sheet, then those of the table that no row can be without and the sheet does not have.
    pub columns: Vec<PreviewColumn>,
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

/// A column of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewColumn {
    /// How it was headed, and how its numbers are read, in words.
    pub head: String,
    /// Its place in the sheet; nothing of a column that the sheet does not have.
    pub source: Option<usize>,
    /// The column of the table that it goes to; nothing if it is left out.
    pub target: Option<usize>,
}

impl PreviewTable {
    /// The cells of a sheet that would fill some rows of a table; `cell` says what would stand at a row and a column, and what is
    /// wrong with that. `is_whole`: columns that the sheet does not have are empty.
    #[must_use]
    pub fn new(
        columns: &[Column],
        sheet: &PastedCells<'_>,
        (rows, is_whole): (Range<usize>, bool),
        cell: impl Fn(usize, usize) -> (String, Option<String>),
    ) -> Self {
        let sources = sheet.heads(columns).into_iter().zip(sheet.targets()).enumerate();
        let is_shown = |(source, (_, target)): &(usize, (String, Option<usize>))| *source < MAX_COLUMNS || target.is_some();
        let mut shown: Vec<PreviewColumn> =
            sources.filter(is_shown).map(|(source, (head, target))| PreviewColumn { head, source: Some(source), target }).collect();
        if is_whole {
            let missing = sheet.missing(columns).into_iter();
            shown.extend(missing.map(|column| PreviewColumn { head: "not in the cells".to_owned(), source: None, target: Some(column) }));
        }
        let last = rows.end.min(rows.start + MAX_ROWS);
        let text = |line: usize, source: Option<usize>| {
            let cell = source.and_then(|source| sheet.lines.get(line)?.get(source));
            (cell.map(|cell| cell.to_string()).unwrap_or_default(), None)
        };
        let row = |(line, row): (usize, usize)| {
            shown.iter().map(|column| column.target.map_or_else(|| text(line, column.source), |target| cell(row, target))).collect()
        };
        let rows_shown = (rows.start..last).enumerate().map(row).collect();
        let more_rows = rows.end.saturating_sub(last);
        Self { rows: rows_shown, more_rows, columns: shown, has_headings: sheet.has_headings(), ..Self::default() }
    }

    /// With what is wrong, of which it keeps the first.
    #[must_use]
    pub fn with_problems(self, problems: impl ExactSizeIterator<Item = String>) -> Self {
        let more_problems = problems.len().saturating_sub(MAX_PROBLEMS);
        Self { problems: problems.take(MAX_PROBLEMS).collect(), more_problems, ..self }
    }

    /// Whether some column of the sheet goes to one of the table.
    #[must_use]
    pub fn can_be_taken(&self) -> bool {
        self.columns.iter().any(|column| column.source.is_some() && column.target.is_some())
    }

    /// What is said where nothing is wrong: of what is left out it does not speak.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        let is_whole = self.columns.iter().all(|column| column.target.is_some());
        match (self.can_be_taken(), is_whole) {
            (false, _) => "Choose above each column what it is.",
            (true, true) => "No problems found.",
            (true, false) => "No problems found in the chosen columns.",
        }
    }
}

/// Where cells go that are pasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasteInto {
    /// In place of all that is there.
    All,
    /// Into the rows from this one on.
    RowsFrom(usize),
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
    /// What [`Document::paste_cells`] or [`Document::replaced_by`] of these cells would come to.
    #[must_use]
    pub fn preview(&self, table: Table, into: PasteInto, sheet: &PastedCells<'_>) -> Preview {
        let (document, pasted, row) = match into {
            PasteInto::All => {
                let (document, pasted) = self.replaced_by(table, sheet);
                (document, pasted, 0)
            }
            PasteInto::RowsFrom(row) => {
                let mut document = self.clone();
                let pasted = document.paste_cells(table, row, sheet);
                (document, pasted, row)
            }
        };
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
        let cells = PreviewTable::new(columns, sheet, (row..last, !pasted.missing.is_empty()), cell);
        let before = if into == PasteInto::All { self.without_rows(table) } else { self.clone() };
        let mut made: Vec<String> = Vec::new();
        for (table, what) in [(Table::Tasks, "task"), (Table::Processes, "process")] {
            made.extend(new_names(what, &not_in(&before.names(table), document.names(table))));
        }
        let streams = |d: &Document| d.streams().into_iter().map(|stream| stream.name).filter(|name| !name.is_empty()).collect::<Vec<_>>();
        let mut new = not_in(&streams(&before), streams(&document));
        new.dedup();
        made.extend(new_names("stream", &new));
        let cells = cells.with_problems(wrong.iter().map(|problem| problems::sentence(&document, problem)));
        let table = PreviewTable { told: pasted.told(), notes: pasted.notes.clone(), replaces: into == PasteInto::All, made, ..cells };
        Preview { table, pasted, document }
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
