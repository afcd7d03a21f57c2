//! What once was costly beyond its size: of each, the work of a whole run, which depends on no clock, is bounded by its steps and entries.

use blockstep_format::{self as format, ImportOptions};
use blockstep_sim::scenario::{Draft, Layout, PolicyKind, Scenario};

use super::{config, processes, shape, work};

/// Whatever there is much of, a step and an entry cost so much at most.
fn is_bounded(name: &str, draft: &Draft, most: u64) {
    let (work, steps) = work(draft);
    let all = steps as u64 + draft.size();
    assert!(work < most * all, "{name}: {work} units for {steps} steps of {} entries", draft.size());
}

#[test]
fn hostile_listed_runs_cost_what_they_hold() {
    for (name, size, most) in [
        ("producers in a chain, one process", 3_000, 8),
        ("producers in a chain, each with an earlier deadline", 3_000, 12),
        ("producers in a chain, a process each, with servers", 3_000, 12),
        ("dependencies of tasks that each consume all before them", 700 * 700 / 2, 8),
        ("tasks of one process with servers under edf", 20_000, 8),
        ("processes with servers under edf", 20_000, 8),
        ("consumers behind each other's events", 3_000, 12),
        ("consumers in shared connections", 3_000, 12),
    ] {
        is_bounded(name, &shape(name)(size), most);
    }
}

/// A stream is there for each row's, and not for each process.
#[test]
fn hostile_listed_layouts_hold_what_is_used() {
    let draft = processes(PolicyKind::Edf, 3_000, 2);
    let scenario = Scenario::new(&draft).unwrap();
    for layout in [Layout::per_channel(&scenario), Layout::shared(&scenario)] {
        assert!(layout.streams().len() as u64 <= draft.size(), "{}", layout.streams().len());
    }
    is_bounded("processes with a stream each", &draft, 20);
}

#[test]
fn hostile_listed_configs_become_what_they_hold() {
    let draft = format::open(&config(2_000, 1, ""), &ImportOptions::default()).unwrap().draft;
    assert!(draft.size() < 5 * 2_000, "{}", draft.size());
    is_bounded("2,000 benchmarks", &draft, 20);
}
