//! Files that come out right: scenarios round trip, exports hold what the format says.

use blockstep_format::{ImportOptions, read_scenario, write_csv, write_scenario, write_trace};
use blockstep_sim::engine::{Limits, simulate, simulate_with};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::*;
use proptest::prelude::*;

/// The example of the file format, word for word.
const EXAMPLE: &str = r#"{
  "version": 1,
  "name": "Two processes",
  "device": "tx2",
  "placement": "most_free",
  "policy": { "kind": "runlist", "switch_cost_ns": 50000 },
  "horizon_ns": 20000000,
  "processes": [
    { "name": "P0", "interleave": "high", "timeslice_ns": 1000000, "preemption": "thread" },
    { "name": "P1" }
  ],
  "tasks": [
    { "name": "camera", "process": "P0", "release": "periodic", "period_ns": 10000000,
      "deadline_ns": 8000000, "offset_ns": 0, "jobs": 2, "class": "real_time",
      "budget_ns": 3000000, "consumes": [] },
    { "name": "viewer", "process": "P1", "release": "continuous", "class": "best_effort", "priority": 5 }
  ],
  "streams": [ { "process": "P0", "name": "S1", "priority": "high" } ],
  "kernels": [
    { "name": "K1", "task": "camera", "stream": "S1", "start_ns": 0, "blocks": 6,
      "threads_per_block": 768, "shared_memory_bytes": 0, "registers_per_thread": 0,
      "block_time_ns": 1000000, "copy_in_bytes": 0, "copy_out_bytes": 4096 },
    { "name": "K2", "task": "viewer", "stream": "NULL", "blocks": 2, "threads_per_block": 256,
      "block_time_ns": [1500000, 2500000] }
  ]
}"#;

fn records(text: &str) -> (std::sync::Arc<blockstep_sim::trace::Trace>, Records) {
    run(&read_scenario(text).unwrap())
}

fn run(draft: &Draft) -> (std::sync::Arc<blockstep_sim::trace::Trace>, Records) {
    let scenario = Scenario::new(draft).unwrap();
    let trace = simulate(&scenario, Limits::default()).trace;
    let records = Records::new(&trace);
    (trace, records)
}

#[test]
fn the_formats_own_example_is_read_field_by_field() {
    let draft = read_scenario(EXAMPLE).unwrap();
    let mut camera = TaskDraft::named("camera");
    camera.process = Some("P0".into());
    camera.release = Release::Periodic;
    camera.period_ns = Some(10_000_000);
    camera.deadline_ns = Some(8_000_000);
    camera.jobs = Some(2);
    camera.class = Some(Class::RealTime);
    camera.budget_ns = Some(3_000_000);
    let mut viewer = TaskDraft::named("viewer");
    viewer.process = Some("P1".into());
    viewer.release = Release::Continuous;
    viewer.class = Some(Class::BestEffort);
    viewer.priority = 5;
    let mut p0 = ProcessDraft::named("P0");
    p0.interleave = Interleave::High;
    p0.timeslice_ns = 1_000_000;
    p0.preemption = Some(Preemption::Thread);
    let mut k1 = KernelDraft::named("K1", 6, 768, 1_000_000);
    k1.task = Some("camera".into());
    k1.copy_out_bytes = 4096;
    let mut k2 = KernelDraft::named("K2", 2, 256, 0);
    k2.task = Some("viewer".into());
    k2.stream = "NULL".into();
    k2.block_time_ns = BlockTimes::List([1_500_000, 2_500_000].into());
    let expected = Draft {
        name: "Two processes".into(),
        policy: PolicyDraft { kind: PolicyKind::Runlist, switch_cost_ns: 50_000, ..PolicyDraft::default() },
        horizon_ns: Some(20_000_000),
        processes: vec![p0, ProcessDraft::named("P1")],
        tasks: vec![camera, viewer],
        streams: vec![StreamDraft { process: Some("P0".into()), name: "S1".into(), priority: StreamPriority::High, non_blocking: false }],
        kernels: vec![k1, k2],
        ..Draft::default()
    };
    assert_eq!(draft, expected);
    assert_eq!(read_scenario(&write_scenario(&draft)).unwrap(), draft);
}

