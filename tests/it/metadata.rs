//! What registries and hosts read of the project agrees with Cargo.toml and with scripts/address.env, where its addresses stand.

use std::fs;
use std::path::Path;

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(blockstep_testing::ROOT).join(name)).unwrap()
}

/// The value of a line of a table in TOML: `version = "0.1.0"`.
fn toml(file: &str, table: &str, key: &str) -> Option<String> {
    let text = read(file);
    let table = text.split(&format!("[{table}]\n")).nth(1)?.split("\n[").next()?.to_owned();
    let value = table.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")))?;
    Some(value.trim_matches('"').to_owned())
}

/// The value of a line of CITATION.cff.
fn cited(key: &str) -> String {
    let text = read("CITATION.cff");
    text.lines().find_map(|line| line.strip_prefix(&format!("{key}: "))).unwrap_or_else(|| panic!("CITATION.cff has no {key}")).to_owned()
}

/// The words of a list on one line: `[a, b]`, in quotes or not.
fn list(text: &str) -> Vec<String> {
    text.trim_matches(['[', ']']).split(", ").map(|word| word.trim_matches('"').to_owned()).collect()
}

#[test]
fn metadata_of_the_citation_is_that_of_the_program() {
    assert_eq!(cited("title").to_lowercase(), toml("Cargo.toml", "package", "name").unwrap());
    assert_eq!(Some(cited("abstract")), toml("Cargo.toml", "package", "description"));
    assert_eq!(Some(cited("version")), toml("Cargo.toml", "workspace.package", "version"));
    assert_eq!(Some(cited("license")), toml("Cargo.toml", "workspace.package", "license"));
    let author = read("LICENSE").lines().find_map(|line| line.strip_prefix("Copyright (c) 2026 ").map(str::to_owned)).unwrap();
    assert_eq!(cited("  - name"), author);
}

#[test]
fn metadata_is_the_same_for_every_registry() {
    let npm: serde_json::Value = serde_json::from_str(&read("bindings/npm/package/package.json")).unwrap();
    let words =
        |value: &serde_json::Value| value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let cargo = |key| toml("Cargo.toml", "package", key).unwrap();
    let python = |key| toml("bindings/python/pyproject.toml", "project", key).unwrap();
    let license = toml("Cargo.toml", "workspace.package", "license").unwrap();
    for (key, of_cargo) in [("description", cargo("description")), ("license", license)] {
        assert_eq!((npm[key].as_str(), python(key)), (Some(of_cargo.as_str()), of_cargo.clone()), "{key}");
    }
    let keywords = list(&cargo("keywords"));
    assert_eq!(words(&npm["keywords"]), keywords);
    assert_eq!(list(&cited("keywords")), keywords);
    // The registry of Rust crates takes no more, and no longer ones.
    assert!(keywords.len() <= 5 && keywords.iter().all(|word| word.len() <= 20));
    assert_eq!(toml("bindings/python/Cargo.toml", "package", "version"), toml("Cargo.toml", "workspace.package", "version"));
}

/// An address is set in one place. Files that cannot read it have it too, or have none.
#[test]
fn metadata_has_the_address_of_the_sources_from_one_place() {
    let text = read("scripts/address.env");
    let of = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("scripts/address.env has no {name}"));
        line.split_once('-').unwrap().1.trim_end_matches("}\"").to_owned()
    };
    let sources = Some(of("BLOCKSTEP_REPOSITORY")).filter(|address| !address.is_empty());
    assert_eq!(toml("Cargo.toml", "package", "repository"), sources);
    let citation = read("CITATION.cff");
    assert_eq!(citation.lines().find_map(|line| line.strip_prefix("repository-code: ")).map(str::to_owned), sources);
    // npm gets it when the package is put together (scripts/npm.mjs).
    assert!(!read("bindings/npm/package/package.json").contains("\"repository\""));
}
