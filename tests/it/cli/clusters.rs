//! The shell lines of `docs/clusters.md`, as they stand there. What Slurm and Kubernetes would run on other machines is run here.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use super::run;

/// In place of Slurm's: it runs the command once for each number of the array.
const SBATCH: &str = r#"#!/bin/sh
[ "$1" = --array=1-64 ] && [ "$2" = --wrap ] && [ $# = 3 ] || exit 1
for i in $(seq 64); do SLURM_ARRAY_TASK_ID=$i sh -c "$3" || exit; done
"#;

/// The first block of a section.
fn shown(heading: &str) -> String {
    let guide = fs::read_to_string(Path::new(blockstep_testing::ROOT).join("docs/clusters.md")).unwrap();
    let (_, section) = guide.split_once(&format!("\n## {heading}\n")).unwrap();
    let block = section.lines().skip_while(|line| !line.starts_with("    ")).take_while(|line| line.starts_with("    "));
    block.map(|line| format!("{}\n", &line[4..])).collect()
}

/// What shell lines leave in `all.csv`, in a folder with a study whose whole comes, too.
fn joined_and_whole(lines: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let (status, own, _) = run(&["sweep", "lp-3", "--sets", "70", "--print"]);
    assert_eq!(status, 0);
    fs::write(folder.path().join("own.json"), own).unwrap();
    let sbatch = folder.path().join("sbatch");
    fs::write(&sbatch, SBATCH).unwrap();
    fs::set_permissions(&sbatch, fs::Permissions::from_mode(0o755)).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_blockstep")).parent().unwrap();
    let path = format!("{}:{}:{}", folder.path().display(), program.display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh").args(["-ec", lines]).current_dir(&folder).env("PATH", path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let all = fs::read_to_string(folder.path().join("all.csv")).unwrap();
    (all, run(&["sweep", folder.path().join("own.json").to_str().unwrap(), "--csv"]).1)
}

#[test]
fn clusters_gnu_parallel() {
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|output| output.stdout.starts_with(b"GNU parallel")) {
        println!("skipped: GNU parallel is not installed");
        return;
    }
    let (joined, whole) = joined_and_whole(&shown("GNU parallel"));
    assert_eq!(joined, whole);
}

#[test]
fn clusters_slurm() {
    let (joined, whole) = joined_and_whole(&shown("Slurm"));
    assert_eq!(joined, whole);
}

#[test]
fn clusters_kubernetes() {
    let job = shown("Kubernetes");
    assert!(job.contains("\n  completions: 64\n"), "{job}");
    let command = job.lines().find_map(|line| line.trim().strip_prefix("- blockstep ")).unwrap();
    let (joined, whole) = joined_and_whole(&format!(
        "for i in $(seq 0 63); do JOB_COMPLETION_INDEX=$i sh -c 'blockstep {command}'; done\nblockstep sweep-merge part-*.csv > all.csv"
    ));
    assert_eq!(joined, whole);
}
