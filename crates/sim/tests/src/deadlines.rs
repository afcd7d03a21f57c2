//! Deadlines met and missed, under every policy: when that is said, and of whom.

use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyKind, Scenario, TaskDraft};
use blockstep_sim::trace::{Change, Rule, Step};
use blockstep_sim::units::{JobNo, TaskId, Time};
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::stage::{found_after, lines, run, stage, work};

/// A job of 3 with this deadline, and another that ends at 9, in a process each.
fn two(kind: PolicyKind, deadline: u64) -> Draft {
    let mut draft = Draft { kernels: vec![work("K1", "a", 0, 3), work("K2", "b", 0, 9)], ..stage(kind, &["A", "B"]) };
    (draft.tasks[0].deadline_ns, draft.policy.cbs) = (Some(deadline), false);
    draft
}

/// What is said of task a's job.
fn said(draft: &Draft) -> Vec<String> {
    lines(&run(draft), &["D1", "D2", "J2"]).into_iter().filter(|l| l.ends_with("a#0")).collect()
}

#[test]
fn deadlines_are_judged_under_every_policy() {
    for &kind in PolicyKind::BUILT_IN {
        assert_eq!(said(&two(kind, 3)), ["3 D1 completed a#0"], "{kind:?}");
        assert_eq!(said(&two(kind, 2)), ["2 D2 deadline missed by a#0", "3 J2 completed a#0"], "{kind:?}");
        assert_eq!(said(&two(kind, 0)), ["0 D2 deadline missed by a#0", "3 J2 completed a#0"], "{kind:?}");
        let mut without = two(kind, 3);
        without.tasks[0].deadline_ns = None;
        assert_eq!(said(&without), ["3 J2 completed a#0"], "{kind:?}");
    }
}

#[test]
fn deadlines_a_job_without_rows_meets_any() {
    let mut draft = two(PolicyKind::Fifo, 0);
    draft.kernels.remove(0);
    assert_eq!(said(&draft), ["0 D1 completed a#0"]);
}

#[test]
fn deadlines_a_miss_is_the_last_word_of_its_instant() {
    // K2 is assigned at 2, when a's deadline comes.
    let mut draft = two(PolicyKind::Priority, 2);
    draft.kernels[1].start_ns = 2;
    let run = run(&draft);
    let at_2: Vec<Rule> = run.trace.steps().iter().filter(|s| s.at == Time(2)).map(|s| s.rule).collect();
    assert_eq!(at_2, [Rule::G1, Rule::G2, Rule::R1, Rule::G3, Rule::D2]);
}

#[test]
fn deadlines_keep_no_run_from_ending() {
    // a waits for p's job, which is complete at 201.
    let waits = |horizon_ns, deadline| {
        let mut draft = Draft { horizon_ns, ..two(PolicyKind::Fifo, deadline) };
        draft.tasks[0].consumes = vec!["p".to_owned()];
        draft.tasks.push(TaskDraft { offset_ns: 100, ..TaskDraft::named("p") });
        draft.kernels.push(KernelDraft { start_ns: 100, ..work("K3", "p", 0, 1) });
        draft
    };
    let ends = |draft: &Draft| (run(draft).trace.end().ns(), said(draft));
    let missed = |at: u64| vec![format!("{at} D2 deadline missed by a#0")];
    assert_eq!(ends(&waits(Some(50), 20)), (50, missed(20)), "with a horizon the run goes on until then");
    assert_eq!(ends(&waits(Some(50), 50)), (50, missed(50)), "the end of the run is judged, too");
    assert_eq!(ends(&waits(Some(50), 51)), (50, vec![]), "what comes after it is not");
    // Without one, the last thing that happens ends it, and every job has its end.
    assert_eq!(ends(&waits(None, 5_000)), (204, vec!["204 D1 completed a#0".to_owned()]));
    assert_eq!(ends(&waits(None, 20)), (204, vec!["20 D2 deadline missed by a#0".to_owned(), "204 J2 completed a#0".to_owned()]));
}

/// The last step of a run that is cut may be the one that says of a miss.
#[test]
fn deadlines_a_miss_counts_in_a_run_that_is_cut_at_its_step() {
    let scenario = Scenario::new(&two(PolicyKind::Fifo, 2)).unwrap();
    let whole = engine::simulate(&scenario, Limits::default());
    let miss = whole.trace.steps().iter().position(|step| step.rule == Rule::D2).unwrap() as u32;
    let met = |max_steps| Records::new(&engine::simulate(&scenario, Limits { max_steps }).trace).jobs[0].met;
    assert_eq!([met(miss), met(miss + 1)], [None, Some(false)]);
}

#[test]
fn deadlines_a_miss_that_was_none_is_found() {
    let good = run(&two(PolicyKind::Fifo, 2));
    let with = |change: fn(&mut Step)| {
        let is_miss = |step: &&mut Step| matches!(step.change, Change::DeadlineMissed { .. });
        found_after(&good.trace, |steps| steps.iter_mut().filter(is_miss).for_each(change)).len()
    };
    assert_eq!(with(|_| ()), 0);
    assert_eq!(with(|step| step.at = Time(1)), 1, "before it");
    assert_eq!(with(|step| step.change = Change::DeadlineMissed { task: TaskId(1), job: JobNo(0) }), 1, "of a task without");
}

fn missed(run: &Run) -> Vec<(TaskId, JobNo, Time)> {
    let of = |step: &Step| match step.change {
        Change::DeadlineMissed { task, job } => Some((task, job, step.at)),
        _ => None,
    };
    let mut found: Vec<_> = run.trace.steps().iter().filter_map(of).collect();
    found.sort_unstable();
    found
}

proptest! {
    #![proptest_config(cases(1500))]

    /// The same where a run is cut after so many steps, be it at the step of a miss.
    #[test]
    fn deadlines_a_step_for_every_miss_of_a_run_that_is_cut(draft in any_drafts(), max_steps in 1..200_u32) {
        let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits { max_steps });
        let records = Records::new(&run.trace);
        let counted = records.jobs.iter().filter(|j| j.met == Some(false));
        let mut counted: Vec<_> = counted.filter(|j| j.end.is_none()).map(|j| (j.task, j.job, j.deadline.unwrap())).collect();
        counted.sort_unstable();
        let is_open = |of: &(TaskId, JobNo, Time)| records.jobs.iter().any(|j| (j.task, j.job) == (of.0, of.1) && j.end.is_none());
        let missed: Vec<_> = missed(&run).into_iter().filter(is_open).collect();
        prop_assert_eq!(missed, counted, "{}", run.trace.text());
    }

    /// A step at the deadline for every job that the results count as a miss, and for no other.
    #[test]
    fn deadlines_a_step_for_every_miss(draft in any_drafts()) {
        let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
        let records = Records::new(&run.trace);
        let counted = records.jobs.iter().filter(|j| j.met == Some(false));
        let mut counted: Vec<_> = counted.map(|j| (j.task, j.job, j.deadline.unwrap())).collect();
        counted.sort_unstable();
        prop_assert_eq!(missed(&run), counted, "{}", run.trace.text());
        for job in &records.jobs {
            let says = |s: &&Step| s.change == Change::JobCompleted { task: job.task, job: job.job };
            let rule = run.trace.steps().iter().find(says).map(|s| s.rule);
            let expected = job.end.map(|_| match job.met {
                Some(true) => Rule::D1,
                // D2 is cited once, at the deadline.
                Some(false) | None => Rule::J2,
            });
            prop_assert_eq!(rule, expected);
        }
    }
}
