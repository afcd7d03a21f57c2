//! Task sets without a cost of zero, drawn directly.
//!
//! Depends on `dice`. Invariant: sets are distributed as those of UUniFast (Bini and Buttazzo 2005) that are drawn again
//! as long as a cost is zero, however few of those there are.
//!
//! A cost is not zero if the task's share is at least one part of its period: its *least share*. With given periods, the
//! shares are the least ones and, beyond them, what these leave of the total, shared out so that all ways are equally
//! likely. Longer periods leave more, so not all periods are equally likely in such sets: with n tasks, their chance grows
//! as the (n-1)th power of what they leave. So each period is drawn with a chance that falls exponentially with its least
//! share, by the rate that the power has where periods of that rate leave what they do on average. What is still to be
//! rejected then, to get the power exactly, is little.

use super::super::Task;
use super::{ONE, Recipe};
use blockstep_sim::dice::{Dice, product, scaled};

/// Places behind the point of numbers up to 64.
pub(super) const POINT: u32 = 58;
/// Periods drawn, for each task, after which a set is given up.
const MAX_TRIES: u64 = 1000;
/// Places at which the mean of the least shares is taken.
const NODES: u64 = 16;
/// If even the longest periods leave less, nothing is drawn.
pub(super) const LEAST_LEFT: u64 = ONE >> 40;

/// Draws sets of a recipe with one total utilization.
#[derive(Clone, Debug)]
pub(super) struct Tilted {
    tasks: u32,
    total: u64,
    /// The least and the greatest period that leave the other tasks their least shares.
    periods: (u64, u64),
    /// The least share of the greatest period.
    base: u64,
    /// What the periods leave on average.
    middle: u64,
    rate: Rate,
    cuts: Vec<u64>,
}

impl Tilted {
    /// For a total in parts of [`ONE`]; `None` if there is no such set.
    pub(super) fn new(recipe: &Recipe, total: u64) -> Option<Self> {
        let (tasks, (shortest, longest)) = (u64::from(recipe.tasks), recipe.periods);
        if tasks == 0 || longest == 0 || shortest > longest {
            return None;
        }
        let base = least_share(longest);
        let most = total.checked_sub(base.checked_mul(tasks)?).filter(|&most| most >= LEAST_LEFT)?;
        let periods = (shortest.max(ONE.div_ceil(base + most)), longest);
        let (mut low, mut high) = (LEAST_LEFT, most);
        // A smaller rate leaves less, and is the rate of leaving more: they meet in between.
        for _ in 0..8 {
            let middle = low + (high - low) / 2;
            let taken = mean_beyond(periods, base, Rate::new(tasks - 1, middle)).saturating_mul(tasks);
            if middle.saturating_add(taken) < most { low = middle } else { high = middle }
        }
        let rate = Rate::new(tasks - 1, high);
        Some(Self { tasks: recipe.tasks, total, periods, base, middle: high, rate, cuts: Vec::new() })
    }

    /// A set, into `set`; false, and then `set` is of no use, if none came about.
    pub(super) fn draw(&mut self, dice: &mut Dice, set: &mut Vec<Task>) -> bool {
        let mut tries = MAX_TRIES * u64::from(self.tasks);
        while tries > 0 {
            if let Some(left) = self.draw_periods(dice, set, &mut tries)
                && self.accepts(dice, left)
            {
                self.share_out(dice, set, left);
                return true;
            }
        }
        false
    }

    /// Tasks with their periods, and the least shares for costs; what these leave, unless they do not fit.
    fn draw_periods(&self, dice: &mut Dice, set: &mut Vec<Task>, tries: &mut u64) -> Option<u64> {
        set.clear();
        let mut left = self.total;
        while set.len() < self.tasks as usize {
            *tries = tries.checked_sub(1)?;
            let period = dice.between(self.periods.0, self.periods.1);
            let share = least_share(period);
            if self.rate.accepts(dice, share - self.base) {
                left = left.checked_sub(share)?;
                set.push(Task::implicit(share, period));
            }
        }
        Some(left)
    }

