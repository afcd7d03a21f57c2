//! What the texts and bookmarks of the further examples say is what happens in them.
//!
//! Depends on the library. Each example has its bookmarks walked by [`walk`], with the state that
//! the text there speaks of; the four applications of [EDF] are in `applications`.

mod applications;
mod beside_papers;
mod search;

use std::collections::BTreeMap;

use blockstep_format::read_scenario;
use blockstep_sim::check::check;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, PolicyKind, Preemption, Scenario, StreamPriority};
use blockstep_sim::snapshot::{Progress, Residency};
use blockstep_sim::trace::{Change, Rule};
use blockstep_sim::units::{OpId, TaskId, Time};

fn draft(id: &str) -> Draft {
    read_scenario(examples::find(id).unwrap().json).unwrap()
}

fn run(draft: &Draft) -> Run {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(run.trace.cut(), None);
    run
}

fn example(id: &str) -> Run {
    let run = run(&draft(id));
    let found = check(&run.trace, &Records::new(&run.trace));
    assert!(found.is_empty(), "{id}: {}", found[0]);
    run
}

/// Who is resident, which kernels have blocks on the SMs (running or held there suspended), and
/// what was issued, is incomplete and has none: `P1; K1 8 run; K2 8 held; K3 waits`.
fn seen(run: &Run, ns: u64) -> String {
    let trace = &run.trace;
    let applied = trace.steps().partition_point(|s| s.at <= Time(ns));
    let mut replay = run.replay();
    let state = replay.seek(applied as u32);
    let name = |space| trace.space_name(space);
    let mut parts = vec![match state.residency() {
        Residency::Shared => "shared".to_owned(),
        Residency::Idle { .. } => "nobody".to_owned(),
        Residency::Submitting { to, .. } | Residency::Switching { to, .. } => format!("to {}", name(to)),
        Residency::Resident { space, draining: false, .. } => name(space).to_owned(),
        Residency::Resident { space, draining: true, .. } => format!("{} drains", name(space)),
    }];
    let mut blocks: BTreeMap<OpId, [u32; 2]> = BTreeMap::new();
    for space in 0..trace.layout().spaces().len() {
        let space = state.space(blockstep_sim::units::SpaceId::at(space));
        for block in space.sms.iter().flat_map(|sm| &sm.blocks) {
            blocks.entry(block.op).or_default()[usize::from(matches!(block.progress, Progress::Suspended(_)))] += 1;
        }
        for copy in space.engines.iter().flatten() {
            blocks.entry(copy.op).or_default()[usize::from(matches!(copy.progress, Progress::Suspended(_)))] += 1;
        }
    }
    let records = Records::new(trace);
    for (i, op) in records.ops.iter().enumerate() {
        let id = OpId::at(i);
        if op.issued > Time(ns) || op.end.is_some_and(|end| end <= Time(ns)) {
            continue;
        }
        parts.push(match blocks.get(&id) {
            Some([runs, 0]) => format!("{} {runs} run", trace.op_label(id)),
            Some([_, held]) => format!("{} {held} held", trace.op_label(id)),
            None => format!("{} waits", trace.op_label(id)),
        });
    }
    parts.join("; ")
}

/// Compares what is to be seen at every bookmark of an example.
fn walk(id: &str, expected: &[(u64, &str)]) -> Run {
    let run = example(id);
    let at: Vec<u64> = examples::find(id).unwrap().bookmarks.iter().map(|b| b.at_ns).collect();
    let seen: Vec<(u64, String)> = at.iter().map(|&ns| (ns, seen(&run, ns))).collect();
    let expected: Vec<(u64, String)> = expected.iter().map(|&(ns, text)| (ns, text.to_owned())).collect();
    assert_eq!(seen, expected, "{id}");
    run
}

/// Of every job: task, number, response time, whether its deadline was met; those that ended.
fn responses(run: &Run) -> Vec<(String, u32, u64, Option<bool>)> {
    let records = Records::new(&run.trace);
    let ended = records.jobs.iter().filter_map(|j| Some((j, j.end?)));
    ended.map(|(j, end)| (run.trace.scenario().task(j.task).name.clone(), j.job.0, end.since(j.release).ns(), j.met)).collect()
}

