//! How the device was used, as bars with their numbers.
//!
//! Depends on the rest of the panel. Invariant: every bar says its share in words too.

use serde::{Deserialize, Serialize};

use super::{MAX_METERS, ResultsSubject, more};
use crate::quantity::{format_count, format_time_short};
use crate::results::unit::{percent, permille};
use blockstep_sim::units::{SmId, Span};

/// How the device was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Device {
    /// The whole device, its engines, its SMs, the processes.
    pub groups: Vec<MeterGroup>,
}

/// Bars of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeterGroup {
    /// What they are of.
    pub name: String,
    /// The bars, in order.
    pub meters: Vec<Meter>,
    /// How many are not shown.
    pub more: Option<String>,
}

/// A share as a bar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meter {
    /// What it is of.
    pub name: String,
    /// The share, in hundredths of a percent.
    pub length: u32,
    /// The share in words.
    pub share: String,
    /// What else is to be said.
    pub remark: String,
}

pub(super) fn section(subject: &ResultsSubject<'_>) -> Option<Device> {
    let usage = &subject.results.usage;
    let run = u128::from(usage.run.ns());
    if run == 0 {
        return None;
    }
    let time = |name: &str, span: Span| {
        meter(name, span.ns().into(), run, format!("{} of {}", format_time_short(span.ns()), format_time_short(usage.run.ns())))
    };
    let mut whole = vec![time("executing", usage.executing)];
    if usage.has_turns {
        whole.push(time("switching", usage.switching));
    }
    whole.push(time("idle", usage.idle));
    let threads = format!("of {} threads, on average", format_count(usage.threads_per_sm.saturating_mul(usage.sms.len() as u64)));
    whole.push(meter("threads in use", usage.thread_time(), usage.available(), threads));
    let engines = usage.engines.iter().enumerate().map(|(i, &busy)| time(engine_name(i, usage.engines.len()), busy));
    let sms = usage.sms.iter().enumerate().take(MAX_METERS).map(|(i, sm)| {
        let occupied = format!("occupied {} of the time", percent(sm.busy.ns().into(), run));
        meter(&format!("SM {}", SmId::at(i).0), sm.thread_time, usage.of_one_sm(), occupied)
    });
    let processes = usage.processes.iter().zip(subject.trace.scenario().processes()).take(MAX_METERS).map(|(process, of)| {
        if usage.has_turns {
            let threads = percent(process.thread_time, usage.available());
            meter(&of.name, process.resident.ns().into(), run, format!("{threads} of the threads"))
        } else {
            meter(&of.name, process.thread_time, usage.available(), String::new())
        }
    });
    let group = |name: &str, meters: Vec<Meter>, more: Option<String>| MeterGroup { name: name.to_owned(), meters, more };
    let of_processes = if usage.has_turns { "Processes: resident" } else { "Processes: threads in use" };
    Some(Device {
        groups: vec![
            group("Whole device", whole, None),
            group("Copy engines", engines.collect(), None),
            group("SMs: threads in use", sms.collect(), more(usage.sms.len(), MAX_METERS)),
            group(of_processes, processes.collect(), more(usage.processes.len(), MAX_METERS)),
        ],
    })
}

/// What a copy engine does: both directions if it is the only one.
pub(super) fn engine_name(engine: usize, engines: usize) -> &'static str {
    match (engine, engines) {
        (_, 1) => "copies",
        (0, _) => "copies in",
        _ => "copies out",
    }
}

fn meter(name: &str, part: u128, whole: u128, remark: String) -> Meter {
    Meter { name: name.to_owned(), length: (permille(part, whole) * 10) as u32, share: percent(part, whole), remark }
}
