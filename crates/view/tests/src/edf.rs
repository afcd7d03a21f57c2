//! Policy `edf`, rule by rule, on schedules worked out by hand, and what its theory promises
//! (docs/semantics.md, sections 7 and 8).

use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, Class, Draft, KernelDraft, PolicyKind, Preemption, ProcessDraft, Release, Scenario, TaskDraft};
use blockstep_sim::trace::Cut;
use blockstep_sim::units::{JobNo, Span, TaskId};
use blockstep_view::reason::waiting;
use blockstep_view::sentence::sentence;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use blockstep_testing::arbitrary::cases;
use blockstep_testing::stage::{executions, lines, run, stage, stays, work};

/// Without servers unless they are asked for. `None`: best effort.
fn edf(tasks: &[(&str, Option<u64>)], kernels: Vec<KernelDraft>) -> Draft {
    let names: Vec<&str> = tasks.iter().map(|t| t.0).collect();
    let mut draft = Draft { kernels, ..stage(PolicyKind::Edf, &names) };
    draft.policy.cbs = false;
    for (task, (_, deadline)) in draft.tasks.iter_mut().zip(tasks) {
        task.deadline_ns = *deadline;
    }
    draft
}

fn with(mut draft: Draft, preemption: Preemption, switch_cost_ns: u64) -> Draft {
    (draft.policy.preemption, draft.policy.switch_cost_ns) = (preemption, switch_cost_ns);
    draft
}

fn at(mut draft: Draft, task: usize, offset_ns: u64) -> Draft {
    draft.tasks[task].offset_ns = offset_ns;
    draft
}

const RULES: [&str; 6] = ["E1", "E2", "E3", "E4", "E5", "E6"];

#[test]
fn edf_an_earlier_deadline_preempts_at_once() {
    let draft = at(edf(&[("A", Some(20)), ("B", Some(5))], vec![work("K1", "a", 0, 10), work("K2", "b", 0, 3)]), 1, 2);
    let run = run(&draft);
    assert_eq!(executions(&run), "K1:0 0-2 5-13, K2:0 2-5");
    let expected = ["0 E1 chosen a#0", "2 E4 A left", "2 E1 chosen b#0", "5 E1 chosen a#0", "13 E5 A left"];
    assert_eq!(lines(&run, &RULES), expected);
    assert_eq!(lines(&run, &["D1", "D2"]), ["5 D1 completed b#0", "13 D1 completed a#0"]);
    let said: Vec<_> = run.trace.steps().iter().map(|s| sentence(&run.trace, s)).collect();
    assert!(said.contains(&"The job of task b is chosen: its deadline is the earliest.".to_owned()));
}

#[test]
fn edf_of_equal_deadlines_the_job_that_runs_goes_on_then_the_lower_task() {
    let kernels = vec![work("K1", "a", 0, 3), work("K2", "b", 0, 3)];
    assert_eq!(stays(&run(&edf(&[("A", Some(10)), ("B", Some(10))], kernels.clone()))), "A 0-3, B 3-6");
    // Both have the deadline 10; b, which runs, is not preempted.
    let equal = run(&at(edf(&[("A", Some(9)), ("B", Some(10))], kernels.clone()), 0, 1));
    assert_eq!((stays(&equal).as_str(), lines(&equal, &["E4"]).len()), ("B 0-3, A 3-6", 0));
    // The later of two arrivals with the later deadline waits.
    assert_eq!(stays(&run(&at(edf(&[("A", Some(10)), ("B", Some(10))], kernels), 0, 1))), "B 0-3, A 3-6");
}

#[test]
fn edf_block_preemption_drains_and_then_chooses_anew() {
    let k1 = KernelDraft { blocks: 6, threads_per_block: 1024, ..work("K1", "a", 0, 6) };
    let kernels = vec![k1, work("K2", "b", 0, 3), work("K3", "c", 0, 1)];
    let draft = at(at(edf(&[("A", Some(40)), ("B", Some(9)), ("C", Some(5))], kernels), 1, 2), 2, 4);
    let run = run(&with(draft, Preemption::Block, 0));
    assert_eq!(executions(&run), "K1:0 0-6, K1:1 0-6, K1:2 0-6, K1:3 0-6, K3:0 6-7, K2:0 7-10, K1:4 10-16, K1:5 10-16");
    assert_eq!(lines(&run, &["E4", "S3"]), ["2 E4 A draining", "6 S3 A left"], "only A is preempted");
}

/// Pairs of task and start: periodic, a kernel of one block each.
fn in_one_process(tasks: &[(&str, u64, u64)]) -> Draft {
    let mut draft = edf(&[("P", None)], vec![]);
    draft.tasks.clear();
    for &(name, time, period_ns) in tasks {
        let task =
            TaskDraft { process: Some("P".to_owned()), release: Release::Periodic, period_ns: Some(period_ns), ..TaskDraft::named(name) };
        draft.tasks.push(task);
        draft.kernels.push(work(&format!("K{name}"), name, 0, time));
    }
    draft
}

