//! What a replay keeps of a recording: what the host did between its calls, what kept it within them, how long each operation takes to
//! begin and to run.
//!
//! Invariants: without a change, each operation begins when it did as long as what it waits for ends when it did and there is room; nothing
//! waits for what began later.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use super::calls::{BetweenCalls, HostCall};
use super::collectives::{Joined, Sends};
use super::levers::{LeverSubject, less};
use super::order::Waits;
use super::run::{Devices, Events, Node, Replayed, Shape, Work};
use super::sms::Sms;
use super::{ProgramChange, is_staged, is_value};
use crate::causes::{Analysis, Cause};
use crate::index::null_streams;
use crate::path::groups::first_of_same_short;
use crate::path::walk::Walk;
use crate::path::wall_clock;
use crate::room::Need;
use crate::thresholds::quantile;
use crate::{Operation, OperationKind, Recording};
use blockstep_sim::units::Time;

/// How much longer a graph keeps its thread, and is on its way to the device, for each node but one, ns. On an H200 under PyTorch's profiler the
/// call took 0.7 to 1.3 us more for each, and the first node began 0.9 to 1.5 us later.
const NODE: u64 = 1_000;
/// Bytes of a copy that tells the rate of the bus.
const LARGE_COPY: u64 = 1_000_000;
/// Kernels that together need at most so much of a device, in thousandths, have room: our choice, as blocks do not fill it exactly.
const ROOMY: u64 = 900;
/// Kernels of one name and grid are the same work if nine in ten of those that ran alone took at most so many times what one in ten did: our
/// choice.
const SAME_WORK: u64 = 2;
/// A kernel that fills a device more often is run as if its blocks were longer.
const MOST_WAVES: u64 = 16;

/// What an operation takes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timing {
    /// From its call to when it may begin, ns.
    pub(super) launch_ns: u64,
    /// Of that, what nothing explains: it stays, however the operation is launched, ns.
    pub(super) unknown_ns: u64,
    /// Of that, code that was loaded, ns.
    pub(super) loading_ns: u64,
    /// From the end of what it waited for to its start, ns; below zero where times are not exact.
    gap_ns: i64,
    /// Of that, code that was loaded, ns.
    gap_loading_ns: u64,
    /// How long a block runs, or all of it if it has none, ns.
    ns: u64,
}

/// What a replay keeps of a recording. It takes longer to work out than a run, and refers to nothing, so that it outlasts the question it was
/// worked out for.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Operations in the order in which they were issued, without migrations of pages: the program does not issue those, and what they take
    /// is within a kernel or the host that touches the page.
    pub(super) issued: Vec<u32>,
    /// By stream: the NULL stream of its context.
    pub(super) null: Vec<Option<u32>>,
    /// By stream that is a NULL stream: whether another one waited for it, or it for another.
    pub(super) is_heeded: Vec<bool>,
    /// By launch of a graph: the node that ended last.
    pub(super) last_nodes: BTreeMap<u32, u32>,
    pub(super) calls: Vec<HostCall>,
    timings: Vec<Timing>,
    /// Of calls that follow the first of those that would be one graph: that first one.
    pub(super) in_graph: BTreeMap<u32, u32>,
    /// Of that first one: how many launches follow.
    pub(super) further_nodes: BTreeMap<u32, u64>,
    /// What blocks of kernels take, of each kind once; and by operation, the place of its own, if it is a kernel of which that is known.
    needs: Vec<Need>,
    need_of: Vec<Option<u32>>,
    /// Bytes in a thousand nanoseconds that pinned copies of a direction reach, as far as the file shows.
    pinned: [Option<u64>; 2],
    /// When the first operation was issued.
    pub(super) first_issue: Time,
    /// How far times of a device may be off to each other, ns.
    pub(super) inexact_ns: u64,
    /// Calls during which code was loaded.
    pub(super) loading: BTreeSet<u32>,
    /// Calls that could do nothing until a call of another thread returned, with that.
    pub(super) locked: BTreeMap<u32, u32>,
    /// By call that waits for an event on a thread, or that launches an operation after such waits: the operations after which the last
    /// events were recorded. The file does not say which event it was.
    pub(super) events: BTreeMap<u32, Vec<u32>>,
    /// Names of calls that allocate or free, and once returned while an operation issued before ran.
    pub(super) returns_early: BTreeSet<u32>,
    /// By name of an operation: the first of those that are the same in short.
    pub(super) same_short: BTreeMap<u32, u32>,
    /// How long collectives take themselves.
    sends: Sends,
    /// Streams in which some kernels communicate and others compute.
    pub(super) mixed_streams: BTreeSet<u32>,
    pub(super) between: BetweenCalls,
    /// What each operation waits for as long as nothing changes that.
    unchanged_waits: Vec<Waits>,
    /// What waits for what in a run without a change, once there was one.
    shape: OnceCell<Shape>,
}

