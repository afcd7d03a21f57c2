//! Small runs made for one check each; times in µs.

use blockstep_sim::check::measured::{Check, CheckSettings, Conformance, MOST_NAMED, check};
use blockstep_sim::measured::*;
use blockstep_sim::scenario::device::BuiltIn;
use blockstep_sim::scenario::{Device, StreamPriority};

use super::{broken, count};

const US: i64 = 1000;

/// A kernel: called in this interval, waited for until then, and its blocks: begin, end, SM.
fn kernel(call: (i64, i64), waited: i64, threads: u64, blocks: &[(i64, i64, u32)]) -> Launch {
    let block = |&(start, end, sm): &(i64, i64, u32)| MeasuredBlock { start_ns: start * US, end_ns: end * US, sm: Some(sm) };
    Launch {
        name: "K".to_owned(),
        block_count: blocks.len() as u64,
        thread_count: threads,
        shared_memory: Some(0),
        launch_ns: vec![call.0 * US, call.1 * US, waited * US],
        blocks: blocks.iter().map(block).collect(),
        ..Launch::default()
    }
}

/// A run on the TX2, a log for each list of kernels, all of one process.
fn run(logs: Vec<Vec<Launch>>) -> Measured {
    let log = |(i, kernels): (usize, Vec<Launch>)| Log {
        file: format!("log{i}.json"),
        label: format!("L{i}"),
        benchmark: "Timer Spin".to_owned(),
        pid: Some(1),
        max_resident_threads: Some(4096),
        kernels,
        ..Log::default()
    };
    Measured { logs: logs.into_iter().enumerate().map(log).collect(), ..Measured::default() }
}

fn tx2() -> Device {
    BuiltIn::find("tx2").unwrap().device()
}

fn judge_with(run: &Measured, known: &[Known]) -> Conformance {
    let from_logs = run.logs.iter().map(Known::from_log);
    let known = from_logs.enumerate().map(|(i, own)| known.get(i).copied().unwrap_or_default().or(own)).collect();
    check(run, &CheckSettings::on(tx2(), known))
}

fn judge(run: &Measured) -> Conformance {
    judge_with(run, &[])
}

fn ids(result: &Conformance) -> String {
    broken(result).0
}

/// Two kernels on SM 0, the second of which may begin when the first has ended.
fn two(begin: i64) -> Measured {
    run(vec![vec![kernel((0, 10), 1100, 1024, &[(100, 1000, 0)]), kernel((20, 30), 2100, 1024, &[(begin, 2000, 0)])]])
}

#[test]
fn a_stream_is_in_order_up_to_the_tolerance() {
    let result = judge(&two(1000));
    assert!(result.conforms(), "{:?}", broken(&result));
    assert_eq!(count(&result, Check::StreamOrder), 1);
    assert_eq!(ids(&judge(&two(990))), "");
    assert_eq!(ids(&judge(&two(989))), "G2");
    let mut settings = CheckSettings::on(tx2(), Vec::new());
    settings.tolerance_ns = 11_000;
    assert_eq!(ids(&check(&two(989), &settings)), "");
    settings.tolerance_ns = 0;
    assert_eq!(ids(&check(&two(999), &settings)), "G2");
    // Behind the longest of all ahead, not only the last.
    let mut run = two(500);
    run.logs[0].kernels.insert(1, kernel((15, 16), 0, 32, &[]));
    assert_eq!(ids(&judge(&run)), "G2");
}

