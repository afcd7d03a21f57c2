//! Fewer, larger collectives: several of one kind that follow each other in a stream are one, where the last of them was.
//!
//! Invariants: the joined one begins when all its parts could, and what waited for any of them by an event, a graph or the host waits for
//! it; no part waits for what waited for an earlier one, as it could not be joined with that. Copies within the device are an exception:
//! one that is between two parts makes the later one ready, and comes before the joined one. It takes as long as its parts did, less the
//! fixed part of all but the longest, and of that no more than the file shows. What the host did in the operators that launched the others
//! is gone, but for launches of other work. These rules are our choice.

use std::collections::{BTreeMap, BTreeSet};

use super::model::Model;
use super::order::Waits;
use super::run::Work;
use super::{Gains, ProgramChange, TriedChange};
use crate::communication::{CollectiveKind, Communication, operators};
use crate::path::wall_clock;
use crate::{Operation, OperationKind, Recording};
use blockstep_sim::units::Time;

/// Collectives are joined if there are at least so many of a kind in a stream: our choice.
const FEWEST: usize = 8;
/// Of so many kinds and streams it is tried.
const MOST_JOINED: usize = 2;
/// Without sizes, the shortest collective tells something if half of them take so many times as long.
const CLEARLY_LONGER: u64 = 2;
/// A time tells something of a size, or of all without sizes, if at least so many are there: one may have waited for a rank. Our choice.
const FEWEST_ALIKE: usize = 3;

/// What a collective takes however little it sends, as far as a file shows, ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedPart {
    /// From the times of collectives of two sizes or more, with several of each.
    Fitted(u64),
    /// The shortest collective takes so long, and several do; most take far longer; sizes are not recorded.
    Shortest(u64),
    /// The file has neither, so nothing is promised of it.
    Unknown,
}

impl FixedPart {
    /// How long it is, ns; nothing if it is not known.
    #[must_use]
    pub const fn ns(self) -> u64 {
        match self {
            Self::Fitted(ns) | Self::Shortest(ns) => ns,
            Self::Unknown => 0,
        }
    }
}

/// Whether collectives of a kind may be joined by the program.
const fn may_join(kind: CollectiveKind) -> bool {
    matches!(kind, CollectiveKind::AllReduce | CollectiveKind::AllGather | CollectiveKind::ReduceScatter | CollectiveKind::Broadcast)
}

/// What a collective of a kind in a stream takes however little it sends.
#[must_use]
pub fn fixed_part(recording: &Recording, kind: CollectiveKind, stream: u32) -> FixedPart {
    let all: Vec<(Option<u64>, u64)> = of_stream(recording, stream)
        .filter(|(_, of)| of.kind == kind)
        .map(|(operation, of)| (of.bytes, operation.duration().ns()))
        .collect();
    // Of each size how many there are, and the shortest time, as the others waited for another rank.
    let mut shortest: BTreeMap<u64, (usize, u64)> = BTreeMap::new();
    for (bytes, ns) in all.iter().filter_map(|&(bytes, ns)| Some((bytes?, ns))) {
        let (count, least) = shortest.entry(bytes).or_insert((0, ns));
        (*count, *least) = (*count + 1, ns.min(*least));
    }
    if !shortest.is_empty() {
        let mut sizes = shortest.into_iter().filter(|&(_, (count, _))| count >= FEWEST_ALIKE).map(|(bytes, (_, ns))| (bytes, ns));
        let Some((least, least_ns)) = sizes.next() else { return FixedPart::Unknown };
        // What the bytes of the smallest one take at most, by how much longer the larger ones take.
        let of_bytes = |(bytes, ns): (u64, u64)| u128::from(ns.saturating_sub(least_ns)) * u128::from(least) / u128::from(bytes - least);
        let rest: Vec<(u64, u64)> = sizes.collect();
        // Where more bytes take no longer, the file does not show what they take.
        let grows = rest.last().is_some_and(|&(_, ns)| ns > least_ns + least_ns / 4);
        let most = rest.into_iter().map(of_bytes).max().filter(|_| grows);
        return most.map_or(FixedPart::Unknown, |most| FixedPart::Fitted(u128::from(least_ns).saturating_sub(most) as u64));
    }
    let mut times: Vec<u64> = all.into_iter().map(|(_, ns)| ns).collect();
    times.sort_unstable();
    let (Some(&least), Some(&alike)) = (times.first(), times.get(FEWEST_ALIKE - 1)) else { return FixedPart::Unknown };
    let is_clear = times[times.len() / 2] >= least.saturating_mul(CLEARLY_LONGER);
    if least > 0 && is_clear && alike <= least + least / 10 { FixedPart::Shortest(least) } else { FixedPart::Unknown }
}

