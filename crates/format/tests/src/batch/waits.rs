//! Why commands wait: at each settled step of each scheduler.

use blockstep_batch::arch::ArchId;
use blockstep_batch::command::CommandKind;
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::run::run;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::simulate::BatchRun;
use blockstep_batch::state::{CommandStatus, Replay};
use blockstep_batch::task::Workload;
use blockstep_batch::waits::{Room, Wait, why};
use blockstep_sim::units::Time;

use super::stage::{MS, batch, labels, task, workload};

/// What a wait is for, in short.
fn text(run: &BatchRun, wait: Wait) -> String {
    let label = |no| labels(run, &[no])[0].clone();
    match wait {
        Wait::Behind(_, no) => format!("behind {}", label(no)),
        Wait::Stream(no) => format!("stream {}", label(no)),
        Wait::Event(no) => format!("event {}", label(no)),
        Wait::Engine(no) => format!("engine {}", label(no)),
        Wait::Blocks(no) => format!("blocks {}", label(no)),
        Wait::End(no) => format!("end {}", label(no)),
        Wait::Room(room) => format!("room {room:?}"),
        Wait::Nothing => "nothing".to_owned(),
    }
}

/// Heads of queues that wait at a time, each with why.
fn heads(run: &BatchRun, arch: ArchId, at: u64) -> Vec<(String, String)> {
    let mut replay = Replay::new(&run.program, &run.steps);
    let state = replay.go(run.steps.iter().filter(|step| step.at <= Time(at)).count());
    let heads = state.queues.iter().filter_map(|(_, waiting)| waiting.first());
    let waits = heads.filter_map(|no| Some((*no, why(&run.program, &arch.arch(), state, *no)?)));
    waits.map(|(no, wait)| (labels(run, &[no])[0].clone(), text(run, wait))).collect()
}

fn two(blocks: u64) -> Workload {
    workload(vec![task("long", MS, 4 * MS, MS, blocks), task("short", MS, 3 * MS / 2, MS, blocks)])
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn batch_waiting_heads_have_the_reason_that_is_true() {
    // t1's kernel runs; its stop event waits for it, and the output copy for that.
    let run = batch(&two(8), ArchId::Fermi, Methods::ALL, SchedulerId::CpuConcurrent);
    let expected = pairs(&[("s5_W_s3_stop_Kexe_t1", "event s3_stop_Kexe_t1"), ("s3_stop_Kexe_t1", "stream s3_Kexe_t1")]);
    assert_eq!(heads(&run, ArchId::Fermi, 2 * MS), expected);
    // Kepler: t1's input is copied, t2's waits for the engine, both kernels for their inputs.
    let run = batch(&two(8), ArchId::Kepler, Methods::ALL, SchedulerId::CpuConcurrent);
    let waits = heads(&run, ArchId::Kepler, MS / 2);
    assert!(waits.contains(&("s2_HDcpy_t2".to_owned(), "engine s1_HDcpy_t1".to_owned())), "{waits:?}");
    assert!(waits.contains(&("s3_W_s1_stop_HDcpy_t1".to_owned(), "event s1_stop_HDcpy_t1".to_owned())), "{waits:?}");
    // Large kernels: t1's blocks fill the GPU, so t2's kernel does not start.
    let run = batch(&two(8100), ArchId::Kepler, Methods::ALL, SchedulerId::CpuConcurrent);
    let waits = heads(&run, ArchId::Kepler, 5 * MS / 2);
    assert!(waits.contains(&("s4_Kexe_t2".to_owned(), "blocks s3_Kexe_t1".to_owned())), "{waits:?}");
    let left = waits.iter().find(|(no, _)| no == "s3_Kexe_t1").unwrap();
    assert!(left.1.contains("threads: 256, free_threads: 0"), "{left:?}");
}

#[test]
fn batch_blocks_that_wait_say_what_they_need_and_what_is_free() {
    // 3 multiprocessors of 1536 threads hold one block of 1000 each.
    let one = workload(vec![blockstep_batch::task::TaskDraft { threads_per_block: 1000, ..task("a", MS, 3 * MS, MS, 4) }]);
    let run = batch(&one, ArchId::Fermi, Methods::ALL, SchedulerId::CpuTraditional);
    let mut replay = Replay::new(&run.program, &run.steps);
    let state = replay.go(run.steps.iter().filter(|step| step.at <= Time(2 * MS)).count());
    let kernel =
        (0..).map(blockstep_batch::command::CommandNo).find(|no| matches!(run.program.command(*no).kind, CommandKind::Kernel(_))).unwrap();
    let room = Room { left: 1, threads: 1000, free_threads: 3 * 536, free_blocks: 3 * 8 - 3 };
    assert_eq!(why(&run.program, &ArchId::Fermi.arch(), state, kernel), Some(Wait::Room(room)));
}

/// Where an instant is settled, nothing waits for nothing, and what is waited for is still to come.
#[test]
fn batch_nothing_waits_without_a_reason() {
    let mut seen = Vec::new();
    for set in 0..1 << Method::ALL.len() {
        let methods = Method::ALL.into_iter().enumerate().fold(Methods::NONE, |m, (i, method)| m.with(method, set >> i & 1 == 1));
        for (workload, gpu) in [two(8), two(120)].iter().flat_map(|w| ArchId::ALL.map(|gpu| (w, gpu))) {
            for id in SchedulerId::ALL {
                let arch = gpu.arch();
                let Ok(outcome) = run(workload, &arch, methods, id) else { continue };
                let run = &outcome.runs[0];
                let mut replay = Replay::new(&run.program, &run.steps);
                for at in 0..run.steps.len() {
                    if run.steps.get(at).is_some_and(|next| at > 0 && next.at == run.steps[at - 1].at) {
                        continue;
                    }
                    let state = replay.go(at);
                    for &no in &state.issued {
                        let wait = why(&run.program, &arch, state, no);
                        assert_eq!(
                            wait.is_none(),
                            !matches!(state.status(no), CommandStatus::Waits) && !matches!(wait, Some(Wait::Room(_)))
                        );
                        let Some(wait) = wait else { continue };
                        let label = labels(run, &[no]);
                        let is_true = match wait {
                            Wait::Behind(queue, head) => state.queue(queue)[0] == head && head != no,
                            Wait::Stream(other) | Wait::Event(other) => !state.is_done(other),
                            Wait::Engine(other) => state.is_running(other),
                            Wait::Blocks(other) => state.blocks[other.index()].1 > 0,
                            Wait::End(other) => !state.is_done(other),
                            Wait::Room(room) => room.left > 0,
                            Wait::Nothing => false,
                        };
                        assert!(is_true, "{gpu:?} {} step {at}: {label:?} {}", id.name(), text(run, wait));
                        let kind = text(run, wait).split(' ').next().unwrap().to_owned();
                        if !seen.contains(&kind) {
                            seen.push(kind);
                        }
                    }
                }
            }
        }
    }
    assert_eq!(seen.len(), 7, "{seen:?}");
}
