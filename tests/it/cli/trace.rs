//! `blockstep trace`: both formats, from a file and from standard input, in every form of output, and files that are none.

use rusqlite::{Connection, MAIN_DB};

use super::{TempFile, run, run_reading};

/// Two kernels of one stream: the second waits for the first. From the PyTorch profiler.
const KINETO: &str = r#"{ "schemaVersion": 1, "traceEvents": [
  { "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 1000, "dur": 4, "args": { "correlation": 1 } },
  { "ph": "X", "cat": "kernel", "name": "A", "pid": 0, "tid": 20, "ts": 1008, "dur": 492,
    "args": { "device": 0, "context": 1, "stream": 20, "correlation": 1, "grid": [1, 1, 1], "block": [64, 1, 1] } },
  { "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 1010, "dur": 4, "args": { "correlation": 2 } },
  { "ph": "X", "cat": "kernel", "name": "B", "pid": 0, "tid": 20, "ts": 1502, "dur": 98,
    "args": { "device": 0, "context": 1, "stream": 20, "correlation": 2, "grid": [1, 1, 1], "block": [64, 1, 1] } }
] }"#;

/// The same from Nsight Systems, as far as it is read.
const NSIGHT: &str = "
CREATE TABLE StringIds (id INTEGER, value TEXT);
INSERT INTO StringIds VALUES (1, 'A'), (2, 'B'), (3, 'cudaLaunchKernel_v7000');
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000000, 1004000, 16777225, 1, 3), (1010000, 1014000, 16777225, 2, 3);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
  correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, registersPerThread INTEGER, gridX INTEGER,
  gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (1008000, 1500000, 0, 1, 20, 1, 16777216, 1, 1, 0, 1, 1, 1, 64, 1, 1, 0, 0),
  (1502000, 1600000, 0, 1, 20, 2, 16777216, 2, 2, 0, 1, 1, 1, 64, 1, 1, 0, 0);
";

#[test]
fn cli_trace_opens_both_formats() {
    let mut nsight = Connection::open_in_memory().unwrap();
    nsight.execute_batch(NSIGHT).unwrap();
    let (kineto, nsight) = (KINETO, nsight.serialize(MAIN_DB).unwrap().to_vec());
    let files = [TempFile::new("trace.json", kineto), TempFile::new("a trace %41?.sqlite", &nsight)];
    for (file, by, bytes) in [(&files[0], "the PyTorch profiler", kineto.as_bytes()), (&files[1], "Nsight Systems", &nsight[..])] {
        let (status, out, err) = run(&["trace", file.path()]);
        assert_eq!((status, &*err), (0, ""), "{}", file.path());
        assert!(out.starts_with("Of 600.0 µs, 590.0 µs is the GPU working (83 % of it A), 10.0 µs launching.\n"), "{out}");
        assert!(out.contains(&format!("\nA trace of {by}: ")), "{out}");
        assert!(out.contains("Stream order") && out.contains("The longest waits:"), "{out}");
        assert_eq!(run_reading(bytes, &["trace", "-"]).1, out, "from standard input");
        let csv = run(&["trace", file.path(), "--format", "csv"]).1;
        assert!(csv.lines().any(|line| line.contains(",stream-order,certain,")), "{csv}");
        let json = run(&["trace", file.path(), "--format", "json", "--top", "1"]).1;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["longest"].as_array().unwrap().len(), 1);
        let shares = json["paths"][0]["shares_ns"].as_object().unwrap();
        assert_eq!(shares.values().map(|ns| ns.as_u64().unwrap()).sum::<u64>(), 600_000);
        assert_eq!(json["paths"][0]["groups"][0]["what"], "A");
        let path = run(&["trace", file.path(), "--format", "path"]).1;
        assert_eq!(path.lines().nth(2), Some("0,8000,500000,working,A,,certain,0"), "{path}");
        // A range of it has the same sums for its part.
        let range = run(&["trace", file.path(), "--from", "100us", "--to", "0.4ms"]).1;
        assert!(range.starts_with("300 µs, from 100 µs to 400 µs\n\nGPU 0:\n  GPU working "), "{range}");
        let json_of_range = run(&["trace", file.path(), "--from", "0", "--format", "json"]).1;
        let json_of_range: serde_json::Value = serde_json::from_str(&json_of_range).unwrap();
        assert_eq!(json_of_range["range"]["paths"][0]["shares_ns"], json["paths"][0]["shares_ns"]);
        let (status, _, why) = run(&["trace", file.path(), "--from", "2s"]);
        assert!(status != 0 && why.contains("--from has to be before --to, and before the end of the recording, at 600 µs"), "{why}");
        assert_ne!(run(&["trace", file.path(), "--to", "1ms", "--format", "csv"]).0, 0);
        assert_ne!(run(&["trace", file.path(), "--from", "12"]).0, 0, "a time without a unit");
        // Neither says which GPU it was.
        assert!(out.contains("\n  Rules as found on the TX2, which this GPU may not follow.\n"), "{out}");
        assert_eq!(json["evidence"], "own");
        assert!(
            json["longest"][0]["correlation"].is_u64()
                && csv.starts_with("operation,")
                && csv.lines().next().unwrap().ends_with(",correlation")
        );
        let named = run(&["trace", file.path(), "--gpu", "a100"]).1;
        assert!(named.contains("108 SMs") && named.contains("A100"), "{named}");
        assert_ne!(run(&["trace", file.path(), "--gpu", "no such"]).0, 0);
    }
}

