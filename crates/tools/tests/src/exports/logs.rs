//! Logs of cuda_scheduling_examiner, read as its own scripts read them.

use blockstep_format::{ImportOptions, log_losses, open, read_logs};
use blockstep_sim::check::measured::{Check, CheckSettings, check};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Draft;
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{OpId, StreamId};
use proptest::prelude::*;
use serde_json::Value;

use blockstep_testing::logs::logs_of;

use super::{example, run, with_hostile_names};
use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::shared::config;

const CONFIGS: [&str; 6] = [
    "multiprocess_two_mandelbrot.json",
    "rtss_2017_fig3_bigexperiment.json",
    "rtss_2017_fig5_null_stream.json",
    "simple.json",
    "sm_plot_3.json",
    "task_host_example.json",
];

/// A time in seconds as ns.
fn ns(seconds: &Value) -> u64 {
    (seconds.as_f64().unwrap() * 1e9).round() as u64
}

fn pair(times: &Value) -> (u64, u64) {
    assert_eq!(times.as_array().unwrap().len(), 2);
    (ns(&times[0]), ns(&times[1]))
}

/// A kernel as `view_blocksbysm.py` takes it apart: name, launch, end, needs of a block, and of each
/// block begin, end and SM.
#[derive(Debug, PartialEq)]
struct Kernel {
    name: String,
    launch: u64,
    end: u64,
    needs: (u64, u64),
    blocks: Vec<(u64, u64, u64)>,
}

fn kernels_of_log(log: &Value) -> Vec<Kernel> {
    let times = log["times"].as_array().unwrap();
    assert_eq!(times[0], serde_json::json!({}), "the scripts skip the first entry");
    let kernel = |entry: &Value| {
        let count = entry["block_count"].as_u64().unwrap() as usize;
        let (times, smids) = (entry["block_times"].as_array().unwrap(), entry["block_smids"].as_array().unwrap());
        assert_eq!((times.len(), smids.len()), (2 * count, count));
        let launch = &entry["cuda_launch_times"];
        assert_eq!(launch[0], launch[1]);
        assert!(entry["cpu_core"].is_u64());
        Kernel {
            name: entry["kernel_name"].as_str().unwrap().to_owned(),
            launch: ns(&launch[0]),
            end: ns(&launch[2]),
            needs: (entry["thread_count"].as_u64().unwrap(), entry["shared_memory"].as_u64().unwrap()),
            blocks: (0..count).map(|i| (ns(&times[2 * i]), ns(&times[2 * i + 1]), smids[i].as_u64().unwrap())).collect(),
        }
    };
    times[1..].iter().filter(|entry| entry.get("cpu_times").is_none()).map(kernel).collect()
}

/// The same from the run: completed kernels of a stream.
fn kernels_of_run(trace: &Trace, records: &Records, stream: StreamId) -> Vec<Kernel> {
    let kernel = |(i, record): (usize, &blockstep_sim::record::OpRecord)| {
        let op = OpId::at(i);
        let (info, row) = (trace.op(op), trace.row_of(op));
        let end = record.end.filter(|_| info.kind == OpKind::Kernel && info.stream == stream)?;
        let blocks = records.blocks.iter().filter(|b| b.op == op);
        Some(Kernel {
            name: row.name.clone(),
            launch: record.issued.ns(),
            end: end.ns(),
            needs: (row.needs.threads.into(), row.needs.shared_memory),
            blocks: blocks.map(|b| (b.start.ns(), b.end.unwrap().ns(), b.sm.0.into())).collect(),
        })
    };
    records.ops.iter().enumerate().filter_map(kernel).collect()
}

