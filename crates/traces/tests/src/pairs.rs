//! Causes of waits on small traces made by hand: each alone, and each pair one after the other, as a golden
//! (`tests/golden/waits.txt`; rewritten by `BLESS=1 cargo test -p blockstep-tools-tests golden`).

use std::fmt::Write;

use blockstep_testing::golden::compare;
use blockstep_traces::causes::Cause::{self, *};
use blockstep_traces::words::certainty;
use serde_json::{Value, json};

use super::Made;

/// In the order in which they can follow one another: what holds an operation back in its stream comes before what does so on the device.
const HOLDS: [Cause; 12] =
    [StreamOrder, Event, NullBarrier, FirstUse, QueueFull, Call, OtherProcess, ImplicitSync, Connection, CopyEngine, NoRoom, BehindHead];

/// What waits; copies are known by such names.
const X: &str = "Memcpy HtoD (X)";

/// When X is called; what holds it back was called before and is under way.
const CALLED: u64 = 2_000;

/// A trace in which X waits for one thing after the other, each up to an instant.
fn trace(holds: &[(Cause, u64)]) -> Made {
    let mut made = Made::default();
    // It has run before, so that its code is loaded; and where the NULL stream matters, it has waited for that.
    if holds.iter().any(|&(cause, _)| cause == NullBarrier) {
        made.kernel("before", 7, 0, (8, 300));
    }
    made.kernel(X, 24, 10, (302, 350));
    let is_copy = holds.iter().any(|&(cause, _)| cause == CopyEngine);
    let mut from = 1_900;
    let mut call = 4;
    for (k, &(cause, to)) in holds.iter().enumerate() {
        let (ran, stream, called) = ((from, to), 40 + k as u64, 1_500 + 20 * k as u64);
        let kernel = |made: &mut Made, stream: u64, blocks: u64, more: Value| {
            let mut args = json!({ "grid": [blocks, 1, 1], "block": [1024, 1, 1], "registers per thread": 32, "shared memory": 0 });
            args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            made.launch("kernel", cause.word(), stream, (called, 4), ran, args);
        };
        match cause {
            StreamOrder => kernel(&mut made, 24, 1, json!({})),
            Event => {
                kernel(&mut made, stream, 1, json!({}));
                made.call("cudaEventRecord", (called + 6, 1), json!({ "correlation": 90 }));
                made.call("cudaStreamWaitEvent", (CALLED - 10, 1), json!({ "correlation": 91 }));
                let args = json!({ "device": 0, "context": 1, "stream": 24, "correlation": 91, "wait_on_stream": stream,
                    "wait_on_cuda_event_record_corr_id": 90 });
                made.events.push(json!({ "ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 24,
                    "ts": 1_000 + CALLED - 10, "dur": 0, "args": args }));
            }
            NullBarrier => kernel(&mut made, 7, 1, json!({})),
            FirstUse | QueueFull => {
                let name = if cause == FirstUse { "Lazy Function Loading" } else { "Command Buffer Full" };
                let from = from.max(CALLED + 1);
                made.events.push(json!({ "ph": "X", "cat": "overhead", "name": name, "pid": -1, "tid": 0, "ts": 1_000 + from,
                    "dur": to - 1 - from }));
                call = to - CALLED;
            }
            Call => call = to - CALLED,
            OtherProcess => kernel(&mut made, stream, 1, json!({ "context": 3 })),
            ImplicitSync => {
                kernel(&mut made, stream, 1, json!({}));
                made.call("cudaFree", (CALLED - 5, 2), json!({}));
            }
            Connection => kernel(&mut made, stream, 1, json!({ "channel": 5 })),
            CopyEngine => {
                made.launch("gpu_memcpy", "Memcpy HtoD (other)", stream, (called, 4), ran, json!({ "bytes": 9 }));
            }
            NoRoom => kernel(&mut made, stream, 216, json!({})),
            BehindHead => {
                // Its blocks leave room for X, but not for the head, which needs more registers.
                kernel(&mut made, stream, 108, json!({}));
                let head = json!({ "grid": [108, 1, 1], "block": [1024, 1, 1], "registers per thread": 48, "shared memory": 0 });
                made.launch("kernel", "head", stream + 10, (called + 10, 4), (to + 1, to + 300), head);
            }
            Launch | Overlap | GraphOrder | CannotTell => unreachable!("not held by anything"),
        }
        from = to;
    }
    let ran = (from + 2, from + 100);
    let channel = if holds.iter().any(|&(cause, _)| cause == Connection) { json!({ "channel": 5 }) } else { json!({}) };
    if is_copy {
        made.launch("gpu_memcpy", X, 24, (CALLED, call), ran, json!({ "bytes": 9 }));
    } else {
        // One warp; where the SMs are full it does not fit all the same.
        let mut args = json!({ "grid": [1, 1, 1], "block": [32, 1, 1], "registers per thread": 16, "shared memory": 0 });
        args.as_object_mut().unwrap().extend(channel.as_object().unwrap().clone());
        made.launch("kernel", X, 24, (CALLED, call), ran, args);
    }
    made
}