    /// Whether periods that leave this much are kept. It is x of the middle, and x e^(1-x) to the power of n-1 is their
    /// chance: 1 in the middle, and in proportion to what the power has and the rate has not.
    fn accepts(&self, dice: &mut Dice, left: u64) -> bool {
        /// The number e in 2^-62ths.
        const E: u64 = 12_535_862_302_449_814_170;
        let Ok(x) = u64::try_from((u128::from(left) << POINT) / u128::from(self.middle)) else { return false };
        // In 2^-56ths, and then in 2^-120ths.
        let (high, low) = product(scaled(x, E), negative_exp(x));
        let chance = u64::try_from((u128::from(high) << 64 | u128::from(low)) >> 56).unwrap_or(u64::MAX);
        dice.number() <= power(chance, self.tasks - 1)
    }

    /// Gives each task what lies between two neighbors of n-1 uniform places, beyond its least share.
    fn share_out(&mut self, dice: &mut Dice, set: &mut [Task], left: u64) {
        self.cuts.clear();
        self.cuts.extend((1..self.tasks).map(|_| dice.between(0, left)));
        self.cuts.sort_unstable();
        let mut from = 0;
        for (task, to) in set.iter_mut().zip(self.cuts.iter().copied().chain([left])) {
            let (high, low) = product(task.period, task.cost + (to - from));
            // The product is below 2^124.
            *task = Task { spread: dice.number(), ..Task::implicit(high << 4 | low >> 60, task.period) };
            from = to;
        }
    }
}

/// The least share for which the cost is not zero.
fn least_share(period: u64) -> u64 {
    ONE.div_ceil(period)
}

/// By how much a chance falls with a share: a number in parts of 2 to the power of `shift`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    factor: u64,
    shift: u32,
}

impl Rate {
    /// `others / left`; `left` is at least [`LEAST_LEFT`].
    pub(super) fn new(others: u64, left: u64) -> Self {
        let shift = 63 + left.ilog2() - others.max(1).ilog2();
        Self { factor: ((u128::from(others) << shift) / u128::from(left)) as u64, shift }
    }

    /// The rate times a share.
    pub(super) fn times(self, share: u64) -> u64 {
        let product = u128::from(share) * u128::from(self.factor);
        u64::try_from(product >> self.shift.saturating_sub(POINT)).unwrap_or(u64::MAX)
    }

    /// True by the chance that is left at a share.
    fn accepts(self, dice: &mut Dice, share: u64) -> bool {
        let (x, place) = (self.times(share), dice.number());
        // 1 - x is no more than e to the -x, and mostly enough to know.
        place >> (64 - POINT) < (1_u64 << POINT).saturating_sub(x) || place < negative_exp(x)
    }
}

/// What a task takes on average beyond the base, with periods by this rate. From the longest period on, nodes are ever
/// further apart, as the shares of short ones have less chance.
fn mean_beyond((shortest, longest): (u64, u64), base: u64, rate: Rate) -> u64 {
    let (mut sum, mut weights) = (0_u128, 0_u128);
    for node in (1..2 * NODES).step_by(2) {
        let back = u128::from(longest - shortest) * u128::from(node * node) / u128::from(4 * NODES * NODES);
        let beyond = least_share(longest - back as u64) - base;
        // Of 45 bits, so that the sum has room.
        let weight = u128::from(node) * u128::from(negative_exp(rate.times(beyond)) >> 24);
        sum += weight * u128::from(beyond);
        weights += weight;
    }
    sum.checked_div(weights).map_or(0, |mean| mean as u64)
}

/// e to the power of -x in 2^-64ths: the series for a 64th of x, which has the same digits there, and then squares.
pub(super) fn negative_exp(x: u64) -> u64 {
    const TERMS: usize = 20;
    /// 1/k in 2^-64ths, as a division takes longer than all the rest.
    const PARTS: [u64; TERMS + 1] = {
        let (mut parts, mut k) = ([u64::MAX; TERMS + 1], 2);
        while k <= TERMS {
            parts[k] = u64::MAX / k as u64;
            k += 1;
        }
        parts
    };
    let mut e = u64::MAX;
    for part in PARTS[1..].iter().rev() {
        e = u64::MAX - scaled(scaled(x, e), *part);
    }
    (0..6).fold(e, |e, _| scaled(e, e))
}

/// A power of a number in 2^-64ths.
pub(super) fn power(mut base: u64, mut exponent: u32) -> u64 {
    let mut result = u64::MAX;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = scaled(result, base);
        }
        base = scaled(base, base);
        exponent >>= 1;
    }
    result
}
