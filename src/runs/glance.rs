//! The first lines of files that are not saved yet.
//!
//! Depends on nothing. Invariant: a line that is cut short says so.

/// Lines shown of a file.
const LINES: usize = 8;
/// Characters shown of a line.
const CHARACTERS: usize = 160;

/// What is shown of the files that a kind of export would save.
#[derive(Debug, PartialEq, Eq)]
pub struct Glance {
    /// Each file.
    pub files: Vec<Head>,
    /// What is not in them, a sentence each.
    pub losses: Vec<String>,
    /// Why there are no files, as a sentence.
    pub problem: Option<String>,
}

/// The beginning of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Head {
    /// Its name.
    pub name: String,
    /// Its first lines.
    pub lines: Vec<String>,
    /// How many it has.
    pub count: usize,
    /// Its length.
    pub bytes: usize,
}

impl Head {
    /// Of a file.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        let shorten = |line: &str| match line.char_indices().nth(CHARACTERS) {
            Some((place, _)) => format!("{}…", &line[..place]),
            None => line.to_owned(),
        };
        Self {
            name: name.to_owned(),
            lines: text.lines().take(LINES).map(shorten).collect(),
            count: text.lines().count(),
            bytes: text.len(),
        }
    }
}
