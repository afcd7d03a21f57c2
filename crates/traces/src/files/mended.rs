//! JSON that is not quite JSON, as PyTorch's writer makes it: names of Python frames as they are, `NaN`, a byte-order mark.
//!
//! It comes in parts, as the outline of a file divides it, which its reader chooses: of PyTorch's traces the outermost object or list, and
//! lists right within that object. So an event is a part. Invariants: JSON comes out as it went in, byte for byte, a mark at its beginning
//! apart; every place that is mended is counted. What cannot be mended stays, and who reads the part says so. What is in memory as a whole is bounded: a text, a number, a part, and how
//! deep brackets are nested. Source: pytorch#98432, #113001, #130622.

use std::io::{self, Read};

/// So many bytes are read at once.
const PIECE: usize = 64 * 1024;
/// So far it is looked ahead: over the blanks after a quote.
const AHEAD: usize = 256;
/// Deeper brackets are refused: no trace has them, and whoever reads them takes memory for each.
const MOST_DEPTH: usize = 512;
/// Longer texts are refused, and longer numbers, words and blanks, in bytes.
pub(super) const MOST_TEXT: usize = 1_000_000;
/// Longer events are refused, in bytes, and other parts.
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

/// Whether a bracket belongs to the outline, by the brackets that are open around it, all of the outline (`true` for those of objects), and
/// by itself.
pub(super) type Outline = fn(&[bool], u8) -> bool;

/// The outermost bracket, and that of a list right within the outermost object.
pub(super) fn of_lists(open: &[bool], byte: u8) -> bool {
    match open {
        [] => true,
        [is_object] => *is_object && byte == b'[',
        _ => false,
    }
}

/// Where in the text it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JsonPlace {
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

/// A sign of the outline.
#[derive(Clone, Copy)]
struct Mark {
    sign: u8,
    /// Its place in `out`.
    at: usize,
    /// Where what follows it begins in the file.
    next: u64,
    /// How many places were mended before it.
    mended: u64,
}

/// Reads a file and mends what can be.
pub(super) struct Mended<R> {
    file: R,
    outline: Outline,
    raw: Vec<u8>,
    at: usize,
    /// From here on to `at` nothing was mended, and it is not in `out` yet.
    from: usize,
    is_all: bool,
    /// What was read, mended.
    out: Vec<u8>,
    /// So much of `out` was given.
    given: usize,
    /// Signs of the outline in `out`, and how many of them were given.
    marks: Vec<Mark>,
    given_marks: usize,
    /// Whether the part that is read is wanted; else it is forgotten as it comes.
    pub(super) keeps: bool,
    place: JsonPlace,
    expected: Expected,
    /// By bracket that is open: whether it is an object's.
    open: Vec<bool>,
    /// How many of these, the outermost first, belong to the outline.
    outlined: usize,
    /// How many bytes went before those of `raw`.
    passed: u64,
    /// Where the text began, or what stands outside of texts.
    since: u64,
    /// Where the part that is read began.
    part: u64,
    /// Where the part that is given next began: a byte of the file.
    pub(super) next_part_at: u64,
    /// How many places were mended.
    count: u64,
    /// How many of them stand before the last sign that was given. What is mended after it may be where the file was cut off.
    pub(super) mended: u64,
    /// Whether the file is packed and ends before what is packed does.
    pub(super) is_cut: bool,
}

impl<R: Read> Mended<R> {
    pub(super) fn new(file: R, outline: Outline) -> Self {
        Self {
            file,
            outline,
            raw: Vec::with_capacity(PIECE + AHEAD),
            at: 0,
            from: 0,
            is_all: false,
            out: Vec::with_capacity(PIECE + AHEAD),
            given: 0,
            marks: Vec::new(),
            given_marks: 0,
            keeps: true,
            place: JsonPlace::Start,
            expected: Expected::Value,
            open: Vec::new(),
            outlined: 0,
            passed: 0,
            since: 0,
            part: 0,
            next_part_at: 0,
            count: 0,
            mended: 0,
            is_cut: false,
        }
    }

