//! Effects that a run shows beside that of its counterpart: the same table with one change.
//!
//! Depends on the rest of `find`. Invariant: each is what [`super::Effect`] says of it; of several
//! ways to show it, the one with the greatest difference is told, of equal ones the first.

use super::small_run::{SmallRun, places, time};
use super::{Counterpart, ShownEffect};
use blockstep_sim::scenario::{BlockTimes, DeviceDraft, Draft, NULL_STREAM, PolicyKind};
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::{OpId, Time};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::reason::{Reason, reason};

/// Keeps what shows the greatest difference.
pub(super) fn keep<T>(best: &mut Option<(u64, T)>, difference: u64, shown: impl FnOnce() -> T) {
    if difference > best.as_ref().map_or(0, |(most, _)| *most) {
        *best = Some((difference, shown()));
    }
}

pub(super) fn shorter(draft: &Draft) -> Option<ShownEffect> {
    let ran = together(draft)?;
    let mut best = None;
    for short in 0..draft.kernels.len() {
        let BlockTimes::Each(long) = draft.kernels[short].block_time_ns else { continue };
        let mut changed = draft.clone();
        changed.kernels[short].block_time_ns = BlockTimes::Each(long / 2);
        let Some(beside) = SmallRun::from_draft(&changed).filter(|_| long.is_multiple_of(2)) else { continue };
        for row in (0..draft.kernels.len()).filter(|&row| row != short) {
            let (Some(end), Some(later)) = (ran.end(row), beside.end(row)) else { continue };
            keep(&mut best, later.since(end).ns(), || {
                let (cause, name) = (ran.name(short), ran.name(row));
                let halves = [format_time(long), format_time(long / 2)];
                let sentence = format!(
                    "If the block time of {cause} is halved from {} to {}, {name} ends at {} instead of {}.",
                    halves[0],
                    halves[1],
                    time(later),
                    time(end)
                );
                let list = |ran: &SmallRun| {
                    places(vec![
                        (ran.end(short), format!("{cause} ends")),
                        (ran.start(row), format!("{name} begins")),
                        (ran.end(row), format!("{name} ends")),
                    ])
                };
                let change = format!("the block time of {cause} halved from {} to {}", halves[0], halves[1]);
                let at = beside.end(short).unwrap_or(Time::ZERO);
                let counterpart = Counterpart { draft: changed.clone(), change, at, places: list(&beside) };
                ShownEffect { at: ran.start(row).unwrap_or(end), row, sentence, places: list(&ran), counterpart: Some(counterpart) }
            });
        }
    }
    best.map(|(_, shown)| shown)
}

pub(super) fn starvation(draft: &Draft) -> Option<ShownEffect> {
    let ran = run_of(draft, PolicyKind::Priority).filter(|_| draft.horizon_ns.is_some())?;
    let trace = &ran.run.trace;
    let ops = || (0..trace.ops().len()).map(OpId::at);
    let (op, ready) = ops().find_map(|op| {
        let record = &ran.records.ops[op.index()];
        let starves = !ran.is_high(op) && trace.op(op).kind == OpKind::Kernel && trace.op(op).job.0 == 0 && record.start.is_none();
        record.queued.filter(|_| starves).map(|ready| (op, ready))
    })?;
    let later = |other: OpId| other > op && ran.is_high(other) && trace.op(other).kind == OpKind::Kernel;
    let overtaking: Vec<OpId> = ops().filter(|&other| later(other) && ran.records.ops[other.index()].start.is_some()).collect();
    let &first = overtaking.get(2).and(overtaking.first())?;
    let row = trace.op(op).row.index();
    let (changed, beside) = under(draft, PolicyKind::Fifo)?;
    let begins = beside.start(row)?;
    let name = ran.name(row);
    let sentence = format!(
        "{name}, on the low-priority stream {}, is ready at {}, but none of its blocks is assigned before the run ends at {}. Meanwhile \
         {} kernels launched later on high-priority streams begin. Under FIFO, {name} begins at {}.",
        ran.stream(op),
        time(ready),
        time(trace.end()),
        format_count(overtaking.len() as u64),
        time(begins)
    );
    let overtakes = (ran.records.ops[first.index()].start, format!("{}, launched later, begins", trace.op_label(first)));
    let list = vec![(Some(ready), format!("{name} joins the low-priority EE queue")), overtakes];
    let at = ran.records.ops[first.index()].start?;
    let change = "policy FIFO: stream priorities are ignored".to_owned();
    let counterpart = Counterpart { draft: changed, change, at: begins, places: places(vec![(Some(begins), format!("{name} begins"))]) };
    Some(ShownEffect { at, row, sentence, places: places(list), counterpart: Some(counterpart) })
}

