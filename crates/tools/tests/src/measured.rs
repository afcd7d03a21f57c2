//! Measured runs: the scenario that logs tell of, and logs laid over a simulation.

mod against;
mod h200;
mod tool;

use std::sync::Arc;

use blockstep_learn::generated_logs::{Clocks, generated_logs};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::measured::fit::{Fit, How, fit};
use blockstep_sim::measured::rebuild::rebuild;
use blockstep_sim::measured::{Launch, Log, Measured, MeasuredBlock, infer_device};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::*;
use blockstep_sim::trace::Trace;
use proptest::prelude::*;

use blockstep_testing::arbitrary::cases;
use blockstep_testing::logs::logs_of;
use blockstep_testing::shared;

fn read(files: &[(String, String)]) -> Measured {
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    blockstep_format::read_logs(&files).unwrap()
}

const EXACT: Clocks = Clocks { offset_ns: 0, noise_ns: 0, seed: 0 };

fn run(draft: &Draft) -> (Arc<Trace>, Records) {
    let scenario = Scenario::new(draft).unwrap_or_else(|e| panic!("{e}"));
    let trace = simulate(&scenario, Limits::default()).trace;
    let records = Records::new(&trace);
    (trace, records)
}

fn example(id: &str) -> Draft {
    blockstep_format::read_scenario(blockstep_sim::examples::find(id).unwrap().json).unwrap()
}

fn laid_over(measured: &Measured, draft: &Draft) -> Option<(Fit, Records)> {
    let (trace, records) = run(draft);
    fit(measured, &trace, &records).map(|fit| (fit, records))
}

fn block(start_ns: i64, end_ns: i64, sm: u32) -> MeasuredBlock {
    MeasuredBlock { start_ns, end_ns, sm: Some(sm) }
}

fn launch(name: &str, launch_ns: [i64; 3], blocks: &[MeasuredBlock]) -> Launch {
    Launch {
        name: name.to_owned(),
        block_count: blocks.len() as u64,
        thread_count: 1024,
        shared_memory: Some(0),
        launch_ns: launch_ns.to_vec(),
        blocks: blocks.to_vec(),
        ..Launch::default()
    }
}

fn log(label: &str, pid: u64, kernels: Vec<Launch>) -> Log {
    Log { label: label.to_owned(), pid: Some(pid), kernels, ..Log::default() }
}

fn logs(logs: Vec<Log>) -> Measured {
    Measured { logs, ..Measured::default() }
}

fn tx2() -> DeviceDraft {
    DeviceDraft::BuiltIn("tx2".to_owned())
}

/// Blocks by kernel and number: start, end and SM.
fn blocks(draft: &Draft) -> Vec<(String, u32, u64, u64, u16)> {
    let (trace, records) = run(draft);
    let all = records.blocks.iter().map(|b| (trace.row_of(b.op).name.clone(), b.block, b.start.ns(), b.end.unwrap().ns(), b.sm.0));
    let mut all: Vec<_> = all.collect();
    all.sort();
    all
}

#[test]
fn measured_launches_are_where_the_call_and_the_first_block_say() {
    // Launched at once; launched while another has all threads, so that it waited; no times of the call.
    let first = launch(
        "GPUSpin",
        [1_000, 1_200, 9_000],
        &[block(1_100, 2_100, 0), block(1_101, 2_101, 1), block(1_102, 2_103, 0), block(1_103, 2_104, 1)],
    );
    let second = launch("GPUSpin", [1_300, 1_400, 9_000], &[block(2_110, 3_110, 0)]);
    let mut third = launch("GPUSpin", [0; 3], &[block(5_000, 5_500, 0)]);
    third.launch_ns.clear();
    third.shared_memory = None;
    let rebuilt = rebuild(&logs(vec![log("A", 7, vec![first]), log("B", 7, vec![second, third])]), tx2()).unwrap();
    let rows: Vec<_> = rebuilt.draft.kernels.iter().map(|k| (k.name.as_str(), k.stream.as_str(), k.start_ns)).collect();
    assert_eq!(rows, [("A", "S1", 0), ("B", "S2", 300), ("B (2)", "S2", 3_900)]);
    assert_eq!(rebuilt.origin_ns, 1_100);
    assert_eq!(rebuilt.origins, [(0, 0), (1, 0), (1, 1)]);
    assert_eq!(rebuilt.draft.kernels[0].block_time_ns, BlockTimes::List([1_000, 1_000, 1_001, 1_001].into()));
    assert_eq!(rebuilt.draft.kernels[1].block_time_ns, BlockTimes::Each(1_000));
    assert_eq!(rebuilt.draft.processes, []);
    let has = |what: &str| rebuilt.notes.iter().any(|note| note.contains(what));
    assert!(
        has("1 of 3 kernels started later")
            && has("registers")
            && has("Copies are left out")
            && has("shared memory of 1 of 3 kernels")
            && has("When 1 of 3 kernels")
    );
    let simulated = blocks(&rebuilt.draft);
    assert_eq!(simulated[4], ("B".to_owned(), 0, 1_000, 2_000, 0));
}

