//! Databases of profilers, which are SQLite: whose a database is, and the rows of its tables.
//!
//! The command line and the browser have each a [`Database`] of their own. Invariants: only ordinary tables are asked for, so that nothing
//! in a database can run; tables and columns that a version lacks count as missing.

use std::collections::{BTreeMap, BTreeSet};

use super::mended::MOST_TEXT;
use super::{MOST_ENTRIES, ProfileError, nsight, rocm};
use crate::Recording;

/// So many rows are read before somebody is told.
const ROWS: u64 = 4_096;

type Watch<'w> = &'w mut dyn FnMut(u64) -> bool;

/// A database that is only read.
pub trait Database {
    /// Every row of a query in the words of SQLite, until `row` returns `false`. Another query may be made from within.
    ///
    /// # Errors
    /// Why the database cannot be read, in SQLite's own words.
    fn rows(&self, query: &str, row: &mut dyn FnMut(&dyn Cells) -> bool) -> Result<(), String>;
}

/// A row, by places of its columns from 0 on.
pub trait Cells {
    /// A whole number; `None` if it is none.
    fn integer(&self, place: usize) -> Option<i64>;
    /// A text; `None` if it is none.
    fn text(&self, place: usize) -> Option<String>;
}

/// Reads a database of Nsight Systems or of rocprofv3. `watch` is told how many rows were read; by returning `false` it stops reading.
///
/// # Errors
/// What was expected, and what was found.
pub fn read_export(database: &dyn Database, watch: Watch<'_>) -> Result<Recording, ProfileError> {
    read_within(MOST_ENTRIES, database, watch)
}

/// The same with at most so many entries.
pub(super) fn read_within(most: usize, database: &dyn Database, watch: Watch<'_>) -> Result<Recording, ProfileError> {
    let tables = Tables { database, columns: columns(database)? };
    let progress = Progress { rows: 0, most, watch };
    if tables.columns.keys().any(|table| table.starts_with("rocpd_")) {
        // rocmProfileData has calls and operations in tables of their own.
        if tables.has("rocpd_op", "id") && tables.has("rocpd_api", "id") {
            return Err(ProfileError::ForeignDatabase("a database of rocmProfileData (.rpd)"));
        }
        return rocm::read_database(&tables, progress)?.ok_or_else(|| tables.nothing());
    }
    // It has tables that look like those of Nsight Systems.
    if tables.columns.contains_key("StringTable") && !tables.columns.contains_key("StringIds") {
        return Err(ProfileError::ForeignDatabase("a database of nvprof"));
    }
    nsight::read(&tables, progress)
}

/// The ordinary tables of a database with their columns.
fn columns(database: &dyn Database) -> Result<BTreeMap<String, BTreeSet<String>>, String> {
    let list = |query: &str| {
        let mut names = Vec::new();
        database.rows(query, &mut |row| {
            names.extend(row.text(0));
            true
        })?;
        Ok::<_, String>(names)
    };
    let mut tables = BTreeMap::new();
    for name in list("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' ORDER BY name")? {
        let columns = list(&format!("SELECT name FROM pragma_table_info('{}')", name.replace('\'', "''")))?;
        tables.insert(name, columns.into_iter().collect());
    }
    Ok(tables)
}

/// How far the rows of a database are read.
pub(super) struct Progress<'w> {
    rows: u64,
    /// At most so many entries.
    pub(super) most: usize,
    watch: Watch<'w>,
}

impl Progress<'_> {
    /// Counts a row, with so many entries kept before it.
    pub(super) fn step(&mut self, entries: usize) -> Result<(), ProfileError> {
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS) && !(self.watch)(self.rows) {
            return Err(ProfileError::Stopped);
        }
        if entries > self.most { Err(ProfileError::Entries { most: self.most }) } else { Ok(()) }
    }
}

/// A row whose columns were asked for in an order.
pub(super) struct SelectedRow<'r>(&'r dyn Cells);

impl SelectedRow<'_> {
    pub(super) fn integer(&self, place: usize) -> Option<i64> {
        self.0.integer(place)
    }

    pub(super) fn text(&self, place: usize) -> Option<String> {
        self.0.text(place)
    }

    /// A whole number; negative ones and 4,294,967,295 are missing.
    pub(super) fn number(&self, place: usize) -> Option<u64> {
        self.integer(place).and_then(|n| u64::try_from(n).ok()).filter(|&n| n != u64::from(u32::MAX))
    }

    pub(super) fn small(&self, place: usize) -> Option<u32> {
        self.number(place).and_then(|n| u32::try_from(n).ok())
    }
}

/// The tables of a database.
pub(super) struct Tables<'c> {
    pub(super) database: &'c dyn Database,
    pub(super) columns: BTreeMap<String, BTreeSet<String>>,
}

/// A name as it stands in a query.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

impl Tables<'_> {
    /// That no operation of a device is in it.
    pub(super) fn nothing(&self) -> ProfileError {
        let some: Vec<&str> = self.columns.keys().map(String::as_str).take(6).collect();
        ProfileError::NothingInDatabase { tables: if some.is_empty() { "none".to_owned() } else { some.join(", ") } }
    }

    pub(super) fn has(&self, table: &str, column: &str) -> bool {
        self.columns.get(table).is_some_and(|columns| columns.contains(column))
    }

    /// Columns of a table as a query asks for them, after this; those that it lacks are NULL. Texts are cut where no text may be longer.
    pub(super) fn asked(&self, table: &str, before: &str, columns: &[&str]) -> String {
        let column = |name: &&str| match *name {
            name if !self.has(table, name) => "NULL".to_owned(),
            "text" | "name" | "label" | "type" | "product_name" | "extdata" => format!("substr({before}\"{name}\", 1, {MOST_TEXT})"),
            name => format!("{before}\"{name}\""),
        };
        columns.iter().map(column).collect::<Vec<_>>().join(", ")
    }

    /// Every row of a query; whether there were any.
    pub(super) fn each(
        &self,
        query: &str,
        row: &mut dyn FnMut(&SelectedRow<'_>) -> Result<(), ProfileError>,
    ) -> Result<bool, ProfileError> {
        let (mut any, mut outcome) = (false, Ok(()));
        self.database.rows(query, &mut |next| {
            any = true;
            outcome = row(&SelectedRow(next));
            outcome.is_ok()
        })?;
        outcome?;
        Ok(any)
    }

    /// The text in a column of a table that has it, in the row with this id.
    pub(super) fn text(&self, table: &str, column: &str, id: i64) -> Result<Option<String>, ProfileError> {
        let (from, value) = (quoted(table), quoted(column));
        let mut text = None;
        // One byte more than may be tells that there is more.
        let query = format!("SELECT substr({value}, 1, {MOST_TEXT} + 1) FROM {from} WHERE id = {id} AND typeof({value}) = 'text'");
        self.database.rows(&query, &mut |row| {
            text = row.text(0);
            false
        })?;
        match text {
            Some(text) if text.len() > MOST_TEXT => Err(ProfileError::LongName { table: table.to_owned(), id }),
            text => Ok(text),
        }
    }
}
