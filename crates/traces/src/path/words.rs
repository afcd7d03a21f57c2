//! What is said of a path.
//!
//! Invariant: the times of a sentence add up to its whole, as each is one of the path's shares.

use super::compare::{BeforeAfter, Comparison, PathChange};
use super::groups::{PathGroup, PathShare, PathSubject, groups, shares};
use super::overlap::Overlap;
use super::steps::Steps;
use super::{DevicePath, alone};
use crate::words::{cut, short_name, within};
use crate::{Flaw, HostSort, Recording, words};
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_count;

/// A share in a few words, within a sentence.
#[must_use]
pub const fn share(share: PathShare) -> &'static str {
    match share {
        PathShare::Working => "the GPU working",
        PathShare::OtherDevice => "another GPU working",
        PathShare::Host => "the host",
        PathShare::Launching => "launching",
        PathShare::Waiting => "waiting for something else",
        PathShare::After => "after the GPU's last operation",
        PathShare::Unknown => "not known",
    }
}

/// A share as a label.
#[must_use]
pub const fn label(share: PathShare) -> &'static str {
    match share {
        PathShare::Working => "GPU working",
        PathShare::OtherDevice => "Another GPU working",
        PathShare::Host => "Host",
        PathShare::Launching => "Launching",
        PathShare::Waiting => "Waiting for something else",
        PathShare::After => "After its last operation",
        PathShare::Unknown => "Not known",
    }
}

/// What a share is, a sentence or two.
#[must_use]
pub const fn rule(share: PathShare) -> &'static str {
    match share {
        PathShare::Working => "At least one operation ran on the GPU.",
        PathShare::OtherDevice => "The GPU was idle, and its next work waited for an operation of another GPU.",
        PathShare::Host => "The GPU was idle, and its next work had not been called yet.",
        PathShare::Launching => "The GPU was idle, and a launch was on its way to it.",
        PathShare::Waiting => "The GPU was idle, and its next operation waited for a cause that the file shows.",
        PathShare::After => "The GPU had ended its last operation, and the recording went on.",
        PathShare::Unknown => "The GPU was idle, and the file does not say why.",
    }
}

/// Where the time of a device went, a sentence: "Of 1.733 s, 1.001 s is the GPU working, 0.600 s the host, 0.132 s launching." Shares
/// under a hundredth are the rest.
#[must_use]
pub fn sentence(recording: &Recording, path: &DevicePath) -> String {
    if recording.is_host_alone() {
        return of_host_alone(recording, path);
    }
    let shares = shares(recording, path);
    let whole = shares.iter().fold(0_u64, |sum, ns| sum.saturating_add(*ns));
    let (mut all, small): (Vec<_>, Vec<_>) = PathShare::ALL
        .into_iter()
        .map(|share| (shares[share as usize], share))
        .filter(|&(ns, _)| ns > 0)
        .partition(|&(ns, _)| ns >= whole / 100);
    all.sort_by_key(|&(ns, share)| (std::cmp::Reverse(ns), share));
    let groups = groups(recording, path);
    let what = |&(ns, of): &(u64, PathShare)| {
        let detail = if ns >= whole / 10 { most_of(recording, &groups, of, ns) } else { String::new() };
        format!("{}{detail}", share(of))
    };
    let mut parts: Vec<(u64, String)> = all.iter().map(|part| (part.0, what(part))).collect();
    if !small.is_empty() {
        parts.push((small.iter().fold(0, |sum, &(ns, _)| sum + ns), "the rest".to_owned()));
    }
    let device = path.device;
    let is_only = recording.streams.iter().all(|stream| stream.device == device);
    let of_gpu = if is_only { String::new() } else { format!(" of GPU {}", recording.devices[device as usize].id) };
    let (whole, times) = written_alike(&parts.iter().map(|part| part.0).collect::<Vec<_>>(), 4);
    format!("Of {whole}{of_gpu}, {}.", listed(&times, parts.iter().map(|part| part.1.as_str())))
}

/// What the host ran in a recording without an operation of a GPU, sentences.
fn of_host_alone(recording: &Recording, path: &DevicePath) -> String {
    let shares = shares(recording, path);
    let (busy, rest) = (shares[PathShare::Host as usize], shares[PathShare::Unknown as usize]);
    let detail = most_of(recording, &groups(recording, path), PathShare::Host, busy);
    let thread = alone::thread(recording, path).unwrap_or(0);
    let (whole, times) = written_alike(&[busy, rest], 4);
    let missing = recording.flaws.iter().any(|flaw| matches!(flaw, Flaw::WithoutOperation(_)));
    let why = if missing {
        "The file has launches, but the operations that they launched are missing. The rest is the host alone (consistent)."
    } else {
        "The file has no operation of a GPU, so this is the host alone (consistent)."
    };
    let running = format!("thread {thread} running something{detail}");
    if busy + rest == 0 {
        return format!("{why} Nothing that it records takes time.");
    }
    let of = format!("Of {whole}, {}.", listed(&times, [running.as_str(), "nothing that is recorded"].into_iter()));
    match alone::threads(recording) {
        0 | 1 => format!("{why} {of}"),
        threads => format!("{why} {of} It is the busiest of {} threads.", format_count(threads as u64)),
    }
}

