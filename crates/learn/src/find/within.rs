//! Effects that one run shows: something waits in a state that lasts.
//!
//! Depends on `view::reason`, which says why. Invariant: each is what [`super::Effect`] says of it.

use super::ShownEffect;
use super::beside::{run_of, together};
use super::small_run::{SmallRun, places, time};
use blockstep_sim::language::all_of;
use blockstep_sim::scenario::{Draft, PolicyKind};
use blockstep_sim::snapshot::{Shortage, Snapshot};
use blockstep_sim::trace::Level;
use blockstep_sim::units::{OpId, SpaceId, Time};
use blockstep_view::quantity::{format_bytes, format_count};
use blockstep_view::reason::{Reason, reason};

/// The address space of all, where nothing takes turns.
const ALL: SpaceId = SpaceId(0);

pub(super) fn inversion(draft: &Draft) -> Option<ShownEffect> {
    let ran = run_of(draft, PolicyKind::Priority)?;
    let (op, shortage, holders, at) = ran.settled(|state| {
        let space = state.space(ALL);
        let &op = space.ee(Level::High).front()?;
        let shortage = shortage(&ran, state, op)?;
        let mut holders: Vec<OpId> = space.sms.iter().flat_map(|sm| &sm.blocks).map(|b| b.op).collect();
        holders.sort_unstable_by_key(|op| op.0);
        holders.dedup();
        let has_begun = ran.records.ops[op.index()].start.is_some_and(|start| start <= state.now());
        let is_behind_low = !holders.iter().any(|&op| ran.is_high(op));
        (is_behind_low && !has_begun).then(|| (op, shortage, holders, state.now()))
    })?;
    let trace = &ran.run.trace;
    let begins = ran.records.ops[op.index()].start?;
    let (row, name) = (trace.op(op).row.index(), trace.op_label(op));
    let names: Vec<String> = holders.iter().map(|&op| trace.op_label(op)).collect();
    let (own, what, rule) = (ran.stream(op), held(shortage), shortage.rule().id());
    let sentence = format!(
        "{name}, of the high-priority stream {own}, is ready at {} but begins only at {}. Low-priority blocks of {} hold the {what} that \
         it needs ({rule}), and priority does not stop running blocks (A2).",
        time(at),
        time(begins),
        all_of(&names)
    );
    let mut list =
        vec![(Some(at), format!("{name} heads the high-priority EE queue and does not fit")), (Some(begins), format!("{name} begins"))];
    list.extend(holders.first().map(|&op| (ran.records.ops[op.index()].start, format!("{} begins", trace.op_label(op)))));
    Some(ShownEffect { at, row, sentence, places: places(list), counterpart: None })
}

pub(super) fn null_chain(draft: &Draft) -> Option<ShownEffect> {
    let ran = together(draft)?;
    let trace = &ran.run.trace;
    let (op, null, first, at) = ran.settled(|state| {
        (0..trace.ops().len()).map(OpId::at).find_map(|op| {
            let Reason::N2 { op: null } = reason(trace, state, op)? else { return None };
            let Reason::N1 { op: first } = reason(trace, state, null)? else { return None };
            shortage(&ran, state, op).is_none().then_some((op, null, first, state.now()))
        })
    })?;
    let record = &ran.records.ops[op.index()];
    let (name, via, root) = (trace.op_label(op), trace.op_label(null), trace.op_label(first));
    let sentence = format!(
        "At {} {name} on stream {} waits for {via} in the NULL stream (N2), and {via} waits for {root} on stream {} (N1). So {root} \
         delays {name} although a block of {name} would fit. {name} joins its queue only at {}.",
        time(at),
        ran.stream(op),
        ran.stream(first),
        time(record.queued?),
    );
    let list = vec![
        (Some(at), format!("{name} waits for {via}, and {via} for {root}")),
        (ran.records.ops[null.index()].start, format!("{via} begins")),
        (record.start, format!("{name} begins")),
    ];
    Some(ShownEffect { at, row: trace.op(op).row.index(), sentence, places: places(list), counterpart: None })
}

pub(super) fn head_of_line(draft: &Draft) -> Option<ShownEffect> {
    let ran = together(draft)?;
    let (op, ahead, free, at) = ran.settled(|state| {
        let (level, head) = state.space(ALL).ee_head()?;
        shortage(&ran, state, head)?;
        let queue = state.space(ALL).ee(level);
        let &op = queue.iter().skip(1).find(|&&op| shortage(&ran, state, op).is_none())?;
        Some((op, head, most_free(&ran, state, op)?, state.now()))
    })?;
    passed_over(&ran, op, ahead, &free, at, "is ahead of it in the EE queue (X1)")
}

pub(super) fn reserved(draft: &Draft) -> Option<ShownEffect> {
    let ran = run_of(draft, PolicyKind::Priority)?;
    let (op, ahead, free, at) = ran.settled(|state| {
        let &head = state.space(ALL).ee(Level::High).front()?;
        shortage(&ran, state, head)?;
        let &op = state.space(ALL).ee(Level::Low).front()?;
        shortage(&ran, state, op).is_none().then_some(())?;
        Some((op, head, most_free(&ran, state, op)?, state.now()))
    })?;
    passed_over(&ran, op, ahead, &free, at, "has high priority (A2)")
}

/// What is told of a block that would fit.
fn passed_over(ran: &SmallRun, op: OpId, ahead: OpId, free: &str, at: Time, why: &str) -> Option<ShownEffect> {
    let trace = &ran.run.trace;
    let (name, other) = (trace.op_label(op), trace.op_label(ahead));
    let assigned = ran.records.blocks_of(op).iter().map(|&b| ran.records.blocks[b as usize].start).find(|&start| start > at)?;
    let needs = |op: OpId| format_count(u64::from(trace.row_of(op).needs.threads));
    let sentence = format!(
        "At {} a block of {name} would fit: it needs {} threads, and {free}. But {other} {why}, and its next block ({} threads) fits on \
         no SM. So {name} waits until {}.",
        time(at),
        needs(op),
        needs(ahead),
        time(assigned)
    );
    let list =
        vec![(Some(at), format!("{other} does not fit, and {name} waits behind it")), (Some(assigned), format!("{name} gets a block"))];
    Some(ShownEffect { at, row: trace.op(op).row.index(), sentence, places: places(list), counterpart: None })
}

/// What a block of a kernel lacks.
fn shortage(ran: &SmallRun, state: &Snapshot, op: OpId) -> Option<Shortage> {
    state.space(ALL).shortage(&ran.run.trace.row_of(op).needs)
}

/// The SM with the most free threads of those that could take a block.
fn most_free(ran: &SmallRun, state: &Snapshot, op: OpId) -> Option<String> {
    let needs = &ran.run.trace.row_of(op).needs;
    let mut best: Option<(u32, usize, u64)> = None;
    for (i, sm) in state.space(ALL).sms.iter().enumerate().filter(|(_, sm)| sm.fits(needs)) {
        if best.is_none_or(|(threads, ..)| sm.threads > threads) {
            best = Some((sm.threads, i, sm.shared_memory));
        }
    }
    let (threads, sm, memory) = best?;
    let with_memory = if needs.shared_memory > 0 { format!(" and {}", format_bytes(memory)) } else { String::new() };
    Some(format!("{} are free on SM {sm}{with_memory}", format_count(threads.into())))
}

fn held(shortage: Shortage) -> &'static str {
    match shortage {
        Shortage::Threads => "threads",
        Shortage::SharedMemory => "shared memory",
        Shortage::Registers => "registers",
        Shortage::Slots => "block slots",
        Shortage::AllAtOnce => "room for all blocks at once",
    }
}
