//! The first lines of files that are not saved yet.
//!
//! Invariants: a line that is cut short says so; no more of a file is held than is shown, and none is made beyond what can be saved.

use std::fmt::{self, Display, Write};

use super::whole::MAX_SAVED;

/// Lines shown of a file.
pub const LINES: usize = 8;
/// Characters shown of a line.
pub const CHARACTERS: usize = 160;

/// What is shown of the files that a kind of export would save.
#[derive(Debug, PartialEq, Eq)]
pub struct Glance {
    pub files: Vec<Head>,
    pub losses: Vec<String>,
    /// Why there are no files, as a sentence.
    pub problem: Option<String>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Head {
    pub name: String,
    pub lines: Vec<String>,
    /// How many it has, or had before it was too large.
    pub count: usize,
    /// Its length, or one above [`MAX_SAVED`].
    pub bytes: usize,
}

impl Head {
    #[must_use]
    pub fn new(name: &str, text: &impl Display) -> Self {
        let mut reader = Reader::default();
        // The reader takes no more than can be saved, which its count of bytes tells.
        let _ = write!(reader, "{text}");
        Self { name: name.to_owned(), ..reader.head }
    }
}

/// Reads a text piece by piece.
#[derive(Default)]
struct Reader {
    head: Head,
    /// Characters of the line that is not over; `None` between two lines.
    in_line: Option<usize>,
}

impl Write for Reader {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.head.bytes += piece.len();
        for part in piece.split_inclusive('\n') {
            let (part, is_over) = part.strip_suffix('\n').map_or((part, false), |part| (part, true));
            if self.in_line.is_none() {
                self.head.count += 1;
                if self.head.count <= LINES {
                    self.head.lines.push(String::new());
                }
            }
            let mut length = self.in_line.unwrap_or(0);
            if self.head.count <= LINES
                && let Some(line) = self.head.lines.last_mut()
            {
                for c in part.chars().take((CHARACTERS + 1).saturating_sub(length)) {
                    line.push(if length < CHARACTERS { c } else { '…' });
                    length += 1;
                }
            }
            self.in_line = if is_over { None } else { Some(length) };
        }
        if self.head.bytes > MAX_SAVED { Err(fmt::Error) } else { Ok(()) }
    }
}