/// A recording with what a replay keeps of it.
pub(super) struct Model<'r> {
    pub(super) recording: &'r Recording,
    pub(super) analysis: &'r Analysis,
    kept: Kept,
}

/// What is kept is read as if it were the model's own.
impl Deref for Model<'_> {
    type Target = Kept;

    fn deref(&self) -> &Kept {
        &self.kept
    }
}

impl<'r> Model<'r> {
    pub(super) fn new(recording: &'r Recording, analysis: &'r Analysis) -> Self {
        let issue = |place: u32| {
            let operation = &recording.operations[place as usize];
            recording.call(operation).map_or(operation.start, |call| call.start)
        };
        let is_of_program = |place: &u32| recording.operations[*place as usize].kind != OperationKind::Migration;
        let mut issued: Vec<u32> = (0..recording.operations.len() as u32).filter(is_of_program).collect();
        issued.sort_by_key(|&place| (issue(place), place));
        let null = null_streams(recording);
        let mut is_heeded = vec![false; recording.streams.len()];
        for (stream, null) in null.iter().enumerate() {
            if let Some(null) = null.filter(|&null| null as usize != stream && analysis.heeds_null(stream as u32) == Some(true)) {
                is_heeded[null as usize] = true;
            }
        }
        let mut last_nodes: BTreeMap<u32, u32> = BTreeMap::new();
        for (place, operation) in recording.operations.iter().enumerate().filter(|(_, operation)| recording.is_node(operation)) {
            let Some(call) = operation.call else { continue };
            let last = last_nodes.entry(call).or_insert(place as u32);
            if recording.operations[*last as usize].end <= operation.end {
                *last = place as u32;
            }
        }
        let is_first_use = |place: &u32| analysis.parts(*place).iter().any(|part| part.cause == Cause::FirstUse);
        let loading =
            issued.iter().filter(|place| is_first_use(place)).filter_map(|&place| recording.operations[place as usize].call).collect();
        let first_issue = issued.first().map_or(Time::ZERO, |&place| issue(place));
        let (needs, need_of) = needs(recording);
        let kept = Kept {
            issued,
            null,
            is_heeded,
            last_nodes,
            needs,
            need_of,
            pinned: [OperationKind::HostToDevice, OperationKind::DeviceToHost].map(|kind| pinned_rate(recording, kind)),
            first_issue,
            inexact_ns: super::order::inexact_ns(recording, 2 * analysis.thresholds.clock.ns()),
            locked: super::locks::locked(recording, &loading),
            loading,
            same_short: first_of_same_short(recording, recording.operations.iter().map(|operation| operation.name)),
            sends: Sends::new(recording),
            mixed_streams: super::order::mixed_streams(recording),
            ..Kept::default()
        };
        // Each of these needs some of those before it.
        let mut model = Self { recording, analysis, kept };
        model.kept.events = model.events_of_calls();
        model.kept.returns_early = model.returning_early();
        model.kept.unchanged_waits = model.waits(&[]);
        model.kept.timings = model.timings();
        let walk = Walk::new(recording, analysis);
        model.kept.calls = model.host_calls(&walk);
        model.kept.between = model.between_calls(&walk);
        (model.kept.in_graph, model.kept.further_nodes) = model.graphs();
        model.choose_times();
        model
    }

    /// The same with what was kept of this recording before.
    pub(super) const fn again(recording: &'r Recording, analysis: &'r Analysis, kept: Kept) -> Self {
        Self { recording, analysis, kept }
    }

    /// What can be kept.
    pub(super) fn into_kept(self) -> Kept {
        self.kept
    }

