//! Large scenarios, for benchmarks and tests.
#![allow(dead_code, reason = "each user takes the one it needs")]

use blockstep_sim::scenario::{
    BlockTimes, DeviceDraft, Draft, KernelDraft, PolicyDraft, PolicyKind, ProcessDraft, Release, StreamDraft, StreamPriority, TaskDraft,
};

/// `blocks` thread blocks in kernels of 100: eight streams, one of them high, copies now and
/// then, on `device`. With `same` all blocks of a kernel end together; otherwise none do.
#[must_use]
pub fn large(device: &str, blocks: u64, same: bool) -> Draft {
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
        streams: vec![StreamDraft { process: None, name: "S3".to_owned(), priority: StreamPriority::High, non_blocking: false }],
        kernels: (0..blocks / 100).map(kernel).collect(),
        ..Draft::default()
    }
}

/// 100,000 blocks in 40 kernels, no two of which last the same time, on `device`.
#[must_use]
pub fn scattered(device: &str) -> Draft {
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

/// About `blocks` thread blocks of `processes` processes with a periodic task each, which together
/// keep the GPU busy for four fifths of the time under every policy: two kernels a job of `each`
/// blocks, no two of which end together; timeslices and deadlines that make them take turns often.
#[must_use]
pub fn taking_turns(kind: PolicyKind, processes: u64, blocks: u64, each: u64) -> Draft {
    let mut draft = Draft { name: format!("{processes} processes, {blocks} blocks"), ..Draft::default() };
    draft.policy.kind = kind;
    // Sixteen blocks run at a time, 15 microseconds each on average.
    let share = 37_500 * each.div_ceil(16);
    for i in 0..processes {
        let (process, task) = (format!("P{i}"), format!("T{i}"));
        draft.tasks.push(TaskDraft {
            process: Some(process.clone()),
            release: Release::Periodic,
            period_ns: Some(share * processes * (80 + i * 7 % 41) / 100),
            offset_ns: i * 1_000,
            jobs: Some(blocks.div_ceil(2 * each * processes)),
            ..TaskDraft::named(&task)
        });
        draft.processes.push(ProcessDraft { timeslice_ns: 50_000, ..ProcessDraft::named(&process) });
        for k in 0..2 {
            let times = (0..each).map(|b| 10_000 + (i * 7919 + k * 31 + b * 104_729) % 10_007).collect();
            draft.kernels.push(KernelDraft {
                task: Some(task.clone()),
                block_time_ns: BlockTimes::List(times),
                ..KernelDraft::named(format!("K{i}.{k}"), each, 256, 1)
            });
        }
    }
    draft.horizon_ns = Some(share * blocks / each);
    draft
}

/// Two processes under `runlist` whose kernels fill both SMs of a TX2 again and again, as [TX2]
/// Fig. 9: `blocks` blocks of 5 ms each, suspended after every timeslice.
#[must_use]
pub fn sharing(blocks: u64, timeslice_ns: u64, switch_cost_ns: u64) -> Draft {
    let process = |name: &str| ProcessDraft { timeslice_ns, ..ProcessDraft::named(name) };
    let task = |i: usize| TaskDraft { process: Some(format!("P{i}")), ..TaskDraft::named(format!("T{i}")) };
    let kernel = |i: usize| KernelDraft { task: Some(format!("T{i}")), ..KernelDraft::named(format!("K{i}"), blocks, 256, 5_000_000) };
    Draft {
        policy: PolicyDraft { kind: PolicyKind::Runlist, switch_cost_ns, ..PolicyDraft::default() },
        processes: vec![process("P0"), process("P1")],
        tasks: vec![task(0), task(1)],
        kernels: vec![kernel(0), kernel(1)],
        ..Draft::default()
    }
}
