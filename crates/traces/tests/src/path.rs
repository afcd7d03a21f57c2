//! The path of a recording: what must hold of any, small traces made by hand, and the public traces where they are; with `--nocapture`
//! their table in `docs/traces.md`.

use blockstep_sim::units::written::format_time_short;
use blockstep_traces::Recording;
use blockstep_traces::causes::{Analysis, Cause};
use blockstep_traces::communication::is_of_library;
use blockstep_traces::path::groups::{PathShare, groups, shares};
use blockstep_traces::path::overlap::{Overlap, overlaps};
use blockstep_traces::path::{DevicePath, PathStep, paths, wall_clock, words};
use proptest::prelude::*;
use serde_json::json;

use super::{Made, PublicTrace, public_traces};

/// How long at least one operation of a device ran, ns: by merging what overlaps.
fn busy(recording: &Recording, device: u32) -> u64 {
    let on_device = recording.operations.iter().filter(|operation| recording.stream(operation).device == device);
    let mut spans: Vec<(u64, u64)> = on_device.map(|operation| (operation.start.ns(), operation.end.ns())).collect();
    spans.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (from, to) in spans {
        match merged.last_mut().filter(|last| from <= last.1) {
            Some(last) => last.1 = last.1.max(to),
            None => merged.push((from, to)),
        }
    }
    merged.iter().map(|(from, to)| to - from).sum()
}

/// What must hold of the paths of any recording.
pub(super) fn check(recording: &Recording, analysis: &Analysis) -> Vec<DevicePath> {
    let paths = paths(recording, analysis);
    let together = overlaps(recording);
    let (first, end) = wall_clock(recording);
    for path in &paths {
        let device = &recording.devices[path.device as usize];
        assert_eq!(path.pieces.first().map(|piece| piece.from), Some(first), "GPU {}", device.id);
        assert_eq!(path.pieces.last().map(|piece| piece.to), Some(end));
        assert!(path.pieces.windows(2).all(|pair| pair[0].to == pair[1].from), "a gap or an overlap");
        assert!(path.pieces.iter().all(|piece| piece.from < piece.to), "an empty piece");
        let shares = shares(recording, path);
        let whole = end.since(first).ns();
        assert_eq!(shares.iter().sum::<u64>(), whole, "to the nanosecond");
        assert_eq!(groups(recording, path).iter().map(|group| group.ns).sum::<u64>(), whole);
        let (working, busy) = (shares[PathShare::Working as usize], busy(recording, path.device));
        assert_eq!(working, busy, "it works while it is busy");
        assert!(path.host_behind_ns <= working);
        let Overlap {
            busy_ns,
            streams_ns,
            copy_ns,
            copy_and_kernel_ns,
            migration_ns,
            migration_and_kernel_ns,
            communication_ns,
            communication_and_computation_ns,
        } = together[path.device as usize];
        assert_eq!(busy_ns, busy);
        assert!(copy_and_kernel_ns <= copy_ns.min(streams_ns.max(copy_ns)) && communication_and_computation_ns <= communication_ns);
        assert!(migration_and_kernel_ns <= migration_ns);
        assert!([streams_ns, copy_ns, migration_ns, communication_ns].iter().all(|&ns| ns <= busy));
    }
    paths
}

/// The shares of the only GPU in whole microseconds, without those that are nothing.
fn shares_of(made: &Made) -> Vec<(PathShare, u64)> {
    let (recording, analysis) = made.read();
    let paths = check(&recording, &analysis);
    let shares = shares(&recording, &paths[0]);
    PathShare::ALL.into_iter().map(|share| (share, (shares[share as usize] + 500) / 1_000)).filter(|&(_, us)| us > 0).collect()
}

/// The names of the host's pieces with their lengths in whole microseconds, the longest first.
fn host_of(made: &Made) -> Vec<(String, u64)> {
    let (recording, analysis) = made.read();
    let path = paths(&recording, &analysis).remove(0);
    let host = groups(&recording, &path).into_iter().filter(|group| group.subject.share == PathShare::Host);
    host.map(|group| (words::subject(&recording, group.subject), (group.ns + 500) / 1_000)).filter(|&(_, us)| us > 0).collect()
}

use PathShare::{After, Host, Launching, Unknown, Waiting, Working};

#[test]
fn path_of_a_gpu_that_waits_for_the_host() {
    let mut made = Made::default();
    // Idle from 100 to 700: the host calls at 690, and the launch takes 10.
    made.kernel("A", 20, 0, (8, 100)).kernel("B", 20, 690, (700, 900));
    assert_eq!(shares_of(&made), [(Working, 292), (Host, 598), (Launching, 10)]);
    // While A ran, the host had not called B: a faster A would not end sooner.
    let (recording, analysis) = made.read();
    let path = &paths(&recording, &analysis)[0];
    assert_eq!((path.host_behind_ns + 500) / 1_000, 92);
}