pub(super) fn null_stall(draft: &Draft) -> Option<ShownEffect> {
    let ran = together(draft)?;
    let own = free_stream(draft);
    let mut changed = draft.clone();
    changed.kernels.iter_mut().filter(|k| k.stream == NULL_STREAM).for_each(|k| k.stream.clone_from(&own));
    let beside = SmallRun::from_draft(&changed).filter(|_| changed != *draft)?;
    let mut best = None;
    for row in 0..draft.kernels.len() {
        let (Some(start), Some(earlier)) = (ran.start(row), beside.start(row)) else { continue };
        let Some(op) = ran.op(row, OpKind::Kernel) else { continue };
        let stalled = ran.settled(|state| match reason(&ran.run.trace, state, op)? {
            Reason::N2 { op } => Some((op, state.now())),
            _ => None,
        });
        let Some((null, at)) = stalled else { continue };
        keep(&mut best, start.since(earlier).ns(), || {
            let (name, null_name) = (ran.name(row), ran.run.trace.op_label(null));
            let sentence = format!(
                "At {} {name} on stream {} waits for {null_name} in the NULL stream (N2), and begins at {}. If the NULL stream's kernels \
                 have their own stream, it begins at {}.",
                time(at),
                ran.stream(op),
                time(start),
                time(earlier)
            );
            let list = vec![
                (Some(at), format!("{name} waits for {null_name}")),
                (ran.records.ops[null.index()].end, format!("{null_name} ends")),
                (Some(start), format!("{name} begins")),
            ];
            let change = format!("the NULL stream's kernels on stream {own}");
            let beside_places = places(vec![(Some(earlier), format!("{name} begins"))]);
            let counterpart = Counterpart { draft: changed.clone(), change, at: earlier, places: beside_places };
            ShownEffect { at, row, sentence, places: places(list), counterpart: Some(counterpart) }
        });
    }
    best.map(|(_, shown)| shown)
}

pub(super) fn more_sms(draft: &Draft) -> Option<ShownEffect> {
    let ran = together(draft)?;
    let mut device = ran.run.trace.scenario().device().clone();
    device.sms += 1;
    device.name = format!("{} with {} SMs", device.name, device.sms);
    let (sms, changed) = (device.sms, Draft { device: DeviceDraft::Custom(device), ..draft.clone() });
    let change = format!("{sms} SMs instead of {}", sms - 1);
    later_beside(&ran, changed, &format!("With {change}"), change)
}

pub(super) fn more_streams(draft: &Draft) -> Option<ShownEffect> {
    let ran = together(draft)?;
    let own = free_stream(draft);
    let mut best = None;
    for moved in 0..draft.kernels.len() {
        let stream = &draft.kernels[moved].stream;
        let is_high = ran.op(moved, OpKind::Kernel).is_some_and(|op| ran.is_high(op));
        // Alone on its stream it would only change its name, and on another priority it would not only move.
        let is_alone = draft.kernels.iter().filter(|k| k.stream == *stream).count() < 2;
        if is_high || is_alone || stream == NULL_STREAM {
            continue;
        }
        let mut changed = draft.clone();
        changed.kernels[moved].stream.clone_from(&own);
        let change = format!("{} on stream {own} instead of {stream}", ran.name(moved));
        let Some(shown) = later_beside(&ran, changed, &format!("With {change}"), change) else { continue };
        let later = shown.counterpart.as_ref().and_then(|t| t.places.last()).map_or(0, |p| p.at.ns());
        keep(&mut best, later, || shown);
    }
    best.map(|(_, shown)| shown)
}