/// Whether there can be an operation that waits for both.
fn is_possible(a: Cause, b: Cause) -> bool {
    let of_host = |cause| matches!(cause, FirstUse | QueueFull | Call);
    let of_kernels = |cause| matches!(cause, NoRoom | BehindHead | FirstUse | Connection);
    !(a == CopyEngine && of_kernels(b) || b == CopyEngine && of_kernels(a)) && !(a != b && b == Call && of_host(a))
}

/// Each cause alone, and some pairs.
pub(super) fn texts() -> Vec<String> {
    let pairs = HOLDS.windows(2).filter(|pair| is_possible(pair[0], pair[1])).map(|pair| vec![(pair[0], 2_500), (pair[1], 3_000)]);
    HOLDS.iter().map(|&cause| vec![(cause, 2_500)]).chain(pairs).map(|holds| trace(&holds).text()).collect()
}

/// Everything found, a line for each trace.
fn golden() -> String {
    let mut out = "# What X waits for in truth, and what is found: cause, length in us, certainty.\n".to_owned();
    let mut line = |holds: &[(Cause, u64)]| {
        let made = trace(holds);
        let names: Vec<&str> = holds.iter().map(|&(cause, _)| cause.word()).collect();
        let found: Vec<String> =
            made.causes(X).into_iter().map(|(cause, sure, us)| format!("{} {us} {}", cause.word(), certainty(sure))).collect();
        writeln!(out, "{}: {}", names.join(", then "), found.join("; ")).unwrap();
    };
    for cause in HOLDS {
        line(&[(cause, 2_500)]);
    }
    for (k, first) in HOLDS.into_iter().enumerate() {
        for second in HOLDS.into_iter().skip(k + 1).filter(|&second| is_possible(first, second)) {
            line(&[(first, 2_500), (second, 3_000)]);
        }
    }
    out
}

/// What of two can be told. Some hold an operation back from its call on, so that what did so at first as well is not seen.
fn can_be_told(first: Cause, second: Cause) -> Vec<Cause> {
    let on_device = |cause| matches!(cause, OtherProcess | ImplicitSync | Connection | NoRoom);
    match (first, second) {
        (ImplicitSync, _) => vec![first],
        (_, ImplicitSync | Connection | BehindHead) if on_device(first) => vec![second],
        _ => vec![first, second],
    }
}

#[test]
fn profile_each_cause_alone_and_each_pair_is_found() {
    let mut wrong = Vec::new();
    for (k, first) in HOLDS.into_iter().enumerate() {
        let seconds = HOLDS.into_iter().skip(k + 1).filter(|&second| is_possible(first, second)).map(Some);
        for second in std::iter::once(None).chain(seconds) {
            let mut holds = vec![(first, 2_500)];
            holds.extend(second.map(|second| (second, 3_000)));
            let found = trace(&holds).causes(X);
            // Each holds X back for half a millisecond; some microseconds at its ends may belong to a launch.
            let is_found = |cause: &Cause| found.iter().filter(|(of, _, _)| of == cause).map(|(_, _, us)| us).sum::<u64>() >= 480;
            if !second.map_or(vec![first], |second| can_be_told(first, second)).iter().all(is_found) {
                wrong.push(format!("{first:?}, {second:?}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn golden_waits() {
    assert_eq!(compare("waits.txt", &golden()), None, "If this is meant: BLESS=1 cargo test -p blockstep-tools-tests golden");
}
