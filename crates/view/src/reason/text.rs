//! Reasons in words, with the numbers behind them.
//!
//! Depends on the rest of `reason`. Invariant: a text is one clause without the operation's own
//! name and without a full stop; amounts are exact; it stays short however many SMs there are.

use super::{Reason, ce_queue_of, is_leaving, level_of, space_of};
use crate::quantity::{format_bytes, format_count, format_time};
use crate::sentence;
use blockstep_sim::language::{all_of, and_more};
use blockstep_sim::order;
use blockstep_sim::scenario::{Class, Needs};
use blockstep_sim::snapshot::{Message, Residency, SmState, Snapshot, SpaceState};
use blockstep_sim::trace::{Signal, Trace};
use blockstep_sim::units::OpId;

/// Up to that many SMs are named one by one.
const SMS_BY_NAME: usize = 4;
/// Up to that many groups of SMs are listed.
const MAX_GROUPS: usize = 4;
/// Up to that many kernels are named as holders.
const MAX_HOLDERS: usize = 3;

/// What is said of a reason, by the place that it takes in a sentence.
pub(super) enum Clause {
    /// Where the operation waits: `behind K1 in stream S1`.
    Place(String),
    /// What goes on after "waits": `for K1, a node of its graph`.
    Waits(String),
    /// What goes on after the operation's name: `needs 768 free threads`.
    Predicate(String),
    /// A clause with its own subject.
    Whole(String),
}

impl Clause {
    /// As one clause without the operation's name.
    pub(super) fn text(self) -> String {
        match self {
            Self::Place(text) | Self::Predicate(text) | Self::Whole(text) => text,
            Self::Waits(text) => format!("waits {text}"),
        }
    }

    /// Once it is over, without a full stop.
    pub(super) fn waited(self) -> String {
        match self {
            Self::Place(text) | Self::Waits(text) => format!("It waited {text}"),
            Self::Predicate(text) => format!("It waited: it {text}"),
            Self::Whole(text) => format!("It waited: {text}"),
        }
    }
}

/// What is said of a reason, and the operations it is about.
pub(super) fn describe(trace: &Trace, state: &Snapshot, op: OpId, reason: Reason) -> (Clause, Vec<OpId>) {
    use Clause::{Place, Predicate, Waits, Whole};
    if let Some(text) = super::varied::describe(trace, state, op, reason) {
        return (Whole(text), reason.blocker().into_iter().collect());
    }
    let scenario = trace.scenario();
    let id = space_of(trace, op);
    let space = state.space(id);
    let name = |op: OpId| trace.op_label(op);
    let stream_of = |op: OpId| sentence::stream(trace, trace.op(op).stream);
    let clause = match reason {
        Reason::Producer { task, job } => match (scenario.task(task).jobs, scenario.task(task).name.as_str()) {
            (Some(1), task) => Whole(format!("its task waits for task {task} to complete its job")),
            (_, task) => Whole(format!("its job waits for job {} of task {task} to complete", job.0)),
        },
        Reason::BehindInStream { op: head } => {
            let place = state.stream(trace.op(op).stream).queue.binary_search(&op).unwrap_or(1);
            let ahead = ahead(place, "operations");
            let what = if trace.are_of_one_graph(op, head) { ", a node of its graph," } else { "" };
            Place(format!("behind {}{what} in {}{ahead}", name(head), stream_of(op)))
        }
        Reason::Graph { op: before } if trace.are_of_one_graph(op, before) => Waits(format!("for {}, a node of its graph", name(before))),
        Reason::Graph { op: before } => {
            let launch = scenario.call_of(trace.op(before).row);
            let what =
                if launch == trace.op(before).row { String::new() } else { format!(", a node of graph {}", scenario.row(launch).name) };
            let stream = sentence::stream(trace, trace.layout().launched_into(trace.op(op).stream));
            match trace.row_of(op).node {
                Some(_) => Whole(format!("its graph is behind {}{what} in {stream}", name(before))),
                None => Place(format!("behind {}{what} in {stream}", name(before))),
            }
        }
        Reason::N1 { op: barrier } => {
            Predicate(format!("heads the NULL stream, but {} in {} was launched before it", name(barrier), stream_of(barrier)))
        }
        Reason::N2 { op: barrier } => Whole(format!("{} in the NULL stream was launched before it", name(barrier))),
        Reason::Event { op: captured } => {
            let records = scenario.row(scenario.call_of(trace.op(captured).row)).records;
            let event = records.map_or("", |event| scenario.event_name(event));
            Whole(format!("event {event} was recorded behind {} in {}", name(captured), stream_of(captured)))
        }
        Reason::BehindInConnection { op: head } => Place(behind_in_connection(trace, state, op, head)),
        Reason::NotLaunched => Whole(not_launched(trace, state, op)),
        Reason::NotResident => Whole(absent(trace, state, op)),
        Reason::A2 { op: head } => Whole(format!("{} in the high-priority EE queue goes first", name(head))),
        Reason::X1 { op: head } => {
            let level = level_of(space, op);
            let place = space.ee(level).iter().position(|&o| o == op).unwrap_or(1);
            Place(format!("behind {} in {}{}", name(head), sentence::ee_queue(scenario, level), ahead(place, "kernels")))
        }
        Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots => return shortage(trace, state, op, reason),
        Reason::AllAtOnce => return all_at_once(trace, state, op),
        Reason::CopyEngine { op: running } => Whole(copy_engine(trace, space, op, running)),
        Reason::ToBeQueued => Predicate("joins its next queue at this instant".to_owned()),
        Reason::ToBeAssigned if is_leaving(trace, state, id) => {
            Whole(format!("{} leaves the GPU at this instant", sentence::process(trace, id)))
        }
        Reason::ToBeAssigned => Predicate("to be assigned at this instant".to_owned()),
        Reason::Completing => Whole("its last block has completed; it leaves its stream at this instant".to_owned()),
    };
    (clause, reason.blocker().into_iter().collect())
}

