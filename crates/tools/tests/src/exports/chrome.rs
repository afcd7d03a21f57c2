//! Chrome trace events, by a JSON parser of others.

use std::collections::{BTreeMap, BTreeSet};

use blockstep_format::write_chrome;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::*;
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{OpId, Time, TimeRange};
use proptest::prelude::*;
use serde_json::Value;

use super::{run, with_hostile_names};
use blockstep_testing::arbitrary::{any_drafts, cases};

fn events(text: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(text).unwrap();
    assert_eq!(file["displayTimeUnit"], "ns");
    file["traceEvents"].as_array().unwrap().clone()
}

/// Microseconds as ns.
fn ns(value: &Value) -> u64 {
    (value.as_f64().unwrap() * 1e3).round() as u64
}

fn range(event: &Value) -> (u64, u64) {
    (ns(&event["ts"]), ns(&event["ts"]) + ns(&event["dur"]))
}

fn place(event: &Value) -> (u64, u64) {
    (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap())
}

fn in_phase<'e>(events: &'e [Value], phase: &str) -> Vec<&'e Value> {
    events.iter().filter(|e| e["ph"] == phase).collect()
}

/// The process of this name.
fn process(events: &[Value], name: &str) -> Option<u64> {
    let named = |e: &&&Value| e["name"] == "process_name" && e["args"]["name"] == name;
    in_phase(events, "M").iter().find(named).map(|e| e["pid"].as_u64().unwrap())
}

fn threads_are_used_once(events: &[Value]) {
    let mut owner = BTreeMap::new();
    for event in events.iter().filter(|e| e.get("tid").is_some()) {
        let (pid, tid) = place(event);
        assert!(tid > 0 && pid > 0 && tid != pid);
        assert_eq!(*owner.entry(tid).or_insert(pid), pid, "a thread id is of one process");
    }
}

fn nothing_overlaps(events: &[Value]) {
    let mut by_thread: BTreeMap<(u64, u64), Vec<(u64, u64)>> = BTreeMap::new();
    for event in in_phase(events, "X") {
        by_thread.entry(place(event)).or_default().push(range(event));
    }
    for (thread, mut ranges) in by_thread {
        ranges.sort_unstable();
        for pair in ranges.windows(2) {
            assert!(pair[0].1 <= pair[1].0, "{pair:?} overlap on {thread:?}");
        }
    }
}

fn lengths_are_the_runs(events: &[Value], records: &Records) {
    let sum = |ranges: Vec<TimeRange>| ranges.iter().map(|r| r.span().ns()).sum::<u64>();
    let of_cat = |cats: &[&str]| {
        let wanted = in_phase(events, "X").into_iter().filter(|e| cats.iter().any(|cat| e["cat"] == *cat));
        wanted.map(|e| ns(&e["dur"])).sum::<u64>()
    };
    assert_eq!(of_cat(&["block"]), (0..records.blocks.len()).map(|i| sum(records.block_runs(i))).sum::<u64>());
    assert_eq!(of_cat(&["copy_in", "copy_out"]), (0..records.copies.len()).map(|i| sum(records.copy_runs(i))).sum::<u64>());
}

/// An arrow for each operation that began: from its launch to where it first executes.
fn arrows_connect(events: &[Value], trace: &Trace, records: &Records) {
    for (i, record) in records.ops.iter().enumerate() {
        let ends = |phase: &str| {
            let at: Vec<usize> =
                (0..events.len()).filter(|&e| events[e]["ph"] == phase && events[e]["id"].as_u64() == Some(i as u64 + 1)).collect();
            at
        };
        let (starts, stops) = (ends("s"), ends("f"));
        assert_eq!((starts.len(), stops.len()), if record.start.is_some() { (1, 1) } else { (0, 0) });
        let [Some(&start), Some(&stop)] = [starts.first(), stops.first()] else { continue };
        // Viewers bind an arrow to the event before it on the same thread.
        let (launch, first) = (&events[start - 1], &events[stop - 1]);
        for (event, arrow) in [(launch, &events[start]), (first, &events[stop])] {
            assert_eq!((event["ph"].as_str(), place(event), &event["ts"]), (Some("X"), place(arrow), &arrow["ts"]));
        }
        assert_eq!(launch["name"], first["name"]);
        assert_eq!((launch["cat"].as_str(), ns(&launch["ts"])), (Some("launch"), record.issued.ns()));
        let info = trace.op(OpId::at(i));
        let (cat, begin) = match info.kind {
            OpKind::Kernel => {
                let at = records.blocks.iter().position(|b| Some(b.start_step) == record.start_step).unwrap();
                ("block", records.block_runs(at).first().map_or(records.blocks[at].start, |r| r.start))
            }
            kind => {
                let at = records.copies.iter().position(|c| Some(c.start_step) == record.start_step).unwrap();
                let cat = if kind == OpKind::CopyIn { "copy_in" } else { "copy_out" };
                (cat, records.copy_runs(at).first().map_or(records.copies[at].start, |r| r.start))
            }
        };
        assert_eq!((first["cat"].as_str(), ns(&first["ts"])), (Some(cat), begin.ns()));
        assert_eq!(first["args"]["job"].as_u64(), Some(info.job.0.into()));
    }
}