#[test]
fn path_of_a_gpu_that_is_never_idle() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500)).kernel("B", 20, 10, (502, 900)).kernel("C", 20, 20, (903, 950));
    // What the GPU takes between two kernels of a stream is launching, too.
    assert_eq!(shares_of(&made), [(Working, 937), (Launching, 13)]);
    let (recording, analysis) = made.read();
    assert_eq!(paths(&recording, &analysis)[0].host_behind_ns, 0);
}

#[test]
fn path_of_a_host_that_waits_for_the_gpu() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500)).call("cudaDeviceSynchronize", (20, 490), json!({}));
    made.kernel("B", 20, 600, (610, 700)).call("cudaDeviceSynchronize", (610, 140), json!({}));
    // From A's end at 500 the host returns until 510, then does something until 600; after B's end it returns until 750.
    assert_eq!(shares_of(&made), [(Working, 582), (Host, 100), (Launching, 18), (After, 50)]);
    assert_eq!(host_of(&made), [("Host between calls".to_owned(), 90), ("Host in cudaDeviceSynchronize".to_owned(), 10)]);
    // So A is on the way to the end: a faster A would end sooner.
    let (recording, analysis) = made.read();
    assert_eq!(paths(&recording, &analysis)[0].host_behind_ns, 0);
}

#[test]
fn path_names_the_operator_that_the_host_ran() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 100)).kernel("B", 20, 690, (700, 900));
    let operator = |name: &str, from: u64, length: u64| json!({ "ph": "X", "cat": "cpu_op", "name": name, "pid": 9, "tid": 9, "ts": 1_000 + from, "dur": length });
    made.events.extend([operator("step", 0, 695), operator("aten::sort", 150, 300), operator("aten::fill_", 200, 50)]);
    // Up to 8, and from 100 to 690, but for the call of 4: step alone for 294, sort without fill for 250, fill for 50.
    let host = host_of(&made);
    let named = |name: &str| format!("Host in {name}, between calls");
    let call = ("Host in cudaLaunchKernel".to_owned(), 4);
    assert_eq!(host, [(named("step"), 294), (named("aten::sort"), 250), (named("aten::fill_"), 50), call]);
    let (recording, analysis) = made.read();
    let said = words::sentence(&recording, &paths(&recording, &analysis)[0]);
    assert_eq!(said, "Of 900.0 µs, 598.0 µs is the host (49 % of it in step), 292.0 µs the GPU working (68 % of it B), 10.0 µs launching.");
}

#[test]
fn path_names_a_range_or_a_function_where_no_operator_ran() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 100)).kernel("B", 20, 690, (700, 900));
    let span = |category: &str, name: &str, from: u64, length: u64| json!({ "ph": "X", "cat": category, "name": name, "pid": 9, "tid": 9, "ts": 1_000 + from, "dur": length });
    made.events.extend([
        span("user_annotation", "ProfilerStep#3", 0, 900),
        span("python_function", "home/me/work/train.py(12): step", 90, 410),
        span("python_function", "<built-in method to of Tensor object at 0x7f00a1b2>", 100, 50),
        span("user_annotation", "load", 120, 100),
        span("cpu_op", "aten::copy_", 200, 40),
        // A function within the operator: the operator says more.
        span("python_function", "hook.py(1): f", 210, 10),
    ]);
    // From 100: the built-in to 120, load to 200, the operator to 240, the step's function to 500, nothing but the step of the profiler to 690.
    let named = |name: &str| format!("Host in {name}, between calls");
    let expected = [
        (named("Python's work/train.py(12): step"), 260),
        (named("the range ProfilerStep"), 194),
        (named("the range load"), 80),
        (named("aten::copy_"), 40),
        (named("Python's <built-in method to of Tensor object>"), 20),
        ("Host in cudaLaunchKernel".to_owned(), 4),
    ];
    assert_eq!(host_of(&made), expected);
    let (recording, analysis) = made.read();
    let said = words::sentence(&recording, &paths(&recording, &analysis)[0]);
    assert!(said.starts_with("Of 900.0 µs, 598.0 µs is the host (43 % of it in Python's work/train.py(12): step), 292.0 µs"), "{said}");
}

#[test]
fn path_goes_through_the_thread_that_launched() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500));
    // The first thread waits for A; the second launches B after that, without a call before.
    made.call("cudaStreamSynchronize", (20, 490), json!({})).kernel("B", 20, 600, (610, 700));
    let call = made.events.len() - 2;
    made.events[call]["tid"] = json!(10);
    assert_eq!(shares_of(&made), [(Working, 582), (Host, 100), (Launching, 18)]);
    let (recording, analysis) = made.read();
    assert_eq!(paths(&recording, &analysis)[0].host_behind_ns, 0, "B was called after A by way of the first thread");
}

