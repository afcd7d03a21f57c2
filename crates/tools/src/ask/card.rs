//! What is told of an operation, in words and with buttons.
//!
//! Invariant: what is said follows from the run at one step.

use super::room;
use super::view::{AskCard, AskLine, Beginning, Clears, Gap, OpName, OpNote, Resource, RoomOnSm, StepName, View, WaitCause, op_name};
use blockstep_learn::occupancy::{self, Occupancy};
use blockstep_learn::why::{self, Began, CauseLink, Moment, ResidentPart, Root, Standing, Stop, Until, Why};
use blockstep_sim::language::{all_of, s};
use blockstep_sim::record::Records;
use blockstep_sim::snapshot::Progress;
use blockstep_sim::trace::{Rule, Trace};
use blockstep_sim::units::{OpId, RowId, SmId, StepId, Time};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::{reason, sentence};

/// Other operations of a kernel that are listed.
const MAX_OTHERS: usize = 8;
/// Causes that are told from the beginning of a long chain, and from its end.
const CAUSES: [usize; 2] = [40, 10];
/// Lines of what is on the SMs.
const MAX_SMS: usize = 12;
/// What waits, if nothing is selected.
const MAX_WAITING: usize = 8;

pub(super) fn waiting(moment: Moment<'_>) -> Vec<OpNote> {
    let list = reason::waiting(moment.trace, moment.records, moment.state, MAX_WAITING);
    let note = |w: reason::Waiting| OpNote { name: OpName { op: w.op, label: w.label, is_of_kernel: false }, text: w.text };
    list.items.into_iter().map(note).collect()
}

/// A row that the run issues nothing of.
pub(super) fn never(moment: Moment<'_>, row: RowId) -> View {
    let Moment { trace, records, .. } = moment;
    if !trace.scenario().row(row).call.has_operation() {
        return only_waits(trace, records, row);
    }
    let row = trace.scenario().row(row);
    let task = &trace.scenario().task(row.task).name;
    let text = match row.after {
        Some(after) => format!(
            "Task {task} issues it after row {} is complete, which does not happen before the run ends.",
            trace.scenario().row(after).name
        ),
        None => format!("Task {task} would issue it {} after it releases a job, but the run ends before.", format_time(row.start.ns())),
    };
    View::Never { headline: format!("{} is never issued in this run.", row.name), text }
}

/// A row whose call puts nothing on a stream.
fn only_waits(trace: &Trace, records: &Records, id: RowId) -> View {
    let row = trace.scenario().row(id);
    let task = &trace.scenario().task(row.task).name;
    let rule = if row.call.waits_beside() { Rule::T3 } else { Rule::T1 };
    let made = records.calls.iter().find(|call| call.row == id);
    let when = made.map(|call| (format_time(call.made.ns()), call.returned.map(|at| format_time(at.ns()))));
    let when = match when {
        None => format!("Task {task} does not come to this call before the run ends."),
        Some((made, None)) => format!("Task {task} waits from {made} until the run ends."),
        Some((made, Some(returned))) => format!("In its first job, task {task} waits from {made} to {returned}."),
    };
    View::Never {
        headline: format!("{} puts nothing on the GPU. The CPU waits in this call, {}.", row.name, row.call.function(row.synchronous)),
        text: format!("{} {when}", rule.sentence()),
    }
}

pub(super) fn card(moment: Moment<'_>, op: OpId, units: bool) -> AskCard {
    let trace = moment.trace;
    let why = why::why(moment, op);
    let (others, more_others) = others(moment, op);
    // Of what is complete or executes whole, nothing waits.
    let has_root = !why.links.is_empty() || matches!(why.standing, Standing::NotIssued(_));
    AskCard {
        op,
        row: trace.op(op).row,
        // Of what lacks room, the headline says so.
        fit: why::fit(moment, op).filter(|_| why.links.first().is_none_or(|link| link.room.is_none())),
        occupancy: occupancy(trace, op, units),
        began: None,
        title: title(&why).to_owned(),
        headline: why::headline(trace, &why),
        goes_on: goes_on(trace, &why),
        places: places(moment, why.op, &why.places),
        causes: causes(trace, op, &why.links),
        root: why.root.as_ref().filter(|_| has_root).map(|root| rooted(trace, root, &why.links)),
        others,
        more_others,
        evidence: trace.scenario().device().evidence().sentence(),
    }
}

pub(super) fn gap(moment: Moment<'_>, at: Time, sm: SmId) -> Option<Gap> {
    let (headline, text, head) = why::gap(moment, at, sm)?;
    Some(Gap { headline, text, head: head.map(|op| OpName { op, label: moment.trace.op_label(op), is_of_kernel: false }) })
}