/// A share of a recording's path as a label, and what it is, a sentence or two.
#[must_use]
pub fn share_in(recording: &Recording, share: PathShare) -> (&'static str, &'static str) {
    if recording.is_host_alone() { of_thread(share) } else { (label(share), rule(share)) }
}

/// A share of the host alone as a label, and what it is.
const fn of_thread(share: PathShare) -> (&'static str, &'static str) {
    match share {
        PathShare::Host => ("Running", "The thread was in a call, an operator, a range or a function that the file records."),
        _ => ("Nothing recorded", "The file does not say what the thread did: it may have waited, or run what is not recorded."),
    }
}

/// That there are more devices than these paths, a sentence; `None` if there are no more.
#[must_use]
pub fn left_out(recording: &Recording, paths: usize) -> Option<String> {
    let all = recording.used_devices().into_iter().filter(|used| *used).count();
    (all > paths).then(|| format!("Of {} GPUs these are the {paths} that ended last.", format_count(all as u64)))
}

/// Times with what each is: "1.001 s is the GPU working, 0.722 s the host". What is nothing as it is written is left out.
fn listed<'w>(times: &[String], what: impl Iterator<Item = &'w str>) -> String {
    let verbs = std::iter::once(" is").chain(std::iter::repeat(""));
    let is_said = |time: &str| time.contains(|c: char| ('1'..='9').contains(&c));
    let said = times.iter().zip(verbs).zip(what).filter(|((time, _), _)| is_said(time));
    said.map(|((time, verb), what)| format!("{time}{verb} {what}")).collect::<Vec<_>>().join(", ")
}

/// What a step is, two sentences: "4 steps of 4,054 operations repeat, 334.22 ms to 359.72 ms each. In one, as a mean, 189.9 ms is the GPU
/// working, 156.2 ms the host."
#[must_use]
pub fn in_steps(recording: &Recording, path: &DevicePath, steps: &Steps, time: &dyn Fn(Span) -> String) -> String {
    let lengths = steps.lengths();
    let (least, most) = (lengths.iter().min().copied().unwrap_or(0), lengths.iter().max().copied().unwrap_or(0));
    let of_steps = steps.shares(recording, path);
    let count = of_steps.len().max(1) as u64;
    let mean = |share: PathShare| of_steps.iter().fold(0_u64, |sum, of| sum.saturating_add(of[share as usize])) / count;
    let whole: u64 = PathShare::ALL.into_iter().map(mean).sum();
    let mut all: Vec<(u64, PathShare)> = PathShare::ALL.into_iter().map(|share| (mean(share), share)).collect();
    all.retain(|&(ns, _)| ns >= whole / 50);
    all.sort_by_key(|&(ns, share)| (std::cmp::Reverse(ns), share));
    let (_, times) = written_alike(&all.iter().map(|part| part.0).collect::<Vec<_>>(), 4);
    format!(
        "{} steps of {} operations repeat, {} to {} each. In one, as a mean, {}.",
        format_count(steps.count() as u64),
        format_count(steps.operations as u64),
        time(Span(least)),
        time(Span(most)),
        listed(&times, all.iter().map(|part| share(part.1)))
    )
}

/// What two recordings come to, a sentence.
#[must_use]
pub fn verdict(of: &Comparison, time: &dyn Fn(Span) -> String) -> String {
    let step = &of.step;
    let (before, after) = (time(Span(step.before_ns)), time(Span(step.after_ns)));
    let what = if of.is_of_runs { "The run" } else { "A step" };
    if !step.differs() && of.is_of_runs {
        return format!("No difference of 1 % or more: the run takes {before} before and {after} after.");
    }
    if !step.differs() {
        let noise = time(Span(step.noise_ns));
        return format!("No difference beyond noise: a step takes {before} before and {after} after, and {noise} is noise.");
    }
    let (by, than) = (step.before_ns.abs_diff(step.after_ns), if step.after_ns > step.before_ns { "slower" } else { "faster" });
    let permille = u128::from(by) * 1_000 / u128::from(step.before_ns.max(1));
    format!("{what} is {} {than} ({}.{} %): {before} before, {after} after.", time(Span(by)), permille / 10, permille % 10)
}

