//! Cells of a spreadsheet: which column of a table each belongs to, and in which unit its numbers are.
//!
//! Depends on `table` and `quantity`. Invariants: no cell is lost without being named; a cell with a unit of its own keeps it;
//! without headings cells stand where they were pasted.

use crate::quantity;
use crate::table::{Column, ColumnKind};

/// Other names of columns: field, and what tools and people write for it, in small letters and digits alone.
const ALIASES: &[(&str, &[&str])] = &[
    ("name", &["kernelname", "id"]),
    ("task", &["cputask", "thread"]),
    ("stream", &["streamid", "cudastream"]),
    ("start_ns", &["launch", "starttime", "launchtime"]),
    ("blocks", &["grid", "gridsize", "numblocks", "threadblocks", "blockcount"]),
    ("threads_per_block", &["threadsperblock", "threadsblock", "blocksize", "numthreads", "threadcount"]),
    ("block_time_ns", &["time", "duration", "blocktime", "executiontime"]),
    ("shared_memory_bytes", &["shared", "sharedmem", "smem", "dynamicsharedmemory"]),
    ("registers_per_thread", &["regs", "registersperthread"]),
    ("copy_in_bytes", &["h2d", "input", "inputcopy", "hosttodevice"]),
    ("copy_out_bytes", &["d2h", "output", "outputcopy", "devicetohost"]),
];

/// What became of cells that were pasted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pasted {
    /// How many rows they filled.
    pub rows: usize,
    /// Whether the first line named the columns.
    pub has_headings: bool,
    /// Headings that name no column; their cells are left out.
    pub unknown: Vec<String>,
    /// Cells to the right of the last column, which are left out.
    pub beyond: usize,
}

impl Pasted {
    /// What became of the cells, as a sentence or two: `12 rows, matched by their headings.`
    #[must_use]
    pub fn told(&self) -> String {
        let rows = if self.rows == 1 { "1 row".to_owned() } else { format!("{} rows", quantity::format_count(self.rows as u64)) };
        let by = if self.has_headings { ", matched by their headings" } else { "" };
        let unknown = match &self.unknown[..] {
            [] => String::new(),
            unknown => {
                let names: Vec<String> =
                    unknown.iter().take(5).map(|name| format!("“{}”", name.chars().take(40).collect::<String>())).collect();
                let more = if unknown.len() > 5 { format!(" and {} more", unknown.len() - 5) } else { String::new() };
                format!(" Ignored columns: {}{more}.", names.join(", "))
            }
        };
        let beyond = match self.beyond {
            0 => String::new(),
            _ if self.has_headings => String::new(),
            1 => " 1 cell to the right of the last column is ignored.".to_owned(),
            count => format!(" {count} cells to the right of the last column are ignored."),
        };
        format!("{rows}{by}.{unknown}{beyond}")
    }
}

/// Where cells go.
pub struct PastedCells<'t> {
    /// For each cell of a line: its column, and the unit that its heading gives. Empty without headings.
    places: Vec<Option<(usize, Option<&'t str>)>>,
    heads: Vec<&'t str>,
    /// The lines of cells.
    pub lines: Vec<Vec<&'t str>>,
    unknown: Vec<String>,
}

impl<'t> PastedCells<'t> {
    /// Reads lines of cells with tabs between them. The first line names the columns if each of its cells does, or at least two
    /// do and none is a number.
    #[must_use]
    pub fn new(columns: &[Column], text: &'t str) -> Self {
        let mut lines: Vec<Vec<&str>> =
            text.lines().filter(|l| !l.trim().is_empty()).map(|l| l.split('\t').map(str::trim).collect()).collect();
        let heads: Vec<&str> = lines.first().cloned().unwrap_or_default();
        let places: Vec<_> = heads.iter().map(|head| place(columns, head)).collect();
        let (named, filled) = (places.iter().flatten().count(), heads.iter().filter(|head| !head.is_empty()).count());
        let is_number = |head: &&str| head.starts_with(|c: char| c.is_ascii_digit());
        let are_headings = lines.len() > 1 && named > 0 && (named == filled || named > 1 && !heads.iter().any(is_number));
        if !are_headings {
            return Self { places: Vec::new(), heads, lines, unknown: Vec::new() };
        }
        lines.remove(0);
        let is_unknown = |(head, place): &(&&str, &Option<_>)| place.is_none() && !head.is_empty();
        let unknown = heads.iter().zip(&places).filter(is_unknown).map(|(head, _)| (*head).to_owned()).collect();
        Self { places, heads, lines, unknown }
    }