pub(super) fn began(trace: &Trace, began: Began) -> Beginning {
    Beginning {
        heading: format!("Why did {} start here and now?", began.label),
        step: step_name(trace, began.step),
        rule: began.rule,
        then: AskLine { text: began.then, step: began.ended.map(|step| step_name(trace, step)) },
        here: began.here,
    }
}

/// How many blocks of the operation's kernel an SM holds.
fn occupancy(trace: &Trace, op: OpId, counts_units: bool) -> RoomOnSm {
    let (device, row) = (trace.scenario().device(), trace.row_of(op));
    let limits = occupancy::limits_of(device);
    let found = Occupancy::for_row(device, row, limits.filter(|_| counts_units));
    let resource = |which: usize| Resource {
        name: why::resource_name(which).to_owned(),
        need: why::write_amount(which, found.need[which]),
        whole: why::write_amount(which, found.whole[which]),
        blocks: found.blocks_by[which].map_or_else(|| "any number".to_owned(), format_count),
        is_limit: found.limiting()[which],
    };
    let lacking: Vec<&str> = (0..4).filter(|&which| found.limiting()[which]).map(why::resource_name).collect();
    RoomOnSm {
        summary: most_on_sm(found.blocks, &lacking),
        resources: (0..4).map(resource).collect(),
        waves: waves(&found),
        units: limits.map(|limits| {
            let (major, minor) = limits.capability;
            format!("Count whole warps and units of allocation, as compute capability {major}.{minor} hands them out")
        }),
    }
}

const fn title(why: &Why) -> &'static str {
    match why.standing {
        Standing::Complete(_) => "Why then?",
        Standing::Executes if why.links.is_empty() => "Why now?",
        Standing::Executes | Standing::Waits | Standing::NotIssued(_) => "Why not now?",
    }
}

fn goes_on(trace: &Trace, why: &Why) -> Option<AskLine> {
    let (step, before) = match why.standing {
        Standing::Complete(step) => (Some(step), "Completes at"),
        Standing::NotIssued(step) => (Some(step), "Issued at"),
        Standing::Waits => (why.goes_on, "Waits until"),
        Standing::Executes if why.links.is_empty() => return None,
        Standing::Executes => (why.goes_on, "Its next block is assigned at"),
    };
    let text = if step.is_some() { before } else { "It does not continue before the run ends." };
    Some(AskLine { text: text.to_owned(), step: step.map(|step| step_name(trace, step)) })
}

/// What is on the device, in a line for each SM or copy engine.
fn places(moment: Moment<'_>, op: OpId, places: &[ResidentPart]) -> Vec<String> {
    let mut lines: Vec<(Option<SmId>, Vec<&ResidentPart>)> = Vec::new();
    for place in places {
        let sm = place.block.map(|(_, sm)| sm);
        match lines.last_mut() {
            Some((last, list)) if *last == sm => list.push(place),
            _ => lines.push((sm, vec![place])),
        }
    }
    let mut told: Vec<String> = lines.iter().take(MAX_SMS).map(|(sm, list)| place_names(moment, op, *sm, list)).collect();
    if lines.len() > MAX_SMS {
        let more = lines.len() - MAX_SMS;
        told.push(format!("and on {more} more SM{}", s(more as u64)));
    }
    told
}

fn place_names(moment: Moment<'_>, op: OpId, sm: Option<SmId>, list: &[&ResidentPart]) -> String {
    let trace = moment.trace;
    let blocks: Vec<String> = list.iter().filter_map(|p| p.block).map(|(block, _)| block.to_string()).collect();
    let since = list.iter().map(|p| p.since).min().unwrap_or_default();
    let left = list.iter().filter_map(|p| match p.progress {
        Progress::Suspended(left) => Some(left),
        Progress::Runs(_) | Progress::Spins => None,
    });
    let stops: Vec<(Time, Stop)> =
        list.iter().filter(|p| matches!(p.progress, Progress::Runs(_))).filter_map(|p| moment.stop(op, p)).collect();
    let is_suspended = |(_, how): &(Time, Stop)| *how == Stop::Suspended;
    let then = match (stops.iter().any(is_suspended), stops.iter().all(is_suspended)) {
        (false, _) => "",
        (true, true) => ", then suspended",
        (true, false) => ", then partly suspended",
    };
    let what = match (sm, blocks.as_slice()) {
        (Some(sm), [one]) => format!("Block {one} on SM {}", sm.0),
        (Some(sm), many) if many.len() <= 6 => format!("Blocks {} on SM {}", many.join(", "), sm.0),
        (Some(sm), many) => format!("{} blocks on SM {}", many.len(), sm.0),
        (None, _) => {
            let engine = list.first().and_then(|p| p.engine).unwrap_or(0);
            format!("On {}", sentence::copy_engine(trace.scenario(), engine))
        }
    };
    let since = format_time(since.ns());
    let is_running = list.iter().any(|p| matches!(p.progress, Progress::Runs(_)));
    let spins = list.iter().any(|p| p.progress == Progress::Spins);
    match (stops.iter().max_by_key(|(until, _)| *until), left.max()) {
        (Some((_, Stop::RunEnds)), _) => format!("{what} since {since}, to the end of the run"),
        (Some((until, _)), _) => format!("{what} since {since}, until {}{then}", format_time(until.ns())),
        (None, _) if spins => format!("{what} since {since}, spinning"),
        (None, _) if is_running => format!("{what} since {since}"),
        (None, left) => format!("{what} since {since}, suspended, with {} left", format_time(left.unwrap_or_default().ns())),
    }
}

