//! Graphs: one launch is one call, and what its nodes wait for is the order of the graph.

use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Call, Draft, KernelDraft, Scenario};
use blockstep_sim::units::{Span, Time};
use blockstep_traces::Recording;
use blockstep_traces::answers::what_if::{WhatIfChange, what_if};
use blockstep_traces::causes::Cause::{CannotTell, FirstUse, GraphOrder, Launch, StreamOrder};
use blockstep_traces::causes::Certainty::{Certain, Consistent};
use blockstep_traces::causes::{Analysis, KnownSettings};
use blockstep_traces::made::{self, LeftOut};
use blockstep_traces::summary::largest;
use blockstep_traces::words::sentence;
use serde_json::json;

use super::{Made, parts_of, read, sqlite};

/// A kernel `before`; then a graph called at 10 us: `n0` and `n1` in stream 20, `side` in 24 after `n0`, and `last` in 20 after both; then
/// `after` in stream 28.
fn made() -> Made {
    let mut made = Made::default();
    made.kernel("before", 20, 0, (8, 100));
    let launch = made.correlation + 1;
    made.call("cudaGraphLaunch", (10, 5), json!({ "correlation": launch }));
    made.correlation = launch;
    for (k, (name, stream, from, to)) in
        [("n0", 20, 102, 200), ("n1", 20, 202, 300), ("side", 24, 203, 500), ("last", 20, 502, 600)].into_iter().enumerate()
    {
        let args = json!({ "device": 0, "context": 1, "stream": stream, "correlation": launch, "grid": [1, 1, 1], "block": [128, 1, 1],
            "registers per thread": 32, "shared memory": 0, "graph id": 1, "graph node id": k + 1 });
        made.events.push(json!({ "ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": 1_000.001 + f64::from(from),
            "dur": to - from, "args": args }));
    }
    made.kernel("after", 28, 20, (602, 700));
    made
}

#[test]
fn profile_nodes_wait_for_nodes_from_when_their_graph_began() {
    let made = made();
    assert_eq!(made.causes("n0"), [(StreamOrder, Certain, 90), (Launch, Certain, 2)], "the first node waits for the launch");
    assert_eq!(made.causes("n1"), [(GraphOrder, Consistent, 98), (Launch, Consistent, 2)]);
    assert_eq!(made.causes("side"), [(GraphOrder, Consistent, 98), (Launch, Consistent, 3)]);
    // Of both that it may depend on, the one that ended last.
    assert_eq!(made.causes("last"), [(GraphOrder, Consistent, 398), (Launch, Consistent, 2)]);
}

/// The first launch of a graph loads the code of its kernels, as that of a kernel does; a later one that takes long does something else.
#[test]
fn profile_the_first_launch_of_a_graph_may_load_code() {
    let long = |before: Option<u64>| {
        let mut made = made();
        for event in &mut made.events {
            let shifts = event["ts"].as_f64().unwrap() >= 1_100.0;
            if event["name"] == "cudaGraphLaunch" {
                event["dur"] = json!(900);
            } else if shifts {
                event["ts"] = json!(event["ts"].as_f64().unwrap() + 811.0);
            }
        }
        for name in before.iter().flat_map(|_| ["n0", "n1", "side", "last"]) {
            made.kernel(name, 20, 1, (101, 102));
            made.events.rotate_right(2);
        }
        let (recording, _) = made.read();
        let place = recording.operations.iter().position(|of| recording.is_node(of)).unwrap();
        let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
        analysis.parts(place as u32).iter().map(|part| part.cause).collect::<Vec<_>>()
    };
    assert!(long(None).contains(&FirstUse), "{:?}", long(None));
    assert!(!long(Some(1)).contains(&FirstUse), "{:?}", long(Some(1)));
}

/// The arrows that PyTorch draws for these edges, whose numbers are beyond those of calls.
fn with_edges(mut made: Made, edges: &[(&str, &str)]) -> Made {
    let event = |made: &Made, name: &str| made.events.iter().find(|event| event["name"] == name).unwrap().clone();
    for (k, (before, node)) in edges.iter().enumerate() {
        let (before, node) = (event(&made, before), event(&made, node));
        let arrow = |ph: &str, of: &serde_json::Value, ts: f64| json!({ "ph": ph, "id": (1_u64 << 40) + k as u64, "pid": of["pid"], "tid": of["tid"], "ts": ts, "cat": "ac2g", "name": "ac2g" });
        let end = before["ts"].as_f64().unwrap() + before["dur"].as_f64().unwrap();
        let ends = [arrow("s", &before, end), arrow("f", &node, node["ts"].as_f64().unwrap())];
        made.events.extend(ends);
    }
    made
}

