//! Logs of cuda_scheduling_examiner: the four real ones, every version's fields, and what is refused.

use blockstep_format::{MAX_LOG_BLOCKS, is_log, read_log, read_logs};
use blockstep_sim::measured::{HostTimes, Launch, MeasuredBlock};
use blockstep_testing::logs::borrowed;
use blockstep_testing::shared;

fn problems(text: &str) -> Vec<String> {
    read_log(text, "a.json").unwrap_err().problems.iter().map(ToString::to_string).collect()
}

/// A log with these entries after the empty one.
fn with(entries: &str) -> String {
    format!("{{\"scenario_name\": \"s\", \"benchmark_name\": \"b\",\n\"times\": [{{}},\n{entries}]}}")
}

#[test]
fn the_real_logs_are_read_to_the_nanosecond() {
    let Some(files) = shared::logs() else { return };
    let run = read_logs(&borrowed(&files)).unwrap();
    assert_eq!(run.logs.len(), 4);
    let log = &run.logs[0];
    assert_eq!((log.file.as_str(), log.scenario.as_str()), (files[0].0.as_str(), "Basic coscheduling test"));
    assert_eq!((log.benchmark.as_str(), log.label.as_str()), ("Timer Spin", "Kernel 1"));
    assert_eq!((log.pid, log.tid, log.max_resident_threads), (Some(20_360), Some(20_378), Some(16_384)));
    assert_eq!((log.release_ns, log.data_bytes), (Some(0), Some(0)));
    assert_eq!(run.logs[3].release_ns, Some(250_000_000));
    let [kernel] = &log.kernels[..] else { panic!("{:?}", log.kernels) };
    assert_eq!((kernel.name.as_str(), kernel.entry, kernel.block_count, kernel.thread_count), ("GPUSpin", 2, 8, 1024));
    assert_eq!(kernel.shared_memory, Some(0));
    assert_eq!(kernel.launch_ns, [118_366_712, 118_539_552, 618_556_682]);
    assert_eq!(kernel.blocks[0], MeasuredBlock { start_ns: 118_530_889, end_ns: 618_546_386, sm: Some(7) });
    assert_eq!(kernel.blocks[7].sm, Some(0));
    let host = HostTimes {
        entry: 1,
        copy_in: Some((118_364_724, 118_365_337)),
        execute: Some((118_365_870, 618_557_268)),
        copy_out: Some((618_557_668, 618_606_736)),
        cpu: Some((118_364_724, 618_606_736)),
    };
    assert_eq!(log.host, [host]);
    assert!(run.logs.iter().all(|log| log.kernels.len() == 1 && log.kernels[0].blocks.len() == 8));
    assert!(files.iter().all(|(_, text)| is_log(text)));
}

