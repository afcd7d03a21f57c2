//! What the papers leave open: ties within an instant (docs/semantics.md, section 4), dependencies (8), and
//! how a run ends (9).

use super::*;

// ---- Section 4: one instant ----

#[test]
fn ties_completions_in_order_of_assignment() {
    // K1 is assigned later than K2 and ends with it; its copy is queued later, though it is row 0.
    let run = run(&draft(vec![copies(0, 10, kernel("K1", "S1", 5, 1, 32, 5)), copies(0, 10, kernel("K2", "S2", 0, 1, 32, 10))]));
    assert_eq!(["C2o", "C1o"].map(|c| start(&run, c)), [Some(10), Some(20)]);
}

#[test]
fn ties_copies_and_blocks_share_one_assignment_counter() {
    // At 0 the copy is assigned before the block, so at 10 it completes before it; at 20 it is the other way round.
    let run = run(&draft(vec![
        copies(10, 0, kernel("K1", "S1", 0, 1, 32, 10)),
        kernel("K2", "S2", 0, 1, 32, 10),
        kernel("K3", "S2", 0, 1, 32, 10),
    ]));
    let at_10 = steps_at(&run, 10);
    assert_eq!(at_10[..4], ["C4 C1i <- CE0 and stream S1", "G2 K1 -> EE low", "B1 K2:0 <- SM0", "G4 K2 <- stream S2"]);
    let later = vec![kernel("K1", "S1", 0, 1, 32, 10), copies(5, 0, kernel("K2", "S2", 5, 1, 32, 5))];
    assert_eq!(steps_at(&self::run(&draft(later)), 10)[..3], ["B1 K1:0 <- SM0", "G4 K1 <- stream S1", "C4 C2i <- CE0 and stream S2"]);
}

#[test]
fn ties_promotion_follows_each_single_completion() {
    // Both kernels end at 10. K1's successor in S1 is row 3, K2's row 2: the first completion promotes first.
    let rows = vec![
        kernel("K1", "S1", 0, 1, 32, 10),
        kernel("K2", "S2", 0, 1, 32, 10),
        kernel("K3", "S2", 1, 1, 32, 10),
        kernel("K4", "S1", 2, 1, 32, 10),
    ];
    let at_10 = steps_at(&run(&draft(rows)), 10);
    let joins: Vec<_> = at_10.iter().filter(|s| s.contains("-> EE")).collect();
    assert_eq!(joins, ["G2 K4 -> EE low", "G2 K3 -> EE low"]);
}

#[test]
fn ties_heads_that_become_eligible_together_are_promoted_in_issue_order() {
    // K1, on the NULL stream, holds back K2 (stream S9) and K3 (stream S1); streams are listed the other way round.
    let mut scenario = draft(vec![kernel("K1", "NULL", 0, 1, 32, 10), kernel("K2", "S9", 1, 1, 32, 5), kernel("K3", "S1", 2, 1, 32, 5)]);
    scenario.streams = ["S1", "S9"]
        .map(|s| StreamDraft { process: None, name: s.to_owned(), priority: StreamPriority::None, non_blocking: false })
        .to_vec();
    let joins: Vec<_> = steps_at(&run(&scenario), 10).into_iter().filter(|s| s.contains("-> EE")).collect();
    assert_eq!(joins, ["N2 K2 -> EE low", "N2 K3 -> EE low"]);
}

#[test]
fn ties_issue_order_is_row_then_kind_then_job() {
    // All at 10: the first row of B's second job, both rows of A, the last row of B's first job.
    let mut scenario = draft(vec![
        of_task("B", kernel("K1", "S1", 0, 1, 32, 1)),
        of_task("A", copies(1, 0, kernel("K2", "S2", 10, 1, 32, 1))),
        of_task("A", kernel("K3", "S3", 10, 1, 32, 1)),
        of_task("B", kernel("K4", "S4", 10, 1, 32, 1)),
    ]);
    scenario.tasks = vec![TaskDraft::named("A"), periodic("B", 10, 3)];
    let run = run(&scenario);
    let issued = |ns| steps_at(&run, ns).into_iter().filter(|s| s.starts_with("G1")).collect::<Vec<_>>();
    let expected = ["G1 K1#1 -> stream S1", "G1 C2i -> stream S2", "G1 K2 -> stream S2", "G1 K3 -> stream S3", "G1 K4#0 -> stream S4"];
    assert_eq!(issued(10), expected);
}