    /// Takes blocks to run longer than those like them that ran alone, up to as long as their kernels took, if the run without a change is
    /// nearer to what was recorded then: kernels of one name and grid may do more or less work.
    fn choose_times(&mut self) {
        let recording = self.recording;
        let usual: Vec<u64> = self.timings.iter().map(|timing| timing.ns).collect();
        let own: Vec<u64> = (0..recording.operations.len()).map(|place| self.own_block_ns(place)).collect();
        if usual == own {
            return;
        }
        let (first, end) = wall_clock(recording);
        let error_ns = |model: &Self| {
            let ran = model.run(&[], &Joined::default())?.end;
            Some(ran.since(first).ns().abs_diff(end.since(first).ns()))
        };
        let Some(least_ns) = error_ns(self) else { return };
        let worth_ns = end.since(first).ns() / super::LEAST_SHARE;
        let mut best = (least_ns, usual.clone());
        for half in [1, 2] {
            if best.0 <= worth_ns {
                break;
            }
            let times: Vec<u64> = usual.iter().zip(&own).map(|(&usual, &own)| usual + own.saturating_sub(usual) * half / 2).collect();
            self.take_times(&times);
            if let Some(ns) = error_ns(self).filter(|&ns| ns.saturating_add(worth_ns) < best.0) {
                best = (ns, times);
            }
        }
        self.take_times(&best.1);
    }

    fn take_times(&mut self, times: &[u64]) {
        for (timing, &ns) in self.kept.timings.iter_mut().zip(times) {
            timing.ns = ns;
        }
    }

    /// Lets the program run with changes, or as it was, with what they join: when it ends, and what its devices do; `None` if something waits
    /// for itself.
    pub(super) fn run(&self, changes: &[ProgramChange], joined: &Joined) -> Option<Replayed> {
        self.run_as(changes, joined, false)
    }

    /// The same with what the end waited for.
    pub(super) fn run_traced(&self, changes: &[ProgramChange]) -> Option<Replayed> {
        self.run_as(changes, &self.joined(changes), true)
    }

    fn run_as(&self, changes: &[ProgramChange], joined: &Joined, is_traced: bool) -> Option<Replayed> {
        let recording = self.recording;
        let less_ns = self.host_saves(changes);
        let keeps_shape = changes.iter().all(|change| change.is_of_times());
        let known = self.shape.get().filter(|_| keeps_shape);
        let mut events = Events::new(self.calls.len(), recording.operations.len(), known.is_some());
        for place in 0..self.calls.len() as u32 {
            self.add_call(place, changes, (joined, less_ns.get(place as usize).copied().unwrap_or(0)), &mut events);
        }
        let is_warm = changes.contains(&ProgramChange::WarmUp);
        let in_graph = changes.contains(&ProgramChange::Graphs).then_some(&self.in_graph);
        for (place, operation) in recording.operations.iter().enumerate() {
            let (begin, timing) = (Node::Begin(place as u32), self.timings[place]);
            let Some(call) = operation.call else {
                if operation.kind != OperationKind::Migration {
                    events.not_before(begin, operation.start);
                }
                continue;
            };
            let loading_ns = if is_warm { 0 } else { timing.loading_ns };
            match in_graph.and_then(|in_graph| in_graph.get(&call)) {
                Some(&first) => {
                    let launch_ns = self.usual_launch() + self.of_nodes(first, changes) + timing.unknown_ns + loading_ns;
                    events.after(Node::CallBegin(first), begin, launch_ns as i64);
                }
                None => {
                    let launch_ns = self.launch_with(place as u32, &timing, loading_ns, changes) + self.of_nodes(call, changes);
                    events.after(Node::CallBegin(call), begin, launch_ns as i64);
                    if let Some(&by) = self.locked.get(&call) {
                        events.after(Node::CallEnd(by), begin, launch_ns as i64);
                    }
                }
            }
        }
        let keeps_order = !changes.iter().any(|change| change.is_of_order());
        let waits = if keeps_order { Cow::Borrowed(&self.unchanged_waits) } else { Cow::Owned(self.waits(changes)) };
        for waits @ &Waits { place, since_begin, .. } in waits.iter() {
            let Some(on) = joined.on(recording, waits) else { continue };
            let (begin, timing) = (Node::Begin(place), self.timings[place as usize]);
            let loading_ns = if is_warm { timing.gap_loading_ns } else { 0 };
            match since_begin {
                Some(ns) => events.after(Node::Begin(on), begin, self.since_begin_with(on, ns, changes) as i64),
                None if joined.is_gone(place) => events.after(Node::End(on), begin, 0),
                None => events.after(Node::End(on), begin, self.gap_with(place, &timing, changes) - loading_ns as i64),
            }
        }
        let devices: Vec<Option<Sms>> = (0..recording.devices.len() as u32).map(|device| Sms::empty_on(recording, device)).collect();
        let own;
        let shape = match known {
            Some(known) => known,
            None if keeps_shape => self.shape.get_or_init(|| events.shape()),
            None => {
                own = events.shape();
                &own
            }
        };
        let on = Devices { work: &self.work(changes, joined), needs: &self.needs, empty: &devices };
        events.run(shape, &on, is_traced)
    }