#[test]
fn what_equals_its_default_is_not_written() {
    let draft = read_scenario(EXAMPLE).unwrap();
    assert_eq!(
        write_scenario(&draft),
        r#"{
  "version": 1,
  "name": "Two processes",
  "policy": { "kind": "runlist", "switch_cost_ns": 50000 },
  "horizon_ns": 20000000,
  "processes": [
    { "name": "P0", "interleave": "high", "timeslice_ns": 1000000, "preemption": "thread" },
    { "name": "P1" }
  ],
  "tasks": [
    { "name": "camera", "process": "P0", "release": "periodic", "period_ns": 10000000, "deadline_ns": 8000000, "jobs": 2, "class": "real_time", "budget_ns": 3000000 },
    { "name": "viewer", "process": "P1", "release": "continuous", "class": "best_effort", "priority": 5 }
  ],
  "streams": [
    { "process": "P0", "name": "S1", "priority": "high" }
  ],
  "kernels": [
    { "name": "K1", "task": "camera", "blocks": 6, "threads_per_block": 768, "block_time_ns": 1000000, "copy_out_bytes": 4096 },
    { "name": "K2", "task": "viewer", "stream": "NULL", "blocks": 2, "threads_per_block": 256, "block_time_ns": [1500000, 2500000] }
  ]
}
"#
    );
    assert_eq!(write_scenario(&Draft::default()), "{\n  \"version\": 1,\n  \"kernels\": []\n}\n");
}

#[test]
fn every_field_survives_a_round_trip() {
    let mut draft = read_scenario(EXAMPLE).unwrap();
    draft.name = "quotes \" and \\ and \n\t\u{1} and \u{1f600} é".into();
    draft.placement = Placement::RoundRobin;
    draft.policy = PolicyDraft {
        watchdog_ns: Some(1_500_000),
        kind: PolicyKind::Edf,
        switch_cost_ns: u64::MAX,
        switch_cost_max_ns: Some(0),
        switch_tail_per_million: u64::MAX,
        switch_samples_ns: vec![0, u64::MAX],
        switch_charge: SwitchCharge::Expiries,
        signal_ns: 1,
        runlist_ns: u64::MAX,
        chain: Chain::Resident,
        cbs: false,
        preemption: Preemption::None,
        text: "admit ready\n".into(),
    };
    draft.device = DeviceDraft::Custom(Device { name: "own".into(), sms: 7, copy_engines: 2, ..Device::default() });
    draft.tasks[1].consumes = vec!["camera".into(), "\\u0041".into()];
    draft.tasks[1].offset_ns = 3;
    draft.tasks[1].wake_ns = u64::MAX;
    draft.tasks[1].priority = i64::MIN;
    draft.processes[1].interleave = Interleave::Low;
    draft.processes[1].preemption = Some(Preemption::Block);
    draft.streams.push(StreamDraft { process: None, name: "S9".into(), priority: StreamPriority::None, non_blocking: false });
    draft.kernels[1].after = Some("K1".into());
    draft.kernels[1].start_ns = u64::MAX;
    draft.kernels[1].shared_memory_bytes = 1;
    draft.kernels[1].registers_per_thread = 2;
    draft.kernels[1].copy_in_bytes = 3;
    draft.kernels[1].block_time_ns = BlockTimes::List([].into());
    assert_eq!(read_scenario(&write_scenario(&draft)).unwrap(), draft);
    for device in [DeviceDraft::Custom(Device::default()), DeviceDraft::BuiltIn("no such".into())] {
        draft.device = device;
        assert_eq!(read_scenario(&write_scenario(&draft)).unwrap(), draft);
    }
}

/// A copy with blocks, a launch with bytes, `free` with a stream, a synchronous copy with one that it is not in.
const UNUSED: &str = r#"{ "version": 2, "kernels": [
  { "name": "in", "call": "copy_to_device", "bytes": 4, "blocks": 3, "block_time_ns": [1, 2, 3] },
  { "name": "K1", "bytes": 5, "blocks": 1, "threads_per_block": 32, "block_time_ns": 9 },
  { "name": "free", "call": "free", "stream": "S2" },
  { "name": "out", "call": "copy_to_host", "bytes": 4, "synchronous": true, "stream": "S2" }
] }"#;

