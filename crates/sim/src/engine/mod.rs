//! The simulator: docs/semantics.md, section 4, instant by instant.
//!
//! Depends on everything to its left: `units`, `work`, `scenario`, `trace`, `snapshot`, `policy`.
//! Invariants: the state changes only by emitting a step and applying it to the engine's own
//! snapshot; within an instant the five phases run in the contract's order; no floating point,
//! no hash order, no clock.

mod agenda;
mod ahead;
mod assign;
mod budget;
mod connections;
mod context;
mod events;
mod foreseen;
mod host;
mod promote;
mod rebuild;
mod signals;
mod simulation;
mod spins;
mod untimed;
mod vary;
mod workload;

use std::collections::BTreeSet;
use std::sync::Arc;

use agenda::{Agenda, earliest};
pub use ahead::next_block;
use assign::HeldBack;
use budget::Servers;
pub use budget::{busy, time_alone};
use foreseen::foreseen_steps;
use host::Hosts;
pub use rebuild::Rebuild;
pub use simulation::Simulation;
pub use untimed::{Next, Untimed};
use vary::{Plain, Variation};

use crate::policy::{self, Policy, View};
use crate::scenario::{Layout, PolicyKind, Scenario};
use crate::snapshot::{Keyframes, Replay, Residency, Snapshot};
use crate::trace::{Change, Cut, Rule, Step, Trace, Variants};
use crate::units::{OpId, Time};
use crate::work::{Budget, Progress, Tally};

/// Instants in a row without a step after which a policy that keeps asking for more is stopped.
const MAX_IDLE_INSTANTS: u32 = 1_000_000;

/// Work after which a run is cut, in units of [`crate::work`]: a thousand for each step of the longest run.
pub const MAX_WORK: u64 = 5_000_000_000;

/// Bounds on a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps after which a run is cut.
    pub max_steps: u32,
}

impl Limits {
    /// Most steps that can be allowed: of a million steps, trace and keyframes take about 100 MB.
    pub const MOST_STEPS: u32 = 100_000_000;
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

/// The policies under which any scenario can be simulated.
pub fn kinds() -> impl Iterator<Item = PolicyKind> {
    PolicyKind::BUILT_IN.iter().copied()
}

/// Simulates a scenario under its policy. A run over the step limit, or past the last instant that
/// can be represented, is no error: its trace says that and why it was cut.
///
/// # Examples
/// Two blocks of 1024 threads and 500 ns each run beside each other on the TX2's two SMs.
/// ```
/// use blockstep_sim::engine::{Limits, simulate};
/// use blockstep_sim::scenario::{Draft, KernelDraft, Scenario};
///
/// // Two blocks of 1,024 threads, 500 ns each.
/// let draft = Draft { kernels: vec![KernelDraft::named("K1", 2, 1024, 500)], ..Draft::default() };
/// let run = simulate(&Scenario::new(&draft)?, Limits::default());
/// assert_eq!(run.trace.end().ns(), 500);
/// let rules: Vec<&str> = run.trace.steps().iter().map(|step| step.rule.id()).collect();
/// assert_eq!(rules, ["J1", "G1", "G2", "R1", "R1", "G3", "B1", "B1", "G4", "J2"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn simulate(scenario: &Arc<Scenario>, limits: Limits) -> Run {
    simulate_with(scenario, policy_of(scenario), limits)
}

/// Simulates a scenario under its policy with some rules changed; with none, as [`simulate`]. What
/// servers get where no budget is given is computed by the rules as they are.
#[must_use]
pub fn simulate_varied(scenario: &Arc<Scenario>, variants: Variants, limits: Limits) -> Run {
    if variants.is_none() {
        return simulate(scenario, limits);
    }
    varied(scenario, variants, limits).simulate()
}

fn varied(scenario: &Arc<Scenario>, variants: Variants, limits: Limits) -> Engine<'static, Variants> {
    let mut engine = Engine::new(scenario, policy::find_varied(scenario.policy().kind), variants, limits);
    engine.trace.set_variants(variants);
    engine
}

fn policy_of(scenario: &Scenario) -> &'static dyn Policy {
    policy::find(scenario.policy().kind)
}

/// Simulates a scenario under a policy that need not be a registered one.
#[must_use]
pub fn simulate_with(scenario: &Arc<Scenario>, policy: &dyn Policy, limits: Limits) -> Run {
    Engine::new(scenario, policy, Plain, limits).simulate()
}