#[test]
fn ties_the_row_comes_before_the_job() {
    // At 10, job 1 issues its first row and job 0 its second.
    let mut scenario = draft(vec![kernel("K1", "S1", 0, 2, 32, 5), kernel("K3", "S3", 10, 1, 32, 1)]);
    scenario.tasks = vec![periodic("A", 10, 2)];
    let run = run(&scenario);
    let at_10: Vec<_> = steps_at(&run, 10).into_iter().filter(|s| s.starts_with("G1")).collect();
    assert_eq!(at_10, ["G1 K1#1 -> stream S1", "G1 K3#0 -> stream S3"]);
}

#[test]
fn ties_releases_in_task_order_before_issues() {
    let mut scenario = draft(vec![of_task("B", kernel("K1", "S1", 0, 1, 32, 1)), of_task("A", kernel("K2", "S2", 0, 1, 32, 1))]);
    scenario.tasks = vec![TaskDraft::named("A"), TaskDraft::named("B")];
    let at_0 = steps_at(&run(&scenario), 0);
    assert_eq!(at_0[..5], ["J1 released A#0", "J1 released B#0", "G1 K1 -> stream S1", "G2 K1 -> EE low", "G1 K2 -> stream S2"]);
}

#[test]
fn ties_a_continuous_task_goes_on_in_the_same_instant() {
    let mut scenario = draft(vec![kernel("K1", "S1", 0, 1, 32, 10)]);
    scenario.tasks = vec![TaskDraft { release: Release::Continuous, jobs: Some(2), ..TaskDraft::named("A") }];
    scenario.horizon_ns = Some(100);
    let run = run(&scenario);
    assert_eq!(
        steps_at(&run, 10),
        [
            "B1 K1#0:0 <- SM0",
            "G4 K1#0 <- stream S1",
            "J2 completed A#0",
            "J1 released A#1",
            "G1 K1#1 -> stream S1",
            "G2 K1#1 -> EE low",
            "R1 K1#1:0 -> SM0",
            "G3 K1#1 <- EE low"
        ]
    );
    assert_eq!(steps_at(&run, 20).last().unwrap(), "J2 completed A#1", "two jobs and no more");
}

/// A block's assignment cites what was decisive: what its kernel waited for until then, or else that its needs are met.
#[test]
fn ties_an_assignment_cites_what_held_the_block_back() {
    let assigned = |run: &Run| -> Vec<String> {
        let steps = run.trace.steps().iter().filter(|s| matches!(s.change, blockstep_sim::trace::Change::BlockAssigned { .. }));
        steps.map(|s| format!("{} {} {}", s.at, s.rule.id(), run.trace.op_label(s.change.op().unwrap()))).collect()
    };
    // K1's blocks find room at once, but for one that lacks threads; K2 waits behind it; K3's lack shared memory.
    let shared = |k: KernelDraft| KernelDraft { shared_memory_bytes: 40 << 10, ..k };
    let rows = vec![kernel("K1", "S1", 0, 5, 1024, 10), kernel("K2", "S2", 0, 1, 1024, 1), shared(kernel("K3", "S3", 20, 3, 32, 5))];
    let run_ = run(&draft(rows));
    let expected = ["0 R1 K1", "0 R1 K1", "0 R1 K1", "0 R1 K1", "10 R2 K1", "10 X1 K2", "20 R1 K3", "20 R1 K3", "25 R3 K3"];
    assert_eq!(assigned(&run_), expected);
    // Registers and slots are R1.
    let most = KernelDraft { registers_per_thread: 32, ..kernel("K1", "S1", 0, 5, 1024, 10) };
    assert_eq!(assigned(&run(&draft(vec![most])))[4], "10 R2 K1", "threads come first");
    let most = KernelDraft { registers_per_thread: 255, ..kernel("K1", "S1", 0, 9, 128, 10) };
    assert_eq!(assigned(&run(&draft(vec![most])))[4], "10 R1 K1");
    // H goes before L, which has waited for it (A2); what H itself waited for are threads, but that it is before L is A2.
    let mut both = draft(vec![kernel("L", "low", 1, 1, 1024, 1), kernel("H", "high", 1, 5, 1024, 10)]);
    both.kernels.insert(0, kernel("K", "high", 0, 4, 1024, 5));
    both.streams.push(StreamDraft { process: None, name: "high".to_owned(), priority: StreamPriority::High, non_blocking: false });
    let cited = assigned(&run(&both));
    assert_eq!(cited[4..], ["5 A2 H", "5 A2 H", "5 A2 H", "5 A2 H", "15 A2 H", "15 A2 L"]);
}

