//! JSON that is not quite JSON, as PyTorch's writer makes it: names of Python frames as they are, `NaN`, a byte-order mark.
//!
//! Depends on nothing. Invariants: JSON comes out as it went in, byte for byte, a mark at its beginning apart; every place that is mended
//! is counted. What cannot be mended stays, and the reader of JSON says where. What a reader of JSON takes into memory as a whole is
//! bounded: a text, a number, an event, and how deep brackets are nested. Source: pytorch#98432, #113001, #130622.

use std::cell::Cell;
use std::io::{self, Read};

/// So many bytes are read at once.
const PIECE: usize = 64 * 1024;
/// So far it is looked ahead: over the blanks after a quote.
const AHEAD: usize = 256;
/// Deeper brackets are refused: no trace has them, and whoever reads them takes memory for each.
const MOST_DEPTH: usize = 512;
/// Longer texts are refused, and longer numbers, words and blanks, in bytes.
pub(super) const MOST_TEXT: usize = 1_000_000;
/// Longer events are refused, in bytes, and what else is nested as deep.
const MOST_EVENT: u64 = 16_000_000;

/// What is refused, and where it begins: a byte of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Brackets in brackets.
    #[error("brackets are nested deeper than {MOST_DEPTH} at byte {0}")]
    Deep(u64),
    /// A name, another text or a key.
    #[error("a text or key that begins at byte {0} is longer than {MOST_TEXT} bytes")]
    Text(u64),
    /// What stands outside of texts.
    #[error("a number, a word or blanks that begin at byte {0} are longer than {MOST_TEXT} bytes")]
    Bare(u64),
    /// An event.
    #[error("an event that begins at byte {0} is longer than {MOST_EVENT} bytes")]
    Event(u64),
}

/// Bytes outside of strings that mean something here.
const IS_SIGN: [bool; 256] = {
    let (signs, mut is_sign, mut i) = (b"\"{}[],:NI-", [false; 256], 0);
    while i < signs.len() {
        is_sign[signs[i] as usize] = true;
        i += 1;
    }
    is_sign
};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where in the text it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    Outside,
    /// In a string, which is a key or a value.
    Text {
        is_key: bool,
    },
}

/// What comes next outside of strings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Value,
    FirstKey,
    /// After a comma.
    NextKey,
}

/// Reads a file and mends what can be.
pub(super) struct Mended<'c, R> {
    file: R,
    raw: Vec<u8>,
    at: usize,
    is_all: bool,
    out: Vec<u8>,
    given: usize,
    place: Place,
    expected: Expected,
    /// By bracket that is open: whether it is an object's.
    open: Vec<bool>,
    /// How many bytes went before those of `raw`.
    passed: u64,
    /// Where the text began, or what stands outside of texts.
    since: u64,
    /// Where the event began.
    event: u64,
    /// How many places were mended.
    count: &'c Cell<u64>,
}

impl<'c, R: Read> Mended<'c, R> {
    pub(super) fn new(file: R, count: &'c Cell<u64>) -> Self {
        let (raw, out) = (Vec::with_capacity(PIECE + AHEAD), Vec::with_capacity(PIECE + AHEAD));
        let (place, expected) = (Place::Start, Expected::Value);
        Self { file, raw, at: 0, is_all: false, out, given: 0, place, expected, open: Vec::new(), passed: 0, since: 0, event: 0, count }
    }

    /// Mends the next piece; there is none if `out` is empty after that.
    fn go_on(&mut self) -> io::Result<()> {
        self.out.clear();
        self.given = 0;
        while self.out.is_empty() && !(self.is_all && self.at == self.raw.len()) {
            self.raw.drain(..self.at);
            self.passed += self.at as u64;
            self.at = 0;
            let old = self.raw.len();
            self.raw.resize(old + PIECE, 0);
            let read = self.file.read(&mut self.raw[old..])?;
            self.raw.truncate(old + read);
            self.is_all = read == 0;
            let end = if self.is_all { self.raw.len() } else { self.raw.len().saturating_sub(AHEAD) };
            while self.at < end {
                match self.place {
                    Place::Start => self.start(),
                    Place::Outside => self.outside(end)?,
                    Place::Text { is_key } => self.text(end, is_key)?,
                }
            }
            if self.open.len() > self.event_depth() && self.position() - self.event > MOST_EVENT {
                return Err(io::Error::other(Refused::Event(self.event)));
            }
        }
        Ok(())
    }

    /// Where it is in the text.
    const fn position(&self) -> u64 {
        self.passed + self.at as u64
    }

    /// How many brackets are open around an event: those of the list, and of the object that the list may be in.
    fn event_depth(&self) -> usize {
        if self.open.first() == Some(&true) { 2 } else { 1 }
    }

    fn is_too_long(&self) -> bool {
        self.position() - self.since > MOST_TEXT as u64
    }

    fn start(&mut self) {
        if self.raw.starts_with(BYTE_ORDER_MARK) {
            self.at = BYTE_ORDER_MARK.len();
        }
        self.place = Place::Outside;
    }

    /// The first byte from a place on that is no blank.
    fn after_blanks(&self, from: usize) -> Option<u8> {
        self.raw[from.min(self.raw.len())..].iter().copied().find(|byte| !byte.is_ascii_whitespace())
    }

    fn mend(&mut self, instead: &[u8]) {
        self.out.extend_from_slice(instead);
        self.count.set(self.count.get() + 1);
    }

