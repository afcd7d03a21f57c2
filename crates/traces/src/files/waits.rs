//! The paths and the waits of a recording for programs and spreadsheets.
//!
//! Invariant: times are whole nanoseconds from the recording's first event; the shares of a path add up to the wall clock, the parts of a
//! wait to the wait.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};

use serde::Serialize;

use crate::causes::{Analysis, Cause, Lack, WaitPart};
use crate::gain::promises::Promise;
use crate::gain::{self, Behind, Gains, Lever, NoGains, TriedChange};
use crate::path::compare::{BeforeAfter, Comparison, PathChange};
use crate::path::exposed::{Exposed, KeptApart, exposed, said};
use crate::path::groups::{self, PathGroup, PathShare};
use crate::path::overlap::{Overlap, overlaps};
use crate::path::repeated::{self, RepeatedWait, repeated_wait};
use crate::path::steps::steps;
use crate::path::{self, DevicePath, PathStep};
use crate::summary::{AlikeWaits, Starts, Summary};
use crate::{Flaw, HostSort, Operation, ProfilerSource, RecordedDevice, Recording, words};
use blockstep_format::{csv_cell, layout};
use blockstep_sim::occupancy::NAMES;
use blockstep_sim::scenario::Evidence;
use blockstep_sim::units::written::format_time_short;

#[derive(Serialize)]
struct Waits<'r> {
    answer: Vec<String>,
    gains: OfGains,
    paths: Vec<OfPath>,
    source: ProfilerSource,
    operations: usize,
    /// How many ran something.
    devices: usize,
    streams: usize,
    end_ns: u64,
    flaws: &'r [Flaw],
    /// What the profiler said of its recording.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence>,
    starts: Starts,
    waited_ns: u64,
    causes: Vec<OfCause>,
    longest: Vec<OfOperation<'r>>,
}

/// What changes would gain, or why that cannot be told.
#[derive(Serialize)]
struct OfGains {
    said: Vec<String>,
    note: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    recorded_ns: Option<u64>,
    /// The wall clock of the replay without a change.
    #[serde(skip_serializing_if = "Option::is_none")]
    unchanged_ns: Option<u64>,
    tried: Vec<OfTried>,
    levers: Vec<OfLever>,
}

/// A change that was tried.
#[derive(Serialize)]
struct OfTried {
    change: String,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    only_if: Option<String>,
    wall_ns: u64,
    gain_ns: u64,
    proposed: bool,
    /// Of a proposal: what it saves beyond those before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_ns: Option<u64>,
    /// Of a proposal: what of the program each of its changes is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    behind: Vec<OfBehind>,
}

/// What of the program a change is about.
#[derive(Serialize)]
struct OfBehind {
    change: &'static str,
    /// What is counted.
    of: &'static str,
    count: u64,
    /// Where in the program most of them are, as the file names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count_within: Option<u64>,
    /// The worst certainty of the causes that the change removes.
    #[serde(skip_serializing_if = "Option::is_none")]
    certainty: Option<&'static str>,
}

impl OfBehind {
    fn new(recording: &Recording, of: &Behind) -> Self {
        Self {
            change: of.change.word(),
            of: of.kind.word(),
            count: of.count,
            within: of.within.map(|(span, _)| recording.names[recording.spans[span as usize].name as usize].clone()),
            count_within: of.within.map(|(_, count)| count),
            certainty: of.certainty.map(words::certainty),
        }
    }
}

/// A row of the path, and what the whole would gain if it took less time.
#[derive(Serialize)]
struct OfLever {
    what: String,
    path_ns: u64,
    /// Gains with a quarter less, half, three quarters, and all of it.
    gains_ns: Vec<u64>,
    /// What holds the run up then, if one thing does.
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<String>,
}

fn of_gains(recording: &Recording, gains: Result<&Gains, &NoGains>) -> OfGains {
    let of_change = |gains: &Gains, tried: &TriedChange| OfTried {
        change: tried.word(),
        what: gain::words::together(recording, &tried.changes),
        only_if: gain::words::conditions(recording, &tried.changes),
        wall_ns: tried.wall_ns,
        gain_ns: gains.gain_ns(tried),
        proposed: gains.more_ns(tried).is_some(),
        more_ns: gains.more_ns(tried),
        behind: match gains.more_ns(tried) {
            Some(_) => tried.changes.iter().filter_map(|&of| gains.behind(of)).map(|of| OfBehind::new(recording, of)).collect(),
            None => Vec::new(),
        },
    };
    let (said, note) = gain::words::said(recording, gains, &|span| format_time_short(span.ns()));
    let of_lever = |(lever, gains_ns): (&Lever, [u64; gain::PERCENTS.len()])| OfLever {
        what: gain::words::lever(recording, lever.what),
        path_ns: lever.path_ns,
        gains_ns: gains_ns.to_vec(),
        then: gain::words::then(recording, lever),
    };
    OfGains {
        said,
        note,
        recorded_ns: gains.ok().map(|gains| gains.recorded_ns),
        unchanged_ns: gains.ok().map(|gains| gains.unchanged_ns),
        tried: gains.ok().map_or(Vec::new(), |gains| gains.tried.iter().map(|tried| of_change(gains, tried)).collect()),
        levers: gains.ok().map_or(Vec::new(), |gains| gains.curves().map(of_lever).collect()),
    }
}

