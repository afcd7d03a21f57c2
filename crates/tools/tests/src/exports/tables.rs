//! Tables of kernels, jobs and waits, by a reader of comma-separated values of others.

use std::collections::BTreeMap;

use blockstep_format::{write_csv, write_jobs_csv, write_kernels_csv};
use blockstep_report::{results_csv, waits_csv};
use blockstep_sim::engine::{Limits, Run, simulate_varied};
use blockstep_sim::record::Records;
use blockstep_sim::trace::{OpKind, Variant, Variants};
use blockstep_sim::units::OpId;
use blockstep_view::breakdown::breakdown;
use proptest::prelude::*;

use blockstep_testing::logs::logs_of;

use super::{example, run, with_hostile_names};
use blockstep_sim::scenario::PolicyKind;
use blockstep_testing::arbitrary::{any_drafts, cases, turns};

/// The rows, each by column; a row of another length is an error of the reader.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::ReaderBuilder::new().flexible(false).from_reader(text.as_bytes());
    let head = reader.headers().unwrap().clone();
    let row = |row: csv::StringRecord| head.iter().zip(row.iter()).map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    reader.records().map(|r| row(r.unwrap())).collect()
}

/// What a cell that spreadsheets do not run holds of a name.
fn cell(name: &str) -> String {
    let out = blockstep_format::csv_cell(name).to_string();
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(out.as_bytes());
    let mut records = reader.records();
    let cell = records.next().unwrap().unwrap()[0].to_owned();
    let is_formula = name.starts_with(['=', '+', '-', '@']);
    assert!(cell.contains('\'') || !is_formula, "{cell}");
    assert!(!out.contains(char::is_control) && cell.replace('\'', "").len() >= name.replace('\'', "").len(), "{cell}");
    cell
}

fn time(time: Option<blockstep_sim::units::Time>) -> String {
    time.map_or_else(String::new, |t| t.to_string())
}

