//! Sums of a range: of all of a recording, of ranges that follow one another, of ranges by hand, and of public traces.

use blockstep_sim::units::Time;
use blockstep_traces::Recording;
use blockstep_traces::causes::{Analysis, Cause};
use blockstep_traces::path::groups::{PathShare, groups, shares};
use blockstep_traces::path::overlap::{Overlap, overlaps};
use blockstep_traces::path::{paths, wall_clock};
use blockstep_traces::ranges::{DeviceRange, RangeSums, WorkKind, busy};
use blockstep_traces::summary::Summary;
use proptest::prelude::*;
use serde_json::json;

use super::{Made, PublicTrace, public_traces};

fn sums(recording: &Recording, analysis: &Analysis, from: u64, to: u64) -> RangeSums {
    RangeSums::new(recording, analysis, &paths(recording, analysis), Time(from), Time(to))
}

/// All numbers of a device's range that add up.
fn numbers(recording: &Recording, device: &DeviceRange) -> Vec<u64> {
    let Overlap { busy_ns, streams_ns, copy_ns, copy_and_kernel_ns, migration_ns, migration_and_kernel_ns, .. } = device.together;
    let together = [busy_ns, streams_ns, copy_ns, copy_and_kernel_ns, migration_ns, migration_and_kernel_ns];
    let communication = [device.together.communication_ns, device.together.communication_and_computation_ns];
    let work = device.work.iter().flat_map(|work| [work.busy_ns, work.began]);
    shares(recording, &device.path).into_iter().chain(work).chain(together).chain(communication).collect()
}

/// What a whole recording comes to, by other ways.
fn check_whole(recording: &Recording, analysis: &Analysis) {
    let (paths, summary, together) = (paths(recording, analysis), Summary::new(recording, analysis), overlaps(recording));
    let whole = RangeSums::new(recording, analysis, &paths, Time::ZERO, Time::MAX);
    assert_eq!((whole.from, whole.to), wall_clock(recording));
    assert_eq!(whole.waited_ns, summary.causes.map(|total| total.waited_ns));
    let mut began = 0;
    for (path, of) in paths.iter().zip(&whole.devices) {
        assert_eq!(path.pieces, of.path.pieces);
        assert_eq!(shares(recording, &of.path).iter().sum::<u64>(), whole.length().ns());
        assert_eq!(groups(recording, path), groups(recording, &of.path));
        assert_eq!(of.together, together[path.device as usize]);
        let busy_ns = |kind: WorkKind| of.work[kind as usize].busy_ns;
        assert_eq!(busy_ns(WorkKind::Communication), of.together.communication_ns);
        assert_eq!(busy_ns(WorkKind::Copies), of.together.copy_ns);
        assert_eq!(busy_ns(WorkKind::Migrations), of.together.migration_ns);
        began += of.work.iter().map(|work| work.began).sum::<u64>();
    }
    let on_paths = |stream: u32| paths.iter().any(|path| path.device == recording.streams[stream as usize].device);
    assert_eq!(began, recording.operations.iter().filter(|operation| on_paths(operation.stream)).count() as u64);
}

