//! Batches of commands with times of their own (docs/semantics.md, section 7).

use blockstep_sim::check::{Invariant, check};
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    BatchDraft, Call, Class, Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Scenario, TaskDraft,
};
use blockstep_sim::trace::{Change, Trace};
use blockstep_sim::units::{ClaimantId, Span, Time};
use proptest::prelude::*;

use super::sound::is_sound_and_found_again;

use blockstep_testing::arbitrary::cases;
use blockstep_testing::batches::batched;
use blockstep_testing::stage::found_after;

fn kernel(name: &str, task: &str, stream: &str, batch: Option<&str>, time: u64) -> KernelDraft {
    let batch = batch.map(str::to_owned);
    KernelDraft { task: Some(task.to_owned()), stream: stream.to_owned(), batch, ..KernelDraft::named(name, 1, 32, time) }
}

fn batch(name: &str, deadline_ns: u64, budget_ns: Option<u64>) -> BatchDraft {
    BatchDraft { name: name.to_owned(), deadline_ns, budget_ns, ..BatchDraft::default() }
}

/// The example of the contract: A has an urgent and a lax batch, and B is due between them.
fn two() -> Draft {
    let process = |name: &str| Some(name.to_owned());
    Draft {
        policy: PolicyDraft { kind: PolicyKind::Edf, cbs: false, ..PolicyDraft::default() },
        processes: vec![ProcessDraft::named("P0"), ProcessDraft::named("P1")],
        tasks: vec![
            TaskDraft { process: process("P0"), deadline_ns: Some(200), ..TaskDraft::named("A") },
            TaskDraft { process: process("P1"), offset_ns: 5, deadline_ns: Some(60), ..TaskDraft::named("B") },
        ],
        batches: vec![batch("urgent", 30, None), batch("lax", 150, None)],
        kernels: vec![
            kernel("U", "A", "S1", Some("urgent"), 10),
            kernel("L", "A", "S2", Some("lax"), 40),
            kernel("K", "B", "S1", None, 20),
        ],
        ..Draft::default()
    }
}

fn run(draft: &Draft) -> Run {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(check(&run.trace, &Records::new(&run.trace)), [], "{}", run.trace.text());
    run
}

/// Lines of these rules.
fn lines(trace: &Trace, rules: &[&str]) -> Vec<String> {
    let is_of = |line: &&str| line.split(' ').nth(1).is_some_and(|rule| rules.contains(&rule));
    trace.text().lines().skip(1).filter(is_of).map(str::to_owned).collect()
}

/// What is wrong, each with its place.
fn problems(draft: &Draft) -> Vec<String> {
    Scenario::new(draft).unwrap_err().problems.iter().map(|problem| format!("{} {}", problem.path, problem.message)).collect()
}

#[test]
fn batches_are_chosen_by_their_own_deadlines() {
    let trace = run(&two()).trace;
    assert_eq!(lines(&trace, &["E1"]), ["0 E1 chosen A#0 batch urgent", "10 E1 chosen B#0", "30 E1 chosen A#0 batch lax"]);
    assert_eq!(trace.end(), Time(60));
    let mut one = two();
    one.kernels.iter_mut().for_each(|row| row.batch = None);
    assert_eq!(lines(&run(&one).trace, &["E1"]), ["0 E1 chosen A#0", "5 E1 chosen B#0", "25 E1 chosen A#0"], "unless no row is in one");
}

#[test]
fn batches_deadline_counts_from_the_issue_of_their_first_command() {
    let mut draft = two();
    // B is issued at 45, and due at 65 as it is released at 5.
    draft.kernels[2].start_ns = 40;
    let mut chosen = |issued: u64| {
        draft.kernels[0].start_ns = issued;
        lines(&run(&draft).trace, &["E1"])
    };
    let lax = "0 E1 chosen A#0 batch lax";
    assert_eq!(chosen(35), [lax, "35 E1 chosen A#0 batch urgent", "45 E1 chosen B#0"], "due at 65");
    assert_eq!(chosen(40)[1..], ["40 E1 chosen A#0 batch urgent", "45 E1 chosen B#0", "65 E1 chosen A#0 batch urgent"], "due at 70");
}

