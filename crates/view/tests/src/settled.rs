//! Scenarios about which the contract was once wrong or silent, in `tests/data/contract`: engine, checker and second simulator agree on
//! what it says now.

use blockstep_format::{read_scenario, write_trace};
use blockstep_sim::engine::Run;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, PolicyKind, Preemption};
use serde_json::Value;

use blockstep_testing::oracle;
use blockstep_testing::stage::{executions, lines, run};

/// Simulates and checks, and compares with the second simulator.
fn settled(draft: &Draft) -> Run {
    let run = run(draft);
    let trace: Value = serde_json::from_str(&write_trace(&run.trace, &Records::new(&run.trace)).unwrap().to_string()).unwrap();
    assert_eq!(trace, oracle::simulate(draft).to_json());
    run
}

macro_rules! case {
    ($name:literal) => {
        read_scenario(include_str!(concat!("../../../../tests/data/contract/", $name, ".json"))).unwrap()
    };
}

#[test]
fn settled_a_step_cites_n2_only_of_what_the_null_stream_barred() {
    let draft = case!("steps-false-n2");
    // K2 waited for its producer, and the NULL stream is another process's.
    assert_eq!(lines(&settled(&draft), &["N2", "G2"]), ["10 G2 K2 -> EE low"]);
    // In one address space it waited for both, and the producer comes first (section 10); without one it is N2.
    let mut draft = draft;
    draft.policy.kind = PolicyKind::Priority;
    assert_eq!(lines(&settled(&draft), &["N2", "G2"]), ["10 G2 K2 -> EE low"]);
    draft.tasks[0].consumes.clear();
    assert_eq!(lines(&settled(&draft), &["N2", "G2"]), ["10 N2 K2 -> EE low"]);
}

#[test]
fn settled_a_drain_that_ends_without_work_is_a_drain() {
    let draft = case!("expiries-drain");
    // P0 never drains under `none`, so its leaving is free.
    let of_none = settled(&draft);
    assert_eq!(executions(&of_none), "A:0 0-100, B:0 100-130");
    assert_eq!(lines(&of_none, &["L3", "S3"]), ["100 L3 P0 left", "130 L3 P1 left"]);
    let mut draft = draft;
    draft.processes[0].preemption = Some(Preemption::Block);
    let of_block = settled(&draft);
    assert_eq!(executions(&of_block), "A:0 0-100, B:0 105-135");
    assert_eq!(lines(&of_block, &["L3", "S3"]), ["100 S3 P0 left", "135 L3 P1 left"]);
}

#[test]
fn settled_jobs_are_listed_by_release_then_by_task() {
    let run = settled(&case!("jobs-order"));
    let jobs = Records::new(&run.trace).jobs;
    let listed: Vec<_> = jobs.iter().map(|j| (j.release.ns(), j.task.0, j.job.0)).collect();
    assert_eq!(listed, [(0, 0, 0), (10, 0, 1), (10, 1, 0)]);
}
