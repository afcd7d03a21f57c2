//! Measuring, with a shell script in place of a process that has a GPU.
#![allow(clippy::unwrap_used, missing_docs)]

use std::ffi::OsString;

use blockstep_format::program::{Plan, PlanError};
use blockstep_format::{open, read_logs, write_measured_logs};
use blockstep_measure::{Header, MeasureError, Options, launches, measure};
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;

const TWO_KERNELS: &str = r#"{ "version": 1, "name": "Two kernels", "kernels": [
    { "name": "K1", "blocks": 2, "threads_per_block": 32, "block_time_ns": 1000 },
    { "name": "K2", "stream": "S2", "start_ns": 500, "blocks": 1, "threads_per_block": 64, "block_time_ns": 2000 } ] }"#;

/// What the process of a GPU with a clock of its own would answer.
const ANSWERS: &str = r#"
read -r order
echo 'a line of a profiler around it'
echo '{"Prepared":{"name":"A GPU","compute_capability":"9.0","sms":2,"threads_per_sm":2048,"blocks_per_sm":32,"shared_memory_per_sm":1,"max_shared_memory_per_block":1,"registers_per_sm":1,"copy_engines":3,"priorities":[0,-5],"sm_clock_khz":1,"cuda":"13.0","driver":"580","copy_bytes_per_s":[1,2],"registers_taken":[[0,16],[1,16]]}}'
while read -r order; do
    case "$order" in
        *ReadClocks*) echo '"Read"' ;;
        *Run*) start=${order##*:} start=${start%%\}*}
            echo '{"Ran":[{"row":0,"job":0,"called_ns":[10,20],"cpu":3,"blocks":[{"start_ns":1030,"end_ns":2030,"sm":0,"suspended_ns":0,"suspensions":0},{"start_ns":1031,"end_ns":2031,"sm":1,"suspended_ns":0,"suspensions":0}]},{"row":1,"job":0,"called_ns":[510,520],"cpu":4,"blocks":[{"start_ns":1530,"end_ns":9530,"sm":1,"suspended_ns":6000,"suspensions":2}]}]}' ;;
        *RelateClocks*) echo "{\"Related\":{\"gpu_ns\":1000,\"host_ns\":$start,\"gpu_span_ns\":100000,\"drift_ns\":0,\"residual_ns\":700}}" ;;
    esac
done
"#;

fn run(text: &str) -> Run {
    let opened = open(text, &Default::default()).unwrap();
    simulate(&Scenario::new(&opened.draft).unwrap(), Limits::default())
}

fn plan(run: &Run) -> Result<Plan, PlanError> {
    Plan::to_measure(&run.trace, &Records::new(&run.trace))
}

fn options(command: &[&str], repeat: u32) -> Options {
    Options { device: 0, repeat, command: command.iter().map(OsString::from).collect() }
}

#[test]
fn what_a_process_measures_comes_out_as_logs_that_open_again() {
    let run = run(TWO_KERNELS);
    let plan = plan(&run).unwrap();
    let measured = measure(&plan, &options(&["sh", "-c", ANSWERS], 2)).unwrap();
    assert_eq!(measured.len(), 2);
    let header = Header::new(run.trace.scenario(), &plan, &measured[1], (2, 2)).json();
    let (records, launches) = (Records::new(&run.trace), launches(&measured[1]));
    let logs: Vec<(String, String)> = write_measured_logs(&run.trace, &records, &launches, 4096, &header)
        .into_iter()
        .map(|(name, text)| (name, text.to_string()))
        .collect();
    let files: Vec<(&str, &str)> = logs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let read = read_logs(&files).unwrap();
    let blocks = |log: usize| read.logs[log].kernels[0].blocks.iter().map(|b| (b.start_ns, b.end_ns, b.sm)).collect::<Vec<_>>();
    // The GPU's clock was 1000 when the run began.
    assert_eq!(blocks(0), [(30, 1030, Some(0)), (31, 1031, Some(1))]);
    assert_eq!(blocks(1), [(530, 8530, Some(1))]);
    assert_eq!(read.logs[0].kernels[0].launch_ns, [10, 20]);
    assert_eq!(read.logs[0].max_resident_threads, Some(4096));
    assert!(!logs[0].1.contains("suspen"), "{}", logs[0].1);
    assert!(logs[1].1.contains("\"block_suspended_times\": [0.000006000], \"block_suspensions\": [2]"), "{}", logs[1].1);
    assert!(logs[0].1.contains("\"gpu\":\"A GPU\"") && logs[0].1.contains("\"run\":[2,2]"), "{}", logs[0].1);
}

