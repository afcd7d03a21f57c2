//! The GPU's part of the queue diagram: SMs with their blocks, and copy engines.
//!
//! Depends on the rest of `queues`. Invariant: a block stands in exactly one group of its SM.

use serde::{Deserialize, Serialize};

use super::{Builder, MANY_SPACES, QueuedOp};
use crate::quantity::format_count;
use blockstep_sim::order;
use blockstep_sim::snapshot::{Progress, RunningBlock};
use blockstep_sim::trace::EngineNo;
use blockstep_sim::units::{OpId, RowId, SmId, SpaceId};

/// SMs that are shown at most; every built-in device has fewer.
const MAX_SMS: usize = 256;
/// Likewise of one of many address spaces, while it may not execute.
const MAX_ABSENT_SMS: usize = 8;
/// Up to that many blocks of a kernel are shown one by one on an SM.
const SINGLE_BLOCKS: usize = 4;
/// Up to that many runs of block numbers are written out.
const MAX_RUNS: usize = 3;

/// One SM as its address space sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmView {
    /// The SM that the view is of.
    pub sm: SmId,
    /// Its threads, free and in all.
    pub threads: Gauge,
    /// Bytes of shared memory.
    pub shared_memory: Gauge,
    /// Its registers, free and in all.
    pub registers: Gauge,
    /// Block slots.
    pub slots: Gauge,
    /// Resident blocks: kernels in order of their oldest block here, a few blocks one by one,
    /// many together.
    pub blocks: Vec<BlockGroup>,
    /// Whether the last step assigned, completed, suspended or resumed a block here.
    pub changed: bool,
    /// The block that the last step took off it.
    pub left: Option<String>,
}

/// How much of something is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gauge {
    /// Free now.
    pub free: u64,
    /// All there is.
    pub total: u64,
}

/// Blocks of one kernel on one SM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockGroup {
    /// The kernel.
    pub op: OpId,
    /// Its row of the kernel table.
    pub row: RowId,
    /// `K1:0`, `K1:0–3`, `K1: 16 blocks`.
    pub label: String,
    /// How many blocks; at least 1.
    pub blocks: u64,
    /// Threads of all of them.
    pub threads: u64,
    /// Whether any of them is suspended.
    pub suspended: bool,
    /// Whether any of them spins.
    pub spins: bool,
    /// Whether the last step was about one of them.
    pub changed: bool,
}

/// A copy engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineView {
    /// Which: 0 takes input copies (or all), 1 output copies.
    pub engine: EngineNo,
    /// `Copy engine`, `Copy engine, input`.
    pub label: String,
    /// The copy it is at work on.
    pub item: Option<QueuedOp>,
    /// Whether that copy is suspended.
    pub suspended: bool,
    /// Whether the last step was about it.
    pub changed: bool,
    /// The copy that the last step took off it.
    pub left: Option<String>,
}