    /// Whether the first line names the columns.
    #[must_use]
    pub fn has_headings(&self) -> bool {
        !self.places.is_empty()
    }

    /// The column of a cell and its text, for the cell at a place of a line that begins at `column`.
    #[must_use]
    pub fn cell(&self, columns: &[Column], column: usize, place: usize, text: &str) -> Option<(usize, String)> {
        if self.places.is_empty() {
            let column = column + place;
            return (column < columns.len()).then(|| (column, text.to_owned()));
        }
        let (column, unit) = (*self.places.get(place)?)?;
        let is_bare = text.bytes().all(|byte| byte.is_ascii_digit() || b".,".contains(&byte)) && !text.is_empty();
        Some((column, unit.filter(|_| is_bare).map_or_else(|| text.to_owned(), |unit| format!("{text} {unit}"))))
    }

    /// The columns that its cells go to, of so many, for a sheet that begins at a column: each with its heading and the unit in
    /// which its bare numbers are read, in words.
    pub(super) fn columns(&self, columns: usize, first: usize) -> Vec<(usize, String)> {
        if self.places.is_empty() {
            let width = self.lines.iter().map(Vec::len).max().unwrap_or(0);
            return (first..(first + width).min(columns)).map(|column| (column, String::new())).collect();
        }
        let named = self.places.iter().zip(&self.heads).filter_map(|(place, head)| Some(((*place)?, head)));
        named
            .map(|((column, unit), head)| (column, unit.map_or_else(|| format!("“{head}”"), |unit| format!("“{head}”, in {unit}"))))
            .collect()
    }

    /// What is said of it, once so many cells were left out.
    #[must_use]
    pub fn pasted(&self, beyond: usize) -> Pasted {
        Pasted { rows: self.lines.len(), has_headings: self.has_headings(), unknown: self.unknown.clone(), beyond }
    }
}

/// The column of a heading, and the unit behind it: `Start (ms)`, `start_ns`, `Shared memory [KiB]`.
fn place<'t>(columns: &[Column], head: &'t str) -> Option<(usize, Option<&'t str>)> {
    let (name, unit) = match head.split_once(['(', '[']) {
        Some((name, unit)) => (name, Some(unit.trim_end_matches([')', ']']).trim())),
        None => match head.rsplit_once(['_', ' ']) {
            Some((name, unit @ ("ns" | "us" | "µs" | "ms" | "s" | "bytes" | "KB" | "KiB" | "MB" | "MiB"))) => (name, Some(unit)),
            _ => (head, None),
        },
    };
    let name = plain(name);
    let is_it = |column: &Column| {
        let field = column.field.trim_end_matches("_ns").trim_end_matches("_bytes");
        [plain(column.title), plain(field), plain(column.field)].contains(&name)
    };
    let is_alias = |column: &Column| ALIASES.iter().any(|(of, others)| *of == column.field && others.contains(&&*name));
    let column = columns.iter().position(is_it).or_else(|| columns.iter().position(is_alias))?;
    Some((column, unit.and_then(|unit| known(columns[column].kind, unit))))
}

/// A unit as cells are typed with it, if the column has such units.
fn known(kind: ColumnKind, unit: &str) -> Option<&str> {
    let of = match kind {
        ColumnKind::Quantity(unit) => unit,
        ColumnKind::Times => quantity::Unit::Time,
        _ => return None,
    };
    let unit = if unit == "bytes" { "B" } else { unit };
    quantity::parse(of, &format!("1 {unit}")).is_ok().then_some(unit)
}

/// Small letters and digits alone.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
