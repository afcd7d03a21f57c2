//! Words that a reader meets stand in the `texts.rs` of their feature, or in one of the two tables of the page.
//!
//! Looks for literals that read like a sentence or a label of several words. Those of tests, messages to developers and
//! attributes of markup are left out.

use super::{Source, sources};

/// Tables of titles and keys: each is one place already.
const TABLES: [&str; 2] = ["app/commands.rs", "app/tools/mod.rs"];

/// What stands on a line whose texts are for developers.
const FOR_DEVELOPERS: [&str; 6] = ["expect(", "reason =", "panic!", "assert", "unreachable!", "trim_end_matches("];

#[test]
fn layering_texts_of_the_page_stand_with_their_feature() {
    let found: Vec<String> = sources().iter().filter(|source| source.layer == "app" && !is_of_texts(source)).flat_map(texts).collect();
    assert!(found.is_empty(), "these belong into the texts.rs of their feature:\n{}", found.join("\n"));
}

#[test]
fn layering_finds_texts() {
    let found = |code: &'static str| literals(code).into_iter().filter(|text| is_text(text)).collect::<Vec<_>>();
    assert_eq!(found(r#"view! { <p title="Show all of it">"No text"</p> }"#), ["Show all of it", "No text"]);
    assert_eq!(found(r#"let said = format!("There is \"no\" run of {name}.");"#), [r#"There is \"no\" run of {name}."#]);
    assert!(found(r#"class="tool-row wide" on:click "quiz" "data-field" "{}: {}""#).is_empty());
}

fn is_of_texts(source: &Source) -> bool {
    let path = source.path.to_string_lossy().replace('\\', "/");
    path.ends_with("/texts.rs") || path.contains("/texts/") || TABLES.iter().any(|table| path.ends_with(table))
}

fn texts(source: &Source) -> Vec<String> {
    let code = source.code().take_while(|(_, code)| !code.contains("#[cfg(test)]"));
    let of_page = code.filter(|(_, code)| !FOR_DEVELOPERS.iter().any(|word| code.contains(word)));
    of_page.flat_map(|(n, code)| literals(code).into_iter().filter(|text| is_text(text)).map(move |text| source.at(n, text))).collect()
}

/// What stands between quotation marks, without classes.
fn literals(code: &str) -> Vec<&str> {
    let (mut found, mut start, mut is_escaped) = (Vec::new(), None, false);
    for (i, c) in code.char_indices() {
        match (c, start) {
            _ if is_escaped => is_escaped = false,
            ('\\', Some(_)) => is_escaped = true,
            ('"', None) => start = Some(i + 1),
            ('"', Some(from)) => {
                if !code[..from].ends_with("class=\"") {
                    found.push(&code[from..i]);
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Whether it reads like words for people: a capitalized word before another, or three words in a row.
fn is_text(literal: &str) -> bool {
    let words: Vec<&str> = literal.split(' ').collect();
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    let is_capitalized =
        |word: &str| word.starts_with(|c: char| c.is_ascii_uppercase()) && word[1..].chars().all(|c| c.is_ascii_lowercase());
    words.windows(2).any(|pair| pair[0].len() > 1 && is_capitalized(pair[0]) && pair[1].starts_with(|c: char| c.is_ascii_lowercase()))
        || words.windows(3).any(|three| three.iter().all(is_word))
}
