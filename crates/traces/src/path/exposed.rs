//! Communication with no computation beside it, and what kept the two apart.
//!
//! At each such instant the kernel is asked that computes next on the device: what it waited for then kept it apart. Invariant: the times of
//! all reasons add up to the time in which a kernel communicated and none computed, to the nanosecond. The rules are our choice.

use super::wall_clock;
use crate::causes::{Analysis, Cause, Certainty};
use crate::communication::plural;
use crate::gain::collectives::without_yardstick;
use crate::{Operation, OperationKind, Recording};
use blockstep_sim::units::{Span, Time};

blockstep_sim::listed! {
    /// What kept computation apart from communication.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum KeptApart(word, from_word) {
        /// It came after communication in the same stream.
        SameStream = "same-stream",
        /// It waited for an event, for a node of its graph, or for the NULL stream.
        Dependency = "dependency",
        /// The host called it later, or it was on its way to the device.
        LaunchedLate = "launched-late",
        /// It was ready, and no SM had room for it.
        NoRoom = "no-room",
        /// It waited for a copy, a memset, or an allocation.
        OtherWork = "other-work",
        /// Nothing was left to compute.
        NothingLeft = "nothing-left",
        /// The file does not say.
        CannotTell = "cannot-tell",
    }
}

/// Communication of a device with no computation beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exposed {
    /// By what kept computation apart, in the order of [`KeptApart::ALL`], ns.
    pub ns: [u64; KeptApart::ALL.len()],
    /// Of all that, what is certain, ns.
    pub certain_ns: u64,
}

impl Exposed {
    /// How long it was in all, ns.
    #[must_use]
    pub fn in_all_ns(&self) -> u64 {
        self.ns.iter().fold(0, |sum, &ns| sum.saturating_add(ns))
    }

    /// Whether it is worth saying: a hundredth of the wall clock or more.
    #[must_use]
    pub fn is_worth(&self, recording: &Recording) -> bool {
        let (first, end) = wall_clock(recording);
        let ns = self.in_all_ns();
        ns > 0 && u128::from(ns) * 100 >= u128::from(end.since(first).ns())
    }
}

/// A time in which a kernel of a device communicates and none computes.
struct Alone {
    device: u32,
    from: Time,
    to: Time,
    /// That the kernels communicate is certain.
    is_certain: bool,
}

/// How many kernels of a device run.
#[derive(Clone, Copy, Default)]
struct Now {
    since: Time,
    computing: u32,
    communicating: u32,
    /// Of those that communicate, the ones that only their name says it of.
    by_name: u32,
}

/// When communication was alone, by time.
fn alone(recording: &Recording) -> Vec<Alone> {
    if recording.communications.is_empty() {
        return Vec::new();
    }
    let is_kernel = |of: &(usize, &Operation)| of.1.kind == OperationKind::Kernel && of.1.start < of.1.end;
    let kernels = recording.operations.iter().enumerate().filter(is_kernel);
    let mut changes: Vec<(Time, bool, u32)> =
        kernels.flat_map(|(place, of)| [(of.start, true, place as u32), (of.end, false, place as u32)]).collect();
    changes.sort_unstable();
    let mut now = vec![Now::default(); recording.devices.len()];
    let mut found = Vec::new();
    for (at, begins, place) in changes {
        let device = recording.stream(&recording.operations[place as usize]).device;
        let now = &mut now[device as usize];
        if now.communicating > 0 && now.computing == 0 && now.since < at {
            found.push(Alone { device, from: now.since, to: at, is_certain: now.by_name == 0 });
        }
        now.since = at;
        let change = |count: &mut u32| if begins { *count += 1 } else { *count -= 1 };
        match recording.communication(place) {
            None => change(&mut now.computing),
            Some(of) => {
                change(&mut now.communicating);
                if of.certainty != Certainty::Certain {
                    change(&mut now.by_name);
                }
            }
        }
    }
    found
}

/// By device: communication with no computation beside it.
#[must_use]
pub fn exposed(recording: &Recording, analysis: &Analysis) -> Vec<Exposed> {
    let mut found = vec![Exposed::default(); recording.devices.len()];
    let computing = computing(recording);
    let mut next = vec![0; recording.devices.len()];
    for Alone { device, from, to, is_certain } in alone(recording) {
        let (computing, next) = (&computing[device as usize], &mut next[device as usize]);
        while computing.get(*next).is_some_and(|&place| recording.operations[place as usize].start < to) {
            *next += 1;
        }
        let of = &mut found[device as usize];
        let mut at = from;
        while at < to {
            let (why, certainty, until) = match computing.get(*next) {
                Some(&kernel) => kept_apart(recording, analysis, kernel, at),
                None if recording.is_whole() => (KeptApart::NothingLeft, Certainty::Certain, to),
                None => (KeptApart::CannotTell, Certainty::Unknown, to),
            };
            let until = if until > at { until.min(to) } else { to };
            let ns = until.since(at).ns();
            of.ns[why as usize] = of.ns[why as usize].saturating_add(ns);
            of.certain_ns = of.certain_ns.saturating_add(if is_certain && certainty == Certainty::Certain { ns } else { 0 });
            at = until;
        }
    }
    found
}

