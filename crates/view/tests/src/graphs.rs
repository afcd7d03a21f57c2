//! CUDA graphs: one call, nodes in their order (W2), one place in the stream.

use blockstep_format::{read_scenario, write_scenario};
use blockstep_learn::why::{Moment, headline, why};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    Call, DefaultStream, Draft, KernelDraft, MAX_BRANCHES, NULL_STREAM, ProcessDraft, Release, Scenario, TaskDraft,
};
use blockstep_sim::trace::{OpKind, Rule};
use blockstep_sim::units::{OpId, Time};
use blockstep_view::document::Document;
use blockstep_view::position;
use blockstep_view::reason::{self, Reason};
use blockstep_view::sentence::sentence;
use blockstep_view::table::Table;
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::Timeline;

fn kernel(name: &str, stream: &str, time: u64) -> KernelDraft {
    KernelDraft { stream: stream.to_owned(), ..KernelDraft::named(name, 1, 32, time) }
}

fn launch(name: &str, stream: &str) -> KernelDraft {
    KernelDraft { stream: stream.to_owned(), ..KernelDraft::calling(name, Call::LaunchGraph, 0) }
}

fn node(name: &str, graph: &str, time: u64, waits_for: &[&str]) -> KernelDraft {
    let waits_for = waits_for.iter().map(|&name| name.to_owned()).collect();
    KernelDraft { graph: Some(graph.to_owned()), waits_for, ..KernelDraft::named(name, 1, 32, time) }
}

/// That of docs/semantics.md: K1, then A before B and C before D, then K2, in S1; a call takes 10 ns.
fn diamond() -> Draft {
    let kernels = vec![
        kernel("K1", "S1", 100),
        launch("G", "S1"),
        node("A", "G", 50, &[]),
        node("B", "G", 100, &["A"]),
        node("C", "G", 60, &["A"]),
        node("D", "G", 20, &["B", "C"]),
        kernel("K2", "S1", 30),
    ];
    Draft { tasks: vec![TaskDraft { call_ns: Some(10), ..TaskDraft::named("T") }], kernels, ..Draft::default() }
}

#[test]
fn graphs_have_nodes_without_a_stream() {
    let mut draft = diamond();
    for (row, stream) in draft.kernels[2..6].iter_mut().zip(["", " ", "S7", "NULL"]) {
        row.stream = stream.to_owned();
    }
    assert_eq!(run(&draft).trace.steps(), run(&diamond()).trace.steps());
    let streams: Vec<String> = Document::new(draft.clone()).streams().into_iter().map(|stream| stream.name).collect();
    assert_eq!(streams, ["S1"], "the table of streams has none of these");
    draft.kernels[1].stream.clear();
    assert_eq!(Scenario::new(&draft).unwrap_err().to_string(), "kernels[1].stream is empty; name a stream, or NULL");
}

fn run(draft: &Draft) -> Run {
    engine::simulate(&Scenario::new(draft).unwrap(), Limits::default())
}

fn op(run: &Run, name: &str) -> OpId {
    (0..run.trace.ops().len()).map(OpId::at).find(|&op| run.trace.op_label(op) == name).unwrap()
}

/// Issue, start and end of an operation, ns.
fn life(run: &Run, name: &str) -> [u64; 3] {
    let record = Records::new(&run.trace).ops[op(run, name).index()];
    [record.issued, record.start.unwrap(), record.end.unwrap()].map(Time::ns)
}

fn reason_at(run: &Run, name: &str, at: u64) -> (Reason, String, String) {
    let trace = &*run.trace;
    let mut replay = run.replay();
    let state = replay.seek(position::at_time(trace, Time(at))).clone();
    let reason = reason::reason(trace, &state, op(run, name)).unwrap();
    let records = Records::new(trace);
    let why = why(Moment { trace, records: &records, state: &state }, op(run, name));
    (reason, reason::words(trace, &state, op(run, name), reason), headline(trace, &why))
}

/// The path of the only problem of a draft, and what it says.
fn refused(draft: &Draft) -> String {
    let problems = Scenario::new(draft).unwrap_err().problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    format!("{}: {}", problems[0].path, problems[0].message)
}