proptest! {
    #![proptest_config(cases(150))]
    #[test]
    fn exports_logs_hold_every_completed_kernel(draft in any_drafts()) {
        let (run, records) = run(&with_hostile_names(draft));
        let trace = &*run.trace;
        let logs = logs_of(trace, &records);
        let streams = (0..trace.layout().streams().len()).map(StreamId::at);
        let expected: Vec<_> = streams.map(|s| kernels_of_run(trace, &records, s)).filter(|kernels| !kernels.is_empty()).collect();
        prop_assert_eq!(logs.len(), expected.len());
        let mut tids = Vec::new();
        for (i, ((name, text), expected)) in logs.iter().zip(expected).enumerate() {
            let end = format!("-log{}.json", i + 1);
            prop_assert!(name.ends_with(&end), "{}", name);
            prop_assert!(name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '.'), "{}", name);
            let log: Value = serde_json::from_str(text).unwrap();
            prop_assert_eq!(log["scenario_name"].as_str().unwrap(), trace.scenario().name());
            let device = trace.scenario().device();
            prop_assert_eq!(log["max_resident_threads"].as_u64().unwrap(), device.sms * device.threads_per_sm);
            prop_assert!(log["label"].is_string() && log["benchmark_name"].is_string() && log["PID"].is_u64() && log["data_size"].is_u64());
            tids.push(log["TID"].as_u64().unwrap());
            prop_assert_eq!(kernels_of_log(&log), expected);
            for entry in log["times"].as_array().unwrap().iter().filter(|e| e.get("cpu_times").is_some()) {
                let [copy_in, execute, copy_out, cpu] =
                    ["copy_in_times", "execute_times", "copy_out_times", "cpu_times"].map(|key| pair(&entry[key]));
                prop_assert!(copy_in.0 <= copy_in.1 && copy_in.1 == execute.0 && execute.0 <= execute.1);
                prop_assert!(execute.1 == copy_out.0 && copy_out.0 <= copy_out.1);
                prop_assert_eq!(cpu, (copy_in.0, copy_out.1));
            }
        }
        let count = tids.len();
        tids.dedup();
        prop_assert_eq!(tids.len(), count, "every log has a thread of its own");
        for loss in log_losses(trace, &records) {
            prop_assert!(loss.ends_with('.'), "{}", loss);
        }
    }
}

#[test]
fn exports_logs_of_table_1_are_one_a_stream() {
    let scenario = example("tx2-table-1");
    let run = simulate(&scenario, Limits::default());
    let records = Records::new(&run.trace);
    let logs = logs_of(&run.trace, &records);
    assert_eq!(logs.len(), run.trace.layout().streams().len());
    let parsed: Vec<Value> = logs.iter().map(|(_, text)| serde_json::from_str(text).unwrap()).collect();
    // K3's input is copied 3.4 s - 3.6 s, its output 4.6 s - 4.8 s (docs/semantics.md, section 11).
    let with_k3 = parsed.iter().find(|log| kernels_of_log(log).iter().any(|k| k.name == "K3")).unwrap();
    let cpu: Vec<_> = with_k3["times"].as_array().unwrap().iter().filter(|entry| entry.get("cpu_times").is_some()).collect();
    assert_eq!(cpu.len(), 1);
    assert_eq!(pair(&cpu[0]["copy_out_times"]), (4_600_000_000, 4_800_000_000));
    assert_eq!(pair(&cpu[0]["cpu_times"]).1, 4_800_000_000);
    let losses = log_losses(&run.trace, &records).join("\n");
    assert!(losses.contains("copies between kernels are left out: "), "{losses}");
    assert!(!losses.contains("suspended"), "{losses}");
}

#[test]
fn exports_logs_say_what_does_not_fit() {
    let scenario = example("edf-vi-a-cbs");
    let run = simulate(&scenario, Limits::default());
    let records = Records::new(&run.trace);
    let losses = log_losses(&run.trace, &records).join("\n");
    let suspended = (0..records.blocks.len()).filter(|&i| records.block_was_suspended(i)).count();
    assert!(suspended > 0);
    for said in [format!("more blocks than it can: {suspended}."), "left out, as in the examiner's own logs: 3.".to_owned()] {
        assert!(losses.contains(&said), "{said} is not in\n{losses}");
    }
}

