//! What links open a tool with: pairs of a name and a value, such as `policy=fifo&device=tx1`.
//!
//! Depends on `memory`. Invariant: of what a tool does not take, a sentence names the pair, and says what there is.

use serde_json::Value;

use super::memory;
use blockstep_sim::language::{all_of, and_more};

/// Up to that many words are listed, and of more the first [`NAMED`].
const LISTED: usize = 16;
const NAMED: usize = 8;
/// Sentences about one link.
const MAX_SENTENCES: usize = 4;
/// Characters of a link that a sentence quotes.
const QUOTED: usize = 40;

/// A pair that a tool takes.
pub struct Pair {
    /// Its name in links, which never changes.
    pub name: &'static str,
    takes: Takes,
    may_repeat: bool,
}

enum Takes {
    /// Any text: the panel says what is wrong with it.
    Text,
    /// A whole number within limits, both included.
    Number(u64, u64),
    /// A word; one that ends with `N` stands for itself with any number in that place.
    OneOf(fn() -> Vec<String>),
    /// Any number of such words, with this character between them.
    Several(char, fn() -> Vec<String>),
    /// Pairs, in turn.
    Pairs(&'static [Pair]),
}

impl Pair {
    pub(crate) const fn text(name: &'static str) -> Self {
        Self::new(name, Takes::Text)
    }

    pub(crate) const fn number(name: &'static str, least: u64, most: u64) -> Self {
        Self::new(name, Takes::Number(least, most))
    }

    pub(crate) const fn one_of(name: &'static str, words: fn() -> Vec<String>) -> Self {
        Self::new(name, Takes::OneOf(words))
    }

    pub(crate) const fn several(name: &'static str, between: char, words: fn() -> Vec<String>) -> Self {
        Self::new(name, Takes::Several(between, words))
    }

    pub(crate) const fn pairs(name: &'static str, pairs: &'static [Self]) -> Self {
        Self::new(name, Takes::Pairs(pairs))
    }

    const fn new(name: &'static str, takes: Takes) -> Self {
        Self { name, takes, may_repeat: false }
    }

    /// The same pair, of which a link may have several.
    pub(crate) const fn repeated(self) -> Self {
        Self { may_repeat: true, ..self }
    }

    /// Whether it takes any text, of which the panel says what is wrong.
    #[must_use]
    pub const fn is_text(&self) -> bool {
        matches!(self.takes, Takes::Text)
    }

    /// What there is in place of a value; `None` if it takes that one, or if that is empty, which is as if it were not there.
    fn instead_of(&self, value: &str) -> Option<String> {
        let one = |word: &str, words: &[String]| words.iter().any(|of| is_word(word, of));
        match &self.takes {
            _ if value.is_empty() => None,
            Takes::Text | Takes::Pairs(_) => None,
            Takes::Number(least, most) => {
                let is_within = value.parse().is_ok_and(|number: u64| (*least..=*most).contains(&number));
                (!is_within).then(|| format!("are whole numbers from {least} to {most}"))
            }
            Takes::OneOf(words) => Some(words()).filter(|words| !one(value, words)).map(|words| listed(&words)),
            Takes::Several(between, words) => {
                let words = words();
                let is_known = value.split(*between).filter(|word| !word.is_empty()).all(|word| one(word, &words));
                (!is_known).then(|| listed(&words))
            }
        }
    }
}

/// The words of a closed choice.
pub(crate) fn words<T, W: Into<String>>(all: impl IntoIterator<Item = T>, word: impl Fn(T) -> W) -> Vec<String> {
    all.into_iter().map(|of| word(of).into()).collect()
}

fn is_word(text: &str, word: &str) -> bool {
    match word.strip_suffix('N') {
        Some(head) => text.strip_prefix(head).is_some_and(|number| number.parse::<u32>().is_ok()),
        None => text == word,
    }
}

/// `are fifo, priority and edf`, after "there".
fn listed(words: &[String]) -> String {
    match words {
        [word] => format!("is {word}"),
        _ if words.len() <= LISTED => format!("are {}", all_of(words)),
        _ => format!("are {}", and_more(&words[..NAMED], words.len() - NAMED)),
    }
}

/// What of a link's pairs a tool does not take, as sentences; nothing if it takes all of them.
pub(crate) fn refused(title: &str, word: &str, known: &[Pair]) -> Option<String> {
    let mut sentences = sentences(title, word, known);
    let more = sentences.len().saturating_sub(MAX_SENTENCES);
    if more > 0 {
        sentences.truncate(MAX_SENTENCES);
        sentences.push(format!("It asks for {more} more that {title} does not have."));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn sentences(title: &str, word: &str, known: &[Pair]) -> Vec<String> {
    let mut sentences = Vec::new();
    let quoted = |text: &str| text.chars().take(QUOTED).collect::<String>();
    for (name, value) in memory::fields(word) {
        let values = match &value {
            Value::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let values: Vec<String> = values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
        let asks = |value: &str| format!("This link asks {title} for “{}={}”, which does not exist.", quoted(&name), quoted(value));
        let Some(pair) = known.iter().find(|pair| pair.name == name) else {
            let names = words(known, |pair| format!("“{}=”", pair.name));
            sentences.push(format!("{} There {}.", asks(values.first().map_or("", String::as_str)), listed(&names)));
            continue;
        };
        if values.len() > 1 && !pair.may_repeat {
            sentences.push(format!("This link asks {title} for “{name}” more than once, but it takes only one."));
        }
        for value in &values {
            if let Takes::Pairs(pairs) = pair.takes {
                sentences.extend(self::sentences(&format!("“{name}” in {title}"), value, pairs));
            }
            if let Some(there) = pair.instead_of(value) {
                sentences.push(format!("{} For “{name}” there {there}.", asks(value)));
            }
        }
    }
    sentences
}