/// Ranges that follow one another come to what they come to together.
fn check_parts(recording: &Recording, analysis: &Analysis, mut cuts: Vec<u64>) {
    let end = recording.end().ns();
    cuts.extend([0, end]);
    cuts.sort_unstable();
    let paths = paths(recording, analysis);
    let of = |from: u64, to: u64| RangeSums::new(recording, analysis, &paths, Time(from), Time(to));
    let whole = of(0, end);
    let mut waited = [0; Cause::ALL.len()];
    let mut sums: Vec<Vec<u64>> = whole.devices.iter().map(|device| vec![0; numbers(recording, device).len()]).collect();
    for pair in cuts.windows(2) {
        let part = of(pair[0], pair[1]);
        // What begins at the very end belongs to the last part.
        if pair[0] == end {
            continue;
        }
        assert_eq!(part.length().ns(), pair[1] - pair[0].max(whole.from.ns()).min(pair[1]));
        for (sum, ns) in waited.iter_mut().zip(part.waited_ns) {
            *sum += ns;
        }
        for (sums, device) in sums.iter_mut().zip(&part.devices) {
            assert_eq!(shares(recording, &device.path).iter().sum::<u64>(), part.length().ns());
            assert!(device.path.pieces.iter().all(|piece| piece.from < piece.to));
            for (sum, number) in sums.iter_mut().zip(numbers(recording, device)) {
                *sum += number;
            }
        }
    }
    assert_eq!(waited, whole.waited_ns);
    assert_eq!(sums, whole.devices.iter().map(|device| numbers(recording, device)).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn ranges_that_follow_one_another_add_up(
        operations in prop::collection::vec((0_u64..4, 0_u64..2_000, 0_u64..600, 0_u64..300, 0_u64..3, 0_u64..5), 1..50),
        cuts in prop::collection::vec(0_u64..3_000_000, 0..6),
        at_starts in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    ) {
        let mut made = Made::default();
        for (stream, called, wait, length, device, kind) in operations {
            let ran = (called + wait, called + wait + length);
            match kind {
                0 => made.launch("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 7 + stream, (called, wait + length), ran, json!({})),
                1 => made.launch("gpu_memset", "Memset (Device)", 7 + stream, (called, 4), ran, json!({})),
                _ => made.kernel(["A", "B", "ncclKernel"][(kind - 2) as usize], 7 + stream, called, ran),
            };
            if device == 2 {
                made.events.last_mut().unwrap()["args"]["device"] = json!(1);
            }
        }
        let (recording, analysis) = made.read();
        check_whole(&recording, &analysis);
        // Also where an operation begins.
        let starts = at_starts.iter().map(|place| place.get(&recording.operations).start.ns());
        let end = recording.end().ns();
        check_parts(&recording, &analysis, cuts.into_iter().chain(starts).map(|cut| cut.min(end)).collect());
    }
}

#[test]
fn a_range_by_hand_is_what_is_within_it() {
    let mut made = Made::default();
    made.launch("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 24, (0, 4), (8, 300), json!({ "bytes": 9 }));
    made.kernel("A", 20, 0, (8, 200)).kernel("B", 20, 10, (202, 400)).kernel("ncclKernel", 28, 20, (30, 600)).kernel(
        "C",
        20,
        900,
        (908, 950),
    );
    let (recording, analysis) = made.read();
    let zero = recording.operations[0].start.ns() - 8_000;
    let sums = sums(&recording, &analysis, zero + 100_000, zero + 800_000);
    let us = |ns: u64| (ns + 500) / 1_000;
    let device = &sums.devices[0];
    assert_eq!(sums.length().ns(), 700_000);
    let of = shares(&recording, &device.path);
    assert_eq!([of[PathShare::Working as usize], of[PathShare::Host as usize]].map(us), [500, 200]);
    // B alone began; A, the copy and the communication were running.
    let work = |kind: WorkKind| (us(device.work[kind as usize].busy_ns), device.work[kind as usize].began);
    assert_eq!(work(WorkKind::Computation), (298, 1));
    assert_eq!(work(WorkKind::Communication), (500, 0));
    assert_eq!(work(WorkKind::Copies), (200, 0));
    assert_eq!(work(WorkKind::Memory), (0, 0));
    assert_eq!([device.together.streams_ns, device.together.copy_and_kernel_ns].map(us), [300, 200]);
    assert_eq!(us(device.together.communication_and_computation_ns), 298);
    // B waited behind A: all of its wait counts, as it began here.
    assert_eq!(us(sums.waited_ns[Cause::StreamOrder as usize]), 190);
    // Beyond the recording, and the other way round, there is nothing.
    for (from, to) in [(5_000_000, 9_000_000), (500_000, 200_000), (300_000, 300_000)] {
        let none = self::sums(&recording, &analysis, from, to);
        assert_eq!((none.length().ns(), shares(&recording, &none.devices[0].path).iter().sum::<u64>()), (0, 0));
    }
}

#[test]
fn how_busy_a_device_was_is_what_its_path_says() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (0, 250)).kernel("B", 20, 10, (500, 501)).kernel("C", 20, 900, (990, 1_000));
    let (recording, analysis) = made.read();
    let paths = paths(&recording, &analysis);
    let quarters = busy(&recording, &paths[0], 4);
    // The end of A reaches a nanosecond into the second.
    assert!(quarters[0] == 100 && quarters[1] <= 1 && quarters[2] == 1 && (4..=5).contains(&quarters[3]), "{quarters:?}");
    for most in [1, 3, 1_000] {
        let columns = busy(&recording, &paths[0], most);
        assert_eq!(columns.len(), most as usize);
        assert!(columns.iter().all(|&percent| percent <= 100));
    }
}

#[test]
fn ranges_of_public_traces_add_up() {
    for PublicTrace { recording, analysis, .. } in public_traces() {
        check_whole(recording, analysis);
        let end = recording.end().ns();
        check_parts(recording, analysis, (1..7).map(|part| end / 7 * part).collect());
    }
}
