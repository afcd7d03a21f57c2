//! Round trip: runs of random scenarios as a profiler would record them, without their causes and with times that are off by some
//! microseconds; read back in both formats, and the causes found are compared with what held each operation back in the run.
//!
//! `BLOCKSTEP_TRIPS=10000` tries so many, `BLOCKSTEP_TRIP_SHOW="no-room cannot-tell"` shows where the one was taken for the other,
//! and `certain` where that is certain; with
//! `--nocapture` the tables are shown.

use std::collections::BTreeMap;

use blockstep_sim::dice::Dice;
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario, StreamPriority, StreamQueue};
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::{Change, OpKind, Trace};
use blockstep_sim::units::{JobNo, OpId, RowId, Time};
use blockstep_traces::causes::{Analysis, Cause, KnownSettings};
use blockstep_traces::files::read_profile;
use blockstep_view::reason::{Reason, reason};
use serde_json::{Value, json};

use super::drawn;
use super::judged::{Held, Table, Truth, judge};
use super::sqlite::database;

/// Times of the device are off by up to this, either way, ns.
pub(super) const JITTER: u64 = 5_000;
/// So long after everything that is exported, the scenario begins, ns.
const ZERO: u64 = 1_000_000;

/// What held each operation back, by time, until it started.
fn truth(run: &Run, records: &Records) -> Vec<Vec<Held>> {
    let trace = &*run.trace;
    let mut held: Vec<Vec<Held>> = vec![Vec::new(); trace.ops().len()];
    let mut replay = run.replay();
    let steps = trace.steps();
    let mut applied = 0;
    while applied < steps.len() {
        let at = steps[applied].at;
        applied += steps[applied..].partition_point(|step| step.at == at);
        let next = steps.get(applied).map_or(trace.end(), |step| step.at);
        let state = replay.seek(applied as u32);
        for (i, record) in records.ops.iter().enumerate() {
            let op = OpId::at(i);
            let started = record.start.is_some_and(|start| start <= at);
            if record.issued > at || started || next <= at {
                continue;
            }
            let Some(why) = reason(trace, state, op) else { continue };
            let Some(first) = cause(why) else { continue };
            let all = all_causes(trace, state, op, first);
            match held[i].last_mut() {
                Some(last) if last.to == at.ns() && last.first == first && last.all == all => last.to = next.ns(),
                _ => held[i].push(Held { from: at.ns(), to: next.ns(), first, all }),
            }
        }
    }
    held
}

fn cause(reason: Reason) -> Option<Cause> {
    Some(match reason {
        Reason::Producer { .. } | Reason::Event { .. } => Cause::Event,
        Reason::BehindInStream { .. } | Reason::Graph { .. } => Cause::StreamOrder,
        Reason::N1 { .. } | Reason::N2 { .. } => Cause::NullBarrier,
        Reason::BehindInConnection { .. } => Cause::Connection,
        Reason::NotResident => Cause::OtherProcess,
        Reason::A2 { .. } | Reason::X1 { .. } => Cause::BehindHead,
        Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots | Reason::AllAtOnce => Cause::NoRoom,
        Reason::CopyEngine { .. } => Cause::CopyEngine,
        Reason::NotLaunched | Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing => return None,
    })
}

/// Everything that held an operation back at an instant: without the first cause the others would still have done so.
fn all_causes(trace: &Trace, state: &Snapshot, op: OpId, first: Cause) -> Vec<Cause> {
    let mut all = vec![first];
    let stream = trace.op(op).stream;
    if first == Cause::Event {
        let is_head = state.head(stream) == Some(op);
        all.extend((!is_head).then_some(Cause::StreamOrder));
        all.extend((is_head && state.null_barrier(trace, stream).is_some()).then_some(Cause::NullBarrier));
    }
    // The stream was told to wait for the event, whatever its barrier.
    all.extend((first == Cause::NullBarrier && state.event_barrier(trace, op).is_some()).then_some(Cause::Event));
    if matches!(first, Cause::BehindHead) {
        let needs = &trace.row_of(op).needs;
        let space = state.space(trace.layout().stream(stream).space);
        if !space.sms.iter().any(|sm| sm.fits(needs)) {
            all.push(Cause::NoRoom);
        }
    }
    all
}

