//! The strict reader of files that people write: values by their type, and everything that is wrong with them.
//!
//! Depends on `json` and `scenario`. Invariant: something comes out only if every field of the file is known, stands
//! there once and has the right type; what the values mean is checked later. Types of serde are read by `typed`; what
//! serde cannot describe (an object whose fields follow from one of them, exact decimals, unknown fields that become
//! notes) is read with the methods here.

use super::error::{FormatError, Located, MAX_PROBLEMS, Path, shorten, shown};
use super::json::{JsonKind, Node};
use super::typed::Form;
use blockstep_sim::language::one_of;
use blockstep_sim::scenario::{Choice, too_long};

/// Fields of an object, in the order of the format, or the words of a choice.
pub(crate) type Names<'n> = &'n [&'static str];

/// For editors: where the schema of a file is. Any file of ours may have it.
const SCHEMA: &str = "$schema";

/// Fields that hold names.
const NAMES: Names<'static> = &["name", "task", "process", "stream", "after", "consumes", "waits_for", "records", "graph", "batch"];

/// Reads values and collects what is wrong with them; where something is, a stand-in is returned.
#[derive(Default)]
pub struct Reader {
    /// What is to be known of serde types.
    pub(super) forms: &'static [Form],
    /// The version that the file says it has, of formats with several.
    pub(super) version: Option<u8>,
    problems: Vec<Located>,
    unnamed: usize,
}

impl Reader {
    /// A reader of serde types.
    pub(super) fn with_forms(forms: &'static [Form]) -> Self {
        Self { forms, ..Self::default() }
    }

    /// What was read, unless anything is wrong.
    pub fn finish<T>(mut self, read: T) -> Result<T, FormatError> {
        if self.problems.is_empty() {
            return Ok(read);
        }
        if self.unnamed > 0 {
            self.problems.push(Located { line: None, path: String::new(), message: "and more".to_owned(), limit: None });
        }
        Err(FormatError::new(self.problems))
    }

    /// Problems found so far.
    pub(super) fn problem_count(&self) -> usize {
        self.problems.len() + self.unnamed
    }

    /// Whether further problems are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.unnamed > 0
    }

    /// Notes what is wrong with a value.
    pub fn problem(&mut self, node: Node<'_>, path: &Path<'_>, message: impl FnOnce() -> String) {
        if self.problems.len() == MAX_PROBLEMS {
            self.unnamed += 1;
        } else {
            self.problems.push(Located { line: Some(node.line()), path: path.to_string(), message: message(), limit: None });
        }
    }

    /// Notes that a value is not what is expected.
    pub fn expected(&mut self, node: Node<'_>, path: &Path<'_>, what: &str) {
        self.problem(node, path, || format!("is {}; {what} is expected", shown(node)));
    }

    /// The known fields of an object, in the order of the file.
    pub fn object<'d>(&mut self, node: Node<'d>, path: &Path<'_>, known: Names<'_>, required: Names<'_>) -> Vec<(&'static str, Node<'d>)> {
        let mut fields: Vec<(&'static str, Node<'d>)> = Vec::with_capacity(known.len());
        if node.kind() != JsonKind::Object {
            self.expected(node, path, "an object");
            return fields;
        }
        for (key, value) in node.fields() {
            let name = key.text();
            match known.iter().find(|k| **k == name) {
                None if name == SCHEMA && matches!(path, Path::Root) => {}
                None => self.problem(key, &path.field(&name), || unknown(&name, known)),
                Some(k) if fields.iter().any(|(seen, _)| seen == k) => {
                    self.problem(key, &path.field(&name), || "is given more than once".to_owned());
                }
                Some(k) => fields.push((k, value)),
            }
        }
        for name in required {
            if !fields.iter().any(|(seen, _)| seen == name) {
                self.problem(node, &path.field(name), || "is missing; it is required".to_owned());
            }
        }
        fields
    }

    /// The items of a list, each read by `row`.
    pub fn table<T>(&mut self, node: Node<'_>, path: &Path<'_>, row: fn(&mut Self, Node<'_>, &Path<'_>) -> T) -> Vec<T> {
        if node.kind() != JsonKind::List {
            self.expected(node, path, "a list");
        }
        let mut rows = Vec::new();
        for (i, item) in node.items().enumerate() {
            // Nothing is made of the rows any more, and there may be millions.
            if self.is_full() {
                break;
            }
            rows.push(row(self, item, &path.item(i)));
        }
        rows
    }

    /// A text; a name that is too long is a problem.
    pub fn text(&mut self, node: Node<'_>, path: &Path<'_>) -> String {
        if node.kind() != JsonKind::String {
            self.expected(node, path, "a text in double quotes");
        }
        let text = node.text();
        if node.kind() == JsonKind::String
            && NAMES.contains(&path.last_field())
            && let Some(why) = too_long(&text)
        {
            self.problem(node, path, || why);
            return String::new();
        }
        text.into_owned()
    }

    /// A whole number; its unit follows from the field's name.
    pub fn number(&mut self, node: Node<'_>, path: &Path<'_>) -> u64 {
        let raw = node.raw();
        if node.kind() != JsonKind::Number || !raw.bytes().all(|b| b.is_ascii_digit()) {
            let unit = match path.last_field() {
                name if name.ends_with("_ns") => " of nanoseconds",
                name if name.ends_with("_bytes") => " of bytes",
                _ => "",
            };
            self.problem(node, path, || format!("is {}; a whole number{unit} is expected, written in digits alone", shown(node)));
            return 0;
        }
        raw.parse().unwrap_or_else(|_| {
            self.problem(node, path, || format!("is {}; at most {} is possible", shown(node), u64::MAX));
            0
        })
    }

    /// The same of 32 bits.
    pub(super) fn small(&mut self, node: Node<'_>, path: &Path<'_>) -> u32 {
        let number = self.number(node, path);
        u32::try_from(number).unwrap_or_else(|_| {
            self.problem(node, path, || format!("is {number}; at most {} is possible", u32::MAX));
            0
        })
    }

    pub(super) fn signed(&mut self, node: Node<'_>, path: &Path<'_>) -> i64 {
        let raw = node.raw();
        if node.kind() != JsonKind::Number || !raw.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
            self.expected(node, path, "a whole number");
            return 0;
        }
        raw.parse().unwrap_or_else(|_| {
            self.problem(node, path, || format!("is {}; it must lie between {} and {}", shown(node), i64::MIN, i64::MAX));
            0
        })
    }

    /// `true` or `false`.
    pub fn truth(&mut self, node: Node<'_>, path: &Path<'_>) -> bool {
        if node.kind() != JsonKind::Bool {
            self.expected(node, path, "true or false");
        }
        node.raw() == "true"
    }

    /// A word of a choice; the first if it is none of them.
    pub fn choice<C: Choice>(&mut self, node: Node<'_>, path: &Path<'_>) -> C {
        let words: Vec<_> = C::ALL.iter().map(|choice| choice.word()).collect();
        C::from_word(self.word(node, path, &words)).unwrap_or(C::ALL[0])
    }

    /// One of some words; the first if it is none of them.
    pub(super) fn word(&mut self, node: Node<'_>, path: &Path<'_>, words: Names<'_>) -> &'static str {
        let text = node.text();
        let found = words.iter().find(|word| node.kind() == JsonKind::String && **word == text);
        found.copied().unwrap_or_else(|| {
            let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
            self.expected(node, path, &one_of(&quoted));
            words[0]
        })
    }
}

fn unknown(name: &str, known: Names<'_>) -> String {
    // One slip in three characters still looks like the same word.
    let close = known.iter().map(|k| (distance(name, k), k)).filter(|(d, k)| d * 3 <= k.len().max(3)).min();
    match close {
        Some((_, field)) => format!("unknown field, did you mean {field}?"),
        None => format!("unknown field; there are {}", known.join(", ")),
    }
}

/// How many letters must be put in, taken out or replaced to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    // Past this length the answer is "far" in any case.
    let a: Vec<char> = shorten(a).to_ascii_lowercase().chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
