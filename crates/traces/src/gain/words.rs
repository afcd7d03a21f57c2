//! What changes would gain, in words.
//!
//! Invariant: a sentence says what the whole would gain, what that takes for granted, and how far the replay is off.

use super::collectives::{FixedPart, fixed_part};
use super::levers::copied_again;
use super::promises::Promise;
use super::{Behind, BehindKind, Gains, Lever, LeverSubject, NoGains, ProgramChange, Rung, TriedChange};
use crate::causes::Certainty;
use crate::communication::{self, CollectiveKind};
use crate::path::PathPiece;
use crate::path::compare::Comparison;
use crate::path::groups::{PathShare, PathSubject};
use crate::path::words::{host_named, span_named, subject};
use crate::words::short_name;
use crate::{OperationKind, ProfilerSource, Recording};
use blockstep_sim::language::one_or;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::{format_count, format_time_short};

/// What is changed, as what one would do: "Capture the launches between two waits of the host in a CUDA graph".
#[must_use]
pub fn change(recording: &Recording, of: ProgramChange) -> String {
    let name = |name: u32| short_name(recording.names.get(name as usize).map_or("", String::as_str));
    let stream = |stream: u32| recording.streams[stream as usize].id;
    let (graph, is_hip) = if recording.is_hip() { ("HIP graph", true) } else { ("CUDA graph", false) };
    match of {
        ProgramChange::Graphs => format!("Capture the launches between two waits of the host in a {graph}"),
        ProgramChange::FewerWaits => "Do not make the host wait for the GPU".to_owned(),
        ProgramChange::FewerReads => "Do not read small results back at once".to_owned(),
        ProgramChange::Pinned => "Copy from and to pinned memory, asynchronously".to_owned(),
        ProgramChange::NoAllocations => "Allocate before the work begins, and free after it".to_owned(),
        ProgramChange::CommunicationBeside => "Give communication a stream of its own, so that it overlaps with computation".to_owned(),
        ProgramChange::NonBlocking => "Make all streams non-blocking, so that none waits for the NULL stream".to_owned(),
        ProgramChange::OwnStream { name: of, stream: from } => {
            format!("Move {} of stream {} to a non-blocking stream of its own", name(of), stream(from))
        }
        ProgramChange::HighPriority(of) => format!("Give stream {} a high priority", stream(of)),
        ProgramChange::HalfGrid(of) => format!("Give {} half as many blocks, which take twice as long", name(of)),
        ProgramChange::WarmUp if is_hip => "Launch each kernel once beforehand".to_owned(),
        ProgramChange::WarmUp => "Launch each kernel once beforehand, or set CUDA_MODULE_LOADING=EAGER".to_owned(),
        ProgramChange::MoreConnections if is_hip => "Raise GPU_MAX_HW_QUEUES, so that no streams share a hardware queue".to_owned(),
        ProgramChange::MoreConnections => "Raise CUDA_DEVICE_MAX_CONNECTIONS, so that no streams share a hardware queue".to_owned(),
        ProgramChange::FewerCollectives { kind, stream: of, count, left, .. } => {
            let (count, kind) = (format_count(u64::from(count)), communication::plural(kind));
            let larger = one_or(left, "one larger one", "# larger ones").replace('#', &format_count(u64::from(left)));
            format!("Send {count} {kind} of stream {} as {larger}", stream(of))
        }
        ProgramChange::Faster { what, percent } => faster(recording, what, percent),
    }
}

/// What a lever is about, as a label.
#[must_use]
pub fn lever(recording: &Recording, what: LeverSubject) -> String {
    match what {
        LeverSubject::Kernels => "All kernels".to_owned(),
        LeverSubject::Host => "The whole host".to_owned(),
        LeverSubject::Row(row) => subject(recording, row),
    }
}

/// What holds the run up once a lever takes no time any more, if one thing does.
#[must_use]
pub fn then(recording: &Recording, lever: &Lever) -> Option<String> {
    Some(match lever.then? {
        LeverSubject::Kernels => "kernels".to_owned(),
        LeverSubject::Host => "the host".to_owned(),
        LeverSubject::Row(row) if row.share == PathShare::Launching => "launches".to_owned(),
        LeverSubject::Row(row) => subject(recording, row),
    })
}

