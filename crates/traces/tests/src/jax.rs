//! Traces of XLA's profiler, as JAX writes them: small files made by hand in the form that its code gives them.

use blockstep_traces::causes::{Analysis, KnownSettings};
use blockstep_traces::files::{ProfileError, read_profile, read_profile_within};
use blockstep_traces::path::groups::{PathShare, groups};
use blockstep_traces::path::paths;
use blockstep_traces::path::words::{sentence, subject};
use blockstep_traces::{CallKind, Flaw, HostSort, OperationKind, ProfilerSource, RecordedLaunch, Recording, words};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The process of the host.
const HOST: u64 = 701;

fn meta(pid: u64, tid: Option<u64>, name: &str) -> Value {
    let kind = if tid.is_some() { "thread_name" } else { "process_name" };
    let mut event = json!({ "ph": "M", "pid": pid, "name": kind, "args": { "name": name } });
    if let Some(tid) = tid {
        event["tid"] = json!(tid);
    }
    event
}

/// An event from an instant on for so long, us. All arguments are texts, as the profiler writes them.
fn event(pid: u64, tid: u64, name: &str, (ts, dur): (f64, f64), args: Value) -> Value {
    json!({ "ph": "X", "pid": pid, "tid": tid, "ts": ts, "dur": dur, "name": name, "args": args })
}

const DETAILS: &str = "regs:32 static_shared:1024 dynamic_shared:16 grid:4,2,1 block:128,1,1 occ_pct:50";

/// A program of two GPUs: a copy, a kernel that a launch with the kernel's name started, a memset, and a graph of two kernels.
fn events() -> Vec<Value> {
    vec![
        meta(HOST, None, "/host:CPU"),
        meta(HOST, Some(5), "python/5"),
        meta(1, None, "/device:GPU:0"),
        meta(1, Some(13), "Stream #13(Compute)"),
        meta(1, Some(14), "Stream #14(MemcpyH2D,MemcpyD2H,MemoryAlloc)"),
        meta(1, Some(800), "XLA Modules"),
        meta(1, Some(801), "XLA Ops"),
        meta(1, Some(802), "Steps"),
        meta(2, None, "/device:GPU:1"),
        meta(2, Some(13), "Stream #13(Compute)"),
        event(HOST, 5, "$train.py:12 step", (0.0, 300.0), json!({})),
        event(HOST, 5, "PjitFunction(step)", (1.0, 90.0), json!({})),
        event(HOST, 5, "train", (0.5, 299.0), json!({ "step_num": "3", "_r": "1" })),
        event(HOST, 5, "ThreadpoolListener::StartRegion", (2.0, 1e-6), json!({})),
        event(HOST, 5, "cuMemcpyHtoDAsync_v2", (10.0, 5.0), json!({ "correlation_id": "1", "context_id": "$$1", "device_id": "0" })),
        event(HOST, 5, "fusion", (20.0, 4.0), json!({ "correlation_id": "2", "context_id": "$$1", "device_id": "0" })),
        event(HOST, 5, "cuMemsetD32Async", (30.0, 4.0), json!({ "correlation_id": "3" })),
        event(HOST, 5, "cuGraphLaunch (CudaGraph:9)", (120.0, 6.0), json!({ "correlation_id": "4", "cuda_graph_id": "9" })),
        event(HOST, 5, "cuStreamSynchronize", (130.0, 100.0), json!({ "correlation_id": "5" })),
        event(
            1,
            14,
            "MemcpyH2D",
            (16.0, 20.123_456),
            json!({ "correlation_id": "1", "context_id": "$$1", "memcpy_details": "kind_src:pageable kind_dst:device size:4096 dest:0 async:1" }),
        ),
        event(1, 14, "MemoryAlloc", (17.0, 1.0), json!({ "memalloc_details": "kind:device num_bytes:64" })),
        event(
            1,
            13,
            "fusion",
            (38.001, 49.0),
            json!({ "correlation_id": "2", "context_id": "$$1", "kernel_details": DETAILS, "hlo_op": "fusion.3" }),
        ),
        event(1, 13, "Memset", (88.0, 2.0), json!({ "correlation_id": "3", "Memset_details": "kind:device num_bytes:256 async:1" })),
        event(1, 13, "k1", (132.0, 40.0), json!({ "correlation_id": "4", "kernel_details": DETAILS, "cuda_graph_node_id": "11" })),
        event(
            2,
            13,
            "k2",
            (140.0, 80.0),
            json!({ "correlation_id": "4", "kernel_details": "grid:1,1,1 block:2,1,1", "cuda_graph_node_id": "12" }),
        ),
        // Lines that are derived from these are no operations.
        event(1, 800, "jit_step(17)", (38.0, 134.0), json!({ "run_id": "1" })),
        event(1, 801, "fusion.3", (38.0, 50.0), json!({ "hlo_op": "fusion.3" })),
        event(1, 802, "3", (0.5, 299.0), json!({ "step_num": "3" })),
        json!({}),
    ]
}