proptest! {
    #![proptest_config(cases(150))]
    /// What our own reader makes of the logs is the run, to the nanosecond.
    #[test]
    fn exports_logs_are_read_again(draft in any_drafts()) {
        let (run, records) = run(&with_hostile_names(draft));
        let trace = &*run.trace;
        let logs = logs_of(trace, &records);
        let files: Vec<(&str, &str)> = logs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        if files.is_empty() {
            return Ok(());
        }
        let measured = read_logs(&files).unwrap();
        let judged = check(&measured, &CheckSettings::on(trace.scenario().device().clone(), Vec::new()));
        let late: Vec<_> = judged.violations.iter().filter(|v| v.check == Check::HostTimes).map(|v| &v.sentence).collect();
        prop_assert!(late.is_empty(), "{:?}", late);
        let streams = (0..trace.layout().streams().len()).map(StreamId::at);
        let expected = streams.map(|s| kernels_of_run(trace, &records, s)).filter(|kernels| !kernels.is_empty());
        for (log, expected) in measured.logs.iter().zip(expected) {
            prop_assert_eq!(&log.scenario, trace.scenario().name());
            let read = log.kernels.iter().map(|kernel| Kernel {
                name: kernel.name.clone(),
                launch: kernel.launch_ns[0] as u64,
                end: kernel.launch_ns[2] as u64,
                needs: (kernel.thread_count, kernel.shared_memory.unwrap()),
                blocks: kernel.blocks.iter().map(|b| (b.start_ns as u64, b.end_ns as u64, u64::from(b.sm.unwrap()))).collect(),
            });
            prop_assert_eq!(read.collect::<Vec<_>>(), expected);
        }
    }
}

/// The rules as they are judged in measured runs hold in simulated ones: each stream is found again.
#[test]
fn exports_logs_of_the_papers_tables_conform() {
    for table in 1..=5 {
        let json = blockstep_sim::examples::find(&format!("tx2-table-{table}")).unwrap().json;
        let draft = blockstep_format::read_scenario(json).unwrap();
        let (run, records) = run(&draft);
        let logs = logs_of(&run.trace, &records);
        let files: Vec<(&str, &str)> = logs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let measured = read_logs(&files).unwrap();
        let (known, notes) = blockstep_sim::measured::known(&measured, Some(&draft), false, &[]);
        assert!(notes.is_empty(), "{notes:?}");
        let settings = CheckSettings::on(run.trace.scenario().device().clone(), known);
        let outcome = check(&measured, &settings);
        assert!(outcome.conforms(), "table {table}: {:?}", outcome.violations);
        assert!(outcome.judged.iter().map(|judged| judged.count).sum::<u64>() > 10);
    }
}

/// What is wrong with the logs of a run, by our own rules.
fn wrong(draft: &Draft) -> Vec<String> {
    let (run, records) = run(draft);
    let logs = logs_of(&run.trace, &records);
    let files: Vec<(&str, &str)> = logs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let measured = read_logs(&files).unwrap();
    let (known, _) = blockstep_sim::measured::known(&measured, Some(draft), false, &[]);
    let settings = CheckSettings::on(run.trace.scenario().device().clone(), known);
    check(&measured, &settings).violations.into_iter().map(|violation| violation.sentence).collect()
}

/// Jobs that follow each other on a stream, or that share the NULL stream, overlap in no log.
#[test]
fn exports_logs_of_every_example_and_config_conform() {
    let mut drafts: Vec<(String, Draft)> = Vec::new();
    for example in blockstep_sim::examples::all() {
        let draft = blockstep_format::read_scenario(example.json).unwrap();
        // Logs tell nothing of events, connections and non-blocking streams.
        if draft.version() < 2 {
            drafts.push((example.id.to_owned(), draft));
        }
    }
    for name in CONFIGS {
        let Some(text) = config(name) else { continue };
        let opened = open(&text, &ImportOptions { default_duration_ns: Some(10_000_000), ..ImportOptions::default() }).unwrap();
        drafts.push((name.to_owned(), opened.draft));
    }
    for (name, draft) in drafts {
        assert_eq!(wrong(&draft), [""; 0], "{name}");
    }
}
