//! What of the program a proposal is about: how many calls, and in which function of the program most of them are.
//!
//! Invariant: all of it is counted in the file; a function is named only if at least a quarter are in it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::levers::LeverSubject;
use super::model::Model;
use super::{Gains, ProgramChange, is_staged, is_value};
use crate::causes::{Cause, Certainty};
use crate::path::groups::PathShare;
use crate::path::host::ThreadKey;
use crate::{CallKind, HostSort, Operation, Recording};
use blockstep_sim::units::Time;

/// What a change is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BehindKind {
    /// Calls that launch.
    Launches,
    /// Calls in which the host waits.
    Waits,
    /// Copies of small results.
    Reads,
    /// Copies.
    Copies,
    /// Calls that allocate or free.
    Allocations,
    /// Operations, or something that the host runs.
    Runs,
    /// Operations that wait for what the change removes.
    Delayed,
}

/// What of the program a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind {
    /// What it changes.
    pub change: ProgramChange,
    /// What is counted.
    pub kind: BehindKind,
    /// How many there are.
    pub count: u64,
    /// One of [`Recording::spans`] of the name in which most of them are, with how many; `None` if none has a quarter.
    pub within: Option<(u32, u64)>,
    /// The worst certainty of the causes that the change removes; `None` if it removes no cause of a wait.
    pub certainty: Option<Certainty>,
}

/// So many spans around a call are looked at.
const MOST_OPEN: usize = 1_000;

/// Where something is in the program: on a thread, at an instant.
type Place = (ThreadKey, Time);

impl BehindKind {
    /// Its name in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Launches => "launches",
            Self::Waits => "waits",
            Self::Reads => "reads",
            Self::Copies => "copies",
            Self::Allocations => "allocations",
            Self::Runs => "runs",
            Self::Delayed => "delayed",
        }
    }
}

impl Gains {
    /// What of the program a change among the proposals is about.
    #[must_use]
    pub fn behind(&self, change: ProgramChange) -> Option<&Behind> {
        self.behind.iter().find(|behind| behind.change == change)
    }
}

/// What of the program these changes are about.
pub(super) fn behind(model: &Model<'_>, changes: &[ProgramChange]) -> Vec<Behind> {
    let of_change: Vec<(BehindKind, Vec<Place>)> = changes.iter().map(|&change| places(model, change)).collect();
    let mut asked: Vec<(Place, usize)> = Vec::new();
    for (index, (_, places)) in of_change.iter().enumerate() {
        asked.extend(places.iter().map(|&place| (place, index)));
    }
    let mut found: Vec<BTreeMap<(u32, HostSort), (u32, u64)>> = vec![BTreeMap::new(); changes.len()];
    for (index, span) in enclosing(model.recording, asked) {
        let of = &model.recording.spans[span as usize];
        found[index].entry((of.name, of.sort)).or_insert((span, 0)).1 += 1;
    }
    let all = changes.iter().zip(of_change).zip(found).map(|((&change, (kind, places)), found)| {
        let count = places.len() as u64;
        let is_itself = |name: u32| matches!(change, ProgramChange::Faster { what: LeverSubject::Row(row), .. } if row.name == Some(name));
        let most = found.into_iter().max_by_key(|&(name, (_, count))| (count, Reverse(name)));
        let within = most.filter(|&((name, _), (_, of))| of * 4 >= count && !is_itself(name)).map(|(_, most)| most);
        Behind { change, kind, count, within, certainty: certainty(model, change) }
    });
    all.filter(|behind| behind.count > 0).collect()
}

/// Where in the program what a change is about was called.
fn places(model: &Model<'_>, change: ProgramChange) -> (BehindKind, Vec<Place>) {
    let recording = model.recording;
    let at = |call: usize| {
        let call = &recording.calls[call];
        ((call.process, call.thread), call.start)
    };
    let calls = |kind: BehindKind, is_one: &dyn Fn(usize) -> bool| {
        (kind, (0..recording.calls.len()).filter(|&call| is_one(call)).map(at).collect::<Vec<Place>>())
    };
    let operations = |kind: BehindKind, is_one: &dyn Fn(u32, &Operation) -> bool| {
        let all = recording.operations.iter().enumerate().filter(|(place, operation)| is_one(*place as u32, operation));
        (kind, all.filter_map(|(_, operation)| operation.call).map(|call| at(call as usize)).collect::<Vec<Place>>())
    };
    let kind_of = |call: usize| recording.calls[call].kind;
    match change {
        ProgramChange::Graphs => {
            let launches = recording.launching();
            let is_first = |call: &u32| model.further_nodes.contains_key(call);
            calls(BehindKind::Launches, &|call| launches[call] && (is_first(&(call as u32)) || model.in_graph.contains_key(&(call as u32))))
        }
        ProgramChange::FewerWaits => calls(BehindKind::Waits, &|call| kind_of(call) == CallKind::HostWait),
        ProgramChange::NoAllocations => {
            calls(BehindKind::Allocations, &|call| kind_of(call) == CallKind::Allocation && recording.calls[call].start > model.first_issue)
        }
        ProgramChange::FewerReads => operations(BehindKind::Reads, &|_, operation| is_value(recording, operation)),
        ProgramChange::Pinned => operations(BehindKind::Copies, &|_, operation| is_staged(recording, operation)),
        ProgramChange::CommunicationBeside => {
            operations(BehindKind::Runs, &|place, operation| model.mixed_streams.contains(&operation.stream) && model.communicates(place))
        }
        ProgramChange::FewerCollectives { kind, stream, .. } => operations(BehindKind::Runs, &|place, operation| {
            operation.stream == stream && recording.communication(place).is_some_and(|of| of.kind == kind)
        }),
        ProgramChange::OwnStream { name, stream } => {
            operations(BehindKind::Runs, &|_, operation| operation.name == name && operation.stream == stream)
        }
        ProgramChange::HalfGrid(name) => operations(BehindKind::Runs, &|_, operation| operation.name == name),
        ProgramChange::Faster { what: what @ LeverSubject::Row(row), .. } => match (row.share, row.span, row.name) {
            (PathShare::Working, ..) => operations(BehindKind::Runs, &|_, operation| model.is_of_lever(operation, what)),
            (PathShare::Host, Some(sort), Some(name)) => {
                let spans = recording.spans.iter().filter(|span| span.sort == sort && span.name == name);
                (BehindKind::Runs, spans.map(|span| ((span.process, span.thread), span.start)).collect())
            }
            (PathShare::Host, None, Some(name)) => calls(BehindKind::Runs, &|call| recording.calls[call].name == name),
            _ => (BehindKind::Runs, Vec::new()),
        },
        ProgramChange::NonBlocking
        | ProgramChange::MoreConnections
        | ProgramChange::HighPriority(_)
        | ProgramChange::WarmUp
        | ProgramChange::Faster { .. } => {
            let causes = causes(change);
            operations(BehindKind::Delayed, &|place, operation| {
                is_about(change, operation) && model.analysis.parts(place).iter().any(|part| causes.contains(&part.cause))
            })
        }
    }
}