/// What a lever is about takes less time, as what one would do.
fn faster(recording: &Recording, what: LeverSubject, percent: u8) -> String {
    let row = match what {
        LeverSubject::Kernels => return format!("Shorten all kernels by {percent} %"),
        LeverSubject::Host => return format!("Shorten all that the host does by {percent} %"),
        LeverSubject::Row(row) => row,
    };
    let host = host_named(recording, row);
    let name = row.name.map_or(String::new(), |name| short_name(&recording.names[name as usize]));
    match (row.share, row.span, percent) {
        (PathShare::Host, Some(_), 100) if loads_data(recording, row) => format!("Have worker processes run {host}"),
        (PathShare::Host, Some(_), 100) => format!("Spend no host time in {host}, between its calls"),
        (PathShare::Host, None, 100) if row.name.is_some() => format!("Spend no host time in {host}"),
        (PathShare::Host, None, 100) => "Spend no host time between calls".to_owned(),
        (PathShare::Host, None, _) if row.name.is_none() => format!("Shorten what the host runs between its calls by {percent} %"),
        (PathShare::Host, ..) => format!("Shorten the host's time in {host} by {percent} %"),
        (PathShare::Launching, ..) => format!("Shorten the way of launches to the GPU by {percent} %"),
        (_, _, 100) => match copied_again(recording, row) {
            Some(OperationKind::HostToDevice) => format!("Keep on the GPU what {name} copies, and copy it once"),
            Some(_) => format!("Leave on the GPU what {name} copies, and copy it once, at the end"),
            None => format!("Do without {name}"),
        },
        (_, _, 50) => format!("Make {name} itself twice as fast"),
        _ => format!("Shorten {name} itself by {percent} %"),
    }
}

/// What several changes together are: "Do not make the host wait for the GPU, and do not read small results back at once".
#[must_use]
pub fn together(recording: &Recording, changes: &[ProgramChange]) -> String {
    let lower = |text: String| {
        let mut letters = text.chars();
        letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
    };
    let texts = changes.iter().map(|&of| change(recording, of)).enumerate();
    texts.map(|(place, text)| if place == 0 { text } else { lower(text) }).collect::<Vec<_>>().join(", and ")
}

/// What the changes take for granted, a clause after "if": `None` if nothing.
#[must_use]
pub fn conditions(recording: &Recording, changes: &[ProgramChange]) -> Option<String> {
    let all: Vec<String> = changes.iter().filter_map(|&of| condition(recording, of)).collect();
    (!all.is_empty()).then(|| all.join(", and "))
}

fn condition(recording: &Recording, of: ProgramChange) -> Option<String> {
    let name = |name: u32| short_name(recording.names.get(name as usize).map_or("", String::as_str));
    Some(match of {
        ProgramChange::Graphs => "they repeat".to_owned(),
        ProgramChange::FewerWaits => "the code after the wait does not need the results".to_owned(),
        ProgramChange::FewerReads => "the program can do without these results, or read them at its end".to_owned(),
        ProgramChange::CommunicationBeside => "the computation after it does not need the results".to_owned(),
        ProgramChange::NonBlocking => "events keep the order that the program needs".to_owned(),
        ProgramChange::OwnStream { name: of, .. } => {
            format!("nothing before {} in its stream is needed, and nothing after needs it", name(of))
        }
        ProgramChange::HalfGrid(of) => format!("{} can be cut that way", name(of)),
        ProgramChange::FewerCollectives { kind, stream, .. } => {
            let shortest = match fixed_part(recording, kind, stream) {
                FixedPart::Shortest(ns) => format!(", and the shortest of them ({}) is latency alone", format_time_short(ns)),
                FixedPart::Fitted(ns) if ns > 0 => format!(", and each of them takes {} whatever its size", format_time_short(ns)),
                FixedPart::Fitted(_) | FixedPart::Unknown => String::new(),
            };
            format!("nothing between them needs the result of an earlier one{shortest}")
        }
        ProgramChange::Faster { what: LeverSubject::Row(row), percent: 100 } => match (row.share, row.span) {
            (PathShare::Host, _) if loads_data(recording, row) => "they can keep up".to_owned(),
            (PathShare::Host, _) => return None,
            _ if copied_again(recording, row)? == OperationKind::HostToDevice => "the data stays the same".to_owned(),
            _ => "the host does not need it each time".to_owned(),
        },
        _ => return None,
    })
}