#[test]
fn what_a_call_has_no_use_for_is_named_and_not_saved() {
    let opened = blockstep_format::open(UNUSED, &ImportOptions::default()).unwrap();
    assert_eq!(
        opened.notes,
        [
            "kernels[0].blocks is 3, which the call copy_to_device of row \"in\" does not use",
            "kernels[0].block_time_ns is a list of 3, which the call copy_to_device of row \"in\" does not use",
            "kernels[1].bytes is 5, which the call kernel of row \"K1\" does not use",
            "kernels[2].stream is \"S2\", which the call free of row \"free\" does not use",
            "kernels[3].stream is \"S2\", which the call copy_to_host of row \"out\" does not use",
        ]
    );
    // What the page stores and a link holds has all of it; what is saved has what counts, and runs as before.
    assert_eq!(read_scenario(&write_scenario(&opened.draft)).unwrap(), opened.draft);
    let saved = write_scenario(&opened.draft.with_effect());
    for field in ["\"block_time_ns\": [", "\"bytes\": 5", "S2"] {
        assert!(!saved.contains(field), "{saved}");
    }
    assert!(blockstep_format::open(&saved, &ImportOptions::default()).unwrap().notes.is_empty());
    let times = |text: &str| {
        let (_, records) = records(text);
        records.ops.iter().map(|op| (op.start, op.end)).collect::<Vec<_>>()
    };
    assert_eq!(times(&saved), times(UNUSED));
    for example in examples::all() {
        assert!(read_scenario(example.json).unwrap().without_effect().is_empty(), "{}", example.id);
    }
}

#[test]
fn very_many_fields_without_effect_are_not_all_named() {
    let row = KernelDraft { bytes: 1, ..KernelDraft::named("K", 1, 32, 1) };
    let draft = Draft { kernels: vec![row; 100_000], ..Draft::default() };
    let notes = draft.without_effect();
    assert_eq!((notes.len(), notes[20].as_str()), (21, "There is more of this kind."));
}

#[test]
fn a_device_of_ones_own_takes_the_rest_from_the_tx2() {
    let draft = read_scenario(r#"{"version": 1, "kernels": [], "device": {"sms": 3}}"#).unwrap();
    assert_eq!(draft.device, DeviceDraft::Custom(Device { sms: 3, ..Device::default() }));
}

/// A kernel that ends, one that is running at the horizon, one that never starts.
const CUT_OFF: &str = r#"{ "version": 1, "name": "a \"b\"", "horizon_ns": 25,
  "device": { "sms": 1, "copy_bandwidth_bytes_per_s": 1000000000 },
  "tasks": [ { "name": "T", "deadline_ns": 24 }, { "name": "U", "offset_ns": 1, "deadline_ns": 24 }, { "name": "V" } ],
  "kernels": [
    { "name": "K1", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 10, "copy_in_bytes": 3, "copy_out_bytes": 4 },
    { "name": "K2", "task": "U", "stream": "S2", "start_ns": 12, "blocks": 1, "threads_per_block": 1024, "block_time_ns": 100 },
    { "name": "=K3,", "task": "V", "stream": "S3", "start_ns": 14, "blocks": 2, "threads_per_block": 1024, "block_time_ns": 9 },
    { "name": "K4", "task": "V", "stream": "S3", "start_ns": 14, "blocks": 1, "threads_per_block": 1, "block_time_ns": 9 }
  ] }"#;

#[test]
fn a_trace_is_exported_with_exactly_the_formats_fields_in_their_order() {
    let (trace, records) = records(CUT_OFF);
    assert_eq!(
        write_trace(&trace, &records).unwrap().to_string(),
        r#"{
  "version": 1,
  "scenario": "a \"b\"",
  "policy": "priority",
  "evidence": "own",
  "end_ns": 25,
  "blocks": [
    { "kernel": "K1", "job": 0, "block": 0, "sm": 0, "start_ns": 3, "end_ns": 13, "runs": [[3, 13]] },
    { "kernel": "K1", "job": 0, "block": 1, "sm": 0, "start_ns": 3, "end_ns": 13, "runs": [[3, 13]] },
    { "kernel": "K2", "job": 0, "block": 0, "sm": 0, "start_ns": 13, "end_ns": null, "runs": [[13, 25]] },
    { "kernel": "=K3,", "job": 0, "block": 0, "sm": 0, "start_ns": 14, "end_ns": 23, "runs": [[14, 23]] },
    { "kernel": "=K3,", "job": 0, "block": 1, "sm": 0, "start_ns": 23, "end_ns": null, "runs": [[23, 25]] }
  ],
  "copies": [
    { "op": "C1i", "kernel": "K1", "job": 0, "direction": "in", "start_ns": 0, "end_ns": 3, "runs": [[0, 3]] },
    { "op": "C1o", "kernel": "K1", "job": 0, "direction": "out", "start_ns": 13, "end_ns": 17, "runs": [[13, 17]] }
  ],
  "kernels": [
    { "kernel": "K1", "job": 0, "issued_ns": 0, "queued_ns": 3, "start_ns": 3, "end_ns": 13 },
    { "kernel": "K2", "job": 0, "issued_ns": 13, "queued_ns": 13, "start_ns": 13, "end_ns": null },
    { "kernel": "=K3,", "job": 0, "issued_ns": 14, "queued_ns": 14, "start_ns": 14, "end_ns": null },
    { "kernel": "K4", "job": 0, "issued_ns": 14, "queued_ns": null, "start_ns": null, "end_ns": null }
  ],
  "jobs": [
    { "task": "T", "job": 0, "release_ns": 0, "deadline_ns": 24, "end_ns": 17, "met": true },
    { "task": "V", "job": 0, "release_ns": 0, "deadline_ns": null, "end_ns": null, "met": null },
    { "task": "U", "job": 0, "release_ns": 1, "deadline_ns": 25, "end_ns": null, "met": false }
  ]
}
"#
    );
}

