//! Workloads of batches on the command line.

use blockstep_batch::cases::{ASSUMED, CASES};
use blockstep_cli::run_with;
use blockstep_format::{BatchFile, write_batch};

fn run(text: &str, args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("blockstep").chain(args.iter().copied());
    let status = run_with(args, &mut text.as_bytes(), &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn batch_workloads_are_checked_and_not_taken_for_scenarios() {
    let text = write_batch(&BatchFile::new(CASES[0].workload(&ASSUMED), CASES[0].arch));
    let (status, out, err) = run(&text, &["check", "-"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(out, "standard input: a workload for batch schedulers without mistakes, 2 tasks, on Kepler (Tesla K20c)\n");
    let (status, out, err) = run(&text.replace("\"kernel_ns\": 4000000", "\"kernel_ns\": 0"), &["check", "-"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("tasks[0].kernel_ns is 0; it must lie between 1 and 1000000000000") && err.lines().count() == 1, "{err}");
    for command in ["simulate", "analyse"] {
        let (status, out, err) = run(&text, &[command, "-"]);
        assert_eq!((status, out.as_str()), (2, ""));
        assert!(err.contains("a workload for batch schedulers") && err.lines().count() == 1, "{command}: {err}");
    }
}
