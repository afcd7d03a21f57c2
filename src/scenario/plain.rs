//! Names as they can be written into lines of text.
//!
//! Depends on nothing. Invariant: what comes out is one line that is read in the order in which it is written. Source:
//! Unicode Standard Annex 9, "Unicode Bidirectional Algorithm", section 2: the characters that change the direction.

/// Whether a character changes the direction of what stands around it, beyond the name that it is in.
#[must_use]
pub const fn is_directive(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text on one line, of which neither a terminal nor a reader takes a part for a command: `\u{fffd}` for
/// characters that would be.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || is_directive(c) { '\u{fffd}' } else { c }).collect()
}