/// What the end of a device's work waited for.
#[derive(Serialize)]
struct OfPath {
    /// Missing where the file has no operation of a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<u64>,
    /// The thread that such a path is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    thread: Option<u64>,
    wall_clock_ns: u64,
    shares_ns: BTreeMap<&'static str, u64>,
    host_behind_ns: u64,
    /// Where each step begins that repeats, and where the last one ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps_ns: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeated_wait: Option<OfRepeated>,
    overlap: Overlap,
    /// Communication with no computation beside it, if that is a hundredth of the wall clock or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    exposed_communication: Option<OfExposed>,
    groups: Vec<OfGroup>,
    groups_in_all: usize,
}

/// Communication with no computation beside it, by what kept them apart.
#[derive(Serialize)]
struct OfExposed {
    ns: u64,
    certain_ns: u64,
    kept_apart_ns: BTreeMap<&'static str, u64>,
}

impl OfExposed {
    fn new(of: &Exposed) -> Self {
        let kept_apart_ns = KeptApart::ALL.into_iter().map(|why| (why.word(), of.ns[why as usize])).collect();
        Self { ns: of.in_all_ns(), certain_ns: of.certain_ns, kept_apart_ns }
    }
}

/// Pieces of a path that have something in common.
#[derive(Serialize)]
pub(super) struct OfGroup {
    what: String,
    share: &'static str,
    /// What the host ran between its calls that `what` names.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    pieces: u64,
    ns: u64,
    certain_ns: u64,
}

pub(super) fn of_group(recording: &Recording, group: &PathGroup) -> OfGroup {
    OfGroup {
        what: path::words::subject(recording, group.subject),
        share: group.subject.share.word(),
        span: group.subject.span.map(HostSort::word),
        cause: group.subject.cause.map(Cause::word),
        pieces: group.pieces,
        ns: group.ns,
        certain_ns: group.certain_ns,
    }
}

/// The longest wait that repeats with the steps.
#[derive(Serialize)]
struct OfRepeated {
    said: String,
    name: String,
    stream: u64,
    cause: &'static str,
    certainty: &'static str,
    by: String,
    by_stream: u64,
    steps: usize,
    of_steps: usize,
    median_ns: u64,
    least_ns: u64,
    most_ns: u64,
    idle_ns: u64,
}

fn of_repeated(recording: &Recording, wait: &RepeatedWait) -> OfRepeated {
    let (operation, by) = (&recording.operations[wait.operation as usize], &recording.operations[wait.by as usize]);
    OfRepeated {
        said: repeated::said(recording, wait, &|span| format_time_short(span.ns())),
        name: recording.name(operation).to_owned(),
        stream: recording.stream(operation).id,
        cause: wait.cause.word(),
        certainty: words::certainty(wait.certainty),
        by: recording.name(by).to_owned(),
        by_stream: recording.stream(by).id,
        steps: wait.steps,
        of_steps: wait.of,
        median_ns: wait.median_ns,
        least_ns: wait.least_ns,
        most_ns: wait.most_ns,
        idle_ns: wait.idle_ns,
    }
}

/// The number of a path's device; `None` of the host alone.
pub(super) fn number_of(recording: &Recording, path: &DevicePath) -> Option<u64> {
    (!recording.is_host_alone()).then(|| recording.devices[path.device as usize].id)
}

/// The thread of a path of the host alone.
pub(super) fn thread_of(recording: &Recording, path: &DevicePath) -> Option<u64> {
    path::alone::thread(recording, path).filter(|_| recording.is_host_alone())
}

fn of_path(
    (recording, analysis): (&Recording, &Analysis),
    path: &DevicePath,
    (together, exposed): (&[Overlap], &[Exposed]),
    top: usize,
) -> OfPath {
    let steps = steps(recording, path.device);
    let wait = steps.as_ref().and_then(|steps| repeated_wait(recording, analysis, path, steps));
    let shares = groups::shares(recording, path);
    let groups = groups::groups(recording, path);
    OfPath {
        device: number_of(recording, path),
        thread: thread_of(recording, path),
        wall_clock_ns: shares.iter().fold(0, |sum, ns| sum.saturating_add(*ns)),
        shares_ns: PathShare::ALL.into_iter().map(|share| (share.word(), shares[share as usize])).collect(),
        host_behind_ns: path.host_behind_ns,
        steps_ns: steps.map(|steps| steps.bounds.iter().map(|bound| bound.ns()).collect()),
        repeated_wait: wait.map(|wait| of_repeated(recording, &wait)),
        overlap: together[path.device as usize],
        exposed_communication: Some(&exposed[path.device as usize]).filter(|of| of.is_worth(recording)).map(OfExposed::new),
        groups: groups.iter().take(top).map(|group| of_group(recording, group)).collect(),
        groups_in_all: groups.len(),
    }
}

