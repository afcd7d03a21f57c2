//! What the cells of a spreadsheet would come to, before they are taken.
//!
//! Depends on the rest of `document`. Invariant: what is shown is read off the document as it would be afterwards.

use super::sheet::{Pasted, Sheet};
use super::{Document, Table};
use crate::scenario::Scenario;
use crate::view::panels;
use crate::view::problems;

/// Rows and messages that are shown.
const MAX_ROWS: usize = 12;
const MAX_PROBLEMS: usize = 5;

/// What cells come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// The document with them.
    pub document: Document,
    /// How many rows they are, and which headings name no column.
    pub pasted: Pasted,
    /// The columns that they go to: title, and what it was headed, with the unit in which its bare numbers are read.
    pub heads: Vec<(&'static str, String)>,
    /// The first rows: the cells of those columns, each with what is wrong with it.
    pub rows: Vec<Vec<(String, Option<String>)>>,
    /// Rows that are not shown.
    pub more_rows: usize,
    /// Tasks, processes and streams that come with them, in words.
    pub made: Vec<String>,
    /// What is wrong in all, as sentences: the first ones.
    pub problems: Vec<String>,
    /// Problems that are not shown.
    pub more_problems: usize,
}

impl Document {
    /// What [`Document::paste`] of these cells would come to.
    #[must_use]
    pub fn preview(&self, table: Table, row: usize, column: usize, text: &str) -> Preview {
        let mut document = self.clone();
        let pasted = document.paste(table, row, column, text);
        let columns = table.columns();
        let sheet = Sheet::new(columns, text);
        let used = sheet.columns(columns.len(), column);
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
        let shown = row..last.min(row + MAX_ROWS);
        let rows = shown.clone().map(|row| used.iter().map(|(column, _)| cell(row, *column)).collect()).collect();
        let new_names = |table: Table| {
            let known = self.names(table);
            let new: Vec<String> = document.names(table).into_iter().filter(|name| !known.contains(name)).collect();
            (table, new)
        };
        let mut made: Vec<String> = Vec::new();
        for (table, what) in [(Table::Tasks, "task"), (Table::Processes, "process")] {
            made.extend(listed(what, &new_names(table).1));
        }
        let streams = |d: &Document| d.streams().into_iter().map(|stream| stream.name).collect::<Vec<_>>();
        let known = streams(self);
        let mut new: Vec<String> = streams(&document).into_iter().filter(|name| !known.contains(name)).collect();
        new.dedup();
        made.extend(listed("stream", &new));
        Preview {
            heads: used.into_iter().map(|(column, from)| (columns[column].title, from)).collect(),
            rows,
            more_rows: last - shown.end,
            made,
            problems: wrong.iter().take(MAX_PROBLEMS).map(|problem| problems::sentence(&document, problem)).collect(),
            more_problems: wrong.len().saturating_sub(MAX_PROBLEMS),
            pasted,
            document,
        }
    }
}

/// `2 new tasks: A, B`; nothing of none.
fn listed(what: &str, names: &[String]) -> Option<String> {
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
