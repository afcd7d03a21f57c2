//! Work that can never complete, because what it waits for never does: a circle of waits, a job that is never released, a process that was
//! reset, or blocks that spin for others which find no room.
//!
//! Depends on the rest of `snapshot`. Invariant: what is left once all has been taken away that may still go on, with its room, is stuck, as
//! each part of it waits for another; whatever else is in an EE or CE queue goes on some time, as does a CPU thread that does not wait. So
//! what is said to be stuck is. Source: docs/semantics.md, section 9; R. C. Holt, "Some Deadlock Properties of Computer Systems", ACM
//! Computing Surveys 4 (3), 1972, for the reduction.

use std::collections::BTreeMap;

use super::{Progress, Snapshot, SpaceState};
use crate::scenario::{Reached, Release};
use crate::trace::{Level, OpKind, Trace, Variant};
use crate::units::{JobNo, OpId, RowId, SpaceId, TaskId};

/// Something that waits, or that something waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stuck {
    /// An operation has yet to complete.
    Op(OpId),
    /// A kernel has yet to get a block.
    Begin(OpId),
    /// A kernel has yet to get all its blocks.
    AllBegin(OpId),
    /// The blocks of a kernel spin.
    Spin(OpId),
    /// The kernel of a row is not issued yet.
    Issue(RowId, JobNo),
    /// The operations of a job, or what it has instead (docs/semantics.md, section 8).
    Work(TaskId, JobNo),
    /// A job with all its calls.
    Job(TaskId, JobNo),
    /// A call in which a CPU thread waits.
    Call(TaskId, RowId, JobNo),
    /// A job that is never released.
    Never(TaskId, JobNo),
    /// An address space that the watchdog has reset.
    Reset(SpaceId),
}

impl Stuck {
    /// Whether it waits for nothing: it never comes.
    const fn is_final(self) -> bool {
        matches!(self, Self::Never(..) | Self::Reset(_))
    }
}

/// How far a chain of waits is followed.
const MOST_LINKS: usize = 32;

impl Snapshot {
    /// If some work can never complete: the first of it, what that waits for, and so on, until something comes again or never comes,
    /// at most 32 of them. Looks at everything that is incomplete.
    #[must_use]
    pub fn dead_end(&self, trace: &Trace) -> Option<Vec<Stuck>> {
        let mut search = Search::new(trace, self);
        search.reduce();
        let first = search.firsts.clone().into_iter().find(|first| search.is_stuck(*first))?;
        Some(search.chain_from(first))
    }

    /// The call in which the CPU thread of a task waits.
    fn call_of(&self, task: TaskId) -> Option<Stuck> {
        self.task(task).host.as_ref().map(|wait| Stuck::Call(task, wait.row, wait.job))
    }
}

/// One thing that waits.
struct Node {
    what: Stuck,
    /// Whether it may go on.
    goes_on: bool,
    /// What has to go on before, by place among the nodes.
    before: Vec<usize>,
    /// How many of these may not go on yet.
    left: usize,
    /// The nodes that wait for it.
    behind: Vec<usize>,
    /// Whether it needs room on the SMs besides.
    needs_room: bool,
}

struct Search<'a> {
    trace: &'a Trace,
    state: &'a Snapshot,
    /// Issued, incomplete operations by job.
    open: BTreeMap<(TaskId, JobNo), Vec<OpId>>,
    /// Where one asks for what is stuck, in this order.
    firsts: Vec<Stuck>,
    nodes: Vec<Node>,
    places: BTreeMap<Stuck, usize>,
}

impl<'a> Search<'a> {
    /// All that is incomplete, and what it waits for.
    fn new(trace: &'a Trace, state: &'a Snapshot) -> Self {
        let ops: Vec<OpId> = state.streams.iter().flat_map(|stream| stream.queue.iter().copied()).collect();
        let mut open: BTreeMap<_, Vec<OpId>> = BTreeMap::new();
        for &op in &ops {
            open.entry((trace.row_of(op).task, trace.op(op).job)).or_default().push(op);
        }
        let calls = (0..trace.scenario().tasks().len()).map(TaskId::at).filter_map(|task| state.call_of(task));
        let firsts: Vec<Stuck> = ops.into_iter().map(Stuck::Op).chain(calls).collect();
        let mut search = Self { trace, state, open, firsts, nodes: Vec::new(), places: BTreeMap::new() };
        let mut asked = search.firsts.clone();
        while let Some(what) = asked.pop() {
            let place = search.place(what);
            if search.nodes[place].left != usize::MAX {
                continue;
            }
            let before = search.waits_for(what);
            asked.extend(before.iter().filter(|other| !search.places.contains_key(other)));
            let before: Vec<usize> = before.into_iter().map(|other| search.place(other)).collect();
            for &other in &before {
                search.nodes[other].behind.push(place);
            }
            let needs_room = search.needs_room(what);
            let node = &mut search.nodes[place];
            // What never comes holds itself up.
            node.left = before.len() + usize::from(what.is_final());
            (node.before, node.needs_room) = (before, needs_room);
        }
        search
    }

