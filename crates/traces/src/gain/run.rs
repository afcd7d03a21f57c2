//! Events of a replay in the order of time: calls begin and return, operations get what they run on, run, and end.
//!
//! Invariants: an event is never before one that it waits for; equal times keep the order in which they were found, so that a replay always
//! ends alike.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use super::sms::{Placed, Sms};
use crate::room::Need;
use blockstep_sim::units::Time;

/// What an operation runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Blocks of a kernel on the SMs of a device.
    Blocks {
        /// How many.
        blocks: u64,
        /// What one takes: a place among all needs, as most kernels share theirs with others.
        need: u32,
        /// How long one runs, ns.
        ns: u64,
        /// Whether its stream has a high priority.
        is_high: bool,
    },
    /// A copy engine of a device, 0 or 1.
    Engine(usize, u64),
    /// Nothing that another could take away, for so long, ns.
    Free(u64),
}

/// Something that happens at an instant: what waits for it are edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// A call, an index, begins.
    CallBegin(u32),
    /// It returns.
    CallEnd(u32),
    /// An operation, an index, begins. As a target: it may begin.
    Begin(u32),
    /// It ends; never a target.
    End(u32),
}

/// How long a device worked in a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BusyTime {
    /// Something ran, ns.
    pub(super) busy_ns: u64,
    /// All operations, one after another, ns.
    pub(super) in_all_ns: u64,
}

/// What came of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Replayed {
    /// When the last thing ended.
    pub(super) end: Time,
    /// By device.
    pub(super) busy: Vec<BusyTime>,
    /// How long any device worked, ns.
    pub(super) any_busy_ns: u64,
    /// What the end waited for, from the last piece to the first, each with how long it took, ns. Empty unless it was asked for.
    pub(super) chain: Vec<(Link, u64)>,
}

/// What a piece of the chain is on which the end of a replay depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// The host, in a call or between two.
    Host,
    /// A launch on its way to the device.
    Launch,
    /// An operation, an index, ran.
    Running(u32),
    /// From one operation to the next.
    Gap,
}

/// No node.
const NONE: u32 = u32::MAX;

/// How long a device worked so far.
#[derive(Clone, Copy, Default)]
struct Busy {
    running: u64,
    since: u64,
    busy_ns: u64,
    in_all_ns: u64,
}

impl Busy {
    /// An operation begins, or one ends.
    fn change(&mut self, at: u64, begins: bool) {
        let ns = at.saturating_sub(self.since);
        self.busy_ns = self.busy_ns.saturating_add(if self.running > 0 { ns } else { 0 });
        self.in_all_ns = self.in_all_ns.saturating_add(ns.saturating_mul(self.running));
        self.since = at;
        self.running = if begins { self.running + 1 } else { self.running.saturating_sub(1) };
    }
}

/// What waits for what, whatever the delays: the same of all runs in which changes are of times alone.
#[derive(Debug)]
pub(super) struct Shape {
    /// What waits, and the place of its delay; by the node that is waited for, then by the one that waits.
    edges: Vec<(u32, u32)>,
    /// By node: where its edges begin; and the end of all.
    firsts: Vec<u32>,
    /// By node: for how much it waits.
    waits: Vec<u32>,
}

impl Shape {
    /// Nodes are few numbers, so that counting is quicker than comparing.
    fn new(pairs: &[(u32, u32)], nodes: usize) -> Self {
        let (mut firsts, mut waits) = (vec![0_u32; nodes + 1], vec![0_u32; nodes]);
        for &(from, to) in pairs {
            firsts[from as usize + 1] += 1;
            waits[to as usize] += 1;
        }
        for place in 1..firsts.len() {
            firsts[place] += firsts[place - 1];
        }
        let mut next = firsts.clone();
        let mut edges = vec![(0, 0); pairs.len()];
        for (place, &(from, to)) in (0_u32..).zip(pairs) {
            let at = &mut next[from as usize];
            edges[*at as usize] = (to, place);
            *at += 1;
        }
        for of in firsts.windows(2) {
            edges[of[0] as usize..of[1] as usize].sort_unstable();
        }
        Self { edges, firsts, waits }
    }
}

/// What waits for what, and for how long.
pub(super) struct Events {
    calls: usize,
    operations: usize,
    /// From, to; of none if the shape is known.
    pairs: Vec<(u32, u32)>,
    has_shape: bool,
    /// How much later at least, ns, in the order in which this was told.
    delays: Vec<i64>,
    /// By node: not before this, whatever it waits for.
    least: Vec<u64>,
}

