//! Execution times that vary from job to job (`docs/varying-times.md`).

use std::collections::BTreeMap;

use blockstep_format::{read_scenario, write_scenario};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, Draft, PolicyKind, ProcessDraft, Release, Scenario, TaskDraft};
use blockstep_view::document::Document;
use blockstep_view::table::Table;

fn draft(json: &str) -> Draft {
    read_scenario(json).unwrap()
}

/// `jobs` jobs of a task with one row that takes 1000 to 2000 ns.
fn jobs(seed: u64, jobs: u64) -> Draft {
    draft(&format!(
        r#"{{ "version": 1, "seed": {seed}, "tasks": [ {{ "name": "T", "release": "continuous", "jobs": {jobs} }} ], "horizon_ns": 1000000000,
        "kernels": [ {{ "name": "K", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1000, "block_time_max_ns": 2000 }} ] }}"#
    ))
}

fn run(draft: &Draft) -> Run {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(run.trace.cut(), None);
    run
}

/// How long each block executed in all, by kernel, job and block; those that ended.
fn times(run: &Run) -> BTreeMap<(String, u32, u32), u64> {
    let records = Records::new(&run.trace);
    let time = |i: usize| records.block_runs(i).iter().map(|r| r.end.since(r.start).ns()).sum();
    let ended = (0..records.blocks.len()).filter(|&i| records.blocks[i].end.is_some());
    let of = |i: usize| {
        let b = &records.blocks[i];
        ((run.trace.op_name(b.op), run.trace.op(b.op).job.0, b.block), time(i))
    };
    ended.map(of).collect()
}

#[test]
fn varying_times_lie_between_the_two_stated_and_average_a_quarter() {
    let mut times: Vec<u64> = times(&run(&jobs(0, 10_000))).into_values().collect();
    times.sort_unstable();
    assert_eq!(times.len(), 10_000);
    assert!(times[0] >= 1000 && times[9999] <= 2000, "{} {}", times[0], times[9999]);
    assert!(times[0] == 1000 && times[9999] >= 1999, "both ends are reached or nearly so: {} {}", times[0], times[9999]);
    // The cube of an even number: 1/4 on average, 1/8 in the middle, 0.9 cubed at nine tenths.
    let mean = times.iter().sum::<u64>() / 10_000;
    assert!((1238..=1262).contains(&mean), "{mean}");
    assert!((1110..=1140).contains(&times[5000]), "{}", times[5000]);
    assert!((1700..=1758).contains(&times[9000]), "{}", times[9000]);
}

/// Worked out by hand (with another program) from the formula in the documentation.
#[test]
fn varying_times_are_those_of_the_formula() {
    let of = |seed| times(&run(&jobs(seed, 4))).into_values().collect::<Vec<_>>();
    assert_eq!(of(0), [1002, 1006, 1339, 1033]);
    assert_eq!(of(7), [1226, 1894, 1025, 1001]);
}

#[test]
fn varying_times_do_not_depend_on_the_policy() {
    let mut draft = draft(include_str!("../../../../tests/golden/varying.json"));
    let mut all = Vec::new();
    for kind in PolicyKind::BUILT_IN {
        draft.policy.kind = *kind;
        all.push(times(&run(&draft)));
    }
    for other in &all[1..] {
        let both: Vec<_> = other.keys().filter(|key| all[0].contains_key(*key)).collect();
        assert!(both.len() > 10);
        assert!(both.iter().all(|key| all[0][*key] == other[*key]));
    }
    // One draw for all blocks of a row; another for each row and job.
    let k1 = |job, block| all[0][&("K1".to_owned(), job, block)];
    for job in 0..3 {
        assert_eq!([k1(job, 1) - k1(job, 0), k1(job, 2) - k1(job, 0)], [200, 100]);
    }
    assert!(k1(0, 0) != k1(1, 0) && k1(1, 0) != k1(2, 0));
    assert!(all[0].iter().filter(|((kernel, ..), _)| kernel == "K3").all(|(_, &time)| time == 700));
}

/// A budget that is not given covers the worst case: both rows of A at their greatest, 1300 + 1000.
#[test]
fn varying_default_budgets_are_those_of_the_worst_case() {
    let run = run(&draft(include_str!("../../../../tests/golden/varying.json")));
    assert_eq!(run.trace.budget(blockstep_sim::units::TaskId(0)).ns(), 2300);
}

#[test]
fn varying_below_the_stated_time_is_an_error() {
    let mut draft = jobs(0, 1);
    draft.kernels[0].block_time_max_ns = Some(999);
    let found = Scenario::new(&draft).unwrap_err().to_string();
    assert_eq!(found, "kernels[0].block_time_max_ns is 999 ns; at least 1 µs is needed, the longest time of the row's blocks");
    draft.kernels[0].blocks = 2;
    draft.kernels[0].block_time_ns = BlockTimes::List([5, 2000].into());
    assert!(Scenario::new(&draft).unwrap_err().to_string().contains("at least 2 µs is needed"));
    draft.kernels[0].block_time_max_ns = Some(2000);
    assert!(Scenario::new(&draft).is_ok());
}

#[test]
fn varying_fields_are_read_written_and_edited() {
    let draft = jobs(u64::MAX, 3);
    assert_eq!((draft.seed, draft.kernels[0].block_time_max_ns), (u64::MAX, Some(2000)));
    let text = write_scenario(&draft);
    assert!(text.contains("\"seed\": 18446744073709551615") && text.contains("\"block_time_max_ns\": 2000"), "{text}");
    assert_eq!(read_scenario(&text).unwrap(), draft);

    let mut document = Document::new(draft);
    assert_eq!(document.top_text("seed"), "18,446,744,073,709,551,615");
    document.set_top("seed", "1,234");
    assert_eq!((document.top_text("seed"), document.draft().seed), ("1,234".to_owned(), 1234));
    document.set_top("seed", "");
    assert_eq!(document.draft().seed, 0);
    document.set_top("seed", "-1");
    assert_eq!(document.unreadable().len(), 1);
    let column = Table::Kernels.column_of("block_time_max_ns").unwrap();
    assert_eq!(document.text(Table::Kernels, 0, column), "2 µs");
    document.set(Table::Kernels, 0, column, "3.5 ms");
    assert_eq!(document.draft().kernels[0].block_time_max_ns, Some(3_500_000));
    document.set(Table::Kernels, 0, column, "");
    assert_eq!(document.draft().kernels[0].block_time_max_ns, None);
}

/// Times near the end of what can be represented neither wrap nor panic.
#[test]
fn varying_times_may_be_as_long_as_there_is() {
    let mut draft = jobs(3, 2);
    draft.horizon_ns = None;
    draft.processes = vec![ProcessDraft::named("P0")];
    draft.tasks = vec![TaskDraft { release: Release::Once, ..TaskDraft::named("T") }];
    draft.kernels[0].block_time_ns = BlockTimes::Each(1);
    draft.kernels[0].block_time_max_ns = Some(u64::MAX);
    let time = times(&run(&draft)).into_values().next().unwrap();
    assert!(time > 1 << 32, "{time}");
    draft.policy.kind = PolicyKind::Edf;
    draft.tasks[0].deadline_ns = Some(u64::MAX);
    assert_eq!(engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default()).trace.cut(), None);
}
