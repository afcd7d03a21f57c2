//! Policy `runlist`, rule by rule, on schedules worked out by hand (docs/semantics.md, section 6).

use blockstep_format::write_trace;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyKind, Preemption, Scenario, TaskDraft};
use blockstep_view::sentence::sentence;
use serde_json::Value;

use blockstep_testing::stage::{executions, lines, run, stage, stays, work};

fn runlist(names: &[&str], kernels: Vec<KernelDraft>) -> Draft {
    Draft { kernels, ..stage(PolicyKind::Runlist, names) }
}

fn slices(mut draft: Draft, timeslice_ns: u64) -> Draft {
    draft.processes.iter_mut().for_each(|p| p.timeslice_ns = timeslice_ns);
    draft
}

fn with(mut draft: Draft, preemption: Preemption) -> Draft {
    draft.processes.iter_mut().for_each(|p| p.preemption = Some(preemption));
    draft
}

fn cost(mut draft: Draft, switch_cost_ns: u64) -> Draft {
    draft.policy.switch_cost_ns = switch_cost_ns;
    draft
}

#[test]
fn runlist_two_high_and_two_medium_are_served_as_in_figure_1() {
    let kernels = ["H1", "H2", "M1", "M2"].map(|p| work(&format!("K{p}"), &p.to_lowercase(), 0, 4)).to_vec();
    let run = run(&slices(runlist(&["H1", "H2", "M1", "M2"], kernels), 2));
    // The two high processes are done after two slices each; M1 and M2 share the rest.
    assert_eq!(stays(&run), "H1 0-2, H2 2-4, M1 4-6, H1 6-8, H2 8-10, M2 10-12, M1 12-14, M2 14-16");
    assert_eq!(executions(&run), "KH1:0 0-2 6-8, KH2:0 2-4 8-10, KM1:0 4-6 12-14, KM2:0 10-12 14-16");
    let json: Value = serde_json::from_str(&write_trace(&run.trace, &Records::new(&run.trace)).unwrap().to_string()).unwrap();
    assert_eq!(json["runlist"], serde_json::json!(["H1", "H2", "M1", "H1", "H2", "M2"]));
    assert_eq!(json["residency"][2], serde_json::json!({ "process": "M1", "start_ns": 4, "end_ns": 6 }));
}

#[test]
fn runlist_an_arrival_just_after_its_entry_was_checked_waits_for_the_next_one() {
    let kernels = vec![work("K1", "h1", 1, 2), work("K2", "h2", 0, 9), work("K3", "m1", 0, 9)];
    let run = run(&slices(runlist(&["H1", "H2", "M1"], kernels), 3));
    assert_eq!(lines(&run, &["L1"])[..3], ["0 L1 runlist entry 1 H2", "3 L1 runlist entry 2 M1", "6 L1 runlist entry 0 H1"]);
    assert_eq!(executions(&run), "K2:0 0-3 8-11 14-17, K3:0 3-6 11-14 17-20, K1:0 6-8");
}

#[test]
fn runlist_low_processes_come_once_a_round() {
    let kernels = ["H1", "M1", "L1"].map(|p| work(&format!("K{p}"), &p.to_lowercase(), 0, 4)).to_vec();
    let run = run(&slices(runlist(&["L1", "M1", "H1"], kernels), 1));
    // H1 M1 H1 L1.
    assert_eq!(stays(&run), "H1 0-1, M1 1-2, H1 2-3, L1 3-4, H1 4-5, M1 5-6, H1 6-7, L1 7-8, M1 8-9, L1 9-10, M1 10-11, L1 11-12");
}

#[test]
fn runlist_thread_preemption_suspends_at_once() {
    let mut kernels = vec![work("K1", "a", 0, 6), work("K2", "b", 0, 3)];
    kernels[0].copy_out_bytes = 5;
    let run = run(&runlist(&["A", "B"], kernels));
    assert_eq!(executions(&run), "K1:0 0-4 7-9, K2:0 4-7, C1o 9-14");
}

