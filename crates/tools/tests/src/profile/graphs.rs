//! Graphs: one launch is one call, and what its nodes wait for is the order of the graph.

use blockstep_profile::Recording;
use blockstep_profile::causes::Cause::{CannotTell, GraphOrder, Launch, StreamOrder};
use blockstep_profile::causes::Certainty::{Certain, Consistent};
use blockstep_profile::causes::{Analysis, KnownSettings};
use blockstep_profile::made::{self, LeftOut};
use blockstep_profile::summary::largest;
use blockstep_profile::words::sentence;
use blockstep_sim::units::Span;
use blockstep_tracer::what_if::what_if;
use serde_json::json;

use super::{Made, parts_of, read, sqlite};

/// A kernel `before`; then a graph called at 10 us: `n0` and `n1` in stream 20, `side` in 24 after `n0`, and `last` in 20 after both; then
/// `after` in stream 20.
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
    let nsight = blockstep_format::read_profile(&sqlite::database(&text, &[], None)[..], &mut |_| true).unwrap();
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
    let all: Vec<u32> = (0..recording.operations.len() as u32).collect();
    assert!(made::scenario(&recording, &analysis, &all, "").unwrap().left_out.contains(&LeftOut::Nodes(4)));
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
        let recording = blockstep_format::read_profile_file(&path, &mut |_| true).unwrap();
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
