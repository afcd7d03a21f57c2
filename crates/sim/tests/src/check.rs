//! `check` rejects known-bad traces: good ones with one thing put wrong, for every invariant.

use std::sync::Arc;

use blockstep_sim::check::{Invariant, Violation, check};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Call, Draft, KernelDraft, PolicyKind, Release, Scenario, StreamDraft, StreamPriority, TaskDraft};
use blockstep_sim::trace::{Change, Level, Step, Trace};
use blockstep_sim::units::{JobNo, OpId, SmId, Time};
use blockstep_testing::stage::retold;

/// On the TX2: K1 leaves K2 no threads, K3 waits for the NULL stream, K4 is urgent, K5 copies,
/// K6 comes again and again, K7 waits for its producer.
fn scenario() -> Arc<Scenario> {
    let row = |name: &str, stream: &str, task: &str, start, blocks, threads| {
        let mut k = KernelDraft::named(name, blocks, threads, 100);
        (k.stream, k.task, k.start_ns) = (stream.to_owned(), Some(task.to_owned()), start);
        k
    };
    let mut copies = row("K5", "S5", "A", 0, 1, 32);
    (copies.copy_in_bytes, copies.copy_out_bytes) = (100, 100);
    let mut copies_in = row("K8", "S8", "A", 0, 1, 32);
    copies_in.copy_in_bytes = 100;
    let (mut repeats, mut consumes) = (TaskDraft::named("B"), TaskDraft::named("C"));
    (repeats.release, repeats.period_ns, repeats.jobs) = (Release::Periodic, Some(500), Some(2));
    consumes.consumes = vec!["A".to_owned()];
    let mut draft = Draft {
        tasks: vec![TaskDraft::named("A"), repeats, consumes, TaskDraft::named("D")],
        horizon_ns: Some(2000),
        streams: vec![StreamDraft { process: None, name: "S4".to_owned(), priority: StreamPriority::High, non_blocking: false }],
        kernels: vec![
            row("K1", "S1", "A", 0, 6, 1024),
            row("K2", "S2", "A", 1, 2, 512),
            row("K3", "NULL", "D", 150, 1, 64),
            row("K4", "S4", "A", 20, 2, 1024),
            copies,
            row("K6", "S6", "B", 0, 2, 32),
            row("K7", "S7", "C", 0, 1, 32),
            copies_in,
        ],
        ..Draft::default()
    };
    draft.policy.kind = PolicyKind::Priority;
    Scenario::new(&draft).unwrap()
}

fn good() -> Trace {
    let run = engine::simulate(&scenario(), Limits::default());
    assert_eq!(check(&run.trace, &Records::new(&run.trace)), []);
    Arc::unwrap_or_clone(run.trace)
}

/// The same run with other steps.
fn rebuilt(good: &Trace, steps: impl IntoIterator<Item = Step>, end: Time) -> Trace {
    retold(good, good.scenario(), steps, end)
}

/// What is found after `edit` of the steps of the good run.
fn found_after(edit: impl FnOnce(&Trace, &mut Vec<Step>)) -> Vec<Violation> {
    let good = good();
    let mut steps = good.steps().to_vec();
    edit(&good, &mut steps);
    assert_ne!(steps, good.steps(), "the edit changes something");
    let bad = rebuilt(&good, steps, good.end());
    check(&bad, &Records::new(&bad))
}

fn assert_found(invariant: Invariant, edit: impl FnOnce(&Trace, &mut Vec<Step>)) {
    let found = found_after(edit);
    assert!(found.iter().any(|v| v.invariant == invariant), "{invariant:?} is not among {found:#?}");
}

/// Place of the step whose text, without time and rule, is `what`.
fn find(trace: &Trace, what: &str) -> usize {
    let text = |step: &Step| {
        let mut line = String::new();
        trace.write_step(step, &mut line).unwrap();
        line.splitn(3, ' ').nth(2).unwrap().to_owned()
    };
    let found = trace.steps().iter().position(|s| text(s) == what);
    found.unwrap_or_else(|| panic!("no step \"{what}\" in\n{}", trace.text()))
}

fn remove(what: &'static str) -> impl FnOnce(&Trace, &mut Vec<Step>) {
    move |trace, steps| {
        steps.remove(find(trace, what));
    }
}

