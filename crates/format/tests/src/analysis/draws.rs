//! Random task sets: drawn directly, distributed as if those with a cost of zero were drawn again.

use blockstep_analysis::Task;
use blockstep_analysis::generate::{Drawer, Generator, Recipe};

use std::collections::BTreeMap;

/// Uniform numbers from 0 to 1, of another kind than ours: xorshift64*.
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// UUniFast as Bini and Buttazzo have it, in floating point: costs and periods, drawn again while a cost is zero.
fn rejected(uniform: &mut Uniform, tasks: u32, periods: (u64, u64), utilisation: f64) -> Vec<(u64, u64)> {
    loop {
        let (mut rest, mut set) = (utilisation, Vec::new());
        for i in 1..=tasks {
            let left = if i < tasks { rest * uniform.next().powf(1.0 / f64::from(tasks - i)) } else { 0.0 };
            let period = periods.0 + (uniform.next() * (periods.1 - periods.0 + 1) as f64) as u64;
            set.push((((rest - left) * period as f64) as u64, period));
            rest = left;
        }
        if set.iter().all(|(cost, _)| *cost > 0) {
            return set;
        }
    }
}

fn recipe(tasks: u32, periods: (u64, u64)) -> Recipe {
    Recipe { generator: Generator::UUniFast, tasks, periods, seed: 11 }
}

fn drawn(recipe: Recipe, utilisation: u32, sets: u64) -> Vec<Vec<(u64, u64)>> {
    let (mut drawer, mut set) = (Drawer::new(recipe, utilisation), Vec::<Task>::new());
    let one = |index| {
        assert!(drawer.draw(index, &mut set));
        set.iter().map(|t| (t.cost, t.period)).collect()
    };
    (0..sets).map(one).collect()
}

/// Every outcome counted: a set of few tasks with tiny periods has not many.
#[test]
fn small_sets_are_as_likely_as_when_zeros_are_drawn_again() {
    const SETS: u64 = 40_000;
    for (tasks, periods, utilisation) in [(2, (1, 5), 1_000_000), (3, (2, 6), 900_000), (1, (1, 9), 300_000), (4, (3, 7), 950_000)] {
        let mut uniform = Uniform(0x1234_5678_9abc_def1);
        // Costs and periods in the order of the tasks; ours counted in the first number, theirs in the second.
        let mut counts: BTreeMap<Vec<(u64, u64)>, [f64; 2]> = BTreeMap::new();
        for set in drawn(recipe(tasks, periods), utilisation, SETS) {
            counts.entry(set).or_default()[0] += 1.0;
        }
        for _ in 0..SETS {
            let set = rejected(&mut uniform, tasks, periods, f64::from(utilisation) / 1e6);
            counts.entry(set).or_default()[1] += 1.0;
        }
        // Two samples of one distribution: chi-square, rare outcomes together.
        let (mut rare, mut chi, mut free) = ([0.0; 2], 0.0, -1.0);
        let mut add = |[a, b]: [f64; 2]| {
            chi += (a - b) * (a - b) / (a + b);
            free += 1.0;
        };
        for pair in counts.values() {
            if pair[0] + pair[1] < 20.0 {
                rare = [rare[0] + pair[0], rare[1] + pair[1]];
            } else {
                add(*pair);
            }
        }
        if rare[0] + rare[1] > 0.0 {
            add(rare);
        }
        let deviations = (chi - free) / (2.0_f64 * free).sqrt();
        println!("{tasks} tasks: chi-square {chi:.0} with {free} degrees of freedom");
        assert!(free > 2.0 && deviations < 4.5, "{tasks} tasks: chi-square {chi} with {free} degrees of freedom");
    }
}