#[test]
fn measured_launches_keep_the_order_in_which_kernels_began() {
    let full = |start: i64| {
        [block(start, start + 1_000, 0), block(start, start + 1_000, 1), block(start, start + 1_000, 0), block(start, start + 1_000, 1)]
    };
    // Both calls took long and C's returned last, but C began before B: X1 says that it was launched before.
    let a = launch("A", [0, 50, 9_000], &full(40));
    let b = launch("B", [100, 200, 9_000], &full(2_040));
    let c = launch("C", [110, 400, 9_000], &full(1_040));
    let all = logs(vec![log("1", 7, vec![a.clone()]), log("2", 7, vec![b.clone()]), log("3", 7, vec![c.clone()])]);
    let rebuilt = rebuild(&all, tx2()).unwrap();
    let starts: Vec<_> = rebuilt.draft.kernels.iter().map(|k| (k.name.as_str(), k.start_ns)).collect();
    assert_eq!(starts, [("A", 0), ("C", 159), ("B", 160)]);
    // If C's call began after B's had returned, the logs say that B was first: that stands.
    let c = Launch { launch_ns: vec![300, 400, 9_000], ..c };
    let rebuilt =
        rebuild(&logs(vec![log("1", 7, vec![a.clone()]), log("2", 7, vec![b.clone()]), log("3", 7, vec![c.clone()])]), tx2()).unwrap();
    assert_eq!(rebuilt.draft.kernels.iter().map(|k| k.start_ns).collect::<Vec<_>>(), [0, 160, 360]);
    // B was held by its own stream until 3,040: no contradiction.
    let late = Launch { launch_ns: vec![110, 400, 9_000], ..c };
    let held = Launch { blocks: full(3_040).to_vec(), ..b };
    let rebuilt = rebuild(&logs(vec![log("1", 7, vec![a, held]), log("3", 7, vec![late])]), tx2()).unwrap();
    assert_eq!(rebuilt.draft.kernels.iter().map(|k| (k.name.as_str(), k.start_ns)).collect::<Vec<_>>(), [("A", 0), ("B", 160), ("C", 360)]);
}

#[test]
fn measured_processes_streams_and_names() {
    let spin = |start| launch("GPUSpin", [start, start + 1, start + 9], &[block(start, start + 5, 0)]);
    let mut null = log("A", 9, vec![spin(30)]);
    null.benchmark = "Timer Spin (default stream)".to_owned();
    let strange = log("  ", 8, vec![spin(20)]);
    let mut empty = log("empty", 3, Vec::new());
    empty.kernels.push(launch("GPUSpin", [0, 1, 2], &[]));
    let all = logs(vec![log("A", 8, vec![spin(10), spin(40)]), null, strange, empty]);
    let rebuilt = rebuild(&all, tx2()).unwrap();
    let draft = &rebuilt.draft;
    assert_eq!(draft.processes.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["PID 8", "PID 9"]);
    let tasks: Vec<_> = draft.tasks.iter().map(|t| (t.name.as_str(), t.process.as_deref().unwrap())).collect();
    assert_eq!(tasks, [("A", "PID 8"), ("A (2)", "PID 9"), ("Task", "PID 8")]);
    let rows: Vec<_> = draft.kernels.iter().map(|k| (k.name.as_str(), k.task.as_deref().unwrap(), k.stream.as_str())).collect();
    assert_eq!(rows, [("A", "A", "S1"), ("GPUSpin", "Task", "S2"), ("A (3)", "A (2)", "NULL"), ("A (2)", "A", "S1")]);
    let has = |what: &str| rebuilt.notes.iter().any(|note| note.contains(what));
    assert!(
        has("several processes") && has("1 of 4 logs are of a program that launches on the NULL stream") && has("left out; there are 1.")
    );
    assert!(Scenario::new(draft).is_ok());
    assert!(rebuild(&logs(vec![log("A", 1, Vec::new())]), tx2()).is_err());
}