/// What one would type for several changes, a sentence: "In PyTorch: A; B."
fn deeds(recording: &Recording, changes: &[ProgramChange]) -> Option<String> {
    let all: Vec<String> = changes.iter().filter_map(|&of| deed(recording, of)).collect();
    let (with, _) = all.first()?.split_once(": ")?;
    let each: Vec<&str> = all.iter().filter_map(|deed| deed.split_once(": ")).map(|(_, what)| what.trim_end_matches('.')).collect();
    Some(format!("{with}: {}.", each.join("; ")))
}

/// What one would type, a sentence: `None` if no setting or call does it.
#[must_use]
pub fn deed(recording: &Recording, of: ProgramChange) -> Option<String> {
    let is_torch = recording.source == ProfilerSource::Kineto;
    let in_torch = |text: &str| is_torch.then(|| format!("In PyTorch: {text}."));
    let in_cuda = |text: &str| (recording.source == ProfilerSource::Nsight && !recording.is_hip()).then(|| format!("In CUDA: {text}."));
    match of {
        ProgramChange::Graphs => in_torch("torch.compile(mode=\"reduce-overhead\"), or torch.cuda.graph")
            .or_else(|| in_cuda("cudaStreamBeginCapture, and cudaGraphLaunch for each repetition")),
        ProgramChange::FewerReads => in_torch("no .item(), .cpu() or print of a tensor in the loop"),
        ProgramChange::Pinned => {
            in_torch("pin_memory=True, and .to(device, non_blocking=True)").or_else(|| in_cuda("cudaHostAlloc, and cudaMemcpyAsync"))
        }
        ProgramChange::NoAllocations => in_cuda("cudaMallocAsync and cudaFreeAsync keep the memory in a pool"),
        ProgramChange::CommunicationBeside => {
            in_torch("async_op=True, or DistributedDataParallel, which sends its buckets (bucket_cap_mb) beside the backward pass")
        }
        ProgramChange::FewerCollectives { kind: CollectiveKind::AllReduce, .. } => {
            in_torch("a larger bucket_cap_mb of DistributedDataParallel, or one all_reduce of tensors that are joined before")
        }
        ProgramChange::FewerCollectives { kind: CollectiveKind::AllGather | CollectiveKind::ReduceScatter, .. } => {
            in_torch("larger units of FSDP, by its auto_wrap_policy or fewer calls of fully_shard")
        }
        ProgramChange::NonBlocking => in_cuda("cudaStreamCreateWithFlags with cudaStreamNonBlocking"),
        ProgramChange::OwnStream { .. } => in_torch("torch.cuda.stream"),
        ProgramChange::HighPriority(_) => in_torch("torch.cuda.Stream(priority=-1)").or_else(|| in_cuda("cudaStreamCreateWithPriority")),
        ProgramChange::Faster { what: LeverSubject::Row(row), percent: 100 } if loads_data(recording, row) => {
            in_torch("num_workers of the DataLoader")
        }
        _ => None,
    }
}

/// Whether a row is of PyTorch's data loader without workers.
fn loads_data(recording: &Recording, row: PathSubject) -> bool {
    row.share == PathShare::Host
        && row.span.is_some()
        && row.name.is_some_and(|name| recording.names[name as usize].contains("_SingleProcessDataLoaderIter"))
}

/// A proposal in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What one would do, and what the whole gains: "Copy from and to pinned memory, asynchronously: saves 0.42 s (24 %)."
    pub headline: String,
    /// How much of the program that is about and where, and what one would type, sentences; empty if there is nothing to say.
    pub details: String,
    /// The place on a path that it is about, if it is about one.
    pub place: Option<PathPiece>,
}

