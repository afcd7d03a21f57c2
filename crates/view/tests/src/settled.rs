//! Scenarios about which the contract was once wrong or silent, in `tests/data/contract`: engine, checker and second simulator agree on
//! what it says now.

use blockstep_format::{read_scenario, write_trace};
use blockstep_sim::engine::Run;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    Call, DefaultStream, Device, DeviceDraft, Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, StreamDraft,
    StreamPriority, TaskDraft,
};
use blockstep_view::dead_end::dead_end;
use proptest::prelude::*;
use serde_json::Value;

use crate::differential::without_spins;
use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::oracle;
use blockstep_testing::stage::{executions, lines, run};

/// Simulates and checks, and compares with the second simulator.
fn settled(draft: &Draft) -> Run {
    let run = run(draft);
    let trace: Value = serde_json::from_str(&write_trace(&run.trace, &Records::new(&run.trace)).unwrap().to_string()).unwrap();
    assert_eq!(without_spins(trace), oracle::simulate(draft).to_json());
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

/// What is said of work that never completes.
fn said(run: &Run) -> Option<String> {
    dead_end(run, &Records::new(&run.trace))
}

#[test]
fn settled_a_consumer_waits_for_kernels_and_not_for_the_thread_that_launched_them() {
    for call in [Call::Free, Call::Allocate, Call::SynchronizeDevice] {
        let mut draft = case!("producer-sync-dead-end");
        draft.kernels[2].call = call;
        let run = settled(&draft);
        assert_eq!(executions(&run), "K1:0 0-10, K2:0 10-20");
        assert_eq!(lines(&run, &["J2"]), ["20 J2 completed detect#0", "20 J2 completed camera#0"]);
        assert_eq!(said(&run), None);
        // Nor for a producer that only synchronizes.
        draft.kernels.remove(1);
        assert_eq!(executions(&settled(&draft)), "K2:0 0-10");
    }
}

#[test]
fn settled_a_job_whose_thread_waits_for_others_gives_way() {
    let run = settled(&case!("none-dead-end"));
    assert_eq!(executions(&run), "KJ:0 1-11, KP:0 11-21, KC:0 21-31");
    assert_eq!(said(&run), None);
}

#[test]
fn settled_work_that_never_completes_is_told() {
    // The call stands between kernels of the producer.
    let mut draft = case!("producer-sync-dead-end");
    draft.kernels.push(KernelDraft { task: Some("camera".to_owned()), ..KernelDraft::named("K3", 1, 32, 10) });
    let waits = "some work can never complete: K2 waits for job 0 of task \"camera\", which waits for free, which waits for K2";
    assert_eq!(said(&settled(&draft)).as_deref(), Some(waits));
    // While another task goes on.
    draft.tasks.push(TaskDraft { release: Release::Periodic, period_ns: Some(50), ..TaskDraft::named("other") });
    let kernel = KernelDraft { stream: "S9".to_owned(), ..KernelDraft::named("K9", 1, 32, 10) };
    draft.kernels.push(KernelDraft { task: Some("other".to_owned()), ..kernel });
    draft.horizon_ns = Some(500);
    assert_eq!(said(&settled(&draft)).as_deref(), Some(waits));
    // Of a job that is released later than the run is long nothing is said.
    let mut draft = case!("producer-sync-dead-end");
    (draft.tasks[1].offset_ns, draft.horizon_ns) = (1000, Some(500));
    assert_eq!(said(&settled(&draft)), None);
    // But of one that never is.
    let mut draft = case!("producer-sync-dead-end");
    (draft.tasks[0].release, draft.tasks[0].period_ns, draft.tasks[0].jobs) = (Release::Periodic, Some(50), Some(2));
    draft.horizon_ns = Some(500);
    let never = "some work can never complete: K2#1 waits for job 1 of task \"camera\", which is never released";
    assert_eq!(said(&settled(&draft)).as_deref(), Some(never));
    // Nor what was reset.
    let task = |name: &str, offset_ns, deadline_ns| TaskDraft {
        process: Some(name.to_owned()),
        offset_ns,
        deadline_ns: Some(deadline_ns),
        ..TaskDraft::named(name)
    };
    let row = |name: &str, task: &str| KernelDraft { task: Some(task.to_owned()), ..KernelDraft::named(name, 1, 32, 100) };
    let draft = Draft {
        policy: PolicyDraft { kind: PolicyKind::Edf, preemption: Preemption::Block, watchdog_ns: Some(1), ..PolicyDraft::default() },
        processes: vec![ProcessDraft::named("stuck"), ProcessDraft::named("urgent")],
        tasks: vec![task("stuck", 0, 900), task("urgent", 1, 200)],
        kernels: vec![row("K1", "stuck"), row("K2", "urgent")],
        ..Draft::default()
    };
    let reset = "some work can never complete: K1 waits for process stuck, which the watchdog has reset";
    assert_eq!(said(&settled(&draft)).as_deref(), Some(reset));
    // The NULL stream waits for what waits for its own kernel.
    let mut draft = case!("steps-false-n2");
    draft.policy.kind = PolicyKind::Priority;
    draft.kernels.reverse();
    let circle = "some work can never complete: K2 waits for job 0 of task \"P\", which waits for K1, which waits for K2";
    assert_eq!(said(&settled(&draft)).as_deref(), Some(circle));
}

proptest! {
    #![proptest_config(cases(1500))]

    /// A run without a horizon ends with work left where that is told, and nowhere else.
    #[test]
    fn settled_what_is_left_is_told(draft in any_drafts()) {
        let mut draft = draft;
        let recurs = |t: &TaskDraft| t.release == Release::Periodic || t.release == Release::Continuous && t.jobs.is_none();
        draft.tasks.iter_mut().filter(|t| recurs(t)).for_each(|t| t.release = Release::Once);
        // Where processes take turns, blocks that spin need a horizon.
        let spins = draft.policy.kind.takes_turns() && draft.kernels.iter().any(KernelDraft::spins);
        draft.horizon_ns.take_if(|_| !spins);
        prop_assume!(draft.horizon_ns.is_none());
        let run = run(&draft);
        let records = Records::new(&run.trace);
        let is_left = records.ops.iter().any(|op| op.end.is_none()) || records.calls.iter().any(|call| call.returned.is_none());
        prop_assert_eq!(dead_end(&run, &records).is_some(), is_left, "{}", run.trace.text());
    }
}

#[test]
fn settled_copies_of_the_other_direction_are_in_another_queue_of_a_connection() {
    let two = case!("copy-queues-of-a-connection");
    let mut one = two.clone();
    let DeviceDraft::Custom(device) = &mut one.device else { panic!("a device of its own") };
    device.copy_engines = 1;
    // Four streams of 3 ms each: half of the sequence, as measured on a C2050, and all of it, as on a C1060.
    assert_eq!(settled(&two).trace.end().ns() / 1_000, 6_000);
    assert_eq!(settled(&one).trace.end().ns() / 1_000, 12_000);
}

#[test]
fn settled_synchronous_copies_belong_to_the_null_stream() {
    let row = |name: &str, stream: &str, call: Call| KernelDraft {
        stream: stream.to_owned(),
        call,
        ..if call == Call::Kernel { KernelDraft::named(name, 1, 32, 100) } else { KernelDraft::named(name, 0, 0, 0) }
    };
    let copy = |call: Call| KernelDraft { bytes: 40, synchronous: true, ..row("copy", "S3", call) };
    let ends = |call: Call, default_stream: DefaultStream| {
        let kernels = vec![row("K1", "S1", Call::Kernel), copy(call), row("K2", "S2", Call::Kernel), row("K3", "S4", Call::Kernel)];
        let device = Device { copy_bandwidth_bytes_per_s: 1_000_000_000, ..Device::default() };
        let mut draft = Draft { kernels, device: DeviceDraft::Custom(device), ..Draft::default() };
        draft.processes = vec![ProcessDraft { default_stream, ..ProcessDraft::named("P0") }];
        draft.streams = vec![StreamDraft { process: None, name: "S4".to_owned(), priority: StreamPriority::None, non_blocking: true }];
        executions(&settled(&draft))
    };
    // K1 holds it up (N1), K2 waits for it (N2), and the CPU before K2 and K3.
    assert_eq!(ends(Call::CopyToDevice, DefaultStream::Legacy), "K1:0 0-100, K2:0 140-240, K3:0 140-240, copy 100-140");
    assert_eq!(ends(Call::CopyToHost, DefaultStream::PerThread), "K1:0 0-100, K2:0 40-140, K3:0 40-140, copy 0-40");
    // Within the device the CPU goes on: K3's stream is non-blocking.
    for call in [Call::CopyOnDevice, Call::Memset] {
        assert_eq!(ends(call, DefaultStream::Legacy), "K1:0 0-100, K3:0 0-100, K2:0 140-240, copy 100-140");
    }
}
