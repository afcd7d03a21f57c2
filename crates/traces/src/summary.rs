//! What the waits of a recording come to.
//!
//! Invariants: the times of all causes add up to the time waited in all; lists are sorted by time, ties by place in the file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::causes::{Analysis, Cause, Certainty, WaitPart};
use super::path::groups::first_of_same_short;
use super::thresholds::Thresholds;
use super::{OperationKind, Recording};
use blockstep_sim::units::Span;

/// A cause with its waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    /// Operations of which this is the largest part of the wait.
    pub operations: u64,
    /// Time waited for it in all, ns.
    pub waited_ns: u64,
    /// Of that, certain, ns.
    pub certain_ns: u64,
}

/// What operations of a name come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfName {
    /// Index of the name.
    pub name: u32,
    /// How many operations.
    pub operations: u64,
    /// How long they ran in all, ns.
    pub busy_ns: u64,
    /// How long they waited in all, ns.
    pub waited_ns: u64,
    /// Time waited by cause, in the order of [`Cause::ALL`], ns.
    pub by_cause_ns: [u64; Cause::ALL.len()],
}

/// How operations started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Starts {
    /// Operations with a call.
    pub all: u64,
    /// Those that started within 20 µs of their call.
    pub at_once: u64,
    /// Of the others, those that started within 5 µs of the end of the one before them in their stream.
    pub after_predecessor: u64,
    /// Of the rest, those of which the largest part of the wait has a cause.
    pub rest_explained: u64,
}

impl Starts {
    /// Those that neither the call nor the predecessor explains.
    #[must_use]
    pub const fn rest(&self) -> u64 {
        self.all - self.at_once - self.after_predecessor
    }
}

/// What the waits of a recording come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// By cause, in the order of [`Cause::ALL`].
    pub causes: [Total; Cause::ALL.len()],
    /// How operations started.
    pub starts: Starts,
    /// By name, the longest waits first.
    pub names: Vec<OfName>,
    /// The longest waits, those that are alike together.
    pub longest: Vec<AlikeWaits>,
}

/// Waits of operations that have one name in short, for the same causes, one after another, each as certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlikeWaits {
    /// The operation that waited longest of them, an index; of equal ones the first.
    pub operation: u32,
    /// How many there are.
    pub count: u64,
    /// How long they waited in all, ns.
    pub waited_ns: u64,
}

/// At most so many are listed.
pub const MOST_LISTED: usize = 200;

const AT_ONCE: Span = Span(20_000);
const AFTER: Span = Span(5_000);

