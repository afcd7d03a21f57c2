//! The simulator: docs/semantics.md, section 4, instant by instant.
//!
//! Depends on everything to its left: `units`, `scenario`, `trace`, `snapshot`, `policy`.
//! Invariants: the state changes only by emitting a step and applying it to the engine's own
//! snapshot; within an instant the five phases run in the contract's order; no floating point,
//! no hash order, no clock.

mod agenda;
mod ahead;
mod assign;
mod budget;
mod context;
mod promote;
mod rebuild;
mod vary;
mod workload;

use std::fmt;
use std::sync::Arc;

use agenda::Agenda;
pub use ahead::next_block;
use assign::HeldBack;
pub use budget::{busy, time_alone};
pub use rebuild::Rebuild;
use vary::{Plain, Variation};

use crate::policy::{self, Policy, View};
use crate::scenario::{Choice, Layout, PolicyKind, Scenario};
use crate::snapshot::{Keyframes, Replay, Residency, Snapshot};
use crate::trace::{Change, Cut, Rule, Step, Trace, Variants};
use crate::units::Time;

/// Instants in a row without a step after which a policy that keeps asking for more is stopped.
const MAX_IDLE_INSTANTS: u32 = 1_000_000;

/// Steps between two looks at a run that is watched.
pub const WATCH_STEPS: u32 = 1 << 16;

/// Bounds on a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps after which a run is cut.
    pub max_steps: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_steps: 5_000_000 }
    }
}

/// A finished run: its trace, and the keyframes that make any of its states available at once.
#[derive(Clone, Debug)]
pub struct Run {
    /// Every step.
    pub trace: Arc<Trace>,
    /// States to replay from.
    pub keyframes: Arc<Keyframes>,
}

impl Run {
    /// A cursor before the first step.
    #[must_use]
    pub fn replay(&self) -> Replay {
        Replay::new(Arc::clone(&self.trace), Arc::clone(&self.keyframes))
    }
}

/// Why a scenario was not simulated at all. A run that was cut short is a [`Run`] whose trace
/// says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SimError {
    /// The policy is not simulated yet.
    Policy(PolicyKind),
}

impl fmt::Display for SimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy(kind) => {
                let known: Vec<_> = kinds().map(PolicyKind::word).collect();
                write!(f, "policy.kind: \"{}\" is not simulated yet; there are {}", kind.word(), known.join(", "))
            }
        }
    }
}

impl std::error::Error for SimError {}

/// The policies that can be simulated.
pub fn kinds() -> impl Iterator<Item = PolicyKind> {
    PolicyKind::ALL.iter().copied()
}

/// Simulates a scenario under its policy.
///
/// # Errors
/// If the policy is not simulated yet. A run over the step limit, or past the last instant that
/// can be represented, is not an error here: its trace says that and why it was cut.
///
/// # Examples
/// Two blocks of 1024 threads and 500 ns each run beside each other on the TX2's two SMs.
/// ```
/// use blockstep::engine::{Limits, simulate};
/// use blockstep::format::read_scenario;
/// use blockstep::scenario::Scenario;
///
/// let text = r#"{ "version": 1, "kernels": [
///     { "name": "K1", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 500 } ] }"#;
/// let run = simulate(&Scenario::new(&read_scenario(text)?)?, Limits::default())?;
/// assert_eq!(run.trace.end().ns(), 500);
/// let rules: Vec<&str> = run.trace.steps().iter().map(|step| step.rule.id()).collect();
/// assert_eq!(rules, ["J1", "G1", "G2", "R1", "R1", "G3", "B1", "B1", "G4", "J2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn simulate(scenario: &Arc<Scenario>, limits: Limits) -> Result<Run, SimError> {
    simulate_watched(scenario, limits, &mut |_| ())
}

/// The same, showing the trace before its first step, when the budgets of servers are known, and
/// then every [`WATCH_STEPS`] steps or so.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_watched(scenario: &Arc<Scenario>, limits: Limits, watch: &mut dyn FnMut(&Trace)) -> Result<Run, SimError> {
    Ok(Engine::new(scenario, policy_of(scenario)?, Plain, limits).simulate(watch))
}

/// Simulates a scenario under its policy with some rules changed; with none, as [`simulate`]. What
/// servers get where no budget is given is computed by the rules as they are.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_varied(scenario: &Arc<Scenario>, variants: Variants, limits: Limits) -> Result<Run, SimError> {
    if variants.is_none() {
        return simulate(scenario, limits);
    }
    let kind = scenario.policy().kind;
    let policy = policy::find_varied(kind).ok_or(SimError::Policy(kind))?;
    let mut engine = Engine::new(scenario, policy, variants, limits);
    engine.trace.set_variants(variants);
    Ok(engine.simulate(&mut |_| ()))
}

fn policy_of(scenario: &Scenario) -> Result<&'static dyn Policy, SimError> {
    let kind = scenario.policy().kind;
    policy::find(kind).ok_or(SimError::Policy(kind))
}

/// Simulates a scenario under a policy that need not be a registered one.
#[must_use]
pub fn simulate_with(scenario: &Arc<Scenario>, policy: &dyn Policy, limits: Limits) -> Run {
    Engine::new(scenario, policy, Plain, limits).simulate(&mut |_| ())
}

/// What a run begins with: a trace without steps, and the state that they will change.
fn before_the_first_step(scenario: &Arc<Scenario>, policy: &dyn Policy) -> (Trace, Snapshot, Keyframes) {
    let (layout, residency) = if policy.about().kind.takes_turns() {
        (Layout::per_process(scenario), Residency::Idle { last: None, gave_way: false })
    } else {
        (Layout::shared(scenario), Residency::Shared)
    };
    let state = Snapshot::new(scenario, &layout, residency);
    let keyframes = Keyframes::new(state.clone());
    (Trace::new(Arc::clone(scenario), Arc::new(layout)), state, keyframes)
}

