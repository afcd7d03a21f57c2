//! Scenarios made by hand, one for each rule that an H100 should be asked about.

use blockstep_sim::scenario::{
    Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, StreamDraft, StreamPriority, TaskDraft,
};

use crate::{MS, Made, device};

const KIB: u64 = 1024;

pub(crate) fn all() -> Vec<Made> {
    vec![
        priority_two_levels(),
        null_and_non_blocking(),
        events_diamond(),
        connections(8),
        connections(32),
        placement(),
        two_processes(),
        two_processes_small(),
        long_queue(),
        shared_carveout(),
        registers(),
    ]
}

fn made(name: &str, about: &str, draft: Draft) -> Made {
    let draft = Draft { name: format!("Measured: {name}"), device: device(), ..draft };
    Made { name: name.to_owned(), about: about.to_owned(), draft }
}

/// A kernel in a stream, launched at a time in ns.
fn row(name: &str, stream: &str, start_ns: u64, blocks: u64, threads: u64, block_time_ns: u64) -> KernelDraft {
    KernelDraft { stream: stream.to_owned(), start_ns, ..KernelDraft::named(name, blocks, threads, block_time_ns) }
}

fn priority_two_levels() -> Made {
    let stream = |name: &str, priority| StreamDraft { name: name.to_owned(), priority, ..StreamDraft::default() };
    let draft = Draft {
        streams: vec![stream("S1", StreamPriority::Low), stream("S2", StreamPriority::High)],
        kernels: vec![row("Low", "S1", 0, 4 * 264, 1024, 3 * MS), row("High", "S2", 4 * MS, 132, 1024, 2 * MS)],
        ..Draft::default()
    };
    made("priority-two-levels", "high-priority blocks go before the waiting blocks of a kernel that fills the GPU four times", draft)
}

fn null_and_non_blocking() -> Made {
    let draft = Draft {
        streams: vec![StreamDraft { name: "S3".to_owned(), non_blocking: true, ..StreamDraft::default() }],
        kernels: vec![
            row("K1", "S1", 0, 66, 256, 4 * MS),
            row("K2", "NULL", MS / 2, 66, 256, 2 * MS),
            row("K3", "S2", MS, 66, 256, 2 * MS),
            row("K4", "S3", 3 * MS / 2, 66, 256, 2 * MS),
        ],
        ..Draft::default()
    };
    made("null-and-non-blocking", "K2 in NULL waits for K1, K3 for K2; K4 in a non-blocking stream waits for nobody", draft)
}

fn events_diamond() -> Made {
    let mut kernels = vec![
        row("K1", "S1", 0, 66, 256, 2 * MS),
        row("K2", "S2", MS / 5, 66, 256, 3 * MS),
        row("K3", "S3", 2 * MS / 5, 66, 256, MS),
        row("K4", "S4", 3 * MS / 5, 66, 256, 2 * MS),
    ];
    for (at, event) in ["A", "B", "C"].into_iter().enumerate() {
        kernels[at].records = Some(event.to_owned());
    }
    for (at, events) in [(1, &["A"][..]), (2, &["A"]), (3, &["B", "C"])] {
        kernels[at].waits_for = events.iter().map(|&event| event.to_owned()).collect();
    }
    made("events-diamond", "K2 and K3 wait for K1, K4 for both", Draft { kernels, ..Draft::default() })
}

fn connections(count: u64) -> Made {
    let names = || (1..=33).map(|stream| format!("S{stream}"));
    let draft = Draft {
        connections: Some(count),
        streams: names().map(|name| StreamDraft { name, non_blocking: true, ..StreamDraft::default() }).collect(),
        kernels: names()
            .enumerate()
            .flat_map(|(at, stream)| [1, 2].map(|i| row(&format!("K{}", 2 * at + i), &stream, 0, 1, 32, 3 * MS)))
            .collect(),
        ..Draft::default()
    };
    let about = format!("33 streams with two kernels each, launched stream by stream, over {count} connections");
    made(&format!("connections-33-streams-{count}"), &about, draft)
}

fn placement() -> Made {
    let kernels =
        vec![row("K1", "S1", 0, 132, 1024, 8 * MS), row("K2", "S2", MS, 132, 256, 6 * MS), row("K3", "S3", 2 * MS, 64, 512, 4 * MS)];
    made("placement-1", "which SMs take blocks when there is room on all", Draft { kernels, ..Draft::default() })
}

/// Two processes that take turns, with the same kernel each.
fn taking_turns(blocks: u64, threads: u64, block_time_ns: u64) -> Draft {
    let process = |name: &str| ProcessDraft { timeslice_ns: 2 * MS, preemption: Some(Preemption::Thread), ..ProcessDraft::named(name) };
    // The second one later, so that which is first is no chance.
    let task = |i: u64| TaskDraft { process: Some(format!("P{i}")), offset_ns: (i - 1) * MS / 2, ..TaskDraft::named(format!("T{i}")) };
    let kernel = |i: u64| KernelDraft { task: Some(format!("T{i}")), ..row(&format!("K{i}"), "S1", 0, blocks, threads, block_time_ns) };
    Draft {
        policy: PolicyDraft { kind: PolicyKind::Runlist, ..PolicyDraft::default() },
        processes: vec![process("P1"), process("P2")],
        tasks: vec![task(1), task(2)],
        kernels: vec![kernel(1), kernel(2)],
        ..Draft::default()
    }
}

fn two_processes() -> Made {
    made("two-processes", "two processes that each fill the GPU twice, timeslices of 2 ms", taking_turns(2 * 264, 1024, 4 * MS))
}

fn two_processes_small() -> Made {
    made("two-processes-small", "two processes whose blocks would fit side by side: do they ever overlap?", taking_turns(66, 512, 8 * MS))
}

fn long_queue() -> Made {
    let mut kernels =
        vec![row("K1", "S1", 0, 132, 1024, 6 * MS), row("K2", "S2", MS / 2, 66, 256, 3 * MS), row("K3", "S3", MS, 132, 128, 2 * MS)];
    kernels[0].shared_memory_bytes = 100 * KIB;
    kernels[1].shared_memory_bytes = 160 * KIB;
    made(
        "long-queue",
        "K3 would fit beside K1, but waits behind K2, which waits for shared memory (X1)",
        Draft { kernels, ..Draft::default() },
    )
}

fn shared_carveout() -> Made {
    let mut kernels = vec![row("K1", "S1", 0, 3 * 132, 128, 3 * MS), row("K2", "S2", MS / 2, 5 * 132, 128, 2 * MS)];
    kernels[0].shared_memory_bytes = 72 * KIB;
    kernels[1].shared_memory_bytes = 40 * KIB;
    made("shared-carveout", "shared memory alone limits: 3 blocks of K1 fit on an SM, then 5 of K2", Draft { kernels, ..Draft::default() })
}

fn registers() -> Made {
    let mut kernels = vec![row("K1", "S1", 0, 2 * 132, 256, 3 * MS), row("K2", "S2", MS / 2, 4 * 132, 256, 2 * MS)];
    kernels[0].registers_per_thread = 128;
    kernels[1].registers_per_thread = 64;
    made("registers", "registers alone limit: 2 blocks of K1 fit on an SM, then 4 of K2", Draft { kernels, ..Draft::default() })
}