#[test]
fn ties_an_after_row_counts_from_the_last_copy_of_the_row_before() {
    let rows = vec![
        copies(1, 4, kernel("K1", "S1", 0, 1, 32, 10)),
        after("K1", kernel("K2", "S2", 0, 1, 32, 1)),
        after("K1", kernel("K3", "S3", 7, 1, 32, 1)),
    ];
    let run = run(&draft(rows));
    assert_eq!([start(&run, "K2"), start(&run, "K3")], [Some(15), Some(22)]);
}

#[test]
fn ties_copies_are_assigned_before_blocks_and_input_before_output() {
    let device = DeviceDraft::Custom(Device { copy_engines: 2, ..device() });
    let rows = vec![
        copies(0, 5, kernel("K1", "S1", 0, 1, 32, 10)),
        kernel("K2", "S2", 10, 1, 32, 1),
        copies(5, 0, kernel("K3", "S3", 10, 1, 32, 1)),
    ];
    let at_10 = steps_at(&run(&Draft { device, ..draft(rows) }), 10);
    let assigned: Vec<_> = at_10.iter().filter(|s| s.starts_with("C2") || s.starts_with("R1")).collect();
    assert_eq!(assigned, ["C2 C3i -> CE0", "C2 C1o -> CE1", "R1 K2:0 -> SM0"]);
}

// ---- Section 8: dependencies ----

#[test]
fn consumers_wait_for_the_job_of_the_same_number() {
    let mut scenario =
        draft(vec![of_task("use", kernel("K1", "S1", 0, 1, 32, 1)), of_task("make", copies(0, 3, kernel("K2", "S2", 0, 1, 32, 5)))]);
    scenario.tasks = vec![TaskDraft { consumes: vec!["make".to_owned()], ..periodic("use", 10, 3) }, periodic("make", 20, 2)];
    scenario.horizon_ns = Some(100);
    let run = run(&scenario);
    assert_eq!(["K1#0", "K1#1", "K1#2"].map(|k| start(&run, k)), [Some(8), Some(28), None], "job 2 of the producer never comes");
    assert_eq!(run.trace.scenario().warnings().len(), 1);
}

#[test]
fn a_job_without_rows_completes_at_its_release_and_frees_its_consumers() {
    let mut scenario = draft(vec![of_task("use", kernel("K1", "S1", 0, 1, 32, 1))]);
    scenario.tasks = vec![
        TaskDraft { consumes: vec!["tick".to_owned()], ..TaskDraft::named("use") },
        TaskDraft { offset_ns: 7, ..TaskDraft::named("tick") },
    ];
    assert_eq!(start(&run(&scenario), "K1"), Some(7));
}

// ---- Section 9: the end ----

#[test]
fn end_without_recurring_tasks_is_the_last_event() {
    assert_eq!(run(&draft(vec![kernel("K1", "S1", 3, 1, 32, 10)])).trace.end(), Time(13));
    assert_eq!(run(&draft(vec![])).trace.end(), Time(0));
}

#[test]
fn end_at_a_given_horizon_even_after_all_is_done() {
    let ends = |horizon_ns| run(&Draft { horizon_ns, ..draft(vec![kernel("K1", "S1", 3, 1, 32, 10)]) }).trace.end();
    assert_eq!([ends(Some(5)), ends(Some(500))], [Time(5), Time(500)]);
}

