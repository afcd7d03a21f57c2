//! Texts kept in files: compared with what there is now, or written anew where `BLESS` is set.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of `tests/golden`.
pub fn file(name: &str) -> PathBuf {
    Path::new(crate::ROOT).join("tests/golden").join(name)
}

/// Compares with a file of `tests/golden`, or writes it where `BLESS` is set. The difference, if there is one.
pub fn compare(name: &str, actual: &str) -> Option<String> {
    let file = file(name);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, actual).unwrap();
        return None;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    let diff = || similar::TextDiff::from_lines(&*expected, actual).unified_diff().header(name, "now").to_string();
    (expected != actual).then(diff)
}