/// The causes of waits that a change removes.
const fn causes(change: ProgramChange) -> &'static [Cause] {
    match change {
        ProgramChange::NonBlocking => &[Cause::NullBarrier],
        ProgramChange::MoreConnections => &[Cause::Connection],
        ProgramChange::HighPriority(_) | ProgramChange::HalfGrid(_) => &[Cause::NoRoom, Cause::BehindHead],
        ProgramChange::WarmUp => &[Cause::FirstUse],
        ProgramChange::OwnStream { .. } | ProgramChange::CommunicationBeside => &[Cause::StreamOrder],
        _ => &[],
    }
}

/// Whether what an operation waits for is what a change removes.
const fn is_about(change: ProgramChange, operation: &Operation) -> bool {
    match change {
        ProgramChange::HighPriority(stream) => operation.stream == stream,
        _ => true,
    }
}

/// The worst certainty of the causes that a change removes.
fn certainty(model: &Model<'_>, change: ProgramChange) -> Option<Certainty> {
    let causes = causes(change);
    let all = model.recording.operations.iter().enumerate().filter(|(_, operation)| is_about(change, operation));
    let parts = all.flat_map(|(place, _)| model.analysis.parts(place as u32)).filter(|part| causes.contains(&part.cause));
    parts.map(|part| part.certainty).max()
}

/// For each place the span that says best where in the program it is, an index; beside what was asked with it.
fn enclosing(recording: &Recording, mut asked: Vec<(Place, usize)>) -> Vec<(usize, u32)> {
    asked.sort_unstable();
    let mut of_thread: BTreeMap<ThreadKey, Vec<u32>> = asked.iter().map(|&((thread, _), _)| (thread, Vec::new())).collect();
    for (place, span) in recording.spans.iter().enumerate() {
        if let Some(spans) = of_thread.get_mut(&(span.process, span.thread)) {
            spans.push(place as u32);
        }
    }
    let span = |place: u32| &recording.spans[place as usize];
    // One that overlaps another without being within it may stay a little longer.
    let close = |open: &mut Vec<u32>, at: Time| {
        while open.pop_if(|place| span(*place).end <= at).is_some() {}
    };
    let mut found = Vec::with_capacity(asked.len());
    for (thread, mut spans) in of_thread {
        spans.sort_by_key(|&place| (span(place).start, Reverse(span(place).end), place));
        let (mut spans, mut open) = (spans.into_iter().peekable(), Vec::<u32>::new());
        let from = asked.partition_point(|((other, _), _)| *other < thread);
        for &((_, at), index) in asked[from..].iter().take_while(|((other, _), _)| *other == thread) {
            while let Some(next) = spans.next_if(|&place| span(place).start <= at) {
                close(&mut open, span(next).start);
                open.push(next);
            }
            close(&mut open, at);
            let innermost = open.iter().rev().filter(|&&place| span(place).end > at).take(MOST_OPEN);
            found.extend(best(recording, innermost.copied()).map(|place| (index, place)));
        }
    }
    found
}

/// Of spans that are open, the innermost first, the one that says best where in a program one is: a function of the program itself, a range that
/// it marked, any function, an operator. Steps say nothing.
fn best(recording: &Recording, open: impl Iterator<Item = u32>) -> Option<u32> {
    let rank = |place: u32| match recording.spans[place as usize].sort {
        HostSort::Frame if is_own(&recording.names[recording.spans[place as usize].name as usize]) => Some(0),
        HostSort::Range => Some(1),
        HostSort::Frame => Some(2),
        HostSort::Operator => Some(3),
        HostSort::Step => None,
    };
    // Of equal ones the innermost, which comes first.
    open.filter_map(|place| Some((rank(place)?, place))).min_by_key(|&(rank, _)| rank).map(|(_, place)| place)
}

/// Whether a function of Python, `folder/train.py(12): step`, is the program's own, and not of PyTorch or of Python's library.
fn is_own(name: &str) -> bool {
    const OTHERS: [&str; 8] = ["torch/", "triton/", "threading.py(", "contextlib.py(", "runpy.py(", "multiprocessing/", "concurrent/", "<"];
    const WITHIN: [&str; 3] = ["/site-packages/", "/dist-packages/", "/lib/python"];
    name.contains(".py(") && !OTHERS.iter().any(|of| name.starts_with(of)) && !WITHIN.iter().any(|of| name.contains(of))
}
