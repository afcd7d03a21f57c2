//! The scenario's tables as cells: what each holds, what is wrong with it, and the HTML of new rows.
//!
//! Depends on `document` and `table`. Invariant: a cell that did not change compares equal, so that
//! the page leaves it, with its focus and what is being typed, alone. Cells are told apart by
//! `data-cell`: table, row and column.

use std::ops::Range;

use crate::scenario::Problem;
use crate::units::RowId;
use crate::view::document::Document;
use crate::view::markup::Markup;
use crate::view::palette;
use crate::view::table::{Kind, Table};

/// The icons of a row's actions, by name.
const ACTIONS: [(&str, &str); 4] = [
    ("Move up", "M12 5 5 12h4v7h6v-7h4z"),
    ("Move down", "M12 19l7-7h-4V5H9v7H5z"),
    ("Duplicate", "M8 3h12v14h-3v-2h1V5h-8v1H8zM4 7h12v14H4zm2 2v10h8V9z"),
    ("Delete", "M6 7h12l-1 14H7zM9 3h6l1 2h4v2H4V5h4z"),
];

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridRow {
    /// Its place in the table.
    pub row: usize,
    /// Its name.
    pub name: String,
    /// Its colour, for kernels.
    pub colour: String,
    /// Whether it is the kernel selected.
    pub is_selected: bool,
    /// Its cells, by column.
    pub cells: Vec<GridCell>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridCell {
    /// What it holds, as text.
    pub text: String,
    /// What to call it.
    pub label: String,
    /// The options it is picked from, as HTML; empty if it is typed into.
    pub options: String,
    /// What is wrong with it, as HTML; empty if nothing is.
    pub problem: String,
    /// `invalid` or `doubtful`, or empty.
    pub standing: &'static str,
}

/// The rows of a part of a table.
#[must_use]
pub fn grid(document: &Document, table: Table, rows: Range<usize>, standing: Standing<'_>) -> Vec<GridRow> {
    rows.map(|row| {
        let name = document.name(table, row);
        let cells = (0..table.columns().len()).map(|column| cell(document, table, row, column, &name, standing)).collect();
        let colour = match table {
            Table::Kernels => palette::colour_of(RowId::at(row), standing.is_dark).css(),
            _ => String::new(),
        };
        let is_selected = table == Table::Kernels && standing.selected.is_some() && document.id(table, row) == standing.selected;
        GridRow { row, name, colour, is_selected, cells }
    })
    .collect()
}

fn cell(document: &Document, table: Table, row: usize, column: usize, name: &str, standing: Standing<'_>) -> GridCell {
    let info = &table.columns()[column];
    let path = format!("{}[{row}].{}", table.field(), info.field);
    let said = problem_at(standing.problems, &path);
    let (word, role) = if standing.is_wrong { ("invalid", "alert") } else { ("doubtful", "status") };
    let mut problem = Markup::new();
    if let Some(said) = said {
        problem.leaf("span", &[("class", "field-error"), ("id", &error_id(table, row, info.field)), ("role", role)], said);
    }
    let text = document.text(table, row, column);
    let list = match info.kind {
        Kind::Task => with_first(document.names(Table::Tasks)),
        Kind::Process => with_first(document.names(Table::Processes)),
        Kind::After => {
            let earlier = (0..row.min(document.len(Table::Kernels))).map(|r| document.name(Table::Kernels, r));
            std::iter::once((String::new(), "–".to_owned())).chain(earlier.map(|name| (name.clone(), name))).collect()
        }
        Kind::Word(words) => {
            let implied = info.empty.map(|auto| (String::new(), format!("{auto} ({})", spelled(document.implied(table, row)))));
            implied.into_iter().chain(words.iter().map(|w| ((*w).to_owned(), spelled(w)))).collect()
        }
        _ => Vec::new(),
    };
    let options = if is_picked(info.kind) { options(list, &text) } else { String::new() };
    GridCell {
        options,
        label: format!("{} of {name}", info.title),
        text,
        problem: problem.finish(),
        standing: if said.is_some() { word } else { "" },
    }
}

/// What is said about a field.
#[must_use]
pub fn problem_at<'p>(problems: &'p [Problem], path: &str) -> Option<&'p str> {
    let is_here = |p: &&Problem| p.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('['));
    problems.iter().find(is_here).map(|p| &*p.message)
}

