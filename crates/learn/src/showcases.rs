//! For each variant of a rule a small table that shows what the rule is for.
//!
//! Depends on `scenario` and `trace`. Invariant: with its variant the run of a showcase differs
//! from that of the rules.

use blockstep_sim::scenario::{
    DeviceDraft, Draft, Interleave, KernelDraft, PolicyDraft, PolicyKind, ProcessDraft, StreamDraft, StreamPriority, TaskDraft,
};
use blockstep_sim::trace::Variant;

const MS: u64 = 1_000_000;
const MIB: u64 = 1 << 20;

/// A small scenario in which a variant makes a difference.
#[must_use]
pub fn showcase(variant: Variant) -> Draft {
    let mut draft = match variant {
        Variant::WorkConserving => table([("K1", "S1", 4, 768, 2), ("K2", "S2", 1, 1024, 1), ("K3", "S3", 1, 256, 1)]),
        Variant::PriorityByKernel => with_priority(table([("K1", "S1", 8, 1024, 1), ("K2", "S2", 1, 1024, 1)])),
        Variant::NoPriorities => with_priority(table([("K1", "S1", 4, 1024, 2), ("K2", "S2", 1, 1024, 1), ("K3", "S3", 4, 1024, 1)])),
        Variant::NoNullBarrier => table([("K1", "S1", 1, 256, 2), ("K2", "NULL", 1, 256, 1), ("K3", "S2", 1, 256, 1)]),
        Variant::LastFit => table([("K1", "S1", 1, 256, 1), ("K2", "S2", 2, 256, 1)]),
        Variant::FairShare => table([("K1", "S1", 8, 1024, 1), ("K2", "S2", 4, 1024, 1)]),
        Variant::OneKernel => table([("K1", "S1", 1, 256, 2), ("K2", "S2", 1, 256, 1)]),
        Variant::OneCopyEngine => {
            let mut draft = table([("K1", "S1", 1, 256, 1), ("K2", "S2", 1, 256, 1)]);
            draft.device = DeviceDraft::BuiltIn("k5000".to_owned());
            (draft.kernels[0].copy_in_bytes, draft.kernels[1].copy_out_bytes) = (16 * MIB, 4 * MIB);
            draft
        }
        Variant::NoOverlap => {
            let mut draft = table([("K1", "S1", 1, 256, 4), ("K2", "S2", 1, 256, 1)]);
            draft.kernels[1].copy_in_bytes = 2 * MIB;
            draft
        }
        Variant::FreeSwitches => processes(PolicyKind::Runlist, [("K1", 3), ("K2", 3)], 1),
        Variant::ListRestarts => {
            let mut draft = processes(PolicyKind::Runlist, [("K1", 3), ("K2", 1), ("K3", 1)], 0);
            draft.processes[0].interleave = Interleave::High;
            draft
        }
        Variant::NoTimeslices => processes(PolicyKind::Runlist, [("K1", 3), ("K2", 1)], 0),
        Variant::FixedPriority => with_deadlines(processes(PolicyKind::Edf, [("K1", 2), ("K2", 2)], 0), [10, 5]),
        Variant::NoInheritance => {
            let mut draft = with_deadlines(processes(PolicyKind::Edf, [("K1", 2), ("K2", 2), ("K3", 1)], 0), [10, 20, 5]);
            draft.tasks[2].consumes = vec!["T2".to_owned()];
            draft
        }
        Variant::NoBudgets => {
            let mut draft = with_deadlines(processes(PolicyKind::Edf, [("K1", 4), ("K2", 2)], 0), [5, 6]);
            draft.policy.cbs = true;
            (draft.tasks[0].budget_ns, draft.tasks[1].budget_ns) = (Some(MS), Some(2 * MS));
            draft
        }
    };
    draft.name = format!("The point of {}", variant.rules().iter().map(|rule| rule.id()).collect::<Vec<_>>().join(" and "));
    draft
}

/// Kernels with their stream, blocks, threads of a block, and ms that a block runs.
fn table<const N: usize>(rows: [(&str, &str, u64, u64, u64); N]) -> Draft {
    let kernel = |(name, stream, blocks, threads, ms): (&str, &str, u64, u64, u64)| KernelDraft {
        stream: stream.to_owned(),
        ..KernelDraft::named(name, blocks, threads, ms * MS)
    };
    Draft { kernels: rows.into_iter().map(kernel).collect(), ..Draft::default() }
}

/// The second kernel, launched 0.5 ms later, is of a high-priority stream.
fn with_priority(mut draft: Draft) -> Draft {
    draft.streams.push(StreamDraft { process: None, name: "S2".to_owned(), priority: StreamPriority::High, non_blocking: false });
    draft.kernels[1].start_ns = MS / 2;
    draft
}

/// Processes of one task, each with a kernel that runs for so many ms, in timeslices of 1 ms where
/// there are any; switches cost so many ms.
fn processes<const N: usize>(kind: PolicyKind, kernels: [(&str, u64); N], switch_ms: u64) -> Draft {
    let mut draft =
        Draft { policy: PolicyDraft { kind, switch_cost_ns: switch_ms * MS, cbs: false, ..PolicyDraft::default() }, ..Draft::default() };
    for (i, (name, ms)) in kernels.into_iter().enumerate() {
        let (process, task) = (format!("P{}", i + 1), format!("T{}", i + 1));
        draft.processes.push(ProcessDraft { timeslice_ns: MS, ..ProcessDraft::named(&process) });
        draft.tasks.push(TaskDraft { process: Some(process), ..TaskDraft::named(&task) });
        draft.kernels.push(KernelDraft { task: Some(task), ..KernelDraft::named(name, 1, 256, ms * MS) });
    }
    draft
}

/// Tasks with deadlines, ms after their release.
fn with_deadlines<const N: usize>(mut draft: Draft, deadlines: [u64; N]) -> Draft {
    for (task, ms) in draft.tasks.iter_mut().zip(deadlines) {
        task.deadline_ns = Some(ms * MS);
    }
    draft
}