/// The kernels of a stream that communicate, in their order.
fn of_stream(recording: &Recording, stream: u32) -> impl Iterator<Item = (&Operation, &Communication)> {
    let of = |place: &u32| Some((&recording.operations[*place as usize], recording.communication(*place)?));
    recording.streams[stream as usize].operations.iter().filter_map(of)
}

/// How many collectives there are of a kind, by stream, where there are enough to be joined; the ones that take longest first.
fn joinable(recording: &Recording) -> Vec<(CollectiveKind, u32)> {
    let mut sums: BTreeMap<(CollectiveKind, u32), (usize, u64)> = BTreeMap::new();
    for of in recording.communications.iter().filter(|of| may_join(of.kind)) {
        let operation = &recording.operations[of.operation as usize];
        let (count, ns) = sums.entry((of.kind, operation.stream)).or_default();
        *count += 1;
        *ns = ns.saturating_add(operation.duration().ns());
    }
    let (first, end) = wall_clock(recording);
    let least = end.since(first).ns() / super::LEAST_SHARE;
    let mut all: Vec<_> = sums.into_iter().filter(|&(_, (count, ns))| count >= FEWEST && ns >= least).collect();
    all.sort_by_key(|&(of, (_, ns))| (std::cmp::Reverse(ns), of));
    all.into_iter().map(|(of, _)| of).take(MOST_JOINED).collect()
}

/// Kinds of collectives of which there are many in a stream of this device, and of which the file does not show what of them is latency.
pub(crate) fn without_yardstick(recording: &Recording, device: u32) -> Vec<CollectiveKind> {
    let unknown = |&(kind, stream): &(CollectiveKind, u32)| {
        recording.streams[stream as usize].device == device && fixed_part(recording, kind, stream) == FixedPart::Unknown
    };
    let mut all: Vec<CollectiveKind> = joinable(recording).into_iter().filter(unknown).map(|of| of.0).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The changes to try: all that may be one as one, as two, four, eight and sixteen.
pub(super) fn changes(model: &Model<'_>) -> Vec<ProgramChange> {
    let mut changes = Vec::new();
    for (kind, stream) in joinable(model.recording) {
        let runs = model.runs_of_collectives(kind, stream);
        let count: usize = runs.iter().map(Vec::len).sum();
        let longest = runs.iter().map(Vec::len).max().unwrap_or(0);
        let mut each: Vec<usize> = [1, 2, 4, 8, 16].map(|parts| longest.div_ceil(parts)).into_iter().filter(|&each| each > 1).collect();
        each.dedup();
        changes.extend(each.into_iter().map(|each| ProgramChange::FewerCollectives {
            kind,
            stream,
            each: each as u32,
            count: count as u32,
            left: runs.iter().map(|run| run.len().div_ceil(each)).sum::<usize>() as u32,
        }));
    }
    changes
}

impl Gains {
    /// Whether other numbers of the same collectives gain more.
    pub(super) fn has_better_number(&self, tried: &TriedChange) -> bool {
        let of = |tried: &TriedChange| match tried.changes.as_slice() {
            [ProgramChange::FewerCollectives { kind, stream, .. }] => Some((*kind, *stream)),
            _ => None,
        };
        let Some(own) = of(tried) else { return false };
        self.tried.iter().find(|other| of(other) == Some(own)).is_some_and(|best| best != tried)
    }
}

/// How long collectives take that are alike: of one name, grid, size and number of ranks.
#[derive(Debug, Default)]
pub(super) struct Sends(BTreeMap<AlikeSends, u64>);

/// What collectives that are alike have in common: the name, the blocks, the bytes and the number of ranks.
type AlikeSends = (u32, Option<u64>, Option<u64>, Option<u64>);

fn alike_sends(operation: &Operation, of: &Communication) -> AlikeSends {
    (operation.name, operation.launch.map(|launch| launch.blocks()), of.bytes, of.group_size)
}

impl Sends {
    /// Of those that are alike the shortest: the others waited so much longer for another rank, as far as the file shows.
    pub(super) fn new(recording: &Recording) -> Self {
        let mut shortest: BTreeMap<AlikeSends, u64> = BTreeMap::new();
        for of in &recording.communications {
            let operation = &recording.operations[of.operation as usize];
            let ns = operation.duration().ns();
            let least = shortest.entry(alike_sends(operation, of)).or_insert(ns);
            *least = ns.min(*least);
        }
        Self(shortest)
    }

    /// What of so much of an operation's time is its own, ns: all of it, but for what a collective waits for another rank.
    pub(super) fn own_part(&self, recording: &Recording, place: u32, ns: u64) -> u64 {
        let operation = &recording.operations[place as usize];
        let shortest = recording.communication(place).and_then(|of| self.0.get(&alike_sends(operation, of)));
        let whole = operation.duration().ns().max(1);
        shortest.map_or(ns, |&least| (u128::from(ns) * u128::from(least.min(whole)) / u128::from(whole)) as u64)
    }
}

/// A collective that is joined with others.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The last of them, which stays: an index.
    into: u32,
    /// What this one takes less, ns.
    less_ns: u64,
}

