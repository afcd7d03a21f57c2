//! Logs of different runs, the same log twice, logs with nothing in them.

use blockstep_format::read_logs;

use super::{Folder, validate};
use blockstep_testing::logs::borrowed;
use blockstep_testing::shared;

/// What a log says: scenario, label, release in ms, process, thread, threads of the GPU; and when its kernel began, ms.
#[derive(Clone, Copy)]
struct Log(&'static str, &'static str, u64, u64, Option<u64>, u64, u64);

/// One kernel of 64 threads for 100 ms, called and begun at the same instant.
fn log(Log(scenario, label, release, pid, tid, threads, begin): Log) -> String {
    let s = |ms: u64| format!("{}.{:03}", ms / 1000, ms % 1000);
    let tid = tid.map_or_else(String::new, |tid| format!("\"TID\": {tid}, "));
    format!(
        r#"{{"scenario_name": "{scenario}", "benchmark_name": "Timer Spin", "label": "{label}", "max_resident_threads": {threads},
"data_size": 0, "release_time": {}, "PID": {pid}, {tid}"times": [{{}}, {{"cpu_times": [{}, {}]}},
{{"kernel_name": "K", "block_count": 1, "thread_count": 64, "shared_memory": 0, "cuda_launch_times": [{b}, {b}, 0.0], "block_times": [{b}, {}], "block_smids": [0]}}]}}"#,
        s(release),
        s(begin),
        s(begin + 100),
        s(begin + 100),
        b = s(begin)
    )
}

const FIRST: Log = Log("s", "A", 0, 1, Some(2), 4096, 100);

/// Status, and what is said of them being apart.
fn judged(logs: &[Log], options: &[&str]) -> (u8, String) {
    let folder = Folder::new(&format!("runs-{}", logs.len() * 1000 + options.len() + logs.iter().map(|l| l.6 as usize).sum::<usize>()));
    let paths: Vec<String> = logs.iter().enumerate().map(|(i, &l)| folder.file(&format!("{i}.json"), &log(l))).collect();
    let args: Vec<&str> = options.iter().copied().chain(paths.iter().map(String::as_str)).collect();
    let (status, out, err) = validate("", &args);
    assert!(status != 2 || out.is_empty(), "{out}");
    // Without the folder.
    let err = paths.iter().fold(err, |err, path| err.replace(path, &path[path.rfind('/').unwrap() + 1..]));
    (status, err.lines().next().unwrap_or_default().to_owned())
}

#[test]
fn logs_of_one_run_are_taken() {
    let other = Log("s", "B", 250, 1, Some(3), 4096, 358);
    assert_eq!(judged(&[FIRST, other], &[]), (0, String::new()));
    // Processes have no threads of their own; a task host in a process of two names.
    assert_eq!(judged(&[Log("s", "A", 0, 1, None, 4096, 100), Log("s", "B", 0, 2, None, 4096, 101)], &[]).0, 0);
    assert_eq!(judged(&[FIRST, Log("inner", "B", 0, 1, Some(3), 4096, 102)], &[]).0, 0);
    // With sync_every_iteration they begin together, whatever the releases.
    assert_eq!(judged(&[Log("s", "A", 0, 1, Some(2), 4096, 603), Log("s", "B", 500, 1, Some(3), 4096, 603)], &[]).0, 0);
    // One label for all benchmarks says nothing.
    assert_eq!(judged(&[Log("s", "A", 0, 1, None, 4096, 104), Log("s", "A", 0, 2, None, 4096, 105)], &[]).0, 0);
}

