//! The longest wait that repeats with the steps of a program.
//!
//! A wait is the same in two steps if the operation and the one that it waits for have the same names and streams, its place among the
//! operations of its name is the same, and so is the cause. Stream order, launches and calls are left out: a queue that is full waits all
//! the time. Invariant: what is named is in more than half of the steps. Bounds are our choice.

use std::collections::BTreeMap;

use super::groups::PathShare;
use super::steps::{FEWEST, Steps};
use super::{DevicePath, words};
use crate::causes::{Analysis, Cause, Certainty, WaitPart};
use crate::thresholds::quantile;
use crate::{Recording, words as waits};
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_count;

/// A shorter wait than this part of a step is not named, in thousandths.
const LEAST_PERMILLE: u64 = 10;

/// A wait that repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedWait {
    /// The operation that waits, an index: the first of them.
    pub operation: u32,
    /// The one that it waits for.
    pub by: u32,
    /// Why.
    pub cause: Cause,
    /// How sure that is of the least sure of them.
    pub certainty: Certainty,
    /// In so many steps.
    pub steps: usize,
    /// Of so many.
    pub of: usize,
    /// How long, the median of these steps, ns.
    pub median_ns: u64,
    /// The shortest, ns.
    pub least_ns: u64,
    /// The longest, ns.
    pub most_ns: u64,
    /// How long nothing ran on the GPU meanwhile, the median, ns.
    pub idle_ns: u64,
}

/// What makes waits the same: of each operation its stream and name, the place of the first, and the cause.
type Key = ((u32, u32), u32, Cause, (u32, u32));

/// A wait in a step.
struct InStep {
    operation: u32,
    parts: Vec<WaitPart>,
}

const fn is_told(cause: Cause) -> bool {
    matches!(
        cause,
        Cause::Event
            | Cause::NullBarrier
            | Cause::ImplicitSync
            | Cause::Connection
            | Cause::NoRoom
            | Cause::BehindHead
            | Cause::CopyEngine
            | Cause::OtherProcess
    )
}

/// The wait that takes longest in all steps of a device; `None` if none repeats, or takes a hundredth of a step.
#[must_use]
pub fn repeated_wait(recording: &Recording, analysis: &Analysis, path: &DevicePath, steps: &Steps) -> Option<RepeatedWait> {
    let mut found: BTreeMap<Key, Vec<InStep>> = BTreeMap::new();
    // How many of a stream and name there were in the step.
    let mut counts: BTreeMap<(u32, u32), (usize, u32)> = BTreeMap::new();
    for (place, operation) in recording.operations.iter().enumerate() {
        let is_within = steps.bounds[0] <= operation.start && operation.start < steps.bounds[steps.count()];
        if !is_within || recording.stream(operation).device != path.device {
            continue;
        }
        let step = steps.bounds.partition_point(|&bound| bound <= operation.start) - 1;
        let this = (operation.stream, operation.name);
        let count = counts.entry(this).or_default();
        *count = if count.0 == step { (step, count.1 + 1) } else { (step, 1) };
        for part in analysis.parts(place as u32).iter().filter(|part| is_told(part.cause)) {
            let Some(by) = part.by.map(|by| &recording.operations[by as usize]) else { continue };
            let these = found.entry((this, count.1, part.cause, (by.stream, by.name))).or_default();
            match these.last_mut() {
                Some(last) if last.operation == place as u32 => last.parts.push(*part),
                _ => these.push(InStep { operation: place as u32, parts: vec![*part] }),
            }
        }
    }
    let ns = |in_step: &InStep| in_step.parts.iter().fold(0_u64, |sum, part| sum.saturating_add(part.span().ns()));
    found.retain(|_, these| these.len() >= FEWEST && these.len() * 2 > steps.count());
    let total = |these: &Vec<InStep>| these.iter().fold(0_u64, |sum, in_step| sum.saturating_add(ns(in_step)));
    let (key, these) = found.into_iter().max_by_key(|(key, these)| (total(these), std::cmp::Reverse(*key)))?;
    let times: Vec<u64> = these.iter().map(ns).collect();
    let idle = |in_step: &InStep| in_step.parts.iter().fold(0_u64, |sum, part| sum.saturating_add(idle_ns(recording, path, part)));
    let parts = || these.iter().flat_map(|in_step| &in_step.parts);
    let wait = RepeatedWait {
        operation: these.first()?.operation,
        by: parts().find_map(|part| part.by)?,
        cause: key.2,
        certainty: if parts().all(|part| part.certainty == Certainty::Certain) { Certainty::Certain } else { Certainty::Consistent },
        steps: these.len(),
        of: steps.count(),
        median_ns: quantile(&mut times.clone(), 50),
        least_ns: times.iter().min().copied()?,
        most_ns: times.iter().max().copied()?,
        idle_ns: quantile(&mut these.iter().map(idle).collect::<Vec<_>>(), 50),
    };
    let step = u128::from(quantile(&mut steps.lengths(), 50));
    (wait.median_ns > 0 && u128::from(wait.median_ns) * 1_000 >= step * u128::from(LEAST_PERMILLE)).then_some(wait)
}

