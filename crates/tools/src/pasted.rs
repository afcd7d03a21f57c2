//! Cells that a reader pastes: how large they may be, and what stands between them.
//!
//! Depends on files for tables of other separators than tabs. Invariant: what is too large is refused before it is read.

use blockstep_format::{self as format, MAX_COLUMNS, SheetError};
use blockstep_view::document::{MAX_BYTES, MAX_ENTRIES, TooMuch, too_much};
use blockstep_view::quantity::{QuantityError, Unit, format_bytes, format_count, parse, parse_block_times};
use blockstep_view::table::{Column, ColumnKind};

/// Why cells are not read. The first three are said as they are of a file, too.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasteError {
    #[error("Not read: the cells have {} lines; the page takes at most {} rows.", format_count(*.0 as u64), format_count(MAX_ENTRIES as u64))]
    Lines(usize),
    #[error("Not read: the cells have {}; the page takes at most {}.", format_bytes(*.0 as u64), format_bytes(MAX_BYTES as u64))]
    Bytes(usize),
    #[error("Not read: a line has {} cells; the page takes at most {}.", format_count(*.0 as u64), format_count(MAX_COLUMNS as u64))]
    Columns(usize),
    #[error("Not read. {0}")]
    Sheet(String),
}

impl From<SheetError> for PasteError {
    fn from(error: SheetError) -> Self {
        Self::Sheet(error.to_string())
    }
}

/// Cells with tabs between them, whatever stood there.
#[derive(Debug, PartialEq, Eq)]
pub struct PastedText {
    pub cells: String,
    /// Whether they were separated by semicolons.
    pub is_of_semicolons: bool,
}

impl PastedText {
    /// Reads what was pasted into a cell of a column: cells with tabs between them, values of that column alone, or CSV.
    ///
    /// # Errors
    /// Where they are more than the page takes, and where CSV cannot be read.
    pub fn new(column: &Column, text: String) -> Result<Self, PasteError> {
        check_size(&text)?;
        if text.contains('\t') || !format::is_sheet(&text) || is_one_column(column, &text) {
            return Ok(Self { cells: text, is_of_semicolons: false });
        }
        Ok(Self { is_of_semicolons: format::is_of_semicolons(&text), cells: format::read_sheet(&text)? })
    }
}

/// Whether cells with tabs between them are as many as the page takes.
///
/// # Errors
/// What they have too many of.
pub fn check_size(cells: &str) -> Result<(), PasteError> {
    match too_much(cells) {
        Some(TooMuch::Lines(lines)) => return Err(PasteError::Lines(lines)),
        Some(TooMuch::Bytes(bytes)) => return Err(PasteError::Bytes(bytes)),
        None => {}
    }
    let columns = cells.lines().map(|line| 1 + line.bytes().filter(|byte| *byte == b'\t').count()).max().unwrap_or(0);
    if columns > MAX_COLUMNS { Err(PasteError::Columns(columns)) } else { Ok(()) }
}

/// Whether every line is a value of the column: `0,250` is one time, and `1 s; 2 s` is a list of two.
fn is_one_column(column: &Column, text: &str) -> bool {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).all(|line| match column.kind {
        ColumnKind::Quantity(unit) => is_value(parse(unit, line)),
        ColumnKind::Times => is_value(parse_block_times(line)) || line.split(';').all(|entry| is_value(parse(Unit::Time, entry))),
        ColumnKind::Names | ColumnKind::Events | ColumnKind::Kernels => true,
        _ => false,
    })
}

/// A decimal comma is read by its column later.
fn is_value<T>(read: Result<T, QuantityError>) -> bool {
    matches!(read, Ok(_) | Err(QuantityError::DecimalComma { .. }))
}