/// A run in progress.
struct Engine<'a, V> {
    scenario: Arc<Scenario>,
    policy: &'a dyn Policy,
    variation: V,
    limits: Limits,
    trace: Trace,
    state: Snapshot,
    keyframes: Keyframes,
    agenda: Agenda,
    /// How the last assignment ended, if the same address space has been assigned to since.
    held: Option<HeldBack>,
    /// By stream: when its head joined its EE or CE queue.
    joined: Vec<Time>,
    /// The instant being applied.
    now: Time,
}

impl<'a, V: Variation> Engine<'a, V> {
    fn new(scenario: &Arc<Scenario>, policy: &'a dyn Policy, variation: V, limits: Limits) -> Self {
        let (trace, state, keyframes) = before_the_first_step(scenario, policy);
        Self {
            held: None,
            joined: vec![Time::ZERO; trace.layout().streams().len()],
            scenario: Arc::clone(scenario),
            policy,
            variation,
            limits,
            trace,
            keyframes,
            state,
            agenda: Agenda::new(scenario),
            now: Time::ZERO,
        }
    }

    fn simulate(mut self, watch: &mut dyn FnMut(&Trace)) -> Run {
        let cut = self.compute_budgets().and_then(|()| self.run(watch)).err();
        self.finish(cut)
    }

    /// What servers get, where there are any.
    fn compute_budgets(&mut self) -> Result<(), Cut> {
        if self.policy.has_servers(&self.scenario) {
            self.trace.set_budgets(budget::budgets(&self.scenario)?);
        }
        Ok(())
    }

    /// Applies instant after instant until nothing more can come or the horizon is past.
    fn run(&mut self, watch: &mut dyn FnMut(&Trace)) -> Result<(), Cut> {
        let (mut steps, mut idle, mut told) = (0, 0_u32, 0);
        watch(&self.trace);
        loop {
            let next = self.next_instant();
            self.misses(next)?;
            let Some(at) = next else { return Ok(()) };
            self.now = at;
            self.completions()?;
            self.timers()?;
            self.releases()?;
            self.issues()?;
            self.context()?;
            self.assignment()?;
            idle = if self.trace.steps().len() == steps { idle + 1 } else { 0 };
            steps = self.trace.steps().len();
            if steps >= told + WATCH_STEPS as usize {
                told = steps;
                watch(&self.trace);
            }
            if idle > MAX_IDLE_INSTANTS {
                return Err(Cut::Internal { what: format!("the policy asked for more than {MAX_IDLE_INSTANTS} instants without a step") });
            }
        }
    }

    /// The next instant at which something falls due, if it is not past the horizon.
    fn next_instant(&self) -> Option<Time> {
        let switch = match self.state.residency() {
            Residency::Switching { until, .. } => Some(until),
            _ => None,
        };
        let timer = self.policy.next_timer(self.view());
        let next = [self.agenda.next(), switch, timer].into_iter().flatten().min()?;
        self.scenario.horizon().is_none_or(|end| next <= end).then_some(next)
    }

    /// Phase 2: the end of a context switch. A policy's own timers are instants at which it is
    /// asked; what they cause happens in phase 4.
    fn timers(&mut self) -> Result<(), Cut> {
        match self.state.residency() {
            Residency::Switching { to, until } if until == self.now => self.enter(to),
            _ => Ok(()),
        }
    }

    fn view(&self) -> View<'_> {
        View { trace: &self.trace, state: &self.state, now: self.now }
    }

    /// Adds a step and applies it: the only way anything changes.
    fn emit(&mut self, rule: Rule, change: Change) -> Result<(), Cut> {
        self.room()?;
        debug_assert!(self.state.now() <= self.now, "steps are in order of time");
        let step = Step { at: self.now, rule, change };
        self.trace.add_step(step);
        self.state.apply(&self.trace, &step);
        self.keyframes.offer(&self.state);
        Ok(())
    }

    /// Whether there may be one more step.
    fn room(&self) -> Result<(), Cut> {
        if self.trace.steps().len() < self.limits.max_steps as usize {
            Ok(())
        } else {
            Err(Cut::StepLimit { limit: self.limits.max_steps })
        }
    }

    /// An instant from now, or the end of the run because it cannot be represented.
    fn later(&self, span: crate::units::Span, what: impl FnOnce(&Trace) -> String) -> Result<Time, Cut> {
        self.now.after(span).ok_or_else(|| Cut::TimeOverflow { what: what(&self.trace) })
    }

    /// When a block or copy completes that has this long to run. `None` past the last instant there is,
    /// where a horizon ends the run before (docs/semantics.md, sections 1 and 9); without one that ends the run.
    fn completion(&self, span: crate::units::Span, what: impl FnOnce(&Trace) -> String) -> Result<Option<Time>, Cut> {
        match self.scenario.horizon() {
            Some(_) => Ok(self.now.after(span)),
            None => self.later(span, what).map(Some),
        }
    }

    fn finish(mut self, cut: Option<Cut>) -> Run {
        let last = self.trace.steps().last().map_or(Time::ZERO, |s| s.at);
        let end = if cut.is_some() { last } else { self.scenario.horizon().unwrap_or(last) };
        self.trace.finish(end, cut);
        Run { trace: Arc::new(self.trace), keyframes: Arc::new(self.keyframes) }
    }
}
