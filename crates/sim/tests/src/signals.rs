//! What the RunList Manager is told, and when (docs/semantics.md, section 7).

use blockstep_sim::check::{Invariant, check};
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Scenario, TaskDraft};
use blockstep_sim::snapshot::Residency;
use blockstep_sim::trace::{Change, Signal, Step, Trace};
use blockstep_sim::units::{JobNo, SpaceId, Span, TaskId, Time};
use proptest::prelude::*;

use super::sound::is_sound_and_found_again;

use blockstep_testing::arbitrary::{cases, turns};
use blockstep_testing::stage::found_after;

/// A task of a kernel of `time` ns in a process of its own.
fn task(draft: &mut Draft, name: &str, offset_ns: u64, deadline_ns: u64, time: u64) {
    draft.processes.push(ProcessDraft::named(format!("P{name}")));
    let process = Some(format!("P{name}"));
    draft.tasks.push(TaskDraft { process, offset_ns, deadline_ns: Some(deadline_ns), ..TaskDraft::named(name) });
    draft.kernels.push(KernelDraft { task: Some(name.to_owned()), ..KernelDraft::named(format!("K{name}"), 1, 32, time) });
}

fn policy(signal_ns: u64, runlist_ns: u64) -> PolicyDraft {
    PolicyDraft { kind: PolicyKind::Edf, switch_cost_ns: 3, signal_ns, runlist_ns, cbs: false, ..PolicyDraft::default() }
}

/// The example of the contract: L, and S that preempts it.
fn two(signal_ns: u64, runlist_ns: u64) -> Draft {
    let mut draft = Draft { policy: policy(signal_ns, runlist_ns), ..Draft::default() };
    task(&mut draft, "L", 0, 1000, 40);
    task(&mut draft, "S", 10, 60, 20);
    draft
}

fn run(draft: &Draft) -> Run {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(check(&run.trace, &Records::new(&run.trace)), [], "{}", run.trace.text());
    run
}

/// Lines of these rules, without the first one.
fn lines(trace: &Trace, rules: &[&str]) -> Vec<String> {
    let is_of = |line: &&str| line.split(' ').nth(1).is_some_and(|rule| rules.contains(&rule));
    trace.text().lines().skip(1).filter(is_of).map(str::to_owned).collect()
}

#[test]
fn signals_tell_of_work_and_of_its_completion() {
    let run = run(&two(5, 2));
    let expected = [
        "0 M1 signal A sent by L#0",
        "5 M2 signal A arrived of L#0",
        "5 M5 runlist of PL submitted until 7",
        "7 S2 PL resident",
        "10 M1 signal A sent by S#0",
        "15 M2 signal A arrived of S#0",
        "15 M5 runlist of PS submitted until 17",
        "17 S1 switching to PS until 20",
        "20 S2 PS resident",
        "40 M3 signal B sent by S#0",
        "45 M4 signal B arrived of S#0",
        "45 M5 runlist of PL submitted until 47",
        "47 S1 switching to PL until 50",
        "50 S2 PL resident",
        "82 M3 signal B sent by L#0",
        "87 M4 signal B arrived of L#0",
    ];
    assert_eq!(lines(&run.trace, &["M1", "M2", "M3", "M4", "M5", "S1", "S2"]), expected);
    assert_eq!(run.trace.end(), Time(87), "the run ends when the last signal has arrived");
    let records = Records::new(&run.trace);
    let switches: Vec<_> = records.switches.iter().map(|(to, r)| (to.0, r.start.ns(), r.end.ns())).collect();
    assert_eq!(switches, [(0, 5, 7), (1, 15, 20), (0, 45, 50)], "the runlist counts to the switch");
}

#[test]
fn signals_the_state_has_what_is_under_way_and_what_is_known() {
    let run = run(&two(5, 2));
    let mut replay = run.replay();
    let mut at = |ns: u64| {
        let state = replay.seek(run.trace.steps().partition_point(|s| s.at <= Time(ns)) as u32);
        let under_way: Vec<_> = state.signals_under_way().map(|m| (m.signal, m.claimant.0, m.arrives.ns())).collect();
        let known = [0, 1].map(|task| state.knows(TaskId(task), JobNo(0)));
        (under_way, known, state.idles_for().map(|m| m.arrives.ns()), state.residency())
    };
    let idle = Residency::Idle { last: None, gave_way: false };
    assert_eq!(at(0), (vec![(Signal::Submitted, 0, 5)], [false, false], None, idle));
    let submitting = Residency::Submitting { to: SpaceId(0), last: None, until: Time(7) };
    assert_eq!(at(5), (vec![], [true, false], None, submitting));
    let (under_way, known, idles, residency) = at(40);
    assert_eq!((under_way, known, idles), (vec![(Signal::Completed, 1, 45)], [true, true], Some(45)));
    assert!(matches!(residency, Residency::Resident { space: SpaceId(1), .. }));
    let (under_way, known, ..) = at(45);
    assert_eq!((under_way, known), (vec![], [true, false]));
}