/// What operations run on.
pub(super) struct Devices<'w> {
    /// By operation: its device, and on what of that.
    pub(super) work: &'w [(u32, Work)],
    /// What blocks of kernels take.
    pub(super) needs: &'w [Need],
    /// The SMs of each device with nothing on them, where they are known.
    pub(super) empty: &'w [Option<Sms>],
}

impl Events {
    /// `has_shape` if what waits for what is known: then it is told again in the same order, for the delays.
    pub(super) fn new(calls: usize, operations: usize, has_shape: bool) -> Self {
        let least = vec![0; 2 * (calls + operations)];
        Self { calls, operations, pairs: Vec::new(), has_shape, delays: Vec::with_capacity(least.len()), least }
    }

    fn number(&self, node: Node) -> u32 {
        let place = match node {
            Node::CallBegin(call) => call as usize,
            Node::CallEnd(call) => self.calls + call as usize,
            Node::Begin(operation) => 2 * self.calls + operation as usize,
            Node::End(operation) => 2 * self.calls + self.operations + operation as usize,
        };
        place as u32
    }

    /// `to` is not before `from` and so much later.
    pub(super) fn after(&mut self, from: Node, to: Node, delay: i64) {
        if !self.has_shape {
            self.pairs.push((self.number(from), self.number(to)));
        }
        self.delays.push(delay);
    }

    /// `node` is not before an instant.
    pub(super) fn not_before(&mut self, node: Node, at: Time) {
        let place = self.number(node) as usize;
        self.least[place] = self.least[place].max(at.ns());
    }

    /// What waits for what, unless it was known; nothing is told any more.
    pub(super) fn shape(&mut self) -> Shape {
        Shape::new(&std::mem::take(&mut self.pairs), self.least.len())
    }

    /// Lets everything happen, and says what the end waited for if that `is_traced`. `None` if something waits for itself.
    pub(super) fn run(self, shape: &Shape, on: &Devices<'_>, is_traced: bool) -> Option<Replayed> {
        debug_assert_eq!(shape.edges.len(), self.delays.len(), "the shape is that of these events");
        let nodes = self.least.len();
        let work = on.work;
        let mut run = Run {
            ready_from: 2 * self.calls,
            ready_to: 2 * self.calls + self.operations,
            events: self,
            left: shape.waits.clone(),
            shape,
            found: 0,
            now: 0,
            batches: 0,
            heap: BinaryHeap::new(),
            devices: on.empty.iter().map(Device::new).collect(),
            unplaced: vec![0; work.len()],
            running: vec![0; work.len()],
            work,
            needs: on.needs,
            busy: vec![Busy::default(); on.empty.len()],
            any: Busy::default(),
            ended: 0,
            last: 0,
            waited_for: if is_traced { vec![NONE; nodes] } else { Vec::new() },
            last_node: 0,
            gave_room: NONE,
        };
        run.all();
        let busy = run.busy.iter().map(|busy| BusyTime { busy_ns: busy.busy_ns, in_all_ns: busy.in_all_ns }).collect();
        (run.ended == work.len()).then(|| Replayed { end: Time(run.last), busy, any_busy_ns: run.any.busy_ns, chain: run.chain() })
    }
}

/// What happens to an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    /// Blocks of it end that were placed together: their number, and how many. Zero of each if it has none.
    Ended(u64, u64),
    /// It may begin.
    Ready,
}

/// Blocks of a kernel that were placed together.
struct Batch {
    need: Need,
    blocks: u64,
    /// Where they are; nothing while they are alone on the device.
    on: Placed,
}

struct Device<'w> {
    /// Its SMs with nothing on them.
    empty: Option<&'w Sms>,
    /// What is free on them; unknown while what runs is alone.
    sms: Option<Sms>,
    /// By number, in the order in which they were placed.
    batches: BTreeMap<u64, Batch>,
    /// Kernels that wait for room, those of high priority first.
    queues: [VecDeque<u32>; 2],
    engines: [VecDeque<u32>; 2],
    is_copying: [bool; 2],
}

impl<'w> Device<'w> {
    fn new(empty: &'w Option<Sms>) -> Self {
        Self {
            empty: empty.as_ref(),
            sms: None,
            batches: BTreeMap::new(),
            queues: Default::default(),
            engines: Default::default(),
            is_copying: [false; 2],
        }
    }