/// What is compared, two sentences.
#[must_use]
pub fn steps_compared(of: &Comparison) -> String {
    if of.is_of_runs {
        return "Not both traces have steps that repeat, so the whole runs are compared, and we do not know the noise. Differences of 1 % of the \
                run or more are listed."
            .to_owned();
    }
    let (before, after) = of.steps;
    format!("Steps compared: {} before, {} after. Times are medians.", format_count(before as u64), format_count(after as u64))
}

/// A change of the path, a line.
#[must_use]
pub fn change(of: &PathChange, is_of_runs: bool, time: &dyn Fn(Span) -> String) -> String {
    let BeforeAfter { before_ns, after_ns, .. } = of.time;
    let each = if is_of_runs { "" } else { " a step" };
    let times = format!("{}{each}: {} to {}", difference(&of.time, time), time(Span(before_ns)), time(Span(after_ns)));
    let what = changed(of);
    if of.before == of.after { format!("{what} {times}") } else { format!("{what}, {times}") }
}

/// What changed, without its times.
#[must_use]
pub fn changed(of: &PathChange) -> String {
    match (of.before.as_str(), of.after.as_str()) {
        ("", new) => format!("{new} is new"),
        (gone, "") => format!("{gone} is gone"),
        (old, new) if old == new => old.to_owned(),
        (old, new) => format!("{new}, which was {old}"),
    }
}

/// By how much a time changed: "+30 µs".
#[must_use]
pub fn difference(of: &BeforeAfter, time: &dyn Fn(Span) -> String) -> String {
    let sign = if of.after_ns >= of.before_ns { '+' } else { '-' };
    format!("{sign}{}", time(Span(of.before_ns.abs_diff(of.after_ns))))
}

/// A whole and its parts, ns, in the unit of the whole and with its last digit, the whole with so many: they add up as they are written.
/// What is cut off is given to the parts that lose most.
pub(crate) fn written_alike(parts: &[u64], digits: u32) -> (String, Vec<String>) {
    let whole = parts.iter().fold(0_u64, |sum, ns| sum.saturating_add(*ns));
    let (unit, name) =
        [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")].into_iter().find(|&(ns, _)| whole >= ns).unwrap_or((1, "ns"));
    let step = 10_u64.pow(whole.max(1).ilog10().saturating_sub(digits - 1)).min(unit);
    let decimals = (unit / step).ilog10() as usize;
    let mut steps: Vec<u64> = parts.iter().map(|ns| ns / step).collect();
    let mut by_loss: Vec<usize> = (0..parts.len()).collect();
    by_loss.sort_by_key(|&part| std::cmp::Reverse(parts[part] % step));
    let missing = (whole / step).saturating_sub(steps.iter().sum());
    for &part in by_loss.iter().take(missing as usize) {
        steps[part] += 1;
    }
    let written = |steps: u64| match decimals {
        0 => format!("{steps} {name}"),
        _ => format!("{}.{:0decimals$} {name}", steps / (unit / step), steps % (unit / step)),
    };
    (written(whole / step), steps.into_iter().map(written).collect())
}

/// What most of a share was, if one thing was at least a quarter of it; empty for a share that is one thing.
fn most_of(recording: &Recording, groups: &[PathGroup], share: PathShare, ns: u64) -> String {
    let of_share = groups.iter().filter(|group| group.subject.share == share);
    let Some(most) = of_share.clone().max_by_key(|group| group.ns).filter(|most| most.ns >= ns / 4) else { return String::new() };
    if most.subject.name.is_none() && most.subject.cause.is_none() {
        return String::new();
    }
    let percent = u128::from(most.ns) * 100 / u128::from(ns.max(1));
    let (what, of_it) = (subject_within(recording, most.subject), if percent >= 99 { "all".to_owned() } else { format!("{percent} %") });
    format!(" ({of_it} of it {what})")
}

/// What the pieces of a group have in common, within a sentence.
fn subject_within(recording: &Recording, subject: PathSubject) -> String {
    let name = name_of(recording, subject).unwrap_or_default();
    match (subject.share, subject.cause) {
        (PathShare::Host, _) => format!("in {}", named(subject.span, &name)),
        (PathShare::Unknown, _) => format!("a wait of {name} that nothing explains"),
        (_, Some(cause)) => within(cause),
        _ => name,
    }
}

/// What the host ran, with the word for it where the name alone does not tell.
fn named(span: Option<HostSort>, name: &str) -> String {
    match span {
        None | Some(HostSort::Operator) => name.to_owned(),
        Some(HostSort::Range | HostSort::Step) => format!("the range {name}"),
        Some(HostSort::Frame) => format!("Python's {name}"),
    }
}

/// A function of Python with its file and the folder that it is in; of that path the end says most.
fn in_folder(name: &str) -> &str {
    let path = name.split_once(".py(").map_or("", |(path, _)| path);
    path.rmatch_indices('/').nth(1).map_or(name, |(folder, _)| &name[folder + 1..])
}

/// What a row of the host is about, within a sentence; empty if it has no name.
pub(crate) fn host_named(recording: &Recording, row: PathSubject) -> String {
    name_of(recording, row).map_or(String::new(), |name| named(row.span, &name))
}

/// A span of the host, an index, within a sentence.
pub(crate) fn span_named(recording: &Recording, span: u32) -> String {
    let of = &recording.spans[span as usize];
    host_named(recording, PathSubject { share: PathShare::Host, name: Some(of.name), span: Some(of.sort), cause: None })
}

/// A text without the lines of Python's functions, `train.py(12): step`: whoever changes a file moves them.
pub(crate) fn without_lines(text: &str) -> String {
    let mut parts = text.split(".py(");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
        out.push_str(".py(");
        out.push_str(if rest.starts_with(')') { rest } else { part });
    }
    out
}

