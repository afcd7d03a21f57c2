//! What is wrong with a file, and where in its text.
//!
//! Depends on `json` for places and on `scenario` for problems without one. Invariant: at most
//! [`MAX_PROBLEMS`] problems are named, as finding a line takes time linear in the file.

use std::fmt;

use super::json::{self, Document, JsonKind, Node};
use blockstep_sim::scenario::ScenarioError;
use blockstep_sim::units::written::said_of;

/// Most problems named of one file.
pub(super) const MAX_PROBLEMS: usize = 100;

/// One thing wrong with a file, at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// 1-based line, if known.
    pub line: Option<usize>,
    /// Field, as `kernels[2].blocks`; empty for the file as a whole.
    pub path: String,
    /// What, without the path.
    pub message: String,
    /// The number that the value passes, in the unit of the field, where the problem is that.
    pub limit: Option<u64>,
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) if self.path.is_empty() => f.write_str(&said_of(&format!("line {line}"), &self.message)),
            Some(line) => write!(f, "line {line}: {}", said_of(&self.path, &self.message)),
            None => f.write_str(&said_of(&self.path, &self.message)),
        }
    }
}

/// Why a file could not be read. Displayed with one problem a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormatError {
    /// In the order of the file; never empty.
    pub problems: Vec<Located>,
    /// Line of the first problem, if known.
    pub line: Option<usize>,
    /// Whether the file can be read once [`super::ImportOptions::default_duration_ns`] is given.
    pub needs_duration: bool,
    /// What an importer assumed or ignored until then, a sentence each: a note may say why something is wrong.
    pub notes: Vec<String>,
}

impl FormatError {
    pub(super) fn new(problems: Vec<Located>) -> Self {
        Self { line: problems.first().and_then(|p| p.line), problems, ..Self::default() }
    }

    /// The problems, and then the notes, one a line.
    #[must_use]
    pub fn with_notes(&self) -> String {
        let notes = self.notes.iter().map(|note| format!("\nnote: {note}"));
        std::iter::once(self.to_string()).chain(notes).collect()
    }

    /// One problem with the file as a whole.
    pub(super) fn whole(message: impl Into<String>) -> Self {
        Self::new(vec![Located { line: None, path: String::new(), message: message.into(), limit: None }])
    }

    /// A file that is no JSON, or empty.
    pub fn syntax(text: &str, error: &json::Syntax) -> Self {
        let message = if text.trim().is_empty() {
            "the file is empty".to_owned()
        } else {
            format!("not JSON (column {}): {}", json::column(text, error.at), error.message)
        };
        Self::new(vec![Located { line: Some(json::line(text, error.at)), path: String::new(), message, limit: None }])
    }

    /// The problems of a scenario that was read from `text`, each with the line of its field.
    #[must_use]
    pub fn of_scenario(error: &ScenarioError, text: &str) -> Self {
        let doc = super::within_limit(text).ok().and_then(|()| Document::parse(text).ok());
        let mut problems: Vec<Located> = Vec::new();
        for p in error.problems.iter().take(MAX_PROBLEMS) {
            let line = doc.as_ref().map(|d| line_of(d, &p.path));
            problems.push(Located { line, path: p.path.clone(), message: p.message.clone(), limit: p.limit });
        }
        if let Some(rest) = error.problems.len().checked_sub(MAX_PROBLEMS).filter(|&rest| rest > 0) {
            problems.push(Located { line: None, path: String::new(), message: format!("and {rest} more"), limit: None });
        }
        Self::new(problems)
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FormatError {}

/// The 1-based line of a field such as `kernels[2].blocks`; of what surrounds it if the field
/// itself is absent. `None` if the text is not JSON.
#[must_use]
pub fn locate(text: &str, path: &str) -> Option<usize> {
    super::within_limit(text).ok()?;
    Document::parse(text).ok().map(|doc| line_of(&doc, path))
}

fn line_of(doc: &Document<'_>, path: &str) -> usize {
    let mut node = doc.root();
    for part in path.split(['.', '[']) {
        let found = match (node.kind(), part.strip_suffix(']')) {
            (JsonKind::List, Some(index)) => index.parse().ok().and_then(|i| node.items().nth(i)),
            _ => node.get(part),
        };
        match found {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node.line()
}

/// Where a value stands, from the outermost one inwards.
#[derive(Clone, Copy)]
pub enum Path<'p> {
    /// The whole file.
    Root,
    /// A field of an object.
    Field(&'p Path<'p>, &'p str),
    /// An item of a list, counted from 0.
    Item(&'p Path<'p>, usize),
}

impl<'p> Path<'p> {
    /// The place of a field inside this one.
    pub fn field(&'p self, name: &'p str) -> Path<'p> {
        Path::Field(self, name)
    }

    /// The place of an item inside this one.
    pub fn item(&'p self, index: usize) -> Path<'p> {
        Path::Item(self, index)
    }

    /// The innermost name.
    pub(super) fn last_field(&self) -> &'p str {
        match *self {
            Path::Root => "",
            Path::Field(_, name) => name,
            Path::Item(outer, _) => outer.last_field(),
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Field(Path::Root, name) => write!(f, "{}", Name(name)),
            Path::Field(outer, name) => write!(f, "{outer}.{}", Name(name)),
            Path::Item(outer, index) => write!(f, "{outer}[{index}]"),
        }
    }
}

/// A field's name: as it is if it looks like one, else shortened and in quotes.
struct Name<'n>(&'n str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = !self.0.is_empty() && self.0.len() <= 40 && self.0.chars().all(|c| c.is_alphanumeric() || c == '_');
        if plain { f.write_str(self.0) } else { write!(f, "\"{}\"", shorten(self.0).escape_debug()) }
    }
}

/// A value for a message: short, on one line.
pub(super) fn shown(node: Node<'_>) -> String {
    match node.kind() {
        JsonKind::Null => "null".to_owned(),
        JsonKind::List => "a list".to_owned(),
        JsonKind::Object => "an object".to_owned(),
        JsonKind::String => format!("the text \"{}\"", shorten(&node.text()).escape_debug()),
        JsonKind::Number | JsonKind::Bool => shorten(node.raw()),
    }
}

/// The first 40 characters.
pub(super) fn shorten(text: &str) -> String {
    beginning(text, 40)
}

/// The first so many characters, for a message.
#[must_use]
pub fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