/// A node that has an edge waits for the node that it comes from, and that is certain; the others wait as without edges.
#[test]
fn profile_edges_of_graphs_make_the_order_certain() {
    let made = with_edges(made(), &[("n0", "side"), ("n1", "last"), ("side", "last")]);
    assert_eq!(made.causes("n1"), [(GraphOrder, Consistent, 98), (Launch, Consistent, 2)]);
    assert_eq!(made.causes("side"), [(GraphOrder, Certain, 98), (Launch, Consistent, 3)]);
    assert_eq!(made.causes("last"), [(GraphOrder, Certain, 398), (Launch, Consistent, 2)]);
    let (recording, analysis) = read(&made.text());
    let place = |name: &str| recording.operations.iter().position(|operation| recording.name(operation) == name).unwrap() as u32;
    let by = largest(analysis.parts(place("last"))).unwrap().by;
    assert_eq!((recording.edges.len(), by), (3, Some(place("side"))));
    // With an edge from n1 alone, whatever it waited for afterwards is not known to be an order of the graph.
    let made = with_edges(self::made(), &[("n1", "last")]);
    assert_eq!(made.causes("last"), [(GraphOrder, Certain, 198), (GraphOrder, Consistent, 200), (Launch, Consistent, 2)]);
}

/// An arrow that fits no two nodes of one launch, has one end, or a number of a call, is no edge.
#[test]
fn profile_arrows_that_are_no_edges_are_passed_over() {
    let edges = |made: &Made| read(&made.text()).0.edges.len();
    assert_eq!(edges(&with_edges(made(), &[("before", "n1"), ("n0", "after"), ("n0", "n0")])), 0);
    let mut half = with_edges(made(), &[("n0", "n1")]);
    assert_eq!(edges(&half), 1);
    half.events.pop();
    assert_eq!(edges(&half), 0);
    let mut call = with_edges(made(), &[("n0", "n1")]);
    call.events.iter_mut().filter(|event| event["cat"] == "ac2g").for_each(|event| event["id"] = json!(7));
    assert_eq!(edges(&call), 0);
    // Two nodes that begin at one instant cannot be told apart.
    let mut twice = with_edges(made(), &[("n0", "side")]);
    let mut twin = twice.events.iter().find(|event| event["name"] == "side").unwrap().clone();
    (twin["name"], twin["tid"], twin["args"]["stream"]) = (json!("twin"), json!(28), json!(28));
    twice.events.push(twin);
    assert_eq!(edges(&twice), 0);
}

#[test]
fn profile_a_graph_is_one_operation_of_its_stream() {
    let mut made = made();
    // The node that ends last runs in a stream of its own.
    made.kernel("next", 24, 550, (603, 700));
    let parts = made.causes("next");
    assert_eq!(parts, [(StreamOrder, Consistent, 50), (Launch, Consistent, 3)], "{parts:?}");
}

#[test]
fn profile_a_field_of_the_node_is_enough_whatever_the_call_is_named() {
    let mut made = made();
    for event in &mut made.events {
        if event["name"] == "cudaGraphLaunch" {
            event["name"] = json!("cuSomethingNew");
        }
    }
    assert_eq!(made.causes("n1"), [(GraphOrder, Consistent, 98), (Launch, Consistent, 2)]);
}

#[test]
fn profile_both_formats_have_the_same_graphs() {
    let text = made().text();
    let nsight = blockstep_traces::files::read_profile(&sqlite::database(&text, &[], None)[..], &mut |_| true).unwrap();
    for name in ["n0", "n1", "side", "last"] {
        assert_eq!(parts_of(&nsight, name), parts_of(&read(&text).0, name), "{name}");
    }
}

#[test]
fn profile_what_is_said_of_a_node_is_about_its_graph() {
    let (recording, analysis) = read(&made().text());
    let place = recording.operations.iter().position(|operation| recording.name(operation) == "last").unwrap() as u32;
    let part = largest(analysis.parts(place)).unwrap();
    let time = |span: Span| format!("{} us", (span.ns() + 500) / 1_000);
    assert_eq!(sentence(&recording, part, &time), "398 us behind side (stream 24), a node of the same graph.");
    assert_eq!(what_if(&recording, &analysis, place), None, "a node is not launched by itself");
}

