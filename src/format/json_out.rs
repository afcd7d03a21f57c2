//! Objects written on one line, fields in the order in which they are given.
//!
//! Depends on `json_text` for the escapes. Invariant: what comes out is valid JSON.

use std::fmt::Write;

use super::json_text::push_string;

/// An object being written.
pub(super) struct Object<'o> {
    out: &'o mut String,
    empty: bool,
}

impl<'o> Object<'o> {
    pub(super) fn open(out: &'o mut String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    pub(super) fn close(self) {
        self.out.push_str(if self.empty { "}" } else { " }" });
    }

    /// Writes the key; the value must follow.
    pub(super) fn key(&mut self, key: &str) -> &mut String {
        self.out.push_str(if self.empty { " " } else { ", " });
        self.empty = false;
        push_string(self.out, key);
        self.out.push_str(": ");
        self.out
    }

    pub(super) fn text(&mut self, key: &str, value: &str) {
        push_string(self.key(key), value);
    }

    pub(super) fn number(&mut self, key: &str, value: u64) {
        push_number(self.key(key), value);
    }

    pub(super) fn signed(&mut self, key: &str, value: i64) {
        // Writing to a string cannot fail.
        let _ = write!(self.key(key), "{value}");
    }

    pub(super) fn truth(&mut self, key: &str, value: bool) {
        self.key(key).push_str(if value { "true" } else { "false" });
    }

    /// A number, or null.
    pub(super) fn number_or_null(&mut self, key: &str, value: Option<u64>) {
        match value {
            Some(value) => self.number(key, value),
            None => self.key(key).push_str("null"),
        }
    }
}

/// Appends a number.
pub(super) fn push_number(out: &mut String, value: u64) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{value}");
}

/// Appends a list with one entry a line, `"key": [ ... ]`, indented as a field of the outermost object.
pub(super) fn push_rows<T>(out: &mut String, key: &str, rows: impl Iterator<Item = T>, row: impl Fn(&mut String, T)) {
    out.push_str("  ");
    push_string(out, key);
    out.push_str(": [");
    let mut empty = true;
    for item in rows {
        out.push_str(if empty { "\n    " } else { ",\n    " });
        empty = false;
        row(out, item);
    }
    out.push_str(if empty { "]" } else { "\n  ]" });
}