/// The name of a kernel in short, of what the host ran as it is.
fn name_of(recording: &Recording, subject: PathSubject) -> Option<String> {
    let name = recording.names.get(subject.name? as usize)?;
    Some(match subject.share {
        PathShare::Host if subject.span == Some(HostSort::Frame) => cut(in_folder(name), 60),
        PathShare::Host => cut(name, 60),
        _ => short_name(name),
    })
}

/// What the pieces of a group have in common, as a label.
#[must_use]
pub fn subject(recording: &Recording, subject: PathSubject) -> String {
    let name = name_of(recording, subject);
    if recording.is_host_alone() {
        return name.map_or_else(|| of_thread(subject.share).0.to_owned(), |name| named(subject.span, &name));
    }
    match (subject.share, name, subject.cause) {
        (PathShare::Working, Some(name), _) => name,
        (PathShare::OtherDevice, Some(name), _) => format!("{name} on another GPU"),
        (PathShare::Host, Some(name), _) if subject.span.is_some() => format!("Host in {}, between calls", named(subject.span, &name)),
        (PathShare::Host, Some(name), _) => format!("Host in {name}"),
        (PathShare::Host, None, _) => "Host between calls".to_owned(),
        (PathShare::Launching, ..) => "Launches on their way to the GPU".to_owned(),
        (PathShare::Waiting, _, Some(cause)) => words::label(cause).to_owned(),
        (PathShare::Unknown, Some(name), _) => format!("{name} waits, and nothing explains it"),
        (PathShare::After, ..) => "After the GPU's last operation".to_owned(),
        _ => "Not known".to_owned(),
    }
}

/// What of its work a device did while the host was behind, a sentence; `None` if that is less than a tenth of its work.
#[must_use]
pub fn host_behind(recording: &Recording, path: &DevicePath, time: &dyn Fn(Span) -> String) -> Option<String> {
    let working = shares(recording, path)[PathShare::Working as usize];
    (path.host_behind_ns > 0 && path.host_behind_ns >= working / 10).then(|| {
        let behind = time(Span(path.host_behind_ns));
        format!("For {behind} of its work the GPU was ahead of the host: faster kernels alone would not save that.")
    })
}

/// How much ran together, sentences: only what there is something to say of.
#[must_use]
pub fn overlap(of: &Overlap, time: &dyn Fn(Span) -> String) -> Vec<String> {
    let mut said = Vec::new();
    let of_it = |ns: u64| if ns == 0 { "none".to_owned() } else { time(Span(ns)) };
    if of.streams_ns > 0 {
        said.push(format!("Two or more streams overlapped for {}.", time(Span(of.streams_ns))));
    }
    if of.copy_ns > 0 {
        said.push(format!("Copies took {}; {} of it overlapped with kernels.", time(Span(of.copy_ns)), of_it(of.copy_and_kernel_ns)));
    }
    if of.migration_ns > 0 {
        let (all, beside) = (time(Span(of.migration_ns)), of_it(of.migration_and_kernel_ns));
        said.push(format!("Pages of unified memory moved for {all}; {beside} of it overlapped with kernels."));
    }
    if of.migration_and_kernel_ns > 0 {
        said.push(
            "Where a kernel asked for these pages itself, fetching them before it (cudaMemPrefetchAsync) would avoid that. The file does not \
             say how much time that saves."
                .to_owned(),
        );
    }
    if of.communication_ns > 0 {
        let (all, beside) = (time(Span(of.communication_ns)), of_it(of.communication_and_computation_ns));
        said.push(format!("Communication took {all}; {beside} of it overlapped with computation."));
    }
    said
}