#[test]
fn limits_of_an_sm_count_what_overlaps_beyond_the_tolerance() {
    let threads = |begin: i64| {
        run(vec![
            vec![kernel((0, 10), 1100, 1024, &[(100, 1000, 0), (100, 1000, 0)])],
            vec![kernel((0, 10), 2100, 1024, &[(begin, 2000, 0)])],
        ])
    };
    assert_eq!((ids(&judge(&threads(990))), ids(&judge(&threads(989)))), (String::new(), "R2".to_owned()));
    let result = judge(&threads(500));
    assert_eq!(result.violations[0].at_ns, 500 * US);
    assert_eq!(
        result.violations[0].sentence,
        "SM 0 held 3072 threads at 0.000500000 s, of 2048 that it has: block 0 of L0, block 1 of L0, block 0 of L1."
    );
    // 33 blocks of 32 threads on an SM that holds 32.
    let many: Vec<_> = (0..33).map(|_| (100, 1000, 1)).collect();
    let result = judge(&run(vec![vec![kernel((0, 10), 1100, 32, &many)]]));
    assert_eq!((ids(&result), result.violations.len(), count(&result, Check::Slots)), ("R1".to_owned(), 1, 33));
    let mut shared = run(vec![vec![kernel((0, 10), 1100, 32, &[(100, 1000, 1), (100, 1000, 1)])]]);
    shared.logs[0].kernels[0].shared_memory = Some(32 * 1024);
    assert_eq!(ids(&judge(&shared)), "");
    shared.logs[0].kernels[0].shared_memory = Some(32 * 1024 + 1);
    assert_eq!(ids(&judge(&shared)), "R3");
    shared.logs[0].kernels[0].shared_memory = None;
    let result = judge(&shared);
    assert_eq!((ids(&result), count(&result, Check::SharedMemory)), (String::new(), 0));
    assert!(result.unjudged.iter().any(|u| u.rules == "R3" && u.why.starts_with("2 blocks")), "{:?}", result.unjudged);
    // Twice too many is two violations, with a time between that is not.
    let twice = [(100, 300, 0), (100, 300, 0), (100, 300, 0), (400, 500, 0), (600, 900, 0), (600, 900, 0), (600, 900, 0)];
    assert_eq!(judge(&run(vec![vec![kernel((0, 10), 1100, 1024, &twice)]])).violations.len(), 2);
}

#[test]
fn without_sm_ids_the_whole_gpu_is_counted() {
    let mut run = run(vec![vec![kernel((0, 10), 1100, 1024, &[(100, 1000, 0); 5])]]);
    run.logs[0].kernels[0].blocks.iter_mut().for_each(|b| b.sm = None);
    let result = judge(&run);
    assert_eq!((ids(&result), count(&result, Check::GpuThreads)), ("gpu-threads".to_owned(), 5));
    assert!(result.unjudged.iter().any(|u| u.why.starts_with("5 blocks without an SM id")));
    run.logs[0].kernels[0].blocks.truncate(4);
    run.logs[0].kernels[0].block_count = 4;
    assert_eq!(ids(&judge(&run)), "");
}

#[test]
fn processes_are_judged_by_themselves() {
    let full = || vec![kernel((0, 10), 1100, 1024, &[(100, 1000, 0), (100, 1000, 0), (100, 1000, 1), (100, 1000, 1)])];
    let mut run = run(vec![full(), full()]);
    assert_eq!(ids(&judge(&run)), "R2");
    run.logs[1].pid = Some(2);
    let result = judge(&run);
    assert_eq!(ids(&result), "");
    assert!(result.unjudged.iter().any(|u| u.why.starts_with("2 processes")), "{:?}", result.unjudged);
}

/// Kernel A fills SM 0 and half of SM 1 from 0.1 to 1 ms; B, launched by 0.2 ms, has two blocks of 960 threads; C, launched at `call`, begins at `begin`.
fn queue(call: i64, begin: i64) -> Measured {
    run(vec![
        vec![kernel((0, 10), 1100, 1024, &[(100, 1000, 0), (100, 1000, 0), (100, 1000, 1)])],
        vec![kernel((150, 200), 2100, 960, &[(200, 2000, 1), (1000, 2000, 0)])],
        vec![kernel((call, call + 10), 2100, 64, &[(begin, 1500, 1)])],
    ])
}

