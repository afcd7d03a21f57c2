//! What every EDF test says of one scenario, or of tasks that were typed in.
//!
//! Depends on `scenario` and the tests. Invariant: a line is about the scenario's real-time tasks if
//! they ran under EDF with the preemption and the switch cost of the line, whatever the scenario's own
//! policy; a line that the test does not cover promises nothing.

use std::sync::Arc;

use super::Verdict;
use super::demand::Point;
use super::edf::{EdfTest, Overhead, table_ii_us};
use super::generate::MILLION;
use super::scenario::{AloneError, Model};
use blockstep_sim::engine::Limits;
use blockstep_sim::scenario::{Choice, Preemption, Scenario};

/// Where the cost of a switch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// The scenario's, the longest if its switches vary.
    Own,
    /// [LP] Table II.
    TableIi(Overhead),
}

/// What EDF with this preemption is called.
#[must_use]
pub const fn mode(preemption: Preemption) -> &'static str {
    match preemption {
        Preemption::Thread => "preemptive",
        Preemption::Block => "limited-preemptive",
        Preemption::Kernel => "preemptive between kernels",
        Preemption::None => "non-preemptive",
    }
}

/// Rows of a table in their order, those that say the same as one row with all their names: `T1, T2`.
#[must_use]
pub fn together<T: PartialEq>(rows: impl IntoIterator<Item = (String, T)>) -> Vec<(String, T)> {
    let mut merged: Vec<(String, T)> = Vec::new();
    for (name, says) in rows {
        match merged.iter_mut().find(|(_, known)| *known == says) {
            Some((names, _)) => *names = format!("{names}, {name}"),
            None => merged.push((name, says)),
        }
    }
    merged
}

/// The verdict of one test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportLine {
    /// Which test.
    pub preemption: Preemption,
    /// Where the cost of a switch comes from.
    pub source: Switch,
    /// What a switch costs, in nanoseconds.
    pub switch: u64,
    /// What the test says of the tasks as it sees them.
    pub verdict: Verdict,
    /// Whether the test covers all that the scenario does.
    pub is_covered: bool,
    /// Demand and blocking at the first failing instant, if there is one.
    pub failure: Option<Point>,
}

impl ReportLine {
    /// Whether every deadline of the real-time tasks is met for certain under this line's EDF.
    #[must_use]
    pub fn promises(&self) -> bool {
        self.is_covered && self.verdict.passes()
    }
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What the tests were put to.
    pub model: Model,
    /// Utilization in millionths, rounded down.
    pub utilisation: u64,
    /// Preemptive, limited, none; of each with the scenario's switch cost, without any, and with
    /// those of [LP].
    pub lines: Vec<ReportLine>,
}

impl Report {
    /// Of one scenario, whatever its policy.
    ///
    /// # Errors
    /// If a job of a task cannot be simulated alone within the limits.
    pub fn new(scenario: &Arc<Scenario>, limits: Limits) -> Result<Self, AloneError> {
        Ok(Self::compute(Model::new(scenario, limits)?, scenario.switches().longest().ns()))
    }

    /// Tests tasks, in nanoseconds, at a switch cost of their own and at those of Table II.
    #[must_use]
    pub fn compute(model: Model, own: u64) -> Self {
        let mut lines = Vec::new();
        for preemption in EdfTest::MODES {
            let table = Overhead::ALL.iter().map(|&o| (Switch::TableIi(o), 1000 * table_ii_us(preemption, o)));
            for (source, switch) in std::iter::once((Switch::Own, own)).chain(table) {
                if lines.iter().any(|l: &ReportLine| (l.preemption, l.switch) == (preemption, switch)) {
                    continue;
                }
                let demand = model.demand(preemption, switch);
                let verdict = demand.verdict();
                let failure = match verdict {
                    Verdict::Fails { at: Some(at) } => Some(Point { at, demand: demand.at(at), blocking: demand.blocking(at) }),
                    _ => None,
                };
                let is_covered = model.not_covered(preemption).is_empty();
                lines.push(ReportLine { preemption, source, switch, verdict, is_covered, failure });
            }
        }
        let share = |cost: u64, period: u64| u128::from(cost) * u128::from(MILLION) / u128::from(period.max(1));
        let utilisation: u128 = model.tasks.iter().map(|(_, t)| share(t.cost, t.period)).sum();
        Self { model, utilisation: u64::try_from(utilisation).unwrap_or(u64::MAX), lines }
    }
}