/// How long one task's jobs took, those that ended.
fn responses_of(run: &Run, task: &str) -> Vec<u64> {
    responses(run).into_iter().filter(|(name, ..)| name == task).map(|(.., response, _)| response).collect()
}

/// Deadlines met and missed by one task, those that are known.
fn met(run: &Run, task: &str) -> (usize, usize) {
    let records = Records::new(&run.trace);
    let of_task = records.jobs.iter().filter(|j| run.trace.scenario().task(j.task).name == task);
    let known: Vec<bool> = of_task.filter_map(|j| j.met).collect();
    (known.iter().filter(|met| **met).count(), known.iter().filter(|met| !**met).count())
}

/// From a block's start to its end, as the block itself could measure it; sorted.
fn block_times(run: &Run) -> Vec<u64> {
    let mut times: Vec<u64> = Records::new(&run.trace).blocks.iter().map(|b| b.end.unwrap().since(b.start).ns()).collect();
    times.sort_unstable();
    times
}

/// The most threads that blocks between their start and end seem to have at any time.
fn apparent_threads(run: &Run) -> u32 {
    let records = Records::new(&run.trace);
    let mut changes: Vec<(Time, i64)> = Vec::new();
    for b in &records.blocks {
        let threads = i64::from(run.trace.row_of(b.op).needs.threads);
        changes.extend([(b.start, threads), (b.end.unwrap(), -threads)]);
    }
    // Ends before starts.
    changes.sort_unstable();
    let mut now = 0;
    let counts = changes.into_iter().map(|(_, change)| {
        now += change;
        now
    });
    u32::try_from(counts.max().unwrap()).unwrap()
}

#[test]
fn examples_are_complete_and_valid() {
    let mut ids: Vec<&str> = examples::all().map(|e| e.id).collect();
    let count = ids.len();
    assert_eq!(count, 52);
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "ids are unique");
    let offered: Vec<_> = examples::further().map(|e| (e.group, e.id, e.title)).collect();
    assert_eq!(examples::FURTHER[..], offered[..]);
    let mut groups: Vec<&str> = examples::all().map(|e| e.group).collect();
    groups.dedup();
    let in_a_row = groups.len();
    groups.sort_unstable();
    groups.dedup();
    assert_eq!(groups.len(), in_a_row, "those of a group stand together");
    for e in examples::further() {
        let filled = [e.group, e.title, e.source, e.text, e.json];
        assert!(filled.iter().all(|text| !text.is_empty()), "{}", e.id);
        assert!((2..=6).contains(&e.bookmarks.len()) && e.bookmarks.is_sorted_by(|a, b| a.at_ns < b.at_ns), "{}", e.id);
        let end = example(e.id).trace.end().ns();
        assert!(e.bookmarks.iter().all(|b| b.at_ns <= end && !b.label.is_empty() && !b.text.is_empty()), "{}", e.id);
        assert_eq!(examples::find(e.id), Some(e));
        assert_eq!(Scenario::new(&draft(e.id)).unwrap().warnings(), [], "{}", e.id);
    }
}

// ---- [TX2] Figs. 9 and 10 ----

#[test]
fn examples_of_two_tasks_share_what_there_is() {
    let run = walk(
        "tx2-fig-9-tasks",
        &[(5_000_000, "shared; K1 8 run; K2 waits"), (66_000_000, "shared; K1 7 run; K2 1 run"), (100_000_000, "shared; K2 8 run")],
    );
    assert_eq!(apparent_threads(&run), 4096);
    assert_eq!(responses(&run), [("T1".to_owned(), 0, 66_960_000, None), ("T2".to_owned(), 0, 133_920_000, None)]);
    // All blocks of K1 are assigned before the first of K2.
    let records = Records::new(&run.trace);
    let first_k2 = records.blocks.iter().position(|b| run.trace.op_name(b.op) == "K2").unwrap();
    assert_eq!(first_k2, 48);
    assert!((0..96).all(|i| records.block_runs(i).len() == 1));
}