#[test]
fn who_comes_first_to_the_ee_queue_begins_first() {
    // The second block of B does not fit until 1 ms; C must wait for it though it fits.
    let result = judge(&queue(300, 1001));
    assert_eq!((ids(&result), count(&result, Check::EeOrder)), (String::new(), 2));
    let result = judge(&queue(300, 900));
    assert_eq!(ids(&result), "X1");
    assert_eq!(result.violations[0].waits_for, Some((1, 0)));
    assert_eq!(
        result.violations[0].sentence,
        "Block 0 of L2 began at 0.000900000 s, before the last block of L1, 0.001000000 s, which came first to the same EE queue: by 0.000200000 s, not after 0.000300000 s, if both streams have the same priority, which the logs do not say (the config that was run does)."
    );
    // Launches that overlap leave it open who was first.
    let result = judge(&queue(190, 900));
    assert_eq!(ids(&result), "");
    assert!(result.unjudged.iter().any(|u| u.rules == "X1" && u.why.starts_with("The logs of 1 kernel do")), "{:?}", result.unjudged);
    // So does a copy that may stand ahead of B, until B has begun; which it has at 0.2 ms.
    let copies = Known { has_unseen: Some(true), ..Known::default() };
    assert_eq!(ids(&judge_with(&queue(300, 900), &[copies; 3])), "X1");
    let mut late = queue(300, 900);
    late.logs[1].kernels[0].blocks[0].start_ns = 950 * US;
    assert_eq!((ids(&judge(&late)), ids(&judge_with(&late, &[copies; 3]))), ("X1".to_owned(), String::new()));
    // Other queues, other processes.
    let priority = |p| Known { priority: Some(p), ..Known::default() };
    let high = [priority(StreamPriority::Low), priority(StreamPriority::Low), priority(StreamPriority::High)];
    assert_eq!(ids(&judge_with(&queue(300, 900), &high)), "");
    let mut apart = queue(300, 900);
    apart.logs[2].pid = Some(2);
    assert_eq!(ids(&judge(&apart)), "");
}

#[test]
fn a_stream_delays_who_comes_to_the_ee_queue() {
    // C is launched before B, but behind A in its stream, so that B comes first.
    let first = kernel((0, 10), 550, 1024, &[(100, 500, 1)]);
    let behind = kernel((20, 30), 2100, 64, &[(600, 1500, 1)]);
    let big = |begin| vec![kernel((150, 200), 2100, 1024, &[(200, 2000, 0), (begin, 2000, 0)])];
    assert_eq!(ids(&judge(&run(vec![vec![first.clone(), behind.clone()], big(590)]))), "");
    let result = judge(&run(vec![vec![first, behind], big(620)]));
    assert_eq!(ids(&result), "X1");
}

#[test]
fn high_priority_goes_first() {
    let priority = |p| Known { priority: Some(p), ..Known::default() };
    let known = [priority(StreamPriority::None), priority(StreamPriority::High)];
    let run = |high_begin| {
        run(vec![
            vec![kernel(
                (0, 10),
                2100,
                1024,
                &[(100, 1000, 0), (100, 1000, 0), (100, 1000, 1), (100, 1000, 1), (1000, 2000, 0), (1000, 2000, 0)],
            )],
            vec![kernel((300, 310), 3100, 1024, &[(high_begin, high_begin + 1000, 1)])],
        ])
    };
    let result = judge_with(&run(1000), &known);
    assert_eq!((ids(&result), count(&result, Check::Priority)), (String::new(), 6));
    let result = judge_with(&run(1500), &known);
    assert_eq!(ids(&result), "A2");
    assert_eq!(
        result.violations[0].sentence,
        "Block 4 and 1 more of L0 began at 0.001000000 s, while L1, of high priority, waited from 0.000310000 s at the latest to 0.001500000 s."
    );
    assert_eq!((result.violations[0].blocks.len(), result.violations[0].waits_for), (2, Some((1, 0))));
    // Not known, not judged.
    let result = judge(&run(1500));
    assert_eq!((ids(&result), count(&result, Check::Priority)), (String::new(), 0));
    assert!(result.unjudged.iter().any(|u| u.rules == "A1, A2"), "{:?}", result.unjudged);
}

/// A kernel, one of the NULL stream launched later, and one launched later still.
fn barrier(null_begin: i64, last_begin: i64) -> Measured {
    let mut run = run(vec![
        vec![kernel((0, 10), 1100, 64, &[(100, 1000, 0)])],
        vec![kernel((200, 210), 2100, 64, &[(null_begin, null_begin + 1000, 0)])],
        vec![kernel((400, 410), 4100, 64, &[(last_begin, last_begin + 1000, 1)])],
    ]);
    run.logs[1].benchmark = "Timer Spin (default stream)".to_owned();
    run
}