/// The profile of a run, and for each operation in it, by its correlation, what is known of it.
pub(super) fn export(run: &Run, records: &Records, dice: &mut Dice, records_waits: bool, jitter: u64) -> (String, Vec<Truth>, u64) {
    let trace = &*run.trace;
    let scenario = trace.scenario();
    let layout = trace.layout();
    let mut events: Vec<Value> = Vec::new();
    let mut known = Vec::new();
    let mut begins = Vec::new();
    let us = |ns: u64| -> Value {
        let text = format!("{}.{:03}", ns / 1_000, ns % 1_000);
        serde_json::from_str(&text).unwrap()
    };
    let in_turns = layout.spaces().len() > 1;
    let held = truth(run, records);
    let stream_of = |op: OpId| {
        let id = trace.op(op).stream;
        let stream = layout.stream(id);
        let context = if in_turns { 1 + stream.space.0 } else { 1 };
        let number = if stream.is_null { [7, 15][context as usize - 1] } else { 20 + id.index() as u32 };
        (context, number)
    };
    // Calls: each launch takes about six microseconds until the device has it; the order of the calls is that of the launches.
    let mut calls: Vec<u64> = Vec::new();
    for record in &records.ops {
        let issued = ZERO + record.issued.ns();
        let wanted = issued - 6_000 - dice.below(1_500);
        let last = calls.last().copied().unwrap_or(0);
        calls.push(wanted.max(last + 300).min(issued));
    }
    let mut id = 1_000_000_u64;
    for (i, record) in records.ops.iter().enumerate() {
        let op = OpId::at(i);
        let info = trace.op(op);
        let row = trace.row_of(op);
        let (context, stream) = stream_of(op);
        let thread = row.task.index() as u64 + 1;
        let called = calls[i];
        known.push(Truth {
            called,
            held: held[i].iter().map(|held| Held { from: held.from + ZERO, to: held.to + ZERO, ..held.clone() }).collect(),
        });
        let call = |name: &str, at: u64, id: u64| json!({ "ph": "X", "cat": "cuda_runtime", "name": name, "pid": 1, "tid": thread, "ts": us(at), "dur": us(250), "args": { "correlation": id } });
        // Events of the producers, recorded after the last of theirs in each stream, and waited for before the first operation here.
        let is_here = |other: &OpId| trace.op(*other).stream == info.stream && trace.row_of(*other).task == row.task;
        let is_first = !(0..i).map(OpId::at).any(|other| is_here(&other));
        let mut producers: BTreeMap<u32, usize> = BTreeMap::new();
        for &task in scenario.task(row.task).consumes.iter().filter(|_| is_first) {
            let of_task = (0..i).map(OpId::at).filter(|&other| trace.row_of(other).task == task);
            producers.extend(of_task.map(|other| (stream_of(other).1, other.index())));
        }
        // Those of the row's events: each was recorded after the last operation of its row.
        let rows_first = i == 0 || trace.op(OpId::at(i - 1)).row != info.row;
        for event in row.waits_for.iter().filter(|_| rows_first) {
            let before = (0..i).map(OpId::at).rfind(|&other| trace.row_of(other).records == Some(*event));
            producers.extend(before.map(|other| (stream_of(other).1, other.index())));
        }
        for (k, (&producer, &last)) in producers.iter().filter(|&(&producer, _)| producer != stream).enumerate() {
            let (recorded, at) = (calls[last] + 20, called - 250 + k as u64);
            begins.push(recorded);
            events.push(call("cudaEventRecord", recorded, id));
            events.push(call("cudaStreamWaitEvent", at, id + 1));
            if records_waits {
                let args = json!({ "device": 0, "context": context, "stream": stream, "correlation": id + 1, "wait_on_stream": producer,
                    "wait_on_cuda_event_record_corr_id": id });
                events.push(json!({ "ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": stream, "ts": us(at),
                    "dur": 0, "args": args }));
            }
            id += 2;
        }
        let (Some(start), Some(end)) = (record.start, record.end) else { continue };
        let mut off = |at: Time| (ZERO + at.ns() + jitter).saturating_sub(dice.below(2 * jitter + 1));
        let start = off(start).max(called);
        let end = off(end).max(start + 500);
        let api = if row.call.is_copy() { row.call.function(row.synchronous) } else { "cudaMemcpyAsync" };
        let (category, name, api) = match info.kind {
            OpKind::Kernel => ("kernel", row.name.split(',').next().unwrap().to_owned(), "cudaLaunchKernel"),
            OpKind::CopyIn => ("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)".to_owned(), api),
            OpKind::CopyOut => ("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)".to_owned(), api),
        };
        begins.push(called);
        let mut launch = call(api, called, i as u64 + 1);
        if row.synchronous {
            // It returns when the copy has ended.
            launch["dur"] = us((ZERO + record.end.unwrap().ns()).saturating_sub(called).max(250));
        }
        events.push(launch);
        let mut args = json!({ "device": 0, "context": context, "stream": stream, "correlation": i + 1 });
        if info.kind == OpKind::Kernel {
            let kernel = json!({ "grid": [row.blocks, 1, 1], "block": [row.needs.threads, 1, 1],
                "registers per thread": row.needs.registers / u64::from(row.needs.threads.max(1)), "shared memory": row.needs.shared_memory });
            args.as_object_mut().unwrap().extend(kernel.as_object().unwrap().clone());
        }
        events.push(json!({ "ph": "X", "cat": category, "name": name, "pid": 0, "tid": stream, "ts": us(start), "dur": us(end - start), "args": args }));
    }
    let mut waits: BTreeMap<(RowId, JobNo), u64> = BTreeMap::new();
    for step in trace.steps() {
        match step.change {
            Change::HostWaits { row, job } => {
                waits.insert((row, job), step.at.ns());
            }
            Change::HostReturned { row, job } if !scenario.row(row).call.has_operation() => {
                // What waits for nothing takes as long as any call.
                let from = waits.remove(&(row, job)).unwrap_or(step.at.ns() - 250);
                let info = scenario.row(row);
                events.push(json!({ "ph": "X", "cat": "cuda_runtime", "name": info.call.function(false), "pid": 1,
                    "tid": info.task.index() as u64 + 1, "ts": us(ZERO + from), "dur": us(step.at.ns() - from), "args": { "correlation": id } }));
                id += 1;
            }
            _ => {}
        }
    }
    let zero = begins.into_iter().min().unwrap_or(0);
    let limits = scenario.device();
    let device = json!({ "id": 0, "name": "V", "computeMajor": 7, "computeMinor": 0, "maxThreadsPerMultiprocessor": limits.threads_per_sm,
        "regsPerMultiprocessor": limits.registers_per_sm, "sharedMemPerMultiprocessor": limits.shared_memory_per_sm, "numSms": limits.sms });
    (json!({ "deviceProperties": [device], "traceEvents": events }).to_string(), known, zero)
}

