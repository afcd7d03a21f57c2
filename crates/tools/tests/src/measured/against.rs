//! A measured run against the simulated one: order, differences, placement.

use super::*;
use blockstep_sim::measured::against::{Against, BlockOf, Inversion, Off, against};

/// One kernel on each of as many streams, one after the other, each alone on the TX2; and the run's logs.
fn one_by_one(kernels: u64) -> (Arc<Trace>, Records, Measured) {
    let rows = (0..kernels).map(|i| (if i == 0 { 1_000_000 } else { 200_000 }, 4, 1024, 100_000, i as usize + 1)).collect();
    let (trace, records) = run(&plain(rows, false, "tx2"));
    let measured = generated_logs(&trace, &records, Clocks { offset_ns: 7_000, ..EXACT });
    (trace, records, measured)
}

fn judged(measured: &Measured, trace: &Trace, records: &Records, order_tolerance_ns: u64) -> (Against, Fit) {
    let fit = fit(measured, trace, records).unwrap();
    (against(measured, records, &fit, order_tolerance_ns), fit)
}

fn shift(launch: &mut Launch, by_ns: i64) {
    launch.blocks.iter_mut().for_each(|b| (b.start_ns, b.end_ns) = (b.start_ns + by_ns, b.end_ns + by_ns));
}

fn swap_blocks(measured: &mut Measured, a: usize, b: usize) {
    let of_a = std::mem::take(&mut measured.logs[a].kernels[0].blocks);
    let of_b = std::mem::replace(&mut measured.logs[b].kernels[0].blocks, of_a);
    measured.logs[a].kernels[0].blocks = of_b;
}

#[test]
fn measured_order_is_told_by_the_first_block_out_of_it() {
    let (trace, records, mut measured) = one_by_one(3);
    shift(&mut measured.logs[2].kernels[0], -250_000);
    let (found, fit) = judged(&measured, &trace, &records, 49_999);
    let (block, before) = (BlockOf { kernel: 2, number: 0 }, BlockOf { kernel: 1, number: 0 });
    assert_eq!(fit.kernels[1].log, 1);
    assert_eq!((found.out_of_order, found.first), (4, Some(Inversion { block, before, measured_ns: 50_000, simulated_ns: 200_000 })));
    let zero = Off { median_ns: 0, p95_ns: 250_000, largest_ns: 250_000, kernel: 2 };
    assert_eq!((found.starts, found.ends), (Some(zero), Some(zero)));
    // The tolerance itself is not more than it.
    assert_eq!(judged(&measured, &trace, &records, 50_000).0.out_of_order, 0);
    // Nor is there an order between what was simulated to begin that close.
    shift(&mut measured.logs[2].kernels[0], -500_000);
    assert_eq!(judged(&measured, &trace, &records, 199_999).0.out_of_order, 4);
    assert_eq!(judged(&measured, &trace, &records, 400_000).0.out_of_order, 0);
}

#[test]
fn measured_blocks_of_a_kernel_have_no_order() {
    // Eight blocks in two waves; on the GPU the waves of SM 0 and SM 1 came one after the other.
    let (trace, records) = run(&plain(vec![(1, 8, 1024, 100_000, 1)], false, "tx2"));
    let mut measured = generated_logs(&trace, &records, EXACT);
    measured.logs[0].kernels[0].blocks.iter_mut().filter(|b| b.sm == Some(1)).for_each(|b| b.start_ns += 1_000_000);
    assert_eq!(judged(&measured, &trace, &records, 0).0.out_of_order, 0);
}

#[test]
fn measured_placement_counts_blocks_whose_sm_is_known() {
    let (trace, records, mut measured) = one_by_one(2);
    measured.logs[0].kernels[0].blocks[0].sm = None;
    let block = &mut measured.logs[1].kernels[0].blocks[0];
    block.sm = block.sm.map(|sm| 1 - sm);
    let found = judged(&measured, &trace, &records, 0).0;
    assert_eq!((found.placed, found.moved), (7, 1));
}

proptest! {
    #![proptest_config(cases(200))]

    /// What was made of the run is in its order, whatever the clocks; two kernels whose times are swapped are not.
    #[test]
    fn measured_order_of_generated_logs_is_the_predicted_one(
        rows in proptest::collection::vec((1..40_u64, 1..12_u64, 1..1025_u64, 1..120_u64, 0..4_usize), 1..12),
        kernels in 2..8_u64,
        swapped in any::<(proptest::sample::Index, proptest::sample::Index)>(),
        noise_ns in 0..25_000_u64,
        seed in any::<u64>(),
    ) {
        let clocks = Clocks { offset_ns: 1_000_000, noise_ns, seed };
        let (trace, records) = run(&plain(rows, false, "tx2"));
        let found = judged(&generated_logs(&trace, &records, clocks), &trace, &records, 50_000).0;
        prop_assert_eq!((found.out_of_order, found.first), (0, None));
        let exact = judged(&generated_logs(&trace, &records, EXACT), &trace, &records, 0).0;
        prop_assert_eq!((exact.out_of_order, exact.moved), (0, 0));

        let (trace, records, _) = one_by_one(kernels);
        let mut measured = generated_logs(&trace, &records, clocks);
        prop_assert_eq!(judged(&measured, &trace, &records, 50_000).0.out_of_order, 0);
        let (a, b) = (swapped.0.index(kernels as usize), swapped.1.index(kernels as usize));
        prop_assume!(a != b);
        swap_blocks(&mut measured, a, b);
        let (found, fit) = judged(&measured, &trace, &records, 50_000);
        prop_assert!(found.out_of_order >= 4, "{:?}", found);
        let first = found.first.unwrap();
        prop_assert!(fit.kernels[first.block.kernel].log > fit.kernels[first.before.kernel].log);
    }
}
