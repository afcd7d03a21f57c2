//! A measured run laid over a simulated one: which kernel and block is which, the offset between their
//! clocks, and what is left of the differences.
//!
//! Depends on `measured`, `trace`, `record` and `order`. Invariants: a kernel or block is matched with at most
//! one of the other run; all numbers are whole nanoseconds, measured minus simulated, so that what is
//! positive was later on the GPU.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Measured, MeasuredBlock};
use crate::order::Names;
use crate::record::{BlockRecord, Records};
use crate::trace::{OpKind, Trace};
use crate::units::{OpId, Time};

/// By what a kernel was recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// Its own name is that of a row of the kernel table.
    KernelName,
    /// The label of its log is the name of a task, a row or a stream; of the kernels there, by order.
    Label,
    /// What is left agrees in number, blocks and threads, log by log; by order.
    Order,
}

/// A kernel of both runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelFit {
    /// The log, by its place.
    pub log: usize,
    /// Its place among the log's kernels.
    pub kernel: usize,
    /// The simulated one.
    pub op: OpId,
    /// By what it was recognized.
    pub how: How,
    /// Its blocks that were matched, in [`Fit::blocks`].
    pub blocks: Range<usize>,
    /// Measured blocks that the simulated kernel does not have.
    pub only_measured: usize,
    /// Simulated blocks that were not measured.
    pub only_simulated: usize,
    /// Blocks that ran on another SM than simulated.
    pub moved: usize,
}

/// A block of both runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockFit {
    /// Its number in the log.
    pub measured: usize,
    /// Its place in [`Records::blocks`].
    pub record: usize,
    /// How much later it began than simulated, the offset taken off.
    pub start_ns: i64,
    /// The same of its end; `None` if the simulated one had not ended.
    pub end_ns: Option<i64>,
    /// Whether it ran on another SM; false if the log does not say where.
    pub is_moved: bool,
}

/// A difference of a kernel: that of its block that is furthest off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The kernel, in [`Fit::kernels`].
    pub kernel: usize,
    /// The block, in [`Fit::blocks`].
    pub block: usize,
    /// Whether it is the block's end; else its start.
    pub is_end: bool,
    /// How much later than simulated.
    pub later_ns: i64,
    /// When it should have been, in the simulated run.
    pub at: Time,
}

/// Two runs laid over each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// What to take off a measured instant to get that of the simulated run: the median, over all matched
    /// blocks, of what their starts differ by; of an even number the lower one.
    pub offset_ns: i64,
    /// Kernels of both, by simulated start.
    pub kernels: Vec<KernelFit>,
    /// Blocks of both, kernel by kernel, by their numbers in the log.
    pub blocks: Vec<BlockFit>,
    /// Measured kernels with no counterpart: log and place in it.
    pub only_measured: Vec<(usize, usize)>,
    /// Simulated kernels with no counterpart.
    pub only_simulated: Vec<OpId>,
}

/// Lays the logs over a run; `None` if they have no block in common. Blocks of a kernel are paired SM by
/// SM in the order in which they began (of those simulated to begin at once, in the order in which they ended), as it
/// means nothing which of several idle SMs took which block; those left over then are paired in the order in which they began, and count as moved to another SM.
#[must_use]
pub fn fit(measured: &Measured, trace: &Trace, records: &Records) -> Option<Fit> {
    let pairs = Matching::new(measured, trace);
    let mut made = Fit { offset_ns: 0, kernels: Vec::new(), blocks: Vec::new(), only_measured: Vec::new(), only_simulated: Vec::new() };
    let mut kernels: Vec<(Time, usize, usize, OpId, How)> = Vec::new();
    for (log, of) in pairs.of_launch.iter().enumerate() {
        for (kernel, found) in of.iter().enumerate() {
            match found {
                Some((op, how)) => kernels.push((records.ops[op.index()].start.unwrap_or(Time::MAX), log, kernel, *op, *how)),
                None => made.only_measured.push((log, kernel)),
            }
        }
    }
    kernels.sort_unstable();
    for (_, log, kernel, op, how) in kernels {
        made.add(measured, records, (log, kernel), op, how);
    }
    let is_left = |op: &OpId| !pairs.is_taken[op.index()];
    made.only_simulated = (0..trace.ops().len()).map(OpId::at).filter(|op| trace.op(*op).kind == OpKind::Kernel).filter(is_left).collect();
    let mut starts: Vec<i64> = made.blocks.iter().map(|block| block.start_ns).collect();
    starts.sort_unstable();
    made.offset_ns = *starts.get(starts.len().checked_sub(1)? / 2)?;
    for block in &mut made.blocks {
        block.start_ns = block.start_ns.saturating_sub(made.offset_ns);
        block.end_ns = block.end_ns.map(|end| end.saturating_sub(made.offset_ns));
    }
    Some(made)
}

