//! [MT] Tables I and II with Fig. 2: which command stands in which queue, and the one false
//! dependency, there without set-event-queue and gone with it.

use blockstep_batch::arch::ArchId;
use blockstep_batch::command::{CommandKind, CommandNo};
use blockstep_batch::example::tables;
use blockstep_batch::holds::{HoldKind, Remedy};
use blockstep_batch::methods::Method;
use blockstep_batch::queues::QueueKind;
use blockstep_batch::simulate;
use blockstep_batch::simulate::BatchRun;
use blockstep_batch::state::{BatchChange, BatchState, Replay};
use blockstep_sim::units::Time;

use super::stage::labels;

fn run(set_event_queue: bool) -> BatchRun {
    simulate(&tables(set_event_queue), &ArchId::Fermi.arch()).unwrap()
}

/// What was ever placed in a queue, in order.
fn placed(run: &BatchRun, kind: QueueKind) -> Vec<String> {
    let issues = run.steps.iter().filter_map(|step| match step.change {
        BatchChange::Issue(no, Some(queue)) if queue.kind == kind => Some(no),
        _ => None,
    });
    labels(run, &issues.collect::<Vec<_>>())
}

/// The state before anything moves: everything is issued at instant 0.
fn issued(run: &BatchRun) -> BatchState {
    let first = run.steps.iter().position(|s| !matches!(s.change, BatchChange::Issue(..))).unwrap();
    Replay::new(&run.program, &run.steps).go(first).clone()
}

const COPY_1: [&str; 5] = ["s1_start_HDcpy_t1", "s1_HDcpy_t1", "s1_stop_HDcpy_t1", "s2_HDcpy_t2", "s1_start_Kexe_t1"];
const EXECUTE_1: [&str; 2] = ["s1_Kexe_t1", "s1_stop_Kexe_t1"];
const COPY_2: [&str; 5] = ["s1_dummy_HDcpy", "s1_start_HDcpy_t1", "s1_HDcpy_t1", "s1_stop_HDcpy_t1", "s2_HDcpy_t2"];
const EXECUTE_2: [&str; 5] = ["s3_dummy_Kexe", "s3_W_s1_stop_HDcpy_t1", "s3_start_Kexe_t1", "s3_Kexe_t1", "s3_stop_Kexe_t1"];

#[test]
fn batch_table_one_stands_in_the_queues_as_figure_2a_has_it() {
    let run = run(false);
    assert_eq!(placed(&run, QueueKind::Copy), COPY_1);
    assert_eq!(placed(&run, QueueKind::Execution), EXECUTE_1);
    let state = issued(&run);
    let queues: Vec<_> = state.queues.iter().map(|(queue, waiting)| (queue.name(), labels(&run, waiting))).collect();
    let expected = [("copy queue", &COPY_1[..]), ("execution queue", &EXECUTE_1[..])];
    assert_eq!(queues, expected.map(|(name, labels)| (name.to_owned(), labels.iter().map(|l| (*l).to_owned()).collect())));
}

#[test]
fn batch_table_two_stands_in_the_queues_as_figure_2b_has_it() {
    let run = run(true);
    assert_eq!(placed(&run, QueueKind::Copy), COPY_2);
    assert_eq!(placed(&run, QueueKind::Execution), EXECUTE_2);
}

#[test]
fn batch_the_one_false_dependency_is_there_without_set_event_queue() {
    let run = run(false);
    let [hold] = run.holds[..] else { panic!("{:?}", run.holds) };
    assert_eq!(hold.kind, HoldKind::FalseDependency);
    assert_eq!(labels(&run, &[hold.held, hold.waits, hold.behind]), ["s1_Kexe_t1", "s1_start_Kexe_t1", "s2_HDcpy_t2"]);
    assert_eq!((hold.time.start, hold.time.end), (Time(1_000_000), Time(5_000_000)), "all of the second copy");
    assert_eq!(hold.queue.name(), "copy queue");
    assert_eq!(hold.remedy, Remedy::Use(Method::SetEventQueue));
    assert_eq!(run.end, Time(7_000_000), "copy, copy, kernel");
}

#[test]
fn batch_the_false_dependency_is_gone_with_set_event_queue() {
    let run = run(true);
    assert_eq!(run.holds, []);
    assert_eq!(run.end, Time(5_000_000), "the kernel runs beside the second copy");
}

#[test]
fn batch_with_hyper_q_the_example_needs_no_method() {
    let run = simulate(&tables(false), &ArchId::Kepler.arch()).unwrap();
    assert_eq!(run.holds, []);
    assert_eq!(run.end, Time(5_000_000));
}

/// The fine lines of Fig. 2b: each command follows the one before it in its stream, and the wait
/// follows the event.
#[test]
fn batch_expected_dependencies_are_those_of_streams_and_events() {
    let run = run(true);
    let lines: Vec<Vec<String>> = run.dependencies().into_iter().map(|(no, before)| labels(&run, &[before, no])).collect();
    let expected = [
        ["s1_dummy_HDcpy", "s1_start_HDcpy_t1"],
        ["s1_start_HDcpy_t1", "s1_HDcpy_t1"],
        ["s1_HDcpy_t1", "s1_stop_HDcpy_t1"],
        ["s3_dummy_Kexe", "s3_W_s1_stop_HDcpy_t1"],
        ["s1_stop_HDcpy_t1", "s3_W_s1_stop_HDcpy_t1"],
        ["s3_W_s1_stop_HDcpy_t1", "s3_start_Kexe_t1"],
        ["s3_start_Kexe_t1", "s3_Kexe_t1"],
        ["s3_Kexe_t1", "s3_stop_Kexe_t1"],
    ];
    assert_eq!(lines, expected);
}

/// Commands that wait for each other in a circle are an error that names them, and no endless run.
#[test]
fn batch_a_circle_is_an_error() {
    let mut program = tables(true);
    // The kernel waits for an event that is recorded behind it in the same queue.
    let stop = program.commands.len() as u32 - 1;
    let wait = program.commands.iter().position(|c| matches!(c.kind, CommandKind::Wait(_))).unwrap();
    program.commands[wait].kind = CommandKind::Wait(CommandNo(stop));
    let deadlock = simulate(&program, &ArchId::Fermi.arch()).unwrap_err();
    assert_eq!(deadlock.heads, ["s3_W_s3_stop_Kexe_t1"]);
}
