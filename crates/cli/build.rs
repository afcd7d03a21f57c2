//! Says which commit the program is made of.

use std::path::Path;
use std::process::Command;

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn main() {
    // Sources without their history have none.
    let commit = git(&["log", "-1", "--format=%h %cs", "--abbrev=12"]).map_or_else(String::new, |commit| format!(" ({commit})"));
    println!("cargo::rustc-env=BLOCKSTEP_COMMIT={commit}");
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists());
    println!("cargo::rerun-if-changed={}", log.as_deref().unwrap_or("build.rs"));
}
