//! What came before what: streams, EE queues and the NULL stream.
//!
//! Depends on `measured`. Invariants: two kernels are compared only if it is certain which came
//! first; one whose begin is already wrong by itself or in its stream is compared with no other.

use super::before::{Before, Item, in_doubt};
use super::kernels::{Kernel, Kernels};
use super::single::{blocks_of, those};
use super::{Check, MeasuredFindings};
use crate::language::{counted, one_or};
use crate::measured::seconds;

pub(super) fn check(found: &mut MeasuredFindings<'_>, kernels: &Kernels<'_>) {
    streams(found, kernels);
    for process in 0..kernels.processes {
        let of = |is_null: bool| {
            kernels.all.iter().filter(move |k| kernels.stream(k).process == process && kernels.stream(k).is_null == is_null)
        };
        let nulls: Vec<&Kernel<'_>> = of(true).filter(|k| k.issued.is_some()).collect();
        if !nulls.is_empty() {
            let others: Vec<_> = of(false).filter(|k| kernels.stream(k).waits_for_null && k.issued.is_some()).collect();
            null_stream(found, &nulls, &others);
        }
    }
    ee_queues(found, kernels);
    priorities(found, kernels);
    note_unjudged(found, kernels);
}

/// G2 within each log, and within the NULL stream over all logs of a process.
fn streams(found: &mut MeasuredFindings<'_>, kernels: &Kernels<'_>) {
    let mut ahead: Option<&Kernel<'_>> = None;
    for kernel in &kernels.all {
        let last = ahead.filter(|a| a.log == kernel.log);
        if let Some(last) = last {
            found.judged(Check::StreamOrder, 1);
            after(found, Check::StreamOrder, kernel, last, "ahead in the stream,");
        }
        ahead = Some(last.filter(|a| a.end > kernel.end).unwrap_or(kernel));
    }
}

/// Says so if the first kernel began before the second ended.
fn after(found: &mut MeasuredFindings<'_>, check: Check, kernel: &Kernel<'_>, ahead: &Kernel<'_>, which: &str) {
    if !found.is_before(kernel.begin, ahead.end) {
        return;
    }
    let at = (kernel.log, kernel.launch);
    let (few, count) = those(at, kernel.what, |b| found.is_before(kernel.what.blocks[b].start_ns, ahead.end));
    found.violation(check, kernel.begin, few.clone(), Some((ahead.log, ahead.launch)), |run| {
        let name = run.launch_name(ahead.log, ahead.launch);
        let blocks = blocks_of(run, &few, count);
        format!("{blocks} began at {}, before {name}, {which} had ended, {}.", seconds(kernel.begin), seconds(ahead.end))
    });
}

fn items<'k>(kernels: &[&Kernel<'k>], by: impl Fn(&Kernel<'k>) -> i64, until: impl Fn(&Kernel<'k>) -> i64) -> Before {
    Before::new(kernels.iter().enumerate().map(|(index, k)| Item { by: by(k), until: until(k), group: k.log, index }).collect())
}

fn call(kernel: &Kernel<'_>) -> (i64, i64) {
    kernel.issued.unwrap_or((i64::MIN, i64::MAX))
}

/// N1, N2, and G2 between the logs that share the NULL stream.
fn null_stream(found: &mut MeasuredFindings<'_>, nulls: &[&Kernel<'_>], others: &[&Kernel<'_>]) {
    let tolerance = found.tolerance;
    let before_others = items(others, |k| call(k).1, |k| k.end);
    let before_nulls = items(nulls, |k| call(k).1, |k| k.end);
    for null in nulls {
        let from = call(null).0.saturating_sub(tolerance);
        if let Some(ahead) = before_others.longest(from, usize::MAX) {
            found.judged(Check::NullWaits, 1);
            after(found, Check::NullWaits, null, others[ahead.index], "which was launched before it on another stream,");
        }
        if let Some(ahead) = before_nulls.longest(from, null.log) {
            found.judged(Check::StreamOrder, 1);
            after(found, Check::StreamOrder, null, nulls[ahead.index], "ahead in the NULL stream,");
        }
    }
    for other in others {
        if let Some(ahead) = before_nulls.longest(call(other).0.saturating_sub(tolerance), usize::MAX) {
            found.judged(Check::WaitsForNull, 1);
            after(found, Check::WaitsForNull, other, nulls[ahead.index], "which was launched before it on the NULL stream,");
        }
    }
    let window = |k: &Kernel<'_>, group| (call(k).0, call(k).1.saturating_add(tolerance), group);
    let doubt = in_doubt(nulls.iter().map(|k| window(k, 0)).chain(others.iter().map(|k| window(k, 1))).collect());
    if doubt > 0 {
        let why = format!(
            "{} launched while another was on one side of the NULL stream and the other: which came first is in doubt.",
            counted(doubt, "kernel")
        );
        found.unjudged("N1, N2", why);
    }
}

/// X1: who came first to the head of its stream, and so to the EE queue, begins wholly first.
fn ee_queues(found: &mut MeasuredFindings<'_>, kernels: &Kernels<'_>) {
    let tolerance = found.tolerance;
    let mut doubt = 0;
    for process in 0..kernels.processes {
        for is_high in [false, true] {
            let is_here = |k: &&Kernel<'_>| {
                let stream = kernels.stream(k);
                stream.process == process && stream.is_high.unwrap_or(false) == is_high && found.is_possible(k)
            };
            let queue: Vec<&Kernel<'_>> = kernels.all.iter().filter(is_here).collect();
            let first = items(&queue, |k| k.by, |k| k.last_begin);
            for kernel in &queue {
                let Some(ahead) = first.longest(kernel.from.saturating_sub(tolerance), kernel.log) else { continue };
                found.judged(Check::EeOrder, 1);
                let ahead = queue[ahead.index];
                let is_sure = [kernel, ahead].iter().all(|k| kernels.stream(k).is_high.is_some());
                behind(found, kernel, ahead, is_sure);
            }
            doubt += in_doubt(queue.iter().map(|k| (k.from, k.by.saturating_add(tolerance), k.log)).collect());
        }
    }
    if doubt > 0 {
        let (kernels, they) = (counted(doubt, "kernel"), one_or(doubt, "it", "they"));
        found.unjudged(
            "X1",
            format!("The logs of {kernels} do not show whether {they} joined the EE queue before or after another kernel."),
        );
    }
}