/// The options of a list, as values and names; what it holds is offered even if it is none of them.
#[must_use]
pub fn options(mut list: Vec<(String, String)>, current: &str) -> String {
    if !list.iter().any(|(value, _)| value == current) {
        list.push((current.to_owned(), current.to_owned()));
    }
    let mut html = Markup::new();
    for (value, name) in &list {
        html.option(value, name, value == current);
    }
    html.finish()
}

/// Whether a cell is picked from a list; else it is typed into.
#[must_use]
pub const fn is_picked(kind: Kind) -> bool {
    matches!(kind, Kind::Task | Kind::Process | Kind::After | Kind::Word(_))
}

/// Whether a cell is taken when it is complete, since other cells refer to what it holds.
#[must_use]
pub const fn is_name(kind: Kind) -> bool {
    matches!(kind, Kind::Name | Kind::Stream | Kind::Names)
}

/// The columns' titles.
#[must_use]
pub fn grid_head(table: Table) -> String {
    let mut html = Markup::new();
    html.open("tr", &[]);
    for column in table.columns() {
        html.leaf("th", &[("scope", "col"), ("title", column.help)], column.title);
    }
    html.raw("<th scope=col><span class=visually-hidden>Actions</span></th>");
    html.finish()
}

impl GridRow {
    /// The HTML of the whole row.
    #[must_use]
    pub fn html(&self, table: Table) -> String {
        let mut html = Markup::new();
        let class = if self.is_selected { "selected" } else { "" };
        html.open("tr", &[("class", class), ("data-row", &self.row.to_string())]);
        for (column, cell) in self.cells.iter().enumerate() {
            let info = &table.columns()[column];
            html.open("td", &[("class", cell.standing), ("data-field", info.field)]).open("div", &[("class", "cell")]);
            if table == Table::Kernels && info.kind == Kind::Name {
                let pressed = if self.is_selected { "true" } else { "false" };
                let what = "Select this kernel everywhere";
                let style = format!("background:{}", self.colour);
                html.leaf(
                    "button",
                    &[("class", "swatch"), ("style", &style), ("aria-label", what), ("title", what), ("aria-pressed", pressed)],
                    "",
                );
            }
            let key = format!("{}:{}:{column}", table.field(), self.row);
            let invalid = if cell.standing == "invalid" { "true" } else { "false" };
            let error = error_id(table, self.row, info.field);
            let common = [("data-cell", &*key), ("aria-label", &cell.label), ("aria-invalid", invalid), ("aria-describedby", &error)];
            if is_picked(info.kind) {
                html.open("select", &common).markup(&cell.options).close();
            } else {
                let is_number = matches!(info.kind, Kind::Quantity(_) | Kind::Times | Kind::Integer);
                let mut all = common.to_vec();
                all.extend([("type", "text"), ("autocomplete", "off"), ("spellcheck", "false"), ("value", &*cell.text)]);
                all.push(("placeholder", info.empty.unwrap_or_default()));
                all.push(("class", if is_number { "numeric" } else { "" }));
                all.push(("list", if info.kind == Kind::Stream { "stream-names" } else { "" }));
                html.single("input", &all);
            }
            html.close().markup(&cell.problem).close();
        }
        html.open("td", &[("class", "row-actions")]);
        for (action, icon) in ACTIONS {
            let label = format!("{action} {}", self.name);
            html.open("button", &[("class", "icon small"), ("data-action", action), ("aria-label", &label), ("title", action)]);
            html.raw("<svg viewBox='0 0 24 24' aria-hidden=true>").leaf("path", &[("d", icon)], "").raw("</svg>").close();
        }
        html.finish()
    }
}

fn error_id(table: Table, row: usize, field: &str) -> String {
    format!("{}-{row}-{field}", table.field())
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
