//! Configs of cuda_scheduling_examiner: the six real ones, and each rule of the import by itself.

mod actions;
mod fields;
mod together;

use blockstep_format::{FormatError, ImportOptions, Opened, Source, open};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::*;
use blockstep_testing::shared::config;
use blockstep_view::results::Results;

const NO_DURATION: ImportOptions = ImportOptions { default_duration_ns: None, device: None };

fn import(text: &str) -> Opened {
    let opened = open(text, &NO_DURATION).unwrap();
    assert_eq!(opened.source, Source::Examiner);
    opened
}

/// Blocks as `kernel start-end xcount` in ms, and copies as `op start-end`, in order of assignment.
fn times(draft: &Draft) -> Vec<String> {
    let scenario = Scenario::new(draft).unwrap();
    let trace = simulate(&scenario, Limits::default()).trace;
    assert_eq!(trace.cut(), None);
    let records = Records::new(&trace);
    let ms = |ns: u64| {
        assert_eq!(ns % 1_000_000, 0, "{ns} ns is not a whole number of ms");
        ns / 1_000_000
    };
    let blocks = records.blocks.iter().map(|b| (b.start_step, b.op, b.start, b.end));
    let copies = records.copies.iter().map(|c| (c.start_step, c.op, c.start, c.end));
    let mut all: Vec<_> = blocks.chain(copies).collect();
    all.sort_by_key(|&(step, ..)| step);
    let mut lines: Vec<(String, usize)> = Vec::new();
    for (_, op, start, end) in all {
        let line = format!("{} {}-{}", trace.op_name(op), ms(start.ns()), ms(end.unwrap().ns()));
        match lines.last_mut() {
            Some((last, count)) if *last == line => *count += 1,
            _ => lines.push((line, 1)),
        }
    }
    lines.into_iter().map(|(line, n)| format!("{line} x{n}")).collect()
}

#[test]
fn figure_3_gives_the_times_of_table_1() {
    let Some(text) = config("rtss_2017_fig3_bigexperiment.json") else { return };
    let opened = import(&text);
    assert_eq!(opened.draft.name, "RTSS 2017 experiment - figure 3");
    let expected = [
        "K1 0-1000 x4",
        "K1 1000-2000 x2",
        "K4 1000-2000 x4",
        "K5 2000-3000 x2",
        "K2 2000-3000 x2",
        "K6 2800-3800 x2",
        "C5o 3000-3200 x1",
        "C2o 3200-3400 x1",
        "C3i 3400-3600 x1",
        "K3 3600-4600 x2",
        "C6o 3800-4000 x1",
        "C3o 4600-4800 x1",
    ];
    assert_eq!(times(&opened.draft), expected);
    let k6 = opened.draft.kernels.iter().find(|k| k.name == "K6").unwrap();
    assert_eq!((k6.after.as_deref(), k6.start_ns, k6.stream.as_str()), (Some("K4"), 800_000_000, "S2"));
    assert_eq!(opened.draft.processes, []);
}

#[test]
fn figure_5_gives_the_times_of_table_2() {
    let Some(text) = config("rtss_2017_fig5_null_stream.json") else { return };
    let expected = [
        "Kernel 1 0-1000 x4",
        "Kernel 1 1000-2000 x2",
        "Kernel 2 (NULL stream) 2000-3000 x1",
        "K3 3000-4000 x4",
        "K4 4000-5000 x4",
        "Kernel 5 (NULL stream) 5000-6000 x1",
        "Kernel 6 6000-7000 x2",
    ];
    assert_eq!(times(&import(&text).draft), expected);
}

#[test]
fn shared_memory_is_counted_in_32_bit_integers() {
    let Some(text) = config("sm_plot_3.json") else { return };
    let draft = import(&text).draft;
    assert!(draft.kernels.iter().all(|k| k.shared_memory_bytes == 16 * 1024));
    // Four blocks of 16 KiB on each of two SMs.
    let expected = [
        "Small job (released first) 0-1000 x1",
        "Larger job (released second) 250-1250 x7",
        "Larger job (released second) 1000-2000 x1",
        "Larger job (released second) 1250-2250 x7",
        "Larger job (released second) 2000-3000 x1",
        "Small job (released third) 2250-2750 x1",
    ];
    assert_eq!(times(&draft), expected);
}

