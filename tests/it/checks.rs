//! What one half of `scripts/test.sh` needs of the other is there before both begin, and nothing else is taken.

use std::fs;
use std::path::{Path, PathBuf};

/// The programs that the tests of the site start: what their sources name in `target/debug`.
fn programs(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "mjs") {
            let text = fs::read_to_string(&path).unwrap();
            found.extend(text.split("\"debug/").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()));
        }
    }
}

#[test]
fn programs_that_tests_of_the_site_start_are_built_before_they_begin() {
    let root = Path::new(blockstep_testing::ROOT);
    let script = fs::read_to_string(root.join("scripts/test.sh")).unwrap();
    let (before, beside) = script.split_once("\nbegin test_site\n").unwrap();
    let mut found = Vec::new();
    programs(&root.join("tests/e2e"), &mut found);
    assert!(!found.is_empty());
    for program in found {
        let built = before.lines().find(|line| line.contains(" cargo build ") && line.contains(&format!(" --bin {program} ")));
        let built = built.unwrap_or_else(|| panic!("{program} is not built before `begin test_site`"));
        // For the same features, or the native tests replace it while it is used.
        let features = |line: &str| line.split(" --features ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
        let tests = beside.lines().find(|line| line.contains(" cargo test ")).unwrap();
        assert_eq!(features(built), features(tests));
    }
}

/// Sources of native tests, by their paths.
fn native_tests(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            native_tests(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The site may not be there yet, or be half built.
#[test]
fn native_tests_read_nothing_of_the_built_site() {
    let root = Path::new(blockstep_testing::ROOT);
    let mut found = Vec::new();
    native_tests(&root.join("tests/it"), &mut found);
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        let tests = entry.unwrap().path().join("tests");
        if tests.is_dir() {
            native_tests(&tests, &mut found);
        }
    }
    assert!(found.len() > 100, "{} files", found.len());
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        for read in ["join(\"dist", "join(\"target/wasm32", "join(\"target/pictures", "(\"dist/"] {
            // This list names them.
            let is_read = text.contains(read) && !path.ends_with("checks.rs");
            assert!(!is_read, "{} reads what the other half builds: {read}", path.display());
        }
    }
}

/// Programs that the site's half starts from `target/debug` it builds itself, for the features of the native tests, or they are built
/// before both halves.
#[test]
fn the_site_builds_the_programs_that_its_scripts_start() {
    let root = Path::new(blockstep_testing::ROOT);
    let script = fs::read_to_string(root.join("scripts/test.sh")).unwrap();
    let tests = script.lines().find(|line| line.contains(" cargo test ") && line.contains(" --features ")).unwrap();
    let features = tests.split(" --features ").nth(1).unwrap().split(' ').next().unwrap();
    let mut seen = 0;
    for name in ["dist.sh", "pages.sh", "site.sh", "tools.mjs", "size.mjs", "policy.mjs"] {
        let text = fs::read_to_string(root.join("scripts").join(name)).unwrap();
        for (place, _) in text.match_indices("/debug/") {
            let built =
                text[..place].lines().rev().find(|line| line.contains("cargo build ")).unwrap_or_else(|| panic!("{name}: not built"));
            assert!(built.contains("--workspace") && built.contains(&format!("--features {features} ")), "{name}: {built}");
            seen += 1;
        }
    }
    assert!(seen > 0, "no program");
}

/// What reads our WebAssembly has the version of the crate that is in it, and whoever has Trunk uses the same programs as we do.
#[test]
fn tools_of_webassembly_have_one_version_each() {
    let read = |name: &str| fs::read_to_string(Path::new(blockstep_testing::ROOT).join(name)).unwrap();
    let after = |name: &str, before: &str| {
        let text = read(name);
        let rest = text.split_once(before).unwrap_or_else(|| panic!("{name} has no {before}")).1.to_owned();
        rest.chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect::<String>()
    };
    let bindgen = after("Cargo.lock", "name = \"wasm-bindgen\"\nversion = \"");
    assert_eq!(after("scripts/bindgen/Cargo.lock", "name = \"wasm-bindgen-cli-support\"\nversion = \""), bindgen);
    assert_eq!(after("scripts/versions.env", "WASM_BINDGEN="), bindgen);
    assert_eq!(after("Trunk.toml", "wasm_bindgen = \""), bindgen);
    let binaryen = after("scripts/npm/package.json", "\"binaryen\": \"");
    assert_eq!(format!("{}.0.0", after("Trunk.toml", "wasm_opt = \"version_")), binaryen);
}
