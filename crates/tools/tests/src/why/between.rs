//! Why a process waits for its turn: who has the GPU before.

use blockstep_sim::scenario::{Class, Draft, KernelDraft, PolicyDraft, PolicyKind, ProcessDraft, TaskDraft};

use super::told;

/// Three processes, of which the first two have work of their own before the third's is served.
fn three_processes(kind: PolicyKind) -> Draft {
    let ms = 1_000_000;
    let policy = PolicyDraft { kind, switch_cost_ns: ms / 10, ..PolicyDraft::default() };
    let mut draft = Draft { policy, ..Draft::default() };
    for i in 0..3 {
        let (process, task) = (format!("P{i}"), format!("T{i}"));
        draft.processes.push(ProcessDraft { timeslice_ns: 2 * ms, ..ProcessDraft::named(&process) });
        let class = (kind == PolicyKind::Edf).then_some(Class::RealTime);
        draft.tasks.push(TaskDraft { process: Some(process), class, deadline_ns: Some((i + 1) * 10 * ms), ..TaskDraft::named(&task) });
        draft.kernels.push(KernelDraft { task: Some(task), ..KernelDraft::named(format!("K{i}"), 1, 64, 4 * ms) });
    }
    draft
}

/// Who has the GPU between the one that leaves and the one that is waited for.
#[test]
fn why_the_turns_in_between_are_told() {
    let (.., root) = told(&three_processes(PolicyKind::Runlist), "0.0005", "K2");
    let told_of = "Process P0 is resident; its timeslice ends at 2 ms. It leaves at 2 ms (step ";
    assert!(root.starts_with(told_of), "{root}");
    assert!(root.contains(" Then process P1 is resident from 2.1 ms (step "), "{root}");
    assert!(root.contains("), by L1. Process P2 is resident from 4.2 ms"), "{root}");
    let (.., root) = told(&three_processes(PolicyKind::Edf), "0.0005", "K2");
    assert!(root.contains(" Then process P1 is resident from 4.1 ms (step "), "{root}");
    assert!(
        root.contains("), by E1: The job of task T1 is chosen: its deadline is the earliest. Process P2 is resident from 8.2 ms"),
        "{root}"
    );
    // While a switch is under way it is told once.
    let (.., root) = told(&three_processes(PolicyKind::Runlist), "0.00205", "K2");
    assert!(root.starts_with("A context switch to process P1 is under way") && !root.contains(" Then "), "{root}");
    let (.., root) = told(&three_processes(PolicyKind::Runlist), "0.0025", "K0");
    assert!(root.contains(" Then process P2 is resident from 4.2 ms"), "{root}");
}