/// The greatest distance between the distributions of two samples, as a multiple of what 1 of 10,000 pairs of samples of
/// one distribution exceeds (Kolmogorov and Smirnov).
fn distance(mut a: Vec<f64>, mut b: Vec<f64>) -> f64 {
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let below = |list: &[f64], x: f64| list.partition_point(|y| *y <= x) as f64 / list.len() as f64;
    let greatest = a.iter().map(|&x| (below(&a, x) - below(&b, x)).abs()).fold(0.0, f64::max);
    greatest / (2.225 * (1.0 / a.len() as f64 + 1.0 / b.len() as f64).sqrt())
}

/// What is looked at of a set.
type Measure = (&'static str, fn(&[(u64, u64)]) -> f64);

const MEASURES: [Measure; 7] = [
    ("the first period", |set| set[0].1 as f64),
    ("the last share", |set| set.last().map_or(0.0, |(c, t)| *c as f64 / *t as f64)),
    ("the shortest period", |set| set.iter().map(|(_, t)| *t as f64).fold(f64::INFINITY, f64::min)),
    ("the mean period", |set| set.iter().map(|(_, t)| *t as f64).sum()),
    ("the least cost", |set| set.iter().map(|(c, _)| *c as f64).fold(f64::INFINITY, f64::min)),
    ("the greatest share", |set| set.iter().map(|(c, t)| *c as f64 / *t as f64).fold(0.0, f64::max)),
    ("the share of short periods", |set| set.iter().map(|(c, t)| *c as f64 / (*t * *t) as f64).sum()),
];

#[test]
fn large_sets_are_distributed_as_when_zeros_are_drawn_again() {
    // Of the sets by roots about 1 of 4, 1 of 4 and 1 of 30 have no cost of zero.
    for (tasks, periods, utilisation, sets) in
        [(40, (1000, 3000), 600_000, 6000), (60, (500, 9000), 900_000, 4000), (34, (60, 1200), 950_000, 3000)]
    {
        let ours = drawn(recipe(tasks, periods), utilisation, sets);
        let mut uniform = Uniform(0x9e37_79b9_7f4a_7c15);
        let theirs: Vec<_> = (0..sets).map(|_| rejected(&mut uniform, tasks, periods, f64::from(utilisation) / 1e6)).collect();
        for (what, measure) in MEASURES {
            let of = |sets: &[Vec<(u64, u64)>]| sets.iter().map(|set| measure(set)).collect();
            let distance = distance(of(&ours), of(&theirs));
            println!("{tasks} tasks, {what}: {distance:.2}");
            assert!(distance < 1.0, "{tasks} tasks, {what}: {distance}");
        }
    }
}

#[test]
fn large_sets_with_little_utilisation_are_drawn() {
    // None of these came about when sets with a cost of zero were drawn again, a thousand times.
    for (tasks, periods, utilisation) in [
        (200, (1000, 15_000), 500_000),
        (100, (1000, 15_000), 50_000),
        (100, (1, 15_000), 200_000),
        (200, (1, 1_000_000_000), 1000),
        (20, (1000, 2000), 10_400),
    ] {
        for set in drawn(recipe(tasks, periods), utilisation, 200) {
            assert_eq!(set.len(), tasks as usize);
            assert!(set.iter().all(|(cost, period)| *cost > 0 && (periods.0..=periods.1).contains(period)));
            // Rounding takes less than 1 off each cost, and nothing is added.
            let (least, most) = set.iter().fold((0.0, 0.0), |(a, b), (c, t)| (a + *c as f64 / *t as f64, b + (*c + 1) as f64 / *t as f64));
            let asked = f64::from(utilisation) / 1e6;
            assert!(least <= asked + 1e-12 && asked < most, "{least} {asked} {most}");
        }
    }
}

#[test]
fn what_there_is_not_is_not_looked_for() {
    let mut set = Vec::new();
    for (tasks, periods, utilisation) in [(100, (1000, 9999), 10_000), (2, (1, 1), 1_000_000), (10, (5, 4), 500_000), (40, (0, 0), 500_000)]
    {
        assert!((0..100_000).all(|index| !recipe(tasks, periods).draw(utilisation, index % 3, &mut set)), "{tasks} {periods:?}");
    }
}