/// Two jobs of one process: the second executes before the manager knows of it, and keeps the GPU only once it does.
#[test]
fn signals_a_resident_process_executes_what_is_not_known() {
    let mut draft = Draft { policy: policy(5, 0), ..Draft::default() };
    task(&mut draft, "A", 0, 100, 10);
    task(&mut draft, "B", 12, 200, 20);
    draft.tasks[1].process = Some("PA".to_owned());
    draft.kernels[1].stream = "S2".to_owned();
    let run = run(&draft);
    // A runs from 5 to 15, and its B arrives at 20; the A of B does at 17.
    assert_eq!(lines(&run.trace, &["X1", "R1", "S5", "S6"]), ["5 R1 KA:0 -> SM0", "12 R1 KB:0 -> SM1"]);
    draft.tasks[1].offset_ns = 18;
    let run = self::run(&draft);
    // Now it does at 23: nobody is known from 20 on.
    let expected = ["5 R1 KA:0 -> SM0", "18 R1 KB:0 -> SM0", "20 S5 KB:0 suspended on SM0", "23 S6 KB:0 resumed on SM0"];
    assert_eq!(lines(&run.trace, &["X1", "R1", "S5", "S6"]), expected);
    draft.policy.preemption = Preemption::Block;
    let run = self::run(&draft);
    assert_eq!(lines(&run.trace, &["E5", "S3"]), ["20 E5 PA draining", "38 S3 PA left", "43 E5 PA left"]);
}

#[test]
fn signals_a_job_that_goes_first_does_not_wait_for_b() {
    // S completes at 35, and its B arrives at 40; T, with the earliest deadline, is known at 36.
    let mut draft = two(5, 0);
    task(&mut draft, "T", 31, 20, 1);
    draft.policy.switch_cost_ns = 0;
    let run = run(&draft);
    let expected = ["5 S2 PL resident", "15 S2 PS resident", "36 S2 PT resident", "42 S2 PL resident"];
    assert_eq!(lines(&run.trace, &["S2"]), expected);
}

/// Q of a job with a gap: what its operations take, and a signal for each of the two batches.
#[test]
fn signals_are_paid_for_by_the_default_budget() {
    let mut draft = Draft { policy: PolicyDraft { cbs: true, ..policy(5, 0) }, ..Draft::default() };
    task(&mut draft, "A", 0, 100, 10);
    draft.kernels.push(KernelDraft { after: Some("KA".to_owned()), start_ns: 20, ..draft.kernels[0].clone() });
    draft.kernels[1].name = "KB".to_owned();
    let run = run(&draft);
    assert_eq!(run.trace.budget(TaskId(0)), Span(30));
    assert_eq!(lines(&run.trace, &["Q2"]), [""; 0]);
    draft.kernels[1].start_ns = 0;
    assert_eq!(self::run(&draft).trace.budget(TaskId(0)), Span(25), "without a gap there is one batch");
}

#[test]
fn signals_that_take_no_time_make_no_step() {
    let run = run(&two(0, 0));
    assert_eq!(lines(&run.trace, &["M1", "M2", "M3", "M4", "M5"]), [""; 0]);
    // Only `edf` has a manager.
    let mut draft = two(5, 2);
    draft.policy.kind = PolicyKind::Runlist;
    assert_eq!(lines(&self::run(&draft).trace, &["M1", "M2", "M3", "M4", "M5"]), [""; 0]);
}

/// What is done to the steps of a good run.
type Edit = Box<dyn FnOnce(&mut Vec<Step>)>;

fn remove(steps: &mut Vec<Step>, place: usize) {
    steps.remove(place);
}

#[test]
fn signals_check_finds_what_is_wrong() {
    let good = run(&two(5, 2)).trace;
    let place = |is_it: &dyn Fn(Change) -> bool| good.steps().iter().position(|s| is_it(s.change)).unwrap();
    let sent = place(&|c| matches!(c, Change::SignalSent { .. }));
    let arrived = place(&|c| matches!(c, Change::SignalArrived { .. }));
    let told_b = place(&|c| matches!(c, Change::SignalSent { signal: Signal::Completed, .. }));
    let runlist = place(&|c| matches!(c, Change::RunlistSubmitted { .. }));
    let edits: [(&str, Edit); 7] = [
        ("not sent", Box::new(move |steps| remove(steps, sent))),
        ("not arrived", Box::new(move |steps| remove(steps, arrived))),
        ("chosen before it is known", Box::new(move |steps| steps.swap(arrived, arrived + 1))),
        ("sent twice", Box::new(move |steps| steps.insert(sent, steps[sent]))),
        ("B never told", Box::new(move |steps| remove(steps, told_b))),
        ("no runlist", Box::new(move |steps| remove(steps, runlist))),
        (
            "a runlist of another length",
            Box::new(move |steps| steps[runlist].change = Change::RunlistSubmitted { to: SpaceId(0), until: Time(8) }),
        ),
    ];
    for (what, edit) in edits {
        let found = found_after(&good, edit);
        assert!(found.iter().any(|v| v.invariant == Invariant::Signals), "{what}: {found:?}");
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn signals_every_run_is_sound_and_every_state_found_again(
        draft in turns(PolicyKind::Edf),
        places in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        is_sound_and_found_again(&draft, places)?;
    }
}
