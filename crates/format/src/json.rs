//! JSON as it was written: every value with its place in the text, keys in order and repeated.
//!
//! Depends on serde_json for what a string means. Invariants: accepts exactly RFC 8259 (after an optional byte order mark) up
//! to [`MAX_DEPTH`] levels; never recurses, so no input can exhaust the stack; numbers stay text,
//! so none is rounded. A document is one flat list of tokens, in the order of the text.
//!
//! serde's data model has no places, merges repeated keys and rounds large numbers, all of which
//! the messages of this crate's readers need.

use std::borrow::Cow;

/// Deepest nesting of lists and objects.
pub const MAX_DEPTH: usize = 128;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// Digits, perhaps with a sign, a fraction and an exponent.
    Number,
    /// Text in double quotes.
    String,
    /// Values in square brackets.
    List,
    /// Fields in braces.
    Object,
}

/// A value: its text from `start` to `end`, and the token after all that is inside it. An
/// object's tokens are followed by key, value, key, value.
#[derive(Clone, Copy, Debug)]
struct Token {
    kind: JsonKind,
    start: u32,
    end: u32,
    next: u32,
}

/// A text that is JSON.
#[derive(Debug)]
pub struct Document<'t> {
    text: &'t str,
    tokens: Vec<Token>,
}

/// Where and why a text is not JSON.
#[derive(Debug)]
pub struct Syntax {
    /// Byte offset.
    pub at: usize,
    pub message: String,
}

/// A value of a document.
#[derive(Clone, Copy, Debug)]
pub struct Node<'d> {
    doc: &'d Document<'d>,
    index: usize,
}

impl<'t> Document<'t> {
    /// Parses a text of less than 4 GiB.
    pub fn parse(text: &'t str) -> Result<Self, Syntax> {
        let mut parser = Parser { text: text.as_bytes(), at: 0, tokens: Vec::new(), open: Vec::new() };
        if text.starts_with('\u{feff}') {
            parser.at = '\u{feff}'.len_utf8();
        }
        parser.document()?;
        Ok(Self { text, tokens: parser.tokens })
    }

    /// The outermost value.
    pub fn root(&self) -> Node<'_> {
        Node { doc: self, index: 0 }
    }
}

/// 1-based line of a byte offset.
pub(super) fn line(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|&&b| b == b'\n').count()
}

/// 1-based column of a byte offset, in characters.
pub(super) fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    1 + before[before.rfind('\n').map_or(0, |i| i + 1)..].trim_start_matches('\u{feff}').chars().count()
}

impl<'d> Node<'d> {
    fn token(self) -> Token {
        self.doc.tokens[self.index]
    }

    /// What it is.
    pub fn kind(self) -> JsonKind {
        self.token().kind
    }

    /// The value as it stands in the text, quotes and brackets included.
    pub fn raw(self) -> &'d str {
        let token = self.token();
        &self.doc.text[token.start as usize..token.end as usize]
    }

    /// 1-based line on which the value begins.
    pub fn line(self) -> usize {
        line(self.doc.text, self.token().start as usize)
    }

    /// The text of a string, escapes resolved; the raw text of anything else.
    pub fn text(self) -> Cow<'d, str> {
        let raw = self.raw();
        match self.kind() {
            JsonKind::String if raw.contains('\\') => Cow::Owned(serde_json::from_str(raw).unwrap_or_default()),
            JsonKind::String => Cow::Borrowed(&raw[1..raw.len() - 1]),
            _ => Cow::Borrowed(raw),
        }
    }

    /// The entries of a list; nothing if it is none.
    pub fn items(self) -> impl Iterator<Item = Node<'d>> {
        if self.kind() == JsonKind::List { self.children() } else { self.no_children() }
    }

    /// Keys and values of an object in the order of the text; nothing if it is none.
    pub fn fields(self) -> impl Iterator<Item = (Node<'d>, Node<'d>)> {
        let mut children = if self.kind() == JsonKind::Object { self.children() } else { self.no_children() };
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// The first value of an object under this key.
    pub fn get(self, key: &str) -> Option<Node<'d>> {
        self.fields().find(|(k, _)| k.text() == key).map(|(_, value)| value)
    }

    fn children(self) -> Children<'d> {
        Children { doc: self.doc, next: self.index + 1, end: self.token().next as usize }
    }

    fn no_children(self) -> Children<'d> {
        Children { doc: self.doc, next: 0, end: 0 }
    }
}

struct Children<'d> {
    doc: &'d Document<'d>,
    next: usize,
    end: usize,
}

impl<'d> Iterator for Children<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        let node = (self.next < self.end).then_some(Node { doc: self.doc, index: self.next })?;
        self.next = node.token().next as usize;
        Some(node)
    }
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    tokens: Vec<Token>,
    /// Lists and objects that are not closed yet, by token.
    open: Vec<usize>,
}

