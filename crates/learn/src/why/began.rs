//! Why a block or copy began then, and why there: what it waited for last, what ended that, and which SMs had room.
//!
//! Depends on the rest of `why`. Invariants: the last wait is found by stepping through the instant in which it began; which SM
//! took it follows from the state right before. Source: docs/semantics.md, sections 3 and 10.

use super::room::{self, Room};
use super::words::amount_of;
use super::{Moment, space_of, waits_for, write_amount};
use blockstep_sim::record::{CallRecord, Records};
use blockstep_sim::scenario::Placement;
use blockstep_sim::snapshot::{Replay, Residency};
use blockstep_sim::trace::{OpKind, Rule, Trace, Variant};
use blockstep_sim::units::{JobNo, OpId, SmId, SpaceId, StepId, Time};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::reason::{self, Reason};
use blockstep_view::sentence;

/// Steps of an instant that are looked at: of a longer one the last ones.
const MAX_STEPS: u32 = 5_000;

/// SMs named in a sentence.
const NAMED: usize = 4;

/// How something began to execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Began {
    /// Its name: `K2:1` of a block.
    pub label: String,
    /// When.
    pub at: Time,
    /// The step that assigned it.
    pub step: StepId,
    /// By which rule.
    pub rule: Rule,
    /// Why not earlier, as a sentence.
    pub then: String,
    /// The step that ended its last wait, if it waited.
    pub ended: Option<StepId>,
    /// Why on that SM or copy engine, as a sentence.
    pub here: String,
}

/// How a block of a kernel began, or its first one; or how a copy did. `None` if it does not begin in this run.
#[must_use]
pub fn began(trace: &Trace, records: &Records, replay: &mut Replay, op: OpId, block: Option<u32>) -> Option<Began> {
    let is_kernel = trace.op(op).kind == OpKind::Kernel;
    let (at, step, sm) = if is_kernel {
        let record = room::record_of(records, op, block.unwrap_or(0))?;
        (record.start, record.start_step, Some(record.sm))
    } else {
        let copy = records.copies.iter().find(|copy| copy.op == op)?;
        (copy.start, copy.start_step, None)
    };
    let name = trace.op_label(op);
    let label = if is_kernel { format!("{name}:{}", block.unwrap_or(0)) } else { name };
    let (then, ended) = then(trace, records, replay, op, (at, step));
    let state = replay.seek(step.0);
    let moment = Moment { trace, records, state };
    let here = match sm {
        Some(sm) => here(moment, op, sm),
        None => "Its copy engine was free.".to_owned(),
    };
    Some(Began { label, at, step, rule: trace.step(step).rule, then, ended, here })
}

/// Whether a wait is one: not that the next step goes on with it.
fn is_wait(reason: Reason) -> bool {
    !matches!(reason, Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing)
}

/// What it waited for last, and the step that ended this.
fn then(trace: &Trace, records: &Records, replay: &mut Replay, op: OpId, (at, step): (Time, StepId)) -> (String, Option<StepId>) {
    let issued = &records.ops[op.index()];
    let first_of_instant = trace.steps()[..step.index()].partition_point(|earlier| earlier.at < at) as u32;
    // From the state before the instant on, or from when it was issued.
    let from = first_of_instant.max(issued.issued_step.0 + 1).max(step.0.saturating_sub(MAX_STEPS));
    let mut last: Option<(u32, String, Option<Rule>)> = None;
    for applied in from..=step.0 {
        let state = replay.seek(applied);
        if let Some(reason) = waits_for(trace, state, op).filter(|&reason| is_wait(reason)) {
            last = Some((applied, reason::waited(trace, state, op, reason), reason.rule(trace.op(op).kind)));
        }
    }
    match last {
        Some((applied, waited, rule)) => {
            let ended = StepId(applied);
            let by = sentence::sentence(trace, trace.step(ended));
            let rule = rule.map(|rule| format!(" ({})", rule.id())).unwrap_or_default();
            // The name of the step stands behind the text, where it is a link.
            (format!("{waited}{rule}. This ended the wait: {by}"), Some(ended))
        }
        None if issued.issued == at => match held_call(trace, records, op) {
            Some(call) => {
                let returned = call.returned.unwrap_or(at);
                let text = format!(
                    "It was launched at this instant. Until {} its CPU thread waited in {} (T1).",
                    format_time(returned.ns()),
                    sentence::call(trace, call.row, call.job)
                );
                (text, None)
            }
            None => ("It was launched at this instant, and nothing kept it waiting.".to_owned(), None),
        },
        None => ("Nothing kept it waiting at this instant.".to_owned(), None),
    }
}

/// The call before the launch of an operation, in its CPU thread, if that call waited.
fn held_call(trace: &Trace, records: &Records, op: OpId) -> Option<CallRecord> {
    let (row, job) = (trace.op(op).row, trace.op(op).job);
    let task = trace.scenario().task(trace.row_of(op).task);
    let place = task.rows.binary_search(&row).ok().filter(|_| task.calls_in_turn)?;
    let before = match place.checked_sub(1) {
        Some(place) => (task.rows[place], job),
        None => (*task.rows.last()?, JobNo(job.0.checked_sub(1)?)),
    };
    let end = records.calls.partition_point(|call| call.made_step < records.ops[op.index()].issued_step);
    let call = records.calls[..end].iter().rev().find(|call| (call.row, call.job) == before)?;
    (call.returned > Some(call.made)).then_some(*call)
}

