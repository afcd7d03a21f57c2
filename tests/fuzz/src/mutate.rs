//! Texts damaged by chance: words swapped, numbers and names replaced by odd ones, parts lost, repeated, or taken from another text.
//! Invariant: the same dice, the same damage; what comes out is not much longer than what went in.

use std::ops::Range;

use blockstep_sim::dice::Dice;

/// Numbers at which readers and sums go wrong.
const NUMBERS: [&str; 28] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "0.5",
    "1.5",
    "-0",
    "1e3",
    "1e18",
    "1e19",
    "1e308",
    "1e999999999",
    "1e-400",
    "255",
    "256",
    "1024",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "0.1234567890123456789",
];

/// Texts that must stay texts.
pub const NAMES: [&str; 20] = [
    "",
    " ",
    "<img src=x onerror=1>",
    "\"'><script>",
    "\u{202e}live",
    "line\nbreak",
    "\u{0}",
    "\u{7}\u{1b}[0m",
    "=1+1",
    "@SUM(A1)",
    "]]>",
    "-->",
    "\\end{document}",
    "$x_1^2$ #&%",
    "\u{1f600}\u{200d}",
    "\u{feff}",
    "e\u{301}",
    "NULL",
    "K1",
    "%00%ff+&=#",
];

/// What holds files together, and what their words are.
const PIECES: [&str; 26] = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "null", "true", "false", "{}", "[]", "[[[[", "<", ">", "&amp;", "<!--",
    "=", "&", "%", ";", "\n", "\u{fffd}",
];

/// Any of some things.
pub fn pick<'t, T: ?Sized>(dice: &mut Dice, of: &[&'t T]) -> &'t T {
    of[dice.below(of.len() as u64) as usize]
}

/// A number as a text: mostly an odd one, else a small one.
pub fn number(dice: &mut Dice) -> String {
    if dice.below(4) == 0 { dice.below(2000).to_string() } else { pick(dice, &NUMBERS).to_owned() }
}

/// A name: mostly an odd one, else a long one.
pub fn name(dice: &mut Dice) -> String {
    let name = pick(dice, &NAMES);
    if dice.below(30) == 0 { format!("{name}é").repeat(2000) } else { name.to_owned() }
}

/// The text with some damage; `other` is a text of the same kind or of another one.
pub fn mutate(text: &str, other: &str, dice: &mut Dice) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.below(3) + dice.below(2) * dice.below(6) {
        once(&mut bytes, other.as_bytes(), dice);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// JSON with only numbers and names replaced, so that its form stays valid and often its meaning, too.
pub fn tweak(text: &str, dice: &mut Dice) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.below(3) {
        let is_key = |word: &Range<usize>| bytes.get(word.end) == Some(&b':');
        let values: Vec<Range<usize>> = words(&bytes).into_iter().filter(|word| !is_key(word)).collect();
        let mut any = || values.get(dice.below(values.len() as u64) as usize).cloned();
        let (Some(word), Some(other)) = (any(), any()) else { break };
        let other = bytes[other].to_vec();
        let old: Option<u64> = std::str::from_utf8(&bytes[word.clone()]).ok().and_then(|old| old.parse().ok());
        let new = match (dice.below(4), old) {
            (0, Some(_)) => number(dice).into_bytes(),
            (1, Some(old)) => (old / (1 + dice.below(4))).to_string().into_bytes(),
            (_, Some(old)) => old.wrapping_add(dice.below(4)).wrapping_sub(1).to_string().into_bytes(),
            (0, None) => other,
            (_, None) => serde_json::to_string(&name(dice)).unwrap().into_bytes(),
        };
        // What is called so elsewhere is often called so there, too.
        if old.is_none() && dice.below(3) > 0 {
            let name = bytes[word].to_vec();
            for word in words(&bytes).into_iter().rev().filter(|word| bytes[word.clone()] == name[..]).collect::<Vec<_>>() {
                bytes.splice(word, new.iter().copied());
            }
        } else {
            bytes.splice(word, new);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn once(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    match dice.below(11) {
        0..=2 => replace_word(bytes, dice),
        3 => swap_words(bytes, dice),
        4 => drop(bytes.drain(part(bytes, dice))),
        5 => {
            let part = part(bytes, dice);
            let times = [1, 1, 2, 60, 3000][dice.below(5) as usize];
            let repeated = bytes[part.clone()].repeat(times.min(1 + 60_000 / part.len().max(1)));
            bytes.splice(part.end..part.end, repeated);
        }
        6 => {
            let at = place(bytes, dice);
            let piece = pick(dice, &PIECES).bytes();
            bytes.splice(at..at, piece);
        }
        7 => {
            let (at, from) = (place(bytes, dice), place(other, dice));
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        8 => {
            let taken = other[part(other, dice)].to_vec();
            let place = part(bytes, dice);
            bytes.splice(place, taken);
        }
        9 => {
            let at = place(bytes, dice);
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
        }
        _ => {
            let at = place(bytes, dice);
            bytes.truncate(at);
        }
    }
}

fn replace_word(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let words = words(bytes);
    if words.is_empty() {
        return;
    }
    let word = words[dice.below(words.len() as u64) as usize].clone();
    let new = if bytes[word.start] == b'"' {
        let name = name(dice);
        // Sometimes as it has to be written, sometimes not.
        if dice.below(4) == 0 { format!("\"{name}\"") } else { serde_json::to_string(&name).unwrap() }
    } else {
        number(dice)
    };
    bytes.splice(word, new.into_bytes());
}

fn swap_words(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let words = words(bytes);
    if words.len() < 2 {
        return;
    }
    let mut any = || words[dice.below(words.len() as u64) as usize].clone();
    let (a, b) = (any(), any());
    let (a, b) = if a.start < b.start { (a, b) } else { (b, a) };
    if a != b {
        let (first, second) = (bytes[a.clone()].to_vec(), bytes[b.clone()].to_vec());
        bytes.splice(b, first);
        bytes.splice(a, second);
    }
}

/// Where texts in quotes and numbers stand.
fn words(bytes: &[u8]) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        let is_digit = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'-');
        if bytes[at] == b'"' {
            at += 1;
            while at < bytes.len() && bytes[at] != b'"' {
                at += 1 + usize::from(bytes[at] == b'\\');
            }
            at = (at + 1).min(bytes.len());
            found.push(start..at);
        } else if is_digit(bytes[at]) {
            while at < bytes.len() && is_digit(bytes[at]) {
                at += 1;
            }
            found.push(start..at);
        } else {
            at += 1;
        }
    }
    found
}

fn place(bytes: &[u8], dice: &mut Dice) -> usize {
    dice.below(bytes.len() as u64 + 1) as usize
}

/// Any part: a few bytes, or up to everything.
fn part(bytes: &[u8], dice: &mut Dice) -> Range<usize> {
    let start = place(bytes, dice);
    let most = if dice.below(2) == 0 { 12 } else { bytes.len() as u64 };
    start..(start + dice.below(most + 1) as usize).min(bytes.len())
}
