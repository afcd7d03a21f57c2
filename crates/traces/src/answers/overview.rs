//! A whole trace, as it is shown first: the answer, then what it is made of.
//!
//! Invariant: shares of a whole are rounded down, so that they never come to more than it.

use std::collections::BTreeMap;

use super::tracer::time;
use crate::causes::{Analysis, Cause};
use crate::flaws;
use crate::path::compare::{PathChange, Times, compare};
use crate::path::exposed::{exposed, said};
use crate::path::groups::{self, PathGroup, PathShare};
use crate::path::overlap::{Overlap, overlaps};
use crate::path::repeated;
use crate::path::{self, DevicePath};
use crate::ranks::{self, RankFile, RankTimes, Slowest};
use crate::summary::{AlikeWaits, Summary, counts, main_cause};
use crate::{ProfilerSource, Recording, ranges, words};
use blockstep_sim::units::Span;
use blockstep_sim::units::written::{format_count, format_time_short};
use blockstep_traces_messages::{
    ChangedRow, ComparedTraces, KeptRank, ListedWait, NameRow, NameTable, Overview, PathRow, ShareOf, ShownPath, ShownRank, ShownRanks,
    TimeShare,
};

/// At most so many names have a row.
const MOST_NAMES: usize = 300;
/// At most so many characters of a name in full.
const LONG: usize = 100;
/// At most so many rows of a path, and of what changed.
const MOST_ROWS: usize = 100;
/// Of so many parts of a recording it is said how busy a device was.
const BUSY_COLUMNS: u32 = 1_000;

/// A part of a whole in tenths of a percent.
pub(super) fn permille(part: u64, whole: u64) -> u32 {
    (u128::from(part) * 1_000 / u128::from(whole.max(1))) as u32
}

pub(super) fn overview(recording: &Recording, analysis: &Analysis, summary: &Summary, paths: &[DevicePath]) -> Overview {
    let can_learn = summary.causes[Cause::CannotTell as usize].waited_ns > 0 || summary.starts.all == 0;
    // The file says itself which stream uses which queue, or there are too few streams to share one.
    let has_channels = recording.operations.iter().any(|operation| operation.channel.is_some());
    let asked = (recording.stream_count() > 1 && !has_channels).then_some(analysis.known);
    let to_record = if can_learn { words::to_record(recording) } else { Vec::new() };
    let together = overlaps(recording);
    let paths = &paths[..paths.len().min(path::SURE_PATHS)];
    let rank = paths.first().map(|path| RankTimes::new(recording, path, &together[path.device as usize]));
    let mut by_id: Vec<&DevicePath> = paths.iter().collect();
    by_id.sort_by_key(|path| recording.devices[path.device as usize].id);
    let exposed = exposed(recording, analysis);
    let of_exposed = |path: &DevicePath| said(recording, path.device, &exposed[path.device as usize], &time);
    let answer = paths.iter().flat_map(|path| std::iter::once(path::words::sentence(recording, path)).chain(of_exposed(path)));
    Overview {
        answer: answer.chain(path::words::left_out(recording, paths.len())).collect(),
        facts: facts(recording, paths),
        paths: paths.iter().map(|path| shown(recording, analysis, path, &together[path.device as usize])).collect(),
        causes: causes(summary),
        waits: waits(recording, analysis, summary),
        names: names(recording, summary),
        lanes: Vec::new(),
        // Nothing in it cannot be written.
        rank: rank.and_then(|rank| postcard::to_stdvec(&rank).ok()).unwrap_or_default(),
        compared: None,
        end: recording.end(),
        busy: by_id.iter().map(|path| ranges::busy(recording, path, BUSY_COLUMNS)).collect(),
        flaws: flaws::sentences(recording),
        to_record: to_record.into_iter().map(str::to_owned).collect(),
        asked,
    }
}

/// The ranks of a job beside each other.
pub(super) fn ranks(kept: &[KeptRank]) -> ShownRanks {
    let read = |bytes: &Vec<u8>| postcard::from_bytes(bytes).map_err(|why| why.to_string());
    let files = kept.iter().map(|(name, kept)| (name.clone(), kept.as_ref().map_err(Clone::clone).and_then(read)));
    let files: Vec<RankFile> = files.collect();
    let slowest = match ranks::slowest(&files) {
        Ok(Slowest::HoldsUp { file, .. } | Slowest::Longest { file, .. }) => Some(file),
        _ => None,
    };
    let row = |place: usize| ShownRank {
        place: place as u32,
        label: ranks::words::label(&files[place]),
        times: files[place].1.as_ref().map(|of| ranks::words::times(of).map(time).to_vec()).map_err(Clone::clone),
        is_slowest: slowest == Some(place),
    };
    ShownRanks {
        are_of_one_job: ranks::of_one_job(&files).is_ok(),
        said: ranks::words::said(&files, &time),
        headings: ranks::words::HEADINGS.map(str::to_owned).to_vec(),
        rows: ranks::ordered(&files).into_iter().map(row).collect(),
    }
}

