//! `sync_every_iteration`: iterations of all benchmarks begin together.

use blockstep_format::{ImportOptions, Opened, open, read_scenario, write_scenario};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::*;

use super::{import, message, times};

/// A config of spinning benchmarks: label, duration in ms, release in s, more fields.
fn config(settings: &str, benchmarks: &[(&str, u64, &str, &str)]) -> String {
    let spin = |&(label, ms, release, more): &(&str, u64, &str, &str)| {
        format!(
            r#"{{ "filename": "timer_spin.so", "label": "{label}", "log_name": "{label}.json", "thread_count": 256, "block_count": 1,
              "additional_info": {ms}000000, "release_time": {release}{more} }}"#
        )
    };
    let benchmarks: Vec<_> = benchmarks.iter().map(spin).collect();
    format!(r#"{{ "name": "n", {settings}, "benchmarks": [ {} ] }}"#, benchmarks.join(", "))
}

fn note(opened: &Opened) -> &str {
    opened.notes.iter().find(|note| note.starts_with("sync_every_iteration")).unwrap()
}

const THREE: &str = r#""max_iterations": 3, "max_time": 0, "sync_every_iteration": true"#;

/// As the examiner's `test_sync_every_iteration.json`: the shorter kernel waits for the longer one.
#[test]
fn the_shorter_kernel_waits_for_the_longer_one() {
    let benchmarks = [("Long", 500, "0", ""), ("Short", 250, "0", "")];
    let opened = import(&config(THREE, &benchmarks));
    let expected = ["Long 0-500 x1", "Short 0-250 x1", "Long 500-1000 x1", "Short 500-750 x1", "Long 1000-1500 x1", "Short 1000-1250 x1"];
    assert_eq!(times(&opened.draft), expected);
    let task = &opened.draft.tasks[0];
    assert_eq!((opened.draft.tasks.len(), &*task.name, task.release, task.jobs), (1, "All benchmarks", Release::Continuous, Some(3)));
    assert!(note(&opened).starts_with("sync_every_iteration: the benchmarks became one task"), "{:?}", opened.notes);
    // A log still finds what it is of.
    assert_eq!(opened.log_names, [("Long.json".to_owned(), "S1".to_owned()), ("Short.json".to_owned(), "S2".to_owned())]);
    assert_eq!(read_scenario(&write_scenario(&opened.draft)).unwrap(), opened.draft);
    // Two configs use the older name, and without it each repeats by itself.
    let old = import(&config(&THREE.replace("sync_every_iteration", "resync_iterations"), &benchmarks));
    assert_eq!(times(&old.draft), expected);
    let free = times(&import(&config(&THREE.replace("true", "false"), &benchmarks)).draft);
    assert_eq!(free[2], "Short 250-500 x1");
}

#[test]
fn processes_wait_for_each_other_too() {
    let settings = format!("{THREE}, \"use_processes\": true");
    let opened = import(&config(&settings, &[("Long", 40, "0", ""), ("Short", 10, "0", "")]));
    assert_eq!((opened.draft.processes.len(), opened.draft.policy.kind), (2, PolicyKind::Runlist));
    // By turns of 2 ms: 50 ms an iteration, whose end is that of a timeslice.
    let expected = [
        "Long 0-50 x1",
        "Short 2-20 x1",
        "Short, iteration 2 50-68 x1",
        "Long, iteration 2 52-100 x1",
        "Short, iteration 3 100-118 x1",
        "Long, iteration 3 102-150 x1",
    ];
    assert_eq!(times(&opened.draft), expected);
    assert!(
        note(&opened).contains("every iteration became a task that consumes the tasks of the previous iteration"),
        "{:?}",
        opened.notes
    );
    assert_eq!(opened.draft.horizon_ns, None);
}

