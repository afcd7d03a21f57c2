//! A measured run against the simulated one, in a few numbers: how many blocks began out of the predicted
//! order, how far off starts and ends are, and how many blocks ran elsewhere.
//!
//! Depends on `measured::fit` and `record`. Invariant: blocks of a kernel are interchangeable, so they never are out of
//! order among each other.

use super::Measured;
use super::fit::{BlockFit, Fit, KernelFit};
use crate::record::Records;
use crate::units::Time;

/// Starts up to this much apart have no order: launching takes a real GPU some 10 µs, which the model has not.
pub const ORDER_TOLERANCE_NS: u64 = 50_000;

/// What is left of the differences between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Against {
    /// Blocks that began out of the predicted order.
    pub out_of_order: usize,
    /// Of those, the one that was simulated to begin first.
    pub first: Option<Inversion>,
    /// How far off starts are; `None` without blocks.
    pub starts: Option<Off>,
    /// How far off ends are; `None` if no simulated block has ended.
    pub ends: Option<Off>,
    /// Matched blocks whose SM the logs say.
    pub placed: usize,
    /// Of those, the ones that ran on another SM than simulated.
    pub moved: usize,
}

/// A block that began before one that should have begun earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inversion {
    /// The block that began too early.
    pub block: BlockOf,
    /// The one that should have begun earlier; of several the one measured to begin last.
    pub before: BlockOf,
    /// How much later `before` was measured to begin, ns.
    pub measured_ns: u64,
    /// How much earlier `before` was simulated to begin, ns.
    pub simulated_ns: u64,
}

/// A measured block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockOf {
    /// The kernel, in [`Fit::kernels`].
    pub kernel: usize,
    /// Its number in the log.
    pub number: usize,
}

/// How far instants are off, earlier or later, once the clocks' offset is taken off; ns. The nth block of a kernel to begin (to end) is the nth,
/// whatever its SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Off {
    /// The median; of an even number the lower one.
    pub median_ns: u64,
    /// At least 95 % are no further off.
    pub p95_ns: u64,
    /// The largest.
    pub largest_ns: u64,
    /// The kernel of the largest, in [`Fit::kernels`]; of equal ones the first.
    pub kernel: usize,
}

/// A block's start in both runs. Measured starts have the offset in them.
#[derive(Clone, Copy)]
struct Start {
    simulated: Time,
    measured_ns: i64,
    of: BlockOf,
}

/// Judges a measured run by the simulated one that it is laid over. A block is out of order if another was simulated to begin more than
/// `order_tolerance_ns` earlier, and was measured to begin more than that later. Cost: `n log n` in the matched blocks.
#[must_use]
pub fn against(measured: &Measured, records: &Records, fit: &Fit, order_tolerance_ns: u64) -> Against {
    let starts = starts(measured, records, fit);
    let (out_of_order, first) = inversions(&starts, order_tolerance_ns);
    let later = |simulated: Time, measured_ns: i64| fit.simulated_ns(measured_ns).saturating_sub_unsigned(simulated.ns()).unsigned_abs();
    Against {
        out_of_order,
        first,
        starts: off(starts.iter().map(|start| (later(start.simulated, start.measured_ns), start.of.kernel))),
        ends: off(ends(measured, records, fit).into_iter().map(|(end, measured_ns, kernel)| (later(end, measured_ns), kernel))),
        placed: fit.kernels.iter().map(|kernel| placed(measured, fit, kernel)).sum(),
        moved: fit.kernels.iter().map(|kernel| kernel.moved).sum(),
    }
}

fn placed(measured: &Measured, fit: &Fit, kernel: &KernelFit) -> usize {
    let own = &measured.logs[kernel.log].kernels[kernel.kernel].blocks;
    fit.blocks[kernel.blocks.clone()].iter().filter(|block| own[block.measured].sm.is_some()).count()
}

/// All matched blocks by simulated start. Those of a kernel are paired anew, whatever their SMs: the nth to begin is the nth.
fn starts(measured: &Measured, records: &Records, fit: &Fit) -> Vec<Start> {
    let mut all = Vec::with_capacity(fit.blocks.len());
    for (i, kernel) in fit.kernels.iter().enumerate() {
        let own = &measured.logs[kernel.log].kernels[kernel.kernel].blocks;
        let of_both: &[BlockFit] = &fit.blocks[kernel.blocks.clone()];
        let mut simulated: Vec<Time> = of_both.iter().map(|block| records.blocks[block.record].start).collect();
        simulated.sort_unstable();
        let mut began: Vec<(i64, usize)> = of_both.iter().map(|block| (own[block.measured].start_ns, block.measured)).collect();
        began.sort_unstable();
        let pairs = simulated.into_iter().zip(began);
        all.extend(pairs.map(|(simulated, (measured_ns, number))| Start { simulated, measured_ns, of: BlockOf { kernel: i, number } }));
    }
    all.sort_by_key(|start| start.simulated);
    all
}

/// The same of their ends, where both runs have one; with the kernel.
fn ends(measured: &Measured, records: &Records, fit: &Fit) -> Vec<(Time, i64, usize)> {
    let mut all = Vec::with_capacity(fit.blocks.len());
    for (i, kernel) in fit.kernels.iter().enumerate() {
        let own = &measured.logs[kernel.log].kernels[kernel.kernel].blocks;
        let both = fit.blocks[kernel.blocks.clone()].iter();
        let both = both.filter_map(|block| Some((records.blocks[block.record].end?, own[block.measured].end_ns)));
        let (mut simulated, mut ended): (Vec<Time>, Vec<i64>) = both.unzip();
        simulated.sort_unstable();
        ended.sort_unstable();
        all.extend(simulated.into_iter().zip(ended).map(|(simulated, measured_ns)| (simulated, measured_ns, i)));
    }
    all
}

/// How many blocks are out of order, and the first. `latest` is the last measured of those simulated early enough.
fn inversions(by_simulated: &[Start], tolerance_ns: u64) -> (usize, Option<Inversion>) {
    let (mut count, mut first) = (0, None);
    let mut earlier = by_simulated.iter().peekable();
    let mut latest: Option<&Start> = None;
    for start in by_simulated {
        while let Some(next) = earlier.next_if(|next| is_more(start.simulated, next.simulated, tolerance_ns)) {
            if latest.is_none_or(|latest| next.measured_ns > latest.measured_ns) {
                latest = Some(next);
            }
        }
        let Some(before) = latest.filter(|latest| latest.measured_ns > start.measured_ns) else { continue };
        let measured_ns = before.measured_ns.abs_diff(start.measured_ns);
        if measured_ns > tolerance_ns {
            count += 1;
            let simulated_ns = start.simulated.since(before.simulated).ns();
            first = first.or(Some(Inversion { block: start.of, before: before.of, measured_ns, simulated_ns }));
        }
    }
    (count, first)
}

fn is_more(later: Time, earlier: Time, tolerance_ns: u64) -> bool {
    later.ns().saturating_sub(earlier.ns()) > tolerance_ns
}

fn off(all: impl Iterator<Item = (u64, usize)>) -> Option<Off> {
    let mut all: Vec<(u64, usize)> = all.collect();
    // Of equal ones the first kernel comes last.
    all.sort_unstable_by_key(|&(ns, kernel)| (ns, std::cmp::Reverse(kernel)));
    let &(largest_ns, kernel) = all.last()?;
    let p95 = (all.len() * 95).div_ceil(100) - 1;
    Some(Off { median_ns: all[(all.len() - 1) / 2].0, p95_ns: all[p95].0, largest_ns, kernel })
}
