//! `blockstep check --resident`: whether an order of arrival hangs.

use super::{TempFile, run, run_reading};

/// A built-in scenario, as a file.
fn example(id: &str) -> TempFile {
    let (status, text, _) = run(&["examples", id]);
    assert_eq!(status, 0);
    TempFile::new(&format!("resident-{id}.json"), text)
}

#[test]
fn resident_a_hang_is_told_with_its_order_and_what_mends_it() {
    let workers = example("spin-workers");
    let (status, out, err) = run(&["check", workers.path(), "--resident"]);
    assert_eq!((status, err.as_str()), (1, ""));
    for line in [
        "It can hang, in this order of arrival (one of 2):",
        "  1. S is launched",
        "  2. W is launched",
        "  W with at most 68 blocks",
        "  W launched before everything else",
        "  W: 128 of 128 alone (the device holds 148), limited by shared memory; 68 beside S",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    assert!(out.contains("This holds for any time"), "{out}");
}

/// The scenario that is written hangs when it is run.
#[test]
fn resident_a_scenario_that_hangs_is_written() {
    let workers = example("spin-workers");
    let hang = TempFile::new("resident-hang.json", "");
    std::fs::remove_file(hang.path()).unwrap();
    assert_eq!(run(&["check", workers.path(), "--resident", "-o", hang.path()]).0, 1);
    let (status, _, err) = run(&["simulate", hang.path()]);
    assert!(status == 0 && err.contains("some work hangs forever: "), "{err}");
}

#[test]
fn resident_without_a_hang_the_answer_counts_orders_and_says_what_it_holds_for() {
    let fits = example("spin-cooperative");
    let (status, out, err) = run(&["check", fits.path(), "--resident"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains(": None of the 6 orders of arrival hangs (") && out.contains("This holds for any time"), "{out}");
}

#[test]
fn resident_is_refused_where_nothing_spins() {
    let (_, text, _) = run(&["examples", "tx2-table-1"]);
    let (status, out, err) = run_reading(text.as_bytes(), &["check", "-", "--resident"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("no kernel has barrier, until_begun, until_all_begun or until_completed"), "{err}");
}
