//! What is wrong with the text of a policy, and where.
//!
//! Depends on nothing. Invariant: a mistake names line, column and the word as it was typed.

/// The first mistake of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct PolicyError {
    /// From 1.
    pub line: u32,
    /// In characters, from 1; one after the last where a line ends too early.
    pub column: u32,
    /// The word in question, as it was typed; nothing at the end of a line.
    pub word: String,
    /// A sentence about it, without its place.
    pub message: String,
}

/// The known word that was probably meant: one that differs by so little that it is a slip.
pub(crate) fn meant<'w>(typed: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let allowed = if typed.chars().count() < 4 { 1 } else { 2 };
    let near = known.into_iter().map(|word| (distance(&typed.to_lowercase(), word), word));
    near.filter(|(off, word)| *off <= allowed && *off < word.chars().count()).min_by_key(|(off, _)| *off).map(|(_, word)| word)
}

/// `; did you mean priority?`, if a known word was probably meant; else nothing.
#[must_use]
pub fn hint<'w>(typed: &str, known: impl IntoIterator<Item = &'w str>) -> String {
    meant(typed, known).map_or_else(String::new, |word| format!("; did you mean {word}?"))
}

/// How many letters must be put in, left out, changed, or swapped with the next.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (mut before, mut row) = (Vec::new(), (0..=b.len()).collect::<Vec<usize>>());
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let changed = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let swapped: &Vec<usize> = &before;
                best = best.min(swapped[j - 2] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}