/// How long nothing ran on the device of a path during a part of a wait, ns.
fn idle_ns(recording: &Recording, path: &DevicePath, part: &WaitPart) -> u64 {
    let first = path.pieces.partition_point(|piece| piece.to <= part.from);
    let within = path.pieces[first..].iter().take_while(|piece| piece.from < part.to);
    let idle = within.filter(|piece| piece.subject(recording, path.device).share != PathShare::Working);
    idle.fold(0, |sum, piece| sum.saturating_add(piece.to.min(part.to).since(piece.from.max(part.from)).ns()))
}

/// Says what waits in each step, for what and how long, sentences: "In each of 5 steps, `ncclAllReduce` (stream 20) waits 6.4 ms for an
/// event after gemm (stream 7): consistent. The GPU works meanwhile."
#[must_use]
pub fn said(recording: &Recording, wait: &RepeatedWait, time: &dyn Fn(Span) -> String) -> String {
    let named = |place: u32| waits::named(recording, &recording.operations[place as usize]);
    let who = named(wait.by);
    let what = match wait.cause {
        Cause::Event => format!("for an event after {who}"),
        Cause::NullBarrier => format!("for {who}, as the NULL stream has it"),
        Cause::ImplicitSync => format!("for {who}, as memory is allocated or freed"),
        Cause::Connection => format!("behind {who} in a hardware queue that they share"),
        Cause::NoRoom => format!("for room while {who} runs"),
        Cause::BehindHead => format!("behind {who}, which waits for room itself"),
        Cause::CopyEngine => format!("for the copy engine, which runs {who}"),
        Cause::OtherProcess => format!("for {who} of another process"),
        cause => format!("for this: {}", waits::within(cause)),
    };
    let (steps, of) = (format_count(wait.steps as u64), format_count(wait.of as u64));
    let in_steps = if wait.steps == wait.of { format!("In each of {of} steps") } else { format!("In {steps} of {of} steps") };
    let median = time(Span(wait.median_ns));
    let mut said = format!("{in_steps}, {} waits {median} {what}: {}.", named(wait.operation), waits::certainty(wait.certainty));
    let (least, most) = (time(Span(wait.least_ns)), time(Span(wait.most_ns)));
    if least != most {
        said.push_str(&format!(" That is the median; it is {least} to {most}."));
    }
    said.push_str(&match wait.idle_ns {
        0 => " The GPU works meanwhile.".to_owned(),
        ns if ns >= wait.median_ns => " The GPU is idle meanwhile.".to_owned(),
        ns => format!(" The GPU is idle for {} of that.", time(Span(ns))),
    });
    said
}

/// What is said of the steps of a device: what one is made of, and the longest wait that repeats; sentences, none if nothing repeats.
#[must_use]
pub fn of_steps(recording: &Recording, analysis: &Analysis, path: &DevicePath, time: &dyn Fn(Span) -> String) -> Vec<String> {
    let Some(steps) = super::steps::steps(recording, path.device) else { return Vec::new() };
    let wait = repeated_wait(recording, analysis, path, &steps).map(|wait| said(recording, &wait, time));
    std::iter::once(words::in_steps(recording, path, &steps, time)).chain(wait).collect()
}
