//! What the tests of batches share.

use blockstep_batch::arch::{Arch, ArchId};
use blockstep_batch::command::{CommandNo, Program};
use blockstep_batch::methods::Methods;
use blockstep_batch::schedulers::{Batch, SchedulerId};
use blockstep_batch::simulate;
use blockstep_batch::simulate::BatchRun;
use blockstep_batch::task::{Task, TaskDraft, Workload, WorkloadDraft};

/// The schedulers that run everywhere.
pub const CPU: [SchedulerId; 4] =
    [SchedulerId::CpuTraditional, SchedulerId::CpuInterleave, SchedulerId::CpuConcurrent, SchedulerId::CpuOrder];

pub const MS: u64 = 1_000_000;

/// A latency task with copies and a kernel of so many ns and blocks of 256 threads.
pub fn task(name: &str, copy_in_ns: u64, kernel_ns: u64, copy_out_ns: u64, blocks: u64) -> TaskDraft {
    TaskDraft {
        copy_in_ns,
        copy_out_ns,
        kernel_ns,
        blocks,
        threads_per_block: 256,
        interval_ns: 10 * MS,
        deadline_ns: Some(10 * MS),
        ..TaskDraft::named(name)
    }
}

pub fn workload(tasks: Vec<TaskDraft>) -> Workload {
    Workload::new(WorkloadDraft { name: "stage".to_owned(), until_ns: 100 * MS, tasks }).unwrap()
}

pub fn program(workload: &Workload, arch: &Arch, methods: Methods, scheduler: SchedulerId) -> Program {
    let tasks: Vec<&Task> = workload.tasks().iter().collect();
    scheduler.scheduler().program(&Batch { arch, methods, tasks: &tasks })
}

/// The workload's tasks, two at most, as one batch.
pub fn batch(workload: &Workload, arch: ArchId, methods: Methods, scheduler: SchedulerId) -> BatchRun {
    let arch = arch.arch();
    simulate(&program(workload, &arch, methods, scheduler), &arch).unwrap()
}

pub fn labels(run: &BatchRun, commands: &[CommandNo]) -> Vec<String> {
    commands.iter().map(|no| run.program.label(*no)).collect()
}

/// Compares with a file of `tests/golden/batch`, or writes it where `BLESS` is set.
pub fn golden(name: &str, actual: &str) {
    let difference = blockstep_testing::golden::compare(&format!("batch/{name}"), actual);
    assert!(difference.is_none(), "{}\nIf this is meant: BLESS=1 cargo test -p blockstep-format-tests batch", difference.unwrap());
}