#[test]
fn task_hosts_are_processes() {
    let Some(text) = config("task_host_example.json") else { return };
    let opened = import(&text);
    let draft = &opened.draft;
    assert_eq!(draft.name, "Task host example");
    assert_eq!(draft.processes, [ProcessDraft::named("P0"), ProcessDraft::named("P1")]);
    let tasks: Vec<_> = draft.tasks.iter().map(|t| (t.name.as_str(), t.process.as_deref().unwrap(), t.offset_ns)).collect();
    let expected = [
        ("Process 1, Task 1", "P0", 0),
        ("Process 1, Task 2", "P0", 0),
        ("Process 2, Task 1", "P1", 250_000_000),
        ("Process 2, Task 2", "P1", 250_000_000),
    ];
    assert_eq!(tasks, expected);
    // By turns of 2 ms from 250 ms on.
    let expected =
        ["Process 1, Task 1 0-750 x2", "Process 1, Task 2 0-750 x2", "Process 2, Task 1 250-1000 x2", "Process 2, Task 2 250-1000 x2"];
    assert_eq!((draft.policy.kind, times(draft)), (PolicyKind::Runlist, expected.map(str::to_owned).to_vec()));
    assert!(opened.notes.iter().any(|n| n.starts_with("use_processes: each benchmark got a process")), "{:?}", opened.notes);
}

#[test]
fn programs_without_a_duration_ask_for_one() {
    let Some(text) = config("multiprocess_two_mandelbrot.json") else { return };
    let error = open(&text, &NO_DURATION).unwrap_err();
    assert!(error.needs_duration);
    assert_eq!(
        error.to_string(),
        "line 9: benchmarks[0]: the config of mandelbrot.so has no duration; give the time of its blocks\n\
         line 17: benchmarks[1]: the config of mandelbrot.so has no duration; give the time of its blocks"
    );
    let opened = open(&text, &ImportOptions { default_duration_ns: Some(1_000_000), ..ImportOptions::default() }).unwrap();
    assert_eq!((opened.draft.processes.len(), opened.draft.policy.kind), (2, PolicyKind::Runlist));
    // 256 blocks of 512 threads, eight at once, and each process has a turn of two ms.
    let lines = times(&opened.draft);
    assert_eq!(lines[..3], ["Process 1 0-1 x8", "Process 1 1-2 x8", "Process 2 2-3 x8"]);
    assert_eq!((lines.len(), lines.last().unwrap().as_str()), (64, "Process 2 63-64 x8"));
    assert_eq!(opened.notes.iter().filter(|n| n.contains("every block runs 1 ms")).count(), 2);
}

/// [TX2] appendix A, Figs. 9 and 10: the GPU seems to hold 4,096 threads of each process, and blocks take
/// nearly twice as long as those of two tasks, as switches are free here.
#[test]
fn two_processes_seem_to_share_the_gpu() {
    let Some(text) = config("multiprocess_two_mandelbrot.json") else { return };
    let run = |text: &str| {
        let opened = open(text, &ImportOptions { default_duration_ns: Some(11_000_000), ..ImportOptions::default() }).unwrap();
        let run = simulate(&Scenario::new(&opened.draft).unwrap(), Limits::default());
        Results::new(run.replay(), &Records::new(&run.trace))
    };
    let greatest = |results: &Results| results.tasks.iter().map(|task| task.block_times.last().unwrap().ns()).collect::<Vec<_>>();
    let level = |results: &Results, task: usize, at: u64| {
        let points = &results.tasks[task].threads.points;
        points.iter().rev().find(|point| point.0.ns() <= at).map_or(0, |point| point.1)
    };
    let processes = run(&text);
    assert!(greatest(&processes).into_iter().all(|ns| ns >= 21_000_000), "{:?}", greatest(&processes));
    for at in (10_000_000..600_000_000).step_by(50_000_000) {
        assert_eq!((level(&processes, 0, at), level(&processes, 1, at)), (4096, 4096), "at {at}");
    }
    // The other half: two threads of one process, one kernel after the other.
    let tasks = run(&text.replace("\"use_processes\": true", "\"use_processes\": false"));
    assert_eq!(greatest(&tasks), [11_000_000, 11_000_000]);
    assert_eq!((level(&tasks, 0, 100_000_000), level(&tasks, 1, 100_000_000)), (4096, 0));
}