fn text(events: &[Value]) -> String {
    json!({ "displayTimeUnit": "ns", "metadata": { "highres-ticks": true }, "traceEvents": events }).to_string()
}

fn read(text: &str) -> Recording {
    read_profile(text.as_bytes(), &mut |_| true).unwrap_or_else(|why| panic!("{why}"))
}

fn explained(recording: &Recording) -> Analysis {
    Analysis::new(recording, KnownSettings::default(), &mut |_| true).unwrap()
}

#[test]
fn jax_has_kernels_copies_and_calls_by_the_names_of_its_threads() {
    let recording = read(&text(&events()));
    assert_eq!((recording.source, recording.flaws.as_slice()), (ProfilerSource::Xla, &[][..]));
    let found: Vec<_> = recording
        .operations
        .iter()
        .map(|of| (of.kind, recording.name(of), recording.device(of).id, recording.stream(of).id, of.bytes))
        .collect();
    let expected = [
        (OperationKind::HostToDevice, "MemcpyH2D (Pageable -> Device)", 0, 14, Some(4_096)),
        (OperationKind::Kernel, "fusion", 0, 13, None),
        (OperationKind::Memset, "Memset", 0, 13, Some(256)),
        (OperationKind::Kernel, "k1", 0, 13, None),
        (OperationKind::Kernel, "k2", 1, 13, None),
    ];
    assert_eq!(found, expected);
    let launch = RecordedLaunch { grid: [4, 2, 1], block: [128, 1, 1], registers: 32, shared: 1_040 };
    assert_eq!(recording.operations[1].launch, Some(launch));
    assert_eq!((recording.operations[0].start.ns(), recording.operations[0].end.ns()), (16_000 - 10_000, 36_123 - 10_000));
    let call =
        |place: usize| recording.call(&recording.operations[place]).map(|call| (recording.names[call.name as usize].as_str(), call.kind));
    assert_eq!(call(0), Some(("cuMemcpyHtoDAsync_v2", CallKind::Memory)));
    assert_eq!(call(1), Some(("Launch of fusion", CallKind::Launch)));
    assert_eq!(call(2), Some(("cuMemsetD32Async", CallKind::Memory)));
    assert_eq!(call(3), Some(("cuGraphLaunch", CallKind::Graph)));
    assert_eq!(call(3), call(4));
    assert!(recording.calls.iter().any(|call| call.kind == CallKind::HostWait));
    assert_eq!(recording.streams[0].context, 1);
    let spans: Vec<_> = recording.spans.iter().map(|span| (span.sort, recording.names[span.name as usize].as_str())).collect();
    assert_eq!(spans, [(HostSort::Frame, "train.py(12): step"), (HostSort::Range, "PjitFunction(step)"), (HostSort::Step, "train")]);
}

#[test]
fn jax_has_a_path_with_what_the_host_ran() {
    let recording = read(&text(&events()));
    let analysis = explained(&recording);
    let paths = paths(&recording, &analysis);
    let path = paths.iter().find(|path| path.device == 0).unwrap();
    let said: Vec<String> = groups(&recording, path).iter().map(|group| subject(&recording, group.subject)).collect();
    assert!(said.iter().any(|what| what == "Host in Python's train.py(12): step, between calls"), "{said:?}");
    assert!(groups(&recording, path).iter().any(|group| group.subject.share == PathShare::Working));
    assert!(sentence(&recording, path).contains("of GPU 0"));
    let more = words::to_record(&recording).join(" ");
    assert!(!more.contains("PyTorch"), "{more}");
}