/// The profile of a scenario with a number, as Kineto writes it.
pub(super) fn text(number: u64) -> String {
    let run = simulate(&Scenario::new(&drawn::scenario(number)).unwrap(), Limits::default());
    export(&run, &Records::new(&run.trace), &mut Dice::new(number, &[17]), number.is_multiple_of(2), JITTER).0
}

fn trip(draft: &Draft, number: u64, tables: &mut [[Table; 2]; 2], show: Option<&str>) {
    let scenario = Scenario::new(draft).unwrap_or_else(|e| panic!("{number}: {e:?}"));
    let run = simulate(&scenario, Limits::default());
    let records = Records::new(&run.trace);
    let (text, truths, zero) = export(&run, &records, &mut Dice::new(number, &[17]), number.is_multiple_of(2), JITTER);
    // All streams of these scenarios wait for the NULL stream; an export of Nsight Systems says so, and has their priorities.
    let priority = |stream: &StreamQueue| if stream.priority == StreamPriority::High { 4_294_967_295 } else { 0 };
    let streams = run.trace.layout().streams().iter().enumerate().map(|(i, stream)| (20 + i as i64, 1, priority(stream)));
    let streams: Vec<(i64, i64, i64)> = streams.collect();
    let in_turns = run.trace.layout().spaces().len() > 1;
    let export = if in_turns { None } else { Some(database(&text, &streams, Some(7))) };
    let both = [Some(text.as_bytes()), export.as_deref()];
    for (bytes, tables) in both.into_iter().zip(tables) {
        let Some(bytes) = bytes else { continue };
        let recording = read_profile(bytes, &mut |_| true).unwrap_or_else(|why| panic!("{number}: {why}"));
        let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
        judge(&recording, &analysis, &truths, zero, tables, show);
        super::path::check(&recording, &analysis);
    }
}

#[test]
fn profile_causes_are_found_again() {
    trips(drawn::scenario, "");
}

/// Where threads wait, what they call late is no wait of the operation; freeing and allocating are no cause of theirs either.
#[test]
fn profile_causes_are_found_again_where_threads_wait() {
    trips(drawn::waiting, ", threads wait");
}

fn trips(drawn: fn(u64) -> Draft, what: &str) {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let trips = number("BLOCKSTEP_TRIPS").unwrap_or(1_000);
    let show = std::env::var("BLOCKSTEP_TRIP_SHOW").ok();
    let mut tables: [[Table; 2]; 2] = Default::default();
    for number in 0..trips {
        trip(&drawn(number), number, &mut tables, show.as_deref());
    }
    for (format, [waits, parts]) in ["Kineto", "Nsight Systems"].into_iter().zip(&tables) {
        let format = format!("{format}{what}");
        waits.print(&format!("{format}: waits over 20 us"));
        parts.print(&format!("{format}: their parts over 20 us"));
        for table in [waits, parts] {
            let [all, right, certain] = table.total();
            assert!(all > trips && right * 100 >= all * 95, "{format}: {right} of {all} are right");
            assert!(certain * 1_000 <= all * 3, "{format}: {certain} of {all} are wrong and certain");
            assert!(table.mean_over_causes() >= 880, "{format}: {} of 1,000 as a mean over causes", table.mean_over_causes());
        }
    }
}