#[test]
fn runlist_block_preemption_drains() {
    // Four of K1's blocks fit at a time; the timeslice ends at 4, the first four blocks at 6.
    let k1 = KernelDraft { blocks: 6, threads_per_block: 1024, ..work("K1", "a", 0, 6) };
    let run = run(&with(runlist(&["A", "B"], vec![k1, work("K2", "b", 0, 3)]), Preemption::Block));
    assert_eq!(executions(&run), "K1:0 0-6, K1:1 0-6, K1:2 0-6, K1:3 0-6, K2:0 6-9, K1:4 9-15, K1:5 9-15");
    assert_eq!(lines(&run, &["L2", "S3"]), ["4 L2 A draining", "6 S3 A left"]);
}

#[test]
fn runlist_a_process_that_runs_nothing_has_nothing_to_drain() {
    // K1's first four blocks end with the timeslice, and the others are not assigned any more.
    let k1 = KernelDraft { blocks: 6, threads_per_block: 1024, ..work("K1", "a", 0, 4) };
    let run = run(&with(runlist(&["A", "B"], vec![k1, work("K2", "b", 0, 3)]), Preemption::Block));
    assert_eq!(stays(&run), "A 0-4, B 4-7, A 7-11");
    assert_eq!(lines(&run, &["L2", "S3"]), ["4 L2 A left"]);
}

#[test]
fn runlist_a_drain_is_not_called_off() {
    // A drains from 4 on; B, for whom it does, cannot have gone when it ends, and neither A's own
    // new work nor another timeslice (at 8) changes anything before K1 ends at 10.
    let kernels = vec![work("K1", "a", 0, 10), work("K3", "a", 5, 2), work("K2", "b", 2, 3)];
    let run = run(&with(runlist(&["A", "B"], kernels), Preemption::Block));
    assert_eq!(executions(&run), "K1:0 0-10, K2:0 10-13, K3:0 13-15");
}

#[test]
fn runlist_without_preemption_a_process_stays_until_it_has_no_work() {
    let kernels = vec![work("K1", "a", 0, 10), work("K3", "a", 5, 7), work("K2", "b", 0, 3)];
    let run = run(&with(runlist(&["A", "B"], kernels), Preemption::None));
    assert_eq!(stays(&run), "A 0-12, B 12-15");
}

#[test]
fn runlist_an_expiry_that_nobody_waits_for_begins_another_timeslice() {
    // B has work from 5 on; A's timeslices end at 4, which nobody notices, and at 8.
    let run = run(&runlist(&["A", "B"], vec![work("K1", "a", 0, 10), work("K2", "b", 5, 1)]));
    assert_eq!(stays(&run), "A 0-8, B 8-9, A 9-11");
}

#[test]
fn runlist_work_issued_at_the_expiry_counts() {
    let run = run(&runlist(&["A", "B"], vec![work("K1", "a", 0, 6), work("K2", "b", 4, 1)]));
    assert_eq!(stays(&run), "A 0-4, B 4-5, A 5-7");
}

#[test]
fn runlist_the_timeslice_runs_on_over_work_issued_as_the_last_ends() {
    // K3 follows K1 at 3 without a gap, so A's timeslice ends at 4 and not at 7.
    let run = run(&runlist(&["A", "B"], vec![work("K1", "a", 0, 3), work("K3", "a", 3, 3), work("K2", "b", 0, 2)]));
    assert_eq!(stays(&run), "A 0-4, B 4-6, A 6-8");
}

#[test]
fn runlist_a_process_leaves_when_it_has_no_work_and_gets_a_whole_timeslice_when_it_returns() {
    let run = run(&runlist(&["A", "B"], vec![work("K1", "a", 0, 3), work("K3", "a", 4, 6), work("K2", "b", 0, 6)]));
    assert_eq!(stays(&run), "A 0-3, B 3-7, A 7-11, B 11-13, A 13-15");
    assert_eq!(lines(&run, &["L3"]), ["3 L3 A left", "13 L3 B left", "15 L3 A left"]);
}

#[test]
fn runlist_the_next_entry_may_be_of_the_process_that_has_just_left() {
    // H M1 H M2: at 4 the pointer passes M1, which has nothing, and finds H; that costs nothing.
    let run = run(&cost(runlist(&["H", "M1", "M2"], vec![work("K1", "h", 0, 10), work("K2", "m2", 0, 1)]), 3));
    assert_eq!(
        lines(&run, &["L1"]),
        ["0 L1 runlist entry 0 H", "4 L1 runlist entry 2 H", "8 L1 runlist entry 3 M2", "12 L1 runlist entry 0 H"]
    );
    assert_eq!(stays(&run), "H 0-8, M2 11-12, H 15-17");
    assert_eq!(executions(&run), "K1:0 0-8 15-17, K2:0 11-12");
}