/// Collectives that are joined by some changes.
#[derive(Default)]
pub(super) struct Joined {
    /// By operation.
    parts: BTreeMap<u32, Part>,
    /// By the last of some that are joined: how long all together take, ns.
    whole_ns: BTreeMap<u32, u64>,
    /// Copies that waited for a part, with that, and that come before the joined one.
    is_before: BTreeSet<(u32, u32)>,
    /// Calls that are no more, with what the host did before each in the same operator, ns.
    calls: BTreeMap<u32, u64>,
}

/// The largest of some numbers from one place to another, in few steps: half of it are the largest of two below each.
struct Largest(Vec<u32>);

impl Largest {
    fn new(numbers: Vec<u32>) -> Self {
        let count = numbers.len();
        let mut all = vec![0; count];
        all.extend(numbers);
        for place in (1..count).rev() {
            all[place] = all[2 * place].max(all[2 * place + 1]);
        }
        Self(all)
    }

    /// Zero if there is none.
    fn within(&self, from: usize, to: usize) -> u32 {
        let count = self.0.len() / 2;
        let (mut from, mut to, mut largest) = (from + count, to + count, 0);
        while from < to {
            if from % 2 == 1 {
                largest = self.0[from].max(largest);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                largest = self.0[to].max(largest);
            }
            (from, to) = (from / 2, to / 2);
        }
        largest
    }
}

/// Whether one waits for the other by the order of their stream.
fn is_in_order(recording: &Recording, waits: &Waits) -> bool {
    let of = |place: u32| recording.operations[place as usize].stream;
    of(waits.on) == of(waits.place)
}

/// Whether an operation copies or sets memory of its device.
fn is_copy_within(recording: &Recording, place: u32) -> bool {
    matches!(recording.operations[place as usize].kind, OperationKind::DeviceToDevice | OperationKind::Memset)
}

impl Joined {
    /// What an operation takes that took so long, if each part keeps its own time, ns. In all that is what the joined ones take.
    pub(super) fn share(&self, place: u32, ns: u64) -> u64 {
        self.parts.get(&place).map_or(ns, |part| ns.saturating_sub(part.less_ns))
    }

    /// What stands for an operation: the last of those that it is joined with.
    pub(super) fn stands_for(&self, place: u32) -> u32 {
        self.parts.get(&place).map_or(place, |part| part.into)
    }

    /// What the host did before a call in an operator that is no more, ns; `None` of calls that stay.
    pub(super) fn without_call(&self, call: u32) -> Option<u64> {
        self.calls.get(&call).copied()
    }

    /// Whether an operation is no more, as a later one stands for it.
    pub(super) fn is_gone(&self, place: u32) -> bool {
        self.stands_for(place) != place
    }

    /// What an operation waits for instead of another: what waits for a part by anything but the order of its stream waits for the joined
    /// one. `None` of what comes before that.
    pub(super) fn on(&self, recording: &Recording, waits: &Waits) -> Option<u32> {
        if self.parts.is_empty() || is_in_order(recording, waits) {
            return Some(waits.on);
        }
        (!self.is_before.contains(&(waits.place, waits.on))).then(|| self.stands_for(waits.on))
    }

    /// What an operation runs on.
    pub(super) fn work(&self, recording: &Recording, place: u32, work: Work) -> Work {
        if self.is_gone(place) {
            return Work::Free(0);
        }
        let Some(&whole) = self.whole_ns.get(&place) else { return work };
        let own = recording.operations[place as usize].duration().ns().max(1);
        let longer = |ns: u64| u64::try_from(u128::from(ns) * u128::from(whole) / u128::from(own)).unwrap_or(u64::MAX);
        match work {
            Work::Blocks { blocks, need, ns, is_high } => Work::Blocks { blocks, need, ns: longer(ns), is_high },
            Work::Engine(engine, ns) => Work::Engine(engine, longer(ns)),
            Work::Free(ns) => Work::Free(longer(ns)),
        }
    }

