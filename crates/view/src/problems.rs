//! What is wrong with a document, in the words of its tables: `"Worst time" of K1`, where files have paths.
//!
//! Depends on `document`. Invariants: a message stays as it is, but for names that are there twice; of
//! rows with the same name, the one that had it first keeps it, and the others are marked.

use std::collections::BTreeMap;

use super::document::{Document, top_title};
use super::table::Table;
use blockstep_sim::scenario::Problem;
use blockstep_sim::units::written::{format_count, said_of};

/// The problems of a document as its page has them: where a name is there twice, the row typed last is marked.
#[must_use]
pub fn on_page(document: &Document, problems: Vec<Problem>) -> Vec<Problem> {
    // Most problems are of other columns, and tables may be long.
    if !problems.iter().any(|p| p.path.ends_with("].name")) {
        return problems;
    }
    let mut said = Vec::with_capacity(problems.len());
    let mut twice: Vec<(Table, Vec<Problem>)> = Table::ALL.iter().map(|&table| (table, twice(document, table))).collect();
    for problem in problems {
        let place = CellPath::parse(&problem.path);
        let of_table = match place {
            // A name that is wrong otherwise is said to be so.
            Some(CellPath { field: "name", table, .. }) if problem.message.ends_with("names are unique") => Some(table),
            _ => None,
        };
        match of_table {
            Some(table) => said.extend(twice.iter_mut().filter(|(t, _)| *t == table).flat_map(|(_, list)| list.drain(..))),
            None => said.push(problem),
        }
    }
    said
}

/// The rows of a table that have a name which another row had before.
fn twice(document: &Document, table: Table) -> Vec<Problem> {
    let names = document.names(table);
    let mut rows: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (row, name) in names.iter().enumerate().filter(|(_, name)| !name.trim().is_empty()) {
        rows.entry(name).or_default().push(row);
    }
    let mut found: Vec<(usize, usize)> = Vec::new();
    for rows in rows.values().filter(|rows| rows.len() > 1) {
        let first = rows.iter().copied().min_by_key(|&row| (document.named(table, row), row)).unwrap_or(0);
        found.extend(rows.iter().filter(|&&row| row != first).map(|&row| (row, first)));
    }
    found.sort_unstable();
    let message = |row: usize, first: usize| {
        format!("\"{}\" is already the name of row {}; names are unique", names[row], format_count(first as u64 + 1))
    };
    found.into_iter().map(|(row, first)| Problem::new(format!("{}[{row}].name", table.field()), message(row, first))).collect()
}

/// A problem as a sentence of the page: `"Worst time" of K1 is 1 s; at least 2 s is needed, …`.
#[must_use]
pub fn sentence(document: &Document, problem: &Problem) -> String {
    said_of(&place(document, &problem.path), &problem.message)
}

/// What the page calls the field at a path: `"Worst time" of K1`; `"Period" of task T0`; `Horizon`.
#[must_use]
pub fn place(document: &Document, path: &str) -> String {
    if let Some(CellPath { table, row, field }) = CellPath::parse(path) {
        let title = table.column_of(field).map(|column| table.columns()[column].title);
        let name = document.name(table, row);
        let is_named = field != "name" && !name.trim().is_empty() && document.names(table).iter().filter(|n| **n == name).count() == 1;
        let row = match (table, is_named) {
            (Table::Kernels, true) => name,
            (Table::Tasks, true) => format!("task {name}"),
            (Table::Processes, true) => format!("process {name}"),
            (Table::Batches, true) => format!("batch {name}"),
            (Table::Kernels, false) => format!("kernel row {}", format_count(row as u64 + 1)),
            (Table::Tasks, false) => format!("task row {}", format_count(row as u64 + 1)),
            (Table::Processes, false) => format!("process row {}", format_count(row as u64 + 1)),
            (Table::Batches, false) => format!("batch row {}", format_count(row as u64 + 1)),
        };
        return match title {
            Some(title) if field != "name" => format!("\"{title}\" of {row}"),
            Some(_) => format!("\"Name\" of {row}"),
            None => row,
        };
    }
    if let Some((row, field)) = path.strip_prefix("streams[").and_then(|rest| rest.split_once(']')) {
        let name = row.parse().ok().and_then(|row: usize| document.rest.streams.get(row)).map_or("", |stream| stream.name.as_str());
        return match (name, field) {
            ("", _) => "A stream's name".to_owned(),
            (name, ".priority") => format!("\"Priority\" of stream {name}"),
            (name, _) => format!("Stream {name}"),
        };
    }
    top_title(path).map_or_else(|| path.to_owned(), str::to_owned)
}

/// A cell of a table, by path.
struct CellPath<'p> {
    table: Table,
    row: usize,
    field: &'p str,
}

impl<'p> CellPath<'p> {
    fn parse(path: &'p str) -> Option<Self> {
        let table = Table::ALL.into_iter().find(|table| path.strip_prefix(table.field()).is_some_and(|rest| rest.starts_with('[')))?;
        let (row, field) = path[table.field().len() + 1..].split_once(']')?;
        // Of a list in a cell, the entry is in the message.
        let field = field.trim_start_matches('.').split('[').next().unwrap_or_default();
        Some(Self { table, row: row.parse().ok()?, field })
    }
}