#[test]
fn path_of_a_copy_that_keeps_its_call() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500));
    let pageable = "Memcpy DtoH (Device -> Pageable)";
    made.launch("gpu_memcpy", pageable, 20, (10, 700), (502, 700), json!({ "bytes": 9 })).kernel("B", 20, 720, (728, 800));
    // The call from 10 to 710 ends with the copy: what comes after depends on it.
    let (recording, analysis) = made.read();
    let path = &check(&recording, &analysis)[0];
    assert_eq!(path.host_behind_ns, 0);
    let steps: Vec<&str> = path
        .pieces
        .iter()
        .filter_map(|piece| match piece.step {
            PathStep::Running(place) => Some(recording.name(&recording.operations[place as usize])),
            _ => None,
        })
        .collect();
    assert_eq!(steps, ["A", pageable, "B"]);
}

#[test]
fn path_of_a_wait_that_nothing_explains() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (900, 950));
    assert_eq!(shares_of(&made), [(Working, 50), (Unknown, 900)]);
    let (recording, analysis) = made.read();
    let path = &paths(&recording, &analysis)[0];
    assert_eq!(path.pieces[0].step, PathStep::Waiting(0, Cause::CannotTell));
}

#[test]
fn path_of_code_that_is_loaded() {
    let mut made = Made::default();
    let args = json!({ "grid": [1, 1, 1], "block": [32, 1, 1], "registers per thread": 16, "shared memory": 0 });
    made.launch("kernel", "A", 20, (0, 400), (405, 500), args);
    made.events
        .push(json!({ "ph": "X", "cat": "overhead", "name": "Lazy Function Loading", "pid": -1, "tid": 0, "ts": 1_010, "dur": 380 }));
    // The rest of a first call counts as its first use, too.
    assert_eq!(shares_of(&made), [(Working, 95), (Host, 10), (Launching, 5), (Waiting, 390)]);
}

#[test]
fn path_overlap_is_what_ran_together() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (100, 500)).kernel("ncclDevKernel_AllReduce", 24, 1, (300, 900));
    made.launch("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 28, (2, 4), (400, 600), json!({ "bytes": 9 }));
    let (recording, _) = made.read();
    let us = |ns: u64| (ns + 500) / 1_000;
    let of = overlaps(&recording)[0];
    assert_eq!([of.busy_ns, of.streams_ns, of.copy_ns, of.copy_and_kernel_ns].map(us), [800, 300, 200, 200]);
    assert_eq!([of.communication_ns, of.communication_and_computation_ns].map(us), [600, 200]);
    assert!(is_of_library("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)") && !is_of_library("void at::native::sum"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn path_adds_up_to_the_wall_clock(
        operations in prop::collection::vec((0_u64..4, 0_u64..2_000, 0_u64..600, 0_u64..300, 0_u64..3, 0_u64..4), 1..50),
        waits in prop::collection::vec((0_u64..2_000, 0_u64..600, 0_usize..4), 0..12),
    ) {
        let mut made = Made::default();
        for (stream, called, wait, length, thread, kind) in operations {
            let ran = (called + wait, called + wait + length);
            match kind {
                0 => made.launch("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 7 + stream, (called, wait + length), ran, json!({})),
                _ => made.kernel(["A", "B", "ncclKernel"][(kind - 1) as usize], 7 + stream, called, ran),
            };
            // Another thread, another device, or no call at all.
            let last = made.events.len();
            match thread {
                1 => made.events[last - 2]["tid"] = json!(10),
                2 => made.events[last - 1]["args"]["device"] = json!(1),
                _ if wait % 7 == 0 => { made.events.remove(last - 2); }
                _ => {}
            }
        }
        for (from, length, name) in waits {
            made.call(["cudaDeviceSynchronize", "cudaMalloc", "cudaEventQuery", "cudaStreamSynchronize"][name], (from, length), json!({}));
        }
        let (recording, analysis) = made.read();
        check(&recording, &analysis);
    }
}

#[test]
fn path_of_public_traces_adds_up_and_names_the_host_where_the_gpu_is_idle() {
    for PublicTrace { name, recording, analysis } in public_traces() {
        for path in check(recording, analysis) {
            let shares = shares(recording, &path);
            let whole: u64 = shares.iter().sum();
            let percent = |share: PathShare| shares[share as usize] * 100 / whole;
            let times: Vec<String> = PathShare::ALL
                .into_iter()
                .filter(|&share| share != PathShare::OtherDevice)
                .map(|share| Some(shares[share as usize]).filter(|&ns| ns > 0).map_or_else(String::new, format_time_short))
                .collect();
            let id = recording.devices[path.device as usize].id;
            println!("| {} | {id} | {} | {} |", name.split('.').next().unwrap(), format_time_short(whole), times.join(" | "));
            let leads = PathShare::ALL.into_iter().max_by_key(|&share| shares[share as usize]).unwrap();
            let idle = 100 - percent(Working);
            assert!(idle <= 60 || leads == Host || percent(Unknown) > percent(Host), "{name}: idle for {idle} %, and {leads:?} leads");
            assert!(idle >= 4 || leads != Host, "{name}: idle for {idle} %, and the host leads");
        }
    }
}
