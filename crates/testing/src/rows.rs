//! Scenarios as rows of the papers' tables, and their runs.

use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, Scenario, TaskDraft};
use blockstep_sim::snapshot::Snapshot;

/// ns of a time in seconds, as the papers' tables write it: `0.2`.
pub fn at(seconds: &str) -> u64 {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, ""));
    whole.parse::<u64>().unwrap() * 1_000_000_000 + format!("{part:0<9}").parse::<u64>().unwrap()
}

/// A row: name, stream, start, blocks, threads per block; one second per block.
pub fn row(name: &str, stream: &str, start: &str, blocks: u64, threads: u64) -> KernelDraft {
    KernelDraft { stream: stream.to_owned(), start_ns: at(start), ..KernelDraft::named(name, blocks, threads, at("1")) }
}

/// The experiment of [TX2] Table 1.
pub fn table_1() -> Draft {
    let (mb_256, kb_32) = (256 << 20, 32 << 10);
    let on_cpu_1 = |k: KernelDraft| KernelDraft { task: Some("T1".to_owned()), ..k };
    Draft {
        name: "table1".to_owned(),
        tasks: vec![TaskDraft::named("T0"), TaskDraft::named("T1")],
        kernels: vec![
            row("K1", "S1", "0.0", 6, 768),
            KernelDraft { copy_out_bytes: mb_256, ..row("K2", "S1", "0.0", 2, 512) },
            KernelDraft { copy_in_bytes: mb_256, copy_out_bytes: mb_256, ..row("K3", "S1", "0.0", 2, 1024) },
            on_cpu_1(KernelDraft { shared_memory_bytes: kb_32, ..row("K4", "S2", "0.2", 4, 256) }),
            on_cpu_1(KernelDraft { shared_memory_bytes: kb_32, copy_out_bytes: mb_256, ..row("K5", "S3", "0.4", 2, 256) }),
            on_cpu_1(KernelDraft { copy_out_bytes: mb_256, ..row("K6", "S2", "2.8", 2, 512) }),
        ],
        ..Draft::default()
    }
}

/// A run to its end.
pub fn run(draft: &Draft) -> (Run, Records) {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(run.trace.cut(), None);
    let records = Records::new(&run.trace);
    (run, records)
}

/// The state after every step up to and at an instant.
pub fn state_at(run: &Run, ns: u64) -> Snapshot {
    let applied = run.trace.steps().partition_point(|s| s.at.ns() <= ns);
    run.replay().seek(applied as u32).clone()
}
