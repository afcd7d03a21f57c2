//! Phase 4: the decision, carried out (docs/semantics.md, section 4, lines 3 to 29).
//!
//! Depends on the rest of `engine`. Invariants: the policy decides, this file only does it; what
//! is suspended keeps its place, its order of assignment and its remaining time.

use super::Engine;
use super::agenda::Assigned;
use super::vary::Variation;
use crate::order;
use crate::policy::{Action, Decision};
use crate::snapshot::{MAX_ENGINES, Progress, Residency};
use crate::trace::{Change, Cut, EngineNo, Rule, Told, Variant};
use crate::units::{ClaimantId, SmId, SpaceId, Span, Time};

/// Decisions of one instant after which a policy that never comes to rest is stopped; those about a kernel end with the kernels.
const MAX_DECISIONS: usize = 10_000;

/// Bytes that the decisions of a policy of one's own may take in a run.
const MAX_BYTES: usize = 256 << 20;

/// A block or copy on its place, and how far it is.
pub(super) struct OnDevice {
    pub(super) what: Assigned,
    pub(super) order: u64,
    pub(super) progress: Progress,
}

impl<V: Variation> Engine<'_, V> {
    /// Asks the policy until it has nothing more to decide now (a line says *done*); false if there is more after a pause.
    pub(super) fn decide_context(&mut self) -> Result<bool, Cut> {
        if self.state.residency() == Residency::Shared {
            return Ok(true);
        }
        let mut left = MAX_DECISIONS;
        while left > 0 {
            // Whose kernel is launched next is looked for in every stream.
            let streams = if self.gates_launches { self.joined.len() as u64 } else { 0 };
            self.work.add(1 + self.state.own().cost() + streams);
            let Some(Decision { rule, action }) = self.policy.decide(self.view()) else { return Ok(true) };
            let is_of_kernel = matches!(action, Action::Launch(_) | Action::Tell(Told::Launch(..) | Told::Finish(..), _));
            left -= usize::from(!is_of_kernel);
            match (action, self.state.residency()) {
                (Action::Enter(to), Residency::Idle { last, gave_way }) => self.make_resident(to, last, gave_way, rule)?,
                (Action::Leave, Residency::Resident { space, .. }) => self.leave(space, rule)?,
                (Action::Drain(next), Residency::Resident { space, .. }) => self.emit(rule, Change::DrainStarted { space, next })?,
                (Action::Note(change), _) => self.emit(rule, change)?,
                (Action::Tell(told, deadline), _) => self.tell(rule, told, deadline)?,
                (Action::Launch(op), _) => self.launch(op, rule)?,
                (Action::TooLate(claimant), _) => return Err(self.too_late("postponed", claimant)),
                (Action::Enter(_) | Action::Leave | Action::Drain(_), _) => {
                    return Err(Cut::Internal { what: "the policy made a decision that is impossible in this state".to_owned() });
                }
            }
            // Nothing is kept here between two of these.
            if is_of_kernel && self.is_due_to_pause() {
                return Ok(false);
            }
        }
        Err(Cut::Internal { what: format!("the policy made more than {MAX_DECISIONS} decisions at {} ns", self.now) })
    }

    /// The policy of one's own decides; where it cannot, the run ends.
    fn tell(&mut self, rule: Rule, told: Told, deadline: Option<Time>) -> Result<(), Cut> {
        // So that a run that is cut here has no decision without its step.
        self.room()?;
        if self.trace.bytes_of_decisions() > MAX_BYTES {
            let why = format!(
                "its {} decisions take more than {MAX_BYTES} bytes, the limit; use a longer tick or a shorter horizon",
                self.trace.decisions()
            );
            return Err(Cut::PolicyFailed { at: self.now.ns(), why });
        }
        match self.trace.tell(told, deadline) {
            Ok(decision) => {
                self.work.add(self.trace.made(decision).decision.changes.len() as u64);
                self.emit(rule, Change::PolicyTold { decision })
            }
            Err(Some(failure)) => Err(Cut::PolicyFailed { at: self.now.ns(), why: failure.to_string() }),
            Err(None) => Err(Cut::Internal { what: "the scenario has no policy to tell".to_owned() }),
        }
    }

    /// The end of a run because the deadline that a server gets lies past the last instant there is.
    pub(super) fn too_late(&self, how: &str, claimant: ClaimantId) -> Cut {
        Cut::TimeOverflow { what: format!("the {how} deadline of task \"{}\"", self.scenario.claims_for(claimant).name) }
    }

    /// Line 24: a runlist with only the channels of the process, or of its chain, is submitted (M5), where that takes time and it is not the
    /// last one; then comes the switch.
    fn make_resident(&mut self, to: SpaceId, last: Option<SpaceId>, gave_way: bool, rule: Rule) -> Result<(), Cut> {
        let takes = self.scenario.policy().runlist_time();
        if takes == Span::ZERO || self.state.is_listed(&self.trace, self.now) {
            return self.switch_to(to, last, gave_way, rule);
        }
        let until = self.later(takes, |trace| format!("the submission of the runlist of {}", trace.space_name(to)))?;
        self.emit(Rule::M5, Change::RunlistSubmitted { to, until })
    }

    /// Line 25: free for the first process and for the one that was resident last; else at the switch cost, if the
    /// policy charges it here.
    pub(super) fn switch_to(&mut self, to: SpaceId, last: Option<SpaceId>, gave_way: bool, rule: Rule) -> Result<(), Cut> {
        let cost = self.scenario.switches().draw(self.switches);
        let is_charged = self.scenario.policy().charges_every_switch() || gave_way;
        if cost == Span::ZERO || !is_charged || self.variation.has(Variant::FreeSwitches) || last.is_none_or(|last| last == to) {
            return self.enter(to);
        }
        self.switches += 1;
        let until = self.later(cost, |trace| format!("the end of the switch to {}", trace.space_name(to)))?;
        self.emit(rule, Change::SwitchStarted { to, until })
    }

    /// Line 26: the process is resident from here on; what it had suspended goes on.
    pub(super) fn enter(&mut self, space: SpaceId) -> Result<(), Cut> {
        self.held = None;
        self.emit(Rule::S2, Change::Entered { space })?;
        self.work.add(self.state.space(space).sms.work());
        for OnDevice { what, order, progress } in self.on_device(space) {
            let Progress::Suspended(left) = progress else { continue };
            if let Assigned::Block { op, block, sm } = what
                && self.state.spins(&self.trace, op)
            {
                self.emit(Rule::S6, Change::BlockResumed { op, block, sm })?;
                continue;
            }
            let at = self.completion(left, |_| "the end of a resumed block or copy".to_owned())?;
            let change = match what {
                Assigned::Block { op, block, sm } => Change::BlockResumed { op, block, sm },
                Assigned::Copy { op, engine } => Change::CopyResumed { op, engine },
            };
            self.emit(Rule::S6, change)?;
            self.agenda.complete(at, order, what);
        }
        Ok(())
    }

    /// Line 27: the process leaves; what it runs is suspended.
    fn leave(&mut self, space: SpaceId, rule: Rule) -> Result<(), Cut> {
        self.work.add(self.state.space(space).sms.work());
        for OnDevice { what, progress, .. } in self.on_device(space) {
            if matches!(progress, Progress::Suspended(_)) {
                continue;
            }
            let change = match what {
                Assigned::Block { op, block, sm } => Change::BlockSuspended { op, block, sm },
                Assigned::Copy { op, engine } => Change::CopySuspended { op, engine },
            };
            self.emit(Rule::S5, change)?;
        }
        self.emit(rule, Change::Left { space })
    }

    /// What an address space has on SMs and copy engines, in order of assignment.
    pub(super) fn on_device(&self, space: SpaceId) -> Vec<OnDevice> {
        let state = self.state.space(space);
        let mut found = Vec::new();
        if !state.holds_any() {
            return found;
        }
        for (sm, s) in state.sms.holding() {
            found.extend(s.blocks.iter().map(|b| OnDevice {
                what: Assigned::Block { op: b.op, block: b.block, sm: SmId::at(sm) },
                order: b.order,
                progress: b.progress,
            }));
        }
        for engine in 0..MAX_ENGINES as EngineNo {
            found.extend(state.engines[engine as usize].map(|c| OnDevice {
                what: Assigned::Copy { op: c.op, engine },
                order: c.order,
                progress: c.progress,
            }));
        }
        order::by_number(&mut found, |o| o.order);
        found
    }
}