/// Moves a step to just after (or, if it is later, before) another, at that one's time.
fn moved(what: &'static str, to: &'static str) -> impl FnOnce(&Trace, &mut Vec<Step>) {
    move |trace, steps| {
        let (from, to) = (find(trace, what), find(trace, to));
        let step = Step { at: steps[to].at, ..steps.remove(from) };
        steps.insert(to, step);
    }
}

fn changed(what: &'static str, edit: impl Fn(&mut Change)) -> impl FnOnce(&Trace, &mut Vec<Step>) {
    move |trace, steps| edit(&mut steps[find(trace, what)].change)
}

fn op(trace: &Trace, name: &str) -> OpId {
    OpId::at((0..trace.ops().len()).find(|&i| trace.op_label(OpId::at(i)) == name).unwrap())
}

/// What is found in a run of these rows in which a kernel moves on right after its issue.
fn found_too_early(draft: &Draft, early: &str) -> Vec<Violation> {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(check(&run.trace, &Records::new(&run.trace)), []);
    let mut steps = run.trace.steps().to_vec();
    let op = op(&run.trace, early);
    let from = steps.iter().position(|s| matches!(s.change, Change::EeJoined { op: moved, .. } if moved == op)).unwrap();
    let to = steps.iter().position(|s| s.change == Change::Issued { op }).unwrap();
    let step = Step { at: steps[to].at, ..steps.remove(from) };
    steps.insert(to + 1, step);
    let bad = rebuilt(&run.trace, steps, run.trace.end());
    check(&bad, &Records::new(&bad))
}

#[test]
fn check_finds_what_events_and_connections_hold_back() {
    let row = |name: &str, stream: &str| KernelDraft { stream: stream.to_owned(), ..KernelDraft::named(name, 1, 32, 100) };
    let recording = KernelDraft { records: Some("E".to_owned()), ..row("K1", "S1") };
    let waiting = KernelDraft { waits_for: vec!["E".to_owned()], ..row("K3", "S2") };
    let event = Draft { kernels: vec![recording, row("K2", "S1"), waiting], ..Draft::default() };
    let connection = Draft { connections: Some(1), kernels: vec![row("K1", "S1"), row("K2", "S1"), row("K3", "S2")], ..Draft::default() };
    for (draft, invariant) in [(event, Invariant::Event), (connection, Invariant::Connection)] {
        let found = found_too_early(&draft, "K3");
        assert!(found.iter().any(|v| v.invariant == invariant), "{invariant:?} is not among {found:#?}");
    }
}

#[test]
fn check_finds_steps_out_of_time() {
    assert_found(Invariant::TimeOrder, |_, steps| steps.last_mut().unwrap().at = Time(3));
    let good = good();
    let early = rebuilt(&good, good.steps().iter().copied(), Time(5));
    assert!(check(&early, &Records::new(&early)).iter().any(|v| v.invariant == Invariant::TimeOrder));
}

#[test]
fn check_finds_wrong_jobs() {
    assert_found(Invariant::Jobs, moved("released B#1", "K4 -> stream S4"));
    assert_found(Invariant::Jobs, remove("completed A#0"));
    assert_found(Invariant::Jobs, moved("completed A#0", "K1 <- stream S1"));
    let other_number = |change: &mut Change| {
        if let Change::JobReleased { job, .. } = change {
            *job = JobNo(7);
        }
    };
    assert_found(Invariant::Jobs, changed("released B#1", other_number));
}

#[test]
fn check_finds_wrong_issues() {
    assert_found(Invariant::Issue, |_, steps| steps.iter_mut().filter(|s| s.at == Time(1)).for_each(|s| s.at = Time(2)));
    assert_found(Invariant::Issue, |trace, steps| {
        let (a, b) = (find(trace, "K1 -> stream S1"), find(trace, "C5i -> stream S5"));
        (steps[a].change, steps[b].change) = (steps[b].change, steps[a].change);
    });
}

#[test]
fn check_finds_streams_out_of_order() {
    assert_found(Invariant::StreamOrder, moved("K5 -> EE low", "K2 -> EE low"));
    assert_found(Invariant::StreamOrder, moved("C5o -> CE0 queue", "K2 -> EE low"));
}

