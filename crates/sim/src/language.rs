//! What English does to a sentence that is put together: endings of plurals, and lists with their last word.
//!
//! Depends on nothing. Invariant: numbers stand as they are given; who groups their digits does so before.

use std::borrow::Borrow;
use std::fmt::Display;

/// `one` of one thing, else `many`.
pub fn one_or<'t, N: PartialEq + From<u8>>(count: N, one: &'t str, many: &'t str) -> &'t str {
    if count == N::from(1) { one } else { many }
}

/// The ending of a noun after a number: none after one, else `s`.
pub fn s<N: PartialEq + From<u8>>(count: N) -> &'static str {
    one_or(count, "", "s")
}

/// `1 kernel`, `2 kernels`.
pub fn counted<N: PartialEq + From<u8> + Display + Copy>(count: N, what: &str) -> String {
    format!("{count} {what}{}", s(count))
}

/// With a capital letter: `A task` of `a task`.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A title within a sentence, `blocks` of `Blocks`; an abbreviation stays as it is.
#[must_use]
pub fn within_sentence(title: &str) -> String {
    let is_word = title.chars().nth(1).is_some_and(char::is_lowercase);
    let (first, rest) = title.split_at(title.char_indices().nth(1).map_or(title.len(), |(end, _)| end));
    if is_word { first.to_lowercase() + rest } else { title.to_owned() }
}

/// `K1`, `K1 and K2`, `K1, K2 and K3`; nothing of none.
pub fn all_of<S: Borrow<str>>(names: &[S]) -> String {
    joined(names, "and")
}

/// `K1`, `K1 or K2`, `K1, K2 or K3`; nothing of none.
pub fn one_of<S: Borrow<str>>(names: &[S]) -> String {
    joined(names, "or")
}

/// `K1, K2`, and with 3 more that are not named `K1, K2 and 3 more`.
pub fn and_more<S: Borrow<str>>(named: &[S], more: usize) -> String {
    let named = named.join(", ");
    if more > 0 { format!("{named} and {more} more") } else { named }
}

fn joined<S: Borrow<str>>(names: &[S], word: &str) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} {word} {}", most.join(", "), last.borrow()),
        _ => names.concat(),
    }
}
