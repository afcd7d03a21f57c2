//! `blockstep measure`, with a script in place of a process that has a GPU.

use super::*;

/// What such a process answers: K1 begins 1 µs later than simulated, K2 is called 2.3 ms late.
const GPU: &str = r#"
read -r order
echo '{"Prepared":{"name":"A GPU","compute_capability":"9.0","sms":2,"threads_per_sm":2048,"blocks_per_sm":32,"shared_memory_per_sm":1,"max_shared_memory_per_block":1,"registers_per_sm":1,"copy_engines":3,"priorities":[0,-5],"sm_clock_khz":1,"cuda":"13.0","driver":"580","copy_bytes_per_s":[1,2],"registers_taken":[[0,16],[1,16]]}}'
while read -r order; do
    case "$order" in
        *ReadClocks*) echo '"Read"' ;;
        *Run*) start=${order##*:} start=${start%%\}*}
            echo '{"Ran":[{"row":0,"job":0,"called_ns":[10,20],"cpu":3,"blocks":[{"start_ns":2000,"end_ns":1002000,"sm":0,"suspended_ns":0,"suspensions":0}]},{"row":1,"job":0,"called_ns":[2800000,2800100],"cpu":4,"blocks":[{"start_ns":2801000,"end_ns":4801000,"sm":1,"suspended_ns":0,"suspensions":0}]}]}' ;;
        *RelateClocks*) echo "{\"Related\":{\"gpu_ns\":1000,\"host_ns\":$start,\"gpu_span_ns\":100000,\"drift_ns\":0,\"residual_ns\":700}}" ;;
    esac
done
"#;

const TABLE: &str = r#"{ "version": 1, "name": "Two kernels", "kernels": [
    { "name": "K1", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1000000 },
    { "name": "K2", "stream": "S2", "start_ns": 500000, "blocks": 1, "threads_per_block": 64, "block_time_ns": 2000000 } ] }"#;

#[test]
fn measure_says_how_the_gpu_ran_it_and_writes_logs() {
    let (table, gpu) = (TempFile::new("measured.json", TABLE), TempFile::new("gpu.sh", GPU));
    let folder = tempfile::tempdir().unwrap();
    let under = format!("sh {}", gpu.path());
    let (status, out, err) = run(&["measure", table.path(), "--repeat", "2", "-o", folder.path().to_str().unwrap(), "--under", &under]);
    assert_eq!((status, err.as_str()), (0, ""));
    let cpus = std::thread::available_parallelism().unwrap();
    let s = if cpus.get() == 1 { "" } else { "s" };
    let one = |run: u32| {
        format!(
            "A GPU, run {run} of 2: 2 kernels, 2 blocks; times are within 700 ns\n  \
             Matched: 2 kernels, 2 blocks\n  Only measured: 0 kernels, 0 blocks\n  Only simulated: 0 kernels, 0 blocks\n  \
             In the predicted order.\n  \
             Starts differ by: median 0 s, 95th percentile 2.299 ms, largest 2.299 ms (K2)\n  \
             Ends differ by: median 0 s, 95th percentile 2.299 ms, largest 2.299 ms (K2)\n  \
             Placement: 0 of 2 blocks ran on another SM than simulated.\n  \
             K2 was called 2.3 ms late by this computer: the scenario has 1 thread, the computer {cpus} CPU{s}\n"
        )
    };
    assert_eq!(out, one(1) + &one(2));
    let log = std::fs::read_to_string(folder.path().join("2/Two-kernels-log1.json")).unwrap();
    assert!(log.contains("\"block_times\": [0.000001000,0.001001000]"), "{log}");
    // Nothing is replaced unless told to.
    let (status, _, err) = run(&["measure", table.path(), "--repeat", "2", "-o", folder.path().to_str().unwrap(), "--under", &under]);
    assert_eq!(status, 2);
    assert!(err.contains("is there already") || err.contains("are there already"), "{err}");
}

#[test]
fn measure_says_what_no_gpu_does() {
    let edf = TABLE.replace("\"name\": \"Two kernels\",", "\"policy\": { \"kind\": \"edf\" },");
    let table = TempFile::new("edf.json", edf);
    let (status, out, err) = run(&["measure", table.path()]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.ends_with("policy edf needs a hypervisor that no driver has; measure fifo, priority or runlist\n"), "{err}");
}