/// What a file of the profiler of AMD's GPUs has: other details of kernels, names of their descriptors, numbers that mean nothing.
#[test]
fn jax_on_a_gpu_of_amd_is_read() {
    let details = " grid:16,1,1 block:512,1,1 private_mem:0 group_mem:2112 occ_pct:0";
    let old = "regs:2191500840 static_shared:32462 dynamic_shared:0 grid:1280,1,1 block:256,1,1 occ_pct:0";
    let recording = read(&text(&[
        meta(HOST, None, "/host:CPU"),
        meta(HOST, Some(583), "Host Threads/583"),
        meta(1, None, "/device:GPU:0"),
        meta(1, Some(17), "Stream #17(Kernel)"),
        event(HOST, 583, "hipModuleLaunchKernel", (10.0, 5.0), json!({ "device_id": "47645", "correlation_id": "18" })),
        event(1, 17, "loop_fusion.kd", (20.0, 5.0), json!({ "correlation_id": "18", "kernel_details": details })),
        event(1, 17, "te::f(long*) [clone .kd]", (30.0, 5.0), json!({ "correlation_id": "19", "kernel_details": old })),
        event(1, 17, "CopyDeviceToDevice", (40.0, 5.0), json!({ "memcpy_details": "kind:Unknown size:655360 dest:2 async:1" })),
    ]));
    assert!(recording.is_hip());
    let of = |place: usize| (recording.name(&recording.operations[place]), recording.operations[place].launch);
    let launch = |grid, block, shared| Some(RecordedLaunch { grid: [grid, 1, 1], block: [block, 1, 1], registers: 0, shared });
    assert_eq!(of(0), ("loop_fusion", launch(16, 512, 2_112)));
    assert_eq!(of(1), ("te::f(long*)", launch(1_280, 256, 0)));
    assert_eq!((recording.operations[2].kind, recording.operations[2].bytes), (OperationKind::DeviceToDevice, Some(655_360)));
    assert_eq!(recording.operations[0].call, Some(0));
}

#[test]
fn jax_copies_go_where_their_memories_say() {
    let copy = |name: &str, details: &str| {
        let recording = read(&text(&[
            meta(1, None, "/device:GPU:0"),
            meta(1, Some(3), "Stream #3(MemcpyOther)"),
            event(1, 3, name, (20.0, 5.0), json!({ "memcpy_details": details })),
        ]));
        (recording.operations[0].kind, recording.name(&recording.operations[0]).to_owned(), recording.operations[0].bytes)
    };
    use OperationKind::*;
    let of = |kind, name: &str, bytes| (kind, name.to_owned(), bytes);
    assert_eq!(
        copy("MemcpyD2H", "kind_src:device kind_dst:pinned size:9 dest:0 async:1"),
        of(DeviceToHost, "MemcpyD2H (Device -> Pinned)", Some(9))
    );
    assert_eq!(copy("MemcpyOther", "kind_src:pinned kind_dst:device size:x"), of(HostToDevice, "MemcpyOther (Pinned -> Device)", None));
    assert_eq!(copy("MemcpyP2P", "size:7"), of(PeerToPeer, "MemcpyP2P", Some(7)));
    assert_eq!(copy("Memcpy", "kind_src:é kind_dst: size:"), of(OtherCopy, "Memcpy (é -> )", None));
}

/// What the threads are called comes before or after; without it, an operation has to say itself that it is one.
#[test]
fn jax_operations_are_told_without_their_threads_too() {
    let mut all = events();
    all.retain(|event| event["name"] != "thread_name");
    let recording = read(&text(&all));
    assert_eq!(recording.operations.len(), 5);
    let mut all = events();
    all.retain(|event| event["ph"] != "M");
    assert!(matches!(read_profile(text(&all).as_bytes(), &mut |_| true), Err(ProfileError::NothingInTrace { .. })));
}