#[test]
fn end_of_the_horizon_is_applied_whole_and_what_runs_has_no_end() {
    let rows = vec![kernel("K1", "S1", 0, 1, 32, 10), kernel("K2", "S1", 0, 1, 32, 10), kernel("K3", "S3", 10, 1, 32, 1)];
    let run = run(&Draft { horizon_ns: Some(10), ..draft(rows) });
    let records = Records::new(&run.trace);
    let lives: Vec<_> = records.ops.iter().map(|op| (op.start.map(Time::ns), op.end.map(Time::ns))).collect();
    assert_eq!(lives, [(Some(0), Some(10)), (Some(10), None), (Some(10), None)]);
    assert!(records.block_runs(1).is_empty(), "no interval of positive length");
}

#[test]
fn end_by_default_is_the_least_common_multiple_and_the_largest_offset() {
    let end = |periods: &[u64], offset_ns| {
        let mut scenario = draft(vec![of_task("last", kernel("K1", "S1", 0, 1, 32, 1))]);
        scenario.tasks = periods.iter().enumerate().map(|(i, &p)| periodic(&format!("T{i}"), p, 1)).collect();
        scenario.tasks.push(TaskDraft { offset_ns, ..TaskDraft::named("last") });
        run(&scenario).trace.end().ns()
    };
    assert_eq!(end(&[4, 6], 3), 15);
    assert_eq!(end(&[97, 101], 0), 20 * 101, "the least common multiple, 9797, is more than 20 of the longest");
}

#[test]
fn end_comes_when_nothing_more_can_happen_and_what_waits_keeps_no_times() {
    // The producer's only job stands behind its consumer's kernel in S1, which waits for it.
    let mut scenario = draft(vec![of_task("use", kernel("K1", "S1", 0, 1, 32, 1)), of_task("make", kernel("K2", "S1", 1, 1, 32, 5))]);
    scenario.tasks = vec![TaskDraft { consumes: vec!["make".to_owned()], ..TaskDraft::named("use") }, TaskDraft::named("make")];
    let run = run(&scenario);
    assert_eq!(run.trace.end(), Time(1));
    assert!(Records::new(&run.trace).ops.iter().all(|op| op.queued.is_none() && op.start.is_none() && op.end.is_none()));
}

#[test]
fn deadlines_are_judged_at_the_end() {
    // Jobs are released at 0, 10 and 20 and take 8 each, so the third is open at the horizon.
    let mut scenario = draft(vec![kernel("K1", "S1", 0, 1, 32, 8)]);
    scenario.tasks = vec![TaskDraft { deadline_ns: Some(8), ..periodic("A", 10, 3) }];
    let met = |horizon, deadline| {
        let mut s = scenario.clone();
        (s.horizon_ns, s.tasks[0].deadline_ns) = (Some(horizon), Some(deadline));
        Records::new(&run(&s).trace).jobs.iter().map(|j| j.met).collect::<Vec<_>>()
    };
    assert_eq!(met(24, 8), [Some(true), Some(true), None]);
    assert_eq!(met(24, 7), [Some(false), Some(false), None]);
    assert_eq!(met(24, 4), [Some(false), Some(false), Some(false)], "24 is the run's end");
    assert_eq!(met(25, 4), [Some(false), Some(false), Some(false)]);
    assert_eq!(met(28, 8), [Some(true), Some(true), Some(true)], "what completes at the run's end is complete");
    assert_eq!(met(27, 7), [Some(false), Some(false), Some(false)]);
}

/// Sections 1 and 9: what ends past 64 bits needs no time where a horizon cuts it off; without one it is an error.
#[test]
fn ends_past_the_last_instant_are_cut_off_by_a_horizon() {
    let rows = || vec![copies(5, u64::MAX, kernel("K1", "S1", 0, 1, 32, 10)), kernel("K2", "S2", 20, 1, 32, u64::MAX)];
    let endless = Draft { horizon_ns: Some(100), ..draft(rows()) };
    let records = Records::new(&run(&endless).trace);
    assert_eq!(records.blocks.iter().map(|b| b.end.map(|t| t.ns())).collect::<Vec<_>>(), [Some(15), None]);
    assert_eq!(records.copies.iter().map(|c| c.end.map(|t| t.ns())).collect::<Vec<_>>(), [Some(5), None]);
    let ends = engine::simulate(&Scenario::new(&draft(rows())).unwrap(), Limits::default());
    assert!(matches!(ends.trace.cut(), Some(blockstep_sim::trace::Cut::TimeOverflow { .. })), "{:?}", ends.trace.cut());
}
