//! `blockstep validate`: what it prints and with which status it ends.

mod runs;

use std::path::PathBuf;

use blockstep_cli::run_with;

use blockstep_testing::shared;

/// Status, standard output, standard error.
type Outcome = (u8, String, String);

fn validate(stdin: &str, args: &[&str]) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["blockstep", "validate"].iter().chain(args).copied();
    let status = run_with(args, &mut stdin.as_bytes(), &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// Files of their own for one test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("blockstep-validate-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A log of one kernel of 1024 threads, launched and begun at these times in ms, that runs for 1 s.
fn log(label: &str, launch: u64, begin: u64, sms: &str) -> String {
    let blocks =
        vec![format!("{}.{:03},{}.{:03}", begin / 1000, begin % 1000, begin / 1000 + 1, begin % 1000); sms.split(',').count()].join(",");
    format!(
        r#"{{"scenario_name": "s", "benchmark_name": "Timer Spin", "label": "{label}", "max_resident_threads": 4096, "PID": 1, "times": [{{}},
{{"kernel_name": "K", "block_count": {}, "thread_count": 1024, "shared_memory": 0,
  "cuda_launch_times": [0.{launch:03}, 0.{launch:03}5], "block_times": [{blocks}], "block_smids": [{sms}]}}]}}"#,
        sms.split(',').count()
    )
}

#[test]
fn real_logs_end_with_status_0() {
    let Some(files) = shared::logs() else { return };
    let folder = Folder::new("real");
    let paths: Vec<_> = files.iter().map(|(name, text)| folder.file(name, text)).collect();
    let args: Vec<&str> = paths.iter().map(String::as_str).collect();
    let (status, out, err) = validate("", &args);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("4 logs: 4 kernels, 32 blocks\nDevice: Quadro K5000 (Kepler gk104), 8 SMs of 2,048 threads\n"), "{out}");
    assert!(out.contains("\nTolerance: 10 µs, the default"), "{out}");
    assert!(out.contains("\nNot checked:\n") && out.contains("  C1 to C4: "), "{out}");
    assert!(out.ends_with("\nNo violations found.\n"), "{out}");
    let (status, out, _) = validate("", &[&["--device", "tx2"], &args[..]].concat());
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("ran on SM 7; the device has SMs 0 to 1.") && out.contains("tells of 16384 resident threads"), "{out}");
}

