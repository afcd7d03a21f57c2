//! What we say of ourselves is so, or is not said: counts, sizes and times in guides and descriptions, where the tests of a crate are,
//! and what the head of a file says that it depends on.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(blockstep_testing::ROOT)
}

/// Files below a place whose names end so, but for what is built or fetched, sorted: their paths from the root, and their texts.
fn files(places: &[&str], ending: &str) -> Vec<(String, String)> {
    let (mut places, mut found): (Vec<PathBuf>, Vec<_>) = (places.iter().map(|place| root().join(place)).collect(), Vec::new());
    while let Some(path) = places.pop() {
        if path.is_dir() {
            let is_ours = |path: &PathBuf| !["target", "node_modules", "data"].iter().any(|name| path.ends_with(name));
            places.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).filter(is_ours));
        } else if path.to_str().unwrap().ends_with(ending) {
            let name = path.strip_prefix(root()).unwrap();
            found.push((name.to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

fn assert_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The comment at the head of a source file, as one line.
fn head(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim).collect();
    lines.join(" ")
}

/// Guides, heads of source files and descriptions of packages: what speaks of the whole, and which tests of texts do not read.
fn prose() -> Vec<(String, String)> {
    let guides = files(&["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs"], ".md").into_iter();
    let guides = guides.chain(files(&["Makefile"], "Makefile"));
    let heads = files(&["src", "crates", "bindings", "benches"], ".rs").into_iter().map(|(name, text)| (name, head(&text)));
    let described = files(&["Cargo.toml", "crates", "bindings", "benches"], "Cargo.toml").into_iter();
    guides.chain(heads).chain(described).collect()
}

/// What there is more of from time to time.
const COUNTED: [&str; 14] = [
    "examples",
    "tours",
    "policies",
    "rules",
    "variants",
    "misreadings",
    "devices",
    "studies",
    "tools",
    "terms",
    "commands",
    "tests",
    "entries",
    "sizes",
];

/// Numbers in words, from ten on: of fewer one speaks without meaning all that there are.
const NUMBERS: [&str; 18] = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
];

fn is_number(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '*', '_']).to_lowercase();
    let is_of_digits = word.len() > 1 && word.chars().all(|c| c.is_ascii_digit());
    is_of_digits || NUMBERS.iter().any(|number| word == *number || word.starts_with(&format!("{number}-")))
}