#[test]
fn measured_times_that_cannot_be_do_no_harm() {
    let odd = launch("K", [i64::MAX, i64::MIN, 0], &[block(i64::MAX, i64::MIN, u32::MAX), block(i64::MIN, i64::MAX, 0), block(5, 5, 1)]);
    let all = logs(vec![log("A", 1, vec![odd.clone(), odd.clone()]), log("B", 2, vec![odd])]);
    let rebuilt = rebuild(&all, tx2()).unwrap();
    assert!(rebuilt.notes.iter().any(|note| note.contains("or before, run for 1 ns; there are 6.")), "{:?}", rebuilt.notes);
    let scenario = Scenario::new(&rebuilt.draft).unwrap();
    let run = simulate(&scenario, Limits::default());
    let records = Records::new(&run.trace);
    if let Some(fit) = fit(&all, &run.trace, &records) {
        let _ = (fit.differences(&records, 0), fit.typical_ns());
    }
}

#[test]
fn measured_offset_is_recovered_under_noise() {
    for (id, device) in [("tx2-table-1", "tx2"), ("tx2-table-2", "k5000"), ("tx2-table-5", "titanv"), ("tx2-fig-9-processes", "tx2")] {
        let mut draft = example(id);
        draft.device = DeviceDraft::BuiltIn(device.to_owned());
        let (trace, records) = run(&draft);
        for offset_ns in [0, 123_456_789_012, -7_000_000] {
            let measured = generated_logs(&trace, &records, Clocks { offset_ns, noise_ns: 800, seed: 5 });
            let fit = fit(&measured, &trace, &records).unwrap();
            assert!(fit.offset_ns.abs_diff(offset_ns) <= 400, "{id}: {} for {offset_ns}", fit.offset_ns);
            assert!(fit.only_measured.is_empty() && fit.only_simulated.is_empty());
            assert_eq!(fit.blocks.len(), records.blocks.len());
            assert!(fit.kernels.iter().all(|k| k.how == How::KernelName && k.moved == 0 && k.only_measured + k.only_simulated == 0));
            assert_eq!(fit.differences(&records, 1_200), []);
            let worst = fit.blocks.iter().map(|b| b.start_ns.unsigned_abs()).max().unwrap();
            assert!(fit.differences(&records, worst / 2).iter().any(|d| d.later_ns.unsigned_abs() >= worst));
            assert!((100..800).contains(&fit.typical_ns()), "{}", fit.typical_ns());
        }
    }
}

#[test]
fn measured_differences_are_where_they_were_made() {
    let draft = example("tx2-table-1");
    let (trace, records) = run(&draft);
    let mut measured = generated_logs(&trace, &records, Clocks { offset_ns: 1_000_000, ..EXACT });
    // One kernel late, a block of another short, one block on the other SM, one kernel gone.
    let find = |name: &str, measured: &Measured| {
        let at = |log: &Log| log.kernels.iter().position(|k| k.name == name);
        measured.logs.iter().enumerate().find_map(|(i, log)| Some((i, at(log)?))).unwrap()
    };
    let (log, kernel) = find("K6", &measured);
    measured.logs[log].kernels[kernel].blocks.iter_mut().for_each(|b| (b.start_ns, b.end_ns) = (b.start_ns + 5_000, b.end_ns + 5_000));
    let (log, kernel) = find("K5", &measured);
    measured.logs[log].kernels[kernel].blocks[1].end_ns -= 7_000;
    let (log, kernel) = find("K2", &measured);
    let of = &mut measured.logs[log].kernels[kernel].blocks;
    of[0].sm = Some(1 - of[0].sm.unwrap());
    let (log, kernel) = find("K3", &measured);
    let gone = measured.logs[log].kernels.remove(kernel);
    assert_eq!(gone.name, "K3");
    let fit = fit(&measured, &trace, &records).unwrap();
    assert_eq!(fit.offset_ns, 1_000_000);
    let name = |kernel: usize| trace.op_name(fit.kernels[kernel].op);
    let found: Vec<_> = fit.differences(&records, 1_000).iter().map(|d| (name(d.kernel), d.is_end, d.later_ns)).collect();
    assert_eq!(found, [("K6".to_owned(), false, 5_000), ("K5".to_owned(), true, -7_000)]);
    let moved: Vec<_> = fit.kernels.iter().filter(|k| k.moved > 0).map(|k| (trace.op_name(k.op), k.moved)).collect();
    assert_eq!(moved, [("K2".to_owned(), 1)]);
    assert_eq!(fit.only_simulated.iter().map(|&op| trace.op_name(op)).collect::<Vec<_>>(), ["K3"]);
    assert_eq!((fit.simulated_ns(1_000_000), fit.simulated(0).ns()), (0, 0));
}