/// The rows of a scenario of all operations, without numbers: name, stream, graph, what it waits for and records; and what is left out.
fn scenario_of(made: &Made) -> (Vec<String>, Vec<LeftOut>, Draft) {
    let (recording, analysis) = made.read();
    let all: Vec<u32> = (0..recording.operations.len() as u32).collect();
    let made = made::scenario(&recording, &analysis, &all, "").unwrap();
    for (row, operation) in made.draft.kernels.iter().zip(&made.rows) {
        let name = operation.map(|place| recording.name(&recording.operations[place as usize]));
        assert_eq!(name, (row.call != Call::LaunchGraph).then_some(row.name.as_str()));
    }
    let row = |row: &KernelDraft| {
        let graph = row.graph.as_ref().map_or(String::new(), |graph| format!(" in {graph}"));
        let waits = if row.waits_for.is_empty() { String::new() } else { format!(" after {}", row.waits_for.join(", ")) };
        let records = row.records.as_ref().map_or(String::new(), |event| format!(" records {event}"));
        format!("{} {}{graph}{waits}{records}", row.stream, row.name)
    };
    (made.draft.kernels.iter().map(row).collect(), made.left_out, made.draft)
}

/// When each row's operation starts and ends in a run, us.
fn ran(draft: &Draft) -> Vec<(String, u64, u64)> {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    let records = Records::new(&run.trace);
    let us = |at: Option<Time>| at.unwrap().ns() / 1_000;
    let mut ran: Vec<_> = run
        .trace
        .ops()
        .iter()
        .zip(&records.ops)
        .map(|(op, times)| (draft.kernels[op.row.index()].name.clone(), us(times.start), us(times.end)))
        .collect();
    ran.sort_by_key(|&(_, start, end)| (start, end));
    ran
}

#[test]
fn profile_a_scenario_launches_a_graph_once() {
    let (rows, left_out, draft) = scenario_of(&made());
    let wanted = [
        "S20 before",
        "S20 Graph",
        "S20 n0 in Graph",
        "S20 n1 in Graph after n0",
        "S20 side in Graph after n0",
        "S20 last in Graph after n1, side",
        "S28 after",
    ];
    assert_eq!(rows, wanted);
    assert_eq!(left_out, [LeftOut::Edges(4)]);
    // As recorded, but for the 2 us of each launch.
    let wanted = [("before", 0, 92), ("after", 11, 109), ("n0", 92, 190), ("n1", 190, 288), ("side", 190, 487), ("last", 487, 585)];
    assert_eq!(ran(&draft), wanted.map(|(name, start, end)| (name.to_owned(), start, end)));
}

#[test]
fn profile_a_scenario_has_the_edges_of_the_file() {
    // Without the edge, n1 would seem to wait for n0 alone.
    let (rows, left_out, _) = scenario_of(&with_edges(made(), &[("n0", "n1"), ("n0", "side"), ("side", "last")]));
    assert_eq!(rows[3..6], ["S20 n1 in Graph after n0", "S20 side in Graph after n0", "S20 last in Graph after side"]);
    assert_eq!(left_out, [LeftOut::Edges(1)], "the first has none");
}

#[test]
fn profile_an_event_after_a_graph_is_recorded_by_its_launch() {
    let mut made = made();
    made.event_wait((20, 16), (30, 18)).kernel("then", 30, 40, (603, 700));
    let (rows, _, draft) = scenario_of(&made);
    assert_eq!((rows[1].as_str(), rows[7].as_str()), ("S20 Graph records E4", "S30 then after E4"));
    assert_eq!(ran(&draft).last(), Some(&("then".to_owned(), 585, 682)));
}

/// A node's stream inside its graph is not the one that a program told to wait: there it is what is launched next that waits.
#[test]
fn profile_a_wait_in_a_stream_inside_a_graph_is_of_what_is_launched_there() {
    let mut made = made();
    // Called before anything ran.
    made.event_wait((20, 5), (24, 7)).kernel("next", 24, 40, (603, 700));
    let (rows, _, _) = scenario_of(&made);
    assert_eq!(
        rows,
        [
            "S20 before records E0",
            "S20 Graph",
            "S20 n0 in Graph",
            "S20 n1 in Graph after n0",
            "S20 side in Graph after n0",
            "S20 last in Graph after n1, side",
            "S28 after",
            "S24 next after E0",
        ]
    );
}