/// What changed from a trace to another.
pub(super) fn compared(before: &Times, after: &Times) -> ComparedTraces {
    let compared = compare(before, after);
    let row = |change: &PathChange| ChangedRow {
        share: change.share,
        what: path::words::changed(change),
        times: [time(Span(change.time.before_ns)), time(Span(change.time.after_ns)), path::words::difference(&change.time, &time)],
    };
    ComparedTraces {
        verdict: path::words::verdict(&compared, &time),
        about: path::words::steps_compared(&compared),
        is_of_runs: compared.is_of_runs,
        rows: compared.changes.iter().take(MOST_ROWS).map(row).collect(),
        left: compared.changes.len().saturating_sub(MOST_ROWS) as u64,
        flaws: compared.flaws.map(|flaws| flaws.into_iter().map(flaws::short).collect()),
    }
}

/// What the end of a device's work waited for.
fn shown(recording: &Recording, analysis: &Analysis, path: &DevicePath, together: &Overlap) -> ShownPath {
    let shares = groups::shares(recording, path);
    let whole = shares.iter().fold(0_u64, |sum, ns| sum.saturating_add(*ns));
    let share = |share: PathShare| TimeShare {
        of: ShareOf::Path(share),
        label: path::words::share_in(recording, share).0.to_owned(),
        permille: permille(shares[share as usize], whole),
        time: time(Span(shares[share as usize])),
        help: path::words::share_in(recording, share).1.to_owned(),
    };
    let mut all: Vec<PathShare> = PathShare::ALL.into_iter().filter(|&share| shares[share as usize] > 0).collect();
    all.sort_by_key(|&share| std::cmp::Reverse(shares[share as usize]));
    let (rows, left) = rows(recording, path, MOST_ROWS);
    let behind = path::words::host_behind(recording, path, &time);
    let repeated = repeated::of_steps(recording, analysis, path, &time);
    ShownPath {
        title: title(recording, path),
        shares: all.into_iter().map(share).collect(),
        rows,
        left,
        notes: repeated.into_iter().chain(behind).chain(path::words::overlap(together, &time)).collect(),
    }
}

/// The longest rows of a path, at most so many, and how many more there are with their time.
pub(super) fn rows(recording: &Recording, path: &DevicePath, most: usize) -> (Vec<PathRow>, Option<(u64, String)>) {
    let whole = path.pieces.iter().fold(0_u64, |sum, piece| sum.saturating_add(piece.span().ns()));
    let groups = groups::groups(recording, path);
    let row = |group: &PathGroup| {
        let longest = &path.pieces[group.longest as usize];
        PathRow {
            share: group.subject.share,
            label: path::words::subject(recording, group.subject),
            time: time(Span(group.ns)),
            permille: permille(group.ns, whole),
            pieces: format_count(group.pieces),
            longest: (longest.from, longest.to),
        }
    };
    let left = groups.get(most..).filter(|left| !left.is_empty()).map(|left| {
        let ns = left.iter().fold(0_u64, |sum, group| sum.saturating_add(group.ns));
        (left.len() as u64, time(Span(ns)))
    });
    (groups.iter().take(most).map(row).collect(), left)
}

/// What a path is of.
pub(super) fn title(recording: &Recording, path: &DevicePath) -> String {
    match path::alone::thread(recording, path).filter(|_| recording.is_host_alone()) {
        Some(thread) => format!("Thread {thread}"),
        None => gpu(recording.devices[path.device as usize].id),
    }
}

/// Time waited by cause, the most first.
fn causes(summary: &Summary) -> Vec<TimeShare> {
    by_cause(summary.causes.map(|total| total.waited_ns))
}