/// At every ns, what the counter says is what the records say.
fn counters_count(events: &[Value], trace: &Trace, records: &Records) {
    let device = trace.scenario().device();
    for sm in 0..device.sms {
        let pid = process(events, &format!("SM {sm}")).unwrap();
        let counter: Vec<(u64, i64)> = in_phase(events, "C")
            .iter()
            .filter(|e| e["pid"].as_u64() == Some(pid))
            .map(|e| (ns(&e["ts"]), e["args"]["threads"].as_i64().unwrap()))
            .collect();
        assert!(counter.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
        let blocks: Vec<(Vec<TimeRange>, i64)> = (0..records.blocks.len())
            .filter(|&i| u64::from(records.blocks[i].sm.0) == sm)
            .map(|i| (records.block_runs(i), i64::from(trace.row_of(records.blocks[i].op).needs.threads)))
            .collect();
        for at in 0..=records.end().ns().min(200) {
            let busy = blocks.iter().filter(|(runs, _)| runs.iter().any(|r| r.contains(Time(at)))).map(|(_, threads)| threads).sum::<i64>();
            let said = counter.iter().rev().find(|(from, _)| *from <= at).unwrap().1;
            assert_eq!(said, device.threads_per_sm as i64 - busy, "SM {sm} at {at}");
        }
    }
}

proptest! {
    #![proptest_config(cases(120))]
    #[test]
    fn exports_chrome_events_are_true_to_the_run(draft in any_drafts()) {
        let (run, records) = run(&with_hostile_names(draft));
        let trace = &*run.trace;
        let events = events(&write_chrome(trace, &records).to_string());
        threads_are_used_once(&events);
        nothing_overlaps(&events);
        lengths_are_the_runs(&events, &records);
        arrows_connect(&events, trace, &records);
        counters_count(&events, trace, &records);
        let instants: Vec<&str> = in_phase(&events, "i").iter().map(|e| e["name"].as_str().unwrap()).collect();
        let count = |name: &str| instants.iter().filter(|n| **n == name).count();
        prop_assert_eq!(count("release"), records.jobs.len());
        prop_assert_eq!(count("deadline missed"), records.jobs.iter().filter(|j| j.met == Some(false)).count());
        let jobs = process(&events, "Jobs").unwrap();
        prop_assert_eq!(in_phase(&events, "X").iter().filter(|e| e["pid"].as_u64() == Some(jobs)).count(), records.jobs.len());
    }
}

/// What viewers make a color of: the name without digits and a space before them.
fn hashed(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if out.ends_with(' ') {
            out.pop();
        }
    }
    out
}

#[test]
fn exports_chrome_names_give_each_kernel_a_colour() {
    let scenario = super::example("tx2-table-1");
    let run = blockstep_sim::engine::simulate(&scenario, blockstep_sim::engine::Limits::default());
    let records = Records::new(&run.trace);
    let events = events(&write_chrome(&run.trace, &records).to_string());
    let blocks: Vec<&Value> = in_phase(&events, "X").into_iter().filter(|e| e["cat"] == "block").collect();
    let names: BTreeSet<&str> = blocks.iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 6);
    assert_eq!(names.iter().map(|name| hashed(name)).collect::<BTreeSet<_>>().len(), 6, "{names:?}");
    assert_eq!(blocks.iter().map(|e| e["cname"].as_str().unwrap()).collect::<BTreeSet<_>>().len(), 6);
    assert!(names.contains("K1 (a)"));
}

#[test]
fn exports_chrome_times_are_exact_decimals() {
    let mut draft = Draft { kernels: vec![KernelDraft::named("Sobel", 1, 32, 1_001)], ..Draft::default() };
    draft.kernels[0].start_ns = 9_007_199_254_740_993;
    let (run, records) = run(&draft);
    let text = write_chrome(&run.trace, &records).to_string();
    assert!(text.contains("\"ts\": 9007199254740.993, \"dur\": 1.001, \"name\": \"Sobel\""), "{text}");
}

#[test]
fn exports_chrome_residency_is_that_of_the_records() {
    let scenario = super::example("edf-vi-a-cbs");
    let run = blockstep_sim::engine::simulate(&scenario, blockstep_sim::engine::Limits::default());
    let records = Records::new(&run.trace);
    let events = events(&write_chrome(&run.trace, &records).to_string());
    let of_cat = |cat: &str| in_phase(&events, "X").into_iter().filter(|e| e["cat"] == cat).map(|e| ns(&e["dur"])).sum::<u64>();
    let sum = |ranges: &[(blockstep_sim::units::SpaceId, TimeRange)]| ranges.iter().map(|(_, r)| r.span().ns()).sum::<u64>();
    assert!(sum(&records.residency) > 0);
    assert_eq!((of_cat("resident"), of_cat("switch")), (sum(&records.residency), sum(&records.switches)));
}