/// Section 7: the choice comes first; only if it is in another process is the rest of this one drained.
#[test]
fn edf_without_preemption_the_next_job_of_the_process_is_not_held_up_by_the_others() {
    // A 10 every 15, B 30: B's first job runs on beside A's second.
    let mut draft = with(in_one_process(&[("A", 10, 15), ("B", 30, 45)]), Preemption::None, 0);
    draft.horizon_ns = Some(60);
    let run = run(&draft);
    assert!(executions(&run).starts_with("KA#0:0 0-10, KB#0:0 0-30, KA#1:0 15-25, KA#2:0 30-40"), "{}", executions(&run));
    assert_eq!(lines(&run, &["E4", "E6", "S3"]), [""; 0], "nobody gives way within a process");
}

/// Section 7: a job all of whose issued operations wait for a producer gives way as if complete.
#[test]
fn edf_without_preemption_a_job_that_waits_for_a_producer_gives_way() {
    // C's first kernel runs; its second, launched at 2, stands in the NULL stream behind x's, which waits for p.
    let kernels = vec![work("K1", "c", 0, 1), work("KX", "x", 1, 1), work("K2", "c", 2, 2), work("KP", "p", 0, 3)];
    let mut draft = edf(&[("C", Some(50)), ("P", Some(60))], kernels);
    draft.tasks.push(TaskDraft { process: Some("C".to_owned()), consumes: vec!["p".to_owned()], ..TaskDraft::named("x") });
    draft.tasks[2].deadline_ns = Some(99);
    for kernel in &mut draft.kernels[..3] {
        kernel.stream = "S".to_owned();
    }
    let run = run(&with(draft, Preemption::None, 0));
    // K2 is issued at 2 and waits behind KX; c gives way to p, which frees both.
    assert_eq!(executions(&run), "K1:0 0-1, KP:0 2-5, KX:0 5-6, K2:0 6-8");
}

/// [LP] II-B: engines pause after the kernel that runs.
#[test]
fn edf_kernel_preemption_pauses_between_kernels() {
    let kernels =
        || vec![work("L1", "l", 0, 40), KernelDraft { after: Some("L1".to_owned()), ..work("L2", "l", 20, 40) }, work("K", "s", 0, 20)];
    let draft = || at(edf(&[("L", Some(500)), ("S", Some(50))], kernels()), 1, 30);
    let ends = |preemption| {
        let run = run(&with(draft(), preemption, 5));
        lines(&run, &["D1", "D2", "J2"])
    };
    assert_eq!(ends(Preemption::None), ["80 D2 deadline missed by s#0", "100 D1 completed l#0", "125 J2 completed s#0"]);
    assert_eq!(ends(Preemption::Kernel)[0], "65 D1 completed s#0");
}

/// Section 7: kernels of which a block has been assigned are assigned to their end, others are passed over.
#[test]
fn edf_kernel_preemption_finishes_what_has_begun_and_nothing_else() {
    // K1 has six blocks of which four fit; K3 stands behind it; H, of high priority, comes while K1 drains.
    let k1 = KernelDraft { blocks: 6, threads_per_block: 1024, ..work("K1", "a", 0, 6) };
    let k3 = KernelDraft { stream: "other".to_owned(), ..work("K3", "a", 1, 1) };
    let high = KernelDraft { stream: "high".to_owned(), ..work("H", "a", 4, 1) };
    let mut draft = at(edf(&[("A", Some(90)), ("B", Some(20))], vec![k1, k3, high, work("K2", "b", 0, 3)]), 1, 2);
    draft.streams.push(blockstep_sim::scenario::StreamDraft {
        process: Some("A".to_owned()),
        name: "high".to_owned(),
        priority: blockstep_sim::scenario::StreamPriority::High,
        non_blocking: false,
    });
    let block = run(&with(draft.clone(), Preemption::Block, 0));
    assert!(executions(&block).contains("K2:0 6-9"), "{}", executions(&block));
    let run = run(&with(draft, Preemption::Kernel, 0));
    let expected = "K1:0 0-6, K1:1 0-6, K1:2 0-6, K1:3 0-6, K1:4 6-12, K1:5 6-12, K2:0 12-15, H:0 15-16, K3:0 15-16";
    assert_eq!(executions(&run), expected);
    assert_eq!(lines(&run, &["E4", "S3"]), ["2 E4 A draining", "12 S3 A left"]);
}