#[test]
fn examples_of_two_processes_seem_to_have_two_gpus() {
    let run = walk(
        "tx2-fig-9-processes",
        &[
            (1_000_000, "P1; K1 8 run; K2 waits"),
            (2_000_000, "to P2; K1 8 held; K2 waits"),
            (2_050_000, "P2; K1 8 held; K2 8 run"),
            (5_000_000, "P1; K1 8 run; K2 8 held"),
            (136_000_000, "P1; K1 7 run; K2 7 held"),
        ],
    );
    assert_eq!(apparent_threads(&run), 8192);
    // The distribution of block times: twice as long at the median, and at the worst.
    let (tasks, processes) = (block_times(&example("tx2-fig-9-tasks")), block_times(&run));
    assert_eq!((tasks.len(), processes.len()), (96, 96));
    println!("tasks {} {} {}, processes {} {} {}", tasks[0], tasks[48], tasks[95], processes[0], processes[48], processes[95]);
    assert!(processes[48] >= 2 * tasks[48] && processes[95] >= 2 * tasks[95]);
    assert!(processes.iter().zip(&tasks).all(|(p, t)| 2 * p >= 3 * t), "and nowhere are they near");
    // Yet the resident process alone executes.
    assert_eq!((tasks[0], tasks[95]), (10_200_000, 12_080_000));
    assert!(responses_of(&run, "T1")[0] > 2 * 66_960_000 && responses_of(&run, "T2")[0] > 133_920_000);
}

#[test]
fn examples_of_priorities_change_nothing_across_processes() {
    let run = walk(
        "tx2-process-priorities",
        &[(1_000_000, "P1; K1 8 run; K2 waits"), (2_050_000, "P2; K1 8 held; K2 8 run"), (5_000_000, "P1; K1 8 run; K2 8 held")],
    );
    let blocks = |run: &Run| {
        let records = Records::new(&run.trace);
        let of = |i: usize| {
            let b = &records.blocks[i];
            (run.trace.op_name(b.op), b.block, b.sm, records.block_runs(i))
        };
        (0..records.blocks.len()).map(of).collect::<Vec<_>>()
    };
    assert_eq!(blocks(&run), blocks(&example("tx2-fig-9-processes")));
    let mut draft = draft("tx2-process-priorities");
    assert_eq!([draft.streams[0].priority, draft.streams[1].priority], [StreamPriority::Low, StreamPriority::High]);
    draft.streams.swap(0, 1);
    (draft.streams[0].priority, draft.streams[1].priority) = (StreamPriority::Low, StreamPriority::High);
    assert_eq!(blocks(&self::run(&draft)), blocks(&run), "the other way round either");
    // As tasks of one process the high-priority kernel overtakes.
    let mut draft = self::draft("tx2-process-priorities");
    draft.policy.kind = PolicyKind::Priority;
    let tasks = self::run(&draft);
    assert!(responses_of(&tasks, "T2") < responses_of(&tasks, "T1"));
}

#[test]
fn examples_of_the_tx1_change_processes_between_blocks() {
    let run = walk(
        "tx1-processes",
        &[
            (2_000_000, "P1 drains; K1 8 run; K2 waits"),
            (11_000_000, "P1 drains; K1 7 run; K2 waits"),
            (13_000_000, "P2; K1 waits; K2 8 run"),
        ],
    );
    assert_eq!(apparent_threads(&run), 4096);
    assert_eq!(block_times(&run), block_times(&example("tx2-fig-9-tasks")), "nearly identical in the paper, identical here");
    assert!(run.trace.steps().iter().all(|s| s.rule != Rule::S5), "nothing is suspended");
    // Kernels of different processes never run together.
    let records = Records::new(&run.trace);
    let of = |name: &str| records.blocks.iter().filter(|b| run.trace.op_name(b.op) == name).collect::<Vec<_>>();
    let (k1, k2) = (of("K1"), of("K2"));
    assert!(k1.iter().all(|a| k2.iter().all(|b| a.end.unwrap() <= b.start || b.end.unwrap() <= a.start)));
}

// ---- [EDF] ----

/// The processes in the order in which they were resident.
fn turns(run: &Run) -> String {
    let stays = Records::new(&run.trace).residency;
    stays.iter().map(|(space, _)| run.trace.space_name(*space)).collect::<Vec<_>>().join(" ")
}

