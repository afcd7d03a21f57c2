//! Traces without an operation of a GPU: the path is what the busiest thread of the host ran, and nothing is said of a GPU.

use blockstep_traces::answers::Tracer;
use blockstep_traces::causes::{Analysis, Certainty, KnownSettings};
use blockstep_traces::files::{read_profile, write_path_csv, write_waits_json};
use blockstep_traces::gain::{NoGains, gains};
use blockstep_traces::path::compare::{Compared, Times, compare};
use blockstep_traces::path::groups::{PathShare, groups, shares};
use blockstep_traces::path::words::{self, sentence};
use blockstep_traces::path::{DevicePath, paths, wall_clock};
use blockstep_traces::summary::Summary;
use blockstep_traces::{Flaw, ProfilerSource, Recording};
use blockstep_traces_messages::{TraceAnswer, TraceAsk};
use serde_json::{Value, json};

fn event(cat: &str, name: &str, thread: u64, (ts, dur): (u64, u64)) -> Value {
    json!({ "ph": "X", "cat": cat, "name": name, "pid": 9, "tid": thread, "ts": 5_000_000 + ts, "dur": dur, "args": { "External id": 1 } })
}

/// Two threads: the first runs a function with two operators within a step, 880 of 1,000 us, the other one operator for 100 us.
pub(super) fn events() -> Vec<Value> {
    vec![
        event("python_function", "train.py(7): step", 1, (0, 600)),
        event("cpu_op", "aten::linear", 1, (100, 300)),
        event("cpu_op", "aten::addmm", 1, (150, 200)),
        event("user_annotation", "ProfilerStep#3", 1, (0, 880)),
        event("cpu_op", "aten::copy_", 2, (900, 100)),
    ]
}

pub(super) fn text(events: &[Value]) -> String {
    // A machine may have a GPU that the program does not use.
    json!({ "deviceProperties": [{ "id": 3, "name": "NVIDIA A100" }], "traceEvents": events }).to_string()
}

fn read(text: &str) -> (Recording, Analysis, Vec<DevicePath>) {
    let recording = read_profile(text.as_bytes(), &mut |_| true).unwrap_or_else(|why| panic!("{why}"));
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let paths = paths(&recording, &analysis);
    (recording, analysis, paths)
}

#[test]
fn host_alone_has_a_path_of_its_busiest_thread() {
    let (recording, _, paths) = read(&text(&events()));
    assert!(recording.is_host_alone() && recording.flaws.is_empty());
    assert_eq!(
        sentence(&recording, &paths[0]),
        "The file has no operation of a GPU, so this is the host alone (consistent). Of 1.000 ms, 0.880 ms is thread 1 running something \
         (34 % of it in Python's train.py(7): step), 0.120 ms nothing that is recorded. It is the busiest of 2 threads."
    );
    let (from, to) = wall_clock(&recording);
    let path = &paths[0];
    assert_eq!((path.pieces[0].from, path.pieces.last().unwrap().to), (from, to));
    assert!(path.pieces.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].certainty != Certainty::Certain));
    let said: Vec<(String, u64)> =
        groups(&recording, path).iter().map(|group| (words::subject(&recording, group.subject), group.ns / 1_000)).collect();
    let expected = [
        ("Python's train.py(7): step", 300),
        ("the range ProfilerStep", 280),
        ("aten::addmm", 200),
        ("Nothing recorded", 120),
        ("aten::linear", 100),
    ];
    assert_eq!(said, expected.map(|(what, us)| (what.to_owned(), us)));
    assert_eq!(shares(&recording, path)[PathShare::Working as usize], 0);
}

#[test]
fn host_alone_has_no_advice_about_a_gpu() {
    let (recording, analysis, paths) = read(&text(&events()));
    assert_eq!(gains(&recording, &analysis, &paths).unwrap_err(), NoGains::HostAlone);
    let summary = Summary::new(&recording, &analysis);
    let json = write_waits_json((&recording, &analysis), &summary, &paths, Err(&NoGains::HostAlone), 9);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["operations"], &json["devices"], &json["streams"]), (&json!(0), &json!(0), &json!(0)));
    assert_eq!((&json["paths"][0]["thread"], &json["paths"][0]["device"]), (&json!(1), &Value::Null));
    assert_eq!((&json["gains"]["said"], &json["gains"]["levers"], &json["flaws"]), (&json!([]), &json!([]), &json!([])));
    let csv = write_path_csv(&recording, &paths).to_string();
    assert!(csv.lines().nth(1).unwrap().starts_with(",0,100000,host,Python's train.py(7): step,,consistent,"), "{csv}");
    let more = blockstep_traces::words::to_record(&recording);
    assert_eq!(more, ["Record the GPU too, if the program uses one: CPU and CUDA activities in PyTorch."]);
}