impl Builder<'_> {
    /// The SMs that are shown, and how many are not. The one that changed is always shown.
    pub(super) fn sms(&self, space: SpaceId) -> (Vec<SmView>, usize) {
        let count = self.state.space(space).sms.len();
        let max = if self.state.spaces().len() > MANY_SPACES && self.is_absent(space) { MAX_ABSENT_SMS } else { MAX_SMS };
        let mut shown: Vec<usize> = (0..count.min(max)).collect();
        match (self.changes.sm, shown.last_mut()) {
            (Some((of, sm)), Some(last)) if of == space && sm.index() > *last => *last = sm.index(),
            _ => {}
        }
        let hidden = count - shown.len();
        (shown.into_iter().map(|i| self.sm(space, SmId::at(i))).collect(), hidden)
    }

    /// On how many SMs of the device the threads are in use: `80 SMs: all threads in use on 12, some on 30, none on 38`.
    pub(super) fn sms_in_words(&self, space: SpaceId) -> String {
        let (sms, threads) = (&self.state.space(space).sms, self.trace.scenario().device().threads_per_sm);
        let count = |free: u64| sms.iter().filter(|sm| u64::from(sm.threads) == free).count();
        let (all, full, idle) = (sms.len(), count(0), count(threads));
        format!("{} SMs: all threads in use on {}, some on {}, none on {}", format_count(all as u64), full, all - full - idle, idle)
    }

    fn sm(&self, space: SpaceId, id: SmId) -> SmView {
        let device = self.trace.scenario().device();
        let sm = &self.state.space(space).sms[id.index()];
        let goes_on = self.changes.goes_on && sm.blocks.iter().any(|block| Some(block.op) == self.changes.op);
        let changed = self.changes.sm == Some((space, id)) || goes_on;
        let mut kernels: Vec<(OpId, Vec<&RunningBlock>)> = Vec::new();
        for block in &sm.blocks {
            match kernels.iter_mut().find(|(op, _)| *op == block.op) {
                Some((_, blocks)) => blocks.push(block),
                None => kernels.push((block.op, vec![block])),
            }
        }
        let mut groups = Vec::new();
        for (_, blocks) in &kernels {
            let size = if blocks.len() <= SINGLE_BLOCKS { 1 } else { blocks.len() };
            groups.extend(blocks.chunks(size).map(|chunk| self.group(chunk, changed)));
        }
        let block = self.changes.op.zip(self.changes.block);
        SmView {
            sm: id,
            threads: Gauge { free: sm.threads.into(), total: device.threads_per_sm },
            shared_memory: Gauge { free: sm.shared_memory, total: device.shared_memory_per_sm },
            registers: Gauge { free: sm.registers, total: device.registers_per_sm },
            slots: Gauge { free: sm.slots.into(), total: device.blocks_per_sm },
            blocks: groups,
            changed,
            left: block.filter(|_| changed && self.changes.out_of_sm).map(|(op, block)| format!("{}:{block}", self.trace.op_label(op))),
        }
    }

    /// Some blocks of one kernel; never none.
    fn group(&self, blocks: &[&RunningBlock], sm_changed: bool) -> BlockGroup {
        let op = blocks[0].op;
        let mut numbers: Vec<u32> = blocks.iter().map(|b| b.block).collect();
        order::by_number(&mut numbers, |&n| n.into());
        BlockGroup {
            op,
            row: self.trace.op(op).row,
            label: label_of_blocks(&self.trace.op_label(op), &numbers),
            blocks: blocks.len() as u64,
            threads: blocks.len() as u64 * u64::from(self.trace.row_of(op).needs.threads),
            suspended: blocks.iter().any(|b| matches!(b.progress, Progress::Suspended(_))),
            spins: blocks.iter().any(|b| b.progress == Progress::Spins),
            changed: sm_changed
                && self.changes.op == Some(op)
                && (self.changes.goes_on || self.changes.block.is_some_and(|b| numbers.contains(&b))),
        }
    }

    pub(super) fn engine(&self, space: SpaceId, engine: EngineNo) -> EngineView {
        let copy = self.state.space(space).engines[engine as usize];
        let changed = self.changes.engine == Some((space, engine));
        EngineView {
            engine,
            label: format!("Copy engine{}", self.which_engine(engine)),
            item: copy.map(|copy| self.item(copy.op, changed && self.changes.into_engine)),
            suspended: copy.is_some_and(|copy| matches!(copy.progress, Progress::Suspended(_))),
            changed,
            left: self.left(changed && self.changes.out_of_engine),
        }
    }
}

/// `K1:0–3, 8`; of many scattered blocks only their number.
pub(crate) fn label_of_blocks(kernel: &str, numbers: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &n in numbers {
        match runs.last_mut() {
            Some((_, last)) if n == *last + 1 => *last = n,
            _ => runs.push((n, n)),
        }
    }
    if runs.len() > MAX_RUNS {
        return format!("{kernel}: {} blocks", numbers.len());
    }
    let written: Vec<String> = runs.iter().map(|&(a, b)| if a == b { a.to_string() } else { format!("{a}–{b}") }).collect();
    format!("{kernel}:{}", written.join(", "))
}
