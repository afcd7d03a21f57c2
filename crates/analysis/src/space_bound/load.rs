//! A scenario as the bounds of docs/bounds.md see it: kernels with their weights, copies, and which row of a job may stand ahead of
//! which.
//!
//! Depends on `scenario` alone. Invariant: whatever is rounded or left out makes work longer, never shorter.

use blockstep_sim::scenario::{BlockTimes, KernelRow, PolicyKind, Scenario, Stream, StreamPriority};
use blockstep_sim::units::RowId;

/// A whole SM, in the parts in which weights are counted.
pub(super) const SM: u128 = 1 << 32;
/// Different times of a kernel's blocks that are told apart; of more, several count as the longest of them.
const MAX_TIMES: usize = 32;
/// Most sums that are looked at to find out how full an SM can be.
const MAX_SUMS: u64 = 1 << 16;

/// Blocks, by how long they run: time in ns and their number, by time.
pub(super) type Blocks = Vec<(u64, u64)>;

/// A kernel row.
pub(super) struct Kernel {
    pub(super) row: RowId,
    /// As [`stream_of`] says.
    pub(super) stream: usize,
    /// Whether its EE queue is the high one.
    pub(super) is_high: bool,
    /// What a block needs of an SM: slots, threads, shared memory, registers.
    needs: [u64; 4],
    /// All of its blocks.
    pub(super) blocks: Blocks,
    /// How many of them the device holds at once.
    pub(super) held: u64,
    /// Of some of its blocks, among them one that ends last: those assigned before it, and how long it runs.
    pub(super) last: Vec<(Blocks, u64)>,
}

/// A copy, of a row of its own or of a kernel.
pub(super) struct Transfer {
    pub(super) row: RowId,
    pub(super) stream: usize,
    /// Which CE queue.
    pub(super) queue: usize,
    /// For how long it has the engine, ns.
    pub(super) time: u64,
}

/// All that puts operations on streams.
pub(super) struct Load<'s> {
    pub(super) scenario: &'s Scenario,
    pub(super) kernels: Vec<Kernel>,
    pub(super) copies: Vec<Transfer>,
    /// By stream, places in `kernels`.
    pub(super) kernels_in: Vec<Vec<usize>>,
    /// By stream, places in `copies`.
    pub(super) copies_in: Vec<Vec<usize>>,
    /// By resource, what the blocks on an SM can need together, ascending; `None`: anything.
    sums: [Option<Vec<u64>>; 4],
}

impl<'s> Load<'s> {
    /// `None` if a time leaves 64 bits.
    pub(super) fn new(scenario: &'s Scenario) -> Option<Self> {
        let streams = scenario.streams().len();
        let (mut kernels_in, mut copies_in) = (vec![Vec::new(); streams], vec![Vec::new(); streams]);
        let (mut kernels, mut copies) = (Vec::new(), Vec::new());
        for (i, row) in scenario.rows().iter().enumerate() {
            for (copy, direction) in [(row.copy_in, 0), (row.copy_out, 1)] {
                let Some(copy) = copy else { continue };
                let queue = if scenario.device().copy_engines > 1 { direction } else { 0 };
                let stream = stream_of(scenario, row);
                copies_in[stream].push(copies.len());
                copies.push(Transfer { row: RowId::at(i), stream, queue, time: copy.time.ns() });
            }
            if row.blocks > 0 {
                kernels_in[stream_of(scenario, row)].push(kernels.len());
                kernels.push(kernel(scenario, RowId::at(i), row)?);
            }
        }
        let sums = std::array::from_fn(|of| sums(capacities(scenario)[of], kernels.iter().map(|kernel: &Kernel| kernel.needs[of])));
        Some(Self { scenario, kernels, copies, kernels_in, copies_in, sums })
    }

    /// Of each resource, the least that is in use on an SM without room for a block of any of the `heads`; `None`: all of them fit
    /// whatever is in use.
    pub(super) fn full(&self, heads: impl Iterator<Item = usize>) -> [Option<u64>; 4] {
        let mut most = [0; 4];
        for head in heads {
            most.iter_mut().zip(self.kernels[head].needs).for_each(|(most, need)| *most = need.max(*most));
        }
        let capacities = capacities(self.scenario);
        std::array::from_fn(|of| {
            // Without a need there is always room.
            let least = capacities[of].checked_sub(most[of].checked_sub(1)?)?;
            match &self.sums[of] {
                Some(sums) => sums.get(sums.partition_point(|&sum| sum < least)).copied(),
                None => Some(least),
            }
        })
    }

    /// The share of such an SM that a block of a kernel accounts for, in parts of [`SM`], rounded up.
    pub(super) fn weight(&self, kernel: usize, full: [Option<u64>; 4]) -> u128 {
        let share = |(need, full): (u64, Option<u64>)| full.map_or(0, |full| (u128::from(need) * SM).div_ceil(u128::from(full.max(1))));
        self.kernels[kernel].needs.into_iter().zip(full).map(share).max().unwrap_or(0).min(SM)
    }