    /// What stands before the next bracket, comma or colon of the outline, and that sign; at the end of the file there is none.
    pub(super) fn next_part(&mut self) -> io::Result<(&[u8], Option<u8>)> {
        while self.given_marks == self.marks.len() && !(self.is_all && self.at == self.raw.len()) {
            self.go_on()?;
        }
        let mark = self.marks.get(self.given_marks).copied();
        let end = mark.map_or(self.out.len(), |mark| mark.at);
        let text = &self.out[self.given..end];
        self.given = mark.map_or(end, |mark| mark.at + 1);
        self.given_marks += usize::from(mark.is_some());
        self.next_part_at = mark.map_or(self.next_part_at, |mark| mark.next);
        self.mended = mark.map_or(self.mended, |mark| mark.mended);
        Ok((text, mark.map(|mark| mark.sign)))
    }

    /// Mends the next piece, when all signs of the outline are given.
    fn go_on(&mut self) -> io::Result<()> {
        self.out.drain(..if self.keeps { self.given } else { self.out.len() });
        self.marks.clear();
        (self.given, self.given_marks) = (0, 0);
        self.raw.drain(..self.at);
        self.passed += self.at as u64;
        (self.at, self.from) = (0, 0);
        let old = self.raw.len();
        self.raw.resize(old + PIECE, 0);
        let read = match self.file.read(&mut self.raw[old..]) {
            Err(why) if why.kind() == io::ErrorKind::UnexpectedEof => {
                self.is_cut = true;
                0
            }
            read => read?,
        };
        self.raw.truncate(old + read);
        self.is_all = read == 0;
        let end = if self.is_all { self.raw.len() } else { self.raw.len().saturating_sub(AHEAD) };
        while self.at < end {
            match self.place {
                JsonPlace::Start => self.start(),
                JsonPlace::Outside => self.outside(end)?,
                JsonPlace::Text { is_key } => self.text(end, is_key)?,
            }
        }
        self.take();
        if self.keeps && self.position() - self.part > MOST_EVENT {
            return Err(io::Error::other(Refused::Event(self.part)));
        }
        Ok(())
    }

    /// Where it is in the text.
    const fn position(&self) -> u64 {
        self.passed + self.at as u64
    }

    /// Takes over what needs no mending.
    fn take(&mut self) {
        self.out.extend_from_slice(&self.raw[self.from..self.at]);
        self.from = self.at;
    }

    /// Notes a sign that is about to be passed, if it belongs to the outline.
    fn mark(&mut self, sign: u8) {
        if self.open.len() == self.outlined {
            self.part = self.position() + 1;
            let at = self.out.len() + self.at - self.from;
            self.marks.push(Mark { sign, at, next: self.part, mended: self.count });
        }
    }

    fn is_too_long(&self) -> bool {
        self.position() - self.since > MOST_TEXT as u64
    }

    fn start(&mut self) {
        if self.raw.starts_with(BYTE_ORDER_MARK) {
            (self.at, self.from) = (BYTE_ORDER_MARK.len(), BYTE_ORDER_MARK.len());
        }
        self.place = JsonPlace::Outside;
    }

    /// The first byte from a place on that is no blank.
    fn after_blanks(&self, from: usize) -> Option<u8> {
        self.raw[from.min(self.raw.len())..].iter().copied().find(|byte| !byte.is_ascii_whitespace())
    }

    /// Puts something else in the place of so many bytes.
    fn mend(&mut self, bytes: usize, instead: &[u8]) {
        self.take();
        self.out.extend_from_slice(instead);
        self.at += bytes;
        self.from = self.at;
        self.count += 1;
    }

    /// Ends a text with what stands in the place of so many bytes: a quote, and signs that the outline may need.
    fn end_text(&mut self, bytes: usize, instead: &[u8]) {
        self.mend(bytes, instead);
        let begin = self.out.len() - instead.len();
        let signs = instead.iter().enumerate().filter(|(_, sign)| b":,".contains(sign));
        if self.open.len() == self.outlined {
            self.part = self.position();
            self.marks.extend(signs.map(|(i, &sign)| Mark { sign, at: begin + i, next: self.part, mended: self.count }));
        }
    }

