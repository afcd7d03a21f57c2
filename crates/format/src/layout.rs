//! How files of ours are laid out: serde types written by serde_json.
//!
//! Depends on serde_json. Invariants: nothing is held as a whole that is written; a field of the outermost object takes a
//! line, and so does an entry of a list there, unless the list is one of [`ON_ONE_LINE`]; everything deeper stands on the
//! line of what it is in. The bytes of a file that exists do not change.

use std::fmt::{self, Display};
use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};
use serde_json::value::RawValue;

/// Lists of the outermost object that are short enough for the line of their name.
const ON_ONE_LINE: [&str; 3] = ["variants", "runlist", "period_us"];

/// A whole file.
pub fn file(value: impl Serialize) -> impl Display {
    fmt::from_fn(move |out| {
        write(out, &value, Layout::default())?;
        out.write_str("\n")
    })
}

/// A value that stands on one line: `{ "name": "K1", "runs": [[0, 4]] }`.
pub fn line(value: &impl Serialize) -> impl Display {
    fmt::from_fn(move |out| write(out, value, Layout { depth: 1, ..Layout::default() }))
}

/// A value without any blanks, as links have it.
pub fn compact(value: &impl Serialize) -> impl Display {
    fmt::from_fn(move |out| write(out, value, Compact))
}

fn write(out: &mut fmt::Formatter<'_>, value: &impl Serialize, formatter: impl Formatter) -> fmt::Result {
    // Small pieces are put together on the way.
    let mut pieces = io::BufWriter::new(Pieces(out));
    let written = value.serialize(&mut serde_json::Serializer::with_formatter(&mut pieces, formatter));
    // The types here have names for keys, so only what takes the text can fail.
    written.map_err(|_| fmt::Error)?;
    pieces.flush().map_err(|_| fmt::Error)
}

/// Takes bytes as the text that they are.
struct Pieces<'f, 'o>(&'f mut fmt::Formatter<'o>);

impl Write for Pieces<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
        self.0.write_str(text).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A decimal number that is written already, digit by digit; null if it is no number.
pub fn decimal(digits: impl ToString) -> Box<RawValue> {
    RawValue::from_string(digits.to_string()).unwrap_or_default()
}

/// A list of what a function gives, so that a long one is never held as a whole.
pub(super) struct Each<F>(pub(super) F);

impl<T: Serialize, I: Iterator<Item = T>, F: Fn() -> I> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Types with optional fields that are left out where there is nothing.
macro_rules! sparse {
    ($($(#[$doc:meta])* struct $name:ident<$life:lifetime> { $($(#[$of:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Default, serde::Serialize)]
        struct $name<$life> { $($(#[$of])* #[serde(skip_serializing_if = "Option::is_none")] $field: Option<$type>,)* }
    )*};
}
pub(super) use sparse;

/// The layout of a file.
#[derive(Default)]
struct Layout {
    /// Lists and objects that are open.
    depth: usize,
    is_key: bool,
    /// Whether the list in the outermost object has an entry a line.
    has_rows: bool,
    /// Whether what is closed next has something in it.
    has_content: bool,
}

impl Layout {
    fn is_in_rows(&self) -> bool {
        self.depth == 2 && self.has_rows
    }

    fn open(&mut self) {
        self.depth += 1;
        self.has_content = false;
    }

    /// Whether what is closed had something in it.
    fn close(&mut self) -> bool {
        self.depth -= 1;
        std::mem::replace(&mut self.has_content, true)
    }
}

impl Formatter for Layout {
    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open();
        out.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        (self.is_key, self.has_content) = (true, true);
        out.write_all(match (self.depth, first) {
            (1, true) => b"\n  ",
            (1, false) => b",\n  ",
            (_, true) => b" ",
            (_, false) => b", ",
        })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.is_key = false;
        out.write_all(b": ")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(match (self.close(), self.depth) {
            (true, 0) => b"\n}",
            (true, _) => b" }",
            (false, _) => b"}",
        })
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open();
        out.write_all(b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.has_content = true;
        out.write_all(match (self.is_in_rows(), first) {
            (true, true) => b"\n    ",
            (true, false) => b",\n    ",
            (false, true) => b"",
            (false, false) => b", ",
        })
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let is_in_rows = self.is_in_rows();
        out.write_all(if self.close() && is_in_rows { b"\n  ]" } else { b"]" })
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        if self.is_key && self.depth == 1 {
            self.has_rows = !ON_ONE_LINE.contains(&fragment);
        }
        Compact.write_string_fragment(out, fragment)
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, out: &mut W, escape: CharEscape) -> io::Result<()> {
        Compact.write_char_escape(out, escape)
    }
}

/// Without blanks, and with the escapes of files.
struct Compact;

impl Formatter for Compact {
    /// JSON allows them as they are, but a terminal takes them for commands.
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| c.is_control()) {
            out.write_all(&rest.as_bytes()[..at])?;
            write!(out, "\\u{:04x}", u32::from(c))?;
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, out: &mut W, escape: CharEscape) -> io::Result<()> {
        match escape {
            // As files have always had them.
            CharEscape::Backspace => out.write_all(b"\\u0008"),
            CharEscape::FormFeed => out.write_all(b"\\u000c"),
            other => CompactFormatter.write_char_escape(out, other),
        }
    }
}