#[test]
fn a_time_limits_how_often_processes_repeat() {
    let settings = r#""max_iterations": 0, "max_time": 0.2, "sync_every_iteration": true, "use_processes": true"#;
    let opened = import(&config(settings, &[("Long", 40, "0", ""), ("Short", 10, "0", "")]));
    // None of the five begins after the end: an iteration takes at least 40 ms.
    assert_eq!((opened.draft.tasks.len(), opened.draft.horizon_ns), (10, Some(200_000_000)));
    let trace = simulate(&Scenario::new(&opened.draft).unwrap(), Limits::default()).trace;
    let ends: Vec<_> = Records::new(&trace).jobs.iter().filter_map(|job| job.end).collect();
    assert_eq!((ends.len(), ends.iter().max().unwrap().ns()), (8, 200_000_000), "four iterations are done, of 50 ms each");
    let threads = settings.replace("\"use_processes\": true", "\"use_processes\": false");
    let opened = import(&config(&threads, &[("Long", 40, "0", ""), ("Short", 10, "0", "")]));
    assert_eq!((opened.draft.tasks[0].jobs, opened.draft.horizon_ns), (None, Some(200_000_000)));
    assert_eq!(
        message(&config(&settings.replace("0.2", "9"), &[("A", 1, "0", ""), ("B", 1, "0", "")])),
        "line 1: sync_every_iteration: with use_processes the iterations are written out, which makes 18000 kernels; the limit is 10000: give fewer iterations or less time"
    );
}

/// Each thread sleeps its release time and then waits for the others.
#[test]
fn all_begin_at_the_latest_release() {
    let once = THREE.replace('3', "1");
    let benchmarks = [("A", 10, "0", ""), ("B", 10, "0.5", "")];
    let opened = import(&config(&once, &benchmarks));
    assert_eq!(times(&opened.draft), ["A 500-510 x1", "B 500-510 x1"]);
    assert_eq!(note(&opened), "sync_every_iteration: every benchmark begins at the latest of the release times");
    let processes = import(&config(&format!("{once}, \"use_processes\": true"), &benchmarks));
    assert!(processes.draft.tasks.iter().all(|task| task.offset_ns == 500_000_000));
    assert_eq!(times(&import(&config(THREE, &benchmarks)).draft)[..3], ["A 500-510 x1", "B 500-510 x1", "A 510-520 x1"]);
    assert!(note(&import(&config(THREE, &benchmarks[..1]))).contains("there is one benchmark"));
}

#[test]
fn iterations_of_its_own_do_not_go_with_it() {
    let text = config(THREE, &[("A", 10, "0", ""), ("B", 10, "0", r#", "max_iterations": 2"#)]);
    assert_eq!(
        message(&text),
        "line 1: sync_every_iteration is true, but max_iterations or max_time differs between benchmarks; the examiner takes none of a benchmark's own then"
    );
}

/// A kernel that is launched late in an iteration does not stand behind those of later iterations.
#[test]
fn kernels_with_delays_are_repeated_in_processes() {
    let kernels = r#"[ { "kernel_label": "K1", "duration": 10000000, "block_count": 1, "thread_count": 1 },
        { "kernel_label": "K2", "duration": 10000000, "block_count": 1, "thread_count": 1, "delay": 0.03 } ]"#;
    let text = format!(
        r#"{{ "name": "n", {THREE}, "use_processes": true, "benchmarks": [
        {{ "filename": "multikernel.so", "stream_priority": -1, "additional_info": {kernels} }},
        {{ "filename": "timer_spin.so", "label": "S", "thread_count": 1, "block_count": 1, "additional_info": 4000000 }} ] }}"#
    );
    let opened = open(&text, &ImportOptions::default()).unwrap();
    let lines = times(&opened.draft);
    let expected = [
        "K1 0-14 x1",
        "S 2-8 x1",
        "K2 44-54 x1",
        "S, iteration 2 54-60 x1",
        "K1, iteration 2 56-68 x1",
        "K2, iteration 2 98-108 x1",
        "S, iteration 3 108-114 x1",
        "K1, iteration 3 110-122 x1",
        "K2, iteration 3 152-162 x1",
    ];
    assert_eq!(lines, expected);
    assert!(opened.draft.streams.iter().all(|stream| stream.priority == StreamPriority::High) && opened.draft.streams.len() == 3);
}