#[test]
fn a_log_of_measure_names_its_gpu() {
    let gpu = |header: &str| read_log(&format!(r#"{{"blockstep": {header}, "times": []}}"#), "a.json").map(|log| log.gpu);
    let full = r#"{"version": "0.1.0", "gpu": "NVIDIA H200", "stream_priorities": [0, -5], "mps": false, "registers": [{"kernel": "K1"}]}"#;
    assert_eq!(gpu(full), Ok(Some("NVIDIA H200".to_owned())));
    assert_eq!([gpu("{}"), gpu("null"), gpu(r#"{"gpu": " "}"#)], [Ok(None), Ok(None), Ok(None)]);
    assert!(gpu(r#"{"gpu": 1}"#).unwrap_err().to_string().contains("blockstep.gpu"));
}

#[test]
fn what_a_log_may_lack_may_be_lacking() {
    let log = read_log(r#"{"times": []}"#, "a.json").unwrap();
    assert_eq!((log.kernels.len(), log.host.len(), log.pid, log.label.as_str()), (0, 0, None, ""));
    // As the oldest examiner wrote them: counts once for all, microseconds, no SM ids.
    let old = r#"{"thread_count": 64, "block_count": 2, "TID": null, "release_time": -1.000000, "times": [{},
      {"kernel_times": [0.1,0.2], "block_times": [0.100000,0.150000,0.100001,0.200000], "cpu_core": 3},
      {"cpu_times": [0.090000,0.210000]}]}"#;
    let log = read_log(old, "old.json").unwrap();
    assert_eq!((log.release_ns, log.tid), (Some(0), None));
    let blocks = vec![
        MeasuredBlock { start_ns: 100_000_000, end_ns: 150_000_000, sm: None },
        MeasuredBlock { start_ns: 100_001_000, end_ns: 200_000_000, sm: None },
    ];
    let launch = Launch { entry: 1, block_count: 2, thread_count: 64, blocks, ..Launch::default() };
    assert_eq!(log.kernels, [launch]);
    assert_eq!(log.host, [HostTimes { entry: 2, cpu: Some((90_000_000, 210_000_000)), ..HostTimes::default() }]);
    // Fields of versions to come, and what is empty.
    let new = with(
        r#"{"kernel_name": "K", "block_count": 1, "thread_count": 32, "gpu_clock": {"mhz": [1]}, "warp_times": [[0.5]],
      "block_times": [], "block_smids": []}"#,
    );
    let log = read_log(&new, "new.json").unwrap();
    assert_eq!((log.kernels[0].block_count, log.kernels[0].blocks.len()), (1, 0));
}

#[test]
fn a_last_launch_time_of_zero_is_none() {
    let at = |times: &str| {
        let log = read_log(&with(&format!(r#"{{"thread_count": 1, "cuda_launch_times": {times}}}"#)), "a.json").unwrap();
        log.kernels[0].launch_ns.clone()
    };
    assert_eq!(at("[0.1, 0.2, 0.000000000]"), [100_000_000, 200_000_000]);
    assert_eq!(at("[0.0, 0.0, 0.5]"), [0, 0, 500_000_000]);
    assert_eq!(at("[-0.000000001]"), [-1]);
    assert_eq!(at("[]"), [0; 0]);
}

#[test]
fn what_is_used_must_be_right() {
    let cases = [
        (
            r#"{"thread_count": 1, "block_times": [0.1, 0.2, 0.3]}"#,
            "line 3: times[1].block_times has 3 times; every block has two, begin and end",
        ),
        (
            r#"{"thread_count": 1, "block_times": [0.1, 0.2], "block_smids": [1, 2]}"#,
            "line 3: times[1].block_smids has 2 SM ids for 1 blocks",
        ),
        (r#"{"block_times": [0.1, 0.2]}"#, "line 3: times[1].thread_count is missing; it is required"),
        (r#"{"thread_count": 1.5}"#, "line 3: times[1].thread_count is 1.5; a whole number from 0 to 18446744073709551615 is expected"),
        (r#"{"thread_count": -4}"#, "line 3: times[1].thread_count is -4; a whole number from 0 to 18446744073709551615 is expected"),
        (r#"{"thread_count": 1, "thread_count": 2}"#, "line 3: times[1].thread_count is given more than once"),
        (r#"{"thread_count": 1, "kernel_name": 7}"#, "line 3: times[1].kernel_name is 7; a text in double quotes is expected"),
        (
            r#"{"thread_count": 1, "block_times": [1e308, 0.2]}"#,
            "line 3: times[1].block_times[0] is 1e308; a number of seconds between -9223372036 and 9223372036 is expected",
        ),
        (
            r#"{"thread_count": 1, "block_times": ["0.1", 0.2]}"#,
            "line 3: times[1].block_times[0] is the text \"0.1\"; a number of seconds between -9223372036 and 9223372036 is expected",
        ),
        (r#"{"thread_count": 1, "block_times": 5}"#, "line 3: times[1].block_times is 5; a list of seconds is expected"),
        (
            r#"{"thread_count": 1, "block_times": [0.1, 0.2], "block_smids": [4096]}"#,
            "line 3: times[1].block_smids[0] is 4096; SM ids up to 4095 are read",
        ),
        (r#"{"thread_count": 1, "block_times": [0.1, 0.2], "block_smids": 3}"#, "line 3: times[1].block_smids is 3; a list is expected"),
        (
            r#"{"thread_count": 1, "cuda_launch_times": [1, 2, 3, 4]}"#,
            "line 3: times[1].cuda_launch_times has 4 times; at most 3 are expected",
        ),
        (r#"{"cpu_times": [0.1]}"#, "line 3: times[1].cpu_times has 1 time; two are expected, begin and end"),
        ("7", "line 3: times[1] is 7; an object is expected"),
    ];
    for (entry, problem) in cases {
        assert_eq!(problems(&with(entry)), [problem], "{entry}");
    }
    for (text, problem) in [
        ("", "line 1: the file is empty"),
        ("[]", "the file holds a list; a log is an object with times"),
        ("{}", "has no times, which every log of cuda_scheduling_examiner has"),
        (
            r#"{"benchmarks": []}"#,
            "has no times, which every log of cuda_scheduling_examiner has; this is a config, which says what to run",
        ),
        (r#"{"times": {}}"#, "line 1: times is an object; a list is expected"),
        (r#"{"times": [{"block_times": [nan]}]}"#, "line 1: not JSON (column 29): a value is expected, not n"),
        // A benchmark that did not finish.
        ("{\"times\": [{}", "line 1: not JSON (column 14): a comma or ] is expected, but the file ends"),
    ] {
        assert_eq!(problems(text), [problem], "{text}");
    }
}

#[test]
fn errors_of_a_run_name_their_files() {
    let error = read_logs(&[("a.json", "{}"), ("b.json", r#"{"times": []}"#), ("c.json", r#"{"times": 4}"#)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.json has no times, which every log of cuda_scheduling_examiner has\nc.json: line 1: times is 4; a list is expected"
    );
    assert_eq!(read_logs(&[]).unwrap_err().to_string(), "run has no logs; at least one is needed");
}

#[test]
fn a_run_may_not_have_too_many_blocks() {
    let half = vec!["0,1"; MAX_LOG_BLOCKS / 2 + 1].join(",");
    let log = with(&format!("{{\"thread_count\": 1, \"block_times\": [{half}]}}"));
    assert!(read_log(&log, "a.json").is_ok());
    let error = read_logs(&[("a.json", &log), ("b.json", &log)]).unwrap_err().to_string();
    assert_eq!(error, "b.json: line 3: times[1] is one too many: of one run at most 1000000 blocks and 200000 launches are read");
}