    /// The place of a node; a new one has not been looked at.
    fn place(&mut self, what: Stuck) -> usize {
        let nodes = &mut self.nodes;
        *self.places.entry(what).or_insert_with(|| {
            nodes.push(Node { what, goes_on: false, before: Vec::new(), left: usize::MAX, behind: Vec::new(), needs_room: false });
            nodes.len() - 1
        })
    }

    fn is_stuck(&self, what: Stuck) -> bool {
        self.places.get(&what).is_some_and(|&place| !self.nodes[place].goes_on)
    }

    /// Takes away, step by step, what may go on.
    fn reduce(&mut self) {
        let mut free: Vec<usize> = (0..self.nodes.len()).filter(|&place| self.nodes[place].left == 0).collect();
        let mut gated: Vec<usize> = Vec::new();
        loop {
            while let Some(place) = free.pop() {
                if self.nodes[place].goes_on {
                    continue;
                }
                if self.nodes[place].needs_room && !self.has_room(self.nodes[place].what) {
                    gated.push(place);
                    continue;
                }
                self.nodes[place].goes_on = true;
                for i in 0..self.nodes[place].behind.len() {
                    let behind = self.nodes[place].behind[i];
                    self.nodes[behind].left -= 1;
                    if self.nodes[behind].left == 0 {
                        free.push(behind);
                    }
                }
            }
            // With more gone on than before there may be more room.
            free.extend(gated.extract_if(.., |&mut place| self.has_room(self.nodes[place].what)));
            if free.is_empty() {
                return;
            }
        }
    }

    fn needs_room(&self, what: Stuck) -> bool {
        match what {
            Stuck::Begin(op) => !self.state.is_head_with_block(self.trace, op),
            Stuck::AllBegin(op) => self.blocks_left(op) > 0,
            _ => false,
        }
    }

    /// How many blocks of a kernel are not assigned.
    fn blocks_left(&self, op: OpId) -> u64 {
        let stream = self.state.stream(self.trace.op(op).stream);
        let assigned = if stream.queue.front() == Some(&op) { stream.assigned } else { 0 };
        self.trace.row_of(op).blocks - u64::from(assigned)
    }

    /// Whether blocks of a kernel that are on the device, or come there, may not go on.
    fn may_spin(&self, op: OpId) -> bool {
        self.state.spins_or_will(self.trace, op) && self.places.get(&Stuck::Spin(op)).is_none_or(|&place| !self.nodes[place].goes_on)
    }

    /// Whether a kernel finds room beside the blocks that may not go on.
    fn has_room(&self, what: Stuck) -> bool {
        let (Stuck::Begin(op) | Stuck::AllBegin(op)) = what else { return true };
        let row = self.trace.row_of(op);
        let needed = match what {
            // As they go on one after the other, one at a time is enough.
            _ if row.cooperative => self.blocks_left(op),
            Stuck::AllBegin(op) if self.may_spin(op) => self.blocks_left(op),
            _ => 1,
        };
        let space = self.state.space(self.trace.layout().stream(self.trace.op(op).stream).space);
        self.room_beside_stuck(space, op) >= needed
    }

    /// For how many blocks of a kernel there is room beside those on the device that may not go on.
    fn room_beside_stuck(&self, space: &SpaceState, op: OpId) -> u64 {
        let needs = &self.trace.row_of(op).needs;
        let room = |sm: &super::SmState| {
            let mut sm = sm.clone();
            let blocks = std::mem::take(&mut sm.blocks);
            for block in blocks.iter().filter(|block| !self.is_held(block.op, block.progress)) {
                sm.free(&self.trace.row_of(block.op).needs);
            }
            u64::from(sm.room(needs))
        };
        space.sms.iter().map(room).fold(0, u64::saturating_add)
    }

    /// Whether a block on the device keeps its room forever.
    fn is_held(&self, op: OpId, progress: Progress) -> bool {
        matches!(progress, Progress::Spins | Progress::Suspended(_)) && self.may_spin(op)
    }

    /// The chain of waits from something that is stuck.
    fn chain_from(&self, first: Stuck) -> Vec<Stuck> {
        let mut chain = vec![first];
        while chain.len() < MOST_LINKS
            && let Some(next) = chain.last().and_then(|&last| self.next_in_chain(last))
        {
            let is_known = chain.contains(&next);
            chain.push(next);
            if is_known || next.is_final() {
                break;
            }
        }
        chain
    }