#[test]
fn edf_without_preemption_a_job_runs_through_its_gaps() {
    let kernels = || vec![work("K1", "a", 0, 3), work("K3", "a", 5, 2), work("K2", "b", 0, 1)];
    let draft = || at(edf(&[("A", Some(20)), ("B", Some(2))], kernels()), 1, 1);
    assert_eq!(stays(&run(&with(draft(), Preemption::None, 0))), "A 0-7, B 7-8");
    // With preemption nobody is resident in a gap that nobody fills.
    let run = run(&with(draft(), Preemption::Thread, 0));
    assert_eq!((stays(&run).as_str(), executions(&run).as_str()), ("A 0-1, B 1-2, A 2-4, A 5-7", "K1:0 0-1 2-4, K2:0 1-2, K3:0 5-7"));
}

#[test]
fn edf_without_preemption_what_else_the_process_runs_is_drained() {
    let mut draft = edf(&[("A", Some(5)), ("B", Some(20))], vec![work("K1", "a", 0, 3), work("K4", "x", 0, 10), work("K2", "b", 0, 2)]);
    draft.tasks.push(TaskDraft { process: Some("A".to_owned()), ..TaskDraft::named("x") });
    draft.kernels.push(work("K5", "x", 5, 1));
    let run = run(&with(draft, Preemption::None, 0));
    assert_eq!(executions(&run), "K1:0 0-3, K4:0 0-10, K2:0 10-12, K5:0 12-13");
    assert_eq!(lines(&run, &["E6", "S3"]), ["3 E6 A draining", "10 S3 A left"]);
}

#[test]
fn edf_no_decision_is_taken_during_a_switch() {
    // At 4 C arrives with the earliest deadline; the switch to B goes on until 5, then one to C begins.
    let kernels = vec![work("K1", "a", 0, 6), work("K2", "b", 0, 1), work("K3", "c", 0, 1)];
    let draft = at(at(edf(&[("A", Some(60)), ("B", Some(40)), ("C", Some(9))], kernels), 1, 2), 2, 4);
    let run = run(&with(draft, Preemption::Thread, 3));
    assert_eq!(executions(&run), "K1:0 0-2 16-20, K3:0 8-9, K2:0 12-13");
    let expected =
        ["2 S1 switching to B until 5", "5 S1 switching to C until 8", "9 S1 switching to B until 12", "13 S1 switching to A until 16"];
    assert_eq!(lines(&run, &["S1"]), expected);
}

/// Section 7: the job for which a drain was begun counts as chosen when the choice is made anew.
#[test]
fn edf_of_equal_deadlines_the_one_drained_for_goes_first() {
    // C (deadline 12) makes A drain from 2 on; B, with the same deadline, comes at 3 and stands higher.
    let kernels = vec![work("K1", "a", 0, 6), work("K2", "b", 0, 1), work("K3", "c", 0, 1)];
    let draft = at(at(edf(&[("A", Some(60)), ("B", Some(9)), ("C", Some(10))], kernels), 1, 3), 2, 2);
    assert_eq!(stays(&run(&with(draft, Preemption::Block, 0))), "A 0-6, C 6-7, B 7-8");
}

/// Two jobs with the same deadline cause no switch.
#[test]
fn edf_equal_deadlines_cause_no_switch() {
    let kernels = vec![work("K1", "a", 0, 10), work("K2", "b", 0, 10)];
    let run = run(&with(at(edf(&[("A", Some(95)), ("B", Some(100))], kernels), 0, 5), Preemption::Thread, 1));
    assert_eq!(executions(&run), "K2:0 0-10, K1:0 11-21");
}

#[test]
fn edf_best_effort_goes_by_priority_when_no_real_time_job_is_pending() {
    let kernels = vec![work("K1", "a", 0, 2), work("K2", "b", 0, 2), work("K4", "d", 0, 2), work("K3", "c", 0, 3)];
    let mut draft = at(edf(&[("A", None), ("B", None), ("C", Some(9)), ("D", None)], kernels), 2, 1);
    (draft.tasks[0].priority, draft.tasks[1].priority, draft.tasks[3].priority) = (5, -1, 5);
    let run = run(&draft);
    assert_eq!(stays(&run), "B 0-1, C 1-4, B 4-5, A 5-7, D 7-9");
    assert_eq!(lines(&run, &["E1", "E2"])[..3], ["0 E2 chosen b#0", "1 E1 chosen c#0", "4 E2 chosen b#0"]);
}

