//! `edf`: the process of the pending real-time job with the earliest deadline is resident; below
//! all of those, best-effort tasks by fixed priority.
//!
//! Depends on the trait; which jobs are pending, and by which deadline, the state tells. Invariant:
//! the job chosen and the servers' budgets and deadlines are part of the state. Sources: [EDF]
//! section IV, [LP] section IV; contract, sections 7 and 8.

use std::marker::PhantomData;

use super::{Action, Decision, Policy, Ruling, View};
use crate::scenario::{Class, PolicyKind, Preemption, Scenario};
use crate::snapshot::{Claim, Residency};
use crate::trace::{Change, Rule, Variant};
use crate::units::{JobNo, SpaceId, Span, TaskId, Time};

/// The policy.
pub(super) struct Edf<V>(PhantomData<V>);

impl<V> Edf<V> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<V: Ruling> Policy for Edf<V> {
    fn kind(&self) -> PolicyKind {
        PolicyKind::Edf
    }

    fn takes_turns(&self) -> bool {
        true
    }

    fn has_servers(&self, scenario: &Scenario) -> bool {
        scenario.policy().cbs
    }

    /// The exhaustion of the budget that decreases.
    fn next_timer(&self, view: View<'_>) -> Option<Time> {
        if heeds_budgets::<V>(view) { view.state.exhaustion(view.now) } else { None }
    }

    /// CBS: whether the budget left would be more than the share of the time until the deadline.
    fn arrival(&self, view: View<'_>, task: TaskId, _job: JobNo) -> Option<(Rule, Change)> {
        if !has_server(view, task) || view.state.first_pending(view.trace, task).is_some() {
            return None;
        }
        let server = view.state.server(task, view.now);
        let (budget, period) = (view.trace.budget(task), period(view, task));
        let left = u128::from(server.deadline.since(view.now).ns());
        let is_over =
            view.now >= server.deadline || u128::from(server.budget.ns()) * u128::from(period.ns()) >= left * u128::from(budget.ns());
        let deadline = view.now.after(view.trace.scenario().task(task).deadline?)?;
        is_over.then_some((Rule::Q1, Change::ServerRenewed { task, deadline }))
    }

    fn decide(&self, view: View<'_>) -> Option<Decision> {
        if is_settled(view) {
            return None;
        }
        let (rule, action) = exhausted::<V>(view).or_else(|| turn::<V>(view))?;
        Some(Decision { rule, action })
    }
}

/// Whether nothing has happened since the last decision that could lead to another: a block that
/// ends neither makes a job pending nor ends one, unless its kernel completes with it.
fn is_settled(view: View<'_>) -> bool {
    let Residency::Resident { draining: false, .. } = view.state.residency() else { return false };
    let Some((task, _)) = view.state.edf().chosen else { return false };
    let is_used_up = has_server(view, task) && view.state.server(task, view.now).budget == Span::ZERO;
    let mut steps = view.trace.steps().iter().rev().take_while(|s| s.at == view.now);
    !is_used_up && steps.all(|s| matches!(s.change, Change::BlockEnded { .. }))
}

/// CBS: a server without budget whose task has a job pending.
fn exhausted<V: Ruling>(view: View<'_>) -> Option<(Rule, Action)> {
    if !heeds_budgets::<V>(view) {
        return None;
    }
    let is_used_up = |&task: &TaskId| {
        has_server(view, task)
            && view.state.server(task, view.now).budget == Span::ZERO
            && view.state.first_pending(view.trace, task).is_some()
    };
    let task = view.state.live_tasks().iter().copied().find(is_used_up)?;
    let postponed = view.state.server(task, view.now).deadline.after(period(view, task));
    let action = postponed.map_or(Action::TooLate(task), |deadline| Action::Note(Change::DeadlinePostponed { task, deadline }));
    Some((Rule::Q2, action))
}

/// Who is to be resident.
fn turn<V: Ruling>(view: View<'_>) -> Option<(Rule, Action)> {
    let preemption = view.trace.scenario().policy().preemption;
    let chosen = view.state.edf().chosen;
    match view.state.residency() {
        Residency::Switching { .. } | Residency::Shared => None,
        Residency::Idle { .. } => match chosen {
            Some((task, _)) => Some((Rule::S1, Action::Enter(space_of(view, task)))),
            None => choice::<V>(view).map(|next| (rule::<V>(view, &next), choose(next))),
        },
        Residency::Resident { space, draining: true, .. } => (!executes(view, space)).then_some((Rule::S3, Action::Leave)),
        Residency::Resident { space, .. } => {
            if preemption == Preemption::None
                && let Some((task, job)) = chosen
            {
                if !view.state.job_complete(task, job) {
                    return None;
                }
                if executes(view, space) {
                    return Some((Rule::E6, Action::Drain));
                }
            }
            match choice::<V>(view) {
                Some(next) if space_of(view, next.task) == space => {
                    (chosen != Some((next.task, next.job))).then(|| (rule::<V>(view, &next), choose(next)))
                }
                Some(_) if preemption == Preemption::Block && executes(view, space) => Some((Rule::E4, Action::Drain)),
                Some(_) => Some((Rule::E4, Action::Leave)),
                None => Some((Rule::E5, Action::Leave)),
            }
        }
    }
}

/// The pending job to serve: the earliest deadline, else the first in priority; then the lowest task.
fn choice<V: Ruling>(view: View<'_>) -> Option<Claim> {
    let claims = view.state.live_tasks().iter().filter_map(|&task| view.state.claim_with(view.trace, V::variants(view), task, view.now));
    claims.min_by_key(|claim| claim.rank(V::variants(view)))
}

/// By which rule a job is the one.
fn rule<V: Ruling>(view: View<'_>, next: &Claim) -> Rule {
    match (next.deadline, next.inherited_from) {
        (Some(_), _) if V::variants(view).has(Variant::FixedPriority) => Rule::E1,
        (_, Some(_)) => Rule::E3,
        (Some(_), None) => Rule::E1,
        (None, None) => Rule::E2,
    }
}

fn choose(next: Claim) -> Action {
    Action::Note(Change::Chosen { task: next.task, job: next.job })
}

/// Whether something happens when a budget is used up.
fn heeds_budgets<V: Ruling>(view: View<'_>) -> bool {
    !V::variants(view).has(Variant::NoBudgets)
}

fn has_server(view: View<'_>, task: TaskId) -> bool {
    let scenario = view.trace.scenario();
    scenario.policy().cbs && scenario.task(task).class == Class::RealTime
}

/// T of a server.
fn period(view: View<'_>, task: TaskId) -> Span {
    view.trace.scenario().task(task).server_period().unwrap_or(Span::ZERO)
}

/// Every process has an address space of its own.
fn space_of(view: View<'_>, task: TaskId) -> SpaceId {
    SpaceId(view.trace.scenario().task(task).process.0)
}

/// Whether the resident address space has a block or copy on the device.
fn executes(view: View<'_>, space: SpaceId) -> bool {
    view.state.space(space).running().next().is_some()
}