    /// What each operation waits for as long as nothing changes that.
    pub(super) fn unchanged_waits(&self) -> &[Waits] {
        &self.unchanged_waits
    }

    /// What a launch takes that nothing else disturbs, ns.
    pub(super) fn usual_launch(&self) -> u64 {
        self.analysis.thresholds.launch.ns() / 2
    }

    /// The operations of a call.
    pub(super) fn of_call(&self, call: u32) -> &[u32] {
        // Issued together, so they stand together.
        let at = self.recording.calls[call as usize].start;
        let (from, to) =
            (self.issued.partition_point(|&place| self.issue(place) < at), self.issued.partition_point(|&place| self.issue(place) <= at));
        let all = &self.issued[from..to];
        let is_of = |place: &u32| self.recording.operations[*place as usize].call == Some(call);
        let first = all.iter().position(is_of).unwrap_or(all.len());
        let count = all[first..].iter().take_while(|place| is_of(place)).count();
        &all[first..first + count]
    }

    /// What an operation needs; `None` if it is no kernel, or the file does not say.
    fn need(&self, place: u32) -> Option<&Need> {
        self.need_of[place as usize].map(|need| &self.needs[need as usize])
    }

    /// What each operation takes to begin and to run, as recorded.
    fn timings(&self) -> Vec<Timing> {
        let recording = self.recording;
        // When the last thing ended that each waited for, and when the last began that had only to begin.
        let mut ready: Vec<Time> = vec![Time::ZERO; recording.operations.len()];
        let mut begun = ready.clone();
        for waits in &self.unchanged_waits {
            let on = &recording.operations[waits.on as usize];
            let (latest, at) = match waits.since_begin {
                None => (&mut ready[waits.place as usize], on.end),
                Some(_) => (&mut begun[waits.place as usize], on.start),
            };
            *latest = (*latest).max(at);
        }
        let usual = self.usual_launch();
        let block_ns = self.block_times();
        let of = |(place, operation): (usize, &Operation)| {
            let call = recording.call(operation).map_or(operation.start, |call| call.start.min(operation.start));
            // Until another thread let it go on, the call did nothing.
            let locked = operation.call.and_then(|call| self.locked.get(&call)).map(|&by| recording.calls[by as usize].end);
            let call = locked.map_or(call, |end| call.max(end.min(operation.start)));
            // For room it waits in the replay, too.
            let for_room = |cause| matches!(cause, Cause::NoRoom | Cause::BehindHead | Cause::CopyEngine);
            let parts = self.analysis.parts(place as u32).iter().filter(|part| for_room(part.cause));
            let in_queue = parts.fold(0_u64, |sum, part| sum.saturating_add(part.to.since(part.from.max(ready[place])).ns()));
            let parts = self.analysis.parts(place as u32).iter().filter(|part| part.cause == Cause::CannotTell);
            let unknown = parts.fold(0_u64, |sum, part| sum.saturating_add(part.span().ns()));
            let loading = |from: Time| {
                let parts = self.analysis.parts(place as u32).iter().filter(|part| part.cause == Cause::FirstUse);
                parts.fold(0_u64, |sum, part| sum.saturating_add(part.to.since(part.from.max(from)).ns()))
            };
            let begins = operation.start.ns().saturating_sub(in_queue);
            // A call that was later than all that has to be over, or to have begun, is what the operation began after.
            let is_late = |ready: Time| ready.ns() <= call.ns().saturating_add(usual);
            let launch_ns = begins.saturating_sub(call.ns());
            let launch_ns = if is_late(ready[place].max(begun[place])) { launch_ns } else { launch_ns.min(usual) };
            let gap_ns = if is_late(ready[place]) { 0 } else { begins as i64 - ready[place].ns() as i64 };
            Timing {
                launch_ns,
                unknown_ns: unknown.min(launch_ns),
                loading_ns: loading(call).min(launch_ns.saturating_sub(unknown)),
                gap_ns,
                gap_loading_ns: loading(ready[place]).min(gap_ns.max(0) as u64),
                ns: block_ns[place],
            }
        };
        recording.operations.iter().enumerate().map(of).collect()
    }

