//! What the guides for those who change the code name is there: files, and names in the code.

use std::fs;
use std::path::{Path, PathBuf};

const GUIDES: [&str; 3] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn texts_in(folder: PathBuf, found: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts_in(path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// What stands between backticks on one line, and the targets of links.
fn named(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.starts_with("    "));
    let quoted = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    let linked = text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|target| !target.contains(':'));
    quoted.chain(linked).collect()
}

fn is_path(word: &str) -> bool {
    let ends = [".rs", ".md", ".json", ".mjs", ".sh", "/"];
    !word.contains(char::is_whitespace) && !word.starts_with(['/', '~', '.', '-']) && ends.iter().any(|end| word.ends_with(end))
}

#[test]
fn guides_name_files_that_are_there() {
    let mut seen = 0;
    for guide in GUIDES {
        let text = fs::read_to_string(root().join(guide)).unwrap();
        // `ID` stands for a name of one's own; `dist/` is built.
        for path in named(&text).into_iter().filter(|word| is_path(word) && !word.contains("ID") && !word.contains('*') && *word != "dist/")
        {
            let places = [root().join(path), root().join("src").join(path)];
            assert!(places.iter().any(|place| place.exists()), "{guide}: there is no {path}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen} paths");
}

#[test]
fn guides_name_what_is_in_the_code() {
    let mut code = String::new();
    texts_in(root().join("src"), &mut code);
    texts_in(root().join("tests"), &mut code);
    let mut seen = 0;
    for guide in GUIDES {
        let text = fs::read_to_string(root().join(guide)).unwrap();
        let is_name = |word: &&str| {
            word.contains("::")
                || word.starts_with(|c: char| c.is_ascii_uppercase())
                    && word.len() > 2
                    && !root().join(word).exists()
                    && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        for word in named(&text).into_iter().filter(is_name) {
            let last = word.rsplit("::").next().unwrap();
            let is_variable = ["BLOCKSTEP", "CHROM", "CASES", "PORT"].iter().any(|of| word.starts_with(of));
            assert!(is_variable || code.contains(last), "{guide}: there is no {word}");
            seen += 1;
        }
    }
    assert!(seen > 12, "{seen} names");
}