#[test]
fn measured_kernels_are_recognised_by_name_label_or_order() {
    let draft = plain(vec![(1, 4, 512, 100, 0), (1, 4, 512, 100, 1), (1, 2, 256, 30, 1), (1, 1, 32, 10, 2)], true, "tx2");
    let (trace, records) = run(&draft);
    let measured = generated_logs(&trace, &records, EXACT);
    let how = |measured: &Measured| {
        let fit = fit(measured, &trace, &records)?;
        let mut how: Vec<How> = fit.kernels.iter().map(|k| k.how).collect();
        how.dedup();
        assert!(fit.blocks.iter().all(|b| b.start_ns == 0 && b.end_ns == Some(0)), "{fit:?}");
        Some(how)
    };
    assert_eq!(how(&measured), Some(vec![How::KernelName]));
    // All run the same function.
    let mut same = measured.clone();
    same.logs.iter_mut().flat_map(|log| &mut log.kernels).for_each(|k| k.name = "GPUSpin".to_owned());
    assert_eq!(how(&same), Some(vec![How::Label]));
    same.logs.iter_mut().for_each(|log| log.label = "?".to_owned());
    assert_eq!(how(&same), Some(vec![How::Order]));
    // Kernels of another shape are others.
    same.logs[0].kernels[0].thread_count += 1;
    assert_eq!(how(&same), None);
}

#[test]
fn measured_real_logs_are_rebuilt_and_simulated() {
    let Some(files) = shared::logs() else { return };
    let measured = read(&files);
    let inferred = infer_device(&measured);
    assert_eq!(inferred.built_in, Some("k5000"));
    let rebuilt = rebuild(&measured, DeviceDraft::BuiltIn("k5000".to_owned())).unwrap();
    let rows: Vec<_> =
        rebuilt.draft.kernels.iter().map(|k| (k.name.as_str(), k.stream.as_str(), k.start_ns, k.blocks, k.threads_per_block)).collect();
    // The first began during its call, as did the second; the others had to wait from when their calls returned.
    let expected = [
        ("Kernel 1", "S1", 0, 8, 1024),
        ("Kernel 2", "S2", 867_194, 8, 1024),
        ("Kernel 3", "S3", 250_051_953, 8, 1024),
        ("Kernel 4", "S4", 250_152_648, 8, 1024),
    ];
    assert_eq!(rows, expected);
    assert_eq!((rebuilt.draft.name.as_str(), rebuilt.origin_ns), ("Basic coscheduling test", 118_530_857));
    let (fit, records) = laid_over(&measured, &rebuilt.draft).unwrap();
    assert!(fit.only_measured.is_empty() && fit.only_simulated.is_empty() && fit.blocks.len() == 32);
    assert!(fit.kernels.iter().all(|k| k.how == How::Label && k.moved == 0));
    // Within the tolerance of the check, and in the same order.
    assert_eq!(fit.differences(&records, 10_000), []);
    assert!(fit.offset_ns.abs_diff(rebuilt.origin_ns) < 1_000);
    let order: Vec<_> = fit.kernels.iter().map(|k| (k.log, k.kernel)).collect();
    assert_eq!(order, [(0, 0), (1, 0), (2, 0), (3, 0)]);
    // A kernel that had waited a millisecond longer is found.
    let mut late = measured.clone();
    late.logs[2].kernels[0].blocks.iter_mut().for_each(|b| (b.start_ns, b.end_ns) = (b.start_ns + 1_000_000, b.end_ns + 1_000_000));
    let (fit, records) = laid_over(&late, &rebuilt.draft).unwrap();
    let found: Vec<_> = fit.differences(&records, 10_000).iter().map(|d| fit.kernels[d.kernel].log).collect();
    assert_eq!(found, [2]);
}