/// How many stand before a place of a queue, where that is more than the one already named.
fn ahead(place: usize, what: &str) -> String {
    if place > 1 { format!(", with {} {what} ahead", format_count(place as u64)) } else { String::new() }
}

/// What holds up the head holds up everything behind it.
fn behind_in_connection(trace: &Trace, state: &Snapshot, op: OpId, head: OpId) -> String {
    let name = |op: OpId| trace.op_label(op);
    let cause = match super::reason(trace, state, head) {
        Some(Reason::BehindInStream { op } | Reason::N1 { op } | Reason::N2 { op } | Reason::Graph { op } | Reason::Event { op }) => {
            format!(", which waits for {}", name(op))
        }
        Some(Reason::Producer { task, .. }) => format!(", which waits for task {}", trace.scenario().task(task).name),
        Some(Reason::NotLaunched) => ", which the policy does not launch".to_owned(),
        _ => String::new(),
    };
    let place = state.place_in_connection(trace, op).unwrap_or(1);
    format!("behind {} in {}{cause}{}", name(head), sentence::connection(trace, trace.op(op).stream), ahead(place, "operations"))
}

/// By which line the policy keeps a kernel back, if it does so before the decisions of this instant.
fn not_launched(trace: &Trace, state: &Snapshot, op: OpId) -> String {
    let task = trace.row_of(op).task;
    let name = &trace.scenario().task(task).name;
    let line = state.not_launched_by(trace, task).and_then(|place| trace.made(place).decision.launching);
    match line {
        Some((_, line)) => format!("line {line} of the policy does not let task {name} launch kernels"),
        // A task asks before the instant ends at which it issues anything.
        None => "the policy decides at this instant whether to launch it".to_owned(),
    }
}

fn absent(trace: &Trace, state: &Snapshot, op: OpId) -> String {
    let id = space_of(trace, op);
    let process = sentence::process(trace, id);
    if state.is_space_reset(id) {
        return format!("the watchdog has reset the channel of {process}, which never runs again");
    }
    let class = |task| trace.scenario().task(task).class;
    let chosen = state.edf().chosen.map(|(claimant, _)| trace.scenario().claims_for(claimant).class);
    let goes_first = match (class(trace.row_of(op).task), chosen) {
        (Class::BestEffort, Some(Class::RealTime)) => ", whose real-time work goes before best effort,",
        _ => "",
    };
    let resident = matches!(state.residency(), Residency::Resident { space, .. } if space == id);
    if let Some(message) = unknown(trace, state, op).filter(|_| !resident) {
        return format!("the RunList Manager does not know of its job yet: signal A arrives at {}", format_time(message.arrives.ns()));
    }
    if let Some(place) = state.held_back_by(trace, trace.row_of(op).task).filter(|_| !resident) {
        let (task, line) = (&trace.scenario().task(trace.row_of(op).task).name, trace.made(place).decision.line);
        return format!("task {task} is held back by the policy, line {line}; {process} is not resident");
    }
    match state.residency() {
        Residency::Submitting { to, until, .. } if to == id => {
            format!("the runlist of {process} is being submitted until {}; the switch comes next", format_time(until.ns()))
        }
        Residency::Submitting { to, until, .. } => {
            let to = sentence::process(trace, to);
            format!("{process} is not resident; the runlist of {to}{goes_first} is being submitted until {}", format_time(until.ns()))
        }
        Residency::Switching { to, until } if to == id => {
            format!("{process} becomes resident when the context switch ends at {}", format_time(until.ns()))
        }
        Residency::Switching { to, .. } => {
            format!("{process} is not resident; a switch to {}{goes_first} is under way", sentence::process(trace, to))
        }
        Residency::Resident { space, .. } if space == id => format!("{process} is draining and starts no new work"),
        Residency::Resident { space, .. } => match state.idles_for() {
            Some(message) => {
                let job = sentence::job_of(trace.scenario(), message.claimant, message.job);
                let batch = sentence::the_batch(trace.scenario(), message.claimant, &job);
                let at = format_time(message.arrives.ns());
                format!("{process} is not resident; the GPU idles until signal B reports at {at} that {batch} has completed")
            }
            None => format!("{process} is not resident; {}{goes_first} is", sentence::process(trace, space)),
        },
        Residency::Idle { .. } | Residency::Shared => format!("{process} is not resident"),
    }
}

