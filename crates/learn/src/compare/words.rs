//! Differences in words: `Blocks 0 to 3 of K2: 1 s under priority, 2 s under FIFO.`
//!
//! Depends on the rest of `compare` and on `view::sentence`. Invariant: a sentence follows from the
//! steps it tells of; everything that differs at a stop is told or counted.

use super::{Differences, Side};
use blockstep_sim::language::all_of;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::trace::{Change, Level, Step, Trace};
use blockstep_sim::units::{OpId, StepId, Time};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::sentence::{self, sentence};

/// Two runs with the words by which each is told from the other: `under priority`, `on the TX2`.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The runs, as they were compared.
    pub sides: [Side<'a>; 2],
    /// Their words, without a capital.
    pub names: [&'a str; 2],
}

/// Most SMs listed of either run.
const MAX_SMS: usize = 8;

/// Most steps of either run that are told of at one stop; more are counted.
const MAX_STEPS: usize = 2000;

/// What happens to something at a stop, and when it does in the other run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Event {
    /// Whose step tells of it: run a's if it is there.
    is_b: bool,
    change: Change,
    /// In each run: when, and at which step. `None` where it never happens.
    when: [Option<(Time, StepId)>; 2],
    /// Whether the other run has a time for it at all.
    recurs: bool,
}

/// Several blocks of one kernel to which the same happens at the same time.
struct AlikeBlocks {
    event: Event,
    blocks: Vec<u32>,
    /// The SMs of those, in either run.
    sms: [Vec<u16>; 2],
    count: usize,
}