#[test]
fn graphs_are_one_call_and_their_nodes_wait_for_each_other() {
    let run = run(&diamond());
    // Three calls: the second issues all nodes.
    assert_eq!(["A", "B", "C", "D", "K2"].map(|name| life(&run, name)[0]), [20, 20, 20, 20, 30]);
    assert_eq!(life(&run, "D")[1..], [260, 280]);
    let (c, d, k2) = (reason_at(&run, "C", 130), reason_at(&run, "D", 240), reason_at(&run, "K2", 240));
    assert_eq!(c.0, Reason::Graph { op: op(&run, "A") });
    assert_eq!((&*c.1, &*c.2), ("waits for A, a node of its graph", "C waits for A, a node of its graph. A executes until 160 ns."));
    assert_eq!(d.1, "behind B, a node of its graph, in stream S1");
    assert_eq!(k2.1, "behind B in stream S1, with 2 operations ahead");
    let step = run.trace.steps().iter().find(|s| s.rule == Rule::W2).unwrap();
    let words = "C in stream S1 branch 2 joins the low-priority EE queue, because the nodes that it waits for are complete.";
    assert_eq!((step.at.ns(), &*sentence(&run.trace, step)), (160, words));
}

/// A longer branch than the stream's own queue: what comes behind the graph waits for it, and so does the next graph.
#[test]
fn graphs_are_followed_when_all_their_nodes_are_complete() {
    let mut draft = diamond();
    // Without D, whose edges join the branches.
    drop(draft.kernels.remove(5));
    draft.kernels[4] = node("C", "G", 300, &["A"]);
    let mut behind = draft.clone();
    behind.kernels.splice(5.., [launch("H", "S1"), node("E", "H", 10, &[]), node("F", "H", 10, &[])]);
    let (run, behind) = (run(&draft), self::run(&behind));
    assert_eq!((life(&run, "B")[2], life(&run, "C")[2], life(&run, "K2")[1]), (260, 460, 460));
    assert_eq!(["E", "F"].map(|name| life(&behind, name)[1]), [460, 460]);
    let (k2, f) = (reason_at(&run, "K2", 300), reason_at(&behind, "F", 470 - 10 - 1));
    assert_eq!((&*k2.1, k2.0), ("behind C, a node of graph G in stream S1", Reason::Graph { op: op(&run, "C") }));
    assert_eq!(k2.2, "K2 waits behind C in stream S1. C executes until 460 ns.");
    // F stands behind C in the queue of the branch.
    assert_eq!((&*f.1, f.0), ("behind C in stream S1 branch 2", Reason::BehindInStream { op: op(&behind, "C") }));
    let root = reason_at(&behind, "E", 300);
    assert_eq!((&*root.1, root.0), ("its graph is behind C, a node of graph G in stream S1", Reason::Graph { op: op(&behind, "C") }));
    assert_eq!(root.2, "E waits for C, which is before its graph in stream S1. C executes until 460 ns.");
}

/// A chain is what the same launches are that take no time.
#[test]
fn graphs_that_are_chains_run_as_launches_one_by_one() {
    let names = ["A", "B", "C"];
    let one_by_one = Draft {
        tasks: vec![TaskDraft { call_ns: Some(0), ..TaskDraft::named("T") }],
        kernels: names.map(|name| kernel(name, "S1", 7)).to_vec(),
        ..Draft::default()
    };
    let mut graph = Draft { kernels: vec![launch("G", "S1"), node("A", "G", 7, &[])], ..one_by_one.clone() };
    graph.kernels.extend([node("B", "G", 7, &["A"]), node("C", "G", 7, &["B", "A"])]);
    let (graph, launches) = (run(&graph), run(&one_by_one));
    assert_eq!(graph.trace.text(), launches.trace.text());
    assert!(graph.trace.layout().streams().iter().all(|stream| stream.branch_of.is_none()));
}