impl Fit {
    /// A measured instant as one of the simulated run, ns; negative before its start.
    #[must_use]
    pub fn simulated_ns(&self, measured_ns: i64) -> i64 {
        measured_ns.saturating_sub(self.offset_ns)
    }

    /// The same as an instant to go to: the run's start at the earliest.
    #[must_use]
    pub fn simulated(&self, measured_ns: i64) -> Time {
        Time(u64::try_from(self.simulated_ns(measured_ns)).unwrap_or(0))
    }

    /// What each kernel differs by, at its block that is furthest off, in order of simulated time; only if it is more than `tolerance_ns`.
    #[must_use]
    pub fn differences(&self, records: &Records, tolerance_ns: u64) -> Vec<Difference> {
        let mut found: Vec<Difference> = (0..self.kernels.len()).filter_map(|kernel| self.worst(kernel, records)).collect();
        found.retain(|difference| difference.later_ns.unsigned_abs() > tolerance_ns);
        found.sort_by_key(|difference| (difference.at, difference.kernel));
        found
    }

    /// Where a kernel is furthest off; of equal ones the first. `None` if none of its blocks is matched.
    #[must_use]
    pub fn worst(&self, kernel: usize, records: &Records) -> Option<Difference> {
        let mut worst: Option<Difference> = None;
        for block in self.kernels[kernel].blocks.clone() {
            let of = &self.blocks[block];
            let record = &records.blocks[of.record];
            let end = of.end_ns.zip(record.end).map(|(later_ns, at)| (true, later_ns, at));
            for (is_end, later_ns, at) in [(false, of.start_ns, record.start)].into_iter().chain(end) {
                if worst.is_none_or(|w| later_ns.unsigned_abs() > w.later_ns.unsigned_abs()) {
                    worst = Some(Difference { kernel, block, is_end, later_ns, at });
                }
            }
        }
        worst
    }

    /// The median of how far off starts and ends are, earlier or later, ns; of an even number the lower one.
    #[must_use]
    pub fn typical_ns(&self) -> u64 {
        let mut off: Vec<u64> = self.blocks.iter().flat_map(|b| [Some(b.start_ns), b.end_ns]).flatten().map(i64::unsigned_abs).collect();
        off.sort_unstable();
        off.len().checked_sub(1).map_or(0, |last| off[last / 2])
    }

    fn add(&mut self, measured: &Measured, records: &Records, (log, kernel): (usize, usize), op: OpId, how: How) {
        let launch = &measured.logs[log].kernels[kernel];
        let pairing = Pairing { own: &launch.blocks, others: &records.blocks };
        let simulated: Vec<usize> = records.blocks_of(op).iter().map(|&record| record as usize).collect();
        let (mut pairs, own, others) = pairing.by_sm(simulated);
        pairs.sort_by_key(|&(i, _)| i);
        let first = self.blocks.len();
        self.blocks.extend(pairs.iter().map(|&(i, record)| {
            let (block, simulated) = (&launch.blocks[i], &records.blocks[record]);
            BlockFit {
                measured: i,
                record,
                start_ns: later(block.start_ns, simulated.start),
                end_ns: simulated.end.map(|end| later(block.end_ns, end)),
                is_moved: block.sm.is_some() && block.sm != Some(u32::from(simulated.sm.0)),
            }
        }));
        let blocks = first..self.blocks.len();
        let moved = self.blocks[blocks.clone()].iter().filter(|block| block.is_moved).count();
        let (only_measured, only_simulated) = (own, others);
        self.kernels.push(KernelFit { log, kernel, op, how, blocks, only_measured, only_simulated, moved });
    }
}