#[test]
fn check_finds_null_streams_ignored() {
    // K3, on the NULL stream, before what was launched before it (N1).
    assert_found(Invariant::NullStream, moved("K3 -> EE low", "K4:0 <- SM0"));
    // K6's second job was launched while K3 stood in the NULL stream (N2).
    assert_found(Invariant::NullStream, moved("K6#1 -> EE low", "K3:0 <- SM0"));
}

#[test]
fn check_finds_producers_ignored() {
    assert_found(Invariant::Producers, moved("K7 -> EE low", "K4 -> stream S4"));
}

#[test]
fn check_finds_wrong_queues() {
    let to_low = |change: &mut Change| {
        if let Change::EeJoined { level, .. } = change {
            *level = Level::Low;
        }
    };
    assert_found(Invariant::Queue, changed("K4 -> EE high", to_low));
    let to_other = |change: &mut Change| {
        if let Change::CeJoined { engine, .. } = change {
            *engine = 1;
        }
    };
    assert_found(Invariant::Queue, changed("C5i -> CE0 queue", to_other));
}

#[test]
fn check_finds_blocks_out_of_order() {
    assert_found(Invariant::BlockOrder, |trace, steps| {
        let (a, b) = (find(trace, "K1:0 -> SM0"), find(trace, "K1:1 -> SM1"));
        (steps[a].change, steps[b].change) = (steps[b].change, steps[a].change);
    });
    assert_found(Invariant::BlockOrder, remove("K1:3 -> SM1"));
}

#[test]
fn check_finds_ee_queues_out_of_order() {
    // K2 overtakes K1 within the instant.
    assert_found(Invariant::EeOrder, |trace, steps| {
        let k2 = op(trace, "K2");
        let from = steps.iter().position(|s| matches!(s.change, Change::BlockAssigned { op, .. } if op == k2)).unwrap();
        let at = steps[from].at;
        let first = steps.iter().position(|s| s.at == at && matches!(s.change, Change::BlockAssigned { .. })).unwrap();
        let step = steps.remove(from);
        steps.insert(first, step);
    });
    assert_found(Invariant::EeOrder, remove("K1 <- EE low"));
    assert_found(Invariant::EeOrder, moved("K1 <- EE low", "K1:2 -> SM0"));
}

#[test]
fn check_finds_priorities_ignored() {
    assert_found(Invariant::Priority, moved("K1:4 -> SM0", "K4:0 -> SM0"));
}

#[test]
fn check_finds_ce_queues_out_of_order() {
    assert_found(Invariant::CeOrder, |trace, steps| {
        let (a, b) = (find(trace, "C5i -> CE0"), find(trace, "C8i -> CE0"));
        (steps[a].change, steps[b].change) = (steps[b].change, steps[a].change);
    });
    assert_found(Invariant::CeOrder, remove("C8i <- CE0 queue"));
}

#[test]
fn check_finds_a_shared_copy_engine() {
    assert_found(Invariant::CopyEngine, moved("C8i -> CE0", "C5i <- CE0 queue"));
}

#[test]
fn check_finds_full_sms() {
    let to_sm_0 = |change: &mut Change| {
        if let Change::BlockAssigned { sm, .. } = change {
            *sm = SmId(0);
        }
    };
    assert_found(Invariant::Threads, changed("K1:3 -> SM1", to_sm_0));
    // The other resources: a device on which two blocks just fit is given a third.
    for (invariant, edit) in [
        (Invariant::SharedMemory, (|k: &mut KernelDraft| k.shared_memory_bytes = 32 << 10) as fn(&mut KernelDraft)),
        (Invariant::Registers, |k| (k.threads_per_block, k.registers_per_thread) = (256, 128)),
        (Invariant::Slots, |k| k.blocks = 80),
    ] {
        let mut kernel = KernelDraft::named("K1", 6, 16, 100);
        edit(&mut kernel);
        let draft = Draft { kernels: vec![kernel], ..Draft::default() };
        let good = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default()).trace;
        assert_eq!(check(&good, &Records::new(&good)), []);
        let steps = good.steps().iter().map(|s| {
            let mut step = *s;
            to_sm_0(&mut step.change);
            step
        });
        let bad = rebuilt(&good, steps, good.end());
        let found = check(&bad, &Records::new(&bad));
        assert!(found.iter().any(|v| v.invariant == invariant), "{invariant:?}");
        let others = [Invariant::Threads, Invariant::SharedMemory, Invariant::Registers, Invariant::Slots];
        assert!(!found.iter().any(|v| v.invariant != invariant && others.contains(&v.invariant)), "only {invariant:?}: {found:?}");
    }
}