proptest! {
    #![proptest_config(cases(120))]
    #[test]
    fn exports_steps_are_a_line_each(draft in any_drafts()) {
        let (run, _) = run(&with_hostile_names(draft));
        let text = blockstep_format::write_steps(&run.trace).to_string();
        let heads = text.lines().take_while(|line| line.starts_with("# ")).count();
        prop_assert_eq!(heads, 1 + usize::from(run.trace.scenario().device().evidence().rules().is_some()));
        prop_assert_eq!(text.split('\n').count(), run.trace.steps().len() + heads + 1);
        prop_assert!(!text.contains(|c: char| c != '\n' && c.is_control() || blockstep_sim::scenario::is_directive(c)));
    }

    #[test]
    fn exports_tables_hold_the_records(draft in any_drafts()) {
        let (run, records) = run(&with_hostile_names(draft));
        let trace = &*run.trace;
        let kernels = rows(&write_kernels_csv(trace, &records).to_string());
        let ops: Vec<OpId> = (0..records.ops.len()).map(OpId::at).filter(|&op| trace.op(op).kind == OpKind::Kernel).collect();
        prop_assert_eq!(kernels.len(), ops.len());
        for (row, op) in kernels.iter().zip(&ops) {
            let record = &records.ops[op.index()];
            prop_assert_eq!(&row["kernel"], &cell(&trace.row_of(*op).name));
            prop_assert_eq!(&row["task"], &cell(&trace.scenario().task(trace.row_of(*op).task).name));
            let times = [Some(record.issued), record.queued, record.start, record.end].map(time);
            prop_assert_eq!(["issued_ns", "queued_ns", "start_ns", "end_ns"].map(|c| row[c].clone()), times);
        }
        let jobs = rows(&write_jobs_csv(trace, &records).to_string());
        prop_assert_eq!(jobs.len(), records.jobs.len());
        for (row, job) in jobs.iter().zip(&records.jobs) {
            prop_assert_eq!(&row["task"], &cell(&trace.scenario().task(job.task).name));
            let times = [Some(job.release), job.deadline, job.end].map(time);
            prop_assert_eq!(["release_ns", "deadline_ns", "end_ns"].map(|c| row[c].clone()), times);
            prop_assert_eq!(&row["met"], &job.met.map_or(String::new(), |met| met.to_string()));
        }
        for text in [write_csv(trace, &records).to_string(), results_csv(&run, &records).to_string()] {
            let count = rows(&text).len();
            prop_assert_eq!(text.lines().count(), 1 + count);
            prop_assert!(!text.replace('\n', "").contains(char::is_control));
        }
    }

    #[test]
    fn exports_waits_and_execution_make_the_response(draft in any_drafts()) {
        let (run, records) = run(&with_hostile_names(draft));
        let trace = &*run.trace;
        let mut waited: BTreeMap<(String, u64, String), Vec<(u64, u64)>> = BTreeMap::new();
        for row in rows(&waits_csv(&run, &records).to_string()) {
            let number = |column: &str| row[column].parse::<u64>().unwrap();
            prop_assert_eq!(number("end_ns") - number("start_ns"), number("duration_ns"));
            prop_assert!(number("duration_ns") > 0 && !row["reason"].is_empty());
            if row["waiting"] == "operation" {
                let of = waited.entry((row["kernel"].clone(), number("job"), row["kind"].clone())).or_default();
                prop_assert!(of.last().is_none_or(|last| last.1 <= number("start_ns")), "in order of time");
                of.push((number("start_ns"), number("end_ns")));
            }
        }
        for account in breakdown(run.replay(), &records) {
            let op = trace.op(account.op);
            let kind = match op.kind { OpKind::Kernel => "kernel", OpKind::CopyIn => "copy_in", OpKind::CopyOut => "copy_out" };
            let key = (cell(&trace.row_of(account.op).name), u64::from(op.job.0), kind.to_owned());
            let sum: u64 = waited.get(&key).map_or(0, |waits| waits.iter().map(|w| w.1 - w.0).sum());
            prop_assert_eq!(sum + account.executing.ns(), account.response.ns(), "{:?}", key);
        }
    }
}

/// Of every operation and kernel the parts add up to its response, whatever it waited for.
#[track_caller]
fn add_up(run: &Run, records: &Records) {
    let text = results_csv(run, records).to_string();
    let mut is_there = 0;
    for row in rows(&text).iter().filter(|row| matches!(row["section"].as_str(), "operation" | "kernel")) {
        let is_part = |name: &str| name.starts_with("waits_") || matches!(name, "executing_ns" | "suspended_ns");
        let sum: u128 = row.iter().filter(|(name, _)| is_part(name)).map(|(_, time)| time.parse::<u128>().unwrap()).sum();
        assert_eq!(sum, row["response_ns"].parse::<u128>().unwrap(), "{row:?}");
        is_there += 1;
    }
    assert!(is_there >= records.ops.len());
}

#[test]
fn exports_parts_of_every_example_add_up() {
    for example in blockstep_sim::examples::all() {
        let run = blockstep_sim::engine::simulate(&self::example(example.id), Limits::default());
        add_up(&run, &Records::new(&run.trace));
    }
}

proptest! {
    #![proptest_config(cases(120))]
    #[test]
    fn exports_parts_add_up(draft in prop_oneof![any_drafts().boxed(), turns(PolicyKind::Own).boxed()]) {
        let (run, records) = run(&draft);
        add_up(&run, &records);
    }
}