/// What a run begins with: a trace without steps, and the state that they will change.
fn before_the_first_step(scenario: &Arc<Scenario>, policy: &dyn Policy) -> (Trace, Snapshot, Keyframes) {
    let (layout, residency) = if policy.about().kind.takes_turns() {
        (Layout::per_channel(scenario), Residency::Idle { last: None, gave_way: false })
    } else {
        (Layout::shared(scenario), Residency::Shared)
    };
    let state = Snapshot::new(scenario, &layout, residency);
    let keyframes = Keyframes::new(state.clone());
    (Trace::new(Arc::clone(scenario), Arc::new(layout)), state, keyframes)
}

/// A run in progress.
#[derive(Clone)]
struct Engine<'a, V> {
    scenario: Arc<Scenario>,
    policy: &'a dyn Policy,
    variation: V,
    limits: Limits,
    trace: Trace,
    state: Snapshot,
    keyframes: Keyframes,
    agenda: Agenda,
    /// CPU threads that make their calls one after another.
    hosts: Hosts,
    /// How the last assignment ended, if the same address space has been assigned to since.
    held: Option<HeldBack>,
    /// Kernels with a block that spins, or is suspended and has spun.
    spinning: BTreeSet<OpId>,
    /// The kernel of the block that has just ended, where blocks end one by one: what fits now is assigned first.
    ended: Option<OpId>,
    /// Whether the policy says which kernels join their EE queues (docs/semantics.md, section 14).
    gates_launches: bool,
    /// By stream: when its head joined its EE or CE queue.
    joined: Vec<Time>,
    /// The instant being applied.
    now: Time,
    /// Its next phase.
    phase: Phase,
    /// Switches so far that took time.
    switches: u64,
    /// Instants in a row without a step, and the steps before them.
    idle: (u32, usize),
    /// What was looked at beside what changing the state has cost.
    work: Tally,
    /// Work of both kinds at which it pauses.
    pause_at: u64,
    /// Once it is over: why it was cut, if it was.
    over: Option<Option<Cut>>,
}

/// What is done next; each part leaves off where its work for now is done, and goes on there.
#[derive(Clone)]
enum Phase {
    /// What servers get is found out.
    Servers(Box<Servers>),
    /// The next instant is looked for.
    Next,
    /// Deadlines before it.
    Misses(Option<Time>),
    /// Phase 1, and then phase 2.
    Completions,
    /// Phase 3, first part.
    Releases,
    /// Phase 3, second part.
    Issues,
    /// Phase 4, first part: what the RunList Manager is told.
    Signals,
    /// Phase 4, second part.
    Context,
    /// Phase 5.
    Assignment,
}

impl<'a, V: Variation> Engine<'a, V> {
    fn new(scenario: &Arc<Scenario>, policy: &'a dyn Policy, variation: V, limits: Limits) -> Self {
        let (mut trace, state, keyframes) = before_the_first_step(scenario, policy);
        trace.reserve(foreseen_steps(scenario).min(limits.max_steps as usize));
        Self {
            hosts: Hosts::default(),
            held: None,
            spinning: BTreeSet::new(),
            ended: None,
            gates_launches: state.gates_launches(&trace),
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
            phase: if policy.has_servers(scenario) || policy.needs_durations(scenario) {
                Phase::Servers(Box::default())
            } else {
                Phase::Next
            },
            switches: 0,
            idle: (0, 0),
            work: Tally::default(),
            pause_at: 0,
            over: None,
        }
    }

    fn simulate(mut self) -> Run {
        let mut endless = Budget::UNLIMITED;
        while self.run_for(&mut endless) == Progress::Paused {}
        self.finish()
    }

    /// Goes on until the budget is spent or the run is over.
    fn run_for(&mut self, budget: &mut Budget) -> Progress {
        if self.over.is_some() {
            return Progress::Done;
        }
        if budget.is_spent() {
            return Progress::Paused;
        }
        let before = self.spent();
        self.pause_at = before.saturating_add(budget.left()).min(MAX_WORK);
        let gone = self.go_on();
        budget.spend(self.spent() - before);
        self.over = match gone {
            Ok(Progress::Paused) if self.spent() < MAX_WORK => return Progress::Paused,
            Ok(Progress::Paused) => Some(Some(Cut::WorkLimit { limit: MAX_WORK })),
            Ok(Progress::Done) => Some(None),
            Err(cut) => Some(Some(cut)),
        };
        Progress::Done
    }

    /// Work so far.
    fn spent(&self) -> u64 {
        self.work.units() + self.state.work()
    }

