//! Cells of a spreadsheet: which column of a table each belongs to, and in which unit its numbers are.
//!
//! Depends on `table` and `quantity`. Invariants: no cell is lost without being named; a cell with a unit of its own keeps it;
//! without headings cells stand where they were pasted; a column of the table takes from one column of the sheet.

mod choices;
mod commas;
mod headings;
mod nsys;

pub use choices::{PasteChoice, PasteChoices, WaitingCells};

use std::borrow::Cow;

use crate::quantity;
use crate::table::{Column, ColumnKind};

/// What became of cells that were pasted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pasted {
    /// How many rows they filled.
    pub rows: usize,
    /// Whether the first line named the columns.
    pub has_headings: bool,
    /// Headings of the columns that are left out.
    pub unknown: Vec<String>,
    /// Cells to the right of the last column, which are left out.
    pub beyond: usize,
    /// Columns that no row can be without, and that the cells do not have: they are left empty.
    pub missing: Vec<&'static str>,
    /// What the cells are known as, and what was taken for granted.
    pub notes: Vec<String>,
}

impl Pasted {
    /// What became of the cells, as a few sentences: `12 rows, matched by their headings.`
    #[must_use]
    pub fn told(&self) -> String {
        let rows = if self.rows == 1 { "1 row".to_owned() } else { format!("{} rows", quantity::format_count(self.rows as u64)) };
        let by = if self.has_headings { ", matched by their headings" } else { "" };
        let mut told = vec![format!("{rows}{by}.")];
        if !self.unknown.is_empty() {
            told.push(format!("Ignored columns: {}.", some_of(&self.unknown)));
        }
        match self.beyond {
            0 => {}
            _ if self.has_headings => {}
            1 => told.push("1 cell to the right of the last column is ignored.".to_owned()),
            count => told.push(format!("{count} cells to the right of the last column are ignored.")),
        }
        match &self.missing[..] {
            [] => {}
            [one] => told.push(format!("No column gives {one}: its cells stay empty.")),
            many => told.push(format!("No column gives {}: their cells stay empty.", many.join(", "))),
        }
        told.join(" ")
    }
}

/// The first of some headings, in quotes, and how many more there are.
fn some_of(heads: &[String]) -> String {
    const SHOWN: usize = 5;
    let names: Vec<String> = heads.iter().take(SHOWN).map(|name| format!("“{}”", name.chars().take(40).collect::<String>())).collect();
    let more = if heads.len() > SHOWN { format!(" and {} more", heads.len() - SHOWN) } else { String::new() };
    format!("{}{more}", names.join(", "))
}

/// Where one column of a sheet goes.
#[derive(Clone, Debug, Default)]
struct SourceColumn {
    /// Its heading; empty without headings.
    head: String,
    /// The column of the table.
    target: Option<usize>,
    has_decimal_commas: bool,
}

/// Cells of a spreadsheet, and where they go.
#[derive(Clone, Debug)]
pub struct PastedCells<'t> {
    /// The lines of cells.
    pub lines: Vec<Vec<Cow<'t, str>>>,
    sources: Vec<SourceColumn>,
    has_headings: bool,
    commas_are_likely: bool,
    /// Columns that were left out before, by their headings.
    unused: Vec<String>,
    notes: Vec<String>,
}

impl<'t> PastedCells<'t> {
    /// Reads lines of cells with tabs between them. The first line names the columns if each of its cells does, or at least two
    /// do and none is a number, or where words stand above numbers. Without headings the first cell goes to column `first`.
    #[must_use]
    pub fn new(columns: &[Column], first: usize, text: &'t str) -> Self {
        Self::with_headings(columns, first, text, None)
    }

    /// The same where the reader says whether the first line names the columns.
    fn with_headings(columns: &[Column], first: usize, text: &'t str, has_headings: Option<bool>) -> Self {
        let mut lines: Vec<Vec<Cow<'t, str>>> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| line.split('\t').map(|cell| Cow::Borrowed(cell.trim())).collect())
            .collect();
        let has_headings = has_headings.unwrap_or_else(|| are_headings(columns, &lines)) && lines.len() > 1;
        let heads = if has_headings { lines.remove(0) } else { Vec::new() };
        let is_of_kernels = columns.iter().any(|column| column.field == "threads_per_block");
        let report = nsys::read(&heads, &lines).filter(|_| is_of_kernels);
        let (heads, lines, unused, notes) = match report {
            Some(report) => (report.heads.into_iter().map(str::to_owned).collect(), report.lines, report.unused, report.notes),
            None => (heads.into_iter().map(Cow::into_owned).collect::<Vec<_>>(), lines, Vec::new(), Vec::new()),
        };
        let width = lines.iter().map(Vec::len).max().unwrap_or(0).max(heads.len());
        let mut targets: Vec<Option<usize>> = Vec::with_capacity(width);
        let mut is_taken = vec![false; columns.len()];
        for source in 0..width {
            let place = match heads.get(source) {
                _ if !has_headings => Some(first + source).filter(|column| *column < columns.len()),
                Some(head) => {
                    let cells = || lines.iter().filter_map(|line| line.get(source)).map(|cell| &**cell);
                    headings::column_of(columns, head).map(|named| headings::column_of_cells(columns, named, cells()))
                }
                None => None,
            };
            targets.push(place.filter(|column| !std::mem::replace(&mut is_taken[*column], true)));
        }
        let heads = heads.into_iter().chain(std::iter::repeat(String::new()));
        let sources = heads.zip(targets).map(|(head, target)| SourceColumn { head, target, has_decimal_commas: false }).collect();
        Self { lines, sources, has_headings, commas_are_likely: false, unused, notes }.with_commas(columns)
    }

