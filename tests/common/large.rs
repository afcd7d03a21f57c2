//! Large scenarios, for benchmarks and tests.
#![allow(dead_code, reason = "each user takes the one it needs")]

use blockstep::scenario::{BlockTimes, DeviceDraft, Draft, KernelDraft, StreamDraft, StreamPriority};

/// `blocks` thread blocks in kernels of 100: eight streams, one of them high, copies now and
/// then, on `device`. With `same` all blocks of a kernel end together; otherwise none do.
#[must_use]
pub(crate) fn large(device: &str, blocks: u64, same: bool) -> Draft {
    let kernel = |i: u64| {
        let mut k = KernelDraft::named(format!("K{i}"), 100, 64 + i * 37 % 5 * 64, 10_000 + i * 7919 % 10_007);
        k.stream = format!("S{}", i % 8);
        k.start_ns = i * 20_000;
        if !same {
            k.block_time_ns = BlockTimes::List((0..100).map(|b| 10_000 + (i * 7919 + b * 104_729) % 10_007).collect());
        }
        if i.is_multiple_of(10) {
            (k.copy_in_bytes, k.copy_out_bytes) = (4096, 4096);
        }
        k
    };
    Draft {
        name: format!("{blocks} blocks"),
        device: DeviceDraft::BuiltIn(device.to_owned()),
        streams: vec![StreamDraft { process: None, name: "S3".to_owned(), priority: StreamPriority::High }],
        kernels: (0..blocks / 100).map(kernel).collect(),
        ..Draft::default()
    }
}

/// 100,000 blocks in 40 kernels, no two of which last the same time, on `device`.
#[must_use]
pub(crate) fn scattered(device: &str) -> Draft {
    let mut seed = 1_u64;
    let mut random = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let kernels = (0..40)
        .map(|i| {
            let mut kernel = KernelDraft::named(format!("K{}", i + 1), 2_500, 64 * (1 + random(8)), 1);
            kernel.stream = format!("S{}", i % 8);
            kernel.block_time_ns = BlockTimes::List((0..2_500).map(|_| 20_000 + random(200_000)).collect());
            kernel.start_ns = random(20_000_000);
            kernel
        })
        .collect();
    Draft { device: DeviceDraft::BuiltIn(device.to_owned()), kernels, ..Draft::default() }
}
