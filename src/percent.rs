//! The escapes of addresses: bytes written as `%3D`, and spaces as `+` in a query.
//!
//! Depends on nothing. Invariant: what [`encode_query`] writes, [`pairs`] reads as the same text.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, utf8_percent_encode};

/// All but letters, digits and what needs no escape in a value; the space becomes `+`.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'/').remove(b',').remove(b' ');

/// The text with its escapes resolved; what is none stays, and bytes that are no UTF-8 are marked as such.
pub(crate) fn decode(bytes: &[u8]) -> String {
    percent_decode(bytes).decode_utf8_lossy().into_owned()
}

/// The names and values of a query, such as `name=value&other=1`, with a `+` read as a space; without `=` the value is
/// empty.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    form_urlencoded::parse(query.as_bytes()).into_owned()
}

/// A name or value for a query.
pub(crate) fn encode_query(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string().replace(' ', "+")
}

#[cfg(test)]
mod tests {
    use super::{decode, encode_query, pairs};

    #[test]
    fn what_is_written_is_read() {
        let text = "0.5..2/0.25, a+b = 100 % µ";
        assert_eq!(encode_query(text), "0.5..2/0.25,+a%2Bb+%3D+100+%25+%C2%B5");
        let read: Vec<_> = pairs(&format!("a={}&&b", encode_query(text))).collect();
        assert_eq!(read, [("a".to_owned(), text.to_owned()), ("b".to_owned(), String::new())]);
    }

    #[test]
    fn what_is_no_escape_stays() {
        assert_eq!(decode(b"100%, %zz+%3d"), "100%, %zz+=");
        assert_eq!(pairs("x=100%,+%zz%").next(), Some(("x".to_owned(), "100%, %zz%".to_owned())));
        assert_eq!(decode(b"%ff"), "\u{fffd}");
    }
}