impl Pair<'_> {
    /// Where the runs part: when, and the step of each.
    #[must_use]
    pub fn first(&self, differences: &Differences) -> Option<[String; 2]> {
        let first = differences.first()?;
        let say = |side: usize, step: Option<StepId>| {
            let trace = self.sides[side].trace;
            step.map_or_else(
                || "nothing more happens.".to_owned(),
                |id| {
                    let step = trace.step(id);
                    format!("at {}: {}", format_time(step.at.ns()), sentence(trace, step))
                },
            )
        };
        Some([say(0, first.a), say(1, first.b)])
    }

    /// Everything that differs at a stop, at most `limit` sentences and then how many there are more.
    #[must_use]
    pub fn stop(&self, differences: &Differences, stop: usize, limit: usize) -> Vec<String> {
        if let Some(order) = differences.order(stop) {
            let what = |side: usize| {
                let trace = self.sides[side].trace;
                format!("first {}: {}", self.names[side], sentence(trace, trace.step(order[side])))
            };
            return vec![format!("The same happens in another order: {} {}", what(0), capital(&what(1)))];
        }
        let groups = self.groups(differences, stop);
        let shown = if groups.len() > limit { limit.max(1) - 1 } else { groups.len() };
        let mut lines: Vec<String> = groups[..shown].iter().map(|group| self.tell(group)).collect();
        let untold: usize = differences.only(stop).iter().map(|only| only.len().saturating_sub(MAX_STEPS)).sum();
        let more = groups.len() - shown + untold;
        if more > 0 {
            lines.truncate(limit.max(1) - 1);
            lines.push(format!("And {} more.", format_count(more as u64)));
        }
        lines
    }

    /// What differs at a stop, blocks of a kernel together: first what run a does, then what run b does.
    fn groups(&self, differences: &Differences, stop: usize) -> Vec<AlikeBlocks> {
        let mut groups: Vec<AlikeBlocks> = Vec::new();
        let [only_a, only_b] = differences.only(stop);
        let at = differences.stops()[stop].at;
        for (is_b, &id) in only_a.iter().take(MAX_STEPS).map(|id| (false, id)).chain(only_b.iter().take(MAX_STEPS).map(|id| (true, id))) {
            let (ours, theirs) = (usize::from(is_b), usize::from(!is_b));
            let step = self.sides[ours].trace.step(id);
            let counterpart = differences.matching().counterpart(self.sides[ours], self.sides[theirs], is_b, id);
            let counterpart = counterpart.map(|id| (self.sides[theirs].trace.step(id).at, id));
            // What is at another place at the same time is told with run a's.
            if is_b && counterpart.is_some_and(|(then, _)| then == at) {
                continue;
            }
            let mut when = [None; 2];
            (when[ours], when[theirs]) = (Some((at, id)), counterpart);
            let event = Event { is_b, change: step.change, when, recurs: recurs(step.change) };
            match groups.iter_mut().rev().take(8).find(|group| group.takes(&event)) {
                Some(group) => group.add(self, &event),
                None => {
                    let mut group = AlikeBlocks { event: event.clone(), blocks: Vec::new(), sms: [Vec::new(), Vec::new()], count: 0 };
                    group.add(self, &event);
                    groups.push(group);
                }
            }
        }
        groups
    }

    fn tell(&self, group: &AlikeBlocks) -> String {
        let event = &group.event;
        let ours = usize::from(event.is_b);
        let trace = self.sides[ours].trace;
        let [when_a, when_b] = event.when.map(|when| when.map(|(at, _)| at));
        if event.recurs {
            let what = match (event.change.op(), group.count) {
                (Some(op), count) if count > 1 => many(trace, op, event.change, count),
                _ => sentence(trace, &self.step(event, ours)),
            };
            return format!("{} only: {what}", capital(self.names[ours]));
        }
        let what = self.what(group);
        if let (Change::DeadlineMissed { .. }, Some(at)) = (event.change, event.when[ours]) {
            return format!("{what} of {} {}, not {}.", format_time(at.0.ns()), self.names[ours], self.names[1 - ours]);
        }
        if when_a == when_b {
            return self.elsewhere(group, &what);
        }
        let time = |when: Option<Time>| when.map_or_else(|| "never".to_owned(), |at| format_time(at.ns()));
        format!("{what}: {} {}, {} {}.", time(when_a), self.names[0], time(when_b), self.names[1])
    }

    /// The same at the same time, elsewhere.
    fn elsewhere(&self, group: &AlikeBlocks, what: &str) -> String {
        let at = group.event.when[0].map_or(Time::ZERO, |(at, _)| at);
        let at = format_time(at.ns());
        let place = |side: usize| {
            let trace = self.sides[side].trace;
            match self.step(&group.event, side).change {
                Change::EeJoined { level, .. } => queue(trace, level),
                Change::CeJoined { engine, .. } => sentence::ce_queue(trace.scenario(), engine),
                Change::CopyAssigned { engine, .. } => sentence::copy_engine(trace.scenario(), engine),
                _ => sms(&group.sms[side]),
            }
        };
        let verb = match group.event.change {
            Change::EeJoined { .. } | Change::CeJoined { .. } => "joins",
            _ => "on",
        };
        let what = what.strip_suffix(" joins its queue").unwrap_or(what);
        format!("{what}, {at}: {verb} {} {}, {} {}.", place(0), self.names[0], place(1), self.names[1])
    }

    /// The step of an event in one run; where it has none, the other's.
    fn step(&self, event: &Event, side: usize) -> Step {
        let of = |side: usize| event.when[side].map(|(_, id)| *self.sides[side].trace.step(id));
        let other = || Step { at: Time::ZERO, rule: blockstep_sim::trace::Rule::G1, change: event.change };
        of(side).or_else(|| of(1 - side)).unwrap_or_else(other)
    }

    /// What happens to what: `Blocks 0 to 3 of K2`, `C2o completes`.
    fn what(&self, group: &AlikeBlocks) -> String {
        let trace = self.sides[usize::from(group.event.is_b)].trace;
        let name = |op: OpId| trace.op_label(op);
        let job = |task: blockstep_sim::units::TaskId, no: u32| {
            let task = trace.scenario().task(task);
            if task.jobs == Some(1) { format!("The job of task {}", task.name) } else { format!("Job {no} of task {}", task.name) }
        };
        match group.event.change {
            Change::JobReleased { task, job: no } => format!("{} is released", job(task, no.0)),
            Change::JobCompleted { task, job: no } => format!("{} is complete", job(task, no.0)),
            Change::DeadlineMissed { task, job: no } => format!("{} misses its deadline", job(task, no.0)),
            Change::Issued { op } => format!("{} is issued", name(op)),
            Change::EeJoined { op, .. } | Change::CeJoined { op, .. } => format!("{} joins its queue", name(op)),
            Change::BlockAssigned { op, .. } => {
                let verb = if group.count > 1 { "are assigned" } else { "is assigned" };
                format!("{} of {} {verb}", blocks(&group.blocks), name(op))
            }
            Change::BlockEnded { op, .. } => {
                let verb = if group.count > 1 { "end" } else { "ends" };
                format!("{} of {} {verb}", blocks(&group.blocks), name(op))
            }
            Change::CopyAssigned { op, .. } => format!("{} begins", name(op)),
            Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } => format!("{} completes", name(op)),
            _ => sentence(trace, &self.step(&group.event, usize::from(group.event.is_b))),
        }
    }
}