#[test]
fn batches_have_servers_of_their_own() {
    let mut draft = two();
    draft.policy.cbs = true;
    draft.batches = vec![batch("urgent", 30, Some(4)), BatchDraft { period_ns: Some(100), ..batch("lax", 150, Some(20)) }];
    let trace = run(&draft).trace;
    let budgets: Vec<u64> = (0..4).map(|of| trace.budget(ClaimantId(of)).ns()).collect();
    assert_eq!(budgets, [40, 20, 4, 20], "those of tasks are as if they had no batches");
    let servers = lines(&trace, &["Q1", "Q2"]);
    let expected = [
        "0 Q1 server A batch urgent deadline 30",
        "0 Q1 server A batch lax deadline 150",
        "4 Q2 server A batch urgent postponed to 60",
        "5 Q1 server B deadline 65",
        "8 Q2 server A batch urgent postponed to 90",
        "50 Q2 server A batch lax postponed to 250",
    ];
    assert_eq!(servers, expected, "{}", trace.text());
}

#[test]
fn batches_are_signaled_each_for_itself() {
    let mut draft = two();
    draft.policy.signal_ns = 3;
    let told = lines(&run(&draft).trace, &["M1", "M3"]);
    let expected = [
        "0 M1 signal A sent by A#0 batch urgent",
        "0 M1 signal A sent by A#0 batch lax",
        "5 M1 signal A sent by B#0",
        "13 M3 signal B sent by A#0 batch urgent",
        "36 M3 signal B sent by B#0",
        "66 M3 signal B sent by A#0 batch lax",
    ];
    assert_eq!(told, expected);
}

#[test]
fn batches_under_none_run_to_their_own_ends() {
    let mut draft = two();
    draft.policy.preemption = Preemption::None;
    draft.kernels[1].stream = "S1".to_owned();
    // B waits for the urgent batch, and not for the whole job.
    let expected = ["0 E1 chosen A#0 batch urgent", "10 E1 chosen B#0", "30 E1 chosen A#0 batch lax"];
    assert_eq!(lines(&run(&draft).trace, &["E1"]), expected);
}

#[test]
fn batches_change_nothing_where_no_deadlines_rule() {
    for kind in [PolicyKind::Fifo, PolicyKind::Priority, PolicyKind::Runlist] {
        let mut draft = two();
        draft.policy.kind = kind;
        let with = run(&draft).trace.text();
        draft.batches.clear();
        draft.kernels.iter_mut().for_each(|row| row.batch = None);
        assert_eq!(run(&draft).trace.text(), with);
    }
}