/// Why the block went to this SM.
fn here(moment: Moment<'_>, op: OpId, sm: SmId) -> String {
    let Moment { trace, state, .. } = moment;
    let needs = &trace.row_of(op).needs;
    let sms = &state.space(space_of(trace, op)).sms;
    if sms.len() == 1 {
        return format!(
            "The device has one SM. {} threads were free there, and a block needs {}.",
            threads(sms[0].threads),
            threads(needs.threads)
        );
    }
    let with_room: Vec<usize> = (0..sms.len()).filter(|&i| sms[i].fits(needs)).collect();
    let free = format!("{} threads were free there, and a block needs {}", threads(sms[sm.index()].threads), threads(needs.threads));
    if with_room.len() <= 1 {
        return format!("Only SM {} had room for a block: {free}.", sm.0);
    }
    let named: Vec<String> = with_room.iter().take(NAMED).map(|i| format!("SM {i} ({} free)", threads(sms[*i].threads))).collect();
    let more = with_room.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {} more", format_count(more as u64)) } else { String::new() };
    let rule = match trace.scenario().placement() {
        _ if trace.variants().has(Variant::LastFit) => "This variant of the rules takes the last SM with room",
        Placement::MostFree => "The device takes the SM with the most free threads, and in a tie the SM with the lowest number",
        Placement::MostRoom => "The device takes the SM with room for the most of these blocks, and in a tie the SM with the lowest number",
        Placement::FirstFit => "The device takes the first SM with room",
        Placement::RoundRobin => "The device takes the next SM with room after the one used last",
    };
    format!("{} SMs had room: {}{more}. {rule}.", format_count(with_room.len() as u64), named.join(", "))
}

fn threads(count: u32) -> String {
    format_count(count.into())
}

/// Whether a block of a kernel that waits would fit now, as a sentence; `None` of copies, and where all of it is assigned.
#[must_use]
pub fn fit(moment: Moment<'_>, op: OpId) -> Option<String> {
    let Moment { trace, state, .. } = moment;
    let is_assigned = state.head(trace.op(op).stream) == Some(op) && !state.has_blocks_left(trace, op);
    if trace.op(op).kind != OpKind::Kernel || is_assigned || waits_for(trace, state, op).is_none_or(|reason| !is_wait(reason)) {
        return None;
    }
    let room = room::room_for(moment, op);
    let fitting: Vec<usize> = (0..room.sms.len()).filter(|&i| !room.lacks(SmId::at(i)).contains(&true)).collect();
    let Some(&best) = fitting.iter().max_by_key(|&&i| (room.sms[i].free[0], usize::MAX - i)) else {
        return Some(format!("A block would not fit now: {}.", lacking(&room)));
    };
    let on = match fitting.len() {
        1 => format!("on SM {best}"),
        all if all == room.sms.len() && all > 1 => "on every SM".to_owned(),
        some => format!("on {} SMs", format_count(some as u64)),
    };
    let amount = |which| amount_of(which, room.sms[best].free[which]);
    let free = if room.need[1] > 0 { format!("{} and {}", amount(0), amount(1)) } else { amount(0) };
    Some(format!("A block would fit {on}: SM {best} has {free} free. Room is not the reason."))
}

/// What no SM has enough of.
fn lacking(room: &Room) -> String {
    let short = (0..4).find(|&which| room.sms.iter().all(|sm| sm.free[which] < room.need[which]));
    match short {
        Some(which) => {
            let most = room.sms.iter().map(|sm| sm.free[which]).max().unwrap_or(0);
            let need = amount_of(which, room.need[which]);
            match most {
                0 => format!("it needs {need}, and no SM has any free"),
                most => format!("it needs {need}, and no SM has more than {} free", write_amount(which, most)),
            }
        }
        None => "no single SM has all that it needs".to_owned(),
    }
}

/// What an SM has free where nothing is, at a time at which this is the state, and why nothing more is there.
#[must_use]
pub fn gap(moment: Moment<'_>, at: Time, sm: SmId) -> Option<(String, String, Option<OpId>)> {
    let Moment { trace, state, .. } = moment;
    let space = match state.residency() {
        Residency::Shared => SpaceId(0),
        Residency::Resident { space, .. } => space,
        _ => {
            let headline = format!("SM {} at {}: no process is resident.", sm.0, format_time(at.ns()));
            return Some((headline, "A switch is under way, or no process has work.".to_owned(), None));
        }
    };
    let on = state.space(space).sms.get(sm.index())?;
    let whole = trace.scenario().device().threads_per_sm;
    let headline = format!("SM {} at {}: {} of {} threads are free.", sm.0, format_time(at.ns()), threads(on.threads), format_count(whole));
    if matches!(state.residency(), Residency::Resident { draining: true, .. }) {
        let text = "The resident process is draining: it leaves soon and starts no new kernel.".to_owned();
        return Some((headline, text, None));
    }
    let Some((_, head)) = state.space(space).ee_head() else {
        return Some((
            headline,
            "No kernel is in an EE queue, so there is nothing to assign. Waiting operations are still in their stream queues, or are \
             copies."
                .to_owned(),
            None,
        ));
    };
    let name = trace.op_label(head);
    let room = room::room_for(moment, head);
    let lacks = room.lacks(sm);
    let text = match (0..4).find(|&which| lacks[which]) {
        Some(which) => {
            let (need, free) = (amount_of(which, room.need[which]), write_amount(which, room.sms[sm.index()].free[which]));
            format!(
                "{name} is at the head of the EE queue. A block of it needs {need}, and this SM has {free} free. Kernels behind {name} wait for it, even if they would fit (X1)."
            )
        }
        None => format!("{name} is at the head of the EE queue, and a block of it fits here: it starts at this instant."),
    };
    Some((headline, text, Some(head)))
}