#[test]
fn examples_of_edf_figure_1_take_turns_as_printed() {
    let run = walk(
        "edf-fig-1",
        &[
            (0, "H1; KH1 4 run; KH2 waits; KM1 waits; KM2 waits"),
            (2_000_000, "M1; KH1 4 held; KH2 4 held; KM1 4 run; KM2 waits"),
            (3_000_000, "H1; KH1 4 run; KH2 4 held; KM1 4 held; KM2 waits"),
            (5_000_000, "M2; KH1 4 held; KH2 4 held; KM1 4 held; KM2 4 run"),
            (7_000_000, "H2; KH2 4 run; KM1 4 held; KM2 4 held"),
            (9_000_000, "M2; KM1 4 held; KM2 4 run"),
        ],
    );
    assert_eq!(turns(&run), "H1 H2 M1 H1 H2 M2 H1 H2 M1 M2 M1 M2");
    assert_eq!(runlist(&run), "H1 H2 M1 H1 H2 M2");
}

/// The entries of the runlist.
fn runlist(run: &Run) -> String {
    let names: Vec<String> = run.trace.scenario().runlist().entries().map(|channel| run.trace.space_name(channel)).collect();
    names.join(" ")
}

/// [EDF] III-B: the runlist lists channels.
#[test]
fn examples_of_two_channels_take_turns_within_a_process() {
    let run = walk(
        "edf-channels",
        &[
            (0, "A channel 1; K1 2 run; K2 waits; K3 waits; KB waits"),
            (1_000_000, "A channel 2; K1 2 held; K2 2 run; K3 waits; KB waits"),
            (7_000_000, "A channel 2; K2 2 run; K3 waits; KB 2 held"),
            (8_000_000, "B; K3 waits; KB 2 run"),
        ],
    );
    assert_eq!(runlist(&run), "A channel 1 A channel 2 B");
    assert_eq!(turns(&run).replace("A channel ", "A"), "A1 A2 B A1 A2 B A1 A2 B A1");
    let mut draft = draft("edf-channels");
    draft.processes[0].channels = 1;
    let ends = |run: &Run| Records::new(&run.trace).ops.iter().map(|op| op.end.unwrap().ns() / 1_000_000).collect::<Vec<_>>();
    assert_eq!(ends(&run), [7, 8, 10, 9]);
    assert_eq!(ends(&self::run(&draft)), [5, 5, 7, 6], "in one channel K1 and K2 run together");
}

/// The quartiles that logs of an RTX 5090 have, by two constants of theirs; how many kernels complete in a second is not chosen.
#[test]
fn examples_of_six_processes_take_the_times_of_the_logs() {
    let run = walk(
        "edf-six-processes",
        &[
            (0, "P1; K1#0 2 run; K2#0 waits; K3#0 waits; K4#0 waits; K5#0 waits; K6#0 waits"),
            (13_590_000, "P1; K1#0 2 run; K2#0 2 held; K3#0 2 held; K4#0 2 held; K5#0 2 held; K6#0 2 held"),
            (82_254_500, "P1; K2#0 2 held; K3#0 2 held; K4#0 2 held; K5#0 2 held; K6#0 2 held; K1#1 2 run"),
        ],
    );
    let records = Records::new(&run.trace);
    let mut times: Vec<u64> = records.ops.iter().map(|op| op.end.unwrap().since(op.start.unwrap()).ns()).collect();
    times.sort_unstable();
    assert_eq!(times.len(), 6 * 200);
    let round = 5 * 2_209_000 + 6 * 56_000;
    assert_eq!([1, 2, 3].map(|quarter| times[times.len() * quarter / 4 - 1]), [82_254_500, 82_254_500, 82_254_500 + round]);
    // Of the logs: 82.18, 82.40 and 93.67 ms.
    for (simulated, measured) in [(82_254_500_u64, 82_180_000), (82_254_500, 82_400_000), (93_635_500, 93_670_000)] {
        assert!(simulated.abs_diff(measured) < 150_000, "{simulated} {measured}");
    }
    // The last kernel of a process may find fewer others; two of three take the shorter time.
    let shorter = times.iter().filter(|&&time| time == 82_254_500).count();
    assert_eq!((shorter, times.iter().filter(|&&time| time == 82_254_500 + round).count()), (811, 384));
    // Four processes complete 46.2262 kernels a second by the repository's audit of its logs.
    let millihertz = 4 * 200 * 1_000_000_000_000 / run.trace.end().ns();
    assert!(millihertz.abs_diff(46_226) < 462, "{millihertz}");
}

