//! What the first scenarios left out: jobs that come again, producers and consumers, times that vary, more than two processes, and graphs.

use blockstep_sim::scenario::{
    BlockTimes, Call, Choice, Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, StreamDraft, StreamPriority,
    TaskDraft,
};

use crate::margin::{self, Seen};
use crate::random::Dice;
use crate::{MS, Made, device};

/// How many graphs are drawn.
const GRAPHS: u64 = 40;

pub(crate) fn all() -> Vec<Made> {
    let mut all = vec![
        periodic(PolicyKind::Fifo),
        periodic(PolicyKind::Priority),
        continuous(),
        chain(),
        processes(3, 12, 4 * MS),
        processes(6, 20, 5 * MS),
        sixty(10_000),
        sixty(0),
        graph_in_null(),
        graph_of_copies(),
        high_graph(),
    ];
    all.extend((0..GRAPHS).map(random_graphs));
    all
}

fn made(name: &str, about: &str, draft: Draft) -> Made {
    let draft = Draft { name: format!("Measured: {name}"), device: device(), ..draft };
    Made { name: name.to_owned(), about: about.to_owned(), draft }
}

fn kernel(name: &str, task: &str, stream: &str, blocks: u64, threads: u64, ns: u64) -> KernelDraft {
    KernelDraft { task: Some(task.to_owned()), stream: stream.to_owned(), ..KernelDraft::named(name, blocks, threads, ns) }
}

fn node(name: &str, graph: &str, waits_for: &[&str], blocks: u64, threads: u64, ns: u64) -> KernelDraft {
    let waits_for = waits_for.iter().map(|&before| before.to_owned()).collect();
    KernelDraft { graph: Some(graph.to_owned()), waits_for, ..KernelDraft::named(name, blocks, threads, ns) }
}

fn launch(name: &str, stream: &str) -> KernelDraft {
    KernelDraft { stream: stream.to_owned(), call: Call::LaunchGraph, ..KernelDraft::named(name, 0, 0, 0) }
}

fn stream(name: &str, priority: StreamPriority) -> StreamDraft {
    StreamDraft { name: name.to_owned(), priority, ..StreamDraft::default() }
}

/// Three periodic tasks whose jobs vary; the quickest has the high priority, where priorities count.
fn periodic(kind: PolicyKind) -> Made {
    let task = |name: &str, period_ns, jobs, offset_ns| TaskDraft {
        release: Release::Periodic,
        period_ns: Some(period_ns),
        jobs: Some(jobs),
        offset_ns,
        ..TaskDraft::named(name.to_owned())
    };
    let varying = |row: KernelDraft, most| KernelDraft { block_time_max_ns: Some(most), ..row };
    let draft = Draft {
        seed: 7,
        horizon_ns: Some(100 * MS),
        policy: PolicyDraft { kind, ..PolicyDraft::default() },
        tasks: vec![task("quick", 5 * MS, 12, 0), task("middle", 10 * MS, 6, 300_000), task("slow", 20 * MS, 3, 700_000)],
        streams: vec![stream("S1", StreamPriority::High), stream("S2", StreamPriority::Low), stream("S3", StreamPriority::Low)],
        kernels: vec![
            varying(kernel("Q", "quick", "S1", 66, 1024, MS / 2), MS),
            varying(kernel("M", "middle", "S2", 264, 1024, 3 * MS / 2), 5 * MS / 2),
            varying(kernel("L", "slow", "S3", 792, 1024, 3 * MS / 2), 2 * MS),
        ],
        ..Draft::default()
    };
    made(&format!("periodic-{}", kind.word()), "three periodic tasks, times that vary", draft)
}

/// A job begins when the one before is complete.
fn continuous() -> Made {
    let task = |name: &str, jobs| TaskDraft { release: Release::Continuous, jobs: Some(jobs), ..TaskDraft::named(name.to_owned()) };
    let draft = Draft {
        horizon_ns: Some(100 * MS),
        tasks: vec![task("A", 8), task("B", 5)],
        kernels: vec![kernel("A1", "A", "S1", 66, 512, 2 * MS), kernel("B1", "B", "S2", 132, 768, 3 * MS)],
        ..Draft::default()
    };
    made("continuous", "two tasks, each of whose jobs begins when the one before is complete", draft)
}