/// The signal A that tells the manager of an operation's job, if that is under way.
fn unknown(trace: &Trace, state: &Snapshot, op: OpId) -> Option<Message> {
    let (claimant, job) = (trace.row_of(op).claimant, trace.op(op).job);
    state.signal_of(claimant, job).filter(|message| message.signal == Signal::Submitted && !state.knows(claimant, job))
}

fn copy_engine(trace: &Trace, space: &SpaceState, op: OpId, running: OpId) -> String {
    let scenario = trace.scenario();
    let engine = ce_queue_of(space, op).unwrap_or(0);
    let queue = space.ce(engine);
    let place = queue.iter().position(|&o| o == op).unwrap_or(0);
    let mut text = if queue.front() == Some(&running) {
        format!("{} takes {} first", sentence::copy_engine(scenario, engine), trace.op_label(running))
    } else {
        format!("{} is busy with {}", sentence::copy_engine(scenario, engine), trace.op_label(running))
    };
    match (place, queue.front()) {
        (1, Some(&next)) if next != running => text += &format!("; {} is next", trace.op_label(next)),
        (2.., _) => text += &format!("; {} copies are ahead in {}", format_count(place as u64), sentence::ce_queue(scenario, engine)),
        _ => {}
    }
    text
}

/// One kind of resource: how much a block needs, an SM has free, and how to write that.
struct Resource {
    need: fn(&Needs) -> u64,
    free: fn(&SmState) -> u64,
    write: fn(u64) -> String,
    noun: &'static str,
}

/// In the order in which the rules ask for them.
const RESOURCES: [Resource; 4] = [
    Resource { need: |n| n.threads.into(), free: |sm| sm.threads.into(), write: format_count, noun: "threads" },
    Resource { need: |n| n.shared_memory, free: |sm| sm.shared_memory, write: bytes, noun: "shared memory" },
    Resource { need: |n| n.registers, free: |sm| sm.registers, write: format_count, noun: "registers" },
    Resource { need: |_| 1, free: |sm| sm.slots.into(), write: format_count, noun: "block slots" },
];

/// Nothing is nothing in every unit.
fn bytes(n: u64) -> String {
    if n == 0 { "0".to_owned() } else { format_bytes(n) }
}

fn shortage(trace: &Trace, state: &Snapshot, op: OpId, reason: Reason) -> (Clause, Vec<OpId>) {
    let needs = &trace.row_of(op).needs;
    let space = state.space(space_of(trace, op));
    let resource = match reason {
        Reason::Threads => &RESOURCES[0],
        Reason::SharedMemory => &RESOURCES[1],
        Reason::Registers => &RESOURCES[2],
        _ => &RESOURCES[3],
    };
    let what = match reason {
        Reason::Slots => "a free block slot".to_owned(),
        Reason::SharedMemory => format!("{} of free {}", (resource.write)((resource.need)(needs)), resource.noun),
        _ => format!("{} free {}", (resource.write)((resource.need)(needs)), resource.noun),
    };
    let assigned = state.stream(trace.op(op).stream).assigned;
    let holders = holders(trace, space, needs, resource);
    let is_any_free = space.sms.iter().any(|sm| (resource.free)(sm) > 0);
    let rest = match resource.noun {
        _ if is_any_free => "the rest",
        "shared memory" => "it",
        _ => "them",
    };
    let held = held_by(trace, op, &holders).map_or_else(String::new, |held| format!(", and {held} {rest}"));
    let needs = format!("needs {what}; {}{held}", free(space, needs, resource));
    (if assigned == 0 { Clause::Predicate(needs) } else { Clause::Whole(format!("block {assigned} {needs}")) }, holders)
}