#[test]
fn edf_waiting_operations_say_who_goes_first() {
    let kernels = vec![work("K1", "a", 0, 4), work("K2", "b", 0, 4), work("K3", "c", 0, 4)];
    let run = run(&with(at(edf(&[("A", None), ("B", Some(9)), ("C", Some(50))], kernels), 1, 2), Preemption::Thread, 3));
    let waiting = |applied_until: u64| {
        let applied = run.trace.steps().partition_point(|s| s.at.ns() <= applied_until);
        let mut replay = run.replay();
        let list = waiting(&run.trace, &Records::new(&run.trace), replay.seek(applied as u32), 10);
        list.items.iter().map(|w| format!("{}: {}", w.label, w.text)).collect::<Vec<_>>()
    };
    assert_eq!(waiting(0), ["K1: process A is not resident; process C, whose real-time work goes before best effort, is"]);
    let expected = [
        "K1: process A is not resident; a switch to process B, whose real-time work goes before best effort, is under way",
        "K3: process C is not resident; a switch to process B is under way",
        "K2: process B becomes resident when the context switch ends at 5 ns",
    ];
    assert_eq!(waiting(2), expected);
}

#[test]
fn edf_class_and_not_the_deadline_decides_who_is_real_time() {
    let mut draft = edf(&[("A", Some(1)), ("B", Some(9))], vec![work("K1", "a", 0, 2), work("K2", "b", 0, 2)]);
    draft.tasks[0].class = Some(Class::BestEffort);
    let run = run(&draft);
    assert_eq!(stays(&run), "B 0-2, A 2-4");
    assert_eq!(lines(&run, &["D2"]), ["1 D2 deadline missed by a#0"], "but it is judged by its deadline, once");
}

#[test]
fn edf_tasks_of_one_process_execute_together() {
    let mut draft = edf(&[("A", Some(5))], vec![work("K1", "a", 0, 3), work("K2", "b", 0, 4)]);
    draft.tasks.push(TaskDraft { process: Some("A".to_owned()), deadline_ns: Some(9), ..TaskDraft::named("b") });
    let run = run(&draft);
    assert_eq!(executions(&run), "K1:0 0-3, K2:0 0-4");
    assert_eq!(lines(&run, &RULES), ["0 E1 chosen a#0", "3 E1 chosen b#0", "4 E5 A left"], "the process need not leave");
}

/// Task a overruns its budget of 2 with a job of 5; b's deadline is between a's first two.
fn overrun(cbs: bool) -> Draft {
    let mut draft = edf(&[("A", Some(10)), ("B", Some(12))], vec![work("K1", "a", 0, 5), work("K2", "b", 0, 4)]);
    draft.policy.cbs = cbs;
    draft.tasks[0].budget_ns = Some(2);
    draft
}

#[test]
fn edf_a_server_that_is_used_up_has_its_deadline_postponed() {
    let run = run(&overrun(true));
    assert_eq!(executions(&run), "K1:0 0-2 6-9, K2:0 2-6");
    let expected =
        ["0 Q1 server a deadline 10", "0 Q1 server b deadline 12", "2 Q2 server a postponed to 20", "8 Q2 server a postponed to 30"];
    assert_eq!(lines(&run, &["Q1", "Q2"]), expected);
    assert_eq!(lines(&run, &["D1", "D2"]), ["6 D1 completed b#0", "9 D1 completed a#0"]);
    let said: Vec<_> = run.trace.steps().iter().map(|s| sentence(&run.trace, s)).collect();
    assert!(
        said.contains(&"Task a has used up its budget: its server gets 2 ns again, and its deadline is postponed to 20 ns.".to_owned())
    );
}

#[test]
fn edf_without_servers_an_overrun_is_not_noticed() {
    let run = run(&overrun(false));
    assert_eq!(executions(&run), "K1:0 0-5, K2:0 5-9");
    assert_eq!(lines(&run, &["Q1", "Q2"]).len(), 0);
}

#[test]
fn edf_a_job_that_arrives_within_its_servers_share_goes_on_with_it() {
    // Budget 5 in 10; jobs of 2 back to back. At 2 there is 3 left until 10, less than the share
    // of 8; at 5 it is used up, and at 10, just as job 4 ends and job 5 arrives, again.
    let mut draft = edf(&[("A", None)], vec![work("K1", "a", 0, 2)]);
    (draft.policy.cbs, draft.horizon_ns) = (true, Some(12));
    draft.tasks[0] = TaskDraft { period_ns: Some(10), budget_ns: Some(5), release: Release::Continuous, ..draft.tasks[0].clone() };
    let run = run(&draft);
    assert_eq!(
        lines(&run, &["Q1", "Q2"]),
        ["0 Q1 server a deadline 10", "5 Q2 server a postponed to 20", "10 Q2 server a postponed to 30"]
    );
}