#[test]
fn check_finds_wrong_run_times() {
    assert_found(Invariant::RunTime, remove("K2:0 <- SM0"));
    assert_found(Invariant::RunTime, moved("K1:0 <- SM0", "K4 -> stream S4"));
    assert_found(Invariant::RunTime, moved("C5i <- CE0 and stream S5", "K4 -> stream S4"));
}

#[test]
fn check_finds_kernels_that_complete_too_early_or_never() {
    assert_found(Invariant::Completion, moved("K1 <- stream S1", "K1:2 <- SM0"));
    assert_found(Invariant::Completion, remove("K7 <- stream S7"));
}

#[test]
fn check_finds_what_is_left_behind() {
    assert_found(Invariant::LeftBehind, moved("K5 -> EE low", "K1:4 -> SM0"));
    assert_found(Invariant::LeftBehind, |trace, steps| {
        let from = find(trace, "K1:0 -> SM0");
        // All of the first instant's assignments come one nanosecond late.
        steps[from..].iter_mut().take_while(|s| s.at == Time::ZERO).for_each(|s| s.at = Time(1));
    });
    assert_found(Invariant::LeftBehind, |trace, steps| {
        let from = find(trace, "C5i -> CE0");
        steps[from..].iter_mut().take_while(|s| s.at == Time::ZERO).for_each(|s| s.at = Time(1));
    });
}

#[test]
fn check_finds_a_rule_that_was_not_the_reason() {
    assert_found(Invariant::Citation, |trace, steps| steps[find(trace, "K7 -> EE low")].rule = blockstep_sim::trace::Rule::N2);
}

/// B and C follow A, C in a branch; K behind the graph.
fn with_graph() -> Trace {
    let node = |name: &str, time, waits_for: &[&str]| KernelDraft {
        graph: Some("G".to_owned()),
        waits_for: waits_for.iter().map(|&name| name.to_owned()).collect(),
        ..KernelDraft::named(name, 1, 32, time)
    };
    let kernels = vec![
        KernelDraft::calling("G", Call::LaunchGraph, 0),
        node("A", 10, &[]),
        node("B", 10, &["A"]),
        node("C", 30, &["A"]),
        KernelDraft::named("K", 1, 32, 10),
    ];
    let run = engine::simulate(&Scenario::new(&Draft { kernels, ..Draft::default() }).unwrap(), Limits::default());
    assert_eq!(check(&run.trace, &Records::new(&run.trace)), []);
    Arc::unwrap_or_clone(run.trace)
}

/// A step that moves an operation on, brought before the one that it has to wait for.
#[test]
fn check_finds_nodes_and_followers_of_graphs_that_are_too_early() {
    for (early, awaited) in [("C", "A complete"), ("K", "C complete")] {
        let good = with_graph();
        let mut steps = good.steps().to_vec();
        let joins = steps.iter().position(|s| matches!(s.change, Change::EeJoined { op, .. } if good.op_label(op) == early)).unwrap();
        let completes =
            steps.iter().position(|s| matches!(s.change, Change::KernelCompleted { op } if awaited.starts_with(&good.op_label(op))));
        let completes = completes.unwrap();
        assert!(completes < joins);
        let step = Step { at: steps[completes].at, ..steps.remove(joins) };
        steps.insert(completes, step);
        let bad = rebuilt(&good, steps, good.end());
        let found = check(&bad, &Records::new(&bad));
        assert!(found.iter().any(|v| v.invariant == Invariant::Graph), "{early} before {awaited}: {found:#?}");
    }
}

/// A graph is one call: what is called before its last node is issued is out of turn.
#[test]
fn check_finds_a_graph_that_is_not_one_call() {
    let good = with_graph();
    let mut steps = good.steps().to_vec();
    let issue = |name: &str| steps.iter().position(|s| matches!(s.change, Change::Issued { op } if good.op_label(op) == name)).unwrap();
    let (c, k) = (issue("C"), issue("K"));
    steps.swap(c, k);
    let bad = rebuilt(&good, steps, good.end());
    let found = check(&bad, &Records::new(&bad));
    assert!(found.iter().any(|v| v.invariant == Invariant::Host), "{found:#?}");
}