/// Whatever kernels are called, no two rows have one name.
#[test]
fn profile_rows_of_a_scenario_have_names_of_their_own() {
    let mut made = made();
    made.kernel("Graph", 28, 30, (702, 710)).kernel("after #2", 28, 40, (712, 720)).kernel("after", 28, 50, (722, 730));
    let (recording, analysis) = made.read();
    let all: Vec<u32> = (0..recording.operations.len() as u32).collect();
    let draft = made::scenario(&recording, &analysis, &all, "").unwrap().draft;
    let names: Vec<&str> = draft.kernels.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, ["before", "Graph #2", "n0", "n1", "side", "last", "after", "Graph", "after #2", "after #3"]);
    assert!(Scenario::new(&draft).is_ok());
}

#[test]
fn profile_a_graph_that_branches_in_the_null_stream_is_launched_node_by_node() {
    let mut made = made();
    for event in made.events.iter_mut().filter(|event| event["args"]["stream"] == 20) {
        (event["tid"], event["args"]["stream"]) = (json!(7), json!(7));
    }
    let (rows, left_out, draft) = scenario_of(&made);
    assert!(left_out.contains(&LeftOut::Nodes(4)), "{left_out:?}");
    assert!(rows.iter().all(|row| !row.contains(" in Graph")));
    assert!(Scenario::new(&draft).is_ok());
}

#[test]
fn profile_what_if_a_node_held_up_the_next() {
    // Four waves of 216 blocks keep SMs from `next`.
    let mut made = Made::default();
    let launch = made.correlation + 1;
    made.call("cudaGraphLaunch", (0, 5), json!({ "correlation": launch }));
    made.correlation = launch;
    let args = json!({ "device": 0, "context": 1, "stream": 20, "correlation": launch, "grid": [864, 1, 1], "block": [1024, 1, 1],
        "registers per thread": 32, "shared memory": 0, "graph id": 1, "graph node id": 1 });
    made.events
        .push(json!({ "ph": "X", "cat": "kernel", "name": "node", "pid": 0, "tid": 20, "ts": 1_008.001, "dur": 2_000, "args": args }));
    made.sized("next", 24, 10, (2_010, 2_100), 4);
    let (recording, analysis) = made.read();
    let place = |name: &str| recording.operations.iter().position(|operation| recording.name(operation) == name).unwrap() as u32;
    let tried = what_if(&recording, &analysis, place("next")).unwrap();
    let changes: Vec<WhatIfChange> = tried.changed.iter().map(|&(change, _)| change).collect();
    let node = place("node");
    assert_eq!(changes, [WhatIfChange::HighPriority, WhatIfChange::OwnStream, WhatIfChange::HalfGrid(node), WhatIfChange::Earlier(node)]);
    let earlier = tried.changed.last().unwrap().1;
    assert!(earlier < tried.unchanged, "before the launch of the graph, not among its nodes: {tried:?}");
}

/// No wait of a node is longer than its graph ran, the first's apart.
pub(super) fn check(recording: &Recording) {
    let analysis = Analysis::new(recording, KnownSettings::default(), &mut |_| true).unwrap();
    for (place, operation) in recording.operations.iter().enumerate().filter(|(_, operation)| recording.is_later_node(operation)) {
        let of_graph = recording.operations.iter().filter(|other| other.call == operation.call);
        let (from, to) = of_graph.fold((operation.start, operation.end), |(from, to), other| (from.min(other.start), to.max(other.end)));
        assert!(recording.wait(operation).unwrap() <= to.since(from));
        for part in analysis.parts(place as u32) {
            assert_ne!((part.certainty, part.cause == StreamOrder), (Certain, true), "{part:?}");
        }
    }
}

#[test]
fn profile_the_public_graphs_wait_no_longer_than_they_ran() {
    for name in ["mi300x-graph-decode", "mi300x-vllm-decode-graph", "mi300x-flux-graph"] {
        let Some(path) = blockstep_testing::shared::shared(&format!("data/traces/kineto/{name}.json.gz")) else { return };
        let recording = blockstep_traces::files::read_profile_file(&path, &mut |_| true).unwrap();
        let nodes = recording.operations.iter().filter(|operation| recording.is_node(operation)).count();
        assert!(nodes > 400, "{name}: {nodes}");
        check(&recording);
        let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
        let untold = (0..recording.operations.len() as u32).filter(|&place| {
            recording.is_later_node(&recording.operations[place as usize])
                && largest(analysis.parts(place)).is_some_and(|part| part.cause == CannotTell)
        });
        let untold = untold.count();
        println!("{name}: {nodes} nodes, of {untold} the wait cannot be told");
        assert!(untold * 20 < nodes, "{name}: {untold} of {nodes}");
    }
}
