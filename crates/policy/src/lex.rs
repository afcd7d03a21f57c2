//! The text of a policy as lines of words.
//!
//! Depends on `error`. Invariant: every word knows where it stands. By hand, as indentation, limits and the messages
//! need more code than the words do.

use crate::error::PolicyError;

/// Lines that a policy may have.
pub const MAX_LINES: usize = 200;
/// Characters that a line may have.
pub const MAX_COLUMNS: usize = 200;
/// Blocks and parentheses that may stand within one another.
pub const MAX_NESTING: usize = 20;
/// The largest number, and the smallest below zero.
pub const MAX_NUMBER: i64 = 1_000_000;

/// Every word of the language, sorted; none can be a name.
pub const WORDS: [&str; 57] = [
    "add",
    "admit",
    "and",
    "any",
    "at",
    "besteffort",
    "by",
    "count",
    "deadline",
    "deadlines",
    "draw",
    "duration",
    "each",
    "else",
    "empty",
    "end",
    "every",
    "expect",
    "false",
    "finish",
    "first",
    "flag",
    "for",
    "from",
    "front",
    "highest",
    "id",
    "if",
    "in",
    "is",
    "launch",
    "lowest",
    "most",
    "move",
    "none",
    "not",
    "number",
    "of",
    "on",
    "or",
    "period",
    "preemption",
    "priority",
    "queue",
    "ready",
    "realtime",
    "remove",
    "request",
    "separation",
    "set",
    "sms",
    "task",
    "tick",
    "to",
    "true",
    "turns",
    "where",
];

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A word of the language.
    Word,
    /// A name of the reader's.
    Name,
    Number(i64),
    Sign,
}

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) text: String,
    pub(crate) column: u32,
}

/// A line that has words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) number: u32,
    /// Blanks before its first word.
    pub(crate) indent: usize,
    pub(crate) tokens: Vec<Token>,
    /// The column after its last word.
    pub(crate) end: u32,
}

/// Whether the language has this word.
pub(crate) fn is_word(text: &str) -> bool {
    WORDS.binary_search(&text).is_ok()
}

fn wrong(line: u32, column: usize, word: impl Into<String>, message: impl Into<String>) -> PolicyError {
    PolicyError { line, column: column as u32 + 1, word: word.into(), message: message.into() }
}

/// The lines that have words.
pub(crate) fn lines(text: &str) -> Result<Vec<Line>, PolicyError> {
    let mut found = Vec::new();
    for (i, raw) in text.lines().enumerate() {
        let number = i as u32 + 1;
        if i >= MAX_LINES {
            return Err(wrong(number, 0, "", format!("a policy has at most {MAX_LINES} lines")));
        }
        let chars: Vec<char> = raw.chars().take(MAX_COLUMNS + 1).collect();
        if chars.len() > MAX_COLUMNS {
            return Err(wrong(number, MAX_COLUMNS, "", format!("a line has at most {MAX_COLUMNS} characters")));
        }
        let indent = chars.iter().take_while(|c| **c == ' ').count();
        let tokens = words(number, &chars, indent)?;
        if let Some(last) = tokens.last() {
            let end = last.column + last.text.chars().count() as u32;
            found.push(Line { number, indent, tokens, end });
        }
    }
    Ok(found)
}

fn words(line: u32, chars: &[char], from: usize) -> Result<Vec<Token>, PolicyError> {
    let (mut tokens, mut at) = (Vec::new(), from);
    while let Some(&c) = chars.get(at) {
        let run = |is: fn(char) -> bool| chars[at..].iter().take_while(|c| is(**c)).collect::<String>();
        let column = at as u32 + 1;
        let (kind, text) = match c {
            ' ' | '\r' => {
                at += 1;
                continue;
            }
            '#' => break,
            '\t' => return Err(wrong(line, at, "", "a tab: indent by spaces, as a tab is as wide as each editor likes")),
            'a'..='z' | 'A'..='Z' | '_' => {
                let text = run(|c| c.is_ascii_alphanumeric() || c == '_');
                (if is_word(&text) { TokenKind::Word } else { TokenKind::Name }, text)
            }
            '0'..='9' => number(line, at, run(|c| c.is_alphanumeric() || c == '.' || c == '_'))?,
            '=' | '!' | '<' | '>' if chars.get(at + 1) == Some(&'=') => (TokenKind::Sign, format!("{c}=")),
            '=' | '<' | '>' | '+' | '-' | '{' | '}' | '(' | ')' | ',' | ':' => (TokenKind::Sign, c.to_string()),
            _ => return Err(wrong(line, at, c, unknown(c))),
        };
        at += text.chars().count();
        tokens.push(Token { kind, text, column });
    }
    Ok(tokens)
}

fn number(line: u32, at: usize, text: String) -> Result<(TokenKind, String), PolicyError> {
    if text.contains('.') {
        return Err(wrong(line, at, &text, format!("{text}: numbers are whole; 1.5 ms is 1500 us")));
    }
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    if digits.len() < text.len() {
        let rest = &text[digits.len()..];
        let hint = if ["ns", "us", "ms", "s"].contains(&rest) { format!("; write {digits} {rest}") } else { String::new() };
        return Err(wrong(line, at, &text, format!("{text} is neither a number nor a name{hint}")));
    }
    match digits.parse() {
        Ok(number) if number <= MAX_NUMBER => Ok((TokenKind::Number(number), text)),
        _ => Err(wrong(line, at, &text, format!("{text} is over the largest number, {MAX_NUMBER}"))),
    }
}

fn unknown(c: char) -> String {
    let instead = match c {
        '\'' | '"' => "; the language has no texts",
        ';' => "; every action stands on its own line",
        '[' | ']' => "; a set is written { }",
        '&' => "; write and",
        '|' => "; write or",
        '!' | '≠' => "; write not, or != between two values",
        '≤' => "; write <=",
        '≥' => "; write >=",
        '←' => "; write =",
        '∅' => "; write {}",
        '∪' => "; write +",
        '∈' => "; write in",
        '/' | '*' | '%' => "; numbers are added and subtracted",
        '.' => "; write the priority of t as priority of t",
        _ => "",
    };
    format!("the language has no \"{c}\"{instead}")
}