#[test]
fn edf_a_job_that_arrives_with_more_than_the_share_begins_anew() {
    // Budget 5, D 10, T 3; jobs of 2. At 3, 3 * 10 < (10 - 3) * 5; at 6, 1 * 10 < (10 - 6) * 5.
    let mut draft = edf(&[("A", Some(10))], vec![work("K1", "a", 0, 2)]);
    (draft.policy.cbs, draft.horizon_ns) = (true, Some(7));
    draft.tasks[0] = TaskDraft { period_ns: Some(3), budget_ns: Some(5), release: Release::Periodic, ..draft.tasks[0].clone() };
    assert_eq!(lines(&run(&draft), &["Q1"]), ["0 Q1 server a deadline 10"]);
    // Jobs of 1. At 3, 4 * 10 >= (10 - 3) * 5; at 6, 4 * 10 >= (13 - 6) * 5. With T instead of D, 4 * 3 is less.
    draft.kernels[0] = work("K1", "a", 0, 1);
    assert_eq!(lines(&run(&draft), &["Q1"]), ["0 Q1 server a deadline 10", "3 Q1 server a deadline 13", "6 Q1 server a deadline 16"]);
}

/// Budgets isolate: work that comes after a gap is an arrival. With the deadline of 10 that its server has since
/// its first work, a would run at 100 before everything else, budget after budget.
#[test]
fn edf_work_after_a_gap_is_an_arrival() {
    let gap = KernelDraft { after: Some("A1".to_owned()), ..work("A2", "a", 99, 80) };
    let mut draft = edf(&[("A", Some(10)), ("B", Some(10))], vec![work("A1", "a", 0, 1), gap, work("KB", "b", 0, 5)]);
    (draft.policy.cbs, draft.horizon_ns) = (true, Some(300));
    (draft.tasks[0].budget_ns, draft.tasks[1].budget_ns) = (Some(5), Some(5));
    (draft.tasks[1].release, draft.tasks[1].period_ns) = (Release::Periodic, Some(10));
    let run = run(&draft);
    let of_a: Vec<_> = lines(&run, &["Q1"]).into_iter().filter(|line| line.contains("server a")).collect();
    assert_eq!(of_a, ["0 Q1 server a deadline 10", "100 Q1 server a deadline 110"]);
    let missed: Vec<_> = Records::new(&run.trace).jobs.iter().filter(|j| j.met == Some(false)).map(|j| (j.task, j.job)).collect();
    assert_eq!(missed, [(TaskId(0), JobNo(0))], "a misses its own, b nothing");
}

/// A row that follows another without a gap is no arrival; the first work of the next job is.
#[test]
fn edf_a_row_without_a_gap_is_no_arrival() {
    let kernels = vec![work("K1", "a", 0, 2), KernelDraft { after: Some("K1".to_owned()), ..work("K2", "a", 0, 2) }];
    let mut draft = edf(&[("A", Some(4))], kernels);
    draft.policy.cbs = true;
    (draft.tasks[0].release, draft.tasks[0].jobs, draft.tasks[0].budget_ns) = (Release::Continuous, Some(2), Some(9));
    let run = run(&draft);
    assert_eq!(lines(&run, &["Q1"]), ["0 Q1 server a deadline 4", "4 Q1 server a deadline 8"]);
}

/// Section 7: with T = 0 there is no server; the job's own deadline counts.
#[test]
fn edf_a_server_without_a_period_is_none() {
    let mut draft = edf(&[("A", Some(0)), ("B", Some(5))], vec![work("K1", "a", 0, 3), work("K2", "b", 0, 3)]);
    draft.policy.cbs = true;
    let run = run(&draft);
    assert_eq!(lines(&run, &["Q1", "Q2"]), ["0 Q1 server b deadline 5"]);
    assert_eq!(stays(&run), "A 0-3, B 3-6");
}

/// Sections 2 and 8: a job without rows completes not before its producer jobs, so chains hold through it.
#[test]
fn edf_a_job_without_rows_waits_for_its_producers() {
    for kind in [PolicyKind::Edf, PolicyKind::Priority] {
        let mut draft = edf(&[("P", Some(30)), ("C", Some(10))], vec![work("K1", "p", 0, 3), work("K2", "c", 0, 2)]);
        draft.policy.kind = kind;
        draft.tasks.push(TaskDraft { consumes: vec!["p".to_owned()], deadline_ns: Some(1), ..TaskDraft::named("link") });
        draft.tasks[1].consumes = vec!["link".to_owned()];
        let run = run(&draft);
        assert_eq!(executions(&run), "K1:0 0-3, K2:0 3-5", "{kind:?}");
        assert_eq!(lines(&run, &["J2", "D2"]), ["1 D2 deadline missed by link#0", "3 J2 completed link#0"]);
    }
}