#[derive(Serialize)]
struct OfCause {
    cause: &'static str,
    operations: u64,
    waited_ns: u64,
    certain_ns: u64,
}

#[derive(Serialize)]
struct OfOperation<'r> {
    name: &'r str,
    stream: u64,
    device: u64,
    /// The number by which the file joins it with its call.
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation: Option<u64>,
    called_ns: Option<u64>,
    start_ns: u64,
    end_ns: u64,
    alike: u64,
    alike_waited_ns: u64,
    parts: Vec<OfPart<'r>>,
}

#[derive(Serialize)]
struct OfPart<'r> {
    cause: &'static str,
    certainty: &'static str,
    ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_stream: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lack: Option<OfLack>,
}

/// What an SM lacked for a block.
#[derive(Serialize)]
struct OfLack {
    resource: &'static str,
    needed: u64,
    free: u64,
}

fn of_lack(lack: Lack) -> Option<OfLack> {
    NAMES.get(usize::from(lack.resource)).map(|resource| OfLack { resource, needed: lack.needed, free: lack.free })
}

/// The paths, the totals, and the parts of the longest waits, as JSON.
#[must_use]
pub fn write_waits_json(
    (recording, analysis): (&Recording, &Analysis),
    summary: &Summary,
    paths: &[DevicePath],
    gains: Result<&Gains, &NoGains>,
    top: usize,
) -> String {
    let (together, exposed) = (overlaps(recording), exposed(recording, analysis));
    let of_exposed = |path: &DevicePath| said(recording, path.device, &exposed[path.device as usize], &|span| format_time_short(span.ns()));
    let of_cause = |cause: Cause| {
        let total = &summary.causes[cause as usize];
        OfCause { cause: cause.word(), operations: total.operations, waited_ns: total.waited_ns, certain_ns: total.certain_ns }
    };
    let of_part = |part: &WaitPart| {
        let by = part.by.map(|by| &recording.operations[by as usize]);
        OfPart {
            cause: part.cause.word(),
            certainty: words::certainty(part.certainty),
            ns: part.span().ns(),
            by: by.map(|by| recording.name(by)),
            by_stream: by.map(|by| recording.stream(by).id),
            lack: part.lack.and_then(of_lack),
        }
    };
    let of_wait = |alike: &AlikeWaits| {
        let operation = &recording.operations[alike.operation as usize];
        OfOperation {
            name: recording.name(operation),
            stream: recording.stream(operation).id,
            device: recording.device(operation).id,
            correlation: operation.correlation,
            called_ns: called(recording, operation),
            start_ns: operation.start.ns(),
            end_ns: operation.end.ns(),
            alike: alike.count,
            alike_waited_ns: alike.waited_ns,
            parts: analysis.parts(alike.operation).iter().map(of_part).collect(),
        }
    };
    let waits = Waits {
        answer: paths.iter().flat_map(|path| std::iter::once(path::words::sentence(recording, path)).chain(of_exposed(path))).collect(),
        gains: of_gains(recording, gains),
        paths: paths.iter().map(|path| of_path((recording, analysis), path, (&together, &exposed), top)).collect(),
        source: recording.source,
        operations: recording.operations.len(),
        devices: recording.used_devices().into_iter().filter(|used| *used).count(),
        streams: recording.stream_count(),
        end_ns: recording.end().ns(),
        flaws: &recording.flaws,
        messages: recording.messages.iter().map(|message| message.text.as_str()).collect(),
        evidence: recording.devices.iter().map(RecordedDevice::evidence).find(|evidence| evidence.rules().is_some()),
        starts: summary.starts,
        waited_ns: summary.waited_ns(),
        causes: Cause::ALL.into_iter().map(of_cause).collect(),
        longest: summary.longest.iter().take(top).map(of_wait).collect(),
    };
    layout::file(waits).to_string()
}

fn called(recording: &Recording, operation: &Operation) -> Option<u64> {
    recording.call(operation).map(|call| call.start.ns())
}