    /// Joins these.
    fn add(&mut self, recording: &Recording, parts: &[u32], fixed_ns: u64) {
        let Some(&into) = parts.last().filter(|_| parts.len() > 1) else { return };
        let ns = |place: u32| recording.operations[place as usize].duration().ns();
        let longest = parts.iter().copied().max_by_key(|&place| (ns(place), place));
        let mut whole = 0_u64;
        for &place in parts {
            let less_ns = if Some(place) == longest { 0 } else { fixed_ns.min(ns(place)) };
            whole = whole.saturating_add(ns(place) - less_ns);
            self.parts.insert(place, Part { into, less_ns });
        }
        self.whole_ns.insert(into, whole);
    }
}

impl Model<'_> {
    /// What is joined with these changes.
    pub(super) fn joined(&self, changes: &[ProgramChange]) -> Joined {
        let mut joined = Joined::default();
        for change in changes {
            if let ProgramChange::FewerCollectives { kind, stream, each, .. } = *change {
                let fixed_ns = fixed_part(self.recording, kind, stream).ns();
                for run in self.runs_of_collectives(kind, stream) {
                    run.chunks(each.max(1) as usize).for_each(|parts| joined.add(self.recording, parts, fixed_ns));
                }
                let ordinals = self.ordinals(stream);
                let leads_to = self.leads_to(&ordinals);
                let is_before = |waits: &&Waits| {
                    let last = ordinals.get(&joined.stands_for(waits.on)).copied().unwrap_or(0);
                    joined.is_gone(waits.on) && is_copy_within(self.recording, waits.place) && leads_to[waits.place as usize] <= last
                };
                let before: Vec<_> = self.unchanged_waits().iter().filter(is_before).map(|waits| (waits.place, waits.on)).collect();
                joined.is_before.extend(before);
                joined.calls.extend(self.calls_in_operators(&joined));
            }
        }
        joined
    }

    /// The launches of collectives that are gone with the other calls of their operators, but for launches of what stays; and what the host
    /// did before each there, ns.
    fn calls_in_operators(&self, joined: &Joined) -> BTreeMap<u32, u64> {
        let (calls, operators) = (&self.recording.calls, operators(self.recording));
        let (mut stays, mut launches) = (vec![false; calls.len()], BTreeSet::new());
        for (place, operation) in (0_u32..).zip(&self.recording.operations) {
            match operation.call {
                Some(call) if joined.is_gone(place) => _ = launches.insert(call),
                Some(call) => stays[call as usize] = true,
                None => {}
            }
        }
        launches.retain(|&launch| !stays[launch as usize]);
        // By thread: when it was in such operators, each time once.
        let around: BTreeSet<u32> = launches.iter().filter_map(|launch| operators.get(launch).copied()).collect();
        let mut within: BTreeMap<(u64, u64), Vec<(Time, Time)>> = BTreeMap::new();
        for operator in around.into_iter().map(|span| &self.recording.spans[span as usize]) {
            let of_thread = within.entry((operator.process, operator.thread)).or_default();
            match of_thread.last_mut() {
                Some((_, end)) if operator.start < *end => *end = operator.end.max(*end),
                _ => of_thread.push((operator.start, operator.end)),
            }
        }
        let mut found: BTreeMap<u32, u64> = launches.into_iter().map(|launch| (launch, 0)).collect();
        for (place, call) in (0_u32..).zip(calls).filter(|&(place, _)| !stays[place as usize]) {
            let Some(of_thread) = within.get(&(call.process, call.thread)) else { continue };
            let begun = of_thread.partition_point(|&(start, _)| start <= call.start);
            if let Some(&(start, _)) = of_thread[..begun].last().filter(|&&(_, end)| call.end <= end) {
                let free = self.free_since(place).map(|free| call.start.since(free.max(start).min(call.start)).ns());
                found.insert(place, free.unwrap_or(0));
            }
        }
        found
    }

    /// The kernels of a stream that communicate, with their numbers in its order, from 1 on.
    fn ordinals(&self, stream: u32) -> BTreeMap<u32, u32> {
        of_stream(self.recording, stream).zip(1..).map(|((_, of), ordinal)| (of.operation, ordinal)).collect()
    }

    /// Collectives of a kind in a stream that could be one: they follow each other there, with one name and group, the host does not wait
    /// for one of them between, and none waits for what waited for an earlier one.
    fn runs_of_collectives(&self, kind: CollectiveKind, stream: u32) -> Vec<Vec<u32>> {
        let ordinals = self.ordinals(stream);
        let needs = self.needs(&ordinals);
        let keeping: Vec<u32> = (0..self.calls.len() as u32).filter(|&call| !self.kept_by(call).is_empty()).collect();
        // The last collective that each of these calls waits for, or that what it waits for needs.
        let last = |&call: &u32| {
            let all = self.kept_by(call).iter().map(|by| ordinals.get(by).copied().unwrap_or(0).max(needs[*by as usize]));
            all.max().unwrap_or(0)
        };
        let lasts = Largest::new(keeping.iter().map(last).collect());
        // Whether the host waited between two of them for what needs one from this number on.
        let is_kept = |before: u32, then: u32, first: u32| {
            let starts = |call: u32| self.recording.calls[call as usize].start;
            let since = keeping.partition_point(|&call| starts(call) <= self.issue(before));
            let upto = keeping.partition_point(|&call| starts(call) < self.issue(then));
            lasts.within(since, upto) >= first
        };
        let same = |one: &Communication, other: &Communication| {
            let name = |of: &Communication| self.recording.operations[of.operation as usize].name;
            one.kind == other.kind && one.group == other.group && one.group_size == other.group_size && name(one) == name(other)
        };
        let brings = self.bringing();
        // Whether a thread brought new data to the device between two of them, as at the begin of a step, whose collectives need those of the
        // step before.
        let is_new_step = |before: u32, then: u32| {
            let Some(thread) = self.recording.call(&self.recording.operations[then as usize]).map(|call| (call.process, call.thread))
            else {
                return false;
            };
            let brings = brings.get(&thread).map_or(&[][..], Vec::as_slice);
            let next = brings.partition_point(|&at| at <= self.issue(before));
            brings.get(next).is_some_and(|&at| at < self.issue(then))
        };
        let mut runs: Vec<Vec<u32>> = Vec::new();
        let mut before: Option<&Communication> = None;
        for (_, of) in of_stream(self.recording, stream) {
            let goes_on = |run: &&mut Vec<u32>| {
                let first = ordinals[&run[0]];
                before.is_some_and(|before| {
                    same(before, of)
                        && needs[of.operation as usize] < first
                        && !is_kept(before.operation, of.operation, first)
                        && !is_new_step(before.operation, of.operation)
                })
            };
            match runs.last_mut().filter(goes_on) {
                Some(run) if of.kind == kind => run.push(of.operation),
                _ if of.kind == kind => runs.push(vec![of.operation]),
                _ => {}
            }
            before = Some(of);
        }
        runs
    }

    /// By thread: when it copied data to a device.
    fn bringing(&self) -> BTreeMap<(u64, u64), Vec<Time>> {
        let mut all: BTreeMap<(u64, u64), Vec<Time>> = BTreeMap::new();
        for operation in self.issued.iter().map(|&place| &self.recording.operations[place as usize]) {
            if let Some(call) = self.recording.call(operation).filter(|_| operation.kind == OperationKind::HostToDevice) {
                all.entry((call.process, call.thread)).or_default().push(call.start);
            }
        }
        all
    }

    /// By operation: the last of these collectives that it waits for, directly or not, but for the order of their stream, and for copies
    /// within the device; zero if none.
    fn needs(&self, ordinals: &BTreeMap<u32, u32>) -> Vec<u32> {
        let mut needs = vec![0_u32; self.recording.operations.len()];
        for waits in self.unchanged_waits() {
            let is_asked = !is_in_order(self.recording, waits) && !is_copy_within(self.recording, waits.place);
            let own = ordinals.get(&waits.on).copied().filter(|_| is_asked).unwrap_or(0);
            let new = needs[waits.on as usize].max(own);
            let of = &mut needs[waits.place as usize];
            *of = new.max(*of);
        }
        needs
    }

    /// By operation: the first of these collectives that waits for it, directly or not; the largest number if none does.
    fn leads_to(&self, ordinals: &BTreeMap<u32, u32>) -> Vec<u32> {
        let mut leads_to = vec![u32::MAX; self.recording.operations.len()];
        for waits in self.unchanged_waits().iter().rev() {
            let own = ordinals.get(&waits.place).copied().unwrap_or(u32::MAX);
            let new = leads_to[waits.place as usize].min(own);
            let of = &mut leads_to[waits.on as usize];
            *of = new.min(*of);
        }
        leads_to
    }
}