/// Pairs the blocks of a kernel.
struct Pairing<'a> {
    own: &'a [MeasuredBlock],
    others: &'a [BlockRecord],
}

impl Pairing<'_> {
    /// Pairs, first of what is on the same SM; how many are left then of either.
    fn by_sm(&self, simulated: Vec<usize>) -> (Vec<(usize, usize)>, usize, usize) {
        let mut of_sm: BTreeMap<Option<u32>, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for (i, block) in self.own.iter().enumerate() {
            of_sm.entry(block.sm).or_default().0.push(i);
        }
        for i in simulated {
            of_sm.entry(Some(self.others[i].sm.0.into())).or_default().1.push(i);
        }
        let (mut pairs, mut own_left, mut others_left) = (Vec::new(), Vec::new(), Vec::new());
        for (own, others) in of_sm.into_values() {
            let (own, others) = self.in_order(own, others, &mut pairs);
            own_left.extend(own);
            others_left.extend(others);
        }
        let (own, others) = self.in_order(own_left, others_left, &mut pairs);
        (pairs, own.len(), others.len())
    }

    /// Pairs in the order in which they began, and of those that the simulation began at one instant, in
    /// the order in which they ended. What is left of either.
    fn in_order(&self, mut own: Vec<usize>, mut others: Vec<usize>, pairs: &mut Vec<(usize, usize)>) -> (Vec<usize>, Vec<usize>) {
        own.sort_by_key(|&i| self.own[i].start_ns);
        let end = |i: usize| self.others[i].end.unwrap_or(Time::MAX);
        others.sort_by_key(|&i| (self.others[i].start, end(i), self.others[i].block));
        let both = own.len().min(others.len());
        let (left, others_left) = (own.split_off(both), others.split_off(both));
        let mut from = 0;
        for at_once in others.chunk_by(|&a, &b| self.others[a].start == self.others[b].start) {
            let of = &mut own[from..from + at_once.len()];
            of.sort_by_key(|&i| self.own[i].end_ns);
            from += at_once.len();
        }
        pairs.extend(own.into_iter().zip(others));
        (left, others_left)
    }
}

fn later(measured_ns: i64, simulated: Time) -> i64 {
    measured_ns.saturating_sub(i64::try_from(simulated.ns()).unwrap_or(i64::MAX))
}

/// Which simulated kernel each measured one is.
struct Matching {
    /// By log and kernel.
    of_launch: Vec<Vec<Option<(OpId, How)>>>,
    /// By operation.
    is_taken: Vec<bool>,
}

/// Simulated kernels that one task put on one stream, in issue order.
struct Group {
    task: u32,
    stream: u32,
    ops: Vec<OpId>,
}

impl Matching {
    fn new(measured: &Measured, trace: &Trace) -> Self {
        let of_launch = measured.logs.iter().map(|log| vec![None; log.kernels.len()]).collect();
        let mut made = Self { of_launch, is_taken: vec![false; trace.ops().len()] };
        let kernels = (0..trace.ops().len()).map(OpId::at).filter(|&op| trace.op(op).kind == OpKind::Kernel);
        made.by_kernel_name(measured, trace, kernels.clone());
        let mut groups: Vec<Group> = Vec::new();
        let mut places = Names::default();
        for op in kernels.filter(|op| !made.is_taken[op.index()]) {
            let (task, stream) = (trace.row_of(op).task.0, trace.op(op).stream.0);
            let place = places.place(task, stream.to_string(), groups.len());
            if place == groups.len() {
                groups.push(Group { task, stream, ops: Vec::new() });
            }
            groups[place].ops.push(op);
        }
        let left: Vec<usize> = made.by_label(measured, trace, &mut groups);
        made.by_order(measured, trace, &left, &groups);
        made
    }

