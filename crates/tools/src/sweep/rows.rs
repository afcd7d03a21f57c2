//! The rows of a table, sorted.
//!
//! Invariant: numbers are compared as numbers, without rounding; what has no value is last either way.

use std::cmp::Ordering;

use blockstep_sim::language::capitalized;
use blockstep_sweep::{Names, Part, RUN, thousandths};

/// Most rows on the page.
pub const MAX_ROWS: usize = 1_000;

/// A column that is shown.
pub(super) struct Column {
    pub(super) name: String,
    /// Whether all of its values are numbers or times.
    pub(super) is_number: bool,
    /// Its place in the file.
    place: usize,
}

/// The columns of a table; that of problems only if there is one.
pub(super) fn columns(part: &Part) -> Vec<Column> {
    let has_problem = part.problems().next().is_some();
    let named = part.header().iter().enumerate().filter(|(_, name)| *name != "problem" || has_problem);
    let column = |(place, name): (usize, &String)| {
        let mut cells = part.rows().iter().map(|(_, cells)| cells[place].as_str());
        Column { name: name.clone(), is_number: cells.all(|cell| cell.is_empty() || thousandths(cell).is_some()), place }
    };
    named.map(column).collect()
}

/// The first rows of a table by a column.
pub(super) fn rows(part: &Part, columns: &[Column], names: &Names, by: usize, is_descending: bool) -> Vec<Vec<String>> {
    let mut sorted: Vec<&(u64, Vec<String>)> = part.rows().iter().collect();
    sorted.sort_by(|(_, one), (_, other)| {
        let (one, other) = (&one[by], &other[by]);
        let emptiness = one.is_empty().cmp(&other.is_empty());
        let order = compared(one, other);
        emptiness.then(if is_descending { order.reverse() } else { order })
    });
    let row = |(_, cells): &(u64, Vec<String>)| columns.iter().map(|column| names.value(&column.name, &cells[column.place])).collect();
    sorted.into_iter().take(MAX_ROWS).map(row).collect()
}

/// A column as a title, whether it has words or is a word itself.
pub(super) fn title(names: &Names, column: &str) -> String {
    if matches!(column, RUN | "problem") { capitalized(column) } else { names.title(column) }
}

fn compared(one: &str, other: &str) -> Ordering {
    match (thousandths(one), thousandths(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => one.cmp(other),
    }
}