/// Each job of a consumer waits for that of its producers.
fn chain() -> Made {
    let task = |name: &str, consumes: &[&str]| TaskDraft {
        release: Release::Periodic,
        period_ns: Some(12 * MS),
        jobs: Some(4),
        consumes: consumes.iter().map(|&from| from.to_owned()).collect(),
        ..TaskDraft::named(name.to_owned())
    };
    let draft = Draft {
        horizon_ns: Some(100 * MS),
        tasks: vec![task("camera", &[]), task("lidar", &[]), task("fusion", &["camera", "lidar"]), task("plan", &["fusion"])],
        kernels: vec![
            kernel("C", "camera", "S1", 66, 512, 2 * MS),
            kernel("D", "lidar", "S2", 66, 512, 3 * MS),
            kernel("F", "fusion", "S3", 132, 1024, 2 * MS),
            kernel("P", "plan", "S4", 33, 256, MS),
        ],
        ..Draft::default()
    };
    made("producers-consumers", "a consumer's job begins when its producers' are complete", draft)
}

/// Processes that always have work, each of whose kernels fills the GPU.
fn processes(count: u64, kernels: u64, ns: u64) -> Made {
    let names = || (1..=count).map(|i| format!("P{i}"));
    let process = |name: String| ProcessDraft { timeslice_ns: 2 * MS, preemption: Some(Preemption::Thread), ..ProcessDraft::named(name) };
    let task = |(i, name): (u64, String)| TaskDraft {
        process: Some(name.clone()),
        offset_ns: i * MS / 2,
        ..TaskDraft::named(name.replace('P', "T"))
    };
    let rows = |name: String| {
        let task = name.replace('P', "T");
        (1..=kernels).map(move |k| kernel(&format!("{task} K{k}"), &task, "S1", 264, 1024, ns)).collect::<Vec<_>>()
    };
    let draft = Draft {
        policy: PolicyDraft { kind: PolicyKind::Runlist, switch_cost_ns: 240_000, ..PolicyDraft::default() },
        processes: names().map(process).collect(),
        tasks: (0..count).zip(names()).map(task).collect(),
        kernels: names().flat_map(rows).collect(),
        ..Draft::default()
    };
    made(&format!("processes-{count}"), "processes that always have work take turns", draft)
}

/// Sixty launches one by one, and sixty nodes of one graph, as in the example `cuda-graph`, whose times are not enlarged.
fn sixty(call_ns: u64) -> Made {
    let task =
        |name: &str, offset_ns| TaskDraft { call_ns: (call_ns > 0).then_some(call_ns), offset_ns, ..TaskDraft::named(name.to_owned()) };
    let mut kernels: Vec<KernelDraft> = (1..=60).map(|i| kernel(&format!("L{i}"), "one by one", "S1", 2, 512, 4_000)).collect();
    kernels.push(KernelDraft { task: Some("graph".to_owned()), ..launch("G", "S2") });
    for i in 1..=60 {
        let before = format!("N{}", i - 1);
        let waits_for: &[&str] = if i == 1 { &[] } else { &[&before] };
        kernels.push(KernelDraft { task: Some("graph".to_owned()), ..node(&format!("N{i}"), "G", waits_for, 2, 512, 4_000) });
    }
    // One after the other, so that neither thread keeps the driver's lock from the other.
    let draft = Draft { tasks: vec![task("one by one", 0), task("graph", 2 * MS)], kernels, ..Draft::default() };
    made(&format!("sixty-launches-{}us", call_ns / 1000), "sixty launches of 4 us, then one graph of sixty nodes", draft)
}

fn graph_in_null() -> Made {
    let kernels = vec![
        KernelDraft { stream: "S1".to_owned(), ..KernelDraft::named("K1", 66, 256, 3 * MS) },
        launch("G", "NULL"),
        node("A", "G", &[], 66, 256, MS),
        node("B", "G", &["A"], 66, 256, MS),
        KernelDraft { stream: "S2".to_owned(), ..KernelDraft::named("K2", 66, 256, MS) },
    ];
    made("graph-in-null", "a graph in NULL waits for K1, and K2 for the graph", Draft { kernels, ..Draft::default() })
}