/// A cooperative kernel needs room for all its blocks: `needs room for all its 64 blocks at once; there is room for 40`.
fn all_at_once(trace: &Trace, state: &Snapshot, op: OpId) -> (Clause, Vec<OpId>) {
    let row = trace.row_of(op);
    let space = state.space(space_of(trace, op));
    let room: u64 = space.sms.iter().map(|sm| u64::from(sm.room(&row.needs))).sum();
    let mut holders: Vec<OpId> = space.sms.holding().flat_map(|(_, sm)| &sm.blocks).map(|block| block.op).collect();
    order::by_number(&mut holders, |op| op.0.into());
    holders.dedup();
    let held = held_by(trace, op, &holders).map_or_else(String::new, |held| format!(", and {held} the rest"));
    let blocks = format_count(row.blocks);
    (Clause::Predicate(format!("needs room for all its {blocks} blocks at once; there is room for {}{held}", format_count(room))), holders)
}

/// Kernels that hold some of what each SM lacks, in issue order.
fn holders(trace: &Trace, space: &SpaceState, needs: &Needs, resource: &Resource) -> Vec<OpId> {
    let mut ops: Vec<OpId> = Vec::new();
    for sm in &space.sms {
        let lacks = lacking(sm, needs, resource).unwrap_or(resource);
        let holds = |&op: &OpId| (lacks.need)(&trace.row_of(op).needs) > 0;
        ops.extend(sm.blocks.iter().map(|b| b.op).filter(holds));
    }
    order::by_number(&mut ops, |op| op.0.into());
    ops.dedup();
    ops
}

/// What an SM has too little of: the resource in question, else the first other one.
fn lacking<'r>(sm: &SmState, needs: &Needs, resource: &'r Resource) -> Option<&'r Resource> {
    let is_short = |r: &&Resource| (r.free)(sm) < (r.need)(needs);
    Some(resource).filter(is_short).or_else(|| RESOURCES.iter().find(is_short))
}

/// Who holds what is not free, with the verb: `K1 holds`, `other blocks of K2 hold`.
fn held_by(trace: &Trace, op: OpId, holders: &[OpId]) -> Option<String> {
    let name = |&holder: &OpId| if holder == op { format!("other blocks of {}", trace.op_label(op)) } else { trace.op_label(holder) };
    let named: Vec<String> = holders.iter().take(MAX_HOLDERS).map(name).collect();
    let verb = match holders {
        [] => return None,
        [holder] if *holder != op => "holds",
        _ => "hold",
    };
    Some(format!("{} {verb}", listed(&named, holders.len() - named.len())))
}

/// `K1 and K2`, `K1, K2, K3 and 2 more`.
fn listed(named: &[String], more: usize) -> String {
    if more == 0 { all_of(named) } else { and_more(named, more) }
}

/// What the SMs have: `SM 0 has 0, SM 1 has 16 KiB`, `each SM has 512`, `no SM has any`; many SMs are put together.
fn free(space: &SpaceState, needs: &Needs, resource: &Resource) -> String {
    let each: Vec<String> = space.sms.iter().map(|sm| on_sm(sm, needs, resource)).collect();
    if let [first, rest @ ..] = each.as_slice()
        && !rest.is_empty()
        && rest.iter().all(|other| other == first)
    {
        return match (first.as_str(), resource.noun) {
            ("0", "block slots") => "no SM has one".to_owned(),
            ("0", _) => "no SM has any".to_owned(),
            _ => format!("each SM has {first}"),
        };
    }
    if each.len() <= SMS_BY_NAME {
        return each.iter().enumerate().map(|(i, what)| format!("SM {i} has {what}")).collect::<Vec<_>>().join(", ");
    }
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for (i, what) in each.iter().enumerate() {
        let count = groups.len();
        match groups.last_mut() {
            Some((first, last)) if each[*first] == *what => *last = i,
            _ if count == MAX_GROUPS => return most(space, resource, each.len()),
            _ => groups.push((i, i)),
        }
    }
    let group = |&(first, last): &(usize, usize)| match first == last {
        true => format!("SM {first} has {}", each[first]),
        false => format!("SMs {first}–{last} have {}", each[first]),
    };
    groups.iter().map(group).collect::<Vec<_>>().join(", ")
}

/// The free amount on one SM, and what is missing there if that would do.
fn on_sm(sm: &SmState, needs: &Needs, resource: &Resource) -> String {
    let amount = (resource.write)((resource.free)(sm));
    match lacking(sm, needs, resource).filter(|other| other.noun != resource.noun) {
        Some(other) => {
            format!("{amount} (but {} of {} {})", (other.write)((other.free)(sm)), (other.write)((other.need)(needs)), other.noun)
        }
        None => amount,
    }
}

/// Many SMs, each with another amount.
fn most(space: &SpaceState, resource: &Resource, sms: usize) -> String {
    let amounts = || space.sms.iter().map(|sm| (resource.free)(sm));
    let write = |n: Option<u64>| (resource.write)(n.unwrap_or(0));
    format!("the {sms} SMs have {} to {}", write(amounts().min()), write(amounts().max()))
}
