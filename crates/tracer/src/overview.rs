//! A whole trace, as it is shown first: the answer, then what it is made of.
//!
//! Invariant: shares of a whole are rounded down, so that they never come to more than it.

use std::collections::BTreeMap;

use super::answers::time;
use super::{ListedWait, NameRow, NameTable, Overview, TimeShare, percent};
use blockstep_profile::causes::{Analysis, Cause};
use blockstep_profile::idle::{self, Use};
use blockstep_profile::summary::{Summary, counts, largest};
use blockstep_profile::{ProfilerSource, Recording, words};
use blockstep_sim::units::Span;
use blockstep_sim::units::written::{format_count, format_time_short};

/// At most so many names have a row.
const MOST_NAMES: usize = 300;
/// At most so many characters of a name in full.
const LONG: usize = 100;
/// A device that was idle for less, in tenths of a percent, was busy.
const IDLE: u32 = 100;

/// A part of a whole in tenths of a percent.
fn permille(part: u64, whole: u64) -> u32 {
    (u128::from(part) * 1_000 / u128::from(whole.max(1))) as u32
}

pub(super) fn overview(recording: &Recording, analysis: &Analysis, summary: &Summary) -> Overview {
    let uses = idle::uses(recording, analysis);
    let mut devices: Vec<_> = recording.devices.iter().zip(&uses).filter(|(_, of)| of.busy_ns > 0).collect();
    devices.sort_by_key(|(device, _)| device.id);
    let causes = causes(summary);
    let waited = summary.waited_ns();
    let mut more = Vec::new();
    let top = Cause::ALL.into_iter().max_by_key(|&cause| (summary.causes[cause as usize].waited_ns, std::cmp::Reverse(cause)));
    match top {
        Some(cause) if waited > 0 => more.push(format!(
            "{} of the waiting is: {}. {}",
            percent(permille(summary.causes[cause as usize].waited_ns, waited)),
            words::within(cause),
            words::rule(cause)
        )),
        _ => more.push("No operation has a recorded call, so no wait can be explained.".to_owned()),
    }
    let can_learn = summary.causes[Cause::CannotTell as usize].waited_ns > 0 || summary.starts.all == 0;
    // The file says itself which stream uses which queue, or there are too few streams to share one.
    let has_channels = recording.operations.iter().any(|operation| operation.channel.is_some());
    let asked = (recording.streams.len() > 1 && !has_channels).then_some(analysis.known);
    let to_record = if can_learn { words::to_record(recording) } else { Vec::new() };
    Overview {
        answer: answer(recording, &uses),
        more,
        facts: facts(recording),
        uses: devices.into_iter().map(|(device, of)| (gpu(device.id), shares(of))).collect(),
        causes,
        waits: waits(recording, analysis, summary),
        names: names(recording, summary),
        lanes: Vec::new(),
        end: recording.end(),
        flaws: recording.flaws.iter().map(|&flaw| words::flaw(flaw)).collect(),
        to_record: to_record.into_iter().map(str::to_owned).collect(),
        asked,
    }
}

/// What the devices did, and what they waited for while they were idle.
fn answer(recording: &Recording, uses: &[Use]) -> String {
    let used: Vec<&Use> = uses.iter().filter(|of| of.busy_ns > 0 || of.idle_ns() > 0).collect();
    let sum = |of: &dyn Fn(&Use) -> u64| used.iter().fold(0_u64, |sum, each| sum.saturating_add(of(each)));
    let (busy, idle) = (sum(&|of| of.busy_ns), sum(&Use::idle_ns));
    let whole = busy.saturating_add(idle);
    let span = format_time_short(whole / (used.len().max(1) as u64));
    let said = busy_for(used.len().max(1), permille(busy, whole), &span);
    if permille(idle, whole) < IDLE {
        let has_calls = recording.operations.iter().any(|operation| operation.call.is_some());
        return if has_calls {
            format!("{said}: {}", "the host calls ahead, and operations wait for the GPU.")
        } else {
            format!("{said}.")
        };
    }
    let by_cause = Cause::ALL.into_iter().map(|cause| (sum(&|of| of.by_cause_ns[cause as usize]), words::within(cause)));
    let host = (sum(&|of| of.host_ns), "launched late by the host".to_owned());
    let mut all = vec![host, (sum(&|of| of.unknown_ns), "not known, as calls are not recorded".to_owned())];
    all.extend(by_cause);
    let (most, label) = all.into_iter().rev().max_by_key(|&(ns, _)| ns).unwrap_or_default();
    format!("{said}. {} of the idle time: {label}.", percent(permille(most, idle)))
}

/// How the time of a device was spent.
fn shares(of: &Use) -> Vec<TimeShare> {
    let whole = of.busy_ns.saturating_add(of.idle_ns());
    let share = |cause: Option<Cause>, label: &str, ns: u64, help: String| {
        (ns > 0).then(|| TimeShare { cause, label: label.to_owned(), permille: permille(ns, whole), time: time(Span(ns)), help })
    };
    let first = [
        share(None, "Busy", of.busy_ns, "At least one operation ran.".to_owned()),
        share(None, "Launched late by the host", of.host_ns, "Nothing ran, and the host had not called the next operation yet.".to_owned()),
        share(
            None,
            "Call not recorded",
            of.unknown_ns,
            "Nothing ran, and the file does not say when the next operation was called.".to_owned(),
        ),
    ];
    let causes = Cause::ALL.into_iter().map(|cause| {
        share(
            Some(cause),
            words::label(cause),
            of.by_cause_ns[cause as usize],
            format!("Nothing ran, and what ran next had been called. {}", words::rule(cause)),
        )
    });
    first.into_iter().chain(causes).flatten().collect()
}