/// A proposal that saves so much beyond those before it, ns.
fn proposal(recording: &Recording, gains: &Gains, tried: &TriedChange, more_ns: u64, time: &dyn Fn(Span) -> String) -> Proposal {
    let alone_ns = gains.gain_ns(tried);
    let percent = |ns: u64| u128::from(ns) * 100 / u128::from(gains.recorded_ns.max(1));
    let what = together(recording, &tried.changes);
    // What another proposal saves is not promised twice.
    let saves = if !gains.is_worth_making(tried, more_ns) {
        format!("saves {} ({} %) instead of lines above, not in addition", time(Span(alone_ns)), percent(alone_ns))
    } else if gains.is_a_hundredth(alone_ns.saturating_sub(more_ns)) {
        format!("saves {} more ({} %)", time(Span(more_ns)), percent(more_ns))
    } else {
        format!("saves {} ({} %)", time(Span(alone_ns.min(more_ns))), percent(alone_ns.min(more_ns)))
    };
    let only_if = conditions(recording, &tried.changes).map_or(String::new(), |condition| format!(", if {condition}"));
    let behind = tried.changes.iter().filter_map(|&of| Some(behind(recording, gains.behind(of)?)));
    let details: Vec<String> = behind.chain(deeds(recording, &tried.changes)).collect();
    Proposal { headline: format!("{what}: {saves}{only_if}."), details: details.join(" "), place: gains.place(tried) }
}

/// What of the program a change is about, and how certain the cause is that it removes, sentences: "There are 40 such waits, 32 of them in
/// Python's train.py(12): step."
#[must_use]
pub fn behind(recording: &Recording, of: &Behind) -> String {
    let many = format_count(of.count);
    let counted = |noun: &str, plural: &str| match of.count {
        1 => format!("There is one {noun}"),
        _ => format!("There are {many} {noun}{plural}"),
    };
    let what = match of.kind {
        BehindKind::Launches => counted("launch", "es"),
        BehindKind::Waits => counted("such wait", "s"),
        BehindKind::Reads => counted("such read", "s"),
        BehindKind::Copies => counted("such copy", "").replace("copy", one_or(of.count, "copy", "copies")),
        BehindKind::Allocations if of.count == 1 => "There is one call that allocates or frees".to_owned(),
        BehindKind::Allocations => format!("There are {many} calls that allocate or free"),
        BehindKind::Runs if of.count == 1 => "It runs once".to_owned(),
        BehindKind::Runs if of.count == 2 => "It runs twice".to_owned(),
        BehindKind::Runs => format!("It runs {many} times"),
        BehindKind::Delayed if of.count == 1 => format!("One operation waits {}", delayed_by(of.change)),
        BehindKind::Delayed => format!("{many} operations wait {}", delayed_by(of.change)),
    };
    let place = of.within.map_or(String::new(), |(span, count)| {
        let called = if of.kind == BehindKind::Delayed { "called " } else { "" };
        let within = format!("{called}in {}", span_named(recording, span));
        match count {
            _ if of.count == 1 => format!(", {within}"),
            _ if count == of.count => format!(", all {within}"),
            _ => format!(", {} of them {within}", format_count(count)),
        }
    });
    let is_open = of.certainty.is_some_and(|certainty| certainty != Certainty::Certain);
    let cause = if is_open { " This cause is consistent with the file, not certain." } else { "" };
    format!("{what}{place}.{cause}")
}

/// What operations wait for that a change removes, a clause after "wait".
const fn delayed_by(change: ProgramChange) -> &'static str {
    match change {
        ProgramChange::NonBlocking => "for the NULL stream",
        ProgramChange::MoreConnections => "in a hardware queue that streams share",
        ProgramChange::WarmUp => "until code is loaded",
        _ => "for room",
    }
}

/// What would shorten a run: each change that gains enough, the best first, in sentences, and how sure that is; or none, and that nothing
/// would, or that we cannot say.
#[must_use]
pub fn said(recording: &Recording, gains: Result<&Gains, &NoGains>, time: &dyn Fn(Span) -> String) -> (Vec<String>, String) {
    let (all, note) = proposals(recording, gains, time);
    let in_one = |Proposal { headline, details, .. }| if details.is_empty() { headline } else { format!("{headline} {details}") };
    (all.into_iter().map(in_one).collect(), note)
}

/// The same, each in its parts.
#[must_use]
pub fn proposals(recording: &Recording, gains: Result<&Gains, &NoGains>, time: &dyn Fn(Span) -> String) -> (Vec<Proposal>, String) {
    let gains = match gains {
        Ok(gains) => gains,
        Err(&why) => return (Vec::new(), not_tried(why).to_owned()),
    };
    let best_ns = gains.ladder.first().map_or(0, |rung| rung.more_ns);
    // What saves only what others save is said where it could take the place of the best.
    let is_said = |rung: &&Rung| {
        let tried = &gains.tried[rung.tried];
        gains.is_worth_making(tried, rung.more_ns) || gains.gain_ns(tried) >= best_ns / 2
    };
    let said = |rung: &Rung| proposal(recording, gains, &gains.tried[rung.tried], rung.more_ns, time);
    let all: Vec<Proposal> = gains.ladder.iter().filter(is_said).map(said).collect();
    let note = if all.is_empty() { nothing(gains, time) } else { error(gains, time) };
    (all, note)
}