/// Shown if the last operation completes later in the counterpart's run.
fn later_beside(ran: &SmallRun, changed: Draft, with: &str, change: String) -> Option<ShownEffect> {
    let (done, _) = ran.done()?;
    let beside = SmallRun::from_draft(&changed)?;
    let (later, row) = beside.done().filter(|&(later, _)| later > done)?;
    let sentence = format!(
        "{with}, the run ends at {} instead of {}. The last kernel then is {}",
        time(later),
        time(done),
        both_lives(ran.name(row), &beside, ran, row)?
    );
    ends(ran, &beside, changed, row, sentence, change)
}

/// Shown if the last operation completes earlier in the counterpart's run.
fn earlier_beside(ran: &SmallRun, changed: Draft, with: &str, change: String) -> Option<ShownEffect> {
    let (done, row) = ran.done()?;
    let beside = SmallRun::from_draft(&changed)?;
    let (earlier, _) = beside.done().filter(|&(earlier, _)| earlier < done)?;
    let sentence = format!(
        "The run ends at {}; {with} it ends at {}. The last kernel here is {}",
        time(done),
        time(earlier),
        both_lives(ran.name(row), ran, &beside, row)?
    );
    ends(ran, &beside, changed, row, sentence, change)
}

/// When a kernel begins and ends in two runs.
fn both_lives(name: &str, one: &SmallRun, other: &SmallRun, row: usize) -> Option<String> {
    let begins = [one.start(row)?, other.start(row)?].map(time);
    let ends = [one.end(row)?, other.end(row)?].map(time);
    Some(format!("{name}, from {} to {} instead of from {} to {}.", begins[0], ends[0], begins[1], ends[1]))
}

/// What is told of a table that is done at another time than its counterpart.
fn ends(ran: &SmallRun, beside: &SmallRun, changed: Draft, row: usize, sentence: String, change: String) -> Option<ShownEffect> {
    let list = |ran: &SmallRun| {
        let name = ran.name(row);
        let done = ran.done().map(|(at, _)| at);
        places(vec![(ran.start(row), format!("{name} begins")), (done, "the run ends".to_owned())])
    };
    let counterpart = Counterpart { draft: changed, change, at: beside.start(row)?, places: list(beside) };
    Some(ShownEffect { at: ran.start(row)?, row, sentence, places: list(ran), counterpart: Some(counterpart) })
}

pub(super) fn fifo_earlier(draft: &Draft) -> Option<ShownEffect> {
    let ran = run_of(draft, PolicyKind::Priority)?;
    let changed = with_policy(draft, PolicyKind::Fifo);
    earlier_beside(&ran, changed, "under FIFO", "policy FIFO: stream priorities are ignored".to_owned())
}

pub(super) fn launch_order(draft: &Draft) -> Option<ShownEffect> {
    let ran = together(draft)?;
    let mut best = None;
    for first in 1..draft.kernels.len() {
        let [a, b] = [&draft.kernels[first - 1], &draft.kernels[first]];
        if a.start_ns != b.start_ns || a.stream == b.stream {
            continue;
        }
        let mut changed = draft.clone();
        changed.kernels.swap(first - 1, first);
        let (done, earlier) = (ran.done()?.0, SmallRun::from_draft(&changed)?.done()?.0);
        keep(&mut best, done.since(earlier).ns(), || (first, changed, earlier));
    }
    let (_, (first, changed, earlier)) = best?;
    let (done, row) = ran.done()?;
    let (a, b) = (ran.name(first - 1).to_owned(), ran.name(first).to_owned());
    let beside = SmallRun::from_draft(&changed)?;
    let sentence = format!(
        "{a} and {b} are launched at the same time, {a} first, and the run ends at {}. If {b} is launched first, it ends at {}.",
        time(done),
        time(earlier)
    );
    let list = |ran: &SmallRun, done| {
        let begins = |name: &str| {
            let row = (0..draft.kernels.len()).find(|&row| ran.name(row) == name);
            (row.and_then(|row| ran.start(row)), format!("{name} begins"))
        };
        places(vec![begins(&a), begins(&b), (Some(done), "the run ends".to_owned())])
    };
    let (here, there) = (list(&ran, done), list(&beside, earlier));
    let at = ran.kernel(first)?.issued;
    let counterpart = Counterpart { draft: changed, change: format!("{b} launched before {a}"), at, places: there };
    Some(ShownEffect { at, row, sentence, places: here, counterpart: Some(counterpart) })
}