    fn outside(&mut self, end: usize) -> io::Result<()> {
        while self.at < end {
            if self.expected != Expected::NextKey {
                // Digits, letters and blanks, many at once.
                self.at += self.raw[self.at..end].iter().take_while(|byte| !IS_SIGN[usize::from(**byte)]).count();
            }
            if self.is_too_long() {
                return Err(io::Error::other(Refused::Bare(self.since)));
            }
            if self.at >= end {
                return Ok(());
            }
            let byte = self.raw[self.at];
            match byte {
                b'"' => {
                    self.since = self.position();
                    self.place = JsonPlace::Text { is_key: self.expected != Expected::Value };
                    self.at += 1;
                    return Ok(());
                }
                b'{' | b'[' => self.open(byte)?,
                b'}' | b']' => {
                    self.mark(byte);
                    self.open.pop();
                    self.outlined = self.outlined.min(self.open.len());
                    self.expected = Expected::Value;
                }
                b',' => {
                    self.mark(byte);
                    self.expected = if self.open.last() == Some(&true) { Expected::NextKey } else { Expected::Value };
                }
                b':' => {
                    self.mark(byte);
                    self.expected = Expected::Value;
                }
                b'N' | b'I' | b'-' => {
                    let rest = &self.raw[self.at..];
                    let word = [&b"NaN"[..], b"Infinity", b"-Infinity"].into_iter().find(|word| rest.starts_with(word));
                    if let Some(word) = word {
                        self.mend(word.len(), b"null");
                        continue;
                    }
                }
                _ if self.expected == Expected::NextKey && !byte.is_ascii_whitespace() => {
                    // A text had quotes of its own, and what follows is still of it.
                    self.mend(0, b"\"");
                    self.place = JsonPlace::Text { is_key: true };
                    return Ok(());
                }
                _ => {}
            }
            self.at += 1;
            if IS_SIGN[usize::from(byte)] {
                self.since = self.position();
            }
        }
        Ok(())
    }

    /// Passes a bracket that opens.
    fn open(&mut self, byte: u8) -> io::Result<()> {
        if self.open.len() == MOST_DEPTH {
            return Err(io::Error::other(Refused::Deep(self.position())));
        }
        if self.outlined == self.open.len() && (self.outline)(&self.open, byte) {
            self.mark(byte);
            self.outlined += 1;
        }
        self.open.push(byte == b'{');
        self.expected = if byte == b'{' { Expected::FirstKey } else { Expected::Value };
        Ok(())
    }

    fn text(&mut self, end: usize, is_key: bool) -> io::Result<()> {
        let is_plain = |&byte: &u8| byte != b'"' && byte != b'\\' && (0x20..0x80).contains(&byte);
        while self.at < end {
            self.at += self.raw[self.at..end].iter().take_while(|byte| is_plain(byte)).count();
            if self.is_too_long() {
                return Err(io::Error::other(Refused::Text(self.since)));
            }
            if self.at >= end {
                return Ok(());
            }
            let byte = self.raw[self.at];
            match byte {
                b'"' => {
                    if self.quote(is_key) {
                        return Ok(());
                    }
                }
                b'\\' => self.escape(),
                b'\n' if self.after_blanks(self.at) == Some(b'"') && self.ends_with_comma() => {
                    // The quote at the end was taken for an escaped one.
                    self.end_text(0, if is_key { b"\":0," } else { b"\"," });
                    (self.place, self.expected, self.since) = (JsonPlace::Outside, Expected::NextKey, self.position());
                    return Ok(());
                }
                _ if byte < 0x20 => self.mend(1, b" "),
                _ => self.character(),
            }
        }
        Ok(())
    }

    fn ends_with_comma(&mut self) -> bool {
        self.take();
        self.out.ends_with(b",")
    }

    /// A quote within a text: it ends there if what follows agrees with that. Whether it does.
    fn quote(&mut self, is_key: bool) -> bool {
        let next = self.after_blanks(self.at + 1);
        let is_end = match next {
            None => true,
            Some(byte) if is_key => matches!(byte, b':' | b',' | b'}'),
            Some(byte) => matches!(byte, b',' | b'}' | b']'),
        };
        match next {
            // No value follows, so that it was no key.
            Some(b',' | b'}') if is_key => self.end_text(1, b"\":0"),
            _ if is_end => self.at += 1,
            _ => self.mend(1, b"\\\""),
        }
        if is_end {
            (self.place, self.since) = (JsonPlace::Outside, self.position());
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
        match length {
            0 => self.mend(1, b"\\\\"),
            _ => self.at += length,
        }
    }

    /// A character of several bytes; a byte that is part of none becomes a question mark.
    fn character(&mut self) {
        let rest = &self.raw[self.at..(self.at + 4).min(self.raw.len())];
        let valid = match std::str::from_utf8(rest) {
            Ok(text) => text,
            Err(why) => std::str::from_utf8(&rest[..why.valid_up_to()]).unwrap_or_default(),
        };
        match valid.chars().next() {
            None => self.mend(1, b"?"),
            Some(character) => self.at += character.len_utf8(),
        }
    }
}
