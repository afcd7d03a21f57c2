//! Data that may stand beside the project: in the folder that `BLOCKSTEP_SHARED` names, otherwise in `shared`, next to the
//! project's own. Tests that need it are skipped without it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The place of a file or a folder of the shared data; `None`, said once, where it is not at hand.
pub fn shared(path: &str) -> Option<PathBuf> {
    static MISSING: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let folder = std::env::var_os("BLOCKSTEP_SHARED").map_or_else(|| Path::new(crate::ROOT).join("../shared"), PathBuf::from);
    let place = folder.join(path);
    if place.exists() {
        return Some(place);
    }
    if MISSING.lock().unwrap().insert(path.to_owned()) {
        eprintln!("skipped: {} is not at hand", place.display());
    }
    None
}

/// The text of a shared file.
pub fn text(path: &str) -> Option<String> {
    Some(fs::read_to_string(shared(path)?).unwrap())
}

/// The files of a shared folder, sorted; none without it.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let entries = shared(folder).into_iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// A real config of cuda_scheduling_examiner.
pub fn config(name: &str) -> Option<String> {
    text(&format!("data/examiner-configs/{name}"))
}

/// The four logs of one real run of it, by file name.
pub fn logs() -> Option<Vec<(String, String)>> {
    let name = |n: usize| format!("ospert_2017_figure_4_K5000_log{n}.json");
    (1..=4).map(name).map(|name| text(&format!("data/examiner-logs/{name}")).map(|text| (name, text))).collect()
}
