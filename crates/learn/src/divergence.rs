//! Where two runs of one scenario part, and what comes of it: how a changed rule shows.
//!
//! Depends on `trace`, `record` and `quantity`. Invariant: both runs are of the same scenario; of
//! what the runs do, nothing but their steps and records counts.

use blockstep_sim::language::{counted, one_or};
use std::collections::BTreeMap;

use blockstep_sim::record::Records;
use blockstep_sim::trace::{Change, OpKind, Trace};
use blockstep_sim::units::{JobNo, OpId, RowId, Time};
use blockstep_view::quantity::{format_count, format_time};

/// Operations that have a sentence each.
const NAMED: usize = 3;

/// The number of the first step, from 0, that is not the same in both runs; `None` if they are the
/// same. A step by another rule that does the same at the same time is the same.
#[must_use]
pub fn first_difference(one: &Trace, other: &Trace) -> Option<usize> {
    let is_same = |i: usize| match (one.steps().get(i), other.steps().get(i)) {
        (Some(a), Some(b)) if a.at == b.at => match (a.change, b.change) {
            (Change::Issued { op: a }, Change::Issued { op: b }) => one.op(a) == other.op(b),
            (a, b) => a == b,
        },
        _ => false,
    };
    (0..one.steps().len().max(other.steps().len())).find(|&i| !is_same(i))
}

/// Which operation, in any run of the scenario.
type Key = (RowId, JobNo, OpKind);

/// What comes of the difference, a sentence each: which operations end at another time in the
/// other run, when it ends, how many deadlines are missed. Nothing where nothing of that differs.
#[must_use]
pub fn effects(one: (&Trace, &Records), other: (&Trace, &Records)) -> Vec<String> {
    let mut said = Vec::new();
    let ends = ends(one);
    let mut moved: Vec<(u64, OpId, bool)> = Vec::new();
    let mut unfinished = [0_u64; 2];
    for (key, end) in self::ends(other) {
        match (ends.get(&key), end) {
            (Some(&(op, Some(before))), (_, Some(after))) if before != after => {
                moved.push((before.since(after).ns().max(after.since(before).ns()), op, after > before));
            }
            (Some((_, Some(_))), (_, None)) => unfinished[0] += 1,
            (Some((_, None)), (_, Some(_))) => unfinished[1] += 1,
            _ => {}
        }
    }
    if !moved.is_empty() {
        moved.sort_by_key(|&(by, op, _)| (std::cmp::Reverse(by), op));
        let name = |&(by, op, is_later): &(u64, OpId, bool)| {
            format!("{} completes {} {}.", one.0.op_label(op), format_time(by), if is_later { "later" } else { "earlier" })
        };
        said.extend(moved.iter().take(NAMED).map(name));
        let more = moved.len().saturating_sub(NAMED) as u64;
        if more > 0 {
            let complete = one_or(more, "more operation completes at another time", "more operations complete at other times");
            said.push(format!("{} {complete}.", format_count(more)));
        }
    }
    for (count, rules) in unfinished.into_iter().zip(["original", "changed"]) {
        if count > 0 {
            let complete = one_or(count, "operation completes", "operations complete");
            said.push(format!("{} {complete} only with the {rules} rules.", format_count(count)));
        }
    }
    let last = [one.1.last_event, other.1.last_event];
    if last[0] != last[1] {
        said.push(format!("The last event is at {} instead of {}.", format_time(last[1].ns()), format_time(last[0].ns())));
    }
    let missed = [one.1, other.1].map(|records| records.jobs.iter().filter(|job| job.met == Some(false)).count() as u64);
    if missed[0] != missed[1] {
        said.push(format!("The run misses {} instead of {}.", counted(missed[1], "deadline"), format_count(missed[0])));
    }
    said
}

/// When each operation ends, and its number.
fn ends((trace, records): (&Trace, &Records)) -> BTreeMap<Key, (OpId, Option<Time>)> {
    let all = trace.ops().iter().zip(&records.ops).enumerate();
    all.map(|(i, (op, record))| ((op.row, op.job, op.kind), (OpId::at(i), record.end))).collect()
}
