//! The scenario's tables as cells: what each holds, what it is called, and what is wrong with it.
//!
//! Depends on `document` and `table`. Invariant: a cell that did not change compares equal, so that the page leaves it, with its
//! focus and what is being typed, alone.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::palette;
use crate::table::{Column, ColumnKind, Table};
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::{Chain, PolicyKind, Problem};
use blockstep_sim::units::RowId;

/// What decides how a table looks.
#[derive(Clone, Copy)]
pub struct Standing<'a> {
    /// What is said about fields.
    pub problems: &'a [Problem],
    /// Whether that keeps the document from being simulated; else it is a warning.
    pub is_wrong: bool,
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// The kernel row selected, by id.
    pub selected: Option<u32>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridRow {
    /// Its place in the table.
    pub row: usize,
    /// Its name.
    pub name: String,
    /// Its color, for kernels.
    pub colour: Option<String>,
    /// Whether it is the kernel selected.
    pub is_selected: bool,
    /// Its cells, by column.
    pub cells: Vec<GridCell>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridCell {
    /// What it holds, as text.
    pub text: String,
    /// What to call it.
    pub label: String,
    /// The values it is picked from, with their names; `None` if it is typed into.
    pub choices: Option<Vec<(String, String)>>,
    /// What is said about it, and whether that keeps the document from being simulated.
    pub problem: Option<(String, bool)>,
}

/// The rows of a part of a table.
#[must_use]
pub fn grid(document: &Document, table: Table, rows: Range<usize>, standing: Standing<'_>) -> Vec<GridRow> {
    rows.map(|row| {
        let name = document.name(table, row);
        let cells = (0..table.columns().len()).map(|column| cell(document, table, row, column, &name, standing)).collect();
        let colour = match table {
            Table::Kernels => Some(palette::colour_of(RowId::at(row), standing.is_dark).css()),
            _ => None,
        };
        let is_selected = table == Table::Kernels && standing.selected.is_some() && document.id(table, row) == standing.selected;
        GridRow { row, name, colour, is_selected, cells }
    })
    .collect()
}

fn cell(document: &Document, table: Table, row: usize, column: usize, name: &str, standing: Standing<'_>) -> GridCell {
    let info = &table.columns()[column];
    let path = format!("{}[{row}].{}", table.field(), info.field);
    let text = document.text(table, row, column);
    let list = match info.kind {
        ColumnKind::Task => with_first(document.names(Table::Tasks)),
        ColumnKind::Process => with_first(document.names(Table::Processes)),
        ColumnKind::After => {
            let earlier = (0..row.min(document.len(Table::Kernels))).map(|r| document.name(Table::Kernels, r));
            std::iter::once((String::new(), "–".to_owned())).chain(earlier.map(|name| (name.clone(), name))).collect()
        }
        ColumnKind::Graph => {
            let launches = document.graphs_above(row);
            std::iter::once((String::new(), "–".to_owned())).chain(launches.map(|name| (name.clone(), name))).collect()
        }
        ColumnKind::Batch => {
            let batches = document.names(Table::Batches).into_iter();
            std::iter::once((String::new(), "–".to_owned())).chain(batches.map(|name| (name.clone(), name))).collect()
        }
        ColumnKind::Word(words) => {
            let implied = info.empty.map(|auto| (String::new(), format!("{auto} ({})", spelled(document.implied(table, row)))));
            implied.into_iter().chain(words.iter().map(|w| ((*w).to_owned(), spelled(w)))).collect()
        }
        _ => Vec::new(),
    };
    GridCell {
        choices: is_picked(info.kind).then(|| with_current(list, &text)),
        label: format!("{} of {name}", info.title),
        text,
        problem: problem_at(standing.problems, &path).map(|said| (said.to_owned(), standing.is_wrong)),
    }
}

/// Fields that only some scenarios need, whatever their policy.
const RARE: [&str; 21] = [
    "block_time_max_ns",
    "registers_per_thread",
    "call",
    "bytes",
    "synchronous",
    "call_ns",
    "after",
    "waits_for",
    "records",
    "graph",
    "batch",
    "barrier",
    "until_begun",
    "until_all_begun",
    "until_completed",
    "cooperative",
    "consumes",
    "default_stream",
    "channels",
    "pixel_latency_ns",
    "guest",
];

/// What a cell holds that says nothing: beside an empty one, the words that most rows have.
const SAYS_NOTHING: [&str; 6] = ["", "0", "no", "kernel", "legacy", "medium"];

/// Columns that hold nothing in any row and that the policy has no use for, or that only some scenarios need: their fields. A
/// column with a problem is not among them.
#[must_use]
pub fn unused_columns(document: &Document, table: Table, problems: &[Problem]) -> Vec<&'static str> {
    let about = policy::about(document.rest.policy.kind);
    let is_edf = document.rest.policy.kind == PolicyKind::Edf;
    let is_rare = |field: &str| {
        let is_settings = |setting: &Setting| setting.place() == (table.field(), field);
        match Setting::ALL.iter().find(|setting| is_settings(setting)) {
            // Under `edf` timeslices are for chains that stay resident.
            Some(Setting::Timeslice) if is_edf => document.rest.policy.chain == Chain::One,
            Some(setting) => !about.uses(*setting) || RARE.contains(&field),
            None => RARE.contains(&field),
        }
    };
    let is_of =
        |column: &Column, field: &str| field.strip_prefix(column.field).is_some_and(|rest| rest.is_empty() || rest.starts_with('['));
    let has_problem = |column: &Column| problems.iter().filter_map(|problem| field_of(problem, table)).any(|field| is_of(column, field));
    let is_unused = |(i, column): &(usize, &Column)| {
        let is_empty = |row: usize| SAYS_NOTHING.contains(&&*document.text(table, row, *i));
        // Where there are batches, rows can be in one.
        let is_offered = column.kind == ColumnKind::Batch && document.len(Table::Batches) > 0;
        !is_offered && is_rare(column.field) && (0..document.len(table)).all(is_empty) && !has_problem(column)
    };
    table.columns().iter().enumerate().filter(is_unused).map(|(_, column)| column.field).collect()
}

