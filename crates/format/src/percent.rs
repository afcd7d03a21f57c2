//! The escapes of addresses: bytes written as `%3D`, and spaces as `+` in a query.
//!
//! Depends on nothing. Invariant: what [`encode_query`] writes, [`pairs`] reads as the same text.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};

/// All but letters, digits and what needs no escape in a value; the space becomes `+`.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'/').remove(b',').remove(b' ');

/// All but letters, digits and what needs no escape in a part of a path.
const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The text with its escapes resolved; what is none stays, and bytes that are no UTF-8 are marked as such.
pub fn decode(bytes: &[u8]) -> String {
    percent_decode(bytes).decode_utf8_lossy().into_owned()
}

/// The names and values of a query, such as `name=value&other=1`, with a `+` read as a space; without `=` the value is
/// empty.
pub fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned()
}

/// A name or value for a query.
pub fn encode_query(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string().replace(' ', "+")
}

/// The name of a file as the last part of an address; `None` of a name that leads to another folder, as `..` and `a/b` do.
pub fn encode_file(name: &str) -> Option<String> {
    let is_elsewhere = matches!(name, "" | "." | "..") || name.contains('/');
    (!is_elsewhere).then(|| utf8_percent_encode(name, PART).to_string())
}