#[test]
fn the_null_stream_waits_and_is_waited_for() {
    let result = judge(&barrier(1000, 2000));
    assert_eq!((ids(&result), count(&result, Check::NullWaits), count(&result, Check::WaitsForNull)), (String::new(), 1, 1));
    assert_eq!(ids(&judge(&barrier(980, 2000))), "N1");
    assert_eq!(ids(&judge(&barrier(1000, 1980))), "N2");
    assert_eq!(ids(&judge(&barrier(500, 600))), "N1 N2");
    // Non-blocking streams do not wait.
    let free = Known { waits_for_null: Some(false), ..Known::default() };
    let result = judge_with(&barrier(500, 600), &[free, Known::default(), free]);
    assert_eq!(ids(&result), "");
    assert!(result.unjudged.iter().any(|u| u.why.starts_with("2 streams: non-blocking")), "{:?}", result.unjudged);
    // Launched at the same time, who waits is open.
    let mut open = barrier(500, 1500);
    open.logs[0].kernels[0] = kernel((195, 215), 1400, 64, &[(300, 1300, 0)]);
    let result = judge(&open);
    assert_eq!(ids(&result), "");
    assert!(result.unjudged.iter().any(|u| u.rules == "N1, N2" && u.why.starts_with("1 kernel launched")), "{:?}", result.unjudged);
    // Two logs of the NULL stream are one stream.
    let mut twice = barrier(1000, 1500);
    twice.logs[2].benchmark = "Timer Spin (default stream)".to_owned();
    assert_eq!(ids(&judge(&twice)), "G2");
}

#[test]
fn what_logs_do_not_say_is_said() {
    let mut run = two(1000);
    for launch in &mut run.logs[0].kernels {
        launch.launch_ns = vec![-54 * US, -54 * US];
    }
    run.logs[0].kernels[1].blocks.clear();
    run.logs[0].max_resident_threads = None;
    let result = judge(&run);
    assert_eq!(ids(&result), "");
    let said = result.unjudged.iter().map(|u| format!("{}: {}", u.rules, u.why)).collect::<Vec<_>>().join("\n");
    for part in [
        "all rules: 1 launch without times of blocks",
        "G1, X1, A2, N1, N2: 2 launches without the times of the call",
        "device: 1 log without",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let short = judge(&super::synthetic::run(vec![vec![kernel((0, 10), 200, 64, &[(100, 110, 0), (100, 111, 0)])]]));
    assert!(short.unjudged.iter().any(|u| u.why == "1 block no longer than the tolerance."), "{:?}", short.unjudged);
    assert!(short.unjudged.iter().any(|u| u.rules == "G2") && short.unjudged.iter().any(|u| u.rules == "X1"));
    // An iteration says when the CPU had everything, if nothing else does.
    let mut run = two(1000);
    run.logs[0].kernels[0].entry = 2;
    run.logs[0].kernels[1].entry = 3;
    run.logs[0].kernels.iter_mut().for_each(|k| k.launch_ns.truncate(2));
    assert!(judge(&run).unjudged.iter().any(|u| u.rules == "G4"));
    run.logs[0].host = vec![HostTimes { entry: 1, cpu: Some((0, 2500 * US)), ..HostTimes::default() }];
    assert_eq!((ids(&judge(&run)), count(&judge(&run), Check::Waited)), (String::new(), 2));
    run.logs[0].host[0].cpu = Some((0, 1500 * US));
    assert_eq!(ids(&judge(&run)), "G4");
}

#[test]
fn many_violations_are_counted_and_the_first_named() {
    let blocks: Vec<_> = (0..1000).map(|i| (100 + i, 1000 + i, 7)).collect();
    let result = judge(&run(vec![vec![kernel((0, 10), 9000, 1, &blocks)]]));
    let judged = result.judged.iter().find(|j| j.check == Check::SmId).unwrap();
    assert_eq!((judged.count, judged.violations, result.violations.len() as u64), (1000, 1000, MOST_NAMED));
}

#[test]
fn times_at_the_ends_of_64_bits_are_judged_like_others() {
    for (start, end) in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN), (i64::MAX, i64::MAX), (i64::MIN, i64::MIN), (0, i64::MAX)] {
        for launch in [vec![], vec![i64::MIN; 3], vec![i64::MAX; 3], vec![0, i64::MAX], vec![i64::MAX, 0, i64::MAX]] {
            let block = MeasuredBlock { start_ns: start, end_ns: end, sm: Some(0) };
            let mut run = two(1000);
            run.logs[0].host = vec![HostTimes {
                entry: 0,
                cpu: Some((end, start)),
                execute: Some((start, end)),
                copy_in: Some((end, start)),
                copy_out: None,
            }];
            run.logs[0].kernels.push(Launch {
                thread_count: u64::MAX,
                shared_memory: Some(u64::MAX),
                launch_ns: launch,
                blocks: vec![block; 3],
                ..Launch::default()
            });
            let mut null = run.logs[0].clone();
            null.benchmark = "Timer Spin (default stream)".to_owned();
            run.logs.push(null);
            for tolerance_ns in [0, 10_000, u64::MAX] {
                let mut settings = CheckSettings::on(tx2(), Vec::new());
                settings.tolerance_ns = tolerance_ns;
                let result = check(&run, &settings);
                assert!(tolerance_ns > 0 || !result.conforms());
                assert!(!infer_device(&run).notes.is_empty());
            }
        }
    }
}