/// A policy of one's own that launches kernels one by one: K2 waits for its launch.
#[test]
fn exports_waits_for_a_launch_are_a_column() {
    let text = r#"{"version":2,"policy":{"kind":"own","text":"busy: flag\non launch(t):\n  busy = true\non finish(t):\n  busy = false\nadmit ready\nlaunch highest priority in ready where not busy\n"},
"tasks":[{"name":"A"},{"name":"B"}],
"kernels":[{"name":"K1","task":"A","stream":"A","blocks":1,"threads_per_block":32,"block_time_ns":5},{"name":"K2","task":"B","stream":"B","blocks":1,"threads_per_block":32,"block_time_ns":5}]}"#;
    let (run, records) = run(&blockstep_format::read_scenario(text).unwrap());
    add_up(&run, &records);
    let results = rows(&results_csv(&run, &records).to_string());
    let k2 = results.iter().find(|row| row["section"] == "operation" && row["kernel"] == "K2").unwrap();
    assert_eq!(["response_ns", "executing_ns", "waits_launch_ns"].map(|column| k2[column].as_str()), ["10", "5", "5"]);
}

/// A run of a whole hyperperiod of a task that asks for more than the device has (docs/semantics.md, section 9).
#[test]
fn exports_jobs_are_judged_at_the_horizon() {
    let met = |time: u64| {
        let text = r#"{ "version": 1, "name": "Utilization 1.1", "device": { "name": "one", "sms": 1 },
"policy": { "kind": "edf", "cbs": false }, "horizon_ns": 10000000,
"tasks": [ { "name": "A", "release": "periodic", "period_ns": 10000000 } ],
"kernels": [ { "name": "K", "task": "A", "blocks": 1, "threads_per_block": 1024, "block_time_ns": TIME } ] }"#;
        let (run, records) = run(&blockstep_format::read_scenario(&text.replace("TIME", &time.to_string())).unwrap());
        let jobs = rows(&write_jobs_csv(&run.trace, &records).to_string());
        jobs.iter().map(|job| format!("{} {} {}", job["release_ns"], job["end_ns"], job["met"])).collect::<Vec<_>>()
    };
    assert_eq!(met(11_000_000), ["0  false", "10000000  "]);
    assert_eq!(met(10_000_000), ["0 10000000 true", "10000000  "], "it is complete at the horizon");
}

#[test]
fn exports_tables_of_table_1() {
    let run = blockstep_sim::engine::simulate(&example("tx2-table-1"), Limits::default());
    let records = Records::new(&run.trace);
    let waits = rows(&waits_csv(&run, &records).to_string());
    let of = |kernel: &str, kind: &str| -> Vec<String> {
        let rows = waits.iter().filter(|row| row["kernel"] == kernel && row["kind"] == kind && row["waiting"] == "operation");
        rows.map(|row| format!("{} {} {}-{}", row["rule"], row["reason"], row["start_ns"], row["end_ns"])).collect()
    };
    // C2o waits for C5o, which came first: docs/semantics.md, section 3.
    assert_eq!(of("K2", "copy_out").last().unwrap(), "C2 copy engine busy 3000000000-3200000000");
    let kernels = rows(&write_kernels_csv(&run.trace, &records).to_string());
    let k3 = kernels.iter().find(|row| row["kernel"] == "K3").unwrap();
    assert_eq!((k3["start_ns"].as_str(), k3["end_ns"].as_str()), ("3600000000", "4600000000"));
}

#[test]
fn exports_tables_name_changed_rules() {
    let variants = Variants::NONE.with(Variant::NoNullBarrier);
    let run = simulate_varied(&example("tx2-table-2"), variants, Limits::default());
    let records = Records::new(&run.trace);
    for text in [
        write_kernels_csv(&run.trace, &records).to_string(),
        write_jobs_csv(&run.trace, &records).to_string(),
        waits_csv(&run, &records).to_string(),
    ] {
        let rows = rows(&text);
        assert!(!rows.is_empty() && rows.iter().all(|row| row["rules_changed"] == "no-null-barrier"), "{text}");
    }
    let logs = logs_of(&run.trace, &records);
    assert!(logs[0].0.ends_with("-varied-log1.json") && logs[0].1.contains("(rules changed: no-null-barrier)"));
    assert!(blockstep_format::write_chrome(&run.trace, &records).to_string().contains("\"rules_changed\": \"no-null-barrier\""));
    assert!(blockstep_format::file_name(&run.trace, "kernels", "csv").ends_with("-kernels-varied.csv"));
}