pub(super) fn copies(draft: &Draft) -> Option<ShownEffect> {
    let ran = together(draft).filter(|ran| ran.run.trace.scenario().device().copy_engines == 1)?;
    let mut best = None;
    for other in 0..draft.kernels.len() {
        let mut changed = draft.clone();
        (changed.kernels[other].copy_in_bytes, changed.kernels[other].copy_out_bytes) = (0, 0);
        let Some(beside) = SmallRun::from_draft(&changed).filter(|_| changed != *draft) else { continue };
        for row in (0..draft.kernels.len()).filter(|&row| draft.kernels[row].stream != draft.kernels[other].stream) {
            let (Some(start), Some(earlier)) = (ran.start(row), beside.start(row)) else { continue };
            let (Some(op), Some(own)) = (ran.op(row, OpKind::CopyIn), ran.record(row, OpKind::CopyIn)) else { continue };
            let holder = ran.settled(|state| match reason(&ran.run.trace, state, op)? {
                Reason::CopyEngine { op } if ran.run.trace.op(op).row.index() == other => Some((op, state.now())),
                _ => None,
            });
            let Some((holder, at)) = holder else { continue };
            keep(&mut best, start.since(earlier).ns(), || {
                let (name, copy, holder) = (ran.name(row), ran.run.trace.op_label(op), ran.run.trace.op_label(holder));
                let cause = ran.name(other);
                let sentence = format!(
                    "At {} {copy} waits for {holder} of another stream, which has the copy engine (C2), so {name} begins at {}. Without \
                     the copies of {cause}, it begins at {}.",
                    time(at),
                    time(start),
                    time(earlier)
                );
                let list = vec![
                    (Some(at), format!("{copy} waits for {holder}")),
                    (own.start, format!("{copy} begins")),
                    (Some(start), format!("{name} begins")),
                ];
                let change = format!("no copies of {cause}");
                let there = places(vec![(Some(earlier), format!("{name} begins"))]);
                let counterpart = Counterpart { draft: changed.clone(), change, at: earlier, places: there };
                ShownEffect { at, row, sentence, places: places(list), counterpart: Some(counterpart) }
            });
        }
    }
    best.map(|(_, shown)| shown)
}

/// The run, where no processes take turns.
pub(super) fn together(draft: &Draft) -> Option<SmallRun> {
    (!draft.policy.kind.takes_turns()).then(|| SmallRun::from_draft(draft)).flatten()
}

/// The run, if it is under this policy.
pub(super) fn run_of(draft: &Draft, policy: PolicyKind) -> Option<SmallRun> {
    (draft.policy.kind == policy).then(|| SmallRun::from_draft(draft)).flatten()
}

/// The same under another policy.
pub(super) fn with_policy(draft: &Draft, kind: PolicyKind) -> Draft {
    let mut changed = draft.clone();
    changed.policy.kind = kind;
    changed
}

fn under(draft: &Draft, kind: PolicyKind) -> Option<(Draft, SmallRun)> {
    let changed = with_policy(draft, kind);
    let ran = SmallRun::from_draft(&changed)?;
    Some((changed, ran))
}

/// A stream name that no row has.
fn free_stream(draft: &Draft) -> String {
    let is_taken = |name: &String| draft.kernels.iter().any(|k| k.stream == *name) || draft.streams.iter().any(|s| s.name == *name);
    let mut names = (1..).map(|i| format!("S{i}"));
    names.find(|name| !is_taken(name)).unwrap_or_default()
}