    /// Gives blocks room, as many as fit; how many.
    fn put(&mut self, number: u64, need: &Need, most: u64) -> u64 {
        let Some(empty) = self.empty else { return most };
        if self.batches.is_empty() {
            // Alone, so where they are does not matter yet.
            let blocks = most.min(need.at_once);
            self.sms = None;
            self.batches.insert(number, Batch { need: *need, blocks, on: Vec::new() });
            return blocks;
        }
        let batches = &mut self.batches;
        let sms = self.sms.get_or_insert_with(|| {
            let mut sms = empty.clone();
            for batch in batches.values_mut() {
                batch.on = sms.put(&batch.need, batch.blocks).1;
            }
            sms
        });
        let (blocks, on) = sms.put(need, most);
        if blocks > 0 {
            self.batches.insert(number, Batch { need: *need, blocks, on });
        }
        blocks
    }

    /// Takes blocks off the SMs.
    fn take_off(&mut self, number: u64) {
        if let (Some(batch), Some(sms)) = (self.batches.remove(&number), &mut self.sms) {
            sms.give_back(&batch.need, &batch.on);
        }
    }
}

struct Run<'w> {
    events: Events,
    /// Nodes of operations that may begin: from here to there.
    ready_from: usize,
    ready_to: usize,
    shape: &'w Shape,
    left: Vec<u32>,
    found: u64,
    now: u64,
    heap: BinaryHeap<Reverse<(u64, Happening, u64, u32)>>,
    devices: Vec<Device<'w>>,
    /// How many batches of blocks were tried so far.
    batches: u64,
    work: &'w [(u32, Work)],
    needs: &'w [Need],
    /// By kernel: blocks that have no room yet, and those that run.
    unplaced: Vec<u64>,
    running: Vec<u64>,
    /// By device.
    busy: Vec<Busy>,
    /// Of all devices.
    any: Busy,
    ended: usize,
    last: u64,
    /// By node: the one that it waited for last. Empty if nobody asks; then the time of a node is kept in `least`.
    waited_for: Vec<u32>,
    /// The node that was last.
    last_node: usize,
    /// The node of the operation that gave room last: its end, or its begin while some of its blocks still run.
    gave_room: u32,
}