    /// What the low kernels of other streams can weigh on one SM together, in parts of [`SM`].
    pub(super) fn most_held(&self, own: usize, full: [Option<u64>; 4]) -> u128 {
        let mut counts = [false; 4];
        let own = self.kernels[own].stream;
        for kernel in self.kernels.iter().filter(|kernel| !kernel.is_high && kernel.stream != own) {
            let share = |of: usize| full[of].map_or(0, |full| (u128::from(kernel.needs[of]) * SM).div_ceil(u128::from(full.max(1))));
            if let Some(of) = (0..4).max_by_key(|&of| share(of)) {
                counts[of] = true;
            }
        }
        let capacities = capacities(self.scenario);
        let whole = |of: usize| full[of].map_or(0, |full| (u128::from(capacities[of]) * SM).div_ceil(u128::from(full.max(1))));
        // Each weight is rounded up, so what they come to may be a part more for every block.
        (0..4).filter(|&of| counts[of]).map(|of| whole(of) + u128::from(capacities[0])).sum()
    }

    /// Whether one of two rows of a job is issued only when the other one is complete.
    pub(super) fn are_in_turn(&self, a: RowId, b: RowId) -> bool {
        let is_above = |above: RowId, row: RowId| {
            std::iter::successors(self.scenario.row(row).after, |&row| self.scenario.row(row).after).any(|row| row == above)
        };
        self.scenario.row(a).task == self.scenario.row(b).task && (a == b || is_above(a, b) || is_above(b, a))
    }
}

/// The place of a row's stream. All processes share one NULL stream (docs/semantics.md, section 5).
pub(super) fn stream_of(scenario: &Scenario, row: &KernelRow) -> usize {
    let streams = scenario.streams();
    let null = streams[row.stream].is_null().then(|| streams.iter().position(Stream::is_null)).flatten();
    null.unwrap_or(row.stream)
}

fn kernel(scenario: &Scenario, id: RowId, row: &KernelRow) -> Option<Kernel> {
    let is_high = scenario.policy().kind == PolicyKind::Priority && scenario.streams()[row.stream].priority == StreamPriority::High;
    let needs = [1, u64::from(row.needs.threads), row.needs.shared_memory, row.needs.registers];
    let on_one = needs.into_iter().zip(capacities(scenario)).filter_map(|(need, of)| of.checked_div(need)).min().unwrap_or(0);
    let longer = row.variation.most().ns();
    let (blocks, last) = match &row.times {
        BlockTimes::Each(ns) => {
            let ns = ns.checked_add(longer)?;
            (vec![(ns, row.blocks)], vec![(vec![(ns, row.blocks - 1)], ns)])
        }
        BlockTimes::List(list) => {
            let times: Vec<u64> = list.iter().map(|ns| ns.checked_add(longer)).collect::<Option<_>>()?;
            (grouped(&times, MAX_TIMES), last(&times))
        }
    };
    Some(Kernel {
        row: id,
        stream: stream_of(scenario, row),
        is_high,
        needs,
        blocks,
        held: on_one.checked_mul(scenario.device().sms)?,
        last,
    })
}

/// Blocks that may end last: every one that is longer than all behind it. Of a long list, the longest behind all but a shortest one.
fn last(times: &[u64]) -> Vec<(Blocks, u64)> {
    let longest = times.iter().copied().max().unwrap_or(0);
    if times.len() > MAX_TIMES {
        let mut before = times.to_vec();
        before.sort_unstable();
        return vec![(grouped(&before[1..], MAX_TIMES), longest)];
    }
    let mut found = Vec::new();
    let mut behind = 0;
    for (i, &time) in times.iter().enumerate().rev() {
        if time > behind {
            behind = time;
            found.push((grouped(&times[..i], MAX_TIMES), time));
        }
    }
    found
}

/// Blocks by time, of at most `most` times; what is joined counts as the longest.
fn grouped(times: &[u64], most: usize) -> Blocks {
    let mut times = times.to_vec();
    times.sort_unstable();
    let mut blocks: Blocks = Vec::new();
    for part in times.chunk_by(|a, b| a == b) {
        blocks.push((part[0], part.len() as u64));
    }
    let joined = |part: &[(u64, u64)]| (part[part.len() - 1].0, part.iter().map(|(_, count)| count).sum());
    if blocks.len() > most { blocks.chunks(blocks.len().div_ceil(most)).map(joined).collect() } else { blocks }
}

fn capacities(scenario: &Scenario) -> [u64; 4] {
    let device = scenario.device();
    [device.blocks_per_sm, device.threads_per_sm, device.shared_memory_per_sm, device.registers_per_sm]
}

/// What blocks with these needs can need together, up to the capacity, ascending; `None` if that is too much to look at.
fn sums(capacity: u64, needs: impl Iterator<Item = u64>) -> Option<Vec<u64>> {
    let needs: std::collections::BTreeSet<u64> = needs.filter(|&need| need > 0).collect();
    let unit = needs.iter().fold(0, |unit, &need| divisor(unit, need)).max(1);
    let most = capacity / unit;
    if most.saturating_mul(needs.len() as u64) > MAX_SUMS * 16 || most > MAX_SUMS {
        return None;
    }
    let mut can_be = vec![false; most as usize + 1];
    can_be[0] = true;
    for need in needs {
        let step = (need / unit) as usize;
        for sum in step..can_be.len() {
            can_be[sum] |= can_be[sum - step];
        }
    }
    Some((0..).zip(can_be).filter(|(_, can_be)| *can_be).map(|(sum, _): (u64, _)| sum * unit).collect())
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}