/// What a recording promised, beside what another of the changed program leaves of it and shows; a line each.
#[must_use]
pub fn promised(promises: &[Promise], shown: &Comparison) -> Vec<String> {
    let tenths = |permille: u64| format!("{}.{} %", permille / 10, permille % 10);
    let line = |promise: &Promise| {
        let left = match promise.left_permille {
            None => "the second trace gives no reason for it".to_owned(),
            Some(0) => "nothing of that is left".to_owned(),
            Some(left) => format!("it would still save {}", tenths(left)),
        };
        format!("{}: promised {} of the run; {left}.", promise.what, tenths(promise.promised_permille))
    };
    let gone: Vec<u64> = promises.iter().filter(|promise| promise.is_gone).map(|promise| promise.promised_permille).collect();
    let (step, what) = (&shown.step, if shown.is_of_runs { "the run" } else { "a step" });
    let by = tenths((u128::from(step.before_ns.abs_diff(step.after_ns)) * 1_000 / u128::from(step.before_ns.max(1))) as u64);
    let shows = match (step.differs(), step.after_ns < step.before_ns) {
        (false, _) => format!("{what} takes as long as before"),
        (true, true) => format!("{what} is {by} faster"),
        (true, false) => format!("{what} is {by} slower"),
    };
    let who = if gone.len() == 1 { "The proposal that is gone" } else { "The proposals that are gone" };
    let sum = (!gone.is_empty()).then(|| format!("{who} had promised {} of the run; {shows}.", tenths(gone.iter().sum())));
    promises.iter().map(line).chain(sum).collect()
}

/// How sure the gains are: "Estimated by replay (unchanged replay: 1.734 s; recorded: 1.733 s)."
#[must_use]
pub fn error(gains: &Gains, time: &dyn Fn(Span) -> String) -> String {
    let (unchanged, recorded) = (time(Span(gains.unchanged_ns)), time(Span(gains.recorded_ns)));
    format!(
        "Estimated by replay (unchanged replay: {unchanged}; recorded: {recorded}). The lines add up, except those that say instead. \
         Everything else keeps its duration, even where it overlaps others or waits for another GPU."
    )
}

/// That nothing is worth a change, and how sure that is.
#[must_use]
pub fn nothing(gains: &Gains, time: &dyn Fn(Span) -> String) -> String {
    if gains.tried.is_empty() {
        return "This recording shows nothing that a change of launches, waits, streams or memory could shorten.".to_owned();
    }
    let (unchanged, recorded) = (time(Span(gains.unchanged_ns)), time(Span(gains.recorded_ns)));
    let is_within_error = |ns: u64| gains.is_a_hundredth(ns) && !gains.is_worth(ns);
    if gains.tried.iter().any(|tried| is_within_error(gains.gain_ns(tried))) {
        return format!(
            "We cannot tell what would save time: the replay is off by more than any change saves in it (unchanged replay: {unchanged}; recorded: \
             {recorded})."
        );
    }
    let larger = if gains.curves().next().is_some() { " The table shows what more than that would save." } else { "" };
    format!("No single change that we tried saves 1 % (unchanged replay: {unchanged}; recorded: {recorded}).{larger}")
}

/// Why no change is tried.
#[must_use]
pub const fn not_tried(why: NoGains) -> &'static str {
    match why {
        NoGains::HostAlone => "We try no changes: the file has no operation of a GPU.",
        NoGains::Turns => "We cannot estimate savings: address spaces take turns on the GPU, and the file does not say when.",
        NoGains::WithoutOperations => "We cannot estimate savings: too many launches have no operation on the GPU in the file.",
        NoGains::Lost => "We cannot estimate savings: the profiler lost events, as it says itself.",
        NoGains::IdleWaits => "We cannot estimate savings: the host waited long while nothing in the file ran on the GPU.",
        NoGains::WithoutCalls => "We cannot estimate savings: too many launches are missing from the file.",
        NoGains::Circle => "We cannot estimate savings: the times in this file contradict the order of its calls.",
    }
}
