//! What holds a program up without standing on its path, or stands in the calls of another thread: what less of it gains.

use blockstep_traces::gain::{Gains, LeverSubject, ProgramChange, gains};
use blockstep_traces::path;
use blockstep_traces::path::groups::PathShare;
use serde_json::json;

use super::Made;

fn gains_of(made: &Made) -> Gains {
    let (recording, analysis) = made.read();
    gains(&recording, &analysis, &path::paths(&recording, &analysis)).unwrap()
}

/// What a change gains alone, us.
fn with(gains: &Gains, change: ProgramChange) -> u64 {
    gains.tried.iter().find(|tried| tried.changes == [change]).map(|tried| gains.gain_ns(tried) / 1_000).unwrap()
}

/// While kernels of other streams run, the path shows those; but the last one begins late as it is launched late.
#[test]
fn gains_of_launches_are_seen_behind_kernels_that_run_together() {
    let mut made = Made::default();
    for place in 0..12 {
        made.kernel("K", 20 + place, 50 * place, (50 * place + 48, 50 * place + 248));
    }
    for event in &mut made.events {
        if event["cat"] == "cuda_runtime" {
            event["dur"] = json!(45);
        }
    }
    let gains = gains_of(&made);
    let lever = gains.levers.iter().find(|lever| matches!(lever.what, LeverSubject::Row(row) if row.share == PathShare::Host));
    let lever = lever.expect("the calls are a lever");
    assert!(lever.path_ns < 60_000 && lever.behind_ns > 400_000, "{lever:?}");
    let gain = with(&gains, ProgramChange::Faster { what: lever.what, percent: 100 });
    assert!((450..=560).contains(&gain), "{gain}");
}

/// A launch that another thread's allocation holds goes on when that returns: without it there is nothing to wait for.
#[test]
fn gains_of_an_allocation_are_those_of_the_threads_that_wait_for_it() {
    let mut made = Made::default();
    for step in 0..5 {
        let at = 1_000 * step;
        made.kernel("K", 20, at, (at + 6, at + 100));
        made.call("cudaMalloc", (at + 120, 600), json!({}));
        made.events.last_mut().unwrap()["tid"] = json!(8);
        made.kernel("K", 20, at + 130, (at + 728, at + 828));
        made.events.iter_mut().rev().find(|event| event["cat"] == "cuda_runtime").unwrap()["dur"] = json!(594);
    }
    let gain = with(&gains_of(&made), ProgramChange::NoAllocations);
    assert!((2_800..=3_000).contains(&gain), "{gain}");
}

/// What a call stages before its copy begins is gone with pinned memory.
#[test]
fn gains_of_pinned_memory_are_those_of_what_is_staged_before_the_copy() {
    let mut made = Made::default();
    for step in 0..6 {
        let at = 1_000 * step;
        let bytes = json!({ "bytes": 4_000_000 });
        made.launch("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 20, (at, 600), (at + 405, at + 595), bytes);
        made.kernel("K", 20, at + 610, (at + 620, at + 900));
        made.call("cudaDeviceSynchronize", (at + 625, 280), json!({}));
    }
    let gain = with(&gains_of(&made), ProgramChange::Pinned);
    assert!((2_300..=2_600).contains(&gain), "{gain}");
}

/// Two devices that work at once where the host does not wait do so without its wait, too; of two that never did, nothing is promised.
#[test]
fn gains_of_a_wait_between_devices_are_promised_where_they_work_at_once_elsewhere() {
    let of = |beside: bool| {
        let mut made = Made::default();
        let mut at = 0;
        for step in 0..6 {
            made.kernel("A", 20, at, (at + 8, at + 308));
            made.launch("kernel", "B", 21, (at + 5, 4), (at + 310, at + 610), json!({ "device": 1, "context": 2 }));
            let waits = step % 2 == 1 || !beside;
            if waits {
                made.call("cudaStreamSynchronize", (at + 12, 602), json!({}));
            }
            made.event_wait((20, at + 2), (21, at + 3));
            at += if waits { 620 } else { 310 };
        }
        with(&gains_of(&made), ProgramChange::FewerWaits)
    };
    let (beside, never) = (of(true), of(false));
    assert!(beside > 300 && never < 100, "{beside} {never}");
}