impl Run<'_> {
    fn all(&mut self) {
        let roots: Vec<usize> = (0..self.ready_to).filter(|&place| self.left[place] == 0).collect();
        self.reached(roots);
        while let Some(Reverse((at, happening, _, operation))) = self.heap.pop() {
            self.now = at;
            match happening {
                Happening::Ready => self.ready(operation, at),
                Happening::Ended(number, blocks) => self.ended(operation, number, blocks, at),
            }
        }
    }

    fn happens(&mut self, at: u64, happening: Happening, operation: u32) {
        self.found += 1;
        self.heap.push(Reverse((at.max(self.now), happening, self.found, operation)));
    }

    /// Nodes wait for nothing any more.
    fn reached(&mut self, mut all: Vec<usize>) {
        while let Some(place) = all.pop() {
            let at = self.events.least[place];
            if (self.ready_from..self.ready_to).contains(&place) {
                self.happens(at, Happening::Ready, (place - self.ready_from) as u32);
                continue;
            }
            self.is_last(place, at);
            self.follow(place, at, &mut all);
        }
    }

    /// What waits for a node waits for one thing less.
    fn follow(&mut self, place: usize, at: u64, reached: &mut Vec<usize>) {
        let shape = self.shape;
        for &(to, delay) in &shape.edges[shape.firsts[place] as usize..shape.firsts[place + 1] as usize] {
            let to = to as usize;
            let then = at.saturating_add_signed(self.events.delays[delay as usize]);
            if then >= self.events.least[to] {
                self.events.least[to] = then;
                self.waited(to, place as u32);
            }
            self.left[to] -= 1;
            if self.left[to] == 0 {
                reached.push(to);
            }
        }
    }

    fn tell(&mut self, place: usize, at: u64) {
        let mut reached = Vec::new();
        self.follow(place, at, &mut reached);
        self.reached(reached);
    }

    fn begun(&mut self, operation: u32, at: u64) {
        self.busy[self.work[operation as usize].0 as usize].change(at, true);
        self.any.change(at, true);
        let node = self.ready_from + operation as usize;
        if at > self.events.least[node] {
            self.events.least[node] = at;
            self.waited(node, self.gave_room);
        }
        self.tell(node, at);
    }

    /// A node waited for another.
    fn waited(&mut self, node: usize, on: u32) {
        if let Some(waited_for) = self.waited_for.get_mut(node) {
            *waited_for = on;
        }
    }

    /// A node happens; nothing so far is later, unless something is.
    fn is_last(&mut self, node: usize, at: u64) {
        if at >= self.last {
            (self.last, self.last_node) = (at, node);
        }
    }

    /// What the end waited for, the last piece first.
    fn chain(&self) -> Vec<(Link, u64)> {
        let mut chain = Vec::new();
        let mut node = self.last_node;
        while let Some(&before) = self.waited_for.get(node).filter(|&&before| before != NONE) {
            let ns = self.events.least[node].saturating_sub(self.events.least[before as usize]);
            chain.push((self.link(node, before as usize), ns));
            node = before as usize;
        }
        chain
    }

    fn link(&self, node: usize, before: usize) -> Link {
        match node {
            node if node >= self.ready_to => Link::Running((node - self.ready_to) as u32),
            node if node < self.ready_from => Link::Host,
            _ if before < self.ready_from => Link::Launch,
            _ if before < self.ready_to => Link::Running((before - self.ready_from) as u32),
            _ => Link::Gap,
        }
    }

    fn ready(&mut self, operation: u32, at: u64) {
        let (device, work) = self.work[operation as usize];
        match work {
            Work::Free(ns) => {
                self.begun(operation, at);
                self.happens(at + ns, Happening::Ended(0, 0), operation);
            }
            Work::Engine(engine, _) => {
                self.devices[device as usize].engines[engine].push_back(operation);
                self.copy(device, engine, at);
            }
            Work::Blocks { blocks, is_high, .. } => {
                self.unplaced[operation as usize] = blocks;
                self.devices[device as usize].queues[usize::from(!is_high)].push_back(operation);
                self.place(device, at);
            }
        }
    }

    /// Lets the next copy begin, if the engine is free.
    fn copy(&mut self, device: u32, engine: usize, at: u64) {
        let of = &mut self.devices[device as usize];
        if of.is_copying[engine] {
            return;
        }
        let Some(next) = of.engines[engine].pop_front() else { return };
        of.is_copying[engine] = true;
        let Work::Engine(_, ns) = self.work[next as usize].1 else { return };
        self.begun(next, at);
        self.happens(at + ns, Happening::Ended(0, 0), next);
    }

    /// Gives blocks of the kernels at the heads room, as far as there is some.
    fn place(&mut self, device: u32, at: u64) {
        loop {
            let of = &mut self.devices[device as usize];
            let Some(queue) = of.queues.iter().position(|queue| !queue.is_empty()) else { return };
            let Some(&head) = of.queues[queue].front() else { return };
            let Work::Blocks { blocks, need, ns, .. } = self.work[head as usize].1 else { return };
            let place = head as usize;
            self.batches += 1;
            let fit = of.put(self.batches, &self.needs[need as usize], self.unplaced[place]);
            if fit == 0 {
                return;
            }
            let is_first = self.unplaced[place] == blocks;
            self.unplaced[place] -= fit;
            self.running[place] += fit;
            let is_placed = self.unplaced[place] == 0;
            if is_placed {
                of.queues[queue].pop_front();
            }
            if is_first {
                self.begun(head, at);
            }
            self.happens(at + ns, Happening::Ended(self.batches, fit), head);
            if !is_placed {
                return;
            }
        }
    }

    fn ended(&mut self, operation: u32, number: u64, blocks: u64, at: u64) {
        let (device, work) = self.work[operation as usize];
        let place = operation as usize;
        let is_over = match work {
            Work::Blocks { .. } => {
                self.devices[device as usize].take_off(number);
                self.running[place] -= blocks;
                self.unplaced[place] == 0 && self.running[place] == 0
            }
            Work::Engine(engine, _) => {
                self.devices[device as usize].is_copying[engine] = false;
                true
            }
            Work::Free(_) => true,
        };
        if is_over {
            self.busy[device as usize].change(at, false);
            self.any.change(at, false);
            self.ended += 1;
            let node = self.ready_to + place;
            self.events.least[node] = at;
            self.waited(node, (self.ready_from + place) as u32);
            self.is_last(node, at);
            self.tell(node, at);
        }
        // Where only some of its blocks end, the time until then is that of a kernel that still runs.
        self.gave_room = (if is_over { self.ready_to } else { self.ready_from } + place) as u32;
        match work {
            Work::Blocks { .. } => self.place(device, at),
            Work::Engine(engine, _) => self.copy(device, engine, at),
            Work::Free(_) => {}
        }
    }
}
