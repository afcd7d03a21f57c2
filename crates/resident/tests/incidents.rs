//! Hangs that people have reported, by their numbers, each with what mended it.

use blockstep_resident::Way;
use blockstep_sim::scenario::{Call, Draft, KernelDraft, TaskDraft};

use super::{barrier, hangs, kernel, most, names, on, report};

/// NVIDIA/cub#369: a grid barrier of 128 blocks on a P100, of which 112 are resident.
#[test]
fn cub_369_a_barrier_of_128_blocks_hangs_and_one_of_112_does_not() {
    let of = |blocks| on("p100", vec![KernelDraft { registers_per_thread: 32, ..barrier("K", "S1", blocks, 1024) }]);
    let report = report(&of(128));
    assert!(report.hangs());
    assert_eq!(most(&report, "K"), Some(112));
    assert_eq!((report.residents[0].exactly, report.residents[0].rounded), (112, 112));
    assert!(hangs(&of(113)) && !hangs(&of(112)));
}

/// Schedulers and workers of a megakernel, on 148 SMs.
fn mirage(workers: u64) -> Draft {
    let schedulers = KernelDraft { shared_memory_bytes: 16_384, until_all_begun: names(&["W"]), ..kernel("S", "S2", 80, 32) };
    let workers = KernelDraft { shared_memory_bytes: 218_112, ..barrier("W", "S1", workers, 384) };
    on("b200", vec![schedulers, workers])
}

/// mirage-project/mirage#775: 68 of 128 workers are resident beside 80 blocks of schedulers. #762 mends it by launching the workers first.
#[test]
fn mirage_775_workers_hang_behind_their_schedulers_but_not_the_other_way_round() {
    let report = report(&mirage(128));
    assert!(report.hangs());
    assert_eq!(most(&report, "W"), Some(68));
    assert_eq!(most(&report, "S"), Some(20));
    let beside = &report.residents[1].beside[0];
    assert_eq!((beside.row.as_str(), beside.theirs, beside.ours), ("S", 80, 68));
    assert!(report.repairs.iter().any(|repair| repair.way == Way::First { row: "W".to_owned() }));
    assert!(!hangs(&mirage(68)));
}

/// A kernel whose blocks take an SM each.
fn whole_sm(row: KernelDraft) -> KernelDraft {
    KernelDraft { shared_memory_bytes: 200_000, ..row }
}

/// deepseek-ai/DeepEP#44: of 132 SMs 20 were set aside for communication by hand, and 112 left for what waits for it. One more is too many.
#[test]
fn deep_ep_44_112_and_20_of_132_sms_fit_and_no_more() {
    let of = |blocks| {
        let compute = KernelDraft { until_all_begun: names(&["all-to-all"]), ..kernel("compute", "S1", blocks, 256) };
        on("h100", vec![whole_sm(compute), whole_sm(barrier("all-to-all", "S2", 20, 256))])
    };
    assert!(!hangs(&of(112)) && hangs(&of(113)));
    assert_eq!(most(&report(&of(132)), "compute"), Some(112));
}

/// sgl-project/sglang#36657: a grid barrier over all SMs hangs beside two blocks that stay; with two SMs kept free it does not.
#[test]
fn sglang_36657_two_sms_kept_free_are_enough() {
    let of = |blocks| {
        let stays = KernelDraft { until_completed: names(&["barrier"]), ..kernel("stays", "S2", 2, 256) };
        on("h100", vec![whole_sm(barrier("barrier", "S1", blocks, 256)), whole_sm(stays)])
    };
    assert!(hangs(&of(132)) && !hangs(&of(130)));
    assert_eq!(most(&report(&of(132)), "barrier"), Some(130));
}

/// ai-dynamo/nixl#965: `cudaFree` waits for a kernel that polls for what is launched after it.
#[test]
fn nixl_965_freeing_beside_a_polling_kernel_hangs() {
    let of = |calls: Vec<KernelDraft>| {
        let poll = KernelDraft { until_completed: names(&["send"]), ..kernel("poll", "S1", 1, 32) };
        let kernels = [vec![poll], calls, vec![kernel("send", "S2", 1, 32)]].concat();
        Draft { tasks: vec![TaskDraft { call_ns: Some(1), ..TaskDraft::named("T") }], ..on("h100", kernels) }
    };
    assert!(hangs(&of(vec![KernelDraft::calling("free", Call::Free, 0)])));
    assert!(!hangs(&of(vec![])));
}