    /// What something that is stuck waits for, and that is stuck, too: of several the last one; or blocks that have the room it needs.
    fn next_in_chain(&self, what: Stuck) -> Option<Stuck> {
        let node = &self.nodes[*self.places.get(&what)?];
        let before = node.before.iter().rev().map(|&place| &self.nodes[place]);
        if let Some(next) = before.filter(|node| !node.goes_on).map(|node| node.what).next() {
            return Some(next);
        }
        let (Stuck::Begin(op) | Stuck::AllBegin(op)) = what else { return None };
        let space = self.state.space(self.trace.layout().stream(self.trace.op(op).stream).space);
        let held = space.sms.holding().flat_map(|(_, sm)| &sm.blocks).filter(|block| self.is_held(block.op, block.progress));
        // Another kernel's first: that of its own blocks is the simpler circle.
        held.map(|block| block.op).min_by_key(|&other| (other == op, other)).map(Stuck::Spin)
    }

    /// What has to go on before something can, as far as it waits.
    fn waits_for(&self, what: Stuck) -> Vec<Stuck> {
        match what {
            Stuck::Op(op) if self.trace.op(op).kind == OpKind::Kernel => {
                let mut found = vec![Stuck::AllBegin(op)];
                found.extend(self.state.spins_or_will(self.trace, op).then_some(Stuck::Spin(op)));
                // A chain goes on with these, if they are what it waits for.
                found.extend(self.before_queue(op));
                found
            }
            Stuck::Op(op) => self.before_queue(op),
            Stuck::Begin(op) if self.state.is_head_with_block(self.trace, op) => Vec::new(),
            Stuck::AllBegin(op) if self.blocks_left(op) == 0 => Vec::new(),
            Stuck::Begin(op) | Stuck::AllBegin(op) => self.before_room(op),
            Stuck::Spin(op) => self.before_spin(op),
            Stuck::Issue(row, job) => self.before_issue(row, job),
            Stuck::Work(task, job) | Stuck::Job(task, job) if self.state.task(task).job(job).is_none() => self.before_release(task, job),
            Stuck::Work(task, job) => self.before_work(task, job),
            Stuck::Job(task, job) => {
                let mut found = self.before_work(task, job);
                found.extend(self.state.call_of(task));
                found
            }
            Stuck::Call(task, ..) => self.state.host_awaits(self.trace, task).into_iter().map(Stuck::Op).collect(),
            Stuck::Never(..) | Stuck::Reset(_) => Vec::new(),
        }
    }

    /// Until it may join its EE or CE queue.
    fn before_queue(&self, op: OpId) -> Vec<Stuck> {
        let (trace, state) = (self.trace, self.state);
        let (info, task) = (trace.op(op), trace.row_of(op).task);
        let stream = state.stream(info.stream);
        let space = trace.layout().stream(info.stream).space;
        if state.is_space_reset(space) {
            return vec![Stuck::Reset(space)];
        }
        let place = stream.queue.binary_search(&op).unwrap_or(0);
        if place == 0 && stream.promoted {
            return Vec::new();
        }
        let mut ops: Vec<OpId> = state.awaited(trace, op).collect();
        if let Some(before) = place.checked_sub(1) {
            ops.push(stream.queue[before]);
        }
        if !trace.variants().has(Variant::NoNullBarrier) {
            ops.extend(state.null_barriers(trace, op));
        }
        ops.extend(state.ahead_in_connection(trace, op));
        let producers = state.producers_left(trace, task, info.job).iter().filter(|&&producer| !state.has_supplied(producer, info.job));
        producers.map(|&producer| Stuck::Work(producer, info.job)).chain(ops.into_iter().map(Stuck::Op)).collect()
    }

    /// Until blocks of a kernel are the next to be assigned.
    fn before_room(&self, op: OpId) -> Vec<Stuck> {
        let (trace, state) = (self.trace, self.state);
        let mut found = self.before_queue(op);
        // With rules changed any kernel of the queue may be next, or for a while none.
        if !found.is_empty() || !trace.variants().is_none() {
            return found;
        }
        let space = state.space(trace.layout().stream(trace.op(op).stream).space);
        let (high, low) = (space.ee(Level::High), space.ee(Level::Low));
        let ahead = |queue: &std::collections::VecDeque<OpId>| queue.iter().position(|&other| other == op);
        match (ahead(high), ahead(low)) {
            (Some(place), _) => found.extend(high.iter().take(place).copied().map(Stuck::AllBegin)),
            (None, Some(place)) => found.extend(high.iter().chain(low.iter().take(place)).copied().map(Stuck::AllBegin)),
            (None, None) => {}
        }
        found
    }