#[test]
fn a_block_that_began_at_the_end_has_no_runs() {
    let text =
        r#"{ "version": 1, "horizon_ns": 0, "kernels": [ { "name": "K", "blocks": 1, "threads_per_block": 1, "block_time_ns": 1 } ] }"#;
    let (trace, records) = records(text);
    let json = write_trace(&trace, &records).unwrap().to_string();
    assert!(json.contains(r#"{ "kernel": "K", "job": 0, "block": 0, "sm": 0, "start_ns": 0, "end_ns": null, "runs": [] }"#), "{json}");
}

#[test]
fn an_empty_run_exports_empty_tables() {
    let (trace, records) = records(r#"{ "version": 1, "tasks": [ { "name": "T", "offset_ns": 9 } ], "horizon_ns": 8, "kernels": [] }"#);
    let expected = "{\n  \"version\": 1,\n  \"scenario\": \"\",\n  \"policy\": \"priority\",\n  \"end_ns\": 8,\n  \"blocks\": [],\n  \"copies\": [],\n  \"kernels\": [],\n  \"jobs\": []\n}\n";
    assert_eq!(write_trace(&trace, &records).unwrap().to_string(), expected);
}

#[test]
fn a_run_that_was_cut_exports_no_trace() {
    let scenario = Scenario::new(&read_scenario(CUT_OFF).unwrap()).unwrap();
    let run = simulate(&scenario, Limits { max_steps: 5 });
    let cut = write_trace(&run.trace, &Records::new(&run.trace)).err().unwrap();
    assert_eq!(cut, blockstep_sim::trace::Cut::StepLimit { limit: 5, alone: None });
}

#[test]
fn csv_has_a_row_for_each_block_and_copy() {
    let (trace, records) = records(CUT_OFF);
    assert_eq!(
        write_csv(&trace, &records).to_string(),
        "kind,kernel,op,job,block,sm_or_engine,issued_ns,queued_ns,start_ns,end_ns,threads,shared_memory_bytes,bytes\n\
         copy_in,K1,C1i,0,,0,0,0,0,3,,,3\n\
         block,K1,K1,0,0,0,0,3,3,13,1024,0,\n\
         block,K1,K1,0,1,0,0,3,3,13,1024,0,\n\
         copy_out,K1,C1o,0,,0,0,13,13,17,,,4\n\
         block,K2,K2,0,0,0,13,13,13,,1024,0,\n\
         block,\"'=K3,\",\"'=K3,\",0,0,0,14,14,14,23,1024,0,\n\
         block,\"'=K3,\",\"'=K3,\",0,1,0,14,14,23,,1024,0,\n"
    );
}

#[test]
fn csv_cells_are_quoted_and_never_formulas() {
    for (name, cell) in [
        ("plain", "plain"),
        ("a,b", "\"a,b\""),
        ("say \\\"x\\\"", "\"say \"\"x\"\"\""),
        ("a;b", "\"a;b\""),
        ("two\\nlines", "\"two\u{fffd}lines\""),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "-1"),
        ("-x", "'-x"),
        ("a; =x", "\"a; '=x\""),
        ("@x", "'@x"),
        ("\\tx", "\"\u{fffd}x\""),
        ("\\t=x", "\"\u{fffd}'=x\""),
        ("=\\\"a\\\"", "\"'=\"\"a\"\"\""),
    ] {
        let text = format!(
            r#"{{ "version": 1, "kernels": [ {{ "name": "{name}", "blocks": 1, "threads_per_block": 1, "block_time_ns": 1 }} ] }}"#
        );
        let (trace, records) = records(&text);
        let csv = write_csv(&trace, &records).to_string();
        let expected = format!("\nblock,{cell},{cell},0,0,0,0,0,0,1,1,0,\n");
        assert!(csv.ends_with(&expected), "{csv:?} for {name}");
    }
}

#[test]
fn suspended_blocks_have_several_runs_and_processes_their_stays() {
    let text = r#"{ "version": 1, "horizon_ns": 20, "policy": { "kind": "runlist", "switch_cost_ns": 1 },
      "processes": [ { "name": "P0" }, { "name": "P1" } ], "tasks": [ { "name": "A" }, { "name": "B", "process": "P1" } ],
      "kernels": [ { "name": "K1", "blocks": 1, "threads_per_block": 1, "block_time_ns": 6 },
                   { "name": "K2", "task": "B", "blocks": 1, "threads_per_block": 1, "block_time_ns": 6 } ] }"#;
    let trace = simulate_with(
        &Scenario::new(&read_scenario(text).unwrap()).unwrap(),
        &blockstep_testing::turns::Turns { each_ns: 4 },
        Limits::default(),
    )
    .trace;
    assert_eq!(trace.cut(), None);
    let value: serde_json::Value = serde_json::from_str(&write_trace(&trace, &Records::new(&trace)).unwrap().to_string()).unwrap();
    assert_eq!(value["blocks"][0]["runs"], serde_json::json!([[0, 4], [10, 12]]));
    assert_eq!(value["blocks"][1]["runs"], serde_json::json!([[5, 9], [15, 17]]));
    // The stay that begins at the run's very end has no length.
    let stays = [("P0", 0, 4), ("P1", 5, 9), ("P0", 10, 14), ("P1", 15, 19)];
    let stays = stays.map(|(process, start_ns, end_ns)| serde_json::json!({ "process": process, "start_ns": start_ns, "end_ns": end_ns }));
    assert_eq!(value["residency"], serde_json::json!(stays));
}

/// What an edited file may hold besides a valid scenario: any text, any number, nothing.
fn any_draft() -> impl Strategy<Value = Draft> {
    let text = || proptest::option::of("\\PC{0,8}");
    (blockstep_testing::arbitrary::drafts(), text(), text(), any::<[Option<u64>; 6]>(), any::<i64>(), any::<bool>()).prop_map(
        |(mut draft, name, other, numbers, priority, cbs)| {
            draft.name = name.clone().unwrap_or_default();
            draft.policy.cbs = cbs;
            draft.policy.switch_cost_ns = numbers[0].unwrap_or(0);
            draft.horizon_ns = numbers[1];
            draft.seed = numbers[5].unwrap_or(0);
            if let Some(task) = draft.tasks.first_mut() {
                task.process = name.clone();
                task.budget_ns = numbers[2];
                task.deadline_ns = numbers[3];
                task.priority = priority;
            }
            if let Some(kernel) = draft.kernels.first_mut() {
                kernel.name = other.unwrap_or_default();
                kernel.after = name;
                kernel.start_ns = numbers[4].unwrap_or(0);
                kernel.block_time_max_ns = numbers[5];
                kernel.block_time_ns = BlockTimes::List(numbers.iter().flatten().copied().collect());
            }
            draft
        },
    )
}

proptest! {
    #![proptest_config(blockstep_testing::arbitrary::cases(200))]

    #[test]
    fn whatever_is_written_reads_back_the_same(draft in any_draft(), valid in blockstep_testing::arbitrary::drafts()) {
        for draft in [draft, valid] {
            let text = write_scenario(&draft);
            prop_assert_eq!(read_scenario(&text).map_err(|e| e.to_string()), Ok(draft), "{}", text);
        }
    }

    #[test]
    fn exports_of_any_run_are_well_formed(draft in blockstep_testing::arbitrary::drafts()) {
        let (trace, records) = run(&draft);
        let value: serde_json::Value = serde_json::from_str(&write_trace(&trace, &records).unwrap().to_string()).unwrap();
        let rows = |table: &str| value[table].as_array().unwrap().len();
        prop_assert_eq!(rows("blocks"), records.blocks.len());
        prop_assert_eq!(rows("copies"), records.copies.len());
        prop_assert_eq!(rows("kernels"), trace.ops().iter().filter(|op| op.kind == blockstep_sim::trace::OpKind::Kernel).count());
        prop_assert_eq!(rows("jobs"), records.jobs.len());
        for block in value["blocks"].as_array().unwrap() {
            let runs: u64 = block["runs"].as_array().unwrap().iter().map(|r| r[1].as_u64().unwrap() - r[0].as_u64().unwrap()).sum();
            let end = block["end_ns"].as_u64().unwrap_or(trace.end().ns());
            prop_assert_eq!(runs, end - block["start_ns"].as_u64().unwrap());
        }
        let csv = write_csv(&trace, &records).to_string();
        prop_assert_eq!(csv.lines().count(), 1 + records.blocks.len() + records.copies.len());
        prop_assert!(csv.lines().all(|line| line.split(',').count() == 13), "{}", csv);
    }
}
