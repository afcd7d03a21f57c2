//! Non-preemptive EDF run from a release of all tasks together, where every switch to another task takes its time.
//!
//! Depends on tasks and on how switches are drawn. Invariant: exact; the run is that of the scenario which [`super::scenario::draft`]
//! makes of the set. Source: [LP] III-B, which measured an average and a maximum, and IV, which charges one of them.

use super::Task;
use blockstep_sim::scenario::SwitchTimes;
use blockstep_sim::units::Span;

/// What its switches take and how long it lasts, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SwitchRun {
    /// A switch on average.
    pub average: u64,
    /// The longest switch, at least the average. If it is that, all take the same time; else they are drawn by the seed 0, 0.3 % of them
    /// in the tail (docs/varying-times.md).
    pub longest: u64,
    /// How long the run is. Deadlines up to its end are judged.
    pub until: u64,
}

/// Where a task stands, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    is_pending: bool,
    deadline: u64,
    next_release: u64,
}

impl SwitchRun {
    /// Whether no deadline is missed up to the end. Deadlines must not be later than the periods.
    /// Takes time linear in the number of jobs times the number of tasks.
    #[must_use]
    pub fn holds(&self, set: &[Task]) -> bool {
        let ns = |us: u64| us.saturating_mul(1000);
        let times = SwitchTimes::around(Span(ns(self.average)), Span(ns(self.longest)), 0);
        let is_drawn = self.longest > self.average;
        let cost = |number: u64| match &times {
            Some(times) if is_drawn => times.draw(number).ns(),
            _ => ns(self.average),
        };
        let end = ns(self.until);
        let mut tasks = vec![State::default(); set.len()];
        let (mut now, mut switches, mut last) = (0_u64, 0_u64, None::<usize>);
        loop {
            for (state, task) in tasks.iter_mut().zip(set) {
                while state.next_release <= now && state.next_release < end {
                    if state.is_pending {
                        return false;
                    }
                    *state = State {
                        is_pending: true,
                        deadline: state.next_release.saturating_add(ns(task.deadline)),
                        next_release: state.next_release.saturating_add(ns(task.period)),
                    };
                }
            }
            let pending = (0..tasks.len()).filter(|&i| tasks[i].is_pending);
            let Some(chosen) = pending.min_by_key(|&i| tasks[i].deadline) else {
                now = tasks.iter().map(|state| state.next_release).min().unwrap_or(end);
                if now >= end {
                    return true;
                }
                continue;
            };
            let is_switch = last.replace(chosen).is_some_and(|last| last != chosen);
            now = now.saturating_add(if is_switch { cost(switches) } else { 0 });
            switches += u64::from(is_switch && self.average > 0);
            now = now.saturating_add(ns(set[chosen].cost));
            tasks[chosen].is_pending = false;
            if now > tasks[chosen].deadline && tasks[chosen].deadline <= end {
                return false;
            }
        }
    }
}