    /// So long after the begin of an operation another one may begin, with these changes, ns: with a faster one earlier.
    fn since_begin_with(&self, on: u32, ns: u64, changes: &[ProgramChange]) -> u64 {
        let on_ns = self.recording.operations[on as usize].duration().ns();
        (u128::from(ns) * u128::from(self.with(on, on_ns, changes)) / u128::from(on_ns.max(1))) as u64
    }

    /// By operation: whether it is a kernel that fits on its device together with all kernels that ran while it did, so that none of its blocks
    /// waited for room.
    fn fit_together(&self) -> Vec<bool> {
        let recording = self.recording;
        // In thousandths of the device.
        let share = |place: usize| {
            let need = self.need(place as u32);
            need.map_or(1_000, |need| (u128::from(need.blocks) * 1_000 / u128::from(need.at_once.max(1))).min(1_000) as u64)
        };
        let mut by_device: Vec<Vec<(usize, u64)>> = vec![Vec::new(); recording.devices.len()];
        for (place, operation) in recording.operations.iter().enumerate().filter(|(_, of)| of.kind == OperationKind::Kernel) {
            by_device[recording.stream(operation).device as usize].push((place, share(place)));
        }
        let mut fits = vec![false; recording.operations.len()];
        for kernels in by_device {
            let sums = |at: &dyn Fn(&Operation) -> Time| {
                let mut all: Vec<(Time, u64)> = kernels.iter().map(|&(place, share)| (at(&recording.operations[place]), share)).collect();
                all.sort_unstable();
                let mut sum = 0_u64;
                all.into_iter()
                    .map(|(at, share)| {
                        sum += share;
                        (at, sum)
                    })
                    .collect::<Vec<(Time, u64)>>()
            };
            let (begun, ended) = (sums(&|of| of.start), sums(&|of| of.end));
            let upto = |all: &[(Time, u64)], is_before: &dyn Fn(Time) -> bool| {
                all.partition_point(|&(at, _)| is_before(at)).checked_sub(1).map_or(0, |last| all[last].1)
            };
            for &(place, _) in &kernels {
                let of = &recording.operations[place];
                let together = upto(&begun, &|at| at < of.end).saturating_sub(upto(&ended, &|at| at <= of.start));
                fits[place] = together <= ROOMY;
            }
        }
        fits
    }

    /// How long a block of an operation ran if none waited for room, or all of it if it has none, ns.
    fn own_block_ns(&self, place: usize) -> u64 {
        self.recording.operations[place].duration().ns() / self.need(place as u32).map_or(1, Need::waves)
    }

