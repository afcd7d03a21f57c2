//! What one half of `scripts/test.sh` needs of the other is there before both begin.

use std::fs;
use std::path::Path;

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
