//! The EDF tests for deadlines equal to the periods, fast enough for millions of sets.
//!
//! Depends on `edf` and `fraction`. Invariants: the answers are those of [`super::demand`], exactly;
//! nothing is allocated per set once the vectors have grown. Source: [LP] II-D; Zhang and Burns 2009.
//!
//! With such deadlines the preemptive test is the utilization alone. With blocking, only instants
//! from the shortest period to the longest matter. Between two neighboring periods the blocking is
//! constant, and most such stretches are settled at once: demand is at most the utilization of the
//! tasks due so far times time, so what fits at the beginning of the stretch fits everywhere in it.

use std::cmp::Ordering;

use super::edf::{EdfTest, Sections, section};
use super::{Task, fraction};
use blockstep_sim::dice::product;

/// 1 as a utilization in fixed point, rounded down or up as it is safe.
const ONE: u64 = 1 << 63;

/// A set, prepared for any number of tests.
#[derive(Debug, Default)]
pub struct Prepared {
    /// By period, ascending.
    tasks: Vec<Task>,
    /// Of the tasks up to and with this one.
    sums: Vec<Sums>,
    /// For each kind of section asked for, from task k on the longest.
    blocking: Vec<(Sections, Vec<u64>)>,
    /// How many of those belong to this set.
    known: usize,
}

/// Running sums.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Sum of the costs.
    cost: u128,
    /// Utilizations in 2^-63rds, each at most `cost` too small.
    load: u128,
    /// Reciprocals of the periods in 2^-63rds, each less than 1 too small.
    inverse: u128,
}

impl Prepared {
    /// Takes a set whose deadlines are its periods.
    pub fn load(&mut self, set: &[Task]) {
        self.tasks.clear();
        self.sums.clear();
        self.known = 0;
        for task in set {
            debug_assert_eq!(task.period, task.deadline);
            let place = self.tasks.iter().rposition(|t| t.period <= task.period).map_or(0, |i| i + 1);
            self.tasks.insert(place, *task);
        }
        let mut sums = Sums::default();
        for task in &self.tasks {
            let inverse = ONE / task.period;
            sums.cost += u128::from(task.cost);
            sums.load = sums.load.saturating_add(times(task.cost, inverse));
            sums.inverse += u128::from(inverse);
            self.sums.push(sums);
        }
    }

    /// Whether the set passes the test.
    #[must_use]
    pub fn passes(&mut self, test: &EdfTest) -> bool {
        let inflation = test.inflation();
        if !self.utilisation_fits(inflation) {
            return false;
        }
        if test.sections == Sections::None {
            return true;
        }
        // What is known of a kind of section does not depend on the overheads, which are added here.
        let (kind, more) = match test.sections {
            Sections::InflatedCost => (Sections::Cost, inflation),
            kind => (kind, 0),
        };
        let kind = self.blocking_of(kind);
        let longest = &self.blocking[kind].1;
        let mut demand = Stretch { tasks: &self.tasks, inflation, count: 0 };
        for (k, task) in self.tasks.iter().enumerate() {
            let Some(next) = self.tasks.get(k + 1) else { break };
            if next.period == task.period {
                continue;
            }
            let blocking = longest[k + 1].saturating_add(more);
            demand.count = k + 1;
            if !self.settled(k, inflation, blocking) && demand.exceeds(task.period, next.period - 1, blocking) {
                return false;
            }
        }
        true
    }

    /// Whether the utilization is at most 1.
    fn utilisation_fits(&self, inflation: u64) -> bool {
        let Some(last) = self.sums.last() else { return true };
        let (least, most) = last.load(inflation, self.tasks.len());
        if least > u128::from(ONE) {
            return false;
        }
        most <= u128::from(ONE) || {
            let terms = self.tasks.iter().map(|t| (t.cost.saturating_add(inflation), t.period));
            fraction::compare_with_one(terms) != Ordering::Greater
        }
    }

    /// Whether nothing can fail from the period of task k to the next one, because the utilization
    /// up to k leaves enough at the beginning already.
    fn settled(&self, k: usize, inflation: u64, blocking: u64) -> bool {
        let (_, most) = self.sums[k].load(inflation, k + 1);
        let slack = u128::from(ONE).saturating_sub(most);
        // It is at most 2^63.
        times(slack as u64, self.tasks[k].period) >= u128::from(blocking) << 63
    }

    /// The place of the longest sections of this kind.
    fn blocking_of(&mut self, kind: Sections) -> usize {
        if let Some(found) = self.blocking[..self.known].iter().position(|(known, _)| *known == kind) {
            return found;
        }
        let place = self.known;
        if place == self.blocking.len() {
            self.blocking.push((kind, Vec::new()));
        }
        let (sections, longest) = &mut self.blocking[place];
        *sections = kind;
        longest.clear();
        longest.resize(self.tasks.len(), 0);
        let mut most = 0;
        for (task, entry) in self.tasks.iter().zip(longest).rev() {
            most = most.max(section(kind, task, task.cost));
            *entry = most;
        }
        self.known += 1;
        place
    }
}

impl Sums {
    /// Bounds on the utilization of `count` tasks with overheads, in 2^-63rds.
    fn load(&self, inflation: u64, count: usize) -> (u128, u128) {
        let overheads = match u64::try_from(self.inverse) {
            Ok(inverse) => times(inverse, inflation),
            Err(_) => self.inverse.saturating_mul(u128::from(inflation)),
        };
        let least = self.load.saturating_add(overheads);
        (least, least.saturating_add(self.cost).saturating_add(times(inflation, count as u64)))
    }
}

/// The whole product of two numbers.
fn times(a: u64, b: u64) -> u128 {
    let (high, low) = product(a, b);
    u128::from(high) << 64 | u128::from(low)
}

/// The tasks due between two neighboring periods.
struct Stretch<'t> {
    tasks: &'t [Task],
    inflation: u64,
    count: usize,
}

impl Stretch<'_> {
    /// Whether demand and blocking exceed some instant from `from` to `to`: QPA downwards.
    fn exceeds(&self, from: u64, to: u64, blocking: u64) -> bool {
        let mut t = to;
        loop {
            let mut load = blocking;
            for task in &self.tasks[..self.count] {
                // No term exceeds t, as no inflated cost exceeds its period.
                load = load.saturating_add(t / task.period * (task.cost + self.inflation));
            }
            if load > t {
                return true;
            }
            // No instant from `load` to `t` fails.
            if load <= from {
                return false;
            }
            t = load - 1;
        }
    }
}