    fn take(&mut self, log: usize, kernel: usize, op: OpId, how: How) {
        self.of_launch[log][kernel] = Some((op, how));
        self.is_taken[op.index()] = true;
    }

    /// Names that only one log has, each as often as it is there.
    fn by_kernel_name(&mut self, measured: &Measured, trace: &Trace, kernels: impl Iterator<Item = OpId>) {
        let rows = Names::from_names(trace.scenario().rows().iter().map(|row| row.name.as_str()));
        let mut of_row: Vec<Vec<OpId>> = vec![Vec::new(); trace.scenario().rows().len()];
        kernels.for_each(|op| of_row[trace.op(op).row.index()].push(op));
        let mut launches: Vec<Vec<(usize, usize)>> = vec![Vec::new(); of_row.len()];
        for (log, of) in measured.logs.iter().enumerate() {
            for (kernel, launch) in of.kernels.iter().enumerate() {
                if let Some(row) = rows.get(0, &launch.name) {
                    launches[row].push((log, kernel));
                }
            }
        }
        for (launches, ops) in launches.iter().zip(&of_row) {
            let log = launches.first().map(|&(log, _)| log);
            if launches.iter().all(|&(of, _)| Some(of) == log) {
                launches.iter().zip(ops).for_each(|(&(log, kernel), &op)| self.take(log, kernel, op, How::KernelName));
            }
        }
    }

    /// Takes groups by the label of a log; the logs for which there is none.
    fn by_label(&mut self, measured: &Measured, trace: &Trace, groups: &mut Vec<Group>) -> Vec<usize> {
        let mut left: Vec<usize> = (0..measured.logs.len()).filter(|&log| self.rest(log).next().is_some()).collect();
        type Is = fn(&Trace, &Group, &str) -> bool;
        let tests: [Is; 3] = [
            |trace, group, label| trace.scenario().tasks()[group.task as usize].name == label,
            |trace, group, label| group.ops.iter().any(|&op| trace.row_of(op).name == label),
            |trace, group, label| trace.layout().streams()[group.stream as usize].name == label,
        ];
        for is in tests {
            left.retain(|&log| {
                let label = measured.logs[log].label.as_str();
                let mut found = groups.iter().enumerate().filter(|(_, group)| is(trace, group, label)).map(|(i, _)| i);
                // Of two that are called so, none is it.
                let (Some(group), None) = (found.next(), found.next()) else { return true };
                let group = groups.remove(group);
                self.take_group(log, &group, How::Label);
                false
            });
        }
        left
    }

    /// Takes what is left if it looks the same throughout.
    fn by_order(&mut self, measured: &Measured, trace: &Trace, left: &[usize], groups: &[Group]) {
        let looks_same = |(&log, group): (&usize, &Group)| {
            let launches: Vec<usize> = self.rest(log).collect();
            launches.len() == group.ops.len()
                && launches.iter().zip(&group.ops).all(|(&kernel, &op)| {
                    let (launch, row) = (&measured.logs[log].kernels[kernel], trace.row_of(op));
                    launch.blocks.len() as u64 == row.blocks && launch.thread_count == u64::from(row.needs.threads)
                })
        };
        if left.len() == groups.len() && left.iter().zip(groups).all(looks_same) {
            left.iter().zip(groups).for_each(|(&log, group)| self.take_group(log, group, How::Order));
        }
    }

    fn take_group(&mut self, log: usize, group: &Group, how: How) {
        let launches: Vec<usize> = self.rest(log).collect();
        launches.into_iter().zip(&group.ops).for_each(|(kernel, &op)| self.take(log, kernel, op, how));
    }

    /// Kernels of a log that are not matched yet.
    fn rest(&self, log: usize) -> impl Iterator<Item = usize> {
        self.of_launch[log].iter().enumerate().filter(|(_, found)| found.is_none()).map(|(kernel, _)| kernel)
    }
}