    /// The same of a file whose cells are separated by semicolons: programs write it so where a comma is a decimal point.
    fn of_semicolons(self, columns: &[Column]) -> Self {
        Self { commas_are_likely: true, ..self }.with_commas(columns)
    }

    /// The same with other columns of the table for its columns, in their order, each once.
    fn with_targets(mut self, columns: &[Column], targets: &[Option<usize>]) -> Self {
        for (source, target) in self.sources.iter_mut().zip(targets) {
            source.target = target.filter(|target| *target < columns.len());
        }
        self.with_commas(columns)
    }

    fn with_commas(mut self, columns: &[Column]) -> Self {
        for (at, source) in self.sources.iter_mut().enumerate() {
            let kind = source.target.map(|column| columns[column].kind);
            let cells = self.lines.iter().filter_map(|line| line.get(at)).map(|cell| &**cell);
            source.has_decimal_commas = match kind {
                Some(ColumnKind::Times | ColumnKind::Quantity(quantity::Unit::Time | quantity::Unit::Bytes)) => {
                    commas::are_decimal(cells, self.commas_are_likely)
                }
                _ => false,
            };
        }
        self
    }

    /// Whether the first line named the columns.
    #[must_use]
    pub fn has_headings(&self) -> bool {
        self.has_headings
    }

    /// For each of its columns, the column of the table that it goes to.
    #[must_use]
    pub fn targets(&self) -> Vec<Option<usize>> {
        self.sources.iter().map(|source| source.target).collect()
    }

    /// Whether these are whole rows: their columns are named, or several stand from the first column on.
    #[must_use]
    pub fn are_rows(&self) -> bool {
        self.has_headings || self.sources.len() > 1 && self.sources[0].target == Some(0)
    }

    /// The column of a cell and its text, for the cell of a line that stands in column `source` of the sheet.
    #[must_use]
    pub fn cell(&self, columns: &[Column], source: usize, text: &str) -> Option<(usize, String)> {
        let source = self.sources.get(source)?;
        let column = source.target?;
        let text = if source.has_decimal_commas { commas::with_points(text) } else { text.to_owned() };
        let is_bare = text.bytes().all(|byte| byte.is_ascii_digit() || b".,".contains(&byte)) && !text.is_empty();
        let unit = headings::unit_of(columns[column].kind, &source.head).filter(|_| is_bare);
        Some((column, unit.map_or_else(|| text.clone(), |unit| format!("{text} {unit}"))))
    }

    /// What stands above each of its columns, in words: its heading, the unit of its bare numbers, and how commas are read.
    pub(super) fn heads(&self, columns: &[Column]) -> Vec<String> {
        let head = |source: &SourceColumn| {
            let unit = source.target.and_then(|column| headings::unit_of(columns[column].kind, &source.head));
            let head = (!source.head.is_empty()).then(|| format!("“{}”", source.head));
            let unit = unit.map(|unit| format!("in {unit}"));
            let has_commas = source.has_decimal_commas && self.lines.iter().flatten().any(|cell| cell.contains(','));
            let commas = has_commas.then(|| "decimal commas".to_owned());
            [head, unit, commas].into_iter().flatten().collect::<Vec<_>>().join(", ")
        };
        self.sources.iter().map(head).collect()
    }

    /// The columns that no row can be without, and that none of its columns goes to.
    #[must_use]
    pub fn missing(&self, columns: &[Column]) -> Vec<usize> {
        let is_needed = |column: &Column| column.empty.is_none() && !matches!(column.kind, ColumnKind::Name | ColumnKind::Word(_));
        let is_given = |at: usize| self.sources.iter().any(|source| source.target == Some(at));
        (0..columns.len()).filter(|&at| is_needed(&columns[at]) && !is_given(at)).collect()
    }

    /// What is said of it, once so many cells were left out.
    #[must_use]
    pub fn pasted(&self, beyond: usize) -> Pasted {
        let left_out = self.sources.iter().filter(|source| source.target.is_none() && !source.head.is_empty());
        Pasted {
            rows: self.lines.len(),
            has_headings: self.has_headings,
            unknown: left_out.map(|source| source.head.clone()).chain(self.unused.iter().cloned()).collect(),
            beyond,
            missing: Vec::new(),
            notes: self.notes.clone(),
        }
    }
}

/// Whether the first line names the columns.
fn are_headings(columns: &[Column], lines: &[Vec<Cow<'_, str>>]) -> bool {
    let Some((heads, rows)) = lines.split_first().filter(|(_, rows)| !rows.is_empty()) else { return false };
    let named = heads.iter().filter(|head| headings::column_of(columns, head).is_some()).count();
    let filled = heads.iter().filter(|head| !head.is_empty()).count();
    let has_number = heads.iter().any(|head| headings::begins_number(head));
    // Words above numbers, in whatever language.
    let is_above_numbers = |at: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.is_empty()).peekable();
        cells.peek().is_some() && cells.all(|cell| headings::begins_number(cell))
    };
    named > 0 && (named == filled || named > 1 && !has_number)
        || !has_number && heads.len() > 1 && (0..heads.len()).any(|at| !heads[at].is_empty() && is_above_numbers(at))
}