    /// Until blocks of a kernel that spin go on.
    fn before_spin(&self, op: OpId) -> Vec<Stuck> {
        let (trace, job) = (self.trace, self.trace.op(op).job);
        let spins = &trace.row_of(op).spins;
        let mut found = Vec::new();
        for &(row, reached) in spins.flags.iter().filter(|&&(row, reached)| !self.state.has_reached(row, job, reached)) {
            let stream = self.state.stream(trace.layout().stream_of(row));
            let is_it = |op: &&OpId| trace.op(**op).row == row && trace.op(**op).job == job && trace.op(**op).kind == OpKind::Kernel;
            found.push(match (stream.queue.iter().find(is_it), reached) {
                (None, _) => Stuck::Issue(row, job),
                (Some(&op), Reached::Begun) => Stuck::Begin(op),
                (Some(&op), Reached::AllBegun) => Stuck::AllBegin(op),
                (Some(&op), Reached::Completed) => Stuck::Op(op),
            });
        }
        if spins.barrier && !self.state.has_reached(trace.op(op).row, job, Reached::AllBegun) {
            found.push(Stuck::AllBegin(op));
        }
        found
    }

    /// Until the kernel of a row is issued that is not yet.
    fn before_issue(&self, row: RowId, job: JobNo) -> Vec<Stuck> {
        let info = self.trace.scenario().row(row);
        if self.state.task(info.task).job(job).is_none() {
            let before = self.before_release(info.task, job);
            // A job that is over and has not issued it will not.
            return if before.is_empty() && job.0 < self.state.task(info.task).released {
                vec![Stuck::Never(info.task, job)]
            } else {
                before
            };
        }
        // Its call, and those that have to be made before it: of rows that are called already nothing is left open that they came after.
        let scenario = self.trace.scenario();
        let task = scenario.task(info.task);
        let call = info.node.as_ref().map_or(row, |node| node.graph);
        let mut found = Vec::new();
        for (&(_, number), ops) in self.open.range((info.task, JobNo(0))..=(info.task, job)) {
            let afters: Vec<RowId> = if task.calls_in_turn {
                let before = task.rows.iter().filter(|&&earlier| number < job || earlier <= call);
                before.filter_map(|&earlier| scenario.row(earlier).after).collect()
            } else if number == job {
                std::iter::successors(scenario.row(call).after, |&after| scenario.row(after).after).collect()
            } else {
                Vec::new()
            };
            let is_awaited = |op: OpId| {
                let row = self.trace.op(op).row;
                afters.contains(&row) || scenario.row(row).node.as_ref().is_some_and(|node| afters.contains(&node.graph))
            };
            found.extend(ops.iter().copied().filter(|&op| is_awaited(op)).map(Stuck::Op));
        }
        if task.calls_in_turn {
            found.extend(self.state.call_of(info.task));
        }
        found
    }

    /// Of a job that is not open; if it is complete, nobody waits for it.
    fn before_release(&self, task: TaskId, job: JobNo) -> Vec<Stuck> {
        let info = self.trace.scenario().task(task);
        let released = self.state.task(task).released;
        if job.0 < released {
            return Vec::new();
        }
        if info.jobs.is_some_and(|jobs| u64::from(job.0) >= jobs) {
            return vec![Stuck::Never(task, job)];
        }
        match (info.release, released.checked_sub(1)) {
            (Release::Continuous, Some(before)) => vec![Stuck::Job(task, JobNo(before))],
            _ => Vec::new(),
        }
    }

    /// Of a job that is open: its operations, and what keeps it from issuing the rest of them.
    fn before_work(&self, task: TaskId, job: JobNo) -> Vec<Stuck> {
        let (trace, state) = (self.trace, self.state);
        let producers = state.producers_left(trace, task, job).iter().filter(|&&producer| !state.has_supplied(producer, job));
        let mut found: Vec<Stuck> = if trace.scenario().task(task).has_operations() {
            Vec::new()
        } else {
            producers.map(|&producer| Stuck::Work(producer, job)).collect()
        };
        let ops = self.open.get(&(task, job)).map_or(&[][..], Vec::as_slice);
        found.extend(ops.iter().copied().map(Stuck::Op));
        let mut rows: Vec<RowId> = ops.iter().map(|&op| trace.op(op).row).collect();
        rows.sort_unstable();
        rows.dedup();
        let has_more = state.task(task).job(job).is_some_and(|open| open.work_left() > rows.len() as u32);
        found.extend(state.call_of(task).filter(|_| has_more));
        found
    }
}

impl Snapshot {
    /// Whether a kernel is at the head of its stream queue and a block of it has been assigned.
    fn is_head_with_block(&self, trace: &Trace, op: OpId) -> bool {
        self.head(trace.op(op).stream) == Some(op) && self.has_begun(trace, op)
    }

    /// Whether blocks of a kernel spin, or would if it had any on the device now.
    fn spins_or_will(&self, trace: &Trace, op: OpId) -> bool {
        trace.op(op).kind == OpKind::Kernel && self.spins(trace, op)
    }
}
