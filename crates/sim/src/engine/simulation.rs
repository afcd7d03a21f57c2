//! A run in portions: as much work as there is time for, and on from there.
//!
//! Depends on the rest of `engine`. Invariant: whatever the portions, the run is the one that [`super::simulate`] makes, to the byte.

use std::sync::Arc;

use super::vary::Plain;
use super::{Engine, Limits, Phase, Run, policy_of, varied};
use crate::scenario::Scenario;
use crate::trace::{Trace, Variants};
use crate::work::{Budget, Progress};

/// A run that is being made.
///
/// # Examples
/// ```
/// use blockstep_sim::engine::{Limits, Simulation, simulate};
/// use blockstep_sim::scenario::{Draft, KernelDraft, Scenario};
/// use blockstep_sim::trace::Variants;
/// use blockstep_sim::work::{Budget, Progress};
///
/// let draft = Draft { kernels: vec![KernelDraft::named("K1", 20, 1024, 500)], ..Draft::default() };
/// let scenario = Scenario::new(&draft)?;
/// let mut simulation = Simulation::new(&scenario, Variants::NONE, Limits::default());
/// let mut portions = 1;
/// while simulation.run_for(&mut Budget::new(10)) == Progress::Paused {
///     portions += 1;
/// }
/// assert!(portions > 5);
/// assert_eq!(simulation.finish().trace.steps(), simulate(&scenario, Limits::default()).trace.steps());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation(AnyEngine);

enum AnyEngine {
    Plain(Box<Engine<'static, Plain>>),
    Varied(Box<Engine<'static, Variants>>),
}

impl Simulation {
    /// Nothing is simulated yet. `variants`: rules that are changed.
    #[must_use]
    pub fn new(scenario: &Arc<Scenario>, variants: Variants, limits: Limits) -> Self {
        Self(if variants.is_none() {
            AnyEngine::Plain(Box::new(Engine::new(scenario, policy_of(scenario), Plain, limits)))
        } else {
            AnyEngine::Varied(Box::new(varied(scenario, variants, limits)))
        })
    }

    /// Goes on until the budget is spent or the run is over. What has begun is finished, which may cost a little more than
    /// there was. With a budget that is spent nothing is done.
    pub fn run_for(&mut self, budget: &mut Budget) -> Progress {
        match &mut self.0 {
            AnyEngine::Plain(engine) => engine.run_for(budget),
            AnyEngine::Varied(engine) => engine.run_for(budget),
        }
    }

    /// The steps so far.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        match &self.0 {
            AnyEngine::Plain(engine) => &engine.trace,
            AnyEngine::Varied(engine) => &engine.trace,
        }
    }

    /// Whether the budgets of servers are known, so that there may be steps.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        let phase = match &self.0 {
            AnyEngine::Plain(engine) => &engine.phase,
            AnyEngine::Varied(engine) => &engine.phase,
        };
        !matches!(phase, Phase::Servers(_))
    }

    /// The run; one that is not over is cut where it is, and says so.
    #[must_use]
    pub fn finish(self) -> Run {
        match self.0 {
            AnyEngine::Plain(engine) => engine.finish(),
            AnyEngine::Varied(engine) => engine.finish(),
        }
    }
}