    /// Whether the work for now is done. Never so when it goes on, so that something is done each time.
    fn is_due_to_pause(&self) -> bool {
        self.spent() >= self.pause_at
    }

    /// Applies instant after instant until nothing more can come or the horizon is past.
    fn go_on(&mut self) -> Result<Progress, Cut> {
        while !self.is_due_to_pause() {
            let is_done = match &mut self.phase {
                Phase::Servers(servers) => {
                    let mut budget = Budget::new(self.pause_at - (self.work.units() + self.state.work()));
                    let found = servers.go_on(&self.scenario, self.limits, &mut budget);
                    self.work.add(budget.spent());
                    let found = found?;
                    let is_found = found.is_some();
                    if let Some(budgets) = found {
                        self.trace.set_budgets(budgets);
                    }
                    is_found
                }
                Phase::Next => true,
                &mut Phase::Misses(next) => self.miss_deadlines(next)?,
                Phase::Completions => self.complete_assigned()?,
                Phase::Releases => self.release_jobs()?,
                Phase::Issues => self.issue_operations()?,
                Phase::Signals => self.exchange_signals()?,
                Phase::Context => self.decide_context()?,
                Phase::Assignment => self.assign_all()?,
            };
            if is_done && self.next_phase()? == Progress::Done {
                return Ok(Progress::Done);
            }
        }
        Ok(Progress::Paused)
    }

    /// A phase is over: which one is next, unless the run is over with it.
    fn next_phase(&mut self) -> Result<Progress, Cut> {
        self.phase = match self.phase {
            Phase::Servers(_) => Phase::Next,
            Phase::Next => {
                self.work.add(1 + self.state.own().cost());
                self.forget_stale_completions();
                Phase::Misses(self.next_instant())
            }
            Phase::Misses(None) => return Ok(Progress::Done),
            Phase::Misses(Some(at)) => {
                self.now = at;
                Phase::Completions
            }
            Phase::Completions => {
                self.end_switch()?;
                Phase::Releases
            }
            Phase::Releases => Phase::Issues,
            Phase::Issues => Phase::Signals,
            Phase::Signals => Phase::Context,
            Phase::Context => Phase::Assignment,
            Phase::Assignment => {
                let (idle, before) = self.idle;
                let steps = self.trace.steps().len();
                self.idle = (if steps == before { idle + 1 } else { 0 }, steps);
                if self.idle.0 > MAX_IDLE_INSTANTS {
                    let what = format!("the policy asked for more than {MAX_IDLE_INSTANTS} instants without a step");
                    return Err(Cut::Internal { what });
                }
                Phase::Next
            }
        };
        Ok(Progress::Paused)
    }

    /// The next instant at which something falls due, if it is not past the horizon.
    fn next_instant(&self) -> Option<Time> {
        let switch = match self.state.residency() {
            Residency::Submitting { until, .. } | Residency::Switching { until, .. } => Some(until),
            _ => None,
        };
        let timer = self.policy.next_timer(self.view());
        let next = earliest([self.agenda.next(), switch, timer, self.state.next_signal()])?;
        self.scenario.horizon().is_none_or(|end| next <= end).then_some(next)
    }

    /// Phase 2: the end of a context switch. A policy's own timers are instants at which it is
    /// asked; what they cause happens in phase 4.
    fn end_switch(&mut self) -> Result<(), Cut> {
        match self.state.residency() {
            // Under `edf`, the one policy that submits runlists, every switch is charged.
            Residency::Submitting { to, last, until } if until == self.now => self.switch_to(to, last, true, Rule::S1),
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
        // To copy a state is cheaper than to look at it.
        self.work.add(self.keyframes.offer(&self.state) / 8);
        Ok(())
    }

    /// Whether there may be one more step.
    fn room(&self) -> Result<(), Cut> {
        if self.trace.steps().len() < self.limits.max_steps as usize {
            Ok(())
        } else {
            Err(Cut::StepLimit { limit: self.limits.max_steps, alone: None })
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

    /// The run; one that is not over yet is cut where it is.
    fn finish(mut self) -> Run {
        let cut = self.over.take().unwrap_or_else(|| Some(Cut::WorkLimit { limit: self.spent() }));
        let last = self.trace.steps().last().map_or(Time::ZERO, |s| s.at);
        let end = if cut.is_some() { last } else { self.scenario.horizon().unwrap_or(last) };
        self.trace.finish(end, cut);
        Run { trace: Arc::new(self.trace), keyframes: Arc::new(self.keyframes) }
    }
}