    fn outside(&mut self, end: usize) -> io::Result<()> {
        while self.at < end {
            if self.expected != Expected::NextKey {
                // Digits, letters and blanks, many at once.
                let run = self.raw[self.at..end].iter().take_while(|byte| !IS_SIGN[usize::from(**byte)]).count();
                self.out.extend_from_slice(&self.raw[self.at..self.at + run]);
                self.at += run;
            }
            if self.is_too_long() {
                return Err(io::Error::other(Refused::Bare(self.since)));
            }
            if self.at >= end {
                return Ok(());
            }
            let byte = self.raw[self.at];
            let rest = &self.raw[self.at..];
            match byte {
                b'"' => {
                    self.since = self.position();
                    self.place = Place::Text { is_key: self.expected != Expected::Value };
                    self.out.push(byte);
                    self.at += 1;
                    return Ok(());
                }
                b'{' | b'[' => {
                    if self.open.len() == MOST_DEPTH {
                        return Err(io::Error::other(Refused::Deep(self.position())));
                    }
                    if self.open.len() == self.event_depth() {
                        self.event = self.position();
                    }
                    self.open.push(byte == b'{');
                    self.expected = if byte == b'{' { Expected::FirstKey } else { Expected::Value };
                }
                b'}' | b']' => {
                    self.open.pop();
                    self.expected = Expected::Value;
                }
                b',' => self.expected = if self.open.last() == Some(&true) { Expected::NextKey } else { Expected::Value },
                b':' => self.expected = Expected::Value,
                b'N' | b'I' | b'-' => {
                    let word = [&b"NaN"[..], b"Infinity", b"-Infinity"].into_iter().find(|word| rest.starts_with(word));
                    if let Some(word) = word {
                        self.at += word.len();
                        self.mend(b"null");
                        continue;
                    }
                }
                _ if self.expected == Expected::NextKey && !byte.is_ascii_whitespace() => {
                    // A text had quotes of its own, and what follows is still of it.
                    self.mend(b"\"");
                    self.place = Place::Text { is_key: true };
                    return Ok(());
                }
                _ => {}
            }
            self.out.push(byte);
            self.at += 1;
            if IS_SIGN[usize::from(byte)] {
                self.since = self.position();
            }
        }
        Ok(())
    }

    fn text(&mut self, end: usize, is_key: bool) -> io::Result<()> {
        let is_plain = |&byte: &u8| byte != b'"' && byte != b'\\' && (0x20..0x80).contains(&byte);
        while self.at < end {
            let run = self.raw[self.at..end].iter().take_while(|byte| is_plain(byte)).count();
            self.out.extend_from_slice(&self.raw[self.at..self.at + run]);
            self.at += run;
            if self.is_too_long() {
                return Err(io::Error::other(Refused::Text(self.since)));
            }
            if self.at >= end {
                return Ok(());
            }
            match self.raw[self.at] {
                b'"' => {
                    if self.quote(is_key) {
                        return Ok(());
                    }
                }
                b'\\' => self.escape(),
                b'\n' if self.after_blanks(self.at) == Some(b'"') && self.out.ends_with(b",") => {
                    // The quote at the end was taken for an escaped one.
                    self.mend(if is_key { b"\":0," } else { b"\"," });
                    (self.place, self.expected, self.since) = (Place::Outside, Expected::NextKey, self.position());
                    return Ok(());
                }
                byte if byte < 0x20 => {
                    self.mend(b" ");
                    self.at += 1;
                }
                _ => self.character(),
            }
        }
        Ok(())
    }

    /// A quote within a text: it ends there if what follows agrees with that. Whether it does.
    fn quote(&mut self, is_key: bool) -> bool {
        let next = self.after_blanks(self.at + 1);
        self.at += 1;
        let is_end = match next {
            None => true,
            Some(byte) if is_key => matches!(byte, b':' | b',' | b'}'),
            Some(byte) => matches!(byte, b',' | b'}' | b']'),
        };
        match next {
            // No value follows, so that it was no key.
            Some(b',' | b'}') if is_key => self.mend(b"\":0"),
            _ if is_end => self.out.push(b'"'),
            _ => self.mend(b"\\\""),
        }
        if is_end {
            (self.place, self.since) = (Place::Outside, self.position());
        }
        is_end
    }

    fn escape(&mut self) {
        let rest = &self.raw[self.at..];
        let length = match rest.get(1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
            Some(b'u') if rest.len() >= 6 && rest[2..6].iter().all(u8::is_ascii_hexdigit) => 6,
            _ => 0,
        };
        if length == 0 {
            self.mend(b"\\\\");
            self.at += 1;
        } else {
            self.out.extend_from_slice(&self.raw[self.at..self.at + length]);
            self.at += length;
        }
    }

    /// A character of several bytes; a byte that is part of none becomes a question mark.
    fn character(&mut self) {
        let rest = &self.raw[self.at..(self.at + 4).min(self.raw.len())];
        let valid = match std::str::from_utf8(rest) {
            Ok(text) => text,
            Err(why) => std::str::from_utf8(&rest[..why.valid_up_to()]).unwrap_or_default(),
        };
        let length = valid.chars().next().map_or(0, char::len_utf8);
        if length == 0 {
            self.mend(b"?");
            self.at += 1;
        } else {
            self.out.extend_from_slice(&self.raw[self.at..self.at + length]);
            self.at += length;
        }
    }
}

impl<R: Read> Read for Mended<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.given == self.out.len() {
            self.go_on()?;
        }
        let length = into.len().min(self.out.len() - self.given);
        into[..length].copy_from_slice(&self.out[self.given..self.given + length]);
        self.given += length;
        Ok(length)
    }
}