/// Times in the order of [`Cause::ALL`], ns, the most first.
pub(super) fn by_cause(waited_ns: [u64; Cause::ALL.len()]) -> Vec<TimeShare> {
    let waited = waited_ns.iter().fold(0_u64, |sum, ns| sum.saturating_add(*ns));
    let mut all: Vec<Cause> = Cause::ALL.into_iter().filter(|&cause| waited_ns[cause as usize] > 0).collect();
    all.sort_by_key(|&cause| std::cmp::Reverse(waited_ns[cause as usize]));
    let share = |cause: Cause| TimeShare {
        of: ShareOf::Cause(cause),
        label: words::label(cause).to_owned(),
        permille: permille(waited_ns[cause as usize], waited),
        time: time(Span(waited_ns[cause as usize])),
        help: words::rule(cause).to_owned(),
    };
    all.into_iter().map(share).collect()
}

fn waits(recording: &Recording, analysis: &Analysis, summary: &Summary) -> Vec<ListedWait> {
    let wait = |alike: &AlikeWaits| {
        let operation = &recording.operations[alike.operation as usize];
        let main = main_cause(analysis.parts(alike.operation), &analysis.thresholds);
        ListedWait {
            operation: alike.operation,
            name: words::named(recording, operation),
            time: time(recording.wait(operation).unwrap_or(Span::ZERO)),
            count: alike.count,
            in_all: time(Span(alike.waited_ns)),
            cause: main.map(|(cause, _)| cause),
            label: main.map(|(cause, certainty)| format!("{} ({})", words::label(cause), words::certainty(certainty))).unwrap_or_default(),
        }
    };
    summary.longest.iter().map(wait).collect()
}

fn names(recording: &Recording, summary: &Summary) -> NameTable {
    let columns: Vec<Cause> = Cause::ALL.into_iter().filter(|&cause| summary.causes[cause as usize].waited_ns > 0).collect();
    let full = |name: u32| recording.names.get(name as usize).map_or("", String::as_str);
    let mut of_short: BTreeMap<String, u32> = BTreeMap::new();
    for of in summary.names.iter().take(MOST_NAMES) {
        *of_short.entry(words::short_name(full(of.name))).or_default() += 1;
    }
    let row = |of: &crate::summary::OfName| {
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

fn facts(recording: &Recording, paths: &[DevicePath]) -> Vec<(String, String)> {
    let mut facts = vec![("Recorded by".to_owned(), recorder(recording.source).to_owned())];
    if recording.is_host_alone() {
        facts.push(("Span".to_owned(), format_time_short(recording.end().ns())));
        facts.push(("Threads".to_owned(), format_count(path::alone::threads(recording) as u64)));
        facts.push(("Calls".to_owned(), format_count(recording.calls.len() as u64)));
        facts.push(("Operators, ranges and functions".to_owned(), format_count(recording.spans.len() as u64)));
        return facts;
    }
    let mut used: Vec<_> = paths.iter().map(|path| &recording.devices[path.device as usize]).collect();
    used.sort_by_key(|device| device.id);
    facts.extend(used.iter().map(|device| (gpu(device.id), super::about_gpu(device.name.as_deref(), device.sms, device.capability))));
    let rules = used.iter().find_map(|device| device.evidence().rules());
    facts.extend(rules.map(|rules| ("Rules".to_owned(), rules.to_owned())));
    facts.push(("Span".to_owned(), format_time_short(recording.end().ns())));
    facts.push(("Operations".to_owned(), count_of_each(counts(recording))));
    facts.push(("Streams".to_owned(), format_count(recording.stream_count() as u64)));
    facts.push(("Calls".to_owned(), format_count(recording.calls.len() as u64)));
    facts
}

const fn recorder(source: ProfilerSource) -> &'static str {
    match source {
        ProfilerSource::Kineto => "PyTorch profiler",
        ProfilerSource::Nsight => "Nsight Systems",
        ProfilerSource::Xla => "XLA's profiler (JAX, TensorFlow)",
        ProfilerSource::Rocprof => "rocprofv3",
    }
}

fn gpu(id: u64) -> String {
    format!("GPU {id}")
}

fn count_of_each([kernels, copies, memsets, migrations]: [u64; 4]) -> String {
    let counted = |n: u64, one: &str, many: &str| format!("{} {}", format_count(n), if n == 1 { one } else { many });
    let always = [counted(kernels, "kernel", "kernels"), counted(copies, "copy", "copies"), counted(memsets, "memset", "memsets")];
    let moved = (migrations > 0).then(|| counted(migrations, "page migration", "page migrations"));
    always.into_iter().chain(moved).collect::<Vec<_>>().join(", ")
}