#[test]
fn edf_a_budget_is_charged_only_while_the_task_is_chosen_and_resident() {
    // a's 4 of 4 are used at 13, after B's time and four switches of 1: as its job ends, so it stays.
    let mut draft = edf(&[("A", Some(30)), ("B", Some(5))], vec![work("K1", "a", 0, 4), work("K2", "b", 0, 2)]);
    draft = with(at(draft, 1, 2), Preemption::Thread, 1);
    draft.policy.cbs = true;
    let run = run(&draft);
    assert_eq!(executions(&run), "K1:0 0-2 6-8, K2:0 3-5");
    assert_eq!(lines(&run, &["Q1", "Q2"]), ["0 Q1 server a deadline 30", "2 Q1 server b deadline 7"]);
    // With one less it is used up at 7.
    draft.tasks[0].budget_ns = Some(3);
    assert_eq!(lines(&blockstep_testing::stage::run(&draft), &["Q2"]), ["7 Q2 server a postponed to 60"]);
}

#[test]
fn edf_a_default_budget_is_the_time_a_job_takes_alone() {
    // 0-3 and 5-7, then K4 after K3 and 1: 8-10 with its copies of 2 and 3 around it: 8-15.
    let mut kernels = vec![work("K1", "a", 0, 3), work("K3", "a", 5, 2), work("K4", "a", 1, 2), work("K2", "b", 0, 9)];
    kernels[2] = KernelDraft { after: Some("K3".to_owned()), copy_in_bytes: 2, copy_out_bytes: 3, ..kernels[2].clone() };
    let mut draft = edf(&[("A", Some(50)), ("B", Some(5)), ("C", None)], kernels);
    draft.policy.cbs = true;
    draft.tasks[0].consumes = vec!["b".to_owned()];
    let run = run(&draft);
    let budgets: Vec<_> = (0..3).map(|i| run.trace.budget(TaskId(i))).collect();
    assert_eq!(budgets, [Span(3 + 2 + 7), Span(9), Span(0)]);
}

#[test]
fn edf_a_budget_that_cannot_be_computed_ends_the_run() {
    let cut = |draft: &Draft, max_steps| engine::simulate(&Scenario::new(draft).unwrap(), Limits { max_steps }).trace.cut().cloned();
    let alone = |limit| Some(Cut::StepLimit { limit, alone: Some("a job of \"a\", whose budget_ns is not given,".to_owned()) });
    let mut draft = edf(&[("A", Some(50))], vec![KernelDraft { blocks: 150_000, ..work("K1", "a", 0, 1) }]);
    (draft.policy.cbs, draft.horizon_ns) = (true, Some(10));
    assert_eq!(cut(&draft, 50), alone(100_000), "a short run has its budgets too");
    assert_eq!(cut(&draft, 200_000), alone(200_000));
    assert_eq!(cut(&draft, 1_000_000), None, "more is allowed where the run may have more");
    let said = cut(&draft, 50).unwrap().to_string();
    let fault = "a job of \"a\", whose budget_ns is not given, has more than 100,000 steps by itself, the limit for finding how long it takes; \
                 use fewer blocks";
    assert_eq!(said, fault);
    draft.tasks[0].budget_ns = Some(3);
    assert_eq!(cut(&draft, 10_000), None, "given, it need not be computed");
}

#[test]
fn edf_a_producer_inherits_its_consumers_deadline() {
    let kernels = vec![work("K1", "p", 0, 3), work("K2", "c", 0, 2), work("K3", "m", 0, 5)];
    let mut draft = edf(&[("P", None), ("C", Some(10)), ("M", Some(20))], kernels);
    assert_eq!(stays(&run(&draft)), "C 0-2, M 2-7, P 7-10");
    draft.tasks[1].consumes = vec!["p".to_owned()];
    let run = run(&draft);
    assert_eq!(stays(&run), "P 0-3, C 3-5, M 5-10");
    assert_eq!(lines(&run, &["E3"]), ["0 E3 chosen p#0"]);
}

#[test]
fn edf_deadlines_are_inherited_through_jobs_not_yet_released() {
    let kernels = vec![work("K1", "p", 0, 3), work("K4", "q", 0, 1), work("K2", "c", 0, 2), work("K3", "m", 0, 5)];
    let mut draft = at(edf(&[("P", None), ("Q", None), ("C", Some(10)), ("M", Some(20))], kernels), 1, 4);
    draft.tasks[1].consumes = vec!["p".to_owned()];
    draft.tasks[2].consumes = vec!["q".to_owned()];
    let run = run(&draft);
    assert_eq!(stays(&run), "P 0-3, M 3-4, Q 4-5, C 5-7, M 7-11");
    assert_eq!(lines(&run, &["E3"]), ["0 E3 chosen p#0", "4 E3 chosen q#0"]);
}