#[test]
fn claims_hold_no_count_of_what_grows() {
    let mut wrong = Vec::new();
    for (name, text) in prose() {
        // Words are looked at across lines.
        let words: Vec<&str> = text.split_whitespace().collect();
        for (place, word) in words.iter().enumerate().filter(|(_, word)| is_number(word)) {
            let after = words[place + 1..].iter().take(3).map(|word| word.trim_end_matches(['.', ',', ':', ';', ')', '*', '`', '"']));
            if after.clone().any(|word| COUNTED.contains(&word)) {
                wrong.push(format!("{name}: {word} {}", after.collect::<Vec<_>>().join(" ")));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn claims_of_how_long_building_takes_are_not_made() {
    let mut wrong = Vec::new();
    for name in ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "Makefile"] {
        let text = fs::read_to_string(root().join(name)).unwrap();
        let lines = text.lines().filter(|line| line.split(|c: char| !c.is_alphabetic()).any(|word| ["seconds", "minutes"].contains(&word)));
        wrong.extend(lines.map(|line| format!("{name}: {line}")));
    }
    assert_none(&wrong);
}

/// The sizes that guides name are the limits that `scripts/size.mjs` keeps.
#[test]
fn claims_of_sizes_are_the_limits_of_the_build() {
    let script = fs::read_to_string(root().join("scripts/size.mjs")).unwrap();
    let script = script.split("LIMITS = {").nth(1).unwrap();
    let limit = |name: &str| {
        let digits = script.split(&format!("{name}: ")).nth(1).unwrap().split([',', ' ']).next().unwrap().replace('_', "");
        digits.parse::<u32>().unwrap()
    };
    let named = |bytes: u32| format!("at most {}.{:02} MB", bytes / 1_000_000, bytes % 1_000_000 / 10_000);
    let mut wrong = Vec::new();
    for (name, text) in files(&["README.md", "docs"], ".md") {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for (what, bytes) in [("the page is ", limit("page")), ("everything together is ", limit("all"))] {
            for (place, _) in text.to_lowercase().match_indices(&format!("{what}at most ")) {
                let said = &text[place + what.len()..];
                if !said.starts_with(&named(bytes)) {
                    wrong.push(format!("{name}: {what}{}; scripts/size.mjs has {bytes}", &said[..16]));
                }
            }
        }
    }
    assert_none(&wrong);
}

/// The package of tests that a comment names: its folder, and whether it is there and uses the crate.
fn holds_tests_of(tests: &Path, package: &str) -> bool {
    fs::read_to_string(tests.join("Cargo.toml")).is_ok_and(|text| text.contains(&format!("\n{package}.workspace")))
}

#[test]
fn claims_of_where_the_tests_of_a_crate_are_hold() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (name, text) in files(&["crates"], "Cargo.toml") {
        let folder = root().join(&name).parent().unwrap().to_owned();
        let package = text.split("name = \"").nth(1).unwrap().split('"').next().unwrap();
        for said in text.lines().filter_map(|line| line.strip_prefix("# Its tests are in ")) {
            let place = said.split([' ', ',']).next().unwrap();
            let is_there = match place {
                "tests/" => holds_tests_of(&folder.join("tests"), package),
                // The project's own, which use all that the program is made of.
                "the" => said.starts_with("the project's own tests/"),
                _ => holds_tests_of(&root().join(place), package),
            };
            seen += 1;
            if !is_there {
                wrong.push(format!("{name}: {place} has no tests of {package}"));
            }
        }
    }
    assert_none(&wrong);
    assert!(seen > 15, "{seen} crates");
}

/// Whether a word stands in a text by itself, or as the end of the name of one of our crates.
fn has_word(text: &str, word: &str) -> bool {
    let is_inner = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(place, _)| {
        let before = text[..place].strip_suffix("blockstep_").unwrap_or(&text[..place]);
        !before.ends_with(is_inner) && !text[place + word.len()..].starts_with(is_inner)
    })
}

/// What follows the heads of a file and of the files in its folder: a module is all of these.
fn code_of(name: &str, all: &[(String, String)]) -> String {
    let stem = ["/lib.rs", "/mod.rs", "/main.rs"].iter().find_map(|end| name.strip_suffix(end));
    let folder = format!("{}/", stem.unwrap_or_else(|| name.trim_end_matches(".rs")));
    let texts = all.iter().filter(|(other, _)| other == name || other.starts_with(&folder));
    texts.flat_map(|(_, text)| text.lines().filter(|line| !line.starts_with("//!")).flat_map(|line| [line, "\n"])).collect()
}

/// Heads say "Depends on `trace` and `record`." What they name so, their files use; a file that depends on nothing uses no other one.
#[test]
fn claims_of_what_a_file_depends_on_hold() {
    let all: Vec<_> =
        files(&["src", "crates", "bindings", "benches"], ".rs").into_iter().filter(|(name, _)| !name.contains("/tests/")).collect();
    let (mut wrong, mut seen) = (Vec::new(), 0);
    let mut complain = |name: &str, what: &dyn Display| wrong.push(format!("{name}: {what}"));
    for (name, text) in &all {
        let head = format!("{} ", head(text));
        let Some(said) = head.split("Depends on ").nth(1).and_then(|rest| rest.split([';']).next()?.split(". ").next()) else { continue };
        let code = code_of(name, &all);
        if said == "nothing" {
            let uses =
                |line: &&str| ["use crate::", "use super::", "use blockstep_"].iter().any(|begin| line.trim_start().starts_with(begin));
            if let Some(line) = text.lines().find(uses) {
                complain(name, &format_args!("depends on nothing, and has {line}"));
            }
            seen += 1;
        }
        for named in said.split('`').skip(1).step_by(2) {
            let word = named.rsplit("::").next().unwrap();
            // "The rest of `scenario`" is said by files within it.
            let is_within = name.trim_end_matches(".rs").split('/').any(|part| part == word);
            seen += 1;
            if !is_within && !has_word(&code, word) {
                complain(name, &format_args!("depends on `{named}`, and does not use it"));
            }
        }
    }
    assert_none(&wrong);
    assert!(seen > 400, "{seen} names");
}
