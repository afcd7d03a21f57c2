//! Files that are no UTF-8 text, by their first bytes.
//!
//! Depends on nothing. Source: the formats' own definitions of what they begin with.

/// First bytes, and what such a file is and what to do about it. A longer beginning comes before a shorter one.
const BEGINNINGS: [(&[u8], &str); 10] = [
    (b"\x1f\x8b", "this is a gzip file; unpack it first, for example with gunzip"),
    (b"PK\x03\x04", "this is a zip archive; unpack it first, for example with unzip"),
    (b"\xfd7zXZ\0", "this is an xz file; unpack it first, for example with unxz"),
    (b"BZh", "this is a bzip2 file; unpack it first, for example with bunzip2"),
    (b"\x28\xb5\x2f\xfd", "this is a Zstandard file; unpack it first, for example with unzstd"),
    (b"SQLite format 3\0", "this is an SQLite database; blockstep trace opens one that nsys export made"),
    (b"\xff\xfe\0\0", "this is UTF-32 text; save it as UTF-8, for example with iconv -f UTF-32 -t UTF-8"),
    (b"\0\0\xfe\xff", "this is UTF-32 text; save it as UTF-8, for example with iconv -f UTF-32 -t UTF-8"),
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
];
const UTF_16: &str = "this is UTF-16 text; save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8";
const UTF_16_LE: &str = "this is UTF-16 text; save it as UTF-8, for example with iconv -f UTF-16LE -t UTF-8";
const UTF_16_BE: &str = "this is UTF-16 text; save it as UTF-8, for example with iconv -f UTF-16BE -t UTF-8";

const BINARY: &str = "this is a binary file; what is read here is JSON, which is text";
/// Bytes looked at.
const START: usize = 4_096;

/// What a file is and what to do about it, a sentence, if its first bytes say that it is compressed, text of
/// another encoding than UTF-8, or no text at all.
#[must_use]
pub fn foreign(bytes: &[u8]) -> Option<&'static str> {
    let known = BEGINNINGS.iter().find(|(beginning, _)| bytes.starts_with(beginning));
    known.map(|(_, what)| *what).or(match bytes {
        // Without a mark: the files that are read here begin with a letter of ASCII.
        [1..=127, 0, 1..=127, 0, ..] => Some(UTF_16_LE),
        [0, 1..=127, 0, 1..=127, ..] => Some(UTF_16_BE),
        // No text has one.
        _ => bytes.iter().take(START).any(|&byte| byte == 0).then_some(BINARY),
    })
}