/// The events of a launch: the graph waits for them, and what is recorded is complete with the last node, in whichever branch.
#[test]
fn graphs_wait_for_events_and_record_them() {
    let mut draft = diamond();
    drop(draft.kernels.remove(5));
    draft.kernels[0].stream = "S0".to_owned();
    draft.kernels[0].records = Some("E".to_owned());
    (draft.kernels[1].waits_for, draft.kernels[1].records) = (vec!["E".to_owned()], Some("F".to_owned()));
    draft.kernels[4] = node("C", "G", 300, &["A"]);
    draft.kernels[5] = KernelDraft { waits_for: vec!["F".to_owned()], ..kernel("K2", "S2", 30) };
    draft.kernels.push(KernelDraft { waits_for: vec!["F".to_owned()], ..KernelDraft::calling("wait", Call::SynchronizeEvent, 0) });
    draft.kernels.push(kernel("K3", "S3", 30));
    let run = run(&draft);
    assert_eq!((life(&run, "A")[1], life(&run, "C")[2]), (110, 460));
    assert_eq!((life(&run, "K2")[1], life(&run, "K3")[0]), (460, 470));
    let (a, k2) = (reason_at(&run, "A", 50), reason_at(&run, "K2", 300));
    assert_eq!((&*a.1, &*k2.1), ("event E was recorded behind K1 in stream S0", "event F was recorded behind C in stream S1 branch 2"));
}

/// A thread that synchronizes with the stream waits for its branches; so does the NULL stream.
#[test]
fn graphs_are_waited_for_with_their_branches() {
    let mut draft = diamond();
    draft.kernels.truncate(5);
    draft.kernels[4] = node("C", "G", 300, &["A"]);
    let mut null = draft.clone();
    null.kernels.push(kernel("K2", NULL_STREAM, 30));
    draft.kernels.push(KernelDraft { stream: "S1".to_owned(), ..KernelDraft::calling("wait", Call::SynchronizeStream, 0) });
    draft.kernels.push(kernel("K2", "S2", 30));
    let mut after = draft.clone();
    after.kernels[5] = KernelDraft { after: Some("G".to_owned()), start_ns: 5, ..kernel("K4", "S3", 1) };
    let (synchronized, null, after) = (run(&draft), run(&null), run(&after));
    // One more call after the wait.
    assert_eq!((life(&synchronized, "C")[2], life(&synchronized, "K2")[0]), (460, 470));
    assert_eq!(life(&null, "K2")[..2], [30, 460]);
    assert_eq!(life(&after, "K4")[0], 475);
}

#[test]
fn graphs_are_launched_anew_in_each_job() {
    let mut draft = diamond();
    draft.tasks[0] = TaskDraft { release: Release::Periodic, period_ns: Some(100), jobs: Some(2), ..draft.tasks[0].clone() };
    draft.horizon_ns = Some(1000);
    let run = run(&draft);
    // The second job's graph is behind its own K1, which is behind the first job's K2.
    assert_eq!(life(&run, "A#0")[1], 110);
    assert_eq!((life(&run, "K2#0")[2], life(&run, "K1#1")[1], life(&run, "A#1")[1]), (310, 310, 410));
    assert_eq!((life(&run, "D#1")[2], life(&run, "K2#1")[2]), (580, 610));
}

/// Copies around the kernel of a node, and a node that is a copy: an edge is from the last operation to the first.
#[test]
fn graphs_have_copies() {
    let mut draft = diamond();
    draft.device = blockstep_sim::scenario::DeviceDraft::Custom(blockstep_sim::scenario::Device {
        copy_bandwidth_bytes_per_s: 1_000_000_000,
        copy_engines: 2,
        ..Default::default()
    });
    draft.kernels[2].copy_out_bytes = 7;
    draft.kernels[4] =
        KernelDraft { graph: Some("G".to_owned()), waits_for: vec!["A".to_owned()], ..KernelDraft::calling("C", Call::CopyToHost, 9) };
    let run = run(&draft);
    assert_eq!(
        (life(&run, "A out")[1..].to_vec(), life(&run, "B")[1], life(&run, "C")[1..].to_vec()),
        (vec![160, 167], 167, vec![167, 176])
    );
    assert_eq!(run.trace.op(op(&run, "C")).kind, OpKind::CopyOut);
}