/// Theorem 1 by hand: l = min(TS, C) of H1, 1 ms, and a timeslice of M1 or M2, 1 ms; the job's
/// 2.5 ms take ceil(2.5 / 1) = 3 turns, so R <= 3 * 2 ms + 2.5 ms.
const BOUND: u64 = 3 * (1_000_000 + 1_000_000) + 2_500_000;

#[test]
fn examples_of_edf_figure_2a_reach_the_bound_of_theorem_1() {
    let run = walk(
        "edf-fig-2a",
        &[
            (1_000_000, "M1; KH1#0 4 held; KM1#0 4 run; KM2#0 waits"),
            (1_000_001, "M1; KH1#0 4 held; KM1#0 4 run; KM2#0 waits; KH2 waits"),
            (3_000_000, "H2; KM1#0 4 held; KM2#0 waits; KH2 4 run; KH1#1 waits"),
            (4_000_000, "M2; KM1#0 4 held; KM2#0 4 run; KH2 4 held; KH1#1 waits"),
            (9_000_001, "H2; KM2#0 4 held; KH2 4 run; KM1#1 waits; KH1#2 waits"),
            (9_500_000, "M2; KM2#0 4 run; KM1#1 waits; KH1#2 waits"),
        ],
    );
    assert_eq!(responses_of(&run, "H2"), [BOUND - 1]);
    assert_eq!(met(&run, "H2"), (0, 1));
    // No other moment is worse, and the one just before is much better.
    let mut draft = draft("edf-fig-2a");
    draft.horizon_ns = Some(30_000_000);
    let mut response = |offset: u64| {
        draft.tasks[1].offset_ns = offset;
        responses_of(&self::run(&draft), "H2")[0]
    };
    assert_eq!(response(1_000_000), 6_500_000);
    let worst = (0..120).map(|i| response(i * 100_000 + 1)).max().unwrap();
    assert_eq!(worst, BOUND - 1);
}

#[test]
fn examples_of_inheritance_need_it() {
    let run = walk(
        "edf-inheritance",
        &[
            (0, "camera; grab 4 run; detect waits"),
            (1_000_000, "camera; grab 4 run; detect waits; draw waits"),
            (4_000_000, "detector; detect 4 run; draw waits"),
            (6_000_000, "display; draw 4 run"),
            (11_000_000, "nobody"),
        ],
    );
    assert_eq!(responses(&run).iter().filter(|(.., met)| *met == Some(true)).count(), 3);
    assert!(run.trace.steps().iter().any(|s| s.at == Time::ZERO && s.rule == Rule::E3), "chosen by an inherited deadline");
    // Without the detector the camera has its own deadline and is interrupted, until 9 ms.
    let mut draft = draft("edf-inheritance");
    draft.tasks.remove(1);
    draft.kernels.remove(1);
    let alone = self::run(&draft);
    assert_eq!(turns(&alone), "camera display camera");
    assert_eq!(responses_of(&alone, "camera"), [9_000_000]);
}

#[test]
fn examples_of_one_connection_keep_the_order_of_launch() {
    let starts = |run: &Run| {
        let records = Records::new(&run.trace);
        let of = |(op, name): (usize, String)| (name, records.ops[op].start.unwrap().ns() / 1_000);
        let names = run.trace.ops().iter().map(|op| run.trace.scenario().row(op.row).name.clone());
        names.enumerate().map(of).filter(|(name, _)| name == "Gather" || name == "GEMM").collect::<Vec<_>>()
    };
    let both = |gather: u64, gemm: u64| vec![("Gather".to_owned(), gather), ("GEMM".to_owned(), gemm)];
    assert_eq!(starts(&example("cuda-one-connection")), both(1_200, 1_200));
    let mut draft = draft("cuda-one-connection");
    for connections in [None, Some(8)] {
        draft.connections = connections;
        assert_eq!(starts(&run(&draft)), both(4_000, 1_000), "the GEMM fills the GPU before the event is complete");
    }
}

/// The server's deadline of a task, ms, after an instant.
fn server_ms(run: &Run, task: usize, ns: u64) -> u64 {
    let applied = run.trace.steps().partition_point(|s| s.at <= Time(ns));
    run.replay().seek(applied as u32).server(TaskId::at(task), Time(ns)).deadline.ns() / 1_000_000
}

