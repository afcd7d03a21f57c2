//! `blockstep check --resident`: whether an order of arrival hangs.

use serde_json::Value;

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
        "The smallest table that hangs has 1 SM, 1 block of S and 1 block of W.",
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

/// The report as JSON holds scenarios: those that hang do, and the changed ones do not.
#[test]
fn resident_the_report_is_there_as_json() {
    let workers = example("spin-workers");
    let (status, out, err) = run(&["check", workers.path(), "--resident", "--format", "json"]);
    assert_eq!((status, err.as_str()), (1, ""));
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((report["version"].as_u64(), report["verdict"].as_str(), report["orders"].as_u64()), (Some(1), Some("hangs"), Some(2)));
    assert_eq!(report["hang"]["arrivals"][0]["text"], "S is launched");
    assert_eq!(report["repairs"][1]["blocks"], 68);
    assert_eq!(report["residents"][1]["beside"][0]["resident"], 68);
    let of = |scenario: &Value| TempFile::new("resident-part.json", scenario.to_string());
    for hang in ["hang", "smallest"] {
        let (status, _, err) = run(&["simulate", of(&report[hang]["scenario"]).path()]);
        assert!(status == 0 && err.contains("some work hangs forever: "), "{hang}: {err}");
    }
    for repair in report["repairs"].as_array().unwrap().iter().filter(|repair| !repair["scenario"].is_null()) {
        assert_eq!(run(&["check", of(&repair["scenario"]).path(), "--resident"]).0, 0, "{repair}");
    }
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

/// The theorem on the runlist does not cover blocks that spin, so no run under it is needed, which might have no end.
#[test]
fn resident_examples_are_put_to_the_tests_of_schedulability() {
    for id in ["spin-barrier", "spin-workers", "spin-cooperative"] {
        let (_, text, _) = run(&["examples", id]);
        let (status, out, err) = run_reading(text.as_bytes(), &["analyse", "-"]);
        assert_eq!((status, err.as_str()), (0, ""), "{id}");
        assert!(out.contains("no bound."), "{id}: {out}");
    }
}
