//! Tables that a spreadsheet saved: CSV with commas or semicolons, or cells with tabs between them.
//!
//! Depends on the crate csv, as quoting is its business. Invariant: a table has cells as they stand in the file, but for tabs and
//! line ends within one, which become spaces.

use blockstep_sim::units::written::format_count;

/// Whether a text looks like a table of a spreadsheet: its first line has cells, and is no JSON or XML.
#[must_use]
pub fn is_sheet(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let first = text.lines().next().unwrap_or_default();
    let is_word = text.starts_with(|c: char| c.is_alphanumeric() || c == '"' && first.contains("\","));
    is_word && first.contains([',', ';', '\t']) && !first.contains(['{', '<'])
}

/// Whether semicolons separate the cells of a table, as programs write it where a comma is a decimal point.
#[must_use]
pub fn is_of_semicolons(text: &str) -> bool {
    separator(text) == b';'
}

/// What separates the cells: of tab, semicolon and comma that which the first line has most of.
fn separator(text: &str) -> u8 {
    let first = text.trim_start_matches('\u{feff}').trim_start().lines().next().unwrap_or_default();
    let count = |separator: u8| first.bytes().filter(|byte| *byte == separator).count();
    [b'\t', b';', b','].into_iter().max_by_key(|separator| count(*separator)).unwrap_or(b',')
}

/// Most cells of a line that are read. No table of the page has a tenth of them.
pub const MAX_COLUMNS: usize = 1_000;

/// A line that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The crate csv does not understand it.
    #[error("The table cannot be read: {0}.")]
    Csv(#[from] csv::Error),
    /// It has more than [`MAX_COLUMNS`] cells.
    #[error("Line {line} has {} columns; at most {} are read.", format_count(*.found as u64), format_count(MAX_COLUMNS as u64))]
    Columns {
        /// Counted from 1; where the row begins.
        line: usize,
        /// How many cells it has.
        found: usize,
    },
}

/// Its cells, with tabs between them and a line for each row.
///
/// # Errors
/// Names the first line that cannot be read, or that has more than [`MAX_COLUMNS`] cells.
///
/// ```
/// use blockstep_format::read_sheet;
///
/// assert_eq!(read_sheet("Kernel;Start (ms)\n\"A; B\";1,5\n").unwrap(), "Kernel\tStart (ms)\nA; B\t1,5\n");
/// ```
pub fn read_sheet(text: &str) -> Result<String, SheetError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator(text)).from_reader(text.as_bytes());
    let mut cells = String::new();
    for record in reader.records() {
        let record = record?;
        if record.len() > MAX_COLUMNS {
            return Err(SheetError::Columns { line: line_of(&record, text), found: record.len() });
        }
        for (i, cell) in record.iter().enumerate() {
            if i > 0 {
                cells.push('\t');
            }
            cells.extend(cell.trim().chars().map(|c| if c.is_control() { ' ' } else { c }));
        }
        cells.push('\n');
    }
    Ok(cells)
}

/// The line in which a row begins. The crate csv counts blank lines before a row as part of it.
fn line_of(record: &csv::StringRecord, text: &str) -> usize {
    let at = record.position().map_or(0, |position| position.byte() as usize);
    let blank = text[at..].bytes().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    1 + text[..at + blank].matches('\n').count()
}
