//! How much a document on the page may hold, whichever way it comes in.
//!
//! Depends on nothing. Invariant: what is counted before cells are read bounds what reading them costs.

/// Rows, streams and names in lists of rows that a scenario on the page may have.
pub const MAX_ENTRIES: usize = 100_000;
/// Bytes that its file, or cells for it, may have.
pub const MAX_BYTES: usize = 8 * 1024 * 1024;

/// What of some cells is more than a document may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMuch {
    /// So many lines.
    Lines(usize),
    /// So many bytes.
    Bytes(usize),
}

/// Why the cells of a spreadsheet are not even read, if they are not.
#[must_use]
pub fn too_much(cells: &str) -> Option<TooMuch> {
    if cells.len() > MAX_BYTES {
        return Some(TooMuch::Bytes(cells.len()));
    }
    let lines = cells.lines().count();
    // The first may name the columns.
    (lines > MAX_ENTRIES + 1).then_some(TooMuch::Lines(lines))
}