/// By device: kernels that compute, by start.
fn computing(recording: &Recording) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new(); recording.devices.len()];
    let communicating = recording.communicating();
    for (place, operation) in recording.operations.iter().enumerate() {
        if operation.kind == OperationKind::Kernel && !communicating[place] && operation.start < operation.end {
            all[recording.stream(operation).device as usize].push(place as u32);
        }
    }
    all
}

/// What kept a kernel from starting at an instant before its start, how sure that is, and until when; later than the instant, or unknown.
fn kept_apart(recording: &Recording, analysis: &Analysis, kernel: u32, at: Time) -> (KeptApart, Certainty, Time) {
    let of = |place: u32| &recording.operations[place as usize];
    if let Some(called) = recording.called(of(kernel)).filter(|&called| called > at) {
        return (KeptApart::LaunchedLate, Certainty::Certain, called.min(of(kernel).start));
    }
    let stream = recording.stream(of(kernel));
    let first = stream.operations.partition_point(|&place| of(place).start <= at);
    let running = stream.operations[..first].iter().rev().take(2).find(|&&place| of(place).end > at);
    if let Some(&running) = running {
        let why = if recording.communication(running).is_some() { KeptApart::SameStream } else { KeptApart::OtherWork };
        return (why, Certainty::Certain, of(running).end);
    }
    // The first of its stream that had not begun.
    let head = stream.operations.get(first).copied().filter(|&head| of(head).start <= of(kernel).start).unwrap_or(kernel);
    if recording.communication(head).is_some() {
        return (KeptApart::SameStream, Certainty::Certain, of(head).start);
    }
    let Some(called) = recording.called(of(head)) else { return (KeptApart::CannotTell, Certainty::Unknown, of(head).start) };
    if called > at {
        return (KeptApart::LaunchedLate, Certainty::Certain, called);
    }
    let parts = analysis.parts(head);
    let Some(part) = parts.iter().find(|part| part.from <= at && at < part.to) else {
        let until = parts.iter().map(|part| part.from).filter(|&from| from > at).min().unwrap_or(of(head).start);
        return (KeptApart::CannotTell, Certainty::Unknown, until);
    };
    let is_behind = part.by.is_some_and(|by| recording.communication(by).is_some());
    let why = match part.cause {
        Cause::StreamOrder | Cause::Overlap if is_behind => KeptApart::SameStream,
        Cause::Event | Cause::GraphOrder | Cause::NullBarrier => KeptApart::Dependency,
        Cause::Launch | Cause::Call | Cause::FirstUse | Cause::QueueFull => KeptApart::LaunchedLate,
        Cause::NoRoom | Cause::BehindHead => KeptApart::NoRoom,
        Cause::StreamOrder | Cause::CopyEngine | Cause::ImplicitSync => KeptApart::OtherWork,
        Cause::Overlap | Cause::Connection | Cause::OtherProcess | Cause::CannotTell => KeptApart::CannotTell,
    };
    (why, part.certainty, part.to)
}

/// A reason within a list.
const fn reason(why: KeptApart) -> &'static str {
    match why {
        KeptApart::SameStream => "the same stream",
        KeptApart::Dependency => "an event, a graph or the NULL stream",
        KeptApart::LaunchedLate => "a late launch",
        KeptApart::NoRoom => "no room on the SMs",
        KeptApart::OtherWork => "a copy, memset or allocation",
        KeptApart::NothingLeft => "nothing left to compute",
        KeptApart::CannotTell => "not shown by the file",
    }
}

/// How long communication of a device had no computation beside it, and why, sentences; none if that is not worth saying.
#[must_use]
pub fn said(recording: &Recording, device: u32, of: &Exposed, time: &dyn Fn(Span) -> String) -> Vec<String> {
    if !of.is_worth(recording) {
        return Vec::new();
    }
    let (first, end) = wall_clock(recording);
    let (ns, is_only) = (of.in_all_ns(), recording.streams.iter().all(|stream| stream.device == device));
    let gpu = if is_only { String::new() } else { format!(" of GPU {}", recording.devices[device as usize].id) };
    let percent = u128::from(ns) * 100 / u128::from(end.since(first).ns().max(1));
    let mut all: Vec<KeptApart> = KeptApart::ALL.into_iter().filter(|&why| of.ns[why as usize] > 0).collect();
    all.sort_by_key(|&why| std::cmp::Reverse(of.ns[why as usize]));
    let each: Vec<String> = all.into_iter().map(|why| format!("{}, {}", reason(why), time(Span(of.ns[why as usize])))).collect();
    let sure = crate::words::certainty(if of.certain_ns == ns { Certainty::Certain } else { Certainty::Consistent });
    let mut said = vec![
        format!("Communication{gpu} ran for {} ({percent} %) with no computation beside it.", time(Span(ns))),
        format!("Reasons ({sure}): {}.", each.join("; ")),
    ];
    said.extend(without_yardstick(recording, device).into_iter().map(|kind| {
        format!(
            "We cannot tell what fewer, larger {kinds} would save beyond the gaps between them: their sizes and times do not show how long a \
             small one takes.",
            kinds = plural(kind)
        )
    }));
    said
}