#[test]
fn examples_of_an_overrun_hurt_only_those_without_servers() {
    let with = walk(
        "edf-overrun-cbs",
        &[
            (2_000_000, "good; KG#0 4 run; KR#0 4 held"),
            (8_000_000, "rogue; KR#0 4 run; KR#1 waits"),
            (12_000_000, "good; KR#0 4 held; KR#1 waits; KG#1 4 run"),
            (19_000_000, "rogue; KR#1 4 run; KR#2 waits"),
        ],
    );
    assert_eq!([0, 2_000_000, 8_000_000, 12_000_000].map(|ns| server_ms(&with, 1, ns)), [8, 16, 16, 32]);
    assert_eq!(met(&with, "good"), (3, 0));
    assert_eq!(met(&with, "rogue").0, 0);
    assert_eq!(responses_of(&with, "rogue")[0], 19_000_000);

    let without = walk(
        "edf-overrun-plain",
        &[
            (2_000_000, "rogue; KG#0 waits; KR#0 4 run"),
            (7_000_000, "good; KG#0 4 run"),
            (12_000_000, "good; KG#0 4 run; KR#1 waits; KG#1 waits"),
            (26_000_000, "rogue; KR#2 4 run; KG#2 waits; KR#3 waits"),
        ],
    );
    assert_eq!(met(&without, "good").0, 0, "late in every job");
    assert!(met(&without, "good").1 >= 2);
    // They differ in the servers alone.
    let (mut a, b) = (draft("edf-overrun-cbs"), draft("edf-overrun-plain"));
    a.policy.cbs = false;
    a.name.clone_from(&b.name);
    assert_eq!(a, b);
}

// ---- [LP] ----

/// Switches begun before 40 ms, when both tasks begin anew.
fn switches(run: &Run) -> usize {
    let is_switch = |s: &&blockstep_sim::trace::Step| matches!(s.change, Change::SwitchStarted { .. }) && s.at < Time(40_000_000);
    run.trace.steps().iter().filter(is_switch).count()
}

#[test]
fn examples_of_preemption_modes_differ_in_who_is_late() {
    let thread = walk(
        "lp-thread",
        &[
            (10_000_000, "to short; KL#0 4 held; KS#1 waits"),
            (10_434_000, "short; KL#0 4 held; KS#1 4 run"),
            (12_868_000, "long; KL#0 4 run"),
            (41_038_000, "to short; KS#4 waits; KL#1 waits"),
        ],
    );
    assert_eq!(switches(&thread), 7);
    assert_eq!(responses_of(&thread, "long")[0], 30_000_000 + 4 * 2_000_000 + 7 * 434_000);
    assert_eq!((met(&thread, "short").1, met(&thread, "long").1), (0, 2), "the second is due at the end");

    let block = walk(
        "lp-block",
        &[
            (10_000_000, "long drains; KL#0 4 run; KS#1 waits"),
            (10_044_000, "to short; KL#0 waits; KS#1 waits"),
            (12_132_000, "long; KL#0 4 run"),
            (38_308_000, "nobody"),
        ],
    );
    assert_eq!((met(&block, "short").1, met(&block, "long").1), (0, 0));
    assert!(responses_of(&block, "short").iter().all(|&r| r <= 2_000_000 + 44_000 + 2_000_000), "a round and a switch at most");

    let none = walk(
        "lp-none",
        &[
            (10_000_000, "long; KL#0 4 run; KS#1 waits"),
            (15_000_000, "long; KL#0 4 run; KS#1 waits"),
            (32_044_000, "to short; KS#1 waits; KS#2 waits; KS#3 waits"),
            (36_088_000, "short; KS#3 4 run"),
        ],
    );
    assert_eq!((met(&none, "short"), met(&none, "long").1), ((2, 6), 0), "three of four in 40 ms, twice");

    // One task set: only the settings of the policy differ.
    let settings = |id: &str| {
        let mut draft = draft(id);
        let policy = draft.policy;
        (draft.policy, draft.name) = Default::default();
        assert!(!policy.cbs);
        (draft, policy.preemption, policy.switch_cost_ns)
    };
    let (tasks, ..) = settings("lp-thread");
    for (id, preemption, cost) in
        [("lp-thread", Preemption::Thread, 434_000), ("lp-block", Preemption::Block, 44_000), ("lp-none", Preemption::None, 44_000)]
    {
        assert_eq!(settings(id), (tasks.clone(), preemption, cost), "{id}: the greatest costs of Table II");
    }
}