#[test]
fn what_goes_wrong_is_said_with_the_process() {
    let run = run(TWO_KERNELS);
    let plan = plan(&run).unwrap();
    let why = |command: &[&str]| measure(&plan, &options(command, 1)).unwrap_err();
    let process = |what: &str| MeasureError::Process { process: "P0".to_owned(), what: what.to_owned() };
    assert_eq!(why(&["sh", "-c", "exit 3"]), process("it ended before its time (exit status: 3)"));
    assert!(why(&["/no/such/program"]).to_string().starts_with("process P0: /no/such/program cannot be started: "));
    assert_eq!(why(&["sh", "-c", "read -r order; echo '{\"Failed\":\"NoDriver\"}'; read -r order"]), MeasureError::NoDriver);
}

#[test]
fn what_no_gpu_does_or_a_log_cannot_hold_is_refused() {
    let refused = |text: &str| plan(&run(text)).unwrap_err().to_string();
    let row = r#""kernels": [ { "name": "K1", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1000"#;
    let edf = format!(r#"{{ "version": 1, "policy": {{ "kind": "edf" }}, {row} }} ] }}"#);
    assert_eq!(refused(&edf), "policy edf needs a hypervisor that no driver has; measure fifo, priority or runlist");
    let copy = format!(r#"{{ "version": 1, {row}, "copy_in_bytes": 2000000000 }} ] }}"#);
    assert_eq!(
        refused(&copy),
        "K1: a copy of 2000000000 bytes is not measured, the limit is 1073741824: each process has so much pinned memory"
    );
    let blocks = r#"{ "version": 1, "kernels": [ { "name": "K1", "blocks": 1000001, "threads_per_block": 32, "block_time_ns": 1000 } ] }"#;
    assert_eq!(refused(blocks), "the run has 1000001 blocks, of which at most 1000000 are logged; use a shorter horizon or fewer jobs");
    assert_eq!(refused(r#"{ "version": 1, "kernels": [] }"#), "no task has a row, so there is nothing to measure");
    let consumes = r#"{ "version": 1, "policy": { "kind": "runlist" }, "processes": [ { "name": "P0" }, { "name": "P1" } ],
        "tasks": [ { "name": "A", "process": "P0" }, { "name": "B", "process": "P1", "consumes": ["A"] } ], "kernels": [
        { "name": "K1", "task": "A", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1000 },
        { "name": "K2", "task": "B", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1000 } ] }"#;
    assert_eq!(refused(consumes), "task \"B\" consumes \"A\" of another process; that is not measured");
    let tasks: Vec<String> = (0..257).map(|i| format!(r#"{{ "name": "T{i}" }}"#)).collect();
    let many = format!(r#"{{ "version": 1, "tasks": [ {} ], {row} }} ] }}"#, tasks.join(", "));
    assert_eq!(refused(&many), "the scenario has 257 tasks, of which at most 256 are measured");
    let processes: Vec<String> = (0..17).map(|i| format!(r#"{{ "name": "P{i}" }}"#)).collect();
    let many = format!(r#"{{ "version": 1, "policy": {{ "kind": "runlist" }}, "processes": [ {} ], {row} }} ] }}"#, processes.join(", "));
    assert_eq!(refused(&many), "the scenario has 17 processes, of which at most 16 are measured");
}