    /// By operation: how long a block runs. Of kernels that ran beside others it is what those like it took that ran alone.
    fn block_times(&self) -> Vec<u64> {
        let recording = self.recording;
        let slack = self.analysis.thresholds.clock;
        let mut is_alone = vec![true; recording.operations.len()];
        // The kernel of each device that ends last of those before.
        let mut latest: Vec<Option<u32>> = vec![None; recording.devices.len()];
        for (place, operation) in recording.operations.iter().enumerate().filter(|(_, of)| of.kind == OperationKind::Kernel) {
            let latest = &mut latest[recording.stream(operation).device as usize];
            if let Some(before) = *latest
                && recording.operations[before as usize].end.ns() > operation.start.ns() + slack.ns()
            {
                is_alone[place] = false;
                is_alone[before as usize] = false;
            }
            if latest.is_none_or(|before| recording.operations[before as usize].end <= operation.end) {
                *latest = Some(place as u32);
            }
        }
        let mut alike: BTreeMap<_, [Vec<u64>; 2]> = BTreeMap::new();
        let key = |operation: &Operation| {
            let launch = operation.launch?;
            Some((operation.name, recording.stream(operation).device, launch.grid, launch.block, launch.shared))
        };
        for (place, operation) in recording.operations.iter().enumerate() {
            if let Some(key) = key(operation) {
                alike.entry(key).or_default()[usize::from(!is_alone[place])].push(self.own_block_ns(place));
            }
        }
        // Of those alone the middle one, else the shortest of all. Persistent kernels have one grid for work of every size: where those that ran
        // alone are far apart, one that ran beside others may be as long as the long ones.
        let usual: BTreeMap<_, u64> = alike
            .into_iter()
            .map(|(key, [mut alone, beside])| {
                let ns = match () {
                    () if alone.is_empty() => beside.into_iter().min().unwrap_or(0),
                    () if quantile(&mut alone, 90) <= SAME_WORK * quantile(&mut alone, 10) => quantile(&mut alone, 50),
                    () => quantile(&mut alone, 90),
                };
                (key, ns)
            })
            .collect();
        let fit_together = self.fit_together();
        let of = |(place, operation): (usize, &Operation)| {
            let own = self.own_block_ns(place);
            // A single block waits for no room, so its time is its own.
            let is_single = operation.launch.is_some_and(|launch| launch.blocks() == 1);
            match key(operation).filter(|_| !is_alone[place] && !is_single && !fit_together[place]) {
                Some(key) => usual.get(&key).map_or(own, |&ns| ns.min(own)),
                None => own,
            }
        };
        recording.operations.iter().enumerate().map(of).collect()
    }

    /// How much of a time before a copy begins its call stages pageable memory, with these changes, ns; of all of it without them.
    pub(super) fn staged_with(&self, place: u32, ns: u64, changes: &[ProgramChange]) -> u64 {
        let operation = &self.recording.operations[place as usize];
        let Some(call) = operation.call.filter(|_| is_staged(self.recording, operation)) else { return ns };
        let usual = self.usual_launch().min(ns);
        // A host that is quicker as a whole has no quicker memory.
        let is_of_row = |change: &ProgramChange| !matches!(change, ProgramChange::Faster { what: LeverSubject::Host, .. });
        let of_row: Vec<ProgramChange> = changes.iter().copied().filter(is_of_row).collect();
        if changes.contains(&ProgramChange::Pinned) { usual } else { usual + self.of_call_row(call, ns - usual, &of_row) }
    }

    /// From the end of what an operation waited for to its start, with these changes, ns.
    fn gap_with(&self, place: u32, timing: &Timing, changes: &[ProgramChange]) -> i64 {
        u64::try_from(timing.gap_ns).map_or(timing.gap_ns, |ns| self.staged_with(place, ns, changes) as i64)
    }

    /// What further nodes add to a launch that would be that of a graph, ns.
    pub(super) fn of_nodes(&self, first: u32, changes: &[ProgramChange]) -> u64 {
        // Most runs change no launches, so they look nothing up.
        let further = if changes.contains(&ProgramChange::Graphs) { self.further_nodes.get(&first) } else { None };
        further.map_or(0, |&further| further.saturating_mul(NODE))
    }

    /// What an operation runs on, with these changes.
    pub(super) fn work_of(&self, place: u32, operation: &Operation, changes: &[ProgramChange]) -> Work {
        let ns = self.with(place, self.timings[place as usize].ns, changes);
        match (self.engine(operation), operation.kind) {
            (Some((_, engine)), _) => Work::Engine(engine, ns),
            (None, OperationKind::Kernel) => self.blocks(place, operation, ns, changes),
            (None, OperationKind::Migration) => Work::Free(0),
            (None, _) => Work::Free(ns),
        }
    }

    /// The copy engine that an operation runs on: a device, and 0 or 1.
    pub(super) fn engine(&self, operation: &Operation) -> Option<(u32, usize)> {
        let device = self.recording.stream(operation).device;
        match operation.kind {
            OperationKind::HostToDevice => Some((device, 0)),
            OperationKind::DeviceToHost => Some((device, usize::from(self.analysis.has_two_engines(device)))),
            _ => None,
        }
    }