/// Of two built-in devices of one size, the logs' name decides.
#[test]
fn the_device_has_the_name_that_the_logs_give() {
    let named = |gpu: &str, resident: u64| {
        let mut run = run(vec![vec![kernel((0, 10), 1100, 1024, &[(100, 1000, 45)])]]);
        run.logs[0].max_resident_threads = Some(resident);
        run.logs[0].gpu = Some(gpu.to_owned());
        let found = infer_device(&run);
        (found.built_in, found.device.name, found.notes.concat())
    };
    for (gpu, id) in [("NVIDIA H200", "h200"), ("NVIDIA H100 80GB HBM3", "h100")] {
        let (built_in, name, notes) = named(gpu, 132 * 2048);
        assert_eq!((built_in, name.as_str()), (Some(id), gpu));
        assert!(notes.starts_with(&format!("The logs name the GPU {gpu}; they tell of 270336 ")) && !notes.contains("Another"), "{notes}");
    }
    let (built_in, name, notes) = named("RTX\u{202e} 3070", 70_656);
    assert_eq!((built_in, name.as_str()), (None, "RTX\u{fffd} 3070"), "{notes}");
}

#[test]
fn the_device_is_found_or_said_to_be_unknown() {
    let with = |resident: Option<u64>, sms: &[u32], threads: u64| {
        let blocks: Vec<_> = sms.iter().map(|&sm| (100, 1000, sm)).collect();
        let mut run = run(vec![vec![kernel((0, 10), 1100, threads, &blocks)]]);
        run.logs[0].max_resident_threads = resident;
        let found = infer_device(&run);
        (found.built_in, found.device.sms, found.device.threads_per_sm)
    };
    assert_eq!(with(Some(4096), &[0, 1], 1024), (Some("tx2"), 2, 2048));
    assert_eq!(with(Some(16_384), &[0, 99], 1024), (Some("k5000"), 8, 2048));
    assert_eq!(with(Some(163_840), &[79], 1024), (Some("titanv"), 80, 2048));
    // An RTX 2080: 46 SMs of 1024 threads; an RTX 3070: 46 of 1536.
    assert_eq!(with(Some(47_104), &[0, 45], 1024), (None, 46, 1024));
    assert_eq!(with(Some(70_656), &[0, 45], 1024), (None, 46, 1536));
    assert_eq!(with(None, &[0, 1], 1024), (Some("tx2"), 2, 2048));
    assert_eq!(with(None, &[0, 4], 1024), (Some("gtx750ti"), 5, 2048));
    assert_eq!(with(None, &[0, 6], 1024), (None, 7, 2048));
    assert_eq!(with(Some(221_184), &[0, 107], 1024), (Some("a100"), 108, 2048));
    assert_eq!(with(Some(196_608), &[0, 127], 1024), (Some("rtx4090"), 128, 1536));
    assert_eq!(with(None, &[], 1024).1, 1);
    assert_eq!(with(Some(0), &[], 1).1, 1);
    assert_eq!(with(Some(u64::MAX), &[3], u64::MAX).1, 4096);
}