/// The chain, its middle left out if it is long.
fn causes(trace: &Trace, subject: OpId, links: &[CauseLink]) -> Vec<WaitCause> {
    let [first, last] = CAUSES;
    if links.len() <= first + last {
        return links.iter().map(|link| cause(trace, subject, link)).collect();
    }
    let (beginning, rest) = links.split_at(first);
    let (skipped, end) = rest.split_at(rest.len() - last);
    let mut told: Vec<WaitCause> = beginning.iter().chain(end).map(|link| cause(trace, subject, link)).collect();
    told[first].skipped = skipped.len();
    told
}

fn cause(trace: &Trace, subject: OpId, link: &CauseLink) -> WaitCause {
    // The table says the rest.
    let text = if link.room.is_some() { link.text.split("; ").next().unwrap_or("") } else { &link.text };
    WaitCause {
        name: op_name(trace, subject, link.op),
        rule: link.rule,
        text: if link.executes { format!("partly executing; {text}") } else { text.to_owned() },
        room: link.room.as_ref().map(|room| room::table(trace, subject, room)),
        clears: match link.clears {
            Until::Step(step) => Clears::At(step_name(trace, step), sentence::sentence(trace, trace.step(step))),
            Until::EndOfRun => Clears::EndOfRun,
            Until::Unsought => Clears::Unsought,
        },
        skipped: 0,
    }
}

fn rooted(trace: &Trace, root: &Root, links: &[CauseLink]) -> AskLine {
    let step = match root {
        Root::Block { step, .. }
        | Root::Copy { step, .. }
        | Root::Release { step, .. }
        | Root::Issue { step, .. }
        | Root::Launch { step, .. }
        | Root::Spin { step, .. } => *step,
        Root::Absent(absent) => absent.enters,
        Root::Now | Root::Cycle { .. } => None,
    };
    AskLine { text: why::root_text(trace, root, links), step: step.map(|step| step_name(trace, step)) }
}

/// What else of the kernel is issued and incomplete; and how many more there are.
fn others(moment: Moment<'_>, subject: OpId) -> (Vec<OpNote>, Option<String>) {
    let trace = moment.trace;
    let open = why::open_ops(moment, trace.op(subject).row);
    let others: Vec<OpId> = open.into_iter().filter(|&op| op != subject).collect();
    let said = |&op: &OpId| {
        let text = match why::waits_for(trace, moment.state, op) {
            Some(reason) => reason::words(trace, moment.state, op, reason),
            None => "executes".to_owned(),
        };
        OpNote { name: op_name(trace, subject, op), text }
    };
    let more = (others.len() > MAX_OTHERS).then(|| format!("and {} more", format_count((others.len() - MAX_OTHERS) as u64)));
    (others.iter().take(MAX_OTHERS).map(said).collect(), more)
}

fn step_name(trace: &Trace, step: StepId) -> StepName {
    let position = step.0 + 1;
    StepName { position, label: format!("step {} ({})", format_count(position.into()), format_time(trace.step(step).at.ns())) }
}

fn most_on_sm(blocks: u64, lacking: &[&str]) -> String {
    let lacking = all_of(lacking);
    match blocks {
        0 => format!("Occupancy: no block fits on an SM, for lack of {lacking}"),
        blocks => format!("Occupancy: at most {} block{} on an SM, limited by {lacking}", format_count(blocks), s(blocks)),
    }
}

/// What comes of it for the whole device.
fn waves(found: &Occupancy) -> String {
    let at_once = found.blocks.saturating_mul(found.sms);
    let device = match found.sms {
        1 => "the SM holds".to_owned(),
        sms => format!("{} SMs hold", format_count(sms)),
    };
    let kernel = match found.waves() {
        0 | 1 => "all of the kernel".to_owned(),
        waves => {
            format!("{} of the kernel's {}: at least {} waves", format_count(at_once), format_count(found.kernel), format_count(waves))
        }
    };
    format!("When idle, {device} {kernel}. The blocks on an SM have {} % of its threads.", found.percent())
}
