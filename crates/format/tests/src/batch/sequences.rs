//! The commands of each scheduler, in issue order, and what happens then, as texts
//! (`tests/golden/batch/*.txt`; rewritten by `BLESS=1 cargo test -p blockstep-format-tests batch`).

use blockstep_batch::arch::ArchId;
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::schedulers::{Answer, SchedulerId, TAXONOMY};

use super::stage::{CPU, MS, batch, golden, program, task, workload};

fn two() -> blockstep_batch::task::Workload {
    workload(vec![task("long", MS, 4 * MS, MS, 8), task("short", MS, 3 * MS / 2, MS, 8)])
}

/// The programs of some schedulers.
fn texts(arch: ArchId, methods: Methods, schedulers: &[SchedulerId]) -> String {
    let (arch, tasks) = (arch.arch(), two());
    schedulers.iter().map(|id| format!("## {}\n{}\n", id.name(), program(&tasks, &arch, methods, *id).text())).collect()
}

#[test]
fn batch_sequences_of_commands() {
    golden("kepler.txt", &texts(ArchId::Kepler, Methods::ALL, &SchedulerId::ALL));
    golden("tx1.txt", &texts(ArchId::Tx1, Methods::ALL, &CPU));
    golden("no-methods.txt", &texts(ArchId::Fermi, Methods::NONE, &CPU));
}

#[test]
fn batch_fermi_gets_the_same_commands_as_kepler() {
    assert_eq!(texts(ArchId::Fermi, Methods::ALL, &CPU), texts(ArchId::Kepler, Methods::ALL, &CPU));
}

/// Methods that are for TX1 change nothing elsewhere.
#[test]
fn batch_methods_of_tx1_are_for_tx1() {
    for method in Method::ALL.into_iter().filter(|m| m.is_for_tx1()) {
        assert_eq!(texts(ArchId::Kepler, Methods::ALL.with(method, false), &CPU), texts(ArchId::Kepler, Methods::ALL, &CPU));
        assert_ne!(texts(ArchId::Tx1, Methods::ALL.with(method, false), &CPU), texts(ArchId::Tx1, Methods::ALL, &CPU));
    }
}

/// Whole traces: what moves from which queue to where, and by which rule.
#[test]
fn batch_traces() {
    for (name, arch, scheduler) in [
        ("trace-fermi-concurrent.txt", ArchId::Fermi, SchedulerId::CpuConcurrent),
        ("trace-fermi-order.txt", ArchId::Fermi, SchedulerId::CpuOrder),
        ("trace-tx1-order.txt", ArchId::Tx1, SchedulerId::CpuOrder),
        ("trace-kepler-synchronize.txt", ArchId::Kepler, SchedulerId::GpuSynchronize),
    ] {
        golden(name, &batch(&two(), arch, Methods::ALL, scheduler).text());
    }
}

/// [MT] Fig. 1: each scheduler is at one leaf, by the answers that its name gives.
#[test]
fn batch_taxonomy_has_each_scheduler_at_one_leaf() {
    fn leaves(answer: Answer, found: &mut Vec<SchedulerId>) {
        match answer {
            Answer::Ask(next) => [TAXONOMY[next].no, TAXONOMY[next].yes].into_iter().for_each(|a| leaves(a, found)),
            Answer::Is(id) => found.push(id),
        }
    }
    let mut found = Vec::new();
    leaves(Answer::Ask(0), &mut found);
    assert_eq!(found, SchedulerId::ALL);
}
