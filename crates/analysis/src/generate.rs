//! Random task sets.
//!
//! Depends on `dice`. Invariant: a set follows from generator, seed, point and index alone. Sources:
//! UUniFast of Bini and Buttazzo 2005, and the variant behind the published numbers of [LP].

mod tilted;

use self::tilted::Tilted;
use super::Task;
use blockstep_sim::dice::{Dice, product, scaled};
use blockstep_sim::scenario::Choice;

/// 1 as a utilization in fixed point. 60 bits behind the point are enough: a cost comes out exact
/// unless the product of period and utilization lies within 2^-60 periods of a whole number.
const ONE: u64 = 1 << 60;
/// Draws after which a set as published is given up.
const MAX_TRIES: u32 = 1000;
/// With more tasks a set is not first drawn by roots, which take time in the square of their number and then mostly end
/// with a cost of zero.
const FEW: u32 = 32;
/// Parts of 1 in which a utilization is given.
pub const MILLION: u32 = 1_000_000;

/// How the utilization is shared out among the tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generator {
    /// UUniFast: after i tasks of n, what is left for the others is the last rest times the
    /// (n-i)th root of a uniform number, i counted from 1. All shares are equally likely, without
    /// those by which a cost would be zero.
    UUniFast,
    /// As the published numbers of [LP] were made: i counted from 0, so that the first tasks get less and
    /// the last one more; a set is also drawn again if rounding its costs down takes a thousandth
    /// or more off its utilization.
    Published,
}

impl Choice for Generator {
    const ALL: &'static [Self] = &[Self::UUniFast, Self::Published];

    fn word(self) -> &'static str {
        match self {
            Self::UUniFast => "uunifast",
            Self::Published => "published",
        }
    }
}

/// What the sets of a study have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// How the utilization is shared out.
    pub generator: Generator,
    /// Tasks of a set; at least 1.
    pub tasks: u32,
    /// Least and greatest period, both possible; whole numbers between them are equally likely.
    pub periods: (u64, u64),
    /// Where the sets come from.
    pub seed: u64,
}

/// Draws sets of one recipe and utilization; keeps its memory from set to set.
#[derive(Clone, Debug)]
pub struct Drawer {
    recipe: Recipe,
    utilisation: u32,
    /// The utilization in parts of [`ONE`].
    total: u64,
    /// What draws sets without a cost of zero, once it was needed; nothing if there are none.
    tilted: Option<Option<Tilted>>,
}

impl Drawer {
    /// For a total utilization of `utilisation` millionths.
    #[must_use]
    pub fn new(recipe: Recipe, utilisation: u32) -> Self {
        // Rounded up, so that what is exact with a finite number of bits stays exact below.
        let total = (u128::from(utilisation) << 60).div_ceil(u128::from(MILLION)) as u64;
        Self { recipe, utilisation, total, tilted: None }
    }

    /// Set number `index`, into `set`. Deadlines are the periods, costs are rounded down. False, and then `set` is of no
    /// use, if no set came about: the utilization is too small for so many tasks with such periods. Takes time
    /// linear in n log n for n tasks; as published in the square of n, up to a thousand times.
    #[must_use]
    pub fn draw(&mut self, index: u64, set: &mut Vec<Task>) -> bool {
        let mut dice = Dice::new(self.recipe.seed, &[u64::from(self.utilisation), index]);
        match self.recipe.generator {
            Generator::Published => (0..MAX_TRIES).any(|_| self.recipe.attempt(&mut dice, self.total, set)),
            Generator::UUniFast => {
                let tasks = self.recipe.tasks;
                // What the first draw gives is as likely as what the other one gives, so either may be taken.
                tasks <= FEW && self.recipe.attempt(&mut dice, self.total, set) || {
                    let tilted = self.tilted.get_or_insert_with(|| Tilted::new(&self.recipe, self.total));
                    tilted.as_mut().is_some_and(|tilted| tilted.draw(&mut dice, set))
                }
            }
        }
    }
}

impl Recipe {
    /// Set number `index` with a total utilization of `utilisation` millionths, into `set`; see [`Drawer::draw`], which
    /// is faster for many sets.
    #[must_use]
    pub fn draw(&self, utilisation: u32, index: u64, set: &mut Vec<Task>) -> bool {
        Drawer::new(*self, utilisation).draw(index, set)
    }

    /// A set by roots; false if it has a cost of zero, or loses too much to be as published.
    fn attempt(&self, dice: &mut Dice, total: u64, set: &mut Vec<Task>) -> bool {
        let shift = u32::from(self.generator == Generator::Published);
        let (mut rest, mut lost) = (total, 0_u64);
        set.clear();
        for i in 1..=self.tasks {
            let left = if i < self.tasks { scaled(rest, dice.root(self.tasks - i + shift)) } else { 0 };
            let period = dice.between(self.periods.0, self.periods.1);
            let (high, low) = product(period, rest - left);
            // The product is below 2^124.
            let cost = high << 4 | low >> 60;
            if cost == 0 {
                return false;
            }
            lost = lost.saturating_add((low & (ONE - 1)) / period);
            set.push(Task { spread: dice.number(), ..Task::implicit(cost, period) });
            rest = left;
        }
        self.generator == Generator::UUniFast || lost < ONE / 1000
    }
}