impl Parser<'_> {
    fn document(&mut self) -> Result<(), Syntax> {
        loop {
            self.space();
            if !self.value()? {
                continue;
            }
            // A value is complete; so may be what it stands in.
            loop {
                self.space();
                let Some(&open) = self.open.last() else {
                    return if self.at == self.text.len() { Ok(()) } else { self.expected("the end of the file") };
                };
                let (close, wanted) = match self.tokens[open].kind {
                    JsonKind::Object => (b'}', "a comma or }"),
                    _ => (b']', "a comma or ]"),
                };
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        self.space();
                        if self.peek() == Some(close) {
                            return self.fail(self.at, "the comma before it is one too many".to_owned());
                        }
                        if close == b'}' {
                            self.key()?;
                        }
                        break;
                    }
                    Some(c) if c == close => self.close(),
                    _ => return self.expected(wanted),
                }
            }
        }
    }

    /// Reads a value, or the beginning of a list or object (then the answer is false).
    fn value(&mut self) -> Result<bool, Syntax> {
        match self.peek() {
            Some(c @ (b'{' | b'[')) => {
                if self.open.len() == MAX_DEPTH {
                    return self.fail(self.at, format!("lists and objects are nested deeper than {MAX_DEPTH} levels"));
                }
                self.open.push(self.tokens.len());
                self.push(if c == b'{' { JsonKind::Object } else { JsonKind::List }, self.at, self.at);
                self.at += 1;
                self.space();
                match (c, self.peek()) {
                    (b'{', Some(b'}')) | (b'[', Some(b']')) => {
                        self.close();
                        Ok(true)
                    }
                    (b'{', _) => self.key().map(|()| false),
                    _ => Ok(false),
                }
            }
            Some(b'"') => self.string().map(|()| true),
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| true),
            _ => {
                for (word, kind) in [("null", JsonKind::Null), ("true", JsonKind::Bool), ("false", JsonKind::Bool)] {
                    if self.text[self.at..].starts_with(word.as_bytes()) {
                        self.push(kind, self.at, self.at + word.len());
                        self.at += word.len();
                        return Ok(true);
                    }
                }
                self.expected("a value")
            }
        }
    }

    fn key(&mut self) -> Result<(), Syntax> {
        if self.peek() != Some(b'"') {
            return self.expected("a field name in double quotes");
        }
        self.string()?;
        self.space();
        if self.peek() != Some(b':') {
            return self.expected("a colon");
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), Syntax> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return self.fail(start, "the string that begins here has no end".to_owned()),
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(0..=0x1f) => {
                    return self.fail(self.at, "a string may not hold line breaks or control characters as they are".to_owned());
                }
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        self.push(JsonKind::String, start, self.at);
        Ok(())
    }

    fn escape(&mut self) -> Result<(), Syntax> {
        let start = self.at;
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => {
                let first = self.hex(start)?;
                let paired = match first {
                    0xd800..=0xdbff if self.text[self.at..].starts_with(b"\\u") => {
                        self.at += 1;
                        (0xdc00..=0xdfff).contains(&self.hex(start)?)
                    }
                    0xd800..=0xdfff => false,
                    _ => true,
                };
                if paired { Ok(()) } else { self.fail(start, "half of a surrogate pair stands alone".to_owned()) }
            }
            _ => self.fail(start, "a backslash in a string must be followed by one of \" \\ / b f n r t u".to_owned()),
        }
    }

    /// The four digits after `\u`; `at` is on the `u`.
    fn hex(&mut self, start: usize) -> Result<u32, Syntax> {
        let digits = self.text.get(self.at + 1..self.at + 5).filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = digits else {
            return self.fail(start, "\\u must be followed by four hexadecimal digits".to_owned());
        };
        self.at += 5;
        Ok(digits.iter().fold(0, |value, &digit| value * 16 + char::from(digit).to_digit(16).unwrap_or(0)))
    }

    fn number(&mut self) -> Result<(), Syntax> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') && self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
            return self.fail(start, "a number may not begin with 0".to_owned());
        }
        self.digits()?;
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        self.push(JsonKind::Number, start, self.at);
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Syntax> {
        if !self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return self.expected("a digit");
        }
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn push(&mut self, kind: JsonKind, start: usize, end: usize) {
        let next = self.tokens.len() + 1;
        self.tokens.push(Token { kind, start: start as u32, end: end as u32, next: next as u32 });
    }

    /// Closes the innermost list or object; `at` is on its bracket.
    fn close(&mut self) {
        self.at += 1;
        let next = self.tokens.len() as u32;
        if let Some(open) = self.open.pop() {
            self.tokens[open].end = self.at as u32;
            self.tokens[open].next = next;
        }
    }

    fn fail<T>(&self, at: usize, message: String) -> Result<T, Syntax> {
        Err(Syntax { at, message })
    }

    fn expected<T>(&self, what: &str) -> Result<T, Syntax> {
        // `at` is never inside a character: only whole ASCII characters are stepped over outside strings.
        let rest = std::str::from_utf8(&self.text[self.at..]).unwrap_or_default();
        match rest.chars().next() {
            Some(found) => self.fail(self.at, format!("{what} is expected, not {}", found.escape_debug())),
            None => self.fail(self.at, format!("{what} is expected, but the file ends")),
        }
    }
}