fn graph_of_copies() -> Made {
    let copy = |name: &str, call, waits_for: &[&str], bytes| KernelDraft { call, bytes, ..node(name, "G", waits_for, 0, 0, 0) };
    let kernels = vec![
        launch("G", "S1"),
        copy("In", Call::CopyToDevice, &[], 50_000_000),
        node("A", "G", &["In"], 66, 256, 2 * MS),
        node("B", "G", &["In"], 66, 256, 3 * MS),
        copy("Out", Call::CopyToHost, &["A"], 50_000_000),
        KernelDraft { stream: "S1".to_owned(), ..KernelDraft::named("K", 66, 256, MS) },
    ];
    made("graph-of-copies", "copies and kernels as nodes; K waits for B and for the copy back", Draft { kernels, ..Draft::default() })
}

/// Does a graph's priority count, and for its branches too?
fn high_graph() -> Made {
    let kernels = vec![
        KernelDraft { stream: "S1".to_owned(), ..KernelDraft::named("Low", 4 * 264, 1024, 2 * MS) },
        KernelDraft { start_ns: 3 * MS, ..launch("G", "S2") },
        node("A", "G", &[], 132, 1024, MS),
        node("B", "G", &["A"], 66, 1024, MS),
        node("C", "G", &["A"], 66, 1024, MS),
    ];
    let streams = vec![stream("S1", StreamPriority::Low), stream("S2", StreamPriority::High)];
    made(
        "graph-high",
        "nodes of a graph in a high stream go before the waiting blocks of Low",
        Draft { streams, kernels, ..Draft::default() },
    )
}

/// Graphs with random edges beside kernels of other streams, drawn again until launches late or early change nothing.
fn random_graphs(index: u64) -> Made {
    for attempt in 0.. {
        let draft = drawn(&mut Dice::new((1 << 48) + (index << 24) + attempt), index);
        let Ok(seen) = Seen::of(&draft) else { continue };
        if seen.end_ns > 40 * MS || !margin::is_robust(&draft, &seen) {
            continue;
        }
        let nodes = draft.kernels.iter().filter(|row| row.graph.is_some()).count();
        let about = format!("{} rows, {nodes} of them nodes (draw {attempt})", draft.kernels.len());
        return Made { name: format!("graphs-{index:02}"), about, draft };
    }
    unreachable!("attempts do not end")
}

fn drawn(dice: &mut Dice, index: u64) -> Draft {
    let sizes = [16, 33, 66, 66, 132, 132, 264, 396];
    let threads = [64, 128, 256, 512, 512, 768, 1024];
    let mut kernels = Vec::new();
    let mut streams = vec![];
    if index.is_multiple_of(4) {
        streams = vec![stream("S1", StreamPriority::Low), stream("S2", StreamPriority::High), stream("S3", StreamPriority::Low)];
    }
    let mut start_ns = 0;
    let graphs = dice.between(1, 2);
    for g in 1..=graphs {
        for k in 0..dice.between(0, 2) {
            let name = format!("K{g}{k}");
            let of = format!("S{}", dice.between(1, 3));
            let time = dice.between(8, 60) * 50_000;
            let row = KernelDraft::named(name, dice.of(&sizes), dice.of(&threads), time);
            kernels.push(KernelDraft { stream: of, start_ns, ..row });
            start_ns += dice.between(3, 20) * 100_000;
        }
        let name = format!("G{g}");
        kernels.push(KernelDraft { start_ns, ..launch(&name, &format!("S{}", dice.between(1, 2))) });
        let nodes = dice.between(3, 9);
        for n in 1..=nodes {
            let mut row = node(&format!("{name} N{n}"), &name, &[], dice.of(&sizes), dice.of(&threads), 1);
            row.block_time_ns = BlockTimes::Each(dice.between(8, 50) * 50_000);
            for before in 1..n {
                if dice.between(1, 3) == 1 && row.waits_for.len() < 3 {
                    row.waits_for.push(format!("{name} N{before}"));
                }
            }
            kernels.push(row);
        }
        start_ns += dice.between(3, 30) * 100_000;
    }
    for k in 0..dice.between(1, 2) {
        let row = KernelDraft::named(format!("L{k}"), dice.of(&sizes), dice.of(&threads), dice.between(8, 60) * 50_000);
        kernels.push(KernelDraft { stream: format!("S{}", dice.between(1, 3)), start_ns, ..row });
        start_ns += dice.between(3, 20) * 100_000;
    }
    Draft { name: format!("Graphs {index}"), device: device(), streams, kernels, ..Draft::default() }
}