#[test]
fn edf_a_deadline_is_inherited_only_once_something_waits() {
    // c's kernel is issued at 2; before that P has nothing to hurry for.
    let kernels = vec![work("K1", "p", 0, 3), work("K2", "c", 2, 2), work("K3", "m", 0, 5)];
    let mut draft = edf(&[("P", None), ("C", Some(10)), ("M", Some(20))], kernels);
    draft.tasks[1].consumes = vec!["p".to_owned()];
    assert_eq!(stays(&run(&draft)), "M 0-2, P 2-5, C 5-7, M 7-10");
}

#[test]
fn edf_a_producer_pays_from_its_own_server_and_keeps_what_it_inherits() {
    // p's own deadline is postponed at 2 to 80; C's 10 is what it is chosen by.
    let kernels = vec![work("K1", "p", 0, 3), work("K2", "c", 0, 2), work("K3", "m", 0, 5)];
    let mut draft = edf(&[("P", Some(40)), ("C", Some(10)), ("M", Some(20))], kernels);
    draft.policy.cbs = true;
    draft.tasks[0].budget_ns = Some(2);
    draft.tasks[1].consumes = vec!["p".to_owned()];
    let run = run(&draft);
    assert_eq!(stays(&run), "P 0-3, C 3-5, M 5-10");
    assert_eq!(lines(&run, &["Q2"]), ["2 Q2 server p postponed to 80"]);
}

#[test]
fn edf_a_postponed_deadline_past_the_last_instant_is_an_error() {
    let mut draft = overrun(true);
    draft.tasks[0].deadline_ns = Some(u64::MAX - 1);
    draft.kernels.truncate(1);
    let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    assert_eq!(run.trace.cut(), Some(&Cut::TimeOverflow { what: "the postponed deadline of task \"a\"".to_owned() }));
}

/// Periodic tasks, a process and a kernel of one block each: execution times and periods.
fn periodic(set: &[(u64, u64)], cbs: bool) -> Draft {
    let mut draft = Draft { device: stage(PolicyKind::Edf, &[]).device, ..Draft::default() };
    (draft.policy.kind, draft.policy.cbs) = (PolicyKind::Edf, cbs);
    for (i, &(time, period)) in set.iter().enumerate() {
        draft.processes.push(ProcessDraft::named(format!("P{i}")));
        let task = TaskDraft {
            process: Some(format!("P{i}")),
            release: Release::Periodic,
            period_ns: Some(period),
            ..TaskDraft::named(format!("t{i}"))
        };
        draft.tasks.push(task);
        draft.kernels.push(work(&format!("K{i}"), &format!("t{i}"), 0, time));
    }
    draft
}

/// Task sets with a utilization of at most 1, most of them of exactly 1: in 24ths.
pub fn feasible() -> impl Strategy<Value = Vec<(u64, u64)>> {
    vec((select(vec![4_u64, 6, 8, 12, 24]), 1..9_u64), 1..6).prop_map(|wishes| {
        let mut left = 24;
        let mut set = Vec::new();
        for (period, time) in wishes {
            let time = time.min(left * period / 24);
            if time > 0 {
                left -= time * 24 / period;
                set.push((time, period));
            }
        }
        if left > 0 {
            set.push((left, 24));
        }
        set
    })
}

/// Takes parts off a kernel of `time`: further kernels `more` that go before it or after it, and the
/// rest of it; each of one block, alone in its stream or waiting for the one before.
fn split(kernel: &KernelDraft, time: u64, parts: &[(u64, u64, bool)], more: &mut Vec<KernelDraft>) -> KernelDraft {
    let mut left = time;
    let mut last = kernel.name.clone();
    for (i, &(length, copy, follows)) in parts.iter().enumerate() {
        // At least 1 is left to the kernel itself; a byte takes 1 ns to copy.
        if length + copy >= left {
            continue;
        }
        left -= length + copy;
        let part = KernelDraft {
            name: format!("{}.{i}", kernel.name),
            block_time_ns: BlockTimes::Each(length),
            copy_in_bytes: copy,
            ..kernel.clone()
        };
        let part = KernelDraft { after: follows.then(|| last.clone()), ..part };
        last.clone_from(&part.name);
        more.push(part);
    }
    KernelDraft { block_time_ns: BlockTimes::Each(left), ..kernel.clone() }
}

