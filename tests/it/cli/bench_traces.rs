//! The benchmark of traces in `bench/traces`: its labels, its scorer and the scores in `docs/trace-benchmark.md` agree.

use std::process::Command;

#[test]
fn benchmark_of_traces_scores_as_documented() {
    let is_new_enough = "import sqlite3, sys; sys.exit(sys.version_info < (3, 9))";
    if !Command::new("python3").args(["-c", is_new_enough]).output().is_ok_and(|outcome| outcome.status.success()) {
        println!("skipped: there is no Python 3.9 or later with SQLite");
        return;
    }
    let script = format!("{}/bench/traces/test.py", blockstep_testing::ROOT);
    let outcome = Command::new("python3").args(["-B", &script, env!("CARGO_BIN_EXE_blockstep")]).output().unwrap();
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
}