    /// How long something of an operation takes with these changes that took so long, ns.
    pub(super) fn with(&self, place: u32, ns: u64, changes: &[ProgramChange]) -> u64 {
        let operation = &self.recording.operations[place as usize];
        changes.iter().fold(ns, |ns, change| match *change {
            ProgramChange::FewerReads if is_value(self.recording, operation) => 0,
            ProgramChange::Pinned if is_staged(self.recording, operation) => {
                let rate = self.pinned[usize::from(operation.kind == OperationKind::DeviceToHost)];
                let pinned = rate.zip(operation.bytes).map(|(rate, bytes)| bytes.saturating_mul(1_000) / rate.max(1));
                pinned.map_or(ns, |pinned| pinned.min(ns))
            }
            ProgramChange::Faster { what: LeverSubject::Row(row), percent } if self.is_of_lever(operation, LeverSubject::Row(row)) => {
                let own_ns = self.sends.own_part(self.recording, place, ns);
                ns - own_ns + less(own_ns, percent)
            }
            ProgramChange::Faster { what, percent } if self.is_of_lever(operation, what) => less(ns, percent),
            _ => ns,
        })
    }

    /// The blocks of a kernel, with these changes; one of them runs so long, ns.
    fn blocks(&self, number: u32, operation: &Operation, ns: u64, changes: &[ProgramChange]) -> Work {
        // Nothing is known that it may wait for, so it takes its own time.
        let Some(place) = self.need_of[number as usize] else {
            return Work::Free(self.with(number, operation.duration().ns(), changes));
        };
        let need = &self.needs[place as usize];
        let is_half = changes.contains(&ProgramChange::HalfGrid(operation.name)) && need.blocks > 1;
        let blocks = if is_half { need.blocks.div_ceil(2) } else { need.blocks };
        // As much work as before, also if the number of blocks was odd.
        let ns = (u128::from(ns) * u128::from(need.blocks) / u128::from(blocks.max(1))) as u64;
        let is_high = self.goes_first(operation.stream, changes);
        let waves = blocks.div_ceil(need.at_once);
        if waves <= MOST_WAVES {
            return Work::Blocks { blocks, need: place, ns, is_high };
        }
        let ns = (u128::from(ns) * u128::from(waves) / u128::from(MOST_WAVES)) as u64;
        Work::Blocks { blocks: need.at_once * MOST_WAVES, need: place, ns, is_high }
    }
}

/// What blocks of kernels take, of each kind once; and by operation, the place of its own.
fn needs(recording: &Recording) -> (Vec<Need>, Vec<Option<u32>>) {
    let (mut needs, mut places) = (Vec::new(), BTreeMap::new());
    let mut place = |need: Need| {
        *places.entry(need).or_insert_with(|| {
            needs.push(need);
            needs.len() as u32 - 1
        })
    };
    let need_of = recording.operations.iter().map(|operation| Need::for_kernel(recording, operation).map(&mut place)).collect();
    (needs, need_of)
}

/// Bytes in a thousand nanoseconds of the middle one of pinned copies of a megabyte or more. Where there are none, of the quickest copy of a
/// quarter of that: pinned memory is no slower, and of what a call stages whole, the copy itself is as quick.
fn pinned_rate(recording: &Recording, kind: OperationKind) -> Option<u64> {
    let rates = |least: u64, only_pinned: bool| -> Vec<u64> {
        let of_kind = recording.operations.iter().filter(|operation| operation.kind == kind);
        let counts = of_kind.filter(|operation| !only_pinned || !super::is_pageable(recording, operation));
        let rate = |operation: &Operation| {
            let bytes = operation.bytes.filter(|&bytes| bytes >= least)?;
            Some(bytes.saturating_mul(1_000) / operation.duration().ns().max(1))
        };
        counts.filter_map(rate).collect()
    };
    let mut pinned = rates(LARGE_COPY, true);
    if pinned.is_empty() { rates(LARGE_COPY / 4, false).into_iter().max() } else { Some(quantile(&mut pinned, 50)) }
}