/// The field of a table that a problem is about, and what follows it.
fn field_of(problem: &Problem, table: Table) -> Option<&str> {
    problem.path.strip_prefix(table.field())?.split_once("].").map(|(_, field)| field)
}

/// What is said about a field.
#[must_use]
pub fn problem_at<'p>(problems: &'p [Problem], path: &str) -> Option<&'p str> {
    let is_here = |p: &&Problem| p.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('['));
    problems.iter().find(is_here).map(|p| &*p.message)
}

/// The values of a list with their names; what it holds is offered even if it is none of them.
fn with_current(mut list: Vec<(String, String)>, current: &str) -> Vec<(String, String)> {
    if !list.iter().any(|(value, _)| value == current) {
        list.push((current.to_owned(), current.to_owned()));
    }
    list
}

/// Whether a cell is picked from a list; else it is typed into.
#[must_use]
pub const fn is_picked(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Task | ColumnKind::Process | ColumnKind::After | ColumnKind::Graph | ColumnKind::Batch | ColumnKind::Word(_))
}

/// Whether a cell is taken when it is complete, since other cells refer to what it holds.
#[must_use]
pub const fn is_name(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Name | ColumnKind::Stream | ColumnKind::Names | ColumnKind::Events | ColumnKind::Kernels | ColumnKind::Guest)
}

/// A word of the scenario's files as people write it.
fn spelled(word: &str) -> String {
    word.replace('_', " ")
}

/// Names to pick from; an empty cell stands for the first.
fn with_first(names: Vec<String>) -> Vec<(String, String)> {
    let first = names.first().cloned().unwrap_or_default();
    std::iter::once((String::new(), first)).chain(names.into_iter().skip(1).map(|name| (name.clone(), name))).collect()
}