proptest! {
    #![proptest_config(cases(1000))]

    /// Jobs of several kernels, and copies among them, one after another: in one stream, or each
    /// launched when the last one has completed.
    #[test]
    fn edf_misses_nothing_up_to_full_utilisation(
        set in feasible(),
        tasks in vec((0..24_u64, vec((1..4_u64, 0..3_u64, any::<bool>()), 0..4)), 6),
        cbs in any::<bool>(),
    ) {
        let mut draft = periodic(&set, cbs);
        for (i, ((offset, parts), &(time, _))) in tasks.iter().zip(&set).enumerate() {
            draft.tasks[i].offset_ns = *offset;
            let kernel = draft.kernels[i].clone();
            draft.kernels[i] = split(&kernel, time, parts, &mut draft.kernels);
        }
        draft.horizon_ns = Some(96);
        let run = run(&draft);
        let missed: Vec<_> = Records::new(&run.trace).jobs.iter().filter(|j| j.met == Some(false)).map(|j| (j.task, j.job)).collect();
        prop_assert!(missed.is_empty(), "{:?}\n{}", missed, run.trace.text());
    }

    /// Whatever one task does beyond its budget, with servers the others meet their deadlines.
    #[test]
    fn edf_servers_isolate_an_overrun(set in feasible(), culprit in 0..6_usize, more in 1..40_u64) {
        let culprit = culprit % set.len();
        let mut draft = periodic(&set, true);
        draft.tasks[culprit].budget_ns = Some(set[culprit].0);
        let name = draft.kernels[culprit].name.clone();
        draft.kernels[culprit] = work(&name, &format!("t{culprit}"), 0, set[culprit].0 + more);
        draft.horizon_ns = Some(96);
        let run = run(&draft);
        let others = |j: &&blockstep_sim::record::JobRecord| j.task.index() != culprit && j.met == Some(false);
        let missed: Vec<_> = Records::new(&run.trace).jobs.iter().filter(others).map(|j| (j.task, j.job)).collect();
        prop_assert!(missed.is_empty(), "{:?}\n{}", missed, run.trace.text());
    }
}

/// What a task may do to the others: its rows (start, time, after the row before, in one stream with the others),
/// its releases and its offset.
type Rogue = (Vec<(u64, u64, bool, bool)>, Release, u64);

fn rogue() -> impl Strategy<Value = Rogue> {
    let rows = vec((0..60_u64, 1..30_u64, any::<bool>(), any::<bool>()), 1..5);
    (rows, select(vec![Release::Once, Release::Periodic, Release::Continuous]), 0..24_u64)
}

proptest! {
    #![proptest_config(cases(1500))]

    /// Section 7's last sentences: with servers whose shares sum to at most 1, implicit deadlines, `thread`, free
    /// switches and a process each, an honest task without gaps misses nothing, whatever the others do.
    #[test]
    fn edf_budgets_isolate_honest_tasks_from_any_others(
        set in feasible(),
        tasks in vec((option::of(rogue()), 0..24_u64, any::<bool>()), 7),
    ) {
        let mut draft = Draft { horizon_ns: Some(240), ..periodic(&set, true) };
        let honest: Vec<bool> = tasks.iter().map(|(rogue, ..)| rogue.is_none()).collect();
        for (i, (rogue, offset, is_once)) in tasks.into_iter().enumerate().take(set.len()) {
            let task = &mut draft.tasks[i];
            (task.budget_ns, task.offset_ns) = (Some(set[i].0), offset);
            if is_once {
                (task.release, task.deadline_ns, task.period_ns) = (Release::Once, task.period_ns, None);
            }
            let Some((rows, release, offset)) = rogue else { continue };
            *task = TaskDraft { release, offset_ns: offset, period_ns: Some(set[i].1), deadline_ns: None, ..task.clone() };
            let mut last = None;
            for (j, (start, time, follows, shares)) in rows.into_iter().enumerate() {
                let kernel = work(&format!("R{i}.{j}"), &format!("t{i}"), start, time);
                let stream = if shares { format!("R{i}") } else { kernel.stream.clone() };
                let kernel = KernelDraft { after: last.clone().filter(|_| follows), stream, ..kernel };
                last = Some(kernel.name.clone());
                draft.kernels.push(kernel);
            }
        }
        let is_rogue = |k: &KernelDraft| k.name.strip_prefix('K').and_then(|i| i.parse::<usize>().ok()).is_some_and(|i| !honest[i]);
        draft.kernels.retain(|k| !is_rogue(k));
        let run = run(&draft);
        let missed = |j: &&blockstep_sim::record::JobRecord| honest[j.task.index()] && j.met == Some(false);
        let missed: Vec<_> = Records::new(&run.trace).jobs.iter().filter(missed).map(|j| (j.task, j.job)).collect();
        prop_assert!(missed.is_empty(), "{:?}\n{}", missed, run.trace.text());
    }
}

/// The property above is not true of deadlines alone: an overrun makes others miss theirs.
#[test]
fn edf_without_servers_an_overrun_makes_others_miss() {
    let mut draft = periodic(&[(6, 12), (6, 12)], false);
    draft.kernels[0] = work("K0", "t0", 0, 9);
    draft.horizon_ns = Some(96);
    assert!(Records::new(&run(&draft).trace).jobs.iter().any(|j| j.task == TaskId(1) && j.met == Some(false)));
}