#[test]
fn host_alone_is_shown_and_answers_every_question() {
    let mut tracer = Tracer::default();
    tracer.begin(false);
    let TraceAnswer::Opened(overview) = tracer.open(text(&events()).as_bytes(), &mut |_| ()) else { panic!("it can be read") };
    assert!(overview.answer[0].starts_with("The file has no operation of a GPU"));
    assert_eq!((overview.paths[0].title.as_str(), overview.names.count, overview.asked), ("Thread 1", 0, None));
    let labels: Vec<&str> = overview.paths[0].shares.iter().map(|share| share.label.as_str()).collect();
    assert_eq!(labels, ["Running", "Nothing recorded"]);
    assert_eq!(overview.lanes.iter().map(|lane| (lane.group.as_str(), lane.title.as_str())).collect::<Vec<_>>(), [("Host", "Path")]);
    let shown = format!("{:?}", (&overview.facts, &overview.paths, &overview.lanes, &overview.flaws));
    assert!(!shown.contains("GPU"), "{shown}");
    for ask in [
        TraceAsk::Look(0),
        TraceAsk::LookOfCall(0),
        TraceAsk::LookOfPath { device: 0, piece: 0 },
        TraceAsk::Beside(None, true),
        TraceAsk::Find("aten".to_owned()),
        TraceAsk::Gains,
        TraceAsk::WhatIf(0),
        TraceAsk::Explain(KnownSettings::default()),
        TraceAsk::Make { of: blockstep_traces_messages::Chosen::All, from: overview.end, to: overview.end, name: "x".to_owned() },
    ] {
        let _ = tracer.answer(&ask);
    }
}

/// Launches without operations: they are missing, which the answer says, and nothing is offered.
#[test]
fn host_alone_with_launches_says_that_operations_are_missing() {
    let mut all = events();
    all.push(event("cuda_runtime", "cudaLaunchKernel", 1, (610, 20)));
    all.push(event("cuda_runtime", "cudaDeviceSynchronize", 1, (640, 200)));
    let (recording, analysis, paths) = read(&text(&all));
    assert_eq!(recording.flaws, [Flaw::WithoutOperation(1)]);
    let said = sentence(&recording, &paths[0]);
    assert!(said.starts_with("The file has launches, but the operations that they launched are missing."), "{said}");
    let subjects: Vec<String> = groups(&recording, &paths[0]).iter().map(|group| words::subject(&recording, group.subject)).collect();
    assert!(subjects.contains(&"cudaDeviceSynchronize".to_owned()), "{subjects:?}");
    assert!(gains(&recording, &analysis, &paths).is_err());
}

#[test]
fn host_alone_is_compared_too() {
    let slow = |by: u64| {
        let mut all = events();
        all[2]["dur"] = json!(200 + by);
        all[1]["dur"] = json!(300 + by);
        let (recording, _, paths) = read(&text(&all));
        Times::new(Compared { recording: &recording, path: &paths[0] })
    };
    let compared = compare(&slow(0), &slow(100));
    assert!(compared.is_of_runs);
    assert_eq!(words::changed(&compared.changes[0]), "Python's train.py(7): step");
    assert!(compared.changes.iter().any(|change| change.after == "aten::addmm" && change.time.after_ns == 300_000));
}

#[test]
fn host_alone_of_jax_is_read() {
    let meta = |name: &str, tid: Option<u64>| {
        let kind = if tid.is_some() { "thread_name" } else { "process_name" };
        json!({ "ph": "M", "pid": 701, "tid": tid, "name": kind, "args": { "name": name } })
    };
    let all = [
        meta("/host:CPU", None),
        meta("python", Some(5)),
        json!({ "ph": "X", "pid": 701, "tid": 5, "ts": 0, "dur": 80.5, "name": "PjitFunction(f)", "args": {} }),
        json!({}),
    ];
    let (recording, _, paths) = read(&json!({ "traceEvents": all }).to_string());
    assert_eq!(recording.source, ProfilerSource::Xla);
    assert!(
        sentence(&recording, &paths[0])
            .contains("Of 80.50 µs, 80.50 µs is thread 5 running something (all of it in the range PjitFunction(f)).")
    );
}

/// A file with neither, and one that was cut off before it came to the GPU, are refused as before.
#[test]
fn host_alone_is_no_file_of_nothing_and_none_that_was_cut_off() {
    let why = |text: &[u8]| read_profile(text, &mut |_| true).unwrap_err().to_string();
    assert!(
        why(br#"{"traceEvents": [{"ph": "X", "cat": "overhead", "name": "Buffer Flush", "ts": 4, "dur": 2}]}"#)
            .contains("among its 1 events")
    );
    let whole = text(&events());
    assert!(why(&whole.as_bytes()[..whole.len() - 3]).contains("was cut off"));
    // Times far apart, and none at all.
    let mut far = events();
    far[4]["ts"] = json!(900_000_000_000_000_u64);
    assert_eq!(read(&text(&far)).0.spans.len(), 4);
    // A span of days, and nothing else.
    let long = [event("cpu_op", "aten::mm", 1, (0, 900_000_000_000))];
    assert!(why(text(&long).as_bytes()).contains("no kernel"));
    // An operation of days is none, and what is left is the host.
    let mut odd = events();
    odd.push(event("kernel", "A", 7, (0, 900_000_000_000)));
    let (recording, _, paths) = read(&json!({ "traceEvents": odd }).to_string());
    assert_eq!((recording.flaws, recording.spans.len(), paths.len()), (vec![Flaw::WithoutTime(1)], 5, 1));
    far.iter_mut().for_each(|event| event["ts"] = json!("soon"));
    assert!(why(text(&far).as_bytes()).contains("no kernel"));
}