/// Events of PyTorch have a category, whatever their processes are called.
#[test]
fn jax_is_never_read_into_a_trace_of_pytorch() {
    let mut made = super::Made::default();
    made.kernel("A", 20, 0, (8, 500));
    let plain = made.read().0;
    for name in ["python", "/host:CPU", "/device:GPU:0"] {
        made.events.insert(0, meta(9, None, name));
        made.events.insert(0, meta(0, None, name));
        let read = made.read().0;
        assert_eq!((read.source, &read.operations, &read.calls), (ProfilerSource::Kineto, &plain.operations, &plain.calls));
    }
    // Nor is an event without a category of a process that nothing names.
    made.events = vec![event(3, 7, "x", (20.0, 5.0), json!({ "kernel_details": DETAILS, "correlation_id": "1" }))];
    assert!(read_profile(made.text().as_bytes(), &mut |_| true).is_err());
}

#[test]
fn jax_may_lack_what_came_after_a_million_events() {
    let flaws = |count: usize| {
        let mut text = text(&[meta(HOST, None, "/host:CPU"), meta(1, None, "/device:GPU:0"), meta(1, Some(3), "Stream #3")]);
        text.truncate(text.rfind(']').unwrap());
        text += &format!(",{}", event(1, 3, "k", (1.001, 5.0), json!({ "kernel_details": DETAILS })));
        text += &",{\"ph\":\"X\",\"pid\":701}".repeat(count - 1);
        read(&(text + ",{}]}")).flaws
    };
    assert_eq!(flaws(1_000), [Flaw::WithoutCall(1)]);
    let flaws = flaws(1_000_000);
    assert_eq!(flaws, [Flaw::MaybeCut(1_000_000), Flaw::WithoutCall(1)]);
    assert_eq!(
        words::flaw(flaws[0]),
        "The file has exactly 1,000,000 events, the most that its profiler writes. Later ones may be missing."
    );
}

#[test]
fn jax_on_a_tpu_is_named() {
    let all =
        [meta(3, None, "/device:TPU:0"), meta(3, Some(1), "XLA Ops"), event(3, 1, "fusion", (1.0, 5.0), json!({ "hlo_op": "fusion" }))];
    let why = read_profile(text(&all).as_bytes(), &mut |_| true).unwrap_err().to_string();
    assert!(why.ends_with("without an operation of a GPU: those of TPUs and other devices are not read"), "{why}");
}

#[test]
fn jax_graphs_as_a_whole_are_counted() {
    let mut all = events();
    all.push(event(1, 13, "CudaGraph", (240.0, 9.0), json!({ "correlation_id": "8", "cuda_graph_exec_id": "9" })));
    assert_eq!(read(&text(&all)).flaws, [Flaw::GraphsWhole(1)]);
}

#[test]
fn jax_names_of_processes_and_threads_are_limited() {
    let all: Vec<Value> = (0..200).map(|thread| meta(1, Some(thread), "Stream #1")).collect();
    let refused = read_profile_within(100, text(&all).as_bytes(), &mut |_| true);
    assert!(matches!(refused, Err(ProfileError::Entries { most: 100 })));
}

proptest! {
    #[test]
    fn jax_no_damage_panics(places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8), end in any::<prop::sample::Index>()) {
        let mut bytes = text(&events()).into_bytes();
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(end.index(bytes.len()) + 1);
        if let Ok(recording) = read_profile(&bytes[..], &mut |_| true) {
            let analysis = explained(&recording);
            let _ = paths(&recording, &analysis);
        }
    }

    #[test]
    fn jax_no_argument_panics(details in "[a-z_:,0-9$ é]{0,40}", key in 0..6_usize, name in "[$A-Za-z.:()0-9 é]{0,30}") {
        let key = ["kernel_details", "memcpy_details", "Memset_details", "context_id", "correlation_id", "cuda_graph_node_id"][key];
        let all = [meta(HOST, None, "/host:CPU"), meta(1, None, "/device:GPU:0"), meta(1, Some(3), "Stream #3"),
            event(1, 3, &name, (1.0, 5.0), json!({ key: details.clone() })), event(HOST, 3, &name, (0.0, 5.0), json!({ key: details }))];
        let _ = read_profile(text(&all).as_bytes(), &mut |_| true);
    }
}