#[test]
fn batches_that_are_wrong_are_refused() {
    let found = |edit: &dyn Fn(&mut Draft)| {
        let mut draft = two();
        edit(&mut draft);
        problems(&draft)
    };
    let name = |name: &str| Some(name.to_owned());
    let say = |edit: &dyn Fn(&mut Draft), expected: &str| assert_eq!(found(edit), [expected]);
    say(&|d| d.kernels[0].batch = name("X"), "kernels[0].batch there is no batch \"X\"");
    assert_eq!(found(&|d| d.batches[1].name = String::new())[0], "batches[1].name is empty; every row needs a name");
    say(&|d| d.batches[0].task = name("X"), "batches[0].task there is no task \"X\"");
    say(&|d| d.batches[0].deadline_ns = 0, "batches[0].deadline_ns is 0 ns; at least 1 ns is needed");
    say(&|d| d.batches[0].period_ns = Some(0), "batches[0].period_ns is 0 ns; at least 1 ns is needed");
    say(
        &|d| d.kernels[2].batch = name("lax"),
        "kernels[2].batch \"lax\" belongs to another task; a row can only be in a batch of its own task",
    );
    say(&|d| d.kernels[1].batch = name("urgent"), "kernels[1].batch \"urgent\" has row \"U\" in another stream; a batch is of one stream");
    let between = |d: &mut Draft| {
        d.kernels[1].stream = "S1".to_owned();
        d.kernels.push(kernel("V", "A", "S1", Some("urgent"), 1));
    };
    say(&between, "kernels[3].batch \"urgent\" has ended with row \"U\", as \"L\" of its stream comes between");
    let waits = |d: &mut Draft| {
        d.kernels.push(KernelDraft { batch: name("lax"), ..KernelDraft::calling("W", Call::SynchronizeStream, 0) });
    };
    say(&waits, "kernels[3].batch \"lax\" is of launches, copies and memsets; the row calls synchronize_stream");
    let node = |d: &mut Draft| {
        let launch = KernelDraft { task: name("A"), batch: name("lax"), ..KernelDraft::calling("G", Call::LaunchGraph, 0) };
        d.kernels[1] = KernelDraft { stream: "S2".to_owned(), ..launch };
        d.kernels.insert(2, KernelDraft { graph: name("G"), ..kernel("N", "A", "S2", Some("lax"), 1) });
    };
    say(&node, "kernels[2].batch is of a node; the row that launches the graph names the batch");
    let missing = "batches[0].budget_ns is missing; with servers every batch needs one of at least 1 ns";
    assert_eq!(found(&|d| d.policy.cbs = true)[0], missing);
    let best_effort = "batches[0].task \"A\" is a best-effort task; only real-time tasks have batches";
    assert_eq!(found(&|d| d.tasks[0].class = Some(Class::BestEffort))[0], best_effort);
    let chained = "batches[0].task \"A\" consumes or is consumed; a task with batches does neither";
    assert_eq!(found(&|d| d.tasks[1].consumes = vec!["A".to_owned()])[0], chained);
    // Without deadlines nothing of this matters.
    let mut draft = two();
    (draft.policy.kind, draft.policy.cbs, draft.tasks[0].class) = (PolicyKind::Priority, true, Some(Class::BestEffort));
    Scenario::new(&draft).unwrap();
}

#[test]
fn batches_check_finds_what_is_wrong() {
    let mut draft = two();
    draft.policy.cbs = true;
    draft.batches.iter_mut().for_each(|batch| batch.budget_ns = Some(40));
    let good = run(&draft).trace;
    let renewed = good.steps().iter().position(|s| matches!(s.change, Change::ServerRenewed { claimant: ClaimantId(2), .. })).unwrap();
    let found = found_after(&good, |steps| {
        steps[renewed].change = Change::ServerRenewed { claimant: ClaimantId(2), deadline: Time(31) };
    });
    assert!(found.iter().any(|v| v.invariant == Invariant::Server), "{found:?}");
    let chosen = good.steps().iter().position(|s| matches!(s.change, Change::Chosen { claimant: ClaimantId(2), .. })).unwrap();
    let found = found_after(&good, |steps| {
        if let Change::Chosen { claimant, .. } = &mut steps[chosen].change {
            // What A issues outside of its batches: nothing.
            *claimant = ClaimantId(0);
        }
    });
    assert!(found.iter().any(|v| v.invariant == Invariant::Chosen), "{found:?}");
}

#[test]
fn batches_with_a_budget_above_their_period_are_doubtful() {
    let mut draft = two();
    draft.batches[0].budget_ns = Some(31);
    let warnings: Vec<String> =
        Scenario::new(&draft).unwrap().warnings().iter().map(|problem| format!("{} {}", problem.path, problem.message)).collect();
    assert_eq!(warnings, ["batches[0].budget_ns is 31 ns, above the deadline of 30 ns"]);
    assert_eq!(Scenario::new(&draft).unwrap().claimant(ClaimantId(2)).period, Some(Span(30)));
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn batches_every_run_is_sound_and_every_state_found_again(
        draft in batched(),
        places in prop::collection::vec(any::<prop::sample::Index>(), 4),
    ) {
        is_sound_and_found_again(&draft, places)?;
    }
}
