//! Requests as tables: a run is told of them in their order, and decides as the search does.

use blockstep_policy::examples::find;
use blockstep_policy::{Program, TaskNumber};
use blockstep_search::{PolicyTable, Verdict, Walk};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::scenario::Scenario;
use blockstep_sim::trace::Change;
use blockstep_testing::arbitrary::cases;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::search::{judged_examples, searched};

/// The tasks that the run of a table has admitted after each of its decisions.
fn admitted(table: &PolicyTable) -> Vec<u64> {
    let run = simulate(&Scenario::new(&table.draft).unwrap(), Limits::default());
    let decisions = run.trace.steps().iter().filter_map(|step| match step.change {
        Change::PolicyTold { decision } => Some(run.trace.made(decision).decision.admitted.0),
        _ => None,
    });
    decisions.collect()
}

/// GCAPS as printed loses B in a run as in the search.
#[test]
fn table_of_the_first_fault_of_gcaps() {
    let text = find("gcaps").unwrap().text;
    let program = Program::new(text).unwrap();
    let walk = Walk::new(&program, "+A +B -A", 2);
    let table = walk.table(text, 3).unwrap();
    assert_eq!(table.at.ns(), 2_000_000);
    assert_eq!(admitted(&table), [0b01, 0b11, 0]);
    let run = simulate(&Scenario::new(&table.draft).unwrap(), Limits::default());
    let end = |name: &str| {
        run.trace.text().lines().any(|line| line.contains(&format!(" J2 {name}")) || line.contains(&format!("J2 task {name}")))
    };
    assert!(!end("B"), "B never completes: {}", run.trace.text());
}

/// Every fault that a search of three tasks finds has a table, in whose run each decision is that of the search.
#[test]
fn table_of_every_fault() {
    let (mut faults, mut found) = (0, 0);
    for example in judged_examples() {
        let program = Program::new(example.text).unwrap();
        for finding in searched(&program, 3).findings {
            let Verdict::Fault(fault) = finding.verdict else { continue };
            let requests = fault.requests(&program);
            let walk = Walk::new(&program, &requests, 1);
            let table = walk.table(example.text, walk.len());
            faults += 1;
            let Some(table) = table else { continue };
            found += 1;
            for (step, admitted) in admitted(&table).into_iter().enumerate().take(walk.len()) {
                assert_eq!(admitted, walk.admitted(step + 1).0, "{}: {requests}, {}", example.id, step + 1);
            }
        }
    }
    assert!(found == faults && faults >= 20, "{found} of {faults}");
}

/// Deadlines stand in the order in which the search has the jobs due, whatever each task's are relative to.
#[test]
fn table_of_deadlines() {
    let text = find("edf").unwrap().text;
    let program = Program::new(text).unwrap();
    let table = |requests: &str| {
        let walk = Walk::new(&program, requests, 1);
        assert!(walk.mistake().is_none(), "{:?}", walk.mistake());
        walk.table(text, walk.len())
    };
    let due = |requests: &str| {
        let draft = table(requests).unwrap().draft;
        draft.tasks.iter().map(|task| task.deadline_ns.map(|due| (task.offset_ns + due) / 1_000_000)).collect::<Vec<_>>()
    };
    assert_eq!(due("+A1 +B1<A +C1=A"), [Some(8), Some(7), Some(8)], "none before the end, 6 ms");
    assert_eq!(due("+A +B1"), [None, Some(6)], "best effort has none");
    // B's second job would have to be due after A's second, as B's first is due before A's first: one of them has another distance.
    assert_eq!(table("+A1 +B1<A -B -A +A1 +B1>A"), None);
    assert!(table("+A1 +B1<A -B -A +A1 +B1<A").is_some());
}

/// Periods fall with priorities, also where one follows from the requests.
#[test]
fn table_of_periods() {
    let text = find("rate-monotonic").unwrap().text;
    let program = Program::new(text).unwrap();
    let periods = |requests: &str| {
        let walk = Walk::new(&program, requests, 1);
        let draft = walk.table(text, walk.len())?.draft;
        Some(draft.tasks.iter().map(|task| task.period_ns.map(|period| period / 1000)).collect::<Vec<_>>())
    };
    assert_eq!(periods("+A1 +B2 +C"), Some(vec![Some(12_000), Some(6_000), None]));
    assert_eq!(periods("+A1 -A +B2 +A1 +C3"), Some(vec![Some(3_000), Some(2_250), Some(1_500)]));
}

proptest! {
    #![proptest_config(cases(300))]

    /// The engine decides on random requests as the search does.
    #[test]
    fn table_of_random_requests(example in prop::sample::select(judged_examples()), places in prop::collection::vec(any::<Index>(), 1..9), ranks in prop::collection::vec(0..3_u8, 4)) {
        let text = example.text;
        let program = Program::new(text).unwrap();
        let mut words: Vec<String> = Vec::new();
        for place in places {
            let walk = Walk::new(&program, &words.join(" "), 4);
            let mut next: Vec<String> = Vec::new();
            for (task, rank) in (0..4_u8).zip(&ranks) {
                let (name, digit) = (walk.name(TaskNumber(task)).chars().next().unwrap(), if *rank == 0 { String::new() } else { rank.to_string() });
                next.extend(walk.may(TaskNumber(task), true).then(|| format!("+{name}{digit}")));
                next.extend(walk.may(TaskNumber(task), false).then(|| format!("-{name}{digit}")));
            }
            next.extend(walk.may_tick().then(|| "tick".to_owned()));
            if next.is_empty() {
                break;
            }
            words.push(place.get(&next).clone());
        }
        let walk = Walk::new(&program, &words.join(" "), 4);
        prop_assume!(walk.mistake().is_none());
        if let Some(table) = walk.table(text, walk.len()) {
            for (step, admitted) in admitted(&table).into_iter().enumerate().take(walk.len()) {
                prop_assert_eq!(admitted, walk.admitted(step + 1).0, "{}: {:?}, {}", example.id, words, step + 1);
            }
        }
    }
}