#[test]
fn iterations_are_jobs_and_get_an_end() {
    let Some(text) = config("simple.json") else { return };
    assert!(open(&text, &NO_DURATION).unwrap_err().needs_duration);
    let opened = open(&text, &ImportOptions { default_duration_ns: Some(1_000_000), ..ImportOptions::default() }).unwrap();
    let task = &opened.draft.tasks[0];
    assert_eq!((task.release, task.jobs), (Release::Continuous, Some(10)));
    // 2560 blocks of 1 ms, one after the other; in fact 16 at once.
    assert_eq!(opened.draft.horizon_ns, Some(2_560_000_000));
    let lines = times(&opened.draft);
    assert_eq!((lines.len(), lines.last().unwrap().as_str()), (160, "mandelbrot 159-160 x16"));
    assert!(opened.notes.iter().any(|n| n.starts_with("max_time is 0")), "{:?}", opened.notes);
}

/// One benchmark inside the usual settings.
fn one(settings: &str, benchmark: &str) -> String {
    format!(r#"{{ "name": "n", {settings} "benchmarks": [ {{ "filename": "./bin/timer_spin.so", {benchmark} }} ] }}"#)
}

const ONCE: &str = r#""max_iterations": 1, "max_time": 0,"#;
const SPIN: &str = r#""thread_count": 2, "block_count": 3, "additional_info": 4"#;

fn message(text: &str) -> String {
    open(text, &NO_DURATION).unwrap_err().to_string()
}

#[test]
fn a_run_that_is_limited_by_time_ends_then() {
    let draft = import(&one(r#""max_iterations": 0, "max_time": 1.5,"#, SPIN)).draft;
    assert_eq!((draft.tasks[0].release, draft.tasks[0].jobs, draft.horizon_ns), (Release::Continuous, None, Some(1_500_000_000)));
    // Both limits; the benchmark's own go before the config's.
    let draft = import(&one(ONCE, &format!(r#""max_iterations": 7, "max_time": 2, {SPIN}"#))).draft;
    assert_eq!((draft.tasks[0].jobs, draft.horizon_ns), (Some(7), Some(2_000_000_000)));
    // A single iteration is not cut off.
    let draft = import(&one(r#""max_iterations": 1, "max_time": 2,"#, SPIN)).draft;
    assert_eq!((draft.tasks[0].release, draft.horizon_ns), (Release::Once, None));
    assert_eq!(
        message(&one(r#""max_iterations": 0, "max_time": 0,"#, SPIN)),
        "line 1: benchmarks[0]: max_iterations and max_time are both 0: this never ends; give one of them"
    );
}

#[test]
fn the_safe_end_covers_delays_copies_and_offsets() {
    let kernels = r#""additional_info": [
        { "kernel_label": "A", "duration": 5, "block_count": 2, "thread_count": 1, "copy_in_count": 268435456, "delay": 0.25 },
        { "kernel_label": "B", "duration": 7, "block_count": 1, "thread_count": 1, "delay": 0.5 } ]"#;
    let text =
        one(r#""max_iterations": 3, "max_time": 0,"#, &format!(r#""release_time": 2, {kernels}"#)).replace("timer_spin", "multikernel");
    let opened = import(&text);
    // Per job: 0.25 s + 1 GiB in 0.8 s + 2 blocks of 5 ns, 0.5 s + 7 ns.
    assert_eq!(opened.draft.horizon_ns, Some(2_000_000_000 + 3 * (1_550_000_000 + 17)));
    let trace = simulate(&Scenario::new(&opened.draft).unwrap(), Limits::default()).trace;
    let jobs = Records::new(&trace).jobs;
    assert!(jobs.len() == 3 && jobs.iter().all(|j| j.end.is_some()), "every job ends within it");
}

#[test]
fn kernels_without_a_delay_follow_the_previous_launch_at_once() {
    let kernel =
        |name: &str, delay: &str| format!(r#"{{ "kernel_label": "{name}", "duration": 1, "block_count": 1, "thread_count": 1{delay} }}"#);
    let list = [kernel("A", r#", "delay": 0.1"#), kernel("B", ""), kernel("C", r#", "delay": 1e-1"#), kernel("D", r#", "delay": 0"#)];
    let text = one(ONCE, &format!(r#""additional_info": [ {} ]"#, list.join(", "))).replace("timer_spin", "multikernel");
    let draft = import(&text).draft;
    let rows: Vec<_> = draft.kernels.iter().map(|k| (k.name.as_str(), k.after.as_deref(), k.start_ns)).collect();
    let tenth = 100_000_000;
    assert_eq!(rows, [("A", None, tenth), ("B", None, tenth), ("C", Some("B"), tenth), ("D", Some("B"), tenth)]);
}

#[test]
fn stream_priorities_are_minus_one_and_zero() {
    let priority = |value: &str| {
        let opened = import(&one(ONCE, &format!(r#""stream_priority": {value}, {SPIN}"#)));
        (opened.draft.streams[0].priority, opened.notes.len() - 1)
    };
    assert_eq!(priority("-1"), (StreamPriority::High, 0));
    assert_eq!(priority("0"), (StreamPriority::Low, 0));
    assert_eq!(priority("-5"), (StreamPriority::High, 1));
    assert_eq!(priority("3"), (StreamPriority::Low, 1));
    assert_eq!(import(&one(ONCE, SPIN)).draft.streams, []);
    assert_eq!(
        message(&one(ONCE, &format!(r#""stream_priority": "high", {SPIN}"#))),
        "line 1: benchmarks[0].stream_priority is the text \"high\"; a number, -1 for high or 0 for low, is expected"
    );
}

#[test]
fn equal_labels_get_different_names() {
    let benchmark = format!(r#"{{ "filename": "timer_spin.so", "label": "K", {SPIN} }}"#);
    let odd = format!(r#"{{ "filename": "timer_spin.so", "label": "K (2)", {SPIN} }}"#);
    let text = format!(r#"{{ "name": "n", {ONCE} "benchmarks": [ {benchmark}, {odd}, {benchmark}, {benchmark} ] }}"#);
    let draft = import(&text).draft;
    let names: Vec<_> = draft.kernels.iter().map(|k| k.name.as_str()).collect();
    assert_eq!(names, ["K", "K (2)", "K (3)", "K (4)"]);
    assert!(Scenario::new(&draft).is_ok());
}

/// What is imported can be written and read again.
#[test]
fn labels_have_the_limit_of_names() {
    let config = |length: usize| one(ONCE, &format!(r#""label": "{}", {SPIN}"#, "x".repeat(length)));
    assert_eq!(import(&config(150)).draft.kernels[0].name.len(), 150);
    let refused = message(&config(201));
    assert!(refused.contains("has 201 characters; at most 200 are possible"), "{refused}");
}

#[test]
fn counts_may_be_lists_and_numbers_may_be_written_in_any_way() {
    let draft = import(&one(ONCE, r#""thread_count": [4, 2, 1], "block_count": 3.0, "additional_info": "1000""#)).draft;
    let k = &draft.kernels[0];
    assert_eq!((k.threads_per_block, k.blocks, &k.block_time_ns), (8, 3, &BlockTimes::Each(1000)));
    let draft = import(&one(ONCE, r#""thread_count": 1, "block_count": 1, "additional_info": 1e9"#)).draft;
    assert_eq!(draft.kernels[0].block_time_ns, BlockTimes::Each(1_000_000_000));
}

#[test]
fn what_is_wrong_in_a_config_is_named_with_its_place() {
    for (settings, benchmark, expected) in [
        (ONCE, r#""thread_count": 1, "additional_info": 1"#, "benchmarks[0].block_count is missing; it is required"),
        (ONCE, r#""thread_count": 1, "block_count": 1"#, "benchmarks[0].additional_info is missing; the duration in ns is required"),
        (
            ONCE,
            r#""thread_count": 1, "block_count": -1, "additional_info": 1"#,
            "benchmarks[0].block_count is -1; a whole number of 64 bits, not below 0, is expected",
        ),
        (
            ONCE,
            r#""thread_count": [5000000000, 5000000000], "block_count": 1, "additional_info": 1"#,
            "benchmarks[0].thread_count: multiplies to more than 18446744073709551615, the limit",
        ),
        (
            ONCE,
            r#""thread_count": 1, "block_count": 1, "additional_info": 1, "release_time": "soon""#,
            "benchmarks[0].release_time is the text \"soon\"; a number of seconds, not below 0, of 64 bits in ns, is expected",
        ),
        (
            ONCE,
            r#""thread_count": 1, "block_count": 1, "additional_info": { "duration": 1, "shared_memory_size": 18446744073709551615 }"#,
            "benchmarks[0].additional_info.shared_memory_size is 18446744073709551615; that many 32-bit integers are more than 18446744073709551615 bytes",
        ),
        (
            r#""max_iterations": 18446744073709551615, "max_time": 0,"#,
            r#""thread_count": 1, "block_count": 1, "additional_info": 2"#,
            "max_time is 0, and the iterations may take 36893488147419103230 ns, beyond the limit of 18446744073709551615; give a time",
        ),
        (
            ONCE,
            r#""label": "a", "label": "b", "thread_count": 1, "block_count": 1, "additional_info": 2"#,
            "benchmarks[0].label is given more than once",
        ),
    ] {
        assert_eq!(message(&one(settings, benchmark)), format!("line 1: {expected}"));
    }
    assert_eq!(message(r#"{ "benchmarks": 1 }"#), "line 1: benchmarks is 1; a list is expected");
    assert_eq!(
        message(r#"{ "benchmarks": [ 1, {} ] }"#),
        "line 1: benchmarks[0] is 1; an object is expected\nline 1: benchmarks[1].filename is missing; it is required"
    );
}

#[test]
fn a_duration_is_asked_for_only_if_that_is_all_that_is_missing() {
    let text = one(ONCE, r#""thread_count": 1"#).replace("timer_spin", "mandelbrot");
    let error = open(&text, &NO_DURATION).unwrap_err();
    assert!(!error.needs_duration && error.problems.len() == 2, "{error}");
}

#[test]
fn problems_found_later_are_told_in_the_configs_terms() {
    let text = format!(
        "{{ \"name\": \"n\", {ONCE} \"benchmarks\": [\n{{ \"filename\": \"timer_spin.so\",\n\"thread_count\": 4096,\n\"block_count\": 0, \"additional_info\": 1 }} ] }}"
    );
    let opened = import(&text);
    let error: FormatError = opened.explain(&Scenario::new(&opened.draft).unwrap_err(), &text);
    assert_eq!(
        error.to_string(),
        "line 4: benchmarks[0].block_count is 0; at least 1 is needed\n\
         line 3: benchmarks[0].thread_count is 4,096; at most 1,024 threads fit in a block on this device"
    );
}

#[test]
fn sizes_are_told_in_bytes_at_the_kernel_they_belong_to() {
    let text = one(ONCE, r#""thread_count": 1, "block_count": 1, "additional_info": { "duration": 1, "shared_memory_size": 16384 }"#);
    let opened = import(&text);
    assert_eq!(
        opened.explain(&Scenario::new(&opened.draft).unwrap_err(), &text).to_string(),
        "line 1: benchmarks[0]: shared_memory_bytes is 64 KiB; at most 48 KiB fit in a block on this device"
    );
}

#[test]
fn release_times_of_hosts_and_threads_add_up() {
    let inner = format!(
        r#"{{ "name": "inner", {ONCE} "use_processes": true, "benchmarks": [ {{ "filename": "timer_spin.so", "release_time": 0.25, {SPIN} }} ] }}"#
    );
    let text = format!(
        r#"{{ "name": "outer", {ONCE} "benchmarks": [ {{ "filename": "x/task_host.so", "release_time": 0.5, "additional_info": {inner} }} ] }}"#
    );
    let opened = import(&text);
    assert_eq!((opened.draft.tasks[0].offset_ns, opened.draft.processes.len()), (750_000_000, 0));
    assert_eq!(opened.draft.name, "outer");
    assert_eq!(
        opened.notes[1..],
        [
            "benchmarks[0].additional_info.use_processes is ignored: what a task host runs shares the host's process",
            "These fields change nothing in a simulation: name of a task host's config."
        ]
    );
}
