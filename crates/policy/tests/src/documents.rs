//! What the documents say of the language is so: their examples parse, and their words are the language's.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use blockstep_policy::{MAX_COLUMNS, MAX_LINES, MAX_NESTING, MAX_PLACES, MAX_TASKS, MAX_VARIABLES, Program, WORDS};

fn document(name: &str) -> String {
    fs::read_to_string(Path::new(blockstep_testing::ROOT).join("docs").join(name)).unwrap()
}

/// The lines of a section.
fn section<'t>(text: &'t str, title: &str) -> Vec<&'t str> {
    let after = text.lines().skip_while(move |line| line.trim_start_matches('#').trim() != title).skip(1);
    let found: Vec<_> = after.take_while(|line| !line.starts_with("## ")).collect();
    assert!(!found.is_empty(), "there is no section {title}");
    found
}

/// What stands between backticks in the first column of a table, at its beginning.
fn rows<'t>(text: &'t str, title: &str) -> Vec<&'t str> {
    section(text, title).into_iter().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

/// Blocks of code, without their margin.
fn blocks(text: &str) -> Vec<String> {
    let (mut found, mut block) = (Vec::new(), String::new());
    for line in text.lines().chain([""]) {
        match line.strip_prefix("    ") {
            Some(code) => block.push_str(&format!("{code}\n")),
            None if line.is_empty() && !block.is_empty() => found.push(std::mem::take(&mut block)),
            None => {}
        }
    }
    found
}

const DECLARED: &str = "running, pending: set\nwaiting: queue\nholder: task\nrounds: number\nlate: flag\n\
                        credit: number for each task\ndone: flag for each task\n";

fn within(action: &str) -> String {
    let body = if action.ends_with(':') { "\n    add t to running" } else { "" };
    let k = if action.starts_with("k =") { "" } else { "  k = first in waiting\n" };
    format!("{DECLARED}on request(t):\n{k}  {action}{body}\nadmit running\n")
}

#[track_caller]
fn parses(text: &str) {
    if let Err(e) = Program::new(text) {
        panic!("{e}\n{text}");
    }
}

#[test]
fn documents_every_row_of_the_language_parses() {
    let text = document("policy-language.md");
    let declared = rows(&text, "Declarations");
    declared.iter().for_each(|row| parses(&format!("{row}\nadmit ready\n")));
    let events = rows(&text, "Events");
    events.iter().for_each(|row| parses(&format!("n: number\n{row}\n  n = 1\nadmit ready\n")));
    let actions = rows(&text, "Actions");
    actions.iter().for_each(|row| parses(&within(row)));
    let values = rows(&text, "Tasks, sets and numbers");
    for row in &values {
        let texts = ["pick =", "rounds =", "running ="].map(|name| within(&format!("{name} {row}")));
        assert!(texts.iter().any(|text| Program::new(text).is_ok()), "{row}: {:?}", texts.map(|text| Program::new(&text).err()));
    }
    let conditions = rows(&text, "Conditions");
    conditions.iter().for_each(|row| parses(&within(&format!("if {row}:"))));
    let counts = [&declared, &events, &actions, &values, &conditions].map(Vec::len);
    assert!(counts.into_iter().all(|count| count >= 4), "{counts:?}");
}

#[test]
fn documents_every_example_parses() {
    for name in ["policy-language.md", "own-policy.md"] {
        let examples: Vec<_> =
            blocks(&document(name)).into_iter().filter(|block| block.lines().any(|line| line.starts_with("admit "))).collect();
        assert!(!examples.is_empty(), "{name} has examples");
        examples.iter().for_each(|example| parses(example));
    }
}

#[test]
fn documents_the_words_of_the_grammar_are_those_of_the_lexer() {
    let text = document("policy-language.md");
    let grammar = section(&text, "Grammar").join("\n");
    let quoted: BTreeSet<&str> = grammar.split('"').skip(1).step_by(2).filter(|word| word.starts_with(char::is_alphabetic)).collect();
    let words: BTreeSet<&str> = WORDS.into_iter().collect();
    assert_eq!(quoted, words);
    assert!(WORDS.is_sorted());
}

#[test]
fn documents_limits_are_those_of_the_code() {
    let text = document("policy-language.md");
    let limits = section(&text, "Limits").join(" ");
    let said = format!(
        "at most {MAX_LINES} lines of {MAX_COLUMNS} characters, {MAX_NESTING} levels, {MAX_PLACES} sets and queues, {MAX_VARIABLES} \
         variables and {MAX_TASKS} tasks"
    );
    assert!(limits.contains(&said), "{limits}");
    assert_eq!(blockstep_policy::FUEL, 10_000);
}