/// Time waited by cause, the most first.
fn causes(summary: &Summary) -> Vec<TimeShare> {
    let waited = summary.waited_ns();
    let mut all: Vec<Cause> = Cause::ALL.into_iter().filter(|&cause| summary.causes[cause as usize].waited_ns > 0).collect();
    all.sort_by_key(|&cause| std::cmp::Reverse(summary.causes[cause as usize].waited_ns));
    let share = |cause: Cause| {
        let total = &summary.causes[cause as usize];
        TimeShare {
            cause: Some(cause),
            label: words::label(cause).to_owned(),
            permille: permille(total.waited_ns, waited),
            time: time(Span(total.waited_ns)),
            help: words::rule(cause).to_owned(),
        }
    };
    all.into_iter().map(share).collect()
}

fn waits(recording: &Recording, analysis: &Analysis, summary: &Summary) -> Vec<ListedWait> {
    let wait = |&place: &u32| {
        let operation = &recording.operations[place as usize];
        let part = largest(analysis.parts(place));
        ListedWait {
            operation: place,
            name: words::named(recording, operation),
            time: time(recording.wait(operation).unwrap_or(Span::ZERO)),
            cause: part.map(|part| part.cause),
            label: part.map(|part| format!("{} ({})", words::label(part.cause), words::certainty(part.certainty))).unwrap_or_default(),
            change: part.and_then(|part| words::suggestion(recording, operation, part.cause)).unwrap_or_default().to_owned(),
        }
    };
    summary.costliest.iter().map(wait).collect()
}

fn names(recording: &Recording, summary: &Summary) -> NameTable {
    let columns: Vec<Cause> = Cause::ALL.into_iter().filter(|&cause| summary.causes[cause as usize].waited_ns > 0).collect();
    let full = |name: u32| recording.names.get(name as usize).map_or("", String::as_str);
    let mut of_short: BTreeMap<String, u32> = BTreeMap::new();
    for of in summary.names.iter().take(MOST_NAMES) {
        *of_short.entry(words::short_name(full(of.name))).or_default() += 1;
    }
    let row = |of: &blockstep_profile::summary::OfName| {
        let full = full(of.name).to_owned();
        let short = words::short_name(&full);
        // Several with one short name are told apart by the whole.
        let name = if of_short.get(&short).is_some_and(|count| *count > 1) { words::cut(&full, LONG) } else { short };
        let mut numbers = vec![of.operations, of.busy_ns, of.waited_ns];
        numbers.extend(columns.iter().map(|&cause| of.by_cause_ns[cause as usize]));
        NameRow { name, full, numbers }
    };
    NameTable {
        causes: columns.iter().map(|&cause| words::label(cause).to_owned()).collect(),
        rows: summary.names.iter().take(MOST_NAMES).map(row).collect(),
        count: summary.names.len() as u64,
    }
}

fn facts(recording: &Recording) -> Vec<(String, String)> {
    let mut facts = vec![("Recorded by".to_owned(), recorder(recording.source).to_owned())];
    // Some files describe devices that nothing ran on.
    let is_used = |device: u32| recording.streams.iter().any(|stream| stream.device == device);
    let mut used: Vec<_> = recording.devices.iter().enumerate().filter(|(place, _)| is_used(*place as u32)).collect();
    used.sort_by_key(|(_, device)| device.id);
    facts.extend(used.iter().map(|(_, device)| (gpu(device.id), super::about_gpu(device.name.as_deref(), device.sms, device.capability))));
    let rules = used.iter().find_map(|(_, device)| device.evidence().rules());
    facts.extend(rules.map(|rules| ("Rules".to_owned(), rules.to_owned())));
    facts.push(("Span".to_owned(), format_time_short(recording.end().ns())));
    facts.push(("Operations".to_owned(), count_of_each(counts(recording))));
    facts.push(("Streams".to_owned(), format_count(recording.streams.len() as u64)));
    facts.push(("Calls".to_owned(), format_count(recording.calls.len() as u64)));
    facts
}

/// What the devices did: `busy` is in tenths of a percent.
fn busy_for(gpus: usize, busy: u32, span: &str) -> String {
    let busy = percent(busy);
    match gpus {
        1 => format!("The GPU was busy for {busy} of {span}"),
        n => format!("The {n} GPUs were busy for {busy} of {span} on average"),
    }
}

const fn recorder(source: ProfilerSource) -> &'static str {
    match source {
        ProfilerSource::Kineto => "PyTorch profiler",
        ProfilerSource::Nsight => "Nsight Systems",
    }
}

fn gpu(id: u64) -> String {
    format!("GPU {id}")
}

fn count_of_each([kernels, copies, memsets]: [u64; 3]) -> String {
    let counted = |n: u64, one: &str, many: &str| format!("{} {}", format_count(n), if n == 1 { one } else { many });
    let all = [counted(kernels, "kernel", "kernels"), counted(copies, "copy", "copies"), counted(memsets, "memset", "memsets")];
    all.join(", ")
}
