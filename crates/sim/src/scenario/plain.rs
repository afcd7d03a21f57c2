//! Names as they are shown: in lines of text, in pictures, on the page.
//!
//! Depends on nothing. Invariants: what comes out is one line that is read in the order in which it is written; what
//! cannot be seen is shown; no letter carries more marks than [`MAX_MARKS`]. Sources: Unicode Standard Annex 9, "Unicode
//! Bidirectional Algorithm", section 2: the characters that change the direction; the property
//! Default_Ignorable_Code_Point of the Unicode Character Database: those that cannot be seen.

/// Most marks on one letter.
pub(super) const MAX_MARKS: usize = 10;

/// Whether a character changes the direction of what stands around it, beyond the name that it is in.
#[must_use]
pub const fn is_directive(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text on one line, of which neither a terminal nor a reader takes a part for a command: `\u{fffd}` for
/// characters that would be, and for what a letter has too many of. What cannot be seen is named: `K<ZWSP>1`.
///
/// ```
/// use blockstep_sim::scenario::plain;
///
/// assert_eq!(plain("K\u{200b}1\n\u{202e}"), "K<ZWSP>1\u{fffd}\u{fffd}");
/// ```
#[must_use]
pub fn plain(text: &str) -> String {
    if text.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let (mut before, mut marks) = ('\0', 0);
    for c in text.chars() {
        marks = if is_mark(c) { marks + 1 } else { 0 };
        match c {
            _ if marks > MAX_MARKS + 1 => continue,
            _ if marks > MAX_MARKS => out.push(char::REPLACEMENT_CHARACTER),
            _ if c.is_control() || is_directive(c) || is_line_end(c) => out.push(char::REPLACEMENT_CHARACTER),
            _ if is_unseen(c, before) => out.push_str(&name_of(c)),
            _ => out.push(c),
        }
        before = c;
    }
    out
}

/// Whether something in the text cannot be seen, as far as [`plain`] shows it by name.
pub(super) fn has_unseen(text: &str) -> bool {
    !text.is_ascii() && text.chars().zip(std::iter::once('\0').chain(text.chars())).any(|(c, before)| is_unseen(c, before))
}

/// Whether a character cannot be seen after this one. Joiners have their use in some scripts, and between pictographs.
pub(super) const fn is_unseen(c: char, before: char) -> bool {
    is_ignorable(c) && !(is_joiner(c) && takes_joiners(before))
}

/// Characters without a shape of their own.
pub(super) const fn is_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{180b}'..='\u{180f}' | '\u{e0020}'..='\u{e007f}')
}

/// Arabic to Myanmar, Khmer and Mongolian, and pictographs with what follows them.
const fn takes_joiners(before: char) -> bool {
    matches!(
        before,
        '\u{600}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{200d}' | '\u{2190}'..='\u{27ff}' | '\u{2900}'..='\u{2bff}' | '\u{fe0f}'
            | '\u{1f000}'..='\u{1faff}' | '\u{e0020}'..='\u{e007f}'
    )
}

const fn is_line_end(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Marks that stand over or under the letter before them, of the scripts in use.
const fn is_mark(c: char) -> bool {
    matches!(
        c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}'
            | '\u{6d6}'..='\u{6dc}' | '\u{730}'..='\u{74a}' | '\u{93c}'..='\u{94d}' | '\u{9bc}'..='\u{9cd}' | '\u{e31}' | '\u{e34}'..='\u{e3a}'
            | '\u{e47}'..='\u{e4e}' | '\u{eb4}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}' | '\u{f71}'..='\u{f84}' | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}' | '\u{200c}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}' | '\u{2de0}'..='\u{2dff}' | '\u{302a}'..='\u{302f}'
            | '\u{3099}' | '\u{309a}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{1d165}'..='\u{1d1ad}' | '\u{e0100}'..='\u{e01ef}'
    )
}

/// What stands for a character that cannot be seen.
fn name_of(c: char) -> String {
    let name = match c {
        '\u{ad}' => "SHY",
        '\u{34f}' => "CGJ",
        '\u{200b}' => "ZWSP",
        '\u{200c}' => "ZWNJ",
        '\u{200d}' => "ZWJ",
        '\u{2060}' => "WJ",
        '\u{feff}' => "ZWNBSP",
        _ => return format!("<U+{:04X}>", u32::from(c)),
    };
    format!("<{name}>")
}