#[test]
fn runlist_a_switch_costs_where_another_was_resident_last() {
    // A is the first, for nothing; A again after idling, for nothing; B after idling, at a cost.
    let kernels = vec![work("K1", "a", 1, 2), work("K3", "a", 5, 1), work("K2", "b", 8, 1)];
    let run = run(&cost(runlist(&["A", "B"], kernels), 3));
    assert_eq!(stays(&run), "A 1-3, A 5-6, B 11-12");
    assert_eq!(lines(&run, &["S1"]), ["8 S1 switching to B until 11"]);
}

#[test]
fn runlist_a_timeslice_is_counted_from_the_end_of_the_switch() {
    let run = run(&cost(runlist(&["A", "B"], vec![work("K1", "a", 0, 6), work("K2", "b", 0, 6)]), 3));
    assert_eq!(stays(&run), "A 0-4, B 7-11, A 14-16, B 19-21");
}

#[test]
fn runlist_what_waits_for_a_producer_is_no_work() {
    // B's kernel, and what stands behind it in its stream, waits for c's job: A keeps the GPU.
    let mut draft =
        runlist(&["A", "B", "C"], vec![work("K1", "a", 0, 6), work("K2", "b", 0, 1), work("K4", "d", 1, 1), work("K3", "c", 5, 3)]);
    draft.tasks[1].consumes = vec!["c".to_owned()];
    draft.tasks.push(TaskDraft { process: Some("B".to_owned()), ..TaskDraft::named("d") });
    draft.kernels[2].stream = "K2".to_owned();
    assert_eq!(stays(&run(&draft)), "A 0-6, C 6-9, B 9-11");
    draft.kernels[2].stream = "S".to_owned();
    assert_eq!(stays(&run(&draft)), "A 0-4, B 4-5, C 5-8, A 8-10, B 10-11", "in another stream it need not wait");
    draft.kernels[1].stream = "NULL".to_owned();
    assert_eq!(stays(&run(&draft)), "A 0-6, C 6-9, B 9-11", "but behind the NULL stream it must");
}

#[test]
fn runlist_stream_priorities_order_work_inside_a_process_only() {
    let mut draft = runlist(&["A", "B"], vec![work("K1", "a", 0, 4), work("K2", "b", 0, 4)]);
    let low = executions(&run(&draft));
    draft.streams = vec![blockstep_sim::scenario::StreamDraft {
        process: Some("B".to_owned()),
        name: "K2".to_owned(),
        priority: blockstep_sim::scenario::StreamPriority::High,
        non_blocking: false,
    }];
    assert_eq!(executions(&run(&draft)), low);
    assert_eq!(low, "K1:0 0-4, K2:0 4-8");
}

#[test]
fn runlist_completions_say_whether_a_deadline_was_met() {
    let mut draft = runlist(&["A", "B"], vec![work("K1", "a", 0, 2), work("K2", "b", 0, 2)]);
    (draft.tasks[0].deadline_ns, draft.tasks[1].deadline_ns) = (Some(2), Some(3));
    let run = run(&draft);
    assert_eq!(lines(&run, &["D1", "D2"]), ["2 D1 completed a#0", "3 D2 deadline missed by b#0"]);
    let said: Vec<_> = run.trace.steps().iter().map(|s| sentence(&run.trace, s)).collect();
    assert!(said.contains(&"The job of task a is complete, in time.".to_owned()));
    assert!(said.contains(&"Task b misses the deadline of its job, which is not complete.".to_owned()));
    assert!(said.contains(&"The job of task b is complete, after its deadline.".to_owned()));
    assert!(said.contains(&"The Host finds work at entry 1 of the runlist: process B.".to_owned()));
}

#[test]
fn runlist_one_too_long_is_an_error() {
    let names: Vec<String> = ["H", "M", "L"].iter().flat_map(|l| (0..100).map(move |i| format!("{l}{i}"))).collect();
    let draft = stage(PolicyKind::Runlist, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let error = Scenario::new(&draft).unwrap_err().to_string();
    assert_eq!(error, "processes: make a runlist of 1,020,100 entries; at most 1,000,000 are simulated");
}
