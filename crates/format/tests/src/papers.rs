//! The table of the papers, `docs/papers.md`: its marks follow from the checks that run.

mod checks;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use checks::{PAPERS, Row};

/// Tests by which every tour and every example that a row names is checked, claim by claim.
const OF_CLAIMS: [&str; 3] =
    ["tours_say_what_the_runs_do", "tours_examples_say_what_their_runs_do", "examples_of_the_applications_show_what_their_bookmarks_say"];
/// What the last of these is about.
const APPLICATIONS: [&str; 2] = ["edf-vi-a-runlist", "edf-vi-a-cbs"];

fn place(name: &str) -> PathBuf {
    Path::new(blockstep_testing::ROOT).join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(place(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// The rows of a paper: section, what it has, its mark, and where to see it.
fn rows(paper: &str) -> Vec<[String; 4]> {
    let document = text("docs/papers.md");
    let lines = document.lines().skip_while(|line| !line.starts_with(&format!("## [{paper}]"))).skip(1);
    let lines = lines.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| "));
    let cells = lines.map(|line| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
    let cells = cells.filter(|cells| cells.len() == 6 && cells[1] != "where");
    cells.map(|c| [c[1].clone(), c[2].clone(), c[3].clone(), c[4].clone()]).collect()
}

/// The names of the native tests below a folder that are compiled and not left out: each file is named by the one above it.
fn native_in(folder: &Path, parent: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_compiled = ["lib", "main"].contains(&&*stem) || parent.lines().any(|line| line.trim_end() == format!("mod {stem};"));
        if path.extension().is_none_or(|e| e != "rs") || !is_compiled {
            continue;
        }
        let source = fs::read_to_string(&path).unwrap();
        for test in source.split("#[test]").skip(1) {
            let head: Vec<&str> = test.lines().take(6).take_while(|line| !line.trim_start().starts_with("fn ")).collect();
            let name = test.split("fn ").nth(1).and_then(|rest| rest.split('(').next());
            if let Some(name) = name.filter(|_| !head.iter().any(|line| line.contains("#[ignore"))) {
                found.insert(name.to_owned());
            }
        }
        let below = folder.join(&stem);
        if below.is_dir() {
            native_in(&below, &source, found);
        }
    }
}

/// Every test that `make test` runs: names of native ones, and titles of those of the page after `page: `.
fn tests() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let members = text("Cargo.toml");
    for name in ["analysis", "format", "policy", "search", "sim", "site", "tools", "view"] {
        let folder = place(&format!("crates/{name}/tests/src"));
        if folder.is_dir() && members.contains(&format!("\"crates/{name}/tests\"")) {
            native_in(&folder, &fs::read_to_string(folder.join("lib.rs")).unwrap(), &mut found);
        }
    }
    native_in(&place("tests/it"), &text("tests/it/main.rs"), &mut found);
    assert!(text("scripts/test.sh").contains("tests/e2e/*.test.mjs"));
    for entry in fs::read_dir(place("tests/e2e")).unwrap() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            let source = fs::read_to_string(&path).unwrap();
            let titles = source.lines().filter_map(|line| line.strip_prefix("test(\"").or_else(|| line.strip_prefix("on(\"")));
            found.extend(titles.filter_map(|rest| Some(format!("page: {}", rest.split_once("\", ")?.0))));
        }
    }
    found
}

/// What a row's mark has to be.
fn mark(row: &Row) -> &'static str {
    match (row.checks.is_empty(), row.lacks.is_empty()) {
        (true, _) => "no",
        (false, false) => "part",
        (false, true) => "whole",
    }
}

/// What follows `#kind=` in the addresses of a row: an id, without a stop or another diagram.
fn named<'t>(place: &'t str, kind: &str) -> Vec<&'t str> {
    let addresses = place.split('`').skip(1).step_by(2).filter_map(|word| word.strip_prefix('#')?.strip_prefix(kind)?.strip_prefix('='));
    addresses.map(|id| id.split(['/', '&']).next().unwrap_or(id)).collect()
}

#[test]
fn papers_marks_follow_from_checks_that_run() {
    let tests = tests();
    assert!(tests.len() > 1500, "{} tests", tests.len());
    assert!(OF_CLAIMS.iter().all(|name| tests.contains(*name)));
    // What makes no mark: a name that no test has, one that is left out, and a helper.
    assert!(!["papers_there_is_no_such_test", "space_bound_hunt", "native_in"].iter().any(|name| tests.contains(*name)));
    let examples: Value = serde_json::from_str(&text("crates/tools/tests/src/tours/examples.json")).unwrap();
    let mut seen = 0;
    for (paper, expected) in PAPERS {
        let rows = rows(paper);
        let names = |rows: &[[String; 4]]| rows.iter().map(|row| format!("{}: {}", row[0], row[1])).collect::<Vec<_>>();
        assert_eq!(names(&rows), expected.iter().map(|row| format!("{}: {}", row.section, row.what)).collect::<Vec<_>>(), "[{paper}]");
        for (row, [section, what, found, place]) in expected.iter().zip(&rows) {
            let of = format!("[{paper}] {section}, {what}");
            assert_eq!(found, mark(row), "{of}");
            assert!(place.contains(row.lacks), "{of} lacks \"{}\": {place}", row.lacks);
            assert!(row.lacks.is_empty() || !row.checks.is_empty(), "{of}: what is here of it, if it is part?");
            for check in row.checks {
                assert!(tests.contains(*check), "{of}: no test that runs is called {check}");
            }
            // What is missing and why there is nothing stands in a sentence.
            if found != "whole" && place != "below" {
                let prose: String = place.split('`').step_by(2).collect();
                assert!(prose.split_whitespace().count() >= 3, "{of}: {place}");
            }
            for id in named(place, "tour") {
                let tour: Value = serde_json::from_str(&text(&format!("crates/learn/src/tours/{id}.json"))).unwrap();
                assert!(
                    tour["stops"].as_array().unwrap().iter().any(|stop| stop["claims"].as_array().is_some_and(|of| !of.is_empty())),
                    "{of}: {id}"
                );
            }
            for id in named(place, "example") {
                let has_claims = examples[id].as_object().is_some_and(|claims| !claims.is_empty());
                assert!(has_claims || APPLICATIONS.contains(&id), "{of}: nothing is checked of {id}");
            }
            seen += 1;
        }
    }
    assert!(seen > 65, "{seen} rows");
}