/// Steps of two kernels, the second of this length, us.
fn steps(length: u64) -> String {
    let event = |cat: &str, name: &str, at: u64, dur: u64, id: u64| {
        format!(
            r#"{{ "ph": "X", "cat": "{cat}", "name": "{name}", "pid": 0, "tid": 20, "ts": {at}, "dur": {dur}, "args": {{ "correlation": {id} }} }}"#
        )
    };
    let events: Vec<String> = (0..6_u64)
        .flat_map(|step| {
            let (at, id) = (1_000 + step * (400 + length), 2 * step + 1);
            [
                event("cuda_runtime", "cudaLaunchKernel", at, 4, id),
                event("kernel", "A", at + 8, 200, id),
                event("cuda_runtime", "cudaLaunchKernel", at + 10, 4, id + 1),
                event("kernel", "B", at + 210, length, id + 1),
            ]
        })
        .collect();
    format!(r#"{{ "traceEvents": [{}] }}"#, events.join(","))
}

#[test]
fn cli_trace_compares_two() {
    let (before, after) = (TempFile::new("before.json", steps(300)), TempFile::new("after.json", steps(330)));
    let compare = |second: &TempFile, more: &[&str]| run(&[&["trace", before.path(), second.path()], more].concat());
    let (status, out, err) = compare(&after, &["--max-regression", "4.1%"]);
    assert_eq!((status, &*err), (1, "error: a step is slower by more than 4.1 %\n"));
    assert!(out.starts_with("A step is 30 µs slower (4.2 %): 700 µs before, 730 µs after.\n"), "{out}");
    assert!(out.contains("\n  B +30 µs a step: 300 µs to 330 µs\n"), "{out}");
    assert_eq!(compare(&after, &["--max-regression", "5"]).0, 0);
    let json: serde_json::Value = serde_json::from_str(&compare(&after, &["--format", "json"]).1).unwrap();
    assert_eq!((&json["step"]["before_ns"], &json["changes"][0]["after"]), (&700_000.into(), &"B".into()));
    let (status, out, _) = compare(&before, &["--max-regression", "0"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("No difference beyond noise: a step takes 700 µs before and 700 µs after"), "{out}");
    let short = TempFile::new("short.json", KINETO);
    let (status, out, _) = compare(&short, &[]);
    assert_eq!(status, 0);
    assert!(out.starts_with("The run is ") && out.contains("we do not know the noise"), "{out}");
    let (status, _, err) = compare(&short, &["--max-regression", "2%"]);
    assert_eq!(status, 2);
    assert!(err.contains("--max-regression needs two traces in which steps repeat"), "{err}");
    assert_eq!(run(&["trace", before.path(), "--max-regression", "2%"]).0, 2, "without a second trace");
    assert!(compare(&after, &["--max-regression", "2.55"]).2.contains("2.55 is not a percentage from 0 to 1000 with at most one decimal"));
}

/// The file of a rank: of a job that says so or not, with kernels of this length.
fn rank(number: u64, of_job: bool, length: u64) -> String {
    let job = if of_job { format!(r#""distributedInfo": {{ "rank": {number}, "world_size": 3 }}, "#) } else { String::new() };
    steps(length).replacen('{', &format!("{{ {job}"), 1)
}

#[test]
fn cli_trace_puts_ranks_beside_each_other() {
    let files = [0, 1, 2].map(|number| TempFile::new(&format!("{number}.json"), rank(number, true, if number == 1 { 330 } else { 300 })));
    let trace = |files: &[&TempFile], more: &[&str]| {
        run(&[&["trace"], &files.iter().map(|file| file.path()).collect::<Vec<_>>()[..], more].concat())
    };
    let (status, out, err) = trace(&[&files[2], &files[1], &files[0]], &[]);
    assert_eq!((status, &*err), (0, ""));
    assert!(out.starts_with("Rank 1 takes longest: 180 µs more than the median of the others.\n"), "{out}");
    let rows: Vec<Vec<&str>> = out
        .lines()
        .skip_while(|line| !line.is_empty())
        .skip(1)
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect();
    assert_eq!(
        rows[0],
        ["Wall clock", "GPU working", "Communication", "beside computation", "alone", "GPU idle", "of it the host", "File"]
    );
    assert_eq!(rows[2], ["Rank 1", "4.19 ms", "3.18 ms", "0 s", "0 s", "0 s", "1.01 ms", "1 ms", files[1].path()]);
    let alone: serde_json::Value = serde_json::from_str(&run(&["trace", files[1].path(), "--format", "json"]).1).unwrap();
    assert_eq!(alone["paths"][0]["shares_ns"]["host"], 1_000_000, "as it is of the file alone");
    // Two that say that they are different ranks are a table too, but not if a comparison is asked for.
    assert!(trace(&[&files[0], &files[1]], &[]).1.starts_with("Rank 1 takes longest: 180 µs "));
    assert!(trace(&[&files[0], &files[1]], &["--max-regression", "9%"]).1.starts_with("A step is 30 µs slower"));
    assert!(trace(&[&files[0], &files[0]], &[]).1.starts_with("No difference beyond noise"));
    let alone = [3, 4].map(|number| TempFile::new(&format!("{number}.json"), rank(number, false, 300)));
    assert!(trace(&[&alone[0], &alone[1]], &[]).1.starts_with("No difference beyond noise"));
    let (_, out, _) = trace(&[&alone[0], &alone[1], &files[0]], &[]);
    assert!(out.starts_with("We cannot say which rank is slow: neither "), "{out}");
    // What cannot be read is a row, and the status says so.
    let damaged = TempFile::new("damaged.json", "{ \"traceEvents\": [");
    let (status, out, err) = trace(&[&files[0], &damaged, &files[1]], &["--format", "json"]);
    assert_eq!(status, 2);
    assert!(err.contains(damaged.path()) && err.contains("damaged"), "{err}");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["ranks"][1]["rank"], &json["ranks"][1]["wall_clock_ns"]), (&1.into(), &4_190_000.into()));
    assert!(json["ranks"][2]["error"].as_str().unwrap().contains("damaged"));
    assert!(trace(&[&files[0], &damaged, &files[1]], &[]).1.contains(&format!("\n  {}: expected a trace", damaged.path())));
    assert_eq!(trace(&[&files[0], &damaged], &[]).0, 2);
    // More than can be shown, and what is made of one file alone.
    let (status, _, err) = trace(&[&files[0]; 65], &[]);
    assert_eq!((status, &*err), (2, "error: 65 traces are too many to be put beside each other: at most 64 are read.\n"));
    assert_eq!(trace(&[&files[0], &files[1], &files[2]], &["--format", "csv"]).0, 2);
    assert!(
        trace(&[&files[0], &files[1], &files[2]], &["--max-regression", "2%"])
            .2
            .contains("--max-regression compares two traces, and here are 3")
    );
}

#[test]
fn cli_trace_says_what_a_file_is_not() {
    let (status, out, err) = run(&["trace", "no such file"]);
    assert_eq!((status, &*out), (2, ""));
    assert!(err.contains("no such file: the file cannot be read: "), "{err}");
    let file = TempFile::new("no-trace.json", super::SMALL);
    let err = run(&["trace", file.path()]).2;
    assert!(err.contains("this is not a trace of the PyTorch profiler: there is no \"traceEvents\""), "{err}");
    let report = TempFile::new("a report.nsys-rep", "anything");
    let err = run(&["trace", report.path()]).2;
    assert!(err.ends_with(&format!("nsys export --type sqlite '{}'\n", report.path())), "{err}");
    let (status, _, err) = run_reading(b"SQLite format 3\0 and no more", &["trace", "-"]);
    assert_eq!(status, 2);
    assert!(err.contains("the database is damaged"), "{err}");
}
