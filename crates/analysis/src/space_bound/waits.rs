//! For how long a kernel or a copy can wait in its queue (docs/bounds.md, lemmas 4 to 8).
//!
//! Depends on `load`. Invariant: a wait that is given is never exceeded while the `Jobs` given hold.

use super::load::{Blocks, Kernel, Load, SM};
use blockstep_sim::scenario::Release;
use blockstep_sim::units::TaskId;

/// Rounds in which a wait has to be found.
const MAX_ROUNDS: u32 = 4096;
/// Rounds in which the shortest is looked for, and then rounds in which another one may become shorter.
const SHORTER_ROUNDS: u32 = 64;

/// What is known of the response times, by task; `None`: nothing.
pub(super) type Responses = [Option<u64>];

/// How many jobs of a task can have work in a window of `length` ns, if every response is at most what `responses` says; `None`: any
/// number.
pub(super) fn jobs(load: &Load<'_>, task: TaskId, length: u64, responses: &Responses) -> Option<u64> {
    let of = load.scenario.task(task);
    let by_time = match (of.release, of.period, responses[task.index()]) {
        (Release::Periodic, Some(period), Some(response)) => Some(length.checked_add(response)?.div_ceil(period.ns().max(1))),
        _ => None,
    };
    [by_time, of.jobs].into_iter().flatten().min()
}

/// What stands in the way of a kernel that waits.
pub(super) struct Way<'l, 's> {
    load: &'l Load<'s>,
    /// The kernel.
    own: usize,
    /// By kernel.
    weights: Vec<u128>,
    /// How many SMs there are.
    sms: u128,
    /// What blocks of low kernels that run when a high one joins its queue weigh together at most.
    held: u128,
}

impl<'l, 's> Way<'l, 's> {
    pub(super) fn new(load: &'l Load<'s>, own: usize) -> Self {
        let full = load.full(load.heads(own));
        let weights: Vec<u128> = (0..load.kernels.len()).map(|kernel| load.weight(kernel, full)).collect();
        let sms = u128::from(load.scenario.device().sms);
        Self { load, own, weights, sms, held: load.most_held(own, full).saturating_mul(sms) }
    }

    /// The longest time from the instant at which the kernel joins its EE queue until the block behind `before` is assigned, ns (lemmas
    /// 4 to 7). `None` if there is no end to be seen, or not in 64 bits.
    pub(super) fn wait(&self, before: &Blocks, responses: &Responses) -> Option<u64> {
        let whole = self.sms.checked_mul(SM)?;
        let next = |wait: u64, cut: u64| u64::try_from(self.area(before, wait, cut, responses)? / whole).ok();
        // The least fixed point, of work that is cut where the wait ends; it may be far.
        let mut wait = 0;
        for _ in 0..SHORTER_ROUNDS {
            let longer = next(wait, wait.checked_add(1)?)?;
            if longer <= wait {
                return Some(wait);
            }
            wait = longer;
        }
        // Of all work, whole; then what is found is cut.
        for _ in 0..MAX_ROUNDS {
            let longer = next(wait, u64::MAX)?;
            if longer <= wait {
                for _ in 0..SHORTER_ROUNDS {
                    wait = next(wait, wait.checked_add(1)?)?;
                }
                return Some(wait);
            }
            wait = longer;
        }
        None
    }

    /// What may execute in a wait of `wait` ns, no block longer than `cut`: weight times ns.
    fn area(&self, before: &Blocks, wait: u64, cut: u64, responses: &Responses) -> Option<u128> {
        let load = self.load;
        let own = &load.kernels[self.own];
        let mut sum = self.work(self.own, before, u64::MAX, cut)?;
        let (mut held, mut longest) = (0_u128, 0);
        for (stream, kernels) in load.kernels_in.iter().enumerate() {
            if stream == own.stream {
                continue;
            }
            let mut of_stream = 0_u128;
            for &kernel in kernels.iter().filter(|&&kernel| load.can_meet(own, &load.kernels[kernel])) {
                let other = &load.kernels[kernel];
                if own.is_high && !other.is_high {
                    // Only what runs already: A2.
                    longest = other.longest().min(cut).max(longest);
                    of_stream = self.work(kernel, &other.blocks, other.held, cut)?.max(of_stream);
                } else if other.is_high && !own.is_high {
                    // Whatever comes goes first.
                    let task = load.scenario.row(other.row).task;
                    let is_own = task == load.scenario.row(own.row).task;
                    let count = if is_own { 1 } else { jobs(load, task, wait, responses)? };
                    of_stream = of_stream.checked_add(self.work(kernel, &other.blocks, u64::MAX, cut)?.checked_mul(count.into())?)?;
                } else {
                    of_stream = self.work(kernel, &other.blocks, u64::MAX, cut)?.max(of_stream);
                }
            }
            let is_held = own.is_high && kernels.first().is_some_and(|&first| !load.kernels[first].is_high);
            let total = if is_held { &mut held } else { &mut sum };
            *total = total.checked_add(of_stream)?;
        }
        sum.checked_add(held.min(self.held.checked_mul(longest.into())?))
    }

    /// What the longest blocks of a kernel come to, at most `count` of them, each no longer than `cut`.
    fn work(&self, kernel: usize, blocks: &Blocks, count: u64, cut: u64) -> Option<u128> {
        work(self.weights[kernel], blocks, count, cut)
    }
}

/// What the longest blocks come to, at most `count` of them, each no longer than `cut`: weight times ns.
pub(super) fn work(weight: u128, blocks: &Blocks, count: u64, cut: u64) -> Option<u128> {
    let (mut left, mut time) = (count, 0_u128);
    for &(each, blocks) in blocks.iter().rev() {
        let taken = blocks.min(left);
        time = time.checked_add(u128::from(each.min(cut)) * u128::from(taken))?;
        left -= taken;
    }
    time.checked_mul(weight)
}

impl Kernel {
    /// Its longest block, ns.
    pub(super) fn longest(&self) -> u64 {
        self.blocks.last().map_or(0, |(time, _)| *time)
    }
}

impl Load<'_> {
    /// Kernels that may be at the head of an EE queue while a kernel waits for a block: all that may go before it.
    pub(super) fn heads(&self, own: usize) -> impl Iterator<Item = usize> {
        let of = &self.kernels[own];
        let goes_before = move |&other: &usize| {
            let it = &self.kernels[other];
            other == own || it.stream != of.stream && (it.is_high || !of.is_high) && self.can_meet(of, it)
        };
        (0..self.kernels.len()).filter(goes_before)
    }

    /// Whether both may have operations at once: not so of two rows of a task one of which waits for the other.
    pub(super) fn can_meet(&self, a: &Kernel, b: &Kernel) -> bool {
        !self.are_in_turn(a.row, b.row)
    }
}