impl AlikeBlocks {
    /// Whether an event is the same of another block.
    fn takes(&self, event: &Event) -> bool {
        let has_blocks = block(event.change).is_some();
        let kind = std::mem::discriminant(&self.event.change) == std::mem::discriminant(&event.change);
        let times = |event: &Event| event.when.map(|when| when.map(|(at, _)| at));
        has_blocks
            && kind
            && self.event.is_b == event.is_b
            && self.event.change.op() == event.change.op()
            && times(&self.event) == times(event)
    }

    fn add(&mut self, pair: &Pair<'_>, event: &Event) {
        self.count += 1;
        self.blocks.extend(block(event.change));
        for (side, sms) in self.sms.iter_mut().enumerate() {
            let change = event.when[side].map(|(_, id)| pair.sides[side].trace.step(id).change);
            if let Some(Change::BlockAssigned { sm, .. } | Change::BlockEnded { sm, .. }) = change {
                sms.push(sm.0);
            }
        }
    }
}

/// Whether it may happen to one thing again and again, so that it has no one time in the other run.
fn recurs(change: Change) -> bool {
    match change {
        Change::BlockSuspended { .. } | Change::BlockResumed { .. } | Change::CopySuspended { .. } | Change::CopyResumed { .. } => true,
        Change::JobReleased { .. } | Change::JobCompleted { .. } | Change::DeadlineMissed { .. } => false,
        _ => change.op().is_none(),
    }
}

fn block(change: Change) -> Option<u32> {
    match change {
        Change::BlockAssigned { block, .. }
        | Change::BlockEnded { block, .. }
        | Change::BlockSuspended { block, .. }
        | Change::BlockResumed { block, .. } => Some(block),
        _ => None,
    }
}

/// `3 blocks of K1 are suspended.`
fn many(trace: &Trace, op: OpId, change: Change, count: usize) -> String {
    let what = if matches!(change, Change::BlockSuspended { .. }) { "are suspended" } else { "resume" };
    format!("{} blocks of {} {what}.", format_count(count as u64), trace.op_label(op))
}

/// `Block 4`, `Blocks 4 to 7`, `Blocks 0, 2 and 5`, `6 blocks`.
fn blocks(list: &[u32]) -> String {
    match list {
        [one] => format!("Block {one}"),
        [first, _, .., last] if list.windows(2).all(|pair| pair[0] + 1 == pair[1]) => format!("Blocks {first} to {last}"),
        [_, ..] if list.len() <= 4 => format!("Blocks {}", all_of(&list.iter().map(u32::to_string).collect::<Vec<_>>())),
        _ => format!("{} blocks", format_count(list.len() as u64)),
    }
}

/// `SM 0`, `SMs 0, 1, 0, 1`.
fn sms(list: &[u16]) -> String {
    let texts: Vec<String> = list.iter().take(MAX_SMS).map(u16::to_string).collect();
    match list {
        [one] => format!("SM {one}"),
        [first, rest @ ..] if rest.iter().all(|sm| sm == first) => format!("SM {first}"),
        _ => format!("SMs {}{}", texts.join(", "), if list.len() > MAX_SMS { " …" } else { "" }),
    }
}

fn queue(trace: &Trace, level: Level) -> String {
    let scenario = trace.scenario();
    if policy::uses(scenario, Setting::StreamPriority) { sentence::ee_queue(scenario, level) } else { "the only EE queue".to_owned() }
}

/// The same with a capital; its first letter is ours and so ASCII.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
