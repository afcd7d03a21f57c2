//! A cell of a table that leaves: every table for spreadsheets writes its texts by this.
//!
//! Depends on `scenario` for what cannot be seen. Invariants: RFC 4180 quoting; a row is one line; no spreadsheet takes a part
//! of a text for a formula, whichever separator it reads by; a number stays a number.

use std::fmt::{self, Display, Write};

use blockstep_sim::scenario::is_directive;

/// What formulas begin with, in both widths.
const SIGNS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
/// What ends a cell for some reader.
const SEPARATORS: [char; 6] = [',', ';', '|', '\t', '\r', '\n'];

/// A text as a cell. An apostrophe stands before what looks like a formula; control characters are `\u{fffd}`.
#[must_use]
pub fn csv_cell(text: &str) -> impl Display {
    fmt::from_fn(move |out| {
        let quote = if text.contains([',', ';', '"', '\t', '\r', '\n']) { "\"" } else { "" };
        let guards = if is_number(text) { Vec::new() } else { formulas(text) };
        let mut guards = guards.into_iter().peekable();
        out.write_str(quote)?;
        // Where what is not written yet begins.
        let mut from = 0;
        for (at, c) in text.char_indices() {
            let is_guarded = guards.next_if_eq(&at).is_some();
            if !is_guarded && c != '"' && !c.is_control() {
                continue;
            }
            out.write_str(&text[from..at])?;
            if is_guarded {
                out.write_char('\'')?;
            }
            match c {
                '"' => out.write_str("\"\"")?,
                c if c.is_control() => out.write_char(char::REPLACEMENT_CHARACTER)?,
                c => out.write_char(c)?,
            }
            from = at + c.len_utf8();
        }
        out.write_str(&text[from..])?;
        out.write_str(quote)
    })
}

/// A line of JSON that stands in a table as a comment: the same JSON, with no sign where a formula could begin.
#[must_use]
pub fn json_comment(json: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for at in formulas(json) {
        let sign = json[at..].chars().next().filter(|c| SIGNS.contains(c));
        out.push_str(&json[from..at]);
        from = at;
        if let Some(sign) = sign {
            out.push_str(&format!("\\u{:04x}", u32::from(sign)));
            from += sign.len_utf8();
        }
    }
    out + &json[from..]
}

/// Where a formula could begin: the place of its sign or, of the first cell, the start of the text.
fn formulas(text: &str) -> Vec<usize> {
    let (mut found, mut begins, mut is_first) = (Vec::new(), true, true);
    for (at, c) in text.char_indices() {
        if SIGNS.contains(&c) {
            if begins {
                found.push(if is_first { 0 } else { at });
            }
            begins = false;
        } else if SEPARATORS.contains(&c) {
            (begins, is_first) = (true, false);
        } else if !is_skipped(c) {
            begins = false;
        }
    }
    found
}

/// What a reader may leave out before the sign: blanks, quotes, and what cannot be seen.
fn is_skipped(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '"' || is_directive(c) || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Whether the whole text is a decimal number, as numbers are written here.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    is_digits(whole) && is_digits(part)
}