#[test]
fn logs_of_different_runs_are_refused_and_told_why() {
    let error = |what: &str| (2, format!("error: logs of different runs: 0.json and 1.json {what}"));
    let cases = [
        (Log("s", "B", 0, 1, Some(3), 16384, 110), "are of different GPUs: one holds 4096 threads, the other 16384."),
        (Log("t", "B", 0, 9, Some(3), 4096, 111), "are of different scenarios, “s” and “t”."),
        (Log("s", "B", 0, 1, Some(2), 4096, 112), "are both of thread 2 of process 1, which writes one log in a run."),
        (Log("s", "A", 0, 9, Some(3), 4096, 113), "are of the same benchmark in different processes, and so is every other log."),
        (
            Log("s", "B", 0, 1, Some(3), 4096, 120),
            "did not begin together: their first iterations, less the release times, are 0.020 s apart.",
        ),
    ];
    for (other, what) in cases {
        // A clock of its own shows in what begins later.
        let other = if what.contains("begin together") { Log("s", "B", 250, 1, Some(3), 4096, 370) } else { other };
        assert_eq!(judged(&[FIRST, other], &[]), error(what));
        assert_ne!(judged(&[FIRST, other], &["--one-run"]).0, 2, "{what}");
    }
    // Two runs of two processes.
    let of = |pid: u64, label: &'static str, begin: u64| Log("s", label, 0, pid, None, 4096, begin);
    let (status, why) = judged(&[of(1, "A", 100), of(2, "B", 100), of(3, "A", 103), of(4, "B", 103)], &[]);
    assert!(status == 2 && why.contains("0.json and 2.json are of the same benchmark in different processes"), "{why}");
}

#[test]
fn the_same_log_counts_once() {
    let Some(files) = shared::logs() else { return };
    let folder = Folder::new("twice");
    let paths: Vec<_> = files.iter().map(|(name, text)| folder.file(name, text)).collect();
    let copy = folder.file("copy.json", &files[0].1.replace(", ", ",  "));
    let args: Vec<&str> = paths.iter().map(String::as_str).chain([copy.as_str()]).collect();
    let (status, out, err) = validate("", &args);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.starts_with("4 logs: 4 kernels, 32 blocks\n"), "{out}");
    assert!(out.contains(&format!("{copy} is the same log as {} and was left out.", paths[0])), "{out}");
    let twice = [borrowed(&files), borrowed(&files)].concat();
    let run = read_logs(&twice).unwrap();
    assert_eq!((run.logs.len(), run.copies.len(), run.apart()), (4, 4, None));
}

#[test]
fn a_run_of_two_days_is_told_by_its_start() {
    let Some(mut files) = shared::logs() else { return };
    assert_eq!(read_logs(&borrowed(&files)).unwrap().apart(), None);
    // As if the last log were of a run that took 0.1 s longer to begin.
    files[3].1 = files[3].1.replace("[0.36", "[0.46");
    let why = read_logs(&borrowed(&files)).unwrap().apart().unwrap();
    assert!(why.contains("did not begin together"), "{why}");
}

#[test]
fn logs_without_kernels_are_not_judged() {
    let folder = Folder::new("empty");
    let empty = folder.file("empty.json", r#"{"scenario_name": "s", "label": "E", "times": [{}, {"cpu_times": [0.1, 0.2]}]}"#);
    let (status, out, err) = validate("", &[&empty]);
    assert_eq!((status, out.as_str(), err), (2, "", format!("error: {empty}: the log has no kernels, so nothing was checked\n")));
    let bare = folder.file("bare.json", r#"{"times": [{}, {"block_count": 1, "thread_count": 1, "block_times": []}]}"#);
    assert!(validate("", &[&bare]).2.contains("the log has no times of blocks, so nothing was checked"));
    assert!(validate("", &[&bare, &empty]).2.contains("the logs have no times of blocks, so nothing was checked"));
    // Beside others it is named: the log of a CPU program is like that.
    let full = folder.file("full.json", &log(FIRST));
    let (status, out, _) = validate("", &[&full, &empty]);
    assert_eq!(status, 0, "{out}");
    assert!(out.contains(&format!("These logs have no kernels, so nothing in them was checked: {empty}.")), "{out}");
}