#[test]
fn graphs_are_read_written_and_refused() {
    let draft = diamond();
    let text = write_scenario(&draft);
    assert_eq!(read_scenario(&text).unwrap(), draft);
    assert!(text.contains("\"version\": 2"));
    let mut wide = Draft { kernels: vec![launch("G", "S1")], ..Draft::default() };
    wide.kernels.extend((0..MAX_BRANCHES).map(|i| node(&format!("A{i}"), "G", 1, &[])));
    assert_eq!(run(&wide).trace.end().ns(), 1);
    wide.kernels.push(node("Z", "G", 1, &[]));
    assert_eq!(refused(&wide), "kernels[65].waits_for: make it the first of more than 64 nodes that may run at once, the limit");
    let mut null = diamond();
    null.kernels[1].stream = NULL_STREAM.to_owned();
    let message = "kernels[1].stream: is \"NULL\"; a graph whose nodes may run at once has to be launched into another stream";
    assert_eq!(refused(&null), message);
    // A chain may be, and so may any graph where NULL is a stream of the task's own.
    null.processes = vec![ProcessDraft { default_stream: DefaultStream::PerThread, ..ProcessDraft::named("P") }];
    assert_eq!(life(&run(&null), "D")[1..], [170, 190]);
    null.processes.clear();
    null.kernels[4].waits_for = vec!["B".to_owned()];
    assert_eq!(life(&run(&null), "D")[1..], [320, 340]);
    let mut other = diamond();
    other.tasks.push(TaskDraft::named("U"));
    other.kernels[3].task = Some("U".to_owned());
    assert_eq!(refused(&other), "kernels[3].task: is another one than that of its graph \"G\"; one thread launches all nodes");
    let mut twice = diamond();
    twice.kernels[5].waits_for.push("B".to_owned());
    assert_eq!(refused(&twice), "kernels[5].waits_for[2]: \"B\" is named twice");
    let mut apart = diamond();
    apart.kernels.swap(3, 6);
    let expected = "kernels[4].graph: \"G\" is neither the row above nor its graph; nodes stand directly below their launch_graph";
    let problems = Scenario::new(&apart).unwrap_err().problems;
    assert!(problems.iter().any(|p| format!("{}: {}", p.path, p.message) == expected), "{problems:?}");
    // What a node has no use for.
    let mut spare = diamond();
    (spare.kernels[3].start_ns, spare.kernels[3].call_ns, spare.kernels[3].stream) = (5, Some(6), "S9".to_owned());
    let said = "which the call kernel of row \"B\" does not use";
    let expected = [
        format!("kernels[3].start_ns is 5, {said}"),
        format!("kernels[3].call_ns is 6, {said}"),
        format!("kernels[3].stream is \"S9\", {said}"),
    ];
    assert_eq!(spare.without_effect(), expected);
    assert_eq!(run(&spare).trace.text(), run(&diamond()).trace.text());
    assert_eq!(spare.with_effect(), diamond());
}

/// The table: a row below a launch or a node is a node, names follow, and a launch is one arrow of the timeline.
#[test]
fn graphs_are_made_in_the_table() {
    let column = |field: &str| Table::Kernels.column_of(field).unwrap();
    let mut document = Document::new(diamond());
    document.set(Table::Kernels, 1, column("name"), "Graph");
    document.set(Table::Kernels, 2, column("name"), "First");
    let draft = document.draft();
    let rows: Vec<_> = draft.kernels[2..6].iter().map(|row| (row.graph.clone(), row.waits_for.clone())).collect();
    assert!(rows.iter().all(|(graph, _)| graph.as_deref() == Some("Graph")));
    assert_eq!((&*rows[1].1[0], &*rows[3].1[0]), ("First", "B"));
    document.add(Table::Kernels, Some(5), false);
    document.add(Table::Kernels, Some(1), false);
    let graphs = document.draft().kernels.iter().map(|row| row.graph.clone().unwrap_or_default()).collect::<Vec<_>>();
    assert_eq!(graphs, ["", "", "Graph", "Graph", "Graph", "Graph", "Graph", "Graph", ""]);
    let draft = document.draft();
    let run = run(&draft);
    let timeline = Timeline::new(&run.trace, &std::sync::Arc::new(Records::new(&run.trace)));
    let scale = TimeScale::fit(run.trace.end(), 0.0, 1000.0);
    let labels: Vec<_> =
        timeline.frame(&scale, 500.0, None, None).arrows.into_iter().filter_map(|arrow| arrow.label).map(|l| l.text).collect();
    assert_eq!(labels.join(", ").split(", ").filter(|name| ["K1", "Graph", "K2"].contains(name)).count(), 3, "{labels:?}");
}
