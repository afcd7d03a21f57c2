//! SQLite for the command line.
//!
//! rusqlite holds SQLite itself; the browser has another (`worker/sqlite.rs`). Invariant: a database is only read, and nothing in it can
//! run.

use std::io::Cursor;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, MAIN_DB, OpenFlags, Row};

use super::ProfileError;
use super::database::{self, Cells, Database};
use crate::Recording;

/// Reads a database that is in memory.
pub(super) fn read_bytes(most: usize, bytes: Vec<u8>, watch: &mut dyn FnMut(u64) -> bool) -> Result<Recording, ProfileError> {
    let open = || {
        let mut connection = Connection::open_in_memory()?;
        let size = bytes.len();
        connection.deserialize_read_exact(MAIN_DB, Cursor::new(bytes), size, true)?;
        guard(connection)
    };
    database::read_within(most, &open().map_err(|why| why.to_string())?, watch)
}

/// Reads a database where it lies.
pub(super) fn read_file(path: &Path, watch: &mut dyn FnMut(u64) -> bool) -> Result<Recording, ProfileError> {
    let mut uri = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => uri.push(char::from(*byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    // Nobody writes to it meanwhile, so that it needs no lock and no journal.
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let open = Connection::open_with_flags(uri, flags).and_then(guard);
    database::read_export(&open.map_err(|why| why.to_string())?, watch)
}

/// Nothing in the database runs.
fn guard(connection: Connection) -> rusqlite::Result<Connection> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    Ok(connection)
}

impl Database for Connection {
    fn rows(&self, query: &str, row: &mut dyn FnMut(&dyn Cells) -> bool) -> Result<(), String> {
        let mut read = || {
            let mut statement = self.prepare(query)?;
            let mut rows = statement.query([])?;
            while let Some(next) = rows.next()? {
                if !row(next) {
                    break;
                }
            }
            Ok(())
        };
        read().map_err(|why: rusqlite::Error| why.to_string())
    }
}

impl Cells for Row<'_> {
    fn integer(&self, place: usize) -> Option<i64> {
        match self.get_ref(place) {
            Ok(ValueRef::Integer(n)) => Some(n),
            _ => None,
        }
    }

    fn text(&self, place: usize) -> Option<String> {
        match self.get_ref(place) {
            Ok(ValueRef::Text(text)) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        }
    }
}