#[test]
fn violations_end_with_status_1() {
    let folder = Folder::new("violations");
    let first = folder.file("first.json", &log("First", 100, 200, "0,0,1,1"));
    let second = folder.file("second.json", &log("Second", 300, 1200, "0"));
    let (status, out, err) = validate("", &[&first, &second]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let early = folder.file("early.json", &log("Second", 300, 1199, "0"));
    let (status, out, err) = validate("", &[&first, &early]);
    assert_eq!((status, err.as_str()), (1, ""));
    assert!(
        out.contains("VIOLATED once\n") && out.contains("\nViolations: 1\n  1.199000000 s  R2: SM 0 held 3072 threads at 1.199000000 s"),
        "{out}"
    );
    assert_eq!(validate("", &["--tolerance", "1ms", &first, &early]).0, 0);
    assert_eq!(validate("", &["--tolerance", "999us", &first, &early]).0, 1);
    let (_, one, _) = validate("", &[&second]);
    assert!(one.contains(" 1 kernel ") || one.contains(" 1 block "), "{one}");
    assert!(!["1 kernels", "1 blocks", "1 launches", "1 logs"].iter().any(|many| one.contains(many)), "{one}");
    // One log may come from standard input.
    assert_eq!(validate(&log("Second", 300, 1199, "0"), &[&first, "-"]).0, 1);
    assert_eq!(validate(&log("Second", 300, 1200, "0"), &[&first, "-"]).0, 0);
}

#[test]
fn a_config_knows_priorities_and_null_streams() {
    let folder = Folder::new("config");
    // The second kernel needs both SMs whole, the third begins before all of it has.
    let logs = [
        folder.file("a.json", &log("First", 100, 200, "0,0,1")),
        folder.file("b.json", &log("Second", 300, 1200, "0,0,1")),
        folder.file("c.json", &log("Third", 500, 600, "1")),
    ];
    let args: Vec<&str> = logs.iter().map(String::as_str).collect();
    let (status, out, _) = validate("", &args);
    assert_eq!(status, 1, "{out}");
    assert!(
        out.contains("  X1: Block 0 of Third began") && out.contains("if both streams have the same priority, which the logs do not say"),
        "{out}"
    );
    assert!(out.contains("\nAssumed:\n"), "{out}");
    let config = |third: &str| {
        format!(
            r#"{{"name": "s", "max_iterations": 1, "max_time": 0, "benchmarks": [
{{"filename": "./bin/timer_spin.so", "label": "First", "thread_count": 1024, "block_count": 3, "additional_info": 1000000000}},
{{"filename": "./bin/timer_spin.so", "label": "Second", "thread_count": 1024, "block_count": 3, "additional_info": 1000000000}},
{{"filename": "./bin/mandelbrot.so", {third}, "thread_count": 1024, "block_count": 1}}]}}"#
        )
    };
    let high = folder.file("high.json", &config(r#""label": "Third", "stream_priority": -1"#));
    let (status, out, err) = validate("", &[&["--config", &high], &args[..]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(!out.contains("\nAssumed:\n"), "{out}");
    // By the log's name, whatever the label.
    let named = folder.file("named.json", &config(r#""log_name": "results/c.json", "stream_priority": -1"#));
    let (status, out, _) = validate("", &[&["--config", &named], &args[..]].concat());
    assert_eq!(status, 0, "{out}");
    let other = folder.file("other.json", &config(r#""label": "Fourth", "stream_priority": -1"#));
    let (status, out, _) = validate("", &[&["--config", &other], &args[..]].concat());
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("\nNotes:\n  The scenario that was run has nothing with the name of ") && out.contains("“Third”"), "{out}");
}

/// The section of a report that compares with a simulation; empty without one.
fn against_the_simulation(out: &str) -> String {
    let after = out.split_once("\nAgainst the simulation:\n").map_or("", |(_, after)| after);
    after.lines().map_while(|line| line.strip_prefix("  ")).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_scenario_is_simulated_and_compared() {
    let folder = Folder::new("simulated");
    let scenario = |first: &str, blocks: u64| {
        format!(
            r#"{{"version": 1, "name": "s", "device": "tx2", "kernels": [
{{"name": "A", "stream": "{first}", "blocks": {blocks}, "threads_per_block": 1024, "block_time_ns": 1000000000}},
{{"name": "B", "stream": "Second", "start_ns": 200000000, "blocks": 1, "threads_per_block": 1024, "block_time_ns": 1000000000}}]}}"#
        )
    };
    let good = folder.file("scenario.json", &scenario("First", 2));
    let first = folder.file("first.json", &log("First", 100, 200, "0,1"));
    let second = folder.file("second.json", &log("Second", 300, 401, "0"));
    let (status, out, err) = validate("", &["--config", &good, &first, &second]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    let expected = "Matched: 2 kernels, 3 blocks\nOnly measured: 0 kernels, 0 blocks\nOnly simulated: 0 kernels, 0 blocks\n\
In the predicted order.\nStarts differ by: median 0 s, 95th percentile 1 ms, largest 1 ms (Second)\n\
Ends differ by: median 0 s, 95th percentile 1 ms, largest 1 ms (Second)\nPlacement: 0 of 3 blocks ran on another SM than simulated.";
    assert_eq!(against_the_simulation(&out), expected, "{out}");
    // The status is that of the rules alone.
    let early = folder.file("early.json", &log("Second", 100, 150, "0"));
    let (status, out, _) = validate("", &["--config", &good, &first, &early]);
    assert_eq!(status, 0, "{out}");
    let order = "1 of 3 blocks began out of the predicted order; first: block 0 of Second began 50 ms before block 0 of First, simulated 200 ms after it";
    assert!(against_the_simulation(&out).contains(order), "{out}");
    let (_, out, _) = validate("", &["--config", &good, "--order-tolerance", "50ms", &first, &early]);
    assert!(against_the_simulation(&out).contains("\nIn the predicted order.\n"), "{out}");
    // Nothing to compare with.
    let other = folder.file("other.json", &scenario("Third", 3).replace("Second", "Fourth"));
    let (_, out, _) = validate("", &["--config", &other, &first, &second]);
    assert_eq!(against_the_simulation(&out), "Not compared: the logs and the simulation have no block in common.", "{out}");
    let (_, out, _) = validate("", &[&first, &second]);
    assert_eq!(against_the_simulation(&out), "", "{out}");
}

#[test]
fn what_cannot_be_read_ends_with_status_2() {
    let folder = Folder::new("unreadable");
    let good = folder.file("good.json", &log("First", 100, 200, "0"));
    let bad = folder.file("bad.json", r#"{"times": [{"thread_count": 1, "block_times": [1]}]}"#);
    let (status, out, err) = validate("", &[&good, &bad]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(err, format!("error: {bad}: line 1: times[0].block_times has 1 time; every block has two, begin and end\n"));
    assert_eq!(validate("", &["nowhere.json"]).0, 2);
    assert_eq!(validate("", &[]).0, 2);
    assert_eq!(validate("", &["--tolerance", "soon", &good]).0, 2);
    assert_eq!(validate("", &["--tolerance", "-1us", &good]).0, 2);
    let (status, _, err) = validate("", &["--device", "rtx", &good]);
    assert_eq!(status, 2);
    assert!(
        err.contains(
            "tx2, tx1, drivepx, k5000, gtx1070, titanv, tk1, k40, k80, gtx750ti, gtx980, p100, xavier, t4, a100, rtx3090, orin, rtx4090, h100, h200, b200"
        ),
        "{err}"
    );
    assert_eq!(validate("", &["--config", &bad, &good]).0, 2);
    let (status, help, _) = validate("", &["--help"]);
    assert_eq!(status, 0);
    assert!(help.contains("--tolerance <TIME>") && help.contains("Exit status:\n  0  no violation"), "{help}");
}