#[test]
fn measured_real_run_with_noise_gives_its_offset_back() {
    let Some(files) = shared::logs() else { return };
    let rebuilt = rebuild(&read(&files), DeviceDraft::BuiltIn("k5000".to_owned())).unwrap();
    let (trace, records) = run(&rebuilt.draft);
    for seed in 0..20 {
        let measured = generated_logs(&trace, &records, Clocks { offset_ns: 5_000_000_000, noise_ns: 2_000, seed });
        let fit = fit(&measured, &trace, &records).unwrap();
        assert!(fit.offset_ns.abs_diff(5_000_000_000) < 1_000, "{}", fit.offset_ns);
        // And again from these logs.
        let again = rebuild(&measured, rebuilt.draft.device.clone()).unwrap();
        let (fit, records) = laid_over(&measured, &again.draft).unwrap();
        assert_eq!(fit.differences(&records, 10_000), []);
    }
}

/// A table with what logs can carry: no copies, no priorities, launches told apart.
fn plain(rows: Vec<(u64, u64, u64, u64, usize)>, null: bool, device: &str) -> Draft {
    let mut draft = Draft { device: DeviceDraft::BuiltIn(device.to_owned()), ..Draft::default() };
    let mut at = 0;
    for (i, (gap, blocks, threads, time, stream)) in rows.into_iter().enumerate() {
        at += gap;
        let mut row = KernelDraft::named(format!("K{}", i + 1), blocks, threads, time);
        row.start_ns = at;
        row.stream = if stream == 0 && null { "NULL".to_owned() } else { format!("S{}", stream + 1) };
        draft.kernels.push(row);
    }
    draft
}

proptest! {
    #![proptest_config(cases(400))]

    /// Simulated, written down without errors, rebuilt and simulated again: the same blocks.
    #[test]
    fn measured_runs_are_rebuilt_exactly(
        rows in proptest::collection::vec((1..40_u64, 1..12_u64, 1..1025_u64, 1..120_u64, 0..4_usize), 1..12),
        null in any::<bool>(),
        device in proptest::sample::select(vec!["tx2", "k5000"]),
        offset_ns in 0..1_000_i64,
    ) {
        let draft = plain(rows, null, device);
        let (trace, records) = run(&draft);
        let measured = generated_logs(&trace, &records, Clocks { offset_ns, ..EXACT });
        let rebuilt = rebuild(&measured, draft.device.clone()).unwrap();
        let first = draft.kernels[0].start_ns;
        prop_assert_eq!(rebuilt.origin_ns, offset_ns + first as i64);
        let shifted = |blocks: Vec<(String, u32, u64, u64, u16)>| blocks.into_iter().map(|(k, b, s, e, sm)| (k, b, s - first, e - first, sm)).collect::<Vec<_>>();
        // A log of one kernel name alone calls the kernel by its label.
        let mut expected = shifted(blocks(&draft));
        if draft.kernels.len() == 1 {
            expected.iter_mut().for_each(|block| block.0.clone_from(&draft.kernels[0].stream));
        }
        prop_assert_eq!(blocks(&rebuilt.draft), expected);
        let fit = laid_over(&measured, &draft).unwrap().0;
        prop_assert_eq!(fit.offset_ns, offset_ns);
        prop_assert!(fit.blocks.iter().all(|b| b.start_ns == 0 && b.end_ns == Some(0) && !b.is_moved));
        let (again, records_again) = laid_over(&measured, &rebuilt.draft).unwrap();
        prop_assert_eq!(again.offset_ns, rebuilt.origin_ns);
        prop_assert_eq!(again.differences(&records_again, 0), vec![]);
        // The same through files, as the page writes and reads them.
        let files = logs_of(&trace, &records);
        let from_files = rebuild(&read(&files), draft.device.clone()).unwrap();
        let times = |draft: &Draft| blocks(draft).into_iter().map(|(_, block, start, end, sm)| (start, end, sm, block)).collect::<Vec<_>>();
        let (mut once, mut twice) = (times(&rebuilt.draft), times(&from_files.draft));
        once.sort_unstable(); twice.sort_unstable();
        prop_assert_eq!(once, twice);
    }
}

/// Every log has a name of its own, so that nobody is warned of what is not so.
#[test]
fn measured_generated_logs_are_told_apart() {
    for example in blockstep_sim::examples::all() {
        let (trace, records) = run(&self::example(example.id));
        let measured = generated_logs(&trace, &records, EXACT);
        assert_eq!(measured.notes(), [""; 0], "{}", example.id);
        for (log, of) in measured.logs.iter().enumerate() {
            assert_eq!(measured.log_name(log), of.label, "{}", example.id);
        }
    }
    let (trace, records) = run(&example("tx2-table-1"));
    let labels: Vec<String> = generated_logs(&trace, &records, EXACT).logs.into_iter().map(|log| log.label).collect();
    assert_eq!(labels, ["CPU 0", "S2", "S3"]);
}
