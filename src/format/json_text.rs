//! JSON strings: escapes resolved and written.
//!
//! Depends on nothing. Invariant: what is written reads back as the same text.

use std::borrow::Cow;

/// The value of hexadecimal digits.
pub(super) fn hex_value(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |value, &d| value * 16 + (d as char).to_digit(16).unwrap_or(0))
}

/// Resolves the escapes of a string that the parser has accepted.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut parts = raw.split('\\');
    out.push_str(parts.next().unwrap_or_default());
    let mut high: Option<u32> = None;
    while let Some(part) = parts.next() {
        // An empty part is an escaped backslash: what follows it, up to the next one, is plain.
        let Some(letter) = part.chars().next() else {
            out.push('\\');
            out.push_str(parts.next().unwrap_or_default());
            continue;
        };
        let mut rest = &part[1..];
        match letter {
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => {
                let unit = hex_value(&rest.as_bytes()[..4]);
                rest = &rest[4..];
                match (high.take(), unit) {
                    (Some(high), low) => out.extend(char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))),
                    (None, 0xd800..=0xdbff) => high = Some(unit),
                    (None, _) => out.extend(char::from_u32(unit)),
                }
            }
            other => out.push(other),
        }
        out.push_str(rest);
    }
    Cow::Owned(out)
}

/// Appends a string in quotes, with the escapes that JSON demands.
pub(super) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' => {
                out.push_str("\\u00");
                out.extend([u32::from(c) >> 4, u32::from(c) & 15].iter().filter_map(|&d| char::from_digit(d, 16)));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}