/// Every part of every wait, a line each; they are made as they are written.
#[must_use]
pub fn write_waits_csv(recording: &Recording, analysis: &Analysis) -> impl Display {
    fmt::from_fn(move |out| {
        out.write_str(
            "operation,name,device,stream,called_ns,start_ns,end_ns,cause,certainty,part_ns,by,by_name,lack,needed,free,correlation\n",
        )?;
        for (place, operation) in recording.operations.iter().enumerate() {
            for part in analysis.parts(place as u32) {
                let (device, stream) = (recording.device(operation).id, recording.stream(operation).id);
                let called = called(recording, operation).map_or(String::new(), |ns| ns.to_string());
                write!(
                    out,
                    "{place},{},{device},{stream},{called},{},{},{},{},{},",
                    csv_cell(recording.name(operation)),
                    operation.start.ns(),
                    operation.end.ns(),
                    part.cause.word(),
                    words::certainty(part.certainty),
                    part.span().ns()
                )?;
                match part.by {
                    Some(by) => write!(out, "{by},{}", csv_cell(recording.name(&recording.operations[by as usize])))?,
                    None => out.write_char(',')?,
                }
                match part.lack.and_then(of_lack) {
                    Some(lack) => write!(out, ",{},{},{},", lack.resource, lack.needed, lack.free)?,
                    None => out.write_str(",,,,")?,
                }
                writeln!(out, "{}", operation.correlation.map_or(String::new(), |id| id.to_string()))?;
            }
        }
        Ok(())
    })
}

/// Every piece of every path, a line each, by time; they are made as they are written.
#[must_use]
pub fn write_path_csv(recording: &Recording, paths: &[DevicePath]) -> impl Display {
    fmt::from_fn(move |out| {
        out.write_str("device,from_ns,to_ns,share,what,cause,certainty,operation\n")?;
        for path in paths {
            let device = number_of(recording, path).map_or(String::new(), |id| id.to_string());
            for piece in &path.pieces {
                let subject = piece.subject(recording, path.device);
                let operation = match piece.step {
                    PathStep::Running(place) | PathStep::Waiting(place, _) => place.to_string(),
                    _ => String::new(),
                };
                writeln!(
                    out,
                    "{device},{},{},{},{},{},{},{operation}",
                    piece.from.ns(),
                    piece.to.ns(),
                    subject.share.word(),
                    csv_cell(&path::words::subject(recording, subject)),
                    subject.cause.map_or("", Cause::word),
                    words::certainty(piece.certainty),
                )?;
            }
        }
        Ok(())
    })
}

/// What changed from a recording to another, and what became of what the first promised, where both can be run again, as JSON.
#[must_use]
pub fn write_comparison_json(comparison: &Comparison, promises: Option<&[Promise]>) -> String {
    layout::file(OfComparison {
        verdict: path::words::verdict(comparison, &|span| format_time_short(span.ns())),
        compares: if comparison.is_of_runs { "runs" } else { "steps" },
        steps_before: comparison.steps.0,
        steps_after: comparison.steps.1,
        step: OfTimes::new(&comparison.step),
        slower_permille: comparison.slower_permille(),
        changes: comparison.changes.iter().map(OfChange::new).collect(),
        flaws_before: &comparison.flaws[0],
        flaws_after: &comparison.flaws[1],
        promises: promises.map(|promises| promises.iter().map(OfPromise::new).collect()),
    })
    .to_string()
}

#[derive(Serialize)]
struct OfComparison<'c> {
    verdict: String,
    compares: &'static str,
    steps_before: usize,
    steps_after: usize,
    step: OfTimes,
    slower_permille: u64,
    changes: Vec<OfChange<'c>>,
    flaws_before: &'c [Flaw],
    flaws_after: &'c [Flaw],
    #[serde(skip_serializing_if = "Option::is_none")]
    promises: Option<Vec<OfPromise<'c>>>,
}

#[derive(Serialize)]
struct OfPromise<'c> {
    what: &'c str,
    promised_permille: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_permille: Option<u64>,
    is_gone: bool,
}

impl<'c> OfPromise<'c> {
    fn new(of: &'c Promise) -> Self {
        let Promise { promised_permille, left_permille, is_gone, .. } = *of;
        Self { what: &of.what, promised_permille, left_permille, is_gone }
    }
}

/// Medians of the steps.
#[derive(Serialize)]
struct OfTimes {
    before_ns: u64,
    after_ns: u64,
    noise_ns: u64,
    differs: bool,
}

impl OfTimes {
    const fn new(of: &BeforeAfter) -> Self {
        Self { before_ns: of.before_ns, after_ns: of.after_ns, noise_ns: of.noise_ns, differs: of.differs() }
    }
}

#[derive(Serialize)]
struct OfChange<'c> {
    share: &'static str,
    before: &'c str,
    after: &'c str,
    #[serde(flatten)]
    time: OfTimes,
}

impl<'c> OfChange<'c> {
    fn new(change: &'c PathChange) -> Self {
        Self { share: change.share.word(), before: &change.before, after: &change.after, time: OfTimes::new(&change.time) }
    }
}
