//! How much room words take, by estimate, as no backend may be asked for it.
//!
//! Depends on nothing. Invariants: the estimate is that of a wide sans-serif (DejaVu Sans), so that words
//! in a narrower one have room too; what is cut ends in an ellipsis.

/// Estimated width of a text in heights of its letters.
#[must_use]
pub fn ems(text: &str) -> f64 {
    text.chars().map(em).sum()
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 'I' | '·' => 0.36,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
        'm' | 'M' | 'W' | '%' | '@' | '…' => 1.0,
        'w' | '#' | '+' | '<' | '>' | '=' | '~' => 0.84,
        'A'..='Z' | '&' => 0.74,
        // Scripts whose letters fill a square, and pictographs.
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{1f000}'.. => 1.25,
        _ if c.is_ascii() => 0.64,
        // What cannot be seen is shown by its name.
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => 5.0,
        _ => 0.78,
    }
}

/// Estimated width of a text of some size.
#[must_use]
pub fn width_px(text: &str, size_px: f64) -> f64 {
    ems(text) * size_px
}

/// As much of a text as fits, with an ellipsis for the rest; nothing if there is no room for one letter.
#[must_use]
pub fn fitted(text: &str, room_px: f64, size_px: f64) -> String {
    // No more of it is looked at than fits.
    let (mut used, mut end) = (0.0, 0);
    let mut letters = text.char_indices();
    loop {
        let Some((place, c)) = letters.next() else { return text.to_owned() };
        used += em(c) * size_px;
        if used > room_px {
            break;
        }
        if used + em('…') * size_px <= room_px {
            end = place + c.len_utf8();
        }
    }
    if end == 0 { String::new() } else { format!("{}…", text[..end].trim_end()) }
}

/// A text in lines that fit, broken between words; what is left after `max_lines` is cut.
#[must_use]
pub fn wrapped(text: &str, room_px: f64, size_px: f64, max_lines: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_px(line, size_px) + width_px(word, size_px) + em(' ') * size_px <= room_px => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.len() > max_lines {
        let rest = lines.split_off(max_lines.max(1) - 1).join(" ");
        lines.push(rest);
    }
    lines.iter().map(|line| fitted(line, room_px, size_px)).collect()
}