/// Says so if the first began before the other, which came first, had begun wholly; with a doubt if it may have been
/// in another queue.
fn behind(found: &mut MeasuredFindings<'_>, kernel: &Kernel<'_>, ahead: &Kernel<'_>, is_sure: bool) {
    if !found.is_before(kernel.begin, ahead.last_begin) {
        return;
    }
    let (few, count) =
        those((kernel.log, kernel.launch), kernel.what, |b| found.is_before(kernel.what.blocks[b].start_ns, ahead.last_begin));
    found.violation(Check::EeOrder, kernel.begin, few.clone(), Some((ahead.log, ahead.launch)), |run| {
        let name = run.launch_name(ahead.log, ahead.launch);
        let (begin, last, by, from) = (seconds(kernel.begin), seconds(ahead.last_begin), seconds(ahead.by), seconds(kernel.from));
        let blocks = blocks_of(run, &few, count);
        let doubt = if is_sure {
            ""
        } else {
            ", if both streams have the same priority, which the logs do not say (the config that was run does)"
        };
        format!(
            "{blocks} began at {begin}, before the last block of {name}, {last}, which came first to the same EE queue: by {by}, not after {from}{doubt}."
        )
    });
}

/// A2: no block of low priority begins while a kernel of high priority has blocks that have not.
fn priorities(found: &mut MeasuredFindings<'_>, kernels: &Kernels<'_>) {
    let tolerance = found.tolerance;
    for process in 0..kernels.processes {
        let of = |is_high: bool| {
            let is_here = move |k: &&Kernel<'_>| kernels.stream(k).process == process && kernels.stream(k).is_high == Some(is_high);
            kernels.all.iter().filter(is_here)
        };
        let high: Vec<&Kernel<'_>> = of(true).filter(|k| found.is_possible(k)).collect();
        let waiting = items(&high, |k| k.by, |k| k.last_begin);
        for kernel in of(false).filter(|_| !high.is_empty()) {
            found.judged(Check::Priority, kernel.what.blocks.len());
            let ahead = |start: i64| {
                let ahead = waiting.longest(start.saturating_sub(tolerance), usize::MAX)?;
                found.is_before(start, ahead.until).then_some(ahead.index)
            };
            let (few, count) = those((kernel.log, kernel.launch), kernel.what, |b| ahead(kernel.what.blocks[b].start_ns).is_some());
            let first = few.iter().map(|b| kernel.what.blocks[b.block].start_ns).min();
            let Some((start, ahead)) = first.and_then(|start| Some((start, high[ahead(start)?]))) else { continue };
            found.violation(Check::Priority, start, few.clone(), Some((ahead.log, ahead.launch)), |run| {
                let (name, blocks) = (run.launch_name(ahead.log, ahead.launch), blocks_of(run, &few, count));
                let (by, last) = (seconds(ahead.by), seconds(ahead.last_begin));
                format!("{blocks} began at {}, while {name}, of high priority, waited from {by} at the latest to {last}.", seconds(start))
            });
        }
    }
}

/// What was taken for true, and what was not judged.
fn note_unjudged(found: &mut MeasuredFindings<'_>, kernels: &Kernels<'_>) {
    if kernels.all.is_empty() {
        return;
    }
    let has_kernels = |log: usize| !found.run.logs[log].kernels.is_empty();
    let used: Vec<_> = kernels.streams.iter().enumerate().filter(|&(log, _)| has_kernels(log)).map(|(_, stream)| stream).collect();
    if found.counts[Check::StreamOrder as usize].0 == 0 {
        found.unjudged("G2", "No stream is known to have two kernels.");
    }
    if found.counts[Check::EeOrder as usize].0 == 0 {
        found.unjudged("X1", "No kernel is known to come to an EE queue after one of another stream.");
    }
    let open = used.iter().filter(|s| s.is_high.is_none()).count();
    if open > 0 && used.len() > 1 {
        let streams = counted(open, "stream");
        found
            .assumptions
            .push(format!("No log says its stream's priority: {streams} are taken to have none, and so to share one EE queue."));
        found.unjudged("A1, A2", format!("{streams} of unknown priority."));
    }
    if !used.iter().any(|s| s.is_null) {
        found.unjudged("N1, N2", "No log is known to come from the NULL stream.");
    } else {
        let free = used.iter().filter(|s| !s.is_null && !s.waits_for_null).count();
        if free > 0 {
            found.unjudged(
                "N1, N2",
                format!("{}: non-blocking, as are those to which the examiner gives a priority.", counted(free, "stream")),
            );
        }
    }
    if found.run.logs.iter().any(|log| !log.host.is_empty()) {
        found.unjudged("C1 to C4", "Copies are timed by the CPU alone, and only those that it waits for.");
    }
    found.unjudged("that a block begins as soon as it fits", "The logs do not say how long a launch and an assignment take on the GPU.");
}

impl MeasuredFindings<'_> {
    /// Whether a kernel begins when it can be at the head of its stream.
    fn is_possible(&self, kernel: &Kernel<'_>) -> bool {
        !self.is_before(kernel.begin, kernel.from)
    }
}