impl Summary {
    /// Sums up a recording with its analysis.
    #[must_use]
    pub fn new(recording: &Recording, analysis: &Analysis) -> Self {
        let mut causes = [Total::default(); Cause::ALL.len()];
        let mut starts = Starts::default();
        let mut names: BTreeMap<u32, OfName> = BTreeMap::new();
        let mut waits: BTreeMap<Vec<u32>, (Span, AlikeWaits)> = BTreeMap::new();
        let same_short = first_of_same_short(recording, recording.operations.iter().map(|operation| operation.name));
        let mut kind = Vec::new();
        let mut last_end = vec![None; recording.streams.len()];
        for (place, operation) in recording.operations.iter().enumerate() {
            let parts = analysis.parts(place as u32);
            let of_name = names.entry(operation.name).or_insert_with(|| OfName {
                name: operation.name,
                operations: 0,
                busy_ns: 0,
                waited_ns: 0,
                by_cause_ns: [0; Cause::ALL.len()],
            });
            of_name.operations += 1;
            of_name.busy_ns = of_name.busy_ns.saturating_add(operation.duration().ns());
            for part in parts {
                let (total, ns) = (&mut causes[part.cause as usize], part.span().ns());
                total.waited_ns = total.waited_ns.saturating_add(ns);
                total.certain_ns = total.certain_ns.saturating_add(if part.certainty == Certainty::Certain { ns } else { 0 });
                of_name.waited_ns = of_name.waited_ns.saturating_add(ns);
                let by_cause = &mut of_name.by_cause_ns[part.cause as usize];
                *by_cause = by_cause.saturating_add(ns);
            }
            let before = &mut last_end[operation.stream as usize];
            if let Some(wait) = recording.wait(operation) {
                starts.all += 1;
                let largest = largest(parts);
                if let Some(largest) = largest {
                    causes[largest.cause as usize].operations += 1;
                }
                if wait <= AT_ONCE {
                    starts.at_once += 1;
                } else {
                    kind.clear();
                    kind.push(same_short[&operation.name]);
                    for part in parts {
                        kind.extend([part.cause as u32, part.certainty as u32]);
                    }
                    match waits.get_mut(&kind) {
                        Some((most, alike)) => {
                            if wait > *most {
                                (*most, alike.operation) = (wait, place as u32);
                            }
                            alike.count += 1;
                            alike.waited_ns = alike.waited_ns.saturating_add(wait.ns());
                        }
                        None => {
                            let first = AlikeWaits { operation: place as u32, count: 1, waited_ns: wait.ns() };
                            waits.insert(kind.clone(), (wait, first));
                        }
                    }
                    if before.is_some_and(|end| operation.start >= end && operation.start.since(end) <= AFTER) {
                        starts.after_predecessor += 1;
                    } else if largest.is_some_and(|part| part.cause != Cause::CannotTell) {
                        starts.rest_explained += 1;
                    }
                }
            }
            *before = (*before).max(Some(operation.end));
        }
        let mut names: Vec<OfName> = names.into_values().collect();
        names.sort_by_key(|name| (std::cmp::Reverse(name.waited_ns), name.name));
        let mut waits: Vec<(Span, AlikeWaits)> = waits.into_values().collect();
        waits.sort_by_key(|&(wait, alike)| (std::cmp::Reverse(wait), alike.operation));
        waits.truncate(MOST_LISTED);
        Self { causes, starts, names, longest: waits.into_iter().map(|(_, alike)| alike).collect() }
    }

    /// Time waited in all, ns.
    #[must_use]
    pub fn waited_ns(&self) -> u64 {
        self.causes.iter().fold(0, |sum, total| sum.saturating_add(total.waited_ns))
    }
}

/// The cause that took most of a wait, and how sure that is: certain if what is certain of it took longer than all other causes, by more
/// than a launch and the clocks may be off, or if there is no other cause.
#[must_use]
pub fn main_cause(parts: &[WaitPart], thresholds: &Thresholds) -> Option<(Cause, Certainty)> {
    let sum =
        |is: &dyn Fn(&WaitPart) -> bool| parts.iter().filter(|part| is(part)).fold(0_u64, |sum, part| sum.saturating_add(part.span().ns()));
    let cause = parts.iter().rev().map(|part| part.cause).max_by_key(|&cause| sum(&|part| part.cause == cause))?;
    let of_cause = parts.iter().filter(|part| part.cause == cause);
    let certainty = of_cause.max_by_key(|part| part.span())?.certainty;
    let certain = sum(&|part| part.cause == cause && part.certainty == Certainty::Certain);
    let others = sum(&|part| part.cause != cause && part.cause != Cause::Launch);
    let off = thresholds.launch.ns().saturating_add(thresholds.clock.ns().saturating_mul(2));
    let is_sure = others == 0 || certain > others.saturating_add(off);
    Some((cause, if certainty == Certainty::Certain && !is_sure { Certainty::Consistent } else { certainty }))
}

/// The largest part of a wait; of equal ones the first.
#[must_use]
pub fn largest(parts: &[WaitPart]) -> Option<&WaitPart> {
    parts.iter().rev().max_by_key(|part| part.span())
}

/// How many kernels, copies, memsets and page migrations there are.
#[must_use]
pub fn counts(recording: &Recording) -> [u64; 4] {
    let mut counts = [0; 4];
    for operation in &recording.operations {
        counts[match operation.kind {
            OperationKind::Kernel => 0,
            OperationKind::Memset => 2,
            OperationKind::Migration => 3,
            _ => 1,
        }] += 1;
    }
    counts
}
