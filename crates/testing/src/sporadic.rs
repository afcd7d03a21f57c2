//! Sets of sporadic tasks inside one address space, and releases of their jobs, for the bounds of docs/bounds.md.
//!
//! Depends on the simulator. Invariants: what is drawn follows from its seed; a set lies within what the bounds are about but for what
//! only its numbers can tell; releases of a task are at least its period apart.

use blockstep_sim::dice::Dice;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    BlockEnds, BlockTimes, Choice, Device, DeviceDraft, Draft, KernelDraft, Placement, PolicyDraft, PolicyKind, Release, Scenario,
    StreamDraft, StreamPriority, TaskDraft,
};

/// A set of one to four tasks, each with one to three rows.
pub fn set(seed: u64) -> Draft {
    let mut dice = Dice::new(seed, &[1]);
    let device = Device {
        name: "small".to_owned(),
        sms: dice.between(1, 3),
        threads_per_sm: dice.between(2, 8),
        blocks_per_sm: dice.between(1, 6),
        shared_memory_per_sm: dice.between(2, 8),
        registers_per_sm: 64,
        max_threads_per_block: 8,
        max_shared_memory_per_block: 8,
        max_registers_per_block: 64,
        max_registers_per_thread: 8,
        copy_engines: dice.between(1, 2),
        copy_bandwidth_bytes_per_s: 1_000_000_000,
    };
    let kind = if dice.below(2) == 0 { PolicyKind::Fifo } else { PolicyKind::Priority };
    let mut draft = Draft {
        name: "sporadic".to_owned(),
        placement: Placement::ALL[dice.below(Placement::ALL.len() as u64) as usize],
        block_ends: if dice.below(4) == 0 { BlockEnds::OneByOne } else { BlockEnds::Together },
        policy: PolicyDraft { kind, ..PolicyDraft::default() },
        ..Draft::default()
    };
    let tasks = dice.between(1, 4);
    let longest = 64 << dice.below(4);
    for task in 0..tasks {
        let period = dice.between(longest / 4, longest);
        draft.tasks.push(TaskDraft { release: Release::Periodic, period_ns: Some(period), ..TaskDraft::named(format!("T{task}")) });
        for stream in ["", "b"] {
            let priority = StreamPriority::ALL[dice.below(3) as usize];
            draft.streams.push(StreamDraft { process: None, name: format!("S{task}{stream}"), priority, non_blocking: false });
        }
        let is_wide = dice.below(4) == 0;
        for row in 0..dice.between(1, 3) {
            // Now and then another of its streams, or that of another task.
            let stream = match dice.below(12) {
                0 | 1 => format!("S{task}b"),
                2 => format!("S{}", dice.below(tasks)),
                _ => format!("S{task}"),
            };
            let mut k = self::row(&mut dice, &device, format!("K{task}.{row}"), is_wide);
            k.task = Some(format!("T{task}"));
            k.stream = stream;
            if dice.below(6) == 0 {
                k.start_ns = dice.below(8);
            }
            if row > 0 && dice.below(6) == 0 {
                k.after = Some(format!("K{task}.{}", dice.below(row)));
            }
            draft.kernels.push(k);
        }
    }
    draft.device = DeviceDraft::Custom(device);
    draft
}

fn row(dice: &mut Dice, device: &Device, name: String, is_wide: bool) -> KernelDraft {
    let threads = if is_wide { device.threads_per_sm } else { dice.between(1, device.threads_per_sm) };
    let blocks = dice.between(1, 6);
    let mut k = KernelDraft::named(name, blocks, threads, dice.between(1, 9));
    if dice.below(4) == 0 {
        k.block_time_ns = BlockTimes::List((0..blocks).map(|_| dice.between(1, 9)).collect());
    }
    if dice.below(3) == 0 {
        k.shared_memory_bytes = dice.between(1, device.shared_memory_per_sm);
    }
    for bytes in [&mut k.copy_in_bytes, &mut k.copy_out_bytes] {
        *bytes = if dice.below(3) == 0 { dice.between(1, 6) } else { 0 };
    }
    k
}

/// One job after another of every task, each by itself: a task that is released once, at least a period behind the one before. Some
/// blocks run shorter than stated in some of them.
pub fn releases(of: &Draft, seed: u64) -> Draft {
    let mut dice = Dice::new(seed, &[2]);
    let mut draft = Draft { tasks: Vec::new(), kernels: Vec::new(), ..of.clone() };
    let (spread, is_exact) = (1 << dice.below(6), dice.below(3) > 0);
    let mut jobs = Vec::new();
    for task in &of.tasks {
        let mut at = dice.below(spread);
        for number in 0..dice.between(1, 4) {
            jobs.push((at, number, task));
            at += task.period_ns.unwrap_or(1 << 20) + if dice.below(2) == 0 { 0 } else { dice.below(spread) };
        }
    }
    // Ties of releases are in table order, and any order may be the worst.
    dice.shuffle(&mut jobs);
    for (offset_ns, number, task) in jobs {
        let name = |of: &str| format!("{of}/{number}");
        draft.tasks.push(TaskDraft { release: Release::Once, period_ns: None, offset_ns, name: name(&task.name), ..task.clone() });
        for k in of.kernels.iter().filter(|k| k.task.as_ref() == Some(&task.name)) {
            let mut k = k.clone();
            if !is_exact && dice.below(2) == 0 {
                let times: Vec<u64> = match &k.block_time_ns {
                    BlockTimes::Each(ns) => vec![*ns; k.blocks as usize],
                    BlockTimes::List(list) => list.to_vec(),
                };
                k.block_time_ns = BlockTimes::List(times.iter().map(|&ns| dice.between(1, ns)).collect());
            }
            (k.name, k.task, k.after) = (name(&k.name), Some(name(&task.name)), k.after.as_deref().map(name));
            draft.kernels.push(k);
        }
    }
    draft
}

/// The longest response by task of `of`, whose jobs `released` has by themselves.
pub fn longest(of: &Draft, released: &Draft) -> Vec<u64> {
    let scenario = Scenario::new(released).unwrap();
    let run = engine::simulate(&scenario, Limits::default());
    assert_eq!(run.trace.cut(), None);
    let mut longest = vec![0; of.tasks.len()];
    for job in &Records::new(&run.trace).jobs {
        let name = scenario.task(job.task).name.split('/').next().unwrap();
        let task = of.tasks.iter().position(|task| task.name == name).unwrap();
        let response = job.end.unwrap_or(run.trace.end()).since(job.release).ns();
        longest[task] = response.max(longest[task]);
    }
    longest
}
